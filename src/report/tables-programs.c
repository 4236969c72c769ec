/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "report/results.h"
#include "report/tables.h"

/* The nested tables of the JSON report. It holds what a later run needs as a baseline, and what a
 * merge of reports needs: sums and samples in ticks.
 *
 * Metrics of elements are made one element at a time, when the writer comes to it. */

static void
add_metric_subject (TsTable *table, TsMetricId metric, const TsMetricResult *result, TsUnit unit)
{
  ts_table_begin_row (table, 0);
  ts_table_add_text (table, ts_metric_info (metric)->name);
  ts_table_add_text (table, ts_metric_unit_name (metric, unit));
  ts_table_add_integer (table, (gint64) result->n);
}

/* [value in ticks, count] of every sample, or of the middles of histogram buckets. */
static TsTable *
make_histogram (const TsTableMaker *maker)
{
  static const TsColumn columns[] = { { "value", "value" }, { "count", "count" } };
  const TsAccumulator  *accumulator = maker->arguments[0];
  const TsReport       *report = maker->arguments[1];
  TsTable              *table = ts_table_new ("histogram", "Histogram", TS_TABLE_ROWS, TS_FOR_PROGRAMS, columns, 2);
  g_autoptr (GArray)    buckets = ts_accumulator_buckets (accumulator);

  for (guint i = 0; i < buckets->len; i++)
    {
      const TsBucket *bucket = &g_array_index (buckets, TsBucket, i);

      ts_table_begin_row (table, 0);
      ts_table_add_number (table, ts_in_ticks ((TsRational){ bucket->value, 1 }, &report->base));
      ts_table_add_integer (table, (gint64) bucket->count);
    }
  return table;
}

static GArray *
metric_columns (const TsReport *report, gboolean has_places)
{
  static const TsColumn first[] = { { "metric" }, { "unit" }, { "n" }, { "min" }, { "mean" }, { "max" }, { "stddev" } };
  static const TsColumn last[] = { { "min_at" },       { "max_at" },       { "min_instance" }, { "max_instance" },
                                   { "min_ticks" },    { "max_ticks" },    { "sum_ticks" },    { "reference" },
                                   { "reference_value" }, { "exact" },     { "merge" },
                                   { "histogram" } };
  static const TsColumn places[] = { { "min_section" }, { "max_section" }, { "min_input" }, { "max_input" } };
  GArray               *columns = g_array_new (FALSE, FALSE, sizeof (TsColumn));

  g_array_append_vals (columns, first, G_N_ELEMENTS (first));
  for (guint i = 0; i < report->n_percentiles; i++)
    {
      TsColumn column = { ts_percentile_name (report->percentiles[i]) };

      g_array_append_val (columns, column);
    }
  g_array_append_vals (columns, last, G_N_ELEMENTS (last) - 3);
  if (has_places)
    g_array_append_vals (columns, places, G_N_ELEMENTS (places));
  g_array_append_vals (columns, last + G_N_ELEMENTS (last) - 3, 3);
  return columns;
}

/* With one section of one trace there is nothing to tell apart. */
static gboolean
has_places (const TsReport *report)
{
  return report->traces->len > 1
         || (report->traces->len == 1 && ts_trace_n_sections (g_ptr_array_index (report->traces, 0)) > 1);
}

static void
add_time_of (TsTable *table, const TsMetricResult *result, const TsExtreme *extreme)
{
  if (ts_result_has_place (result, extreme))
    ts_table_add_time (table, (TsRational){ extreme->at, 1 });
  else
    ts_table_add_absent (table);
}

static void
add_instance_of (TsTable *table, const TsMetricResult *result, const TsExtreme *extreme)
{
  if (ts_result_has_place (result, extreme))
    ts_table_add_integer (table, extreme->number);
  else
    ts_table_add_absent (table);
}

static void
add_statistics (TsTable *table, const TsReport *report, TsMetricId metric, const TsMetricResult *result)
{
  gboolean is_time = ts_metric_info (metric)->quantity == TS_QUANTITY_TIME;

  ts_add_metric_value (table, metric, result->min);
  ts_add_metric_value (table, metric, result->mean);
  ts_add_metric_value (table, metric, result->max);
  if (is_time)
    ts_table_add_real_time (table, result->stddev);
  else
    ts_table_add_real (table, result->stddev);
  for (guint i = 0; i < report->n_percentiles; i++)
    if (result->percentiles != NULL)
      ts_add_metric_value (table, metric, result->percentiles[i]);
    else
      ts_table_add_absent (table);

  add_time_of (table, result, &result->min_where);
  add_time_of (table, result, &result->max_where);
  add_instance_of (table, result, &result->min_where);
  add_instance_of (table, result, &result->max_where);
  if (is_time)
    {
      ts_table_add_number (table, ts_in_ticks (result->min, &report->base));
      ts_table_add_number (table, ts_in_ticks (result->max, &report->base));
      ts_table_add_number (table, ts_in_ticks ((TsRational){ result->sum, 1 }, &report->base));
    }
  else
    for (guint i = 0; i < 3; i++)
      ts_table_add_absent (table);
  ts_table_add_text (table, result->reference);
  if (result->reference != NULL)
    ts_table_add_time (table, result->reference_value);
  else
    ts_table_add_absent (table);
}

