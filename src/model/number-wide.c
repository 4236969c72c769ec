/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "model/number.h"

/* Decimal texts of wide whole numbers, in which a report keeps sums that it must not round. */

#define CHUNK G_GINT64_CONSTANT (1000000000000000000)
#define CHUNK_DIGITS 18

/* @limbs, the lowest first, become what is left of them. */
static gint64
take_chunk (guint64 *limbs)
{
  guint64 rest = 0;

  for (int i = 2; i >= 0; i--)
    {
      TsUint128 value = ((TsUint128) rest << 64) | limbs[i];

      limbs[i] = (guint64) (value / CHUNK);
      rest = (guint64) (value % CHUNK);
    }
  return (gint64) rest;
}

gsize
ts_uint192_format (TsUint128 low, guint64 high, char *buffer)
{
  guint64 limbs[3] = { (guint64) low, (guint64) (low >> 64), high };
  gint64  chunks[4]; /* the lowest first: 192 bits are 58 digits */
  guint   n = 0;
  gsize   length;

  if ((high | limbs[1]) == 0 && limbs[0] <= G_MAXINT64)
    return ts_whole_format ((gint64) limbs[0], buffer);
  do
    chunks[n++] = take_chunk (limbs);
  while ((limbs[0] | limbs[1] | limbs[2]) != 0);
  length = ts_whole_format (chunks[--n], buffer);
  while (n-- > 0)
    {
      char digits[TS_NUMBER_SIZE];

      /* a 1 in front keeps the zeros */
      ts_whole_format (CHUNK + chunks[n], digits);
      memcpy (buffer + length, digits + 1, CHUNK_DIGITS + 1);
      length += CHUNK_DIGITS;
    }
  return length;
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
  return sign + ts_uint192_format (ts_int128_magnitude (value), 0, buffer + sign);
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
