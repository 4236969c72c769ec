/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/instance.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "model/inline.h"

G_BEGIN_DECLS

/* What a summary shows of an element: numbers, sums and extremes of its metrics, but no samples, no squares, and where
 * it was only of the greatest GET and RT. Of an element that is nested in another all that an instance changes is one
 * line of the cache, of any other two, and nothing in them is waited for: so with thousands of elements, whose lines
 * come from far, an instance is added at once. This is only for what is usual and small; all else takes the way of
 * those whose samples are kept. */

/* Below this a value is small. */
#define TS_TALLY_BITS 30

/* A sum has the number of its values above it: of so many the sum is not more than what is below the number. */
#define TS_TALLY_SHIFT 44
#define TS_TALLY_ONE (G_GUINT64_CONSTANT (1) << TS_TALLY_SHIFT)
#define TS_TALLY_FULL (((TS_TALLY_ONE >> TS_TALLY_BITS) - 2) << TS_TALLY_SHIFT)

/* Extremes are numbers that only grow from 0, which none has that is of a value. */
#define TS_TALLY_LEAST(value) ((1 << TS_TALLY_BITS) - (gint32) (value))
#define TS_TALLY_GREATEST(value) ((gint32) (value) + 1)

/* Two metrics that nearly always come together. */
typedef struct
{
  guint64 sums[2];
  gint32  least[2], greatest[2];
} TsTallyPair;

/* One that has a number of its own. */
typedef struct
{
  guint64 sum;
  gint32  least, greatest;
} TsTallyOne;

typedef struct
{
  gint64 at, number;
} TsTallyPlace;

enum
{
  TS_TALLY_CET_GET,
  TS_TALLY_DT_E2S,
  TS_TALLY_IPT_RT,
  TS_TALLY_PER_ST,
  TS_TALLY_PAIRS
};

enum
{
  TS_TALLY_PRE,
  TS_TALLY_WAIT,
  TS_TALLY_ONES
};

enum
{
  TS_TALLY_WORST_GET,
  TS_TALLY_WORST_RT,
  TS_TALLY_PLACES
};

typedef struct
{
  TsTallyPair  pairs[TS_TALLY_PAIRS];
  TsTallyPlace worst[TS_TALLY_PLACES]; /* the greatest ones */
  TsTallyOne   ones[TS_TALLY_ONES];
} TsTally;

#define TS_TALLY_LINE 64

G_STATIC_ASSERT (sizeof (TsTally) == 3 * TS_TALLY_LINE);

typedef struct
{
  TsTally    *rows;    /* of each element, in whole lines of the cache; or NULL */
  gpointer    memory;  /* of which they are */
  guint       n_room;  /* rows that there is room for */
  GArray     *used;    /* of guint32: elements that have something, some of them more than once */
  TsInstance *waiting; /* NULL: there are not many elements */
  guint       n_waiting;
} TsTallies;

/* For what was written a moment ago: a compiler that reads it together with its neighbour, to save an instruction, lets
 * the processor wait until both writes have reached the cache. */
static inline gint64
ts_just_written (const volatile gint64 *time)
{
  return *time;
}

static TS_ALWAYS_INLINE void
ts_tally_add_pair (TsTallyPair *pair, guint64 first, guint64 second)
{
#ifdef __SSE2__
  const __m128i one = _mm_set1_epi64x ((gint64) TS_TALLY_ONE), high = _mm_set_epi32 (0, 0, -1, -1);
  const __m128i from = _mm_set_epi32 (1, 1, TS_TALLY_LEAST (-1), TS_TALLY_LEAST (-1));
  __m128i       values = _mm_set_epi64x ((gint64) second, (gint64) first);
  __m128i      *sums = (__m128i *) (gpointer) pair->sums, *extremes = (__m128i *) (gpointer) pair->least;
  /* ~x is -1 - x */
  __m128i both = _mm_shuffle_epi32 (values, _MM_SHUFFLE (2, 0, 2, 0));
  __m128i new = _mm_add_epi32 (_mm_xor_si128 (both, high), from);
  __m128i old = _mm_load_si128 (extremes);
  __m128i grows = _mm_cmpgt_epi32 (new, old);

  _mm_store_si128 (sums, _mm_add_epi64 (_mm_load_si128 (sums), _mm_add_epi64 (values, one)));
  _mm_store_si128 (extremes, _mm_or_si128 (_mm_and_si128 (grows, new), _mm_andnot_si128 (grows, old)));
#else
  pair->sums[0] += TS_TALLY_ONE + first;
  pair->sums[1] += TS_TALLY_ONE + second;
  pair->least[0] = MAX (pair->least[0], TS_TALLY_LEAST (first));
  pair->least[1] = MAX (pair->least[1], TS_TALLY_LEAST (second));
  pair->greatest[0] = MAX (pair->greatest[0], TS_TALLY_GREATEST (first));
  pair->greatest[1] = MAX (pair->greatest[1], TS_TALLY_GREATEST (second));
#endif
}

