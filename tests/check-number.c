/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <float.h>
#include <math.h>

#include <tracestat/number.h>

#include "model/number.h"
#include "unit.h"

static void
assert_format (TsRational value, const char *expected)
{
  char  text[TS_NUMBER_SIZE];
  gsize length = ts_rational_format (value, text);

  ck_assert_str_eq (text, expected);
  ck_assert_uint_eq (length, strlen (expected));
}

static void
assert_fixed (TsInt128 numerator, TsInt128 denominator, guint places, const char *expected)
{
  char text[TS_NUMBER_SIZE];

  ts_rational_format_fixed ((TsRational){ numerator, denominator }, places, text);
  ck_assert_str_eq (text, expected);
}

static TsInt128
power_of_ten (guint n)
{
  TsInt128 power = 1;

  while (n-- > 0)
    power *= 10;
  return power;
}

START_TEST (integers_are_written_whole)
{
  assert_format ((TsRational){ 0, 1 }, "0");
  assert_format ((TsRational){ 0, 7 }, "0");
  assert_format ((TsRational){ -42, 1 }, "-42");
  assert_format ((TsRational){ 84, 2 }, "42");
  assert_format ((TsRational){ G_MAXINT64, 1 }, "9223372036854775807");
  assert_format ((TsRational){ G_MININT64, 1 }, "-9223372036854775808");
  assert_format ((TsRational){ G_MAXUINT64, 1 }, "18446744073709551615");
  assert_format ((TsRational){ (TsInt128) G_MAXUINT64 + 1, 1 }, "18446744073709551616");
  assert_format ((TsRational){ power_of_ten (38), 1 }, "100000000000000000000000000000000000000");
  assert_format ((TsRational){ -power_of_ten (38), 1 }, "-100000000000000000000000000000000000000");
}
END_TEST

START_TEST (decimals_have_fifteen_significant_digits)
{
  assert_format ((TsRational){ 1, 2 }, "0.5");
  assert_format ((TsRational){ 1, 3 }, "0.333333333333333");
  assert_format ((TsRational){ -2, 3 }, "-0.666666666666667");
  assert_format ((TsRational){ 400, 3 }, "133.333333333333");
  assert_format ((TsRational){ 1, 30000 }, "0.0000333333333333333");
  assert_format ((TsRational){ 123456789012345, 1000 }, "123456789012.345");
  /* the sixteenth digit goes, also on the way of 128 bits */
  assert_format ((TsRational){ 1234567890123456, 1000 }, "1234567890123.46");
  assert_format ((TsRational){ 1234567890123456 * power_of_ten (10), 1000 * power_of_ten (10) }, "1234567890123.46");
  /* a denominator so large that ten times the rest would not fit */
  assert_format ((TsRational){ (TsInt128) 1 << 125, (TsInt128) 3 << 124 }, "0.666666666666667");
  /* digits before the point are kept, however many */
  assert_format ((TsRational){ 12345678901234567, 10 }, "1234567890123457");
  assert_format ((TsRational){ power_of_ten (30) + 1, 10 }, "100000000000000000000000000000");
}
END_TEST

START_TEST (ties_go_to_the_even_digit)
{
  assert_fixed (1, 2, 0, "0");
  assert_fixed (3, 2, 0, "2");
  assert_fixed (5, 2, 0, "2");
  assert_fixed (-3, 2, 0, "-2");
  assert_fixed (-5, 2, 0, "-2");
  assert_fixed (125, 1000, 2, "0.12");
  assert_fixed (135, 1000, 2, "0.14");
  assert_fixed (-125, 1000, 2, "-0.12");
  assert_fixed (125 * power_of_ten (20), power_of_ten (23), 2, "0.12");
  assert_fixed (135 * power_of_ten (20), power_of_ten (23), 2, "0.14");
  /* 15 digits and a half */
  assert_format ((TsRational){ 1000000000000005, 10 }, "100000000000000");
  assert_format ((TsRational){ 1000000000000015, 10 }, "100000000000002");
  assert_format ((TsRational){ 1000000000000025, 10 }, "100000000000002");
  /* no tie at all */
  assert_format ((TsRational){ 10000000000000251, 100 }, "100000000000003");
}
END_TEST

