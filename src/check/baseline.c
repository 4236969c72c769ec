/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <tracestat/error.h>

#include "analyse/histogram.h"
#include "analyse/trace.h"
#include "check/verdict.h"
#include "model/number.h"
#include "report/match.h"
#include "report/tables.h"

/* The comparison with an earlier report, element by element; two are the same by the rules by which traces are pooled. */

typedef struct
{
  TsCheck   *check;
  TsRational factor; /* of internal units of the baseline to those of the report */
  gint64     old_units, new_units; /* whole factors to one time base of both, for their samples; 0: there is none */
  gboolean   has_one_tick; /* all traces, and those of the baseline */
  double     limit; /* of p: below it a change is significant */
} Comparison;

typedef struct
{
  TsSubject             subject;
  const TsMetricResult *const *metrics; /* of an element */
  const TsUnfinished   *unfinished; /* of it, or NULL */
  const TsMetricResult *load; /* of a resource, or NULL */
  guint                 lacking;
  gboolean              idle;
  gboolean              seen;
  TsElementType         type;
  GPtrArray            *tolerances; /* of TsLimitSection: those that match it; NULL: nobody has looked */
} Side;

static void
free_side (gpointer data)
{
  Side *side = data;

  g_clear_pointer (&side->tolerances, g_ptr_array_unref);
  g_free (side);
}

static char *
element_key (const TsReportElement *element, const GPtrArray *numbers, guint first_input)
{
  const guint32 *of_trace = g_ptr_array_index ((GPtrArray *) numbers, first_input + element->declared_by);

  return g_strdup_printf ("element %u", of_trace[element->declared_as]);
}

/* key -> Side; @first_input: where the traces of @report begin in @numbers, which match.h made. */
static GHashTable *
index_report (const TsReport *report, const GPtrArray *numbers, guint first_input, GPtrArray *in_order)
{
  const TsReportBlock *block = g_ptr_array_index (report->blocks, 0);
  GHashTable          *all = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_side);
  guint                n_elements = block->elements->len;

  for (guint i = 0; i < n_elements + block->resources->len; i++)
    {
      Side *side = g_new0 (Side, 1);
      char     *key;

      if (i < n_elements)
        {
          const TsReportElement *element = g_ptr_array_index (block->elements, i);

          *side = (Side){ .subject = ts_subject_of_element (element),
                          .metrics = element->metrics,
                          .unfinished = element->unfinished,
                          .lacking = element->lacking,
                          .idle = element->idle,
                          .type = element->type };
          key = element_key (element, numbers, first_input);
        }
      else
        {
          const TsReportResource *resource = g_ptr_array_index (block->resources, i - n_elements);

          *side = (Side){ .subject = ts_subject_of_resource (resource), .load = &resource->load };
          key = g_strdup_printf ("resource %s", resource->name);
        }
      /* resources of one name go by their order */
      for (guint k = 1; g_hash_table_contains (all, key); k++)
        {
          g_free (key);
          key = g_strdup_printf ("no. %u of %s", k, side->subject.name);
        }
      g_hash_table_insert (all, key, side);
      g_ptr_array_add (in_order, key);
    }
  return all;
}

/* How far the value may be from the old one. */
static gboolean
allowance (const Comparison *comparison, const Side *new, TsVerdict *verdict, TsRational *allowed, GError **error)
{
  const TsCheck     *check = comparison->check;
  const TsTolerance *tolerance = check->limits != NULL
                                     ? ts_limits_tolerance (check->limits, new->tolerances, &verdict->figure)
                                     : NULL;

  verdict->section = g_strdup (tolerance != NULL ? tolerance->source : "no tolerance");
  *allowed = ts_rational (0, 1);
  if (tolerance == NULL)
    return TRUE;
  if (tolerance->amount.kind == TS_AMOUNT_PERCENT)
    {
      *allowed = ts_rational_multiply (ts_rational_absolute (verdict->old), tolerance->amount.value);
      return TRUE;
    }
  if (tolerance->amount.kind == TS_AMOUNT_TICKS && !comparison->has_one_tick)
    {
      g_set_error (error, TS_ERROR, TS_ERROR_USAGE,
                   "%s: a tick is not the same in all traces: give the tolerance in a unit of time", tolerance->source);
      return FALSE;
    }
  if (ts_amount_resolve (&tolerance->amount, &check->report->base, allowed))
    return TRUE;
  g_set_error (error, TS_ERROR, TS_ERROR_USAGE,
               "%s: the trace does not say how long a tick is: give the tolerance in ticks or as a percentage",
               tolerance->source);
  return FALSE;
}

