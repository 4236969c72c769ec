/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/core.h"

/* Who called whom: what runs in a task, or in who stands for it, from the innermost outwards. A callee's time is its
 * caller's too, but not its caller's own (SELF). */

/* Whether both, which run in who stands for their task, may be in one instance of that. */
static gboolean
have_one_owner (const TsJob *a, const TsJob *b)
{
  return a->owner_number == b->owner_number || a->owner_number == 0 || b->owner_number == 0;
}

/* The frame around @job, or its owner; NULL if it is in no frames. */
static TsJob *
caller_of (const TsJob *job)
{
  TsJob *caller = job->caller;

  if (ts_job_is_stray (job))
    while (caller != job->owner && !have_one_owner (caller, job))
      caller = caller->caller;
  return caller;
}

void
ts_core_judge_caller (TsJob *job)
{
  if (ts_job_is_stray (job) && job->caller != job->owner && job->caller->owner_number != job->owner_number)
    {
      job->links |= TS_JOB_IS_BESIDE;
      job->owner->links |= TS_JOB_IS_BESIDE;
    }
}

/* Takes @job out of the frames of its owner. */
static void
unlink_frame (TsJob *job)
{
  TsJob *owner = job->owner;

  if (owner->innermost == job)
    {
      owner->innermost = job->caller;
      return;
    }
  job->innermost->caller = job->caller;
  ts_core_judge_caller (job->innermost);
  if (job->caller != owner)
    job->caller->innermost = job->innermost;
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
  ts_core_judge_caller (job);
  if (inner != owner)
    ts_core_judge_caller (inner);
}

/* The outermost frame of @owner, or @owner itself. */
static TsJob *
find_outermost (TsJob *owner)
{
  TsJob *job = owner->innermost;

  while (job != owner && job->caller != owner)
    job = job->caller;
  return job;
}

/* Tasks that are found */

/* @stray runs in @owner, around all that is in it: around @outermost, or in @owner alone. */
static void
give_to (TsTimeline *timeline, TsJob *stray, TsJob *owner, TsJob *outermost)
{
  const gint64 overhead = stray->core->overhead;

  unlink_frame (stray);
  stray->owner = owner;
  stray->facts.owner = owner->facts.element;
  ts_job_place (timeline, stray, owner->facts.resource);
  stray->run_since += overhead - owner->core->overhead;
  put_around (stray, outermost, owner);
}

/* From @stray outwards, the first one in @stand_in that may run in @owner; NULL: none does. */
static TsJob *
find_adopted (TsJob *stray, const TsJob *stand_in, const TsJob *owner)
{
  while (stray != stand_in && stray->facts.owner != TS_NO_ELEMENT && stray->owner_number != 0
         && owner->facts.own_number != TS_NO_INSTANCE
         && stray->owner_number != ts_event_owner_number (owner->facts.own_number))
    stray = stray->caller;
  return stray != stand_in ? stray : NULL;
}

static TsJob *
find_first_adopted (TsTimeline *timeline, TsJob *stand_in, const TsJob *owner)
{
  if (stand_in == NULL)
    return NULL;
  ts_followers_recall_all (timeline, stand_in);
  return find_adopted (stand_in->innermost, stand_in, owner);
}

static gboolean
began_later (const TsJob *a, const TsJob *b)
{
  return a->facts.start > b->facts.start || (a->facts.start == b->facts.start && a->facts.line > b->facts.line);
}

/* Those in two that may run in @owner become its outermost frames: the one that began last is the innermost of them. Of each
 * of the two, or NULL, they are in order. */
static void
adopt_from (TsTimeline *timeline, TsJob *owner, TsJob *stand_in, TsJob *other)
{
  TsJob *stray = find_first_adopted (timeline, stand_in, owner), *rival = find_first_adopted (timeline, other, owner);
  TsJob *outermost = find_outermost (owner), *caller;

  while (stray != NULL || rival != NULL)
    {
      TsJob **first = rival == NULL || (stray != NULL && began_later (stray, rival)) ? &stray : &rival;

      caller = (*first)->caller;
      give_to (timeline, *first, owner, outermost);
      outermost = *first;
      *first = find_adopted (caller, first == &stray ? stand_in : other, owner);
    }
}

void
ts_core_adopt (TsTimeline *timeline, TsJob *owner, gboolean named)
{
  const guint32 element = owner->facts.element;
  const guint16 resource = owner->facts.resource;

  adopt_from (timeline, owner, ts_stand_in_find (timeline, element, resource),
              named ? NULL : ts_stand_in_find (timeline, TS_NO_ELEMENT, resource));
  /* where its core is not known, its task must be */
  if (resource != TS_NO_RESOURCE)
    adopt_from (timeline, owner, ts_stand_in_find (timeline, element, TS_NO_RESOURCE), NULL);
}

