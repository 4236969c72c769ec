/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <tracestat/timeline.h>

#include "analyse/handover.h"
#include "analyse/trace.h"
#include "analyse/window.h"
#include "import/input.h"
#include "import/order.h"
#include "report/read.h"

/* The walk of a trace: input -> importer -> order -> timeline -> measures, with a handover to another thread
 * behind the order where there may be one. An input is read again from its beginning where a reading finds out
 * something that had to be known before (a finer time scale, events out of order, the system after the data). Of a
 * stream that is too long for that the head is kept: it is surveyed before the one reading. */

/* A file that keeps asking for one more reading is a defect of an importer, not of the file. */
#define MAX_READINGS 24
#define HEAD_SIZE (64 * 1024)

/* One reading of a trace, from the importer's first call to its last. */
typedef struct
{
  TsTrace              *trace;
  const TsOptions      *options;
  const TsInstanceSink *instances;
  gpointer              instances_data;
  TsImport              import;
  TsOrder              *order;
  TsHandover           *handover; /* between the order and what follows, or NULL */
  TsDiagnostics        *found;    /* by the timeline, which may be in another thread than the importer */
  TsTimeline           *timeline;
  TsMeasures           *target; /* of the open section */
  guint64               n_instances; /* of the open section */
  TsElementCounts      *counts_before; /* of each element, when the section began */
  guint                 n_counts_before;
  TsInt128             *busy_before;
  guint                 n_busy_before; /* resources may be declared while the section is read */
  TsInt128              window_before;
  GError               *error; /* found where no error can be returned */
} Reading;

static void
note_resource (gpointer data, guint32 element, guint16 resource)
{
  Reading  *reading = data;
  TsRecent *recent = &reading->target->recents[element];

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
note_resources_beside (Reading *reading)
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
take_instance_elsewhere (Reading *reading, const TsInstance *instance)
{
  note_resource (reading, instance->element, instance->resource);
  ts_metrics_add_instance (reading->target, instance);
}

static void
take_instance (gpointer data, const TsInstance *instance)
{
  Reading *reading = data;

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
  Reading *reading = data;

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
  Reading *reading = data;

  tally_instance (data, instance);
  reading->instances->instance (reading->instances_data, reading->trace, instance);
}

static void
take_interval (gpointer data, const TsInterval *interval)
{
  Reading *reading = data;

  ts_metrics_keep_interval (reading->target, interval);
}

static void
tally_interval (gpointer data, const TsInterval *interval)
{
  Reading *reading = data;

  ts_metrics_add_interval (reading->target, interval);
}

static void
take_unfinished (gpointer data, const TsInstance *instance)
{
  Reading *reading = data;

  ts_measures_note_unfinished (reading->target, instance);
}

static void
take_awaited (gpointer data, const TsInterval *interval)
{
  Reading *reading = data;

  ts_measures_note_awaited (reading->target, interval);
}

/* A tally has no room for so many at once. */
static void
take_intervals (gpointer data, const TsInterval *interval, guint n)
{
  Reading *reading = data;

  ts_metrics_keep_intervals (reading->target, interval, n);
}

/* The window can be resolved only when the time base is known: with the first section. */
static void
make_timeline (Reading *reading)
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
remember_counts (Reading *reading)
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

static void
begin_section (gpointer data, TsSection *section)
{
  Reading *reading = data;
  TsTrace *trace = reading->trace;

  if (reading->timeline == NULL)
    make_timeline (reading);
  ts_timeline_begin_section (reading->timeline, section);
  reading->n_instances = 0;
  if (reading->options->per_section)
    {
      reading->target = ts_measures_new (section->number, ts_options_exact_metrics (reading->options));
      reading->target->no_samples = reading->options->no_samples;
      reading->target->no_details = reading->options->no_details;
      g_ptr_array_add (trace->section_measures, reading->target);
      remember_counts (reading);
    }
  ts_metrics_begin_section (reading->target, section->number);
  ts_measures_grow (reading->target, ts_system_n_elements (trace->system), ts_system_n_resources (trace->system));
}

static void
take_events (gpointer data, const TsEvent *events, gsize n_events)
{
  Reading *reading = data;

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
take_counts (Reading *reading, TsMeasures *measures, gboolean of_section)
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
  Reading *reading = data;

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
  trace->measures = ts_measures_new (0, ts_options_exact_metrics (options));
  trace->measures->no_samples = options->no_samples;
  trace->measures->no_details = options->no_details;
  g_clear_pointer (&trace->section_measures, g_ptr_array_unref);
  if (options->per_section)
    trace->section_measures = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_measures_free);
  trace->n_events = trace->n_instances = 0;
}

