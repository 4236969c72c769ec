/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "import/visandor.h"
#include "intervals.h"
#include "reading-visandor.h"

/* VisAndOr traces: figures of a part of the trace, at one instant, and after a cut. */

static void
expect_cell (const VisReading *reading, const char *table, guint row, const char *column, const char *expected)
{
  g_autofree char *text = vis_reading_cell (reading, table, row, column);

  ck_assert_msg (text != NULL, "%s.%s is not there", table, column);
  ck_assert_msg (g_str_equal (text, expected), "%s.%s is %s, and not %s", table, column, text, expected);
}

static VisReading *
read_window (const char *text, const char *from, const char *to)
{
  TsOptions   options = { .has_from = from != NULL, .has_to = to != NULL };
  VisReading *reading;

  ck_assert (from == NULL || ts_time_text_parse (from, &options.from, NULL));
  ck_assert (to == NULL || ts_time_text_parse (to, &options.to, NULL));
  reading = vis_reading_new (text, -1, 0, FALSE, &options);
  ck_assert_ptr_null (reading->error);
  return reading;
}

/* The root runs 10-20 and 36-40, task 0 22-30 on agent 0, task 1 24-34 on agent 1. */
static const char forked[] = "0\n10 5 0 0 0 0\n20 1 1 2 0 0\n22 2 1 0 0 0\n24 2 1 1 1 1\n30 3 1 0 0 0\n"
                             "34 3 1 1 1 1\n36 4 1 2 0 0\n40 6 0 0 0 0\n";

/* Work: 12-20, 22-29 and 24-29 in the first window; 23-30 and 24-34 in the second. The longest
 * path: root 8 and task 0 7; task 1 10. In the third, task 1 has begun before, and nothing starts. */
START_TEST (parallelism_is_cut_at_the_analysis_window)
{
  static const struct
  {
    const char *from, *to;
    const char *window, *work, *path, *maximum, *goals;
    const char *profile[3], *busy[2], *slices[2];
  } cases[] = {
    { "12", "29", "17", "20", "15", "2", "2", { "2", "10", "5" }, { "15", "5" }, { "2", "1" } },
    { "23", "35", "12", "17", "10", "2", "1", { "1", "5", "6" }, { "7", "10" }, { "1", "1" } },
    { "31us", "33us", "2", "2", "2", "1", "0", { "0", "2", NULL }, { "0", "2" }, { "0", "1" } },
    { NULL, "20", "10", "10", "10", "1", "0", { "0", "10", NULL }, { "10", "0" }, { "1", "0" } },
    { "36", NULL, "4", "4", "4", "1", "0", { "0", "4", NULL }, { "4", "0" }, { "1", "0" } },
    { "100", NULL, "0", "0", "0", "0", "0", { "0", NULL, NULL }, { "0", "0" }, { "0", "0" } },
  };
  g_autoptr (VisReading) reading = read_window (forked, cases[_i].from, cases[_i].to);

  expect_cell (reading, "parallelism", 0, "window", cases[_i].window);
  expect_cell (reading, "parallelism", 0, "work", cases[_i].work);
  expect_cell (reading, "parallelism", 0, "critical_path", cases[_i].path);
  expect_cell (reading, "parallelism", 0, "maximum", cases[_i].maximum);
  expect_cell (reading, "parallelism", 0, "goals", cases[_i].goals);
  for (guint i = 0; i < 3 && cases[_i].profile[i] != NULL; i++)
    expect_cell (reading, "profile", i, "time", cases[_i].profile[i]);
  for (guint i = 0; i < 2; i++)
    {
      expect_cell (reading, "agents", i, "busy", cases[_i].busy[i]);
      expect_cell (reading, "agents", i, "slices", cases[_i].slices[i]);
    }
}
END_TEST

/* Task 1 starts at the instant at which task 0 ends, in an earlier line: never two at a time. */
START_TEST (what_is_at_one_instant_is_not_parallel)
{
  g_autoptr (VisReading) reading = read_window ("0\n0 5 0 0 0 0\n5 1 1 2 0 0\n6 2 1 0 0 0\n8 2 1 1 1 1\n8 3 1 0 0 0\n"
                                                "9 3 1 1 1 1\n10 4 1 2 0 0\n12 6 0 0 0 0\n", NULL, NULL);

  expect_cell (reading, "parallelism", 0, "maximum", "1");
  expect_cell (reading, "profile", 1, "time", "10"); /* 0-5, 6-8, 8-9, 10-12 */
  ck_assert_ptr_null (vis_reading_cell (reading, "profile", 2, "time"));
}
END_TEST

