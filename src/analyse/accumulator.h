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

/* What is gathered before it is counted: of one metric of one element, in the order in which it came. */
#define TS_BATCH_SAMPLES 32

typedef struct
{
  gint64 number, at; /* of the instance */
} TsSamplePlace;

typedef struct
{
  guint                n;
  gint64               values[TS_BATCH_SAMPLES];
  const TsSamplePlace *places[TS_BATCH_SAMPLES]; /* lent */
} TsSampleBatch;

/* ts_accumulator_add() for all of @batch. This is where the samples of a long trace go. */
void ts_accumulator_take (TsAccumulator *accumulator, const TsSampleBatch *batch, guint32 section);

G_END_DECLS
