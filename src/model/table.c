/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "model/table.h"

/* Cells live in blocks that never move; a row costs only the cells up to its last one that is
 * not absent, for most rows of a large report are those of metrics without a sample. */
#define MIN_BLOCK_CELLS 64
#define MAX_BLOCK_CELLS 4096

typedef struct
{
  TsCell *cells;
  guint   n_cells;
  guint   depth;
} Row;

/* Rows that are made when they are looked at, one at a time. */
typedef struct
{
  TsRowMaker     make;
  gpointer       data;
  GDestroyNotify free_data;
  guint          n_rows;
  guint          row; /* that is there; n_rows: none yet */
  guint          n_cells, depth; /* of it */
  TsCell         cells[];
} LateRows;

struct _TsTable
{
  const char   *name;
  const char   *title;
  TsTableShape  shape;
  guint         audience;
  guint         n_columns;
  TsColumn     *columns;
  GArray       *rows;   /* of Row: the closed ones */
  TsCell       *open;   /* the row that is being filled, or NULL: n_columns cells */
  guint         n_open; /* how many of them are */
  guint         open_depth;
  GPtrArray    *blocks;
  guint         block_size, block_used;
  GStringChunk *texts;
  gboolean      has_inner;
  LateRows     *late; /* or NULL */
};

static const TsCell absent = { .type = TS_CELL_ABSENT };

TsTable *
ts_table_new (const char *name, const char *title, TsTableShape shape, guint audience, const TsColumn *columns,
              guint n_columns)
{
  TsTable *table = g_new0 (TsTable, 1);

  g_assert (n_columns > 0);
  table->name = name;
  table->title = title;
  table->shape = shape;
  table->audience = audience;
  table->n_columns = n_columns;
  table->columns = g_new (TsColumn, n_columns);
  memcpy (table->columns, columns, n_columns * sizeof (TsColumn));
  return table;
}

static void
set_late (TsTable *table, guint n_rows, TsRowMaker make, gpointer data, GDestroyNotify free_data)
{
  table->late = g_malloc (sizeof (LateRows) + table->n_columns * sizeof (TsCell));
  *table->late = (LateRows){ .make = make, .data = data, .free_data = free_data, .n_rows = n_rows, .row = n_rows };
}

TsTable *
ts_table_new_late (const char *name, const char *title, guint audience, const TsColumn *columns, guint n_columns,
                   guint n_rows, TsRowMaker make, gpointer data, GDestroyNotify free_data)
{
  TsTable *table = ts_table_new (name, title, TS_TABLE_LIST, audience, columns, n_columns);

  set_late (table, n_rows, make, data, free_data);
  return table;
}

TsTable *
ts_table_new_renewed (const char *name, TsTableShape shape, const TsColumn *columns, guint n_columns, TsRowMaker make,
                      gpointer data, GDestroyNotify free_data)
{
  TsTable *table = ts_table_new (name, name, shape, TS_FOR_PROGRAMS, columns, n_columns);

  set_late (table, 0, make, data, free_data);
  return table;
}

gpointer
ts_table_renew (TsTable *table, guint n_rows)
{
  table->late->n_rows = table->late->row = n_rows;
  return table->late->data;
}

static void
free_late_rows (LateRows *late)
{
  if (late->free_data != NULL)
    late->free_data (late->data);
  g_free (late);
}

static void
free_inner_tables (const TsCell *cells, guint n_cells)
{
  for (guint i = 0; i < n_cells; i++)
    if (cells[i].type == TS_CELL_TABLE)
      ts_table_free (cells[i].table);
}

void
ts_table_free (TsTable *table)
{
  if (table == NULL)
    return;
  for (guint i = 0; table->has_inner && table->rows != NULL && i < table->rows->len; i++)
    free_inner_tables (g_array_index (table->rows, Row, i).cells, g_array_index (table->rows, Row, i).n_cells);
  if (table->has_inner)
    free_inner_tables (table->open, table->n_open);
  g_clear_pointer (&table->rows, g_array_unref);
  g_clear_pointer (&table->blocks, g_ptr_array_unref);
  g_clear_pointer (&table->texts, g_string_chunk_free);
  g_clear_pointer (&table->late, free_late_rows);
  g_free (table->open);
  g_free (table->columns);
  g_free (table);
}

