/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/life.h"

/* What each event does to the instances of a task or an ISR, or of an element that stands alone. */

#define FITS (-1)
#define NO(defect) TS_DIAGNOSTIC_##defect

/* What is wrong with an event that comes in a state, or FITS. */
static const gint8 defects[TS_N_EVENT_KINDS][TS_JOB_FROZEN + 1] = {
  [TS_EVENT_PREEMPT] = { [TS_JOB_RUNNING] = FITS,
                         [TS_JOB_READY] = NO (REDUNDANT_PREEMPT),
                         [TS_JOB_WAITING] = NO (REDUNDANT_PREEMPT) },
  [TS_EVENT_RESUME] = { [TS_JOB_RUNNING] = NO (REDUNDANT_RESUME),
                        [TS_JOB_READY] = FITS,
                        [TS_JOB_WAITING] = FITS },
  [TS_EVENT_WAIT] = { [TS_JOB_RUNNING] = FITS,
                      [TS_JOB_READY] = NO (UNEXPECTED_STATE),
                      [TS_JOB_WAITING] = NO (UNEXPECTED_STATE) },
  [TS_EVENT_RELEASE] = { [TS_JOB_RUNNING] = NO (UNEXPECTED_STATE),
                         [TS_JOB_READY] = NO (UNEXPECTED_STATE),
                         [TS_JOB_WAITING] = FITS },
  [TS_EVENT_POLL] = { [TS_JOB_RUNNING] = FITS,
                      [TS_JOB_READY] = NO (UNEXPECTED_STATE),
                      [TS_JOB_WAITING] = NO (UNEXPECTED_STATE) },
  [TS_EVENT_RUN] = { [TS_JOB_RUNNING] = FITS,
                     [TS_JOB_READY] = NO (UNEXPECTED_STATE),
                     [TS_JOB_WAITING] = NO (UNEXPECTED_STATE) },
  [TS_EVENT_PARK] = { [TS_JOB_RUNNING] = FITS,
                      [TS_JOB_READY] = NO (UNEXPECTED_STATE),
                      [TS_JOB_WAITING] = NO (UNEXPECTED_STATE) },
  [TS_EVENT_UNPARK] = { [TS_JOB_RUNNING] = NO (UNEXPECTED_STATE),
                        [TS_JOB_READY] = NO (UNEXPECTED_STATE),
                        [TS_JOB_WAITING] = FITS },
};

/* The instance of the element that runs on the resource, and began to most recently; or NULL. */
static const TsJob *
find_running (TsTimeline *timeline, const TsElementState *state, guint16 resource)
{
  const TsCore *core = ts_timeline_core (timeline, resource);
  const TsJob  *job;
  guint         n_left = core->n_running;

  /* thousands of others may run there, if they never end */
  if (state->open == NULL)
    return NULL;
  if (state->class != TS_CLASS_SCHEDULED)
    {
      job = state->open;
      while (job != NULL && (job->state != TS_JOB_RUNNING || job->facts.resource != resource))
        job = job->next;
      return job;
    }
  /* those that are suspended may be thousands, if they never go on */
  for (job = core->top; job != NULL && n_left > 0; job = job->below)
    if (job->state == TS_JOB_RUNNING)
      {
        if (job->element == state)
          return job;
        n_left--;
      }
  return NULL;
}

static void
note_beside (TsTimeline *timeline, const TsEvent *event, const TsJob *older)
{
  TsBeside beside = { event->line, event->element, event->resource, older->facts.n_preemptions, older->facts.number };

  g_array_append_val (timeline->besides, beside);
  ts_timeline_expect (timeline, event->time);
}

/* Whether the start says that @job goes on; otherwise that lost its end. */
static G_GNUC_NO_INLINE gboolean
goes_on (TsTimeline *timeline, const TsElementState *state, TsJob *job, const TsEvent *event)
{
  if (event->instance == TS_NO_INSTANCE || state->class != TS_CLASS_SCHEDULED
      || (job->state != TS_JOB_READY && job->state != TS_JOB_WAITING))
    {
      ts_job_abandon (timeline, job, TS_STATUS_MISSING_END);
      return FALSE;
    }
  ts_timeline_diagnose (timeline, TS_DIAGNOSTIC_START_AS_RESUME, event->line, event->element);
  ts_core_move (timeline, job, event->resource);
  ts_core_change_scheduled (timeline, job, TS_JOB_RUNNING);
  return TRUE;
}

