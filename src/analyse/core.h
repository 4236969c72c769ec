/* SPDX-License-Identifier: MIT */
#pragma once

#include "analyse/standin.h"

G_BEGIN_DECLS

/* Who runs on which core. What each event needs is here, so that a compiler puts it where the class of the element is
 * known, and leaves out what does not concern it. */

void ts_core_begin (TsCore *core, gint64 begin);
void ts_core_end (TsTimeline *timeline, TsCore *core, gint64 end);
/* The system did not stop, or not yet: what ran behind counts. */
void ts_core_go_on (TsTimeline *timeline, TsCore *core);
/* What a job ran alone is counted with all else. */
static inline void
ts_core_settle_alone (TsCore *core)
{
  core->occupied += core->alone;
  core->busy += core->alone - core->idle_alone;
  core->alone = core->idle_alone = 0;
}

/* Charges the tracing overhead of @event to the time since the event before. */
void ts_core_charge_overhead (TsTimeline *timeline, const TsEvent *event);
/* Load of an instance that ran since the section began and was first seen now. */
void ts_core_account_head (TsTimeline *timeline, const TsJob *job);
/* Puts @job, which is in no state yet, into @state now. */
void ts_core_enter (TsTimeline *timeline, TsJob *job, TsJobState state);
/* @job, which does not run, will go on on @resource. */
void ts_core_move (TsTimeline *timeline, TsJob *job, guint16 resource);
/* @job, which is scheduled and runs, does so on @resource from now on. */
void ts_core_run_on (TsTimeline *timeline, TsJob *job, guint16 resource);
/* Ends the present state of @job, which leaves its core and its callers. If it @ended, the
 * one that it suspended goes on (rule 12); otherwise nobody knows who ran next. */
void ts_core_leave (TsTimeline *timeline, TsJob *job, gboolean ended);
/* Nested jobs that run in no task so far run in @owner, which was there before the section began. If it did not run until
 * now, those that were @named to do so. */
void ts_core_adopt (TsTimeline *timeline, TsJob *owner, gboolean named);
/* Nested jobs may be written before the start of their task at one stamp: so to be called before each event that follows at
 * that, and before time goes on. */
void ts_core_find_owners (TsTimeline *timeline);
/* @job is the innermost frame, and was there before those of its task that were seen to start: it goes outside of them.
 * Heads have no time of their own, so their order among themselves makes no difference. */
void ts_core_put_outside (TsTimeline *timeline, TsJob *job);
/* What @job calls, or what runs on @core in no known task, hangs under nobody any more; its callers know how long it ran. */
void ts_core_settle_callees (TsTimeline *timeline, TsJob *job);
void ts_core_settle_strays (TsTimeline *timeline, TsCore *core);
/* A nested job is suspended by an event of its own, or no longer. What it called may run meanwhile: that is then neither
 * its time nor its own, but of whom it runs in. */
void ts_core_suspend_nested (TsTimeline *timeline, TsJob *job, gboolean suspended);
/* Before @job, which is suspended, leaves its callers. */
void ts_core_pass_on (TsJob *job);
/* Nested jobs: the state that follows from their owner's and their own suspension. */
void ts_core_update_nested (TsTimeline *timeline, TsJob *job);
/* All of those that @job called. */
void ts_core_update_callees (TsTimeline *timeline, TsJob *job);

/* @job, which has left its core, had lost its end. It was over when another one began to run beside it, if one did, and so
 * what it seemed to run since then is no load. Not where overhead is subtracted, which was charged to both. */
void ts_core_take_back (TsTimeline *timeline, const TsJob *job);

/* The rare parts of what is below. */
/* That @job was on its resource. */
void ts_core_tell (TsTimeline *timeline, const TsJob *job);
/* Of jobs that run beside others on their core, or where only a part of their time counts. */
void ts_core_start_beside (TsTimeline *timeline, TsJob *job);
void ts_core_stop_beside (TsTimeline *timeline, TsJob *job);
/* The interval that ends because @job, which does not run, goes on to @next. */
void ts_core_emit_state (TsTimeline *timeline, TsJob *job, TsJobState next);
/* That of busy waiting, if @job polls. */
void ts_core_emit_polling (TsTimeline *timeline, const TsJob *job);
/* With inference: @job takes the core from whom it suspends. */
void ts_core_take_from_top (TsTimeline *timeline, TsJob *job);
/* With inference: the one that ran on @core does no longer; the one that it suspended @resumes. */
void ts_core_give_way (TsTimeline *timeline, TsCore *core, gboolean resumes);
/* Which interval ends, and adds it up. FALSE: none, or nothing that counts. */
gboolean ts_core_end_interval (TsTimeline *timeline, TsJob *job, TsJobState next, TsIntervalKind *kind, gint64 *length);
/* Nested jobs that outlive their task @job run no longer. */
void ts_core_freeze_callees (TsTimeline *timeline, TsJob *job);
/* Takes a closed nested job out of the frames, from the middle, or a head that is in none. */
void ts_core_unnest (TsTimeline *timeline, TsJob *job);

