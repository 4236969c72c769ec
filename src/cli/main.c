/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "gate.h"
#include "help.h"
#include "list.h"
#include "message.h"
#include "notice.h"
#include "options.h"
#include "progress.h"

static ExitStatus
trouble (GError *error)
{
  message_error ("%s", error->message);
  return EXIT_TROUBLE;
}

static gboolean
wants_colour (const Options *options, int output)
{
  const char *no_color = g_getenv ("NO_COLOR");

  if (g_str_equal (options->color, "auto"))
    return isatty (output) && (no_color == NULL || *no_color == '\0')
           && g_strcmp0 (g_getenv ("TERM"), "dumb") != 0;
  return g_str_equal (options->color, "always");
}

static guint
terminal_width (int output)
{
  struct winsize size;

  if (isatty (output) && ioctl (output, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  return 0;
}

/* How the text looks on @output, a descriptor; in files it is plain. */
static TsPrintOptions
terminal_options (const Options *options, int output)
{
  TsPrintOptions print = options->print;

  print.colour = wants_colour (options, output);
  print.unicode = isatty (output) && g_get_charset (NULL);
  print.width = terminal_width (output);
  return print;
}

static gboolean
is_same_file (const GStatBuf *left, const char *path)
{
  GStatBuf right;

  return g_stat (path, &right) == 0 && S_ISREG (left->st_mode) && left->st_dev == right.st_dev
         && left->st_ino == right.st_ino;
}

typedef struct
{
  const char *path;
  const char *what;
} OutputFile;

/* All files that a run writes. */
static GArray *
list_outputs (const Options *options)
{
  GArray          *outputs = g_array_new (FALSE, FALSE, sizeof (OutputFile));
  const OutputFile others[] = { { options->instances, "the file for the instances" },
                                { options->junit, "an output" },
                                { options->write_limits, "an output" } };

  for (guint i = 0; options->outputs != NULL && options->outputs[i] != NULL; i++)
    {
      const OutputFile output = { options->outputs[i], "an output" };

      g_array_append_val (outputs, output);
    }
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (others[i].path != NULL)
      g_array_append_val (outputs, others[i]);
  return outputs;
}

/* @what of a run reads @input: none of its @outputs may take the place of that. */
static gboolean
check_outputs_against (const GArray *outputs, const GStatBuf *input, const char *what)
{
  for (guint i = 0; i < outputs->len; i++)
    {
      const OutputFile *output = &g_array_index (outputs, OutputFile, i);

      if (is_same_file (input, output->path))
        {
          message_error ("%s: is both %s and %s", output->path, what, output->what);
          return FALSE;
        }
    }
  return TRUE;
}

/* FALSE: there is no such file. */
static gboolean
find_input (const char *input, GStatBuf *status)
{
  return (g_str_equal (input, "-") ? fstat (STDIN_FILENO, status) : g_stat (input, status)) == 0;
}

/* The second of two outputs to one file would take the place of the first. A pipe or a device gets both. */
static gboolean
would_collide (const char *a, const char *b)
{
  g_autofree char *left = ts_file_target (a), *right = ts_file_target (b);
  GStatBuf         status;

  if (g_stat (a, &status) == 0)
    return is_same_file (&status, b);
  return left != NULL && g_strcmp0 (left, right) == 0;
}

static gboolean
check_outputs_differ (const GArray *outputs)
{
  for (guint i = 1; i < outputs->len; i++)
    for (guint k = 0; k < i; k++)
      {
        const char *path = g_array_index (outputs, OutputFile, i).path;

        if (would_collide (path, g_array_index (outputs, OutputFile, k).path))
          {
            message_error ("%s: two outputs would be written to this file", path);
            return FALSE;
          }
      }
  return TRUE;
}

static gboolean
shows_on_standard_output (const Options *options)
{
  return options->has_format || (!options->quiet && !options->has_rows && (options->outputs == NULL || isatty (STDOUT_FILENO)));
}

/* What goes to standard output would be lost with the file that it was redirected to, unless both go the same way. */
static gboolean
check_standard_output (const Options *options, const GArray *outputs)
{
  GStatBuf status;

  if (!shows_on_standard_output (options) || fstat (STDOUT_FILENO, &status) != 0)
    return TRUE;
  for (guint i = 0; i < outputs->len; i++)
    {
      const char      *path = g_array_index (outputs, OutputFile, i).path;
      g_autofree char *target = ts_file_target (path);

      if (target != NULL && is_same_file (&status, path))
        {
          message_error ("%s: standard output is written to this file, too", path);
          return FALSE;
        }
    }
  return TRUE;
}

/* @what of a run reads @input: nothing may take the place of that, and what goes to standard output must not be written behind
 * it. */
static gboolean
check_outputs_against_input (const Options *options, const GArray *outputs, const char *input, const char *what)
{
  GStatBuf status, output;

  if (!find_input (input, &status))
    return TRUE;
  if (!check_outputs_against (outputs, &status, what))
    return FALSE;
  if (!shows_on_standard_output (options) || fstat (STDOUT_FILENO, &output) != 0 || !S_ISREG (output.st_mode)
      || output.st_dev != status.st_dev || output.st_ino != status.st_ino)
    return TRUE;
  message_error ("%s: is %s, and standard output is written to it", g_str_equal (input, "-") ? "standard input" : input, what);
  return FALSE;
}

/* A report must never take the place of the trace that it is made from, nor of another report. */
static gboolean
check_outputs (const Options *options)
{
  g_autoptr (GArray) outputs = list_outputs (options);

  for (guint i = 0; options->traces[i] != NULL; i++)
    if (!check_outputs_against_input (options, outputs, options->traces[i], "a trace"))
      return FALSE;
  for (guint i = 0; options->limits != NULL && options->limits[i] != NULL; i++)
    if (!check_outputs_against_input (options, outputs, options->limits[i], "a file of limits"))
      return FALSE;
  if (options->baseline != NULL && !check_outputs_against_input (options, outputs, options->baseline, "the baseline"))
    return FALSE;
  return check_outputs_differ (outputs) && check_standard_output (options, outputs);
}

static gboolean
writes_as (const Options *options, const char *writer)
{
  return options_have_output (options, writer)
         || (shows_on_standard_output (options) && g_str_equal (options->writer->name, writer));
}

static gboolean
writes_metrics_as_csv (const Options *options)
{
  return writes_as (options, "csv") && (options->table == NULL || g_str_equal (options->table, "metrics"));
}

/* Where there is no place for a word on how exact they are. */
static gboolean
writes_percentiles_as_csv (const Options *options)
{
  return writes_metrics_as_csv (options) && options->print.metrics != 1u << TS_METRIC_LOAD;
}

static GPtrArray *
read_traces (const Options *options, TsInstanceWriter *instances, GError **error)
{
  GPtrArray *traces = ts_traces_read ((const char *const *) options->traces, options->analysis,
                                      instances != NULL ? ts_instance_writer_sink () : NULL, instances,
                                      progress_report, options->traces, error);

  progress_clear ();
  return traces;
}

static gboolean
write_files (const TsReport *report, const Options *options, const Gate *gate, TsInstanceWriter *instances,
             GError **error)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_file_free);

  /* all are complete before the first one takes its place */
  for (guint i = 0; options->outputs != NULL && options->outputs[i] != NULL; i++)
    {
      TsFile *file = ts_file_create (options->outputs[i], error);

      if (file == NULL)
        return FALSE;
      g_ptr_array_add (files, file);
      if (!ts_report_write (report, ts_writer_by_suffix (options->outputs[i]), &options->print, ts_file_sink (file),
                            error))
        {
          g_prefix_error (error, "%s: ", options->outputs[i]);
          return FALSE;
        }
    }
  if (!gate_write (gate, report, options, files, error))
    return FALSE;
  /* first the one that may still turn out to be impossible */
  if (instances != NULL && !ts_instance_writer_commit (instances, error))
    return FALSE;
  for (guint i = 0; i < files->len; i++)
    if (!ts_file_commit (g_ptr_array_index (files, i), error))
      return FALSE;
  return TRUE;
}

