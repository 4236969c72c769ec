/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "btf-both-ways.h"
#include "btf-layouts.h"
#include "import/btf-words.h"

/* Traces with more kinds of lines than are known as such: what is known of sources, targets and events is put together,
 * and the result is that of the long way alone. */

/* Each of these comes with each of those. */
#define N_TASKS 67
#define N_RUNNABLES 359

#define FIFTY "_and_so_on_and_so_on_and_so_on_and_so_on_and_so_on"

/* How names are written, in front of their numbers and behind them, and what is in front of each field. */
static const struct
{
  const char *task, *runnable, *blank, *behind;
} kinds[] = {
  { "T", "R", "", "" },
  { "Task_", "Runnable_with_a_long_name_", "", "" },
  { "A_task_with_a_long_name_", "Runnable_with_a_name_that_goes_on_beyond_thirty_two_bytes_", "", "" },
  { "A_task_with_a_name_that_goes_on_and_on_beyond_", "Runnable_", "", "" },
  /* of these the whole has to be compared, too */
  { "A_task_with_a_name" FIFTY, "A_runnable_with_a_name" FIFTY, "", "" },
  { "A_task_with_a_name" FIFTY FIFTY, "A_runnable_with_a_name" FIFTY FIFTY FIFTY FIFTY, "", "" },
  /* and these differ in nothing else; of the runnables too many for one place */
  { "T", "R", "", "_with_a_name" FIFTY },
  { "T", "R", "  ", "_with_a_name" FIFTY FIFTY },
  { "T", "Runnable_with_a_name_", " ", "" },
  { "Task ", "Runnable_with_a_name_that_goes_on_", "   ", "" },
};

static void
append_line (GString *text, guint kind, guint time, guint task, guint runnable, const char *event)
{
  const char *blank = kinds[kind].blank, *behind = kinds[kind].behind;

  g_string_append_printf (text, "%u,%s%s%u%s,%s%u,%sR,%s%s%u%s,%s%u,%s%s\n", time, blank, kinds[kind].task, task, behind,
                          blank, task % 7, blank, blank, kinds[kind].runnable, runnable, behind, blank, runnable, blank,
                          event);
}

/* All of the pairs, one behind the other as they come to one processor. */
static GString *
make_trace (guint kind)
{
  GString *text = g_string_new (HEAD);

  for (guint i = 0; i < N_TASKS; i++)
    g_string_append_printf (text, "%u,Core_1,0,T,%s%u%s,%u,start\n", i, kinds[kind].task, i, kinds[kind].behind, i % 7);
  for (guint i = 0; i < N_TASKS * N_RUNNABLES; i++)
    append_line (text, kind, 1000 + i, i % N_TASKS, i % N_RUNNABLES, i / N_RUNNABLES % 2 == 0 ? "start" : "terminate");
  return text;
}

/* Pairs that were known, and some that were not; with a new task now and then, and a new runnable. */
static void
append_pairs (GString *text, guint kind, guint n)
{
  static const char *const events[] = { "start", "terminate", "suspend", "resume", "start,", "terminate,x", "preempt" };

  for (guint i = 0; i < n; i++)
    append_line (text, kind, 200000 + i, i * 31 % (N_TASKS + i / 500), i * 17 % (N_RUNNABLES + i / 700),
                 events[i % G_N_ELEMENTS (events)]);
}

START_TEST (texts_known_apart_read_as_the_long_way)
{
  g_autoptr (GString) text = make_trace ((guint) _i);

  append_pairs (text, (guint) _i, 5000);
  expect_the_same_with (text->str, text->len, 0, 0);
  expect_the_same_with (text->str, text->len, 4096, READ_FOLD);
}
END_TEST

