/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "timeline-fixture.h"

/* Many open callees of a task: the outer ones follow it, and nobody looks at them while its state changes. Whatever comes
 * of them is as if each were looked at. */

static const TsAccumulator *
samples_of (const char *element, TsMetricId metric)
{
  return ts_metrics_samples (fixture.measures, fixture_element (element), TS_TYPE_FUNCTION, metric);
}

START_TEST (frames_are_preempted_with_their_task)
{
  /* off 6..9 and 10..12. f1: 1..16, 2..15 and 4..13, with f2 3..14 between the last two. SELF: each is 1 tick longer at
     both ends than the next one, and the innermost has its CET; T1: 15 - 10 */
  run_trace ("0 start T1; 1 start f1; 2 start f1; 3 start f2; 4 start f1; 6 preempt T1; 9 resume T1; 10 preempt T1;"
             "12 resume T1; 13 end f1; 14 end f2; 15 end f1; 16 end f1; 20 end T1");
  expect ("f1", "CET 4 8 10 | GET 9 13 15 | DT 1 2 | ST -14 -11 | PRE 2 2 2 3 3 3 | SELF 2 2 4 | E2S -14 -11 | NPR 2 2 2");
  expect ("f2", "CET 6 | GET 11 | PRE 2 3 | SELF 2 | NPR 2");
  expect ("T1", "CET 15 | GET 20 | PRE 2 3 | SELF 5 | NPR 2");
  /* of equal ones that of the instance that started first is named */
  ck_assert_int_eq (samples_of ("f1", TS_METRIC_PRE)->max.at, 1);
  ck_assert_int_eq (samples_of ("f1", TS_METRIC_PRE)->max.number, 1);
  ck_assert_int_eq (samples_of ("f1", TS_METRIC_PRE)->min.number, 1);
  expect_found ("");
}
END_TEST

START_TEST (frames_before_the_window_have_no_samples)
{
  fixture_window (2, 100);
  run_trace ("0 start T1; 1 start f1; 2 start f1; 3 start f1; 4 start f1; 6 preempt T1; 9 resume T1; 13 end f1; 14 end f1;"
             "15 end f1; 16 end f1; 20 end T1");
  expect ("f1", "CET 6 8 10 | GET 9 11 13 | DT 1 1 1 | ST -14 -12 -10 | PRE 3 3 3 | SELF 2 2 6 | E2S -14 -12 -10 | NPR 1 1 1");
  ck_assert_int_eq (samples_of ("f1", TS_METRIC_PRE)->max.at, 2);
  ck_assert_int_eq (samples_of ("f1", TS_METRIC_PRE)->max.number, 2);
}
END_TEST

START_TEST (of_frames_that_start_at_one_stamp_the_lowest_number_is_named)
{
  run_trace ("0 start T1; 1 start f1#7; 1 start f1#3; 1 start f1#5; 1 start f1#9; 6 preempt T1; 9 resume T1; 11 end f1#9;"
             "11 end f1#5; 12 end f1#3; 13 preempt T1; 15 resume T1; 16 end f1#7; 20 end T1");
  ck_assert_int_eq (samples_of ("f1", TS_METRIC_PRE)->max.value, 3);
  ck_assert_int_eq (samples_of ("f1", TS_METRIC_PRE)->max.number, 3);
  ck_assert_int_eq (samples_of ("f1", TS_METRIC_PRE)->min.value, 2);
  ck_assert_int_eq (samples_of ("f1", TS_METRIC_PRE)->min.number, 7);
}
END_TEST

