/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdlib.h>

#include "check-statistics.h"

#include "analyse/histogram.h"
#include "model/sort.h"
#include "unit.h"

/* Accumulators: exact number, sum, extremes and standard deviation; percentiles by nearest rank. */

/* Extremes, sum, where */

START_TEST (number_extremes_and_sum_are_exact)
{
  g_autoptr (TsAccumulator) accumulator = ts_accumulator_new (FALSE);

  ck_assert_uint_eq (accumulator->n, 0);
  ts_accumulator_add (accumulator, 5, 100, 1, 1);
  ts_accumulator_add (accumulator, -7, 200, 2, 1);
  ts_accumulator_add (accumulator, 11, 300, 3, 2);
  ck_assert_uint_eq (accumulator->n, 3);
  ck_assert_int_eq ((gint64) accumulator->sum, 9);
  ck_assert_int_eq (accumulator->min.value, -7);
  ck_assert_int_eq (accumulator->min.at, 200);
  ck_assert_int_eq (accumulator->min.number, 2);
  ck_assert_uint_eq (accumulator->min.section, 1);
  ck_assert_int_eq (accumulator->max.value, 11);
  ck_assert_int_eq (accumulator->max.at, 300);
  ck_assert_int_eq (accumulator->max.number, 3);
  ck_assert_uint_eq (accumulator->max.section, 2);
}
END_TEST

START_TEST (the_sum_does_not_overflow)
{
  g_autoptr (TsAccumulator) accumulator = ts_accumulator_new (FALSE);

  for (guint i = 0; i < 100; i++)
    add (accumulator, LIMIT);
  ck_assert (accumulator->sum == (TsInt128) LIMIT * 100);
  ck_assert_double_eq (ts_accumulator_stddev (accumulator), 0);
}
END_TEST

START_TEST (of_equal_extremes_the_first_in_time_is_told)
{
  g_autoptr (TsAccumulator) accumulator = ts_accumulator_new (FALSE);

  /* instances that overlap end in another order than they start */
  ts_accumulator_add (accumulator, 5, 30, 3, 1);
  ts_accumulator_add (accumulator, 5, 10, 1, 1);
  ts_accumulator_add (accumulator, 5, 20, 2, 1);
  ck_assert_int_eq (accumulator->min.at, 10);
  ck_assert_int_eq (accumulator->max.at, 10);
  ck_assert_int_eq (accumulator->max.number, 1);
  /* a later section is later, whatever its times */
  ts_accumulator_add (accumulator, 5, 1, 1, 2);
  ck_assert_int_eq (accumulator->min.at, 10);
  ck_assert_uint_eq (accumulator->max.section, 1);
}
END_TEST

/* Standard deviation */

