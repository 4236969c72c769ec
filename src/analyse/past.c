/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/past.h"

/* Most that was open then is seen soon. Of tasks that never end, and what runs in them, no more is remembered than so many of all
 * that are open at a time, nor told. */
#define MOST_INTERVALS 1024
#define MOST_TOLD 65536

typedef struct
{
  const TsJob   *owner;
  TsIntervalKind kind;
  gint64         length;
} Interval;

#define MOST_FAILED 4096 /* in a section; of others it is as if they had not */

typedef struct
{
  guint32 element;
  gint32  instance;
} Failed;

struct _TsPast
{
  GArray *intervals; /* of Interval */
  guint   n_told;
  GArray *failed;    /* of Failed */
};

TsPast *
ts_past_new (void)
{
  TsPast *past = g_new0 (TsPast, 1);

  past->intervals = g_array_new (FALSE, FALSE, sizeof (Interval));
  past->failed = g_array_new (FALSE, FALSE, sizeof (Failed));
  return past;
}

void
ts_past_free (TsPast *past)
{
  g_array_unref (past->intervals);
  g_array_unref (past->failed);
  g_free (past);
}

void
ts_past_clear (TsPast *past)
{
  g_array_set_size (past->intervals, 0);
  past->n_told = 0;
  g_array_set_size (past->failed, 0);
}

void
ts_past_forget (TsPast *past, const TsJob *owner)
{
  guint n = 0;

  for (guint i = 0; i < past->intervals->len; i++)
    {
      const Interval interval = g_array_index (past->intervals, Interval, i);

      if (interval.owner != owner)
        g_array_index (past->intervals, Interval, n++) = interval;
    }
  g_array_set_size (past->intervals, n);
}

void
ts_past_remember (TsPast *past, const TsJob *owner, TsIntervalKind kind, gint64 length)
{
  const Interval interval = { owner, kind, length };

  if (past->intervals->len < MOST_INTERVALS)
    g_array_append_val (past->intervals, interval);
}

void
ts_past_recall (TsTimeline *timeline, TsJob *job, const TsJob *owner)
{
  TsPast       *past = timeline->past;
  const GArray *intervals = past->intervals;

  for (guint i = 0; i < intervals->len && past->n_told < MOST_TOLD; i++)
    {
      const Interval *interval = &g_array_index (intervals, Interval, i);

      if (interval->owner != owner)
        continue;
      past->n_told++;
      if (interval->kind == TS_INTERVAL_WAIT)
        job->facts.waiting += interval->length;
      else
        {
          job->facts.preempted += interval->length;
          job->facts.preempted_closed += interval->length;
          job->facts.n_preemptions++;
        }
      if (job->facts.flags & TS_INSTANCE_IN_WINDOW)
        ts_timeline_emit (timeline, interval->kind, job->facts.element, interval->length, job->facts.start,
                          job->facts.number);
    }
}

void
ts_past_note_failed (TsPast *past, guint32 element, gint32 instance)
{
  const Failed failed = { element, instance };

  if (instance != TS_NO_INSTANCE && past->failed->len < MOST_FAILED)
    g_array_append_val (past->failed, failed);
}

gboolean
ts_past_have_failed (const TsPast *past, guint32 element, gint32 first, gint32 last)
{
  const gint64       n = (gint64) last - first + 1;
  gint64             n_failed = 0;
  g_autofree guint8 *has_failed = NULL;

  if (n > past->failed->len)
    return FALSE;
  has_failed = g_malloc0 ((gsize) n);
  for (guint i = 0; i < past->failed->len; i++)
    {
      const Failed *failed = &g_array_index (past->failed, Failed, i);

      if (failed->element != element || failed->instance < first || failed->instance > last)
        continue;
      n_failed += !has_failed[failed->instance - first];
      has_failed[failed->instance - first] = TRUE;
    }
  return n_failed == n;
}
