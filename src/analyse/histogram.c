/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "analyse/histogram.h"

G_STATIC_ASSERT (1 << TS_HISTOGRAM_BITS == TS_HISTOGRAM_BUCKETS);

/* Counts are added so many at a time: a line of a cache. */
#define COUNTS_A_LINE 32

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
  copy->counts = g_memdup2 (histogram->counts, histogram->n_counts * sizeof *copy->counts);
  copy->highs = g_memdup2 (histogram->highs, histogram->n_counts * sizeof *copy->highs);
  copy->stated = histogram->stated != NULL ? g_array_copy (histogram->stated) : NULL;
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
      g_clear_pointer (&histogram->stated, g_array_unref);
      g_free (histogram);
      histogram = next;
    }
}

/* Buckets are as wide as 2^shift, where the highest bit of a value that is not below 256 is that of 128 << shift. */
static inline gint
bucket_of_magnitude (guint64 magnitude)
{
  guint shift = 63 ^ (guint) __builtin_clzll (magnitude >> TS_HISTOGRAM_BITS | 1); /* 63 - it, as one instruction */

  return (gint) (shift << TS_HISTOGRAM_BITS) + (gint) (magnitude >> shift);
}

static inline gint
bucket_of (gint64 value)
{
  return value < 0 ? -bucket_of_magnitude (-(guint64) value) : bucket_of_magnitude ((guint64) value);
}

/* The middle of the whole numbers in @bucket, rounded towards 0. */
static gint64
middle_of (gint bucket)
{
  guint   number = (guint) ABS (bucket);
  guint   shift = number < 2 * TS_HISTOGRAM_BUCKETS ? 0 : (number >> TS_HISTOGRAM_BITS) - 1;
  guint64 least = (guint64) (number - (shift << TS_HISTOGRAM_BITS)) << shift;
  gint64  middle = (gint64) (least + (((guint64) 1 << shift) - 1) / 2);

  return bucket < 0 ? -middle : middle;
}

/* A longer copy of @counts, of @size bytes each, with @n_before new ones before the old ones. */
static gpointer
lengthen (gpointer counts, gsize size, guint n_before, guint n_old, guint n_all)
{
  guint8 *longer = g_malloc0_n (n_all, size);

  if (n_old > 0)
    memcpy (longer + n_before * size, counts, n_old * size);
  g_free (counts);
  return longer;
}

static G_GNUC_NO_INLINE void
extend (TsHistogram *histogram, gint first, gint end)
{
  guint n_old = histogram->n_counts, n_before = 0, n_all;

  first &= -COUNTS_A_LINE;
  end = (end + COUNTS_A_LINE - 1) & -COUNTS_A_LINE;
  if (n_old > 0)
    {
      first = MIN (first, histogram->first);
      end = MAX (end, histogram->first + (gint) n_old);
      n_before = (guint) (histogram->first - first);
    }
  n_all = (guint) (end - first);
  histogram->counts = lengthen (histogram->counts, sizeof *histogram->counts, n_before, n_old, n_all);
  if (histogram->highs != NULL)
    histogram->highs = lengthen (histogram->highs, sizeof *histogram->highs, n_before, n_old, n_all);
  histogram->first = first;
  histogram->n_counts = n_all;
}

/* Sees to it that all buckets from @first to before @end are there. */
static inline void
cover (TsHistogram *histogram, gint first, gint end)
{
  if (G_UNLIKELY (first < histogram->first || end > histogram->first + (gint) histogram->n_counts))
    extend (histogram, first, end);
}

