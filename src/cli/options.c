/* SPDX-License-Identifier: MIT */
#include "options.h"

#include "arguments.h"
#include "raw.h"

/* The command line, as GLib takes it apart. */

static gboolean
is_text (const GOptionEntry *entry)
{
  return entry->arg == G_OPTION_ARG_STRING || entry->arg == G_OPTION_ARG_STRING_ARRAY;
}

/* Texts are UTF-8, as names in traces are, whatever the locale: GOption would convert them from that of the locale. So
 * it is told that they are names of files, which it leaves alone. */
static GOptionEntry *
without_texts (const GOptionEntry *entries, gsize size)
{
  GOptionEntry *copy = g_memdup2 (entries, size);

  for (GOptionEntry *entry = copy; entry->long_name != NULL; entry++)
    if (is_text (entry))
      entry->arg = entry->arg == G_OPTION_ARG_STRING ? G_OPTION_ARG_FILENAME : G_OPTION_ARG_FILENAME_ARRAY;
  return copy;
}

static gboolean
check_text (const GOptionEntry *entry, const char *text, GError **error)
{
  if (text == NULL || g_utf8_validate (text, -1, NULL))
    return TRUE;
  g_set_error (error, TS_ERROR, TS_ERROR_USAGE, "--%s %s: this is not UTF-8", entry->long_name, text);
  return FALSE;
}

static gboolean
check_texts (const GOptionEntry *entries, GError **error)
{
  for (const GOptionEntry *entry = entries; entry->long_name != NULL; entry++)
    if (entry->arg == G_OPTION_ARG_STRING && !check_text (entry, *(char **) entry->arg_data, error))
      return FALSE;
    else if (entry->arg == G_OPTION_ARG_STRING_ARRAY)
      for (char **texts = *(char ***) entry->arg_data; texts != NULL && *texts != NULL; texts++)
        if (!check_text (entry, *texts, error))
          return FALSE;
  return TRUE;
}

