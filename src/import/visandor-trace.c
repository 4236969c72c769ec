/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/visandor-run.h"

/* What an event means, once it is known to be in order of time. */

static void
begin_trace (TsVis *vis)
{
  const TsSection window = { .has_start = TRUE, .start = vis->now };
  gint64          to = G_MAXINT64;

  vis->has_first = vis->awaits_start = TRUE;
  ts_import_begin_section (vis->import, &window);
  vis->from = vis->now;
  ts_import_clip_window (vis->import, &vis->from, &to);
  vis->n_within = to > vis->from ? (guint64) (to - vis->from) : 0;
  ts_parallelism_begin (vis->parallelism, vis->now, vis->from, to);
}

static gboolean
begin_root (TsVis *vis, TsVisAgent *agent)
{
  vis->awaits_start = FALSE;
  vis->root.element = ts_vis_element (vis, TS_TYPE_ROOT, 0, 0, 0, 0);
  if (vis->root.element == TS_NO_ELEMENT)
    return FALSE;
  vis->root.number = ts_vis_number (vis, TS_TYPE_ROOT, 1);
  ts_vis_emit (vis, TS_EVENT_START, vis->root.element, vis->root.number, agent->resource, 0);
  ts_vis_run (vis, &vis->root, agent);
  return TRUE;
}

/* What is open at the end of the trace */

/* With its line beside it, by which thousands are sorted. */
typedef struct
{
  guint64    line;
  TsVisNode *node;
} Open;

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  const Open *left = a, *right = b;

  return left->line < right->line ? -1 : left->line > right->line;
}

static void
add_open (GArray *nodes, TsVisNode *node)
{
  const Open open = { node->line, node };

  g_array_append_val (nodes, open);
}

static GArray *
open_nodes (const TsVis *vis)
{
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (Open));

  for (guint k = 0; k < 2; k++)
    {
      const TsVisNodes *table = k == 0 ? &vis->nodes : &vis->far_nodes;

      for (gsize i = 0; i < ts_vis_n_slots (table); i++)
        if (table->slots[i].node != NULL)
          add_open (nodes, table->slots[i].node);
    }
  for (TsVisNode *node = vis->orphans; node != NULL; node = node->next)
    add_open (nodes, node);
  if (vis->n_strangers > 0)
    {
      GHashTableIter iter;
      gpointer       node;

      g_hash_table_iter_init (&iter, vis->strangers);
      while (g_hash_table_iter_next (&iter, &node, NULL))
        add_open (nodes, node);
    }
  return nodes;
}

static void
end_open_task (TsVis *vis, TsVisTask *task)
{
  TsDiagnostics *diagnostics = vis->import->diagnostics;

  switch ((TsVisState) task->status.state)
    {
    case TS_VIS_PENDING:
      ts_diagnostics_add (diagnostics, TS_DIAGNOSTIC_NEVER_STARTED, task->line, NULL);
      break;
    case TS_VIS_RUNNING:
      if (ts_vis_note_lost (vis, task))
        break;
      G_GNUC_FALLTHROUGH;
    case TS_VIS_WAITING:
      ts_diagnostics_add (diagnostics, TS_DIAGNOSTIC_OPEN_TASK, task->line, NULL);
      break;
    case TS_VIS_SUSPENDED:
      ts_diagnostics_add (diagnostics, TS_DIAGNOSTIC_NOT_RESUMED, task->line, NULL);
      break;
    case TS_VIS_SPLIT:
    case TS_VIS_DONE:
      if (ts_vis_lacks_end (vis, task))
        ts_vis_emit (vis, TS_EVENT_END, task->element, task->number, task->status.agent, TS_EVENT_ENDED_EARLIER);
      break;
    }
}

/* And why that is remarkable. */
static void
end_tasks (TsVis *vis)
{
  g_autoptr (GArray) nodes = open_nodes (vis);

  g_array_sort (nodes, compare_lines);
  for (guint i = 0; i < nodes->len; i++)
    {
      TsVisNode *node = g_array_index (nodes, Open, i).node;

      if (!node->is_or && !node->is_joined)
        ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_OPEN_FORK, node->line, NULL);
      for (guint k = 0; k < node->n_tasks; k++)
        end_open_task (vis, &node->tasks[k]);
    }
}

