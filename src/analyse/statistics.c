/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include "analyse/accumulator.h"
#include "analyse/sums.h"
#include "model/sort.h"

/* Beside each other, since they are needed together: with thousands of elements, from memory. */
typedef struct
{
  TsAccumulator accumulator;
  TsSamples     samples;
} Whole;

/* No more lines of the cache than are fetched. */
G_STATIC_ASSERT (sizeof (Whole) <= TS_ACCUMULATOR_LINES * TS_ARENA_LINE);

static Whole *
allocate (TsArena *arena)
{
  return arena != NULL ? ts_arena_take (arena, TS_ACCUMULATOR_LINES * TS_ARENA_LINE) : g_malloc (sizeof (Whole));
}

TsAccumulator *
ts_accumulator_new_in (TsArena *arena, gboolean keep_all, gboolean no_samples)
{
  Whole *whole = allocate (arena);

  whole->accumulator = (TsAccumulator){ .samples = &whole->samples, .keep_all = keep_all };
  whole->accumulator.min.value = G_MAXINT64;
  whole->accumulator.max.value = G_MININT64;
  ts_samples_init (&whole->samples, arena);
  if (no_samples)
    whole->accumulator.samples = (TsSamples *) &ts_samples_none;
  return &whole->accumulator;
}

TsAccumulator *
ts_accumulator_new (gboolean keep_all)
{
  return ts_accumulator_new_in (NULL, keep_all, FALSE);
}

TsAccumulator *
ts_accumulator_copy (TsArena *arena, const TsAccumulator *accumulator)
{
  Whole *whole = allocate (arena);

  whole->accumulator = *accumulator;
  ts_samples_init (&whole->samples, arena);
  if (accumulator->samples != NULL && accumulator->samples != &ts_samples_none)
    {
      whole->accumulator.samples = &whole->samples;
      ts_samples_init_copy (&whole->samples, accumulator->samples, arena);
    }
  whole->accumulator.histogram = ts_histogram_copy (accumulator->histogram);
  return &whole->accumulator;
}

void
ts_accumulator_free (TsAccumulator *accumulator)
{
  Whole *whole = (Whole *) (gpointer) accumulator;

  if (accumulator == NULL)
    return;
  ts_histogram_free (accumulator->histogram);
  if (whole->samples.arena != NULL)
    return; /* all else goes with that */
  ts_samples_clear (&whole->samples);
  g_free (whole);
}

/* Of all @samples. What @min and @max of their accumulator say is not relied upon: it may come from a file. */
static void
add_to_histogram (TsHistogram *histogram, const TsSamples *samples)
{
  gsize  n = ts_samples_n (samples);
  gint64 min, max;
  g_autofree gint64 *values = NULL;

  if (n == 0)
    return;
  values = g_new (gint64, n);
  ts_samples_unpack (samples, values);
  ts_sort_bounds (values, n, &min, &max);
  ts_histogram_add_many (histogram, values, n, min, max);
}

static void
switch_to_histogram (TsAccumulator *accumulator)
{
  TsSamples *samples = g_steal_pointer (&accumulator->samples);

  if (samples == NULL || samples == &ts_samples_none)
    return;
  if (accumulator->histogram == NULL)
    accumulator->histogram = ts_histogram_new ();
  add_to_histogram (accumulator->histogram, samples);
  ts_samples_clear (samples);
}

static inline void
add_square (TsAccumulator *accumulator, TsUint128 square)
{
  accumulator->squares += square;
  accumulator->squares_high += accumulator->squares < square;
}

/* Of equal ones that of the first section, there the first in time, and then that with the lowest number, since
 * instances that overlap do not close in the order of their starts. */
static inline gboolean
is_earlier (const TsExtreme *extreme, const TsExtreme *other)
{
  if (other->value != extreme->value || other->input != extreme->input)
    return FALSE;
  if (other->section != extreme->section)
    return other->section > 0 && other->section < extreme->section;
  return other->at < extreme->at || (other->at == extreme->at && other->number < extreme->number);
}

