/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "btf-trace.h"
#include "unit.h"

/* Small traces of BTF, from the file to the numbers. All numbers are worked out by hand, in the comment above the
 * trace. */

/* Runs 10..35 (polls 20..25 and 30..35), is parked to 50, runs to 60 (polls to 55), waits to 70, ready to 72,
 * runs to 80, preempted to 90, runs to 100: CET 25 + 10 + 8 + 10, WAIT 15 and 10, PRE 2 and 10. */
START_TEST (all_states_of_a_process)
{
  g_autoptr (TsTrace) trace = read_text (SCALE "0,S,0,T,A,0,activate\n10,C,0,T,A,0,start\n20,C,0,T,A,0,poll\n"
                                               "25,C,0,T,A,0,run\n30,C,0,T,A,0,poll\n35,C,0,T,A,0,park\n"
                                               "50,C,0,T,A,0,poll_parking\n55,C,0,T,A,0,run\n60,C,0,T,A,0,wait\n"
                                               "70,C,0,T,A,0,release\n72,C,0,T,A,0,resume\n80,C,0,T,A,0,preempt\n"
                                               "90,C,0,T,A,0,resume\n100,C,0,T,A,0,terminate\n");

  expect_metrics (trace, "A", "IPT 1 10 10 10; CET 1 53 53 53; GET 1 90 90 90; RT 1 100 100 100; PRE 2 2 10 12; "
                              "WAIT 2 10 15 25; NPR 1 2 2 2; POLL 3 5 5 15");
  expect_load (trace, "C", 53, 100);
  expect_no_defect (trace);
}
END_TEST

/* Parked 10..20, released there, resumed at 24: WAIT 10, PRE 4. */
START_TEST (a_parked_process_can_be_released)
{
  g_autoptr (TsTrace) trace = read_text (SCALE "0,C,0,T,A,0,start\n5,C,0,T,A,0,poll\n10,C,0,T,A,0,park\n"
                                               "20,C,0,T,A,0,release_parking\n24,D,0,T,A,0,resume\n"
                                               "30,D,0,T,A,0,terminate\n");

  expect_metrics (trace, "A", "CET 1 16 16 16; GET 1 30 30 30; PRE 1 4 4 4; WAIT 1 10 10 10; NPR 1 1 1 1; POLL 1 5 5 5");
  expect_load (trace, "C", 10, 30);
  expect_load (trace, "D", 6, 30);
}
END_TEST

/* Activations 0, 8 (before the end at 12), 30; one refused at 9: ST 8 - 12 and 30 - 20, PER 8 and 22. */
START_TEST (instances_may_overlap)
{
  g_autoptr (TsTrace) trace = read_text (SCALE "0,S,0,T,A,0,activate\n5,C,0,T,A,0,start\n8,S,1,T,A,1,activate\n"
                                               "9,S,2,T,A,2,mtalimitexceeded\n12,C,0,T,A,0,terminate\n"
                                               "12,C,0,T,A,1,start\n20,C,0,T,A,1,terminate\n30,S,3,T,A,3,activate\n");
  TsElementCounts     counts = trace->measures->elements[0].counts;

  expect_metrics (trace, "A", "IPT 2 4 5 9; CET 2 7 8 15; GET 2 7 8 15; RT 2 12 12 24; DT 1 7 7 7; PER 2 8 22 30; "
                              "ST 2 -4 10 6; E2S 1 0 0 0");
  ck_assert_uint_eq (counts.activations, 3);
  ck_assert_uint_eq (counts.failed, 1);
  ck_assert_uint_eq (counts.pending, 1);
  expect_no_defect (trace);
}
END_TEST

/* #1 starts before #0 does, and both run at once on two cores. */
START_TEST (instances_are_told_apart_by_their_number)
{
  g_autoptr (TsTrace) trace = read_text (SCALE "0,S,0,T,A,0,activate\n1,S,1,T,A,1,activate\n3,C,0,T,A,1,start\n"
                                               "5,D,0,T,A,0,start\n8,C,0,T,A,1,preempt\n9,D,0,T,A,0,terminate\n"
                                               "11,D,0,T,A,1,resume\n13,D,0,T,A,1,terminate\n");

  /* #0: IPT 5, CET 4, RT 9; #1: IPT 2, CET 5 + 2, GET 10, RT 12; E2S: the second to start, #0, began before #1 ended;
   * ST: activation of #1 less the end of #0 */
  expect_metrics (trace, "A", "IPT 2 2 5 7; CET 2 4 7 11; GET 2 4 10 14; RT 2 9 12 21; DT 1 2 2 2; PER 1 1 1 1; "
                              "ST 1 -8 -8 -8; PRE 1 3 3 3; E2S 1 -8 -8 -8; NPR 2 0 1 1");
  expect_load (trace, "C", 5, 13);
  expect_load (trace, "D", 6, 13);
  expect_no_defect (trace);
}
END_TEST

/* A runs 0..10 on C, 15..20 on D. f is in it all the time: 2..8, suspended with its task and on its own to 16, ends at
 * 18: CET 8 + 2, PRE 10..16. g in f 12..: no, it starts at 17 and ends at 18: SELF of f 9. h is not written to be
 * suspended: it runs 4..10 and 15..19. */
