/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "timeline-fixture.h"

/* Runnables and functions that were open when the section began (rule 6). */

/* What was open when the section began is outside of what starts later, whatever its first event is. */
START_TEST (a_head_is_outside_of_what_was_seen_to_start)
{
  static const char *const suspensions[] = {
    "20 preempt r1; 20 preempt r2; 20 preempt T1; 30 resume T1; 30 resume r2; 30 resume r1",
    "20 preempt r2; 20 preempt r1; 20 preempt T1; 30 resume r1; 30 resume r2; 30 resume T1",
    "20 preempt T1; 20 preempt r2; 20 preempt r1; 30 resume T1; 30 resume r1; 30 resume r2",
    "20 preempt T1; 30 resume T1; 30 resume r2",
  };
  g_autofree char *trace = g_strdup_printf ("10 start r1; %s; 35 start r3; 39 end r3; 50 end r1; 60 end r2; 70 end T1",
                                            suspensions[_i]);

  /* r1 ran 10..20 and 30..50, r3 in it 35..39; r2 and T1 have no CET */
  run_trace (trace);
  expect ("r1", "CET 30 | GET 40 | PRE 10 | SELF 26 | NPR 1");
  expect ("r3", "CET 4 | GET 4 | SELF 4 | NPR 0");
  ck_assert_uint_eq (fixture_instance ("r2", 1)->status, TS_STATUS_PARTIAL_HEAD);
}
END_TEST

/* At 5 T1#1 is preempted, T1#2 starts, and r1 is preempted, which was in #1: that goes on with it 9-14 and from 16 on. */
START_TEST (what_is_preempted_beside_its_task_is_not_in_the_next_instance)
{
  run_trace ("5 preempt T1#1; 5 start T1#2; 5 preempt r1; 8 end T1#2; 9 resume T1#1; 9 resume r1; 14 preempt T1#1;"
             "16 resume T1#1; 18 end r1; 20 end T1#1");
  expect ("r1", "PRE 2 4");
  expect_found ("partial-head 2");
}
END_TEST

START_TEST (a_head_is_in_no_measurement)
{
  /* a stopwatch that is suspended at the same time is nobody's task, whatever becomes of it */
  run_trace ("0 preempt s1; 0 preempt r1; 9 start s1; 12 resume r1; 15 end r1; 20 end s1");
  expect ("r1", "PRE 12");
  expect ("s1", "CET 11 | GET 11 | SELF 11 | NPR 0");
  ck_assert_uint_eq (fixture_instance ("r1", 1)->status, TS_STATUS_PARTIAL_HEAD);
}
END_TEST

/* T1 was there, and was preempted 2..9 and 26..28, and waited 20..26; what is open in it was, too, whether that is written or not,
 * and whatever the first event of it is. */
START_TEST (what_is_in_a_task_was_suspended_with_it_before_it_was_seen)
{
  static const char *const traces[] = {
    "2 preempt T1; 3 start T2; 8 end T2; 9 resume T1; 20 wait T1; 26 release T1; 28 resume T1; 30 end r1; 40 end T1",
    "2 preempt r1; 2 preempt T1; 3 start T2; 8 end T2; 9 resume T1; 9 resume r1; 20 wait T1; 26 release T1; 28 resume T1;"
    "30 end r1; 40 end T1",
    "2 preempt T1; 3 start T2; 8 end T2; 9 resume T1; 20 wait T1; 26 release T1; 28 resume T1; 30 preempt r1; 40 end T1",
    /* it has the place of one that was there when the section began, which ended with the error */
    "2 preempt T3; 2 start T2; 3 end T2; 7 resume T3; 8 error; 10 preempt T1; 11 start T2; 16 end T2; 17 resume T1; 28 wait T1;"
    "34 release T1; 36 resume T1; 38 end r1; 40 end T1",
  };

  run_trace (traces[_i]);
  expect ("T1", "PRE 2 7 | WAIT 6");
  expect ("r1", "PRE 2 7 | WAIT 6");
}
END_TEST

