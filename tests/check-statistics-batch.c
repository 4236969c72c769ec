/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdlib.h>

#include "check-statistics.h"

#include "analyse/accumulator.h"
#include "model/sort.h"

/* Samples that are counted many at a time, as those of a trace are. */

#define SMALL (G_GINT64_CONSTANT (1) << 28) /* below this, sums of 64 bits do */
#define FAR (G_GINT64_CONSTANT (1) << 45)   /* up to this, for what is counted from there */

static const TsSampleSection only = { 0, 1 };

static void
take (TsAccumulator *accumulator, const gint64 *values, const gint64 *times, const gint64 *numbers, guint n)
{
  TsSamplePlaces places = { numbers, times, NULL, times[0], &only, 1 };
  TsSampleBatch  batch = { n, values, &places, NULL };

  for (guint i = 0; i < n; i++)
    places.not_before = MIN (places.not_before, times[i]);
  ts_accumulator_take (accumulator, &batch);
}

START_TEST (the_largest_small_sums_fit)
{
  gint64 values[TS_BATCH_SAMPLES], times[TS_BATCH_SAMPLES] = { 0 };
  g_autoptr (TsAccumulator) accumulator = ts_accumulator_new (FALSE);

  for (guint i = 0; i < TS_BATCH_SAMPLES; i++)
    values[i] = SMALL - 1;
  ts_accumulator_add (accumulator, 0, 0, 0, 1); /* what others are counted from */
  take (accumulator, values, times, times, TS_BATCH_SAMPLES);
  /* 128 * (2^28 - 1) = 2^35 - 128; 128 * (2^56 - 2^29 + 1) = 2^63 - 2^36 + 128 */
  ck_assert_uint_eq (accumulator->n, 129);
  ck_assert (accumulator->sum == ((TsInt128) 1 << 35) - 128);
  ck_assert (accumulator->squares == ((TsUint128) 1 << 63) - ((TsUint128) 1 << 36) + 128);
  ck_assert_int_eq (accumulator->max.value, SMALL - 1);
}
END_TEST

/* Around every limit: of sums, of buckets, of what a double holds.  */
START_TEST (a_batch_counts_as_its_samples_alone)
{
  static const gint64 lowest[] = { 0, -5, -300, 100, 128, 1000, -SMALL, SMALL, FAR - 5, FAR + 1, -FAR - 3, OFFSET,
                                   -LIMIT, (G_GINT64_CONSTANT (1) << 52) - 500 };
  static const gint64 widths[] = { 1, 2, 100, 1000, SMALL, SMALL + 1, FAR, LIMIT };
  GRand    *random = g_rand_new_with_seed ((guint32) _i);
  gint64    low = lowest[_i % G_N_ELEMENTS (lowest)];
  gint64    width = widths[_i / G_N_ELEMENTS (lowest) % G_N_ELEMENTS (widths)];
  TsInt128  sum = 0;
  guint64   n_samples = 0;
  g_autoptr (TsAccumulator) whole = ts_accumulator_new (FALSE);
  g_autoptr (TsAccumulator) alone = ts_accumulator_new (FALSE);

  for (guint k = 0; k < 60; k++)
    {
      gint64 values[TS_BATCH_SAMPLES], times[TS_BATCH_SAMPLES], numbers[TS_BATCH_SAMPLES];
      guint  n = (guint) g_rand_int_range (random, 1, TS_BATCH_SAMPLES + 1);
      guint  shift = (guint) g_rand_int_range (random, 0, 20);
      gint64 span = MAX (width >> shift, 1);

      for (guint i = 0; i < n; i++)
        {
          guint64 bits = ((guint64) g_rand_int (random) << 32 | g_rand_int (random)) >> 1;

          values[i] = low + (gint64) (bits % (guint64) span);
          if (g_rand_int_range (random, 0, 500) == 0)
            values[i] = low + width - 1;
          times[i] = g_rand_int_range (random, 0, 10000);
          numbers[i] = g_rand_int_range (random, 0, 10000);
          ts_accumulator_add (alone, values[i], times[i], numbers[i], 1);
          sum += values[i];
        }
      n_samples += n;
      take (whole, values, times, numbers, n);
    }
  assert_equal (whole, alone);
  ck_assert_uint_eq (whole->n, n_samples);
  ck_assert (whole->sum == sum);
  g_rand_free (random);
}
END_TEST

