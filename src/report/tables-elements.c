/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "report/results.h"
#include "report/tables.h"

/* The elements of the JSON report, with all that was measured of them. Of thousands the cells of all are more than what
 * was measured: so each row is made when the writer comes to it, and the tables inside of it are the same for all rows.
 * Nothing is allocated for an element but the buckets of its histograms. */

typedef struct
{
  const TsReport *report;
  GArray         *buckets; /* of TsBucket, or NULL */
  gboolean        is_time; /* what they count */
} HistogramRows;

static void
free_histogram_rows (gpointer data)
{
  HistogramRows *rows = data;

  g_clear_pointer (&rows->buckets, g_array_unref);
  g_free (rows);
}

/* [value, count] of every sample, or of the middles of histogram buckets; times in ticks, of which the same samples can
 * be read again. */
static TsCell *
make_histogram_row (TsCell *cells, gconstpointer data, guint row, G_GNUC_UNUSED guint *depth)
{
  const HistogramRows *rows = data;
  const TsBucket      *bucket = &g_array_index (rows->buckets, TsBucket, row);
  const TsRational     value = { bucket->value, 1 };

  cells = ts_put_fine (cells, rows->is_time ? ts_in_ticks (value, &rows->report->base) : value);
  return ts_put_integer (cells, (gint64) bucket->count);
}

static TsTable *
new_histogram_table (const TsReport *report)
{
  static const TsColumn columns[] = { { "value" }, { "count" } };
  HistogramRows        *rows = g_new0 (HistogramRows, 1);

  rows->report = report;
  return ts_table_new_renewed ("histogram", TS_TABLE_ROWS, columns, 2, make_histogram_row, rows, free_histogram_rows);
}

static void
show_histogram (TsTable *table, const TsAccumulator *samples, TsQuantity quantity)
{
  GArray        *buckets = ts_accumulator_buckets (samples);
  HistogramRows *rows = ts_table_renew (table, buckets->len);

  g_clear_pointer (&rows->buckets, g_array_unref);
  rows->buckets = buckets;
  rows->is_time = quantity == TS_QUANTITY_TIME;
}

typedef struct
{
  const TsReport        *report;
  TsUnit                 unit;
  guint                  asked; /* bit 1 << TsMetricId */
  gboolean               has_places;
  const TsReportElement *element; /* that is shown */
  TsMetricId             metrics[TS_N_METRICS]; /* of the rows */
  TsResults             *results;
  TsTable               *merge, *histogram; /* in a row */
} MetricRows;

static void
free_metric_rows (gpointer data)
{
  MetricRows *rows = data;

  ts_results_free (rows->results);
  ts_table_free (rows->merge);
  ts_table_free (rows->histogram);
  g_free (rows);
}

static TsCell *
add_samples (TsCell *cells, const MetricRows *rows, TsMetricId metric, const TsMetricResult *result)
{
  if (rows->has_places)
    {
      cells = ts_put_integer (cells, result->min_where.section);
      cells = ts_put_integer (cells, result->max_where.section);
      cells = ts_put_integer (cells, result->min_where.input);
      cells = ts_put_integer (cells, result->max_where.input);
    }
  if (result->accumulator == NULL)
    return cells;
  cells = ts_put_flag (cells, ts_accumulator_is_exact (result->accumulator));
  /* the samples of JIT are those of DT; what has no squares cannot be merged */
  if (metric == TS_METRIC_JIT || result->accumulator->no_squares)
    return cells;
  ts_merge_table_show (rows->merge, result->accumulator);
  show_histogram (rows->histogram, result->accumulator, ts_metric_info (metric)->quantity);
  cells = ts_put_table (cells, rows->merge);
  return ts_put_table (cells, rows->histogram);
}

static TsCell *
make_metric_row (TsCell *cells, gconstpointer data, guint row, G_GNUC_UNUSED guint *depth)
{
  const MetricRows     *rows = data;
  TsMetricId            metric = rows->metrics[row];
  const TsMetricResult *result;

  if (rows->results->element != rows->element)
    ts_results_calculate (rows->results, rows->element, TS_ALL_RESULTS, TRUE);
  result = rows->results->metrics[metric];
  cells = ts_put_metric (cells, rows->report, metric, result, rows->unit);
  return result->n > 0 ? add_samples (cells, rows, metric, result) : cells;
}

/* With one section of one trace there is nothing to tell apart. */
static gboolean
has_places (const TsReport *report)
{
  return report->traces->len > 1
         || (report->traces->len == 1 && ts_trace_n_sections (g_ptr_array_index (report->traces, 0)) > 1);
}

