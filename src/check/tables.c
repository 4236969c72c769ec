/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "check/verdict.h"
#include "report/tables.h"

/* Verdicts as tables: `verdicts' and `comparison', flat, for programs and spreadsheets; for people the
 * comparison with what changed, and the verdict, which is short when all is well. */

#define FOR_MACHINES (TS_FOR_SHEETS | TS_FOR_PROGRAMS)

char *
ts_verdict_subject (const TsVerdict *verdict)
{
  if (*verdict->element == '\0')
    return g_strdup (verdict->section);
  if (!verdict->has_figure)
    return g_strdup (verdict->label);
  return g_strdup_printf ("%s %s.%s", verdict->label, ts_metric_info (verdict->figure.metric)->name,
                          ts_figure_statistic_name (&verdict->figure));
}

static char *
value_text (const TsCheck *check, const TsVerdict *verdict, TsRational value, const TsPrintOptions *options)
{
  return ts_value_text (&verdict->figure, value, verdict->has_bound ? verdict->bound : value, &check->report->base,
                        options->unit);
}

char *
ts_verdict_demand (const TsCheck *check, const TsVerdict *verdict, const TsPrintOptions *options)
{
  g_autofree char *bound = NULL;

  if (!verdict->has_bound)
    return g_strdup ("");
  bound = value_text (check, verdict, verdict->bound, options);
  return g_strdup_printf ("%s %s", verdict->is_lower ? ">=" : "<=", bound);
}

static char *
change_text (const TsVerdict *verdict)
{
  g_autofree char *percent = verdict->has_relative ? ts_percent_text (verdict->relative) : NULL;

  if (ts_rational_compare (verdict->value, verdict->old) == 0)
    return g_strdup ("unchanged");
  if (percent == NULL)
    return g_strdup ("changed");
  return g_strdup_printf ("%s%s", verdict->relative.numerator < 0 ? "-" : "+", percent);
}

char *
ts_verdict_sentence (const TsCheck *check, const TsVerdict *verdict, const TsPrintOptions *options)
{
  g_autofree char *demand = ts_verdict_demand (check, verdict, options);
  g_autofree char *value = verdict->has_value ? value_text (check, verdict, verdict->value, options) : NULL;
  g_autofree char *old = verdict->has_old ? value_text (check, verdict, verdict->old, options) : NULL;
  g_autofree char *margin = verdict->has_margin ? ts_percent_text (verdict->margin) : NULL;
  g_autofree char *change = NULL;

  switch (verdict->result)
    {
    case TS_VERDICT_NO_SAMPLES:
      if (verdict->is_comparison)
        return g_strdup_printf ("no samples any more; %s in the baseline", old);
      return g_strdup_printf ("no samples to hold against %s", demand);
    case TS_VERDICT_SKIPPED:
      return g_strdup_printf ("no samples to hold against %s, which is optional", demand);
    case TS_VERDICT_NO_MATCH:
      return g_strdup ("matches no element");
    case TS_VERDICT_VANISHED:
      return g_strdup ("is in the baseline, and is not in the trace");
    case TS_VERDICT_LACKING:
      return g_strdup_printf ("%s; the baseline does not have this metric", value);
    case TS_VERDICT_DIFFERENT:
      return g_strdup ("cannot be compared");
    case TS_VERDICT_NEW:
      return verdict->has_value ? g_strdup_printf ("%s; no samples in the baseline", value)
                                : g_strdup ("is not in the baseline");
    case TS_VERDICT_HOLDS:
    case TS_VERDICT_NOISE:
    case TS_VERDICT_VIOLATED:
    case TS_N_VERDICTS:
    default:
      break;
    }
  if (verdict->is_comparison)
    {
      g_autofree char *bound = value_text (check, verdict, verdict->bound, options);
      gboolean         is_broken = verdict->result != TS_VERDICT_HOLDS && margin != NULL;

      change = change_text (verdict);
      return g_strdup_printf ("%s, was %s (%s); %s%s%s%s%s", value, old, change, is_broken ? margin : "",
                              !is_broken          ? ""
                              : verdict->is_lower ? " below the allowed "
                                                  : " above the allowed ",
                              is_broken ? bound : demand, is_broken ? "" : " is allowed",
                              verdict->has_p && !verdict->is_significant ? "; likely noise" : "");
    }
  if (verdict->result == TS_VERDICT_HOLDS)
    return g_strdup_printf ("%s, %s demanded", value, demand);
  if (verdict->is_unsure)
    return g_strdup_printf ("%s, maybe not %s", value, demand);
  return g_strdup_printf ("%s, not %s%s%s%s", value, demand, margin != NULL ? ": " : "", margin != NULL ? margin : "",
                          margin == NULL ? "" : verdict->is_lower ? " below" : " above");
}

