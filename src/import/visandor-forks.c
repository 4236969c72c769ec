/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/visandor-digits.h"
#include "import/visandor-run.h"

/* Nodes, from their fork to their end. A father waits while his goals run; a branch that makes its alternatives public has
 * split, and mostly never ends in the trace. */

/* Nodes */

static void
release_node (TsVis *vis, TsVisNode *node)
{
  if (node->father != NULL)
    node->father->fork = NULL;
  vis->n_open_tasks -= node->n_tasks;
  if (G_UNLIKELY (node->n_tasks >= TS_VIS_SPARE))
    {
      vis->n_large--;
      g_free (node);
      return;
    }
  node->next = vis->spare[node->n_tasks];
  vis->spare[node->n_tasks] = node;
}

TsVisNode *
ts_vis_new_node (TsVis *vis, guint n_tasks)
{
  const gsize size = sizeof (TsVisNode) + MAX (n_tasks, TS_VIS_ROOM) * sizeof (TsVisTask);
  TsVisNode  *node;

  if (G_UNLIKELY (n_tasks >= TS_VIS_SPARE))
    {
      vis->n_large++;
      return g_malloc (size);
    }
  node = vis->spare[n_tasks];
  if (node == NULL)
    return ts_arena_take (&vis->node_memory, size);
  vis->spare[n_tasks] = node->next;
  return node;
}

static void
close_node (TsVis *vis, TsVisNode *node)
{
  if (G_UNLIKELY (node->place == TS_VIS_STRANGER))
    ts_vis_forget_stranger (vis, node);
  else
    ts_vis_give_up_slot (vis, node);
  if (node->is_or && G_UNLIKELY (vis->knows_late_ends || vis->tells_splits_apart))
    ts_vis_note_closed (vis, node);
  if (G_UNLIKELY (node->place == TS_VIS_ORPHAN))
    {
      TsVisNode **link = &vis->orphans;

      while (*link != node)
        link = &(*link)->next;
      *link = node->next;
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
      if (father == NULL || father->status.state != TS_VIS_SPLIT || (father->node != NULL && !father->node->is_or))
        return;
      father->status.state = TS_VIS_DONE;
      father->status.flags |= TS_VIS_IS_RESOLVED;
      node = father->node;
      if (node == NULL)
        return;
      ts_vis_note_split (vis, father);
      node->n_split--;
      if (++node->n_done < node->n_tasks)
        return;
    }
}

void
ts_vis_close_exhausted (TsVis *vis, TsVisNode *node)
{
  for (guint i = 0; i < node->n_tasks; i++)
    {
      TsVisTask *task = &node->tasks[i];

      if (task->status.state != TS_VIS_SPLIT)
        continue;
      if (task->fork != NULL) /* it was not forgotten */
        task->fork->father = NULL;
      ts_vis_note_split (vis, task);
    }
  close_node (vis, node);
}

void
ts_vis_forget_node (TsVis *vis, TsVisNode *node)
{
  ts_vis_close_exhausted (vis, node);
  vis->has_forgotten = TRUE;
}

/* Forks and joins */

/* Those of @node, which is over, that have not started never will. */
static void
withdraw_pending (TsVis *vis, TsVisNode *node, guint16 resource)
{
  for (guint i = 0; node->n_done < node->n_tasks && i < node->n_tasks; i++)
    if (node->tasks[i].status.state == TS_VIS_PENDING)
      {
        ts_vis_note (vis, TS_DIAGNOSTIC_NEVER_STARTED);
        ts_vis_withdraw (vis, &node->tasks[i], resource);
        node->n_done++;
      }
}

/* The JOIN of @node is lost. Its father went on at the latest now, if it is the one that forks on @agent; otherwise nobody
 * knows. */
static void
join_unseen (TsVis *vis, TsVisNode *node, TsVisAgent *agent)
{
  if (agent->top != NULL && node->father != NULL)
    {
      node->father->fork = NULL;
      node->father = NULL;
    }
  ts_vis_join_node (vis, node, (gint32) node->n_tasks, agent);
}

