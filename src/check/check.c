/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <tracestat/error.h>

#include "analyse/trace.h"
#include "check/verdict.h"
#include "model/number.h"
#include "report/tables.h"

/* Limits held against a report. */

/* What all limits are held against, and what is known of them while that goes on. */
typedef struct
{
  TsCheck  *check;
  gboolean *matched; /* of each section */
  gboolean  same_ticks; /* a tick is the same in all traces */
} Holding;

static gboolean
resolve (const Holding *holding, const TsAmount *amount, const char *file, guint line, TsRational *value,
         GError **error)
{
  if (amount->kind == TS_AMOUNT_TICKS && !holding->same_ticks)
    {
      g_set_error (error, TS_ERROR, TS_ERROR_USAGE,
                   "%s:%u: a tick is not the same in all traces: give the bound in a unit of time", file, line);
      return FALSE;
    }
  if (ts_amount_resolve (amount, &holding->check->report->base, value))
    {
      if (ts_int128_magnitude (value->numerator) < (TsUint128) TS_INT128_MAX)
        return TRUE;
      g_set_error (error, TS_ERROR, TS_ERROR_RANGE, "%s:%u: the bound is too large for the time base of the trace", file, line);
      return FALSE;
    }
  g_set_error (error, TS_ERROR, TS_ERROR_USAGE,
               "%s:%u: the trace does not say how long a tick is, so a bound in a unit of time cannot be checked: "
               "give it in ticks",
               file, line);
  return FALSE;
}

/* Whether a limit of @from may go without samples: the most specific section among @sections (the most specific
 * first) that says anything about it, as long as that is not more general than @from itself. */
static gboolean
is_optional (const GPtrArray *sections, const TsLimitSection *from)
{
  for (guint i = 0; i < sections->len; i++)
    {
      const TsLimitSection *section = g_ptr_array_index (sections, i);

      if (section->has_optional)
        return section->optional;
      if (section == from)
        break;
    }
  return FALSE;
}

static gboolean
hold_bound (const Holding *holding, const TsBound *bound, const TsLimitSection *section, const GPtrArray *sections,
            const TsSubject *subject, const TsReportElement *element, const TsMetricResult *result, GError **error)
{
  TsVerdict *verdict = ts_verdict_new (holding->check, subject, g_strdup_printf ("%s:%u", section->file, bound->line));
  const gboolean   may_lack = is_optional (sections, section);
  const TsExtreme *unfinished = NULL;

  verdict->section = g_strdup (section->header);
  verdict->has_figure = verdict->has_bound = TRUE;
  verdict->figure = bound->figure;
  verdict->is_lower = bound->is_lower;
  if (!resolve (holding, &bound->amount, section->file, bound->line, &verdict->bound, error))
    return FALSE;
  /* what has no samples may be what never ends */
  if (element != NULL && (result->n > 0 || !may_lack))
    unfinished = ts_verdict_unfinished (element->unfinished, bound->figure.metric);
  ts_verdict_judge (verdict, result, unfinished);
  if (verdict->result == TS_VERDICT_NO_SAMPLES && may_lack)
    verdict->result = TS_VERDICT_SKIPPED;
  if (element == NULL)
    return TRUE;
  ts_verdict_judge_parts (verdict, element);
  ts_check_note_rest (holding->check, verdict, result, element->unfinished);
  return TRUE;
}

/* Per figure the most specific section speaks. */
static gboolean
is_spoken_for (const GPtrArray *sections, guint index, const TsFigure *figure)
{
  for (guint i = 0; i < index; i++)
    {
      const TsLimitSection *section = g_ptr_array_index (sections, i);

      for (guint k = 0; k < section->bounds->len; k++)
        if (ts_figure_equal (&g_array_index (section->bounds, TsBound, k).figure, figure))
          return TRUE;
    }
  return FALSE;
}

/* @element, or @load of a resource. */
static gboolean
hold_sections (const Holding *holding, GPtrArray *sections, const TsSubject *subject, const TsReportElement *element,
               const TsMetricResult *load, GError **error)
{
  for (guint i = 0; i < sections->len; i++)
    {
      const TsLimitSection *section = g_ptr_array_index (sections, i);

      for (guint k = 0; k < section->bounds->len; k++)
        {
          const TsBound *bound = &g_array_index (section->bounds, TsBound, k);

          if (!is_spoken_for (sections, i, &bound->figure)
              && !hold_bound (holding, bound, section, sections, subject, element,
                              load != NULL ? load : element->metrics[bound->figure.metric], error))
            return FALSE;
        }
    }
  return TRUE;
}

