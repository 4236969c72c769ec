/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "analyse/sort.h"

#define DIGIT_BITS 8
#define N_DIGITS (1 << DIGIT_BITS)
#define FEW 48 /* fewer are sorted one by one */

static void
insert_one_by_one (gint64 *values, gsize n)
{
  for (gsize i = 1; i < n; i++)
    {
      gint64 value = values[i];
      gsize  k = i;

      for (; k > 0 && values[k - 1] > value; k--)
        values[k] = values[k - 1];
      values[k] = value;
    }
}

/* One pass: stable, by the digit at @shift of the distance to @least. */
static void
distribute (const gint64 *from, gint64 *to, gsize n, gint64 least, guint shift)
{
  gsize places[N_DIGITS] = { 0 }, place = 0;

  for (gsize i = 0; i < n; i++)
    places[((guint64) from[i] - (guint64) least) >> shift & (N_DIGITS - 1)]++;
  for (guint i = 0; i < N_DIGITS; i++)
    {
      gsize count = places[i];

      places[i] = place;
      place += count;
    }
  for (gsize i = 0; i < n; i++)
    to[places[((guint64) from[i] - (guint64) least) >> shift & (N_DIGITS - 1)]++] = from[i];
}

void
ts_sort_values (gint64 *values, gsize n)
{
  g_autofree gint64 *other = NULL;
  gint64            *from = values, *to;
  gint64             least, greatest;

  if (n <= FEW)
    {
      insert_one_by_one (values, n);
      return;
    }
  least = greatest = values[0];
  for (gsize i = 1; i < n; i++)
    {
      least = MIN (least, values[i]);
      greatest = MAX (greatest, values[i]);
    }
  to = other = g_new (gint64, n);
  for (guint shift = 0; shift < 64 && ((guint64) greatest - (guint64) least) >> shift != 0; shift += DIGIT_BITS)
    {
      gint64 *swap = from;

      distribute (from, to, n, least, shift);
      from = to;
      to = swap;
    }
  if (from != values)
    memcpy (values, from, n * sizeof *values);
}

/* Moves those that are less than @pivot to the front, or with @or_equal also those that are equal; returns how many
 * they are. Every value is swapped, needed or not: a branch that nobody can predict would cost more. */
static gsize
partition (gint64 *values, gsize n, gint64 pivot, gboolean or_equal)
{
  gsize n_front = 0;

  for (gsize i = 0; i < n; i++)
    {
      gint64 value = values[i];

      values[i] = values[n_front];
      values[n_front] = value;
      n_front += value < pivot || (or_equal && value == pivot);
    }
  return n_front;
}

static gint64
middle_of_three (gint64 a, gint64 b, gint64 c)
{
  return MAX (MIN (a, b), MIN (MAX (a, b), c));
}

gint64
ts_select_value (gint64 *values, gsize n, gsize k)
{
  for (guint rounds = 0; n > FEW && rounds < 64; rounds++)
    {
      gint64 pivot = middle_of_three (values[0], values[n / 2], values[n - 1]);
      gsize  n_front = partition (values, n, pivot, FALSE);

      if (k < n_front)
        {
          n = n_front;
          continue;
        }
      /* the lowest of them, which may be nearly all */
      if (n_front == 0)
        {
          n_front = partition (values, n, pivot, TRUE);
          if (k < n_front)
            return pivot;
        }
      values += n_front;
      n -= n_front;
      k -= n_front;
    }
  ts_sort_values (values, n);
  return values[k];
}
