/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/life.h"
#include "analyse/unseen.h"

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

/* Whether @event may be written before its task goes on at the same time (rule 10): another task has just ended or was
 * suspended, or nothing but ends was seen of the element. */
static gboolean
goes_before_task (TsTimeline *timeline, const TsElementState *state, const TsEvent *event)
{
  const TsCore *core = ts_timeline_core (timeline, event->resource);

  return event->kind == TS_EVENT_RESUME && event->owner == TS_NO_ELEMENT
         && ts_timeline_runner (timeline, event->resource) == NULL
         && (core->accounted == event->time || !(state->known & TS_KNOWN_START));
}

/* Whether it is one of the latest that did. */
static gboolean
has_ended (const TsElementState *state, gint32 instance)
{
  guint i = 0;

  while (i < TS_ENDED_NUMBERS && state->ended_numbers[i] != instance)
    i++;
  return i < TS_ENDED_NUMBERS;
}

/* So many of the latest that ended are to be behind a number: one of them may have been open for long. */
#define MOST_LONG 3

/* How many of @n numbers that ended, from the one at @first on, are below @instance. */
static guint
n_ended_below (const TsElementState *state, guint first, guint n, gint32 instance)
{
  guint n_below = 0;

  for (guint i = 0; i < n; i++)
    {
      const gint32 ended = state->ended_numbers[(first + i) % TS_ENDED_NUMBERS];

      n_below += ended != TS_NO_INSTANCE && ended < instance;
    }
  return n_below;
}

/* Whether more have ended than are known: otherwise all that ended are. */
static gboolean
have_more_ended (const TsElementState *state)
{
  return state->ended_numbers[state->n_ended_numbers % TS_ENDED_NUMBERS] != TS_NO_INSTANCE;
}

/* Whether the number of a function is not the highest, and none of the latest that ended, though those that ended first of these
 * have lower ones: it is not likely to have ended before them. */
static gboolean
was_passed_over (const TsElementState *state, gint32 instance)
{
  const guint oldest = state->n_ended_numbers;

  if (state->class != TS_CLASS_NESTED || instance >= state->highest_instance)
    return FALSE;
  return have_more_ended (state) ? n_ended_below (state, oldest, MOST_LONG, instance) == MOST_LONG
                                 : n_ended_below (state, oldest, TS_ENDED_NUMBERS, instance) > 0;
}

/* The same of a task, or of an ISR that is not activated, where one of a higher number has started before, or numbers begin anew.
 * What is not open, and none of the latest that ended, is not likely to be over, if those are all that ended, or have lower ones. */
static gboolean
may_be_unseen (const TsElementState *state, gint32 instance)
{
  const guint oldest = state->n_ended_numbers;

  if (state->class != TS_CLASS_SCHEDULED || (!state->is_task && state->lowest_activated != G_MAXUINT32))
    return FALSE;
  return !have_more_ended (state) || n_ended_below (state, oldest, MOST_LONG, instance) == MOST_LONG
         || n_ended_below (state, oldest + TS_ENDED_NUMBERS - MOST_LONG, MOST_LONG, instance) == MOST_LONG;
}

/* Whether @event can be the first one of an instance that was not seen to start: any instance
 * of an element without events, later one with a number that was not seen. Instances of
 * runnables need not start in the order of their numbers. */
static gboolean
is_possible (TsTimeline *timeline, const TsElementState *state, const TsEvent *event)
{
  /* a function may have been open several times, or in several tasks */
  if (state->fresh || ts_unseen_is_in_named_head (timeline, state, event) || ts_unseen_is_first (timeline, state, event))
    return TRUE;
  if (event->instance == TS_NO_INSTANCE)
    return state->class == TS_CLASS_NESTED
           && (ts_owner_is_head (timeline, event) || goes_before_task (timeline, state, event));
  if (ts_job_is_pending (timeline, state, event))
    return TRUE;
  if (has_ended (state, event->instance))
    return FALSE;
  return ts_job_is_early (state, event->instance) || event->instance > state->highest_instance
         || was_passed_over (state, event->instance) || may_be_unseen (state, event->instance);
}

/* Of thousands nobody asks. */
#define MOST_OTHERS 64

/* Whether @number is above @other, and by @most at the most. */
static gboolean
is_little_above (gint32 number, gint32 other, guint most)
{
  return number > other && (gint64) number - other <= most;
}

