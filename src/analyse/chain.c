/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/life.h"

/* The activations of a task in their order, where ST is measured: those of which one is unknown, and that are taken out. */

void
ts_job_leave_activations (TsJob *job)
{
  if (job->previous_activated != NULL)
    {
      job->previous_activated->next_activated = NULL;
      job->previous_activated->next_activation_number = job->facts.number;
    }
  if (job->next_activated != NULL)
    job->next_activated->previous_activated = NULL;
}

/* Nothing is known of the activation before that of @job. */
static void
cut_before (TsJob *job)
{
  if (job->previous_activated != NULL)
    {
      job->previous_activated->links &= (guint8) ~TS_JOB_NEXT_ACTIVATION;
      job->previous_activated->next_activated = NULL;
    }
  job->previous_activated = NULL;
  job->facts.flags &= (guint16) ~(TS_INSTANCE_HAS_ST | TS_INSTANCE_COUNTS_ST);
}

static void
link_to (TsJob *job, TsJob *next)
{
  job->links |= TS_JOB_NEXT_ACTIVATION;
  job->next_activation = next->facts.activation;
  job->next_activated = next;
  next->previous_activated = job;
}

/* The oldest pending job with a greater number. Where numbers ascend, from both ends, see find_between(). */
static TsJob *
find_later_pending (const TsElementState *state, gint32 instance)
{
  TsJob *front = state->pending, *back = state->pending_ascends ? state->pending_last : NULL;

  for (; front != NULL && front->facts.own_number <= instance; front = front->next)
    if (back != NULL)
      {
        if (back->facts.own_number <= instance)
          return back->next;
        back = back->previous;
      }
  return front;
}

/* The first of those that were activated after @job and are still pending or open: numbers count activations. */
static TsJob *
find_later (const TsElementState *state, const TsJob *job)
{
  const gint32 instance = job->facts.own_number;
  TsJob       *later = find_later_pending (state, instance);

  for (TsJob *open = state->open; open != NULL; open = open->next)
    if (open->facts.own_number > instance && (later == NULL || open->facts.own_number < later->facts.own_number))
      later = open;
  return later;
}

/* Whether somebody was activated after @job, the activation of which is unknown; then it has its place before that one,
 * unless others that are over have. */
static gboolean
put_before_later (const TsTimeline *timeline, const TsElementState *state, TsJob *job)
{
  const gint32 instance = job->facts.own_number;
  TsJob       *later = instance != TS_NO_INSTANCE ? find_later (state, job) : NULL;
  gboolean     is_early = ts_number_rank (instance) < state->lowest_activated;

  if (later == NULL)
    return FALSE;
  if (!(later->facts.flags & TS_INSTANCE_HAS_ACTIVATION))
    return TRUE;
  /* all that was activated before the section is before all that was activated in it */
  if (is_early && ts_number_rank (later->facts.own_number) > state->lowest_activated)
    return TRUE;
  for (guint i = 0; i < TS_ENDED_NUMBERS; i++)
    if (state->ended_numbers[i] > instance && state->ended_numbers[i] < later->facts.own_number)
      return TRUE;
  cut_before (later);
  /* of other numbers between them nobody knows whether they were not activated, or are over, unless their activations failed */
  if (is_early || later->facts.own_number == instance + 1
      || ts_past_have_failed (timeline->past, job->facts.element, instance + 1, later->facts.own_number - 1))
    link_to (job, later);
  return TRUE;
}

void
ts_job_lack_activation (const TsTimeline *timeline, TsElementState *state, TsJob *job)
{
  job->next_activated = job->previous_activated = NULL;
  /* where none has one, any number may be open */
  if (job->facts.own_number != TS_NO_INSTANCE && state->lowest_activated == G_MAXUINT32)
    return;
  /* where all of those are over, it is not behind them either */
  if (!put_before_later (timeline, state, job) && job->facts.own_number == TS_NO_INSTANCE)
    ts_life_lack_activation (state, job);
}

void
ts_job_chain_head (const TsTimeline *timeline, TsElementState *state, TsJob *job, gint32 highest, gboolean since_begin)
{
  TsJob *first = state->pending;

  job->next_activated = job->previous_activated = NULL;
  if (highest != TS_NO_INSTANCE && job->facts.own_number > highest)
    ts_life_lack_activation (state, job);
  else if (put_before_later (timeline, state, job))
    return;
  /* where numbers begin anew they do not tell by the highest one who is the latest */
  else if (!since_begin && job->facts.own_number > ts_life_latest_ended (state))
    ts_life_lack_activation (state, job);
  /* activations since the section began are later than that of the head, which is not in the trace */
  else if (state->last_activated == NULL && !(state->known & (TS_KNOWN_ACTIVATION | TS_KNOWN_END_FOR_ST)))
    state->last_activated = job;
  else if (first != NULL && first->previous_activated == NULL
           && !(first->facts.flags & (TS_INSTANCE_HAS_PER | TS_INSTANCE_HAS_ST)))
    link_to (job, first);
}