/* No more will be said of the branches of @node. */
static void
close_unseen (TsVis *vis, TsVisNode *node, guint16 resource)
{
  withdraw_pending (vis, node, resource);
  ts_vis_miss_ends (vis, node);
  node->is_joined = TRUE;
  if (node->n_done == node->n_tasks)
    ts_vis_end_node (vis, node);
  else if (ts_vis_is_exhausted (node))
    ts_vis_close_exhausted (vis, node);
}

/* An id is that of one node at a time, and that of @node is wanted for another one: so what would have closed it is lost, unless it
 * is open for nothing but alternatives, which may have been forgotten. */
static void
give_up_id (TsVis *vis, TsVisNode *node, TsVisAgent *agent)
{
  if (!node->is_joined && !ts_vis_is_exhausted (node))
    ts_vis_note (vis, node->is_or ? TS_DIAGNOSTIC_LOST_BRANCH : TS_DIAGNOSTIC_LOST_JOIN);
  ts_vis_lose_displaced (vis, node);
  if (node->is_or)
    close_unseen (vis, node, agent->resource);
  else if (!node->is_joined)
    join_unseen (vis, node, agent);
  else if (node->n_done == node->n_tasks)
    close_node (vis, node);
}

/* Whether a fork of @n_tasks on @agent that names @node is the same once more: nothing has happened since, or no time has passed. */
static gboolean
is_repeated (const TsVis *vis, const TsVisNode *node, guint n_tasks, const TsVisAgent *agent)
{
  const TsVisTask *father = node->father;
  gboolean is_new = TRUE, is_untouched = node->n_done == 0;

  if (node->n_tasks != n_tasks)
    return FALSE;
  for (guint i = 0; i < node->n_tasks; i++)
    {
      is_new &= node->tasks[i].thread.since == vis->now;
      is_untouched &= node->tasks[i].status.state == TS_VIS_PENDING;
    }
  is_untouched &= father != NULL
                      ? father->fork == node && father->line == node->line && father->status.agent == agent->resource
                      : agent->top == NULL;
  return is_new || is_untouched;
}

/* Whether @node is open only since lines are lost, for all that is known, when a fork on @agent names it: otherwise that fork
 * is what is wrong. What branches wait for may be lost with all that follows; goals that seem to run mostly do, as JOIN closes
 * what has lost its end. */
static gboolean
may_give_up_id (const TsVisNode *node, const TsVisAgent *agent)
{
  if (node->is_joined || ts_vis_is_exhausted (node))
    return TRUE;
  if (node->is_or)
    return agent->top == NULL || agent->top->node != node || ts_vis_is_displaced (agent->top);
  for (guint i = 0; i < node->n_tasks; i++)
    if (node->tasks[i].status.state != TS_VIS_DONE && !ts_vis_is_displaced (&node->tasks[i]))
      return FALSE;
  return TRUE;
}

/* The place of a new node; a node that is joined gives its id up even if tasks of it still run. NULL: it is not free. */
static TsVisSlot *
take_id (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent, gboolean *is_new)
{
  TsVisSlot *slot = ts_vis_claim_slot (vis, record->key, record->node, is_new);
  TsVisNode *node = slot->node;

  if (G_LIKELY (node == NULL))
    return slot;
  if (!node->is_joined && (is_repeated (vis, node, (guint) record->field, agent) || !may_give_up_id (node, agent)))
    {
      ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_NODE_OPEN, vis->now_line,
                          "node %" G_GINT64_MODIFIER "X is open since line %" G_GUINT64_FORMAT, record->node, node->line);
      return NULL;
    }
  give_up_id (vis, node, agent);
  return ts_vis_claim_slot (vis, record->key, record->node, is_new);
}

/* The element of a task that is activated: until an agent takes it, where they are grouped by agent. */
static guint32
element_of (TsVis *vis, const TsVisNode *node, guint i)
{
  TsElementType type = ts_vis_type (node->is_or);

  if (G_LIKELY (vis->group == TS_VIS_BY_KIND && vis->kind_elements[type] != TS_NO_ELEMENT))
    return vis->kind_elements[type];
  if (vis->group == TS_VIS_BY_AGENT)
    return ts_vis_queue_element (vis, type);
  return ts_vis_element (vis, type, ts_vis_id (node->key, node->is_far), (gint32) i, node->depth, 0);
}