/* @state has instances that run beside others on @core: if several may, that will often be so. */
static void
note_crowd (TsElementState *state, const TsCore *core)
{
  if (core->is_shared && core->n_running > 1 && (state->row == TS_ROW_TASK || state->row == TS_ROW_ISR))
    state->row = TS_ROW_CROWDED;
}

static TS_ALWAYS_INLINE void
start_further (TsTimeline *timeline, TsElementState *state, const TsEvent *event, TsElementClass class,
               gboolean is_task)
{
  TsJob       *unique = ts_life_find_unique (timeline, state, event), *job = unique;
  const TsJob *older;

  if (class == TS_CLASS_SCHEDULED && (event->flags & TS_EVENT_UNSEEN))
    {
      ts_head_start_unseen (timeline, state, event);
      return;
    }
  state->fresh = FALSE;
  if (!(event->flags & TS_EVENT_UNIQUE) || event->instance == TS_NO_INSTANCE)
    job = ts_life_find (timeline, state, event, class);
  if (job != NULL && job->state != TS_JOB_PENDING)
    {
      if (goes_on (timeline, state, job, event))
        return;
      unique = ts_life_find_unique (timeline, state, event);
    }
  older = event->flags & TS_EVENT_REPLACES ? find_running (timeline, state, event->resource) : NULL;
  if (older != NULL)
    note_beside (timeline, event, older);
  job = ts_life_start (timeline, state, event, unique, is_task);
  job->facts.owner = TS_NO_ELEMENT;
  ts_job_place (timeline, job, event->resource);
  if (class == TS_CLASS_SCHEDULED)
    ts_core_take (timeline, job);
  ts_core_begin_state (timeline, job, TS_JOB_RUNNING);
  ts_fork_may_begin (timeline, state, event, job);
  note_crowd (state, job->core);
}

typedef void (*Further) (TsTimeline *timeline, TsElementState *state, const TsEvent *event);

/* @job, which has the facts of @event, has started with that, where nothing is in its way. */
static TS_ALWAYS_INLINE void
run_started (TsTimeline *timeline, TsElementState *state, TsJob *job, const TsEvent *event, TsElementClass class)
{
  state->fresh = FALSE;
  job->facts.owner = TS_NO_ELEMENT;
  job->core = ts_timeline_core (timeline, event->resource);
  ts_core_begin_state (timeline, job, TS_JOB_RUNNING);
  if (class != TS_CLASS_SCHEDULED)
    return;
  ts_core_stack (job);
  ts_core_start_running (timeline, job);
}

static TS_ALWAYS_INLINE void
start (TsTimeline *timeline, TsElementState *state, const TsEvent *event, TsElementClass class, gboolean is_task,
       Further further)
{
  TsJob *job = ts_life_start_usual (timeline, state, event, class, is_task);

  if (G_UNLIKELY (job == NULL))
    {
      further (timeline, state, event);
      return;
    }
  run_started (timeline, state, job, event, class);
}

/* Polling is running, and is also told on its own. */
static void
note_polling (TsTimeline *timeline, TsJob *job, gboolean polls)
{
  ts_core_emit_polling (timeline, job);
  job->links = (guint8) ((job->links & ~TS_JOB_POLLS) | (polls ? TS_JOB_POLLS : 0));
  job->poll_since = timeline->now;
}

/* Whether it polls from @event on. Where preemptions are inferred, it goes on as it was, whoever tells of them. */
static gboolean
polls_after (const TsTimeline *timeline, const TsJob *job, const TsEvent *event)
{
  if (timeline->infers && (event->kind == TS_EVENT_PREEMPT || event->kind == TS_EVENT_RESUME))
    return (job->links & TS_JOB_POLLS) != 0;
  return ts_event_starts_polling (event);
}

/* Whether it polls already, or does not. */
static gboolean
is_redundant_polling (const TsJob *job, const TsEvent *event)
{
  return event->kind == (job->links & TS_JOB_POLLS ? TS_EVENT_POLL : TS_EVENT_RUN);
}

/* Whether @event is written on another core than that of @job: what brought it there is lost. Where numbers are unique the
 * importer knows better. */
static gboolean
is_elsewhere (const TsJob *job, const TsEvent *event)
{
  return job->facts.resource != event->resource && job->facts.resource != TS_NO_RESOURCE && event->resource != TS_NO_RESOURCE
         && !(event->flags & TS_EVENT_UNIQUE);
}

