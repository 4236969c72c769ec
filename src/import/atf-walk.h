/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include "import/atf-pattern.h"
#include "import/atf-values.h"
#include "import/atf.h"
#include "model/inline.h"

G_BEGIN_DECLS

/* The way through an entry that looks like the one before, but for its numbers, for atf-alike.c. The time is as long as the
 * one before, and ids are known by the eight bytes where they stand, so that only the time is converted. The end of an entry
 * is found by its own look and not from the lengths of the numbers, so that the next one need not wait for the tables. With
 * constant arguments nothing is left of the choices in here. */

#define TS_ATF_WORD 8
/* An id that is recalled is followed, or led, by a byte that is none of its digits. */
#define TS_ATF_MAX_LONG_ID (2 * TS_ATF_WORD - 1)

static inline guint64
ts_atf_load_word (const guint8 *p)
{
  guint64 word;

  memcpy (&word, p, sizeof word);
  return word;
}

/* @p is where eight bytes of the id stand: the last number of an entry is recalled by the bytes that end with it, the
 * others by those that begin with them. NULL: not that of an id that is known. */
static TS_ALWAYS_INLINE const TsAtfMemo *
ts_atf_recall (const TsAtfMemos *memos, const guint8 *p, gboolean is_last, gboolean may_be_long)
{
  const guint8 *more = is_last ? p - TS_ATF_WORD : p + TS_ATF_WORD;

  return ts_atf_memos_recall (memos, ts_atf_load_word (p), may_be_long ? more : NULL);
}

/* What the times of entries have in common: no decimals, a number of these, or nothing. */
typedef enum
{
  TS_ATF_TIMES_WHOLE,
  TS_ATF_TIMES_DECIMAL,
  TS_ATF_TIMES_ANY,
} TsAtfTimeKind;

/* What stands in front of their tags. */
typedef enum
{
  TS_ATF_GAP_SAME,
  TS_ATF_GAP_ENDS_OF_LINES, /* and nothing else, as where they are squeezed */
  TS_ATF_GAP_BLANKS,
} TsAtfGap;

/* What is known of an entry while it is gone through. */
typedef struct
{
  const guint8    *at;
  gsize            time_length;
  const guint8    *time_end, *last_end; /* of the last number */
  gsize            n_id_digits;
  gboolean         is_loose;
  const TsAtfMemo *event, *reference;
  TsAtfBytes       differences;
} TsAtfWalk;

static TS_ALWAYS_INLINE TsAtfBytes
ts_atf_differ (const guint8 *p, TsAtfBytes expected)
{
  return ts_atf_bytes_xor (ts_atf_bytes_load (p), expected);
}

static TS_ALWAYS_INLINE void
ts_atf_walk_text (TsAtfWalk *walk, const TsAtfPattern *pattern, const TsAtfLiteral *literal, guint i, gboolean is_usual)
{
  const TsAtfPatternText *text = &pattern->texts[i];
  TsAtfBytes  differences = ts_atf_differ (walk->at, text->first);

  /* the first text always has more than sixteen bytes, and usually no other one has */
  if (i == 0 || !is_usual)
    differences = ts_atf_bytes_or (ts_atf_differ (walk->at + text->second_at, text->second), differences);
  if (i > 0)
    differences = ts_atf_bytes_and (differences, text->mask);
  for (gsize at = TS_ATF_BYTES; !is_usual && at < text->second_at; at += TS_ATF_BYTES)
    differences = ts_atf_bytes_or (differences, ts_atf_differ (walk->at + at, ts_atf_bytes_load (literal->bytes + at)));
  walk->differences = ts_atf_bytes_or (walk->differences, differences);
  walk->at += text->length;
}

