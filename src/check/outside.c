/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "check/verdict.h"
#include "model/number.h"

/* How many samples are beyond a bound: one that is late once is another matter than one that is late each time. */

/* What lies beyond it, among the samples. */
typedef struct
{
  gboolean   has_low, has_high;
  TsRational low, high; /* less than that, more than that */
} Beyond;

/* FALSE: each sample may be beyond a bound of that kind, and the figure within. */
static gboolean
is_about_samples (const TsVerdict *verdict)
{
  switch (verdict->figure.statistic)
    {
    case TS_STATISTIC_MAX:
    case TS_STATISTIC_ABSMAX:
      return !verdict->is_lower;
    case TS_STATISTIC_MIN:
      return verdict->is_lower;
    case TS_STATISTIC_PERCENTILE:
      return TRUE;
    case TS_STATISTIC_MEAN:
    case TS_STATISTIC_STDDEV:
    case TS_STATISTIC_N:
    default:
      return FALSE;
    }
}

static void
add_low (Beyond *beyond, TsRational value)
{
  beyond->has_low = TRUE;
  beyond->low = value;
}

static void
add_high (Beyond *beyond, TsRational value)
{
  beyond->has_high = TRUE;
  beyond->high = value;
}

static Beyond
beyond_bound (const TsVerdict *verdict)
{
  Beyond beyond = { 0 };

  if (verdict->is_lower)
    add_low (&beyond, verdict->bound);
  else
    add_high (&beyond, verdict->bound);
  if (verdict->figure.statistic == TS_STATISTIC_ABSMAX)
    add_low (&beyond, ts_rational_subtract (ts_rational (0, 1), verdict->bound));
  return beyond;
}

/* The same among the DT of which @beyond tells the JIT: DT = P (1 - JIT), and P is above 0. */
static Beyond
beyond_in_deltas (const Beyond *beyond, TsRational period)
{
  const TsRational one = ts_rational (1, 1);
  Beyond           deltas = { 0 };

  if (beyond->has_high)
    add_low (&deltas, ts_rational_multiply (period, ts_rational_subtract (one, beyond->high)));
  if (beyond->has_low)
    add_high (&deltas, ts_rational_multiply (period, ts_rational_subtract (one, beyond->low)));
  return deltas;
}

static gboolean
is_below (const Beyond *beyond, gint64 value)
{
  return beyond->has_low && ts_rational_compare (ts_rational (value, 1), beyond->low) < 0;
}

static gboolean
is_above (const Beyond *beyond, gint64 value)
{
  return beyond->has_high && ts_rational_compare (ts_rational (value, 1), beyond->high) > 0;
}

/* All samples that @bucket may stand for are from *@least to *@most: what ts_verdict_blur() says of whole numbers. */
static void
range_of_bucket (const TsAccumulator *samples, const TsBucket *bucket, gint64 *least, gint64 *most)
{
  const gint64 blur = ts_accumulator_is_exact (samples) ? 0 : ABS (bucket->value) / 255;

  *least = CLAMP (bucket->value - blur, samples->min.value, samples->max.value);
  *most = CLAMP (bucket->value + blur, samples->min.value, samples->max.value);
}

/* Those whose values are known, and mostly there is nothing else to be known. */
static guint64
count_extremes (const Beyond *beyond, const TsAccumulator *samples)
{
  const gint64 min = samples->min.value, max = samples->max.value;

  return (guint64) (is_below (beyond, min) || is_above (beyond, min))
         + (guint64) (samples->n > 1 && (is_below (beyond, max) || is_above (beyond, max)));
}

void
ts_verdict_count_outside (TsVerdict *verdict, const TsMetricResult *result)
{
  const TsAccumulator *samples = result->accumulator;
  g_autoptr (GArray)   buckets = NULL;
  Beyond               beyond;
  guint64              n_extremes;

  verdict->has_outside = !verdict->is_comparison && samples != NULL && samples->n > 0 && is_about_samples (verdict);
  verdict->n_outside = verdict->n_outside_max = 0;
  if (!verdict->has_outside)
    return;
  beyond = beyond_bound (verdict);
  if (verdict->figure.metric == TS_METRIC_JIT)
    beyond = beyond_in_deltas (&beyond, result->reference_value);
  n_extremes = count_extremes (&beyond, samples);
  if (n_extremes == 0)
    return;
  buckets = ts_accumulator_buckets (samples);
  for (guint i = 0; i < buckets->len; i++)
    {
      const TsBucket *bucket = &g_array_index (buckets, TsBucket, i);
      gint64          least, most;

      range_of_bucket (samples, bucket, &least, &most);
      if (is_below (&beyond, most) || is_above (&beyond, least))
        verdict->n_outside += bucket->count;
      if (is_below (&beyond, least) || is_above (&beyond, most))
        verdict->n_outside_max += bucket->count;
    }
  verdict->n_outside = MAX (verdict->n_outside, n_extremes);
}
