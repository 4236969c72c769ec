/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "check-statistics.h"

#include "analyse/accumulator.h"
#include "analyse/measures.h"
#include "analyse/trace.h"

/* What is kept of samples: near ones are counted by value, and where nobody asks for them none is. */

#define LEAST (-500)

/* LEAST, and @n - 1 others @step apart, in an order that is not theirs: 7919 is a prime, and no factor of any n. The first
 * is in the middle, since of the others the differences to it are kept. */
static TsAccumulator *
spread (TsArena *arena, guint n, guint step)
{
  TsAccumulator *accumulator = ts_accumulator_new_in (arena, TRUE, FALSE);

  for (guint64 i = 0; i < n; i++)
    ts_accumulator_add (accumulator, LEAST + (gint64) ((i * 7919 + n / 2) % n * step), (gint64) i, (gint64) i, 1);
  return accumulator;
}

/* At the limits of what is counted by value at once, by high bits first, or not at all. */
START_TEST (a_rank_is_the_value_there)
{
  static const guint sizes[][2] = { { 1024, 1 }, { 1025, 1 },  { 128, 2 },   { 129, 2 },   { 21845, 3 },
                                    { 21847, 3 }, { 65535, 1 }, { 65536, 1 }, { 65537, 1 }, { 8, 9362 },
                                    { 8, 9363 },  { 3, 1u << 31 } };
  guint   n = sizes[_i % 12][0], step = sizes[_i % 12][1], n_ranks = _i < 12 ? 16 : 17;
  TsArena arena = { 0 };
  guint64 ranks[17];
  gint64  values[17];
  g_autoptr (TsAccumulator) accumulator = spread (_i % 2 == 0 ? &arena : NULL, n, step);

  for (guint i = 0; i < n_ranks; i++)
    ranks[i] = 1 + (guint64) (n - 1) * i / (n_ranks - 1);
  ts_accumulator_ranked (accumulator, ranks, n_ranks, values);
  for (guint i = 0; i < n_ranks; i++)
    ck_assert_int_eq (values[i], LEAST + ((gint64) ranks[i] - 1) * step);
  ts_accumulator_free (g_steal_pointer (&accumulator));
  ts_arena_clear (&arena);
}
END_TEST

/* 70,000 samples that are 0 to 9, each 7,000 times: rank 7,000 k is the last one that is k - 1. */
START_TEST (few_values_of_many_samples_have_their_ranks)
{
  g_autoptr (TsAccumulator) accumulator = ts_accumulator_new (TRUE);
  guint64 ranks[20];
  gint64  values[20];

  for (guint i = 0; i < 70000; i++)
    ts_accumulator_add (accumulator, i * 7 % 10, i, i, 1);
  for (guint i = 0; i < 20; i++)
    ranks[i] = 7000 * (i / 2) + (i % 2 == 0 ? 1 : 7000);
  ts_accumulator_ranked (accumulator, ranks, 20, values);
  for (guint i = 0; i < 20; i++)
    ck_assert_int_eq (values[i], i / 2);
}
END_TEST

START_TEST (what_is_given_back_is_taken_again)
{
  TsArena  arena = { 0 };
  gpointer small = ts_arena_take_class (&arena, 0), large = ts_arena_take_class (&arena, 3);

  for (guint i = 0; i < 100000; i++)
    {
      guint64 *piece = ts_arena_take (&arena, 65);

      /* in whole lines, zeroed, and never what another one has */
      ck_assert_uint_eq ((guintptr) piece % TS_ARENA_LINE, 0);
      for (guint k = 0; k < 16; k++)
        ck_assert_uint_eq (piece[k], 0);
      memset (piece, 0xff, 128);
    }
  ts_arena_give_back (&arena, small, 0);
  ts_arena_give_back (&arena, large, 3);
  ck_assert_ptr_eq (ts_arena_take_class (&arena, 0), small);
  ck_assert_ptr_ne (ts_arena_take_class (&arena, 0), large);
  ck_assert_ptr_eq (ts_arena_take_class (&arena, 3), large);
  memset (ts_arena_take (&arena, 10 << 20), 1, 10 << 20);
  ts_arena_clear (&arena);
}
END_TEST

/* 0, 1, ... */
static TsAccumulator *
count_up (guint n, gboolean keep_all, gboolean no_samples)
{
  TsAccumulator *accumulator = ts_accumulator_new_in (NULL, keep_all, no_samples);

  for (guint i = 0; i < n; i++)
    ts_accumulator_add (accumulator, i, i, i, 1);
  return accumulator;
}

