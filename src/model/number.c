/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "model/number.h"

/* A spreadsheet's double holds 15 decimal digits; more would be lost there unnoticed. */
#define SIGNIFICANT_DIGITS 15
#define MAX_PLACES 40
#define FINE_PLACES 19 /* 10^-19 is less than half of 2^-62 */

static guint
write_digits (TsUint128 value, char *buffer)
{
  char  reversed[48];
  guint n = 0;

  do
    reversed[n++] = (char) ('0' + (int) (value % 10));
  while ((value /= 10) != 0);
  for (guint i = 0; i < n; i++)
    buffer[i] = reversed[n - 1 - i];
  return n;
}

/* Adds one to the decimal in digits[0..n), which has room for a carry in front of it. */
static gboolean
round_up (char *digits, guint n)
{
  while (n-- > 0)
    {
      if (digits[n] == '.')
        continue;
      if (digits[n] != '9')
        {
          digits[n]++;
          return FALSE;
        }
      digits[n] = '0';
    }
  return TRUE;
}

static const guint64 powers_of_ten[] = {
  G_GUINT64_CONSTANT (1),
  G_GUINT64_CONSTANT (10),
  G_GUINT64_CONSTANT (100),
  G_GUINT64_CONSTANT (1000),
  G_GUINT64_CONSTANT (10000),
  G_GUINT64_CONSTANT (100000),
  G_GUINT64_CONSTANT (1000000),
  G_GUINT64_CONSTANT (10000000),
  G_GUINT64_CONSTANT (100000000),
  G_GUINT64_CONSTANT (1000000000),
  G_GUINT64_CONSTANT (10000000000),
  G_GUINT64_CONSTANT (100000000000),
  G_GUINT64_CONSTANT (1000000000000),
  G_GUINT64_CONSTANT (10000000000000),
  G_GUINT64_CONSTANT (100000000000000),
  G_GUINT64_CONSTANT (1000000000000000),
  G_GUINT64_CONSTANT (10000000000000000),
  G_GUINT64_CONSTANT (100000000000000000),
  G_GUINT64_CONSTANT (1000000000000000000),
  G_GUINT64_CONSTANT (10000000000000000000),
};

static guint
count_digits (guint64 value)
{
  /* 1233 / 4096 is log10 (2), nearly: that many, or one too few */
  guint n = ((64 - (guint) __builtin_clzll (value | 1)) * 1233) >> 12;

  return n + (n < G_N_ELEMENTS (powers_of_ten) && (value | 1) >= powers_of_ten[n]);
}

/* Exactly @n digits, at least one, with zeros in front. From left to right, since more bytes are written than there are
 * digits. */
static void write_padded_long (guint64 value, guint n, char *buffer);

static inline void
write_padded (guint64 value, guint n, char *buffer)
{
  if (n > 8)
    write_padded_long (value, n, buffer);
  else
    ts_write_digits (ts_number_digits ((guint32) value), 8 - n, buffer);
}

static void
write_padded_long (guint64 value, guint n, char *buffer)
{
  write_padded (value / TS_SHORT_NUMBER, n - 8, buffer);
  ts_write_digits (ts_number_digits (value % TS_SHORT_NUMBER), 0, buffer + n - 8);
}

static guint write_long (guint64 value, char *buffer);

/* All its digits. */
static inline guint
write_whole (guint64 value, char *buffer)
{
  return value < TS_SHORT_NUMBER ? (guint) ts_short_format ((guint32) value, buffer) : write_long (value, buffer);
}

static guint
write_long (guint64 value, char *buffer)
{
  const guint n = write_whole (value / TS_SHORT_NUMBER, buffer);

  ts_write_digits (ts_number_digits (value % TS_SHORT_NUMBER), 0, buffer + n);
  buffer[n + 8] = '\0';
  return n + 8;
}

/* Places after the point that 15 significant digits leave to rest/denominator, whose whole part is @whole:
 * zeros before the first other digit do not count. */
