/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "timeline-fixture.h"

/* The analysis window: what belongs to it (rule 20). */

#define WINDOW_TRACE \
  "0 act T1; 1 start T1; 3 end T1; 10 act T1; 11 start T1; 14 end T1; 20 act T1; 21 start T1; 25 end T1"

START_TEST (a_window_has_its_beginning_and_not_its_end)
{
  /* [11, 21): the instance of S 11. DT and E2S at 11; PER and ST at A 20; those at A 10 and S 21 are outside.
     Load 11..14. */
  fixture_window (11, 21);
  run_trace (WINDOW_TRACE);
  expect ("T1", "IPT 1 | CET 3 | GET 3 | RT 4 | DT 10 | PER 10 | ST 6 | SELF 3 | E2S 8 | NPR 0");
  expect_load (0, "3/10");
}
END_TEST

START_TEST (values_in_a_window_come_from_the_whole_trace)
{
  /* [2, 12): S 11; CET is 3 although 2 of it are outside; PER 10, ST 7 at A 10; load 2..3, 11..12 */
  fixture_window (2, 12);
  run_trace (WINDOW_TRACE);
  expect ("T1", "IPT 1 | CET 3 | GET 3 | RT 4 | DT 10 | PER 10 | ST 7 | SELF 3 | E2S 8 | NPR 0");
  expect_load (0, "2/10");
}
END_TEST

START_TEST (a_window_ends_with_the_trace_at_the_latest)
{
  /* load 21..25 of 20..25; PER and ST at A 20, DT and E2S at S 21 */
  fixture_window (20, 100);
  run_trace (WINDOW_TRACE);
  expect ("T1", "IPT 1 | CET 4 | GET 4 | RT 5 | DT 10 | PER 10 | ST 6 | SELF 4 | E2S 7 | NPR 0");
  expect_load (0, "4/5");
}
END_TEST

START_TEST (a_window_may_be_open_on_one_side)
{
  fixture.options.has_from = TRUE;
  fixture.options.from = 11;
  run_trace (WINDOW_TRACE);
  /* S 11 and 21 */
  expect ("T1", "IPT 1 1 | CET 3 4 | GET 3 4 | RT 4 5 | DT 10 10 | PER 10 | ST 6 | SELF 3 4 | E2S 7 8 | NPR 0 0");
  expect_load (0, "7/14");
}
END_TEST

START_TEST (a_window_outside_of_the_trace_has_nothing)
{
  fixture_window (100, 200);
  run_trace (WINDOW_TRACE);
  expect ("T1", "");
  ck_assert_int_eq ((int) ts_timeline_busy (fixture.timeline, 0), 0);
  ck_assert_int_eq ((int) ts_timeline_window (fixture.timeline), 0);
}
END_TEST

START_TEST (negative_slack_belongs_to_the_end)
{
  /* A 0 S 1 A 4 E 8 S 8 E 9: ST -4, whose later event is E 8. [5, 9): S 8; PER at A 4 is outside. */
  fixture_window (5, 9);
  run_trace ("0 act T1; 1 start T1; 4 act T1; 8 end T1; 8 start T1; 9 end T1");
  expect ("T1", "IPT 4 | CET 1 | GET 1 | RT 5 | DT 7 | ST -4 | SELF 1 | E2S 0 | NPR 0");
  expect_load (0, "4/4");
}
END_TEST

START_TEST (negative_slack_is_outside_if_the_end_is)
{
  fixture_window (0, 8);
  run_trace ("0 act T1; 1 start T1; 4 act T1; 8 end T1; 8 start T1; 9 end T1");
  expect ("T1", "IPT 1 | CET 7 | GET 7 | RT 8 | PER 4 | SELF 7 | NPR 0");
}
END_TEST

START_TEST (load_of_a_head_is_clipped_to_the_window)
{
  /* ran 0..10; of [4, 8) all 4 */
  fixture_window (4, 8);
  run_trace ("10 end T1; 12 user");
  expect_load (0, "4/4");
}
END_TEST

/* Instances that were not seen to start belong to where they are known from: the beginning of the section, the hole
 * before them (rule 17), or, of what lost its start within, their first event (rule 6). */

