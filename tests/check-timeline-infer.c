/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "timeline-fixture.h"

/* Preemptions that the trace does not write (rule 12), or that the user wants inferred
 * although it does (rule 13); waiting and polling. */

/* Rule 12 */

START_TEST (the_start_of_another_one_preempts_and_its_end_resumes)
{
  fixture_infer ();
  run_trace ("4 start T1; 6 start T2; 7 end T2; 10 end T1");
  expect ("T1", "CET 5 | GET 6 | PRE 1 | SELF 5 | NPR 1");
  expect ("T2", "CET 1 | GET 1 | SELF 1 | NPR 0");
  expect_load (0, "6/10");
  expect_found ("inferred-preemption 1");
}
END_TEST

START_TEST (interrupted_interrupts_are_a_stack)
{
  /* T1 0..9 without 2..6, I1 2..6 without 3..5 */
  fixture_infer ();
  run_trace ("0 start T1; 2 start I1; 3 start I2; 5 end I2; 6 end I1; 9 end T1");
  expect ("T1", "CET 5 | GET 9 | PRE 4 | SELF 5 | NPR 1");
  expect ("I1", "CET 2 | GET 4 | PRE 2 | SELF 2 | NPR 1");
  expect ("I2", "CET 2 | GET 2 | SELF 2 | NPR 0");
  expect_load (0, "9/9");
  expect_found ("inferred-preemption 2");
}
END_TEST

START_TEST (one_interrupt_after_the_other_makes_two_preemptions)
{
  fixture_infer ();
  run_trace ("0 start T1; 2 start I1; 3 end I1; 3 start I2; 5 end I2; 9 end T1");
  expect ("T1", "CET 6 | GET 9 | PRE 1 2 | SELF 6 | NPR 2");
  expect_found ("inferred-preemption 2");
}
END_TEST

START_TEST (an_inner_one_of_the_stack_may_end_first)
{
  /* I1 ends while I2 has the core: it ran 2..3. T1 goes on when I2 ends: 0..2 and 6..9. */
  fixture_infer ();
  run_trace ("0 start T1; 2 start I1; 3 start I2; 4 end I1; 6 end I2; 9 end T1");
  expect ("I1", "CET 1 | GET 2 | SELF 1 | NPR 0");
  expect ("I2", "CET 3 | GET 3 | SELF 3 | NPR 0");
  expect ("T1", "CET 5 | GET 9 | PRE 4 | SELF 5 | NPR 1");
  expect_load (0, "9/9");
  expect_found ("end-while-preempted 1, inferred-preemption 2");
}
END_TEST

START_TEST (a_missing_end_does_not_resume_the_one_below)
{
  /* I1 lost an end: T1 is off 2..6, once */
  fixture_infer ();
  run_trace ("0 start T1; 2 start I1; 5 start I1; 6 end I1; 9 end T1");
  expect ("I1", "CET 1 | GET 1 | DT 3 | SELF 1 | NPR 0");
  expect ("T1", "CET 5 | GET 9 | PRE 4 | SELF 5 | NPR 1");
  expect_found ("missing-end 1, inferred-preemption 1");
}
END_TEST

START_TEST (a_missing_end_below_the_top_of_the_stack)
{
  /* T1 starts again while I1 has the core: T1's first end is lost, I1 is off 4..6 and goes on */
  fixture_infer ();
  run_trace ("0 start T1; 2 start I1; 4 start T1; 6 end T1; 7 end I1; 8 user");
  expect ("T1", "CET 2 | GET 2 | DT 4 | SELF 2 | NPR 0");
  expect ("I1", "CET 3 | GET 5 | PRE 2 | SELF 3 | NPR 1");
  expect_load (0, "7/8");
  expect_found ("missing-end 1, inferred-preemption 2");
}
END_TEST

