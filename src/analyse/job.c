/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "analyse/job.h"

/* An instance from its activation to its publication, and the chains from one instance
 * of an element to the next: DT, PER, ST, E2S. */

#define JOBS_A_BLOCK 64

static G_GNUC_NO_INLINE void
add_free_jobs (TsTimeline *timeline)
{
  TsJob *block = g_new0 (TsJob, JOBS_A_BLOCK);

  g_ptr_array_add (timeline->job_blocks, block);
  for (guint i = 0; i < JOBS_A_BLOCK; i++)
    {
      block[i].next = timeline->free_jobs;
      timeline->free_jobs = &block[i];
    }
}

/* In two parts, each of which is a few stores: of one this long a compiler makes `rep stos', which takes longer than
 * all the rest of what a new job needs. */
#define FIRST_PART 64

G_STATIC_ASSERT (TS_JOB_PENDING == 0);
G_STATIC_ASSERT (offsetof (TsJob, element) - FIRST_PART <= 64);

/* Its number and place are still to be set. */
static inline TsJob *
new_job (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsJob *job;

  if (G_UNLIKELY (timeline->free_jobs == NULL))
    add_free_jobs (timeline);
  job = timeline->free_jobs;
  timeline->free_jobs = job->next;
  memset (job, 0, FIRST_PART);
  memset ((guint8 *) job + FIRST_PART, 0, offsetof (TsJob, element) - FIRST_PART);
  job->element = state;
  job->instance = event->instance;
  job->facts.line = event->line;
  job->facts.element = event->element;
  job->facts.owner = TS_NO_ELEMENT;
  job->facts.flags = 0;
  job->facts.activation_kind = 0;
  job->facts.running = job->facts.preempted = job->facts.waiting = 0;
  job->facts.preempted_closed = 0;
  job->facts.n_preemptions = 0;
  return job;
}

void
ts_job_refer_all (TsTimeline *timeline)
{
  for (guint i = 0; i < timeline->job_blocks->len; i++)
    for (guint k = 0; k < JOBS_A_BLOCK; k++)
      {
        TsJob *job = &((TsJob *) g_ptr_array_index (timeline->job_blocks, i))[k];

        /* those that are free refer to what they were; that may stay */
        job->element = ts_timeline_element (timeline, job->facts.element);
        ts_job_place (timeline, job, job->facts.resource);
      }
}

static void
leave_activations (TsJob *job)
{
  if (job->previous_activated != NULL)
    {
      job->previous_activated->next_activated = NULL;
      job->previous_activated->next_activation_number = job->facts.number;
    }
  if (job->next_activated != NULL)
    job->next_activated->previous_activated = NULL;
}

static inline void
free_job (TsTimeline *timeline, TsJob *job)
{
  TsElementState *state = job->element;

  if (job->state == TS_JOB_FROZEN)
    state->n_frozen--;
  if (state->last_started == job)
    state->last_started = NULL;
  if (state->last_activated == job)
    state->last_activated = NULL;
  if (job->previous_activated != NULL || job->next_activated != NULL)
    leave_activations (job);
  if (job->is_indexed)
    ts_job_index_remove (&timeline->index, job);
  job->next = timeline->free_jobs;
  timeline->free_jobs = job;
}

/* A sample of an interval belongs to the window that contains the later of its two events. */
static inline void
emit_chain (TsTimeline *timeline, TsIntervalKind kind, guint32 element, gint64 value, gint64 at, gint64 number)
{
  if (ts_timeline_in_window (timeline, value < 0 ? at - value : at))
    ts_timeline_emit (timeline, kind, element, value, at, number);
}

/* The slack before @job. */
static void
set_slack (TsTimeline *timeline, TsJob *job, gint64 slack)
{
  gint64 later = slack < 0 ? job->facts.activation - slack : job->facts.activation;

  job->facts.st = slack;
  job->facts.flags |= TS_INSTANCE_HAS_ST;
  if (ts_timeline_in_window (timeline, later))
    job->facts.flags |= TS_INSTANCE_COUNTS_ST;
}

static void
note_number (TsElementState *state, gint32 instance, gboolean begins)
{
  if (instance == TS_NO_INSTANCE)
    return;
  state->highest_instance = MAX (state->highest_instance, instance);
  if (begins)
    state->lowest_begun = MIN (state->lowest_begun, instance);
}

