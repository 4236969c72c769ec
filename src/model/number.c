/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include <tracestat/number.h>

/* A spreadsheet's double holds 15 decimal digits; more would be lost there unnoticed. */
#define SIGNIFICANT_DIGITS 15
#define MAX_PLACES 40

static TsUint128
magnitude (TsInt128 value)
{
  return value < 0 ? -(TsUint128) value : (TsUint128) value;
}

static TsUint128
greatest_common_divisor (TsUint128 a, TsUint128 b)
{
  while (b != 0)
    {
      TsUint128 rest;

      /* 64-bit division is many times faster, and nearly always enough */
      if ((a >> 64) == 0 && (b >> 64) == 0)
        rest = (guint64) a % (guint64) b;
      else
        rest = a % b;
      a = b;
      b = rest;
    }
  return a;
}

TsRational
ts_rational (TsInt128 numerator, TsInt128 denominator)
{
  TsUint128 divisor;

  g_assert (denominator > 0);
  divisor = greatest_common_divisor (magnitude (numerator), (TsUint128) denominator);
  return (TsRational){ numerator / (TsInt128) divisor, denominator / (TsInt128) divisor };
}

TsRational
ts_rational_multiply (TsRational a, TsRational b)
{
  TsRational x = ts_rational (a.numerator, b.denominator);
  TsRational y = ts_rational (b.numerator, a.denominator);
  TsInt128   numerator, denominator;

  for (;;)
    {
      gboolean too_large = __builtin_mul_overflow (x.numerator, y.numerator, &numerator);

      too_large |= __builtin_mul_overflow (x.denominator, y.denominator, &denominator);
      if (!too_large)
        return ts_rational (numerator, denominator);

      /* halve the longest factor above and the longest below: their low bits are below 1e-18 of the value */
      if (magnitude (x.numerator) > magnitude (y.numerator))
        x.numerator /= 2;
      else
        y.numerator /= 2;
      if (x.denominator > y.denominator)
        x.denominator = MAX (x.denominator / 2, 1);
      else
        y.denominator = MAX (y.denominator / 2, 1);
    }
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
  TsInt128 common = (TsInt128) greatest_common_divisor (a.denominator, b.denominator);
  TsInt128 left, right, numerator, denominator;

  for (;;)
    {
      gboolean too_large = __builtin_mul_overflow (a.numerator, b.denominator / common, &left);

      too_large |= __builtin_mul_overflow (b.numerator, a.denominator / common, &right);
      too_large |= __builtin_mul_overflow (a.denominator, b.denominator / common, &denominator);
      if (!too_large && !__builtin_sub_overflow (left, right, &numerator))
        return ts_rational (numerator, denominator);
      common = 1;
      a = (TsRational){ a.numerator / 2, MAX (a.denominator / 2, 1) };
      b = (TsRational){ b.numerator / 2, MAX (b.denominator / 2, 1) };
    }
}

int
ts_rational_compare (TsRational a, TsRational b)
{
  TsInt128 difference = ts_rational_subtract (a, b).numerator;

  return difference < 0 ? -1 : difference > 0;
}

double
ts_rational_to_double (TsRational value)
{
  return (double) ((long double) value.numerator / (long double) value.denominator);
}

static guint
write_digits (TsUint128 value, char *buffer)
{
  char  reversed[48];
  guint n = 0;

  do
    reversed[n++] = (char) ('0' + (int) (value % 10));
  while ((value /= 10) != 0);
  for (guint i = 0; i < n; i++)
    buffer[i] = reversed[n - 1 - i];
  return n;
}

/* Adds one to the decimal in digits[0..n), which has room for a carry in front of it. */
static gboolean
round_up (char *digits, guint n)
{
  while (n-- > 0)
    {
      if (digits[n] == '.')
        continue;
      if (digits[n] != '9')
        {
          digits[n]++;
          return FALSE;
        }
      digits[n] = '0';
    }
  return TRUE;
}

