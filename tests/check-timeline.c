/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "timeline-fixture.h"
#include "unit.h"

/* The timeline, rule by rule. This part: starts, ends and activations. What is expected is
 * worked out by hand; A, S and E are activation, start and end as in the definitions. */

START_TEST (a_preempted_task_has_less_core_than_gross_time)
{
  /* T1: S 4, off 6..7, E 10; S 24, E 30. CET 2 + 3 and 6; DT 24 - 4; E2S 24 - 10.
     No activation: no IPT, RT, PER, ST. Load 2 + 1 + 3 + 6. */
  run_trace ("2 user; 4 start T1; 6 preempt T1; 6 start T2; 7 end T2; 7 resume T1; 10 end T1;"
             "24 start T1; 30 end T1; 32 user");
  expect ("T1", "CET 5 6 | GET 6 6 | DT 20 | PRE 1 | SELF 5 6 | E2S 14 | NPR 0 1");
  expect ("T2", "CET 1 | GET 1 | SELF 1 | NPR 0");
  expect ("T3", "");
  expect_load (0, "12/32");
  expect_counts ("T1", "starts 2, ends 2, complete 2");
  expect_found ("");
}
END_TEST

START_TEST (an_end_without_a_running_instance_is_counted_and_ignored)
{
  /* rule 1: the ends at 4 and at the second 7 */
  run_trace ("1 start T1; 3 end T1; 4 end T1; 6 start T1; 7 end T1; 7 end T1");
  expect ("T1", "CET 1 2 | GET 1 2 | DT 5 | SELF 1 2 | E2S 3 | NPR 0 0");
  expect_counts ("T1", "starts 2, ends 2, complete 2");
  expect_found ("redundant-end 2");
}
END_TEST

START_TEST (an_end_does_not_close_an_activation)
{
  /* the end at 3 is redundant; A 2 stays for S 4: IPT 2, RT 4, ST 2 - 1, E2S 4 - 1 */
  run_trace ("0 start T1; 1 end T1; 2 act T1; 3 end T1; 4 start T1; 6 end T1");
  expect ("T1", "IPT 2 | CET 1 2 | GET 1 2 | RT 4 | DT 4 | ST 1 | SELF 1 2 | E2S 3 | NPR 0 0");
  expect_found ("redundant-end 1");
}
END_TEST

START_TEST (the_last_eight_numbers_that_ended_are_known)
{
  /* what has a lower number than all that started was there before, unless it is known to have ended: at 90 the end of #1 is
     the eighth from behind, at 93 the ninth */
  g_autoptr (GString) trace = g_string_new ("1 end I1#1");

  for (int i = 2; i <= 8; i++)
    g_string_append_printf (trace, "; %d start I1#%d; %d end I1#%d", 10 * i, i, 10 * i + 1, i);
  g_string_append (trace, "; 90 end I1#1; 91 start I1#9; 92 end I1#9; 93 end I1#1");
  run_trace (trace->str);
  expect_counts ("I1", "starts 8, ends 10, complete 8, heads 2");
  expect_found ("redundant-end 1, partial-head 2");
}
END_TEST

START_TEST (numbers_of_owners_are_told_apart_modulo_32768)
{
  /* 0 is left for those that are not known, all others have the bit above: 32768 and more; -1 has all bits */
  ck_assert_uint_eq (ts_event_owner_number (TS_NO_INSTANCE), 0);
  ck_assert_uint_eq (ts_event_owner_number (0), 32768);
  ck_assert_uint_eq (ts_event_owner_number (32767), 65535);
  ck_assert_uint_eq (ts_event_owner_number (32768), 32768);
  ck_assert_uint_eq (ts_event_owner_number (65537), 32769);
  ck_assert_uint_eq (ts_event_owner_number (-1), 65535);
}
END_TEST

