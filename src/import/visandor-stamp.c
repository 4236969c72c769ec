/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/visandor-run.h"

/* Events with one time stamp. Writers merge what their agents have recorded by stamps, and where these are equal, by the
 * numbers of the agents: a goal may start in the line before its fork, and a branch go on in the line before that in which
 * it is suspended. The events of one agent stand in the order in which they were, those of several agents in any order that
 * makes sense: what makes none as yet waits for what else there is with that stamp (METRICS, rule 14).
 *
 * Where the clock is coarse thousands may wait. So each agent has a queue, and only the first of it is asked whether it makes
 * sense by now, when something has happened to its node. */

#define MOST_WAITING 65536 /* with more, all are taken as they stand */
#define MOST_QUEUES 256    /* and so is what comes on other agents than these */

typedef struct
{
  TsVisRecord record;
  guint       next; /* on that agent, from 1 on; 0: none */
} Waiting;

typedef struct
{
  TsVisAgent *agent;
  guint       first; /* of Waiting, from 1 on */
  gboolean    is_to_ask;
} Queue;

struct _TsVisStamp
{
  GArray *waiting; /* of Waiting: all of this stamp that did */
  GArray *queues;  /* of Queue: of those that still do */
};

static gboolean
fork_fits (TsVis *vis, const TsVisRecord *record, const TsVisAgent *agent)
{
  const TsVisNode *node = ts_vis_find_node (vis, record);

  if (agent->top != NULL && agent->top->status.n_slaves > 0)
    return FALSE;
  return node == NULL || node->is_joined || ts_vis_is_exhausted (node);
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
event_of_task_fits (TsVis *vis, const TsVisRecord *record, const TsVisAgent *agent)
{
  const TsVisCode  code = (TsVisCode) record->code;
  const TsVisTask *task = ts_vis_find_open (vis, record);

  if (task != NULL)
    return ts_vis_fits (task, code, agent);
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
      return event_of_task_fits (vis, record, agent);
    case TS_VIS_START_BUSY:
      return slave_fits (vis, record);
    case TS_VIS_STOP_TIME:
      return FALSE; /* nothing comes behind it */
    default:
      return TRUE;
    }
}

static inline Waiting *
waiting_at (const TsVisStamp *stamp, guint number)
{
  return &g_array_index (stamp->waiting, Waiting, number - 1);
}

static inline Queue *
queue_at (const TsVisStamp *stamp, guint i)
{
  return &g_array_index (stamp->queues, Queue, i);
}

static inline const TsVisRecord *
first_of (const TsVisStamp *stamp, const Queue *queue)
{
  return &waiting_at (stamp, queue->first)->record;
}

/* What is about the node of @record, which is taken, may have waited for that; and forks also for the slaves of their fathers,
 * and for the ends of others in their nodes. */
static void
note_change (TsVisStamp *stamp, const TsVisRecord *record)
{
  for (guint i = 0; i < stamp->queues->len; i++)
    {
      Queue             *queue = queue_at (stamp, i);
      const TsVisRecord *first = first_of (stamp, queue);

      queue->is_to_ask |= first->key == record->key || first->code == TS_VIS_FORK || first->code == TS_VIS_MAKE_PUBLIC;
    }
}

/* Nobody waits for START_TIME any more. */
static void
ask_all (TsVisStamp *stamp)
{
  for (guint i = 0; i < stamp->queues->len; i++)
    queue_at (stamp, i)->is_to_ask = TRUE;
}

/* The first one of a queue, as it stands. */
static gboolean
take_waiting (TsVis *vis, guint i)
{
  TsVisStamp       *stamp = vis->stamp;
  Queue            *queue = queue_at (stamp, i);
  TsVisAgent       *agent = queue->agent;
  const TsVisRecord record = *first_of (stamp, queue);

  queue->first = waiting_at (stamp, queue->first)->next;
  queue->is_to_ask = TRUE;
  if (queue->first == 0)
    {
      agent->last_waiting = 0;
      g_array_remove_index (stamp->queues, i);
    }
  vis->n_waiting--;
  vis->now_line = record.line;
  if (vis->is_stopped)
    {
      ts_vis_note (vis, TS_DIAGNOSTIC_AFTER_STOP_TIME);
      return TRUE;
    }
  note_change (stamp, &record);
  return ts_vis_event (vis, &record, agent);
}

/* Until all that wait do so in vain. */
static gboolean
take_what_fits (TsVis *vis)
{
  guint i = 0;

  while (i < vis->stamp->queues->len)
    {
      Queue         *queue = queue_at (vis->stamp, i);
      const gboolean is_to_ask = queue->is_to_ask;

      queue->is_to_ask = FALSE;
      if (!is_to_ask || !fits (vis, first_of (vis->stamp, queue), queue->agent))
        i++;
      else if (take_waiting (vis, i))
        i = 0; /* which may be what those before it wait for */
      else
        return FALSE;
    }
  return TRUE;
}

