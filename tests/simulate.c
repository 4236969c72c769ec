/* SPDX-License-Identifier: MIT */

#include "simulate.h"

#include <string.h>

#define MAX_DEPTH 12     /* task, runnable, functions */
#define MAX_RECURSION 4
#define CORE_BIT(core) (G_GUINT64_CONSTANT (1) << (core))

/* What an open instance does next. */
typedef enum { DO_PLAN, DO_CALL, DO_WAIT, DO_END } Action;

/* States of a job; below these two they are SimIntervalKind. */
enum { JOB_RUNNING = SIM_N_INTERVALS, JOB_NONE };

typedef struct
{
  gint64 running;
  gint64 off[SIM_N_INTERVALS];
  guint64 n_off[SIM_N_INTERVALS];
} Sums;

/* An open instance.  The first frame of a job is the task or ISR itself. */
typedef struct
{
  SimInstance truth;     /* number 0: the section has no event of it yet */
  Sums before;           /* the job's when this instance started */
  gint64 callees;        /* running time of direct callees */
  gint64 budget;         /* of running time, not planned yet */
  gint64 left;           /* to run before the action */
  Action action;
  guint next_child, child;
  gint64 child_budget;
} Frame;

typedef struct
{
  gint state;
  guint depth;           /* open frames */
  guint first, n_queued;
  guint n_stale;         /* of these were activated before the recording */
  gint64 since;          /* when the state began */
  gint64 nominal;        /* next activation, without jitter */
  guint64 *random, own_random;
  Sums sums;
  SimInstance queue[SIM_MAX_QUEUE];
  Frame frames[MAX_DEPTH];
} Job;

typedef struct
{
  const SimSystem *system;
  const SimConfig *config;
  const SimCallbacks *callbacks;
  gpointer user_data;
  guint64 random;
  gint64 now;
  gboolean recording;
  guint64 dirty;         /* a bit for each core that is to be dispatched */
  SimSection section;
  Job *jobs;
  gint *running;         /* by core: job or -1 */
  gint64 *finish;        /* by core: when that comes to its action */
  gint64 *alarms;        /* by job: activation; then by job: release */
  guint64 *instances;    /* by element: the next instance */
  SimCounts *counts;
  gint64 *busy;          /* by core; then by core: of idle tasks */
} Sim;

static Frame *
top_frame (Sim *sim, guint task)
{
  return &sim->jobs[task].frames[sim->jobs[task].depth - 1];
}

static void
emit (Sim *sim, SimKind kind, const SimInstance *truth)
{
  SimCounts *counts = &sim->counts[truth->element];
  SimEvent event = { sim->now, kind, truth->element, truth->core,
                     truth->instance, truth->owner, truth->owner_instance };

  counts->activations += kind <= SIM_ACTIVATION_CHAINED;
  counts->pending += kind <= SIM_ACTIVATION_CHAINED;
  counts->failed += kind == SIM_ACTIVATION_FAILED;
  counts->starts += kind == SIM_START;
  counts->ends += kind == SIM_END;
  sim->section.n_events++;
  if (sim->callbacks->event != NULL)
    sim->callbacks->event (sim->system, &event, sim->user_data);
}

static void
emit_frame (Sim *sim, SimKind kind, guint task, guint i)
{
  Frame *frames = sim->jobs[task].frames;
  SimInstance *truth = &frames[i].truth;

  if (!sim->recording ||
      ((kind == SIM_PREEMPT || kind == SIM_RESUME) &&
       (sim->config->no_preempt_events ||
        (i > 0 && !sim->config->runnable_preempts))))
    return;

  if (truth->number == 0)
    {
      truth->number = ++sim->counts[truth->element].instances;
      truth->owner_seen = i > 0 && frames[0].truth.number > 0;
    }
  emit (sim, kind, truth);
}

/* Whether the trace shows the intervals in which this instance did not run.
 * A head shows itself by its own preempt, so it must have such events. */
static gboolean
has_intervals (Sim *sim, const Frame *frame)
{
  if ((frame->truth.status & SIM_HEAD) == 0)
    return TRUE;

  return !sim->config->no_preempt_events &&
         (frame->truth.owner < 0 || sim->config->runnable_preempts);
}

