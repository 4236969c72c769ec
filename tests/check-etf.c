/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "etf-fixture.h"
#include "unit.h"

/* What the importer of TRACE makes of good traces: jobs and activations. Numbers are worked out
 * by hand beside each trace. */

static void
expect_instances (const char *text, TsOptions options, const char *expected)
{
  g_autoptr (EtfReading) reading = read_good (text, &options);
  g_autofree char       *instances = etf_reading_instances (reading);

  ck_assert_str_eq (instances, expected);
}

/* Job 1 runs on the CPU 0..5, holds memory 2..9, and runs again 12..15 and, without a gap, 15..18. */
#define JOBS HEAD "C 0 0 5 0 1 ; name=A, id=1\nC 1 2 9 1 0 4 ; name=A, id=1\nC 2 12 15 0 1 ; name=A, id=1\n" \
  "C 3 15 18 0 1 ; name=A, id=1\nC 4 20 21 0 1 ; name=A, id=2\nC 5 21 21 0 1 ; name=A, id=3\n"

/* Columns: activation, start, end, running, preempted/times. Ends at equal times come in the file's order. */
START_TEST (each_claim_is_an_instance)
{
  expect_instances (JOBS, (TsOptions){ .element_key = NULL },
                    "A#1 - 0 5 5 0/0; A#2 - 2 9 7 0/0; A#3 - 12 15 3 0/0; A#4 - 15 18 3 0/0; A#5 - 20 21 1 0/0; "
                    "A#6 - 21 21 0 0/0");
}
END_TEST

/* The document writes true and false; Python writes True. */
START_TEST (booleans_may_be_written_in_any_case)
{
  g_autofree char *text = g_strdup (JOBS);

  memcpy (strstr (text, "false"), "False", 5);
  memcpy (strstr (text, "true"), "TRUE", 4);
  expect_instances (text, (TsOptions){ .element_key = NULL },
                    "A#1 - 0 5 5 0/0; A#2 - 2 9 7 0/0; A#3 - 12 15 3 0/0; A#4 - 15 18 3 0/0; A#5 - 20 21 1 0/0; "
                    "A#6 - 21 21 0 0/0");
}
END_TEST

/* The union of job 1 is 0..9 and 12..18: 15 long, with one gap of 3. The zero-length claim of job 3 starts when
 * job 2 ends. */
START_TEST (claims_of_one_job_are_united)
{
  expect_instances (JOBS, (TsOptions){ .instance_key = (char *) "id" },
                    "A#1 - 0 18 15 3/1; A#2 - 20 21 1 0/0; A#3 - 21 21 0 0/0");
}
END_TEST

/* On the CPU alone job 1 runs 0..5 and 12..18. */
START_TEST (other_resources_are_no_execution)
{
  TsOptions options = { .instance_key = (char *) "id", .exec_resources = (char *) "c*u" };
  g_autoptr (EtfReading) reading = NULL;

  expect_instances (JOBS, options, "A#1 - 0 18 11 7/1; A#2 - 20 21 1 0/0; A#3 - 21 21 0 0/0");
  options.exec_resources = (char *) "gpu, cpu";
  expect_instances (JOBS, options, "A#1 - 0 18 11 7/1; A#2 - 20 21 1 0/0; A#3 - 21 21 0 0/0");
  reading = read_good (JOBS, &options);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NO_SUCH_RESOURCE), 1);
}
END_TEST

/* A is activated at 5 and 7, and has its claim on what does not execute: so it waits to the end, and is there. */
START_TEST (what_is_activated_and_never_runs_waits)
{
  static const char text[] = HEAD "E 0 5 ; name=A, do=go\nE 1 7 ; name=A, do=go\nC 1 5 6 1 0 1 ; name=A\nC 2 8 9 0 1 ; name=B\n"
                                  "C 3 8 9 1 0 1 ; name=C\nE 2 9 ; name=C\n";
  TsOptions options = { .activation = (char *) "event:do=go", .exec_resources = (char *) "cpu" };
  g_autoptr (EtfReading) reading = read_good (text, &options);

  expect_instances (text, options, "B#1 - 8 9 1 0/0");
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_PENDING), 2);
  ck_assert_uint_eq (ts_system_n_elements (reading->system), 2);
}
END_TEST

