/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/visandor.h"

/* A branch that is cut before it starts was never activated (METRICS, rule 4): PER goes from the activation
 * before it to the one behind. That shows when it is too late for the one behind, so that where it makes a
 * difference the trace is read again, with a bit for each task that is known to be withdrawn. */

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

gboolean
ts_vis_is_withdrawn (const TsVis *vis, gboolean is_or, gint32 number)
{
  return ts_vis_has_bit (vis->kept->withdrawn[is_or], number);
}

gboolean
ts_vis_is_any_withdrawn (const TsVis *vis, gboolean is_or, gint32 first, guint n)
{
  gboolean is_any = FALSE;

  for (guint i = 0; i < n && !is_any; i++)
    is_any = ts_vis_is_withdrawn (vis, is_or, first + (gint32) i);
  return is_any;
}

/* Siblings are activated at one instant: PER of those behind is the same without any but the first of them.
 * Grouped by agent there is no PER. */
static gboolean
makes_a_difference (const TsVis *vis, const TsVisTask *task)
{
  return vis->group != TS_VIS_BY_AGENT && (vis->group == TS_VIS_BY_FIELD || task == task->node->tasks);
}

void
ts_vis_withdraw (TsVis *vis, TsVisTask *task, guint16 resource)
{
  const gboolean is_known = (task->status.flags & TS_VIS_IS_WITHDRAWN) != 0;

  ts_vis_set_bit (&vis->withdrawn[task->node->is_or], task->number);
  if (!is_known && makes_a_difference (vis, task))
    {
      if (ts_import_request_reread (vis->import))
        vis->wants_withdrawn = TRUE;
      else
        ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_KNOWN_LATE, vis->now_line,
                            "a branch that counts for PER is cut before it starts");
    }
  ts_vis_emit (vis, TS_EVENT_ACTIVATION_FAILED, task->element, task->number, resource,
               is_known ? 0 : TS_EVENT_WITHDRAWN);
  task->status.state = TS_VIS_DONE;
}

void
ts_vis_keep_withdrawn (TsVis *vis)
{
  for (guint i = 0; i < G_N_ELEMENTS (vis->withdrawn); i++)
    {
      g_clear_pointer (&vis->kept->withdrawn[i], g_byte_array_unref);
      if (vis->wants_withdrawn && !ts_vis_is_renumbered (vis))
        vis->kept->withdrawn[i] = g_steal_pointer (&vis->withdrawn[i]);
    }
}