START_TEST (runnables_go_with_their_process)
{
  g_autoptr (TsTrace) trace = read_text (SCALE "0,C,0,T,A,3,start\n2,A,3,R,f,7,start\n10,A,3,R,f,7,suspend\n"
                                               "10,C,0,T,A,3,preempt\n15,D,0,T,A,3,resume\n16,A,3,R,f,7,resume\n"
                                               "17,A,3,R,g,0,start\n18,A,3,R,g,0,terminate\n18,A,3,R,f,7,terminate\n"
                                               "20,D,0,T,A,3,terminate\n"
                                               "30,C,0,T,A,4,start\n34,A,4,R,h,1,start\n40,C,0,T,A,4,preempt\n"
                                               "45,C,0,T,A,4,resume\n49,A,4,R,h,1,terminate\n50,C,0,T,A,4,terminate\n");

  expect_metrics (trace, "A", "CET 2 15 15 30; GET 2 20 20 40; DT 1 30 30 30; PRE 2 5 5 10; SELF 2 5 5 10; "
                              "E2S 1 10 10 10; NPR 2 1 1 2");
  expect_metrics (trace, "f", "CET 1 10 10 10; GET 1 16 16 16; PRE 1 6 6 6; SELF 1 9 9 9; NPR 1 1 1 1");
  expect_metrics (trace, "h", "CET 1 10 10 10; GET 1 15 15 15; PRE 1 5 5 5; NPR 1 1 1 1");
  expect_load (trace, "C", 25, 50);
  expect_load (trace, "D", 5, 50);
  expect_no_defect (trace);
}
END_TEST

/* v is written at 2, 10, 11 and read at 4, 15: DT 8 and 1, AGE 2 and 4. */
START_TEST (signals_have_delta_time_and_age)
{
  g_autoptr (TsTrace) trace = read_text (SCALE "0,C,0,T,A,0,start\n1,A,0,SIG,v,0,read,0\n2,A,0,SIG,v,0,write,7\n"
                                               "4,A,0,SIG,v,0,read,7\n10,S,0,SIG,v,0,write,8\n11,A,0,SIG,v,0,write,9\n"
                                               "15,A,0,SIG,v,0,read,9\n20,C,0,T,A,0,terminate\n");
  TsElementCounts     task = trace->measures->elements[element_of (trace, "A")].counts;
  TsElementCounts     sig = trace->measures->elements[element_of (trace, "v")].counts;

  expect_metrics (trace, "v", "DT 2 1 8 9; AGE 2 2 4 6");
  ck_assert_uint_eq (sig.reads, 3);
  ck_assert_uint_eq (sig.writes, 3);
  ck_assert_uint_eq (task.reads, 3);
  ck_assert_uint_eq (task.writes, 2);
}
END_TEST

/* Cut out of a running system: #6 was preempted and #5 ran when it began; #7 is all there. */
START_TEST (instances_may_be_there_at_the_beginning)
{
  g_autoptr (TsTrace) trace = read_text (SCALE "100,SIM,-1,SYS,SYSTEM,0,start\n102,C,0,T,A,5,terminate\n"
                                               "104,D,0,T,A,6,resume\n106,S,0,T,A,7,activate\n109,D,0,T,A,6,terminate\n"
                                               "110,C,0,T,A,7,start\n114,C,0,T,A,7,terminate\n"
                                               "120,SIM,-1,SYS,SYSTEM,0,stop\n");

  expect_metrics (trace, "A", "IPT 1 4 4 4; CET 1 4 4 4; GET 1 4 4 4; RT 1 8 8 8; ST 1 -3 -3 -3; E2S 1 1 1 1");
  expect_load (trace, "C", 6, 20);
  expect_load (trace, "D", 5, 20);
  ck_assert_uint_eq (trace->measures->elements[0].counts.partial_head, 2);
  expect_no_defect (trace);
}
END_TEST

/* #1 lost its start: it runs from 14 on, for all that is known; RT is there all the same. #9 lost everything before. */
START_TEST (a_lost_start_is_counted)
{
  g_autoptr (TsTrace) trace = read_text (SCALE "0,S,0,T,A,0,activate\n1,C,0,T,A,0,start\n5,C,0,T,A,0,terminate\n"
                                               "10,S,1,T,A,1,activate\n14,C,0,T,A,1,resume\n18,C,0,T,A,1,terminate\n"
                                               "30,C,0,T,A,9,preempt\n40,C,0,T,A,9,resume\n50,C,0,T,A,9,terminate\n");

  expect_metrics (trace, "A", "IPT 1 1 1 1; CET 1 4 4 4; GET 1 4 4 4; RT 2 5 8 13; PER 1 10 10 10; ST 1 5 5 5; "
                              "PRE 1 10 10 10");
  expect_load (trace, "C", 4 + 4 + 10, 50);
  expect_count (trace, TS_DIAGNOSTIC_MISSING_START, 2, 7);
}
END_TEST

/* Ended before it started: it took 5 from its activation, and never ran; who never started has no E2S. */
START_TEST (an_active_process_can_be_terminated)
{
  g_autoptr (TsTrace) trace = read_text (SCALE "0,S,0,T,A,0,activate\n5,C,0,T,A,0,terminate\n20,S,1,T,A,1,activate\n"
                                               "21,C,0,T,A,1,start\n23,C,0,T,A,1,terminate\n");

  expect_metrics (trace, "A", "IPT 1 1 1 1; CET 1 2 2 2; GET 1 2 2 2; RT 2 3 5 8; PER 1 20 20 20; ST 1 15 15 15; "
                              "E2S 1 16 16 16");
  expect_load (trace, "C", 2, 23);
  expect_count (trace, TS_DIAGNOSTIC_MISSING_START, 1, 4);
}
END_TEST