static void
set_state (Sim *sim, guint task, gint state)
{
  Job *job = &sim->jobs[task];

  if (job->state == JOB_RUNNING)
    job->sums.running += sim->now - MAX (job->since, sim->section.start);
  else if (job->state < SIM_N_INTERVALS && job->since >= sim->section.start)
    {
      job->sums.off[job->state] += sim->now - job->since;
      job->sums.n_off[job->state]++;
      for (guint i = 0; i < job->depth; i++)
        {
          const SimInstance *truth = &job->frames[i].truth;
          SimInterval interval = { (SimIntervalKind) job->state,
                                   truth->element, sim->section.index,
                                   truth->number, job->since, sim->now };

          if (sim->callbacks->interval != NULL && truth->number > 0 &&
              has_intervals (sim, &job->frames[i]))
            sim->callbacks->interval (sim->system, &interval, sim->user_data);
        }
    }

  job->state = state;
  job->since = sim->now;
}

/* A job leaves its core or comes back: callees leave before their callers,
 * and come back after them. */
static void
move_job (Sim *sim, guint task, SimKind kind, gint state)
{
  for (guint i = 0; i < sim->jobs[task].depth && kind == SIM_RESUME; i++)
    emit_frame (sim, kind, task, i);
  for (guint i = sim->jobs[task].depth; i-- > 0 && kind != SIM_RESUME;)
    emit_frame (sim, i > 0 ? SIM_PREEMPT : kind, task, i);
  set_state (sim, task, state);
}

/* The innermost open instance of a job ends, or is cut. */
static void
close_frame (Sim *sim, guint task, SimStatus status)
{
  Job *job = &sim->jobs[task];
  const Frame *frame = &job->frames[--job->depth];
  SimInstance truth = frame->truth;

  truth.status |= status;
  truth.end = sim->now;
  truth.running = job->sums.running - frame->before.running;
  truth.self = truth.running - frame->callees;
  truth.owner_number = job->depth > 0 ? job->frames[0].truth.number : 0;
  for (guint i = 0; i < SIM_N_INTERVALS && has_intervals (sim, frame); i++)
    {
      truth.off[i] = job->sums.off[i] - frame->before.off[i];
      truth.n_off[i] = job->sums.n_off[i] - frame->before.n_off[i];
    }

  if (job->depth > 0)
    job->frames[job->depth - 1].callees += truth.running;
  if (!sim->recording || truth.number == 0)
    return;

  if (truth.owner < 0)
    sim->busy[truth.core + (sim->system->elements[truth.element].idle ?
                            sim->system->n_cores : 0)] += truth.running;
  if (sim->callbacks->instance != NULL)
    sim->callbacks->instance (sim->system, &truth, sim->user_data);
}

/* Decides what the running job does next, and when. */
static void
plan (Sim *sim, guint task)
{
  const SimConfig *config = sim->config;
  Job *job = &sim->jobs[task];
  Frame *frame = top_frame (sim, task);
  const SimElement *element = &sim->system->elements[frame->truth.element];
  guint n = element->children->len;

  frame->action = DO_END;
  frame->left = frame->budget;
  if (sim->system->elements[task].type == SIM_TASK && !element->idle &&
      sim_random_chance (job->random, config->wait))
    {
      frame->action = DO_WAIT;
      frame->left = sim_random_range (job->random, 0, frame->budget / 2);
    }

  while (frame->action == DO_END && frame->next_child < n &&
         job->depth < MAX_DEPTH)
    {
      gint64 share = frame->budget / (n - frame->next_child);
      guint depth = 0;

      frame->child = g_array_index (element->children, guint,
                                    frame->next_child++);
      for (guint i = 1; i < job->depth; i++)
        depth += job->frames[i].truth.element == frame->child;
      if (depth >= MAX_RECURSION || (share == 0 && config->zero == 0) ||
          sim_random_chance (job->random, n > 1 || depth > 0 ? 250 : 50))
        continue;

      frame->action = DO_CALL;
      frame->child_budget = 0;
      if (!sim_random_chance (job->random, config->zero))
        frame->child_budget = sim_random_range (job->random, share / 4,
                                                share - share / 4);
      frame->left = sim_random_range (job->random, 0,
                                      share - frame->child_budget);
      frame->budget -= frame->child_budget;
    }

  frame->budget -= frame->left;
  sim->finish[element->core] = sim->now + frame->left;
}

