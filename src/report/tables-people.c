/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "report/label.h"
#include "report/results.h"
#include "report/shown-metric.h"
#include "report/tables.h"

/* The tables of the summary: few, and in the order in which a person asks. */

/* So few metrics asked for by name are shown with all of their statistics. */
#define FULL_METRICS 3

/* Where something ran on so many resources that their names are longer, it is only told how many. */
#define LONG_RESOURCE 16

static const TsMetricId running_metrics[] = { TS_METRIC_CET, TS_METRIC_GET, TS_METRIC_RT };
static const TsMetricId interval_metrics[] = { TS_METRIC_IPT,  TS_METRIC_DT,  TS_METRIC_PER,
                                               TS_METRIC_ST,   TS_METRIC_JIT,
                                               TS_METRIC_PRE, TS_METRIC_NPR, TS_METRIC_WAIT,
                                               TS_METRIC_POLL, TS_METRIC_AGE, TS_METRIC_SELF,
                                               TS_METRIC_E2S };

/* What of a block is shown. */
typedef struct
{
  const TsReport *report;
  const TsFilter *filter;
  GPtrArray      *elements; /* of TsReportElement, lent */
  GPtrArray      *all;      /* those that --top leaves out, too */
  GArray         *depths;   /* of guint: by shown ancestors only */
  GArray         *measured; /* of guint: bit 1 << TsMetricId, what each of them has samples of */
  guint           has_samples; /* the same, of any */
  guint           all_samples; /* and of those that --top leaves out, too */
  gboolean        is_full;
  gboolean        all_metrics; /* none was asked for by name */
  const TsFigure *rank;        /* that the order is by, or NULL */
  GHashTable     *labels;      /* lent; or NULL: no two elements that nothing encloses have one name */
} View;

/* Whether so few metrics are shown that there is room for all of their statistics. */
static gboolean
is_full (const TsPrintOptions *options)
{
  return options->metrics != 0 && __builtin_popcount (options->metrics) <= FULL_METRICS;
}

static void
view_init (View *view, const TsReport *report, const TsReportBlock *block, const TsPrintOptions *options,
           const TsFilter *filter)
{
  g_autoptr (GArray) ancestors = g_array_new (FALSE, FALSE, sizeof (guint)); /* their depths in the tree */

  *view = (View){ .report = report, .filter = filter };
  view->elements = g_ptr_array_new ();
  view->depths = g_array_new (FALSE, FALSE, sizeof (guint));
  view->measured = g_array_new (FALSE, FALSE, sizeof (guint));
  view->all_metrics = options->metrics == 0;
  view->is_full = is_full (options);
  view->rank = options->rank;
  for (guint i = 0; i < block->elements->len; i++)
    {
      TsReportElement *element = g_ptr_array_index (block->elements, i);
      guint            measured = ts_results_measured (element);

      while (ancestors->len > 0 && g_array_index (ancestors, guint, ancestors->len - 1) >= element->depth)
        g_array_set_size (ancestors, ancestors->len - 1);
      if (!ts_filter_has_element (filter, element->type, element->name))
        continue;
      g_ptr_array_add (view->elements, element);
      g_array_append_val (view->depths, ancestors->len);
      g_array_append_val (view->measured, measured);
      view->has_samples |= measured;
      g_array_append_val (ancestors, element->depth);
    }
  view->all = g_ptr_array_ref (view->elements);
  view->all_samples = view->has_samples;
}

