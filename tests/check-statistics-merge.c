/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/accumulator.h"
#include "analyse/histogram.h"
#include "check-statistics.h"

/* Accumulators: it does not matter how samples are split and merged, and a change of time
 * base multiplies them. */

START_TEST (merging_keeps_the_first_of_equal_extremes)
{
  g_autoptr (TsAccumulator) first = ts_accumulator_new (FALSE);
  g_autoptr (TsAccumulator) second = ts_accumulator_new (FALSE);

  ts_accumulator_add (first, 5, 30, 3, 1);
  ts_accumulator_add (second, 5, 10, 1, 1);
  ts_accumulator_merge (first, second);
  ck_assert_int_eq (first->min.at, 10);
  ck_assert_int_eq (first->max.number, 1);
}
END_TEST

START_TEST (merging_does_not_compare_times_of_two_inputs)
{
  g_autoptr (TsAccumulator) first = ts_accumulator_new (FALSE);
  g_autoptr (TsAccumulator) second = ts_accumulator_new (FALSE);

  ts_accumulator_add (first, 5, 30, 3, 1);
  ts_accumulator_add (second, 5, 10, 1, 1);
  ck_assert (ts_accumulator_rescale (first, 1, 1, 0));
  ck_assert (ts_accumulator_rescale (second, 1, 1, 1));
  ts_accumulator_merge (first, second);
  ck_assert_int_eq (first->min.at, 30);
  ck_assert_uint_eq (first->max.input, 0);
}
END_TEST

/* Splits the samples from..to at random, down to nothing, and merges the parts. */
static TsAccumulator *
split (GRand *random, const gint64 *values, guint from, guint to, gboolean keep_all)
{
  TsAccumulator *accumulator;
  guint          middle;

  if (to - from > 1 && g_rand_int_range (random, 0, 10) > 0)
    {
      g_autoptr (TsAccumulator) second = NULL;

      middle = (guint) g_rand_int_range (random, (gint32) from, (gint32) to + 1);
      if (middle == from || middle == to)
        middle = from + (to - from) / 2;
      accumulator = split (random, values, from, middle, keep_all);
      second = split (random, values, middle, to, keep_all);
      ts_accumulator_merge (accumulator, second);
      return accumulator;
    }
  accumulator = ts_accumulator_new (keep_all);
  for (guint i = from; i < to; i++)
    ts_accumulator_add (accumulator, values[i], i % 97, i, 1 + i / 1000);
  return accumulator;
}

START_TEST (the_merge_of_any_split_is_the_whole)
{
  static const guint sizes[] = { 1, 2, 10, 2047, 2048, 2049, 3000, 5000 };
  static const gint64 widths[] = { 3, 1000, LIMIT };
  GRand   *random = g_rand_new_with_seed ((guint32) _i);
  guint    n = sizes[_i % G_N_ELEMENTS (sizes)];
  gint64   width = widths[_i / G_N_ELEMENTS (sizes) % G_N_ELEMENTS (widths)];
  gboolean keep_all = _i % 3 == 0;
  g_autofree gint64 *values = g_new (gint64, n);
  g_autoptr (TsAccumulator) whole = ts_accumulator_new (keep_all);
  g_autoptr (TsAccumulator) merged = NULL;

  for (guint i = 0; i < n; i++)
    {
      values[i] = (gint64) (g_rand_double (random) * (double) width) * (g_rand_boolean (random) ? 1 : -1);
      ts_accumulator_add (whole, values[i], i % 97, i, 1 + i / 1000);
    }
  merged = split (random, values, 0, n, keep_all);
  assert_equal (merged, whole);
  g_rand_free (random);
}
END_TEST

START_TEST (merging_with_nothing_changes_nothing)
{
  g_autoptr (TsAccumulator) empty = ts_accumulator_new (FALSE);
  g_autoptr (TsAccumulator) other = ts_accumulator_new (FALSE);
  g_autoptr (TsAccumulator) expected = ts_accumulator_new (FALSE);

  ts_accumulator_merge (empty, other);
  ck_assert_uint_eq (empty->n, 0);
  fill (other, 3000);
  fill (expected, 3000);
  ts_accumulator_merge (other, empty);
  assert_equal (other, expected);
  ts_accumulator_merge (empty, other);
  assert_equal (empty, expected);
}
END_TEST

/* Rescaling */

