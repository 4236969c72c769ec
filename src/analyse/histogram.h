/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/statistics.h>

G_BEGIN_DECLS

/* Counts of values in buckets whose width grows with the value: TS_HISTOGRAM_BUCKETS an
 * octave, so that the middle of a bucket is within 1/256 of every value in it; values
 * below 256 have buckets of their own. An octave gets its row of counts when a value falls into it.
 *
 * An octave is named by the position of the highest bit of its magnitudes, 7 to 63, where 7
 * is also for all below; those of negative values by 64 more. */

#define TS_HISTOGRAM_BITS 7 /* 2^7 = TS_HISTOGRAM_BUCKETS */
#define TS_HISTOGRAM_OCTAVES 128
#define TS_HISTOGRAM_NEGATIVE 64
#define TS_HISTOGRAM_NO_ROW G_MININT16

struct _TsHistogram
{
  guint16     *counts; /* the lower half: what counts here is how many fit in a cache */
  guint64     *highs;  /* of the counts that grew beyond that, or NULL */
  /* Where the count of bucket 0 of an octave would be, though its first one is TS_HISTOGRAM_BUCKETS. */
  gint16       rows[TS_HISTOGRAM_OCTAVES];
  guint16      n_counts;
  gint64       scale; /* buckets hold value / scale */
  TsHistogram *next;  /* of another scale: traces with other time bases; the first has scale 1 */
};

TsHistogram *ts_histogram_new (void);
TsHistogram *ts_histogram_copy (const TsHistogram *histogram);
void         ts_histogram_free (TsHistogram *histogram);
void         ts_histogram_add (TsHistogram *histogram, gint64 value, guint64 count);
void         ts_histogram_merge (TsHistogram *histogram, const TsHistogram *other);
/* All values so far are multiplied: their buckets stay as they are. FALSE on overflow. */
gboolean     ts_histogram_rescale (TsHistogram **histogram, gint64 factor);
/* Appends (middle, count) pairs of TsBucket in ascending order. */
void         ts_histogram_list (const TsHistogram *histogram, GArray *buckets);

/* Of ts_histogram_count() alone: a count that has just become 2^16. */
void ts_histogram_carry (TsHistogram *histogram, gsize index);

static inline guint64
ts_histogram_magnitude (gint64 value)
{
  return value < 0 ? -(guint64) value : (guint64) value;
}

static inline guint
ts_histogram_octave (guint64 magnitude)
{
  return 63 ^ (guint) __builtin_clzll (magnitude | TS_HISTOGRAM_BUCKETS); /* 63 - it, as one instruction */
}

/* Counts one @value: this is done for every sample of a long trace. Calls only where it returns, so that
 * nothing has to be saved before. */
static inline void
ts_histogram_count (TsHistogram *histogram, gint64 value)
{
  guint64 magnitude = ts_histogram_magnitude (value);
  guint   octave = ts_histogram_octave (magnitude);
  gssize  row = histogram->rows[octave + (value < 0 ? TS_HISTOGRAM_NEGATIVE : 0)];
  gsize   index = (gsize) row + (magnitude >> (octave - TS_HISTOGRAM_BITS));

  if (G_UNLIKELY (row == TS_HISTOGRAM_NO_ROW))
    ts_histogram_add (histogram, value, 1);
  else if (G_UNLIKELY (++histogram->counts[index] == 0))
    ts_histogram_carry (histogram, index);
}

G_END_DECLS
