/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/visandor-run.h"

/* Tasks that start, but whose fork is not in the trace: a line of it is lost, or it stands too late. They have no activation
 * (METRICS, rule 5), and nobody waits for them as far as is known. How many others the fork had is not known either: so each
 * is the one task of a node of its own, which is open as long as it is, and is found by the name of the task. If a fork of
 * that name comes, its task is meant from its start on.
 *
 * An agent does one thing at a time. So where a task starts like this on an agent on which another one runs, that has made
 * the fork that is lost, at that time or before: a branch has split, and a goal waits (visandor-fathers.c). */

static guint
hash (gconstpointer node)
{
  const TsVisNode *stranger = node;
  const guint64    bits = (stranger->key + stranger->first_field) * TS_VIS_FACTOR;

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
ts_vis_lose_strangers (TsVis *vis, const TsVisRecord *record)
{
  TsVisRecord name = *record;
  TsVisTask  *task;

  for (name.field = 0; vis->n_strangers > 0 && name.field < record->field; name.field++)
    {
      task = ts_vis_find_stranger (vis, &name);
      if (task == NULL || !ts_vis_is_displaced (task))
        continue;
      ts_vis_learn_loss (vis, TS_VIS_LOST_END, task); /* it was over when it was displaced, and not only now */
      ts_vis_lose_end (vis, task);
      ts_vis_count_done (vis, task->node);
    }
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
  TsVisNode *node;
  TsVisTask *task, *top;

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
  ts_vis_doubt (vis, agent->top);
  top = agent->top;
  if (top != NULL && (top->node == NULL ? vis->is_or : top->node->is_or))
    {
      split_unseen (vis, top);
      top = NULL;
    }
  if (!is_or)
    ts_vis_start_fatherless (vis, node, top, agent);
  else if (top != NULL)
    ts_vis_wait_unseen (vis, top, agent);
  begin (vis, task, agent);
  return TRUE;
}

void
ts_vis_restart_stranger (TsVis *vis, TsVisTask *task, TsVisAgent *agent)
{
  /* first of all: the one that is over may be who was taken for the father of the one that starts */
  ts_vis_halt (vis, task, TS_VIS_DONE);
  if (!task->node->is_or)
    ts_vis_start_fatherless (vis, task->node, NULL, agent);
  task->thread.path = 0;
  begin (vis, task, agent);
}

void
ts_vis_forget_stranger (TsVis *vis, const TsVisNode *node)
{
  g_hash_table_remove (vis->strangers, node);
  vis->n_strangers--;
}
