/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "model/number.h"
#include "report/results.h"

/* Calculates from the samples of an element what is reported of it. */

/* Most elements have no sample of half of the metrics. */
#define NO_SAMPLES { .min = { 0, 1 }, .mean = { 0, 1 }, .max = { 0, 1 }, .reference_value = { 0, 1 } }
static const TsMetricResult no_result = NO_SAMPLES;
/* Those that were left out: they look like none, but are known by their place. */
static const TsMetricResult left_out = NO_SAMPLES;

static gboolean
is_left_out (const TsReportElement *element)
{
  return element->metrics[0] == &left_out;
}

static const TsPooledElement *
pooled_element (const TsReportElement *element)
{
  return (const TsPooledElement *) (gconstpointer) element;
}

TsResults *
ts_results_new (const TsReport *report)
{
  TsResults *results = g_new0 (TsResults, 1);
  guint      n = report->n_percentiles;

  results->report = report;
  results->percentiles = g_new (TsRational, TS_N_METRICS * n);
  results->ranks = g_new (guint64, 2 * n);
  results->values = g_new (gint64, 2 * n);
  results->falling = g_new (gint64, n);
  return results;
}

void
ts_results_free (TsResults *results)
{
  if (results == NULL)
    return;
  g_free (results->percentiles);
  g_free (results->ranks);
  g_free (results->values);
  g_free (results->falling);
  g_free (results);
}

/* That of @metric itself, to be written to. */
static TsMetricResult *
own_result (TsResults *results, TsMetricId metric)
{
  if (results->metrics[metric] == &no_result)
    {
      /* all else means nothing while there are no samples */
      results->own[metric].n = 0;
      results->own[metric].reference = NULL;
      results->own[metric].accumulator = NULL;
      results->own[metric].percentiles = NULL;
      results->metrics[metric] = &results->own[metric];
    }
  return &results->own[metric];
}

static const TsAccumulator *
samples_of (const TsPooledElement *element, TsMetricId metric)
{
  return ts_measured_samples (element->samples, ts_metric_sampled (metric, element->element.type));
}

/* Whole ones as such. */
static TsRational
mean_of (const TsAccumulator *samples)
{
  const TsRational mean = { samples->sum, (TsInt128) samples->n };
  gint64           whole;

  if (!ts_rational_is_narrow (mean))
    return ts_rational (mean.numerator, mean.denominator);
  whole = (gint64) mean.numerator / (gint64) mean.denominator;
  return whole * (gint64) mean.denominator == (gint64) mean.numerator ? (TsRational){ whole, 1 } : mean;
}

/* Nearest rank. Of what @falls where the samples rise, the ranks are those from the other end. */
static void
set_percentiles (TsResults *results, TsMetricId metric, const TsAccumulator *samples, gboolean falls)
{
  const TsReport *report = results->report;
  guint           n = report->n_percentiles;
  TsRational     *percentiles;

  if (n == 0)
    return;
  percentiles = results->percentiles + (gsize) n * metric;
  for (guint i = 0; i < n; i++)
    {
      results->ranks[i] = ts_percentile_rank (samples->n, report->percentiles[i]);
      if (falls)
        results->ranks[n + i] = samples->n + 1 - results->ranks[i];
    }
  ts_accumulator_ranked (samples, results->ranks, falls ? 2 * n : n, results->values);
  for (guint i = 0; i < n; i++)
    percentiles[i] = (TsRational){ results->values[i], 1 };
  results->own[metric].percentiles = percentiles;
  if (falls)
    memcpy (results->falling, results->values + n, n * sizeof *results->falling);
}

static void
set_times (TsResults *results, TsMetricId metric, const TsAccumulator *samples, gboolean with_spread)
{
  TsMetricResult *result = own_result (results, metric);

  result->n = samples->n;
  result->min = (TsRational){ samples->min.value, 1 };
  result->max = (TsRational){ samples->max.value, 1 };
  result->mean = mean_of (samples);
  result->accumulator = samples;
  if (!with_spread)
    return;
  result->sum = samples->sum;
  result->min_where = samples->min;
  result->max_where = samples->max;
  result->stddev = ts_accumulator_deviation (samples);
  set_percentiles (results, metric, samples, metric == TS_METRIC_DT);
}