/* followers.c: of a task with many frames, the outer ones are not looked at when its state changes */
/* @owner, which has followers, has changed its state or its resource. */
void ts_followers_update (TsTimeline *timeline, const TsJob *owner);
/* The same for all frames, of which the @n_frames innermost do not follow: the outer ones of these do from now on. */
void ts_followers_join (TsTimeline *timeline, TsJob *owner, guint n_frames);
/* @job follows, but is to be looked at by itself, and so are those that it called; all of @owner; all that there are. */
void ts_followers_recall (TsTimeline *timeline, TsJob *job);
void ts_followers_recall_all (TsTimeline *timeline, TsJob *owner);
void ts_followers_recall_everywhere (TsTimeline *timeline);

/* To be called before anything of @job is looked at that depends on its state. */
static inline void
ts_core_recall (TsTimeline *timeline, TsJob *job)
{
  if (G_UNLIKELY (job->state == TS_JOB_FOLLOWS))
    ts_followers_recall (timeline, job);
}

/* Time within the window of LOAD between two moments. */
static inline gint64
ts_core_clipped (const TsTimeline *timeline, gint64 from, gint64 to)
{
  from = MAX (from, timeline->clip_from);
  to = MIN (to, timeline->clip_to);
  return MAX (to - from, 0);
}

/* Whether it is known that instances of @state were on @resource, when one is published that is there: a bit for each of
 * the first resources, and one for all others, of which who takes the instance knows. */
static TS_ALWAYS_INLINE gboolean
ts_core_has_told (const TsElementState *state, guint resource)
{
  return state->told >> MIN (resource, TS_TOLD_RESOURCES) & 1;
}

/* @job goes to @resource, or stays there, which is foreseen by nobody: so it is only asked if that is something new. */
static inline void
ts_core_leave_resource (TsTimeline *timeline, const TsJob *job, guint16 resource)
{
  const guint left = job->facts.resource;

  if (G_UNLIKELY ((left != resource) & ((left >= TS_TOLD_RESOURCES) | !ts_core_has_told (job->element, left))))
    ts_core_tell (timeline, job);
}

static TS_ALWAYS_INLINE void
ts_core_end_running (const TsTimeline *timeline, TsJob *job)
{
  /* not below 0: its first event may have been on another core than the one that it runs on */
  job->facts.running += MAX (timeline->now - job->core->overhead - job->run_since, 0);
}

/* Ends the present state at the present time. */
static inline void
ts_core_end_state (const TsTimeline *timeline, TsJob *job)
{
  if (job->state == TS_JOB_RUNNING)
    ts_core_end_running (timeline, job);
  else if (job->state == TS_JOB_READY)
    job->facts.preempted += timeline->now - job->since;
  else if (job->state == TS_JOB_WAITING)
    job->facts.waiting += timeline->now - job->since;
}

static inline void
ts_core_begin_state (const TsTimeline *timeline, TsJob *job, TsJobState state)
{
  job->state = (guint8) state;
  job->since = timeline->now;
  job->run_since = timeline->now - job->core->overhead;
}

static TS_ALWAYS_INLINE void
ts_core_set_state (TsTimeline *timeline, TsJob *job, TsJobState state)
{
  ts_core_end_state (timeline, job);
  if (job->state != TS_JOB_RUNNING)
    ts_core_emit_state (timeline, job, state);
  job->was_waiting = job->state == TS_JOB_WAITING;
  ts_core_begin_state (timeline, job, state);
}

/* @job is the only one that runs on its core from now on. */
static TS_ALWAYS_INLINE void
ts_core_start_alone (const TsTimeline *timeline, TsJob *job)
{
  TsCore *core = job->core;

  if (core->accounted < timeline->now)
    core->accounted = timeline->now;
  core->n_running = 1;
  core->n_busy = ts_element_is_busy (job->element);
}

/* The number of running jobs changes: what ran until now is counted first. Mostly one job runs, or none. */
static TS_ALWAYS_INLINE void
ts_core_start_running (TsTimeline *timeline, TsJob *job)
{
  if (G_LIKELY (job->core->n_running == 0))
    ts_core_start_alone (timeline, job);
  else
    ts_core_start_beside (timeline, job);
}

/* Whether the one that runs on @core is the only one there, and all of its time counts. */
static TS_ALWAYS_INLINE gboolean
ts_core_ran_alone (const TsTimeline *timeline, const TsCore *core)
{
  return core->n_running == 1 && core->accounted >= timeline->clip_from && timeline->now <= timeline->clip_to;
}

/* It does no more. */
static TS_ALWAYS_INLINE void
ts_core_stop_alone (const TsTimeline *timeline, TsCore *core)
{
  gint64 length = timeline->now - core->accounted;

  if (G_LIKELY (length > 0))
    {
      core->accounted = timeline->now;
      core->alone += length;
      if (G_UNLIKELY (core->n_busy == 0))
        core->idle_alone += length;
    }
  core->n_running = core->n_busy = 0;
}