START_TEST (a_suspended_one_that_ends_under_a_lost_end_keeps_what_ran)
{
  fixture_infer ();
  run_trace ("0 start T1; 2 start I1; 9 end T1; 10 start I1; 11 end I1");
  expect ("T1", "CET 2 | GET 9 | SELF 2 | NPR 0");
  expect ("I1", "CET 1 | GET 1 | DT 8 | SELF 1 | NPR 0");
  expect_found ("missing-end 1, end-while-preempted 1, inferred-preemption 1");
}
END_TEST

START_TEST (inferred_preemptions_take_runnables_along)
{
  fixture_infer ();
  run_trace ("0 start T1; 1 start r1; 3 start I1; 4 start r2; 5 end r2; 6 end I1; 8 end r1; 9 end T1");
  expect ("r1", "CET 4 | GET 7 | PRE 3 | SELF 4 | NPR 1");
  expect ("r2", "CET 1 | GET 1 | SELF 1 | NPR 0");
  expect ("T1", "CET 6 | GET 9 | PRE 3 | SELF 2 | NPR 1");
  expect ("I1", "CET 3 | GET 3 | SELF 2 | NPR 0");
}
END_TEST

START_TEST (nobody_preempts_on_another_core)
{
  fixture_infer ();
  run_trace ("0 start T1; 1 start T2 on 1; 3 end T2 on 1; 4 end T1");
  expect ("T1", "CET 4 | GET 4 | SELF 4 | NPR 0");
  expect_found ("");
}
END_TEST

START_TEST (inferred_preemptions_may_have_no_length)
{
  fixture_infer ();
  run_trace ("0 start T1; 2 start I1; 2 end I1; 4 end T1");
  expect ("I1", "CET 0 | GET 0 | SELF 0 | NPR 0");
  expect ("T1", "CET 4 | GET 4 | PRE 0 | SELF 4 | NPR 1");
}
END_TEST

START_TEST (a_head_below_a_stack_ran_while_the_others_did_not)
{
  /* T2 3..5; T1 the rest of 0..10: load 10, not 12 */
  fixture_infer ();
  run_trace ("3 start T2; 5 end T2; 10 end T1; 12 user");
  expect ("T1", "");
  expect ("T2", "CET 2 | GET 2 | SELF 2 | NPR 0");
  expect_load (0, "10/12");
  expect_found ("partial-head 1");
}
END_TEST

START_TEST (heads_below_heads_fill_the_core_once)
{
  /* I1 0..2, T2 2..4, T1 4..10 as far as one can know */
  fixture_infer ();
  run_trace ("2 end I1; 4 end T2; 10 end T1");
  expect_load (0, "10/10");
  expect_found ("partial-head 3");
}
END_TEST

START_TEST (a_tail_is_suspended_by_a_tail)
{
  /* T1 ran 0..4, I1 4..10 */
  fixture_infer ();
  run_trace ("section 0 10; 0 start T1; 4 start I1");
  expect ("T1", "");
  expect_load (0, "10/10");
  ck_assert_int_eq (fixture_instance ("T1", 1)->running, 4);
}
END_TEST

START_TEST (the_stack_does_not_cross_a_section)
{
  fixture_infer ();
  run_trace ("section 0; 0 start T1; 2 start I1; section 0; 3 start T2; 5 end T2; 9 user");
  expect ("T2", "CET 2 | GET 2 | SELF 2 | NPR 0");
  expect_found ("inferred-preemption 1, partial-tail 2");
}
END_TEST

START_TEST (the_stack_is_gone_after_an_error_event)
{
  /* T1 is not known to be suspended when I2 starts; its end is that of a head */
  fixture_infer ();
  run_trace ("0 start T1; 2 start I1; 4 error; 5 start I2; 6 end I2; 8 end T1");
  expect ("I2", "CET 1 | GET 1 | SELF 1 | NPR 0");
  expect ("T1", "");
  expect_load (0, "8/8");
  expect_found ("inferred-preemption 1, partial-head 1, partial-tail 2, error-event 1");
}
END_TEST