START_TEST (all_kinds_of_activation_are_one_class_and_the_kind_is_kept)
{
  /* rule 2. A 0, 10, 25: PER 10, 15; ST 10 - 2, 25 - 13; DT 12 - 1, 26 - 12; E2S 12 - 2, 26 - 13 */
  run_trace ("0 act T1; 1 start T1; 2 end T1; 10 act-os T1; 12 start T1; 13 end T1;"
             "25 act-chained T1; 26 start T1; 29 end T1");
  expect ("T1", "IPT 1 1 2 | CET 1 1 3 | GET 1 1 3 | RT 2 3 4 | DT 11 14 | PER 10 15 | ST 8 12 | SELF 1 1 3 |"
                " E2S 10 13 | NPR 0 0 0");
  ck_assert_int_eq (fixture_instance ("T1", 1)->activation_kind, TS_EVENT_ACTIVATION);
  ck_assert_int_eq (fixture_instance ("T1", 2)->activation_kind, TS_EVENT_ACTIVATION_OS);
  ck_assert_int_eq (fixture_instance ("T1", 3)->activation_kind, TS_EVENT_ACTIVATION_CHAINED);
  expect_found ("");
}
END_TEST

START_TEST (a_fork_is_an_activation_of_each_sibling)
{
  /* #1 to #3 are activated at 0, #4 and #5 at 10; #3 and #5 never start. PER 0 0 to the siblings, 10 from 0 to 10, and
     0 again; IPT 4 - 0, 6 - 0, 11 - 10; DT 6 - 4, 11 - 6; E2S, which is the slack of what is no task, 6 - 5, 11 - 8.
     Without unique numbers each is activated alone, and keeps its number: else they count as they start, #2 #1 #4. */
  const guint8  flags = _i == 0 ? TS_EVENT_UNIQUE : 0;
  const TsEvent events[] = {
    { .time = 0, .line = 1, .kind = TS_EVENT_FORK, .instance = 1, .owner_number = 2 },
    { .time = 4, .line = 2, .kind = TS_EVENT_START, .instance = 2 },
    { .time = 5, .line = 3, .kind = TS_EVENT_END, .instance = 2 },
    { .time = 6, .line = 4, .kind = TS_EVENT_START, .instance = 1 },
    { .time = 8, .line = 5, .kind = TS_EVENT_END, .instance = 1 },
    { .time = 10, .line = 6, .kind = TS_EVENT_FORK, .instance = 4, .owner_number = 1 },
    { .time = 11, .line = 7, .kind = TS_EVENT_START, .instance = 4 },
    { .time = 12, .line = 8, .kind = TS_EVENT_END, .instance = 4 },
  };
  TsEvent         each[G_N_ELEMENTS (events)];
  TsElementCounts counts;
  guint32         element = fixture_element ("I1");

  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    {
      each[i] = events[i];
      each[i].element = element;
      each[i].owner = TS_NO_ELEMENT;
      each[i].flags = flags;
    }
  run_events (each, G_N_ELEMENTS (each));
  counts = ts_timeline_counts (fixture.timeline, element);
  ck_assert_uint_eq (counts.activations, 5);
  ck_assert_uint_eq (counts.pending, 2);
  ck_assert_uint_eq (counts.complete, 3);
  ck_assert_uint_eq (((const TsSection *) g_ptr_array_index (fixture.sections, 0))->n_events, 11);
  expect ("I1", "IPT 1 4 6 | CET 1 1 2 | GET 1 1 2 | RT 2 5 8 | DT 2 5 | PER 0 0 0 10 | ST 1 3 | SELF 1 1 2 | E2S 1 3 |"
                " NPR 0 0 0");
  ck_assert_int_eq (fixture_instance ("I1", _i == 0 ? 3 : 4)->activation, 10);
  ck_assert_int_eq (fixture_instance ("I1", _i == 0 ? 3 : 4)->activation_kind, TS_EVENT_ACTIVATION_CHAINED);
  ck_assert_int_eq (fixture_instance ("I1", 1)->start, _i == 0 ? 4 : 6);
  expect_found ("pending-activation 2");
}
END_TEST

START_TEST (a_fork_may_have_the_last_number)
{
  /* 2^31 - 1 is the last of the second fork, and starts: IPT 9 - 7, RT 12 - 7; PER 0 to the siblings, 7 from 0 to 7 */
  const TsEvent events[] = {
    { .time = 0, .line = 1, .kind = TS_EVENT_FORK, .instance = G_MAXINT32 - 3, .owner_number = 1 },
    { .time = 7, .line = 2, .kind = TS_EVENT_FORK, .instance = G_MAXINT32 - 1, .owner_number = 1 },
    { .time = 9, .line = 3, .kind = TS_EVENT_START, .instance = G_MAXINT32 },
    { .time = 12, .line = 4, .kind = TS_EVENT_END, .instance = G_MAXINT32 },
  };
  TsEvent each[G_N_ELEMENTS (events)];
  guint32 element = fixture_element ("I1");

  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    {
      each[i] = events[i];
      each[i].element = element;
      each[i].owner = TS_NO_ELEMENT;
      each[i].flags = TS_EVENT_UNIQUE;
    }
  run_events (each, G_N_ELEMENTS (each));
  ck_assert_uint_eq (ts_timeline_counts (fixture.timeline, element).activations, 4);
  expect ("I1", "IPT 2 | CET 3 | GET 3 | RT 5 | PER 0 0 7 | SELF 3 | NPR 0");
  expect_found ("pending-activation 3");
}
END_TEST

