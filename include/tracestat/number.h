/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/api.h>

G_BEGIN_DECLS

__extension__ typedef __int128 TsInt128;
__extension__ typedef unsigned __int128 TsUint128;

/* An exact fraction; the denominator is positive. Results of calculations are
 * reduced. Where 128 bits do not hold the halves of a product, it is cut: it is off
 * by less than 1e-18 of it and 2^-126 together, and does not become 0. One that is
 * too large is the largest whole number. */
typedef struct
{
  TsInt128 numerator;
  TsInt128 denominator;
} TsRational;

/* Room for any text that functions below write. They may use all of it, beyond the end of the text, too. */
#define TS_NUMBER_SIZE 96

TS_API TsRational ts_rational (TsInt128 numerator, TsInt128 denominator);
TS_API TsRational ts_rational_multiply (TsRational a, TsRational b);
TS_API TsRational ts_rational_divide (TsRational a, TsRational b); /* b is not 0 */
TS_API TsRational ts_rational_subtract (TsRational a, TsRational b);
TS_API int        ts_rational_compare (TsRational a, TsRational b);
TS_API double     ts_rational_to_double (TsRational value);

/* Writes @value as a decimal into @buffer (TS_NUMBER_SIZE bytes): exact where 15
 * significant digits can say it, otherwise rounded half-even to 15; digits before
 * the decimal point are never dropped. '.' in every locale, never an exponent.
 * Returns the length. */
TS_API gsize ts_rational_format (TsRational value, char *buffer);

/* The same with all digits of a decimal that ends after at most 40 places. */
TS_API gsize ts_rational_format_exact (TsRational value, char *buffer);

/* Whole numbers of any size that there are: all their digits, into @buffer (TS_NUMBER_SIZE bytes). */
TS_API gsize    ts_int128_format (TsInt128 value, char *buffer);
TS_API gboolean ts_int128_parse (const char *text, TsInt128 *value); /* FALSE: no number, or too large */

/* The same for a number of 192 bits, @high being its upper 64. */
TS_API gsize    ts_uint192_format (TsUint128 low, guint64 high, char *buffer);
TS_API gboolean ts_uint192_parse (const char *text, TsUint128 *low, guint64 *high);

/* The same as ts_rational_format() with exactly @places digits after the point, for aligned columns. */
TS_API gsize ts_rational_format_fixed (TsRational value, guint places, char *buffer);

/* sqrt (high * 2^128 + low) / n * scale, which is exact and is only rounded where it is printed: a standard deviation.
 * @scale is above 0. Without n it is not known. */
typedef struct
{
  TsUint128  low, high;
  guint64    n;
  TsRational scale;
} TsRoot;

TS_API double ts_root_to_double (const TsRoot *root); /* NAN where it is not known */
TS_API int    ts_root_compare (const TsRoot *root, TsRational value); /* above 0: the root is the larger one */

/* As ts_rational_format() for the root times @factor, which is above 0: rounded once, from all its digits. */
TS_API gsize ts_root_format (const TsRoot *root, TsRational factor, char *buffer);

/* Exactly where it is a fraction, otherwise cut to 24 significant digits, of which the last is neither 0 nor 5: it can
 * be rounded to fewer ones as if all were there. 0 where it is not known. */
TS_API TsRational ts_root_to_rational (const TsRoot *root);

/* As ts_rational_format() for a double. */
TS_API gsize ts_real_format (double value, char *buffer);

/* Reads a decimal `[+-]digits[.digits]` exactly. Returns FALSE if @text is anything
 * else, or beyond 18 digits. */
TS_API gboolean ts_rational_parse (const char *text, TsRational *value);

G_END_DECLS