/* Rule 13: forced, over a trace that writes preemptions */

START_TEST (forced_inference_stacks_what_overlaps)
{
  fixture.options.infer_preemption = TRUE;
  run_trace ("0 start T1; 2 start T2; 4 end T2; 6 end T1");
  expect ("T1", "CET 4 | GET 6 | PRE 2 | SELF 4 | NPR 1");
  expect_load (0, "6/6");
  expect_found ("inferred-preemption 1");
}
END_TEST

START_TEST (forced_inference_leaves_explicit_preemptions_as_they_are)
{
  fixture.options.infer_preemption = TRUE;
  run_trace ("0 start T1; 1 start r1; 2 preempt T1; 2 start I1; 5 end I1; 5 resume T1; 7 end r1; 8 end T1");
  expect ("T1", "CET 5 | GET 8 | PRE 3 | SELF 2 | NPR 1");
  expect ("r1", "CET 3 | GET 6 | PRE 3 | SELF 3 | NPR 1");
  expect ("I1", "CET 3 | GET 3 | SELF 3 | NPR 0");
  expect_load (0, "8/8");
  expect_found ("");
}
END_TEST

START_TEST (forced_inference_does_not_depend_on_the_order_at_one_stamp)
{
  static const char *const begins[] = { "2 preempt T1; 2 start I1;", "2 start I1; 2 preempt T1;" };
  static const char *const ends[] = { "5 end I1; 5 resume T1;", "5 resume T1; 5 end I1;" };
  g_autofree char *script = g_strdup_printf ("0 start T1; 1 start r1; %s %s 7 end r1; 8 end T1", begins[_i / 2],
                                             ends[_i % 2]);

  fixture.options.infer_preemption = TRUE;
  run_trace (script);
  expect ("T1", "CET 5 | GET 8 | PRE 3 | SELF 2 | NPR 1");
  expect ("r1", "CET 3 | GET 6 | PRE 3 | SELF 3 | NPR 1");
  expect ("I1", "CET 3 | GET 3 | SELF 3 | NPR 0");
  expect_load (0, "8/8");
  ck_assert (!ts_diagnostics_are_refused (fixture.diagnostics, NULL));
}
END_TEST

START_TEST (forced_inference_resumes_only_what_it_suspended)
{
  /* the trace itself says that T1 is off 1..7 */
  fixture.options.infer_preemption = TRUE;
  run_trace ("0 start T1; 1 preempt T1; 3 start T2; 5 end T2; 7 resume T1; 8 end T1");
  expect ("T1", "CET 2 | GET 8 | PRE 6 | SELF 2 | NPR 1");
  expect_load (0, "4/8");
  expect_found ("");
}
END_TEST

START_TEST (what_runs_in_no_known_task_goes_on_when_nobody_runs)
{
  /* r1 runs at 0, at 11, and when T2 has ended, since T1 does not go on by itself: 20..27. r2 within that from 24 on. */
  fixture.options.infer_preemption = TRUE;
  run_trace ("0 start r1; 0 start T1; 11 preempt T1; 11 start T2; 20 end T2; 24 start r2; 27 end r1; 30 user");
  expect ("r1", "CET 7 | GET 27 | PRE 9 11 | SELF 4 | NPR 2");
  expect ("T2", "CET 9 | GET 9 | SELF 9 | NPR 0");
  ck_assert_int_eq (fixture_instance ("r2", 1)->running, 6);
  expect_load (0, "20/30");
}
END_TEST

START_TEST (what_starts_in_no_known_task_runs_when_nobody_else_does)
{
  /* T1 runs 0..10 and 20..25: r1 10..20 and 25..26 */
  fixture.options.infer_preemption = TRUE;
  run_trace ("0 start T1; 4 start r1 in T2; 10 wait T1; 20 resume T1; 25 end T1; 26 end r1 in T2");
  expect ("r1", "CET 11 | GET 22 | PRE 5 6 | SELF 11 | NPR 2");
  expect ("T1", "CET 15 | GET 25 | SELF 15 | WAIT 10 | NPR 0");
}
END_TEST

