/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/life.h"

/* Elements on resources that several may have at a time, as claims on a memory are: how many of their instances are open,
 * which of them ends next, and whether others have the resource, too, is foreseen by nobody. So nothing of that is asked here.
 * Whatever is odd, or only different, is left to scheduled.c as it is. */

/* So many open ones are gone through to find a number. */
#define MOST_STEPS 16

/* Whether all that @core did until now is within the window of LOAD, or it did nothing. */
static TS_ALWAYS_INLINE gboolean
is_counted_plainly (const TsTimeline *timeline, const TsCore *core)
{
  return core->is_shared
         & ((core->n_running == 0) | ((core->accounted >= timeline->clip_from) & (timeline->now <= timeline->clip_to)));
}

/* Counts the load of @core up to now, as ts_core_stop_alone() does for one: it is the time in which anybody has it. */
static TS_ALWAYS_INLINE void
count_load (const TsTimeline *timeline, TsCore *core)
{
  const gint64 to = MAX (core->accounted, timeline->now);
  const gint64 length = (to - core->accounted) & -(gint64) (core->n_running > 0);

  core->accounted = to;
  core->alone += length;
  core->idle_alone += length & -(gint64) (core->n_busy == 0);
}

/* ts_core_stack() and ts_core_unstack(), where others are there or not. */

static TS_ALWAYS_INLINE void
enter_stack (TsCore *core, TsJob *job)
{
  TsJob  *below = core->top, *nobody;
  TsJob **to_above = below != NULL ? &below->above : &nobody;

  *to_above = job;
  job->below = below;
  job->above = NULL;
  job->on_core = TRUE;
  core->top = job;
}

static TS_ALWAYS_INLINE void
leave_stack (TsCore *core, TsJob *job)
{
  TsJob  *below = job->below, *above = job->above, *nobody;
  TsJob **to_below = above != NULL ? &above->below : &core->top;
  TsJob **to_above = below != NULL ? &below->above : &nobody;

  *to_below = below;
  *to_above = above;
  job->on_core = FALSE;
}

/* Whether an instance that starts with @event is none that is known. */
static TS_ALWAYS_INLINE gboolean
is_new (const TsElementState *state, const TsEvent *event)
{
  return (state->open == NULL) | ((event->instance > state->highest_instance) & (state->has_unnumbered == 0));
}

void
ts_crowded_start (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  const gboolean is_task = state->is_task;
  TsCore        *core = ts_timeline_core (timeline, event->resource);
  TsJob         *job = timeline->free_jobs;

  if (G_UNLIKELY (event->flags != 0 || !is_new (state, event) || state->pending != NULL || !(state->known & TS_KNOWN_START)
                  || job->next == NULL || !is_counted_plainly (timeline, core)
                  || (is_task && (state->known & TS_KNOWN_ACTIVATION))))
    {
      ts_scheduled_start_further (timeline, state, event);
      return;
    }
  ts_life_make (timeline, job, state, event);
  if (is_task)
    ts_life_lack_activation (state, job);
  ts_life_begin (timeline, state, job, state->open, event, 0, is_task, FALSE, TRUE);
  state->fresh = FALSE;
  job->facts.owner = TS_NO_ELEMENT;
  job->core = core;
  ts_core_begin_state (timeline, job, TS_JOB_RUNNING);
  enter_stack (core, job);
  count_load (timeline, core);
  core->n_running++;
  core->n_busy += ts_element_is_busy (state);
}

/* The open instance that @event means; NULL: it is not among the first ones. */
static TS_ALWAYS_INLINE TsJob *
find_open (const TsElementState *state, const TsEvent *event)
{
  TsJob *job = state->open;

  for (guint n = 0; job->facts.own_number != event->instance; n++)
    {
      job = job->next;
      if (job == NULL || n == MOST_STEPS)
        return NULL;
    }
  return job;
}

void
ts_crowded_end (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsJob *job = NULL;

  if (G_LIKELY (state->open != NULL && event->flags == 0 && (state->has_unnumbered == 0 || state->open->next == NULL)))
    job = find_open (state, event);
  if (G_UNLIKELY (job == NULL || !ts_job_is_plain_with (job, 0) || job->innermost != job
                  || !ts_core_has_told (state, job->facts.resource) || !is_counted_plainly (timeline, job->core)))
    {
      ts_scheduled_end_further (timeline, state, event);
      return;
    }
  ts_core_end_running (timeline, job);
  count_load (timeline, job->core);
  job->core->n_running--;
  job->core->n_busy -= ts_element_is_busy (state);
  leave_stack (job->core, job);
  ts_life_close_plain (timeline, state, job, event->time, state->is_task);
}