void
ts_job_activate (TsTimeline *timeline, const TsEvent *event)
{
  TsElementState *state = ts_timeline_element (timeline, event->element);
  TsJob          *job = new_job (timeline, state, event);

  job->facts.activation = event->time;
  job->facts.activation_kind = (guint8) event->kind;
  job->facts.flags = TS_INSTANCE_HAS_ACTIVATION;
  job->facts.resource = TS_NO_RESOURCE;
  job->facts.number = 0;
  if (event->flags & TS_EVENT_UNIQUE)
    ts_job_index_insert (&timeline->index, job);
  job->previous = state->pending_last;
  if (state->pending == NULL)
    state->pending = job;
  else
    state->pending_last->next = job;
  state->pending_last = job;
  state->counts.activations++;
  note_number (state, event->instance, TRUE);
  if (event->instance != TS_NO_INSTANCE)
    state->lowest_activated = MIN (state->lowest_activated, event->instance);

  if (state->has_last_activation)
    {
      job->facts.per = event->time - state->last_activation;
      job->facts.flags |= TS_INSTANCE_HAS_PER;
      if (ts_timeline_in_window (timeline, event->time))
        job->facts.flags |= TS_INSTANCE_COUNTS_PER;
    }
  state->has_last_activation = TRUE;
  state->last_activation = event->time;

  if (state->has_last_end_for_st)
    set_slack (timeline, job, event->time - state->last_end_for_st);
  else if (state->last_activated != NULL)
    {
      TsJob *last = state->last_activated;

      last->has_next_activation = TRUE;
      last->next_activation = event->time;
      last->next_activated = job;
      job->previous_activated = last;
    }
  state->has_last_end_for_st = FALSE;
  state->last_activated = job;
}

static inline void
unlink_job (TsJob **first, TsJob *job)
{
  if (job->previous != NULL)
    job->previous->next = job->next;
  else
    *first = job->next;
  if (job->next != NULL)
    job->next->previous = job->previous;
}

static TsJob *
take_any_pending (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  gint32 instance = event->instance;
  TsJob *job = state->pending;

  if (event->flags & TS_EVENT_UNIQUE)
    job = ts_job_index_find (&timeline->index, job->facts.element, instance);
  else
    while (job != NULL && instance != TS_NO_INSTANCE && job->instance != TS_NO_INSTANCE && job->instance != instance)
      job = job->next;
  if (job == NULL || job->state != TS_JOB_PENDING)
    return NULL;
  if (state->pending_last == job)
    state->pending_last = job->previous;
  unlink_job (&state->pending, job);
  return job;
}

/* The activation that belongs to a start: the oldest, or the one with the same number (rule 3). */
static inline TsJob *
take_pending (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  return state->pending != NULL ? take_any_pending (timeline, state, event) : NULL;
}

gboolean
ts_job_is_pending (const TsElementState *state, const TsEvent *event)
{
  if (event->instance == TS_NO_INSTANCE)
    return FALSE;
  for (const TsJob *job = state->pending; job != NULL; job = job->next)
    if (job->instance == event->instance)
      return TRUE;
  return FALSE;
}

/* Of an activation that never becomes an instance. */
static void
emit_activation_samples (TsTimeline *timeline, const TsJob *job)
{
  const TsInstance *facts = &job->facts;

  if (facts->flags & TS_INSTANCE_COUNTS_PER)
    ts_timeline_emit (timeline, TS_INTERVAL_PER, facts->element, facts->per, facts->activation, facts->number);
  if (facts->flags & TS_INSTANCE_COUNTS_ST)
    ts_timeline_emit (timeline, TS_INTERVAL_ST, facts->element, facts->st, facts->activation, facts->number);
}

static inline void
open_job (TsTimeline *timeline, TsElementState *state, TsJob *job, const TsEvent *event)
{
  job->next = state->open;
  job->previous = NULL;
  if (job->next != NULL)
    job->next->previous = job;
  state->open = job;
  if ((event->flags & TS_EVENT_UNIQUE) && !job->is_indexed)
    ts_job_index_insert (&timeline->index, job);
  ts_job_place (timeline, job, event->resource);
  state->n_started++;
  if (event->instance != TS_NO_INSTANCE)
    {
      job->facts.number = event->instance;
      note_number (state, event->instance, event->kind == TS_EVENT_START);
    }
  else
    {
      job->facts.number = state->n_started;
      state->has_unnumbered = TRUE;
    }
}

