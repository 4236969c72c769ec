/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "timeline-fixture.h"

/* Instances that lost their start within the section: what is measured between them and others, and load. */

/* What started where T1 ran, which is known only when that ends, runs no longer then, though its own end comes late. */
START_TEST (what_started_in_a_task_without_a_start_runs_no_longer)
{
  run_trace ("0 act T1; 5 start r1; 8 end T1; 20 end r1");
  expect ("r1", "CET 3 | GET 15 | SELF 3 | NPR 0");
}
END_TEST

START_TEST (nothing_is_measured_across_an_instance_without_start)
{
  /* #1 started somewhere in 2..15: no DT of it, and none of #2; E2S = ST of #2 is 31 - 20 */
  run_trace ("0 start I1#0; 2 end I1#0; 15 preempt I1#1; 18 resume I1#1; 20 end I1#1; 31 start I1#2; 32 end I1#2;"
             "40 start I1#3; 41 end I1#3");
  expect ("I1", "CET 1 1 2 | GET 1 1 2 | DT 9 | ST 8 11 | PRE 3 | SELF 1 1 2 | E2S 8 11 | NPR 0 0 0");
  expect_found ("missing-start 1");
}
END_TEST

START_TEST (what_has_a_higher_number_than_one_that_started_was_not_there_before)
{
  /* #2 has lost its start, though the first activation that is in the trace is that of #3, and so of a higher number: 10..20 and
     21..30, and 80 to 90. #3 was activated next, so ST 60 - 90. */
  run_trace ("10 start T1#0; 20 end T1#0; 21 start T1#1; 30 end T1#1; 60 act T1#3; 70 preempt T1#2; 80 resume T1#2;"
             "90 end T1#2");
  expect ("T1", "CET 9 10 | GET 9 10 | DT 11 | ST -30 | PRE 10 | SELF 9 10 | E2S 1 | NPR 0 0");
  expect_load (0, "29/90");
  expect_found ("pending-activation 1, missing-start 1");
}
END_TEST

START_TEST (the_highest_number_is_the_last_whatever_else_is_open)
{
  /* #4 ends at 234, and #5 starts at 250; #2 waits since before the section. #3 runs 188..200 */
  run_trace (_i == 0 ? "170 wait I1#2; 188 start I1#3; 200 end I1#3; 234 end I1#4; 250 start I1#5"
                     : "188 start I1#3; 200 end I1#3; 234 end I1#4; 250 start I1#5");
  expect ("I1", "CET 12 | GET 12 | ST 16 | SELF 12 | E2S 16 | NPR 0");
}
END_TEST

START_TEST (an_activation_that_failed_is_none_between_two)
{
  /* #2 was activated, nobody knows when, and behind it #4, since #3 failed: ST 30 - 48. #1 waits. */
  run_trace (_i == 0 ? "4 act T1#1; 10 act-failed T1#3; 30 act T1#4; 31 start T1#2; 48 end T1#2"
                     : "4 act T1#1; 30 act T1#4; 31 start T1#2; 48 end T1#2");
  expect ("T1", _i == 0 ? "CET 17 | GET 17 | PER 26 | ST -18 | SELF 17 | NPR 0" : "CET 17 | GET 17 | PER 26 | SELF 17 | NPR 0");
}
END_TEST

START_TEST (an_end_alone_is_that_of_an_instance)
{
  run_trace ("0 start r1#0 in T1; 2 end r1#0 in T1; 20 end r1#1 in T1; 31 start r1#2 in T1; 32 end r1#2 in T1");
  expect ("r1", "CET 1 2 | GET 1 2 | ST 11 | SELF 1 2 | E2S 11 | NPR 0 0");
  expect_found ("missing-start 1");
}
END_TEST

