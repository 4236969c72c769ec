/* SPDX-License-Identifier: MIT */
#include "config.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "analyse/samples.h"
#include "model/sort.h"

/* Thousands of elements keep thousands of samples each, and most of these are close to one
 * another: an execution time needs two to four bytes, a number of preemptions one. */

const TsSamples ts_samples_none = { .width = 0 };

void
ts_samples_init (TsSamples *samples, TsArena *arena)
{
  *samples = (TsSamples){ .width = 1, .arena = arena };
}

void
ts_samples_clear (TsSamples *samples)
{
  guint class = 0;

  for (TsSampleBlock *block = samples->first, *next; block != NULL; block = next)
    {
      next = block->next;
      if (samples->arena != NULL)
        ts_arena_give_back (samples->arena, block, class);
      else
        g_free (block);
      class = MIN (class + 1, TS_ARENA_CLASSES - 1);
    }
  ts_samples_init (samples, samples->arena);
}

gsize
ts_samples_n (const TsSamples *samples)
{
  return samples->n;
}

#define UNPACK(type) \
  while ((bytes = ts_sample_walk_next (&walk, sizeof (type), &n)) != NULL) \
    for (gsize i = 0; i < n; i++) \
      *values++ = (gint64) (base + (guint64) (gint64) ((const type *) bytes)[i])

void
ts_samples_unpack (const TsSamples *samples, gint64 *values)
{
  const guint64 base = (guint64) samples->base;
  TsSampleWalk  walk = ts_sample_walk (samples);
  gconstpointer bytes;
  gsize         n;

  TS_SAMPLES_BY_WIDTH (samples->width, UNPACK);
}

static G_GNUC_NO_INLINE void
add_block (TsSamples *samples)
{
  guint          class = MIN (samples->n_sizes, TS_ARENA_CLASSES - 1);
  TsSampleBlock *block = samples->arena != NULL ? ts_arena_take_class (samples->arena, class)
                                                : g_malloc (ts_sample_block_size (class));

  block->next = NULL;
  if (samples->first == NULL)
    samples->first = block;
  else /* the last one is full */
    ((TsSampleBlock *) (gpointer) (samples->end - ts_sample_block_size (samples->n_sizes - 1u)))->next = block;
  samples->end = block->bytes;
  samples->room = (guint16) (ts_sample_block_size (class) - sizeof *block);
  samples->n_sizes = (guint8) (class + 1);
}

#ifdef __SSE2__

/* The lower halves of four differences: all that there is of what fits in 32 bits. */
static inline __m128i
four_differences (const gint64 *values, __m128i base)
{
  __m128 two = _mm_loadu_ps ((const float *) (gconstpointer) values);
  __m128 others = _mm_loadu_ps ((const float *) (gconstpointer) (values + 2));

  return _mm_sub_epi32 (_mm_castps_si128 (_mm_shuffle_ps (two, others, _MM_SHUFFLE (2, 0, 2, 0))), base);
}

static inline __m128i
eight_differences (const gint64 *values, __m128i base)
{
  return _mm_packs_epi32 (four_differences (values, base), four_differences (values + 4, base));
}

/* Most samples need one or two bytes. Returns how many were packed. */
static inline gsize
pack_some (guint8 *end, const gint64 *values, gsize n, guint64 base, gsize width)
{
  const __m128i bases = _mm_set1_epi32 ((gint) base);
  gsize         i = 0;

  if (width == 1)
    for (; i + 16 <= n; i += 16)
      _mm_storeu_si128 ((__m128i *) (gpointer) (end + i), _mm_packs_epi16 (eight_differences (values + i, bases),
                                                                           eight_differences (values + i + 8, bases)));
  if (width == 2)
    for (; i + 8 <= n; i += 8)
      _mm_storeu_si128 ((__m128i *) (gpointer) (end + 2 * i), eight_differences (values + i, bases));
  return i;
}

#else

static inline gsize
pack_some (guint8 *end G_GNUC_UNUSED, const gint64 *values G_GNUC_UNUSED, gsize n G_GNUC_UNUSED,
           guint64 base G_GNUC_UNUSED, gsize width G_GNUC_UNUSED)
{
  return 0;
}

#endif

/* What does not change is told to the compiler, which cannot know that bytes are not a part of @samples. */
#define PACK(type) \
  for (gsize i = n_packed; i < n_here; i++) \
    ((type *) (gpointer) end)[i] = (type) ((guint64) values[i] - base)

/* They fit in the width. */
static inline void
append (TsSamples *samples, const gint64 *values, gsize n)
{
  const guint64 base = (guint64) samples->base;
  const gsize   width = samples->width;

  samples->n += n;
  for (gsize n_here; n > 0; n -= n_here, values += n_here)
    {
      guint8 *end;
      gsize   n_packed;

      if (samples->room == 0)
        add_block (samples);
      n_here = MIN (n, samples->room / width);
      end = samples->end;
      n_packed = pack_some (end, values, n_here, base, width);
      TS_SAMPLES_BY_WIDTH (width, PACK);
      samples->end = end + n_here * width;
      samples->room -= (guint16) (n_here * width);
    }
}

/* @samples has none yet. */
static void
fill (TsSamples *samples, const TsSamples *other, guint8 width)
{
  g_autofree gint64 *values = g_new (gint64, MAX (other->n, 1));

  samples->base = other->base;
  samples->width = width;
  ts_samples_unpack (other, values);
  append (samples, values, other->n);
}

void
ts_samples_init_copy (TsSamples *samples, const TsSamples *other, TsArena *arena)
{
  ts_samples_init (samples, arena);
  fill (samples, other, other->width);
}

static void
widen (TsSamples *samples, guint8 width)
{
  TsSamples old = *samples;

  ts_samples_init (samples, old.arena);
  fill (samples, &old, width);
  ts_samples_clear (&old);
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

void
ts_samples_add_many (TsSamples *samples, const gint64 *values, gsize n, gint64 min, gint64 max)
{
  guint8 width;

  if (n == 0)
    return;
  if (samples->n == 0)
    samples->base = values[0];
  width = width_of (samples, min, max);
  if (G_UNLIKELY (width > samples->width))
    widen (samples, width);
  append (samples, values, n);
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

void
ts_samples_multiply (TsSamples *samples, gint64 factor)
{
  gsize  n = samples->n;
  gint64 min, max;
  g_autofree gint64 *values = g_new (gint64, MAX (n, 1));

  if (n == 0)
    return;
  ts_samples_unpack (samples, values);
  for (gsize i = 0; i < n; i++)
    values[i] *= factor;
  ts_sort_bounds (values, n, &min, &max);
  ts_samples_clear (samples);
  ts_samples_add_many (samples, values, n, min, max);
}
