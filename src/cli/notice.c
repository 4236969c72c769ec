/* SPDX-License-Identifier: MIT */
#include "notice.h"

#include <glib/gstdio.h>

#include "message.h"

/* A name that was mistyped must not go unnoticed. Returns whether it was. */
static gboolean
warn_unmatched (const TsReport *report, const char *option, const char *glob)
{
  const TsReportBlock *all = g_ptr_array_index (report->blocks, 0);

  for (guint i = 0; i < all->elements->len; i++)
    if (ts_glob_matches (glob, ((const TsReportElement *) g_ptr_array_index (all->elements, i))->name))
      return FALSE;
  for (guint i = 0; i < all->resources->len; i++)
    if (ts_glob_matches (glob, ((const TsReportResource *) g_ptr_array_index (all->resources, i))->name))
      return FALSE;
  message_warning ("%s %s: nothing in the trace has this name", option, glob);
  return TRUE;
}

/* Returns whether there was one. */
static gboolean
warn_of_types (const TsReport *report, guint types)
{
  const TsReportBlock *all = g_ptr_array_index (report->blocks, 0);
  guint                there = 0;

  for (guint i = 0; i < all->elements->len; i++)
    there |= 1u << ((const TsReportElement *) g_ptr_array_index (all->elements, i))->type;
  /* one of several may well be missing */
  if (types == 0 || (types & there) != 0)
    return FALSE;
  for (guint type = 0; type < TS_N_TYPES; type++)
    if (types >> type & 1)
      message_warning ("--type %s: nothing in the trace is of this type", ts_element_type_name (type));
  return TRUE;
}

static gboolean
is_chosen (const GPtrArray *globs, const char *name)
{
  gboolean is = globs == NULL || globs->len == 0;

  for (guint i = 0; !is && i < globs->len; i++)
    is = ts_glob_matches (g_ptr_array_index ((GPtrArray *) globs, i), name);
  return is;
}

/* Whether any element or resource is left of what there is. LOAD is of resources, and all others are of elements; whoever
 * chooses types means elements. */
static gboolean
leaves_anything (const TsReport *report, const TsPrintOptions *print)
{
  const TsReportBlock *all = g_ptr_array_index (report->blocks, 0);
  const guint          load = 1u << TS_METRIC_LOAD;

  for (guint i = 0; print->metrics != load && i < all->elements->len; i++)
    {
      const TsReportElement *element = g_ptr_array_index (all->elements, i);

      if ((print->types == 0 || print->types >> element->type & 1) && is_chosen (print->elements, element->name))
        return TRUE;
    }
  for (guint i = 0; print->types == 0 && (print->metrics == 0 || (print->metrics & load)) && i < all->resources->len; i++)
    if (is_chosen (print->elements, ((const TsReportResource *) g_ptr_array_index (all->resources, i))->name))
      return TRUE;
  return all->elements->len + all->resources->len == 0;
}

void
notice_rank (const TsReport *report, const Options *options, gboolean is_written)
{
  const TsFigure *rank = options->print.rank;

  if (rank != NULL && !is_written)
    message_warning ("--rank changes nothing: neither the summary nor CSV with metrics is written");
  else if (rank != NULL && !ts_report_has_samples (report, &options->print, rank->metric))
    message_warning ("--rank %s.%s: nothing that is shown has a sample of it", ts_metric_info (rank->metric)->name,
                     ts_figure_statistic_name (rank));
}

void
notice_selection (const TsReport *report, const Options *options)
{
  const GPtrArray *globs = options->print.elements, *idle = options->analysis->idle;
  const GPtrArray *periods = options->analysis->periods;
  gboolean         was_told = warn_of_types (report, options->print.types);

  for (guint i = 0; globs != NULL && i < globs->len; i++)
    was_told |= warn_unmatched (report, "--element", g_ptr_array_index (globs, i));
  if (!was_told && !leaves_anything (report, &options->print))
    message_warning ("nothing in the trace fits all of --element, --type and --metric");
  for (guint i = 0; i < options->n_idle; i++)
    warn_unmatched (report, "--idle", g_ptr_array_index (idle, i));
  for (guint i = 0; periods != NULL && i < periods->len; i++)
    {
      const TsPeriodOption *period = g_ptr_array_index (periods, i);

      /* of limits the check says it */
      if (period->source == NULL)
        warn_unmatched (report, "--period", period->name);
    }
}