START_TEST (what_lost_its_end_does_not_come_again)
{
  /* #1 runs 800..901, when #2 takes its core, up to 907: what #1 does behind that says nothing of the time before 800 */
  static const char *const firsts[]
      = { "800,C,0,T,A,1,start\n850,S,2,T,A,2,activate\n", "800,C,0,T,A,1,resume\n", "800,C,0,T,A,1,start\n" };
  g_autofree char *text
      = g_strconcat (SCALE "0,C,0,T,B,0,start\n1,C,0,T,B,0,terminate\n", firsts[_i],
                     "901,C,0,T,A,2,start\n907,C,0,T,A,2,terminate\n909,C,0,T,A,1,preempt\n950,C,0,T,A,1,resume\n"
                     "960,C,0,T,A,1,terminate\n999,C,0,T,B,1,start\n1000,C,0,T,B,1,terminate\n",
                     NULL);
  g_autoptr (TsTrace) trace = read_text (text);

  expect_load (trace, "C", 109, 1000);
}
END_TEST

START_TEST (what_does_not_fit_is_a_defect)
{
  static const struct
  {
    const char    *line;
    TsDiagnosticId id;
  } cases[] = {
    { "9,C,0,T,A,3,terminate\n9,C,0,T,A,3,terminate\n", TS_DIAGNOSTIC_REDUNDANT_END },
    { "9,C,0,T,A,3,resume\n", TS_DIAGNOSTIC_REDUNDANT_RESUME },
    { "8,C,0,T,A,3,preempt\n9,C,0,T,A,3,preempt\n", TS_DIAGNOSTIC_REDUNDANT_PREEMPT },
    { "9,C,0,T,A,3,release\n", TS_DIAGNOSTIC_UNEXPECTED_STATE },
    { "8,C,0,T,A,3,preempt\n9,C,0,T,A,3,poll\n", TS_DIAGNOSTIC_UNEXPECTED_STATE },
    { "9,C,0,T,A,3,start\n", TS_DIAGNOSTIC_MISSING_END },
    { "9,C,0,T,B,0,start\n10,C,0,T,B,0,terminate\n", TS_DIAGNOSTIC_OVERLAP },
    { "9,A,3,R,f,0,start\n9,A,3,R,f,0,resume\n", TS_DIAGNOSTIC_REDUNDANT_RESUME },
    { "9,D,0,T,A,3,terminate\n", TS_DIAGNOSTIC_WRONG_CORE },
    { "9,D,0,T,A,3,preempt\n", TS_DIAGNOSTIC_WRONG_CORE },
    { "8,C,0,T,A,3,preempt\n8,C,0,T,A,3,resume\n9,D,0,T,A,3,wait\n", TS_DIAGNOSTIC_WRONG_CORE },
    { "8,C,0,T,A,3,terminate\n8,C,0,T,A,4,start\n9,D,0,T,A,4,terminate\n", TS_DIAGNOSTIC_WRONG_CORE },
  };
  g_autofree char    *text = g_strconcat (SCALE "0,C,0,T,A,3,start\n", cases[_i].line, NULL);
  g_autoptr (TsTrace) trace = read_text (text);

  ck_assert_uint_eq (trace->diagnostics->entries[cases[_i].id].count, 1);
}
END_TEST

/* A is on C up to its end at 9, wherever that is written: what brought it to D is lost. */
START_TEST (what_ends_on_another_core_ran_on_its_own)
{
  g_autoptr (TsTrace) trace = read_text (SCALE "0,C,0,T,A,3,start\n9,D,0,T,A,3,terminate\n10,D,0,T,B,0,start\n"
                                               "12,D,0,T,B,0,terminate\n");

  expect_metrics (trace, "A", "CET 1 9 9 9; GET 1 9 9 9");
  expect_load (trace, "C", 9, 12);
  expect_load (trace, "D", 2, 12);
}
END_TEST

/* The preemption of A is lost, and when that was: from 5 on it is on D, with f in it, and so B is alone on C. */
START_TEST (what_goes_on_on_another_core_is_there_though_it_was_not_preempted)
{
  g_autoptr (TsTrace) trace = read_text (SCALE "0,C,0,T,A,0,start\n1,A,0,R,f,0,start\n5,D,0,T,A,0,resume\n6,C,0,T,B,0,start\n"
                                               "7,C,0,T,B,0,terminate\n8,A,0,R,f,0,terminate\n9,D,0,T,A,0,terminate\n");

  expect_metrics (trace, "A", "CET 1 9 9 9; GET 1 9 9 9; SELF 1 2 2 2");
  expect_metrics (trace, "f", "CET 1 7 7 7; GET 1 7 7 7");
  expect_load (trace, "C", 6, 9);
  expect_load (trace, "D", 4, 9);
  expect_count (trace, TS_DIAGNOSTIC_REDUNDANT_RESUME, 1, 5);
  ck_assert_uint_eq (trace->diagnostics->entries[TS_DIAGNOSTIC_OVERLAP].count, 0);
  ck_assert_uint_eq (trace->diagnostics->entries[TS_DIAGNOSTIC_WRONG_CORE].count, 0);
}
END_TEST

/* What goes on on another core, or is preempted there before it does, is where that says. */
START_TEST (going_on_on_another_core_is_no_defect)
{
  g_autoptr (TsTrace) trace = read_text (SCALE "0,C,0,T,A,3,start\n4,C,0,T,A,3,preempt\n6,D,0,T,A,3,resume\n"
                                               "9,D,0,T,A,3,terminate\n");

  expect_load (trace, "C", 4, 9);
  expect_load (trace, "D", 3, 9);
  expect_no_defect (trace);
}
END_TEST

