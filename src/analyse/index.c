/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/job.h"

/* Jobs by their numbers: open addressing, a power of two. Only for formats whose numbers are
 * of one instance each (TS_EVENT_UNIQUE): thousands of them can be pending at a time. */

#define FIRST_SLOTS 64

static gsize
slot_of (const TsJobIndex *index, guint32 element, gint32 instance)
{
  guint64 key = (guint64) element << 32 | (guint32) instance;

  return (gsize) ((key * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 24) & (index->n_slots - 1);
}

TsJob *
ts_job_index_find (const TsJobIndex *index, guint32 element, gint32 instance)
{
  if (index->n_slots == 0)
    return NULL;
  for (gsize i = slot_of (index, element, instance);; i = (i + 1) & (index->n_slots - 1))
    {
      TsJob *job = index->slots[i];

      if (job == NULL || (job->instance == instance && job->facts.element == element))
        return job;
    }
}

static void
put (TsJobIndex *index, TsJob *job)
{
  gsize i = slot_of (index, job->facts.element, job->instance);

  while (index->slots[i] != NULL)
    i = (i + 1) & (index->n_slots - 1);
  index->slots[i] = job;
}

void
ts_job_index_insert (TsJobIndex *index, TsJob *job)
{
  if (2 * (index->n_used + 1) > index->n_slots)
    {
      TsJob **old = index->slots;
      gsize   n_old = index->n_slots;

      index->n_slots = MAX (FIRST_SLOTS, 2 * n_old);
      index->slots = g_new0 (TsJob *, index->n_slots);
      for (gsize i = 0; i < n_old; i++)
        if (old[i] != NULL)
          put (index, old[i]);
      g_free (old);
    }
  put (index, job);
  index->n_used++;
  job->is_indexed = TRUE;
}

/* What stands behind the removed one moves up, where it is closer to its own place. */
void
ts_job_index_remove (TsJobIndex *index, TsJob *job)
{
  gsize mask = index->n_slots - 1;
  gsize hole = slot_of (index, job->facts.element, job->instance);

  while (index->slots[hole] != job)
    hole = (hole + 1) & mask;
  for (gsize i = (hole + 1) & mask; index->slots[i] != NULL; i = (i + 1) & mask)
    {
      gsize home = slot_of (index, index->slots[i]->facts.element, index->slots[i]->instance);

      if (((i - home) & mask) >= ((i - hole) & mask))
        {
          index->slots[hole] = index->slots[i];
          hole = i;
        }
    }
  index->slots[hole] = NULL;
  index->n_used--;
  job->is_indexed = FALSE;
}
