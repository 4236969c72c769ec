/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "timeline-fixture.h"

/* Runnables, functions and blocks: recursion (rule 8), preemption with their task (rule 10),
 * whose they are (rule 11), and SELF. */

/* Rule 8 */

START_TEST (a_function_that_starts_while_started_has_recursed)
{
  /* outer 1..7, inner 2..4. SELF 6 - 2. DT 2 - 1. E2S = ST: 2 - 7, and for the third 10 - 4. T1: 12 - (6 + 1) */
  run_trace ("0 start T1; 1 start f1; 2 start f1; 4 end f1; 7 end f1; 10 start f1; 11 end f1; 12 end T1");
  expect ("f1", "CET 1 2 6 | GET 1 2 6 | DT 1 8 | ST -5 6 | SELF 1 2 4 | E2S -5 6 | NPR 0 0 0");
  expect ("T1", "CET 12 | GET 12 | SELF 5 | NPR 0");
  expect_instances ("f1", "2 complete, 1 complete, 3 complete");
  expect_found ("");
}
END_TEST

START_TEST (a_function_may_recurse_through_another_one)
{
  /* f1 1..9, f2 2..6, f1 3..4: SELF 8 - 4, 4 - 1, 1; T1 10 - 8; E2S of f1: 3 - 9 */
  run_trace ("0 start T1; 1 start f1; 2 start f2; 3 start f1; 4 end f1; 6 end f2; 9 end f1; 10 end T1");
  expect ("f1", "CET 1 8 | GET 1 8 | DT 2 | ST -6 | SELF 1 4 | E2S -6 | NPR 0 0");
  expect ("f2", "CET 4 | GET 4 | SELF 3 | NPR 0");
  expect ("T1", "CET 10 | GET 10 | SELF 2 | NPR 0");
  expect_found ("");
}
END_TEST

START_TEST (runnables_processes_and_blocks_recurse_too)
{
  run_trace ("0 start T1; 1 start r1; 2 start r1; 3 end r1; 5 end r1; 6 start p1; 7 start p1; 8 end p1; 10 end p1;"
             "11 start b1; 12 start b1; 13 end b1; 15 end b1; 16 end T1");
  expect ("r1", "CET 1 4 | GET 1 4 | DT 1 | ST -3 | SELF 1 3 | E2S -3 | NPR 0 0");
  expect ("p1", "CET 1 4 | GET 1 4 | DT 1 | ST -3 | SELF 1 3 | E2S -3 | NPR 0 0");
  expect ("b1", "CET 1 4 | GET 1 4 | DT 1 | ST -3 | SELF 1 3 | E2S -3 | NPR 0 0");
  expect ("T1", "CET 16 | GET 16 | SELF 4 | NPR 0");
  expect_found ("");
}
END_TEST

/* All instances have one number, and who calls is suspended by an event of its own: the inner one 10-30, the outer one 0-60. */
START_TEST (a_suspended_caller_with_a_constant_number_may_have_called_itself)
{
  run_trace ("0 start T1#0; 0 start r1#0 in T1#0; 10 preempt r1#0 in T1#0; 10 start r1#0 in T1#0; 30 end r1#0 in T1#0;"
             "30 resume r1#0 in T1#0; 60 end r1#0 in T1#0; 60 end T1#0");
  expect ("r1", "CET 20 40 | GET 20 60 | DT 10 | ST -50 | PRE 20 | SELF 20 40 | E2S -50 | NPR 0 1");
  expect ("T1", "CET 60 | GET 60 | SELF 0 | NPR 0");
  expect_found ("");
}
END_TEST

/* Unless its task was suspended with it: then it starts where it should go on. */
START_TEST (a_start_says_that_a_runnable_goes_on_with_its_task)
{
  run_trace ("0 start T1#0; 0 start r1#0 in T1#0; 10 preempt r1#0 in T1#0; 10 preempt T1#0; 30 resume T1#0;"
             "30 start r1#0 in T1#0; 60 end r1#0 in T1#0; 60 end T1#0");
  expect ("r1", "CET 40 | GET 60 | PRE 20 | SELF 40 | NPR 1");
  expect_found ("start-as-resume 1");
}
END_TEST

START_TEST (recursion_is_ended_from_the_inside)
{
  /* three deep, off 5..8: 1..12, 2..10, 3..9 */
  run_trace ("0 start T1; 1 start f1; 2 start f1; 3 start f1; 5 preempt T1; 5 start I1; 8 end I1; 8 resume T1;"
             "9 end f1; 10 end f1; 12 end f1; 13 end T1");
  expect ("f1", "CET 3 5 8 | GET 6 8 11 | DT 1 1 | ST -10 -7 | PRE 3 3 3 | SELF 2 3 3 | E2S -10 -7 | NPR 1 1 1");
  expect ("T1", "CET 10 | GET 13 | PRE 3 | SELF 2 | NPR 1");
  expect_found ("");
}
END_TEST

