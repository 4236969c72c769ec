/* SPDX-License-Identifier: MIT */

#include "simulate-job.h"

#include <string.h>

#define CORE_BIT(core) (G_GUINT64_CONSTANT (1) << (core))

static guint
earlier_of (const Sim *sim, guint place)
{
  guint n = sim->system->n_jobs * 2;
  guint a = 2 * place < n ? sim->earliest[2 * place] : 2 * place - n;
  guint b = 2 * place + 1 < n ? sim->earliest[2 * place + 1] : 2 * place + 1 - n;

  if (sim->alarms[a] == sim->alarms[b])
    return MIN (a, b);
  return sim->alarms[a] < sim->alarms[b] ? a : b;
}

/* There may be thousands, so the first one is found as in a tournament. */
static void
set_alarm (Sim *sim, guint alarm, gint64 time)
{
  sim->alarms[alarm] = time;
  for (guint place = (sim->system->n_jobs * 2 + alarm) / 2; place > 0; place /= 2)
    sim->earliest[place] = earlier_of (sim, place);
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
      sim_job_move (sim, task, SIM_RESUME, JOB_RUNNING);
      sim->finish[element->core] = sim->now + sim_job_top (sim, task)->left;
      return;
    }

  job->first = (job->first + 1) % SIM_MAX_QUEUE;
  job->n_queued--;
  job->n_stale -= job->n_stale > 0;
  sim->counts[task].pending -= truth->has_activation;
  memset (&job->sums, 0, sizeof job->sums);
  sim_job_set_state (sim, task, JOB_RUNNING);

  job->own_random = sim->config->seed ^ (truth->instance << 16) ^ task;
  job->random = sim->config->separate ? &job->own_random : &sim->random;
  budget = sim_random_range (job->random, element->cet_min, element->cet_max);
  if (!element->idle && sim_random_chance (job->random, sim->config->zero))
    budget = 0;
  if (!element->idle && sim_random_chance (job->random, sim->config->overrun))
    budget = element->cet_max * sim_random_range (job->random, 2, 6);
  /* after all that is drawn, so that nothing else changes */
  sim_job_open_frame (sim, task, truth, budget + budget * element->slow / 1000);
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
    sim_job_top (sim, (guint) old)->left = sim->finish[core] - sim->now;
  if (old >= 0 && !late)
    sim_job_move (sim, (guint) old, SIM_PREEMPT, SIM_PREEMPTED);
  begin (sim, (guint) next);
  if (old >= 0 && late)
    sim_job_move (sim, (guint) old, SIM_PREEMPT, SIM_PREEMPTED);
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
    sim_emit (sim, fails ? SIM_ACTIVATION_FAILED : truth.activation_kind, &truth);
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
  sim_job_set_state (sim, task, JOB_NONE);
  if (inferred || (sim->config->alternative_order && element->type == SIM_ISR))
    {
      gint next = pick (sim, element->core, inferred);

      if (next >= 0 && sim->jobs[next].state != JOB_NONE)
        begin (sim, (guint) next);
    }
  sim_job_emit (sim, SIM_END, task, 0);
  sim_job_close_frame (sim, task, SIM_COMPLETE);
  if (element->chain >= 0)
    activate (sim, (guint) element->chain, (gint) task, instance);
}

/* A running job comes to its action. */
static void
act (Sim *sim, guint task)
{
  guint core = sim->system->elements[task].core;
  Job *job = &sim->jobs[task];
  Frame *frame = sim_job_top (sim, task);
  Action action = frame->action;

  sim_job_set_state (sim, task, JOB_RUNNING);
  frame->action = DO_PLAN;
  frame->left = 0;
  if (action == DO_CALL)
    {
      SimInstance call = { .element = frame->child, .core = core,
                           .instance = sim->instances[frame->child]++,
                           .owner = (gint) task,
                           .owner_instance = job->frames[0].truth.instance };

      sim_job_open_frame (sim, task, &call, frame->child_budget);
    }
  else if (action == DO_WAIT)
    {
      sim_job_move (sim, task, SIM_WAIT, SIM_WAITING);
      sim->running[core] = -1;
      sim->dirty |= CORE_BIT (core);
      set_alarm (sim, sim->system->n_jobs + task, sim->now +
                 sim_random_range (&sim->random, 1, sim->config->base_period));
    }
  else if (action == DO_END && job->depth == 1)
    end_job (sim, task);
  else
    {
      if (action == DO_END)
        {
          sim_job_emit (sim, SIM_END, task, job->depth - 1);
          sim_job_close_frame (sim, task, SIM_COMPLETE);
        }
      sim_job_plan (sim, task);
    }
}

