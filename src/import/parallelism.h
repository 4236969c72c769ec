/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/table.h>

G_BEGIN_DECLS

/* What a parallel program made of its agents (workers, processors), beside the metrics of
 * its parts: work, profile, critical path. Times are internal units and must not go
 * backwards from call to call. */
typedef struct _TsParallelism TsParallelism;

/* One thread of control, kept by the caller; zeroed before its first run. @path is the
 * longest chain of work that its beginning depended on, and its own work: whoever forks
 * hands its path to the children, whoever joins takes the longest of them. */
typedef struct
{
  gint64 path;
  gint64 since; /* its last run began then */
} TsParallelTask;

TsParallelism *ts_parallelism_new (void);
void           ts_parallelism_free (TsParallelism *parallelism);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsParallelism, ts_parallelism_free)

/* Only what lies within @from .. @to counts, in all figures: running intervals are cut there, and so are the parts
 * of a path. The trace begins at @time, which may be before. */
void ts_parallelism_begin (TsParallelism *parallelism, gint64 time, gint64 from, gint64 to);
void ts_parallelism_end (TsParallelism *parallelism, gint64 time); /* no task runs any more */

/* Agents count from 0; one must have been added before a task runs on it, and with it those below. */
void ts_parallelism_add_agent (TsParallelism *parallelism, guint32 agent);

/* An agent. */
typedef struct
{
  guint   n_running; /* tasks; more than one only in a defective trace */
  gint64  since;     /* within the window */
  gint64  busy;
  guint64 n_runs;
} TsParallelAgent;

/* What two events of three change: no part of it is for anybody else. */
struct _TsParallelism
{
  gint64           from, to;  /* what counts */
  gboolean         is_cut;    /* something may be outside of that */
  guint            n_running; /* agents */
  gint64           accounted; /* the profile is complete up to here */
  gint64          *profile;   /* time with so many agents running: one more than agents */
  TsParallelAgent *agents;
  TsInt128         beside;    /* work of tasks while others ran on their agents */
  gint64           critical_path;
  gint64           begin, end;
  guint            n_agents, n_room;
};

static inline gint64
ts_parallelism_into_window (const TsParallelism *parallelism, gint64 time)
{
  return G_UNLIKELY (parallelism->is_cut) ? CLAMP (time, parallelism->from, parallelism->to) : time;
}

/* What of the time since @since lies within the window. */
static inline gint64
ts_parallelism_within (const TsParallelism *parallelism, gint64 since, gint64 time)
{
  return ts_parallelism_into_window (parallelism, time) - ts_parallelism_into_window (parallelism, since);
}

/* @time is within the window. */
static inline void
ts_parallelism_account (TsParallelism *parallelism, gint64 time)
{
  parallelism->profile[parallelism->n_running] += time - parallelism->accounted;
  parallelism->accounted = time;
}

/* Whether a slice counts; one without extent does, too. */
static inline gboolean
ts_parallelism_has_slice (const TsParallelism *parallelism, gint64 since, gint64 time)
{
  return !parallelism->is_cut
         || (since < parallelism->to && (time > parallelism->from || since >= parallelism->from));
}

/* @task, which does not run, runs on @agent from @time on: a slice, to be counted. */
static inline void
ts_parallelism_run (TsParallelism *parallelism, TsParallelTask *task, guint32 agent, gint64 time)
{
  TsParallelAgent *runner = &parallelism->agents[agent];

  task->since = time;
  time = ts_parallelism_into_window (parallelism, time);
  ts_parallelism_account (parallelism, time);
  if (G_LIKELY (runner->n_running++ == 0))
    {
      runner->since = time;
      parallelism->n_running++;
    }
  else
    parallelism->beside -= time;
}

/* @task, which ran on @agent, does not any more. */
static inline void
ts_parallelism_halt (TsParallelism *parallelism, TsParallelTask *task, guint32 agent, gint64 time)
{
  TsParallelAgent *runner = &parallelism->agents[agent];
  gint64           since = task->since;

  runner->n_runs++;
  if (G_UNLIKELY (parallelism->is_cut))
    {
      runner->n_runs -= !ts_parallelism_has_slice (parallelism, since, time);
      since = ts_parallelism_into_window (parallelism, since);
      time = ts_parallelism_into_window (parallelism, time);
    }
  ts_parallelism_account (parallelism, time);
  if (G_LIKELY (--runner->n_running == 0))
    {
      runner->busy += time - runner->since;
      parallelism->n_running--;
    }
  else
    parallelism->beside += time;
  task->path += time - since;
  parallelism->critical_path = MAX (parallelism->critical_path, task->path);
}

/* The same for somebody who has many runs, of which nothing is cut: what all of them change stays in registers
 * meanwhile. */
typedef struct
{
  gint64 *profile; /* at the number of agents that run */
  gint64  now;     /* up to here it is complete */
} TsParallelWalk;

static inline TsParallelWalk
ts_parallelism_enter (const TsParallelism *parallelism)
{
  return (TsParallelWalk){ parallelism->profile + parallelism->n_running, parallelism->accounted };
}

/* Before anything else is done with @parallelism. */
static inline void
ts_parallelism_leave (TsParallelism *parallelism, const TsParallelWalk *walk)
{
  parallelism->n_running = (guint) (walk->profile - parallelism->profile);
  parallelism->accounted = walk->now;
}

/* It is @time now: what follows happens then. */
static inline void
ts_parallelism_walk_to (TsParallelWalk *walk, gint64 time)
{
  *walk->profile += time - walk->now;
  walk->now = time;
}

static inline void
ts_parallelism_walk_run (TsParallelism *parallelism, TsParallelWalk *walk, TsParallelTask *task,
                         TsParallelAgent *runner)
{
  task->since = walk->now;
  if (G_LIKELY (runner->n_running == 0))
    {
      walk->profile++;
      runner->n_running = 1;
      runner->since = walk->now;
    }
  else
    {
      runner->n_running++;
      parallelism->beside -= walk->now;
    }
}

/* Returns the path of @task. */
static inline gint64
ts_parallelism_walk_halt (TsParallelism *parallelism, TsParallelWalk *walk, TsParallelTask *task,
                          TsParallelAgent *runner)
{
  const gint64 path = task->path + (walk->now - task->since);

  runner->n_runs++;
  if (G_LIKELY (runner->n_running == 1))
    {
      walk->profile--;
      runner->n_running = 0;
      runner->busy += walk->now - runner->since;
    }
  else
    {
      runner->n_running--;
      parallelism->beside += walk->now;
    }
  task->path = path;
  parallelism->critical_path = MAX (parallelism->critical_path, path);
  return path;
}

/* A count that the caller wants to see in the table `parallelism'. */
typedef struct
{
  const char *name, *title;
  guint64     count;
} TsParallelismCount;

/* Adds the tables `parallelism', `profile' and `agents' to @tables; @names has the name of
 * each agent. */
void ts_parallelism_add_tables (const TsParallelism *parallelism, const TsParallelismCount *counts, guint n_counts,
                                const char *const *names, GPtrArray *tables);

G_END_DECLS
