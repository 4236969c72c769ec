/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include <tracestat/number.h>

G_BEGIN_DECLS

/* Of nearly all numbers both halves fit in 64 bits, where a machine calculates many times faster. */
static inline gboolean
ts_rational_is_narrow (TsRational value)
{
  return value.numerator == (gint64) value.numerator && value.denominator == (gint64) value.denominator;
}

#define TS_INT128_MAX ((TsInt128) (~(TsUint128) 0 >> 1))

static inline TsUint128
ts_int128_magnitude (TsInt128 value)
{
  return value < 0 ? -(TsUint128) value : (TsUint128) value;
}

/* Not 0, unless both are. */
TsUint128 ts_greatest_divisor (TsUint128 a, TsUint128 b);

/* The product, in which no common factors are looked for: there are none if *a and *b are in lowest terms. FALSE: 128 bits do not
 * hold its halves. *a and *b become others with the same product, since what can be reduced is reduced across. */
gboolean ts_rational_multiply_exactly (TsRational *a, TsRational *b, TsRational *product);

static inline TsRational
ts_rational_absolute (TsRational value)
{
  return value.numerator < 0 ? (TsRational){ -value.numerator, value.denominator } : value;
}

static inline TsRational
ts_rational_add (TsRational a, TsRational b)
{
  return ts_rational_subtract (a, (TsRational){ -b.numerator, b.denominator });
}

/* The greatest whole number that is not above @value, or the least that is not below it. */
static inline TsInt128
ts_rational_floor (TsRational value)
{
  return value.numerator / value.denominator - (value.numerator % value.denominator < 0);
}

static inline TsInt128
ts_rational_ceil (TsRational value)
{
  return value.numerator / value.denominator + (value.numerator % value.denominator > 0);
}

/* As ts_rational_format() for a whole number. */
gsize ts_whole_format (gint64 value, char *buffer);

/* As people read it: "12,345,678". */
void ts_number_append_grouped (GString *text, gint64 value);

#define TS_SHORT_NUMBER 100000000

/* The digits of @value, which is below TS_SHORT_NUMBER: the first in the lowest byte. Halves are divided side by
 * side. */
static inline guint64
ts_number_digits (guint32 value)
{
  guint64 fours = value / 10000 | (guint64) (value % 10000) << 32;
  guint64 hundreds = (fours * 5243 >> 19) & G_GUINT64_CONSTANT (0x0000007f0000007f);
  guint64 twos = hundreds | (fours - hundreds * 100) << 16;
  guint64 tens = (twos * 103 >> 10) & G_GUINT64_CONSTANT (0x000f000f000f000f);

  return tens | (twos - tens * 10) << 8;
}

/* Digits as bytes, all but the first @n_left_out of the eight. Eight bytes are written for fewer as well, since nobody
 * foresees how long a number is. */
static inline void
ts_write_digits (guint64 digits, guint n_left_out, char *buffer)
{
  digits = (digits + G_GUINT64_CONSTANT (0x3030303030303030)) >> 8 * n_left_out;
  digits = GUINT64_TO_LE (digits);
  memcpy (buffer, &digits, sizeof digits);
}

/* As ts_whole_format() for what is below TS_SHORT_NUMBER, which most numbers are. */
static inline gsize
ts_short_format (guint32 value, char *buffer)
{
  guint64 digits = ts_number_digits (value);
  guint   zeros = (guint) __builtin_ctzll (digits | (guint64) 1 << 56) / 8; /* the last digit stays */

  ts_write_digits (digits, zeros, buffer);
  buffer[8 - zeros] = '\0';
  return 8 - zeros;
}

/* As ts_whole_format(), inline for what is short. */
static inline gsize
ts_integer_format (gint64 value, char *buffer)
{
  return (guint64) value < TS_SHORT_NUMBER ? ts_short_format ((guint32) value, buffer) : ts_whole_format (value, buffer);
}

/* @n: at most 38. */
static inline TsUint128
ts_power_of_ten (guint n)
{
  TsUint128 power = 1;

  while (n-- > 0)
    power *= 10;
  return power;
}

/* As ts_rational_parse() for up to @most_digits, at most 38. */
gboolean ts_rational_parse_long (const char *text, guint most_digits, TsRational *value);

/* A part of a tick from which the whole number of units can be told again, for @value is one below 2^62 divided by
 * another: with up to 19 places, and so at most 38 digits. */
gsize ts_rational_format_fine (TsRational value, char *buffer);

/* The product, without looking for common factors in the result. Where 128 bits do not hold it, it is cut to more than 20
 * digits, of which the last is neither 0 nor 5, or is rounded half-even to a whole number of 36 to 38: so to round it to
 * fewer digits is to round the product. Only what is below 10^-17 may be off, by 1e-18 of it. */
TsRational ts_rational_multiply_to_print (TsRational a, TsRational b);

/* As ts_rational_format_fixed(), but whole numbers get no places; *@places: how many it has then. */
gsize ts_rational_format_neat (TsRational value, guint *places, char *buffer);
gsize ts_narrow_format_neat (gint64 numerator, gint64 denominator, guint *places, char *buffer);

/* The same for the root times @factor. */
gsize ts_root_format_neat (const TsRoot *root, TsRational factor, guint *places, char *buffer);

G_END_DECLS