static void
begin_reading (Reading *reading, TsImportMemory *memory, gboolean sort_all, guint threads)
{
  static const TsEventSink sink = { begin_section, take_events, end_section };
  TsTrace                 *trace = reading->trace;
  TsImport                *import = &reading->import;

  reset_trace (trace, reading->options, memory);
  reading->target = trace->measures;
  reading->found = ts_diagnostics_new (trace->path);
  if (reading->instances != NULL && reading->instances->restart != NULL)
    reading->instances->restart (reading->instances_data, trace);
  import->path = trace->path;
  import->system = trace->system;
  import->diagnostics = trace->diagnostics;
  import->memory = memory;
  import->sections = trace->sections;
  import->options = reading->options;
  import->tables = trace->tables;
  import->subtract_overhead = reading->options->subtract_overhead;
  import->shows_instances = reading->instances != NULL && reading->instances->instance != NULL;
  import->sink = ts_order_sink ();
  if (threads > 1 && reading->options->two_threads)
    reading->handover = ts_handover_new (trace->system, &sink, reading);
  reading->order = reading->handover != NULL ? ts_order_new (import, sort_all, ts_handover_sink (), reading->handover)
                                             : ts_order_new (import, sort_all, &sink, reading);
  import->sink_data = reading->order;
}

static void
end_reading (Reading *reading)
{
  if (reading->order == NULL)
    return; /* it was not begun */
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
}

typedef struct
{
  TsProgress function;
  gpointer   data;
} ProgressCall;

/* An error from within a callback. A reading that only learns may not know the time base yet. */
static gboolean
has_failed (Reading *reading, GError **error)
{
  if (reading->error == NULL || reading->import.surveying)
    return FALSE;
  g_propagate_error (error, g_steal_pointer (&reading->error));
  return TRUE;
}

/* Feeds the whole input, whose first block is already read. */
static gboolean
feed_input (Reading *reading, const TsImporter *importer, gpointer parser, TsInput *input, const guint8 *bytes,
            gsize length, const ProgressCall *progress, GError **error)
{
  while (length > 0)
    {
      reading->import.can_reread = ts_input_can_rewind (input);
      if (!importer->feed (parser, bytes, length, error) || has_failed (reading, error))
        return FALSE;
      if (reading->import.has_learnt)
        return TRUE;
      if (progress->function != NULL)
        progress->function (progress->data, reading->trace->path, ts_input_position (input), ts_input_size (input));
      if (!ts_input_read (input, &bytes, &length, error))
        return FALSE;
    }
  reading->import.can_reread = ts_input_can_rewind (input);
  return importer->finish (parser, error) && !has_failed (reading, error);
}

static const TsImporter *
choose_importer (const char *path, const TsOptions *options, const guint8 *bytes, gsize length, GError **error)
{
  const TsImporter *importer = options->input_format != NULL ? ts_importer_by_name (options->input_format) : NULL;

  /* a baseline may be a trace where what is compared with it is said to be a report */
  if (importer != NULL)
    return importer;
  return ts_importer_detect (path, bytes, MIN (length, HEAD_SIZE), error);
}

/* One reading; *again tells whether it must be followed by another. */
static gboolean
read_once (TsTrace *trace, TsInput *input, const TsOptions *options, guint threads, const TsInstanceSink *sink,
           gpointer sink_data, TsImportMemory *memory, const ProgressCall *progress, gboolean *again, GError **error)
{
  Reading          *reading = g_new0 (Reading, 1);
  const TsImporter *importer = NULL;
  const guint8     *bytes;
  gsize             length;
  gpointer          parser;
  gboolean          ok = FALSE;

  reading->trace = trace;
  reading->options = options;
  reading->instances = sink;
  reading->instances_data = sink_data;
  if (ts_input_read (input, &bytes, &length, error))
    importer = choose_importer (trace->path, options, bytes, length, error);
  if (importer != NULL)
    {
      trace->format = importer->name;
      /* sorting as a whole is for streams: a file shows at its first reading how far events are out of order */
      begin_reading (reading, memory, options->sort && ts_input_size (input) == 0, threads);
      parser = importer->open (&reading->import);
      ok = feed_input (reading, importer, parser, input, bytes, length, progress, error);
      importer->close (parser);
      g_clear_pointer (&reading->handover, ts_handover_free);
      *again = ok && (reading->import.surveying || ts_order_is_learning (reading->order));
      if (ok && !*again && !options->per_section && reading->timeline != NULL)
        {
          ts_metrics_gather (trace->measures);
          take_counts (reading, trace->measures, FALSE);
        }
    }
  end_reading (reading);
  g_free (reading);
  if (ok && !*again)
    ts_measures_grow (trace->measures, ts_system_n_elements (trace->system), ts_system_n_resources (trace->system));
  return ok;
}

/* What has to be known before the first event is looked for in the head of a stream that can be read only once.
 * What is wrong there the reading itself tells. The order of events is not learnt: how far they step back shows
 * only at the end. */
