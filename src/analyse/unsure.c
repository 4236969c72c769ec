/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/life.h"

/* PER where forks may come to nothing. The unsure ones of an element are in a list; of what is sure between two of them it is
 * enough to know the first and the last activation. When the fate of one is known, two periods may be, too: that which
 * ends with it, and that which it was in the way of. */

#define FIRST_BITS 6

static inline guint32 *
slot_of (const TsUnsure *unsure, guint32 element, gint32 instance)
{
  return &unsure->slots[ts_instance_place (element, instance, unsure->shift)];
}

static void
put (TsUnsure *unsure, guint32 place)
{
  TsUnsureFork *fork = &unsure->forks[place];
  guint32      *slot = slot_of (unsure, fork->element, fork->instance);

  fork->next_indexed = *slot;
  *slot = place;
}

/* Where its chain refers to the fork; NULL: there is none. */
static guint32 *
find (const TsUnsure *unsure, guint32 element, gint32 instance)
{
  guint32 *link;

  if (unsure->slots == NULL)
    return NULL;
  link = slot_of (unsure, element, instance);
  while (*link != 0 && (unsure->forks[*link].instance != instance || unsure->forks[*link].element != element))
    link = &unsure->forks[*link].next_indexed;
  return *link != 0 ? link : NULL;
}

static void
grow (TsUnsure *unsure)
{
  const guint bits = unsure->slots != NULL ? 32 - unsure->shift + 1 : FIRST_BITS;

  unsure->shift = 32 - bits;
  unsure->forks = g_renew (TsUnsureFork, unsure->forks, (gsize) 1 << bits);
  g_free (unsure->slots);
  unsure->slots = g_new0 (guint32, (gsize) 1 << bits);
  /* none is free: all that were made are in use */
  for (guint32 i = 1; i <= unsure->n_made; i++)
    put (unsure, i);
}

void
ts_unsure_clear (TsUnsure *unsure)
{
  g_free (unsure->forks);
  g_free (unsure->slots);
  *unsure = (TsUnsure){ 0 };
}

/* A place for one more. */
static guint32
take_place (TsUnsure *unsure)
{
  const guint32 place = unsure->free;

  if (place != 0)
    {
      unsure->free = unsure->forks[place].next_indexed;
      return place;
    }
  if (unsure->slots == NULL || (unsure->n_made + 1) >> (32 - unsure->shift) != 0)
    grow (unsure);
  return ++unsure->n_made;
}

/* The latest one becomes one of many. */
static G_GNUC_NO_INLINE void
put_latest (TsTimeline *timeline)
{
  TsUnsure       *unsure = &timeline->unsure;
  TsElementState *state = ts_timeline_element (timeline, unsure->latest_element);
  const guint32   place = take_place (unsure), before = state->last_unsure;

  unsure->forks[place] = (TsUnsureFork){ .time = unsure->latest_time,
                                         .element = unsure->latest_element,
                                         .instance = unsure->latest_instance,
                                         .before = before };
  put (unsure, place);
  unsure->forks[before].behind = place;
  state->last_unsure = place;
}

void
ts_unsure_add (TsTimeline *timeline, const TsEvent *event)
{
  TsUnsure *unsure = &timeline->unsure;

  if (unsure->has_latest)
    put_latest (timeline);
  unsure->has_latest = TRUE;
  unsure->latest_element = event->element;
  unsure->latest_instance = event->instance;
  unsure->latest_time = event->time;
  unsure->n++;
}

static inline gboolean
is_latest (const TsUnsure *unsure, guint32 element, gint32 instance)
{
  return unsure->has_latest && unsure->latest_instance == instance && unsure->latest_element == element;
}

/* Takes the one that @link refers to out, but does not forget it yet. */
static TsUnsureFork *
take_out (TsUnsure *unsure, TsElementState *state, guint32 *link)
{
  const guint32 place = *link;
  TsUnsureFork *fork = &unsure->forks[place];

  *link = fork->next_indexed;
  fork->next_indexed = unsure->free;
  unsure->free = place;
  unsure->n--;
  if (fork->behind != 0)
    unsure->forks[fork->behind].before = fork->before;
  else
    state->last_unsure = fork->before;
  unsure->forks[fork->before].behind = fork->behind;
  return fork;
}