START_TEST (frames_without_an_end_wait_and_move_with_their_task)
{
  /* waits 5..8, is ready until 9, off 14..17. f2: 2..12 without 5..9, of which f1 inside has 3..5 and 9..12; neither f1
     ends. T1 without what the outer f1 ran until its task ended: 13 - 12 */
  run_trace ("0 start T1; 1 start f1; 2 start f2; 3 start f1; 5 wait T1; 8 release T1; 9 resume T1 on 1; 12 end f2 on 1;"
             "14 preempt T1 on 1; 17 resume T1 on 1; 20 end T1 on 1");
  expect ("f1", "DT 2 | PRE 1 1 3 3 | WAIT 3 3");
  expect ("f2", "CET 6 | GET 10 | PRE 1 | SELF 1 | WAIT 3 | NPR 1");
  expect ("T1", "CET 13 | GET 20 | PRE 1 3 | SELF 1 | WAIT 3 | NPR 2");
  expect_counts ("f1", "starts 2, missing 2");
  ck_assert_int_eq (fixture_instance ("f1", 1)->running, 12);
  ck_assert_int_eq (fixture_instance ("f1", 1)->preempted, 4);
  ck_assert_int_eq (fixture_instance ("f1", 1)->waiting, 3);
  ck_assert_uint_eq (fixture_instance ("f1", 1)->resource, 1);
}
END_TEST

START_TEST (frames_that_the_end_of_the_trace_cuts_have_what_ended_before)
{
  run_trace ("0 start T1; 1 start f1; 2 start f1; 3 start f1; 4 preempt T1; 6 resume T1; 8 preempt T1; 11 start I1");
  expect ("f1", "DT 1 1 | PRE 2 2 2");
  expect_counts ("f1", "starts 3, tails 3");
  ck_assert_int_eq (fixture_instance ("f1", 1)->running, 5);
  ck_assert_int_eq (fixture_instance ("f1", 1)->preempted, 5);
  ck_assert_int_eq (fixture_instance ("f1", 1)->preempted_closed, 2);
}
END_TEST

START_TEST (an_error_elsewhere_leaves_frames_that_have_moved)
{
  /* when the error comes on core 1, nothing of T1 is there any more */
  run_trace ("0 start T1 on 1; 1 start f1 on 1; 2 start f1 on 1; 3 preempt T1 on 1; 5 resume T1 on 0; 6 error on 1; 8 end f1;"
             "9 end f1; 10 end T1");
  expect ("f1", "CET 4 6 | GET 6 8 | DT 1 | ST -7 | PRE 2 2 | SELF 2 4 | E2S -7 | NPR 1 1");
  expect_found ("error-event 1");
}
END_TEST

START_TEST (frames_are_where_their_task_goes_on)
{
  fixture_overhead (NULL, 0, 1);
  /* one tick behind each event is overhead. T1 goes to core 1 without frames being looked at: f1 1..12 without 4..6
     runs 1..4 and 6..12, less one tick behind each of 1, 2, 3 on core 0, and 6, 10 on core 1; the other 2..10 */
  run_trace ("0 start T1; 1 start f1; 2 start f1; 3 start f2; 4 preempt T1; 6 resume T1 on 1; 8 end f2 on 1; 10 end f1 on 1;"
             "12 end f1 on 1; 14 end T1 on 1");
  ck_assert_int_eq (fixture_instance ("f1", 1)->running, 9 - 6);
  ck_assert_int_eq (fixture_instance ("f1", 2)->running, 6 - 4);
  ck_assert_int_eq (fixture_instance ("f2", 1)->running, 3 - 2);
}
END_TEST

START_TEST (cores_may_be_added_meanwhile)
{
  /* what is known of them lies elsewhere then */
  run_trace ("0 start T1; 1 start f1; 2 start f1; 3 start f1; 4 preempt T1; cores 100; 7 resume T1; cores 1000; 9 end f1;"
             "10 end f1; 11 end f1; 12 end T1");
  expect ("f1", "CET 3 5 7 | GET 6 8 10 | DT 1 1 | ST -9 -7 | PRE 3 3 3 | SELF 2 2 3 | E2S -9 -7 | NPR 1 1 1");
}
END_TEST

START_TEST (frames_that_are_released_and_go_on_at_one_stamp_were_not_preempted)
{
  /* f1, the outermost, is no longer there when they go on */
  run_trace ("0 start T1; 1 start f1; 2 start f2; 3 start f3; 5 wait T1; 8 release T1; 8 end f1; 8 resume T1; 10 end f3;"
             "11 end f2; 12 end T1");
  expect ("f1", "CET 4 | GET 7 | SELF 1 | WAIT 3 | NPR 0");
  expect ("f2", "CET 6 | GET 9 | SELF 2 | WAIT 3 | NPR 0");
  expect ("f3", "CET 4 | GET 7 | SELF 4 | WAIT 3 | NPR 0");
}
END_TEST

