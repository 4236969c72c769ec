/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/atf-bytes.h"
#include "import/atf.h"
#include "model/number.h"

#define MAX_DECIMALS 18

gboolean
ts_atf_number_parse (const char *begin, const char *end, guint64 *value)
{
  guint64 number = 0;

  while (begin < end && ts_atf_is_blank (*begin))
    begin++;
  while (begin < end && ts_atf_is_blank (end[-1]))
    end--;
  if (begin == end)
    return FALSE;
  for (; begin < end; begin++)
    {
      guint digit = (guint) (guchar) *begin - '0';

      if (digit > 9 || __builtin_mul_overflow (number, 10, &number) || __builtin_add_overflow (number, digit, &number))
        return FALSE;
    }
  if (number == G_MAXUINT64)
    return FALSE;
  *value = number;
  return TRUE;
}

/* Digits of the whole part; returns where they end. */
static const char *
parse_whole (const char *begin, const char *end, TsAtfDecimal *decimal)
{
  const char *p = begin;

  for (; p < end && g_ascii_isdigit (*p); p++)
    if (__builtin_mul_overflow (decimal->whole, 10, &decimal->whole)
        || __builtin_add_overflow (decimal->whole, (guint64) (*p - '0'), &decimal->whole))
      decimal->is_large = TRUE;
  if (p - begin > 1 && *begin == '0')
    decimal->is_loose = TRUE;
  return p;
}

static const char *
parse_fraction (const char *begin, const char *end, TsAtfDecimal *decimal)
{
  const char *p, *last = begin;

  for (p = begin; p < end && g_ascii_isdigit (*p); p++)
    if (*p != '0')
      last = p + 1;
  for (const char *digit = begin; digit < last && digit - begin < MAX_DECIMALS; digit++)
    decimal->fraction = decimal->fraction * 10 + (guint64) (*digit - '0');
  decimal->is_long = last - begin > MAX_DECIMALS;
  decimal->decimals = (guint) MIN (last - begin, MAX_DECIMALS);
  return p;
}

gboolean
ts_atf_decimal_parse (const char *begin, const char *end, TsAtfDecimal *decimal)
{
  const char *p;
  gsize       n_digits;

  *decimal = (TsAtfDecimal){ 0 };
  while (begin < end && ts_atf_is_blank (end[-1]))
    {
      end--;
      decimal->is_loose = TRUE;
    }
  while (begin < end && ts_atf_is_blank (*begin))
    {
      begin++;
      decimal->is_loose = TRUE;
    }
  if (begin < end && *begin == '+')
    {
      begin++;
      decimal->is_loose = TRUE;
    }

  p = parse_whole (begin, end, decimal);
  n_digits = (gsize) (p - begin);
  if (p < end && *p == '.')
    {
      const char *point = p;

      p = parse_fraction (p + 1, end, decimal);
      if (n_digits == 0 || p == point + 1)
        decimal->is_loose = TRUE;
      n_digits += (gsize) (p - point - 1);
    }
  return p == end && n_digits > 0;
}

TsUint128
ts_atf_divide (TsUint128 numerator, TsUint128 denominator, gboolean *exact)
{
  TsUint128 quotient = numerator / denominator, rest = numerator % denominator;

  *exact = rest == 0;
  /* half of the denominator, without an overflow of twice the rest */
  if (rest > denominator - rest || (rest == denominator - rest && quotient % 2 == 1))
    quotient++;
  return quotient;
}

guint64
ts_atf_power_of_ten (guint exponent)
{
  guint64 power = 1;

  while (exponent-- > 0)
    power *= 10;
  return power;
}

gboolean
ts_atf_decimal_scale (const TsAtfDecimal *decimal, gint64 scale, gint64 *value, gboolean *exact)
{
  TsUint128 product, fraction, power = ts_atf_power_of_ten (decimal->decimals);

  *exact = TRUE;
  if (decimal->is_large)
    return FALSE;
  product = (TsUint128) decimal->whole * (TsUint128) scale;
  if (product > (TsUint128) TS_TIME_LIMIT)
    return FALSE;
  if (decimal->decimals > 0)
    {
      fraction = (TsUint128) decimal->fraction * (TsUint128) scale;
      if (decimal->is_long)
        {
          /* What was cut is taken as half of the 18th decimal: it only has to decide what
           * would otherwise look like exactly half of a unit. */
          fraction = 2 * fraction + 1;
          power *= 2;
        }
      product = ts_atf_divide (product * power + fraction, power, exact);
      if (product > (TsUint128) TS_TIME_LIMIT)
        return FALSE;
    }
  *value = (gint64) product;
  return TRUE;
}

gint64
ts_atf_common_multiple (gint64 a, TsUint128 b, gint64 limit)
{
  TsUint128 factor = b / ts_greatest_divisor ((TsUint128) a, b);
  TsUint128 multiple;

  if (__builtin_mul_overflow ((TsUint128) a, factor, &multiple) || multiple > (TsUint128) limit)
    return 0;
  return (gint64) multiple;
}

gint64
ts_atf_decimal_raise (const TsAtfDecimal *decimal, gint64 scale)
{
  if (decimal->is_long)
    return 0;
  return ts_atf_common_multiple (scale, ts_atf_power_of_ten (decimal->decimals), G_MAXINT64);
}
