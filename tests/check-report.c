/* SPDX-License-Identifier: MIT */

/* Reports that are read again: the same once more, and whatever else a file may hold. */

#include "config.h"

#include "gate-fixture.h"

#include <string.h>

#include "analyse/histogram.h"
#include "model/number.h"
#include "unit.h"

static const GateTrace plain = { .unit = "us",
                                 .annotations = "<Annotation><Name>Period</Name><Value>99.5</Value></Annotation>" };

static char *
plain_json (void)
{
  GateReport report = gate_read_trace (&plain, NULL);
  char      *text = gate_json (report.report);

  gate_free (&report);
  return text;
}

/* NULL: it can be read. */
static char *
read_error (const char *text, gssize length, const TsOptions *options)
{
  char *path = gate_write_text (text, length);
  g_autoptr (TsOptions) none = ts_options_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TsTrace) trace = ts_trace_read (path, options != NULL ? options : none, NULL, NULL, NULL, NULL, &error);

  ck_assert ((trace != NULL) == (error == NULL));
  /* every message begins with the file */
  ck_assert (error == NULL || g_str_has_prefix (error->message, path));
  gate_remove (path);
  return error != NULL ? g_strdup (error->message) : NULL;
}

static char *
replaced (const char *text, const char *old, const char *new)
{
  const char *place = strstr (text, old);
  GString    *out = g_string_new (NULL);

  ck_assert_msg (place != NULL, "%s", old);
  g_string_append_len (out, text, place - text);
  g_string_append (out, new);
  g_string_append (out, place + strlen (old));
  return g_string_free (out, FALSE);
}

START_TEST (a_report_that_is_read_is_the_same_report)
{
  g_autofree char *text = plain_json ();
  char            *path = gate_write_text (text, -1);
  GateReport       again = gate_read (path, NULL);
  g_autofree char *second = gate_json (again.report);

  ck_assert_str_eq (text, second);
  ck_assert_str_eq (ts_trace_get_format (g_ptr_array_index (again.report->traces, 0)), "atf");
  gate_free (&again);
  gate_remove (path);
}
END_TEST

/* The report of @trace. */
static char *
json_of (const char *trace)
{
  char      *path = gate_write_text (trace, -1), *text;
  GateReport report = gate_read (path, NULL);

  text = gate_json (report.report);
  gate_free (&report);
  gate_remove (path);
  return text;
}

/* The report @text says the same once it was read. */
static void
expect_kept (const char *text)
{
  char            *path = gate_write_text (text, -1);
  GateReport       again = gate_read (path, NULL);
  g_autofree char *second = gate_json (again.report);

  ck_assert_str_eq (text, second);
  gate_free (&again);
  gate_remove (path);
}