static void
open_frame (Sim *sim, guint task, const SimInstance *truth, gint64 budget)
{
  Job *job = &sim->jobs[task];
  Frame *frame = &job->frames[job->depth];

  memset (frame, 0, sizeof *frame);
  frame->truth = *truth;
  frame->truth.section = sim->section.index;
  frame->truth.start = sim->now;
  frame->budget = budget;
  frame->before = job->sums;
  emit_frame (sim, SIM_START, task, job->depth++);
  plan (sim, task);
}

/* The most urgent; among equals first one that has started already. */
static gint
pick (Sim *sim, guint core, gboolean only_started)
{
  const SimSystem *system = sim->system;
  gint best = -1;

  for (guint i = system->first[core]; i < system->first[core + 1]; i++)
    {
      guint task = system->order[i];
      const Job *job = &sim->jobs[task];

      if (best >= 0 &&
          system->elements[task].priority < system->elements[best].priority)
        break;
      if (job->state == JOB_RUNNING)
        return (gint) task;
      if (job->state == SIM_WAITING ||
          (job->state == JOB_NONE && (only_started || job->n_queued == 0)))
        continue;
      if (best < 0 || (sim->jobs[best].state == JOB_NONE &&
                       job->state != JOB_NONE))
        best = (gint) task;
    }
  return best;
}

static void
begin (Sim *sim, guint task)
{
  const SimElement *element = &sim->system->elements[task];
  Job *job = &sim->jobs[task];
  const SimInstance *truth = &job->queue[job->first];
  gint64 budget;

  sim->running[element->core] = (gint) task;
  if (job->state != JOB_NONE)
    {
      move_job (sim, task, SIM_RESUME, JOB_RUNNING);
      sim->finish[element->core] = sim->now + top_frame (sim, task)->left;
      return;
    }

  job->first = (job->first + 1) % SIM_MAX_QUEUE;
  job->n_queued--;
  job->n_stale -= job->n_stale > 0;
  sim->counts[task].pending -= truth->has_activation;
  memset (&job->sums, 0, sizeof job->sums);
  set_state (sim, task, JOB_RUNNING);

  job->own_random = sim->config->seed ^ (truth->instance << 16) ^ task;
  job->random = sim->config->separate ? &job->own_random : &sim->random;
  budget = sim_random_range (job->random, element->cet_min, element->cet_max);
  if (!element->idle && sim_random_chance (job->random, sim->config->zero))
    budget = 0;
  if (!element->idle && sim_random_chance (job->random, sim->config->overrun))
    budget = element->cet_max * sim_random_range (job->random, 2, 6);
  /* after all that is drawn, so that nothing else changes */
  open_frame (sim, task, truth, budget + budget * element->slow / 1000);
}

static void
dispatch (Sim *sim, guint core)
{
  gint old = sim->running[core], next = pick (sim, core, FALSE);
  gboolean late;

  if (next < 0 || next == old)
    return;

  late = sim->config->alternative_order && sim->jobs[next].state == JOB_NONE &&
         sim->system->elements[next].type == SIM_ISR;
  if (old >= 0)
    top_frame (sim, (guint) old)->left = sim->finish[core] - sim->now;
  if (old >= 0 && !late)
    move_job (sim, (guint) old, SIM_PREEMPT, SIM_PREEMPTED);
  begin (sim, (guint) next);
  if (old >= 0 && late)
    move_job (sim, (guint) old, SIM_PREEMPT, SIM_PREEMPTED);
}

static void
activate (Sim *sim, guint task, gint by, guint64 by_instance)
{
  const SimElement *element = &sim->system->elements[task];
  Job *job = &sim->jobs[task];
  gboolean recorded = sim->recording && element->has_activation;
  gboolean fails = job->n_queued >= element->queue_limit;
  SimInstance truth = { .element = task, .core = element->core,
                        .instance = sim->instances[task],
                        .has_activation = recorded,
                        .activation_kind = element->activation_kind,
                        .activation = sim->now,
                        .owner = by, .owner_instance = by_instance };

  /* An activation from before the recording still pends.  A reader, which
     cannot know, would take this one for it: so it does not happen. */
  if (recorded && job->n_stale > 0)
    return;

  sim->instances[task]++;
  sim->dirty |= CORE_BIT (element->core);
  if (recorded)
    emit (sim, fails ? SIM_ACTIVATION_FAILED : truth.activation_kind, &truth);
  truth.owner = -1;
  truth.owner_instance = 0;
  if (!fails)
    job->queue[(job->first + job->n_queued++) % SIM_MAX_QUEUE] = truth;
}

