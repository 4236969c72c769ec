/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "timeline-fixture.h"

/* Who runs where: overlap (rule 13), equal stamps (rule 14), idle tasks (rule 19), load, also of what began before the
 * section (rule 6), and the overhead of tracing (rule 21). */

/* Rule 13 */

START_TEST (two_tasks_that_run_at_one_time_are_trusted_and_counted)
{
  /* no preempt of T1: it runs 0..6, T2 2..4; load 6 + 2 */
  run_trace ("0 start T1; 2 start T2; 4 end T2; 6 end T1");
  expect ("T1", "CET 6 | GET 6 | SELF 6 | NPR 0");
  expect ("T2", "CET 2 | GET 2 | SELF 2 | NPR 0");
  expect_load (0, "8/6");
  expect_found ("overlap 1");
  ck_assert_uint_eq (fixture.diagnostics->entries[TS_DIAGNOSTIC_OVERLAP].line, 2);
}
END_TEST

START_TEST (overlap_is_counted_for_each_task_that_joins)
{
  run_trace ("0 start T1; 1 start T2; 2 start T3; 3 end T3; 4 end T2; 5 end T1");
  expect_found ("overlap 2");
}
END_TEST

START_TEST (two_that_start_together_overlap)
{
  run_trace ("0 start T1; 0 start T2; 5 end T1; 5 end T2");
  expect_load (0, "10/5");
  expect_found ("overlap 1");
}
END_TEST

START_TEST (tasks_of_two_cores_do_not_overlap)
{
  run_trace ("0 start T1; 2 start T2 on 1; 4 end T2 on 1; 6 end T1");
  expect_load (0, "6/6");
  expect_load (1, "2/6");
  expect_found ("");
}
END_TEST

START_TEST (overlap_needs_time)
{
  /* at 3, the end, no time has passed; with a stop it has */
  run_trace ("0 start T1; 3 start T2; section 0 10; 0 start T1; 3 start T2");
  expect_found ("overlap 1, partial-tail 4");
}
END_TEST

/* T1 has lost an end when it starts anew at 40; who runs beside it tells that it was over. */
START_TEST (what_lost_its_end_is_no_load_beside_others)
{
  static const struct
  {
    const char *trace, *load, *found;
  } cases[] = {
    /* T1 0..10 and 40..45, T2 10..15 */
    { "0 start T1; 10 start T2; 15 end T2; 40 start T1; 45 end T1", "20/45", "missing-end 1, overlap 1" },
    /* the first one tells: T2 10..15, T3 20..25 */
    { "0 start T1; 10 start T2; 15 end T2; 20 start T3; 25 end T3; 40 start T1; 45 end T1", "25/45", "missing-end 1, overlap 2" },
    /* T2 loses its end, too, and starts anew at 50: T1 0..10 and 40..45, T2 10..20 and 50..55, T3 20..25 */
    { "0 start T1; 10 start T2; 20 start T3; 25 end T3; 40 start T1; 45 end T1; 50 start T2; 55 end T2", "35/55",
      "missing-end 2, overlap 3" },
    /* nobody ran beside it since it went on at 20: T1 0..18 and 20..45, T2 10..15 */
    { "0 start T1; 10 start T2; 15 end T2; 18 preempt T1; 20 resume T1; 40 start T1; 45 end T1", "48/45", "missing-end 1, overlap 1" },
    /* in any order at one stamp, and for no time */
    { "0 start T1; 10 start I1; 10 preempt T1; 10 end I1; 10 resume T1; 40 start T1; 45 end T1", "45/45", "missing-end 1" },
    { "0 start T1; 10 start I1; 10 end I1; 40 start T1; 45 end T1", "45/45", "missing-end 1" },
    { "0 start T1; 10 start I1; 10 start I2; 10 end I1; 12 end I2; 40 start T1; 45 end T1", "17/45", "missing-end 1, overlap 1" },
    /* nobody ran beside it at all */
    { "0 start T1; 40 start T1; 45 end T1", "45/45", "missing-end 1" },
    /* ISRs from one stamp to the other are beside nobody: I1 10..15, T1 0..10, 15..40, 40..45 */
    { "0 start T1; 10 start I1; 10 preempt T1; 15 end I1; 15 resume T1; 40 start T1; 45 end T1", "45/45", "missing-end 1" },
    /* it does not start anew: then it is trusted */
    { "0 start T1; 10 start T2; 15 end T2; 40 user", "45/40", "overlap 1, partial-tail 1" },
    /* a part of what it did not run is before the section: T1 5..10 and 40..45, T2 10..15 */
    { "section 5 50; 0 start T1; 10 start T2; 15 end T2; 40 start T1; 45 end T1", "15/45", "missing-end 1, overlap 1" },
    /* and behind its stop: T1 0..10, T2 10..15 */
    { "section 0 30; 0 start T1; 10 start T2; 15 end T2; 40 start T1; 45 end T1", "15/30", "missing-end 1, overlap 1" },
  };

  run_trace (cases[_i].trace);
  expect_load (0, cases[_i].load);
  expect_found (cases[_i].found);
}
END_TEST

