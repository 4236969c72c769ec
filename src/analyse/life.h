/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include "analyse/core.h"
#include "analyse/index.h"
#include "analyse/owner.h"
#include "analyse/past.h"

G_BEGIN_DECLS

/* An instance from its activation to its publication: what most instances need, to be put where the class of the
 * element is known. The rest is in job.c. */

/* The rare parts of what is below. */
TsJob *ts_job_add_free (TsTimeline *timeline);
void   ts_job_emit_next_start (TsTimeline *timeline, const TsJob *job);
/* The same; @next is the one that started then, if it is still open, or NULL. */
void   ts_job_tell_next_start (TsTimeline *timeline, const TsJob *job, TsJob *next);
void   ts_job_emit_next_slack (TsTimeline *timeline, TsJob *job);
/* At @end it was over, or nothing more is known of it, and by then it had taken so long, or longer: see TsTimelineSink. */
void   ts_job_tell_unfinished (const TsTimeline *timeline, TsJob *job, gint64 end);
/* The activation that belongs to a start: the oldest, or the one with the same number (rule 3); it leaves the queue. */
TsJob *ts_job_take_pending (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
/* The same if it waits under another element: it was not known then which one would start. */
TsJob *ts_job_take_over (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
/* An open instance that is not the obvious one. */
TsJob *ts_job_find_further (TsTimeline *timeline, const TsElementState *state, const TsEvent *event);

/* chain.c: the activations of a task in their order */
void   ts_job_leave_activations (TsJob *job);
/* ts_life_lack_activation() where greater numbers than that of @job were seen: it may have been activated before them. */
void   ts_job_lack_activation (const TsTimeline *timeline, TsElementState *state, TsJob *job);
/* The same for a head; @highest is the highest number that was seen before. */
void   ts_job_chain_head (const TsTimeline *timeline, TsElementState *state, TsJob *job, gint32 highest,
                          gboolean since_begin);

G_STATIC_ASSERT (TS_JOB_PENDING == 0);
/* a few stores: of what is longer a compiler makes `rep stos', which takes longer than all the rest of a new job */
G_STATIC_ASSERT (offsetof (TsJob, caller) - offsetof (TsJob, facts.n_preemptions) == 32);
G_STATIC_ASSERT (offsetof (TsInstance, number) == sizeof (TsEvent));

/* What an event says of an instance is in the same places of both, so that this is two moves. Owner and flags are
 * still to be set. */
static inline void
ts_life_note_event (TsJob *job, const TsEvent *event)
{
  memcpy (&job->facts, event, sizeof *event);
}

/* Takes @job, which is the first free one and not the last, for a new instance. Its number, place, owner and flags are
 * still to be set, and what the class of its element has: `owner' and `caller' as it is nested (ts_core_nest()),
 * `next_activated' and `previous_activated' as it is activated or lacks that. */
static TS_ALWAYS_INLINE void
ts_life_make (TsTimeline *timeline, TsJob *job, TsElementState *state, const TsEvent *event)
{
  timeline->free_jobs = job->next;
  job->facts.preempted_closed = job->facts.preempted = job->facts.waiting = job->facts.running = 0;
  memset ((guint8 *) job + offsetof (TsJob, facts.n_preemptions), 0,
          offsetof (TsJob, caller) - offsetof (TsJob, facts.n_preemptions));
  ts_life_note_event (job, event);
  job->innermost = job;
  job->element = state;
}

static inline TsJob *
ts_life_new (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsJob *job = timeline->free_jobs;

  if (G_UNLIKELY (job->next == NULL))
    job = ts_job_add_free (timeline);
  ts_life_make (timeline, job, state, event);
  return job;
}

/* Gives @job back, to which nothing refers any more but the index. Who needs one finds at least one that is free. */
static inline void
ts_life_free (TsTimeline *timeline, TsJob *job)
{
  if (job->links & TS_JOB_IS_INDEXED)
    ts_job_index_remove (&timeline->index, job);
  job->next = timeline->free_jobs;
  timeline->free_jobs = job;
}

/* Whether the time since the activation before, at @time, is a sample, and known at all: flags. */
static TS_ALWAYS_INLINE guint
ts_life_per_flags (const TsTimeline *timeline, gint64 time)
{
  return ts_timeline_in_window (timeline, time) ? TS_INSTANCE_HAS_PER | TS_INSTANCE_COUNTS_PER : TS_INSTANCE_HAS_PER;
}

static inline void
ts_life_note_number (TsElementState *state, gint32 instance, gboolean begins)
{
  /* not the maximum: numbers mostly ascend, so that what is to be done can be foreseen */
  if (instance > state->highest_instance)
    state->highest_instance = instance;
  if (begins && G_UNLIKELY (ts_number_rank (instance) < state->lowest_begun))
    state->lowest_begun = ts_number_rank (instance);
}

/* Where there are many, whether @job is the first one, or the last, is foreseen by nobody: so there is no branch. */
static inline void
ts_life_unlink (TsJob **first, TsJob *job)
{
  TsJob  *next = job->next, *previous = job->previous, *nobody;
  TsJob **to_next = previous != NULL ? &previous->next : first;
  TsJob **to_previous = next != NULL ? &next->previous : &nobody;

  *to_next = next;
  *to_previous = previous;
}

/* The open instance that an event means, or NULL. */
static TS_ALWAYS_INLINE TsJob *
ts_life_find (TsTimeline *timeline, const TsElementState *state, const TsEvent *event, TsElementClass class)
{
  TsJob *job = state->open;

  if (job == NULL)
    return NULL;
  if (event->instance == TS_NO_INSTANCE)
    {
      if (class != TS_CLASS_NESTED
          || (job->next == NULL && ts_owner_is_named (job, event) && !ts_owner_is_head (timeline, event)))
        return job;
    }
  else if (event->flags & TS_EVENT_UNIQUE)
    {
      job = ts_job_index_find (&timeline->index, event->element, event->instance);
      return job != NULL && job->state != TS_JOB_PENDING ? job : NULL;
    }
  else if (job->facts.own_number == event->instance
           && (class != TS_CLASS_NESTED || ts_owner_is_named (job, event)))
    return job;
  return ts_job_find_further (timeline, state, event);
}

/* The open instance that ends here; NULL: there is none, or it ended earlier, or nobody knows when, and all is done. */
static TS_ALWAYS_INLINE TsJob *
ts_life_find_ending (TsTimeline *timeline, TsElementState *state, const TsEvent *event, TsElementClass class)
{
  TsJob *job = ts_life_find (timeline, state, event, class);

  if (G_UNLIKELY (job == NULL))
    ts_head_end (timeline, state, event);
  else if (G_UNLIKELY (event->flags & TS_EVENT_ENDED_EARLIER))
    {
      ts_job_close_earlier (timeline, job);
      job = NULL;
    }
  else if (G_UNLIKELY (event->flags & TS_EVENT_LOST))
    {
      ts_job_abandon (timeline, job, TS_STATUS_MISSING_END);
      job = NULL;
    }
  return job;
}

/* What of `known' is the end of the instance before: where E2S begins, and of what is no task ST, too. */
static inline guint
ts_life_known_end (gboolean is_task)
{
  return is_task ? TS_KNOWN_END : TS_KNOWN_END | TS_KNOWN_END_FOR_ST;
}

static inline void
ts_life_index (TsTimeline *timeline, TsJob *job, const TsEvent *event)
{
  if ((event->flags & TS_EVENT_UNIQUE) && !(job->links & TS_JOB_IS_INDEXED))
    ts_job_index_insert (&timeline->index, job);
}

/* @job becomes the one that was opened last, before @next, which was that until now. Where instances often @overlap, nobody
 * foresees whether there is one, nor which number is the highest: so neither is asked. */
static TS_ALWAYS_INLINE void
ts_life_push_open (TsTimeline *timeline, TsElementState *state, TsJob *job, TsJob *next, gboolean overlap)
{
  job->next = next;
  job->previous = NULL;
  state->open = job;
  if (overlap)
    {
      next = next != NULL ? next : &timeline->nobody;
      next->previous = job;
      job->highest_open = G_MAXINT32;
    }
  else if (next != NULL)
    {
      next->previous = job;
      job->highest_open = MAX (job->facts.own_number, next->next == NULL ? next->facts.own_number : next->highest_open);
    }
}

/* It gets its number, which is that of @event if that is its own. */
static TS_ALWAYS_INLINE void
ts_life_number (TsElementState *state, TsJob *job, const TsEvent *event, gboolean begins, gboolean is_task)
{
  job->facts.number = ++state->n_started;
  if (event->instance != TS_NO_INSTANCE)
    {
      if (ts_event_has_own_number (event, is_task))
        job->facts.number = event->instance;
      ts_life_note_number (state, event->instance, begins);
    }
  else
    state->has_unnumbered = TRUE;
}

/* What there is from the instance before: the flags of it. DT, ST and E2S may be anything without theirs. Where that
 * one often @overlaps with this one, nobody foresees whether it is still open: so somebody is always told. */
static TS_ALWAYS_INLINE guint
ts_life_chain_start (TsTimeline *timeline, TsElementState *state, TsJob *job, gint64 start, gboolean is_task,
                     gboolean overlaps)
{
  TsJob *last = state->last_started;
  guint  known = state->known;

  if (overlaps)
    last = last != NULL ? last : &timeline->nobody;

  /* unsigned, since what is not known may be far away */
  job->facts.dt = (gint64) ((guint64) start - (guint64) state->last_start);
  job->facts.e2s = (gint64) ((guint64) start - (guint64) state->last_end);
  if (!is_task)
    job->facts.st = job->facts.e2s;
  if (overlaps || G_UNLIKELY (last != NULL))
    {
      last->links |= TS_JOB_NEXT_START;
      last->next_start = start;
      last->next_start_number = job->facts.number;
    }
  state->known = (guint8) ((known | TS_KNOWN_START) & ~ts_life_known_end (is_task));
  state->last_start = start;
  state->last_started = job;
  return known & (TS_KNOWN_START | ts_life_known_end (is_task));
}

/* @job starts now; @flags: what there is of it so far. If it @is_unique, so is the number of @event, which was noted when
 * it was activated and is not its own. Whether it often @overlaps with others: see ts_life_push_open(). */
static TS_ALWAYS_INLINE void
ts_life_begin (TsTimeline *timeline, TsElementState *state, TsJob *job, TsJob *next, const TsEvent *event, guint flags,
               gboolean is_task, gboolean is_unique, gboolean overlaps)
{
  ts_life_push_open (timeline, state, job, next, overlaps);
  if (is_unique)
    job->facts.number = ++state->n_started;
  else
    ts_life_number (state, job, event, TRUE, is_task);
  flags |= ts_life_chain_start (timeline, state, job, event->time, is_task, overlaps) | TS_INSTANCE_HAS_START;
  if (ts_timeline_in_window (timeline, event->time))
    flags |= TS_INSTANCE_IN_WINDOW;
  job->facts.flags = (guint16) flags;
}

/* @job, which was pending, starts with @event. Returns the flags of what there is of it so far. */
static TS_ALWAYS_INLINE guint
ts_life_start_pending (TsJob *job, const TsEvent *event)
{
  guint        flags = job->facts.flags;
  const guint8 kind = (guint8) job->facts.activation_kind;

  ts_life_note_event (job, event);
  job->facts.activation_kind = kind;
  return flags;
}

/* Takes @job, from wherever it is, out of the queue of what is pending. Where that is is foreseen by nobody: so nothing
 * is asked but where to write. */
static inline void
ts_life_unqueue (TsElementState *state, TsJob *job)
{
  TsJob  *next = job->next, *previous = job->previous;
  TsJob **to_next = previous != NULL ? &previous->next : &state->pending;
  TsJob **to_previous = next != NULL ? &next->previous : &state->pending_last;

  *to_next = next;
  *to_previous = previous;
}

static inline void
ts_life_pop_pending (TsElementState *state)
{
  TsJob *next = state->pending->next;

  state->pending = next;
  if (next != NULL)
    next->previous = NULL;
  else
    state->pending_last = NULL;
}

/* An instance of a task without an activation: that between the instance before and this one is unknown, and so is the
 * slack. */
static inline void
ts_life_lack_activation (TsElementState *state, TsJob *job)
{
  job->next_activated = job->previous_activated = NULL;
  state->known &= (guint8) ~(guint) TS_KNOWN_END_FOR_ST;
  state->last_activated = job;
}

/* The job that has the number of @event, where no two of its element can, whatever became of it; otherwise NULL. */
static inline TsJob *
ts_life_find_unique (const TsTimeline *timeline, const TsElementState *state, const TsEvent *event)
{
  if (!(event->flags & TS_EVENT_UNIQUE) || (state->open == NULL && state->pending == NULL))
    return NULL;
  return ts_job_index_find (&timeline->index, event->element, event->instance);
}

/* The pending job that fits @event, no longer pending, or NULL; @unique is from ts_life_find_unique(). */
static TS_ALWAYS_INLINE TsJob *
ts_life_take_pending (TsTimeline *timeline, TsElementState *state, const TsEvent *event, TsJob *unique)
{
  if (G_UNLIKELY ((event->flags & TS_EVENT_FROM_OWNER) && event->owner < timeline->n_elements))
    return ts_job_take_over (timeline, state, event);
  if (!(event->flags & TS_EVENT_UNIQUE))
    return state->pending != NULL ? ts_job_take_pending (timeline, state, event) : NULL;
  if (unique == NULL || unique->state != TS_JOB_PENDING)
    return NULL;
  ts_life_unqueue (state, unique);
  return unique;
}

/* Starts the pending job that fits @event, or one whose activation is unknown. */
static TS_ALWAYS_INLINE TsJob *
ts_life_start (TsTimeline *timeline, TsElementState *state, const TsEvent *event, TsJob *unique, gboolean is_task)
{
  const gboolean may_be_first = !(state->known & TS_KNOWN_START);
  TsJob         *job = ts_life_take_pending (timeline, state, event, unique), *before;
  guint          flags = 0;

  if (job != NULL)
    flags = ts_life_start_pending (job, event);
  else
    {
      job = ts_life_new (timeline, state, event);
      if (is_task)
        {
          if (state->known & TS_KNOWN_ACTIVATION)
            ts_timeline_diagnose (timeline, TS_DIAGNOSTIC_NO_ACTIVATION, event->line, event->element);
          if (G_LIKELY (event->instance >= state->highest_instance))
            ts_life_lack_activation (state, job);
          else
            ts_job_lack_activation (timeline, state, job);
        }
    }
  ts_life_index (timeline, job, event);
  before = state->last_started;
  ts_life_begin (timeline, state, job, state->open, event, flags, is_task, FALSE, FALSE);
  if (may_be_first && state->row != TS_ROW_UNIQUE)
    ts_head_note_first_start (timeline, state, job, before);
  return job;
}

/* The same for the usual one: the oldest that is pending, a new one where none is, or the one with the number where no
 * two have it. But for the last, of an element of which none is open. NULL: it is not that simple, and nothing was done.
 * In this there is no call, so that those who use it, and have none either, need not save what they know. */
static TS_ALWAYS_INLINE TsJob *
ts_life_start_usual (TsTimeline *timeline, TsElementState *state, const TsEvent *event, TsElementClass class,
                     gboolean is_task)
{
  TsJob *job = state->pending;
  guint  flags = 0;

  /* the first one has more to say */
  if (G_UNLIKELY (!(state->known & TS_KNOWN_START)))
    return NULL;
  if (class != TS_CLASS_NESTED && (event->flags & TS_EVENT_UNIQUE))
    {
      job = ts_life_find_unique (timeline, state, event);
      if (job == NULL || job->state != TS_JOB_PENDING || (event->flags & (TS_EVENT_REPLACES | TS_EVENT_DECIDES))
          || ((event->flags & TS_EVENT_FROM_OWNER) && event->owner < timeline->n_elements))
        return NULL;
      ts_life_unqueue (state, job);
      flags = ts_life_start_pending (job, event);
      ts_life_begin (timeline, state, job, state->open, event, flags, is_task, FALSE, FALSE);
      return job;
    }
  if (state->open != NULL || (event->flags & (TS_EVENT_UNIQUE | TS_EVENT_FROM_OWNER)))
    return NULL;
  if (job != NULL)
    {
      if (class == TS_CLASS_NESTED || job->facts.own_number != event->instance)
        return NULL;
      ts_life_pop_pending (state);
      flags = ts_life_start_pending (job, event);
    }
  else
    {
      job = timeline->free_jobs;
      if (G_UNLIKELY (job->next == NULL) || (is_task && (state->known & TS_KNOWN_ACTIVATION)))
        return NULL;
      ts_life_make (timeline, job, state, event);
      if (is_task)
        ts_life_lack_activation (state, job);
    }
  ts_life_begin (timeline, state, job, NULL, event, flags, is_task, FALSE, FALSE);
  return job;
}

/* The instance after @job started before that ended. E2S of it is told with @job, if nobody asks whose that is, and
 * @job has none of its own. FALSE: it is still to be told. */
static TS_ALWAYS_INLINE gboolean
ts_life_join_next_start (const TsTimeline *timeline, TsJob *job)
{
  const guint known = TS_INSTANCE_HAS_START | TS_INSTANCE_IN_WINDOW;

  if (!timeline->options.joins_e2s || (job->facts.flags & (known | TS_INSTANCE_HAS_E2S)) != known
      || !ts_timeline_in_window (timeline, MAX (job->next_start, job->facts.end)))
    return FALSE;
  job->facts.e2s = job->next_start - job->facts.end;
  job->facts.flags |= TS_INSTANCE_HAS_E2S;
  return TRUE;
}

/* What the end of @job completes. */
static TS_ALWAYS_INLINE void
ts_life_chain_end (TsTimeline *timeline, TsElementState *state, TsJob *job, gboolean is_task)
{
  if (G_LIKELY (state->last_started == job))
    {
      state->known |= (guint8) ts_life_known_end (is_task);
      state->last_end = job->facts.end;
      state->last_started = NULL;
    }
  else if ((job->links & TS_JOB_NEXT_START) && !ts_life_join_next_start (timeline, job))
    ts_job_emit_next_start (timeline, job);

  if (!is_task)
    return;
  if (state->last_activated == job)
    {
      state->known |= TS_KNOWN_END_FOR_ST;
      state->last_end_for_st = job->facts.end;
      state->last_activated = NULL;
    }
  else if (job->links & TS_JOB_NEXT_ACTIVATION)
    ts_job_emit_next_slack (timeline, job);
  if (job->previous_activated != NULL || job->next_activated != NULL)
    ts_job_leave_activations (job);
}

/* Nobody can tell the end of @job from that of a head when it comes again, or from that of a lost start. Of what is no task only if
 * it was not activated in this section, as far as is known. */
static TS_ALWAYS_INLINE void
ts_life_note_ended (TsElementState *state, const TsJob *job, gboolean is_task)
{
  if (job->facts.own_number != TS_NO_INSTANCE
      && (is_task || job->is_head || !(job->facts.flags & TS_INSTANCE_HAS_ACTIVATION)))
    state->ended_numbers[state->n_ended_numbers++ % TS_ENDED_NUMBERS] = job->facts.own_number;
}

/* The number of the latest one that is noted; TS_NO_INSTANCE: there is none. */
static inline gint32
ts_life_latest_ended (const TsElementState *state)
{
  return state->ended_numbers[(state->n_ended_numbers - 1u) % TS_ENDED_NUMBERS];
}

/* What of the facts of @job is known at last. */
static TS_ALWAYS_INLINE void
ts_life_complete (TsTimeline *timeline, const TsElementState *state, TsJob *job, TsInstanceStatus status, guint flags)
{
  TsInstance *facts = &job->facts;

  facts->status = (guint8) status;
  facts->section = timeline->section->number;
  facts->self = facts->running - job->callees_running;
  facts->flags |= (guint16) (flags | state->no_cet);
}

static inline void
ts_life_publish (TsTimeline *timeline, const TsElementState *state, TsJob *job, TsInstanceStatus status, guint flags)
{
  if (G_UNLIKELY (!ts_core_has_told (state, job->facts.resource)))
    ts_core_tell (timeline, job);
  ts_life_complete (timeline, state, job, status, flags);
  timeline->sink.instance (timeline->sink_data, &job->facts);
}

/* Publishes @job, which has left its core. */
static TS_ALWAYS_INLINE void
ts_life_close (TsTimeline *timeline, TsElementState *state, TsJob *job, gint64 end, gboolean is_task)
{
  TsInstanceStatus status = TS_STATUS_COMPLETE;

  job->facts.end = end;
  ts_life_unlink (&state->open, job);
  ts_life_chain_end (timeline, state, job, is_task);
  state->n_ended++;
  ts_life_note_ended (state, job, is_task);
  if (G_UNLIKELY (job->is_head))
    {
      if (state->has_first_start)
        ts_head_tell_first_start (timeline, state, job);
      ts_past_forget (timeline->past, job);
      status = TS_STATUS_PARTIAL_HEAD;
      state->counts.partial_head++;
      state->counts.complete--; /* as all that end are counted to it */
    }
  if (G_UNLIKELY (job->state == TS_JOB_FROZEN))
    state->n_frozen--;
  ts_life_publish (timeline, state, job, status, TS_INSTANCE_HAS_END);
  if (G_UNLIKELY (status == TS_STATUS_PARTIAL_HEAD))
    ts_job_tell_unfinished (timeline, job, end);
  ts_life_free (timeline, job);
}

/* Whether @job, the first that is open, ends with @event, and that completes nothing but what is known of its element,
 * and tells nothing but itself: then it may be closed with the next one. */
static TS_ALWAYS_INLINE gboolean
ts_life_ends_usually (const TsElementState *state, const TsJob *job, const TsEvent *event, gboolean is_task)
{
  return !(event->flags & (TS_EVENT_UNIQUE | TS_EVENT_ENDED_EARLIER | TS_EVENT_LOST))
         && job->facts.own_number == event->instance && ts_job_is_plain (job) && state->last_started == job
         && ts_core_has_told (state, job->facts.resource)
         && (!is_task || (state->last_activated == job && job->previous_activated == NULL));
}

/* ts_life_close() of a @job that ran plainly where that was told, and is not indexed any more. */
static TS_ALWAYS_INLINE void
ts_life_close_plain (TsTimeline *timeline, TsElementState *state, TsJob *job, gint64 end, gboolean is_task)
{
  job->facts.end = end;
  ts_life_unlink (&state->open, job);
  ts_life_chain_end (timeline, state, job, is_task);
  state->n_ended++;
  ts_life_note_ended (state, job, is_task);
  ts_life_complete (timeline, state, job, TS_STATUS_COMPLETE, TS_INSTANCE_HAS_END);
  job->next = timeline->free_jobs;
  timeline->free_jobs = job;
  timeline->sink.instance (timeline->sink_data, &job->facts);
}

/* ts_life_close() of such a @job, the first of those that are open. The one call is the last thing that is done, see
 * ts_life_start_usual(); who is told may look at @job, but at nobody else. */
static TS_ALWAYS_INLINE void
ts_life_close_usual (TsTimeline *timeline, TsElementState *state, TsJob *job, gint64 end, gboolean is_task)
{
  TsJob *next = job->next;

  job->facts.end = end;
  state->open = next;
  if (next != NULL)
    next->previous = NULL;
  state->known |= (guint8) (ts_life_known_end (is_task) | (is_task ? TS_KNOWN_END_FOR_ST : 0));
  state->last_end = end;
  state->last_started = NULL;
  if (is_task)
    {
      state->last_end_for_st = end;
      state->last_activated = NULL;
    }
  state->n_ended++;
  ts_life_note_ended (state, job, is_task);
  ts_life_complete (timeline, state, job, TS_STATUS_COMPLETE, TS_INSTANCE_HAS_END);
  job->next = timeline->free_jobs;
  timeline->free_jobs = job;
  timeline->sink.instance (timeline->sink_data, &job->facts);
}

G_END_DECLS