START_TEST (of_equal_extremes_at_one_time_the_lowest_number_is_told)
{
  static const gint64       numbers[] = { 3, 2, 4 };
  g_autoptr (TsAccumulator) accumulator = ts_accumulator_new (FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    ts_accumulator_add (accumulator, 7, 100, numbers[i], 1);
  ck_assert_int_eq (accumulator->min.number, 2);
  ck_assert_int_eq (accumulator->max.number, 2);
}
END_TEST

START_TEST (standard_deviation_is_that_of_the_population)
{
  /* 2 4 4 4 5 5 7 9: mean 5, squares 9 1 1 1 0 0 4 16 = 32, / 8 = 4 */
  static const gint64 values[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
  g_autoptr (TsAccumulator) plain = ts_accumulator_new (FALSE);
  g_autoptr (TsAccumulator) shifted = ts_accumulator_new (FALSE);
  g_autoptr (TsAccumulator) negative = ts_accumulator_new (FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      add (plain, values[i]);
      add (shifted, values[i] + OFFSET);
      add (negative, -values[i] - OFFSET);
    }
  ck_assert_double_eq (ts_accumulator_stddev (plain), 2);
  ck_assert_double_eq (ts_accumulator_stddev (shifted), 2);
  ck_assert_double_eq (ts_accumulator_stddev (negative), 2);
}
END_TEST

START_TEST (standard_deviation_of_one_sample_and_of_equal_ones_is_0)
{
  g_autoptr (TsAccumulator) accumulator = ts_accumulator_new (FALSE);

  add (accumulator, OFFSET + 1);
  ck_assert_double_eq (ts_accumulator_stddev (accumulator), 0);
  for (guint i = 0; i < 5000; i++)
    add (accumulator, OFFSET + 1);
  ck_assert_double_eq (ts_accumulator_stddev (accumulator), 0);
}
END_TEST

START_TEST (standard_deviation_of_two_samples_is_half_their_distance)
{
  static const struct
  {
    gint64 a, b;
    double expected;
  } pairs[] = {
    { 5, 6, 0.5 },
    { OFFSET, OFFSET + 1, 0.5 },
    { -1, 1, 1 },
    { -LIMIT, LIMIT, 4611686018427387904.0 }, /* 2^62 */
    { 0, LIMIT, 2305843009213693952.0 },
    { LIMIT - 3, LIMIT, 1.5 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      g_autoptr (TsAccumulator) accumulator = ts_accumulator_new (FALSE);

      add (accumulator, pairs[i].a);
      add (accumulator, pairs[i].b);
      ck_assert_double_eq (ts_accumulator_stddev (accumulator), pairs[i].expected);
    }
}
END_TEST

/* Against two passes: the mean first, as an exact offset from a whole number near it. */
START_TEST (standard_deviation_agrees_with_two_passes)
{
  static const gint64 offsets[] = { 0, 1, -1, 1000000007, OFFSET, -OFFSET, LIMIT - 2000000 };
  static const gint32 spreads[] = { 1, 2, 10, 1000, 1000000 };
  GRand *random = g_rand_new_with_seed ((guint32) _i);
  gint64 offset = offsets[_i % G_N_ELEMENTS (offsets)];
  gint32 spread = spreads[_i / G_N_ELEMENTS (offsets) % G_N_ELEMENTS (spreads)];
  guint  n = (guint) g_rand_int_range (random, 1, 10000);
  g_autofree gint32 *values = g_new (gint32, n);
  g_autoptr (TsAccumulator) accumulator = ts_accumulator_new (FALSE);
  long double mean = 0, squares = 0;
  gint64      sum = 0;

  for (guint i = 0; i < n; i++)
    {
      values[i] = g_rand_int_range (random, -spread, spread + 1);
      sum += values[i];
      add (accumulator, offset + values[i]);
    }
  mean = (long double) sum / n;
  for (guint i = 0; i < n; i++)
    squares += (values[i] - mean) * (values[i] - mean);
  assert_near (ts_accumulator_stddev (accumulator), sqrtl (squares / n));
  g_rand_free (random);
}
END_TEST

/* Percentiles */

START_TEST (the_rank_of_a_percentile_is_rounded_up)
{
  /* rank = ceil (p / 100 * n), at least 1 */
  static const struct
  {
    guint64 n, millionths, rank;
  } ranks[] = {
    { 1, 0, 1 },
    { 1, 50 * PERCENT, 1 },
    { 1, 100 * PERCENT, 1 },
    { 10, 50 * PERCENT, 5 },
    { 10, 50 * PERCENT + 1, 6 },
    { 10, 50 * PERCENT - 1, 5 },
    { 10, 10 * PERCENT, 1 },
    { 10, 90 * PERCENT, 9 },
    { 10, 99 * PERCENT, 10 },
    { 3, 50 * PERCENT, 2 },
    { 1000, 99900000, 999 },   /* 99.9 % */
    { 1001, 99900000, 1000 },  /* 999.999 */
    { 2000000, 99999950, 1999999 }, /* 99.99995 %: exactly */
    { 2000000, 99999951, 2000000 },
    { 7, 100 * PERCENT, 7 },
    { 7, 0, 1 },
    { G_MAXUINT64, 100 * PERCENT, G_MAXUINT64 },
    { G_MAXUINT64, 50 * PERCENT, G_GUINT64_CONSTANT (1) << 63 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ranks); i++)
    ck_assert_uint_eq (ts_percentile_rank (ranks[i].n, ranks[i].millionths), ranks[i].rank);
}
END_TEST

START_TEST (few_samples_have_exact_percentiles)
{
  static const gint64 values[] = { 50, 15, 40, 20, 35 };
  g_autoptr (TsAccumulator) accumulator = ts_accumulator_new (FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    add (accumulator, values[i]);
  /* 15 20 35 40 50: ranks 1 (5 %: 0.25), 2 (30 %: 1.5), 2 (40 %), 3 (50 %: 2.5), 5 */
  ck_assert_int_eq (ts_accumulator_percentile (accumulator, 5 * PERCENT), 15);
  ck_assert_int_eq (ts_accumulator_percentile (accumulator, 30 * PERCENT), 20);
  ck_assert_int_eq (ts_accumulator_percentile (accumulator, 40 * PERCENT), 20);
  ck_assert_int_eq (ts_accumulator_percentile (accumulator, 40 * PERCENT + 1), 35);
  ck_assert_int_eq (ts_accumulator_percentile (accumulator, 50 * PERCENT), 35);
  ck_assert_int_eq (ts_accumulator_percentile (accumulator, 100 * PERCENT), 50);
  ck_assert (ts_accumulator_is_exact (accumulator));
}
END_TEST

START_TEST (percentiles_are_exact_up_to_2048_samples)
{
  g_autoptr (TsAccumulator) accumulator = ts_accumulator_new (FALSE);

  fill (accumulator, 2048);
  ck_assert (ts_accumulator_is_exact (accumulator));
  ck_assert_int_eq (ts_accumulator_percentile (accumulator, 50 * PERCENT), 1024 * G_GINT64_CONSTANT (1000003));
  ck_assert_int_eq (ts_accumulator_percentile (accumulator, 50 * PERCENT + 1), 1025 * G_GINT64_CONSTANT (1000003));
  ck_assert_int_eq (ts_accumulator_percentile (accumulator, 99 * PERCENT), 2028 * G_GINT64_CONSTANT (1000003));
}
END_TEST

START_TEST (percentiles_are_close_from_2049_samples_on)
{
  g_autoptr (TsAccumulator) accumulator = ts_accumulator_new (FALSE);

  fill (accumulator, 2049);
  ck_assert (!ts_accumulator_is_exact (accumulator));
  for (guint p = 0; p <= 100; p++)
    {
      guint64     rank = MAX ((2049 * p + 99) / 100, 1);
      long double exact = (long double) rank * 1000003;
      gint64      value = ts_accumulator_percentile (accumulator, p * PERCENT);

      ck_assert_msg (fabsl (value - exact) <= exact / 256, "p%u: %" G_GINT64_FORMAT, p, value);
    }
  /* the first and the last are known, whatever their buckets are */
  ck_assert_int_eq (ts_accumulator_percentile (accumulator, 0), 1000003);
  ck_assert_int_eq (ts_accumulator_percentile (accumulator, 100 * PERCENT), 2049 * G_GINT64_CONSTANT (1000003));
}
END_TEST

START_TEST (percentiles_may_be_kept_exact_beyond)
{
  g_autoptr (TsAccumulator) accumulator = ts_accumulator_new (TRUE);

  fill (accumulator, 100003);
  ck_assert (ts_accumulator_is_exact (accumulator));
  /* 99.9 % of 100003 is 99902.997 */
  ck_assert_int_eq (ts_accumulator_percentile (accumulator, 99900000), 99903 * G_GINT64_CONSTANT (1000003));
}
END_TEST

START_TEST (samples_far_apart_are_kept_exactly)
{
  /* differences beyond 32 and beyond 63 bits */
  g_autoptr (TsAccumulator) accumulator = ts_accumulator_new (FALSE);

  add (accumulator, LIMIT);
  add (accumulator, -LIMIT);
  add (accumulator, 0);
  add (accumulator, G_MAXINT32);
  add (accumulator, OFFSET);
  ck_assert_int_eq (ts_accumulator_percentile (accumulator, 20 * PERCENT), -LIMIT);
  ck_assert_int_eq (ts_accumulator_percentile (accumulator, 40 * PERCENT), 0);
  ck_assert_int_eq (ts_accumulator_percentile (accumulator, 60 * PERCENT), G_MAXINT32);
  ck_assert_int_eq (ts_accumulator_percentile (accumulator, 80 * PERCENT), OFFSET);
  ck_assert_int_eq (ts_accumulator_percentile (accumulator, 100 * PERCENT), LIMIT);
}
END_TEST

/* The middle of the only bucket of a histogram that has @value. */
static gint64
middle_of (gint64 value)
{
  TsHistogram *histogram = ts_histogram_new ();
  g_autoptr (GArray) buckets = g_array_new (FALSE, FALSE, sizeof (TsBucket));
  TsBucket bucket;

  ts_histogram_add (histogram, value, 3);
  ts_histogram_list (histogram, buckets);
  ck_assert_uint_eq (buckets->len, 1);
  bucket = g_array_index (buckets, TsBucket, 0);
  ck_assert_uint_eq (bucket.count, 3);
  ts_histogram_free (histogram);
  return bucket.value;
}

static void
check_middle (gint64 value)
{
  gint64 middle = middle_of (value);
  gint64 error = middle > value ? middle - value : value - middle;

  if (value > -256 && value < 256)
    ck_assert_int_eq (middle, value);
  /* error / |value| <= 1/256 */
  ck_assert_msg ((TsInt128) error * 256 <= (value < 0 ? -(TsInt128) value : (TsInt128) value),
                 "%" G_GINT64_FORMAT " is shown as %" G_GINT64_FORMAT, value, middle);
  ck_assert_int_eq (middle_of (-value), -middle);
}

START_TEST (the_middle_of_a_bucket_is_within_a_256th)
{
  for (gint64 value = 0; value < 5000; value++)
    check_middle (value);
  for (guint octave = 12; octave < 62; octave++)
    {
      gint64 low = G_GINT64_CONSTANT (1) << octave, width = low / 128;

      /* the edges of every bucket of the octave, and its inside */
      for (gint64 k = 0; k < 128; k++)
        {
          check_middle (low + k * width);
          check_middle (low + k * width + 1);
          check_middle (low + k * width + width / 2);
          check_middle (low + (k + 1) * width - 1);
        }
    }
  check_middle (LIMIT);
}
END_TEST

/* @value and @small, which is less, counted together. */
static void
check_pair (gint64 value, gint64 small)
{
  const gint64 values[] = { value, small, small, value };
  TsHistogram *histogram = ts_histogram_new ();
  g_autoptr (GArray) buckets = g_array_new (FALSE, FALSE, sizeof (TsBucket));

  ts_histogram_add_many (histogram, values, G_N_ELEMENTS (values), small, value);
  ts_histogram_list (histogram, buckets);
  ck_assert_uint_eq (buckets->len, 2);
  for (guint i = 0; i < 2; i++)
    {
      ck_assert_int_eq (g_array_index (buckets, TsBucket, i).value, middle_of (i == 0 ? small : value));
      ck_assert_uint_eq (g_array_index (buckets, TsBucket, i).count, 2);
    }
  ts_histogram_free (histogram);
}

START_TEST (small_values_and_large_ones_together_are_in_their_own_buckets)
{
  for (gint64 value = 1; value < 600; value++)
    check_pair (value, value < 257 ? value - 1 : value - 5);
  for (guint octave = 8; octave < 62; octave++)
    {
      gint64 low = G_GINT64_CONSTANT (1) << octave, width = low / 128;

      for (gint64 k = 0; k < 128; k++)
        {
          check_pair (low + k * width, k);
          check_pair (low + (k + 1) * width - 1, 127);
          /* whatever its lower bits are */
          check_pair (low + k * width + width / 2, 0);
          check_pair (low + k * width + (width / 3 & 0xffff), 1);
        }
    }
}
END_TEST

START_TEST (buckets_are_listed_in_ascending_order)
{
  g_autoptr (TsAccumulator) accumulator = ts_accumulator_new (FALSE);
  g_autoptr (GArray) buckets = NULL;
  GRand  *random = g_rand_new_with_seed (1);
  guint64 n = 0;

  for (guint i = 0; i < 10000; i++)
    add (accumulator, ((gint64) g_rand_int (random) << g_rand_int_range (random, 0, 29)) * (i % 2 == 0 ? 1 : -1));
  buckets = ts_accumulator_buckets (accumulator);
  for (guint i = 0; i < buckets->len; i++)
    {
      if (i > 0)
        ck_assert_int_gt (g_array_index (buckets, TsBucket, i).value, g_array_index (buckets, TsBucket, i - 1).value);
      n += g_array_index (buckets, TsBucket, i).count;
    }
  ck_assert_uint_eq (n, 10000);
  g_rand_free (random);
}
END_TEST

/* Ranges from one value to all of 64 bits, and lengths on both sides of every limit. */
START_TEST (sorting_agrees_with_the_standard_one)
{
  static const gsize lengths[] = { 0, 1, 2, 47, 48, 49, 300, 2048 };
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) _i + 1);

  for (guint k = 0; k < G_N_ELEMENTS (lengths); k++)
    {
      gsize n = lengths[k];
      g_autofree gint64 *values = g_new0 (gint64, n + 1);
      g_autofree gint64 *expected = g_new0 (gint64, n + 1);

      for (gsize i = 0; i < n; i++)
        {
          guint64 bits = ((guint64) g_rand_int (random) << 32) | g_rand_int (random);

          values[i] = expected[i] = (gint64) (bits >> _i) - (_i % 2 == 0 ? 1000 : 0);
        }
      ts_sort_values (values, n);
      qsort (expected, n, sizeof *expected, compare_values);
      for (gsize i = 0; i < n; i++)
        ck_assert_int_eq (values[i], expected[i]);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("statistics");
  TCase *tests = tcase_create ("accumulator");

  tcase_set_timeout (tests, 120);
  tcase_add_loop_test (tests, sorting_agrees_with_the_standard_one, 0, 64);
  tcase_add_test (tests, number_extremes_and_sum_are_exact);
  tcase_add_test (tests, the_sum_does_not_overflow);
  tcase_add_test (tests, of_equal_extremes_the_first_in_time_is_told);
  tcase_add_test (tests, of_equal_extremes_at_one_time_the_lowest_number_is_told);
  tcase_add_test (tests, standard_deviation_is_that_of_the_population);
  tcase_add_test (tests, standard_deviation_of_one_sample_and_of_equal_ones_is_0);
  tcase_add_test (tests, standard_deviation_of_two_samples_is_half_their_distance);
  tcase_add_loop_test (tests, standard_deviation_agrees_with_two_passes, 0, 140);
  tcase_add_test (tests, the_rank_of_a_percentile_is_rounded_up);
  tcase_add_test (tests, few_samples_have_exact_percentiles);
  tcase_add_test (tests, percentiles_are_exact_up_to_2048_samples);
  tcase_add_test (tests, percentiles_are_close_from_2049_samples_on);
  tcase_add_test (tests, percentiles_may_be_kept_exact_beyond);
  tcase_add_test (tests, samples_far_apart_are_kept_exactly);
  tcase_add_test (tests, the_middle_of_a_bucket_is_within_a_256th);
  tcase_add_test (tests, small_values_and_large_ones_together_are_in_their_own_buckets);
  tcase_add_test (tests, buckets_are_listed_in_ascending_order);
  suite_add_tcase (suite, tests);
  suite_add_tcase (suite, create_merge_tests ());
  suite_add_tcase (suite, create_batch_tests ());
  suite_add_tcase (suite, create_recent_tests ());
  suite_add_tcase (suite, create_kept_tests ());
  return unit_run (suite);
}