/* The flags of what there is. */
static inline guint
chain_start (TsElementState *state, TsJob *job)
{
  guint flags = 0;

  if (state->has_last_start)
    {
      job->facts.dt = job->facts.start - state->last_start;
      flags |= TS_INSTANCE_HAS_DT;
    }
  if (state->has_last_end)
    {
      job->facts.e2s = job->facts.start - state->last_end;
      flags |= TS_INSTANCE_HAS_E2S;
    }
  else if (state->last_started != NULL)
    {
      state->last_started->has_next_start = TRUE;
      state->last_started->next_start = job->facts.start;
      state->last_started->next_start_number = job->facts.number;
    }
  state->has_last_start = TRUE;
  state->last_start = job->facts.start;
  state->has_last_end = FALSE;
  state->last_started = job;
  return flags;
}

/* Cuts @job out of the chain of activations of its element. */
static void
unchain_activation (TsElementState *state, TsJob *job)
{
  if (state->last_activated == job)
    state->last_activated = NULL;
  if (job->previous_activated != NULL)
    {
      job->previous_activated->has_next_activation = FALSE;
      job->previous_activated->next_activated = NULL;
    }
  if (job->next_activated != NULL)
    job->next_activated->previous_activated = NULL;
  job->next_activated = job->previous_activated = NULL;
  job->has_next_activation = FALSE;
  job->facts.flags &= (guint16) ~(TS_INSTANCE_HAS_PER | TS_INSTANCE_HAS_ST | TS_INSTANCE_COUNTS_PER
                                  | TS_INSTANCE_COUNTS_ST);
}

/* The activation waits under another element: it was not known then which one would start. */
static TsJob *
take_over (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsElementState *owner = ts_timeline_element (timeline, event->owner);
  TsJob          *job = take_pending (timeline, owner, event);

  if (job == NULL)
    return NULL;
  if (job->is_indexed)
    ts_job_index_remove (&timeline->index, job);
  unchain_activation (owner, job);
  owner->counts.activations--;
  state->counts.activations++;
  job->element = state;
  job->facts.element = event->element;
  return job;
}

void
ts_job_withdraw (TsTimeline *timeline, const TsEvent *event)
{
  TsElementState *state = ts_timeline_element (timeline, event->element);
  TsJob          *job = event->flags & TS_EVENT_WITHDRAWN ? take_pending (timeline, state, event) : NULL;

  if (job == NULL)
    return;
  state->counts.activations--;
  unchain_activation (state, job);
  free_job (timeline, job);
}

TsJob *
ts_job_start (TsTimeline *timeline, const TsEvent *event)
{
  TsElementState *state = ts_timeline_element (timeline, event->element);
  gboolean        takes_over = (event->flags & TS_EVENT_FROM_OWNER) && event->owner < timeline->n_elements;
  TsJob          *job = takes_over ? take_over (timeline, state, event) : take_pending (timeline, state, event);
  guint           flags;

  if (job != NULL)
    {
      job->instance = event->instance;
      job->facts.line = event->line;
    }
  else
    {
      job = new_job (timeline, state, event);
      if (state->has_last_activation && state->is_task)
        ts_diagnostics_add (timeline->diagnostics, TS_DIAGNOSTIC_NO_ACTIVATION, event->line, NULL);
      /* the activation between the instance before and this one is unknown, and so is the slack */
      state->has_last_end_for_st = FALSE;
      state->last_activated = job;
    }
  open_job (timeline, state, job, event);
  job->facts.start = event->time;
  flags = TS_INSTANCE_HAS_START | chain_start (state, job);
  if (ts_timeline_in_window (timeline, event->time))
    flags |= TS_INSTANCE_IN_WINDOW;
  job->facts.flags |= (guint16) flags;
  state->counts.starts++;
  return job;
}

