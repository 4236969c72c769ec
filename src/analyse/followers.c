/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/core.h"

/* Of the frames of a task, the outer ones where there are many: of a deep recursion, or of functions whose ends were lost
 * in a task that never ends. They are in the state that their task is in, so they *follow* it: nobody looks at them while
 * that changes, however many they are. One that stands for all of them, the lead, is taken through the states as a frame
 * would be; what a follower adds up is kept as what it had less what the lead had when it joined. What of the task's
 * intervals are samples of each of them is told once for all that are of one element.
 *
 * Followers are the outermost frames, without a gap, so the innermost of them is the only one that can leave. */

/* The followers of one element. */
typedef struct
{
  TsJob *innermost;
  guint  n_in_window; /* those whose intervals are samples */
} Voice;

struct _TsFollowers
{
  TsJob       lead;
  TsJob      *innermost;
  GArray     *voices;  /* of Voice, in the order of their outermost: so the last one that came is the first to go */
  GHashTable *numbers; /* of these, from 1, by their elements */
};

static void
free_followers (gpointer data)
{
  TsFollowers *followers = data;

  g_array_unref (followers->voices);
  g_hash_table_unref (followers->numbers);
  g_free (followers);
}

static TsFollowers *
find (const TsTimeline *timeline, const TsJob *owner)
{
  return timeline->followers != NULL ? g_hash_table_lookup (timeline->followers, owner) : NULL;
}

/* Of @owner, which has none so far; they will be like @first. */
static TsFollowers *
begin (TsTimeline *timeline, TsJob *owner, const TsJob *first)
{
  TsFollowers *followers = g_new0 (TsFollowers, 1);

  if (timeline->followers == NULL)
    timeline->followers = g_hash_table_new_full (NULL, NULL, NULL, free_followers);
  followers->lead.state = owner->state;
  followers->lead.was_waiting = first->was_waiting;
  followers->lead.since = first->since;
  followers->lead.run_since = first->run_since;
  ts_job_place (timeline, &followers->lead, first->facts.resource);
  followers->innermost = owner;
  followers->voices = g_array_new (FALSE, FALSE, sizeof (Voice));
  followers->numbers = g_hash_table_new (NULL, NULL);
  g_hash_table_insert (timeline->followers, owner, followers);
  return followers;
}

static Voice *
voice_at (const TsFollowers *followers, guint i)
{
  return &g_array_index (followers->voices, Voice, i);
}

static Voice *
voice_of (TsFollowers *followers, guint32 element)
{
  const Voice new = { NULL, 0 };
  guint       number = GPOINTER_TO_UINT (g_hash_table_lookup (followers->numbers, GUINT_TO_POINTER (element)));

  if (number == 0)
    {
      g_array_append_val (followers->voices, new);
      number = followers->voices->len;
      g_hash_table_insert (followers->numbers, GUINT_TO_POINTER (element), GUINT_TO_POINTER (number));
    }
  return voice_at (followers, number - 1);
}

static gboolean
can_follow (const TsFollowers *followers, const TsJob *job)
{
  const TsJob *lead = &followers->lead;

  /* those that went to their state with their task did so together; not those that had no task until now */
  return !job->suspended && job->state == lead->state && job->since == lead->since && job->run_since == lead->run_since;
}

/* What the lead adds up goes to @job, or, if @factor is -1, is taken from it. */
static void
add_lead (TsJob *job, const TsJob *lead, gint factor)
{
  job->facts.running += factor * lead->facts.running;
  job->facts.preempted += factor * lead->facts.preempted;
  job->facts.preempted_closed += factor * lead->facts.preempted_closed;
  job->facts.waiting += factor * lead->facts.waiting;
  job->facts.n_preemptions += (guint) factor * lead->facts.n_preemptions;
}

/* Of equal samples the one that is named: see TsExtreme. */
static gboolean
is_earlier (const TsJob *a, const TsJob *b)
{
  return a->facts.start < b->facts.start || (a->facts.start == b->facts.start && a->facts.number < b->facts.number);
}

/* @job is the innermost from now on. */
static void
join (TsFollowers *followers, TsJob *job)
{
  Voice *voice = voice_of (followers, job->facts.element);

  job->like = voice->innermost;
  job->earliest = voice->innermost != NULL ? voice->innermost->earliest : NULL;
  if (job->facts.flags & TS_INSTANCE_IN_WINDOW)
    {
      voice->n_in_window++;
      if (job->earliest == NULL || is_earlier (job, job->earliest))
        job->earliest = job;
    }
  voice->innermost = job;
  followers->innermost = job;
  add_lead (job, &followers->lead, -1);
  job->state = TS_JOB_FOLLOWS;
}

