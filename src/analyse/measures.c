/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "analyse/measures.h"

TsMeasures *
ts_measures_new (guint section, guint exact_metrics)
{
  TsMeasures *measures = g_new0 (TsMeasures, 1);

  measures->section = section;
  measures->arena.is_small = section != 0;
  ts_metrics_begin_section (measures, section);
  measures->exact_metrics = exact_metrics;
  return measures;
}

/* Of sections there may be thousands, and in each of them few elements have anything: pages that nobody writes to cost
 * nothing, if they are small. */
static void
resize_elements (TsMeasures *measures, guint n)
{
  const guint n_before = measures->n_elements;

  if (measures->section == 0)
    {
      measures->elements = ts_pages_resize (measures->elements, n_before * sizeof (TsMeasuredElement),
                                            n * sizeof (TsMeasuredElement));
      return;
    }
  if (n_before == 0)
    {
      measures->elements = g_new0 (TsMeasuredElement, n);
      return;
    }
  measures->elements = g_renew (TsMeasuredElement, measures->elements, n);
  memset (measures->elements + n_before, 0, (n - n_before) * sizeof (TsMeasuredElement));
}

static void
clear_elements (TsMeasures *measures)
{
  for (guint i = 0; i < measures->n_elements; i++)
    {
      for (guint k = 0; k < TS_N_METRICS; k++)
        ts_accumulator_free (measures->elements[i].metrics[k]);
      g_clear_pointer (&measures->elements[i].ran_on_others, g_array_unref);
    }
}

void
ts_measures_drop_elements (TsMeasures *measures)
{
  /* what has no samples is in arenas */
  if (!measures->no_samples || measures->has_many_resources)
    clear_elements (measures);
  if (measures->section == 0)
    ts_pages_release (measures->elements, measures->n_elements * sizeof (TsMeasuredElement));
  else
    g_free (measures->elements);
  ts_pages_release (measures->recents, measures->n_elements * sizeof (TsRecent));
  measures->elements = NULL;
  measures->recents = NULL;
  measures->n_elements = 0;
}

void
ts_measures_free (TsMeasures *measures)
{
  if (measures == NULL)
    return;
  ts_recents_free (&measures->instances);
  ts_recents_free (&measures->intervals);
  ts_measures_drop_tallies (measures);
  ts_measures_drop_elements (measures);
  g_free (measures->busy);
  g_free (measures->windows);
  ts_arena_clear (&measures->arena);
  g_free (measures);
}

void
ts_measures_grow (TsMeasures *measures, guint n_elements, guint n_resources)
{
  if (n_elements > measures->n_elements)
    {
      resize_elements (measures, n_elements);
      measures->recents = ts_pages_resize (measures->recents, measures->n_elements * sizeof (TsRecent),
                                           n_elements * sizeof (TsRecent));
      ts_recents_add_elements (&measures->instances, measures->n_elements, n_elements);
      ts_recents_add_elements (&measures->intervals, measures->n_elements, n_elements);
      measures->n_elements = n_elements;
      if (ts_measures_has_tallies (measures))
        ts_measures_grow_tallies (measures);
    }
  if (n_resources > measures->n_resources)
    {
      measures->busy = g_renew (TsInt128, measures->busy, n_resources);
      memset (measures->busy + measures->n_resources, 0, (n_resources - measures->n_resources) * sizeof *measures->busy);
      measures->n_resources = n_resources;
    }
}

#define WORD 64 /* bits */

void
ts_measures_note_resource (TsMeasures *measures, guint32 element, guint16 resource)
{
  TsMeasuredElement *measured = &measures->elements[element];
  const guint        other = resource / WORD - 1u;
  const guint64      bit = (guint64) 1 << resource % WORD;

  if (resource < WORD)
    {
      measured->ran_on |= bit;
      return;
    }
  measures->has_many_resources = TRUE;
  if (measured->ran_on_others == NULL)
    measured->ran_on_others = g_array_new (FALSE, TRUE, sizeof (guint64));
  if (other >= measured->ran_on_others->len)
    g_array_set_size (measured->ran_on_others, other + 1);
  g_array_index (measured->ran_on_others, guint64, other) |= bit;
}

