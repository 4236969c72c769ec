/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "timeline-fixture.h"

/* Instances of which only a part is in the trace, sections, and holes. */

/* Rule 6: what the first event of an element says of the time before it. */

START_TEST (an_end_first_means_that_it_ran_since_the_section_began)
{
  /* load 0..5 and 8..10; E2S 8 - 5; the one start gives no DT */
  run_trace ("5 end T1; 8 start T1; 10 end T1; 12 user");
  expect ("T1", "CET 2 | GET 2 | SELF 2 | E2S 3 | NPR 0");
  expect_load (0, "7/12");
  expect_counts ("T1", "starts 1, ends 2, complete 1, heads 1");
  expect_instances ("T1", "1 partial head, 2 complete");
  expect_found ("partial-head 1");
}
END_TEST

START_TEST (a_second_end_after_a_head_is_redundant)
{
  run_trace ("5 end T1; 6 end T1; 10 user");
  expect ("T1", "");
  expect_load (0, "5/10");
  expect_found ("redundant-end 1, partial-head 1");
}
END_TEST

/* What ended without a number in between says nothing of the numbers that are over: #3 ran up to 30, and once. */
START_TEST (a_second_end_is_redundant_after_others_without_number)
{
  run_trace ("10 start T1#5; 15 end T1#5; 30 end T1#3; "
             "40 start T1; 41 end T1; 42 start T1; 43 end T1; 44 start T1; 45 end T1; 46 start T1; 47 end T1; "
             "48 start T1; 49 end T1; 50 start T1; 51 end T1; 52 start T1; 53 end T1; 54 start T1; 55 end T1; 90 end T1#3");
  expect_counts ("T1", "starts 9, ends 10, complete 9, heads 1");
  expect_found ("redundant-end 1, partial-head 1");
}
END_TEST

START_TEST (a_preempt_first_means_that_it_ran_before)
{
  /* PRE 7 - 5: both ends seen. Load 0..5, 5..7, 7..9 */
  run_trace ("5 preempt T1; 5 start I1; 7 end I1; 7 resume T1; 9 end T1; 20 user");
  expect ("T1", "PRE 2");
  expect ("I1", "CET 2 | GET 2 | SELF 2 | NPR 0");
  expect_load (0, "9/20");
  expect_found ("partial-head 1");
}
END_TEST

START_TEST (a_resume_first_means_that_it_was_preempted_before)
{
  /* no preempt seen, so no PRE; load 3..7 and 7..9 */
  run_trace ("3 start I1; 7 end I1; 7 resume T1; 9 end T1; 20 user");
  expect ("T1", "");
  expect_load (0, "6/20");
  expect_found ("partial-head 1");
}
END_TEST

START_TEST (a_wait_first_means_that_it_ran_before)
{
  /* WAIT 9 - 4; load 0..4 and 9..12 */
  run_trace ("4 wait T1; 9 release T1; 9 resume T1; 12 end T1");
  expect ("T1", "WAIT 5");
  expect_load (0, "7/12");
  expect_found ("partial-head 1");
}
END_TEST

START_TEST (a_release_first_means_that_it_waited_before)
{
  /* the wait was not seen: no WAIT; ready 6..8; load 8..12 */
  run_trace ("6 release T1; 8 resume T1; 12 end T1");
  expect ("T1", "PRE 2");
  expect_load (0, "4/12");
  expect_found ("partial-head 1");
}
END_TEST

START_TEST (a_head_released_and_resumed_at_one_stamp_was_not_preempted)
{
  run_trace ("6 release T1; 6 resume T1; 8 end T1");
  expect ("T1", "");
  expect_load (0, "2/8");
}
END_TEST

START_TEST (an_activation_before_the_end_of_a_head_belongs_to_the_next_instance)
{
  /* A 2, E of the head 5, S 6, E 9: ST 2 - 5, IPT 4, RT 7, E2S 6 - 5 */
  run_trace ("2 act T1; 5 end T1; 6 start T1; 9 end T1; 10 user");
  expect ("T1", "IPT 4 | CET 3 | GET 3 | RT 7 | ST -3 | SELF 3 | E2S 1 | NPR 0");
  expect_load (0, "8/10");
  expect_found ("partial-head 1");
}
END_TEST