START_TEST (rounding_carries)
{
  assert_fixed (99995, 100, 1, "1000.0");
  assert_fixed (99994, 100, 1, "999.9");
  assert_fixed (999, 1000, 2, "1.00");
  assert_fixed (-999, 1000, 2, "-1.00");
  assert_format ((TsRational){ 9999999999999995, 10 }, "1000000000000000");
  assert_format ((TsRational){ 99999999999999995, 1000 }, "100000000000000");
  assert_format ((TsRational){ power_of_ten (17) - 1, power_of_ten (17) }, "1");
  assert_format ((TsRational){ power_of_ten (17) - 1, power_of_ten (18) }, "0.1");
}
END_TEST

START_TEST (nothing_is_minus_zero)
{
  assert_fixed (-1, 1000, 2, "0.00");
  assert_fixed (-1, 3, 0, "0");
  assert_fixed (-power_of_ten (20), power_of_ten (24), 2, "0.00");
}
END_TEST

START_TEST (tiny_values_have_no_exponent)
{
  assert_format ((TsRational){ 1, power_of_ten (18) }, "0.000000000000000001");
  assert_format ((TsRational){ -15, power_of_ten (19) }, "-0.0000000000000000015");
  assert_format ((TsRational){ 1, 3 * power_of_ten (18) }, "0.000000000000000000333333333333333");
  /* 2^-126 is 1.1754943508222875...e-38, which has three digits in 40 places */
  assert_format ((TsRational){ 1, (TsInt128) 1 << 126 }, "0.0000000000000000000000000000000000000118");
}
END_TEST

START_TEST (exact_decimals_have_all_their_digits)
{
  char text[TS_NUMBER_SIZE];
  const struct
  {
    TsRational  value;
    const char *text;
  } cases[] = {
    { { 3000000370370353, 1000000000 }, "3000000.370370353" },
    { { -1999999999999999999, power_of_ten (18) }, "-1.999999999999999999" },
    { { 1500, 1000 }, "1.5" },
    { { 0, 1000 }, "0" },
    { { 3 * (power_of_ten (18) + 1), 6 * power_of_ten (18) }, "0.5000000000000000005" },
    { { 1, (TsInt128) 1 << 40 }, "0.0000000000009094947017729282379150390625" }, /* 5^40 / 10^40 */
    { { 1, (TsInt128) 1 << 41 }, "0.000000000000454747350886464" },
    /* the largest denominators that there are: ten times what is left fits in no number */
    { { 1, power_of_ten (38) }, "0.00000000000000000000000000000000000001" },
    { { 1 - power_of_ten (38), power_of_ten (38) }, "-0.99999999999999999999999999999999999999" },
    { { 3 * power_of_ten (37) + 7, power_of_ten (38) }, "0.30000000000000000000000000000000000007" },
    { { 2000000000000000001, 3 }, "666666666666666667" },
    { { 200, 3 }, "66.6666666666667" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      ck_assert_uint_eq (ts_rational_format_exact (cases[i].value, text), strlen (cases[i].text));
      ck_assert_str_eq (text, cases[i].text);
    }
}
END_TEST
/* The quick way for 64 bits and the long one must not differ: the same value, written both ways. */
START_TEST (both_ways_of_formatting_agree)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (guint i = 0; i < 20000; i++)
    {
      gint64   bits = (gint64) g_rand_int (random) << 31 | g_rand_int (random);
      gint64   numerator = bits >> g_rand_int_range (random, 0, 62);
      gint64   denominator = ((gint64) g_rand_int (random) + 1) << g_rand_int_range (random, 0, 20);
      TsInt128 factor = (TsInt128) 1 << 62;
      guint    places = (guint) g_rand_int_range (random, 0, 12);
      char     quick[TS_NUMBER_SIZE], slow[TS_NUMBER_SIZE];

      if (g_rand_boolean (random))
        numerator = -numerator;
      ts_rational_format ((TsRational){ numerator, denominator }, quick);
      ts_rational_format ((TsRational){ numerator * factor, denominator * factor }, slow);
      ck_assert_str_eq (quick, slow);
      ts_rational_format_fine ((TsRational){ numerator, denominator }, quick);
      ts_rational_format_fine ((TsRational){ numerator * factor, denominator * factor }, slow);
      ck_assert_str_eq (quick, slow);
      numerator %= 1000000;
      denominator = denominator % 100000 + 1;
      ts_rational_format_fixed ((TsRational){ numerator, denominator }, places, quick);
      ts_rational_format_fixed ((TsRational){ numerator * factor, denominator * factor }, places, slow);
      ck_assert_str_eq (quick, slow);
    }
}
END_TEST

