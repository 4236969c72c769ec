/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/life.h"

/* An instance from its activation to its publication, and the chains from one instance
 * of an element to the next: DT, PER, ST, E2S. */

/* Returns the first of them. */
TsJob *
ts_job_add_free (TsTimeline *timeline)
{
  TsJob *block = ts_arena_take (&timeline->job_memory, TS_JOBS_A_BLOCK * sizeof (TsJob));

  g_ptr_array_add (timeline->job_blocks, block);
  ts_job_index_reserve (&timeline->index, timeline->job_blocks->len * TS_JOBS_A_BLOCK);
  for (guint i = 0; i < TS_JOBS_A_BLOCK; i++)
    {
      block[i].next = timeline->free_jobs;
      timeline->free_jobs = &block[i];
    }
  return timeline->free_jobs;
}

void
ts_job_refer_all (TsTimeline *timeline)
{
  for (guint i = 0; i < timeline->job_blocks->len; i++)
    for (guint k = 0; k < TS_JOBS_A_BLOCK; k++)
      {
        TsJob *job = &((TsJob *) g_ptr_array_index (timeline->job_blocks, i))[k];

        /* those that are free refer to what they were; that may stay */
        job->element = ts_timeline_element (timeline, job->facts.element);
        ts_job_place (timeline, job, job->facts.resource);
      }
  ts_followers_refer (timeline);
  ts_stand_ins_refer (timeline);
}

/* Takes @job, which did not end, out of what is known of its element. */
static void
drop (TsTimeline *timeline, TsElementState *state, TsJob *job)
{
  if (job->state == TS_JOB_FROZEN)
    state->n_frozen--;
  if (state->last_started == job)
    state->last_started = NULL;
  if (state->is_task)
    {
      if (state->last_activated == job)
        state->last_activated = NULL;
      ts_job_leave_activations (job);
    }
  ts_life_free (timeline, job);
}

/* A sample of an interval belongs to the window that contains the later of its two events. */
static void
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

static inline void
queue (TsElementState *state, TsJob *job)
{
  TsJob *last = state->pending_last;

  job->previous = last;
  job->next = NULL;
  if (last == NULL)
    {
      state->pending = job;
      state->pending_ascends = job->facts.own_number != TS_NO_INSTANCE;
    }
  else
    {
      last->next = job;
      if (job->facts.own_number <= last->facts.own_number)
        state->pending_ascends = FALSE;
    }
  state->pending_last = job;
}

static void
make_room (TsTimeline *timeline)
{
  if (timeline->free_jobs->next == NULL)
    ts_job_add_free (timeline);
}

static void activate (TsTimeline *timeline, TsElementState *state, const TsEvent *event);

/* In the usual case there is no call, so that nothing has to be saved for one. */
static G_GNUC_NO_INLINE void
make_room_and_activate (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  make_room (timeline);
  activate (timeline, state, event);
}

/* The first free one becomes an instance that is pending since @event. There is room for it. */
static TS_ALWAYS_INLINE TsJob *
make_pending (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsJob *job = timeline->free_jobs;

  ts_life_make (timeline, job, state, event);
  job->next_activated = job->previous_activated = NULL;
  job->facts.owner = TS_NO_ELEMENT;
  job->facts.activation = event->time;
  job->facts.activation_kind = (guint8) event->kind;
  job->facts.flags = TS_INSTANCE_HAS_ACTIVATION;
  job->facts.resource = TS_NO_RESOURCE;
  job->facts.number = 0;
  if (event->flags & TS_EVENT_UNIQUE)
    ts_job_index_put (&timeline->index, job, event->element, event->instance);
  return job;
}

