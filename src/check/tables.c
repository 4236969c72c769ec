/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "check/verdict.h"
#include "report/tables.h"

/* Verdicts as tables: `verdicts' and `comparison', flat, for programs and spreadsheets; for people the
 * comparison with what changed, and the verdict, which is short when all is well. */

#define FOR_MACHINES (TS_FOR_SHEETS | TS_FOR_PROGRAMS)

static void
add_amount (TsTable *table, const TsVerdict *verdict, gboolean has, TsRational value)
{
  if (!has)
    ts_table_add_absent (table);
  else if (ts_figure_quantity (&verdict->figure) == TS_QUANTITY_COUNT)
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

static void
add_outside (TsTable *table, const TsVerdict *verdict)
{
  if (!verdict->has_outside)
    return;
  ts_table_add_integer (table, (gint64) verdict->n_outside);
  ts_table_add_integer (table, (gint64) verdict->n_outside_max);
}

static const char *
unit_name (const TsVerdict *verdict, TsUnit unit)
{
  if (!verdict->has_figure)
    return NULL;
  return ts_figure_quantity (&verdict->figure) == TS_QUANTITY_COUNT ? "count" : ts_metric_unit_name (verdict->figure.metric, unit);
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
    { "n_outside", "samples outside" },                     { "n_outside_max", "at most" },
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
      add_outside (table, verdict);
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

      /* a section that matches nothing is no figure */
      if (!verdict->is_comparison || ts_verdict_is_of_section (verdict))
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
