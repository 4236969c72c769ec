/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <tracestat/error.h>
#include <tracestat/time.h>

#include "model/number.h"
#include "unit.h"

#define MILLION G_GINT64_CONSTANT (1000000)

static TsTimeBase
time_base (guint64 numerator, guint64 denominator, int exponent, gint64 scale)
{
  return (TsTimeBase){ numerator, denominator, exponent, scale, TRUE };
}

static void
assert_factor (TsTimeBase base, TsUnit unit, TsInt128 numerator, TsInt128 denominator)
{
  TsRational factor = ts_time_base_factor (&base, unit);

  ck_assert (factor.numerator == numerator && factor.denominator == denominator);
}

START_TEST (factors_of_time_bases_are_exact)
{
  assert_factor (time_base (2000, 1, -9, 1), TS_UNIT_NS, 2000, 1);
  assert_factor (time_base (2000, 1, -9, 1), TS_UNIT_US, 2, 1);
  assert_factor (time_base (2000, 1, -9, 1), TS_UNIT_TICKS, 1, 1);
  assert_factor (time_base (2000, 1, -9, 1000), TS_UNIT_NS, 2, 1);
  assert_factor (time_base (2000, 1, -9, 1000), TS_UNIT_TICKS, 1, 1000);
  /* a third of a millisecond */
  assert_factor (time_base (1, 3, -3, 1), TS_UNIT_NS, 1000000, 3);
  assert_factor (time_base (1, 3, -3, 1), TS_UNIT_S, 1, 3000);
  assert_factor (time_base (1, 1, 0, 1), TS_UNIT_NS, 1000000000, 1);
  assert_factor (time_base (1, 1, -18, 1), TS_UNIT_S, 1, (TsInt128) ts_power_of_ten (18));
  assert_factor (ts_time_base_ticks (), TS_UNIT_NS, 1, 1);
}
END_TEST

START_TEST (different_time_bases_have_a_common_one)
{
  TsTimeBase us = time_base (1, 1, -6, 1), ns = time_base (1, 1, -9, 1), third = time_base (1, 3, -3, 1);
  TsTimeBase same = time_base (1000, 1, -9, 1), s = time_base (1, 1, 0, 1), unknown = ts_time_base_ticks (), common;
  gint64     factor_a, factor_b;

  ck_assert (ts_time_base_common (&us, &ns, &common, &factor_a, &factor_b));
  ck_assert_int_eq (factor_a, 1000);
  ck_assert_int_eq (factor_b, 1);
  ck_assert_int_eq (common.scale, 1000);
  assert_factor (common, TS_UNIT_NS, 1, 1);
  ck_assert (ts_time_base_common (&ns, &us, &common, &factor_a, &factor_b));
  ck_assert_int_eq (factor_a, 1);
  ck_assert_int_eq (factor_b, 1000);
  /* 1 us = 3/3 us, 1/3 ms = 1000/3 us */
  ck_assert (ts_time_base_common (&us, &third, &common, &factor_a, &factor_b));
  ck_assert_int_eq (factor_a, 3);
  ck_assert_int_eq (factor_b, 1000);
  assert_factor (common, TS_UNIT_US, 1, 3);
  ck_assert (ts_time_base_equal (&us, &same));
  ck_assert (ts_time_base_common (&us, &same, &common, &factor_a, &factor_b));
  ck_assert_int_eq (factor_a, 1);
  ck_assert_int_eq (factor_b, 1);
  ck_assert (!ts_time_base_common (&us, &unknown, &common, &factor_a, &factor_b));
  /* a tick is nobody knows what, and no second either */
  ck_assert (!ts_time_base_equal (&s, &unknown));
}
END_TEST

/* Nobody knows how long a tick is, but a tick is one: 1/10 and 1/4 of it are 2/20 and 5/20. */
START_TEST (parts_of_unknown_ticks_have_a_common_one)
{
  const TsTimeBase tenth = { 1, 1, 0, 10, FALSE }, quarter = { 1, 1, 0, 4, FALSE };
  TsTimeBase       common;
  gint64           factor_a, factor_b;

  ck_assert (ts_time_base_common (&tenth, &quarter, &common, &factor_a, &factor_b));
  ck_assert (!common.known);
  ck_assert_int_eq (common.scale, 20);
  ck_assert_int_eq (factor_a, 2);
  ck_assert_int_eq (factor_b, 5);
}
END_TEST

