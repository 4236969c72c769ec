/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "check-statistics.h"

#include "analyse/measures.h"

/* Instances and intervals on their way to the accumulators: more of them than there is room for. */

#define MUCH 200000
/* So many instances are in a section; each begins at the same time. */
#define SECTION 977

typedef struct
{
  guint n_elements, n_instances;
} Size;

typedef struct
{
  TsAccumulator *cet, *get, *self, *npr, *ipt, *rt, *dt, *e2s, *per, *st, *preempted;
} Plain;

static void
add_plainly (TsAccumulator **accumulator, gint64 value, gint64 at, gint64 number, guint32 section)
{
  if (*accumulator == NULL)
    *accumulator = ts_accumulator_new (FALSE);
  ts_accumulator_add (*accumulator, value, at, number, section);
}

/* All but every 17th have a DT, all but every 13th an E2S, which may be negative. */
static void
add_deltas (TsInstance *instance, Plain *plain, gint64 i)
{
  gint64 running = instance->running;

  if (i % 17 != 0)
    {
      instance->flags |= TS_INSTANCE_HAS_DT;
      instance->dt = running + 7;
      add_plainly (&plain->dt, running + 7, instance->start, instance->number, instance->section);
    }
  if (i % 13 != 0)
    {
      instance->flags |= TS_INSTANCE_HAS_E2S;
      instance->e2s = running - 5;
      add_plainly (&plain->e2s, running - 5, instance->start, instance->number, instance->section);
    }
}

/* Three of four have PER and ST, and some only PER. */
static void
add_activation (TsInstance *instance, Plain *plain, gint64 i)
{
  instance->flags |= TS_INSTANCE_HAS_ACTIVATION;
  add_plainly (&plain->ipt, 3 + i % 4, instance->start, instance->number, instance->section);
  add_plainly (&plain->rt, instance->end - instance->activation, instance->start, instance->number, instance->section);
  if (i % 4 == 0)
    return;
  instance->flags |= TS_INSTANCE_COUNTS_PER;
  instance->per = 2 * instance->running;
  add_plainly (&plain->per, instance->per, instance->activation, instance->number, instance->section);
  if (i % 11 == 0)
    return;
  instance->flags |= TS_INSTANCE_COUNTS_ST;
  instance->st = 3 * instance->running;
  add_plainly (&plain->st, instance->st, instance->activation, instance->number, instance->section);
}

/* Every third one was activated, every fifth has no CET, every seventh was preempted, every ninth calls another, every
 * 19th takes very long; most are of the first element. Values are often equal, in other sections as well. */
static void
add_instance (TsMeasures *measures, Plain *plain, GRand *random, gint64 i)
{
  guint32    element = (guint32) (g_rand_boolean (random) ? 0 : g_rand_int_range (random, 0, (gint32) measures->n_elements));
  const guint32 section = (guint32) (i / SECTION + 1);
  const gint64  time = 10 * (i % SECTION);
  gint64     running = (gint64) g_rand_int_range (random, 1, 1 << (8 + element % 20)) << (i % 19 == 0 ? 6 : 0);
  TsInstance instance = { .element = element,
                          .flags = TS_INSTANCE_IN_WINDOW | TS_INSTANCE_HAS_START | TS_INSTANCE_HAS_END,
                          .number = i + 1,
                          .section = section,
                          .activation = time - 3 - i % 4,
                          .start = time,
                          .end = time + running + i % 2,
                          .running = running,
                          .self = running - (i % 9 == 0),
                          .n_preemptions = i % 7 == 0 };

  if (i % 3 == 0)
    add_activation (&instance, &plain[element], i);
  add_deltas (&instance, &plain[element], i);
  if (i % 5 == 0)
    instance.flags |= TS_INSTANCE_NO_CET;
  else
    {
      add_plainly (&plain[element].cet, running, time, i + 1, section);
      add_plainly (&plain[element].self, running - (i % 9 == 0), time, i + 1, section);
    }
  add_plainly (&plain[element].get, running + i % 2, time, i + 1, section);
  add_plainly (&plain[element].npr, i % 7 == 0, time, i + 1, section);
  ts_metrics_add_instance (measures, &instance);
  if (i % 7 == 0)
    {
      const TsInterval interval = { element, TS_INTERVAL_PRE, running / 2, time, i + 1 };

      add_plainly (&plain[element].preempted, running / 2, time, i + 1, section);
      ts_metrics_add_interval (measures, &interval);
    }
}

