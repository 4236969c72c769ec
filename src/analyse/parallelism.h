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
  gint64  path;
  gint64  since; /* it runs since then */
  guint32 agent;
  guint32 runs;
} TsParallelTask;

typedef struct
{
  gint64   window;        /* from the beginning to the end, within the analysis window */
  TsInt128 work;          /* T1: sum of all running intervals */
  gint64   critical_path; /* Tinf: the longest path of any task */
  guint    maximum;       /* agents that ran at the same time; not those at an instant only */
  guint    n_agents;      /* that were named */
} TsParallelismFigures;

TsParallelism *ts_parallelism_new (void);
void           ts_parallelism_free (TsParallelism *parallelism);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsParallelism, ts_parallelism_free)

/* Only what lies within @from .. @to counts, in all figures: running intervals are cut there, and so are the parts
 * of a path. The trace begins at @time, which may be before. */
void ts_parallelism_begin (TsParallelism *parallelism, gint64 time, gint64 from, gint64 to);
void ts_parallelism_end (TsParallelism *parallelism, gint64 time); /* no task runs any more */

/* Agents count from 0; those that never run are counted up to the highest one named. */
void ts_parallelism_add_agent (TsParallelism *parallelism, guint32 agent);
/* What of the time since @since lies within the window. */
gint64 ts_parallelism_within (const TsParallelism *parallelism, gint64 since, gint64 time);
/* A slice, to be counted: a task runs from @time on. */
void ts_parallelism_run (TsParallelism *parallelism, TsParallelTask *task, guint32 agent, gint64 time);
void ts_parallelism_halt (TsParallelism *parallelism, TsParallelTask *task, gint64 time);

TsParallelismFigures ts_parallelism_figures (const TsParallelism *parallelism);
gint64               ts_parallelism_time_with (const TsParallelism *parallelism, guint n_running);
gint64               ts_parallelism_busy (const TsParallelism *parallelism, guint32 agent);

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
