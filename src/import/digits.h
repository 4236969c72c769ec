/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include <glib.h>

G_BEGIN_DECLS

/* Eight characters at a time, the first one in the lowest byte. Numbers have all lengths, which no processor
 * foresees: so there is no branch for each digit. */

/* A byte, eight times. */
#define TS_EACH_BYTE(byte) (G_GUINT64_CONSTANT (0x0101010101010101) * (byte))

static inline guint64
ts_eight_load (gconstpointer p)
{
  guint64 word;

  memcpy (&word, p, sizeof word);
  return GUINT64_FROM_LE (word);
}

/* The same, where digits are their values. */
static inline guint64
ts_eight_digits (gconstpointer p)
{
  return ts_eight_load (p) ^ TS_EACH_BYTE ('0');
}

/* The top bit of the first byte that is no such digit; of those behind it some that are may have theirs, too. */
static inline guint64
ts_eight_odd (guint64 digits)
{
  return ((digits + TS_EACH_BYTE (0x76)) | digits) & TS_EACH_BYTE (0x80);
}

/* The number that eight such digits are: neighbours are added up in pairs, then all four pairs at once. */
static inline guint64
ts_eight_number (guint64 digits)
{
  digits = digits * 10 + (digits >> 8);
  return ((digits & G_GUINT64_CONSTANT (0x000000ff000000ff)) * G_GUINT64_CONSTANT (0x000f424000000064)
          + ((digits >> 16) & G_GUINT64_CONSTANT (0x000000ff000000ff)) * G_GUINT64_CONSTANT (0x0000271000000001))
         >> 32;
}

/* @n digits from @p on, one to eight; eight bytes can be loaded from there. FALSE: something else is among them. */
static inline gboolean
ts_eight_read (const guint8 *p, gsize n, guint *value)
{
  const guint64 digits = ts_eight_digits (p) << 8 * (8 - n);

  *value = (guint) ts_eight_number (digits);
  return ts_eight_odd (digits) == 0;
}

G_END_DECLS
