/* SPDX-License-Identifier: MIT */
#pragma once

#include "analyse/job.h"

G_BEGIN_DECLS

/* Stands for the tasks of nested jobs that are not known, or not there yet: of all that run on one resource and name one
 * instance of a task, or none. Their frames are those of this, as if it was their task. It runs, but where preemptions are
 * inferred not while others do. */
struct _TsStandIn
{
  TsJob      job;  /* in no queue, and of no element: facts.element and owner_number are whom they name */
  TsStandIn *next; /* of its core, or of those that are free; or NULL */
  TsStandIn *next_awaiting;
  gboolean   is_used;   /* since its core began */
  gboolean   is_awaiting; /* something began in it at TsTimeline.stray_time whose task may start yet */
};

void ts_stand_ins_init (TsStandIns *stand_ins);
void ts_stand_ins_clear (TsStandIns *stand_ins);
/* The cores have moved, and so all jobs are told where they are. */
void ts_stand_ins_refer (TsTimeline *timeline);
/* That of what @event begins, for which no task was found: it may yet be. */
TsJob *ts_stand_in_for (TsTimeline *timeline, const TsEvent *event);
/* From now on nobody is awaited. */
void ts_stand_ins_expect_nobody (TsStandIns *stand_ins);
/* @core begins anew: those in which nothing is are not used any more. */
void ts_stand_ins_leave (TsCore *core);
/* Whether any job is in one of @core. */
gboolean ts_stand_ins_have_any (const TsCore *core);

static inline gboolean
ts_stand_in_is_for (const TsStandIn *stand_in, guint32 owner, guint16 owner_number, guint16 resource)
{
  return stand_in->job.facts.element == owner && stand_in->job.owner_number == owner_number
         && stand_in->job.facts.resource == resource;
}

/* The place of the one that stands for an instance of @owner, as in an event, on @resource: to NULL if there is none. */
static inline TsStandIn **
ts_stand_in_place (const TsStandIns *stand_ins, guint32 owner, guint16 owner_number, guint16 resource)
{
  const gsize mask = ((gsize) 1 << (32 - stand_ins->shift)) - 1;
  gsize       i = ((owner + owner_number * 0xc2b2ae3dU + resource * 0x85ebca77U) * 0x9e3779b9U) >> stand_ins->shift;

  while (stand_ins->places[i] != NULL && !ts_stand_in_is_for (stand_ins->places[i], owner, owner_number, resource))
    i = (i + 1) & mask;
  return &stand_ins->places[i];
}

/* With a number, the resource of an event is that of another instance. */
static inline guint16
ts_stand_in_resource (const TsEvent *event)
{
  return event->owner_number != 0 ? TS_NO_RESOURCE : event->resource;
}

/* That of whom @event names, or NULL. */
static inline TsStandIn *
ts_stand_in_named_by (const TsTimeline *timeline, const TsEvent *event)
{
  return *ts_stand_in_place (&timeline->stand_ins, event->owner, event->owner_number, ts_stand_in_resource (event));
}

static inline void
ts_stand_in_update (const TsTimeline *timeline, TsJob *stand_in)
{
  stand_in->state = timeline->infers && stand_in->core->n_running > 0 ? TS_JOB_READY : TS_JOB_RUNNING;
}

/* If its task is an element, that may yet start. */
static inline void
ts_stand_in_await (TsTimeline *timeline, TsStandIn *stand_in, gint64 time)
{
  if (stand_in->job.facts.element >= timeline->n_elements)
    return;
  ts_timeline_expect_owner (timeline, time);
  if (stand_in->is_awaiting)
    return;
  stand_in->is_awaiting = TRUE;
  stand_in->next_awaiting = timeline->stand_ins.awaiting;
  timeline->stand_ins.awaiting = stand_in;
}

/* Something begins in it at @time. Returns who owns that. */
static inline TsJob *
ts_stand_in_begin (TsTimeline *timeline, TsStandIn *stand_in, gint64 time)
{
  ts_stand_in_await (timeline, stand_in, time);
  ts_stand_in_update (timeline, &stand_in->job);
  return &stand_in->job;
}

/* ts_stand_in_for(), if it is used; otherwise NULL. */
static inline TsJob *
ts_stand_in_in_use (TsTimeline *timeline, const TsEvent *event)
{
  TsStandIn *stand_in = ts_stand_in_named_by (timeline, event);

  /* where some name an instance, one that does not may mean any */
  if (stand_in == NULL || !stand_in->is_used || (event->owner_number == 0 && timeline->stand_ins.has_numbers))
    return NULL;
  return ts_stand_in_begin (timeline, stand_in, event->time);
}

/* Whether @job, which is nested, and open, runs in no task that is known. */
static inline gboolean
ts_job_is_stray (const TsJob *job)
{
  return job->owner != NULL && job->owner->element == NULL;
}

/* The task that it runs in; NULL: none is known. */
static inline TsJob *
ts_job_task (const TsJob *job)
{
  return ts_job_is_stray (job) ? NULL : job->owner;
}

G_END_DECLS