START_TEST (frames_that_start_while_their_task_waits_follow_when_it_is_released)
{
  run_trace ("0 start T1; 1 start f1; 2 wait T1; 3 start f2 in T1; 5 release T1; 5 resume T1; 7 end f2; 8 end f1; 9 end T1");
  expect ("f1", "CET 4 | GET 7 | SELF 2 | WAIT 3 | NPR 0");
  expect ("f2", "CET 2 | GET 4 | SELF 2 | WAIT 2 | NPR 0");
}
END_TEST

START_TEST (frames_that_follow_know_what_ran_in_them_when_they_are_suspended)
{
  /* off 5..6; f3 and f1 8..11, too, while f4 and f2 run: that is time of f2 and T1. f1 1..15, f2 2..14, f3 3..13,
     f4 4..12 */
  run_trace ("0 start T1; 1 start f1; 2 start f2; 3 start f3; 4 start f4; 5 preempt T1; 6 resume T1; 8 preempt f3;"
             "8 preempt f1; 11 resume f1; 11 resume f3; 12 end f4; 13 end f3; 14 end f2; 15 end f1; 16 end T1");
  expect ("f1", "CET 10 | GET 14 | PRE 1 3 | SELF 2 | NPR 2");
  expect ("f2", "CET 11 | GET 12 | PRE 1 | SELF 2 | NPR 1");
  expect ("f3", "CET 6 | GET 10 | PRE 1 3 | SELF 2 | NPR 2");
  expect ("f4", "CET 7 | GET 8 | PRE 1 | SELF 7 | NPR 1");
  expect ("T1", "CET 15 | GET 16 | PRE 1 | SELF 2 | NPR 1");
}
END_TEST

START_TEST (frames_that_had_no_task_follow_only_if_they_began_together)
{
  /* that T1 is there is seen at 4 only: until then f1 and f2 run in no task, and then go on in it */
  run_trace ("0 start f1; 1 start f1; 1 start f2; 3 start f1; 4 poll T1; 6 preempt T1; 9 resume T1; 10 end f1; 11 end f2;"
             "12 end f1; 14 end f1; 15 end T1");
  expect ("f1", "CET 4 8 11 | GET 7 11 14 | DT 1 2 | ST -13 -9 | PRE 3 3 3 | SELF 1 3 4 | E2S -13 -9 | NPR 1 1 1");
  expect ("f2", "CET 7 | GET 10 | PRE 3 | SELF 3 | NPR 1");
}
END_TEST

START_TEST (frames_may_end_oldest_first)
{
  /* f1 1..8, f2 3..10, f3 6..13: what is open goes on within the caller of the one that ended. f2 has 3..8 in f1, f3
     6..10 in f2; T1 7 of f1, then 8..10 of f2 and 10..13 of f3 */
  run_trace ("0 start T1; 1 start f1; 3 start f2; 6 start f3; 8 end f1; 10 end f2; 13 end f3; 14 end T1");
  expect ("f1", "CET 7 | GET 7 | SELF 2 | NPR 0");
  expect ("f2", "CET 7 | GET 7 | SELF 3 | NPR 0");
  expect ("f3", "CET 7 | GET 7 | SELF 7 | NPR 0");
  expect ("T1", "CET 14 | GET 14 | SELF 2 | NPR 0");
}
END_TEST

START_TEST (a_frame_may_end_while_one_that_it_called_is_suspended)
{
  /* f2 is off 4..9, f3 in it goes on: 4..7 for f1, 7..9 for T1. f1 1..7 has 2..4 of f2 and that; T1 has f1, f3 7..9,
     f2 9..10 and f3 10..12 */
  run_trace ("0 start T1; 1 start f1; 2 start f2; 3 start f3; 4 preempt f2; 7 end f1; 9 resume f2; 10 end f2; 12 end f3;"
             "13 end T1");
  expect ("f1", "CET 6 | GET 6 | SELF 1 | NPR 0");
  expect ("f2", "CET 3 | GET 8 | PRE 5 | SELF 1 | NPR 1");
  expect ("f3", "CET 9 | GET 9 | SELF 9 | NPR 0");
  expect ("T1", "CET 13 | GET 13 | SELF 2 | NPR 0");
}
END_TEST

