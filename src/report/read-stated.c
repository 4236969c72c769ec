/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "analyse/accumulator.h"
#include "report/read.h"

/* What is calculated is not read; but if it says something else than the samples, somebody changed it, and would wait for
 * an effect. */


guint64
ts_report_read_n (TsReportReader *reader, JsonObject *metric)
{
  guint64 n = (guint64) ts_json_integer (&reader->json, metric, "n", 0, TS_REPORT_LIMIT);

  if (!ts_json_has (metric, "n"))
    ts_json_fail (&reader->json, "`n' is missing");
  else if (n == 0 && (ts_json_has (metric, "merge") || ts_json_has (metric, "min")))
    ts_json_fail (&reader->json, "`n' is 0, and yet there are samples");
  return n;
}

void
ts_report_check_stated (TsReportReader *reader, JsonObject *object, const char *name, double expected, double scale)
{
  TsRational stated;
  double     value;

  if (!ts_json_has (object, name) || !ts_json_number (&reader->json, object, name, &stated))
    return;
  value = ts_rational_to_double (stated);
  if (fabs (value - expected) > 1e-9 * MAX (fabs (value), scale))
    ts_json_fail (&reader->json, "`%s' is not what the samples say: was the report changed?", name);
}

void
ts_report_check_statistics (TsReportReader *reader, JsonObject *metric, const TsAccumulator *samples, TsQuantity quantity)
{
  double unit = quantity == TS_QUANTITY_TIME ? ts_rational_to_double (reader->unit) : 1;
  gint64 p99 = ts_accumulator_percentile (samples, 99000000);
  double expected[] = { (double) samples->min.value,
                        ts_rational_to_double (ts_rational (samples->sum, (TsInt128) samples->n)),
                        (double) samples->max.value, (double) p99, ts_accumulator_stddev (samples) };
  static const char *const names[G_N_ELEMENTS (expected)] = { "min", "mean", "max", "p99", "stddev" };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    ts_report_check_stated (reader, metric, names[i], expected[i] * unit, fabs (expected[i] * unit));
}

/* 1 - DT / period */
void
ts_report_check_jitter (TsReportReader *reader, JsonObject *metric, const TsAccumulator *deltas)
{
  TsRational period;
  double     unit = ts_rational_to_double (reader->unit), least, most;

  if (ts_report_read_n (reader, metric) == 0 || deltas == NULL
      || !ts_json_number (&reader->json, metric, "reference_value", &period) || period.numerator <= 0)
    return;
  least = (double) deltas->min.value * unit / ts_rational_to_double (period);
  most = (double) deltas->max.value * unit / ts_rational_to_double (period);
  ts_report_check_stated (reader, metric, "min", 1 - most, MAX (1, most));
  ts_report_check_stated (reader, metric, "max", 1 - least, MAX (1, fabs (least)));
}

/* All samples are there, though of older reports only with 15 digits. */
void
ts_report_check_squares (TsReportReader *reader, const TsAccumulator *facts, const GArray *buckets)
{
  double squares = ldexp ((double) facts->squares_high, 128) + (double) facts->squares, expected = 0;

  for (guint i = 0; i < buckets->len; i++)
    {
      const TsBucket *bucket = &g_array_index ((GArray *) buckets, TsBucket, i);

      expected += (double) bucket->count * (double) bucket->value * (double) bucket->value;
    }
  if (fabs (squares - expected) > 1e-9 * expected)
    ts_json_fail (&reader->json, "`squares' is not what the histogram says: was the report changed?");
}
