/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "analyse/histogram.h"
#include "analyse/trace.h"
#include "check/verdict.h"
#include "model/number.h"

/* One figure of a report held against a bound, wherever that comes from. */

static const char *const result_names[TS_N_VERDICTS] = {
  [TS_VERDICT_HOLDS] = "holds",         [TS_VERDICT_NOISE] = "noise",           [TS_VERDICT_SKIPPED] = "skipped",
  [TS_VERDICT_NEW] = "new",             [TS_VERDICT_VIOLATED] = "violated",     [TS_VERDICT_NO_SAMPLES] = "no samples",
  [TS_VERDICT_NO_MATCH] = "no match",   [TS_VERDICT_VANISHED] = "vanished",     [TS_VERDICT_LACKING] = "not in baseline",
  [TS_VERDICT_DIFFERENT] = "not comparable",
};

const char *
ts_verdict_result_name (TsVerdictResult result)
{
  g_return_val_if_fail (result < TS_N_VERDICTS, NULL);
  return result_names[result];
}

gboolean
ts_verdict_is_pass (TsVerdictResult result)
{
  return result < TS_VERDICT_VIOLATED;
}

TsVerdict *
ts_verdict_new (TsCheck *check, const TsSubject *subject, char *source)
{
  TsVerdict *verdict = g_new0 (TsVerdict, 1);

  verdict->type = subject->type;
  verdict->element = subject->name;
  verdict->id = subject->id;
  verdict->parent = subject->parent;
  /* as in the rows of LOAD */
  verdict->resource = strcmp (subject->type, "resource") == 0 ? subject->name : subject->resource;
  verdict->label = ts_label (check->labels, G_N_ELEMENTS (check->labels), subject);
  verdict->source = source;
  g_ptr_array_add (check->verdicts, verdict);
  return verdict;
}

void
ts_verdict_free (gpointer data)
{
  TsVerdict *verdict = data;

  g_clear_pointer (&verdict->parts, g_ptr_array_unref);
  g_free (verdict->label);
  g_free (verdict->source);
  g_free (verdict->section);
  g_free (verdict->note);
  g_free (verdict);
}

void
ts_check_add_unmatched (TsCheck *check, const gboolean *matched, gboolean of_tolerances)
{
  static const TsSubject nobody = { "", "", "", "", "" };

  for (guint i = 0; i < check->limits->sections->len; i++)
    {
      const TsLimitSection *section = g_ptr_array_index (check->limits->sections, i);
      TsVerdict            *verdict;

      if (matched[i] || (section->tolerances != NULL) != of_tolerances)
        continue;
      verdict = ts_verdict_new (check, &nobody, g_strdup_printf ("%s:%u", section->file, section->line));
      verdict->is_comparison = of_tolerances;
      verdict->section = g_strdup (section->header);
      verdict->result = TS_VERDICT_NO_MATCH;
    }
}

/* Below 0: the value lies under the bound. A standard deviation is irrational: the root itself is compared. */
static int
compare_with_bound (const TsVerdict *verdict, const TsMetricResult *result)
{
  if (verdict->figure.statistic == TS_STATISTIC_STDDEV)
    return ts_root_compare (&result->stddev, verdict->bound);
  return ts_rational_compare (verdict->value, verdict->bound);
}

/* Samples are not all that a maximum is of. */
static gboolean
is_maximum (TsStatistic statistic)
{
  return statistic == TS_STATISTIC_MAX || statistic == TS_STATISTIC_ABSMAX;
}

TsRational
ts_verdict_value (const TsFigure *figure, const TsMetricResult *result, const TsExtreme *unfinished, const TsExtreme **place,
                  gboolean *is_unfinished)
{
  const gboolean has_samples = result->n > 0 || figure->statistic == TS_STATISTIC_N;
  TsRational     value = has_samples ? ts_figure_value (figure, result, place) : (TsRational){ 0, 1 };
  const gboolean is_longer = unfinished != NULL && is_maximum (figure->statistic)
                             && (!has_samples || ts_rational_compare (value, ts_rational (unfinished->value, 1)) < 0);

  if (is_unfinished != NULL)
    *is_unfinished = is_longer;
  if (!is_longer)
    return value;
  if (place != NULL)
    *place = unfinished;
  return ts_rational (unfinished->value, 1);
}

static gboolean
breaks_bound (const TsVerdict *verdict, const TsExtreme *unfinished)
{
  return unfinished != NULL && !verdict->is_lower && is_maximum (verdict->figure.statistic)
         && ts_rational_compare (ts_rational (unfinished->value, 1), verdict->bound) > 0;
}

/* METRICS rule 22. That there are none may be what is demanded of their number, and too few break that as any do. */
static gboolean
lacks_samples (const TsVerdict *verdict, const TsMetricResult *result, const TsExtreme *unfinished)
{
  if (result->n > 0 || breaks_bound (verdict, unfinished))
    return FALSE;
  return verdict->figure.statistic != TS_STATISTIC_N || (!verdict->is_lower && verdict->bound.numerator > 0);
}

