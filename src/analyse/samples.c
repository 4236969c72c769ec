/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "analyse/samples.h"

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

/* How many bytes the differences of all @values to the first sample need. */
static guint8
width_of (const TsSamples *samples, const gint64 *values, gsize n)
{
  guint64 bits = 0;

  for (gsize i = 0; i < n; i++)
    {
      gint64 difference = (gint64) ((guint64) values[i] - (guint64) samples->base);

      bits |= (guint64) (difference ^ (difference >> 63));
    }
  return bits <= G_MAXINT8 ? 1 : bits <= G_MAXINT16 ? 2 : bits <= G_MAXINT32 ? 4 : 8;
}

#define PACK(type) \
  for (gsize i = 0; i < n; i++) \
    ((type *) (gpointer) samples->bytes)[samples->n + i] = (type) ((guint64) values[i] - (guint64) samples->base)

void
ts_samples_add_many (TsSamples *samples, const gint64 *values, gsize n)
{
  guint8 width;

  if (n == 0)
    return;
  if (samples->n == 0)
    samples->base = values[0];
  reserve (samples, n);
  width = width_of (samples, values, n);
  if (G_UNLIKELY (width > samples->width))
    widen (samples, width);
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
  ts_samples_add_many (samples, &value, 1);
}

void
ts_samples_merge (TsSamples *samples, const TsSamples *other)
{
  g_autofree gint64 *values = g_new (gint64, MAX (other->n, 1));

  ts_samples_unpack (other, values);
  ts_samples_add_many (samples, values, other->n);
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
