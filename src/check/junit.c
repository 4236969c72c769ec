/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "analyse/trace.h"
#include "check/verdict.h"
#include "report/writers.h"

/* JUnit XML as Jenkins and GitLab read it (data/junit.xsd). A test is known by class and name over
 * many runs, so these have the limit, and no measured value. */

/* @text as XML 1.0 can have it: without control characters but the ends of lines. */
static char *
printable (const char *text)
{
  char       *valid = g_utf8_make_valid (text, -1), *to = valid;
  const char *from = valid;

  for (; *from != '\0'; from++)
    if (((guchar) *from < 0x20 && *from != '\n') || *from == 0x7f)
      *to++ = '?';
    else if (strncmp (from, "\xef\xbf\xbe", 3) == 0 || strncmp (from, "\xef\xbf\xbf", 3) == 0) /* no characters in XML */
      {
        *to++ = '?';
        from += 2;
      }
    else
      *to++ = *from;
  *to = '\0';
  return valid;
}

static void
append_escaped (GString *out, const char *text)
{
  g_autofree char *valid = printable (text);
  g_autofree char *escaped = g_markup_escape_text (valid, -1);

  for (const char *c = escaped; *c != '\0'; c++)
    if (*c == '\n')
      g_string_append (out, "&#10;");
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

/* One test case. */
typedef struct
{
  const TsVerdict *verdict; /* NULL: whether the traces have defects */
  char            *defects; /* these, a line each; NULL: there are none */
  gboolean         is_defective; /* the trace is: otherwise they are of the baseline, or are refused as if they were any */
  char            *class, *name;
} Test;

/* One test suite. */
typedef struct
{
  char      *name;
  GPtrArray *tests; /* of Test */
  guint      n_failures, n_skipped;
} JUnitSuite;

static void
free_test (gpointer data)
{
  Test *test = data;

  g_free (test->defects);
  g_free (test->class);
  g_free (test->name);
  g_free (test);
}

static void
free_suite (gpointer data)
{
  JUnitSuite *suite = data;

  g_ptr_array_unref (suite->tests);
  g_free (suite->name);
  g_free (suite);
}

static void
append_counts (GString *out, guint n_tests, guint n_failures, guint n_skipped)
{
  g_string_append_printf (out, " tests=\"%u\" failures=\"%u\" errors=\"0\" skipped=\"%u\" time=\"0\"", n_tests,
                          n_failures, n_skipped);
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

static char *
class_name (const TsVerdict *verdict)
{
  g_autofree char *name = g_strdup_printf ("%s.%s", verdict->is_comparison   ? "baseline"
                                                    : verdict->is_annotation ? "annotations"
                                                                             : "limits",
                                           ts_verdict_is_of_section (verdict) ? verdict->section : verdict->label);

  /* two that are written alike are one class, whose tests have different names */
  return printable (name);
}

/* @name as nobody before has it: servers take two tests with the same names for one. Takes @name, and writes it as it will
 * be. */
static char *
make_unique (GHashTable *names, const char *class, char *name)
{
  g_autofree char *written = printable (name);

  for (guint k = 1;; k++)
    {
      char *candidate = k == 1 ? g_strdup (written) : g_strdup_printf ("%s (%u)", written, k);

      if (g_hash_table_add (names, g_strdup_printf ("%s\n%s", class, candidate)))
        {
          g_free (name);
          return candidate;
        }
      g_free (candidate);
    }
}

/* @trace: the name of the suite, where a test is of one of several traces; or NULL. */
static void
add_test (JUnitSuite *suite, GHashTable *names, const TsCheck *check, const TsVerdict *verdict, const char *trace)
{
  const TsPrintOptions options = { .unit = TS_UNIT_FITTING };
  Test *test = g_new0 (Test, 1);
  char *name = test_name (check, verdict, &options);

  if (trace != NULL)
    {
      char *full = g_strdup_printf ("%s in %s", name, trace);

      g_free (name);
      name = full;
    }
  test->verdict = verdict;
  test->class = class_name (verdict);
  test->name = make_unique (names, test->class, name);
  g_ptr_array_add (suite->tests, test);
  if (!ts_verdict_is_pass (verdict->result))
    suite->n_failures++;
  else if (verdict->result == TS_VERDICT_SKIPPED || verdict->result == TS_VERDICT_NEW)
    suite->n_skipped++;
}

static void
append_defect (GString *list, const char *whose, const TsDiagnostics *diagnostics, TsDiagnosticId id)
{
  g_autofree char *text = ts_diagnostics_text (diagnostics, id);

  g_string_append_printf (list, "%s%s%s", list->len > 0 ? "\n" : "", whose, text);
}

/* All that is refused, a line each; NULL: there is nothing. */
static char *
list_defects (const TsCheck *check)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (TsDiagnosticId id = 0; id < TS_N_DIAGNOSTICS; id++)
    if (ts_diagnostics_refuse (check->report->diagnostics, id, check->options.rules))
      append_defect (list, "", check->report->diagnostics, id);
  for (TsDiagnosticId id = 0; id < TS_N_DIAGNOSTICS; id++)
    if (ts_check_refuses_baseline (check, id))
      append_defect (list, "baseline: ", check->baseline->diagnostics, id);
  return list->len > 0 ? g_strdup (list->str) : NULL;
}

static void
add_strict_test (JUnitSuite *suite, const TsCheck *check)
{
  Test *test = g_new0 (Test, 1);

  test->defects = list_defects (check);
  test->is_defective = ts_diagnostics_have_refused_defects (check->report->diagnostics, check->options.rules);
  test->class = g_strdup ("strict");
  test->name = g_strdup ("no defects");
  suite->n_failures += test->defects != NULL;
  g_ptr_array_add (suite->tests, test);
}

static JUnitSuite *
add_suite (GPtrArray *suites, char *name)
{
  JUnitSuite *suite = g_new0 (JUnitSuite, 1);

  suite->name = name;
  suite->tests = g_ptr_array_new_with_free_func (free_test);
  g_ptr_array_add (suites, suite);
  return suite;
}

/* Its path; of a report on several traces their paths. */
static char *
input_name (const TsTrace *trace)
{
  GString *name = g_string_new (ts_trace_get_path (trace));

  for (guint i = 0; trace->others != NULL && i < trace->others->len; i++)
    g_string_append_printf (name, "+%s", ts_trace_get_path (g_ptr_array_index (trace->others, i)));
  return g_string_free (name, FALSE);
}

/* Of several traces each has a suite, and what only all together have is in a last one. */
static GPtrArray *
make_suites (const TsCheck *check)
{
  const GPtrArray *given = check->report->given;
  GPtrArray       *suites = g_ptr_array_new_with_free_func (free_suite);
  JUnitSuite      *pooled;
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) suite_names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree JUnitSuite **of_inputs = g_new0 (JUnitSuite *, check->report->traces->len);

  for (guint i = 0, input = 0; given->len > 1 && i < given->len; i++)
    {
      const TsTrace *trace = g_ptr_array_index ((GPtrArray *) given, i);

      of_inputs[input] = add_suite (suites, make_unique (suite_names, "", input_name (trace)));
      input += 1 + (trace->others != NULL ? trace->others->len : 0);
    }
  pooled = add_suite (suites, g_strdup (given->len > 1 ? "all traces" : check->report->input));
  for (guint i = 0; i < check->verdicts->len; i++)
    {
      const TsVerdict *verdict = g_ptr_array_index (check->verdicts, i);

      if (verdict->parts == NULL)
        add_test (pooled, names, check, verdict, NULL);
      for (guint k = 0; verdict->parts != NULL && k < verdict->parts->len; k++)
        {
          const TsVerdict *part = g_ptr_array_index (verdict->parts, k);

          add_test (of_inputs[part->input], names, check, part, of_inputs[part->input]->name);
        }
    }
  if (check->options.strict)
    add_strict_test (pooled, check);
  if (pooled->tests->len == 0)
    g_ptr_array_set_size (suites, (gint) suites->len - 1);
  return suites;
}