START_TEST (activations_without_numbers_are_a_queue)
{
  /* rule 3. First in, first out: S 5 - A 0, S 6 - A 3; ST 3 - 6 */
  run_trace ("0 act T1; 3 act T1; 5 start T1; 6 end T1; 6 start T1; 9 end T1");
  expect ("T1", "IPT 3 5 | CET 1 3 | GET 1 3 | RT 6 6 | DT 1 | PER 3 | ST -3 | SELF 1 3 | E2S 0 | NPR 0 0");
  ck_assert_int_eq (fixture_instance ("T1", 1)->activation, 0);
  ck_assert_int_eq (fixture_instance ("T1", 2)->activation, 3);
  expect_found ("");
}
END_TEST

START_TEST (activations_with_numbers_go_to_the_instance_of_that_number)
{
  /* rule 3. #8: A 3, S 5, E 6; #7: A 0, S 6, E 9. In order of activation #7 is followed by #8: PER 3, ST 3 - 9.
     In order of start #8 is followed by #7: DT 1, E2S 6 - 6. */
  run_trace ("0 act T1#7; 3 act T1#8; 5 start T1#8; 6 end T1#8; 6 start T1#7; 9 end T1#7");
  expect ("T1", "IPT 2 6 | CET 1 3 | GET 1 3 | RT 3 9 | DT 1 | PER 3 | ST -6 | SELF 1 3 | E2S 0 | NPR 0 0");
  expect_intervals ("T1", PER, "3@3#8");
  expect_intervals ("T1", ST, "-6@3#8");
  expect_intervals ("T1", DT, "1@6#7");
  expect_intervals ("T1", E2S, "0@6#7");
  expect_found ("");
}
END_TEST

START_TEST (a_number_that_was_not_activated_takes_no_other_activation)
{
  /* #2 has no A: no IPT and RT. #1: A 0, S 4, E 5. One activation: no PER. Nobody is activated after #1 or #2. */
  run_trace ("0 act T1#1; 2 start T1#2; 3 end T1#2; 4 start T1#1; 5 end T1#1");
  expect ("T1", "IPT 4 | CET 1 1 | GET 1 1 | RT 5 | DT 2 | SELF 1 1 | E2S 1 | NPR 0 0");
  expect_found ("start-without-activation 1");
}
END_TEST

START_TEST (an_activation_without_a_start_hides_no_later_one)
{
  /* #1 never starts. #2: A 1, S 3, E 5; #3: A 2, S 6, E 9. PER 1, 1; ST of #3: 2 - 5. #2 has another number than
     what is asked for at 10. */
  run_trace ("0 act T1#1; 1 act T1#2; 2 act T1#3; 3 start T1#2; 5 end T1#2; 6 start T1#3; 9 end T1#3; 10 end T1#2");
  expect ("T1", "IPT 2 4 | CET 2 3 | GET 2 3 | RT 4 7 | DT 3 | PER 1 1 | ST -3 | SELF 2 3 | E2S 1 | NPR 0 0");
  expect_found ("redundant-end 1, pending-activation 1");
}
END_TEST

START_TEST (activations_may_wait_behind_one_that_never_starts)
{
  /* #0 never starts, all others do, in turn, when all wait. To look at each of them for each start would take minutes. */
  enum
  {
    N = 100000
  };
  g_autoptr (GString) trace = g_string_new ("0 act T1#0");

  for (int i = 1; i < N; i++)
    g_string_append_printf (trace, "; %d act T1#%d", i, i);
  for (int i = 1; i < N; i++)
    g_string_append_printf (trace, "; %d start T1#%d; %d end T1#%d", N + 2 * i, i, N + 2 * i + 1, i);
  run_trace (trace->str);
  /* S - A = N + i */
  ck_assert_int_eq (fixture_instance ("T1", N / 2)->start - fixture_instance ("T1", N / 2)->activation, N + N / 2);
  expect_found ("pending-activation 1");
}
END_TEST

