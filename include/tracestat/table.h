/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/time.h>

G_BEGIN_DECLS

/* What writers see of a report: typed cells in named columns. Times are exact numbers of
 * internal units; a writer turns them into its unit, at the last moment. */
typedef enum
{
  TS_CELL_ABSENT,
  TS_CELL_INTEGER,
  TS_CELL_NUMBER,    /* exact fraction: ratios, ticks */
  TS_CELL_TIME,      /* exact fraction of internal units */
  TS_CELL_REAL,      /* double */
  TS_CELL_ROOT,      /* exact root: deviations of ratios and counts */
  TS_CELL_ROOT_TIME, /* exact root, in internal units */
  TS_CELL_TEXT,
  TS_CELL_FLAG,
  TS_CELL_TABLE, /* a table inside the cell */
  TS_CELL_EXACT, /* as TS_CELL_NUMBER, and all its digits are wanted */
  TS_CELL_FINE,  /* as TS_CELL_NUMBER, ticks of which the whole units can be told again */
} TsCellType;

typedef struct _TsTable TsTable;

typedef struct
{
  TsCellType type;
  gint64     times; /* ROOT: it is shown so many times as large, in percent 100 */
  union
  {
    gint64      integer; /* also FLAG */
    TsRational  number;  /* also TIME, EXACT and FINE */
    double      real;
    const TsRoot *root; /* also ROOT_TIME; owned by what the table was made from */
    const char *text;    /* owned by the table, or by what it was made from */
    TsTable    *table;   /* owned by the table */
  };
} TsCell;

typedef struct
{
  const char *name;  /* stable, for machines */
  const char *title; /* for people */
  const char *group; /* title over neighbouring columns, or NULL; one unit of time is fitted per group */
} TsColumn;

typedef enum
{
  TS_TABLE_LIST,   /* rows in order */
  TS_TABLE_MAP,    /* the first column is the key of its row */
  TS_TABLE_RECORD, /* one row: a thing with named properties */
  TS_TABLE_VALUES, /* one column: plain values */
  TS_TABLE_ROWS,   /* rows of plain values, known by their place */
} TsTableShape;

enum
{
  TS_FOR_PEOPLE = 1 << 0,   /* the text summary shows it */
  TS_FOR_SHEETS = 1 << 1,   /* flat: CSV and spreadsheets write it */
  TS_FOR_PROGRAMS = 1 << 2, /* nested: JSON writes it */
};

TS_API TsTable *ts_table_new (const char *name, const char *title, TsTableShape shape, guint audience,
                              const TsColumn *columns, guint n_columns); /* @columns are copied, their texts are not */
TS_API void     ts_table_free (TsTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsTable, ts_table_free)

TS_API const char     *ts_table_get_name (const TsTable *table); /* NULL: it has the members of the report itself */
TS_API const char     *ts_table_get_title (const TsTable *table);
TS_API TsTableShape    ts_table_get_shape (const TsTable *table);
TS_API guint           ts_table_get_audience (const TsTable *table);
TS_API guint           ts_table_n_columns (const TsTable *table);
TS_API const TsColumn *ts_table_get_column (const TsTable *table, guint column);
TS_API guint           ts_table_n_rows (const TsTable *table);
/* What is returned is there, with the tables in it, until another row of @table is looked at: some rows are made only
 * then. So only one thread at a time may look at a table. */
TS_API const TsCell   *ts_table_get_cell (const TsTable *table, guint row, guint column);
TS_API guint           ts_table_get_depth (const TsTable *table, guint row); /* nesting, for indentation */

/* Rows are appended cell by cell; a row that is left short is filled with absent cells. */
TS_API void ts_table_begin_row (TsTable *table, guint depth);
TS_API void ts_table_add_absent (TsTable *table);
TS_API void ts_table_add_integer (TsTable *table, gint64 value);
TS_API void ts_table_add_number (TsTable *table, TsRational value);
TS_API void ts_table_add_time (TsTable *table, TsRational units);
TS_API void ts_table_add_real (TsTable *table, double value); /* NAN: absent */
TS_API void ts_table_add_root (TsTable *table, const TsRoot *root); /* lent; not known: absent */
TS_API void ts_table_add_root_time (TsTable *table, const TsRoot *units); /* the same */
TS_API void ts_table_add_text (TsTable *table, const char *text); /* copied; NULL is absent */
TS_API void ts_table_add_flag (TsTable *table, gboolean value);
TS_API void ts_table_add_table (TsTable *table, TsTable *inner); /* taken; NULL is absent */

/* Writes the value of a cell as text into @buffer (TS_NUMBER_SIZE bytes) and returns its
 * length: numbers as ts_rational_format() has them, exact ones as ts_rational_format_exact(),
 * fine ones with 19 places at most,
 * times in units of @factor. Text and tables give an empty string: they have no such limit. */
TS_API gsize ts_cell_format (const TsCell *cell, TsRational factor, char *buffer);

G_END_DECLS