/* Of 2,048 samples percentiles would be exact, of one more they would come from a histogram. */
START_TEST (samples_that_are_not_kept_count)
{
  guint n = 2048 + (guint) _i % 2;
  gboolean keep_all = _i / 2 == 1;
  g_autoptr (TsAccumulator) accumulator = count_up (n, keep_all, TRUE);
  g_autoptr (TsAccumulator) copy = ts_accumulator_copy (NULL, accumulator);
  g_autoptr (GArray) buckets = ts_accumulator_buckets (accumulator);

  ck_assert_uint_eq (buckets->len, 0);
  ck_assert_uint_eq (copy->n, n);
  ck_assert_int_eq (copy->min.value, 0);
  ck_assert_int_eq (copy->max.value, n - 1);
  ck_assert (copy->sum == (TsInt128) n * (n - 1) / 2);
  ck_assert_int_eq (ts_accumulator_is_exact (copy), keep_all || n == 2048);
  ck_assert (ts_accumulator_rescale (copy, 10, 10, 0));
  ck_assert_int_eq (copy->max.value, 10 * (n - 1));
  ck_assert_int_eq (ts_accumulator_is_exact (copy), keep_all || n == 2048);
}
END_TEST

/* Of two parts, one or both without samples: 2 * 1,024 are exact, 2 * 1,025 are not, and what is not stays so. */
START_TEST (what_is_not_kept_is_merged_without_samples)
{
  static const guint sizes[][2] = { { 1024, 1024 }, { 1025, 1024 }, { 3000, 10 }, { 10, 3000 }, { 3000, 3000 } };
  guint    n = sizes[_i % 5][0], n_others = sizes[_i % 5][1];
  gboolean first_keeps = _i / 5 == 1, second_keeps = _i / 5 == 2;
  g_autoptr (TsAccumulator) accumulator = count_up (n, FALSE, !first_keeps);
  g_autoptr (TsAccumulator) other = count_up (n_others, FALSE, !second_keeps);
  g_autoptr (GArray) buckets = NULL;

  ts_accumulator_merge (accumulator, other);
  ck_assert_uint_eq (accumulator->n, n + n_others);
  ck_assert_int_eq (accumulator->max.value, MAX (n, n_others) - 1);
  ck_assert_int_eq (ts_accumulator_is_exact (accumulator), _i % 5 == 0);
  ts_accumulator_add (accumulator, 7, 7, 7, 1);
  buckets = ts_accumulator_buckets (accumulator);
  ck_assert_uint_eq (buckets->len, 0);
}
END_TEST

static void
add_instances (TsMeasures *measures, gint64 n)
{
  ts_measures_grow (measures, 1, 0);
  ts_metrics_begin_section (measures, 1);
  for (gint64 i = 1; i <= n; i++)
    {
      const TsInstance instance = { .number = i, .section = 1, .start = 10000 * i, .end = 10000 * i + i, .running = i, .self = i,
                                    .flags = TS_INSTANCE_HAS_START | TS_INSTANCE_HAS_END | TS_INSTANCE_IN_WINDOW };

      ts_metrics_add_instance (measures, &instance);
    }
  ts_metrics_gather (measures);
}

/* 5000 instances that run 1, 2, ... 5000 without a break, so that GET and SELF are CET: rank 4950 is the 99th percentile. */
START_TEST (what_is_asked_for_exactly_may_be_that_of_CET)
{
  static const TsMetricId metrics[] = { TS_METRIC_CET, TS_METRIC_GET, TS_METRIC_SELF, TS_METRIC_DT };
  const TsOptions         options = { .exact_metrics = 1u << metrics[_i] };
  g_autoptr (TsMeasures)  measures = ts_measures_new (0, ts_options_exact_metrics (&options));
  const TsAccumulator    *samples;

  add_instances (measures, 5000);
  samples = ts_metrics_samples (measures, 0, TS_TYPE_TASK, metrics[_i % 3]);
  ck_assert_uint_eq (samples->n, 5000);
  ck_assert_int_eq (ts_accumulator_is_exact (samples), _i < 3);
  if (_i < 3)
    ck_assert_int_eq (ts_accumulator_percentile (samples, 99 * PERCENT), 4950);
}
END_TEST