/* Rule 14 */

START_TEST (the_order_at_one_stamp_does_not_matter)
{
  /* T1 0..10 and r1 1..9, both without 3..7 */
  static const char *const begins[] = { "3 preempt T1; 3 start I1;", "3 start I1; 3 preempt T1;" };
  static const char *const ends[] = { "7 end I1; 7 resume T1;", "7 resume T1; 7 end I1;" };
  g_autofree char *script = g_strdup_printf ("0 start T1; 1 start r1; %s %s 9 end r1; 10 end T1", begins[_i / 2],
                                             ends[_i % 2]);

  run_trace (script);
  expect ("T1", "CET 6 | GET 10 | PRE 4 | SELF 2 | NPR 1");
  expect ("r1", "CET 4 | GET 8 | PRE 4 | SELF 4 | NPR 1");
  expect ("I1", "CET 4 | GET 4 | SELF 4 | NPR 0");
  expect_load (0, "10/10");
  expect_found ("");
}
END_TEST

START_TEST (a_task_may_start_before_the_other_one_ends_at_one_stamp)
{
  run_trace ("0 start T1; 5 start T2; 5 end T1; 8 end T2");
  expect ("T1", "CET 5 | GET 5 | SELF 5 | NPR 0");
  expect ("T2", "CET 3 | GET 3 | SELF 3 | NPR 0");
  expect_load (0, "8/8");
  expect_found ("");
}
END_TEST

START_TEST (an_overlap_beside_an_exchange_at_one_stamp_is_counted_once_for_each)
{
  /* T2 joins T1 at 3; at 6 I1 takes the place of T2, in the order that needs a second look */
  run_trace ("0 start T1; 3 start T2; 6 start I1; 6 preempt T2; 8 resume T2; 8 end I1; 9 end T2; 10 end T1");
  expect ("T1", "CET 10 | GET 10 | SELF 10 | NPR 0");
  expect ("T2", "CET 4 | GET 6 | PRE 2 | SELF 4 | NPR 1");
  expect ("I1", "CET 2 | GET 2 | SELF 2 | NPR 0");
  expect_found ("overlap 3");
}
END_TEST

START_TEST (instances_and_intervals_may_have_no_length)
{
  run_trace ("3 start T1; 3 end T1; 8 start T1; 9 preempt T1; 9 resume T1; 12 end T1");
  expect ("T1", "CET 0 4 | GET 0 4 | DT 5 | PRE 0 | SELF 0 4 | E2S 5 | NPR 0 1");
  expect_load (0, "4/12");
  expect_found ("");
}
END_TEST

START_TEST (everything_may_happen_at_one_stamp)
{
  run_trace ("3 act T1; 3 start T1; 3 start r1; 3 preempt T1; 3 start I1; 3 end I1; 3 resume T1; 3 end r1; 3 end T1; 3 act T1;"
             "3 start T1; 3 end T1; 6 user");
  expect ("T1", "IPT 0 0 | CET 0 0 | GET 0 0 | RT 0 0 | DT 0 | PER 0 | ST 0 | PRE 0 | SELF 0 0 | E2S 0 | NPR 0 1");
  expect ("r1", "CET 0 | GET 0 | PRE 0 | SELF 0 | NPR 1");
  expect_load (0, "0/6");
  expect_found ("");
}
END_TEST

START_TEST (events_that_the_state_does_not_allow_are_counted_and_ignored)
{
  run_trace ("0 start T1; 2 resume T1; 4 preempt T1; 5 preempt T1; 7 resume T1; 8 resume T1; 10 end T1;"
             "11 preempt T1; 12 resume T1");
  expect ("T1", "CET 7 | GET 10 | PRE 3 | SELF 7 | NPR 1");
  expect_found ("redundant-preempt 2, redundant-resume 3");
}
END_TEST

