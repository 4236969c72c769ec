/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "model/pages.h"
#include "report/tables.h"
#include "report/text.h"
#include "report/writers.h"

/* Aligned columns. libsmartcols has no titles over groups of columns, no shortening in the middle of a name and
 * no alignment on the decimal point; what would be left for it is the padding. */

#define COLUMN_GAP 2
#define GROUP_GAP 3
#define LEAST_NAME 24 /* a name is shortened to this before columns go to a part of their own */
#define LEFT_MARGIN 2

typedef struct
{
  const TsColumn *column;
  gboolean        is_text;
  gboolean        is_odd; /* some text is not as wide as it is long */
  guint           gap; /* blanks before it */
  guint           tail; /* the point and what is after it, the longest */
  guint           whole_width; /* before it, the longest */
  guint           width;
} GridColumn;

/* Neighbouring columns that stay together. */
typedef struct
{
  const char *name; /* the group, or NULL */
  char       *title; /* name and unit */
  guint       first, n_columns;
  guint       width;
  TsFit       fit;
} Segment;

typedef struct
{
  const char *name; /* without control characters */
  guint       indent;
  guint       width; /* of both */
  guint       length; /* of the name, in bytes */
  gsize       cells; /* where those that are to be written next begin in the cells of the grid */
} GridRow;

/* Of the columns, those that fit beside the names. */
typedef struct
{
  guint    first, n_columns;
  guint    names;    /* how wide these are */
  guint    width;    /* of all columns */
  gboolean is_plain; /* as they lie, see append_plain_cells() */
} Part;

typedef struct
{
  const TsTable     *table;
  const TsTextStyle *style;
  guint              n_rows, n_columns;
  GridColumn        *columns;
  GridRow           *rows;
  guint             *depths; /* of each row */
  GArray            *segments; /* of Segment */
  char              *cells; /* of all rows, but for the first column: see begin_cell() */
  gsize              n_cells, cells_room; /* bytes of these */
  GStringChunk      *names; /* that are not as they are in the table */
} Grid;

static Segment *
get_segment (const Grid *grid, guint index)
{
  return &g_array_index (grid->segments, Segment, index);
}

/* The first column is the name of the row; it stands alone. */
static void
find_segments (Grid *grid)
{
  for (guint first = 0; first < grid->n_columns;)
    {
      const char *group = ts_table_get_column (grid->table, first)->group;
      Segment     segment = { .name = group, .first = first, .n_columns = 1 };

      while (group != NULL && first + segment.n_columns < grid->n_columns
             && g_strcmp0 (ts_table_get_column (grid->table, first + segment.n_columns)->group, group) == 0)
        segment.n_columns++;
      first += segment.n_columns;
      g_array_append_val (grid->segments, segment);
    }
}

static void
fit_segments (Grid *grid)
{
  guint                  n = grid->segments->len;
  g_autofree TsFitGroup *groups = g_new (TsFitGroup, n);

  for (guint i = 0; i < n; i++)
    {
      guint first = get_segment (grid, i)->first;

      groups[i] = (TsFitGroup){ first, get_segment (grid, i)->n_columns,
                                strcmp (ts_table_get_column (grid->table, first)->name, "at") == 0, { { 0, 1 }, NULL, 0 } };
    }
  ts_fit_groups (grid->table, groups, n, grid->style);
  for (guint i = 0; i < n; i++)
    get_segment (grid, i)->fit = groups[i].fit;
}

/* A cell is a byte and, unless that is 0 for an absent one, the length of its tail and a text that ends with 0. The
 * byte is one more than the text is long, or the largest that there is. */
#define MOST_LENGTH 254
#define FIRST_CELLS 4096

static void
make_room (Grid *grid, gsize n)
{
  const gsize room = MAX (grid->n_cells + n, 2 * grid->cells_room);

  grid->cells = ts_pages_resize (grid->cells, grid->cells_room, room);
  grid->cells_room = room;
}

/* Room for a text of @length. Returns where it is to be written. */
static inline char *
begin_cell (Grid *grid, gsize length)
{
  if (G_UNLIKELY (grid->cells_room - grid->n_cells < length + 3))
    make_room (grid, length + 3);
  return grid->cells + grid->n_cells + 2;
}