/* Whether @job, a task or ISR that has lost its start, began before others: those of higher numbers that are open, or ended lately.
 * Where numbers begin anew that is not known, but for one that was activated, or has the number behind that of the latest. */
static gboolean
began_before_others (const TsElementState *state, const TsJob *job)
{
  const gint32 instance = job->facts.own_number;
  guint        n = 0;

  if (state->class != TS_CLASS_SCHEDULED || instance == TS_NO_INSTANCE || instance >= state->highest_instance)
    return FALSE;
  for (guint i = 0; i < TS_ENDED_NUMBERS; i++)
    if (is_little_above (state->ended_numbers[i], instance, TS_ENDED_NUMBERS))
      return TRUE;
  for (const TsJob *other = state->open; other != NULL && n < MOST_OTHERS; other = other->next, n++)
    if (is_little_above (other->facts.own_number, instance, TS_ENDED_NUMBERS))
      return TRUE;
  return !(job->facts.flags & TS_INSTANCE_HAS_ACTIVATION)
         && !is_little_above (instance, ts_life_latest_ended (state), MOST_LONG);
}

/* @job began in this section, but when is not known: so DT of the instance that starts next is not, either, and its E2S
 * is measured from the end of @job. Where @others are open, nobody knows the order of those that ended, but for tasks and ISRs,
 * of which the highest number started last. */
static void
chain_lost_start (TsElementState *state, TsJob *job, const TsJob *others)
{
  const TsJob   *last = state->last_started;
  const gboolean is_highest = state->class == TS_CLASS_SCHEDULED && job->facts.own_number != TS_NO_INSTANCE
                              && job->facts.own_number == state->highest_instance;

  if ((last != NULL && job->facts.own_number < last->facts.own_number) || was_passed_over (state, job->facts.own_number)
      || began_before_others (state, job))
    return;
  state->known &= (guint8) ~(TS_KNOWN_START | ts_life_known_end (state->is_task));
  state->last_started = last != NULL || others == NULL || is_highest ? job : NULL;
}

/* Whether all @jobs were seen to start. */
static gboolean
have_started (const TsJob *jobs)
{
  guint n = 0;

  for (; jobs != NULL && !jobs->is_head && n < MOST_OTHERS; jobs = jobs->next)
    n++;
  return jobs == NULL;
}

/* The same where numbers say nothing of the order, as siblings start in any: @job is known to be the last one to start only
 * if all that started had before it was activated, those of the @others that are open with them. */
static void
chain_lost_sibling (TsElementState *state, TsJob *job, const TsJob *others)
{
  const gboolean is_first = others == NULL && state->n_started == 1;
  const gboolean is_last = is_first
                           || ((state->known & TS_KNOWN_START) && state->last_start < job->facts.activation
                               && have_started (others));

  state->known &= (guint8) ~(TS_KNOWN_START | ts_life_known_end (state->is_task));
  state->last_started = is_last ? job : NULL;
}

static void
open_unstarted (TsTimeline *timeline, TsElementState *state, TsJob *job, const TsEvent *event)
{
  job->owner = job->caller = NULL;
  ts_life_index (timeline, job, event);
  ts_life_push_open (timeline, state, job, state->open, FALSE);
  ts_life_number (state, job, event, FALSE, state->is_task);
  ts_job_place (timeline, job, event->resource);
  state->counts.starts--; /* it is none of those that started */
  job->is_head = TRUE;
}

/* There @job is told to be, whether it started then or not. */
static void
put_at (const TsTimeline *timeline, TsJob *job, gint64 time)
{
  job->facts.start = time;
  if (ts_timeline_in_window (timeline, time))
    job->facts.flags |= TS_INSTANCE_IN_WINDOW;
}

/* @job, which was activated, has lost its start only, and @event is its first one. It is still to be chained. */
static void
open_activated (TsTimeline *timeline, TsElementState *state, TsJob *job, const TsEvent *event)
{
  ts_timeline_diagnose (timeline, TS_DIAGNOSTIC_MISSING_START, event->line, event->element);
  job->facts.own_number = event->instance;
  job->facts.line = event->line;
  open_unstarted (timeline, state, job, event);
  put_at (timeline, job, event->time);
}