START_TEST (units_have_names)
{
  ck_assert_str_eq (ts_time_base_unit_name (-18), "as");
  ck_assert_str_eq (ts_time_base_unit_name (0), "s");
  ck_assert_str_eq (ts_time_base_unit_name (-4), "");
}
END_TEST

/* Of a tick that both have in common there are at most 2^61 in one of theirs. */
START_TEST (a_common_time_base_is_not_too_fine)
{
  const guint64 most = G_GUINT64_CONSTANT (1) << 61;
  TsTimeBase    s = time_base (1, 1, 0, 1), fine = time_base (1, most, 0, 1), finer = time_base (1, 2 * most, 0, 1);
  TsTimeBase    scaled = time_base (1, 1, 0, 3), as = time_base (1, 1, -18, 1), common;
  gint64        factor_a, factor_b;

  ck_assert (ts_time_base_common (&s, &fine, &common, &factor_a, &factor_b));
  ck_assert_int_eq (factor_a, (gint64) most);
  ck_assert_int_eq (factor_b, 1);
  ck_assert_int_eq (common.scale, (gint64) most);
  ck_assert (!ts_time_base_common (&s, &finer, &common, &factor_a, &factor_b));
  ck_assert (!ts_time_base_common (&finer, &s, &common, &factor_a, &factor_b));
  ck_assert (ts_time_base_common (&s, &as, &common, &factor_a, &factor_b));
  ck_assert_int_eq (common.scale, MILLION * MILLION * MILLION);
  /* thirds of a second: 1/(3 * 10^18) s divides both */
  ck_assert (!ts_time_base_common (&scaled, &as, &common, &factor_a, &factor_b));
}
END_TEST

