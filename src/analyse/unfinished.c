/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/measures.h"

/* What was not over when it was cut: see TsUnfinished. */

static void
keep_longest (TsUnfinished *unfinished, TsMetricId metric, const TsExtreme *length)
{
  const guint bit = 1u << metric;

  /* of equal ones the first */
  if ((unfinished->known & bit) != 0 && unfinished->longest[metric].value >= length->value)
    return;
  unfinished->known |= bit;
  unfinished->longest[metric] = *length;
}

/* That at @place, which may be new. */
static TsUnfinished *
unfinished_at (TsArena *arena, TsUnfinished **place)
{
  if (*place == NULL)
    {
      *place = ts_arena_take (arena, sizeof **place);
      (*place)->known = 0;
    }
  return *place;
}

/* How long @instance, which was there before its start could be seen, has been seen at least. */
static gint64
seen_length (const TsInstance *instance)
{
  return instance->running + instance->preempted + instance->waiting;
}

void
ts_measures_note_unfinished (TsMeasures *measures, const TsInstance *instance)
{
  const gboolean was_activated = (instance->flags & TS_INSTANCE_HAS_ACTIVATION) != 0;
  const gboolean is_head = instance->status == TS_STATUS_PARTIAL_HEAD;
  const gboolean has_started = is_head || (instance->flags & TS_INSTANCE_HAS_START) != 0;
  TsExtreme      length = { .at = has_started ? instance->start : instance->activation,
                            .number = instance->number,
                            .section = measures->current_section };
  TsUnfinished  *unfinished;

  if ((instance->flags & TS_INSTANCE_IN_WINDOW) == 0 || !(was_activated || has_started))
    return;
  unfinished = unfinished_at (&measures->arena, &measures->elements[instance->element].unfinished);
  if (was_activated)
    {
      length.value = instance->end - instance->activation;
      keep_longest (unfinished, TS_METRIC_RT, &length);
      if (!has_started)
        keep_longest (unfinished, TS_METRIC_IPT, &length);
    }
  if (!has_started)
    return;
  length.value = is_head ? seen_length (instance) : instance->end - instance->start;
  keep_longest (unfinished, TS_METRIC_GET, &length);
  if (is_head && !was_activated)
    keep_longest (unfinished, TS_METRIC_RT, &length);
  if ((instance->flags & TS_INSTANCE_NO_CET) != 0)
    return;
  length.value = instance->running;
  keep_longest (unfinished, TS_METRIC_CET, &length);
}

void
ts_measures_note_awaited (TsMeasures *measures, const TsInterval *interval)
{
  const TsMetricId metric = interval->kind == TS_INTERVAL_PER ? TS_METRIC_PER : TS_METRIC_DT;
  const TsExtreme  length = { .value = interval->value,
                              .at = interval->at,
                              .number = interval->number,
                              .section = measures->current_section };

  keep_longest (unfinished_at (&measures->arena, &measures->elements[interval->element].unfinished), metric, &length);
}

void
ts_measured_forget_awaited (TsMeasuredElement *element)
{
  static const TsMetricId metrics[] = { TS_METRIC_DT, TS_METRIC_PER };

  for (guint i = 0; i < G_N_ELEMENTS (metrics); i++)
    {
      const TsExtreme     *longest = ts_unfinished_get (element->unfinished, metrics[i]);
      const TsAccumulator *samples = ts_measured_samples (element, metrics[i]);

      if (longest != NULL && samples != NULL && samples->n > 0 && samples->max.value >= longest->value)
        element->unfinished->known &= ~(1u << metrics[i]);
    }
  if (element->unfinished != NULL && element->unfinished->known == 0)
    element->unfinished = NULL;
}

void
ts_unfinished_merge (TsArena *arena, TsUnfinished **to, const TsUnfinished *from)
{
  for (guint i = 0; from != NULL && i < TS_N_UNFINISHED; i++)
    if ((from->known >> i & 1) != 0)
      keep_longest (unfinished_at (arena, to), (TsMetricId) i, &from->longest[i]);
}

gboolean
ts_unfinished_rescale (TsUnfinished *unfinished, gint64 factor, guint input)
{
  for (guint i = 0; unfinished != NULL && i < TS_N_UNFINISHED; i++)
    {
      TsExtreme *longest = &unfinished->longest[i];

      if ((unfinished->known >> i & 1) == 0)
        continue;
      if (__builtin_mul_overflow (longest->value, factor, &longest->value)
          || __builtin_mul_overflow (longest->at, factor, &longest->at))
        return FALSE;
      longest->input += input;
    }
  return TRUE;
}

const TsExtreme *
ts_unfinished_get (const TsUnfinished *unfinished, TsMetricId metric)
{
  return unfinished != NULL && metric < TS_N_UNFINISHED && (unfinished->known >> metric & 1) != 0
             ? &unfinished->longest[metric]
             : NULL;
}
