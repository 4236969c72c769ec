/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "model/number.h"
#include "model/wide.h"

/* Square roots of exact numbers: rounded as if all their digits were known. Floating-point numbers say what the digits
 * are, and where they are too close to a half, whole numbers decide: squares are compared. */

#define SIGNIFICANT_DIGITS 15
#define MAX_PLACES 40
#define FRACTION_DIGITS 24
#define MAX_FRACTION_PLACES 36
#define TOO_LONG 0x1p126L
#define SHORT 16 /* digits: a copy that always has the same length needs no call */

/* More than what a dozen roundings of a long double, each by half of its last bit, make of a number; of some machines
 * LDBL_EPSILON says less than what they calculate with. */
#define RELATIVE_ERROR (6 * (LDBL_EPSILON + 0x1p-63L))

/* These are exact with 64 bits. */
static const long double powers_of_ten[] = { 1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,
                                             1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L,
                                             1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L };

/* The root times both of @times against @value: above 0 where that is the smaller one. */
static int
compare (const TsRoot *root, TsRational scale, const TsUint128 times[2], TsUint128 value)
{
  TsWide left = { { (guint64) root->low, (guint64) (root->low >> 64), (guint64) root->high,
                    (guint64) (root->high >> 64) } };
  TsWide right = { { 1 } };

  for (guint i = 0; i < 2; i++)
    {
      ts_wide_multiply (&left, (TsUint128) scale.numerator);
      ts_wide_multiply (&left, times[0]);
      ts_wide_multiply (&left, times[1]);
      ts_wide_multiply (&right, (TsUint128) scale.denominator);
      ts_wide_multiply (&right, root->n);
      ts_wide_multiply (&right, value);
    }
  return ts_wide_compare (&left, &right);
}

int
ts_root_compare (const TsRoot *root, TsRational value)
{
  const TsUint128 times[2] = { (TsUint128) value.denominator, 1 };

  return value.numerator < 0 ? 1 : compare (root, root->scale, times, (TsUint128) value.numerator);
}

/* Without a conversion of 128 bits, where that can be. */
static long double
to_real (TsInt128 value)
{
  return value == (gint64) value ? (long double) (gint64) value : (long double) value;
}

static long double
estimate (const TsRoot *root, TsRational scale)
{
  long double square = root->high == 0 && root->low >> 63 == 0
                           ? (long double) (gint64) root->low
                           : (long double) root->low + ldexpl ((long double) root->high, 128);

  return sqrtl (square) * to_real (scale.numerator) / (to_real ((TsInt128) root->n) * to_real (scale.denominator));
}

double
ts_root_to_double (const TsRoot *root)
{
  return root->n == 0 ? (double) NAN : (double) estimate (root, root->scale);
}

/* The root times 10^@places, rounded half to even, where @guess is off by no more than its error. */
static TsUint128
round_exactly (const TsRoot *root, TsRational scale, guint places, long double guess)
{
  const TsUint128 times[2] = { 2 * ts_power_of_ten (places / 2), ts_power_of_ten (places - places / 2) };
  TsUint128       least = (TsUint128) (guess - guess * RELATIVE_ERROR), most = (TsUint128) (guess + guess * RELATIVE_ERROR);
  int             order;

  least -= least > 0 ? 1 : 0;
  most += 2;
  /* the first number that the root is not above by more than a half */
  while (least < most)
    {
      TsUint128 middle = least + (most - least) / 2;

      order = compare (root, scale, times, 2 * middle + 1);
      if (order > 0 || (order == 0 && (middle & 1) != 0))
        least = middle + 1;
      else
        most = middle;
    }
  return least;
}

/* @estimated: without the places. What 128 bits cannot hold is far beyond any time. */
static TsUint128
round_root (const TsRoot *root, TsRational scale, guint places, long double estimated)
{
  guint       some = MIN (places, G_N_ELEMENTS (powers_of_ten) - 1);
  long double guess = estimated * powers_of_ten[some], error;

  if (some < places)
    guess *= powers_of_ten[places - some];
  if (guess >= TOO_LONG)
    return (TsUint128) TOO_LONG;
  if (guess < 0x1p60L)
    {
      gint64 least, most;

      error = guess * RELATIVE_ERROR;
      least = (gint64) (guess - error + 0.5L);
      most = (gint64) (guess + error + 0.5L);
      if (least == most)
        return (TsUint128) least;
    }
  return round_exactly (root, scale, places, guess);
}

/* The digits of @number, the last @places of them behind a point, without the zeros at the end of these. Where there are
 * places, all digits are significant, so few that 64 bits hold them. */