static gboolean
hold_element (const Holding *holding, const TsReportElement *element, GError **error)
{
  const TsSubject subject = ts_subject_of_element (element);
  g_autoptr (GPtrArray) sections = ts_limits_find (holding->check->limits, FALSE, FALSE, element->type, element->name,
                                                    holding->matched);

  return hold_sections (holding, sections, &subject, element, NULL, error);
}

static gboolean
hold_resource (const Holding *holding, const TsReportResource *resource, GError **error)
{
  const TsSubject subject = ts_subject_of_resource (resource);
  g_autoptr (GPtrArray) sections = ts_limits_find (holding->check->limits, FALSE, TRUE, 0, resource->name, holding->matched);

  return hold_sections (holding, sections, &subject, NULL, &resource->load, error);
}

static gboolean
hold_files (Holding *holding, GError **error)
{
  TsCheck             *check = holding->check;
  const TsReportBlock *block = g_ptr_array_index (check->report->blocks, 0);

  for (guint i = 0; i < block->elements->len; i++)
    if (!hold_element (holding, g_ptr_array_index (block->elements, i), error))
      return FALSE;
  for (guint i = 0; i < block->resources->len; i++)
    if (!hold_resource (holding, g_ptr_array_index (block->resources, i), error))
      return FALSE;
  ts_check_add_unmatched (check, holding->matched, FALSE);
  return TRUE;
}

/* A period is configured by these, and nothing is demanded. */
static gboolean
is_period_annotation (const char *name)
{
  for (guint i = 0; i < TS_N_PERIOD_ANNOTATIONS; i++)
    if (g_ascii_strcasecmp (name, ts_period_annotations[i]) == 0)
      return TRUE;
  return FALSE;
}

/* ATF says times in ticks, those of the trace that has the annotation; JIT, a ratio, is a plain number. Where traces
 * say different things, each is a limit of its own. */
static gboolean
hold_annotation (TsCheck *check, const TsReportElement *element, const TsAnnotation *annotation, GError **error)
{
  const TsTrace *trace = g_ptr_array_index (check->report->traces, annotation->input);
  const char    *path = ts_trace_get_path (trace);
  TsFigure       figure;
  TsRational     value;
  TsVerdict     *verdict;
  const TsSubject subject = ts_subject_of_element (element);

  if (annotation->name == NULL || is_period_annotation (annotation->name)
      || !ts_figure_parse (annotation->name, &figure, NULL) || figure.metric == TS_METRIC_LOAD)
    return TRUE;
  if (annotation->value == NULL || !ts_rational_parse (annotation->value, &value))
    {
      g_set_error (error, TS_ERROR, TS_ERROR_USAGE, "%s: annotation %s of %s: `%s' is not a number of at most 18 digits",
                   path, annotation->name, element->name, annotation->value != NULL ? annotation->value : "");
      return FALSE;
    }
  verdict = ts_verdict_new (check, &subject, g_strdup (path));
  verdict->is_annotation = TRUE;
  verdict->section = g_strdup_printf ("annotation %s%s%s", annotation->name, annotation->tool != NULL ? " of " : "",
                                      annotation->tool != NULL ? annotation->tool : "");
  verdict->has_figure = verdict->has_bound = TRUE;
  verdict->figure = figure;
  verdict->is_lower = figure.statistic == TS_STATISTIC_MIN;
  verdict->bound = value;
  if (ts_figure_quantity (&figure) == TS_QUANTITY_TIME)
    verdict->bound = ts_rational_multiply (value, ts_input_tick (check->report, trace));
  ts_verdict_judge (verdict, element->metrics[figure.metric], ts_verdict_unfinished (element->unfinished, figure.metric));
  ts_verdict_judge_parts (verdict, element);
  ts_check_note_rest (check, verdict, element->metrics[figure.metric], element->unfinished);
  return TRUE;
}

static gboolean
hold_annotations (TsCheck *check, GError **error)
{
  const TsReportBlock *block = g_ptr_array_index (check->report->blocks, 0);
  guint                before = check->verdicts->len;

  for (guint i = 0; i < block->elements->len; i++)
    {
      const TsReportElement *element = g_ptr_array_index (block->elements, i);

      for (guint k = 0; element->annotations != NULL && k < element->annotations->len; k++)
        if (!hold_annotation (check, element, &g_array_index (element->annotations, TsAnnotation, k), error))
          return FALSE;
    }
  if (check->verdicts->len > before)
    return TRUE;
  g_set_error (error, TS_ERROR, TS_ERROR_USAGE, "%s: no element has an annotation that is a limit, as CETmax",
               check->report->input);
  return FALSE;
}

