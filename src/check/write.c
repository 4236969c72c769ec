/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "analyse/trace.h"
#include "check/verdict.h"
#include "model/error.h"
#include "model/glob.h"
#include "model/number.h"
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
  GHashTable           *headers; /* of the sections that are there */
  guint                 n_limits;
} Draft;

/* What a limit is made from. */
typedef struct
{
  const TsMetricResult *result;
  const TsExtreme      *unfinished; /* of what was not over, or NULL: the limit is held against that, too */
} Measured;

/* Rounded away from what was measured. */
static TsRational
rounded (TsRational value, guint decimals, gboolean up)
{
  const TsInt128 unit = (TsInt128) ts_power_of_ten (decimals);

  value = ts_rational_multiply (value, ts_rational (unit, 1));
  return ts_rational (up ? ts_rational_ceil (value) : ts_rational_floor (value), unit);
}

static TsUnit
suitable_unit (const Draft *draft, TsRational units)
{
  const TsTimeBase *base = &draft->report->base;
  const TsUnit      asked_for = draft->options->unit;

  if (base->known && asked_for != TS_UNIT_FITTING
      && (asked_for != TS_UNIT_TICKS || ts_report_has_one_tick (draft->report)))
    return asked_for;
  return ts_value_unit (units, base);
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
append_measured (const Draft *draft, const TsFigure *figure, const Measured *measured)
{
  const TsMetricResult *result = measured->result;
  const TsExtreme *place;
  gboolean         is_unfinished;
  TsRational       value = ts_verdict_value (figure, result, measured->unfinished, &place, &is_unfinished);
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

      g_string_append_printf (draft->out, " at %s, instance %" G_GINT64_FORMAT "%s", at, place->number,
                              is_unfinished ? ", so far: it was not over, or its start is not in the trace" : "");
    }
  g_string_append_c (draft->out, '\n');
}

/* Whether @value keeps the limit that will be read from @text. */
static gboolean
keeps (const Draft *draft, const TsFigure *figure, TsRational value, const char *text)
{
  TsBound    bound = { .figure = *figure };
  TsRational limit;
  int        order;

  if (!ts_bound_parse (text, &bound, NULL) || !ts_amount_resolve (&bound.amount, &draft->report->base, &limit)
      || (bound.amount.kind == TS_AMOUNT_TICKS && !ts_report_has_one_tick (draft->report)))
    return FALSE;
  order = ts_rational_compare (value, limit);
  return bound.is_lower ? order >= 0 : order <= 0;
}

/* @bound in @unit, with as many decimals as a limit may have; or NULL: it is too large. */
static char *
bound_in (const Draft *draft, const TsFigure *figure, TsRational value, TsRational bound, TsRational factor,
          const char *unit)
{
  for (guint decimals = DECIMALS + 1; decimals-- > 0;)
    {
      char             number[TS_NUMBER_SIZE];
      g_autofree char *text = NULL;

      ts_rational_format_exact (rounded (ts_rational_multiply (bound, factor), decimals,
                                         figure->statistic != TS_STATISTIC_MIN), number);
      text = g_strconcat (number, unit, NULL);
      if (keeps (draft, figure, value, text))
        return g_steal_pointer (&text);
    }
  return NULL;
}

static char *
bound_text (const Draft *draft, const TsFigure *figure, TsRational value, TsRational bound)
{
  const TsTimeBase *base = &draft->report->base;
  char             *text = NULL;

  switch (ts_figure_quantity (figure))
    {
    case TS_QUANTITY_RATIO:
      return bound_in (draft, figure, value, bound, (TsRational){ 100, 1 }, " %");
    case TS_QUANTITY_COUNT:
      return bound_in (draft, figure, value, bound, (TsRational){ 1, 1 }, "");
    case TS_QUANTITY_TIME:
    default:
      for (TsUnit unit = suitable_unit (draft, bound.numerator != 0 ? bound : value);
           text == NULL && unit > TS_UNIT_TICKS && unit <= TS_UNIT_S; unit++)
        {
          g_autofree char *name = g_strconcat (" ", ts_unit_name (unit), NULL);

          text = bound_in (draft, figure, value, bound, ts_time_base_factor (base, unit), name);
        }
      return text != NULL ? text
                          : bound_in (draft, figure, value, bound, ts_time_base_factor (base, TS_UNIT_TICKS), " ticks");
    }
}

