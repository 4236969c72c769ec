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
  g_return_val_if_fail (name != NULL, FALSE);
  for (guint i = 0; i < TS_N_METRICS; i++)
    if (g_ascii_strcasecmp (name, metric_infos[i].name) == 0)
      {
        *metric = (TsMetricId) i;
        return TRUE;
      }
  return FALSE;
}

/* TS_INSTANCE_NO_CET the other way round, as in a slot. */
#define KNOWS_CET TS_INSTANCE_NO_CET

#define COMPLETE (TS_INSTANCE_IN_WINDOW | TS_INSTANCE_HAS_START | TS_INSTANCE_HAS_END)

/* When an instance has a sample: what needs the end is complete by that, since neither a head, which
 * has no start, nor a tail has both. The other metrics have intervals only, or are calculated. */
static const struct
{
  guint8  metric; /* TsMetricId */
  guint8  at_activation; /* where it is; otherwise at the start */
  guint16 flags; /* that it needs */
} columns_of_instances[] = {
  { TS_METRIC_IPT, FALSE, TS_INSTANCE_IN_WINDOW | TS_INSTANCE_HAS_ACTIVATION | TS_INSTANCE_HAS_START },
  { TS_METRIC_CET, FALSE, COMPLETE | KNOWS_CET },
  { TS_METRIC_GET, FALSE, COMPLETE },
  { TS_METRIC_RT, FALSE, TS_INSTANCE_IN_WINDOW | TS_INSTANCE_HAS_ACTIVATION | TS_INSTANCE_HAS_END },
  { TS_METRIC_DT, FALSE, TS_INSTANCE_IN_WINDOW | TS_INSTANCE_HAS_DT },
  { TS_METRIC_PER, TRUE, TS_INSTANCE_HAS_ACTIVATION | TS_INSTANCE_COUNTS_PER },
  { TS_METRIC_ST, TRUE, TS_INSTANCE_HAS_ACTIVATION | TS_INSTANCE_COUNTS_ST },
  { TS_METRIC_SELF, FALSE, COMPLETE | KNOWS_CET },
  { TS_METRIC_E2S, FALSE, TS_INSTANCE_IN_WINDOW | TS_INSTANCE_HAS_E2S },
  { TS_METRIC_NPR, FALSE, COMPLETE },
};

/* So many of an element are counted at a time. */
#define MAX_INSTANCES 64
#define MAX_INTERVALS 128

/* Recent instances of one element, by metric. */
typedef struct
{
  guint   n;
  guint32 all, any; /* the flags that all of them have, and those that any has */
  gint64  first_start, first_activation;
  guint   n_samples[TS_N_METRICS];
  gint64  values[TS_N_METRICS][MAX_INSTANCES];
  guint8  which[TS_N_METRICS][MAX_INSTANCES]; /* instance a sample is of, where not all have one */
} Columns;

/* Every metric of every instance, whether it has that sample or not: this way there is nothing to decide. Unsigned,
 * since what is no sample may overflow. */
