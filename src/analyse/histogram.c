/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "analyse/histogram.h"

G_STATIC_ASSERT (1 << TS_HISTOGRAM_BITS == TS_HISTOGRAM_BUCKETS);
G_STATIC_ASSERT (2 * TS_HISTOGRAM_OCTAVES <= G_MAXUINT8);

/* Counts are of 32 bits, since with thousands of elements their memory is what costs time.
 * The few that grow beyond have their upper half here. */
typedef struct
{
  gsize   index;
  guint64 high;
} Carry;

TsHistogram *
ts_histogram_new (void)
{
  TsHistogram *histogram = g_new0 (TsHistogram, 1);

  histogram->scale = 1;
  return histogram;
}

TsHistogram *
ts_histogram_copy (const TsHistogram *histogram)
{
  TsHistogram *copy;

  if (histogram == NULL)
    return NULL;
  copy = g_memdup2 (histogram, sizeof *histogram);
  copy->counts = g_memdup2 (histogram->counts, histogram->n_places * TS_HISTOGRAM_BUCKETS * sizeof *copy->counts);
  copy->carries = histogram->carries != NULL ? g_array_copy (histogram->carries) : NULL;
  copy->next = ts_histogram_copy (histogram->next);
  return copy;
}

void
ts_histogram_free (TsHistogram *histogram)
{
  while (histogram != NULL)
    {
      TsHistogram *next = histogram->next;

      g_clear_pointer (&histogram->carries, g_array_unref);
      g_free (histogram->counts);
      g_free (histogram);
      histogram = next;
    }
}

guint
ts_histogram_touch (TsHistogram *histogram, guint side, guint octave)
{
  guint n = histogram->n_places++;

  histogram->counts = g_renew (guint32, histogram->counts, (n + 1) * TS_HISTOGRAM_BUCKETS);
  memset (histogram->counts + n * TS_HISTOGRAM_BUCKETS, 0, TS_HISTOGRAM_BUCKETS * sizeof *histogram->counts);
  return histogram->places[side][octave] = (guint8) (n + 1);
}

static Carry *
find_carry (const TsHistogram *histogram, gsize index)
{
  for (guint i = 0; histogram->carries != NULL && i < histogram->carries->len; i++)
    {
      Carry *carry = &g_array_index (histogram->carries, Carry, i);

      if (carry->index == index)
        return carry;
    }
  return NULL;
}

static void
add_carry (TsHistogram *histogram, gsize index, guint64 high)
{
  Carry *carry = find_carry (histogram, index), first = { index, high };

  if (carry != NULL)
    carry->high += high;
  else
    {
      if (histogram->carries == NULL)
        histogram->carries = g_array_new (FALSE, FALSE, sizeof (Carry));
      g_array_append_val (histogram->carries, first);
    }
}

void
ts_histogram_carry (TsHistogram *histogram, gsize index)
{
  add_carry (histogram, index, 1);
}

static guint64
count_at (const TsHistogram *histogram, gsize index)
{
  const Carry *carry = find_carry (histogram, index);

  return histogram->counts[index] + (carry != NULL ? carry->high << 32 : 0);
}

static void
add_at (TsHistogram *histogram, gsize index, guint64 count)
{
  guint64 sum = histogram->counts[index] + (count & G_MAXUINT32);
  guint64 high = (count >> 32) + (sum >> 32);

  histogram->counts[index] = (guint32) sum;
  if (high > 0)
    add_carry (histogram, index, high);
}

void
ts_histogram_add (TsHistogram *histogram, gint64 value, guint64 count)
{
  add_at (histogram, ts_histogram_index (histogram, value), count);
}

static void
merge_octave (TsHistogram *to, const TsHistogram *from, guint side, guint octave)
{
  guint source = from->places[side][octave], target = to->places[side][octave];

  if (source == 0)
    return;
  if (target == 0)
    target = ts_histogram_touch (to, side, octave);
  for (guint k = 0; k < TS_HISTOGRAM_BUCKETS; k++)
    add_at (to, (target - 1) * TS_HISTOGRAM_BUCKETS + k, count_at (from, (source - 1) * TS_HISTOGRAM_BUCKETS + k));
}

void
ts_histogram_merge (TsHistogram *histogram, const TsHistogram *other)
{
  for (; other != NULL; other = other->next)
    {
      TsHistogram *same = histogram;

      while (same != NULL && same->scale != other->scale)
        same = same->next;
      if (same == NULL)
        {
          same = ts_histogram_new ();
          same->scale = other->scale;
          same->next = histogram->next;
          histogram->next = same;
        }
      for (guint side = 0; side < 2; side++)
        for (guint i = 0; i < TS_HISTOGRAM_OCTAVES; i++)
          merge_octave (same, other, side, i);
    }
}

gboolean
ts_histogram_rescale (TsHistogram **histogram, gint64 factor)
{
  TsHistogram *first;

  for (TsHistogram *each = *histogram; each != NULL; each = each->next)
    if (__builtin_mul_overflow (each->scale, factor, &each->scale))
      return FALSE;
  first = ts_histogram_new ();
  first->next = *histogram;
  *histogram = first;
  return TRUE;
}

static void
list_bucket (const TsHistogram *histogram, guint side, guint octave, guint k, GArray *buckets)
{
  guint    shift = octave > 0 ? octave - 1 : 0;
  guint64  magnitude = octave > 0 ? (guint64) (TS_HISTOGRAM_BUCKETS + k) << shift : k;
  TsBucket bucket;

  bucket.count = count_at (histogram, (histogram->places[side][octave] - 1u) * TS_HISTOGRAM_BUCKETS + k);
  if (bucket.count == 0)
    return;
  /* the middle of the bucket's whole numbers, rounded down */
  magnitude += (((guint64) 1 << shift) - 1) / 2;
  if (__builtin_mul_overflow ((gint64) magnitude, histogram->scale, &bucket.value))
    bucket.value = G_MAXINT64;
  if (side == 1)
    bucket.value = -bucket.value;
  g_array_append_val (buckets, bucket);
}

static int
compare_buckets (gconstpointer a, gconstpointer b)
{
  const TsBucket *left = a, *right = b;

  return left->value < right->value ? -1 : left->value > right->value;
}

void
ts_histogram_list (const TsHistogram *histogram, GArray *buckets)
{
  gboolean several = histogram != NULL && histogram->next != NULL;

  for (; histogram != NULL; histogram = histogram->next)
    {
      for (guint i = TS_HISTOGRAM_OCTAVES; i-- > 0;)
        if (histogram->places[1][i] != 0)
          for (guint k = TS_HISTOGRAM_BUCKETS; k-- > 0;)
            list_bucket (histogram, 1, i, k, buckets);
      for (guint i = 0; i < TS_HISTOGRAM_OCTAVES; i++)
        if (histogram->places[0][i] != 0)
          for (guint k = 0; k < TS_HISTOGRAM_BUCKETS; k++)
            list_bucket (histogram, 0, i, k, buckets);
    }
  if (several)
    g_array_sort (buckets, compare_buckets);
}
