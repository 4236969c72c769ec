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

static gint64
initial_pending_time (const TsInstance *instance)
{
  return instance->start - instance->activation;
}

static gint64
core_execution_time (const TsInstance *instance)
{
  return instance->running;
}

static gint64
gross_execution_time (const TsInstance *instance)
{
  return instance->end - instance->start;
}

static gint64
response_time (const TsInstance *instance)
{
  return instance->end - instance->activation;
}

static gint64
own_execution_time (const TsInstance *instance)
{
  return instance->self;
}

static gint64
number_of_preemptions (const TsInstance *instance)
{
  return instance->n_preemptions;
}

#define ACTIVATION TS_INSTANCE_HAS_ACTIVATION
#define START TS_INSTANCE_HAS_START
#define END TS_INSTANCE_HAS_END

/* When a sample exists, and what it is. What needs the end is complete by that: neither a
 * head, which has no start, nor a tail has both. */
static const struct
{
  TsMetricId metric;
  guint16    needs;
  guint16    excluded_by;
  gint64 (*value) (const TsInstance *instance);
} instance_metrics[] = {
  { TS_METRIC_IPT, ACTIVATION | START, 0, initial_pending_time },
  { TS_METRIC_CET, START | END, TS_INSTANCE_NO_CET, core_execution_time },
  { TS_METRIC_GET, START | END, 0, gross_execution_time },
  { TS_METRIC_RT, ACTIVATION | END, 0, response_time },
  { TS_METRIC_SELF, START | END, TS_INSTANCE_NO_CET, own_execution_time },
  { TS_METRIC_NPR, START | END, 0, number_of_preemptions },
};

void
ts_metrics_add_instance (TsMeasures *measures, const TsInstance *instance)
{
  if (!(instance->flags & TS_INSTANCE_IN_WINDOW))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (instance_metrics); i++)
    if ((instance->flags & instance_metrics[i].needs) == instance_metrics[i].needs
        && !(instance->flags & instance_metrics[i].excluded_by))
      ts_measures_add (measures, instance->element, instance_metrics[i].metric, instance_metrics[i].value (instance),
                       instance->start, instance->number);
}

void
ts_metrics_add_interval (TsMeasures *measures, const TsInterval *interval)
{
  static const TsMetricId metrics[TS_N_INTERVALS] = {
    [TS_INTERVAL_DT] = TS_METRIC_DT,   [TS_INTERVAL_PER] = TS_METRIC_PER, [TS_INTERVAL_ST] = TS_METRIC_ST,
    [TS_INTERVAL_E2S] = TS_METRIC_E2S, [TS_INTERVAL_PRE] = TS_METRIC_PRE, [TS_INTERVAL_WAIT] = TS_METRIC_WAIT,
    [TS_INTERVAL_POLL] = TS_METRIC_POLL, [TS_INTERVAL_AGE] = TS_METRIC_AGE,
  };

  ts_measures_add (measures, interval->element, metrics[interval->kind], interval->value, interval->at,
                   interval->number);
}

TsMetricId
ts_metric_sampled (TsMetricId metric, TsElementType type)
{
  /* an instance of anything but a task has its slack until the next start, which is E2S */
  if (metric == TS_METRIC_ST && type != TS_TYPE_TASK)
    return TS_METRIC_E2S;
  return metric == TS_METRIC_JIT ? TS_METRIC_DT : metric;
}

const TsAccumulator *
ts_metrics_samples (const TsMeasures *measures, guint32 element, TsElementType type, TsMetricId metric)
{
  return measures->elements[element].metrics[ts_metric_sampled (metric, type)];
}
