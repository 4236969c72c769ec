/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "analyse/histogram.h"

G_STATIC_ASSERT (1 << TS_HISTOGRAM_BITS == TS_HISTOGRAM_BUCKETS);
G_STATIC_ASSERT ((TS_HISTOGRAM_OCTAVES + 2) * TS_HISTOGRAM_BUCKETS <= G_MAXINT16);

TsHistogram *
ts_histogram_new (void)
{
  TsHistogram *histogram = g_new0 (TsHistogram, 1);

  histogram->scale = 1;
  for (guint i = 0; i < TS_HISTOGRAM_OCTAVES; i++)
    histogram->rows[i] = TS_HISTOGRAM_NO_ROW;
  return histogram;
}

TsHistogram *
ts_histogram_copy (const TsHistogram *histogram)
{
  TsHistogram *copy;

  if (histogram == NULL)
    return NULL;
  copy = g_memdup2 (histogram, sizeof *histogram);
  copy->counts = g_memdup2 (histogram->counts, histogram->n_counts * sizeof *copy->counts);
  copy->highs = g_memdup2 (histogram->highs, histogram->n_counts * sizeof *copy->highs);
  copy->next = ts_histogram_copy (histogram->next);
  return copy;
}

void
ts_histogram_free (TsHistogram *histogram)
{
  while (histogram != NULL)
    {
      TsHistogram *next = histogram->next;

      g_free (histogram->counts);
      g_free (histogram->highs);
      g_free (histogram);
      histogram = next;
    }
}

/* The lowest octave has the buckets 0..255, the others 128..255. */
static guint
first_bucket (guint octave)
{
  return octave % TS_HISTOGRAM_NEGATIVE == TS_HISTOGRAM_BITS ? 0 : TS_HISTOGRAM_BUCKETS;
}

static void
add_row (TsHistogram *histogram, guint octave)
{
  guint n = histogram->n_counts, length = 2 * TS_HISTOGRAM_BUCKETS - first_bucket (octave);

  histogram->counts = g_renew (guint16, histogram->counts, n + length);
  memset (histogram->counts + n, 0, length * sizeof *histogram->counts);
  if (histogram->highs != NULL)
    {
      histogram->highs = g_renew (guint64, histogram->highs, n + length);
      memset (histogram->highs + n, 0, length * sizeof *histogram->highs);
    }
  histogram->rows[octave] = (gint16) (n - first_bucket (octave));
  histogram->n_counts = (guint16) (n + length);
}

static void
add_high (TsHistogram *histogram, gsize index, guint64 high)
{
  if (histogram->highs == NULL)
    histogram->highs = g_new0 (guint64, histogram->n_counts);
  histogram->highs[index] += high;
}

void
ts_histogram_carry (TsHistogram *histogram, gsize index)
{
  add_high (histogram, index, 1);
}

static guint64
count_at (const TsHistogram *histogram, gsize index)
{
  return histogram->counts[index] + (histogram->highs != NULL ? histogram->highs[index] << 16 : 0);
}

static void
add_at (TsHistogram *histogram, gsize index, guint64 count)
{
  guint64 sum = histogram->counts[index] + (count & G_MAXUINT16);
  guint64 high = (count >> 16) + (sum >> 16);

  histogram->counts[index] = (guint16) sum;
  if (high > 0)
    add_high (histogram, index, high);
}

void
ts_histogram_add (TsHistogram *histogram, gint64 value, guint64 count)
{
  guint64 magnitude = ts_histogram_magnitude (value);
  guint   octave = ts_histogram_octave (magnitude);
  gsize   bucket = magnitude >> (octave - TS_HISTOGRAM_BITS);

  if (value < 0)
    octave += TS_HISTOGRAM_NEGATIVE;
  if (histogram->rows[octave] == TS_HISTOGRAM_NO_ROW)
    add_row (histogram, octave);
  add_at (histogram, histogram->rows[octave] + bucket, count);
}

static void
merge_octave (TsHistogram *to, const TsHistogram *from, guint octave)
{
  if (from->rows[octave] == TS_HISTOGRAM_NO_ROW)
    return;
  if (to->rows[octave] == TS_HISTOGRAM_NO_ROW)
    add_row (to, octave);
  for (gsize k = first_bucket (octave); k < 2 * TS_HISTOGRAM_BUCKETS; k++)
    add_at (to, to->rows[octave] + k, count_at (from, from->rows[octave] + k));
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
      for (guint i = 0; i < TS_HISTOGRAM_OCTAVES; i++)
        merge_octave (same, other, i);
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
list_bucket (const TsHistogram *histogram, guint octave, gsize k, GArray *buckets)
{
  guint    shift = octave % TS_HISTOGRAM_NEGATIVE - TS_HISTOGRAM_BITS;
  TsBucket bucket = { 0, count_at (histogram, histogram->rows[octave] + k) };
  guint64  magnitude;

  if (bucket.count == 0)
    return;
  /* the middle of the bucket's whole numbers, rounded down */
  magnitude = ((guint64) k << shift) + (((guint64) 1 << shift) - 1) / 2;
  if (__builtin_mul_overflow ((gint64) magnitude, histogram->scale, &bucket.value))
    bucket.value = G_MAXINT64;
  if (octave >= TS_HISTOGRAM_NEGATIVE)
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
      for (guint i = TS_HISTOGRAM_OCTAVES; i-- > TS_HISTOGRAM_NEGATIVE;)
        if (histogram->rows[i] != TS_HISTOGRAM_NO_ROW)
          for (gsize k = 2 * TS_HISTOGRAM_BUCKETS; k-- > first_bucket (i);)
            list_bucket (histogram, i, k, buckets);
      for (guint i = 0; i < TS_HISTOGRAM_NEGATIVE; i++)
        if (histogram->rows[i] != TS_HISTOGRAM_NO_ROW)
          for (gsize k = first_bucket (i); k < 2 * TS_HISTOGRAM_BUCKETS; k++)
            list_bucket (histogram, i, k, buckets);
    }
  if (several)
    g_array_sort (buckets, compare_buckets);
}
