/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "model/number.h"
#include "model/wide.h"

/* Products of which 128 bits do not hold a half, for printing: rounded as if all their digits were known. */

#define MOST_PLACES 37    /* as many make a denominator of which twice as much fits, and more */
#define TOO_LONG 0x1p122L /* so that a digit more fits, whatever the estimate is off */
#define MOST (((TsUint128) 1 << 126) - 1)
#define FEW_DIGITS 1e20L

/* |a * b| * @times against @value. */
static int
compare (TsRational a, TsRational b, TsUint128 times, TsUint128 value)
{
  TsWide left = { { 1 } }, right = { { 1 } };

  ts_wide_multiply (&left, ts_int128_magnitude (a.numerator));
  ts_wide_multiply (&left, ts_int128_magnitude (b.numerator));
  ts_wide_multiply (&left, times);
  ts_wide_multiply (&right, (TsUint128) a.denominator);
  ts_wide_multiply (&right, (TsUint128) b.denominator);
  ts_wide_multiply (&right, value);
  return ts_wide_compare (&left, &right);
}

/* The last number that |a * b| * @times is not below. */
static TsUint128
round_down (TsRational a, TsRational b, TsUint128 times)
{
  TsUint128 least = 0, most = MOST;

  while (least < most)
    {
      TsUint128 middle = least + (most - least + 1) / 2;

      if (compare (a, b, times, middle) < 0)
        most = middle - 1;
      else
        least = middle;
    }
  return least;
}

static TsRational
multiply_wide (TsRational a, TsRational b)
{
  long double estimate = fabsl ((long double) a.numerator / (long double) a.denominator * (long double) b.numerator
                                / (long double) b.denominator);
  gboolean    is_negative = (a.numerator < 0) != (b.numerator < 0);
  TsUint128   power = 1, number;
  int         order;

  for (guint places = 0; places < MOST_PLACES && estimate * 10 < TOO_LONG; places++)
    {
      power *= 10;
      estimate *= 10;
    }
  /* so little that it needs more places than there are */
  if (estimate < FEW_DIGITS)
    return ts_rational_multiply (a, b);
  number = round_down (a, b, power);
  if (power == 1)
    {
      order = compare (a, b, 2, 2 * number + 1);
      number += order > 0 || (order == 0 && (number & 1) != 0) ? 1 : 0;
    }
  else if (number % 5 == 0 && compare (a, b, power, number) != 0)
    number++;
  return (TsRational){ is_negative ? -(TsInt128) number : (TsInt128) number, (TsInt128) power };
}

TsRational
ts_rational_multiply_to_print (TsRational a, TsRational b)
{
  TsRational product;

  return ts_rational_multiply_exactly (&a, &b, &product) ? product : multiply_wide (a, b);
}