START_TEST (a_task_may_go_on_on_another_core)
{
  run_trace ("0 start T1; 3 preempt T1; 3 start T2; 5 resume T1 on 1; 8 end T2; 9 end T1 on 1");
  expect ("T1", "CET 7 | GET 9 | PRE 2 | SELF 7 | NPR 1");
  expect_load (0, "8/9");
  expect_load (1, "4/9");
  ck_assert_uint_eq (fixture_instance ("T1", 1)->resource, 1);
  expect_found ("");
}
END_TEST

START_TEST (a_task_takes_its_runnable_to_another_core)
{
  run_trace ("0 start T1; 1 start r1; 3 preempt T1; 5 resume T1 on 1; 6 start r2 on 1; 7 end r2 on 1; 8 end r1 on 1;"
             "9 end T1 on 1");
  expect ("r1", "CET 5 | GET 7 | PRE 2 | SELF 4 | NPR 1");
  expect ("r2", "CET 1 | GET 1 | SELF 1 | NPR 0");
  expect ("T1", "CET 7 | GET 9 | PRE 2 | SELF 2 | NPR 1");
  ck_assert_uint_eq (fixture_instance ("r2", 1)->owner, fixture_element ("T1"));
}
END_TEST

/* Rule 8, with numbers */

START_TEST (the_start_of_a_preempted_instance_is_a_resume)
{
  run_trace ("0 start T1#4; 1 start r1; 2 preempt T1#4; 2 start I1#0; 5 end I1#0; 5 start T1#4; 8 end r1; 9 end T1#4");
  expect ("T1", "CET 6 | GET 9 | PRE 3 | SELF 2 | NPR 1");
  expect ("r1", "CET 4 | GET 7 | PRE 3 | SELF 4 | NPR 1");
  expect_counts ("T1", "starts 1, ends 1, complete 1");
  expect_load (0, "9/9");
  expect_found ("start-as-resume 1");
}
END_TEST

START_TEST (another_number_is_another_instance)
{
  run_trace ("0 start T1#4; 2 preempt T1#4; 2 start T1#5; 5 end T1#5; 5 resume T1#4; 9 end T1#4");
  expect ("T1", "CET 3 6 | GET 3 9 | DT 2 | PRE 3 | SELF 3 6 | E2S -7 | NPR 0 1");
  expect_found ("");
}
END_TEST

/* Instance 2 starts at 3, before 1 ends at 10, and ends at 12: by then E2S is 3 - 10. Instance 4 starts at 22 while 3 is
 * open, and ends before it: nothing is known of it then, but the sample 22 - 30 comes. ST of an ISR is E2S; of the task,
 * activated at 2, it is 2 - 10. */
START_TEST (an_instance_that_overlaps_has_the_slack_before_it)
{
  static const guint both = TS_INSTANCE_TOLD_E2S | TS_INSTANCE_HAS_E2S;
  const TsInstance *isr, *task;

  run_trace ("0 start I1#1; 0 act T1#1 on 1; 1 start T1#1 on 1; 2 act T1#2 on 1; 3 start I1#2 on 1; 3 start T1#2\n"
             "10 end I1#1; 10 end T1#1 on 1; 12 end I1#2 on 1; 12 end T1#2\n"
             "20 start I1#3; 22 start I1#4 on 1; 25 end I1#4 on 1; 30 end I1#3");
  expect_intervals ("I1", E2S, "-7@3#2 8@20#3 -8@22#4");
  isr = fixture_instance ("I1", 2);
  task = fixture_instance ("T1", 2);
  ck_assert_uint_eq (isr->flags & both, TS_INSTANCE_TOLD_E2S);
  ck_assert_int_eq (isr->e2s, -7);
  ck_assert_uint_ne (isr->flags & TS_INSTANCE_HAS_ST, 0);
  ck_assert_int_eq (isr->st, -7);
  ck_assert_uint_eq (task->flags & both, TS_INSTANCE_TOLD_E2S);
  ck_assert_int_eq (task->e2s, -7);
  ck_assert_int_eq (task->st, -8);
  ck_assert_uint_eq (fixture_instance ("I1", 3)->flags & both, TS_INSTANCE_HAS_E2S);
  ck_assert_uint_eq (fixture_instance ("I1", 4)->flags & (both | TS_INSTANCE_HAS_ST), 0);
}
END_TEST

