/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "analyse/histogram.h"
#include "check/verdict.h"

/* Whether two sets of samples can be told apart: the two-sample test of Kolmogorov and Smirnov, which
 * looks at the whole distribution, so that it speaks for mean, percentiles and extremes alike. It takes the samples as
 * independent; those of periodic tasks are not quite, which makes p somewhat too small. Equal values, of which
 * traces have many, make p too large. */

/* Up to so many pairs of samples all orders of them are counted; what is beyond comes from the limit. */
#define MOST_EXACT 10000

/* Exact samples go through the buckets of a histogram, where the other side is one: values of one and the same
 * bucket would otherwise differ from its middle. */
static GArray *
bucketed (const TsAccumulator *samples, gint64 factor, gboolean in_histogram)
{
  GArray      *buckets = ts_accumulator_buckets (samples);
  TsHistogram *histogram;

  for (guint i = 0; i < buckets->len; i++)
    g_array_index (buckets, TsBucket, i).value *= factor;
  if (!in_histogram)
    return buckets;
  histogram = ts_histogram_new ();
  for (guint i = 0; i < buckets->len; i++)
    ts_histogram_add (histogram, g_array_index (buckets, TsBucket, i).value,
                      g_array_index (buckets, TsBucket, i).count);
  g_array_set_size (buckets, 0);
  ts_histogram_list (histogram, buckets);
  ts_histogram_free (histogram);
  return buckets;
}

/* The largest distance of the two cumulative distributions, times @n_a times @n_b. */
static TsInt128
largest_distance (const GArray *a, guint64 n_a, const GArray *b, guint64 n_b)
{
  guint64  seen_a = 0, seen_b = 0;
  TsInt128 distance = 0;

  for (guint i = 0, k = 0; i < a->len && k < b->len;)
    {
      TsInt128 difference;
      const TsBucket *left = &g_array_index ((GArray *) a, TsBucket, i);
      const TsBucket *right = &g_array_index ((GArray *) b, TsBucket, k);

      if (left->value <= right->value)
        {
          seen_a += left->count;
          i++;
        }
      if (right->value <= left->value)
        {
          seen_b += right->count;
          k++;
        }
      difference = (TsInt128) seen_a * (TsInt128) n_b - (TsInt128) seen_b * (TsInt128) n_a;
      distance = MAX (distance, ABS (difference));
    }
  return distance;
}

/* Q of Kolmogorov's distribution. */
static double
kolmogorov (double lambda)
{
  double sum = 0, sign = 1;

  if (lambda < 0.2)
    return 1; /* off by less than 1e-12 */
  for (int k = 1; k <= 100; k++, sign = -sign)
    {
      double term = exp (-2 * lambda * lambda * k * k);

      sum += sign * term;
      if (term < 1e-16)
        break;
    }
  return CLAMP (2 * sum, 0, 1);
}

/* Of all orders in which @n_a and @n_b samples can come, none of which are equal, the share in which the two are
 * @distance apart somewhere, times @n_a times @n_b: paths from one corner of a grid to the other, of which each step is
 * a sample. Paths that are there once are told from all paths, so that nothing is subtracted and the least p is exact. */
static double
share_of_orders (guint n_a, guint n_b, TsInt128 distance)
{
  g_autofree double *all = g_new (double, n_b + 1), *far = g_new (double, n_b + 1); /* to the places of a row */

  for (guint i = 0; i <= n_a; i++)
    for (guint k = 0; k <= n_b; k++)
      {
        TsInt128 apart = (TsInt128) i * n_b - (TsInt128) k * n_a;

        all[k] = i == 0 || k == 0 ? 1 : all[k] + all[k - 1];
        if (ABS (apart) >= distance)
          far[k] = all[k];
        else
          far[k] = (i > 0 ? far[k] : 0) + (k > 0 ? far[k - 1] : 0);
      }
  return far[n_b] / all[n_b];
}

gboolean
ts_compare_distributions (const TsAccumulator *a, gint64 factor_a, const TsAccumulator *b, gint64 factor_b, double *p)
{
  gboolean in_histogram;
  g_autoptr (GArray) left = NULL, right = NULL;
  TsInt128 distance;
  double   n, root;

  if (a == NULL || b == NULL || a->n == 0 || b->n == 0)
    return FALSE;
  in_histogram = !ts_accumulator_is_exact (a) || !ts_accumulator_is_exact (b);
  /* buckets of other units are other buckets; and nothing may overflow */
  if (in_histogram && (factor_a != 1 || factor_b != 1))
    return FALSE;
  if (factor_a > 1 || factor_b > 1)
    {
      gint64 largest_a = MAX (ABS (a->min.value), ABS (a->max.value));
      gint64 largest_b = MAX (ABS (b->min.value), ABS (b->max.value));

      if (largest_a > G_MAXINT64 / factor_a || largest_b > G_MAXINT64 / factor_b)
        return FALSE;
    }
  left = bucketed (a, factor_a, in_histogram);
  right = bucketed (b, factor_b, in_histogram);
  distance = largest_distance (left, a->n, right, b->n);
  if ((TsUint128) a->n * b->n <= MOST_EXACT)
    {
      *p = share_of_orders ((guint) a->n, (guint) b->n, distance);
      return TRUE;
    }
  n = (double) a->n * (double) b->n / ((double) a->n + (double) b->n);
  root = sqrt (n);
  /* Stephens: good where there are as many */
  *p = kolmogorov ((root + 0.12 + 0.11 / root) * ((double) distance / ((double) a->n * (double) b->n)));
  return TRUE;
}
