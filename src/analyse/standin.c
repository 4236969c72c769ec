/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/standin.h"

/* Who stands for tasks that are not known. There is one for each task that was missed, on each resource: it is kept. */

#define FIRST_BITS 4

static gsize
n_places (const TsStandIns *stand_ins)
{
  return (gsize) 1 << (32 - stand_ins->shift);
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
  for (gsize i = 0; i < n_places (stand_ins); i++)
    g_free (stand_ins->places[i]);
  g_free (stand_ins->places);
}

static void
grow (TsStandIns *stand_ins)
{
  const TsStandIns old = *stand_ins;

  make_places (stand_ins, 32 - old.shift + 1);
  for (gsize i = 0; i < n_places (&old); i++)
    if (old.places[i] != NULL)
      *ts_stand_in_place (stand_ins, old.places[i]->job.facts.element, old.places[i]->job.facts.resource) = old.places[i];
  g_free (old.places);
}

static gboolean
is_empty (const TsStandIn *stand_in)
{
  return stand_in->job.innermost == &stand_in->job;
}

static TsStandIn *
make (TsTimeline *timeline, guint32 owner, guint16 resource)
{
  TsStandIns *stand_ins = &timeline->stand_ins;
  TsStandIn  *stand_in = g_new0 (TsStandIn, 1);
  TsJob      *job = &stand_in->job;

  if (stand_ins->n >= n_places (stand_ins) / 4 * 3)
    grow (stand_ins);
  stand_ins->n++;
  job->facts.element = owner;
  job->is_head = TRUE; /* what began before the section may be in it */
  job->innermost = job;
  ts_job_place (timeline, job, resource);
  *ts_stand_in_place (stand_ins, owner, resource) = stand_in;
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

TsJob *
ts_stand_in_for (TsTimeline *timeline, const TsEvent *event)
{
  const guint16 resource = ts_stand_in_resource (event);
  TsStandIn    *stand_in = *ts_stand_in_place (&timeline->stand_ins, event->owner, resource);

  if (stand_in == NULL)
    stand_in = make (timeline, event->owner, resource);
  if (!stand_in->is_used)
    use (stand_in);
  ts_stand_in_await (timeline, stand_in, event->time);
  if (is_empty (stand_in))
    stand_in->job.links = 0;
  /* the instance that the next frame is mostly in, if there is none */
  stand_in->job.owner_number = event->owner_number;
  ts_stand_in_update (timeline, &stand_in->job);
  return &stand_in->job;
}

void
ts_stand_ins_expect_nobody (TsStandIns *stand_ins)
{
  for (TsStandIn *each = stand_ins->awaiting; each != NULL; each = each->next_awaiting)
    each->is_awaiting = FALSE;
  stand_ins->awaiting = NULL;
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

gboolean
ts_stand_ins_have_any (const TsCore *core)
{
  TsStandIn *each = core->stand_ins;

  while (each != NULL && is_empty (each))
    each = each->next;
  return each != NULL;
}
