/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "btf-trace.h"
#include "unit.h"

/* Small traces as other programs write them, from the file to the numbers. All numbers are worked out by hand, in the
 * comment above the trace. */

/* A runs 10..20, 50..60, 60..90; B runs 20..50 and from 90 on; both were created before. The self-resumption at 60
 * is a preemption of no length. */
START_TEST (freertos_has_slices_only)
{
  g_autoptr (TsTrace) trace = read_text ("#version 2.2.0\n#timeScale us\n0,Core_0,0,C,Core_0,0,set_frequency,20000000\n"
                                         "0,Core_0,0,T,[0/1]A,0,preempt,create pri:4\n"
                                         "5,Core_0,0,T,[0/2]B,0,preempt,create pri:0\n"
                                         "10,[0/0],0,T,[0/1]A,0,resume,\n20,Core_0,0,T,[0/1]A,0,preempt,\n"
                                         "20,[0/1]A,0,T,[0/2]B,0,resume,\n50,Core_0,0,T,[0/2]B,0,preempt,\n"
                                         "50,[0/2]B,0,T,[0/1]A,0,resume,\n60,Core_0,0,T,[0/1]A,0,preempt,\n"
                                         "60,[0/1]A,0,T,[0/1]A,0,resume,\n90,Core_0,0,T,[0/1]A,0,preempt,\n"
                                         "90,[0/1]A,0,T,[0/2]B,0,resume,\n100,Core_0,0,STI,tick,0,trigger,\n");

  expect_metrics (trace, "[0/1]A", "PRE 2 0 30 30");
  expect_metrics (trace, "[0/2]B", "PRE 1 40 40 40");
  expect_load (trace, "Core_0", 90, 100);
  expect_count (trace, TS_DIAGNOSTIC_NO_START_EVENTS, 1, 0);
  expect_no_defect (trace);
}
END_TEST

/* Older loggers name no core but where tasks are created, and the number of a tick for the task that ran: A runs
 * 100..300 and 500..1000, B 300..500. */
START_TEST (freertos_may_name_the_core_only_once)
{
  g_autoptr (TsTrace) trace
      = read_text ("#timeScale ns\n0,Core_1,0,C,Core_1,0,set_frequence,100000000\n"
                   "0,Core_1,0,T,(0001)A,0,preempt,create\n"
                   "10,Core_1,0,T,(0002)B,0,preempt,create\n100,(0002)B,0,T,(0001)A,0,resume,\n"
                   "250,Core_1,0,STI,tick_event,0,trigger,tick_7\n300,(0007),0,T,(0001)A,0,preempt,\n"
                   "300,(0001)A,0,T,(0002)B,0,resume,\n500,(0002)B,0,T,(0002)B,0,preempt,\n"
                   "500,(0002)B,0,T,(0001)A,0,resume,\n1000,(0001)A,0,T,(0001)A,0,preempt,\n");

  expect_load (trace, "Core_1", 900, 1000);
  expect_metrics (trace, "(0001)A", "PRE 1 200 200 200");
  ck_assert_uint_eq (ts_system_n_resources (ts_trace_get_system (trace)), 1);
  expect_count (trace, TS_DIAGNOSTIC_UNPLACED, 0, 0);
  expect_no_defect (trace);
}
END_TEST

/* As above, but where the trace begins nobody has said what B is: it is a task all the same, no core on which A runs
 * 900 ns. Where they run nobody knows. */
START_TEST (a_task_is_no_core_before_its_first_event)
{
  g_autoptr (TsTrace) trace
      = read_text ("#timeScale ns\n0,Core_1,0,C,Core_1,0,set_frequence,100000000\n"
                   "100,(0002)B,0,T,(0001)A,0,resume,\n300,(0007),0,T,(0001)A,0,preempt,\n"
                   "300,(0001)A,0,T,(0002)B,0,resume,\n500,(0002)B,0,T,(0002)B,0,preempt,\n"
                   "500,(0002)B,0,T,(0001)A,0,resume,\n1000,(0001)A,0,T,(0001)A,0,preempt,\n");

  ck_assert_uint_eq (ts_system_n_resources (ts_trace_get_system (trace)), 1);
  expect_load (trace, "Core_1", 0, 1000);
  expect_metrics (trace, "(0001)A", "PRE 1 200 200 200");
  expect_count (trace, TS_DIAGNOSTIC_UNPLACED, 1, 0);
}
END_TEST

