/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/report.h>

#include "model/table.h"

/* What --metric, --element and --type let through. */
typedef struct
{
  guint            metrics;     /* bit 1 << TsMetricId */
  gboolean         has_metrics; /* not all of them */
  guint            types;       /* bit 1 << TsElementType */
  gboolean         has_types;
  const GPtrArray *globs;       /* those of the options, or NULL */
} TsFilter;

TsFilter *ts_filter_new (const TsPrintOptions *options);
void      ts_filter_free (TsFilter *filter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsFilter, ts_filter_free)
gboolean ts_filter_has_metric (const TsFilter *filter, TsMetricId metric);
gboolean ts_filter_has_element (const TsFilter *filter, TsElementType type, const char *name);
gboolean ts_filter_has_resource (const TsFilter *filter, const char *name);

/* FALSE: a metric of some formats only, and there is none of it. */
gboolean ts_element_has_row (const TsReportElement *element, TsMetricId metric);

/* range.c: whether @units times @factor can be held; whether all times of @report can in @unit: TS_ERROR_RANGE if not. */
gboolean ts_time_fits (double units, TsRational factor);
gboolean ts_report_fits (const TsReport *report, TsUnit unit, GError **error);

/* The unit of times in files: the one asked for, nanoseconds, or ticks where nothing else is known. */
TsUnit ts_file_unit (TsUnit asked, const TsTimeBase *base);

/* Adds a paragraph for people. */
void ts_tables_add_sentence (GPtrArray *tables, const char *name, const char *sentence);

/* Tables of @report for @audience only, which saves making the others. */
GPtrArray *ts_report_tables_for (const TsReport *report, const TsPrintOptions *options, guint audience);

/* The part of it for TS_FOR_PROGRAMS. */
void     ts_add_program_tables (GPtrArray *tables, const TsReport *report, const TsPrintOptions *options);
/* tables-load.c: how busy the resources were */
void     ts_add_load_table (GPtrArray *tables, const TsReportBlock *block, const TsFilter *filter);
/* tables-worst.c: of @metric, the longest of @elements (of TsReportElement) */
void     ts_add_worst_table (GPtrArray *tables, const TsReport *report, const GPtrArray *elements, TsMetricId metric);
void     ts_add_people_tables (GPtrArray *tables, const TsReport *report, const TsPrintOptions *options,
                               const TsFilter *filter);

/* tables-diagnostics.c: for people. Where percentiles are shown, how exact they are; and diagnostics, the worst first. */
void     ts_add_precision (GPtrArray *tables, const TsReport *report, const TsPrintOptions *options);
void     ts_add_diagnostics_table (GPtrArray *tables, const TsDiagnostics *diagnostics);
/* Which elements have defects, and so numbers not to rely on. */
void     ts_add_defective_elements (GPtrArray *tables, const TsReport *report);

/* rank.c: the indices of @elements (of TsReportElement) in the order of @rank, the worst first; of guint. */
GArray *ts_rank_elements (const TsReport *report, const GPtrArray *elements, const TsFigure *rank);
/* Says so to people, of @n_elements before any is left out; whether any of them has a sample of that metric. */
void    ts_add_ranking (GPtrArray *tables, const TsPrintOptions *options, guint n_elements, gboolean has_samples);

/* The tables that traces bring themselves, for each audience (tables-traces.c). */
void     ts_add_trace_people_tables (GPtrArray *tables, const TsReport *report);
void     ts_add_trace_sheets (GPtrArray *tables, const TsReport *report, const TsPrintOptions *options);
TsTable *ts_trace_tables_record (const TsReport *report, const TsTrace *trace); /* NULL if there are none */

/* The `inputs` of the JSON report. */
TsTable *ts_inputs_table (const TsReport *report);
/* A line of the summary about each. */
TsTable *ts_trace_lines_table (const TsReport *report);

/* The version of what the members of the JSON report mean. */
#define TS_REPORT_SCHEMA 1

/* tables-elements.c: all elements of a block, or those that @options ask for, once ts_elements_table_show() was told
 * which block. */
TsTable *ts_elements_table_new (const TsReport *report, const TsPrintOptions *options);
void     ts_elements_table_show (TsTable *table, const TsReportBlock *block);

/* tables-merge.c: what a report needs to be read again and merged without a loss */
TsTable *ts_merge_table_new (void);
void     ts_merge_table_show (TsTable *table, const TsAccumulator *samples);
TsTable *ts_merge_load_table_new (void);
void     ts_merge_load_table_show (TsTable *table, const TsMetricResult *load);
TsTable *ts_configured_period_table_new (void);
void     ts_configured_period_table_show (TsTable *table, const TsReportElement *element); /* which has one */
TsTable *ts_time_base_table (const TsTimeBase *base);

/* Numerator or denominator of a time base or an overhead. */
#define TS_MOST_OF_FRACTION ((TsInt128) 1 << 63)

/* Two cells, for what a trace may state up to that. */
static inline void
ts_table_add_fraction (TsTable *table, guint64 numerator, guint64 denominator)
{
  ts_table_add_number (table, (TsRational){ numerator, 1 });
  ts_table_add_number (table, (TsRational){ denominator, 1 });
}

/* report.c: annotations that configure the period of an element; the first of them counts that it has. */
#define TS_N_PERIOD_ANNOTATIONS 3
extern const char *const ts_period_annotations[TS_N_PERIOD_ANNOTATIONS];

/* Shared by all of them. */
const char   *ts_percentile_name (guint64 millionths); /* "p99.9", lives for ever */
const char   *ts_metric_unit_name (TsMetricId metric, TsUnit unit);
TsRational    ts_in_ticks (TsRational units, const TsTimeBase *base);
gboolean      ts_report_has_one_tick (const TsReport *report); /* a tick is the same time in all traces */
/* Of the internal units of @trace to those of the report. */
TsRational    ts_input_factor (const TsReport *report, const TsTrace *trace);
/* What a tick of @trace is in internal units of the report. */
TsRational    ts_input_tick (const TsReport *report, const TsTrace *trace);
TsInt128      ts_trace_span (const TsTrace *trace); /* of all its sections, internal units of its own */
TsRational    ts_report_span (const TsReport *report); /* of all its traces, internal units */
const char   *ts_block_path (const TsReport *report, const TsReportBlock *block);
TsRational    ts_scaled (gint64 units, TsRational factor);
/* Rows of a tree in order, parents first: those above a chosen one are chosen too. */
void ts_choose_ancestors (gboolean *chosen, const guint *depths, guint n_rows);
/* The cells of @metric in files, from `metric' to `reference_value', of a late row; if there are no samples, the first
 * three. */
TsCell *ts_put_metric (TsCell *cells, const TsReport *report, TsMetricId metric, const TsMetricResult *result,
                       TsUnit unit);
/* A value of @metric as the cell that its quantity asks for. */
void ts_add_metric_value (TsTable *table, TsMetricId metric, TsRational value);
