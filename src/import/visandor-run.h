/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include "import/visandor.h"

G_BEGIN_DECLS

/* How tasks come to run on an agent, and cease to. */

static inline TsElementType
ts_vis_type (gboolean is_or)
{
  return is_or ? TS_TYPE_BRANCH : TS_TYPE_GOAL;
}

static inline void
ts_vis_run (TsVis *vis, TsVisTask *task, TsVisAgent *agent)
{
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
  return memcmp (&task->status, &agent->running, sizeof task->status) == 0 && agent->top == task;
}

/* It does not run any more. */
static inline void
ts_vis_halt_plain (TsVis *vis, TsVisTask *task, TsVisAgent *agent, TsVisState state)
{
  agent->top = task->below;
  task->status.state = (guint8) state;
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
  task->status.state = (guint8) state;
  task->line = vis->now_line;
}

G_END_DECLS