static TS_ALWAYS_INLINE void
ts_core_stop_running (TsTimeline *timeline, TsJob *job)
{
  if (G_LIKELY (ts_core_ran_alone (timeline, job->core)))
    ts_core_stop_alone (timeline, job->core);
  else
    ts_core_stop_beside (timeline, job);
}

static inline void
ts_core_stack (TsJob *job)
{
  TsCore *core = job->core;
  TsJob  *below = core->top;

  job->below = below;
  job->above = NULL;
  if (below != NULL)
    below->above = job;
  core->top = job;
  job->on_core = TRUE;
}

static inline void
ts_core_unstack (TsJob *job)
{
  if (job->above != NULL)
    job->above->below = job->below;
  else
    job->core->top = job->below;
  if (job->below != NULL)
    job->below->above = job->above;
  job->on_core = FALSE;
}

/* Takes the core; its own state is set by the caller. */
static TS_ALWAYS_INLINE void
ts_core_take (TsTimeline *timeline, TsJob *job)
{
  /* without inference those that do not run are not in the stack */
  if (timeline->infers)
    ts_core_take_from_top (timeline, job);
  else
    {
      ts_core_stack (job);
      ts_core_start_running (timeline, job);
    }
}

static inline void
ts_core_give (TsTimeline *timeline, TsJob *job, gboolean stays_stacked)
{
  if (job->state == TS_JOB_RUNNING)
    ts_core_stop_running (timeline, job);
  if (job->on_core && !stays_stacked)
    ts_core_unstack (job);
}

/* Puts a task or an ISR into another state. */
static TS_ALWAYS_INLINE void
ts_core_change_scheduled (TsTimeline *timeline, TsJob *job, TsJobState state)
{
  TsCore *core = job->core;

  if (state == TS_JOB_RUNNING)
    ts_core_take (timeline, job);
  else
    /* with inference the explicitly preempted one stays in its place of the stack */
    ts_core_give (timeline, job, timeline->infers && state == TS_JOB_READY);
  ts_core_set_state (timeline, job, state);
  if (job->innermost != job)
    ts_core_update_callees (timeline, job);
  if (timeline->infers && state != TS_JOB_RUNNING)
    ts_core_give_way (timeline, core, state == TS_JOB_WAITING);
}

/* Hangs @job under the task it runs in, as the innermost frame. */
static inline void
ts_core_nest (TsJob *job, TsJob *owner)
{
  job->owner = owner;
  job->caller = owner->innermost;
  job->caller->innermost = job; /* which may be that of @owner itself */
  owner->innermost = job;
}

/* What is told of whom @job runs in. */
static inline void
ts_core_name_owner (TsJob *job, const TsJob *owner)
{
  job->facts.owner = owner->facts.element;
  job->facts.owner_instance = owner->facts.number;
}

/* What callees ran, @length more. Those of who stands for a task may run side by side: their sum means nothing. */
static inline void
ts_core_add_callees (TsJob *caller, gint64 length)
{
  caller->callees_running = (gint64) ((guint64) caller->callees_running + (guint64) length);
}

/* A callee's running time is its caller's too, but not its caller's own (SELF). */
static inline void
ts_core_credit_caller (TsJob *job)
{
  ts_core_add_callees (job->caller, job->facts.running - job->credited);
  job->credited = job->facts.running;
}

/* Whether @job, which is nested, called nobody who is still open. */
static inline gboolean
ts_core_is_innermost (const TsJob *job)
{
  return job->owner != NULL && job->owner->innermost == job;
}

/* An owner that is no element told @job, which is over, apart from others, and is told to nobody else. */
static inline void
ts_core_settle_owner (TsJob *job)
{
  if (G_UNLIKELY (job->facts.owner >= TS_MAX_ELEMENTS))
    job->facts.owner = TS_NO_ELEMENT;
}

/* Takes such a @job, which has ended, out of the frames. */
static inline void
ts_core_leave_owner (TsJob *job)
{
  job->owner->innermost = job->caller;
  ts_core_add_callees (job->caller, job->facts.running - job->credited);
  ts_core_settle_owner (job);
}

/* ts_core_leave() by class. */
static inline void
ts_core_leave_nested (TsTimeline *timeline, TsJob *job)
{
  ts_core_end_state (timeline, job);
  if (G_UNLIKELY (job->suspended))
    ts_core_pass_on (job);
  if (G_LIKELY (ts_core_is_innermost (job)))
    ts_core_leave_owner (job);
  else if (job->state != TS_JOB_FROZEN)
    ts_core_unnest (timeline, job);
}

static inline void
ts_core_leave_scheduled (TsTimeline *timeline, TsJob *job, gboolean ended)
{
  TsCore *core = job->core;

  ts_core_end_state (timeline, job);
  ts_core_give (timeline, job, FALSE);
  if (job->innermost != job)
    ts_core_freeze_callees (timeline, job);
  if (timeline->infers && ended)
    ts_core_give_way (timeline, core, TRUE);
}

G_END_DECLS
