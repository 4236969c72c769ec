/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/metrics.h>

G_BEGIN_DECLS

/* A number to look at: a statistic of a metric. */
typedef enum
{
  TS_STATISTIC_MIN,
  TS_STATISTIC_MEAN,
  TS_STATISTIC_MAX,
  TS_STATISTIC_STDDEV,
  TS_STATISTIC_PERCENTILE,
  TS_STATISTIC_ABSMAX, /* the larger one of |min| and |max| */
  TS_STATISTIC_N,
} TsStatistic;

typedef struct
{
  TsMetricId  metric;
  TsStatistic statistic;
  guint64     millionths; /* of a percentile: millionths of a percent */
} TsFigure;

/* "CET.max", "CETmax", "RT_max", "JIT.absmax", "CET.p99.9", "LOAD". */
TS_API gboolean    ts_figure_parse (const char *text, TsFigure *figure, GError **error);
TS_API const char *ts_figure_statistic_name (const TsFigure *figure); /* "max", "p99.9"; lives for ever */
TS_API gboolean    ts_figure_equal (const TsFigure *a, const TsFigure *b);
TS_API TsQuantity  ts_figure_quantity (const TsFigure *figure);       /* of its value: a number of samples is a count */

G_END_DECLS
