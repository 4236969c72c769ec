/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include <glib.h>

G_BEGIN_DECLS

/* Eight characters at a time, the first one in the lowest byte. Numbers have all lengths, which no processor
 * foresees: so there is no branch for each digit. */

/* A byte, eight times. */
#define TS_ETF_EACH_BYTE(value) (G_GUINT64_CONSTANT (0x0101010101010101) * (value))

static inline guint64
ts_etf_load (const char *p)
{
  guint64 word;

  memcpy (&word, p, 8);
  return GUINT64_FROM_LE (word);
}

/* The same, where digits are their values. */
static inline guint64
ts_etf_load_digits (const char *p)
{
  return ts_etf_load (p) ^ TS_ETF_EACH_BYTE (0x30);
}

/* Bits in each byte that is no digit, up to the first one: what that carries over is behind it. */
static inline guint64
ts_etf_no_digits (guint64 digits)
{
  return ((digits + TS_ETF_EACH_BYTE (6)) | digits) & TS_ETF_EACH_BYTE (0xf0);
}

/* The number that eight digits are: ones to tens, hundreds to ten thousands, and so on, side by side. */
static inline guint64
ts_etf_digits_value (guint64 digits)
{
  digits = digits * (10 * 256 + 1) >> 8;
  digits = (digits & G_GUINT64_CONSTANT (0x00ff00ff00ff00ff)) * (100 * 65536 + 1) >> 16;
  return (digits & G_GUINT64_CONSTANT (0x0000ffff0000ffff)) * (10000 * (G_GUINT64_CONSTANT (1) << 32) + 1) >> 32;
}

G_END_DECLS
