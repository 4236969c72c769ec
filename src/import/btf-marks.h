/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include <glib.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

G_BEGIN_DECLS

#define TS_BTF_BLOCK 64

static inline gsize
ts_btf_first (guint64 marks)
{
  return (guint) __builtin_ctzll (marks);
}

static inline guint64
ts_btf_but_first (guint64 marks)
{
  return marks & (marks - 1);
}

/* Where @a or @b is among the TS_BTF_BLOCK bytes at @p: a bit for each. */
#ifdef __SSE2__

static inline guint64
ts_btf_find_in (const char *p, __m128i all_a, __m128i all_b)
{
  __m128i bytes = _mm_loadu_si128 ((const __m128i *) (gconstpointer) p);

  return (guint) _mm_movemask_epi8 (_mm_or_si128 (_mm_cmpeq_epi8 (bytes, all_a), _mm_cmpeq_epi8 (bytes, all_b)));
}

static inline guint64
ts_btf_find (const char *p, char a, char b)
{
  const __m128i all_a = _mm_set1_epi8 (a), all_b = _mm_set1_epi8 (b);

  return ts_btf_find_in (p, all_a, all_b) | ts_btf_find_in (p + 16, all_a, all_b) << 16
         | ts_btf_find_in (p + 32, all_a, all_b) << 32 | ts_btf_find_in (p + 48, all_a, all_b) << 48;
}

/* Likewise where anything below '-' is, or beyond 127: what ends a field and, in most files, nothing else. */
static inline guint64
ts_btf_find_low_in (const char *p)
{
  __m128i bytes = _mm_loadu_si128 ((const __m128i *) (gconstpointer) p);

  return (guint) _mm_movemask_epi8 (_mm_cmplt_epi8 (bytes, _mm_set1_epi8 ('-')));
}

static inline guint64
ts_btf_find_low (const char *p)
{
  return ts_btf_find_low_in (p) | ts_btf_find_low_in (p + 16) << 16 | ts_btf_find_low_in (p + 32) << 32
         | ts_btf_find_low_in (p + 48) << 48;
}

#else

/* A bit for each of eight bytes that is @c; exact, for no carry leaves its byte. */
static inline guint64
ts_btf_find_byte (guint64 bytes, char c)
{
  const guint64 low = G_GUINT64_CONSTANT (0x7f7f7f7f7f7f7f7f);
  guint64       x = bytes ^ (G_GUINT64_CONSTANT (0x0101010101010101) * (guint8) c);

  x = ~(((x & low) + low) | x | low);
  return ((x >> 7) * G_GUINT64_CONSTANT (0x0102040810204080)) >> 56;
}

static inline guint64
ts_btf_find (const char *p, char a, char b)
{
  guint64 found = 0;

  for (guint i = 0; i < TS_BTF_BLOCK; i += 8)
    {
      guint64 bytes;

      memcpy (&bytes, p + i, 8);
      bytes = GUINT64_FROM_LE (bytes);
      found |= (ts_btf_find_byte (bytes, a) | ts_btf_find_byte (bytes, b)) << i;
    }
  return found;
}

static inline guint64
ts_btf_find_low (const char *p)
{
  return ts_btf_find (p, ',', '\n');
}

#endif

G_END_DECLS
