/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/job.h"

/* Which instance of a task a nested element belongs to, where the trace says so: BTF names
 * the task, and mostly the number of the instance. */

TsJob *
ts_owner_find (TsJob *open, const TsEvent *event)
{
  for (TsJob *job = open; job != NULL && event->owner_number != 0; job = job->next)
    if (ts_event_owner_number (job->instance) == event->owner_number)
      return job;
  /* an instance that was not seen yet; but 0 is also written where there are no numbers */
  if (event->owner_number > ts_event_owner_number (0))
    return NULL;
  for (TsJob *job = open; job != NULL; job = job->next)
    if (job->state == TS_JOB_RUNNING)
      return job;
  return open;
}

TsOwnerMatch
ts_owner_judge (const TsJob *job, const TsEvent *event)
{
  gboolean numbered = event->owner_number != 0 && job->owner_number != 0;

  if (job->owner_element != event->owner)
    return numbered ? TS_OWNER_OTHER : TS_OWNER_LIKE;
  return numbered && job->owner_number != event->owner_number ? TS_OWNER_LIKE : TS_OWNER_SAME;
}

TsJob *
ts_owner_choose (TsJob *open, const TsEvent *event)
{
  TsJob       *best = NULL;
  TsOwnerMatch best_match = TS_OWNER_OTHER;

  for (TsJob *job = open; job != NULL && best_match < TS_OWNER_SAME; job = job->next)
    if (job->instance == event->instance || job->instance == TS_NO_INSTANCE)
      {
        TsOwnerMatch match = ts_owner_judge (job, event);

        if (match > best_match)
          {
            best = job;
            best_match = match;
          }
      }
  return best;
}