/* What starts and ends on X says that it is a core, whatever else has its name: A runs there 10..20 and 50..60. */
START_TEST (a_core_may_have_the_name_of_a_task)
{
  g_autoptr (TsTrace) trace = read_text ("#timeScale ns\n0,S,0,T,A,1,activate\n10,X,0,T,A,1,start\n20,X,0,T,A,1,terminate\n"
                                         "30,X,0,T,X,1,start\n40,X,0,T,X,1,terminate\n50,X,0,T,A,2,start\n60,X,0,T,A,2,terminate\n");

  expect_load (trace, "X", 20, 60);
  expect_metrics (trace, "A", "IPT 1 10 10 10; CET 2 10 10 20; GET 2 10 10 20; RT 1 20 20 20; DT 1 40 40 40; E2S 1 30 30 30");
}
END_TEST

/* Who created a task ran on core 1, and its name says core 0. */
START_TEST (freertos_names_tell_the_core_better_than_who_created_them)
{
  g_autoptr (TsTrace) trace
      = read_text ("#timeScale us\n0,Core_1,0,C,Core_1,0,set_frequency,20000000\n"
                   "0,Core_1,0,T,[0/1]A,0,preempt,create\n"
                   "10,[0/1]A,0,T,[0/1]A,0,resume,\n30,[0/1]A,0,T,[0/1]A,0,preempt,\n"
                   "40,Core_1,0,STI,tick,0,trigger,\n");

  expect_load (trace, "Core_0", 20, 40);
  expect_load (trace, "Core_1", 0, 40);
}
END_TEST

/* Only of a task that is created no time passes: A runs 0..5 and 8..10. */
START_TEST (a_preemption_may_have_a_note_that_begins_likewise)
{
  static const char *const notes[] = { "createBuffer", "deleted by B", "creates", "delete_all", "task_created" };
  g_autofree char         *text
      = g_strdup_printf ("#timeScale ns\n0,Core_1,0,T,A,0,start\n5,Core_1,0,T,A,0,preempt,%s\n5,Core_1,0,T,B,0,start\n"
                         "8,Core_1,0,T,B,0,terminate\n8,Core_1,0,T,A,0,resume\n10,Core_1,0,T,A,0,terminate\n",
                         notes[_i]);
  g_autoptr (TsTrace)      trace = read_text (text);

  expect_metrics (trace, "A", "CET 1 7 7 7; GET 1 10 10 10; PRE 1 3 3 3; NPR 1 1 1 1");
  expect_metrics (trace, "B", "CET 1 3 3 3; GET 1 3 3 3");
}
END_TEST

/* A runs 10..60 where nobody knows: there is no LOAD of that. */
START_TEST (libbtf_may_write_no_core)
{
  g_autoptr (TsTrace) trace = read_text ("#timescale ns\n10,,0,T,A,0,start\n60,,0,T,A,0,terminate\n");

  expect_metrics (trace, "A", "CET 1 50 50 50; GET 1 50 50 50");
  expect_count (trace, TS_DIAGNOSTIC_UNPLACED, 1, 0);
}
END_TEST

/* W runs 0..10 on core 0 and 30..40 on core 1: one task that migrates, or two that know nothing of each other. */
START_TEST (freertos_tasks_migrate_under_other_names)
{
  static const char text[] = "#timeScale us\n0,[0/0],0,T,[0/5]W,0,resume,\n10,Core_0,0,T,[0/5]W,0,preempt,\n"
                             "30,[1/0],0,T,[1/5]W,0,resume,\n40,Core_1,0,T,[1/5]W,0,preempt,\n";
  g_autoptr (TsOptions) options = ts_options_new ();
  g_autoptr (TsTrace)   plain = read_with (text, options), folded = NULL;

  options->fold_names = TRUE;
  folded = read_with (text, options);
  expect_metrics (plain, "[0/5]W", "");
  expect_metrics (plain, "[1/5]W", "");
  expect_load (plain, "Core_1", 10, 40);
  expect_metrics (folded, "W[5]", "PRE 1 20 20 20");
  expect_load (folded, "Core_0", 10, 40);
  expect_load (folded, "Core_1", 10, 40);
}
END_TEST

