/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "check-statistics.h"

#include "analyse/accumulator.h"

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

TCase *
create_kept_tests (void)
{
  TCase *tests = tcase_create ("kept");

  tcase_set_timeout (tests, 120);
  tcase_add_loop_test (tests, a_rank_is_the_value_there, 0, 24);
  tcase_add_test (tests, what_is_given_back_is_taken_again);
  tcase_add_loop_test (tests, samples_that_are_not_kept_count, 0, 4);
  tcase_add_loop_test (tests, what_is_not_kept_is_merged_without_samples, 0, 15);
  return tests;
}