START_TEST (an_activation_is_found_from_either_end)
{
  /* 1, 3, 5, 7, 9 wait; in the middle, at both ends, and in between, where none is: IPT 10 - 2, 20 - 4, 30 - 0. What
     starts without an activation, 4, 8 and 11, has none. */
  run_trace ("0 act T1#1; 1 act T1#3; 2 act T1#5; 3 act T1#7; 4 act T1#9; 10 start T1#5; 11 end T1#5; 12 start T1#4;"
             "13 end T1#4; 14 start T1#8; 15 end T1#8; 16 start T1#11; 17 end T1#11; 20 start T1#9; 21 end T1#9;"
             "30 start T1#1; 31 end T1#1");
  expect_found ("start-without-activation 3, pending-activation 2");
  ck_assert_int_eq (fixture_instance ("T1", 5)->activation, 2);
  ck_assert_int_eq (fixture_instance ("T1", 9)->activation, 4);
  ck_assert_int_eq (fixture_instance ("T1", 1)->activation, 0);
}
END_TEST

START_TEST (numbers_need_not_ascend)
{
  /* #5: A 0, S 7, E 9; #3: A 1, S 3, E 4; #4: A 2, S 5, E 6. In order of activation: PER 1, 1; ST 1 - 9, 2 - 4. */
  run_trace ("0 act T1#5; 1 act T1#3; 2 act T1#4; 3 start T1#3; 4 end T1#3; 5 start T1#4; 6 end T1#4; 7 start T1#5;"
             "9 end T1#5");
  expect ("T1", "IPT 2 3 7 | CET 1 1 2 | GET 1 1 2 | RT 3 4 9 | DT 2 2 | PER 1 1 | ST -8 -2 | SELF 1 1 2 | E2S 1 1 |"
                " NPR 0 0 0");
  expect_found ("");
}
END_TEST

START_TEST (a_number_may_be_used_again)
{
  /* Some writers give every instance the number 0: then it is a queue. A 0, 2: IPT 1, 2; ST 2 - 3. */
  run_trace ("0 act T1#0; 1 start T1#0; 2 act T1#0; 3 end T1#0; 4 start T1#0; 9 end T1#0");
  expect ("T1", "IPT 1 2 | CET 2 5 | GET 2 5 | RT 3 7 | DT 3 | PER 2 | ST -1 | SELF 2 5 | E2S 1 | NPR 0 0");
  expect_found ("");
}
END_TEST

START_TEST (a_failed_activation_is_only_counted)
{
  /* rule 4: neither queued (S 11 - A 10) nor part of PER (10 - 0) and ST (10 - 3) */
  run_trace ("0 act T1; 1 start T1; 2 act-failed T1; 3 end T1; 5 act-failed T1; 10 act T1; 11 start T1; 12 end T1");
  expect ("T1", "IPT 1 1 | CET 1 2 | GET 1 2 | RT 2 3 | DT 10 | PER 10 | ST 7 | SELF 1 2 | E2S 8 | NPR 0 0");
  expect_counts ("T1", "activations 2, failed 2, starts 2, ends 2, complete 2");
  expect_found ("failed-activation 2");
}
END_TEST

START_TEST (a_start_without_activation_has_neither_IPT_nor_RT_and_the_one_before_no_ST)
{
  /* rule 5. The second has no A: IPT and RT of the first and third only. The activation after the first is not
     known: no ST for it; the second has 20 - 7. PER: the two activations, 20 - 0. */
  run_trace ("0 act T1; 1 start T1; 2 end T1; 5 start T1; 7 end T1; 20 act T1; 21 start T1; 22 end T1");
  expect ("T1", "IPT 1 1 | CET 1 1 2 | GET 1 1 2 | RT 2 2 | DT 4 16 | PER 20 | ST 13 | SELF 1 1 2 | E2S 3 14 |"
                " NPR 0 0 0");
  expect_intervals ("T1", ST, "13@20#3");
  expect_found ("start-without-activation 1");
}
END_TEST