static guint
significant_places (guint64 whole, guint64 rest, guint64 denominator)
{
  TsUint128 scaled = rest;
  guint     places = SIGNIFICANT_DIGITS, digits = count_digits (whole);

  if (whole != 0)
    return digits < SIGNIFICANT_DIGITS ? SIGNIFICANT_DIGITS - digits : 0;
  while (scaled != 0 && (scaled *= 10) < denominator && places < MAX_PLACES)
    places++;
  return places;
}

/* How many places a number gets. */
typedef enum
{
  PLACES_ALL,         /* those asked for */
  PLACES_NEAT,        /* whole numbers none */
  PLACES_TRIMMED,     /* up to the last that is not 0 */
  PLACES_SIGNIFICANT, /* as far as there are significant digits */
} Places;

/* @rest * 10^@places / @denominator, and what is left of it in *@rest. */
static guint64
take_places (guint64 *rest, guint64 denominator, guint places)
{
  TsUint128 scaled = (TsUint128) *rest * powers_of_ten[places];
  guint64   fraction = scaled >> 64 == 0 ? (guint64) scaled / denominator : (guint64) (scaled / denominator);

  /* what is left of the division is cheaper than a second one */
  *rest = (guint64) scaled - fraction * denominator;
  return fraction;
}

/* The same as the loop in format_places(), digits all at once, for what fits in 64 bits: reports and exports have
 * millions of such numbers. Returns 0 if it does not fit. */
static gsize
format_quick (gboolean negative, guint64 number, guint64 denominator, guint *n_places, Places rule, char *buffer)
{
  guint64  whole = number / denominator, rest = number - whole * denominator, fraction = 0;
  gboolean trim = rule == PLACES_SIGNIFICANT || rule == PLACES_TRIMMED;
  guint    places = *n_places;
  gsize    length = 0;

  if (rest == 0 && rule != PLACES_ALL)
    places = 0;
  else if (rule == PLACES_SIGNIFICANT)
    places = MIN (places, significant_places (whole, rest, denominator));
  if (places >= G_N_ELEMENTS (powers_of_ten))
    return 0;

  if (rest != 0)
    {
      fraction = take_places (&rest, denominator, places);
      /* half to even; the difference cannot overflow as twice the rest could */
      if (rest > denominator - rest
          || (rest == denominator - rest && rest != 0 && ((places > 0 ? fraction : whole) & 1) != 0))
        fraction++;
      if (fraction == powers_of_ten[places])
        {
          whole++;
          fraction = 0;
        }
    }
  for (; trim && places > 4 && fraction % 10000 == 0; places -= 4)
    fraction /= 10000;
  for (; trim && places > 0 && fraction % 10 == 0; places--)
    fraction /= 10;

  if (negative && (whole != 0 || fraction != 0))
    buffer[length++] = '-';
  length += write_whole (whole, buffer + length);
  if (places > 0)
    {
      buffer[length++] = '.';
      write_padded (fraction, places, buffer + length);
      length += places;
    }
  buffer[length] = '\0';
  *n_places = places;
  return length;
}

/* The digit behind @rest, which is below @denominator, and becomes what is left. Ten times that may have more than 128 bits. */
static guint
next_digit (TsUint128 *rest, TsUint128 denominator)
{
  TsUint128 left = 0;
  guint     digit = 0;

  if (denominator >> 124 == 0)
    {
      left = *rest * 10;
      *rest = left % denominator;
      return (guint) (left / denominator);
    }
  for (guint i = 0; i < 10; i++)
    {
      left += *rest;
      if (left >= denominator)
        {
          left -= denominator;
          digit++;
        }
    }
  *rest = left;
  return digit;
}