/* CET 1, 2 and 3, with GET and SELF the same, and with CET 7 of which nothing else is known. */
START_TEST (what_is_that_of_CET_is_no_longer_where_there_is_more_of_CET)
{
  static const TsMetricId metrics[] = { TS_METRIC_CET, TS_METRIC_GET, TS_METRIC_SELF };
  g_autoptr (TsMeasures)  measures = ts_measures_new (0, 0), other = ts_measures_new (0, 0);

  add_instances (measures, 3);
  ts_measures_grow (other, 1, 0);
  add (ts_measures_accumulator (other, &other->elements[0], TS_METRIC_CET), 7);
  ts_measures_merge (measures, other);
  for (guint i = 0; i < G_N_ELEMENTS (metrics); i++)
    {
      const TsAccumulator *samples = ts_metrics_samples (measures, 0, TS_TYPE_TASK, metrics[i]);

      ck_assert_uint_eq (samples->n, i == 0 ? 4 : 3);
      ck_assert_int_eq (samples->max.value, i == 0 ? 7 : 3);
    }
}
END_TEST

/* Samples of one, two, four and eight bytes, and in a histogram: from -FEW steps to FEW, so on each side of 0 there are FEW. */
#define FEW 100

START_TEST (samples_outside_of_two_values_are_counted)
{
  static const gint64 steps[] = { 1, 30, 100000, G_GINT64_CONSTANT (100000000000), 17 };
  const gint64        step = steps[_i];
  const guint         times = _i == 4 ? 20 : 1; /* more than are kept */
  g_autoptr (TsAccumulator) samples = ts_accumulator_new (FALSE);
  const struct
  {
    gint64  from, to;
    guint64 n;
  } counts[] = { { G_MININT64, G_MAXINT64, 0 },      { -FEW * step, FEW * step, 0 }, { -FEW * step + 1, FEW * step, 1 },
                 { -FEW * step, FEW * step - 1, 1 }, { 0, G_MAXINT64, FEW },         { G_MININT64, 0, FEW },
                 { 0, 0, 2 * FEW },                  { 1, 0, 2 * FEW + 1 },          { 10 * step, 20 * step, 2 * FEW + 1 - 11 },
                 { G_MAXINT64, G_MAXINT64, 2 * FEW + 1 } };

  for (guint k = 0; k < times; k++)
    for (gint64 i = -FEW; i <= FEW; i++)
      ts_accumulator_add (samples, i * step, i, i, 1);
  ck_assert_int_eq (ts_accumulator_is_exact (samples), times == 1);
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      guint64 least, most;

      ts_accumulator_count_outside (samples, counts[i].from, counts[i].to, &least, &most);
      ck_assert_uint_le (least, counts[i].n * times);
      ck_assert_uint_ge (most, counts[i].n * times);
      /* of a histogram: those at each of both values may be on either side of it. These lie 17 apart, at 1700 in buckets of 8, and
       * a middle may be 6 from a sample */
      ck_assert_uint_le (most - least, times == 1 ? 0 : 2 * times);
    }
}
END_TEST

START_TEST (of_no_samples_none_is_outside)
{
  g_autoptr (TsAccumulator) samples = ts_accumulator_new (FALSE);
  guint64 least = 1, most = 1;

  ts_accumulator_count_outside (samples, 1, 0, &least, &most);
  ck_assert_uint_eq (least, 0);
  ck_assert_uint_eq (most, 0);
}
END_TEST

TCase *
create_kept_tests (void)
{
  TCase *tests = tcase_create ("kept");

  tcase_set_timeout (tests, 120);
  tcase_add_loop_test (tests, a_rank_is_the_value_there, 0, 24);
  tcase_add_test (tests, what_is_given_back_is_taken_again);
  tcase_add_loop_test (tests, samples_that_are_not_kept_count, 0, 4);
  tcase_add_loop_test (tests, what_is_not_kept_is_merged_without_samples, 0, 15);
  tcase_add_loop_test (tests, what_is_asked_for_exactly_may_be_that_of_CET, 0, 4);
  tcase_add_test (tests, what_is_that_of_CET_is_no_longer_where_there_is_more_of_CET);
  tcase_add_test (tests, few_values_of_many_samples_have_their_ranks);
  tcase_add_loop_test (tests, samples_outside_of_two_values_are_counted, 0, 5);
  tcase_add_test (tests, of_no_samples_none_is_outside);
  return tests;
}
