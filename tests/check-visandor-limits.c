/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/strays.h"
#include "unit.h"
#include "visandor-fixture.h"

/* How much of a kind a trace may have, and how little. */

static void
expect_error (const char *text, const TsOptions *options, TsError code, const char *message)
{
  g_autoptr (VisReading) reading = vis_reading_new (text, -1, 0, 0, options);

  ck_assert_ptr_nonnull (reading->error);
  ck_assert_str_eq (reading->error->message, message);
  ck_assert_int_eq (reading->error->code, code);
}

static void
expect_error_of_both (const char *text, TsError code, const char *message)
{
  const TsOptions plain = { .no_scanner = TRUE };

  expect_error (text, NULL, code, message);
  expect_error (text, &plain, code, message);
}

/* Behind a root on agent 0, busy agents from 1 on: the 65,000th resource is that of the line 65,001, and then there is one more. */
START_TEST (agents_are_not_beyond_number)
{
  g_autoptr (GString)    text = g_string_new (AND);
  g_autoptr (VisReading) reading = NULL;

  for (guint i = 1; i < 65000; i++)
    g_string_append_printf (text, "%u 7 0 0 A %u\n", i, i);
  reading = vis_reading_new (text->str, -1, 0, 0, NULL);
  ck_assert_ptr_null (reading->error);
  ck_assert_uint_eq (ts_system_n_resources (reading->system), 65000);
  g_string_append (text, "65000 7 0 0 A 2147483647\n");
  expect_error_of_both (text->str, TS_ERROR_RANGE, "x.vis:65002: more than 65000 agents");
}
END_TEST

/* 64 forks of 65,536 tasks, or one of them of less, are as many as may be open: 4,194,304. What is one task too many may be a fork
 * (in the first case in the second reading, as a line in front of it is late), or a goal whose fork is not there,
 * which waits for it up to the end of its stamp or of the trace. In the last case FFF is forked with all that fits, and again
 * when it is joined, at the same stamp: 1 is free then. */
static const struct
{
  guint       last; /* tasks of the last fork */
  const char *lines;
  guint       line; /* of these */
} too_many[] = {
  { 65536, "80 7 0 0 A 5\n70 7 0 0 A 6\n90 1 FFF 1 A 0\n", 3 },
  { 65536, "90 1 FFF 1 A 0\n91 2 FFF 0 A 0\n", 1 },
  { 65536, "90 2 FFF 0 A 1\n90 34 0 0 A 2\n91 34 0 0 A 3\n", 1 },
  { 65536, "90 34 0 0 A 2\n90 2 FFF 0 A 1\n90 6 0 0 A 0\n", 2 },
  { 65536, "89 34 0 0 A 2\n90 2 FFF 0 A 1\n", 2 },
  { 65535, "80 1 FFF 1 A 5\n81 2 FFF 0 A 5\n82 3 FFF 0 A 5\n90 1 FFF 2 A 6\n90 4 FFF 1 A 5\n91 34 0 0 A 3\n", 4 },
};

START_TEST (open_tasks_are_not_beyond_number)
{
  g_autoptr (GString) text = g_string_new (AND);
  g_autofree char    *message = g_strdup_printf ("x.vis:%u: more than 4194304 tasks of open forks", 2 + 64 + too_many[_i].line);

  for (guint i = 0; i < 64; i++)
    g_string_append_printf (text, "%u 1 %X %u A 0\n", i + 1, i + 16, i < 63 ? 65536 : too_many[_i].last);
  g_string_append (text, too_many[_i].lines);
  expect_error_of_both (text->str, TS_ERROR_RANGE, message);
}
END_TEST

/* As many as may be open, and so many goals whose forks are not there that they no longer wait for the end of their stamp: it is
 * the first one of them that is too many. */
START_TEST (open_tasks_are_not_beyond_number_where_many_wait)
{
  g_autoptr (GString) text = g_string_new (AND);

  for (guint i = 0; i < 64; i++)
    g_string_append_printf (text, "%u 1 %X 65536 A 0\n", i + 1, i + 16);
  for (guint i = 0; i < 65536 + 1; i++)
    g_string_append_printf (text, "90 2 F%X 0 A 1\n", i);
  expect_error_of_both (text->str, TS_ERROR_RANGE, "x.vis:67: more than 4194304 tasks of open forks");
}
END_TEST

/* The same in a second reading, where all lines within the largest step back are held, which is 10: so the fork is taken before
 * the end. */