START_TEST (forced_inference_adds_to_explicit_preemptions)
{
  /* T1 off 2..6 by inference, T2 off 3..4 by the trace */
  fixture.options.infer_preemption = TRUE;
  run_trace ("0 start T1; 2 start T2; 3 preempt T2; 3 start I1; 4 end I1; 4 resume T2; 6 end T2; 8 end T1");
  expect ("T1", "CET 4 | GET 8 | PRE 4 | SELF 4 | NPR 1");
  expect ("T2", "CET 3 | GET 4 | PRE 1 | SELF 3 | NPR 1");
  expect_load (0, "8/8");
  expect_found ("inferred-preemption 1");
}
END_TEST

START_TEST (a_waiting_one_leaves_the_stack)
{
  /* T2 waits 3..6: T1 goes on, and is suspended again: off 2..3 and 6..7 */
  fixture.options.infer_preemption = TRUE;
  run_trace ("0 start T1; 2 start T2; 3 wait T2; 6 release T2; 6 resume T2; 7 end T2; 9 end T1");
  expect ("T1", "CET 7 | GET 9 | PRE 1 1 | SELF 7 | NPR 2");
  expect ("T2", "CET 2 | GET 5 | SELF 2 | WAIT 3 | NPR 0");
  expect_load (0, "9/9");
  expect_found ("inferred-preemption 2");
}
END_TEST

/* Rule 14, in both orders at 5: T1 goes on with its own resume, and not with the end of I1. CET 5 + 3, load 11. */
static const struct
{
  const char *events, *metrics; /* of T1 */
} given_up_cases[] = {
  /* off from 5 to 9 */
  { "5 preempt T1; 5 start I1", "CET 8 | GET 12 | PRE 4 | SELF 8 | NPR 1" },
  { "5 start I1; 5 preempt T1", "CET 8 | GET 12 | PRE 4 | SELF 8 | NPR 1" },
  /* it waits from 5 on, is released at 6, and has the core again at 9 */
  { "5 wait T1; 5 start I1; 6 release T1", "CET 8 | GET 12 | PRE 3 | SELF 8 | WAIT 1 | NPR 1" },
  { "5 start I1; 5 wait T1; 6 release T1", "CET 8 | GET 12 | PRE 3 | SELF 8 | WAIT 1 | NPR 1" },
};

START_TEST (who_takes_a_core_may_be_written_before_it_is_given_up)
{
  g_autofree char *script
      = g_strdup_printf ("0 start T1; %s; 8 end I1; 9 resume T1; 12 end T1", given_up_cases[_i].events);

  fixture_infer ();
  run_trace (script);
  expect ("T1", given_up_cases[_i].metrics);
  expect ("I1", "CET 3 | GET 3 | SELF 3 | NPR 0");
  expect_load (0, "11/12");
}
END_TEST

