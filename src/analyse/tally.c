/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "analyse/measures.h"
#include "model/pages.h"

/* What does not come with every instance of those whose samples are not kept. */

/* So many elements have their tallies in a cache, beside all else that is known of them. With more of them instances
 * are put in a row, and their tallies fetched, before they are added. */
#define NEAR_ELEMENTS 4096
#define MOST_WAITING 64

static gsize
memory_size (guint n_room)
{
  return ((gsize) n_room + 1) * sizeof (TsTally);
}

void
ts_measures_drop_tallies (TsMeasures *measures)
{
  TsTallies *tallies = &measures->tallies;

  if (tallies->memory != NULL)
    ts_pages_release (tallies->memory, memory_size (tallies->n_room));
  g_clear_pointer (&tallies->used, g_array_unref);
  g_free (tallies->worst);
  g_free (tallies->waiting);
  *tallies = (TsTallies){ 0 };
}

void
ts_measures_grow_tallies (TsMeasures *measures)
{
  TsTallies *tallies = &measures->tallies;
  TsTallies  old = *tallies;

  if (measures->n_elements > old.n_room)
    {
      tallies->n_room = MAX (measures->n_elements, 2 * old.n_room);
      tallies->worst = g_renew (TsTallyWorst, tallies->worst, tallies->n_room);
      tallies->memory = ts_pages_resize (NULL, 0, memory_size (tallies->n_room));
      tallies->rows = (TsTally *) (((guintptr) tallies->memory + TS_TALLY_LINE - 1) & -(guintptr) TS_TALLY_LINE);
      if (old.memory != NULL)
        {
          memcpy (tallies->rows, old.rows, old.n_room * sizeof *old.rows);
          ts_pages_release (old.memory, memory_size (old.n_room));
        }
    }
  if (tallies->used == NULL)
    tallies->used = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (tallies->waiting == NULL && measures->n_elements > NEAR_ELEMENTS)
    tallies->waiting = g_new0 (TsInstance, MOST_WAITING);
}

static void
carry_one (TsMeasures *measures, TsMeasuredElement *element, TsMetricId metric, const TsTallyPair *pair, guint which,
           const TsTallyPlace *worst)
{
  const guint64 sum = pair->sums[which];
  TsSummary     summary = { .n = (sum + TS_TALLY_ONE / 2) >> TS_TALLY_SHIFT };

  if (summary.n == 0)
    return;
  summary.sum = (gint64) (sum - summary.n * TS_TALLY_ONE);
  summary.min.value = (pair->least[which] ^ G_MAXINT32) - TS_TALLY_BIAS;
  summary.max.value = pair->greatest[which] - TS_TALLY_BIAS;
  if (worst != NULL)
    {
      summary.max.at = worst->at;
      summary.max.number = worst->number;
      summary.max.section = measures->current_section;
    }
  ts_accumulator_take_summary (ts_measures_accumulator (measures, element, metric), &summary);
}

/* @worst is of the second, or NULL. */
static void
carry_pair (TsMeasures *measures, TsMeasuredElement *element, const TsTallyPair *pair, TsMetricId first,
            TsMetricId second, const TsTallyPlace *worst)
{
  /* where the second one is shared, the first one has its place */
  carry_one (measures, element, first, pair, 0, pair->sums[1] == 0 ? worst : NULL);
  carry_one (measures, element, second, pair, 1, worst);
}

/* Where all that is told of GET is what is told of CET, they need not be two. */
static void
share_cet (TsMeasures *measures, TsMeasuredElement *element, TsTallyPair *times)
{
  if (!ts_measured_shares_cet (element, TS_METRIC_GET))
    return;
  if (times->sums[0] == times->sums[1] && times->least[0] == times->least[1] && times->greatest[0] == times->greatest[1])
    times->sums[1] = 0;
  else
    ts_measured_unshare (&measures->arena, element, TS_METRIC_GET);
}

