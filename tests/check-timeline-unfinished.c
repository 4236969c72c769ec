/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "timeline-fixture.h"

/* What was not over when a section ended, or at an error event: how long it had taken by then. None of that is a sample. */

START_TEST (what_was_not_over_tells_how_long_it_took)
{
  /* #2, of 10, runs 12..15 and 20..100, and is preempted until the end at 110; #3 of 30 waits. #1: IPT 2, CET 3, RT 5 */
  run_trace ("0 act T1; 2 start T1; 5 end T1; 10 act T1; 12 start T1; 15 preempt T1; 15 start T2; 20 end T2; 20 resume T1;"
             "30 act T1; 100 preempt T1; 100 start T2; 110 end T2");
  expect ("T1", "IPT 2 2 | CET 3 | GET 3 | RT 5 | DT 10 | PER 10 20 | ST 5 | PRE 5 | SELF 3 | E2S 7 | NPR 0");
  expect_unfinished ("T1", "IPT 80@30#3 | CET 83@12#2 | GET 98@12#2 | RT 100@12#2 | DT 98@12#0 | PER 80@30#0");
  expect_unfinished ("T2", "DT 10@100#0");
}
END_TEST

START_TEST (the_longest_of_several_counts)
{
  /* at 20 in the first section: 20 - 5, 20 - 2; at 9 in the second: 9 - 1, and of #2, which started last, 9 - 4 */
  run_trace ("section 0 20; 2 act T1#1; 5 start T1#1; section 0 9; 1 act T1#1; 3 start T1#1 on 1; 4 act T1#2; 4 start T1#2");
  expect_unfinished ("T1", "CET 15@5#1 | GET 15@5#1 | RT 18@5#1 | DT 5@4#0 | PER 5@4#0");
}
END_TEST

START_TEST (of_equal_ones_it_is_the_first)
{
  run_trace ("section 0 20; 5 start I1; section 0 15; 0 start I1");
  expect_unfinished ("I1", "CET 15@5#1 | GET 15@5#1");
}
END_TEST

START_TEST (a_hole_ends_what_is_known)
{
  /* the error at 10 cuts both; what starts behind it ends */
  run_trace ("1 act T1; 2 start T1; 4 act T1; 10 error; 12 act T1; 13 start T1; 14 end T1");
  expect_unfinished ("T1", "IPT 6@4#2 | CET 8@2#1 | GET 8@2#1 | RT 9@2#1 | DT 1@13#0 | PER 2@12#0");
}
END_TEST

START_TEST (what_has_lost_its_end_tells_nothing)
{
  run_trace ("0 start T1; 10 start T1; 12 end T1; 90 start T2; 91 end T2");
  expect_unfinished ("T1", "DT 81@10#0");
  expect_found ("missing-end 1");
}
END_TEST

START_TEST (what_was_passed_over_by_its_number_does_not_wait)
{
  /* T1#1 and T1#2 have lost their events behind 10 and 22, since #3 has ended; #4 waits, and #5 runs */
  run_trace ("0 act T1#0; 2 start T1#0; 5 end T1#0; 10 act T1#1; 20 act T1#2; 22 start T1#2; 24 preempt T1#2; 30 act T1#3;"
             "32 start T1#3; 35 end T1#3; 40 act T1#4; 50 start T1#5 on 1; 100 user T1");
  expect_unfinished ("T1", "IPT 60@40#4 | CET 50@50#5 | GET 50@50#5 | RT 60@40#4 | DT 50@50#0 | PER 60@40#0");
}
END_TEST

START_TEST (what_runs_is_not_over_whatever_its_number)
{
  run_trace ("0 start T1#1; 10 start T1#2 on 1; 12 end T1#2 on 1; 100 user T1");
  expect_unfinished ("T1", "CET 100@0#1 | GET 100@0#1 | DT 90@10#0");
}
END_TEST

START_TEST (what_was_not_seen_to_start_took_as_long_as_it_was_seen)
{
  /* T1 is there before the section, is preempted 5..7 and runs until 91; what was before 5 is not counted */
  run_trace ("5 preempt T1; 7 resume T1; 90 start T2 on 1; 91 end T2 on 1");
  expect_unfinished ("T1", "CET 84@0#1 | GET 86@0#1 | RT 86@0#1");
}
END_TEST

START_TEST (also_when_it_ends)
{
  /* waits 5..8, is ready until 10, runs until 40: GET 35 */
  run_trace ("5 wait T1; 8 release T1; 10 resume T1; 40 end T1; 50 start T1; 51 end T1");
  expect ("T1", "CET 1 | GET 1 | PRE 2 | SELF 1 | E2S 10 | WAIT 3 | NPR 0");
  expect_unfinished ("T1", "CET 30@0#1 | GET 35@0#1 | RT 35@0#1 | DT 1@50#0");
}
END_TEST

START_TEST (one_that_only_ends_took_no_time_that_was_seen)
{
  run_trace ("40 end T1; 50 start T1; 51 end T1");
  expect_unfinished ("T1", "CET 0@0#1 | GET 0@0#1 | RT 0@0#1 | DT 1@50#0");
}
END_TEST

START_TEST (of_what_has_lost_its_start_it_is_known_when_it_was_activated)
{
  /* activated at 10, resumed at 20 and never over: CET and GET 80, RT 90. IPT is not known, though not longer than 10 */
  run_trace ("0 act T1#0; 1 start T1#0; 2 end T1#0; 10 act T1#1; 20 resume T1#1; 100 user T1");
  expect_unfinished ("T1", "CET 80@20#1 | GET 80@20#1 | RT 90@20#1 | PER 90@10#0");
}
END_TEST

