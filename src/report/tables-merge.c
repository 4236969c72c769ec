/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "report/results.h"
#include "report/tables.h"

/* Parts of the JSON report that a person does not need: with them it can be read again, and merged with others, as if the
 * traces themselves were read. All in whole internal units; what may go beyond 64 bits is a text. */

typedef struct
{
  const TsAccumulator *samples;
  char                 sum[TS_NUMBER_SIZE], squares[TS_NUMBER_SIZE];
} Merge;

static TsCell *
make_merge (TsCell *cells, gconstpointer data, G_GNUC_UNUSED guint row, G_GNUC_UNUSED guint *depth)
{
  const Merge *merge = data;

  cells = ts_put_integer (cells, merge->samples->min.value);
  cells = ts_put_integer (cells, merge->samples->max.value);
  cells = ts_put_integer (cells, merge->samples->min.at);
  cells = ts_put_integer (cells, merge->samples->max.at);
  cells = ts_put_text (cells, merge->sum);
  cells = ts_put_text (cells, merge->squares);
  return cells;
}

TsTable *
ts_merge_table_new (void)
{
  static const TsColumn columns[] = { { "min" }, { "max" }, { "min_at" }, { "max_at" }, { "sum" }, { "squares" } };

  return ts_table_new_renewed ("merge", TS_TABLE_RECORD, columns, G_N_ELEMENTS (columns), make_merge,
                               g_new0 (Merge, 1), g_free);
}

void
ts_merge_table_show (TsTable *table, const TsAccumulator *samples)
{
  Merge *merge = ts_table_renew (table, 1);

  merge->samples = samples;
  ts_int128_format (samples->sum, merge->sum);
  ts_uint192_format (samples->squares, (guint64) samples->squares_high, merge->squares);
}

typedef struct
{
  char sum[TS_NUMBER_SIZE], window[TS_NUMBER_SIZE];
} MergeLoad;

static TsCell *
make_merge_load (TsCell *cells, gconstpointer data, G_GNUC_UNUSED guint row, G_GNUC_UNUSED guint *depth)
{
  const MergeLoad *merge = data;

  cells = ts_put_text (cells, merge->sum);
  return ts_put_text (cells, merge->window);
}

TsTable *
ts_merge_load_table_new (void)
{
  static const TsColumn columns[] = { { "sum" }, { "window" } };

  return ts_table_new_renewed ("merge", TS_TABLE_RECORD, columns, G_N_ELEMENTS (columns), make_merge_load,
                               g_new0 (MergeLoad, 1), g_free);
}

void
ts_merge_load_table_show (TsTable *table, const TsMetricResult *load)
{
  MergeLoad *merge = ts_table_renew (table, 1);

  ts_int128_format (load->sum, merge->sum);
  ts_int128_format (load->reference_value.numerator, merge->window);
}

typedef struct
{
  char        numerator[TS_NUMBER_SIZE], denominator[TS_NUMBER_SIZE];
  const char *source;
} Period;

static TsCell *
make_period (TsCell *cells, gconstpointer data, G_GNUC_UNUSED guint row, G_GNUC_UNUSED guint *depth)
{
  const Period *period = data;

  cells = ts_put_text (cells, period->numerator);
  cells = ts_put_text (cells, period->denominator);
  cells = ts_put_text (cells, period->source);
  return cells;
}

TsTable *
ts_configured_period_table_new (void)
{
  static const TsColumn columns[] = { { "numerator" }, { "denominator" }, { "source" } };

  return ts_table_new_renewed ("configured_period", TS_TABLE_RECORD, columns, G_N_ELEMENTS (columns), make_period,
                               g_new0 (Period, 1), g_free);
}

void
ts_configured_period_table_show (TsTable *table, const TsReportElement *element)
{
  Period          *period = ts_table_renew (table, 1);
  const TsRational value = ts_results_configured_period (element);

  ts_int128_format (value.numerator, period->numerator);
  ts_int128_format (value.denominator, period->denominator);
  period->source = element->period_source;
}

TsTable *
ts_time_base_table (const TsTimeBase *base)
{
  static const TsColumn columns[] = { { "numerator" }, { "denominator" }, { "unit" }, { "scale" } };
  TsTable *table = ts_table_new ("time_base", "time_base", TS_TABLE_RECORD, TS_FOR_PROGRAMS, columns,
                                 G_N_ELEMENTS (columns));

  ts_table_begin_row (table, 0);
  ts_table_add_fraction (table, base->numerator, base->denominator);
  ts_table_add_text (table, base->known ? ts_time_base_unit_name (base->exponent) : ts_unit_name (TS_UNIT_TICKS));
  ts_table_add_integer (table, base->scale);
  return table;
}
