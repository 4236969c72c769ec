/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "model/number.h"

/* Fractions of 128 bits. */

TsUint128
ts_greatest_divisor (TsUint128 a, TsUint128 b)
{
  while (b != 0)
    {
      TsUint128 rest = a % b;

      a = b;
      b = rest;
    }
  return a;
}

/* The same for what is nearly everything, with divisions of 64 bits, which are many times faster. */
static TsRational
reduce_narrow (gboolean is_negative, guint64 numerator, guint64 denominator)
{
  guint64 a = numerator, b = denominator;

  while (b != 0)
    {
      guint64 rest = a % b;

      a = b;
      b = rest;
    }
  if (a != 1)
    {
      numerator /= a;
      denominator /= a;
    }
  return (TsRational){ is_negative ? -(TsInt128) numerator : (TsInt128) numerator, (TsInt128) denominator };
}

TsRational
ts_rational (TsInt128 numerator, TsInt128 denominator)
{
  TsUint128 divisor;

  g_assert (denominator > 0);
  if (denominator == 1)
    return (TsRational){ numerator, 1 };
  if (ts_int128_magnitude (numerator) >> 64 == 0 && denominator >> 64 == 0)
    return reduce_narrow (numerator < 0, (guint64) ts_int128_magnitude (numerator), (guint64) denominator);
  divisor = ts_greatest_divisor (ts_int128_magnitude (numerator), (TsUint128) denominator);
  return (TsRational){ numerator / (TsInt128) divisor, denominator / (TsInt128) divisor };
}

/* |@a| * |@b|, but for low bits where that has more than 126: it is the result times 2^*@exponent. */
static TsUint128
multiply_highest (TsInt128 a, TsInt128 b, int *exponent)
{
  TsUint128 factors[2] = { ts_int128_magnitude (a), ts_int128_magnitude (b) };

  *exponent = 0;
  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    for (; factors[i] >> 63 != 0; factors[i] >>= 1)
      ++*exponent;
  return factors[0] * factors[1];
}

gboolean
ts_rational_multiply_exactly (TsRational *a, TsRational *b, TsRational *product)
{
  const TsRational x = ts_rational (a->numerator, b->denominator);
  const TsRational y = ts_rational (b->numerator, a->denominator);

  *a = x;
  *b = y;
  return !__builtin_mul_overflow (x.numerator, y.numerator, &product->numerator)
         && !__builtin_mul_overflow (x.denominator, y.denominator, &product->denominator);
}

/* The same as ts_rational_multiply(), cut to 63 bits or, if it is that small, to 2^-126: what is not 0 does not become 0. */
static TsRational
multiply_cut (TsRational a, TsRational b)
{
  const gboolean is_negative = (a.numerator < 0) != (b.numerator < 0);
  int            exponent, below;
  TsUint128      numerator = multiply_highest (a.numerator, b.numerator, &exponent);
  TsUint128      denominator = multiply_highest (a.denominator, b.denominator, &below);

  for (exponent -= below; denominator >> 63 != 0; denominator >>= 1)
    exponent--;
  for (; numerator >> 126 == 0; numerator <<= 1)
    exponent--;
  for (numerator /= denominator; exponent > 0 && numerator >> 126 == 0; numerator <<= 1)
    exponent--;
  if (exponent > 0)
    return (TsRational){ is_negative ? -TS_INT128_MAX : TS_INT128_MAX, 1 };
  for (; exponent < -126; numerator >>= 1)
    exponent++;
  numerator = MAX (numerator, 1);
  return ts_rational (is_negative ? -(TsInt128) numerator : (TsInt128) numerator, (TsInt128) 1 << -exponent);
}

TsRational
ts_rational_multiply (TsRational a, TsRational b)
{
  TsRational product;

  if (ts_rational_multiply_exactly (&a, &b, &product))
    return ts_rational (product.numerator, product.denominator);
  return multiply_cut (a, b);
}

TsRational
ts_rational_divide (TsRational a, TsRational b)
{
  g_assert (b.numerator != 0);
  if (b.numerator < 0)
    return ts_rational_multiply (a, (TsRational){ -b.denominator, -b.numerator });
  return ts_rational_multiply (a, (TsRational){ b.denominator, b.numerator });
}

TsRational
ts_rational_subtract (TsRational a, TsRational b)
{
  for (;;)
    {
      TsInt128 common = (TsInt128) ts_greatest_divisor ((TsUint128) a.denominator, (TsUint128) b.denominator);
      TsInt128 left, right, numerator, denominator;
      gboolean too_large = __builtin_mul_overflow (a.numerator, b.denominator / common, &left);

      too_large |= __builtin_mul_overflow (b.numerator, a.denominator / common, &right);
      too_large |= __builtin_mul_overflow (a.denominator, b.denominator / common, &denominator);
      if (!too_large && !__builtin_sub_overflow (left, right, &numerator))
        return ts_rational (numerator, denominator);

      /* the finer of the two loses its lowest bit above and below, which keeps its value */
      if (a.denominator == 1 && b.denominator == 1)
        return (TsRational){ a.numerator > 0 ? TS_INT128_MAX : -TS_INT128_MAX, 1 };
      if (a.denominator > b.denominator)
        a = (TsRational){ a.numerator / 2, a.denominator / 2 };
      else
        b = (TsRational){ b.numerator / 2, b.denominator / 2 };
    }
}

/* Rounded towards minus infinity, so that *@rest is never negative. */
static TsInt128
floor_divide (TsRational value, TsInt128 *rest)
{
  TsInt128 whole = value.numerator / value.denominator;

  /* what is modular need not fit meanwhile */
  *rest = (TsInt128) ((TsUint128) value.numerator - (TsUint128) whole * (TsUint128) value.denominator);
  if (*rest >= 0)
    return whole;
  *rest += value.denominator;
  return whole - 1;
}

/* By their continued fractions: exact whatever the size, for nothing is multiplied up. */
int
ts_rational_compare (TsRational a, TsRational b)
{
  for (int sign = 1;; sign = -sign)
    {
      TsInt128 rest_a, rest_b;
      TsInt128 whole_a = floor_divide (a, &rest_a);
      TsInt128 whole_b = floor_divide (b, &rest_b);

      if (whole_a != whole_b)
        return whole_a < whole_b ? -sign : sign;
      if (rest_a == 0 || rest_b == 0)
        return rest_a == rest_b ? 0 : rest_a == 0 ? -sign : sign;
      a = (TsRational){ a.denominator, rest_a };
      b = (TsRational){ b.denominator, rest_b };
    }
}

double
ts_rational_to_double (TsRational value)
{
  if (ts_rational_is_narrow (value))
    return (double) ((long double) (gint64) value.numerator / (long double) (gint64) value.denominator);
  return (double) ((long double) value.numerator / (long double) value.denominator);
}