const char *
ts_table_get_name (const TsTable *table)
{
  return table->name;
}

const char *
ts_table_get_title (const TsTable *table)
{
  return table->title;
}

TsTableShape
ts_table_get_shape (const TsTable *table)
{
  return table->shape;
}

guint
ts_table_get_audience (const TsTable *table)
{
  return table->audience;
}

guint
ts_table_n_columns (const TsTable *table)
{
  return table->n_columns;
}

const TsColumn *
ts_table_get_column (const TsTable *table, guint column)
{
  g_return_val_if_fail (column < table->n_columns, NULL);
  return &table->columns[column];
}

static guint
n_closed_rows (const TsTable *table)
{
  return table->rows != NULL ? table->rows->len : 0;
}

guint
ts_table_n_rows (const TsTable *table)
{
  return table->late != NULL ? table->late->n_rows : n_closed_rows (table) + (table->open != NULL);
}

static const LateRows *
make_row (LateRows *late, guint row)
{
  if (late->row == row)
    return late;
  late->row = row;
  late->depth = 0;
  late->n_cells = (guint) (late->make (late->cells, late->data, row, &late->depth) - late->cells);
  return late;
}

const TsCell *
ts_table_get_cells (const TsTable *table, guint row, guint *n_cells)
{
  Row there = { table->open, table->n_open, 0 };

  g_return_val_if_fail (row < ts_table_n_rows (table), NULL);
  if (table->late != NULL)
    there = (Row){ table->late->cells, make_row (table->late, row)->n_cells, 0 };
  else if (row < n_closed_rows (table))
    there = g_array_index (table->rows, Row, row);
  *n_cells = there.n_cells;
  return there.cells;
}

const TsCell *
ts_table_get_cell (const TsTable *table, guint row, guint column)
{
  const TsCell *cells;
  guint         n_cells;

  g_return_val_if_fail (column < table->n_columns && row < ts_table_n_rows (table), &absent);
  cells = ts_table_get_cells (table, row, &n_cells);
  return column < n_cells ? &cells[column] : &absent;
}

guint
ts_table_get_depth (const TsTable *table, guint row)
{
  g_return_val_if_fail (row < ts_table_n_rows (table), 0);
  if (table->late != NULL)
    return make_row (table->late, row)->depth;
  return row == n_closed_rows (table) ? table->open_depth : g_array_index (table->rows, Row, row).depth;
}

static TsCell *
reserve_cells (TsTable *table, guint n_cells)
{
  TsCell *cells;

  if (table->blocks == NULL)
    table->blocks = g_ptr_array_new_with_free_func (g_free);
  if (table->block_used + n_cells > table->block_size)
    {
      table->block_size = MAX (CLAMP (table->block_size * 2, MIN_BLOCK_CELLS, MAX_BLOCK_CELLS), n_cells);
      table->block_used = 0;
      g_ptr_array_add (table->blocks, g_new (TsCell, table->block_size));
    }
  cells = (TsCell *) g_ptr_array_index (table->blocks, table->blocks->len - 1) + table->block_used;
  table->block_used += n_cells;
  return cells;
}

static void
close_row (TsTable *table)
{
  Row row = { .n_cells = table->n_open, .depth = table->open_depth };

  while (row.n_cells > 0 && table->open[row.n_cells - 1].type == TS_CELL_ABSENT)
    row.n_cells--;
  if (row.n_cells > 0)
    {
      row.cells = reserve_cells (table, row.n_cells);
      memcpy (row.cells, table->open, row.n_cells * sizeof (TsCell));
    }
  if (table->rows == NULL)
    table->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  g_array_append_val (table->rows, row);
}

void
ts_table_begin_row (TsTable *table, guint depth)
{
  if (table->open == NULL)
    table->open = g_new (TsCell, table->n_columns);
  else
    close_row (table);
  table->n_open = 0;
  table->open_depth = depth;
}