/* Before 9 r1 was suspended by itself, if at all; T1 has lost its start; and r1 was not in T2. */
START_TEST (what_is_in_a_task_was_not_suspended_with_others)
{
  static const char *const traces[] = {
    "2 preempt T1; 3 start T2; 8 end T2; 9 resume T1; 9 resume r1; 30 end r1; 40 end T1",
    "1 start T1; 2 end T1; 4 preempt T1; 5 start T2; 8 end T2; 11 resume T1; 30 end r1; 40 end T1",
    "2 preempt T1; 3 resume T2; 4 preempt T2; 5 resume T2; 8 end T2; 9 resume T1; 30 resume r1; 40 end T1",
  };

  run_trace (traces[_i]);
  expect ("r1", "");
  ck_assert_uint_eq (fixture_instance ("r1", 1)->n_preemptions, 0);
}
END_TEST

/* Its number is higher than that of one that started: so it began later, and nobody knows when. */
START_TEST (what_lost_its_start_was_not_suspended_before_it_was_seen)
{
  run_trace ("1 start r1#5; 2 end r1#5; 3 preempt T1; 4 start T2; 8 end T2; 9 resume T1; 30 preempt r1#6; 33 resume r1#6; 35 end r1#6;"
             "40 end T1");
  expect ("r1", "CET 1 | GET 1 | PRE 3 | SELF 1 | NPR 0");
}
END_TEST

/* Numbers say nothing, and of the task nothing is known: it may have called the function again, whenever the trace begins. */
START_TEST (what_is_suspended_in_an_unseen_task_may_have_been_called_again)
{
  g_autofree char *trace = g_strdup_printf ("%d preempt r1#0 in ?; %d start r1#0 in ?; %d end r1#0 in ?", _i - 1, _i + 4, _i + 8);

  run_trace (trace);
  expect ("r1", "CET 4 | GET 4 | SELF 4 | NPR 0");
}
END_TEST

START_TEST (heads_of_two_tasks_are_outside_of_what_started_in_their_own)
{
  /* r1 in T1, r3 in T2, each of which was there; neither r2 nor r4 is called by them */
  run_trace ("1 start r1 in T1; 3 preempt r4 in T2; 4 start r3 in T2; 5 preempt r2 in T1; 6 preempt T1; 7 preempt T2;"
             "8 resume T1; 8 resume r2 in T1; 12 end r1 in T1; 13 end r2 in T1; 14 end T1; 20 resume T2; 20 resume r4 in T2;"
             "22 end r3 in T2; 23 end r4 in T2; 24 end T2");
  /* r1 1..6 and 8..12; r3 4..7 and 20..22 */
  expect ("r1", "CET 9 | GET 11 | PRE 2 | SELF 9 | NPR 1");
  expect ("r3", "CET 5 | GET 18 | PRE 13 | SELF 5 | NPR 1");
}
END_TEST

START_TEST (each_task_without_an_event_may_have_been_in_a_function)
{
  /* two cores: r1 was open in both tasks, neither of which says anything before it ends */
  run_trace ("10 end r1 in T1; 20 end r1 in T2; 30 end T1; 40 end T2; 50 start T1; 60 start r1 in T1; 70 end r1 in T1; 80 end T1");
  expect_found ("partial-head 4");
  /* of both the one that ended first started last: from 10 on */
  expect ("r1", "CET 10 | GET 10 | ST 50 | SELF 10 | E2S 50 | NPR 0");
}
END_TEST

START_TEST (what_was_suspended_in_a_task_without_an_event_was_there_before)
{
  /* of the second r1 it is known that it was suspended 20..30 */
  run_trace ("10 end r1 in T1; 20 preempt r1 in T2; 20 preempt T2; 30 resume T2; 30 resume r1 in T2; 40 end r1 in T2; 50 end T2;"
             "60 end T1");
  expect_found ("partial-head 4");
  expect ("r1", "PRE 10");
}
END_TEST

START_TEST (a_task_without_an_event_had_not_been_in_a_function_twice)
{
  run_trace ("10 end r1 in T1; 20 end r1 in T2; 25 end r1 in T2; 30 end T1; 40 end T2");
  expect_found ("redundant-end 1, partial-head 4");
}
END_TEST

/* The same where no event names a task: on another core nobody was heard of, and where preemptions are inferred nobody says that
 * it goes on. */
START_TEST (whoever_runs_may_have_been_in_a_function)
{
  run_trace ("1 end f1; 3 end f1 on 1; 5 end T1; 6 end T2 on 1");
  expect_found ("partial-head 4");
}
END_TEST

START_TEST (whoever_goes_on_may_have_been_in_a_function)
{
  fixture_infer ();
  run_trace ("1 end f1; 2 end I1; 5 end f1; 6 end T1");
  expect_found ("partial-head 4");
}
END_TEST

