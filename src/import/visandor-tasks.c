/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/visandor.h"

/* Goals and branches, from their fork to their end. A father waits while his goals run; a
 * branch that makes its alternatives public has split, and mostly never ends in the trace. */

static TsElementType
type_of (gboolean is_or)
{
  return is_or ? TS_TYPE_BRANCH : TS_TYPE_GOAL;
}

/* Running */

void
ts_vis_run (TsVis *vis, TsVisTask *task, TsVisAgent *agent, guint16 resource)
{
  task->state = TS_VIS_RUNNING;
  task->line = vis->now_line;
  task->agent = resource;
  task->below = agent->top;
  agent->top = task;
  ts_parallelism_run (vis->parallelism, &task->thread, resource, vis->now);
}

void
ts_vis_halt (TsVis *vis, TsVisTask *task, TsVisState state)
{
  if (task->state == TS_VIS_RUNNING)
    {
      TsVisTask **link = &ts_vis_agent_at (vis, task->agent)->top;

      while (*link != task)
        link = &(*link)->below;
      *link = task->below;
      ts_parallelism_halt (vis->parallelism, &task->thread, vis->now);
    }
  task->state = (guint8) state;
  task->line = vis->now_line;
}

static void
go_on (TsVis *vis, TsVisTask *task, TsVisAgent *agent, guint16 resource)
{
  if (task->agent != resource)
    ts_vis_count (vis, TS_VIS_MIGRATIONS);
  ts_vis_emit (vis, TS_EVENT_RESUME, task->element, task->number, resource, 0, TS_NO_ELEMENT);
  ts_vis_run (vis, task, agent, resource);
}

/* Nodes */

static void
remember_closed (TsVis *vis, guint64 id)
{
  if (vis->closed.n_used < TS_VIS_REMEMBERED)
    ts_vis_ids_add (&vis->closed, id);
}

static void
release_node (TsVis *vis, TsVisNode *node)
{
  if (node->father != NULL)
    node->father->fork = NULL;
  vis->n_open_tasks -= node->n_tasks;
  if (node->n_tasks >= TS_VIS_SPARE)
    {
      g_free (node);
      return;
    }
  node->next_orphan = vis->spare[node->n_tasks];
  vis->spare[node->n_tasks] = node;
}

static TsVisNode *
new_node (TsVis *vis, guint n_tasks)
{
  TsVisNode *node = n_tasks < TS_VIS_SPARE ? vis->spare[n_tasks] : NULL;

  if (node == NULL)
    return g_malloc (sizeof (TsVisNode) + n_tasks * sizeof (TsVisTask));
  vis->spare[n_tasks] = node->next_orphan;
  return node;
}

static void
close_node (TsVis *vis, TsVisNode *node)
{
  remember_closed (vis, node->id);
  if (ts_vis_nodes_find (&vis->nodes, node->id) == node)
    ts_vis_nodes_remove (&vis->nodes, node);
  else
    {
      TsVisNode **link = &vis->orphans;

      while (*link != node)
        link = &(*link)->next_orphan;
      *link = node->next_orphan;
    }
  release_node (vis, node);
}

/* A task of @node is over; with the last one the node may be, and with it a branch that has
 * split into it, and so on outwards. */
static void
count_done (TsVis *vis, TsVisNode *node)
{
  while (node != NULL && ++node->n_done == node->n_tasks && (node->is_or || node->is_joined))
    {
      TsVisTask *father = node->is_or ? node->father : NULL;

      close_node (vis, node);
      if (father == NULL || father->state != TS_VIS_SPLIT || vis->kept->splits_end)
        return;
      ts_vis_emit (vis, TS_EVENT_END, father->element, father->number, father->agent, TS_EVENT_ENDED_EARLIER,
                   TS_NO_ELEMENT);
      father->state = TS_VIS_DONE;
      father->is_resolved = vis->has_resolved = TRUE;
      node = father->node;
    }
}

/* What an event on a task that is open refers to; NULL: a defect, which is counted. */
static TsVisTask *
find_task (TsVis *vis, const TsVisRecord *record, gboolean is_or)
{
  TsVisNode *node = ts_vis_nodes_find (&vis->nodes, record->node);

  if (node == NULL || node->is_or != is_or)
    {
      ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_UNKNOWN_NODE, record->line,
                          "node %" G_GINT64_MODIFIER "X%s", record->node,
                          node != NULL ? " is of the other kind of parallelism" : "");
      return NULL;
    }
  if (record->field < 0 || (guint32) record->field >= node->n_tasks)
    {
      ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_BAD_TASK, record->line,
                          "task %d of node %" G_GINT64_MODIFIER "X, which has %u", record->field, record->node,
                          node->n_tasks);
      return NULL;
    }
  return &node->tasks[record->field];
}

