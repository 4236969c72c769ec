/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/digits.h"
#include "import/etf.h"

#define MAX_DIGITS 18
#define MAX_EXPONENT 1000

TS_ETF_ALIGNED const guint16 ts_etf_pairs[8] = { 2561, 2561, 2561, 2561, 2561, 2561, 2561, 2561 }; /* 10 * 256 + 1 */

const gint64 ts_etf_powers_of_ten[] = {
  1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000,
  1000000000000, 10000000000000, 100000000000000, 1000000000000000, 10000000000000000, 100000000000000000,
  1000000000000000000,
};

/* [+-]digits: FALSE if it is none. Beyond MAX_EXPONENT the size does not matter any more. */
static gboolean
parse_exponent (const char *p, const char *end, gint *exponent)
{
  gboolean is_negative = FALSE;
  gint     value = 0;

  if (p < end && (*p == '+' || *p == '-'))
    is_negative = *p++ == '-';
  if (p == end)
    return FALSE;
  for (; p < end; p++)
    {
      guint digit = (guint) (guchar) *p - '0';

      if (digit > 9)
        return FALSE;
      value = MIN (10 * value + (gint) digit, MAX_EXPONENT);
    }
  *exponent = is_negative ? -value : value;
  return TRUE;
}

gint64
ts_etf_divide (gint64 mantissa, gint n)
{
  gint64 unit, rest;

  if (n > MAX_DIGITS)
    return 0; /* 10^19 is more than twice as much as any */
  unit = ts_etf_power_of_ten (n);
  rest = mantissa % unit;
  return mantissa / unit + (rest >= unit - rest) - (-rest >= unit + rest);
}

/* Without zeros at the end of the fraction. */
static TsEtfDecimal
shorten (gint64 mantissa, gint decimals)
{
  while (decimals > 0 && mantissa % 10 == 0 && mantissa != 0)
    {
      mantissa /= 10;
      decimals--;
    }
  return (TsEtfDecimal){ mantissa, mantissa != 0 ? decimals : 0 };
}

/* @mantissa / 10^@decimals; it @is_long already, or becomes that. */
static TsEtfNumber
make_decimal (gint64 mantissa, gint decimals, gboolean is_long, TsEtfDecimal *decimal)
{
  *decimal = shorten (mantissa, decimals);
  for (; decimal->decimals < 0; decimal->decimals++)
    if (__builtin_mul_overflow (decimal->mantissa, (gint64) 10, &decimal->mantissa))
      return TS_ETF_LARGE;
  if (decimal->decimals > TS_ETF_MAX_DECIMALS)
    {
      *decimal = shorten (ts_etf_divide (decimal->mantissa, decimal->decimals - TS_ETF_MAX_DECIMALS), TS_ETF_MAX_DECIMALS);
      is_long = TRUE;
    }
  return is_long ? TS_ETF_LONG : TS_ETF_GOOD;
}

/* Digits of a number, as far as they can be kept. */
typedef struct
{
  gint64   mantissa;
  gint     decimals;  /* of these, behind the point */
  gint     n_zeros;   /* behind them; they are taken in only if more follows */
  gint     n_dropped; /* in front of the point, behind those that are kept */
  gboolean is_long, rounds_up;
} Digits;

static void
keep (Digits *digits, guint digit, gboolean is_fraction)
{
  gint64 mantissa;

  if (__builtin_mul_overflow (digits->mantissa, (gint64) 10, &mantissa)
      || __builtin_add_overflow (mantissa, (gint64) digit, &mantissa))
    {
      digits->is_long = TRUE;
      digits->rounds_up = digit >= 5 && digits->mantissa < G_MAXINT64;
      return;
    }
  digits->mantissa = mantissa;
  digits->decimals += is_fraction;
}

static void
take_digit (Digits *digits, guint digit, gboolean is_fraction)
{
  if (digit == 0 && is_fraction)
    {
      digits->n_zeros++;
      return;
    }
  for (; digits->n_zeros > 0 && !digits->is_long; digits->n_zeros--)
    keep (digits, 0, TRUE);
  if (!digits->is_long)
    keep (digits, digit, is_fraction);
  digits->n_dropped += digits->is_long && !is_fraction;
}

/* [+-]digits[.digits][e[+-]digits]; at least one digit on either side of the point. NaN, hexadecimal numbers and
 * suffixes, which some readers of the format accept, are no numbers. */