/* 2^126 is 8.5e37, and 2^127 1.7e38. */
START_TEST (a_time_base_is_a_part_of_a_second_that_can_be_held)
{
  const struct
  {
    TsTimeBase base;
    gboolean   is_exact;
  } cases[] = {
    { time_base (1, 1, -9, MILLION * MILLION * MILLION), TRUE },
    { time_base (1, 1, -18, MILLION * MILLION * MILLION), TRUE },
    { time_base (1, 1000, -18, MILLION * MILLION * MILLION / 10), TRUE },
    { time_base (1, 100, -18, MILLION * MILLION * MILLION), TRUE },
    { time_base (1, 1000, -18, MILLION * MILLION * MILLION), FALSE },
    { time_base (10, 1000, -18, MILLION * MILLION * MILLION), TRUE },
    { time_base (7, G_GUINT64_CONSTANT (9000000000000000001), -15, 1), TRUE },
    { time_base (7, G_GUINT64_CONSTANT (9000000000000000001), -15, 1000000), FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      ck_assert_int_eq (ts_time_base_check (&cases[i].base, "x.atf", &error), cases[i].is_exact);
      if (cases[i].is_exact)
        continue;
      ck_assert (g_error_matches (error, TS_ERROR, TS_ERROR_RANGE));
      ck_assert (g_str_has_prefix (error->message, "x.atf: a tick of "));
    }
}
END_TEST

START_TEST (a_time_of_a_user_is_resolved)
{
  TsTimeBase third = time_base (1, 3, -3, 10), unknown = ts_time_base_ticks ();
  TsTimeText time;
  gint64     units;
  GError    *error = NULL;

  ck_assert (ts_time_text_parse ("2 ms", &time, NULL));
  ck_assert (ts_time_text_resolve (&time, &third, &units, NULL));
  ck_assert_int_eq (units, 60);
  ck_assert (ts_time_text_parse ("7", &time, NULL));
  ck_assert (ts_time_text_resolve (&time, &third, &units, NULL));
  ck_assert_int_eq (units, 70);
  /* between two units, 1.5 and -1.5: the next one that is not before */
  ck_assert (ts_time_text_parse ("50us", &time, NULL));
  ck_assert (ts_time_text_resolve (&time, &third, &units, NULL));
  ck_assert_int_eq (units, 2);
  ck_assert (ts_time_text_parse ("-50us", &time, NULL));
  ck_assert (ts_time_text_resolve (&time, &third, &units, NULL));
  ck_assert_int_eq (units, -1);
  ck_assert (!ts_time_text_resolve (&time, &unknown, &units, &error));
  ck_assert (g_error_matches (error, TS_ERROR, TS_ERROR_USAGE));
  g_clear_error (&error);
  ck_assert (ts_time_text_parse ("999999999999 s", &time, NULL));
  ck_assert (ts_time_text_resolve (&time, &(TsTimeBase){ 1, 1, -9, 1000, TRUE }, &units, NULL));
  ck_assert_int_eq (units, TS_TIME_LIMIT + 1);
  ck_assert (ts_time_text_parse ("-999999999999 s", &time, NULL));
  ck_assert (ts_time_text_resolve (&time, &(TsTimeBase){ 1, 1, -9, 1000, TRUE }, &units, NULL));
  ck_assert_int_eq (units, -TS_TIME_LIMIT - 1);
  /* stamps since 1970 have 19 digits in nanoseconds */
  ck_assert (ts_time_text_parse ("1700000000123456790", &time, NULL));
  ck_assert (ts_time_text_resolve (&time, &(TsTimeBase){ 1, 1, -9, 1, TRUE }, &units, NULL));
  ck_assert_int_eq (units, G_GINT64_CONSTANT (1700000000123456790));
  ck_assert (ts_time_text_parse ("1700000000.1234567901s", &time, NULL));
  ck_assert (ts_time_text_resolve (&time, &(TsTimeBase){ 1, 1, -9, 1, TRUE }, &units, NULL));
  ck_assert_int_eq (units, G_GINT64_CONSTANT (1700000000123456791));
  /* the latest stamp of all, and the next one */
  ck_assert (ts_time_text_parse ("2305843009213693952", &time, NULL));
  ck_assert (ts_time_text_resolve (&time, &(TsTimeBase){ 1, 1, -9, 1, TRUE }, &units, NULL));
  ck_assert_int_eq (units, TS_TIME_LIMIT);
  ck_assert (ts_time_text_parse ("2305843009213693953", &time, NULL));
  ck_assert (ts_time_text_resolve (&time, &(TsTimeBase){ 1, 1, -9, 1, TRUE }, &units, NULL));
  ck_assert_int_eq (units, TS_TIME_LIMIT + 1);
  /* one that fits in no trace, and one digit more */
  ck_assert (ts_time_text_parse ("99999999999999999999", &time, NULL));
  ck_assert (ts_time_text_resolve (&time, &(TsTimeBase){ 1, 1, -9, 1, TRUE }, &units, NULL));
  ck_assert_int_eq (units, TS_TIME_LIMIT + 1);
  ck_assert (!ts_time_text_parse ("999999999999999999999", &time, NULL));
  ck_assert (!ts_time_text_parse ("12 parsec", &time, &error));
  ck_assert (g_error_matches (error, TS_ERROR, TS_ERROR_USAGE));
  ck_assert (strstr (error->message, "fs, as") != NULL);
  g_clear_error (&error);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("time");
  TCase *times = tcase_create ("times");

  tcase_add_test (times, factors_of_time_bases_are_exact);
  tcase_add_test (times, different_time_bases_have_a_common_one);
  tcase_add_test (times, parts_of_unknown_ticks_have_a_common_one);
  tcase_add_test (times, units_have_names);
  tcase_add_test (times, a_common_time_base_is_not_too_fine);
  tcase_add_test (times, a_time_base_is_a_part_of_a_second_that_can_be_held);
  tcase_add_test (times, a_time_of_a_user_is_resolved);
  suite_add_tcase (suite, times);
  return unit_run (suite);
}
