/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "analyse/samples.h"
#include "model/sort.h"

/* The samples that would stand at some ranks if all were sorted. */

/* Nearly all accumulators have few samples within 65,536 of one another: these are counted, by value, or by high bits
 * first and then by all bits where a rank falls, without a branch for a sample. */

#define BINS_A_RUN 16 /* are added up at a time */
#define MOST_BINS 1024
#define MOST_ROWS 16 /* of different high bits that ranks may fall on */
#define MOST_LOW_BITS 8

typedef struct
{
  guint16 counts[MOST_BINS];
  guint16 ends[MOST_BINS / BINS_A_RUN]; /* samples up to the end of each run */
  guint   n_runs;
} Bins;

static guint
sum_of_run (const guint16 *counts)
{
  guint16 sum = 0;

  for (guint i = 0; i < BINS_A_RUN; i++)
    sum = (guint16) (sum + counts[i]);
  return sum;
}

/* The bin of these where *@rank falls, which becomes that within the bin. */
static guint
find_in_run (const guint16 *counts, guint *rank)
{
  guint bin = 0;

  while (counts[bin] < *rank)
    *rank -= counts[bin++];
  return bin;
}

static void
sum_runs (Bins *bins)
{
  guint sum = 0;

  for (guint i = 0; i < bins->n_runs; i++)
    bins->ends[i] = (guint16) (sum += sum_of_run (&bins->counts[i * BINS_A_RUN]));
}

static guint
find_bin (const Bins *bins, guint *rank)
{
  guint run = 0;

  while (bins->ends[run] < *rank)
    run++;
  *rank -= run > 0 ? bins->ends[run - 1] : 0;
  return run * BINS_A_RUN + find_in_run (&bins->counts[run * BINS_A_RUN], rank);
}

/* Of a sample to @least: modulo 2^16, since it is not more. Calculated in words of 32 bits: each part of a register waits
 * for what was in the other part. */
#define DIFFERENCE(sample, least) (((guint) (gint) (sample) - (least)) & G_MAXUINT16)

#define COUNT_BINS(type) \
  while ((bytes = ts_sample_walk_next (&walk, sizeof (type), &n)) != NULL) \
    for (gsize i = 0; i < n; i++) \
      bins->counts[DIFFERENCE (((const type *) bytes)[i], least) >> shift]++

static void
count_bins (Bins *bins, const TsSamples *samples, guint least, guint shift)
{
  TsSampleWalk  walk = ts_sample_walk (samples);
  gconstpointer bytes;
  gsize         n;

  memset (bins->counts, 0, bins->n_runs * BINS_A_RUN * sizeof bins->counts[0]);
  if (samples->width == 1)
    COUNT_BINS (gint8);
  else
    COUNT_BINS (gint16);
  sum_runs (bins);
}

/* Of all samples with the same high bits as one that is asked for: how often each of their low bits occurs. */
typedef struct
{
  guint16 starts[MOST_BINS / 4]; /* by high bits, of their row; the first row takes those of no interest */
  guint16 counts[(MOST_ROWS + 1) << MOST_LOW_BITS];
  guint   n_rows, shift;
} Rows;

#define COUNT_ROWS(type) \
  while ((bytes = ts_sample_walk_next (&walk, sizeof (type), &n)) != NULL) \
    for (gsize i = 0; i < n; i++) \
      { \
        guint difference = DIFFERENCE (((const type *) bytes)[i], least); \
        rows->counts[rows->starts[difference >> shift] + (difference & mask)]++; \
      }

static void
count_rows (Rows *rows, const TsSamples *samples, guint least)
{
  const guint   shift = rows->shift, mask = (1u << shift) - 1;
  TsSampleWalk  walk = ts_sample_walk (samples);
  gconstpointer bytes;
  gsize         n;

  memset (rows->counts, 0, ((gsize) rows->n_rows << MOST_LOW_BITS) * sizeof rows->counts[0]);
  COUNT_ROWS (gint16);
}

static guint
find_in_row (const guint16 *row, guint *rank)
{
  guint first = 0;

  for (guint sum; (sum = sum_of_run (row + first)) < *rank; first += BINS_A_RUN)
    *rank -= sum;
  return first + find_in_run (row + first, rank);
}

