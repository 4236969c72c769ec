/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "etf-fixture.h"
#include "unit.h"

/* The tables of TRACE: use of resources, and the flow of objects. Numbers are worked out by hand beside each trace. */

/* Window 0..20. cpu: 0..6 by A, 4..10 by B, 10..12 by C: busy 12, two at once for 2. mem: 4 MB for 8, 8 MB for 2:
 * busy 10, mean (4*8 + 8*2) / 20 = 2.4 of 8. */
#define USAGE HEAD "C 0 0 6 0 1 ; name=A\nC 1 4 10 0 0.5 ; name=B\nC 2 10 12 0 1 ; name=C\nC 3 0 8 1 0 4 ; name=A\n" \
  "C 4 6 8 1 4 4 ; name=B\nC 5 8 10 1 0 4 ; name=C\nC 6 20 20 0 1 ; name=C\n"

static void
expect_busy (const EtfReading *reading, gint64 cpu, gint64 mem)
{
  ck_assert_int_eq ((gint64) g_array_index (reading->busy, TsInt128, 0), cpu);
  ck_assert_int_eq ((gint64) g_array_index (reading->busy, TsInt128, 1), mem);
}

START_TEST (use_of_resources_is_counted)
{
  g_autoptr (EtfReading) reading = read_good (USAGE, NULL);

  /* cpu: area 6*1 + 6*0.5 + 2*1 = 11 of 20. mem: 6 at 4, 2 at 8, 2 at 4: 48 of 20. */
  expect_table (reading, "usage", "cpu,0,1,,4,12,0.6,2,0.55,1.5,0.55,1.5,20;mem,1,8,MB,3,10,0.5,2,2.4,8,0.3,1,20");
  expect_table (reading, "concurrency", "cpu,0,8,0.4,0;cpu,1,10,0.5,0;cpu,2,2,0.1,0;mem,0,10,0.5,1;mem,1,8,0.4,1;mem,2,2,0.1,1");
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_OVERSUBSCRIBED), 1);
  ck_assert_str_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_OVERSUBSCRIBED].detail, "resource cpu: up to 1.5 of 1");
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_OVERLAP), 0);
  expect_busy (reading, 12, 10);
}
END_TEST

/* 300 claims with 1 each for 10, more than are told apart, and one for the next 10, which at its start has them beside it
 * for no time. That one has 1 as well, so that all are only counted: area 3,010 of 20; or 3: area 3,030. */
START_TEST (crowds_of_claims_are_counted)
{
  static const char *const amounts[] = { "1", "3" };
  static const char *const means[] = { "150.5", "151.5" };
  g_autoptr (GString)      text = g_string_new (HEAD);
  g_autoptr (EtfReading)   reading = NULL;
  g_autofree char         *usage = NULL;

  for (guint i = 0; i < 300; i++)
    g_string_append_printf (text, "C %u 0 10 0 1 ; name=A\n", i);
  g_string_append_printf (text, "C 300 10 20 0 %s ; name=A\n", amounts[_i]);
  reading = read_good (text->str, NULL);
  usage = g_strdup_printf ("cpu,0,1,,301,20,1,300,%s,300,%s,300,20;mem,1,8,MB,0,0,0,0,0,0,0,0,20", means[_i], means[_i]);
  expect_table (reading, "usage", usage);
  expect_table (reading, "concurrency", "cpu,1,10,0.5,0;cpu,256,10,0.5,0;mem,0,20,1,1");
}
END_TEST

/* 10 claims with 10^18 each, 0..10, and one with half as much, 5..20: 64 bits do not hold 10^19. Area 5 * 10^19 + 5 * 1.05 * 10^19
 * + 10 * 5 * 10^17 = 1.075 * 10^20, of 20. */
START_TEST (amounts_in_use_may_be_larger_than_any_of_them)
{
  g_autoptr (GString)    text = g_string_new (HEAD);
  g_autoptr (EtfReading) reading = NULL;

  for (guint i = 0; i < 10; i++)
    g_string_append_printf (text, "C %u 0 10 0 1000000000000000000;name=A\n", i);
  g_string_append (text, "C 10 5 20 0 500000000000000000;name=A\n");
  reading = read_good (text->str, NULL);
  expect_table (reading, "usage", "cpu,0,1,,11,20,1,11,5375000000000000000,10500000000000000000,5375000000000000000,"
                                  "10500000000000000000,20;mem,1,8,MB,0,0,0,0,0,0,0,0,20");
}
END_TEST