static void
append_place (GString *text, const TsCheck *check, const TsVerdict *verdict, const TsPrintOptions *options)
{
  const GPtrArray *traces = check->report->traces;
  const TsExtreme *place = &verdict->place;
  g_autofree char *at = ts_time_value_text (place->at, &check->report->base, options->unit);
  gboolean is_worst = verdict->figure.statistic != TS_STATISTIC_MAX && verdict->figure.statistic != TS_STATISTIC_MIN
                      && verdict->figure.statistic != TS_STATISTIC_ABSMAX;

  g_string_append_printf (text, "%s %" G_GINT64_FORMAT " at %s", is_worst ? "worst instance" : "instance",
                          place->number, at);
  if (place->input >= traces->len)
    return;
  if (ts_trace_n_sections (g_ptr_array_index (traces, place->input)) > 1)
    g_string_append_printf (text, ", section %u", place->section);
  if (traces->len > 1)
    g_string_append_printf (text, ", %s", ts_trace_get_path (g_ptr_array_index (traces, place->input)));
}

char *
ts_verdict_origin (const TsCheck *check, const TsVerdict *verdict, const TsPrintOptions *options)
{
  GString *text = g_string_new (NULL);

  if (verdict->has_place)
    append_place (text, check, verdict, options);
  /* that it is compared with the baseline is in the sentence */
  if (!verdict->is_comparison || verdict->section == NULL)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "; " : "", verdict->source);
  if (verdict->section != NULL && *verdict->element != '\0')
    g_string_append_printf (text, "%s%s", !verdict->is_comparison ? " " : text->len > 0 ? "; " : "", verdict->section);
  if (verdict->note != NULL)
    g_string_append_printf (text, "; %s", verdict->note);
  return g_string_free (text, FALSE);
}

static void
add_amount (TsTable *table, const TsVerdict *verdict, gboolean has, TsRational value)
{
  if (!has)
    ts_table_add_absent (table);
  else if (verdict->figure.statistic == TS_STATISTIC_N)
    ts_table_add_number (table, value);
  else
    ts_add_metric_value (table, verdict->figure.metric, value);
}

static void
add_place_cells (TsTable *table, const TsReport *report, const TsVerdict *verdict)
{
  if (!verdict->has_place)
    {
      for (guint i = 0; i < 4; i++)
        ts_table_add_absent (table);
      return;
    }
  ts_table_add_time (table, (TsRational){ verdict->place.at, 1 });
  ts_table_add_integer (table, verdict->place.number);
  ts_table_add_integer (table, verdict->place.section);
  ts_table_add_text (table, verdict->place.input < report->traces->len
                                ? ts_trace_get_path (g_ptr_array_index (report->traces, verdict->place.input))
                                : report->input);
}

static const char *
unit_name (const TsVerdict *verdict, TsUnit unit)
{
  if (!verdict->has_figure)
    return NULL;
  return verdict->figure.statistic == TS_STATISTIC_N ? "count" : ts_metric_unit_name (verdict->figure.metric, unit);
}

static void
add_figure (TsTable *table, const TsVerdict *verdict)
{
  ts_table_add_text (table, verdict->has_figure ? ts_metric_info (verdict->figure.metric)->name : NULL);
  ts_table_add_text (table, verdict->has_figure ? ts_figure_statistic_name (&verdict->figure) : NULL);
}