/* With at most *@n_places, which becomes how many there are. */
static gsize
format_places (TsRational value, guint *n_places, Places rule, char *buffer)
{
  TsUint128 denominator = (TsUint128) value.denominator;
  TsUint128 number = ts_int128_magnitude (value.numerator);
  TsUint128 rest;
  char      digits[TS_NUMBER_SIZE];
  guint     n, whole_digits, places = *n_places;
  gsize     length = 0;
  gboolean  is_zero = TRUE;

  if (number >> 64 == 0 && denominator >> 64 == 0)
    {
      length = format_quick (value.numerator < 0, (guint64) number, (guint64) denominator, n_places, rule, buffer);
      if (length > 0)
        return length;
    }

  if (rule == PLACES_NEAT && number % denominator == 0)
    places = 0;
  n = write_digits (number / denominator, digits);
  whole_digits = n;
  rest = number % denominator;

  if (rule == PLACES_SIGNIFICANT)
    {
      /* leading zeros of a value below 1 are not significant */
      guint spare = whole_digits < SIGNIFICANT_DIGITS ? SIGNIFICANT_DIGITS - whole_digits : 0;

      if (digits[0] == '0')
        {
          TsUint128 scaled = rest;

          spare = SIGNIFICANT_DIGITS;
          for (; scaled != 0 && scaled <= (denominator - 1) / 10 && spare < MAX_PLACES; scaled *= 10)
            spare++;
        }
      places = MIN (places, spare);
    }

  if (places > 0)
    digits[n++] = '.';
  for (guint i = 0; i < places; i++)
    digits[n++] = (char) ('0' + (int) next_digit (&rest, denominator));

  /* half to even, as the contract of the reports demands */
  if (rest * 2 > denominator || (rest * 2 == denominator && ((digits[n - 1] - '0') & 1)))
    {
      if (round_up (digits, n))
        {
          memmove (digits + 1, digits, n);
          digits[0] = '1';
          n++;
        }
    }
  for (; (rule == PLACES_SIGNIFICANT || rule == PLACES_TRIMMED) && places > 0 && digits[n - 1] == '0'; places--)
    n--;
  if (n > 0 && digits[n - 1] == '.')
    n--;

  for (guint i = 0; i < n && is_zero; i++)
    is_zero = digits[i] == '0' || digits[i] == '.';
  if (value.numerator < 0 && !is_zero)
    buffer[length++] = '-';
  memcpy (buffer + length, digits, n);
  length += n;
  buffer[length] = '\0';
  *n_places = places;
  return length;
}

gsize
ts_whole_format (gint64 value, char *buffer)
{
  guint sign = value < 0 ? 1 : 0;

  buffer[0] = '-';
  return sign + write_whole (value < 0 ? -(guint64) value : (guint64) value, buffer + sign);
}

gsize
ts_rational_format (TsRational value, char *buffer)
{
  guint places = MAX_PLACES;

  if (value.denominator == 1 && value.numerator == (gint64) value.numerator)
    return ts_whole_format ((gint64) value.numerator, buffer);

  return format_places (value, &places, PLACES_SIGNIFICANT, buffer);
}

/* Places that a decimal of 1/@denominator has; G_MAXUINT: it does not end. */
static guint
places_of_all (TsInt128 denominator)
{
  guint twos = 0, fives = 0;

  for (; denominator % 2 == 0; twos++)
    denominator /= 2;
  for (; denominator % 5 == 0; fives++)
    denominator /= 5;
  return denominator == 1 ? MAX (twos, fives) : G_MAXUINT;
}

gsize
ts_rational_format_exact (TsRational value, char *buffer)
{
  TsRational reduced = ts_rational (value.numerator, value.denominator);
  guint      places = places_of_all (reduced.denominator);

  return places <= MAX_PLACES ? format_places (reduced, &places, PLACES_ALL, buffer)
                              : ts_rational_format (reduced, buffer);
}

gsize
ts_rational_format_fine (TsRational value, char *buffer)
{
  guint places = FINE_PLACES;

  return format_places (value, &places, PLACES_TRIMMED, buffer);
}

gsize
ts_rational_format_fixed (TsRational value, guint places, char *buffer)
{
  places = MIN (places, 20);
  return format_places (value, &places, PLACES_ALL, buffer);
}

gsize
ts_narrow_format_neat (gint64 numerator, gint64 denominator, guint *places, char *buffer)
{
  gsize length;

  *places = MIN (*places, 20);
  length = format_quick (numerator < 0, numerator < 0 ? -(guint64) numerator : (guint64) numerator,
                         (guint64) denominator, places, PLACES_NEAT, buffer);
  return length > 0 ? length : format_places ((TsRational){ numerator, denominator }, places, PLACES_NEAT, buffer);
}

