/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/diagnostics.h>
#include <tracestat/error.h>
#include <tracestat/event.h>
#include <tracestat/instance.h>
#include <tracestat/metrics.h>
#include <tracestat/table.h>

G_BEGIN_DECLS

typedef struct
{
  char      *name; /* glob on element names */
  TsTimeText period;
  gboolean      has_type; /* only elements of this type */
  TsElementType type;
  char         *source;   /* who says so; NULL: --period */
} TsPeriodOption;

/* How traces are read and analysed. Zero means the default everywhere. Texts, and the TsPeriodOption, its name and its source, are
 * allocated by g_malloc() or g_strdup(): ts_options_free() frees them, and with the arrays what is in them. All of it is for
 * reading a trace, but for percentiles, per_input, no_results and no_samples, which ts_report_new() looks at, too. */
typedef struct
{
  char      *input_format; /* NULL: detect */
  GPtrArray *idle;         /* globs, or NULL */
  GPtrArray *periods;      /* of TsPeriodOption, or NULL; the last that matches wins */
  gboolean   has_from, has_to;
  TsTimeText from, to;     /* analysis window (METRICS, rule 20) */
  gboolean   infer_preemption;
  gboolean   subtract_overhead;
  gboolean   fold_names; /* BTF: `[core/id]name' is one element on whatever core it runs */
  char      *element_key; /* TRACE: attributes that name an element; NULL: `name' */
  char      *instance_key; /* TRACE: attributes that tell its jobs apart; NULL: each claim is one */
  char      *exec_resources; /* TRACE: names of resources whose claims are execution; NULL: all */
  char      *activation; /* TRACE: none, dep, dep:KEY=VALUE or event:KEY=VALUE; NULL: none */
  char      *object_key; /* TRACE: attribute that names the object of a claim or event, or NULL */
  char      *group;      /* VisAndOr: kind, node, field, agent or depth; NULL: kind */
  char      *time_unit;  /* VisAndOr: unit of its stamps; NULL: us */
  guint64    max_expanded; /* bytes that compressed input may expand to; 0: the default limit */
  gboolean   no_scanner; /* no quick reader of usual entries and lines; the results are the same */
  gboolean   sort; /* a stream is sorted as a whole before it is analysed */
  gboolean   exact_percentiles;
  gboolean   no_samples; /* numbers, extremes, means and deviations only: no report has percentiles, and those of
                            JSON have no histograms, so that they cannot be read again. Not for one that is checked */
  gboolean   no_details; /* no SELF and no NPR, which no other metric is calculated from; with no_samples no deviations
                            (they are not known), and of extremes only the greatest GET and RT are sure to have a place (of
                            others the section may be 0) */
  gboolean   per_section;
  gboolean   is_baseline; /* a report stands as it is, whatever else is asked for here; it is found even where
                             input_format says what traces are */
  gboolean   per_input; /* ts_report_new() keeps the extremes of each of several traces: JUnit has them */
  GArray    *percentiles; /* of guint64, millionths of a percent; NULL: 50, 90, 95, 99 */
  guint      jobs; /* how many traces may be read at a time; above 1, input is expanded beside that; 0: 1 */
  gboolean   two_threads; /* where there are jobs enough, a long trace takes two of them: done sooner, for a little more
                             work in all */
  gboolean   no_results; /* TsReportElement.metrics have none: a report that is only written is done without, since they
                            are calculated then, element by element. Not for one that is checked */
  guint      exact_metrics; /* a bit for each TsMetricId: its percentiles are exact even without exact_percentiles */
} TsOptions;

TS_API TsOptions *ts_options_new (void);
TS_API void       ts_options_free (TsOptions *options);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsOptions, ts_options_free)

/* The next of those that were given and are for one format only, as "group" for "visandor", from the place *@i on, which is 0 in the
 * beginning; NULL behind the last one. Both texts live for ever. */
TS_API const char *ts_options_next_of_format (const TsOptions *options, guint *i, const char **format);

/* Whether options can be understood, those of every format, whichever will be read: what ts_trace_read() asks first. FALSE with
 * TS_ERROR_USAGE. */
TS_API gboolean ts_options_check (const TsOptions *options, GError **error);

/* One trace, read and analysed. */
typedef struct _TsTrace TsTrace;

/* Who wants every instance, in the order of their ends (the per-instance export). All may be NULL. With more than one
 * job calls may come from another thread, one at a time; of the trace, only its path and its system may be looked at. */
typedef struct
{
  void (*restart) (gpointer data, TsTrace *trace); /* a reading begins, perhaps once more: forget what came of this trace */
  void (*instance) (gpointer data, TsTrace *trace, const TsInstance *instance);
} TsInstanceSink;

/* Called now and then while reading. @size is 0 where it is not known. While several traces are read at a time
 * @path is NULL, and the others are sums over all of them; calls come from several threads, one at a time. */
typedef void (*TsProgress) (gpointer data, const char *path, guint64 position, guint64 size);

/* Reads @path ("-" is standard input) to its end. NULL with an error that names file, line
 * and reason if it cannot be opened, is of no known format, or is malformed: nothing that
 * was read until then is reported. A JSON report can be read as well: it stands for the traces that it is on, the format,
 * sections and events being those of the first of them, and has no instances, so with a @sink for these it is an error. */
TS_API TsTrace *ts_trace_read (const char *path, const TsOptions *options, const TsInstanceSink *sink, gpointer sink_data,
                               TsProgress progress, gpointer progress_data, GError **error);
TS_API void     ts_trace_free (TsTrace *trace);

/* Reads the traces @paths, which end with a NULL, up to @options->jobs at a time: an array that frees its TsTrace,
 * in the order of @paths. NULL with the error of the first of them that cannot be read; others are then given up.
 * Whatever the number of jobs, results and errors are the same, and so are the calls of @sink: with one, or if one
 * stream is named twice, the traces are read one after another. Each trace being read takes memory of its own.
 * Nothing may change @options meanwhile. */
TS_API GPtrArray *ts_traces_read (const char *const *paths, const TsOptions *options, const TsInstanceSink *sink,
                                  gpointer sink_data, TsProgress progress, gpointer progress_data, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsTrace, ts_trace_free)

TS_API const char          *ts_trace_get_path (const TsTrace *trace);
TS_API const char          *ts_trace_get_format (const TsTrace *trace); /* name of the importer */
TS_API TsSystem            *ts_trace_get_system (const TsTrace *trace);
TS_API const TsDiagnostics *ts_trace_get_diagnostics (const TsTrace *trace);
TS_API guint                ts_trace_n_sections (const TsTrace *trace);
TS_API const TsSection     *ts_trace_get_section (const TsTrace *trace, guint index);
/* What some formats can tell beside the metrics (usage of resources, parallelism); times
 * in internal units of the trace's own base. */
TS_API guint                ts_trace_n_tables (const TsTrace *trace);
TS_API const TsTable       *ts_trace_get_table (const TsTrace *trace, guint index);
TS_API guint                ts_trace_n_resources (const TsTrace *trace);
TS_API guint                ts_trace_n_elements (const TsTrace *trace);
TS_API guint64              ts_trace_n_events (const TsTrace *trace);
TS_API guint64              ts_trace_n_instances (const TsTrace *trace);

G_END_DECLS