/* Tells of @n tasks of @node at once, from @first on. */
static void
emit_fork (TsVis *vis, TsVisNode *node, TsVisTask *first, guint n, guint16 resource)
{
  guint flags = ts_vis_is_unsure (vis, node) ? TS_EVENT_UNSURE : 0;

  if (G_UNLIKELY (ts_vis_is_withdrawn (vis, node->is_or, first->number)))
    {
      flags = TS_EVENT_WITHDRAWN;
      for (guint i = 0; i < n; i++)
        first[i].status.flags = TS_VIS_IS_WITHDRAWN;
    }
  ts_vis_put (vis, TS_EVENT_FORK, flags | TS_EVENT_UNIQUE, first->element, first->number, TS_NO_ELEMENT, (guint16) (n - 1),
              resource);
}

G_STATIC_ASSERT (TS_VIS_MAX_TASKS - 1 <= G_MAXUINT16);

static gboolean
make_tasks (TsVis *vis, TsVisNode *node, const TsVisAgent *agent)
{
  const gboolean    by_field = ts_vis_is_alone (vis);
  const gint64      path = node->father != NULL ? node->father->thread.path : 0;
  const guint       n_tasks = node->n_tasks;
  guint32           number = (guint32) ts_vis_number (vis, ts_vis_type (node->is_or), n_tasks);
  guint32           element = element_of (vis, node, 0);

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
      task->thread.since = vis->now;
      task->node = node;
      task->fork = NULL;
      task->line = node->line;
      task->element = element;
      task->number = (gint32) number;
      task->status = agent->plain[TS_VIS_PENDING];
      if (G_UNLIKELY (by_field))
        emit_fork (vis, node, task, 1, agent->resource);
    }
  if (G_LIKELY (!by_field))
    emit_fork (vis, node, node->tasks, n_tasks, agent->resource);
  return TRUE;
}

static void
make_orphan (TsVis *vis, TsVisNode *node)
{
  for (guint i = 0; i < node->n_tasks; i++)
    node->tasks[i].status.flags |= TS_VIS_IS_APART;
  node->place = TS_VIS_ORPHAN;
  node->next = vis->orphans;
  vis->orphans = node;
}

/* What runs on @agent, which from now on waits; NULL: nothing. */
static TsVisTask *
halt_father (TsVis *vis, gboolean is_or, TsVisAgent *agent)
{
  TsVisTask *father = agent->top;

  if (father == NULL && vis->root.status.state == TS_VIS_RUNNING)
    father = &vis->root;
  if (father == NULL)
    ts_vis_note (vis, TS_DIAGNOSTIC_NO_FATHER);
  else if (G_LIKELY (ts_vis_is_plain (father, agent)))
    ts_vis_halt_plain (vis, father, agent, is_or ? TS_VIS_SPLIT : TS_VIS_WAITING);
  else
    {
      ts_vis_check_slaves (vis, father);
      ts_vis_doubt (vis, father);
      ts_vis_halt (vis, father, is_or ? TS_VIS_SPLIT : TS_VIS_WAITING);
    }
  return father;
}

