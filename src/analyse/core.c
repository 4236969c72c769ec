/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/core.h"
#include "analyse/past.h"

/* Who runs on which core, and what that adds up to: running, preempted and waiting time
 * of the jobs, and the load of the core. */

/* Time behind the stop of the system that is in the window if it goes on. */
static gint64
clipped_beyond (const TsTimeline *timeline, gint64 from, gint64 to)
{
  from = MAX (MAX (from, timeline->stop), timeline->clip_from);
  if (timeline->options.has_to)
    to = MIN (to, timeline->options.to);
  /* without a stop that is as far away as can be, and times may be negative */
  return to > from ? to - from : 0;
}

static inline void
add_load (TsCore *core, gint64 length, TsInt128 *occupied, TsInt128 *busy)
{
  *occupied += length;
  if (G_LIKELY (core->n_busy == 1))
    *busy += length;
  else
    *busy += (TsInt128) length * (core->is_shared ? core->n_busy > 0 : core->n_busy);
}

/* What follows, where a part of it is behind a stop of the system. */
static G_GNUC_NO_INLINE void
account_beyond (const TsTimeline *timeline, TsCore *core, gint64 to)
{
  gint64 from = core->accounted;

  core->accounted = to;
  if (core->n_running == 0)
    return;
  add_load (core, ts_core_clipped (timeline, from, to), &core->occupied, &core->busy);
  add_load (core, clipped_beyond (timeline, from, to), &core->occupied_beyond, &core->busy_beyond);
}

/* Counts the load up to @to: from there on other jobs may run. */
static void
account (const TsTimeline *timeline, TsCore *core, gint64 to)
{
  gint64 length;

  if (to <= core->accounted)
    return;
  if (G_UNLIKELY (to > timeline->stop))
    {
      account_beyond (timeline, core, to);
      return;
    }
  length = ts_core_clipped (timeline, core->accounted, to);
  core->accounted = to;
  if (core->n_running > 0)
    add_load (core, length, &core->occupied, &core->busy);
}

void
ts_core_go_on (TsTimeline *timeline, TsCore *core)
{
  account (timeline, core, timeline->now);
  core->occupied += core->occupied_beyond;
  core->busy += core->busy_beyond;
  core->occupied_beyond = core->busy_beyond = 0;
}

static G_GNUC_NO_INLINE void
tell_overlap (TsTimeline *timeline, TsCore *core)
{
  for (guint i = MIN (core->n_overlapping, MAX (core->n_running, 1) - 1); i > 0; i--)
    ts_diagnostics_add (timeline->diagnostics, TS_DIAGNOSTIC_OVERLAP, core->overlap_line, NULL);
  core->n_overlapping = 0;
}

/* Two that run at one time stamp only (an ISR's start written before the preempt, a
 * resume before the ISR's end) do not overlap: so judge when time has gone on (rule 14). Where at most one is left,
 * there is nothing to tell: ts_core_start_alone() and ts_core_stop_alone() leave it to whoever comes beside it next. */
static void
judge_overlap (TsTimeline *timeline, TsCore *core, gint64 now)
{
  if (G_UNLIKELY (core->n_overlapping > 0) && now != core->overlap_time)
    tell_overlap (timeline, core);
}

/* Whether another one began to run where @job does, later than that did. */
static gboolean
has_run_beside (const TsJob *job)
{
  return (job->links & TS_JOB_RAN_BESIDE) && job->beside_since > job->since;
}

/* @job begins to run where others do: those that had nobody beside them have now. Whoever began at this time, too, has told
 * those before it. */
static void
begin_beside (TsTimeline *timeline, const TsJob *job)
{
  for (TsJob *below = job->below; below != NULL && !has_run_beside (below) && below->since < timeline->now; below = below->below)
    {
      below->links |= TS_JOB_RAN_BESIDE;
      below->beside_since = timeline->now;
    }
}

/* @job, which is in front of all others, runs no more. Where no time has passed it ran beside nobody (rule 14). */
static void
end_beside (TsTimeline *timeline, const TsJob *job)
{
  TsJob *below = job->since == timeline->now && job->above == NULL ? job->below : NULL;

  for (; below != NULL && has_run_beside (below) && below->beside_since == timeline->now; below = below->below)
    below->links &= (guint8) ~TS_JOB_RAN_BESIDE;
}

