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

TCase *create_merge_tests (void);
TCase *create_batch_tests (void);

G_END_DECLS
