/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

G_BEGIN_DECLS

/* What is needed of many values, in one walk: this is done with every sample of a trace. */

/* The sum of so many values from 0 to below this fits in 64 bits, and so does that of their squares. */
#define TS_SUMS_SMALL (G_GUINT64_CONSTANT (1) << 28)
#define TS_SUMS_MAX_VALUES 128

typedef struct
{
  guint64 min, max, sum, squares;
  guint64 bits; /* that any value has */
} TsSums;

static inline void
ts_sums_add (TsSums *sums, guint64 value)
{
  sums->min = MIN (sums->min, value);
  sums->max = MAX (sums->max, value);
  sums->sum += value;
  sums->squares += value * value;
  sums->bits |= value;
}

#ifdef __SSE2__

/* SSE2 does not compare 64 bits, but it does compare doubles: a small number with the bits of 2.0 above it is a
 * double from 2 to below 4, and the greater the greater the number is. */
#define TS_SUMS_TWO (G_GUINT64_CONSTANT (1) << 62)

typedef struct
{
  __m128i sum, squares, bits;
  __m128d min, max;
} TsSumsPair;

static inline void
ts_sums_add_pair (TsSumsPair *pair, const gint64 *values, __m128i base)
{
  __m128i numbers = _mm_sub_epi64 (_mm_loadu_si128 ((const __m128i *) (gconstpointer) values), base);

  pair->min = _mm_min_pd (pair->min, _mm_castsi128_pd (numbers));
  pair->max = _mm_max_pd (pair->max, _mm_castsi128_pd (numbers));
  pair->sum = _mm_add_epi64 (pair->sum, numbers);
  pair->bits = _mm_or_si128 (pair->bits, numbers);
  pair->squares = _mm_add_epi64 (pair->squares, _mm_mul_epu32 (numbers, numbers));
}

static inline guint64
ts_sums_lane (__m128i pair, guint i)
{
  guint64 lanes[2];

  _mm_storeu_si128 ((__m128i *) (gpointer) lanes, pair);
  return lanes[i];
}

/* Of @n / 2 pairs, of which there is at least one. Where not all is small, `bits' says so: either a number has other
 * high bits than 2.0, or none, and then the least one has none. */
static inline TsSums
ts_sums_of_pairs (const gint64 *values, guint n, gint64 base)
{
  const __m128i bases = _mm_set1_epi64x ((gint64) ((guint64) base - TS_SUMS_TWO)), none = _mm_setzero_si128 ();
  const __m128d first = _mm_castsi128_pd (
      _mm_sub_epi64 (_mm_loadu_si128 ((const __m128i *) (gconstpointer) values), bases));
  TsSumsPair    pair = { none, none, none, first, first };
  guint         i = 0;
  guint64       min, max;

  for (; i + 4 <= n; i += 4)
    {
      ts_sums_add_pair (&pair, values + i, bases);
      ts_sums_add_pair (&pair, values + i + 2, bases);
    }
  if (i + 2 <= n)
    {
      ts_sums_add_pair (&pair, values + i, bases);
      i += 2;
    }
  pair.min = _mm_min_sd (pair.min, _mm_unpackhi_pd (pair.min, pair.min));
  pair.max = _mm_max_sd (pair.max, _mm_unpackhi_pd (pair.max, pair.max));
  min = ts_sums_lane (_mm_castpd_si128 (pair.min), 0);
  max = ts_sums_lane (_mm_castpd_si128 (pair.max), 0);
  return (TsSums){ min - TS_SUMS_TWO, max - TS_SUMS_TWO,
                   ts_sums_lane (pair.sum, 0) + ts_sums_lane (pair.sum, 1) - i * TS_SUMS_TWO,
                   ts_sums_lane (pair.squares, 0) + ts_sums_lane (pair.squares, 1),
                   ((ts_sums_lane (pair.bits, 0) | ts_sums_lane (pair.bits, 1)) ^ TS_SUMS_TWO) | (min ^ TS_SUMS_TWO) };
}

#endif

/* Of how much each of the @n @values is above @base. FALSE: not all of that is small, and the sums mean nothing. */
static inline gboolean
ts_sums_of (TsSums *sums, const gint64 *values, guint n, gint64 base)
{
  guint i = 0;

  *sums = (TsSums){ .min = G_MAXUINT64 };
#ifdef __SSE2__
  if (n >= 2)
    {
      *sums = ts_sums_of_pairs (values, n, base);
      i = n & ~1u;
    }
#endif
  for (; i < n; i++)
    ts_sums_add (sums, (guint64) values[i] - (guint64) base);
  return sums->bits < TS_SUMS_SMALL;
}

G_END_DECLS