/* @n instances of f1 in T1, one behind the other, each one tick long, from 0 on. */
static GString *
f1_in_T1 (int n)
{
  GString *trace = g_string_new (NULL);

  for (int i = 0; i < n; i++)
    g_string_append_printf (trace, "%d start f1 in T1; %d end f1 in T1; ", 2 * i, 2 * i + 1);
  return trace;
}

/* Nothing was heard of T2 when f1 ends in it; after 15 others that was there before, after 16 it lost its start. */
START_TEST (what_ends_late_in_a_task_without_an_event_lost_its_start)
{
  const int           n = 15 + _i;
  g_autoptr (GString) trace = f1_in_T1 (n);

  g_string_append_printf (trace, "%d end f1 in T2", 2 * n);
  run_trace (trace->str);
  expect_found (_i == 0 ? "partial-head 1" : "redundant-end 1");
  /* from its end back to the first start, if it was there */
  ck_assert_int_eq (g_str_has_prefix (shown_intervals ("f1", TS_INTERVAL_E2S), _i == 0 ? "-30@0#1 1@2#2" : "1@2#2"), TRUE);
}
END_TEST

START_TEST (whoever_runs_had_not_been_in_a_function_twice)
{
  if (_i == 1)
    fixture_infer ();
  run_trace ("1 end f1; 3 end f1; 5 end T1");
  expect_found ("redundant-end 1, partial-head 2");
  ck_assert_str_eq (fixture.diagnostics->entries[TS_DIAGNOSTIC_REDUNDANT_END].detail, "f1");
}
END_TEST

/* T2 was there before, and so was what ends in it; but of so many others nobody knows whether one has lost its start: from
 * the end of the 17th on nothing leads back to the first start. */
START_TEST (what_ends_late_is_not_measured_from)
{
  const int           n = 15 + _i;
  g_autoptr (GString) trace = f1_in_T1 (n);

  g_string_append_printf (trace, "%d resume T2; %d end f1 in T2; 99 end T2", 2 * n, 2 * n + 1);
  run_trace (trace->str);
  expect_found ("partial-head 2");
  ck_assert_int_eq (g_str_has_prefix (shown_intervals ("f1", TS_INTERVAL_E2S), _i == 0 ? "-31@0#1 1@2#2" : "1@2#2"), TRUE);
}
END_TEST

/* In all of these numbers tell instances apart, and tasks are named. */

START_TEST (numbers_of_functions_need_not_be_in_the_order_of_their_starts)
{
  /* #814 is in a task of which nothing else was seen: it was there before, whatever ran in others since then. DT 40 - 10, and
   * E2S 40 - 30: which of those that were there before started last, nobody knows. */
  run_trace ("10 start T2#7 on 1; 10 start r1#813 in T2#7 on 1; 20 end r1#814 in T1#4; 21 end T1#4;"
             "30 end r1#813 in T2#7 on 1; 31 end T2#7 on 1; 40 start T3#1 on 1; 40 start r1#815 in T3#1 on 1;"
             "50 end r1#815 in T3#1 on 1; 51 end T3#1 on 1");
  expect ("r1", "CET 10 20 | GET 10 20 | DT 30 | ST 10 | SELF 10 20 | E2S 10 | NPR 0 0");
  expect_found ("partial-head 2");
}
END_TEST

START_TEST (behind_one_that_started_in_a_task_none_was_there_before)
{
  run_trace ("10 start r1#3 in T1#4; 11 end r1#3 in T1#4; 20 end r1#4 in T1#4; 21 end T1#4");
  expect_instances ("r1", "3 complete, 4 partial head");
  expect_found ("partial-head 1, missing-start 1");
}
END_TEST

/* Whatever else is declared between the two tasks, and however many others have such functions: r1 was not seen to start in T2. */
START_TEST (a_start_in_a_task_says_nothing_of_any_other)
{
  GString *others = g_string_new (NULL);

  fixture_element ("r1");
  fixture_element ("T1");
  for (gint i = 0; i < _i; i++)
    {
      g_autofree char *name = g_strdup_printf ("T1%d", i);

      fixture_element (name);
      g_string_append_printf (others, "; 15 end f%d#1 in %s", i, name);
    }
  fixture_element ("T2");
  g_string_prepend (others, "10 start r1#5 in T1; 12 end r1#5 in T1; 13 start r1#8 in T1; 14 end r1#8 in T1");
  g_string_append (others, "; 20 end r1#6 in T2; 30 end r1#7 in T1");
  g_ptr_array_add (fixture.texts, g_string_free (others, FALSE));
  run_trace (g_ptr_array_index (fixture.texts, fixture.texts->len - 1));
  ck_assert_uint_eq (fixture.diagnostics->entries[TS_DIAGNOSTIC_PARTIAL_HEAD].count, (guint) _i + 1);
  ck_assert_uint_eq (fixture.diagnostics->entries[TS_DIAGNOSTIC_MISSING_START].count, 1);
}
END_TEST

