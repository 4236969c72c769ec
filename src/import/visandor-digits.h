/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include "import/digits.h"
#include "import/marks.h"
#include "import/visandor.h"
#include "model/inline.h"

G_BEGIN_DECLS

/* Marks and numbers in the bytes of a usual line, for visandor-scan.c. */

#define TS_VIS_BLOCK 48  /* bytes of a line up to its agent */
#define TS_VIS_WINDOW 64 /* bytes of a line in which its newline is found */

/* The byte at @p is the lower one. */
static inline guint
ts_vis_load_two (const guint8 *p)
{
  guint16 two;

  memcpy (&two, p, sizeof two);
  return GUINT16_FROM_LE (two);
}

#ifdef __SSE2__

/* A bit for each of 16 bytes that is @c. */
static TS_ALWAYS_INLINE guint
ts_vis_find_byte (const guint8 *p, char c)
{
  __m128i bytes = _mm_loadu_si128 ((const __m128i *) (gconstpointer) p);

  return (guint) _mm_movemask_epi8 (_mm_cmpeq_epi8 (bytes, _mm_set1_epi8 (c)));
}

/* Where blanks and tabulators, and where newlines are among 16 bytes. */
static TS_ALWAYS_INLINE void
ts_vis_find_marks_in (const guint8 *p, guint at, guint64 *blanks, guint64 *newlines)
{
  __m128i bytes = _mm_loadu_si128 ((const __m128i *) (gconstpointer) (p + at));
  __m128i is_blank = _mm_or_si128 (_mm_cmpeq_epi8 (bytes, _mm_set1_epi8 (' ')),
                                   _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('\t')));

  *blanks |= (guint64) (guint) _mm_movemask_epi8 (is_blank) << at;
  *newlines |= (guint64) (guint) _mm_movemask_epi8 (_mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('\n'))) << at;
}

static TS_ALWAYS_INLINE void
ts_vis_find_marks (const guint8 *p, guint64 *blanks, guint64 *newlines)
{
  *blanks = *newlines = 0;
  ts_vis_find_marks_in (p, 0, blanks, newlines);
  ts_vis_find_marks_in (p, 16, blanks, newlines);
  ts_vis_find_marks_in (p, 32, blanks, newlines);
  if (G_UNLIKELY (*newlines == 0))
    ts_vis_find_marks_in (p, TS_VIS_BLOCK, blanks, newlines);
}

/* A bit for each of 16 bytes that is as in @text. */
static TS_ALWAYS_INLINE guint
ts_vis_find_equal (const guint8 *p, const guint8 *text)
{
  __m128i bytes = _mm_loadu_si128 ((const __m128i *) (gconstpointer) p);
  __m128i known = _mm_loadu_si128 ((const __m128i *) (gconstpointer) text);

  return (guint) _mm_movemask_epi8 (_mm_cmpeq_epi8 (bytes, known));
}

#else

static inline guint
ts_vis_find_byte (const guint8 *p, char c)
{
  return (guint) ts_marks_find_byte (ts_eight_load (p), c) | (guint) ts_marks_find_byte (ts_eight_load (p + 8), c) << 8;
}

static inline void
ts_vis_find_marks (const guint8 *p, guint64 *blanks, guint64 *newlines)
{
  *blanks = *newlines = 0;
  for (guint i = 0; i < TS_VIS_WINDOW; i += 8)
    {
      guint64 bytes = ts_eight_load (p + i);

      *blanks |= ts_marks_find_byte (bytes, ' ') << i;
      *blanks |= ts_marks_find_byte (bytes, '\t') << i;
      *newlines |= ts_marks_find_byte (bytes, '\n') << i;
    }
}

static inline guint
ts_vis_find_equal (const guint8 *p, const guint8 *text)
{
  return (guint) ts_marks_find_byte (ts_eight_load (p) ^ ts_eight_load (text), 0)
         | (guint) ts_marks_find_byte (ts_eight_load (p + 8) ^ ts_eight_load (text + 8), 0) << 8;
}

#endif

