/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/report.h>

/* What --metric, --element and --type let through. */
typedef struct
{
  guint      metrics;  /* bit 1 << TsMetricId */
  gboolean   has_metrics; /* not all of them */
  guint      types;    /* bit 1 << TsElementType */
  gboolean   has_types;
  GPtrArray *patterns; /* of GPatternSpec, or NULL */
} TsFilter;

TsFilter *ts_filter_new (const TsPrintOptions *options);
void      ts_filter_free (TsFilter *filter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsFilter, ts_filter_free)
gboolean ts_filter_has_metric (const TsFilter *filter, TsMetricId metric);
gboolean ts_filter_has_element (const TsFilter *filter, TsElementType type, const char *name);
gboolean ts_filter_has_resource (const TsFilter *filter, const char *name);

/* FALSE: a metric of some formats only, and there is none of it. */
gboolean ts_result_has_row (TsMetricId metric, const TsMetricResult *result);

/* The unit of times in files: the one asked for, nanoseconds, or ticks where nothing else is known. */
TsUnit ts_file_unit (TsUnit asked, const TsTimeBase *base);

/* table.c: a list whose rows are made when they are looked at: of thousands of elements the cells of all are more than
 * what was measured. @make begins @row and adds its cells, whose texts must outlive the table; they are there until
 * another row is looked at. @data goes with the table. */
typedef void (*TsRowMaker) (TsTable *table, gconstpointer data, guint row);
TsTable *ts_table_new_late (const char *name, const char *title, guint audience, const TsColumn *columns,
                            guint n_columns, guint n_rows, TsRowMaker make, gpointer data, GDestroyNotify free_data);

/* All cells of a row, with what ts_table_get_cell() says of them; those beyond *@n_cells are absent. */
const TsCell *ts_table_get_cells (const TsTable *table, guint row, guint *n_cells);

/* @units in those of @factor. No common factors are looked for: formatting does not need them gone, and looking costs
 * more than it. */
TsRational ts_scale_time (TsRational units, TsRational factor);

/* Tables of @report for @audience only, which saves making the others. */
GPtrArray *ts_report_tables_for (const TsReport *report, const TsPrintOptions *options, guint audience);

/* The parts of it, one for each audience. */
TsTable *ts_metrics_table (const TsReport *report, const TsPrintOptions *options, const TsFilter *filter);
void     ts_add_program_tables (GPtrArray *tables, const TsReport *report, const TsPrintOptions *options,
                                const TsFilter *filter);
void     ts_add_people_tables (GPtrArray *tables, const TsReport *report, const TsPrintOptions *options,
                               const TsFilter *filter);

/* The tables that traces bring themselves, for each audience (tables-traces.c). */
void     ts_add_trace_people_tables (GPtrArray *tables, const TsReport *report);
void     ts_add_trace_sheets (GPtrArray *tables, const TsReport *report, const TsPrintOptions *options);
TsTable *ts_trace_tables_record (const TsReport *report, const TsTrace *trace); /* NULL if there are none */

/* The `inputs` of the JSON report. */
TsTable *ts_inputs_table (const TsReport *report);

/* The version of what the members of the JSON report mean. */
#define TS_REPORT_SCHEMA 1

/* tables-merge.c: what a report needs to be read again and merged without a loss */
TsTable *ts_merge_table (const TsAccumulator *samples);
TsTable *ts_merge_load_table (const TsMetricResult *load);
TsTable *ts_configured_period_table (const TsReportElement *element); /* or NULL */
TsTable *ts_time_base_table (const TsTimeBase *base);

/* Helpers of all three. */
const char   *ts_percentile_name (guint64 millionths); /* "p99.9", lives for ever */
const char   *ts_metric_unit_name (TsMetricId metric, TsUnit unit);
TsRational    ts_in_ticks (TsRational units, const TsTimeBase *base);
/* Of the internal units of @trace to those of the report. */
gboolean      ts_report_has_one_tick (const TsReport *report); /* a tick is the same time in all traces */
TsRational    ts_input_factor (const TsReport *report, const TsTrace *trace);
/* What a tick of @trace is in internal units of the report. */
TsRational    ts_input_tick (const TsReport *report, const TsTrace *trace);
TsRational    ts_jitter_of (TsRational delta, TsRational period); /* 1 - delta / period */
TsInt128      ts_trace_span (const TsTrace *trace); /* of all its sections, internal units of its own */
const char   *ts_block_path (const TsReport *report, const TsReportBlock *block);
TsRational    ts_scaled (gint64 units, TsRational factor);
/* Rows of a tree in order, parents first: those above a chosen one are chosen too. */
void ts_choose_ancestors (gboolean *chosen, const guint *depths, guint n_rows);
/* A value of @metric as the cell that its quantity asks for. */
void ts_add_metric_value (TsTable *table, TsMetricId metric, TsRational value);
