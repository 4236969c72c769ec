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
void ts_accumulator_note_extreme (TsAccumulator *accumulator, const TsExtreme *sample);
void ts_accumulator_keep_sample (TsAccumulator *accumulator, gint64 value);

/* ts_accumulator_add(), for every sample there is: in line, and with as few branches as can be. */
static inline void
ts_accumulator_take (TsAccumulator *accumulator, gint64 value, gint64 at, gint64 number, guint32 section)
{
  TsUint128 square = (TsUint128) ((TsInt128) value * value);

  /* a new accumulator has min > max */
  if (G_UNLIKELY (value <= accumulator->min.value || value >= accumulator->max.value))
    ts_accumulator_note_extreme (accumulator, &(TsExtreme){ value, at, number, section, 0 });
  accumulator->n++;
  accumulator->sum += value;
  accumulator->squares_high += __builtin_add_overflow (accumulator->squares, square, &accumulator->squares);
  if (G_LIKELY (accumulator->histogram != NULL))
    ts_histogram_count (accumulator->histogram, value);
  else
    ts_accumulator_keep_sample (accumulator, value);
}

G_END_DECLS
