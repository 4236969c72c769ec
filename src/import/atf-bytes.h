/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include <glib.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "import/digits.h"
#include "model/inline.h"

G_BEGIN_DECLS

/* What XML knows as white space. */
static inline gboolean
ts_atf_is_blank (guint8 c)
{
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* Sixteen bytes of a file at a time, wherever they stand: compared, searched, or read as one number. */

#define TS_ATF_BYTES 16

#ifdef __SSE2__

typedef __m128i TsAtfBytes;

static inline TsAtfBytes
ts_atf_bytes_load (const guint8 *p)
{
  return _mm_loadu_si128 ((const __m128i *) (gconstpointer) p);
}

static inline TsAtfBytes
ts_atf_bytes_each (guint8 c)
{
  return _mm_set1_epi8 ((char) c);
}

static inline TsAtfBytes
ts_atf_bytes_xor (TsAtfBytes a, TsAtfBytes b)
{
  return _mm_xor_si128 (a, b);
}

static inline TsAtfBytes
ts_atf_bytes_and (TsAtfBytes a, TsAtfBytes b)
{
  return _mm_and_si128 (a, b);
}

static inline TsAtfBytes
ts_atf_bytes_or (TsAtfBytes a, TsAtfBytes b)
{
  return _mm_or_si128 (a, b);
}

static inline gboolean
ts_atf_bytes_are_zero (TsAtfBytes bytes)
{
  return _mm_movemask_epi8 (_mm_cmpeq_epi8 (bytes, _mm_setzero_si128 ())) == 0xffff;
}

/* A bit for each byte at @p that is @c, the first one's the lowest. */
static inline guint
ts_atf_bytes_find (const guint8 *p, guint8 c)
{
  return (guint) _mm_movemask_epi8 (_mm_cmpeq_epi8 (ts_atf_bytes_load (p), _mm_set1_epi8 ((char) c)));
}

/* A bit for each byte that is the same in both. */
static inline guint
ts_atf_bytes_same (TsAtfBytes a, TsAtfBytes b)
{
  return (guint) _mm_movemask_epi8 (_mm_cmpeq_epi8 (a, b));
}

/* Not 0 where a byte less '0' is no digit. */
static inline TsAtfBytes
ts_atf_bytes_excess (TsAtfBytes digits)
{
  return _mm_subs_epu8 (digits, _mm_set1_epi8 (9));
}

/* The eight bytes at @p, and then those at @q. */
static inline TsAtfBytes
ts_atf_bytes_pair (const guint8 *p, const guint8 *q)
{
  return _mm_unpacklo_epi64 (_mm_loadl_epi64 ((const __m128i *) (gconstpointer) p),
                             _mm_loadl_epi64 ((const __m128i *) (gconstpointer) q));
}

/* The first eight bytes as a word, and the others. */
static inline guint64
ts_atf_bytes_low (TsAtfBytes bytes)
{
  guint64 word;

  _mm_storel_epi64 ((__m128i *) (gpointer) &word, bytes);
  return word;
}

static inline guint64
ts_atf_bytes_high (TsAtfBytes bytes)
{
  return ts_atf_bytes_low (_mm_unpackhi_epi64 (bytes, bytes));
}

/* A bit for each byte that is white space to XML, and in *newlines one for each that ends a line. */
static inline guint
ts_atf_bytes_blanks (TsAtfBytes bytes, guint *newlines)
{
  __m128i ends = _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('\n'));
  __m128i tabs = _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('\t')), returns = _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('\r'));
  __m128i spaces = _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 (' '));

  *newlines = (guint) _mm_movemask_epi8 (ends);
  return (guint) _mm_movemask_epi8 (_mm_or_si128 (_mm_or_si128 (ends, tabs), _mm_or_si128 (returns, spaces)));
}