/* Rule 10 */

START_TEST (a_preempted_task_takes_its_runnables_with_it)
{
  /* r1: 1..9 without 3..7; T1: 0..10 without 3..7, SELF 6 - 4 */
  run_trace ("0 start T1; 1 start r1; 3 preempt T1; 3 start I1; 7 end I1; 7 resume T1; 9 end r1; 10 end T1");
  expect ("r1", "CET 4 | GET 8 | PRE 4 | SELF 4 | NPR 1");
  expect ("T1", "CET 6 | GET 10 | PRE 4 | SELF 2 | NPR 1");
  expect ("I1", "CET 4 | GET 4 | SELF 4 | NPR 0");
  expect_load (0, "10/10");
  expect_found ("");
}
END_TEST

START_TEST (explicit_suspensions_of_runnables_change_nothing_in_any_order)
{
  static const char *const suspensions[] = { "3 preempt r1; 3 preempt T1;", "3 preempt T1; 3 preempt r1;" };
  static const char *const resumptions[] = { "7 resume T1; 7 resume r1;", "7 resume r1; 7 resume T1;" };
  g_autofree char *script = g_strdup_printf ("0 start T1; 1 start r1; %s 3 start I1; 7 end I1; %s 9 end r1; 10 end T1",
                                             suspensions[_i / 2], resumptions[_i % 2]);

  run_trace (script);
  expect ("r1", "CET 4 | GET 8 | PRE 4 | SELF 4 | NPR 1");
  expect ("T1", "CET 6 | GET 10 | PRE 4 | SELF 2 | NPR 1");
  expect_load (0, "10/10");
  expect_found ("");
}
END_TEST

START_TEST (a_chain_of_runnables_is_suspended_in_any_order)
{
  /* r1 1..9 calls r2 2..8, both off 3..7: 4 and 2; SELF of r1 4 - 2 */
  static const char *const suspensions[]
      = { "3 preempt r2; 3 preempt r1; 3 preempt T1;", "3 preempt T1; 3 preempt r1; 3 preempt r2;",
          "3 preempt r1; 3 preempt T1; 3 preempt r2;" };
  static const char *const resumptions[] = { "7 resume T1; 7 resume r1; 7 resume r2;",
                                             "7 resume r2; 7 resume r1; 7 resume T1;",
                                             "7 resume r1; 7 resume T1; 7 resume r2;" };
  g_autofree char *script = g_strdup_printf ("0 start T1; 1 start r1; 2 start r2; %s %s 8 end r2; 9 end r1; 10 end T1",
                                             suspensions[_i / 3], resumptions[_i % 3]);

  run_trace (script);
  expect ("r1", "CET 4 | GET 8 | PRE 4 | SELF 2 | NPR 1");
  expect ("r2", "CET 2 | GET 6 | PRE 4 | SELF 2 | NPR 1");
  expect ("T1", "CET 6 | GET 10 | PRE 4 | SELF 2 | NPR 1");
  expect_found ("");
}
END_TEST

START_TEST (a_waiting_task_takes_its_runnables_with_it)
{
  /* WAIT 3..6, ready 6..8; r1: 1..3 and 8..9; T1: 0..3 and 8..10, SELF 5 - 3 */
  static const char *const waits[] = { "3 wait T1;", "3 preempt r1; 3 wait T1;", "3 wait T1; 3 preempt r1;" };
  static const char *const resumptions[] = { "8 resume T1;", "8 resume T1; 8 resume r1;", "8 resume T1; 8 resume r1;" };
  g_autofree char *script = g_strdup_printf ("0 start T1; 1 start r1; %s 6 release T1; %s 9 end r1; 10 end T1",
                                             waits[_i], resumptions[_i]);

  run_trace (script);
  expect ("r1", "CET 3 | GET 8 | PRE 2 | SELF 3 | WAIT 3 | NPR 1");
  expect ("T1", "CET 5 | GET 10 | PRE 2 | SELF 2 | WAIT 3 | NPR 1");
  expect_found ("");
}
END_TEST