/* The window is 2.3 * 10^18. The first claim has 10^18 all the time, one more 1 for 1, and the others, 83, 84 or 85, 10^18 for
 * 2 * 10^18. With 83 the area is (166 + 2.3) * 10^36 + 1, and the mean 7.3173913043478260869565 * 10^19. 2^127 is 1.7014 * 10^38: with
 * 84 the area is 170 * 10^36 when they end, and 170.3 * 10^36 at last, and with 85 it is 172 * 10^36 when they end: so there is no
 * mean. */
START_TEST (what_amounts_add_up_to_may_be_too_large)
{
  static const char *const means[] = { "73173913043478260870", "", "" };
  const guint              n_others = 83 + (guint) _i;
  g_autoptr (GString)      text = g_string_new (HEAD "C 0 0 2300000000000000000 0 1000000000000000000;name=A\n"
                                                     "C 1 0 1 0 1;name=A\n");
  g_autoptr (EtfReading)   reading = NULL;
  g_autofree char         *usage = NULL;

  for (guint i = 0; i < n_others; i++)
    g_string_append_printf (text, "C %u 0 2000000000000000000 0 1000000000000000000;name=A\n", i + 2);
  reading = read_good (text->str, NULL);
  usage = g_strdup_printf ("cpu,0,1,,%u,2300000000000000000,1,%u,%s,%u000000000000000001,%s,%u000000000000000001,"
                           "2300000000000000000;mem,1,8,MB,0,0,0,0,0,0,0,0,2300000000000000000",
                           n_others + 2, n_others + 2, means[_i], n_others + 1, means[_i], n_others + 1);
  expect_table (reading, "usage", usage);
}
END_TEST

/* From 5 to 9: cpu all the time, two at once 5..6; mem all the time, 8 MB 6..8. */
START_TEST (use_of_resources_follows_the_window)
{
  TsOptions options = { .has_from = TRUE, .has_to = TRUE, .from = { .value = { 5, 1 }, .in_ticks = TRUE },
                        .to = { .value = { 9, 1 }, .in_ticks = TRUE } };
  g_autoptr (EtfReading) reading = read_good (USAGE, &options);

  expect_table (reading, "usage", "cpu,0,1,,4,4,1,2,0.75,1.5,0.75,1.5,4;mem,1,8,MB,3,4,1,2,6,8,0.75,1,4");
}
END_TEST

/* LOAD without A: cpu 4..12, mem 6..10. Without B: cpu 0..6 and 10..12, mem 0..10. From 5 to 9, without A: cpu 5..9, mem
 * 6..9. What is in use is the same as ever. */
START_TEST (load_leaves_out_who_idles)
{
  g_autoptr (GPtrArray)  a = g_ptr_array_new (), b = g_ptr_array_new ();
  TsOptions              without_a = { .idle = a }, without_b = { .idle = b };
  g_autoptr (EtfReading) whole = NULL, part = NULL, other = NULL;

  g_ptr_array_add (a, (gpointer) "A");
  g_ptr_array_add (b, (gpointer) "B*");
  whole = read_good (USAGE, &without_a);
  expect_busy (whole, 8, 4);
  expect_table (whole, "usage", "cpu,0,1,,4,12,0.6,2,0.55,1.5,0.55,1.5,20;mem,1,8,MB,3,10,0.5,2,2.4,8,0.3,1,20");
  other = read_good (USAGE, &without_b);
  expect_busy (other, 8, 10);
  without_a.has_from = without_a.has_to = TRUE;
  without_a.from = (TsTimeText){ .value = { 5, 1 }, .in_ticks = TRUE };
  without_a.to = (TsTimeText){ .value = { 9, 1 }, .in_ticks = TRUE };
  part = read_good (USAGE, &without_a);
  expect_busy (part, 4, 3);
}
END_TEST

/* Of 20, A has the CPU for 5 and memory for 3, whether all amounts are alike or not, and whether claims are jobs or parts
 * of them. */
