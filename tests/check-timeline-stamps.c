/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "timeline-fixture.h"

/* What happens at one time stamp may be written in any order that is of use to whoever wrote it (rules 10, 11 and 14). */

START_TEST (a_runnable_may_be_written_before_the_start_of_its_task)
{
  /* off 5..7. r1 0..9, and within that r2 0..8 */
  run_trace ("0 start r1 in T1; 0 start T1; 0 start r2 in T1; 5 preempt T1; 7 resume T1; 8 end r2 in T1; 9 end r1 in T1;"
             "10 end T1");
  expect ("r1", "CET 7 | GET 9 | PRE 2 | SELF 1 | NPR 1");
  expect ("r2", "CET 6 | GET 8 | PRE 2 | SELF 6 | NPR 1");
  expect ("T1", "CET 8 | GET 10 | PRE 2 | SELF 1 | NPR 1");
  expect_found ("");
}
END_TEST

START_TEST (several_runnables_may_be_written_before_the_start_of_their_task)
{
  /* the first one is the outer one */
  run_trace ("5 start r1 in T1; 5 start r2 in T1; 5 start T1; 7 end r2 in T1; 9 end r1 in T1; 10 end T1");
  expect ("r1", "CET 4 | GET 4 | SELF 2 | NPR 0");
  expect ("r2", "CET 2 | GET 2 | SELF 2 | NPR 0");
  expect ("T1", "CET 5 | GET 5 | SELF 1 | NPR 0");
}
END_TEST

START_TEST (a_task_that_is_preempted_as_it_starts_takes_what_was_written_before_with_it)
{
  run_trace ("0 start r1 in T1; 0 start T1; 0 preempt T1; 4 resume T1; 6 end r1 in T1; 7 end T1");
  expect ("r1", "CET 2 | GET 6 | PRE 4 | SELF 2 | NPR 1");
  expect ("T1", "CET 3 | GET 7 | PRE 4 | SELF 1 | NPR 1");
}
END_TEST

START_TEST (a_runnable_whose_task_starts_later_is_in_none)
{
  run_trace ("0 start r1 in T1; 1 start T1; 5 preempt T1; 7 resume T1; 9 end r1 in T1; 10 end T1");
  expect ("r1", "CET 9 | GET 9 | SELF 9 | NPR 0");
  expect ("T1", "CET 7 | GET 9 | PRE 2 | SELF 7 | NPR 1");
}
END_TEST

START_TEST (a_runnable_that_began_before_is_in_none_whatever_happens_to_it_then)
{
  /* r1 1..7 without 4..5; of r2, which starts with T1, T1 has 4..8 */
  run_trace ("1 start r1 in T1; 4 preempt r1 in T1; 4 start r2 in T1; 4 start T1; 5 resume r1 in T1; 7 end r1 in T1;"
             "8 end r2 in T1; 8 end T1");
  expect ("r2", "CET 4 | GET 4 | SELF 4 | NPR 0");
  expect ("T1", "CET 4 | GET 4 | SELF 0 | NPR 0");
  ck_assert_int_eq (fixture_instance ("r1", 1)->running, 5);
}
END_TEST

START_TEST (runnables_of_several_cores_may_be_written_before_their_tasks)
{
  run_trace ("5 start r1 in T1; 5 start r2 in T2 on 1; 5 start T1; 5 start T2 on 1; 6 preempt T1; 6 preempt T2 on 1;"
             "8 resume T1; 8 resume T2 on 1; 9 end r1 in T1; 9 end r2 in T2 on 1; 10 end T1; 10 end T2 on 1");
  expect ("r1", "CET 2 | GET 4 | PRE 2 | SELF 2 | NPR 1");
  expect ("r2", "CET 2 | GET 4 | PRE 2 | SELF 2 | NPR 1");
  expect ("T1", "CET 3 | GET 5 | PRE 2 | SELF 1 | NPR 1");
}
END_TEST