/* The head is seen between both starts, so it was opened between them. */
START_TEST (a_head_between_two_that_overlap_is_passed_over)
{
  run_trace ("0 start T1#5; 2 preempt T1#5; 2 preempt T1#3 on 1; 4 start T1#6; 5 end T1#5; 6 end T1#6; 8 end T1#3 on 1");
  expect_instances ("T1", "5 complete, 6 complete, 3 partial head");
  ck_assert_int_eq (fixture_instance ("T1", 6)->e2s, -1);
  ck_assert_uint_ne (fixture_instance ("T1", 6)->flags & TS_INSTANCE_TOLD_E2S, 0);
}
END_TEST

START_TEST (the_end_of_a_preempted_instance_closes_it)
{
  /* CET: what ran, 1..3. No resume: no sample of PRE. */
  run_trace ("0 act T1#1; 1 start T1#1; 3 preempt T1#1; 8 end T1#1");
  expect ("T1", "IPT 1 | CET 2 | GET 7 | RT 8 | SELF 2 | NPR 0");
  expect_load (0, "2/8");
  expect_found ("end-while-preempted 1");
  ck_assert_int_eq (fixture_instance ("T1", 1)->preempted, 5);
}
END_TEST

START_TEST (the_end_of_a_waiting_instance_closes_it)
{
  /* waits 2..3 and 5..9, and is ready 3..4 */
  run_trace ("0 start T1#1; 2 wait T1#1; 3 release T1#1; 4 resume T1#1; 5 wait T1#1; 9 end T1#1");
  expect ("T1", "CET 3 | GET 9 | PRE 1 | SELF 3 | WAIT 1 | NPR 1");
  expect_found ("end-while-preempted 1");
  ck_assert_int_eq (fixture_instance ("T1", 1)->preempted, 1);
  ck_assert_int_eq (fixture_instance ("T1", 1)->waiting, 5);
}
END_TEST

START_TEST (the_end_of_an_instance_that_never_started_closes_it)
{
  /* A 2, E 5 of #1: RT 3, and no S: no IPT, CET, GET, nor DT of #2. The start at 6 is not its: E2S 6 - 5. */
  run_trace ("0 start T1#0; 1 end T1#0; 2 act T1#1; 5 end T1#1; 6 start T1#2; 7 end T1#2");
  ck_assert_uint_eq (ts_timeline_counts (fixture.timeline, fixture_element ("T1")).pending, 0);
  expect ("T1", "CET 1 1 | GET 1 1 | RT 3 | ST 1 | SELF 1 1 | E2S 1 | NPR 0 0");
}
END_TEST

START_TEST (slack_follows_an_instance_that_never_started)
{
  /* ST 8 - 3, E2S 9 - 3 */
  run_trace ("0 act T1#1; 3 end T1#1; 8 act T1#2; 9 start T1#2; 10 end T1#2");
  expect ("T1", "IPT 1 | CET 1 | GET 1 | RT 2 3 | PER 8 | ST 5 | SELF 1 | E2S 6 | NPR 0");
}
END_TEST

/* Rule 19 */

START_TEST (an_idle_task_has_no_CET_and_is_no_load)
{
  ts_system_add_idle_pattern (fixture.system, "Tidle*");
  run_trace ("0 start Tidle0; 2 preempt Tidle0; 2 start T1; 5 end T1; 5 resume Tidle0; 9 end Tidle0");
  expect ("Tidle0", "GET 9 | PRE 3 | NPR 1");
  expect ("T1", "CET 3 | GET 3 | SELF 3 | NPR 0");
  expect_load (0, "3/9");
}
END_TEST

/* T2 10..15 is all that was load, so that there is none to take back when Tidle has lost its end. */
START_TEST (an_idle_task_that_lost_its_end_was_no_load)
{
  ts_system_add_idle_pattern (fixture.system, "Tidle");
  run_trace ("0 start Tidle; 10 start T2; 15 end T2; 40 start Tidle; 45 end Tidle");
  expect_load (0, "5/45");
}
END_TEST

START_TEST (an_idle_head_is_no_load)
{
  ts_system_add_idle_pattern (fixture.system, "Tidle");
  run_trace ("4 preempt Tidle; 4 start T1; 5 end T1; 5 resume Tidle; 10 user");
  expect ("Tidle", "PRE 1");
  expect_load (0, "1/10");
}
END_TEST

START_TEST (a_task_that_never_ends_has_no_CET)
{
  run_trace ("0 start T1; 2 preempt T1; 2 start T2; 5 end T2; 5 resume T1; 10 user");
  expect ("T1", "PRE 3");
  expect_load (0, "10/10");
}
END_TEST