static const struct
{
  const char *trace, *element;
  gint64      since;
  const char *preemption; /* with its instance */
} unstarted[] = {
  { "60 preempt T1; 70 resume T1; 80 end T1",
    "T1", 0, "10@0#1" },
  { "10 start T1; 20 error; 60 preempt T1; 70 resume T1; 80 end T1",
    "T1", 20, "10@20#2" },
  { "10 start T1; 20 error on -; 60 preempt T1; 70 resume T1; 80 end T1",
    "T1", 20, "10@20#2" },
  { "10 start T1; 20 error; 30 error; 60 preempt T1; 70 resume T1; 80 end T1",
    "T1", 30, "10@30#2" },
  { "20 error on 1; 60 preempt T1; 70 resume T1; 80 end T1",
    "T1", 0, "10@0#1" },
  { "20 error; 60 preempt r1; 70 resume r1; 80 end r1",
    "r1", 20, "10@20#1" },
  { "0 act T1#1; 1 start T1#1; 3 end T1#1; 60 preempt T1#2; 70 resume T1#2; 80 end T1#2",
    "T1", 60, "10@60#2" },
  { "0 act T1#1; 1 start T1#1; 3 end T1#1; 50 act T1#2; 60 preempt T1#2; 70 resume T1#2; 80 end T1#2",
    "T1", 60, "10@60#2" },
};

START_TEST (what_did_not_start_belongs_to_where_it_is_known_from)
{
  const gint64 since = unstarted[_i / 3].since;
  const gint64 from[] = { since, since - 1, since + 1 };

  fixture_window (from[_i % 3], from[_i % 3] + 1);
  run_trace (unstarted[_i / 3].trace);
  expect_intervals (unstarted[_i / 3].element, PRE, _i % 3 == 0 ? unstarted[_i / 3].preemption : "");
}
END_TEST

/* A stop of the system at 10 that is none, as it goes on at 30. T1#1 has lost its end: it runs 0-12, since then T2 runs beside
 * it, 12-20; T1#2 takes its place, 15-25. */
START_TEST (what_lost_its_end_is_no_load_behind_a_stop_either)
{
  run_trace (_i == 0 ? "0 start T1#1; 10 user stops; 12 start T2; 15 start T1#2 replaces; 20 end T2; 25 end T1#2; 30 user goes-on"
                     : "0 start T1#1; 10 user stops; 12 start T2; 15 start T1#2 replaces; 20 end T2; 25 end T1#2");
  /* if it does not go on, the window ends there (rule 20) */
  expect_load (0, _i == 0 ? "30/30" : "10/10");
  expect_counts ("T1", "starts 2, ends 1, complete 1, missing 1");
}
END_TEST

/* T1 is on no core until 4, which is told to nobody, see note_resource() of the fixture. */
START_TEST (who_was_nowhere_is_load_from_then_on)
{
  run_trace ("0 start T1 on -; 3 preempt T1 on -; 4 resume T1 on 1; 9 end T1 on 1");
  expect ("T1", "CET 8 | GET 9 | PRE 1 | SELF 8 | NPR 1");
  expect_load (1, "5/9");
}
END_TEST

/* What is declared when all is over has no events, and is busy at no time. */
START_TEST (who_was_not_there_has_nothing)
{
  run_trace ("0 start T1; 3 end T1");
  ts_timeline_events (fixture.timeline, NULL, 0);
  expect_counts ("T9", "");
  expect_load (60000, "0/3");
}
END_TEST

void
add_window_tests (Suite *suite)
{
  TCase *tests = tcase_create ("window");

  tcase_add_checked_fixture (tests, fixture_setup, fixture_teardown);
  tcase_add_test (tests, a_window_has_its_beginning_and_not_its_end);
  tcase_add_test (tests, values_in_a_window_come_from_the_whole_trace);
  tcase_add_test (tests, a_window_ends_with_the_trace_at_the_latest);
  tcase_add_test (tests, a_window_may_be_open_on_one_side);
  tcase_add_test (tests, a_window_outside_of_the_trace_has_nothing);
  tcase_add_test (tests, negative_slack_belongs_to_the_end);
  tcase_add_test (tests, negative_slack_is_outside_if_the_end_is);
  tcase_add_test (tests, load_of_a_head_is_clipped_to_the_window);
  tcase_add_loop_test (tests, what_did_not_start_belongs_to_where_it_is_known_from, 0,
                       3 * (int) G_N_ELEMENTS (unstarted));
  tcase_add_loop_test (tests, what_lost_its_end_is_no_load_behind_a_stop_either, 0, 2);
  tcase_add_test (tests, who_was_nowhere_is_load_from_then_on);
  tcase_add_test (tests, who_was_not_there_has_nothing);
  suite_add_tcase (suite, tests);
}