TsVisTask *
ts_vis_find_branch (TsVis *vis, guint64 id, gint32 branch)
{
  TsVisNode *node = ts_vis_nodes_find (&vis->nodes, id);

  if (node == NULL || !node->is_or || branch < 0 || (guint32) branch >= node->n_tasks)
    return NULL;
  return &node->tasks[branch];
}

/* Forks and joins */

/* Whether the id is free; a node that is joined gives it up even if tasks of it still run. */
static gboolean
take_id (TsVis *vis, guint64 id)
{
  TsVisNode *node = ts_vis_nodes_find (&vis->nodes, id);

  if (node != NULL && !node->is_joined)
    {
      ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_NODE_OPEN, vis->now_line,
                          "node %" G_GINT64_MODIFIER "X is open since line %" G_GUINT64_FORMAT, id, node->line);
      return FALSE;
    }
  if (node != NULL)
    {
      ts_vis_nodes_remove (&vis->nodes, node);
      node->next_orphan = vis->orphans;
      vis->orphans = node;
    }
  if (node != NULL || ts_vis_ids_contain (&vis->closed, id))
    ts_vis_note (vis, TS_DIAGNOSTIC_REUSED_NODE);
  return TRUE;
}

static void
check_slaves (TsVis *vis, const TsVisTask *task)
{
  if (task->n_slaves > 0)
    ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_SLAVES_LEFT, vis->now_line, "%u of them",
                        task->n_slaves);
}

static gboolean
make_tasks (TsVis *vis, TsVisNode *node, guint16 resource)
{
  TsElementType type = type_of (node->is_or);
  guint32       depth = node->father != NULL ? node->father->depth + 1 : 1;
  gint32        number = ts_vis_number (vis, type, node->n_tasks);
  guint32       element = TS_NO_ELEMENT;

  if (number == 0)
    return FALSE;
  for (guint i = 0; i < node->n_tasks; i++)
    {
      TsVisTask *task = &node->tasks[i];

      if (vis->group == TS_VIS_BY_AGENT)
        element = ts_vis_queue_element (vis, type);
      else if (i == 0 || vis->group == TS_VIS_BY_FIELD)
        element = ts_vis_element (vis, type, node->id, (gint32) i, depth, 0);
      if (element == TS_NO_ELEMENT)
        return FALSE;
      *task = (TsVisTask){ .node = node,
                           .element = element,
                           .number = number + (gint32) i,
                           .depth = depth,
                           .line = vis->now_line,
                           .agent = resource,
                           .state = TS_VIS_PENDING,
                           .is_withdrawn = (guint8) ts_vis_is_withdrawn (vis, node->is_or, number + (gint32) i) };
      if (node->father != NULL)
        task->thread.path = node->father->thread.path;
      if (!task->is_withdrawn)
        ts_vis_emit (vis, TS_EVENT_ACTIVATION_CHAINED, element, task->number, resource, 0, TS_NO_ELEMENT);
    }
  return TRUE;
}

gboolean
ts_vis_fork (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent, guint16 resource)
{
  gboolean   is_or = record->code == TS_VIS_MAKE_PUBLIC;
  TsVisTask *father = agent->top;
  TsVisNode *node;

  if (record->field < 1)
    {
      ts_vis_note (vis, TS_DIAGNOSTIC_BAD_FORK);
      return TRUE;
    }
  if (record->field > TS_VIS_MAX_TASKS)
    return ts_vis_fail (vis, TS_ERROR_RANGE, record->line, "a fork of more than %d tasks", TS_VIS_MAX_TASKS);
  if (vis->n_open_tasks + (gsize) record->field > TS_VIS_MAX_OPEN_TASKS)
    return ts_vis_fail (vis, TS_ERROR_RANGE, record->line, "more than %d tasks of open forks",
                        TS_VIS_MAX_OPEN_TASKS);
  if (!take_id (vis, record->node))
    return TRUE;
  if (father == NULL && vis->root.state == TS_VIS_RUNNING)
    father = &vis->root;
  if (father == NULL)
    ts_vis_note (vis, TS_DIAGNOSTIC_NO_FATHER);
  else
    {
      check_slaves (vis, father);
      ts_vis_halt (vis, father, is_or ? TS_VIS_SPLIT : TS_VIS_WAITING);
    }

  node = new_node (vis, (guint) record->field);
  *node = (TsVisNode){ .id = record->node,
                       .line = record->line,
                       .father = father,
                       .n_tasks = (guint32) record->field,
                       .is_or = is_or };
  ts_vis_nodes_insert (&vis->nodes, node);
  vis->n_open_tasks += node->n_tasks;
  if (!make_tasks (vis, node, resource))
    return FALSE;
  if (father != NULL)
    {
      father->fork = node;
      ts_vis_emit (vis, TS_EVENT_WAIT, father->element, father->number, father->agent, 0, TS_NO_ELEMENT);
    }
  return TRUE;
}

