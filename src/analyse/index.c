/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/index.h"

/* Jobs by their numbers: chains, a power of two of them. For formats whose numbers are of one instance each
 * (TS_EVENT_UNIQUE): thousands of them can be pending at a time; and for elements of which many are open, or wait in an
 * order that is not that of their numbers. */

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

/* From so many on, open or pending ones that are not indexed are no longer looked through. */
#define MANY 32

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
  if (G_UNLIKELY (n > MANY))
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

/* What is pending */

/* The pending job with the number, which is above that of @front, where numbers ascend to @back. Those that never start
 * stay in front, which may be many; those that still wait stay behind, which may be many, too: so from both ends. */
static TsJob *
find_between (TsJob *front, TsJob *back, gint32 instance)
{
  while (back->facts.own_number > instance)
    {
      front = front->next;
      if (front->facts.own_number >= instance)
        return front->facts.own_number == instance ? front : NULL;
      back = back->previous;
    }
  return back->facts.own_number == instance ? back : NULL;
}

/* From @job on, or NULL, the first one that fits, of @n at the most; *next is then the first that was not looked at. */
static TsJob *
look_through (TsJob *job, gint32 instance, gboolean any, guint n, TsJob **next)
{
  for (; job != NULL && n > 0; job = job->next, n--)
    if (job->facts.own_number == instance || (any && job->facts.own_number == TS_NO_INSTANCE))
      return job;
  *next = job;
  return NULL;
}

/* Indexes those that wait, the longest first, so that of one number the one that waits longest comes last in its chain.
 * FALSE: not all of them, as one has no number, which might be any, or is known by that of its own. */
static gboolean
index_queue (TsTimeline *timeline, const TsElementState *state)
{
  TsJob *first = NULL;

  for (TsJob *job = state->pending_last; job != NULL && !(job->links & TS_JOB_QUEUE_INDEXED); job = job->previous)
    {
      if (job->facts.own_number == TS_NO_INSTANCE || (job->links & TS_JOB_IS_INDEXED))
        return FALSE;
      first = job;
    }
  for (; first != NULL; first = first->next)
    {
      ts_job_index_insert (&timeline->index, first);
      first->links |= TS_JOB_QUEUE_INDEXED;
    }
  ts_job_index_reserve (&timeline->index, timeline->job_blocks->len * TS_JOBS_A_BLOCK);
  return TRUE;
}

static TsJob *
find_longest_pending (TsTimeline *timeline, guint32 element, gint32 instance)
{
  TsJob *longest = NULL;

  for (TsJob *job = ts_job_index_find (&timeline->index, element, instance); job != NULL; job = job->next_indexed)
    if (job->facts.own_number == instance && job->facts.element == element && job->state == TS_JOB_PENDING)
      longest = job;
  return longest;
}

TsJob *
ts_job_find_pending (TsTimeline *timeline, const TsElementState *state, gint32 instance, gboolean any)
{
  TsJob *job = state->pending, *next = NULL;

  if (job == NULL || job->facts.own_number == instance)
    return job;
  if (state->pending_ascends)
    return job->facts.own_number < instance ? find_between (job, state->pending_last, instance) : NULL;
  job = look_through (job, instance, any, MANY, &next);
  if (job != NULL || next == NULL)
    return job;
  if (index_queue (timeline, state))
    return find_longest_pending (timeline, state->pending->facts.element, instance);
  return look_through (next, instance, any, G_MAXUINT, &next);
}
