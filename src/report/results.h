/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/report.h>

#include "analyse/measures.h"

G_BEGIN_DECLS

/* An element of a report that was pooled, with what it knows beside. */
typedef struct
{
  TsReportElement          element;
  const TsMeasuredElement *samples;
  guint                    measured; /* bit 1 << TsMetricId: there are results of it */
  TsRational               period; /* where element.period_source says who configured it */
} TsPooledElement;

/* The results of one element, for as long as they are looked at: those of thousands are more than what was measured.
 * Fractions in them are exact, but need not be reduced. */
typedef struct
{
  const TsMetricResult  *metrics[TS_N_METRICS]; /* none is NULL; those of the same samples may be the same */
  TsMetricResult         own[TS_N_METRICS];
  const TsReport        *report;
  const TsReportElement *element; /* that they are of, or NULL */
  TsRational            *percentiles; /* of all `own' */
  guint64               *ranks;   /* of percentiles, twice as many */
  gint64                *values;  /* there */
  gint64                *falling; /* percentiles of DT from the other end */
} TsResults;

TsResults *ts_results_new (const TsReport *report);
void       ts_results_free (TsResults *results);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsResults, ts_results_free)

/* Whether it is known where @extreme, of @result, was. */
static inline gboolean
ts_result_has_place (const TsMetricResult *result, const TsExtreme *extreme)
{
  return extreme->section != 0 || result->accumulator == NULL || !result->accumulator->no_squares;
}

#define TS_ALL_RESULTS ((1u << TS_METRIC_LOAD) - 1)

/* Of the metrics @wanted, bit 1 << TsMetricId. @with_spread: with standard deviations and percentiles, sums, and where
 * the extremes are; else with numbers, extremes and means only. What @element has itself is not calculated. */
void ts_results_calculate (TsResults *results, const TsReportElement *element, guint wanted, gboolean with_spread);

/* Fetches what that needs of one of @elements, of which @index is about to be calculated: with thousands, none of it is
 * in a cache, and each pointer to the next would be waited for. */
void ts_results_prefetch (const TsReportElement *const *elements, guint n_elements, guint index, guint wanted);

/* All of them, for whoever has the report ... */
void ts_results_keep (const TsResults *results, TsArena *arena, TsReportElement *element);
/* ... or none: they are calculated when they are needed. */
void ts_results_leave_out (TsReportElement *element);

/* Of which metrics there are results, and whether all percentiles of them are exact. */
guint ts_results_find (const TsPooledElement *element, gboolean *is_exact);

/* The same of any element of a report. */
guint            ts_results_measured (const TsReportElement *element);
const TsExtreme *ts_results_max (const TsReportElement *element, TsMetricId metric); /* not of JIT; NULL: no sample */
const char      *ts_results_reference (const TsReportElement *element); /* what JIT relates to, or NULL */
TsRational       ts_results_configured_period (const TsReportElement *element); /* where somebody did */

TsRational ts_jitter_of (TsRational delta, TsRational period); /* 1 - delta / period */

G_END_DECLS
