/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/number.h>

G_BEGIN_DECLS

/* Whole numbers for what 128 bits do not hold. 256 bits of a square, 254 of that of a scale and 266 of that of 10^40 fit:
 * 778. Lowest first. */
#define TS_LIMBS 13
typedef struct
{
  guint64 limbs[TS_LIMBS];
} TsWide;

static inline void
ts_wide_add_product (TsWide *sum, const TsWide *wide, guint64 factor, guint offset)
{
  TsUint128 carry = 0;

  for (guint i = 0; i + offset < TS_LIMBS; i++)
    {
      carry += (TsUint128) wide->limbs[i] * factor + sum->limbs[i + offset];
      sum->limbs[i + offset] = (guint64) carry;
      carry >>= 64;
    }
}

static inline void
ts_wide_multiply (TsWide *wide, TsUint128 factor)
{
  TsWide product = { { 0 } };

  if (factor == 1)
    return;
  ts_wide_add_product (&product, wide, (guint64) factor, 0);
  if (factor >> 64 != 0)
    ts_wide_add_product (&product, wide, (guint64) (factor >> 64), 1);
  *wide = product;
}

static inline int
ts_wide_compare (const TsWide *a, const TsWide *b)
{
  for (guint i = TS_LIMBS; i-- > 0;)
    if (a->limbs[i] != b->limbs[i])
      return a->limbs[i] < b->limbs[i] ? -1 : 1;
  return 0;
}

G_END_DECLS
