/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/visandor-run.h"

/* Goals and branches that have lost their end, a suspension or a fork. An agent runs one at a time, what is joined is over, and
 * so is what has an id that is that of another one. So who had another one beside it, or was joined, and still seems to run
 * when the trace ends, has no end in it; who is resumed was suspended; and who is joined waited. That is known only later: the
 * trace is read once more, in which those that began to run in these lines are over, suspended or waiting when another one
 * begins where they run, or when they are joined. All others are trusted to run until their end, since JOIN may be written a
 * little too early, and who runs beside another one may be meant.
 *
 * Who forks is known by its agent alone. So of a branch that another one ran beside nobody knows whether it is what forks there
 * later, or has lost its end long before, as whoever forks has lost its start. That is the more likely the fewer others go on as
 * if nothing had been. */

static int
compare (gconstpointer a, gconstpointer b)
{
  const guint64 left = *(const guint64 *) a, right = *(const guint64 *) b;

  return left < right ? -1 : left > right;
}

/* Whether @task, which runs, is known to have lost that from where it ran. */
static gboolean
is_lost (const TsVis *vis, TsVisLoss loss, const TsVisTask *task)
{
  const GArray *lines = vis->kept->lost[loss];

  return lines != NULL && g_array_binary_search ((GArray *) lines, &task->line, compare, NULL);
}

static gboolean
is_any_lost (GArray *const *lost)
{
  guint i = 0;

  while (i < TS_VIS_N_LOSSES && lost[i] == NULL)
    i++;
  return i < TS_VIS_N_LOSSES;
}

void
ts_vis_lose_end (TsVis *vis, TsVisTask *task)
{
  ts_vis_emit (vis, TS_EVENT_END, task->element, task->number, task->status.agent, TS_EVENT_LOST);
  ts_vis_halt (vis, task, TS_VIS_DONE);
  if (!task->node->is_or)
    task->node->longest = MAX (task->node->longest, task->thread.path);
}

void
ts_vis_miss_ends (TsVis *vis, TsVisNode *node)
{
  for (guint i = 0; vis->kept->lost[TS_VIS_LOST_END] != NULL && node->n_done < node->n_tasks && i < node->n_tasks; i++)
    {
      TsVisTask *task = &node->tasks[i];

      if (task->status.state != TS_VIS_RUNNING || !is_lost (vis, TS_VIS_LOST_END, task))
        continue;
      ts_vis_lose_end (vis, task);
      node->n_done++;
    }
}

gboolean
ts_vis_ask_anew (TsVis *vis)
{
  if (!ts_import_request_reread (vis->import))
    return FALSE;
  vis->has_other_news = TRUE;
  return TRUE;
}

/* Another reading for these alone: what is read in another order, or anew for something else, may mean something else. */
static gboolean
may_learn (TsVis *vis)
{
  if (is_any_lost (vis->lost))
    return TRUE;
  if (is_any_lost (vis->kept->lost) || vis->import->surveying)
    return FALSE;
  if (ts_import_request_reread (vis->import))
    {
      vis->asked_for_losses = TRUE;
      return TRUE;
    }
  ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_KNOWN_LATE, vis->now_line, "an end, a suspension or a fork is lost");
  return FALSE;
}

static void
note_line (GArray **lines, guint64 line)
{
  if (*lines == NULL)
    *lines = g_array_new (FALSE, FALSE, sizeof line);
  g_array_append_val (*lines, line);
}

gboolean
ts_vis_learn_loss (TsVis *vis, TsVisLoss loss, const TsVisTask *task)
{
  if (!may_learn (vis))
    return FALSE;
  note_line (&vis->lost[loss], task->line);
  return TRUE;
}

void
ts_vis_displace (TsVis *vis, TsVisAgent *agent)
{
  TsVisTask *task = agent->top;

  if (is_lost (vis, TS_VIS_LOST_SUSPENSION, task))
    {
      ts_vis_note (vis, TS_DIAGNOSTIC_LOST_SUSPENSION);
      ts_vis_suspend_task (vis, task, agent);
    }
  else if (is_lost (vis, TS_VIS_LOST_FORK, task))
    ts_vis_wait_unseen (vis, task, agent);
  else if (is_lost (vis, TS_VIS_LOST_END, task) || task->node->place == TS_VIS_ORPHAN)
    {
      if (task->node->place == TS_VIS_ORPHAN)
        ts_vis_learn_loss (vis, TS_VIS_LOST_END, task); /* as it was over when its node was, and not only now */
      ts_vis_lose_end (vis, task);
      ts_vis_count_done (vis, task->node);
    }
  else
    task->status.flags |= TS_VIS_IS_DISPLACED;
}

