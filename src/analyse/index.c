/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/job.h"

/* Jobs by their numbers: chains, a power of two of them. Only for formats whose numbers are of one instance each
 * (TS_EVENT_UNIQUE): thousands of them can be pending at a time. */

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