/* A runs 0..10 on core 0, 12..20 on core 1; B 20..50 on core 0, where [0/1]A was before. */
START_TEST (folded_tasks_leave_the_load_where_it_is)
{
  static const char text[] = SCALE "0,Core_0,0,T,[0/1]A,0,start\n10,Core_0,0,T,[0/1]A,0,preempt\n"
                                   "12,Core_1,0,T,[1/1]A,0,resume\n20,Core_1,0,T,[1/1]A,0,terminate\n"
                                   "20,[0/1]A,0,T,[0/2]B,0,start\n50,Core_0,0,T,[0/2]B,0,terminate\n";
  g_autoptr (TsOptions) options = ts_options_new ();
  g_autoptr (TsTrace)   trace = NULL;

  options->fold_names = TRUE;
  trace = read_with (text, options);
  expect_metrics (trace, "A[1]", "CET 1 18 18 18; GET 1 20 20 20; PRE 1 2 2 2; NPR 1 1 1 1");
  expect_metrics (trace, "B[2]", "CET 1 30 30 30; GET 1 30 30 30");
  expect_load (trace, "Core_0", 40, 50);
  expect_load (trace, "Core_1", 8, 50);
  expect_no_defect (trace);
}
END_TEST

/* Two cores in turn, 8 after 10; A is preempted at 4 and ends at 8 without a resume: CET 4, GET 8. */
START_TEST (rtfparallella_is_unsorted_and_forgets_the_resume)
{
  g_autoptr (TsTrace) trace = read_text ("#version 1.0\n#timescale ns\n0,C0,0,T,A,0,start,0\n0,C1,0,T,X,0,start,0\n"
                                         "10,C1,0,T,X,0,terminate,0\n4,C0,0,T,A,0,preempt,0\n4,C0,0,T,B,0,start,0\n"
                                         "7,C0,0,T,B,0,terminate,0\n8,C0,0,T,A,0,terminate,0\n20,C1,0,T,X,1,start,0\n"
                                         "21,C1,0,T,X,1,terminate,0\n");

  expect_metrics (trace, "A", "CET 1 4 4 4; GET 1 8 8 8");
  expect_metrics (trace, "B", "CET 1 3 3 3; GET 1 3 3 3");
  expect_metrics (trace, "X", "CET 2 1 10 11; GET 2 1 10 11; DT 1 20 20 20; E2S 1 10 10 10");
  expect_load (trace, "C0", 7, 21);
  expect_load (trace, "C1", 11, 21);
  expect_count (trace, TS_DIAGNOSTIC_BACKWARDS, 1, 6);
  expect_count (trace, TS_DIAGNOSTIC_END_WHILE_PREEMPTED, 1, 9);
  expect_count (trace, TS_DIAGNOSTIC_NO_ACTIVATION_EVENTS, 1, 0);
}
END_TEST

/* The number is always 0. First: runs 2..5, 9..12; then 21..25, waits to 30, ready to 31, runs to 35. */
START_TEST (avr_starts_again_instead_of_resuming)
{
  g_autoptr (TsTrace) trace = read_text ("#version 1.0\n# Task1;0 called x\n0,C,0,T,A,0,activate\n2,C,0,T,A,0,start\n"
                                         "5,C,0,T,A,0,preempt\n5,C,0,ISR,I,0,start\n9,C,0,ISR,I,0,terminate\n"
                                         "9,C,0,T,A,0,start\n12,C,0,T,A,0,terminate\n20,C,0,T,A,0,activate\n"
                                         "21,C,0,T,A,0,start\n25,C,0,T,A,0,wait\n30,C,0,T,A,0,release\n"
                                         "31,C,0,T,A,0,start\n35,C,0,T,A,0,terminate\n");

  expect_metrics (trace, "A", "IPT 2 1 2 3; CET 2 6 8 14; GET 2 10 14 24; RT 2 12 15 27; DT 1 19 19 19; PER 1 20 20 20; "
                              "ST 1 8 8 8; PRE 2 1 4 5; E2S 1 9 9 9; WAIT 1 5 5 5; NPR 2 1 1 2");
  expect_metrics (trace, "I", "CET 1 4 4 4; GET 1 4 4 4");
  expect_count (trace, TS_DIAGNOSTIC_START_AS_RESUME, 2, 8);
  expect_count (trace, TS_DIAGNOSTIC_NO_TIME_SCALE, 1, 3);
  expect_load (trace, "C", 18, 35);
  expect_no_defect (trace);
}
END_TEST

