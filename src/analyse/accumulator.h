/* SPDX-License-Identifier: MIT */
#pragma once

#include "analyse/histogram.h"
#include "analyse/samples.h"

G_BEGIN_DECLS

TsAccumulator *ts_accumulator_copy (const TsAccumulator *accumulator);

/* An accumulator that was written as its @facts (n, extremes, sums) and its samples or, where they are not
 * @is_exact, the middles of its buckets. */
TsAccumulator *ts_accumulator_restore (const TsAccumulator *facts, const GArray *buckets, gboolean is_exact,
                                       gboolean keep_all);

/* Of ts_accumulator_take() alone: what is rare. */
void ts_accumulator_take_slowly (TsAccumulator *accumulator, gint64 value, gint64 at, gint64 number, guint32 section);

/* ts_accumulator_add() for every sample there is: in line, and calling only where it returns. */
static inline void
ts_accumulator_take (TsAccumulator *accumulator, gint64 value, gint64 at, gint64 number, guint32 section)
{
  TsUint128 square = (TsUint128) ((TsInt128) value * value);

  /* an extreme: also where an equal one is earlier */
  if (G_UNLIKELY (value < accumulator->min.value || value > accumulator->max.value || accumulator->histogram == NULL
                  || (value == accumulator->min.value && at < accumulator->min.at)
                  || (value == accumulator->max.value && at < accumulator->max.at)))
    {
      ts_accumulator_take_slowly (accumulator, value, at, number, section);
      return;
    }
  accumulator->n++;
  accumulator->sum += value;
  accumulator->squares_high += __builtin_add_overflow (accumulator->squares, square, &accumulator->squares);
  ts_histogram_count (accumulator->histogram, value);
}

G_END_DECLS
