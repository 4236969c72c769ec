/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Sorts @values in ascending order. A report sorts the samples of each metric of each
 * element: by their digits, which takes a tenth of the time that comparing them does. */
void ts_sort_values (gint64 *values, gsize n);

/* The values that would stand at @ranks, from 1 to @n, if @values were sorted; these are not kept. Linear where the
 * values are not too uneven. */
void ts_select_ranks (gint64 *values, gsize n, const guint64 *ranks, guint n_ranks, gint64 *selected);

/* The least and the greatest of @values, which are at least one. */
void ts_sort_bounds (const gint64 *values, gsize n, gint64 *least, gint64 *greatest);

/* How ts_select_ranks() begins, for whoever has the values in another form: they are counted by the highest digit of
 * their distance to the least one. */
#define TS_MOST_DIGITS 256

typedef struct
{
  gint64  least;
  guint   shift;
  guint   n; /* digits: few where values are few */
  guint32 counts[2][TS_MOST_DIGITS]; /* most values may have one digit, and a count that was just written cannot be read
                                        at once: the next one goes to the other half */
  guint64 ends[TS_MOST_DIGITS];      /* how many values are in all digits up to this one */
  guint8  needed[TS_MOST_DIGITS];
} TsDigits;

void ts_digits_init (TsDigits *digits, gsize n, gint64 least, gint64 greatest); /* nothing is counted yet */
void ts_digits_sum (TsDigits *digits); /* all values are */
/* Says which digits are needed for @ranks, and lowers these by the values below that are not. Returns how many are. */
gsize ts_digits_need (TsDigits *digits, guint64 *ranks, guint n_ranks);
/* The values at @ranks, if each has a digit of its own. */
gboolean ts_digits_tell (const TsDigits *digits, const guint64 *ranks, guint n_ranks, gint64 *selected);

static inline guint
ts_digit_of (const TsDigits *digits, gint64 value)
{
  return (guint) (((guint64) value - (guint64) digits->least) >> digits->shift);
}

G_END_DECLS
