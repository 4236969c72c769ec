/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include <glib.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "import/digits.h"

G_BEGIN_DECLS

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

/* Not 0 where a byte less '0' is no digit. */
static inline TsAtfBytes
ts_atf_bytes_excess (TsAtfBytes digits)
{
  return _mm_subs_epu8 (digits, _mm_set1_epi8 (9));
}

/* Of sixteen digits less '0': neighbours are added up in pairs, fours and eights. */
static inline guint64
ts_atf_bytes_number (TsAtfBytes digits)
{
  __m128i pairs = _mm_and_si128 (
      _mm_add_epi16 (_mm_mullo_epi16 (digits, _mm_set1_epi16 (10)), _mm_srli_epi16 (digits, 8)), _mm_set1_epi16 (0xff));
  __m128i fours = _mm_madd_epi16 (pairs, _mm_set1_epi32 (100 | 1 << 16));
  __m128i eights = _mm_madd_epi16 (_mm_packs_epi32 (fours, fours), _mm_set1_epi32 (10000 | 1 << 16));
  guint64 both;

  _mm_storel_epi64 ((__m128i *) (gpointer) &both, eights);
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
ts_atf_bytes_find (const guint8 *p, guint8 c)
{
  TsAtfBytes bytes = ts_atf_bytes_load (p);

  return ts_atf_word_find (bytes.words[0], c) | ts_atf_word_find (bytes.words[1], c) << 8;
}

static inline TsAtfBytes
ts_atf_bytes_excess (TsAtfBytes digits)
{
  for (guint i = 0; i < 2; i++)
    digits.words[i] = ((digits.words[i] & TS_EACH_BYTE (0x7f)) + TS_EACH_BYTE (0x76)) | digits.words[i];
  return (TsAtfBytes){ { digits.words[0] & TS_EACH_BYTE (0x80), digits.words[1] & TS_EACH_BYTE (0x80) } };
}

static inline guint64
ts_atf_bytes_number (TsAtfBytes digits)
{
  return ts_eight_number (digits.words[0]) * 100000000 + ts_eight_number (digits.words[1]);
}

#endif

G_END_DECLS