/* @job gives up its core with @event. */
static G_GNUC_NO_INLINE void
check_core (TsTimeline *timeline, const TsJob *job, const TsEvent *event)
{
  if (job->state == TS_JOB_RUNNING && is_elsewhere (job, event))
    ts_timeline_diagnose (timeline, TS_DIAGNOSTIC_WRONG_CORE, event->line, event->element);
}

static TS_ALWAYS_INLINE void
end_further (TsTimeline *timeline, TsElementState *state, const TsEvent *event, TsElementClass class, gboolean is_task)
{
  TsJob *job = ts_life_find_ending (timeline, state, event, class);

  if (job == NULL)
    return;
  note_crowd (state, job->core);
  if (job->state != TS_JOB_RUNNING
      && (job->since < event->time || (class == TS_CLASS_SCHEDULED && !job->inferred_ready)))
    ts_timeline_diagnose (timeline, TS_DIAGNOSTIC_END_WHILE_PREEMPTED, event->line, event->element);
  if (class == TS_CLASS_SCHEDULED)
    check_core (timeline, job, event);
  if (G_UNLIKELY (job->links & TS_JOB_POLLS))
    note_polling (timeline, job, FALSE);
  if (class == TS_CLASS_SCHEDULED)
    ts_core_leave_scheduled (timeline, job, TRUE);
  else
    ts_core_end_state (timeline, job);
  ts_life_close (timeline, state, job, event->time, is_task);
}

/* Whether @job may leave its core without a call: it alone ran there, and of those that it called none is open. */
static TS_ALWAYS_INLINE gboolean
leaves_usually (const TsTimeline *timeline, const TsJob *job)
{
  return job->innermost == job && ts_core_ran_alone (timeline, job->core);
}

static TS_ALWAYS_INLINE void
end (TsTimeline *timeline, TsElementState *state, const TsEvent *event, TsElementClass class, gboolean is_task,
     Further further)
{
  TsJob *job = state->open;

  if (G_UNLIKELY (job == NULL
                  || (class == TS_CLASS_SCHEDULED
                      && (!leaves_usually (timeline, job) || job->facts.resource != event->resource))
                  || !ts_life_ends_usually (state, job, event, is_task)))
    {
      further (timeline, state, event);
      return;
    }
  ts_core_end_running (timeline, job);
  if (class == TS_CLASS_SCHEDULED)
    {
      ts_core_stop_alone (timeline, job->core);
      ts_core_unstack (job);
    }
  ts_life_close_usual (timeline, state, job, event->time, is_task);
}

/* @job goes on on @resource although it runs, or is preempted there although it did not go on: what happened in between is
 * lost, and when it did. FALSE: it is no such. */
static G_GNUC_NO_INLINE gboolean
pass_lost (TsTimeline *timeline, TsJob *job, TsJobState next, guint16 resource)
{
  if (job->state != next)
    return FALSE;
  job->facts.flags |= TS_INSTANCE_NO_CET;
  if (next == TS_JOB_RUNNING)
    ts_core_run_on (timeline, job, resource);
  else
    {
      ts_core_move (timeline, job, resource);
      ts_core_begin_state (timeline, job, next);
    }
  return TRUE;
}

/* Whether @job gives up its core with @event, but whoever took that was written before it (rule 14), and is told to have
 * suspended it. */
static gboolean
is_inferred_already (const TsTimeline *timeline, const TsJob *job, const TsEvent *event)
{
  const gboolean gives_up = event->kind == TS_EVENT_PREEMPT || event->kind == TS_EVENT_WAIT || event->kind == TS_EVENT_PARK;

  return timeline->infers && job->inferred_ready && job->since == event->time && gives_up;
}