/* No numbers at all: f runs 5..8 and 8..12, with g in it 9..10. */
START_TEST (ctracer_has_no_instance_numbers)
{
  g_autoptr (TsTrace) trace = read_text ("#timescale ns\n0,C,,T,A,,start\n5,A,,R,f,,start\n8,A,,R,f,,terminate\n"
                                         "8,A,,R,f,,start\n9,A,,R,g,,start\n10,A,,R,g,,terminate\n12,A,,R,f,,terminate\n"
                                         "20,C,0,C,C,0,idle\n");

  expect_metrics (trace, "A", "");
  expect_metrics (trace, "f", "CET 2 3 4 7; GET 2 3 4 7; DT 1 3 3 3; SELF 2 3 3 6; E2S 1 0 0 0");
  expect_metrics (trace, "g", "CET 1 1 1 1; GET 1 1 1 1");
  expect_load (trace, "C", 20, 20);
  expect_count (trace, TS_DIAGNOSTIC_NO_INSTANCE_NUMBERS, 1, 0);
}
END_TEST

/* Lines are written when a call ends, so calls inside come first; stamps count from 1970. */
START_TEST (seapi_has_runnables_only)
{
  g_autoptr (TsTrace) trace = read_text (SCALE "1440000000000000100,f,-1,R,f,-1,start\n"
                                               "1440000000000000130,f,-1,R,f,-1,terminate\n"
                                               "#version 2.1.3\n#timeScale ns\n"
                                               "1440000000000000105,g,-1,R,g,-1,start\n"
                                               "1440000000000000115,g,-1,R,g,-1,terminate\n");

  expect_metrics (trace, "f", "CET 1 30 30 30; GET 1 30 30 30; SELF 1 20 20 20");
  expect_metrics (trace, "g", "CET 1 10 10 10; GET 1 10 10 10");
  expect_count (trace, TS_DIAGNOSTIC_NO_PROCESSES, 1, 0);
}
END_TEST

/* b goes on when a ends, so that did not call it; nor did b call c. While w ran, one of them did 10..160: SELF of w 60. */
START_TEST (seapi_has_tasks_of_several_threads)
{
  g_autoptr (TsTrace) trace
      = read_text ("#timeScale ns\n0,w,0,R,w,-1,start\n10,a,0,R,a,-1,start\n30,b,0,R,b,-1,start\n"
                   "50,c,0,R,c,-1,start\n110,a,0,R,a,-1,terminate\n140,b,0,R,b,-1,terminate\n160,c,0,R,c,-1,terminate\n"
                   "210,w,0,R,w,-1,terminate\n");

  expect_metrics (trace, "w", "CET 1 210 210 210; GET 1 210 210 210; SELF 1 60 60 60");
  expect_metrics (trace, "a", "CET 1 100 100 100; GET 1 100 100 100");
  expect_metrics (trace, "b", "CET 1 110 110 110; GET 1 110 110 110");
  expect_metrics (trace, "c", "CET 1 110 110 110; GET 1 110 110 110");
}
END_TEST

/* Lines of runnables of tasks that a header declares, or none; their numbers are 0 for #, or there are none. */
static TsTrace *
read_runnables (const char *lines, gint i)
{
  static const char *const headers[] = { "", "#entityTypeTable\n#-T A\n#-T B\n" };
  g_autoptr (GString) text = g_string_new (SCALE);

  g_string_append (text, headers[i % 2]);
  g_string_append (text, lines);
  g_string_replace (text, ",#,", i < 2 ? ",0," : ",-1,", 0);
  return read_text (text->str);
}

/* f 0..8 and g 2..4 of A, and f 5..10 of B, ran beside one another, whether the header knows A and B or not. */
START_TEST (runnables_of_tasks_without_events_are_told_apart)
{
  g_autoptr (TsTrace) trace = read_runnables (
      "0,A,0,R,f,#,start\n1,B,0,R,h,#,start\n2,A,0,R,g,#,start\n4,A,0,R,g,#,terminate\n"
      "5,B,0,R,f,#,start\n8,A,0,R,f,#,terminate\n10,B,0,R,f,#,terminate\n12,B,0,R,h,#,terminate\n", _i);

  expect_metrics (trace, "f", "CET 2 5 8 13; GET 2 5 8 13; DT 1 5 5 5; SELF 2 5 6 11; E2S 1 -3 -3 -3");
  expect_metrics (trace, "g", "CET 1 2 2 2; GET 1 2 2 2");
  expect_metrics (trace, "h", "CET 1 11 11 11; GET 1 11 11 11; SELF 1 6 6 6");
  expect_count (trace, TS_DIAGNOSTIC_NO_PROCESSES, 1, 0);
}
END_TEST

