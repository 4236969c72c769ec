/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "report/shown-metric.h"

/* A metric in a table of elements for people. */

static const char *
group_name (TsMetricId metric)
{
  const TsMetricInfo *info = ts_metric_info (metric);
  g_autofree char    *name = NULL;

  if (info->quantity != TS_QUANTITY_RATIO)
    return info->name;
  name = g_strdup_printf ("%s [%%]", info->name);
  return g_intern_string (name);
}

void
ts_shown_metric_add_column (GArray *columns, TsMetricId metric, const char *statistic, const char *title)
{
  g_autofree char *metric_name = g_ascii_strdown (ts_metric_info (metric)->name, -1);
  g_autofree char *name = g_strdup_printf ("%s_%s", metric_name, statistic);
  TsColumn         column = { g_intern_string (name), title, group_name (metric) };

  g_array_append_val (columns, column);
}

void
ts_shown_metric_add_columns (GArray *columns, const TsReport *report, const TsShownMetric *shown)
{
  /* a group of its own, which moves on where there is no room beside the numbers */
  static const TsColumn reference_column = { "jit_reference", "of JIT", "P" };
  TsMetricId            metric = shown->metric;

  if (shown->has_number)
    ts_shown_metric_add_column (columns, metric, "n", "n");
  ts_shown_metric_add_column (columns, metric, "min", "min");
  ts_shown_metric_add_column (columns, metric, "mean", "mean");
  for (guint i = 0; shown->is_full && i < report->n_percentiles; i++)
    {
      const char *name = ts_percentile_name (report->percentiles[i]);

      ts_shown_metric_add_column (columns, metric, name, name);
    }
  ts_shown_metric_add_column (columns, metric, "max", "max");
  if (shown->is_full)
    ts_shown_metric_add_column (columns, metric, "stddev", "stddev");
  if (shown->has_references)
    g_array_append_val (columns, reference_column);
}

static TsCell *
add_stddev (TsCell *cells, TsQuantity quantity, const TsRoot *value)
{
  switch (quantity)
    {
    case TS_QUANTITY_RATIO:
      return ts_put_root (cells, value, 100);
    case TS_QUANTITY_COUNT:
      return ts_put_root (cells, value, 1);
    case TS_QUANTITY_TIME:
    default:
      return ts_put_root_time (cells, value);
    }
}

TsCell *
ts_shown_metric_add_cells (TsCell *cells, const TsReport *report, const TsShownMetric *shown, const TsMetricResult *result)
{
  if (result->n == 0)
    {
      guint n_cells = 3 + (shown->has_number ? 1 : 0) + (shown->is_full ? report->n_percentiles + 1 : 0)
                      + (shown->has_references ? 1 : 0);

      for (guint i = 0; i < n_cells; i++)
        cells = ts_put_absent (cells);
      return cells;
    }
  if (shown->has_number)
    cells = ts_put_integer (cells, (gint64) result->n);
  cells = ts_shown_value (cells, shown->quantity, &result->min);
  cells = ts_shown_value (cells, shown->quantity, &result->mean);
  for (guint i = 0; shown->is_full && i < report->n_percentiles; i++)
    cells = ts_shown_value (cells, shown->quantity, &result->percentiles[i]);
  cells = ts_shown_value (cells, shown->quantity, &result->max);
  if (shown->is_full)
    cells = add_stddev (cells, shown->quantity, &result->stddev);
  if (shown->has_references)
    cells = ts_put_text (cells, result->reference);
  return cells;
}

const char *
ts_shown_metrics_title (const GArray *metrics)
{
  g_autoptr (GString) title = g_string_new (NULL);

  for (guint i = 0; i < metrics->len; i++)
    {
      const TsShownMetric  *shown = &g_array_index (metrics, TsShownMetric, i);
      const TsMetricInfo *info = ts_metric_info (shown->metric);

      g_string_append_printf (title, "%s%s %s", i > 0 ? ", " : "", info->name, info->title);
      if (shown->reference != NULL && !shown->has_references)
        g_string_append_printf (title, " (P: %s)", shown->reference);
    }
  return g_intern_string (title->str);
}
