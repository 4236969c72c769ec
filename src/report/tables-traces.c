/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "report/tables.h"

/* The tables that only some formats have (use of resources, parallelism): each trace brings its own, in its
 * own internal units, and here they take their places in the report.
 *
 *   people    a block for each table of each trace, after the metrics, unless metrics were asked for by name
 *   sheets    one flat table for all tables of a name, with `input' and `unit' before its own columns, which
 *             --table selects
 *   programs  the member `tables' of the trace's object in `inputs': an object of tables by name */

static void
copy_cell (TsTable *to, const TsCell *cell, TsRational factor)
{
  switch (cell->type)
    {
    case TS_CELL_INTEGER:
      ts_table_add_integer (to, cell->integer);
      break;
    case TS_CELL_NUMBER:
    case TS_CELL_FINE:
    case TS_CELL_EXACT: /* nor has it sums that need all digits */
      ts_table_add_number (to, cell->number);
      break;
    case TS_CELL_TIME:
      ts_table_add_time (to, ts_rational_multiply (cell->number, factor));
      break;
    case TS_CELL_REAL:
      ts_table_add_real (to, cell->real);
      break;
    case TS_CELL_TEXT:
      ts_table_add_text (to, cell->text);
      break;
    case TS_CELL_FLAG:
      ts_table_add_flag (to, cell->integer != 0);
      break;
    case TS_CELL_ROOT: /* a trace has no deviations of its own */
    case TS_CELL_ROOT_TIME:
    case TS_CELL_TABLE:
    case TS_CELL_ABSENT:
    default:
      ts_table_add_absent (to);
      break;
    }
}

static TsTable *copy_table (const TsTable *table, const char *title, guint audience, TsRational factor);

static void
copy_row (TsTable *to, const TsTable *table, guint row, guint audience, TsRational factor)
{
  ts_table_begin_row (to, ts_table_get_depth (table, row));
  for (guint column = 0; column < ts_table_n_columns (table); column++)
    {
      const TsCell *cell = ts_table_get_cell (table, row, column);

      if (cell->type == TS_CELL_TABLE && audience == TS_FOR_PROGRAMS)
        ts_table_add_table (to, copy_table (cell->table, ts_table_get_title (cell->table), audience, factor));
      else
        copy_cell (to, cell, factor);
    }
}

static TsTable *
copy_table (const TsTable *table, const char *title, guint audience, TsRational factor)
{
  TsTable *copy = ts_table_new (ts_table_get_name (table), title, ts_table_get_shape (table), audience,
                                ts_table_get_column (table, 0), ts_table_n_columns (table));

  for (guint row = 0; row < ts_table_n_rows (table); row++)
    copy_row (copy, table, row, audience, factor);
  return copy;
}

void
ts_add_trace_people_tables (GPtrArray *tables, const TsReport *report)
{
  for (guint i = 0; i < report->traces->len; i++)
    {
      const TsTrace *trace = g_ptr_array_index (report->traces, i);

      for (guint k = 0; k < ts_trace_n_tables (trace); k++)
        {
          const TsTable   *table = ts_trace_get_table (trace, k);
          const char      *title = ts_table_get_title (table);
          g_autofree char *full = NULL;

          if ((ts_table_get_audience (table) & TS_FOR_PEOPLE) == 0)
            continue;
          if (report->traces->len > 1 && title != NULL)
            full = g_strdup_printf ("%s: %s", ts_trace_get_path (trace), title);
          g_ptr_array_add (tables, copy_table (table, full != NULL ? g_intern_string (full) : title, TS_FOR_PEOPLE,
                                               ts_input_factor (report, trace)));
        }
    }
}

TsTable *
ts_trace_tables_record (const TsReport *report, const TsTrace *trace)
{
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (TsColumn));
  TsTable *record;

  for (guint k = 0; k < ts_trace_n_tables (trace); k++)
    {
      const TsTable *table = ts_trace_get_table (trace, k);
      TsColumn       column = { ts_table_get_name (table), ts_table_get_title (table), NULL };

      if (ts_table_get_audience (table) & TS_FOR_PROGRAMS)
        g_array_append_val (columns, column);
    }
  if (columns->len == 0)
    return NULL;
  record = ts_table_new ("tables", "Tables", TS_TABLE_RECORD, TS_FOR_PROGRAMS,
                         (const TsColumn *) (gpointer) columns->data, columns->len);
  ts_table_begin_row (record, 0);
  for (guint k = 0; k < ts_trace_n_tables (trace); k++)
    {
      const TsTable *table = ts_trace_get_table (trace, k);

      if (ts_table_get_audience (table) & TS_FOR_PROGRAMS)
        ts_table_add_table (record, copy_table (table, ts_table_get_title (table), TS_FOR_PROGRAMS,
                                                ts_input_factor (report, trace)));
    }
  return record;
}