/* Whatever else comes then. */
START_TEST (every_layout_behind_them)
{
  g_autoptr (GString) text = make_trace (0);
  const gsize         length = text->len;

  for (guint layout = (guint) _i; layout < btf_n_layouts; layout += G_N_ELEMENTS (kinds))
    {
      g_string_truncate (text, length);
      btf_append_layout (text, layout, 20);
      append_pairs (text, 0, 300);
      btf_append_layout (text, layout, 20);
      expect_the_same_with (text->str, text->len, 0, 0);
    }
}
END_TEST

/* Lines whose texts are all known, but not with one another: some do nothing, or something else, to a target of that type,
 * are counted for one target and not for another, or become something else. */
static const struct
{
  const char *what, *lines;
} meetings[] = {
  { "a counted event of a target that had only another one",
    "x,0,C,Core_1,0,idle\nx,0,C,Core_2,0,set_frequency\nx,0,C,Core_1,0,set_frequency\nx,0,C,Core_2,0,idle\n"
    "x,0,C,Core_1,0,idle\nx,0,C,Core_1,0,set_frequency\n" },
  { "an event that has another meaning for another type",
    "T1,1,R,R1,1,suspend\nCore_1,0,T,T1,1,suspend\nx,0,SEM,S,0,start\nx,0,SYS,S,0,start\nx,0,SYS,S,0,idle\n"
    "T1,1,SIG,V,0,read\nT1,1,R,R2,1,read\nT1,1,SIG,V,0,start\nT1,1,SIG,V,0,write\n" },
  { "a source in another role",
    "T2,1,T,T3,1,activate\nT2,1,R,R3,1,start\nT2,1,T,T3,1,start\nT2,1,SIG,V,0,write\nCore_1,0,SIG,V,0,read\n"
    "Core_1,0,R,R4,2,start\nCore_2,0,T,T4,2,activate\nCore_2,0,T,T4,2,start\nT4,2,STI,X,0,trigger\n" },
  { "a name that becomes something else",
    "T5,1,R,new,1,start\nT5,1,R,new,1,terminate\nCore_1,0,T,new,1,start\nT5,1,R,new,2,start\nnew,1,R,R5,1,start\n"
    "other,1,R,R6,1,start\nCore_1,0,T,other,1,start\nother,1,R,R6,1,terminate\nother,0,T,T6,1,start\n" },
  { "notes", "Core_1,0,T,T7,1,preempt,\nT7,1,R,R7,1,preempt,create\nCore_1,0,T,T7,1,preempt,create\n"
             "Core_1,0,T,T8,1,preempt,x\nCore_1,0,T,T8,1,resume,create\nT8,1,R,R8,1,start,\n" },
};

/* The lines of a meeting, each with a time of its own. */
static void
append_meeting (GString *text, guint meeting, guint time)
{
  g_auto (GStrv) lines = g_strsplit (meetings[meeting].lines, "\n", -1);

  for (guint i = 0; lines[i][0] != '\0'; i++)
    g_string_append_printf (text, "%u,%s\n", time + i, lines[i]);
}

START_TEST (texts_that_meet_for_the_first_time)
{
  g_autoptr (GString) text = make_trace (0);

  for (guint i = 0; i < 30; i++)
    append_meeting (text, (i + (guint) _i) % G_N_ELEMENTS (meetings), 100000 + 100 * i);
  expect_the_same (text->str, text->len, 0);
  expect_the_same (text->str, text->len, 4096);
}
END_TEST

/* The header declares a target or two more than so many that all of them are known apart after the first hundreds of
 * lines, or one less; those lines are of few of them. */
START_TEST (many_targets_are_known_apart_soon)
{
  static const char *const events[] = { "activate", "start", "preempt", "resume", "terminate" };
  const guint              n = 8191 + (guint) _i;
  g_autoptr (GString) text = g_string_new ("#version 2.1.5\n#timeScale ns\n#entityTable\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "#-%u Task_%u\n", i + 10, i);
  g_string_append (text, "#entityTypeTable\n");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "#-T Task_%u\n", i);
  for (guint i = 0; i < 6000; i++)
    g_string_append_printf (text, "%u,Core_%u,0,T,Task_%u,%u,%s\n", 10 * i, i / 5 % 4, i / 5 * 7 % 600, i / 3000,
                            events[i % G_N_ELEMENTS (events)]);
  expect_the_same_with (text->str, text->len, 0, 0);
  expect_the_same_with (text->str, text->len, 4096, 0);
}
END_TEST

