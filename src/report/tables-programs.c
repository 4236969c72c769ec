/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "report/tables.h"

/* The nested tables of the JSON report. It holds what a later run needs as a baseline, and what a
 * merge of reports needs: sums and samples in ticks. */

/* The load of one resource. */
typedef struct
{
  const TsReport       *report;
  TsUnit                unit;
  const TsMetricResult *load;
  TsTable              *merge; /* in the row */
} LoadRow;

static void
free_load_row (gpointer data)
{
  LoadRow *row = data;

  ts_table_free (row->merge);
  g_free (row);
}

static TsCell *
make_load_row (TsCell *cells, gconstpointer data, G_GNUC_UNUSED guint index, G_GNUC_UNUSED guint *depth)
{
  const LoadRow        *row = data;
  const TsMetricResult *load = row->load;

  cells = ts_put_text (cells, ts_metric_info (TS_METRIC_LOAD)->name);
  cells = ts_put_text (cells, ts_metric_unit_name (TS_METRIC_LOAD, row->unit));
  cells = ts_put_integer (cells, (gint64) load->n);
  if (load->n == 0)
    return cells;
  ts_merge_load_table_show (row->merge, load);
  cells = ts_put_number (cells, load->min);
  cells = ts_put_number (cells, load->mean);
  cells = ts_put_number (cells, load->max);
  cells = ts_put_exact (cells, ts_in_ticks ((TsRational){ load->sum, 1 }, &row->report->base));
  cells = ts_put_time (cells, load->reference_value);
  return ts_put_table (cells, row->merge);
}

static TsTable *
new_load_table (const TsReport *report, TsUnit unit)
{
  static const TsColumn columns[] = { { "metric" }, { "unit" }, { "n" },         { "min" },
                                      { "mean" },   { "max" },  { "sum_ticks" }, { "reference_value" },
                                      { "merge" } };
  LoadRow              *row = g_new (LoadRow, 1);

  *row = (LoadRow){ report, unit, NULL, ts_merge_load_table_new () };
  return ts_table_new_renewed ("metrics", TS_TABLE_MAP, columns, G_N_ELEMENTS (columns), make_load_row, row,
                               free_load_row);
}

static void
show_load (TsTable *table, const TsMetricResult *load)
{
  LoadRow *row = ts_table_renew (table, 1);

  row->load = load;
}

typedef struct
{
  TsFilter            *filter;
  const TsReportBlock *block;
  GArray              *shown; /* of guint: its resources, row by row */
  TsTable             *load;  /* in a row */
} ResourceRows;

static void
free_resource_rows (gpointer data)
{
  ResourceRows *rows = data;

  ts_filter_free (rows->filter);
  g_array_unref (rows->shown);
  ts_table_free (rows->load);
  g_free (rows);
}

static TsCell *
make_resource_row (TsCell *cells, gconstpointer data, guint row, G_GNUC_UNUSED guint *depth)
{
  const ResourceRows     *rows = data;
  const TsReportResource *resource
      = g_ptr_array_index (rows->block->resources, g_array_index (rows->shown, guint, row));

  show_load (rows->load, &resource->load);
  cells = ts_put_text (cells, resource->name);
  cells = ts_put_text (cells, resource->id);
  cells = ts_put_text (cells, resource->scheduler);
  return ts_put_table (cells, rows->load);
}

static TsTable *
new_resources_table (const TsReport *report, const TsPrintOptions *options)
{
  static const TsColumn columns[] = { { "resource" }, { "id" }, { "scheduler" }, { "metrics" } };
  ResourceRows         *rows = g_new (ResourceRows, 1);

  *rows = (ResourceRows){ ts_filter_new (options), NULL, g_array_new (FALSE, FALSE, sizeof (guint)),
                          new_load_table (report, ts_file_unit (options->unit, &report->base)) };
  return ts_table_new_renewed ("resources", TS_TABLE_LIST, columns, 4, make_resource_row, rows, free_resource_rows);
}

static void
show_resources (TsTable *table, const TsReportBlock *block)
{
  ResourceRows *rows = ts_table_renew (table, 0);

  rows->block = block;
  g_array_set_size (rows->shown, 0);
  for (guint i = 0; i < block->resources->len; i++)
    {
      const TsReportResource *resource = g_ptr_array_index (block->resources, i);

      if (ts_filter_has_resource (rows->filter, resource->name))
        g_array_append_val (rows->shown, i);
    }
  ts_table_renew (table, rows->shown->len);
}

typedef struct
{
  const TsReport *report;
  TsTable        *elements, *resources; /* in a row */
} SectionRows;

static void
free_section_rows (gpointer data)
{
  SectionRows *rows = data;

  ts_table_free (rows->elements);
  ts_table_free (rows->resources);
  g_free (rows);
}

static TsCell *
make_section_row (TsCell *cells, gconstpointer data, guint row, G_GNUC_UNUSED guint *depth)
{
  const SectionRows   *rows = data;
  const TsReportBlock *block = g_ptr_array_index (rows->report->blocks, row + 1);

  ts_elements_table_show (rows->elements, block);
  show_resources (rows->resources, block);
  cells = ts_put_text (cells, ts_block_path (rows->report, block));
  cells = ts_put_integer (cells, block->section);
  cells = ts_put_table (cells, rows->elements);
  return ts_put_table (cells, rows->resources);
}