START_TEST (the_end_before_a_start_without_activation_is_not_used_later)
{
  /* A 6 comes while the second runs: its slack is 6 - 7, and the first, which ended at 2, has none */
  run_trace ("0 act T1; 1 start T1; 2 end T1; 5 start T1; 6 act T1; 7 end T1");
  expect_intervals ("T1", ST, "-1@6#3");
}
END_TEST

START_TEST (the_end_before_a_lost_end_is_not_used_later)
{
  /* E2S 2 - 1; between the second, which lost its end, and the third there is none */
  run_trace ("0 start T1; 1 end T1; 2 start T1; 4 start T1; 5 end T1");
  expect_intervals ("T1", E2S, "1@2#2");
}
END_TEST

START_TEST (slack_goes_to_the_next_activated_instance_even_if_that_is_over)
{
  /* #1: A 0, E 12, after #2: A 4, E 6, and while #3 is open: A 7. ST 4 - 12, 7 - 6. */
  run_trace ("0 act T1#1; 1 start T1#1; 4 act T1#2; 5 preempt T1#1; 5 start T1#2; 6 end T1#2; 7 act T1#3; 7 start T1#3;"
             "9 preempt T1#3; 9 resume T1#1; 12 end T1#1; 12 resume T1#3; 14 end T1#3");
  expect_intervals ("T1", ST, "-8@4#2 1@7#3");
}
END_TEST

/* The one at 8 has neither an activation nor a number: so ST is 12 - 10 only, and not 12 - 5. */
START_TEST (the_end_before_a_start_without_a_number_is_not_used_later)
{
  run_trace ("0 act T1#1; 1 start T1#1; 5 end T1#1; 8 start T1; 10 end T1; 12 act T1#2; 13 start T1#2; 14 end T1#2");
  expect ("T1", "IPT 1 1 | CET 1 2 4 | GET 1 2 4 | RT 2 5 | DT 5 7 | PER 12 | ST 2 | SELF 1 2 4 | E2S 3 3 | NPR 0 0 0");
}
END_TEST

START_TEST (an_open_instance_has_no_ST_either_if_the_next_has_no_activation)
{
  /* rule 5, instances that overlap: #1 is open when #2 starts without A; A 10 follows #2, not #1 */
  run_trace ("0 act T1#1; 1 start T1#1; 2 preempt T1#1; 2 start T1#2; 4 end T1#2; 4 resume T1#1; 6 end T1#1;"
             "10 act T1#3; 11 start T1#3; 12 end T1#3");
  expect_intervals ("T1", ST, "6@10#3");
  expect_intervals ("T1", PER, "10@10#3");
  expect_found ("start-without-activation 1");
}
END_TEST

/* Numbers count activations: what has a lower number than one that waits was activated before that. */
START_TEST (a_lower_number_without_activation_was_activated_before)
{
  /* in order of activation #0, #1: A 10, #2: A 100. ST 10 - 20, 100 - 25 */
  run_trace ("10 act T1#1; 15 start T1#0; 20 end T1#0; 21 start T1#1; 25 end T1#1; 100 act T1#2; 101 start T1#2;"
             "110 end T1#2");
  expect_intervals ("T1", ST, "-10@10#1 75@100#2");
  expect_intervals ("T1", PER, "90@100#2");
}
END_TEST

START_TEST (so_it_was_if_that_one_runs_on_another_core)
{
  /* #0, #1: A 10, which ends first, #2: A 100. ST 10 - 25, 100 - 20 */
  run_trace ("10 act T1#1; 12 start T1#1; 13 start T1#0 on 1; 20 end T1#1; 25 end T1#0 on 1; 100 act T1#2");
  expect_intervals ("T1", ST, "-15@10#1 80@100#2");
}
END_TEST

START_TEST (who_comes_between_two_takes_the_slack_of_the_first)
{
  /* #5 is between #4 and #6, so there is none of #4. ST of #2, #5, #6: 1 - 13, 2 - 11, 3 - 17 */
  run_trace ("0 act T1#2; 1 act T1#4; 2 act T1#6; 3 act T1#8; 10 start T1#5; 11 end T1#5; 12 start T1#2; 13 end T1#2;"
             "14 start T1#4; 15 end T1#4; 16 start T1#6; 17 end T1#6");
  expect_intervals ("T1", ST, "-12@1#4 -9@2#6 -14@3#8");
}
END_TEST

