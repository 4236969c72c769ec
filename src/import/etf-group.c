/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/etf.h"
#include "model/pages.h"

/* The claims and events of one element with one instance attribute become a job. They are taken in order of their
 * starts, and their job is looked up: sorted by jobs they would be all over memory. */

/* Jobs with so many consecutive numbers are in one cache line of the table, and what is open has numbers like those. */
#define BLOCK_BITS 4
#define BLOCK (1u << BLOCK_BITS)

typedef struct
{
  TsEtf   *etf;
  guint32 *intervals; /* the last one without a gap, by the number of the first claim of the job */
  guint32 *events;    /* the last one, or TS_ETF_NONE, by the same; NULL: none activates */
  guint32 *slots; /* the number + 1 of its first claim, or of its last event while there is none */
  gsize    mask;
} Jobs;

static void
jobs_init (Jobs *jobs, TsEtf *etf)
{
  gsize n = BLOCK;

  while (3 * n < 4 * (etf->n_records + 1))
    n *= 2;
  *jobs = (Jobs){ .etf = etf,
                  .intervals = ts_pages_resize (NULL, 0, etf->n_records * sizeof (guint32)),
                  .slots = ts_pages_resize (NULL, 0, n * sizeof (guint32)),
                  .mask = n - 1 };
  if (etf->activation == TS_ETF_ACTIVATION_EVENT)
    jobs->events = ts_pages_resize (NULL, 0, etf->n_records * sizeof (guint32));
}