/* How many of two percentiles are the middle of a bucket that the other side has not: of the same samples they may differ. */
static guint
n_blurred (const Comparison *comparison, const TsAccumulator *now, const TsAccumulator *before)
{
  guint n_middles = !ts_accumulator_is_exact (now) + !ts_accumulator_is_exact (before);

  if (n_middles == 2 && comparison->old_units == 1 && comparison->new_units == 1
      && ts_histogram_is_plain (now->histogram) && ts_histogram_is_plain (before->histogram))
    return 0;
  return n_middles;
}

static TsVerdict *
new_verdict (const Comparison *comparison, const Side *new, const TsFigure *figure)
{
  TsVerdict *verdict = ts_verdict_new (comparison->check, &new->subject,
                                       g_strdup_printf ("--baseline %s", comparison->check->baseline_path));

  verdict->is_comparison = TRUE;
  if (figure == NULL)
    return verdict;
  verdict->has_figure = TRUE;
  verdict->figure = *figure;
  verdict->is_lower = figure->metric == TS_METRIC_ST;
  return verdict;
}

static void
set_old (const Comparison *comparison, TsVerdict *verdict, const TsMetricResult *result, const TsExtreme *unfinished)
{
  verdict->old_n = result->n;
  verdict->has_old = result->n > 0;
  if (result->n == 0)
    return;
  verdict->old = ts_verdict_value (&verdict->figure, result, unfinished, NULL, NULL);
  if (ts_figure_quantity (&verdict->figure) == TS_QUANTITY_TIME)
    verdict->old = ts_rational_multiply (verdict->old, comparison->factor);
}

/* Jitter relates to a period: to the configured one of both, or to the mean that each of both has. */
static char *
different_reference (const Comparison *comparison, const TsMetricResult *now, const TsMetricResult *before)
{
  const TsFigure    time = { TS_METRIC_PER, TS_STATISTIC_MEAN, 0 };
  const TsTimeBase *base = &comparison->check->report->base;
  const TsRational  old_value = ts_rational_multiply (before->reference_value, comparison->factor);
  g_autofree char  *old_text = NULL, *new_text = NULL;

  if (strcmp (now->reference, before->reference) == 0
      && (strcmp (now->reference, "configured") != 0 || ts_rational_compare (now->reference_value, old_value) == 0))
    return NULL;
  old_text = ts_value_text (&time, old_value, old_value, base, TS_UNIT_FITTING);
  new_text = ts_value_text (&time, now->reference_value, now->reference_value, base, TS_UNIT_FITTING);
  return g_strdup_printf ("relates to a period of %s (%s), and in the baseline to %s (%s)", new_text, now->reference,
                          old_text, before->reference);
}

/* TRUE: it is said, and there is no more to say. */
static gboolean
cannot_compare (const Comparison *comparison, TsVerdict *verdict, const TsMetricResult *now,
                const TsMetricResult *before)
{
  char *difference;

  if (verdict->figure.metric != TS_METRIC_JIT || now->n == 0)
    return FALSE;
  difference = different_reference (comparison, now, before);
  if (difference == NULL)
    return FALSE;
  verdict->n = now->n;
  verdict->has_value = TRUE;
  verdict->value = ts_figure_value (&verdict->figure, now, NULL);
  verdict->result = TS_VERDICT_DIFFERENT;
  verdict->note = difference;
  return TRUE;
}

static const TsMetricResult *
result_of (const Side *side, TsMetricId metric)
{
  return side->load != NULL ? side->load : side->metrics[metric];
}