/* The instance goes to @next, if the event fits its present state. */
static TS_ALWAYS_INLINE void
change (TsTimeline *timeline, TsElementState *state, const TsEvent *event, TsElementClass class, TsJobState next)
{
  TsJob *job = ts_life_find (timeline, state, event, class);
  int    defect;

  if (G_UNLIKELY (job == NULL))
    {
      ts_head_change (timeline, state, event);
      return;
    }
  if (class == TS_CLASS_SCHEDULED && G_UNLIKELY ((event->flags & TS_EVENT_LOST) != 0)
      && pass_lost (timeline, job, next, event->resource))
    return;
  if (class == TS_CLASS_SCHEDULED && next != TS_JOB_RUNNING && G_UNLIKELY (is_inferred_already (timeline, job, event)))
    {
      /* so it goes on with an event of its own, and not with the end of whoever took its core */
      job->inferred_ready = FALSE;
      if (next == TS_JOB_WAITING)
        ts_core_change_scheduled (timeline, job, next);
      return;
    }
  defect = defects[event->kind][job->state];
  if (next == TS_JOB_RUNNING && defect == FITS && is_redundant_polling (job, event))
    defect = NO (UNEXPECTED_STATE);
  if (G_UNLIKELY (defect != FITS))
    {
      /* where preemptions are inferred, the trace's own add nothing */
      if (!timeline->infers)
        {
          ts_timeline_diagnose (timeline, (TsDiagnosticId) defect, event->line, event->element);
          /* its preemption is lost, but not where it is now */
          if (class == TS_CLASS_SCHEDULED && defect == TS_DIAGNOSTIC_REDUNDANT_RESUME && is_elsewhere (job, event))
            ts_core_run_on (timeline, job, event->resource);
        }
      else if (job->state == TS_JOB_READY && (event->kind == TS_EVENT_POLL || event->kind == TS_EVENT_RUN))
        note_polling (timeline, job, event->kind == TS_EVENT_POLL); /* as it will go on */
      return;
    }
  if (class == TS_CLASS_SCHEDULED && next != TS_JOB_RUNNING)
    check_core (timeline, job, event);
  if (G_UNLIKELY ((job->links & TS_JOB_POLLS) || ts_event_starts_polling (event)))
    note_polling (timeline, job, polls_after (timeline, job, event));
  if (next == TS_JOB_RUNNING && job->state == TS_JOB_RUNNING)
    return; /* it begins or ends to poll */
  job->inferred_ready = FALSE;
  if (next == TS_JOB_RUNNING)
    ts_core_move (timeline, job, event->resource);
  if (class == TS_CLASS_SCHEDULED)
    ts_core_change_scheduled (timeline, job, next);
  else
    ts_core_set_state (timeline, job, next);
}

/* The open instance that an event means, if it is the obvious one and does not poll; otherwise NULL. */
static TS_ALWAYS_INLINE TsJob *
find_obvious (const TsTimeline *timeline, const TsElementState *state, const TsEvent *event)
{
  TsJob *job = state->open;

  if (job == NULL)
    return NULL;
  if (event->flags & TS_EVENT_UNIQUE)
    {
      job = ts_job_index_find (&timeline->index, event->element, event->instance);
      if (job == NULL || event->instance == TS_NO_INSTANCE)
        return NULL;
    }
  else if (job->facts.own_number != event->instance)
    return NULL;
  return G_LIKELY (!(job->links & TS_JOB_POLLS)) ? job : NULL;
}

/* The one that runs, alone on its core, gives it up and goes to @next. */
static TS_ALWAYS_INLINE void
interrupt (TsTimeline *timeline, TsElementState *state, const TsEvent *event, TsJobState next, Further further)
{
  TsJob *job = find_obvious (timeline, state, event);

  if (G_UNLIKELY (job == NULL || job->state != TS_JOB_RUNNING || job->facts.resource != event->resource
                  || !ts_core_ran_alone (timeline, job->core)))
    {
      further (timeline, state, event);
      return;
    }
  ts_core_end_running (timeline, job);
  ts_core_stop_alone (timeline, job->core);
  ts_core_unstack (job);
  job->was_waiting = FALSE;
  ts_core_begin_state (timeline, job, next);
  if (job->innermost != job)
    ts_core_update_callees (timeline, job);
}

/* One that did not run goes on, alone on its core. */
static TS_ALWAYS_INLINE void
go_on_alone (TsTimeline *timeline, TsJob *job)
{
  ts_core_stack (job);
  ts_core_start_alone (timeline, job);
  ts_core_set_state (timeline, job, TS_JOB_RUNNING);
  if (job->innermost != job)
    ts_core_update_callees (timeline, job);
}

/* The same on the core that it was on. */
static TS_ALWAYS_INLINE void
resume (TsTimeline *timeline, TsElementState *state, const TsEvent *event, Further further)
{
  TsJob *job = find_obvious (timeline, state, event);

  if (G_UNLIKELY (job == NULL || (job->state != TS_JOB_READY && job->state != TS_JOB_WAITING)
                  || job->facts.resource != event->resource || job->core->n_running > 0))
    {
      further (timeline, state, event);
      return;
    }
  go_on_alone (timeline, job);
}

