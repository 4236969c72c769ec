/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/visandor-digits.h"
#include "import/visandor-run.h"
#include "model/inline.h"

/* What nearly all usual lines are about: a fork, and a start, an end, a suspension and so on that come as they should. Here
 * is what these change and nothing else. Whatever is odd is left to the general way, as it is, so that all questions come
 * first. Others may run on the agent: where the end of one is lost, it is there for the rest of the trace. What has the
 * same answer in all of a trace is asked once for many lines, and what time it is and where the next event goes stay in
 * registers. */

#define MOST_EVENTS (2 * TS_VIS_USUAL) /* of lines that are taken at a time */

typedef struct
{
  TsVis         *vis;
  TsEvent       *event; /* the place of the next one; there is enough for all lines */
  guint64        line;
  TsParallelWalk parallelism;
  gboolean       knows_late_ends; /* of branches that have split */
} Walk;

/* Element and number of an instance, as they stand in tasks and in events. */
G_STATIC_ASSERT (G_STRUCT_OFFSET (TsVisTask, number) == G_STRUCT_OFFSET (TsVisTask, element) + 4);
G_STATIC_ASSERT (G_STRUCT_OFFSET (TsEvent, instance) == G_STRUCT_OFFSET (TsEvent, element) + 4);

static TS_ALWAYS_INLINE guint64
name_of (guint32 element, guint32 number)
{
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
  return (guint64) number << 32 | element;
#else
  return (guint64) element << 32 | number;
#endif
}

static TS_ALWAYS_INLINE guint64
load_name (const TsVisTask *task)
{
  guint64 name;

  memcpy (&name, (const char *) task + G_STRUCT_OFFSET (TsVisTask, element), sizeof name);
  return name;
}

static TS_ALWAYS_INLINE void
store_name (TsVisTask *task, guint64 name)
{
  memcpy ((char *) task + G_STRUCT_OFFSET (TsVisTask, element), &name, sizeof name);
}

/* In words: to read a word at once that was written in parts takes longer than to wait for memory. */
static TS_ALWAYS_INLINE TsEvent *
put_with (Walk *walk, TsEventKind kind, guint flags, guint64 name, const TsVisAgent *agent)
{
  TsEvent *event = walk->event++;

  event->time = walk->parallelism.now;
  ts_event_place (event, walk->line, ts_event_what (kind, (guint8) (TS_EVENT_UNIQUE | flags)));
  memcpy ((char *) event + G_STRUCT_OFFSET (TsEvent, element), &name, sizeof name);
  memcpy ((char *) event + G_STRUCT_OFFSET (TsEvent, owner), agent->place, sizeof agent->place);
  return event;
}

static TS_ALWAYS_INLINE void
put (Walk *walk, TsEventKind kind, guint64 name, const TsVisAgent *agent)
{
  put_with (walk, kind, 0, name, agent);
}

/* Returns the path of @task. */
static TS_ALWAYS_INLINE gint64
halt (Walk *walk, TsVisTask *task, TsVisAgent *agent, TsVisState state)
{
  agent->top = task->below;
  task->status = agent->plain[state];
  task->line = walk->line;
  return ts_parallelism_walk_halt (walk->vis->parallelism, &walk->parallelism, &task->thread, agent->runner);
}

static TS_ALWAYS_INLINE void
run (Walk *walk, TsVisTask *task, TsVisAgent *agent)
{
  task->status = agent->plain[TS_VIS_RUNNING];
  task->line = walk->line;
  task->below = agent->top;
  agent->top = task;
  ts_parallelism_walk_run (walk->vis->parallelism, &walk->parallelism, &task->thread, agent->runner);
}

/* Sees to it that there is room for all events that may come. */
static TS_ALWAYS_INLINE void
make_room (Walk *walk)
{
  TsImport *import = walk->vis->import;

  if (TS_BATCH_EVENTS - import->n_events < MOST_EVENTS)
    ts_import_flush (import);
  walk->event = ts_import_next (import);
}