void
ts_vis_join (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent, guint16 resource)
{
  TsVisNode *node = ts_vis_nodes_find (&vis->nodes, record->node);
  TsVisTask *father;

  if (node == NULL || node->is_or || node->is_joined)
    {
      ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_UNKNOWN_NODE, record->line,
                          "JOIN of node %" G_GINT64_MODIFIER "X", record->node);
      return;
    }
  if (record->field < 0 || (guint32) record->field != node->n_tasks)
    ts_vis_note (vis, TS_DIAGNOSTIC_JOIN_FIELD);
  if (node->n_done < node->n_tasks)
    ts_vis_note (vis, TS_DIAGNOSTIC_EARLY_JOIN);
  for (guint i = 0; node->n_done < node->n_tasks && i < node->n_tasks; i++)
    if (node->tasks[i].state == TS_VIS_PENDING)
      {
        ts_vis_note (vis, TS_DIAGNOSTIC_NEVER_STARTED);
        ts_vis_withdraw (vis, &node->tasks[i], resource);
        node->n_done++;
      }

  node->is_joined = TRUE;
  father = node->father;
  node->father = NULL;
  if (father != NULL)
    {
      father->fork = NULL;
      father->thread.path = MAX (father->thread.path, node->longest);
      go_on (vis, father, agent, resource);
    }
  if (node->n_done == node->n_tasks)
    close_node (vis, node);
}

/* From start to end */

gboolean
ts_vis_start (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent, guint16 resource)
{
  gboolean   is_or = record->code == TS_VIS_START_BRANCH;
  TsVisTask *task = find_task (vis, record, is_or);
  guint32    queue = TS_NO_ELEMENT;

  if (task == NULL)
    return TRUE;
  if (task->state != TS_VIS_PENDING)
    {
      ts_vis_note (vis, TS_DIAGNOSTIC_STARTED_TWICE);
      return TRUE;
    }
  if (vis->group == TS_VIS_BY_AGENT)
    {
      queue = task->element;
      task->element = ts_vis_element (vis, type_of (is_or), 0, 0, 0, agent->id);
      if (task->element == TS_NO_ELEMENT)
        return FALSE;
    }
  ts_vis_count (vis, is_or ? TS_VIS_BRANCHES : TS_VIS_GOALS);
  ts_vis_emit (vis, TS_EVENT_START, task->element, task->number, resource,
               queue != TS_NO_ELEMENT ? TS_EVENT_FROM_OWNER : 0, queue);
  ts_vis_run (vis, task, agent, resource);
  return TRUE;
}

static void
check_agent (TsVis *vis, const TsVisTask *task, guint16 resource)
{
  if (task->state == TS_VIS_RUNNING && task->agent != resource)
    ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_WRONG_AGENT, vis->now_line,
                        "it runs on agent %d", ts_vis_agent_at (vis, task->agent)->id);
}

/* An end of a branch that was taken as over already shows that the branches of this trace
 * do end: then it is read again with that known. */
static gboolean
is_late_end (TsVis *vis, const TsVisRecord *record)
{
  const TsVisTask *task = ts_vis_find_branch (vis, record->node, record->field);

  if (record->code == TS_VIS_FINISH_GOAL || !vis->has_resolved || (task != NULL && !task->is_resolved)
      || !ts_import_request_reread (vis->import))
    return FALSE;
  vis->kept->splits_end = vis->reads_otherwise = TRUE;
  return TRUE;
}

static void
end_task (TsVis *vis, TsVisTask *task)
{
  TsVisNode *node = task->node;

  check_slaves (vis, task);
  if (task->state == TS_VIS_SPLIT)
    /* the time since then was spent by its alternatives */
    ts_vis_emit (vis, TS_EVENT_RESUME, task->element, task->number, task->agent, 0, TS_NO_ELEMENT);
  ts_vis_emit (vis, TS_EVENT_END, task->element, task->number, task->agent, 0, TS_NO_ELEMENT);
  ts_vis_halt (vis, task, TS_VIS_DONE);
  if (task->fork != NULL)
    task->fork->father = NULL;
  task->fork = NULL;
  node->longest = MAX (node->longest, task->thread.path);
  count_done (vis, node);
}

void
ts_vis_finish (TsVis *vis, const TsVisRecord *record, guint16 resource)
{
  gboolean   is_or = record->code != TS_VIS_FINISH_GOAL;
  TsVisTask *task;

  if (is_late_end (vis, record))
    return;
  task = find_task (vis, record, is_or);
  if (task == NULL)
    return;
  if (task->state == TS_VIS_PENDING || task->state == TS_VIS_DONE)
    {
      ts_vis_note (vis, TS_DIAGNOSTIC_REDUNDANT_END);
      return;
    }
  if (is_or)
    {
      check_agent (vis, task, resource);
      ts_vis_count (vis, record->code == TS_VIS_SUCC_BRANCH ? TS_VIS_SUCCEEDED : TS_VIS_FAILED);
    }
  end_task (vis, task);
}