START_TEST (the_later_of_two_ends_alone_is_that_of_the_later_instance)
{
  /* E2S = ST of r1#2: 31 - 20. r2#3 started after #2, in which it was nested: 50 - 38. */
  run_trace ("2 end r1#0 in T1; 20 end r1#1 in T1; 31 start r1#2 in T1; 32 end r1#2 in T1;"
             "38 end r2#3 in T1; 40 end r2#2 in T1; 50 start r2#4 in T1; 52 end r2#4 in T1");
  expect ("r1", "CET 1 | GET 1 | ST 11 | SELF 1 | E2S 11 | NPR 0");
  expect ("r2", "CET 2 | GET 2 | ST 12 | SELF 2 | E2S 12 | NPR 0");
}
END_TEST

START_TEST (what_lost_its_start_may_have_started_last)
{
  /* #2 started while #1 was open, before 4: it is the one before #3. E2S 10 - 8. */
  run_trace ("0 start I1#1; 4 preempt I1#2 on 1; 6 end I1#1; 8 end I1#2 on 1; 10 start I1#3; 11 end I1#3");
  expect ("I1", "CET 1 6 | GET 1 6 | ST 2 | SELF 1 6 | E2S 2 | NPR 0 0");
}
END_TEST

START_TEST (what_lost_its_start_may_have_started_earlier)
{
  /* #1 was activated before #2, and so started before 3: #3 follows upon #2. DT 10 - 3, E2S 10 - 5, ST 9 - 5. RT of #1: 6 */
  run_trace ("0 act T1#1; 0 act T1#2; 3 start T1#2; 4 preempt T1#1 on 1; 5 end T1#2; 6 end T1#1 on 1; 9 act T1#3;"
             "10 start T1#3; 11 end T1#3");
  expect ("T1", "IPT 1 3 | CET 1 2 | GET 1 2 | RT 2 5 6 | DT 7 | PER 0 9 | ST -6 4 | SELF 1 2 | E2S 5 | NPR 0 0");
}
END_TEST

START_TEST (the_first_instance_may_lose_its_start)
{
  /* #0 was activated at 50, so it did not run before: 64..70, and 81..90. RT 20 10, ST 80 - 70 */
  run_trace ("section 0 100; 50 act T1#0; 60 preempt T1#0; 64 resume T1#0; 70 end T1#0; 80 act T1#1; 81 start T1#1;"
             "90 end T1#1");
  expect ("T1", "IPT 1 | CET 9 | GET 9 | RT 10 20 | PER 30 | ST 10 | PRE 4 | SELF 9 | E2S 11 | NPR 0");
  expect_load (0, "15/100");
  expect_found ("missing-start 1");
}
END_TEST

/* RT of those that were activated at 10, 11 and 20: 28, 38, 48 less that; ST 10 - 18 of what was there before, 11 - 28,
   20 - 38, 30 - 48. The same with and without a number. */
#define BACKLOG(N) \
  "section 5 50; 10 act T1" N "; 11 act T1" N "; 18 end T1" N "; 18 start T1" N "; 20 act T1" N "; 28 end T1" N \
  "; 28 start T1" N "; 30 act T1" N "; 38 end T1" N "; 38 start T1" N "; 48 end T1" N

START_TEST (a_number_that_two_wait_under_is_none_of_what_was_there_before)
{
  run_trace (_i == 0 ? BACKLOG ("") : BACKLOG ("#0"));
  expect ("T1", "IPT 8 17 18 | CET 10 10 10 | GET 10 10 10 | RT 18 27 28 | DT 10 10 | PER 1 9 10 | ST -18 -18 -17 -8 |"
                " SELF 10 10 10 | E2S 0 0 0 | NPR 0 0 0");
  expect_load (0, "43/45");
  expect_found ("partial-head 1, pending-activation 1");
}
END_TEST

