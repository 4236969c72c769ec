/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/visandor-digits.h"

#define FIRST_BITS 6   /* of the number of slots */
#define NEAR_AGENTS 4096 /* agents are numbered from 0 on: these are found in an array */

/* Nodes by their ids */

/* The digits of an id of up to 32 bits, as they are in memory, with the blank behind them if there are less than eight:
 * a line that has them so need not be understood. */
static guint64
text_of (guint64 id)
{
  const guint64 ones = G_GUINT64_CONSTANT (0x0101010101010101);
  guint64       digits = id;
  guint         n_zeros = id != 0 ? (guint) __builtin_clzll (id) / 4 - 8 : 7;

  /* a byte for each, the last digit in the lowest one */
  digits = (digits | digits << 16) & G_GUINT64_CONSTANT (0x0000ffff0000ffff);
  digits = (digits | digits << 8) & G_GUINT64_CONSTANT (0x00ff00ff00ff00ff);
  digits = (digits | digits << 4) & G_GUINT64_CONSTANT (0x0f0f0f0f0f0f0f0f);
  /* beyond 9 a letter */
  digits += '0' * ones + ((digits + 6 * ones) >> 4 & ones) * ('A' - '9' - 1);
  digits = GUINT64_SWAP_LE_BE (digits) >> 8 * n_zeros;
  return n_zeros > 0 ? digits | (guint64) ' ' << 8 * (8 - n_zeros) : digits;
}

guint64
ts_vis_key (guint64 id)
{
  return id >> 32 != 0 ? id | TS_VIS_LONG : text_of (id);
}

guint64
ts_vis_id (guint64 key, gboolean is_far)
{
  guint64 id = key;

  if (!is_far)
    ts_vis_read_key (key, &id);
  return id;
}

TsVisNode *
ts_vis_find_node (TsVis *vis, const TsVisRecord *record)
{
  return ts_vis_nodes_find (ts_vis_nodes (vis, ts_vis_is_far (record->node)), record->key)->node;
}

static void
move (TsVisSlot *to, const TsVisSlot *from)
{
  *to = *from;
  if (to->node != NULL)
    to->node->slot = to;
}

/* Which nodes share a place is foreseen by nobody: so a table is sparse as long as it is not large. */
static gsize
slots_per_node (guint bits)
{
  return bits < 13 ? 16 : bits < 17 ? 8 : 2;
}

static void
init_nodes (TsVisNodes *nodes, guint bits)
{
  const gsize n_slots = (gsize) 1 << bits;

  nodes->shift = 64 - bits;
  nodes->n_usable = n_slots / slots_per_node (bits);
  nodes->slots = g_new0 (TsVisSlot, n_slots);
}

static void
grow (TsVisNodes *nodes)
{
  TsVisNodes old = *nodes;

  init_nodes (nodes, 64 - old.shift + 1);
  for (gsize i = 0; i < ts_vis_n_slots (&old); i++)
    if (old.slots[i].key != 0)
      move (ts_vis_nodes_find (nodes, old.slots[i].key), &old.slots[i]);
  g_free (old.slots);
}

void
ts_vis_nodes_init (TsVis *vis)
{
  init_nodes (&vis->nodes, FIRST_BITS);
  init_nodes (&vis->far_nodes, FIRST_BITS);
}

void
ts_vis_nodes_clear (TsVis *vis)
{
  g_free (vis->nodes.slots);
  g_free (vis->far_nodes.slots);
  g_free (vis->closed);
}

TsVisSlot *
ts_vis_nodes_find_further (const TsVisNodes *nodes, TsVisSlot *slot, guint64 key)
{
  gsize mask = ts_vis_n_slots (nodes) - 1;

  for (gsize i = (gsize) (slot - nodes->slots); slot->key != key && slot->key != 0; slot = &nodes->slots[i])
    i = (i + 1) & mask;
  return slot;
}

static TsVisSlot *
claim_slot (TsVisNodes *nodes, guint64 key, gboolean *is_new)
{
  TsVisSlot *slot;

  if (G_UNLIKELY (nodes->n_used >= nodes->n_usable))
    grow (nodes);
  slot = ts_vis_nodes_find (nodes, key);
  *is_new = slot->key == 0;
  slot->key = key;
  nodes->n_used += *is_new;
  return slot;
}

/* Ids of closed nodes */

/* The place of @key in its hints, and its bits of these. */
static gsize
place_of_hints (guint64 key, guint64 *bits)
{
  const guint64 factor = TS_VIS_FACTOR, one = 1;
  guint64       hash = key * factor;

  hash = (hash ^ hash >> 32) * factor;
  *bits = one << (hash & 63) | one << (hash >> 8 & 63) | one << (hash >> 16 & 63) | one << (hash >> 24 & 63);
  return hash >> 32 & (TS_VIS_HINTS - 1);
}

static void
remember (TsVis *vis, const TsVisNode *node)
{
  const guint64 key = node->key;
  TsVisClosed *closed = vis->closed;
  guint64      bits;
  gsize        place = place_of_hints (key, &bits);

  if (G_UNLIKELY (closed == NULL))
    closed = vis->closed = g_new0 (TsVisClosed, 1);
  closed->n++;
  closed->ids[closed->n].key = key;
  closed->ids[closed->n].before = closed->last[place];
  closed->ids[closed->n].is_far = node->is_far;
  closed->last[place] = closed->n;
  closed->hints[place] |= bits;
}

