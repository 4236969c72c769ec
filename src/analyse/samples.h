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
void       ts_samples_add_many (TsSamples *samples, const gint64 *values, gsize n);
void       ts_samples_merge (TsSamples *samples, const TsSamples *other);
gsize      ts_samples_n (const TsSamples *samples);
void       ts_samples_unpack (const TsSamples *samples, gint64 *values);
/* All samples; none of the products may overflow. */
void       ts_samples_multiply (TsSamples *samples, gint64 factor);

G_END_DECLS