START_TEST (a_number_that_two_wait_under_is_none_of_what_was_preempted_before)
{
  /* #0 of before: preempted 12..14, ended 18; IPT 18 - 10, RT 28 - 10, ST 10 - 18 and 11 - 28 */
  run_trace ("10 act T1#0; 11 act T1#0; 12 preempt T1#0; 14 resume T1#0; 18 end T1#0; 18 start T1#0; 28 end T1#0");
  expect ("T1", "IPT 8 | CET 10 | GET 10 | RT 18 | PER 1 | ST -17 -8 | PRE 2 | SELF 10 | E2S 0 | NPR 0");
  expect_found ("partial-head 1, pending-activation 1");
}
END_TEST

START_TEST (a_number_that_one_waits_under_is_that_of_a_lost_start)
{
  /* whatever its place among those that wait: 4 - 1 */
  run_trace ("0 act T1#5; 1 act T1#3; 4 end T1#3");
  expect ("T1", "RT 3 | PER 1");
  expect_found ("pending-activation 1, missing-start 1");
}
END_TEST

START_TEST (what_ends_later_in_a_section_was_not_there_before)
{
  /* two wait under a number that never changes, and the first of them has lost its start: RT 2 - 0, 6 - 3 */
  run_trace ("0 act T1#0; 1 start T1#0; 2 end T1#0; 3 act T1#0; 4 act T1#0; 6 end T1#0");
  expect ("T1", "IPT 1 | CET 1 | GET 1 | RT 2 3 | PER 1 3 | ST -2 1 | SELF 1 | NPR 0");
  expect_found ("pending-activation 1, missing-start 1");
}
END_TEST

START_TEST (a_number_that_never_changes_may_lose_an_end_and_then_a_start)
{
  /* RT 8 - 5, and 16 - 10 of the one whose start is lost */
  run_trace ("0 act T1#0; 1 start T1#0; 5 act T1#0; 6 start T1#0; 8 end T1#0; 10 act T1#0; 12 preempt T1#0;"
             "14 resume T1#0; 16 end T1#0");
  expect ("T1", "IPT 1 1 | CET 2 | GET 2 | RT 3 6 | DT 5 | PER 5 5 | ST 2 | PRE 2 | SELF 2 | NPR 0");
  expect_found ("missing-end 1, missing-start 1");
}
END_TEST

START_TEST (what_runs_in_an_instance_without_start_is_preempted_with_it)
{
  /* r1 6..8 and 12..15 */
  run_trace ("0 start T1#0; 2 end T1#0; 5 act T1#1; 6 start r1 in T1; 8 preempt T1#1; 12 resume T1#1; 15 end r1 in T1;"
             "16 end T1#1");
  expect ("r1", "CET 5 | GET 9 | PRE 4 | SELF 5 | NPR 1");
  expect_found ("missing-start 1");
}
END_TEST

START_TEST (an_activation_that_may_have_lost_its_start_is_told)
{
  /* the end at 13 is redundant, so by rule 3 the start at 21 has A 10, and that at 32 has A 20 */
  run_trace ("0 act T1; 1 start T1; 3 end T1; 10 act T1; 13 end T1; 20 act T1; 21 start T1; 23 end T1; 30 act T1;"
             "32 start T1; 33 end T1");
  expect ("T1", "IPT 1 11 12 | CET 1 2 2 | GET 1 2 2 | RT 3 13 13 | DT 11 20 | PER 10 10 10 | ST -3 -3 7 | SELF 1 2 2 |"
                " E2S 9 18 | NPR 0 0 0");
  /* and at 30 A 20 waits, though the instance before has ended */
  expect_found ("redundant-end 1, pending-activation 1, doubtful-activation 1, idle-activation 1");
}
END_TEST