void
ts_vis_clear (TsVis *vis)
{
  g_autoptr (GArray) nodes = vis->n_large > 0 ? open_nodes (vis) : NULL;

  for (guint i = 0; vis->n_large > 0; i++)
    {
      TsVisNode *node = g_array_index (nodes, Open, i).node;

      if (node->n_tasks >= TS_VIS_SPARE)
        {
          vis->n_large--;
          g_free (node);
        }
    }
  ts_arena_clear (&vis->node_memory);
  ts_vis_nodes_clear (vis);
}

static void
end_root (TsVis *vis)
{
  TsVisTask *root = &vis->root;

  if (root->status.state == TS_VIS_RUNNING && vis->is_stopped)
    ts_vis_emit (vis, TS_EVENT_END, root->element, root->number, root->status.agent, 0);
  ts_vis_halt (vis, root, TS_VIS_DONE);
}

/* The latest one of each agent first: where the ends of thousands are lost, none of them is to be searched for. */
static void
halt_tasks (TsVis *vis)
{
  for (guint i = 0; i < vis->agents->len; i++)
    {
      TsVisAgent *agent = g_ptr_array_index (vis->agents, i);

      while (agent->top != NULL)
        ts_vis_halt (vis, agent->top, TS_VIS_DONE);
    }
}

static void
end_agents (TsVis *vis)
{
  for (guint i = 0; i < vis->agents->len; i++)
    {
      TsVisAgent *agent = g_ptr_array_index (vis->agents, i);

      if (!agent->is_slave)
        continue;
      ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_OPEN_TASK, agent->slave_line, NULL);
      ts_parallelism_halt (vis->parallelism, &agent->thread, agent->resource, vis->now);
    }
}

static void
end_trace (TsVis *vis)
{
  /* the window of load ends with the last event, whatever it is */
  ts_vis_emit_user (vis, TS_NO_RESOURCE);
  end_tasks (vis);
  ts_vis_end_splits (vis);
  end_root (vis);
  halt_tasks (vis);
  end_agents (vis);
  ts_parallelism_end (vis->parallelism, vis->now);
}

/* Slaves (Andorra-I): agents that help to execute a branch */

/* What its branch did until now is what its own work follows. */
static void
follow_branch (TsVis *vis, TsVisAgent *agent, TsVisTask *branch)
{
  branch->status.n_slaves++;
  agent->slave_of = branch->number;
  if (branch->status.state == TS_VIS_RUNNING)
    agent->thread.path += ts_parallelism_within (vis->parallelism, branch->thread.since, vis->now);
}

/* @flags: of the event that ends it. */
static void
leave_branch (TsVis *vis, TsVisAgent *agent, guint flags)
{
  const TsVisRecord record = { .code = TS_VIS_STOP_BUSY, .node = agent->slave_node, .key = agent->slave_key,
                               .field = agent->slave_branch };
  TsVisTask        *branch = ts_vis_find_branch (vis, &record);

  agent->is_slave = FALSE;
  /* its node may have been forked again since then */
  if (branch != NULL && branch->number == agent->slave_of && branch->status.n_slaves > 0)
    branch->status.n_slaves--;
  ts_parallelism_halt (vis->parallelism, &agent->thread, agent->resource, vis->now);
  ts_vis_emit (vis, TS_EVENT_END, agent->slave_element, agent->slave_number, agent->resource, flags);
}

/* Whether @record says what @agent began a moment ago. */
static gboolean
is_repeated (const TsVis *vis, const TsVisRecord *record, const TsVisAgent *agent)
{
  return agent->is_slave && agent->thread.since == vis->now && agent->slave_node == record->node
         && agent->slave_branch == record->field;
}

