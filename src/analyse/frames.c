/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/core.h"
#include "analyse/owner.h"

/* Who called whom: what runs in a task, or in who stands for it, from the innermost outwards. A callee's time is its
 * caller's too, but not its caller's own (SELF). */

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
  ts_core_name_owner (stray, owner);
  ts_job_place (timeline, stray, owner->facts.resource);
  stray->run_since += overhead - owner->core->overhead;
  put_around (stray, outermost, owner);
}

/* Whether @stray was there before, and goes on just now. */
static gboolean
goes_on (const TsTimeline *timeline, const TsJob *stray)
{
  return stray->is_head && !stray->suspended && stray->since == timeline->now;
}

/* Whether @stray, which is in @stand_in, may be in @owner. If it is not known that this ran meanwhile, the trace must have
 * @named it; and where its core is not known, its task must be. What goes on where nobody is named does so with its task. */
static gboolean
is_adopted (const TsTimeline *timeline, const TsJob *stray, const TsJob *stand_in, const TsJob *owner, gboolean named)
{
  if (stand_in->facts.element != owner->facts.element)
    return stand_in->facts.element == TS_NO_ELEMENT && stand_in->facts.resource == owner->facts.resource
           && named == goes_on (timeline, stray);
  return stand_in->owner_number == 0 || owner->facts.own_number == TS_NO_INSTANCE
         || stand_in->owner_number == ts_event_owner_number (owner->facts.own_number);
}

static void
gather_in (TsTimeline *timeline, TsStandIn *stand_in, const TsJob *owner, gboolean named, GPtrArray *adopted)
{
  TsJob *stray;

  if (stand_in == NULL || stand_in->job.innermost == &stand_in->job)
    return;
  ts_followers_recall_all (timeline, &stand_in->job);
  for (stray = stand_in->job.innermost; stray != &stand_in->job; stray = stray->caller)
    if (is_adopted (timeline, stray, &stand_in->job, owner, named))
      g_ptr_array_add (adopted, stray);
}

/* Thousands of tasks may have strays: those of one are found by its name and number. Whoever names a number is on no core,
 * see ts_stand_in_resource(). */
static void
gather_adopted (TsTimeline *timeline, const TsJob *owner, gboolean named, GPtrArray *adopted)
{
  const TsCore *const cores[] = { owner->core, ts_timeline_core (timeline, TS_NO_RESOURCE) };
  const guint32       element = owner->facts.element;
  const guint16       resource = owner->facts.resource;
  const struct
  {
    guint32 element;
    guint16 number, resource;
  } places[] = { { element, ts_event_owner_number (owner->facts.own_number), TS_NO_RESOURCE },
                 { element, 0, TS_NO_RESOURCE },
                 { element, 0, resource },
                 { TS_NO_ELEMENT, 0, resource } };

  if (owner->facts.own_number != TS_NO_INSTANCE && resource != TS_NO_RESOURCE)
    for (guint i = 0; i < G_N_ELEMENTS (places); i++)
      gather_in (timeline, *ts_stand_in_place (&timeline->stand_ins, places[i].element, places[i].number, places[i].resource),
                 owner, named, adopted);
  else
    for (guint i = 0; i < (cores[0] != cores[1] ? 2 : 1); i++)
      for (TsStandIn *each = cores[i]->stand_ins; each != NULL; each = each->next)
        gather_in (timeline, each, owner, named, adopted);
}

/* The one that began last is the innermost. Of what was there before the section only that is known, so it is outside of
 * what began with it. */
static int
compare_beginnings (gconstpointer a, gconstpointer b)
{
  const TsJob      *left_job = *(TsJob *const *) a, *right_job = *(TsJob *const *) b;
  const TsInstance *left = &left_job->facts, *right = &right_job->facts;

  if (left->start != right->start)
    return left->start > right->start ? -1 : 1;
  if (left_job->is_head != right_job->is_head)
    return left_job->is_head ? 1 : -1;
  return left->line > right->line ? -1 : left->line < right->line;
}

void
ts_core_adopt (TsTimeline *timeline, TsJob *owner, gboolean named)
{
  g_autoptr (GPtrArray) adopted = NULL;
  const TsCore         *nowhere = ts_timeline_core (timeline, TS_NO_RESOURCE);
  TsJob                *outermost = find_outermost (owner);

  if (owner->core->stand_ins == NULL && nowhere->stand_ins == NULL)
    return;
  adopted = g_ptr_array_new ();
  gather_adopted (timeline, owner, named, adopted);
  g_ptr_array_sort (adopted, compare_beginnings);
  for (guint i = 0; i < adopted->len; i++)
    {
      TsJob *stray = g_ptr_array_index (adopted, i);

      give_to (timeline, stray, owner, outermost);
      outermost = stray;
    }
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
  if (job->caller != NULL)
    ts_core_add_callees (job->caller, job->callees_running - job->callees_before);
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
credit_now (TsTimeline *timeline, TsJob *job)
{
  const gint64 credited = job->credited;

  if (job->state == TS_JOB_RUNNING)
    {
      ts_core_end_state (timeline, job);
      ts_core_begin_state (timeline, job, TS_JOB_RUNNING);
    }
  ts_core_credit_caller (job);
  if (ts_job_is_stray (job) && job->caller->suspended)
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
      credit_now (timeline, job);
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

/* Nobody knows where @job ran, so another one may have run beside it: what goes on when it ends, @callee, was not called by
 * it. That told it how long it ran, but for what it had told others that ended before, or does not keep. */
static void
disown (TsJob *job, TsJob *callee)
{
  const gint64 kept_apart = callee->links & TS_JOB_OUTLIVES ? callee->credited_before : 0;

  job->callees_running -= callee->credited - kept_apart;
  keep_apart (callee, callee->credited - kept_apart);
}

/* What @job called, and is open, ran within its time so far, and within that of its callers from now on. */
static void
leave_callees (TsTimeline *timeline, TsJob *job)
{
  TsJob *innermost = job->owner->innermost, *last = job->innermost;

  /* of what a suspended callee called the time goes to its callers as well */
  while (last->suspended && last != innermost)
    last = last->innermost;
  credit_frames (timeline, last, job);
  /* and from @job to its own what they ran while it is suspended */
  if (job->suspended)
    ts_core_pass_on (job);
  if (ts_job_is_stray (job) && job->facts.resource == TS_NO_RESOURCE)
    disown (job, job->innermost);
}

void
ts_core_unnest (TsTimeline *timeline, TsJob *job)
{
  /* a head that ends is in no frames */
  if (job->owner != NULL)
    {
      if (job->owner->innermost != job)
        leave_callees (timeline, job);
      ts_core_credit_caller (job);
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