static inline gsize
place_of (const TsSampleBatch *batch, guint i)
{
  guint instance = batch->which != NULL ? batch->which[i] : i;

  return batch->places->order != NULL ? batch->places->order[instance] : instance;
}

/* That of what is at @place. */
static guint32
section_of (const TsSamplePlaces *places, gsize place)
{
  guint first = 0, end = places->n_sections;

  while (end - first > 1)
    {
      const guint middle = first + (end - first) / 2;

      if (places->sections[middle].from <= place)
        first = middle;
      else
        end = middle;
    }
  return places->sections[first].section;
}

/* A new accumulator has min > max. */
static inline void
note_least (TsAccumulator *accumulator, const TsExtreme *sample)
{
  if (sample->value < accumulator->min.value || is_earlier (&accumulator->min, sample))
    accumulator->min = *sample;
}

static inline void
note_greatest (TsAccumulator *accumulator, const TsExtreme *sample)
{
  if (sample->value > accumulator->max.value || is_earlier (&accumulator->max, sample))
    accumulator->max = *sample;
}

/* Of @batch, which lies from @min to @max. */
static void
note_extremes (TsAccumulator *accumulator, const TsSampleBatch *batch, gint64 min, gint64 max)
{
  for (guint i = 0; i < batch->n; i++)
    {
      gsize     place;
      TsExtreme sample;

      if (batch->values[i] > min && batch->values[i] < max)
        continue;
      place = place_of (batch, i);
      sample = (TsExtreme){ batch->values[i], batch->places->times[place], batch->places->numbers[place],
                            section_of (batch->places, place), 0 };
      note_least (accumulator, &sample);
      note_greatest (accumulator, &sample);
    }
}

/* Whether @batch, which lies from @min to @max, may have an extreme: also one that is equal, and earlier. */
static inline gboolean
may_have_extremes (const TsAccumulator *accumulator, const TsSampleBatch *batch, gint64 min, gint64 max)
{
  if (min < accumulator->min.value || max > accumulator->max.value)
    return TRUE;
  return (min == accumulator->min.value && batch->places->not_before <= accumulator->min.at)
         || (max == accumulator->max.value && batch->places->not_before <= accumulator->max.at);
}

G_STATIC_ASSERT (TS_BATCH_SAMPLES <= TS_SUMS_MAX_VALUES);

/* The products of a base within this and of what is small fit in 128 bits. */
#define MAX_BASE (G_GINT64_CONSTANT (1) << 45)

static gboolean
add_above (TsAccumulator *accumulator, const TsSampleBatch *batch, gint64 base, gint64 *min, gint64 *max)
{
  TsSums   sums;
  TsInt128 sum;

  if (base < -MAX_BASE || base > MAX_BASE || !ts_sums_of (&sums, batch->values, batch->n, base))
    return FALSE;
  *min = base + (gint64) sums.min;
  *max = base + (gint64) sums.max;
  /* sum (b + x) = n * b + sum x; sum (b + x)^2 = b * (n * b + 2 * sum x) + sum x^2 */
  sum = (TsInt128) base * batch->n + sums.sum;
  accumulator->sum += sum;
  add_square (accumulator, (TsUint128) (base * (sum + sums.sum)) + sums.squares);
  return TRUE;
}

static void
add_one_by_one (TsAccumulator *accumulator, const TsSampleBatch *batch)
{
  for (guint i = 0; i < batch->n; i++)
    {
      accumulator->sum += batch->values[i];
      add_square (accumulator, (TsUint128) ((TsInt128) batch->values[i] * batch->values[i]));
    }
}

/* Sums, and tells the least and the greatest. Nearly always all are a little above the least one so far. */
static inline void
take_sums (TsAccumulator *accumulator, const TsSampleBatch *batch, gint64 *min, gint64 *max)
{
  if (G_LIKELY (add_above (accumulator, batch, accumulator->min.value, min, max)))
    return;
  ts_sort_bounds (batch->values, batch->n, min, max);
  if ((guint64) *max - (guint64) *min >= TS_SUMS_SMALL || !add_above (accumulator, batch, *min, min, max))
    add_one_by_one (accumulator, batch);
}

