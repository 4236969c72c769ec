/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/number.h>
#include <tracestat/table.h>

#include "model/inline.h"

G_BEGIN_DECLS

/* So many at once are told apart; more are counted together. */
#define TS_USAGE_LEVELS 256

typedef struct
{
  gint64   since;     /* counted up to here */
  guint64  n_now, n_max; /* at the same time; n_max within the window */
  TsInt128 amount;    /* now */
  TsInt128 amount_max;
  TsInt128 area;      /* amount times time */
  TsInt128 crowds;    /* the time of those that were TS_USAGE_LEVELS or more at once, each for itself, if they are alike */
  gint64   each;      /* their amount */
  gboolean are_alike; /* they are only counted */
  gboolean overflowed; /* @area is not known */
  guint64  n_claims;  /* that began, within the window or not */
  gint64   busy;      /* time with any claim, when all is counted */
  gint64   times[TS_USAGE_LEVELS + 1]; /* with so many at once; the last: with more */
} TsUsageOf;

/* How much of resources is in use over time: by how many at once, and with what amount. */
typedef struct
{
  gint64     from, to; /* times are counted between these */
  guint      n_resources;
  TsUsageOf *resources;
} TsUsage;

TsUsage *ts_usage_new (guint n_resources, gint64 from, gint64 to);
void     ts_usage_free (TsUsage *usage);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsUsage, ts_usage_free)

/* In order of time, at equal times in any order: what is in use for no time does not count. */
void ts_usage_begin (TsUsage *usage, guint resource, gint64 time, gint64 amount);
void ts_usage_end (TsUsage *usage, guint resource, gint64 time, gint64 amount);
void ts_usage_finish (TsUsage *usage);

/* Where all claims on a resource have the same amount, as nearly all have, it is enough to count them instead of telling
 * what each begins and ends with; what that comes to is found in the end. */
void ts_usage_set_amount (TsUsage *usage, guint resource, gint64 amount);
void ts_usage_count_crowd (TsUsageOf *of, gint64 length); /* only for the following */

/* Counts the time up to @time, from where on there are @n more. Inline and without a branch that has to be foreseen: it is
 * done twice for each claim, and many claims begin when others end. */
static TS_ALWAYS_INLINE void
ts_usage_count (TsUsage *usage, guint resource, gint64 time, gint n)
{
  TsUsageOf *of = &usage->resources[resource];
  gint64     length = MAX (MIN (time, usage->to) - of->since, 0);

  of->since += length;
  if (G_UNLIKELY (of->n_now >= TS_USAGE_LEVELS))
    ts_usage_count_crowd (of, length);
  else
    of->times[of->n_now] += length;
  of->n_now += (guint64) (gint64) n;
  if (n > 0)
    of->n_claims++;
}

const TsUsageOf *ts_usage_get (const TsUsage *usage, guint resource);

/* What a resource is called, and how much there is of it; amounts are in units of 1 / scale. */
typedef struct
{
  const char *name, *id;
  const char *amount_unit; /* or NULL */
  gint64      capacity;
} TsUsageInfo;

/* `usage': a row per resource, for people without what LOAD says already. `concurrency': a row per resource and number of claims at once. */
TsTable *ts_usage_table (const TsUsage *usage, const TsUsageInfo *infos, guint n_infos, gint64 scale);
TsTable *ts_usage_summary_table (const TsUsage *usage, const TsUsageInfo *infos, guint n_infos, gint64 scale);
TsTable *ts_usage_concurrency_table (const TsUsage *usage, const TsUsageInfo *infos, guint n_infos);

G_END_DECLS