/* Of what keeps neither samples nor details. */
static void
assert_summary (const TsAccumulator *samples, const TsAccumulator *plain, gboolean has_place)
{
  ck_assert_uint_eq (samples->n, plain->n);
  ck_assert (samples->sum == plain->sum);
  ck_assert_int_eq (samples->min.value, plain->min.value);
  ck_assert_int_eq (samples->max.value, plain->max.value);
  ck_assert_int_eq (ts_accumulator_is_exact (samples), ts_accumulator_is_exact (plain));
  if (!has_place)
    return;
  ck_assert_int_eq (samples->max.at, plain->max.at);
  ck_assert_int_eq (samples->max.number, plain->max.number);
  ck_assert_uint_eq (samples->max.section, plain->max.section);
}

static void
assert_measured (const TsMeasures *measures, guint element, TsMetricId metric, TsAccumulator *plain)
{
  const TsAccumulator *samples = ts_metrics_samples (measures, element, TS_TYPE_TASK, metric);

  ck_assert_int_eq (samples == NULL, plain == NULL);
  if (plain != NULL && measures->no_samples)
    assert_summary (samples, plain, metric == TS_METRIC_GET || metric == TS_METRIC_RT);
  else if (plain != NULL)
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
  g_autoptr (TsMeasures) measures = ts_measures_new (0, 0);

  /* elements may be new at any time, and sections end */
  measures->no_details = _i >= 4;
  measures->no_samples = _i >= 8;
  ts_measures_grow (measures, (size->n_elements + 1) / 2, 0);
  for (guint i = 0; i < size->n_instances; i++)
    {
      if (i % SECTION == 0)
        ts_metrics_begin_section (measures, i / SECTION + 1);
      if (i == size->n_instances / 3)
        ts_measures_grow (measures, size->n_elements, 0);
      if (i == size->n_instances / 2)
        {
          ts_metrics_gather (measures);
          if (_i % 2 == 0)
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
      assert_measured (measures, i, TS_METRIC_RT, plain[i].rt);
      assert_measured (measures, i, TS_METRIC_DT, plain[i].dt);
      assert_measured (measures, i, TS_METRIC_E2S, plain[i].e2s);
      assert_measured (measures, i, TS_METRIC_PER, plain[i].per);
      assert_measured (measures, i, TS_METRIC_ST, plain[i].st);
      assert_measured (measures, i, TS_METRIC_PRE, plain[i].preempted);
    }
  g_rand_free (random);
}
END_TEST

/* The largest that are small, more of them than fit in one tally, and one that is not, and has a wide one. */
START_TEST (tallies_do_not_overflow)
{
  const gint64 large = (1 << 30) - 1, n = 50000;
  g_autoptr (TsMeasures) measures = ts_measures_new (0, 0);
  TsInstance instance = { .flags = TS_INSTANCE_IN_WINDOW | TS_INSTANCE_HAS_START | TS_INSTANCE_HAS_END };
  const TsAccumulator *get, *preempted;

  ts_metrics_begin_section (measures, 1);
  measures->no_details = measures->no_samples = TRUE;
  ts_measures_grow (measures, 1, 0);
  for (gint64 i = 0; i < n; i++)
    {
      const TsInterval interval = { 0, TS_INTERVAL_PRE, large, 100 + i, i };

      instance.number = i;
      instance.start = 100 + i;
      instance.end = instance.start + large;
      instance.running = large;
      ts_metrics_add_instance (measures, &instance);
      ts_metrics_add_interval (measures, &interval);
      ts_metrics_add_interval (measures, &interval);
    }
  ts_metrics_gather (measures);
  get = ts_metrics_samples (measures, 0, TS_TYPE_TASK, TS_METRIC_GET);
  ck_assert_ptr_eq (get, ts_metrics_samples (measures, 0, TS_TYPE_TASK, TS_METRIC_CET));
  ck_assert_uint_eq (get->n, 50000);
  ck_assert (get->sum == G_GINT64_CONSTANT (53687091150000)); /* 50000 * (2^30 - 1) */
  ck_assert_int_eq (get->min.value, large);
  ck_assert_int_eq (get->max.value, large);
  ck_assert_int_eq (get->max.at, 100);
  preempted = ts_metrics_samples (measures, 0, TS_TYPE_TASK, TS_METRIC_PRE);
  ck_assert_uint_eq (preempted->n, 100000);
  ck_assert (preempted->sum == G_GINT64_CONSTANT (107374182300000));

  instance.end = instance.start + large + 1;
  ts_metrics_add_instance (measures, &instance);
  ts_metrics_gather (measures);
  get = ts_metrics_samples (measures, 0, TS_TYPE_TASK, TS_METRIC_GET);
  ck_assert_uint_eq (get->n, 50001);
  ck_assert_int_eq (get->max.value, 1 << 30);
  ck_assert_int_eq (get->max.at, 50099);
  ck_assert_ptr_ne (get, ts_metrics_samples (measures, 0, TS_TYPE_TASK, TS_METRIC_CET));
}
END_TEST

/* How many took the way of those whose samples are kept. */
static guint
n_kept (const TsMeasures *measures)
{
  return measures->instances.n_places + measures->intervals.n_places;
}

static TsMeasures *
new_with_tallies (guint n_elements)
{
  TsMeasures *measures = ts_measures_new (0, 0);

  ts_metrics_begin_section (measures, 1);
  measures->no_details = measures->no_samples = TRUE;
  ts_measures_grow (measures, n_elements, 0);
  return measures;
}

typedef struct
{
  guint      element;
  TsMetricId metric;
  guint64    n;
  TsInt128   sum;
  gint64     min, max;
} Expected;

static void
assert_sums (TsMeasures *measures, const Expected *expected, guint n_expected)
{
  ts_metrics_gather (measures);
  for (guint i = 0; i < n_expected; i++)
    {
      const TsAccumulator *samples
          = ts_metrics_samples (measures, expected[i].element, TS_TYPE_TASK, expected[i].metric);

      ck_assert_ptr_nonnull (samples);
      ck_assert_uint_eq (samples->n, expected[i].n);
      ck_assert (samples->sum == expected[i].sum);
      ck_assert_int_eq (samples->min.value, expected[i].min);
      ck_assert_int_eq (samples->max.value, expected[i].max);
    }
}

/* Of each kind two or three: the sums and extremes are theirs. */
START_TEST (intervals_of_all_kinds_are_tallied)
{
  static const TsInterval intervals[] = {
    { 0, TS_INTERVAL_AGE, 5, 10, 1 },  { 1, TS_INTERVAL_POLL, 3, 20, 1 }, { 1, TS_INTERVAL_WAIT, 9, 30, 1 },
    { 0, TS_INTERVAL_AGE, 7, 40, 2 },  { 1, TS_INTERVAL_POLL, 1, 50, 2 }, { 1, TS_INTERVAL_DT, 40, 60, 2 },
    { 1, TS_INTERVAL_E2S, -6, 60, 2 }, { 1, TS_INTERVAL_ST, -2, 70, 2 },  { 1, TS_INTERVAL_PER, 44, 70, 2 },
    { 1, TS_INTERVAL_E2S, 4, 80, 3 },  { 1, TS_INTERVAL_ST, -9, 80, 3 },  { 1, TS_INTERVAL_PRE, 0, 90, 3 },
    { 1, TS_INTERVAL_E2S, -1, 90, 4 }, { 1, TS_INTERVAL_DT, 30, 90, 3 },  { 1, TS_INTERVAL_PRE, 8, 95, 3 },
  };
  static const Expected expected[] = {
    { 0, TS_METRIC_AGE, 2, 12, 5, 7 },  { 1, TS_METRIC_POLL, 2, 4, 1, 3 }, { 1, TS_METRIC_WAIT, 1, 9, 9, 9 },
    { 1, TS_METRIC_DT, 2, 70, 30, 40 }, { 1, TS_METRIC_E2S, 3, -3, -6, 4 }, { 1, TS_METRIC_ST, 2, -11, -9, -2 },
    { 1, TS_METRIC_PER, 1, 44, 44, 44 }, { 1, TS_METRIC_PRE, 2, 8, 0, 8 },
  };
  g_autoptr (TsMeasures) measures = new_with_tallies (2);

  for (guint i = 0; i < G_N_ELEMENTS (intervals); i++)
    ts_metrics_add_interval (measures, &intervals[i]);
  ck_assert_uint_eq (n_kept (measures), 0);
  assert_sums (measures, expected, G_N_ELEMENTS (expected));
}
END_TEST

#define DELTAS (TS_INSTANCE_HAS_DT | TS_INSTANCE_HAS_E2S)
#define PERIODS (TS_INSTANCE_COUNTS_PER | TS_INSTANCE_COUNTS_ST)

/* Where instances overlap, some have DT and no E2S, or the other way round; some have PER and no ST. What is not there
 * has a value that is none. They start at 100, 200, ... and end 50 later, were activated 5 before, and ran 30: DT 100
 * and 70, E2S -20 and 50, PER 90 and 80, ST -7 and -3. */
START_TEST (halves_of_pairs_are_tallied)
{
  static const struct
  {
    guint  flags;
    gint64 dt, e2s, per, st;
  } instances[] = {
    { TS_INSTANCE_HAS_DT | TS_INSTANCE_COUNTS_PER, 100, G_MININT64, 90, G_MININT64 },
    { TS_INSTANCE_HAS_E2S | TS_INSTANCE_COUNTS_ST, G_MAXINT64, -20, G_MAXINT64, -7 },
    { DELTAS | PERIODS, 70, 50, 80, -3 },
    { 0, -1, -1, -1, -1 },
  };
  static const Expected expected[] = {
    { 0, TS_METRIC_DT, 2, 170, 70, 100 }, { 0, TS_METRIC_E2S, 2, 30, -20, 50 }, { 0, TS_METRIC_PER, 2, 170, 80, 90 },
    { 0, TS_METRIC_ST, 2, -10, -7, -3 },  { 0, TS_METRIC_CET, 4, 120, 30, 30 }, { 0, TS_METRIC_GET, 4, 200, 50, 50 },
    { 0, TS_METRIC_IPT, 4, 20, 5, 5 },    { 0, TS_METRIC_RT, 4, 220, 55, 55 },
  };
  g_autoptr (TsMeasures) measures = new_with_tallies (1);

  for (guint i = 0; i < G_N_ELEMENTS (instances); i++)
    {
      const gint64     start = 100 * ((gint64) i + 1);
      const TsInstance instance
          = { .flags = (guint16) (TS_INSTANCE_IN_WINDOW | TS_INSTANCE_HAS_ACTIVATION | TS_INSTANCE_HAS_START
                                  | TS_INSTANCE_HAS_END | instances[i].flags),
              .number = i,
              .start = start,
              .end = start + 50,
              .activation = start - 5,
              .running = 30,
              .dt = instances[i].dt,
              .e2s = instances[i].e2s,
              .per = instances[i].per,
              .st = instances[i].st };

      ts_metrics_add_instance (measures, &instance);
    }
  ck_assert_uint_eq (n_kept (measures), 0);
  assert_sums (measures, expected, G_N_ELEMENTS (expected));
}
END_TEST

/* Small is what lies from 2^25 - 2^30 to 2^30 - 1; what lies one beyond that, and from -2^48 to 2^48 - 1, has a wide
 * tally; and what lies beyond that is kept. Whatever way they go, all of them are told. */
START_TEST (tallies_end_where_numbers_are_large)
{
  const gint64 lowest = (1 << 25) - (1 << 30), highest = (1 << 30) - 1, wide = G_GINT64_CONSTANT (1) << 48;
  const struct
  {
    TsIntervalKind kind;
    gint64         value;
    gboolean       is_kept;
  } intervals[] = {
    { TS_INTERVAL_E2S, lowest, FALSE },    { TS_INTERVAL_E2S, highest, FALSE },
    { TS_INTERVAL_ST, lowest, FALSE },     { TS_INTERVAL_PRE, highest, FALSE },
    { TS_INTERVAL_ST, lowest - 1, FALSE }, { TS_INTERVAL_PRE, highest + 1, FALSE },
    { TS_INTERVAL_AGE, -wide, FALSE },     { TS_INTERVAL_AGE, -wide - 1, TRUE },
    { TS_INTERVAL_POLL, wide - 1, FALSE }, { TS_INTERVAL_POLL, wide, TRUE },
    { TS_INTERVAL_WAIT, 0, FALSE },        { TS_INTERVAL_WAIT, G_MAXINT64, TRUE },
    { TS_INTERVAL_DT, G_MININT64, TRUE },
  };
  const Expected expected[] = {
    { 0, TS_METRIC_E2S, 2, lowest + highest, lowest, highest },
    { 0, TS_METRIC_ST, 2, 2 * lowest - 1, lowest - 1, lowest },
    { 0, TS_METRIC_PRE, 2, 2 * highest + 1, highest, highest + 1 },
    { 0, TS_METRIC_AGE, 2, -2 * wide - 1, -wide - 1, -wide },
    { 0, TS_METRIC_POLL, 2, 2 * wide - 1, wide - 1, wide },
    { 0, TS_METRIC_WAIT, 2, G_MAXINT64, 0, G_MAXINT64 },
    { 0, TS_METRIC_DT, 1, G_MININT64, G_MININT64, G_MININT64 },
  };
  g_autoptr (TsMeasures) measures = new_with_tallies (1);

  for (guint i = 0; i < G_N_ELEMENTS (intervals); i++)
    {
      const TsInterval interval = { 0, intervals[i].kind, intervals[i].value, 10, 1 };
      const guint      n_before = n_kept (measures);

      ts_metrics_add_interval (measures, &interval);
      ck_assert_uint_eq (n_kept (measures) - n_before, intervals[i].is_kept);
      ck_assert_int_eq (measures->tallies.wide != NULL, i >= 4);
    }
  assert_sums (measures, expected, G_N_ELEMENTS (expected));
}
END_TEST

/* One value is not small, all others are: they go together, and are all told, with where the greatest GET and RT are.
 * Those at 100 and 300 are small; those at 200 and 400 have a DT of 2^30, and that at 400 is the greatest. */
START_TEST (wide_tallies_have_whole_instances)
{
  static const struct
  {
    gint64 dt, gross;
  } instances[] = { { 5, 40 }, { 1 << 30, 60 }, { 7, 50 }, { 1 << 30, 61 } };
  static const Expected expected[] = {
    { 1, TS_METRIC_DT, 4, (G_GINT64_CONSTANT (1) << 31) + 12, 5, 1 << 30 },
    { 1, TS_METRIC_E2S, 4, -4, -1, -1 },
    { 1, TS_METRIC_CET, 4, 120, 30, 30 },
    { 1, TS_METRIC_GET, 4, 211, 40, 61 },
    { 1, TS_METRIC_IPT, 4, 8, 2, 2 },
    { 1, TS_METRIC_RT, 4, 219, 42, 63 },
    { 1, TS_METRIC_PER, 4, 36, 9, 9 },
    { 999, TS_METRIC_PRE, 1, 1 << 30, 1 << 30, 1 << 30 },
  };
  const TsInterval interval = { 999, TS_INTERVAL_PRE, 1 << 30, 500, 5 };
  g_autoptr (TsMeasures) measures = new_with_tallies (1);
  const TsAccumulator *samples;

  for (guint i = 0; i < G_N_ELEMENTS (instances); i++)
    {
      const gint64     start = 100 * ((gint64) i + 1);
      const TsInstance instance
          = { .element = 1,
              .flags = TS_INSTANCE_IN_WINDOW | TS_INSTANCE_HAS_ACTIVATION | TS_INSTANCE_HAS_START | TS_INSTANCE_HAS_END
                       | DELTAS | TS_INSTANCE_COUNTS_PER,
              .number = i + 1,
              .start = start,
              .end = start + instances[i].gross,
              .activation = start - 2,
              .running = 30,
              .dt = instances[i].dt,
              .e2s = -1,
              .per = 9,
              .st = G_MAXINT64 };

      ts_measures_grow (measures, 2, 0);
      ts_metrics_add_instance (measures, &instance);
    }
  /* more elements than have wide tallies */
  ts_measures_grow (measures, 1000, 0);
  ts_metrics_add_interval (measures, &interval);
  ck_assert_uint_eq (n_kept (measures), 0);
  assert_sums (measures, expected, G_N_ELEMENTS (expected));
  ck_assert_ptr_null (ts_metrics_samples (measures, 1, TS_TYPE_TASK, TS_METRIC_ST));
  samples = ts_metrics_samples (measures, 1, TS_TYPE_TASK, TS_METRIC_GET);
  ck_assert_int_eq (samples->max.at, 400);
  ck_assert_int_eq (samples->max.number, 4);
  samples = ts_metrics_samples (measures, 1, TS_TYPE_TASK, TS_METRIC_RT);
  ck_assert_int_eq (samples->max.at, 400);
  ck_assert_uint_eq (samples->max.section, 1);
}
END_TEST

/* Instances and intervals add to the same E2S, each as many as may come without the other: in a row, 3 times 32,800 of
 * both, with all of them as low, or as high, as what is small can be, and as what is not. */
START_TEST (shared_tallies_do_not_overflow)
{
  static const gint64 values[]
      = { (1 << 25) - (1 << 30), (1 << 30) - 1, -(G_GINT64_CONSTANT (1) << 48), (G_GINT64_CONSTANT (1) << 48) - 1 };
  const gint64   n = 32800, e2s = values[_i];
  const Expected expected[] = { { 0, TS_METRIC_E2S, 6 * (guint64) n, (TsInt128) 6 * n * e2s, e2s, e2s },
                                { 0, TS_METRIC_GET, 3 * (guint64) n, 3 * n * 7, 7, 7 } };
  const TsInterval interval = { 0, TS_INTERVAL_E2S, e2s, 100, 1 };
  const TsInstance instance = { .flags = TS_INSTANCE_IN_WINDOW | TS_INSTANCE_HAS_START | TS_INSTANCE_HAS_END
                                         | TS_INSTANCE_HAS_E2S,
                                .start = 100,
                                .end = 107,
                                .running = 7,
                                .e2s = e2s };
  g_autoptr (TsMeasures) measures = new_with_tallies (1);

  for (guint round = 0; round < 3; round++)
    {
      for (gint64 i = 0; i < n; i++)
        ts_metrics_add_interval (measures, &interval);
      for (gint64 i = 0; i < n; i++)
        ts_metrics_add_instance (measures, &instance);
    }
  ck_assert_uint_eq (n_kept (measures), 0);
  assert_sums (measures, expected, G_N_ELEMENTS (expected));
}
END_TEST

/* Nothing is told that was not measured. GET 40 and 50 (the worst at 200, number 2), CET 40 and 45
 * are tallied; then come 2^49 without a tally, at 300, which is the largest of both, and 40 at 400, as small as a
 * tallied one before. */
START_TEST (tallies_leave_out_what_they_do_not_know)
{
  static const struct
  {
    gint64 gross, running;
  } instances[] = { { 40, 40 }, { 50, 45 }, { G_GINT64_CONSTANT (1) << 49, G_GINT64_CONSTANT (1) << 49 }, { 40, 40 } };
  g_autoptr (TsMeasures) measures = ts_measures_new (0, 0);
  TsInstance instance = { .flags = TS_INSTANCE_IN_WINDOW | TS_INSTANCE_HAS_START | TS_INSTANCE_HAS_END };
  const TsAccumulator *get, *cet;

  ts_metrics_begin_section (measures, 1);
  measures->no_details = measures->no_samples = TRUE;
  ts_measures_grow (measures, 1, 0);
  for (guint i = 0; i < G_N_ELEMENTS (instances); i++)
    {
      if (i == 2)
        {
          ts_metrics_gather (measures);
          get = ts_metrics_samples (measures, 0, TS_TYPE_TASK, TS_METRIC_GET);
          cet = ts_metrics_samples (measures, 0, TS_TYPE_TASK, TS_METRIC_CET);
          ck_assert_int_eq (get->max.at, 200);
          ck_assert_int_eq (get->max.number, 2);
          ck_assert_uint_eq (get->max.section, 1);
          ck_assert_uint_eq (cet->max.section, 0);
          ck_assert_uint_eq (cet->min.section, 0);
        }
      instance.number = i + 1;
      instance.start = 100 * ((gint64) i + 1);
      instance.end = instance.start + instances[i].gross;
      instance.running = instances[i].running;
      ts_metrics_add_instance (measures, &instance);
    }
  ts_metrics_gather (measures);
  get = ts_metrics_samples (measures, 0, TS_TYPE_TASK, TS_METRIC_GET);
  cet = ts_metrics_samples (measures, 0, TS_TYPE_TASK, TS_METRIC_CET);
  ck_assert_uint_eq (cet->n, 4);
  ck_assert_int_eq (cet->max.at, 300); /* that it was there is known */
  ck_assert_uint_eq (cet->max.section, 1);
  ck_assert_int_eq (get->max.at, 300);
  ck_assert_int_eq (cet->min.value, 40);
  ck_assert_uint_eq (cet->min.section, 0);
  ck_assert (isnan (ts_accumulator_stddev (cet)));
  ck_assert (isnan (ts_accumulator_stddev (get)));
}
END_TEST

/* Of equal ones the first in time is the worst, and then that with the lowest number, in whatever order they end. */
START_TEST (worst_of_equal_ones_is_first)
{
  static const struct
  {
    gint64 start, number;
  } instances[] = { { 200, 5 }, { 100, 7 }, { 100, 6 }, { 100, 8 }, { 300, 1 } };
  g_autoptr (TsMeasures) measures = ts_measures_new (0, 0);
  TsInstance instance
      = { .flags = TS_INSTANCE_IN_WINDOW | TS_INSTANCE_HAS_ACTIVATION | TS_INSTANCE_HAS_START | TS_INSTANCE_HAS_END };

  ts_metrics_begin_section (measures, 1);
  measures->no_details = measures->no_samples = TRUE;
  ts_measures_grow (measures, 1, 0);
  for (guint i = 0; i < G_N_ELEMENTS (instances); i++)
    {
      instance.number = instances[i].number;
      instance.start = instances[i].start;
      instance.activation = instance.start - 3;
      instance.end = instance.start + 40;
      instance.running = 10;
      ts_metrics_add_instance (measures, &instance);
    }
  ts_metrics_gather (measures);
  for (TsMetricId metric = TS_METRIC_GET; metric <= TS_METRIC_RT; metric++)
    {
      const TsAccumulator *samples = ts_metrics_samples (measures, 0, TS_TYPE_TASK, metric);

      ck_assert_int_eq (samples->max.value, metric == TS_METRIC_GET ? 40 : 43);
      ck_assert_int_eq (samples->max.at, 100);
      ck_assert_int_eq (samples->max.number, 6);
    }
}
END_TEST

TCase *
create_recent_tests (void)
{
  TCase *tests = tcase_create ("recent");

  tcase_set_timeout (tests, 120);
  tcase_add_loop_test (tests, each_element_gets_its_samples, 0, 12);
  tcase_add_test (tests, tallies_do_not_overflow);
  tcase_add_test (tests, intervals_of_all_kinds_are_tallied);
  tcase_add_test (tests, halves_of_pairs_are_tallied);
  tcase_add_test (tests, tallies_end_where_numbers_are_large);
  tcase_add_test (tests, wide_tallies_have_whole_instances);
  tcase_add_loop_test (tests, shared_tallies_do_not_overflow, 0, 4);
  tcase_add_test (tests, tallies_leave_out_what_they_do_not_know);
  tcase_add_test (tests, worst_of_equal_ones_is_first);
  return tests;
}