static void
ring (Sim *sim, guint alarm)
{
  guint task = alarm % sim->system->n_jobs;
  const SimElement *element = &sim->system->elements[task];
  gint64 next = G_MAXINT64;

  if (alarm != task)
    {
      set_alarm (sim, alarm, next);
      sim_job_emit (sim, SIM_RELEASE, task, 0);
      sim_job_set_state (sim, task, SIM_RELEASED);
      sim->dirty |= CORE_BIT (element->core);
      return;
    }

  activate (sim, task, -1, 0);
  if (element->sporadic)
    next = sim->now + element->interval / 2 + 1 +
      sim_random_range (&sim->random, 0, element->interval);
  else if (element->interval > 0)
    next = (sim->jobs[task].nominal += element->interval) +
      sim_random_range (&sim->random, 0,
                        element->interval * sim->config->jitter / 1000);
  set_alarm (sim, alarm, next);
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
      g_array_set_size (job->head_intervals, 0);
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
        sim_job_set_state (sim, task, JOB_RUNNING);
      while (job->depth > 0)
        sim_job_close_frame (sim, task, SIM_TAIL);
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
  guint core = 0, alarm = sim->earliest[1];
  gint64 finish = G_MAXINT64;
  gboolean rings, stir = sim->config->zero > 0 &&
                         sim_random_chance (&sim->random, 300);

  for (guint i = 0; i < sim->system->n_cores; i++)
    if (sim->running[i] >= 0 && sim->finish[i] < finish)
      finish = sim->finish[core = i];
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
  guint max_depth = config->depth > 0 ? config->depth + 1 : MAX_DEPTH;
  g_autofree Frame *frames = g_new0 (Frame, system->n_jobs * max_depth);
  g_autofree gint *running = g_new (gint, system->n_cores);
  g_autofree gint64 *finish = g_new0 (gint64, system->n_cores);
  g_autofree gint64 *alarms = g_new (gint64, system->n_jobs * 2);
  g_autofree guint *earliest = g_new0 (guint, system->n_jobs * 2);
  g_autofree guint64 *instances = g_new0 (guint64, system->n_elements);
  g_autofree SimCounts *counts = g_new0 (SimCounts, system->n_elements);
  g_autofree gint64 *busy = g_new0 (gint64, system->n_cores * 2);
  SimSection section = { 0, config->start, config->start + config->duration,
                         0, counts, busy, busy + system->n_cores };
  Sim sim = { system, config, callbacks != NULL ? callbacks : &none, user_data,
              ~config->seed, 0, FALSE, 0, section, jobs, max_depth, running,
              finish, alarms, earliest, instances, counts, busy };

  for (guint i = 0; i < system->n_cores; i++)
    running[i] = -1;
  for (guint i = 0; i < system->n_jobs; i++)
    {
      const SimElement *element = &system->elements[i];

      jobs[i].state = JOB_NONE;
      jobs[i].frames = &frames[i * max_depth];
      jobs[i].head_intervals = g_array_new (FALSE, FALSE, sizeof (SimInterval));
      jobs[i].nominal = element->offset;
      alarms[i] = element->interval > 0 || element->idle ? element->offset
                                                         : G_MAXINT64;
      alarms[system->n_jobs + i] = G_MAXINT64;
    }
  for (guint i = 0; i < system->n_jobs * 2; i++)
    set_alarm (&sim, i, alarms[i]);

  while (step (&sim) && (max_events == 0 || sim.section.n_events < max_events))
    continue;
  for (guint i = 0; i < system->n_jobs; i++)
    g_array_unref (jobs[i].head_intervals);
  return sim.now;
}