START_TEST (an_activation_that_waits_while_nothing_runs_is_told)
{
  /* start and end at 11 and 12 are lost: so the start at 21 has A 10, and A 20 waits when that has ended, and A 30 with it is told;
   * and so with 40 */
  run_trace ("0 act T1; 1 start T1; 2 end T1; 10 act T1; 20 act T1; 21 start T1; 22 end T1; 30 act T1; 31 start T1; 32 end T1;"
             "40 act T1");
  expect ("T1", "IPT 1 11 11 | CET 1 1 1 | GET 1 1 1 | RT 2 12 12 | DT 10 20 | PER 10 10 10 10 | ST -2 -2 8 | SELF 1 1 1 |"
                " E2S 9 19 | NPR 0 0 0");
  expect_found ("pending-activation 2, idle-activation 2");
}
END_TEST

START_TEST (one_that_waits_for_a_reason_is_no_doubt)
{
  /* activations come one after the other; others run when it ended, or it goes on at once; the next one comes while it runs, or at the
   * time of its end; instances have numbers */
  static const char *const traces[]
      = { "0 act T1; 2 act T1; 3 act T1; 10 start T1; 12 end T1; 12 start T1; 13 end T1; 13 start T1; 14 end T1; 20 act T1",
          "0 act T1; 1 start T1; 2 act T1; 3 end T1; 3 start T2; 6 act T1; 9 end T2; 9 start T1; 10 end T1; 10 start T1; 11 end T1",
          "0 act T1; 1 start T1; 2 act T1; 3 end T1; 3 start T1; 4 act T1; 5 end T1; 5 start T1; 6 end T1; 7 act T1",
          "0 act T1; 1 start T1; 2 act T1; 3 end T1; 3 act T1; 4 start T1; 5 end T1; 5 start T1; 6 end T1",
          "0 act T1#0; 1 start T1#0; 2 end T1#0; 10 act T1#1; 20 act T1#2; 21 start T1#2; 22 end T1#2; 30 act T1#3" };

  run_trace (traces[_i]);
  ck_assert_uint_eq (fixture.diagnostics->entries[TS_DIAGNOSTIC_IDLE_ACTIVATION].count, 0);
}
END_TEST

START_TEST (an_activation_behind_its_start_is_told)
{
  /* by rule 14 the start at 10 has no activation, and by rule 3 that at 21 has A 10; A 20 waits. ST 10 - 12 and 20 - 23; that before
   * the start at 10 is unknown */
  run_trace ("0 act T1; 1 start T1; 3 end T1; 10 start T1; 10 act T1; 12 end T1; 20 act T1; 21 start T1; 23 end T1");
  expect ("T1", "IPT 1 11 | CET 2 2 2 | GET 2 2 2 | RT 3 13 | DT 9 11 | PER 10 10 | ST -3 -2 | SELF 2 2 2 | E2S 7 9 | NPR 0 0 0");
  /* so at 20 A 10 waits when an instance has ended */
  expect_found ("start-without-activation 1, pending-activation 1, idle-activation 1, activation-behind-start 1");
}
END_TEST

START_TEST (so_is_one_with_a_number)
{
  /* A 10 waits for a start that does not come; ST 10 - 12 */
  run_trace ("0 act T1#0; 1 start T1#0; 3 end T1#0; 10 start T1#1; 10 act T1#1; 12 end T1#1; 20 act T1#2; 21 start T1#2; 23 end T1#2");
  expect ("T1", "IPT 1 1 | CET 2 2 2 | GET 2 2 2 | RT 3 3 | DT 9 11 | PER 10 10 | ST -2 | SELF 2 2 2 | E2S 7 9 | NPR 0 0 0");
  expect_found ("start-without-activation 1, pending-activation 1, activation-behind-start 1");
}
END_TEST

START_TEST (one_of_another_instance_is_no_doubt)
{
  /* of one that has an activation, that has started before, or that has another number */
  static const char *const traces[] = { "0 act T1; 0 start T1; 0 act T1; 4 end T1; 5 start T1; 6 end T1",
                                        "0 start T1; 2 act T1; 4 end T1; 5 start T1; 6 end T1",
                                        "0 start T1#0; 0 act T1#1; 4 end T1#0; 5 start T1#1; 6 end T1#1" };

  run_trace (traces[_i]);
  ck_assert_uint_eq (fixture.diagnostics->entries[TS_DIAGNOSTIC_ACTIVATION_BEHIND_START].count, 0);
}
END_TEST

