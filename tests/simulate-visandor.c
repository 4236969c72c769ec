/* SPDX-License-Identifier: MIT */

#include "simulate-visandor.h"

#include <string.h>

#include "simulate.h"

enum { FORK = 1, START_GOAL, FINISH_GOAL, JOIN, START_TIME, STOP_TIME,
       AGENT_BUSY, AGENT_IDLE, MAKE_PUBLIC = 20, START_BRANCH, SUCC_BRANCH,
       FAIL_BRANCH, SUSPEND_BRANCH, RESUME_BRANCH, CUTTING_BRANCH,
       START_BUSY = 33, STOP_BUSY };

typedef struct
{
  gint64   ready;        /* it acts next, not before */
  VisTask *task;         /* it runs this */
  VisTask *master;       /* it is a slave in this */
  gint64   slave_since, slave_path;
  guint    slave_number;
} Agent;

typedef struct
{
  const VisProgram *program;
  guint64 random;
  GString *string;
  FILE *file;
  VisTruth *truth;
  Agent *agents;
  gint64 now;            /* of the last line */
  GQueue pending;        /* of VisTask: never started */
  GQueue suspended;
  GQueue free_ids;       /* of node ids, as pointers */
  guint64 n_ids;
  guint n_forked, n_started, n_slaves;
  gboolean forgets;      /* what is over */
} Sim;

static guint
pick (Sim *sim, guint n)
{
  return (guint) sim_random_range (&sim->random, 0, (gint64) n - 1);
}

/* One line, at a time of its own. */
static void
write_line (Sim *sim, gint64 time, guint code, guint64 node, guint field,
            guint agent)
{
  sim->now = MAX (time, sim->now + 1);
  if (sim->truth->is_cut)
    return;

  g_string_append_printf (sim->string, "%8" G_GINT64_FORMAT " %u %"
                          G_GINT64_MODIFIER "X %u %X %u \n", sim->now, code,
                          node, field, agent, agent);
  sim->truth->n_lines++;
  sim->truth->end = sim->now;
  if (sim->file != NULL && sim->string->len > 1 << 16)
    {
      fwrite (sim->string->str, 1, sim->string->len, sim->file);
      g_string_truncate (sim->string, 0);
    }
  if (sim->truth->n_lines == sim->program->max_events)
    sim->truth->is_cut = TRUE;
}

static gint64
some_work (Sim *sim)
{
  return sim_random_range (&sim->random, 1, sim->program->max_work);
}

static gboolean
has_enough (const Sim *sim)
{
  return sim->forgets ? sim->truth->n_lines >= sim->program->min_events
                      : sim->n_forked > sim->program->n_tasks;
}

static void
add_slice (Sim *sim, gint64 since, guint agent)
{
  VisSlice slice = { since, sim->now, (gint) agent };

  if (!sim->forgets)
    g_array_append_val (sim->truth->slices, slice);
}

static void
add_slave_path (Sim *sim, const Agent *agent)
{
  gint64 path = agent->slave_path + sim->now - agent->slave_since;

  if (!sim->forgets)
    g_array_append_val (sim->truth->slave_paths, path);
}

static VisTask *
new_task (Sim *sim, VisTask *father, guint64 node, guint index)
{
  VisTask *task = g_new0 (VisTask, 1);

  task->father = father;
  task->node = node;
  task->index = index;
  task->depth = father != NULL ? father->depth + 1 : 0;
  task->number = ++sim->n_forked;
  task->activation = sim->now;
  task->segments = g_array_new (FALSE, FALSE, sizeof (gint64));
  task->forks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  /* a branch forks once at the most; few tasks would end a program early */
  task->forks_left = (guint) sim_random_range (&sim->random, sim->n_forked < 8,
                                               sim->program->is_or ? 1 : 2);
  if (sim->forgets && sim->program->is_or)
    task->forks_left = sim->n_forked < 8 || pick (sim, 8) > 0;
  if (has_enough (sim) || (sim->program->max_depth > 0 && task->depth > sim->program->max_depth))
    task->forks_left = 0;
  task->remaining = some_work (sim);
  if (!sim->forgets)
    g_ptr_array_add (sim->truth->tasks, task);
  return task;
}

static void
free_task (gpointer data)
{
  VisTask *task = data;

  g_array_unref (task->segments);
  g_ptr_array_unref (task->forks);
  g_free (task);
}

static void
tell (const Sim *sim, const VisTask *instance, VisKind kind)
{
  if (sim->program->on_instance != NULL)
    sim->program->on_instance (instance, kind, sim->program->data);
}