/* What came to rest in the baseline may do so now. */
static gboolean
rested_before (const Comparison *comparison, const TsVerdict *verdict, const TsMetricResult *now, const Side *old)
{
  const TsExtreme *awaited = ts_verdict_awaited (old->unfinished, verdict->figure.metric);

  return awaited != NULL
         && ts_verdict_would_break (verdict, now, ts_rational_multiply (ts_rational (awaited->value, 1), comparison->factor));
}

static gboolean
compare_figure (const Comparison *comparison, const Side *new, const Side *old, const TsFigure *figure,
                const double *p, GError **error)
{
  const TsMetricResult *now = result_of (new, figure->metric), *before = result_of (old, figure->metric);
  const gboolean        is_known = (old->lacking & TS_LACKS_DEFECTS) == 0; /* as much of what is unfinished */
  TsVerdict            *verdict;
  TsRational            allowed;
  guint                 n = 0;

  if (now->n == 0 && before->n == 0)
    return TRUE;
  verdict = new_verdict (comparison, new, figure);
  set_old (comparison, verdict, before, ts_verdict_unfinished (old->unfinished, figure->metric));
  if (before->n == 0)
    {
      verdict->n = now->n;
      verdict->has_value = TRUE;
      verdict->value = ts_figure_value (figure, now, NULL);
      verdict->result = (old->lacking & (1u << figure->metric)) != 0 ? TS_VERDICT_LACKING : TS_VERDICT_NEW;
      return TRUE;
    }
  if (cannot_compare (comparison, verdict, now, before))
    return TRUE;
  if (!allowance (comparison, new, verdict, &allowed, error))
    return FALSE;
  if (figure->statistic == TS_STATISTIC_PERCENTILE && now->accumulator != NULL && before->accumulator != NULL)
    n = n_blurred (comparison, now->accumulator, before->accumulator);
  if (n > 0)
    allowed = ts_rational_add (allowed, ts_verdict_blur (verdict->old, n));
  verdict->has_bound = TRUE;
  verdict->bound = verdict->is_lower ? ts_rational_subtract (verdict->old, allowed) : ts_rational_add (verdict->old, allowed);
  ts_verdict_judge (verdict, now, is_known ? ts_verdict_unfinished (new->unfinished, figure->metric) : NULL);
  if (!verdict->has_value)
    return TRUE;
  if (is_known && !rested_before (comparison, verdict, now, old))
    ts_check_note_rest (comparison->check, verdict, now, new->unfinished);
  if (n > 0)
    {
      g_free (verdict->note);
      verdict->note = g_strdup ("not kept like that of the baseline: from a histogram, within 0.4 %, which is allowed");
    }
  else if (verdict->note == NULL && figure->statistic == TS_STATISTIC_PERCENTILE && before->accumulator != NULL
           && !ts_accumulator_is_exact (before->accumulator))
    verdict->note = g_strdup ("that of the baseline is from a histogram, within 0.4 %");
  verdict->has_relative = verdict->old.numerator != 0;
  if (verdict->has_relative)
    verdict->relative = ts_rational_divide (ts_rational_subtract (verdict->value, verdict->old),
                                            ts_rational_absolute (verdict->old));
  verdict->has_p = p != NULL;
  if (p == NULL)
    return TRUE;
  verdict->p = *p;
  verdict->is_significant = *p < comparison->limit;
  if (verdict->result == TS_VERDICT_VIOLATED && comparison->check->options.gate_significance
      && !verdict->is_significant)
    verdict->result = TS_VERDICT_NOISE;
  return TRUE;
}

/* See ts_compare_distributions(). */
static gboolean
compare_samples (const Comparison *comparison, const TsMetricResult *now, const TsMetricResult *before, double *p)
{
  return comparison->old_units > 0
         && ts_compare_distributions (now->accumulator, comparison->new_units, before->accumulator, comparison->old_units, p);
}

/* The chance that @metric changed as it did without any cause. Jitter changes with DT, and where its period is the mean of PER,
 * with that, too: it has not changed by chance if either of both has not, for which two are tested. FALSE: it cannot be said. */