START_TEST (a_stopwatch_is_neither_load_nor_preempted)
{
  run_trace ("0 start T1; 1 start s1; 2 preempt T1; 2 start I1; 4 end I1; 4 resume T1; 6 end s1; 7 end T1; 9 start s1; 10 end s1");
  expect ("s1", "CET 1 5 | GET 1 5 | DT 8 | ST 3 | SELF 1 5 | E2S 3 | NPR 0 0");
  expect_load (0, "7/10");
}
END_TEST

/* Rule 6 */

/* A resource is full once, whoever had it: each head has what nobody else is known to have. */
START_TEST (heads_fill_their_resource_once)
{
  static const struct
  {
    const char *trace, *load, *found;
  } cases[] = {
    /* T1 0..5, so T2 5..8 */
    { "0 user; 5 end T1; 8 end T2; 10 user", "8/10", "partial-head 2" },
    /* T1 3..5, T2 0..3 and 5..8 */
    { "0 user; 3 resume T1; 5 preempt T1; 8 end T2; 10 user", "8/10", "partial-head 2" },
    /* T2 2..4 was seen to start, I1 lost its start: 0..2 and 4..8 */
    { "0 user; 2 start T2; 4 end T2; 8 end I1; 10 user", "8/10", "partial-head 1" },
    /* T2 2..9 runs on, T1 0..2 */
    { "0 user; 2 start T2; 6 end T1; 9 end T2; 10 user", "9/10", "partial-head 1" },
    /* the same for who waits, and is preempted: T1 0..3, T2 3..4, T3 4..6 */
    { "0 user; 3 preempt T1; 4 wait T2; 6 end T3; 10 user", "6/10", "partial-head 3" },
    /* T1 6..8 after the release, T2 0..6 */
    { "0 user; 1 release T1; 6 resume T1; 8 end T1; 9 end T2; 10 user", "9/10", "partial-head 2" },
  };

  run_trace (cases[_i].trace);
  expect_load (0, cases[_i].load);
  expect_found (cases[_i].found);
}
END_TEST

START_TEST (an_idle_head_has_its_time_all_the_same)
{
  /* Tidle 0..5 is no load, T1 5..8 */
  ts_system_add_idle_pattern (fixture.system, "Tidle");
  run_trace ("0 user; 5 end Tidle; 8 end T1; 10 user");
  expect_load (0, "3/10");
}
END_TEST

/* Rule 21 */

START_TEST (overhead_is_subtracted_only_if_asked)
{
  fixture_overhead (NULL, 0, 1);
  fixture.options.subtract_overhead = FALSE;
  run_trace ("0 start T1; 10 end T1");
  expect ("T1", "CET 10 | GET 10 | SELF 10 | NPR 0");
  expect_load (0, "10/10");
}
END_TEST

START_TEST (a_slice_costs_the_after_part_and_the_before_part)
{
  /* 10 - (1 after the start + 2 before the end) */
  fixture_overhead (NULL, 2, 1);
  run_trace ("0 start T1; 10 end T1");
  expect ("T1", "CET 7 | GET 10 | SELF 7 | NPR 0");
  expect_load (0, "7/10");
  expect_found ("");
}
END_TEST

START_TEST (every_event_inside_a_slice_costs)
{
  /* 4 - 2, 6 - 2 */
  fixture_overhead (NULL, 1, 1);
  run_trace ("0 start T1; 4 user; 10 end T1");
  expect ("T1", "CET 6 | GET 10 | SELF 6 | NPR 0");
}
END_TEST

START_TEST (only_running_slices_cost)
{
  /* T1: 10 - 2 twice; I1: 10 - 2. PRE and GET stay. Load 24 of 40 */
  fixture_overhead (NULL, 1, 1);
  run_trace ("0 start T1; 10 preempt T1; 10 start I1; 20 end I1; 20 resume T1; 30 end T1; 40 user");
  expect ("T1", "CET 16 | GET 30 | PRE 10 | SELF 16 | NPR 1");
  expect ("I1", "CET 8 | GET 10 | SELF 8 | NPR 0");
  expect_load (0, "24/40");
  expect_found ("");
}
END_TEST

START_TEST (overhead_does_not_depend_on_the_order_at_one_stamp)
{
  fixture_overhead (NULL, 1, 1);
  run_trace ("0 start T1; 10 start I1; 10 preempt T1; 20 resume T1; 20 end I1; 30 end T1; 40 user");
  expect ("T1", "CET 16 | GET 30 | PRE 10 | SELF 16 | NPR 1");
  expect ("I1", "CET 8 | GET 10 | SELF 8 | NPR 0");
  expect_load (0, "24/40");
}
END_TEST