/* One below the other: what encloses an element may be far away, or not be shown. */
static void
view_rank (View *view, const TsPrintOptions *options)
{
  g_autoptr (GArray) order = ts_rank_elements (view->report, view->elements, options->rank);
  GPtrArray         *elements = g_ptr_array_sized_new (order->len);
  GArray            *measured = g_array_sized_new (FALSE, FALSE, sizeof (guint), order->len);

  if (options->top > 0)
    g_array_set_size (order, MIN (options->top, order->len));
  view->has_samples = 0;
  for (guint i = 0; i < order->len; i++)
    {
      const guint index = g_array_index (order, guint, i);

      g_ptr_array_add (elements, g_ptr_array_index (view->elements, index));
      g_array_append_val (measured, g_array_index (view->measured, guint, index));
      g_array_index (view->depths, guint, i) = 0;
      view->has_samples |= g_array_index (measured, guint, i);
    }
  g_array_set_size (view->depths, order->len);
  g_ptr_array_unref (view->elements);
  g_array_unref (view->measured);
  view->elements = elements;
  view->measured = measured;
}

static void
view_clear (View *view)
{
  g_ptr_array_unref (view->all);
  g_ptr_array_unref (view->elements);
  g_array_unref (view->depths);
  g_array_unref (view->measured);
}

/* Of elements that have @samples. */
static gboolean
is_shown_of (const View *view, guint samples, TsMetricId metric)
{
  if (!ts_filter_has_metric (view->filter, metric) || (samples & (1u << metric)) == 0)
    return FALSE;
  if (!view->all_metrics)
    return TRUE;
  /* a summary has room for the nine metrics; the others are shown to whoever asks for them */
  return metric != TS_METRIC_SELF && metric != TS_METRIC_E2S && metric != TS_METRIC_NPR;
}

static gboolean
is_shown (const View *view, TsMetricId metric)
{
  return is_shown_of (view, view->has_samples, metric);
}

/* What the worst are looked for in, of all: the one or the other. */
static void
add_worst (GPtrArray *tables, const View *view)
{
  static const TsMetricId metrics[] = { TS_METRIC_RT, TS_METRIC_GET };

  for (guint i = 0; i < G_N_ELEMENTS (metrics); i++)
    if (is_shown_of (view, view->all_samples, metrics[i]))
      {
        ts_add_worst_table (tables, view->report, view->all, metrics[i]);
        return;
      }
}

static void
find_references (const View *view, TsShownMetric *shown)
{
  for (guint i = 0; i < view->elements->len; i++)
    {
      const char *reference = ts_results_reference (g_ptr_array_index (view->elements, i));

      if (reference == NULL || (g_array_index (view->measured, guint, i) & (1u << TS_METRIC_JIT)) == 0)
        continue;
      if (shown->reference != NULL && strcmp (shown->reference, reference) != 0)
        {
          shown->has_references = TRUE;
          return;
        }
      shown->reference = reference;
    }
}

/* Intervals inside of instances have a number of their own; of all others there is about one an instance. */
static TsShownMetric
show_metric (const View *view, TsMetricId metric)
{
  TsShownMetric shown = { .metric = metric,
                        .quantity = ts_metric_info (metric)->quantity,
                        .has_number = view->is_full || metric == TS_METRIC_PRE || metric == TS_METRIC_WAIT
                                      || metric == TS_METRIC_POLL,
                        .is_full = view->is_full };

  if (metric == TS_METRIC_JIT)
    find_references (view, &shown);
  return shown;
}

/* Whether a table of @candidates shows @figure anyway. */
static gboolean
shows_figure (const View *view, const TsFigure *figure, const TsMetricId *candidates, guint n_candidates)
{
  guint i = 0;

  while (i < n_candidates && candidates[i] != figure->metric)
    i++;
  if (i == n_candidates || !is_shown (view, figure->metric))
    return FALSE;
  if (figure->statistic == TS_STATISTIC_PERCENTILE)
    for (i = 0; view->is_full && i < view->report->n_percentiles; i++)
      if (view->report->percentiles[i] == figure->millionths)
        return TRUE;
  return figure->statistic == TS_STATISTIC_MIN || figure->statistic == TS_STATISTIC_MEAN
         || figure->statistic == TS_STATISTIC_MAX
         || (view->is_full && (figure->statistic == TS_STATISTIC_STDDEV || figure->statistic == TS_STATISTIC_N));
}