START_TEST (chains_go_on_after_a_head)
{
  /* E of the head 3; A 4, 14: ST 4 - 3, 14 - 6; PER 10; DT 15 - 5; E2S 5 - 3, 15 - 6 */
  run_trace ("3 end T1; 4 act T1; 5 start T1; 6 end T1; 14 act T1; 15 start T1; 17 end T1");
  expect ("T1", "IPT 1 1 | CET 1 2 | GET 1 2 | RT 2 3 | DT 10 | PER 10 | ST 1 8 | SELF 1 2 | E2S 2 9 | NPR 0 0");
}
END_TEST

START_TEST (an_open_head_is_followed_by_activations)
{
  /* the head is preempted from 2 to 6 and ends at 7, after A 4: ST 4 - 7 */
  run_trace ("2 preempt T1; 2 start I1; 4 act T1; 6 end I1; 6 resume T1; 7 end T1; 8 start T1; 9 end T1");
  expect ("T1", "IPT 4 | CET 1 | GET 1 | RT 5 | ST -3 | PRE 4 | SELF 1 | E2S 1 | NPR 0");
  expect_load (0, "8/9");
}
END_TEST

START_TEST (a_head_of_a_section_that_does_not_begin_at_0_ran_since_then)
{
  run_trace (_i == 0 ? "section 100; 105 end T1; 110 user" : "section -100; -95 end T1; -90 user");
  expect_load (0, "5/10");
}
END_TEST

START_TEST (who_took_the_core_from_a_head_did_not_run_before)
{
  /* the start of I1 is in front of the cut, at the stamp of the preempt behind it: T1 0..100, I1 100..110, T1 110..150 */
  run_trace ("0 user; 100 preempt T1; 110 end I1; 110 resume T1; 150 end T1");
  expect_load (0, "150/150");
  expect_found ("partial-head 2");
}
END_TEST

START_TEST (an_open_preemption_of_a_tail_is_not_closed)
{
  /* off 4..7 and, open, 9..20 */
  run_trace ("2 start T1; 4 preempt T1; 4 start I1; 7 end I1; 7 resume T1; 9 preempt T1; 9 start I1; 20 user");
  expect ("T1", "PRE 3");
  expect_instances ("T1", "1 partial tail");
  ck_assert_int_eq (fixture_instance ("T1", 1)->preempted, 14);
  ck_assert_int_eq (fixture_instance ("T1", 1)->preempted_closed, 3);
  ck_assert_uint_eq (fixture_instance ("T1", 1)->n_preemptions, 1);
}
END_TEST

START_TEST (a_head_may_be_a_tail_too)
{
  /* ran 0..5, still preempted at the end; load with I1: 8 */
  run_trace ("5 preempt T1; 5 start I1; 8 end I1");
  expect ("T1", "");
  expect_load (0, "8/8");
  expect_counts ("T1", "heads 1");
  expect_instances ("T1", "1 partial head");
  expect_found ("partial-head 1");
}
END_TEST

START_TEST (a_resumed_head_may_run_to_the_end)
{
  run_trace ("5 resume T1; 7 preempt T1; 8 resume T1; 9 user");
  expect ("T1", "PRE 1");
  expect_load (0, "3/9");
  expect_counts ("T1", "heads 1");
}
END_TEST

START_TEST (a_head_of_a_runnable_is_no_load)
{
  run_trace ("4 end r1; 6 end T1; 8 user");
  expect ("r1", "");
  expect ("T1", "");
  expect_load (0, "6/8");
  expect_counts ("r1", "ends 1, heads 1");
}
END_TEST

START_TEST (a_head_of_a_runnable_keeps_its_closed_preemptions)
{
  run_trace ("2 preempt r1; 2 preempt T1; 5 resume T1; 5 resume r1; 7 end r1; 8 end T1");
  expect ("r1", "PRE 3");
  expect ("T1", "PRE 3");
  expect_load (0, "5/8");
}
END_TEST

START_TEST (a_lower_number_than_all_before_is_a_head_even_late)
{
  /* #4 was preempted when the section began; #5 is known from its start */
  run_trace ("1 start T1#5; 3 end T1#5; 6 resume T1#4; 8 end T1#4; 10 act T1#6; 11 start T1#6; 12 end T1#6");
  /* ST of #5, which was activated last: no A of it is known, but the next is 10: 10 - 3; #4 has none. E2S 1 - 8, 11 - 3 */
  expect ("T1", "IPT 1 | CET 1 2 | GET 1 2 | RT 2 | DT 10 | ST 7 | SELF 1 2 | E2S -7 8 | NPR 0 0");
  expect_load (0, "5/12");
  expect_found ("partial-head 1");
}
END_TEST