/* Where preemption is inferred, an end resumes the one below for some time,
 * be it none: the reader cannot know better. */
static void
end_job (Sim *sim, guint task)
{
  const SimElement *element = &sim->system->elements[task];
  guint64 instance = sim->jobs[task].frames[0].truth.instance;
  gboolean inferred = sim->config->no_preempt_events;

  sim->running[element->core] = -1;
  sim->dirty |= CORE_BIT (element->core);
  set_state (sim, task, JOB_NONE);
  if (inferred || (sim->config->alternative_order && element->type == SIM_ISR))
    {
      gint next = pick (sim, element->core, inferred);

      if (next >= 0 && sim->jobs[next].state != JOB_NONE)
        begin (sim, (guint) next);
    }
  emit_frame (sim, SIM_END, task, 0);
  close_frame (sim, task, SIM_COMPLETE);
  if (element->chain >= 0)
    activate (sim, (guint) element->chain, (gint) task, instance);
}

/* A running job comes to its action. */
static void
act (Sim *sim, guint task)
{
  guint core = sim->system->elements[task].core;
  Job *job = &sim->jobs[task];
  Frame *frame = top_frame (sim, task);
  Action action = frame->action;

  set_state (sim, task, JOB_RUNNING);
  frame->action = DO_PLAN;
  frame->left = 0;
  if (action == DO_CALL)
    {
      SimInstance call = { .element = frame->child, .core = core,
                           .instance = sim->instances[frame->child]++,
                           .owner = (gint) task,
                           .owner_instance = job->frames[0].truth.instance };

      open_frame (sim, task, &call, frame->child_budget);
    }
  else if (action == DO_WAIT)
    {
      move_job (sim, task, SIM_WAIT, SIM_WAITING);
      sim->running[core] = -1;
      sim->dirty |= CORE_BIT (core);
      sim->alarms[sim->system->n_jobs + task] = sim->now +
        sim_random_range (&sim->random, 1, sim->config->base_period);
    }
  else if (action == DO_END && job->depth == 1)
    end_job (sim, task);
  else
    {
      if (action == DO_END)
        {
          emit_frame (sim, SIM_END, task, job->depth - 1);
          close_frame (sim, task, SIM_COMPLETE);
        }
      plan (sim, task);
    }
}

static void
ring (Sim *sim, guint alarm)
{
  guint task = alarm % sim->system->n_jobs;
  const SimElement *element = &sim->system->elements[task];

  if (alarm != task)
    {
      sim->alarms[alarm] = G_MAXINT64;
      emit_frame (sim, SIM_RELEASE, task, 0);
      set_state (sim, task, SIM_RELEASED);
      sim->dirty |= CORE_BIT (element->core);
      return;
    }

  activate (sim, task, -1, 0);
  sim->alarms[alarm] = G_MAXINT64;
  if (element->sporadic)
    sim->alarms[alarm] = sim->now + element->interval / 2 + 1 +
      sim_random_range (&sim->random, 0, element->interval);
  else if (element->interval > 0)
    sim->alarms[alarm] = (sim->jobs[task].nominal += element->interval) +
      sim_random_range (&sim->random, 0,
                        element->interval * sim->config->jitter / 1000);
}

static void
begin_section (Sim *sim)
{
  const SimSystem *system = sim->system;

  sim->recording = TRUE;
  sim->section.n_events = 0;
  memset (sim->counts, 0, sizeof *sim->counts * system->n_elements);
  memset (sim->busy, 0, sizeof *sim->busy * system->n_cores * 2);

  for (guint task = 0; task < system->n_jobs; task++)
    {
      Job *job = &sim->jobs[task];

      memset (&job->sums, 0, sizeof job->sums);
      for (guint i = 0; i < SIM_MAX_QUEUE; i++)
        job->queue[i].has_activation = FALSE;
      if (system->elements[task].has_activation)
        job->n_stale = job->n_queued;
      for (guint i = 0; i < job->depth; i++)
        {
          Frame *frame = &job->frames[i];

          frame->truth.status = SIM_HEAD;
          frame->truth.section = sim->section.index;
          frame->truth.number = 0;
          frame->truth.has_activation = FALSE;
          frame->callees = 0;
          frame->before = job->sums;
        }
    }

  if (sim->callbacks->section_begin != NULL)
    sim->callbacks->section_begin (system, &sim->section, sim->user_data);
}

