/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/index.h"

/* Jobs by their numbers: chains, a power of two of them. For formats whose numbers are of one instance each
 * (TS_EVENT_UNIQUE): thousands of them can be pending at a time; and for elements of which many are open. */

#define FIRST_BITS 8

void
ts_job_index_init (TsJobIndex *index)
{
  index->shift = 32 - FIRST_BITS;
  index->slots = g_new0 (TsJob *, 1u << FIRST_BITS);
}

/* The jobs of each chain go to two, where they stay in their order. */
static void
grow (TsJobIndex *index)
{
  TsJob **old = index->slots, **ends[2], *job;
  gsize   n_old = ts_job_index_n_slots (index), half;

  index->shift--;
  index->slots = g_new (TsJob *, 2 * n_old);
  for (gsize i = 0; i < n_old; i++)
    {
      ends[0] = &index->slots[2 * i];
      ends[1] = ends[0] + 1;
      for (job = old[i]; job != NULL; job = job->next_indexed)
        {
          half = ts_job_index_slot (index, job->facts.element, job->facts.own_number) != &index->slots[2 * i];
          *ends[half] = job;
          ends[half] = &job->next_indexed;
        }
      *ends[0] = *ends[1] = NULL;
    }
  g_free (old);
}

static gboolean
is_empty (const TsJobIndex *index)
{
  const gsize n = ts_job_index_n_slots (index);
  gsize       i = 0;

  while (i < n && index->slots[i] == NULL)
    i++;
  return i == n;
}

void
ts_job_index_reserve (TsJobIndex *index, guint n_jobs)
{
  /* in most formats no job is indexed, however many there are */
  if (n_jobs <= ts_job_index_n_slots (index) / 2 || is_empty (index))
    return;
  while (n_jobs > ts_job_index_n_slots (index) / 2)
    grow (index);
}

/* From so many on, open ones that are not indexed are no longer looked through. */
#define MANY_OPEN 32

static gboolean
has_number (const TsJob *job, const TsEvent *event)
{
  return job->facts.own_number == event->instance || job->facts.own_number == TS_NO_INSTANCE;
}

/* Indexes the open ones of @state up to the first that is: beginning with the oldest, so that of one number the youngest
 * comes first in its chain. Not if one has no number, since that might be any. */
static void
index_open (TsTimeline *timeline, const TsElementState *state)
{
  TsJob *last = NULL;

  for (TsJob *job = state->open; job != NULL && !(job->links & TS_JOB_ALL_INDEXED); job = job->next)
    {
      if (job->facts.own_number == TS_NO_INSTANCE)
        return;
      last = job;
    }
  for (; last != NULL; last = last->previous)
    {
      if (!(last->links & TS_JOB_IS_INDEXED))
        ts_job_index_insert (&timeline->index, last);
      last->links |= TS_JOB_ALL_INDEXED;
    }
  ts_job_index_reserve (&timeline->index, timeline->job_blocks->len * TS_JOBS_A_BLOCK);
}

/* From @job on, the first in a chain that is open and has the number. */
static TsJob *
find_in_chain (TsJob *job, const TsEvent *event)
{
  while (job != NULL
         && (job->facts.own_number != event->instance || job->facts.element != event->element
             || job->state == TS_JOB_PENDING))
    job = job->next_indexed;
  return job;
}

/* From @job on, the first one of the open ones that has the number, the youngest first. */
static TsJob *
find_from (TsTimeline *timeline, const TsElementState *state, TsJob *job, const TsEvent *event)
{
  guint n = 0;

  for (; job != NULL && !has_number (job, event); job = job->next, n++)
    if (job->links & TS_JOB_ALL_INDEXED)
      {
        job = find_in_chain (ts_job_index_find (&timeline->index, event->element, event->instance), event);
        break;
      }
  if (G_UNLIKELY (n > MANY_OPEN))
    index_open (timeline, state);
  return job;
}

TsJob *
ts_job_find_open (TsTimeline *timeline, const TsElementState *state, const TsEvent *event)
{
  return find_from (timeline, state, state->open, event);
}

TsJob *
ts_job_find_older (TsTimeline *timeline, const TsJob *job, const TsEvent *event)
{
  if (job->links & TS_JOB_ALL_INDEXED)
    return find_in_chain (job->next_indexed, event);
  return find_from (timeline, job->element, job->next, event);
}
