/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "analyse/reading.h"
#include "analyse/window.h"

static void
note_resource (gpointer data, guint32 element, guint16 resource)
{
  TsReading *reading = data;
  TsRecent  *recent = &reading->target->recents[element];

  if (ts_recent_ran_on (recent, resource))
    return;
  if (resource < TS_RECENT_RESOURCES)
    recent->ran_on |= (guint16) (1u << resource);
  else
    recent->last_ran_on = (guint16) (resource + 1);
  if (resource != TS_NO_RESOURCE
      && ts_system_get_element (reading->trace->system, element)->resource == TS_NO_RESOURCE)
    ts_measures_note_resource (reading->target, element, resource);
}

static void
note_resources_beside (TsReading *reading)
{
  GHashTableIter iter;
  gpointer       key;

  if (reading->import.ran_on == NULL)
    return;
  g_hash_table_iter_init (&iter, reading->import.ran_on);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      const guint64 both = *(const guint64 *) key;

      note_resource (reading, (guint32) (both >> 16), (guint16) both);
    }
}

/* On one of many resources, or none. */
static G_GNUC_NO_INLINE void
take_instance_elsewhere (TsReading *reading, const TsInstance *instance)
{
  note_resource (reading, instance->element, instance->resource);
  ts_metrics_add_instance (reading->target, instance);
}

static void
take_instance (gpointer data, const TsInstance *instance)
{
  TsReading *reading = data;

  reading->n_instances++;
  if (G_UNLIKELY (instance->resource >= TS_TOLD_RESOURCES))
    take_instance_elsewhere (reading, instance);
  else
    ts_metrics_keep_instance (reading->target, instance);
}

/* The same where there are tallies. */
static void
tally_instance (gpointer data, const TsInstance *instance)
{
  TsReading *reading = data;

  reading->n_instances++;
  if (G_UNLIKELY (instance->resource >= TS_TOLD_RESOURCES))
    take_instance_elsewhere (reading, instance);
  else
    ts_metrics_add_instance (reading->target, instance);
}

/* The same where somebody else takes them, too. */
static void
pass_instance (gpointer data, const TsInstance *instance)
{
  TsReading *reading = data;

  tally_instance (data, instance);
  reading->instances->instance (reading->instances_data, reading->trace, instance);
}

static void
take_interval (gpointer data, const TsInterval *interval)
{
  TsReading *reading = data;

  ts_metrics_keep_interval (reading->target, interval);
}

static void
tally_interval (gpointer data, const TsInterval *interval)
{
  TsReading *reading = data;

  ts_metrics_add_interval (reading->target, interval);
}

static void
take_unfinished (gpointer data, const TsInstance *instance)
{
  TsReading *reading = data;

  ts_measures_note_unfinished (reading->target, instance);
}

static void
take_awaited (gpointer data, const TsInterval *interval)
{
  TsReading *reading = data;

  ts_measures_note_awaited (reading->target, interval);
}

/* A tally has no room for so many at once. */
static void
take_intervals (gpointer data, const TsInterval *interval, guint n)
{
  TsReading *reading = data;

  ts_metrics_keep_intervals (reading->target, interval, n);
}

/* The window can be resolved only when the time base is known: with the first section. */
static void
make_timeline (TsReading *reading)
{
  const gboolean       passes = reading->import.shows_instances;
  const gboolean       tallies = ts_measures_has_tallies (reading->target);
  const TsTimelineSink sink = { passes    ? pass_instance
                                : tallies ? tally_instance
                                          : take_instance,
                                tallies ? tally_interval : take_interval, note_resource,
                                take_intervals, take_unfinished, take_awaited };
  TsTimelineOptions    options = { .infer_preemption = reading->options->infer_preemption,
                                   .subtract_overhead = reading->options->subtract_overhead,
                                   .joins_e2s = tallies && !passes,
                                   .no_self = tallies && !passes,
                                   .gives_e2s = passes,
                                   .names_come_late = !reading->import.can_reread };
  TsTrace             *trace = reading->trace;

  if (!ts_window_resolve (reading->options, &reading->import, &options, &reading->error))
    options.has_from = options.has_to = FALSE;
  reading->timeline = ts_timeline_new (trace->system, reading->found, &options, &sink, reading);
}