START_TEST (a_preemption_of_no_length_is_one_of_what_was_written_before)
{
  run_trace ("5 start r1 in T1; 5 start T1; 5 preempt T1; 5 resume T1; 8 end r1 in T1; 10 end T1");
  expect ("r1", "CET 3 | GET 3 | PRE 0 | SELF 3 | NPR 1");
  expect ("T1", "CET 5 | GET 5 | PRE 0 | SELF 2 | NPR 1");
}
END_TEST

/* Preempted 10-20, in any order in which it goes on and ends with its task at 20. */
START_TEST (a_runnable_may_go_on_and_end_before_its_task_goes_on)
{
  static const char *const orders[] = { "20 resume r1 in T1; 20 end r1 in T1; 20 resume T1", "20 resume r1 in T1; 20 resume T1; 20 end r1 in T1",
                                        "20 resume T1; 20 resume r1 in T1; 20 end r1 in T1" };

  g_autofree char *trace
      = g_strconcat ("0 start T1; 0 start r1 in T1; 10 preempt r1 in T1; 10 preempt T1;", orders[_i], "; 50 end T1", NULL);

  run_trace (trace);
  expect ("r1", "CET 10 | GET 20 | PRE 10 | SELF 10 | NPR 1");
  expect ("T1", "CET 40 | GET 50 | PRE 10 | SELF 30 | NPR 1");
  expect_found ("");
}
END_TEST

/* Its task goes on only later: so it did not. */
START_TEST (a_runnable_that_ends_long_before_its_task_goes_on_was_preempted)
{
  run_trace ("0 start T1; 0 start r1 in T1; 10 preempt r1 in T1; 10 preempt T1; 20 resume r1 in T1; 21 end r1 in T1;"
             "22 resume T1; 50 end T1");
  expect ("r1", "CET 10 | GET 21 | SELF 10 | NPR 0");
  expect_found ("end-while-preempted 1");
}
END_TEST

/* r1 is open in T1 from 1 and in T2 from 4, and both are off from 6 on. What goes on at 9 is it in the task that does so then,
 * wherever its own event stands. */
START_TEST (a_runnable_of_two_tasks_goes_on_with_the_one_that_does)
{
  static const struct
  {
    const char *events, *expected;
  } orders[] = {
    { "9 resume r1; 9 resume T1; 12 end r1; 13 end T1; 13 resume r1; 13 resume T2; 15 end r1; 16 end T2",
      "CET 4 5 | GET 11 11 | DT 3 | ST -8 | PRE 6 7 | SELF 4 5 | E2S -8 | NPR 1 1" },
    { "9 resume T1; 9 resume r1; 12 end r1; 13 end T1; 13 resume T2; 13 resume r1; 15 end r1; 16 end T2",
      "CET 4 5 | GET 11 11 | DT 3 | ST -8 | PRE 6 7 | SELF 4 5 | E2S -8 | NPR 1 1" },
    { "9 resume r1; 9 resume T2; 12 end r1; 13 end T2; 13 resume r1; 13 resume T1; 15 end r1; 16 end T1",
      "CET 4 5 | GET 8 14 | DT 3 | ST -11 | PRE 3 10 | SELF 4 5 | E2S -11 | NPR 1 1" },
    /* and it has called itself in T1, from 2 on: there both go on */
    { "9 resume r1; 9 resume r1; 9 resume T1; 10 end r1; 12 end r1; 13 end T1; 13 resume r1; 13 resume T2; 15 end r1; 16 end T2",
      "CET 2 4 5 | GET 8 11 11 | DT 1 2 | ST -10 -6 | PRE 6 6 7 | SELF 2 3 4 | E2S -10 -6 | NPR 1 1 1" },
  };
  const gboolean   is_twice = _i == 3;
  g_autofree char *trace
      = g_strconcat ("0 start T1; 1 start r1;", is_twice ? "2 start r1; 3 preempt r1;" : "", "3 preempt r1; 3 preempt T1;"
                     "3 start T2; 4 start r1; 6 preempt r1; 6 preempt T2; 6 start T3; 9 end T3;", orders[_i].events, NULL);

  run_trace (trace);
  expect ("r1", orders[_i].expected);
  expect_found ("");
}
END_TEST