/* Tells the others how far it is. */
static TS_ALWAYS_INLINE void
tell (const Walk *walk)
{
  walk->vis->now = walk->parallelism.now;
  walk->vis->now_line = walk->line;
  walk->vis->import->n_events = (guint) (walk->event - walk->vis->import->events);
}

/* All branches of @node are over. */
static TS_ALWAYS_INLINE void
end_node (Walk *walk, TsVisNode *node)
{
  tell (walk);
  ts_vis_end_node (walk->vis, node);
  make_room (walk);
}

/* A branch of @node is over, or has split. */
static TS_ALWAYS_INLINE void
note_over (Walk *walk, TsVisNode *node)
{
  if (G_LIKELY (!ts_vis_is_to_forget (walk->vis, node)))
    return;
  tell (walk);
  ts_vis_await_oblivion (walk->vis, node);
  make_room (walk);
}

/* Events. FALSE: it is for the general way, and nothing was changed. */

static TS_ALWAYS_INLINE gboolean
start (Walk *walk, TsVisNode *node, gsize i, TsVisAgent *agent, gboolean is_or)
{
  TsVisTask *task = &node->tasks[i];
  guint16    distance;
  guint      flags;

  if (G_UNLIKELY (i >= node->n_known || task->status.state != TS_VIS_PENDING || task->status.flags != 0
                  || !ts_vis_is_free (agent)))
    return FALSE;
  walk->vis->counts[is_or ? TS_VIS_BRANCHES : TS_VIS_GOALS]++;
  flags = ts_vis_begin_fork (node, (guint) i, is_or && walk->vis->is_unsure, &distance);
  run (walk, task, agent);
  put_with (walk, TS_EVENT_START, flags, load_name (task), agent)->owner_number = distance;
  return TRUE;
}

static TS_ALWAYS_INLINE gboolean
finish (Walk *walk, TsVisNode *node, gsize i, TsVisAgent *agent, guint code, gboolean is_or)
{
  TsVisTask *task = &node->tasks[i];
  gint64     path;

  if (G_UNLIKELY (i >= node->n_known || !ts_vis_is_plain (task, agent) || node->is_joined
                  || (is_or && walk->vis->doubtful != NULL)))
    return FALSE;
  if (is_or)
    walk->vis->counts[code == TS_VIS_SUCC_BRANCH ? TS_VIS_SUCCEEDED : TS_VIS_FAILED]++;
  path = halt (walk, task, agent, TS_VIS_DONE);
  node->n_done++;
  put (walk, TS_EVENT_END, load_name (task), agent);
  if (!is_or)
    node->longest = MAX (node->longest, path);
  else if (node->n_done == node->n_tasks)
    end_node (walk, node);
  else
    note_over (walk, node);
  return TRUE;
}

static TS_ALWAYS_INLINE gboolean
suspend (Walk *walk, TsVisNode *node, gsize i, TsVisAgent *agent)
{
  TsVisTask *task = &node->tasks[i];

  if (G_UNLIKELY (i >= node->n_known || !ts_vis_is_plain (task, agent) || walk->vis->doubtful != NULL))
    return FALSE;
  walk->vis->counts[TS_VIS_SUSPENSIONS]++;
  halt (walk, task, agent, TS_VIS_SUSPENDED);
  put (walk, TS_EVENT_PREEMPT, load_name (task), agent);
  return TRUE;
}

/* @task was suspended, or its fork is joined. */
static TS_ALWAYS_INLINE void
go_on (Walk *walk, TsVisTask *task, TsVisAgent *agent)
{
  walk->vis->counts[TS_VIS_MIGRATIONS] += task->status.agent != agent->resource;
  run (walk, task, agent);
  put (walk, TS_EVENT_RESUME, load_name (task), agent);
}

