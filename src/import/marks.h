/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include <glib.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

G_BEGIN_DECLS

#define TS_MARKS_BLOCK 64

static inline gsize
ts_marks_first (guint64 marks)
{
  return (guint) __builtin_ctzll (marks);
}

static inline gsize
ts_marks_last (guint64 marks)
{
  return 63 - (guint) __builtin_clzll (marks);
}

static inline guint64
ts_marks_but_first (guint64 marks)
{
  return marks & (marks - 1);
}

/* Those of @blanks that are not directly, or behind others, behind one of @limits. *behind_limit tells of the first byte
 * whether there is one before it, and then of the first one of the next block. */
static inline guint64
ts_marks_not_behind (guint64 blanks, guint64 limits, guint64 *behind_limit)
{
  const guint64 starts = limits << 1 | *behind_limit;
  guint64       sum;

  /* a sum goes on through all blanks behind a limit */
  *behind_limit = limits >> (TS_MARKS_BLOCK - 1);
  *behind_limit |= __builtin_add_overflow (starts & blanks, blanks, &sum);
  return blanks & sum;
}

/* Whether all of @blanks are in front of one of @limits, or of others that are, in this block. */
static inline gboolean
ts_marks_are_before (guint64 blanks, guint64 limits)
{
  guint64 behind;

  return !__builtin_add_overflow (blanks, blanks & ~(blanks << 1), &behind) && (behind & ~limits) == 0;
}

/* Those of @blanks that are in front of a limit, or of others that are: @last are the bytes in front of limits. It takes much
 * more than to ask whether all are. */
static inline guint64
ts_marks_before (guint64 blanks, guint64 last)
{
  guint64 found = blanks & last;

  found |= blanks & found >> 1;
  blanks &= blanks >> 1;
  found |= blanks & found >> 2;
  blanks &= blanks >> 2;
  found |= blanks & found >> 4;
  blanks &= blanks >> 4;
  found |= blanks & found >> 8;
  blanks &= blanks >> 8;
  found |= blanks & found >> 16;
  blanks &= blanks >> 16;
  return found | (blanks & found >> 32);
}

/* Where @a or @b, or a digit, is among the TS_MARKS_BLOCK bytes at @p: a bit for each. */
#ifdef __SSE2__

static inline guint64
ts_marks_find_in (const char *p, __m128i all_a, __m128i all_b)
{
  __m128i bytes = _mm_loadu_si128 ((const __m128i *) (gconstpointer) p);

  return (guint) _mm_movemask_epi8 (_mm_or_si128 (_mm_cmpeq_epi8 (bytes, all_a), _mm_cmpeq_epi8 (bytes, all_b)));
}

static inline guint64
ts_marks_find (const char *p, char a, char b)
{
  const __m128i all_a = _mm_set1_epi8 (a), all_b = _mm_set1_epi8 (b);

  return ts_marks_find_in (p, all_a, all_b) | ts_marks_find_in (p + 16, all_a, all_b) << 16
         | ts_marks_find_in (p + 32, all_a, all_b) << 32 | ts_marks_find_in (p + 48, all_a, all_b) << 48;
}

static inline guint64
ts_marks_find_digits_in (const char *p)
{
  __m128i bytes = _mm_loadu_si128 ((const __m128i *) (gconstpointer) p);

  /* the digits become the largest numbers with a sign */
  return (guint) _mm_movemask_epi8 (_mm_cmpgt_epi8 (_mm_add_epi8 (bytes, _mm_set1_epi8 (0x7f - '9')), _mm_set1_epi8 (0x7f - 10)));
}

static inline guint64
ts_marks_find_digits (const char *p)
{
  return ts_marks_find_digits_in (p) | ts_marks_find_digits_in (p + 16) << 16 | ts_marks_find_digits_in (p + 32) << 32
         | ts_marks_find_digits_in (p + 48) << 48;
}

#else

/* The highest bits of eight bytes. */
static inline guint64
ts_marks_gather (guint64 bytes)
{
  return ((bytes >> 7 & G_GUINT64_CONSTANT (0x0101010101010101)) * G_GUINT64_CONSTANT (0x0102040810204080)) >> 56;
}

/* A bit for each of eight bytes that is @c; exact, for no carry leaves its byte. */
static inline guint64
ts_marks_find_byte (guint64 bytes, char c)
{
  const guint64 low = G_GUINT64_CONSTANT (0x7f7f7f7f7f7f7f7f);
  guint64       x = bytes ^ (G_GUINT64_CONSTANT (0x0101010101010101) * (guint8) c);

  return ts_marks_gather (~(((x & low) + low) | x | low));
}

static inline guint64
ts_marks_find (const char *p, char a, char b)
{
  guint64 found = 0;

  for (guint i = 0; i < TS_MARKS_BLOCK; i += 8)
    {
      guint64 bytes;

      memcpy (&bytes, p + i, 8);
      bytes = GUINT64_FROM_LE (bytes);
      found |= (ts_marks_find_byte (bytes, a) | ts_marks_find_byte (bytes, b)) << i;
    }
  return found;
}

static inline guint64
ts_marks_find_digits (const char *p)
{
  const guint64 low = G_GUINT64_CONSTANT (0x7f7f7f7f7f7f7f7f);
  guint64       found = 0;

  for (guint i = 0; i < TS_MARKS_BLOCK; i += 8)
    {
      guint64 bytes;

      memcpy (&bytes, p + i, 8);
      bytes = GUINT64_FROM_LE (bytes) ^ G_GUINT64_CONSTANT (0x3030303030303030);
      /* what is above 9 gets its highest bit */
      found |= ts_marks_gather (~(((bytes & low) + G_GUINT64_CONSTANT (0x7676767676767676)) | bytes)) << i;
    }
  return found;
}

#endif

G_END_DECLS
