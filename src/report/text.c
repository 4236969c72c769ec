/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "model/number.h"
#include "report/text.h"
#include "report/writers.h"

#define DEFAULT_WIDTH 100
#define LEAST_WIDTH 40
#define BAR_WIDTH 32

typedef void (*Renderer) (GString *out, const TsTextStyle *style, const TsTable *table);

static void
append_time (GString *out, const TsTextStyle *style, const TsTable *table, guint row, guint column)
{
  TsFit fit = ts_fit_cell (table, row, column, style);
  char  number[2 * TS_NUMBER_SIZE];
  guint places;

  ts_fit_format (&fit, ts_table_get_cell (table, row, column), number, &places);
  g_string_append_printf (out, "%s" TS_TEXT_TIE "%s", number, fit.unit != NULL ? fit.unit : "");
}

/* "2 cores", "1 core": titles are plurals */
static void
append_count (GString *out, gint64 count, const char *title)
{
  gsize length = strlen (title);

  ts_number_append_grouped (out, count);
  g_string_append (out, TS_TEXT_TIE);
  g_string_append_len (out, title, (gssize) (count == 1 && g_str_has_suffix (title, "s") ? length - 1 : length));
}

/* A trace in one line: the first cell is its path. */
static void
render_trace (GString *out, const TsTextStyle *style, const TsTable *table)
{
  for (guint row = 0; row < ts_table_n_rows (table); row++)
    {
      g_autofree char    *path = ts_text_clean (ts_table_get_cell (table, row, 0)->text);
      g_autoptr (GString) facts = g_string_new (NULL);

      for (guint column = 1; column < ts_table_n_columns (table); column++)
        {
          const TsCell    *cell = ts_table_get_cell (table, row, column);
          g_autofree char *text = NULL;

          if (cell->type == TS_CELL_ABSENT)
            continue;
          /* "3 sections over 16 s": a time belongs to what stands before it */
          if (facts->len > 0)
            g_string_append (facts, cell->type == TS_CELL_TIME ? " " : ", ");
          if (cell->type == TS_CELL_TEXT)
            {
              text = ts_text_clean (cell->text);
              g_string_append (facts, text);
            }
          else if (cell->type == TS_CELL_INTEGER)
            append_count (facts, cell->integer, ts_table_get_column (table, column)->title);
          else
            {
              g_string_append_printf (facts, "%s" TS_TEXT_TIE, ts_table_get_column (table, column)->title);
              append_time (facts, style, table, row, column);
            }
        }
      ts_text_paint (out, style, TS_FACE_BOLD, path);
      g_string_append (out, facts->len > 0 ? ": " : "");
      ts_text_wrap (out, style, TS_FACE_PLAIN, facts->str, ts_text_width (path) + 2, 2);
    }
}

static void
append_title (GString *out, const TsTextStyle *style, const TsTable *table)
{
  if (ts_table_get_title (table) == NULL)
    return;
  ts_text_wrap (out, style, TS_FACE_BOLD, ts_table_get_title (table), 0, 2);
}

static void
render_sentences (GString *out, const TsTextStyle *style, const TsTable *table)
{
  for (guint row = 0; row < ts_table_n_rows (table); row++)
    {
      g_autofree char *text = ts_text_clean (ts_table_get_cell (table, row, 0)->text);

      ts_text_wrap (out, style, TS_FACE_PLAIN, text, 0, 0);
    }
}

/* What follows belongs to one section: a line across says so. */
static void
render_section (GString *out, const TsTextStyle *style, const TsTable *table)
{
  g_autofree char    *text = ts_text_clean (ts_table_get_cell (table, 0, 0)->text);
  g_autoptr (GString) line = g_string_new (NULL);
  guint               width = ts_text_width (text);

  ts_text_repeat (line, style->unicode ? "\xe2\x94\x80" : "-", style->width > width + 1 ? style->width - width - 1 : 0);
  ts_text_paint (out, style, TS_FACE_BOLD, text);
  g_string_append_c (out, ' ');
  ts_text_paint (out, style, TS_FACE_DIM, line->str);
  ts_text_end_line (out);
}

