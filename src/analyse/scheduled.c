/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/life.h"

/* What each event does to the instances of a task or an ISR, or of an element that stands alone. */

/* What an event does to an open instance in a state: the state it goes to, or the defect that it is. */
typedef struct
{
  gint8          next; /* TsJobState, or -1 */
  TsDiagnosticId defect;
} Transition;

#define GO(state) { TS_JOB_##state, TS_DIAGNOSTIC_UNEXPECTED_STATE }
#define NO(defect) { -1, TS_DIAGNOSTIC_##defect }

static const Transition transitions[TS_N_EVENT_KINDS][TS_JOB_FROZEN + 1] = {
  [TS_EVENT_PREEMPT] = { [TS_JOB_RUNNING] = GO (READY),
                         [TS_JOB_READY] = NO (REDUNDANT_PREEMPT),
                         [TS_JOB_WAITING] = NO (REDUNDANT_PREEMPT) },
  [TS_EVENT_RESUME] = { [TS_JOB_RUNNING] = NO (REDUNDANT_RESUME),
                        [TS_JOB_READY] = GO (RUNNING),
                        [TS_JOB_WAITING] = GO (RUNNING) },
  [TS_EVENT_WAIT] = { [TS_JOB_RUNNING] = GO (WAITING),
                      [TS_JOB_READY] = NO (UNEXPECTED_STATE),
                      [TS_JOB_WAITING] = NO (UNEXPECTED_STATE) },
  [TS_EVENT_RELEASE] = { [TS_JOB_RUNNING] = NO (UNEXPECTED_STATE),
                         [TS_JOB_READY] = NO (UNEXPECTED_STATE),
                         [TS_JOB_WAITING] = GO (READY) },
  [TS_EVENT_POLL] = { [TS_JOB_RUNNING] = GO (RUNNING),
                      [TS_JOB_READY] = NO (UNEXPECTED_STATE),
                      [TS_JOB_WAITING] = NO (UNEXPECTED_STATE) },
  [TS_EVENT_RUN] = { [TS_JOB_RUNNING] = GO (RUNNING),
                     [TS_JOB_READY] = NO (UNEXPECTED_STATE),
                     [TS_JOB_WAITING] = NO (UNEXPECTED_STATE) },
  [TS_EVENT_PARK] = { [TS_JOB_RUNNING] = GO (WAITING),
                      [TS_JOB_READY] = NO (UNEXPECTED_STATE),
                      [TS_JOB_WAITING] = NO (UNEXPECTED_STATE) },
  [TS_EVENT_UNPARK] = { [TS_JOB_RUNNING] = NO (UNEXPECTED_STATE),
                        [TS_JOB_READY] = NO (UNEXPECTED_STATE),
                        [TS_JOB_WAITING] = GO (RUNNING) },
};

/* Another instance of the element runs on the resource. */
static gboolean
runs_already (TsTimeline *timeline, const TsElementState *state, guint16 resource)
{
  const TsCore *core = ts_timeline_core (timeline, resource);
  guint         n_left = core->n_running;

  if (state->class != TS_CLASS_SCHEDULED)
    {
      for (const TsJob *job = state->open; job != NULL; job = job->next)
        if (job->state == TS_JOB_RUNNING && job->facts.resource == resource)
          return TRUE;
      return FALSE;
    }
  /* those that are suspended may be thousands, if they never go on */
  for (const TsJob *job = core->top; job != NULL && n_left > 0; job = job->below)
    if (job->state == TS_JOB_RUNNING)
      {
        if (job->element == state)
          return TRUE;
        n_left--;
      }
  return FALSE;
}

static void
note_beside (TsTimeline *timeline, const TsEvent *event)
{
  TsBeside beside = { event->line, event->element, event->resource };

  g_array_append_val (timeline->besides, beside);
  ts_timeline_expect (timeline, event->time);
}

/* Whether the start says that the instance goes on; otherwise the one that is open lost its end. */
static G_GNUC_NO_INLINE gboolean
goes_on (TsTimeline *timeline, const TsElementState *state, const TsEvent *event)
{
  TsJob *job = ts_life_find (timeline, state, event);

  if (job == NULL)
    return FALSE;
  if (event->instance == TS_NO_INSTANCE || state->class != TS_CLASS_SCHEDULED
      || (job->state != TS_JOB_READY && job->state != TS_JOB_WAITING))
    {
      ts_job_abandon (timeline, job, TS_STATUS_MISSING_END);
      return FALSE;
    }
  ts_diagnostics_add (timeline->diagnostics, TS_DIAGNOSTIC_START_AS_RESUME, event->line, NULL);
  ts_core_move (timeline, job, event->resource);
  ts_core_change_scheduled (timeline, job, TS_JOB_RUNNING);
  return TRUE;
}

void
ts_scheduled_start (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsJob *job;

  state->fresh = FALSE;
  if (state->open != NULL && goes_on (timeline, state, event))
    return;
  if ((event->flags & TS_EVENT_REPLACES) && runs_already (timeline, state, event->resource))
    note_beside (timeline, event);
  job = ts_life_start (timeline, state, event, state->is_task);
  ts_job_place (timeline, job, event->resource);
  if (state->class == TS_CLASS_SCHEDULED)
    ts_core_take (timeline, job);
  ts_core_begin_state (timeline, job, TS_JOB_RUNNING);
}

void
ts_scheduled_end (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsJob *job = ts_life_find_ending (timeline, state, event);

  if (job == NULL)
    return;
  if (job->state != TS_JOB_RUNNING
      && (job->since < event->time || (state->class == TS_CLASS_SCHEDULED && !job->inferred_ready)))
    ts_diagnostics_add (timeline->diagnostics, TS_DIAGNOSTIC_END_WHILE_PREEMPTED, event->line, NULL);
  if (state->class == TS_CLASS_SCHEDULED)
    ts_core_leave_scheduled (timeline, job, TRUE);
  else
    ts_core_end_state (timeline, job);
  ts_life_close (timeline, state, job, event->time, state->is_task);
}

/* Polling is running, and is also told on its own. */
static void
note_polling (TsTimeline *timeline, TsJob *job, gboolean polls)
{
  if (job->polling && (job->facts.flags & TS_INSTANCE_IN_WINDOW))
    ts_timeline_emit (timeline, TS_INTERVAL_POLL, job->facts.element, timeline->now - job->poll_since, job->facts.start,
                      job->facts.number);
  job->polling = (guint8) polls;
  job->poll_since = timeline->now;
}

void
ts_scheduled_change (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsJob     *job = ts_life_find (timeline, state, event);
  Transition transition;

  if (G_UNLIKELY (job == NULL))
    {
      ts_head_change (timeline, state, event);
      return;
    }
  transition = transitions[event->kind][job->state];
  if (G_UNLIKELY (transition.next < 0))
    {
      /* where preemptions are inferred, the trace's own add nothing */
      if (!timeline->infers)
        ts_diagnostics_add (timeline->diagnostics, transition.defect, event->line, NULL);
      return;
    }
  if (G_UNLIKELY (job->polling || ts_event_starts_polling (event)))
    note_polling (timeline, job, ts_event_starts_polling (event));
  if (transition.next == job->state)
    return;
  job->inferred_ready = FALSE;
  if (transition.next == TS_JOB_RUNNING)
    ts_core_move (timeline, job, event->resource);
  if (state->class == TS_CLASS_SCHEDULED)
    ts_core_change_scheduled (timeline, job, (TsJobState) transition.next);
  else
    ts_core_set_state (timeline, job, (TsJobState) transition.next);
}
