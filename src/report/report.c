/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <tracestat/report.h>

#include "analyse/trace.h"
#include "report/match.h"
#include "report/pool.h"
#include "report/results.h"
#include "report/tables.h"

/* Pools the measures of traces element by element. */

static const guint64 default_percentiles[] = { 50000000, 90000000, 95000000, 99000000 };

typedef struct
{
  TsReport        *report;
  const TsOptions *options;
  gint64          *factors; /* of each trace: to the common base */
} Pooling;

static TsPool *
add_pool (Pooling *pooling, guint section, guint input)
{
  TsPool *pool = ts_pool_new (section, input, ts_options_exact_metrics (pooling->options));

  g_ptr_array_add (pooling->report->blocks, pool->block);
  g_ptr_array_add (pooling->report->measures, pool->measures);
  return pool;
}

const char *const ts_period_annotations[TS_N_PERIOD_ANNOTATIONS] = { "PER", "PERav", "Period" };

/* The period that the annotations of a trace give one of its elements, in its own units. */
static gboolean
annotated_period (const TsTrace *trace, const TsElement *element, TsRational *period)
{
  TsTimeText text;

  for (guint k = 0; k < TS_N_PERIOD_ANNOTATIONS; k++)
    for (guint i = 0; element->annotations != NULL && i < element->annotations->len; i++)
      {
        const TsAnnotation *annotation = &g_array_index (element->annotations, TsAnnotation, i);

        if (annotation->name != NULL && annotation->value != NULL
            && g_ascii_strcasecmp (annotation->name, ts_period_annotations[k]) == 0
            && ts_time_text_parse (annotation->value, &text, NULL) && text.value.numerator > 0
            && ts_time_text_exact (&text, ts_system_time_base (trace->system), period))
          return TRUE;
      }
  return FALSE;
}

/* The period that a trace, or a report that was read, has for what it gave to the pool, in units of the common
 * base. Returns who says so, or NULL. */
static const char *
period_of_member (const Pooling *pooling, const TsPoolMember *member, TsRational *period)
{
  const TsTrace *trace = g_ptr_array_index (pooling->report->traces, member->input);
  const char    *source = NULL;

  if (trace->periods != NULL && trace->periods[member->id].source != NULL
      && trace->periods[member->id].period.numerator > 0)
    {
      source = trace->periods[member->id].source;
      *period = trace->periods[member->id].period;
    }
  else if (annotated_period (trace, ts_system_get_element (trace->system, member->id), period))
    source = "annotation";
  if (source != NULL)
    *period = ts_rational_multiply (*period, ts_rational (pooling->factors[member->input], 1));
  return source;
}

/* Of different periods the largest one: that does not depend on the order of the traces. */
static const char *
traced_period (const Pooling *pooling, const TsPool *pool, guint index, TsRational *period, gboolean *differ)
{
  const char *source = NULL;
  gboolean    is_lacking = FALSE;

  *differ = FALSE;
  for (const TsPoolMember *member = NULL; (member = ts_pool_next_member (pool, index, member)) != NULL;)
    {
      TsRational  own;
      const char *own_source = period_of_member (pooling, member, &own);
      int         order;

      if (own_source == NULL)
        {
          is_lacking |= member->has_deltas;
          continue;
        }
      order = source != NULL ? ts_rational_compare (own, *period) : 1;
      *differ |= source != NULL && order != 0;
      if (order < 0 || (order == 0 && strcmp (own_source, source) >= 0))
        continue;
      source = own_source;
      *period = own;
    }
  *differ |= source != NULL && is_lacking;
  return source;
}

/* The period that the traces or the user give; the user's wins. Returns who says so, or NULL; *differ: the traces do not
 * agree. */
static const char *
configured_period (const Pooling *pooling, const TsPool *pool, guint index, TsRational *period, gboolean *differ)
{
  const TsReportElement *element = g_ptr_array_index (pool->block->elements, index);
  const char *source = traced_period (pooling, pool, index, period, differ);

  for (guint i = 0; pooling->options->periods != NULL && i < pooling->options->periods->len; i++)
    {
      const TsPeriodOption *option = g_ptr_array_index (pooling->options->periods, i);

      if ((option->has_type && option->type != element->type) || !ts_glob_matches (option->name, element->name)
          || !ts_time_text_exact (&option->period, &pooling->report->base, period))
        continue;
      source = option->source != NULL ? option->source : "--period";
      *differ = FALSE;
    }
  if (*differ && pool->block->section == 0)
    ts_diagnostics_add (pooling->report->diagnostics, TS_DIAGNOSTIC_DIFFERENT_PERIODS, 0, "%s", element->name);
  return source;
}