static void
add_high (TsHistogram *histogram, gsize index, guint64 high)
{
  if (histogram->highs == NULL)
    histogram->highs = g_new0 (guint64, histogram->n_counts);
  histogram->highs[index] += high;
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

static void
add_to_bucket (TsHistogram *histogram, gint bucket, guint64 count)
{
  cover (histogram, bucket, bucket + 1);
  add_at (histogram, (gsize) (bucket - histogram->first), count);
}

void
ts_histogram_add (TsHistogram *histogram, gint64 value, guint64 count)
{
  add_to_bucket (histogram, bucket_of (value), count);
}

/* Of @histogram, which has some from now on. */
static GArray *
stated_of (TsHistogram *histogram)
{
  if (histogram->stated == NULL)
    histogram->stated = g_array_new (FALSE, FALSE, sizeof (TsBucket));
  return histogram->stated;
}

void
ts_histogram_add_stated (TsHistogram *histogram, gint64 value, guint64 count)
{
  const gint     bucket = bucket_of (value);
  const TsBucket stated = { value, count };

  if (middle_of (bucket) == value)
    add_to_bucket (histogram, bucket, count);
  else
    g_array_append_val (stated_of (histogram), stated);
}

/* Where the count of bucket 0 is or would be: as a number, since it may be outside of the counts. */
static inline guintptr
bucket_zero (const TsHistogram *histogram)
{
  return (guintptr) histogram->counts - (guintptr) ((gssize) histogram->first * (gssize) sizeof *histogram->counts);
}

/* One more in a bucket that is there. */
static inline void
count_one (TsHistogram *histogram, guintptr zero, gssize bucket)
{
  guint16 *count = (guint16 *) (zero + (guintptr) (bucket * (gssize) sizeof *count));

  if (G_UNLIKELY (++*count == 0))
    add_high (histogram, (gsize) (count - histogram->counts), 1);
}

#ifdef __SSE2__

#define DOUBLE_BITS 52 /* of a double, below its exponent */

/* The exponent and the highest bits of a double number the buckets, from some number on. Of the 18 bits of
 * (1023 + 7) << 7, which is that of 128.0, the higher two never change. */
#define DOUBLE_OFFSET ((((1023 + TS_HISTOGRAM_BITS) << TS_HISTOGRAM_BITS) & G_MAXUINT16) - TS_HISTOGRAM_BUCKETS)

/* The numbers of two values from 0 to below 2^52, in the lowest 16 bits of each half. */
static inline __m128i
number_pair (__m128i values)
{
  const __m128i magic = _mm_castpd_si128 (_mm_set1_pd (0x1p52));
  __m128d       doubles = _mm_sub_pd (_mm_castsi128_pd (_mm_or_si128 (values, magic)), _mm_castsi128_pd (magic));

  return _mm_srli_epi64 (_mm_castpd_si128 (doubles), DOUBLE_BITS - TS_HISTOGRAM_BITS);
}

/* From TS_HISTOGRAM_BUCKETS to below 2^52, of an even number of values. */
static void
add_pairs (TsHistogram *histogram, const gint64 *values, gsize n)
{
  const guintptr zero = bucket_zero (histogram) - DOUBLE_OFFSET * sizeof *histogram->counts;

  for (gsize i = 0; i < n; i += 2)
    {
      __m128i numbers = number_pair (_mm_loadu_si128 ((const __m128i *) (gconstpointer) &values[i]));

      count_one (histogram, zero, _mm_extract_epi16 (numbers, 0));
      count_one (histogram, zero, _mm_extract_epi16 (numbers, 4));
    }
}

/* From 0 to below 2^52. The bucket of a value below 2 * TS_HISTOGRAM_BUCKETS is the value, and the number as above is
 * not more than that; of a value beyond it is more than anything below 2 * TS_HISTOGRAM_BUCKETS. So it is the greater
 * of both, as signed numbers of 16 bits, where all that is looked at of a large value may have any value. */
static void
add_small_pairs (TsHistogram *histogram, const gint64 *values, gsize n)
{
  const __m128i  offset = _mm_set1_epi16 (DOUBLE_OFFSET), most = _mm_set1_epi16 (2 * TS_HISTOGRAM_BUCKETS - 1);
  const guintptr zero = bucket_zero (histogram);

  for (gsize i = 0; i < n; i += 2)
    {
      __m128i pair = _mm_loadu_si128 ((const __m128i *) (gconstpointer) &values[i]);
      __m128i buckets = _mm_max_epi16 (_mm_sub_epi16 (number_pair (pair), offset), _mm_min_epi16 (pair, most));

      count_one (histogram, zero, _mm_extract_epi16 (buckets, 0));
      count_one (histogram, zero, _mm_extract_epi16 (buckets, 4));
    }
}

#endif

void
ts_histogram_add_many (TsHistogram *histogram, const gint64 *values, gsize n, gint64 min, gint64 max)
{
  guintptr zero;
  gsize    i = 0;

  if (min == max)
    {
      ts_histogram_add (histogram, min, n);
      return;
    }
  cover (histogram, bucket_of (min), bucket_of (max) + 1);
  zero = bucket_zero (histogram);
  if (min >= 0 && max < 2 * TS_HISTOGRAM_BUCKETS)
    {
      for (; i < n; i++)
        count_one (histogram, zero, (gssize) values[i]);
      return;
    }
#ifdef __SSE2__
  if (min >= 0 && max < G_GINT64_CONSTANT (1) << DOUBLE_BITS)
    {
      i = n & ~(gsize) 1;
      if (min >= TS_HISTOGRAM_BUCKETS)
        add_pairs (histogram, values, i);
      else
        add_small_pairs (histogram, values, i);
    }
#endif
  for (; i < n; i++)
    count_one (histogram, zero, bucket_of (values[i]));
}

static int
compare_buckets (gconstpointer a, gconstpointer b)
{
  const TsBucket *left = a, *right = b;

  return left->value < right->value ? -1 : left->value > right->value;
}

/* In ascending order, and each value once. */
static void
put_in_order (GArray *buckets)
{
  TsBucket *to;

  if (buckets->len == 0)
    return;
  g_array_sort (buckets, compare_buckets);
  to = (TsBucket *) (gpointer) buckets->data;
  for (guint i = 1; i < buckets->len; i++)
    {
      const TsBucket *bucket = &g_array_index (buckets, TsBucket, i);

      if (bucket->value == to->value)
        to->count += bucket->count;
      else
        *++to = *bucket;
    }
  g_array_set_size (buckets, (guint) (to - (TsBucket *) (gpointer) buckets->data) + 1);
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
      if (other->n_counts > 0)
        cover (same, other->first, other->first + (gint) other->n_counts);
      for (guint i = 0; i < other->n_counts; i++)
        add_at (same, i + (gsize) (other->first - same->first), count_at (other, i));
      if (other->stated == NULL)
        continue;
      g_array_append_vals (stated_of (same), other->stated->data, other->stated->len);
      put_in_order (same->stated); /* or reports that are pooled would pile up */
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

/* @value in units of @scale, with @count. */
static void
list_value (gint64 value, gint64 scale, guint64 count, GArray *buckets)
{
  TsBucket bucket = { .count = count };

  if (count == 0)
    return;
  if (__builtin_mul_overflow (value, scale, &bucket.value))
    bucket.value = value < 0 ? -G_MAXINT64 : G_MAXINT64;
  g_array_append_val (buckets, bucket);
}

void
ts_histogram_list (const TsHistogram *histogram, GArray *buckets)
{
  gboolean in_order = ts_histogram_is_plain (histogram);

  for (; histogram != NULL; histogram = histogram->next)
    {
      for (guint i = 0; i < histogram->n_counts; i++)
        list_value (middle_of (histogram->first + (gint) i), histogram->scale, count_at (histogram, i), buckets);
      for (guint i = 0; histogram->stated != NULL && i < histogram->stated->len; i++)
        {
          const TsBucket *stated = &g_array_index (histogram->stated, TsBucket, i);

          list_value (stated->value, histogram->scale, stated->count, buckets);
        }
    }
  if (!in_order)
    put_in_order (buckets);
}

gboolean
ts_histogram_is_plain (const TsHistogram *histogram)
{
  return histogram == NULL || (histogram->next == NULL && histogram->stated == NULL);
}