/* So many sources and targets that all texts are known apart, and events and types that nobody knows among them, in a
 * table of types, too, that comes late. */
START_TEST (unknown_events_known_apart)
{
  static const char *const events[] = { "foo", "start", "lock", "poke", "terminate", "Foo", "a longer one of them" };
  static const char *const types[] = { "T", "SEM", "R", "BLOB", "SIG", "7" };
  g_autoptr (GString) text = g_string_new ("#version 2.1.5\n#timeScale ns\n");

  for (guint i = 0; i < 30000; i++)
    {
      if (i == 20000)
        g_string_append (text, "#typeTable\n#-7 T\n");
      g_string_append_printf (text, "%u,Core_%u,0,%s,Target_%u,%u,%s\n", 10 * i, i % 61,
                              types[i % 997 % G_N_ELEMENTS (types)], i % 997, i / 997, events[i / 7 % G_N_ELEMENTS (events)]);
    }
  expect_the_same_with (text->str, text->len, 0, 0);
  expect_the_same_with (text->str, text->len, 4096, 0);
}
END_TEST

static guint64
count_of (const Reading *reading, TsDiagnosticId id)
{
  return reading->diagnostics->entries[id].count;
}

static guint
n_of_kind (const Reading *reading, TsEventKind kind)
{
  guint n = 0;

  for (guint i = 0; i < reading->events->len; i++)
    n += g_array_index (reading->events, TsEvent, i).kind == kind;
  return n;
}

/* How often there were events of @name, whatever their targets are. */
static guint64
n_users (const Reading *reading, const char *name)
{
  guint64 n = 0;

  for (guint i = 0; i < ts_system_n_user_events (reading->system); i++)
    if (g_str_equal (ts_system_get_user_event (reading->system, i)->event, name))
      n += ts_system_get_user_event (reading->system, i)->count;
  return n;
}

/* Behind lines that are known apart: more events than have a number each, and more types. All of them are counted, and what is
 * known is what it is, however it is written. */
START_TEST (events_beyond_number)
{
  static const char *const forms[] = { "activate", "Activate", "ACTIVATE", "aCTIVATE" };
  g_autoptr (GString) text = make_trace (0);
  g_autoptr (Reading) reading = NULL;
  guint               time = 200000;

  for (guint i = 0; i < 6000; i++)
    g_string_append_printf (text, "%u,Core_1,0,T,T%u,0,event_%u\n", time++, i % N_TASKS, i * 7 % 2000);
  for (guint i = 0; i < 600; i++)
    g_string_append_printf (text, "%u,Core_1,0,Type_%u,X,0,event_%u\n", time++, i % 300, i % 3);
  for (guint i = 0; i < 400; i++)
    g_string_append_printf (text, "%u,Core_1,0,%s,New,%u,%s\n", time++, i % 2 == 0 ? "T" : "t", i, forms[i % 4]);
  reading = reading_new_of (&ts_importer_btf, text->str, (gssize) text->len, 0, 0);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_EVENT), 6000);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_TARGET_TYPE), 600);
  ck_assert_uint_eq (n_of_kind (reading, TS_EVENT_ACTIVATION), 400);
  /* each of the 2,000 comes three times; those that are known, and three other spellings of these, have numbers as well */
  ck_assert_uint_eq (n_users (reading, "T event_7"), 3);
  ck_assert_uint_eq (n_users (reading, "T ?"), 3 * (2000 - (TS_BTF_MAX_WORDS - TS_BTF_N_WORDS - 3)));
  expect_the_same_with (text->str, text->len, 0, 0);
  expect_the_same_with (text->str, text->len, 4096, 0);
}
END_TEST

