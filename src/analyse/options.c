/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "analyse/trace.h"
#include "import/importer.h"
#include "model/error.h"

TsOptions *
ts_options_new (void)
{
  return g_new0 (TsOptions, 1);
}

static void
free_period (gpointer data)
{
  TsPeriodOption *period = data;

  g_free (period->name);
  g_free (period->source);
  g_free (period);
}

void
ts_options_free (TsOptions *options)
{
  if (options == NULL)
    return;
  g_free (options->input_format);
  g_free (options->element_key);
  g_free (options->instance_key);
  g_free (options->exec_resources);
  g_free (options->activation);
  g_free (options->object_key);
  g_free (options->group);
  g_free (options->time_unit);
  if (options->idle != NULL)
    {
      g_ptr_array_set_free_func (options->idle, g_free);
      g_ptr_array_unref (options->idle);
    }
  if (options->periods != NULL)
    {
      g_ptr_array_set_free_func (options->periods, free_period);
      g_ptr_array_unref (options->periods);
    }
  g_clear_pointer (&options->percentiles, g_array_unref);
  g_free (options);
}

/* Whose samples those of @metric are, of tasks and of others; GET and SELF may share theirs with CET. */
static guint
samples_of (TsMetricId metric)
{
  guint metrics = 1u << ts_metric_sampled (metric, TS_TYPE_TASK) | 1u << ts_metric_sampled (metric, TS_TYPE_ISR);

  if (metric == TS_METRIC_GET || metric == TS_METRIC_SELF)
    metrics |= 1u << TS_METRIC_CET;
  return metrics;
}

guint
ts_options_exact_metrics (const TsOptions *options)
{
  guint metrics = 0;

  if (options->exact_percentiles)
    return G_MAXUINT;
  for (TsMetricId metric = 0; metric < TS_N_METRICS; metric++)
    if ((options->exact_metrics >> metric & 1) != 0)
      metrics |= samples_of (metric);
  return metrics;
}

static void
append_option (GString *text, const char *name, const char *value)
{
  g_string_append_printf (text, "%s--%s%s%s", text->len > 0 ? " " : "", name, value != NULL ? " " : "",
                          value != NULL ? value : "");
}

/* Those that only one format has, in the order in which they are told. */
typedef struct
{
  const char *name, *format;
  gsize       offset; /* in TsOptions */
  gboolean    is_flag; /* a gboolean, and no text */
  gboolean    is_beside; /* it changes no metric */
  const char *default_value;
} FormatOption;

#define TEXT(name, format, member) { name, format, G_STRUCT_OFFSET (TsOptions, member), FALSE, FALSE, NULL }
#define FLAG(name, format, member) { name, format, G_STRUCT_OFFSET (TsOptions, member), TRUE, FALSE, NULL }

static const FormatOption format_options[] = {
  FLAG ("subtract-overhead", "atf", subtract_overhead),
  FLAG ("fold-names", "btf", fold_names),
  TEXT ("element-key", "etf", element_key), /* without it there are others that it may be */
  TEXT ("instance-key", "etf", instance_key),
  TEXT ("exec-resources", "etf", exec_resources),
  { "activation", "etf", G_STRUCT_OFFSET (TsOptions, activation), FALSE, FALSE, "none" },
  { "object-key", "etf", G_STRUCT_OFFSET (TsOptions, object_key), FALSE, TRUE, NULL },
  { "group", "visandor", G_STRUCT_OFFSET (TsOptions, group), FALSE, FALSE, "kind" },
  { "time-unit", "visandor", G_STRUCT_OFFSET (TsOptions, time_unit), FALSE, FALSE, "us" },
};

static gboolean
is_given (const TsOptions *options, const FormatOption *option)
{
  return option->is_flag ? G_STRUCT_MEMBER (gboolean, options, option->offset)
                         : G_STRUCT_MEMBER (char *, options, option->offset) != NULL;
}

const char *
ts_options_next_of_format (const TsOptions *options, guint *i, const char **format)
{
  while (*i < G_N_ELEMENTS (format_options) && !is_given (options, &format_options[*i]))
    ++*i;
  if (*i == G_N_ELEMENTS (format_options))
    return NULL;
  *format = format_options[*i].format;
  return format_options[(*i)++].name;
}

