/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include <glib.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

G_BEGIN_DECLS

/* Numbers that end where they are looked at: up to eight digits at once. As many bytes in front of the end can be read. */

#define TS_BTF_WORD_BYTES 8
#define TS_BTF_MAX_TEXT 160 /* bytes of which a mask can be had */

/* From n on: which of the last bytes in front of an end belong to what is n bytes long. */
extern const guint8 ts_btf_masks[];

static inline const guint8 *
ts_btf_mask (gsize n, gsize width)
{
  return ts_btf_masks + (32 - width) + n;
}

static inline guint64
ts_btf_load (const char *p)
{
  guint64 word;

  memcpy (&word, p, sizeof word);
  return GUINT64_FROM_LE (word);
}

#ifdef __SSE2__

/* The last @n_a and @n_b digits in front of @a and of @b, both at once. A bit is set for each of the eight bytes in
 * front of @a that is none, and from TS_BTF_WORD_BYTES on for those in front of @b. */
static inline guint
ts_btf_two_numbers (const char *a, gsize n_a, const char *b, gsize n_b, guint32 *number_a, guint32 *number_b)
{
  const __m128i zeros = _mm_set1_epi8 ('0'), beyond = _mm_set1_epi8 (0x7f - 9);
  const __m128i tens = _mm_set1_epi16 (10 * 256 + 1), hundreds = _mm_set1_epi32 (1 * 65536 + 100);
  const __m128i ten_thousands = _mm_set1_epi32 (1 * 65536 + 10000);
  __m128i digits, mask, number;
  guint64 both;

  digits = _mm_unpacklo_epi64 (_mm_loadl_epi64 ((const __m128i *) (gconstpointer) (a - TS_BTF_WORD_BYTES)),
                               _mm_loadl_epi64 ((const __m128i *) (gconstpointer) (b - TS_BTF_WORD_BYTES)));
  mask = _mm_unpacklo_epi64 (_mm_loadl_epi64 ((const __m128i *) (gconstpointer) ts_btf_mask (n_a, TS_BTF_WORD_BYTES)),
                             _mm_loadl_epi64 ((const __m128i *) (gconstpointer) ts_btf_mask (n_b, TS_BTF_WORD_BYTES)));
  digits = _mm_and_si128 (_mm_xor_si128 (digits, zeros), mask);
  /* pairs, the first digit being the low byte; then fours and eights */
  number = _mm_srli_epi16 (_mm_mullo_epi16 (digits, tens), 8);
  number = _mm_madd_epi16 (number, hundreds);
  number = _mm_madd_epi16 (_mm_packs_epi32 (number, number), ten_thousands);
  both = (guint64) _mm_cvtsi128_si64 (number);
  *number_a = (guint32) both;
  *number_b = (guint32) (both >> 32);
  return (guint) _mm_movemask_epi8 (_mm_adds_epu8 (digits, beyond));
}

#endif

/* The digits before @end, at most the last @n, less '0'; what is none shows in ts_btf_are_digits(). */
static inline guint64
ts_btf_last_digits (const char *end, gsize n)
{
  return (ts_btf_load (end - TS_BTF_WORD_BYTES) ^ G_GUINT64_CONSTANT (0x3030303030303030))
         & ts_btf_load ((const char *) ts_btf_mask (n, TS_BTF_WORD_BYTES));
}

/* Neighbours are added up in pairs, fours and eights. */
static inline guint64
ts_btf_digits_value (guint64 digits)
{
  digits = digits * 10 + (digits >> 8);
  return ((digits & G_GUINT64_CONSTANT (0x000000ff000000ff)) * G_GUINT64_CONSTANT (0x000f424000000064)
          + ((digits >> 16) & G_GUINT64_CONSTANT (0x000000ff000000ff)) * G_GUINT64_CONSTANT (0x0000271000000001))
         >> 32;
}

static inline gboolean
ts_btf_are_digits (guint64 digits)
{
  return (((digits + G_GUINT64_CONSTANT (0x7676767676767676)) | digits) & G_GUINT64_CONSTANT (0x8080808080808080)) == 0;
}

#ifndef __SSE2__

static inline guint
ts_btf_two_numbers (const char *a, gsize n_a, const char *b, gsize n_b, guint32 *number_a, guint32 *number_b)
{
  guint64 digits_a = ts_btf_last_digits (a, n_a), digits_b = ts_btf_last_digits (b, n_b);

  *number_a = (guint32) ts_btf_digits_value (digits_a);
  *number_b = (guint32) ts_btf_digits_value (digits_b);
  return (ts_btf_are_digits (digits_a) ? 0 : 0x00ff) | (ts_btf_are_digits (digits_b) ? 0 : 0xff00);
}

#endif

G_END_DECLS