/* One whose activation is pending. */
static TsJob *
start_activated (TsTimeline *timeline, const TsEvent *event)
{
  TsElementState *state = ts_timeline_element (timeline, event->element);
  TsJob          *job = ts_job_take_pending (timeline, state, event);

  open_activated (timeline, state, job, event);
  chain_lost_start (state, job, job->next);
  return job;
}

void
ts_head_start_unseen (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  const gboolean is_of_owner = (event->flags & TS_EVENT_FROM_OWNER) && event->owner < timeline->n_elements;
  TsJob         *job;

  job = is_of_owner ? ts_job_take_over (timeline, state, event) : ts_job_take_pending (timeline, state, event);
  if (job == NULL)
    return;
  state->fresh = FALSE;
  job->facts.owner = TS_NO_ELEMENT;
  open_activated (timeline, state, job, event);
  chain_lost_sibling (state, job, job->next);
  ts_fork_may_begin (timeline, state, event, job);
  ts_core_adopt (timeline, job, FALSE);
  ts_core_enter (timeline, job, TS_JOB_READY);
}

/* Of several heads, the one with the highest number started last, whoever ends first. */
static void
prefer_later_head (TsElementState *state, gint32 instance)
{
  if (!(state->known & TS_KNOWN_START) && instance > state->highest_head)
    {
      state->last_started = NULL;
      state->known &= (guint8) ~ts_life_known_end (state->is_task);
    }
  state->highest_head = MAX (state->highest_head, instance);
}

/* One that is open, in no state yet. */
static TsJob *
start_head (TsTimeline *timeline, const TsEvent *event, gboolean since_begin)
{
  TsElementState *state = ts_timeline_element (timeline, event->element);
  TsJob          *job = ts_life_new (timeline, state, event);
  const gint32    highest = state->highest_instance;

  ts_timeline_diagnose (timeline, since_begin ? TS_DIAGNOSTIC_PARTIAL_HEAD : TS_DIAGNOSTIC_MISSING_START, event->line,
                        event->element);
  ts_sibling_queue (timeline, event->element, event->instance); /* one of its number, which is found behind it */
  job->facts.owner = TS_NO_ELEMENT;
  if (event->instance != TS_NO_INSTANCE)
    prefer_later_head (state, event->instance);
  open_unstarted (timeline, state, job, event);
  job->facts.flags = 0;
  /* an error event of its resource is such a beginning, too; and what lost its start is there from its first event on */
  put_at (timeline, job, since_begin ? job->core->begin : event->time);
  if (!since_begin)
    chain_lost_start (state, job, job->next);
  /* of several, the one that ends first was the last to start */
  else if (state->last_started == NULL && !(state->known & (TS_KNOWN_START | TS_KNOWN_END)))
    state->last_started = job;
  if (state->is_task)
    ts_job_chain_head (timeline, state, job, highest, since_begin);
  return job;
}

/* Whether nothing was seen of an element but that two wait under the number of @event: then that does not tell one from
 * the other, so the first event is of what was there before, as where there is no number. */
static gboolean
waits_twice (const TsElementState *state, const TsEvent *event)
{
  guint n = 0;

  if (!state->fresh || (event->flags & TS_EVENT_UNIQUE) || state->pending_ascends)
    return FALSE;
  for (const TsJob *job = state->pending; job != NULL && n < 2; job = job->next)
    n += job->facts.own_number == event->instance;
  return n == 2;
}

static TsJob *
make_head (TsTimeline *timeline, const TsElementState *state, const TsEvent *event, gboolean *since_begin)
{
  const gboolean is_twice = waits_twice (state, event);

  *since_begin = FALSE;
  if (!is_twice && ts_job_is_pending (timeline, state, event))
    return start_activated (timeline, event);
  /* even if nothing has happened but activations: a higher number than theirs came later */
  *since_begin = is_twice || ts_job_is_early (state, event->instance) || ts_unseen_is_in_named_head (timeline, state, event)
                 || ts_unseen_is_first (timeline, state, event);
  return start_head (timeline, event, *since_begin);
}

/* Whether what was there before the section began may be just before @instance, the first one that was seen to start: if both
 * have numbers, there is none between them, but for those of activations that failed. */
