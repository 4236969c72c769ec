/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include "import/visandor-digits.h"
#include "import/visandor-unseen.h"
#include "model/inline.h"

G_BEGIN_DECLS

/* What usual lines are about */

static inline gboolean
ts_vis_line_is_far (const TsVisUsual *line)
{
  return (line->event.action & TS_VIS_IS_FAR) != 0;
}

/* What its node is known by. */
static inline guint64
ts_vis_line_key (const TsVisUsual *line)
{
  return ts_vis_line_is_far (line) ? line->node : ts_vis_node_of (line->node);
}

/* Whether its node is what it looks like. */
static inline gboolean
ts_vis_line_has_node (const TsVisUsual *line)
{
  guint64 id;

  return ts_vis_line_is_far (line) || ts_vis_read_key (ts_vis_line_key (line), &id);
}

/* How tasks come to run on an agent, and cease to */

/* What @task, which is not the root, is called in its node. */
static inline guint32
ts_vis_field (const TsVisTask *task)
{
  const TsVisNode *node = task->node;

  return node->place == TS_VIS_STRANGER ? node->first_field : (guint32) (task - node->tasks);
}

static inline TsElementType
ts_vis_type (gboolean is_or)
{
  return is_or ? TS_TYPE_BRANCH : TS_TYPE_GOAL;
}

static inline guint32
ts_vis_depth_below (const TsVisTask *father)
{
  return father == NULL || father->node == NULL ? 1 : father->node->depth + 1;
}

/* Whether the branch @task waits for an end of its own when it has split. */
static inline gboolean
ts_vis_has_late_end (const TsVis *vis, const TsVisTask *task)
{
  return vis->knows_late_ends
         && (vis->kept->awaits_ends || ts_vis_has_bit (vis->kept->late_ends, task->number)
             || (vis->kept->names != NULL && ts_vis_has_late_name (vis, task)));
}

/* Whether the end of @father is told when it splits: mostly no other comes. A goal has its FINISH_GOAL. */
static inline gboolean
ts_vis_ends_at_split (const TsVis *vis, const TsVisTask *father)
{
  return father->node == NULL || (father->node->is_or && !ts_vis_has_late_end (vis, father));
}

/* Whether @task waits for an end when the trace is over. */
static inline gboolean
ts_vis_lacks_end (const TsVis *vis, const TsVisTask *task)
{
  const gboolean has_split = task->status.state == TS_VIS_SPLIT || (task->status.flags & TS_VIS_IS_RESOLVED) != 0;

  return has_split && (task->status.flags & TS_VIS_HAS_ENDED) == 0 && !ts_vis_ends_at_split (vis, task);
}

/* Whether each task is activated by itself, under an element of its own. */
static inline gboolean
ts_vis_is_alone (const TsVis *vis)
{
  return vis->group == TS_VIS_BY_FIELD;
}

/* Whether the fork of @node may yet come to nothing. */
static inline gboolean
ts_vis_is_unsure (const TsVis *vis, const TsVisNode *node)
{
  return vis->is_unsure && node->is_or;
}

static inline gboolean
ts_vis_is_start (TsVisCode code)
{
  return code == TS_VIS_START_GOAL || code == TS_VIS_START_BRANCH;
}

/* Whether an event of that code on @agent can come as @task is: otherwise it may be that others that it follows stand behind
 * it, with the same stamp. */
static inline gboolean
ts_vis_fits (const TsVisTask *task, TsVisCode code, const TsVisAgent *agent)
{
  switch (code)
    {
    case TS_VIS_START_GOAL:
    case TS_VIS_START_BRANCH:
      return task->status.state == TS_VIS_PENDING;
    case TS_VIS_RESUME_BRANCH:
      return task->status.state == TS_VIS_SUSPENDED;
    case TS_VIS_SUSPEND_BRANCH:
      return task->status.state != TS_VIS_RUNNING || task->status.agent == agent->resource;
    case TS_VIS_CUTTING_BRANCH:
      return TRUE;
    default:
      return task->status.n_slaves == 0;
    }
}

