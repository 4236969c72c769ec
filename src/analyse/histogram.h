/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/statistics.h>

G_BEGIN_DECLS

/* Counts of values in buckets whose width grows with the value: TS_HISTOGRAM_BUCKETS an
 * octave, so that the middle of a bucket is within 1/256 of every value in it; values
 * below 256 have buckets of their own. The buckets of all numbers are in one order, that of 0 being number 0, and
 * those of negative values mirror those of positive ones; a histogram has those from its least to its greatest. */

#define TS_HISTOGRAM_BITS 7 /* 2^7 = TS_HISTOGRAM_BUCKETS */

/* Within 1/256 of each value in its bucket, a middle m is within m / 255 of each of them. */
#define TS_HISTOGRAM_BLUR (2 * TS_HISTOGRAM_BUCKETS - 1)

struct _TsHistogram
{
  guint16     *counts; /* the lower half: what counts here is how many fit in a cache */
  guint64     *highs;  /* of the counts that grew beyond that, or NULL */
  gint         first;  /* bucket that counts[0] is of */
  guint        n_counts;
  GArray      *stated; /* of TsBucket, values of a report that are no middle of a bucket here; or NULL */
  gint64       scale; /* buckets hold value / scale */
  TsHistogram *next;  /* of another scale: traces with other time bases; the first has scale 1 */
};

TsHistogram *ts_histogram_new (void);
TsHistogram *ts_histogram_copy (const TsHistogram *histogram);
void         ts_histogram_free (TsHistogram *histogram);
void         ts_histogram_add (TsHistogram *histogram, gint64 value, guint64 count);
/* The same for a @value that a report has: it is listed as it stands, whatever is the middle of its bucket. */
void         ts_histogram_add_stated (TsHistogram *histogram, gint64 value, guint64 count);
/* Counts all @values, of which the least is @min and the greatest @max. This is done with every sample of a long trace. */
void         ts_histogram_add_many (TsHistogram *histogram, const gint64 *values, gsize n, gint64 min, gint64 max);
void         ts_histogram_merge (TsHistogram *histogram, const TsHistogram *other);
/* All values so far are multiplied: their buckets stay as they are. FALSE on overflow. */
gboolean     ts_histogram_rescale (TsHistogram **histogram, gint64 factor);
/* Whether all values are kept as buckets of their own unit: then others of this kind list the same of the same samples.
 * TRUE for NULL. */
gboolean     ts_histogram_is_plain (const TsHistogram *histogram);
/* Appends (middle, count) pairs of TsBucket in ascending order. */
void         ts_histogram_list (const TsHistogram *histogram, GArray *buckets);

G_END_DECLS