static GArray *
metric_columns (const TsReport *report)
{
  static const TsColumn first[] = { { "metric" }, { "unit" }, { "n" }, { "min" }, { "mean" }, { "max" }, { "stddev" } };
  static const TsColumn last[] = { { "min_at" },    { "max_at" },    { "min_instance" }, { "max_instance" },
                                   { "min_ticks" }, { "max_ticks" }, { "sum_ticks" },    { "reference" },
                                   { "reference_value" } };
  static const TsColumn places[] = { { "min_section" }, { "max_section" }, { "min_input" }, { "max_input" } };
  static const TsColumn samples[] = { { "exact" }, { "merge" }, { "histogram" } };
  GArray               *columns = g_array_new (FALSE, FALSE, sizeof (TsColumn));

  g_array_append_vals (columns, first, G_N_ELEMENTS (first));
  for (guint i = 0; i < report->n_percentiles; i++)
    {
      TsColumn column = { ts_percentile_name (report->percentiles[i]) };

      g_array_append_val (columns, column);
    }
  g_array_append_vals (columns, last, G_N_ELEMENTS (last));
  if (has_places (report))
    g_array_append_vals (columns, places, G_N_ELEMENTS (places));
  g_array_append_vals (columns, samples, G_N_ELEMENTS (samples));
  return columns;
}

static TsTable *
new_metrics_table (const TsReport *report, const TsPrintOptions *options)
{
  g_autoptr (GArray) columns = metric_columns (report);
  MetricRows        *rows = g_new0 (MetricRows, 1);

  rows->report = report;
  rows->unit = ts_file_unit (options->unit, &report->base);
  rows->asked = options->metrics != 0 ? options->metrics : ~0u;
  rows->has_places = has_places (report);
  rows->results = ts_results_new (report);
  rows->merge = ts_merge_table_new ();
  rows->histogram = new_histogram_table (report);
  return ts_table_new_renewed ("metrics", TS_TABLE_MAP, (const TsColumn *) (gpointer) columns->data, columns->len,
                               make_metric_row, rows, free_metric_rows);
}

static void
show_metrics (TsTable *table, const TsReportElement *element)
{
  MetricRows *rows = ts_table_renew (table, 0);
  guint       n_rows = 0;

  rows->element = element;
  for (TsMetricId metric = 0; metric < TS_METRIC_LOAD; metric++)
    if ((rows->asked & (1u << metric)) != 0 && ts_element_has_row (element, metric))
      rows->metrics[n_rows++] = metric;
  ts_table_renew (table, n_rows);
}

typedef struct
{
  const TsReportElement *element;
} CountsRow;

static TsCell *
make_counts_row (TsCell *cells, gconstpointer data, G_GNUC_UNUSED guint row, G_GNUC_UNUSED guint *depth)
{
  const TsElementCounts *counts = &((const CountsRow *) data)->element->counts;

#define PUT(count) cells = ts_put_integer (cells, (gint64) counts->count);
  TS_EVENT_COUNTS (PUT)
  if ((((const CountsRow *) data)->element->lacking & TS_LACKS_DEFECTS) != 0)
    return ts_put_absent (cells);
  PUT (defects)
#undef PUT
  return cells;
}

static TsTable *
new_counts_table (void)
{
#define COLUMN(count) { #count },
  static const TsColumn columns[] = { TS_ELEMENT_COUNTS (COLUMN) };
#undef COLUMN

  return ts_table_new_renewed ("counts", TS_TABLE_RECORD, columns, G_N_ELEMENTS (columns), make_counts_row,
                               g_new0 (CountsRow, 1), g_free);
}

static void
show_counts (TsTable *table, const TsReportElement *element)
{
  CountsRow *row = ts_table_renew (table, 1);

  row->element = element;
}

typedef struct
{
  const TsUnfinished *unfinished;
  TsMetricId          metrics[TS_N_UNFINISHED]; /* of the rows */
} UnfinishedRows;

static TsCell *
make_unfinished_row (TsCell *cells, gconstpointer data, guint row, G_GNUC_UNUSED guint *depth)
{
  const UnfinishedRows *rows = data;
  const TsExtreme      *longest = &rows->unfinished->longest[rows->metrics[row]];

  cells = ts_put_text (cells, ts_metric_info (rows->metrics[row])->name);
  cells = ts_put_integer (cells, longest->value);
  cells = ts_put_integer (cells, longest->at);
  cells = ts_put_integer (cells, longest->number);
  cells = ts_put_integer (cells, longest->section);
  return ts_put_integer (cells, longest->input);
}

/* In internal units, as in `merge'. */
static TsTable *
new_unfinished_table (void)
{
  static const TsColumn columns[] = { { "metric" }, { "value" }, { "at" }, { "instance" }, { "section" }, { "input" } };

  return ts_table_new_renewed ("unfinished", TS_TABLE_MAP, columns, G_N_ELEMENTS (columns), make_unfinished_row,
                               g_new0 (UnfinishedRows, 1), g_free);
}

static void
show_unfinished (TsTable *table, const TsUnfinished *unfinished)
{
  UnfinishedRows *rows = ts_table_renew (table, (guint) __builtin_popcount (unfinished->known));
  guint           n = 0;

  rows->unfinished = unfinished;
  for (guint i = 0; i < TS_N_UNFINISHED; i++)
    if (ts_unfinished_get (unfinished, (TsMetricId) i) != NULL)
      rows->metrics[n++] = (TsMetricId) i;
}

typedef struct
{
  gboolean      has_inputs;
  const GArray *annotations; /* of TsAnnotation, or NULL */
} AnnotationRows;