/* @percent as a bar, to an eighth of a character where there are such characters. */
static void
append_bar (GString *out, const TsTextStyle *style, double percent)
{
  static const char *const eighths[] = { "",             "\xe2\x96\x8f", "\xe2\x96\x8e", "\xe2\x96\x8d",
                                         "\xe2\x96\x8c", "\xe2\x96\x8b", "\xe2\x96\x8a", "\xe2\x96\x89" };
  guint               filled = (guint) (CLAMP (percent, 0, 100) / 100 * BAR_WIDTH * 8 + 0.5);
  g_autoptr (GString) bar = g_string_new (NULL);
  g_autoptr (GString) rest = g_string_new (NULL);
  TsTextFace          face = percent > 90 ? TS_FACE_RED : percent > 70 ? TS_FACE_YELLOW : TS_FACE_GREEN;

  /* a little is not nothing */
  if (filled == 0 && percent > 0)
    filled = 1;
  if (style->unicode)
    {
      ts_text_repeat (bar, "\xe2\x96\x88", filled / 8);
      g_string_append (bar, eighths[filled % 8]);
      ts_text_repeat (rest, "\xc2\xb7", BAR_WIDTH - (filled + 7) / 8);
    }
  else
    {
      ts_text_repeat (bar, "#", (filled + 7) / 8);
      ts_text_repeat (rest, ".", BAR_WIDTH - (filled + 7) / 8);
    }
  ts_text_paint (out, style, face, bar->str);
  ts_text_paint (out, style, TS_FACE_DIM, rest->str);
}

static guint
widest_text (const TsTable *table, guint column, guint limit)
{
  guint widest = 0;

  for (guint row = 0; row < ts_table_n_rows (table); row++)
    {
      const TsCell    *cell = ts_table_get_cell (table, row, column);
      g_autofree char *text = cell->type == TS_CELL_TEXT ? ts_text_clean (cell->text) : NULL;

      widest = MAX (widest, text != NULL ? ts_text_width (text) : 0);
    }
  return MIN (widest, limit);
}

/* Columns: resource, load in percent, busy time, window. */
static void
render_load (GString *out, const TsTextStyle *style, const TsTable *table)
{
  guint names = widest_text (table, 0, 30);
  TsFit fit = ts_fit_columns (table, 2, 2, style);

  append_title (out, style, table);
  for (guint row = 0; row < ts_table_n_rows (table); row++)
    {
      g_autofree char *clean = ts_text_clean (ts_table_get_cell (table, row, 0)->text);
      g_autofree char *name = ts_text_shorten (clean, names, style->unicode);
      const TsCell    *load = ts_table_get_cell (table, row, 1);
      char             number[TS_NUMBER_SIZE], busy[TS_NUMBER_SIZE], window[TS_NUMBER_SIZE];
      guint            places;

      ts_text_pad (out, 2);
      ts_text_paint (out, style, TS_FACE_BOLD, name);
      ts_text_pad (out, names - ts_text_width (name) + 2);
      if (load->type == TS_CELL_ABSENT)
        {
          g_string_append (out, "-\n");
          continue;
        }
      append_bar (out, style, ts_rational_to_double (load->number));
      ts_rational_format_fixed (load->number, 2, number);
      ts_fit_format (&fit, ts_table_get_cell (table, row, 2), busy, &places);
      ts_fit_format (&fit, ts_table_get_cell (table, row, 3), window, &places);
      g_string_append_printf (out, " %6s %%", number);
      ts_text_pad (out, 3);
      ts_text_paint (out, style, TS_FACE_PLAIN, busy);
      ts_text_paint (out, style, TS_FACE_DIM, " of ");
      ts_text_paint (out, style, TS_FACE_PLAIN, window);
      g_string_append_c (out, ' ');
      ts_text_paint (out, style, TS_FACE_DIM, fit.unit);
      ts_text_end_line (out);
    }
}