static gboolean
find_chance (const Comparison *comparison, const Side *new, const Side *old, TsMetricId metric, double *p)
{
  const TsMetricResult *now = new->metrics[metric];
  double                of_period;

  if (!compare_samples (comparison, now, old->metrics[metric], p))
    return FALSE;
  if (metric != TS_METRIC_JIT || strcmp (now->reference, "activation") != 0)
    return TRUE;
  if (!compare_samples (comparison, new->metrics[TS_METRIC_PER], old->metrics[TS_METRIC_PER], &of_period))
    return FALSE;
  *p = MIN (2 * MIN (*p, of_period), 1);
  return TRUE;
}

static gboolean
compare_element (const Comparison *comparison, const Side *new, const Side *old, GError **error)
{
  TsMetricId tested = TS_N_METRICS;
  gboolean   has_p = FALSE;
  double     p = 1;

  if (new->idle != old->idle)
    {
      g_set_error (error, TS_ERROR, TS_ERROR_USAGE, "%s: `%s' is %sidle there, and %sidle now: make the baseline anew",
                   comparison->check->baseline_path, new->subject.name, old->idle ? "" : "not ", new->idle ? "" : "not ");
      return FALSE;
    }
  for (guint i = 0; i < TS_N_COMPARED; i++)
    {
      TsMetricId metric = ts_compared[i].metric;

      /* one test is for all figures of a metric */
      if (metric != tested)
        has_p = find_chance (comparison, new, old, metric, &p);
      tested = metric;
      if (!compare_figure (comparison, new, old, &ts_compared[i], has_p ? &p : NULL, error))
        return FALSE;
    }
  return TRUE;
}

static void
find_tolerances (const TsCheck *check, Side *side, gboolean *matched)
{
  if (check->limits != NULL)
    side->tolerances
        = ts_limits_find (check->limits, TRUE, side->load != NULL, side->type, side->subject.name, matched);
}

static gboolean
compare_reports (const Comparison *comparison, GError **error)
{
  TsCheck *check = comparison->check;
  g_autoptr (GPtrArray) old_order = g_ptr_array_new (), new_order = g_ptr_array_new ();
  g_autoptr (GPtrArray) traces = g_ptr_array_copy (check->report->traces, NULL, NULL);
  g_autoptr (GPtrArray) numbers = NULL;
  g_autoptr (GHashTable) old_sides = NULL, new_sides = NULL;
  g_autofree gboolean   *matched = g_new0 (gboolean, check->limits != NULL ? MAX (check->limits->sections->len, 1) : 1);

  g_ptr_array_extend (traces, check->baseline->traces, NULL, NULL);
  numbers = ts_match_elements (traces);
  new_sides = index_report (check->report, numbers, 0, new_order);
  old_sides = index_report (check->baseline, numbers, check->report->traces->len, old_order);

  for (guint i = 0; i < new_order->len; i++)
    {
      Side *new = g_hash_table_lookup (new_sides, g_ptr_array_index (new_order, i));
      Side *old = g_hash_table_lookup (old_sides, g_ptr_array_index (new_order, i));

      find_tolerances (check, new, matched);
      if (old == NULL)
        {
          new_verdict (comparison, new, NULL)->result = TS_VERDICT_NEW;
          continue;
        }
      old->seen = TRUE;
      if (new->load != NULL ? !compare_figure (comparison, new, old, &ts_compared_load, NULL, error)
                            : !compare_element (comparison, new, old, error))
        return FALSE;
    }
  for (guint i = 0; i < old_order->len; i++)
    {
      Side *old = g_hash_table_lookup (old_sides, g_ptr_array_index (old_order, i));

      if (old->seen)
        continue;
      new_verdict (comparison, old, NULL)->result = TS_VERDICT_VANISHED;
      /* that is told, and the section is right */
      find_tolerances (check, old, matched);
    }
  if (check->limits != NULL)
    ts_check_add_unmatched (check, matched, TRUE);
  return TRUE;
}