static gboolean
write_standard_output (const TsReport *report, const Options *options, GError **error)
{
  TsPrintOptions print = terminal_options (options, STDOUT_FILENO);

  if (ts_report_write (report, options->writer, &print, ts_sink_to_descriptor (STDOUT_FILENO), error))
    return TRUE;
  g_prefix_error (error, "standard output: ");
  return FALSE;
}

/* Whether --strict refuses the trace, or what it is compared with. */
static ExitStatus
judge (const TsReport *report, const Gate *gate, const Options *options)
{
  ExitStatus status = gate_status (gate);

  if (!options->strict)
    return status;
  if (gate_refuses_baseline (gate))
    {
      message_error ("%s: the baseline is defective, and --strict was given", options->baseline);
      status = EXIT_VIOLATED;
    }
  if (!ts_diagnostics_are_refused (report->diagnostics, options->rules))
    return status;
  message_refused (report->diagnostics, options->rules);
  if (ts_diagnostics_have_refused_defects (report->diagnostics, options->rules))
    message_error ("%s: the trace is defective, and --strict was given", report->input);
  else
    message_error ("%s: the trace has what --refuse names", report->input);
  return EXIT_VIOLATED;
}

/* What a run has, in the order in which it comes; each looks into those before it. */
typedef struct
{
  TsInstanceWriter *instances; /* or NULL */
  GPtrArray        *traces;
  TsReport         *report;
  Gate              gate;
} Run;

