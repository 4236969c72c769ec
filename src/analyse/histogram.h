/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/statistics.h>

G_BEGIN_DECLS

/* Counts of values in buckets whose width grows with the value: TS_HISTOGRAM_BUCKETS an
 * octave, so that the middle of a bucket is within 1/256 of every value in it; values
 * below 256 have buckets of their own. Octaves are allocated when a value falls into them. */

TsHistogram *ts_histogram_new (void);
void         ts_histogram_free (TsHistogram *histogram);
void         ts_histogram_add (TsHistogram *histogram, gint64 value, guint64 count);
void         ts_histogram_merge (TsHistogram *histogram, const TsHistogram *other);
/* All values so far are multiplied: their buckets stay as they are. FALSE on overflow. */
gboolean     ts_histogram_rescale (TsHistogram **histogram, gint64 factor);
/* statistics.c: an accumulator that was written as its @facts (n, extremes, sums) and its samples or, where they are
 * not @is_exact, the middles of its buckets. */
TsAccumulator *ts_accumulator_restore (const TsAccumulator *facts, const GArray *buckets, gboolean is_exact,
                                       gboolean keep_all);
/* Appends (middle, count) pairs of TsBucket in ascending order. */
void         ts_histogram_list (const TsHistogram *histogram, GArray *buckets);

G_END_DECLS