/* A tick is 1 us: the moment is at 2000 ns, and the range 3000..5000 ns. */
START_TEST (what_a_trace_says_in_words_is_kept)
{
  static const char trace[]
      = "<CommonFormat Version='1.0'><SystemConfiguration Name='S'><Comment>of the system</Comment>"
        "<Resource ID='0' Scheduler='OSEK'><SystemElement Name='A' ID='1' Type='task'><Comment>of the task</Comment>"
        "</SystemElement></Resource><EventIDMappings><EventIDMapping EventID='1' EventType='start'/>"
        "<EventIDMapping EventID='2' EventType='user'><UserTable><Info ReferenceID='7'>of a user</Info></UserTable></EventIDMapping>"
        "</EventIDMappings><TimeBase Unit='us'><Value Numerator='1' Denominator='1'/></TimeBase></SystemConfiguration>"
        "<TraceData Start='0'><Comment>of the section</Comment><ToolInfo Vendor='of a vendor'/>"
        "<TracingOverhead Unit='us' ReferenceID='1'><Value Numerator='1' Denominator='4'/></TracingOverhead><TraceInformation><Comment>of all times</Comment>"
        "<TimeStampComment At='2' Text='of a moment'/><TimeRangeComment From='3' To='5' Text='of a range'/>"
        "</TraceInformation><TraceEntry Time='6' EventID='1' ReferenceID='1'/><TraceEntry Time='7' EventID='2' ReferenceID='7'/>"
        "</TraceData><Cookie Vendor='of a baker' Tool='of an oven' Version='of a day'/></CommonFormat>";
  static const char *const words[]
      = { "\"system_comment\": \"of the system\"", "\"comment\": \"of the section\"", "{ \"text\": \"of all times\" }",
          "{ \"from\": 2000, \"to\": 2000, \"text\": \"of a moment\" }",
          "{ \"from\": 3000, \"to\": 5000, \"text\": \"of a range\" }", "\"comment\": \"of the task\"",
          "\"vendor\": \"of a vendor\"",
          "\"cookies\": [ { \"vendor\": \"of a baker\", \"tool\": \"of an oven\", \"version\": \"of a day\" } ]", "\"element\": \"A\", \"numerator\": 1, \"denominator\": 4, \"unit\": \"us\"",
          "{ \"event\": \"2\", \"reference\": \"7\", \"info\": \"of a user\", \"count\": 1 }" };
  g_autofree char *text = json_of (trace);
  g_auto (GStrv)   parts = g_strsplit_set (text, " \n", -1);
  g_autoptr (GString) joined = g_string_new (NULL);

  /* in one line, however it is laid out */
  for (guint i = 0; parts[i] != NULL; i++)
    if (*parts[i] != '\0')
      g_string_append_printf (joined, "%s ", parts[i]);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    ck_assert_msg (strstr (joined->str, words[i]) != NULL, "%s is not in %s", words[i], text);
  expect_kept (text);
}
END_TEST

/* The names are f}], g"}} and h\]{[: what is in texts neither opens nor closes anything. */
START_TEST (brackets_in_names_are_no_brackets_of_the_report)
{
  static const char trace[]
      = "<CommonFormat Version='1.0'><SystemConfiguration Name='S}'><Resource ID='0' Scheduler='OSEK'>"
        "<SystemElement Name='f}]' ID='1' Type='task'/><SystemElement Name='g&quot;}}' ID='2' Type='task'/>"
        "<SystemElement Name='h\\]{[' ID='3' Type='task'/></Resource><EventIDMappings>"
        "<EventIDMapping EventID='1' EventType='start'/></EventIDMappings></SystemConfiguration><TraceData Start='0'>"
        "<TraceEntry Time='1' EventID='1' ReferenceID='1'/></TraceData></CommonFormat>";
  g_autofree char *text = json_of (trace);

  expect_kept (text);
}
END_TEST

/* A tick has ten units, since one stamp has a decimal; a number of preemptions has none. */
START_TEST (what_is_no_time_has_no_ticks)
{
  static const char trace[]
      = "<CommonFormat Version='1.0'><SystemConfiguration Name='S'><Resource ID='0' Scheduler='OSEK'>"
        "<SystemElement Name='A' ID='1' Type='task'/></Resource><EventIDMappings>"
        "<EventIDMapping EventID='1' EventType='start'/><EventIDMapping EventID='2' EventType='preempt'/>"
        "<EventIDMapping EventID='3' EventType='resume'/><EventIDMapping EventID='4' EventType='end'/>"
        "</EventIDMappings></SystemConfiguration><TraceData Start='0'><TraceEntry Time='1' EventID='1' ReferenceID='1'/>"
        "<TraceEntry Time='2.5' EventID='2' ReferenceID='1'/><TraceEntry Time='4' EventID='3' ReferenceID='1'/>"
        "<TraceEntry Time='6' EventID='4' ReferenceID='1'/></TraceData></CommonFormat>";
  g_autofree char *text = json_of (trace);
  const char      *metric = strstr (text, "\"NPR\":"), *histogram;

  ck_assert_ptr_nonnull (metric);
  histogram = strstr (metric, "\"histogram\":");
  ck_assert_ptr_nonnull (histogram);
  ck_assert_msg (g_str_has_prefix (histogram, "\"histogram\": [[1, 1]]"), "%.40s", histogram);
  expect_kept (text);
}
END_TEST

