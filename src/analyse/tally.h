/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/instance.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "model/inline.h"
#include "model/pages.h"

G_BEGIN_DECLS

/* What a summary shows of an element: numbers, sums and extremes of its metrics, but no samples, no squares, and where
 * it was only of the greatest GET and RT. Of an element that is nested in another all that an instance changes is one
 * line of the cache, of any other two, and nothing in them is waited for: so with thousands of elements, whose lines
 * come from far, an instance is added at once. This is only for what is usual and small. What is
 * larger has a wide tally, of twice as many lines, and all else takes the way of those whose samples are kept. */

/* A value is small from 0 on, or, where it may be negative, from -TS_TALLY_LOWEST on, and below 2^TS_TALLY_BITS. */
#define TS_TALLY_BITS 30
#define TS_TALLY_BELOW (G_GUINT64_CONSTANT (1) << TS_TALLY_BITS)
#define TS_TALLY_LOWEST (TS_TALLY_BELOW - (1 << 25))

/* A sum, which may be negative, has the number of its values above it: of so many it is less than half of one of these.
 * Where instances and intervals add to the same, either can be seen to be full only by what it adds itself. */
#define TS_TALLY_SHIFT 47
#define TS_TALLY_ONE (G_GUINT64_CONSTANT (1) << TS_TALLY_SHIFT)
#define TS_TALLY_MOST (TS_TALLY_ONE / 2 >> TS_TALLY_BITS)
#define TS_TALLY_FULL ((TS_TALLY_MOST / 2 - 4) << TS_TALLY_SHIFT)

G_STATIC_ASSERT (TS_TALLY_MOST <= (G_MAXUINT64 >> TS_TALLY_SHIFT));

/* Extremes are numbers that only grow from 0, than which none is less that is of a value. These are from 2^24 to below
 * 2^31 - 2^24, so that as bits of a float they are normal ones, of the same order: SSE2 has no maximum of 32 bits, but
 * one of floats. */
#define TS_TALLY_BIAS ((1 << TS_TALLY_BITS) - (1 << 24))
#define TS_TALLY_GREATEST(value) ((gint32) ((guint64) (value) + TS_TALLY_BIAS))
#define TS_TALLY_LEAST(value) (TS_TALLY_GREATEST (value) ^ G_MAXINT32)

/* Two metrics that mostly come together. */
typedef struct
{
  guint64 sums[2];
  gint32  least[2], greatest[2];
} TsTallyPair;

typedef struct
{
  gint64  at, number;
  guint32 section;
} TsTallyPlace;

enum
{
  TS_TALLY_CET_GET,
  TS_TALLY_DT_E2S,
  TS_TALLY_IPT_RT,
  TS_TALLY_PER_ST,
  TS_TALLY_PRE_WAIT,
  TS_TALLY_POLL_AGE,
  TS_TALLY_PAIRS
};

typedef struct
{
  TsTallyPair pairs[TS_TALLY_PAIRS];
} TsTally;

G_STATIC_ASSERT (sizeof (TsTally) == 3 * TS_CACHE_LINE);

/* Where the greatest are: seldom written. */
typedef struct
{
  TsTallyPlace get, rt;
} TsTallyWorst;

/* A wide tally has what lies from -TS_TALLY_WIDE_BELOW to below that; so many can be added of it. */
#define TS_TALLY_WIDE_BITS 48
#define TS_TALLY_WIDE_BELOW (G_GINT64_CONSTANT (1) << TS_TALLY_WIDE_BITS)
#define TS_TALLY_WIDE_FULL (1 << 13)

/* Of instances, and as many of intervals, and one more of each. */
G_STATIC_ASSERT (2 * (TS_TALLY_WIDE_FULL + 1) < (G_MAXINT64 >> TS_TALLY_WIDE_BITS));

typedef struct
{
  guint64 n;
  gint64  sum;
  gint64  least, greatest; /* grow from 0, too: TS_TALLY_WIDE_BELOW less the value, and with it */
} TsTallyWideOne;

typedef struct
{
  TsTallyWideOne pairs[TS_TALLY_PAIRS][2];
  TsTallyWorst   worst;
  guint64        unused[2];
} TsTallyWide;

G_STATIC_ASSERT (sizeof (TsTallyWide) == 7 * TS_CACHE_LINE);