gsize
ts_rational_format_neat (TsRational value, guint *places, char *buffer)
{
  if (ts_rational_is_narrow (value))
    return ts_narrow_format_neat ((gint64) value.numerator, (gint64) value.denominator, places, buffer);
  *places = MIN (*places, 20);
  return format_places (value, places, PLACES_NEAT, buffer);
}

#define MANTISSA_BITS 52
#define MOST_PLACES_OF_TWO 120 /* what is below goes; no time is that short */

/* The mantissa of a finite double: but for its sign, @value is this times 2^*@exponent. */
static guint64
take_apart (double value, int *exponent)
{
  guint64 bits, mantissa;
  int     biased;

  memcpy (&bits, &value, sizeof bits);
  mantissa = bits & (((guint64) 1 << MANTISSA_BITS) - 1);
  biased = (int) (bits >> MANTISSA_BITS & 0x7ff);
  *exponent = MAX (biased, 1) - 1023 - MANTISSA_BITS;
  return biased != 0 ? mantissa | (guint64) 1 << MANTISSA_BITS : mantissa;
}

gsize
ts_real_format (double value, char *buffer)
{
  TsInt128 numerator, denominator = 1;
  guint64  mantissa;
  int      exponent;

  if (!isfinite (value))
    {
      buffer[0] = '\0';
      return 0;
    }
  /* no need to take these apart */
  if (fabs (value) < 1e15 && value == (double) (gint64) value)
    return ts_whole_format ((gint64) value, buffer);

  /* a double is a whole number times a power of two */
  mantissa = take_apart (value, &exponent);
  if (exponent < 0)
    {
      int zeros = mantissa != 0 ? MIN (__builtin_ctzll (mantissa), -exponent) : 0;

      mantissa >>= zeros;
      exponent += zeros;
    }
  if (exponent < -MOST_PLACES_OF_TWO)
    {
      mantissa = -MOST_PLACES_OF_TWO - exponent < 64 ? mantissa >> (-MOST_PLACES_OF_TWO - exponent) : 0;
      exponent = -MOST_PLACES_OF_TWO;
    }
  if (exponent < 0)
    denominator <<= -exponent;
  /* what 128 bits cannot hold is far beyond any time */
  numerator = exponent <= 0 ? (TsInt128) mantissa : exponent < 74 ? (TsInt128) mantissa << exponent : TS_INT128_MAX;
  return ts_rational_format ((TsRational){ value < 0 ? -numerator : numerator, denominator }, buffer);
}

gboolean
ts_rational_parse_long (const char *text, guint most_digits, TsRational *value)
{
  TsInt128 numerator = 0, denominator = 1;
  guint    digits = 0;
  gboolean negative = *text == '-', point = FALSE;

  if (*text == '-' || *text == '+')
    text++;
  if (!g_ascii_isdigit (*text))
    return FALSE;
  for (; *text != '\0'; text++)
    {
      if (*text == '.' && !point && g_ascii_isdigit (text[1]))
        {
          point = TRUE;
          continue;
        }
      if (!g_ascii_isdigit (*text) || ++digits > most_digits)
        return FALSE;
      numerator = numerator * 10 + (*text - '0');
      if (point)
        denominator *= 10;
    }
  *value = ts_rational (negative ? -numerator : numerator, denominator);
  return TRUE;
}

gboolean
ts_rational_parse (const char *text, TsRational *value)
{
  g_return_val_if_fail (text != NULL, FALSE);
  return ts_rational_parse_long (text, 18, value);
}

void
ts_number_append_grouped (GString *text, gint64 value)
{
  char        digits[TS_NUMBER_SIZE];
  const gsize length = ts_whole_format (value, digits);

  for (gsize i = 0; i < length; i++)
    {
      if (i > 0 && (length - i) % 3 == 0 && digits[i - 1] != '-')
        g_string_append_c (text, ',');
      g_string_append_c (text, digits[i]);
    }
}
