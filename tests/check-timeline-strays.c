/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "timeline-fixture.h"

/* Runnables and functions of tasks that are not known, or not there: whose time is whose. */

START_TEST (own_time_of_what_the_end_of_the_trace_cuts_is_without_callees)
{
  /* f1 1.., f2 2.., f1 3.., all to 10: 9, 8 and 7, of which 8, 7 and 0 are their callees'; T1 10 - 9. f3 and f4 run in
     no task, from 4 and 6 to 10: 6 - 4 and 4 */
  run_trace ("0 start T1; 1 start f1; 2 start f2; 3 start f1; 4 start f3 on 1; 6 start f4 on 1; 10 user");
  ck_assert_int_eq (fixture_instance ("f1", 1)->running, 9);
  ck_assert_int_eq (fixture_instance ("f1", 1)->self, 1);
  ck_assert_int_eq (fixture_instance ("f1", 2)->self, 7);
  ck_assert_int_eq (fixture_instance ("f2", 1)->self, 1);
  ck_assert_int_eq (fixture_instance ("T1", 1)->self, 1);
  ck_assert_int_eq (fixture_instance ("f3", 1)->self, 2);
  ck_assert_int_eq (fixture_instance ("f4", 1)->self, 4);
}
END_TEST

/* r2 was there before r1 started, and outlives it: r1 called nobody, whether its task is known before both or behind them. */
START_TEST (what_began_before_the_section_was_not_called_in_it)
{
  run_trace (_i == 0 ? "section; 10 start r1 in T1; 20 preempt r1 in T1; 20 preempt r2 in T1; 20 preempt T1; 30 resume T1; "
                       "30 resume r2 in T1; 30 resume r1 in T1; 50 end r1 in T1; 60 end r2 in T1; 60 end T1"
                     : "section; 10 poll T1; 10 start r1 in T1; 20 preempt r1 in T1; 20 preempt r2 in T1; 20 preempt T1; "
                       "30 resume T1; 30 resume r2 in T1; 30 resume r1 in T1; 50 end r1 in T1; 60 end r2 in T1; 60 end T1");
  expect ("r1", "CET 30 | GET 40 | PRE 10 | SELF 30 | NPR 1");
  expect ("r2", "PRE 10");
}
END_TEST

START_TEST (a_runnable_outside_of_every_task_is_no_load)
{
  run_trace ("1 start r1; 3 end r1");
  expect ("r1", "CET 2 | GET 2 | SELF 2 | NPR 0");
  ck_assert_uint_eq (fixture_instance ("r1", 1)->owner, TS_NO_ELEMENT);
  expect_load (0, "0/3");
  expect_found ("");
}
END_TEST

/* Whether it is there at the beginning, and ends or goes on, is cut by an error, or by the end, or is all there. */
START_TEST (an_owner_that_is_no_element_is_told_to_nobody)
{
  run_trace ("0 end r1 in ?; 1 start r1 in ?; 2 resume r2 in ?; 3 error on -; 4 start r1 in ?; 5 preempt r2 in ?; 6 end r1 in ?; "
             "7 start r1 in ?; 9 user");
  ck_assert_uint_eq (fixture.instances->len, 6);
  for (guint i = 0; i < fixture.instances->len; i++)
    ck_assert_uint_eq (g_array_index (fixture.instances, TsInstance, i).owner, TS_NO_ELEMENT);
  /* from the end of the first to the start at 1, and from 6 to 7 */
  expect ("r1", "CET 2 | GET 2 | DT 3 | ST 1 1 | SELF 2 | E2S 1 1 | NPR 0");
}
END_TEST

START_TEST (runnables_of_two_tasks_that_are_not_there_do_not_call_one_another)
{
  /* r1 0..9 called r3 5..8; r2 is of another task, whichever the first is: not there, or not known */
  run_trace (_i == 0 ? "0 start r1 in ?; 2 start r2 in T1; 5 start r3 in ?; 7 end r2 in T1; 8 end r3 in ?; 9 end r1 in ?"
                     : "0 start r1; 2 start r2 in ?; 5 start r3; 7 end r2 in ?; 8 end r3; 9 end r1");
  expect ("r1", "CET 9 | GET 9 | SELF 6 | NPR 0");
  expect ("r2", "CET 5 | GET 5 | SELF 5 | NPR 0");
  expect ("r3", "CET 3 | GET 3 | SELF 3 | NPR 0");
}
END_TEST

/* Whether all of their ends name them, or not. */
START_TEST (runnables_of_two_instances_of_a_task_do_not_call_one_another)
{
  run_trace (_i == 0 ? "0 start r1 in ?#1; 2 start r2 in ?#2; 5 start r3 in ?#1; 8 end r3 in ?#1; 9 end r2 in ?#2; 10 end r1 in ?#1"
                     : "0 start r1 in ?#1; 2 start r2 in ?#2; 5 start r3 in ?#1; 8 end r3 in ?#1; 9 end r2 in ?#2; 10 end r1");
  expect ("r1", "CET 10 | GET 10 | SELF 7 | NPR 0");
  expect ("r2", "CET 7 | GET 7 | SELF 7 | NPR 0");
  expect ("r3", "CET 3 | GET 3 | SELF 3 | NPR 0");
}
END_TEST