/* The innermost is a frame like any other from now on. */
static void
leave (TsTimeline *timeline, TsFollowers *followers)
{
  TsJob *job = followers->innermost;
  Voice *voice = voice_of (followers, job->facts.element);

  voice->innermost = job->like;
  voice->n_in_window -= (job->facts.flags & TS_INSTANCE_IN_WINDOW) != 0;
  if (voice->innermost == NULL)
    {
      g_hash_table_remove (followers->numbers, GUINT_TO_POINTER (job->facts.element));
      g_array_set_size (followers->voices, followers->voices->len - 1);
    }
  followers->innermost = job->caller;
  add_lead (job, &followers->lead, 1);
  job->state = followers->lead.state;
  job->was_waiting = followers->lead.was_waiting;
  job->since = followers->lead.since;
  job->run_since = followers->lead.run_since;
  ts_job_place (timeline, job, followers->lead.facts.resource);
}

/* All up to @outer, which is left out, leave. */
static void
leave_up_to (TsTimeline *timeline, TsFollowers *followers, TsJob *owner, const TsJob *outer)
{
  while (followers->innermost != outer)
    leave (timeline, followers);
  if (outer == owner)
    g_hash_table_remove (timeline->followers, owner);
}

void
ts_followers_recall (TsTimeline *timeline, TsJob *job)
{
  leave_up_to (timeline, find (timeline, job->owner), job->owner, job->caller);
}

void
ts_followers_recall_all (TsTimeline *timeline, TsJob *owner)
{
  TsFollowers *followers = find (timeline, owner);

  if (followers != NULL)
    leave_up_to (timeline, followers, owner, owner);
}

void
ts_followers_recall_everywhere (TsTimeline *timeline)
{
  g_autoptr (GList) owners = timeline->followers != NULL ? g_hash_table_get_keys (timeline->followers) : NULL;

  for (GList *each = owners; each != NULL; each = each->next)
    ts_followers_recall_all (timeline, each->data);
}

/* All go to @resource. */
static void
move (TsTimeline *timeline, TsFollowers *followers, guint16 resource)
{
  TsJob *lead = &followers->lead;

  for (guint i = 0; i < followers->voices->len; i++)
    {
      TsJob *job = voice_at (followers, i)->innermost;

      job->facts.resource = lead->facts.resource;
      ts_core_leave_resource (timeline, job, resource);
    }
  ts_job_place (timeline, lead, resource);
}

/* An interval of all has ended. */
static void
tell_all (TsTimeline *timeline, const TsFollowers *followers, TsIntervalKind kind, gint64 length)
{
  for (guint i = 0; i < followers->voices->len; i++)
    {
      const Voice *voice = voice_at (followers, i);
      const TsJob *first = voice->innermost->earliest;

      if (voice->n_in_window > 0)
        ts_timeline_emit_alike (timeline, kind, first->facts.element, length, first->facts.start, first->facts.number,
                                voice->n_in_window);
    }
}

static void
change (TsTimeline *timeline, TsFollowers *followers, TsJobState state)
{
  TsJob         *lead = &followers->lead;
  TsIntervalKind kind;
  gint64         length;

  ts_core_end_state (timeline, lead);
  if (lead->state != TS_JOB_RUNNING && ts_core_end_interval (timeline, lead, state, &kind, &length))
    tell_all (timeline, followers, kind, length);
  lead->was_waiting = lead->state == TS_JOB_WAITING;
  ts_core_begin_state (timeline, lead, state);
}

void
ts_followers_update (TsTimeline *timeline, const TsJob *owner)
{
  TsFollowers *followers = find (timeline, owner);

  if (followers->lead.facts.resource != owner->facts.resource)
    move (timeline, followers, owner->facts.resource);
  if (followers->lead.state != owner->state)
    change (timeline, followers, (TsJobState) owner->state);
}

void
ts_followers_join (TsTimeline *timeline, TsJob *owner, guint n_frames)
{
  TsFollowers       *followers = find (timeline, owner);
  g_autofree TsJob **frames = g_new (TsJob *, n_frames);
  TsJob             *frame = owner->innermost;

  for (guint i = 0; i < n_frames; i++, frame = frame->caller)
    frames[i] = frame;
  if (followers == NULL)
    followers = begin (timeline, owner, frames[n_frames - 1]);
  /* the innermost come and go */
  for (guint i = n_frames; i-- > n_frames / 2 && can_follow (followers, frames[i]);)
    join (followers, frames[i]);
  if (followers->innermost == owner)
    g_hash_table_remove (timeline->followers, owner);
}

static void
refer (gpointer owner G_GNUC_UNUSED, gpointer data, gpointer timeline)
{
  TsJob *lead = &((TsFollowers *) data)->lead;

  ts_job_place (timeline, lead, lead->facts.resource);
}

void
ts_followers_refer (TsTimeline *timeline)
{
  if (timeline->followers != NULL)
    g_hash_table_foreach (timeline->followers, refer, timeline);
}