static TS_ALWAYS_INLINE void
activate (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsJob *job = timeline->free_jobs;

  if (G_UNLIKELY (job->next == NULL))
    {
      make_room_and_activate (timeline, state, event);
      return;
    }
  job = make_pending (timeline, state, event);
  queue (state, job);
  state->counts.activations++;
  if (event->instance != TS_NO_INSTANCE)
    {
      ts_life_note_number (state, event->instance, TRUE);
      state->lowest_activated = MIN (state->lowest_activated, ts_number_rank (event->instance));
    }

  if (state->known & TS_KNOWN_ACTIVATION)
    {
      job->facts.per = event->time - state->last_activation;
      job->facts.flags |= (guint16) ts_life_per_flags (timeline, event->time);
    }
  state->last_activation = event->time;
  state->known |= TS_KNOWN_ACTIVATION;
  if (!state->is_task)
    return;
  if (state->known & TS_KNOWN_END_FOR_ST)
    set_slack (timeline, job, event->time - state->last_end_for_st);
  else if (state->last_activated != NULL)
    {
      TsJob *last = state->last_activated;

      last->links |= TS_JOB_NEXT_ACTIVATION;
      last->next_activation = event->time;
      last->next_activated = job;
      job->previous_activated = last;
    }
  state->known &= (guint8) ~(guint) TS_KNOWN_END_FOR_ST;
  state->last_activated = job;
}

/* What waits longest may have lost its start. It keeps its place (rule 3), so each start that follows would have the
 * activation of the one before. */
static void
tell_doubt (TsTimeline *timeline, TsJob *job)
{
  job->links &= (guint8) ~TS_JOB_MAY_HAVE_ENDED;
  ts_timeline_diagnose (timeline, TS_DIAGNOSTIC_DOUBTFUL_ACTIVATION, job->facts.line, job->facts.element);
}

/* Whether the queue of @state was left alone when an instance had ended, until now, though nothing else runs: who has activations
 * to work off goes on with the next one. Where there are numbers these tell which is whose. */
static gboolean
is_left_alone (TsTimeline *timeline, const TsElementState *state, const TsEvent *event)
{
  return state->is_task && event->instance == TS_NO_INSTANCE && state->open == NULL && (state->known & TS_KNOWN_END) != 0
         && state->pending_last->facts.activation <= state->last_end && state->last_end < event->time
         && ts_timeline_core (timeline, event->resource)->n_busy == 0;
}

/* Of one that is activated while others wait. */
static G_GNUC_NO_INLINE void
look_at_queue (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  if ((state->pending->links & TS_JOB_MAY_HAVE_ENDED) != 0)
    tell_doubt (timeline, state->pending);
  else if (is_left_alone (timeline, state, event))
    ts_timeline_diagnose (timeline, TS_DIAGNOSTIC_IDLE_ACTIVATION, state->pending->facts.line, event->element);
}

/* Whether @event is of the instance @started that has started now, but was written behind its start. The file's order is the order
 * (rule 14), so that waits for another start. What was open before, or is over already, tells nothing. */
static gboolean
is_behind_start (const TsJob *started, const TsEvent *event)
{
  return !started->is_head && (started->facts.flags & TS_INSTANCE_HAS_ACTIVATION) == 0
         && started->facts.own_number == event->instance;
}

void
ts_job_activate (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  if (G_UNLIKELY (state->last_start == event->time && state->last_started != NULL)
      && is_behind_start (state->last_started, event))
    ts_timeline_diagnose (timeline, TS_DIAGNOSTIC_ACTIVATION_BEHIND_START, event->line, event->element);
  if (G_UNLIKELY (state->pending != NULL))
    look_at_queue (timeline, state, event);
  activate (timeline, state, event);
}

void
ts_unique_activate (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  /* behind the siblings before it, where numbers do not tell that */
  if (G_UNLIKELY (!(event->flags & TS_EVENT_UNIQUE)))
    ts_siblings_queue (timeline);
  ts_job_activate (timeline, state, event);
}

void
ts_job_queue (TsElementState *state, TsJob *job)
{
  queue (state, job);
}

TsJob *
ts_job_make_pending (TsTimeline *timeline, const TsEvent *event, gint64 per)
{
  TsJob *job;

  make_room (timeline);
  job = make_pending (timeline, ts_timeline_element (timeline, event->element), event);
  job->facts.per = per;
  job->facts.flags |= (guint16) ts_life_per_flags (timeline, event->time);
  return job;
}