TsJob *
ts_job_start_activated (TsTimeline *timeline, const TsEvent *event)
{
  TsElementState *state = ts_timeline_element (timeline, event->element);
  TsJob          *job = take_pending (timeline, state, event);

  ts_diagnostics_add (timeline->diagnostics, TS_DIAGNOSTIC_MISSING_START, event->line, NULL);
  job->instance = event->instance;
  job->facts.line = event->line;
  open_job (timeline, state, job, event);
  job->is_head = TRUE;
  job->facts.start = event->time;
  if (ts_timeline_in_window (timeline, event->time))
    job->facts.flags |= TS_INSTANCE_IN_WINDOW;
  return job;
}

/* Of several heads, the one with the highest number was activated and started last, whoever ends first. */
static void
prefer_later_head (TsElementState *state, gint32 instance)
{
  if (!state->has_last_start && instance > state->highest_head)
    {
      state->last_started = NULL;
      state->has_last_end = FALSE;
    }
  if (!state->has_last_activation && instance > state->highest_instance)
    {
      state->last_activated = NULL;
      state->has_last_end_for_st = FALSE;
    }
  state->highest_head = MAX (state->highest_head, instance);
}

TsJob *
ts_job_start_head (TsTimeline *timeline, const TsEvent *event, TsDiagnosticId reason)
{
  TsElementState *state = ts_timeline_element (timeline, event->element);
  TsJob          *job = new_job (timeline, state, event);

  ts_diagnostics_add (timeline->diagnostics, reason, event->line, NULL);
  if (state->class == TS_CLASS_SCHEDULED && event->instance != TS_NO_INSTANCE)
    prefer_later_head (state, event->instance);
  open_job (timeline, state, job, event);
  job->is_head = TRUE;
  job->facts.start = timeline->begin;
  if (ts_timeline_in_window (timeline, timeline->begin))
    job->facts.flags |= TS_INSTANCE_IN_WINDOW;
  /* of several, the one that ends first was the last to start */
  if (state->last_started == NULL && !state->has_last_start && !state->has_last_end)
    state->last_started = job;
  /* activations since the section began are later than that of the head, which is not in the trace */
  if (state->last_activated == NULL && !state->has_last_activation && !state->has_last_end_for_st)
    state->last_activated = job;
  else if (state->pending != NULL && state->pending->previous_activated == NULL
           && !(state->pending->facts.flags & (TS_INSTANCE_HAS_PER | TS_INSTANCE_HAS_ST)))
    {
      job->has_next_activation = TRUE;
      job->next_activation = state->pending->facts.activation;
      job->next_activated = state->pending;
      state->pending->previous_activated = job;
    }
  return job;
}

/* What the end of @job completes. */
static inline void
chain_end (TsTimeline *timeline, TsElementState *state, TsJob *job)
{
  if (job->has_next_start)
    emit_chain (timeline, TS_INTERVAL_E2S, job->facts.element, job->next_start - job->facts.end, job->next_start,
                job->next_start_number);
  else if (state->last_started == job)
    {
      state->has_last_end = TRUE;
      state->last_end = job->facts.end;
    }

  if (!state->is_task)
    return;
  if (job->has_next_activation)
    {
      gint64 slack = job->next_activation - job->facts.end;

      if (job->next_activated != NULL)
        set_slack (timeline, job->next_activated, slack);
      else
        emit_chain (timeline, TS_INTERVAL_ST, job->facts.element, slack, job->next_activation, job->next_activation_number);
    }
  else if (state->last_activated == job)
    {
      state->has_last_end_for_st = TRUE;
      state->last_end_for_st = job->facts.end;
    }
}

static inline void
publish (TsTimeline *timeline, TsJob *job, TsInstanceStatus status)
{
  TsInstance           *facts = &job->facts;
  const TsElementState *state = job->element;

  facts->status = (guint8) status;
  facts->section = timeline->section->number;
  facts->self = facts->running - job->callees_running;
  if (state->is_idle)
    facts->flags |= TS_INSTANCE_NO_CET;
  if (!state->is_task && (facts->flags & TS_INSTANCE_HAS_E2S))
    {
      facts->st = facts->e2s;
      facts->flags |= TS_INSTANCE_HAS_ST;
    }
  timeline->sink.instance (timeline->sink_data, facts);
}

