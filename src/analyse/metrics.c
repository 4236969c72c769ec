/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/measures.h"

/* The metrics: names and formulas, and how a sample comes from an instance. Most are one
 * row of each table; JIT and LOAD are calculated when a report is made. */

static const TsMetricInfo metric_infos[TS_N_METRICS] = {
  [TS_METRIC_IPT] = { "IPT", "initial pending time", "start - activation", TS_QUANTITY_TIME },
  [TS_METRIC_CET] = { "CET", "core execution time", "sum of running slices = GET - PRE - WAIT", TS_QUANTITY_TIME },
  [TS_METRIC_GET] = { "GET", "gross execution time", "end - start", TS_QUANTITY_TIME },
  [TS_METRIC_RT] = { "RT", "response time", "end - activation", TS_QUANTITY_TIME },
  [TS_METRIC_DT] = { "DT", "delta time", "start - start of the instance before", TS_QUANTITY_TIME },
  [TS_METRIC_PER] = { "PER", "period", "activation - activation before", TS_QUANTITY_TIME },
  [TS_METRIC_ST] = { "ST", "slack time", "next activation (other than tasks: next start) - end", TS_QUANTITY_TIME },
  [TS_METRIC_JIT] = { "JIT", "jitter", "1 - DT / period", TS_QUANTITY_RATIO },
  [TS_METRIC_PRE] = { "PRE", "preemption time", "resume - preempt", TS_QUANTITY_TIME },
  [TS_METRIC_SELF] = { "SELF", "own execution time", "CET - CET of the direct callees", TS_QUANTITY_TIME },
  [TS_METRIC_E2S] = { "E2S", "end to start", "next start - end", TS_QUANTITY_TIME },
  [TS_METRIC_WAIT] = { "WAIT", "waiting time", "end of waiting - wait", TS_QUANTITY_TIME },
  [TS_METRIC_NPR] = { "NPR", "number of preemptions", "preemptions of an instance", TS_QUANTITY_COUNT },
  [TS_METRIC_POLL] = { "POLL", "polling time", "end of polling - poll", TS_QUANTITY_TIME, TRUE },
  [TS_METRIC_AGE] = { "AGE", "data age", "read - write before", TS_QUANTITY_TIME, TRUE },
  [TS_METRIC_LOAD] = { "LOAD", "load of a resource", "running time of tasks and ISRs / window", TS_QUANTITY_RATIO },
};

const TsMetricInfo *
ts_metric_info (TsMetricId metric)
{
  g_return_val_if_fail (metric < TS_N_METRICS, NULL);
  return &metric_infos[metric];
}

gboolean
ts_metric_parse (const char *name, TsMetricId *metric)
{
  for (guint i = 0; i < TS_N_METRICS; i++)
    if (g_ascii_strcasecmp (name, metric_infos[i].name) == 0)
      {
        *metric = (TsMetricId) i;
        return TRUE;
      }
  return FALSE;
}

/* Out of line, so that add() has nothing to save. */
static G_GNUC_NO_INLINE void
add_first (TsMeasures *measures, TsAccumulator **place, gint64 value, gint64 at, gint64 number)
{
  *place = ts_accumulator_new (measures->keep_all);
  ts_accumulator_add (*place, value, at, number, measures->current_section);
}

/* A copy in each place, of which there are few, is a third faster than one for all. */
static inline __attribute__ ((always_inline)) void
add (TsMeasures *measures, TsMeasuredElement *element, TsMetricId metric, gint64 value, gint64 at, gint64 number)
{
  TsAccumulator **place = &element->metrics[metric];

  if (G_UNLIKELY (*place == NULL))
    add_first (measures, place, value, at, number);
  else
    ts_accumulator_take (*place, value, at, number, measures->current_section);
}

/* CET, and what is the same for most elements: GET of what is not preempted, SELF of what calls nothing.
 * Until they differ for the first time, one accumulator serves. */
static void
add_execution_times (TsMeasures *measures, TsMeasuredElement *element, const TsInstance *instance)
{
  const guint both = 1u << TS_METRIC_GET | 1u << TS_METRIC_SELF;
  gint64      gross = instance->end - instance->start;
  gboolean    has_cet = !(instance->flags & TS_INSTANCE_NO_CET);

  if (element->metrics[TS_METRIC_CET] == NULL && element->metrics[TS_METRIC_GET] == NULL && has_cet)
    element->shared = both;
  if ((element->shared & 1u << TS_METRIC_GET) && (gross != instance->running || !has_cet))
    ts_measured_unshare (element, TS_METRIC_GET);
  if ((element->shared & 1u << TS_METRIC_SELF) && instance->self != instance->running && has_cet)
    ts_measured_unshare (element, TS_METRIC_SELF);

  if (has_cet)
    {
      add (measures, element, TS_METRIC_CET, instance->running, instance->start, instance->number);
      if (!(element->shared & 1u << TS_METRIC_SELF))
        add (measures, element, TS_METRIC_SELF, instance->self, instance->start, instance->number);
    }
  if (!(element->shared & 1u << TS_METRIC_GET))
    add (measures, element, TS_METRIC_GET, gross, instance->start, instance->number);
}

/* When a sample exists: what needs the end is complete by that, since neither a head, which
 * has no start, nor a tail has both. */
void
ts_metrics_add_instance (TsMeasures *measures, const TsInstance *instance)
{
  TsMeasuredElement *element = &measures->elements[instance->element];
  gboolean           activated = (instance->flags & TS_INSTANCE_HAS_ACTIVATION) != 0;
  gboolean           started = (instance->flags & TS_INSTANCE_HAS_START) != 0;
  gboolean           ended = (instance->flags & TS_INSTANCE_HAS_END) != 0;

  if (!(instance->flags & TS_INSTANCE_IN_WINDOW))
    return;
  if (activated && started)
    add (measures, element, TS_METRIC_IPT, instance->start - instance->activation, instance->start, instance->number);
  if (started && ended)
    {
      add_execution_times (measures, element, instance);
      add (measures, element, TS_METRIC_NPR, instance->n_preemptions, instance->start, instance->number);
    }
  if (activated && ended)
    add (measures, element, TS_METRIC_RT, instance->end - instance->activation, instance->start, instance->number);
}

void
ts_metrics_add_interval (TsMeasures *measures, const TsInterval *interval)
{
  static const TsMetricId metrics[TS_N_INTERVALS] = {
    [TS_INTERVAL_DT] = TS_METRIC_DT,   [TS_INTERVAL_PER] = TS_METRIC_PER, [TS_INTERVAL_ST] = TS_METRIC_ST,
    [TS_INTERVAL_E2S] = TS_METRIC_E2S, [TS_INTERVAL_PRE] = TS_METRIC_PRE, [TS_INTERVAL_WAIT] = TS_METRIC_WAIT,
    [TS_INTERVAL_POLL] = TS_METRIC_POLL, [TS_INTERVAL_AGE] = TS_METRIC_AGE,
  };

  add (measures, &measures->elements[interval->element], metrics[interval->kind], interval->value, interval->at,
       interval->number);
}

const TsAccumulator *
ts_metrics_samples (const TsMeasures *measures, guint32 element, TsElementType type, TsMetricId metric)
{
  /* an instance of anything but a task has its slack until the next start, which is E2S */
  if (metric == TS_METRIC_ST && type != TS_TYPE_TASK)
    metric = TS_METRIC_E2S;
  else if (metric == TS_METRIC_JIT)
    metric = TS_METRIC_DT;
  return ts_measured_samples (&measures->elements[element], metric);
}
