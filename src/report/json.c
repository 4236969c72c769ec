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

/* Bytes that do not stand for themselves, or may not. */
static const guint8 is_special[256] = {
  [0 ... 0x1f] = 1, ['"'] = 1, ['\\'] = 1, [0x7f ... 0xff] = 1,
};

/* Nearly all texts are short and as they are written: so there is one question at the end, not one a byte. @out ends
 * with a NUL, as if a function of GString had written to it. */
static gboolean
append_plain_text (GString *out, const char *text)
{
  gsize length = strlen (text);
  char *end = ts_output_room (out, length + 2);
  guint special = 0;

  for (gsize i = 0; i < length; i++)
    special |= is_special[(guchar) text[i]];
  if (special != 0)
    return FALSE;
  end[0] = '"';
  memcpy (end + 1, text, length);
  end[length + 1] = '"';
  end[length + 2] = '\0';
  out->len += length + 2;
  return TRUE;
}

/* @text in quotes; bytes that are no UTF-8 become U+FFFD, control characters are escaped. */
void
ts_json_append_text (GString *out, const char *text)
{
  const char *end;

  if (append_plain_text (out, text))
    return;
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

/* What stands before the values of a table's columns, with a comma in front. It is the same for all rows, and for the
 * same table wherever it is met again. */
typedef struct
{
  guint    indent;
  gsize    most_bytes; /* that all of them take, with numbers behind, and what is copied beyond the last */
  GString *bytes;
  guint    ends[]; /* of each column's, behind 0 */
} Keys;

#define SHORT_KEY 32

typedef struct
{
  TsOutput    output;
  TsRational  factor;
  GHashTable *keys; /* of TsTable to Keys */
} Emitter;

static const TsCell no_cell = { .type = TS_CELL_ABSENT };

static void append_table (Emitter *emitter, const TsTable *table, guint indent);

static void
append_line_break (GString *out, guint indent)
{
  char *end = ts_output_room (out, 1 + 2 * (gsize) indent);

  end[0] = '\n';
  memset (end + 1, ' ', 2 * (gsize) indent);
  out->len += 1 + 2 * (gsize) indent;
}

static inline void
append_byte (Emitter *emitter, char byte)
{
  *ts_output_room (emitter->output.text, 1) = byte;
  emitter->output.text->len++;
}

static inline void
append_literal (Emitter *emitter, const char *text)
{
  gsize length = strlen (text);

  memcpy (ts_output_room (emitter->output.text, length), text, length);
  emitter->output.text->len += length;
}

static void
free_keys (gpointer data)
{
  g_string_free (((Keys *) data)->bytes, TRUE);
  g_free (data);
}

static Keys *
new_keys (const TsTable *table, guint indent)
{
  guint n_columns = ts_table_n_columns (table);
  Keys *keys = g_malloc (sizeof (Keys) + (n_columns + 1) * sizeof (guint));

  *keys = (Keys){ .indent = indent, .bytes = g_string_new (NULL) };
  keys->ends[0] = 0;
  for (guint column = 0; column < n_columns; column++)
    {
      g_string_append_c (keys->bytes, ',');
      append_line_break (keys->bytes, indent);
      ts_json_append_text (keys->bytes, ts_table_get_column (table, column)->name);
      g_string_append (keys->bytes, ": ");
      keys->ends[column + 1] = (guint) keys->bytes->len;
    }
  ts_output_room (keys->bytes, SHORT_KEY);
  keys->most_bytes = keys->bytes->len + n_columns * TS_NUMBER_SIZE + SHORT_KEY;
  return keys;
}

static const Keys *
find_keys (Emitter *emitter, const TsTable *table, guint indent)
{
  Keys *keys = g_hash_table_lookup (emitter->keys, table);

  if (keys != NULL && keys->indent == indent)
    return keys;
  keys = new_keys (table, indent);
  g_hash_table_replace (emitter->keys, (gpointer) table, keys);
  return keys;
}

static inline char *
write_separator (char *end)
{
  memcpy (end, ", ", 2);
  return end + 2;
}

static inline char *
write_key (char *end, const Keys *keys, guint column, gboolean is_first)
{
  /* without the comma */
  const char *key = keys->bytes->str + keys->ends[column] + (is_first ? 1 : 0);
  gsize       length = (gsize) (keys->bytes->str + keys->ends[column + 1] - key);

  /* most are short, and a copy that always has the same length needs no call */
  memcpy (end, key, SHORT_KEY);
  if (length > SHORT_KEY)
    memcpy (end + SHORT_KEY, key + SHORT_KEY, length - SHORT_KEY);
  return end + length;
}

static inline char *
write_number (char *end, const Emitter *emitter, const TsCell *cell)
{
  gsize length = ts_cell_write (cell, &emitter->factor, end);

  if (length > 0)
    return end + length;
  memcpy (end, "null", 4);
  return end + 4;
}

static gboolean
is_number (const TsCell *cell)
{
  return cell->type != TS_CELL_TEXT && cell->type != TS_CELL_TABLE;
}

/* One that is no number. From @end on, which is not yet known to be the end; returns what is, with room for @more. */
static char *
append_other (Emitter *emitter, const TsCell *cell, guint indent, char *end, gsize more)
{
  GString *out = emitter->output.text;

  out->len = (gsize) (end - out->str);
  if (cell->type == TS_CELL_TEXT)
    ts_json_append_text (out, cell->text);
  else
    append_table (emitter, cell->table, indent);
  ts_output_check (&emitter->output);
  return ts_output_room (out, more);
}

/* The cells of a row from column @first on, by name and without the absent ones; @is_empty: nothing stands
 * before them in their object. Returns whether that still holds. */
static gboolean
append_members (Emitter *emitter, const TsTable *table, const Keys *keys, guint row, guint first, gboolean is_empty)
{
  guint         n_cells;
  const TsCell *cells = ts_table_get_cells (table, row, &n_cells);
  char         *end = ts_output_room (emitter->output.text, keys->most_bytes);

  for (guint column = first, n = n_cells; column < n; column++)
    {
      const TsCell *cell = &cells[column];

      if (cell->type == TS_CELL_ABSENT)
        continue;
      end = write_key (end, keys, column, is_empty);
      is_empty = FALSE;
      if (is_number (cell))
        end = write_number (end, emitter, cell);
      else
        end = append_other (emitter, cell, keys->indent, end, keys->most_bytes);
    }
  emitter->output.text->len = (gsize) (end - emitter->output.text->str);
  ts_output_check (&emitter->output);
  return is_empty;
}

static void
append_object (Emitter *emitter, const TsTable *table, const Keys *keys, guint row, guint first)
{
  append_byte (emitter, '{');
  if (!append_members (emitter, table, keys, row, first, TRUE))
    append_line_break (emitter->output.text, keys->indent - 1);
  append_byte (emitter, '}');
}

static void
append_record (Emitter *emitter, const TsTable *table, guint indent)
{
  if (ts_table_n_rows (table) > 0)
    append_object (emitter, table, find_keys (emitter, table, indent + 1), 0, 0);
  else
    append_literal (emitter, "{}");
}

static void
append_list (Emitter *emitter, const TsTable *table, guint indent)
{
  const Keys *keys = find_keys (emitter, table, indent + 2);
  guint       n_rows = ts_table_n_rows (table);

  append_byte (emitter, '[');
  for (guint row = 0; row < n_rows; row++)
    {
      if (row > 0)
        append_byte (emitter, ',');
      append_line_break (emitter->output.text, indent + 1);
      append_object (emitter, table, keys, row, 0);
    }
  if (n_rows > 0)
    append_line_break (emitter->output.text, indent);
  append_byte (emitter, ']');
}

static void
append_map (Emitter *emitter, const TsTable *table, guint indent)
{
  const Keys *keys = find_keys (emitter, table, indent + 2);
  guint       n_rows = ts_table_n_rows (table);

  append_byte (emitter, '{');
  for (guint row = 0; row < n_rows; row++)
    {
      if (row > 0)
        append_byte (emitter, ',');
      append_line_break (emitter->output.text, indent + 1);
      ts_json_append_text (emitter->output.text, ts_table_get_cell (table, row, 0)->text);
      append_literal (emitter, ": ");
      append_object (emitter, table, keys, row, 1);
    }
  if (n_rows > 0)
    append_line_break (emitter->output.text, indent);
  append_byte (emitter, '}');
}

/* There is room for each number with a comma, and for brackets, and @more behind. */
static char *
write_values (char *end, Emitter *emitter, const TsTable *table, guint row, guint indent, gsize more)
{
  guint         n_columns = ts_table_n_columns (table), n_cells;
  const TsCell *cells = ts_table_get_cells (table, row, &n_cells);

  for (guint column = 0, n = n_cells; column < n_columns; column++)
    {
      const TsCell *cell = column < n ? &cells[column] : &no_cell;

      if (column > 0)
        end = write_separator (end);
      end = is_number (cell) ? write_number (end, emitter, cell) : append_other (emitter, cell, indent, end, more);
    }
  return end;
}

/* On one line: a histogram has thousands of short rows. */
static void
append_rows (Emitter *emitter, const TsTable *table, gboolean in_brackets, guint indent)
{
  GString *out = emitter->output.text;
  gsize    most_bytes = ts_table_n_columns (table) * (gsize) (TS_NUMBER_SIZE + 2) + 4;
  guint    n_rows = ts_table_n_rows (table);

  append_byte (emitter, '[');
  for (guint row = 0; row < n_rows; row++)
    {
      char *end = ts_output_room (out, most_bytes);

      if (row > 0)
        end = write_separator (end);
      if (in_brackets)
        *end++ = '[';
      end = write_values (end, emitter, table, row, indent, most_bytes);
      if (in_brackets)
        *end++ = ']';
      out->len = (gsize) (end - out->str);
      ts_output_check (&emitter->output);
    }
  append_byte (emitter, ']');
}

static void
append_table (Emitter *emitter, const TsTable *table, guint indent)
{
  switch (ts_table_get_shape (table))
    {
    case TS_TABLE_RECORD:
      append_record (emitter, table, indent);
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
    return append_members (emitter, table, find_keys (emitter, table, 1), 0, 0, is_empty);
  if (!is_empty)
    append_byte (emitter, ',');
  append_line_break (emitter->output.text, 1);
  ts_json_append_text (emitter->output.text, ts_table_get_name (table));
  append_literal (emitter, ": ");
  append_table (emitter, table, 1);
  return FALSE;
}

gboolean
ts_json_write (TsSink sink, GPtrArray *tables, const TsTimeBase *base, const TsPrintOptions *options,
               GError **error)
{
  g_autoptr (GHashTable) keys = g_hash_table_new_full (g_direct_hash, g_direct_equal, NULL, free_keys);
  Emitter  emitter = { .factor = ts_time_base_factor (base, ts_file_unit (options->unit, base)), .keys = keys };
  gboolean is_empty = TRUE;

  ts_output_init (&emitter.output, sink);
  g_string_append_c (emitter.output.text, '{');
  for (guint i = 0; i < tables->len; i++)
    if (ts_table_get_audience (g_ptr_array_index (tables, i)) & TS_FOR_PROGRAMS)
      is_empty = append_to_report (&emitter, g_ptr_array_index (tables, i), is_empty);
  g_string_append (emitter.output.text, is_empty ? "}\n" : "\n}\n");
  return ts_output_finish (&emitter.output, error);
}