START_TEST (a_slack_that_is_known_already_is_taken_back)
{
  /* #3 comes behind #1, as it seems, and then behind #2, of which nobody knew: not 3 - 2, but 3 - 6 */
  run_trace ("0 act T1#1; 1 start T1#1; 2 end T1#1; 3 act T1#3; 5 start T1#2; 6 end T1#2; 7 start T1#3; 8 end T1#3");
  expect_intervals ("T1", ST, "-3@3#3");
}
END_TEST

START_TEST (numbers_that_were_not_seen_may_be_between)
{
  /* #3 may be what was activated after #2; and #1 is not what was activated before #4 */
  run_trace ("0 act T1#1; 1 start T1#1; 2 end T1#1; 3 act T1#4; 5 start T1#2; 6 end T1#2; 7 start T1#4; 8 end T1#4");
  expect_intervals ("T1", ST, "");
}
END_TEST

START_TEST (a_lower_number_than_all_activated_is_before_the_first_of_them)
{
  /* A 10 follows #5: 10 - 3; A 0 follows #4, but #5 is over */
  run_trace ("0 act T1#5; 1 start T1#5; 3 end T1#5; 10 act T1#6; 11 start T1#4; 13 end T1#4; 14 start T1#6; 15 end T1#6");
  expect_intervals ("T1", ST, "7@10#6");
}
END_TEST

START_TEST (a_lower_number_than_all_that_is_over_is_not_the_last)
{
  /* #0 was activated before #1 and #2: A 50 follows #2. ST 20 - 22, 50 - 25; of #0 the activation of #1 is forgotten */
  run_trace ("10 act T1#1; 20 act T1#2; 21 start T1#1; 22 end T1#1; 23 start T1#2; 25 end T1#2; 30 start T1#0;"
             "40 end T1#0; 50 act T1#3; 60 start T1#3; 62 end T1#3");
  expect_intervals ("T1", ST, "-2@20#2 25@50#3");
  expect_intervals ("T1", PER, "10@20#2 30@50#3");
}
END_TEST

START_TEST (the_first_instance_is_not_given_an_activation)
{
  /* rule 5. RT must not be 48. ST of the first: 2401 - 48. */
  run_trace ("0 start T1; 48 end T1; 2401 act T1; 2495 start T1; 2945 end T1");
  expect ("T1", "IPT 94 | CET 48 450 | GET 48 450 | RT 544 | DT 2495 | ST 2353 | SELF 48 450 | E2S 2447 | NPR 0 0");
  expect_found ("");
}
END_TEST

START_TEST (a_pending_activation_counts_for_PER_and_ST)
{
  /* rule 9. A 0, 10, 12: PER 10, 2; ST 10 - 4 */
  run_trace ("0 act T1; 1 start T1; 4 end T1; 10 act T1; 12 act T1");
  expect ("T1", "IPT 1 | CET 3 | GET 3 | RT 4 | PER 2 10 | ST 6 | SELF 3 | NPR 0");
  expect_intervals ("T1", ST, "6@10#2");
  expect_intervals ("T1", PER, "10@10#2 2@12#3");
  expect_counts ("T1", "activations 3, starts 1, ends 1, complete 1, pending 2");
  expect_found ("pending-activation 2");
}
END_TEST

START_TEST (an_activation_that_pends_before_the_end_gives_negative_slack)
{
  /* rule 9. ST 3 - 8 */
  run_trace ("0 act T1; 1 start T1; 3 act T1; 8 end T1");
  expect ("T1", "IPT 1 | CET 7 | GET 7 | RT 8 | PER 3 | ST -5 | SELF 7 | NPR 0");
  expect_counts ("T1", "activations 2, starts 1, ends 1, complete 1, pending 1");
  expect_found ("pending-activation 1");
}
END_TEST

START_TEST (multiple_activation_gives_signed_slack)
{
  /* A 0 5 8 50, S 10 20 32 52, E 20 32 40 60.
     IPT 10 15 24 2; RT 20 27 32 10; ST 5-20 8-32 50-40 = -15 -24 10; PER 5 3 42; DT 10 12 20; E2S 0 0 12 */
  run_trace ("0 act T1; 5 act T1; 8 act T1; 10 start T1; 20 end T1; 20 start T1; 32 end T1; 32 start T1; 40 end T1;"
             "50 act T1; 52 start T1; 60 end T1");
  expect ("T1", "IPT 2 10 15 24 | CET 8 8 10 12 | GET 8 8 10 12 | RT 10 20 27 32 | DT 10 12 20 | PER 3 5 42 |"
                " ST -24 -15 10 | SELF 8 8 10 12 | E2S 0 0 12 | NPR 0 0 0 0");
  expect_intervals ("T1", ST, "-15@5#2 -24@8#3 10@50#4");
  expect_found ("");
}
END_TEST