gboolean
options_parse (Options *options, int argc, char **argv, GError **error)
{
  RawOptions         raw = { 0 };
  TsOptions         *analysis = ts_options_new ();
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME_ARRAY, &options->outputs, NULL, NULL },
    { "format", 'f', 0, G_OPTION_ARG_STRING, &raw.format, NULL, NULL },
    { "instances", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &raw.instances, NULL, NULL },
    { "metric", 'm', 0, G_OPTION_ARG_STRING_ARRAY, &raw.metrics, NULL, NULL },
    { "element", 'e', 0, G_OPTION_ARG_STRING_ARRAY, &raw.elements, NULL, NULL },
    { "type", 't', 0, G_OPTION_ARG_STRING_ARRAY, &raw.types, NULL, NULL },
    { "percentiles", 'p', 0, G_OPTION_ARG_STRING_ARRAY, &raw.percentiles, NULL, NULL },
    { "exact-percentiles", 0, 0, G_OPTION_ARG_NONE, &analysis->exact_percentiles, NULL, NULL },
    { "rank", 0, 0, G_OPTION_ARG_STRING_ARRAY, &raw.rank, NULL, NULL },
    { "top", 0, 0, G_OPTION_ARG_STRING_ARRAY, &raw.top, NULL, NULL },
    { "unit", 'u', 0, G_OPTION_ARG_STRING, &raw.unit, NULL, NULL },
    { "table", 0, 0, G_OPTION_ARG_STRING, &options->table, NULL, NULL },
    { "per-section", 0, 0, G_OPTION_ARG_NONE, &analysis->per_section, NULL, NULL },
    { "input-format", 0, 0, G_OPTION_ARG_STRING, &analysis->input_format, NULL, NULL },
    { "element-key", 0, 0, G_OPTION_ARG_STRING, &analysis->element_key, NULL, NULL },
    { "instance-key", 0, 0, G_OPTION_ARG_STRING, &analysis->instance_key, NULL, NULL },
    { "exec-resources", 0, 0, G_OPTION_ARG_STRING, &analysis->exec_resources, NULL, NULL },
    { "activation", 0, 0, G_OPTION_ARG_STRING, &analysis->activation, NULL, NULL },
    { "object-key", 0, 0, G_OPTION_ARG_STRING, &analysis->object_key, NULL, NULL },
    { "from", 0, 0, G_OPTION_ARG_STRING, &raw.from, NULL, NULL },
    { "to", 0, 0, G_OPTION_ARG_STRING, &raw.to, NULL, NULL },
    { "period", 0, 0, G_OPTION_ARG_STRING_ARRAY, &raw.periods, NULL, NULL },
    { "idle", 0, 0, G_OPTION_ARG_STRING_ARRAY, &raw.idle, NULL, NULL },
    { "infer-preemption", 0, 0, G_OPTION_ARG_NONE, &analysis->infer_preemption, NULL, NULL },
    { "subtract-overhead", 0, 0, G_OPTION_ARG_NONE, &analysis->subtract_overhead, NULL, NULL },
    { "no-scanner", 0, 0, G_OPTION_ARG_NONE, &analysis->no_scanner, NULL, NULL },
    { "fold-names", 0, 0, G_OPTION_ARG_NONE, &analysis->fold_names, NULL, NULL },
    { "max-expanded", 0, 0, G_OPTION_ARG_STRING, &raw.max_expanded, NULL, NULL },
    { "group", 0, 0, G_OPTION_ARG_STRING, &analysis->group, NULL, NULL },
    { "time-unit", 0, 0, G_OPTION_ARG_STRING, &analysis->time_unit, NULL, NULL },
    { "sort", 0, 0, G_OPTION_ARG_NONE, &analysis->sort, NULL, NULL },
    { "strict", 0, 0, G_OPTION_ARG_NONE, &options->strict, NULL, NULL },
    { "allow", 0, 0, G_OPTION_ARG_STRING_ARRAY, &raw.allowed, NULL, NULL },
    { "refuse", 0, 0, G_OPTION_ARG_STRING_ARRAY, &raw.refused, NULL, NULL },
    { "limits", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->limits, NULL, NULL },
    { "baseline", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &raw.baselines, NULL, NULL },
    { "tolerance", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->tolerances, NULL, NULL },
    { "significance", 0, 0, G_OPTION_ARG_STRING, &raw.significance, NULL, NULL },
    { "junit", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &raw.junit, NULL, NULL },
    { "write-limits", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &raw.write_limits, NULL, NULL },
    { "margin", 0, 0, G_OPTION_ARG_STRING, &raw.margin, NULL, NULL },
    { "jobs", 'j', 0, G_OPTION_ARG_STRING, &raw.jobs, NULL, NULL },
    { "list", 0, 0, G_OPTION_ARG_STRING, &options->list, NULL, NULL },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &options->quiet, NULL, NULL },
    { "color", 0, 0, G_OPTION_ARG_STRING, &options->color, NULL, NULL },
    { "no-progress", 0, 0, G_OPTION_ARG_NONE, &options->no_progress, NULL, NULL },
    { "version", 0, 0, G_OPTION_ARG_NONE, &options->version, NULL, NULL },
    { "help", 'h', 0, G_OPTION_ARG_NONE, &options->help, NULL, NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->traces, NULL, NULL },
    { NULL },
  };
  g_autofree GOptionEntry *parsed = without_texts (entries, sizeof entries);
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_auto (GStrv) arguments = NULL;
  gboolean ok;

  options->analysis = analysis;
  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_add_main_entries (context, parsed, NULL);
  arguments = arguments_part (argc, argv, entries);
  ok = g_option_context_parse_strv (context, &arguments, error) && check_texts (entries, error);
  if (ok && options->color == NULL)
    options->color = g_strdup ("auto");
  ok = ok && raw_understand (options, &raw, error);
  raw_clear (&raw);
  return ok;
}

gboolean
options_have_output (const Options *options, const char *writer)
{
  for (guint i = 0; options->outputs != NULL && options->outputs[i] != NULL; i++)
    if (g_str_equal (ts_writer_by_suffix (options->outputs[i])->name, writer))
      return TRUE;
  return FALSE;
}

void
options_clear (Options *options)
{
  ts_options_free (options->analysis);
  if (options->print.elements != NULL)
    {
      g_ptr_array_set_free_func (options->print.elements, g_free);
      g_ptr_array_unref (options->print.elements);
    }
  g_strfreev (options->outputs);
  g_strfreev (options->traces);
  g_strfreev (options->limits);
  g_strfreev (options->tolerances);
  g_free (options->baseline);
  g_free (options->junit);
  g_free (options->write_limits);
  g_free (options->table);
  g_free (options->instances);
  g_free (options->list);
  g_free (options->color);
}