static inline void
end_cell (Grid *grid, gsize length, guint tail)
{
  char *cell = grid->cells + grid->n_cells;

  cell[0] = (char) (MIN (length, MOST_LENGTH) + 1);
  cell[1] = (char) tail;
  grid->n_cells += length + 3;
}

/* The text of the cell at *@cells, or NULL, which goes on to the next one. */
static inline const char *
next_cell (const char **cells, gsize *length, guint *tail)
{
  guchar      byte = (guchar) **cells;
  const char *text = *cells + 2;

  if (byte == 0)
    {
      (*cells)++;
      return NULL;
    }
  *tail = (guchar) text[-1];
  *length = byte <= MOST_LENGTH ? byte - 1u : strlen (text);
  *cells = text + *length + 1;
  return text;
}

static void
fill_text (Grid *grid, GridColumn *column, const TsCell *cell)
{
  g_autofree char *text = ts_text_clean (cell->text);
  gsize            length = strlen (text);
  guint            width = ts_text_width (text);

  memcpy (begin_cell (grid, length), text, length + 1);
  end_cell (grid, length, 0);
  column->is_text = TRUE;
  column->is_odd |= width != length;
  column->width = MAX (column->width, width);
}

static inline guint
note_number (GridColumn *column, gsize length, guint places)
{
  const guint tail = places > 0 ? places + 1 : 0;

  column->tail = MAX (column->tail, tail);
  column->whole_width = MAX (column->whole_width, (guint) length - tail);
  return tail;
}

static inline void
fill_number (Grid *grid, GridColumn *column, const TsCell *cell, const TsFit *fit)
{
  guint places;
  gsize length = ts_fit_format (fit, cell, begin_cell (grid, 2 * TS_NUMBER_SIZE), &places);

  end_cell (grid, length, note_number (column, length, places));
}

/* The first column. */
static void
fill_name (Grid *grid, GridRow *row, guint depth, const TsCell *cell, const TsFit *fit)
{
  GridColumn *column = &grid->columns[0];
  char        number[2 * TS_NUMBER_SIZE];
  guint       places;
  gsize       length;

  if (cell->type == TS_CELL_TEXT)
    {
      row->name = ts_text_clean_lent (cell->text, grid->names);
      row->length = (guint) strlen (row->name);
      row->indent = MIN (2 * depth, 20);
      row->width = row->indent + ts_text_width (row->name);
      column->is_text = TRUE;
      column->width = MAX (column->width, row->width);
    }
  else if (cell->type != TS_CELL_ABSENT)
    {
      length = ts_fit_format (fit, cell, number, &places);
      row->name = g_string_chunk_insert_len (grid->names, number, (gssize) length);
      row->width = row->length = (guint) length;
      note_number (column, length, places);
    }
}

static void
fill_segment (Grid *grid, const Segment *segment, const TsCell *cells, guint n_cells)
{
  for (guint k = MAX (segment->first, 1); k < segment->first + segment->n_columns; k++)
    if (k >= n_cells || cells[k].type == TS_CELL_ABSENT)
      {
        begin_cell (grid, 0)[-2] = 0;
        grid->n_cells++;
      }
    else if (cells[k].type == TS_CELL_TEXT)
      fill_text (grid, &grid->columns[k], &cells[k]);
    else
      fill_number (grid, &grid->columns[k], &cells[k], &segment->fit);
}

/* Row by row, as the cells lie. */
static void
fill_rows (Grid *grid)
{
  for (guint i = 0; i < grid->n_rows; i++)
    {
      guint         n_cells;
      const TsCell *cells = ts_table_get_cells (grid->table, i, &n_cells);
      GridRow      *row = &grid->rows[i];

      *row = (GridRow){ "", 0, 0, 0, grid->n_cells };
      grid->depths[i] = ts_table_get_depth (grid->table, i);
      if (n_cells > 0)
        fill_name (grid, row, grid->depths[i], &cells[0], &get_segment (grid, 0)->fit);
      for (guint k = 0; k < grid->segments->len; k++)
        fill_segment (grid, get_segment (grid, k), cells, n_cells);
    }
  for (guint i = 0; i < grid->n_columns; i++)
    {
      GridColumn *column = &grid->columns[i];

      /* some may be texts where others are numbers */
      column->width = MAX (column->width, MAX (column->whole_width, !column->is_text) + column->tail);
    }
}

