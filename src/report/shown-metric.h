/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/number.h"
#include "report/tables.h"

G_BEGIN_DECLS

/* A metric of a table, and how it is shown. */
typedef struct
{
  TsMetricId metric;
  TsQuantity quantity;
  gboolean   has_number; /* of its samples */
  gboolean   is_full; /* with all of its statistics */
  const char *reference; /* of JIT: what P is, if it is the same of all elements ... */
  gboolean    has_references; /* ... or else they are in a column */
} TsShownMetric;

/* Adds the column of one statistic, in the group of its metric, or those of all that are shown, to @columns (of TsColumn). */
void ts_shown_metric_add_column (GArray *columns, TsMetricId metric, const char *statistic, const char *title);
void ts_shown_metric_add_columns (GArray *columns, const TsReport *report, const TsShownMetric *shown);
/* What stands in these. */
TsCell *ts_shown_metric_add_cells (TsCell *cells, const TsReport *report, const TsShownMetric *shown,
                                   const TsMetricResult *result);
/* "CET core execution time, JIT jitter (P: activation)", of TsShownMetric */
const char *ts_shown_metrics_title (const GArray *metrics);

/* Ratios as percent, which is how people say them. */
static inline TsCell *
ts_shown_value (TsCell *cells, TsQuantity quantity, const TsRational *value)
{
  switch (quantity)
    {
    case TS_QUANTITY_RATIO:
      return ts_put_number (cells, ts_scale_number (*value, (TsRational){ 100, 1 }));
    case TS_QUANTITY_COUNT:
      return ts_put_number (cells, *value);
    case TS_QUANTITY_TIME:
    default:
      return ts_put_time (cells, *value);
    }
}

G_END_DECLS