START_TEST (instances_that_overlap_by_number_are_kept_apart)
{
  /* #1: A 0, S 1, off 5..9, E 12; #2: A 4, S 5, E 9; #3: A 20, S 21, E 22.
     ST 4 - 12, 20 - 9; E2S 5 - 12, 21 - 9; DT 4, 16 */
  run_trace ("0 act T1#1; 1 start T1#1; 4 act T1#2; 5 preempt T1#1; 5 start T1#2; 9 end T1#2; 9 resume T1#1;"
             "12 end T1#1; 20 act T1#3; 21 start T1#3; 22 end T1#3");
  expect ("T1", "IPT 1 1 1 | CET 1 4 7 | GET 1 4 11 | RT 2 5 12 | DT 4 16 | PER 4 16 | ST -8 11 | PRE 4 |"
                " SELF 1 4 7 | E2S -7 12 | NPR 0 0 1");
  expect_intervals ("T1", ST, "-8@4#2 11@20#3");
  expect_intervals ("T1", E2S, "-7@5#2 12@21#3");
  expect_load (0, "12/22");
  expect_found ("");
}
END_TEST

START_TEST (slack_of_an_ISR_lasts_until_its_next_start)
{
  /* ST 14 - 3, although A is 10 */
  run_trace ("0 act I1; 2 start I1; 3 end I1; 10 act I1; 14 start I1; 15 end I1");
  expect ("I1", "IPT 2 4 | CET 1 1 | GET 1 1 | RT 3 5 | DT 12 | PER 10 | ST 11 | SELF 1 1 | E2S 11 | NPR 0 0");
}
END_TEST

START_TEST (delta_time_needs_no_end)
{
  run_trace ("0 act T1; 1 start T1; 7 start T1; 9 start T1");
  expect ("T1", "IPT 1 | DT 2 6");
  expect_instances ("T1", "1 missing end, 2 missing end, 3 partial tail");
}
END_TEST

/* Several are open, whose numbers do not ascend: 7 runs 0..1, 4..6, 12..14; 3: 1..2, 10..12; 5: 2..3, 8..10; 6: 3..4;
 * 9: 6..8. */
START_TEST (a_start_of_one_of_several_that_are_open_resumes_it)
{
  run_trace ("0 start T1#7; 1 preempt T1#7; 1 start T1#3; 2 preempt T1#3; 2 start T1#5; 3 preempt T1#5; 3 start T1#6;"
             "4 end T1#6; 4 start T1#7; 6 preempt T1#7; 6 start T1#9; 8 end T1#9; 8 start T1#5; 10 end T1#5;"
             "10 start T1#3; 12 end T1#3; 12 start T1#7; 14 end T1#7");
  expect_found ("start-as-resume 4");
  expect ("T1", "CET 1 2 3 3 5 | GET 1 2 8 11 14 | DT 1 1 1 3 | PRE 3 5 6 8 | SELF 1 2 3 3 5 | E2S -13 -10 -7 2 | "
                "NPR 0 0 1 1 2");
  expect_load (0, "14/14");
}
END_TEST

START_TEST (values_of_an_instance_are_those_since_the_one_before)
{
  /* second: DT 11 - 1, PER 10 - 0, ST 10 - 4, E2S 11 - 4; the first has none of them */
  const guint16     chain = TS_INSTANCE_HAS_DT | TS_INSTANCE_HAS_PER | TS_INSTANCE_HAS_ST | TS_INSTANCE_HAS_E2S;
  const TsInstance *instance;

  run_trace ("0 act T1; 1 start T1; 4 end T1; 10 act T1; 11 start T1; 12 end T1");
  ck_assert_int_eq (fixture_instance ("T1", 1)->flags & chain, 0);
  instance = fixture_instance ("T1", 2);
  ck_assert_int_eq (instance->flags & chain, chain);
  ck_assert_int_eq (instance->dt, 10);
  ck_assert_int_eq (instance->per, 10);
  ck_assert_int_eq (instance->st, 6);
  ck_assert_int_eq (instance->e2s, 7);
  ck_assert_uint_eq (instance->line, 5);
  ck_assert_uint_eq (instance->section, 1);
}
END_TEST

