/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/report.h>
#include <tracestat/sink.h>

G_BEGIN_DECLS

/* The release check: limits, and the comparison with an earlier report.
 *
 *   limits = ts_limits_new ();
 *   ts_limits_read (limits, "limits.ini", &error);
 *   ts_limits_apply (limits, options);             before the traces are read: idle tasks and periods
 *   ... ts_trace_read (), ts_report_new () ...
 *   check = ts_check_new (report, limits, baseline, &check_options, &error);
 *   ts_check_passed (check)
 *   print_options.more = ts_check_table_source (check);     verdicts in every report that is written
 *
 * Nothing passes because it could not be looked at: what has no samples, matches no element or
 * vanished is a verdict of its own, and no pass. */

/* Limits: files in the syntax of tracestat-limits(5), and tolerances of a comparison. */
typedef struct _TsLimits TsLimits;

TS_API TsLimits *ts_limits_new (void);
TS_API void      ts_limits_free (TsLimits *limits);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsLimits, ts_limits_free)

/* Adds the limits of a file to those that are there. FALSE with TS_ERROR_INPUT if it cannot be
 * read, with TS_ERROR_USAGE and a message with file and line if something in it is not known. */
TS_API gboolean ts_limits_read (TsLimits *limits, const char *path, GError **error);

/* The same for @text, @path being its name in messages. */
TS_API gboolean ts_limits_parse (TsLimits *limits, const char *path, const char *text, gsize length, GError **error);

/* Also the limits that a trace itself carries: annotations as CETmax. */
TS_API void ts_limits_use_annotations (TsLimits *limits);

/* "5%", "RT=5%", "RT.max=2%", "CET.p99=10us". The later of equal ones counts, and those given
 * here come before those of files. */
TS_API gboolean ts_limits_add_tolerance (TsLimits *limits, const char *text, GError **error);

/* Hands the periods and idle tasks of @limits to the analysis, and which percentiles have to be exact; periods that
 * @options already has stay the stronger ones. */
TS_API void ts_limits_apply (const TsLimits *limits, TsOptions *options);

typedef enum
{
  TS_VERDICT_HOLDS,
  TS_VERDICT_NOISE,       /* worse than the tolerance allows, and not significant where that was asked for */
  TS_VERDICT_SKIPPED,     /* no samples, and the limit is optional */
  TS_VERDICT_NEW,         /* the baseline had no samples of it */
  TS_VERDICT_VIOLATED,    /* from here on none is a pass */
  TS_VERDICT_NO_SAMPLES,  /* there is nothing to hold against the bound */
  TS_VERDICT_NO_MATCH,    /* a section that matches no element */
  TS_VERDICT_VANISHED,    /* an element of the baseline that is not there any more */
  TS_VERDICT_LACKING,     /* the baseline does not have the metric */
  TS_VERDICT_DIFFERENT,   /* it does not mean the same there: jitter that relates to another period */
  TS_N_VERDICTS
} TsVerdictResult;

TS_API const char *ts_verdict_result_name (TsVerdictResult result); /* "holds", "violated", "no samples" ... */

/* One limit held against one element, or one figure of it compared. Times in internal units of
 * the report; texts are owned by the check or the report. */
