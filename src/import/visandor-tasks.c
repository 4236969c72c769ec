/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/visandor-run.h"

/* Goals and branches, from their fork to their end. A father waits while his goals run; a
 * branch that makes its alternatives public has split, and mostly never ends in the trace. */

static void
go_on (TsVis *vis, TsVisTask *task, TsVisAgent *agent)
{
  if (task->agent != agent->resource)
    ts_vis_count (vis, TS_VIS_MIGRATIONS);
  ts_vis_emit (vis, TS_EVENT_RESUME, task->element, task->number, agent->resource, 0);
  ts_vis_run (vis, task, agent);
}

/* Nodes */

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
  ts_vis_give_up_slot (vis, node);
  if (G_UNLIKELY (node->is_orphan))
    {
      TsVisNode **link = &vis->orphans;

      while (*link != node)
        link = &(*link)->next_orphan;
      *link = node->next_orphan;
    }
  release_node (vis, node);
}

/* All tasks of @node are over, and with them maybe a branch that has split into it, and so on outwards. */
void
ts_vis_end_node (TsVis *vis, TsVisNode *node)
{
  while (node->is_or || node->is_joined)
    {
      TsVisTask *father = node->is_or ? node->father : NULL;

      close_node (vis, node);
      if (father == NULL || father->state != TS_VIS_SPLIT || vis->kept->splits_end)
        return;
      ts_vis_emit (vis, TS_EVENT_END, father->element, father->number, father->agent, TS_EVENT_ENDED_EARLIER);
      father->state = TS_VIS_DONE;
      father->flags |= TS_VIS_IS_RESOLVED;
      vis->has_resolved = TRUE;
      node = father->node;
      if (node == NULL || ++node->n_done < node->n_tasks)
        return;
    }
}

/* What an event on a task that is open refers to; NULL: a defect, which is counted. */
static TsVisTask *
find_task (TsVis *vis, const TsVisRecord *record, gboolean is_or)
{
  TsVisNode *node = ts_vis_find_node (vis, record);

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
ts_vis_find_branch (TsVis *vis, const TsVisRecord *record)
{
  TsVisNode *node = ts_vis_find_node (vis, record);

  if (node == NULL || !node->is_or || record->field < 0 || (guint32) record->field >= node->n_tasks)
    return NULL;
  return &node->tasks[record->field];
}

/* Forks and joins */

/* The place of a new node; a node that is joined gives its id up even if tasks of it still run. NULL: it is not
 * free. */
static TsVisSlot *
take_id (TsVis *vis, const TsVisRecord *record, gboolean *was_closed)
{
  gboolean   is_new;
  TsVisSlot *slot = ts_vis_claim_slot (ts_vis_nodes_of (vis, record->node), record->key, &is_new);
  TsVisNode *node = slot->node;

  if (G_UNLIKELY (node != NULL))
    {
      if (!node->is_joined)
        {
          ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_NODE_OPEN, vis->now_line,
                              "node %" G_GINT64_MODIFIER "X is open since line %" G_GUINT64_FORMAT, record->node,
                              node->line);
          return NULL;
        }
      node->is_orphan = TRUE;
      node->next_orphan = vis->orphans;
      vis->orphans = node;
    }
  *was_closed = node != NULL ? node->was_closed : !is_new;
  if (!is_new)
    ts_vis_note (vis, TS_DIAGNOSTIC_REUSED_NODE);
  return slot;
}

/* The element of a task that is activated: until an agent takes it, where they are grouped by agent. */
static guint32
element_of (TsVis *vis, const TsVisNode *node, guint i)
{
  TsElementType type = ts_vis_type (node->is_or);

  if (G_LIKELY (vis->group == TS_VIS_BY_KIND && vis->kind_elements[type] != TS_NO_ELEMENT))
    return vis->kind_elements[type];
  return vis->group == TS_VIS_BY_AGENT ? ts_vis_queue_element (vis, type)
                                       : ts_vis_element (vis, type, node->id, (gint32) i, node->depth, 0);
}