static void
describe_element (const Pooling *pooling, const TsPool *pool, guint index)
{
  TsReport        *report = pooling->report;
  TsReportElement *element = g_ptr_array_index (pool->block->elements, index);
  TsPooledElement *pooled = (TsPooledElement *) (gpointer) element;
  const char      *source = configured_period (pooling, pool, index, &pooled->period, &element->periods_differ);
  gboolean         is_exact;
  const guint      deltas = 1u << TS_METRIC_DT, jitter = 1u << TS_METRIC_JIT;

  element->resource = ts_pool_resources_of (pool, index);
  element->declared_on = ts_pool_declared_on (pool, report->traces, index);
  element->period_source = source != NULL ? g_intern_string (source) : NULL;
  ts_measured_forget_awaited (&pool->measures->elements[index]);
  element->unfinished = pool->measures->elements[index].unfinished;
  pooled->samples = &pool->measures->elements[index];
  pooled->measured = ts_results_find (pooled, &is_exact);
  report->exact &= is_exact;
  if ((pooled->measured & deltas) != 0 && (pooled->measured & jitter) == 0 && pool->block->section == 0)
    ts_diagnostics_add (report->diagnostics, TS_DIAGNOSTIC_ZERO_PERIOD, 0, "%s", element->name);
}

/* They go with the samples of @pool. */
static void
calculate_elements (const Pooling *pooling, const TsPool *pool)
{
  g_autoptr (TsResults) results = ts_results_new (pooling->report);

  for (guint i = 0; i < pool->block->elements->len; i++)
    {
      TsReportElement *element = g_ptr_array_index (pool->block->elements, i);

      ts_results_calculate (results, element, TS_ALL_RESULTS, TRUE);
      ts_results_keep (results, &pool->measures->arena, element);
    }
}

/* What is idle in one trace, and not in another, is in half of the load: reports that were read differ in that, if they do. */
static void
note_idle (const Pooling *pooling, const TsPool *pool, guint index)
{
  const GPtrArray *traces = pooling->report->traces;
  const TsTrace   *idle = NULL, *busy = NULL;

  for (const TsPoolMember *member = NULL; (member = ts_pool_next_member (pool, index, member)) != NULL;)
    {
      const TsTrace *trace = g_ptr_array_index (traces, member->input);

      if (ts_system_get_element (trace->system, member->id)->idle)
        idle = trace;
      else
        busy = trace;
    }
  if (idle != NULL && busy != NULL)
    ts_diagnostics_add (pooling->report->diagnostics, TS_DIAGNOSTIC_DIFFERENT_OPTIONS, 0, "`%s' is idle in %s, and not in %s",
                        ((const TsReportElement *) g_ptr_array_index (pool->block->elements, index))->name, idle->title,
                        busy->title);
}

static void
calculate_load (const TsReport *report, const TsPool *pool, TsMetricResult *load, TsInt128 busy, TsInt128 window)
{
  load->min = load->mean = load->max = load->reference_value = ts_rational (0, 1);
  if (window <= 0)
    return;
  load->n = 1;
  load->sum = busy;
  load->min = load->mean = load->max = ts_rational (busy, window);
  load->reference_value = ts_rational (window, 1);
  if (report->n_percentiles > 0)
    load->percentiles = ts_arena_take (&pool->measures->arena, report->n_percentiles * sizeof (TsRational));
  for (guint i = 0; i < report->n_percentiles; i++)
    load->percentiles[i] = load->mean;
}

static void
set_too_fine (GError **error, const TsTrace *trace)
{
  g_set_error (error, TS_ERROR, TS_ERROR_RANGE,
               "%s: the unit of time that divides its tick and those of the other traces is too small: "
               "report them one by one", trace->title);
}

