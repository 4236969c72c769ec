/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "btf-fixture.h"
#include "unit.h"

/* What the BTF importer makes of events: kinds, elements, owners, cores. Every text here is also read in chunks of several sizes. */

/* Events */

START_TEST (every_event_of_a_process_has_its_kind)
{
  static const struct
  {
    const char *word;
    const char *expected;
  } cases[] = {
    { "activate", "7 activation A#2" },
    { "mtalimitexceeded", "7 activation-failed A#2" },
    { "mpalimitexceeded", "7 activation-failed A#2" },
    { "mtalimitexceded", "7 activation-failed A#2" },
    { "start", "7 start A#2@X" },
    { "preempt", "7 preempt A#2@X" },
    { "suspend", "7 preempt A#2@X" },
    { "resume", "7 resume A#2@X" },
    { "terminate", "7 end A#2@X" },
    { "wait", "7 wait A#2@X" },
    { "release", "7 release A#2@X" },
    { "poll", "7 poll A#2@X" },
    { "run", "7 run A#2@X" },
    { "park", "7 park A#2@X" },
    { "poll_parking", "7 unpark A#2@X" },
    { "release_parking", "7 release A#2@X" },
    { "interrupt_suspended", "." },
    { "boundedmigration", "." },
    { "phasemigration", "." },
    { "fullmigration", "." },
    { "enforcedmigration", "." },
    { "deadline", "." },
    { "nowait", "." },
  };
  static const char *const types[] = { "T", "I", "ISR", "t" };

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autofree char    *text = g_strdup_printf (SCALE "7,X,0,%s,A,2,%s\n", types[i], cases[_i].word);
      g_autoptr (Reading) reading = read_good (text);

      expect_events (reading, cases[_i].expected);
      expect_elements (reading, i == 0 || i == 3 ? "task A" : "isr A");
      ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_EVENT), 0);
    }
}
END_TEST

START_TEST (an_activation_by_a_process_is_chained)
{
  g_autoptr (Reading) reading = read_good (SCALE "1,C,0,T,A,0,start\n2,A,0,T,B,0,activate\n3,S,0,T,B,1,activate\n");

  expect_events (reading, "1 start A#0@C; 2 activation-chained B#0; 3 activation B#1");
}
END_TEST

START_TEST (runnables_belong_to_their_source_and_its_core)
{
  g_autoptr (Reading) reading = read_good (SCALE "1,C1,0,T,A,4,start\n2,A,4,R,f,9,start\n3,A,4,R,g,2,start\n"
                                                 "4,f,9,R,h,0,start\n5,A,4,R,g,2,suspend\n6,C1,0,T,A,4,preempt\n"
                                                 "7,C2,0,T,A,4,resume\n8,A,4,R,g,2,resume\n9,B,0,R,f,10,start\n");

  /* nobody knows yet what B is, but that it is none of the others */
  expect_events (reading, "1 start A#4@C1; 2 start f#9@C1<A; 3 start g#2@C1<A; 4 start h#0@C1<A; 5 preempt g#2@C1<A; "
                          "6 preempt A#4@C1; 7 resume A#4@C2; 8 resume g#2@C2<A; 9 start f#10<?");
}
END_TEST

START_TEST (signals_belong_to_who_accesses_them)
{
  g_autoptr (Reading) reading = read_good (SCALE "1,C,0,T,A,0,start\n2,A,0,SIG,v,0,write,7\n3,A,0,SIG,v,0,read\n"
                                                 "4,S,0,SIG,v,0,write,8\n5,A,0,SIG,w,0,READ,\n");

  expect_events (reading, "1 start A#0@C; 2 write v<A; 3 read v<A; 4 write v; 5 read w<A");
  expect_elements (reading, "task A; signal v; signal w");
}
END_TEST