static gsize
format_places (TsRational value, guint places, gboolean trim, char *buffer)
{
  TsUint128 denominator = (TsUint128) value.denominator;
  TsUint128 number = magnitude (value.numerator);
  TsUint128 rest;
  char      digits[TS_NUMBER_SIZE];
  guint     n, whole_digits;
  gsize     length = 0;
  gboolean  is_zero = TRUE;

  while (denominator >> 123 != 0)
    {
      denominator >>= 1;
      number >>= 1;
    }
  n = write_digits (number / denominator, digits);
  whole_digits = n;
  rest = number % denominator;

  if (trim)
    {
      /* leading zeros of a value below 1 are not significant */
      guint spare = whole_digits < SIGNIFICANT_DIGITS ? SIGNIFICANT_DIGITS - whole_digits : 0;

      if (digits[0] == '0')
        {
          TsUint128 scaled = rest;

          spare = SIGNIFICANT_DIGITS;
          while (scaled != 0 && (scaled *= 10) < denominator && spare < MAX_PLACES)
            spare++;
        }
      places = MIN (places, spare);
    }

  if (places > 0)
    digits[n++] = '.';
  for (guint i = 0; i < places; i++)
    {
      rest *= 10;
      digits[n++] = (char) ('0' + (int) (rest / denominator));
      rest %= denominator;
    }

  /* half to even, as the contract of the reports demands */
  if (rest * 2 > denominator || (rest * 2 == denominator && ((digits[n - 1] - '0') & 1)))
    {
      if (round_up (digits, n))
        {
          memmove (digits + 1, digits, n);
          digits[0] = '1';
          n++;
        }
    }
  if (trim && places > 0)
    {
      while (digits[n - 1] == '0')
        n--;
      if (digits[n - 1] == '.')
        n--;
    }

  for (guint i = 0; i < n && is_zero; i++)
    is_zero = digits[i] == '0' || digits[i] == '.';
  if (value.numerator < 0 && !is_zero)
    buffer[length++] = '-';
  memcpy (buffer + length, digits, n);
  length += n;
  buffer[length] = '\0';
  return length;
}

gsize
ts_rational_format (TsRational value, char *buffer)
{
  return format_places (value, MAX_PLACES, TRUE, buffer);
}

gsize
ts_rational_format_fixed (TsRational value, guint places, char *buffer)
{
  return format_places (value, MIN (places, 20), FALSE, buffer);
}

gsize
ts_real_format (double value, char *buffer)
{
  TsRational exact = { 0, 1 };
  int        exponent;
  double     fraction = frexp (value, &exponent);

  if (!isfinite (value))
    return g_strlcpy (buffer, "", TS_NUMBER_SIZE);

  /* a double is a whole number times a power of two */
  exact.numerator = (TsInt128) ldexp (fraction, 53);
  exponent -= 53;
  if (exponent > 0)
    exact.numerator = exponent < 70 ? exact.numerator << exponent : (TsInt128) value;
  for (; exponent < 0; exponent++)
    {
      if (exact.numerator % 2 == 0)
        exact.numerator /= 2;
      else if (exact.denominator >> 120 == 0)
        exact.denominator *= 2;
      else
        exact.numerator /= 2;
    }
  return ts_rational_format (exact, buffer);
}

gboolean
ts_rational_parse (const char *text, TsRational *value)
{
  TsInt128 numerator = 0, denominator = 1;
  guint    digits = 0;
  gboolean negative = *text == '-', point = FALSE;

  if (*text == '-' || *text == '+')
    text++;
  if (!g_ascii_isdigit (*text))
    return FALSE;
  for (; *text != '\0'; text++)
    {
      if (*text == '.' && !point && g_ascii_isdigit (text[1]))
        {
          point = TRUE;
          continue;
        }
      if (!g_ascii_isdigit (*text) || ++digits > 18)
        return FALSE;
      numerator = numerator * 10 + (*text - '0');
      if (point)
        denominator *= 10;
    }
  *value = ts_rational (negative ? -numerator : numerator, denominator);
  return TRUE;
}