static void
append_limit (Draft *draft, TsMetricId metric, const Measured *measured)
{
  const TsFigure   figure = figure_of (metric);
  TsRational       value = ts_verdict_value (&figure, measured->result, measured->unfinished, NULL, NULL), bound;
  TsRational       margin = ts_rational_multiply (ts_rational_absolute (value), draft->margin);
  g_autofree char *text = NULL;

  if (figure.statistic == TS_STATISTIC_MIN)
    bound = ts_rational_subtract (value, margin);
  else
    bound = ts_rational_add (value, margin);
  /* more than all of the time is no limit, unless tasks overlapped */
  if (metric == TS_METRIC_LOAD && ts_rational_compare (bound, ts_rational (1, 1)) > 0
      && ts_rational_compare (value, ts_rational (1, 1)) <= 0)
    bound = ts_rational (1, 1);
  append_measured (draft, &figure, measured);
  text = bound_text (draft, &figure, value, bound);
  if (text == NULL)
    {
      g_string_append (draft->out, "# That has more digits than a limit may have.\n");
      return;
    }
  draft->n_limits++;
  g_string_append_printf (draft->out, "%s.%s = %s\n", ts_metric_info (metric)->name,
                          ts_figure_statistic_name (&figure), text);
}

/* A line ends a comment, whatever is in it. */
static char *
one_line (const char *name)
{
  char *valid = g_utf8_make_valid (name, -1);

  for (char *c = valid; *c != '\0'; c++)
    if ((guchar) *c < 0x20)
      *c = '?';
  return valid;
}

/* A name as a section has it. */
static char *
glob_of (const char *name)
{
  GString *glob = g_string_new (NULL);

  ts_glob_append_quoted (glob, name);
  return g_string_free (glob, FALSE);
}

