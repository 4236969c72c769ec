/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/visandor-digits.h"
#include "import/visandor-run.h"

/* Goals and branches, from their start to their end: for their fork see visandor-forks.c. */

void
ts_vis_go_on (TsVis *vis, TsVisTask *task, TsVisAgent *agent)
{
  if (task->status.agent != agent->resource)
    ts_vis_count (vis, TS_VIS_MIGRATIONS);
  ts_vis_emit (vis, TS_EVENT_RESUME, task->element, task->number, agent->resource, 0);
  ts_vis_run (vis, task, agent);
}

void
ts_vis_check_slaves (TsVis *vis, const TsVisTask *task)
{
  if (G_UNLIKELY (task->status.n_slaves > 0))
    ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_SLAVES_LEFT, vis->now_line, "%u of them",
                        task->status.n_slaves);
}

static void
check_agent (TsVis *vis, const TsVisTask *task, const TsVisAgent *agent)
{
  if (G_LIKELY (task->status.agent == agent->resource || task->status.state != TS_VIS_RUNNING))
    return;
  ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_WRONG_AGENT, vis->now_line, "it runs on agent %d",
                      ts_vis_agent_at (vis, task->status.agent)->id);
  /* it was the other line that named a wrong one, for all that is known */
  if (task->below != NULL)
    task->below->status.flags &= (guint8) ~(guint) TS_VIS_IS_DISPLACED;
}

/* It has an event of its own. */
static void
prove (TsVis *vis, const TsVisTask *task)
{
  if (task->node != NULL && task->node->is_or)
    ts_vis_prove (vis, task->number, ts_vis_is_displaced (task));
}

TsVisTask *
ts_vis_find_open (TsVis *vis, const TsVisRecord *record)
{
  TsVisNode *node = ts_vis_find_node (vis, record);
  TsVisTask *task = NULL, *stranger;

  if (node != NULL && record->field >= 0 && (guint32) record->field < node->n_tasks)
    task = &node->tasks[record->field];
  if (G_LIKELY (vis->n_strangers == 0)
      || (task != NULL && (task->status.state != TS_VIS_PENDING || ts_vis_is_start ((TsVisCode) record->code))))
    return task;
  stranger = ts_vis_find_stranger (vis, record);
  return stranger != NULL ? stranger : task;
}

/* What an event on a task that is open refers to; NULL: a defect, which is counted. */
static TsVisTask *
find_task (TsVis *vis, const TsVisRecord *record, gboolean is_or)
{
  TsVisTask       *task = ts_vis_find_open (vis, record);
  const TsVisNode *node = task != NULL ? task->node : ts_vis_find_node (vis, record);

  if (node == NULL || node->is_or != is_or)
    ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_UNKNOWN_NODE, record->line,
                        "node %" G_GINT64_MODIFIER "X%s", record->node,
                        node != NULL ? " is of the other kind of parallelism" : "");
  else if (task == NULL)
    ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_BAD_TASK, record->line,
                        "task %d of node %" G_GINT64_MODIFIER "X, which has %u", record->field, record->node,
                        node->n_tasks);
  else
    return task;
  return NULL;
}

TsVisTask *
ts_vis_find_branch (TsVis *vis, const TsVisRecord *record)
{
  TsVisTask *task = ts_vis_find_open (vis, record);

  return task != NULL && task->node->is_or ? task : NULL;
}

/* From start to end: what most lines are about. Events are emitted last, so that nothing has to be kept meanwhile. */

/* Where tasks are grouped by agent, the activation of this one waits under another element, as nobody knew which
 * agent would take it. */
gboolean
ts_vis_start_taken (TsVis *vis, TsVisTask *task, TsVisAgent *agent)
{
  guint32 queue = task->element;

  task->element = ts_vis_element (vis, ts_vis_type (task->node->is_or), 0, 0, 0, agent->id);
  if (task->element == TS_NO_ELEMENT)
    return FALSE;
  ts_vis_run (vis, task, agent);
  ts_vis_put (vis, TS_EVENT_START, TS_EVENT_UNIQUE | TS_EVENT_FROM_OWNER, task->element, task->number, queue,
              0, agent->resource);
  return TRUE;
}

