/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "check/verdict.h"
#include "report/writers.h"

/* JUnit XML as Jenkins and GitLab read it (data/junit.xsd). A test is known by class and name over
 * many runs, so these have the limit, and no measured value. */

/* XML 1.0 has no control characters but tab and the ends of lines. */
static void
append_escaped (GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *escaped = NULL;

  for (char *c = valid; *c != '\0'; c++)
    if (((guchar) *c < 0x20 && *c != '\n') || *c == 0x7f)
      *c = '?';
  escaped = g_markup_escape_text (valid, -1);
  for (const char *c = escaped; *c != '\0'; c++)
    if (*c == '\n')
      g_string_append (out, "&#10;");
    else if (strncmp (c, "\xef\xbf\xbe", 3) == 0 || strncmp (c, "\xef\xbf\xbf", 3) == 0) /* no characters in XML */
      {
        g_string_append_c (out, '?');
        c += 2;
      }
    else
      g_string_append_c (out, *c);
}

static void
append_attribute (GString *out, const char *name, const char *value)
{
  g_string_append_printf (out, " %s=\"", name);
  append_escaped (out, value);
  g_string_append_c (out, '"');
}

static guint
n_failures (const TsCheck *check)
{
  guint n = 0;

  for (guint i = 0; i < TS_N_VERDICTS; i++)
    if (!ts_verdict_is_pass ((TsVerdictResult) i))
      n += check->n_results[i];
  return n;
}

static void
append_counts (GString *out, const TsCheck *check)
{
  g_string_append_printf (out, " tests=\"%u\" failures=\"%u\" errors=\"0\" skipped=\"%u\" time=\"0\"",
                          check->verdicts->len, n_failures (check),
                          check->n_results[TS_VERDICT_SKIPPED] + check->n_results[TS_VERDICT_NEW]);
}

/* The part of a test's name that tells what is demanded. */
static char *
test_name (const TsCheck *check, const TsVerdict *verdict, const TsPrintOptions *options)
{
  g_autofree char *demand = ts_verdict_demand (check, verdict, options);
  const char      *metric = verdict->has_figure ? ts_metric_info (verdict->figure.metric)->name : NULL;

  if (!verdict->has_figure)
    return g_strdup (verdict->is_comparison ? "is there" : "matches an element");
  if (verdict->is_comparison)
    return g_strdup_printf ("%s.%s against baseline", metric, ts_figure_statistic_name (&verdict->figure));
  return g_strdup_printf ("%s.%s %s", metric, ts_figure_statistic_name (&verdict->figure), demand);
}

static void
append_test (GString *out, const TsCheck *check, const TsVerdict *verdict, const TsPrintOptions *options)
{
  g_autofree char *name = test_name (check, verdict, options);
  g_autofree char *class = g_strdup_printf ("%s.%s", verdict->is_comparison ? "baseline" : "limits",
                                            *verdict->element != '\0' ? verdict->label : verdict->section);
  g_autofree char *subject = ts_verdict_subject (verdict);
  g_autofree char *sentence = ts_verdict_sentence (check, verdict, options);
  g_autofree char *origin = ts_verdict_origin (check, verdict, options);

  g_string_append (out, "    <testcase");
  append_attribute (out, "classname", class);
  append_attribute (out, "name", name);
  g_string_append (out, " time=\"0\"");
  if (verdict->result == TS_VERDICT_HOLDS || verdict->result == TS_VERDICT_NOISE)
    {
      g_string_append (out, "/>\n");
      return;
    }
  if (ts_verdict_is_pass (verdict->result))
    {
      g_string_append (out, ">\n      <skipped");
      append_attribute (out, "message", sentence);
      g_string_append (out, "/>\n    </testcase>\n");
      return;
    }
  g_string_append (out, ">\n      <failure");
  append_attribute (out, "type", ts_verdict_result_name (verdict->result));
  append_attribute (out, "message", sentence);
  g_string_append_c (out, '>');
  append_escaped (out, subject);
  g_string_append (out, ": ");
  append_escaped (out, sentence);
  g_string_append (out, "&#10;");
  append_escaped (out, origin);
  g_string_append (out, "</failure>\n    </testcase>\n");
}

gboolean
ts_check_write_junit (const TsCheck *check, GOutputStream *stream, GError **error)
{
  const TsPrintOptions options = { .unit = TS_UNIT_FITTING };
  TsOutput             output;

  ts_output_init (&output, stream);
  g_string_append (output.text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tracestat\"");
  append_counts (output.text, check);
  g_string_append (output.text, ">\n  <testsuite");
  append_attribute (output.text, "name", check->report->input);
  append_counts (output.text, check);
  g_string_append (output.text, ">\n");
  for (guint i = 0; i < check->verdicts->len; i++)
    {
      append_test (output.text, check, g_ptr_array_index (check->verdicts, i), &options);
      ts_output_check (&output);
    }
  g_string_append (output.text, "  </testsuite>\n</testsuites>\n");
  return ts_output_finish (&output, error);
}