START_TEST (a_late_head_does_not_take_the_slack_of_others)
{
  /* A 10 follows #5: 10 - 3, whatever happens to #4 */
  run_trace ("0 act T1#5; 1 start T1#5; 3 end T1#5; 10 act T1#6; 11 resume T1#4; 13 end T1#4; 14 start T1#6; 15 end T1#6");
  expect_intervals ("T1", ST, "7@10#6");
  /* what starts next after #4 is #5: 1 - 13 */
  expect_intervals ("T1", E2S, "-12@1#5 11@14#6");
  expect_intervals ("T1", DT, "13@14#6");
}
END_TEST

/* Of what was there, the one that started last is followed by the first start of the section, even if it shows only then:
 * from its end it is 11 - 15, whether #5 is still open then or not. */
START_TEST (a_head_that_shows_late_is_followed_by_the_first_start)
{
  static const char *const traces[] = {
    "10 act T1#5; 11 start T1#5; 12 preempt T1#5; 14 resume T1#4; 15 end T1#4; 15 resume T1#5; 16 end T1#5;",
    "10 act T1#5; 11 start T1#5; 12 end T1#5; 14 resume T1#4; 15 end T1#4; 16 act T1#6;",
    "11 start T1#5; 12 end T1#5; 13 resume T1#4; 14 resume T1#3 on 1; 15 end T1#4; 17 end T1#3 on 1;",
    "11 start T1#5; 12 end T1#5; 13 resume T1#3; 14 end T1#3; 14 resume T1#4; 15 end T1#4; 17 act T1#6",
    "11 start r1 in T1; 12 end r1 in T1; 15 end r1 in T2",
    "11 start r1 in T1; 12 end r1 in T1; 15 end r1 in T2; 16 end r1 in T3",
  };
  const char *element = _i < 4 ? "T1" : "r1";

  run_trace (traces[_i]);
  expect_intervals (element, E2S, _i < 4 ? "-4@11#5" : "-4@11#1");
  if (_i == 0)
    ck_assert_int_eq (fixture_instance ("T1", 5)->e2s, -4);
}
END_TEST

/* What is in no order, or not known to be next to the first start, has no E2S. */
START_TEST (a_head_that_may_not_be_the_last_one_is_followed_by_nothing)
{
  static const char *const traces[] = {
    "11 start T1#5; 12 end T1#5; 13 resume T1#3; 15 end T1#3",
    "0 act T1#4; 11 start T1#5; 12 end T1#5; 13 end T1#4",
    "section 0; 11 start T1; 12 end T1; section 20; 23 end T1",
    "8 act T1#5; 10 act T1#6; 11 start T1#6; 12 end T1#6; 14 resume T1#4; 15 end T1#4",
  };

  run_trace (traces[_i]);
  expect_intervals ("T1", E2S, "");
}
END_TEST

START_TEST (what_was_activated_between_a_head_and_another_one_has_its_slack)
{
  /* #0, #1, #2: A 10, #3: A 100. ST of #1 and #2: 10 - 25, 100 - 30; A of #1, and so ST of #0, is unknown */
  run_trace ("10 act T1#2; 20 end T1#0; 21 start T1#1; 25 end T1#1; 26 start T1#2; 30 end T1#2; 100 act T1#3");
  expect_intervals ("T1", ST, "-15@10#2 70@100#3");
}
END_TEST

START_TEST (between_a_head_and_another_one_there_may_be_none)
{
  /* #1 was one that failed, before the section began. ST 10 - 20, 100 - 25 */
  run_trace ("10 act T1#2; 20 end T1#0; 21 start T1#2; 25 end T1#2; 100 act T1#3");
  expect_intervals ("T1", ST, "-10@10#2 75@100#3");
}
END_TEST

START_TEST (a_head_is_followed_by_the_next_number)
{
  /* #3, #4, #5: A 10. #4 is over when #3 is seen: ST 10 - 2 */
  run_trace ("2 end T1#4; 10 act T1#5; 11 end T1#3; 12 start T1#5; 13 end T1#5");
  expect_intervals ("T1", ST, "8@10#5");
}
END_TEST

