/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/visandor-run.h"

/* Goals and branches that have lost their end. An agent runs one at a time, and what is joined is over: so who had another one
 * beside it, or was joined, and still seems to run when the trace ends, has no end in it. That is known only then. So the trace
 * is read once more, in which those that began to run in these lines are over when another one begins where they run, or when
 * they are joined. All others are trusted to run until their end, since JOIN may be written a little too early, and a
 * suspension may be lost. */

static int
compare (gconstpointer a, gconstpointer b)
{
  const guint64 left = *(const guint64 *) a, right = *(const guint64 *) b;

  return left < right ? -1 : left > right;
}

/* Whether @task, which runs, is known to have no end. */
static gboolean
is_lost (const TsVis *vis, const TsVisTask *task)
{
  return vis->kept->lost != NULL && g_array_binary_search (vis->kept->lost, &task->line, compare, NULL);
}

/* @task is over, and was not before. */
static void
lose_end (TsVis *vis, TsVisTask *task)
{
  ts_vis_emit (vis, TS_EVENT_END, task->element, task->number, task->status.agent, TS_EVENT_LOST);
  ts_vis_halt (vis, task, TS_VIS_DONE);
  if (!task->node->is_or)
    task->node->longest = MAX (task->node->longest, task->thread.path);
}

void
ts_vis_displace (TsVis *vis, TsVisAgent *agent)
{
  TsVisTask *task = agent->top;

  if (!is_lost (vis, task))
    {
      task->status.flags |= TS_VIS_IS_DISPLACED;
      return;
    }
  lose_end (vis, task);
  ts_vis_count_done (vis, task->node);
}

void
ts_vis_miss_ends (TsVis *vis, TsVisNode *node)
{
  for (guint i = 0; vis->kept->lost != NULL && node->n_done < node->n_tasks && i < node->n_tasks; i++)
    {
      TsVisTask *task = &node->tasks[i];

      if (task->status.state != TS_VIS_RUNNING || !is_lost (vis, task))
        continue;
      lose_end (vis, task);
      node->n_done++;
    }
}

/* Another reading for these alone: what is read in another order, or anew for something else, may mean something else. */
static gboolean
may_learn (TsVis *vis)
{
  if (vis->lost != NULL)
    return TRUE;
  if (vis->kept->lost != NULL || vis->import->surveying)
    return FALSE;
  if (ts_import_request_reread (vis->import))
    return TRUE;
  ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_KNOWN_LATE, vis->now_line, "an end is lost");
  return FALSE;
}

gboolean
ts_vis_note_lost (TsVis *vis, TsVisTask *task)
{
  const TsVisNode *node = task->node;

  if (!(task->status.flags & TS_VIS_IS_DISPLACED) && !(node->is_joined && node->place != TS_VIS_STRANGER))
    return FALSE;
  if (!may_learn (vis))
    {
      ts_vis_emit (vis, TS_EVENT_END, task->element, task->number, task->status.agent, TS_EVENT_LOST);
      return TRUE;
    }
  if (vis->lost == NULL)
    vis->lost = g_array_new (FALSE, FALSE, sizeof task->line);
  g_array_append_val (vis->lost, task->line);
  return TRUE;
}

void
ts_vis_keep_lost (TsVis *vis)
{
  if (vis->lost == NULL)
    return;
  g_array_sort (vis->lost, compare);
  vis->kept->lost = g_steal_pointer (&vis->lost);
  /* that may change which forks are used, and with it the numbers of what they fork */
  ts_vis_forget_numbers (vis->kept);
}
