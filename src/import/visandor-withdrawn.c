/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/visandor-run.h"

/* A task that is withdrawn before it starts was never activated (METRICS, rule 4). As siblings are activated at one instant,
 * that makes a difference for PER only where all of a fork are: then it goes from the activation before to the one behind.
 * Of branches, which are cut all the time, this can be told late, and the next activation waits for it. Where that
 * cannot be, since each instance is shown with its PER, and of goals, which it happens to in defective traces only, the trace
 * is read again, with a bit for each fork that is known to come to nothing. */

void
ts_vis_set_bit (GByteArray **bits, gint32 number)
{
  guint byte = (guint) number / 8, length;

  if (*bits == NULL)
    *bits = g_byte_array_new ();
  length = (*bits)->len;
  if (byte >= length)
    {
      g_byte_array_set_size (*bits, byte + 1);
      memset ((*bits)->data + length, 0, byte + 1 - length);
    }
  (*bits)->data[byte] |= (guint8) (1U << ((guint) number % 8));
}

/* All of the fork of which @first is the first task are withdrawn. */
static void
learn_fork (TsVis *vis, gboolean is_or, gint32 first)
{
  if (!ts_import_request_reread (vis->import))
    {
      ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_KNOWN_LATE, vis->now_line,
                          "a fork that counts for PER came to nothing");
      return;
    }
  /* whatever this reading still forks has higher numbers */
  ts_vis_set_bit (&vis->kept->withdrawn[is_or], first);
}

/* Of those of @node, none of which has started, the first one that waited is withdrawn. Returns how far it is to the next
 * one; 0: there is none. */
static guint16
move_first_waiting (TsVisNode *node)
{
  const guint first = node->first_waiting;
  guint       i = first + 1;

  while (i < node->n_tasks && node->tasks[i].status.state != TS_VIS_PENDING)
    i++;
  if (i >= node->n_tasks)
    return 0;
  node->first_waiting = (guint16) i;
  return (guint16) (i - first);
}

void
ts_vis_withdraw (TsVis *vis, TsVisTask *task, guint16 resource)
{
  TsVisNode     *node = task->node;
  const gboolean is_known = (task->status.flags & TS_VIS_IS_WITHDRAWN) != 0, is_alone = ts_vis_is_alone (vis);
  const gboolean is_first = is_alone || (!node->has_started && task == &node->tasks[node->first_waiting]);
  guint16        distance = 0;
  guint          flags = is_known ? 0 : TS_EVENT_WITHDRAWN;

  task->status.state = TS_VIS_DONE;
  /* grouped by agent there is no PER */
  if (is_first && !is_known && vis->group != TS_VIS_BY_AGENT)
    {
      if (!is_alone)
        distance = move_first_waiting (node);
      if (distance == 0 && ts_vis_is_unsure (vis, node))
        flags |= TS_EVENT_DECIDES;
      else if (distance == 0)
        learn_fork (vis, node->is_or, is_alone ? task->number : node->tasks[0].number);
    }
  ts_vis_put (vis, TS_EVENT_ACTIVATION_FAILED, TS_EVENT_UNIQUE | flags, task->element, task->number, TS_NO_ELEMENT, distance,
              resource);
}