/* FALSE: an id that is not known. */
static TS_ALWAYS_INLINE gboolean
ts_atf_walk_number (TsAtfWalk *walk, const TsAtfMemos *memos, const guint8 *roles, guint i, gboolean is_usual)
{
  guint8           role = is_usual ? (guint8) i : roles[i];
  gboolean         is_last = i == TS_ATF_SCAN_NUMBERS - 1;
  const TsAtfMemo *memo;

  if (role == TS_ATF_SCAN_TIME)
    {
      walk->at = walk->time_end = is_last ? walk->last_end : walk->at + walk->time_length;
      return TRUE;
    }
  memo = ts_atf_recall (&memos[role - TS_ATF_SCAN_EVENT], is_last ? walk->last_end - TS_ATF_WORD : walk->at, is_last,
                        !is_usual);
  if (G_UNLIKELY (memo == NULL))
    return FALSE;
  if (role == TS_ATF_SCAN_EVENT)
    walk->event = memo;
  else
    walk->reference = memo;
  walk->at += memo->length;
  walk->n_id_digits += memo->length;
  return TRUE;
}

static TS_ALWAYS_INLINE guint64
ts_atf_walk_digits (TsAtfWalk *walk, TsAtfBytes digits)
{
  walk->differences = ts_atf_bytes_or (walk->differences, ts_atf_bytes_excess (digits));
  return ts_atf_bytes_number (digits);
}

static TS_ALWAYS_INLINE TsAtfBytes
ts_atf_digits_of (const guint8 *p, TsAtfBytes mask)
{
  return ts_atf_bytes_and (ts_atf_differ (p, ts_atf_bytes_each ('0')), mask);
}

/* The time without its point. What is read in front of it is still in the entry: the first text of one, which ends
 * with the name of an attribute, has at least eighteen bytes. */
static TS_ALWAYS_INLINE guint64
ts_atf_walk_time_number (TsAtfWalk *walk, const TsAtfPattern *pattern, gboolean is_short, gboolean has_point)
{
  const guint8 *begin = walk->time_end - TS_ATF_BYTES;
  TsAtfBytes    digits = ts_atf_digits_of (begin, pattern->time_mask);
  guint64       time;

  if (has_point)
    digits = ts_atf_bytes_or (digits, ts_atf_digits_of (begin - 1, pattern->whole_mask));
  time = ts_atf_walk_digits (walk, digits);
  if (!is_short && pattern->high_at > 0)
    time += ts_atf_walk_digits (walk, ts_atf_digits_of (walk->time_end - pattern->high_at, pattern->high_mask))
            * G_GUINT64_CONSTANT (10000000000000000);
  return time;
}

/* FALSE: there is something to be said about it. */
static TS_ALWAYS_INLINE gboolean
ts_atf_walk_time (TsAtfWalk *walk, const TsAtfPattern *pattern, const TsAtfTimes *times, TsAtfTimeKind kind,
                  gboolean is_usual, gint64 *time)
{
  guint64 number;

  if (kind == TS_ATF_TIMES_ANY)
    return ts_atf_values_time (times, walk->time_end, walk->time_length, time, &walk->is_loose);
  number = ts_atf_walk_time_number (walk, pattern, is_usual, kind == TS_ATF_TIMES_DECIMAL);
  /* of anything: what it is is asked below */
  *time = (gint64) (number * (guint64) pattern->factor);
  if (kind == TS_ATF_TIMES_DECIMAL && walk->time_end[-(int) pattern->n_decimals - 1] != '.')
    return FALSE;
  return number - pattern->least <= pattern->range;
}

/* Where the last number ends; *n_digits is how many bytes all of those have whose length is not known. What is not found
 * soon enough is not where an entry ends. */
