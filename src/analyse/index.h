/* SPDX-License-Identifier: MIT */
#pragma once

#include "analyse/job.h"

G_BEGIN_DECLS

/* Jobs by element and number: see TsJobIndex. */

void ts_job_index_init (TsJobIndex *index);
/* For so many jobs, as many as there are at all: so whoever has a job has room for it. */
void ts_job_index_reserve (TsJobIndex *index, guint n_jobs);
/* The open instance that has the number of @event, or none: the youngest, and the next one that is older than @job. */
TsJob *ts_job_find_open (TsTimeline *timeline, const TsElementState *state, const TsEvent *event);
TsJob *ts_job_find_older (TsTimeline *timeline, const TsJob *job, const TsEvent *event);
/* The oldest pending job that has the number, or, if there may be @any, none. */
TsJob *ts_job_find_pending (TsTimeline *timeline, const TsElementState *state, gint32 instance, gboolean any);

static inline gsize
ts_job_index_n_slots (const TsJobIndex *index)
{
  return (gsize) 1 << (32 - index->shift);
}

static inline TsJob **
ts_job_index_slot (const TsJobIndex *index, guint32 element, gint32 instance)
{
  return &index->slots[ts_instance_place (element, instance, index->shift)];
}

/* Where its chain refers to the job: to NULL if there is none. */
static inline TsJob **
ts_job_index_link (const TsJobIndex *index, guint32 element, gint32 instance)
{
  TsJob **link = ts_job_index_slot (index, element, instance), *job;

  while ((job = *link) != NULL && G_UNLIKELY (job->facts.own_number != instance || job->facts.element != element))
    link = &job->next_indexed;
  return link;
}

static inline TsJob *
ts_job_index_find (const TsJobIndex *index, guint32 element, gint32 instance)
{
  return *ts_job_index_link (index, element, instance);
}

/* By its element and instance, which stay, and are known before @job has them. */
static inline void
ts_job_index_put (TsJobIndex *index, TsJob *job, guint32 element, gint32 instance)
{
  TsJob **slot = ts_job_index_slot (index, element, instance);

  job->next_indexed = *slot;
  *slot = job;
  job->links |= TS_JOB_IS_INDEXED;
}

static inline void
ts_job_index_insert (TsJobIndex *index, TsJob *job)
{
  ts_job_index_put (index, job, job->facts.element, job->facts.own_number);
}

/* The one that @link refers to. */
static inline void
ts_job_index_remove_at (TsJob **link)
{
  *link = (*link)->next_indexed;
}

static inline void
ts_job_index_remove (TsJobIndex *index, TsJob *job)
{
  TsJob **slot = ts_job_index_slot (index, job->facts.element, job->facts.own_number);

  while (G_UNLIKELY (*slot != job))
    slot = &(*slot)->next_indexed;
  ts_job_index_remove_at (slot);
  job->links &= (guint8) ~TS_JOB_IS_INDEXED;
}

G_END_DECLS