/* A fork is over, and all that came of it. */
static void
forget_children (const Sim *sim, VisTask *father)
{
  if (!sim->forgets)
    return;
  for (guint i = 0; i < father->children->len; i++)
    free_task (g_ptr_array_index (father->children, i));
  g_ptr_array_set_size (father->forks, 0);
  father->children = NULL;
}

static void
begin_slice (Sim *sim, VisTask *task, guint agent)
{
  task->state = VIS_RUNNING;
  task->since = sim->now;
  task->agent = (gint) agent;
  sim->agents[agent].task = task;
  sim->agents[agent].ready = sim->now + task->remaining;
}

static void
end_slice (Sim *sim, VisTask *task)
{
  task->running += sim->now - task->since;
  add_slice (sim, task->since, (guint) task->agent);
  sim->agents[task->agent].task = NULL;
  sim->agents[task->agent].ready = sim->now;
  task->since = sim->now;
}

/* The work since the fork before. */
static void
end_segment (const Sim *sim, VisTask *task)
{
  gint64 segment = task->running - task->finished_path;

  if (!sim->forgets)
    g_array_append_val (task->segments, segment);
  task->finished_path = task->running;
}

/* The work that must be done before a task can be where it is, slices that are open included. */
static gint64
path_of (const Sim *sim, const VisTask *task)
{
  gint64 path = task->running + (task->state == VIS_RUNNING ? sim->now - task->since : 0);

  for (const VisTask *t = task->father; t != NULL; t = t->father)
    path += t->running;
  return path;
}

static void
stop_slaves (Sim *sim, const VisTask *task)
{
  for (guint i = 0; i < sim->program->n_agents; i++)
    {
      Agent *agent = &sim->agents[i];
      VisTask slave;

      if (agent->master != task)
        continue;
      write_line (sim, sim->now, STOP_BUSY, task->node, task->index, i);
      if (sim->truth->is_cut && sim->truth->end != sim->now)
        return;
      add_slice (sim, agent->slave_since, i);
      add_slave_path (sim, agent);
      slave = (VisTask){ .number = agent->slave_number, .place = agent->slave_number, .agent = (gint) i,
                         .start = agent->slave_since, .end = sim->now, .running = sim->now - agent->slave_since };
      tell (sim, &slave, VIS_IS_SLAVE);
      agent->master = NULL;
      agent->ready = sim->now;
    }
}

/* Whether the line that was just written is still in the trace. */
static gboolean
is_written (const Sim *sim)
{
  return sim->truth->end == sim->now;
}

static guint64
take_id (Sim *sim)
{
  if (sim->program->fresh_ids || g_queue_is_empty (&sim->free_ids))
    return sim->n_ids++ * (sim->program->is_or ? 1 : 0x10011);
  return GPOINTER_TO_SIZE (g_queue_pop_head (&sim->free_ids)) - 1;
}

static void
fork_task (Sim *sim, VisTask *task, guint agent)
{
  guint width = 1 + pick (sim, sim->program->max_width);
  guint64 id = take_id (sim);
  gboolean is_or = sim->program->is_or;

  stop_slaves (sim, task);
  write_line (sim, sim->now, is_or ? MAKE_PUBLIC : FORK, id, width, agent);
  if (!is_written (sim))
    return;
  end_slice (sim, task);
  end_segment (sim, task);
  task->forks_left--;
  task->state = is_or ? VIS_SPLIT : VIS_WAITING;
  task->children = g_ptr_array_new ();
  g_ptr_array_add (task->forks, task->children);
  task->n_open = width;
  for (guint i = 0; i < width; i++)
    {
      VisTask *child = new_task (sim, task, id, i);

      g_ptr_array_add (task->children, child);
      g_queue_push_head (&sim->pending, child);
    }
}

static void child_over (Sim *sim, VisTask *task, guint agent);

static void
finish_task (Sim *sim, VisTask *task, guint agent)
{
  guint code = !sim->program->is_or ? FINISH_GOAL
               : pick (sim, 2) == 0 ? SUCC_BRANCH
                                    : FAIL_BRANCH;

  stop_slaves (sim, task);
  write_line (sim, sim->now, code, task->node, task->index, agent);
  if (!is_written (sim))
    return;
  if (task->state == VIS_SPLIT)
    task->waiting += sim->now - task->since;
  else
    {
      end_slice (sim, task);
      end_segment (sim, task);
    }
  task->state = VIS_ENDED;
  task->end = sim->now;
  tell (sim, task, VIS_IS_TASK);
  child_over (sim, task->father, agent);
}