static TS_ALWAYS_INLINE void
fill (Columns *columns, gboolean no_details, const TsRecents *recents, const guint32 *order, guint n)
{
  guint32 all = G_MAXUINT32, any = 0;
  gint64  first = G_MAXINT64;

  for (guint i = 0; i < n; i++)
    {
      const TsRecentSlot *slot = ts_recents_slots (recents, order[i]);
      const TsRecentSlot *ahead = ts_recents_slots (recents, order[i + TS_RECENTS_AHEAD]);

      /* those of one element lie far apart, and may each be on two lines of the cache */
      __builtin_prefetch (&ahead[0].instance.flags);
      __builtin_prefetch (&ahead[1].times.e2s);
      all &= slot[0].instance.flags;
      any |= slot[0].instance.flags;
      first = MIN (first, slot[0].instance.start);
      columns->values[TS_METRIC_GET][i] = (gint64) ((guint64) slot[0].instance.end - (guint64) slot[0].instance.start);
      columns->values[TS_METRIC_CET][i] = slot[1].times.running;
      columns->values[TS_METRIC_DT][i] = slot[1].times.dt;
      columns->values[TS_METRIC_E2S][i] = slot[1].times.e2s;
      if (no_details)
        continue;
      columns->values[TS_METRIC_NPR][i] = slot[0].instance.n_preemptions;
      columns->values[TS_METRIC_SELF][i] = slot[1].times.self;
    }
  columns->n = n;
  columns->all = all;
  columns->any = any;
  columns->first_start = first;
  first = G_MAXINT64;
  if (!(any & TS_INSTANCE_HAS_ACTIVATION))
    return;
  for (guint i = 0; i < n; i++)
    {
      /* of another instance, if this one was not activated */
      const TsRecentSlot *slot = ts_recents_slots (recents, order[i]);
      guint64             activation = (guint64) slot[2].activation.activation;

      first = MIN (first, slot[2].activation.activation);
      columns->values[TS_METRIC_IPT][i] = (gint64) ((guint64) slot[0].instance.start - activation);
      columns->values[TS_METRIC_RT][i] = (gint64) ((guint64) slot[0].instance.end - activation);
      columns->values[TS_METRIC_PER][i] = slot[2].activation.per;
      columns->values[TS_METRIC_ST][i] = slot[2].activation.st;
    }
  columns->first_activation = first;
}

static inline gboolean
is_detail (TsMetricId metric)
{
  return metric == TS_METRIC_SELF || metric == TS_METRIC_NPR;
}

/* Leaves in the column of @metric the samples that there are. Returns how many. */
static guint
pick (Columns *columns, TsMetricId metric, guint32 needed, const TsRecents *recents, const guint32 *order)
{
  gint64 *values = columns->values[metric];
  guint   n = 0;

  for (guint i = 0; i < columns->n; i++)
    {
      values[n] = values[i];
      columns->which[metric][n] = (guint8) i;
      n += (ts_recents_slots (recents, order[i])->instance.flags & needed) == needed;
    }
  return n;
}

static void
make_columns (Columns *columns, gboolean no_details, const TsRecents *recents, const guint32 *order, guint n)
{
  /* a loop for each */
  if (no_details)
    fill (columns, TRUE, recents, order, n);
  else
    fill (columns, FALSE, recents, order, n);
  for (guint i = 0; i < G_N_ELEMENTS (columns_of_instances); i++)
    {
      TsMetricId metric = (TsMetricId) columns_of_instances[i].metric;
      guint32    needed = columns_of_instances[i].flags;

      if (no_details && is_detail (metric))
        columns->n_samples[metric] = 0;
      else if ((columns->all & needed) == needed)
        columns->n_samples[metric] = n;
      else if ((columns->any & needed) == needed)
        columns->n_samples[metric] = pick (columns, metric, needed, recents, order);
      else
        columns->n_samples[metric] = 0;
    }
}

/* Before CET is taken. */
static void
share_cet (TsMeasures *measures, TsMeasuredElement *element, Columns *columns, TsMetricId metric)
{
  guint n = columns->n_samples[metric], n_cet = columns->n_samples[TS_METRIC_CET];

  if ((n == 0 && n_cet == 0) || !ts_measured_shares_cet (element, metric))
    return;
  if (n == n_cet && memcmp (columns->values[metric], columns->values[TS_METRIC_CET], n * sizeof (gint64)) == 0)
    columns->n_samples[metric] = 0;
  else
    ts_measured_unshare (&measures->arena, element, metric);
}

static void
take (TsMeasures *measures, TsMeasuredElement *element, TsMetricId metric, const TsSampleBatch *batch)
{
  ts_accumulator_take (ts_measures_accumulator (measures, element, metric), batch);
}

