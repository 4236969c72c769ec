/* SPDX-License-Identifier: MIT */
#pragma once

#include <math.h>

#include <check.h>
#include <glib.h>

#include <tracestat/statistics.h>

G_BEGIN_DECLS

/* What all parts of the tests of accumulators use. */

#define PERCENT G_GUINT64_CONSTANT (1000000) /* of millionths of a percent */
#define OFFSET G_GINT64_CONSTANT (100000000000000000) /* 1e17 */
#define LIMIT (G_GINT64_CONSTANT (1) << 62)

static inline void
add (TsAccumulator *accumulator, gint64 value)
{
  ts_accumulator_add (accumulator, value, (gint64) accumulator->n, (gint64) accumulator->n + 1, 1);
}

static inline void
assert_near (double value, long double expected)
{
  ck_assert_msg (fabsl (value - expected) <= 1e-12L * (1 + fabsl (expected)), "%.17g, expected %.17Lg", value, expected);
}

/* 1000003, 2000006, ... in another order; the sample of rank k is k * 1000003. */
static inline void
fill (TsAccumulator *accumulator, guint n)
{
  for (guint i = 0; i < n; i++)
    add (accumulator, (gint64) ((guint64) i * 1297 % n + 1) * 1000003);
}

static inline void
assert_equal_extremes (const TsExtreme *a, const TsExtreme *b)
{
  ck_assert_int_eq (a->value, b->value);
  ck_assert_int_eq (a->at, b->at);
  ck_assert_int_eq (a->number, b->number);
  ck_assert_uint_eq (a->section, b->section);
  ck_assert_uint_eq (a->input, b->input);
}

static inline void
assert_equal (const TsAccumulator *a, const TsAccumulator *b)
{
  g_autoptr (GArray) buckets = ts_accumulator_buckets (a);
  g_autoptr (GArray) others = ts_accumulator_buckets (b);

  ck_assert_uint_eq (a->n, b->n);
  ck_assert (a->sum == b->sum);
  ck_assert (a->squares == b->squares);
  ck_assert_uint_eq (a->squares_high, b->squares_high);
  ck_assert_int_eq (ts_accumulator_is_exact (a), ts_accumulator_is_exact (b));
  assert_equal_extremes (&a->min, &b->min);
  assert_equal_extremes (&a->max, &b->max);
  ck_assert_double_eq (ts_accumulator_stddev (a), ts_accumulator_stddev (b));
  ck_assert_uint_eq (buckets->len, others->len);
  ck_assert_mem_eq (buckets->data, others->data, buckets->len * sizeof (TsBucket));
}

static inline int
compare_values (gconstpointer a, gconstpointer b)
{
  gint64 left = *(const gint64 *) a, right = *(const gint64 *) b;

  return left < right ? -1 : left > right;
}

TCase *create_merge_tests (void);
TCase *create_batch_tests (void);
TCase *create_recent_tests (void);
TCase *create_kept_tests (void);

G_END_DECLS