START_TEST (a_wait_that_is_released_and_resumed_at_one_stamp_is_no_preemption_of_a_runnable)
{
  run_trace ("0 start T1; 1 start r1; 3 preempt r1; 3 wait T1; 6 release T1; 6 resume T1; 6 resume r1; 9 end r1; 10 end T1");
  expect ("r1", "CET 5 | GET 8 | SELF 5 | WAIT 3 | NPR 0");
  expect ("T1", "CET 7 | GET 10 | SELF 2 | WAIT 3 | NPR 0");
  expect_found ("");
}
END_TEST

START_TEST (a_runnable_may_be_suspended_alone)
{
  /* T1 runs on: its CET is 10 */
  run_trace ("0 start T1; 1 start r1; 3 preempt r1; 6 resume r1; 9 end r1; 10 end T1");
  expect ("r1", "CET 5 | GET 8 | PRE 3 | SELF 5 | NPR 1");
  expect ("T1", "CET 10 | GET 10 | SELF 5 | NPR 0");
  expect_load (0, "10/10");
}
END_TEST

START_TEST (a_suspension_that_lasts_longer_than_that_of_the_task_is_one)
{
  /* r1 off 2..8, T1 off 3..6 */
  run_trace ("0 start T1; 1 start r1; 2 preempt r1; 3 preempt T1; 6 resume T1; 8 resume r1; 9 end r1; 10 end T1");
  expect ("r1", "CET 2 | GET 8 | PRE 6 | SELF 2 | NPR 1");
  expect ("T1", "CET 7 | GET 10 | PRE 3 | SELF 5 | NPR 1");
}
END_TEST

START_TEST (a_caller_suspended_by_the_trace_does_not_run_while_its_callee_does)
{
  /* r1 0..9 without 2..7; r2 2..7, which is none of what r1 ran; T1 all the time, alone 9..10 */
  static const char *const ends[] = { "7 end r2; 7 resume r1;", "7 resume r1; 7 end r2;" };
  g_autofree char *script = g_strdup_printf ("0 start T1; 0 start r1; 2 preempt r1; 2 start r2; %s 9 end r1; 10 end T1",
                                             ends[_i]);

  run_trace (script);
  expect ("r1", "CET 4 | GET 9 | PRE 5 | SELF 4 | NPR 1");
  expect_intervals ("r1", PRE, "5@0#1");
  expect ("r2", "CET 5 | GET 5 | SELF 5 | NPR 0");
  expect ("T1", "CET 10 | GET 10 | SELF 1 | NPR 0");
  expect_found ("");
}
END_TEST

START_TEST (the_own_time_of_frames_is_when_none_inside_runs)
{
  /* In T1 r1, in r1 r2, in r2 r3; r1 off 6..10, r2 off 8..12. r3 4..14; r2 2..4 and 14..16; r1 0..2 and 16..18 */
  run_trace ("0 start T1; 0 start r1; 2 start r2; 4 start r3; 6 preempt r1; 8 preempt r2; 10 resume r1; 12 resume r2;"
             "14 end r3; 16 end r2; 18 end r1; 20 end T1");
  expect ("r3", "CET 10 | GET 10 | SELF 10 | NPR 0");
  expect ("r2", "CET 10 | GET 14 | PRE 4 | SELF 4 | NPR 1");
  expect ("r1", "CET 14 | GET 18 | PRE 4 | SELF 4 | NPR 1");
  expect ("T1", "CET 20 | GET 20 | SELF 2 | NPR 0");
  expect_found ("");
}
END_TEST

START_TEST (what_a_suspended_frame_calls_is_not_its_own_when_it_ends)
{
  /* r1 0..4, then off until it ends at 10; r2 4..8; T1 8..12 */
  run_trace ("0 start T1; 0 start r1; 4 preempt r1; 4 start r2; 8 end r2; 10 end r1; 12 end T1");
  ck_assert_int_eq (fixture_instance ("r1", 1)->running, 4);
  ck_assert_int_eq (fixture_instance ("r1", 1)->self, 4);
  expect ("r2", "CET 4 | GET 4 | SELF 4 | NPR 0");
  expect ("T1", "CET 12 | GET 12 | SELF 4 | NPR 0");
}
END_TEST

START_TEST (redundant_suspensions_of_runnables_are_counted)
{
  run_trace ("0 start T1; 1 start r1; 2 resume r1; 3 preempt r1; 4 preempt r1; 5 resume r1; 6 wait r1; 7 end r1; 8 end T1");
  expect ("r1", "CET 4 | GET 6 | PRE 2 | SELF 4 | NPR 1");
  expect_found ("redundant-preempt 1, redundant-resume 1, unexpected-state 1");
}
END_TEST

/* Rule 11 */