/* The node at @slot, where there is none, or one that is joined. */
static TS_ALWAYS_INLINE gboolean
fork_at (TsVis *vis, TsVisSlot *slot, gboolean is_new, gboolean is_far, guint n_tasks, gboolean is_or,
         TsVisAgent *agent)
{
  gboolean   was_closed = !is_new;
  TsVisTask *father;
  TsVisNode *node;

  if (G_UNLIKELY (slot->node != NULL))
    {
      was_closed = slot->node->was_closed;
      make_orphan (vis, slot->node);
    }
  if (!is_new)
    ts_vis_note (vis, TS_DIAGNOSTIC_REUSED_NODE);
  father = halt_father (vis, is_or, agent);
  node = ts_vis_new_node (vis, n_tasks);
  *node = (TsVisNode){ .slot = slot,
                       .key = slot->key,
                       .line = vis->now_line,
                       .father = father,
                       .n_tasks = n_tasks,
                       .n_known = is_or == vis->is_or ? n_tasks : 0,
                       .depth = ts_vis_depth_below (father),
                       .is_or = (guint8) is_or,
                       .is_far = (guint8) is_far,
                       .was_closed = (guint8) was_closed };
  slot->node = node;
  vis->n_open_tasks += n_tasks;
  if (!make_tasks (vis, node, agent))
    return FALSE;
  if (father == NULL)
    ts_vis_fork_fatherless (vis, node, agent);
  else
    {
      father->fork = node;
      ts_vis_emit (vis, is_or && ts_vis_ends_at_split (vis, father) ? TS_EVENT_END : TS_EVENT_WAIT, father->element,
                   father->number, father->status.agent, 0);
      if (is_or && father->node != NULL && father->node->is_or)
        {
          father->node->n_split++;
          ts_vis_note_over (vis, father->node);
        }
    }
  return TRUE;
}

gboolean
ts_vis_fail_open_tasks (TsVis *vis, guint64 line)
{
  return ts_vis_fail (vis, TS_ERROR_RANGE, line, "more than %d tasks of open forks", TS_VIS_MAX_OPEN_TASKS);
}

gboolean
ts_vis_fork (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent)
{
  TsVisSlot *slot;
  gboolean   is_new;

  if (record->field < 1)
    {
      ts_vis_note (vis, TS_DIAGNOSTIC_BAD_FORK);
      return TRUE;
    }
  if (record->field > TS_VIS_MAX_TASKS)
    return ts_vis_fail (vis, TS_ERROR_RANGE, record->line, "a fork of more than %d tasks", TS_VIS_MAX_TASKS);
  if (vis->n_open_tasks + (gsize) record->field > TS_VIS_MAX_OPEN_TASKS)
    return ts_vis_fail_open_tasks (vis, record->line);
  ts_vis_lose_strangers (vis, record);
  slot = take_id (vis, record, agent, &is_new);
  return slot == NULL
         || fork_at (vis, slot, is_new, ts_vis_is_far (record->node), (guint) record->field,
                     record->code == TS_VIS_MAKE_PUBLIC, agent);
}

gboolean
ts_vis_fork_again (TsVis *vis, TsVisSlot *slot, gboolean is_far, guint n_tasks, TsVisAgent *agent)
{
  return fork_at (vis, slot, FALSE, is_far, n_tasks, vis->is_or, agent);
}

void
ts_vis_join_node (TsVis *vis, TsVisNode *node, gint32 field, TsVisAgent *agent)
{
  TsVisTask *father = node->father;

  if (field < 0 || (guint32) field != node->n_tasks)
    ts_vis_note (vis, TS_DIAGNOSTIC_JOIN_FIELD);
  if (G_UNLIKELY (node->n_done < node->n_tasks))
    {
      ts_vis_note (vis, TS_DIAGNOSTIC_EARLY_JOIN);
      withdraw_pending (vis, node, agent->resource);
      ts_vis_miss_ends (vis, node);
    }

  node->is_joined = TRUE;
  node->father = NULL;
  if (father != NULL)
    {
      father->fork = NULL;
      father->thread.path = MAX (father->thread.path, node->longest);
      ts_vis_go_on (vis, father, agent);
    }
  else
    ts_vis_join_fatherless (vis, node, agent);
  if (node->n_done == node->n_tasks)
    close_node (vis, node);
}

void
ts_vis_join (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent)
{
  TsVisNode *node = ts_vis_find_node (vis, record);
  TsVisTask *father;

  if (node == NULL && (father = ts_vis_take_father (vis, record, agent)) != NULL)
    ts_vis_go_on (vis, father, agent);
  else if (node == NULL || node->is_or || node->is_joined)
    ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_UNKNOWN_NODE, record->line,
                        "JOIN of node %" G_GINT64_MODIFIER "X", record->node);
  else
    ts_vis_join_node (vis, node, record->field, agent);
}
