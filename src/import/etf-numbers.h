/* SPDX-License-Identifier: MIT */
#pragma once

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "import/digits.h"
#include "import/etf-scan.h"
#include "model/inline.h"

G_BEGIN_DECLS

/* The numbers of a line of TRACE that has them where the ones before had theirs. Only for etf-alike.c. */

#ifdef __SSE2__

static TS_ALWAYS_INLINE __m128i
ts_etf_load (const char *p)
{
  return _mm_loadu_si128 ((const __m128i *) (gconstpointer) p);
}

/* Of what is kept, and aligned for this. */
static TS_ALWAYS_INLINE __m128i
ts_etf_load_kept (gconstpointer p)
{
  return _mm_load_si128 (p);
}

#endif

/* The numbers of a line: its id and its stamps, of which events have one, twice. */
typedef struct
{
  gint64 id, first, last;
} TsEtfNumbers;

static TS_ALWAYS_INLINE gint64
ts_etf_number_of (const TsEtfShape *shape, const char *p, guint i)
{
  return shape->high[i] + (gint64) ts_eight_number (ts_eight_load (p + shape->ends[i] - 8) & shape->masks[i]);
}

/* Of a stamp, which may have a point: the digits in front of it move up to those behind. */
static TS_ALWAYS_INLINE gint64
ts_etf_stamp_of (const TsEtfShape *shape, const char *p, guint i)
{
  guint64 text = ts_eight_load (p + shape->ends[i] - 8);

  text = (text & shape->masks[i]) | (text & shape->integers[i]) << 8;
  return (shape->high[i] + (gint64) ts_eight_number (text)) * shape->factors[i];
}

#ifdef __SSE2__

static TS_ALWAYS_INLINE __m128i
ts_etf_load_eight (const char *p)
{
  return _mm_loadl_epi64 ((const __m128i *) (gconstpointer) p);
}

/* Digits, two times eight of them, as four numbers of four. */
static TS_ALWAYS_INLINE __m128i
ts_etf_add_fours (__m128i bytes, const guint64 *masks)
{
  __m128i digits = _mm_and_si128 (bytes, ts_etf_load_kept (masks));
  __m128i pairs = _mm_srli_epi16 (_mm_mullo_epi16 (digits, ts_etf_load_kept (ts_etf_pairs)), 8);

  return _mm_madd_epi16 (pairs, _mm_set1_epi32 (1 << 16 | 100));
}

/* Without points: all three at once. */
static TS_ALWAYS_INLINE TsEtfNumbers
ts_etf_whole_numbers_of (const TsEtfShape *shape, const char *p)
{
  const guint8 *ends = shape->ends;
  __m128i       id = ts_etf_load_eight (p + ends[TS_ETF_ID] - 8);
  __m128i       stamps = _mm_unpacklo_epi64 (ts_etf_load_eight (p + ends[TS_ETF_FIRST_STAMP] - 8),
                                             ts_etf_load_eight (p + ends[TS_ETF_LAST_STAMP] - 8));
  __m128i       fours = _mm_packs_epi32 (ts_etf_add_fours (stamps, &shape->masks[TS_ETF_FIRST_STAMP]),
                                         ts_etf_add_fours (id, &shape->masks[TS_ETF_ID]));
  __m128i       eights = _mm_madd_epi16 (fours, _mm_set1_epi32 (1 << 16 | 10000));

  stamps = _mm_unpacklo_epi32 (eights, _mm_setzero_si128 ());
  stamps = _mm_add_epi64 (stamps, ts_etf_load_kept (&shape->high[TS_ETF_FIRST_STAMP]));
  return (TsEtfNumbers){ shape->high[TS_ETF_ID] + (guint32) _mm_cvtsi128_si32 (_mm_shuffle_epi32 (eights, 2)),
                         stamps[0], stamps[1] };
}

#else

static inline TsEtfNumbers
ts_etf_whole_numbers_of (const TsEtfShape *shape, const char *p)
{
  return (TsEtfNumbers){ ts_etf_number_of (shape, p, TS_ETF_ID), ts_etf_number_of (shape, p, TS_ETF_FIRST_STAMP),
                         ts_etf_number_of (shape, p, TS_ETF_LAST_STAMP) };
}

#endif

static TS_ALWAYS_INLINE TsEtfNumbers
ts_etf_numbers_of (const TsEtfShape *shape, const char *p, gboolean has_points)
{
  if (!has_points)
    return ts_etf_whole_numbers_of (shape, p);
  return (TsEtfNumbers){ ts_etf_number_of (shape, p, TS_ETF_ID), ts_etf_stamp_of (shape, p, TS_ETF_FIRST_STAMP),
                         ts_etf_stamp_of (shape, p, TS_ETF_LAST_STAMP) };
}

G_END_DECLS
