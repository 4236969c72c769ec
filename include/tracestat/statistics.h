/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/number.h>

G_BEGIN_DECLS

/* An extreme value and where it was seen. */
typedef struct
{
  gint64  value;
  gint64  at;      /* internal units */
  gint64  number;  /* of the instance */
  guint32 section; /* from 1; 0: where it was is not known, see TsOptions.no_details */
  guint32 input;   /* index of the trace in a pooled report */
} TsExtreme;

/* Up to this many samples percentiles are exact; beyond, they come from a histogram with
 * TS_HISTOGRAM_BUCKETS buckets an octave, whose middle is off by at most 1/256 (0.4 %). */
#define TS_EXACT_SAMPLES 2048
#define TS_HISTOGRAM_BUCKETS 128

/* Statistics of one metric of one element: number, extremes, sum and sum of squares are
 * exact whatever the number of samples. The fields are for reading only. */
typedef struct _TsSamples   TsSamples;
typedef struct _TsHistogram TsHistogram;
typedef struct
{
  TsInt128     sum; /* what every sample changes stands together */
  TsUint128    squares; /* low 128 bits of the sum of squares */
  guint64      squares_high;
  TsHistogram *histogram; /* NULL until it takes over, and where no samples are kept */
  guint64      n;
  TsSamples   *samples;   /* NULL once a histogram took over */
  TsExtreme    min, max;  /* of equal ones the first in time, then that with the lowest number */
  gboolean     keep_all;  /* exact percentiles asked for */
  gboolean     is_stated; /* the extremes are those of a file: samples may lie elsewhere */
  gboolean     no_squares; /* they are not of all samples, see TsOptions.no_details */
} TsAccumulator;

TS_API TsAccumulator *ts_accumulator_new (gboolean keep_all);
TS_API void           ts_accumulator_free (TsAccumulator *accumulator);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsAccumulator, ts_accumulator_free)

/* @value within +-2^62, seen @at in @section, as the instance @number. */
TS_API void ts_accumulator_add (TsAccumulator *accumulator, gint64 value, gint64 at, gint64 number, guint32 section);

/* Adds all samples of @other, which come later in the order of inputs and sections.
 * The merge of any split is equal to the whole. */
TS_API void ts_accumulator_merge (TsAccumulator *accumulator, const TsAccumulator *other);

/* Multiplies every sample by @factor and the times of the places by @time_factor, as the time base changes: where samples
 * are no times, @factor is 1. Adds @input to the input of the places. FALSE on overflow. */
TS_API gboolean ts_accumulator_rescale (TsAccumulator *accumulator, gint64 factor, gint64 time_factor, guint32 input);

/* Population standard deviation; not known without samples or squares. */
TS_API TsRoot ts_accumulator_deviation (const TsAccumulator *accumulator);
TS_API double ts_accumulator_stddev (const TsAccumulator *accumulator); /* the same, rounded; or NAN */

/* The sample of rank ceil (p/100 * n), @millionths of a percent being p * 1e6; n must not be 0. */
TS_API gint64 ts_accumulator_percentile (const TsAccumulator *accumulator, guint64 millionths);
/* The same for several ranks, 1..n in ascending order of the samples: faster if the ranks ascend. Without
 * samples (TsOptions.no_samples) all are the least one. */
TS_API void    ts_accumulator_ranked (const TsAccumulator *accumulator, const guint64 *ranks, guint n_ranks,
                                      gint64 *values);
TS_API guint64  ts_percentile_rank (guint64 n, guint64 millionths);
TS_API gboolean ts_accumulator_is_exact (const TsAccumulator *accumulator);

/* How many samples are below @from or above @to: at least *@least, and no more than *@most. These are the same where all samples
 * are there. */
TS_API void ts_accumulator_count_outside (const TsAccumulator *accumulator, gint64 from, gint64 to, guint64 *least,
                                          guint64 *most);

/* The samples as (value, count) pairs in ascending order: exact ones, or bucket middles. */
typedef struct
{
  gint64  value;
  guint64 count;
} TsBucket;
TS_API GArray *ts_accumulator_buckets (const TsAccumulator *accumulator); /* of TsBucket; caller frees */

G_END_DECLS