/* Texts as ids, and claims without one: numbers from 1 in order of start. A claim without an id is a job of its own. */
START_TEST (jobs_without_numbers_get_some)
{
  expect_instances (HEAD "C 0 4 5 0 1 ; name=A, id=b\nC 1 0 6 0 1 ; name=A\nC 2 3 7 0 1 ; name=A\n"
                         "C 3 8 9 0 1 ; name=A, id=b\nC 4 10 11 0 1 ; name=A, id=7\n",
                    (TsOptions){ .instance_key = (char *) "id" },
                    "A#1 - 0 6 6 0/0; A#2 - 3 7 4 0/0; A#3 - 4 9 2 3/1; A#4 - 10 11 1 0/0");
}
END_TEST

/* Job 0 of A is not what the event without an id activates, nor that with the id x, however these are numbered inside.
 * Both wait to the end, and A keeps its numbers, as B does. */
START_TEST (activations_of_no_job_are_of_no_job)
{
  static const char text[] = HEAD "C 0 10 20 0 1 ; name=A, id=0\nC 1 30 40 0 1 ; name=A, id=3\nC 2 50 60 0 1 ; name=B, id=7\n"
    "E 0 5 ; name=A, do=go\nE 1 25 ; name=A, do=go, id=x\nE 2 28 ; name=A, do=go, id=3\n";
  TsOptions options = { .instance_key = (char *) "id", .activation = (char *) "event:do=go" };
  g_autoptr (EtfReading) reading = read_good (text, &options);

  expect_instances (text, options, "A#0 - 10 20 10 0/0; A#3 28 30 40 10 0/0; B#7 - 50 60 10 0/0");
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_PENDING), 2);
}
END_TEST

/* The interval @nth of that kind, as they came; NULL: there are fewer. */
static const TsInterval *
find_interval (const EtfReading *reading, TsIntervalKind kind, guint nth)
{
  for (guint i = 0; i < reading->intervals->len; i++)
    if (g_array_index (reading->intervals, TsInterval, i).kind == kind && nth-- == 0)
      return &g_array_index (reading->intervals, TsInterval, i);
  return NULL;
}

/* Job 1 starts, and so does one without a number: these are instances 1 and 2. What waits is counted behind them as it was
 * activated, whatever its key: at 5 instance 3, and at 8 instance 4, so that PER of these is 5 - 0 and 8 - 5. */
START_TEST (what_waits_is_counted_in_order_of_activation)
{
  static const char text[] = HEAD "E 0 0 ; name=A, id=1, do=go\nC 0 1 2 0 1 ; name=A, id=1\nC 1 3 4 0 1 ; name=A\n"
                                  "E 1 5 ; name=A, id=9, do=go\nE 2 8 ; name=A, id=8, do=go\n";
  TsOptions options = { .instance_key = (char *) "id", .activation = (char *) "event:do=go" };
  g_autoptr (EtfReading) reading = read_good (text, &options);

  for (guint i = 0; i < 2; i++)
    {
      const TsInterval *interval = find_interval (reading, TS_INTERVAL_PER, i);

      ck_assert_ptr_nonnull (interval);
      ck_assert_int_eq (interval->at, i == 0 ? 5 : 8);
      ck_assert_int_eq (interval->number, 3 + i);
    }
  ck_assert_ptr_null (find_interval (reading, TS_INTERVAL_PER, 2));
}
END_TEST

/* y ends at 40, z at 60, and what comes before that is not known: ST is only that of z up to u, 100 - 60. That x was activated at 10
 * and waits to the end says nothing of the others, whatever its number. */
START_TEST (what_waits_is_not_behind_others)
{
  static const char text[] = HEAD "E 0 10 ; name=A, id=x, do=go\nE 1 20 ; name=A, id=y, do=go\nC 0 30 40 0 1 ; name=A, id=y\n"
                                  "C 1 50 60 0 1 ; name=A, id=z\nE 3 100 ; name=A, id=u, do=go\nC 2 103 105 0 1 ; name=A, id=u\n";
  TsOptions options = { .instance_key = (char *) "id", .activation = (char *) "event:do=go" };
  g_autoptr (EtfReading) reading = read_good (text, &options);
  const TsInterval      *slack = find_interval (reading, TS_INTERVAL_ST, 0);

  expect_instances (text, options, "A#1 20 30 40 10 0/0; A#2 - 50 60 10 0/0; A#3 100 103 105 2 0/0");
  ck_assert_ptr_nonnull (slack);
  ck_assert_int_eq (slack->value, 40);
  ck_assert_int_eq (slack->at, 100);
  ck_assert_int_eq (slack->number, 3);
  ck_assert_ptr_null (find_interval (reading, TS_INTERVAL_ST, 1));
}
END_TEST

