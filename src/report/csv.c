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

/* What the rows before had in a column, and how long it is, if it is written as it is. It is there as long as the table,
 * and rows of one element follow each other. */
typedef struct
{
  const char *text;
  gsize       length;
} KnownText;

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

static void
append_new_text (GString *out, KnownText *known, const char *text)
{
  gsize before = out->len;

  *known = (KnownText){ text, plain_length (text) };
  if (known->length != NOT_PLAIN)
    {
      g_string_append_len (out, text, (gssize) known->length);
      return;
    }
  append_valid_text (out, text);
  known->length = out->len - before;
  known->text = strncmp (text, out->str + before, known->length) == 0 ? text : NULL;
}

/* Each number with its comma has room, in whatever is left of a row. */
static gsize
most_bytes (guint n_columns)
{
  return n_columns * (TS_NUMBER_SIZE + 1);
}

/* And keeps room for @more bytes. */
static void
append_text (GString *out, KnownText *known, const char *text, gsize more)
{
  if (text != known->text)
    {
      append_new_text (out, known, text);
      ts_output_room (out, more);
      return;
    }
  memcpy (ts_output_room (out, known->length + more), text, known->length);
  out->len += known->length;
}

static void
append_row (GString *out, const TsTable *table, guint row, const TsRational *factor, KnownText *known)
{
  guint         n_columns = ts_table_n_columns (table), n_cells;
  const TsCell *cells = ts_table_get_cells (table, row, &n_cells);
  char         *end = ts_output_room (out, most_bytes (n_columns));

  for (guint column = 0; column < n_cells; column++)
    {
      const TsCell *cell = &cells[column];

      if (cell->type == TS_CELL_TEXT)
        {
          out->len = (gsize) (end - out->str);
          append_text (out, &known[column], cell->text, most_bytes (n_columns - column));
          end = out->str + out->len;
        }
      else if (cell->type != TS_CELL_ABSENT)
        end += ts_cell_write (cell, factor, end);
      *end++ = ',';
    }
  memset (end, ',', n_columns - n_cells);
  end += n_columns - n_cells;
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
  TsRational     factor = ts_time_base_factor (base, ts_file_unit (options->unit, base));
  const TsTable *table = choose_table (tables, options->table != NULL ? options->table : "metrics", error);
  TsOutput       output;
  g_autofree KnownText *known = NULL;

  if (table == NULL)
    return FALSE;
  known = g_new0 (KnownText, ts_table_n_columns (table));
  ts_output_init (&output, sink);
  append_header (output.text, table);
  for (guint row = 0; row < ts_table_n_rows (table); row++)
    {
      append_row (output.text, table, row, &factor, known);
      ts_output_check (&output);
    }
  return ts_output_finish (&output, error);
}