/* Whether no single sample is the value: then the place is that of the worst, which under a lower bound is the least. */
static gboolean
is_of_all (TsStatistic statistic)
{
  return statistic == TS_STATISTIC_MEAN || statistic == TS_STATISTIC_STDDEV || statistic == TS_STATISTIC_PERCENTILE;
}

TsRational
ts_verdict_blur (TsRational value, guint n)
{
  return ts_rational_multiply (ts_rational_absolute (value), ts_rational (n, TS_HISTOGRAM_BLUR));
}

/* Whether the samples that a percentile from a histogram may stand for are on both sides of the bound; none is beyond the
 * extremes. */
static gboolean
is_undecided (const TsVerdict *verdict, const TsMetricResult *result)
{
  const TsRational value = verdict->value;
  /* what of JIT is measured is how much it is below 1 */
  const TsRational measured = verdict->figure.metric == TS_METRIC_JIT ? ts_rational_subtract (ts_rational (1, 1), value)
                                                                          : value;
  const TsRational error = ts_verdict_blur (measured, 1);
  TsRational       least = ts_rational_subtract (value, error), greatest = ts_rational_add (value, error);

  if (ts_rational_compare (least, result->min) < 0)
    least = result->min;
  if (ts_rational_compare (greatest, result->max) > 0)
    greatest = result->max;
  if (verdict->is_lower)
    return ts_rational_compare (least, verdict->bound) < 0 && ts_rational_compare (greatest, verdict->bound) >= 0;
  return ts_rational_compare (least, verdict->bound) <= 0 && ts_rational_compare (greatest, verdict->bound) > 0;
}

/* Of a percentile from a histogram: of a report, or of an annotation, since limits of files keep all samples. What may
 * be beyond a bound is no pass; a comparison allows for it (baseline.c). */
static void
judge_histogram (TsVerdict *verdict, const TsMetricResult *result)
{
  if (verdict->is_comparison || !is_undecided (verdict, result))
    {
      verdict->note = g_strdup ("from a histogram, within 0.4 %");
      return;
    }
  verdict->is_unsure = TRUE;
  verdict->result = TS_VERDICT_VIOLATED;
  verdict->note = g_strdup ("from a histogram, within 0.4 %, and so near to the bound that only --exact-percentiles on "
                            "the trace can tell");
}

static int
compare_excess (const TsVerdict *a, const TsVerdict *b)
{
  const TsQuantity left = ts_figure_quantity (&a->figure), right = ts_figure_quantity (&b->figure);

  if (left != right)
    return left < right ? -1 : 1;
  return ts_rational_compare (ts_rational_absolute (ts_rational_subtract (b->value, b->bound)),
                              ts_rational_absolute (ts_rational_subtract (a->value, a->bound)));
}

static int
badness_of (const TsVerdict *verdict)
{
  return verdict->has_margin ? 1 : verdict->is_unsure ? 2 : 0;
}

int
ts_verdict_compare_worst (const TsVerdict *a, const TsVerdict *b)
{
  const int left = badness_of (a), right = badness_of (b);

  if (left != right)
    return left - right;
  return a->has_margin ? ts_rational_compare (a->margin, b->margin) : a->is_unsure ? 0 : compare_excess (a, b);
}

void
ts_verdict_judge (TsVerdict *verdict, const TsMetricResult *result, const TsExtreme *unfinished)
{
  const TsExtreme *place;
  int              order;

  verdict->n = result->n;
  ts_verdict_count_outside (verdict, result);
  if (lacks_samples (verdict, result, unfinished))
    {
      verdict->result = TS_VERDICT_NO_SAMPLES;
      return;
    }
  verdict->has_value = TRUE;
  verdict->value = ts_verdict_value (&verdict->figure, result, unfinished, &place, &verdict->is_unfinished);
  if (place != NULL && verdict->is_lower && is_of_all (verdict->figure.statistic))
    place = &result->min_where;
  verdict->has_place = place != NULL;
  if (place != NULL)
    verdict->place = *place;
  if (verdict->is_unfinished)
    verdict->note = g_strdup (verdict->figure.metric == TS_METRIC_IPT
                                  ? "it had not started when the trace ended or was cut"
                                  : "it was not over when the trace ended or was cut, or its start is not in the trace");
  order = compare_with_bound (verdict, result);
  verdict->result = (verdict->is_lower ? order >= 0 : order <= 0) ? TS_VERDICT_HOLDS : TS_VERDICT_VIOLATED;
  if (verdict->figure.statistic == TS_STATISTIC_PERCENTILE && result->accumulator != NULL
      && !ts_accumulator_is_exact (result->accumulator))
    judge_histogram (verdict, result);
  verdict->has_margin = verdict->bound.numerator != 0 && !verdict->is_unsure;
  if (!verdict->has_margin)
    return;
  verdict->margin = ts_rational_divide (verdict->is_lower ? ts_rational_subtract (verdict->value, verdict->bound)
                                                          : ts_rational_subtract (verdict->bound, verdict->value),
                                        ts_rational_absolute (verdict->bound));
}