START_TEST (an_element_may_have_an_overhead_of_its_own)
{
  /* T1 0 + 5, all others 1 + 1: 10 - (5 + 1), 10 - (1 + 0) */
  fixture_overhead (NULL, 1, 1);
  fixture_overhead ("T1", 0, 5);
  run_trace ("0 start T1; 10 user; 20 end T1");
  expect ("T1", "CET 13 | GET 20 | SELF 13 | NPR 0");
}
END_TEST

START_TEST (no_more_than_a_slice_is_subtracted_from_it)
{
  /* 3 - 3, 7 - 5 */
  fixture_overhead (NULL, 0, 5);
  run_trace ("0 start T1; 3 user; 10 end T1");
  expect ("T1", "CET 2 | GET 10 | SELF 2 | NPR 0");
  expect_load (0, "2/10");
  expect_found ("overhead-too-large 1");
}
END_TEST

/* What lies before the section is not measured: of 5 before the first event 3 are in it. T1 ran 1000..1020 and 1050..1060, of
 * which events at 1003, 1020 and 1060 took 3, 5 and 5. */
START_TEST (no_overhead_is_taken_from_before_the_section)
{
  fixture_overhead (NULL, 5, 0);
  run_trace ("section 1000 1100; 1003 user; 1020 preempt T1; 1050 resume T1; 1060 end T1");
  expect_load (0, "17/100");
}
END_TEST

/* Nor is what the last event of a section took any in the next one: 100 - 5, 10, and 10 - 5. */
START_TEST (no_overhead_goes_on_into_the_next_section)
{
  fixture_overhead (NULL, 0, 5);
  run_trace ("section 0 100; 0 start T1; 100 end T1; section 200 300; 210 preempt T1; 220 resume T1; 230 end T1");
  expect_load (0, "110/200");
}
END_TEST

START_TEST (overhead_of_callees_is_their_callers_too)
{
  /* slices 2, 4, 4, each less 1: r1 4 - 1; T1 10 - 3, SELF 7 - 3 */
  fixture_overhead (NULL, 0, 1);
  run_trace ("0 start T1; 2 start r1; 6 end r1; 10 end T1");
  expect ("r1", "CET 3 | GET 4 | SELF 3 | NPR 0");
  expect ("T1", "CET 7 | GET 10 | SELF 4 | NPR 0");
  expect_load (0, "7/10");
}
END_TEST

START_TEST (nothing_is_subtracted_where_nobody_runs)
{
  /* 4 - 1, 2 - 1 */
  fixture_overhead (NULL, 0, 1);
  run_trace ("0 start T1; 4 end T1; 7 user; 10 start T1; 12 end T1");
  expect ("T1", "CET 1 3 | GET 2 4 | DT 10 | SELF 1 3 | E2S 6 | NPR 0 0");
  expect_load (0, "4/12");
}
END_TEST

START_TEST (events_on_another_core_cost_nothing_here)
{
  fixture_overhead (NULL, 0, 1);
  run_trace ("0 start T1; 2 user on 1; 4 end T1");
  expect ("T1", "CET 3 | GET 4 | SELF 3 | NPR 0");
}
END_TEST

START_TEST (overhead_does_not_cross_a_section)
{
  /* the start at 0 of the second section follows the end of the first, whose after-part does not count: 4 - 3 each */
  fixture_overhead (NULL, 0, 3);
  run_trace ("section 0; 0 start T1; 4 end T1; section 0; 0 start T1; 4 end T1");
  expect ("T1", "CET 1 1 | GET 4 4 | SELF 1 1 | NPR 0 0");
  expect_load (0, "2/8");
}
END_TEST