static inline gboolean
ts_vis_join_fits (const TsVisNode *node)
{
  return !node->is_joined && node->n_done == node->n_tasks;
}

static inline gboolean
ts_vis_may_have_slaves (const TsVisTask *branch)
{
  return branch->status.state != TS_VIS_PENDING && branch->status.state != TS_VIS_DONE;
}

/* Whether @task runs, and another one began to where it does. */
static inline gboolean
ts_vis_is_displaced (const TsVisTask *task)
{
  return (task->status.flags & TS_VIS_IS_DISPLACED) != 0;
}

/* Whether another one that begins to run on @agent says nothing new of what does: nothing, the root, or who is displaced. */
static inline gboolean
ts_vis_is_free (const TsVisAgent *agent)
{
  return agent->top == NULL || ts_vis_is_displaced (agent->top) || agent->top->node == NULL;
}

static inline void
ts_vis_run (TsVis *vis, TsVisTask *task, TsVisAgent *agent)
{
  if (G_UNLIKELY (!ts_vis_is_free (agent)))
    ts_vis_displace (vis, agent);
  if (G_LIKELY (task->status.n_slaves == 0 && task->status.flags == 0))
    task->status = agent->plain[TS_VIS_RUNNING];
  else
    task->status = (TsVisStatus){ task->status.n_slaves, agent->resource, TS_VIS_RUNNING, task->status.flags };
  task->line = vis->now_line;
  task->below = agent->top;
  agent->top = task;
  ts_parallelism_run (vis->parallelism, &task->thread, agent->resource, vis->now);
}

/* Whether @task runs on @agent, last of all if there are others, and nothing has to be said of it. */
static inline gboolean
ts_vis_is_plain (const TsVisTask *task, const TsVisAgent *agent)
{
  return memcmp (&task->status, &agent->plain[TS_VIS_RUNNING], sizeof task->status) == 0 && agent->top == task;
}

/* It does not run any more. */
static inline void
ts_vis_halt_plain (TsVis *vis, TsVisTask *task, TsVisAgent *agent, TsVisState state)
{
  agent->top = task->below;
  task->status = agent->plain[state];
  task->line = vis->now_line;
  ts_parallelism_halt (vis->parallelism, &task->thread, agent->resource, vis->now);
}

static inline void
ts_vis_halt (TsVis *vis, TsVisTask *task, TsVisState state)
{
  if (G_LIKELY (task->status.state == TS_VIS_RUNNING))
    {
      TsVisTask **link = &ts_vis_agent_at (vis, task->status.agent)->top;

      while (*link != task)
        link = &(*link)->below;
      *link = task->below;
      ts_parallelism_halt (vis->parallelism, &task->thread, task->status.agent, vis->now);
    }
  task->status.flags &= (guint8) ~(guint) (TS_VIS_IS_DISPLACED | TS_VIS_BESIDE_SLAVE);
  task->status.state = (guint8) state;
  task->line = vis->now_line;
}

/* From start to end: what most lines are about. Events are emitted last, so that nothing has to be kept meanwhile. */

/* What the start of the task @i says of the fork of @node, which may be unsure: flags of its event, and with these its
 * distance to the first one that waited. To be asked once. Whether it is the first to start is foreseen by nobody: so there
 * is no branch. */
static TS_ALWAYS_INLINE guint
ts_vis_begin_fork (TsVisNode *node, guint i, gboolean is_unsure, guint16 *distance)
{
  const guint from_first = i - node->first_waiting;
  const guint decides = (node->has_started ^ 1u) & (guint) ((from_first > 0) | is_unsure);

  node->has_started = TRUE;
  *distance = (guint16) (from_first & -decides);
  return decides * TS_EVENT_DECIDES;
}