START_TEST (frames_in_the_middle_may_end_before_those_around_them)
{
  /* f2 and f4 end, then f3 and f1 around nobody. f3 4..11 is in f2, from 6 on in f1 */
  run_trace ("0 start T1; 1 start f1; 2 start f2; 4 start f3; 5 start f4; 6 end f2; 8 end f4; 9 start f2; 10 end f2;"
             "11 end f3; 12 end f1; 13 end T1");
  expect ("f1", "CET 11 | GET 11 | SELF 2 | NPR 0");
  expect ("f2", "CET 1 4 | GET 1 4 | DT 7 | ST 3 | SELF 1 2 | E2S 3 | NPR 0 0");
  expect ("f3", "CET 7 | GET 7 | SELF 3 | NPR 0");
  expect ("T1", "CET 13 | GET 13 | SELF 2 | NPR 0");
}
END_TEST

/* Random events */

#define N_EVENTS 1500
#define N_RESOURCES 4
#define N_ELEMENTS 8 /* of which the first two are tasks */

typedef struct
{
  GArray  *instances, *intervals;
  gboolean ran_on[N_ELEMENTS][N_RESOURCES];
} Outcome;

static void
take_instance (gpointer data, const TsInstance *instance)
{
  Outcome *outcome = data;

  g_array_append_val (outcome->instances, *instance);
  outcome->ran_on[instance->element][instance->resource % N_RESOURCES] = TRUE;
}

static void
take_resource (gpointer data, guint32 element, guint16 resource)
{
  ((Outcome *) data)->ran_on[element][resource] = TRUE;
}

/* Who is named is not compared: that depends on how many there are. */
static void
take_intervals (gpointer data, const TsInterval *interval, guint n)
{
  const TsInterval one = { interval->element, interval->kind, interval->value, 0, 0 };

  for (guint i = 0; i < n; i++)
    g_array_append_val (((Outcome *) data)->intervals, one);
}

static void
take_interval (gpointer data, const TsInterval *interval)
{
  take_intervals (data, interval, 1);
}

static int
compare_intervals (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (TsInterval));
}

static Outcome
outcome_of (const TsEvent *events, guint n_events, guint most_walked)
{
  static const TsTimelineSink sink = { take_instance, take_interval, take_resource, take_intervals };
  g_autoptr (TsDiagnostics)   diagnostics = ts_diagnostics_new ("random");
  TsTimelineOptions           options = fixture.options;
  Outcome                     outcome = { g_array_new (FALSE, FALSE, sizeof (TsInstance)),
                                          g_array_new (FALSE, FALSE, sizeof (TsInterval)), { { FALSE } } };
  TsSection                   section = { .number = 1, .has_start = TRUE, .overheads = fixture.overheads };
  g_autoptr (TsTimeline)      timeline = NULL;

  options.most_walked = most_walked;
  timeline = ts_timeline_new (fixture.system, diagnostics, &options, &sink, &outcome);
  ts_timeline_begin_section (timeline, &section);
  ts_timeline_events (timeline, events, n_events);
  ts_timeline_end_section (timeline);
  g_array_sort (outcome.intervals, compare_intervals);
  return outcome;
}

static void
clear_outcome (Outcome *outcome)
{
  g_array_unref (outcome->instances);
  g_array_unref (outcome->intervals);
}