void
add_activation_tests (Suite *suite)
{
  TCase *tests = tcase_create ("activation");

  tcase_add_checked_fixture (tests, fixture_setup, fixture_teardown);
  tcase_add_test (tests, a_preempted_task_has_less_core_than_gross_time);
  tcase_add_test (tests, an_end_without_a_running_instance_is_counted_and_ignored);
  tcase_add_test (tests, an_end_does_not_close_an_activation);
  tcase_add_test (tests, the_last_eight_numbers_that_ended_are_known);
  tcase_add_test (tests, numbers_of_owners_are_told_apart_modulo_32768);
  tcase_add_test (tests, all_kinds_of_activation_are_one_class_and_the_kind_is_kept);
  tcase_add_loop_test (tests, a_fork_is_an_activation_of_each_sibling, 0, 2);
  tcase_add_test (tests, a_fork_may_have_the_last_number);
  tcase_add_test (tests, activations_without_numbers_are_a_queue);
  tcase_add_test (tests, activations_with_numbers_go_to_the_instance_of_that_number);
  tcase_add_test (tests, a_number_that_was_not_activated_takes_no_other_activation);
  tcase_add_test (tests, an_activation_without_a_start_hides_no_later_one);
  tcase_add_test (tests, activations_may_wait_behind_one_that_never_starts);
  tcase_add_test (tests, an_activation_is_found_from_either_end);
  tcase_add_test (tests, numbers_need_not_ascend);
  tcase_add_test (tests, a_number_may_be_used_again);
  tcase_add_test (tests, a_failed_activation_is_only_counted);
  tcase_add_test (tests, a_start_without_activation_has_neither_IPT_nor_RT_and_the_one_before_no_ST);
  tcase_add_test (tests, the_end_before_a_start_without_activation_is_not_used_later);
  tcase_add_test (tests, the_end_before_a_lost_end_is_not_used_later);
  tcase_add_test (tests, slack_goes_to_the_next_activated_instance_even_if_that_is_over);
  tcase_add_test (tests, the_end_before_a_start_without_a_number_is_not_used_later);
  tcase_add_test (tests, an_open_instance_has_no_ST_either_if_the_next_has_no_activation);
  tcase_add_test (tests, a_lower_number_without_activation_was_activated_before);
  tcase_add_test (tests, so_it_was_if_that_one_runs_on_another_core);
  tcase_add_test (tests, who_comes_between_two_takes_the_slack_of_the_first);
  tcase_add_test (tests, a_slack_that_is_known_already_is_taken_back);
  tcase_add_test (tests, numbers_that_were_not_seen_may_be_between);
  tcase_add_test (tests, a_lower_number_than_all_activated_is_before_the_first_of_them);
  tcase_add_test (tests, a_lower_number_than_all_that_is_over_is_not_the_last);
  tcase_add_test (tests, the_first_instance_is_not_given_an_activation);
  tcase_add_test (tests, a_pending_activation_counts_for_PER_and_ST);
  tcase_add_test (tests, an_activation_that_pends_before_the_end_gives_negative_slack);
  tcase_add_test (tests, multiple_activation_gives_signed_slack);
  tcase_add_test (tests, instances_that_overlap_by_number_are_kept_apart);
  tcase_add_test (tests, a_start_of_one_of_several_that_are_open_resumes_it);
  tcase_add_test (tests, slack_of_an_ISR_lasts_until_its_next_start);
  tcase_add_test (tests, delta_time_needs_no_end);
  tcase_add_test (tests, values_of_an_instance_are_those_since_the_one_before);
  suite_add_tcase (suite, tests);
}

int
main (void)
{
  Suite *suite = suite_create ("timeline");

  add_activation_tests (suite);
  add_part_tests (suite);
  add_window_tests (suite);
  add_nested_tests (suite);
  add_stray_tests (suite);
  add_frame_tests (suite);
  add_core_tests (suite);
  add_inference_tests (suite);
  add_wait_tests (suite);
  add_fork_tests (suite);
  add_heads_tests (suite);
  add_lost_tests (suite);
  add_unfinished_tests (suite);
  add_many_tests (suite);
  add_crowd_tests (suite);
  add_random_tests (suite);
  add_stamp_tests (suite);
  return unit_run (suite);
}