gboolean
ts_vis_miss_suspension (TsVis *vis, TsVisTask *task)
{
  if (!ts_vis_is_displaced (task) || !ts_vis_learn_loss (vis, TS_VIS_LOST_SUSPENSION, task))
    return FALSE;
  ts_vis_halt (vis, task, TS_VIS_SUSPENDED);
  return TRUE;
}

void
ts_vis_lose_displaced (TsVis *vis, TsVisNode *node)
{
  for (guint i = 0; i < node->n_tasks; i++)
    {
      TsVisTask *task = &node->tasks[i];

      if (ts_vis_is_displaced (task))
        ts_vis_learn_loss (vis, TS_VIS_LOST_END, task); /* as the next reading may know it when it is displaced */
      else if (task->status.state != TS_VIS_SUSPENDED)
        continue;
      ts_vis_lose_end (vis, task);
      node->n_done++;
    }
}

#define MOST_DOUBTFUL 262144 /* any others are trusted */

/* And what is displaced below it. A slave alone is no reason, as it is more likely that its agent is wrong. */
void
ts_vis_doubt (TsVis *vis, const TsVisTask *task)
{
  const guint flags = TS_VIS_IS_DISPLACED | TS_VIS_BESIDE_SLAVE;

  for (; task != NULL && (task->status.flags & flags) == TS_VIS_IS_DISPLACED && task->node->is_or; task = task->below)
    {
      if (vis->doubtful == NULL)
        vis->doubtful = g_hash_table_new (NULL, NULL);
      if (g_hash_table_size (vis->doubtful) >= MOST_DOUBTFUL
          || !g_hash_table_insert (vis->doubtful, GINT_TO_POINTER (task->number), GSIZE_TO_POINTER ((gsize) task->line)))
        break;
    }
}

void
ts_vis_prove (TsVis *vis, gint32 branch, gboolean is_displaced)
{
  vis->n_proven += is_displaced;
  if (G_UNLIKELY (vis->doubtful != NULL))
    g_hash_table_remove (vis->doubtful, GINT_TO_POINTER (branch));
}

/* Where most that were displaced have no event of their own behind that, those that have none only seemed to fork. */
static void
settle_doubts (TsVis *vis)
{
  GHashTableIter iter;
  gpointer       line;

  if (vis->doubtful == NULL || g_hash_table_size (vis->doubtful) <= vis->n_proven || !may_learn (vis))
    return;
  g_hash_table_iter_init (&iter, vis->doubtful);
  while (g_hash_table_iter_next (&iter, NULL, &line))
    note_line (&vis->lost[TS_VIS_LOST_END], GPOINTER_TO_SIZE (line));
}

gboolean
ts_vis_note_lost (TsVis *vis, TsVisTask *task)
{
  const TsVisNode *node = task->node;

  if (!ts_vis_is_displaced (task) && !(node->is_joined && node->place != TS_VIS_STRANGER))
    return FALSE;
  if (!ts_vis_learn_loss (vis, TS_VIS_LOST_END, task))
    ts_vis_emit (vis, TS_EVENT_END, task->element, task->number, task->status.agent, TS_EVENT_LOST);
  return TRUE;
}

void
ts_vis_keep_lost (TsVis *vis)
{
  settle_doubts (vis);
  if (!is_any_lost (vis->lost) || vis->has_other_news || ts_vis_is_renumbered (vis))
    return;
  for (guint i = 0; i < TS_VIS_N_LOSSES; i++)
    {
      if (vis->lost[i] != NULL)
        g_array_sort (vis->lost[i], compare);
      vis->kept->lost[i] = g_steal_pointer (&vis->lost[i]);
    }
  ts_vis_keep_forks (vis);
  /* that may change which forks are used, and with it the numbers of what they fork */
  ts_vis_forget_numbers (vis->kept);
}