/* Two instances of A run at once: on C 0..10 and 20..30 with f in it 2..25, on D 0..30 with g in it 3..26. */
START_TEST (runnables_belong_to_an_instance_of_their_task)
{
  g_autoptr (TsTrace) trace = read_text (SCALE "0,C,0,T,A,0,start\n0,D,0,T,A,1,start\n2,A,0,R,f,0,start\n"
                                               "3,A,1,R,g,0,start\n10,C,0,T,A,0,preempt\n20,C,0,T,A,0,resume\n"
                                               "25,A,0,R,f,0,terminate\n26,A,1,R,g,0,terminate\n"
                                               "30,C,0,T,A,0,terminate\n30,D,0,T,A,1,terminate\n");

  expect_metrics (trace, "f", "CET 1 13 13 13; GET 1 23 23 23; PRE 1 10 10 10; NPR 1 1 1 1");
  expect_metrics (trace, "g", "CET 1 23 23 23; GET 1 23 23 23");
  expect_metrics (trace, "A", "CET 2 20 30 50; GET 2 30 30 60; DT 1 0 0 0; PRE 1 10 10 10; SELF 2 7 7 14; "
                              "E2S 1 -30 -30 -30; NPR 2 0 1 1");
  expect_no_defect (trace);
}
END_TEST

/* f has the number 0 whoever calls it: in A 1..5, in B 2..9. */
START_TEST (runnables_without_numbers_are_told_apart_by_their_task)
{
  g_autoptr (TsTrace) trace = read_text (SCALE "0,C,0,T,A,0,start\n0,D,0,T,B,0,start\n1,A,0,R,f,0,start\n"
                                               "2,B,0,R,f,0,start\n5,A,0,R,f,0,terminate\n9,B,0,R,f,0,terminate\n");

  expect_metrics (trace, "f", "CET 2 4 7 11; GET 2 4 7 11; DT 1 1 1 1; E2S 1 -3 -3 -3");
  expect_no_defect (trace);
}
END_TEST

/* Three instances were there at 0: on C to 10, on D to 12, on E to 14. The one between comes last. */
START_TEST (several_instances_may_be_there_at_the_beginning)
{
  g_autoptr (TsTrace) trace = read_text (SCALE "0,C,0,C,C,0,execute\n10,C,0,T,A,1,preempt\n12,D,0,T,A,3,preempt\n"
                                               "14,E,0,T,A,2,terminate\n15,S,0,T,A,4,activate\n"
                                               "16,E,0,T,A,2,terminate\n20,C,0,T,A,1,resume\n");

  expect_load (trace, "C", 10, 20);
  expect_load (trace, "D", 12, 20);
  expect_load (trace, "E", 14, 20);
  expect_count (trace, TS_DIAGNOSTIC_PARTIAL_HEAD, 3, 4);
  expect_count (trace, TS_DIAGNOSTIC_REDUNDANT_END, 1, 8);
}
END_TEST

/* f and h are in #1, g is in #2, both of which have their first event later: h was called by f 130..140, and g was not. */
START_TEST (instances_that_are_not_seen_yet_are_told_apart)
{
  g_autoptr (TsTrace) trace = read_text (SCALE "110,A,1,R,f,0,start\n120,A,2,R,g,0,start\n130,A,1,R,h,0,start\n"
                                               "140,A,1,R,h,0,terminate\n150,A,2,R,g,0,terminate\n"
                                               "160,A,1,R,f,0,terminate\n170,C,0,T,A,1,terminate\n"
                                               "175,D,0,T,A,2,terminate\n");

  expect_metrics (trace, "f", "CET 1 50 50 50; GET 1 50 50 50; SELF 1 40 40 40");
  expect_metrics (trace, "g", "CET 1 30 30 30; GET 1 30 30 30");
  expect_metrics (trace, "h", "CET 1 10 10 10; GET 1 10 10 10");
}
END_TEST

/* A trace that was cut: what happens in A before its first event is its own. f runs 0..5 and 9..12. */
START_TEST (a_process_may_be_a_source_before_its_first_event)
{
  g_autoptr (TsTrace) trace = read_text (SCALE "0,A,0,R,f,0,start\n4,A,0,SIG,s,0,write\n5,C,0,I,A,0,preempt\n"
                                               "9,C,0,I,A,0,resume\n12,A,0,R,f,0,terminate\n13,C,0,I,A,0,terminate\n");

  expect_metrics (trace, "f", "CET 1 8 8 8; GET 1 12 12 12; PRE 1 4 4 4; NPR 1 1 1 1");
  ck_assert_uint_eq (trace->measures->elements[element_of (trace, "A")].counts.writes, 1);
  expect_load (trace, "C", 9, 13);
  expect_no_defect (trace);
}
END_TEST

/* The system stops at 10; A runs 0..12, 2 of which are outside. It did not stop if it starts again. */
START_TEST (load_ends_where_the_system_stops)
{
  g_autoptr (TsTrace) trace = read_text (SCALE "0,SIM,-1,SYS,S,0,start\n0,C,0,T,A,0,start\n10,SIM,-1,SYS,S,0,stop\n"
                                               "12,C,0,T,A,0,terminate\n");
  g_autoptr (TsTrace) again = read_text (SCALE "0,C,0,T,A,0,start\n10,SIM,-1,SYS,S,0,stop\n11,SIM,-1,SYS,S,0,start\n"
                                               "12,C,0,T,A,0,terminate\n");

  expect_load (trace, "C", 10, 10);
  expect_metrics (trace, "A", "CET 1 12 12 12; GET 1 12 12 12");
  expect_count (trace, TS_DIAGNOSTIC_OUTSIDE_SECTION, 1, 6);
  expect_load (again, "C", 12, 12);
  expect_count (again, TS_DIAGNOSTIC_OUTSIDE_SECTION, 0, 0);
}
END_TEST