static void
gather_instances (TsMeasures *measures, TsMeasuredElement *element, const guint32 *order, guint n)
{
  const TsRecents    *recents = &measures->instances;
  const TsRecentSlot *slots = ts_recents_slots (recents, 0);
  Columns             columns;
  TsSamplePlaces      places[2];

  make_columns (&columns, measures->no_details, recents, order, n);
  share_cet (measures, element, &columns, TS_METRIC_GET);
  if (!measures->no_details)
    share_cet (measures, element, &columns, TS_METRIC_SELF);
  places[FALSE] = ts_recents_places (recents, &slots[0].instance.number, &slots[0].instance.start, order,
                                     columns.first_start);
  places[TRUE] = ts_recents_places (recents, &slots[0].instance.number, &slots[2].activation.activation, order,
                                    columns.first_activation);
  for (guint i = 0; i < G_N_ELEMENTS (columns_of_instances); i++)
    {
      TsMetricId metric = (TsMetricId) columns_of_instances[i].metric;
      guint      n_samples = columns.n_samples[metric];

      if (n_samples > 0)
        take (measures, element, metric,
              &(TsSampleBatch){ n_samples, columns.values[metric], &places[columns_of_instances[i].at_activation],
                                n_samples < n ? columns.which[metric] : NULL });
    }
}

static const TsMetricId metrics_of_intervals[TS_N_INTERVALS] = {
  [TS_INTERVAL_DT] = TS_METRIC_DT,     [TS_INTERVAL_PER] = TS_METRIC_PER, [TS_INTERVAL_ST] = TS_METRIC_ST,
  [TS_INTERVAL_E2S] = TS_METRIC_E2S,   [TS_INTERVAL_PRE] = TS_METRIC_PRE, [TS_INTERVAL_WAIT] = TS_METRIC_WAIT,
  [TS_INTERVAL_POLL] = TS_METRIC_POLL, [TS_INTERVAL_AGE] = TS_METRIC_AGE,
};

/* Of each the first has been taken. */
static G_GNUC_NO_INLINE void
repeat_intervals (TsMeasures *measures, TsMeasuredElement *element, const guint32 *order, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const TsRecentSlot *slot = ts_recents_slots (&measures->intervals, order[i]);

      if (slot->interval.further > 0)
        ts_accumulator_repeat (ts_measures_accumulator (measures, element, metrics_of_intervals[slot->interval.kind]),
                               slot->interval.value, slot->interval.further);
    }
}

static void
gather_intervals (TsMeasures *measures, TsMeasuredElement *element, const guint32 *order, guint n)
{
  const TsRecents    *recents = &measures->intervals;
  const TsRecentSlot *slots = ts_recents_slots (recents, 0);
  TsSamplePlaces      places;
  gint64              first = G_MAXINT64;
  guint               n_samples[TS_N_INTERVALS] = { 0 };
  gint64              values[TS_N_INTERVALS][MAX_INTERVALS];
  guint8              which[TS_N_INTERVALS][MAX_INTERVALS];
  guint32             further = 0;

  for (guint i = 0; i < n; i++)
    {
      const TsRecentSlot *slot = ts_recents_slots (recents, order[i]);
      guint32             kind = slot->interval.kind;
      guint               sample = n_samples[kind]++;

      __builtin_prefetch (ts_recents_slots (recents, order[i + TS_RECENTS_AHEAD]));
      values[kind][sample] = slot->interval.value;
      which[kind][sample] = (guint8) i;
      first = MIN (first, slot->interval.at);
      further |= slot->interval.further;
    }
  places = ts_recents_places (recents, &slots[0].interval.number, &slots[0].interval.at, order, first);
  for (guint kind = 0; kind < TS_N_INTERVALS; kind++)
    if (n_samples[kind] > 0)
      take (measures, element, metrics_of_intervals[kind],
            &(TsSampleBatch){ n_samples[kind], values[kind], &places, which[kind] });
  if (G_UNLIKELY (further > 0))
    repeat_intervals (measures, element, order, n);
}

typedef void (*Gather) (TsMeasures *measures, TsMeasuredElement *element, const guint32 *order, guint n);

