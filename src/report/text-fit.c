/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "report/text.h"

/* The smallest maximum of a group shows so many digits, one less if they are behind zeros; no number shows more
 * than so many in all. */
#define LEAST_DIGITS 4
#define MOST_DIGITS 9
/* From here on the next unit is easier to read. */
#define MANY 1e6

/* Cell types that ts_fit_columns() looks at, as a number of internal units or plain. */
static gboolean
is_number (const TsCell *cell)
{
  return cell->type == TS_CELL_TIME || cell->type == TS_CELL_REAL_TIME || cell->type == TS_CELL_NUMBER
         || cell->type == TS_CELL_REAL;
}

static gboolean
is_time (const TsCell *cell)
{
  return cell->type == TS_CELL_TIME || cell->type == TS_CELL_REAL_TIME;
}

static double
size_of (const TsCell *cell)
{
  if (cell->type == TS_CELL_TIME || cell->type == TS_CELL_NUMBER)
    return fabs (ts_rational_to_double (cell->number));
  return fabs (cell->real);
}

/* Over the rows: the smallest and the largest of the largest number of each row, zeros left out. */
typedef struct
{
  double   least, most;
  gboolean has_time;
} Range;

static Range
range_of (const TsTable *table, guint first_row, guint n_rows, guint first, guint n_columns)
{
  Range range = { 0, 0, FALSE };

  for (guint row = first_row; row < first_row + n_rows; row++)
    {
      double largest = 0;

      for (guint column = first; column < first + n_columns; column++)
        {
          const TsCell *cell = ts_table_get_cell (table, row, column);

          if (!is_number (cell))
            continue;
          range.has_time |= is_time (cell);
          largest = MAX (largest, size_of (cell));
        }
      if (largest == 0)
        continue;
      range.most = MAX (range.most, largest);
      range.least = range.least == 0 ? largest : MIN (range.least, largest);
    }
  return range;
}

/* The coarsest unit in which the least is not below 1, unless that makes the most too long. */
static TsUnit
fitting_unit (const Range *range, const TsTextStyle *style)
{
  TsUnit unit = TS_UNIT_S;
  double seconds = ts_rational_to_double (ts_time_base_factor (style->base, TS_UNIT_S));
  double length = 1;

  if (!style->base->known)
    return TS_UNIT_TICKS;
  if (style->unit != TS_UNIT_FITTING)
    return style->unit;
  while (unit > TS_UNIT_NS && range->least * seconds / length < 0.9995)
    {
      length /= 1000;
      unit--;
    }
  while (unit < TS_UNIT_S && range->most * seconds / length >= MANY)
    {
      length *= 1000;
      unit++;
    }
  return unit;
}

static int
whole_digits (double value)
{
  return value < 1 ? (value > 0 ? (int) floor (log10 (value)) + 1 : 1) : (int) floor (log10 (value)) + 1;
}

static TsFit
fit_range (Range range, const TsTextStyle *style)
{
  TsFit fit = { { 1, 1 }, NULL, 0 };
  int   places, room;

  if (range.has_time)
    {
      TsUnit unit = fitting_unit (&range, style);

      fit.unit = ts_unit_name (unit);
      fit.factor = ts_time_base_factor (style->base, unit);
      range.least *= ts_rational_to_double (fit.factor);
      range.most *= ts_rational_to_double (fit.factor);
    }
  places = LEAST_DIGITS - whole_digits (range.least) - (range.least < 1 ? 1 : 0);
  room = MOST_DIGITS - MAX (whole_digits (range.most), 1);
  /* a ratio with more than three decimals looks more exact than jitter is */
  if (!range.has_time)
    room = MIN (room, 3);
  fit.places = (guint) CLAMP (places, 0, MAX (room, 0));
  return fit;
}

/* How many decimals, up to @most, say @value exactly; @most also if that is not enough. */
static guint
decimals_of (TsRational value, guint most)
{
  TsInt128 rest = value.numerator % value.denominator;
  guint    places = 0;

  while (rest != 0 && places < most)
    {
      rest = rest * 10 % value.denominator;
      places++;
    }
  return places;
}

/* Samples are whole numbers of internal units: more decimals than they have would only pretend to be exact. Means
 * have no such end; they get at least one decimal. */
static guint
useful_places (const TsTable *table, guint first, guint n_columns, const TsFit *fit)
{
  guint useful = MIN (fit->places, 1);

  for (guint row = 0; row < ts_table_n_rows (table); row++)
    for (guint column = first; column < first + n_columns; column++)
      {
        const TsCell *cell = ts_table_get_cell (table, row, column);

        if (useful == fit->places)
          return useful;
        if (cell->type == TS_CELL_TIME && cell->number.denominator == 1)
          useful = MAX (useful, decimals_of (ts_rational_multiply (cell->number, fit->factor), fit->places));
      }
  return useful;
}

TsFit
ts_fit_columns (const TsTable *table, guint first, guint n_columns, const TsTextStyle *style)
{
  TsFit fit = fit_range (range_of (table, 0, ts_table_n_rows (table), first, n_columns), style);

  if (fit.unit != NULL)
    fit.places = useful_places (table, first, n_columns, &fit);
  return fit;
}

TsFit
ts_fit_cell (const TsTable *table, guint row, guint column, const TsTextStyle *style)
{
  return fit_range (range_of (table, row, 1, column, 1), style);
}

static TsRational
from_real (double value)
{
  if (fabs (value) < 1e12)
    return (TsRational){ (TsInt128) rint (value * 1e6), 1000000 };
  return (TsRational){ (TsInt128) CLAMP (value, -1e36, 1e36), 1 };
}

static TsRational
value_of (const TsFit *fit, const TsCell *cell)
{
  switch (cell->type)
    {
    case TS_CELL_TIME:
      return ts_rational_multiply (cell->number, fit->factor);
    case TS_CELL_REAL_TIME:
      return from_real (cell->real * ts_rational_to_double (fit->factor));
    case TS_CELL_REAL:
      return from_real (cell->real);
    case TS_CELL_NUMBER:
      return cell->number;
    case TS_CELL_INTEGER:
    case TS_CELL_FLAG:
      return (TsRational){ cell->integer, 1 };
    case TS_CELL_ABSENT:
    case TS_CELL_TEXT:
    case TS_CELL_TABLE:
    case TS_CELL_MAKER:
    default:
      return (TsRational){ 0, 1 };
    }
}

gsize
ts_fit_format (const TsFit *fit, const TsCell *cell, char *buffer, guint *places)
{
  TsRational value = value_of (fit, cell);

  *places = value.numerator % value.denominator == 0 ? 0 : fit->places;
  return ts_rational_format_fixed (value, *places, buffer);
}