/* Options that only seem to do something. */
START_TEST (what_an_option_means_must_be_there)
{
  static const struct
  {
    const char *instance_key, *activation;
    guint       n_keys, n_activations; /* that are told to be missing */
  } cases[] = { { "id", "event:do=go", 0, 0 },   { "Id", "event:do=go", 1, 0 }, { "id", "event:do=Go", 0, 1 },
                { "id", "dep", 0, 0 },           { "id", "dep:k=v", 0, 0 },     { "id", "dep:k=w", 0, 1 },
                { NULL, "event:action=go", 0, 1 }, { "of,id", NULL, 0, 0 },     { "of,to", NULL, 1, 0 } };
  TsOptions options = { .instance_key = (char *) cases[_i].instance_key, .activation = (char *) cases[_i].activation };
  g_autoptr (EtfReading) reading = read_good (HEAD "E 0 0 ; name=A, id=1, do=go\nC 0 1 2 0 1 ; name=A, id=1\nD 0 7 0 0 ; k=v\n",
                                              &options);

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NO_INSTANCE_KEY), cases[_i].n_keys);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NO_SUCH_ACTIVATION), cases[_i].n_activations);
}
END_TEST

/* Claim k of 100 runs from k to 200 + 37 k mod 100: all at once, and no two end in the order of their starts. Claim k is
 * activated by event k, at k - 100. */
START_TEST (crowds_are_told_apart)
{
  TsOptions options = { .activation = (char *) (_i == 0 ? "none" : _i == 1 ? "dep" : "event:do=go") };
  g_autoptr (GString) text = g_string_new (HEAD);
  g_autoptr (EtfReading) reading = NULL;

  for (int k = 0; k < 100; k++)
    g_string_append_printf (text, "C %d %d %d 0 1 ; name=A\nE %d %d; name=A, do=go\nD %d 7 %d %d ;\n", k, k, 200 + 37 * k % 100,
                            k, k - 100, k, k, k);
  reading = read_good (text->str, &options);
  ck_assert_uint_eq (reading->instances->len, 100);
  for (guint i = 0; i < 100; i++)
    {
      const TsInstance *instance = &g_array_index (reading->instances, TsInstance, i);

      ck_assert_int_eq (instance->end, 200 + 37 * instance->start % 100);
      ck_assert_int_eq ((instance->flags & TS_INSTANCE_HAS_ACTIVATION) != 0, _i > 0);
      if (_i > 0)
        ck_assert_int_eq (instance->activation, instance->start - 100);
    }
}
END_TEST

/* 01 and 1 are different texts; -1 is a number like any other. */
START_TEST (ids_are_compared_as_texts)
{
  expect_instances (HEAD "C 0 0 1 0 1 ; name=A, id=1\nC 1 2 3 0 1 ; name=A, id=01\nC 2 4 5 0 1 ; name=A, id=1\n",
                    (TsOptions){ .instance_key = (char *) "id" }, "A#2 - 2 3 1 0/0; A#1 - 0 5 2 3/1");
  expect_instances (HEAD "C 0 0 1 0 1 ; name=A, id=-1\nC 1 2 3 0 1 ; name=A, id=-1\n",
                    (TsOptions){ .instance_key = (char *) "id" }, "A#-1 - 0 3 2 1/1");
}
END_TEST

/* [5,5] lies in the gap 3..9 of the job and parts it in two. */
START_TEST (a_claim_without_extent_parts_a_gap)
{
  expect_instances (HEAD "C 0 0 3 0 1 ; name=A, id=1\nC 1 5 5 0 1 ; name=A, id=1\nC 2 9 10 0 1 ; name=A, id=1\n",
                    (TsOptions){ .instance_key = (char *) "id" }, "A#1 - 0 10 4 6/2");
}
END_TEST

START_TEST (several_attributes_name_elements_and_jobs)
{
  TsOptions options = { .element_key = (char *) "name, kind", .instance_key = (char *) "id,part" };

  expect_instances (HEAD "C 0 0 1 0 1 ; name=A, kind=x, id=1, part=1\nC 1 1 2 0 1 ; name=A, id=1, part=1\n"
                         "C 2 3 4 0 1 ; name=A, kind=x, id=1, part=2\nC 3 5 6 0 1 ; kind=x, name=A, part=1, id=1\n",
                    options, "A/-#1 - 1 2 1 0/0; A/x#2 - 3 4 1 0/0; A/x#1 - 0 6 2 4/1");
}
END_TEST