static gboolean
begin_slave (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent)
{
  TsVisTask *branch = ts_vis_find_branch (vis, record);

  /* what has not started has lost its start */
  if (branch != NULL ? branch->status.state == TS_VIS_DONE : ts_vis_find_node (vis, record) != NULL)
    {
      ts_vis_note (vis, TS_DIAGNOSTIC_UNKNOWN_NODE);
      return TRUE;
    }
  if (!agent->is_slave && !ts_vis_is_free (agent) && agent->top != branch)
    {
      agent->top->status.flags |= TS_VIS_BESIDE_SLAVE;
      ts_vis_displace (vis, agent);
    }
  if (agent->top != NULL || is_repeated (vis, record, agent))
    {
      ts_vis_note (vis, TS_DIAGNOSTIC_SLAVE_ELSEWHERE);
      return TRUE;
    }
  /* it is in one branch at a time, so what it did before is over (rule 8) */
  if (agent->is_slave)
    leave_branch (vis, agent, TS_EVENT_LOST);
  if (branch == NULL)
    ts_vis_note (vis, TS_DIAGNOSTIC_NO_FORK);
  agent->slave_element = ts_vis_element (vis, TS_TYPE_SLAVE, record->node, record->field,
                                         branch != NULL ? branch->node->depth : 1, agent->id);
  agent->slave_number = ts_vis_number (vis, TS_TYPE_SLAVE, 1);
  if (agent->slave_element == TS_NO_ELEMENT || agent->slave_number == 0)
    return FALSE;
  agent->is_slave = TRUE;
  agent->slave_node = record->node;
  agent->slave_key = record->key;
  agent->slave_branch = record->field;
  agent->slave_line = record->line;
  agent->slave_of = 0;
  agent->thread.path = branch != NULL ? branch->thread.path : 0;
  if (branch != NULL && ts_vis_may_have_slaves (branch))
    follow_branch (vis, agent, branch);
  ts_parallelism_run (vis->parallelism, &agent->thread, agent->resource, vis->now);
  ts_vis_emit (vis, TS_EVENT_START, agent->slave_element, agent->slave_number, agent->resource, 0);
  return TRUE;
}

static void
end_slave (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent)
{
  if (!agent->is_slave || agent->slave_node != record->node || agent->slave_branch != record->field)
    {
      ts_vis_note (vis, TS_DIAGNOSTIC_SLAVE_ELSEWHERE);
      return;
    }
  leave_branch (vis, agent, 0);
}

/* Busy and idle, as the agent itself says */

static gboolean
begin_busy (TsVis *vis, TsVisAgent *agent)
{
  if (agent->is_busy && agent->busy_since == vis->now)
    {
      ts_vis_note (vis, TS_DIAGNOSTIC_UNEXPECTED_STATE);
      return TRUE;
    }
  /* it was idle in between (rule 8) */
  if (agent->is_busy)
    ts_vis_emit (vis, TS_EVENT_END, agent->busy_element, agent->busy_number, agent->resource, TS_EVENT_LOST);
  agent->busy_element = ts_vis_element (vis, TS_TYPE_AGENT, 0, 0, 0, agent->id);
  agent->busy_number = ts_vis_number (vis, TS_TYPE_AGENT, 1);
  if (agent->busy_element == TS_NO_ELEMENT || agent->busy_number == 0)
    return FALSE;
  agent->is_busy = TRUE;
  agent->busy_since = vis->now;
  ts_vis_emit (vis, TS_EVENT_START, agent->busy_element, agent->busy_number, agent->resource, 0);
  return TRUE;
}

static void
end_busy (TsVis *vis, TsVisAgent *agent)
{
  if (!agent->is_busy)
    {
      ts_vis_note (vis, TS_DIAGNOSTIC_REDUNDANT_END);
      return;
    }
  agent->is_busy = FALSE;
  ts_vis_emit (vis, TS_EVENT_END, agent->busy_element, agent->busy_number, agent->resource, 0);
}

/* Events */

