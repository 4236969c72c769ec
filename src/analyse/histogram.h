/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/statistics.h>

G_BEGIN_DECLS

/* Counts of values in buckets whose width grows with the value: TS_HISTOGRAM_BUCKETS an
 * octave, so that the middle of a bucket is within 1/256 of every value in it; values
 * below 256 have buckets of their own. Octaves get their place when a value falls into them. */

#define TS_HISTOGRAM_BITS 7 /* 2^7 = TS_HISTOGRAM_BUCKETS */
#define TS_HISTOGRAM_OCTAVES (64 - TS_HISTOGRAM_BITS + 1)

struct _TsHistogram
{
  guint32     *counts; /* TS_HISTOGRAM_BUCKETS for each octave that was touched */
  guint8       places[2][TS_HISTOGRAM_OCTAVES]; /* of values from 0 on, and of those below: 1 + index in counts, or 0 */
  guint8       n_places;
  gint64       scale;   /* buckets hold value / scale */
  GArray      *carries; /* what did not fit in `counts', or NULL */
  TsHistogram *next;    /* of another scale: traces with other time bases; the first has scale 1 */
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

/* Of ts_histogram_count() alone: a place for an octave, and a count that has just become 2^32. */
guint ts_histogram_touch (TsHistogram *histogram, guint side, guint octave);
void  ts_histogram_carry (TsHistogram *histogram, gsize index);

/* Octave 0 has the magnitudes 0..127, octave k > 0 those from 2^(k+6) up to 2^(k+7). */
static inline guint
ts_histogram_octave (guint64 magnitude)
{
  return 63 - (TS_HISTOGRAM_BITS - 1)
         - (guint) __builtin_clzll (magnitude | (TS_HISTOGRAM_BUCKETS / 2));
}

/* Where @value is counted, as an index into `counts'. */
static inline gsize
ts_histogram_index (TsHistogram *histogram, gint64 value)
{
  guint   side = value < 0;
  guint64 magnitude = side ? -(guint64) value : (guint64) value;
  guint   octave = ts_histogram_octave (magnitude);
  guint   shift = octave - (octave > 0);
  guint   place = histogram->places[side][octave];

  if (G_UNLIKELY (place == 0))
    place = ts_histogram_touch (histogram, side, octave);
  return (gsize) (place - 1) * TS_HISTOGRAM_BUCKETS + ((magnitude >> shift) & (TS_HISTOGRAM_BUCKETS - 1));
}

/* Adds one @value: this is done for every sample of a long trace. */
static inline void
ts_histogram_count (TsHistogram *histogram, gint64 value)
{
  gsize index = ts_histogram_index (histogram, value);

  if (G_UNLIKELY (++histogram->counts[index] == 0))
    ts_histogram_carry (histogram, index);
}

G_END_DECLS