static TS_ALWAYS_INLINE gboolean
resume (Walk *walk, TsVisNode *node, gsize i, TsVisAgent *agent)
{
  TsVisTask *task = &node->tasks[i];

  if (G_UNLIKELY (i >= node->n_known || task->status.state != TS_VIS_SUSPENDED || task->status.n_slaves != 0
                  || task->status.flags != 0 || !ts_vis_is_free (agent)))
    return FALSE;
  go_on (walk, task, agent);
  return TRUE;
}

/* Seldom enough to be done as anywhere, but mostly between two that are plain. */
static TS_ALWAYS_INLINE gboolean
cut (Walk *walk, TsVisNode *node, gsize i, const TsVisAgent *agent)
{
  if (G_UNLIKELY (i >= node->n_known || walk->vis->n_strangers > 0))
    return FALSE;
  tell (walk);
  ts_vis_emit_user (walk->vis, agent->resource);
  ts_vis_cut_task (walk->vis, &node->tasks[i], agent);
  make_room (walk);
  return TRUE;
}

static TS_ALWAYS_INLINE gboolean
join (Walk *walk, TsVisNode *node, guint field, TsVisAgent *agent)
{
  TsVis     *vis = walk->vis;
  TsVisTask *father = node->father;

  if (G_UNLIKELY (field != node->n_known || node->n_done != field || field - 1 >= TS_VIS_SPARE - 1 || node->is_joined
                  || father == NULL || father->status.n_slaves != 0 || father->status.flags != 0
                  || !ts_vis_is_free (agent)))
    return FALSE;
  father->fork = NULL;
  father->thread.path = MAX (father->thread.path, node->longest);
  go_on (walk, father, agent);
  if (node->was_closed)
    node->slot->node = NULL;
  else
    ts_vis_give_up_slot (vis, node);
  vis->n_open_tasks -= field;
  node->next = vis->spare[field];
  vis->spare[field] = node;
  return TRUE;
}

static TS_ALWAYS_INLINE void
make_task (const Walk *walk, TsVisNode *node, guint i, guint64 first_name, gint64 path, TsVisStatus status)
{
  TsVisTask *task = &node->tasks[i];

  task->thread.path = path;
  task->thread.since = walk->parallelism.now;
  task->node = node;
  task->fork = NULL;
  task->line = walk->line;
  store_name (task, first_name + i * name_of (0, 1));
  task->status = status;
}

/* All tasks that there is room for are made: nobody foresees whether there are one, two or three. */
static TS_ALWAYS_INLINE void
make_tasks (const Walk *walk, TsVisNode *node, guint64 first_name, gint64 path, const TsVisAgent *agent)
{
  const TsVisStatus status = agent->plain[TS_VIS_PENDING];

#pragma GCC unroll 3
  for (guint i = 0; i < TS_VIS_ROOM; i++)
    make_task (walk, node, i, first_name, path, status);
  for (guint i = TS_VIS_ROOM; G_UNLIKELY (i < node->n_tasks); i++)
    make_task (walk, node, i, first_name, path, status);
}

/* The place of the node of @line, which is none of those that have a table of their own, and is not in its @first place by what
 * is written for it: that may be another text than elsewhere. */
static G_GNUC_NO_INLINE TsVisSlot *
find_slot (TsVis *vis, TsVisSlot *first, const TsVisUsual *line)
{
  const guint64 key = ts_vis_node_of (line->node);

  if (G_LIKELY (key == line->node))
    return ts_vis_nodes_find_further (&vis->nodes, first, key);
  vis->writes_otherwise = TRUE;
  return ts_vis_nodes_find (&vis->nodes, key);
}

