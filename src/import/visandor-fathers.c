/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/visandor-run.h"

/* Who waits for goals the fork of which is lost. Where one of them starts on the agent on which a goal runs, that has forked, as
 * an agent does one thing at a time. Where they all start elsewhere, the JOIN of their node tells who it was, as that one goes on
 * where the JOIN is, and ends there, or forks once more and ends where that is joined. So the trace is read again, and who forked
 * waits from the start of the first of these goals on, or since another goal began where it ran. */

#define MOST_UNSEEN 1024 /* nodes; with more, the JOINs of those so far seem to be lost, too */

/* Of a key, which mostly is text, and so has what differs anywhere. */
static guint
hash (gconstpointer key)
{
  return (guint) ((guint64) GPOINTER_TO_SIZE (key) * TS_VIS_FACTOR >> 32);
}

static gpointer
place_of (guint64 key)
{
  return GSIZE_TO_POINTER ((gsize) key);
}

void
ts_vis_wait_unseen (TsVis *vis, TsVisTask *goal, TsVisAgent *agent)
{
  ts_vis_halt (vis, goal, TS_VIS_WAITING);
  ts_vis_emit (vis, TS_EVENT_WAIT, goal->element, goal->number, agent->resource, 0);
  goal->status.flags |= TS_VIS_WAITS_UNSEEN;
  goal->below = agent->waiting;
  agent->waiting = goal;
}

static TsVisTask *
take_at (TsVisTask **link)
{
  TsVisTask *task = *link;

  *link = task->below;
  task->status.flags &= (guint8) ~(guint) (TS_VIS_WAITS_UNSEEN | TS_VIS_WAITS_KNOWN);
  return task;
}

void
ts_vis_leave_waiting (TsVisAgent *agent, const TsVisTask *task)
{
  TsVisTask **link = &agent->waiting;

  while (*link != task)
    link = &(*link)->below;
  take_at (link);
}

/* Where the one that waits for @fork is linked; NULL: nobody does. */
static TsVisTask **
find_waiting (TsVis *vis, const TsVisUnseenFork *fork)
{
  TsVisTask **link;

  if (fork->number == 0)
    return NULL;
  link = &ts_vis_agent_at (vis, fork->agent)->waiting;
  while (*link != NULL && ((*link)->number != fork->number || ((*link)->node == NULL) != fork->is_root))
    link = &(*link)->below;
  return *link != NULL ? link : NULL;
}

static int
compare_starts (gconstpointer a, gconstpointer b)
{
  const TsVisUnseenFork *left = a, *right = b;

  return left->start < right->start ? -1 : left->start > right->start;
}

static void
name_father (TsVisUnseenFork *fork, const TsVisTask *father, guint16 agent)
{
  fork->father = father->line;
  fork->number = father->number;
  fork->is_root = father->node == NULL;
  fork->agent = agent;
}

/* Whoever is known to have forked @fork waits from now on, if it has not before. */
static void
begin_waiting (TsVis *vis, TsVisUnseenFork *fork)
{
  const TsVisUnseenFork *known;
  TsVisTask  **link;
  TsVisAgent  *agent;
  guint        i;

  if (vis->kept->forks == NULL || !g_array_binary_search (vis->kept->forks, fork, compare_starts, &i))
    return;
  known = &g_array_index (vis->kept->forks, TsVisUnseenFork, i);
  if (known->agent >= vis->agents->len)
    return;
  agent = ts_vis_agent_at (vis, known->agent);
  if (agent->top != NULL && agent->top->line == known->father)
    ts_vis_wait_unseen (vis, agent->top, agent);
  link = find_waiting (vis, known);
  if (link == NULL)
    return;
  (*link)->status.flags |= TS_VIS_WAITS_KNOWN;
  name_father (fork, *link, known->agent);
}

/* @father, which runs on @agent, seems to have forked @fork. FALSE: it has not, or that is not news. */
static gboolean
learn_father (TsVis *vis, TsVisUnseenFork *fork, const TsVisTask *father, guint16 agent)
{
  if (fork->number != 0 || father == NULL || (father->node != NULL && father->node->is_or) || father->thread.since > fork->time
      || !ts_vis_learn_loss (vis, TS_VIS_LOST_FORK, father))
    return FALSE;
  name_father (fork, father, agent);
  if (vis->forks == NULL)
    vis->forks = g_array_new (FALSE, FALSE, sizeof *fork);
  g_array_append_vals (vis->forks, fork, 1);
  return TRUE;
}