/* Numbers 5 to 8 are of others that nobody saw, so that #4 was not the one before #9, open or not when that started. */
START_TEST (nothing_is_measured_from_a_head_that_is_far)
{
  static const char *const traces[] = { "3 preempt T1#4; 5 start T1#9; 7 end T1#9; 10 resume T1#4; 20 end T1#4",
                                        "3 end T1#4; 5 start T1#9; 7 end T1#9" };

  run_trace (traces[_i]);
  expect ("T1", _i == 0 ? "CET 2 | GET 2 | PRE 7 | SELF 2 | NPR 0" : "CET 2 | GET 2 | SELF 2 | NPR 0");
}
END_TEST

START_TEST (what_was_there_before_is_believed_once)
{
  /* #9 lost its start, since #8 began in the same task: no DT of #10, and its E2S is 40 - 30 */
  run_trace ("0 end r1#7 in T1#3; 10 start r1#8 in T1#3; 20 end r1#8 in T1#3; 30 end r1#9 in T1#3; 40 start r1#10 in T1#3;"
             "50 end r1#10 in T1#3");
  expect ("r1", "CET 10 10 | GET 10 10 | ST 10 10 | SELF 10 10 | E2S 10 10 | NPR 0 0");
  expect_found ("partial-head 1, missing-start 1");
}
END_TEST

START_TEST (a_failed_activation_has_a_number_and_nothing_else)
{
  /* between #7 and #9 none came: E2S 20 - 10 */
  run_trace ("10 end T1#7; 12 act-failed T1#8; 20 act T1#9; 20 start T1#9; 30 end T1#9");
  expect ("T1", "IPT 0 | CET 10 | GET 10 | RT 10 | ST 10 | SELF 10 | E2S 10 | NPR 0");
  expect_found ("failed-activation 1, partial-head 1");
}
END_TEST

/* Only those between both are of any use: of #5 nothing is known. */
START_TEST (what_failed_elsewhere_says_nothing_of_others)
{
  static const char *const failed[] = { "10 act-failed T1#10; ", "10 act-failed T1#3; ", "10 act-failed T2#5; ",
                                        "10 act-failed T1#6; 11 act-failed T1#6; " };
  g_autofree char *trace = g_strconcat (failed[_i], "16 end T1#4; 36 start T1#", _i < 3 ? "6" : "7",
                                        "; 40 end T1#", _i < 3 ? "6" : "7", NULL);

  run_trace (trace);
  expect ("T1", "CET 4 | GET 4 | SELF 4 | NPR 0");
}
END_TEST

/* Numbers begin anew, or started in another order: #16 ran 20..30 and 40..50 (no more than that is known), and #14 all the
 * time on another core. */
START_TEST (what_a_task_passed_over_has_lost_its_start)
{
  static const char *const before[] = { "", "0 end T1#18; ", "0 start T1#18; 5 end T1#18; ", "0 start T1#17 on 1; 5 end T1#17 on 1; " };
  g_autofree char *trace = g_strconcat (before[_i], "10 start T1#14 on 1; 10 preempt T1#16; 20 resume T1#16; 30 preempt T1#16;"
                                                    "40 resume T1#16; 50 end T1#16; 50 end T1#14 on 1", NULL);

  run_trace (trace);
  expect_load (0, _i == 2 ? "25/50" : "20/50");
  expect_found (_i == 1 ? "partial-head 1, missing-start 1" : "missing-start 1");
  expect ("T1", _i < 2 ? "CET 40 | GET 40 | PRE 10 10 | SELF 40 | NPR 0"
                       : "CET 5 40 | GET 5 40 | DT 10 | PRE 10 10 | SELF 5 40 | E2S 5 | NPR 0 0");
}
END_TEST