START_TEST (everything_else_is_counted_and_listed)
{
  g_autoptr (Reading) reading = read_good (SCALE "0,SIM,-1,SYS,SYSTEM,0,start\n"
                                                 "0,Core_9,-1,SIM,SIM,-1,tag,CORE_INIT\n"
                                                 "0,ECU,-1,SIM,SIM,-1,tag,ECU_INIT\n"
                                                 "1,SIM,-1,STI,S,0,trigger\n"
                                                 "2,SIM,-1,STI,S,1,trigger\n"
                                                 "3,Core_1,0,C,Core_1,0,set_frequence,40000000\n"
                                                 "3,Core_1,0,C,Core_1,0,set_frequency,50000000\n"
                                                 "4,K,-1,SCHED,K,-1,schedule\n"
                                                 "5,A,0,SEM,M,0,requestsemaphore,0\n"
                                                 "6,A,0,EVENT,E,0,set_event,A\n"
                                                 "7,A,0,P,cpu,0,idle\n8,A,0,Processor,cpu,0,idle\n");

  expect_events (reading, ".; .; .; .; .; .; .; .; .; .; .; .");
  expect_users (reading, "SYS start SYSTEM x1; SIM tag SIM x2; STI trigger S x2; C set_frequency Core_1 x2; "
                         "SCHED schedule K x1; SEM requestsemaphore M x1; EVENT set_event E x1; P idle cpu x2");
  expect_cores (reading, "Core_9; Core_1");
  ck_assert_uint_eq (n_diagnostics (reading), 0);
}
END_TEST

START_TEST (other_events_are_told_apart_whatever_blanks_they_have)
{
  /* "STI a" of "x b" and "STI a x" of "b" */
  g_autoptr (Reading) reading = read_good (SCALE "1,C,0,STI,x b,0,a\n2,C,0,STI,b,0,a x\n3,C,0,STI,b,0,a x\n");

  expect_users (reading, "STI a x b x1; STI a x b x2");
  ck_assert_str_eq (ts_system_get_user_event (reading->system, 0)->reference, "x b");
  ck_assert_str_eq (ts_system_get_user_event (reading->system, 1)->reference, "b");
}
END_TEST

/* In each round there are four events that are not known of a known type, whether they are of others or not, and two of an
 * unknown type. The first of each kind takes the long way. */
START_TEST (unknown_events_are_counted_in_each_line)
{
  g_autoptr (GString) text = g_string_new (SCALE);
  g_autoptr (Reading) reading = NULL, plain = NULL;
  const guint         rounds = 300;

  for (guint i = 0; i < rounds; i++)
    g_string_append_printf (text, "%1$u,C,0,T,T1,%1$u,start\n%1$u,C,0,SEM,M,0,foo\n%1$u,C,0,T,T1,0,lock\n"
                                  "%1$u,T1,%1$u,R,f,0,activate\n%1$u,C,0,SIG,v,0,poke\n%1$u,C,0,BLOB,b,0,start\n"
                                  "%1$u,C,0,BLOB,b,0,poke\n%1$u,C,0,T,T1,0,create\n%1$u,C,0,T,T1,%1$u,terminate\n", i);
  reading = read_good (text->str);
  plain = read_flags (text->str, text->len, READ_PLAIN);
  ck_assert_uint_eq (reading->events->len, 9 * rounds);
  expect_users (reading, "T lock T1 x300; T create T1 x300; SEM foo M x300; R activate f x300; SIG poke v x300; "
                         "BLOB start b x300; BLOB poke b x300");
  expect_diagnostic (reading, TS_DIAGNOSTIC_UNKNOWN_EVENT, 4 * rounds, 4, "event `foo' of type `SEM'");
  expect_diagnostic (reading, TS_DIAGNOSTIC_UNKNOWN_TARGET_TYPE, 2 * rounds, 8, "type `BLOB'");
  expect_diagnostic (plain, TS_DIAGNOSTIC_UNKNOWN_EVENT, 4 * rounds, 4, "event `foo' of type `SEM'");
  expect_diagnostic (plain, TS_DIAGNOSTIC_UNKNOWN_TARGET_TYPE, 2 * rounds, 8, "type `BLOB'");
}
END_TEST

/* Cores */