typedef struct
{
  TsTally      *rows;   /* of each element, in whole lines of the cache; or NULL */
  TsTallyWorst *worst;  /* of each element */
  gpointer      memory; /* of which the rows are */
  guint         n_room; /* rows that there is room for */
  GArray       *used;   /* of guint32: elements that have something, some of them more than once */
  TsTallyWide  *wide;   /* of the first elements, in whole lines; or NULL */
  gpointer      wide_memory;
  guint         n_wide;
  GArray       *used_wide; /* as `used': most wide rows are never touched, and take no memory */
  TsInstance   *waiting;   /* NULL: there are not many elements */
  guint         n_waiting;
} TsTallies;

/* For what was written a moment ago: a compiler that reads it together with its neighbour, to save an instruction, lets
 * the processor wait until both writes have reached the cache. */
static inline gint64
ts_just_written (const volatile gint64 *time)
{
  return *time;
}

#define TS_TALLY_NEITHER { 0, 0 }
#define TS_TALLY_FIRST { G_MAXUINT64, 0 }
#define TS_TALLY_SECOND { 0, G_MAXUINT64 }
#define TS_TALLY_BOTH { G_MAXUINT64, G_MAXUINT64 }

/* All bits of those of a pair that there are. */
static const guint64 ts_tally_present[4][2] = { TS_TALLY_NEITHER, TS_TALLY_FIRST, TS_TALLY_SECOND, TS_TALLY_BOTH };

/* Where an interval goes. */
static const struct
{
  guint64 present[2];
  gsize   pair, which;
} ts_tally_seats[TS_N_INTERVALS] = {
  [TS_INTERVAL_DT] = { TS_TALLY_FIRST, TS_TALLY_DT_E2S, 0 },
  [TS_INTERVAL_PER] = { TS_TALLY_FIRST, TS_TALLY_PER_ST, 0 },
  [TS_INTERVAL_ST] = { TS_TALLY_SECOND, TS_TALLY_PER_ST, 1 },
  [TS_INTERVAL_E2S] = { TS_TALLY_SECOND, TS_TALLY_DT_E2S, 1 },
  [TS_INTERVAL_PRE] = { TS_TALLY_FIRST, TS_TALLY_PRE_WAIT, 0 },
  [TS_INTERVAL_WAIT] = { TS_TALLY_SECOND, TS_TALLY_PRE_WAIT, 1 },
  [TS_INTERVAL_POLL] = { TS_TALLY_FIRST, TS_TALLY_POLL_AGE, 0 },
  [TS_INTERVAL_AGE] = { TS_TALLY_SECOND, TS_TALLY_POLL_AGE, 1 },
};

/* A value that is not @present is 0. */
static TS_ALWAYS_INLINE void
ts_tally_add_pair (TsTallyPair *pair, guint64 first, guint64 second, const guint64 present[2])
{
#ifdef __SSE2__
  const __m128i one = _mm_set1_epi64x ((gint64) TS_TALLY_ONE), bias = _mm_set1_epi32 (TS_TALLY_BIAS);
  const __m128i of_least = _mm_set_epi32 (0, 0, G_MAXINT32, G_MAXINT32);
  __m128i       there = _mm_loadu_si128 ((const __m128i *) (gconstpointer) present);
  __m128i       values = _mm_set_epi64x ((gint64) second, (gint64) first);
  __m128i       both = _mm_shuffle_epi32 (values, _MM_SHUFFLE (2, 0, 2, 0));
  __m128i       each = _mm_shuffle_epi32 (there, _MM_SHUFFLE (2, 0, 2, 0));
  __m128i       new = _mm_and_si128 (_mm_xor_si128 (_mm_add_epi32 (both, bias), of_least), each);
  __m128i      *sums = (__m128i *) (gpointer) pair->sums;
  float        *extremes = (float *) (gpointer) pair->least;

  _mm_store_si128 (sums, _mm_add_epi64 (_mm_load_si128 (sums), _mm_add_epi64 (values, _mm_and_si128 (one, there))));
  _mm_store_ps (extremes, _mm_max_ps (_mm_castsi128_ps (new), _mm_load_ps (extremes)));
#else
  const guint64 values[2] = { first, second };

  for (guint i = 0; i < 2; i++)
    if (present[i])
      {
        pair->sums[i] += TS_TALLY_ONE + values[i];
        pair->least[i] = MAX (pair->least[i], TS_TALLY_LEAST (values[i]));
        pair->greatest[i] = MAX (pair->greatest[i], TS_TALLY_GREATEST (values[i]));
      }
#endif
}