START_TEST (a_head_is_followed_by_an_open_one_even_if_others_are_over)
{
  /* #2: A 10, E 50; #3: A 15, E 20, when #1 was not yet seen; #4: A 60. ST of #1, #2, #3: 10 - 30, 15 - 50, 60 - 20 */
  run_trace ("10 act T1#2; 12 end T1#0; 13 start T1#2; 15 act T1#3; 16 start T1#3 on 1; 20 end T1#3 on 1; 30 end T1#1 on 1;"
             "50 end T1#2; 60 act T1#4");
  expect_intervals ("T1", ST, "-20@10#2 -35@15#3 40@60#4");
}
END_TEST

START_TEST (slack_follows_one_that_lost_its_start)
{
  /* #1: A 0, E 2; #2 was activated after it, and ends at 7; #3: A 20. ST 20 - 7 */
  run_trace ("0 act T1#1; 1 start T1#1; 2 end T1#1; 5 preempt T1#2; 6 resume T1#2; 7 end T1#2; 20 act T1#3");
  expect_intervals ("T1", ST, "13@20#3");
}
END_TEST

/* Rule 7 */

START_TEST (a_tail_keeps_IPT_DT_and_closed_preemptions)
{
  /* T1: S 1 - A 0; off 3..5 closed, off 9.. open. I1: 3..5, then 9..: DT 6, E2S = ST 9 - 5. Load 1..12 */
  run_trace ("0 act T1; 1 start T1; 3 preempt T1; 3 start I1; 5 end I1; 5 resume T1; 9 preempt T1; 9 start I1; 12 user");
  expect ("T1", "IPT 1 | PRE 2");
  expect ("I1", "CET 2 | GET 2 | DT 6 | ST 4 | SELF 2 | E2S 4 | NPR 0");
  expect_load (0, "11/12");
  expect_counts ("T1", "activations 1, starts 1, tails 1");
  expect_counts ("I1", "starts 2, ends 1, complete 1, tails 1");
  expect_found ("partial-tail 2");
}
END_TEST

START_TEST (a_tail_is_load_up_to_the_end_of_the_window)
{
  run_trace ("section 0 20; 5 start T1; 8 user");
  expect_load (0, "15/20");
}
END_TEST

START_TEST (an_end_after_the_section_stops_is_used_and_load_is_clipped)
{
  run_trace ("section 0 10; 5 start T1; 14 end T1");
  expect ("T1", "CET 9 | GET 9 | SELF 9 | NPR 0");
  expect_load (0, "5/10");
}
END_TEST

START_TEST (a_start_before_the_section_starts_is_used_and_load_is_clipped)
{
  run_trace ("section 10 20; 5 start T1; 14 end T1");
  expect ("T1", "CET 9 | GET 9 | SELF 9 | NPR 0");
  expect_load (0, "4/10");
}
END_TEST

/* Rule 8, tasks and ISRs */

START_TEST (a_start_while_started_means_that_a_task_lost_its_end)
{
  /* no CET, GET, RT, ST, E2S for the first; all of the second */
  run_trace ("0 act T1; 1 start T1; 6 act T1; 8 start T1; 10 end T1");
  expect ("T1", "IPT 1 2 | CET 2 | GET 2 | RT 4 | DT 7 | PER 6 | SELF 2 | NPR 0");
  expect_instances ("T1", "1 missing end, 2 complete");
  expect_counts ("T1", "activations 2, starts 2, ends 1, complete 1, missing 1");
  expect_found ("missing-end 1");
}
END_TEST

START_TEST (a_preempted_task_without_numbers_may_lose_its_end_too)
{
  run_trace ("0 start T1; 2 preempt T1; 5 start T1; 6 end T1; 9 start I1; 10 start I1; 12 end I1");
  expect ("T1", "CET 1 | GET 1 | DT 5 | SELF 1 | NPR 0");
  expect ("I1", "CET 2 | GET 2 | DT 1 | SELF 2 | NPR 0");
  expect_found ("missing-end 2");
}
END_TEST

/* Rule 16 */

START_TEST (nothing_crosses_a_section)
{
  /* 1: a tail, load 1..2. 2: a head, load 3..5, and 7..8; E2S 7 - 5. 3: 1..4. */
  run_trace ("section 0; 1 start T1; 2 preempt T1;"
             "section 0; 3 resume T1; 5 end T1; 7 start T1; 8 end T1;"
             "section 0; 1 start T1; 4 end T1");
  expect ("T1", "CET 1 3 | GET 1 3 | SELF 1 3 | E2S 2 | NPR 0 0");
  expect_load (0, "7/14");
  expect_instances ("T1", "1 partial tail, 1 partial head, 2 complete, 1 complete");
  expect_counts ("T1", "starts 3, ends 3, complete 2, heads 1, tails 1");
  ck_assert_uint_eq (fixture_instance ("T1", 2)->section, 2);
}
END_TEST