static void
assert_neat (TsInt128 numerator, TsInt128 denominator, const char *expected, guint n_places)
{
  /* the quick way, and the long one */
  for (TsInt128 factor = 1; factor <= (TsInt128) 1 << 62; factor <<= 62)
    {
      guint places = 2;
      char  text[TS_NUMBER_SIZE];
      gsize length = ts_rational_format_neat ((TsRational){ numerator * factor, denominator * factor }, &places, text);

      ck_assert_str_eq (text, expected);
      ck_assert_uint_eq (length, strlen (expected));
      ck_assert_uint_eq (places, n_places);
    }
}

START_TEST (neat_numbers_have_all_places_or_none)
{
  assert_neat (6, 3, "2", 0);
  assert_neat (-6, 1, "-6", 0);
  assert_neat (0, 7, "0", 0);
  assert_neat (7, 2, "3.50", 2);
  assert_neat (-1, 3, "-0.33", 2);
  assert_neat (1999, 1000, "2.00", 2);
  assert_neat (-1, 1000, "0.00", 2);
}
END_TEST

START_TEST (whole_numbers_have_any_length)
{
  gint64 value = 0;

  /* 1, 12, ... to 1234567890123456789 */
  for (guint n = 1; n <= 19; n++)
    {
      const char      *digits = "1234567890123456789";
      g_autofree char *expected = g_strndup (digits, n), *negative = g_strdup_printf ("-%s", expected);
      char             text[TS_NUMBER_SIZE];

      value = value * 10 + (digits[n - 1] - '0');
      ck_assert_uint_eq (ts_whole_format (value, text), n);
      ck_assert_str_eq (text, expected);
      ck_assert_uint_eq (ts_whole_format (-value, text), n + 1);
      ck_assert_str_eq (text, negative);
    }
  assert_format ((TsRational){ 0, 1 }, "0");
  assert_format ((TsRational){ 99999999, 1 }, "99999999");
  assert_format ((TsRational){ 100000000, 1 }, "100000000");
  assert_format ((TsRational){ G_GINT64_CONSTANT (1000000000000000000), 1 }, "1000000000000000000");
  assert_format ((TsRational){ G_MAXINT64, 1 }, "9223372036854775807");
  assert_format ((TsRational){ G_MININT64, 1 }, "-9223372036854775808");
  assert_format ((TsRational){ -(TsInt128) G_MININT64, 1 }, "9223372036854775808");
}
END_TEST

/* They are put together from pieces of 8 and of 18 digits, each of which may begin with zeros. */
START_TEST (pieces_of_wide_numbers_keep_their_zeros)
{
  char text[TS_NUMBER_SIZE], expected[TS_NUMBER_SIZE];

  for (guint n = 1; n < 38; n++)
    {
      gsize length = ts_int128_format (power_of_ten (n), text);

      ck_assert_uint_eq (length, n + 1);
      g_snprintf (expected, sizeof expected, "1%0*d", (int) n, 0);
      ck_assert_str_eq (text, expected);
      ts_int128_format (power_of_ten (n) - 1, text);
      memset (expected, '9', n);
      expected[n] = '\0';
      ck_assert_str_eq (text, expected);
      ts_int128_format (-power_of_ten (n) - 7, text);
      g_snprintf (expected, sizeof expected, n > 1 ? "-1%0*d" : "-17", (int) n, 7);
      ck_assert_str_eq (text, expected);
    }
  /* 2^128 */
  ck_assert_uint_eq (ts_uint192_format (0, 1, text), 39);
  ck_assert_str_eq (text, "340282366920938463463374607431768211456");
}
END_TEST