START_TEST (a_sample_that_repeats_counts_as_often)
{
  static const gint64  values[] = { 0, -3, 77, SMALL, FAR + 1, LIMIT, -LIMIT };
  static const guint32 times[] = { 1, 17, 2046, 2047, 2048, 3000 };
  const gint64         value = values[_i / 2 % G_N_ELEMENTS (values)];
  const guint32        n = times[_i / 2 / G_N_ELEMENTS (values)];
  g_autoptr (TsAccumulator) repeated = ts_accumulator_new (_i % 2 == 1);
  g_autoptr (TsAccumulator) alone = ts_accumulator_new (_i % 2 == 1);

  ts_accumulator_add (repeated, 12, 5, 1, 1);
  ts_accumulator_add (repeated, value, 5, 2, 1);
  ts_accumulator_repeat (repeated, value, n);
  ts_accumulator_add (alone, 12, 5, 1, 1);
  for (guint i = 0; i <= n; i++)
    ts_accumulator_add (alone, value, 5, 2, 1);
  assert_equal (repeated, alone);
}
END_TEST

START_TEST (the_largest_number_of_repetitions_fits)
{
  g_autoptr (TsAccumulator) accumulator = ts_accumulator_new (FALSE);

  /* 2^32 times 2^62: the squares are 2^156 */
  ts_accumulator_add (accumulator, LIMIT, 5, 1, 1);
  ts_accumulator_repeat (accumulator, LIMIT, G_MAXUINT32);
  ck_assert_uint_eq (accumulator->n, (guint64) 1 << 32);
  ck_assert (accumulator->sum == (TsInt128) 1 << 94);
  ck_assert (accumulator->squares == 0);
  ck_assert_uint_eq (accumulator->squares_high, 1 << 28);
}
END_TEST

START_TEST (places_that_are_picked_are_told)
{
  const gint64 values[] = { 7, 3, 9 }, numbers[] = { 1, -1, 2, -1, 3, -1, 4, -1 },
               times[] = { 10, -1, 20, -1, 30, -1, 40, -1 };
  const guint8  which[] = { 0, 2, 3 };
  const guint32 order[] = { 0, 2, 4, 6 };
  const TsSamplePlaces places = { numbers, times, order, 10, &only, 1 };
  g_autoptr (TsAccumulator) accumulator = ts_accumulator_new (FALSE);

  ts_accumulator_take (accumulator, &(TsSampleBatch){ 3, values, &places, which });
  ck_assert_int_eq (accumulator->min.number, 3);
  ck_assert_int_eq (accumulator->min.at, 30);
  ck_assert_int_eq (accumulator->max.number, 4);
  ck_assert_int_eq (accumulator->max.at, 40);
}
END_TEST

/* Of equal extremes that of the first section holds, in the same batch and in a later one; of one section the first in
 * time. */
START_TEST (the_first_section_has_the_extremes)
{
  static const TsSampleSection sections[] = { { 0, 1 }, { 2, 2 }, { 3, 5 } }, earlier[] = { { 0, 1 }, { 1, 4 } };
  const gint64 values[] = { 5, 9, 9, 5 }, times[] = { 100, 200, 10, 20 }, numbers[] = { 1, 2, 3, 4 };
  const TsSamplePlaces places = { numbers, times, NULL, G_MININT64, sections, 3 };
  const TsSamplePlaces last = { numbers, times, NULL, 10, &sections[2], 1 };
  const TsSamplePlaces before = { numbers, times, NULL, G_MININT64, earlier, 2 };
  g_autoptr (TsAccumulator) accumulator = ts_accumulator_new (FALSE);

  ts_accumulator_take (accumulator, &(TsSampleBatch){ 4, values, _i == 0 ? &places : &last, NULL });
  ck_assert_uint_eq (accumulator->min.section, _i == 0 ? 1 : 5);
  ck_assert_int_eq (accumulator->min.at, _i == 0 ? 100 : 20);
  ck_assert_uint_eq (accumulator->max.section, _i == 0 ? 1 : 5);
  ck_assert_int_eq (accumulator->max.at, _i == 0 ? 200 : 10);
  ts_accumulator_take (accumulator, &(TsSampleBatch){ 4, values, &before, NULL });
  ck_assert_uint_eq (accumulator->min.section, 1);
  ck_assert_int_eq (accumulator->min.at, 100);
  ck_assert_uint_eq (accumulator->max.section, _i == 0 ? 1 : 4);
  ck_assert_int_eq (accumulator->max.at, _i == 0 ? 200 : 10);
}
END_TEST

