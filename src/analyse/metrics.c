/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

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

/* The recent samples of one element, by metric. */
typedef struct
{
  TsSampleBatch metrics[TS_N_METRICS];
} Batches;

static inline void
put (Batches *batches, TsMetricId metric, gint64 value, const TsSamplePlace *place)
{
  TsSampleBatch *batch = &batches->metrics[metric];

  batch->values[batch->n] = value;
  batch->places[batch->n++] = place;
}

/* When a sample exists: what needs the end is complete by that, since neither a head, which
 * has no start, nor a tail has both. */
static inline void
put_activation (Batches *batches, const TsRecent *recent, const TsRecentActivation *activation)
{
  if (recent->flags & TS_INSTANCE_COUNTS_PER)
    put (batches, TS_METRIC_PER, activation->per, &activation->place);
  if (recent->flags & TS_INSTANCE_COUNTS_ST)
    put (batches, TS_METRIC_ST, activation->st, &activation->place);
  if (!(recent->flags & TS_INSTANCE_IN_WINDOW))
    return;
  if (recent->flags & TS_INSTANCE_HAS_START)
    put (batches, TS_METRIC_IPT, recent->place.at - activation->place.at, &recent->place);
  if (recent->flags & TS_INSTANCE_HAS_END)
    put (batches, TS_METRIC_RT, recent->value - activation->place.at, &recent->place);
}

static inline void
put_times (Batches *batches, const TsRecent *recent, const TsRecentTimes *times)
{
  const guint16 both = TS_INSTANCE_HAS_START | TS_INSTANCE_HAS_END;

  if (!(recent->flags & TS_INSTANCE_IN_WINDOW))
    return;
  if (recent->flags & TS_INSTANCE_HAS_DT)
    put (batches, TS_METRIC_DT, times->dt, &recent->place);
  if (recent->flags & TS_INSTANCE_HAS_E2S)
    put (batches, TS_METRIC_E2S, times->e2s, &recent->place);
  if ((recent->flags & both) != both)
    return;
  put (batches, TS_METRIC_GET, recent->value - recent->place.at, &recent->place);
  put (batches, TS_METRIC_NPR, recent->n_preemptions, &recent->place);
  if (recent->flags & TS_INSTANCE_NO_CET)
    return;
  put (batches, TS_METRIC_CET, times->running, &recent->place);
  put (batches, TS_METRIC_SELF, times->self, &recent->place);
}

/* How many slots an instance needs. */
static inline guint
n_slots_of (guint16 flags)
{
  return flags & TS_INSTANCE_HAS_ACTIVATION ? 3 : 2;
}

static void
put_all (Batches *batches, const TsMeasuredElement *element)
{
  static const TsMetricId metrics[TS_N_INTERVALS] = {
    [TS_INTERVAL_DT] = TS_METRIC_DT,   [TS_INTERVAL_PER] = TS_METRIC_PER, [TS_INTERVAL_ST] = TS_METRIC_ST,
    [TS_INTERVAL_E2S] = TS_METRIC_E2S, [TS_INTERVAL_PRE] = TS_METRIC_PRE, [TS_INTERVAL_WAIT] = TS_METRIC_WAIT,
    [TS_INTERVAL_POLL] = TS_METRIC_POLL, [TS_INTERVAL_AGE] = TS_METRIC_AGE,
  };

  for (guint i = 0; i < TS_N_METRICS; i++)
    batches->metrics[i].n = 0;
  for (guint i = 0; i < element->n_recent;)
    {
      const TsRecentSlot *slots = &element->recent[i];
      const TsRecent     *recent = &slots->head;

      if (recent->kind < TS_N_INTERVALS)
        {
          put (batches, metrics[recent->kind], recent->value, &recent->place);
          i++;
          continue;
        }
      put_times (batches, recent, &slots[1].times);
      if (recent->flags & TS_INSTANCE_HAS_ACTIVATION)
        put_activation (batches, recent, &slots[2].activation);
      i += n_slots_of (recent->flags);
    }
}

static gboolean
are_equal (const TsSampleBatch *a, const TsSampleBatch *b)
{
  return a->n == b->n && memcmp (a->values, b->values, a->n * sizeof *a->values) == 0;
}

/* GET of what is not preempted and SELF of what calls nothing are CET. Until they differ for the first time,
 * one accumulator serves. */