/* The same for @task of @node, which starts, or ends without a start; also where each is alone. */
static TS_ALWAYS_INLINE guint
ts_vis_begin_fork_of (const TsVis *vis, TsVisNode *node, const TsVisTask *task, guint16 *distance)
{
  const gboolean is_unsure = ts_vis_is_unsure (vis, node);

  *distance = 0;
  if (G_UNLIKELY (ts_vis_is_alone (vis)))
    return is_unsure ? TS_EVENT_DECIDES : 0;
  return ts_vis_begin_fork (node, (guint) (task - node->tasks), is_unsure, distance);
}

/* @task is of @node. FALSE: vis->error is set. */
static inline gboolean
ts_vis_start_task (TsVis *vis, TsVisNode *node, TsVisTask *task, TsVisAgent *agent)
{
  guint   flags;
  guint16 distance;

  if (G_UNLIKELY (task->status.state != TS_VIS_PENDING))
    {
      ts_vis_note (vis, TS_DIAGNOSTIC_STARTED_TWICE);
      return TRUE;
    }
  ts_vis_count (vis, (TsVisCount) (TS_VIS_GOALS + node->is_or));
  if (G_UNLIKELY (vis->group == TS_VIS_BY_AGENT))
    return ts_vis_start_taken (vis, task, agent);
  flags = ts_vis_begin_fork_of (vis, node, task, &distance);
  ts_vis_run (vis, task, agent);
  ts_vis_put (vis, TS_EVENT_START, TS_EVENT_UNIQUE | flags, task->element, task->number, TS_NO_ELEMENT, distance,
              agent->resource);
  return TRUE;
}

static inline void
ts_vis_count_end (TsVis *vis, TsVisCode code)
{
  if (code != TS_VIS_FINISH_GOAL)
    ts_vis_count (vis, code == TS_VIS_SUCC_BRANCH ? TS_VIS_SUCCEEDED : TS_VIS_FAILED);
}

/* Whether all branches of @node are over or have split: only ends of those that have can still be about it. */
static inline gboolean
ts_vis_is_exhausted (const TsVisNode *node)
{
  return node->is_or && node->n_done + node->n_split == node->n_tasks;
}

/* The same, and it is one of many that are open. */
static inline gboolean
ts_vis_is_to_forget (const TsVis *vis, const TsVisNode *node)
{
  return G_UNLIKELY (vis->n_open_tasks >= ts_vis_many_tasks) && ts_vis_is_exhausted (node);
}

/* A branch of @node is over, or has split. What is not found by its id any more would stay for good. */
static inline void
ts_vis_note_over (TsVis *vis, TsVisNode *node)
{
  if (G_UNLIKELY (node->place != TS_VIS_BY_ID && ts_vis_is_exhausted (node)))
    ts_vis_close_exhausted (vis, node);
  else if (ts_vis_is_to_forget (vis, node))
    ts_vis_await_oblivion (vis, node);
}

/* A task of @node is over. */
static inline void
ts_vis_count_done (TsVis *vis, TsVisNode *node)
{
  node->n_done++;
  /* in this order, since nobody foresees which of them is the last */
  if ((node->is_or || node->is_joined) && node->n_done == node->n_tasks)
    ts_vis_end_node (vis, node);
  else
    ts_vis_note_over (vis, node);
}

/* @task is of @node. */
static inline void
ts_vis_finish_task (TsVis *vis, TsVisNode *node, TsVisTask *task, TsVisCode code, TsVisAgent *agent)
{
  if (G_UNLIKELY (!ts_vis_is_plain (task, agent)))
    {
      ts_vis_finish_odd (vis, task, code, agent);
      return;
    }
  if (G_UNLIKELY (vis->doubtful != NULL) && node->is_or)
    ts_vis_prove (vis, task->number, FALSE);
  ts_vis_count_end (vis, code);
  ts_vis_halt_plain (vis, task, agent, TS_VIS_DONE);
  if (!node->is_or)
    node->longest = MAX (node->longest, task->thread.path);
  ts_vis_emit (vis, TS_EVENT_END, task->element, task->number, agent->resource, 0);
  ts_vis_count_done (vis, node);
}

G_END_DECLS