static TsTextFace
severity_face (const char *severity)
{
  if (strcmp (severity, ts_severity_name (TS_SEVERITY_DEFECT)) == 0)
    return TS_FACE_RED;
  return strcmp (severity, ts_severity_name (TS_SEVERITY_WARNING)) == 0 ? TS_FACE_YELLOW : TS_FACE_PLAIN;
}

static void
append_first_place (GString *out, const TsTextStyle *style, const TsTable *table, guint row, guint indent)
{
  const TsCell    *place = ts_table_get_cell (table, row, 4), *detail = ts_table_get_cell (table, row, 5);
  gboolean         is_first = ts_table_get_cell (table, row, 1)->integer > 1;
  g_autofree char *clean_place = NULL;
  g_autofree char *clean_detail = NULL;
  g_autofree char *text = NULL;

  if (place->type != TS_CELL_TEXT && detail->type != TS_CELL_TEXT)
    return;
  /* what concerns several traces has no place in any */
  clean_place = place->type == TS_CELL_TEXT ? ts_text_clean (place->text) : NULL;
  clean_detail = detail->type == TS_CELL_TEXT ? ts_text_clean (detail->text) : NULL;
  text = g_strdup_printf ("%s%s%s%s%s", is_first ? "first" : "",
                          clean_place == NULL ? ""
                          : is_first          ? " at "
                                              : "at ",
                          clean_place != NULL ? clean_place : "",
                          clean_detail != NULL && (clean_place != NULL || is_first) ? ": " : "",
                          clean_detail != NULL ? clean_detail : "");
  ts_text_pad (out, indent);
  ts_text_wrap (out, style, TS_FACE_DIM, text, indent, indent);
}

/* Columns: severity, count, what was found, what was done, first place, detail, name. */
static void
render_diagnostics (GString *out, const TsTextStyle *style, const TsTable *table)
{
  guint count_width = 1;

  if (ts_table_n_rows (table) == 0)
    {
      g_string_append (out, "No defects, no warnings, no notes.\n");
      return;
    }
  append_title (out, style, table);
  for (guint row = 0; row < ts_table_n_rows (table); row++)
    {
      g_autoptr (GString) count = g_string_new (NULL);

      ts_number_append_grouped (count, ts_table_get_cell (table, row, 1)->integer);
      count_width = MAX (count_width, (guint) count->len);
    }
  for (guint row = 0; row < ts_table_n_rows (table); row++)
    {
      const char         *severity = ts_table_get_cell (table, row, 0)->text;
      g_autofree char    *sentence = g_strdup_printf (
          "%s: %s; %s", ts_table_get_cell (table, row, 6)->text, ts_table_get_cell (table, row, 2)->text,
          ts_table_get_cell (table, row, 3)->text);
      g_autoptr (GString) count = g_string_new (NULL);
      guint               indent = 2 + 7 + 2 + count_width + 2;

      ts_number_append_grouped (count, ts_table_get_cell (table, row, 1)->integer);
      ts_text_pad (out, 2);
      ts_text_paint (out, style, severity_face (severity), severity);
      ts_text_pad (out, 7 - (guint) strlen (severity) + 2 + count_width - (guint) count->len);
      g_string_append_len (out, count->str, (gssize) count->len);
      ts_text_pad (out, 2);
      ts_text_wrap (out, style, TS_FACE_PLAIN, sentence, indent, indent);
      append_first_place (out, style, table, row, indent);
    }
}