/* What the timeline had counted in all sections before this one. */
static void
remember_counts (TsReading *reading)
{
  guint n_elements = ts_system_n_elements (reading->trace->system);
  guint n_resources = ts_system_n_resources (reading->trace->system);

  reading->counts_before = g_renew (TsElementCounts, reading->counts_before, n_elements);
  reading->n_counts_before = n_elements;
  for (guint i = 0; i < n_elements; i++)
    reading->counts_before[i] = ts_timeline_counts (reading->timeline, i);
  reading->busy_before = g_renew (TsInt128, reading->busy_before, n_resources);
  reading->n_busy_before = n_resources;
  for (guint i = 0; i < n_resources; i++)
    reading->busy_before[i] = ts_timeline_busy (reading->timeline, (guint16) i);
  reading->window_before = ts_timeline_window (reading->timeline);
}

/* Of one section, or with 0 of all. */
static TsMeasures *
new_measures (const TsOptions *options, guint section)
{
  TsMeasures *measures = ts_measures_new (section, ts_options_exact_metrics (options));

  measures->no_samples = options->no_samples;
  measures->no_details = options->no_details;
  return measures;
}

static void
begin_section (gpointer data, TsSection *section)
{
  TsReading *reading = data;
  TsTrace   *trace = reading->trace;

  if (reading->timeline == NULL)
    make_timeline (reading);
  ts_timeline_begin_section (reading->timeline, section);
  reading->n_instances = 0;
  if (reading->options->per_section)
    {
      reading->target = new_measures (reading->options, section->number);
      g_ptr_array_add (trace->section_measures, reading->target);
      remember_counts (reading);
    }
  ts_metrics_begin_section (reading->target, section->number);
  ts_measures_grow (reading->target, ts_system_n_elements (trace->system), ts_system_n_resources (trace->system));
}

static void
take_events (gpointer data, const TsEvent *events, gsize n_events)
{
  TsReading *reading = data;

  ts_measures_grow (reading->target, ts_system_n_elements (reading->trace->system),
                    ts_system_n_resources (reading->trace->system));
  ts_timeline_events (reading->timeline, events, n_events);
}

static void
subtract_counts (TsElementCounts *counts, const TsElementCounts *before)
{
#define SUBTRACT(count) counts->count -= before->count;
  TS_ELEMENT_COUNTS (SUBTRACT)
#undef SUBTRACT
}

/* Everything that the timeline has counted goes to the measures of the section, or of all. */
static void
take_counts (TsReading *reading, TsMeasures *measures, gboolean of_section)
{
  static const TsElementCounts none = { 0 };
  TsSystem                    *system = reading->trace->system;

  ts_measures_grow (measures, ts_system_n_elements (system), ts_system_n_resources (system));
  for (guint i = 0; i < measures->n_elements; i++)
    {
      TsElementCounts counts = ts_timeline_counts (reading->timeline, i);

      if (of_section && i < reading->n_counts_before)
        subtract_counts (&counts, &reading->counts_before[i]);
      /* what happens is not written by anybody: it is like a signal for its DT only */
      if (ts_system_get_element (system, i)->type == TS_TYPE_EVENT)
        counts.writes = 0;
      if (memcmp (&counts, &none, sizeof counts) != 0) /* memory that nobody writes to costs nothing */
        measures->elements[i].counts = counts;
    }
  for (guint i = 0; i < measures->n_resources; i++)
    {
      measures->busy[i] = ts_timeline_busy (reading->timeline, (guint16) i);
      if (of_section && i < reading->n_busy_before)
        measures->busy[i] -= reading->busy_before[i];
      if (reading->import.busy != NULL && i < reading->import.busy->len)
        measures->busy[i] = g_array_index (reading->import.busy, TsInt128, i);
    }
  measures->window = ts_timeline_window (reading->timeline) - (of_section ? reading->window_before : 0);
}

