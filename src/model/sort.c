/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "model/sort.h"

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
ts_sort_bounds (const gint64 *values, gsize n, gint64 *least, gint64 *greatest)
{
  gint64 low = values[0], high = low;

  for (gsize i = 1; i < n; i++)
    {
      low = MIN (low, values[i]);
      high = MAX (high, values[i]);
    }
  *least = low;
  *greatest = high;
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
  ts_sort_bounds (values, n, &least, &greatest);
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

/* Returns the value that would stand at @k, from 0, if @values were sorted; those before it become not greater,
 * those after it not less. Linear on average, and as ts_sort_values() at worst. */
static gint64
select_value (gint64 *values, gsize n, gsize k)
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

#define LEAST_DIGITS 16
#define VALUES_A_DIGIT 4

void
ts_digits_init (TsDigits *digits, gsize n, gint64 least, gint64 greatest)
{
  guint64 width = (guint64) greatest - (guint64) least;

  digits->least = least;
  digits->n = LEAST_DIGITS;
  while (digits->n < TS_MOST_DIGITS && digits->n * VALUES_A_DIGIT < n)
    digits->n *= 2;
  digits->shift = 0;
  while (width >> digits->shift >= digits->n)
    digits->shift++;
  for (guint i = 0; i < G_N_ELEMENTS (digits->counts); i++)
    memset (digits->counts[i], 0, digits->n * sizeof digits->counts[i][0]);
  memset (digits->needed, 0, digits->n);
}

void
ts_digits_sum (TsDigits *digits)
{
  guint64 sum = 0;

  for (guint i = 0; i < digits->n; i++)
    digits->ends[i] = sum += (guint64) digits->counts[0][i] + digits->counts[1][i];
}

/* The digit of the value that would stand at @rank. */
static guint
digit_at (const TsDigits *digits, guint64 rank)
{
  guint low = 0, high = digits->n - 1;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (digits->ends[middle] < rank)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

gsize
ts_digits_need (TsDigits *digits, guint64 *ranks, guint n_ranks)
{
  guint64 left_out[TS_MOST_DIGITS], sum = 0;

  for (guint i = 0; i < n_ranks; i++)
    digits->needed[digit_at (digits, ranks[i])] = 1;
  for (guint i = 0; i < digits->n; i++)
    {
      left_out[i] = sum;
      sum += digits->needed[i] ? 0 : digits->ends[i] - (i > 0 ? digits->ends[i - 1] : 0);
    }
  for (guint i = 0; i < n_ranks; i++)
    ranks[i] -= left_out[digit_at (digits, ranks[i])];
  return (gsize) (digits->ends[digits->n - 1] - sum);
}

gboolean
ts_digits_tell (const TsDigits *digits, const guint64 *ranks, guint n_ranks, gint64 *selected)
{
  for (guint i = 0; digits->shift == 0 && i < n_ranks; i++)
    selected[i] = digits->least + digit_at (digits, ranks[i]);
  return digits->shift == 0;
}

static void
count_digits (TsDigits *digits, const gint64 *values, gsize n)
{
  gint64 least, greatest;

  ts_sort_bounds (values, n, &least, &greatest);
  ts_digits_init (digits, n, least, greatest);
  for (gsize i = 0; i < n; i++)
    digits->counts[i % 2][ts_digit_of (digits, values[i])]++;
  ts_digits_sum (digits);
}

static gsize
keep_needed (const TsDigits *digits, gint64 *values, gsize n)
{
  gsize n_kept = 0;

  for (gsize i = 0; i < n; i++)
    {
      gint64 value = values[i];

      values[n_kept] = value;
      n_kept += digits->needed[ts_digit_of (digits, value)];
    }
  return n_kept;
}

/* So often what is needed is expected to become much less. */
#define MAX_ROUNDS 3

void
ts_select_ranks (gint64 *values, gsize n, const guint64 *ranks, guint n_ranks, gint64 *selected)
{
  g_autofree guint64 *left = g_memdup2 (ranks, n_ranks * sizeof *ranks);
  gsize from = 0;

  for (guint round = 0; n > FEW && round < MAX_ROUNDS; round++)
    {
      TsDigits digits;

      count_digits (&digits, values, n);
      if (ts_digits_tell (&digits, left, n_ranks, selected))
        return;
      ts_digits_need (&digits, left, n_ranks);
      n = keep_needed (&digits, values, n);
    }
  if (n <= FEW)
    {
      insert_one_by_one (values, n);
      for (guint i = 0; i < n_ranks; i++)
        selected[i] = values[left[i] - 1];
      return;
    }
  for (guint i = 0; i < n_ranks; i++)
    {
      gsize k = (gsize) left[i] - 1;

      /* what is below the rank before is not greater than it */
      if (k < from)
        from = 0;
      selected[i] = select_value (values + from, n - from, k - from);
      from = k;
    }
}