guint16
ts_measured_ran_on (const TsMeasuredElement *element, guint from)
{
  const guint n_others = element->ran_on_others != NULL ? element->ran_on_others->len : 0;
  guint64     mask = ~(guint64) 0 << from % WORD;

  for (guint word = from / WORD; word <= n_others; word++, mask = ~(guint64) 0)
    {
      const guint64 all = word == 0 ? element->ran_on : g_array_index (element->ran_on_others, guint64, word - 1);

      if ((all & mask) != 0)
        return (guint16) (word * WORD + (guint) __builtin_ctzll (all & mask));
    }
  return TS_NO_RESOURCE;
}

#define ONE(count) +1
G_STATIC_ASSERT (sizeof (TsElementCounts) == (0 TS_ELEMENT_COUNTS (ONE)) * sizeof (guint64));
#undef ONE

void
ts_measures_add_counts (TsElementCounts *counts, const TsElementCounts *other)
{
#define ADD(count) counts->count += other->count;
  TS_ELEMENT_COUNTS (ADD)
#undef ADD
}

void
ts_measured_unshare (TsArena *arena, TsMeasuredElement *element, TsMetricId metric)
{
  const TsAccumulator *shared = element->metrics[TS_METRIC_CET];

  element->metrics[metric] = shared != NULL ? ts_accumulator_copy (arena, shared) : NULL;
  element->shared &= ~(1u << metric);
}

TsAccumulator *
ts_measures_accumulator (TsMeasures *measures, TsMeasuredElement *element, TsMetricId metric)
{
  if (element->metrics[metric] == NULL)
    element->metrics[metric] = ts_accumulator_new_in (&measures->arena, (measures->exact_metrics >> metric & 1) != 0,
                                                      measures->no_samples);
  return element->metrics[metric];
}

/* GET and SELF, before CET: they stay shared where they are on both sides. */
static void
merge_like_cet (TsArena *arena, TsMeasuredElement *to, TsMeasuredElement *from, TsMetricId metric, gboolean moves)
{
  guint                bit = 1u << metric;
  const TsAccumulator *samples = ts_measured_samples (from, metric);

  if (from->metrics[TS_METRIC_CET] == NULL && samples == NULL)
    return;
  if (to->metrics[TS_METRIC_CET] == NULL && to->metrics[metric] == NULL)
    to->shared |= from->shared & bit;
  if ((to->shared & from->shared & bit) != 0)
    return;
  if ((to->shared & bit) != 0)
    ts_measured_unshare (arena, to, metric);
  if (samples == NULL)
    return;
  if (to->metrics[metric] != NULL)
    ts_accumulator_merge (to->metrics[metric], samples);
  else if (moves && from->metrics[metric] != NULL)
    to->metrics[metric] = g_steal_pointer (&from->metrics[metric]);
  else
    to->metrics[metric] = ts_accumulator_copy (arena, samples);
}

void
ts_measured_merge (TsArena *arena, TsMeasuredElement *to, TsMeasuredElement *from, gboolean moves)
{
  merge_like_cet (arena, to, from, TS_METRIC_GET, moves);
  merge_like_cet (arena, to, from, TS_METRIC_SELF, moves);
  for (guint k = 0; k < TS_N_METRICS; k++)
    {
      if (from->metrics[k] == NULL || k == TS_METRIC_GET || k == TS_METRIC_SELF)
        continue;
      if (to->metrics[k] != NULL)
        ts_accumulator_merge (to->metrics[k], from->metrics[k]);
      else
        to->metrics[k] = moves ? g_steal_pointer (&from->metrics[k]) : ts_accumulator_copy (arena, from->metrics[k]);
    }
  ts_unfinished_merge (arena, &to->unfinished, from->unfinished);
}

void
ts_measures_merge (TsMeasures *measures, const TsMeasures *other)
{
  ts_measures_grow (measures, other->n_elements, other->n_resources);
  for (guint i = 0; i < other->n_elements; i++)
    {
      TsMeasuredElement *from = &other->elements[i], *to = &measures->elements[i];

      ts_measured_merge (&measures->arena, to, from, FALSE);
      for (guint16 on = ts_measured_ran_on (from, 0); on != TS_NO_RESOURCE; on = ts_measured_ran_on (from, on + 1u))
        ts_measures_note_resource (measures, i, on);
      ts_measures_add_counts (&to->counts, &from->counts);
    }
  for (guint i = 0; i < other->n_resources; i++)
    measures->busy[i] += other->busy[i];
  measures->window += other->window;
}
