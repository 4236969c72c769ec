/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/statistics.h>

G_BEGIN_DECLS

/* Samples in order of arrival, each in as few bytes as their differences to the first one need. */
struct _TsSamples
{
  gint64  base; /* the first one */
  gsize   n, size;
  guint8  width; /* bytes a sample: 1, 2, 4, 8 */
  guint8 *bytes; /* differences to the base */
};

void       ts_samples_init (TsSamples *samples);
void       ts_samples_init_copy (TsSamples *samples, const TsSamples *other);
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