TsRational
ts_jitter_of (TsRational value, TsRational period)
{
  TsRational jitter;

  if (!ts_rational_is_narrow (value) || !ts_rational_is_narrow (period))
    return ts_rational_subtract (ts_rational (1, 1), ts_rational_divide (value, period));
  jitter.denominator = (TsInt128) (gint64) value.denominator * (gint64) period.numerator;
  jitter.numerator = jitter.denominator - (TsInt128) (gint64) value.numerator * (gint64) period.denominator;
  return ts_rational_is_narrow (jitter) ? jitter : ts_rational (jitter.numerator, jitter.denominator);
}

/* JIT falls where DT rises: everything follows from the statistics of DT, and its percentiles from the falling ones. */
static void
set_jitter (TsResults *results, const TsAccumulator *deltas, gboolean with_spread)
{
  TsMetricResult *result = own_result (results, TS_METRIC_JIT);
  TsRational      period = result->reference_value;
  guint           n = results->report->n_percentiles;

  result->n = deltas->n;
  result->accumulator = deltas;
  result->min = ts_jitter_of ((TsRational){ deltas->max.value, 1 }, period);
  result->max = ts_jitter_of ((TsRational){ deltas->min.value, 1 }, period);
  result->mean = ts_jitter_of (mean_of (deltas), period);
  if (!with_spread)
    return;
  result->min_where = deltas->max;
  result->max_where = deltas->min;
  result->stddev = ts_accumulator_deviation (deltas);
  result->stddev.scale = (TsRational){ period.denominator, period.numerator };
  if (n > 0)
    result->percentiles = results->percentiles + (gsize) n * TS_METRIC_JIT;
  for (guint i = 0; i < n; i++)
    result->percentiles[i] = ts_jitter_of ((TsRational){ results->falling[i], 1 }, period);
}

/* The result that an earlier metric than @metric has of the same @samples, or NULL: GET and SELF may be CET, and ST is
 * E2S but for tasks. */
static const TsMetricResult *
find_same (const TsResults *results, TsMetricId metric, const TsAccumulator *samples)
{
  const TsMetricResult *other = results->metrics[metric == TS_METRIC_E2S ? TS_METRIC_ST : TS_METRIC_CET];

  if (metric != TS_METRIC_GET && metric != TS_METRIC_SELF && metric != TS_METRIC_E2S)
    return NULL;
  return other->accumulator == samples ? other : NULL;
}

/* What JIT relates to, in *@period, and its name, or NULL. */
static const char *
find_reference (const TsPooledElement *element, TsRational *period)
{
  const TsAccumulator *periods = samples_of (element, TS_METRIC_PER), *deltas = samples_of (element, TS_METRIC_DT);

  if (element->element.period_source != NULL)
    {
      *period = element->period;
      return "configured";
    }
  if (periods == NULL && deltas == NULL)
    return NULL;
  *period = mean_of (periods != NULL ? periods : deltas);
  return periods != NULL ? "activation" : "start";
}

/* What JIT of @element relates to (rule of JIT: configured, else measured by activation, else by start). */
static void
set_reference (TsResults *results, const TsPooledElement *element)
{
  TsRational      period;
  const char     *reference = find_reference (element, &period);
  TsMetricResult *jitter, *own;

  if (reference == NULL)
    return;
  jitter = own_result (results, TS_METRIC_JIT);
  jitter->reference = reference;
  jitter->reference_value = period;
  if (element->element.period_source == NULL && samples_of (element, TS_METRIC_PER) == NULL)
    return;
  own = own_result (results, TS_METRIC_PER);
  own->reference = reference;
  own->reference_value = period;
}

guint
ts_results_find (const TsPooledElement *element, gboolean *is_exact)
{
  guint      measured = 0;
  TsRational period;

  *is_exact = TRUE;
  for (TsMetricId i = 0; i < TS_METRIC_LOAD; i++)
    {
      const TsAccumulator *samples = i != TS_METRIC_JIT ? samples_of (element, i) : NULL;

      if (samples == NULL)
        continue;
      measured |= 1u << i;
      *is_exact &= ts_accumulator_is_exact (samples);
    }
  if ((measured & (1u << TS_METRIC_DT)) != 0 && find_reference (element, &period) != NULL && period.numerator > 0)
    measured |= 1u << TS_METRIC_JIT;
  return measured;
}

