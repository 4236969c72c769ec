/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <tracestat/number.h>

/* Decimal texts of wide whole numbers, in which a report keeps sums that it must not round. */

#define TS_INT128_MAX ((TsInt128) (~(TsUint128) 0 >> 1))

gsize
ts_uint192_format (TsUint128 low, guint64 high, char *buffer)
{
  guint64 limbs[3] = { (guint64) low, (guint64) (low >> 64), high };
  char    reversed[64];
  gsize   n = 0;

  do
    {
      guint64 rest = 0;

      for (int i = 2; i >= 0; i--)
        {
          TsUint128 value = ((TsUint128) rest << 64) | limbs[i];

          limbs[i] = (guint64) (value / 10);
          rest = (guint64) (value % 10);
        }
      reversed[n++] = (char) ('0' + (int) rest);
    }
  while ((limbs[0] | limbs[1] | limbs[2]) != 0);
  for (gsize i = 0; i < n; i++)
    buffer[i] = reversed[n - 1 - i];
  buffer[n] = '\0';
  return n;
}

gboolean
ts_uint192_parse (const char *text, TsUint128 *low, guint64 *high)
{
  guint64 limbs[3] = { 0, 0, 0 };

  if (*text == '\0')
    return FALSE;
  for (; *text != '\0'; text++)
    {
      guint64 carry = (guint64) (*text - '0');

      if (!g_ascii_isdigit (*text))
        return FALSE;
      for (int i = 0; i < 3; i++)
        {
          TsUint128 value = (TsUint128) limbs[i] * 10 + carry;

          limbs[i] = (guint64) value;
          carry = (guint64) (value >> 64);
        }
      if (carry != 0)
        return FALSE;
    }
  *low = ((TsUint128) limbs[1] << 64) | limbs[0];
  *high = limbs[2];
  return TRUE;
}

gsize
ts_int128_format (TsInt128 value, char *buffer)
{
  gsize sign = value < 0 ? 1 : 0;

  buffer[0] = '-';
  return sign + ts_uint192_format (value < 0 ? -(TsUint128) value : (TsUint128) value, 0, buffer + sign);
}

gboolean
ts_int128_parse (const char *text, TsInt128 *value)
{
  gboolean  negative = *text == '-';
  TsUint128 magnitude;
  guint64   high;

  if (!ts_uint192_parse (text + negative, &magnitude, &high) || high != 0 || magnitude > (TsUint128) TS_INT128_MAX)
    return FALSE;
  *value = negative ? -(TsInt128) magnitude : (TsInt128) magnitude;
  return TRUE;
}