static TsCell *
add_rank (TsCell *cells, const TsFigure *rank, const TsMetricResult *result)
{
  TsRational value;

  if (result->n == 0 && rank->statistic != TS_STATISTIC_N)
    return ts_put_absent (cells);
  value = ts_figure_value (rank, result, NULL);
  return ts_shown_value (cells, ts_figure_quantity (rank), &value);
}

/* What the rows of a table of elements are made from. */
typedef struct
{
  const TsReport *report;
  gboolean        has_number; /* of samples: the most of all metrics */
  gboolean        has_resource; /* where they ran */
  guint           wanted; /* bit 1 << TsMetricId */
  gboolean        is_full;
  const TsFigure *rank; /* in a column of its own, or NULL */
  GArray         *metrics; /* of TsShownMetric */
  GPtrArray      *elements; /* of each row */
  GHashTable     *labels; /* as in View */
  GArray         *depths;
  TsResults      *results; /* of the row that is being made */
} ElementRows;

static void
free_element_rows (gpointer data)
{
  ElementRows *rows = data;

  g_array_unref (rows->metrics);
  g_ptr_array_unref (rows->elements);
  g_clear_pointer (&rows->labels, g_hash_table_unref);
  g_array_unref (rows->depths);
  ts_results_free (rows->results);
  g_free (rows);
}

static gint64
most_samples (const TsResults *results, const GArray *metrics)
{
  guint64 n = 0;

  for (guint i = 0; i < metrics->len; i++)
    n = MAX (n, results->metrics[g_array_index (metrics, TsShownMetric, i).metric]->n);
  return (gint64) n;
}

/* What encloses an element stands above it, which tells it from others of its name; where nothing does, more is said of it. */
static const char *
name_of_row (const ElementRows *rows, guint index)
{
  const TsReportElement *element = g_ptr_array_index (rows->elements, index);
  g_autofree char       *label = NULL;

  if (G_LIKELY (rows->labels == NULL) || g_array_index (rows->depths, guint, index) > 0)
    return element->name;
  label = ts_label_of_element (rows->labels, element);
  return g_intern_string (label);
}

static gboolean
are_ambiguous (const View *view)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < view->elements->len; i++)
    if (g_array_index (view->depths, guint, i) == 0
        && !g_hash_table_add (names, (gpointer) ((const TsReportElement *) g_ptr_array_index (view->elements, i))->name))
      return TRUE;
  return FALSE;
}

/* Whether @elements did not all run in the same place. */
static gboolean
are_apart (const GPtrArray *elements)
{
  const char *first = NULL;

  for (guint i = 0; i < elements->len; i++)
    {
      const char *resource = ((const TsReportElement *) g_ptr_array_index (elements, i))->resource;

      if (*resource == '\0')
        continue;
      if (first != NULL && strcmp (resource, first) != 0)
        return TRUE;
      first = resource;
    }
  return FALSE;
}

static const char *
resource_of_row (const TsReportElement *element)
{
  g_autofree char *many = NULL;
  guint            n = 1;

  /* there may be a + in a name */
  if (strlen (element->resource) <= LONG_RESOURCE || g_strcmp0 (element->declared_on, element->resource) == 0)
    return element->resource;
  for (const char *plus = strchr (element->resource, '+'); plus != NULL; plus = strchr (plus + 1, '+'))
    n++;
  many = g_strdup_printf ("%u of them", n);
  return n == 1 ? element->resource : g_intern_string (many);
}