/* Whether numbers begin anew or not. */
START_TEST (behind_a_lost_start_nothing_is_measured_across)
{
  static const gint32 numbers[][4] = { { 5, 6, 7, 8 }, { 65535, 65536, 65537, 65538 }, { 65535, 0, 1, 2 }, { 100, 0, 1, 2 } };
  const gint32       *n = numbers[_i];
  g_autofree char    *trace
      = g_strdup_printf ("0 act T1#%d; 0 start T1#%d; 5 end T1#%d; 10 act T1#%d; 10 start T1#%d; 15 end T1#%d; 22 preempt T1#%d;"
                         "24 resume T1#%d; 30 end T1#%d; 31 end T1#%d; 40 act T1#%d; 40 start T1#%d; 50 end T1#%d",
                         n[0], n[0], n[0], n[1], n[1], n[1], n[2], n[2], n[2], n[1], n[3], n[3], n[3]);

  run_trace (trace);
  /* from the third one's end to the last one's start, and activation: 40 - 30; when the third one was activated is not known */
  expect ("T1", "IPT 0 0 0 | CET 5 5 10 | GET 5 5 10 | RT 5 5 10 | DT 10 | PER 10 30 | ST 5 10 | PRE 2 | SELF 5 5 10 | E2S 5 10 | NPR 0 0 0");
  expect_load (0, "26/50");
  expect_found ("redundant-end 1, missing-start 1");
}
END_TEST

/* What started in between began later than what lost its start: in the order of numbers, also where they begin anew between them; and
 * it does not matter who ends first, nor whether there are activations. */
START_TEST (what_started_before_others_is_not_between_them)
{
  static const struct
  {
    const char *trace, *expected;
  } cases[] = {
    { "0 start T1#1; 5 end T1#1; 10 start T1#3; 20 end T1#3; 27 end T1#2 on 1; 60 start T1#4; 70 end T1#4",
      "CET 5 10 10 | GET 5 10 10 | DT 10 50 | SELF 5 10 10 | E2S 5 40 | NPR 0 0 0" },
    { "0 start T1#1; 5 end T1#1; 10 start T1#3; 27 end T1#2 on 1; 30 end T1#3; 60 start T1#4; 70 end T1#4",
      "CET 5 10 20 | GET 5 10 20 | DT 10 50 | SELF 5 10 20 | E2S 5 30 | NPR 0 0 0" },
    { "8 act T1#2; 10 start T1#3; 20 end T1#3; 27 end T1#2 on 1; 60 start T1#4; 70 end T1#4",
      "CET 10 10 | GET 10 10 | RT 19 | DT 50 | SELF 10 10 | E2S 40 | NPR 0 0" },
    { "0 start T1#7; 5 end T1#7; 10 start T1#0; 20 end T1#0; 27 end T1#6 on 1; 60 start T1#1; 70 end T1#1",
      "CET 5 10 10 | GET 5 10 10 | DT 10 50 | SELF 5 10 10 | E2S 5 40 | NPR 0 0 0" },
  };

  run_trace (cases[_i].trace);
  expect ("T1", cases[_i].expected);
}
END_TEST

START_TEST (a_second_end_is_none_of_what_was_passed_over)
{
  g_autoptr (GString) script = g_string_new ("0 start r1#5 in T1#4");

  /* #5 was open while the others ran, so that it is one of the latest that ended, and #6 is none of these any more */
  for (guint i = 6; i < 14; i++)
    g_string_append_printf (script, "; %u start r1#%u in T2#7; %u end r1#%u in T2#7", 10 * i, i, 10 * i + 5, i);
  g_string_append (script, "; 190 end r1#5 in T1#4; 191 end r1#6 in T2#7");
  run_trace (script->str);
  expect_found ("redundant-end 1");
}
END_TEST

START_TEST (what_was_there_before_may_not_have_been_the_last)
{
  /* E2S of #2 is 15 - 20, as #1 was there as well; of #9 there is none, since #5 to #8 came behind #4 */
  run_trace ("10 end r1#0 in T1; 15 start r1#2 in T1; 20 end r1#1 in T2; 25 end r1#2 in T1;"
             "30 end r2#4 in T1; 35 start r2#9 in T1; 37 end r2#9 in T1");
  expect ("r1", "CET 10 | GET 10 | ST -5 | SELF 10 | E2S -5 | NPR 0");
  expect ("r2", "CET 2 | GET 2 | SELF 2 | NPR 0");
}
END_TEST

