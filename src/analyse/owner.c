/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/index.h"
#include "analyse/owner.h"
#include "analyse/standin.h"

/* Which instance of a task a nested element belongs to, where the trace says so: BTF names
 * the task, and mostly the number of the instance. */

typedef enum
{
  OTHER,   /* another task, or another instance of it */
  LIKE,    /* nobody knows */
  OF_TASK, /* which instance of that task nobody knows */
  SAME,
} Match;

/* Whether that number tells one instance from another: 0 is also written where there are no numbers. */
static gboolean
is_number (guint16 owner_number)
{
  return owner_number > ts_event_owner_number (0);
}

static gboolean
has_owner_number (const TsJob *job, const TsEvent *event)
{
  return ts_event_owner_number (job->facts.own_number) == event->owner_number;
}

/* Whether no two instances of @state that are open can have numbers that an event does not tell apart: all that were seen
 * in this section are near to one another, and none was there before. */
static gboolean
tells_owners_apart (const TsElementState *state)
{
  return !state->has_unnumbered && state->highest_head == TS_NO_INSTANCE && state->highest_instance != TS_NO_INSTANCE
         && ts_number_rank (state->highest_instance) - state->lowest_begun < TS_EVENT_OWNER_IS_NUMBERED;
}

/* Of the open instances of its task, the one that has the number in @event, or NULL. */
static TsJob *
find_numbered (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  const gint32 highest = state->highest_instance, most = TS_EVENT_OWNER_IS_NUMBERED - 1;
  TsJob       *job = state->open, *runner = ts_timeline_runner (timeline, event->resource);
  TsEvent      wanted = *event;

  /* thousands may be open, as they wait, or as their ends are lost; but it is mostly the one that runs */
  if (highest >= 0 && tells_owners_apart (state))
    {
      if (runner != NULL && runner->element == state && has_owner_number (runner, event))
        return runner;
      wanted.element = event->owner;
      wanted.instance = highest - ((highest - event->owner_number) & most);
      return wanted.instance >= 0 ? ts_job_find_open (timeline, state, &wanted) : NULL;
    }
  while (job != NULL && !has_owner_number (job, event))
    job = job->next;
  return job;
}

/* Of the open instances of its task, the one that @event is in; NULL: it was not seen yet. */
static TsJob *
find_owner (TsTimeline *timeline, const TsEvent *event)
{
  TsElementState *state = ts_timeline_element (timeline, event->owner);
  TsJob          *job = event->owner_number != 0 ? find_numbered (timeline, state, event) : NULL;

  /* what has a number is an instance that was not seen yet */
  if (job != NULL || is_number (event->owner_number))
    return job;
  job = state->open;
  while (job != NULL && job->state != TS_JOB_RUNNING)
    job = job->next;
  return job != NULL ? job : state->open;
}

gboolean
ts_owner_numbers_are_meant (const TsElementState *state, gint32 instance)
{
  const guint32 lowest = MIN (state->lowest_begun, ts_number_rank (instance));

  if (instance == TS_NO_INSTANCE)
    return FALSE;
  return ts_number_rank (state->highest_instance) != lowest || (instance != 0 && state->n_started == 1);
}

static gboolean
is_element (guint32 owner)
{
  return owner < TS_MAX_ELEMENTS;
}

/* Whether @event names one instance of its task: 0 does, where an open one has it. */
static gboolean
names_instance (TsTimeline *timeline, const TsEvent *event)
{
  return is_number (event->owner_number)
         || (event->owner_number != 0 && event->owner < timeline->n_elements
             && find_numbered (timeline, ts_timeline_element (timeline, event->owner), event) != NULL);
}

/* Whether the event that @job began with did. */
static gboolean
named_instance (const TsJob *job)
{
  return is_number (job->owner_number)
         || (job->owner_number != 0 && job->owner != NULL
             && ts_event_owner_number (job->owner->facts.own_number) == job->owner_number);
}

/* Whether @event, which names a task, and an instance of it if it @is_numbered, comes from where @job runs. The number of an
 * instance says more than where its event is said to come from: some producers write there who called it, or itself. */
static Match
judge (const TsTimeline *timeline, const TsJob *job, const TsEvent *event, gboolean is_numbered)
{
  const guint32 owner = job->facts.owner;

  if (owner == event->owner && job->owner_number == event->owner_number)
    return SAME;
  if (owner == event->owner && !(is_numbered && named_instance (job)))
    return OF_TASK;
  if (owner == TS_NO_ELEMENT)
    return LIKE;
  /* of a name nothing else may have been known until now, unless a reading before has found out */
  if (timeline->options.names_come_late && is_element (owner) != is_element (event->owner))
    return LIKE;
  if (owner != event->owner && is_element (owner) && is_element (event->owner) && job->owner_number != 0 && event->owner_number != 0)
    return OTHER;
  return ts_owner_numbers_are_meant (job->element, event->instance) ? LIKE : OTHER;
}

