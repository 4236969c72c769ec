/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/histogram.h"

#define BUCKET_BITS 7 /* 2^7 = TS_HISTOGRAM_BUCKETS */
#define N_OCTAVES (64 - BUCKET_BITS + 1)

G_STATIC_ASSERT (1 << BUCKET_BITS == TS_HISTOGRAM_BUCKETS);

typedef struct
{
  guint64 counts[TS_HISTOGRAM_BUCKETS];
} Octave;

struct _TsHistogram
{
  gint64       scale; /* buckets hold value / scale */
  TsHistogram *next;  /* of another scale: traces with other time bases; the first has scale 1 */
  Octave      *octaves[2][N_OCTAVES]; /* of values from 0 on, and of those below */
};

TsHistogram *
ts_histogram_new (void)
{
  TsHistogram *histogram = g_new0 (TsHistogram, 1);

  histogram->scale = 1;
  return histogram;
}

void
ts_histogram_free (TsHistogram *histogram)
{
  while (histogram != NULL)
    {
      TsHistogram *next = histogram->next;

      for (guint side = 0; side < 2; side++)
        for (guint i = 0; i < N_OCTAVES; i++)
          g_free (histogram->octaves[side][i]);
      g_free (histogram);
      histogram = next;
    }
}

/* Octave 0 has the magnitudes 0..127, octave k > 0 those from 2^(k+6) up to 2^(k+7). */
static inline guint
octave_of (guint64 magnitude)
{
  return magnitude < TS_HISTOGRAM_BUCKETS ? 0 : 63 - BUCKET_BITS + 1 - (guint) __builtin_clzll (magnitude);
}

void
ts_histogram_add (TsHistogram *histogram, gint64 value, guint64 count)
{
  guint64  magnitude = value < 0 ? -(guint64) value : (guint64) value;
  guint    octave = octave_of (magnitude);
  guint    shift = octave > 0 ? octave - 1 : 0;
  Octave **place = &histogram->octaves[value < 0][octave];

  if (G_UNLIKELY (*place == NULL))
    *place = g_new0 (Octave, 1);
  (*place)->counts[(magnitude >> shift) & (TS_HISTOGRAM_BUCKETS - 1)] += count;
}

static void
merge_same_scale (TsHistogram *to, const TsHistogram *from)
{
  for (guint side = 0; side < 2; side++)
    for (guint i = 0; i < N_OCTAVES; i++)
      {
        const Octave *octave = from->octaves[side][i];

        if (octave == NULL)
          continue;
        if (to->octaves[side][i] == NULL)
          to->octaves[side][i] = g_new0 (Octave, 1);
        for (guint k = 0; k < TS_HISTOGRAM_BUCKETS; k++)
          to->octaves[side][i]->counts[k] += octave->counts[k];
      }
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
      merge_same_scale (same, other);
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

  /* the middle of the bucket's whole numbers, rounded down */
  magnitude += (((guint64) 1 << shift) - 1) / 2;
  if (__builtin_mul_overflow ((gint64) magnitude, histogram->scale, &bucket.value))
    bucket.value = G_MAXINT64;
  if (side == 1)
    bucket.value = -bucket.value;
  bucket.count = histogram->octaves[side][octave]->counts[k];
  if (bucket.count > 0)
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
      for (guint i = N_OCTAVES; i-- > 0;)
        if (histogram->octaves[1][i] != NULL)
          for (guint k = TS_HISTOGRAM_BUCKETS; k-- > 0;)
            list_bucket (histogram, 1, i, k, buckets);
      for (guint i = 0; i < N_OCTAVES; i++)
        if (histogram->octaves[0][i] != NULL)
          for (guint k = 0; k < TS_HISTOGRAM_BUCKETS; k++)
            list_bucket (histogram, 0, i, k, buckets);
    }
  if (several)
    g_array_sort (buckets, compare_buckets);
}
