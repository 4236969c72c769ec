/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "report/text.h"

/* The parts of the summary that speak of a check. */

#define SUBJECT_WIDTH 40

static char *
clean_cell (const TsTable *table, guint row, guint column)
{
  const TsCell *cell = ts_table_get_cell (table, row, column);

  return ts_text_clean (cell->type == TS_CELL_TEXT ? cell->text : "");
}

/* Columns: subject, a sentence on it, where it comes from. */
void
ts_text_verdicts (GString *out, const TsTextStyle *style, const TsTable *table)
{
  guint width = 0, indent;

  for (guint row = 0; row < ts_table_n_rows (table); row++)
    {
      g_autofree char *subject = clean_cell (table, row, 0);

      width = MAX (width, ts_text_width (subject));
    }
  width = MIN (width, MIN (SUBJECT_WIDTH, style->width / 2));
  indent = 2 + width + 2;
  ts_text_wrap (out, style, TS_FACE_BOLD, ts_table_get_title (table), 0, 2);
  for (guint row = 0; row < ts_table_n_rows (table); row++)
    {
      g_autofree char *subject = clean_cell (table, row, 0);
      g_autofree char *sentence = clean_cell (table, row, 1);
      g_autofree char *origin = clean_cell (table, row, 2);

      ts_text_pad (out, 2);
      ts_text_paint (out, style, TS_FACE_RED, subject);
      /* names are never shortened here: they are what one looks for */
      if (ts_text_width (subject) > width)
        {
          ts_text_end_line (out);
          ts_text_pad (out, indent);
        }
      else
        ts_text_pad (out, width - ts_text_width (subject) + 2);
      ts_text_wrap (out, style, TS_FACE_PLAIN, sentence, indent, indent);
      ts_text_pad (out, indent);
      ts_text_wrap (out, style, TS_FACE_DIM, origin, indent, indent);
    }
}

void
ts_text_verdict (GString *out, const TsTextStyle *style, const TsTable *table)
{
  g_autofree char *text = clean_cell (table, 0, 0);

  ts_text_wrap (out, style, g_str_has_prefix (text, "PASSED") ? TS_FACE_GREEN : TS_FACE_RED, text, 0, 2);
}
