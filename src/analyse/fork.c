/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/life.h"

/* Siblings that were activated by a fork and have not started. */

/* For the siblings of a usual fork. */
#define PLACES_AT_ONCE 4u

guint ts_most_siblings = 16384;

static void
make_places (TsSiblings *siblings, guint n)
{
  siblings->memory = g_malloc (n * sizeof (TsSibling) + TS_CACHE_LINE);
  siblings->places = ts_pages_first_line (siblings->memory);
  siblings->mask = n - 1;
  for (guint i = 0; i < n; i++)
    siblings->places[i].element = TS_NO_ELEMENT;
}

void
ts_siblings_init (TsSiblings *siblings)
{
  *siblings = (TsSiblings){ NULL };
  make_places (siblings, TS_FIRST_SIBLINGS);
}

void
ts_siblings_clear (TsSiblings *siblings)
{
  g_free (siblings->memory);
  ts_waiting_clear (&siblings->waiting);
}

static void
grow (TsSiblings *siblings)
{
  const TsSiblings old = *siblings;

  make_places (siblings, 2 * (old.mask + 1));
  for (guint i = 0; i <= old.mask; i++)
    if (old.places[i].element != TS_NO_ELEMENT)
      *ts_sibling_place (siblings, (guint32) old.places[i].instance) = old.places[i];
  g_free (old.memory);
}

static void
activate_each (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsEvent each = *event;

  each.kind = TS_EVENT_ACTIVATION_CHAINED;
  each.owner_number = 0;
  for (guint i = 0; i <= event->owner_number; i++)
    {
      if (event->instance != TS_NO_INSTANCE)
        each.instance = (gint32) ((guint32) event->instance + i);
      ts_job_activate (timeline, state, &each);
    }
}

void
ts_job_fork (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  /* behind the siblings before them, where numbers do not tell that */
  if (!(event->flags & TS_EVENT_UNIQUE))
    ts_siblings_queue (timeline);
  timeline->section->n_events += event->owner_number;
  if (!(event->flags & TS_EVENT_WITHDRAWN))
    activate_each (timeline, state, event);
}

/* The one that may be in the ring; NULL: it is not there. */
static TsSibling *
find_near (const TsTimeline *timeline, guint32 element, gint32 instance)
{
  TsSibling *place = ts_sibling_place (&timeline->siblings, (guint32) instance);

  return place->element == element && place->instance == instance ? place : NULL;
}

/* Wherever it is. */
static TsSibling *
find (const TsTimeline *timeline, guint32 element, gint32 instance)
{
  TsSibling *place = find_near (timeline, element, instance);

  return place != NULL ? place : ts_waiting_find (&timeline->siblings.waiting, element, instance);
}

gboolean
ts_sibling_take (TsTimeline *timeline, guint32 element, gint32 instance, TsSibling *sibling)
{
  TsSibling *place = find_near (timeline, element, instance);

  if (place == NULL)
    return ts_waiting_take (&timeline->siblings.waiting, element, instance, sibling);
  *sibling = *place;
  place->element = TS_NO_ELEMENT;
  return TRUE;
}

gboolean
ts_sibling_waits (const TsTimeline *timeline, guint32 element, gint32 instance)
{
  return find (timeline, element, instance) != NULL;
}

static void
exchange (gint64 *per, gint64 *other)
{
  const gint64 held = *per;

  *per = *other;
  *other = held;
}

/* @job gets the period of the one with the number, which waits, and that of @job goes there. */
static void
exchange_periods (TsTimeline *timeline, TsJob *job, gint32 instance)
{
  const guint16 flags = TS_INSTANCE_HAS_PER | TS_INSTANCE_COUNTS_PER;
  TsSibling    *sibling = find (timeline, job->facts.element, instance);
  TsJob        *other;
  guint16       different;

  if (sibling != NULL)
    {
      exchange (&job->facts.per, &sibling->per);
      return;
    }
  other = ts_job_index_find (&timeline->index, job->facts.element, instance);
  if (other == NULL || other->state != TS_JOB_PENDING)
    return;
  exchange (&job->facts.per, &other->facts.per);
  /* the first activation of all has none */
  different = (job->facts.flags ^ other->facts.flags) & flags;
  job->facts.flags ^= different;
  other->facts.flags ^= different;
}