void
ts_results_calculate (TsResults *results, const TsReportElement *element, guint wanted, gboolean with_spread)
{
  const TsPooledElement *pooled = pooled_element (element);
  guint                  jitter = 1u << TS_METRIC_JIT;

  results->element = element;
  if (!is_left_out (element))
    {
      memcpy (results->metrics, element->metrics, sizeof results->metrics);
      return;
    }
  for (guint i = 0; i < TS_N_METRICS; i++)
    results->metrics[i] = &no_result;
  /* JIT has its percentiles from DT */
  if ((wanted & jitter) != 0 && with_spread)
    wanted |= 1u << TS_METRIC_DT;
  for (guint left = wanted & pooled->measured & ~jitter; left != 0; left &= left - 1)
    {
      TsMetricId            metric = (TsMetricId) __builtin_ctz (left);
      const TsAccumulator  *samples = samples_of (pooled, metric);
      const TsMetricResult *same = find_same (results, metric, samples);

      if (same != NULL)
        results->metrics[metric] = same;
      else
        set_times (results, metric, samples, with_spread);
    }
  if ((wanted & (jitter | 1u << TS_METRIC_PER)) != 0)
    set_reference (results, pooled);
  if ((wanted & pooled->measured & jitter) != 0)
    set_jitter (results, samples_of (pooled, TS_METRIC_DT), with_spread);
}

#define ELEMENTS_AHEAD 8

void
ts_results_prefetch (const TsReportElement *const *elements, guint n_elements, guint index, guint wanted)
{
  const TsPooledElement *next;

  if (index + 2 * ELEMENTS_AHEAD >= n_elements || !is_left_out (elements[index]))
    return;
  __builtin_prefetch (&pooled_element (elements[index + 2 * ELEMENTS_AHEAD])->samples);
  __builtin_prefetch (elements[index + 2 * ELEMENTS_AHEAD]);
  next = pooled_element (elements[index + ELEMENTS_AHEAD]);
  for (guint left = wanted & next->measured & ~(1u << TS_METRIC_JIT); left != 0; left &= left - 1)
    ts_accumulator_prefetch (samples_of (next, (TsMetricId) __builtin_ctz (left)), TRUE);
}

static TsRational
reduced (TsRational value)
{
  return value.denominator > 0 ? ts_rational (value.numerator, value.denominator) : (TsRational){ 0, 1 };
}

static const TsMetricResult *
keep_result (const TsMetricResult *result, TsArena *arena, guint n_percentiles)
{
  TsMetricResult   *kept = ts_arena_take (arena, sizeof *kept);
  const TsRational *percentiles = result->percentiles;

  *kept = no_result;
  kept->reference = result->reference;
  kept->reference_value = reduced (result->reference_value);
  if (result->n == 0)
    return kept;
  *kept = *result;
  kept->min = reduced (result->min);
  kept->mean = reduced (result->mean);
  kept->max = reduced (result->max);
  kept->reference_value = reduced (result->reference_value);
  if (percentiles == NULL)
    return kept;
  kept->percentiles = ts_arena_take (arena, n_percentiles * sizeof *percentiles);
  for (guint i = 0; i < n_percentiles; i++)
    kept->percentiles[i] = reduced (percentiles[i]);
  return kept;
}

void
ts_results_keep (const TsResults *results, TsArena *arena, TsReportElement *element)
{
  for (guint i = 0; i < TS_N_METRICS; i++)
    {
      const TsMetricResult *result = results->metrics[i];

      if (result == &results->own[i])
        element->metrics[i] = keep_result (result, arena, results->report->n_percentiles);
      else
        element->metrics[i] = result != &no_result ? element->metrics[result - results->own] : &no_result;
    }
}

void
ts_results_leave_out (TsReportElement *element)
{
  for (guint i = 0; i < TS_N_METRICS; i++)
    element->metrics[i] = &left_out;
}

guint
ts_results_measured (const TsReportElement *element)
{
  guint measured = 0;

  if (is_left_out (element))
    return pooled_element (element)->measured;
  for (guint i = 0; i < TS_N_METRICS; i++)
    measured |= (element->metrics[i]->n > 0 ? 1u : 0u) << i;
  return measured;
}

const TsExtreme *
ts_results_max (const TsReportElement *element, TsMetricId metric)
{
  if (!(ts_results_measured (element) >> metric & 1))
    return NULL;
  return is_left_out (element) ? &samples_of (pooled_element (element), metric)->max
                               : &element->metrics[metric]->max_where;
}

const char *
ts_results_reference (const TsReportElement *element)
{
  TsRational period;

  return is_left_out (element) ? find_reference (pooled_element (element), &period)
                               : element->metrics[TS_METRIC_JIT]->reference;
}

TsRational
ts_results_configured_period (const TsReportElement *element)
{
  return is_left_out (element) ? pooled_element (element)->period : element->metrics[TS_METRIC_PER]->reference_value;
}