/* A column's title; a time that stands alone has its unit in it. */
static char *
column_title (const Segment *segment, const TsColumn *column)
{
  if (segment->name == NULL && segment->fit.unit != NULL)
    return g_strdup_printf ("%s [%s]", column->title, segment->fit.unit);
  return g_strdup (column->title);
}

static guint
gap_before (const Segment *segment)
{
  return segment->name != NULL ? GROUP_GAP : COLUMN_GAP;
}

static void
measure_segment (Grid *grid, Segment *segment)
{
  guint last = segment->first + segment->n_columns - 1;

  if (segment->name != NULL)
    segment->title = segment->fit.unit != NULL ? g_strdup_printf ("%s [%s]", segment->name, segment->fit.unit)
                                               : g_strdup (segment->name);
  for (guint i = segment->first; i <= last; i++)
    {
      GridColumn      *column = &grid->columns[i];
      g_autofree char *title = NULL;

      title = column_title (segment, column->column);
      column->gap = i > segment->first ? COLUMN_GAP : gap_before (segment);
      column->width = MAX (column->width, ts_text_width (title));
      segment->width += column->width + (i > segment->first ? COLUMN_GAP : 0);
    }
  if (segment->title != NULL && ts_text_width (segment->title) > segment->width)
    {
      guint more = ts_text_width (segment->title) - segment->width;

      grid->columns[last].width += more;
      segment->width += more;
    }
}

/* Segments from @from on that fit beside the names; at least one. */
static guint
end_of_part (const Grid *grid, guint from)
{
  guint width = LEFT_MARGIN + MIN (get_segment (grid, 0)->width, LEAST_NAME);
  guint end = from;

  while (end < grid->segments->len)
    {
      const Segment *segment = get_segment (grid, end);

      width += gap_before (segment) + segment->width;
      /* only groups move on: single columns belong to the names */
      if (end > from && segment->name != NULL && width > grid->style->width)
        break;
      end++;
    }
  return end;
}

/* What the part leaves to the names. */
static guint
name_width (const Grid *grid, guint from, guint end)
{
  guint natural = get_segment (grid, 0)->width, others = LEFT_MARGIN;

  for (guint i = from; i < end; i++)
    others += gap_before (get_segment (grid, i)) + get_segment (grid, i)->width;
  if (others + natural <= grid->style->width)
    return natural;
  return MIN (natural, MAX (LEAST_NAME, grid->style->width > others ? grid->style->width - others : 0));
}

/* The group's title in the middle of a line over its columns. */
static void
append_group_title (GString *out, const Grid *grid, const Segment *segment)
{
  const char      *line = grid->style->unicode ? "\xe2\x94\x80" : "-";
  guint            room = segment->width - ts_text_width (segment->title);
  guint            before = room / 2, after = room - before;
  gsize            name_length = strcspn (segment->title, " ["); /* its unit stands behind */
  g_autofree char *name = g_strndup (segment->title, name_length);
  g_autoptr (GString) dashes = g_string_new (NULL);

  ts_text_repeat (dashes, line, before > 0 ? before - 1 : 0);
  ts_text_paint (out, grid->style, TS_FACE_DIM, dashes->str);
  ts_text_pad (out, before > 0 ? 1 : 0);
  ts_text_paint (out, grid->style, TS_FACE_BOLD, name);
  ts_text_paint (out, grid->style, TS_FACE_DIM, segment->title + name_length);
  ts_text_pad (out, after > 0 ? 1 : 0);
  g_string_truncate (dashes, 0);
  ts_text_repeat (dashes, line, after > 0 ? after - 1 : 0);
  ts_text_paint (out, grid->style, TS_FACE_DIM, dashes->str);
}

