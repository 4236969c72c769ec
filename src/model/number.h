/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/number.h>

G_BEGIN_DECLS

/* Of nearly all numbers both halves fit in 64 bits, where a machine calculates many times faster. */
static inline gboolean
ts_rational_is_narrow (TsRational value)
{
  return value.numerator == (gint64) value.numerator && value.denominator == (gint64) value.denominator;
}

/* As ts_rational_format() for a whole number. */
gsize ts_whole_format (gint64 value, char *buffer);

/* As ts_rational_format_fixed(), but whole numbers get no places; *@places: how many it has then. */
gsize ts_rational_format_neat (TsRational value, guint *places, char *buffer);

G_END_DECLS
