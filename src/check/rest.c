/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "check/verdict.h"
#include "model/number.h"
#include "report/results.h"

/* What came to rest before the trace ended. That nothing came for so long is no sample of DT, PER and JIT, and breaks no limit,
 * since nobody knows whether more was to come; but who is told that a limit holds is told that, too. */

gboolean
ts_verdict_would_break (const TsVerdict *verdict, const TsMetricResult *result, TsRational length)
{
  const TsStatistic statistic = verdict->figure.statistic;
  TsRational        jitter;

  if (verdict->figure.metric != TS_METRIC_JIT)
    return !verdict->is_lower && (statistic == TS_STATISTIC_MAX || statistic == TS_STATISTIC_ABSMAX)
           && ts_rational_compare (length, verdict->bound) > 0;
  if (result->n == 0)
    return FALSE;
  jitter = ts_jitter_of (length, result->reference_value);
  if (verdict->is_lower)
    return statistic == TS_STATISTIC_MIN && ts_rational_compare (jitter, verdict->bound) < 0;
  /* what is early so far may yet come in time */
  return statistic == TS_STATISTIC_ABSMAX && jitter.numerator < 0
         && ts_rational_compare (ts_rational_absolute (jitter), verdict->bound) > 0;
}

const TsExtreme *
ts_verdict_awaited (const TsUnfinished *unfinished, TsMetricId metric)
{
  if (metric == TS_METRIC_JIT)
    metric = TS_METRIC_DT;
  return metric == TS_METRIC_DT || metric == TS_METRIC_PER ? ts_unfinished_get (unfinished, metric) : NULL;
}

static char *
note_of (const TsCheck *check, TsMetricId metric, const TsExtreme *awaited)
{
  g_autofree char *at = ts_time_value_text (awaited->at, &check->report->base, TS_UNIT_FITTING);
  GString         *note = g_string_new (NULL);

  g_string_printf (note, "came to rest: none %s after %s", metric == TS_METRIC_PER ? "was activated" : "started", at);
  ts_check_append_source (note, check, awaited);
  return g_string_free (note, FALSE);
}

void
ts_check_note_rest (const TsCheck *check, TsVerdict *verdict, const TsMetricResult *result, const TsUnfinished *unfinished)
{
  const TsExtreme *awaited = ts_verdict_awaited (unfinished, verdict->figure.metric);

  if (verdict->result != TS_VERDICT_HOLDS || verdict->note != NULL || awaited == NULL
      || !ts_verdict_would_break (verdict, result, ts_rational (awaited->value, 1)))
    return;
  verdict->came_to_rest = TRUE;
  verdict->note = note_of (check, verdict->figure.metric, awaited);
}