static void
share_cet (TsMeasuredElement *element, TsMetricId metric, TsSampleBatch *samples, const TsSampleBatch *cet)
{
  guint bit = 1u << metric;

  if (samples->n == 0 && cet->n == 0)
    return;
  if (element->metrics[TS_METRIC_CET] == NULL && element->metrics[metric] == NULL)
    element->shared |= bit;
  if ((element->shared & bit) == 0)
    return;
  if (are_equal (samples, cet))
    samples->n = 0;
  else
    ts_measured_unshare (element, metric);
}

static void
gather (TsMeasures *measures, TsMeasuredElement *element)
{
  Batches              batches;
  const TsSampleBatch *cet = &batches.metrics[TS_METRIC_CET];

  put_all (&batches, element);
  element->n_recent = 0;
  share_cet (element, TS_METRIC_GET, &batches.metrics[TS_METRIC_GET], cet);
  share_cet (element, TS_METRIC_SELF, &batches.metrics[TS_METRIC_SELF], cet);
  for (guint i = 0; i < TS_N_METRICS; i++)
    {
      const TsSampleBatch *batch = &batches.metrics[i];

      if (batch->n == 0)
        continue;
      if (element->metrics[i] == NULL)
        element->metrics[i] = ts_accumulator_new (measures->keep_all);
      ts_accumulator_take (element->metrics[i], batch, measures->current_section);
    }
}

void
ts_metrics_gather (TsMeasures *measures)
{
  for (guint i = 0; i < measures->n_elements; i++)
    if (measures->elements[i].n_recent > 0)
      gather (measures, &measures->elements[i]);
}

/* Elements that are rare, of which there may be a hundred thousand, take little. */
static G_GNUC_NO_INLINE void
make_room (TsMeasures *measures, TsMeasuredElement *element)
{
  if (element->size_recent == TS_RECENT_MAX)
    {
      gather (measures, element);
      return;
    }
  element->size_recent = (guint16) MAX (4, 2 * element->size_recent);
  element->recent = g_renew (TsRecentSlot, element->recent, element->size_recent);
}

static G_GNUC_NO_INLINE void
make_room_for_interval (TsMeasures *measures, const TsInterval *interval)
{
  make_room (measures, &measures->elements[interval->element]);
  ts_metrics_add_interval (measures, interval);
}

static G_GNUC_NO_INLINE void
make_room_for_instance (TsMeasures *measures, const TsInstance *instance)
{
  make_room (measures, &measures->elements[instance->element]);
  ts_metrics_add_instance (measures, instance);
}

static inline gboolean
has_room (const TsMeasuredElement *element, guint needed)
{
  return G_LIKELY (element->n_recent + needed <= element->size_recent);
}

void
ts_metrics_add_instance (TsMeasures *measures, const TsInstance *instance)
{
  TsMeasuredElement *element = &measures->elements[instance->element];
  guint              n_slots = n_slots_of (instance->flags);
  TsRecentSlot      *slots;

  if (!(instance->flags & (TS_INSTANCE_IN_WINDOW | TS_INSTANCE_COUNTS_PER | TS_INSTANCE_COUNTS_ST)))
    return;
  if (!has_room (element, n_slots))
    {
      make_room_for_instance (measures, instance);
      return;
    }
  slots = &element->recent[element->n_recent];
  element->n_recent = (guint16) (element->n_recent + n_slots);
  slots->head = (TsRecent){ TS_N_INTERVALS, instance->flags, instance->n_preemptions,
                            { instance->number, instance->start }, instance->end };
  slots[1].times = (TsRecentTimes){ instance->running, instance->self, instance->dt, instance->e2s };
  if (instance->flags & TS_INSTANCE_HAS_ACTIVATION)
    slots[2].activation
        = (TsRecentActivation){ { instance->number, instance->activation }, instance->per, instance->st };
}

void
ts_metrics_add_interval (TsMeasures *measures, const TsInterval *interval)
{
  TsMeasuredElement *element = &measures->elements[interval->element];

  if (!has_room (element, 1))
    {
      make_room_for_interval (measures, interval);
      return;
    }
  element->recent[element->n_recent++].head
      = (TsRecent){ (guint16) interval->kind, 0, 0, { interval->number, interval->at }, interval->value };
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
  return ts_measured_samples (&measures->elements[element], ts_metric_sampled (metric, type));
}