/* Before @value is added: where it is, if it is the greatest so far. Of equal ones the first in time, and then that
 * with the lowest number. */
static TS_ALWAYS_INLINE void
ts_tally_note (TsTallyPlace *place, gint32 greatest, guint64 value, gint64 at, gint64 number)
{
  if (G_LIKELY (TS_TALLY_GREATEST (value) < greatest))
    return;
  if (TS_TALLY_GREATEST (value) > greatest || at < place->at || (at == place->at && number < place->number))
    *place = (TsTallyPlace){ at, number };
}

/* FALSE: this one is not usual, or not small, and nothing was added. */
static TS_ALWAYS_INLINE gboolean
ts_tally_add_instance (TsTally *tally, const TsInstance *instance)
{
  const guint needed = TS_INSTANCE_IN_WINDOW | TS_INSTANCE_HAS_START | TS_INSTANCE_HAS_END;
  const guint deltas = TS_INSTANCE_HAS_DT | TS_INSTANCE_HAS_E2S;
  const guint periods = TS_INSTANCE_COUNTS_PER | TS_INSTANCE_COUNTS_ST;
  guint       flags = instance->flags, n_deltas = flags & deltas, n_periods = flags & periods;
  gint64      start = instance->start, end = instance->end, activation = instance->activation;
  guint64     gross = (guint64) end - (guint64) start, running = (guint64) ts_just_written (&instance->running);
  guint64     dt = (guint64) instance->dt, e2s = (guint64) instance->e2s;
  guint64     small = gross | running;

  if (n_deltas == deltas)
    small |= dt | e2s;
  if (G_UNLIKELY ((flags & (needed | TS_INSTANCE_NO_CET)) != needed || (n_deltas != deltas && n_deltas != 0)
                  || small >> TS_TALLY_BITS != 0))
    return FALSE;
  if (flags & TS_INSTANCE_HAS_ACTIVATION)
    {
      guint64 pending = (guint64) start - (guint64) activation, response = (guint64) end - (guint64) activation;
      guint64 per = (guint64) instance->per, st = (guint64) instance->st;

      small = pending | response;
      if (n_periods == periods)
        small |= per | st;
      if (G_UNLIKELY ((n_periods != periods && n_periods != 0) || small >> TS_TALLY_BITS != 0))
        return FALSE;
      ts_tally_note (&tally->worst[TS_TALLY_WORST_RT], tally->pairs[TS_TALLY_IPT_RT].greatest[1], response, start,
                     instance->number);
      ts_tally_add_pair (&tally->pairs[TS_TALLY_IPT_RT], pending, response);
      if (n_periods)
        ts_tally_add_pair (&tally->pairs[TS_TALLY_PER_ST], per, st);
    }
  ts_tally_note (&tally->worst[TS_TALLY_WORST_GET], tally->pairs[TS_TALLY_CET_GET].greatest[1], gross, start,
                 instance->number);
  ts_tally_add_pair (&tally->pairs[TS_TALLY_CET_GET], running, gross);
  if (n_deltas)
    ts_tally_add_pair (&tally->pairs[TS_TALLY_DT_E2S], dt, e2s);
  return TRUE;
}

/* The same of an interval. */
static TS_ALWAYS_INLINE gboolean
ts_tally_add_interval (TsTallyOne *one, guint64 value)
{
  if (G_UNLIKELY (value >> TS_TALLY_BITS != 0))
    return FALSE;
  one->sum += TS_TALLY_ONE + value;
  one->least = MAX (one->least, TS_TALLY_LEAST (value));
  one->greatest = MAX (one->greatest, TS_TALLY_GREATEST (value));
  return TRUE;
}

G_END_DECLS