TsJob *
ts_job_take_pending (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  const guint32 element = (guint32) (state - timeline->elements) - 1;
  TsSibling     sibling;
  TsJob        *job;

  if (!(event->flags & TS_EVENT_UNIQUE))
    ts_siblings_queue (timeline);
  else if (ts_sibling_take (timeline, element, event->instance, &sibling))
    return ts_sibling_job (timeline, &sibling);
  job = state->pending;
  if (job == NULL)
    return NULL;
  if (event->flags & TS_EVENT_UNIQUE)
    job = ts_job_index_find (&timeline->index, job->facts.element, event->instance);
  else if (event->instance != TS_NO_INSTANCE)
    job = ts_job_find_pending (timeline, state, event->instance, TRUE);
  if (job == NULL || job->state != TS_JOB_PENDING)
    return NULL;
  ts_life_unqueue (state, job);
  /* what starts with an event without a number has none from then on */
  if (G_UNLIKELY (job->links & (event->flags & TS_EVENT_UNIQUE ? TS_JOB_QUEUE_INDEXED : TS_JOB_IS_INDEXED)))
    {
      ts_job_index_remove (&timeline->index, job);
      job->links &= (guint8) ~TS_JOB_QUEUE_INDEXED;
    }
  return job;
}

gboolean
ts_job_is_pending (TsTimeline *timeline, const TsElementState *state, const TsEvent *event)
{
  if (event->instance == TS_NO_INSTANCE)
    return FALSE;
  if (!(event->flags & TS_EVENT_UNIQUE))
    ts_siblings_queue (timeline);
  return ts_sibling_waits (timeline, event->element, event->instance)
         || ts_job_find_pending (timeline, state, event->instance, FALSE) != NULL;
}

/* The open instance that an event means, by its number. */
static TsJob *
find_numbered (TsTimeline *timeline, const TsElementState *state, const TsEvent *event)
{
  const TsJob *job = state->open;

  /* a new number: a function that recurses may be open a thousand times, and so may a task whose ends are missing */
  if (!state->has_unnumbered
      && (event->instance > state->highest_instance
          || (job != NULL && job->next != NULL && event->instance > job->highest_open)))
    return NULL;
  if (state->class == TS_CLASS_NESTED && event->owner != TS_NO_ELEMENT)
    return ts_owner_choose (timeline, state, event);
  return ts_job_find_open (timeline, state, event);
}

TsJob *
ts_job_find_further (TsTimeline *timeline, const TsElementState *state, const TsEvent *event)
{
  if (event->instance != TS_NO_INSTANCE)
    return find_numbered (timeline, state, event);
  return ts_owner_choose_running (timeline, state, event);
}

/* Of an activation that never becomes an instance. */
static void
emit_activation_samples (TsTimeline *timeline, const TsJob *job)
{
  const TsInstance *facts = &job->facts;

  if ((facts->flags & TS_INSTANCE_COUNTS_PER) && !ts_system_get_element (timeline->system, facts->element)->is_queue)
    ts_timeline_emit (timeline, TS_INTERVAL_PER, facts->element, facts->per, facts->activation, facts->number);
  if (facts->flags & TS_INSTANCE_COUNTS_ST)
    ts_timeline_emit (timeline, TS_INTERVAL_ST, facts->element, facts->st, facts->activation, facts->number);
}

TsJob *
ts_job_take_over (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsElementState *owner = ts_timeline_element (timeline, event->owner);
  TsJob          *job = ts_job_take_pending (timeline, owner, event);

  if (job == NULL)
    return NULL;
  if (job->links & TS_JOB_IS_INDEXED)
    ts_job_index_remove (&timeline->index, job);
  /* which is that of the other element */
  job->facts.flags &= (guint16) ~(TS_INSTANCE_HAS_PER | TS_INSTANCE_COUNTS_PER);
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
  TsJob          *job = event->flags & TS_EVENT_WITHDRAWN ? ts_job_take_pending (timeline, state, event) : NULL;

  if (job == NULL)
    return;
  ts_fork_withdraw (timeline, state, event, job);
  state->counts.activations--;
  drop (timeline, state, job);
}