static TsCell *
make_element_row (TsCell *cells, gconstpointer data, guint index, guint *depth)
{
  const ElementRows            *rows = data;
  const TsReportElement *const *elements = (gpointer) rows->elements->pdata;
  const TsFigure               *rank = rows->rank;
  const guint                   calculated = rows->wanted | (rank != NULL ? 1u << rank->metric : 0);

  ts_results_prefetch (elements, rows->elements->len, index, calculated);
  ts_results_calculate (rows->results, elements[index], calculated,
                        rows->is_full || (rank != NULL && rank->statistic == TS_STATISTIC_STDDEV));
  *depth = g_array_index (rows->depths, guint, index);
  cells = ts_put_text (cells, name_of_row (rows, index));
  if (rows->has_resource)
    cells = ts_put_text (cells, resource_of_row (elements[index]));
  if (rows->has_number)
    cells = ts_put_integer (cells, most_samples (rows->results, rows->metrics));
  if (rank != NULL)
    cells = add_rank (cells, rank, rows->results->metrics[rank->metric]);
  for (guint i = 0; i < rows->metrics->len; i++)
    {
      const TsShownMetric *shown = &g_array_index (rows->metrics, TsShownMetric, i);

      cells = ts_shown_metric_add_cells (cells, rows->report, shown, rows->results->metrics[shown->metric]);
    }
  return cells;
}

/* All elements of @view once, later those with something of the metrics that are wanted, and those above them. */
static void
choose_rows (ElementRows *rows, const View *view, gboolean is_first)
{
  guint                n = view->elements->len;
  g_autofree gboolean *chosen = g_new (gboolean, n);

  for (guint i = 0; i < n; i++)
    chosen[i] = is_first || (g_array_index (view->measured, guint, i) & rows->wanted) != 0;
  ts_choose_ancestors (chosen, (const guint *) (gpointer) view->depths->data, n);
  rows->elements = g_ptr_array_sized_new (n);
  rows->depths = g_array_sized_new (FALSE, FALSE, sizeof (guint), n);
  for (guint i = 0; i < n; i++)
    {
      if (!chosen[i])
        continue;
      g_ptr_array_add (rows->elements, g_ptr_array_index (view->elements, i));
      g_array_append_val (rows->depths, g_array_index (view->depths, guint, i));
    }
}

/* A row per element, a group of columns per metric. @is_first: nothing of the elements was shown yet. */
static void
add_element_table (GPtrArray *tables, const View *view, const char *name, const TsMetricId *candidates,
                   guint n_candidates, gboolean is_first)
{
  static const TsColumn element_column = { "element", "element" };
  static const TsColumn resource_column = { "resource", "on" };
  static const TsColumn number_column = { "n", "n" };
  const gboolean        has_resource = is_first && are_apart (view->elements);
  g_autoptr (GArray)    columns = g_array_new (FALSE, FALSE, sizeof (TsColumn));
  GArray               *metrics = g_array_new (FALSE, FALSE, sizeof (TsShownMetric));
  gboolean              has_number = candidates == running_metrics && !view->is_full;
  const TsFigure       *rank = is_first && view->rank != NULL && !shows_figure (view, view->rank, candidates, n_candidates)
                                   ? view->rank
                                   : NULL;
  guint                 wanted = 0;
  ElementRows          *rows;

  g_array_append_val (columns, element_column);
  if (has_resource)
    g_array_append_val (columns, resource_column);
  if (has_number)
    g_array_append_val (columns, number_column);
  if (rank != NULL)
    ts_shown_metric_add_column (columns, rank->metric, ts_figure_statistic_name (rank), ts_figure_statistic_name (rank));
  for (guint i = 0; i < n_candidates; i++)
    {
      const TsShownMetric shown = show_metric (view, candidates[i]);

      if (!is_shown (view, candidates[i]))
        continue;
      wanted |= 1u << candidates[i];
      g_array_append_val (metrics, shown);
      ts_shown_metric_add_columns (columns, view->report, &shown);
    }
  if (metrics->len == 0)
    {
      g_array_unref (metrics);
      return;
    }
  rows = g_new (ElementRows, 1);
  *rows = (ElementRows){ .report = view->report,
                         .has_number = has_number,
                         .has_resource = has_resource,
                         .wanted = wanted,
                         .is_full = view->is_full,
                         .rank = rank,
                         .metrics = metrics,
                         .results = ts_results_new (view->report) };
  rows->labels = view->labels != NULL ? g_hash_table_ref (view->labels) : NULL;
  choose_rows (rows, view, is_first);
  g_ptr_array_add (tables, ts_table_new_late (name, ts_shown_metrics_title (metrics), TS_FOR_PEOPLE,
                                              (const TsColumn *) (gpointer) columns->data, columns->len,
                                              rows->elements->len, make_element_row, rows, free_element_rows));
}

