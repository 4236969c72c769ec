/* SPDX-License-Identifier: MIT */

/* The inside of a simulation that runs. */

#pragma once

#include "simulate.h"

#define MAX_DEPTH 12     /* task, runnable, functions; see also `depth' */

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
  GArray *head_intervals; /* of SimInterval: of this section, while there are
                             heads in its first frame, which they are of */
  SimInstance queue[SIM_MAX_QUEUE];
  Frame *frames;         /* `max_depth' */
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
  guint max_depth;
  gint *running;         /* by core: job or -1 */
  gint64 *finish;        /* by core: when that comes to its action */
  gint64 *alarms;        /* by job: activation; then by job: release */
  guint *earliest;       /* from 1 on: of the two places below, whose alarm is
                            the earlier one, the first of those that are equal */
  guint64 *instances;    /* by element: the next instance */
  SimCounts *counts;
  gint64 *busy;          /* by core; then by core: of idle tasks */
} Sim;

static inline Frame *
sim_job_top (Sim *sim, guint task)
{
  return &sim->jobs[task].frames[sim->jobs[task].depth - 1];
}

/* Hands out an event of an instance, which is recorded. */
void sim_emit (Sim *sim, SimKind kind, const SimInstance *truth);

/* The same for the open frame `i' of a job, if the trace shows it. */
void sim_job_emit (Sim *sim, SimKind kind, guint task, guint i);

void sim_job_set_state (Sim *sim, guint task, gint state);

/* A job leaves its core or comes back: callees leave before their callers,
 * and come back after them. */
void sim_job_move (Sim *sim, guint task, SimKind kind, gint state);

/* A task or ISR starts, or what it calls. */
void sim_job_open_frame (Sim *sim, guint task, const SimInstance *truth,
                         gint64 budget);

/* Decides what the running job does next, and when. */
void sim_job_plan (Sim *sim, guint task);

/* The innermost open instance of a job ends, or is cut. */
void sim_job_close_frame (Sim *sim, guint task, SimStatus status);
