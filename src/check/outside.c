/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "check/verdict.h"
#include "model/number.h"

/* How many samples are beyond a bound: one that is late once is another matter than one that is late each time. */

/* What is within it: these two and all between. */
typedef struct
{
  TsRational from, to;
} Within;

#define FAR ((TsRational){ G_MAXINT64, 1 })
#define FAR_BELOW ((TsRational){ G_MININT64, 1 })

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

static Within
within_bound (const TsVerdict *verdict)
{
  Within within = { FAR_BELOW, FAR };

  if (verdict->is_lower)
    within.from = verdict->bound;
  else
    within.to = verdict->bound;
  if (verdict->figure.statistic == TS_STATISTIC_ABSMAX)
    within.from = ts_rational_subtract (ts_rational (0, 1), verdict->bound);
  return within;
}

/* DT = P (1 - JIT), and P is above 0. */
static TsRational
delta_of (TsRational jitter, TsRational period)
{
  return ts_rational_multiply (period, ts_rational_subtract (ts_rational (1, 1), jitter));
}

/* The same among the DT of which @within tells the JIT. */
static Within
within_deltas (const TsVerdict *verdict, const Within *within, TsRational period)
{
  const gboolean has_both = verdict->figure.statistic == TS_STATISTIC_ABSMAX;

  return (Within){ has_both || !verdict->is_lower ? delta_of (within->to, period) : FAR_BELOW,
                   has_both || verdict->is_lower ? delta_of (within->from, period) : FAR };
}

/* The least whole number that is not below @value, or the greatest that is not above it. */
static gint64
whole (TsRational value, gboolean up)
{
  const TsInt128 number = up ? ts_rational_ceil (value) : ts_rational_floor (value);

  return (gint64) CLAMP (number, G_MININT64, G_MAXINT64);
}

void
ts_verdict_count_outside (TsVerdict *verdict, const TsMetricResult *result)
{
  const TsAccumulator *samples = result->accumulator;
  Within               within;

  verdict->has_outside = !verdict->is_comparison && samples != NULL && samples->n > 0 && is_about_samples (verdict);
  verdict->n_outside = verdict->n_outside_max = 0;
  if (!verdict->has_outside)
    return;
  within = within_bound (verdict);
  if (verdict->figure.metric == TS_METRIC_JIT)
    within = within_deltas (verdict, &within, result->reference_value);
  ts_accumulator_count_outside (samples, whole (within.from, TRUE), whole (within.to, FALSE), &verdict->n_outside,
                                &verdict->n_outside_max);
}