static gboolean
make_tasks (TsVis *vis, TsVisNode *node, guint16 resource)
{
  const gboolean knows_withdrawn = vis->kept->withdrawn[node->is_or] != NULL, by_field = vis->group == TS_VIS_BY_FIELD;
  const gint64   path = node->father != NULL ? node->father->thread.path : 0;
  const guint    n_tasks = node->n_tasks;
  gint32         number = ts_vis_number (vis, ts_vis_type (node->is_or), n_tasks);
  guint32        element = element_of (vis, node, 0);

  if (number == 0)
    return FALSE;
  for (guint i = 0; i < n_tasks; i++, number++)
    {
      TsVisTask *task = &node->tasks[i];

      if (G_UNLIKELY (by_field) && i > 0)
        element = element_of (vis, node, i);
      if (G_UNLIKELY (element == TS_NO_ELEMENT))
        return FALSE;
      task->thread.path = path;
      task->node = node;
      task->fork = NULL;
      task->line = vis->now_line;
      task->element = element;
      task->number = number;
      task->n_slaves = 0;
      task->agent = resource;
      task->state = TS_VIS_PENDING;
      task->flags = 0;
      if (G_UNLIKELY (knows_withdrawn) && ts_vis_is_withdrawn (vis, node->is_or, number))
        task->flags = TS_VIS_IS_WITHDRAWN;
      else
        ts_vis_emit (vis, TS_EVENT_ACTIVATION_CHAINED, element, number, resource, 0);
    }
  return TRUE;
}

static guint32
depth_below (const TsVisTask *father)
{
  return father == NULL || father->node == NULL ? 1 : father->node->depth + 1;
}

gboolean
ts_vis_fork (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent)
{
  gboolean   is_or = record->code == TS_VIS_MAKE_PUBLIC, was_closed;
  TsVisTask *father = agent->top;
  TsVisSlot *slot;
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
  slot = take_id (vis, record, &was_closed);
  if (slot == NULL)
    return TRUE;
  if (father == NULL && vis->root.state == TS_VIS_RUNNING)
    father = &vis->root;
  if (father == NULL)
    ts_vis_note (vis, TS_DIAGNOSTIC_NO_FATHER);
  else
    {
      ts_vis_check_slaves (vis, father);
      ts_vis_halt (vis, father, is_or ? TS_VIS_SPLIT : TS_VIS_WAITING);
    }

  node = new_node (vis, (guint) record->field);
  *node = (TsVisNode){ .id = record->node,
                       .key = record->key,
                       .line = record->line,
                       .father = father,
                       .n_tasks = (guint32) record->field,
                       .n_known = is_or == vis->is_or ? (guint32) record->field : 0,
                       .depth = depth_below (father),
                       .is_or = (guint8) is_or,
                       .was_closed = (guint8) was_closed };
  slot->node = node;
  vis->n_open_tasks += node->n_tasks;
  if (!make_tasks (vis, node, agent->resource))
    return FALSE;
  if (father != NULL)
    {
      father->fork = node;
      ts_vis_emit (vis, TS_EVENT_WAIT, father->element, father->number, father->agent, 0);
    }
  return TRUE;
}

static void
withdraw_pending (TsVis *vis, TsVisNode *node, guint16 resource)
{
  ts_vis_note (vis, TS_DIAGNOSTIC_EARLY_JOIN);
  for (guint i = 0; node->n_done < node->n_tasks && i < node->n_tasks; i++)
    if (node->tasks[i].state == TS_VIS_PENDING)
      {
        ts_vis_note (vis, TS_DIAGNOSTIC_NEVER_STARTED);
        ts_vis_withdraw (vis, &node->tasks[i], resource);
        node->n_done++;
      }
}

void
ts_vis_join_node (TsVis *vis, TsVisNode *node, gint32 field, TsVisAgent *agent)
{
  TsVisTask *father = node->father;

  if (field < 0 || (guint32) field != node->n_tasks)
    ts_vis_note (vis, TS_DIAGNOSTIC_JOIN_FIELD);
  if (G_UNLIKELY (node->n_done < node->n_tasks))
    withdraw_pending (vis, node, agent->resource);

  node->is_joined = TRUE;
  node->father = NULL;
  if (father != NULL)
    {
      father->fork = NULL;
      father->thread.path = MAX (father->thread.path, node->longest);
      go_on (vis, father, agent);
    }
  if (node->n_done == node->n_tasks)
    close_node (vis, node);
}

void
ts_vis_join (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent)
{
  TsVisNode *node = ts_vis_find_node (vis, record);

  if (node == NULL || node->is_or || node->is_joined)
    ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_UNKNOWN_NODE, record->line,
                        "JOIN of node %" G_GINT64_MODIFIER "X", record->node);
  else
    ts_vis_join_node (vis, node, record->field, agent);
}

/* From start to end */