typedef struct
{
  TsVerdictResult result;
  gboolean        is_comparison, is_annotation;
  const char     *type;    /* "task", "resource"; "" for a section without a match */
  const char     *element; /* "" for a section without a match */
  const char     *id;
  const char     *parent, *resource;
  char           *label;   /* the name, and what tells it from others of the same name: "CS (task 4)" */
  gboolean        has_figure;
  TsFigure        figure;
  guint64         n;
  gboolean        has_value, has_bound, has_margin, has_place;
  TsRational      value;
  gboolean        is_lower; /* the bound is a lower one */
  gboolean        is_unsure; /* violated by what the value may be: a percentile from a histogram, near to the bound */
  gboolean        is_unfinished; /* the value is of what was not over, or not seen to start, which took as long, or longer: see
                                  * TsUnfinished */
  gboolean        came_to_rest; /* it holds of DT, PER or JIT, but none came for longer than the bound allows until the trace ended */
  TsRational      bound;
  TsRational      margin; /* what is left up to the bound, relative to it; negative: beyond */
  gboolean        has_outside; /* a limit on a maximum, a minimum or a percentile, and the samples of it are known */
  guint64         n_outside, n_outside_max; /* samples beyond the bound: at least and at most so many, as one may be in the
                                               same bucket of a histogram as the bound */
  TsExtreme       place;  /* where the value, or the worst of what makes it up, was seen */
  char           *source; /* "limits.ini:7", "--baseline old.json" */
  char           *section; /* "[Task_*]", "annotation CETmax"; of a comparison the tolerance */
  char           *note;   /* or NULL */
  guint           input;  /* of a part: which trace */
  GPtrArray      *parts;  /* of TsVerdict: what of it each trace has alone, or NULL; see ts_check_write_junit() */
  /* of a comparison */
  guint64    old_n;
  gboolean   has_old, has_relative, has_p;
  TsRational old;      /* in internal units of the new report */
  TsRational relative; /* (new - old) / |old| */
  double     p;        /* of the two-sample test on the distributions */
  gboolean   is_significant;
} TsVerdict;

typedef struct
{
  const char *baseline_path;
  gboolean    gate_significance; /* a change must also be significant to be a violation */
  double      significance;      /* 0: 0.01 */
  gboolean    strict;            /* that a trace has no defects is a test, see ts_check_write_junit() */
  const TsDiagnosticRule *rules; /* of what counts as one, by TsDiagnosticId; lent; or NULL */
} TsCheckOptions;

typedef struct _TsCheck TsCheck;

/* Holds @report against @limits and @baseline (either may be NULL), all lent until
 * ts_check_free(). NULL with TS_ERROR_USAGE if a bound cannot be understood in the time base of the traces, if
 * there is nothing to check, if the reports do not go together, or if they lack samples or results (TsOptions.no_samples,
 * no_results). */
TS_API TsCheck *ts_check_new (const TsReport *report, const TsLimits *limits, const TsReport *baseline,
                              const TsCheckOptions *options, GError **error);
TS_API void     ts_check_free (TsCheck *check);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsCheck, ts_check_free)

TS_API gboolean         ts_check_passed (const TsCheck *check);
/* Whether the baseline has defects of the kind @id that are not allowed: what is compared with it may be no worse only for these. */
TS_API gboolean         ts_check_refuses_baseline (const TsCheck *check, TsDiagnosticId id);
TS_API guint            ts_check_n_verdicts (const TsCheck *check);
TS_API const TsVerdict *ts_check_get_verdict (const TsCheck *check, guint index);

/* For TsPrintOptions: the tables `verdicts' and `comparison', and those for people, as a part of the report. */
TS_API TsTableSource ts_check_table_source (const TsCheck *check);

/* Only the tables for people on the verdicts, as the last part of the summary has them. */
TS_API GPtrArray *ts_check_summary (const TsCheck *check, const TsPrintOptions *options); /* of TsTable */

/* JUnit XML, as Jenkins and GitLab read it. With several traces (and TsOptions.per_input) there is a suite for each
 * one: a limit that holds if and only if it holds in each trace, one on an extreme, is a test of each. What only all
 * traces together have is in a suite of its own, as is whether they have defects. */
TS_API gboolean ts_check_write_junit (const TsCheck *check, TsSink sink, GError **error);

/* Writes limits that @report keeps: what was measured, and @margin (a ratio) more. The filters
 * of @options choose elements and metrics. FALSE also, with TS_ERROR_USAGE, if @report lacks samples or results. */
TS_API gboolean ts_limits_write (const TsReport *report, const TsPrintOptions *options, TsRational margin,
                                 TsSink sink, GError **error);

G_END_DECLS