/* The blocks after the pooled one. */
static TsTable *
sections_table (const TsReport *report, const TsPrintOptions *options)
{
  static const TsColumn columns[] = { { "input" }, { "section" }, { "elements" }, { "resources" } };
  SectionRows          *rows = g_new (SectionRows, 1);

  *rows = (SectionRows){ report, ts_elements_table_new (report, options), new_resources_table (report, options) };
  return ts_table_new_late ("sections", "Sections", TS_FOR_PROGRAMS, columns, 4, report->blocks->len - 1,
                            make_section_row, rows, free_section_rows);
}

static TsTable *
first_place_table (const TsDiagnostic *entry)
{
  static const TsColumn columns[] = { { "file" }, { "line" }, { "detail" } };
  TsTable *table = ts_table_new ("first", "First", TS_TABLE_RECORD, TS_FOR_PROGRAMS, columns, 3);

  ts_table_begin_row (table, 0);
  ts_table_add_text (table, entry->file);
  if (entry->line != 0)
    ts_table_add_integer (table, (gint64) entry->line);
  else
    ts_table_add_absent (table);
  ts_table_add_text (table, entry->detail);
  return table;
}

static TsTable *
diagnostics_table (const TsDiagnostics *diagnostics)
{
  static const TsColumn columns[] = { { "name" }, { "severity" }, { "count" }, { "found" }, { "done" }, { "first" } };
  TsTable *table = ts_table_new ("diagnostics", "Diagnostics", TS_TABLE_LIST, TS_FOR_PROGRAMS, columns, 6);

  for (TsDiagnosticId id = 0; id < TS_N_DIAGNOSTICS; id++)
    {
      const TsDiagnostic     *entry = &diagnostics->entries[id];
      const TsDiagnosticInfo *info = ts_diagnostic_info (id);

      if (entry->count == 0)
        continue;
      ts_table_begin_row (table, 0);
      ts_table_add_text (table, info->name);
      ts_table_add_text (table, ts_severity_name (info->severity));
      ts_table_add_integer (table, (gint64) entry->count);
      ts_table_add_text (table, info->found);
      ts_table_add_text (table, info->done);
      ts_table_add_table (table, first_place_table (entry));
    }
  return table;
}

static TsTable *
tool_table (void)
{
  static const TsColumn columns[] = { { "name" }, { "version" } };
  TsTable *table = ts_table_new ("tool", "Tool", TS_TABLE_RECORD, TS_FOR_PROGRAMS, columns, 2);

  ts_table_begin_row (table, 0);
  ts_table_add_text (table, PACKAGE_NAME);
  ts_table_add_text (table, PACKAGE_VERSION);
  return table;
}

/* The members that stand alone: a record without a name. */
static TsTable *
header_table (const TsReport *report, TsUnit unit, gboolean is_whole)
{
  static const TsColumn columns[] = { { "schema" }, { "tool" }, { "unit" }, { "time_base" }, { "filtered" } };
  TsTable *table = ts_table_new (NULL, "Report", TS_TABLE_RECORD, TS_FOR_PROGRAMS, columns, 5);

  ts_table_begin_row (table, 0);
  ts_table_add_integer (table, TS_REPORT_SCHEMA);
  ts_table_add_table (table, tool_table ());
  ts_table_add_text (table, ts_unit_name (unit));
  ts_table_add_table (table, ts_time_base_table (&report->base));
  if (!is_whole)
    ts_table_add_flag (table, TRUE);
  return table;
}

/* Whether @options leave nothing out. */
static gboolean
shows_all (const TsReport *report, const TsPrintOptions *options)
{
  const TsReportBlock *pooled = g_ptr_array_index (report->blocks, 0);
  g_autoptr (TsFilter) filter = ts_filter_new (options);

  for (guint i = 0; i < TS_N_METRICS; i++)
    if (!ts_filter_has_metric (filter, (TsMetricId) i))
      return FALSE;
  for (guint i = 0; i < pooled->elements->len; i++)
    {
      const TsReportElement *element = g_ptr_array_index (pooled->elements, i);

      if (!ts_filter_has_element (filter, element->type, element->name))
        return FALSE;
    }
  for (guint i = 0; i < pooled->resources->len; i++)
    {
      const TsReportResource *resource = g_ptr_array_index (pooled->resources, i);

      if (!ts_filter_has_resource (filter, resource->name))
        return FALSE;
    }
  return TRUE;
}

static void
add_pooled_block (GPtrArray *tables, const TsReport *report, const TsPrintOptions *options)
{
  const TsReportBlock *pooled = g_ptr_array_index (report->blocks, 0);
  TsTable             *elements = ts_elements_table_new (report, options);
  TsTable             *resources = new_resources_table (report, options);

  ts_elements_table_show (elements, pooled);
  show_resources (resources, pooled);
  g_ptr_array_add (tables, elements);
  g_ptr_array_add (tables, resources);
}

void
ts_add_program_tables (GPtrArray *tables, const TsReport *report, const TsPrintOptions *options)
{
  TsUnit unit = ts_file_unit (options->unit, &report->base);

  g_ptr_array_add (tables, header_table (report, unit, shows_all (report, options)));
  g_ptr_array_add (tables, ts_inputs_table (report));
  add_pooled_block (tables, report, options);
  if (report->blocks->len > 1)
    g_ptr_array_add (tables, sections_table (report, options));
  g_ptr_array_add (tables, diagnostics_table (report->diagnostics));
}