static void
append_group_titles (GString *out, const Grid *grid, guint from, guint end, guint names)
{
  gboolean has_groups = FALSE;

  for (guint i = from; i < end; i++)
    has_groups |= get_segment (grid, i)->name != NULL;
  if (!has_groups)
    return;
  ts_text_pad (out, LEFT_MARGIN + names);
  for (guint i = from; i < end; i++)
    {
      const Segment *segment = get_segment (grid, i);

      ts_text_pad (out, gap_before (segment));
      if (segment->name != NULL)
        append_group_title (out, grid, segment);
      else
        ts_text_pad (out, segment->width);
    }
  ts_text_end_line (out);
}

static void
append_aligned (GString *out, const Grid *grid, TsTextFace face, const char *text, guint width, gboolean to_left)
{
  guint padding = width - MIN (width, ts_text_width (text));

  if (!to_left)
    ts_text_pad (out, padding);
  ts_text_paint (out, grid->style, face, text);
  if (to_left)
    ts_text_pad (out, padding);
}

static void
append_column_titles (GString *out, const Grid *grid, guint from, guint end, guint names)
{
  ts_text_pad (out, LEFT_MARGIN);
  append_aligned (out, grid, TS_FACE_DIM, grid->columns[0].column->title, names, TRUE);
  for (guint i = from; i < end; i++)
    {
      const Segment *segment = get_segment (grid, i);

      ts_text_pad (out, gap_before (segment));
      for (guint k = segment->first; k < segment->first + segment->n_columns; k++)
        {
          const GridColumn *column = &grid->columns[k];
          g_autofree char  *title = column_title (segment, column->column);

          ts_text_pad (out, k > segment->first ? COLUMN_GAP : 0);
          append_aligned (out, grid, TS_FACE_DIM, title, column->width, column->is_text);
        }
    }
  ts_text_end_line (out);
}

/* Numbers stand with their points below each other. */
static void
append_cell (GString *out, const Grid *grid, const GridColumn *column, const char *text, guint tail)
{
  const TsTextFace face = text != NULL ? TS_FACE_PLAIN : TS_FACE_DIM;
  const guint      behind = column->is_text ? 0 : column->tail - tail;

  if (text == NULL)
    text = column->is_text ? "" : "-";
  ts_text_pad (out, column->gap);
  append_aligned (out, grid, face, text, column->width - behind, column->is_text);
  ts_text_pad (out, behind);
}

static void
append_name (GString *out, const Grid *grid, const GridRow *row, guint width)
{
  g_autofree char *full = NULL;
  g_autofree char *name = NULL;

  if (row->width <= width && !grid->style->colour)
    {
      ts_text_pad (out, row->indent);
      g_string_append (out, row->name);
      ts_text_pad (out, width - row->width);
      return;
    }
  full = g_strdup_printf ("%*s%s", (int) row->indent, "", row->name);
  name = ts_text_shorten (full, width, grid->style->unicode);
  append_aligned (out, grid, TS_FACE_BOLD, name, width, TRUE);
}

static const char *
append_cells (GString *out, const Grid *grid, const Part *part, const GridRow *row, const char *cells)
{
  ts_text_pad (out, LEFT_MARGIN);
  append_name (out, grid, row, part->names);
  for (guint i = part->first; i < part->first + part->n_columns; i++)
    {
      gsize       length;
      guint       tail = 0;
      const char *text = next_cell (&cells, &length, &tail);

      append_cell (out, grid, &grid->columns[i], text, tail);
    }
  ts_text_end_line (out);
  return cells;
}

/* The same where nothing is painted, and all but the name is as wide as it is long: most of a large report. */
static const char *
append_plain_cells (GString *out, const Grid *grid, const Part *part, const GridRow *row, const char *cells)
{
  const guint       others = part->names - (row->width - row->indent); /* wide, and as long */
  const gsize       n_bytes = LEFT_MARGIN + row->length + others + part->width;
  const GridColumn *column = &grid->columns[part->first], *end = column + part->n_columns;
  char             *line = ts_output_room (out, n_bytes + 1);

  memset (line, ' ', n_bytes);
  memcpy (line + LEFT_MARGIN + row->indent, row->name, row->length);
  line += LEFT_MARGIN + row->length + others;
  for (; column < end; column++)
    {
      gsize       length = 1;
      guint       tail = 0;
      const char *text = next_cell (&cells, &length, &tail);

      line += column->gap + column->width;
      if (!column->is_text)
        memcpy (line - (column->tail - tail) - length, text != NULL ? text : "-", length);
      else if (text != NULL)
        memcpy (line - column->width, text, length);
    }
  out->len = (gsize) (line - out->str);
  ts_text_end_line (out);
  return cells;
}

