/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "analyse/measures.h"

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
  g_free (tallies->wide_memory);
  g_clear_pointer (&tallies->used_wide, g_array_unref);
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
      tallies->rows = ts_pages_first_line (tallies->memory);
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
carry_one (TsMeasures *measures, TsMeasuredElement *element, TsMetricId metric, const TsTallyWideOne *one,
           const TsTallyPlace *worst)
{
  TsSummary summary = { .n = one->n, .sum = one->sum };

  if (one->n == 0)
    return;
  summary.min.value = TS_TALLY_WIDE_BELOW - one->least;
  summary.max.value = one->greatest - TS_TALLY_WIDE_BELOW;
  if (worst != NULL)
    {
      summary.max.at = worst->at;
      summary.max.number = worst->number;
      summary.max.section = worst->section;
    }
  ts_accumulator_take_summary (ts_measures_accumulator (measures, element, metric), &summary);
}

/* @worst is of the second, or NULL. */
static void
carry_pair (TsMeasures *measures, TsMeasuredElement *element, const TsTallyWideOne *pair, TsMetricId first,
            TsMetricId second, const TsTallyPlace *worst)
{
  /* where the second one is shared, the first one has its place */
  carry_one (measures, element, first, &pair[0], pair[1].n == 0 ? worst : NULL);
  carry_one (measures, element, second, &pair[1], worst);
}

/* Where all that is told of GET is what is told of CET, they need not be two. */
static void
share_cet (TsMeasures *measures, TsMeasuredElement *element, TsTallyWideOne *times)
{
  if (times[0].n == 0 || !ts_measured_shares_cet (element, TS_METRIC_GET))
    return;
  if (memcmp (&times[0], &times[1], sizeof *times) == 0)
    times[1].n = 0;
  else
    ts_measured_unshare (&measures->arena, element, TS_METRIC_GET);
}

static void
carry_pairs (TsMeasures *measures, TsMeasuredElement *element, TsTallyWideOne pairs[TS_TALLY_PAIRS][2],
             const TsTallyWorst *worst)
{
  share_cet (measures, element, pairs[TS_TALLY_CET_GET]);
  carry_pair (measures, element, pairs[TS_TALLY_CET_GET], TS_METRIC_CET, TS_METRIC_GET, &worst->get);
  carry_pair (measures, element, pairs[TS_TALLY_DT_E2S], TS_METRIC_DT, TS_METRIC_E2S, NULL);
  carry_pair (measures, element, pairs[TS_TALLY_IPT_RT], TS_METRIC_IPT, TS_METRIC_RT, &worst->rt);
  carry_pair (measures, element, pairs[TS_TALLY_PER_ST], TS_METRIC_PER, TS_METRIC_ST, NULL);
  carry_pair (measures, element, pairs[TS_TALLY_PRE_WAIT], TS_METRIC_PRE, TS_METRIC_WAIT, NULL);
  carry_pair (measures, element, pairs[TS_TALLY_POLL_AGE], TS_METRIC_POLL, TS_METRIC_AGE, NULL);
}

static TsTallyWideOne
widen (const TsTallyPair *pair, guint which)
{
  const guint64 sum = pair->sums[which], n = (sum + TS_TALLY_ONE / 2) >> TS_TALLY_SHIFT;

  return (TsTallyWideOne){ n, (gint64) (sum - n * TS_TALLY_ONE),
                           TS_TALLY_WIDE_BELOW + TS_TALLY_BIAS - (pair->least[which] ^ G_MAXINT32),
                           TS_TALLY_WIDE_BELOW - TS_TALLY_BIAS + pair->greatest[which] };
}

static void
carry (TsMeasures *measures, guint32 number)
{
  TsTally       *tally = &measures->tallies.rows[number];
  TsTallyWideOne pairs[TS_TALLY_PAIRS][2];

  for (guint i = 0; i < TS_TALLY_PAIRS; i++)
    {
      pairs[i][0] = widen (&tally->pairs[i], 0);
      pairs[i][1] = widen (&tally->pairs[i], 1);
    }
  carry_pairs (measures, &measures->elements[number], pairs, &measures->tallies.worst[number]);
  memset (tally, 0, sizeof *tally);
}

