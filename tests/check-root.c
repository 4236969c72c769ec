/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include <tracestat/statistics.h>

#include "model/number.h"
#include "unit.h"

/* Standard deviations: roots that are rounded once. Expected digits are those of Python's decimal with 60 digits,
 *     Decimal (n * squares - sum * sum).sqrt () / n * factor
 * rounded by hand, or follow from squares of whole numbers. */

#define LIMIT (G_GINT64_CONSTANT (1) << 62)

static void
assert_root (TsRoot root, TsRational factor, const char *expected)
{
  char  text[TS_NUMBER_SIZE];
  gsize length = ts_root_format (&root, factor, text);

  ck_assert_str_eq (text, expected);
  ck_assert_uint_eq (length, strlen (expected));
}

/* Of the first ones the nearest double has other 15 digits: the comment is the deviation. */
static const struct
{
  gint64      samples[6];
  guint       n;
  TsRational  factor;
  const char *expected;
} deviations[] = {
  { { 92149, 88407, 96760, 49114, 11334 }, 5, { 1, 1 }, "32843.4896525933" },    /* 32843.48965259325180... */
  { { 92149, 88407, 96760, 49114, 11334 }, 5, { 1, 1000 }, "32.8434896525933" },
  { { 40679, 39043, 97496 }, 3, { 1, 1 }, "27177.6076005393" },                  /* 27177.60760053925145... */
  { { 60671, 85479, 39767 }, 3, { 1, 1 }, "18684.5183210295" },                  /* 18684.51832102954932... */
  { { 2514589, 200358, 6310258 }, 3, { 1, 1 }, "2518677.9223527" },              /* 2518677.922352695116... */
  { { 25909, 22129, 31027, 25833, 69484 }, 5, { 1, 1 }, "17533.9522709513" },    /* 17533.95227095134988... */
  { { 9537104, 114519, 3277176, 1629812, 2272543, 3737282 }, 6, { 1, 1 }, "2971735.52505342" }, /* ...05342499... */
  /* whole digits are never dropped: 4347939275110927404.1, 4611686018427387903.75, and that times 10^9 */
  { { -LIMIT, LIMIT, LIMIT }, 3, { 1, 1 }, "4347939275110927404" },
  { { -LIMIT, -LIMIT, LIMIT, LIMIT - 1 }, 4, { 1, 1 }, "4611686018427387904" },
  { { -LIMIT, -LIMIT, LIMIT, LIMIT - 1 }, 4, { 1000000000, 1 }, "4611686018427387903750000000" },
  { { 0, 0, 1 }, 3, { 1, 1 }, "0.471404520791032" }, /* 0.47140452079103168... */
  { { 0, 0, 0, 0, 1 }, 5, { 1, 1 }, "0.4" },
  { { 7, 7, 7 }, 3, { 1, 1 }, "0" },
};

START_TEST (deviations_of_samples_are_rounded_once)
{
  g_autoptr (TsAccumulator) accumulator = ts_accumulator_new (FALSE);

  for (guint i = 0; i < deviations[_i].n; i++)
    ts_accumulator_add (accumulator, deviations[_i].samples[i], i, i + 1, 1);
  assert_root (ts_accumulator_deviation (accumulator), deviations[_i].factor, deviations[_i].expected);
}
END_TEST

/* The square of a whole number is the root of a tie, and one more or less lies beside it. */
static const struct
{
  guint64     root;
  int         beside;
  const char *expected; /* of the root of that, divided by 10^15 */
} ties[] = {
  { G_GUINT64_CONSTANT (1000000000000005), -1, "1" },
  { G_GUINT64_CONSTANT (1000000000000005), 0, "1" },
  { G_GUINT64_CONSTANT (1000000000000005), 1, "1.00000000000001" },
  { G_GUINT64_CONSTANT (1000000000000015), -1, "1.00000000000001" },
  { G_GUINT64_CONSTANT (1000000000000015), 0, "1.00000000000002" },
  { G_GUINT64_CONSTANT (1000000000000015), 1, "1.00000000000002" },
  { G_GUINT64_CONSTANT (9999999999999995), -1, "9.99999999999999" },
  { G_GUINT64_CONSTANT (9999999999999995), 0, "10" },
  { G_GUINT64_CONSTANT (9999999999999995), 1, "10" },
  { G_GUINT64_CONSTANT (10000000000000000), -1, "10" },
  { G_GUINT64_CONSTANT (10000000000000000), 1, "10" },
};

START_TEST (half_of_the_last_digit_goes_to_the_even_one)
{
  const guint64 n = G_GUINT64_CONSTANT (1000000000000000);
  TsUint128     square = (TsUint128) ties[_i].root * ties[_i].root;
  TsRoot        root = { square + (TsUint128) (TsInt128) ties[_i].beside, 0, n, { 1, 1 } };

  assert_root (root, (TsRational){ 1, 1 }, ties[_i].expected);
  /* the scale of the root itself counts as much as that of its unit */
  root.n = 1;
  root.scale = (TsRational){ 7, (TsInt128) n * 100 };
  assert_root (root, (TsRational){ 100, 7 }, ties[_i].expected);
}
END_TEST

