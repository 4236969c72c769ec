/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/visandor-run.h"
#include "model/inline.h"
#include "model/pages.h"

/* A node is open until all alternatives of its branches are over, and those of these, too. In a program that goes on and on
 * that is never: each node is split in turn, and what is open grows with the trace. But once all branches of a node are over
 * or have split, little more can be said of it: that one of these has an end of its own, which is known without the node
 * (visandor-splits.c), or is cut, which changes nothing. So where many are open, those that are like this are forgotten, the
 * first ones first. */

guint ts_vis_many_tasks = TS_VIS_MANY_TASKS, ts_vis_n_awaiting = TS_VIS_AWAITING;

struct _TsVisOblivion
{
  struct
  {
    guint64  key;
    gint32   number; /* of its first task, which no other node has */
    gboolean is_far;
  } nodes[TS_VIS_AWAITING]; /* some of which may be closed */
  guint64 n;
};

/* Those that come next are in no cache: they were used last when as many others had not been. */
#define SLOTS_AHEAD 8
#define NODES_AHEAD 4

static TS_ALWAYS_INLINE const TsVisSlot *
likely_slot (TsVis *vis, guint i)
{
  const TsVisNodes *nodes = ts_vis_nodes (vis, vis->oblivion->nodes[i].is_far);

  return &nodes->slots[ts_vis_place (nodes, vis->oblivion->nodes[i].key)];
}

static TS_ALWAYS_INLINE void
fetch_next (TsVis *vis, guint64 n)
{
  const guintptr node = (guintptr) likely_slot (vis, (guint) ((n + NODES_AHEAD) % ts_vis_n_awaiting))->node;

  __builtin_prefetch (likely_slot (vis, (guint) ((n + SLOTS_AHEAD) % ts_vis_n_awaiting)));
  /* one that is not there does no harm */
  for (guint i = 0; i < TS_VIS_ROOM; i++)
    __builtin_prefetch ((const void *) (node + i * TS_CACHE_LINE));
}

/* The node that was noted there, if it is still open. */
static TsVisNode *
find (TsVis *vis, guint i)
{
  const TsVisOblivion *oblivion = vis->oblivion;
  const guint64        key = oblivion->nodes[i].key;
  const TsVisSlot     *slot = ts_vis_nodes_find (ts_vis_nodes (vis, oblivion->nodes[i].is_far), key);
  TsVisNode           *node = slot->key == key ? slot->node : NULL;

  return node != NULL && node->is_or && node->tasks[0].number == oblivion->nodes[i].number ? node : NULL;
}

void
ts_vis_await_oblivion (TsVis *vis, const TsVisNode *node)
{
  TsVisOblivion *oblivion = vis->oblivion;
  TsVisNode     *first;
  guint          i;

  if (G_UNLIKELY (oblivion == NULL))
    oblivion = vis->oblivion = g_new0 (TsVisOblivion, 1);
  i = (guint) (oblivion->n % ts_vis_n_awaiting);
  if (oblivion->n >= ts_vis_n_awaiting)
    {
      fetch_next (vis, oblivion->n);
      if ((first = find (vis, i)) != NULL)
        ts_vis_forget_node (vis, first);
    }
  oblivion->nodes[i].key = node->key;
  oblivion->nodes[i].number = node->tasks[0].number;
  oblivion->nodes[i].is_far = node->is_far;
  oblivion->n++;
}