/* @slot is where the node that is written as @key was before, or a free one. */
static TS_ALWAYS_INLINE gboolean
fork_tasks (Walk *walk, guint64 key, TsVisSlot *slot, guint n, TsVisAgent *agent, gboolean is_or)
{
  TsVis              *vis = walk->vis;
  TsVisTask          *father = agent->top;
  const TsElementType type = ts_vis_type (is_or);
  const guint64       name = name_of (vis->kind_elements[type], (guint32) vis->n_instances[type] + 1);
  TsVisNode          *node;
  gboolean            was_closed, is_new;
  gint64              path;

  if (G_UNLIKELY (slot->node != NULL || n - 1 >= TS_VIS_SPARE - 1
                  || (node = vis->spare[n]) == NULL || father == NULL || !ts_vis_is_plain (father, agent)
                  || (is_or && father->node != NULL && !father->node->is_or)
                  || vis->n_open_tasks + n > TS_VIS_MAX_OPEN_TASKS || vis->n_strangers > 0
                  || vis->n_instances[type] > G_MAXINT32 - TS_VIS_SPARE
                  || ts_vis_is_withdrawn (vis, is_or, vis->n_instances[type] + 1)))
    return FALSE;
  if (G_UNLIKELY (slot->key != key))
    key = ts_vis_node_of (key);
  was_closed = slot->key == key;
  if (G_UNLIKELY (!was_closed))
    {
      slot = ts_vis_claim_free_slot (vis, slot, key, &is_new);
      if (slot == NULL)
        return FALSE;
      was_closed = !is_new;
    }
  if (was_closed)
    {
      vis->now_line = walk->line;
      ts_vis_note (vis, TS_DIAGNOSTIC_REUSED_NODE);
    }
  vis->spare[n] = node->next;
  vis->n_open_tasks += n;
  vis->n_instances[type] += (gint32) n;
  slot->node = node;
  path = halt (walk, father, agent, is_or ? TS_VIS_SPLIT : TS_VIS_WAITING);
  father->fork = node;
  *node = (TsVisNode){ .slot = slot,
                       .key = key,
                       .line = walk->line,
                       .father = father,
                       .n_tasks = n,
                       .n_known = n,
                       .depth = ts_vis_depth_below (father),
                       .is_or = (guint8) is_or,
                       .was_closed = (guint8) was_closed };
  make_tasks (walk, node, name, path, agent);
  put_with (walk, TS_EVENT_FORK, is_or && vis->is_unsure ? TS_EVENT_UNSURE : 0, name, agent)->owner_number
      = (guint16) (n - 1);
  put (walk, is_or && (!walk->knows_late_ends || ts_vis_ends_at_split (vis, father)) ? TS_EVENT_END : TS_EVENT_WAIT,
       load_name (father), agent);
  if (is_or && father->node != NULL)
    {
      father->node->n_split++;
      note_over (walk, father->node);
    }
  return TRUE;
}

/* Of an agent that was busy before: what it is then is known. */
static TS_ALWAYS_INLINE gboolean
become_busy (Walk *walk, TsVisAgent *agent)
{
  gint32 *last = &walk->vis->n_instances[TS_TYPE_AGENT];

  if (G_UNLIKELY (agent->is_busy || agent->busy_number == 0 || *last == G_MAXINT32))
    return FALSE;
  agent->is_busy = TRUE;
  agent->busy_since = walk->parallelism.now;
  agent->busy_number = ++*last;
  put (walk, TS_EVENT_START, name_of (agent->busy_element, (guint32) agent->busy_number), agent);
  return TRUE;
}

static TS_ALWAYS_INLINE gboolean
become_idle (Walk *walk, TsVisAgent *agent)
{
  if (G_UNLIKELY (!agent->is_busy))
    return FALSE;
  agent->is_busy = FALSE;
  put (walk, TS_EVENT_END, name_of (agent->busy_element, (guint32) agent->busy_number), agent);
  return TRUE;
}

/* An event of no goal or branch, or of a node that has TS_VIS_IS_FAR, which is not taken. */
static TS_ALWAYS_INLINE gboolean
take_agent (Walk *walk, const TsVisUsual *line)
{
  if (G_UNLIKELY (!ts_vis_line_has_node (line)))
    return FALSE;
  if (line->event.action == TS_VIS_TAKE_BUSY)
    return become_busy (walk, line->agent);
  return line->event.action == TS_VIS_TAKE_IDLE && become_idle (walk, line->agent);
}