START_TEST (a_runnable_belongs_to_the_task_that_runs_and_not_to_its_parent)
{
  /* r1 is declared in T1 and runs in T2 while T1 is preempted */
  guint32 task = fixture_element ("T1");

  ts_system_add_element (fixture.system, TS_TYPE_RUNNABLE, "r1", NULL, task, 0);
  run_trace ("0 start T1; 1 preempt T1; 1 start T2; 2 start r1; 4 end r1; 5 end T2; 5 resume T1; 6 end T1");
  ck_assert_uint_eq (fixture_instance ("r1", 1)->owner, fixture_element ("T2"));
  expect ("r1", "CET 2 | GET 2 | SELF 2 | NPR 0");
  expect ("T1", "CET 2 | GET 6 | PRE 4 | SELF 2 | NPR 1");
  expect ("T2", "CET 4 | GET 4 | SELF 2 | NPR 0");
}
END_TEST

START_TEST (a_runnable_belongs_to_the_task_on_its_own_core)
{
  run_trace ("0 start T1; 0 start T2 on 1; 1 start r1 on 1; 2 preempt T1; 5 resume T1; 6 end r1 on 1; 7 end T2 on 1; 8 end T1");
  ck_assert_uint_eq (fixture_instance ("r1", 1)->owner, fixture_element ("T2"));
  ck_assert_uint_eq (fixture_instance ("r1", 1)->resource, 1);
  expect ("r1", "CET 5 | GET 5 | SELF 5 | NPR 0");
  expect ("T2", "CET 7 | GET 7 | SELF 2 | NPR 0");
  expect ("T1", "CET 5 | GET 8 | PRE 3 | SELF 5 | NPR 1");
}
END_TEST

START_TEST (a_runnable_belongs_to_the_task_that_the_trace_names)
{
  /* both run on core 0: overlap; r1 is named to be T1's, although T2 started later */
  run_trace ("0 start T1#0; 1 start T2#0; 2 start r1#0 in T1; 3 preempt T1#0; 5 resume T1#0; 6 end r1#0 in T1; 7 end T2#0;"
             "8 end T1#0");
  ck_assert_uint_eq (fixture_instance ("r1", 0)->owner, fixture_element ("T1"));
  expect ("r1", "CET 2 | GET 4 | PRE 2 | SELF 2 | NPR 1");
  expect ("T1", "CET 6 | GET 8 | PRE 2 | SELF 4 | NPR 1");
  expect ("T2", "CET 6 | GET 6 | SELF 6 | NPR 0");
  expect_found ("overlap 2");
}
END_TEST

START_TEST (the_same_function_may_be_open_in_two_tasks_of_a_core)
{
  /* in T1 1..10 without 3..7; in T2 4..6. DT 4 - 1, E2S = ST 4 - 10 */
  run_trace ("0 start T1; 1 start f1; 3 preempt T1; 3 start T2; 4 start f1; 6 end f1; 7 end T2; 7 resume T1; 10 end f1;"
             "11 end T1");
  expect ("f1", "CET 2 5 | GET 2 9 | DT 3 | ST -6 | PRE 4 | SELF 2 5 | E2S -6 | NPR 0 1");
  expect ("T1", "CET 7 | GET 11 | PRE 4 | SELF 2 | NPR 1");
  expect ("T2", "CET 4 | GET 4 | SELF 2 | NPR 0");
  expect_found ("");
}
END_TEST

START_TEST (the_outer_of_two_tasks_may_go_on_with_the_same_function_first)
{
  /* T2 is preempted in f1 and T1, resumed, ends its own f1: in T1 1..6 without 3..5, in T2 4..9 without 5..8 */
  run_trace ("0 start T1; 1 start f1; 3 preempt T1; 3 start T2; 4 start f1; 5 preempt T2; 5 resume T1; 6 end f1; 8 end T1;"
             "8 resume T2; 9 end f1; 10 end T2");
  expect ("f1", "CET 2 3 | GET 5 5 | DT 3 | ST -2 | PRE 2 3 | SELF 2 3 | E2S -2 | NPR 1 1");
  expect_instances ("f1", "1 complete, 2 complete");
  expect ("T1", "CET 6 | GET 8 | PRE 2 | SELF 3 | NPR 1");
  expect ("T2", "CET 4 | GET 7 | PRE 3 | SELF 2 | NPR 1");
  expect_found ("");
}
END_TEST