/* What is replaced in a sound report, and the message that comes of it. */
static const struct
{
  const char *old, *new, *message;
} damages[] = {
  { "\"schema\": 1", "\"schema\": 2", "a report with schema 2, and this version reads schema 1" },
  { "\"schema\": 1", "\"schema\": \"1\"", "`schema' is no whole number" },
  { "\"schema\": 1", "\"shema\": 1", "JSON, but no report" },
  { "\"schema\": 1", "\"schema\": 1, \"filtered\": true", "shows a part only" },
  { "\"unit\": \"ns\"", "\"unit\": \"fortnights\"", "no unit for the times" },
  { "\"inputs\": [", "\"inputs\": [7, ", "is no object" },
  { "\"inputs\": [", "\"inputs\": [], \"x\": [", "`inputs' is empty" },
  { "\"unit\": \"us\"", "\"unit\": \"fortnight\"", "`fortnight' is no unit of time" },
  { "\"time_base\": {", "\"time_base\": 7, \"x\": {", "`time_base' is no object" },
  { "\"time_base\": {", "\"time_bass\": {", "`time_base' is missing" },
  { "\"scale\": 1", "\"scale\": 0", "`scale' is out of range" },
  { "\"denominator\": 1", "\"denominator\": 0", "`denominator' is out of range" },
  { "\"depth\": 0", "\"depth\": 5", "`depth' is out of range" },
  { "\"type\": \"task\"", "\"type\": \"tusk\"", "`tusk' is no type of elements" },
  { "\"type\": \"task\"", "\"type\": 7", "`type' is no text" },
  { "\"resource\": \"0\"", "\"resource\": \"core\"", "`core' is no resource" },
  { "\"n\": 3", "\"n\": 4", "the counts of the histogram are not those of n = 4" },
  { "\"n\": 3", "\"n\": -3", "`n' is out of range" },
  { "\"n\": 3", "\"n\": 2", "the counts of the histogram are not those of n = 2" },
  { "\"sum\": \"35\"", "\"sum\": \"350\"", "T, IPT: n, min, max and sum contradict each other" },
  { "\"sum\": \"35\"", "\"sum\": \"a lot\"", "no whole number of at most 38 digits" },
  { "\"sum\": \"35\"", "\"sum\": \"340282366920938463463374607431768211456\"", "no whole number" },
  { "\"squares\": \"", "\"squares\": \"-", "no sum of squares" },
  { "\"histogram\": [[5, 1]", "\"histogram\": [[5, 1], [5]", "too short" },
  { "\"histogram\": [[5, 1]", "\"histogram\": [[5, 0]", "the counts" },
  { "\"histogram\": [[5, 1]", "\"histogram\": [[5, 0.5]", "the counts" },
  { "\"histogram\": [[5, 1]", "\"histogram\": [[5, 9000000000000000000]", "the counts" },
  { "\"histogram\": [[5, 1]", "\"histogram\": [[4, 1]", "between min and max" },
  { "\"histogram\": [[5, 1]", "\"histogram\": [[1e300, 1]", "too large" },
  { "\"histogram\": [[5, 1]", "\"histogram\": [[9300000000000000000, 1]", "too large" },
  { "\"histogram\": [[5, 1]", "\"histogram\": [[9000000000000000000, 1]", "lie between min and max" },
  { "\"histogram\": [[5, 1]", "\"histogram\": [[-9223372036854775807, 1]", "lie between min and max" },
  { "\"histogram\": [[5, 1]", "\"histogram\": [\"x\"", "is no array" },
  { "\"exact\": true", "\"exact\": 1", "neither true nor false" },
  { "\"sum\": \"103\"", "\"sum\": \"-1\"", "the load of `0' is out of range" },
  { "\"min_at\": 105,", "\"min_at\": 1.5,", "`min_at' is no whole number" },
  { "\"numerator\": \"199\"", "\"numerator\": \"-1\"", "the configured period is not above 0" },
  { "\"diagnostics\": [", "\"diagnostics\": 5, \"x\": [", "`diagnostics' is no array" },
  { "\"elements\": [", "\"elements\": {}, \"x\": [", "`elements' is no array" },
};