static gboolean
is_of_format (const char *name)
{
  guint i = 0;

  while (i < G_N_ELEMENTS (format_options) && !g_str_equal (format_options[i].name, name))
    i++;
  return i < G_N_ELEMENTS (format_options);
}

char *
ts_options_text (const TsOptions *options, const char *format)
{
  GString *text = g_string_new (NULL);

  if (options->infer_preemption)
    append_option (text, "infer-preemption", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (format_options); i++)
    {
      const FormatOption *option = &format_options[i];
      const char         *value;

      if (option->is_beside || !g_str_equal (option->format, format) || !is_given (options, option))
        continue;
      value = option->is_flag ? NULL : G_STRUCT_MEMBER (char *, options, option->offset);
      if (option->is_flag || g_strcmp0 (value, option->default_value) != 0)
        append_option (text, option->name, value);
    }
  return g_string_free (text, FALSE);
}

/* How long that part of the options of a trace is which any format has: it comes first, and has no values. */
static gsize
general_length (const char *text)
{
  gsize length = 0, next = 0, n;

  for (; g_str_has_prefix (text + next, "--"); next = length + (text[length] == ' '))
    {
      g_autofree char *name = NULL;

      n = strcspn (text + next, " ");
      name = g_strndup (text + next + 2, n - 2);
      if (is_of_format (name))
        break;
      length = next + n;
    }
  return length;
}

gboolean
ts_traces_share_options (const TsTrace *a, const TsTrace *b)
{
  const gsize length = general_length (a->options);

  if (g_str_equal (a->format, b->format))
    return g_str_equal (a->options, b->options);
  return length == general_length (b->options) && strncmp (a->options, b->options, length) == 0;
}

static void
append_time (GString *text, const char *name, const TsTimeText *time)
{
  char             number[TS_NUMBER_SIZE];
  g_autofree char *value = NULL;

  ts_rational_format (time->value, number);
  value = g_strdup_printf ("%s%s", number, time->in_ticks ? "" : ts_time_base_unit_name (time->exponent));
  append_option (text, name, value);
}

char *
ts_options_window_text (const TsOptions *options)
{
  GString *text = g_string_new (NULL);

  if (options->has_from)
    append_time (text, "from", &options->from);
  if (options->has_to)
    append_time (text, "to", &options->to);
  return g_string_free (text, FALSE);
}

/* One that was never set has no denominator. */
static gboolean
is_number (const TsTimeText *time)
{
  return time->value.denominator > 0;
}

static gboolean
check_periods (const TsOptions *options, GError **error)
{
  for (guint i = 0; options->periods != NULL && i < options->periods->len; i++)
    {
      const TsPeriodOption *period = g_ptr_array_index (options->periods, i);

      if (!is_number (&period->period) || period->period.value.numerator <= 0)
        return ts_error_refuse (error, "the period of `%s' is not above 0", period->name);
    }
  return TRUE;
}

static gboolean
check_percentiles (const TsOptions *options, GError **error)
{
  for (guint i = 0; options->percentiles != NULL && i < options->percentiles->len; i++)
    {
      const guint64 percentile = g_array_index (options->percentiles, guint64, i);

      if (percentile < 1 || percentile > 100 * 1000000)
        return ts_error_refuse (error, "a percentile is above 0 and up to 100");
      for (guint k = 0; k < i; k++)
        if (g_array_index (options->percentiles, guint64, k) == percentile)
          return ts_error_refuse (error, "a percentile is there twice");
    }
  return TRUE;
}

gboolean
ts_options_check (const TsOptions *options, GError **error)
{
  if (options->input_format != NULL && ts_importer_by_name (options->input_format) == NULL
      && strcmp (options->input_format, "report") != 0)
    return ts_error_refuse (error, "`%s' is not an input format; --list formats shows them", options->input_format);
  if ((options->has_from && !is_number (&options->from)) || (options->has_to && !is_number (&options->to)))
    return ts_error_refuse (error, "the analysis window is no time");
  return check_periods (options, error) && check_percentiles (options, error) && ts_importers_check_options (options, error);
}
