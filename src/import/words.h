/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "model/inline.h"

#if defined __SSE2__ && defined __x86_64__
#include <immintrin.h>

G_BEGIN_DECLS

/* Words of 64 bytes, of which some are left out: by instructions that not each processor has. What uses them is of that
 * target, too. */
#define TS_BY_WORDS __attribute__ ((target ("avx512vbmi2,avx512bw,popcnt,pclmul")))

static inline gboolean
ts_words_are_there (void)
{
  return __builtin_cpu_supports ("avx512vbmi2") != 0 && __builtin_cpu_supports ("avx512bw") != 0
         && __builtin_cpu_supports ("pclmul") != 0;
}

/* A bit for each byte that is @c. */
TS_BY_WORDS static TS_ALWAYS_INLINE guint64
ts_words_find (__m512i bytes, char c)
{
  return _mm512_cmpeq_epi8_mask (bytes, _mm512_set1_epi8 (c));
}

/* Some bytes of which no two have the same lower half: each stands where that says. Where none stands there is one of
 * another half. */
typedef struct
{
  __m512i bytes;
} TsWordsSet;

TS_BY_WORDS static TS_ALWAYS_INLINE TsWordsSet
ts_words_set (const char *each)
{
  guint8 bytes[16];

  for (guint i = 0; i < sizeof bytes; i++)
    bytes[i] = i == 0 ? 1 : 0;
  for (; *each != '\0'; each++)
    bytes[*each & 0xf] = (guint8) *each;
  return (TsWordsSet){ _mm512_broadcast_i32x4 (_mm_loadu_si128 ((const __m128i *) (gconstpointer) bytes)) };
}

/* A bit for each byte that is one of @set, none of which is above 127. */
TS_BY_WORDS static TS_ALWAYS_INLINE guint64
ts_words_find_any (__m512i bytes, TsWordsSet set)
{
  return _mm512_cmpeq_epi8_mask (bytes, _mm512_shuffle_epi8 (set.bytes, bytes));
}

/* All bits from each of @marks on to the next one, which is not one of them. */
TS_BY_WORDS static TS_ALWAYS_INLINE guint64
ts_words_between_pairs (guint64 marks)
{
  /* a product without carries is the parity of all marks up to each bit */
  const __m128i parity
      = _mm_clmulepi64_si128 (_mm_set_epi64x (0, (gint64) marks), _mm_set1_epi8 (-1), 0);

  return (guint64) _mm_cvtsi128_si64 (parity);
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