static TS_ALWAYS_INLINE const guint8 *
ts_atf_find_end (const guint8 *begin, const TsAtfPattern *pattern, TsAtfTimeKind kind, gboolean is_usual, gsize *n_digits)
{
  const guint8 *earliest = begin + pattern->shortest;

  if (kind != TS_ATF_TIMES_ANY)
    {
      const guint8 *from = earliest + (is_usual ? 1 : pattern->closing_at);

      *n_digits = (gsize) __builtin_ctz (ts_atf_bytes_find (from, pattern->closing) | 1u << TS_ATF_BYTES);
      return earliest + *n_digits;
    }
  /* by the bracket, which is nowhere else: with the length of the time the way to the next entry would be longer */
  earliest = begin + pattern->texts_length;
  begin = earliest + pattern->bracket_at;
  *n_digits = (gsize) __builtin_ctzll (ts_atf_bytes_find (begin, '>')
                                       | (guint64) ts_atf_bytes_find (begin + TS_ATF_BYTES, '>') << TS_ATF_BYTES
                                       | G_GUINT64_CONSTANT (1) << 2 * TS_ATF_BYTES);
  return earliest + *n_digits;
}

/* Up to the mark that ends it, if that is soon enough. */
static TS_ALWAYS_INLINE gsize
ts_atf_find_time_length (const guint8 *begin, guint8 mark)
{
  return (gsize) __builtin_ctz (ts_atf_bytes_find (begin + 1, mark) | 1u << TS_ATF_BYTES) + 1;
}

/* *n_digits is how many bytes both ids have. */
static TS_ALWAYS_INLINE void
ts_atf_walk_begin (TsAtfWalk *walk, const TsAtfPattern *pattern, TsAtfTimeKind kind, gboolean is_usual, gsize *n_digits)
{
  walk->last_end = ts_atf_find_end (walk->at, pattern, kind, is_usual, n_digits);
  walk->time_length = pattern->time_length;
  if (kind == TS_ATF_TIMES_ANY)
    {
      walk->time_length = ts_atf_find_time_length (walk->at + pattern->texts[0].length, pattern->mark);
      *n_digits -= walk->time_length;
    }
  walk->n_id_digits = 0;
  walk->differences = ts_atf_bytes_each (0);
}

/* FALSE: the entry at walk->at looks otherwise, or is a user event, or there is something to be said about it. */
static TS_ALWAYS_INLINE gboolean
ts_atf_walk_entry (const TsAtfTemplate *template, TsAtfWalk *walk, const TsAtfPattern *pattern, const TsAtfMemos *memos,
                   const TsAtfTimes *times, gint64 *time, gboolean is_usual, TsAtfTimeKind kind)
{
  const TsAtfLiteral *between = template->between;
  const guint8       *roles = template->roles;
  gsize               n_digits;

  ts_atf_walk_begin (walk, pattern, kind, is_usual, &n_digits);
  ts_atf_walk_text (walk, pattern, &between[0], 0, is_usual);
  if (!ts_atf_walk_number (walk, memos, roles, 0, is_usual))
    return FALSE;
  ts_atf_walk_text (walk, pattern, &between[1], 1, is_usual);
  if (!ts_atf_walk_number (walk, memos, roles, 1, is_usual))
    return FALSE;
  ts_atf_walk_text (walk, pattern, &between[2], 2, is_usual);
  if (!ts_atf_walk_number (walk, memos, roles, 2, is_usual) || walk->n_id_digits != n_digits)
    return FALSE;
  /* that is where walk->at is as well, but the tables had to be waited for to know that */
  walk->at = walk->last_end;
  ts_atf_walk_text (walk, pattern, &between[3], 3, is_usual);
  return walk->event->value != TS_EVENT_USER && ts_atf_walk_time (walk, pattern, times, kind, is_usual, time)
         && ts_atf_bytes_are_zero (walk->differences);
}

/* Where the tag is whose entry begins at @p, and how many lines end in front of it. */
static TS_ALWAYS_INLINE const guint8 *
ts_atf_pass_gap (const guint8 *p, TsAtfGap gap, guint *n_lines)
{
  *n_lines = 0;
  if (gap == TS_ATF_GAP_SAME)
    return p;
  if (gap == TS_ATF_GAP_BLANKS)
    return ts_atf_bytes_pass_blanks (p, p + 2 * TS_ATF_BYTES, n_lines);
  *n_lines = (guint) __builtin_ctz (~ts_atf_bytes_find (p, '\n'));
  return p + *n_lines;
}

G_END_DECLS
