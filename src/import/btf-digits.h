/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include <glib.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "import/digits.h"

G_BEGIN_DECLS

/* Numbers that end where they are looked at: up to eight digits at once. As many bytes in front of the end can be
 * read. */

#define TS_BTF_WORD_BYTES 8
#define TS_BTF_TOP_BIT (G_GUINT64_CONSTANT (1) << 63)
#define TS_BTF_TENS G_GUINT64_CONSTANT (0x0a010a010a010a01) /* 10 and 1 in each pair */
#define TS_BTF_MAX_TEXT 160 /* bytes of which a mask can be had */

/* From n on: which of the last bytes in front of an end belong to what is n bytes long. */
extern const guint8 ts_btf_masks[] G_GNUC_INTERNAL;

static inline const guint8 *
ts_btf_mask (gsize n, gsize width)
{
  return ts_btf_masks + (32 - width) + n;
}

/* Of the bytes that are loaded in front of an end: the last @n. */
static inline guint64
ts_btf_digits_mask (gsize n)
{
  return ts_eight_load (ts_btf_mask (n, TS_BTF_WORD_BYTES));
}

/* The digits before @end, at most the last @n, less '0'; what is none shows in ts_btf_are_digits(). */
static inline guint64
ts_btf_last_digits (const char *end, gsize n)
{
  return ts_eight_digits (end - TS_BTF_WORD_BYTES) & ts_btf_digits_mask (n);
}

static inline gboolean
ts_btf_are_digits (guint64 digits)
{
  return ts_eight_odd (digits) == 0;
}

/* The numbers in front of @a and @b, as far as the masks allow. A bit is set for each byte of the two that is no digit:
 * at least one among the first TS_BTF_WORD_BYTES for @a, or else among the next for @b. */
#ifdef __SSE2__

/* Where the compiler does not know them: it would make shifts and additions of the one multiplication. */
extern const __m128i ts_btf_tens G_GNUC_INTERNAL, ts_btf_zeros G_GNUC_INTERNAL;

static inline __m128i
ts_btf_load_two (gconstpointer a, gconstpointer b)
{
  return _mm_castps_si128 (_mm_loadh_pi (_mm_castsi128_ps (_mm_loadl_epi64 (a)), b));
}

static inline guint
ts_btf_two_numbers (const char *a, const guint8 *mask_a, const char *b, const guint8 *mask_b, guint32 *number_a,
                    guint32 *number_b)
{
  const __m128i hundreds = _mm_set1_epi32 (1 * 65536 + 100), ten_thousands = _mm_set1_epi32 (1 * 65536 + 10000);
  __m128i       digits = ts_btf_load_two (a - TS_BTF_WORD_BYTES, b - TS_BTF_WORD_BYTES), number;
  guint64       both;

  digits = _mm_and_si128 (_mm_xor_si128 (digits, ts_btf_zeros), ts_btf_load_two (mask_a, mask_b));
  /* pairs, the first digit being the low byte; then fours and eights */
  number = _mm_srli_epi16 (_mm_mullo_epi16 (digits, ts_btf_tens), 8);
  number = _mm_madd_epi16 (number, hundreds);
  number = _mm_madd_epi16 (_mm_packs_epi32 (number, number), ten_thousands);
  both = (guint64) _mm_cvtsi128_si64 (number);
  *number_a = (guint32) both;
  *number_b = (guint32) (both >> 32);
  /* the sums end at 255 */
  return (guint) _mm_movemask_epi8 (_mm_adds_epu8 (digits, _mm_set1_epi8 (0x7f - 9)));
}

#else

static inline guint
ts_btf_two_numbers (const char *a, const guint8 *mask_a, const char *b, const guint8 *mask_b, guint32 *number_a,
                    guint32 *number_b)
{
  guint64 digits_a = ts_eight_digits (a - TS_BTF_WORD_BYTES) & ts_eight_load (mask_a);
  guint64 digits_b = ts_eight_digits (b - TS_BTF_WORD_BYTES) & ts_eight_load (mask_b);

  *number_a = (guint32) ts_eight_number (digits_a);
  *number_b = (guint32) ts_eight_number (digits_b);
  return (ts_btf_are_digits (digits_a) ? 0 : 0x00ff) | (ts_btf_are_digits (digits_b) ? 0 : 0xff00);
}

#endif

G_END_DECLS