static gboolean
find_base (Pooling *pooling, GError **error)
{
  TsReport *report = pooling->report;
  GPtrArray *traces = report->traces;

  for (guint i = 0; i < traces->len; i++)
    {
      const TsTrace *trace = g_ptr_array_index (traces, i);
      TsTimeBase     common;
      gint64         factor, own_factor;

      pooling->factors[i] = 1;
      if (i == 0)
        {
          report->base = *ts_system_time_base (trace->system);
          continue;
        }
      if (!ts_time_base_common (&report->base, ts_system_time_base (trace->system), &common, &factor, &own_factor))
        {
          const char *first = ((const TsTrace *) g_ptr_array_index (traces, 0))->title;

          if (report->base.known == ts_system_time_base (trace->system)->known)
            set_too_fine (error, trace);
          else
            g_set_error (error, TS_ERROR, TS_ERROR_USAGE,
                         "%s: %s, so it cannot be pooled with %s: report them one by one", trace->title,
                         report->base.known ? "it does not say how long a tick is"
                                            : "its times are in seconds, and not in ticks of unknown length", first);
          return FALSE;
        }
      for (guint k = 0; k < i; k++)
        if (__builtin_mul_overflow (pooling->factors[k], factor, &pooling->factors[k]))
          {
            set_too_fine (error, trace);
            return FALSE;
          }
      pooling->factors[i] = own_factor;
      report->base = common;
    }
  return TRUE;
}

/* The first trace whose ticks are not those of the first of all, or NULL. */
static const TsTrace *
find_other_tick (const TsReport *report)
{
  for (guint i = 1; i < report->traces->len; i++)
    if (ts_rational_compare (ts_input_tick (report, g_ptr_array_index (report->traces, i)),
                             ts_input_tick (report, g_ptr_array_index (report->traces, 0))) != 0)
      return g_ptr_array_index (report->traces, i);
  return NULL;
}

/* Where ticks differ, one of the report is the largest unit that divides them all, whatever the order of the traces. If
 * its halves are beyond what a time base may have, it stays that of the first. */
static void
set_common_tick (TsReport *report)
{
  const TsTrace *other = find_other_tick (report);
  TsTimeBase    *base = &report->base;
  TsRational     units, length;
  TsInt128       denominator;

  if (other == NULL || !base->known)
    return;
  units = ts_input_tick (report, other);
  for (guint i = 0; i < report->traces->len && units.denominator == 1; i++)
    {
      const TsRational tick = ts_input_tick (report, g_ptr_array_index (report->traces, i));

      /* by what is left of it in lowest terms */
      if (__builtin_mul_overflow (tick.denominator, ts_rational (tick.numerator, units.numerator).numerator, &denominator))
        return;
      units = ts_rational (tick.numerator, denominator);
    }
  if (units.denominator != 1 || units.numerator > G_MAXINT64)
    return;
  length = ts_rational_multiply (ts_rational (base->numerator, base->denominator),
                                 ts_rational (units.numerator, base->scale));
  if (length.numerator > TS_MOST_OF_FRACTION || length.denominator > TS_MOST_OF_FRACTION)
    return;
  base->numerator = (guint64) length.numerator;
  base->denominator = (guint64) length.denominator;
  base->scale = (gint64) units.numerator;
}

gboolean
ts_report_has_one_tick (const TsReport *report)
{
  return find_other_tick (report) == NULL;
}

/* "1 us" */
static char *
tick_text (const TsTrace *trace)
{
  const TsTimeBase *base = ts_system_time_base (trace->system);
  char              number[TS_NUMBER_SIZE];

  ts_rational_format (ts_rational (base->numerator, base->denominator), number);
  return g_strdup_printf ("%s %s", number, ts_time_base_unit_name (base->exponent));
}

/* So many ticks are another moment in each trace, unless they are none. */
static gboolean
check_window (const Pooling *pooling, GError **error)
{
  const TsOptions *options = pooling->options;
  const TsTrace   *first = g_ptr_array_index (pooling->report->traces, 0), *other = find_other_tick (pooling->report);
  const gboolean   is_from = options->has_from && options->from.in_ticks && options->from.value.numerator != 0;
  const gboolean   is_to = options->has_to && options->to.in_ticks && options->to.value.numerator != 0;
  g_autofree char *first_tick = NULL, *other_tick = NULL;

  if (other == NULL || !(is_from || is_to))
    return TRUE;
  first_tick = tick_text (first);
  other_tick = tick_text (other);
  g_set_error (error, TS_ERROR, TS_ERROR_USAGE,
               "%s: a tick of %s is %s, and one of %s is %s: give the time with a unit, as ms", is_from ? "--from" : "--to",
               first->path, first_tick, other->path, other_tick);
  return FALSE;
}

/* A period in seconds says nothing of a trace whose ticks have no known length, one in ticks nothing of traces whose
 * ticks have different ones. */
