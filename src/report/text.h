/* SPDX-License-Identifier: MIT */
#pragma once

#include "report/writers.h"

/* How the text summary is to look. */
typedef struct
{
  const TsTimeBase *base;
  TsUnit            unit;
  gboolean          colour, unicode;
  guint             width;
  double            span; /* of the shortest trace, in internal units; or 0 */
} TsTextStyle;

typedef enum
{
  TS_FACE_PLAIN,
  TS_FACE_BOLD,
  TS_FACE_DIM,
  TS_FACE_RED,
  TS_FACE_YELLOW,
  TS_FACE_GREEN,
} TsTextFace;

/* text-paint.c: text on a terminal */
const char *ts_text_clean_lent (const char *text, GStringChunk *others); /* @text itself, or one of @others */
guint ts_text_width (const char *text);
char *ts_text_shorten (const char *text, guint width, gboolean unicode); /* in the middle: names differ at their ends */
void  ts_text_paint (GString *out, const TsTextStyle *style, TsTextFace face, const char *text);
void  ts_text_pad (GString *out, guint n);
void  ts_text_repeat (GString *out, const char *text, guint n);
/* Words are put into lines; a tie is a blank at which none ends. */
#define TS_TEXT_TIE "\037"
void  ts_text_wrap (GString *out, const TsTextStyle *style, TsTextFace face, const char *text, guint column,
                    guint indent);
void  ts_text_end_line (GString *out); /* without blanks at its end */

/* text-fit.c: one unit and one number of decimals for neighbouring columns */
typedef struct
{
  TsRational  factor;
  const char *unit; /* NULL if they are no times */
  guint       places;
} TsFit;

/* Columns for which one fits, and which. */
typedef struct
{
  guint    first, n_columns;
  gboolean is_stamp; /* moments, by which rows are told apart */
  TsFit    fit;
} TsFitGroup;

/* Sets the fit of all @groups of @table, with two walks through its rows. */
void  ts_fit_groups (const TsTable *table, TsFitGroup *groups, guint n_groups, const TsTextStyle *style);
TsFit ts_fit_columns (const TsTable *table, guint first, guint n_columns, const TsTextStyle *style);
TsFit ts_fit_cell (const TsTable *table, guint row, guint column, const TsTextStyle *style);
/* Writes the number in @cell; *@places: how many digits stand after its point. Whole numbers show none. */
gsize ts_fit_format (const TsFit *fit, const TsCell *cell, char *buffer, guint *places);

/* text-check.c: verdicts of a check */
void ts_text_verdicts (GString *out, const TsTextStyle *style, const TsTable *table);
void ts_text_verdict (GString *out, const TsTextStyle *style, const TsTable *table);

/* text-grid.c: aligned columns; there may be so many rows that they are handed on in pieces */
void ts_text_grid (TsOutput *output, const TsTextStyle *style, const TsTable *table);