START_TEST (reals_are_written_like_fractions)
{
  char text[TS_NUMBER_SIZE];

  ts_real_format (0.0, text);
  ck_assert_str_eq (text, "0");
  ts_real_format (0.1, text);
  ck_assert_str_eq (text, "0.1");
  ts_real_format (-2.5, text);
  ck_assert_str_eq (text, "-2.5");
  ts_real_format (146.93961345, text);
  ck_assert_str_eq (text, "146.93961345");
  ts_real_format (1e18, text);
  ck_assert_str_eq (text, "1000000000000000000");
  ts_real_format (1e-18, text);
  ck_assert_str_eq (text, "0.000000000000000001");
  ts_real_format (1152921504606846976.0 * 1024, text);
  ck_assert_str_eq (text, "1180591620717411303424");
  /* no time is this long, but nothing breaks */
  ck_assert_uint_gt (ts_real_format (DBL_MAX, text), 0);
  ck_assert_uint_gt (ts_real_format (DBL_MIN, text), 0);
  ck_assert_uint_eq (ts_real_format ((double) NAN, text), 0);
  ck_assert_uint_eq (ts_real_format ((double) INFINITY, text), 0);
}
END_TEST

/* Whole numbers of 2^-120 are what is left of them, and there are 40 places: 2^-120 is 7.523163...e-37. */
START_TEST (tiny_reals_lose_their_lowest_bits)
{
  char text[TS_NUMBER_SIZE];

  ts_real_format (0x1p-120, text);
  ck_assert_str_eq (text, "0.0000000000000000000000000000000000007523");
  ts_real_format (-0x1.8p-120, text);
  ck_assert_str_eq (text, "-0.0000000000000000000000000000000000007523");
  ts_real_format (0x1.8p-119, text);
  ck_assert_str_eq (text, "0.0000000000000000000000000000000000022569");
  /* beyond the last bit, as far as 64 and more, and the smallest one, which has no leading 1 */
  ts_real_format (-0x1.8p-121, text);
  ck_assert_str_eq (text, "0");
  ts_real_format (0x1.fffffffffffffp-132, text);
  ck_assert_str_eq (text, "0");
  ts_real_format (0x1.fffffffffffffp-133, text);
  ck_assert_str_eq (text, "0");
  ts_real_format (-0x1p-1074, text);
  ck_assert_str_eq (text, "0");
  ts_real_format (-0.0, text);
  ck_assert_str_eq (text, "0");
}
END_TEST

/* 10^15 is where whole numbers are no longer written as such, 2^53 where doubles have no halves. */
START_TEST (whole_reals_are_written_as_whole_numbers)
{
  char text[TS_NUMBER_SIZE];

  ts_real_format (99999999.5, text);
  ck_assert_str_eq (text, "99999999.5");
  ts_real_format (-100000000.0, text);
  ck_assert_str_eq (text, "-100000000");
  ts_real_format (999999999999999.0, text);
  ck_assert_str_eq (text, "999999999999999");
  /* there are no places left for the half, which goes to the even number */
  ts_real_format (999999999999999.5, text);
  ck_assert_str_eq (text, "1000000000000000");
  ts_real_format (-1000000000000000.0, text);
  ck_assert_str_eq (text, "-1000000000000000");
  ts_real_format (1000000000000001.0, text);
  ck_assert_str_eq (text, "1000000000000001");
  ts_real_format (9007199254740994.0, text);
  ck_assert_str_eq (text, "9007199254740994");
  ts_real_format (-0x1p63, text);
  ck_assert_str_eq (text, "-9223372036854775808");
}
END_TEST

