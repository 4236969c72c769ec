/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "timeline-fixture.h"

/* What must hold in every trace, over random ones: sensible schedules, and nonsense. */

#define N_TASKS 4

typedef struct
{
  GRand  *random;
  GArray *events; /* of TsEvent */
  gint64  now;
  gint64  own[N_TASKS + 1]; /* running time that each element should have got */
  gint64  busy;
} Schedule;

static void
add_event (Schedule *schedule, TsEventKind kind, guint32 element)
{
  TsEvent event = { .time = schedule->now, .line = schedule->events->len + 1, .kind = kind, .element = element,
                    .instance = TS_NO_INSTANCE, .owner = TS_NO_ELEMENT };

  g_array_append_val (schedule->events, event);
}

static void
spend (Schedule *schedule, guint task, gboolean in_runnable)
{
  gint64 length = g_rand_int_range (schedule->random, 0, 4);

  schedule->now += length;
  schedule->busy += length;
  schedule->own[task] += length;
  if (in_runnable)
    schedule->own[N_TASKS] += length;
}

/* One instance of task number @task: it runs, calls the runnable now and then, and is interrupted by
 * tasks of higher numbers. The element ids are those of the tasks, then the runnable. */
static void
run_task (Schedule *schedule, guint task, gboolean is_explicit)
{
  guint depth = 0;

  add_event (schedule, TS_EVENT_ACTIVATION, task);
  add_event (schedule, TS_EVENT_START, task);
  for (guint n = (guint) g_rand_int_range (schedule->random, 0, 5); n > 0; n--)
    {
      spend (schedule, task, depth > 0);
      switch (g_rand_int_range (schedule->random, 0, 3))
        {
        case 0:
          if (task + 1 == N_TASKS)
            break;
          if (is_explicit)
            add_event (schedule, TS_EVENT_PREEMPT, task);
          run_task (schedule, (guint) g_rand_int_range (schedule->random, (gint32) task + 1, N_TASKS), is_explicit);
          if (is_explicit)
            add_event (schedule, TS_EVENT_RESUME, task);
          break;
        case 1:
          add_event (schedule, TS_EVENT_START, N_TASKS);
          depth++;
          break;
        default:
          if (depth > 0)
            {
              add_event (schedule, TS_EVENT_END, N_TASKS);
              depth--;
            }
          break;
        }
    }
  for (; depth > 0; depth--)
    add_event (schedule, TS_EVENT_END, N_TASKS);
  spend (schedule, task, FALSE);
  add_event (schedule, TS_EVENT_END, task);
}

static gint64
sum_of (guint32 element, gint64 (*value) (const TsInstance *))
{
  gint64 sum = 0;

  for (guint i = 0; i < fixture.instances->len; i++)
    {
      const TsInstance *instance = &g_array_index (fixture.instances, TsInstance, i);

      if (instance->element == element)
        sum += value (instance);
    }
  return sum;
}

static gint64
running_of (const TsInstance *instance)
{
  ck_assert_int_eq (instance->status, TS_STATUS_COMPLETE);
  return instance->running;
}

static gint64
self_of (const TsInstance *instance)
{
  ck_assert_int_ge (instance->self, 0);
  ck_assert_int_le (instance->self, instance->running);
  return instance->self;
}

/* DT (i + 1) = GET (i) + E2S (i), and PER by the activations, of instances in order of their numbers. */
static void
check_chain (guint32 element, gint64 n)
{
  const char       *name = ts_system_get_element (fixture.system, element)->name;
  const TsInstance *before = NULL;

  for (gint64 i = 1; i <= n; i++)
    {
      const TsInstance *instance = fixture_instance (name, i);

      ck_assert_int_eq (instance->end - instance->activation,
                        (instance->start - instance->activation) + (instance->end - instance->start));
      if (before != NULL)
        {
          ck_assert (instance->flags & TS_INSTANCE_HAS_DT);
          ck_assert_int_eq (instance->dt, before->end - before->start + instance->e2s);
          ck_assert_int_eq (instance->per, instance->activation - before->activation);
          ck_assert_int_eq (instance->st, instance->activation - before->end);
        }
      before = instance;
    }
}