START_TEST (a_function_written_to_end_after_its_task_at_one_stamp_is_that_of_the_task)
{
  /* as before, but f1 in T2 ends at 7, written after the end of T2; that in T1 is 1..10 without 3..7 */
  run_trace ("0 start T1; 1 start f1; 3 preempt T1; 3 start T2; 4 start f1; 7 end T2; 7 end f1; 7 resume T1; 10 end f1;"
             "11 end T1");
  expect ("f1", "CET 3 5 | GET 3 9 | DT 3 | ST -6 | PRE 4 | SELF 3 5 | E2S -6 | NPR 0 1");
  expect ("T2", "CET 4 | GET 4 | SELF 1 | NPR 0");
  expect_found ("");
}
END_TEST

/* SELF, and callees that do not end where they should */

START_TEST (a_function_goes_on_after_an_interruption_of_no_length)
{
  /* open in T1 1..12 and in I1 5..8, where it is off from 6 to 6: it is that of I1 which goes on */
  run_trace ("0 start T1; 1 start f1; 4 preempt T1; 4 preempt f1; 4 start I1; 5 start f1; 6 preempt I1; 6 preempt f1;"
             "6 start I2; 6 end I2; 6 resume f1; 6 resume I1; 8 end f1; 9 end I1; 9 resume f1; 9 resume T1; 12 end f1;"
             "13 end T1");
  expect ("f1", "CET 3 6 | GET 3 11 | DT 4 | ST -7 | PRE 0 5 | SELF 3 6 | E2S -7 | NPR 1 1");
  expect_found ("");
}
END_TEST

START_TEST (each_of_two_that_are_open_is_suspended)
{
  /* inner 2..6, outer 1..7, both off 3..5, and written before T1 is off and on; 10 events of which none is redundant */
  run_trace ("0 start T1; 1 start f1; 2 start f1; 3 preempt f1; 3 preempt f1; 3 preempt T1; 5 resume f1; 5 resume f1;"
             "5 resume T1; 6 end f1; 7 end f1; 8 end T1");
  expect ("f1", "CET 2 4 | GET 4 6 | DT 1 | ST -5 | PRE 2 2 | SELF 2 2 | E2S -5 | NPR 1 1");
  expect_found ("");
}
END_TEST

START_TEST (what_goes_on_before_its_task_is_not_in_a_head_that_runs)
{
  /* I1 began before the section, but f1 was not seen in it: f1 in T1 7..15 without 8..13 */
  run_trace ("5 start T1; 7 start f1; 8 preempt f1; 8 preempt T1; 8 resume I1; 13 resume f1; 13 resume T1; 13 end I1;"
             "15 end f1; 17 end T1");
  expect ("f1", "CET 3 | GET 8 | PRE 5 | SELF 3 | NPR 1");
  expect ("T1", "CET 7 | GET 12 | PRE 5 | SELF 4 | NPR 1");
  expect_instances ("f1", "1 complete");
  expect_found ("partial-head 1");
}
END_TEST

START_TEST (what_started_in_a_task_that_runs_on_is_not_in_a_head_beside_it)
{
  /* T1 lost its preempt, or both overlap: r1 0..2 */
  run_trace ("0 start T1; 0 start r1; 1 resume T2; 2 end r1; 3 end T2; 4 end T1");
  expect ("r1", "CET 2 | GET 2 | SELF 2 | NPR 0");
  expect_instances ("r1", "1 complete");
  expect_found ("overlap 1, partial-head 1");
}
END_TEST

START_TEST (what_started_in_a_task_that_runs_until_the_same_stamp_is_not_in_a_head)
{
  /* r1 0..6 without 2..4, which stands between the resume of T2 and the preempt of T1 */
  run_trace ("0 start T1; 0 start r1; 2 resume T2; 2 preempt r1; 2 preempt T1; 4 end T2; 4 resume T1; 4 resume r1; 6 end r1;"
             "7 end T1");
  expect ("r1", "CET 4 | GET 6 | PRE 2 | SELF 4 | NPR 1");
  expect_instances ("r1", "1 complete");
  expect_found ("partial-head 1");
}
END_TEST

START_TEST (what_ends_in_a_head_while_the_task_of_the_other_is_off_was_there_before)
{
  /* r1 in T1 0..5 without 1..3; that which ends at 2 ran in T2, and started before that: E2S 0 - 2 */
  run_trace ("0 start T1; 0 start r1; 1 preempt T1; 1 resume T2; 2 end r1; 3 end T2; 3 resume T1; 5 end r1; 6 end T1");
  expect ("r1", "CET 3 | GET 5 | ST -2 | PRE 2 | SELF 3 | E2S -2 | NPR 1");
  expect_instances ("r1", "2 partial head, 1 complete");
  expect_found ("partial-head 2");
}
END_TEST