START_TEST (nothing_need_come_behind_the_start_of_its_task)
{
  run_trace ("section 0 8; 5 start r1 in T1; 5 start T1");
  ck_assert_uint_eq (fixture_instance ("r1", 1)->resource, 0);
  ck_assert_int_eq (fixture_instance ("r1", 1)->running, 3);
  ck_assert_int_eq (fixture_instance ("T1", 1)->running, 3);
  ck_assert_int_eq (fixture_instance ("T1", 1)->self, 0);
}
END_TEST

/* Number 1 of T1 is not there when r1 begins in it, which number 0 may be. */
START_TEST (the_number_says_in_which_instance_a_runnable_is)
{
  static const struct
  {
    gint64      time;
    TsEventKind kind;
    const char *element;
    gint32      number;
  } steps[] = {
    { 0, TS_EVENT_START, "T1", 0 },  { 2, TS_EVENT_WAIT, "T1", 0 },   { 4, TS_EVENT_START, "r1", 5 },
    { 4, TS_EVENT_START, "T1", 1 },  { 6, TS_EVENT_PREEMPT, "T1", 1 }, { 9, TS_EVENT_RESUME, "T1", 1 },
    { 10, TS_EVENT_END, "r1", 5 },   { 12, TS_EVENT_END, "T1", 1 },   { 13, TS_EVENT_RESUME, "T1", 0 },
    { 15, TS_EVENT_END, "T1", 0 },
  };
  TsEvent events[G_N_ELEMENTS (steps)];

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      events[i] = (TsEvent){ .time = steps[i].time, .line = i + 1, .kind = steps[i].kind, .instance = steps[i].number,
                             .element = fixture_element (steps[i].element), .owner = TS_NO_ELEMENT };
      if (steps[i].element[0] != 'r')
        continue;
      events[i].owner = fixture_element ("T1");
      events[i].owner_number = ts_event_owner_number (1);
    }
  run_events (events, G_N_ELEMENTS (events));
  expect ("r1", "CET 3 | GET 6 | PRE 3 | SELF 3 | NPR 1");
  ck_assert_int_eq (fixture_instance ("T1", 1)->self, 2);
  ck_assert_int_eq (fixture_instance ("T1", 0)->self, 4);
}
END_TEST

START_TEST (what_is_first_seen_to_go_on_goes_with_its_task)
{
  static const char *const orders[] = { "0 resume r1 in T1; 0 resume T1", "0 resume T1; 0 resume r1 in T1" };
  g_autofree char         *trace = g_strdup_printf (
      "%s; 10 wait T1; 30 release T1; 40 resume T1; 50 end r1 in T1; 60 end T1", orders[_i]);

  run_trace (trace);
  expect ("r1", "PRE 10 | WAIT 20");
  expect ("T1", "PRE 10 | WAIT 20");
}
END_TEST

/* When r1 was suspended with T1 is not said, and from 20 on it goes on with it. */
START_TEST (what_is_first_seen_to_go_on_was_not_suspended_just_then)
{
  static const char *const orders[] = { "20 resume r1 in T1; 20 resume T1", "20 resume T1; 20 resume r1 in T1" };
  g_autofree char         *trace = g_strdup_printf (
      "section; 10 preempt T1; %s; 25 preempt T1; 25 resume T1; 30 preempt T1; 33 resume T1; 50 end r1 in T1; 60 end T1",
      orders[_i]);

  run_trace (trace);
  expect ("r1", "PRE 0 3");
  expect ("T1", "PRE 0 3 10");
  expect_found ("partial-head 2");
}
END_TEST

START_TEST (what_is_first_seen_to_be_suspended_goes_on_in_its_task)
{
  run_trace ("0 preempt r1 in T1; 5 resume T1; 5 resume r1 in T1; 10 preempt T1; 13 resume T1; 20 end r1 in T1; 21 end T1");
  expect ("r1", "PRE 3 5");
  expect ("T1", "PRE 3");
}
END_TEST

