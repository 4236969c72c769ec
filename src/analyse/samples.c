/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "analyse/samples.h"
#include "analyse/sort.h"

/* Thousands of elements keep thousands of samples each, and most of these are close to one
 * another: an execution time needs two to four bytes, a number of preemptions one. */

#define FIRST_SIZE 8

void
ts_samples_init (TsSamples *samples)
{
  *samples = (TsSamples){ .width = 1 };
}

void
ts_samples_init_copy (TsSamples *samples, const TsSamples *other)
{
  *samples = *other;
  samples->bytes = g_memdup2 (other->bytes, other->size * other->width);
}

void
ts_samples_clear (TsSamples *samples)
{
  g_free (samples->bytes);
  ts_samples_init (samples);
}

gsize
ts_samples_n (const TsSamples *samples)
{
  return samples->n;
}

/* The difference of any two samples fits in 64 bits, if not always as a positive number. */
static inline gint64
difference_at (const TsSamples *samples, gsize i)
{
  switch (samples->width)
    {
    case 1:
      return ((const gint8 *) samples->bytes)[i];
    case 2:
      return ((const gint16 *) (gconstpointer) samples->bytes)[i];
    case 4:
      return ((const gint32 *) (gconstpointer) samples->bytes)[i];
    default:
      return ((const gint64 *) (gconstpointer) samples->bytes)[i];
    }
}

static inline void
put_difference (TsSamples *samples, gsize i, gint64 difference)
{
  switch (samples->width)
    {
    case 1:
      ((gint8 *) samples->bytes)[i] = (gint8) difference;
      break;
    case 2:
      ((gint16 *) (gpointer) samples->bytes)[i] = (gint16) difference;
      break;
    case 4:
      ((gint32 *) (gpointer) samples->bytes)[i] = (gint32) difference;
      break;
    default:
      ((gint64 *) (gpointer) samples->bytes)[i] = difference;
      break;
    }
}

static gint64
value_at (const TsSamples *samples, gsize i)
{
  return (gint64) ((guint64) samples->base + (guint64) difference_at (samples, i));
}

#define UNPACK(type) \
  for (gsize i = 0; i < samples->n; i++) \
    values[i] = (gint64) ((guint64) samples->base + (guint64) (gint64) ((const type *) (gconstpointer) samples->bytes)[i])

void
ts_samples_unpack (const TsSamples *samples, gint64 *values)
{
  switch (samples->width)
    {
    case 1:
      UNPACK (gint8);
      break;
    case 2:
      UNPACK (gint16);
      break;
    case 4:
      UNPACK (gint32);
      break;
    default:
      UNPACK (gint64);
      break;
    }
}

static void
widen (TsSamples *samples, guint8 width)
{
  TsSamples old = *samples;

  samples->width = width;
  samples->bytes = g_malloc (samples->size * width);
  for (gsize i = 0; i < old.n; i++)
    put_difference (samples, i, difference_at (&old, i));
  g_free (old.bytes);
}

static void
reserve (TsSamples *samples, gsize n)
{
  gsize size = MAX (FIRST_SIZE, samples->size);

  while (size < samples->n + n)
    size *= 2;
  if (size == samples->size)
    return;
  samples->size = size;
  samples->bytes = g_realloc (samples->bytes, size * samples->width);
}

/* How many bytes the differences of all samples from @min to @max to the first one need. */
static guint8
width_of (const TsSamples *samples, gint64 min, gint64 max)
{
  gint64  least, greatest;
  guint64 bits;

  if (__builtin_sub_overflow (min, samples->base, &least) || __builtin_sub_overflow (max, samples->base, &greatest))
    return 8;
  bits = (guint64) (least ^ (least >> 63)) | (guint64) (greatest ^ (greatest >> 63));
  return bits <= G_MAXINT8 ? 1 : bits <= G_MAXINT16 ? 2 : bits <= G_MAXINT32 ? 4 : 8;
}

/* What does not change is told to the compiler, which cannot know that bytes are not a part of @samples. */
#define PACK(type) \
  for (gsize i = 0; i < n; i++) \
    ((type *) (gpointer) bytes)[i] = (type) ((guint64) values[i] - base)

void
ts_samples_add_many (TsSamples *samples, const gint64 *values, gsize n, gint64 min, gint64 max)
{
  guint8  width;
  guint64 base;
  guint8 *bytes;

  if (n == 0)
    return;
  if (samples->n == 0)
    samples->base = values[0];
  reserve (samples, n);
  width = width_of (samples, min, max);
  if (G_UNLIKELY (width > samples->width))
    widen (samples, width);
  base = (guint64) samples->base;
  bytes = samples->bytes + samples->n * samples->width;
  switch (samples->width)
    {
    case 1:
      PACK (gint8);
      break;
    case 2:
      PACK (gint16);
      break;
    case 4:
      PACK (gint32);
      break;
    default:
      PACK (gint64);
      break;
    }
  samples->n += n;
}

void
ts_samples_add (TsSamples *samples, gint64 value)
{
  ts_samples_add_many (samples, &value, 1, value, value);
}

void
ts_samples_merge (TsSamples *samples, const TsSamples *other)
{
  g_autofree gint64 *values = g_new (gint64, MAX (other->n, 1));
  gint64 min, max;

  if (other->n == 0)
    return;
  ts_samples_unpack (other, values);
  ts_sort_bounds (values, other->n, &min, &max);
  ts_samples_add_many (samples, values, other->n, min, max);
}

/* The width is outside of the loops: there is one for each. */
#define COUNT(type) \
  for (gsize i = 0; i < samples->n; i++) \
    digits->counts[i % 2][ts_digit_of (digits, (gint64) (base + (guint64) (gint64) ((const type *) bytes)[i]))]++

static void
count_digits (TsDigits *digits, const TsSamples *samples)
{
  const guint64       base = (guint64) samples->base;
  const gconstpointer bytes = samples->bytes;

  switch (samples->width)
    {
    case 1:
      COUNT (gint8);
      break;
    case 2:
      COUNT (gint16);
      break;
    case 4:
      COUNT (gint32);
      break;
    default:
      COUNT (gint64);
      break;
    }
}

#define KEEP(type) \
  for (gsize i = 0; i < samples->n; i++) \
    { \
      values[n_kept] = (gint64) (base + (guint64) (gint64) ((const type *) bytes)[i]); \
      n_kept += digits->needed[ts_digit_of (digits, values[n_kept])]; \
    }

/* There is room for one more than is kept. */
static void
keep_needed (const TsDigits *digits, const TsSamples *samples, gint64 *values)
{
  const guint64       base = (guint64) samples->base;
  const gconstpointer bytes = samples->bytes;
  gsize               n_kept = 0;

  switch (samples->width)
    {
    case 1:
      KEEP (gint8);
      break;
    case 2:
      KEEP (gint16);
      break;
    case 4:
      KEEP (gint32);
      break;
    default:
      KEEP (gint64);
      break;
    }
}

void
ts_samples_select (const TsSamples *samples, gint64 least, gint64 greatest, const guint64 *ranks, guint n_ranks,
                   gint64 *selected)
{
  g_autofree guint64 *left = g_memdup2 (ranks, n_ranks * sizeof *ranks);
  g_autofree gint64 *values = NULL;
  TsDigits digits;
  gsize    n_kept;

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

void
ts_samples_multiply (TsSamples *samples, gint64 factor)
{
  TsSamples old = *samples;

  samples->n = samples->size = 0;
  samples->bytes = NULL;
  for (gsize i = 0; i < old.n; i++)
    ts_samples_add (samples, value_at (&old, i) * factor);
  g_free (old.bytes);
}