/* Whether neither the node that @record names is open, nor its task alone. */
static gboolean
is_of_nothing_open (TsVis *vis, const TsVisRecord *record)
{
  return ts_vis_find_open (vis, record) == NULL && ts_vis_find_node (vis, record) == NULL;
}

gboolean
ts_vis_start (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent)
{
  const gboolean is_or = record->code == TS_VIS_START_BRANCH;
  TsVisTask     *task;

  if (is_of_nothing_open (vis, record))
    return ts_vis_start_stranger (vis, record, is_or, agent);
  task = find_task (vis, record, is_or);
  if (task != NULL && task->node->place == TS_VIS_STRANGER && task->status.state == TS_VIS_RUNNING)
    {
      ts_vis_restart_stranger (vis, task, agent);
      return TRUE;
    }
  return task == NULL || ts_vis_start_task (vis, task->node, task, agent);
}

/* The time since it split was spent by its alternatives. */
void
ts_vis_end_late (TsVis *vis, TsVisCode code, guint32 element, gint32 number, guint16 resource)
{
  ts_vis_count_end (vis, code);
  ts_vis_prove (vis, number, FALSE);
  ts_vis_emit (vis, TS_EVENT_RESUME, element, number, resource, 0);
  ts_vis_emit (vis, TS_EVENT_END, element, number, resource, 0);
}

/* Whether an end of a branch that has split is its own, which was or will be known when it split. */
static gboolean
finish_split (TsVis *vis, TsVisTask *task, TsVisCode code)
{
  if (!ts_vis_has_late_end (vis, task))
    return ts_vis_learn_late_end (vis, task->number);
  if (task->status.flags & TS_VIS_HAS_ENDED)
    return FALSE;
  task->status.flags |= TS_VIS_HAS_ENDED;
  ts_vis_check_slaves (vis, task);
  ts_vis_end_late (vis, code, task->element, task->number, task->status.agent);
  return TRUE;
}

/* What was forked has lost its start: that it ended is known, and when it was activated (rule 8). Only by agents nobody knows
 * whose it was. FALSE: it is no such. */
static gboolean
finish_unstarted (TsVis *vis, TsVisTask *task, TsVisCode code, const TsVisAgent *agent)
{
  guint16 distance;
  guint   flags;

  if (task->status.state != TS_VIS_PENDING || vis->group == TS_VIS_BY_AGENT)
    return FALSE;
  flags = ts_vis_begin_fork_of (vis, task->node, task, &distance);
  ts_vis_count_end (vis, code);
  ts_vis_put (vis, TS_EVENT_END, TS_EVENT_UNIQUE | flags, task->element, task->number, TS_NO_ELEMENT, distance,
              agent->resource);
  task->status.state = TS_VIS_DONE;
  task->line = vis->now_line;
  ts_vis_count_done (vis, task->node);
  return TRUE;
}