/* Which one is taken first where all wait in vain: what nothing can come before any more, and not what waits for an event that
 * may stand behind that one. */
static guint
rank_of (TsVis *vis, const TsVisRecord *record)
{
  switch ((TsVisCode) record->code)
    {
    case TS_VIS_STOP_TIME:
      return 2;
    case TS_VIS_START_GOAL:
    case TS_VIS_START_BRANCH:
    case TS_VIS_CUTTING_BRANCH:
      return ts_vis_find_open (vis, record) == NULL;
    case TS_VIS_RESUME_BRANCH:
    case TS_VIS_START_BUSY:
      return 1;
    default:
      return 0;
    }
}

static gboolean
comes_before (TsVis *vis, const TsVisRecord *record, const TsVisRecord *other)
{
  const guint rank = rank_of (vis, record), other_rank = rank_of (vis, other);

  return rank < other_rank || (rank == other_rank && record->line < other->line);
}

/* All wait in vain: one of those that come next on their agents is taken as it stands. */
static gboolean
take_first (TsVis *vis)
{
  const TsVisStamp *stamp = vis->stamp;
  guint             first = 0;

  if (vis->awaits_start)
    {
      vis->awaits_start = FALSE;
      ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_NO_START_TIME, vis->first_line, NULL);
      ask_all (vis->stamp);
      return take_what_fits (vis);
    }
  for (guint i = 1; i < stamp->queues->len; i++)
    if (comes_before (vis, first_of (stamp, queue_at (stamp, i)), first_of (stamp, queue_at (stamp, first))))
      first = i;
  return take_waiting (vis, first) && take_what_fits (vis);
}

gboolean
ts_vis_leave_stamp (TsVis *vis)
{
  while (vis->n_waiting > 0)
    if (!take_first (vis))
      return FALSE;
  if (vis->stamp != NULL)
    g_array_set_size (vis->stamp->waiting, 0);
  return TRUE;
}

static TsVisStamp *
make_stamp (void)
{
  TsVisStamp *stamp = g_new (TsVisStamp, 1);

  stamp->waiting = g_array_new (FALSE, FALSE, sizeof (Waiting));
  stamp->queues = g_array_new (FALSE, FALSE, sizeof (Queue));
  return stamp;
}

void
ts_vis_stamp_free (TsVisStamp *stamp)
{
  if (stamp == NULL)
    return;
  g_array_unref (stamp->waiting);
  g_array_unref (stamp->queues);
  g_free (stamp);
}

static gboolean
put_waiting (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent)
{
  const Waiting waiting = { *record, 0 };
  TsVisStamp   *stamp;

  if (vis->stamp == NULL)
    vis->stamp = make_stamp ();
  stamp = vis->stamp;
  /* those that waited before may all have been of another stamp */
  if (vis->n_waiting == 0)
    g_array_set_size (stamp->waiting, 0);
  if (stamp->waiting->len >= MOST_WAITING && !ts_vis_leave_stamp (vis))
    return FALSE;
  g_array_append_val (stamp->waiting, waiting);
  if (agent->last_waiting > 0)
    waiting_at (stamp, agent->last_waiting)->next = stamp->waiting->len;
  else
    {
      const Queue queue = { agent, stamp->waiting->len, FALSE };

      g_array_append_val (stamp->queues, queue);
    }
  agent->last_waiting = stamp->waiting->len;
  vis->n_waiting++;
  return TRUE;
}

/* Thousands of queues are too many to look for one of them; but nothing comes behind the end of the trace. */
static gboolean
may_wait (const TsVis *vis, const TsVisRecord *record, const TsVisAgent *agent)
{
  return agent->last_waiting > 0 || record->code == TS_VIS_STOP_TIME || vis->awaits_start || vis->stamp == NULL
         || vis->stamp->queues->len < MOST_QUEUES;
}

gboolean
ts_vis_take_at_stamp (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent)
{
  if (G_UNLIKELY (agent->last_waiting > 0 || !fits (vis, record, agent)) && may_wait (vis, record, agent))
    return put_waiting (vis, record, agent);
  if (!ts_vis_event (vis, record, agent))
    return FALSE;
  if (G_LIKELY (vis->n_waiting == 0))
    return TRUE;
  if (record->code == TS_VIS_START_TIME)
    ask_all (vis->stamp);
  else
    note_change (vis->stamp, record);
  return take_what_fits (vis);
}
