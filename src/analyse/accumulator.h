/* SPDX-License-Identifier: MIT */
#pragma once

#include "analyse/histogram.h"
#include "analyse/samples.h"

G_BEGIN_DECLS

TsAccumulator *ts_accumulator_copy (const TsAccumulator *accumulator);

/* An accumulator that was written as its @facts (n, extremes, sums) and its samples or, where they are not
 * @is_exact, the middles of its buckets. */
TsAccumulator *ts_accumulator_restore (const TsAccumulator *facts, const GArray *buckets, gboolean is_exact,
                                       gboolean keep_all);

/* Where samples were seen: of the first instance, that of the next being @stride further on. */
typedef struct
{
  const gint64 *numbers, *times;
  gsize         stride;
  gint64        not_before; /* none of the times is */
} TsSamplePlaces;

/* What is counted at a time: of one metric of one element. */
typedef struct
{
  guint                 n;
  const gint64         *values;
  const TsSamplePlaces *places;
  const guint8         *which; /* place of each; NULL: in turn */
} TsSampleBatch;

/* A batch has no more. */
#define TS_BATCH_SAMPLES 128

/* ts_accumulator_add() for all of @batch. This is where the samples of a long trace go. */
void ts_accumulator_take (TsAccumulator *accumulator, const TsSampleBatch *batch, guint32 section);

G_END_DECLS