static inline void
count (TsAccumulator *accumulator, guint64 n)
{
  accumulator->n += n;
  if (accumulator->samples != NULL && accumulator->n > TS_EXACT_SAMPLES && !accumulator->keep_all)
    switch_to_histogram (accumulator);
}

void
ts_accumulator_take_summary (TsAccumulator *accumulator, const TsSummary *summary)
{
  note_least (accumulator, &summary->min);
  note_greatest (accumulator, &summary->max);
  /* one without a place may be earlier than whatever is equal to it */
  if (summary->min.section == 0 && summary->min.value == accumulator->min.value)
    accumulator->min = summary->min;
  if (summary->max.section == 0 && summary->max.value == accumulator->max.value)
    accumulator->max = summary->max;
  accumulator->no_squares = TRUE;
  accumulator->sum += summary->sum;
  count (accumulator, summary->n);
}

void
ts_accumulator_take (TsAccumulator *accumulator, const TsSampleBatch *batch)
{
  gint64 min, max;

  take_sums (accumulator, batch, &min, &max);
  if (G_UNLIKELY (may_have_extremes (accumulator, batch, min, max)))
    note_extremes (accumulator, batch, min, max);
  count (accumulator, batch->n);
  if (accumulator->samples == &ts_samples_none)
    return;
  if (accumulator->samples != NULL)
    ts_samples_add_many (accumulator->samples, batch->values, batch->n, min, max);
  else if (accumulator->histogram != NULL)
    ts_histogram_add_many (accumulator->histogram, batch->values, batch->n, min, max);
}

void
ts_accumulator_repeat (TsAccumulator *accumulator, gint64 value, guint32 n)
{
  const TsUint128 square = (TsUint128) ((TsInt128) value * value);
  const TsUint128 high = (square >> 64) * n;

  accumulator->sum += (TsInt128) value * n;
  add_square (accumulator, (TsUint128) (guint64) square * n);
  add_square (accumulator, high << 64);
  accumulator->squares_high += (guint64) (high >> 64);
  count (accumulator, n);
  if (accumulator->histogram != NULL)
    ts_histogram_add (accumulator->histogram, value, n);
  else if (accumulator->samples != NULL && accumulator->samples != &ts_samples_none)
    for (; n > 0; n--)
      ts_samples_add (accumulator->samples, value);
}

void
ts_accumulator_add (TsAccumulator *accumulator, gint64 value, gint64 at, gint64 number, guint32 section)
{
  const TsSampleSection all = { 0, section };
  const TsSamplePlaces  place = { &number, &at, NULL, at, &all, 1 };
  const TsSampleBatch   batch = { 1, &value, &place, NULL };

  ts_accumulator_take (accumulator, &batch);
}

/* Of samples nobody will ask for, neither side may have any. */
static gboolean
keeps_samples (const TsAccumulator *accumulator)
{
  return accumulator->samples != NULL ? accumulator->samples != &ts_samples_none : accumulator->histogram != NULL;
}

static void
drop_samples (TsAccumulator *accumulator)
{
  if (!keeps_samples (accumulator))
    return;
  g_clear_pointer (&accumulator->histogram, ts_histogram_free);
  if (accumulator->samples == NULL)
    return;
  ts_samples_clear (accumulator->samples);
  accumulator->samples = (TsSamples *) &ts_samples_none;
}

