/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/instance.h>

static inline int
compare_interval_times (gconstpointer a, gconstpointer b)
{
  const TsInterval *left = a, *right = b;

  if (left->at != right->at)
    return left->at < right->at ? -1 : 1;
  return left->number < right->number ? -1 : left->number > right->number;
}

/* The same for those that may have one number, as they are of different elements: by value, too. */
static inline int
compare_periods (gconstpointer a, gconstpointer b)
{
  const TsInterval *left = a, *right = b;
  const int         order = compare_interval_times (a, b);

  if (order != 0)
    return order;
  return left->value < right->value ? -1 : left->value > right->value;
}

/* Appends to @intervals, of TsInterval, the samples of DT, PER, ST and E2S that @instance carries, as if each had come
 * alone. */
static inline void
append_intervals_of (GArray *intervals, const TsInstance *instance)
{
  const gboolean in_window = (instance->flags & TS_INSTANCE_IN_WINDOW) != 0;
  const struct
  {
    gboolean   counts;
    TsInterval interval;
  } samples[] = {
    { in_window && (instance->flags & TS_INSTANCE_HAS_DT),
      { instance->element, TS_INTERVAL_DT, instance->dt, instance->start, instance->number } },
    { in_window && (instance->flags & TS_INSTANCE_HAS_E2S),
      { instance->element, TS_INTERVAL_E2S, instance->e2s, instance->start, instance->number } },
    { (instance->flags & TS_INSTANCE_COUNTS_PER) != 0,
      { instance->element, TS_INTERVAL_PER, instance->per, instance->activation, instance->number } },
    { (instance->flags & TS_INSTANCE_COUNTS_ST) != 0,
      { instance->element, TS_INTERVAL_ST, instance->st, instance->activation, instance->number } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    if (samples[i].counts)
      g_array_append_val (intervals, samples[i].interval);
}