void
ts_core_take_back (TsTimeline *timeline, const TsJob *job)
{
  TsCore *core = job->core;

  if (job->element->class != TS_CLASS_SCHEDULED || job->state != TS_JOB_RUNNING || !has_run_beside (job) || core->is_shared
      || !ts_element_is_busy (job->element) || timeline->options.subtract_overhead)
    return;
  core->busy -= ts_core_clipped (timeline, job->beside_since, timeline->now);
  if (timeline->now > timeline->stop)
    core->busy_beyond -= clipped_beyond (timeline, job->beside_since, timeline->now);
}

void
ts_core_start_beside (TsTimeline *timeline, TsJob *job)
{
  TsCore *core = job->core;

  account (timeline, core, timeline->now);
  judge_overlap (timeline, core, timeline->now);
  if (!timeline->infers && !core->is_shared)
    {
      if (core->n_overlapping++ == 0)
        core->overlap_line = ts_timeline_line (timeline);
      core->overlap_time = timeline->now;
      begin_beside (timeline, job);
    }
  core->n_running++;
  core->n_busy += ts_element_is_busy (job->element);
}

void
ts_core_stop_beside (TsTimeline *timeline, TsJob *job)
{
  TsCore *core = job->core;

  account (timeline, core, timeline->now);
  judge_overlap (timeline, core, timeline->now);
  core->n_running--;
  core->n_busy -= ts_element_is_busy (job->element);
  if (!timeline->infers && job->on_core)
    end_beside (timeline, job);
}