START_TEST (elements_without_a_name_fall_back)
{
  const char *text = HEAD "C 0 0 1 0 1 ; task=T\nC 1 1 2 0 1 ; activity=V\nC 2 2 3 0 1 ; p1=true\nE 0 3 ; x=y\n"
                          "C 3 4 5 0 1 ; activity=V, task=T\n";
  g_autoptr (EtfReading) reading = read_good (text, NULL);

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NO_ELEMENT_KEY), 2);
  ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_NO_ELEMENT_KEY].line, 6);
  expect_instances (text, (TsOptions){ .element_key = NULL }, "T#1 - 0 1 1 0/0; V#1 - 1 2 1 0/0; cpu#1 - 2 3 1 0/0; T#2 - 4 5 1 0/0");
  expect_instances (text, (TsOptions){ .element_key = (char *) "task" },
                    "T#1 - 0 1 1 0/0; cpu#1 - 1 2 1 0/0; cpu#2 - 2 3 1 0/0; T#2 - 4 5 1 0/0");
}
END_TEST

/* Types 0 (start), 2 (end) and 7 (event) into the start activate, the latest of them counts; 1, 3 and 8 into the end
 * and 4, 5 and 6 into events do not. */
#define CHAIN HEAD "D 9 7 0 1 ; k=app\nE 0 6 ; name=go\nE 1 7 ; name=go\nC 0 0 4 0 1 ; name=A\n" \
  "C 1 10 12 0 1 ; name=B\nC 2 13 14 0 1 ; name=B\nD 0 0 0 1 ; k=x\nD 1 2 0 1 ; k=app\nD 2 1 1 2 ; k=app\n" \
  "D 3 3 1 2 ; k=app\nD 4 4 0 1 ; k=app\nD 5 5 1 1 ; k=app\nD 6 6 2 1 ; k=app\nD 7 8 1 2 ; k=app\n"

START_TEST (dependencies_into_a_start_activate)
{
  static const char *const specs[] = { "none", "dep", "dep:k=x", "dep:k=app", "dep:k=none" };
  static const char *const activations[] = { "-", "6", "0", "6", "-" };
  g_autofree char *expected = g_strdup_printf ("A#1 - 0 4 4 0/0; B#1 %s 10 12 2 0/0; B#2 - 13 14 1 0/0", activations[_i]);

  expect_instances (CHAIN, (TsOptions){ .activation = (char *) specs[_i] }, expected);
}
END_TEST

/* B starts at 10, before A ends at 12. */
START_TEST (an_activation_after_the_start_is_unknown)
{
  const char *text = HEAD "C 0 0 12 0 1 ; name=A\nC 1 10 13 0 1 ; name=B\nD 0 2 0 1 ;\n";
  TsOptions   options = { .activation = (char *) "dep" };
  g_autoptr (EtfReading) reading = read_good (text, &options);

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_LATE_ACTIVATION), 1);
  ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_LATE_ACTIVATION].line, 5);
  expect_instances (text, options, "A#1 - 0 12 12 0/0; B#1 - 10 13 3 0/0");
}
END_TEST

/* With jobs, only dependencies into the first of the claims count: claim 2 goes on with job 1. */
START_TEST (dependencies_into_the_first_claims_activate_a_job)
{
  expect_instances (HEAD "E 0 1 ; name=go\nE 1 5 ; name=go\nE 2 2 ; name=go\nC 0 3 4 0 1 ; name=A, id=1\n"
                         "C 1 3 4 1 0 1 ; name=A, id=1\nC 2 6 7 0 1 ; name=A, id=1\nD 0 7 0 0 ;\nD 1 7 2 1 ;\nD 2 7 1 2 ;\n",
                    (TsOptions){ .instance_key = (char *) "id", .activation = (char *) "dep" }, "A#1 2 3 7 2 2/1");
}
END_TEST

/* The events of A with do=go; of B without claims there is an element of its own. */
#define EVENTS HEAD "E 0 1 ; name=A, id=2, do=go\nE 1 2 ; name=A, id=1, do=go\nE 2 3 ; name=A, id=1, do=stop\n" \
  "E 3 3 ; name=B, id=1, do=go\nC 0 4 5 0 1 ; name=A, id=1\nC 1 6 7 0 1 ; name=A, id=2\nE 4 8 ; name=A, id=3, do=go\n" \
  "E 5 9 ; name=B\n"

