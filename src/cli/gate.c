/* SPDX-License-Identifier: MIT */
#include "gate.h"

#include <stdio.h>
#include <string.h>

#include "progress.h"

static gboolean
read_limits (Gate *gate, const Options *options, GError **error)
{
  gate->limits = ts_limits_new ();
  for (guint i = 0; options->limits != NULL && options->limits[i] != NULL; i++)
    if (strcmp (options->limits[i], "annotations") == 0)
      ts_limits_use_annotations (gate->limits);
    else if (!ts_limits_read (gate->limits, options->limits[i], error))
      return FALSE;
  for (guint i = 0; options->tolerances != NULL && options->tolerances[i] != NULL; i++)
    if (!ts_limits_add_tolerance (gate->limits, options->tolerances[i], error))
      return FALSE;
  ts_limits_apply (gate->limits, options->analysis);
  return TRUE;
}

/* A baseline that is a trace is analysed as those of this run are; a report is what it is, and the check tells if it
 * was made otherwise. */
static gboolean
read_baseline (Gate *gate, const Options *options, GError **error)
{
  TsTrace *trace;

  options->analysis->is_baseline = TRUE;
  trace = ts_trace_read (options->baseline, options->analysis, NULL, NULL, progress_report, NULL, error);
  options->analysis->is_baseline = FALSE;
  progress_clear ();
  if (trace == NULL)
    return FALSE;
  gate->baseline_traces = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_trace_free);
  g_ptr_array_add (gate->baseline_traces, trace);
  gate->baseline = ts_report_new (gate->baseline_traces, options->analysis, error);
  return gate->baseline != NULL;
}

gboolean
gate_prepare (Gate *gate, Options *options, GError **error)
{
  if (options->limits == NULL && options->baseline == NULL)
    return TRUE;
  options->analysis->per_input = options->junit != NULL;
  return read_limits (gate, options, error) && (options->baseline == NULL || read_baseline (gate, options, error));
}

gboolean
gate_check (Gate *gate, const TsReport *report, Options *options, GError **error)
{
  const TsCheckOptions how = { .baseline_path = options->baseline,
                               .gate_significance = options->has_significance,
                               .significance = options->significance,
                               .strict = options->strict,
                               .rules = options->rules };

  if (gate->limits == NULL)
    return TRUE;
  gate->check = ts_check_new (report, gate->limits, gate->baseline, &how, error);
  if (gate->check == NULL)
    return FALSE;
  options->print.more = ts_check_table_source (gate->check);
  return TRUE;
}

typedef gboolean (*Write) (const Gate *gate, const TsReport *report, const Options *options, TsSink sink,
                           GError **error);

static gboolean
write_junit (const Gate *gate, const TsReport *report G_GNUC_UNUSED, const Options *options G_GNUC_UNUSED,
             TsSink sink, GError **error)
{
  return ts_check_write_junit (gate->check, sink, error);
}

static gboolean
write_limits (const Gate *gate G_GNUC_UNUSED, const TsReport *report, const Options *options, TsSink sink,
              GError **error)
{
  return ts_limits_write (report, &options->print, options->margin, sink, error);
}

static gboolean
write_file (const Gate *gate, const TsReport *report, const Options *options, const char *path, Write write,
            GPtrArray *files, GError **error)
{
  TsFile *file;

  if (path == NULL)
    return TRUE;
  file = ts_file_create (path, error);
  if (file == NULL)
    return FALSE;
  g_ptr_array_add (files, file);
  if (write (gate, report, options, ts_file_sink (file), error))
    return TRUE;
  g_prefix_error (error, "%s: ", path);
  return FALSE;
}

gboolean
gate_write (const Gate *gate, const TsReport *report, const Options *options, GPtrArray *files, GError **error)
{
  return write_file (gate, report, options, options->junit, write_junit, files, error)
         && write_file (gate, report, options, options->write_limits, write_limits, files, error);
}

void
gate_tell (const Gate *gate, const TsPrintOptions *print, gboolean is_quiet)
{
  g_autoptr (GPtrArray) tables = NULL;
  g_autoptr (GString) text = NULL;
  TsTimeBase ticks = ts_time_base_ticks ();

  if (gate->check == NULL || (is_quiet && ts_check_passed (gate->check)))
    return;
  tables = ts_check_summary (gate->check, print);
  text = g_string_new (NULL);
  if (!ts_writer_by_name ("text")->write (ts_sink_to_text (text), tables, &ticks, print, NULL))
    return;
  progress_clear ();
  fwrite (text->str, 1, text->len, stderr);
}

ExitStatus
gate_status (const Gate *gate)
{
  return gate->check == NULL || ts_check_passed (gate->check) ? EXIT_FINE : EXIT_VIOLATED;
}

gboolean
gate_refuses_baseline (const Gate *gate)
{
  gboolean refuses = FALSE;

  for (TsDiagnosticId id = 0; gate->check != NULL && id < TS_N_DIAGNOSTICS; id++)
    if (ts_check_refuses_baseline (gate->check, id))
      {
        g_autofree char *text = ts_diagnostics_text (gate->baseline->diagnostics, id);

        message_error ("baseline: %s", text);
        refuses = TRUE;
      }
  return refuses;
}

void
gate_clear (Gate *gate)
{
  ts_check_free (gate->check);
  ts_report_free (gate->baseline);
  g_clear_pointer (&gate->baseline_traces, g_ptr_array_unref);
  ts_limits_free (gate->limits);
}
