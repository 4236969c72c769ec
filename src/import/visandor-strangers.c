/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/visandor-run.h"

/* Tasks that start, but whose fork is not in the trace: a line of it is lost, or it stands too late. They have no activation
 * (METRICS, rule 5), and nobody waits for them as far as is known. How many others the fork had is not known either: so each
 * is the one task of a node of its own, which is open as long as it is, and is found by the name of the task. If a fork of
 * that name comes, its task is meant from its start on.
 *
 * An agent does one thing at a time. So where a task starts like this on an agent on which another one runs, that has made
 * the fork that is lost, at that time or before: a branch has split; a goal waits, for the next JOIN on that agent that is of
 * no fork that is known. Where they all start on other agents, such a JOIN tells who it was, and in the next reading that one
 * waits from the start of the first of them on. */

static guint
hash (gconstpointer node)
{
  const TsVisNode *stranger = node;
  const guint64    bits = (stranger->key + stranger->first_field) * G_GUINT64_CONSTANT (0x8950e4ac26ee2dd3);

  return (guint) (bits >> 32);
}

static gboolean
is_same (gconstpointer a, gconstpointer b)
{
  const TsVisNode *left = a, *right = b;

  return left->key == right->key && left->first_field == right->first_field && left->is_far == right->is_far;
}

/* Whether a task of that name can be kept as one. */
static gboolean
has_name (const TsVisRecord *record)
{
  return record->field >= 0 && record->field < TS_VIS_MAX_TASKS;
}

TsVisTask *
ts_vis_find_stranger (const TsVis *vis, const TsVisRecord *record)
{
  const TsVisNode name = { .key = record->key,
                           .first_field = (guint16) record->field,
                           .is_far = (guint8) ts_vis_is_far (record->node) };
  TsVisNode      *node = has_name (record) ? g_hash_table_lookup (vis->strangers, &name) : NULL;

  return node != NULL ? &node->tasks[0] : NULL;
}

static guint32
element_of (TsVis *vis, const TsVisRecord *record, const TsVisNode *node, const TsVisAgent *agent)
{
  return ts_vis_element (vis, ts_vis_type (node->is_or), record->node, record->field, node->depth, agent->id);
}