START_TEST (an_activation_does_not_cross_a_section)
{
  run_trace ("section 0; 1 act T1; section 0; 2 start T1; 3 end T1; 5 act T1");
  expect ("T1", "CET 1 | GET 1 | ST 2 | SELF 1 | NPR 0");
  expect_counts ("T1", "activations 2, starts 1, ends 1, complete 1, pending 2");
}
END_TEST

START_TEST (samples_of_sections_are_pooled)
{
  /* DT 20 of each, and not 4 - 24 in between */
  run_trace ("section 0; 4 start T1; 10 end T1; 24 start T1; 30 end T1;"
             "section 0; 4 start T1; 10 end T1; 24 start T1; 30 end T1");
  expect ("T1", "CET 6 6 6 6 | GET 6 6 6 6 | DT 20 20 | SELF 6 6 6 6 | E2S 14 14 | NPR 0 0 0 0");
  expect_load (0, "24/60");
}
END_TEST

START_TEST (a_section_without_a_start_begins_with_its_first_event)
{
  const TsSection *section;

  run_trace ("section; 10 start T1; 12 end T1; 14 user");
  expect_load (0, "2/4");
  section = g_ptr_array_index (fixture.sections, 0);
  ck_assert_int_eq (section->window_from, 10);
  ck_assert_int_eq (section->window_to, 14);
  ck_assert_int_eq (section->first, 10);
  ck_assert_int_eq (section->last, 14);
  ck_assert_uint_eq (section->n_events, 3);
}
END_TEST

START_TEST (a_section_without_events_has_its_window)
{
  run_trace ("section 5 25; section; section 0 10; 1 start T1; 2 end T1");
  expect_load (0, "1/30");
}
END_TEST

/* Rule 17 */

START_TEST (everything_begins_anew_at_an_error_event)
{
  /* before: S 1 E 2 A 4 S 5: DT 4, PER 4, ST 2, E2S 3, IPT 1 1, and 5..6 ran. The end at 9 is that of a head
     since 6; then A 14, S 15, E 17: ST 14 - 9, E2S 15 - 9, no DT and PER over the hole. Load 1 + 1 + 3 + 2. */
  run_trace ("0 act T1; 1 start T1; 2 end T1; 4 act T1; 5 start T1; 6 error; 9 end T1; 14 act T1; 15 start T1;"
             "17 end T1; 20 user");
  expect ("T1", "IPT 1 1 1 | CET 1 2 | GET 1 2 | RT 2 3 | DT 4 | PER 4 | ST 2 5 | SELF 1 2 | E2S 3 6 | NPR 0 0");
  expect_load (0, "7/20");
  expect_counts ("T1", "activations 3, starts 3, ends 3, complete 2, heads 1, tails 1");
  expect_found ("partial-head 1, partial-tail 1, error-event 1");
}
END_TEST

START_TEST (what_follows_at_once_is_cut_by_the_next_error_event)
{
  /* a head that ends at 4 has no E2S to 8 */
  run_trace ("0 start T1; 2 end T1; 3 error; 4 end T1; 6 error; 8 start T1; 9 end T1");
  expect ("T1", "CET 1 2 | GET 1 2 | SELF 1 2 | NPR 0 0");
  expect_counts ("T1", "starts 2, ends 3, complete 2, heads 1");
}
END_TEST

START_TEST (an_activation_before_an_error_event_is_not_used_after_it)
{
  run_trace ("0 act T1; 3 error; 5 start T1; 7 end T1");
  expect ("T1", "CET 2 | GET 2 | SELF 2 | NPR 0");
  expect_found ("pending-activation 1, error-event 1");
}
END_TEST

START_TEST (an_activation_that_an_error_event_cuts_has_a_number_of_its_own)
{
  /* ST 49 - 38 is that of instance 2, which is lost; what starts then is the third */
  run_trace ("38 end T1; 49 act T1; 56 error; 80 start T1; 85 preempt T1; 90 resume T1; 95 end T1");
  expect_intervals ("T1", ST, "11@49#2");
  expect_intervals ("T1", PRE, "5@80#3");
  expect ("T1", "CET 10 | GET 15 | ST 11 | PRE 5 | SELF 10 | NPR 1");
  expect_found ("partial-head 1, pending-activation 1, error-event 1");
  ck_assert_uint_eq (ts_timeline_counts (fixture.timeline, 0).starts, 1);
}
END_TEST