START_TEST (what_is_not_as_it_should_be_is_told)
{
  g_autofree char *text = plain_json ();
  g_autofree char *damaged = replaced (text, damages[_i].old, damages[_i].new);
  g_autofree char *message = read_error (damaged, -1, NULL);

  ck_assert_msg (message != NULL, "%s is accepted", damages[_i].new);
  ck_assert_msg (strstr (message, damages[_i].message) != NULL, "%s: %s", damages[_i].new, message);
}
END_TEST

/* The writer ends its last line n, and there is an empty one before what follows: that is in line n + 2. */
START_TEST (nothing_but_blanks_may_follow_a_report)
{
  static const char *const others[] = { "{}", "[]", "7", "\"x\"", "x", "/* a comment */", NULL };
  g_autofree char *text = plain_json ();
  guint            n_lines = 0;

  for (const char *p = text; *p != '\0'; p++)
    n_lines += *p == '\n';
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      const char      *other = others[i] != NULL ? others[i] : text;
      g_autofree char *both = g_strconcat (text, "\n \t\r", other, NULL);
      g_autofree char *place = g_strdup_printf (":%u: ", n_lines + 2);
      g_autofree char *message = read_error (both, -1, NULL);

      ck_assert_msg (message != NULL, "%s is accepted", other);
      ck_assert_msg (strstr (message, place) != NULL, "%s", message);
    }
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *padded = g_strconcat (i == 0 ? "" : " \r\n", text, " \t\r\n\n", NULL);

      ck_assert_ptr_null (read_error (padded, -1, NULL));
    }
}
END_TEST

/* json-glib passes over it, brackets and all: so it is not known where the report ends. */
START_TEST (a_comment_hides_nothing)
{
  g_autofree char *text = plain_json ();
  g_autofree char *commented = g_strconcat ("{ /* { */", text + 1, NULL);
  g_autofree char *message = read_error (commented, -1, NULL);

  ck_assert_ptr_nonnull (message);
}
END_TEST

START_TEST (a_truncated_report_is_an_error_with_its_line)
{
  g_autofree char *text = plain_json ();
  gsize            length = strlen (text) - 2; /* without the end of the line, and the last bracket */

  for (gsize i = 1; i <= length; i += i < 400 ? 7 : 211)
    {
      g_autofree char *message = read_error (text, (gssize) i, NULL);

      ck_assert_msg (message != NULL, "%u bytes are accepted", (guint) i);
      ck_assert_msg (strstr (message, "malformed or truncated JSON") != NULL, "%s", message);
    }
}
END_TEST

START_TEST (brackets_without_end_do_not_end_the_stack)
{
  g_autofree char *brackets = g_strnfill (1000000, '[');
  g_autofree char *text = g_strconcat ("{\"schema\":\n", brackets, NULL);
  g_autofree char *message = read_error (text, -1, NULL);

  ck_assert_ptr_nonnull (message);
  ck_assert_ptr_nonnull (strstr (message, ":2: nested too deeply"));
}
END_TEST

/* Elements each of which is within the one before, @depth of them. */
static char *
nested_elements (const char *text, guint depth)
{
  g_autoptr (GString) elements = g_string_new ("\"elements\": [");

  for (guint i = 0; i < depth; i++)
    g_string_append_printf (elements, "{\"element\": \"E%u\", \"type\": \"function\", \"depth\": %u, \"counts\": {}, "
                            "\"metrics\": {}},", i, i);
  return replaced (text, "\"elements\": [", elements->str);
}

