/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/statistics.h>

#include "analyse/arena.h"

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
  guint8         width; /* bytes a sample: 1, 2, 4, 8 */
  guint8         n_sizes; /* of the blocks: each size is used once, the largest one ever after */
};

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
/* All samples; none of the products may overflow. */
void       ts_samples_multiply (TsSamples *samples, gint64 factor);

G_END_DECLS