/* Sure activations follow the unsure fork @before, or whatever is sure: the first at @time, of the instance @number, and
 * the last at @last. Returns whether the one before them is known; if so, sets *per. */
static gboolean
append (TsTimeline *timeline, TsElementState *state, guint32 before, gint64 time, gint64 number, gint64 last,
        gint64 *per)
{
  TsUnsureFork *fork = before != 0 ? &timeline->unsure.forks[before] : NULL;
  gint64       *last_time = fork != NULL ? &fork->last_time : &state->last_activation;
  gboolean      is_known = fork != NULL ? fork->has_next : (state->known & TS_KNOWN_ACTIVATION) != 0;

  *per = time - *last_time;
  *last_time = last;
  if (fork == NULL)
    state->known |= TS_KNOWN_ACTIVATION;
  else if (!is_known)
    {
      fork->has_next = TRUE;
      fork->next_time = time;
      fork->next_number = number;
    }
  return is_known;
}

/* That of the instance which @fork was in the way of. */
static void
emit_next (TsTimeline *timeline, const TsUnsureFork *fork, gint64 per)
{
  if (ts_timeline_in_window (timeline, fork->next_time))
    ts_timeline_emit (timeline, TS_INTERVAL_PER, fork->element, per, fork->next_time, fork->next_number);
}

/* A fork at @time, behind the unsure one @before, was an activation: of @job, which tells its period if that is known; the
 * last one of what is sure behind it came at @last. */
static inline void
settle (TsTimeline *timeline, TsElementState *state, TsJob *job, guint32 before, gint64 time, gint64 last)
{
  gint64 per;

  job->facts.flags &= (guint16) ~(guint) (TS_INSTANCE_HAS_PER | TS_INSTANCE_COUNTS_PER);
  if (append (timeline, state, before, time, job->facts.number, last, &per))
    {
      job->facts.per = per;
      job->facts.flags |= (guint16) ts_life_per_flags (timeline, time);
    }
}

gboolean
ts_unsure_settle (TsTimeline *timeline, TsElementState *state, gint32 instance, TsJob *job)
{
  TsUnsure           *unsure = &timeline->unsure;
  guint32            *link;
  const TsUnsureFork *fork;

  if (is_latest (unsure, job->facts.element, instance))
    {
      unsure->has_latest = FALSE;
      unsure->n--;
      settle (timeline, state, job, state->last_unsure, unsure->latest_time, unsure->latest_time);
      return TRUE;
    }
  link = find (unsure, job->facts.element, instance);
  if (link == NULL)
    return FALSE;
  fork = take_out (unsure, state, link);
  settle (timeline, state, job, fork->before, fork->time, fork->has_next ? fork->last_time : fork->time);
  if (fork->has_next)
    emit_next (timeline, fork, fork->next_time - fork->time);
  return TRUE;
}

/* Its first sibling that waited is withdrawn: the next one is @distance behind. */
static void
move_first (TsUnsure *unsure, guint32 *link, guint distance)
{
  const guint32 place = *link;

  *link = unsure->forks[place].next_indexed;
  unsure->forks[place].instance += (gint32) distance;
  put (unsure, place);
}

/* The fork that @link refers to was none: what is sure behind it is next to what is before it. */
static void
drop (TsTimeline *timeline, TsElementState *state, guint32 *link)
{
  const TsUnsureFork *fork = take_out (&timeline->unsure, state, link);
  gint64              per;

  if (fork->has_next
      && append (timeline, state, fork->before, fork->next_time, fork->next_number, fork->last_time, &per))
    emit_next (timeline, fork, per);
}

void
ts_unsure_withdraw (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsUnsure *unsure = &timeline->unsure;
  guint32  *link;

  if (is_latest (unsure, event->element, event->instance))
    {
      unsure->has_latest = !(event->flags & TS_EVENT_DECIDES);
      unsure->n -= !unsure->has_latest;
      unsure->latest_instance += (gint32) event->owner_number;
      return;
    }
  link = find (unsure, event->element, event->instance);
  if (link == NULL)
    return;
  if (event->flags & TS_EVENT_DECIDES)
    drop (timeline, state, link);
  else
    move_first (unsure, link, event->owner_number);
}
