/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <tracestat/time.h>

#include "import/etf-fields.h"

/* Numbers that are not just a few digits. */

/* With more digits than this zeros in front are looked for. */
#define MOST_WITH_ZEROS 16

/* @at without zeros in front, as long as it has more than @n digits. */
static TsEtfPlace
but_zeros (const TsEtfFields *fields, TsEtfPlace at, guint n)
{
  while (at.end - at.begin > n && fields->p[at.begin] == '0')
    at.begin++;
  return at;
}

gboolean
ts_etf_take_wide (const TsEtfFields *fields, TsEtfPlace at, gint64 *value)
{
  TsEtfHigh high = { 0, 0 };
  guint64   number;
  guint     n;

  at = but_zeros (fields, at, MOST_WITH_ZEROS);
  n = at.end - at.begin;
  if (n <= MOST_WITH_ZEROS)
    {
      ts_etf_take_whole (fields, at, &high, &number);
      *value = (gint64) number;
      return TRUE;
    }
  if (n > TS_ETF_MAX_DIGITS)
    return FALSE;
  number = ts_eight_number (ts_eight_digits (fields->p + at.begin) << 8 * (24 - n));
  number = number * 100000000 + ts_eight_number (ts_eight_digits (fields->p + at.end - 16));
  number = number * 100000000 + ts_eight_number (ts_eight_digits (fields->p + at.end - 8));
  *value = (gint64) number;
  return number <= (guint64) TS_TIME_LIMIT;
}

/* What stands from @begin to @end, where @others are no digits: e[+-]digits, few of them. */
static gboolean
take_exponent (const TsEtfFields *fields, guint begin, guint end, guint64 others, gint *exponent)
{
  gboolean is_negative = FALSE;
  guint    value = 0;

  if ((fields->p[begin] | 0x20) != 'e')
    return FALSE;
  begin++;
  others &= others - 1;
  if (others != 0)
    {
      is_negative = fields->p[begin] == '-';
      if (others != (guint64) 1 << begin || (!is_negative && fields->p[begin] != '+'))
        return FALSE;
      begin++;
    }
  if (begin >= end || end - begin > 3)
    return FALSE;
  for (; begin < end; begin++)
    value = 10 * value + ((guint) (guchar) fields->p[begin] - '0');
  *exponent = is_negative ? -(gint) value : (gint) value;
  return TRUE;
}

/* @number * 10^@exponent, if it is whole and not too large. */
static gboolean
take_power (guint64 number, gint exponent, gint64 *value)
{
  guint64 power;

  if (exponent < -TS_ETF_MAX_DIGITS + 1 || exponent > TS_ETF_MAX_DIGITS - 1)
    return FALSE;
  power = (guint64) ts_etf_power_of_ten (ABS (exponent));
  if (exponent < 0 && number % power != 0)
    return FALSE;
  if (exponent < 0)
    number /= power;
  else if (__builtin_mul_overflow (number, power, &number))
    return FALSE;
  *value = (gint64) number;
  return number <= (guint64) TS_TIME_LIMIT;
}

gboolean
ts_etf_take_loose_number (const TsEtfFields *fields, TsEtfPlace at, guint64 others, gint k, TsEtfHigh *high,
                          gint64 *value)
{
  TsEtfHigh fraction_high = { 0, 0 };
  guint64   number, fraction;
  gboolean  is_negative = fields->p[at.begin] == '-';
  gint      exponent = 0;
  guint     end = at.end;

  if (is_negative || fields->p[at.begin] == '+')
    {
      others &= others - 1;
      at.begin++;
    }
  if (others != 0)
    at.end = (guint) __builtin_ctzll (others);
  if (at.begin == at.end || !ts_etf_take_whole (fields, at, high, &number))
    return FALSE;
  if (others != 0 && fields->p[at.end] == '.')
    {
      TsEtfPlace behind = { at.end + 1, end };

      others &= others - 1;
      if (others != 0)
        behind.end = (guint) __builtin_ctzll (others);
      exponent = (gint) behind.begin - (gint) behind.end;
      if (exponent == 0 || (gint) (at.end - at.begin) - exponent >= TS_ETF_MAX_DIGITS
          || !ts_etf_take_whole (fields, behind, &fraction_high, &fraction))
        return FALSE;
      number = number * (guint64) ts_etf_power_of_ten (-exponent) + fraction;
      at.end = behind.end;
    }
  if (others != 0)
    {
      gint power;

      if (!take_exponent (fields, at.end, end, others, &power))
        return FALSE;
      exponent += power;
    }
  if (!take_power (number, k + exponent, value))
    return FALSE;
  if (is_negative)
    *value = -*value;
  return TRUE;
}

gboolean
ts_etf_take_number (const TsEtfFields *fields, TsEtfPlace at, guint64 others, gint k, TsEtfHigh *high, gint64 *value)
{
  TsEtfHigh  fraction_high = { 0, 0 };
  guint64    number, fraction = 0;
  TsEtfPlace whole = at;
  gint       n = 0;

  if (others != 0)
    {
      whole.end = (guint) __builtin_ctzll (others);
      n = (gint) (at.end - whole.end) - 1;
      if (G_UNLIKELY (fields->p[whole.end] != '.' || n == 0
                      || !ts_etf_take_whole (fields, (TsEtfPlace){ whole.end + 1, at.end }, &fraction_high, &fraction)))
        return ts_etf_take_loose_number (fields, at, others, k, high, value);
      if (n > k)
        {
          const guint64 unit = (guint64) ts_etf_power_of_ten (n - k);

          if (fraction % unit != 0)
            return FALSE;
          fraction /= unit;
          n = k;
        }
    }
  if (G_UNLIKELY ((gint) (whole.end - whole.begin) + k > MOST_WITH_ZEROS))
    whole = but_zeros (fields, whole, (guint) MAX (MOST_WITH_ZEROS - k, 1));
  if (G_UNLIKELY (whole.end == whole.begin || (gint) (whole.end - whole.begin) + k > TS_ETF_MAX_DIGITS
                  || !ts_etf_take_whole (fields, whole, high, &number)))
    return FALSE;
  number = number * (guint64) ts_etf_power_of_ten (k) + fraction * (guint64) ts_etf_power_of_ten (k - n);
  *value = (gint64) number;
  return number <= (guint64) TS_TIME_LIMIT;
}