/* One thing with many properties: a line each, and none for what is 0 or unknown. */
static void
render_record (GString *out, const TsTextStyle *style, const TsTable *table)
{
  guint widest = 0;

  append_title (out, style, table);
  for (guint column = 0; column < ts_table_n_columns (table); column++)
    widest = MAX (widest, ts_text_width (ts_table_get_column (table, column)->title));
  for (guint column = 0; column < ts_table_n_columns (table); column++)
    {
      const TsCell   *cell = ts_table_get_cell (table, 0, column);
      const char     *title = ts_table_get_column (table, column)->title;
      g_autofree char *text = cell->type == TS_CELL_TEXT ? ts_text_clean (cell->text) : NULL;
      TsFit           fit = ts_fit_cell (table, 0, column, style);
      char            number[TS_NUMBER_SIZE] = "";
      guint           places;

      if (cell->type == TS_CELL_ABSENT || (cell->type == TS_CELL_INTEGER && cell->integer == 0))
        continue;
      if (text == NULL)
        ts_fit_format (&fit, cell, number, &places);
      ts_text_pad (out, 2);
      ts_text_paint (out, style, TS_FACE_PLAIN, title);
      ts_text_pad (out, widest - ts_text_width (title) + 2);
      ts_text_paint (out, style, TS_FACE_BOLD, text != NULL ? text : number);
      if (text == NULL && fit.unit != NULL)
        {
          g_string_append_c (out, ' ');
          ts_text_paint (out, style, TS_FACE_DIM, fit.unit);
        }
      ts_text_end_line (out);
    }
}

/* Of tables that look better as something else than aligned columns; or NULL. */
static Renderer
renderer_of (const TsTable *table)
{
  static const struct
  {
    const char *name;
    Renderer    render;
  } renderers[] = { { "trace", render_trace },
                    { "section", render_section },
                    { "load", render_load },
                    { "diagnostics", render_diagnostics },
                    { "violated", ts_text_verdicts },
                    { "unchecked", ts_text_verdicts },
                    { "verdict", ts_text_verdict } };

  for (guint i = 0; i < G_N_ELEMENTS (renderers); i++)
    if (g_strcmp0 (ts_table_get_name (table), renderers[i].name) == 0)
      return renderers[i].render;
  if (ts_table_get_shape (table) == TS_TABLE_VALUES)
    return render_sentences;
  return ts_table_get_shape (table) == TS_TABLE_RECORD && ts_table_n_rows (table) == 1 ? render_record : NULL;
}

static void
render (TsOutput *output, const TsTextStyle *style, const TsTable *table)
{
  const Renderer renderer = renderer_of (table);

  if (renderer != NULL)
    {
      renderer (output->text, style, table);
      return;
    }
  append_title (output->text, style, table);
  ts_text_grid (output, style, table);
}

/* Times in its table are what each trace is over. */
static double
shortest_span (const TsTable *table)
{
  double shortest = 0;

  for (guint row = 0; row < ts_table_n_rows (table); row++)
    for (guint column = 0; column < ts_table_n_columns (table); column++)
      {
        const TsCell *cell = ts_table_get_cell (table, row, column);
        double        span = cell->type == TS_CELL_TIME ? ts_rational_to_double (cell->number) : 0;

        if (span > 0 && (shortest == 0 || span < shortest))
          shortest = span;
      }
  return shortest;
}

gboolean
ts_text_write (TsSink sink, GPtrArray *tables, const TsTimeBase *base, const TsPrintOptions *options,
               GError **error)
{
  TsTextStyle style = { .base = base,
                        .unit = options->unit,
                        .colour = options->colour,
                        .unicode = options->unicode,
                        .width = options->width == 0 ? DEFAULT_WIDTH : MAX (options->width, LEAST_WIDTH) };
  TsOutput    output;
  gboolean    is_first = TRUE;

  ts_output_init (&output, sink);
  for (guint i = 0; i < tables->len; i++)
    {
      const TsTable *table = g_ptr_array_index (tables, i);

      if ((ts_table_get_audience (table) & TS_FOR_PEOPLE) == 0)
        continue;
      if (!is_first)
        g_string_append_c (output.text, '\n');
      is_first = FALSE;
      if (renderer_of (table) == render_trace)
        style.span = shortest_span (table);
      render (&output, &style, table);
      ts_output_check (&output);
    }
  return ts_output_finish (&output, error);
}