/* B runs 0..5, A 20..50 and 100..110; C1 runs since the beginning up to 30 on another core. */
START_TEST (load_goes_on_behind_a_stop_that_is_none)
{
#define STOP(time, system) #time ",SIM,-1,SYS," #system ",0,stop\n"
#define START(time, system) #time ",SIM,-1,SYS," #system ",0,start\n"
#define B_RUNS "0,C,0,T,B,0,start\n5,C,0,T,B,0,terminate\n"
#define A_RUNS "20,C,0,T,A,0,start\n30,D,0,T,C1,0,terminate\n50,C,0,T,A,0,terminate\n"
#define A_RUNS_AGAIN "100,C,0,T,A,1,start\n110,C,0,T,A,1,terminate\n"
  static const struct
  {
    const char *lines;
    gint64      from, to; /* or 0: none */
    gint64      on_c, on_d, window;
    guint64     n_outside, outside_line;
  } cases[] = {
    /* the system starts again: all that ran counts, in any window */
    { START (0, S) B_RUNS STOP (10, S) A_RUNS START (90, S) A_RUNS_AGAIN, 0, 0, 45, 30, 110, 0, 0 },
    { START (0, S) B_RUNS STOP (10, S) A_RUNS START (90, S) A_RUNS_AGAIN, 25, 50, 25, 5, 25, 0, 0 },
    { START (0, S) B_RUNS STOP (10, S) A_RUNS START (90, S) A_RUNS_AGAIN, 40, 105, 15, 0, 65, 0, 0 },
    { START (0, S) B_RUNS STOP (10, S) "20,C,0,T,A,0,start\n" START (30, S) "50,C,0,T,A,0,terminate\n", 0, 0, 35, 0, 50, 0, 0 },
    /* it does not, or not before what came in between: that is outside */
    { START (0, S) B_RUNS STOP (10, S) A_RUNS, 0, 0, 5, 10, 10, 3, 7 },
    { START (0, S) B_RUNS STOP (10, S) A_RUNS START (90, S) STOP (95, S) A_RUNS_AGAIN, 0, 0, 35, 30, 95, 2, 12 },
    /* it stops later, too */
    { START (0, S) B_RUNS STOP (10, S) A_RUNS STOP (60, S) A_RUNS_AGAIN, 0, 0, 35, 30, 60, 2, 11 },
    /* another one runs, or stops later */
    { START (0, S) START (0, R) B_RUNS STOP (10, S) A_RUNS STOP (60, R) A_RUNS_AGAIN, 0, 0, 35, 30, 60, 2, 12 },
    { START (0, S) START (0, R) B_RUNS STOP (10, S) A_RUNS, 0, 0, 35, 30, 50, 0, 0 },
    { START (0, S) B_RUNS STOP (10, S) A_RUNS STOP (60, R), 0, 0, 35, 30, 60, 0, 0 },
  };
  g_autofree char      *text = g_strconcat (SCALE, cases[_i].lines, NULL);
  g_autoptr (TsOptions) options = ts_options_new ();
  g_autoptr (TsTrace)   trace = NULL;

  options->has_from = cases[_i].from > 0;
  options->from = (TsTimeText){ .value = { cases[_i].from, 1 }, .in_ticks = TRUE };
  options->has_to = cases[_i].to > 0;
  options->to = (TsTimeText){ .value = { cases[_i].to, 1 }, .in_ticks = TRUE };
  trace = read_with (text, options);
  expect_load (trace, "C", cases[_i].on_c, cases[_i].window);
  if (strstr (cases[_i].lines, ",D,") != NULL)
    expect_load (trace, "D", cases[_i].on_d, cases[_i].window);
  expect_count (trace, TS_DIAGNOSTIC_OUTSIDE_SECTION, cases[_i].n_outside, cases[_i].outside_line);
}
END_TEST

/* The cores become known while the section is read. */
START_TEST (a_section_can_be_reported_by_itself)
{
  g_autoptr (TsOptions) options = ts_options_new ();
  g_autoptr (TsTrace)   trace = NULL;
  const TsMeasures     *section;

  options->per_section = TRUE;
  trace = read_with (SCALE "0,C,0,T,A,0,start\n4,C,0,T,A,0,terminate\n10,C,0,C,C,0,idle\n", options);
  expect_load (trace, "C", 4, 10);
  ck_assert_uint_eq (trace->section_measures->len, 1);
  section = g_ptr_array_index (trace->section_measures, 0);
  ck_assert_int_eq ((gint64) section->busy[0], 4);
  ck_assert_int_eq ((gint64) section->window, 10);
}
END_TEST

START_TEST (every_core_of_a_migrating_task_is_named)
{
  g_autoptr (TsTrace) trace = read_text (SCALE "0,C,0,T,A,0,start\n1,A,0,R,f,0,start\n5,C,0,T,A,0,preempt\n"
                                               "6,D,0,T,A,0,resume\n8,D,0,T,A,0,wait\n9,D,0,T,A,0,release\n"
                                               "10,E,0,T,A,0,resume\n11,A,0,R,f,0,terminate\n12,E,0,T,A,0,terminate\n");
  const char *const names[] = { "A", "f" };

  for (guint i = 0; i < 2; i++)
    {
      const TsMeasuredElement *measured = &trace->measures->elements[element_of (trace, names[i])];

      for (guint16 k = 0; k < 3; k++)
        ck_assert_uint_eq (ts_measured_ran_on (measured, k), k);
      ck_assert_uint_eq (ts_measured_ran_on (measured, 3), TS_NO_RESOURCE);
    }
}
END_TEST

/* The first A lost its end: it cannot have run when the second one started at 10. Where the end is only written
 * after that start, nothing is lost. */