START_TEST (rescaling_multiplies_everything)
{
  guint n = _i == 0 ? 1000 : 3000;
  g_autoptr (TsAccumulator) rescaled = ts_accumulator_new (FALSE);
  g_autoptr (TsAccumulator) expected = ts_accumulator_new (FALSE);

  for (guint i = 0; i < n; i++)
    {
      gint64 value = (gint64) i * 17 - 5000;

      ts_accumulator_add (rescaled, value, i, i, 1);
      ts_accumulator_add (expected, value * 1000, (gint64) i * 1000, i, 1);
    }
  ck_assert (ts_accumulator_rescale (rescaled, 1000, 1000, 4));
  ck_assert_uint_eq (rescaled->n, n);
  ck_assert (rescaled->sum == expected->sum);
  ck_assert (rescaled->squares == expected->squares);
  ck_assert_int_eq (rescaled->min.value, expected->min.value);
  ck_assert_int_eq (rescaled->max.at, expected->max.at);
  ck_assert_uint_eq (rescaled->max.input, 4);
  assert_near (ts_accumulator_stddev (rescaled), (long double) ts_accumulator_stddev (expected));
  for (guint p = 1; p <= 100; p++)
    {
      long double exact = ((gint64) ts_percentile_rank (n, p * PERCENT) - 1) * 17000.0L - 5000000;

      ck_assert (fabsl (ts_accumulator_percentile (rescaled, p * PERCENT) - exact)
                 <= (_i == 0 ? 0 : fabsl (exact) / 256));
    }
}
END_TEST

START_TEST (rescaled_histograms_are_merged_by_value)
{
  /* 1, 2, ... 3000; 1000, 2000, ... 3000000; and 2. Up to 2998 there are 2998 + 2 + 1: the rank of the median of 6001. */
  g_autoptr (TsAccumulator) coarse = ts_accumulator_new (FALSE);
  g_autoptr (TsAccumulator) fine = ts_accumulator_new (FALSE);
  g_autoptr (GArray) buckets = NULL;

  for (gint64 i = 1; i <= 3000; i++)
    {
      add (coarse, i);
      add (fine, i);
    }
  ck_assert (ts_accumulator_rescale (coarse, 1000, 1000, 1));
  add (coarse, 2);
  ck_assert (ts_accumulator_rescale (fine, 1, 1, 0));
  ts_accumulator_merge (fine, coarse);
  ck_assert_uint_eq (fine->n, 6001);
  ck_assert_int_eq (fine->min.value, 1);
  ck_assert_int_eq (fine->max.value, 3000000);
  ck_assert_double_eq_tol ((double) ts_accumulator_percentile (fine, 50 * PERCENT), 2998, 2998 / 256.0);
  buckets = ts_accumulator_buckets (fine);
  for (guint i = 1; i < buckets->len; i++)
    ck_assert_int_ge (g_array_index (buckets, TsBucket, i).value, g_array_index (buckets, TsBucket, i - 1).value);
}
END_TEST

START_TEST (rescaling_that_overflows_is_refused)
{
  g_autoptr (TsAccumulator) accumulator = ts_accumulator_new (FALSE);
  g_autoptr (TsAccumulator) zeros = ts_accumulator_new (FALSE);

  add (accumulator, LIMIT);
  ck_assert (!ts_accumulator_rescale (accumulator, 2, 2, 0));
  /* of 0 there is any number of times, but a histogram has to keep how many */
  for (guint i = 0; i <= TS_EXACT_SAMPLES; i++)
    add (zeros, 0);
  ck_assert (ts_accumulator_rescale (zeros, LIMIT, 1, 0));
  ck_assert (!ts_accumulator_rescale (zeros, LIMIT, 1, 0));
}
END_TEST

/* A seventh of 2^63 - 1 is 10010010.0100...b times 2^53: above 146 * 2^53 by less than a half, so that the middle of its bucket
 * is above it, and seven times that fits no more. */
START_TEST (middles_of_buckets_are_as_large_as_can_be)
{
  const gint64              value = G_MAXINT64 / 7;
  g_autoptr (TsAccumulator) accumulator = ts_accumulator_new (FALSE);
  g_autoptr (GArray)        buckets = NULL;

  for (guint i = 0; i <= TS_EXACT_SAMPLES; i++)
    add (accumulator, i % 2 == 0 ? value : -value);
  ck_assert (ts_accumulator_rescale (accumulator, 7, 1, 0));
  buckets = ts_accumulator_buckets (accumulator);
  ck_assert_uint_eq (buckets->len, 2);
  ck_assert_int_eq (g_array_index (buckets, TsBucket, 0).value, -G_MAXINT64);
  ck_assert_int_eq (g_array_index (buckets, TsBucket, 1).value, G_MAXINT64);
  ck_assert_int_eq (ts_accumulator_percentile (accumulator, 90 * PERCENT), G_MAXINT64);
}
END_TEST

