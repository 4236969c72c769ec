/* SPDX-License-Identifier: MIT */
#pragma once

#include "analyse/job.h"

G_BEGIN_DECLS

/* Nested jobs, of which the trace says in what task they run. */

/* Of the open ones, the one with the number of @event, or NULL. Several may have it, since some producers
 * never change it: then the task decides. */
TsJob *ts_owner_choose (TsTimeline *timeline, const TsElementState *state, const TsEvent *event);

/* Whether the numbers of the instances of @state say which is meant. Some producers write one and the same, mostly 0. */
gboolean ts_owner_numbers_are_meant (const TsElementState *state, gint32 instance);
/* Whether a start in the task of @event is of @job, which is suspended, and has its number. */
gboolean ts_owner_resumes (const TsJob *job, const TsEvent *event);

/* The open instance of a nested element that an event without a number means: that of the
 * task that runs, or ran until now; the innermost of them, and at last one that lost its task. */
TsJob *ts_owner_choose_running (TsTimeline *timeline, const TsElementState *state, const TsEvent *event);
/* The task that a nested element starts in (rule 11). */
TsJob *ts_owner_of (TsTimeline *timeline, const TsEvent *event);
/* The same for one that began when that was not there yet. */
TsJob *ts_owner_of_stray (TsTimeline *timeline, const TsJob *stray);
/* The element of @owner; if that is not known, what @event says. */
guint32 ts_owner_element (const TsJob *owner, const TsEvent *event);

/* Whether @event is of the task that @job runs in, as far as it names one. */
static inline gboolean
ts_owner_is_named (const TsJob *job, const TsEvent *event)
{
  return event->owner == TS_NO_ELEMENT
         || (job->facts.owner == event->owner && job->owner_number == event->owner_number);
}

/* Whether an event happens in a task that was there before the section began. */
static inline gboolean
ts_owner_is_head (TsTimeline *timeline, const TsEvent *event)
{
  const TsJob *runner = ts_timeline_core (timeline, event->resource)->top;

  return event->owner == TS_NO_ELEMENT && runner != NULL && runner->is_head;
}

G_END_DECLS