/* Those in @stand_in that began just now, the latest of all, go to the tasks that they name, if these are there by now:
 * outside of what started in them since. */
static void
find_owners_of (TsTimeline *timeline, TsJob *stand_in)
{
  TsJob *stray, *caller, *owner;

  if (ts_timeline_element (timeline, stand_in->facts.element)->open == NULL)
    return;
  ts_followers_recall_all (timeline, stand_in);
  for (stray = stand_in->innermost; stray != stand_in && stray->facts.start == timeline->now; stray = caller)
    {
      caller = stray->caller;
      owner = ts_owner_of_stray (timeline, stray);
      if (owner == NULL)
        continue;
      ts_followers_recall_all (timeline, owner);
      give_to (timeline, stray, owner, find_outermost (owner));
      ts_core_update_nested (timeline, stray);
    }
}

void
ts_core_find_owners (TsTimeline *timeline)
{
  for (TsStandIn *each = timeline->stand_ins.awaiting; each != NULL; each = each->next_awaiting)
    find_owners_of (timeline, &each->job);
}

void
ts_core_put_outside (TsTimeline *timeline, TsJob *job)
{
  TsJob *owner = job->owner, *inner = owner, *outer;

  ts_followers_recall_all (timeline, owner);
  unlink_frame (job);
  for (outer = owner->innermost; outer != owner && !outer->is_head; outer = outer->caller)
    inner = outer;
  put_around (job, inner, owner);
}

/* Whose time it is */

void
ts_core_pass_on (TsJob *job)
{
  TsJob *caller = caller_of (job);

  if (caller != NULL)
    ts_core_add_callees (caller, job->callees_running - job->callees_before);
  job->callees_running = job->callees_before;
}

/* Of what the caller of @job, a stray, knows it does not keep @length more, see `credited_before'. */
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
  if (ts_job_is_stray (job) && caller->suspended)
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
  TsJob *owner = job->owner;

  /* frames are mostly suspended together, with their task: then the first one asks all of them, or else that would take
     the longer the deeper they are */
  if (owner->innermost != job && (timeline->credited != owner || timeline->credited_at != timeline->now))
    {
      ts_followers_recall_all (timeline, owner);
      credit_frames (timeline, owner->innermost, owner);
      timeline->credited = owner;
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

/* Frames that leave */

/* The innermost of those that @job called, or of which the time goes to it: of what a suspended one called it goes to its
 * callers as well. Where several instances are in one, these may be anywhere. */
static TsJob *
find_last_to_tell (const TsJob *job)
{
  TsJob *innermost = job->owner->innermost, *inner = job->innermost;

  if (G_UNLIKELY (job->owner->links & TS_JOB_IS_BESIDE))
    return innermost;
  while (inner->suspended && inner != innermost)
    inner = inner->innermost;
  return inner;
}

/* Nobody knows where @job ran, so others may have run beside it: what goes on when it ends was not called by it. They told
 * it how long they ran, but for what they had told others that ended before, or it does not keep. */
static void
disown_strangers (TsJob *job, TsJob *innermost)
{
  for (TsJob *inner = innermost; inner != job; inner = inner->caller)
    if (caller_of (inner) == job)
      {
        const gint64 kept_apart = inner->links & TS_JOB_OUTLIVES ? inner->credited_before : 0;

        job->callees_running -= inner->credited - kept_apart;
        keep_apart (inner, inner->credited - kept_apart);
      }
}

/* What @job called, and is open, ran within its time so far, and within that of its callers from now on. */
static void
leave_callees (TsTimeline *timeline, TsJob *job)
{
  TsJob *last = find_last_to_tell (job);

  credit_frames (timeline, last, job);
  /* and from it to its own what they ran while it is suspended */
  if (job->suspended)
    ts_core_pass_on (job);
  if (ts_job_is_stray (job) && job->facts.resource == TS_NO_RESOURCE)
    disown_strangers (job, last);
}

void
ts_core_unnest (TsTimeline *timeline, TsJob *job)
{
  /* a head that ends is in no frames */
  if (job->owner != NULL)
    {
      if (job->owner->innermost != job)
        leave_callees (timeline, job);
      ts_core_credit_caller (job, caller_of (job));
      unlink_frame (job);
      job->owner = job->caller = NULL;
    }
  ts_core_settle_owner (job);
}

void
ts_core_settle_callees (TsTimeline *timeline, TsJob *job)
{
  TsJob *caller;

  credit_frames (timeline, job->innermost, job);
  for (TsJob *frame = job->innermost; frame != job; frame = caller)
    {
      caller = frame->caller;
      frame->owner = frame->caller = NULL;
    }
  job->innermost = job;
}

void
ts_core_settle_strays (TsTimeline *timeline, TsCore *core)
{
  for (TsStandIn *each = core->stand_ins; each != NULL; each = each->next)
    ts_core_settle_callees (timeline, &each->job);
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
