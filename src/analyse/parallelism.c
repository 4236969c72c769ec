/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/parallelism.h"

typedef struct
{
  guint   n_running; /* tasks; more than one only in a defective trace */
  gint64  since;
  gint64  busy;
  guint64 n_runs;
} Agent;

struct _TsParallelism
{
  gint64   from, to;  /* what counts */
  gboolean is_cut;    /* something may be outside of that */
  gint64   begin, end;
  gint64   accounted; /* the profile is complete up to here */
  guint    n_running; /* agents */
  TsInt128 work;
  gint64   critical_path;
  guint    maximum;
  GArray  *agents;  /* of Agent */
  GArray  *profile; /* of gint64: time with so many agents running */
};

TsParallelism *
ts_parallelism_new (void)
{
  TsParallelism *parallelism = g_new0 (TsParallelism, 1);

  parallelism->agents = g_array_new (FALSE, TRUE, sizeof (Agent));
  parallelism->profile = g_array_new (FALSE, TRUE, sizeof (gint64));
  g_array_set_size (parallelism->profile, 1);
  return parallelism;
}

void
ts_parallelism_free (TsParallelism *parallelism)
{
  if (parallelism == NULL)
    return;
  g_array_unref (parallelism->agents);
  g_array_unref (parallelism->profile);
  g_free (parallelism);
}

static inline gint64
into_window (const TsParallelism *parallelism, gint64 time)
{
  return G_UNLIKELY (parallelism->is_cut) ? CLAMP (time, parallelism->from, parallelism->to) : time;
}

static inline gint64
within (const TsParallelism *parallelism, gint64 since, gint64 time)
{
  return into_window (parallelism, time) - into_window (parallelism, since);
}

gint64
ts_parallelism_within (const TsParallelism *parallelism, gint64 since, gint64 time)
{
  return within (parallelism, since, time);
}

static inline void
account (TsParallelism *parallelism, gint64 time)
{
  time = into_window (parallelism, time);
  if (time == parallelism->accounted)
    return;
  g_array_index (parallelism->profile, gint64, parallelism->n_running) += time - parallelism->accounted;
  parallelism->accounted = time;
  parallelism->maximum = MAX (parallelism->maximum, parallelism->n_running);
}

void
ts_parallelism_begin (TsParallelism *parallelism, gint64 time, gint64 from, gint64 to)
{
  parallelism->from = from;
  parallelism->to = MAX (from, to);
  parallelism->is_cut = from > time || to < G_MAXINT64;
  parallelism->begin = parallelism->end = parallelism->accounted = into_window (parallelism, time);
}

void
ts_parallelism_end (TsParallelism *parallelism, gint64 time)
{
  account (parallelism, time);
  parallelism->end = into_window (parallelism, time);
}

void
ts_parallelism_add_agent (TsParallelism *parallelism, guint32 agent)
{
  if (agent < parallelism->agents->len)
    return;
  g_array_set_size (parallelism->agents, agent + 1);
  g_array_set_size (parallelism->profile, agent + 2);
}

void
ts_parallelism_run (TsParallelism *parallelism, TsParallelTask *task, guint32 number, gint64 time)
{
  Agent *agent;

  if (G_UNLIKELY (number >= parallelism->agents->len))
    ts_parallelism_add_agent (parallelism, number);
  agent = &g_array_index (parallelism->agents, Agent, number);
  account (parallelism, time);
  if (agent->n_running++ == 0)
    {
      agent->since = time;
      parallelism->n_running++;
    }
  task->agent = number;
  task->since = time;
  task->runs = TRUE;
}

/* A slice without extent is one, too. */
static inline gboolean
is_slice (const TsParallelism *parallelism, gint64 since, gint64 time)
{
  return !parallelism->is_cut
         || (since < parallelism->to && (time > parallelism->from || since >= parallelism->from));
}

void
ts_parallelism_halt (TsParallelism *parallelism, TsParallelTask *task, gint64 time)
{
  gint64 length = within (parallelism, task->since, time);
  Agent *agent = &g_array_index (parallelism->agents, Agent, task->agent);

  if (!task->runs)
    return;
  account (parallelism, time);
  if (--agent->n_running == 0)
    {
      agent->busy += within (parallelism, agent->since, time);
      parallelism->n_running--;
    }
  agent->n_runs += is_slice (parallelism, task->since, time) ? 1 : 0;
  parallelism->work += length;
  task->path += length;
  task->runs = FALSE;
  parallelism->critical_path = MAX (parallelism->critical_path, task->path);
}

TsParallelismFigures
ts_parallelism_figures (const TsParallelism *parallelism)
{
  return (TsParallelismFigures){ .window = parallelism->end - parallelism->begin,
                                 .work = parallelism->work,
                                 .critical_path = parallelism->critical_path,
                                 .maximum = parallelism->maximum,
                                 .n_agents = parallelism->agents->len };
}

gint64
ts_parallelism_time_with (const TsParallelism *parallelism, guint n_running)
{
  return n_running < parallelism->profile->len ? g_array_index (parallelism->profile, gint64, n_running) : 0;
}

gint64
ts_parallelism_busy (const TsParallelism *parallelism, guint32 agent)
{
  return agent < parallelism->agents->len ? g_array_index (parallelism->agents, Agent, agent).busy : 0;
}

/* Tables */

#define AUDIENCE (TS_FOR_PEOPLE | TS_FOR_SHEETS | TS_FOR_PROGRAMS)

static void
add_ratio (TsTable *table, TsInt128 part, gint64 whole)
{
  if (whole > 0)
    ts_table_add_number (table, ts_rational (part, whole));
  else
    ts_table_add_absent (table);
}

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
  TsParallelismFigures figures = ts_parallelism_figures (parallelism);
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
  add_ratio (table, figures.work, figures.window);
  ts_table_add_integer (table, figures.maximum);
  ts_table_add_time (table, ts_rational (figures.critical_path, 1));
  add_ratio (table, figures.work, figures.critical_path);
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

  for (guint i = 0; i <= parallelism->maximum; i++)
    {
      gint64 time = ts_parallelism_time_with (parallelism, i);

      ts_table_begin_row (table, 0);
      ts_table_add_integer (table, i);
      ts_table_add_time (table, ts_rational (time, 1));
      add_ratio (table, time, parallelism->end - parallelism->begin);
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

  for (guint i = 0; i < parallelism->agents->len; i++)
    {
      const Agent *agent = &g_array_index (parallelism->agents, Agent, i);

      ts_table_begin_row (table, 0);
      ts_table_add_text (table, names[i]);
      ts_table_add_time (table, ts_rational (agent->busy, 1));
      add_ratio (table, agent->busy, parallelism->end - parallelism->begin);
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
