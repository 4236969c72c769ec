/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "analyse/trace.h"
#include "report/results.h"
#include "report/tables.h"

/* The flat table of metrics, which is a contract: columns are added at the end, never renamed. */
static const TsColumn leading_columns[] = {
  { "input", "input" },         { "section", "section" }, { "resource", "resource" }, { "parent", "parent" },
  { "element", "element" },     { "id", "id" },           { "type", "type" },         { "metric", "metric" },
  { "unit", "unit" },           { "n", "n" },             { "min", "min" },           { "mean", "mean" },
  { "max", "max" },             { "stddev", "standard deviation" },
};
static const TsColumn trailing_columns[] = {
  { "min_at", "min at" },           { "max_at", "max at" },
  { "min_instance", "of instance" }, { "max_instance", "of instance" },
  { "min_ticks", "min in ticks" },  { "max_ticks", "max in ticks" },
  { "sum_ticks", "sum in ticks" },  { "reference", "reference" },
  { "reference_value", "its value" },
};

TsFilter *
ts_filter_new (const TsPrintOptions *options)
{
  TsFilter *filter = g_new0 (TsFilter, 1);

  filter->metrics = options->metrics != 0 ? options->metrics : ~0u;
  filter->has_metrics = options->metrics != 0;
  filter->types = options->types;
  filter->has_types = options->types != 0;
  if (options->elements != NULL && options->elements->len > 0)
    filter->globs = options->elements;
  return filter;
}

void
ts_filter_free (TsFilter *filter)
{
  g_free (filter);
}

static gboolean
has_name (const TsFilter *filter, const char *name)
{
  if (filter->globs == NULL)
    return TRUE;
  for (guint i = 0; i < filter->globs->len; i++)
    if (ts_glob_matches (filter->globs->pdata[i], name))
      return TRUE;
  return FALSE;
}

gboolean
ts_filter_has_metric (const TsFilter *filter, TsMetricId metric)
{
  return (filter->metrics & (1u << metric)) != 0;
}

gboolean
ts_element_has_row (const TsReportElement *element, TsMetricId metric)
{
  return (ts_results_measured (element) >> metric & 1) != 0 || !ts_metric_info (metric)->is_special;
}

gboolean
ts_filter_has_element (const TsFilter *filter, TsElementType type, const char *name)
{
  return (!filter->has_types || (filter->types & (1u << type)) != 0) && has_name (filter, name);
}

gboolean
ts_filter_has_resource (const TsFilter *filter, const char *name)
{
  return !filter->has_types && ts_filter_has_metric (filter, TS_METRIC_LOAD) && has_name (filter, name);
}

TsUnit
ts_file_unit (TsUnit asked, const TsTimeBase *base)
{
  if (!base->known)
    return TS_UNIT_TICKS;
  return asked == TS_UNIT_FITTING ? TS_UNIT_NS : asked;
}

const char *
ts_percentile_name (guint64 millionths)
{
  char  name[TS_NUMBER_SIZE + 1] = "p";
  gsize length = ts_rational_format ((TsRational){ (TsInt128) millionths, 1000000 }, name + 1);

  g_assert (length > 0);
  return g_intern_string (name);
}

const char *
ts_metric_unit_name (TsMetricId metric, TsUnit unit)
{
  switch (ts_metric_info (metric)->quantity)
    {
    case TS_QUANTITY_RATIO:
      return "ratio";
    case TS_QUANTITY_COUNT:
      return "count";
    case TS_QUANTITY_TIME:
    default:
      return ts_unit_name (unit);
    }
}

TsRational
ts_in_ticks (TsRational units, const TsTimeBase *base)
{
  return (TsRational){ units.numerator, units.denominator * base->scale };
}

TsRational
ts_scaled (gint64 units, TsRational factor)
{
  return ts_rational_multiply ((TsRational){ units, 1 }, factor);
}

TsRational
ts_input_factor (const TsReport *report, const TsTrace *trace)
{
  const TsTimeBase *own = ts_system_time_base (ts_trace_get_system (trace));
  TsUnit            unit = own->known && report->base.known ? TS_UNIT_S : TS_UNIT_TICKS;

  return ts_rational_divide (ts_time_base_factor (own, unit), ts_time_base_factor (&report->base, unit));
}

TsRational
ts_input_tick (const TsReport *report, const TsTrace *trace)
{
  const TsTimeBase *own = ts_system_time_base (ts_trace_get_system (trace));

  return ts_rational_multiply (trace->is_report ? trace->stated_tick : ts_rational (own->scale, 1),
                               ts_input_factor (report, trace));
}