static gboolean
check_options (const TsCheck *check, const TsTrace *new, const TsTrace *old, GError **error)
{
  if (ts_traces_share_options (new, old))
    return TRUE;
  g_set_error (error, TS_ERROR, TS_ERROR_USAGE, "%s: was made with %s%s%s, and this with %s%s%s: make the baseline anew",
               check->baseline_path, *old->options != '\0' ? "`" : "", *old->options != '\0' ? old->options : "no option",
               *old->options != '\0' ? "'" : "", *new->options != '\0' ? "`" : "",
               *new->options != '\0' ? new->options : "no option", *new->options != '\0' ? "'" : "");
  return FALSE;
}

/* Whether a time in it, as 1500 in "--from 1500 --to 2ms", is another one where ticks are others. */
static gboolean
depends_on_ticks (const char *window)
{
  g_auto (GStrv) words = g_strsplit (window, " ", -1);

  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0' && g_ascii_isdigit (words[i][strlen (words[i]) - 1]) && strcmp (words[i], "0") != 0)
      return TRUE;
  return FALSE;
}

static TsRational
tick_of (const TsReport *report, const TsTrace *trace)
{
  return ts_rational_multiply (ts_input_tick (report, trace),
                               ts_time_base_factor (&report->base, report->base.known ? TS_UNIT_S : TS_UNIT_TICKS));
}

/* Other options make other numbers: they must not be compared. Other windows may be meant, and are told. */
static gboolean
check_all_options (TsCheck *check, GError **error)
{
  const GPtrArray *new_traces = check->report->traces, *old_traces = check->baseline->traces;

  for (guint i = 0; i < new_traces->len; i++)
    for (guint k = 0; k < old_traces->len; k++)
      {
        const TsTrace *new = g_ptr_array_index (new_traces, i), *old = g_ptr_array_index (old_traces, k);

        if (!check_options (check, new, old, error))
          return FALSE;
        if (check->baseline_window == NULL && strcmp (new->window, old->window) != 0)
          check->baseline_window
              = g_strdup_printf ("the window is `%s', and that of the baseline `%s'",
                                 *new->window != '\0' ? new->window : "everything",
                                 *old->window != '\0' ? old->window : "everything");
        else if (check->baseline_window == NULL && depends_on_ticks (new->window)
                 && ts_rational_compare (tick_of (check->report, new), tick_of (check->baseline, old)) != 0)
          check->baseline_window = g_strdup_printf ("the window is `%s', and a tick of the baseline is another", new->window);
      }
  return TRUE;
}

static TsRational
first_tick (const TsReport *report)
{
  return ts_input_tick (report, g_ptr_array_index (report->traces, 0));
}

gboolean
ts_check_compare (TsCheck *check, GError **error)
{
  const TsTimeBase *old_base = &check->baseline->base, *new_base = &check->report->base;
  TsUnit            unit = old_base->known ? TS_UNIT_S : TS_UNIT_TICKS;
  Comparison        comparison = { .check = check };
  TsTimeBase        common;

  if (old_base->known != new_base->known)
    {
      g_set_error (error, TS_ERROR, TS_ERROR_USAGE, "%s: %s, so it cannot be compared with %s", check->baseline_path,
                   old_base->known ? "its times are in seconds, and the trace does not say how long a tick is"
                                   : "it does not say how long a tick is",
                   check->report->input);
      return FALSE;
    }
  if (!check_all_options (check, error))
    return FALSE;
  comparison.factor = ts_rational_divide (ts_time_base_factor (old_base, unit), ts_time_base_factor (new_base, unit));
  check->baseline_span = ts_rational_multiply (ts_report_span (check->baseline), comparison.factor);
  comparison.limit = check->options.significance > 0 ? check->options.significance : TS_SIGNIFICANCE;
  comparison.has_one_tick
      = ts_report_has_one_tick (check->report) && ts_report_has_one_tick (check->baseline)
        && ts_rational_compare (ts_rational_multiply (first_tick (check->baseline), comparison.factor),
                                first_tick (check->report)) == 0;
  if (!ts_time_base_common (old_base, new_base, &common, &comparison.old_units, &comparison.new_units))
    comparison.old_units = comparison.new_units = 0;
  return compare_reports (&comparison, error);
}
