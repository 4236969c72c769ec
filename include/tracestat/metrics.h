/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/instance.h>
#include <tracestat/statistics.h>

G_BEGIN_DECLS

/* In the order of reports. */
typedef enum
{
  TS_METRIC_IPT,
  TS_METRIC_CET,
  TS_METRIC_GET,
  TS_METRIC_RT,
  TS_METRIC_DT,
  TS_METRIC_PER,
  TS_METRIC_ST,
  TS_METRIC_JIT,
  TS_METRIC_PRE,
  TS_METRIC_SELF,
  TS_METRIC_E2S,
  TS_METRIC_WAIT,
  TS_METRIC_NPR,
  TS_METRIC_POLL,
  TS_METRIC_AGE,
  TS_METRIC_LOAD,
  TS_N_METRICS
} TsMetricId;

typedef enum
{
  TS_QUANTITY_TIME,
  TS_QUANTITY_RATIO,
  TS_QUANTITY_COUNT,
} TsQuantity;

typedef struct
{
  const char *name;  /* "CET" */
  const char *title; /* "core execution time" */
  const char *formula;
  TsQuantity  quantity;
  gboolean    is_special; /* only some formats have it: reported where there are samples */
} TsMetricInfo;

TS_API const TsMetricInfo *ts_metric_info (TsMetricId metric);
TS_API gboolean            ts_metric_parse (const char *name, TsMetricId *metric); /* any case */

/* Of what was not over when a section ended, or at an error event, it is known how long it had taken by then: IPT of what
 * still waited to start, GET and CET of what had started, and RT of both, if it was activated; so of what lost its start, or was
 * there when the section began, how long it was seen. Of an element that was there before it is known how long it did not start
 * again until the section ended, and so with activations: DT and PER. That is no sample (METRICS, rules 7 and 9), but what it
 * would have been is not less. The longest of each, internal units. */
#define TS_N_UNFINISHED (TS_METRIC_PER + 1)

typedef struct
{
  guint     known; /* bit 1 << TsMetricId */
  TsExtreme longest[TS_N_UNFINISHED]; /* of IPT, CET, GET, RT, DT and PER; in a report of the last two only what is longer than
                                       * all samples. Those are of no instance: its number is 0 */
} TsUnfinished;

/* That of @metric, or NULL; @unfinished may be NULL. */
TS_API const TsExtreme *ts_unfinished_get (const TsUnfinished *unfinished, TsMetricId metric);

/* What happened to an element, for all sections of a trace. */
typedef struct
{
  guint64 activations; /* successful ones */
  guint64 failed;
  guint64 starts;
  guint64 ends; /* those that closed an instance */
  guint64 complete;
  guint64 partial_head;
  guint64 partial_tail;
  guint64 missing_end;
  guint64 pending; /* activations still queued at the end of a section */
  guint64 reads;   /* of a signal; of others: the reads that they made */
  guint64 writes;
  guint64 defects; /* that are told of it, of all kinds: see TsDiagnostics */
} TsElementCounts;

/* All of them, for what is done with each: X is called with its name, which is that in reports, too. */
#define TS_ELEMENT_COUNTS(X) \
  TS_EVENT_COUNTS (X) \
  X (defects)

/* Those that events change. */
#define TS_EVENT_COUNTS(X) \
  X (activations) \
  X (failed) \
  X (starts) \
  X (ends) \
  X (complete) \
  X (partial_head) \
  X (partial_tail) \
  X (missing_end) \
  X (pending) \
  X (reads) \
  X (writes)

G_END_DECLS
