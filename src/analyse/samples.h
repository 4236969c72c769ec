/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/statistics.h>

#include "model/arena.h"

G_BEGIN_DECLS

/* Of samples. The first ones of an element are few and short. */
typedef struct _TsSampleBlock TsSampleBlock;
struct _TsSampleBlock
{
  TsSampleBlock *next;
  guint8         bytes[];
};

/* Samples in order of arrival, each in as few bytes as their differences to the first one need, in blocks that never
 * move. */
struct _TsSamples
{
  gint64         base; /* the first one */
  gsize          n;
  guint8        *end;  /* where the next one goes to */
  TsSampleBlock *first;
  TsArena       *arena; /* where blocks come from; NULL: g_malloc() */
  guint16        room;  /* bytes from `end' on */
  guint8         width; /* bytes a sample: 1, 2, 4, 8; 0: none is kept */
  guint8         n_sizes; /* of the blocks: each size is used once, the largest one ever after */
};

/* Of all accumulators that do not keep any: it is never written to. */
extern const TsSamples ts_samples_none;

void       ts_samples_init (TsSamples *samples, TsArena *arena);
void       ts_samples_init_copy (TsSamples *samples, const TsSamples *other, TsArena *arena);
void       ts_samples_clear (TsSamples *samples);
void       ts_samples_add (TsSamples *samples, gint64 value);
/* All @values, of which the least is @min and the greatest @max. */
void       ts_samples_add_many (TsSamples *samples, const gint64 *values, gsize n, gint64 min, gint64 max);
void       ts_samples_merge (TsSamples *samples, const TsSamples *other);
gsize      ts_samples_n (const TsSamples *samples);
void       ts_samples_unpack (const TsSamples *samples, gint64 *values);
/* As ts_select_ranks(); all samples lie from @least to @greatest. */
void       ts_samples_select (const TsSamples *samples, gint64 least, gint64 greatest, const guint64 *ranks, guint n_ranks,
                              gint64 *selected);
/* How many are below @from or above @to. */
guint64    ts_samples_count_outside (const TsSamples *samples, gint64 from, gint64 to);
/* All samples; none of the products may overflow. */
void       ts_samples_multiply (TsSamples *samples, gint64 factor);

static inline gsize
ts_sample_block_size (guint class)
{
  return (gsize) TS_ARENA_LINE << class;
}

/* DO (type) for the type of samples of @width bytes: one loop for each, without a question in it. */
#define TS_SAMPLES_BY_WIDTH(width, DO) \
  switch (width) \
    { \
    case 1: \
      DO (gint8); \
      break; \
    case 2: \
      DO (gint16); \
      break; \
    case 4: \
      DO (gint32); \
      break; \
    default: \
      DO (gint64); \
    }

/* From block to block, which are full but for the last one. */
typedef struct
{
  const TsSampleBlock *block; /* the next one */
  gsize                n_left;
  guint                class;
} TsSampleWalk;

static inline TsSampleWalk
ts_sample_walk (const TsSamples *samples)
{
  return (TsSampleWalk){ samples->first, samples->n, 0 };
}

/* The next *@n samples, or NULL: there are no more. */
static inline gconstpointer
ts_sample_walk_next (TsSampleWalk *walk, gsize width, gsize *n)
{
  const TsSampleBlock *block = walk->block;

  if (walk->n_left == 0)
    return NULL;
  *n = MIN ((ts_sample_block_size (walk->class) - sizeof *block) / width, walk->n_left);
  walk->n_left -= *n;
  walk->block = block->next;
  walk->class = MIN (walk->class + 1, TS_ARENA_CLASSES - 1);
  return block->bytes;
}

G_END_DECLS