static gboolean
hold_limits (TsCheck *check, GError **error)
{
  const TsLimits      *limits = check->limits;
  g_autofree gboolean *matched = g_new0 (gboolean, MAX (limits->sections->len, 1));
  Holding              holding = { check, matched, ts_report_has_one_tick (check->report) };

  return hold_files (&holding, error) && (!limits->use_annotations || hold_annotations (check, error));
}

static void
count_results (TsCheck *check)
{
  for (guint i = 0; i < check->verdicts->len; i++)
    {
      const TsVerdict *verdict = g_ptr_array_index (check->verdicts, i);

      check->n_results[verdict->result]++;
      if (!verdict->is_comparison)
        check->n_limits++;
      else if (verdict->result != TS_VERDICT_NEW && verdict->result != TS_VERDICT_NO_MATCH)
        check->n_comparisons++;
    }
}

gboolean
ts_report_can_be_checked (const TsReport *report, GError **error)
{
  if (!report->is_only_written)
    return TRUE;
  g_set_error (error, TS_ERROR, TS_ERROR_USAGE, "%s: its samples or results were left out, so it cannot be checked",
               report->input);
  return FALSE;
}

/* What should have had limits. */
static const char *
first_source (const TsLimits *limits)
{
  if (limits != NULL && limits->sections->len > 0)
    return ((const TsLimitSection *) g_ptr_array_index (limits->sections, 0))->file;
  if (limits != NULL && limits->tolerances->len > 0)
    return ((const TsTolerance *) g_ptr_array_index (limits->tolerances, 0))->source;
  return "--limits";
}

TsCheck *
ts_check_new (const TsReport *report, const TsLimits *limits, const TsReport *baseline, const TsCheckOptions *options,
              GError **error)
{
  g_autoptr (TsCheck) check = NULL;

  g_return_val_if_fail (report != NULL && options != NULL, NULL);
  if (!ts_report_can_be_checked (report, error) || (baseline != NULL && !ts_report_can_be_checked (baseline, error)))
    return NULL;
  check = g_new0 (TsCheck, 1);
  check->report = report;
  check->limits = limits;
  check->baseline = baseline;
  check->options = *options;
  check->baseline_path = g_strdup (options->baseline_path != NULL ? options->baseline_path
                                   : baseline != NULL             ? baseline->input
                                                                  : NULL);
  check->verdicts = g_ptr_array_new_with_free_func (ts_verdict_free);
  check->labels[0] = ts_labels_new (report);
  check->labels[1] = baseline != NULL ? ts_labels_new (baseline) : NULL;
  if (limits != NULL && !hold_limits (check, error))
    return NULL;
  if (baseline != NULL && !ts_check_compare (check, error))
    return NULL;
  count_results (check);
  if (baseline != NULL && check->n_comparisons == 0)
    {
      const TsTrace *trace = g_ptr_array_index (baseline->traces, 0);

      g_set_error (error, TS_ERROR, TS_ERROR_USAGE, "%s: there is nothing in it to compare with%s%s", check->baseline_path,
                   *trace->window != '\0' ? " in the window " : "", trace->window);
      return NULL;
    }
  if (check->verdicts->len == 0)
    {
      g_set_error (error, TS_ERROR, TS_ERROR_USAGE, "%s: there is no limit to check", first_source (limits));
      return NULL;
    }
  return g_steal_pointer (&check);
}

void
ts_check_free (TsCheck *check)
{
  if (check == NULL)
    return;
  g_ptr_array_unref (check->verdicts);
  for (guint i = 0; i < G_N_ELEMENTS (check->labels); i++)
    g_clear_pointer (&check->labels[i], g_hash_table_unref);
  g_free (check->baseline_window);
  g_free (check->baseline_path);
  g_free (check);
}

TsTableSource
ts_check_table_source (const TsCheck *check)
{
  return (TsTableSource){ ts_check_add_tables, check };
}

gboolean
ts_check_refuses_baseline (const TsCheck *check, TsDiagnosticId id)
{
  const TsDiagnosticRule *rules = check->options.rules;

  return check->baseline != NULL && (rules == NULL || rules[id] != TS_RULE_ALLOW)
         && ts_diagnostics_refuse (check->baseline->diagnostics, id, NULL);
}

gboolean
ts_check_passed (const TsCheck *check)
{
  for (guint i = 0; i < TS_N_VERDICTS; i++)
    if (check->n_results[i] > 0 && !ts_verdict_is_pass ((TsVerdictResult) i))
      return FALSE;
  return TRUE;
}

guint
ts_check_n_verdicts (const TsCheck *check)
{
  return check->verdicts->len;
}

const TsVerdict *
ts_check_get_verdict (const TsCheck *check, guint index)
{
  g_return_val_if_fail (index < check->verdicts->len, NULL);
  return g_ptr_array_index (check->verdicts, index);
}