START_TEST (behind_an_error_event_it_is_another_one)
{
  /* #1 2..10, then seen to run from 15 on, and until 45: 8, and 30 */
  run_trace ("2 start T1; 10 error; 15 preempt T1; 20 resume T1; 45 user T1");
  expect_unfinished ("T1", "CET 25@10#2 | GET 30@10#2 | RT 30@10#2");
}
END_TEST

START_TEST (it_belongs_to_the_window_of_its_start_or_else_its_activation)
{
  /* until 100, whatever the window: of #1, which starts before it, nothing; of #2 80 - 0 of T2; T1#2 is activated behind it */
  fixture_window (10, 50);
  run_trace ("0 act T1; 2 start T1; 20 start T2 on 1; 60 act T1; 100 user T1");
  expect_unfinished ("T1", "");
  expect_unfinished ("T2", "CET 80@20#1 | GET 80@20#1");
}
END_TEST

START_TEST (what_waits_within_the_window_is_in_it)
{
  fixture_window (10, 50);
  run_trace ("5 act T1; 30 act T1; 100 user T1");
  expect_unfinished ("T1", "IPT 70@30#2 | RT 70@30#2");
}
END_TEST

START_TEST (an_idle_task_has_no_core_time)
{
  ts_system_set_idle (fixture.system, fixture_element ("T1"), TRUE);
  run_trace ("0 start T1; 10 user T1");
  expect_unfinished ("T1", "GET 10@0#1");
}
END_TEST

START_TEST (a_function_that_is_open_is_not_over)
{
  run_trace ("0 start T1; 1 start f1; 4 preempt T1; 8 resume T1; 10 user T1");
  expect_unfinished ("f1", "CET 5@1#1 | GET 9@1#1");
}
END_TEST

START_TEST (what_came_twice_is_awaited)
{
  /* T1 starts at 12 and 32, activated at 10 and 30, and then an activation fails; f1 starts at 13 only, T2 never */
  run_trace ("section 0 100; 10 act T1; 12 start T1; 13 start f1; 14 end f1; 15 end T1; 30 act T1; 32 start T1; 35 end T1;"
             "50 act-failed T1; 60 act T2");
  expect_unfinished ("T1", "DT 68@32#0 | PER 70@30#0");
  expect_unfinished ("f1", "");
  expect_unfinished ("T2", "IPT 40@60#1 | RT 40@60#1");
}
END_TEST

START_TEST (each_section_awaits_its_own)
{
  /* 100 - 20 in the first, of two starts; 200 - 50 in the second, but of one only; 30 - 20 in the third */
  run_trace ("section 0 100; 10 start I1; 11 end I1; 20 start I1; 21 end I1; section 0 200; 50 start I1; 51 end I1;"
             "section 0 30; 10 start I1; 11 end I1; 20 start I1; 21 end I1");
  expect_unfinished ("I1", "DT 80@20#0");
}
END_TEST

START_TEST (behind_the_window_nothing_is_awaited)
{
  fixture_window (0, 50);
  run_trace ("section 0 100; 10 start I1; 11 end I1; 20 start I1; 21 end I1");
  expect_unfinished ("I1", "");
}
END_TEST

START_TEST (up_to_the_end_of_the_window_it_is)
{
  /* of the starts at 10 and 20 only the second is in it, as is what would come next */
  fixture_window (15, 1000);
  run_trace ("section 0 100; 10 start I1; 11 end I1; 20 start I1; 21 end I1");
  expect_unfinished ("I1", "DT 80@20#0");
}
END_TEST

void
add_unfinished_tests (Suite *suite)
{
  TCase *tests = tcase_create ("unfinished");

  tcase_add_checked_fixture (tests, fixture_setup, fixture_teardown);
  tcase_add_test (tests, what_was_not_over_tells_how_long_it_took);
  tcase_add_test (tests, the_longest_of_several_counts);
  tcase_add_test (tests, of_equal_ones_it_is_the_first);
  tcase_add_test (tests, a_hole_ends_what_is_known);
  tcase_add_test (tests, what_has_lost_its_end_tells_nothing);
  tcase_add_test (tests, what_was_passed_over_by_its_number_does_not_wait);
  tcase_add_test (tests, what_runs_is_not_over_whatever_its_number);
  tcase_add_test (tests, what_was_not_seen_to_start_took_as_long_as_it_was_seen);
  tcase_add_test (tests, also_when_it_ends);
  tcase_add_test (tests, one_that_only_ends_took_no_time_that_was_seen);
  tcase_add_test (tests, of_what_has_lost_its_start_it_is_known_when_it_was_activated);
  tcase_add_test (tests, behind_an_error_event_it_is_another_one);
  tcase_add_test (tests, it_belongs_to_the_window_of_its_start_or_else_its_activation);
  tcase_add_test (tests, what_waits_within_the_window_is_in_it);
  tcase_add_test (tests, what_came_twice_is_awaited);
  tcase_add_test (tests, each_section_awaits_its_own);
  tcase_add_test (tests, behind_the_window_nothing_is_awaited);
  tcase_add_test (tests, up_to_the_end_of_the_window_it_is);
  tcase_add_test (tests, an_idle_task_has_no_core_time);
  tcase_add_test (tests, a_function_that_is_open_is_not_over);
  suite_add_tcase (suite, tests);
}
