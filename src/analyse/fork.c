/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/life.h"

/* Siblings that were activated by a fork and have not started. */

/* For the siblings of a usual fork, and the numbers between them and the fork before. */
#define PLACES_AT_ONCE 4

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
  timeline->section->n_events += event->owner_number;
  activate_each (timeline, state, event);
}

TsJob *
ts_sibling_take (TsTimeline *timeline, TsSibling *place)
{
  TsEvent event = { .time = place->time, .element = place->element, .instance = place->instance };

  ts_event_place (&event, place->line, ts_event_what (TS_EVENT_ACTIVATION_CHAINED, TS_EVENT_UNIQUE));
  place->element = TS_NO_ELEMENT;
  return ts_job_make_pending (timeline, &event, place->per);
}

static void
queue_sibling (TsTimeline *timeline, TsSibling *place)
{
  TsJob *job = ts_sibling_take (timeline, place);

  ts_job_queue (job->element, job);
}

void
ts_siblings_queue_all (TsTimeline *timeline)
{
  TsSiblings *siblings = &timeline->siblings;
  guint32     n = MIN (siblings->end - siblings->begin, TS_N_SIBLINGS);

  for (; n > 0; n--)
    {
      TsSibling *place = ts_sibling_place (siblings, siblings->end - n);

      if (place->element != TS_NO_ELEMENT)
        queue_sibling (timeline, place);
    }
  siblings->begin = siblings->end;
}

/* remember(), whatever is in the way. */
static G_GNUC_NO_INLINE void
make_room_and_remember (TsTimeline *timeline, const TsSibling *first, guint32 n_more)
{
  TsSiblings   *siblings = &timeline->siblings;
  const guint32 number = (guint32) first->instance;

  if (number - siblings->end >= TS_N_SIBLINGS)
    {
      ts_siblings_queue_all (timeline);
      siblings->begin = siblings->end = number;
    }
  for (; siblings->end != number + n_more + 1; siblings->end++)
    {
      TsSibling *place = ts_sibling_place (siblings, siblings->end);

      if (place->element != TS_NO_ELEMENT)
        queue_sibling (timeline, place);
      if (siblings->end - number > n_more)
        continue;
      *place = *first;
      place->instance = (gint32) siblings->end;
      if (siblings->end != number)
        place->per = 0;
    }
}

/* Of @first, and so many more whose numbers follow. How many these are is foreseen by nobody: so a few places are
 * written in any case. */
static TS_ALWAYS_INLINE void
remember (TsTimeline *timeline, const TsSibling *first, guint32 n_more)
{
  TsSiblings   *siblings = &timeline->siblings;
  const guint32 end = siblings->end, skipped = (guint32) first->instance - end;
  guint32       free = TS_NO_ELEMENT;

#pragma GCC unroll 4
  for (guint32 i = 0; i < PLACES_AT_ONCE; i++)
    free &= ts_sibling_place (siblings, end + i)->element;
  if (G_UNLIKELY (free != TS_NO_ELEMENT || skipped >= PLACES_AT_ONCE || n_more >= PLACES_AT_ONCE - skipped))
    {
      make_room_and_remember (timeline, first, n_more);
      return;
    }
#pragma GCC unroll 4
  for (guint32 i = 0; i < PLACES_AT_ONCE; i++)
    {
      TsSibling *place = ts_sibling_place (siblings, end + i);

      place->time = first->time;
      place->line = first->line;
      place->element = i - skipped <= n_more ? first->element : TS_NO_ELEMENT;
      place->instance = (gint32) (end + i);
      place->per = i == skipped ? first->per : 0;
    }
  siblings->end = end + skipped + n_more + 1;
}

void
ts_unique_fork (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  const gint32    first = event->instance, n_more = event->owner_number;
  const TsSibling sibling
      = { event->time, event->line, event->element, first, event->time - state->last_activation };

  if (G_UNLIKELY (event->flags != TS_EVENT_UNIQUE || first == TS_NO_INSTANCE || first > G_MAXINT32 - n_more
                  || !(state->known & TS_KNOWN_ACTIVATION)))
    {
      ts_siblings_queue (timeline);
      ts_job_fork (timeline, state, event);
      return;
    }
  timeline->section->n_events += (guint64) n_more;
  state->last_activation = event->time;
  state->counts.activations += (guint64) n_more + 1;
  ts_life_note_number (state, first + n_more, FALSE);
  state->lowest_begun = MIN (state->lowest_begun, ts_number_rank (first));
  state->lowest_activated = MIN (state->lowest_activated, ts_number_rank (first));
  remember (timeline, &sibling, (guint32) n_more);
}
