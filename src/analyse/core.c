/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/job.h"

/* Who runs on which core, and what that adds up to: running, preempted and waiting time
 * of the jobs, and the load of the core. */

/* Time within the window of LOAD between two moments. */
static gint64
clipped (const TsTimeline *timeline, gint64 from, gint64 to)
{
  from = MAX (from, timeline->clip_from);
  to = MIN (to, timeline->clip_to);
  return MAX (to - from, 0);
}

static void
add_busy (TsTimeline *timeline, TsCore *core, gint64 to)
{
  gint64 length = clipped (timeline, core->accounted, to);

  core->occupied += length;
  if (G_LIKELY (core->n_busy == 1))
    core->busy += length;
  else
    core->busy += (TsInt128) length * (core->is_shared ? core->n_busy > 0 : core->n_busy);
}

static inline void
account (TsTimeline *timeline, TsCore *core, gint64 to)
{
  if (to <= core->accounted)
    return;
  if (core->n_running > 0)
    add_busy (timeline, core, to);
  core->accounted = to;
}

/* Two that run at one time stamp only (an ISR's start written before the preempt, a
 * resume before the ISR's end) do not overlap: so judge when time has gone on (rule 14). */
static void
tell_overlap (TsTimeline *timeline, TsCore *core)
{
  for (guint i = MIN (core->n_overlapping, MAX (core->n_running, 1) - 1); i > 0; i--)
    ts_diagnostics_add (timeline->diagnostics, TS_DIAGNOSTIC_OVERLAP, core->overlap_line, NULL);
  core->n_overlapping = 0;
}

static inline void
judge_overlap (TsTimeline *timeline, TsCore *core, gint64 now)
{
  if (G_UNLIKELY (core->n_overlapping > 0) && now != core->overlap_time)
    tell_overlap (timeline, core);
}

void
ts_core_begin (TsCore *core, gint64 begin)
{
  core->top = NULL;
  core->orphans = NULL;
  core->begin = begin;
  core->accounted = begin;
  core->occupied = 0;
  core->n_running = core->n_busy = 0;
  core->n_overlapping = 0;
  core->has_last_event = FALSE;
}

void
ts_core_end (TsTimeline *timeline, TsCore *core, gint64 end)
{
  account (timeline, core, end);
  judge_overlap (timeline, core, end);
}

static const TsOverhead *
find_overhead (const TsSection *section, guint32 element)
{
  const TsOverhead *general = NULL;

  for (guint i = 0; section->overheads != NULL && i < section->overheads->len; i++)
    {
      const TsOverhead *overhead = &g_array_index (section->overheads, TsOverhead, i);

      if (overhead->element == element && element != TS_NO_ELEMENT)
        return overhead;
      if (overhead->element == TS_NO_ELEMENT)
        general = overhead;
    }
  return general;
}

void
ts_core_charge_overhead (TsTimeline *timeline, const TsEvent *event)
{
  TsCore           *core = ts_timeline_core (timeline, event->resource);
  const TsOverhead *overhead = find_overhead (timeline->section, event->element);

  if (core->has_last_event && (core->n_running > 0 || core->orphans != NULL))
    {
      gint64 gap = event->time - core->last_event;
      gint64 cost = core->last_after + (overhead != NULL ? overhead->before : 0);
      gint64 counted = clipped (timeline, core->last_event, event->time);

      if (cost > gap)
        {
          ts_diagnostics_add (timeline->diagnostics, TS_DIAGNOSTIC_OVERHEAD_TOO_LARGE, event->line, NULL);
          cost = gap;
        }
      account (timeline, core, event->time);
      core->busy -= (TsInt128) MIN (cost, counted) * core->n_busy;
      core->overhead += cost;
    }
  core->has_last_event = TRUE;
  core->last_event = event->time;
  core->last_after = overhead != NULL ? overhead->after : 0;
}

void
ts_core_account_head (TsTimeline *timeline, const TsJob *job)
{
  TsCore *core = job->core;
  gint64  length = clipped (timeline, core->begin, timeline->now);

  if (job->element->class != TS_CLASS_SCHEDULED)
    return;
  if (timeline->infers)
    {
      /* with a stack, it did not run while others did */
      account (timeline, core, timeline->now);
      length = MAX (length - core->occupied, 0);
    }
  core->occupied += length;
  if (!job->element->is_idle)
    core->busy += length;
}