TsEtfNumber
ts_etf_decimal_parse (TsEtfText text, TsEtfDecimal *decimal)
{
  const char *p = text.p, *end = p + text.length;
  gboolean    is_negative = FALSE, has_point = FALSE;
  Digits      digits = { 0 };
  gint        exponent = 0;
  gsize       n_digits = 0;

  if (p < end && (*p == '-' || *p == '+'))
    is_negative = *p++ == '-';
  for (; p < end; p++)
    {
      guint digit = (guint) (guchar) *p - '0';

      if (digit <= 9)
        {
          n_digits++;
          take_digit (&digits, digit, has_point);
        }
      else if (*p == '.' && !has_point)
        has_point = TRUE;
      else
        break;
    }
  if (n_digits == 0)
    return TS_ETF_BAD;
  if (p < end && ((*p != 'e' && *p != 'E') || !parse_exponent (p + 1, end, &exponent)))
    return TS_ETF_BAD;
  digits.mantissa += digits.rounds_up;
  return make_decimal (is_negative ? -digits.mantissa : digits.mantissa, digits.decimals - digits.n_dropped - exponent,
                       digits.is_long, decimal);
}

/* Fields */

/* The digits at @p, behind which it returns. Too many of them overflow, which does no harm, for they are not used. */
static inline const char *
take_digits (const char *p, const char *end, guint64 *number)
{
  while (G_LIKELY (end - p >= 8))
    {
      guint64 digits = ts_eight_digits (p), others = ts_eight_odd (digits);
      guint   n = others == 0 ? 8 : (guint) __builtin_ctzll (others) / 8;

      if (n == 0)
        return p;
      /* as if zeros stood before them */
      digits = ts_eight_number (digits << (64 - 8 * n));
      *number = *number * (guint64) ts_etf_power_of_ten ((gint) n) + digits;
      p += n;
      if (n < 8 || (guint) (guchar) *p - '0' > 9)
        return p;
    }
  for (guint digit; p < end && (digit = (guint) (guchar) *p - '0') <= 9; p++)
    *number = 10 * *number + digit;
  return p;
}

/* A field at @p that is not just digits and a blank. [-]digits[.digits] are numbers at once. */
static const char *
take_other_field (const char *p, const char *end, TsEtfField *field)
{
  const char *begin = p, *digits = p + (*p == '-'), *point;
  guint64     mantissa = 0;
  gint        decimals = 0, n_digits;

  p = point = take_digits (digits, end, &mantissa);
  if (*p == '.')
    {
      p = take_digits (p + 1, end, &mantissa);
      decimals = (gint) (p - point - 1);
      for (const char *last = p; decimals > 0 && *--last == '0'; decimals--)
        mantissa /= 10;
    }
  n_digits = (gint) (p - digits) - (p > point);
  field->number = (TsEtfDecimal){ (gint64) (digits > begin ? -mantissa : mantissa), decimals };
  /* one more than is sure to fit may */
  field->is_number = point > digits && p - point != 1 && n_digits <= MAX_DIGITS + 1 && mantissa <= (guint64) G_MAXINT64
                     && (p == end || *p == ';' || ts_etf_is_blank (*p));
  field->is_id = field->is_number && p == point && digits == begin && (*begin != '0' || p - begin == 1);
  while (p < end && *p != ';' && !ts_etf_is_blank (*p))
    p++;
  field->text = (TsEtfText){ begin, (gsize) (p - begin) };
  return p;
}

static inline const char *
take_field (const char *begin, const char *end, TsEtfField *field)
{
  guint64     number = (guint64) (guchar) *begin - '0';
  const char *p = begin + 1;
  gsize       length = 1;

  /* resources and amounts are of one digit more often than not */
  if (number > 9 || *p != ' ')
    {
      number = 0;
      p = take_digits (begin, end, &number);
      length = (gsize) (p - begin);
    }

  if (G_UNLIKELY (length - 1 >= MAX_DIGITS || (*p != ' ' && *p != ';')))
    return take_other_field (begin, end, field);
  field->text = (TsEtfText){ begin, length };
  field->number = (TsEtfDecimal){ (gint64) number, 0 };
  field->is_number = TRUE;
  field->is_id = *begin != '0' || length == 1;
  return p;
}

guint
ts_etf_split (const char *p, const char *end, TsEtfField *fields, const char **attributes)
{
  for (guint n = 0;; n++)
    {
      TsEtfField more;

      while (ts_etf_is_blank (*p))
        p++;
      if (*p == ';' || p == end)
        {
          *attributes = p == end ? NULL : p + 1;
          return n;
        }
      p = take_field (p, end, n < TS_ETF_MAX_FIELDS ? &fields[n] : &more);
    }
}