static TsCell *
make_annotation_row (TsCell *cells, gconstpointer data, guint row, G_GNUC_UNUSED guint *depth)
{
  const AnnotationRows *rows = data;
  const TsAnnotation   *annotation = &g_array_index ((GArray *) rows->annotations, TsAnnotation, row);

  cells = ts_put_text (cells, annotation->name);
  cells = ts_put_text (cells, annotation->value);
  cells = ts_put_text (cells, annotation->tool);
  return rows->has_inputs ? ts_put_integer (cells, annotation->input) : cells;
}

static TsTable *
new_annotations_table (const TsReport *report)
{
  static const TsColumn columns[] = { { "name" }, { "value" }, { "tool" }, { "input" } };
  AnnotationRows       *rows = g_new0 (AnnotationRows, 1);

  rows->has_inputs = report->traces->len > 1;
  return ts_table_new_renewed ("annotations", TS_TABLE_LIST, columns, rows->has_inputs ? 4 : 3, make_annotation_row,
                               rows, g_free);
}

static void
show_annotations (TsTable *table, const TsReportElement *element)
{
  AnnotationRows *rows = ts_table_renew (table, element->annotations != NULL ? element->annotations->len : 0);

  rows->annotations = element->annotations;
}

typedef struct
{
  TsFilter            *filter;
  const TsReportBlock *block;
  GArray              *shown; /* of guint: its elements, row by row */
  TsTable             *annotations, *counts, *period, *unfinished, *metrics; /* in a row */
} ElementRows;

static void
free_element_rows (gpointer data)
{
  ElementRows *rows = data;

  ts_filter_free (rows->filter);
  g_array_unref (rows->shown);
  ts_table_free (rows->annotations);
  ts_table_free (rows->counts);
  ts_table_free (rows->period);
  ts_table_free (rows->unfinished);
  ts_table_free (rows->metrics);
  g_free (rows);
}

static void
show_tables (const ElementRows *rows, const TsReportElement *element)
{
  show_annotations (rows->annotations, element);
  show_counts (rows->counts, element);
  if (element->period_source != NULL)
    ts_configured_period_table_show (rows->period, element);
  if (element->unfinished != NULL)
    show_unfinished (rows->unfinished, element->unfinished);
  show_metrics (rows->metrics, element);
}

static TsCell *
make_element_row (TsCell *cells, gconstpointer data, guint row, guint *depth)
{
  const ElementRows            *rows = data;
  const TsReportElement *const *elements = (gpointer) rows->block->elements->pdata;
  guint                         index = g_array_index (rows->shown, guint, row);
  const TsReportElement        *element = elements[index];

  ts_results_prefetch (elements, rows->block->elements->len, index, TS_ALL_RESULTS);
  show_tables (rows, element);
  *depth = element->depth;
  cells = ts_put_text (cells, element->resource);
  cells = ts_put_text (cells, element->parent);
  cells = ts_put_text (cells, element->name);
  cells = ts_put_text (cells, element->id);
  cells = ts_put_text (cells, ts_element_type_name (element->type));
  cells = ts_put_text (cells, element->comment);
  cells = ts_put_flag (cells, element->idle);
  cells = ts_put_table (cells, rows->annotations);
  cells = ts_put_table (cells, rows->counts);
  cells = ts_put_integer (cells, element->depth);
  cells = ts_put_text (cells, element->declared_on);
  cells = ts_put_table (cells, element->period_source != NULL ? rows->period : NULL);
  cells = ts_put_table (cells, element->unfinished != NULL ? rows->unfinished : NULL);
  return ts_put_table (cells, rows->metrics);
}

TsTable *
ts_elements_table_new (const TsReport *report, const TsPrintOptions *options)
{
  static const TsColumn columns[] = { { "resource" }, { "parent" },      { "element" }, { "id" },     { "type" },
                                      { "comment" },  { "idle" },        { "annotations" }, { "counts" },
                                      { "depth" },    { "declared_on" }, { "configured_period" }, { "unfinished" },
                                      { "metrics" } };
  ElementRows          *rows = g_new0 (ElementRows, 1);

  rows->filter = ts_filter_new (options);
  rows->shown = g_array_new (FALSE, FALSE, sizeof (guint));
  rows->annotations = new_annotations_table (report);
  rows->counts = new_counts_table ();
  rows->period = ts_configured_period_table_new ();
  rows->unfinished = new_unfinished_table ();
  rows->metrics = new_metrics_table (report, options);
  return ts_table_new_renewed ("elements", TS_TABLE_LIST, columns, G_N_ELEMENTS (columns), make_element_row, rows,
                               free_element_rows);
}

void
ts_elements_table_show (TsTable *table, const TsReportBlock *block)
{
  ElementRows *rows = ts_table_renew (table, 0);

  rows->block = block;
  g_array_set_size (rows->shown, 0);
  for (guint i = 0; i < block->elements->len; i++)
    {
      const TsReportElement *element = g_ptr_array_index (block->elements, i);

      if (ts_filter_has_element (rows->filter, element->type, element->name))
        g_array_append_val (rows->shown, i);
    }
  ts_table_renew (table, rows->shown->len);
}