static void
begin_test (GString *out, const Test *test)
{
  g_string_append (out, "    <testcase");
  append_attribute (out, "classname", test->class);
  append_attribute (out, "name", test->name);
  g_string_append (out, " time=\"0\"");
}

static void
append_strict_test (GString *out, const Test *test)
{
  begin_test (out, test);
  if (test->defects == NULL)
    {
      g_string_append (out, "/>\n");
      return;
    }
  g_string_append_printf (out, ">\n      <failure type=\"defective\" message=\"%s\">",
                          test->is_defective ? "the trace is defective" : "there is what --strict refuses");
  append_escaped (out, test->defects);
  g_string_append (out, "</failure>\n    </testcase>\n");
}

static void
append_test (GString *out, const TsCheck *check, const Test *test)
{
  const TsPrintOptions options = { .unit = TS_UNIT_FITTING };
  const TsVerdict *verdict = test->verdict;
  g_autofree char *subject = ts_verdict_subject (verdict);
  g_autofree char *sentence = ts_verdict_sentence (check, verdict, &options);
  g_autofree char *origin = ts_verdict_origin (check, verdict, &options);

  begin_test (out, test);
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
ts_check_write_junit (const TsCheck *check, TsSink sink, GError **error)
{
  g_autoptr (GPtrArray) suites = make_suites (check);
  guint    n_tests = 0, n_failures = 0, n_skipped = 0;
  TsOutput output;

  for (guint i = 0; i < suites->len; i++)
    {
      const JUnitSuite *suite = g_ptr_array_index (suites, i);

      n_tests += suite->tests->len;
      n_failures += suite->n_failures;
      n_skipped += suite->n_skipped;
    }
  ts_output_init (&output, sink);
  g_string_append (output.text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tracestat\"");
  append_counts (output.text, n_tests, n_failures, n_skipped);
  g_string_append (output.text, ">\n");
  for (guint i = 0; i < suites->len; i++)
    {
      const JUnitSuite *suite = g_ptr_array_index (suites, i);

      g_string_append (output.text, "  <testsuite");
      append_attribute (output.text, "name", suite->name);
      append_counts (output.text, suite->tests->len, suite->n_failures, suite->n_skipped);
      g_string_append (output.text, ">\n");
      for (guint k = 0; k < suite->tests->len; k++)
        {
          const Test *test = g_ptr_array_index (suite->tests, k);

          if (test->verdict != NULL)
            append_test (output.text, check, test);
          else
            append_strict_test (output.text, test);
          ts_output_check (&output);
        }
      g_string_append (output.text, "  </testsuite>\n");
    }
  g_string_append (output.text, "</testsuites>\n");
  return ts_output_finish (&output, error);
}
