/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "analyse/reading.h"
#include "import/input.h"
#include "report/read.h"

/* The walk of a trace: input -> importer -> order -> timeline -> measures, what is behind the importer in reading.c. An input
 * is read again from its beginning where a reading finds out something that had to be known before (a finer time scale,
 * events out of order, the system after the data). Of a stream that is too long for that the head is kept: it is
 * surveyed before the one reading. */

/* A file that keeps asking for one more reading is a defect of an importer, not of the file. */
#define MAX_READINGS 24
#define HEAD_SIZE (64 * 1024)

/* Where a trace is read from, as often as need be, and what comes of it. */
typedef struct
{
  TsTrace              *trace;
  TsInput              *input;
  const TsOptions      *options;
  guint                 threads;
  const TsInstanceSink *instances; /* or NULL */
  gpointer              instances_data;
  TsProgress            progress; /* or NULL */
  gpointer              progress_data;
  TsImportMemory        memory; /* from one reading to the next */
} Source;

/* Feeds all of @source, whose first block is already read. */
static gboolean
feed_input (TsReading *reading, const Source *source, const TsImporter *importer, gpointer parser, const guint8 *bytes,
            gsize length, GError **error)
{
  TsInput *input = source->input;

  while (length > 0)
    {
      reading->import.can_reread = ts_input_can_rewind (input);
      if (!importer->feed (parser, bytes, length, error) || ts_reading_has_failed (reading, error))
        return FALSE;
      if (reading->import.has_learnt)
        return TRUE;
      if (source->progress != NULL)
        source->progress (source->progress_data, source->trace->path, ts_input_position (input), ts_input_size (input));
      if (!ts_input_read (input, &bytes, &length, error))
        return FALSE;
    }
  reading->import.can_reread = ts_input_can_rewind (input);
  return importer->finish (parser, error) && !ts_reading_has_failed (reading, error);
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
read_once (Source *source, gboolean *again, GError **error)
{
  TsTrace          *trace = source->trace;
  const TsOptions  *options = source->options;
  TsReading        *reading;
  const TsImporter *importer;
  const guint8     *bytes;
  gsize             length;
  gpointer          parser;
  gboolean          ok;

  if (!ts_input_read (source->input, &bytes, &length, error))
    return FALSE;
  importer = choose_importer (trace->path, options, bytes, length, error);
  if (importer == NULL)
    return FALSE;
  trace->format = importer->name;
  /* sorting as a whole is for streams: a file shows at its first reading how far events are out of order */
  reading = ts_reading_new (trace, options, &source->memory, options->sort && ts_input_size (source->input) == 0,
                            source->threads, source->instances, source->instances_data);
  parser = importer->open (&reading->import);
  ok = feed_input (reading, source, importer, parser, bytes, length, error);
  importer->close (parser);
  *again = ok && ts_reading_finish (reading);
  ts_reading_free (reading);
  if (ok && !*again)
    ts_measures_grow (trace->measures, ts_system_n_elements (trace->system), ts_system_n_resources (trace->system));
  return ok;
}

/* What has to be known before the first event is looked for in the head of a stream that can be read only once.
 * What is wrong there the reading itself tells. The order of events is not learnt: how far they step back shows
 * only at the end. */
static gboolean
survey_head (Source *source, GError **error)
{
  TsInput          *input = source->input;
  TsReading        *reading;
  const TsImporter *importer;
  const guint8     *bytes;
  gsize             length;
  gpointer          parser;
  gboolean          ok = TRUE, goes_on;

  if (!ts_input_read (input, &bytes, &length, error))
    return FALSE;
  if (ts_input_n_kept (input) == 0)
    return ts_input_rewind (input, error);
  importer = choose_importer (source->trace->path, source->options, bytes, length, error);
  if (importer == NULL)
    return FALSE;
  if (importer->finish_head == NULL)
    return ts_input_rewind (input, error);

  reading = ts_reading_new (source->trace, source->options, &source->memory, FALSE, 1, NULL, NULL);
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
  ts_reading_free (reading);
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

static TsTrace *
new_trace (const char *path, const TsOptions *options)
{
  TsTrace *trace = g_new0 (TsTrace, 1);

  trace->path = g_strdup (ts_input_title (path));
  trace->title = g_strdup (trace->path);
  trace->window = ts_options_window_text (options);
  trace->diagnostics = ts_diagnostics_new (trace->path);
  trace->tables = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_table_free);
  trace->sections = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_section_free);
  return trace;
}

/* As many readings as it takes. */
static gboolean
read_all (Source *source, GError **error)
{
  gboolean again = TRUE, ok = survey_head (source, error);

  for (guint i = 0; ok && again; i++)
    {
      if (i == MAX_READINGS)
        {
          g_set_error (error, TS_ERROR, TS_ERROR_FORMAT, "%s: the times of the trace cannot be brought to one scale",
                       source->trace->path);
          return FALSE;
        }
      ok = (i == 0 || ts_input_rewind (source->input, error)) && read_once (source, &again, error);
    }
  return ok && ts_time_base_check (ts_system_time_base (source->trace->system), source->trace->path, error);
}

TsTrace *
ts_trace_read_until (const char *path, const TsOptions *options, guint threads, const TsInstanceSink *sink,
                     gpointer sink_data, TsProgress progress, gpointer progress_data, TsStop *stop,
                     GError **error)
{
  Source source = { .options = options,
                    .threads = threads,
                    .instances = sink,
                    .instances_data = sink_data,
                    .progress = progress,
                    .progress_data = progress_data,
                    .memory.scale = 1 };
  g_autoptr (TsInput) input = ts_options_check (options, error) ? ts_input_open_ahead (path, stop, error) : NULL;
  g_autoptr (TsTrace) trace = NULL;
  gboolean is_report = FALSE, ok;

  if (input == NULL)
    return NULL;
  ts_input_limit_expansion (input, options->max_expanded);
  trace = read_as_report (path, input, options, sink, &is_report, error);
  if (is_report)
    return trace != NULL && ts_time_base_check (ts_system_time_base (trace->system), trace->path, error)
               ? g_steal_pointer (&trace)
               : NULL;
  if (!ts_input_rewind (input, error))
    return NULL;
  source.trace = trace = new_trace (path, options);
  source.input = input;
  ok = read_all (&source, error);
  ts_import_memory_clear (&source.memory);
  if (!ok)
    return NULL;
  trace->options = ts_options_text (options, trace->format);
  note_emptiness (trace, options);
  return g_steal_pointer (&trace);
}