START_TEST (a_younger_instance_on_its_core_shows_a_lost_end)
{
  g_autoptr (TsTrace) lost = read_text (SCALE "0,C,0,T,A,0,start\n10,C,0,T,A,1,start\n15,C,0,T,A,1,terminate\n"
                                              "20,C,0,C,C,0,idle\n");
  g_autoptr (TsTrace) late = read_text (SCALE "0,C,0,T,A,0,start\n10,C,0,T,A,1,start\n10,C,0,T,A,0,terminate\n"
                                              "15,C,0,T,A,1,terminate\n");
  g_autoptr (TsTrace) other = read_text (SCALE "0,C,0,T,A,0,start\n10,D,0,T,A,1,start\n15,D,0,T,A,1,terminate\n"
                                               "20,C,0,T,A,0,terminate\n");

  expect_metrics (lost, "A", "CET 1 5 5 5; GET 1 5 5 5; DT 1 10 10 10");
  expect_load (lost, "C", 15, 20);
  expect_count (lost, TS_DIAGNOSTIC_MISSING_END, 1, 4);
  expect_count (lost, TS_DIAGNOSTIC_OVERLAP, 0, 0);
  expect_metrics (late, "A", "CET 2 5 10 15; GET 2 5 10 15; DT 1 10 10 10; E2S 1 0 0 0");
  expect_no_defect (late);
  expect_metrics (other, "A", "CET 2 5 20 25; GET 2 5 20 25; DT 1 10 10 10; E2S 1 -10 -10 -10");
  expect_no_defect (other);
}
END_TEST

/* The same where the second one has left when time goes on: it did start, and only what runs beside it without a
 * break was there before. Where A#0 is told to be preempted after that start, nothing is lost. */
START_TEST (a_younger_instance_may_leave_at_once)
{
  g_autoptr (TsTrace) ended = read_text (SCALE "0,C,0,I,A,0,start\n10,C,0,I,A,1,start\n10,C,0,I,A,1,terminate\n"
                                               "40,C,0,I,A,2,start\n40,C,0,I,A,2,terminate\n");
  g_autoptr (TsTrace) preempted = read_text (SCALE "0,C,0,T,A,0,start\n10,C,0,T,A,1,start\n10,C,0,T,A,1,preempt\n"
                                                   "30,C,0,T,A,1,resume\n40,C,0,T,A,1,terminate\n");
  g_autoptr (TsTrace) between = read_text (SCALE "0,C,0,T,A,0,start\n10,C,0,T,A,1,start\n10,C,0,T,A,0,preempt\n"
                                                 "10,C,0,T,A,1,terminate\n10,C,0,T,A,0,resume\n"
                                                 "20,C,0,T,A,0,terminate\n");

  expect_metrics (ended, "A", "CET 2 0 0 0; GET 2 0 0 0; DT 2 10 30 40; E2S 1 30 30 30");
  expect_load (ended, "C", 10, 40);
  expect_count (ended, TS_DIAGNOSTIC_MISSING_END, 1, 4);
  expect_count (ended, TS_DIAGNOSTIC_PARTIAL_TAIL, 0, 0);
  expect_metrics (preempted, "A", "CET 1 10 10 10; GET 1 30 30 30; DT 1 10 10 10; PRE 1 20 20 20; NPR 1 1 1 1");
  expect_load (preempted, "C", 20, 40);
  expect_count (preempted, TS_DIAGNOSTIC_MISSING_END, 1, 4);
  expect_load (between, "C", 20, 20);
  expect_no_defect (between);
}
END_TEST

/* Nor can A#0 have run on where it started at the stamp of that, though it ends at no other time than A#1: unless it is
 * told to be preempted in between. */
START_TEST (a_younger_instance_may_start_and_leave_at_the_stamp_of_an_older_start)
{
  g_autoptr (TsTrace) lost = read_text (SCALE "0,C,0,C,C,0,idle\n10,C,0,T,A,0,start\n10,C,0,T,A,1,start\n"
                                              "10,C,0,T,A,1,terminate\n20,C,0,T,B,0,start\n30,C,0,T,B,0,terminate\n");
  g_autoptr (TsTrace) preempted = read_text (SCALE "0,C,0,C,C,0,idle\n10,C,0,T,A,0,start\n10,C,0,T,A,1,start\n"
                                                   "10,C,0,T,A,0,preempt\n10,C,0,T,A,1,terminate\n"
                                                   "10,C,0,T,A,0,resume\n20,C,0,T,A,0,terminate\n");
  g_autoptr (TsTrace) two = read_text (SCALE "0,C,0,C,C,0,idle\n10,C,0,T,A,0,start\n10,C,0,T,A,1,start\n"
                                             "10,C,0,T,A,2,start\n10,C,0,T,A,2,terminate\n10,C,0,T,A,1,terminate\n"
                                             "20,C,0,T,B,0,start\n30,C,0,T,B,0,terminate\n");

  expect_metrics (lost, "A", "CET 1 0 0 0; GET 1 0 0 0; DT 1 0 0 0");
  expect_load (lost, "C", 10, 30);
  expect_count (lost, TS_DIAGNOSTIC_MISSING_END, 1, 5);
  expect_count (lost, TS_DIAGNOSTIC_OVERLAP, 0, 0);
  expect_metrics (preempted, "A",
                  "CET 2 0 10 10; GET 2 0 10 10; DT 1 0 0 0; PRE 1 0 0 0; E2S 1 -10 -10 -10; NPR 2 0 1 1");
  expect_load (preempted, "C", 10, 20);
  expect_no_defect (preempted);
  expect_metrics (two, "A", "CET 2 0 0 0; GET 2 0 0 0; DT 2 0 0 0; E2S 1 0 0 0");
  expect_load (two, "C", 10, 30);
  expect_count (two, TS_DIAGNOSTIC_MISSING_END, 1, 5);
}
END_TEST

