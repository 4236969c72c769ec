/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include <glib.h>

#include "model/inline.h"

G_BEGIN_DECLS

/* What is held back until all that comes before it is there: items of any type whose first member is their time, put in
 * order of that; equal stamps stay in the order of the file (METRICS, rule 14). @size is that of an item, everywhere. */

/* So many moves for each item are spent on those that came a little late; where that is not enough they are sorted. */
#define TS_HELD_MOST_MOVES 16

typedef struct
{
  GArray *items;
  gsize   n_sorted; /* of these; the others are as they came */
  GArray *late;     /* while they are put among those that are sorted */
} TsHeld;

/* @n will probably be held: an array that grows is in memory twice meanwhile. */
static inline void
ts_held_init (TsHeld *held, gsize size, guint n)
{
  held->items = g_array_sized_new (FALSE, FALSE, (guint) size, n);
  held->late = g_array_new (FALSE, FALSE, (guint) size);
  held->n_sorted = 0;
}

static inline void
ts_held_clear (TsHeld *held)
{
  g_clear_pointer (&held->items, g_array_unref);
  g_clear_pointer (&held->late, g_array_unref);
}

static TS_ALWAYS_INLINE gint64
ts_held_time (const guint8 *item)
{
  gint64 time;

  memcpy (&time, item, sizeof time);
  return time;
}

static inline int
ts_held_compare (gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer data)
{
  gint64 left = ts_held_time (a), right = ts_held_time (b);

  return left < right ? -1 : left > right;
}

/* Puts @n items, which are sorted and stand behind those that are, among these. Returns how many had to be moved. */
static TS_ALWAYS_INLINE gsize
ts_held_merge (TsHeld *held, gsize n, gsize size)
{
  guint8 *items = (guint8 *) held->items->data, *next = items + held->n_sorted * size, *place, *last;
  gsize   n_late = 0;

  if (held->n_sorted > 0)
    while (n_late < n && ts_held_time (next + n_late * size) < ts_held_time (next - size))
      n_late++;
  held->n_sorted += n;
  if (n_late == 0)
    return 0;
  g_array_set_size (held->late, 0);
  g_array_append_vals (held->late, next, (guint) n_late);
  last = (guint8 *) held->late->data + (n_late - 1) * size;
  for (place = next + n_late * size; n_late > 0;)
    {
      place -= size;
      if (next > items && ts_held_time (next - size) > ts_held_time (last))
        {
          next -= size;
          memcpy (place, next, size);
        }
      else
        {
          memcpy (place, last, size);
          last -= size;
          n_late--;
        }
    }
  return held->n_sorted - (gsize) (place - items) / size;
}

/* How many of @n items, of which there is one, are in order. */
static TS_ALWAYS_INLINE gsize
ts_held_run_length (const guint8 *items, gsize n, gsize size)
{
  gsize i = 1;

  while (i < n && ts_held_time (items + i * size) >= ts_held_time (items + (i - 1) * size))
    i++;
  return i;
}

/* All that are held. */
static TS_ALWAYS_INLINE void
ts_held_sort (TsHeld *held, gsize size)
{
  gsize n_left = held->items->len - held->n_sorted, budget = TS_HELD_MOST_MOVES * n_left, n, moves;

  for (; n_left > 0; n_left -= n)
    {
      guint8 *next = (guint8 *) held->items->data + held->n_sorted * size;

      n = n_left;
      if (budget > 0)
        n = ts_held_run_length (next, n_left, size);
      else
        g_qsort_with_data (next, (gint) n, size, ts_held_compare, NULL);
      moves = ts_held_merge (held, n, size);
      budget -= MIN (moves, budget);
    }
}

/* How many, from the first one on and in order, are not newer than @time. */
static TS_ALWAYS_INLINE gsize
ts_held_ready (TsHeld *held, gint64 time, gsize size)
{
  gsize begin = 0, end, middle;

  ts_held_sort (held, size);
  end = held->n_sorted;
  while (begin < end)
    {
      middle = begin + (end - begin) / 2;
      if (ts_held_time ((const guint8 *) held->items->data + middle * size) <= time)
        begin = middle + 1;
      else
        end = middle;
    }
  return begin;
}

/* Nothing is held any more. */
static inline void
ts_held_drop_all (TsHeld *held)
{
  g_array_set_size (held->items, 0);
  held->n_sorted = 0;
}

/* The first @n, which were sorted, are held no longer. */
static inline void
ts_held_drop (TsHeld *held, gsize n)
{
  if (n > 0)
    g_array_remove_range (held->items, 0, (guint) n);
  held->n_sorted -= n;
}

G_END_DECLS