/* Behind them long events of which some end alike: one of each three is a refused activation. */
START_TEST (long_events_that_end_alike)
{
  static const char *const events[] = { "mtalimitexceeded", "Xmtalimitexceeded", "an_event_of_that_name_mtalimitexceeded" };
  g_autoptr (GString) text = make_trace (0);
  g_autoptr (Reading) reading = NULL;

  for (guint i = 0; i < 3000; i++)
    g_string_append_printf (text, "%u,S,%u,T,T%u,%u,%s%s\n", 200000 + i, i, i % N_TASKS, 10 + i, events[(i + (guint) _i) % 3],
                            i % 5 == 0 ? ",a note" : "");
  reading = reading_new_of (&ts_importer_btf, text->str, (gssize) text->len, 0, 0);
  ck_assert_uint_eq (n_of_kind (reading, TS_EVENT_ACTIVATION_FAILED), 1000);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_EVENT), 2000);
  expect_the_same_with (text->str, text->len, 0, 0);
  expect_the_same_with (text->str, text->len, 4096, 0);
}
END_TEST

/* 65,000 of them, and then a source that was none before: of a line that was never there, or of one that is known but for that. */
START_TEST (cores_are_not_beyond_number)
{
  static const char *const last[] = { "Core_65000,0,T,A,0,preempt\n", "S,0,T,A,0,preempt\n" };
  static const char *const events[] = { "start", "preempt", "resume" };
  g_autoptr (GString) text = g_string_new ("#version 2.1.5\n#timeScale ns\n1,S,0,T,A,0,activate\n2,S,0,T,A,0,activate\n");

  for (guint i = 0; i < 65000; i++)
    g_string_append_printf (text, "%u,Core_%u,0,T,A,0,%s\n", 3 + i, i, events[i == 0 ? 0 : 1 + (i + 1) % 2]);
  for (guint flags = 0; flags < 2; flags++)
    {
      g_autoptr (Reading) reading = reading_new_of (&ts_importer_btf, text->str, (gssize) text->len, 0, flags * READ_PLAIN);

      ck_assert_ptr_null (reading->error);
      ck_assert_uint_eq (ts_system_n_resources (reading->system), 65000);
    }
  g_string_append_printf (text, "70000,S,0,T,A,0,activate\n70001,%s", last[_i]);
  for (guint i = 0; i < 20; i++)
    g_string_append_printf (text, "%u,Core_1,0,T,A,0,%s\n", 70002 + i, events[1 + i % 2]);
  for (guint flags = 0; flags < 2; flags++)
    {
      g_autoptr (Reading) reading = reading_new_of (&ts_importer_btf, text->str, (gssize) text->len, 0, flags * READ_PLAIN);

      ck_assert_ptr_nonnull (reading->error);
      ck_assert_str_eq (reading->error->message, "x.btf:65006: more than 65000 cores");
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("btf-lexicon");
  TCase *tcase = tcase_create ("lexicon");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 300);
  tcase_add_loop_test (tcase, texts_known_apart_read_as_the_long_way, 0, G_N_ELEMENTS (kinds));
  tcase_add_loop_test (tcase, every_layout_behind_them, 0, G_N_ELEMENTS (kinds));
  tcase_add_loop_test (tcase, texts_that_meet_for_the_first_time, 0, G_N_ELEMENTS (meetings));
  tcase_add_loop_test (tcase, many_targets_are_known_apart_soon, 0, 4);
  tcase_add_test (tcase, unknown_events_known_apart);
  tcase_add_test (tcase, events_beyond_number);
  tcase_add_loop_test (tcase, cores_are_not_beyond_number, 0, 2);
  tcase_add_loop_test (tcase, long_events_that_end_alike, 0, 3);
  return unit_run (suite);
}