void
ts_accumulator_merge (TsAccumulator *accumulator, const TsAccumulator *other)
{
  if (other->n == 0)
    return;
  accumulator->is_stated |= other->is_stated;
  accumulator->no_squares |= other->no_squares;
  accumulator->keep_all |= other->keep_all;
  if (accumulator->n == 0 || other->min.value < accumulator->min.value || is_earlier (&accumulator->min, &other->min))
    accumulator->min = other->min;
  if (accumulator->n == 0 || other->max.value > accumulator->max.value || is_earlier (&accumulator->max, &other->max))
    accumulator->max = other->max;
  accumulator->n += other->n;
  accumulator->sum += other->sum;
  add_square (accumulator, other->squares);
  accumulator->squares_high += other->squares_high;

  if (!keeps_samples (accumulator) || !keeps_samples (other))
    drop_samples (accumulator);
  if (other->samples == NULL || accumulator->samples == NULL
      || (accumulator->n > TS_EXACT_SAMPLES && !accumulator->keep_all))
    switch_to_histogram (accumulator);
  if (!keeps_samples (accumulator))
    return;
  if (other->histogram != NULL)
    ts_histogram_merge (accumulator->histogram, other->histogram);
  if (other->samples == NULL)
    return;
  if (accumulator->samples != NULL)
    ts_samples_merge (accumulator->samples, other->samples);
  else
    add_to_histogram (accumulator->histogram, other->samples);
}

TsAccumulator *
ts_accumulator_restore (const TsAccumulator *facts, const GArray *buckets, gboolean is_exact, gboolean keep_all)
{
  TsAccumulator *accumulator = ts_accumulator_new (keep_all);
  gboolean       in_histogram = !is_exact || facts->n > (keep_all ? TS_MOST_RESTORED : TS_EXACT_SAMPLES);

  accumulator->is_stated = TRUE;
  accumulator->n = facts->n;
  accumulator->min = facts->min;
  accumulator->max = facts->max;
  accumulator->sum = facts->sum;
  accumulator->squares = facts->squares;
  accumulator->squares_high = facts->squares_high;
  if (in_histogram)
    switch_to_histogram (accumulator);
  for (guint i = 0; i < buckets->len; i++)
    {
      const TsBucket *bucket = &g_array_index ((GArray *) buckets, TsBucket, i);

      if (in_histogram)
        ts_histogram_add_stated (accumulator->histogram, bucket->value, bucket->count);
      for (guint64 k = 0; !in_histogram && k < bucket->count; k++)
        ts_samples_add (accumulator->samples, bucket->value);
    }
  return accumulator;
}

static gboolean
rescale_extreme (TsExtreme *extreme, gint64 factor, gint64 time_factor, guint32 input)
{
  extreme->input += input;
  return !__builtin_mul_overflow (extreme->value, factor, &extreme->value)
         && !__builtin_mul_overflow (extreme->at, time_factor, &extreme->at);
}

/* FALSE beyond 192 bits. */
static gboolean
multiply_squares (TsAccumulator *accumulator, guint64 factor)
{
  TsUint128 low = (TsUint128) (guint64) accumulator->squares * factor;
  TsUint128 middle = (accumulator->squares >> 64) * factor + (low >> 64);
  TsUint128 high = (TsUint128) accumulator->squares_high * factor + (middle >> 64);

  accumulator->squares = (middle << 64) | (guint64) low;
  accumulator->squares_high = (guint64) high;
  return high >> 64 == 0;
}

gboolean
ts_accumulator_rescale (TsAccumulator *accumulator, gint64 factor, gint64 time_factor, guint32 input)
{
  if (accumulator->n == 0)
    return TRUE;
  if (!rescale_extreme (&accumulator->min, factor, time_factor, input)
      || !rescale_extreme (&accumulator->max, factor, time_factor, input))
    return FALSE;
  if (factor == 1)
    return TRUE;
  if (__builtin_mul_overflow (accumulator->sum, factor, &accumulator->sum)
      || !multiply_squares (accumulator, (guint64) factor) || !multiply_squares (accumulator, (guint64) factor)
      || (accumulator->histogram != NULL && !ts_histogram_rescale (&accumulator->histogram, factor)))
    return FALSE;
  /* the extremes fit, so do all others */
  if (accumulator->samples != NULL && keeps_samples (accumulator))
    ts_samples_multiply (accumulator->samples, factor);
  return TRUE;
}