/* A task that @father forked is over; with the last one the father goes on, or is over too. */
static void
child_over (Sim *sim, VisTask *father, guint agent)
{
  guint64 id;
  guint width = father->children->len;

  if (--father->n_open > 0 || sim->truth->is_cut)
    return;
  id = ((VisTask *) g_ptr_array_index (father->children, 0))->node;
  forget_children (sim, father);
  if (!sim->program->fresh_ids)
    g_queue_push_tail (&sim->free_ids, GSIZE_TO_POINTER (id + 1));
  if (!sim->program->is_or)
    {
      write_line (sim, sim->now, JOIN, id, width, agent);
      if (!is_written (sim))
        return;
      father->waiting += sim->now - father->since;
      father->remaining = some_work (sim);
      begin_slice (sim, father, agent);
    }
  else if (father->father == NULL)
    return;
  else if (sim->program->splits_end)
    finish_task (sim, father, (guint) father->agent);
  else
    {
      father->end = father->since;
      tell (sim, father, VIS_IS_TASK);
      child_over (sim, father->father, agent);
    }
}

static void
start_task (Sim *sim, VisTask *task, guint agent)
{
  gboolean is_resumed = task->started;
  guint code = !sim->program->is_or ? START_GOAL
               : is_resumed ? RESUME_BRANCH
                            : START_BRANCH;

  write_line (sim, sim->now, code, task->node, task->index, agent);
  if (!is_written (sim))
    return;
  if (is_resumed)
    {
      task->preempted += sim->now - task->since;
      task->n_preemptions++;
    }
  else
    {
      task->start = sim->now;
      task->place = ++sim->n_started;
    }
  task->started = TRUE;
  begin_slice (sim, task, agent);
}

static void
suspend_task (Sim *sim, VisTask *task, guint agent)
{
  write_line (sim, sim->now, SUSPEND_BRANCH, task->node, task->index, agent);
  if (!is_written (sim))
    return;
  end_slice (sim, task);
  task->state = VIS_SUSPENDED;
  task->remaining = some_work (sim);
  g_queue_push_tail (&sim->suspended, task);
}

static void
cut_task (Sim *sim, VisTask *task, guint agent)
{
  write_line (sim, sim->now, CUTTING_BRANCH, task->node, task->index, agent);
  if (!is_written (sim))
    return;
  task->state = VIS_WITHDRAWN;
  child_over (sim, task->father, agent);
}

static void
help_task (Sim *sim, guint number)
{
  VisTask *task = sim->agents[pick (sim, sim->program->n_agents)].task;
  Agent *agent = &sim->agents[number];

  if (task == NULL || task->father == NULL)
    return;
  write_line (sim, sim->now, START_BUSY, task->node, task->index, number);
  if (!is_written (sim))
    return;
  agent->master = task;
  agent->slave_since = sim->now;
  agent->slave_number = ++sim->n_slaves;
  agent->slave_path = path_of (sim, task);
}

/* What an agent without work does. */
static void
look_for_work (Sim *sim, guint number)
{
  gboolean is_or = sim->program->is_or;

  if (is_or && !g_queue_is_empty (&sim->suspended) && pick (sim, 3) == 0)
    start_task (sim, g_queue_pop_head (&sim->suspended), number);
  else if (is_or && g_queue_get_length (&sim->pending) > 1 && pick (sim, 10) == 0)
    /* the oldest are the largest parts of the tree, and without them it is over early */
    cut_task (sim, sim->forgets ? g_queue_pop_head (&sim->pending) : g_queue_pop_tail (&sim->pending), number);
  else if (!g_queue_is_empty (&sim->pending))
    /* the newest is the agent's own as a rule, the oldest is stolen; but with many of them the tree would be
     * executed in its breadth */
    start_task (sim, (sim->forgets && g_queue_get_length (&sim->pending) > 64) || pick (sim, 2) == 0
                       ? g_queue_pop_head (&sim->pending)
                       : g_queue_pop_tail (&sim->pending), number);
  else if (is_or && !g_queue_is_empty (&sim->suspended))
    start_task (sim, g_queue_pop_head (&sim->suspended), number);
  else if (is_or && pick (sim, 4) == 0)
    help_task (sim, number);
  if (sim->agents[number].ready <= sim->now + 1)
    sim->agents[number].ready = sim->now + 1 + some_work (sim);
}