START_TEST (a_freertos_logger_names_the_task_before)
{
  static const char text[] = "#version 2.2.0\n#timeScale us\n"
                             "1,Core_0,0,T,[0/0001]Run,0,preempt,create pri:4\n"
                             "2,[0/0000],0,T,[0/0001]Run,0,resume,\n"
                             "3,Core_0,0,T,[0/0001]Run,0,preempt,\n"
                             "3,[0/0001]Run,0,T,[0/0002]IDLE,0,resume,\n"
                             "4,[1/0003]Tmr Svc,0,T,[1/1]Run,0,resume\n"
                             "5,Core_1,0,R,[1/1]Run,0,preempt,delete\n";
  g_autoptr (Reading) plain = read_good (text);
  g_autoptr (Reading) folded = read_flags (text, strlen (text), READ_FOLD);

  expect_events (plain, ".; 2 resume [0/0001]Run#0@Core_0; 3 preempt [0/0001]Run#0@Core_0; "
                        "3 resume [0/0002]IDLE#0@Core_0; 4 resume [1/1]Run#0@Core_1; .");
  expect_users (plain, "T create [0/0001]Run x1; R preempt [1/1]Run x1");
  expect_cores (plain, "Core_0; Core_1");
  expect_diagnostic (plain, TS_DIAGNOSTIC_NO_START_EVENTS, 1, 0, NULL);
  expect_events (folded, ".; 2 resume Run[1]#0@Core_0; 3 preempt Run[1]#0@Core_0; 3 resume IDLE[2]#0@Core_0; "
                         "4 resume Run[1]#0@Core_1; .");
  expect_elements (folded, "task Run[1]; task IDLE[2]");
}
END_TEST

START_TEST (a_stream_says_that_a_process_is_known_late)
{
  static const struct
  {
    const char *text, *file_events, *stream_events, *detail;
  } cases[] = {
    { SCALE "1,A,0,R,f,0,start\n2,C,0,T,A,0,preempt\n", "1 start f#0<A; 2 preempt A#0@C", "1 start f#0<?; 2 preempt A#0@C",
      "A had runnables or signals before its first event" },
    { SCALE "1,A,0,T,B,0,resume\n2,C,0,T,A,0,preempt\n", "1 resume B#0; 2 preempt A#0@C", "1 resume B#0@A; 2 preempt A#0@C",
      "A was taken for a core before its first event" },
  };
  g_autoptr (Reading) file = read_good (cases[_i].text);
  g_autoptr (Reading) stream = read_flags (cases[_i].text, strlen (cases[_i].text), READ_STREAM);

  ck_assert_uint_eq (count_of (file, TS_DIAGNOSTIC_KNOWN_LATE), 0);
  ck_assert_uint_eq (file->n_readings, 2);
  expect_events (file, cases[_i].file_events);
  expect_diagnostic (stream, TS_DIAGNOSTIC_KNOWN_LATE, 1, 4, cases[_i].detail);
  expect_events (stream, cases[_i].stream_events);
}
END_TEST

START_TEST (what_is_only_deleted_is_no_runnable)
{
  /* f is one from 6 on, for lines that are known by then as well */
  g_autoptr (Reading) reading = read_good (SCALE "1,C,0,T,(0006)t,0,preempt,task_create\n2,C,0,R,(0006)t,0,preempt,delete\n"
                                                 "3,C,0,R,g,0,preempt,task_delete\n4,C,0,R,g,0,preempt,delete\n"
                                                 "5,C,0,R,f,0,preempt,delete\n6,C,0,R,f,0,start\n7,C,0,R,f,0,preempt\n"
                                                 "8,C,0,R,f,0,resume\n9,C,0,R,f,0,preempt,\n9,C,0,R,f,0,preempt,delete\n"
                                                 "9,C,0,R,g,0,preempt,delete\n");

  expect_events (reading, ".; .; .; .; .; 6 start f#0<?; 7 preempt f#0<?; 8 resume f#0<?; 9 preempt f#0<?; .; .");
  expect_elements (reading, "task (0006)t; runnable f");
  expect_users (reading, "T create (0006)t x1; R preempt (0006)t x1; R preempt g x3; R preempt f x2");
}
END_TEST

