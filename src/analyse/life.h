/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include "analyse/core.h"

G_BEGIN_DECLS

/* An instance from its activation to its publication: what most instances need, to be put where the class of the
 * element is known. The rest is in job.c. */

/* The rare parts of what is below. */
TsJob *ts_job_add_free (TsTimeline *timeline);
void   ts_job_leave_activations (TsJob *job);
void   ts_job_emit_next_start (TsTimeline *timeline, const TsJob *job);
void   ts_job_emit_next_slack (TsTimeline *timeline, TsJob *job);
/* The activation that belongs to a start: the oldest, or the one with the same number (rule 3); it leaves the queue. */
TsJob *ts_job_take_pending (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
/* The same if it waits under another element: it was not known then which one would start. */
TsJob *ts_job_take_over (TsTimeline *timeline, TsElementState *state, const TsEvent *event);
/* An open instance that is not the obvious one. */
TsJob *ts_job_find_further (TsTimeline *timeline, const TsElementState *state, const TsEvent *event);

G_STATIC_ASSERT (TS_JOB_PENDING == 0);
/* a few stores: of what is longer a compiler makes `rep stos', which takes longer than all the rest of a new job */
G_STATIC_ASSERT (offsetof (TsJob, element) - offsetof (TsJob, owner) <= 64);

/* Its number, place and flags are still to be set. */
static TS_ALWAYS_INLINE TsJob *
ts_life_new (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsJob *job = timeline->free_jobs;

  if (G_UNLIKELY (job == NULL))
    job = ts_job_add_free (timeline);
  timeline->free_jobs = job->next;
  memset ((guint8 *) job + offsetof (TsJob, owner), 0, offsetof (TsJob, element) - offsetof (TsJob, owner));
  job->innermost = job;
  job->element = state;
  job->instance = event->instance;
  job->facts.line = event->line;
  job->facts.element = event->element;
  job->facts.owner = TS_NO_ELEMENT;
  job->facts.activation_kind = 0;
  job->facts.running = job->facts.preempted = job->facts.waiting = job->facts.preempted_closed = 0;
  job->facts.n_preemptions = 0;
  return job;
}

/* Gives @job back, to which nothing refers any more but the index. */
static inline void
ts_life_free (TsTimeline *timeline, TsJob *job)
{
  if (job->is_indexed)
    ts_job_index_remove (&timeline->index, job);
  job->next = timeline->free_jobs;
  timeline->free_jobs = job;
}

static inline void
ts_life_note_number (TsElementState *state, gint32 instance, gboolean begins)
{
  state->highest_instance = MAX (state->highest_instance, instance);
  if (begins)
    state->lowest_begun = MIN (state->lowest_begun, instance);
}

static inline void
ts_life_unlink (TsJob **first, TsJob *job)
{
  TsJob *next = job->next, *previous = job->previous;

  if (previous != NULL)
    previous->next = next;
  else
    *first = next;
  if (next != NULL)
    next->previous = previous;
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
      if (class != TS_CLASS_NESTED || (job->next == NULL && !ts_owner_is_head (timeline, event)))
        return job;
    }
  else if (event->flags & TS_EVENT_UNIQUE)
    {
      job = ts_job_index_find (&timeline->index, event->element, event->instance);
      return job != NULL && job->state != TS_JOB_PENDING ? job : NULL;
    }
  else if (job->instance == event->instance
           && (class != TS_CLASS_NESTED || event->owner == TS_NO_ELEMENT
               || (job->facts.owner == event->owner && job->owner_number == event->owner_number)))
    return job;
  return ts_job_find_further (timeline, state, event);
}

/* The open instance that ends here; NULL: there is none, or it ended earlier, and all is done. */
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
  return job;
}

/* @job becomes the one that was opened last. It is still to be placed. */
static TS_ALWAYS_INLINE void
ts_life_open (TsTimeline *timeline, TsElementState *state, TsJob *job, const TsEvent *event, gboolean begins)
{
  TsJob *next = state->open;

  job->next = next;
  job->previous = NULL;
  if (next != NULL)
    next->previous = job;
  state->open = job;
  if ((event->flags & TS_EVENT_UNIQUE) && !job->is_indexed)
    ts_job_index_insert (&timeline->index, job);
  state->n_started++;
  if (event->instance != TS_NO_INSTANCE)
    {
      job->facts.number = event->instance;
      ts_life_note_number (state, event->instance, begins);
    }
  else
    {
      job->facts.number = state->n_started;
      state->has_unnumbered = TRUE;
    }
}