/* The bits of the bytes that a tail has room for, but not of its first @n. Where it has no room for these, what no line has. */
static inline guint
ts_vis_others (gsize n, gboolean is_long)
{
  if (is_long)
    return (guint) ((guint64) G_MAXUINT32 >> n << n);
  return n <= TS_VIS_TAIL ? 0xffffU >> n << n : 1U << TS_VIS_TAIL;
}

/* Whether the 16 bytes at @p, or where it @is_long 32, are @text, but for those of @others. */
static TS_ALWAYS_INLINE gboolean
ts_vis_has_text (const guint8 *p, const guint8 *text, guint others, gboolean is_long)
{
  if (is_long)
    return (ts_vis_find_equal (p, text) | ts_vis_find_equal (p + 16, text + 16) << 16 | others) == G_MAXUINT32;
  return (ts_vis_find_equal (p, text) | others) == 0xffff;
}

/* Whether the line goes on like that at @p. */
static TS_ALWAYS_INLINE gboolean
ts_vis_has_tail (const guint8 *p, const TsVisTail *tail, gboolean is_long)
{
  return ts_vis_has_text (p, tail->text, tail->others, is_long);
}

/* Where newlines are among the 32 bytes at @p, or where it @is_long 48: a bit for each. */
static TS_ALWAYS_INLINE guint64
ts_vis_find_newlines (const guint8 *p, gboolean is_long)
{
  const guint64 newlines = ts_vis_find_byte (p, '\n') | ts_vis_find_byte (p + 16, '\n') << 16;

  return is_long ? newlines | (guint64) ts_vis_find_byte (p + 32, '\n') << 32 : newlines;
}

/* Whether exactly six are set of @marks. */
static TS_ALWAYS_INLINE gboolean
ts_vis_are_six (guint64 marks)
{
  guint64 but_four = ts_marks_but_first (ts_marks_but_first (ts_marks_but_first (ts_marks_but_first (marks))));
  guint64 last = ts_marks_but_first (but_four);

  return last != 0 && ts_marks_but_first (last) == 0;
}

/* Numbers */

#define TS_VIS_MAX_TIME 24 /* digits of a time; of regular lines, with the blanks before it */

/* How the 16 bytes look that a time ends with: they become digits by @zeros, of which none may be above its limit. So all
 * but the last eight are as they were, and what is not of the time is anything. */
typedef struct
{
  _Alignas (16) guint8 zeros[16];
  guint8  limits[16];
  guint16 tens[8]; /* of the last eight, 10 and 1 in turn; or 0 for what is not of the time */
} TsVisTime;

#ifdef __SSE2__

/* What the last eight digits are of a time that ends at @end. FALSE: it looks otherwise. */
static TS_ALWAYS_INLINE gboolean
ts_vis_read_time (const TsVisTime *time, const guint8 *end, guint *value)
{
  const __m128i zeros = _mm_load_si128 ((const __m128i *) (gconstpointer) time->zeros);
  const __m128i limits = _mm_load_si128 ((const __m128i *) (gconstpointer) time->limits);
  const __m128i tens = _mm_load_si128 ((const __m128i *) (gconstpointer) time->tens);
  __m128i       digits = _mm_xor_si128 (_mm_loadu_si128 ((const __m128i *) (gconstpointer) (end - 16)), zeros);
  __m128i       twos = _mm_madd_epi16 (_mm_unpackhi_epi8 (digits, _mm_setzero_si128 ()), tens);
  __m128i       fours = _mm_madd_epi16 (_mm_packs_epi32 (twos, twos), _mm_set1_epi32 (1 << 16 | 100));
  __m128i       eights = _mm_madd_epi16 (_mm_packs_epi32 (fours, fours), _mm_set1_epi32 (1 << 16 | 10000));

  *value = (guint) _mm_cvtsi128_si32 (eights);
  return _mm_movemask_epi8 (_mm_cmpeq_epi8 (_mm_min_epu8 (digits, limits), digits)) == 0xffff;
}

#else

static inline gboolean
ts_vis_read_time (const TsVisTime *time, const guint8 *end, guint *value)
{
  gboolean is_good = TRUE;

  *value = 0;
  for (guint i = 0; i < 16; i++)
    {
      const guint digit = end[(gssize) i - 16] ^ time->zeros[i];

      is_good &= digit <= time->limits[i];
      if (i >= 8 && time->tens[i - 8] != 0)
        *value = *value * 10 + digit;
    }
  return is_good;
}

