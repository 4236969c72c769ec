/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "report/tables.h"
#include "report/writers.h"

/* RFC 4180 but for the ends of lines: these are LF, which every spreadsheet reads, and which scripts
 * (awk, cut, sort) do not see as part of the last column. */

void
ts_csv_append_text (GString *out, const char *text)
{
  gsize plain = strcspn (text, ",\"\r\n");

  /* blanks at the ends are part of the text, and some readers drop them unquoted */
  if (text[plain] == '\0' && (plain == 0 || (text[0] != ' ' && text[plain - 1] != ' ')))
    {
      g_string_append_len (out, text, (gssize) plain);
      return;
    }
  g_string_append_c (out, '"');
  for (const char *quote; (quote = strchr (text, '"')) != NULL; text = quote + 1)
    {
      g_string_append_len (out, text, quote + 1 - text);
      g_string_append_c (out, '"');
    }
  g_string_append (out, text);
  g_string_append_c (out, '"');
}

static void
append_valid_text (GString *out, const char *text)
{
  g_autofree char *valid = NULL;

  if (!g_utf8_validate (text, -1, NULL))
    text = valid = g_utf8_make_valid (text, -1);
  ts_csv_append_text (out, text);
}

static void
append_header (GString *out, const TsTable *table)
{
  for (guint column = 0; column < ts_table_n_columns (table); column++)
    {
      if (column > 0)
        g_string_append_c (out, ',');
      ts_csv_append_text (out, ts_table_get_column (table, column)->name);
    }
  g_string_append_c (out, '\n');
}

/* What the row before had in a column, and what was written of it. The text is there as long as the table, and rows of
 * one element follow each other. */
typedef struct
{
  const char *text; /* or NULL */
  gsize       length;
  char        bytes[TS_NUMBER_SIZE];
} KnownText;

#define KNOWN_SHORT 32

#define NOT_PLAIN G_MAXSIZE

/* How long @text is if it is written as it is, and that is seen at once. */
static gsize
plain_length (const char *text)
{
  gsize n = 0;

  while (text[n] >= ' ' && text[n] < 0x7f && text[n] != ',' && text[n] != '"')
    n++;
  return text[n] == '\0' && (n == 0 || (text[0] != ' ' && text[n - 1] != ' ')) ? n : NOT_PLAIN;
}

/* Each number, or known text, with its comma has room, in whatever is left of a row. */
static gsize
most_bytes (guint n_columns)
{
  return n_columns * (TS_NUMBER_SIZE + 1);
}

/* And keeps room for @more bytes. */
static void
append_new_text (GString *out, KnownText *known, const char *text, gsize more)
{
  gsize before = out->len, length = plain_length (text);

  if (length == NOT_PLAIN)
    append_valid_text (out, text);
  else
    {
      memcpy (ts_output_room (out, length), text, length);
      out->len += length;
    }
  length = out->len - before;
  known->text = length <= sizeof known->bytes ? text : NULL;
  known->length = length;
  memcpy (known->bytes, out->str + before, MIN (length, sizeof known->bytes));
  ts_output_room (out, more);
}

/* There is room; returns its end. */
static char *
append_known_text (char *end, const KnownText *known)
{
  /* most are short, and a copy that always has the same length needs no call */
  memcpy (end, known->bytes, KNOWN_SHORT);
  if (known->length > KNOWN_SHORT)
    memcpy (end + KNOWN_SHORT, known->bytes + KNOWN_SHORT, known->length - KNOWN_SHORT);
  return end + known->length;
}

typedef struct
{
  GString   *out;
  TsRational factor;
  guint      n_columns;
  KnownText *known; /* of each column */
} Rows;

static void
append_row (Rows *rows, const TsTable *table, guint row)
{
  GString      *out = rows->out;
  KnownText    *known = rows->known;
  guint         n_cells, n_lacking;
  const TsCell *cells = ts_table_get_cells (table, row, &n_cells), *behind = cells + n_cells;
  char         *end = ts_output_room (out, most_bytes (rows->n_columns));

  for (const TsCell *cell = cells; cell < behind; cell++, known++)
    {
      if (cell->type == TS_CELL_TEXT && cell->text == known->text)
        end = append_known_text (end, known);
      else if (cell->type == TS_CELL_TEXT)
        {
          out->len = (gsize) (end - out->str);
          append_new_text (out, known, cell->text, most_bytes (rows->n_columns - (guint) (cell - cells)));
          end = out->str + out->len;
        }
      else if (cell->type != TS_CELL_ABSENT)
        end += ts_cell_write (cell, &rows->factor, end);
      *end++ = ',';
    }
  n_lacking = rows->n_columns - n_cells;
  memset (end, ',', n_lacking);
  end += n_lacking;
  end[-1] = '\n'; /* in place of the last comma */
  out->len = (gsize) (end - out->str);
}

/* A file of rows holds one table: the one asked for, or the metrics. */
static const TsTable *
choose_table (GPtrArray *tables, const char *name, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < tables->len; i++)
    {
      const TsTable *table = g_ptr_array_index (tables, i);

      if ((ts_table_get_audience (table) & TS_FOR_SHEETS) == 0)
        continue;
      if (strcmp (ts_table_get_name (table), name) == 0)
        return table;
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", ts_table_get_name (table));
    }
  g_set_error (error, TS_ERROR, TS_ERROR_USAGE, "there is no table `%s'; this report has %s", name, names->str);
  return NULL;
}

gboolean
ts_csv_write (TsSink sink, GPtrArray *tables, const TsTimeBase *base, const TsPrintOptions *options,
              GError **error)
{
  const TsTable *table = choose_table (tables, options->table != NULL ? options->table : "metrics", error);
  Rows           rows = { .factor = ts_time_base_factor (base, ts_file_unit (options->unit, base)) };
  TsOutput       output;

  if (table == NULL)
    return FALSE;
  ts_output_init (&output, sink);
  rows.out = output.text;
  rows.n_columns = ts_table_n_columns (table);
  rows.known = g_new0 (KnownText, rows.n_columns);
  append_header (output.text, table);
  for (guint row = 0; row < ts_table_n_rows (table); row++)
    {
      append_row (&rows, table, row);
      ts_output_check (&output);
    }
  g_free (rows.known);
  return ts_output_finish (&output, error);
}
