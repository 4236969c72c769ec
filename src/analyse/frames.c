/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/core.h"

/* Who called whom: what runs in a task, or in no known one, from the innermost outwards. A callee's time is its caller's
 * too, but not its caller's own (SELF). */

/* Whether @orphan may run in @owner. If it is not known that this ran meanwhile, the trace must have @named it. */
static gboolean
is_adopted (const TsJob *orphan, const TsJob *owner, gboolean named)
{
  if (orphan->facts.owner == owner->facts.element)
    return orphan->owner_number == 0 || owner->facts.own_number == TS_NO_INSTANCE
           || orphan->owner_number == ts_event_owner_number (owner->facts.own_number);
  /* where its core is not known, its task must be */
  return !named && orphan->facts.owner == TS_NO_ELEMENT && orphan->facts.resource == owner->facts.resource;
}

/* @orphan, which is to become one of its frames, is in @owner. */
static void
give_to (TsTimeline *timeline, TsJob *orphan, TsJob *owner)
{
  const gint64 overhead = orphan->core->overhead;

  orphan->owner = owner;
  orphan->facts.owner = owner->facts.element;
  ts_job_place (timeline, orphan, owner->facts.resource);
  orphan->run_since += overhead - owner->core->overhead;
}

/* Takes those that belong to @owner from the orphans of @resource, and appends them to its frames. */
static TsJob **
adopt_from (TsTimeline *timeline, TsJob *owner, guint16 resource, gboolean named, TsJob **adopted)
{
  TsCore *core = ts_timeline_core (timeline, resource);
  TsJob  *orphan = core->orphans, **left = &core->orphans, *caller;

  for (; orphan != NULL; orphan = caller)
    {
      caller = orphan->caller;
      if (!is_adopted (orphan, owner, named))
        {
          *left = orphan;
          left = &orphan->caller;
          continue;
        }
      give_to (timeline, orphan, owner);
      *adopted = orphan;
      adopted = &orphan->caller;
    }
  *left = NULL;
  return adopted;
}

void
ts_core_adopt (TsTimeline *timeline, TsJob *owner, gboolean named)
{
  TsJob **adopted = adopt_from (timeline, owner, owner->facts.resource, named, &owner->innermost);

  if (owner->facts.resource != TS_NO_RESOURCE)
    adopted = adopt_from (timeline, owner, TS_NO_RESOURCE, named, adopted);
  *adopted = owner;
  for (TsJob *job = owner->innermost; job != owner && job->caller != owner; job = job->caller)
    job->caller->innermost = job;
}

/* @job goes between @inner, or the innermost place if that is @owner, and the frame that called it. */
static void
put_around (TsJob *job, TsJob *inner, TsJob *owner)
{
  TsJob **link = inner != owner ? &inner->caller : &owner->innermost;

  job->caller = *link;
  if (job->caller != owner)
    job->caller->innermost = job;
  *link = job;
  job->innermost = inner;
}

/* Those of @core that began just now, the latest of all, go to the tasks that they name, if these are there by now: outside
 * of what started in them since. */
static void
find_owners_on (TsTimeline *timeline, TsCore *core)
{
  TsJob **link = &core->orphans, *orphan, *owner, *outermost;

  while ((orphan = *link) != NULL && orphan->facts.start == timeline->now)
    {
      owner = ts_owner_of_orphan (timeline, orphan);
      if (owner == NULL)
        {
          link = &orphan->caller;
          continue;
        }
      *link = orphan->caller;
      ts_followers_recall_all (timeline, owner);
      for (outermost = owner->innermost; outermost != owner && outermost->caller != owner;)
        outermost = outermost->caller;
      give_to (timeline, orphan, owner);
      put_around (orphan, outermost, owner);
      ts_core_update_nested (timeline, orphan);
    }
}

void
ts_core_find_owners (TsTimeline *timeline)
{
  for (guint i = 0; i < timeline->n_cores; i++)
    find_owners_on (timeline, &timeline->cores[i]);
}