#endif

/* That of times of @n_digits like the one that ends at @end, if the @n bytes up to there, and no other, have to be as these
 * are but for the last eight digits. */
static inline void
ts_vis_learn_time (TsVisTime *time, const guint8 *end, gsize n_digits, gsize n)
{
  for (gsize i = 1; i <= 16; i++)
    {
      const gboolean is_turned = i <= 8 && i <= n_digits;

      time->zeros[16 - i] = is_turned ? '0' : end[-(gssize) i];
      time->limits[16 - i] = is_turned ? 9 : i <= n ? 0 : 0xff;
      if (i <= 8)
        time->tens[8 - i] = !is_turned ? 0 : i % 2 == 0 ? 10 : 1;
    }
}

/* What the eighth digit from behind, and the sixteenth, are carried to. */
#define TS_VIS_WORTH_OF_HIGH 100000000
#define TS_VIS_WORTH_OF_TOP G_GUINT64_CONSTANT (10000000000000000)

/* What is known of loose lines. */
struct _TsVisLoose
{
  TsVisTime time;     /* as it was before, if it has */
  gsize     n_digits; /* as many */
  gint64    worth;    /* of all but the last eight of them */
};

/* The last n of eight bytes, or all of them if n is more. */
static inline guint64
ts_vis_last_bytes (gsize n)
{
  const guint64 all = ~G_GUINT64_CONSTANT (0);

  return n < 8 ? ~(all >> 8 * n) : all;
}

/* One to eight digits, by how many bytes these and the blank before them are: what they are of eight bytes, the blank
 * that is put behind them, and the least that both may be. The last of eight digits is not 0, or else they could be fewer
 * and a blank. Other numbers of digits have none. */
static const struct
{
  guint64 digits, blank, least;
} ts_vis_texts[16] = {
#define NONE { 0, 0, 1 }
#define TEXT(n) { ~G_GUINT64_CONSTANT (0) >> (64 - 8 * (n)), (guint64) ' ' << 8 * (n), 0 }
  NONE, NONE, TEXT (1), TEXT (2), TEXT (3), TEXT (4), TEXT (5), TEXT (6), TEXT (7),
  { ~G_GUINT64_CONSTANT (0), 0, (guint64) 1 << 56 },
  NONE, NONE, NONE, NONE, NONE, NONE
#undef TEXT
#undef NONE
};

/* One or two decimal digits. Where the lower byte of the text is the tens, a blank or a tabulator, and the upper one the
 * units, no two texts get the same place. */
#define TS_VIS_PLACE(text) (guint8) ((guint32) (text) * 0x04500000 >> 24)

static const struct
{
  guint16 text, value;
} ts_vis_numbers[256] = {
  /* the place of two zero bytes, which are no text: that of this one is another */
  [0] = { .text = 1 },
#define NUMBER(tens, text, units)                                                                                      \
  [TS_VIS_PLACE ((text) | ('0' + (units)) << 8)] = { (text) | ('0' + (units)) << 8, 10 * (tens) + (units) }
#define TEN(tens, text)                                                                                                \
  NUMBER (tens, text, 0), NUMBER (tens, text, 1), NUMBER (tens, text, 2), NUMBER (tens, text, 3),                      \
      NUMBER (tens, text, 4), NUMBER (tens, text, 5), NUMBER (tens, text, 6), NUMBER (tens, text, 7),                  \
      NUMBER (tens, text, 8), NUMBER (tens, text, 9)
  TEN (0, ' '), TEN (0, '\t'), TEN (0, '0'), TEN (1, '1'), TEN (2, '2'), TEN (3, '3'), TEN (4, '4'),
  TEN (5, '5'), TEN (6, '6'), TEN (7, '7'), TEN (8, '8'), TEN (9, '9'),
#undef TEN
#undef NUMBER
};