START_TEST (a_function_that_its_task_left_open_lost_its_end)
{
  /* and that is told with its own line, wherever it is cut */
  run_trace ("11 user; 13 start f1; 15 end T1; 22 error");
  expect ("f1", "");
  expect_found ("missing-end 1, partial-head 1, error-event 1");
  ck_assert_uint_eq (fixture.diagnostics->entries[TS_DIAGNOSTIC_MISSING_END].line, 2);
}
END_TEST

START_TEST (a_function_that_is_left_open_and_starts_again_lost_its_end)
{
  run_trace ("10 start T1; 13 start f1; 15 end T1; 20 start T1; 22 start f1; 23 end f1; 24 end T1");
  expect ("f1", "CET 1 | GET 1 | DT 9 | SELF 1 | NPR 0");
  expect_found ("missing-end 1");
}
END_TEST

START_TEST (a_runnable_is_cut_by_an_error_event_with_its_task)
{
  /* the ends after it are those of heads: no CET */
  run_trace ("0 start T1; 1 start r1; 2 preempt T1; 3 resume T1; 4 error; 6 end r1; 7 end T1");
  expect ("r1", "PRE 1");
  expect ("T1", "PRE 1");
  expect_instances ("r1", "1 partial tail, 2 partial head");
  expect_load (0, "6/7");
}
END_TEST

START_TEST (an_error_event_of_one_core_leaves_the_other_alone)
{
  run_trace ("0 start T1; 0 start T2 on 1; 4 error on 1; 6 end T1; 6 end T2 on 1");
  expect ("T1", "CET 6 | GET 6 | SELF 6 | NPR 0");
  expect ("T2", "");
  expect_instances ("T2", "1 partial tail, 2 partial head");
  expect_load (0, "6/6");
  expect_load (1, "6/6");
}
END_TEST

START_TEST (a_function_that_is_open_on_two_cores_is_cut_on_one)
{
  /* on core 0 it is cut at 4; on core 1 it goes on, 2..6 */
  run_trace ("0 start T1; 0 start T2 on 1; 1 start f1; 2 start f1 on 1; 4 error; 6 end f1 on 1; 7 end T2 on 1; 9 user");
  ck_assert_int_eq (fixture_instance ("f1", 1)->status, TS_STATUS_PARTIAL_TAIL);
  expect ("f1", "CET 4 | GET 4 | DT 1 | SELF 4 | NPR 0");
  expect ("T2", "CET 7 | GET 7 | SELF 3 | NPR 0");
}
END_TEST

START_TEST (an_activation_on_another_core_does_not_move_the_instance)
{
  /* the error on core 1, where it is activated, leaves it running on core 0 */
  run_trace ("0 start T1; 2 act T1 on 1; 4 error on 1; 5 preempt T1; 6 resume T1; 8 end T1; 9 start T1; 10 end T1");
  expect ("T1", "IPT 7 | CET 1 7 | GET 1 8 | RT 8 | DT 9 | ST -6 | PRE 1 | SELF 1 7 | E2S 1 | NPR 0 1");
  expect_load (0, "8/10");
}
END_TEST

START_TEST (an_activation_on_another_core_outlives_an_error_event)
{
  run_trace ("2 act T1 on 1; 4 error; 5 start T1 on 1; 6 end T1 on 1");
  expect ("T1", "IPT 3 | CET 1 | GET 1 | RT 4 | SELF 1 | NPR 0");
}
END_TEST

START_TEST (an_error_event_of_no_core_cuts_all)
{
  run_trace ("0 start T1; 0 start T2 on 1; 4 error on -; 6 end T1; 6 end T2 on 1");
  expect ("T1", "");
  expect ("T2", "");
  expect_load (0, "6/6");
  expect_load (1, "6/6");
}
END_TEST