/* More than 16 bits hold, of one bucket; and then there are others before and behind it. */
START_TEST (large_counts_stay_where_they_are_when_others_come)
{
  TsHistogram       *histogram = ts_histogram_new ();
  g_autoptr (GArray) buckets = g_array_new (FALSE, FALSE, sizeof (TsBucket));
  static const guint64 counts[] = { 5, 70000, 3 };

  ts_histogram_add (histogram, 7, 70000);
  ts_histogram_add (histogram, 100000, 3);
  ts_histogram_add (histogram, -100000, 5);
  ts_histogram_list (histogram, buckets);
  ts_histogram_free (histogram);
  for (guint i = 0, k = 0; i < buckets->len; i++)
    ck_assert_uint_eq (g_array_index (buckets, TsBucket, i).count, counts[k++]);
  ck_assert_uint_eq (buckets->len, 3);
  ck_assert_int_eq (g_array_index (buckets, TsBucket, 1).value, 7);
}
END_TEST

START_TEST (rescaling_fits_as_long_as_the_samples_do)
{
  /* squares: 1e6 samples of (1e12)^2, times (1e6)^2 = 1e42, beyond 128 bits, not beyond 192 */
  g_autoptr (TsAccumulator) accumulator = ts_accumulator_new (FALSE);

  for (guint i = 0; i < 1000000; i++)
    ts_accumulator_add (accumulator, G_GINT64_CONSTANT (1000000000000) + (i % 2), i, i, 1);
  ck_assert (ts_accumulator_rescale (accumulator, 1000000, 1000000, 0));
  ck_assert_double_eq (ts_accumulator_stddev (accumulator), 500000);
}
END_TEST

/* What a report says, whose values are no middles of buckets: 15135000 lies in one whose middle is 15106047. */
static TsAccumulator *
restore (void)
{
  static const TsBucket stated[] = { { 1000, 2500 }, { 15135000, 1000 }, { 16000001, 500 } };
  const TsAccumulator   facts = { .n = 4000, .min.value = 1000, .max.value = 16000001 };
  g_autoptr (GArray) buckets = g_array_new (FALSE, FALSE, sizeof (TsBucket));

  g_array_append_vals (buckets, stated, G_N_ELEMENTS (stated));
  return ts_accumulator_restore (&facts, buckets, FALSE, FALSE);
}

START_TEST (what_a_report_says_stays_as_it_is)
{
  g_autoptr (TsAccumulator) restored = restore ();
  g_autoptr (TsAccumulator) copy = ts_accumulator_copy (NULL, restored);
  g_autoptr (TsAccumulator) other = restore ();
  g_autoptr (GArray) buckets = NULL;

  ck_assert_int_eq (ts_accumulator_percentile (restored, 50 * PERCENT), 1000);
  ck_assert_int_eq (ts_accumulator_percentile (restored, 75 * PERCENT), 15135000);
  ck_assert (ts_accumulator_rescale (copy, 10, 10, 0));
  ck_assert_int_eq (ts_accumulator_percentile (copy, 75 * PERCENT), 151350000);
  /* twice 2500, 1000 and 500; and 5000 of 151350000: as much again */
  ts_accumulator_merge (restored, other);
  for (guint i = 0; i < 5000; i++)
    add (restored, 151350000);
  ck_assert (ts_accumulator_rescale (restored, 10, 10, 0));
  ts_accumulator_merge (restored, copy);
  buckets = ts_accumulator_buckets (restored);
  ck_assert_uint_eq (buckets->len, 4);
  for (guint i = 0; i < buckets->len; i++)
    {
      static const guint64 counts[] = { 7500, 3000, 1500, 5000 };

      ck_assert_uint_eq (g_array_index (buckets, TsBucket, i).count, counts[i]);
    }
  ck_assert_int_eq (g_array_index (buckets, TsBucket, 0).value, 10000);
  ck_assert_int_eq (g_array_index (buckets, TsBucket, 1).value, 151350000);
  ck_assert_int_eq (g_array_index (buckets, TsBucket, 2).value, 160000010);
}
END_TEST

TCase *
create_merge_tests (void)
{
  TCase *tests = tcase_create ("merge");

  tcase_set_timeout (tests, 120);
  tcase_add_test (tests, merging_keeps_the_first_of_equal_extremes);
  tcase_add_test (tests, merging_does_not_compare_times_of_two_inputs);
  tcase_add_loop_test (tests, the_merge_of_any_split_is_the_whole, 0, 240);
  tcase_add_test (tests, merging_with_nothing_changes_nothing);
  tcase_add_loop_test (tests, rescaling_multiplies_everything, 0, 2);
  tcase_add_test (tests, rescaled_histograms_are_merged_by_value);
  tcase_add_test (tests, what_a_report_says_stays_as_it_is);
  tcase_add_test (tests, rescaling_that_overflows_is_refused);
  tcase_add_test (tests, middles_of_buckets_are_as_large_as_can_be);
  tcase_add_test (tests, large_counts_stay_where_they_are_when_others_come);
  tcase_add_test (tests, rescaling_fits_as_long_as_the_samples_do);
  return tests;
}