static gsize
write_decimal (TsUint128 number, guint places, char *buffer)
{
  char  digits[TS_NUMBER_SIZE];
  guint n, n_whole;

  if (number >> 64 == 0)
    {
      guint64 narrow = (guint64) number;

      for (; places >= 4 && narrow % 10000 == 0; places -= 4)
        narrow /= 10000;
      for (; places > 0 && narrow % 10 == 0; places--)
        narrow /= 10;
      number = narrow;
    }
  if (places == 0)
    return ts_uint192_format (number, 0, buffer);
  n = (guint) ts_uint192_format (number, 0, digits);
  n_whole = n > places ? n - places : 0;
  if (n_whole > 0 && n <= SHORT)
    {
      memcpy (buffer, digits, SHORT);
      memcpy (buffer + n_whole + 1, digits + n_whole, SHORT);
      buffer[n_whole] = '.';
      buffer[n + 1] = '\0';
      return n + 1;
    }
  memcpy (buffer, n_whole > 0 ? digits : "0", MAX (n_whole, 1));
  buffer[MAX (n_whole, 1)] = '.';
  buffer += MAX (n_whole, 1) + 1;
  memset (buffer, '0', places - (n - n_whole));
  memcpy (buffer + places - (n - n_whole), digits + n_whole, n - n_whole);
  buffer[places] = '\0';
  return MAX (n_whole, 1) + 1 + places;
}

static gboolean
is_one (TsRational value)
{
  return value.numerator == 1 && value.denominator == 1;
}

/* In nearly all cases there is nothing to multiply. */
static TsRational
scale_of (const TsRoot *root, TsRational factor)
{
  return is_one (root->scale) ? factor : is_one (factor) ? root->scale : ts_rational_multiply (root->scale, factor);
}

/* Places that @n_digits digits leave; of a number below 1 the zeros in front do not count. */
static guint
places_of (long double value, guint n_digits, guint most)
{
  guint places = n_digits;

  while (places > 0 && value >= powers_of_ten[n_digits - places])
    places--;
  for (; value > 0 && value * 10 < 1 && places < most; value *= 10)
    places++;
  return places;
}

gsize
ts_root_format (const TsRoot *root, TsRational factor, char *buffer)
{
  TsRational  scale;
  long double value;
  guint       places;

  /* the deviation of equal samples is frequent */
  if ((root->low | root->high) == 0)
    return g_strlcpy (buffer, "0", TS_NUMBER_SIZE);
  scale = scale_of (root, factor);
  value = estimate (root, scale);
  /* where that is off around a power of ten, a digit more or less is a 0 */
  places = places_of (value, SIGNIFICANT_DIGITS, MAX_PLACES);
  return write_decimal (round_root (root, scale, places, value), places, buffer);
}

gsize
ts_root_format_neat (const TsRoot *root, TsRational factor, guint *places, char *buffer)
{
  TsRational scale = scale_of (root, factor);
  TsRational rounded;
  TsRoot     scaled = *root;

  *places = MIN (*places, 20);
  rounded = (TsRational){ (TsInt128) round_root (root, scale, *places, estimate (root, scale)),
                          (TsInt128) ts_power_of_ten (*places) };
  scaled.scale = scale;
  if (rounded.numerator % rounded.denominator == 0 && ts_root_compare (&scaled, rounded) == 0)
    *places = 0;
  return ts_rational_format_fixed (rounded, *places, buffer);
}

/* The same rounded down, but with another last digit than 0 and 5: to round that to fewer digits is to round the root. */
static TsUint128
cut_root (const TsRoot *root, guint places, long double estimated)
{
  const TsUint128 times[2] = { ts_power_of_ten (places / 2), ts_power_of_ten (places - places / 2) };
  TsUint128       number = round_root (root, root->scale, places, estimated);

  if (compare (root, root->scale, times, number) < 0)
    number--;
  return number % 5 == 0 ? number + 1 : number;
}

TsRational
ts_root_to_rational (const TsRoot *root)
{
  const TsUint128 once[2] = { 1, 1 };
  const TsRoot    plain = { root->low, root->high, 1, { 1, 1 } };
  long double     estimated = estimate (&plain, plain.scale);
  TsUint128       number = round_root (&plain, plain.scale, 0, estimated);
  guint           places;

  if (root->n == 0)
    return (TsRational){ 0, 1 };
  if (compare (&plain, plain.scale, once, number) == 0)
    return ts_rational_multiply (ts_rational ((TsInt128) number, (TsInt128) root->n), root->scale);
  estimated = estimate (root, root->scale);
  places = places_of (estimated, FRACTION_DIGITS, MAX_FRACTION_PLACES);
  return ts_rational ((TsInt128) cut_root (root, places, estimated), (TsInt128) ts_power_of_ten (places));
}
