/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/job.h"

/* Jobs by their numbers: chains, a power of two of them. Only for formats whose numbers are of one instance each
 * (TS_EVENT_UNIQUE): thousands of them can be pending at a time. */

#define FIRST_BITS 8

static void
put (TsJobIndex *index, TsJob *job)
{
  TsJob **slot = ts_job_index_slot (index, job->facts.element, job->facts.own_number);

  job->next_indexed = *slot;
  *slot = job;
}

void
ts_job_index_init (TsJobIndex *index)
{
  index->shift = 32 - FIRST_BITS;
  index->n_free = (1u << FIRST_BITS) / 2;
  index->slots = g_new0 (TsJob *, 1u << FIRST_BITS);
}

void
ts_job_index_grow (TsJobIndex *index)
{
  TsJob **old = index->slots, *job, *next;
  guint   n_old = 1u << (32 - index->shift);

  index->shift--;
  index->n_free += n_old / 2;
  index->slots = g_new0 (TsJob *, 2 * (gsize) n_old);
  for (guint i = 0; i < n_old; i++)
    for (job = old[i]; job != NULL; job = next)
      {
        next = job->next_indexed;
        put (index, job);
      }
  g_free (old);
}