/* Ends the present state at the present time. */
static inline void
end_state (const TsTimeline *timeline, TsJob *job)
{
  if (job->state == TS_JOB_RUNNING)
    /* not below 0: its first event may have been on another core than the one that it runs on */
    job->facts.running += MAX (timeline->now - job->core->overhead - job->run_since, 0);
  else if (job->state == TS_JOB_READY)
    job->facts.preempted += timeline->now - job->since;
  else if (job->state == TS_JOB_WAITING)
    job->facts.waiting += timeline->now - job->since;
}

/* The interval that ends because @job goes on to @next. */
static void
emit_state (TsTimeline *timeline, TsJob *job, TsJobState next)
{
  gint64 length = timeline->now - job->since;

  if (job->state == TS_JOB_WAITING)
    {
      if (job->facts.flags & TS_INSTANCE_IN_WINDOW)
        ts_timeline_emit (timeline, TS_INTERVAL_WAIT, job->facts.element, length, job->facts.start, job->facts.number);
    }
  else if (job->state == TS_JOB_READY && (next == TS_JOB_RUNNING || next == TS_JOB_WAITING))
    {
      /* between a release and its resume, or between a suspension and the wait that it belongs to, nothing was
         preempted if no time passed */
      if (length == 0 && (job->was_waiting || next == TS_JOB_WAITING))
        return;
      job->facts.n_preemptions++;
      job->facts.preempted_closed += length;
      if (job->facts.flags & TS_INSTANCE_IN_WINDOW)
        ts_timeline_emit (timeline, TS_INTERVAL_PRE, job->facts.element, length, job->facts.start, job->facts.number);
    }
}

static inline void
begin_state (const TsTimeline *timeline, TsJob *job, TsJobState state)
{
  job->was_waiting = job->state == TS_JOB_WAITING;
  job->state = (guint8) state;
  job->since = timeline->now;
  job->run_since = timeline->now - job->core->overhead;
}

static inline void
set_state (TsTimeline *timeline, TsJob *job, TsJobState state)
{
  end_state (timeline, job);
  if (job->state != TS_JOB_RUNNING)
    emit_state (timeline, job, state);
  begin_state (timeline, job, state);
}

/* An instance is published with the last of its resources only. */
static void
move_to (TsTimeline *timeline, TsJob *job, guint16 resource)
{
  if (job->facts.resource == resource)
    return;
  if (job->facts.resource != TS_NO_RESOURCE && timeline->sink.moved != NULL)
    timeline->sink.moved (timeline->sink_data, job->facts.element, job->facts.resource);
  ts_job_place (timeline, job, resource);
}

void
ts_core_update_nested (TsTimeline *timeline, TsJob *job)
{
  TsJobState state = TS_JOB_RUNNING;

  if (job->owner != NULL)
    state = (TsJobState) job->owner->state;
  else if (timeline->infers && job->core->top != NULL)
    state = TS_JOB_READY;
  if (job->state == TS_JOB_FROZEN)
    return;
  if (job->suspended && state == TS_JOB_RUNNING)
    state = TS_JOB_READY;
  if (job->owner != NULL)
    move_to (timeline, job, job->owner->facts.resource);
  if (state != job->state)
    set_state (timeline, job, state);
}

static inline void
update_callees (TsTimeline *timeline, TsJob *job)
{
  for (TsJob *callee = job->innermost; callee != NULL && callee != job; callee = callee->caller)
    ts_core_update_nested (timeline, callee);
}

/* With a stack, what runs in a task that is not known yet (a head) does not run while others do. */
static inline void
update_orphans (TsTimeline *timeline, TsCore *core)
{
  for (TsJob *orphan = core->orphans; orphan != NULL; orphan = orphan->caller)
    ts_core_update_nested (timeline, orphan);
}

/* The number of running jobs changes: count what ran until now first. */
static inline void
start_running (TsTimeline *timeline, TsJob *job)
{
  TsCore *core = job->core;

  account (timeline, core, timeline->now);
  judge_overlap (timeline, core, timeline->now);
  if (core->n_running > 0 && !timeline->infers && !core->is_shared)
    {
      if (core->n_overlapping++ == 0)
        core->overlap_line = timeline->line;
      core->overlap_time = timeline->now;
    }
  core->n_running++;
  core->n_busy += !job->element->is_idle;
}