START_TEST (own_time_is_without_direct_callees)
{
  /* off 4..9. b1 3..10: 2; f1 2..12: 5 - 2; r1 1..15: 9 - 5; T1 0..16: 11 - 9 */
  run_trace ("0 start T1; 1 start r1; 2 start f1; 3 start b1; 4 preempt T1; 4 start I1; 9 end I1; 9 resume T1; 10 end b1;"
             "12 end f1; 15 end r1; 16 end T1");
  expect ("b1", "CET 2 | GET 7 | PRE 5 | SELF 2 | NPR 1");
  expect ("f1", "CET 5 | GET 10 | PRE 5 | SELF 3 | NPR 1");
  expect ("r1", "CET 9 | GET 14 | PRE 5 | SELF 4 | NPR 1");
  expect ("T1", "CET 11 | GET 16 | PRE 5 | SELF 2 | NPR 1");
}
END_TEST

START_TEST (what_lost_its_start_may_be_a_callee)
{
  /* T1 was seen to start, and so was r1: 1..7 and 9..17. r2 was not, and ran 9..12 at least: r1 has 14 - 3 of its own */
  run_trace ("0 start T1; 1 start r1; 7 preempt r2; 7 preempt T1; 9 resume T1; 9 resume r2; 12 end r2; 17 end r1; 18 end T1");
  expect ("r1", "CET 14 | GET 16 | PRE 2 | SELF 11 | NPR 1");
}
END_TEST

/* f1 0..20 calls itself 2..18, and both are off 4..6 and 9..10, whatever stands for their numbers. */
START_TEST (each_of_those_that_called_themselves_is_suspended_by_itself)
{
  static const char *const numbers[] = { "", "#0", "#7" };
  static const char        text[] = "0 start T1; 0 start f1%; 2 start f1%; 4 preempt f1%; 4 preempt f1%; 4 preempt T1; 6 resume T1;"
                                    "6 resume f1%; 6 resume f1%; 9 preempt T1; 9 preempt f1%; 9 preempt f1%; 10 resume f1%;"
                                    "10 resume f1%; 10 resume T1; 18 end f1%; 20 end f1%; 20 end T1";
  g_auto (GStrv)    parts = g_strsplit (text, "%", -1);
  g_autofree char  *trace = g_strjoinv (numbers[_i], parts);

  run_trace (trace);
  expect_found ("");
  expect ("f1", "CET 13 17 | GET 16 20 | DT 2 | ST -18 | PRE 1 1 2 2 | SELF 4 13 | E2S -18 | NPR 2 2");
}
END_TEST

START_TEST (several_callees_are_all_taken_off)
{
  /* T1 0..20: r1 1..4, r2 5..9, r1 10..16, in which f1 11..13: SELF 20 - 3 - 4 - 6 */
  run_trace ("0 start T1; 1 start r1; 4 end r1; 5 start r2; 9 end r2; 10 start r1; 11 start f1; 13 end f1; 16 end r1; 20 end T1");
  expect ("r1", "CET 3 6 | GET 3 6 | DT 9 | ST 6 | SELF 3 4 | E2S 6 | NPR 0 0");
  expect ("T1", "CET 20 | GET 20 | SELF 7 | NPR 0");
}
END_TEST

START_TEST (a_callee_may_outlive_its_caller)
{
  /* f1 1..5 calls f2 3..8: of f1's 4, 2 were f2's */
  run_trace ("0 start T1; 1 start f1; 3 start f2; 5 end f1; 8 end f2; 9 end T1");
  expect ("f1", "CET 4 | GET 4 | SELF 2 | NPR 0");
  expect ("f2", "CET 5 | GET 5 | SELF 5 | NPR 0");
  /* alone 0..1 and 8..9 */
  expect ("T1", "CET 9 | GET 9 | SELF 2 | NPR 0");
}
END_TEST

START_TEST (a_runnable_that_ends_after_its_task_ran_no_longer_than_that)
{
  run_trace ("0 start T1; 1 start r1; 5 end T1; 8 end r1");
  expect ("r1", "CET 4 | GET 7 | SELF 4 | NPR 0");
  expect ("T1", "CET 5 | GET 5 | SELF 1 | NPR 0");
  expect_found ("late-nested-end 1");
}
END_TEST

START_TEST (a_runnable_may_be_written_to_end_after_its_task_at_one_stamp)
{
  run_trace ("0 start T1; 1 start r1; 5 end T1; 5 end r1");
  expect ("r1", "CET 4 | GET 4 | SELF 4 | NPR 0");
  expect ("T1", "CET 5 | GET 5 | SELF 1 | NPR 0");
  expect_found ("");
}
END_TEST

