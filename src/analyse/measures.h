/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/instance.h>
#include <tracestat/metrics.h>
#include <tracestat/statistics.h>

#include "analyse/accumulator.h"

G_BEGIN_DECLS

/* What is to become samples: an interval, or an instance, which needs two, or three if it was activated. */
typedef struct
{
  guint16       kind; /* TsIntervalKind, or TS_N_INTERVALS for an instance */
  guint16       flags; /* of an instance */
  guint32       n_preemptions;
  TsSamplePlace place; /* of an instance: its number and start */
  gint64        value; /* of an instance: its end */
} TsRecent;

/* Of an instance: the second one */
typedef struct
{
  gint64 running, self, dt, e2s;
} TsRecentTimes;

/* and the third. */
typedef struct
{
  TsSamplePlace place; /* its number and activation */
  gint64        per, st;
} TsRecentActivation;

typedef union
{
  TsRecent           head;
  TsRecentTimes      times;
  TsRecentActivation activation;
} TsRecentSlot;

G_STATIC_ASSERT (sizeof (TsRecentSlot) == 32);

/* Of any metric they are no more than a batch can hold: an instance and an interval have one sample of it each. */
#define TS_RECENT_MAX TS_BATCH_SAMPLES

/* What was measured of one element. */
typedef struct
{
  /* What came last is gathered, and goes to the accumulators when it is much: with thousands of elements
   * those are in no cache, and each of them would be fetched for each of its samples. */
  TsRecentSlot   *recent;
  guint16         n_recent, size_recent;
  guint16         last_ran_on; /* resource + 1; 0: none yet */
  TsAccumulator  *metrics[TS_N_METRICS]; /* NULL: no sample, or shared; none for JIT and LOAD */
  guint           shared; /* bit 1 << TsMetricId: GET or SELF, whose samples so far are those of CET */
  TsElementCounts counts;
  GArray         *resources; /* of guint16: where it ran, for elements declared on none; or NULL */
  guint           lacking;   /* bit 1 << TsMetricId: a report that was read does not have this metric */
} TsMeasuredElement;

/* What was measured in one trace, or in one section of it. */
typedef struct
{
  guint              section; /* its number; 0: all */
  guint              current_section; /* of the samples that are being added */
  gboolean           keep_all;
  TsMeasuredElement *elements;
  guint              n_elements;
  TsInt128          *busy; /* of each resource */
  guint              n_resources;
  TsInt128           window;
  TsInt128          *windows; /* of each resource, where they differ: of a report that was read; or NULL */
  guint              input;   /* of a section of a report that was read: which of its inputs */
} TsMeasures;

TsMeasures *ts_measures_new (guint section, gboolean keep_all);
void        ts_measures_free (TsMeasures *measures);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsMeasures, ts_measures_free)

void ts_measures_grow (TsMeasures *measures, guint n_elements, guint n_resources);

/* Notes that @element, which is declared on none, ran on @resource. */
void ts_measures_note_resource (TsMeasures *measures, guint32 element, guint16 resource);

void ts_measures_add_counts (TsElementCounts *counts, const TsElementCounts *other);

/* The samples of @metric, or NULL. */
static inline TsAccumulator *
ts_measured_samples (const TsMeasuredElement *element, TsMetricId metric)
{
  return element->metrics[element->shared >> metric & 1 ? TS_METRIC_CET : metric];
}

/* From now on @metric has samples of its own. */
void ts_measured_unshare (TsMeasuredElement *element, TsMetricId metric);

/* Adds the samples of @from to those of @to; @moves: those of @from are no longer needed. */
void ts_measured_merge (TsMeasuredElement *to, TsMeasuredElement *from, gboolean moves);

/* Adds what @other measured to @measures; @other covers later sections. */
void ts_measures_merge (TsMeasures *measures, const TsMeasures *other);

/* metrics.c. What was added counts when the samples have been gathered, as must be before a section ends. */
void ts_metrics_gather (TsMeasures *measures);
/* The samples that an instance or an interval is worth. */
void ts_metrics_add_instance (TsMeasures *measures, const TsInstance *instance);
void ts_metrics_add_interval (TsMeasures *measures, const TsInterval *interval);
/* The metric whose samples @metric of an element of @type is calculated from. */
TsMetricId ts_metric_sampled (TsMetricId metric, TsElementType type);
/* Those samples, or NULL. */
const TsAccumulator *ts_metrics_samples (const TsMeasures *measures, guint32 element, TsElementType type,
                                         TsMetricId metric);

G_END_DECLS