gboolean
ts_owner_resumes (const TsJob *job, const TsEvent *event)
{
  const gboolean is_there = job->facts.owner == event->owner
                            && (job->owner_number == event->owner_number || job->owner_number == 0 || event->owner_number == 0);

  return event->owner == TS_NO_ELEMENT || is_there || ts_owner_numbers_are_meant (job->element, event->instance);
}

TsJob *
ts_owner_choose (TsTimeline *timeline, const TsElementState *state, const TsEvent *event)
{
  TsJob         *job = ts_job_find_open (timeline, state, event), *best = NULL;
  Match          best_match = OTHER;
  const gboolean is_numbered = job != NULL && names_instance (timeline, event);

  for (; job != NULL && best_match < SAME; job = ts_job_find_older (timeline, job, event))
    {
      Match match = judge (timeline, job, event, is_numbered);

      if (match > best_match)
        {
          best = job;
          best_match = match;
        }
    }
  return best;
}

/* How well an open instance fits an event without a number. */
typedef enum
{
  NONE,           /* it is in another task */
  OVER,           /* its task has ended */
  IDLE,           /* it is suspended, or goes on, already */
  IDLE_IN_RUNNER, /* ... in the task that runs */
  IN_OTHER,
  IN_LIKELY, /* in another task, of which there was an event of this time, or that runs beside */
  IN_RUNNER,
} Fit;

static gboolean
is_idle (const TsJob *job, const TsEvent *event)
{
  return (event->kind == TS_EVENT_PREEMPT && job->suspended) || (event->kind == TS_EVENT_RESUME && !job->suspended);
}

static gboolean
is_in_likely (const TsJob *owner, const TsEvent *event)
{
  if (owner == NULL)
    return FALSE;
  return owner->since == event->time || (owner->state == TS_JOB_RUNNING && owner->facts.resource == event->resource);
}

static Fit
fit (const TsTimeline *timeline, const TsJob *job, const TsJob *runner, const TsEvent *event, gboolean is_numbered)
{
  const TsJob *task = ts_job_task (job);
  const Match  match = event->owner != TS_NO_ELEMENT ? judge (timeline, job, event, is_numbered) : LIKE;
  gboolean     runs = event->owner != TS_NO_ELEMENT ? match >= OF_TASK : task == runner;

  if (match == OTHER)
    return NONE;
  if (job->state == TS_JOB_FROZEN)
    return job->since == event->time ? IN_LIKELY : OVER;
  if (is_idle (job, event))
    return runs ? IDLE_IN_RUNNER : IDLE;
  if (runs)
    return IN_RUNNER;
  return is_in_likely (task, event) ? IN_LIKELY : IN_OTHER;
}

/* Whether @event may be of an instance that was open before the section, like the task that runs. */
static gboolean
is_of_head (TsTimeline *timeline, const TsJob *runner, const TsEvent *event, Fit best)
{
  if (!ts_owner_is_head (timeline, event))
    return FALSE;
  /* it goes on together with its task */
  if (event->kind == TS_EVENT_RESUME && best >= IN_OTHER)
    return best < IN_RUNNER && runner->since == event->time;
  return best == IDLE || best == IN_OTHER;
}

/* Who runs on @core at @event. A task, or an ISR, may be written to go on before the ISR ends that had interrupted it: what
 * ends between both is in that (rule 14). */
static const TsJob *
runner_at (const TsCore *core, const TsEvent *event)
{
  const TsJob *top = core->top;

  if (top == NULL || event->kind != TS_EVENT_END || core->n_running < 2 || top->since < event->time
      || top->facts.start == event->time)
    return top;
  for (const TsJob *job = top->below; job != NULL; job = job->below)
    if (job->state == TS_JOB_RUNNING && !job->element->is_task && job->facts.start > top->facts.start)
      return job;
  return top;
}

TsJob *
ts_owner_choose_running (TsTimeline *timeline, const TsElementState *state, const TsEvent *event)
{
  const TsJob   *runner = runner_at (ts_timeline_core (timeline, event->resource), event);
  const gboolean is_numbered = names_instance (timeline, event);
  TsJob         *best = NULL;
  Fit            best_fit = NONE;

  for (TsJob *job = state->open; job != NULL && best_fit < IN_RUNNER; job = job->next)
    {
      Fit fits = fit (timeline, job, runner, event, is_numbered);

      if (fits > best_fit)
        {
          best = job;
          best_fit = fits;
        }
    }
  return is_of_head (timeline, runner, event, best_fit) ? NULL : best;
}

TsJob *
ts_owner_of (TsTimeline *timeline, const TsEvent *event)
{
  if (event->owner == TS_NO_ELEMENT)
    return ts_timeline_runner (timeline, event->resource);
  return event->owner < timeline->n_elements ? find_owner (timeline, event) : NULL;
}

TsJob *
ts_owner_of_stray (TsTimeline *timeline, const TsJob *stray)
{
  const TsEvent event = { .owner = stray->facts.owner, .owner_number = stray->owner_number,
                          .resource = stray->facts.resource };

  return stray->facts.owner < timeline->n_elements ? find_owner (timeline, &event) : NULL;
}

guint32
ts_owner_element (const TsJob *owner, const TsEvent *event)
{
  return owner != NULL ? owner->facts.element : event->owner;
}
