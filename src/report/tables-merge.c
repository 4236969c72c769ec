/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "report/results.h"
#include "report/tables.h"

/* Parts of the JSON report that a person does not need: with them it can be read again, and merged with others, as if the
 * traces themselves were read. All in whole internal units; what may go beyond 64 bits is a text. */

static TsTable *
new_record (const char *name, const TsColumn *columns, guint n_columns)
{
  TsTable *table = ts_table_new (name, name, TS_TABLE_RECORD, TS_FOR_PROGRAMS, columns, n_columns);

  ts_table_begin_row (table, 0);
  return table;
}

static void
add_wide (TsTable *table, TsInt128 value)
{
  char text[TS_NUMBER_SIZE];

  ts_int128_format (value, text);
  ts_table_add_text (table, text);
}

TsTable *
ts_merge_table (const TsAccumulator *samples)
{
  static const TsColumn columns[] = { { "min" }, { "max" }, { "min_at" }, { "max_at" }, { "sum" }, { "squares" } };
  TsTable *table = new_record ("merge", columns, G_N_ELEMENTS (columns));
  char     squares[TS_NUMBER_SIZE];

  ts_table_add_integer (table, samples->min.value);
  ts_table_add_integer (table, samples->max.value);
  ts_table_add_integer (table, samples->min.at);
  ts_table_add_integer (table, samples->max.at);
  add_wide (table, samples->sum);
  ts_uint192_format (samples->squares, (guint64) samples->squares_high, squares);
  ts_table_add_text (table, squares);
  return table;
}

TsTable *
ts_merge_load_table (const TsMetricResult *load)
{
  static const TsColumn columns[] = { { "sum" }, { "window" } };
  TsTable              *table = new_record ("merge", columns, G_N_ELEMENTS (columns));

  add_wide (table, load->sum);
  add_wide (table, load->reference_value.numerator);
  return table;
}

TsTable *
ts_configured_period_table (const TsReportElement *element)
{
  static const TsColumn columns[] = { { "numerator" }, { "denominator" }, { "source" } };
  TsRational            period;
  TsTable              *table;

  if (element->period_source == NULL)
    return NULL;
  period = ts_results_configured_period (element);
  table = new_record ("configured_period", columns, G_N_ELEMENTS (columns));
  add_wide (table, period.numerator);
  add_wide (table, period.denominator);
  ts_table_add_text (table, element->period_source);
  return table;
}

TsTable *
ts_time_base_table (const TsTimeBase *base)
{
  static const TsColumn columns[] = { { "numerator" }, { "denominator" }, { "unit" }, { "scale" } };
  TsTable              *table = new_record ("time_base", columns, G_N_ELEMENTS (columns));

  ts_table_add_integer (table, (gint64) base->numerator);
  ts_table_add_integer (table, (gint64) base->denominator);
  ts_table_add_text (table, base->known ? ts_time_base_unit_name (base->exponent) : ts_unit_name (TS_UNIT_TICKS));
  ts_table_add_integer (table, base->scale);
  return table;
}