/* Whether @trace brings a flat table of this name; the first one counts. */
static const TsTable *
find_sheet (const TsTrace *trace, const char *name)
{
  for (guint k = 0; k < ts_trace_n_tables (trace); k++)
    {
      const TsTable *table = ts_trace_get_table (trace, k);

      if ((ts_table_get_audience (table) & TS_FOR_SHEETS) && strcmp (ts_table_get_name (table), name) == 0)
        return table;
    }
  return NULL;
}

static guint
find_column (const GArray *columns, const char *name)
{
  guint i = 0;

  while (i < columns->len && strcmp (g_array_index ((GArray *) columns, TsColumn, i).name, name) != 0)
    i++;
  return i;
}

/* Traces of two formats may have a table of one name with different columns: those of the first come first. */
static GArray *
sheet_columns (const TsReport *report, const char *name)
{
  static const TsColumn first[] = { { "input", "input", NULL }, { "unit", "unit", NULL } };
  GArray               *columns = g_array_new (FALSE, FALSE, sizeof (TsColumn));

  g_array_append_vals (columns, first, G_N_ELEMENTS (first));
  for (guint i = 0; i < report->traces->len; i++)
    {
      const TsTable *table = find_sheet (g_ptr_array_index (report->traces, i), name);

      for (guint k = 0; table != NULL && k < ts_table_n_columns (table); k++)
        if (find_column (columns, ts_table_get_column (table, k)->name) == columns->len)
          g_array_append_val (columns, *ts_table_get_column (table, k));
    }
  return columns;
}

static void
add_sheet_rows (TsTable *sheet, const TsReport *report, const TsTrace *trace, const TsTable *table,
                const GArray *columns, TsUnit unit)
{
  TsRational         factor = ts_input_factor (report, trace);
  g_autofree guint *places = g_new (guint, columns->len); /* of the sheet's columns in @table */

  for (guint i = 2; i < columns->len; i++)
    {
      const char *name = g_array_index ((GArray *) columns, TsColumn, i).name;

      for (places[i] = 0; places[i] < ts_table_n_columns (table); places[i]++)
        if (strcmp (ts_table_get_column (table, places[i])->name, name) == 0)
          break;
    }
  for (guint row = 0; row < ts_table_n_rows (table); row++)
    {
      ts_table_begin_row (sheet, 0);
      ts_table_add_text (sheet, ts_trace_get_path (trace));
      ts_table_add_text (sheet, ts_unit_name (unit));
      for (guint i = 2; i < columns->len; i++)
        if (places[i] < ts_table_n_columns (table))
          copy_cell (sheet, ts_table_get_cell (table, row, places[i]), factor);
        else
          ts_table_add_absent (sheet);
    }
}

static void
add_sheet (GPtrArray *tables, const TsReport *report, const TsTable *example, TsUnit unit)
{
  const char        *name = ts_table_get_name (example);
  g_autoptr (GArray) columns = sheet_columns (report, name);
  TsTable           *sheet = ts_table_new (name, ts_table_get_title (example), TS_TABLE_LIST, TS_FOR_SHEETS,
                                           (const TsColumn *) (gpointer) columns->data, columns->len);

  for (guint i = 0; i < report->traces->len; i++)
    {
      const TsTrace *trace = g_ptr_array_index (report->traces, i);
      const TsTable *table = find_sheet (trace, name);

      if (table != NULL)
        add_sheet_rows (sheet, report, trace, table, columns, unit);
    }
  g_ptr_array_add (tables, sheet);
}

static gboolean
has_table (const GPtrArray *tables, guint first, const char *name)
{
  for (guint i = first; i < tables->len; i++)
    if (g_strcmp0 (ts_table_get_name (g_ptr_array_index ((GPtrArray *) tables, i)), name) == 0)
      return TRUE;
  return FALSE;
}

void
ts_add_trace_sheets (GPtrArray *tables, const TsReport *report, const TsPrintOptions *options)
{
  TsUnit unit = ts_file_unit (options->unit, &report->base);
  guint  first = tables->len;

  for (guint i = 0; i < report->traces->len; i++)
    {
      const TsTrace *trace = g_ptr_array_index (report->traces, i);

      for (guint k = 0; k < ts_trace_n_tables (trace); k++)
        {
          const TsTable *table = ts_trace_get_table (trace, k);

          if ((ts_table_get_audience (table) & TS_FOR_SHEETS)
              && !has_table (tables, first, ts_table_get_name (table)))
            add_sheet (tables, report, table, unit);
        }
    }
}
