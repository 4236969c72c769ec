/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "report/tables.h"
#include "report/text.h"

/* The smallest maximum of a group shows so many digits, one less if they are behind zeros; no number shows more
 * than so many in all. */
#define LEAST_DIGITS 4
#define MOST_DIGITS 9
/* A time that is rounded to fewer digits may be off by more than a twentieth, and any number that is rounded to 0 seems to be
 * none: so it has more places than its column. */
#define FEWEST_DIGITS 2
/* That a number can have. */
#define MOST_PLACES 20
/* From here on the next unit is easier to read. */
#define MANY 1e6

static gboolean
is_root (const TsCell *cell)
{
  return cell->type == TS_CELL_ROOT || cell->type == TS_CELL_ROOT_TIME;
}

/* Cell types that ts_fit_columns() looks at, as a number of internal units or plain. */
static gboolean
is_number (const TsCell *cell)
{
  return is_root (cell) || cell->type == TS_CELL_TIME || cell->type == TS_CELL_NUMBER || cell->type == TS_CELL_REAL;
}

static gboolean
is_time (const TsCell *cell)
{
  return cell->type == TS_CELL_TIME || cell->type == TS_CELL_ROOT_TIME;
}

static inline double
size_of (const TsCell *cell)
{
  if (is_root (cell))
    return ts_root_to_double (cell->root) * (cell->type == TS_CELL_ROOT ? (double) cell->times : 1);
  if (cell->type == TS_CELL_REAL)
    return fabs (cell->real);
  if (cell->number.denominator == 1 && cell->number.numerator == (gint64) cell->number.numerator)
    return fabs ((double) (gint64) cell->number.numerator);
  return fabs (ts_rational_to_double (cell->number));
}

/* Over the rows: the smallest and the largest of the largest number of each row, zeros left out. */
typedef struct
{
  double   least, most;
  gboolean has_time;
} Range;