gboolean
ts_vis_start_taken (TsVis *vis, TsVisTask *task, const TsVisAgent *agent)
{
  guint32 queue = task->element;

  task->element = ts_vis_element (vis, ts_vis_type (task->node->is_or), 0, 0, 0, agent->id);
  if (task->element == TS_NO_ELEMENT)
    return FALSE;
  ts_vis_put (vis, TS_EVENT_START, TS_EVENT_UNIQUE | TS_EVENT_FROM_OWNER, task->element, task->number, queue,
              agent->resource);
  return TRUE;
}

gboolean
ts_vis_start (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent)
{
  TsVisTask *task = find_task (vis, record, record->code == TS_VIS_START_BRANCH);

  return task == NULL || ts_vis_start_task (vis, task, agent);
}

gboolean
ts_vis_learn_late_end (TsVis *vis)
{
  if (!ts_import_request_reread (vis->import))
    return FALSE;
  vis->kept->splits_end = vis->reads_otherwise = TRUE;
  return TRUE;
}

void
ts_vis_tell_agent (TsVis *vis, const TsVisTask *task)
{
  ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_WRONG_AGENT, vis->now_line, "it runs on agent %d",
                      ts_vis_agent_at (vis, task->agent)->id);
}

void
ts_vis_tell_slaves (TsVis *vis, const TsVisTask *task)
{
  ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_SLAVES_LEFT, vis->now_line, "%u of them",
                      task->n_slaves);
}

void
ts_vis_finish (TsVis *vis, const TsVisRecord *record, const TsVisAgent *agent)
{
  gboolean   is_or = record->code != TS_VIS_FINISH_GOAL;
  TsVisTask *task;

  if (is_or && vis->has_resolved && ts_vis_find_branch (vis, record) == NULL
      && ts_vis_learn_late_end (vis))
    return;
  task = find_task (vis, record, is_or);
  if (task != NULL)
    ts_vis_finish_task (vis, task, (TsVisCode) record->code, agent);
}

void
ts_vis_suspend_task (TsVis *vis, TsVisTask *task, const TsVisAgent *agent)
{
  if (task->state != TS_VIS_RUNNING)
    {
      ts_vis_note (vis, TS_DIAGNOSTIC_REDUNDANT_PREEMPT);
      return;
    }
  ts_vis_check_agent (vis, task, agent);
  ts_vis_count (vis, TS_VIS_SUSPENSIONS);
  ts_vis_emit (vis, TS_EVENT_PREEMPT, task->element, task->number, task->agent, 0);
  ts_vis_halt (vis, task, TS_VIS_SUSPENDED);
}

void
ts_vis_suspend (TsVis *vis, const TsVisRecord *record, const TsVisAgent *agent)
{
  TsVisTask *task = find_task (vis, record, TRUE);

  if (task != NULL)
    ts_vis_suspend_task (vis, task, agent);
}

void
ts_vis_resume_task (TsVis *vis, TsVisTask *task, TsVisAgent *agent)
{
  if (task->state != TS_VIS_SUSPENDED)
    ts_vis_note (vis, TS_DIAGNOSTIC_REDUNDANT_RESUME);
  else
    go_on (vis, task, agent);
}

void
ts_vis_resume (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent)
{
  TsVisTask *task = find_task (vis, record, TRUE);

  if (task != NULL)
    ts_vis_resume_task (vis, task, agent);
}

void
ts_vis_cut_task (TsVis *vis, TsVisTask *task, const TsVisAgent *agent)
{
  ts_vis_count (vis, TS_VIS_CUT);
  vis->n_cuts++;
  /* a running branch goes on to its own end */
  if (task->state == TS_VIS_PENDING)
    {
      ts_vis_withdraw (vis, task, agent->resource);
      ts_vis_count_done (vis, task->node);
    }
}

void
ts_vis_cut (TsVis *vis, const TsVisRecord *record, const TsVisAgent *agent)
{
  TsVisTask *task = find_task (vis, record, TRUE);

  if (task != NULL)
    ts_vis_cut_task (vis, task, agent);
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

  for (guint k = 0; k < 2; k++)
    {
      const TsVisNodes *table = k == 0 ? &vis->nodes : &vis->far_nodes;

      for (gsize i = 0; i < table->n_slots; i++)
        if (table->slots[i].node != NULL)
          g_ptr_array_add (nodes, table->slots[i].node);
    }
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
      ts_vis_emit (vis, TS_EVENT_END, task->element, task->number, task->agent, TS_EVENT_ENDED_EARLIER);
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
  ts_vis_nodes_clear (vis);
}