START_TEST (names_fold_to_name_and_number)
{
  static const struct
  {
    const char *name, *folded;
  } cases[] = {
    { "[0/0012]Worker", "Worker[12]" }, { "[8/142]Worker", "Worker[142]" }, { "(7)Worker", "Worker[7]" },
    { "[0/0000]W", "W[0]" },            { "[0/0001]", "[0/0001]" },         { "[idle]", "[idle]" },
    { "(x)W", "(x)W" },                 { "[1/]W", "[1/]W" },               { "()W", "()W" },
    { "W[3]", "W[3]" },                 { "(7)", "(7)" },
  };
  g_autofree char    *text = g_strconcat (SCALE "1,C,0,T,", cases[_i].name, ",0,start\n", NULL);
  g_autoptr (Reading) reading = read_flags (text, strlen (text), READ_FOLD);
  g_autofree char    *expected = g_strconcat ("task ", cases[_i].folded, NULL);

  expect_elements (reading, expected);
}
END_TEST

/* A is on core 1 since 10; but [0/1]A is where it left core 0, to B. */
START_TEST (a_folded_task_is_on_the_core_of_each_name)
{
  static const char text[] = SCALE "0,Core_0,0,T,[0/1]A,0,resume\n10,Core_0,0,T,[0/1]A,0,preempt\n"
                                   "10,Core_1,0,T,[1/1]A,0,resume\n20,[0/1]A,0,T,[0/2]B,0,resume\n"
                                   "21,[0/1]A,0,R,f,0,start\n22,[1/1]A,0,R,f,0,terminate\n";
  g_autoptr (Reading) reading = read_flags (text, strlen (text), READ_FOLD);

  expect_events (reading, "0 resume A[1]#0@Core_0; 10 preempt A[1]#0@Core_0; 10 resume A[1]#0@Core_1; "
                          "20 resume B[2]#0@Core_0; 21 start f#0@Core_0<A[1]; 22 end f#0@Core_1<A[1]");
}
END_TEST

/* The same with numbers for the tasks; who ran before the first event is not known, but the core is. */
START_TEST (numbers_stand_for_a_name_with_its_core)
{
  static const char text[] = SCALE "#entityMapping 1 [0/1]A\n#entityMapping 2 [1/1]A\n#entityMapping 3 [0/2]B\n"
                                   "0,3,0,T,1,0,resume\n10,Core_0,0,T,1,0,preempt\n10,Core_1,0,T,2,0,resume\n"
                                   "20,1,0,T,3,0,resume\n";
  g_autoptr (Reading) plain = read_good (text);
  g_autoptr (Reading) folded = read_flags (text, strlen (text), READ_FOLD);

  expect_events (plain, "0 resume [0/1]A#0@Core_0; 10 preempt [0/1]A#0@Core_0; 10 resume [1/1]A#0@Core_1; "
                        "20 resume [0/2]B#0@Core_0");
  expect_cores (plain, "Core_0; Core_1");
  expect_events (folded, "0 resume A[1]#0@Core_0; 10 preempt A[1]#0@Core_0; 10 resume A[1]#0@Core_1; "
                         "20 resume B[2]#0@Core_0");
  expect_cores (folded, "Core_0; Core_1");
}
END_TEST

static const char *
core_of (const Reading *reading, guint event)
{
  return ts_system_get_resource (reading->system, g_array_index (reading->events, TsEvent, event).resource)->name;
}

/* Tasks go from core to core at random, and each resumes from the one before it on its core; of the first one there
 * was no event. Returns the trace, and on which core the events are. */
static GString *
migrate_at_random (guint32 seed, guint n, GArray *cores)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  GString          *text = g_string_new (SCALE);
  gint              before[3] = { 0 };

  for (guint i = 0; i < n; i++)
    {
      gint core = g_rand_int_range (random, 0, G_N_ELEMENTS (before)), task = g_rand_int_range (random, 1, 6);

      g_string_append_printf (text, "%u,[%d/%d]T,0,T,[%d/%d]T,0,resume,\n%u,Core_%d,0,T,[%d/%d]T,0,preempt,\n", 10 * i,
                              core, before[core], core, task, 10 * i + 5, core, core, task);
      g_array_append_val (cores, core);
      g_array_append_val (cores, core);
      before[core] = task;
    }
  return text;
}