static TS_ALWAYS_INLINE gboolean
ts_vis_read_small (guint text, guint *value)
{
  guint place = TS_VIS_PLACE (text);

  *value = ts_vis_numbers[place].value;
  return ts_vis_numbers[place].text == text;
}

/* Letters have two bits that no digit has both of. */
static TS_ALWAYS_INLINE guint64
ts_vis_upper_case (guint64 text)
{
  return text & ~(text >> 1 & TS_EACH_BYTE (0x20));
}

/* Up to eight digits, with a blank behind them if there are less, without the zeros in front. */
static inline guint64
ts_vis_strip_zeros (guint64 node)
{
  const guint64 last = node >> 56, others = node ^ TS_EACH_BYTE ('0');
  gsize         n = others != 0 ? ts_marks_first (others) / 8 : 7;

  if (n > 0 && (node >> 8 * n & 0xff) == ' ')
    n--;
  node >>= 8 * n;
  /* of eight digits the last one had none */
  return n > 0 && last != 0 && last != ' ' ? node | (guint64) ' ' << 8 * (8 - n) : node;
}

/* What a node is known by, of its digits, unless that is what it has in place of these. */
static TS_ALWAYS_INLINE guint64
ts_vis_node_of (guint64 text)
{
  guint64 node = ts_vis_upper_case (text);

  if (G_UNLIKELY ((text & TS_VIS_LONG) != 0))
    return text;
  return G_LIKELY ((node & 0xff) != '0') ? node : ts_vis_strip_zeros (node);
}

/* Up to eight digits, as they are in memory, with the blank behind them. */
static inline gboolean
ts_vis_read_hex (guint64 text, guint64 *value)
{
  guint64 digits, decimal = text ^ TS_EACH_BYTE ('0');
  guint64 letter = (text | TS_EACH_BYTE (0x20)) ^ TS_EACH_BYTE (0x60); /* 1 to 6 */
  guint64 others = ((decimal + TS_EACH_BYTE (0x76)) | decimal)
                   & (~(letter + TS_EACH_BYTE (0x7f)) | (letter + TS_EACH_BYTE (0x79)) | letter) & TS_EACH_BYTE (0x80);
  gsize   n = others != 0 ? ts_marks_first (others) / 8 : 8;

  if (n == 0 || (n < 8 && text >> 8 * n != ' '))
    return FALSE;
  digits = (text & TS_EACH_BYTE (0x0f)) + 9 * ((text >> 6) & TS_EACH_BYTE (1));
  digits <<= 8 * (8 - n);
  digits = (digits << 4 | digits >> 8) & G_GUINT64_CONSTANT (0x00ff00ff00ff00ff);
  digits = (digits << 8 | digits >> 16) & G_GUINT64_CONSTANT (0x0000ffff0000ffff);
  *value = (digits << 16 | digits >> 32) & 0xffffffff;
  return TRUE;
}

/* The id of what a node is known by. FALSE: it is none. */
static inline gboolean
ts_vis_read_key (guint64 key, guint64 *id)
{
  *id = key & ~TS_VIS_LONG;
  return (key & TS_VIS_LONG) != 0 || ts_vis_read_hex (key, id);
}

/* Up to eight digits as they are in memory, and a blank behind them, as they end at @end. */
static TS_ALWAYS_INLINE guint64
ts_vis_load_digits (const guint8 *end, gsize n)
{
  return (ts_eight_load (end - n) & ts_vis_texts[n + 1].digits) | ts_vis_texts[n + 1].blank;
}

/* Of a hexadecimal number: those that are its text, and all that it may have. */
#define TS_VIS_FEW_DIGITS 8
#define TS_VIS_MOST_DIGITS 16

/* What the nine to sixteen digits up to @end are worth. FALSE: they are none. */
static inline gboolean
ts_vis_read_long (const guint8 *end, gsize n, guint64 *value)
{
  const guint64 text = ts_eight_load (end - 8);
  guint64       high, low;

  if (text >> 56 <= ' ' || !ts_vis_read_hex (ts_vis_load_digits (end - 8, n - 8), &high) || !ts_vis_read_hex (text, &low))
    return FALSE;
  *value = high << 32 | low;
  return TRUE;
}

G_END_DECLS