static void
end_section (Sim *sim)
{
  for (guint task = 0; task < sim->system->n_jobs; task++)
    {
      Job *job = &sim->jobs[task];
      guint depth = job->depth;

      if (job->state == JOB_RUNNING)
        set_state (sim, task, JOB_RUNNING);
      while (job->depth > 0)
        close_frame (sim, task, SIM_TAIL);
      job->depth = depth;
    }
  sim->recording = FALSE;
  if (sim->callbacks->section_end != NULL)
    sim->callbacks->section_end (sim->system, &sim->section, sim->user_data);
}

/* One thing that happens at one time; FALSE when all sections are over. */
static gboolean
step (Sim *sim)
{
  SimSection *section = &sim->section;
  guint core = 0, alarm = 0;
  gint64 finish = G_MAXINT64;
  gboolean rings, stir = sim->config->zero > 0 &&
                         sim_random_chance (&sim->random, 300);

  for (guint i = 0; i < sim->system->n_cores; i++)
    if (sim->running[i] >= 0 && sim->finish[i] < finish)
      finish = sim->finish[core = i];
  for (guint i = 1; i < sim->system->n_jobs * 2; i++)
    if (sim->alarms[i] < sim->alarms[alarm])
      alarm = i;
  rings = sim->alarms[alarm] < finish ||
          (sim->alarms[alarm] == finish && stir);

  /* Activations at one time usually come before anyone is dispatched. */
  if (sim->dirty != 0 && (stir || !rings || sim->alarms[alarm] != sim->now))
    {
      for (guint i = 0; i < sim->system->n_cores; i++)
        if (sim->dirty & CORE_BIT (i))
          dispatch (sim, i);
      sim->dirty = 0;
      return TRUE;
    }

  sim->now = rings ? sim->alarms[alarm] : finish;
  if (!sim->recording && sim->now >= section->start)
    {
      sim->now = section->start;
      begin_section (sim);
    }
  else if (sim->recording && sim->now > section->stop)
    {
      sim->now = section->stop;
      end_section (sim);
      section->start = section->stop + sim->config->gap;
      section->stop = section->start + sim->config->duration;
      return ++section->index < sim->config->n_sections;
    }
  else if (rings)
    ring (sim, alarm);
  else
    act (sim, (guint) sim->running[core]);
  return TRUE;
}

gint64
sim_run_events (const SimSystem *system, const SimCallbacks *callbacks,
                gpointer user_data, guint64 max_events)
{
  static const SimCallbacks none = { 0 };
  const SimConfig *config = &system->config;
  g_autofree Job *jobs = g_new0 (Job, system->n_jobs);
  g_autofree gint *running = g_new (gint, system->n_cores);
  g_autofree gint64 *finish = g_new0 (gint64, system->n_cores);
  g_autofree gint64 *alarms = g_new (gint64, system->n_jobs * 2);
  g_autofree guint64 *instances = g_new0 (guint64, system->n_elements);
  g_autofree SimCounts *counts = g_new0 (SimCounts, system->n_elements);
  g_autofree gint64 *busy = g_new0 (gint64, system->n_cores * 2);
  SimSection section = { 0, config->start, config->start + config->duration,
                         0, counts, busy, busy + system->n_cores };
  Sim sim = { system, config, callbacks != NULL ? callbacks : &none, user_data,
              ~config->seed, 0, FALSE, 0, section, jobs, running, finish,
              alarms, instances, counts, busy };

  for (guint i = 0; i < system->n_cores; i++)
    running[i] = -1;
  for (guint i = 0; i < system->n_jobs; i++)
    {
      const SimElement *element = &system->elements[i];

      jobs[i].state = JOB_NONE;
      jobs[i].nominal = element->offset;
      alarms[i] = element->interval > 0 || element->idle ? element->offset
                                                         : G_MAXINT64;
      alarms[system->n_jobs + i] = G_MAXINT64;
    }

  while (step (&sim) && (max_events == 0 || sim.section.n_events < max_events))
    continue;
  return sim.now;
}