static void
run_clear (Run *run)
{
  gate_clear (&run->gate);
  ts_report_free (run->report);
  g_clear_pointer (&run->traces, g_ptr_array_unref);
  ts_instance_writer_free (run->instances);
}

static ExitStatus
run_steps (Run *run, Options *options)
{
  g_autoptr (GError) error = NULL;
  gboolean shows;

  if (options->instances != NULL)
    {
      run->instances = ts_instance_writer_new (options->instances, &options->print, &error);
      if (run->instances == NULL)
        return trouble (error);
    }
  if (!gate_prepare (&run->gate, options, &error))
    return trouble (error);
  run->traces = read_traces (options, run->instances, &error);
  if (run->traces == NULL)
    return trouble (error);
  run->report = ts_report_new (run->traces, options->analysis, &error);
  if (run->report == NULL || !gate_check (&run->gate, run->report, options, &error)
      || !write_files (run->report, options, &run->gate, run->instances, &error))
    return trouble (error);

  shows = shows_on_standard_output (options);
  if (shows && !write_standard_output (run->report, options, &error))
    return trouble (error);
  /* the text has them already */
  if (!shows || !g_str_equal (options->writer->name, "text"))
    {
      const TsPrintOptions print = terminal_options (options, STDERR_FILENO);

      message_diagnostics (run->report->diagnostics);
      gate_tell (&run->gate, &print, options->quiet);
    }
  notice_selection (run->report, options);
  notice_rank (run->report, options, writes_as (options, "text") || writes_metrics_as_csv (options));
  notice_window (run->report, options);
  notice_formats (run->traces, options);
  notice_repeated (options);
  notice_rules (options);
  notice_precision (run->report, options->print.metrics, writes_percentiles_as_csv (options));
  return judge (run->report, &run->gate, options);
}

static ExitStatus
run (Options *options)
{
  Run        steps = { 0 };
  ExitStatus status;

  if (!check_outputs (options))
    return EXIT_TROUBLE;
  progress_init (!options->no_progress && !options->quiet && g_strcmp0 (g_getenv ("TERM"), "dumb") != 0);
  status = run_steps (&steps, options);
  run_clear (&steps);
  return status;
}

static ExitStatus
run_command_line (int argc, char **argv)
{
  Options    options = { 0 };
  ExitStatus status = EXIT_TROUBLE;
  g_autoptr (GError) error = NULL;

  if (!options_parse (&options, argc, argv, &error))
    message_usage (error->message);
  else if (options.help || options.version)
    {
      if (options.help)
        fputs (help_text, stdout);
      else
        printf ("tracestat %s\n", ts_version ());
      status = EXIT_FINE;
    }
  else if (options.list != NULL)
    {
      if (list_print (options.list))
        status = EXIT_FINE;
      else
        message_error ("there is no list of `%s': metrics, formats, writers, diagnostics or types is expected",
                       options.list);
    }
  else if (options.traces == NULL)
    message_usage ("no trace given");
  else
    {
      message_set_quiet (options.quiet);
      status = run (&options);
    }
  options_clear (&options);
  if (fflush (stdout) != 0)
    {
      message_error ("standard output: %s", g_strerror (errno));
      status = EXIT_TROUBLE;
    }
  return status;
}

int
main (int argc, char **argv)
{
  /* what the other categories are for is nowhere printed, and a file would be read for each */
  setlocale (LC_CTYPE, "");
  setlocale (LC_MESSAGES, "");
  setlocale (LC_NUMERIC, "");
  return (int) run_command_line (argc, argv);
}