/* One that is not running plainly. */
void
ts_vis_finish_odd (TsVis *vis, TsVisTask *task, TsVisCode code, TsVisAgent *agent)
{
  const gboolean has_split = (task->status.flags & TS_VIS_IS_RESOLVED) != 0
                             || (task->status.state == TS_VIS_SPLIT && code != TS_VIS_FINISH_GOAL);

  if ((has_split && finish_split (vis, task, code)) || finish_unstarted (vis, task, code, agent))
    return;
  if (has_split || task->status.state == TS_VIS_PENDING || task->status.state == TS_VIS_DONE)
    {
      ts_vis_note (vis, TS_DIAGNOSTIC_REDUNDANT_END);
      return;
    }
  if (code != TS_VIS_FINISH_GOAL)
    check_agent (vis, task, agent);
  else if (task->status.state == TS_VIS_RUNNING)
    ts_vis_learn_migration (vis, task, agent);
  ts_vis_check_slaves (vis, task);
  prove (vis, task);
  if (task->status.flags & TS_VIS_WAITS_UNSEEN)
    ts_vis_leave_waiting (ts_vis_agent_at (vis, task->status.agent), task);
  if (task->status.state == TS_VIS_SPLIT)
    ts_vis_end_late (vis, code, task->element, task->number, task->status.agent);
  else
    {
      ts_vis_count_end (vis, code);
      ts_vis_emit (vis, TS_EVENT_END, task->element, task->number, task->status.agent, 0);
    }
  ts_vis_halt (vis, task, TS_VIS_DONE);
  if (task->fork != NULL)
    {
      task->fork->father = NULL;
      task->fork = NULL;
    }
  if (!task->node->is_or)
    task->node->longest = MAX (task->node->longest, task->thread.path);
  ts_vis_count_done (vis, task->node);
}

void
ts_vis_finish (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent)
{
  const gboolean is_or = record->code != TS_VIS_FINISH_GOAL;
  TsVisTask     *task;

  if (is_or && is_of_nothing_open (vis, record) && ts_vis_end_of_closed (vis, record))
    return;
  task = find_task (vis, record, is_or);
  if (task != NULL)
    ts_vis_finish_task (vis, task->node, task, (TsVisCode) record->code, agent);
}

/* Whether a line of @agent about a branch that is not there may be meant for what it works on. */
static gboolean
is_at_work (const TsVisAgent *agent)
{
  return agent->top != NULL || agent->is_slave;
}

/* One that was not seen to start (rule 6), as its start is lost. Where another one runs on @agent, that is rather the one that
 * is suspended, by a wrong name. FALSE: it is no such. */
static gboolean
suspend_unstarted (TsVis *vis, TsVisTask *task, const TsVisAgent *agent)
{
  const guint32 queue = task->element;
  guint16       distance = 0;
  guint         flags;

  if (task->status.state != TS_VIS_PENDING || is_at_work (agent))
    return FALSE;
  if (vis->group == TS_VIS_BY_AGENT)
    {
      const guint32 element = ts_vis_element (vis, ts_vis_type (TRUE), 0, 0, 0, agent->id);

      if (element == TS_NO_ELEMENT)
        {
          /* too many: whoever is to start on it will say so */
          g_clear_error (&vis->error);
          return FALSE;
        }
      task->element = element;
      flags = TS_EVENT_FROM_OWNER;
    }
  else
    flags = ts_vis_begin_fork_of (vis, task->node, task, &distance);
  ts_vis_count (vis, TS_VIS_SUSPENSIONS);
  ts_vis_put (vis, TS_EVENT_START, TS_EVENT_UNIQUE | TS_EVENT_UNSEEN | flags, task->element, task->number,
              flags == TS_EVENT_FROM_OWNER ? queue : TS_NO_ELEMENT, distance, agent->resource);
  task->status.state = TS_VIS_SUSPENDED;
  task->status.agent = agent->resource;
  task->line = vis->now_line;
  return TRUE;
}

/* It went on on another agent, and nobody knows when. FALSE: it is no such. */
static gboolean
suspend_again (TsVis *vis, TsVisTask *task, const TsVisAgent *agent)
{
  if (task->status.state != TS_VIS_SUSPENDED || task->status.agent == agent->resource || is_at_work (agent))
    return FALSE;
  ts_vis_note (vis, TS_DIAGNOSTIC_LOST_RESUMPTION);
  ts_vis_count (vis, TS_VIS_SUSPENSIONS);
  ts_vis_count (vis, TS_VIS_MIGRATIONS);
  ts_vis_emit (vis, TS_EVENT_PREEMPT, task->element, task->number, agent->resource, TS_EVENT_LOST);
  task->status.agent = agent->resource;
  task->line = vis->now_line;
  return TRUE;
}