/* Its number among them; 0: it is not. */
static guint32
find_closed (const TsVisClosed *closed, guint64 key, gboolean is_far)
{
  guint64 bits;
  gsize   place = place_of_hints (key, &bits);
  guint32 i;

  if (G_LIKELY (closed == NULL || (closed->hints[place] & bits) != bits))
    return 0;
  for (i = closed->last[place]; i > 0; i = closed->ids[i].before)
    if (closed->ids[i].key == key && closed->ids[i].is_far == is_far)
      break;
  return i;
}

/* Whether the node @id, none of which is open, is none of those that are remembered either. Ids that count up are no
 * question. */
static gboolean
is_new_id (TsVis *vis, guint64 key, guint64 id)
{
  const gboolean is_highest = id > vis->highest_id;

  if (is_highest)
    vis->highest_id = id;
  return is_highest || find_closed (vis->closed, key, ts_vis_is_far (id)) == 0;
}

TsVisSlot *
ts_vis_claim_slot (TsVis *vis, guint64 key, guint64 id, gboolean *is_new)
{
  TsVisSlot *slot = claim_slot (ts_vis_nodes (vis, ts_vis_is_far (id)), key, is_new);

  *is_new = *is_new && is_new_id (vis, key, id);
  return slot;
}

TsVisSlot *
ts_vis_claim_free_slot (TsVis *vis, TsVisSlot *slot, guint64 key, gboolean *is_new)
{
  TsVisNodes *nodes = &vis->nodes;
  guint64     id;

  if (((key & TS_VIS_LONG) == 0 && (key & 0xff) == '0') || !ts_vis_read_key (key, &id))
    return NULL;
  if (G_UNLIKELY (nodes->n_used >= nodes->n_usable))
    return ts_vis_claim_slot (vis, key, id, is_new);
  slot->key = key;
  nodes->n_used++;
  *is_new = is_new_id (vis, key, id);
  return slot;
}

/* What stands behind the removed one moves up, where it is closer to its own place. */
static void
remove_slot (TsVisNodes *nodes, TsVisSlot *slot)
{
  TsVisSlot *slots = nodes->slots;
  gsize      mask = ts_vis_n_slots (nodes) - 1, hole = (gsize) (slot - slots);

  for (gsize i = (hole + 1) & mask; slots[i].key != 0; i = (i + 1) & mask)
    if (((i - ts_vis_place (nodes, slots[i].key)) & mask) >= ((i - hole) & mask))
      {
        move (&slots[hole], &slots[i]);
        hole = i;
      }
  slots[hole] = (TsVisSlot){ 0, NULL };
  nodes->n_used--;
}

/* Whether an id that was not remembered before is remembered from now on. */
static gboolean
can_remember (TsVis *vis, const TsVisNode *node)
{
  if (vis->n_remembered >= TS_VIS_REMEMBERED)
    return FALSE;
  vis->n_remembered += ts_vis_id (node->key, node->is_far) != 0;
  return TRUE;
}

/* Its id is that of another one by now: if that is closed, the id is remembered as far as it can be. */
static void
close_orphan (TsVis *vis, const TsVisNode *node)
{
  TsVisNode *other = ts_vis_nodes_find (ts_vis_nodes (vis, node->is_far), node->key)->node;

  if (other != NULL && !other->was_closed && can_remember (vis, node))
    other->was_closed = TRUE;
}

void
ts_vis_give_up_slot (TsVis *vis, TsVisNode *node)
{
  if (G_UNLIKELY (node->place == TS_VIS_ORPHAN))
    close_orphan (vis, node);
  else if (node->was_closed)
    node->slot->node = NULL;
  else
    {
      if (can_remember (vis, node))
        remember (vis, node);
      remove_slot (ts_vis_nodes (vis, node->is_far), node->slot);
    }
}

/* Agents */

static void
place_events (TsVisAgent *agent)
{
  const TsEvent event = { .owner = TS_NO_ELEMENT, .resource = agent->resource };

  memcpy (agent->place, (const char *) &event + G_STRUCT_OFFSET (TsEvent, owner), sizeof agent->place);
}

/* One more, the last one. Where there is no room for it all of them move, which they do not often. */
static void
find_runners (TsVis *vis, guint16 last)
{
  TsParallelism *parallelism = vis->parallelism;
  const guint    n_room = parallelism->n_room;

  ts_parallelism_add_agent (parallelism, last);
  for (guint i = parallelism->n_room == n_room ? last : 0; i <= last; i++)
    ts_vis_agent_at (vis, (guint16) i)->runner = &parallelism->agents[i];
}

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
  for (guint i = 0; i <= TS_VIS_DONE; i++)
    agent->plain[i] = (TsVisStatus){ .agent = agent->resource, .state = (guint8) i };
  place_events (agent);
  g_ptr_array_add (vis->agents, agent);
  find_runners (vis, agent->resource);
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
    {
      *element = add_element (vis, type, "not started");
      if (*element != TS_NO_ELEMENT)
        ts_system_make_queue (vis->import->system, *element);
    }
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
  va_list arguments;

  va_start (arguments, format);
  ts_import_fail_valist (vis->import, &vis->error, code, line, format, arguments);
  va_end (arguments);
  return FALSE;
}