static guint
first_column (const Grid *grid, guint segment)
{
  return segment < grid->segments->len ? get_segment (grid, segment)->first : grid->n_columns;
}

static gboolean
has_cells (const Grid *grid, const GridRow *row, guint n)
{
  const char *cells = grid->cells + row->cells;

  /* each absent one is a byte */
  for (guint i = 0; i < n; i++)
    if (cells[i] != 0)
      return TRUE;
  return FALSE;
}

/* Elements stand in every part where they have a number, or where one below them has. */
static gboolean *
choose_rows (const Grid *grid, guint from, guint n_columns)
{
  gboolean *chosen = g_new (gboolean, grid->n_rows);

  for (guint i = 0; i < grid->n_rows; i++)
    chosen[i] = from == 1 || has_cells (grid, &grid->rows[i], n_columns);
  ts_choose_ancestors (chosen, grid->depths, grid->n_rows);
  return chosen;
}

static void
append_part (TsOutput *output, Grid *grid, guint from, guint end)
{
  GString             *out = output->text;
  Part                 part = { first_column (grid, from), first_column (grid, end) - first_column (grid, from),
                                name_width (grid, from, end), 0, !grid->style->colour };
  g_autofree gboolean *chosen = choose_rows (grid, from, part.n_columns);

  for (guint i = part.first; i < part.first + part.n_columns; i++)
    {
      part.width += grid->columns[i].gap + grid->columns[i].width;
      part.is_plain &= !grid->columns[i].is_odd;
    }
  append_group_titles (out, grid, from, end, part.names);
  append_column_titles (out, grid, from, end, part.names);
  for (guint i = 0; i < grid->n_rows; i++)
    {
      GridRow    *row = &grid->rows[i];
      const char *cells = grid->cells + row->cells;

      if (!chosen[i])
        cells += part.n_columns; /* all are absent */
      else if (part.is_plain && row->width <= part.names)
        cells = append_plain_cells (out, grid, &part, row, cells);
      else
        cells = append_cells (out, grid, &part, row, cells);
      row->cells = (gsize) (cells - grid->cells);
      ts_output_check (output);
    }
}

void
ts_text_grid (TsOutput *output, const TsTextStyle *style, const TsTable *table)
{
  Grid grid = { .table = table, .style = style, .n_rows = ts_table_n_rows (table),
                .n_columns = ts_table_n_columns (table) };

  make_room (&grid, FIRST_CELLS);
  grid.names = g_string_chunk_new (1024);
  grid.columns = g_new0 (GridColumn, grid.n_columns);
  grid.segments = g_array_new (FALSE, FALSE, sizeof (Segment));
  grid.rows = g_new (GridRow, grid.n_rows);
  grid.depths = g_new (guint, grid.n_rows);
  for (guint i = 0; i < grid.n_columns; i++)
    grid.columns[i].column = ts_table_get_column (table, i);
  find_segments (&grid);
  fit_segments (&grid);
  fill_rows (&grid);
  for (guint i = 0; i < grid.segments->len; i++)
    measure_segment (&grid, get_segment (&grid, i));

  for (guint from = 1, end; from < grid.segments->len; from = end)
    {
      if (from > 1)
        g_string_append_c (output->text, '\n');
      end = end_of_part (&grid, from);
      append_part (output, &grid, from, end);
    }

  for (guint i = 0; i < grid.segments->len; i++)
    g_free (get_segment (&grid, i)->title);
  g_array_unref (grid.segments);
  ts_pages_release (grid.cells, grid.cells_room);
  g_string_chunk_free (grid.names);
  g_free (grid.columns);
  g_free (grid.rows);
  g_free (grid.depths);
}