void
ts_vis_suspend_task (TsVis *vis, TsVisTask *task, const TsVisAgent *agent)
{
  if (suspend_unstarted (vis, task, agent) || suspend_again (vis, task, agent))
    return;
  /* where it has only now begun to run on another agent, it is not that one's */
  if (task->status.state != TS_VIS_RUNNING || (task->status.agent != agent->resource && task->thread.since == vis->now))
    {
      ts_vis_note (vis, TS_DIAGNOSTIC_REDUNDANT_PREEMPT);
      return;
    }
  check_agent (vis, task, agent);
  prove (vis, task);
  ts_vis_count (vis, TS_VIS_SUSPENSIONS);
  ts_vis_emit (vis, TS_EVENT_PREEMPT, task->element, task->number, task->status.agent, 0);
  ts_vis_halt (vis, task, TS_VIS_SUSPENDED);
}

void
ts_vis_suspend (TsVis *vis, const TsVisRecord *record, const TsVisAgent *agent)
{
  TsVisTask *task = find_task (vis, record, TRUE);

  if (task != NULL)
    ts_vis_suspend_task (vis, task, agent);
}

/* Its suspension is lost, and nobody knows when that was. Where another one runs on @agent, or no time has passed since it
 * began to run, it is rather another branch that goes on. FALSE: it is no such. */
static gboolean
go_on_elsewhere (TsVis *vis, TsVisTask *task, TsVisAgent *agent)
{
  if (task->status.state != TS_VIS_RUNNING || task->status.agent == agent->resource || task->thread.since == vis->now
      || is_at_work (agent))
    return FALSE;
  ts_vis_note (vis, TS_DIAGNOSTIC_LOST_SUSPENSION);
  ts_vis_count (vis, TS_VIS_SUSPENSIONS);
  ts_vis_count (vis, TS_VIS_MIGRATIONS);
  ts_vis_emit (vis, TS_EVENT_RESUME, task->element, task->number, agent->resource, TS_EVENT_LOST);
  ts_vis_halt (vis, task, TS_VIS_SUSPENDED);
  ts_vis_run (vis, task, agent);
  return TRUE;
}

void
ts_vis_resume_task (TsVis *vis, TsVisTask *task, TsVisAgent *agent)
{
  if (task->status.state == TS_VIS_SUSPENDED
      || (task->status.state == TS_VIS_RUNNING && ts_vis_miss_suspension (vis, task)))
    ts_vis_go_on (vis, task, agent);
  else if (!go_on_elsewhere (vis, task, agent))
    ts_vis_note (vis, TS_DIAGNOSTIC_REDUNDANT_RESUME);
}

void
ts_vis_resume (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent)
{
  TsVisTask *task = find_task (vis, record, TRUE);

  if (task != NULL)
    ts_vis_resume_task (vis, task, agent);
}

static void
count_cut (TsVis *vis)
{
  ts_vis_count (vis, TS_VIS_CUT);
  vis->n_cuts++;
}

void
ts_vis_cut_task (TsVis *vis, TsVisTask *task, const TsVisAgent *agent)
{
  count_cut (vis);
  /* a running branch goes on to its own end */
  if (task->status.state == TS_VIS_PENDING)
    {
      ts_vis_withdraw (vis, task, agent->resource);
      ts_vis_count_done (vis, task->node);
    }
}

void
ts_vis_cut (TsVis *vis, const TsVisRecord *record, const TsVisAgent *agent)
{
  TsVisTask *task;

  if (vis->has_forgotten && is_of_nothing_open (vis, record))
    {
      /* of a node that was forgotten, as far as anybody knows: there it changes nothing */
      count_cut (vis);
      return;
    }
  task = find_task (vis, record, TRUE);
  if (task != NULL)
    ts_vis_cut_task (vis, task, agent);
}