static gboolean
follows_head (const TsTimeline *timeline, const TsElementState *state, const TsJob *job)
{
  const gint32 instance = job->facts.own_number, head = state->highest_head;

  if (instance == TS_NO_INSTANCE || head == TS_NO_INSTANCE || instance == head || instance - 1 == head)
    return TRUE;
  return instance > head && ts_past_have_failed (timeline->past, job->facts.element, head + 1, instance - 1);
}

void
ts_head_note_first_start (const TsTimeline *timeline, TsElementState *state, TsJob *job, TsJob *before)
{
  const gint32   instance = job->facts.own_number;
  const gboolean is_lowest = ts_number_rank (instance) == state->lowest_begun;
  const gboolean is_far = is_lowest && !follows_head (timeline, state, job);

  if (state->n_started == 1 || is_far)
    {
      /* unless one before it was activated and has lost its start */
      state->has_first_start = is_lowest;
      state->first_start = job->facts.start;
    }
  if (!is_far)
    return;
  job->facts.flags &= (guint16) ~ts_life_known_end (state->is_task);
  if (before != NULL)
    before->links &= (guint8) ~(guint) TS_JOB_NEXT_START;
}

/* The first instance of @state that was seen to start, if it is still open: of several at one time the one that was opened
 * first. */
static TsJob *
find_first_started (const TsElementState *state)
{
  TsJob *first = NULL;

  for (TsJob *job = state->open; job != NULL; job = job->next)
    if (!job->is_head && job->facts.start == state->first_start)
      first = job;
  return first;
}

void
ts_head_tell_first_start (TsTimeline *timeline, TsElementState *state, TsJob *job)
{
  const gint32   instance = job->facts.own_number;
  const gboolean is_numbered = ts_owner_numbers_are_meant (state, instance);

  if (!ts_job_was_there (job) || state->first_start < job->facts.start)
    return;
  /* of several that were there, the one with the number before that, or else the one that ends first, was the last to start */
  if (is_numbered ? ts_number_rank (instance) + 1 != state->lowest_begun : state->n_started > TS_FEW_STARTED)
    return;
  state->has_first_start = FALSE;
  job->next_start = state->first_start;
  job->next_start_number = is_numbered ? instance + 1 : instance != TS_NO_INSTANCE ? instance : 1;
  ts_job_tell_next_start (timeline, job, find_first_started (state));
}

/* The instance that was there before, and was suspended on @core at @time, as the last one; or NULL. */
static TsJob *
find_suspended_head (TsTimeline *timeline, const TsCore *core, gint64 time)
{
  TsJob *job;

  if (core->suspended_head == TS_NO_ELEMENT || core->suspended_time != time)
    return NULL;
  job = ts_timeline_element (timeline, core->suspended_head)->open;
  while (job != NULL && !(job->is_head && job->core == core && job->state == TS_JOB_READY && job->since == time))
    job = job->next;
  return job;
}

/* Who owns what was there before, and has @event as its first one. What is suspended is not in the task that begins at that
 * time, but in the one that is suspended with it, which may be told before or behind it (rule 10). */
static TsJob *
owner_of_head (TsTimeline *timeline, const TsEvent *event)
{
  TsJob *owner = ts_owner_of (timeline, event);

  if (event->owner != TS_NO_ELEMENT || event->kind != TS_EVENT_PREEMPT
      || (owner != NULL && (owner->is_head || owner->facts.start < event->time)))
    return owner;
  return find_suspended_head (timeline, ts_timeline_core (timeline, event->resource), event->time);
}