void
ts_vis_suspend (TsVis *vis, const TsVisRecord *record, guint16 resource)
{
  TsVisTask *task = find_task (vis, record, TRUE);

  if (task == NULL)
    return;
  if (task->state != TS_VIS_RUNNING)
    {
      ts_vis_note (vis, TS_DIAGNOSTIC_REDUNDANT_PREEMPT);
      return;
    }
  check_agent (vis, task, resource);
  ts_vis_count (vis, TS_VIS_SUSPENSIONS);
  ts_vis_emit (vis, TS_EVENT_PREEMPT, task->element, task->number, task->agent, 0, TS_NO_ELEMENT);
  ts_vis_halt (vis, task, TS_VIS_SUSPENDED);
}

void
ts_vis_resume (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent, guint16 resource)
{
  TsVisTask *task = find_task (vis, record, TRUE);

  if (task == NULL)
    return;
  if (task->state != TS_VIS_SUSPENDED)
    ts_vis_note (vis, TS_DIAGNOSTIC_REDUNDANT_RESUME);
  else
    go_on (vis, task, agent, resource);
}

void
ts_vis_cut (TsVis *vis, const TsVisRecord *record, guint16 resource)
{
  TsVisTask *task = find_task (vis, record, TRUE);

  if (task == NULL)
    return;
  ts_vis_count (vis, TS_VIS_CUT);
  vis->n_cuts++;
  /* a running branch goes on to its own end */
  if (task->state == TS_VIS_PENDING)
    {
      ts_vis_withdraw (vis, task, resource);
      count_done (vis, task->node);
    }
}

/* The end of the trace */

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  const TsVisNode *left = *(TsVisNode *const *) a, *right = *(TsVisNode *const *) b;

  return left->line < right->line ? -1 : left->line > right->line;
}

static GPtrArray *
open_nodes (const TsVis *vis)
{
  GPtrArray *nodes = g_ptr_array_new ();

  for (gsize i = 0; i < vis->nodes.n_slots; i++)
    if (vis->nodes.slots[i] != NULL)
      g_ptr_array_add (nodes, vis->nodes.slots[i]);
  for (TsVisNode *node = vis->orphans; node != NULL; node = node->next_orphan)
    g_ptr_array_add (nodes, node);
  g_ptr_array_sort (nodes, compare_lines);
  return nodes;
}

static void
end_open_task (TsVis *vis, TsVisTask *task)
{
  TsDiagnostics *diagnostics = vis->import->diagnostics;

  switch ((TsVisState) task->state)
    {
    case TS_VIS_PENDING:
      ts_diagnostics_add (diagnostics, TS_DIAGNOSTIC_NEVER_STARTED, task->line, NULL);
      break;
    case TS_VIS_RUNNING:
    case TS_VIS_WAITING:
      ts_diagnostics_add (diagnostics, TS_DIAGNOSTIC_OPEN_TASK, task->line, NULL);
      ts_vis_halt (vis, task, TS_VIS_DONE);
      break;
    case TS_VIS_SUSPENDED:
      ts_diagnostics_add (diagnostics, TS_DIAGNOSTIC_NOT_RESUMED, task->line, NULL);
      break;
    case TS_VIS_SPLIT:
      ts_vis_emit (vis, TS_EVENT_END, task->element, task->number, task->agent, TS_EVENT_ENDED_EARLIER,
                   TS_NO_ELEMENT);
      break;
    case TS_VIS_DONE:
      break;
    }
}

void
ts_vis_end_tasks (TsVis *vis)
{
  g_autoptr (GPtrArray) nodes = open_nodes (vis);

  for (guint i = 0; i < nodes->len; i++)
    {
      TsVisNode *node = g_ptr_array_index (nodes, i);

      if (!node->is_or && !node->is_joined)
        ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_OPEN_FORK, node->line, NULL);
      for (guint k = 0; k < node->n_tasks; k++)
        end_open_task (vis, &node->tasks[k]);
    }
}

void
ts_vis_tasks_clear (TsVis *vis)
{
  g_autoptr (GPtrArray) nodes = open_nodes (vis);
  TsVisNode *node;

  for (guint i = 0; i < nodes->len; i++)
    g_free (g_ptr_array_index (nodes, i));
  for (guint i = 0; i < TS_VIS_SPARE; i++)
    while ((node = vis->spare[i]) != NULL)
      {
        vis->spare[i] = node->next_orphan;
        g_free (node);
      }
  g_free (vis->nodes.slots);
  g_free (vis->closed.slots);
}