static void
carry (TsMeasures *measures, guint32 number)
{
  TsMeasuredElement  *element = &measures->elements[number];
  TsTally            *tally = &measures->tallies.rows[number];
  const TsTallyWorst *worst = &measures->tallies.worst[number];
  TsTallyPair        *pairs = tally->pairs, *times = &pairs[TS_TALLY_CET_GET];

  if (times->sums[0] != 0)
    share_cet (measures, element, times);
  carry_pair (measures, element, times, TS_METRIC_CET, TS_METRIC_GET, &worst->get);
  carry_pair (measures, element, &pairs[TS_TALLY_DT_E2S], TS_METRIC_DT, TS_METRIC_E2S, NULL);
  carry_pair (measures, element, &pairs[TS_TALLY_IPT_RT], TS_METRIC_IPT, TS_METRIC_RT, &worst->rt);
  carry_pair (measures, element, &pairs[TS_TALLY_PER_ST], TS_METRIC_PER, TS_METRIC_ST, NULL);
  carry_pair (measures, element, &pairs[TS_TALLY_PRE_WAIT], TS_METRIC_PRE, TS_METRIC_WAIT, NULL);
  carry_pair (measures, element, &pairs[TS_TALLY_POLL_AGE], TS_METRIC_POLL, TS_METRIC_AGE, NULL);
  memset (tally, 0, sizeof *tally);
}

void
ts_measures_note_tally (TsMeasures *measures, guint32 element, guint64 before)
{
  if (before == 0)
    g_array_append_val (measures->tallies.used, element);
  else
    carry (measures, element);
}

/* Where the @greatest was @before is @place. Of equal ones that is the first in time, and then the one with the lowest
 * number. */
static void
note_place (TsTallyPlace *place, gint32 before, gint32 greatest, const TsInstance *instance)
{
  const gint64 at = instance->start, number = instance->number;

  if (greatest < before)
    return;
  if (greatest > before || at < place->at || (at == place->at && number < place->number))
    *place = (TsTallyPlace){ at, number };
}

void
ts_measures_note_instance (TsMeasures *measures, const TsInstance *instance, guint64 sum, gint32 get, gint32 rt)
{
  TsTallyWorst *worst = &measures->tallies.worst[instance->element];

  note_place (&worst->get, get, TS_TALLY_GREATEST (instance->end - instance->start), instance);
  if (instance->flags & TS_INSTANCE_HAS_ACTIVATION)
    note_place (&worst->rt, rt, TS_TALLY_GREATEST (instance->end - instance->activation), instance);
  if (sum - 1 >= TS_TALLY_FULL)
    ts_measures_note_tally (measures, instance->element, sum);
}

void
ts_metrics_add_activated (TsMeasures *measures, const TsInstance *instance)
{
  if (!ts_measures_tally_instance (measures, instance, TRUE))
    ts_metrics_keep_odd_instance (measures, instance);
}

static void
add_waiting (TsMeasures *measures)
{
  TsTallies *tallies = &measures->tallies;

  for (guint i = 0; i < tallies->n_waiting; i++)
    ts_metrics_add_now (measures, &tallies->waiting[i]);
  tallies->n_waiting = 0;
}

void
ts_measures_await (TsMeasures *measures, const TsInstance *instance)
{
  TsTallies  *tallies = &measures->tallies;
  TsTally    *tally = &tallies->rows[instance->element];
  TsInstance *row = &tallies->waiting[tallies->n_waiting];

  __builtin_prefetch (tally, 1);
  row->element = instance->element;
  row->flags = instance->flags;
  row->number = instance->number;
  row->start = instance->start;
  row->end = ts_just_written (&instance->end);
  row->running = ts_just_written (&instance->running);
  row->dt = instance->dt;
  row->e2s = instance->e2s;
  if (instance->flags & TS_INSTANCE_HAS_ACTIVATION)
    {
      __builtin_prefetch (&tally->pairs[TS_TALLY_IPT_RT], 1);
      row->activation = instance->activation;
      row->per = instance->per;
      row->st = instance->st;
    }
  if (++tallies->n_waiting == MOST_WAITING)
    add_waiting (measures);
}

void
ts_measures_carry_tallies (TsMeasures *measures)
{
  TsTallies *tallies = &measures->tallies;

  if (tallies->rows == NULL)
    return;
  add_waiting (measures);
  /* in order, if there are many: the report reads their accumulators as these lie */
  if (tallies->used->len >= measures->n_elements / 4)
    for (guint32 i = 0; i < measures->n_elements; i++)
      carry (measures, i);
  else
    for (guint i = 0; i < tallies->used->len; i++)
      carry (measures, g_array_index (tallies->used, guint32, i));
  g_array_set_size (tallies->used, 0);
}
