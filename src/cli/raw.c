/* SPDX-License-Identifier: MIT */
#include "raw.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the texts of a command line mean. */

static gboolean
fail (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
fail (GError **error, const char *format, ...)
{
  va_list          arguments;
  g_autofree char *text = NULL;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error_literal (error, TS_ERROR, TS_ERROR_USAGE, text);
  return FALSE;
}

/* An empty list has one empty name: it may come from a variable that was not set, and must not mean all. */
static GStrv
split_names (const char *list)
{
  return g_strsplit (*list != '\0' ? list : " ", ",", -1);
}

static gboolean
take_metrics (Options *options, const char *list, GError **error)
{
  g_auto (GStrv) names = split_names (list);

  for (guint i = 0; names[i] != NULL; i++)
    {
      TsMetricId metric;

      if (!ts_metric_parse (g_strstrip (names[i]), &metric))
        return fail (error, "`%s' is not a metric; --list metrics shows them", names[i]);
      options->print.metrics |= 1u << metric;
    }
  return TRUE;
}

static gboolean
take_types (Options *options, char **lists, GError **error)
{
  for (guint k = 0; lists != NULL && lists[k] != NULL; k++)
    {
      g_auto (GStrv) names = split_names (lists[k]);

      for (guint i = 0; names[i] != NULL; i++)
        {
          TsElementType type;

          if (!ts_element_type_parse (g_strstrip (names[i]), &type))
            return fail (error, "`%s' is not a type of elements; --list types shows them", names[i]);
          options->print.types |= 1u << type;
        }
    }
  return TRUE;
}

/* The summary counts, whether it is shown or not. */
static gboolean
writes (const Options *options, const char *writer)
{
  return g_str_equal (options->writer->name, writer) || options_have_output (options, writer);
}

static gboolean
take_percentiles (Options *options, const char *list, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (list, ",", -1);

  options->analysis->percentiles = g_array_new (FALSE, FALSE, sizeof (guint64));
  for (guint i = 0; parts[i] != NULL; i++)
    {
      TsRational value;
      guint64    millionths;

      if (!ts_rational_parse (g_strstrip (parts[i]), &value) || value.numerator <= 0
          || value.numerator > value.denominator * 100 || 1000000 % value.denominator != 0)
        return fail (error, "`%s' is not a percentile: a number above 0 and up to 100, with 6 decimals at most, is expected", parts[i]);
      millionths = (guint64) (value.numerator * (1000000 / value.denominator));
      for (guint k = 0; k < options->analysis->percentiles->len; k++)
        if (g_array_index (options->analysis->percentiles, guint64, k) == millionths)
          return fail (error, "percentile %s is given twice", parts[i]);
      g_array_append_val (options->analysis->percentiles, millionths);
    }
  return TRUE;
}

static gboolean
take_rules (Options *options, const char *option, const char *list, TsDiagnosticRule rule, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (list, ",", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      TsDiagnosticId id;

      if (!ts_diagnostic_parse (g_strstrip (parts[i]), &id))
        return fail (error, "--%s: there is no diagnostic `%s'; see --list diagnostics", option, parts[i]);
      if (options->rules[id] != TS_RULE_BY_SEVERITY && options->rules[id] != rule)
        return fail (error, "--%s: `%s' is in --allow, too", option, parts[i]);
      options->rules[id] = rule;
    }
  return TRUE;
}

static gboolean
take_periods (Options *options, char **periods, GError **error)
{
  if (periods == NULL)
    return TRUE;
  options->analysis->periods = g_ptr_array_new ();
  for (guint i = 0; periods[i] != NULL; i++)
    {
      /* a name may have a '=' in it, a time has none */
      const char     *separator = strrchr (periods[i], '=');
      TsPeriodOption *period;
      TsTimeText      time;

      if (separator == NULL || separator == periods[i])
        return fail (error, "--period %s: NAME=TIME is expected", periods[i]);
      if (!ts_time_text_parse (separator + 1, &time, error))
        {
          g_prefix_error (error, "--period %s: ", periods[i]);
          return FALSE;
        }
      if (time.value.numerator <= 0)
        return fail (error, "--period %s: the period is not above 0", periods[i]);
      period = g_new0 (TsPeriodOption, 1);
      period->name = g_strndup (periods[i], (gsize) (separator - periods[i]));
      period->period = time;
      g_ptr_array_add (options->analysis->periods, period);
    }
  return TRUE;
}

static gboolean
take_window (Options *options, const RawOptions *raw, GError **error)
{
  TsOptions *analysis = options->analysis;

  analysis->has_from = raw->from != NULL;
  analysis->has_to = raw->to != NULL;
  if (raw->from != NULL && !ts_time_text_parse (raw->from, &analysis->from, error))
    {
      g_prefix_error (error, "--from: ");
      return FALSE;
    }
  if (raw->to != NULL && !ts_time_text_parse (raw->to, &analysis->to, error))
    {
      g_prefix_error (error, "--to: ");
      return FALSE;
    }
  return TRUE;
}

/* "500M", "4GiB": powers of 1024. */
static gboolean
take_size (const char *text, guint64 *bytes, GError **error)
{
  static const char suffixes[] = "KMGTP";
  const char       *found;
  char             *end = (char *) text;

  if (g_ascii_isdigit (*text))
    *bytes = g_ascii_strtoull (text, &end, 10);
  found = *end != '\0' ? strchr (suffixes, g_ascii_toupper (*end)) : NULL;
  if (found != NULL)
    {
      guint shift = 10 * (guint) (found - suffixes + 1);

      if (*bytes > G_MAXUINT64 >> shift)
        return fail (error, "--max-expanded %s: too large", text);
      *bytes <<= shift;
      end++;
      if (*end == 'i')
        end++;
    }
  if (*end == 'B' && end > text)
    end++;
  if (end == text || *end != '\0' || *bytes == 0)
    return fail (error, "--max-expanded %s: a size such as 500M or 4G is expected", text);
  return TRUE;
}

/* Far more than help, far fewer than make trouble. */
#define MAX_JOBS 256

static gboolean
take_jobs (Options *options, const char *text, GError **error)
{
  guint64 number = MIN (g_get_num_processors (), MAX_JOBS);

  if (text != NULL && !g_ascii_string_to_unsigned (text, 10, 1, MAX_JOBS, &number, NULL))
    return fail (error, "--jobs %s: a number from 1 to %d is expected", text, MAX_JOBS);
  options->analysis->jobs = (guint) number;
  options->analysis->two_threads = text != NULL;
  return TRUE;
}

/* Other formats have all tables; to be asked for one and to show another would be a surprise. */
static gboolean
check_table (const Options *options, GError **error)
{
  return options->table == NULL || writes (options, "csv")
         || fail (error, "--table is for CSV: -f csv, or -o with a name that ends in .csv");
}

static gboolean
take_writer (Options *options, const char *format, GError **error)
{
  options->has_format = format != NULL;
  options->writer = ts_writer_by_name (format != NULL ? format : "text");
  if (options->writer == NULL)
    return fail (error, "`%s' is not an output format; --list writers shows them", format);
  for (guint i = 0; options->outputs != NULL && options->outputs[i] != NULL; i++)
    if (ts_writer_by_suffix (options->outputs[i]) == NULL)
      return fail (error, "%s: no output format has this suffix; --list writers shows them", options->outputs[i]);
  return check_table (options, error);
}

static gboolean
take_margin (Options *options, const char *text, GError **error)
{
  g_autofree char *number = NULL;

  options->margin = (TsRational){ 20, 100 };
  if (text == NULL)
    return TRUE;
  if (options->write_limits == NULL)
    return fail (error, "--margin is for --write-limits");
  number = g_strndup (text, strlen (text) - (g_str_has_suffix (text, "%") ? 1 : 0));
  if (!g_str_has_suffix (text, "%") || !ts_rational_parse (g_strchomp (number), &options->margin)
      || options->margin.numerator < 0)
    return fail (error, "--margin %s: a percentage is expected, as 20%%", text);
  options->margin = ts_rational_multiply (options->margin, (TsRational){ 1, 100 });
  return TRUE;
}

/* An option that is given once: a second one would silently take the place of the first. */
static gboolean
is_alone (const char *option, char **values, GError **error)
{
  if (values != NULL && values[0] != NULL && values[1] != NULL)
    return fail (error, "--%s %s: there is --%s %s already", option, values[1], option, values[0]);
  return TRUE;
}

/* Resources stand in their own order. */
static gboolean
take_rank (Options *options, const RawOptions *raw, GError **error)
{
  guint64 top = 0;

  if (!is_alone ("rank", raw->rank, error) || !is_alone ("top", raw->top, error))
    return FALSE;
  if (raw->rank == NULL)
    return raw->top == NULL || fail (error, "--top is for --rank");
  if (options->has_format && !writes (options, "text") && !writes (options, "csv"))
    return fail (error, "--rank is for text and CSV: %s has all elements, as they stand in the trace", options->writer->name);
  if (!ts_figure_parse (raw->rank[0], &options->rank, error))
    {
      g_prefix_error (error, "--rank: ");
      return FALSE;
    }
  if (options->rank.metric == TS_METRIC_LOAD)
    return fail (error, "--rank %s: elements have no load", raw->rank[0]);
  if (raw->top != NULL && !g_ascii_string_to_unsigned (raw->top[0], 10, 1, G_MAXUINT, &top, NULL))
    return fail (error, "--top %s: how many elements are to be shown is expected, from 1 on", raw->top[0]);
  options->print.rank = &options->rank;
  options->print.top = (guint) top;
  return TRUE;
}

static gboolean
take_file (char **file, const char *option, char **names, GError **error)
{
  *file = names != NULL ? g_strdup (names[0]) : NULL;
  return is_alone (option, names, error);
}

/* Lists have commas, and so there is one of each. */
static gboolean
take_lists (Options *options, const RawOptions *raw, GError **error)
{
  return is_alone ("metric", raw->metrics, error) && is_alone ("percentiles", raw->percentiles, error)
         && is_alone ("allow", raw->allowed, error) && is_alone ("refuse", raw->refused, error)
         && (raw->metrics == NULL || take_metrics (options, raw->metrics[0], error))
         && take_types (options, raw->types, error)
         && (raw->percentiles == NULL || take_percentiles (options, raw->percentiles[0], error))
         && (raw->allowed == NULL || take_rules (options, "allow", raw->allowed[0], TS_RULE_ALLOW, error))
         && (raw->refused == NULL || take_rules (options, "refuse", raw->refused[0], TS_RULE_REFUSE, error));
}

/* Whatever it is called: a stream has many names. */
static gboolean
is_standard_output (const char *path)
{
  g_autofree char *target = ts_file_target (path);
  struct stat      file, output;

  return target == NULL && stat (path, &file) == 0 && fstat (STDOUT_FILENO, &output) == 0 && file.st_dev == output.st_dev
         && file.st_ino == output.st_ino;
}

static gboolean
take_instances (Options *options, const RawOptions *raw, GError **error)
{
  if (!take_file (&options->instances, "instances", raw->instances, error))
    return FALSE;
  if (g_strcmp0 (options->instances, "-") == 0)
    {
      g_free (options->instances);
      options->instances = g_strdup ("/dev/stdout");
    }
  options->has_rows = options->instances != NULL && is_standard_output (options->instances);
  return !options->has_rows || raw->format == NULL
         || fail (error, "--instances %s and --format %s: standard output is for one of them", raw->instances[0], raw->format);
}

static gboolean
take_files (Options *options, const RawOptions *raw, GError **error)
{
  return take_file (&options->baseline, "baseline", raw->baselines, error)
         && take_instances (options, raw, error)
         && take_file (&options->junit, "junit", raw->junit, error)
         && take_file (&options->write_limits, "write-limits", raw->write_limits, error);
}

static guint
n_streams (char *const *paths)
{
  guint n = 0;

  for (; paths != NULL && *paths != NULL; paths++)
    n += g_str_equal (*paths, "-");
  return n;
}

/* A check has its limits, or its baseline, from there, or the traces have. */
static gboolean
check_streams (const Options *options, GError **error)
{
  const guint n = n_streams (options->limits) + (g_strcmp0 (options->baseline, "-") == 0);

  return n + (n > 0 ? n_streams (options->traces) : 0) <= 1
         || fail (error, "standard input is asked for more than once");
}

static gboolean
take_check (Options *options, const RawOptions *raw, GError **error)
{
  char *end;

  if (options->baseline == NULL && options->tolerances != NULL)
    return fail (error, "--tolerance is for --baseline");
  if (options->baseline == NULL && raw->significance != NULL)
    return fail (error, "--significance is for --baseline");
  if (!options->strict && raw->allowed != NULL)
    return fail (error, "--allow is for --strict");
  if (!options->strict && raw->refused != NULL)
    return fail (error, "--refuse is for --strict");
  if (options->baseline == NULL && options->limits == NULL && options->junit != NULL)
    return fail (error, "--junit: there is nothing to check without --limits or --baseline");
  if (g_strcmp0 (options->junit, "-") == 0 || g_strcmp0 (options->write_limits, "-") == 0)
    return fail (error, "--%s -: the name of a file is expected", g_strcmp0 (options->junit, "-") == 0 ? "junit" : "write-limits");
  options->has_significance = raw->significance != NULL;
  if (raw->significance != NULL)
    {
      options->significance = g_ascii_strtod (raw->significance, &end);
      if (end == raw->significance || *end != '\0' || !(options->significance > 0 && options->significance < 1))
        return fail (error, "--significance %s: a probability above 0 and below 1 is expected, as 0.01",
                     raw->significance);
    }
  return take_margin (options, raw->margin, error) && check_streams (options, error);
}

/* Nothing fits it, and nobody means that. */
static gboolean
check_globs (const char *option, char **globs, GError **error)
{
  return globs == NULL || !g_strv_contains ((const char *const *) globs, "")
         || fail (error, "--%s: a name, or a glob, is expected", option);
}

static GPtrArray *
take_globs (char **globs)
{
  GPtrArray *array;

  if (globs == NULL)
    return NULL;
  array = g_ptr_array_new ();
  for (guint i = 0; globs[i] != NULL; i++)
    g_ptr_array_add (array, g_strdup (globs[i]));
  return array;
}

/* Whether the order is by what a summary of all metrics is done without. */
static gboolean
ranks_by_detail (const TsFigure *rank)
{
  return rank != NULL
         && (rank->statistic == TS_STATISTIC_PERCENTILE || rank->statistic == TS_STATISTIC_STDDEV
             || rank->metric == TS_METRIC_SELF || rank->metric == TS_METRIC_NPR);
}

/* The summary of all metrics has none. */
static gboolean
shows_percentiles (const Options *options)
{
  if (options->print.metrics != 0 || ranks_by_detail (options->print.rank) || options->writer->audience != TS_FOR_PEOPLE)
    return TRUE;
  for (guint i = 0; options->outputs != NULL && options->outputs[i] != NULL; i++)
    if (ts_writer_by_suffix (options->outputs[i])->audience != TS_FOR_PEOPLE)
      return TRUE;
  return FALSE;
}

gboolean
raw_understand (Options *options, const RawOptions *raw, GError **error)
{
  gboolean is_checked;

  options->print.unit = TS_UNIT_FITTING;
  if (raw->unit != NULL && !ts_unit_parse (raw->unit, &options->print.unit))
    return fail (error, "`%s' is not a unit: ns, us, ms, s or ticks is expected", raw->unit);
  if (!g_str_equal (options->color, "auto") && !g_str_equal (options->color, "always")
      && !g_str_equal (options->color, "never"))
    return fail (error, "--color %s: auto, always or never is expected", options->color);
  options->print.table = options->table;
  options->print.elements = take_globs (raw->elements);
  options->analysis->idle = take_globs (raw->idle);
  options->n_idle = options->analysis->idle != NULL ? options->analysis->idle->len : 0;
  if (!(check_globs ("element", raw->elements, error) && check_globs ("idle", raw->idle, error) && take_files (options, raw, error)
         && take_writer (options, raw->format, error)
         && ts_options_check (options->analysis, error) /* those of formats: no other are there yet */
         && take_lists (options, raw, error) && take_rank (options, raw, error) && take_periods (options, raw->periods, error)
         && take_window (options, raw, error)
         && (raw->max_expanded == NULL || take_size (raw->max_expanded, &options->analysis->max_expanded, error))
         && take_jobs (options, raw->jobs, error) && take_check (options, raw, error)))
    return FALSE;
  is_checked = options->limits != NULL || options->baseline != NULL || options->write_limits != NULL;
  options->analysis->no_results = !is_checked;
  /* with thousands of elements they take a tenth of the time, and all samples that they are of another one */
  if (options->analysis->percentiles == NULL && !shows_percentiles (options))
    {
      options->analysis->percentiles = g_array_new (FALSE, FALSE, sizeof (guint64));
      options->analysis->no_samples = !is_checked;
      /* with a report that has them and no CET, they would decide whether there is a word about percentiles */
      options->analysis->no_details = options->analysis->no_samples && options->traces != NULL
                                      && g_strv_length (options->traces) == 1;
    }
  return TRUE;
}

void
raw_clear (RawOptions *raw)
{
  g_free (raw->format);
  g_free (raw->unit);
  g_free (raw->from);
  g_free (raw->to);
  g_free (raw->max_expanded);
  g_free (raw->jobs);
  g_free (raw->margin);
  g_free (raw->significance);
  g_strfreev (raw->elements);
  g_strfreev (raw->types);
  g_strfreev (raw->periods);
  g_strfreev (raw->idle);
  g_strfreev (raw->baselines);
  g_strfreev (raw->instances);
  g_strfreev (raw->junit);
  g_strfreev (raw->write_limits);
  g_strfreev (raw->metrics);
  g_strfreev (raw->percentiles);
  g_strfreev (raw->allowed);
  g_strfreev (raw->refused);
  g_strfreev (raw->rank);
  g_strfreev (raw->top);
}