/* f of B runs 0..10, and A's, which ran before the trace began, ends meanwhile: that is no end of B's, but in front of its
 * start: E2S 0 - 1, and 2 - 10 of the next one. If it comes once more, its start was lost. */
START_TEST (an_end_in_one_task_is_of_nothing_in_another)
{
  g_autoptr (TsTrace) trace = read_runnables ("0,B,0,R,f,#,start\n1,A,0,R,f,#,terminate\n2,A,0,R,f,#,start\n"
                                              "10,B,0,R,f,#,terminate\n20,A,0,R,f,#,terminate\n"
                                              "21,A,0,R,f,#,terminate\n", _i);

  expect_metrics (trace, "f", "CET 2 10 18 28; GET 2 10 18 28; DT 1 2 2 2; E2S 2 -8 -1 -9");
  expect_count (trace, TS_DIAGNOSTIC_PARTIAL_HEAD, 1, _i % 2 == 0 ? 4 : 7);
  expect_count (trace, TS_DIAGNOSTIC_REDUNDANT_END, 1, _i % 2 == 0 ? 8 : 11);
}
END_TEST

/* H is never seen to be switched. f of it runs 0..30, and what ends in T at 10 was there before; or f of T runs 10..30, and
 * what ends in H at 16 was. */
START_TEST (a_task_without_events_has_runnables_of_its_own)
{
  static const char *const lines[] = {
    "0,H,0,R,f,#,start\n5,C0,0,T,T,0,resume\n10,T,0,R,f,#,terminate\n20,C0,0,T,T,0,terminate\n30,H,0,R,f,#,terminate\n",
    "0,C0,0,T,T,0,start\n10,T,0,R,f,#,start\n16,H,0,R,f,#,terminate\n30,T,0,R,f,#,terminate\n40,C0,0,T,T,0,terminate\n",
  };
  g_autoptr (TsTrace) trace = read_runnables (lines[_i / 2], 2 * (_i % 2)); /* 0, or none */

  expect_metrics (trace, "f", _i / 2 == 0 ? "CET 1 30 30 30; GET 1 30 30 30; E2S 1 -10 -10 -10"
                                          : "CET 1 20 20 20; GET 1 20 20 20; E2S 1 -6 -6 -6");
  if (_i / 2 == 1)
    expect_metrics (trace, "T", "CET 1 40 40 40; GET 1 40 40 40; SELF 1 20 20 20");
  expect_count (trace, TS_DIAGNOSTIC_REDUNDANT_END, 0, 0);
}
END_TEST

/* f of A runs 0..2 and 7..9, that of B 3..5. */
START_TEST (a_start_in_one_task_does_not_resume_what_is_in_another)
{
  g_autoptr (TsTrace) trace = read_runnables ("0,A,0,R,f,#,start\n2,A,0,R,f,#,suspend\n3,B,0,R,f,#,start\n"
                                              "5,B,0,R,f,#,terminate\n7,A,0,R,f,#,resume\n9,A,0,R,f,#,terminate\n", _i);

  expect_metrics (trace, "f", "CET 2 2 4 6; GET 2 2 9 11; DT 1 3 3 3; PRE 1 5 5 5; E2S 1 -6 -6 -6; NPR 2 0 1 1");
  expect_count (trace, TS_DIAGNOSTIC_START_AS_RESUME, 0, 0);
}
END_TEST

/* f runs 0..8 in one, and 6..11 in the other, where g does 2..5. */
START_TEST (runnables_of_instances_without_events_are_told_apart)
{
  g_autoptr (TsTrace) trace = read_runnables ("0,A,1,R,f,#,start\n2,A,2,R,g,#,start\n5,A,2,R,g,#,terminate\n"
                                              "6,A,2,R,f,#,start\n8,A,1,R,f,#,terminate\n11,A,2,R,f,#,terminate\n", _i);

  expect_metrics (trace, "f", "CET 2 5 8 13; GET 2 5 8 13; DT 1 6 6 6; E2S 1 -2 -2 -2");
}
END_TEST

/* The numbers of f say which is meant, whatever an end gives for its source: itself, a core of which nothing is known yet, or
 * another instance of the task. */
