/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "model/inline.h"

#if defined __SSE2__ && defined __x86_64__
#include <immintrin.h>

G_BEGIN_DECLS

/* Words of 64 bytes, of which some are left out: by instructions that not each processor has. What uses them is of that
 * target, too. */
#define TS_BY_WORDS __attribute__ ((target ("avx512vbmi2,avx512bw,popcnt")))

static inline gboolean
ts_words_are_there (void)
{
  return __builtin_cpu_supports ("avx512vbmi2") != 0 && __builtin_cpu_supports ("avx512bw") != 0;
}

/* A bit for each byte that is @c. */
TS_BY_WORDS static TS_ALWAYS_INLINE guint64
ts_words_find (__m512i bytes, char c)
{
  return _mm512_cmpeq_epi8_mask (bytes, _mm512_set1_epi8 (c));
}

/* Writes those of @bytes that are @kept, and maybe some behind them, up to 64. Returns how many are. */
TS_BY_WORDS static TS_ALWAYS_INLINE gsize
ts_words_pack (gpointer to, __m512i bytes, guint64 kept)
{
  _mm512_storeu_si512 (to, _mm512_maskz_compress_epi8 (kept, bytes));
  return (gsize) __builtin_popcountll (kept);
}

G_END_DECLS

#endif