/* Every limit and every comparison. */
static TsTable *
verdicts_table (const TsCheck *check, TsUnit unit)
{
  static const TsColumn columns[] = {
    { "verdict", "verdict" },   { "pass", "pass" },         { "kind", "kind" },       { "type", "type" },
    { "element", "element" },   { "id", "id" },             { "metric", "metric" },   { "statistic", "statistic" },
    { "unit", "unit" },         { "n", "n" },               { "value", "value" },     { "relation", "relation" },
    { "bound", "bound" },       { "margin", "margin" },     { "at", "at" },           { "instance", "instance" },
    { "trace_section", "section of the trace" },            { "trace", "trace" },     { "source", "source" },
    { "section", "section" },   { "note", "note" },         { "parent", "parent" },   { "resource", "resource" },
  };
  TsTable *table = ts_table_new ("verdicts", "Verdicts", TS_TABLE_LIST, FOR_MACHINES, columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < check->verdicts->len; i++)
    {
      const TsVerdict *verdict = g_ptr_array_index (check->verdicts, i);

      ts_table_begin_row (table, 0);
      ts_table_add_text (table, ts_verdict_result_name (verdict->result));
      ts_table_add_flag (table, ts_verdict_is_pass (verdict->result));
      ts_table_add_text (table, verdict->is_comparison ? "comparison" : "limit");
      ts_table_add_text (table, verdict->type);
      ts_table_add_text (table, verdict->element);
      ts_table_add_text (table, verdict->id);
      add_figure (table, verdict);
      ts_table_add_text (table, unit_name (verdict, unit));
      if (verdict->has_figure)
        ts_table_add_integer (table, (gint64) verdict->n);
      else
        ts_table_add_absent (table);
      add_amount (table, verdict, verdict->has_value, verdict->value);
      ts_table_add_text (table, !verdict->has_bound ? NULL : verdict->is_lower ? ">=" : "<=");
      add_amount (table, verdict, verdict->has_bound, verdict->bound);
      if (verdict->has_margin)
        ts_table_add_number (table, verdict->margin);
      else
        ts_table_add_absent (table);
      add_place_cells (table, check->report, verdict);
      ts_table_add_text (table, verdict->source);
      ts_table_add_text (table, verdict->section);
      ts_table_add_text (table, verdict->note);
      ts_table_add_text (table, verdict->parent);
      ts_table_add_text (table, verdict->resource);
    }
  return table;
}

/* Old and new of every figure that is compared. */
static TsTable *
comparison_table (const TsCheck *check, TsUnit unit)
{
  static const TsColumn columns[] = {
    { "type", "type" },       { "element", "element" }, { "id", "id" },         { "metric", "metric" },
    { "statistic", "statistic" }, { "unit", "unit" },   { "old_n", "old n" },   { "new_n", "new n" },
    { "old", "old" },         { "new", "new" },         { "change", "change" }, { "relative", "relative change" },
    { "tolerance", "tolerance" }, { "allowed", "allowed" }, { "p", "p" },       { "significant", "significant" },
    { "verdict", "verdict" },     { "parent", "parent" },
    { "resource", "resource" },
  };
  TsTable *table = ts_table_new ("comparison", "Comparison", TS_TABLE_LIST, FOR_MACHINES, columns,
                                 G_N_ELEMENTS (columns));

  for (guint i = 0; i < check->verdicts->len; i++)
    {
      const TsVerdict *verdict = g_ptr_array_index (check->verdicts, i);
      gboolean         both = verdict->has_old && verdict->has_value;

      if (!verdict->is_comparison)
        continue;
      ts_table_begin_row (table, 0);
      ts_table_add_text (table, verdict->type);
      ts_table_add_text (table, verdict->element);
      ts_table_add_text (table, verdict->id);
      add_figure (table, verdict);
      ts_table_add_text (table, unit_name (verdict, unit));
      if (verdict->has_figure)
        {
          ts_table_add_integer (table, (gint64) verdict->old_n);
          ts_table_add_integer (table, (gint64) verdict->n);
        }
      else
        {
          ts_table_add_absent (table);
          ts_table_add_absent (table);
        }
      add_amount (table, verdict, verdict->has_old, verdict->old);
      add_amount (table, verdict, verdict->has_value, verdict->value);
      add_amount (table, verdict, both, both ? ts_rational_subtract (verdict->value, verdict->old) : verdict->value);
      if (verdict->has_relative)
        ts_table_add_number (table, verdict->relative);
      else
        ts_table_add_absent (table);
      ts_table_add_text (table, verdict->section);
      add_amount (table, verdict, verdict->has_bound, verdict->bound);
      if (verdict->has_p)
        {
          ts_table_add_real (table, verdict->p);
          ts_table_add_flag (table, verdict->is_significant);
        }
      else
        {
          ts_table_add_absent (table);
          ts_table_add_absent (table);
        }
      ts_table_add_text (table, ts_verdict_result_name (verdict->result));
      ts_table_add_text (table, verdict->parent);
      ts_table_add_text (table, verdict->resource);
    }
  return table;
}

void
ts_check_add_tables (gconstpointer data, const TsPrintOptions *options, guint audience, GPtrArray *tables)
{
  const TsCheck *check = data;
  TsUnit         unit = ts_file_unit (options->unit, &check->report->base);

  if (audience & TS_FOR_PEOPLE)
    {
      g_autoptr (GPtrArray) summary = ts_check_summary (check, options);

      g_ptr_array_extend_and_steal (tables, g_steal_pointer (&summary));
    }
  if ((audience & FOR_MACHINES) == 0)
    return;
  if (check->baseline != NULL)
    g_ptr_array_add (tables, comparison_table (check, unit));
  g_ptr_array_add (tables, verdicts_table (check, unit));
}
