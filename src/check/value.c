/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "check/verdict.h"
#include "model/number.h"

/* Numbers in sentences: each has its own unit, for they stand alone. */

#define SHORT 9 /* characters that a number may have before it is rounded */

TsUnit
ts_value_unit (TsRational units, const TsTimeBase *base)
{
  TsUnit unit = TS_UNIT_S;

  if (!base->known)
    return TS_UNIT_TICKS;
  while (unit > TS_UNIT_NS && units.numerator != 0
         && ts_rational_compare (ts_rational_multiply (ts_rational_absolute (units), ts_time_base_factor (base, unit)),
                                 ts_rational (1, 1)) < 0)
    unit--;
  return unit;
}

/* Exact where that is short, else with three decimals. A value that lies beyond a bound by less than that stays
 * exact: @like must not look equal to it. */
static void
format_short (TsRational value, TsRational like, char *buffer)
{
  char rounded[TS_NUMBER_SIZE], other[TS_NUMBER_SIZE];

  if (ts_rational_format (value, buffer) <= SHORT)
    return;
  ts_rational_format_fixed (value, 3, rounded);
  ts_rational_format_fixed (like, 3, other);
  if (ts_rational_compare (value, like) == 0 || strcmp (rounded, other) != 0)
    g_strlcpy (buffer, rounded, TS_NUMBER_SIZE);
}

/* Whether enough is left of @value in the unit that fits @like. */
static gboolean
fits (TsRational value, TsRational like)
{
  return like.numerator != 0
         && (value.numerator == 0
             || ts_rational_compare (ts_rational_multiply (ts_rational_absolute (value), ts_rational (1000, 1)),
                                     ts_rational_absolute (like)) >= 0);
}

/* By what @value is multiplied to be printed; a *@unit that is to fit is that of @like, if that suits it. */
static TsRational
factor_of (TsQuantity quantity, TsRational value, TsRational like, const TsTimeBase *base, TsUnit *unit)
{
  if (quantity != TS_QUANTITY_TIME)
    return (TsRational){ quantity == TS_QUANTITY_RATIO ? 100 : 1, 1 };
  if (*unit == TS_UNIT_FITTING || !base->known)
    *unit = ts_value_unit (fits (value, like) ? like : value, base);
  return ts_time_base_factor (base, *unit);
}

static char *
with_unit (TsQuantity quantity, const char *number, TsUnit unit)
{
  if (quantity == TS_QUANTITY_COUNT)
    return g_strdup (number);
  return g_strdup_printf ("%s %s", number, quantity == TS_QUANTITY_RATIO ? "%" : ts_unit_name (unit));
}

char *
ts_value_text (const TsFigure *figure, TsRational value, TsRational like, const TsTimeBase *base, TsUnit unit)
{
  const TsQuantity quantity = ts_figure_quantity (figure);
  const TsRational factor = factor_of (quantity, value, like, base, &unit);
  char             number[TS_NUMBER_SIZE];

  format_short (ts_rational_multiply_to_print (value, factor), ts_rational_multiply_to_print (like, factor), number);
  return with_unit (quantity, number, unit);
}

char *
ts_bound_text (const TsFigure *figure, TsRational bound, const TsRational *value, const TsTimeBase *base, TsUnit unit)
{
  const TsQuantity quantity = ts_figure_quantity (figure);
  const TsRational factor = factor_of (quantity, bound, bound, base, &unit), printed = ts_rational_multiply_to_print (bound, factor);
  char             number[TS_NUMBER_SIZE];

  if (value != NULL)
    format_short (printed, ts_rational_multiply_to_print (*value, factor), number);
  else
    ts_rational_format (printed, number);
  return with_unit (quantity, number, unit);
}

char *
ts_time_value_text (gint64 units, const TsTimeBase *base, TsUnit unit)
{
  TsRational value = ts_rational (units, 1);
  char       number[TS_NUMBER_SIZE];

  if (unit == TS_UNIT_FITTING || !base->known)
    unit = ts_value_unit (value, base);
  /* exact: it is what one gives to --from */
  ts_rational_format (ts_rational_multiply_to_print (value, ts_time_base_factor (base, unit)), number);
  return g_strdup_printf ("%s %s", number, ts_unit_name (unit));
}

char *
ts_percent_text (TsRational ratio)
{
  TsRational percent = ts_rational_multiply (ts_rational_absolute (ratio), ts_rational (100, 1));
  char       number[TS_NUMBER_SIZE];

  if (ts_rational_format (percent, number) > 4)
    {
      guint places = percent.numerator / percent.denominator >= 100 ? 0 : percent.numerator / percent.denominator >= 10 ? 1 : 2;

      /* a little is not nothing */
      if (percent.numerator != 0 && ts_rational_compare (percent, ts_rational (1, 200)) < 0)
        return g_strdup ("less than 0.01 %");
      ts_rational_format_fixed (percent, places, number);
    }
  return g_strdup_printf ("%s %%", number);
}