START_TEST (numbers_say_more_than_sources)
{
  static const char *const lines[] = {
    ("0,C0,0,T,A,0,start\n0,C1,0,T,B,0,start\n1,A,0,R,f,5,start\n2,B,0,R,f,6,start\n4,f,5,R,f,5,terminate\n"
     "6,f,6,R,f,6,terminate\n7,C0,0,T,A,0,terminate\n7,C1,0,T,B,0,terminate\n"),
    "1,A,0,R,f,5,start\n4,C0,0,R,f,5,terminate\n4,A,0,R,f,6,start\n8,C0,0,R,f,6,terminate\n9,C0,0,T,A,0,preempt\n",
    "1,A,1,R,f,7,start\n4,A,2,R,f,7,terminate\n4,A,2,R,f,8,start\n8,A,3,R,f,8,terminate\n",
  };
  g_autofree char    *text = g_strconcat (SCALE, lines[_i], NULL);
  g_autoptr (TsTrace) trace = read_text (text);

  expect_metrics (trace, "f", _i == 0 ? "CET 2 3 4 7; GET 2 3 4 7; DT 1 1 1 1; E2S 1 -2 -2 -2"
                                      : "CET 2 3 4 7; GET 2 3 4 7; DT 1 3 3 3; E2S 1 0 0 0");
  if (_i == 0)
    expect_metrics (trace, "A", "CET 1 7 7 7; GET 1 7 7 7; SELF 1 4 4 4");
}
END_TEST

/* f of B#0 runs 0..5 and 9..12, and that of B#1 6..8, though neither a number 0 of f nor one of a process says much. */
START_TEST (a_number_0_is_told_from_another_that_is_open)
{
  g_autoptr (TsTrace) trace
      = read_text (SCALE "0,C0,0,T,B,0,start\n0,B,0,R,f,0,start\n5,B,0,R,f,0,suspend\n5,C0,0,T,B,0,preempt\n"
                         "5,C0,0,T,B,1,start\n6,B,1,R,f,0,start\n8,B,1,R,f,0,terminate\n9,C0,0,T,B,1,terminate\n"
                         "9,C0,0,T,B,0,resume\n9,B,0,R,f,0,resume\n12,B,0,R,f,0,terminate\n12,C0,0,T,B,0,terminate\n");

  expect_metrics (trace, "f", "CET 2 2 8 10; GET 2 2 12 14; DT 1 6 6 6; PRE 1 4 4 4; E2S 1 -6 -6 -6; NPR 2 0 1 1");
}
END_TEST

/* g runs 1..3 in f, though its source is f and not the task of that, and no instance. */
START_TEST (what_names_no_instance_is_in_one_that_is_open)
{
  g_autoptr (TsTrace) trace = read_text (SCALE "0,A,3,R,f,0,start\n1,f,-1,R,g,0,start\n3,f,-1,R,g,0,terminate\n"
                                               "7,A,3,R,f,0,terminate\n");

  expect_metrics (trace, "f", "CET 1 7 7 7; GET 1 7 7 7; SELF 1 5 5 5");
}
END_TEST

/* b ran beside a: while that was suspended, which is not in its time anyway, and before or behind that. So a ran 0..4 and
 * 5..7, or 0..4, all by itself. */
START_TEST (what_goes_on_was_not_called_by_what_was_suspended_meanwhile)
{
  g_autoptr (TsTrace) behind = read_text (SCALE "0,w,0,R,a,0,start\n4,w,0,R,a,0,suspend\n4,w,0,R,b,0,start\n"
                                                "5,w,0,R,a,0,resume\n7,w,0,R,a,0,terminate\n8,w,0,R,b,0,terminate\n");
  g_autoptr (TsTrace) before = read_text (SCALE "0,w,0,R,a,0,start\n2,w,0,R,b,0,start\n4,w,0,R,a,0,suspend\n"
                                                "6,w,0,R,a,0,terminate\n8,w,0,R,b,0,terminate\n");

  expect_metrics (behind, "a", "CET 1 6 6 6; GET 1 7 7 7; PRE 1 1 1 1; NPR 1 1 1 1");
  expect_metrics (behind, "b", "CET 1 4 4 4; GET 1 4 4 4");
  expect_metrics (before, "a", "CET 1 4 4 4; GET 1 6 6 6");
  expect_metrics (before, "b", "CET 1 6 6 6; GET 1 6 6 6");
}
END_TEST

