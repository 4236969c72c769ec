/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/atf-bytes.h"
#include "import/atf.h"
#include "model/inline.h"

G_BEGIN_DECLS

/* The numbers of an entry, as they stand in the file. */

/* The values by their roles: where their marks are. The last one is of any attribute that means nothing. */
typedef struct
{
  const guint8 *open[TS_ATF_SCAN_NUMBERS + 1], *close[TS_ATF_SCAN_NUMBERS + 1];
} TsAtfValues;

/* Whether there are spaces beside it, which ts_atf_values_trim() has left out. */
static inline gboolean
ts_atf_values_is_padded (const TsAtfValues *values, guint8 role)
{
  return *values->open[role] == ' ' || *values->close[role] == ' ';
}

/* Leaves out the spaces at the beginning and at the end of a value: what has nothing else has a length that none has. */
static TS_ALWAYS_INLINE void
ts_atf_values_trim (TsAtfValues *values, guint8 role)
{
  guint n;

  do
    {
      n = (guint) __builtin_ctz (~ts_atf_bytes_find (values->open[role] + 1, ' '));
      values->open[role] += n;
    }
  while (G_UNLIKELY (n == TS_ATF_BYTES));
  do
    {
      const guint before = ts_atf_bytes_find (values->close[role] - TS_ATF_BYTES, ' ');

      n = (guint) __builtin_clz ((~before & G_MAXUINT16) << TS_ATF_BYTES | 1u << (TS_ATF_BYTES - 1));
      values->close[role] -= n;
    }
  while (G_UNLIKELY (n == TS_ATF_BYTES));
}

#define TS_ATF_SHORT_ID 8 /* digits at the most */

static inline gsize
ts_atf_values_length (const TsAtfValues *values, guint8 role)
{
  return (gsize) (values->close[role] - values->open[role]) - 1;
}

/* Both ids, if they are short and are digits. */
typedef struct
{
  guint64    event, reference; /* never 0 */
  TsAtfBytes excess;           /* not 0: other characters than digits */
} TsAtfShortIds;

static inline gboolean
ts_atf_values_have_short_ids (const TsAtfValues *values)
{
  /* an empty one becomes a large number here */
  return ((ts_atf_values_length (values, TS_ATF_SCAN_EVENT) - 1)
          | (ts_atf_values_length (values, TS_ATF_SCAN_REFERENCE) - 1))
         < TS_ATF_SHORT_ID;
}

static inline TsAtfShortIds
ts_atf_values_short_ids (const TsAtfValues *values)
{
  TsAtfBytes both = ts_atf_bytes_pair (values->close[TS_ATF_SCAN_EVENT] - TS_ATF_SHORT_ID,
                                       values->close[TS_ATF_SCAN_REFERENCE] - TS_ATF_SHORT_ID);
  TsAtfBytes mask = ts_atf_bytes_last_of_pair (ts_atf_values_length (values, TS_ATF_SCAN_EVENT),
                                               ts_atf_values_length (values, TS_ATF_SCAN_REFERENCE));
  TsAtfBytes digits = ts_atf_bytes_digits (both, mask);

  return (TsAtfShortIds){ ts_atf_bytes_low (digits) + 1, ts_atf_bytes_high (digits) + 1, ts_atf_bytes_excess (digits) };
}

#define TS_ATF_LONGEST_TIME (TS_ATF_BYTES + 1) /* with a point */

/* Which times need nothing to be said about them. */
typedef struct
{
  const TsAtfDecimals *decimals; /* by how many there are */
  gint64               from;
  guint64              range;        /* stamps from there on */
  gboolean             may_be_loose; /* those with zeros in front are only counted */
} TsAtfTimes;

TsAtfTimes ts_atf_values_times (TsAtf *atf); /* atf-values.c */

/* Digits less '0' up to @end, but for a point in front of the last @n_decimals, if any. */
static TS_ALWAYS_INLINE TsAtfBytes
ts_atf_values_digits (const guint8 *end, gsize length, gboolean has_point, gsize n_decimals)
{
  TsAtfBytes behind, before;

  if (!has_point)
    return ts_atf_bytes_digits (ts_atf_bytes_load (end - TS_ATF_BYTES), ts_atf_bytes_last (length));
  behind = ts_atf_bytes_last (n_decimals);
  before = ts_atf_bytes_xor (ts_atf_bytes_last (length - 1), behind);
  return ts_atf_bytes_or (ts_atf_bytes_digits (ts_atf_bytes_load (end - TS_ATF_BYTES), behind),
                          ts_atf_bytes_digits (ts_atf_bytes_load (end - TS_ATF_BYTES - 1), before));
}

/* @number, which has so many decimals, in internal units. FALSE: it is not a whole number of these, or too large. */
static TS_ALWAYS_INLINE gboolean
ts_atf_values_scale (const TsAtfDecimals *decimals, guint64 number, gint64 *units)
{
  const guint64 multiple = number * decimals->inverse;
  const guint64 steps = multiple >> decimals->turn | multiple << (-decimals->turn & 63);

  *units = (gint64) (steps * decimals->factor);
  return steps <= decimals->most;
}

/* The time in the @length bytes up to @end. FALSE: it has to be looked at in another way. */
static TS_ALWAYS_INLINE gboolean
ts_atf_values_time (const TsAtfTimes *times, const guint8 *end, gsize length, gint64 *time, gboolean *is_loose)
{
  const gsize          more = length > TS_ATF_BYTES;
  guint                points, n_whole, n_decimals;
  TsAtfBytes           digits;
  gboolean             is_whole;

  if (G_UNLIKELY (length - 1 >= TS_ATF_LONGEST_TIME))
    return FALSE;
  points = ts_atf_bytes_find (end - TS_ATF_BYTES, '.') >> (TS_ATF_BYTES + more - length);
  if (G_UNLIKELY (more > points))
    return FALSE;
  n_whole = points != 0 ? (guint) (__builtin_ctz (points) + more) : (guint) length;
  n_decimals = (guint) length - n_whole - (points != 0);
  digits = ts_atf_values_digits (end, length, points != 0, n_decimals);
  is_whole = ts_atf_values_scale (&times->decimals[n_decimals], ts_atf_bytes_number (digits), time);
  *is_loose = end[-(gssize) length] == '0' && n_whole > 1;
  /* without digits before and behind its point it is no number that is read here */
  return ts_atf_bytes_are_zero (ts_atf_bytes_excess (digits)) && is_whole && n_whole > 0
         && end[-1] != '.' && (guint64) *time - (guint64) times->from <= times->range
         && (!*is_loose || times->may_be_loose);
}

/* One event of any numbers, with all that is to be said about them: written to @event, or given on with those in front
 * of it. Returns the place for the next one; NULL: they are no numbers (atf-values.c). */
TsEvent *ts_atf_values_take (TsAtf *atf, const TsAtfValues *values, TsEvent *event, guint64 line);

G_END_DECLS