/* As ts_samples_select() of few that are near; FALSE: they are not. */
static gboolean
select_near (const TsSamples *samples, gint64 least, gint64 greatest, const guint64 *ranks, guint n_ranks,
             gint64 *selected)
{
  const guint   low = (guint) ((guint64) least - (guint64) samples->base);
  const guint64 range = (guint64) greatest - (guint64) least;
  guint         bin[MOST_ROWS], rank[MOST_ROWS], shift = 0;
  Bins          bins;
  Rows          rows;

  if (samples->width > 2 || samples->n > G_MAXUINT16 || n_ranks > MOST_ROWS)
    return FALSE;
  if (range >= MOST_BINS)
    for (shift = 2; range >> shift >= MOST_BINS / 4; shift++)
      ;
  bins.n_runs = (guint) (range >> shift) / BINS_A_RUN + 1;
  count_bins (&bins, samples, low, shift);
  for (guint i = 0; i < n_ranks; i++)
    {
      rank[i] = (guint) ranks[i];
      bin[i] = find_bin (&bins, &rank[i]);
      selected[i] = least + (gint64) bin[i];
    }
  if (shift == 0)
    return TRUE;

  rows.shift = shift;
  rows.n_rows = 1;
  memset (rows.starts, 0, bins.n_runs * BINS_A_RUN * sizeof rows.starts[0]);
  for (guint i = 0; i < n_ranks; i++)
    if (rows.starts[bin[i]] == 0)
      rows.starts[bin[i]] = (guint16) (rows.n_rows++ << MOST_LOW_BITS);
  count_rows (&rows, samples, low);
  for (guint i = 0; i < n_ranks; i++)
    selected[i] = (gint64) ((guint64) least + ((guint64) bin[i] << shift)
                            + find_in_row (&rows.counts[rows.starts[bin[i]]], &rank[i]));
  return TRUE;
}

/* All others. The width is outside of the loops: there is one for each. */
#define COUNT(type) \
  while ((bytes = ts_sample_walk_next (&walk, sizeof (type), &n)) != NULL) \
    for (gsize i = 0; i < n; i++) \
      digits->counts[i % 2][ts_digit_of (digits, (gint64) (base + (guint64) (gint64) ((const type *) bytes)[i]))]++

static void
count_digits (TsDigits *digits, const TsSamples *samples)
{
  const guint64 base = (guint64) samples->base;
  TsSampleWalk  walk = ts_sample_walk (samples);
  gconstpointer bytes;
  gsize         n;

  TS_SAMPLES_BY_WIDTH (samples->width, COUNT);
}

#define KEEP(type) \
  while ((bytes = ts_sample_walk_next (&walk, sizeof (type), &n)) != NULL) \
    for (gsize i = 0; i < n; i++) \
      { \
        values[n_kept] = (gint64) (base + (guint64) (gint64) ((const type *) bytes)[i]); \
        n_kept += digits->needed[ts_digit_of (digits, values[n_kept])]; \
      }

/* There is room for one more than is kept. */
static void
keep_needed (const TsDigits *digits, const TsSamples *samples, gint64 *values)
{
  const guint64 base = (guint64) samples->base;
  TsSampleWalk  walk = ts_sample_walk (samples);
  gconstpointer bytes;
  gsize         n;
  gsize         n_kept = 0;

  TS_SAMPLES_BY_WIDTH (samples->width, KEEP);
}

void
ts_samples_select (const TsSamples *samples, gint64 least, gint64 greatest, const guint64 *ranks, guint n_ranks,
                   gint64 *selected)
{
  g_autofree guint64 *left = NULL;
  g_autofree gint64 *values = NULL;
  TsDigits digits;
  gsize    n_kept;

  if (select_near (samples, least, greatest, ranks, n_ranks, selected))
    return;
  left = g_memdup2 (ranks, n_ranks * sizeof *ranks);
  ts_digits_init (&digits, samples->n, least, greatest);
  count_digits (&digits, samples);
  ts_digits_sum (&digits);
  if (ts_digits_tell (&digits, left, n_ranks, selected))
    return;
  n_kept = ts_digits_need (&digits, left, n_ranks);
  values = g_new (gint64, n_kept + 1);
  keep_needed (&digits, samples, values);
  ts_select_ranks (values, n_kept, left, n_ranks, selected);
}

#define COUNT_OUTSIDE(type) \
  while ((bytes = ts_sample_walk_next (&walk, sizeof (type), &n)) != NULL) \
    for (gsize i = 0; i < n; i++) \
      { \
        const gint64 value = (gint64) (base + (guint64) (gint64) ((const type *) bytes)[i]); \
\
        n_outside += (guint64) ((value < from) | (value > to)); \
      }

guint64
ts_samples_count_outside (const TsSamples *samples, gint64 from, gint64 to)
{
  const guint64 base = (guint64) samples->base;
  TsSampleWalk  walk = ts_sample_walk (samples);
  gconstpointer bytes;
  gsize         n;
  guint64       n_outside = 0;

  TS_SAMPLES_BY_WIDTH (samples->width, COUNT_OUTSIDE);
  return n_outside;
}