/* Numbers count activations: #2 of B came after #1, which was activated at 50, so it cannot have run since 0. Of A
 * there are 0..1, and of the second B 85..90. */
START_TEST (what_lost_its_start_is_younger_than_what_was_activated_before)
{
  g_autoptr (TsTrace) ended = read_text (SCALE "0,C,0,I,A,0,start\n1,C,0,I,A,0,terminate\n50,S,1,T,B,1,activate\n"
                                               "90,C,0,T,B,2,terminate\n100,S,3,T,B,3,activate\n");
  g_autoptr (TsTrace) resumed = read_text (SCALE "0,C,0,I,A,0,start\n1,C,0,I,A,0,terminate\n50,S,1,T,B,1,activate\n"
                                                 "60,C,0,T,B,1,terminate\n80,C,0,T,B,2,preempt\n85,C,0,T,B,2,resume\n"
                                                 "90,C,0,T,B,2,terminate\n100,S,3,T,B,3,activate\n");

  expect_load (ended, "C", 1, 100);
  expect_count (ended, TS_DIAGNOSTIC_MISSING_START, 1, 6);
  expect_count (ended, TS_DIAGNOSTIC_PARTIAL_HEAD, 0, 0);
  expect_load (resumed, "C", 6, 100);
  expect_count (resumed, TS_DIAGNOSTIC_MISSING_START, 2, 6);
  expect_count (resumed, TS_DIAGNOSTIC_PARTIAL_HEAD, 0, 0);
}
END_TEST

/* f runs 5..10: there its task ends, though nobody saw that start. */
START_TEST (runnables_end_with_a_task_that_lost_its_start)
{
  g_autoptr (TsTrace) trace = read_text (SCALE "0,S,0,T,A,0,activate\n5,A,0,R,f,0,start\n10,C,0,T,A,0,terminate\n"
                                               "30,A,0,R,f,0,terminate\n40,C,0,I,B,0,start\n");

  expect_metrics (trace, "A", "RT 1 10 10 10");
  expect_metrics (trace, "f", "CET 1 5 5 5; GET 1 25 25 25");
  expect_load (trace, "C", 0, 40);
  expect_count (trace, TS_DIAGNOSTIC_MISSING_START, 1, 5);
  expect_count (trace, TS_DIAGNOSTIC_LATE_NESTED_END, 1, 6);
}
END_TEST

/* A has the instances 0 and 1, and f in each of them no number. In turns on one core, f runs 10..20 and 60..80 in the first,
 * and 40..50 and 120..130 in the other one: CET 30 and 20, GET 70 and 90, PRE 20..60 and 50..120. On two cores f is 10..60
 * and 20..90. E2S is 40 - 80, 30 - 90 and 20 - 60. */
START_TEST (zero_is_the_number_of_an_instance_that_has_it)
{
  g_autoptr (TsTrace) turns = read_text (SCALE "0,C,0,T,A,0,start\n10,A,0,R,f,-1,start\n20,C,0,T,A,0,preempt\n"
                                               "30,C,0,T,A,1,start\n40,A,1,R,f,-1,start\n50,C,0,T,A,1,preempt\n"
                                               "60,C,0,T,A,0,resume\n80,A,0,R,f,-1,terminate\n90,C,0,T,A,0,terminate\n"
                                               "120,C,0,T,A,1,resume\n130,A,1,R,f,-1,terminate\n140,C,0,T,A,1,terminate\n");
  g_autoptr (TsTrace) beside = read_text (SCALE "0,C,0,T,A,0,start\n5,D,0,T,A,1,start\n10,A,0,R,f,,start\n"
                                                "20,A,1,R,f,,start\n60,A,0,R,f,,terminate\n90,A,1,R,f,,terminate\n"
                                                "95,D,0,T,A,1,terminate\n100,C,0,T,A,0,terminate\n");

  expect_metrics (turns, "f", "CET 2 20 30 50; GET 2 70 90 160; DT 1 30 30 30; PRE 2 40 70 110; E2S 1 -40 -40 -40; NPR 2 1 1 2");
  expect_metrics (turns, "A", "CET 2 40 50 90; GET 2 90 110 200; DT 1 30 30 30; PRE 2 40 70 110; SELF 2 20 20 40; "
                              "E2S 1 -60 -60 -60; NPR 2 1 1 2");
  expect_metrics (beside, "f", "CET 2 50 70 120; GET 2 50 70 120; DT 1 10 10 10; E2S 1 -40 -40 -40");
  expect_count (turns, TS_DIAGNOSTIC_LATE_NESTED_END, 0, 0);
  expect_count (turns, TS_DIAGNOSTIC_END_WHILE_PREEMPTED, 0, 0);
}
END_TEST

/* f runs 1..2 in B, and was open in A before the trace, as A was: it ran 4..6 and from 8 on. Whatever is written in place of a
 * number, that is an instance of its own, of which PRE 6..8 is known, and that it started in front of that in B, which is whole:
 * E2S 1 - 9. Its end is no other one again when A is over. What lost its start with D was not there before. */