/* An after-part of 3, a before-part of 2. */
START_TEST (what_runs_on_to_the_end_has_the_part_behind_its_last_event)
{
  static const struct
  {
    const char *trace, *load, *found;
  } cases[] = {
    /* 0..10 less 3 and 2, 10..20 less 3 */
    { "section 0 20; 0 start T1; 10 user", "12/20", "partial-tail 1" },
    /* between 10 and 12 there are 2 of the 3, which is no defect of the trace */
    { "section 0 12; 10 start T1", "0/12", "partial-tail 1" },
    /* without a stop the end is at the last event, on another core: 10 less 3 */
    { "0 start T1; 10 user on 1", "7/10", "partial-tail 1" },
    /* an error of no resource cuts all of them: 10 less 3, of 20 */
    { "0 start T1; 10 error on -; 20 user", "7/20", "partial-tail 1, error-event 1" },
    /* one of this resource: 10 less 3 and 2 */
    { "0 start T1; 10 error; 20 user", "5/20", "partial-tail 1, error-event 1" },
    /* and where it goes on, 10..20 less 3 and 2 */
    { "0 start T1; 10 error; 20 end T1", "10/20", "partial-head 1, partial-tail 1, error-event 1" },
    /* nobody runs at the end: 10 less 3 and 2 */
    { "section 0 20; 0 start T1; 10 end T1", "5/20", "" },
  };

  fixture_overhead (NULL, 2, 3);
  run_trace (cases[_i].trace);
  expect_load (0, cases[_i].load);
  expect_found (cases[_i].found);
}
END_TEST

START_TEST (what_ran_since_the_beginning_has_the_part_before_its_first_event)
{
  static const struct
  {
    const char *trace, *load;
  } cases[] = {
    /* 10 less 2 */
    { "section 0 20; 10 end T1", "8/20" },
    /* the first event of another core costs nothing here */
    { "section 0 20; 5 user on 1; 10 end T1", "8/20" },
    /* no more than there was */
    { "section 9 20; 10 end T1", "0/11" },
    /* of the costs behind the event at 5 nothing lies in the window: 9..15 less 2 */
    { "section 9 20; 5 user; 15 end T1", "4/11" },
  };

  fixture_overhead (NULL, 2, 3);
  run_trace (cases[_i].trace);
  expect_load (0, cases[_i].load);
  expect_found ("partial-head 1");
}
END_TEST

START_TEST (overhead_works_where_preemptions_are_inferred)
{
  /* T1 0..10 and 20..30, I1 10..20: each slice less 2 */
  fixture_infer ();
  fixture_overhead (NULL, 1, 1);
  run_trace ("0 start T1; 10 start I1; 20 end I1; 30 end T1");
  expect ("T1", "CET 16 | GET 30 | PRE 10 | SELF 16 | NPR 1");
  expect ("I1", "CET 8 | GET 10 | SELF 8 | NPR 0");
  expect_load (0, "24/30");
}
END_TEST

START_TEST (what_ran_since_the_beginning_has_its_overhead)
{
  /* two slices of 10, each less 2, in whose second nobody is known to run */
  fixture_overhead (NULL, 0, 2);
  run_trace ("0 start r1; 10 end r1; 20 end T1");
  expect_load (0, "16/20");
  expect ("r1", "CET 8 | GET 10 | SELF 8 | NPR 0");
}
END_TEST

START_TEST (what_ran_around_others_since_the_beginning_has_its_own_overhead)
{
  /* T1 0..10 and 20..30, I1 10..20, T2 30..40 as another head; each slice less 2 */
  fixture_infer ();
  fixture_overhead (NULL, 1, 1);
  run_trace ("0 user; 10 start I1; 20 end I1; 30 end T1; 40 end T2");
  expect_load (0, "32/40");
}
END_TEST

START_TEST (a_window_has_the_overhead_that_lies_in_it)
{
  static const struct
  {
    gint64      from, to;
    const char *load;
  } windows[] = {
    /* of each slice of 10, 1 behind its first event and 2 before its last: at 0..1, 8..10, 10..11 and 18..20 */
    { 0, 20, "14/20" }, { 0, 5, "4/5" },   { 5, 20, "10/15" }, { 0, 9, "7/9" },
    { 9, 20, "7/11" },  { 9, 11, "0/2" },  { 2, 8, "6/6" },    { 19, 20, "0/1" },
  };

  fixture_overhead (NULL, 2, 1);
  fixture_window (windows[_i].from, windows[_i].to);
  run_trace ("0 start T1; 10 user; 20 end T1");
  expect_load (0, windows[_i].load);
}
END_TEST

START_TEST (a_window_has_the_overhead_of_what_ran_since_the_beginning)
{
  /* as before, for a head */
  static const char *const loads[] = { "4/5", "10/15" };

  fixture_overhead (NULL, 2, 1);
  fixture_window (_i == 0 ? 0 : 5, _i == 0 ? 5 : 20);
  run_trace ("0 user; 10 user; 20 end T1");
  expect_load (0, loads[_i]);
}
END_TEST

