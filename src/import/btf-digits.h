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
#define TS_BTF_TENS G_GUINT64_CONSTANT (0x0a010a010a010a01) /* 10 and 1 in each pair */
#define TS_BTF_MAX_TEXT 256 /* bytes of which a mask can be had */
#define TS_BTF_MAX_FRONT 64 /* and in front of the end of a text, those that are looked at */

/* From n on: which of the last bytes in front of an end belong to what is n bytes long. */
extern const guint8 ts_btf_masks[] G_GNUC_INTERNAL;

static inline const guint8 *
ts_btf_mask (gsize n, gsize width)
{
  return ts_btf_masks + (TS_BTF_MAX_FRONT - width) + n;
}

/* Of the bytes that are loaded in front of an end: the last @n. */
static inline guint64
ts_btf_digits_mask (gsize n)
{
  return ts_eight_load (ts_btf_mask (n, TS_BTF_WORD_BYTES));
}

static inline gboolean
ts_btf_are_digits (guint64 digits)
{
  return ts_eight_odd (digits) == 0;
}

/* A number, and whether that is one. */
typedef struct
{
  guint32 number;
  guint   odd; /* a bit for each byte that is no digit */
} TsBtfOne;

/* Two of them: the first TS_BTF_WORD_BYTES bits are for the first number, the next for the second one. */
typedef struct
{
  guint32 first, second;
  guint   odd;
} TsBtfTwo;

/* Three of them: the first two and the last one of four. */
typedef struct
{
  guint32 number[4] __attribute__ ((aligned (16)));
  guint32 odd;
} TsBtfThree;

#define TS_BTF_FIRST_IS_ODD 0xffu
#define TS_BTF_SECOND_IS_ODD 0xff00u /* or the third one, unless they are told apart */
#define TS_BTF_THIRD_IS_ODD 0xff0000u
#define TS_BTF_SECOND_IS_LARGE (1u << 28) /* beyond the bits of an instance, which is told, but not odd */

/* What is in front of @a and @b, as far as the masks allow. */
#ifdef __SSE2__

/* Where the compiler does not know them: it would make shifts and additions of the one multiplication. */
extern const __m128i ts_btf_tens G_GNUC_INTERNAL, ts_btf_zeros G_GNUC_INTERNAL;

static inline __m128i
ts_btf_load_two (gconstpointer a, gconstpointer b)
{
  return _mm_castps_si128 (_mm_loadh_pi (_mm_castsi128_ps (_mm_loadl_epi64 (a)), b));
}

/* One number in each half. */
static inline guint64
ts_btf_numbers_of (__m128i digits)
{
  const __m128i hundreds = _mm_set1_epi32 (1 * 65536 + 100), ten_thousands = _mm_set1_epi32 (1 * 65536 + 10000);
  /* pairs, the first digit being the low byte; then fours and eights */
  __m128i       numbers = _mm_madd_epi16 (_mm_srli_epi16 (_mm_mullo_epi16 (digits, ts_btf_tens), 8), hundreds);

  return (guint64) _mm_cvtsi128_si64 (_mm_madd_epi16 (_mm_packs_epi32 (numbers, numbers), ten_thousands));
}

static inline guint
ts_btf_odd_bytes (__m128i digits)
{
  /* the sums end at 255 */
  return (guint) _mm_movemask_epi8 (_mm_adds_epu8 (digits, _mm_set1_epi8 (0x7f - 9)));
}

static inline TsBtfTwo
ts_btf_two_numbers (const char *a, const guint8 *mask_a, const char *b, const guint8 *mask_b)
{
  __m128i digits = _mm_xor_si128 (ts_btf_load_two (a - TS_BTF_WORD_BYTES, b - TS_BTF_WORD_BYTES), ts_btf_zeros);
  guint64 both;

  digits = _mm_and_si128 (digits, ts_btf_load_two (mask_a, mask_b));
  both = ts_btf_numbers_of (digits);
  return (TsBtfTwo){ (guint32) both, (guint32) (both >> 32), ts_btf_odd_bytes (digits) };
}