START_TEST (load_leaves_out_who_idles_in_jobs_and_crowds)
{
  static const char *const amounts[] = { "1", "0.5" };
  g_autofree char         *text
      = g_strdup_printf (HEAD "C 0 0 10 0 1 ; name=Idle, id=1\nC 1 10 15 0 %s ; name=A, id=1\nC 2 15 20 0 1 ; name=Idle, id=1\n"
                              "C 3 12 15 1 0 1 ; name=A, id=1\nC 4 14 18 1 0 1 ; name=Idle, id=2\n",
                         amounts[_i % 2]);
  g_autoptr (GPtrArray)  idle = g_ptr_array_new ();
  TsOptions              options = { .idle = idle, .instance_key = (char *) (_i < 2 ? NULL : "id") };
  g_autoptr (EtfReading) reading = NULL;

  g_ptr_array_add (idle, (gpointer) "Idle");
  reading = read_good (text, &options);
  expect_busy (reading, 5, 3);
}
END_TEST

/* Only claims of the cpu are jobs: who idles has none, nor has what goes by the name of the memory. Without both, A has the
 * cpu for 4 and the memory for 2. */
START_TEST (load_leaves_out_who_idles_and_has_no_jobs)
{
  g_autoptr (GPtrArray)  idle = g_ptr_array_new ();
  TsOptions              options = { .idle = idle, .exec_resources = (char *) "cpu" };
  g_autoptr (EtfReading) reading = NULL;

  g_ptr_array_add (idle, (gpointer) "Idle");
  g_ptr_array_add (idle, (gpointer) "m*");
  reading = read_good (HEAD "C 0 0 4 0 1 ; name=A\nC 1 0 6 1 0 1 ; name=Idle\nC 2 6 8 1 0 1 ;\nC 3 8 10 1 0 1 ; name=A\n",
                       &options);
  expect_busy (reading, 4, 2);
}
END_TEST

/* From 1 2/3 to 6 2/3 minutes, so in thirds: two at once for 2 minutes, one alone for 3. */
START_TEST (a_window_may_end_between_stamps)
{
  TsOptions options = { .has_from = TRUE, .has_to = TRUE, .from = { .value = { 100, 1 } }, .to = { .value = { 400, 1 } } };
  g_autoptr (EtfReading) reading
      = read_good ("TU MINUTES\nR 0 8 false ; name=m\nC 0 0 10 0 1 ; name=A\nC 1 4 6 0 3 ; name=A\n", &options);

  expect_table (reading, "concurrency", "m,1,9,0.6,0;m,2,6,0.4,0");
}
END_TEST

/* Claims with 2, with 3.5, from which on tenths are counted, and with 4.25: area 20 + 35 + 42.5 of 30. One of the CPU
 * with nothing. */
START_TEST (amounts_may_differ_and_get_finer)
{
  g_autoptr (EtfReading) reading = read_good (HEAD "C 0 0 10 1 0 2 ; name=A\nC 1 10 20 1 2 3.5 ; name=A\n"
                                              "C 2 20 30 1 0 4.25 ; name=A\nC 3 24 30 0 0 ; name=A\n", NULL);

  expect_table (reading, "usage", "cpu,0,1,,1,6,0.2,1,0,0,0,0,30;mem,1,8,MB,3,30,1,1,3.25,4.25,0.40625,0.53125,30");
}
END_TEST

/* Objects 1: 0..10, 2: 4..9, 3: 20..20. n 3, span 20, latencies 10, 5, 0: sum 15. */
#define OBJECTS HEAD "C 0 0 3 0 1 ; name=A, pid=1\nE 0 10 ; name=out, pid=1\nC 1 4 6 0 1 ; name=A, pid=2\n" \
  "C 2 6 9 0 1 ; name=B, pid=2\nE 1 20 ; name=in, pid=3\nC 3 0 20 0 1 ; name=idle, pid=-1\nC 4 1 2 0 1; name=B\n"

