/* SPDX-License-Identifier: MIT */

/* What a job does: its states, and the instances that it opens and closes. */

#include "simulate-job.h"

#include <string.h>

#define MAX_RECURSION 4

void
sim_emit (Sim *sim, SimKind kind, const SimInstance *truth)
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

void
sim_job_emit (Sim *sim, SimKind kind, guint task, guint i)
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
  sim_emit (sim, kind, truth);
}

static gboolean
is_head (const Frame *frame)
{
  return (frame->truth.status & SIM_HEAD) != 0;
}

/* Whether the trace shows the intervals in which this instance did not run.
 * A head shows itself by its own preempt, or when it ends by that of the task
 * that it is in, so there must be such events. */
static gboolean
has_intervals (Sim *sim, const Frame *frame)
{
  return !is_head (frame) || !sim->config->no_preempt_events;
}

/* @frame, a head, has its first event: so it was in its task all the time. */
static void
tell_head_intervals (Sim *sim, const Job *job, const Frame *frame)
{
  for (guint i = 0; i < job->head_intervals->len; i++)
    {
      SimInterval interval
          = g_array_index (job->head_intervals, SimInterval, i);

      interval.element = frame->truth.element;
      interval.number = frame->truth.number;
      sim->callbacks->interval (sim->system, &interval, sim->user_data);
    }
}

void
sim_job_set_state (Sim *sim, guint task, gint state)
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
          if (i == 0 && job->depth > 1 && is_head (&job->frames[1]))
            g_array_append_val (job->head_intervals, interval);
        }
    }

  job->state = state;
  job->since = sim->now;
}

void
sim_job_move (Sim *sim, guint task, SimKind kind, gint state)
{
  for (guint i = 0; i < sim->jobs[task].depth && kind == SIM_RESUME; i++)
    sim_job_emit (sim, kind, task, i);
  for (guint i = sim->jobs[task].depth; i-- > 0 && kind != SIM_RESUME;)
    sim_job_emit (sim, i > 0 ? SIM_PREEMPT : kind, task, i);
  sim_job_set_state (sim, task, state);
}

void
sim_job_close_frame (Sim *sim, guint task, SimStatus status)
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

  if (sim->callbacks->interval != NULL && truth.owner >= 0 && is_head (frame)
      && has_intervals (sim, frame) && !sim->config->runnable_preempts)
    tell_head_intervals (sim, job, frame);
  if (truth.owner < 0)
    sim->busy[truth.core + (sim->system->elements[truth.element].idle ?
                            sim->system->n_cores : 0)] += truth.running;
  if (sim->callbacks->instance != NULL)
    sim->callbacks->instance (sim->system, &truth, sim->user_data);
}

/* As long before each call as after it, all the way down. */
static void
plan_deep (Sim *sim, const Job *job, Frame *frame, const SimElement *element)
{
  guint n_calls = sim->max_depth - job->depth;

  frame->action = DO_END;
  frame->left = frame->budget;
  if (element->children->len > frame->next_child && n_calls > 0)
    {
      frame->action = DO_CALL;
      frame->child = g_array_index (element->children, guint,
                                    frame->next_child++);
      frame->left = frame->budget / (2 * n_calls + 1);
      frame->child_budget = frame->budget - 2 * frame->left;
      frame->budget -= frame->child_budget;
    }
  frame->budget -= frame->left;
  sim->finish[element->core] = sim->now + frame->left;
}

void
sim_job_plan (Sim *sim, guint task)
{
  const SimConfig *config = sim->config;
  Job *job = &sim->jobs[task];
  Frame *frame = sim_job_top (sim, task);
  const SimElement *element = &sim->system->elements[frame->truth.element];
  guint n = element->children->len;

  if (config->depth > 0)
    {
      plan_deep (sim, job, frame, element);
      return;
    }

  frame->action = DO_END;
  frame->left = frame->budget;
  if (sim->system->elements[task].type == SIM_TASK && !element->idle &&
      sim_random_chance (job->random, config->wait))
    {
      frame->action = DO_WAIT;
      frame->left = sim_random_range (job->random, 0, frame->budget / 2);
    }

  while (frame->action == DO_END && frame->next_child < n &&
         job->depth < sim->max_depth)
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

void
sim_job_open_frame (Sim *sim, guint task, const SimInstance *truth, gint64 budget)
{
  Job *job = &sim->jobs[task];
  Frame *frame = &job->frames[job->depth];

  memset (frame, 0, sizeof *frame);
  frame->truth = *truth;
  frame->truth.section = sim->section.index;
  frame->truth.start = sim->now;
  frame->budget = budget;
  frame->before = job->sums;
  sim_job_emit (sim, SIM_START, task, job->depth++);
  sim_job_plan (sim, task);
}