START_TEST (a_number_that_was_passed_over_lost_its_start)
{
  /* by its number #209 began before #210, so that E2S of #211 is 30 - 14 */
  run_trace ("1 start T1#4; 2 start r1#208 in T1#4; 3 end r1#208 in T1#4; 12 start T2#7 on 1; 13 start r1#210 in T2#7 on 1;"
             "14 end r1#210 in T2#7 on 1; 20 end r1#209 in T1#4; 20 end r1#209 in T1#4; 21 end T1#4; 30 start r1#211 in T2#7 on 1;"
             "33 end r1#211 in T2#7 on 1; 34 end T2#7 on 1");
  expect ("r1", "CET 1 1 3 | GET 1 1 3 | DT 11 17 | ST 10 16 | SELF 1 1 3 | E2S 10 16 | NPR 0 0 0");
  expect_found ("redundant-end 1, missing-start 1");
}
END_TEST

static TCase *
heads_tests (const char *name, void (*setup) (void))
{
  TCase *tests = tcase_create (name);

  tcase_add_checked_fixture (tests, setup, fixture_teardown);
  tcase_add_loop_test (tests, a_head_is_outside_of_what_was_seen_to_start, 0, 4);
  tcase_add_test (tests, what_is_preempted_beside_its_task_is_not_in_the_next_instance);
  tcase_add_test (tests, a_head_is_in_no_measurement);
  tcase_add_loop_test (tests, what_is_in_a_task_was_suspended_with_it_before_it_was_seen, 0, 4);
  tcase_add_loop_test (tests, what_is_in_a_task_was_not_suspended_with_others, 0, 3);
  tcase_add_test (tests, what_lost_its_start_was_not_suspended_before_it_was_seen);
  tcase_add_loop_test (tests, what_is_suspended_in_an_unseen_task_may_have_been_called_again, 0, 3);
  tcase_add_test (tests, heads_of_two_tasks_are_outside_of_what_started_in_their_own);
  tcase_add_test (tests, each_task_without_an_event_may_have_been_in_a_function);
  tcase_add_test (tests, what_was_suspended_in_a_task_without_an_event_was_there_before);
  tcase_add_test (tests, a_task_without_an_event_had_not_been_in_a_function_twice);
  tcase_add_test (tests, whoever_runs_may_have_been_in_a_function);
  tcase_add_test (tests, whoever_goes_on_may_have_been_in_a_function);
  tcase_add_loop_test (tests, whoever_runs_had_not_been_in_a_function_twice, 0, 2);
  tcase_add_loop_test (tests, what_ends_late_in_a_task_without_an_event_lost_its_start, 0, 2);
  tcase_add_loop_test (tests, what_ends_late_is_not_measured_from, 0, 2);
  tcase_add_test (tests, numbers_of_functions_need_not_be_in_the_order_of_their_starts);
  tcase_add_test (tests, behind_one_that_started_in_a_task_none_was_there_before);
  tcase_add_loop_test (tests, a_start_in_a_task_says_nothing_of_any_other, 0, 18);
  tcase_add_loop_test (tests, a_start_in_a_task_says_nothing_of_any_other, 80, 81);
  tcase_add_loop_test (tests, nothing_is_measured_from_a_head_that_is_far, 0, 2);
  tcase_add_test (tests, what_was_there_before_is_believed_once);
  tcase_add_test (tests, a_failed_activation_has_a_number_and_nothing_else);
  tcase_add_loop_test (tests, what_failed_elsewhere_says_nothing_of_others, 0, 4);
  tcase_add_loop_test (tests, what_a_task_passed_over_has_lost_its_start, 0, 4);
  tcase_add_loop_test (tests, behind_a_lost_start_nothing_is_measured_across, 0, 4);
  tcase_add_loop_test (tests, what_started_before_others_is_not_between_them, 0, 4);
  tcase_add_test (tests, a_second_end_is_none_of_what_was_passed_over);
  tcase_add_test (tests, what_was_there_before_may_not_have_been_the_last);
  tcase_add_test (tests, a_number_that_was_passed_over_lost_its_start);
  return tests;
}

void
add_heads_tests (Suite *suite)
{
  suite_add_tcase (suite, heads_tests ("heads", fixture_setup));
  suite_add_tcase (suite, heads_tests ("heads, following", fixture_setup_following));
}