START_TEST (elements_are_nested_as_deep_as_in_a_trace)
{
  g_autofree char *text = plain_json ();
  g_autofree char *limit = nested_elements (text, 256), *over = nested_elements (text, 257);
  g_autofree char *of_limit = read_error (limit, -1, NULL), *of_over = read_error (over, -1, NULL);

  ck_assert_msg (of_limit == NULL, "%s", of_limit);
  ck_assert_ptr_nonnull (of_over);
  ck_assert_msg (strstr (of_over, "`depth' is out of range") != NULL, "%s", of_over);
}
END_TEST

START_TEST (options_that_need_the_trace_are_refused)
{
  g_autofree char *text = plain_json ();

  for (guint i = 0; i < 6; i++)
    {
      g_autoptr (TsOptions) options = ts_options_new ();
      g_autofree char *message = NULL;

      options->has_from = i == 0;
      options->has_to = i == 1;
      options->from = options->to = (TsTimeText){ .value = { 1, 1 }, .in_ticks = TRUE };
      options->infer_preemption = i == 2;
      options->subtract_overhead = i == 3;
      options->per_section = i == 4;
      if (i == 5)
        {
          options->idle = g_ptr_array_new ();
          g_ptr_array_add (options->idle, g_strdup ("T"));
        }
      message = read_error (text, -1, options);
      ck_assert_ptr_nonnull (message);
      ck_assert_msg (strstr (message, "needs the trace itself") != NULL, "%s", message);
    }
}
END_TEST

START_TEST (an_element_that_was_idle_may_be_named_idle_again)
{
  g_autoptr (TsOptions) options = ts_options_new ();
  g_autofree char *text = NULL, *message = NULL;
  GateReport report;

  options->idle = g_ptr_array_new ();
  g_ptr_array_add (options->idle, g_strdup ("N"));
  report = gate_read_trace (&plain, options);
  text = gate_json (report.report);
  gate_free (&report);
  message = read_error (text, -1, options);
  ck_assert_msg (message == NULL, "%s", message);
}
END_TEST

/* 2^127 - 1, and what is around 2^64 and 2^128 */
static const char *const wides[] = { "0", "1", "18446744073709551615", "18446744073709551616",
                                     "170141183460469231731687303715884105727" };

START_TEST (wide_numbers_keep_all_digits)
{
  char      text[TS_NUMBER_SIZE];
  TsInt128  value;
  TsUint128 low;
  guint64   high;

  for (guint i = 0; i < G_N_ELEMENTS (wides); i++)
    {
      g_autofree char *negative = g_strdup_printf ("-%s", wides[i]);

      ck_assert (ts_int128_parse (wides[i], &value));
      ts_int128_format (value, text);
      ck_assert_str_eq (text, wides[i]);
      ck_assert (ts_int128_parse (negative, &value));
      ts_int128_format (value, text);
      ck_assert_str_eq (text, i == 0 ? "0" : negative);
    }
  ck_assert (!ts_int128_parse ("170141183460469231731687303715884105728", &value));
  ck_assert (!ts_int128_parse ("", &value) && !ts_int128_parse ("-", &value) && !ts_int128_parse ("+1", &value)
             && !ts_int128_parse ("1 ", &value) && !ts_int128_parse ("0x1", &value));
  /* 2^192 - 1, and one more */
  ck_assert (ts_uint192_parse ("6277101735386680763835789423207666416102355444464034512895", &low, &high));
  ck_assert (low == ~(TsUint128) 0 && high == G_MAXUINT64);
  ts_uint192_format (low, high, text);
  ck_assert_str_eq (text, "6277101735386680763835789423207666416102355444464034512895");
  ck_assert (!ts_uint192_parse ("6277101735386680763835789423207666416102355444464034512896", &low, &high));
}
END_TEST

