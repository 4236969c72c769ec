/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/instance.h>
#include <tracestat/metrics.h>
#include <tracestat/statistics.h>

G_BEGIN_DECLS

/* What was measured of one element. */
typedef struct
{
  TsAccumulator  *metrics[TS_N_METRICS]; /* NULL: no sample; none for JIT and LOAD */
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

/* Adds what @other measured to @measures; @other covers later sections. */
void ts_measures_merge (TsMeasures *measures, const TsMeasures *other);

static inline void
ts_measures_add (TsMeasures *measures, guint32 element, TsMetricId metric, gint64 value, gint64 at, gint64 number)
{
  TsAccumulator **place = &measures->elements[element].metrics[metric];

  if (G_UNLIKELY (*place == NULL))
    *place = ts_accumulator_new (measures->keep_all);
  ts_accumulator_add (*place, value, at, number, measures->current_section);
}

/* metrics.c: the samples that an instance or an interval is worth . */
void ts_metrics_add_instance (TsMeasures *measures, const TsInstance *instance);
void ts_metrics_add_interval (TsMeasures *measures, const TsInterval *interval);
/* The metric whose samples @metric of an element of @type is calculated from. */
TsMetricId ts_metric_sampled (TsMetricId metric, TsElementType type);
/* Those samples, or NULL. */
const TsAccumulator *ts_metrics_samples (const TsMeasures *measures, guint32 element, TsElementType type,
                                         TsMetricId metric);

G_END_DECLS
