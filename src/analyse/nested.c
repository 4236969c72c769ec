/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/index.h"
#include "analyse/life.h"
#include "analyse/unseen.h"

/* What each event does to the instances of an element that runs in tasks: runnables, functions and the like. They are
 * most of most traces. */

/* ts_owner_of(), or who stands for it, if that is obvious; otherwise NULL. */
static TS_ALWAYS_INLINE TsJob *
find_obvious_owner (TsTimeline *timeline, const TsEvent *event)
{
  TsJob *job = NULL;

  if (event->owner < timeline->n_elements)
    {
      job = ts_timeline_element (timeline, event->owner)->open;
      if (job != NULL
          && (event->owner_number == 0 || ts_event_owner_number (job->facts.own_number) != event->owner_number))
        return NULL;
    }
  else if (event->owner == TS_NO_ELEMENT)
    job = ts_timeline_runner (timeline, event->resource);
  return job != NULL ? job : ts_stand_in_in_use (timeline, event);
}

/* Hangs @job, which is in no state yet, under @owner. */
static TS_ALWAYS_INLINE void
enter (TsTimeline *timeline, TsJob *job, TsJob *owner, const TsEvent *event)
{
  job->facts.resource = owner->facts.resource;
  job->core = owner->core;
  ts_core_name_owner (job, owner);
  job->owner_number = event->owner_number;
  ts_core_nest (job, owner);
  ts_core_begin_state (timeline, job, (TsJobState) owner->state);
}

void
ts_nested_enter (TsTimeline *timeline, TsJob *job, TsJob *owner, const TsEvent *event, gboolean suspended)
{
  enter (timeline, job, owner != NULL ? owner : ts_stand_in_for (timeline, event), event);
  if (!suspended)
    return;
  job->suspended = TRUE;
  job->callees_before = 0;
  if (job->state == TS_JOB_RUNNING)
    job->state = TS_JOB_READY;
}

/* Whether the end of @job, whose task has ended, may yet come at this stamp: what @event starts has another number (METRICS, rule
 * 10). */
static gboolean
may_end_now (const TsJob *job, const TsEvent *event)
{
  return job->since == event->time && event->instance != TS_NO_INSTANCE && job->facts.own_number != event->instance;
}

static G_GNUC_NO_INLINE void
abandon_frozen (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsJob *job = state->open, *next;

  /* thousands may be open, of a function that recurses or whose ends are missing */
  for (; job != NULL && state->n_frozen > 0; job = next)
    {
      next = job->next;
      if (job->state == TS_JOB_FROZEN && !may_end_now (job, event))
        ts_job_abandon (timeline, job, TS_STATUS_MISSING_END);
    }
}

/* Whether @job, which is suspended, may well have called another instance of its element: its task, as far as anything is known
 * of that, has run on all the time, and the number of @event, which all of them have, does not say that it is the same one
 * (METRICS, rule 8). */
static gboolean
may_have_called (const TsJob *job, const TsEvent *event)
{
  return !ts_owner_numbers_are_meant (job->element, event->instance) && job->owner != NULL
         && job->owner->state == TS_JOB_RUNNING && (ts_job_is_stray (job) || job->owner->since < job->since);
}

/* A start of the instance that is suspended says that it goes on. */
static G_GNUC_NO_INLINE gboolean
goes_on (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsJob *job = ts_life_find (timeline, state, event, TS_CLASS_NESTED);

  if (job == NULL || job->state == TS_JOB_FROZEN || !job->suspended || !ts_owner_resumes (job, event)
      || may_have_called (job, event))
    return FALSE;
  ts_timeline_diagnose (timeline, TS_DIAGNOSTIC_START_AS_RESUME, event->line, event->element);
  ts_core_suspend_nested (timeline, job, FALSE);
  return TRUE;
}

static G_GNUC_NO_INLINE void
start_further (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsJob *job;

  if (state->open != NULL)
    {
      if (event->instance != TS_NO_INSTANCE && goes_on (timeline, state, event))
        return;
      if (state->n_frozen > 0)
        abandon_frozen (timeline, state, event);
    }
  job = ts_life_start (timeline, state, event, ts_life_find_unique (timeline, state, event), FALSE);
  ts_nested_enter (timeline, job, ts_owner_of (timeline, event), event, FALSE);
}

void
ts_nested_start (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsJob *owner = find_obvious_owner (timeline, event), *job = NULL;

  state->fresh = FALSE;
  if (G_UNLIKELY (owner == NULL || owner->is_head) && event->owner != state->started_in)
    ts_unseen_note_start (timeline, state, event);
  if (G_LIKELY (owner != NULL))
    job = ts_life_start_usual (timeline, state, event, TS_CLASS_NESTED, FALSE);
  if (G_UNLIKELY (job == NULL))
    start_further (timeline, state, event);
  else
    enter (timeline, job, owner, event);
}