/* A bit for each byte that in a value is not itself to XML, or is none of ASCII. */
static inline guint
ts_atf_bytes_odd (TsAtfBytes bytes)
{
  __m128i brackets = _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('<')), ands = _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('&'));
  __m128i others = _mm_cmplt_epi8 (bytes, _mm_set1_epi8 (' '));

  return (guint) _mm_movemask_epi8 (_mm_or_si128 (_mm_or_si128 (brackets, ands), others));
}

/* Of sixteen digits less '0': neighbours are added up in pairs, fours and eights. */
static inline guint64
ts_atf_bytes_number (TsAtfBytes digits)
{
  __m128i pairs = _mm_and_si128 (
      _mm_add_epi16 (_mm_mullo_epi16 (digits, _mm_set1_epi16 (10)), _mm_srli_epi16 (digits, 8)), _mm_set1_epi16 (0xff));
  __m128i fours = _mm_madd_epi16 (pairs, _mm_set1_epi32 (100 | 1 << 16));
  __m128i eights = _mm_madd_epi16 (_mm_packs_epi32 (fours, fours), _mm_set1_epi32 (10000 | 1 << 16));
  guint64 both = ts_atf_bytes_low (eights);

  return (both & G_MAXUINT32) * 100000000 + (both >> 32);
}

#else

typedef struct
{
  guint64 words[2]; /* the first byte is the lowest */
} TsAtfBytes;

static inline TsAtfBytes
ts_atf_bytes_load (const guint8 *p)
{
  return (TsAtfBytes){ { ts_eight_load (p), ts_eight_load (p + 8) } };
}

static inline TsAtfBytes
ts_atf_bytes_each (guint8 c)
{
  return (TsAtfBytes){ { TS_EACH_BYTE (c), TS_EACH_BYTE (c) } };
}

static inline TsAtfBytes
ts_atf_bytes_xor (TsAtfBytes a, TsAtfBytes b)
{
  return (TsAtfBytes){ { a.words[0] ^ b.words[0], a.words[1] ^ b.words[1] } };
}

static inline TsAtfBytes
ts_atf_bytes_and (TsAtfBytes a, TsAtfBytes b)
{
  return (TsAtfBytes){ { a.words[0] & b.words[0], a.words[1] & b.words[1] } };
}

static inline TsAtfBytes
ts_atf_bytes_or (TsAtfBytes a, TsAtfBytes b)
{
  return (TsAtfBytes){ { a.words[0] | b.words[0], a.words[1] | b.words[1] } };
}

static inline gboolean
ts_atf_bytes_are_zero (TsAtfBytes bytes)
{
  return (bytes.words[0] | bytes.words[1]) == 0;
}

static inline guint
ts_atf_word_find (guint64 word, guint8 c)
{
  guint64 others = word ^ TS_EACH_BYTE (c);

  others |= (others & TS_EACH_BYTE (0x7f)) + TS_EACH_BYTE (0x7f);
  return (guint) (((~others & TS_EACH_BYTE (0x80)) >> 7) * G_GUINT64_CONSTANT (0x0102040810204080) >> 56);
}

static inline guint
ts_atf_bytes_are (TsAtfBytes bytes, guint8 c)
{
  return ts_atf_word_find (bytes.words[0], c) | ts_atf_word_find (bytes.words[1], c) << 8;
}

static inline guint
ts_atf_bytes_same (TsAtfBytes a, TsAtfBytes b)
{
  return ts_atf_bytes_are (ts_atf_bytes_xor (a, b), 0);
}

static inline guint
ts_atf_bytes_find (const guint8 *p, guint8 c)
{
  return ts_atf_bytes_are (ts_atf_bytes_load (p), c);
}

static inline TsAtfBytes
ts_atf_bytes_excess (TsAtfBytes digits)
{
  for (guint i = 0; i < 2; i++)
    digits.words[i] = ((digits.words[i] & TS_EACH_BYTE (0x7f)) + TS_EACH_BYTE (0x76)) | digits.words[i];
  return (TsAtfBytes){ { digits.words[0] & TS_EACH_BYTE (0x80), digits.words[1] & TS_EACH_BYTE (0x80) } };
}