static void
act (Sim *sim, guint number)
{
  Agent *agent = &sim->agents[number];
  VisTask *task = agent->task;

  sim->now = MAX (sim->now, agent->ready - 1);
  if (agent->master != NULL)
    agent->ready = sim->now + 1 + some_work (sim);
  else if (task == NULL)
    look_for_work (sim, number);
  else if (task->forks_left > 0)
    fork_task (sim, task, number);
  else if (task->father == NULL && sim->forgets && !has_enough (sim))
    {
      task->forks_left = 1;
      fork_task (sim, task, number);
    }
  else if (task->father == NULL)
    agent->ready = G_MAXINT64;
  else if (sim->program->is_or && pick (sim, 5) == 0)
    {
      stop_slaves (sim, task);
      suspend_task (sim, task, number);
    }
  else
    finish_task (sim, task, number);
}

static gboolean
is_over (const Sim *sim)
{
  if (sim->truth->is_cut)
    return TRUE;
  /* the root runs again and has nothing to fork any more, or all branches are over */
  if (!sim->program->is_or)
    return sim->truth->root->state == VIS_RUNNING && sim->truth->root->forks_left == 0
           && sim->agents[sim->truth->root->agent].ready == G_MAXINT64;
  return sim->truth->root->state == VIS_SPLIT && sim->truth->root->n_open == 0;
}

/* Times at the end of the trace: what runs then, ran until then. */
static void
close_truth (Sim *sim)
{
  VisTruth *truth = sim->truth;

  sim->now = truth->end;
  for (guint i = 0; i < sim->program->n_agents; i++)
    {
      Agent *agent = &sim->agents[i];

      if (agent->task != NULL)
        {
          VisTask *task = agent->task;

          end_slice (sim, task);
          end_segment (sim, task);
        }
      if (agent->master != NULL)
        {
          add_slice (sim, agent->slave_since, i);
          add_slave_path (sim, agent);
        }
    }
}

static void
run (Sim *sim)
{
  guint root_agent = pick (sim, sim->program->n_agents);

  g_string_append (sim->string, sim->program->is_or ? "1\n" : "0\n");
  write_line (sim, 1000, START_TIME, 0, 0, root_agent);
  sim->truth->begin = sim->now;
  sim->truth->root = new_task (sim, NULL, 0, 0);
  sim->n_forked = 0;
  sim->truth->root->start = sim->now;
  sim->truth->root->forks_left = sim->program->is_or ? 1 : 1 + sim->program->n_tasks / 1000;
  for (guint i = 0; i < sim->program->n_agents; i++)
    sim->agents[i].ready = sim->now;
  begin_slice (sim, sim->truth->root, root_agent);
  while (!is_over (sim))
    {
      guint next = 0;

      for (guint i = 1; i < sim->program->n_agents; i++)
        if (sim->agents[i].ready < sim->agents[next].ready)
          next = i;
      act (sim, next);
    }
  if (sim->truth->is_cut)
    return;
  write_line (sim, sim->now, STOP_TIME, 0, 0, root_agent);
  if (!sim->program->is_or)
    {
      sim->truth->root->state = VIS_ENDED;
      sim->truth->root->end = sim->now;
    }
}

VisTruth *
vis_simulate (const VisProgram *program, GString *string, FILE *file)
{
  Sim sim = { .program = program, .random = program->seed, .file = file, .forgets = program->min_events > 0 };
  VisTruth *truth = g_new0 (VisTruth, 1);

  sim.string = string != NULL ? string : g_string_new (NULL);
  truth->tasks = g_ptr_array_new_with_free_func (free_task);
  truth->slices = g_array_new (FALSE, FALSE, sizeof (VisSlice));
  truth->slave_paths = g_array_new (FALSE, FALSE, sizeof (gint64));
  sim.truth = truth;
  sim.agents = g_new0 (Agent, program->n_agents);
  run (&sim);
  close_truth (&sim);
  if (sim.forgets)
    {
      tell (&sim, truth->root, VIS_IS_ROOT);
      g_clear_pointer (&truth->root, free_task);
    }
  if (file != NULL)
    fwrite (sim.string->str, 1, sim.string->len, file);
  if (string == NULL)
    g_string_free (sim.string, TRUE);
  g_queue_clear (&sim.pending);
  g_queue_clear (&sim.suspended);
  g_queue_clear (&sim.free_ids);
  g_free (sim.agents);
  return truth;
}

void
vis_truth_free (VisTruth *truth)
{
  g_ptr_array_unref (truth->tasks);
  g_array_unref (truth->slices);
  g_array_unref (truth->slave_paths);
  g_free (truth);
}