START_TEST (what_ran_before_its_task_did_is_not_in_it_unless_it_is_named)
{
  run_trace ("0 start f1#1; 5 resume T1; 7 preempt T1; 9 resume T1; 12 end f1#1; 13 end T1");
  expect ("f1", "CET 12 | GET 12 | SELF 12 | NPR 0");
}
END_TEST

START_TEST (what_ends_between_the_resumption_of_a_task_and_the_end_of_its_ISR_is_in_the_ISR)
{
  static const char *const orders[] = { "10 resume T1; 10 end f1; 10 end I1", "10 end f1; 10 resume T1; 10 end I1",
                                        "10 end f1; 10 end I1; 10 resume T1" };
  g_autofree char         *trace = g_strdup_printf (
      "0 start T1; 1 start f1; 5 start I1; 5 preempt T1; 5 start f1; %s; 12 end f1; 15 end T1", orders[_i]);

  /* f1 1..12 without 5..10, and 5..10 */
  run_trace (trace);
  expect ("f1", "CET 5 6 | GET 5 11 | DT 4 | ST -7 | PRE 5 | SELF 5 6 | E2S -7 | NPR 0 1");
  expect_found ("");
}
END_TEST

START_TEST (what_ends_before_an_interrupted_task_is_told_to_be_is_where_it_began)
{
  /* of no length, in the ISR that has just begun */
  run_trace ("0 start T1; 1 start f1; 5 start I1; 5 start f1; 5 end f1; 5 preempt T1; 10 end I1; 10 resume T1; 12 end f1;"
             "15 end T1");
  expect ("f1", "CET 0 6 | GET 0 11 | DT 4 | ST -7 | PRE 5 | SELF 0 6 | E2S -7 | NPR 0 1");
}
END_TEST

START_TEST (what_ends_in_an_ISR_that_was_interrupted_is_in_that)
{
  /* f1: 1..15 in T1, off 2..10; 3..10 in I1, off 5..10; 6..10 in I2 */
  run_trace ("0 start T1; 1 start f1; 2 preempt T1; 2 start I1; 3 start f1; 5 preempt I1; 5 start I2; 6 start f1;"
             "10 resume I1; 10 end f1; 10 end I2; 10 resume T1; 10 end f1; 10 end I1; 15 end f1; 16 end T1");
  expect ("f1", "CET 2 4 6 | GET 4 7 14 | DT 2 3 | ST -12 -4 | PRE 5 8 | SELF 2 4 6 | E2S -12 -4 | NPR 0 1 1");
  expect ("T1", "CET 8 | GET 16 | PRE 8 | SELF 2 | NPR 1");
  expect_found ("");
}
END_TEST

START_TEST (what_ends_in_an_ISR_of_no_length_is_in_that)
{
  run_trace ("0 start T1; 1 start f1; 5 preempt T1; 5 start I1; 5 start f1; 5 resume T1; 5 end f1; 5 end I1; 8 end f1;"
             "9 end T1");
  expect ("f1", "CET 0 7 | GET 0 7 | DT 4 | ST -3 | PRE 0 | SELF 0 7 | E2S -3 | NPR 0 1");
  expect ("T1", "CET 9 | GET 9 | PRE 0 | SELF 2 | NPR 1");
}
END_TEST

START_TEST (of_tasks_that_run_at_once_the_one_that_goes_on_has_what_ends)
{
  /* whether it was there before, so that its preemption is missing, or came since, so that its own is */
  static const char *const traces[] = {
    "0 start T1; 1 start f1; 3 start T2; 4 start f1; 5 preempt T2; 5 start I1; 7 end I1; 7 resume T2; 7 end f1; 9 end T2;"
    "12 end f1; 13 end T1",
    "0 start T1; 1 start f1; 3 preempt T1; 3 start T2; 4 start f1; 7 resume T1; 7 end f1; 9 end f1; 9 end T2; 13 end T1",
  };
  static const char *const expected[] = {
    "CET 1 11 | GET 3 11 | DT 3 | ST -8 | PRE 2 | SELF 1 11 | E2S -8 | NPR 0 1",
    "CET 2 5 | GET 5 6 | DT 3 | ST -3 | PRE 4 | SELF 2 5 | E2S -3 | NPR 0 1",
  };

  run_trace (traces[_i]);
  expect ("f1", expected[_i]);
}
END_TEST