START_TEST (sensible_schedules_add_up)
{
  static const char *const names[] = { "T0", "T1", "T2", "T3", "f0" };
  Schedule schedule = { g_rand_new_with_seed ((guint32) _i), g_array_new (FALSE, FALSE, sizeof (TsEvent)), 0, { 0 }, 0 };
  gboolean is_explicit = _i % 2 == 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    ck_assert_uint_eq (fixture_element (names[i]), i);
  if (!is_explicit)
    fixture_infer ();
  for (guint i = 0; i < 20; i++)
    {
      run_task (&schedule, (guint) g_rand_int_range (schedule.random, 0, N_TASKS), is_explicit);
      schedule.now += g_rand_int_range (schedule.random, 0, 3);
    }
  run_events ((const TsEvent *) (gpointer) schedule.events->data, schedule.events->len);

  for (guint32 i = 0; i <= N_TASKS; i++)
    {
      TsElementCounts counts = ts_timeline_counts (fixture.timeline, i);

      ck_assert_uint_eq (counts.complete, counts.starts);
      if (i == N_TASKS)
        continue; /* the running time of a function that recurses counts once for each level */
      ck_assert_int_eq (sum_of (i, running_of), schedule.own[i]);
      check_chain (i, (gint64) counts.complete);
    }
  /* tasks and functions share the time of the core */
  ck_assert_int_eq (sum_of (N_TASKS, self_of), schedule.own[N_TASKS]);
  ck_assert_int_eq (sum_of (0, self_of) + sum_of (1, self_of) + sum_of (2, self_of) + sum_of (3, self_of)
                        + sum_of (N_TASKS, self_of),
                    schedule.busy);
  ck_assert_int_eq ((gint64) ts_timeline_busy (fixture.timeline, 0), schedule.busy);
  ck_assert_int_le (schedule.busy, (gint64) ts_timeline_window (fixture.timeline));
  ck_assert (!ts_diagnostics_are_refused (fixture.diagnostics, NULL));
  g_rand_free (schedule.random);
  g_array_unref (schedule.events);
}
END_TEST

/* Any event at any time: nothing fails, and what is called complete adds up. */
START_TEST (nonsense_is_survived)
{
  static const char *const names[] = { "T0", "T1", "I0", "I1", "r0", "f0", "f1", "s0" };
  g_autofree TsEvent *events = g_new0 (TsEvent, 2000);
  GRand  *random = g_rand_new_with_seed ((guint32) _i);
  gint64  now = 0;
  guint64 n_published = 0, n_counted = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    fixture_element (names[i]);
  fixture.options.infer_preemption = _i % 2 == 1;
  if (_i % 8 == 7)
    fixture_overhead (NULL, 1, 1);
  for (guint i = 0; i < 2000; i++)
    {
      TsEventKind kind = (TsEventKind) g_rand_int_range (random, 0, TS_N_EVENT_KINDS);

      if (kind == TS_EVENT_ERROR && g_rand_int_range (random, 0, 20) > 0)
        kind = TS_EVENT_START;
      now += g_rand_int_range (random, 0, 3);
      events[i] = (TsEvent){ .time = now, .line = i + 1, .kind = kind,
                             .element = (guint32) g_rand_int_range (random, 0, G_N_ELEMENTS (names)),
                             .instance = _i % 4 < 2 ? TS_NO_INSTANCE : g_rand_int_range (random, 0, 6),
                             .owner = _i % 16 < 8 ? TS_NO_ELEMENT : (guint32) g_rand_int_range (random, 0, 4),
                             .resource = (guint16) g_rand_int_range (random, 0, 2) };
    }
  run_events (events, 2000);

  for (guint32 i = 0; i < G_N_ELEMENTS (names); i++)
    {
      TsElementCounts counts = ts_timeline_counts (fixture.timeline, i);

      ck_assert_uint_le (counts.complete, counts.starts + counts.activations);
      n_counted += counts.complete + counts.partial_head + counts.partial_tail + counts.missing_end;
    }
  n_published = fixture.instances->len;
  ck_assert_uint_eq (n_published, n_counted);
  for (guint i = 0; i < fixture.intervals->len; i++)
    {
      const TsInterval *interval = &g_array_index (fixture.intervals, TsInterval, i);

      if (interval->kind != TS_INTERVAL_ST && interval->kind != TS_INTERVAL_E2S)
        ck_assert_int_ge (interval->value, 0);
    }
  g_rand_free (random);
}
END_TEST

void
add_random_tests (Suite *suite)
{
  TCase *tests = tcase_create ("random");

  tcase_add_checked_fixture (tests, fixture_setup, fixture_teardown);
  tcase_set_timeout (tests, 60);
  tcase_add_loop_test (tests, sensible_schedules_add_up, 0, 200);
  tcase_add_loop_test (tests, nonsense_is_survived, 0, 200);
  suite_add_tcase (suite, tests);
}