/* These have no effect that a compiler sees: what is not put where it is called, is not called at all. */
static TS_ALWAYS_INLINE void
prefetch_accumulators (const TsMeasures *measures, guint32 element)
{
  TsAccumulator *const *metrics = measures->elements[element].metrics;

  for (guint i = 0; i < TS_N_METRICS; i++)
    if (metrics[i] != NULL)
      ts_accumulator_prefetch (metrics[i], measures->no_samples);
}

/* Later. */
static TS_ALWAYS_INLINE void
prefetch_samples (const TsMeasures *measures, guint32 element)
{
  TsAccumulator *const *metrics = measures->elements[element].metrics;

  for (guint i = 0; i < TS_N_METRICS; i++)
    if (metrics[i] != NULL)
      ts_accumulator_prefetch_end (metrics[i]);
}

/* Where those of an element are. */
static TS_ALWAYS_INLINE void
prefetch_element (const TsMeasures *measures, guint32 element)
{
  const TsMeasuredElement *measured;

  if (element >= measures->n_elements)
    return;
  measured = &measures->elements[element];
  __builtin_prefetch (measured);
  __builtin_prefetch (&measured->metrics[TS_N_METRICS / 2]);
  __builtin_prefetch (&measured->shared);
}

/* The first element from @element on that has something, or @n_elements; @ends as in gather(). */
static guint32
find_next (const guint32 *ends, guint32 element, guint32 begin, guint32 n_elements)
{
  while (element < n_elements && ends[element] == begin)
    element++;
  return element;
}

/* What came of so few elements is still in a cache, and so are they. */
#define NEAR_ROOM (16 * 1024)

/* Hands over the @recents of each element, while what is needed for the next one is fetched. */
static void
gather (TsMeasures *measures, TsRecents *recents, Gather gather_some, guint most)
{
  const guint32 *ends = recents->counts;
  guint32        n_elements = measures->n_elements, element, next;
  gboolean       is_near = recents->n_room <= NEAR_ROOM;

  if (recents->n_places == 0)
    return;
  ts_recents_sort (recents, n_elements);
  element = find_next (ends, 0, 0, n_elements);
  for (guint32 begin = 0, n; element < n_elements; element = next)
    {
      next = find_next (ends, element + 1, ends[element], n_elements);
      if (!is_near && next < n_elements)
        {
          prefetch_accumulators (measures, next);
          prefetch_element (measures, next + 1);
        }
      if (!is_near && !measures->no_samples)
        prefetch_samples (measures, element);
      for (; begin < ends[element]; begin += n)
        {
          n = MIN (ends[element] - begin, most);
          gather_some (measures, &measures->elements[element], &recents->sorted[begin], n);
        }
    }
  ts_recents_empty (recents, n_elements);
}

static void
gather_recents (TsMeasures *measures)
{
  gather (measures, &measures->instances, gather_instances, MAX_INSTANCES);
  gather (measures, &measures->intervals, gather_intervals, MAX_INTERVALS);
}

void
ts_metrics_begin_section (TsMeasures *measures, guint section)
{
  ts_measures_add_waiting (measures);
  measures->current_section = section;
  ts_recents_begin_section (&measures->instances, section);
  ts_recents_begin_section (&measures->intervals, section);
}

void
ts_metrics_gather (TsMeasures *measures)
{
  ts_measures_carry_tallies (measures); /* some of what waits may go to the recent ones */
  gather_recents (measures);
}

void
ts_metrics_drop_room (TsMeasures *measures)
{
  ts_recents_drop_room (&measures->instances);
  ts_recents_drop_room (&measures->intervals);
  ts_measures_drop_tallies (measures);
}

static void
make_room (TsMeasures *measures, TsRecents *recents)
{
  if (!ts_recents_grow (recents, measures->n_elements))
    gather_recents (measures);
}

void
ts_metrics_keep_instance_in_full (TsMeasures *measures, const TsInstance *instance)
{
  make_room (measures, &measures->instances);
  ts_metrics_keep_instance (measures, instance);
}

void
ts_metrics_keep_intervals_in_full (TsMeasures *measures, const TsInterval *interval, guint n)
{
  make_room (measures, &measures->intervals);
  ts_metrics_keep_intervals (measures, interval, n);
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