static gboolean
check_periods (const Pooling *pooling, GError **error)
{
  const GPtrArray *periods = pooling->options->periods;
  gboolean         has_one_tick = ts_report_has_one_tick (pooling->report);

  for (guint i = 0; periods != NULL && i < periods->len && !(pooling->report->base.known && has_one_tick); i++)
    {
      const TsPeriodOption *option = g_ptr_array_index (periods, i);

      if (option->period.in_ticks ? has_one_tick : pooling->report->base.known)
        continue;
      g_set_error (error, TS_ERROR, TS_ERROR_USAGE, "%s: period of `%s': %s",
                   option->source != NULL ? option->source : "--period", option->name,
                   option->period.in_ticks ? "the traces have different ticks: give it with a unit of time, as ms"
                                           : "the trace does not say how long a tick is: give it in ticks");
      return FALSE;
    }
  return TRUE;
}

/* All that belongs to @pool was added. */
static void
finish (const Pooling *pooling, TsPool *pool)
{
  ts_pool_sort (pool);
  for (guint i = 0; i < pool->block->elements->len; i++)
    {
      ts_pool_collect_annotations (pool, pooling->report, i);
      describe_element (pooling, pool, i);
      if (pool->block->section == 0)
        note_idle (pooling, pool, i);
    }
  if (!pooling->options->no_results)
    calculate_elements (pooling, pool);
  for (guint i = 0; i < pool->block->resources->len; i++)
    {
      TsReportResource *resource = g_ptr_array_index (pool->block->resources, i);

      calculate_load (pooling->report, pool, &resource->load, pool->measures->busy[i], pool->windows[i]);
    }
}

/* Of the trace @input. Sections may be thousands, so each gives back what it does not need at once. */
static gboolean
pool_sections (Pooling *pooling, guint input, const guint32 *numbers, GError **error)
{
  TsTrace *trace = g_ptr_array_index (pooling->report->traces, input);

  for (guint i = 0; trace->section_measures != NULL && i < trace->section_measures->len; i++)
    {
      TsMeasures *measures = g_ptr_array_index (trace->section_measures, i);
      g_autoptr (TsPool) pool = add_pool (pooling, measures->section, input);

      if (!ts_pool_add (pool, trace, measures, numbers, pooling->factors[input], input, error))
        return FALSE;
      ts_measures_drop_elements (measures);
      finish (pooling, pool);
    }
  return TRUE;
}

static gboolean
pool_traces (Pooling *pooling, GError **error)
{
  TsReport *report = pooling->report;
  g_autoptr (TsPool) all = add_pool (pooling, 0, 0);
  g_autoptr (GPtrArray) numbers = ts_match_elements (report->traces);

  all->keeps_shares = pooling->options->per_input && report->given->len > 1;
  for (guint i = 0; i < report->traces->len; i++)
    {
      TsTrace *trace = g_ptr_array_index (report->traces, i);

      if (!ts_pool_add (all, trace, trace->measures, g_ptr_array_index (numbers, i), pooling->factors[i], i, error)
          || !pool_sections (pooling, i, g_ptr_array_index (numbers, i), error))
        return FALSE;
      ts_diagnostics_merge (report->diagnostics, trace->diagnostics);
    }
  finish (pooling, all);
  return TRUE;
}

/* What @trace was made with, and the window of it. */
static char *
options_of (const TsTrace *trace)
{
  if (*trace->options == '\0' && *trace->window == '\0')
    return g_strconcat (trace->title, " without options", NULL);
  return g_strdup_printf ("%s with `%s%s%s'", trace->title, trace->options,
                          *trace->options != '\0' && *trace->window != '\0' ? " " : "", trace->window);
}

static gboolean
means_the_same (const TsTrace *a, const TsTrace *b)
{
  return ts_traces_share_options (a, b) && g_str_equal (a->window, b->window);
}

/* Numbers that do not mean the same as those of the first trace, or of the first of its format, which may have more options; within
 * a report that was read this is said already. */