START_TEST (folding_changes_no_core)
{
  g_autoptr (GArray)  cores = g_array_new (FALSE, FALSE, sizeof (gint));
  g_autoptr (GString) text = migrate_at_random ((guint32) _i + 1, 500, cores);
  g_autoptr (Reading) plain = read_good (text->str);
  g_autoptr (Reading) folded = read_flags (text->str, text->len, READ_FOLD);

  ck_assert_uint_eq (plain->events->len, cores->len);
  ck_assert_uint_eq (folded->events->len, cores->len);
  for (guint i = 0; i < cores->len; i++)
    {
      g_autofree char *expected = g_strdup_printf ("Core_%d", g_array_index (cores, gint, i));

      ck_assert_str_eq (core_of (plain, i), expected);
      ck_assert_str_eq (core_of (folded, i), expected);
    }
}
END_TEST

START_TEST (intervals_that_a_user_marks_are_stopwatches)
{
  g_autoptr (Reading) reading = read_good (SCALE "1,Core_0,0,STI,interval_start,0,trigger,3 tid:1\n"
                                                 "2,Core_0,0,STI,interval_start,0,trigger,3 tid:2\n"
                                                 "5,Core_0,0,STI,interval_stop,0,trigger,3 tid:1\n"
                                                 "6,Core_0,0,STI,interval_stop,0,trigger\n");

  expect_events (reading, "1 start interval 3 tid:1; 2 start interval 3 tid:2; 5 end interval 3 tid:1; .");
  expect_elements (reading, "stopwatch interval 3 tid:1; stopwatch interval 3 tid:2");
}
END_TEST

/* However often its lines came before, only a note tells which one it is, and without one nothing begins. */
START_TEST (intervals_are_told_apart_by_their_notes)
{
  static const char *const notes[] = { "1 tid:1", "1 tid:12", "12 tid:1", "1, 2" };
  GString *text = g_string_new (SCALE), *expected = g_string_new (NULL);
  g_autoptr (Reading) reading = NULL;

  for (guint i = 1; i <= 900; i++)
    {
      const char *note = notes[i / 2 * 7 % (i < 500 ? 3 : 4)];
      const char *end = i % 2 == 1 ? "start" : "stop";

      if (i % 50 == 0)
        g_string_append_printf (text, "%u,Core_0,0,STI,interval_%s,0,trigger%s\n", i, end, i % 100 == 0 ? "," : "");
      else
        g_string_append_printf (text, "%u,Core_0,0,STI,interval_%s,0,trigger,%s%s\n", i, end, note,
                                i % 7 == 0 ? " \r" : "");
      if (i % 50 == 0)
        g_string_append (expected, expected->len > 0 ? "; ." : ".");
      else
        g_string_append_printf (expected, "%s%u %s interval %s", expected->len > 0 ? "; " : "", i,
                                i % 2 == 1 ? "start" : "end", note);
    }
  reading = read_good (text->str);
  expect_events (reading, expected->str);
  g_string_free (text, TRUE);
  g_string_free (expected, TRUE);
}
END_TEST

START_TEST (an_unknown_source_is_a_core_unless_it_is_a_process_later)
{
  g_autoptr (Reading) reading = read_good (SCALE "1,SIM,-1,STI,S,0,trigger\n2,C,0,T,A,0,start\n3,S,0,T,A,0,preempt\n"
                                                 "4,,0,T,A,0,resume\n5,B,0,T,A,0,preempt\n6,C2,0,T,B,0,start\n"
                                                 "7,B,0,T,A,0,resume\n");

  expect_events (reading, ".; 2 start A#0@C; 3 preempt A#0@C; 4 resume A#0@C; 5 preempt A#0@C; 6 start B#0@C2; "
                          "7 resume A#0@C2");
}
END_TEST