/* Goals, branches and the like, whose numbers are unique: any number of an element are open at a time, and which of
 * them starts or ends next is foreseen by nobody. */

/* Whether an event is about no more than the one that has its number. */
static TS_ALWAYS_INLINE gboolean
is_plainly_unique (const TsEvent *event)
{
  return event->flags == TS_EVENT_UNIQUE && event->instance != TS_NO_INSTANCE;
}

/* That one; NULL: it is not that simple. */
static TS_ALWAYS_INLINE TsJob *
find_unique (const TsTimeline *timeline, const TsEvent *event)
{
  return G_LIKELY (is_plainly_unique (event))
             ? ts_job_index_find (&timeline->index, event->element, event->instance)
             : NULL;
}

/* The job of @sibling, which starts with @event, is made only now. There is room for it. */
static TS_ALWAYS_INLINE TsJob *
make_started (TsTimeline *timeline, TsElementState *state, const TsEvent *event, const TsSibling *sibling)
{
  TsJob *job = timeline->free_jobs;

  ts_life_make (timeline, job, state, event);
  job->facts.activation_kind = TS_EVENT_ACTIVATION_CHAINED;
  job->facts.activation = sibling->time;
  job->facts.per = sibling->per;
  ts_job_index_put (&timeline->index, job, event->element, event->instance);
  return job;
}

/* The same, in any case. */
static G_GNUC_NO_INLINE void
start_unusually (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsSibling sibling;
  TsJob    *job;

  if ((event->flags & ~TS_EVENT_DECIDES) != TS_EVENT_UNIQUE
      || !ts_sibling_take (timeline, event->element, event->instance, &sibling))
    {
      if (!(event->flags & TS_EVENT_UNIQUE))
        ts_siblings_queue (timeline);
      else if (!(event->flags & TS_EVENT_UNSEEN)) /* where it is, that would settle whose the period of its fork is */
        ts_sibling_queue (timeline, event->element, event->instance);
      ts_isr_start_further (timeline, state, event);
      return;
    }
  if (timeline->free_jobs->next == NULL)
    ts_job_add_free (timeline);
  job = make_started (timeline, state, event, &sibling);
  ts_life_begin (timeline, state, job, state->open, event,
                 TS_INSTANCE_HAS_ACTIVATION | ts_life_per_flags (timeline, sibling.time), FALSE, TRUE, TRUE);
  run_started (timeline, state, job, event, TS_CLASS_SCHEDULED);
  ts_fork_may_begin (timeline, state, event, job);
}

/* Returns the job, or NULL where somebody else has done it all. */
static TS_ALWAYS_INLINE TsJob *
start_unique (TsTimeline *timeline, TsElementState *state, const TsEvent *event, guint event_flags)
{
  TsSibling *sibling = ts_sibling_place (&timeline->siblings, (guint32) event->instance);
  TsJob     *job;
  guint      flags;

  if (ts_sibling_is (sibling, event) && event->flags == event_flags && timeline->free_jobs->next != NULL)
    {
      flags = TS_INSTANCE_HAS_ACTIVATION | ts_life_per_flags (timeline, sibling->time);
      job = make_started (timeline, state, event, sibling);
      sibling->element = TS_NO_ELEMENT;
    }
  else
    {
      job = find_unique (timeline, event);
      if (G_UNLIKELY (job == NULL || job->state != TS_JOB_PENDING))
        {
          start_unusually (timeline, state, event);
          return NULL;
        }
      ts_life_unqueue (state, job);
      flags = ts_life_start_pending (job, event);
    }
  ts_life_begin (timeline, state, job, state->open, event, flags, FALSE, TRUE, TRUE);
  run_started (timeline, state, job, event, TS_CLASS_SCHEDULED);
  return job;
}

/* The first of its fork. Apart, so that nothing has to be saved for the calls of this where others start. */
static G_GNUC_NO_INLINE void
start_first (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsJob *job = start_unique (timeline, state, event, TS_EVENT_UNIQUE | TS_EVENT_DECIDES);

  if (G_LIKELY (job != NULL))
    ts_fork_begin (timeline, state, event, job);
}

void
ts_unique_start (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  if (event->flags & TS_EVENT_DECIDES)
    start_first (timeline, state, event);
  else
    start_unique (timeline, state, event, TS_EVENT_UNIQUE);
}