static inline void
stop_running (TsTimeline *timeline, TsJob *job)
{
  TsCore *core = job->core;

  account (timeline, core, timeline->now);
  judge_overlap (timeline, core, timeline->now);
  core->n_running--;
  core->n_busy -= !job->element->is_idle;
}

static inline void
unstack (TsJob *job)
{
  if (job->above != NULL)
    job->above->below = job->below;
  else
    job->core->top = job->below;
  if (job->below != NULL)
    job->below->above = job->above;
  job->below = job->above = NULL;
  job->on_core = FALSE;
}

/* Rule 12: the one that @job suspends. */
static void
suspend_top (TsTimeline *timeline, TsCore *core)
{
  TsJob *top = core->top;

  if (top == NULL || top->state != TS_JOB_RUNNING)
    return;
  ts_diagnostics_add (timeline->diagnostics, TS_DIAGNOSTIC_INFERRED_PREEMPTION, timeline->line, NULL);
  stop_running (timeline, top);
  set_state (timeline, top, TS_JOB_READY);
  top->inferred_ready = TRUE;
  update_callees (timeline, top);
}

/* Rule 12: the one that was suspended goes on. */
static void
resume_top (TsTimeline *timeline, TsCore *core)
{
  TsJob *top = core->top;

  if (top == NULL || top->state != TS_JOB_READY || !top->inferred_ready)
    return;
  top->inferred_ready = FALSE;
  start_running (timeline, top);
  set_state (timeline, top, TS_JOB_RUNNING);
  update_callees (timeline, top);
}

static inline void
stack (TsJob *job)
{
  TsCore *core = job->core;

  job->below = core->top;
  if (job->below != NULL)
    job->below->above = job;
  core->top = job;
  job->on_core = TRUE;
}

static G_GNUC_NO_INLINE void
take_core_from_top (TsTimeline *timeline, TsJob *job)
{
  TsCore *core = job->core;

  if (job->on_core && core->top != job)
    unstack (job);
  if (core->top != job)
    suspend_top (timeline, core);
  job->inferred_ready = FALSE;
  if (!job->on_core)
    stack (job);
  update_orphans (timeline, core);
}

/* Takes the core; its own state is set by the caller. */
static inline void
take_core (TsTimeline *timeline, TsJob *job)
{
  /* without inference those that do not run are not in the stack */
  if (timeline->infers)
    take_core_from_top (timeline, job);
  else
    stack (job);
  start_running (timeline, job);
}

static inline void
leave_core (TsTimeline *timeline, TsJob *job, gboolean stays_stacked)
{
  if (job->state == TS_JOB_RUNNING)
    stop_running (timeline, job);
  if (job->on_core && !stays_stacked)
    unstack (job);
}

void
ts_core_enter (TsTimeline *timeline, TsJob *job, TsJobState state)
{
  gboolean scheduled = job->element->class == TS_CLASS_SCHEDULED;

  if (state == TS_JOB_RUNNING && scheduled)
    take_core (timeline, job);
  begin_state (timeline, job, state);
  update_callees (timeline, job);
}

void
ts_core_change (TsTimeline *timeline, TsJob *job, TsJobState state)
{
  TsCore *core = job->core;

  if (job->element->class != TS_CLASS_SCHEDULED)
    {
      set_state (timeline, job, state);
      return;
    }
  if (state == TS_JOB_RUNNING)
    take_core (timeline, job);
  else
    /* with inference the explicitly preempted one stays in its place of the stack */
    leave_core (timeline, job, timeline->infers && state == TS_JOB_READY);
  set_state (timeline, job, state);
  update_callees (timeline, job);
  if (timeline->infers && state == TS_JOB_WAITING)
    resume_top (timeline, core);
}

void
ts_core_nest (TsJob *job, TsJob *owner)
{
  TsJob **innermost = owner != NULL ? &owner->innermost : &job->core->orphans;

  job->owner = owner;
  job->facts.owner = owner != NULL ? owner->facts.element : TS_NO_ELEMENT;
  job->caller = *innermost != NULL ? *innermost : owner;
  *innermost = job;
}

static gboolean
is_adopted (const TsJob *orphan, const TsJob *owner)
{
  /* where its core is not known, its task must be */
  return (orphan->facts.owner == owner->facts.element
          && (orphan->owner_number == 0 || owner->instance == TS_NO_INSTANCE
              || orphan->owner_number == ts_event_owner_number (owner->instance)))
         || (orphan->facts.owner == TS_NO_ELEMENT && orphan->facts.resource == owner->facts.resource);
}