/* Activations at 10 (A0), 30 (B0, B1) and 60 (C0). B0 is cut before it starts: PER is 20 and 30. */
static const char cut[] = "1\n0 5 0 0 0 0\n10 20 A 1 0 0\n20 21 A 0 0 0\n30 20 B 2 0 0\n40 26 B 0 1 1\n"
                          "50 21 B 1 0 0\n60 20 C 1 0 0\n70 21 C 0 0 0\n80 22 C 0 0 0\n90 6 0 0 0 0\n";

START_TEST (a_withdrawn_activation_is_no_part_of_per)
{
  static const gint64 expected[] = { 20, 30 };
  /* without its forks out of order, and with */
  static const char   late[] = "1\n0 5 0 0 0 0\n20 21 A 0 0 0\n10 20 A 1 0 0\n30 20 B 2 0 0\n40 26 B 0 1 1\n"
                               "50 21 B 1 0 0\n60 20 C 1 0 0\n70 21 C 0 0 0\n80 22 C 0 0 0\n90 6 0 0 0 0\n";
  g_autoptr (VisReading) reading = vis_reading_new (_i == 0 ? cut : late, -1, 0, FALSE, NULL);
  guint n = 0;

  ck_assert_ptr_null (reading->error);
  ck_assert_uint_eq (reading->n_readings, _i == 0 ? 2 : 3);
  g_array_sort (reading->intervals, compare_interval_times);
  for (guint i = 0; i < reading->intervals->len; i++)
    {
      const TsInterval *interval = &g_array_index (reading->intervals, TsInterval, i);

      if (interval->kind != TS_INTERVAL_PER)
        continue;
      ck_assert_uint_lt (n, G_N_ELEMENTS (expected));
      ck_assert_int_eq (interval->value, expected[n++]);
    }
  ck_assert_uint_eq (n, G_N_ELEMENTS (expected));
  ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_FAILED_ACTIVATION].count, 1);
  ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_FAILED_ACTIVATION].line, 6);
  expect_cell (reading, "parallelism", 0, "cut", "1");
  expect_cell (reading, "parallelism", 0, "branches", "3");
}
END_TEST

/* Another trace behind the first, which has its STOP_TIME or not, with older and with younger stamps: the
 * figures are those of the first alone. A digit by itself is a damaged line. */
START_TEST (a_second_trace_is_told_and_not_used)
{
  static const char first[] = "0\n10 5 0 0 0 0\n20 7 0 1 0 0\n30 8 0 1 0 0\n";
  static const struct
  {
    const char    *more;
    TsDiagnosticId id;
    guint64        line, n_no_stop;
  } cases[] = {
    { "40 6 0 0 0 0\n0\n5 5 0 0 0 0\n40 1 1 1 0 0\n90 6 0 0 0 0\n", TS_DIAGNOSTIC_SECOND_TRACE, 6, 0 },
    { "40 6 0 0 0 0\n1\n50 5 0 0 0 0\n40 20 1 1 0 0\n90 6 0 0 0 0", TS_DIAGNOSTIC_SECOND_TRACE, 6, 0 },
    { "40 8 0 0 1 1\n0\n5 5 0 0 0 0\n40 1 1 1 0 0\n90 6 0 0 0 0\n", TS_DIAGNOSTIC_SECOND_TRACE, 6, 1 },
    { "0\n40 6 0 0 0 0\n", TS_DIAGNOSTIC_BAD_EVENT, 5, 0 },
    { "40 6 0 0 0 0\n0\n", TS_DIAGNOSTIC_BAD_EVENT, 6, 0 },
    { "0\n0\n40 6 0 0 0 0\n", TS_DIAGNOSTIC_BAD_EVENT, 5, 0 },
  };
  g_autofree char *text = g_strconcat (first, cases[_i].more, NULL);
  static const gsize chunks[] = { 0, 1, 7 };

  for (guint i = 0; i < G_N_ELEMENTS (chunks); i++)
    {
      g_autoptr (VisReading) reading = vis_reading_new (text, -1, chunks[i], FALSE, NULL);

      ck_assert_ptr_null (reading->error);
      ck_assert_uint_eq (reading->diagnostics->entries[cases[_i].id].line, cases[_i].line);
      ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_NO_STOP_TIME].count, cases[_i].n_no_stop);
      ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_AFTER_STOP_TIME].count, 0);
      ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_BACKWARDS].count, 0);
      expect_cell (reading, "parallelism", 0, "window", "30");
      expect_cell (reading, "parallelism", 0, "work", "30");
    }
}
END_TEST