static void
carry_wide (TsMeasures *measures, guint32 number)
{
  TsTallyWide *wide = &measures->tallies.wide[number];

  carry_pairs (measures, &measures->elements[number], wide->pairs, &wide->worst);
  memset (wide, 0, sizeof *wide);
}

void
ts_measures_note_tally (TsMeasures *measures, guint32 element, guint64 before)
{
  if (before == 0)
    g_array_append_val (measures->tallies.used, element);
  else
    carry (measures, element);
}

/* Where the @greatest was @before is @place. Of equal ones that is in the first section, there the first in time, and
 * then the one with the lowest number. */
static void
note_place (TsTallyPlace *place, gint64 before, gint64 greatest, const TsInstance *instance, guint32 section)
{
  const gint64 at = instance->start, number = instance->number;

  if (greatest < before || (greatest == before && section != place->section))
    return;
  if (greatest > before || at < place->at || (at == place->at && number < place->number))
    *place = (TsTallyPlace){ at, number, section };
}

void
ts_measures_note_instance (TsMeasures *measures, const TsInstance *instance, guint64 sum, gint32 get, gint32 rt)
{
  TsTallyWorst *worst = &measures->tallies.worst[instance->element];
  const guint32 section = measures->current_section;

  note_place (&worst->get, get, TS_TALLY_GREATEST (instance->end - instance->start), instance, section);
  if (instance->flags & TS_INSTANCE_HAS_ACTIVATION)
    note_place (&worst->rt, rt, TS_TALLY_GREATEST (instance->end - instance->activation), instance, section);
  if (sum - 1 >= TS_TALLY_FULL)
    ts_measures_note_tally (measures, instance->element, sum);
}

static void
grow_wide (TsMeasures *measures)
{
  TsTallies *tallies = &measures->tallies, old = *tallies;
  gsize      n_bytes = ((gsize) tallies->n_room + 1) * sizeof (TsTallyWide);

  tallies->wide_memory = g_malloc0 (n_bytes);
  tallies->wide = ts_pages_first_line (tallies->wide_memory);
  tallies->n_wide = tallies->n_room;
  if (old.n_wide > 0)
    memcpy (tallies->wide, old.wide, old.n_wide * sizeof *old.wide);
  g_free (old.wide_memory);
  if (tallies->used_wide == NULL)
    tallies->used_wide = g_array_new (FALSE, FALSE, sizeof (guint32));
}

static inline TsTallyWide *
get_wide (TsMeasures *measures, guint32 element)
{
  if (G_UNLIKELY (element >= measures->tallies.n_wide))
    grow_wide (measures);
  return &measures->tallies.wide[element];
}

static inline gboolean
is_wide (guint64 value)
{
  return value + TS_TALLY_WIDE_BELOW < 2 * (guint64) TS_TALLY_WIDE_BELOW;
}

static gboolean
are_wide (const TsTallyValues *values, gboolean activated)
{
  if (!is_wide (values->gross) || !is_wide (values->running) || !is_wide (values->dt) || !is_wide (values->e2s))
    return FALSE;
  return !activated
         || (is_wide (values->pending) && is_wide (values->response) && is_wide (values->per) && is_wide (values->st));
}

/* A value that is not @present is 0. */
static inline void
add_wide (TsTallyWideOne *one, guint64 value, guint64 present)
{
  const guint64 bias = TS_TALLY_WIDE_BELOW & present;

  one->n += present & 1;
  one->sum += (gint64) value;
  one->least = MAX (one->least, (gint64) (bias - value));
  one->greatest = MAX (one->greatest, (gint64) (bias + value));
}

static inline void
add_wide_pair (TsTallyWideOne pair[2], guint64 first, guint64 second, const guint64 present[2])
{
  add_wide (&pair[0], first, present[0]);
  add_wide (&pair[1], second, present[1]);
}

/* Before @value is added. */
static inline void
note_wide_place (TsTallyPlace *place, const TsTallyWideOne *one, guint64 value, const TsInstance *instance,
                 guint32 section)
{
  note_place (place, one->greatest, TS_TALLY_WIDE_BELOW + (gint64) value, instance, section);
}