/* The third activation comes after the last claim started. At equal stamps the activation is the first. */
/* Three jobs of two elements are activated after their starts: the line told of is that of the element which came
 * first, and there of the lowest number, wherever it stands. */
START_TEST (the_late_activation_told_of_is_that_of_the_first_job)
{
  const TsOptions        options = { .instance_key = (char *) "id", .activation = (char *) "dep" };
  g_autoptr (EtfReading) reading = read_good (HEAD "C 0 0 1 0 1 ; name=A, id=9\nC 1 2 3 0 1 ; name=B, id=1\n"
                                              "C 2 4 5 0 1 ; name=A, id=7\nC 3 6 9 0 1 ; name=A, id=3\n"
                                              "C 4 9 9 0 1 ; name=C, id=0\n"
                                              "D 0 2 4 0 ; name=d\nD 1 2 4 1 ; name=d\nD 2 2 4 2 ; name=d\n", &options);

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_LATE_ACTIVATION), 3);
  ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_LATE_ACTIVATION].line, 6);
}
END_TEST

/* Jobs whose numbers are that far apart: each runs 2, is away until all have begun, and runs 3. The n-th starts at 10 n
 * and goes on at 10000 + 10 n, so it is preempted once, for 10000 - 2. */
static const gint32 strides[] = { 1, 2, 15, 16, 17, 256, 272, 65536, 1048576, -1 };

START_TEST (jobs_are_found_by_numbers_of_any_distance)
{
  const TsOptions        options = { .instance_key = (char *) "id" };
  g_autoptr (GString)    text = g_string_new (HEAD);
  g_autoptr (EtfReading) reading = NULL;

  for (int round = 0; round < 2; round++)
    for (int n = 0; n < 1000; n++)
      g_string_append_printf (text, "C %d %d %d 0 1 ; name=%c, id=%d\n", 1000 * round + n, 10000 * round + 10 * n,
                              10000 * round + 10 * n + 2 + round, n % 2 == 0 ? 'A' : 'B', n * strides[_i]);
  reading = read_good (text->str, &options);
  ck_assert_uint_eq (reading->instances->len, 1000);
  for (int n = 0; n < 1000; n++)
    {
      const TsInstance *instance = &g_array_index (reading->instances, TsInstance, n);

      ck_assert_int_eq (instance->number, n * strides[_i]);
      ck_assert_int_eq (instance->start, 10 * n);
      ck_assert_int_eq (instance->end, 10000 + 10 * n + 3);
      ck_assert_int_eq (instance->running, 5);
      ck_assert_int_eq (instance->preempted, 9998);
      ck_assert_uint_eq (instance->n_preemptions, 1);
    }
}
END_TEST

START_TEST (activations_wait_for_claims)
{
  TsOptions options = { .activation = (char *) "event:do=go" };
  static const char text[] = HEAD "C 0 1 2 0 1; name=A\nC 1 1 3 0 1; name=A\nE 0 1; name=A, do=go\nE 1 1; name=A, do=go\n"
    "C 2 4 5 0 1; name=A\nE 2 6; name=A, do=go\n";
  g_autoptr (EtfReading) reading = read_good (text, &options);

  expect_instances (text, options, "A#1 1 1 2 1 0/0; A#2 1 1 3 2 0/0; A#3 - 4 5 1 0/0");
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_PENDING), 1);
}
END_TEST

START_TEST (events_activate)
{
  TsOptions options = { .activation = (char *) "event:do=go" };
  g_autoptr (EtfReading) reading = NULL;

  /* each claim a job: the oldest event first */
  expect_instances (EVENTS, options, "A#1 1 4 5 1 0/0; A#2 2 6 7 1 0/0");
  /* with ids: each its own; that of 3 waits until the end */
  options.instance_key = (char *) "id";
  expect_instances (EVENTS, options, "A#1 2 4 5 1 0/0; A#2 1 6 7 1 0/0");
  reading = read_good (EVENTS, &options);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_PENDING), 1);
  ck_assert_uint_eq (ts_system_n_elements (reading->system), 2);
  ck_assert_int_eq (ts_system_get_element (reading->system, 0)->type, TS_TYPE_TASK);
  ck_assert_int_eq (ts_system_get_element (reading->system, 1)->type, TS_TYPE_EVENT);
}
END_TEST