START_TEST (fractions_are_reduced_and_compared_exactly)
{
  TsRational reduced = ts_rational (-6, 4);
  TsRational huge = { power_of_ten (37), 3 }, huger = { power_of_ten (37) + 1, 3 };

  ck_assert (reduced.numerator == -3 && reduced.denominator == 2);
  ck_assert_int_eq (ts_rational_compare ((TsRational){ 1, 3 }, (TsRational){ 2, 6 }), 0);
  ck_assert_int_eq (ts_rational_compare ((TsRational){ 1, 3 }, (TsRational){ 1, 2 }), -1);
  ck_assert_int_eq (ts_rational_compare ((TsRational){ -1, 3 }, (TsRational){ -1, 2 }), 1);
  ck_assert_int_eq (ts_rational_compare ((TsRational){ -1, 3 }, (TsRational){ 0, 1 }), -1);
  ck_assert_int_eq (ts_rational_compare ((TsRational){ 7, 1 }, (TsRational){ 22, 3 }), -1);
  /* products of these would need 250 bits */
  ck_assert_int_eq (ts_rational_compare (huge, huger), -1);
  ck_assert_int_eq (ts_rational_compare ((TsRational){ huge.numerator, power_of_ten (36) },
                                         (TsRational){ huge.numerator - 1, power_of_ten (36) }),
                    1);
  reduced = ts_rational_subtract ((TsRational){ 1, 6 }, (TsRational){ 1, 4 });
  ck_assert (reduced.numerator == -1 && reduced.denominator == 12);
  /* what does not fit is as near as can be */
  reduced = ts_rational_subtract ((TsRational){ TS_INT128_MAX, 1 }, (TsRational){ -1, 1 });
  ck_assert (reduced.numerator == TS_INT128_MAX && reduced.denominator == 1);
  reduced = ts_rational_subtract ((TsRational){ -TS_INT128_MAX, 1 }, (TsRational){ 2, 1 });
  ck_assert (reduced.numerator == -TS_INT128_MAX && reduced.denominator == 1);
  /* 2 + 10^-25 less 1/3 - 10^-26 */
  reduced = ts_rational_subtract ((TsRational){ 2 * power_of_ten (25) + 27, power_of_ten (25) + 13 },
                                  (TsRational){ power_of_ten (25) + 27, 3 * power_of_ten (25) + 82 });
  assert_format (reduced, "1.66666666666667");
  reduced = ts_rational_divide ((TsRational){ 1, 2 }, (TsRational){ -3, 4 });
  ck_assert (reduced.numerator == -2 && reduced.denominator == 3);
  reduced = ts_rational_multiply ((TsRational){ power_of_ten (30), 7 }, (TsRational){ 14, power_of_ten (30) });
  ck_assert (reduced.numerator == 2 && reduced.denominator == 1);
}
END_TEST