void
ts_unique_end (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsJob **link = ts_job_index_link (&timeline->index, event->element, event->instance), *job = *link;

  if (G_UNLIKELY (!is_plainly_unique (event) || job == NULL || !ts_job_is_plain_with (job, TS_JOB_IS_INDEXED)
                  || !ts_core_has_told (state, job->facts.resource) || !leaves_usually (timeline, job)))
    {
      ts_isr_end_further (timeline, state, event);
      return;
    }
  ts_core_end_running (timeline, job);
  ts_core_stop_alone (timeline, job->core);
  ts_core_unstack (job);
  ts_job_index_remove_at (link);
  ts_life_close_plain (timeline, state, job, event->time, FALSE);
}

/* One that waited goes on, on whatever core is free. */
void
ts_unique_resume (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsJob *job = find_unique (timeline, event);
  gint64 waited;

  if (G_UNLIKELY (job == NULL || (job->links & TS_JOB_POLLS) || (job->state != TS_JOB_READY && job->state != TS_JOB_WAITING)
                  || ts_timeline_core (timeline, event->resource)->n_running > 0))
    {
      ts_scheduled_go_on (timeline, state, event);
      return;
    }
  ts_core_leave_resource (timeline, job, event->resource);
  ts_job_place (timeline, job, event->resource);
  if (G_UNLIKELY (job->state != TS_JOB_WAITING || job->innermost != job))
    {
      go_on_alone (timeline, job);
      return;
    }
  /* the same, with the one call last */
  waited = timeline->now - job->since;
  ts_core_stack (job);
  ts_core_start_alone (timeline, job);
  job->facts.waiting += waited;
  job->was_waiting = TRUE;
  ts_core_begin_state (timeline, job, TS_JOB_RUNNING);
  if (G_LIKELY (job->facts.flags & TS_INSTANCE_IN_WINDOW))
    ts_timeline_emit (timeline, TS_INTERVAL_WAIT, job->facts.element, waited, job->facts.start, job->facts.number);
}

/* A copy for each class and each new state: nobody can foresee which of them comes next, so all of it is decided with
 * the one jump to the handler. */
#define HANDLER(name, step, ...) \
  void ts_##name (TsTimeline *timeline, TsElementState *state, const TsEvent *event) \
  { \
    step (timeline, state, event, __VA_ARGS__); \
  }

/* Of either, where there is no need for a copy for each. */
void
ts_scheduled_start_further (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  (state->is_task ? ts_task_start_further : ts_isr_start_further) (timeline, state, event);
}

void
ts_scheduled_end_further (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  (state->is_task ? ts_task_end_further : ts_isr_end_further) (timeline, state, event);
}

/* Two of each: one for the usual case, in which there is no call but the last, and one for any. */
#define HANDLERS(name, step, ...) \
  HANDLER (name##_further, step##_further, __VA_ARGS__) \
  HANDLER (name, step, __VA_ARGS__, ts_##name##_further)

HANDLERS (task_start, start, TS_CLASS_SCHEDULED, TRUE)
HANDLERS (task_end, end, TS_CLASS_SCHEDULED, TRUE)
HANDLERS (isr_start, start, TS_CLASS_SCHEDULED, FALSE)
HANDLERS (isr_end, end, TS_CLASS_SCHEDULED, FALSE)
HANDLER (scheduled_suspend, change, TS_CLASS_SCHEDULED, TS_JOB_READY)
HANDLER (scheduled_go_on, change, TS_CLASS_SCHEDULED, TS_JOB_RUNNING)
HANDLER (scheduled_give_up, change, TS_CLASS_SCHEDULED, TS_JOB_WAITING)
HANDLER (scheduled_preempt, interrupt, TS_JOB_READY, ts_scheduled_suspend)
HANDLER (scheduled_wait, interrupt, TS_JOB_WAITING, ts_scheduled_give_up)
HANDLER (scheduled_resume, resume, ts_scheduled_go_on)
HANDLERS (alone_start, start, TS_CLASS_ALONE, FALSE)
HANDLERS (alone_end, end, TS_CLASS_ALONE, FALSE)
HANDLER (alone_suspend, change, TS_CLASS_ALONE, TS_JOB_READY)
HANDLER (alone_resume, change, TS_CLASS_ALONE, TS_JOB_RUNNING)
HANDLER (alone_wait, change, TS_CLASS_ALONE, TS_JOB_WAITING)
