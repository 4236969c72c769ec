/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "model/number.h"
#include "report/results.h"
#include "report/tables.h"

/* The order of elements that somebody asks for: the worst first, by one of their figures. */

typedef struct
{
  guint      index; /* in the order of the report */
  gboolean   has_value;
  TsRational value;
} Ranked;

static gboolean
is_least_first (const TsFigure *figure)
{
  return figure->statistic == TS_STATISTIC_MIN;
}

/* What has no value comes last, and equal ones stay in their order. */
static int
compare_ranked (gconstpointer a, gconstpointer b, gpointer data)
{
  const Ranked *left = a, *right = b;
  int           order = 0;

  if (left->has_value != right->has_value)
    return left->has_value ? -1 : 1;
  if (left->has_value)
    order = ts_rational_compare (left->value, right->value);
  if (order != 0)
    return is_least_first (data) ? order : -order;
  return left->index < right->index ? -1 : 1;
}

static Ranked
rank_element (TsResults *results, const TsFigure *figure, const TsReportElement *element, guint index)
{
  const gboolean        with_spread = figure->statistic == TS_STATISTIC_STDDEV;
  const TsMetricResult *result;

  ts_results_calculate (results, element, 1u << figure->metric, with_spread);
  result = results->metrics[figure->metric];
  if (result->n == 0 && figure->statistic != TS_STATISTIC_N)
    return (Ranked){ .index = index };
  return (Ranked){ index, TRUE, ts_figure_value (figure, result, NULL) };
}

GArray *
ts_rank_elements (const TsReport *report, const GPtrArray *elements, const TsFigure *rank)
{
  GArray              *order = g_array_sized_new (FALSE, FALSE, sizeof (guint), elements->len);
  g_autoptr (GArray)   ranking = g_array_sized_new (FALSE, FALSE, sizeof (Ranked), elements->len);
  g_autoptr (TsResults) results = ts_results_new (report);

  for (guint i = 0; i < elements->len; i++)
    {
      const Ranked ranked = rank_element (results, rank, g_ptr_array_index (elements, i), i);

      g_array_append_val (ranking, ranked);
    }
  g_array_sort_with_data (ranking, compare_ranked, (gpointer) rank);
  for (guint i = 0; i < ranking->len; i++)
    g_array_append_val (order, g_array_index (ranking, Ranked, i).index);
  return order;
}

void
ts_add_ranking (GPtrArray *tables, const TsPrintOptions *options, guint n_elements, gboolean has_samples)
{
  const TsFigure     *rank = options->rank;
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "Elements by %s.%s, ", ts_metric_info (rank->metric)->name, ts_figure_statistic_name (rank));
  if (!has_samples)
    g_string_append (text, "which none of them has, so as they stand in the trace");
  else
    g_string_append_printf (text, "the %s first", is_least_first (rank) ? "smallest" : "largest");
  if (options->top > 0 && options->top < n_elements)
    {
      g_string_append (text, ": ");
      ts_number_append_grouped (text, options->top);
      g_string_append (text, " of ");
      ts_number_append_grouped (text, n_elements);
    }
  ts_tables_add_sentence (tables, "ranking", text->str);
}

gboolean
ts_report_has_samples (const TsReport *report, const TsPrintOptions *options, TsMetricId metric)
{
  const TsReportBlock *all = g_ptr_array_index (report->blocks, 0);
  g_autoptr (TsFilter) filter = ts_filter_new (options);

  for (guint i = 0; i < all->elements->len; i++)
    {
      const TsReportElement *element = g_ptr_array_index (all->elements, i);

      if ((ts_results_measured (element) >> metric & 1) != 0 && ts_filter_has_element (filter, element->type, element->name))
        return TRUE;
    }
  return FALSE;
}