START_TEST (a_bucket_counts_beyond_16_bits)
{
  static const gint64 pairs[][2] = { { 10, 20 }, { 1000, 2000 }, { -1000, 2000 } };
  g_autoptr (TsAccumulator) accumulator = ts_accumulator_new (FALSE);
  g_autoptr (GArray) buckets = NULL;
  gint64 values[TS_BATCH_SAMPLES], times[TS_BATCH_SAMPLES] = { 0 };

  for (guint i = 0; i < TS_BATCH_SAMPLES; i++)
    values[i] = pairs[_i][i % 2];
  for (guint i = 0; i < 2000; i++)
    take (accumulator, values, times, times, TS_BATCH_SAMPLES);
  buckets = ts_accumulator_buckets (accumulator);
  ck_assert_uint_eq (buckets->len, 2);
  for (guint i = 0; i < 2; i++)
    ck_assert_uint_eq (g_array_index (buckets, TsBucket, i).count, 128000); /* 64 * 2000 */
}
END_TEST

/* Samples are kept as differences to the first one, in as few bytes as these need. */
static void
assert_ranked (const gint64 *values, gsize n, const guint64 *ranks, guint n_ranks, const gint64 *sorted)
{
  g_autoptr (TsAccumulator) accumulator = ts_accumulator_new (TRUE);
  g_autofree gint64 *ranked = g_new (gint64, n_ranks);

  for (gsize i = 0; i < n; i++)
    ts_accumulator_add (accumulator, values[i], (gint64) i, (gint64) i, 1);
  ts_accumulator_ranked (accumulator, ranks, n_ranks, ranked);
  for (guint i = 0; i < n_ranks; i++)
    ck_assert_int_eq (ranked[i], sorted[ranks[i] - 1]);
}

/* Even, in clusters, and with few that are far away. */
START_TEST (ranks_are_those_of_sorted_values)
{
  static const gsize lengths[] = { 1, 2, 48, 49, 300, 2048, 5000 };
  GRand  *random = g_rand_new_with_seed ((guint32) _i + 1);
  gsize   n = lengths[_i % G_N_ELEMENTS (lengths)];
  guint   shift = (guint) _i % 64;
  guint64 ranks[] = { 1, (n + 1) / 2, (n * 9 + 9) / 10, (n * 99 + 99) / 100, n, n, (n + 1) / 2, 1 };
  gint64  selected[G_N_ELEMENTS (ranks)];
  g_autofree gint64 *values = g_new (gint64, n);
  g_autofree gint64 *sorted = NULL;

  for (gsize i = 0; i < n; i++)
    {
      guint64 bits = ((guint64) g_rand_int (random) << 32 | g_rand_int (random));
      guint   chance = (guint) g_rand_int_range (random, 0, 100);

      values[i] = (gint64) (bits >> shift) - (_i % 2 == 0 ? 1000 : 0);
      if (_i % 3 == 1 && chance < 50)
        values[i] = (gint64) (bits >> 60);
      if (_i % 3 == 2 && chance > 1)
        values[i] = (gint64) (bits >> 50);
    }
  sorted = g_memdup2 (values, n * sizeof *values);
  qsort (sorted, n, sizeof *sorted, compare_values);
  if (sorted[0] >= -LIMIT && sorted[n - 1] <= LIMIT)
    assert_ranked (values, n, ranks, G_N_ELEMENTS (ranks), sorted);
  ts_select_ranks (values, n, ranks, G_N_ELEMENTS (ranks), selected);
  for (guint i = 0; i < G_N_ELEMENTS (ranks); i++)
    ck_assert_int_eq (selected[i], sorted[ranks[i] - 1]);
  g_rand_free (random);
}
END_TEST

TCase *
create_batch_tests (void)
{
  TCase *tests = tcase_create ("batch");

  tcase_set_timeout (tests, 120);
  tcase_add_test (tests, the_largest_small_sums_fit);
  tcase_add_loop_test (tests, a_batch_counts_as_its_samples_alone, 0, 336);
  tcase_add_loop_test (tests, a_sample_that_repeats_counts_as_often, 0, 84);
  tcase_add_test (tests, the_largest_number_of_repetitions_fits);
  tcase_add_test (tests, places_that_are_picked_are_told);
  tcase_add_loop_test (tests, the_first_section_has_the_extremes, 0, 2);
  tcase_add_loop_test (tests, a_bucket_counts_beyond_16_bits, 0, 3);
  tcase_add_loop_test (tests, ranks_are_those_of_sorted_values, 0, 600);
  return tests;
}