/* FALSE: the section is there already. */
static gboolean
append_header (Draft *draft, const char *prefix, const char *glob)
{
  char *header = g_strdup_printf ("[%s:%s]", prefix, glob);

  if (!g_hash_table_add (draft->headers, header))
    return FALSE;
  g_string_append_printf (draft->out, "\n%s\n", header);
  return TRUE;
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

/* The wider one of two for one limit. */
static gboolean
is_wider (TsMetricId metric, const Measured *a, const Measured *b)
{
  const TsFigure figure = figure_of (metric);
  int            order;

  if (a->result->n == 0 || b->result->n == 0)
    return b->result->n == 0;
  order = ts_rational_compare (ts_verdict_value (&figure, a->result, a->unfinished, NULL, NULL),
                               ts_verdict_value (&figure, b->result, b->unfinished, NULL, NULL));
  return figure.statistic == TS_STATISTIC_MIN ? order < 0 : order > 0;
}

/* Those that the section of @element is for: of its type and name, and what else is called so where that cannot be
 * written. Of TsReportElement. */
static GPtrArray *
members_of (const TsReportElement *element, const char *glob, const GPtrArray *elements)
{
  GPtrArray *members = g_ptr_array_new ();

  for (guint i = 0; i < elements->len; i++)
    {
      TsReportElement *other = g_ptr_array_index (elements, i);

      if (other->type == element->type && ts_glob_matches (glob, other->name))
        g_ptr_array_add (members, other);
    }
  return members;
}

/* Whether @name fits @glob only since that cannot say what it was made from: its own is another one, and closer. */
static gboolean
fits_by_chance (const char *glob, const char *name)
{
  g_autofree char *own = glob_of (name);

  return strcmp (own, glob) != 0;
}

/* Whether @member has this limit in a section of its own. */
static gboolean
has_own_limit (const Draft *draft, const TsReportElement *member, const char *glob, TsMetricId metric)
{
  return member->metrics[metric]->n > 0 && !member->idle && fits_by_chance (glob, member->name)
         && ts_filter_has_element (draft->filter, member->type, member->name);
}

/* The worst of those @members that the limit of @glob is for; *@is_lacking: there are some without samples. */
static Measured
widest_of (const Draft *draft, const GPtrArray *members, const char *glob, TsMetricId metric, gboolean *is_lacking)
{
  Measured widest = { NULL, NULL };

  *is_lacking = FALSE;
  for (guint i = 0; i < members->len; i++)
    {
      const TsReportElement *member = g_ptr_array_index (members, i);
      const Measured         measured = { member->metrics[metric], ts_verdict_unfinished (member->unfinished, metric) };

      if (has_own_limit (draft, member, glob, metric))
        continue;
      *is_lacking |= measured.result->n == 0;
      if (widest.result == NULL || is_wider (metric, &measured, &widest))
        widest = measured;
    }
  return widest;
}

static gboolean
has_limits (const Draft *draft, const GPtrArray *members, const char *glob)
{
  gboolean is_lacking;

  for (TsMetricId metric = 0; metric < TS_METRIC_LOAD; metric++)
    if (is_wanted (draft, metric) && widest_of (draft, members, glob, metric, &is_lacking).result->n > 0)
      return TRUE;
  return FALSE;
}

/* As it was given, which is a decimal in one of the units. */
static void
append_period (const Draft *draft, TsRational period)
{
  const TsTimeBase *base = &draft->report->base;
  const TsUnit      units[] = { suitable_unit (draft, period), TS_UNIT_TICKS, TS_UNIT_NS, TS_UNIT_US, TS_UNIT_MS, TS_UNIT_S };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      char             number[TS_NUMBER_SIZE];
      g_autofree char *text = NULL;
      TsTimeText       time;
      TsRational       read;

      ts_rational_format_exact (ts_rational_multiply (period, ts_time_base_factor (base, units[i])), number);
      text = g_strdup_printf ("%s %s", number, ts_unit_name (units[i]));
      if (!ts_time_text_parse (text, &time, NULL) || !ts_time_text_exact (&time, base, &read)
          || ts_rational_compare (read, period) != 0)
        continue;
      g_string_append_printf (draft->out, "period = %s\n", text);
      return;
    }
}

static void
append_optional (const Draft *draft)
{
  g_string_append (draft->out, "# Not all that are called so have samples.\noptional = true\n");
}

static void
append_section (Draft *draft, const TsReportElement *element, const char *glob, const GPtrArray *members)
{
  gboolean is_optional = FALSE;

  if (!append_header (draft, ts_element_type_name (element->type), glob))
    return;
  if (element->period_source != NULL && strcmp (element->period_source, "annotation") != 0)
    append_period (draft, element->metrics[TS_METRIC_JIT]->reference_value);
  for (TsMetricId metric = 0; metric < TS_METRIC_LOAD; metric++)
    {
      gboolean       is_lacking;
      const Measured widest = widest_of (draft, members, glob, metric, &is_lacking);

      if (!is_wanted (draft, metric) || widest.result->n == 0)
        continue;
      append_limit (draft, metric, &widest);
      is_optional |= is_lacking;
    }
  if (is_optional)
    append_optional (draft);
}

/* FALSE: it has no section. */
static gboolean
append_element (Draft *draft, const GPtrArray *elements, const TsReportElement *element)
{
  g_autofree char *glob = glob_of (element->name);
  g_autoptr (GPtrArray) members = NULL;

  if (element->idle)
    {
      /* idle goes by name */
      if (append_header (draft, "any", glob))
        g_string_append (draft->out, "idle = true\n");
      return TRUE;
    }
  members = members_of (element, glob, elements);
  if (!has_limits (draft, members, glob))
    return FALSE;
  append_section (draft, element, glob, members);
  return TRUE;
}

