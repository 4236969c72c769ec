/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "check-statistics.h"

#include "analyse/measures.h"

/* Instances and intervals on their way to the accumulators: more of them than there is room for. */

#define MUCH 200000

typedef struct
{
  guint n_elements, n_instances;
} Size;

typedef struct
{
  TsAccumulator *cet, *get, *self, *npr, *ipt, *preempted;
} Plain;

static void
add_plainly (TsAccumulator **accumulator, gint64 value, gint64 at, gint64 number)
{
  if (*accumulator == NULL)
    *accumulator = ts_accumulator_new (FALSE);
  ts_accumulator_add (*accumulator, value, at, number, 1);
}

/* Every third one was activated, every fifth has no CET, every seventh was preempted, every ninth calls another; most are
 * of the first element. */
static void
add_instance (TsMeasures *measures, Plain *plain, GRand *random, gint64 i)
{
  guint32    element = (guint32) (g_rand_boolean (random) ? 0 : g_rand_int_range (random, 0, (gint32) measures->n_elements));
  gint64     running = g_rand_int_range (random, 1, 1 << (8 + element % 20));
  TsInstance instance = { .element = element,
                          .flags = TS_INSTANCE_IN_WINDOW | TS_INSTANCE_HAS_START | TS_INSTANCE_HAS_END,
                          .number = i + 1,
                          .activation = 10 * i - 3 - i % 4,
                          .start = 10 * i,
                          .end = 10 * i + running + i % 2,
                          .running = running,
                          .self = running - (i % 9 == 0),
                          .n_preemptions = i % 7 == 0 };

  if (i % 3 == 0)
    {
      instance.flags |= TS_INSTANCE_HAS_ACTIVATION;
      add_plainly (&plain[element].ipt, 3 + i % 4, 10 * i, i + 1);
    }
  if (i % 5 == 0)
    instance.flags |= TS_INSTANCE_NO_CET;
  else
    {
      add_plainly (&plain[element].cet, running, 10 * i, i + 1);
      add_plainly (&plain[element].self, running - (i % 9 == 0), 10 * i, i + 1);
    }
  add_plainly (&plain[element].get, running + i % 2, 10 * i, i + 1);
  add_plainly (&plain[element].npr, i % 7 == 0, 10 * i, i + 1);
  ts_metrics_add_instance (measures, &instance);
  if (i % 7 == 0)
    {
      const TsInterval interval = { element, TS_INTERVAL_PRE, running / 2, 10 * i, i + 1 };

      add_plainly (&plain[element].preempted, running / 2, 10 * i, i + 1);
      ts_metrics_add_interval (measures, &interval);
    }
}

static void
assert_measured (const TsMeasures *measures, guint element, TsMetricId metric, TsAccumulator *plain)
{
  const TsAccumulator *samples = ts_metrics_samples (measures, element, TS_TYPE_TASK, metric);

  ck_assert_int_eq (samples == NULL, plain == NULL);
  if (plain != NULL)
    assert_equal (samples, plain);
  ts_accumulator_free (plain);
}

/* Nobody asks for these. */
static void
forget (TsAccumulator **plain)
{
  g_clear_pointer (plain, ts_accumulator_free);
}

START_TEST (each_element_gets_its_samples)
{
  static const Size sizes[] = { { 1, 20000 }, { 3, 20000 }, { 2500, MUCH }, { 40000, MUCH } };
  const Size       *size = &sizes[_i % 4];
  GRand            *random = g_rand_new_with_seed ((guint32) _i + 1);
  g_autofree Plain *plain = g_new0 (Plain, size->n_elements);
  g_autoptr (TsMeasures) measures = ts_measures_new (0, FALSE);

  /* elements may be new at any time, and sections end */
  measures->current_section = 1;
  measures->no_details = _i >= 4;
  ts_measures_grow (measures, (size->n_elements + 1) / 2, 0);
  for (guint i = 0; i < size->n_instances; i++)
    {
      if (i == size->n_instances / 3)
        ts_measures_grow (measures, size->n_elements, 0);
      if (i == size->n_instances / 2)
        {
          ts_metrics_gather (measures);
          ts_metrics_drop_room (measures);
        }
      add_instance (measures, plain, random, i);
    }
  ts_metrics_gather (measures);
  ts_metrics_gather (measures); /* nothing is counted twice */
  for (guint i = 0; i < size->n_elements; i++)
    {
      if (measures->no_details)
        {
          forget (&plain[i].self);
          forget (&plain[i].npr);
        }
      assert_measured (measures, i, TS_METRIC_CET, plain[i].cet);
      assert_measured (measures, i, TS_METRIC_SELF, plain[i].self);
      assert_measured (measures, i, TS_METRIC_NPR, plain[i].npr);
      assert_measured (measures, i, TS_METRIC_GET, plain[i].get);
      assert_measured (measures, i, TS_METRIC_IPT, plain[i].ipt);
      assert_measured (measures, i, TS_METRIC_PRE, plain[i].preempted);
    }
  g_rand_free (random);
}
END_TEST

TCase *
create_recent_tests (void)
{
  TCase *tests = tcase_create ("recent");

  tcase_set_timeout (tests, 120);
  tcase_add_loop_test (tests, each_element_gets_its_samples, 0, 8);
  return tests;
}