/* B at 3 and 9: one DT of 6, and nothing else. */
START_TEST (events_of_no_claim_have_a_delta_time_only)
{
  g_autoptr (EtfReading) reading = read_good (EVENTS, NULL);
  guint n = 0;

  for (guint i = 0; i < reading->intervals->len; i++)
    {
      const TsInterval *interval = &g_array_index (reading->intervals, TsInterval, i);

      if (ts_system_get_element (reading->system, interval->element)->type != TS_TYPE_EVENT)
        continue;
      ck_assert_int_eq (interval->kind, TS_INTERVAL_DT);
      ck_assert_int_eq (interval->value, 6);
      n++;
    }
  ck_assert_uint_eq (n, 1);
  for (guint i = 0; i < reading->instances->len; i++)
    ck_assert_int_eq (g_array_index (reading->instances, TsInstance, i).element, 0);
}
END_TEST

/* 0.1 + 0.2 is 0.3: the claims touch, and there is no preemption. A later stamp is finer than those before. */
START_TEST (stamps_are_exact)
{
  expect_instances ("R 0 1 false;\nC 0 -0.3 0.1 0 1;name=A,id=1\nC 1 0.10 3e-1 0 1;name=A,id=1\nC 2 0.3 0.30125 0 1;name=A,id=1\n",
                    (TsOptions){ .instance_key = (char *) "id" }, "A#1 - -30000 30125 60125 0/0");
  /* the second stamp alone asks for units of a hundredth */
  expect_instances ("R 0 1 false;\nC 0 1 2.25 0 1;name=A\n", (TsOptions){ .element_key = NULL }, "A#1 - 100 225 125 0/0");
  expect_instances ("TU HOURS\nR 0 1 false;\nC 0 9007199254740993 9007199254740995 0 1;name=A\n",
                    (TsOptions){ .instance_key = (char *) "id" },
                    "A#1 - 9007199254740993 9007199254740995 2 0/0");
}
END_TEST

START_TEST (time_units_are_known)
{
  static const struct
  {
    const char *line;
    guint64     numerator;
    int         exponent;
  } cases[] = { { "", 1, 0 },
                { "TU NANOSECONDS\n", 1, -9 },
                { "TU MICROSECONDS\n", 1, -6 },
                { "TU  MILLISECONDS \r\n", 1, -3 },
                { "TU SECONDS\n", 1, 0 },
                { "TU MINUTES\n", 60, 0 },
                { "TU HOURS\n", 3600, 0 } };
  g_autofree char *text = g_strdup_printf ("%sR 0 1 false;\nC 0 0 0.25 0 1;\n", cases[_i].line);
  g_autoptr (EtfReading) reading = read_good (text, NULL);
  const TsTimeBase *base = ts_system_time_base (reading->system);

  ck_assert (base->known);
  ck_assert_uint_eq (base->numerator, cases[_i].numerator);
  ck_assert_int_eq (base->exponent, cases[_i].exponent);
  ck_assert_int_eq (base->scale, 100);
}
END_TEST

START_TEST (other_time_units_are_refused)
{
  static const char *const cases[][2] = {
    { "", "TU and one time unit are expected" },
    { "SECONDS ;", "TU and one time unit are expected" },
    { "seconds", "`seconds' is no time unit: NANOSECONDS, MICROSECONDS, MILLISECONDS, SECONDS, MINUTES or HOURS is expected" },
  };
  g_autofree char *text = g_strdup_printf ("R 0 1 false;\nC 0 0 0.25 0 1;\nTU %s\nC 1 1 2 0 1;\n", cases[_i][0]);
  g_autofree char *expected = g_strconcat ("x.etf:3: ", cases[_i][1], NULL);
  g_autoptr (EtfReading) reading = etf_reading_new (text, -1, 0, NULL);

  ck_assert_ptr_nonnull (reading->error);
  ck_assert_str_eq (reading->error->message, expected);
}
END_TEST

START_TEST (what_the_trace_says_of_itself_is_kept)
{
  g_autoptr (EtfReading) reading
      = read_good ("\xef\xbb\xbf# comment ; a=b\r\n\r\nO -5\nT name = experiment 1, date = Jan 12\\, 2020, c=\nT\nT \n", NULL);

  ck_assert_str_eq (ts_system_get_name (reading->system), "experiment 1");
  ck_assert_str_eq (ts_system_get_comment (reading->system),
                    "time 0 is -5 ms after 1970-01-01 00:00 UTC, date=Jan 12, 2020, c=");
}
END_TEST