/* Begins an instance that was not seen to start, which is at once in the state that follows from @event. */
static void
begin (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  gboolean since_begin;
  TsJob   *job = make_head (timeline, state, event, &since_begin), *owner = NULL;

  state->fresh = FALSE;
  if (state->class == TS_CLASS_NESTED)
    {
      owner = owner_of_head (timeline, event);
      job->facts.owner = ts_owner_element (owner, event);
      job->facts.owner_instance = owner != NULL ? owner->facts.number : TS_NO_INSTANCE;
      ts_unseen_remember (timeline, state, event);
      if (since_begin && heads[event->kind].ran && owner != NULL && ts_job_was_there (owner))
        ts_past_recall (timeline, job, owner);
    }
  else
    {
      if (heads[event->kind].ran && since_begin)
        ts_core_account_head (timeline, job);
      if (state->class == TS_CLASS_SCHEDULED)
        ts_core_adopt (timeline, job, !heads[event->kind].ran && since_begin);
    }
  if (event->kind == TS_EVENT_END)
    ts_job_close (timeline, job);
  else if (state->class == TS_CLASS_NESTED)
    {
      ts_nested_enter (timeline, job, owner, event, event->kind != TS_EVENT_RESUME);
      /* where its task goes on behind it in the file, nothing is suspended in between */
      job->was_waiting = job->state == TS_JOB_READY && event->kind == TS_EVENT_RESUME;
      /* in a task that was seen to start it lost its start, and may be inside of any other */
      if (since_begin && job->owner->is_head)
        ts_core_put_outside (timeline, job);
    }
  else
    {
      ts_core_enter (timeline, job, (TsJobState) heads[event->kind].next);
      job->was_waiting = event->kind == TS_EVENT_RELEASE;
      if (state->class == TS_CLASS_SCHEDULED && job->state == TS_JOB_READY && heads[event->kind].ran)
        {
          job->core->suspended_head = event->element;
          job->core->suspended_time = event->time;
        }
    }
  if (ts_event_starts_polling (event))
    {
      job->links |= TS_JOB_POLLS;
      job->poll_since = timeline->now;
    }
}

/* Rule 8: an instance ends that was activated, but not seen to start. FALSE: none is pending that fits @event. */
static gboolean
close_pending (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsJob *job = ts_job_take_pending (timeline, state, event);

  if (job == NULL)
    return FALSE;
  job->facts.number = event->instance;
  if (!ts_event_has_own_number (event, state->is_task))
    {
      job->facts.number = ++state->n_started;
      state->counts.starts--; /* it is none of those that started */
    }
  ts_job_place (timeline, job, event->resource);
  /* what was seen to run in it ends with it */
  if (state->class == TS_CLASS_SCHEDULED)
    {
      ts_core_adopt (timeline, job, FALSE);
      ts_core_freeze_callees (timeline, job);
    }
  job->facts.end = timeline->now;
  put_at (timeline, job, timeline->now);
  if (event->flags & TS_EVENT_UNIQUE)
    chain_lost_sibling (state, job, state->open);
  else
    chain_lost_start (state, job, state->open);
  ts_fork_may_begin (timeline, state, event, job);
  ts_life_chain_end (timeline, state, job, state->is_task);
  state->n_ended++;
  ts_life_publish (timeline, state, job, TS_STATUS_COMPLETE, TS_INSTANCE_HAS_END);
  ts_life_free (timeline, job);
  return TRUE;
}

/* An end without a start may be that of what was activated since the instance before had ended. It is ignored, but if
 * nothing starts before the next activation, that is told: see ts_job_activate(). */
static void
suspect_pending (const TsElementState *state, const TsEvent *event)
{
  if (event->instance == TS_NO_INSTANCE && state->pending != NULL && state->pending->facts.activation > state->last_end)
    state->pending->links |= TS_JOB_MAY_HAVE_ENDED;
}

void
ts_head_end (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  if (event->instance != TS_NO_INSTANCE && !waits_twice (state, event) && close_pending (timeline, state, event))
    ts_timeline_diagnose (timeline, TS_DIAGNOSTIC_MISSING_START, event->line, event->element);
  else if (is_possible (timeline, state, event))
    begin (timeline, state, event);
  else
    {
      ts_timeline_diagnose (timeline, TS_DIAGNOSTIC_REDUNDANT_END, event->line, event->element);
      suspect_pending (state, event);
    }
}

void
ts_head_change (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsDiagnosticId defect = TS_DIAGNOSTIC_UNEXPECTED_STATE;

  if (is_possible (timeline, state, event))
    {
      begin (timeline, state, event);
      return;
    }
  if (event->kind == TS_EVENT_PREEMPT)
    defect = TS_DIAGNOSTIC_REDUNDANT_PREEMPT;
  else if (event->kind == TS_EVENT_RESUME)
    defect = TS_DIAGNOSTIC_REDUNDANT_RESUME;
  /* where preemptions are inferred, the trace's own add nothing */
  if (!timeline->infers)
    ts_timeline_diagnose (timeline, defect, event->line, event->element);
}