/* r3 goes on when r1 ends: so r1 had not called it, though that was told how long r3 ran until it was suspended. */
START_TEST (what_goes_on_beside_others_was_not_called)
{
  run_trace ("0 start r1 in ?#1; 2 start r2 in ?#2; 5 start r3 in ?#1; 6 start r4 in ?#2; 8 preempt r3 in ?#1; "
             "10 resume r3 in ?#1; 12 end r1 in ?#1; 13 end r4 in ?#2; 14 end r3 in ?#1; 15 end r2 in ?#2");
  expect ("r1", "CET 12 | GET 12 | SELF 12 | NPR 0");
  expect ("r2", "CET 13 | GET 13 | SELF 6 | NPR 0");
  expect ("r3", "CET 7 | GET 9 | PRE 2 | SELF 7 | NPR 1");
  expect ("r4", "CET 7 | GET 7 | SELF 7 | NPR 0");
}
END_TEST

START_TEST (what_outlives_its_caller_was_not_called_by_another_instance)
{
  run_trace ("0 start r1 in ?#2; 2 start r2 in ?#1; 3 start r3 in ?#1; 5 end r2 in ?#1; 8 end r3 in ?#1; 9 end r1 in ?#2");
  expect ("r1", "CET 9 | GET 9 | SELF 9 | NPR 0");
}
END_TEST

/* T1 ran from the beginning on, and with it what names it and what names nobody: in the order in which they began. */
START_TEST (a_task_takes_those_that_name_it_and_others_in_their_order)
{
  static const char *const names[][2] = { { " in T1", "" }, { "", " in T1" } };
  g_autofree char         *script = NULL;

  script = g_strdup_printf ("0 start r1%s; %d start r2%s; 8 preempt T1; 9 resume T1; 10 end r2; 11 end r1; 12 end T1",
                            names[_i % 2][0], _i < 2 ? 2 : 0, names[_i % 2][1]);
  run_trace (script);
  expect ("r1", _i < 2 ? "CET 10 | GET 11 | PRE 1 | SELF 3 | NPR 1" : "CET 10 | GET 11 | PRE 1 | SELF 1 | NPR 1");
  expect ("r2", _i < 2 ? "CET 7 | GET 8 | PRE 1 | SELF 7 | NPR 1" : "CET 9 | GET 10 | PRE 1 | SELF 9 | NPR 1");
}
END_TEST

/* At one stamp in front of T1: r1 10-20 calls r2 10-15, which calls r3 10-13. SELF 10 - 5, 5 - 2, and of T1 20 - 10. */
START_TEST (those_in_front_of_their_task_stay_in_their_order)
{
  run_trace ("10 start r1 in T1; 10 start r2 in T1; 10 start r3 in T1; 10 start T1; 13 end r3 in T1; 15 end r2 in T1;"
             "20 end r1 in T1; 30 end T1");
  expect ("T1", "CET 20 | GET 20 | SELF 10 | NPR 0");
  expect ("r1", "CET 10 | GET 10 | SELF 5 | NPR 0");
  expect ("r2", "CET 5 | GET 5 | SELF 2 | NPR 0");
  expect ("r3", "CET 3 | GET 3 | SELF 3 | NPR 0");
}
END_TEST

/* r2 is in T2, of which nobody is known, and not in T1#1. */
START_TEST (a_task_without_a_number_is_no_instance_of_another)
{
  run_trace ("0 start r1 in T1#1; 2 start r2 in T2; 5 end r2 in T2; 9 end r1 in T1#1");
  expect ("r1", "CET 9 | GET 9 | SELF 9 | NPR 0");
  expect ("r2", "CET 3 | GET 3 | SELF 3 | NPR 0");
}
END_TEST

/* All instances are 0, which tells nothing, and where r1 began nobody said. */
START_TEST (what_began_nowhere_may_end_in_a_task)
{
  run_trace ("0 start r1#0; 5 end r1#0 in T1");
  expect ("r1", "CET 5 | GET 5 | SELF 5 | NPR 0");
  expect_counts ("r1", "starts 1, ends 1, complete 1");
}
END_TEST

static TCase *
stray_tests (const char *name, void (*setup) (void))
{
  TCase *tests = tcase_create (name);

  tcase_add_checked_fixture (tests, setup, fixture_teardown);
  tcase_add_test (tests, own_time_of_what_the_end_of_the_trace_cuts_is_without_callees);
  tcase_add_loop_test (tests, what_began_before_the_section_was_not_called_in_it, 0, 2);
  tcase_add_test (tests, a_runnable_outside_of_every_task_is_no_load);
  tcase_add_test (tests, an_owner_that_is_no_element_is_told_to_nobody);
  tcase_add_loop_test (tests, runnables_of_two_tasks_that_are_not_there_do_not_call_one_another, 0, 2);
  tcase_add_loop_test (tests, runnables_of_two_instances_of_a_task_do_not_call_one_another, 0, 2);
  tcase_add_test (tests, what_goes_on_beside_others_was_not_called);
  tcase_add_test (tests, what_outlives_its_caller_was_not_called_by_another_instance);
  tcase_add_loop_test (tests, a_task_takes_those_that_name_it_and_others_in_their_order, 0, 4);
  tcase_add_test (tests, those_in_front_of_their_task_stay_in_their_order);
  tcase_add_test (tests, a_task_without_a_number_is_no_instance_of_another);
  tcase_add_test (tests, what_began_nowhere_may_end_in_a_task);
  return tests;
}

void
add_stray_tests (Suite *suite)
{
  suite_add_tcase (suite, stray_tests ("stray", fixture_setup));
  suite_add_tcase (suite, stray_tests ("stray, following", fixture_setup_following));
}