void
add_inference_tests (Suite *suite)
{
  TCase *tests = tcase_create ("inference");

  tcase_add_checked_fixture (tests, fixture_setup, fixture_teardown);
  tcase_add_test (tests, the_start_of_another_one_preempts_and_its_end_resumes);
  tcase_add_test (tests, interrupted_interrupts_are_a_stack);
  tcase_add_test (tests, one_interrupt_after_the_other_makes_two_preemptions);
  tcase_add_test (tests, an_inner_one_of_the_stack_may_end_first);
  tcase_add_test (tests, a_missing_end_does_not_resume_the_one_below);
  tcase_add_test (tests, a_missing_end_below_the_top_of_the_stack);
  tcase_add_test (tests, a_suspended_one_that_ends_under_a_lost_end_keeps_what_ran);
  tcase_add_test (tests, inferred_preemptions_take_runnables_along);
  tcase_add_test (tests, nobody_preempts_on_another_core);
  tcase_add_test (tests, inferred_preemptions_may_have_no_length);
  tcase_add_test (tests, a_head_below_a_stack_ran_while_the_others_did_not);
  tcase_add_test (tests, heads_below_heads_fill_the_core_once);
  tcase_add_test (tests, a_tail_is_suspended_by_a_tail);
  tcase_add_test (tests, the_stack_does_not_cross_a_section);
  tcase_add_test (tests, the_stack_is_gone_after_an_error_event);
  tcase_add_test (tests, forced_inference_stacks_what_overlaps);
  tcase_add_test (tests, forced_inference_leaves_explicit_preemptions_as_they_are);
  tcase_add_loop_test (tests, forced_inference_does_not_depend_on_the_order_at_one_stamp, 0, 4);
  tcase_add_test (tests, forced_inference_resumes_only_what_it_suspended);
  tcase_add_test (tests, what_runs_in_no_known_task_goes_on_when_nobody_runs);
  tcase_add_test (tests, what_starts_in_no_known_task_runs_when_nobody_else_does);
  tcase_add_test (tests, forced_inference_adds_to_explicit_preemptions);
  tcase_add_test (tests, a_waiting_one_leaves_the_stack);
  tcase_add_loop_test (tests, who_takes_a_core_may_be_written_before_it_is_given_up, 0, G_N_ELEMENTS (given_up_cases));
  suite_add_tcase (suite, tests);
}

/* Waiting */

START_TEST (waiting_is_neither_running_nor_preempted)
{
  /* waits 3..7, ready 7..9: 11 = 5 + 2 + 4 */
  run_trace ("0 act T1; 1 start T1; 3 wait T1; 7 release T1; 9 resume T1; 12 end T1");
  expect ("T1", "IPT 1 | CET 5 | GET 11 | RT 12 | PRE 2 | SELF 5 | WAIT 4 | NPR 1");
  expect_load (0, "5/12");
  expect_intervals ("T1", WAIT, "4@1#1");
  expect_found ("");
}
END_TEST

START_TEST (released_and_resumed_at_one_stamp_was_not_preempted)
{
  run_trace ("1 start T1; 3 wait T1; 7 release T1; 7 resume T1; 9 end T1");
  expect ("T1", "CET 4 | GET 8 | SELF 4 | WAIT 4 | NPR 0");
  expect_found ("");
}
END_TEST

START_TEST (a_resume_may_end_waiting)
{
  run_trace ("1 start T1; 3 wait T1; 7 resume T1; 9 end T1");
  expect ("T1", "CET 4 | GET 8 | SELF 4 | WAIT 4 | NPR 0");
  expect_found ("");
}
END_TEST

START_TEST (waiting_frees_the_core)
{
  run_trace ("0 start T1; 2 wait T1; 2 start T2; 5 release T1; 6 preempt T2; 6 resume T1; 8 end T1; 8 resume T2; 9 end T2");
  expect ("T1", "CET 4 | GET 8 | PRE 1 | SELF 4 | WAIT 3 | NPR 1");
  expect ("T2", "CET 5 | GET 7 | PRE 2 | SELF 5 | NPR 1");
  expect_load (0, "9/9");
  expect_found ("");
}
END_TEST

START_TEST (every_wait_is_a_sample)
{
  run_trace ("0 start T1; 1 wait T1; 3 release T1; 3 resume T1; 4 wait T1; 9 release T1; 9 resume T1; 10 end T1");
  expect ("T1", "CET 3 | GET 10 | SELF 3 | WAIT 2 5 | NPR 0");
}
END_TEST