static void
end_section (gpointer data, TsSection *section)
{
  TsReading *reading = data;

  ts_timeline_end_section (reading->timeline);
  note_resources_beside (reading);
  reading->trace->n_events += section->n_events;
  reading->trace->n_instances += reading->n_instances;
  if (reading->options->per_section)
    {
      ts_metrics_gather (reading->target);
      ts_metrics_drop_room (reading->target);
      take_counts (reading, reading->target, TRUE);
      ts_measures_merge (reading->trace->measures, reading->target);
    }
}

static void
reset_trace (TsTrace *trace, const TsOptions *options, const TsImportMemory *memory)
{
  if (!memory->has_system)
    {
      g_clear_pointer (&trace->system, ts_system_free);
      trace->system = ts_system_new ();
      for (guint i = 0; options->idle != NULL && i < options->idle->len; i++)
        ts_system_add_idle_pattern (trace->system, g_ptr_array_index (options->idle, i));
    }
  ts_system_begin_reading (trace->system);
  ts_diagnostics_clear (trace->diagnostics);
  g_ptr_array_set_size (trace->sections, 0);
  g_ptr_array_set_size (trace->tables, 0);
  g_clear_pointer (&trace->measures, ts_measures_free);
  trace->measures = new_measures (options, 0);
  g_clear_pointer (&trace->section_measures, g_ptr_array_unref);
  if (options->per_section)
    trace->section_measures = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_measures_free);
  trace->n_events = trace->n_instances = 0;
}

TsReading *
ts_reading_new (TsTrace *trace, const TsOptions *options, TsImportMemory *memory, gboolean sort_all, guint threads,
                const TsInstanceSink *instances, gpointer instances_data)
{
  static const TsEventSink sink = { begin_section, take_events, end_section };
  TsReading               *reading = g_new0 (TsReading, 1);
  TsImport                *import = &reading->import;

  reading->trace = trace;
  reading->options = options;
  reading->instances = instances;
  reading->instances_data = instances_data;
  reset_trace (trace, options, memory);
  reading->target = trace->measures;
  reading->found = ts_diagnostics_new (trace->path);
  if (instances != NULL && instances->restart != NULL)
    instances->restart (instances_data, trace);
  import->path = trace->path;
  import->system = trace->system;
  import->diagnostics = trace->diagnostics;
  import->memory = memory;
  import->sections = trace->sections;
  import->options = options;
  import->tables = trace->tables;
  import->subtract_overhead = options->subtract_overhead;
  import->shows_instances = instances != NULL && instances->instance != NULL;
  import->sink = ts_order_sink ();
  if (threads > 1 && options->two_threads)
    reading->handover = ts_handover_new (trace->system, &sink, reading);
  reading->order = reading->handover != NULL ? ts_order_new (import, sort_all, ts_handover_sink (), reading->handover)
                                             : ts_order_new (import, sort_all, &sink, reading);
  import->sink_data = reading->order;
  return reading;
}

gboolean
ts_reading_finish (TsReading *reading)
{
  TsMeasures *measures = reading->trace->measures;

  g_clear_pointer (&reading->handover, ts_handover_free);
  if (reading->import.surveying || ts_order_is_learning (reading->order))
    return TRUE;
  if (!reading->options->per_section && reading->timeline != NULL)
    {
      ts_metrics_gather (measures);
      take_counts (reading, measures, FALSE);
    }
  return FALSE;
}

void
ts_reading_free (TsReading *reading)
{
  ts_handover_free (reading->handover);
  ts_order_free (reading->order);
  ts_timeline_free (reading->timeline);
  ts_metrics_drop_room (reading->trace->measures);
  ts_diagnostics_merge (reading->trace->diagnostics, reading->found);
  ts_diagnostics_free (reading->found);
  g_free (reading->counts_before);
  g_free (reading->busy_before);
  g_clear_pointer (&reading->import.busy, g_array_unref);
  g_clear_pointer (&reading->import.ran_on, g_hash_table_unref);
  g_clear_error (&reading->error);
  g_free (reading);
}

gboolean
ts_reading_has_failed (TsReading *reading, GError **error)
{
  if (reading->error == NULL || reading->import.surveying)
    return FALSE;
  g_propagate_error (error, g_steal_pointer (&reading->error));
  return TRUE;
}
