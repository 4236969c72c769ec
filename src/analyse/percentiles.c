/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/accumulator.h"
#include "model/sort.h"

/* The samples of an accumulator by their ranks. */

guint64
ts_percentile_rank (guint64 n, guint64 millionths)
{
  const TsUint128 whole = 100 * 1000000;
  TsUint128       rank = ((TsUint128) n * millionths + whole - 1) / whole;

  return rank < 1 ? 1 : rank > n ? n : (guint64) rank;
}

/* Sorted samples as pairs: one for each value. */
static void
count_equal_ones (const gint64 *sorted, gsize n, GArray *buckets)
{
  TsBucket *bucket;
  guint     n_values = 0;

  for (gsize i = 0; i < n; i++)
    n_values += i == 0 || sorted[i] != sorted[i - 1];
  g_array_set_size (buckets, n_values);
  bucket = (TsBucket *) (gpointer) buckets->data;
  for (gsize i = 0, k = 0; i < n; i = k, bucket++)
    {
      while (k < n && sorted[k] == sorted[i])
        k++;
      *bucket = (TsBucket){ sorted[i], k - i };
    }
}

GArray *
ts_accumulator_buckets (const TsAccumulator *accumulator)
{
  GArray          *buckets = g_array_new (FALSE, FALSE, sizeof (TsBucket));
  const TsSamples *samples = accumulator->samples;
  g_autofree gint64 *sorted = NULL;
  gsize            n;

  if (samples == NULL)
    {
      ts_histogram_list (accumulator->histogram, buckets);
      return buckets;
    }
  n = ts_samples_n (samples);
  sorted = g_new (gint64, MAX (n, 1));
  ts_samples_unpack (samples, sorted);
  ts_sort_values (sorted, n);
  count_equal_ones (sorted, n, buckets);
  return buckets;
}

/* The middle of a bucket; but the first and the last sample are known exactly. */
static gint64
find_ranked (const TsAccumulator *accumulator, const GArray *buckets, guint64 rank)
{
  guint64 seen = 0;

  if (rank <= 1)
    return accumulator->min.value;
  for (guint i = 0; rank < accumulator->n && i < buckets->len; i++)
    {
      const TsBucket *bucket = &g_array_index (buckets, TsBucket, i);

      seen += bucket->count;
      if (seen >= rank)
        return CLAMP (bucket->value, accumulator->min.value, accumulator->max.value);
    }
  return accumulator->max.value;
}

static void
select_ranked (const TsAccumulator *accumulator, const guint64 *ranks, guint n_ranks, gint64 *values)
{
  const TsSamples *samples = accumulator->samples;
  gsize            n = ts_samples_n (samples);
  g_autofree gint64 *all = NULL;

  if (!accumulator->is_stated)
    {
      ts_samples_select (samples, accumulator->min.value, accumulator->max.value, ranks, n_ranks, values);
      return;
    }
  all = g_new (gint64, MAX (n, 1));
  ts_samples_unpack (samples, all);
  ts_select_ranks (all, n, ranks, n_ranks, values);
}

void
ts_accumulator_ranked (const TsAccumulator *accumulator, const guint64 *ranks, guint n_ranks, gint64 *values)
{
  g_autoptr (GArray) buckets = NULL;

  if (accumulator->samples != NULL)
    {
      /* where none was kept, the least is as good as any other */
      if (accumulator->min.value == accumulator->max.value || accumulator->samples == &ts_samples_none)
        for (guint i = 0; i < n_ranks; i++)
          values[i] = accumulator->min.value;
      else
        select_ranked (accumulator, ranks, n_ranks, values);
      return;
    }
  buckets = ts_accumulator_buckets (accumulator);
  for (guint i = 0; i < n_ranks; i++)
    values[i] = find_ranked (accumulator, buckets, ranks[i]);
}

gint64
ts_accumulator_percentile (const TsAccumulator *accumulator, guint64 millionths)
{
  guint64 rank = ts_percentile_rank (accumulator->n, millionths);
  gint64  value;

  ts_accumulator_ranked (accumulator, &rank, 1, &value);
  return value;
}

gboolean
ts_accumulator_is_exact (const TsAccumulator *accumulator)
{
  return accumulator->samples != NULL;
}

static gboolean
is_outside (gint64 value, gint64 from, gint64 to)
{
  return value < from || value > to;
}

/* Samples and middles are whole numbers. */
static void
count_buckets (const TsAccumulator *accumulator, gint64 from, gint64 to, guint64 *least, guint64 *most)
{
  g_autoptr (GArray) buckets = ts_accumulator_buckets (accumulator);
  const gint64       min = accumulator->min.value, max = accumulator->max.value;

  for (guint i = 0; i < buckets->len; i++)
    {
      const TsBucket *bucket = &g_array_index (buckets, TsBucket, i);
      const gint64    blur = ABS (bucket->value) / TS_HISTOGRAM_BLUR;
      const gint64    first = CLAMP (bucket->value - blur, min, max), last = CLAMP (bucket->value + blur, min, max);

      if (last < from || first > to)
        *least += bucket->count;
      if (is_outside (first, from, to) || is_outside (last, from, to))
        *most += bucket->count;
    }
}

void
ts_accumulator_count_outside (const TsAccumulator *accumulator, gint64 from, gint64 to, guint64 *least, guint64 *most)
{
  /* these two are known, and mostly there is nothing else to be known */
  const guint64 n_ends = (guint64) (accumulator->n > 0 && is_outside (accumulator->min.value, from, to))
                         + (guint64) (accumulator->n > 1 && is_outside (accumulator->max.value, from, to));

  *least = *most = 0;
  if (n_ends == 0)
    return;
  if (accumulator->samples != NULL)
    {
      *least = *most = ts_samples_count_outside (accumulator->samples, from, to);
      return;
    }
  count_buckets (accumulator, from, to, least, most);
  *least = MAX (*least, n_ends);
}
