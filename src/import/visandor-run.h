/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/visandor.h"

G_BEGIN_DECLS

/* What happens to a goal or branch that is known, from its start to its end. Here and not in visandor-tasks.c, as this
 * is what most lines are about, and both ways of reading them come to it. */

static inline TsElementType
ts_vis_type (gboolean is_or)
{
  return is_or ? TS_TYPE_BRANCH : TS_TYPE_GOAL;
}

static inline void
ts_vis_run (TsVis *vis, TsVisTask *task, TsVisAgent *agent)
{
  task->state = TS_VIS_RUNNING;
  task->line = vis->now_line;
  task->agent = agent->resource;
  task->below = agent->top;
  agent->top = task;
  ts_parallelism_run (vis->parallelism, &task->thread, agent->resource, vis->now);
}

static inline void
ts_vis_halt (TsVis *vis, TsVisTask *task, TsVisState state)
{
  if (G_LIKELY (task->state == TS_VIS_RUNNING))
    {
      TsVisTask **link = &ts_vis_agent_at (vis, task->agent)->top;

      while (*link != task)
        link = &(*link)->below;
      *link = task->below;
      ts_parallelism_halt (vis->parallelism, &task->thread, task->agent, vis->now);
    }
  task->state = (guint8) state;
  task->line = vis->now_line;
}

static inline gboolean
ts_vis_start_task (TsVis *vis, TsVisTask *task, TsVisAgent *agent)
{
  if (G_UNLIKELY (task->state != TS_VIS_PENDING))
    {
      ts_vis_note (vis, TS_DIAGNOSTIC_STARTED_TWICE);
      return TRUE;
    }
  if (G_LIKELY (vis->group != TS_VIS_BY_AGENT))
    ts_vis_emit (vis, TS_EVENT_START, task->element, task->number, agent->resource, 0);
  else if (!ts_vis_start_taken (vis, task, agent))
    return FALSE;
  ts_vis_count (vis, task->node->is_or ? TS_VIS_BRANCHES : TS_VIS_GOALS);
  ts_vis_run (vis, task, agent);
  return TRUE;
}

static inline void
ts_vis_check_slaves (TsVis *vis, const TsVisTask *task)
{
  if (G_UNLIKELY (task->n_slaves > 0))
    ts_vis_tell_slaves (vis, task);
}

static inline void
ts_vis_check_agent (TsVis *vis, const TsVisTask *task, const TsVisAgent *agent)
{
  if (G_UNLIKELY (task->agent != agent->resource) && task->state == TS_VIS_RUNNING)
    ts_vis_tell_agent (vis, task);
}

/* A task of @node is over. */
static inline void
ts_vis_count_done (TsVis *vis, TsVisNode *node)
{
  node->n_done++;
  /* in this order, since nobody foresees which of them is the last */
  if ((node->is_or || node->is_joined) && node->n_done == node->n_tasks)
    ts_vis_end_node (vis, node);
}

static inline void
ts_vis_finish_task (TsVis *vis, TsVisTask *task, TsVisCode code, const TsVisAgent *agent)
{
  TsVisNode *node = task->node;

  if (G_UNLIKELY (task->flags & TS_VIS_IS_RESOLVED) && code != TS_VIS_FINISH_GOAL && ts_vis_learn_late_end (vis))
    return;
  if (G_UNLIKELY (task->state == TS_VIS_PENDING || task->state == TS_VIS_DONE))
    {
      ts_vis_note (vis, TS_DIAGNOSTIC_REDUNDANT_END);
      return;
    }
  if (code != TS_VIS_FINISH_GOAL)
    {
      ts_vis_check_agent (vis, task, agent);
      ts_vis_count (vis, code == TS_VIS_SUCC_BRANCH ? TS_VIS_SUCCEEDED : TS_VIS_FAILED);
    }
  ts_vis_check_slaves (vis, task);
  if (G_UNLIKELY (task->state == TS_VIS_SPLIT))
    /* the time since then was spent by its alternatives */
    ts_vis_emit (vis, TS_EVENT_RESUME, task->element, task->number, task->agent, 0);
  ts_vis_emit (vis, TS_EVENT_END, task->element, task->number, task->agent, 0);
  ts_vis_halt (vis, task, TS_VIS_DONE);
  if (G_UNLIKELY (task->fork != NULL))
    {
      task->fork->father = NULL;
      task->fork = NULL;
    }
  node->longest = MAX (node->longest, task->thread.path);
  ts_vis_count_done (vis, node);
}

G_END_DECLS