void
ts_fork_begin (TsTimeline *timeline, TsElementState *state, const TsEvent *event, TsJob *job)
{
  const gint32 first = event->instance - event->owner_number;

  if (timeline->unsure.n > 0 && ts_unsure_settle (timeline, state, first, job))
    return;
  if (event->owner_number > 0)
    exchange_periods (timeline, job, first);
}

void
ts_fork_withdraw (TsTimeline *timeline, TsElementState *state, const TsEvent *event, TsJob *job)
{
  ts_unsure_withdraw (timeline, state, event);
  if (event->owner_number > 0)
    exchange_periods (timeline, job, event->instance + event->owner_number);
}

TsJob *
ts_sibling_job (TsTimeline *timeline, const TsSibling *sibling)
{
  TsEvent event = { .time = sibling->time, .element = sibling->element, .instance = sibling->instance };

  ts_event_place (&event, sibling->line, ts_event_what (TS_EVENT_ACTIVATION_CHAINED, TS_EVENT_UNIQUE));
  return ts_job_make_pending (timeline, &event, sibling->per);
}

static void
queue_sibling (TsTimeline *timeline, const TsSibling *sibling)
{
  TsJob *job = ts_sibling_job (timeline, sibling);

  ts_unsure_settle (timeline, job->element, sibling->instance, job);
  ts_job_queue (job->element, job);
}

void
ts_sibling_queue (TsTimeline *timeline, guint32 element, gint32 instance)
{
  TsSibling sibling;

  if (ts_sibling_take (timeline, element, instance, &sibling))
    queue_sibling (timeline, &sibling);
}

/* Whoever is at @place waits elsewhere from now on. */
static inline void
make_wait (TsSiblings *siblings, TsSibling *place)
{
  if (place->element == TS_NO_ELEMENT)
    return;
  ts_waiting_put (&siblings->waiting, place);
  place->element = TS_NO_ELEMENT;
}

static void
make_all_wait (TsSiblings *siblings)
{
  guint32 n = MIN (siblings->end - siblings->begin, siblings->mask + 1);

  for (; n > 0; n--)
    make_wait (siblings, ts_sibling_place (siblings, siblings->end - n));
  siblings->begin = siblings->end;
}

void
ts_siblings_sort (TsTimeline *timeline)
{
  make_all_wait (&timeline->siblings);
  ts_waiting_sort (&timeline->siblings.waiting);
}

void
ts_siblings_queue_all (TsTimeline *timeline)
{
  TsWaiting *waiting = &timeline->siblings.waiting;

  ts_siblings_sort (timeline);
  for (guint i = 0; i < waiting->n; i++)
    queue_sibling (timeline, &waiting->places[i]);
  ts_waiting_clear (waiting);
}

/* Whether somebody waits where @n siblings from the number @first on go. */
static gboolean
are_in_the_way (const TsSiblings *siblings, guint32 first, guint32 n)
{
  for (guint32 i = 0; i < MIN (n, siblings->mask + 1); i++)
    if (ts_sibling_place (siblings, first + i)->element != TS_NO_ELEMENT)
      return TRUE;
  return FALSE;
}