/* `\' escapes anything; a lone one at the end stays; `;' and '#' are ordinary in values. */
START_TEST (attributes_are_unescaped_and_trimmed)
{
  static const char *const cases[][2] = {
    { "name=a", "a" },
    { " name = a b ", "a b" },
    { "x=1,name=a\\=b\\,c", "a=b,c" },
    { "name=a\\", "a\\" },
    { "name=a\\\\", "a\\" },
    { "name=\\ a \\ ", " a  " },
    { "na\\me=a;b#c", "a;b#c" },
    { "name=\"a\"\t", "\"a\"" },
    { "name=a,name=b", "b" },
    { "name=", "cpu" }, /* empty is missing */
    { "name= ,task=T", "T" },
  };
  g_autofree char *text = g_strdup_printf (HEAD "C 0 0 1 0 1;%s\nC 1 2 3 0 1;%s\n", cases[_i][0], cases[_i][0]);
  g_autofree char *expected = g_strdup_printf ("%s#1 - 0 1 1 0/0; %s#2 - 2 3 1 0/0", cases[_i][1], cases[_i][1]);

  expect_instances (text, (TsOptions){ .element_key = NULL }, expected);
}
END_TEST

/* Of a resource the name and the unit are of interest, whatever else there is. */
START_TEST (resources_have_attributes_of_any_key)
{
  g_autoptr (EtfReading) reading = read_good ("R 0 1 false ; color=#ff0000, unit=B, name=x, Name=y, name=z\nC 0 0 1 0 1;\n", NULL);

  ck_assert_str_eq (ts_system_get_resource (reading->system, 0)->name, "z");
  expect_table (reading, "usage", "z,0,1,B,1,1,1,1,1,1,1,1,1");
}
END_TEST

/* 65,000 of them, and one more in a claim or a line of its own. */
START_TEST (resources_are_not_beyond_number)
{
  static const char *const last[] = { "C 0 0 1 x 1;\n", "R x 1 false;\n", "C 0 0 1 64999 1;\n" };
  g_autoptr (GString)    text = g_string_new (NULL);
  g_autoptr (EtfReading) reading = NULL;

  for (guint i = 0; i < 65000; i++)
    g_string_append_printf (text, "R %u 1 false;\n", i);
  g_string_append (text, last[_i]);
  reading = etf_reading_new (text->str, -1, 0, NULL);
  if (_i < 2)
    {
      ck_assert_ptr_nonnull (reading->error);
      ck_assert_str_eq (reading->error->message, "x.etf:65001: more than 65000 resources");
      ck_assert_int_eq (reading->error->code, TS_ERROR_RANGE);
    }
  else
    ck_assert_uint_eq (ts_system_n_resources (reading->system), 65000);
}
END_TEST

START_TEST (bids_are_on_content)
{
  static const struct
  {
    const char *head;
    int         least, most;
  } cases[] = {
    { "TU SECONDS\nO 0\nR 0 1 false; name=Belt\n", 61, 100 },
    { "\xef\xbb\xbf# x\r\n\r\nR 0 100.0 false;\r\n", 61, 100 },
    { "T\nC 0 0.2 13.2 0 100.0 ; task=A\n", 61, 100 },
    { "C 0 0.4 0.6 1 128 256;p1=true\n", 61, 100 },
    { "TraceVersion\tV0.1\nConfigurationID\tx\n", 100, 100 },
    { "E 0 50.0 ; name=E1", 61, 100 },
    { "T \nT\t\r\n", 61, 100 },
    { "TS 0 ; name=x\nTSP 0 0 1 2\n", 61, 100 },
    { "S 0 ; name=s\nF 0 0 1.5 1e-3 0 0\n", 61, 100 },
    { "D 0 2 0 1;\n", 61, 100 },
    { "S 0 1 ;\n", 0, 0 },
    { "F 0 0 1 x 0 0\n", 0, 0 },
    { "D 0 x 0 1;\n", 0, 0 },
    /* to say what is wrong with the first line, it must be read */
    { "TU seconds\nR 0 1 false;\nC 0 1 2 0 1;\n", 61, 100 },
    { "O x\nTU\nR 0 1 false;\nC 0 1 2 0 1;\nE 0 1;\n", 61, 100 },
    { "X\nX\nX\nR 0 1 false;\nC 0 1 2 0 1;\nE 0 1;\nE 1 2;\n", 0, 0 },
    { "X\nR 0 1 false;\n", 0, 0 },
    { "T\nTraceVersion\tV0.1\nR 0 1 false;\n", 61, 99 },
    { "", 0, 0 },
    { "# only a comment\n", 0, 0 },
    { "#version 2.1.0\n#timeScale ns\n0,Core,0,T,Task,0,activate\n", 0, 0 },
    { "<CommonFormat Version='1.0'/>", 0, 0 },
    { "0\n1236420313 5 0 0 0 0\n", 0, 0 },
    { "R x y\n", 0, 0 },
    { "Trace of something\n", 0, 0 },
    { "T he end\n", 0, 0 },
  };
  int bid = ts_importer_etf.bid ((const guint8 *) cases[_i].head, strlen (cases[_i].head));

  ck_assert_int_ge (bid, cases[_i].least);
  ck_assert_int_le (bid, cases[_i].most);
}
END_TEST