/* By one row of a group. */
static void
widen_range (Range *range, const TsCell *cells, guint n_cells)
{
  double largest = 0;

  for (guint i = 0; i < n_cells; i++)
    {
      if (!is_number (&cells[i]))
        continue;
      range->has_time |= is_time (&cells[i]);
      largest = MAX (largest, size_of (&cells[i]));
    }
  if (largest == 0)
    return;
  range->most = MAX (range->most, largest);
  range->least = range->least == 0 ? largest : MIN (range->least, largest);
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

/* Places for so many digits of @value. */
static int
places_for (double value)
{
  return LEAST_DIGITS - whole_digits (value) - (value < 1 ? 1 : 0);
}

static TsFit
fit_range (Range range, const TsTextStyle *style)
{
  TsFit fit = { { 1, 1 }, NULL, 0 };
  int   room;

  if (range.has_time)
    {
      TsUnit unit = fitting_unit (&range, style);

      fit.unit = ts_unit_name (unit);
      fit.factor = ts_time_base_factor (style->base, unit);
      range.least *= ts_rational_to_double (fit.factor);
      range.most *= ts_rational_to_double (fit.factor);
    }
  room = MOST_DIGITS - MAX (whole_digits (range.most), 1);
  /* a ratio with more than three decimals looks more exact than jitter is */
  if (!range.has_time)
    room = MIN (room, 3);
  fit.places = (guint) CLAMP (places_for (range.least), 0, MAX (room, 0));
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
useful_places (const TsCell *cells, guint n_cells, const TsFit *fit, guint useful)
{
  for (guint i = 0; i < n_cells; i++)
    if (cells[i].type == TS_CELL_TIME && cells[i].number.denominator == 1)
      useful = MAX (useful, decimals_of (ts_scale_number (cells[i].number, fit->factor), fit->places));
  return useful;
}

/* Those of a row that are of @group, or NULL: all are absent. */
static const TsCell *
cells_of (const TsFitGroup *group, const TsCell *cells, guint n_cells, guint *n)
{
  *n = n_cells > group->first ? MIN (n_cells - group->first, group->n_columns) : 0;
  return *n > 0 ? cells + group->first : NULL;
}

static int
compare_stamps (gconstpointer a, gconstpointer b)
{
  const gint64 left = *(const gint64 *) a, right = *(const gint64 *) b;

  return (left > right) - (left < right);
}

static void
have_places (TsFit *fit, int places)
{
  fit->places = MAX (fit->places, (guint) CLAMP (places, 0, MOST_DIGITS));
}

/* Stamps since 1970 have ten digits before any that tells them apart: where two would look the same, there are places
 * for that, and for the time that all of them span; and always for what a trace spans, as if it began at 0. */
static void
tell_apart (const TsTable *table, TsFitGroup *group, double span)
{
  const double unit = ts_rational_to_double (group->fit.factor);
  g_autoptr (GArray) stamps = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 *stamp, gap = G_MAXINT64;

  for (guint row = 0; row < ts_table_n_rows (table); row++)
    {
      const TsCell *cell = ts_table_get_cell (table, row, group->first);

      if (cell->type == TS_CELL_TIME && cell->number.denominator == 1 && ts_rational_is_narrow (cell->number))
        {
          gint64 one = (gint64) cell->number.numerator;

          g_array_append_val (stamps, one);
        }
    }
  g_array_sort (stamps, compare_stamps);
  stamp = (gint64 *) (gpointer) stamps->data;
  for (guint i = 1; i < stamps->len; i++)
    if (stamp[i] != stamp[i - 1])
      gap = MIN (gap, stamp[i] - stamp[i - 1]);
  if (gap != G_MAXINT64 && (double) gap * unit < pow (10, -(double) group->fit.places))
    {
      have_places (&group->fit, 1 - whole_digits ((double) gap * unit));
      have_places (&group->fit, places_for ((double) (stamp[stamps->len - 1] - stamp[0]) * unit));
    }
  if (span > 0)
    have_places (&group->fit, places_for (span * unit));
}

static void
fit_ranges (const TsTable *table, TsFitGroup *groups, guint n_groups, const TsTextStyle *style)
{
  g_autofree Range *ranges = g_new0 (Range, n_groups);

  for (guint row = 0; row < ts_table_n_rows (table); row++)
    {
      guint         n_cells, n;
      const TsCell *cells = ts_table_get_cells (table, row, &n_cells);

      for (guint i = 0; i < n_groups; i++)
        {
          const TsCell *own = cells_of (&groups[i], cells, n_cells, &n);

          widen_range (&ranges[i], own, n);
        }
    }
  for (guint i = 0; i < n_groups; i++)
    {
      groups[i].fit = fit_range (ranges[i], style);
      if (groups[i].is_stamp)
        tell_apart (table, &groups[i], style->span);
    }
}

void
ts_fit_groups (const TsTable *table, TsFitGroup *groups, guint n_groups, const TsTextStyle *style)
{
  g_autofree guint *useful = g_new (guint, n_groups);
  g_autofree guint *most = g_new (guint, n_groups);
  gboolean          is_done = FALSE;

  fit_ranges (table, groups, n_groups, style);
  for (guint i = 0; i < n_groups; i++)
    {
      const TsFit *fit = &groups[i].fit;

      useful[i] = fit->unit != NULL ? MIN (fit->places, 1) : fit->places;
      most[i] = decimals_of (fit->factor, fit->places);
    }
  for (guint row = 0; row < ts_table_n_rows (table) && !is_done; row++)
    {
      guint         n_cells, n;
      const TsCell *cells = ts_table_get_cells (table, row, &n_cells);

      is_done = TRUE;
      for (guint i = 0; i < n_groups; i++)
        {
          const TsCell *own = cells_of (&groups[i], cells, n_cells, &n);

          /* a whole number of units has no more decimals than one */
          if (useful[i] >= most[i])
            continue;
          useful[i] = useful_places (own, n, &groups[i].fit, useful[i]);
          is_done &= useful[i] >= most[i];
        }
    }
  for (guint i = 0; i < n_groups; i++)
    groups[i].fit.places = useful[i];
}

TsFit
ts_fit_columns (const TsTable *table, guint first, guint n_columns, const TsTextStyle *style)
{
  TsFitGroup group = { first, n_columns, FALSE, { { 0, 1 }, NULL, 0 } };

  ts_fit_groups (table, &group, 1, style);
  return group.fit;
}

TsFit
ts_fit_cell (const TsTable *table, guint row, guint column, const TsTextStyle *style)
{
  Range range = { .has_time = FALSE };

  widen_range (&range, ts_table_get_cell (table, row, column), 1);
  return fit_range (range, style);
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
      return ts_scale_number (cell->number, fit->factor);
    case TS_CELL_REAL:
      return from_real (cell->real);
    case TS_CELL_NUMBER:
    case TS_CELL_EXACT:
    case TS_CELL_FINE:
      return cell->number;
    case TS_CELL_INTEGER:
    case TS_CELL_FLAG:
      return (TsRational){ cell->integer, 1 };
    case TS_CELL_ROOT: /* see ts_fit_format() */
    case TS_CELL_ROOT_TIME:
    case TS_CELL_ABSENT:
    case TS_CELL_TEXT:
    case TS_CELL_TABLE:
    default:
      return (TsRational){ 0, 1 };
    }
}

/* Whether @text, to which a number was rounded, may be off by more than a twentieth: it has one digit, or 1 and 0, which may
 * have been less. */
static gboolean
is_rough (const char *text)
{
  const char *first = text + strspn (text, "-0.");
  gsize       n = strlen (first) - (strchr (first, '.') != NULL);

  return n < FEWEST_DIGITS || (n == FEWEST_DIGITS && first[0] == '1' && text[strlen (text) - 1] == '0');
}

static gboolean
is_zero (const char *text)
{
  return text[strspn (text, "-0.")] == '\0';
}

static gsize
format_cell (const TsFit *fit, const TsCell *cell, char *buffer, guint *places)
{
  if (is_root (cell))
    return ts_root_format_neat (cell->root, cell->type == TS_CELL_ROOT ? (TsRational){ cell->times, 1 } : fit->factor,
                                places, buffer);
  return ts_rational_format_neat (value_of (fit, cell), places, buffer);
}

/* Whether @cell is a fraction of two numbers of 64 bits, in the unit of @fit: nearly each is. */
static inline gboolean
is_narrow (const TsFit *fit, const TsCell *cell, gint64 *numerator, gint64 *denominator)
{
  switch (cell->type)
    {
    case TS_CELL_INTEGER:
      *numerator = cell->integer;
      *denominator = 1;
      return TRUE;
    case TS_CELL_NUMBER:
      *numerator = (gint64) cell->number.numerator;
      *denominator = (gint64) cell->number.denominator;
      return ts_rational_is_narrow (cell->number);
    case TS_CELL_TIME:
      return ts_rational_is_narrow (cell->number) && ts_rational_is_narrow (fit->factor)
             && !__builtin_mul_overflow ((gint64) cell->number.numerator, (gint64) fit->factor.numerator, numerator)
             && !__builtin_mul_overflow ((gint64) cell->number.denominator, (gint64) fit->factor.denominator,
                                         denominator);
    case TS_CELL_ABSENT:
    case TS_CELL_EXACT:
    case TS_CELL_REAL:
    case TS_CELL_ROOT:
    case TS_CELL_ROOT_TIME:
    case TS_CELL_TEXT:
    case TS_CELL_FLAG:
    case TS_CELL_TABLE:
    default:
      return FALSE;
    }
}

/* is_rough(), asked seldom. */
static inline gboolean
may_be_rough (const char *text, gsize length)
{
  return (length <= FEWEST_DIGITS + 1 || text[0] == '0' || text[0] == '-') && is_rough (text);
}

/* A time that would be rough, or any number that would be 0, has as many places as its first digits need, or as say it exactly. */
static gsize
format_little (const TsFit *fit, const TsCell *cell, char *buffer, guint *places)
{
  TsRational value;
  guint      more = fit->places, needed;
  gsize      length;

  do
    {
      *places = ++more;
      length = format_cell (fit, cell, buffer, places);
    }
  while (more < MOST_PLACES && *places > 0 && is_rough (buffer));
  value = value_of (fit, cell);
  if (is_root (cell) || value.denominator > G_MAXINT64)
    return length;
  needed = MAX (decimals_of (value, *places), fit->places);
  for (; *places > needed; --*places)
    buffer[--length] = '\0';
  return length;
}

gsize
ts_fit_format (const TsFit *fit, const TsCell *cell, char *buffer, guint *places)
{
  gint64 numerator, denominator;
  gsize  length;

  *places = fit->places;
  if (is_narrow (fit, cell, &numerator, &denominator))
    length = ts_narrow_format_neat (numerator, denominator, places, buffer);
  else
    length = format_cell (fit, cell, buffer, places);
  /* that a number is whole shows where it has no places and others do */
  if (is_number (cell) && *places == fit->places && may_be_rough (buffer, length) && (is_time (cell) || is_zero (buffer))
      && size_of (cell) != 0)
    return format_little (fit, cell, buffer, places);
  return length;
}