START_TEST (of_two_tasks_that_run_at_once_the_later_one_has_what_ends)
{
  run_trace ("0 start T1; 1 start f1; 5 start T2; 6 start f1; 8 end f1; 9 end T2; 10 end f1; 11 end T1");
  expect ("f1", "CET 2 9 | GET 2 9 | DT 5 | ST -4 | SELF 2 9 | E2S -4 | NPR 0 0");
  expect_found ("overlap 1");
}
END_TEST

/* The n-th of the six orders of three statements, all at @time; to be freed. */
static char *
in_order (guint n, const char *time, const char *const *statements)
{
  const guint first = n / 2, second = (first + 1 + n % 2) % 3, third = 3 - first - second;

  return g_strdup_printf ("%s %s; %s %s; %s %s", time, statements[first], time, statements[second], time,
                          statements[third]);
}

/* By hand: r1 was open before, and I1 ran from 12 to 30. */
START_TEST (what_was_there_before_is_suspended_with_its_task)
{
  static const char *const before[] = { "start I1", "preempt T1", "preempt r1" };
  static const char *const behind[] = { "end I1", "resume T1", "resume r1" };
  g_autofree char         *first = in_order ((guint) _i / 6, "12", before), *last = in_order ((guint) _i % 6, "30", behind);
  g_autofree char *trace = g_strdup_printf ("section; %s; 13 start r2; 14 end r2; %s; 40 end r1; 45 start r1; 48 end r1; "
                                            "50 end T1", first, last);

  run_trace (trace);
  expect ("r1", "CET 3 | GET 3 | ST 5 | PRE 18 | SELF 3 | E2S 5 | NPR 0");
  expect ("r2", "CET 1 | GET 1 | SELF 1 | NPR 0");
  expect ("I1", "CET 18 | GET 18 | SELF 17 | NPR 0");
  expect ("T1", "PRE 18");
  expect_instances ("r1", "1 partial head, 2 complete");
  expect_found ("partial-head 2");
}
END_TEST

/* @before, and at 30 the @n-th order of @events; behind that @task, in which r1 is until 40, is off from 32 to 35. */
static void
run_until_off (const char *before, const char *const *events, guint n, const char *task)
{
  g_autofree char *first = in_order (n, "30", events);
  g_autofree char *trace = g_strdup_printf ("section; %s; %s; 32 start I1; 32 preempt %s; 35 end I1; 35 resume %s; 40 end r1; "
                                            "50 end %s", before, first, task, task, task);

  run_trace (trace);
}

/* All three were open before, and only two of them go on; then r1 is in T1. */
START_TEST (what_was_there_before_goes_on_with_its_task)
{
  static const char *const events[] = { "end I1", "resume T1", "resume r1" };

  run_until_off ("20 user", events, (guint) _i, "T1");
  expect ("r1", "PRE 3");
  expect ("T1", "PRE 3");
  expect ("I1", "CET 3 | GET 3 | ST 2 | SELF 3 | E2S 2 | NPR 0");
  expect_found ("partial-head 3");
}
END_TEST

/* r1 was open in T1 and in T2, and goes on in T2. */
START_TEST (what_was_there_before_in_two_tasks_goes_on_with_either)
{
  static const char *const events[] = { "end T1", "resume T2", "resume r1" };

  run_until_off ("20 user; 30 end r1", events, (guint) _i, "T2");
  expect ("r1", "PRE 3");
  expect ("T2", "PRE 3");
  expect_instances ("r1", "1 partial head, 2 partial head");
  expect_found ("partial-head 4");
}
END_TEST

