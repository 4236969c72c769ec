/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/standin.h"

/* Who stands for tasks that are not known. Each instance that a trace names has one: those that are empty are taken for
 * others when there are many. */

#define FIRST_BITS 6

static gsize
n_places (const TsStandIns *stand_ins)
{
  return (gsize) 1 << (32 - stand_ins->shift);
}

static gboolean
is_empty (const TsStandIn *stand_in)
{
  return stand_in->job.innermost == &stand_in->job;
}

static void
make_places (TsStandIns *stand_ins, guint bits)
{
  stand_ins->shift = 32 - bits;
  stand_ins->places = g_new0 (TsStandIn *, (gsize) 1 << bits);
}

void
ts_stand_ins_init (TsStandIns *stand_ins)
{
  make_places (stand_ins, FIRST_BITS);
}

void
ts_stand_ins_clear (TsStandIns *stand_ins)
{
  TsStandIn *stand_in;

  for (gsize i = 0; i < n_places (stand_ins); i++)
    g_free (stand_ins->places[i]);
  g_free (stand_ins->places);
  while ((stand_in = stand_ins->free) != NULL)
    {
      stand_ins->free = stand_in->next;
      g_free (stand_in);
    }
}

static void
put (TsStandIns *stand_ins, TsStandIn *stand_in)
{
  const TsJob *job = &stand_in->job;

  *ts_stand_in_place (stand_ins, job->facts.element, job->owner_number, job->facts.resource) = stand_in;
  stand_ins->n++;
}

void
ts_stand_ins_leave (TsCore *core)
{
  TsStandIn **link = &core->stand_ins, *stand_in;

  while ((stand_in = *link) != NULL)
    {
      stand_in->is_used = !is_empty (stand_in);
      if (stand_in->is_used)
        link = &stand_in->next;
      else
        *link = stand_in->next;
    }
}

/* Makes room for more: those that are empty are free, and if that are few, there are more places. */
static void
make_room (TsTimeline *timeline)
{
  TsStandIns      *stand_ins = &timeline->stand_ins;
  const TsStandIns old = *stand_ins;
  guint            n_left = 0;

  for (guint i = 0; i < timeline->n_cores; i++)
    ts_stand_ins_leave (&timeline->cores[i]);
  for (gsize i = 0; i < n_places (&old); i++)
    n_left += old.places[i] != NULL && (old.places[i]->is_used || old.places[i]->is_awaiting);
  make_places (stand_ins, 32 - old.shift + (n_left > n_places (&old) / 4));
  stand_ins->n = 0;
  for (gsize i = 0; i < n_places (&old); i++)
    {
      TsStandIn *stand_in = old.places[i];

      if (stand_in == NULL)
        continue;
      if (stand_in->is_used || stand_in->is_awaiting)
        put (stand_ins, stand_in);
      else
        {
          stand_in->next = stand_ins->free;
          stand_ins->free = stand_in;
        }
    }
  g_free (old.places);
  timeline->credited = NULL; /* it may have been one that stands for another from now on */
}

static TsStandIn *
make (TsTimeline *timeline, const TsEvent *event)
{
  TsStandIns *stand_ins = &timeline->stand_ins;
  TsStandIn  *stand_in;
  TsJob      *job;

  if (stand_ins->n >= n_places (stand_ins) / 4 * 3)
    make_room (timeline);
  stand_in = stand_ins->free;
  if (stand_in != NULL)
    stand_ins->free = stand_in->next;
  else
    stand_in = g_new (TsStandIn, 1);
  memset (stand_in, 0, sizeof *stand_in);
  job = &stand_in->job;
  job->facts.element = event->owner;
  job->facts.number = TS_NO_INSTANCE;
  job->owner_number = event->owner_number;
  job->is_head = TRUE; /* what began before the section may be in it */
  job->innermost = job;
  ts_job_place (timeline, job, ts_stand_in_resource (event));
  put (stand_ins, stand_in);
  stand_ins->has_numbers |= event->owner_number != 0;
  return stand_in;
}

void
ts_stand_ins_refer (TsTimeline *timeline)
{
  for (gsize i = 0; i < n_places (&timeline->stand_ins); i++)
    if (timeline->stand_ins.places[i] != NULL)
      {
        TsJob *job = &timeline->stand_ins.places[i]->job;

        ts_job_place (timeline, job, job->facts.resource);
      }
}

static void
use (TsStandIn *stand_in)
{
  TsCore *core = stand_in->job.core;

  stand_in->is_used = TRUE;
  stand_in->next = core->stand_ins;
  core->stand_ins = stand_in;
}

#define MOST_GUESSES 32

/* Where an event names a task, but no instance, and others do: one of these in which something is, or NULL. */
static TsStandIn *
guess (TsTimeline *timeline, const TsEvent *event)
{
  TsStandIn *each = ts_timeline_core (timeline, TS_NO_RESOURCE)->stand_ins;

  if (event->owner_number != 0 || event->owner == TS_NO_ELEMENT || !timeline->stand_ins.has_numbers)
    return NULL;
  for (guint n = 0; each != NULL && n < MOST_GUESSES; each = each->next, n++)
    if (each->job.facts.element == event->owner && !is_empty (each))
      return each;
  return NULL;
}

TsJob *
ts_stand_in_for (TsTimeline *timeline, const TsEvent *event)
{
  TsStandIn *stand_in = guess (timeline, event);

  if (stand_in == NULL)
    stand_in = ts_stand_in_named_by (timeline, event);
  if (stand_in == NULL)
    stand_in = make (timeline, event);
  if (!stand_in->is_used)
    use (stand_in);
  return ts_stand_in_begin (timeline, stand_in, event->time);
}

void
ts_stand_ins_expect_nobody (TsStandIns *stand_ins)
{
  for (TsStandIn *each = stand_ins->awaiting; each != NULL; each = each->next_awaiting)
    each->is_awaiting = FALSE;
  stand_ins->awaiting = NULL;
}

gboolean
ts_stand_ins_have_any (const TsCore *core)
{
  TsStandIn *each = core->stand_ins;

  while (each != NULL && is_empty (each))
    each = each->next;
  return each != NULL;
}