/* Takes those that belong to @owner from the orphans of @resource, and appends them to its frames. */
static TsJob **
adopt_from (TsTimeline *timeline, TsJob *owner, guint16 resource, TsJob **adopted)
{
  TsCore *core = ts_timeline_core (timeline, resource), *own = owner->core;
  TsJob  *orphan = core->orphans, **left = &core->orphans, *caller;

  for (; orphan != NULL; orphan = caller)
    {
      caller = orphan->caller;
      if (!is_adopted (orphan, owner))
        {
          *left = orphan;
          left = &orphan->caller;
          continue;
        }
      orphan->owner = owner;
      orphan->facts.owner = owner->facts.element;
      ts_job_place (timeline, orphan, owner->facts.resource);
      orphan->run_since += core->overhead - own->overhead;
      *adopted = orphan;
      adopted = &orphan->caller;
    }
  *left = NULL;
  return adopted;
}

void
ts_core_adopt (TsTimeline *timeline, TsJob *owner)
{
  TsJob **adopted = adopt_from (timeline, owner, owner->facts.resource, &owner->innermost);

  if (owner->facts.resource != TS_NO_RESOURCE)
    adopted = adopt_from (timeline, owner, TS_NO_RESOURCE, adopted);
  *adopted = owner->innermost != NULL ? owner : NULL;
}

/* A callee's running time is its caller's too, but not its caller's own (SELF). */
static void
credit_caller (TsJob *job, TsJob *caller)
{
  if (caller != NULL)
    caller->callees_running += job->facts.running - job->credited;
  job->credited = job->facts.running;
}

/* The frame around @job. Those that run in no known task are in one chain, whatever their tasks. */
static TsJob *
caller_of (const TsJob *job)
{
  TsJob *caller = job->caller;

  while (job->owner == NULL && caller != NULL && caller->facts.owner != job->facts.owner)
    caller = caller->caller;
  return caller;
}

static void
credit_now (TsTimeline *timeline, TsJob *job, TsJob *caller)
{
  if (job->state == TS_JOB_RUNNING)
    {
      end_state (timeline, job);
      begin_state (timeline, job, TS_JOB_RUNNING);
    }
  credit_caller (job, caller);
}

/* Takes a closed nested job out of the frames, from the middle if need be. */
static void
unnest (TsTimeline *timeline, TsJob *job)
{
  TsJob **innermost = job->owner != NULL ? &job->owner->innermost
                                         : &job->core->orphans;

  if (*innermost == job)
    *innermost = job->caller != job->owner ? job->caller : NULL;
  else
    for (TsJob *inner = *innermost, *outer; inner != NULL; inner = outer)
      {
        outer = inner->caller;
        if (caller_of (inner) == job)
          credit_now (timeline, inner, job);
        if (outer == job)
          {
            inner->caller = job->caller;
            break;
          }
      }
  credit_caller (job, caller_of (job));
  job->owner = job->caller = NULL;
}

/* Nested jobs that outlive their task run no longer. */
static inline void
freeze_callees (TsTimeline *timeline, TsJob *job)
{
  TsJob *callee = job->innermost, *outer;

  for (; callee != NULL && callee != job; callee = outer)
    {
      outer = callee->caller;
      end_state (timeline, callee);
      begin_state (timeline, callee, TS_JOB_FROZEN);
      callee->element->n_frozen++;
      credit_caller (callee, outer);
      callee->owner = callee->caller = NULL;
    }
  job->innermost = NULL;
}

void
ts_core_move (TsTimeline *timeline, TsJob *job, guint16 resource)
{
  if (job->facts.resource == resource)
    return;
  if (job->on_core)
    unstack (job);
  move_to (timeline, job, resource);
}

void
ts_core_leave (TsTimeline *timeline, TsJob *job, gboolean ended)
{
  TsCore *core = job->core;

  end_state (timeline, job);
  if (job->element->class == TS_CLASS_NESTED)
    {
      if (job->state != TS_JOB_FROZEN)
        unnest (timeline, job);
      return;
    }
  if (job->element->class != TS_CLASS_SCHEDULED)
    return;
  leave_core (timeline, job, FALSE);
  freeze_callees (timeline, job);
  if (timeline->infers && ended)
    {
      resume_top (timeline, core);
      update_orphans (timeline, core);
    }
}