static inline gsize
slot_of (const Jobs *jobs, const TsEtfRecord *record)
{
  guint64 key = (guint64) record->element << 33 | (guint64) (record->flags & TS_ETF_TEXT_INSTANCE) << 29
                | (guint32) record->instance >> BLOCK_BITS;
  gsize   block = (key * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 24;

  return (block << BLOCK_BITS | ((guint32) record->instance & (BLOCK - 1))) & jobs->mask;
}

static inline gboolean
is_same_job (const TsEtfRecord *a, const TsEtfRecord *b)
{
  return a->element == b->element && a->instance == b->instance
         && ((a->flags ^ b->flags) & TS_ETF_TEXT_INSTANCE) == 0;
}

/* The place of the job that @record is of, free or not. */
static guint32 *
find_job (const Jobs *jobs, const TsEtfRecord *record)
{
  gsize i = slot_of (jobs, record);

  /* in another block, and at another place of it: numbers may have gaps of any width */
  while (jobs->slots[i] != 0 && !is_same_job (&jobs->etf->records[jobs->slots[i] - 1], record))
    i = (i + BLOCK + 1) & jobs->mask;
  return &jobs->slots[i];
}

static void
add_event (const Jobs *jobs, TsEtfRecord *event, guint32 number)
{
  guint32     *slot;
  TsEtfRecord *first;

  event->flags |= TS_ETF_WAITS;
  if (event->flags & TS_ETF_NO_INSTANCE)
    return;
  slot = find_job (jobs, event);
  first = *slot != 0 ? &jobs->etf->records[*slot - 1] : NULL;
  if (first == NULL || (first->flags & TS_ETF_EVENT))
    {
      /* the last one counts */
      if (first != NULL)
        first->flags &= (guint16) ~TS_ETF_WAITS;
      *slot = number + 1;
      return;
    }
  event->flags &= (guint16) ~TS_ETF_WAITS;
  jobs->events[*slot - 1] = number;
}

static void
begin_job (const Jobs *jobs, TsEtfRecord *claim, guint32 number, guint32 *slot)
{
  claim->flags |= TS_ETF_FIRST;
  jobs->intervals[number] = number;
  if (jobs->events != NULL)
    jobs->events[number] = TS_ETF_NONE;
  if (slot == NULL)
    return;
  if (*slot != 0)
    {
      jobs->events[number] = *slot - 1;
      jobs->etf->records[*slot - 1].flags &= (guint16) ~TS_ETF_WAITS;
    }
  *slot = number + 1;
}

static void
add_claim (const Jobs *jobs, TsEtfRecord *claim, guint32 number)
{
  TsEtf       *etf = jobs->etf;
  guint32     *slot = claim->flags & TS_ETF_NO_INSTANCE ? NULL : find_job (jobs, claim);
  TsEtfRecord *first, *interval;

  if (slot == NULL || *slot == 0 || (etf->records[*slot - 1].flags & TS_ETF_EVENT))
    {
      begin_job (jobs, claim, number, slot);
      return;
    }
  first = &etf->records[*slot - 1];
  /* dependencies into any claim that starts the job */
  if (claim->t0 == first->t0 && ts_etf_activation (etf, number) != G_MININT64)
    ts_etf_activate (etf, *slot - 1, ts_etf_activation (etf, number), etf->activation_places[number]);
  interval = &etf->records[jobs->intervals[*slot - 1]];
  if (claim->t0 <= interval->t1)
    {
      interval->t1 = MAX (interval->t1, claim->t1);
      if (claim->resource != interval->resource)
        ts_import_note_ran_on (etf->import, g_array_index (etf->elements, TsEtfElement, claim->element).task,
                               claim->resource);
      claim->flags |= TS_ETF_MERGED;
      return;
    }
  jobs->intervals[*slot - 1] = number;
}

/* Of two jobs, which is told of first. */
static gboolean
is_before (const TsEtfRecord *a, const TsEtfRecord *b)
{
  guint a_kind = a->flags & (TS_ETF_TEXT_INSTANCE | TS_ETF_NO_INSTANCE);
  guint b_kind = b->flags & (TS_ETF_TEXT_INSTANCE | TS_ETF_NO_INSTANCE);

  if (a->element != b->element)
    return a->element < b->element;
  return a_kind != b_kind ? a_kind < b_kind : a->instance < b->instance;
}

/* What all of its claims and events come to. */
static void
close_jobs (TsEtf *etf, const Jobs *jobs)
{
  const TsEtfRecord *late = NULL;
  gsize              n_late = 0;

  for (gsize i = 0; i < etf->n_records; i++)
    {
      gsize        number = ts_etf_nth_start (etf, i);
      TsEtfRecord *record = &etf->records[number];
      guint32      event = TS_ETF_NONE;
      gint64       activation;

      if (record->flags & TS_ETF_WAITS)
        /* activated, and never run in this trace: it still counts for PER and ST */
        ts_etf_set_activation (etf, number, record->t0);
      if ((record->flags & TS_ETF_FIRST) == 0)
        continue;
      if (jobs->events != NULL)
        event = jobs->events[number];
      activation = event != TS_ETF_NONE ? etf->records[event].t0 : ts_etf_activation (etf, number);
      etf->records[jobs->intervals[number]].flags |= TS_ETF_LAST;
      if (!ts_etf_is_activation (activation))
        continue;
      if (ts_etf_set_activation (etf, number, activation))
        {
          if (event != TS_ETF_NONE)
            ts_etf_take_activation (etf, event, (guint32) number);
          continue;
        }
      n_late++;
      if (late == NULL || is_before (record, late))
        late = record;
    }
  for (; n_late > 0; n_late--)
    ts_diagnostics_add (etf->import->diagnostics, TS_DIAGNOSTIC_LATE_ACTIVATION, late->line, NULL);
}

void
ts_etf_group_jobs (TsEtf *etf)
{
  Jobs jobs;

  jobs_init (&jobs, etf);
  for (gsize i = 0; i < etf->n_records; i++)
    {
      guint32      number = (guint32) ts_etf_nth_start (etf, i);
      TsEtfRecord *record = &etf->records[number];

      if (record->flags & TS_ETF_ACTIVATES)
        add_event (&jobs, record, number);
      else if ((record->flags & (TS_ETF_EVENT | TS_ETF_NO_EXEC)) == 0)
        add_claim (&jobs, record, number);
    }
  ts_pages_release (jobs.slots, (jobs.mask + 1) * sizeof *jobs.slots);
  close_jobs (etf, &jobs);
  ts_pages_release (jobs.intervals, etf->n_records * sizeof *jobs.intervals);
  if (jobs.events != NULL)
    ts_pages_release (jobs.events, etf->n_records * sizeof *jobs.events);
}