static void
add_samples (TsTable *table, const TsReport *report, TsMetricId metric, const TsMetricResult *result)
{
  TsTableMaker histogram = { make_histogram, { result->accumulator, report } };

  if (has_places (report))
    {
      ts_table_add_integer (table, result->min_where.section);
      ts_table_add_integer (table, result->max_where.section);
      ts_table_add_integer (table, result->min_where.input);
      ts_table_add_integer (table, result->max_where.input);
    }
  if (result->accumulator == NULL)
    return;
  ts_table_add_flag (table, ts_accumulator_is_exact (result->accumulator));
  /* the samples of JIT are those of DT; what has no squares cannot be merged */
  if (metric == TS_METRIC_JIT || result->accumulator->no_squares)
    return;
  ts_table_add_table (table, ts_merge_table (result->accumulator));
  ts_table_add_maker (table, &histogram);
}

static TsTable *
make_element_metrics (const TsTableMaker *maker)
{
  const TsReportElement *element = maker->arguments[0];
  const TsReport        *report = maker->arguments[1];
  const TsPrintOptions  *options = maker->arguments[2];
  TsUnit                 unit = ts_file_unit (options->unit, &report->base);
  g_autoptr (GArray)     columns = metric_columns (report, has_places (report));
  g_autoptr (TsResults)  results = ts_results_new (report);
  TsTable               *table = ts_table_new ("metrics", "Metrics", TS_TABLE_MAP, TS_FOR_PROGRAMS,
                                               (const TsColumn *) (gpointer) columns->data, columns->len);

  ts_results_calculate (results, element, TS_ALL_RESULTS, TRUE);
  for (TsMetricId metric = 0; metric < TS_METRIC_LOAD; metric++)
    {
      const TsMetricResult *result = results->metrics[metric];

      if ((options->metrics != 0 && (options->metrics & (1u << metric)) == 0) || !ts_element_has_row (element, metric))
        continue;
      add_metric_subject (table, metric, result, unit);
      if (result->n == 0)
        continue;
      add_statistics (table, report, metric, result);
      add_samples (table, report, metric, result);
    }
  return table;
}

static TsTable *
counts_table (const TsElementCounts *counts)
{
  static const TsColumn columns[] = { { "activations" }, { "failed" },       { "starts" },
                                      { "ends" },        { "complete" },     { "partial_head" },
                                      { "partial_tail" }, { "missing_end" }, { "pending" },
                                      { "reads" },       { "writes" } };
  const guint64 values[] = { counts->activations,  counts->failed,       counts->starts,
                             counts->ends,         counts->complete,     counts->partial_head,
                             counts->partial_tail, counts->missing_end,  counts->pending,
                             counts->reads,        counts->writes };
  TsTable *table = ts_table_new ("counts", "Counts", TS_TABLE_RECORD, TS_FOR_PROGRAMS, columns, G_N_ELEMENTS (columns));

  G_STATIC_ASSERT (G_N_ELEMENTS (values) == G_N_ELEMENTS (columns));
  ts_table_begin_row (table, 0);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    ts_table_add_integer (table, (gint64) values[i]);
  return table;
}

static TsTable *
annotations_table (const TsReport *report, const GArray *annotations)
{
  static const TsColumn columns[] = { { "name" }, { "value" }, { "tool" }, { "input" } };
  gboolean has_inputs = report->traces->len > 1;
  TsTable *table = ts_table_new ("annotations", "Annotations", TS_TABLE_LIST, TS_FOR_PROGRAMS, columns,
                                 has_inputs ? 4 : 3);

  for (guint i = 0; annotations != NULL && i < annotations->len; i++)
    {
      const TsAnnotation *annotation = &g_array_index ((GArray *) annotations, TsAnnotation, i);

      ts_table_begin_row (table, 0);
      ts_table_add_text (table, annotation->name);
      ts_table_add_text (table, annotation->value);
      ts_table_add_text (table, annotation->tool);
      if (has_inputs)
        ts_table_add_integer (table, annotation->input);
    }
  return table;
}