void
add_core_tests (Suite *suite)
{
  TCase *tests = tcase_create ("cores");

  tcase_add_checked_fixture (tests, fixture_setup, fixture_teardown);
  tcase_add_test (tests, two_tasks_that_run_at_one_time_are_trusted_and_counted);
  tcase_add_test (tests, overlap_is_counted_for_each_task_that_joins);
  tcase_add_test (tests, two_that_start_together_overlap);
  tcase_add_test (tests, tasks_of_two_cores_do_not_overlap);
  tcase_add_test (tests, overlap_needs_time);
  tcase_add_loop_test (tests, what_lost_its_end_is_no_load_beside_others, 0, 12);
  tcase_add_loop_test (tests, the_order_at_one_stamp_does_not_matter, 0, 4);
  tcase_add_test (tests, a_task_may_start_before_the_other_one_ends_at_one_stamp);
  tcase_add_test (tests, an_overlap_beside_an_exchange_at_one_stamp_is_counted_once_for_each);
  tcase_add_test (tests, instances_and_intervals_may_have_no_length);
  tcase_add_test (tests, everything_may_happen_at_one_stamp);
  tcase_add_test (tests, events_that_the_state_does_not_allow_are_counted_and_ignored);
  tcase_add_test (tests, a_task_may_go_on_on_another_core);
  tcase_add_test (tests, a_task_takes_its_runnable_to_another_core);
  tcase_add_test (tests, the_start_of_a_preempted_instance_is_a_resume);
  tcase_add_test (tests, another_number_is_another_instance);
  tcase_add_test (tests, an_instance_that_overlaps_has_the_slack_before_it);
  tcase_add_test (tests, a_head_between_two_that_overlap_is_passed_over);
  tcase_add_test (tests, the_end_of_a_preempted_instance_closes_it);
  tcase_add_test (tests, the_end_of_a_waiting_instance_closes_it);
  tcase_add_test (tests, the_end_of_an_instance_that_never_started_closes_it);
  tcase_add_test (tests, slack_follows_an_instance_that_never_started);
  tcase_add_test (tests, an_idle_task_has_no_CET_and_is_no_load);
  tcase_add_test (tests, an_idle_task_that_lost_its_end_was_no_load);
  tcase_add_test (tests, an_idle_head_is_no_load);
  tcase_add_test (tests, a_task_that_never_ends_has_no_CET);
  tcase_add_test (tests, a_stopwatch_is_neither_load_nor_preempted);
  tcase_add_loop_test (tests, heads_fill_their_resource_once, 0, 6);
  tcase_add_test (tests, an_idle_head_has_its_time_all_the_same);
  tcase_add_test (tests, overhead_is_subtracted_only_if_asked);
  tcase_add_test (tests, a_slice_costs_the_after_part_and_the_before_part);
  tcase_add_test (tests, every_event_inside_a_slice_costs);
  tcase_add_test (tests, only_running_slices_cost);
  tcase_add_test (tests, overhead_does_not_depend_on_the_order_at_one_stamp);
  tcase_add_test (tests, an_element_may_have_an_overhead_of_its_own);
  tcase_add_test (tests, no_more_than_a_slice_is_subtracted_from_it);
  tcase_add_test (tests, no_overhead_is_taken_from_before_the_section);
  tcase_add_test (tests, no_overhead_goes_on_into_the_next_section);
  tcase_add_test (tests, overhead_of_callees_is_their_callers_too);
  tcase_add_test (tests, nothing_is_subtracted_where_nobody_runs);
  tcase_add_test (tests, events_on_another_core_cost_nothing_here);
  tcase_add_test (tests, overhead_does_not_cross_a_section);
  tcase_add_loop_test (tests, what_runs_on_to_the_end_has_the_part_behind_its_last_event, 0, 6);
  tcase_add_loop_test (tests, what_ran_since_the_beginning_has_the_part_before_its_first_event, 0, 4);
  tcase_add_test (tests, overhead_works_where_preemptions_are_inferred);
  tcase_add_test (tests, what_ran_since_the_beginning_has_its_overhead);
  tcase_add_test (tests, what_ran_around_others_since_the_beginning_has_its_own_overhead);
  tcase_add_loop_test (tests, a_window_has_the_overhead_that_lies_in_it, 0, 8);
  tcase_add_loop_test (tests, a_window_has_the_overhead_of_what_ran_since_the_beginning, 0, 2);
  suite_add_tcase (suite, tests);
}