/* The one that started next, if it is still open: it was opened after @job, whose links still lead there. */
static TsJob *
find_next_started (const TsJob *job)
{
  TsJob *next = job->previous;

  while (next != NULL && next->is_head)
    next = next->previous;
  return next != NULL && next->facts.start == job->next_start && next->facts.number == job->next_start_number
                 && !(next->facts.flags & TS_INSTANCE_HAS_E2S)
             ? next
             : NULL;
}

void
ts_job_emit_next_start (TsTimeline *timeline, const TsJob *job)
{
  ts_job_tell_next_start (timeline, job, timeline->options.gives_e2s ? find_next_started (job) : NULL);
}

void
ts_job_tell_next_start (TsTimeline *timeline, const TsJob *job, TsJob *next)
{
  const gint64 e2s = job->next_start - job->facts.end;

  /* a sample may lie elsewhere than that instance: its later event is this end */
  emit_chain (timeline, TS_INTERVAL_E2S, job->facts.element, e2s, job->next_start, job->next_start_number);
  if (next == NULL || !timeline->options.gives_e2s)
    return;
  next->facts.e2s = e2s;
  next->facts.flags |= TS_INSTANCE_TOLD_E2S;
  if (!next->element->is_task)
    {
      next->facts.st = e2s;
      next->facts.flags |= TS_INSTANCE_HAS_ST;
    }
}

void
ts_job_emit_next_slack (TsTimeline *timeline, TsJob *job)
{
  gint64 slack = job->next_activation - job->facts.end;

  if (job->next_activated != NULL)
    set_slack (timeline, job->next_activated, slack);
  else
    emit_chain (timeline, TS_INTERVAL_ST, job->facts.element, slack, job->next_activation, job->next_activation_number);
}