static void
note_options (const TsReport *report)
{
  g_autoptr (GHashTable) firsts = g_hash_table_new (g_str_hash, g_str_equal); /* of each format */
  const TsTrace         *first = report->given->len > 0 ? g_ptr_array_index (report->given, 0) : NULL;

  for (guint i = 0; i < report->given->len; i++)
    {
      TsTrace         *trace = g_ptr_array_index (report->given, i);
      const TsTrace   *of_format = g_hash_table_lookup (firsts, trace->format), *other = first;
      g_autofree char *own = NULL, *others = NULL;

      if (of_format == NULL)
        g_hash_table_insert (firsts, (gpointer) trace->format, trace);
      else if (means_the_same (trace, first))
        other = of_format;
      if (means_the_same (trace, other))
        continue;
      own = options_of (trace);
      others = options_of (other);
      ts_diagnostics_add (report->diagnostics, TS_DIAGNOSTIC_DIFFERENT_OPTIONS, 0, "%s, %s", others, own);
    }
}

/* A report that was read stands for the traces that it is on. */
static GPtrArray *
list_traces (GPtrArray *given)
{
  GPtrArray *traces = g_ptr_array_new ();

  for (guint i = 0; i < given->len; i++)
    {
      TsTrace *trace = g_ptr_array_index (given, i);

      g_ptr_array_add (traces, trace);
      for (guint k = 0; trace->others != NULL && k < trace->others->len; k++)
        g_ptr_array_add (traces, g_ptr_array_index (trace->others, k));
    }
  return traces;
}

/* The samples of a trace go into a report, and are not there for another one. */
static gboolean
check_unreported (const GPtrArray *given, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < given->len; i++)
    {
      TsTrace *trace = g_ptr_array_index ((GPtrArray *) given, i);

      if (!trace->is_reported && g_hash_table_add (seen, trace))
        continue;
      g_set_error (error, TS_ERROR, TS_ERROR_USAGE, "%s: was reported on already, and has to be read again for that",
                   trace->title);
      return FALSE;
    }
  return TRUE;
}

static gboolean
pool_given (Pooling *pooling, GError **error)
{
  const GPtrArray *given = pooling->report->given;

  for (guint i = 0; i < given->len; i++)
    ((TsTrace *) g_ptr_array_index ((GPtrArray *) given, i))->is_reported = TRUE;
  return pool_traces (pooling, error);
}

TsReport *
ts_report_new (GPtrArray *given, const TsOptions *options, GError **error)
{
  g_autoptr (TsReport) report = NULL;
  g_autoptr (GString)  input = NULL;
  g_autofree gint64   *factors = NULL;
  GPtrArray           *traces;
  Pooling              pooling;

  g_return_val_if_fail (given != NULL && options != NULL, NULL);
  report = g_new0 (TsReport, 1);
  input = g_string_new (NULL);
  traces = list_traces (given);
  factors = g_new0 (gint64, MAX (traces->len, 1));
  pooling = (Pooling){ report, options, factors };
  report->traces = traces;
  report->given = g_ptr_array_ref (given);
  report->base = ts_time_base_ticks ();
  report->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_report_block_free);
  report->measures = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_measures_free);
  report->diagnostics = ts_diagnostics_new (NULL);
  report->exact = TRUE;
  report->is_only_written = options->no_samples || options->no_results;
  report->n_percentiles = options->no_samples            ? 0
                          : options->percentiles != NULL ? options->percentiles->len
                                                         : G_N_ELEMENTS (default_percentiles);
  report->percentiles = g_memdup2 (options->percentiles != NULL ? (gconstpointer) options->percentiles->data
                                                                : default_percentiles,
                                   report->n_percentiles * sizeof (guint64));
  for (guint i = 0; i < traces->len; i++)
    g_string_append_printf (input, "%s%s", i > 0 ? "+" : "", ((const TsTrace *) g_ptr_array_index (traces, i))->path);
  report->input = g_strdup (input->str);
  if (traces->len == 0)
    {
      g_set_error (error, TS_ERROR, TS_ERROR_USAGE, "there is no trace to report on");
      return NULL;
    }
  if (!check_unreported (given, error) || !find_base (&pooling, error))
    return NULL;
  set_common_tick (report);
  if (!check_window (&pooling, error) || !check_periods (&pooling, error)
      || !pool_given (&pooling, error))
    return NULL;
  note_options (report);
  return g_steal_pointer (&report);
}

void
ts_report_free (TsReport *report)
{
  if (report == NULL)
    return;
  g_clear_pointer (&report->blocks, g_ptr_array_unref);
  g_clear_pointer (&report->measures, g_ptr_array_unref);
  g_clear_pointer (&report->traces, g_ptr_array_unref);
  g_clear_pointer (&report->given, g_ptr_array_unref);
  ts_diagnostics_free (report->diagnostics);
  g_free (report->input);
  g_free (report->percentiles);
  g_free (report);
}