/* An event is left out once claims have its name, unless it is asked for: its stamp and its id count all the same. */
START_TEST (events_of_claims_count_with_their_stamps)
{
  static const char      text[] = HEAD "E 0 1 ; name=A\nC 0 2 3 0 1 ; name=A\nE 1 9.25 ; name=A\nE 2 8 ; name=B\n";
  g_autoptr (EtfReading) reading = read_good (text, NULL);
  g_autoptr (EtfReading) twice = etf_reading_new (HEAD "C 0 2 3 0 1 ; name=A\nE 1 4 ; name=A\nE 1 5 ; name=A\n", -1, 0, NULL);
  const TsSection       *section = g_ptr_array_index (reading->sections, 0);

  ck_assert_int_eq (section->start, 100);
  ck_assert_int_eq (section->stop, 925);
  ck_assert_uint_eq (reading->events->len, 3);
  ck_assert_ptr_nonnull (twice->error);
  ck_assert_ptr_nonnull (strstr (twice->error->message, "x.etf:6: a second event has the id 1"));
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("ETF");
  TCase *jobs = tcase_create ("jobs"), *texts = tcase_create ("texts");

  tcase_add_test (jobs, each_claim_is_an_instance);
  tcase_add_test (jobs, booleans_may_be_written_in_any_case);
  tcase_add_test (jobs, claims_of_one_job_are_united);
  tcase_add_test (jobs, other_resources_are_no_execution);
  tcase_add_test (jobs, what_is_activated_and_never_runs_waits);
  tcase_add_test (jobs, jobs_without_numbers_get_some);
  tcase_add_test (jobs, activations_of_no_job_are_of_no_job);
  tcase_add_test (jobs, what_waits_is_counted_in_order_of_activation);
  tcase_add_test (jobs, what_waits_is_not_behind_others);
  tcase_add_loop_test (jobs, what_an_option_means_must_be_there, 0, 9);
  tcase_add_loop_test (jobs, crowds_are_told_apart, 0, 3);
  tcase_add_test (jobs, ids_are_compared_as_texts);
  tcase_add_test (jobs, a_claim_without_extent_parts_a_gap);
  tcase_add_test (jobs, several_attributes_name_elements_and_jobs);
  tcase_add_test (jobs, elements_without_a_name_fall_back);
  tcase_add_loop_test (jobs, dependencies_into_a_start_activate, 0, 5);
  tcase_add_test (jobs, an_activation_after_the_start_is_unknown);
  tcase_add_test (jobs, dependencies_into_the_first_claims_activate_a_job);
  tcase_add_test (jobs, the_late_activation_told_of_is_that_of_the_first_job);
  tcase_add_loop_test (jobs, jobs_are_found_by_numbers_of_any_distance, 0, G_N_ELEMENTS (strides));
  tcase_add_test (jobs, activations_wait_for_claims);
  tcase_add_test (jobs, events_activate);
  tcase_add_test (jobs, events_of_no_claim_have_a_delta_time_only);
  tcase_add_test (jobs, stamps_are_exact);
  tcase_add_test (jobs, events_of_claims_count_with_their_stamps);
  suite_add_tcase (suite, jobs);
  tcase_add_loop_test (texts, time_units_are_known, 0, 7);
  tcase_add_loop_test (texts, other_time_units_are_refused, 0, 3);
  tcase_add_test (texts, what_the_trace_says_of_itself_is_kept);
  tcase_add_loop_test (texts, attributes_are_unescaped_and_trimmed, 0, 11);
  tcase_add_test (texts, resources_have_attributes_of_any_key);
  tcase_add_loop_test (texts, resources_are_not_beyond_number, 0, 3);
  tcase_add_loop_test (texts, bids_are_on_content, 0, 26);
  suite_add_tcase (suite, texts);
  return suite;
}

int
main (void)
{
  return unit_run (make_suite ());
}