static inline void
close_at (TsTimeline *timeline, TsJob *job, gint64 end)
{
  TsElementState *state = job->element;

  ts_core_leave (timeline, job, TRUE);
  job->facts.end = end;
  job->facts.flags |= TS_INSTANCE_HAS_END;
  unlink_job (&state->open, job);
  chain_end (timeline, state, job);
  state->counts.ends++;
  if (job->instance != TS_NO_INSTANCE && (job->is_head || !(job->facts.flags & TS_INSTANCE_HAS_ACTIVATION)))
    state->ended_heads[state->n_ended_heads++ % TS_ENDED_HEADS] = job->instance;
  if (job->is_head)
    state->counts.partial_head++;
  else
    state->counts.complete++;
  publish (timeline, job, job->is_head ? TS_STATUS_PARTIAL_HEAD : TS_STATUS_COMPLETE);
  free_job (timeline, job);
}

gboolean
ts_job_close_pending (TsTimeline *timeline, const TsEvent *event)
{
  TsElementState *state = ts_timeline_element (timeline, event->element);
  TsJob          *job = take_pending (timeline, state, event);

  if (job == NULL)
    return FALSE;
  job->facts.number = event->instance;
  job->facts.resource = event->resource;
  job->facts.start = job->facts.end = timeline->now; /* where its extremes are said to be */
  job->facts.flags |= TS_INSTANCE_HAS_END;
  if (ts_timeline_in_window (timeline, job->facts.end))
    job->facts.flags |= TS_INSTANCE_IN_WINDOW;
  chain_end (timeline, state, job);
  state->counts.ends++;
  state->counts.complete++;
  publish (timeline, job, TS_STATUS_COMPLETE);
  free_job (timeline, job);
  return TRUE;
}

void
ts_job_close (TsTimeline *timeline, TsJob *job)
{
  close_at (timeline, job, timeline->now);
}

void
ts_job_close_earlier (TsTimeline *timeline, TsJob *job)
{
  gint64 waited = timeline->now - job->since;

  /* what leaving adds is taken back before: that time is none of the instance's */
  if (job->state == TS_JOB_WAITING)
    job->facts.waiting -= waited;
  else if (job->state == TS_JOB_READY)
    job->facts.preempted -= waited;
  close_at (timeline, job, job->state == TS_JOB_RUNNING ? timeline->now : job->since);
}

void
ts_job_abandon (TsTimeline *timeline, TsJob *job, TsInstanceStatus status)
{
  TsElementState *state = job->element;

  ts_core_leave (timeline, job, FALSE);
  unlink_job (&state->open, job);
  if (status == TS_STATUS_MISSING_END)
    ts_diagnostics_add (timeline->diagnostics, TS_DIAGNOSTIC_MISSING_END, timeline->line, NULL);
  else if (!job->is_head)
    ts_diagnostics_add (timeline->diagnostics, TS_DIAGNOSTIC_PARTIAL_TAIL, job->facts.line, NULL);
  if (job->is_head)
    {
      status = TS_STATUS_PARTIAL_HEAD;
      state->counts.partial_head++;
    }
  else if (status == TS_STATUS_MISSING_END)
    state->counts.missing_end++;
  else
    state->counts.partial_tail++;
  publish (timeline, job, status);
  free_job (timeline, job);
}

void
ts_job_drop_pending (TsTimeline *timeline, TsElementState *state)
{
  TsJob *job;
  gint64 number = state->n_started; /* the ones that they would have had */

  while ((job = state->pending) != NULL)
    {
      unlink_job (&state->pending, job);
      job->facts.number = job->instance != TS_NO_INSTANCE ? job->instance : ++number;
      emit_activation_samples (timeline, job);
      ts_diagnostics_add (timeline->diagnostics, TS_DIAGNOSTIC_PENDING, job->facts.line, NULL);
      state->counts.pending++;
      free_job (timeline, job);
    }
  state->pending_last = NULL;
}

void
ts_job_forget_chains (TsElementState *state)
{
  state->last_started = state->last_activated = NULL;
  state->has_last_start = state->has_last_activation = FALSE;
  state->has_last_end = state->has_last_end_for_st = FALSE;
  state->has_last_write = FALSE;
  state->fresh = TRUE;
  state->n_ended_heads = 0;
  state->lowest_begun = state->lowest_activated = G_MAXINT64;
  state->highest_instance = state->highest_head = TS_NO_INSTANCE;
  state->has_unnumbered = state->open != NULL;
}