static inline TsAtfBytes
ts_atf_bytes_pair (const guint8 *p, const guint8 *q)
{
  return (TsAtfBytes){ { ts_eight_load (p), ts_eight_load (q) } };
}

static inline guint
ts_atf_bytes_blanks (TsAtfBytes bytes, guint *newlines)
{
  *newlines = ts_atf_bytes_are (bytes, '\n');
  return *newlines | ts_atf_bytes_are (bytes, ' ') | ts_atf_bytes_are (bytes, '\t') | ts_atf_bytes_are (bytes, '\r');
}

static inline guint
ts_atf_bytes_odd (TsAtfBytes bytes)
{
  guint bits = ts_atf_bytes_are (bytes, '<') | ts_atf_bytes_are (bytes, '&');

  for (guint i = 0; i < TS_ATF_BYTES; i++)
    {
      guint8 c = (guint8) (bytes.words[i / 8] >> (i % 8 * 8));

      bits |= (guint) (c < ' ' || c >= 0x80) << i;
    }
  return bits;
}

static inline guint64
ts_atf_bytes_low (TsAtfBytes bytes)
{
  return bytes.words[0];
}

static inline guint64
ts_atf_bytes_high (TsAtfBytes bytes)
{
  return bytes.words[1];
}

static inline guint64
ts_atf_bytes_number (TsAtfBytes digits)
{
  return ts_eight_number (digits.words[0]) * 100000000 + ts_eight_number (digits.words[1]);
}

#endif

/* Blanks */

static TS_ALWAYS_INLINE guint
ts_atf_count_bits (guint64 bits)
{
  bits -= bits >> 1 & G_GUINT64_CONSTANT (0x5555555555555555);
  bits = (bits & G_GUINT64_CONSTANT (0x3333333333333333)) + (bits >> 2 & G_GUINT64_CONSTANT (0x3333333333333333));
  bits = (bits + (bits >> 4)) & G_GUINT64_CONSTANT (0x0f0f0f0f0f0f0f0f);
  return (guint) (bits * G_GUINT64_CONSTANT (0x0101010101010101) >> 56);
}

/* How many lines end among blanks: most often one at the most. */
static TS_ALWAYS_INLINE guint
ts_atf_count_ends (guint ends)
{
  return G_LIKELY ((ends & (ends - 1)) == 0) ? ends != 0 : ts_atf_count_bits (ends);
}

/* The first that is none of them from @p on, or from @end or some bytes behind it. Adds to @lines how many end. */
static TS_ALWAYS_INLINE const guint8 *
ts_atf_bytes_pass_blanks (const guint8 *p, const guint8 *end, guint *lines)
{
  guint n;

  do
    {
      guint ends, blanks = ts_atf_bytes_blanks (ts_atf_bytes_load (p), &ends);

      n = (guint) __builtin_ctz (~blanks);
      *lines += ts_atf_count_ends (ends & (blanks ^ (blanks + 1))); /* those up to the first byte that is no blank */
      p += n;
    }
  while (G_UNLIKELY (n == TS_ATF_BYTES) && p < end);
  return p;
}

/* The last @n bytes, for ts_atf_bytes_and(). */
static inline TsAtfBytes
ts_atf_bytes_last (gsize n)
{
  static const guint8 mask[2 * TS_ATF_BYTES]
      = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
          0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

  return ts_atf_bytes_load (mask + n);
}

/* The last @m of the first eight bytes, and the last @n of the others. */
static inline TsAtfBytes
ts_atf_bytes_last_of_pair (gsize m, gsize n)
{
  static const guint8 mask[TS_ATF_BYTES]
      = { 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

  return ts_atf_bytes_pair (mask + m, mask + n);
}

/* The values of digits where @mask is, and 0 elsewhere. */
static inline TsAtfBytes
ts_atf_bytes_digits (TsAtfBytes bytes, TsAtfBytes mask)
{
  return ts_atf_bytes_and (ts_atf_bytes_xor (bytes, ts_atf_bytes_each ('0')), mask);
}

G_END_DECLS
