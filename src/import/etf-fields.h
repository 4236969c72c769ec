/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/digits.h"
#include "import/etf-line.h"
#include "import/marks.h"
#include "model/inline.h"

G_BEGIN_DECLS

/* Fields of a line of TRACE as marks in the 64 bytes from its kind on, and the numbers in them: of any length, and with any
 * number of blanks between them, without a branch that nobody foresees. Only for etf-scan.c. */

/* What is between the kind of a line, at @p, and its `;': a bit for each place where a field begins or ends, and all bits
 * behind. */
typedef struct
{
  const char *p;
  guint64     edges, behind;
  guint64     others; /* in fields, but no digits */
  guint64     texts;  /* no blanks, behind them too */
} TsEtfFields;

typedef struct
{
  guint begin, end;
} TsEtfPlace;

static TS_ALWAYS_INLINE guint
ts_etf_next_edge (TsEtfFields *fields)
{
  guint place = (guint) __builtin_ctzll (fields->edges);

  fields->edges &= fields->edges - 1;
  return place;
}

/* The next number. Where there is none, it is somewhere behind: to be asked later by ts_etf_are_all(). */
static TS_ALWAYS_INLINE TsEtfPlace
ts_etf_next_number (TsEtfFields *fields)
{
  guint begin = ts_etf_next_edge (fields);

  return (TsEtfPlace){ begin, ts_etf_next_edge (fields) };
}

static TS_ALWAYS_INLINE gboolean
ts_etf_are_all (const TsEtfFields *fields)
{
  return fields->edges == fields->behind;
}

/* What digits are worth, up to 16 of them. */
static TS_ALWAYS_INLINE gboolean
ts_etf_take_whole (const TsEtfFields *fields, TsEtfPlace at, TsEtfHigh *high, guint64 *number)
{
  const char *begin = fields->p + at.begin;
  guint       n_bits = 8 * (at.end - at.begin);
  guint64     text;

  if (G_LIKELY (n_bits <= 64))
    {
      *number = ts_eight_number (ts_eight_digits (begin) << (-n_bits & 63));
      return TRUE;
    }
  if (G_UNLIKELY (n_bits > 128))
    return FALSE;
  text = ts_eight_digits (begin) << (-n_bits & 63);
  /* those before the last eight are rarely others than in the line before */
  if (G_UNLIKELY (text != high->text))
    *high = (TsEtfHigh){ text, ts_eight_number (text) * 100000000 };
  *number = high->value + ts_eight_number (ts_eight_digits (fields->p + at.end - 8));
  return TRUE;
}

/* Those in it that are no digits. */
static TS_ALWAYS_INLINE guint64
ts_etf_others_in (const TsEtfFields *fields, TsEtfPlace at)
{
  return fields->others >> at.begin << at.begin & (((guint64) 1 << at.end) - 1);
}

/* Numbers in units of 10^-k, where @others are those in them that are no digits. FALSE: it is none, or needs finer units, or
 * is too long, or beyond TS_TIME_LIMIT. */

/* [+-]digits[.digits][e[+-]digits] */
gboolean ts_etf_take_loose_number (const TsEtfFields *fields, TsEtfPlace at, guint64 others, gint k, TsEtfHigh *high,
                                   gint64 *value);
/* The same, where it is mostly digits[.digits]. */
gboolean ts_etf_take_number (const TsEtfFields *fields, TsEtfPlace at, guint64 others, gint k, TsEtfHigh *high,
                             gint64 *value);
/* 17 to 19 digits, or more with zeros in front. */
gboolean ts_etf_take_wide (const TsEtfFields *fields, TsEtfPlace at, gint64 *value);

/* Any of them. */
static TS_ALWAYS_INLINE gboolean
ts_etf_take_scaled (const TsEtfFields *fields, TsEtfPlace at, gint k, TsEtfHigh *high, gint64 *value)
{
  guint64 number, others = 0;

  if (G_UNLIKELY (k > 0 || fields->others != 0))
    others = ts_etf_others_in (fields, at);
  if (G_UNLIKELY (ts_marks_but_first (others) != 0))
    return ts_etf_take_loose_number (fields, at, others, k, high, value);
  if (G_UNLIKELY (k > 0 || others != 0))
    return ts_etf_take_number (fields, at, others, k, high, value);
  if (G_UNLIKELY (!ts_etf_take_whole (fields, at, high, &number)))
    return ts_etf_take_wide (fields, at, value);
  *value = (gint64) number;
  return TRUE;
}

G_END_DECLS