static inline TsBtfOne
ts_btf_one_number (const char *a, const guint8 *mask)
{
  __m128i digits = _mm_xor_si128 (_mm_loadl_epi64 ((gconstpointer) (a - TS_BTF_WORD_BYTES)), ts_btf_zeros);

  digits = _mm_and_si128 (digits, _mm_loadl_epi64 ((gconstpointer) mask));
  return (TsBtfOne){ (guint32) ts_btf_numbers_of (digits), ts_btf_odd_bytes (digits) };
}

/* Together, since the second half of the work is the same for two as for four. */
static inline void
ts_btf_three_numbers (const char *a, const guint8 *mask_a, const char *b, const guint8 *mask_b, const char *c,
                      const guint8 *mask_c, gboolean apart, TsBtfThree *three)
{
  const __m128i hundreds = _mm_set1_epi32 (1 * 65536 + 100), ten_thousands = _mm_set1_epi32 (1 * 65536 + 10000);
  __m128i       two = _mm_xor_si128 (ts_btf_load_two (a - TS_BTF_WORD_BYTES, b - TS_BTF_WORD_BYTES), ts_btf_zeros);
  __m128i       one = _mm_xor_si128 (_mm_loadl_epi64 ((gconstpointer) (c - TS_BTF_WORD_BYTES)), ts_btf_zeros);

  two = _mm_and_si128 (two, ts_btf_load_two (mask_a, mask_b));
  one = _mm_and_si128 (one, _mm_loadl_epi64 ((gconstpointer) mask_c));
  one = _mm_slli_si128 (one, TS_BTF_WORD_BYTES);
  three->odd = apart ? ts_btf_odd_bytes (two) | ts_btf_odd_bytes (one) << TS_BTF_WORD_BYTES
                     : ts_btf_odd_bytes (_mm_max_epu8 (two, one));
  two = _mm_madd_epi16 (_mm_srli_epi16 (_mm_mullo_epi16 (two, ts_btf_tens), 8), hundreds);
  one = _mm_madd_epi16 (_mm_srli_epi16 (_mm_mullo_epi16 (one, ts_btf_tens), 8), hundreds);
  _mm_store_si128 ((gpointer) three->number, _mm_madd_epi16 (_mm_packs_epi32 (two, one), ten_thousands));
}

#else

static inline TsBtfOne
ts_btf_one_number (const char *a, const guint8 *mask)
{
  guint64 digits = ts_eight_digits (a - TS_BTF_WORD_BYTES) & ts_eight_load (mask);

  return (TsBtfOne){ (guint32) ts_eight_number (digits), ts_btf_are_digits (digits) ? 0 : 0xff };
}

static inline TsBtfTwo
ts_btf_two_numbers (const char *a, const guint8 *mask_a, const char *b, const guint8 *mask_b)
{
  TsBtfOne first = ts_btf_one_number (a, mask_a), second = ts_btf_one_number (b, mask_b);

  return (TsBtfTwo){ first.number, second.number, first.odd | second.odd << TS_BTF_WORD_BYTES };
}

static inline void
ts_btf_three_numbers (const char *a, const guint8 *mask_a, const char *b, const guint8 *mask_b, const char *c,
                      const guint8 *mask_c, gboolean apart, TsBtfThree *three)
{
  TsBtfOne first = ts_btf_one_number (a, mask_a), second = ts_btf_one_number (b, mask_b);
  TsBtfOne third = ts_btf_one_number (c, mask_c);

  *three = (TsBtfThree){ { first.number, second.number, 0, third.number },
                         first.odd | second.odd << TS_BTF_WORD_BYTES
                             | third.odd << (apart ? 2 * TS_BTF_WORD_BYTES : TS_BTF_WORD_BYTES) };
}

#endif

G_END_DECLS