/* Questions in pairs, of which a compiler makes no table of jumps: a processor foresees those less well. */
static TS_ALWAYS_INLINE gboolean
take (Walk *walk, const TsVisUsual *line, gboolean is_or)
{
  const guint64 key = line->node;
  TsVisSlot  *slot = &walk->vis->nodes.slots[ts_vis_place (&walk->vis->nodes, key)];
  TsVisAgent *agent = line->agent;
  const gsize field = line->field;
  TsVisNode  *node;

  if (G_UNLIKELY (line->event.action >= TS_VIS_TAKE_BUSY))
    return take_agent (walk, line);
  if (is_or && line->event.action == TS_VIS_TAKE_FORK)
    {
      /* asked apart: where each node has an id of its own, it is none of this one's */
      if (G_UNLIKELY (slot->key != key))
        slot = find_slot (walk->vis, slot, line);
      return fork_tasks (walk, key, slot, line->field, agent, is_or);
    }
  if (G_UNLIKELY (slot->key != key))
    slot = find_slot (walk->vis, slot, line);
  if (!is_or && line->event.action == TS_VIS_TAKE_FORK)
    return fork_tasks (walk, key, slot, line->field, agent, is_or);
  node = slot->node;
  if (G_UNLIKELY (node == NULL))
    return FALSE;
  if (line->event.action <= TS_VIS_TAKE_FINISH)
    return line->event.action == TS_VIS_TAKE_START ? start (walk, node, field, agent, is_or)
                                                   : finish (walk, node, field, agent, line->event.code, is_or);
  if (!is_or)
    return line->event.action == TS_VIS_TAKE_JOIN && join (walk, node, line->field, agent);
  if (line->event.action >= TS_VIS_TAKE_CUT)
    return line->event.action == TS_VIS_TAKE_CUT && cut (walk, node, field, agent);
  return line->event.action == TS_VIS_TAKE_SUSPEND ? suspend (walk, node, field, agent)
                                                   : resume (walk, node, field, agent);
}

static TS_ALWAYS_INLINE guint
take_all (TsVis *vis, const TsVisUsual *lines, guint n, gboolean is_or)
{
  const gint64      scale = vis->scale;
  const TsVisUsual *line = lines, *end = lines + n;
  Walk              walk = { .vis = vis, .line = vis->line + 1 };

  walk.knows_late_ends = vis->knows_late_ends;
  make_room (&walk);
  ts_parallelism_account (vis->parallelism, vis->now);
  walk.parallelism = ts_parallelism_enter (vis->parallelism);
  for (; line < end; line++)
    {
      ts_parallelism_walk_to (&walk.parallelism, line->time * scale);
      if (G_UNLIKELY (!take (&walk, line, is_or)))
        break;
      if (G_UNLIKELY (line->time == line[-1].time))
        {
          vis->now_line = walk.line;
          ts_vis_note (vis, TS_DIAGNOSTIC_EQUAL_STAMPS);
        }
      walk.line++;
    }
  /* maybe up to a line that was not taken, which changes nothing */
  ts_parallelism_leave (vis->parallelism, &walk.parallelism);
  if (line == lines)
    return 0;
  vis->last = line[-1].time;
  walk.parallelism.now = vis->last * scale;
  walk.line--;
  tell (&walk);
  return (guint) (line - lines);
}

gboolean
ts_vis_is_plain_trace (const TsVis *vis)
{
  return vis->group == TS_VIS_BY_KIND && vis->kind_elements[ts_vis_type (vis->is_or)] != TS_NO_ELEMENT
         && !vis->parallelism->is_cut;
}

guint
ts_vis_take_plain (TsVis *vis, const TsVisUsual *lines, guint n)
{
  /* a copy for each kind, in which nobody asks for it */
  return vis->is_or ? take_all (vis, lines, n, TRUE) : take_all (vis, lines, n, FALSE);
}