TsInt128
ts_trace_span (const TsTrace *trace)
{
  TsInt128 span = 0;

  for (guint i = 0; i < ts_trace_n_sections (trace); i++)
    {
      const TsSection *section = ts_trace_get_section (trace, i);

      span += (TsInt128) section->window_to - section->window_from;
    }
  return span;
}

TsRational
ts_report_span (const TsReport *report)
{
  TsRational span = { 0, 1 };

  for (guint i = 0; i < report->traces->len; i++)
    {
      const TsTrace *trace = g_ptr_array_index (report->traces, i);

      span = ts_rational_add (span, ts_rational_multiply ((TsRational){ ts_trace_span (trace), 1 },
                                                          ts_input_factor (report, trace)));
    }
  return span;
}

const char *
ts_block_path (const TsReport *report, const TsReportBlock *block)
{
  if (block->section == 0 || block->input >= report->traces->len)
    return report->input;
  return ts_trace_get_path (g_ptr_array_index (report->traces, block->input));
}

void
ts_add_metric_value (TsTable *table, TsMetricId metric, TsRational value)
{
  if (ts_metric_info (metric)->quantity == TS_QUANTITY_TIME)
    ts_table_add_time (table, value);
  else
    ts_table_add_number (table, value);
}

void
ts_choose_ancestors (gboolean *chosen, const guint *depths, guint n_rows)
{
  guint wanted = 0; /* rows above this depth are ancestors of a chosen one */

  for (guint row = n_rows; row-- > 0;)
    {
      if (depths[row] < wanted)
        chosen[row] = TRUE;
      wanted = chosen[row] ? depths[row] : MIN (wanted, depths[row]);
    }
}

/* Who a row is about: the columns from `input' to `type'. */
typedef struct
{
  const TsReportBlock *block;
  const char          *path;
  const char          *resource, *parent, *name, *id, *type;
} Subject;

static TsCell *
add_absent (TsCell *cells, guint n)
{
  for (guint i = 0; i < n; i++)
    cells = ts_put_absent (cells);
  return cells;
}

static TsCell *
add_value (TsCell *cells, TsQuantity quantity, TsRational value)
{
  return quantity == TS_QUANTITY_TIME ? ts_put_time (cells, value) : ts_put_number (cells, value);
}

static TsCell *
add_time_of (TsCell *cells, const TsMetricResult *result, const TsExtreme *extreme)
{
  return ts_result_has_place (result, extreme) ? ts_put_time (cells, (TsRational){ extreme->at, 1 })
                                               : ts_put_absent (cells);
}

static TsCell *
add_instance_of (TsCell *cells, const TsMetricResult *result, const TsExtreme *extreme)
{
  return ts_result_has_place (result, extreme) ? ts_put_integer (cells, extreme->number) : ts_put_absent (cells);
}

static TsCell *
add_extremes (TsCell *cells, const TsReport *report, const TsMetricResult *result, gboolean has_ticks)
{
  cells = add_time_of (cells, result, &result->min_where);
  cells = add_time_of (cells, result, &result->max_where);
  cells = add_instance_of (cells, result, &result->min_where);
  cells = add_instance_of (cells, result, &result->max_where);
  if (!has_ticks)
    return add_absent (cells, 3);
  cells = ts_put_exact (cells, ts_in_ticks (result->min, &report->base));
  cells = ts_put_exact (cells, ts_in_ticks (result->max, &report->base));
  cells = ts_put_exact (cells, ts_in_ticks ((TsRational){ result->sum, 1 }, &report->base));
  return cells;
}

static TsCell *
add_load_extremes (TsCell *cells, const TsReport *report, const TsMetricResult *load)
{
  cells = add_absent (cells, 6);
  cells = ts_put_exact (cells, ts_in_ticks ((TsRational){ load->sum, 1 }, &report->base));
  return cells;
}

static TsCell *
add_subject (TsCell *cells, const Subject *subject)
{
  guint section = subject->block->section;

  cells = ts_put_text (cells, subject->path);
  cells = section != 0 ? ts_put_integer (cells, section) : ts_put_absent (cells);
  cells = ts_put_text (cells, subject->resource);
  cells = ts_put_text (cells, subject->parent);
  cells = ts_put_text (cells, subject->name);
  cells = ts_put_text (cells, subject->id);
  cells = ts_put_text (cells, subject->type);
  return cells;
}

static TsCell *
add_count (TsCell *cells, const char *name, const char *unit, guint64 n)
{
  cells = ts_put_text (cells, name);
  cells = ts_put_text (cells, unit);
  cells = ts_put_integer (cells, (gint64) n);
  return cells;
}