/* n * variance around a whole number near the mean, which is exact and small: calculated modulo 2^192, since its
 * parts may be larger than 2^128 where it itself is not. @rest: sum of the differences to that number. */
static void
centre_squares (const TsAccumulator *accumulator, TsUint128 *low_squares, guint64 *high_squares, TsInt128 *rest)
{
  TsInt128  n = accumulator->n;
  TsInt128  centre = accumulator->sum / n;
  /* sum (x - c)^2 = sum x^2 - c * (2 * sum x - n * c) */
  TsInt128  second = 2 * accumulator->sum - n * centre;
  gboolean  negative = (centre < 0) != (second < 0);
  TsUint128 a = centre < 0 ? -(TsUint128) centre : (TsUint128) centre;
  TsUint128 b = second < 0 ? -(TsUint128) second : (TsUint128) second;
  TsUint128 low = (TsUint128) (guint64) a * (guint64) b;
  TsUint128 middle = (low >> 64) + (TsUint128) (guint64) a * (guint64) (b >> 64)
                     + (TsUint128) (guint64) (a >> 64) * (guint64) b;
  guint64   high = (guint64) (middle >> 64) + (guint64) (a >> 64) * (guint64) (b >> 64);
  TsUint128 product = (middle << 64) | (guint64) low;

  *rest = accumulator->sum - centre * n;
  *low_squares = accumulator->squares;
  *high_squares = accumulator->squares_high;
  if (negative)
    {
      *low_squares += product;
      *high_squares += high + (*low_squares < product);
    }
  else
    {
      *high_squares -= high + (*low_squares < product);
      *low_squares -= product;
    }
}

/* The same without a division of 128 bits. FALSE where it does not fit. */
static gboolean
centre_small_squares (const TsAccumulator *accumulator, gint64 *squares, gint64 *rest)
{
  gint64   n = (gint64) accumulator->n, sum = (gint64) accumulator->sum, centre, second;
  TsInt128 centred;

  if (n <= 0 || accumulator->squares_high != 0 || accumulator->squares >> 126 != 0 || accumulator->sum != sum
      || sum > G_MAXINT64 / 4 || sum < G_MININT64 / 4)
    return FALSE;
  centre = sum / n;
  second = 2 * sum - n * centre;
  centred = (TsInt128) accumulator->squares - (TsInt128) centre * second;
  *squares = (gint64) centred;
  *rest = sum - centre * n;
  return centred >= 0 && centred == (gint64) centred;
}

TsRoot
ts_accumulator_deviation (const TsAccumulator *accumulator)
{
  TsRoot    root = { .n = accumulator->no_squares ? 0 : accumulator->n, .scale = { 1, 1 } };
  gint64    small_squares, small_rest;
  TsUint128 squares, low, middle;
  guint64   squares_high;
  TsInt128  rest;

  if (root.n == 0)
    return root;
  /* n^2 * variance = n * squares - rest^2 */
  if (centre_small_squares (accumulator, &small_squares, &small_rest))
    {
      root.low = (TsUint128) root.n * (guint64) small_squares - (TsUint128) ((TsInt128) small_rest * small_rest);
      return root;
    }
  centre_squares (accumulator, &squares, &squares_high, &rest);
  low = (TsUint128) (guint64) squares * root.n;
  middle = (squares >> 64) * root.n + (low >> 64);
  root.low = (middle << 64) | (guint64) low;
  root.high = (TsUint128) squares_high * root.n + (middle >> 64);
  /* the rest is below n */
  low = rest < 0 ? -(TsUint128) rest : (TsUint128) rest;
  low *= low;
  root.high -= root.low < low ? 1 : 0;
  root.low -= low;
  return root;
}

double
ts_accumulator_stddev (const TsAccumulator *accumulator)
{
  TsRoot root = ts_accumulator_deviation (accumulator);

  return ts_root_to_double (&root);
}
