/* SPDX-License-Identifier: MIT */

/* Walks a trace as far as a stage, throws away what comes out there, and says what that took:
 *
 *   parse       the importer alone
 *   timeline    and the order stage and the timeline
 *   statistics  and metrics, accumulators, histograms: the whole trace is read
 *   report      and pooling, percentiles, a report written as CSV
 *
 * It prints `EVENTS NANOSECONDS', the latter of user and system time. */

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include <tracestat/tracestat.h>

#include "import/importer.h"
#include "import/input.h"
#include "import/order.h"

typedef struct
{
  TsImport    import;
  TsTimeline *timeline; /* NULL: events are thrown away */
  gboolean    has_timeline;
  guint64     n_events, n_instances, n_intervals;
} Walk;

static void
take_instance (gpointer data, const TsInstance *instance G_GNUC_UNUSED)
{
  Walk *walk = data;

  walk->n_instances++;
}

static void
take_interval (gpointer data, const TsInterval *interval G_GNUC_UNUSED)
{
  Walk *walk = data;

  walk->n_intervals++;
}

static void
begin_section (gpointer data, TsSection *section)
{
  static const TsTimelineSink    sink = { take_instance, take_interval };
  static const TsTimelineOptions options = { 0 };
  Walk                          *walk = data;

  if (!walk->has_timeline)
    return;
  if (walk->timeline == NULL)
    walk->timeline = ts_timeline_new (walk->import.system, walk->import.diagnostics, &options, &sink, walk);
  ts_timeline_begin_section (walk->timeline, section);
}

static void
take_events (gpointer data, const TsEvent *events, gsize n_events)
{
  Walk *walk = data;

  walk->n_events += n_events;
  if (walk->timeline != NULL)
    ts_timeline_events (walk->timeline, events, n_events);
}

static void
end_section (gpointer data, TsSection *section G_GNUC_UNUSED)
{
  Walk *walk = data;

  if (walk->timeline != NULL)
    ts_timeline_end_section (walk->timeline);
}

/* One reading, as src/analyse/trace.c does it. *again: another one must follow. */
static gboolean
read_once (Walk *walk, TsInput *input, gboolean *again, GError **error)
{
  static const TsEventSink sink = { begin_section, take_events, end_section };
  TsImport                *import = &walk->import;
  const TsImporter        *importer;
  const guint8            *bytes;
  gsize                    length;
  gpointer                 parser;
  gboolean                 ok = TRUE;
  g_autoptr (TsOrder) order = NULL;

  if (!ts_input_read (input, &bytes, &length, error))
    return FALSE;
  importer = ts_importer_detect (import->path, bytes, length, error);
  if (importer == NULL)
    return FALSE;
  import->sink = &sink;
  import->sink_data = walk;
  if (walk->has_timeline)
    {
      order = ts_order_new (import, FALSE, &sink, walk);
      import->sink = ts_order_sink ();
      import->sink_data = order;
    }
  parser = importer->open (import);
  for (; ok && length > 0; ok = ok && ts_input_read (input, &bytes, &length, error))
    {
      import->can_reread = ts_input_can_rewind (input);
      ok = importer->feed (parser, bytes, length, error);
    }
  ok = ok && importer->finish (parser, error);
  importer->close (parser);
  *again = ok && (import->surveying || (order != NULL && ts_order_is_learning (order)));
  return ok;
}

/* The importer and, if @has_timeline, the timeline. */
static gboolean
walk_trace (const char *path, gboolean has_timeline, guint64 *n_events, GError **error)
{
  g_autoptr (TsInput) input = ts_input_open (path, error);
  g_autoptr (TsOptions) options = ts_options_new ();
  g_autoptr (GPtrArray) sections = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_section_free);
  g_autoptr (GPtrArray) tables = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_table_free);
  TsDiagnostics *diagnostics = ts_diagnostics_new (path);
  TsImportMemory memory = { .scale = 1 };
  TsSystem      *system = NULL;
  Walk          *walk = g_new0 (Walk, 1);
  gboolean       ok = input != NULL, again = TRUE;

  while (ok && again)
    {
      if (!memory.has_system)
        {
          g_clear_pointer (&system, ts_system_free);
          system = ts_system_new ();
        }
      ts_system_begin_reading (system);
      ts_diagnostics_clear (diagnostics);
      g_ptr_array_set_size (sections, 0);
      g_ptr_array_set_size (tables, 0);
      memset (walk, 0, sizeof *walk);
      walk->import = (TsImport){ .path = path, .system = system, .diagnostics = diagnostics, .memory = &memory,
                                 .options = options, .sections = sections, .tables = tables };
      walk->has_timeline = has_timeline;
      ok = read_once (walk, input, &again, error) && (!again || ts_input_rewind (input, error));
      ts_timeline_free (walk->timeline);
      g_clear_pointer (&walk->import.busy, g_array_unref);
      g_clear_pointer (&walk->import.ran_on, g_hash_table_unref);
    }
  *n_events = walk->n_events;
  ts_import_memory_clear (&memory);
  ts_system_free (system);
  ts_diagnostics_free (diagnostics);
  g_free (walk);
  return ok;
}

static gboolean
drop (gpointer data G_GNUC_UNUSED, const char *bytes G_GNUC_UNUSED, gsize length G_GNUC_UNUSED,
      GError **error G_GNUC_UNUSED)
{
  return TRUE;
}

static gboolean
read_trace (const char *path, gboolean has_report, guint64 *n_events, GError **error)
{
  g_autoptr (TsOptions) options = ts_options_new ();
  g_autoptr (GPtrArray) traces = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_trace_free);
  TsPrintOptions print_options = { 0 };
  g_autoptr (TsReport) report = NULL;
  TsTrace *trace;

  options->no_results = TRUE; /* as the command has it */
  trace = ts_trace_read (path, options, NULL, NULL, NULL, NULL, error);
  if (trace == NULL)
    return FALSE;
  g_ptr_array_add (traces, trace);
  *n_events = ts_trace_n_events (trace);
  if (!has_report)
    return TRUE;
  report = ts_report_new (traces, options, error);
  return report != NULL
         && ts_report_write (report, ts_writer_by_name ("csv"), &print_options, (TsSink){ drop, NULL }, error);
}

static gint64
spent (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return ((gint64) usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * G_USEC_PER_SEC + usage.ru_utime.tv_usec
         + usage.ru_stime.tv_usec;
}

int
main (int argc, char **argv)
{
  static const char *const stages[] = { "parse", "timeline", "statistics", "report", NULL };
  g_autoptr (GError) error = NULL;
  gint64   begin = spent ();
  guint64  n_events = 0;
  gboolean ok;
  guint    stage = 0;

  if (argc != 3 || !g_strv_contains (stages, argv[1]))
    {
      fputs ("usage: bench-stages parse|timeline|statistics|report TRACE\n", stderr);
      return 2;
    }
  while (!g_str_equal (stages[stage], argv[1]))
    stage++;
  ok = stage < 2 ? walk_trace (argv[2], stage == 1, &n_events, &error)
                 : read_trace (argv[2], stage == 3, &n_events, &error);
  if (!ok)
    {
      fprintf (stderr, "bench-stages: %s\n", error->message);
      return 2;
    }
  printf ("%" G_GUINT64_FORMAT " %" G_GINT64_FORMAT "\n", n_events, (spent () - begin) * 1000);
  return 0;
}