/* f 6 runs 10..20 in A, and ends with it, and f 10 20..30 in B: whichever of the three lines of 20 stands first. At 21 nobody
 * expects its end any more. */
START_TEST (a_start_of_another_number_is_no_end)
{
  g_autoptr (TsTrace) last = read_text (SCALE "0,C,0,T,A,1,start\n0,D,0,T,B,1,start\n10,A,1,R,f,6,start\n20,C,0,T,A,1,terminate\n"
                                              "20,B,1,R,f,10,start\n20,A,1,R,f,6,terminate\n30,B,1,R,f,10,terminate\n");
  g_autoptr (TsTrace) first = read_text (SCALE "0,C,0,T,A,1,start\n0,D,0,T,B,1,start\n10,A,1,R,f,6,start\n20,A,1,R,f,6,terminate\n"
                                               "20,C,0,T,A,1,terminate\n20,B,1,R,f,10,start\n30,B,1,R,f,10,terminate\n");
  g_autoptr (TsTrace) late = read_text (SCALE "0,C,0,T,A,1,start\n0,D,0,T,B,1,start\n10,A,1,R,f,6,start\n20,C,0,T,A,1,terminate\n"
                                              "21,B,1,R,f,10,start\n30,B,1,R,f,10,terminate\n");
  g_autoptr (TsTrace) same = read_text (SCALE "0,C,0,T,A,1,start\n0,D,0,T,B,1,start\n10,A,1,R,f,6,start\n20,C,0,T,A,1,terminate\n"
                                              "20,B,1,R,f,6,start\n30,B,1,R,f,6,terminate\n");

  for (guint i = 0; i < 2; i++)
    {
      TsTrace *trace = i == 0 ? last : first;

      expect_metrics (trace, "f", "CET 2 10 10 20; GET 2 10 10 20; DT 1 10 10 10; E2S 1 0 0 0");
      expect_count (trace, TS_DIAGNOSTIC_MISSING_END, 0, 0);
      expect_count (trace, TS_DIAGNOSTIC_REDUNDANT_END, 0, 0);
    }
  expect_count (late, TS_DIAGNOSTIC_MISSING_END, 1, 7);
  expect_count (same, TS_DIAGNOSTIC_MISSING_END, 1, 7);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("btf dialects");
  TCase *tests = tcase_create ("dialects");

  tcase_add_test (tests, freertos_has_slices_only);
  tcase_add_test (tests, freertos_may_name_the_core_only_once);
  tcase_add_test (tests, a_task_is_no_core_before_its_first_event);
  tcase_add_test (tests, a_core_may_have_the_name_of_a_task);
  tcase_add_test (tests, freertos_names_tell_the_core_better_than_who_created_them);
  tcase_add_loop_test (tests, a_preemption_may_have_a_note_that_begins_likewise, 0, 5);
  tcase_add_test (tests, libbtf_may_write_no_core);
  tcase_add_test (tests, freertos_tasks_migrate_under_other_names);
  tcase_add_test (tests, folded_tasks_leave_the_load_where_it_is);
  tcase_add_test (tests, rtfparallella_is_unsorted_and_forgets_the_resume);
  tcase_add_test (tests, avr_starts_again_instead_of_resuming);
  tcase_add_test (tests, ctracer_has_no_instance_numbers);
  tcase_add_test (tests, seapi_has_runnables_only);
  tcase_add_test (tests, seapi_has_tasks_of_several_threads);
  tcase_add_loop_test (tests, runnables_of_tasks_without_events_are_told_apart, 0, 4);
  tcase_add_loop_test (tests, an_end_in_one_task_is_of_nothing_in_another, 0, 4);
  tcase_add_loop_test (tests, a_start_in_one_task_does_not_resume_what_is_in_another, 0, 4);
  tcase_add_loop_test (tests, runnables_of_instances_without_events_are_told_apart, 0, 4);
  tcase_add_loop_test (tests, a_task_without_events_has_runnables_of_its_own, 0, 4);
  tcase_add_loop_test (tests, numbers_say_more_than_sources, 0, 3);
  tcase_add_test (tests, a_number_0_is_told_from_another_that_is_open);
  tcase_add_test (tests, what_names_no_instance_is_in_one_that_is_open);
  tcase_add_test (tests, what_goes_on_was_not_called_by_what_was_suspended_meanwhile);
  tcase_add_test (tests, a_start_of_another_number_is_no_end);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