/* Where nothing was measured there is still a list of what there is. */
static void
add_element_names (GPtrArray *tables, const View *view)
{
  static const TsColumn columns[] = { { "element", "element" }, { "type", "type" } };
  TsTable *table = ts_table_new ("elements", "Elements, none with a sample", TS_TABLE_LIST, TS_FOR_PEOPLE, columns, 2);

  for (guint i = 0; i < view->elements->len; i++)
    {
      const TsReportElement *element = g_ptr_array_index (view->elements, i);

      ts_table_begin_row (table, g_array_index (view->depths, guint, i));
      ts_table_add_text (table, element->name);
      ts_table_add_text (table, ts_element_type_name (element->type));
    }
  g_ptr_array_add (tables, table);
}

/* @labels: those of the report, once somebody has asked for them. */
static void
add_block (GPtrArray *tables, const TsReport *report, const TsReportBlock *block, const TsPrintOptions *options,
           const TsFilter *filter, GHashTable **labels)
{
  guint n_before;
  View  view;

  view_init (&view, report, block, options, filter);
  if (options->rank != NULL)
    view_rank (&view, options);
  if (options->rank != NULL || are_ambiguous (&view))
    view.labels = *labels = *labels != NULL ? *labels : ts_labels_new (report);
  if (block->section != 0)
    {
      const char      *path = ts_block_path (report, block);
      g_autofree char *heading = report->traces->len > 1 ? g_strdup_printf ("Section %u of %s", block->section, path)
                                                         : g_strdup_printf ("Section %u", block->section);

      ts_tables_add_sentence (tables, "section", heading);
    }
  if (options->rank != NULL && view.all->len > 0 && options->metrics != 1u << TS_METRIC_LOAD)
    ts_add_ranking (tables, options, view.all->len, (view.all_samples >> options->rank->metric & 1) != 0);
  n_before = tables->len;
  add_element_table (tables, &view, "running", running_metrics, G_N_ELEMENTS (running_metrics), TRUE);
  add_element_table (tables, &view, "intervals", interval_metrics, G_N_ELEMENTS (interval_metrics),
                     tables->len == n_before);
  if (tables->len == n_before && view.elements->len > 0
      && (view.all_metrics || options->metrics != 1u << TS_METRIC_LOAD))
    add_element_names (tables, &view);
  ts_add_load_table (tables, block, filter);
  if (block->section == 0)
    add_worst (tables, &view);
  view_clear (&view);
}

void
ts_add_people_tables (GPtrArray *tables, const TsReport *report, const TsPrintOptions *options, const TsFilter *filter)
{
  g_autoptr (GHashTable) labels = NULL;

  g_ptr_array_add (tables, ts_trace_lines_table (report));
  for (guint i = 0; i < report->blocks->len; i++)
    add_block (tables, report, g_ptr_array_index (report->blocks, i), options, filter, &labels);
  /* whoever asks for metrics by name wants these and no others */
  if (options->metrics == 0)
    ts_add_trace_people_tables (tables, report);
  if (is_full (options) || (options->rank != NULL && options->rank->statistic == TS_STATISTIC_PERCENTILE))
    ts_add_precision (tables, report, options);
  ts_add_diagnostics_table (tables, report->diagnostics);
  ts_add_defective_elements (tables, report);
}
