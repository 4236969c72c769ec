/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "report/tables.h"
#include "report/writers.h"

/* An emitter of its own, because numbers are exact decimals here: the usual libraries know doubles only. */

#define REPLACEMENT "\xef\xbf\xbd"

static void
append_escaped (GString *out, guchar byte)
{
  static const char short_names[] = { ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r',
                                      ['"'] = '"',  ['\\'] = '\\' };
  static const char digits[] = "0123456789abcdef";

  g_string_append_c (out, '\\');
  if (byte < sizeof (short_names) && short_names[byte] != '\0')
    {
      g_string_append_c (out, short_names[byte]);
      return;
    }
  g_string_append (out, "u00");
  g_string_append_c (out, digits[byte >> 4]);
  g_string_append_c (out, digits[byte & 15]);
}

static void
append_valid (GString *out, const char *text, gsize length)
{
  gsize start = 0;

  for (gsize i = 0; i < length; i++)
    {
      guchar byte = (guchar) text[i];

      if (byte >= 0x20 && byte != '"' && byte != '\\' && byte != 0x7f)
        continue;
      g_string_append_len (out, text + start, (gssize) (i - start));
      append_escaped (out, byte);
      start = i + 1;
    }
  g_string_append_len (out, text + start, (gssize) (length - start));
}

/* @text in quotes; bytes that are no UTF-8 become U+FFFD, control characters are escaped. */
void
ts_json_append_text (GString *out, const char *text)
{
  const char *end;

  g_string_append_c (out, '"');
  while (!g_utf8_validate (text, -1, &end))
    {
      append_valid (out, text, (gsize) (end - text));
      g_string_append (out, REPLACEMENT);
      text = end + 1;
    }
  append_valid (out, text, (gsize) (end - text));
  g_string_append_c (out, '"');
}

typedef struct
{
  TsOutput   output;
  TsRational factor;
} Emitter;

static void append_table (Emitter *emitter, const TsTable *table, guint indent);

static void
append_line_break (Emitter *emitter, guint indent)
{
  GString *out = emitter->output.text;
  gsize    start = out->len;

  g_string_append_c (out, '\n');
  g_string_set_size (out, start + 1 + 2 * indent);
  memset (out->str + start + 1, ' ', 2 * (gsize) indent);
}

static void
append_cell (Emitter *emitter, const TsCell *cell, guint indent)
{
  GString *out = emitter->output.text;
  char     number[TS_NUMBER_SIZE];
  gsize    length;

  switch (cell->type)
    {
    case TS_CELL_TEXT:
      ts_json_append_text (out, cell->text);
      break;
    case TS_CELL_TABLE:
      append_table (emitter, cell->table, indent);
      break;
    case TS_CELL_MAKER:
      {
        g_autoptr (TsTable) table = cell->maker.make (&cell->maker);

        append_table (emitter, table, indent);
      }
      break;
    case TS_CELL_ABSENT:
    case TS_CELL_INTEGER:
    case TS_CELL_NUMBER:
    case TS_CELL_TIME:
    case TS_CELL_REAL:
    case TS_CELL_REAL_TIME:
    case TS_CELL_FLAG:
    default:
      length = ts_cell_format (cell, emitter->factor, number);
      if (length > 0)
        g_string_append_len (out, number, (gssize) length);
      else
        g_string_append (out, "null");
      break;
    }
  ts_output_check (&emitter->output);
}

/* The cells of a row from column @first on, by name and without the absent ones; @is_empty: nothing stands
 * before them in their object. Returns whether that still holds. */
static gboolean
append_members (Emitter *emitter, const TsTable *table, guint row, guint first, guint indent, gboolean is_empty)
{
  for (guint column = first; column < ts_table_n_columns (table); column++)
    {
      const TsCell *cell = ts_table_get_cell (table, row, column);

      if (cell->type == TS_CELL_ABSENT)
        continue;
      if (!is_empty)
        g_string_append_c (emitter->output.text, ',');
      is_empty = FALSE;
      append_line_break (emitter, indent);
      ts_json_append_text (emitter->output.text, ts_table_get_column (table, column)->name);
      g_string_append (emitter->output.text, ": ");
      append_cell (emitter, cell, indent);
    }
  return is_empty;
}

static void
append_object (Emitter *emitter, const TsTable *table, guint row, guint first, guint indent)
{
  g_string_append_c (emitter->output.text, '{');
  if (ts_table_n_rows (table) > row && !append_members (emitter, table, row, first, indent + 1, TRUE))
    append_line_break (emitter, indent);
  g_string_append_c (emitter->output.text, '}');
}