/* Whatever is in the way of the siblings of @event, of which the first came @per after the activation before. */
static G_GNUC_NO_INLINE void
make_room_and_remember (TsTimeline *timeline, const TsEvent *event, gint64 per)
{
  TsSiblings   *siblings = &timeline->siblings;
  const guint32 first = (guint32) event->instance, n = event->owner_number + 1u;

  if (siblings->mask + 1 < ts_most_siblings && are_in_the_way (siblings, first, n))
    grow (siblings);
  if (first - siblings->end > siblings->mask)
    {
      make_all_wait (siblings);
      siblings->begin = siblings->end = first;
    }
  for (; siblings->end != first + n; siblings->end++)
    {
      TsSibling *place = ts_sibling_place (siblings, siblings->end);

      make_wait (siblings, place);
      if (siblings->end - first < n)
        *place = (TsSibling){ event->time, event->line, event->element, (gint32) siblings->end,
                              siblings->end == first ? per : 0 };
    }
}

/* Bits that make TS_NO_ELEMENT of any element if @place is not below @n, and that without a branch. */
static inline guint32
free_from (guint32 n, guint32 place)
{
  return 0u - (guint32) (place >= n);
}

G_STATIC_ASSERT (TS_NO_ELEMENT == G_MAXUINT32);
G_STATIC_ASSERT (PLACES_AT_ONCE == 4);

/* How many siblings there are is foreseen by nobody: so some places are written in any case, if all of them are free. */
static TS_ALWAYS_INLINE void
remember (TsTimeline *timeline, const TsEvent *event, gint64 per)
{
  TsSiblings   *siblings = &timeline->siblings;
  const guint32 first = (guint32) event->instance, n_more = event->owner_number;
  TsSibling    *places = ts_sibling_place (siblings, first);

  if (G_UNLIKELY (first != siblings->end || n_more >= PLACES_AT_ONCE
                  || (first & siblings->mask) > siblings->mask + 1 - PLACES_AT_ONCE
                  || (places[0].element & places[1].element & places[2].element & places[3].element)
                         != TS_NO_ELEMENT))
    {
      make_room_and_remember (timeline, event, per);
      return;
    }
#pragma GCC unroll 4
  for (guint32 i = 0; i < PLACES_AT_ONCE; i++)
    places[i] = (TsSibling){ event->time, event->line, event->element | free_from (n_more + 1, i),
                             (gint32) (first + i), i == 0 ? per : 0 };
  siblings->end = first + n_more + 1;
}

/* Whether the siblings of @event are numbered one after the other. */
static TS_ALWAYS_INLINE gboolean
are_numbered (const TsEvent *event)
{
  return event->instance != TS_NO_INSTANCE && event->instance <= G_MAXINT32 - event->owner_number;
}

/* The siblings of @event, of which the first came @per after the activation before. */
static TS_ALWAYS_INLINE void
fork_siblings (TsTimeline *timeline, TsElementState *state, const TsEvent *event, gint64 per)
{
  const gint32 first = event->instance, n_more = event->owner_number;

  timeline->section->n_events += (guint64) n_more;
  state->counts.activations += (guint64) n_more + 1;
  ts_life_note_number (state, first + n_more, FALSE);
  state->lowest_begun = MIN (state->lowest_begun, ts_number_rank (first));
  state->lowest_activated = MIN (state->lowest_activated, ts_number_rank (first));
  remember (timeline, event, per);
}

/* Apart, as its calls are. */
static G_GNUC_NO_INLINE void
fork_unsure (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  if (event->flags != (TS_EVENT_UNIQUE | TS_EVENT_UNSURE) || !are_numbered (event))
    {
      ts_job_fork (timeline, state, event);
      return;
    }
  ts_unsure_add (timeline, event);
  fork_siblings (timeline, state, event, 0);
}

void
ts_unique_fork (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  const gint64 per = event->time - state->last_activation;

  if (event->flags & TS_EVENT_UNSURE)
    fork_unsure (timeline, state, event);
  else if (G_UNLIKELY (event->flags != TS_EVENT_UNIQUE || !are_numbered (event) || !(state->known & TS_KNOWN_ACTIVATION)))
    ts_job_fork (timeline, state, event);
  else
    {
      state->last_activation = event->time;
      fork_siblings (timeline, state, event, per);
    }
}
