/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/visandor-run.h"

/* Events with one time stamp. Writers merge what their agents have recorded by stamps, and where these are equal, by the
 * numbers of the agents: a goal may start in the line before its fork, and a branch go on in the line before that in which
 * it is suspended. The events of one agent stand in the order in which they were, those of several agents in any order that
 * makes sense: what makes none as yet waits for what else there is with that stamp (METRICS, rule 14). */

#define MOST_WAITING 64 /* with more, the first one is taken as it stands */

struct _TsVisStamp
{
  TsVisRecord waiting[MOST_WAITING]; /* in the order of the file */
};

static gboolean
fork_fits (TsVis *vis, const TsVisRecord *record, const TsVisAgent *agent)
{
  const TsVisNode *node = ts_vis_find_node (vis, record);

  if (agent->top != NULL && agent->top->status.n_slaves > 0)
    return FALSE;
  return node == NULL || node->is_joined || (vis->has_forgotten && ts_vis_is_exhausted (node));
}

static gboolean
join_fits (TsVis *vis, const TsVisRecord *record)
{
  const TsVisNode *node = ts_vis_find_node (vis, record);

  return node != NULL && !node->is_or && ts_vis_join_fits (node);
}

static gboolean
slave_fits (TsVis *vis, const TsVisRecord *record)
{
  const TsVisTask *branch = ts_vis_find_branch (vis, record);

  return branch != NULL && ts_vis_may_have_slaves (branch);
}

/* Whether @record, the code of which says that it is one of a task, makes sense as it is, or never will. */
static gboolean
event_of_task_fits (TsVis *vis, const TsVisRecord *record)
{
  const TsVisCode  code = (TsVisCode) record->code;
  const TsVisTask *task = ts_vis_find_open (vis, record);

  if (task != NULL)
    return ts_vis_fits (task, code);
  if (code == TS_VIS_CUTTING_BRANCH)
    return vis->has_forgotten; /* of what that was nothing is known */
  /* others are on the agent on which it ran */
  return !ts_vis_is_start (code) && code != TS_VIS_RESUME_BRANCH;
}

static gboolean
fits (TsVis *vis, const TsVisRecord *record, const TsVisAgent *agent)
{
  if (G_UNLIKELY (vis->awaits_start))
    return record->code == TS_VIS_START_TIME;
  switch ((TsVisCode) record->code)
    {
    case TS_VIS_FORK:
    case TS_VIS_MAKE_PUBLIC:
      return fork_fits (vis, record, agent);
    case TS_VIS_JOIN:
      return join_fits (vis, record);
    case TS_VIS_START_GOAL:
    case TS_VIS_FINISH_GOAL:
    case TS_VIS_START_BRANCH:
    case TS_VIS_SUCC_BRANCH:
    case TS_VIS_FAIL_BRANCH:
    case TS_VIS_SUSPEND_BRANCH:
    case TS_VIS_RESUME_BRANCH:
    case TS_VIS_CUTTING_BRANCH:
      return event_of_task_fits (vis, record);
    case TS_VIS_START_BUSY:
      return slave_fits (vis, record);
    case TS_VIS_STOP_TIME:
      return FALSE; /* nothing comes behind it */
    default:
      return TRUE;
    }
}

/* Whether one of the first @n that wait is on @agent. */
static gboolean
is_behind (const TsVis *vis, guint n, gint32 agent)
{
  for (guint i = 0; i < n; i++)
    if (vis->stamp->waiting[i].agent == agent)
      return TRUE;
  return FALSE;
}

static gboolean
take_waiting (TsVis *vis, guint i)
{
  TsVisRecord *waiting = vis->stamp->waiting;
  const TsVisRecord record = waiting[i];

  vis->n_waiting--;
  memmove (&waiting[i], &waiting[i + 1], (vis->n_waiting - i) * sizeof *waiting);
  vis->now_line = record.line;
  if (vis->is_stopped)
    {
      ts_vis_note (vis, TS_DIAGNOSTIC_AFTER_STOP_TIME);
      return TRUE;
    }
  return ts_vis_event (vis, &record, ts_vis_agent (vis, record.agent));
}

static gboolean
waits_in_vain (TsVis *vis, guint i)
{
  const TsVisRecord *record = &vis->stamp->waiting[i];

  return is_behind (vis, i, record->agent) || !fits (vis, record, ts_vis_agent (vis, record->agent));
}

/* Until all that wait do so in vain. */
static gboolean
take_what_fits (TsVis *vis)
{
  guint i = 0;

  while (i < vis->n_waiting)
    if (waits_in_vain (vis, i))
      i++;
    else if (take_waiting (vis, i))
      i = 0; /* which may be what those before it wait for */
    else
      return FALSE;
  return TRUE;
}

/* Which one is taken first where all wait in vain. A cut does, unless what it is about has started: that is known now. */
static guint
rank_of (const TsVisRecord *record)
{
  return record->code == TS_VIS_CUTTING_BRANCH ? 0 : record->code != TS_VIS_STOP_TIME ? 1 : 2;
}

/* All wait in vain: one of those that come next on their agents is taken as it stands. */
static gboolean
take_first (TsVis *vis)
{
  const TsVisRecord *waiting = vis->stamp->waiting;
  guint              first = 0;

  if (vis->awaits_start)
    {
      vis->awaits_start = FALSE;
      ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_NO_START_TIME, vis->first_line, NULL);
      return take_what_fits (vis);
    }
  for (guint i = 1; i < vis->n_waiting; i++)
    if (rank_of (&waiting[i]) < rank_of (&waiting[first]) && !is_behind (vis, i, waiting[i].agent))
      first = i;
  return take_waiting (vis, first) && take_what_fits (vis);
}

static gboolean
put_waiting (TsVis *vis, const TsVisRecord *record)
{
  if (vis->stamp == NULL)
    vis->stamp = g_new (TsVisStamp, 1);
  while (vis->n_waiting == MOST_WAITING)
    if (!take_first (vis))
      return FALSE;
  vis->stamp->waiting[vis->n_waiting++] = *record;
  return TRUE;
}

gboolean
ts_vis_take_at_stamp (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent)
{
  if (G_UNLIKELY ((vis->n_waiting > 0 && is_behind (vis, vis->n_waiting, record->agent)) || !fits (vis, record, agent)))
    return put_waiting (vis, record);
  return ts_vis_event (vis, record, agent) && (G_LIKELY (vis->n_waiting == 0) || take_what_fits (vis));
}

gboolean
ts_vis_leave_stamp (TsVis *vis)
{
  while (vis->n_waiting > 0)
    if (!take_first (vis))
      return FALSE;
  return TRUE;
}
