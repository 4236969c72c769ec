/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "report/tables.h"
#include "report/text.h"

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
  char          **texts; /* of each row, padded to the decimal point; NULL: absent */
  guint           places; /* after the point, the longest */
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
  const TsTable     *table;
  const TsTextStyle *style;
  guint              n_rows, n_columns;
  GridColumn        *columns;
  guint             *depths; /* of each row */
  GArray            *segments; /* of Segment */
  GStringChunk      *chunk;
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
    groups[i] = (TsFitGroup){ get_segment (grid, i)->first, get_segment (grid, i)->n_columns, { { 0, 1 }, NULL, 0 } };
  ts_fit_groups (grid->table, groups, n, grid->style);
  for (guint i = 0; i < n; i++)
    get_segment (grid, i)->fit = groups[i].fit;
}

static void
fill_text (Grid *grid, GridColumn *column, guint row, const TsCell *cell)
{
  gsize            indent = column == grid->columns ? MIN (2 * grid->depths[row], 20) : 0;
  g_autofree char *clean = ts_text_clean (cell->text);
  gsize            length = strlen (clean);
  g_autofree char *indented = g_malloc (indent + length + 1);

  memset (indented, ' ', indent);
  memcpy (indented + indent, clean, length + 1);
  column->is_text = TRUE;
  column->texts[row] = g_string_chunk_insert_len (grid->chunk, indented, (gssize) (indent + length));
  column->width = MAX (column->width, ts_text_width (indented));
}

static void
fill_cell (Grid *grid, GridColumn *column, guint row, const TsCell *cell, const TsFit *fit)
{
  char  number[2 * TS_NUMBER_SIZE];
  gsize length;
  guint places;

  if (cell->type == TS_CELL_TEXT)
    fill_text (grid, column, row, cell);
  if (cell->type == TS_CELL_TEXT || cell->type == TS_CELL_ABSENT)
    return;
  length = ts_fit_format (fit, cell, number, &places);
  column->texts[row] = g_string_chunk_insert_len (grid->chunk, number, (gssize) length);
  column->places = MAX (column->places, places);
  column->whole_width = MAX (column->whole_width, (guint) length - (places > 0 ? places + 1 : 0));
}