START_TEST (fine_numbers_have_no_zeros_at_the_end)
{
  char text[TS_NUMBER_SIZE];
  const struct
  {
    TsRational  value;
    const char *text;
  } cases[] = {
    { { 0, 1000 }, "0" },
    { { 1500, 1000 }, "1.5" },
    { { 10000000000000002, 100000000000000000 }, "0.10000000000000002" },
    { { -200, 3 }, "-66.6666666666666666667" },
    { { 1999999999999999999, 2000000000000000000 }, "0.9999999999999999995" },
    { { 2, 20 * (TsInt128) ts_power_of_ten (18) }, "0.0000000000000000001" },
    { { 1, 20 * (TsInt128) ts_power_of_ten (18) }, "0" }, /* half of the last place goes to the even digit */
    { { 1, (TsInt128) 1 << 62 }, "0.0000000000000000002" }, /* 2.17e-19 */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      ck_assert_uint_eq (ts_rational_format_fine (cases[i].value, text), strlen (cases[i].text));
      ck_assert_str_eq (text, cases[i].text);
    }
}
END_TEST

/* As a report does: so many units, of which @scale make a tick, are written in ticks and read again. */
static void
assert_told_again (gint64 units, gint64 scale)
{
  char       text[TS_NUMBER_SIZE];
  TsRational ticks;

  ts_rational_format_fine ((TsRational){ units, scale }, text);
  ck_assert_msg (ts_rational_parse_long (text, 38, &ticks), "%s", text);
  ticks = ts_rational_multiply (ticks, (TsRational){ scale, 1 });
  ticks = ts_rational_subtract (ticks, (TsRational){ units, 1 });
  ck_assert_msg (ts_rational_compare (ticks, (TsRational){ -1, 2 }) > 0, "%s", text);
  ck_assert_msg (ts_rational_compare (ticks, (TsRational){ 1, 2 }) < 0, "%s", text);
}

START_TEST (units_are_told_again_from_fine_numbers)
{
  const gint64 most = (G_GINT64_CONSTANT (1) << 62) - 1;
  g_autoptr (GRand) random = g_rand_new_with_seed (2);

  assert_told_again (most, most);
  assert_told_again (most - 1, most);
  assert_told_again (1, most);
  assert_told_again (most, 3);
  assert_told_again (most, 7 * 7 * 7);
  for (guint i = 0; i < 20000; i++)
    {
      gint64 units = ((gint64) g_rand_int (random) << 31 | g_rand_int (random)) & most;
      gint64 scale = (((gint64) g_rand_int (random) << 31 | g_rand_int (random)) & most) >> g_rand_int_range (random, 0, 62);

      assert_told_again (units >> g_rand_int_range (random, 0, 62), MAX (scale, 1));
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("report");
  TCase *tests = tcase_create ("report");

  tcase_set_timeout (tests, 60);
  tcase_add_test (tests, a_report_that_is_read_is_the_same_report);
  tcase_add_test (tests, what_a_trace_says_in_words_is_kept);
  tcase_add_test (tests, brackets_in_names_are_no_brackets_of_the_report);
  tcase_add_test (tests, what_is_no_time_has_no_ticks);
  tcase_add_loop_test (tests, what_is_not_as_it_should_be_is_told, 0, G_N_ELEMENTS (damages));
  tcase_add_test (tests, nothing_but_blanks_may_follow_a_report);
  tcase_add_test (tests, a_comment_hides_nothing);
  tcase_add_test (tests, a_truncated_report_is_an_error_with_its_line);
  tcase_add_test (tests, brackets_without_end_do_not_end_the_stack);
  tcase_add_test (tests, elements_are_nested_as_deep_as_in_a_trace);
  tcase_add_test (tests, options_that_need_the_trace_are_refused);
  tcase_add_test (tests, an_element_that_was_idle_may_be_named_idle_again);
  tcase_add_test (tests, wide_numbers_keep_all_digits);
  tcase_add_test (tests, fine_numbers_have_no_zeros_at_the_end);
  tcase_add_test (tests, units_are_told_again_from_fine_numbers);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