START_TEST (polling_runs)
{
  run_trace ("0 start T1; 2 poll T1; 5 run T1; 8 end T1");
  expect ("T1", "CET 8 | GET 8 | SELF 8 | NPR 0 | POLL 3");
  expect_load (0, "8/8");
  expect_found ("");
}
END_TEST

/* Up to whatever ends it: a preemption, 4 - 2, waiting, 7 - 6, or the end, 12 - 10. */
START_TEST (polling_lasts_as_long_as_it_is_seen)
{
  run_trace ("0 start T1; 2 poll T1; 4 preempt T1; 5 resume T1; 6 poll T1; 7 wait T1; 8 release T1; 8 resume T1; 10 poll T1; "
             "12 end T1");
  expect ("T1", "CET 10 | GET 12 | PRE 1 | SELF 10 | WAIT 1 | NPR 1 | POLL 1 2 2");
  expect_load (0, "10/12");
  expect_found ("");
}
END_TEST

START_TEST (polling_whose_end_is_not_seen_is_no_sample)
{
  run_trace ("0 start T1; 2 poll T1; 4 start T2; 5 end T2");
  expect ("T1", "");
}
END_TEST

/* T1 is off 4..7: it polls 2..4 and, as nobody said that it does no more, 7..9. */
START_TEST (an_inferred_preemption_interrupts_polling)
{
  fixture_infer ();
  run_trace ("0 start T1; 2 poll T1; 4 start I1; 7 end I1; 9 run T1; 10 end T1");
  expect ("T1", "CET 7 | GET 10 | PRE 3 | SELF 7 | NPR 1 | POLL 2 2");
  expect_load (0, "10/10");
  expect_found ("inferred-preemption 1");
}
END_TEST

/* T1 polls 2..5 and ends while T2 has the core. */
START_TEST (who_ends_while_another_one_has_the_core_polls_no_longer)
{
  fixture_infer ();
  run_trace ("0 start T1; 2 poll T1; 5 start T2; 6 end T1; 8 end T2");
  expect ("T1", "CET 5 | GET 6 | SELF 5 | NPR 0 | POLL 3");
  expect_found ("end-while-preempted 1, inferred-preemption 1");
}
END_TEST

typedef struct
{
  const gchar *events, *polling;
} PollingCase;

/* I1 has the core 4..6: events of the trace that say so as well change nothing, in any order, and what it says of
 * polling in between holds from 6 on. */
static const PollingCase polling_cases[] = {
  { "0 start T1; 2 poll T1; 4 start I1; 4 preempt T1; 6 end I1; 6 resume T1; 8 run T1; 9 end T1", "POLL 2 2" },
  { "0 start T1; 2 poll T1; 4 preempt T1; 4 start I1; 6 end I1; 6 resume T1; 8 run T1; 9 end T1", "POLL 2 2" },
  { "0 start T1; 2 poll T1; 4 start I1; 4 preempt T1; 6 resume T1; 6 end I1; 8 run T1; 9 end T1", "POLL 2 2" },
  { "0 start T1; 2 poll T1; 4 start I1; 5 run T1; 6 end I1; 9 end T1", "POLL 2" },
  { "0 start T1; 2 poll T1; 4 start I1; 5 run T1; 5 poll T1; 6 end I1; 9 end T1", "POLL 2 3" },
  { "0 start T1; 4 start I1; 5 poll T1; 6 end I1; 8 run T1; 9 end T1", "POLL 2" },
};

START_TEST (polling_goes_on_as_the_trace_says)
{
  g_autofree gchar *expected = g_strdup_printf ("CET 7 | GET 9 | PRE 2 | SELF 7 | NPR 1 | %s", polling_cases[_i].polling);

  fixture_infer ();
  run_trace (polling_cases[_i].events);
  expect ("T1", expected);
}
END_TEST

