/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/diagnostics.h>
#include <tracestat/figure.h>
#include <tracestat/metrics.h>
#include <tracestat/table.h>
#include <tracestat/trace.h>

G_BEGIN_DECLS

/* The results of one or more traces, pooled element by element, ready to be printed.
 * Everything in it is lent until ts_report_free(). */

typedef struct
{
  guint64        n; /* 0: everything below is meaningless */
  TsRational     min, mean, max; /* internal units of the report's base; ratios and counts plain */
  TsRoot         stddev; /* the same; not known: not measured, see TsOptions.no_details */
  TsExtreme      min_where, max_where;
  TsInt128       sum;
  TsRational    *percentiles; /* as many as the report has; NULL for none */
  const char    *reference;   /* JIT, PER: "configured", "activation", "start", or NULL */
  TsRational     reference_value; /* internal units; LOAD: the window */
  const TsAccumulator *accumulator; /* its samples, or NULL for LOAD; for JIT those of DT */
} TsMetricResult;

/* The value of @figure in @result, in internal units, which must have samples unless the figure is their
 * number. @place: where it was seen, or NULL for a figure that has no place; may be NULL.
 * A standard deviation is as ts_root_to_rational() has it. */
TS_API TsRational ts_figure_value (const TsFigure *figure, const TsMetricResult *result, const TsExtreme **place);

/* Of TsReportElement.lacking: the report was written when nobody counted defects by element, and TsUnfinished had neither what was
 * not seen to start nor what came to rest. */
#define TS_LACKS_DEFECTS (1u << TS_N_METRICS)

/* What one of several traces gave to a metric of an element. */
typedef struct
{
  guint      input; /* index of the trace; of a report that was read, of the first one that it is on */
  TsMetricId metric; /* of its samples: DT for JIT */
  guint64    n;
  TsExtreme  min, max; /* if there are samples */
  gboolean   has_unfinished;
  TsExtreme  unfinished; /* see TsUnfinished */
} TsShare;

typedef struct
{
  const char     *resource; /* declared, or those that it ran on joined by '+'; "" if none */
  const char     *declared_on; /* the resource that all traces declare it on, or NULL */
  const char     *parent;   /* "" if none */
  const char     *name;
  const char     *id; /* "" if none */
  const char     *comment; /* or NULL */
  TsElementType   type;
  guint           depth; /* in the tree of elements */
  gboolean        idle;
  GArray         *annotations; /* of TsAnnotation, or NULL: those of all traces, without what is the same */
  guint           declared_by; /* index of the first trace that has it */
  guint32         declared_as; /* its id in the system of that one */
  const char     *period_source; /* who configured its period, or NULL */
  gboolean        periods_differ; /* those that the traces configure, or some have none: the largest one is used */
  GArray         *shares; /* of TsShare, with TsOptions.per_input and several traces; else NULL */
  const TsUnfinished *unfinished; /* or NULL */
  guint           lacking; /* bit 1 << TsMetricId: the report that it was read from does not have the metric at all; or
                            * TS_LACKS_DEFECTS */
  TsElementCounts counts;
  const TsMetricResult *metrics[TS_N_METRICS]; /* none is NULL; those of the same samples may be the same */
} TsReportElement;

typedef struct
{
  const char    *name;
  const char    *id; /* "" if none */
  const char    *scheduler; /* or NULL */
  TsMetricResult load; /* n is 1; sum: busy time */
} TsReportResource;

/* One block of results: all sections pooled, or one section. */
typedef struct
{
  guint      section; /* 0: pooled; else its number */
  guint      input;   /* of a section's block: which trace */
  GPtrArray *elements;  /* of TsReportElement */
  GPtrArray *resources; /* of TsReportResource */
} TsReportBlock;

typedef struct _TsReport TsReport;
typedef struct _TsPrintOptions TsPrintOptions;

/* Who has more to show with a report than metrics. */
typedef struct
{
  void (*add_tables) (gconstpointer data, const TsPrintOptions *options, guint audience, GPtrArray *tables);
  gconstpointer data;
} TsTableSource;

struct _TsReport
{
  GPtrArray     *traces; /* of TsTrace; a report that was read counts as the traces that it is on */
  GPtrArray     *given;  /* of TsTrace, as they were handed over */
  TsTimeBase     base;   /* common to all traces */
  GPtrArray     *blocks; /* of TsReportBlock; the first is the pooled one */
  GPtrArray     *measures; /* the samples of each block */
  TsDiagnostics *diagnostics;
  char          *input; /* the paths, joined by '+' */
  guint64       *percentiles; /* millionths of a percent */
  guint          n_percentiles;
  gboolean       exact; /* no percentile comes from a histogram */
  gboolean       is_only_written; /* samples or results were left out (TsOptions): it cannot be checked */
};

/* Pools @given (of TsTrace, in the order of the command line; the report takes a
 * reference on the array, and the samples out of the traces). NULL with TS_ERROR_RANGE or TS_ERROR_USAGE if their time bases do
 * not go together, and with TS_ERROR_USAGE if one was reported on already or is there twice: for another report it has to be
 * read again. */
TS_API TsReport *ts_report_new (GPtrArray *given, const TsOptions *options, GError **error);
TS_API void      ts_report_free (TsReport *report);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsReport, ts_report_free)

/* What of a report is printed, and how. */
struct _TsPrintOptions
{
  guint       metrics; /* bit 1 << TsMetricId for each one that is shown; 0: all */
  GPtrArray  *elements; /* globs on names, or NULL for all */
  guint       types;   /* bit 1 << TsElementType; 0: all */
  const TsFigure *rank; /* text, and the metrics of CSV: elements are in this order, the worst first; lent; NULL: as in the
                           trace. The worst is the least of a minimum, and the largest of all else; not of LOAD */
  guint       top;     /* of these only the first so many; 0: all */
  const char *table;   /* CSV only: which flat table; NULL: `metrics' */
  TsUnit      unit;    /* TS_UNIT_FITTING: text fits one, files use ns; 0 is TS_UNIT_TICKS */
  gboolean    colour;  /* text only: escape sequences */
  gboolean    unicode; /* text only: characters beyond ASCII for lines and bars */
  guint       width;   /* text only: columns of the terminal; 0: 100 */
  TsTableSource more;  /* asked for its tables whenever a report is written; add_tables may be NULL */
};

/* Whether any element of @report that @options show has a sample of @metric. */
TS_API gboolean ts_report_has_samples (const TsReport *report, const TsPrintOptions *options, TsMetricId metric);

/* All tables of @report, for every audience, in the order of printing. @report and its traces must outlive them. */
TS_API GPtrArray *ts_report_tables (const TsReport *report, const TsPrintOptions *options); /* of TsTable */

G_END_DECLS