/* Halves of 128 bits hold none of these products: 10^38 is the largest power of ten of which they hold all multiples. */
START_TEST (products_are_cut_for_printing)
{
  const TsInt128 large = power_of_ten (20), most = G_MAXINT64;
  const struct
  {
    TsRational  a, b;
    const char *text, *places; /* with six of them */
  } cases[] = {
    /* 7 * 10^21 + 7 * 10^21 / (2^63 - 2), which is 758.9415207... */
    { { 7 * power_of_ten (12), 1 }, { most * power_of_ten (9), most - 1 }, "7000000000000000000759",
      "7000000000000000000758.941521" },
    { { -7 * power_of_ten (12), 1 }, { most * power_of_ten (9), most - 1 }, "-7000000000000000000759",
      "-7000000000000000000758.941521" },
    /* 10^30 + 12 * 10^10 + 27 * 10^-10, of which six places are there, and that there is more */
    { { large + 3, 1 }, { large + 9, power_of_ten (10) }, "1000000000000000000120000000000",
      "1000000000000000000120000000000.000001" },
    /* 10^36 + 12 * 10^16 + 0.0027, and 10^36 + 1012 * 10^16 + 0.9027 */
    { { large + 3, 1 }, { large + 9, power_of_ten (4) }, "1000000000000000000120000000000000000",
      "1000000000000000000120000000000000000.000000" },
    { { large + 1003, 1 }, { large + 9, power_of_ten (4) }, "1000000000000000010120000000000000001",
      "1000000000000000010120000000000000001.000000" },
    /* so little that 37 places would cut it: 2/3 * 10^-22 */
    { { 2 * power_of_ten (30) + 7, 3 * power_of_ten (37) + 1 }, { power_of_ten (22) + 9, power_of_ten (37) + 9 },
      "0.0000000000000000000000666666666666667", "0.000000" },
    /* what fits is exact: (2^63 - 1) / 2 */
    { { most, 3 }, { 3, 2 }, "4611686018427387904", "4611686018427387903.500000" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      TsRational product = ts_rational_multiply_to_print (cases[i].a, cases[i].b);
      char       text[TS_NUMBER_SIZE];

      assert_format (product, cases[i].text);
      ts_rational_format_fixed (product, 6, text);
      ck_assert_str_eq (text, cases[i].places);
    }
}
END_TEST

/* What is left of a denominator is up to 2^126. */
START_TEST (products_that_do_not_fit_keep_what_they_can)
{
  const TsInt128   third = G_GINT64_CONSTANT (205891132094649); /* 3^30 */
  const TsRational large = { power_of_ten (30), third * third }, tiny = { 1, third * third };
  const TsRational power = { (TsInt128) 1 << 125, 1 };
  const double     many = pow (3, 60);
  TsRational       product = ts_rational_multiply (large, large);

  ck_assert (fabs (ts_rational_to_double (product) / pow (1e30 / many, 2) - 1) < 1e-15);
  /* 1.65e-36, 140 parts of that */
  product = ts_rational_multiply ((TsRational){ -7000, third * third }, (TsRational){ 1, power_of_ten (11) });
  ck_assert (fabs (ts_rational_to_double (product) / (-7000 / many / 1e11) - 1) < 1.0 / 140);
  product = ts_rational_multiply (tiny, tiny);
  ck_assert (product.numerator == 1 && product.denominator == (TsInt128) 1 << 126);
  product = ts_rational_multiply (power, power);
  ck_assert (product.numerator > power.numerator && product.denominator == 1);
  product = ts_rational_multiply (power, (TsRational){ -power.numerator, 3 });
  ck_assert (product.numerator < -power.numerator && product.denominator == 1);
  /* low bits alone are lost */
  product = ts_rational_multiply ((TsRational){ power.numerator + 1, 10 }, (TsRational){ 7, 3 });
  ck_assert (fabs (ts_rational_to_double (product) / (ldexp (1, 125) * 7 / 30) - 1) < 1e-15);
}
END_TEST

START_TEST (decimals_are_parsed_exactly_or_refused)
{
  static const char *const bad[] = { "", "-", "+", ".5", "5.", "1e3", "0x1", " 1", "1 ", "1,5", "1.2.3", "--1",
                                     "1234567890123456789" };
  TsRational               value;

  ck_assert (ts_rational_parse ("12.50", &value));
  ck_assert (value.numerator == 25 && value.denominator == 2);
  ck_assert (ts_rational_parse ("-0.125", &value));
  ck_assert (value.numerator == -1 && value.denominator == 8);
  ck_assert (ts_rational_parse ("+7", &value));
  ck_assert (value.numerator == 7 && value.denominator == 1);
  ck_assert (ts_rational_parse ("123456789012345678", &value));
  ck_assert (value.numerator == G_GINT64_CONSTANT (123456789012345678));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    ck_assert_msg (!ts_rational_parse (bad[i], &value), "`%s' was taken for a number", bad[i]);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("number");
  TCase *numbers = tcase_create ("numbers");

  tcase_add_test (numbers, integers_are_written_whole);
  tcase_add_test (numbers, decimals_have_fifteen_significant_digits);
  tcase_add_test (numbers, ties_go_to_the_even_digit);
  tcase_add_test (numbers, rounding_carries);
  tcase_add_test (numbers, nothing_is_minus_zero);
  tcase_add_test (numbers, tiny_values_have_no_exponent);
  tcase_add_test (numbers, exact_decimals_have_all_their_digits);
  tcase_add_test (numbers, both_ways_of_formatting_agree);
  tcase_add_test (numbers, neat_numbers_have_all_places_or_none);
  tcase_add_test (numbers, whole_numbers_have_any_length);
  tcase_add_test (numbers, pieces_of_wide_numbers_keep_their_zeros);
  tcase_add_test (numbers, reals_are_written_like_fractions);
  tcase_add_test (numbers, tiny_reals_lose_their_lowest_bits);
  tcase_add_test (numbers, whole_reals_are_written_as_whole_numbers);
  tcase_add_test (numbers, fractions_are_reduced_and_compared_exactly);
  tcase_add_test (numbers, products_are_cut_for_printing);
  tcase_add_test (numbers, products_that_do_not_fit_keep_what_they_can);
  tcase_add_test (numbers, decimals_are_parsed_exactly_or_refused);
  suite_add_tcase (suite, numbers);
  return unit_run (suite);
}