/* Polling from 2 to 6, whatever is said of it in between. */
START_TEST (what_says_of_polling_what_is_known_is_unexpected)
{
  run_trace ("0 start T1; 1 run T1; 2 poll T1; 4 poll T1; 6 run T1; 7 run T1; 8 end T1");
  expect ("T1", "CET 8 | GET 8 | SELF 8 | NPR 0 | POLL 4");
  expect_found ("unexpected-state 3");
}
END_TEST

START_TEST (parking_waits)
{
  run_trace ("0 start T1; 2 poll T1; 3 park T1; 6 unpark T1; 7 run T1; 9 end T1");
  expect ("T1", "CET 6 | GET 9 | SELF 6 | WAIT 3 | NPR 0 | POLL 1 1");
  expect_load (0, "6/9");
  expect_found ("");
}
END_TEST

START_TEST (a_parked_one_may_be_released)
{
  run_trace ("0 start T1; 2 poll T1; 3 park T1; 6 release T1; 7 resume T1; 9 end T1");
  expect ("T1", "CET 5 | GET 9 | PRE 1 | SELF 5 | WAIT 3 | NPR 1 | POLL 1");
  expect_found ("");
}
END_TEST

START_TEST (a_wait_without_time_is_a_sample)
{
  run_trace ("0 start T1; 3 wait T1; 3 release T1; 3 resume T1; 5 end T1");
  expect ("T1", "CET 5 | GET 5 | SELF 5 | WAIT 0 | NPR 0");
}
END_TEST

START_TEST (the_end_of_a_waiting_one_closes_it)
{
  run_trace ("0 start T1; 2 wait T1; 5 end T1");
  expect ("T1", "CET 2 | GET 5 | SELF 2 | NPR 0");
  expect_load (0, "2/5");
  expect_found ("end-while-preempted 1");
}
END_TEST

START_TEST (a_waiting_tail_is_no_load)
{
  run_trace ("section 0 10; 0 start T1; 2 wait T1");
  expect ("T1", "");
  expect_load (0, "2/10");
}
END_TEST

START_TEST (what_the_state_does_not_allow_is_counted)
{
  /* a release while running, a wait while preempted */
  run_trace ("0 start T1; 1 release T1; 2 preempt T1; 3 wait T1; 5 resume T1; 6 end T1");
  expect ("T1", "CET 3 | GET 6 | PRE 3 | SELF 3 | NPR 1");
  expect_found ("unexpected-state 2");
}
END_TEST

void
add_wait_tests (Suite *suite)
{
  TCase *tests = tcase_create ("waiting");

  tcase_add_checked_fixture (tests, fixture_setup, fixture_teardown);
  tcase_add_test (tests, waiting_is_neither_running_nor_preempted);
  tcase_add_test (tests, released_and_resumed_at_one_stamp_was_not_preempted);
  tcase_add_test (tests, a_resume_may_end_waiting);
  tcase_add_test (tests, waiting_frees_the_core);
  tcase_add_test (tests, every_wait_is_a_sample);
  tcase_add_test (tests, polling_runs);
  tcase_add_test (tests, polling_lasts_as_long_as_it_is_seen);
  tcase_add_test (tests, polling_whose_end_is_not_seen_is_no_sample);
  tcase_add_test (tests, an_inferred_preemption_interrupts_polling);
  tcase_add_test (tests, who_ends_while_another_one_has_the_core_polls_no_longer);
  tcase_add_loop_test (tests, polling_goes_on_as_the_trace_says, 0, G_N_ELEMENTS (polling_cases));
  tcase_add_test (tests, what_says_of_polling_what_is_known_is_unexpected);
  tcase_add_test (tests, parking_waits);
  tcase_add_test (tests, a_parked_one_may_be_released);
  tcase_add_test (tests, a_wait_without_time_is_a_sample);
  tcase_add_test (tests, the_end_of_a_waiting_one_closes_it);
  tcase_add_test (tests, a_waiting_tail_is_no_load);
  tcase_add_test (tests, what_the_state_does_not_allow_is_counted);
  suite_add_tcase (suite, tests);
}
