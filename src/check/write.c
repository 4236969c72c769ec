/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "check/verdict.h"
#include "report/tables.h"
#include "report/writers.h"

/* Limits made from what was measured, so that a project has some to begin with. */

#define DECIMALS 9

static const TsMetricId usual_metrics[] = { TS_METRIC_CET, TS_METRIC_RT };

typedef struct
{
  GString              *out;
  const TsReport       *report;
  const TsPrintOptions *options;
  const TsFilter       *filter;
  TsRational            margin;
} Draft;

static TsRational
absolute (TsRational value)
{
  return value.numerator < 0 ? (TsRational){ -value.numerator, value.denominator } : value;
}

/* Rounded away from what was measured, so that this itself always passes. */
static TsRational
rounded (TsRational value, gboolean up)
{
  TsInt128 unit = 1, whole;

  for (guint i = 0; i < DECIMALS; i++)
    unit *= 10;
  value = ts_rational_multiply (value, ts_rational (unit, 1));
  whole = value.numerator / value.denominator;
  if (up && whole * value.denominator < value.numerator)
    whole++;
  if (!up && whole * value.denominator > value.numerator)
    whole--;
  return ts_rational (whole, unit);
}

static TsUnit
suitable_unit (const Draft *draft, TsRational units)
{
  const TsTimeBase *base = &draft->report->base;
  TsUnit            unit = TS_UNIT_S;

  if (!base->known)
    return TS_UNIT_TICKS;
  if (draft->options->unit != TS_UNIT_FITTING)
    return draft->options->unit;
  while (unit > TS_UNIT_NS
         && ts_rational_compare (ts_rational_multiply (absolute (units), ts_time_base_factor (base, unit)),
                                 ts_rational (1, 1)) < 0)
    unit--;
  return unit;
}

/* Which statistic of a metric a limit is for. */
static TsFigure
figure_of (TsMetricId metric)
{
  return (TsFigure){ metric, metric == TS_METRIC_ST    ? TS_STATISTIC_MIN
                             : metric == TS_METRIC_JIT ? TS_STATISTIC_ABSMAX
                                                       : TS_STATISTIC_MAX, 0 };
}

static void
append_measured (const Draft *draft, const TsFigure *figure, const TsMetricResult *result)
{
  const TsExtreme *place;
  TsRational       value = ts_figure_value (figure, result, &place);
  g_autofree char *value_text = ts_value_text (figure, value, value, &draft->report->base, draft->options->unit);
  g_autofree char *mean = ts_value_text (figure, result->mean, value, &draft->report->base, draft->options->unit);

  if (figure->metric == TS_METRIC_LOAD)
    {
      g_string_append_printf (draft->out, "# measured: %s\n", value_text);
      return;
    }
  g_string_append_printf (draft->out, "# measured: n %" G_GUINT64_FORMAT ", mean %s, %s %s", result->n, mean,
                          ts_figure_statistic_name (figure), value_text);
  if (place != NULL)
    {
      g_autofree char *at = ts_time_value_text (place->at, &draft->report->base, draft->options->unit);

      g_string_append_printf (draft->out, " at %s, instance %" G_GINT64_FORMAT, at, place->number);
    }
  g_string_append_c (draft->out, '\n');
}

static void
append_limit (const Draft *draft, TsMetricId metric, const TsMetricResult *result)
{
  const TsFigure figure = figure_of (metric);
  TsQuantity     quantity = ts_metric_info (metric)->quantity;
  TsRational     value = ts_figure_value (&figure, result, NULL), bound, factor = { 1, 1 };
  gboolean       is_lower = figure.statistic == TS_STATISTIC_MIN;
  TsRational     margin = ts_rational_multiply (absolute (value), draft->margin);
  const char    *unit = "";
  char           number[TS_NUMBER_SIZE];

  if (is_lower)
    bound = ts_rational_subtract (value, margin);
  else
    bound = ts_rational_subtract (value, (TsRational){ -margin.numerator, margin.denominator });
  /* more than all of the time is no limit */
  if (metric == TS_METRIC_LOAD && ts_rational_compare (bound, ts_rational (1, 1)) > 0)
    bound = ts_rational (1, 1);
  if (quantity == TS_QUANTITY_RATIO)
    {
      factor.numerator = 100;
      unit = " %";
    }
  else if (quantity == TS_QUANTITY_TIME)
    {
      TsUnit fitting = suitable_unit (draft, bound.numerator != 0 ? bound : value);

      factor = ts_time_base_factor (&draft->report->base, fitting);
      unit = fitting == TS_UNIT_TICKS ? " ticks" : fitting == TS_UNIT_NS ? " ns" : fitting == TS_UNIT_US ? " us"
             : fitting == TS_UNIT_MS ? " ms" : " s";
    }
  append_measured (draft, &figure, result);
  ts_rational_format (rounded (ts_rational_multiply (bound, factor), !is_lower), number);
  g_string_append_printf (draft->out, "%s.%s = %s%s\n", ts_metric_info (metric)->name,
                          ts_figure_statistic_name (&figure), number, unit);
}

/* A line ends a name, whatever is in it; a wildcard stands for what cannot be written. */
static char *
one_line (const char *name)
{
  char *valid = g_utf8_make_valid (name, -1);

  for (char *c = valid; *c != '\0'; c++)
    if ((guchar) *c < 0x20)
      *c = '?';
  return valid;
}

