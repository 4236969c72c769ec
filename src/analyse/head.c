/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/core.h"

/* Instances that were not seen to start: what was open when the section began, and what lost its start (rule 6). */

/* What the first event of an element says of the time before it (rule 6). */
static const struct
{
  gboolean ran; /* since the section began */
  gint8    next;
} heads[TS_N_EVENT_KINDS] = {
  [TS_EVENT_END] = { TRUE, -1 },
  [TS_EVENT_PREEMPT] = { TRUE, TS_JOB_READY },
  [TS_EVENT_RESUME] = { FALSE, TS_JOB_RUNNING },
  [TS_EVENT_WAIT] = { TRUE, TS_JOB_WAITING },
  [TS_EVENT_RELEASE] = { FALSE, TS_JOB_READY },
  [TS_EVENT_POLL] = { TRUE, TS_JOB_RUNNING },
  [TS_EVENT_RUN] = { TRUE, TS_JOB_RUNNING },
  [TS_EVENT_PARK] = { TRUE, TS_JOB_WAITING },
  [TS_EVENT_UNPARK] = { FALSE, TS_JOB_RUNNING },
};

gboolean
ts_head_is_possible (TsTimeline *timeline, const TsElementState *state, const TsEvent *event)
{
  if (state->fresh)
    return TRUE;
  /* a function may have been open several times, or in several tasks */
  if (event->instance == TS_NO_INSTANCE)
    return state->class == TS_CLASS_NESTED && ts_owner_is_head (timeline, event);
  for (guint i = 0; i < TS_ENDED_HEADS; i++)
    if (state->ended_heads[i] == event->instance)
      return FALSE;
  return ts_job_is_early (state, event->instance) || event->instance > state->highest_instance
         || ts_job_is_pending (timeline, state, event);
}

static TsJob *
make_head (TsTimeline *timeline, const TsElementState *state, const TsEvent *event, gboolean *since_begin)
{
  /* some producers never change the number: what was activated while the first head ran is another instance */
  *since_begin = FALSE;
  if (!state->fresh && ts_job_is_pending (timeline, state, event))
    return ts_job_start_activated (timeline, event);
  *since_begin = state->fresh || ts_job_is_early (state, event->instance);
  return ts_job_start_head (timeline, event,
                            *since_begin ? TS_DIAGNOSTIC_PARTIAL_HEAD : TS_DIAGNOSTIC_MISSING_START);
}

void
ts_head_begin (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  gboolean since_begin;
  TsJob   *job = make_head (timeline, state, event, &since_begin);

  state->fresh = FALSE;
  if (state->class == TS_CLASS_NESTED)
    job->facts.owner = ts_owner_element (ts_owner_of (timeline, event), event);
  else if (heads[event->kind].ran && since_begin)
    {
      ts_core_account_head (timeline, job);
      if (state->class == TS_CLASS_SCHEDULED)
        ts_core_adopt (timeline, job);
    }
  if (event->kind == TS_EVENT_END)
    ts_job_close (timeline, job);
  else if (state->class == TS_CLASS_NESTED)
    {
      ts_nested_enter (timeline, job, event, event->kind != TS_EVENT_RESUME);
      /* in a task that was seen to start it lost its start, and may be inside of any other */
      if (since_begin && (job->owner == NULL || job->owner->is_head))
        ts_core_put_outside (job);
    }
  else
    {
      ts_core_enter (timeline, job, (TsJobState) heads[event->kind].next);
      job->was_waiting = event->kind == TS_EVENT_RELEASE;
    }
  if (ts_event_starts_polling (event))
    {
      job->links |= TS_JOB_POLLS;
      job->poll_since = timeline->now;
    }
}

void
ts_head_end (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  if (event->instance != TS_NO_INSTANCE && ts_job_close_pending (timeline, event))
    ts_diagnostics_add (timeline->diagnostics, TS_DIAGNOSTIC_END_WHILE_PREEMPTED, event->line, NULL);
  else if (ts_head_is_possible (timeline, state, event))
    ts_head_begin (timeline, state, event);
  else
    ts_diagnostics_add (timeline->diagnostics, TS_DIAGNOSTIC_REDUNDANT_END, event->line, NULL);
}

void
ts_head_change (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsDiagnosticId defect = TS_DIAGNOSTIC_UNEXPECTED_STATE;

  if (ts_head_is_possible (timeline, state, event))
    {
      ts_head_begin (timeline, state, event);
      return;
    }
  if (event->kind == TS_EVENT_PREEMPT)
    defect = TS_DIAGNOSTIC_REDUNDANT_PREEMPT;
  else if (event->kind == TS_EVENT_RESUME)
    defect = TS_DIAGNOSTIC_REDUNDANT_RESUME;
  /* where preemptions are inferred, the trace's own add nothing */
  if (!timeline->infers)
    ts_diagnostics_add (timeline->diagnostics, defect, event->line, NULL);
}