static void
split_unseen (TsVis *vis, TsVisTask *branch)
{
  ts_vis_halt (vis, branch, TS_VIS_DONE);
  ts_vis_emit (vis, ts_vis_ends_at_split (vis, branch) ? TS_EVENT_END : TS_EVENT_WAIT, branch->element, branch->number,
               branch->status.agent, 0);
  branch->status.flags |= TS_VIS_IS_RESOLVED;
  if (branch->node == NULL)
    return;
  ts_vis_note_split (vis, branch);
  ts_vis_count_done (vis, branch->node);
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
find_waiting (const TsVis *vis, const TsVisUnseenFork *fork)
{
  TsVisTask **link = fork->number != 0 && fork->agent < vis->agents->len ? &ts_vis_agent_at ((TsVis *) vis, fork->agent)->waiting : NULL;

  while (link != NULL && *link != NULL && ((*link)->number != fork->number || ((*link)->node == NULL) != fork->is_root))
    link = &(*link)->below;
  return link != NULL && *link != NULL ? link : NULL;
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
  agent = known->agent < vis->agents->len ? ts_vis_agent_at (vis, known->agent) : NULL;
  if (agent != NULL && agent->top != NULL && agent->top->line == known->father)
    ts_vis_wait_unseen (vis, agent->top, agent);
  link = find_waiting (vis, known);
  if (link == NULL)
    return;
  (*link)->status.flags |= TS_VIS_WAITS_KNOWN;
  name_father (fork, *link, known->agent);
}

/* What is known of the fork of the goal @field of the node @key, which starts now. */
static TsVisUnseenFork *
note_start (TsVis *vis, guint64 key, guint field)
{
  const gpointer   place = GSIZE_TO_POINTER ((gsize) key);
  const guint64    bit = field < 64 ? G_GUINT64_CONSTANT (1) << field : 0;
  TsVisUnseenFork *fork;

  if (vis->unseen == NULL)
    vis->unseen = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  fork = g_hash_table_lookup (vis->unseen, place);
  if (fork == NULL || (fork->fields & bit) != 0) /* the JOIN of the one before is lost, too */
    {
      fork = g_new0 (TsVisUnseenFork, 1);
      fork->start = vis->now_line;
      fork->time = vis->now;
      g_hash_table_insert (vis->unseen, place, fork);
      begin_waiting (vis, fork);
    }
  fork->fields |= bit;
  return fork;
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

void
ts_vis_learn_migration (TsVis *vis, const TsVisTask *goal, TsVisAgent *agent)
{
  if (agent->joined.start == 0 || (goal->status.agent == agent->resource && (goal->status.flags & TS_VIS_IS_DISPLACED) == 0))
    return;
  learn_father (vis, &agent->joined, goal, goal->status.agent);
  agent->joined.start = 0;
}

void
ts_vis_fork_fatherless (TsVis *vis, const TsVisNode *node, TsVisAgent *agent)
{
  if (agent->joined.start == 0)
    return;
  g_hash_table_insert (vis->unseen, GSIZE_TO_POINTER ((gsize) node->key), g_memdup2 (&agent->joined, sizeof agent->joined));
  agent->joined.start = 0;
}

void
ts_vis_join_fatherless (TsVis *vis, const TsVisNode *node, TsVisAgent *agent)
{
  const gpointer         place = GSIZE_TO_POINTER ((gsize) node->key);
  const TsVisUnseenFork *fork = vis->unseen != NULL ? g_hash_table_lookup (vis->unseen, place) : NULL;

  if (fork == NULL)
    return;
  agent->joined = *fork;
  g_hash_table_remove (vis->unseen, place);
}

TsVisTask *
ts_vis_join_unseen (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent)
{
  const gpointer   place = GSIZE_TO_POINTER ((gsize) record->key);
  TsVisUnseenFork *fork = vis->unseen != NULL ? g_hash_table_lookup (vis->unseen, place) : NULL;
  TsVisTask       *father = NULL, **link = fork != NULL ? find_waiting (vis, fork) : NULL;

  if (link != NULL)
    father = take_at (link);
  else if (fork == NULL || !learn_father (vis, fork, agent->top, agent->resource))
    {
      if (fork != NULL)
        agent->joined = *fork;
      for (link = &agent->waiting; *link != NULL && ((*link)->status.flags & TS_VIS_WAITS_KNOWN) != 0;)
        link = &(*link)->below;
      father = *link != NULL ? take_at (link) : NULL;
    }
  if (fork != NULL)
    g_hash_table_remove (vis->unseen, place);
  return father;
}

void
ts_vis_fork_seen (TsVis *vis, const TsVisRecord *record)
{
  TsVisRecord name = *record;
  TsVisTask  *task;

  if (vis->unseen != NULL)
    g_hash_table_remove (vis->unseen, GSIZE_TO_POINTER ((gsize) record->key));
  for (name.field = 0; vis->n_strangers > 0 && name.field < record->field; name.field++)
    {
      task = ts_vis_find_stranger (vis, &name);
      if (task == NULL || task->status.state != TS_VIS_RUNNING || (task->status.flags & TS_VIS_IS_DISPLACED) == 0)
        continue;
      ts_vis_lose_end (vis, task);
      ts_vis_count_done (vis, task->node);
    }
}

void
ts_vis_keep_forks (TsVis *vis)
{
  if (vis->forks == NULL)
    return;
  g_array_sort (vis->forks, compare_starts);
  vis->kept->forks = g_steal_pointer (&vis->forks);
}

static void
begin (TsVis *vis, TsVisTask *task, TsVisAgent *agent)
{
  ts_vis_count (vis, (TsVisCount) (TS_VIS_GOALS + task->node->is_or));
  ts_vis_run (vis, task, agent);
  ts_vis_emit (vis, TS_EVENT_START, task->element, task->number, agent->resource, 0);
}

gboolean
ts_vis_start_stranger (TsVis *vis, const TsVisRecord *record, gboolean is_or, TsVisAgent *agent)
{
  TsVisUnseenFork *fork = NULL;
  TsVisNode *node;
  TsVisTask *task;

  if (!has_name (record))
    {
      ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_UNKNOWN_NODE, record->line,
                          "task %d of node %" G_GINT64_MODIFIER "X", record->field, record->node);
      return TRUE;
    }
  if (vis->n_open_tasks >= TS_VIS_MAX_OPEN_TASKS)
    return ts_vis_fail_open_tasks (vis, record->line);
  ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_NO_FORK, record->line,
                      "task %d of node %" G_GINT64_MODIFIER "X", record->field, record->node);
  node = ts_vis_new_node (vis, 1);
  *node = (TsVisNode){ .key = record->key,
                       .line = record->line,
                       .n_tasks = 1,
                       .depth = 1,
                       .is_or = (guint8) is_or,
                       .is_joined = (guint8) !is_or, /* nobody knows who waits for it */
                       .is_far = (guint8) ts_vis_is_far (record->node),
                       .place = TS_VIS_STRANGER,
                       .first_field = (guint16) record->field };
  task = &node->tasks[0];
  *task = (TsVisTask){ .node = node,
                       .element = element_of (vis, record, node, agent),
                       .number = ts_vis_number (vis, ts_vis_type (is_or), 1),
                       .status.flags = TS_VIS_IS_APART };
  if (vis->strangers == NULL)
    vis->strangers = g_hash_table_new (hash, is_same);
  g_hash_table_add (vis->strangers, node);
  vis->n_open_tasks++;
  vis->n_strangers++;
  if (task->element == TS_NO_ELEMENT || task->number == 0)
    return FALSE;
  if (!is_or)
    fork = note_start (vis, record->key, (guint) record->field);
  ts_vis_doubt (vis, agent->top);
  if (agent->top != NULL && (agent->top->node == NULL ? vis->is_or : agent->top->node->is_or))
    split_unseen (vis, agent->top);
  else if (agent->top != NULL)
    {
      if (fork != NULL && fork->number == 0)
        {
          name_father (fork, agent->top, agent->resource);
          agent->top->status.flags |= TS_VIS_WAITS_KNOWN;
        }
      ts_vis_wait_unseen (vis, agent->top, agent);
    }
  begin (vis, task, agent);
  return TRUE;
}

void
ts_vis_restart_stranger (TsVis *vis, TsVisTask *task, TsVisAgent *agent)
{
  if (!task->node->is_or)
    note_start (vis, task->node->key, task->node->first_field);
  ts_vis_halt (vis, task, TS_VIS_DONE);
  task->thread.path = 0;
  begin (vis, task, agent);
}

void
ts_vis_forget_stranger (TsVis *vis, const TsVisNode *node)
{
  g_hash_table_remove (vis->strangers, node);
  vis->n_strangers--;
}