TsCell *
ts_put_metric (TsCell *cells, const TsReport *report, TsMetricId metric, const TsMetricResult *result, TsUnit unit)
{
  const TsMetricInfo *info = ts_metric_info (metric);
  TsQuantity          quantity = info->quantity;

  cells = add_count (cells, info->name, ts_metric_unit_name (metric, unit), result->n);
  if (result->n == 0)
    return cells;

  cells = add_value (cells, quantity, result->min);
  cells = add_value (cells, quantity, result->mean);
  cells = add_value (cells, quantity, result->max);
  if (metric == TS_METRIC_LOAD)
    cells = ts_put_absent (cells);
  else
    cells = quantity == TS_QUANTITY_TIME ? ts_put_root_time (cells, &result->stddev)
                                         : ts_put_root (cells, &result->stddev, 1);
  for (guint i = 0; i < report->n_percentiles; i++)
    if (result->percentiles != NULL && metric != TS_METRIC_LOAD)
      cells = add_value (cells, quantity, result->percentiles[i]);
    else
      cells = ts_put_absent (cells);
  if (metric == TS_METRIC_LOAD)
    cells = add_load_extremes (cells, report, result);
  else
    cells = add_extremes (cells, report, result, quantity == TS_QUANTITY_TIME);
  cells = ts_put_text (cells, result->reference);
  return result->reference != NULL || metric == TS_METRIC_LOAD ? ts_put_time (cells, result->reference_value)
                                                               : ts_put_absent (cells);
}

/* What a row shows: a metric of an element or the load of a resource, or what was counted. */
typedef enum
{
  ROW_METRIC,
  ROW_LOAD,
  ROW_READS,
  ROW_WRITES,
} RowKind;

typedef struct
{
  guint32 block, index; /* of its element or resource */
  guint8  kind;         /* RowKind */
  guint8  metric;
} Row;

typedef struct
{
  const TsReport *report;
  TsUnit          unit;
  GArray         *rows; /* of Row, and room for more */
  guint           n_rows;
  TsResults      *results; /* of the element that was last looked at */
} Rows;

static void
free_rows (gpointer data)
{
  Rows *rows = data;

  g_array_unref (rows->rows);
  ts_results_free (rows->results);
  g_free (rows);
}

/* More than an element has rows: a row for each metric, READS and WRITES. */
#define MOST_ROWS (TS_N_METRICS + 2)

/* There is room. */
static void
note_row (Rows *rows, guint block, guint index, RowKind kind, TsMetricId metric)
{
  g_array_index (rows->rows, Row, rows->n_rows++) = (Row){ block, index, (guint8) kind, (guint8) metric };
}

/* Whether it has any. */
static gboolean
note_element (Rows *rows, guint block, guint index, const TsReportElement *element, const TsFilter *filter)
{
  const guint before = rows->n_rows;

  for (TsMetricId metric = 0; metric < TS_METRIC_LOAD; metric++)
    if (ts_filter_has_metric (filter, metric) && ts_element_has_row (element, metric))
      note_row (rows, block, index, ROW_METRIC, metric);
  /* no metric has their names: who chooses metrics does without them. Where nothing was counted, there is no row */
  if (!filter->has_metrics && element->counts.reads > 0)
    note_row (rows, block, index, ROW_READS, 0);
  if (!filter->has_metrics && element->counts.writes > 0)
    note_row (rows, block, index, ROW_WRITES, 0);
  return rows->n_rows > before;
}

static void
note_block (Rows *rows, guint index, const TsFilter *filter, const TsPrintOptions *options)
{
  const TsReportBlock *block = g_ptr_array_index (rows->report->blocks, index);
  g_autoptr (GArray)   order = options->rank != NULL ? ts_rank_elements (rows->report, block->elements, options->rank) : NULL;
  guint                n_left = order != NULL && options->top > 0 ? options->top : G_MAXUINT;

  g_array_set_size (rows->rows, rows->n_rows + block->elements->len * MOST_ROWS + block->resources->len);
  for (guint k = 0; n_left > 0 && k < block->elements->len; k++)
    {
      const guint            i = order != NULL ? g_array_index (order, guint, k) : k;
      const TsReportElement *element = g_ptr_array_index (block->elements, i);

      if (ts_filter_has_element (filter, element->type, element->name) && note_element (rows, index, i, element, filter))
        n_left--;
    }
  for (guint i = 0; i < block->resources->len; i++)
    {
      const TsReportResource *resource = g_ptr_array_index (block->resources, i);

      if (ts_filter_has_resource (filter, resource->name))
        note_row (rows, index, i, ROW_LOAD, TS_METRIC_LOAD);
    }
}

