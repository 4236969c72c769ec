/* SPDX-License-Identifier: MIT */
#pragma once

#include <math.h>

#include <tracestat/table.h>

#include "model/number.h"

G_BEGIN_DECLS

/* A list whose rows are made when they are looked at: of thousands of elements the cells of all are more than
 * what was measured. @make writes the cells of @row, no more than there are columns, and returns their end; their texts
 * must outlive the table, they themselves are there until another row is looked at. *@depth is 0 before. @data goes with
 * the table. */
typedef TsCell *(*TsRowMaker) (TsCell *cells, gconstpointer data, guint row, guint *depth);
TsTable *ts_table_new_late (const char *name, const char *title, guint audience, const TsColumn *columns,
                            guint n_columns, guint n_rows, TsRowMaker make, gpointer data, GDestroyNotify free_data);

/* The same inside a cell of such a table, and one for all its rows: whoever makes a row of that says what this one
 * shows now, by its data, which ts_table_renew() returns. Without rows until then. */
TsTable *ts_table_new_renewed (const char *name, TsTableShape shape, const TsColumn *columns, guint n_columns,
                               TsRowMaker make, gpointer data, GDestroyNotify free_data);
gpointer ts_table_renew (TsTable *table, guint n_rows);

/* @part of @whole; absent where there is no whole. */
static inline void
ts_table_add_share (TsTable *table, TsInt128 part, TsInt128 whole)
{
  if (whole > 0)
    ts_table_add_number (table, ts_rational (part, whole));
  else
    ts_table_add_absent (table);
}

/* For them, as ts_table_add_time() and the others: a cell, behind which is the next one. Written field by field, since
 * a whole one would be put together elsewhere first. */
static inline TsCell *
ts_put_absent (TsCell *cell)
{
  cell->type = TS_CELL_ABSENT;
  return cell + 1;
}

static inline TsCell *
ts_put_integer (TsCell *cell, gint64 value)
{
  cell->type = TS_CELL_INTEGER;
  cell->integer = value;
  return cell + 1;
}

static inline TsCell *
ts_put_number (TsCell *cell, TsRational value)
{
  cell->type = TS_CELL_NUMBER;
  cell->number = value;
  return cell + 1;
}

/* A number with all its digits. */
static inline TsCell *
ts_put_exact (TsCell *cell, TsRational value)
{
  cell->type = TS_CELL_EXACT;
  cell->number = value;
  return cell + 1;
}

static inline TsCell *
ts_put_fine (TsCell *cell, TsRational value)
{
  cell->type = TS_CELL_FINE;
  cell->number = value;
  return cell + 1;
}

static inline TsCell *
ts_put_time (TsCell *cell, TsRational units)
{
  cell->type = TS_CELL_TIME;
  cell->number = units;
  return cell + 1;
}

static inline TsCell *
ts_put_real (TsCell *cell, double value)
{
  cell->type = isnan (value) ? TS_CELL_ABSENT : TS_CELL_REAL;
  cell->real = value;
  return cell + 1;
}

static inline TsCell *
ts_put_root (TsCell *cell, const TsRoot *root, gint64 times)
{
  cell->type = root->n == 0 ? TS_CELL_ABSENT : TS_CELL_ROOT;
  cell->root = root;
  cell->times = times;
  return cell + 1;
}

static inline TsCell *
ts_put_root_time (TsCell *cell, const TsRoot *units)
{
  cell->type = units->n == 0 ? TS_CELL_ABSENT : TS_CELL_ROOT_TIME;
  cell->root = units;
  return cell + 1;
}

static inline TsCell *
ts_put_text (TsCell *cell, const char *text)
{
  cell->type = text != NULL ? TS_CELL_TEXT : TS_CELL_ABSENT;
  cell->text = text;
  return cell + 1;
}

static inline TsCell *
ts_put_flag (TsCell *cell, gboolean value)
{
  cell->type = TS_CELL_FLAG;
  cell->integer = value ? 1 : 0;
  return cell + 1;
}

/* @inner stays with whoever made it. */
static inline TsCell *
ts_put_table (TsCell *cell, TsTable *inner)
{
  cell->type = inner != NULL ? TS_CELL_TABLE : TS_CELL_ABSENT;
  cell->table = inner;
  return cell + 1;
}

/* All cells of a row, with what ts_table_get_cell() says of them; those beyond *@n_cells are absent. */
const TsCell *ts_table_get_cells (const TsTable *table, guint row, guint *n_cells);

/* @value times @factor: times in another unit, ratios in percent. No common factors are looked for: formatting does not
 * need them gone, and looking costs more than it. */
TsRational ts_scale_wide_number (TsRational value, TsRational factor);

static inline TsRational
ts_scale_number (TsRational value, TsRational factor)
{
  if (!ts_rational_is_narrow (value) || !ts_rational_is_narrow (factor))
    return ts_scale_wide_number (value, factor);
  return (TsRational){ (TsInt128) (gint64) value.numerator * (gint64) factor.numerator,
                       (TsInt128) (gint64) value.denominator * (gint64) factor.denominator };
}

/* Whether that is a whole number of 64 bits, as most are. */
static inline gboolean
ts_scale_whole_number (const TsRational *value, const TsRational *factor, gint64 *whole)
{
  gint64 a = (gint64) value->numerator, b = (gint64) factor->numerator;

  return value->denominator == 1 && factor->denominator == 1 && value->numerator == a && factor->numerator == b
         && !__builtin_mul_overflow (a, b, whole);
}

/* Whether @cell is a whole number of 64 bits, in units of @factor. */
static inline gboolean
ts_cell_is_whole (const TsCell *cell, const TsRational *factor, gint64 *whole)
{
  switch (cell->type)
    {
    case TS_CELL_INTEGER:
      *whole = cell->integer;
      return TRUE;
    case TS_CELL_NUMBER:
    case TS_CELL_EXACT:
    case TS_CELL_FINE:
      *whole = (gint64) cell->number.numerator;
      return cell->number.denominator == 1 && cell->number.numerator == *whole;
    case TS_CELL_TIME:
      return ts_scale_whole_number (&cell->number, factor, whole);
    case TS_CELL_ABSENT:
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

/* As ts_cell_format(). Reports have millions of short numbers, so these are written at once. */
gsize ts_cell_write_other (const TsCell *cell, const TsRational *factor, char *buffer);

static inline gsize
ts_cell_write (const TsCell *cell, const TsRational *factor, char *buffer)
{
  gint64 whole;

  if (!ts_cell_is_whole (cell, factor, &whole))
    return ts_cell_write_other (cell, factor, buffer);
  return ts_integer_format (whole, buffer);
}

G_END_DECLS