static void
append_header (const Draft *draft, const char *prefix, const char *name)
{
  g_autofree char *line = one_line (name);

  g_string_append_printf (draft->out, "\n[%s:%s]\n", prefix, line);
}

static gboolean
is_wanted (const Draft *draft, TsMetricId metric)
{
  if (draft->options->metrics != 0)
    return ts_filter_has_metric (draft->filter, metric);
  for (guint i = 0; i < G_N_ELEMENTS (usual_metrics); i++)
    if (usual_metrics[i] == metric)
      return TRUE;
  return FALSE;
}

static gboolean
has_limits (const Draft *draft, const TsReportElement *element)
{
  for (TsMetricId metric = 0; metric < TS_METRIC_LOAD; metric++)
    if (is_wanted (draft, metric) && element->metrics[metric]->n > 0)
      return TRUE;
  return FALSE;
}

/* The wider one of two results for one limit. */
static gboolean
is_wider (TsMetricId metric, const TsMetricResult *a, const TsMetricResult *b)
{
  const TsFigure figure = figure_of (metric);
  int            order;

  if (a->n == 0 || b->n == 0)
    return b->n == 0;
  order = ts_rational_compare (ts_figure_value (&figure, a, NULL), ts_figure_value (&figure, b, NULL));
  return figure.statistic == TS_STATISTIC_MIN ? order < 0 : order > 0;
}

/* Elements of one type and name share a section: the worst of them counts. */
static gboolean
append_element (const Draft *draft, const GPtrArray *elements, guint index)
{
  const TsReportElement *element = g_ptr_array_index (elements, index);
  const char            *type = ts_element_type_name (element->type);

  for (guint i = 0; i < index; i++)
    {
      const TsReportElement *other = g_ptr_array_index (elements, i);

      if (other->type == element->type && strcmp (other->name, element->name) == 0 && has_limits (draft, other))
        return TRUE;
    }
  if (element->idle)
    {
      /* idle goes by name */
      append_header (draft, "any", element->name);
      g_string_append (draft->out, "idle = true\n");
      return TRUE;
    }
  if (!has_limits (draft, element))
    return FALSE;
  append_header (draft, type, element->name);
  if (element->period_source != NULL && strcmp (element->period_source, "annotation") != 0)
    {
      const TsMetricResult *jitter = element->metrics[TS_METRIC_JIT];
      TsUnit                unit = suitable_unit (draft, jitter->reference_value);
      char                  number[TS_NUMBER_SIZE];

      ts_rational_format (ts_rational_multiply (jitter->reference_value, ts_time_base_factor (&draft->report->base, unit)),
                          number);
      g_string_append_printf (draft->out, "period = %s %s\n", number, ts_unit_name (unit));
    }
  for (TsMetricId metric = 0; metric < TS_METRIC_LOAD; metric++)
    {
      const TsMetricResult *widest = element->metrics[metric];

      if (!is_wanted (draft, metric))
        continue;
      for (guint i = index + 1; i < elements->len; i++)
        {
          const TsReportElement *other = g_ptr_array_index (elements, i);

          if (other->type == element->type && strcmp (other->name, element->name) == 0
              && is_wider (metric, other->metrics[metric], widest))
            widest = other->metrics[metric];
        }
      if (widest->n > 0)
        append_limit (draft, metric, widest);
    }
  return TRUE;
}

static void
append_elements (const Draft *draft, const TsReportBlock *block)
{
  g_autoptr (GString) without = g_string_new (NULL);

  for (guint i = 0; i < block->elements->len; i++)
    {
      const TsReportElement *element = g_ptr_array_index (block->elements, i);

      if (ts_filter_has_element (draft->filter, element->type, element->name)
          && !append_element (draft, block->elements, i))
        {
          g_autofree char *name = one_line (element->name);

          g_string_append_printf (without, "#   %s\n", name);
        }
    }
  if (without->len > 0)
    g_string_append_printf (draft->out, "\n# Without samples of these metrics, and so without limits:\n%s", without->str);
}

static void
append_resources (const Draft *draft, const TsReportBlock *block)
{
  for (guint i = 0; i < block->resources->len; i++)
    {
      const TsReportResource *resource = g_ptr_array_index (block->resources, i);

      if (!ts_filter_has_resource (draft->filter, resource->name) || resource->load.n == 0)
        continue;
      append_header (draft, "resource", resource->name);
      append_limit (draft, TS_METRIC_LOAD, &resource->load);
    }
}

gboolean
ts_limits_write (const TsReport *report, const TsPrintOptions *options, TsRational margin, TsSink sink,
                 GError **error)
{
  const TsReportBlock *block = g_ptr_array_index (report->blocks, 0);
  g_autoptr (TsFilter) filter = ts_filter_new (options);
  g_autofree char     *percent = ts_percent_text (margin);
  g_autofree char     *input = one_line (report->input);
  TsOutput             output;
  Draft                draft = { .report = report, .options = options, .filter = filter, .margin = margin };

  if (!ts_report_can_be_checked (report, error))
    return FALSE;
  ts_output_init (&output, sink);
  draft.out = output.text;
  g_string_append_printf (draft.out,
                          "# Limits for tracestat: what was measured in %s, and %s more.\n"
                          "# See tracestat-limits(5). Put what is demanded in place of what was measured.\n",
                          input, percent);
  append_elements (&draft, block);
  append_resources (&draft, block);
  return ts_output_finish (&output, error);
}