/* One that had @n_before. */
static inline void
note_wide (TsMeasures *measures, guint32 element, guint64 n_before)
{
  if (n_before == 0)
    g_array_append_val (measures->tallies.used_wide, element);
  else if (n_before >= TS_TALLY_WIDE_FULL)
    carry_wide (measures, element);
}

static gboolean
add_wide_instance (TsMeasures *measures, const TsInstance *instance)
{
  const gboolean activated = (instance->flags & TS_INSTANCE_HAS_ACTIVATION) != 0;
  TsTallyWide   *wide;
  TsTallyWideOne(*pairs)[2];
  TsTallyValues  values;
  guint64        n_before;

  if (!ts_tally_get_values (&values, instance, activated) || !are_wide (&values, activated))
    return FALSE;
  wide = get_wide (measures, instance->element);
  pairs = wide->pairs;
  n_before = pairs[TS_TALLY_CET_GET][0].n;
  note_wide_place (&wide->worst.get, &pairs[TS_TALLY_CET_GET][1], values.gross, instance,
                   measures->current_section);
  add_wide_pair (pairs[TS_TALLY_CET_GET], values.running, values.gross, ts_tally_present[3]);
  add_wide_pair (pairs[TS_TALLY_DT_E2S], values.dt, values.e2s, values.deltas);
  if (activated)
    {
      note_wide_place (&wide->worst.rt, &pairs[TS_TALLY_IPT_RT][1], values.response, instance,
                       measures->current_section);
      add_wide_pair (pairs[TS_TALLY_IPT_RT], values.pending, values.response, ts_tally_present[3]);
      add_wide_pair (pairs[TS_TALLY_PER_ST], values.per, values.st, values.periods);
    }
  note_wide (measures, instance->element, n_before);
  return TRUE;
}

static gboolean
add_wide_interval (TsMeasures *measures, const TsInterval *interval)
{
  const guint32   kind = interval->kind;
  TsTallyWideOne *one;

  if (!is_wide ((guint64) interval->value))
    return FALSE;
  one = &get_wide (measures, interval->element)->pairs[ts_tally_seats[kind].pair][ts_tally_seats[kind].which];
  add_wide (one, (guint64) interval->value, G_MAXUINT64);
  note_wide (measures, interval->element, one->n - 1);
  return TRUE;
}

void
ts_metrics_add_odd_instance (TsMeasures *measures, const TsInstance *instance)
{
  if (measures->tallies.rows == NULL || !add_wide_instance (measures, instance))
    ts_metrics_keep_instance (measures, instance);
}

void
ts_metrics_add_odd_interval (TsMeasures *measures, const TsInterval *interval)
{
  if (measures->tallies.rows == NULL || !add_wide_interval (measures, interval))
    ts_metrics_keep_interval (measures, interval);
}

void
ts_metrics_add_activated (TsMeasures *measures, const TsInstance *instance)
{
  if (!ts_measures_tally_instance (measures, instance, TRUE))
    ts_metrics_add_odd_instance (measures, instance);
}

void
ts_measures_add_waiting (TsMeasures *measures)
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
    ts_measures_add_waiting (measures);
}

void
ts_measures_carry_tallies (TsMeasures *measures)
{
  TsTallies *tallies = &measures->tallies;

  if (tallies->rows == NULL)
    return;
  ts_measures_add_waiting (measures);
  /* in order, if there are many: the report reads their accumulators as these lie */
  if (tallies->used->len >= measures->n_elements / 4)
    for (guint32 i = 0; i < measures->n_elements; i++)
      carry (measures, i);
  else
    for (guint i = 0; i < tallies->used->len; i++)
      carry (measures, g_array_index (tallies->used, guint32, i));
  g_array_set_size (tallies->used, 0);
  if (tallies->used_wide == NULL)
    return;
  for (guint i = 0; i < tallies->used_wide->len; i++)
    carry_wide (measures, g_array_index (tallies->used_wide, guint32, i));
  g_array_set_size (tallies->used_wide, 0);
}
