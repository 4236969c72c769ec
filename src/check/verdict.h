/* SPDX-License-Identifier: MIT */
#pragma once

#include "check/limits.h"
#include "report/label.h"

G_BEGIN_DECLS

struct _TsCheck
{
  const TsReport *report;
  const TsLimits *limits;
  const TsReport *baseline;
  TsCheckOptions  options;
  char           *baseline_path;
  char           *baseline_window; /* how the windows of the two differ, or NULL */
  TsRational      baseline_span; /* how long its traces are together, internal units of the report */
  GPtrArray      *verdicts; /* of TsVerdict: limits, then comparisons */
  guint           n_limits, n_comparisons; /* that were held against a bound */
  GHashTable     *labels[2]; /* of the report, and of the baseline or NULL */
  guint           n_results[TS_N_VERDICTS];
};

/* verdict.c: a new verdict of @check; @source is taken. */
TsVerdict *ts_verdict_new (TsCheck *check, const TsSubject *subject, char *source);
void       ts_verdict_free (gpointer verdict);
gboolean   ts_verdict_is_pass (TsVerdictResult result);

/* Whether it is on a section that matches nothing, and so on no element. */
static inline gboolean
ts_verdict_is_of_section (const TsVerdict *verdict)
{
  return verdict->result == TS_VERDICT_NO_MATCH;
}

/* Sections of limits, or of tolerances, that match nothing: that may be a typing error, and is no pass. @matched: by
 * TsLimitSection.order. */
void ts_check_add_unmatched (TsCheck *check, const gboolean *matched, gboolean of_tolerances);

/* Whether bounds on @metric are held against what was not over. */
static inline gboolean
ts_verdict_holds_unfinished (TsMetricId metric)
{
  return metric <= TS_METRIC_RT;
}

/* What was not over and is held against bounds on @metric, or NULL; so may be @unfinished. */
static inline const TsExtreme *
ts_verdict_unfinished (const TsUnfinished *unfinished, TsMetricId metric)
{
  return ts_verdict_holds_unfinished (metric) ? ts_unfinished_get (unfinished, metric) : NULL;
}

/* The value of @figure, as ts_figure_value(); a maximum is that of what was not over, too, if that is longer than all samples:
 * *is_unfinished. @unfinished may be NULL: then there must be samples, unless their number is asked for. So may @place and
 * @is_unfinished. */
TsRational ts_verdict_value (const TsFigure *figure, const TsMetricResult *result, const TsExtreme *unfinished,
                             const TsExtreme **place, gboolean *is_unfinished);

/* Holds @result against the bound of @verdict, which has its figure: fills value, margin, place and result.
 * Without samples it is TS_VERDICT_NO_SAMPLES, but for what is @unfinished, or NULL, and already beyond the bound. */
void ts_verdict_judge (TsVerdict *verdict, const TsMetricResult *result, const TsExtreme *unfinished);

/* sentence.c: where @place is, if there are several sections or traces: ", section 2, b.btf" */
void ts_check_append_source (GString *text, const TsCheck *check, const TsExtreme *place);

/* rest.c: what is awaited of what @metric is calculated from, or NULL; so may be @unfinished. */
const TsExtreme *ts_verdict_awaited (const TsUnfinished *unfinished, TsMetricId metric);

/* Whether a sample of DT or PER that took as long as @length, or longer, would be beyond the bound of @verdict. */
gboolean ts_verdict_would_break (const TsVerdict *verdict, const TsMetricResult *result, TsRational length);

/* Notes that @verdict, which @result keeps, would not hold if what is awaited were a sample. */
void ts_check_note_rest (const TsCheck *check, TsVerdict *verdict, const TsMetricResult *result, const TsUnfinished *unfinished);

/* How far @value, a middle of a bucket, may be from a sample in that, or @n such of one sample from each other: a middle m is
 * within v/256 of each v in its bucket, so v is within m/255 of m (TS_HISTOGRAM_BLUR), and two middles for one v are within
 * 2/255. */
TsRational ts_verdict_blur (TsRational value, guint n);

/* Which of two that are violated is worse, < 0: @a. What cannot be told in percent, as beyond a bound of 0, comes first, the largest
 * first, and what may be violated, near to its bound, last. */
int ts_verdict_compare_worst (const TsVerdict *a, const TsVerdict *b);

/* outside.c: fills n_outside, if samples are what the bound of @verdict is about. */
void ts_verdict_count_outside (TsVerdict *verdict, const TsMetricResult *result);

/* parts.c: fills parts with what each trace has of it alone, where that makes up the whole. */
void ts_verdict_judge_parts (TsVerdict *verdict, const TsReportElement *element);

/* check.c: FALSE, with TS_ERROR_USAGE: figures of @report would not be those of its traces, since samples or results of it were
 * left out. */
gboolean ts_report_can_be_checked (const TsReport *report, GError **error);

/* baseline.c */
gboolean ts_check_compare (TsCheck *check, GError **error);

/* A change is significant if the chance of it is below this, unless another one is asked for. */
#define TS_SIGNIFICANCE 0.01

/* significance.c: the chance that two samples of one and the same distribution differ as these do, by the two-sample
 * test of Kolmogorov and Smirnov; @factor_a, @factor_b bring both to one time base. FALSE: it cannot be said. */
gboolean ts_compare_distributions (const TsAccumulator *a, gint64 factor_a, const TsAccumulator *b, gint64 factor_b,
                                   double *p);

/* sentence.c: @verdict in words, for people. The texts are new. */
char *ts_verdict_subject (const TsVerdict *verdict);  /* "Task_10ms RT.max" */
char *ts_verdict_sentence (const TsCheck *check, const TsVerdict *verdict, const TsPrintOptions *options);
char *ts_verdict_origin (const TsCheck *check, const TsVerdict *verdict, const TsPrintOptions *options);
/* "3 of 90 above", and @where; NULL: no sample is known to be outside */
char *ts_verdict_outside (const TsVerdict *verdict, const char *where);
char *ts_verdict_demand (const TsCheck *check, const TsVerdict *verdict, const TsPrintOptions *options); /* "<= 8 ms" */

/* tables.c: `verdicts' and `comparison', and for people what summary.c makes */
void ts_check_add_tables (gconstpointer check, const TsPrintOptions *options, guint audience, GPtrArray *tables);

/* changes.c: the comparison for people, a table and what it leaves out. */
void ts_check_add_changes (GPtrArray *tables, const TsCheck *check, const TsPrintOptions *options);

/* value.c: the coarsest unit in which @units is not below 1; seconds for 0, and ticks where the base is not known */
TsUnit ts_value_unit (TsRational units, const TsTimeBase *base);
/* @value with a unit that suits @like; ratios as a percentage */
char *ts_value_text (const TsFigure *figure, TsRational value, TsRational like, const TsTimeBase *base, TsUnit unit);
/* The same of @bound with a unit of its own: as short as it can be told from @value; NULL: exact, as far as 15 digits go */
char *ts_bound_text (const TsFigure *figure, TsRational bound, const TsRational *value, const TsTimeBase *base, TsUnit unit);
char *ts_time_value_text (gint64 units, const TsTimeBase *base, TsUnit unit);
char *ts_percent_text (TsRational ratio); /* three digits, without sign: "5.03 %" */

G_END_DECLS