/* Which traces have a code, as bits: 1 and-parallel ones, 2 or-parallel ones; 0: the format has no such code. */
static guint
traces_with (gint32 code)
{
  static const guint8 traces[TS_VIS_N_CODES] = {
    [TS_VIS_FORK ... TS_VIS_JOIN] = 1,
    [TS_VIS_START_TIME ... TS_VIS_CREATE_AGENT] = 1 | 2,
    [TS_VIS_MAKE_PUBLIC ... TS_VIS_LEAF_CUT] = 2,
    [TS_VIS_START_BUSY ... TS_VIS_STOP_BUSY] = 2,
  };

  return (guint32) code < TS_VIS_N_CODES ? traces[code] : 0;
}

/* Whether the WAM would be the agent's id if it was not read as hexadecimal. */
static gboolean
is_id_in_decimal (guint64 wam, guint agent)
{
  for (; wam > 0 || agent > 0; wam /= 16, agent /= 10)
    if (wam % 16 != agent % 10)
      return FALSE;
  return TRUE;
}

void
ts_vis_take_wam (TsVis *vis, TsVisAgent *agent, guint64 wam)
{
  if (agent->has_wam && agent->wam == wam)
    return;
  if (agent->has_wam)
    ts_vis_note (vis, TS_DIAGNOSTIC_WAM_CHANGED);
  agent->has_wam = TRUE;
  agent->wam = wam;
  agent->wam_high = (guint32) (wam >> 32);
  if (agent->id >= 10 && is_id_in_decimal (wam, (guint) agent->id))
    ts_vis_note (vis, TS_DIAGNOSTIC_WAM_IN_DECIMAL);
}

gboolean
ts_vis_event (TsVis *vis, const TsVisRecord *record, TsVisAgent *agent)
{
  switch ((TsVisCode) record->code)
    {
    case TS_VIS_FORK:
    case TS_VIS_MAKE_PUBLIC:
      return ts_vis_fork (vis, record, agent);
    case TS_VIS_START_GOAL:
    case TS_VIS_START_BRANCH:
      return ts_vis_start (vis, record, agent);
    case TS_VIS_FINISH_GOAL:
    case TS_VIS_SUCC_BRANCH:
    case TS_VIS_FAIL_BRANCH:
      ts_vis_finish (vis, record, agent);
      return TRUE;
    case TS_VIS_JOIN:
      ts_vis_join (vis, record, agent);
      return TRUE;
    case TS_VIS_SUSPEND_BRANCH:
      ts_vis_suspend (vis, record, agent);
      return TRUE;
    case TS_VIS_RESUME_BRANCH:
      ts_vis_resume (vis, record, agent);
      return TRUE;
    case TS_VIS_CUTTING_BRANCH:
      ts_vis_emit_user (vis, agent->resource);
      ts_vis_cut (vis, record, agent);
      return TRUE;
    case TS_VIS_LEAF_CUT:
      ts_vis_count (vis, TS_VIS_LEAF_CUTS);
      vis->n_leaf_cuts++;
      ts_vis_emit_user (vis, agent->resource);
      return TRUE;
    case TS_VIS_START_BUSY:
      return begin_slave (vis, record, agent);
    case TS_VIS_STOP_BUSY:
      end_slave (vis, record, agent);
      return TRUE;
    case TS_VIS_AGENT_BUSY:
      return begin_busy (vis, agent);
    case TS_VIS_AGENT_IDLE:
      end_busy (vis, agent);
      return TRUE;
    case TS_VIS_START_TIME:
      if (vis->awaits_start)
        return begin_root (vis, agent);
      ts_vis_note (vis, TS_DIAGNOSTIC_SECOND_START_TIME);
      return TRUE;
    case TS_VIS_STOP_TIME:
      vis->is_stopped = TRUE;
      end_trace (vis);
      return TRUE;
    case TS_VIS_CREATE_WAM:
    case TS_VIS_CREATE_AGENT:
    case TS_VIS_N_CODES:
      break;
    }
  return TRUE;
}