static TsCell *
add_cell (TsTable *table, TsCellType type)
{
  TsCell *cell;

  g_assert (table->open != NULL && table->n_open < table->n_columns);
  cell = &table->open[table->n_open++];
  cell->type = type;
  return cell;
}

void
ts_table_add_absent (TsTable *table)
{
  add_cell (table, TS_CELL_ABSENT);
}

void
ts_table_add_integer (TsTable *table, gint64 value)
{
  add_cell (table, TS_CELL_INTEGER)->integer = value;
}

void
ts_table_add_number (TsTable *table, TsRational value)
{
  add_cell (table, TS_CELL_NUMBER)->number = value;
}

void
ts_table_add_time (TsTable *table, TsRational units)
{
  add_cell (table, TS_CELL_TIME)->number = units;
}

void
ts_table_add_real (TsTable *table, double value)
{
  ts_put_real (add_cell (table, TS_CELL_REAL), value);
}

void
ts_table_add_root (TsTable *table, const TsRoot *root)
{
  ts_put_root (add_cell (table, TS_CELL_ROOT), root, 1);
}

void
ts_table_add_root_time (TsTable *table, const TsRoot *units)
{
  ts_put_root_time (add_cell (table, TS_CELL_ROOT_TIME), units);
}

void
ts_table_add_text (TsTable *table, const char *text)
{
  guint         column = table->n_open, row = n_closed_rows (table);
  TsCell       *cell = add_cell (table, text != NULL ? TS_CELL_TEXT : TS_CELL_ABSENT);
  const TsCell *above = row > 0 ? ts_table_get_cell (table, row - 1, column) : &absent;

  if (text == NULL)
    return;
  /* rows of one element follow each other, and say the same in most columns */
  if (above->type == TS_CELL_TEXT && strcmp (above->text, text) == 0)
    {
      cell->text = above->text;
      return;
    }
  if (table->texts == NULL)
    table->texts = g_string_chunk_new (256);
  cell->text = g_string_chunk_insert (table->texts, text);
}

void
ts_table_add_flag (TsTable *table, gboolean value)
{
  add_cell (table, TS_CELL_FLAG)->integer = value ? 1 : 0;
}

void
ts_table_add_table (TsTable *table, TsTable *inner)
{
  TsCell *cell = add_cell (table, inner != NULL ? TS_CELL_TABLE : TS_CELL_ABSENT);

  if (inner == NULL)
    return;
  cell->table = inner;
  table->has_inner = TRUE;
}

TsRational
ts_scale_wide_number (TsRational value, TsRational factor)
{
  TsInt128 numerator, denominator;

  if (!__builtin_mul_overflow (value.numerator, factor.numerator, &numerator)
      && !__builtin_mul_overflow (value.denominator, factor.denominator, &denominator))
    return (TsRational){ numerator, denominator };
  return ts_rational_multiply_to_print (value, factor);
}

gsize
ts_cell_write_other (const TsCell *cell, const TsRational *factor, char *buffer)
{
  switch (cell->type)
    {
    case TS_CELL_NUMBER:
      return ts_rational_format (cell->number, buffer);
    case TS_CELL_EXACT:
      return ts_rational_format_exact (cell->number, buffer);
    case TS_CELL_FINE:
      return ts_rational_format_fine (cell->number, buffer);
    case TS_CELL_TIME:
      return ts_rational_format (ts_scale_number (cell->number, *factor), buffer);
    case TS_CELL_REAL:
      return ts_real_format (cell->real, buffer);
    case TS_CELL_ROOT:
      return ts_root_format (cell->root, (TsRational){ cell->times, 1 }, buffer);
    case TS_CELL_ROOT_TIME:
      return ts_root_format (cell->root, *factor, buffer);
    case TS_CELL_FLAG:
      return g_strlcpy (buffer, cell->integer ? "true" : "false", TS_NUMBER_SIZE);
    case TS_CELL_ABSENT:
    case TS_CELL_INTEGER:
    case TS_CELL_TEXT:
    case TS_CELL_TABLE:
    default:
      buffer[0] = '\0';
      return 0;
    }
}

gsize
ts_cell_format (const TsCell *cell, TsRational factor, char *buffer)
{
  return ts_cell_write (cell, &factor, buffer);
}