START_TEST (a_runnable_that_never_ends_lost_its_end_with_its_task)
{
  run_trace ("0 start T1; 1 start r1; 5 end T1; 10 start T1; 11 start r1; 13 end r1; 14 end T1; 20 start T1; 21 start r1;"
             "22 end T1");
  expect ("r1", "CET 2 | GET 2 | DT 10 10 | ST 8 | SELF 2 | E2S 8 | NPR 0");
  expect_instances ("r1", "1 missing end, 2 complete, 3 missing end");
  expect_found ("missing-end 2");
}
END_TEST

START_TEST (what_runs_while_its_caller_is_suspended_is_never_its_time)
{
  /* r1 runs 1..2; r2 starts behind that, is open when r1 ends, and runs to the end of T1, 4..12: T1 12 - 1 - 8 */
  run_trace ("0 start T1; 1 start r1; 2 preempt r1; 4 start r2; 10 end r1; 12 end T1");
  expect ("r1", "CET 1 | GET 9 | SELF 1 | NPR 0");
  expect ("T1", "CET 12 | GET 12 | SELF 3 | NPR 0");
  expect_found ("missing-end 1, end-while-preempted 1");
}
END_TEST

START_TEST (what_runs_within_a_suspended_frame_is_time_of_the_one_around_it)
{
  /* r1 1..20; r2, which lost its start, is suspended at 4, and r3 runs in it, 8..: r1 19 - 12, T1 21 - 19 - 1; or 8..12 */
  static const char *const ends[] = { "", "12 end r3;" };
  g_autofree char *script
      = g_strdup_printf ("0 start T1; 1 start r1; 4 preempt r2; 8 start r3; %s 20 end r1; 21 end T1", ends[_i]);

  run_trace (script);
  expect ("r1", _i == 0 ? "CET 19 | GET 19 | SELF 7 | NPR 0" : "CET 19 | GET 19 | SELF 15 | NPR 0");
  expect ("T1", _i == 0 ? "CET 21 | GET 21 | SELF 1 | NPR 0" : "CET 21 | GET 21 | SELF 2 | NPR 0");
}
END_TEST

/* r1 runs 0..2 and 7..9 in one instance, and 3..5 in the other; or 0..9 in one, and in the other is told to end meanwhile. */
START_TEST (a_start_in_one_instance_does_not_resume_what_is_in_another)
{
  run_trace (_i == 0 ? "0 start T1#1; 0 start r1#0 in T1#1; 2 preempt r1#0 in T1#1; 2 preempt T1#1; 3 start T1#2; "
                       "3 start r1#0 in T1#2; 5 end r1#0 in T1#2; 6 end T1#2; 7 resume T1#1; 7 resume r1#0 in T1#1; "
                       "9 end r1#0 in T1#1; 9 end T1#1"
                     : "0 start T1#1; 0 start T1#2 on 1; 0 start r1#0 in T1#1; 2 end r1#0 in T1#2; 9 end r1#0 in T1#1; "
                       "9 end T1#1");
  expect ("r1", _i == 0 ? "CET 2 4 | GET 2 9 | DT 3 | ST -6 | PRE 5 | SELF 2 4 | E2S -6 | NPR 0 1"
                        : "CET 9 | GET 9 | SELF 9 | NPR 0");
}
END_TEST

START_TEST (a_runnable_with_a_number_is_resumed_by_a_start)
{
  run_trace ("0 start T1#0; 1 start r1#3 in T1; 2 preempt r1#3; 4 start r1#3 in T1; 6 end r1#3; 7 end T1#0");
  expect ("r1", "CET 3 | GET 5 | PRE 2 | SELF 3 | NPR 1");
  expect_found ("start-as-resume 1");
}
END_TEST

START_TEST (a_runnable_in_an_ISR_is_not_the_interrupted_task_s)
{
  run_trace ("0 start T1; 2 preempt T1; 2 start I1; 3 start r1; 5 end r1; 6 end I1; 6 resume T1; 8 end T1");
  ck_assert_uint_eq (fixture_instance ("r1", 1)->owner, fixture_element ("I1"));
  expect ("r1", "CET 2 | GET 2 | SELF 2 | NPR 0");
  expect ("I1", "CET 4 | GET 4 | SELF 2 | NPR 0");
  expect ("T1", "CET 4 | GET 8 | PRE 4 | SELF 4 | NPR 1");
}
END_TEST

