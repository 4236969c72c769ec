/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/visandor.h"

#define FIRST_SLOTS 64
#define NEAR_AGENTS 4096 /* agents are numbered from 0 on: these are found in an array */

/* Nodes by their ids */

/* Ids are addresses, or count from 0. */
static gsize
slot_of (gsize n_slots, guint64 id)
{
  id ^= id >> 32;
  return (gsize) ((id * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 24) & (n_slots - 1);
}

TsVisNode *
ts_vis_nodes_find (const TsVisNodes *nodes, guint64 id)
{
  if (nodes->n_slots == 0)
    return NULL;
  for (gsize i = slot_of (nodes->n_slots, id);; i = (i + 1) & (nodes->n_slots - 1))
    if (nodes->slots[i] == NULL || nodes->slots[i]->id == id)
      return nodes->slots[i];
}

static void
put (TsVisNodes *nodes, TsVisNode *node)
{
  gsize i = slot_of (nodes->n_slots, node->id);

  while (nodes->slots[i] != NULL)
    i = (i + 1) & (nodes->n_slots - 1);
  nodes->slots[i] = node;
}

void
ts_vis_nodes_insert (TsVisNodes *nodes, TsVisNode *node)
{
  if (2 * (nodes->n_used + 1) > nodes->n_slots)
    {
      TsVisNode **old = nodes->slots;
      gsize       n_old = nodes->n_slots;

      nodes->n_slots = MAX (FIRST_SLOTS, 2 * n_old);
      nodes->slots = g_new0 (TsVisNode *, nodes->n_slots);
      for (gsize i = 0; i < n_old; i++)
        if (old[i] != NULL)
          put (nodes, old[i]);
      g_free (old);
    }
  put (nodes, node);
  nodes->n_used++;
}

/* What stands behind the removed one moves up, where it is closer to its own place. */
void
ts_vis_nodes_remove (TsVisNodes *nodes, TsVisNode *node)
{
  gsize mask = nodes->n_slots - 1;
  gsize hole = slot_of (nodes->n_slots, node->id);

  while (nodes->slots[hole] != node)
    hole = (hole + 1) & mask;
  for (gsize i = (hole + 1) & mask; nodes->slots[i] != NULL; i = (i + 1) & mask)
    {
      gsize home = slot_of (nodes->n_slots, nodes->slots[i]->id);

      if (((i - home) & mask) >= ((i - hole) & mask))
        {
          nodes->slots[hole] = nodes->slots[i];
          hole = i;
        }
    }
  nodes->slots[hole] = NULL;
  nodes->n_used--;
}

/* Ids without nodes */

static guint64 *
place_of (const TsVisIds *ids, guint64 id)
{
  gsize i = slot_of (ids->n_slots, id);

  while (ids->slots[i] != 0 && ids->slots[i] != id)
    i = (i + 1) & (ids->n_slots - 1);
  return &ids->slots[i];
}

gboolean
ts_vis_ids_contain (const TsVisIds *ids, guint64 id)
{
  if (id == 0)
    return ids->has_zero;
  return ids->n_used > 0 && *place_of (ids, id) == id;
}

void
ts_vis_ids_add (TsVisIds *ids, guint64 id)
{
  guint64 *place;

  if (id == 0)
    {
      ids->has_zero = TRUE;
      return;
    }
  if (2 * (ids->n_used + 1) > ids->n_slots)
    {
      guint64 *old = ids->slots;
      gsize    n_old = ids->n_slots;

      ids->n_slots = MAX (FIRST_SLOTS, 2 * n_old);
      ids->slots = g_new0 (guint64, ids->n_slots);
      for (gsize i = 0; i < n_old; i++)
        if (old[i] != 0)
          *place_of (ids, old[i]) = old[i];
      g_free (old);
    }
  place = place_of (ids, id);
  ids->n_used += *place == 0;
  *place = id;
}

/* Agents */

static TsVisAgent *
add_agent (TsVis *vis, gint32 id)
{
  g_autofree char *name = g_strdup_printf ("agent %d", id);
  g_autofree char *text = g_strdup_printf ("%d", id);
  TsVisAgent      *agent;

  if (ts_system_add_resource (vis->import->system, name, text, NULL) == TS_NO_RESOURCE)
    {
      ts_vis_fail (vis, TS_ERROR_RANGE, vis->now_line, "more than %d agents", TS_MAX_RESOURCES);
      return NULL;
    }
  agent = g_new0 (TsVisAgent, 1);
  agent->id = id;
  agent->resource = (guint16) vis->agents->len;
  g_ptr_array_add (vis->agents, agent);
  return agent;
}

static TsVisAgent *
find_far_agent (TsVis *vis, gint32 id)
{
  TsVisAgent *agent = g_hash_table_lookup (vis->far_agents, GINT_TO_POINTER (id));

  if (agent != NULL)
    return agent;
  agent = add_agent (vis, id);
  if (agent != NULL)
    g_hash_table_insert (vis->far_agents, GINT_TO_POINTER (id), agent);
  return agent;
}

TsVisAgent *
ts_vis_find_agent (TsVis *vis, gint32 id)
{
  if (id >= NEAR_AGENTS)
    return find_far_agent (vis, id);
  if ((guint) id >= vis->n_near)
    {
      vis->near_agents = g_renew (TsVisAgent *, vis->near_agents, (gsize) id + 1);
      while (vis->n_near <= (guint) id)
        vis->near_agents[vis->n_near++] = NULL;
    }
  if (vis->near_agents[id] == NULL)
    vis->near_agents[id] = add_agent (vis, id);
  return vis->near_agents[id];
}

/* Elements */

static guint32
add_element (TsVis *vis, TsElementType type, const char *name)
{
  guint32 element = ts_system_add_element (vis->import->system, type, name, NULL, TS_NO_ELEMENT, TS_NO_RESOURCE);

  if (element == TS_NO_ELEMENT)
    ts_vis_fail (vis, TS_ERROR_RANGE, vis->now_line, "more than %d elements: group them by something else",
                 TS_MAX_ELEMENTS);
  return element;
}

/* The element of its own that (type, key) has; @format has one place for @key. */
static guint32
keyed_element (TsVis *vis, TsElementType type, guint64 key, const char *format)
{
  gpointer         found;
  guint32          element;
  g_autofree char *name = NULL;
  GHashTable     **table = &vis->elements[type];

  if (*table == NULL)
    *table = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  found = g_hash_table_lookup (*table, &key);
  if (found != NULL)
    return GPOINTER_TO_UINT (found) - 1;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  name = g_strdup_printf (format, key);
#pragma GCC diagnostic pop
  element = add_element (vis, type, name);
  if (element != TS_NO_ELEMENT)
    g_hash_table_insert (*table, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (element + 1));
  return element;
}

static guint32
kind_element (TsVis *vis, TsElementType type)
{
  guint32 *element = &vis->kind_elements[type];

  if (G_UNLIKELY (*element == TS_NO_ELEMENT))
    *element = add_element (vis, type, ts_element_type_name (type));
  return *element;
}

guint32
ts_vis_element (TsVis *vis, TsElementType type, guint64 node, gint32 field, guint32 depth, gint32 agent)
{
  TsVisGroup group = vis->group;

  if (type == TS_TYPE_ROOT || (type == TS_TYPE_AGENT && group != TS_VIS_BY_AGENT))
    group = TS_VIS_BY_KIND;
  switch (group)
    {
    case TS_VIS_BY_NODE:
      return keyed_element (vis, type, node, "node %" G_GINT64_MODIFIER "X");
    case TS_VIS_BY_FIELD:
      return keyed_element (vis, type, (guint64) field, "task %" G_GUINT64_FORMAT);
    case TS_VIS_BY_AGENT:
      return keyed_element (vis, type, (guint64) agent, "agent %" G_GUINT64_FORMAT);
    case TS_VIS_BY_DEPTH:
      return keyed_element (vis, type, depth, "depth %" G_GUINT64_FORMAT);
    default:
      return kind_element (vis, type);
    }
}

guint32
ts_vis_queue_element (TsVis *vis, TsElementType type)
{
  guint32 *element = &vis->queue_elements[type];

  if (G_UNLIKELY (*element == TS_NO_ELEMENT))
    *element = add_element (vis, type, "not started");
  return *element;
}

gint32
ts_vis_number (TsVis *vis, TsElementType type, guint n)
{
  gint32 *last = &vis->n_instances[type];

  if (*last > G_MAXINT32 - (gint32) n)
    {
      ts_vis_fail (vis, TS_ERROR_RANGE, vis->now_line, "more than %d instances", G_MAXINT32);
      return 0;
    }
  *last += (gint32) n;
  return *last - (gint32) n + 1;
}

gboolean
ts_vis_fail (TsVis *vis, TsError code, guint64 line, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list          arguments;

  if (vis->error != NULL)
    return FALSE;
  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return ts_import_fail (vis->import, &vis->error, code, line, "%s", message);
}
