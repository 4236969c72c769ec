/* SPDX-License-Identifier: MIT */
#pragma once

#include "analyse/histogram.h"
#include "analyse/samples.h"
#include "model/inline.h"

G_BEGIN_DECLS

/* As ts_accumulator_new(), in memory of @arena: what is not a histogram is given back with that. NULL: as there.
 * @no_samples: it knows whether percentiles would be exact, but none of them. */
TsAccumulator *ts_accumulator_new_in (TsArena *arena, gboolean keep_all, gboolean no_samples);
TsAccumulator *ts_accumulator_copy (TsArena *arena, const TsAccumulator *accumulator);

/* Beyond so many the samples of a report go into a histogram, whatever was asked for: a few bytes of a file could claim any
 * number of them. */
#define TS_MOST_RESTORED (1 << 24)

/* An accumulator that was written as its @facts (n, extremes, sums) and its samples or, where they are not
 * @is_exact, the middles of its buckets. */
TsAccumulator *ts_accumulator_restore (const TsAccumulator *facts, const GArray *buckets, gboolean is_exact,
                                       gboolean keep_all);

/* From @from on, as far as TsSamplePlaces.order tells, samples are of a section; these ascend. */
typedef struct
{
  guint32 from;
  guint32 section;
} TsSampleSection;

/* Where samples were seen. */
typedef struct
{
  const gint64          *numbers, *times;
  const guint32         *order; /* of each instance, how far on its number and its time are; NULL: 1 further each time */
  gint64                 not_before; /* none of the times is; of several sections, of no time */
  const TsSampleSection *sections;
  guint                  n_sections; /* at least 1 */
} TsSamplePlaces;

/* What is counted at a time: of one metric of one element. */
typedef struct
{
  guint                 n;
  const gint64         *values;
  const TsSamplePlaces *places;
  const guint8         *which; /* instance that each is of; NULL: in turn */
} TsSampleBatch;

/* A batch has no more. */
#define TS_BATCH_SAMPLES 128

#define TS_ACCUMULATOR_LINES 3 /* of the cache, with what is known of its samples */

/* Of what ts_accumulator_new_in() gave, fetches what does not depend on anything in it: without samples the last line is
 * looked at once at the most ... */
static TS_ALWAYS_INLINE void
ts_accumulator_prefetch (const TsAccumulator *accumulator, gboolean no_samples)
{
  const char *bytes = (const char *) accumulator;

  __builtin_prefetch (bytes, 1);
  __builtin_prefetch (bytes + TS_ARENA_LINE, 1);
  if (!no_samples)
    __builtin_prefetch (bytes + 2 * TS_ARENA_LINE, 1);
}

/* ... and later where the next samples go to. */
static TS_ALWAYS_INLINE void
ts_accumulator_prefetch_end (const TsAccumulator *accumulator)
{
  const TsSamples *samples = accumulator->samples;

  if (samples != NULL)
    __builtin_prefetch (samples->end, 1);
}

/* ts_accumulator_add() for all of @batch. This is where the samples of a long trace go. */
void ts_accumulator_take (TsAccumulator *accumulator, const TsSampleBatch *batch);
/* Adds @value, which is there already, @n times more. */
void ts_accumulator_repeat (TsAccumulator *accumulator, gint64 value, guint32 n);

/* What is known of many samples where they themselves are not. */
typedef struct
{
  guint64   n; /* not 0 */
  TsInt128  sum;
  TsExtreme min, max; /* section 0: their places are not known */
} TsSummary;

/* Adds them to what keeps no samples, and from now on has no squares. */
void ts_accumulator_take_summary (TsAccumulator *accumulator, const TsSummary *summary);

G_END_DECLS