START_TEST (long_and_tiny_roots_keep_their_digits)
{
  const TsUint128 all = ~(TsUint128) 0;

  /* just below 2^125 */
  assert_root ((TsRoot){ all, all, 8, { 1, 1 } }, (TsRational){ 1, 1 }, "42535295865117307932921825928971026432");
  /* 2^63 * 2^100 is beyond all times: 2^126 */
  assert_root ((TsRoot){ (TsUint128) 1 << 126, 0, 1, { 1, 1 } }, (TsRational){ (TsInt128) 1 << 100, 1 },
               "85070591730234615865843651857942052864");
  /* 1.41421356237309504...e-9, 2.868529319312600743...e-19, and 8.1440637585...e-38 of which there are 40 places */
  assert_root ((TsRoot){ 2, 0, 1, { 1, 1 } }, (TsRational){ 1, 1000000000 }, "0.0000000014142135623731");
  assert_root ((TsRoot){ 7, 0, G_MAXINT64, { 1, 1 } }, (TsRational){ 1, 1 }, "0.00000000000000000028685293193126");
  assert_root ((TsRoot){ 3, 0, LIMIT, { 1, LIMIT } }, (TsRational){ 1, 1 },
               "0.0000000000000000000000000000000000000814");
}
END_TEST

static void
assert_neat (guint64 square, guint64 n, guint places, const char *expected)
{
  const TsRoot root = { square, 0, n, { 1, 1 } };
  char         text[TS_NUMBER_SIZE];

  ts_root_format_neat (&root, (TsRational){ 1, 1 }, &places, text);
  ck_assert_str_eq (text, expected);
}

START_TEST (columns_have_places_but_for_whole_numbers)
{
  assert_neat (9, 1, 3, "3");
  assert_neat (9, 2, 3, "1.500");
  assert_neat (9, 2, 0, "2");
  assert_neat (25, 2, 0, "2");
  assert_neat (9000001, 1000, 3, "3.000"); /* 3.00000016... */
  assert_neat (2, 1, 6, "1.414214");
  /* 0.0005 and 0.0015, and less than that, whatever six places of it are */
  assert_neat (25, 10000, 3, "0.000");
  assert_neat (225, 10000, 3, "0.002");
  assert_neat (G_GUINT64_CONSTANT (224999999999), G_GUINT64_CONSTANT (316227767), 3, "0.001"); /* 0.00149999999... */
}
END_TEST

START_TEST (roots_are_compared_exactly)
{
  const TsRoot two = { 2, 0, 1, { 1, 1 } }, half = { 9, 0, 6, { 1, 1 } }, none = { 0 };

  /* 1.41421356237309504880168872420969807856967... */
  ck_assert_int_gt (ts_root_compare (&two, ts_rational (G_GINT64_CONSTANT (1414213562373095048),
                                                        G_GINT64_CONSTANT (1000000000000000000))), 0);
  ck_assert_int_lt (ts_root_compare (&two, ts_rational (G_GINT64_CONSTANT (1414213562373095049),
                                                        G_GINT64_CONSTANT (1000000000000000000))), 0);
  ck_assert_int_eq (ts_root_compare (&half, ts_rational (1, 2)), 0);
  ck_assert_int_gt (ts_root_compare (&half, ts_rational (-1, 2)), 0);
  ck_assert (isnan (ts_root_to_double (&none)));
}
END_TEST

START_TEST (fractions_of_roots_round_like_the_roots)
{
  const TsRoot    two = { 2, 0, 1, { 1, 1 } }, third = { 4, 0, 6, { 1, 1 } }, none = { 9, 0, 0, { 1, 1 } };
  const TsUint128 square = (TsUint128) G_GUINT64_CONSTANT (1000000000000005) * G_GUINT64_CONSTANT (1000000000000005);
  const TsRoot    above = { square + 1, 0, G_GUINT64_CONSTANT (1000000000000000), { 1, 1 } };
  char            text[TS_NUMBER_SIZE];

  ck_assert_int_eq (ts_rational_compare (ts_root_to_rational (&third), ts_rational (1, 3)), 0);
  ck_assert_int_gt (ts_root_compare (&two, ts_root_to_rational (&two)), 0);
  ck_assert_int_eq (ts_rational_compare (ts_root_to_rational (&none), ts_rational (0, 1)), 0);
  ts_rational_format_fixed (ts_root_to_rational (&two), 20, text);
  ck_assert_str_eq (text, "1.41421356237309504880");
  /* 1.0000000000000050000000000000004999...: nothing of what lets it be more than a half is among the 24 digits */
  ts_rational_format (ts_root_to_rational (&above), text);
  ck_assert_str_eq (text, "1.00000000000001");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("root");
  TCase *tests = tcase_create ("root");

  tcase_add_loop_test (tests, deviations_of_samples_are_rounded_once, 0, G_N_ELEMENTS (deviations));
  tcase_add_loop_test (tests, half_of_the_last_digit_goes_to_the_even_one, 0, G_N_ELEMENTS (ties));
  tcase_add_test (tests, long_and_tiny_roots_keep_their_digits);
  tcase_add_test (tests, columns_have_places_but_for_whole_numbers);
  tcase_add_test (tests, roots_are_compared_exactly);
  tcase_add_test (tests, fractions_of_roots_round_like_the_roots);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