START_TEST (open_tasks_are_not_beyond_number_where_lines_are_held)
{
  g_autoptr (GString) text = g_string_new (AND "80 7 0 0 A 5\n70 7 0 0 A 6\n");

  for (guint i = 0; i < 65; i++)
    g_string_append_printf (text, "%u 1 %X 65536 A 0\n", i + 100, i + 16);
  for (guint i = 0; i < 5000; i++)
    g_string_append_printf (text, "%u %u 0 0 A 5\n", i + 200, i % 2 == 0 ? 8 : 7);
  ts_most_strays = 0;
  expect_error_of_both (text->str, TS_ERROR_RANGE, "x.vis:69: more than 4194304 tasks of open forks");
}
END_TEST

/* An analysis window from half a tick on makes units of half a tick, of which there are 2^61 up to 2^60 ticks. */
START_TEST (times_are_not_beyond_the_units_of_the_window)
{
  const TsOptions options = { .has_from = TRUE, .from = { .value = { 1, 2 }, .in_ticks = TRUE }, .no_scanner = _i % 2 == 1 };
  g_autoptr (GString)    text = g_string_new (AND);
  g_autoptr (VisReading) reading = NULL;

  for (guint i = 0; i < 30; i++)
    g_string_append_printf (text, "%u %d 0 0 A 0\n", 1 + i, i % 2 == 0 ? 7 : 8);
  for (guint i = 0; i < 10; i++)
    g_string_append (text, "1152921504606846976 7 0 0 A 0\n");
  reading = vis_reading_new (text->str, -1, 0, 0, &options);
  ck_assert_ptr_null (reading->error);
  g_string_append (text, "1152921504606846977 6 0 0 A 0\n");
  expect_error (text->str, &options, TS_ERROR_RANGE, "x.vis:43: the time is beyond 2^61");
}
END_TEST

/* The longest WAM and the largest agent, with all that may be behind them, or zeros in front of them. Each goal of A runs for 1;
 * the root does so before each fork and at the end: for 40 + 1, of 4 * 40 + 1. */
START_TEST (lines_may_be_long)
{
  static const char *const wams[] = { "FFFFFFFFFFFFFFFF 2147483647 \r\n", "00000000FFFFFFFFFFFFFFFF 00000000000000000007\n",
                                      "A 00000000000000000000000000000007 \r\n" };
  const char         *wam = wams[_i];
  g_autoptr (GString) text = g_string_new ("0 \r\n");
  guint               time = 0;

  g_string_append_printf (text, "0 5 0 0 %s", wam);
  for (guint i = 0; i < 40; i++, time += 4)
    g_string_append_printf (text, "%u 1 A 1 %s%u 2 A 0 %s%u 3 A 0 %s%u 4 A 1 %s", time + 1, wam, time + 2, wam, time + 3, wam,
                            time + 4, wam);
  g_string_append_printf (text, "%u 6 0 0 %s", time + 1, wam);
  for (gsize chunk = 0; chunk < 200; chunk += 66)
    {
      const TsOptions        options = { .no_scanner = chunk == 66 };
      g_autoptr (VisReading) reading = vis_reading_new (text->str, -1, chunk, 0, &options);

      ck_assert_ptr_null (reading->error);
      expect_cell (reading, "parallelism", 0, "goals", "40");
      expect_cell (reading, "parallelism", 0, "window", "161");
      expect_cell (reading, "parallelism", 0, "work", "81");
      ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_REUSED_NODE), 39);
      ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_WAM_CHANGED), 0);
    }
}
END_TEST

/* The flag may be all there is, with an end of its line or without; or nothing else is an event. */
START_TEST (a_trace_may_have_no_event)
{
  static const struct
  {
    const char *text;
    guint       line;
  } cases[] = { { "0", 1 }, { "1\n", 1 }, { "0 \r\n", 1 }, { "1\n5 99 0 0 0 0\n", 2 } };
  g_autoptr (VisReading) reading = vis_reading_new (cases[_i].text, -1, 0, 0, NULL);

  ck_assert_ptr_null (reading->error);
  ck_assert_uint_eq (reading->sections->len, 0);
  ck_assert_uint_eq (ts_system_n_elements (reading->system), 0);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NO_STOP_TIME), 1);
  ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_NO_STOP_TIME].line, cases[_i].line);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_CODE), _i == 3);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("visandor-limits");
  TCase *tests = tcase_create ("limits");

  tcase_set_timeout (tests, 60);
  tcase_add_test (tests, agents_are_not_beyond_number);
  tcase_add_loop_test (tests, open_tasks_are_not_beyond_number, 0, G_N_ELEMENTS (too_many));
  tcase_add_test (tests, open_tasks_are_not_beyond_number_where_many_wait);
  tcase_add_test (tests, open_tasks_are_not_beyond_number_where_lines_are_held);
  tcase_add_loop_test (tests, times_are_not_beyond_the_units_of_the_window, 0, 2);
  tcase_add_loop_test (tests, lines_may_be_long, 0, 3);
  tcase_add_loop_test (tests, a_trace_may_have_no_event, 0, 4);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