static void
append_elements (Draft *draft, const TsReportBlock *block)
{
  g_autoptr (GString) without = g_string_new (NULL);

  for (guint i = 0; i < block->elements->len; i++)
    {
      const TsReportElement *element = g_ptr_array_index (block->elements, i);

      /* who idles decides on the load of all */
      if ((element->idle || ts_filter_has_element (draft->filter, element->type, element->name))
          && !append_element (draft, block->elements, element))
        {
          g_autofree char *name = one_line (element->name);

          g_string_append_printf (without, "#   %s\n", name);
        }
    }
  if (without->len > 0)
    g_string_append_printf (draft->out, "\n# Without samples of these metrics, and so without limits:\n%s", without->str);
}

static void
append_resource (Draft *draft, const GPtrArray *resources, const TsReportResource *resource)
{
  g_autofree char *glob = glob_of (resource->name);
  Measured         widest = { &resource->load, NULL };
  gboolean         is_optional = FALSE;

  for (guint i = 0; i < resources->len; i++)
    {
      const TsReportResource *other = g_ptr_array_index (resources, i);
      const Measured          measured = { &other->load, NULL };

      if (!ts_glob_matches (glob, other->name)
          || (other->load.n > 0 && fits_by_chance (glob, other->name)
              && ts_filter_has_resource (draft->filter, other->name)))
        continue;
      is_optional |= other->load.n == 0;
      if (is_wider (TS_METRIC_LOAD, &measured, &widest))
        widest = measured;
    }
  if (widest.result->n == 0 || !append_header (draft, "resource", glob))
    return;
  append_limit (draft, TS_METRIC_LOAD, &widest);
  if (is_optional)
    append_optional (draft);
}

static void
append_resources (Draft *draft, const TsReportBlock *block)
{
  for (guint i = 0; i < block->resources->len; i++)
    {
      const TsReportResource *resource = g_ptr_array_index (block->resources, i);

      if (ts_filter_has_resource (draft->filter, resource->name))
        append_resource (draft, block->resources, resource);
    }
}

/* What decided on what was measured, and is in no limit. */
static void
append_options (const Draft *draft)
{
  const GPtrArray *traces = draft->report->traces;

  for (guint i = 0; i < traces->len; i++)
    {
      const TsTrace   *trace = g_ptr_array_index (traces, i);
      const gboolean   has_both = *trace->options != '\0' && *trace->window != '\0';
      g_autofree char *options = one_line (trace->options), *window = one_line (trace->window), *title = one_line (trace->title);

      if (*options != '\0' || *window != '\0')
        g_string_append_printf (draft->out, "# %s was measured with %s%s%s, and is to be checked with that.\n",
                                traces->len > 1 ? title : "It", options, has_both ? " " : "", window);
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
  g_autoptr (GHashTable) headers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Draft                draft = { .report = report, .options = options, .filter = filter, .margin = margin,
                                 .headers = headers };

  if (!ts_report_can_be_checked (report, error) || !ts_report_fits (report, options->unit, error))
    return FALSE;
  ts_output_init (&output, sink);
  draft.out = output.text;
  g_string_append_printf (draft.out,
                          "# Limits for tracestat: what was measured in %s, and %s more.\n"
                          "# See tracestat-limits(5). Put what is demanded in place of what was measured.\n",
                          input, percent);
  append_options (&draft);
  append_elements (&draft, block);
  append_resources (&draft, block);
  /* such a file could not be read: so what there is of it goes nowhere */
  if (draft.n_limits == 0)
    {
      g_string_truncate (output.text, 0);
      ts_output_finish (&output, NULL);
      return ts_error_refuse (error, "there is nothing to limit: what was chosen has no samples");
    }
  return ts_output_finish (&output, error);
}