/* Where the frames begin that @job is one of: the innermost. */
static TsJob **
frames_of (const TsJob *job)
{
  return job->owner != NULL ? &job->owner->innermost : &job->core->orphans;
}

void
ts_core_put_outside (TsTimeline *timeline, TsJob *job)
{
  TsJob **link = frames_of (job), *inner = job->owner, *outer = job->caller;

  if (job->owner != NULL)
    ts_followers_recall_all (timeline, job->owner);
  *link = outer;
  for (; outer != job->owner && !(outer->is_head && outer->facts.owner == job->facts.owner); outer = *link)
    {
      inner = outer;
      link = &outer->caller;
    }
  if (job->owner != NULL)
    {
      put_around (job, inner, job->owner);
      return;
    }
  job->caller = outer;
  *link = job;
}

/* Whether both, which run in no known task, may be in one: not in two instances of it. */
static gboolean
have_one_owner (const TsJob *a, const TsJob *b)
{
  return a->facts.owner == b->facts.owner
         && (a->owner_number == b->owner_number || a->owner_number == 0 || b->owner_number == 0);
}

/* The frame around @job. Those that run in no known task are in one chain, whatever their tasks. */
static TsJob *
caller_of (const TsJob *job)
{
  TsJob *caller = job->caller;

  while (job->owner == NULL && caller != NULL && !have_one_owner (caller, job))
    caller = caller->caller;
  return caller;
}

void
ts_core_pass_on (TsJob *job)
{
  TsJob *caller = caller_of (job);

  if (caller != NULL)
    caller->callees_running += job->callees_running - job->callees_before;
  job->callees_running = job->callees_before;
}

/* Of what the caller of @job, which runs in no known task, knows it does not keep @length more, see `credited_before'. */
static void
keep_apart (TsJob *job, gint64 length)
{
  if (!(job->links & TS_JOB_OUTLIVES))
    job->credited_before = 0;
  job->links |= TS_JOB_OUTLIVES;
  job->credited_before += length;
}

static void
credit_now (TsTimeline *timeline, TsJob *job, TsJob *caller)
{
  const gint64 credited = job->credited;

  if (job->state == TS_JOB_RUNNING)
    {
      ts_core_end_state (timeline, job);
      ts_core_begin_state (timeline, job, TS_JOB_RUNNING);
    }
  ts_core_credit_caller (job, caller);
  if (job->owner == NULL && caller != NULL && caller->suspended)
    keep_apart (job, job->credited - credited);
}

/* What frames ran so far goes to their callers, from @innermost outwards up to @last, which is left out. */
static void
credit_frames (TsTimeline *timeline, TsJob *innermost, const TsJob *last)
{
  for (TsJob *job = innermost; job != last; job = job->caller)
    {
      if (job->suspended)
        ts_core_pass_on (job);
      credit_now (timeline, job, caller_of (job));
    }
}

/* @job is suspended from now on, or no longer: so to whom the time of its callees goes changes. */
static void
credit_apart (TsTimeline *timeline, TsJob *job, gboolean suspended)
{
  TsJob        *innermost = *frames_of (job);
  gconstpointer frames = job->owner != NULL ? (gconstpointer) job->owner : job->core;

  /* frames are mostly suspended together, with their task: then the first one asks all of them, or else that would take
     the longer the deeper they are */
  if (innermost != job && (timeline->credited != frames || timeline->credited_at != timeline->now))
    {
      if (job->owner != NULL)
        ts_followers_recall_all (timeline, job->owner);
      credit_frames (timeline, innermost, job->owner);
      timeline->credited = frames;
      timeline->credited_at = timeline->now;
    }
  if (suspended)
    job->callees_before = job->callees_running;
  else
    ts_core_pass_on (job);
}

