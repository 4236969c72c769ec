/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/usage.h"
#include "model/table.h"

TsUsage *
ts_usage_new (guint n_resources, gint64 from, gint64 to)
{
  TsUsage *usage = g_new0 (TsUsage, 1);

  usage->from = from;
  usage->to = MAX (from, to);
  usage->n_resources = n_resources;
  usage->resources = g_new0 (TsUsageOf, n_resources);
  for (guint i = 0; i < n_resources; i++)
    usage->resources[i].since = from;
  return usage;
}

void
ts_usage_free (TsUsage *usage)
{
  if (usage == NULL)
    return;
  g_free (usage->resources);
  g_free (usage);
}

/* The time from of->since on, if any, with what is in use now; the area is not counted. FALSE: there is none. */
static TS_ALWAYS_INLINE gboolean
account (const TsUsage *usage, TsUsageOf *of, gint64 time, gint64 *length)
{
  time = MIN (time, usage->to);
  *length = time - of->since;
  if (*length <= 0)
    return FALSE;
  of->since = time;
  of->times[MIN (of->n_now, TS_USAGE_LEVELS)] += *length;
  if (of->n_now == 0)
    return FALSE;
  if (G_UNLIKELY (of->n_now > of->n_max))
    of->n_max = of->n_now;
  if (G_UNLIKELY (of->amount > of->amount_max))
    of->amount_max = of->amount;
  return TRUE;
}

static void G_GNUC_NO_INLINE
change_wide (const TsUsage *usage, TsUsageOf *of, gint64 time, gint64 amount, gint64 n)
{
  TsInt128 area;
  gint64   length;

  if (account (usage, of, time, &length)
      && (__builtin_mul_overflow (of->amount, (TsInt128) length, &area)
          || __builtin_add_overflow (of->area, area, &of->area)))
    of->overflowed = TRUE;
  of->n_now += (guint64) n;
  of->amount += amount;
}

/* Counts the time up to @time, from where on @n claims more hold @amount more. */
static TS_ALWAYS_INLINE void
change (const TsUsage *usage, TsUsageOf *of, gint64 time, gint64 amount, gint64 n)
{
  gint64 length;

  /* two numbers of 64 bits cannot overflow, and are multiplied in one step */
  if (G_UNLIKELY (of->amount != (gint64) of->amount))
    {
      change_wide (usage, of, time, amount, n);
      return;
    }
  if (account (usage, of, time, &length)
      && __builtin_add_overflow (of->area, (TsInt128) (gint64) of->amount * length, &of->area))
    of->overflowed = TRUE;
  of->n_now += (guint64) n;
  of->amount += amount;
}

void
ts_usage_begin (TsUsage *usage, guint resource, gint64 time, gint64 amount)
{
  change (usage, &usage->resources[resource], time, amount, 1);
  usage->resources[resource].n_claims++;
}

void
ts_usage_end (TsUsage *usage, guint resource, gint64 time, gint64 amount)
{
  change (usage, &usage->resources[resource], time, -amount, -1);
}

static gint64
window_of (const TsUsage *usage)
{
  return usage->to - usage->from;
}

void
ts_usage_set_amount (TsUsage *usage, guint resource, gint64 amount)
{
  usage->resources[resource].each = amount;
  usage->resources[resource].are_alike = TRUE;
}

void
ts_usage_count_crowd (TsUsageOf *of, gint64 length)
{
  of->times[TS_USAGE_LEVELS] += length;
  of->crowds += (TsInt128) of->n_now * length;
  if (length > 0)
    of->n_max = MAX (of->n_max, of->n_now);
}

/* What alike claims come to. */
static void
sum_up (TsUsageOf *of)
{
  TsInt128 length = of->crowds;

  for (guint n = 1; n < TS_USAGE_LEVELS; n++)
    {
      length += (TsInt128) of->times[n] * n;
      if (of->times[n] > 0)
        of->n_max = MAX (of->n_max, n);
    }
  of->amount_max = MAX ((TsInt128) of->each * (gint64) of->n_max, 0);
  of->overflowed = __builtin_mul_overflow (length, (TsInt128) of->each, &of->area);
}

void
ts_usage_finish (TsUsage *usage)
{
  for (guint i = 0; i < usage->n_resources; i++)
    {
      TsUsageOf *of = &usage->resources[i];

      if (of->are_alike)
        {
          ts_usage_count (usage, i, usage->to, 0);
          sum_up (of);
        }
      else
        change (usage, of, usage->to, 0, 0);
      of->busy = window_of (usage) - of->times[0];
    }
}

const TsUsageOf *
ts_usage_get (const TsUsage *usage, guint resource)
{
  g_return_val_if_fail (resource < usage->n_resources, NULL);
  return &usage->resources[resource];
}