START_TEST (a_second_end_is_no_doubt)
{
  /* the activation came before the instance ended, or together with that; and once before a start, which takes it */
  static const char *const traces[] = { "0 act T1; 1 start T1; 2 act T1; 4 end T1; 4 end T1; 5 act T1; 6 start T1",
                                        "0 act T1; 1 start T1; 4 act T1; 4 end T1; 4 end T1; 5 act T1; 6 start T1",
                                        "0 act T1; 1 start T1; 4 end T1; 5 act T1; 6 end T1; 7 start T1; 8 act T1" };

  run_trace (traces[_i]);
  ck_assert_uint_eq (fixture.diagnostics->entries[TS_DIAGNOSTIC_DOUBTFUL_ACTIVATION].count, 0);
}
END_TEST

/* What importers know of lost events, see TS_EVENT_LOST and the like. */

/* It ended when it was preempted, at 5: no PRE, since it did not go on; E2S and ST 10 - 5. */
START_TEST (what_ended_earlier_was_not_preempted)
{
  run_trace ("0 start I1#1 unique; 5 preempt I1#1 unique; 9 end I1#1 unique earlier; 10 start I1#2 unique; 12 end I1#2 unique");
  expect ("I1", "CET 2 5 | GET 2 5 | DT 10 | ST 5 | SELF 2 5 | E2S 5 | NPR 0 0");
  expect_load (0, "7/12");
}
END_TEST

/* Its preemption was seen, so nothing is lost: PRE 4, CET 5 + 3. */
START_TEST (what_was_preempted_goes_on_whatever_is_said_to_be_lost)
{
  run_trace ("0 start T1; 5 preempt T1; 9 resume T1 on 1 lost; 12 end T1 on 1");
  expect ("T1", "CET 8 | GET 12 | PRE 4 | SELF 8 | NPR 1");
  expect_load (1, "3/12");
}
END_TEST

/* T1 was suspended by T2, which goes on elsewhere at 6, and left at the latest then: PRE 4, CET 2 + 4. Of T2 nobody knows
 * how long it ran. */
START_TEST (who_was_suspended_goes_on_when_the_other_one_does_elsewhere)
{
  fixture_infer ();
  run_trace ("0 start T1; 2 start T2; 6 resume T2 on 1 lost; 8 end T2 on 1; 10 end T1");
  expect ("T1", "CET 6 | GET 10 | PRE 4 | SELF 6 | NPR 1");
  expect ("T2", "GET 6 | NPR 0");
  expect_found ("inferred-preemption 1");
}
END_TEST

/* #9 is not #1: it has lost its start, and so has no CET and no GET; PRE 1. */
START_TEST (what_is_preempted_under_another_number_is_another_one)
{
  run_trace ("0 start I1#1 unique; 2 preempt I1#9 on 1 unique; 3 resume I1#9 on 1 unique; 5 end I1#9 on 1 unique; 8 end I1#1 unique");
  expect ("I1", "CET 8 | GET 8 | PRE 1 | SELF 8 | NPR 0");
  expect_found ("missing-start 1");
}
END_TEST

/* Rule 8, where the next one takes the place: T1#1 has lost its end, and is no load since T2 ran. T2 runs 2-7, T1#2 5-9. */
START_TEST (who_takes_the_place_of_another_finds_it_below_others)
{
  run_trace ("0 start T1#1; 2 start T2; 5 start T1#2 replaces; 7 end T2; 9 end T1#2");
  expect ("T1", "CET 4 | GET 4 | DT 5 | SELF 4 | NPR 0");
  expect_counts ("T1", "starts 2, ends 1, complete 1, missing 1");
  expect_load (0, "11/9");
}
END_TEST

