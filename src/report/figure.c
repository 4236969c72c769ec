/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <tracestat/report.h>

#include "analyse/histogram.h"
#include "model/error.h"
#include "model/number.h"
#include "report/tables.h"

/* Figures: statistics of a metric by name, and their exact values. */

static const struct
{
  const char *name;
  TsStatistic statistic;
} statistic_names[] = {
  { "min", TS_STATISTIC_MIN },       { "mean", TS_STATISTIC_MEAN }, { "av", TS_STATISTIC_MEAN },
  { "max", TS_STATISTIC_MAX },       { "stddev", TS_STATISTIC_STDDEV },
  { "absmax", TS_STATISTIC_ABSMAX }, { "n", TS_STATISTIC_N },
};

const char *
ts_figure_statistic_name (const TsFigure *figure)
{
  if (figure->statistic == TS_STATISTIC_PERCENTILE)
    return ts_percentile_name (figure->millionths);
  for (guint i = 0; i < G_N_ELEMENTS (statistic_names); i++)
    if (statistic_names[i].statistic == figure->statistic)
      return statistic_names[i].name;
  g_assert_not_reached ();
}

gboolean
ts_figure_equal (const TsFigure *a, const TsFigure *b)
{
  return a->metric == b->metric && a->statistic == b->statistic && a->millionths == b->millionths;
}

TsQuantity
ts_figure_quantity (const TsFigure *figure)
{
  return figure->statistic == TS_STATISTIC_N ? TS_QUANTITY_COUNT : ts_metric_info (figure->metric)->quantity;
}

static gboolean
parse_statistic (const char *text, TsFigure *figure)
{
  TsRational percent;

  for (guint i = 0; i < G_N_ELEMENTS (statistic_names); i++)
    if (g_ascii_strcasecmp (text, statistic_names[i].name) == 0)
      {
        figure->statistic = statistic_names[i].statistic;
        return TRUE;
      }
  if (g_ascii_tolower (text[0]) != 'p' || !g_ascii_isdigit (text[1]) || !ts_rational_parse (text + 1, &percent)
      || percent.numerator <= 0 || percent.numerator > percent.denominator * 100 || 1000000 % percent.denominator != 0)
    return FALSE;
  figure->statistic = TS_STATISTIC_PERCENTILE;
  figure->millionths = (guint64) (percent.numerator * (1000000 / percent.denominator));
  return TRUE;
}

/* Annotations of ATF have "CETmax", "RT_max" and, in the document itself, "RT_{max}". */
static gboolean
parse_joined (const char *text, TsFigure *figure)
{
  gsize longest = 0;

  for (guint i = 0; i < TS_N_METRICS; i++)
    {
      const char      *name = ts_metric_info ((TsMetricId) i)->name;
      gsize            length = strlen (name);
      const char      *rest = text + length;
      g_autofree char *bare = NULL;
      TsFigure         candidate = { .metric = (TsMetricId) i };

      if (length <= longest || g_ascii_strncasecmp (text, name, length) != 0)
        continue;
      if (*rest == '_')
        rest++;
      if (*rest == '{' && g_str_has_suffix (rest, "}"))
        bare = g_strndup (rest + 1, strlen (rest) - 2);
      if (!parse_statistic (bare != NULL ? bare : rest, &candidate))
        continue;
      *figure = candidate;
      longest = length;
    }
  return longest > 0;
}

/* The load of a resource is one number: only its size can be asked for. */
static gboolean
check_load (const char *text, const TsFigure *figure, GError **error)
{
  if (figure->metric != TS_METRIC_LOAD || figure->statistic == TS_STATISTIC_MIN
      || figure->statistic == TS_STATISTIC_MEAN || figure->statistic == TS_STATISTIC_MAX)
    return TRUE;
  return ts_error_refuse (error, "`%s': LOAD is one number and has no %s", text, ts_figure_statistic_name (figure));
}

gboolean
ts_figure_parse (const char *text, TsFigure *figure, GError **error)
{
  const char      *point;
  g_autofree char *metric = NULL;

  g_return_val_if_fail (text != NULL, FALSE);
  point = strchr (text, '.');
  metric = point != NULL ? g_strndup (text, (gsize) (point - text)) : NULL;
  *figure = (TsFigure){ 0 };
  if (g_ascii_strcasecmp (text, "LOAD") == 0)
    {
      *figure = (TsFigure){ .metric = TS_METRIC_LOAD, .statistic = TS_STATISTIC_MAX };
      return TRUE;
    }
  if (parse_joined (text, figure))
    return check_load (text, figure, error);
  if (metric != NULL)
    {
      if (!ts_metric_parse (metric, &figure->metric))
        return ts_error_refuse (error, "`%s' is not a metric; --list metrics shows them", metric);
      if (!parse_statistic (point + 1, figure))
        return ts_error_refuse (error, "`%s' is not a statistic: min, mean, av, max, stddev, absmax, n or a percentile "
                                "as p99 is expected", point + 1);
      return check_load (text, figure, error);
    }
  if (ts_metric_parse (text, &figure->metric))
    return ts_error_refuse (error, "`%s' does not say which statistic: %s.max, %s.p99 and so on", text, text, text);
  return ts_error_refuse (error, "`%s' is not known; metrics with a statistic are, as RT.max: see --list metrics", text);
}

/* Nearest rank; JIT falls where DT, its samples, rises. */
static TsRational
percentile_of (const TsFigure *figure, const TsMetricResult *result)
{
  const TsAccumulator *samples = result->accumulator;
  guint64              rank;
  gint64               value;

  if (samples == NULL)
    return result->max;
  rank = ts_percentile_rank (samples->n, figure->millionths);
  if (figure->metric == TS_METRIC_JIT)
    rank = samples->n + 1 - rank;
  ts_accumulator_ranked (samples, &rank, 1, &value);
  if (figure->metric != TS_METRIC_JIT)
    return ts_rational (value, 1);
  return ts_rational_subtract (ts_rational (1, 1), ts_rational_divide (ts_rational (value, 1), result->reference_value));
}

TsRational
ts_figure_value (const TsFigure *figure, const TsMetricResult *result, const TsExtreme **place)
{
  const TsExtreme *none, **where = place != NULL ? place : &none;

  *where = figure->metric != TS_METRIC_LOAD && result->n > 0 ? &result->max_where : NULL;
  switch (figure->statistic)
    {
    case TS_STATISTIC_MIN:
      if (*where != NULL)
        *where = &result->min_where;
      return result->min;
    case TS_STATISTIC_MEAN:
      return result->mean;
    case TS_STATISTIC_STDDEV:
      return ts_root_to_rational (&result->stddev);
    case TS_STATISTIC_PERCENTILE:
      return percentile_of (figure, result);
    case TS_STATISTIC_ABSMAX:
      if (ts_rational_compare (ts_rational_absolute (result->min), ts_rational_absolute (result->max)) <= 0)
        return ts_rational_absolute (result->max);
      if (*where != NULL)
        *where = &result->min_where;
      return ts_rational_absolute (result->min);
    case TS_STATISTIC_N:
      *where = NULL;
      return ts_rational ((TsInt128) result->n, 1);
    case TS_STATISTIC_MAX:
    default:
      return result->max;
    }
}