START_TEST (a_function_without_numbers_was_open_in_a_task_that_was)
{
  static const char *const numbers[] = { "-1", "", "0" };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      static const char text[] = SCALE "0,C,0,T,B,0,start\n1,B,0,R,f,%,start\n2,B,0,R,f,%,terminate\n3,C,0,T,B,0,terminate\n"
                                       "4,C,0,T,A,0,resume\n6,A,0,R,f,%,suspend\n6,C,0,T,A,0,preempt\n8,C,0,T,A,0,resume\n"
                                       "8,A,0,R,f,%,resume\n9,A,0,R,f,%,terminate\n10,C,0,T,A,0,terminate\n"
                                       "11,A,0,R,f,%,terminate\n20,S,0,T,D,0,activate\n25,C,0,T,D,0,preempt\n"
                                       "26,D,0,R,f,%,suspend\n27,C,0,T,D,0,resume\n30,C,0,T,D,0,terminate\n";
      g_auto (GStrv)      parts = g_strsplit (text, "%", -1);
      g_autofree char    *written = g_strjoinv (numbers[i], parts);
      g_autoptr (TsTrace) trace = read_text (written);

      expect_metrics (trace, "f", "CET 1 1 1 1; GET 1 1 1 1; PRE 1 2 2 2; E2S 1 -8 -8 -8");
      expect_count (trace, TS_DIAGNOSTIC_PARTIAL_HEAD, 2, 7);
      expect_count (trace, TS_DIAGNOSTIC_REDUNDANT_END, 1, 14);
      expect_count (trace, TS_DIAGNOSTIC_REDUNDANT_PREEMPT, 1, 17);
    }
}
END_TEST

/* It could come of a recording that failed, or of a window in another unit. */
START_TEST (nothing_is_told)
{
  static const struct
  {
    const char *text;
    gint64      from; /* -1: all */
    guint64     no_events, empty_window;
  } cases[] = { { SCALE, -1, 1, 0 },
                { SCALE, 5, 1, 0 },
                { SCALE "0,C,0,I,A,0,start\n9,C,0,I,A,0,terminate\n", -1, 0, 0 },
                { SCALE "0,C,0,I,A,0,start\n9,C,0,I,A,0,terminate\n", 8, 0, 0 },
                { SCALE "0,C,0,I,A,0,start\n9,C,0,I,A,0,terminate\n", 10, 0, 1 },
                { SCALE "9,C,0,I,A,0,start\n", 9, 0, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const TsOptions     options = { .has_from = cases[i].from >= 0, .from = { { cases[i].from, 1 }, TRUE, 0 } };
      g_autoptr (TsTrace) trace = read_with (cases[i].text, &options);

      expect_count (trace, TS_DIAGNOSTIC_NO_EVENTS, cases[i].no_events, 0);
      expect_count (trace, TS_DIAGNOSTIC_EMPTY_WINDOW, cases[i].empty_window, 0);
    }
}
END_TEST

/* f in A 0..12 calls g 3..10, so SELF of f is 5. Where A runs is known only from its end on, behind which the start of f is
 * written: that is not where f started. */
START_TEST (a_late_start_is_not_where_its_task_was_later)
{
  g_autoptr (TsTrace) trace = read_text (SCALE "3,A,,R,g,2,start\n10,A,,R,g,2,terminate\n12,A,,R,f,1,terminate\n"
                                               "13,C,0,T,A,,terminate\n0,A,,R,f,1,start\n");

  expect_metrics (trace, "f", "CET 1 12 12 12; GET 1 12 12 12; SELF 1 5 5 5");
  expect_metrics (trace, "g", "CET 1 7 7 7; GET 1 7 7 7");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("btf metrics");
  TCase *tests = tcase_create ("metrics");

  tcase_add_test (tests, all_states_of_a_process);
  tcase_add_test (tests, a_parked_process_can_be_released);
  tcase_add_test (tests, instances_may_overlap);
  tcase_add_test (tests, instances_are_told_apart_by_their_number);
  tcase_add_test (tests, runnables_go_with_their_process);
  tcase_add_test (tests, signals_have_delta_time_and_age);
  tcase_add_test (tests, instances_may_be_there_at_the_beginning);
  tcase_add_test (tests, a_lost_start_is_counted);
  tcase_add_test (tests, an_active_process_can_be_terminated);
  tcase_add_loop_test (tests, what_lost_its_end_does_not_come_again, 0, 3);
  tcase_add_test (tests, runnables_belong_to_an_instance_of_their_task);
  tcase_add_test (tests, runnables_without_numbers_are_told_apart_by_their_task);
  tcase_add_test (tests, several_instances_may_be_there_at_the_beginning);
  tcase_add_test (tests, instances_that_are_not_seen_yet_are_told_apart);
  tcase_add_test (tests, a_process_may_be_a_source_before_its_first_event);
  tcase_add_test (tests, load_ends_where_the_system_stops);
  tcase_add_loop_test (tests, load_goes_on_behind_a_stop_that_is_none, 0, 10);
  tcase_add_test (tests, a_section_can_be_reported_by_itself);
  tcase_add_test (tests, every_core_of_a_migrating_task_is_named);
  tcase_add_test (tests, a_younger_instance_on_its_core_shows_a_lost_end);
  tcase_add_test (tests, a_younger_instance_may_leave_at_once);
  tcase_add_test (tests, a_younger_instance_may_start_and_leave_at_the_stamp_of_an_older_start);
  tcase_add_test (tests, what_lost_its_start_is_younger_than_what_was_activated_before);
  tcase_add_test (tests, runnables_end_with_a_task_that_lost_its_start);
  tcase_add_test (tests, zero_is_the_number_of_an_instance_that_has_it);
  tcase_add_test (tests, a_function_without_numbers_was_open_in_a_task_that_was);
  tcase_add_test (tests, nothing_is_told);
  tcase_add_test (tests, a_late_start_is_not_where_its_task_was_later);
  tcase_add_loop_test (tests, what_does_not_fit_is_a_defect, 0, 12);
  tcase_add_test (tests, what_ends_on_another_core_ran_on_its_own);
  tcase_add_test (tests, what_goes_on_on_another_core_is_there_though_it_was_not_preempted);
  tcase_add_test (tests, going_on_on_another_core_is_no_defect);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