void
ts_core_begin (TsCore *core, gint64 begin)
{
  ts_core_settle_alone (core);
  core->top = NULL;
  ts_stand_ins_leave (core);
  core->begin = begin;
  core->accounted = begin;
  core->occupied = core->occupied_beyond = 0;
  core->n_running = core->n_busy = 0;
  core->n_overlapping = 0;
  core->suspended_head = TS_NO_ELEMENT;
  core->last_event = begin;
  core->last_after = 0;
  core->charged_idle = 0;
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

/* The time since the last event of @core, or since the beginning: what lies before that is not measured. */
static gint64
uncharged (const TsCore *core, gint64 time)
{
  return MAX (time - core->last_event, 0);
}

/* Up to @time, where the next event is, or the end. A window has what lies in it: one part is just behind the one event,
 * the other just before the other. */
static void
charge_gap (TsTimeline *timeline, TsCore *core, gint64 time, gint64 before)
{
  gint64 gap = uncharged (core, time);
  gint64 after = MIN (core->last_after, gap), rest = MIN (before, gap - after);
  gint64 counted = ts_core_clipped (timeline, core->last_event, core->last_event + after)
                   + ts_core_clipped (timeline, time - rest, time);

  if (core->n_running == 0)
    core->charged_idle += counted;
  if (core->n_running == 0 && !ts_stand_ins_have_any (core))
    return;
  account (timeline, core, time);
  core->busy -= (TsInt128) counted * core->n_busy;
  core->overhead += after + rest;
}

void
ts_core_charge_overhead (TsTimeline *timeline, const TsEvent *event)
{
  TsCore           *core = ts_timeline_core (timeline, event->resource);
  const TsOverhead *overhead = find_overhead (timeline->section, event->element);
  const gint64      before = overhead != NULL ? overhead->before : 0;

  if (core->last_after + before > uncharged (core, event->time)
      && (core->n_running > 0 || ts_stand_ins_have_any (core)))
    ts_diagnostics_add (timeline->diagnostics, TS_DIAGNOSTIC_OVERHEAD_TOO_LARGE, event->line, NULL);
  charge_gap (timeline, core, event->time, before);
  core->last_event = event->time;
  core->last_after = overhead != NULL ? overhead->after : 0;
}

void
ts_core_end (TsTimeline *timeline, TsCore *core, gint64 end)
{
  /* what runs on until then has the part behind the last event */
  charge_gap (timeline, core, end, 0);
  account (timeline, core, end);
  judge_overlap (timeline, core, end);
  ts_core_settle_alone (core);
}

void
ts_core_account_head (TsTimeline *timeline, const TsJob *job)
{
  TsCore *core = job->core;
  gint64  length, beyond, cost = core->charged_idle;

  if (job->element->class != TS_CLASS_SCHEDULED)
    return;
  /* it did not run while others did, whether they were seen to start or not */
  account (timeline, core, timeline->now);
  ts_core_settle_alone (core);
  length = (gint64) MAX (ts_core_clipped (timeline, core->begin, timeline->now) - core->occupied, 0);
  beyond = (gint64) MAX (clipped_beyond (timeline, core->begin, timeline->now) - core->occupied_beyond, 0);
  core->charged_idle = 0;
  core->occupied += length;
  core->occupied_beyond += beyond;
  if (!ts_element_is_busy (job->element))
    return;
  core->busy += MAX (length - cost, 0);
  core->busy_beyond += beyond;
}

gboolean
ts_core_end_interval (TsTimeline *timeline, TsJob *job, TsJobState next, TsIntervalKind *kind, gint64 *length)
{
  *length = timeline->now - job->since;
  *kind = TS_INTERVAL_WAIT;
  if (job->state == TS_JOB_WAITING)
    return TRUE;
  /* otherwise it is ready, and goes on or begins to wait */
  *kind = TS_INTERVAL_PRE;
  /* between a release and its resume, or between a suspension and the wait that it belongs to, nothing was preempted if
     no time passed */
  if (*length == 0 && (job->was_waiting || next == TS_JOB_WAITING))
    return FALSE;
  job->facts.n_preemptions++;
  job->facts.preempted_closed += *length;
  return TRUE;
}

void
ts_core_emit_state (TsTimeline *timeline, TsJob *job, TsJobState next)
{
  TsIntervalKind kind;
  gint64         length;

  if (!ts_core_end_interval (timeline, job, next, &kind, &length))
    return;
  if (G_UNLIKELY (ts_job_was_there (job)) && job->element->class == TS_CLASS_SCHEDULED)
    ts_past_remember (timeline->past, job, kind, length);
  if (job->facts.flags & TS_INSTANCE_IN_WINDOW)
    ts_timeline_emit (timeline, kind, job->facts.element, length, job->facts.start, job->facts.number);
}

void
ts_core_emit_polling (TsTimeline *timeline, const TsJob *job)
{
  if ((job->links & TS_JOB_POLLS) && job->state == TS_JOB_RUNNING && (job->facts.flags & TS_INSTANCE_IN_WINDOW))
    ts_timeline_emit (timeline, TS_INTERVAL_POLL, job->facts.element, timeline->now - job->poll_since, job->facts.start,
                      job->facts.number);
}

void
ts_core_tell (TsTimeline *timeline, const TsJob *job)
{
  const guint resource = job->facts.resource;

  if (resource == TS_NO_RESOURCE)
    return;
  if (resource < TS_TOLD_RESOURCES)
    job->element->told |= 1u << resource;
  if (timeline->sink.ran_on != NULL)
    timeline->sink.ran_on (timeline->sink_data, job->facts.element, (guint16) resource);
}

/* An instance is published with the last of its resources only. */
static void
move_to (TsTimeline *timeline, TsJob *job, guint16 resource)
{
  if (job->facts.resource == resource)
    return;
  ts_core_leave_resource (timeline, job, resource);
  ts_job_place (timeline, job, resource);
}

/* @job goes to the @state that its task is in, if nothing of its own is against that. */
static inline void
follow (TsTimeline *timeline, TsJob *job, TsJobState state)
{
  if (job->suspended && state == TS_JOB_RUNNING)
    state = TS_JOB_READY;
  if (state != job->state)
    ts_core_set_state (timeline, job, state);
}

void
ts_core_update_callees (TsTimeline *timeline, TsJob *job)
{
  TsJob *callee = job->innermost;
  guint  n = 0;

  if (G_UNLIKELY (timeline->went_on_at == timeline->now) && job->state == TS_JOB_RUNNING)
    ts_nested_go_on_with (timeline, job);
  for (; callee != job && callee->state != TS_JOB_FOLLOWS; callee = callee->caller, n++)
    {
      if (G_UNLIKELY (callee->facts.resource != job->facts.resource))
        move_to (timeline, callee, job->facts.resource);
      follow (timeline, callee, (TsJobState) job->state);
    }
  if (G_UNLIKELY (callee != job))
    ts_followers_update (timeline, job);
  if (G_UNLIKELY (n > timeline->options.most_walked))
    ts_followers_join (timeline, job, n);
}

void
ts_core_update_nested (TsTimeline *timeline, TsJob *job)
{
  move_to (timeline, job, job->owner->facts.resource);
  follow (timeline, job, (TsJobState) job->owner->state);
}

/* With inference, what runs in a task that is not known yet (a head) does not run while others do. */
static void
update_strays (TsTimeline *timeline, TsCore *core)
{
  for (TsStandIn *each = core->stand_ins; each != NULL; each = each->next)
    {
      ts_stand_in_update (timeline, &each->job);
      ts_core_update_callees (timeline, &each->job);
    }
}

/* Rule 12: the one that @job suspends. */
static void
suspend_top (TsTimeline *timeline, TsCore *core)
{
  TsJob *top = core->top;

  if (top == NULL || top->state != TS_JOB_RUNNING)
    return;
  ts_diagnostics_add (timeline->diagnostics, TS_DIAGNOSTIC_INFERRED_PREEMPTION, ts_timeline_line (timeline), NULL);
  ts_core_emit_polling (timeline, top);
  ts_core_stop_running (timeline, top);
  ts_core_set_state (timeline, top, TS_JOB_READY);
  top->inferred_ready = TRUE;
  ts_core_update_callees (timeline, top);
}

/* The one that was suspended goes on. */
static void
resume_top (TsTimeline *timeline, TsCore *core)
{
  TsJob *top = core->top;

  if (top == NULL || top->state != TS_JOB_READY || !top->inferred_ready)
    return;
  top->inferred_ready = FALSE;
  top->poll_since = timeline->now;
  ts_core_start_running (timeline, top);
  ts_core_set_state (timeline, top, TS_JOB_RUNNING);
  ts_core_update_callees (timeline, top);
}

void
ts_core_take_from_top (TsTimeline *timeline, TsJob *job)
{
  TsCore *core = job->core;

  if (job->on_core && core->top != job)
    ts_core_unstack (job);
  if (core->top != job)
    suspend_top (timeline, core);
  job->inferred_ready = FALSE;
  job->poll_since = timeline->now;
  if (!job->on_core)
    ts_core_stack (job);
  ts_core_start_running (timeline, job);
  update_strays (timeline, core);
}

void
ts_core_give_way (TsTimeline *timeline, TsCore *core, gboolean resumes)
{
  if (resumes)
    resume_top (timeline, core);
  update_strays (timeline, core);
}

void
ts_core_enter (TsTimeline *timeline, TsJob *job, TsJobState state)
{
  if (state == TS_JOB_RUNNING && job->element->class == TS_CLASS_SCHEDULED)
    ts_core_take (timeline, job);
  ts_core_begin_state (timeline, job, state);
  ts_core_update_callees (timeline, job);
}

void
ts_core_move (TsTimeline *timeline, TsJob *job, guint16 resource)
{
  if (job->facts.resource == resource)
    return;
  if (job->on_core)
    ts_core_unstack (job);
  move_to (timeline, job, resource);
}

void
ts_core_run_on (TsTimeline *timeline, TsJob *job, guint16 resource)
{
  TsCore *core = job->core;

  ts_core_end_running (timeline, job);
  ts_core_give (timeline, job, FALSE);
  if (timeline->infers)
    ts_core_give_way (timeline, core, TRUE);
  ts_core_move (timeline, job, resource);
  ts_core_take (timeline, job);
  ts_core_begin_state (timeline, job, TS_JOB_RUNNING);
  if (job->innermost != job)
    ts_core_update_callees (timeline, job);
}

void
ts_core_leave (TsTimeline *timeline, TsJob *job, gboolean ended)
{
  if (job->element->class == TS_CLASS_NESTED)
    ts_core_leave_nested (timeline, job);
  else if (job->element->class == TS_CLASS_SCHEDULED)
    ts_core_leave_scheduled (timeline, job, ended);
  else
    ts_core_end_state (timeline, job);
}