void
add_part_tests (Suite *suite)
{
  TCase *tests = tcase_create ("parts");

  tcase_add_checked_fixture (tests, fixture_setup, fixture_teardown);
  tcase_add_test (tests, an_end_first_means_that_it_ran_since_the_section_began);
  tcase_add_test (tests, a_second_end_after_a_head_is_redundant);
  tcase_add_test (tests, a_second_end_is_redundant_after_others_without_number);
  tcase_add_test (tests, a_preempt_first_means_that_it_ran_before);
  tcase_add_test (tests, a_resume_first_means_that_it_was_preempted_before);
  tcase_add_test (tests, a_wait_first_means_that_it_ran_before);
  tcase_add_test (tests, a_release_first_means_that_it_waited_before);
  tcase_add_test (tests, a_head_released_and_resumed_at_one_stamp_was_not_preempted);
  tcase_add_test (tests, an_activation_before_the_end_of_a_head_belongs_to_the_next_instance);
  tcase_add_test (tests, chains_go_on_after_a_head);
  tcase_add_test (tests, an_open_head_is_followed_by_activations);
  tcase_add_loop_test (tests, a_head_of_a_section_that_does_not_begin_at_0_ran_since_then, 0, 2);
  tcase_add_test (tests, who_took_the_core_from_a_head_did_not_run_before);
  tcase_add_test (tests, an_open_preemption_of_a_tail_is_not_closed);
  tcase_add_test (tests, a_head_may_be_a_tail_too);
  tcase_add_test (tests, a_resumed_head_may_run_to_the_end);
  tcase_add_test (tests, a_head_of_a_runnable_is_no_load);
  tcase_add_test (tests, a_head_of_a_runnable_keeps_its_closed_preemptions);
  tcase_add_test (tests, a_lower_number_than_all_before_is_a_head_even_late);
  tcase_add_test (tests, a_late_head_does_not_take_the_slack_of_others);
  tcase_add_loop_test (tests, a_head_that_shows_late_is_followed_by_the_first_start, 0, 6);
  tcase_add_loop_test (tests, a_head_that_may_not_be_the_last_one_is_followed_by_nothing, 0, 4);
  tcase_add_test (tests, what_was_activated_between_a_head_and_another_one_has_its_slack);
  tcase_add_test (tests, between_a_head_and_another_one_there_may_be_none);
  tcase_add_test (tests, a_head_is_followed_by_the_next_number);
  tcase_add_test (tests, a_head_is_followed_by_an_open_one_even_if_others_are_over);
  tcase_add_test (tests, slack_follows_one_that_lost_its_start);
  tcase_add_test (tests, a_tail_keeps_IPT_DT_and_closed_preemptions);
  tcase_add_test (tests, a_tail_is_load_up_to_the_end_of_the_window);
  tcase_add_test (tests, an_end_after_the_section_stops_is_used_and_load_is_clipped);
  tcase_add_test (tests, a_start_before_the_section_starts_is_used_and_load_is_clipped);
  tcase_add_test (tests, a_start_while_started_means_that_a_task_lost_its_end);
  tcase_add_test (tests, a_preempted_task_without_numbers_may_lose_its_end_too);
  tcase_add_test (tests, nothing_crosses_a_section);
  tcase_add_test (tests, an_activation_does_not_cross_a_section);
  tcase_add_test (tests, samples_of_sections_are_pooled);
  tcase_add_test (tests, a_section_without_a_start_begins_with_its_first_event);
  tcase_add_test (tests, a_section_without_events_has_its_window);
  tcase_add_test (tests, everything_begins_anew_at_an_error_event);
  tcase_add_test (tests, what_follows_at_once_is_cut_by_the_next_error_event);
  tcase_add_test (tests, an_activation_before_an_error_event_is_not_used_after_it);
  tcase_add_test (tests, an_activation_that_an_error_event_cuts_has_a_number_of_its_own);
  tcase_add_test (tests, a_function_that_its_task_left_open_lost_its_end);
  tcase_add_test (tests, a_function_that_is_left_open_and_starts_again_lost_its_end);
  tcase_add_test (tests, a_runnable_is_cut_by_an_error_event_with_its_task);
  tcase_add_test (tests, an_error_event_of_one_core_leaves_the_other_alone);
  tcase_add_test (tests, a_function_that_is_open_on_two_cores_is_cut_on_one);
  tcase_add_test (tests, an_activation_on_another_core_does_not_move_the_instance);
  tcase_add_test (tests, an_activation_on_another_core_outlives_an_error_event);
  tcase_add_test (tests, an_error_event_of_no_core_cuts_all);
  suite_add_tcase (suite, tests);
}