/* The mean amount is over the whole window, also where nothing is claimed. */
static void
add_amounts (TsTable *table, const TsUsageOf *of, const TsUsageInfo *info, gint64 window, gint64 scale)
{
  TsRational mean = { 0, 1 };
  gboolean   has_mean = window > 0 && !of->overflowed;

  if (has_mean)
    mean = ts_rational_multiply (ts_rational (of->area, window), ts_rational (1, scale));
  if (has_mean)
    ts_table_add_number (table, mean);
  else
    ts_table_add_absent (table);
  ts_table_add_number (table, ts_rational (of->amount_max, scale));
  if (has_mean && info->capacity > 0)
    ts_table_add_number (table, ts_rational_divide (mean, ts_rational (info->capacity, scale)));
  else
    ts_table_add_absent (table);
  ts_table_add_share (table, of->amount_max, info->capacity);
}

TsTable *
ts_usage_table (const TsUsage *usage, const TsUsageInfo *infos, guint n_infos, gint64 scale)
{
  static const TsColumn columns[] = { { "resource", "resource", NULL },
                                      { "id", "id", NULL },
                                      { "capacity", "capacity", NULL },
                                      { "amount_unit", "unit", NULL },
                                      { "claims", "claims", NULL },
                                      { "busy", "busy", NULL },
                                      { "load", "busy share", NULL },
                                      { "most_claims", "most at once", NULL },
                                      { "amount_mean", "mean", "amount" },
                                      { "amount_max", "max", "amount" },
                                      { "share_mean", "mean", "of capacity" },
                                      { "share_max", "max", "of capacity" },
                                      { "window", "window", NULL } };
  gint64   window = window_of (usage);
  TsTable *table = ts_table_new ("usage", "Use of resources", TS_TABLE_LIST,
                                 TS_FOR_SHEETS | TS_FOR_PROGRAMS, columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < n_infos; i++)
    {
      const TsUsageOf *of = ts_usage_get (usage, i);

      ts_table_begin_row (table, 0);
      ts_table_add_text (table, infos[i].name);
      ts_table_add_text (table, infos[i].id);
      ts_table_add_number (table, ts_rational (infos[i].capacity, scale));
      ts_table_add_text (table, infos[i].amount_unit);
      ts_table_add_integer (table, (gint64) of->n_claims);
      ts_table_add_time (table, ts_rational (of->busy, 1));
      ts_table_add_share (table, of->busy, window);
      ts_table_add_integer (table, (gint64) of->n_max);
      add_amounts (table, of, &infos[i], window, scale);
      ts_table_add_time (table, ts_rational (window, 1));
    }
  return table;
}

TsTable *
ts_usage_summary_table (const TsUsage *usage, const TsUsageInfo *infos, guint n_infos, gint64 scale)
{
  static const TsColumn columns[] = { { "resource", "resource", NULL },
                                      { "claims", "claims", NULL },
                                      { "most_claims", "at once", NULL },
                                      { "capacity", "capacity", NULL },
                                      { "amount_mean", "mean", "amount" },
                                      { "amount_max", "max", "amount" },
                                      { "share_mean", "mean", "of capacity" },
                                      { "share_max", "max", "of capacity" } };
  TsTable *table = ts_table_new ("usage", "Use of resources", TS_TABLE_LIST, TS_FOR_PEOPLE, columns,
                                 G_N_ELEMENTS (columns));

  for (guint i = 0; i < n_infos; i++)
    {
      const TsUsageOf *of = ts_usage_get (usage, i);

      ts_table_begin_row (table, 0);
      ts_table_add_text (table, infos[i].name);
      ts_table_add_integer (table, (gint64) of->n_claims);
      ts_table_add_integer (table, (gint64) of->n_max);
      ts_table_add_number (table, ts_rational (infos[i].capacity, scale));
      add_amounts (table, of, &infos[i], window_of (usage), scale);
    }
  return table;
}

TsTable *
ts_usage_concurrency_table (const TsUsage *usage, const TsUsageInfo *infos, guint n_infos)
{
  static const TsColumn columns[] = { { "resource", "resource", NULL },
                                      { "at_once", "claims at once", NULL }, /* 256: so many or more */
                                      { "time", "time", NULL },
                                      { "share", "share", NULL },
                                      { "id", "id", NULL } };
  TsTable *table = ts_table_new ("concurrency", "Claims at once", TS_TABLE_LIST, TS_FOR_SHEETS | TS_FOR_PROGRAMS,
                                 columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < n_infos; i++)
    for (guint level = 0; level <= TS_USAGE_LEVELS; level++)
      {
        TsInt128 time = ts_usage_get (usage, i)->times[level];

        if (time == 0)
          continue;
        ts_table_begin_row (table, 0);
        ts_table_add_text (table, infos[i].name);
        ts_table_add_integer (table, level);
        ts_table_add_time (table, ts_rational (time, 1));
        ts_table_add_share (table, time, window_of (usage));
        ts_table_add_text (table, infos[i].id);
      }
  return table;
}
