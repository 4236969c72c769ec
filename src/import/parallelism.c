/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/parallelism.h"
#include "model/table.h"

#define FIRST_ROOM 16 /* agents */

TsParallelism *
ts_parallelism_new (void)
{
  TsParallelism *parallelism = g_new0 (TsParallelism, 1);

  parallelism->profile = g_new0 (gint64, 1);
  return parallelism;
}

void
ts_parallelism_free (TsParallelism *parallelism)
{
  if (parallelism == NULL)
    return;
  g_free (parallelism->agents);
  g_free (parallelism->profile);
  g_free (parallelism);
}

void
ts_parallelism_begin (TsParallelism *parallelism, gint64 time, gint64 from, gint64 to)
{
  parallelism->from = from;
  parallelism->to = MAX (from, to);
  parallelism->is_cut = from > time || to < G_MAXINT64;
  time = ts_parallelism_into_window (parallelism, time);
  parallelism->begin = parallelism->end = parallelism->accounted = time;
}

void
ts_parallelism_end (TsParallelism *parallelism, gint64 time)
{
  parallelism->end = ts_parallelism_into_window (parallelism, time);
  ts_parallelism_account (parallelism, parallelism->end);
}

void
ts_parallelism_add_agent (TsParallelism *parallelism, guint32 agent)
{
  guint n_old = parallelism->n_agents, n_room = parallelism->n_room;

  if (agent < n_old)
    return;
  parallelism->n_agents = agent + 1;
  if (agent < n_room)
    return;
  parallelism->n_room = MAX (agent + 1, MAX (2 * n_room, FIRST_ROOM));
  parallelism->agents = g_renew (TsParallelAgent, parallelism->agents, parallelism->n_room);
  memset (parallelism->agents + n_room, 0, (parallelism->n_room - n_room) * sizeof (TsParallelAgent));
  parallelism->profile = g_renew (gint64, parallelism->profile, parallelism->n_room + 1);
  memset (parallelism->profile + n_room + 1, 0, (parallelism->n_room - n_room) * sizeof (gint64));
}

/* That of all tasks that do not run any more, when none does. */
static TsInt128
work (const TsParallelism *parallelism)
{
  TsInt128 sum = parallelism->beside;

  for (guint i = 0; i < parallelism->n_agents; i++)
    sum += parallelism->agents[i].busy;
  return sum;
}

/* Agents that ran at the same time; not those at an instant only. */
static guint
maximum (const TsParallelism *parallelism)
{
  guint n = parallelism->n_agents;

  while (n > 0 && parallelism->profile[n] == 0)
    n--;
  return n;
}

typedef struct
{
  gint64   window;        /* from the beginning to the end, within the analysis window */
  TsInt128 work;          /* T1: sum of all running intervals */
  gint64   critical_path; /* Tinf: the longest path of any task */
  guint    maximum;       /* agents that ran at the same time; not those at an instant only */
  guint    n_agents;      /* that were named */
} Figures;

static Figures
figures_of (const TsParallelism *parallelism)
{
  return (Figures){ .window = parallelism->end - parallelism->begin,
                    .work = work (parallelism),
                    .critical_path = parallelism->critical_path,
                    .maximum = maximum (parallelism),
                    .n_agents = parallelism->n_agents };
}

static gint64
time_with (const TsParallelism *parallelism, guint n_running)
{
  return n_running <= parallelism->n_agents ? parallelism->profile[n_running] : 0;
}

/* Tables */

#define AUDIENCE (TS_FOR_PEOPLE | TS_FOR_SHEETS | TS_FOR_PROGRAMS)

static TsTable *
make_figures (const TsParallelism *parallelism, const TsParallelismCount *counts, guint n_counts)
{
  static const TsColumn fixed[] = {
    { "window", "window", NULL },
    { "work", "total work (T1)", NULL },
    { "average", "average parallelism", NULL },
    { "maximum", "maximum parallelism", NULL },
    { "critical_path", "critical path (Tinf)", NULL },
    { "ideal_speedup", "ideal speed-up (T1/Tinf)", NULL },
    { "agents", "agents", NULL },
  };
  Figures              figures = figures_of (parallelism);
  guint                n_columns = G_N_ELEMENTS (fixed) + n_counts;
  g_autofree TsColumn *columns = g_new (TsColumn, n_columns);
  TsTable             *table;

  for (guint i = 0; i < n_columns; i++)
    if (i < G_N_ELEMENTS (fixed))
      columns[i] = fixed[i];
    else
      columns[i] = (TsColumn){ counts[i - G_N_ELEMENTS (fixed)].name, counts[i - G_N_ELEMENTS (fixed)].title, NULL };
  table = ts_table_new ("parallelism", "Parallelism", TS_TABLE_RECORD, AUDIENCE, columns, n_columns);
  ts_table_begin_row (table, 0);
  ts_table_add_time (table, ts_rational (figures.window, 1));
  ts_table_add_time (table, ts_rational (figures.work, 1));
  ts_table_add_share (table, figures.work, figures.window);
  ts_table_add_integer (table, figures.maximum);
  ts_table_add_time (table, ts_rational (figures.critical_path, 1));
  ts_table_add_share (table, figures.work, figures.critical_path);
  ts_table_add_integer (table, figures.n_agents);
  for (guint i = 0; i < n_counts; i++)
    ts_table_add_integer (table, (gint64) counts[i].count);
  return table;
}

static TsTable *
make_profile (const TsParallelism *parallelism)
{
  static const TsColumn columns[] = {
    { "running", "agents running", NULL },
    { "time", "time", NULL },
    { "share", "share", NULL },
  };
  TsTable *table = ts_table_new ("profile", "Profile of parallelism", TS_TABLE_LIST, AUDIENCE, columns,
                                 G_N_ELEMENTS (columns));
  guint    n = maximum (parallelism);

  for (guint i = 0; i <= n; i++)
    {
      gint64 time = time_with (parallelism, i);

      ts_table_begin_row (table, 0);
      ts_table_add_integer (table, i);
      ts_table_add_time (table, ts_rational (time, 1));
      ts_table_add_share (table, time, parallelism->end - parallelism->begin);
    }
  return table;
}

static TsTable *
make_agents (const TsParallelism *parallelism, const char *const *names)
{
  static const TsColumn columns[] = {
    { "agent", "agent", NULL },
    { "busy", "busy", NULL },
    { "share", "share", NULL },
    { "slices", "running slices", NULL },
  };
  TsTable *table = ts_table_new ("agents", "Agents", TS_TABLE_LIST, AUDIENCE, columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < parallelism->n_agents; i++)
    {
      const TsParallelAgent *agent = &parallelism->agents[i];

      ts_table_begin_row (table, 0);
      ts_table_add_text (table, names[i]);
      ts_table_add_time (table, ts_rational (agent->busy, 1));
      ts_table_add_share (table, agent->busy, parallelism->end - parallelism->begin);
      ts_table_add_integer (table, (gint64) agent->n_runs);
    }
  return table;
}

void
ts_parallelism_add_tables (const TsParallelism *parallelism, const TsParallelismCount *counts, guint n_counts,
                           const char *const *names, GPtrArray *tables)
{
  g_ptr_array_add (tables, make_figures (parallelism, counts, n_counts));
  g_ptr_array_add (tables, make_profile (parallelism));
  g_ptr_array_add (tables, make_agents (parallelism, names));
}