static gboolean
survey_head (TsTrace *trace, TsInput *input, const TsOptions *options, TsImportMemory *memory, GError **error)
{
  Reading          *reading;
  const TsImporter *importer;
  const guint8     *bytes;
  gsize             length;
  gpointer          parser;
  gboolean          ok = TRUE, goes_on;

  if (!ts_input_read (input, &bytes, &length, error))
    return FALSE;
  if (ts_input_n_kept (input) == 0)
    return ts_input_rewind (input, error);
  importer = choose_importer (trace->path, options, bytes, length, error);
  if (importer == NULL)
    return FALSE;
  if (importer->finish_head == NULL)
    return ts_input_rewind (input, error);

  reading = g_new0 (Reading, 1);
  reading->trace = trace;
  reading->options = options;
  begin_reading (reading, memory, FALSE, 1);
  reading->import.sink = NULL;
  reading->import.surveying = TRUE;
  parser = importer->open (&reading->import);
  do
    {
      goes_on = importer->feed (parser, bytes, length, NULL) && ts_input_position (input) < ts_input_n_kept (input);
      if (goes_on)
        ok = ts_input_read (input, &bytes, &length, error);
    }
  while (goes_on && ok);
  importer->finish_head (parser);
  importer->close (parser);
  end_reading (reading);
  g_free (reading);
  return ok && ts_input_rewind (input, error);
}

/* A report takes the place of a trace: it is handed over as a whole. *is_report: whether it is one. */
static TsTrace *
read_as_report (const char *path, TsInput *input, const TsOptions *options, const TsInstanceSink *sink,
                gboolean *is_report, GError **error)
{
  const guint8 *bytes;
  gsize         length;

  *is_report = TRUE; /* unless there is something to see that is none */
  if (!ts_input_read (input, &bytes, &length, error))
    return NULL;
  *is_report = options->input_format != NULL && !options->is_baseline ? strcmp (options->input_format, "report") == 0
                                             : ts_report_detect (bytes, length);
  if (!*is_report)
    return NULL;
  if (sink == NULL)
    return ts_report_read (path, input, bytes, length, options, error);
  g_set_error (error, TS_ERROR, TS_ERROR_USAGE, "%s: is a report: instances need the trace itself",
               ts_input_title (path));
  return NULL;
}

TsTrace *
ts_trace_read (const char *path, const TsOptions *options, const TsInstanceSink *sink, gpointer sink_data,
               TsProgress progress, gpointer progress_data, GError **error)
{
  g_autoptr (TsStop) stop = NULL;

  g_return_val_if_fail (path != NULL && options != NULL, NULL);
  stop = options->jobs > 1 ? ts_stop_new () : NULL;
  return ts_trace_read_until (path, options, options->jobs, sink, sink_data, progress, progress_data, stop, error);
}

/* What looks sound, since there is nothing that could be wrong. */
static void
note_emptiness (const TsTrace *trace, const TsOptions *options)
{
  gboolean is_windowed = options->has_from || options->has_to;

  for (guint i = 0; i < trace->sections->len && is_windowed; i++)
    {
      const TsSection *section = g_ptr_array_index (trace->sections, i);

      is_windowed = section->window_from >= section->window_to && section->first < section->last;
    }
  if (trace->n_events == 0)
    ts_diagnostics_add (trace->diagnostics, TS_DIAGNOSTIC_NO_EVENTS, 0, NULL);
  else if (is_windowed)
    ts_diagnostics_add (trace->diagnostics, TS_DIAGNOSTIC_EMPTY_WINDOW, 0, NULL);
}

TsTrace *
ts_trace_read_until (const char *path, const TsOptions *options, guint threads, const TsInstanceSink *sink,
                     gpointer sink_data, TsProgress progress, gpointer progress_data, TsStop *stop,
                     GError **error)
{
  const ProgressCall progress_call = { progress, progress_data };
  TsImportMemory     memory = { .scale = 1 };
  g_autoptr (TsInput) input = ts_options_check (options, error) ? ts_input_open_ahead (path, stop, error) : NULL;
  g_autoptr (TsTrace) trace = NULL;
  gboolean again = TRUE, is_report = FALSE, ok = input != NULL;

  if (!ok)
    return NULL;
  ts_input_limit_expansion (input, options->max_expanded);
  trace = read_as_report (path, input, options, sink, &is_report, error);
  if (is_report)
    return trace != NULL && ts_time_base_check (ts_system_time_base (trace->system), trace->path, error)
               ? g_steal_pointer (&trace)
               : NULL;
  if (!ts_input_rewind (input, error))
    return NULL;
  trace = g_new0 (TsTrace, 1);
  trace->path = g_strdup (ts_input_title (path));
  trace->title = g_strdup (trace->path);
  trace->window = ts_options_window_text (options);
  trace->diagnostics = ts_diagnostics_new (trace->path);
  trace->tables = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_table_free);
  trace->sections = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_section_free);
  ok = survey_head (trace, input, options, &memory, error);
  for (guint i = 0; ok && again; i++)
    {
      if (i == MAX_READINGS)
        {
          g_set_error (error, TS_ERROR, TS_ERROR_FORMAT, "%s: the times of the trace cannot be brought to one scale",
                       trace->path);
          ok = FALSE;
        }
      else if (i > 0)
        ok = ts_input_rewind (input, error);
      if (ok)
        ok = read_once (trace, input, options, threads, sink, sink_data, &memory, &progress_call, &again, error);
    }
  ts_import_memory_clear (&memory);
  if (!ok || !ts_time_base_check (ts_system_time_base (trace->system), trace->path, error))
    return NULL;
  trace->options = ts_options_text (options, trace->format);
  note_emptiness (trace, options);
  return g_steal_pointer (&trace);
}