static void
append_list (Emitter *emitter, const TsTable *table, guint indent)
{
  guint n_rows = ts_table_n_rows (table);

  g_string_append_c (emitter->output.text, '[');
  for (guint row = 0; row < n_rows; row++)
    {
      if (row > 0)
        g_string_append_c (emitter->output.text, ',');
      append_line_break (emitter, indent + 1);
      append_object (emitter, table, row, 0, indent + 1);
    }
  if (n_rows > 0)
    append_line_break (emitter, indent);
  g_string_append_c (emitter->output.text, ']');
}

static void
append_map (Emitter *emitter, const TsTable *table, guint indent)
{
  guint n_rows = ts_table_n_rows (table);

  g_string_append_c (emitter->output.text, '{');
  for (guint row = 0; row < n_rows; row++)
    {
      if (row > 0)
        g_string_append_c (emitter->output.text, ',');
      append_line_break (emitter, indent + 1);
      ts_json_append_text (emitter->output.text, ts_table_get_cell (table, row, 0)->text);
      g_string_append (emitter->output.text, ": ");
      append_object (emitter, table, row, 1, indent + 1);
    }
  if (n_rows > 0)
    append_line_break (emitter, indent);
  g_string_append_c (emitter->output.text, '}');
}

static void
append_values (Emitter *emitter, const TsTable *table, guint row, guint indent)
{
  for (guint column = 0; column < ts_table_n_columns (table); column++)
    {
      if (column > 0)
        g_string_append (emitter->output.text, ", ");
      append_cell (emitter, ts_table_get_cell (table, row, column), indent);
    }
}

/* On one line: a histogram has thousands of short rows. */
static void
append_rows (Emitter *emitter, const TsTable *table, gboolean in_brackets, guint indent)
{
  g_string_append_c (emitter->output.text, '[');
  for (guint row = 0; row < ts_table_n_rows (table); row++)
    {
      if (row > 0)
        g_string_append (emitter->output.text, ", ");
      if (in_brackets)
        g_string_append_c (emitter->output.text, '[');
      append_values (emitter, table, row, indent);
      if (in_brackets)
        g_string_append_c (emitter->output.text, ']');
    }
  g_string_append_c (emitter->output.text, ']');
}

static void
append_table (Emitter *emitter, const TsTable *table, guint indent)
{
  switch (ts_table_get_shape (table))
    {
    case TS_TABLE_RECORD:
      append_object (emitter, table, 0, 0, indent);
      break;
    case TS_TABLE_MAP:
      append_map (emitter, table, indent);
      break;
    case TS_TABLE_VALUES:
      append_rows (emitter, table, FALSE, indent);
      break;
    case TS_TABLE_ROWS:
      append_rows (emitter, table, TRUE, indent);
      break;
    case TS_TABLE_LIST:
    default:
      append_list (emitter, table, indent);
      break;
    }
}

/* A table is a member of the report's object; a record without a name gives its own members to it. */
static gboolean
append_to_report (Emitter *emitter, const TsTable *table, gboolean is_empty)
{
  if (ts_table_get_name (table) == NULL)
    return append_members (emitter, table, 0, 0, 1, is_empty);
  if (!is_empty)
    g_string_append_c (emitter->output.text, ',');
  append_line_break (emitter, 1);
  ts_json_append_text (emitter->output.text, ts_table_get_name (table));
  g_string_append (emitter->output.text, ": ");
  append_table (emitter, table, 1);
  return FALSE;
}

gboolean
ts_json_write (TsSink sink, GPtrArray *tables, const TsTimeBase *base, const TsPrintOptions *options,
               GError **error)
{
  Emitter  emitter = { .factor = ts_time_base_factor (base, ts_file_unit (options->unit, base)) };
  gboolean is_empty = TRUE;

  ts_output_init (&emitter.output, sink);
  g_string_append_c (emitter.output.text, '{');
  for (guint i = 0; i < tables->len; i++)
    if (ts_table_get_audience (g_ptr_array_index (tables, i)) & TS_FOR_PROGRAMS)
      is_empty = append_to_report (&emitter, g_ptr_array_index (tables, i), is_empty);
  g_string_append (emitter.output.text, is_empty ? "}\n" : "\n}\n");
  return ts_output_finish (&emitter.output, error);
}
