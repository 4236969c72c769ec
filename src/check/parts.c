/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/measures.h"
#include "check/verdict.h"
#include "report/results.h"

/* A limit on pooled traces, held against each of them alone: who wants to mend something needs all traces that break
 * it, and not only the one with the worst value. */

/* The result that @share would be alone; that of JIT relates to the period of all. */
static TsMetricResult
result_of_share (const TsShare *share, const TsMetricResult *pooled, TsMetricId metric)
{
  TsMetricResult result = { .n = share->n, .min_where = share->min, .max_where = share->max };

  if (share->n == 0)
    return result;
  result.min = ts_rational (share->min.value, 1);
  result.max = ts_rational (share->max.value, 1);
  if (metric != TS_METRIC_JIT)
    return result;
  result.min_where = share->max;
  result.max_where = share->min;
  result.min = ts_jitter_of (ts_rational (share->max.value, 1), pooled->reference_value);
  result.max = ts_jitter_of (ts_rational (share->min.value, 1), pooled->reference_value);
  return result;
}

/* An upper bound on a maximum, or a lower one on a minimum, holds if and only if it holds in each trace. But jitter is what a
 * trace has alone only if its period is configured, and the same in all of them. */
static gboolean
has_parts (const TsVerdict *verdict, const TsReportElement *element)
{
  if (!verdict->has_value)
    return FALSE;
  if (verdict->figure.metric == TS_METRIC_JIT && (element->period_source == NULL || element->periods_differ))
    return FALSE;
  if (verdict->figure.statistic == TS_STATISTIC_MIN)
    return verdict->is_lower;
  return (verdict->figure.statistic == TS_STATISTIC_MAX || verdict->figure.statistic == TS_STATISTIC_ABSMAX)
         && !verdict->is_lower;
}

void
ts_verdict_judge_parts (TsVerdict *verdict, const TsReportElement *element)
{
  const TsMetricResult *pooled = element->metrics[verdict->figure.metric];
  TsMetricId            metric = ts_metric_sampled (verdict->figure.metric, element->type);

  if (element->shares == NULL || !has_parts (verdict, element))
    return;
  verdict->parts = g_ptr_array_new_with_free_func (ts_verdict_free);
  for (guint i = 0; i < element->shares->len; i++)
    {
      const TsShare *share = &g_array_index (element->shares, TsShare, i);
      TsMetricResult result;
      TsVerdict     *part;

      if (share->metric != metric)
        continue;
      result = result_of_share (share, pooled, verdict->figure.metric);
      part = g_memdup2 (verdict, sizeof *verdict);
      part->parts = NULL;
      part->label = g_strdup (verdict->label);
      part->source = g_strdup (verdict->source);
      part->section = g_strdup (verdict->section);
      part->note = NULL;
      part->input = share->input;
      part->is_unfinished = FALSE;
      ts_verdict_judge (part, &result, share->has_unfinished && ts_verdict_holds_unfinished (metric) ? &share->unfinished : NULL);
      if (part->result == TS_VERDICT_NO_SAMPLES)
        {
          ts_verdict_free (part);
          continue;
        }
      g_ptr_array_add (verdict->parts, part);
      /* how many of each trace is not known */
      if (part->result == TS_VERDICT_VIOLATED && part->note == NULL)
        part->note = ts_verdict_outside (verdict, " in all traces together");
    }
}