static TS_ALWAYS_INLINE gboolean
ts_tally_is_small (guint64 value)
{
  return value + TS_TALLY_LOWEST < TS_TALLY_BELOW + TS_TALLY_LOWEST;
}

G_STATIC_ASSERT (TS_INSTANCE_COUNTS_ST == 2 * TS_INSTANCE_COUNTS_PER);

/* What an instance adds. */
typedef struct
{
  guint64        gross, running, dt, e2s;
  guint64        pending, response, per, st;
  const guint64 *deltas, *periods; /* which of DT and E2S, and of PER and ST, there are */
} TsTallyValues;

/* FALSE: this one is not usual. @activated is TS_INSTANCE_HAS_ACTIVATION of it: without, it has no periods, and none of
 * what is in their line. */
static TS_ALWAYS_INLINE gboolean
ts_tally_get_values (TsTallyValues *values, const TsInstance *instance, gboolean activated)
{
  const guint needed = TS_INSTANCE_IN_WINDOW | TS_INSTANCE_HAS_START | TS_INSTANCE_HAS_END;
  const guint both = TS_INSTANCE_HAS_DT | TS_INSTANCE_HAS_E2S;
  guint       flags = instance->flags;
  guint64     start = (guint64) instance->start, end = (guint64) instance->end;
  guint64     activation = (guint64) instance->activation;

  if (G_UNLIKELY ((flags & (needed | TS_INSTANCE_NO_CET)) != needed))
    return FALSE;
  *values = (TsTallyValues){ .gross = end - start };
  values->running = (guint64) ts_just_written (&instance->running);
  values->dt = (guint64) ts_just_written (&instance->dt);
  values->e2s = (guint64) ts_just_written (&instance->e2s);
  values->deltas = ts_tally_present[3];
  if (G_UNLIKELY ((flags & both) != both))
    {
      values->deltas = ts_tally_present[(flags / TS_INSTANCE_HAS_DT & 1) | (flags / TS_INSTANCE_HAS_E2S & 1) << 1];
      values->dt &= values->deltas[0];
      values->e2s &= values->deltas[1];
    }
  if (activated)
    {
      values->periods = ts_tally_present[flags / TS_INSTANCE_COUNTS_PER & 3];
      values->pending = start - activation;
      values->response = end - activation;
      values->per = (guint64) instance->per & values->periods[0];
      values->st = (guint64) instance->st & values->periods[1];
    }
  return TRUE;
}

static TS_ALWAYS_INLINE gboolean
ts_tally_are_small (const TsTallyValues *values, gboolean activated)
{
  guint64 positive = values->gross | values->running | values->dt;

  if (activated)
    positive |= values->pending | values->response | values->per;
  return positive >> TS_TALLY_BITS == 0 && ts_tally_is_small (values->e2s)
         && (!activated || ts_tally_is_small (values->st));
}

static TS_ALWAYS_INLINE void
ts_tally_add_values (TsTally *tally, const TsTallyValues *values, gboolean activated)
{
  ts_tally_add_pair (&tally->pairs[TS_TALLY_CET_GET], values->running, values->gross, ts_tally_present[3]);
  ts_tally_add_pair (&tally->pairs[TS_TALLY_DT_E2S], values->dt, values->e2s, values->deltas);
  if (!activated)
    return;
  ts_tally_add_pair (&tally->pairs[TS_TALLY_IPT_RT], values->pending, values->response, ts_tally_present[3]);
  ts_tally_add_pair (&tally->pairs[TS_TALLY_PER_ST], values->per, values->st, values->periods);
}

/* What belongs to one of a pair, as @present says. FALSE: it is not small. It is not written alone: whoever reads both
 * together would wait until that has reached the cache. */
static TS_ALWAYS_INLINE gboolean
ts_tally_add_interval (TsTallyPair *pair, guint64 value, const guint64 present[2])
{
  if (G_UNLIKELY (!ts_tally_is_small (value)))
    return FALSE;
  ts_tally_add_pair (pair, value & present[0], value & present[1], present);
  return TRUE;
}

G_END_DECLS