/* r1 was open in T2, which is off until I1 ends; in I1 it ran from 22 to 24. What goes on while only I1 runs would be in I1. */
START_TEST (what_was_there_before_goes_on_with_its_task_whatever_ran_meanwhile)
{
  static const char *const events[] = { "end I1", "resume T2", "resume r1" };

  run_until_off ("20 start I1; 22 start r1; 24 end r1", events, (guint) _i, "T2");
  expect ("T2", "PRE 3");
  expect_instances ("r1", "1 complete, 2 partial head");
  expect_found ("partial-head 2");
}
END_TEST

static TCase *
stamp_tests (const char *name, void (*setup) (void))
{
  TCase *tests = tcase_create (name);

  tcase_add_checked_fixture (tests, setup, fixture_teardown);
  tcase_add_test (tests, a_runnable_may_be_written_before_the_start_of_its_task);
  tcase_add_test (tests, several_runnables_may_be_written_before_the_start_of_their_task);
  tcase_add_test (tests, a_task_that_is_preempted_as_it_starts_takes_what_was_written_before_with_it);
  tcase_add_test (tests, a_runnable_whose_task_starts_later_is_in_none);
  tcase_add_test (tests, a_runnable_that_began_before_is_in_none_whatever_happens_to_it_then);
  tcase_add_test (tests, runnables_of_several_cores_may_be_written_before_their_tasks);
  tcase_add_test (tests, a_preemption_of_no_length_is_one_of_what_was_written_before);
  tcase_add_loop_test (tests, a_runnable_may_go_on_and_end_before_its_task_goes_on, 0, 3);
  tcase_add_test (tests, a_runnable_that_ends_long_before_its_task_goes_on_was_preempted);
  tcase_add_loop_test (tests, a_runnable_of_two_tasks_goes_on_with_the_one_that_does, 0, 4);
  tcase_add_test (tests, nothing_need_come_behind_the_start_of_its_task);
  tcase_add_test (tests, the_number_says_in_which_instance_a_runnable_is);
  tcase_add_loop_test (tests, what_is_first_seen_to_go_on_goes_with_its_task, 0, 2);
  tcase_add_loop_test (tests, what_is_first_seen_to_go_on_was_not_suspended_just_then, 0, 2);
  tcase_add_test (tests, what_is_first_seen_to_be_suspended_goes_on_in_its_task);
  tcase_add_test (tests, what_ran_before_its_task_did_is_not_in_it_unless_it_is_named);
  tcase_add_loop_test (tests, what_ends_between_the_resumption_of_a_task_and_the_end_of_its_ISR_is_in_the_ISR, 0, 3);
  tcase_add_test (tests, what_ends_before_an_interrupted_task_is_told_to_be_is_where_it_began);
  tcase_add_test (tests, what_ends_in_an_ISR_that_was_interrupted_is_in_that);
  tcase_add_test (tests, what_ends_in_an_ISR_of_no_length_is_in_that);
  tcase_add_loop_test (tests, of_tasks_that_run_at_once_the_one_that_goes_on_has_what_ends, 0, 2);
  tcase_add_test (tests, of_two_tasks_that_run_at_once_the_later_one_has_what_ends);
  tcase_add_loop_test (tests, what_was_there_before_is_suspended_with_its_task, 0, 36);
  tcase_add_loop_test (tests, what_was_there_before_goes_on_with_its_task, 0, 6);
  tcase_add_loop_test (tests, what_was_there_before_in_two_tasks_goes_on_with_either, 0, 6);
  tcase_add_loop_test (tests, what_was_there_before_goes_on_with_its_task_whatever_ran_meanwhile, 0, 4);
  return tests;
}

void
add_stamp_tests (Suite *suite)
{
  suite_add_tcase (suite, stamp_tests ("stamps", fixture_setup));
  suite_add_tcase (suite, stamp_tests ("stamps, following", fixture_setup_following));
}