static TsTable *
elements_table (const TsReport *report, const TsReportBlock *block, const TsPrintOptions *options,
                const TsFilter *filter)
{
  static const TsColumn columns[] = { { "resource" }, { "parent" },      { "element" }, { "id" },     { "type" },
                                      { "comment" },  { "idle" },        { "annotations" }, { "counts" },
                                      { "depth" },    { "declared_on" }, { "configured_period" }, { "metrics" } };
  TsTable *table = ts_table_new ("elements", "Elements", TS_TABLE_LIST, TS_FOR_PROGRAMS, columns,
                                 G_N_ELEMENTS (columns));

  for (guint i = 0; i < block->elements->len; i++)
    {
      const TsReportElement *element = g_ptr_array_index (block->elements, i);
      TsTableMaker           metrics = { make_element_metrics, { element, report, options } };

      if (!ts_filter_has_element (filter, element->type, element->name))
        continue;
      ts_table_begin_row (table, element->depth);
      ts_table_add_text (table, element->resource);
      ts_table_add_text (table, element->parent);
      ts_table_add_text (table, element->name);
      ts_table_add_text (table, element->id);
      ts_table_add_text (table, ts_element_type_name (element->type));
      ts_table_add_text (table, element->comment);
      ts_table_add_flag (table, element->idle);
      ts_table_add_table (table, annotations_table (report, element->annotations));
      ts_table_add_table (table, counts_table (&element->counts));
      ts_table_add_integer (table, element->depth);
      ts_table_add_text (table, element->declared_on);
      ts_table_add_table (table, ts_configured_period_table (element));
      ts_table_add_maker (table, &metrics);
    }
  return table;
}

static TsTable *
load_table (const TsReport *report, const TsMetricResult *load, TsUnit unit)
{
  static const TsColumn columns[] = { { "metric" }, { "unit" }, { "n" },         { "min" },
                                      { "mean" },   { "max" },  { "sum_ticks" }, { "reference_value" },
                                      { "merge" } };
  TsTable *table = ts_table_new ("metrics", "Metrics", TS_TABLE_MAP, TS_FOR_PROGRAMS, columns, G_N_ELEMENTS (columns));

  add_metric_subject (table, TS_METRIC_LOAD, load, unit);
  if (load->n == 0)
    return table;
  ts_table_add_number (table, load->min);
  ts_table_add_number (table, load->mean);
  ts_table_add_number (table, load->max);
  ts_table_add_number (table, ts_in_ticks ((TsRational){ load->sum, 1 }, &report->base));
  ts_table_add_time (table, load->reference_value);
  ts_table_add_table (table, ts_merge_load_table (load));
  return table;
}

static TsTable *
resources_table (const TsReport *report, const TsReportBlock *block, TsUnit unit, const TsFilter *filter)
{
  static const TsColumn columns[] = { { "resource" }, { "id" }, { "scheduler" }, { "metrics" } };
  TsTable *table = ts_table_new ("resources", "Resources", TS_TABLE_LIST, TS_FOR_PROGRAMS, columns, 4);

  for (guint i = 0; i < block->resources->len; i++)
    {
      const TsReportResource *resource = g_ptr_array_index (block->resources, i);

      if (!ts_filter_has_resource (filter, resource->name))
        continue;
      ts_table_begin_row (table, 0);
      ts_table_add_text (table, resource->name);
      ts_table_add_text (table, resource->id);
      ts_table_add_text (table, resource->scheduler);
      ts_table_add_table (table, load_table (report, &resource->load, unit));
    }
  return table;
}

/* The blocks after the pooled one. */
static TsTable *
sections_table (const TsReport *report, const TsPrintOptions *options, TsUnit unit, const TsFilter *filter)
{
  static const TsColumn columns[] = { { "input" }, { "section" }, { "elements" }, { "resources" } };
  TsTable *table = ts_table_new ("sections", "Sections", TS_TABLE_LIST, TS_FOR_PROGRAMS, columns, 4);

  for (guint i = 1; i < report->blocks->len; i++)
    {
      const TsReportBlock *block = g_ptr_array_index (report->blocks, i);

      ts_table_begin_row (table, 0);
      ts_table_add_text (table, ts_block_path (report, block));
      ts_table_add_integer (table, block->section);
      ts_table_add_table (table, elements_table (report, block, options, filter));
      ts_table_add_table (table, resources_table (report, block, unit, filter));
    }
  return table;
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

void
ts_add_program_tables (GPtrArray *tables, const TsReport *report, const TsPrintOptions *options, const TsFilter *filter)
{
  const TsReportBlock *pooled = g_ptr_array_index (report->blocks, 0);
  TsUnit               unit = ts_file_unit (options->unit, &report->base);
  gboolean             is_whole = options->metrics == 0 && options->types == 0
                                  && (options->elements == NULL || options->elements->len == 0);

  g_ptr_array_add (tables, header_table (report, unit, is_whole));
  g_ptr_array_add (tables, ts_inputs_table (report));
  g_ptr_array_add (tables, elements_table (report, pooled, options, filter));
  g_ptr_array_add (tables, resources_table (report, pooled, unit, filter));
  if (report->blocks->len > 1)
    g_ptr_array_add (tables, sections_table (report, options, unit, filter));
  g_ptr_array_add (tables, diagnostics_table (report->diagnostics));
}