START_TEST (frames_are_told_to_have_run_wherever_their_task_did)
{
  /* T0 goes from core 0 to 1 and 2, and its callees are first looked at when the inner one ends */
  static const struct
  {
    TsEventKind kind;
    guint32     element;
    guint16     resource;
  } steps[] = {
    { TS_EVENT_START, 0, 0 },  { TS_EVENT_START, 1, 0 },   { TS_EVENT_START, 1, 0 },  { TS_EVENT_START, 2, 0 },
    { TS_EVENT_PREEMPT, 0, 0 }, { TS_EVENT_RESUME, 0, 1 }, { TS_EVENT_PREEMPT, 0, 1 }, { TS_EVENT_RESUME, 0, 2 },
    { TS_EVENT_END, 2, 2 },    { TS_EVENT_END, 1, 2 },     { TS_EVENT_END, 1, 2 },    { TS_EVENT_END, 0, 2 },
  };
  TsEvent events[G_N_ELEMENTS (steps)];
  Outcome outcome;

  for (guint i = 0; i < 3; i++)
    fixture_element (((const char *[]){ "T0", "f0", "f1" })[i]);
  ts_system_add_resource (fixture.system, "Core 2", NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    events[i] = (TsEvent){ .time = i, .line = i + 1, .kind = steps[i].kind, .element = steps[i].element,
                           .resource = steps[i].resource, .instance = TS_NO_INSTANCE, .owner = TS_NO_ELEMENT };
  outcome = outcome_of (events, G_N_ELEMENTS (steps), 1);
  for (guint i = 0; i < 3; i++)
    for (guint k = 0; k < 3; k++)
      ck_assert_msg (outcome.ran_on[i][k], "element %u on core %u", i, k);
  clear_outcome (&outcome);
}
END_TEST

static gboolean
are_alike (const TsInstance *one, const TsInstance *other)
{
  return one->element == other->element && one->number == other->number && one->status == other->status
         && one->flags == other->flags && one->resource == other->resource && one->owner == other->owner
         && (one->start == other->start || !(one->flags & TS_INSTANCE_HAS_START))
         && (one->end == other->end || !(one->flags & TS_INSTANCE_HAS_END)) && one->running == other->running
         && one->preempted == other->preempted && one->preempted_closed == other->preempted_closed
         && one->waiting == other->waiting && one->self == other->self && one->n_preemptions == other->n_preemptions;
}

/* Two tasks that change their state and their core all the time, and seldom end; in them functions, of which about as many
 * start as end. */
static void
make_events (TsEvent *events, GRand *random, gboolean numbered)
{
  static const TsEventKind of_tasks[] = {
    TS_EVENT_PREEMPT, TS_EVENT_RESUME, TS_EVENT_RESUME, TS_EVENT_WAIT, TS_EVENT_RELEASE, TS_EVENT_RESUME, TS_EVENT_PARK,
    TS_EVENT_UNPARK,  TS_EVENT_POLL,   TS_EVENT_RUN,
  };
  const gint32 often = g_rand_int_range (random, 20, 200), starts = g_rand_int_range (random, 45, 60);
  guint16      core[2] = { 0, 1 };
  gint64       now = 0;

  for (guint i = 0; i < N_EVENTS; i++)
    {
      const gboolean of_task = i < 2 || g_rand_int_range (random, 0, 5) == 0;
      TsEvent       *event = &events[i];

      now += g_rand_int_range (random, 0, 3);
      *event = (TsEvent){ .time = now, .line = i + 1, .instance = TS_NO_INSTANCE, .owner = TS_NO_ELEMENT };
      event->element = (guint32) (i < 2 ? (gint32) i : of_task ? g_rand_int_range (random, 0, 2) : g_rand_int_range (random, 2, N_ELEMENTS));
      if (g_rand_int_range (random, 0, 30) == 0)
        core[event->element % 2] = (guint16) g_rand_int_range (random, 0, N_RESOURCES);
      event->resource = core[event->element % 2];
      if (of_task)
        {
          event->kind = of_tasks[g_rand_int_range (random, 0, G_N_ELEMENTS (of_tasks))];
          if (i < 2 || g_rand_int_range (random, 0, often) == 0)
            event->kind = i < 2 || i % 2 == 0 ? TS_EVENT_START : TS_EVENT_END;
          continue;
        }
      event->kind = g_rand_int_range (random, 0, 100) < starts ? TS_EVENT_START : TS_EVENT_END;
      if (g_rand_int_range (random, 0, often) == 0)
        event->kind = i % 2 == 0 ? TS_EVENT_PREEMPT : TS_EVENT_RESUME;
      else if (g_rand_int_range (random, 0, 1000) == 0)
        event->kind = TS_EVENT_ERROR;
      if (!numbered)
        continue;
      event->instance = g_rand_int_range (random, 0, N_EVENTS / 4);
      event->owner = event->element % 2;
    }
}

START_TEST (frames_that_follow_are_as_if_they_were_looked_at)
{
  static const char *const names[N_ELEMENTS] = { "T0", "T1", "f0", "f1", "f2", "f3", "f4", "f5" };
  g_autofree TsEvent      *events = g_new0 (TsEvent, N_EVENTS);
  GRand                   *random = g_rand_new_with_seed ((guint32) _i);
  Outcome                  all, some;

  for (guint i = 0; i < N_ELEMENTS; i++)
    fixture_element (names[i]);
  for (guint i = 2; i < N_RESOURCES; i++)
    ts_system_add_resource (fixture.system, "Core", NULL, NULL);
  fixture.options.infer_preemption = _i % 7 == 6;
  if (_i % 5 == 4)
    fixture_window (200, 1000);
  if (_i % 8 == 7)
    fixture_overhead (NULL, 1, 1);
  make_events (events, random, _i % 2 == 1);
  all = outcome_of (events, N_EVENTS, G_MAXUINT);
  some = outcome_of (events, N_EVENTS, 1u << _i % 4);
  ck_assert_uint_eq (all.instances->len, some.instances->len);
  for (guint i = 0; i < all.instances->len; i++)
    ck_assert_msg (are_alike (&g_array_index (all.instances, TsInstance, i), &g_array_index (some.instances, TsInstance, i)),
                   "instance %u", i);
  ck_assert_uint_eq (all.intervals->len, some.intervals->len);
  for (guint i = 0; i < all.intervals->len; i++)
    ck_assert_int_eq (compare_intervals (&g_array_index (all.intervals, TsInterval, i),
                                         &g_array_index (some.intervals, TsInterval, i)),
                      0);
  ck_assert_mem_eq (all.ran_on, some.ran_on, sizeof all.ran_on);
  g_rand_free (random);
  clear_outcome (&all);
  clear_outcome (&some);
}
END_TEST

void
add_frame_tests (Suite *suite)
{
  TCase *tests = tcase_create ("frames");

  tcase_add_checked_fixture (tests, fixture_setup_following, fixture_teardown);
  tcase_add_test (tests, frames_are_preempted_with_their_task);
  tcase_add_test (tests, frames_before_the_window_have_no_samples);
  tcase_add_test (tests, of_frames_that_start_at_one_stamp_the_lowest_number_is_named);
  tcase_add_test (tests, frames_without_an_end_wait_and_move_with_their_task);
  tcase_add_test (tests, frames_that_the_end_of_the_trace_cuts_have_what_ended_before);
  tcase_add_test (tests, an_error_elsewhere_leaves_frames_that_have_moved);
  tcase_add_test (tests, frames_are_where_their_task_goes_on);
  tcase_add_test (tests, cores_may_be_added_meanwhile);
  tcase_add_test (tests, frames_that_are_released_and_go_on_at_one_stamp_were_not_preempted);
  tcase_add_test (tests, frames_that_start_while_their_task_waits_follow_when_it_is_released);
  tcase_add_test (tests, frames_that_follow_know_what_ran_in_them_when_they_are_suspended);
  tcase_add_test (tests, frames_that_had_no_task_follow_only_if_they_began_together);
  tcase_add_test (tests, frames_may_end_oldest_first);
  tcase_add_test (tests, a_frame_may_end_while_one_that_it_called_is_suspended);
  tcase_add_test (tests, frames_in_the_middle_may_end_before_those_around_them);
  tcase_add_test (tests, frames_are_told_to_have_run_wherever_their_task_did);
  tcase_add_loop_test (tests, frames_that_follow_are_as_if_they_were_looked_at, 0, 200);
  suite_add_tcase (suite, tests);
}