gboolean
ts_vis_record (TsVis *vis, const TsVisRecord *record)
{
  guint       traces = traces_with (record->code);
  TsVisAgent *agent;

  if (G_UNLIKELY (vis->n_waiting > 0) && record->time != vis->last && !ts_vis_leave_stamp (vis))
    return FALSE;
  vis->now_line = record->line;
  if (G_UNLIKELY (vis->is_stopped))
    {
      ts_vis_note (vis, TS_DIAGNOSTIC_AFTER_STOP_TIME);
      return TRUE;
    }
  if (G_UNLIKELY (traces == 0))
    {
      ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_UNKNOWN_CODE, record->line, "code %d", record->code);
      return TRUE;
    }
  vis->n_taken++;
  if (G_UNLIKELY (record->time > vis->time_limit))
    return ts_vis_fail (vis, TS_ERROR_RANGE, record->line, "the time is beyond 2^61");
  vis->now = record->time * vis->scale;
  if (G_UNLIKELY (!vis->has_first))
    {
      vis->first_line = record->line;
      begin_trace (vis);
    }
  else if (G_UNLIKELY (record->time == vis->last))
    ts_vis_note (vis, TS_DIAGNOSTIC_EQUAL_STAMPS);
  vis->last = record->time;
  if (G_UNLIKELY ((traces & (vis->is_or ? 2U : 1U)) == 0))
    ts_vis_note (vis, TS_DIAGNOSTIC_WRONG_PARALLELISM);

  agent = ts_vis_agent (vis, record->agent);
  if (G_UNLIKELY (agent == NULL))
    return FALSE;
  if (G_UNLIKELY (!agent->has_wam || agent->wam != record->wam))
    {
      ts_vis_take_wam (vis, agent, record->wam);
      ts_vis_forget_wam (agent);
    }
  return ts_vis_take_at_stamp (vis, record, agent);
}

static void
publish (TsVis *vis)
{
  static const TsParallelismCount columns[TS_VIS_N_COUNTS] = {
    [TS_VIS_GOALS] = { "goals", "goals started", 0 },
    [TS_VIS_BRANCHES] = { "branches", "branches started", 0 },
    [TS_VIS_SUCCEEDED] = { "succeeded", "branches that succeeded", 0 },
    [TS_VIS_FAILED] = { "failed", "branches that failed", 0 },
    [TS_VIS_CUT] = { "cut", "branches cut", 0 },
    [TS_VIS_LEAF_CUTS] = { "leaf_cuts", "leaf cuts", 0 },
    [TS_VIS_SUSPENSIONS] = { "suspensions", "suspensions", 0 },
    [TS_VIS_MIGRATIONS] = { "migrations", "migrations", 0 },
  };
  TsParallelismCount counts[TS_VIS_N_COUNTS];
  g_autofree const char **names = g_new0 (const char *, vis->agents->len + 1);
  TsSystem *system = vis->import->system;

  for (guint i = 0; i < TS_VIS_N_COUNTS; i++)
    {
      counts[i] = columns[i];
      counts[i].count = vis->counts[i];
    }
  for (guint i = 0; i < vis->agents->len; i++)
    names[i] = ts_system_get_resource (system, (guint16) i)->name;
  if (vis->import->tables != NULL)
    ts_parallelism_add_tables (vis->parallelism, counts, TS_VIS_N_COUNTS, names, vis->import->tables);
  if (vis->n_cuts > 0)
    ts_system_user_event (system, "CUTTING_BRANCH", "")->count += vis->n_cuts;
  if (vis->n_leaf_cuts > 0)
    ts_system_user_event (system, "LEAF-CUT", "")->count += vis->n_leaf_cuts;
}

gboolean
ts_vis_end (TsVis *vis)
{
  if (!ts_vis_leave_stamp (vis))
    return FALSE;
  if (!vis->is_stopped)
    {
      ts_diagnostics_add (vis->import->diagnostics, TS_DIAGNOSTIC_NO_STOP_TIME, vis->line, NULL);
      if (!vis->has_first)
        return TRUE;
      end_trace (vis);
    }
  publish (vis);
  vis->import->section->n_written = vis->n_taken;
  ts_vis_keep_late_ends (vis);
  ts_vis_keep_lost (vis);
  ts_import_end_section (vis->import);
  return TRUE;
}
