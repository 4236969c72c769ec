/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/number.h>
#include <tracestat/table.h>

G_BEGIN_DECLS

/* How much of resources is in use over time: by how many at once, and with what amount. */
typedef struct _TsUsage TsUsage;

/* So many at once are told apart; more are counted together. */
#define TS_USAGE_LEVELS 256

typedef struct
{
  gint64   since;     /* counted up to here */
  guint64  n_now, n_max; /* at the same time; n_max within the window */
  TsInt128 amount;    /* now */
  TsInt128 amount_max;
  TsInt128 area;      /* amount times time */
  gboolean overflowed; /* @area is not known */
  gint64   busy;      /* time with any claim, when all is counted */
  gint64   times[TS_USAGE_LEVELS + 1]; /* with so many at once; the last: with more */
} TsUsageOf;

/* Times are counted from @from to @to. */
TsUsage *ts_usage_new (guint n_resources, gint64 from, gint64 to);
void     ts_usage_free (TsUsage *usage);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsUsage, ts_usage_free)

/* In order of time, at equal times in any order: what is in use for no time does not count. */
void ts_usage_begin (TsUsage *usage, guint resource, gint64 time, gint64 amount);
void ts_usage_end (TsUsage *usage, guint resource, gint64 time, gint64 amount);
void ts_usage_finish (TsUsage *usage);

gint64           ts_usage_window (const TsUsage *usage);
const TsUsageOf *ts_usage_get (const TsUsage *usage, guint resource);

/* What a resource is called, and how much there is of it; amounts are in units of 1 / scale. */
typedef struct
{
  const char *name, *id;
  const char *amount_unit; /* or NULL */
  guint64     n_claims;
  gint64      capacity;
} TsUsageInfo;

/* `usage': a row per resource, for people without what LOAD says already. `concurrency': a row per resource and number of claims at once. */
TsTable *ts_usage_table (const TsUsage *usage, const TsUsageInfo *infos, guint n_infos, gint64 scale);
TsTable *ts_usage_summary_table (const TsUsage *usage, const TsUsageInfo *infos, guint n_infos, gint64 scale);
TsTable *ts_usage_concurrency_table (const TsUsage *usage, const TsUsageInfo *infos, guint n_infos);

G_END_DECLS