/* What is known of the fork of the goal @field of the node @key, which starts now. */
static TsVisUnseenFork *
note_start (TsVis *vis, guint64 key, guint field)
{
  const gpointer   place = place_of (key);
  const guint64    bit = field < 64 ? G_GUINT64_CONSTANT (1) << field : 0;
  TsVisUnseenFork *fork;

  if (vis->unseen == NULL)
    vis->unseen = g_hash_table_new_full (hash, NULL, NULL, g_free);
  fork = g_hash_table_lookup (vis->unseen, place);
  if (fork == NULL || (fork->fields & bit) != 0) /* the JOIN of the one before is lost, too */
    {
      if (g_hash_table_size (vis->unseen) >= MOST_UNSEEN)
        g_hash_table_remove_all (vis->unseen);
      fork = g_new0 (TsVisUnseenFork, 1);
      fork->start = vis->now_line;
      fork->time = vis->now;
      g_hash_table_insert (vis->unseen, place, fork);
      begin_waiting (vis, fork);
    }
  fork->fields |= bit;
  return fork;
}

void
ts_vis_start_fatherless (TsVis *vis, const TsVisNode *node, TsVisTask *father, TsVisAgent *agent)
{
  TsVisUnseenFork *fork = note_start (vis, node->key, node->first_field);

  if (father == NULL)
    return;
  if (fork->number == 0)
    {
      /* the first of these goals started before, elsewhere: since then it waits, in the next reading */
      if (fork->start == vis->now_line || !learn_father (vis, fork, father, agent->resource))
        name_father (fork, father, agent->resource);
      father->status.flags |= TS_VIS_WAITS_KNOWN;
    }
  ts_vis_wait_unseen (vis, father, agent);
}

void
ts_vis_learn_migration (TsVis *vis, const TsVisTask *goal, TsVisAgent *agent)
{
  if (agent->joined.start == 0 || (goal->status.agent == agent->resource && !ts_vis_is_displaced (goal)))
    return;
  learn_father (vis, &agent->joined, goal, goal->status.agent);
  agent->joined.start = 0;
}

void
ts_vis_fork_fatherless (TsVis *vis, const TsVisNode *node, TsVisAgent *agent)
{
  if (agent->joined.start == 0)
    return;
  g_hash_table_insert (vis->unseen, place_of (node->key), g_memdup2 (&agent->joined, sizeof agent->joined));
  agent->joined.start = 0;
}

void
ts_vis_join_fatherless (TsVis *vis, const TsVisNode *node, TsVisAgent *agent)
{
  const gpointer         place = place_of (node->key);
  const TsVisUnseenFork *fork = vis->unseen != NULL ? g_hash_table_lookup (vis->unseen, place) : NULL;

  if (fork == NULL)
    return;
  agent->joined = *fork;
  g_hash_table_remove (vis->unseen, place);
}

/* The latest one that has left @agent for a node of which it is not known; NULL: nobody has. */
static TsVisTask *
take_latest (TsVisAgent *agent)
{
  TsVisTask **link = &agent->waiting;

  while (*link != NULL && ((*link)->status.flags & TS_VIS_WAITS_KNOWN) != 0)
    link = &(*link)->below;
  return *link != NULL ? take_at (link) : NULL;
}

TsVisTask *
ts_vis_take_father (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent)
{
  const gpointer   place = place_of (record->key);
  TsVisUnseenFork *fork = vis->unseen != NULL ? g_hash_table_lookup (vis->unseen, place) : NULL;
  TsVisTask       *father = NULL, **link = fork != NULL ? find_waiting (vis, fork) : NULL;

  if (link != NULL)
    father = take_at (link);
  else if (fork == NULL || !learn_father (vis, fork, agent->top, agent->resource))
    {
      if (fork != NULL)
        agent->joined = *fork;
      father = take_latest (agent);
    }
  if (fork != NULL)
    g_hash_table_remove (vis->unseen, place);
  return father;
}

void
ts_vis_keep_forks (TsVis *vis)
{
  if (vis->forks == NULL)
    return;
  g_array_sort (vis->forks, compare_starts);
  vis->kept->forks = g_steal_pointer (&vis->forks);
}