/* What is read the quick way is what the general way reads; and where that finds something wrong, or the line
 * is longer than it looks, the quick way does not take it. */
static gboolean
compare_ways (const char *text)
{
  guint8        line[2 * TS_VIS_QUICK_SPAN];
  const guint8 *newline, *next;
  TsVisRecord   quick = { 0 }, general = { 0 };
  const char   *reason;

  memset (line, '7', sizeof line);
  memcpy (line, text, MIN (strlen (text), sizeof line - 1));
  line[sizeof line - 1] = '\n';
  next = ts_vis_line_quick (line, &quick);
  if (next == NULL)
    return FALSE;
  newline = memchr (line, '\n', sizeof line);
  ck_assert (next == newline + 1);
  ck_assert_msg (ts_vis_line_parse (line, newline, &general, &reason) == TS_VIS_GOOD, "%s", text);
  ck_assert_msg (quick.time == general.time && quick.code == general.code && quick.node == general.node
                     && quick.field == general.field && quick.wam == general.wam && quick.agent == general.agent,
                 "%s", text);
  return TRUE;
}

START_TEST (the_quick_way_reads_the_same)
{
  static const char *const usual[] = {
    "1236420313 5 0 0 0 0\n",     "1236420313 21 1A 0 A 10 \n",     "         7 1 FFFFFFFF 2 9ABCDEF0 3 \n",
    "12345678 33 deadBEEF 1 c 12\r\n", "999999999999999 20 1a2b 65536 0 4095\n", "0 8 0 9999999 0 9999999\n",
    "123456789 34 12345678 99 0 0\n",
  };
  static const char *const unusual[] = {
    "1 5 0 -1 0 0\n",   "1 5 123456789 0 0 0\n", "1 5 0 0 0\n",    "1  5 0 0 0 0\n", "\n",
    "1 5 0G 0 0 0\n",   "1 5 0 0 @ 0\n",         "1 5 0 0 0 0 0\n", "1\t5 0 0 0 0\n", "1 5 0 0 0 0  \n",
    "1 5 0 0 ` 0\n",    "1 5 0 A 0 0\n",         "1 5 0 0 0 -1\n",  "x 5 0 0 0 0\n",  "1 5 0x1 0 0 0\n",
    "1234567890123456 5 0 0 0 0\n", "1 5 0 0 0 12345678\n", "1 5 0 0 0 0", "1 5 \xc3\xa4 0 0 0\n", "0\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (usual); i++)
    ck_assert_msg (compare_ways (usual[i]), "%s", usual[i]);
  for (guint i = 0; i < G_N_ELEMENTS (unusual); i++)
    ck_assert_msg (!compare_ways (unusual[i]), "%s", unusual[i]);
  /* every byte in every place */
  for (guint i = 0; i < G_N_ELEMENTS (usual); i++)
    for (gsize at = 0; at + 1 < strlen (usual[i]); at++)
      for (guint byte = 1; byte < 256; byte++)
        {
          g_autofree char *text = g_strdup (usual[i]);

          text[at] = (char) byte;
          compare_ways (text);
        }
}
END_TEST

int
main (void)
{
  Suite   *suite = suite_create ("visandor-figures");
  TCase   *tests = tcase_create ("figures");
  SRunner *runner = srunner_create (suite);
  int      n_failed;

  tcase_add_loop_test (tests, parallelism_is_cut_at_the_analysis_window, 0, 6);
  tcase_add_test (tests, what_is_at_one_instant_is_not_parallel);
  tcase_add_loop_test (tests, a_withdrawn_activation_is_no_part_of_per, 0, 2);
  tcase_add_loop_test (tests, a_second_trace_is_told_and_not_used, 0, 6);
  tcase_add_test (tests, the_quick_way_reads_the_same);
  suite_add_tcase (suite, tests);
  srunner_run_all (runner, CK_ENV);
  n_failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