/* Row by row, as the cells lie. */
static void
fill_rows (Grid *grid)
{
  for (guint row = 0; row < grid->n_rows; row++)
    {
      guint         n_cells;
      const TsCell *cells = ts_table_get_cells (grid->table, row, &n_cells);

      grid->depths[row] = ts_table_get_depth (grid->table, row);
      for (guint i = 0; i < grid->segments->len; i++)
        {
          const Segment *segment = get_segment (grid, i);
          guint          end = MIN (segment->first + segment->n_columns, n_cells);

          for (guint k = segment->first; k < end; k++)
            fill_cell (grid, &grid->columns[k], row, &cells[k], &segment->fit);
        }
    }
  for (guint i = 0; i < grid->n_columns; i++)
    {
      GridColumn *column = &grid->columns[i];

      if (!column->is_text)
        column->width = MAX (column->whole_width, 1) + (column->places > 0 ? column->places + 1 : 0);
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

static guint
gap_before (const Segment *segment)
{
  return segment->name != NULL ? GROUP_GAP : COLUMN_GAP;
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

/* A number, which is as wide as it is long, or "-", behind @gap blanks: most of a large report is this. */
static void
append_number (GString *out, const Grid *grid, const GridColumn *column, const char *text, guint gap)
{
  const char *shown = text != NULL ? text : "-";
  gsize       length = strlen (shown), end = out->len;
  const char *point = memchr (shown, '.', length);
  guint       places = point != NULL ? (guint) (shown + length - point) : 0;
  guint       after = column->places > 0 ? column->places + 1 - places : 0;
  guint       room = column->width - after;
  gsize       before = gap + room - MIN (room, length);

  if (text == NULL && grid->style->colour)
    {
      ts_text_pad (out, (guint) before);
      ts_text_paint (out, grid->style, TS_FACE_DIM, shown);
      ts_text_pad (out, after);
      return;
    }
  g_string_set_size (out, end + before + length + after);
  memset (out->str + end, ' ', before + length + after);
  memcpy (out->str + end + before, shown, length);
}

static void
append_row (GString *out, const Grid *grid, guint row, guint from, guint end, guint names)
{
  const char      *full = grid->columns[0].texts[row] != NULL ? grid->columns[0].texts[row] : "";
  g_autofree char *name = ts_text_shorten (full, names, grid->style->unicode);

  ts_text_pad (out, LEFT_MARGIN);
  append_aligned (out, grid, TS_FACE_BOLD, name, names, TRUE);
  for (guint i = from; i < end; i++)
    {
      const Segment *segment = get_segment (grid, i);

      for (guint k = segment->first; k < segment->first + segment->n_columns; k++)
        {
          const GridColumn *column = &grid->columns[k];
          const char       *text = column->texts[row];
          guint             gap = k > segment->first ? COLUMN_GAP : gap_before (segment);

          if (!column->is_text)
            {
              append_number (out, grid, column, text, gap);
              continue;
            }
          ts_text_pad (out, gap);
          append_aligned (out, grid, TS_FACE_PLAIN, text != NULL ? text : "", column->width, TRUE);
        }
    }
  ts_text_end_line (out);
}

/* Elements stand in every part where they have a number, or where one below them has. */
static gboolean *
choose_rows (const Grid *grid, guint from, guint end)
{
  gboolean *chosen = g_new0 (gboolean, grid->n_rows);
  guint     first = get_segment (grid, from)->first;
  guint     last = get_segment (grid, end - 1)->first + get_segment (grid, end - 1)->n_columns - 1;

  for (guint row = 0; row < grid->n_rows; row++)
    {
      chosen[row] = from == 1;
      for (guint column = first; column <= last; column++)
        chosen[row] |= grid->columns[column].texts[row] != NULL;
    }
  ts_choose_ancestors (chosen, grid->depths, grid->n_rows);
  return chosen;
}

void
ts_text_grid (GString *out, const TsTextStyle *style, const TsTable *table)
{
  Grid grid = { .table = table, .style = style, .n_rows = ts_table_n_rows (table),
                .n_columns = ts_table_n_columns (table) };

  grid.chunk = g_string_chunk_new (16384);
  grid.columns = g_new0 (GridColumn, grid.n_columns);
  grid.segments = g_array_new (FALSE, FALSE, sizeof (Segment));
  grid.depths = g_new (guint, grid.n_rows);
  for (guint i = 0; i < grid.n_columns; i++)
    {
      grid.columns[i].column = ts_table_get_column (table, i);
      grid.columns[i].texts = g_new0 (char *, grid.n_rows);
    }
  find_segments (&grid);
  fit_segments (&grid);
  fill_rows (&grid);
  for (guint i = 0; i < grid.segments->len; i++)
    measure_segment (&grid, get_segment (&grid, i));

  for (guint from = 1, end; from < grid.segments->len; from = end)
    {
      g_autofree gboolean *chosen = NULL;
      guint                names;

      end = end_of_part (&grid, from);
      chosen = choose_rows (&grid, from, end);
      names = name_width (&grid, from, end);
      if (from > 1)
        g_string_append_c (out, '\n');
      append_group_titles (out, &grid, from, end, names);
      append_column_titles (out, &grid, from, end, names);
      for (guint row = 0; row < grid.n_rows; row++)
        if (chosen[row])
          append_row (out, &grid, row, from, end, names);
    }

  for (guint i = 0; i < grid.segments->len; i++)
    g_free (get_segment (&grid, i)->title);
  for (guint i = 0; i < grid.n_columns; i++)
    g_free (grid.columns[i].texts);
  g_array_unref (grid.segments);
  g_free (grid.columns);
  g_free (grid.depths);
  g_string_chunk_free (grid.chunk);
}