/* What there is from the instance before: the flags of it. DT, ST and E2S may be anything without theirs. */
static TS_ALWAYS_INLINE guint
ts_life_chain_start (TsElementState *state, TsJob *job, gboolean is_task)
{
  guint known = state->known, flags = known & (TS_KNOWN_START | TS_KNOWN_END);

  /* unsigned, since what is not known may be far away */
  job->facts.dt = (gint64) ((guint64) job->facts.start - (guint64) state->last_start);
  job->facts.e2s = (gint64) ((guint64) job->facts.start - (guint64) state->last_end);
  if (!is_task)
    {
      G_STATIC_ASSERT (TS_INSTANCE_HAS_ST == TS_INSTANCE_HAS_E2S >> 1);
      job->facts.st = job->facts.e2s;
      flags |= (flags & TS_INSTANCE_HAS_E2S) >> 1;
    }
  if (!(known & TS_KNOWN_END) && state->last_started != NULL)
    {
      state->last_started->has_next_start = TRUE;
      state->last_started->next_start = job->facts.start;
      state->last_started->next_start_number = job->facts.number;
    }
  state->known = (guint8) ((known | TS_KNOWN_START) & ~(guint) TS_KNOWN_END);
  state->last_start = job->facts.start;
  state->last_started = job;
  return flags;
}

/* ts_job_take_pending(), which is mostly the oldest one. */
static TS_ALWAYS_INLINE TsJob *
ts_life_take_pending (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsJob *job = state->pending, *next = job->next;

  if ((event->flags & TS_EVENT_UNIQUE) || (event->instance != TS_NO_INSTANCE && job->instance != event->instance))
    return ts_job_take_pending (timeline, state, event);
  state->pending = next;
  if (next != NULL)
    next->previous = NULL;
  else
    state->pending_last = NULL;
  return job;
}

/* Starts the pending job that fits @event, or one whose activation is unknown. */
static TS_ALWAYS_INLINE TsJob *
ts_life_start (TsTimeline *timeline, TsElementState *state, const TsEvent *event, gboolean is_task)
{
  TsJob *job = NULL;
  guint  flags = TS_INSTANCE_HAS_START;

  if (G_UNLIKELY ((event->flags & TS_EVENT_FROM_OWNER) && event->owner < timeline->n_elements))
    job = ts_job_take_over (timeline, state, event);
  else if (state->pending != NULL)
    job = ts_life_take_pending (timeline, state, event);

  if (job != NULL)
    {
      flags |= job->facts.flags;
      job->instance = event->instance;
      job->facts.line = event->line;
    }
  else
    {
      job = ts_life_new (timeline, state, event);
      if (is_task)
        {
          if (state->known & TS_KNOWN_ACTIVATION)
            ts_diagnostics_add (timeline->diagnostics, TS_DIAGNOSTIC_NO_ACTIVATION, event->line, NULL);
          /* the activation between the instance before and this one is unknown, and so is the slack */
          state->known &= (guint8) ~(guint) TS_KNOWN_END_FOR_ST;
          state->last_activated = job;
        }
    }
  ts_life_open (timeline, state, job, event, TRUE);
  job->facts.start = event->time;
  flags |= ts_life_chain_start (state, job, is_task);
  if (ts_timeline_in_window (timeline, event->time))
    flags |= TS_INSTANCE_IN_WINDOW;
  job->facts.flags = (guint16) flags;
  return job;
}

/* What the end of @job completes. */
static TS_ALWAYS_INLINE void
ts_life_chain_end (TsTimeline *timeline, TsElementState *state, TsJob *job, gboolean is_task)
{
  if (G_LIKELY (state->last_started == job))
    {
      state->known |= TS_KNOWN_END;
      state->last_end = job->facts.end;
      state->last_started = NULL;
    }
  else if (job->has_next_start)
    ts_job_emit_next_start (timeline, job);

  if (!is_task)
    return;
  if (state->last_activated == job)
    {
      state->known |= TS_KNOWN_END_FOR_ST;
      state->last_end_for_st = job->facts.end;
      state->last_activated = NULL;
    }
  else if (job->has_next_activation)
    ts_job_emit_next_slack (timeline, job);
  if (job->previous_activated != NULL || job->next_activated != NULL)
    ts_job_leave_activations (job);
}

static TS_ALWAYS_INLINE void
ts_life_publish (TsTimeline *timeline, const TsElementState *state, TsJob *job, TsInstanceStatus status, guint flags)
{
  TsInstance *facts = &job->facts;

  G_STATIC_ASSERT (TS_INSTANCE_NO_CET == 1 << 8);
  facts->status = (guint8) status;
  facts->section = timeline->section->number;
  facts->self = facts->running - job->callees_running;
  facts->flags |= (guint16) (flags | (guint) state->is_idle << 8);
  timeline->sink.instance (timeline->sink_data, facts);
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
  if (job->instance != TS_NO_INSTANCE && (job->is_head || !(job->facts.flags & TS_INSTANCE_HAS_ACTIVATION)))
    /* nobody can tell this end from that of a head when it comes again */
    state->ended_heads[state->n_ended_heads++ % TS_ENDED_HEADS] = job->instance;
  if (G_UNLIKELY (job->is_head))
    {
      status = TS_STATUS_PARTIAL_HEAD;
      state->counts.partial_head++;
      state->counts.complete--; /* as all that end are counted to it */
    }
  if (G_UNLIKELY (job->state == TS_JOB_FROZEN))
    state->n_frozen--;
  ts_life_publish (timeline, state, job, status, TS_INSTANCE_HAS_END);
  ts_life_free (timeline, job);
}

G_END_DECLS