static TCase *
nested_tests (const char *name, void (*setup) (void))
{
  TCase *tests = tcase_create (name);

  tcase_add_checked_fixture (tests, setup, fixture_teardown);
  tcase_add_test (tests, a_function_that_starts_while_started_has_recursed);
  tcase_add_test (tests, a_function_may_recurse_through_another_one);
  tcase_add_test (tests, runnables_processes_and_blocks_recurse_too);
  tcase_add_test (tests, a_suspended_caller_with_a_constant_number_may_have_called_itself);
  tcase_add_test (tests, a_start_says_that_a_runnable_goes_on_with_its_task);
  tcase_add_test (tests, recursion_is_ended_from_the_inside);
  tcase_add_test (tests, a_preempted_task_takes_its_runnables_with_it);
  tcase_add_loop_test (tests, explicit_suspensions_of_runnables_change_nothing_in_any_order, 0, 4);
  tcase_add_loop_test (tests, a_chain_of_runnables_is_suspended_in_any_order, 0, 9);
  tcase_add_loop_test (tests, a_waiting_task_takes_its_runnables_with_it, 0, 3);
  tcase_add_test (tests, a_wait_that_is_released_and_resumed_at_one_stamp_is_no_preemption_of_a_runnable);
  tcase_add_test (tests, a_runnable_may_be_suspended_alone);
  tcase_add_test (tests, a_suspension_that_lasts_longer_than_that_of_the_task_is_one);
  tcase_add_loop_test (tests, a_caller_suspended_by_the_trace_does_not_run_while_its_callee_does, 0, 2);
  tcase_add_test (tests, the_own_time_of_frames_is_when_none_inside_runs);
  tcase_add_test (tests, what_a_suspended_frame_calls_is_not_its_own_when_it_ends);
  tcase_add_test (tests, redundant_suspensions_of_runnables_are_counted);
  tcase_add_test (tests, a_runnable_belongs_to_the_task_that_runs_and_not_to_its_parent);
  tcase_add_test (tests, a_runnable_belongs_to_the_task_on_its_own_core);
  tcase_add_test (tests, a_runnable_belongs_to_the_task_that_the_trace_names);
  tcase_add_test (tests, the_same_function_may_be_open_in_two_tasks_of_a_core);
  tcase_add_test (tests, the_outer_of_two_tasks_may_go_on_with_the_same_function_first);
  tcase_add_test (tests, a_function_written_to_end_after_its_task_at_one_stamp_is_that_of_the_task);
  tcase_add_test (tests, a_function_goes_on_after_an_interruption_of_no_length);
  tcase_add_test (tests, each_of_two_that_are_open_is_suspended);
  tcase_add_test (tests, what_goes_on_before_its_task_is_not_in_a_head_that_runs);
  tcase_add_test (tests, what_started_in_a_task_that_runs_on_is_not_in_a_head_beside_it);
  tcase_add_test (tests, what_started_in_a_task_that_runs_until_the_same_stamp_is_not_in_a_head);
  tcase_add_test (tests, what_ends_in_a_head_while_the_task_of_the_other_is_off_was_there_before);
  tcase_add_test (tests, own_time_is_without_direct_callees);
  tcase_add_test (tests, what_lost_its_start_may_be_a_callee);
  tcase_add_loop_test (tests, each_of_those_that_called_themselves_is_suspended_by_itself, 0, 3);
  tcase_add_test (tests, several_callees_are_all_taken_off);
  tcase_add_test (tests, a_callee_may_outlive_its_caller);
  tcase_add_test (tests, a_runnable_that_ends_after_its_task_ran_no_longer_than_that);
  tcase_add_test (tests, a_runnable_may_be_written_to_end_after_its_task_at_one_stamp);
  tcase_add_test (tests, a_runnable_that_never_ends_lost_its_end_with_its_task);
  tcase_add_test (tests, what_runs_while_its_caller_is_suspended_is_never_its_time);
  tcase_add_loop_test (tests, what_runs_within_a_suspended_frame_is_time_of_the_one_around_it, 0, 2);
  tcase_add_loop_test (tests, a_start_in_one_instance_does_not_resume_what_is_in_another, 0, 2);
  tcase_add_test (tests, a_runnable_with_a_number_is_resumed_by_a_start);
  tcase_add_test (tests, a_runnable_in_an_ISR_is_not_the_interrupted_task_s);
  return tests;
}

void
add_nested_tests (Suite *suite)
{
  suite_add_tcase (suite, nested_tests ("nested", fixture_setup));
  suite_add_tcase (suite, nested_tests ("nested, following", fixture_setup_following));
}