/* Whether all of @section is in the window that begins at @time, or else ends before it: so an event at that time is not. */
static gboolean
keeps_all (const TsSection *section, TsRational time, gboolean is_from)
{
  const gint64 begin = section->has_start ? MIN (section->start, section->first) : section->first;
  const gint64 end = section->has_stop ? MAX (section->stop, section->last + 1) : section->last + 1;

  if (is_from)
    return ts_rational_compare (time, (TsRational){ begin, 1 }) <= 0;
  return ts_rational_compare (time, (TsRational){ end, 1 }) >= 0;
}

/* A number without a unit counts ticks, which is not what everybody who writes one means. From 0 on is everything. */
static void
warn_of_edge (const TsReport *report, const char *option, const TsTimeText *time, gboolean is_from)
{
  char number[TS_NUMBER_SIZE];

  if (time->value.numerator == 0)
    return;
  for (guint i = 0; i < report->traces->len; i++)
    {
      const TsTrace *trace = g_ptr_array_index (report->traces, i);
      TsRational     units;

      if (!ts_time_text_exact (time, ts_system_time_base (ts_trace_get_system (trace)), &units))
        return;
      for (guint k = 0; k < ts_trace_n_sections (trace); k++)
        if (!keeps_all (ts_trace_get_section (trace, k), units, is_from))
          return;
    }
  ts_rational_format (time->value, number);
  message_warning ("%s %s %s leaves out nothing of the trace", option, number,
                   time->in_ticks ? "ticks" : ts_time_base_unit_name (time->exponent));
}

void
notice_window (const TsReport *report, const Options *options)
{
  const TsOptions *analysis = options->analysis;

  if (analysis->has_from)
    warn_of_edge (report, "--from", &analysis->from, TRUE);
  if (analysis->has_to)
    warn_of_edge (report, "--to", &analysis->to, FALSE);
}

/* What tells the file @path from all others; NULL: it is no file. */
static char *
identity_of (const char *path)
{
  GStatBuf file;

  if (g_str_equal (path, "-") || g_stat (path, &file) != 0 || !S_ISREG (file.st_mode))
    return NULL;
  return g_strdup_printf ("%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, (guint64) file.st_dev, (guint64) file.st_ino);
}

void
notice_repeated (const Options *options)
{
  g_autoptr (GHashTable) files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char       *baseline = options->baseline != NULL ? identity_of (options->baseline) : NULL;

  for (guint i = 0; options->traces[i] != NULL; i++)
    {
      char *file = identity_of (options->traces[i]);

      if (file != NULL && g_strcmp0 (file, baseline) == 0)
        message_warning ("%s: this file is compared with itself", options->traces[i]);
      if (file != NULL && !g_hash_table_add (files, file))
        message_warning ("%s: this file is given more than once, and counts as often", options->traces[i]);
    }
}

void
notice_rules (const Options *options)
{
  for (TsDiagnosticId id = 0; id < TS_N_DIAGNOSTICS; id++)
    if (options->rules[id] == TS_RULE_ALLOW && ts_diagnostic_info (id)->severity != TS_SEVERITY_DEFECT)
      message_warning ("--allow %s: that is a %s, which --strict lets pass", ts_diagnostic_info (id)->name,
                       ts_severity_name (ts_diagnostic_info (id)->severity));
}

void
notice_precision (const TsReport *report, guint metrics, gboolean writes_csv)
{
  const gboolean has_jitter = metrics == 0 || (metrics & 1u << TS_METRIC_JIT) != 0;

  if (writes_csv && !report->exact && report->n_percentiles > 0)
    message_warning ("percentiles of more than 2,048 samples are off by at most 0.4 %%%s; --exact-percentiles keeps all samples",
                     has_jitter ? ", those of JIT by 0.4 % of DT / P" : "");
}

/* Options that only one format has. */
void
notice_formats (const GPtrArray *traces, const Options *options)
{
  const char *name, *format;

  for (guint i = 0; (name = ts_options_next_of_format (options->analysis, &i, &format)) != NULL;)
    {
      gboolean is_used = FALSE;

      for (guint k = 0; k < traces->len && !is_used; k++)
        is_used = g_str_equal (ts_trace_get_format (g_ptr_array_index (traces, k)), format);
      if (!is_used)
        message_warning ("--%s is for traces of the format %s: there is none, and it has no effect", name, format);
    }
}
