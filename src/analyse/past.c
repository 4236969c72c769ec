/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/past.h"

/* Most that was open then is seen soon. What is in a task that never ends, and is suspended more often than that, has those
 * intervals only that end behind its first event. */
#define MOST_INTERVALS 4096

typedef struct
{
  const TsJob   *owner;
  TsIntervalKind kind;
  gint64         length;
} Interval;

struct _TsPast
{
  GArray *intervals; /* of Interval */
};

TsPast *
ts_past_new (void)
{
  TsPast *past = g_new0 (TsPast, 1);

  past->intervals = g_array_new (FALSE, FALSE, sizeof (Interval));
  return past;
}

void
ts_past_free (TsPast *past)
{
  g_array_unref (past->intervals);
  g_free (past);
}

void
ts_past_clear (TsPast *past)
{
  g_array_set_size (past->intervals, 0);
}

void
ts_past_begin (TsPast *past, const TsJob *owner)
{
  guint n = 0;

  /* it may have the place of one that is over */
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
  const GArray *intervals = timeline->past->intervals;

  for (guint i = 0; i < intervals->len; i++)
    {
      const Interval *interval = &g_array_index (intervals, Interval, i);

      if (interval->owner != owner)
        continue;
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
