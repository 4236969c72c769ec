/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/job.h"

/* Which instance of a task a nested element belongs to, where the trace says so: BTF names
 * the task, and mostly the number of the instance. */

typedef enum
{
  OTHER, /* another task */
  LIKE,  /* another instance of the task, or nobody knows */
  SAME,
} Match;

/* Of the @open instances of its task, the one that @event is in; NULL: it was not seen yet. */
static TsJob *
find_owner (TsJob *open, const TsEvent *event)
{
  for (TsJob *job = open; job != NULL && event->owner_number != 0; job = job->next)
    if (ts_event_owner_number (job->facts.own_number) == event->owner_number)
      return job;
  /* an instance that was not seen yet; but 0 is also written where there are no numbers */
  if (event->owner_number > ts_event_owner_number (0))
    return NULL;
  for (TsJob *job = open; job != NULL; job = job->next)
    if (job->state == TS_JOB_RUNNING)
      return job;
  return open;
}

/* Whether @event comes from where @job runs. */
static Match
judge (const TsJob *job, const TsEvent *event)
{
  gboolean numbered = event->owner_number != 0 && job->owner_number != 0;

  if (job->facts.owner != event->owner)
    return numbered ? OTHER : LIKE;
  return numbered && job->owner_number != event->owner_number ? LIKE : SAME;
}

TsJob *
ts_owner_choose (TsJob *open, const TsEvent *event)
{
  TsJob *best = NULL;
  Match  best_match = OTHER;

  for (TsJob *job = open; job != NULL && best_match < SAME; job = job->next)
    if (job->facts.own_number == event->instance || job->facts.own_number == TS_NO_INSTANCE)
      {
        Match match = judge (job, event);

        if (match > best_match)
          {
            best = job;
            best_match = match;
          }
      }
  return best;
}

TsJob *
ts_owner_choose_running (TsTimeline *timeline, const TsElementState *state, const TsEvent *event)
{
  const TsJob *runner = ts_timeline_core (timeline, event->resource)->top;
  TsJob       *best = NULL;
  int          best_rank = 0;

  for (TsJob *job = state->open; job != NULL; job = job->next)
    {
      int rank = 2;

      if (job->state == TS_JOB_FROZEN)
        rank = job->since == event->time ? 3 : 1;
      else if (event->owner != TS_NO_ELEMENT ? judge (job, event) == SAME : job->owner == runner)
        return job;
      else if (job->owner != NULL && job->owner->since == event->time)
        rank = 3;
      if (rank > best_rank)
        {
          best = job;
          best_rank = rank;
        }
    }
  /* not that of another task: one that began together with the running task, before the section */
  return best_rank == 2 && ts_owner_is_head (timeline, event) ? NULL : best;
}

TsJob *
ts_owner_of (TsTimeline *timeline, const TsEvent *event)
{
  if (event->owner == TS_NO_ELEMENT)
    return ts_timeline_runner (timeline, event->resource);
  return find_owner (ts_timeline_element (timeline, event->owner)->open, event);
}

guint32
ts_owner_element (const TsJob *owner, const TsEvent *event)
{
  return owner != NULL ? owner->facts.element : event->owner;
}