/* What kind of trace it is */

START_TEST (what_a_trace_cannot_say_is_said_once)
{
  static const struct
  {
    const char    *text;
    TsDiagnosticId id;
    gboolean       is_there;
  } cases[] = {
    { "1,S,0,T,A,0,activate\n2,C,0,T,A,0,start\n3,C,0,T,A,0,terminate\n", TS_DIAGNOSTIC_NO_ACTIVATION_EVENTS, FALSE },
    { "2,C,0,T,A,0,start\n3,C,0,T,A,0,terminate\n", TS_DIAGNOSTIC_NO_ACTIVATION_EVENTS, TRUE },
    { "2,C,0,T,A,0,start\n3,C,0,T,A,0,preempt\n", TS_DIAGNOSTIC_NO_START_EVENTS, FALSE },
    { "2,C,0,T,A,0,resume\n3,C,0,T,A,0,preempt\n", TS_DIAGNOSTIC_NO_START_EVENTS, TRUE },
    { "2,C,0,T,A,0,resume\n3,C,0,T,A,0,preempt\n", TS_DIAGNOSTIC_NO_ACTIVATION_EVENTS, FALSE },
    { "2,f,0,R,f,-1,start\n3,f,0,R,f,-1,terminate\n", TS_DIAGNOSTIC_NO_PROCESSES, TRUE },
    { "2,f,0,R,f,-1,start\n3,f,0,R,f,-1,terminate\n", TS_DIAGNOSTIC_NO_INSTANCE_NUMBERS, TRUE },
    { "2,C,,T,A,,start\n3,A,,R,f,,start\n", TS_DIAGNOSTIC_NO_INSTANCE_NUMBERS, TRUE },
    { "2,C,0,T,A,0,start\n3,A,0,R,f,0,start\n", TS_DIAGNOSTIC_NO_INSTANCE_NUMBERS, FALSE },
    { "2,C,0,T,A,0,start\n3,A,0,R,f,0,start\n", TS_DIAGNOSTIC_NO_PROCESSES, FALSE },
  };
  g_autofree char    *text = g_strconcat (SCALE, cases[_i].text, NULL);
  g_autoptr (Reading) reading = read_good (text);

  ck_assert_uint_eq (count_of (reading, cases[_i].id), cases[_i].is_there);
}
END_TEST

#define ADD_LOOP(function, n) tcase_add_loop_test (tests, function, 0, n)

int
main (void)
{
  Suite *suite = suite_create ("btf events");
  TCase *tests = tcase_create ("events");

  tcase_set_timeout (tests, 60);
  ADD_LOOP (every_event_of_a_process_has_its_kind, 23);
  tcase_add_test (tests, an_activation_by_a_process_is_chained);
  tcase_add_test (tests, runnables_belong_to_their_source_and_its_core);
  tcase_add_test (tests, signals_belong_to_who_accesses_them);
  tcase_add_test (tests, everything_else_is_counted_and_listed);
  tcase_add_test (tests, other_events_are_told_apart_whatever_blanks_they_have);
  tcase_add_test (tests, unknown_events_are_counted_in_each_line);
  tcase_add_test (tests, a_freertos_logger_names_the_task_before);
  ADD_LOOP (a_stream_says_that_a_process_is_known_late, 2);
  ADD_LOOP (names_fold_to_name_and_number, 11);
  tcase_add_test (tests, a_folded_task_is_on_the_core_of_each_name);
  tcase_add_test (tests, numbers_stand_for_a_name_with_its_core);
  ADD_LOOP (folding_changes_no_core, 5);
  tcase_add_test (tests, what_is_only_deleted_is_no_runnable);
  tcase_add_test (tests, intervals_that_a_user_marks_are_stopwatches);
  tcase_add_test (tests, intervals_are_told_apart_by_their_notes);
  tcase_add_test (tests, an_unknown_source_is_a_core_unless_it_is_a_process_later);
  ADD_LOOP (what_a_trace_cannot_say_is_said_once, 10);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
