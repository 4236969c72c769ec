/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/statistics.h>

G_BEGIN_DECLS

/* Samples in order of arrival, each in as few bytes as their differences to the first one need. */

TsSamples *ts_samples_new (void);
TsSamples *ts_samples_copy (const TsSamples *samples);
void       ts_samples_free (TsSamples *samples);
void       ts_samples_add (TsSamples *samples, gint64 value);
void       ts_samples_add_many (TsSamples *samples, const gint64 *values, gsize n);
void       ts_samples_merge (TsSamples *samples, const TsSamples *other);
gsize      ts_samples_n (const TsSamples *samples);
void       ts_samples_unpack (const TsSamples *samples, gint64 *values);
/* All samples; none of the products may overflow. */
void       ts_samples_multiply (TsSamples *samples, gint64 factor);

G_END_DECLS