static void
close_at (TsTimeline *timeline, TsJob *job, gint64 end)
{
  ts_core_leave (timeline, job, TRUE);
  ts_life_close (timeline, job->element, job, end, job->element->is_task);
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

/* Whether the events of @job said that no two have its number. */
static gboolean
is_unique (const TsJob *job)
{
  return (job->links & (TS_JOB_IS_INDEXED | TS_JOB_QUEUE_INDEXED)) == TS_JOB_IS_INDEXED;
}

/* Whether @job, which does not run, is rather over: instances of tasks and ISRs go in the order of their numbers, and one of a
 * higher number has ended. Unique numbers have no order. */
static gboolean
was_passed (const TsElementState *state, const TsJob *job)
{
  return state->class == TS_CLASS_SCHEDULED && !is_unique (job) && job->state != TS_JOB_RUNNING
         && job->facts.own_number != TS_NO_INSTANCE && job->facts.own_number < ts_life_latest_ended (state);
}

void
ts_job_tell_unfinished (const TsTimeline *timeline, TsJob *job, gint64 end)
{
  job->facts.end = end;
  if (timeline->sink.unfinished != NULL)
    timeline->sink.unfinished (timeline->sink_data, &job->facts);
}

/* The same of one that was activated, and did not start. An alternative need not ever be tried, and what waits for another element
 * is none of its own. */
static void
tell_waiting (TsTimeline *timeline, TsJob *job)
{
  const TsElement *element = ts_system_get_element (timeline->system, job->facts.element);

  if (element->type == TS_TYPE_BRANCH || element->is_queue || was_passed (job->element, job))
    return;
  job->facts.flags = TS_INSTANCE_HAS_ACTIVATION;
  if (ts_timeline_in_window (timeline, job->facts.activation))
    job->facts.flags |= TS_INSTANCE_IN_WINDOW;
  job->facts.status = TS_STATUS_PARTIAL_TAIL;
  ts_job_tell_unfinished (timeline, job, timeline->now);
}

void
ts_job_abandon (TsTimeline *timeline, TsJob *job, TsInstanceStatus status)
{
  TsElementState *state = job->element;
  const gboolean  is_passed = was_passed (state, job);

  /* like a preemption, waiting whose end was not seen is no sample, and in no sum */
  if (job->state == TS_JOB_WAITING)
    job->facts.waiting -= timeline->now - job->since;
  ts_core_leave (timeline, job, FALSE);
  ts_life_unlink (&state->open, job);
  /* it is in TsTimeline.went_on, maybe */
  if (state->class == TS_CLASS_NESTED)
    job->links &= (guint8) ~TS_JOB_WENT_ON;
  if (status == TS_STATUS_MISSING_END)
    {
      ts_timeline_diagnose (timeline, TS_DIAGNOSTIC_MISSING_END, ts_timeline_line (timeline), job->facts.element);
      ts_core_take_back (timeline, job);
      ts_life_note_ended (state, job, state->is_task);
    }
  else if (!job->is_head)
    ts_timeline_diagnose (timeline, TS_DIAGNOSTIC_PARTIAL_TAIL, job->facts.line, job->facts.element);
  if (job->is_head)
    {
      ts_past_forget (timeline->past, job);
      status = TS_STATUS_PARTIAL_HEAD;
      state->counts.partial_head++;
    }
  else if (status == TS_STATUS_MISSING_END)
    state->counts.missing_end++;
  else
    state->counts.partial_tail++;
  ts_life_publish (timeline, state, job, status, 0);
  if (status != TS_STATUS_MISSING_END && !is_passed)
    ts_job_tell_unfinished (timeline, job, timeline->now);
  drop (timeline, state, job);
}

/* Of one that is pending: see ts_event_has_own_number(). */
static gboolean
has_own_number (const TsElementState *state, const TsJob *job)
{
  return job->facts.own_number != TS_NO_INSTANCE && (state->is_task || !is_unique (job));
}

/* The pending job of @state that comes first, or that of the first of *n siblings at *next, which move on: in no queue. */
static TsJob *
take_first_pending (TsTimeline *timeline, TsElementState *state, const TsSibling **next, guint *n)
{
  TsJob *job = state->pending;

  if (*n > 0 && (job == NULL || (*next)->instance < job->facts.own_number))
    {
      --*n;
      return ts_sibling_job (timeline, (*next)++);
    }
  if (job != NULL)
    ts_life_unlink (&state->pending, job);
  return job;
}

void
ts_job_drop_pending (TsTimeline *timeline, TsElementState *state)
{
  const guint32    element = (guint32) (state - timeline->elements) - 1;
  const TsSibling *next = NULL;
  guint            n = ts_waiting_of (&timeline->siblings.waiting, element, &next);
  /* of those that have none of their own, which come last */
  gint64           number = state->is_task ? MAX (state->n_started, state->highest_instance) : state->n_started;
  TsJob           *job;

  while ((job = take_first_pending (timeline, state, &next, &n)) != NULL)
    {
      if (has_own_number (state, job))
        job->facts.number = job->facts.own_number;
      else
        {
          /* behind an error event the next one that starts has another number */
          job->facts.number = ++number;
          state->n_started++;
          state->counts.starts--; /* it did not */
        }
      ts_unsure_settle (timeline, state, job->facts.own_number, job);
      emit_activation_samples (timeline, job);
      ts_timeline_diagnose (timeline, TS_DIAGNOSTIC_PENDING, job->facts.line, job->facts.element);
      state->counts.pending++;
      tell_waiting (timeline, job);
      drop (timeline, state, job);
    }
  state->pending_last = NULL;
}

void
ts_job_forget_chains (TsElementState *state)
{
  state->last_started = NULL;
  state->last_activated = NULL;
  state->known = 0;
  state->has_last_write = FALSE;
  state->last_write = 0; /* or the latest unsure fork */
  state->fresh = TRUE;
  state->has_first_start = FALSE;
  for (guint i = 0; i < TS_ENDED_NUMBERS; i++)
    state->ended_numbers[i] = TS_NO_INSTANCE;
  if (state->class == TS_CLASS_NESTED)
    state->started_in = TS_NO_ELEMENT;
  state->lowest_begun = state->lowest_activated = G_MAXUINT32;
  state->told = TS_TOLD_BY_OTHERS;
  state->highest_instance = state->highest_head = TS_NO_INSTANCE;
  state->has_unnumbered = state->open != NULL;
}

void
ts_job_settle_counts (TsElementState *state)
{
  state->counts.starts += (guint64) state->n_started;
  state->counts.ends += (guint64) state->n_ended;
  state->counts.complete += (guint64) state->n_ended;
  state->n_started = state->n_ended = 0;
}