START_TEST (flow_of_objects_obeys_littles_law)
{
  TsOptions options = { .object_key = (char *) "pid!=-1" };
  g_autoptr (EtfReading) reading = read_good (OBJECTS, &options);
  const TsTable *flow = NULL;
  TsRational     throughput, latency, progress, base;

  /* 3 in 20 us are 150000 a second */
  expect_table (reading, "throughput", "pid,3,0,20,150000,0,5,10,15,0.75,2");
  expect_table (reading, "objects", "1,2,0,10,10;2,2,4,9,5;3,1,20,20,0");
  for (guint i = 0; i < reading->tables->len; i++)
    if (strcmp (ts_table_get_name (g_ptr_array_index (reading->tables, i)), "throughput") == 0)
      flow = g_ptr_array_index (reading->tables, i);
  base = ts_time_base_factor (ts_system_time_base (reading->system), TS_UNIT_S);
  throughput = ts_table_get_cell (flow, 0, 4)->number;
  latency = ts_rational_multiply (ts_table_get_cell (flow, 0, 6)->number, base);
  progress = ts_table_get_cell (flow, 0, 9)->number;
  ck_assert_int_eq (ts_rational_compare (ts_rational_multiply (throughput, latency), progress), 0);
}
END_TEST

/* What has no latency is in progress at no time: 1 and 5 alone, and at 2 and 3 beside 1..3 and 3..5. */
START_TEST (objects_without_latency_are_not_in_progress)
{
  TsOptions              options = { .object_key = (char *) "id" };
  g_autoptr (EtfReading) none = read_good (HEAD "E 0 1 ; id=1\nE 1 5 ; id=2\n", &options);
  g_autoptr (EtfReading) some = read_good (HEAD "C 0 1 3 0 1 ; id=1\nE 0 2 ; id=2\nE 1 3 ; id=3\nC 1 3 5 0 1 ; id=4\n",
                                           &options);

  expect_table (none, "throughput", "id,2,1,4,500000,0,0,0,0,0,0");
  expect_table (some, "throughput", "id,4,1,4,1000000,0,1,2,4,1,1");
}
END_TEST

/* Names are compared as texts, in order of their first appearance. */
START_TEST (objects_of_any_name)
{
  TsOptions              options = { .object_key = (char *) "id" };
  g_autoptr (EtfReading) reading = read_good (HEAD "C 0 1 3 0 1 ; id=x7\nE 0 2 ; id=x07\nE 1 3 ; id=7\nC 1 3 5 0 1 ; id=x\n"
                                                   "E 2 6 ; id=07\nE 3 8 ; id=x7\nE 4 9 ; id=7\n", &options);

  expect_table (reading, "objects", "x7,2,1,8,7;x07,1,2,2,0;7,2,3,9,6;x,1,3,5,2;07,1,6,6,0");
}
END_TEST

START_TEST (objects_that_nobody_names_are_a_warning)
{
  TsOptions options = { .object_key = (char *) "frame" };
  g_autoptr (EtfReading) reading = read_good (OBJECTS, &options);

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NO_OBJECT_KEY), 1);
  expect_table (reading, "throughput", "frame,0,,,,,,,,,");
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("tables of TRACE");
  TCase *tables = tcase_create ("tables");

  tcase_add_test (tables, use_of_resources_is_counted);
  tcase_add_loop_test (tables, crowds_of_claims_are_counted, 0, 2);
  tcase_add_test (tables, amounts_in_use_may_be_larger_than_any_of_them);
  tcase_add_loop_test (tables, what_amounts_add_up_to_may_be_too_large, 0, 3);
  tcase_add_test (tables, use_of_resources_follows_the_window);
  tcase_add_test (tables, load_leaves_out_who_idles);
  tcase_add_test (tables, load_leaves_out_who_idles_and_has_no_jobs);
  tcase_add_loop_test (tables, load_leaves_out_who_idles_in_jobs_and_crowds, 0, 4);
  tcase_add_test (tables, a_window_may_end_between_stamps);
  tcase_add_test (tables, amounts_may_differ_and_get_finer);
  tcase_add_test (tables, flow_of_objects_obeys_littles_law);
  tcase_add_test (tables, objects_without_latency_are_not_in_progress);
  tcase_add_test (tables, objects_of_any_name);
  tcase_add_test (tables, objects_that_nobody_names_are_a_warning);
  suite_add_tcase (suite, tables);
  return suite;
}

int
main (void)
{
  return unit_run (make_suite ());
}