/* The same of a stopwatch, all at one time: #4 takes the place of #1, which runs there, and not that of #2, which is on another
 * core, or of #3, which does not run. */
START_TEST (a_stopwatch_takes_the_place_of_the_one_that_runs_there)
{
  run_trace ("3 start s1#1; 3 start s1#2 on 1; 3 start s1#3; 3 preempt s1#3; 3 start s1#4 replaces; 3 end s1#4; 8 resume s1#3;"
             "9 end s1#2 on 1; 10 end s1#3");
  expect_counts ("s1", "starts 4, ends 3, complete 3, missing 1");
  ck_assert_uint_eq (fixture_instance ("s1", 1)->status, TS_STATUS_MISSING_END);
  ck_assert_int_eq (fixture_instance ("s1", 2)->running, 6);
  ck_assert_int_eq (fixture_instance ("s1", 3)->running, 2);
  ck_assert_int_eq (fixture_instance ("s1", 4)->running, 0);
}
END_TEST

void
add_lost_tests (Suite *suite)
{
  TCase *tests = tcase_create ("lost");

  tcase_add_checked_fixture (tests, fixture_setup, fixture_teardown);
  tcase_add_test (tests, what_started_in_a_task_without_a_start_runs_no_longer);
  tcase_add_test (tests, nothing_is_measured_across_an_instance_without_start);
  tcase_add_test (tests, what_has_a_higher_number_than_one_that_started_was_not_there_before);
  tcase_add_loop_test (tests, the_highest_number_is_the_last_whatever_else_is_open, 0, 2);
  tcase_add_loop_test (tests, an_activation_that_failed_is_none_between_two, 0, 2);
  tcase_add_test (tests, an_end_alone_is_that_of_an_instance);
  tcase_add_test (tests, the_later_of_two_ends_alone_is_that_of_the_later_instance);
  tcase_add_test (tests, what_lost_its_start_may_have_started_last);
  tcase_add_test (tests, what_lost_its_start_may_have_started_earlier);
  tcase_add_test (tests, the_first_instance_may_lose_its_start);
  tcase_add_loop_test (tests, a_number_that_two_wait_under_is_none_of_what_was_there_before, 0, 2);
  tcase_add_test (tests, a_number_that_two_wait_under_is_none_of_what_was_preempted_before);
  tcase_add_test (tests, a_number_that_one_waits_under_is_that_of_a_lost_start);
  tcase_add_test (tests, what_ends_later_in_a_section_was_not_there_before);
  tcase_add_test (tests, a_number_that_never_changes_may_lose_an_end_and_then_a_start);
  tcase_add_test (tests, what_runs_in_an_instance_without_start_is_preempted_with_it);
  tcase_add_test (tests, an_activation_that_may_have_lost_its_start_is_told);
  tcase_add_test (tests, an_activation_that_waits_while_nothing_runs_is_told);
  tcase_add_loop_test (tests, one_that_waits_for_a_reason_is_no_doubt, 0, 5);
  tcase_add_test (tests, an_activation_behind_its_start_is_told);
  tcase_add_test (tests, so_is_one_with_a_number);
  tcase_add_loop_test (tests, one_of_another_instance_is_no_doubt, 0, 3);
  tcase_add_loop_test (tests, a_second_end_is_no_doubt, 0, 3);
  tcase_add_test (tests, what_ended_earlier_was_not_preempted);
  tcase_add_test (tests, what_was_preempted_goes_on_whatever_is_said_to_be_lost);
  tcase_add_test (tests, who_was_suspended_goes_on_when_the_other_one_does_elsewhere);
  tcase_add_test (tests, what_is_preempted_under_another_number_is_another_one);
  tcase_add_test (tests, who_takes_the_place_of_another_finds_it_below_others);
  tcase_add_test (tests, a_stopwatch_takes_the_place_of_the_one_that_runs_there);
  suite_add_tcase (suite, tests);
}