static TsCell *
add_load_row (TsCell *cells, const Rows *rows, const TsReportBlock *block, guint index)
{
  const TsReportResource *resource = g_ptr_array_index (block->resources, index);
  const Subject           subject = { block,          ts_block_path (rows->report, block),
                                      resource->name, "",
                                      resource->name, resource->id,
                                      "resource" };

  cells = add_subject (cells, &subject);
  return ts_put_metric (cells, rows->report, TS_METRIC_LOAD, &resource->load, rows->unit);
}

static TsCell *
add_element_row (TsCell *cells, const Rows *rows, const TsReportBlock *block, const Row *row)
{
  const TsReportElement *const *elements = (gpointer) block->elements->pdata;
  const TsReportElement        *element = elements[row->index];
  const Subject                 subject = { block,         ts_block_path (rows->report, block),
                                            element->resource, element->parent,
                                            element->name, element->id,
                                            ts_element_type_name (element->type) };

  cells = add_subject (cells, &subject);
  if (row->kind == ROW_READS)
    return add_count (cells, "READS", "count", element->counts.reads);
  if (row->kind == ROW_WRITES)
    return add_count (cells, "WRITES", "count", element->counts.writes);
  /* rows of one element follow each other */
  if (rows->results->element != element)
    {
      ts_results_prefetch (elements, block->elements->len, row->index, TS_ALL_RESULTS);
      ts_results_calculate (rows->results, element, TS_ALL_RESULTS, TRUE);
    }
  return ts_put_metric (cells, rows->report, row->metric, rows->results->metrics[row->metric], rows->unit);
}

static TsCell *
make_row (TsCell *cells, gconstpointer data, guint index, G_GNUC_UNUSED guint *depth)
{
  const Rows          *rows = data;
  const Row           *row = &g_array_index (rows->rows, Row, index);
  const TsReportBlock *block = g_ptr_array_index (rows->report->blocks, row->block);

  return row->kind == ROW_LOAD ? add_load_row (cells, rows, block, row->index)
                               : add_element_row (cells, rows, block, row);
}

static TsTable *
new_metrics_table (const TsReport *report, Rows *rows)
{
  guint n_columns = G_N_ELEMENTS (leading_columns);
  g_autofree TsColumn *columns = g_new (TsColumn, n_columns + report->n_percentiles + G_N_ELEMENTS (trailing_columns));

  memcpy (columns, leading_columns, sizeof (leading_columns));
  for (guint i = 0; i < report->n_percentiles; i++)
    {
      const char *name = ts_percentile_name (report->percentiles[i]);

      columns[n_columns++] = (TsColumn){ name, name };
    }
  memcpy (&columns[n_columns], trailing_columns, sizeof (trailing_columns));
  n_columns += G_N_ELEMENTS (trailing_columns);
  return ts_table_new_late ("metrics", "Metrics", TS_FOR_SHEETS, columns, n_columns, rows->n_rows, make_row, rows,
                            free_rows);
}

static TsTable *
metrics_table (const TsReport *report, const TsPrintOptions *options, const TsFilter *filter)
{
  Rows *rows = g_new (Rows, 1);

  *rows = (Rows){ report, ts_file_unit (options->unit, &report->base), g_array_new (FALSE, FALSE, sizeof (Row)), 0,
                   ts_results_new (report) };
  for (guint i = 0; i < report->blocks->len; i++)
    note_block (rows, i, filter, options);
  return new_metrics_table (report, rows);
}

GPtrArray *
ts_report_tables_for (const TsReport *report, const TsPrintOptions *options, guint audience)
{
  GPtrArray          *tables = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_table_free);
  g_autoptr (TsFilter) filter = ts_filter_new (options);

  if (audience & TS_FOR_PEOPLE)
    ts_add_people_tables (tables, report, options, filter);
  if (audience & TS_FOR_SHEETS)
    {
      g_ptr_array_add (tables, metrics_table (report, options, filter));
      ts_add_trace_sheets (tables, report, options);
    }
  if (audience & TS_FOR_PROGRAMS)
    ts_add_program_tables (tables, report, options);
  if (options->more.add_tables != NULL)
    options->more.add_tables (options->more.data, options, audience, tables);
  return tables;
}

GPtrArray *
ts_report_tables (const TsReport *report, const TsPrintOptions *options)
{
  return ts_report_tables_for (report, options, TS_FOR_PEOPLE | TS_FOR_SHEETS | TS_FOR_PROGRAMS);
}

void
ts_tables_add_sentence (GPtrArray *tables, const char *name, const char *sentence)
{
  static const TsColumn column = { "text", "text" };
  TsTable              *table = ts_table_new (name, NULL, TS_TABLE_VALUES, TS_FOR_PEOPLE, &column, 1);

  ts_table_begin_row (table, 0);
  ts_table_add_text (table, sentence);
  g_ptr_array_add (tables, table);
}