void
ts_core_suspend_nested (TsTimeline *timeline, TsJob *job, gboolean suspended)
{
  ts_core_recall (timeline, job);
  if (!timeline->options.no_self)
    credit_apart (timeline, job, suspended);
  job->suspended = (guint8) suspended;
  ts_core_update_nested (timeline, job);
}

/* What the frames that @job called ran so far, from @innermost outwards, goes to their callers, and from it to its own
 * what they ran while it is suspended. */
static void
credit_frames_of (TsTimeline *timeline, TsJob *innermost, TsJob *job)
{
  credit_frames (timeline, innermost, job);
  if (job->suspended)
    ts_core_pass_on (job);
}

/* Nobody knows where @job ran, so others may have run beside it: what goes on when it ends was not called by it. They told
 * it how long they ran, but for what they had told others that ended before, or it does not keep. */
static void
disown_strangers (TsJob *job)
{
  for (TsJob *inner = job->core->orphans; inner != job; inner = inner->caller)
    if (caller_of (inner) == job)
      {
        const gint64 kept_apart = inner->links & TS_JOB_OUTLIVES ? inner->credited_before : 0;

        job->callees_running -= inner->credited - kept_apart;
        keep_apart (inner, inner->credited - kept_apart);
      }
}

/* @job runs in no known task. */
static void
take_out_of_orphans (TsTimeline *timeline, TsJob *job)
{
  TsJob **link = &job->core->orphans;

  while (*link != NULL && *link != job)
    link = &(*link)->caller;
  if (*link != job)
    return;
  credit_frames_of (timeline, job->core->orphans, job);
  if (job->facts.resource == TS_NO_RESOURCE)
    disown_strangers (job);
  *link = job->caller;
}

/* @job is one of the frames of its owner, and not the innermost: that one leaves without this. */
static void
take_out_of_frames (TsTimeline *timeline, TsJob *job)
{
  TsJob *owner = job->owner, *callee = job->innermost, *from = callee;

  /* of what a suspended callee called the time goes to its callers as well */
  while (from->suspended && from != owner->innermost)
    from = from->innermost;
  credit_frames_of (timeline, from, job);
  callee->caller = job->caller;
  if (job->caller != owner)
    job->caller->innermost = callee;
}

void
ts_core_unnest (TsTimeline *timeline, TsJob *job)
{
  /* what it called and is open ran within its time so far, and within that of its callers from now on */
  if (job->owner != NULL)
    take_out_of_frames (timeline, job);
  else
    take_out_of_orphans (timeline, job);
  ts_core_credit_caller (job, caller_of (job));
  job->owner = job->caller = NULL;
  /* one that is no element told it apart from others, and is told to nobody else */
  if (job->facts.owner >= timeline->n_elements)
    job->facts.owner = TS_NO_ELEMENT;
}

/* The frames from @innermost outwards. */
static void
settle_frames (TsTimeline *timeline, TsJob *innermost, const TsJob *owner)
{
  TsJob *caller;

  credit_frames (timeline, innermost, owner);
  for (TsJob *job = innermost; job != owner; job = caller)
    {
      caller = job->caller;
      job->owner = job->caller = NULL;
    }
}

void
ts_core_settle_callees (TsTimeline *timeline, TsJob *job)
{
  settle_frames (timeline, job->innermost, job);
  job->innermost = job;
}

void
ts_core_settle_orphans (TsTimeline *timeline, TsCore *core)
{
  settle_frames (timeline, core->orphans, NULL);
  core->orphans = NULL;
}

void
ts_core_freeze_callees (TsTimeline *timeline, TsJob *job)
{
  ts_followers_recall_all (timeline, job);
  for (TsJob *callee = job->innermost; callee != job; callee = callee->caller)
    {
      ts_core_end_state (timeline, callee);
      ts_core_begin_state (timeline, callee, TS_JOB_FROZEN);
      callee->element->n_frozen++;
    }
  ts_core_settle_callees (timeline, job);
}