/* An end of what does not run. */
static G_GNUC_NO_INLINE void
judge_end (TsTimeline *timeline, const TsJob *job, const TsEvent *event)
{
  if (job->state == TS_JOB_FROZEN)
    {
      if (job->since < event->time)
        ts_timeline_diagnose (timeline, TS_DIAGNOSTIC_LATE_NESTED_END, event->line, event->element);
    }
  else if (job->since < event->time || job->suspended)
    ts_timeline_diagnose (timeline, TS_DIAGNOSTIC_END_WHILE_PREEMPTED, event->line, event->element);
}

/* Whether an event of its own at the present time said that @job goes on: then its task does, too, and that is told behind
 * it (rule 10). */
static gboolean
has_just_gone_on (const TsTimeline *timeline, const TsJob *job)
{
  return job->state == TS_JOB_READY && !job->suspended && (job->links & TS_JOB_WENT_ON) && job->poll_since == timeline->now;
}

static G_GNUC_NO_INLINE void
end_further (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsJob *job = ts_life_find_ending (timeline, state, event, TS_CLASS_NESTED);

  if (job == NULL)
    return;
  ts_core_recall (timeline, job);
  if (has_just_gone_on (timeline, job))
    ts_core_set_state (timeline, job, TS_JOB_RUNNING);
  else if (job->state != TS_JOB_RUNNING)
    judge_end (timeline, job, event);
  ts_core_leave_nested (timeline, job);
  ts_life_close (timeline, state, job, event->time, FALSE);
}

/* Whether @event says what it means: @job, which has the number, if any. */
static TS_ALWAYS_INLINE gboolean
is_of_owner (TsTimeline *timeline, const TsJob *job, const TsEvent *event)
{
  return ts_owner_is_named (job, event)
         && (event->instance != TS_NO_INSTANCE || (job->next == NULL && !ts_owner_is_head (timeline, event)));
}

void
ts_nested_end (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsJob *job = state->open;

  if (G_LIKELY (job != NULL && ts_life_ends_usually (state, job, event, FALSE) && is_of_owner (timeline, job, event)
                && ts_core_is_innermost (job)))
    {
      ts_core_end_running (timeline, job);
      ts_core_leave_owner (job);
      ts_life_close_usual (timeline, state, job, event->time, FALSE);
    }
  else
    end_further (timeline, state, event);
}

/* Of a function that has called itself, where all its instances have one number, and each is suspended and goes on by an event of
 * its own (rule 10): @job is what @event says already, so that is of one further out, in the same task. Or NULL. */
static TsJob *
find_further_out (TsTimeline *timeline, TsJob *job, const TsEvent *event, gboolean suspends)
{
  if (event->instance == TS_NO_INSTANCE || (event->flags & TS_EVENT_UNIQUE))
    return NULL;
  while (job != NULL && (job->suspended == suspends || job->state == TS_JOB_FROZEN || !ts_owner_is_named (job, event)))
    job = ts_job_find_older (timeline, job, event);
  return job;
}

static void
note_gone_on (TsTimeline *timeline, TsJob *job)
{
  job->links |= TS_JOB_WENT_ON;
  job->poll_since = timeline->now;
  if (timeline->went_on_at != timeline->now)
    g_ptr_array_set_size (timeline->went_on, 0);
  timeline->went_on_at = timeline->now;
  g_ptr_array_add (timeline->went_on, job);
}

/* Of @state, the instances of which have no numbers, one that is suspended in @task; or NULL. */
static TsJob *
find_suspended_in (const TsElementState *state, const TsJob *task)
{
  TsJob *job = state->open;

  while (job != NULL && (job->owner != task || !job->suspended || job->facts.own_number != TS_NO_INSTANCE))
    job = job->next;
  return job;
}

void
ts_nested_go_on_with (TsTimeline *timeline, const TsJob *task)
{
  for (guint i = 0; i < timeline->went_on->len; i++)
    {
      TsJob *other = g_ptr_array_index (timeline->went_on, i), *job;

      if (!has_just_gone_on (timeline, other) || other->owner == task || other->facts.resource != task->facts.resource
          || (job = find_suspended_in (other->element, task)) == NULL)
        continue;
      ts_core_suspend_nested (timeline, other, TRUE);
      ts_core_suspend_nested (timeline, job, FALSE);
    }
}

void
ts_nested_change (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  gboolean       suspends = event->kind == TS_EVENT_PREEMPT;
  TsDiagnosticId defect = suspends ? TS_DIAGNOSTIC_REDUNDANT_PREEMPT : TS_DIAGNOSTIC_REDUNDANT_RESUME;
  TsJob         *job = ts_life_find (timeline, state, event, TS_CLASS_NESTED);

  if (job == NULL)
    {
      ts_head_change (timeline, state, event);
      return;
    }
  if ((!suspends && event->kind != TS_EVENT_RESUME) || job->state == TS_JOB_FROZEN)
    defect = TS_DIAGNOSTIC_UNEXPECTED_STATE;
  else if (job->suspended != suspends || (job = find_further_out (timeline, job, event, suspends)) != NULL)
    {
      ts_core_suspend_nested (timeline, job, suspends);
      if (!suspends && job->state == TS_JOB_READY)
        note_gone_on (timeline, job);
      return;
    }
  if (!timeline->infers)
    ts_timeline_diagnose (timeline, defect, event->line, event->element);
}
