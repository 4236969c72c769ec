/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/btf-digits.h"
#include "import/btf.h"

G_BEGIN_DECLS

/* The table of lines that were seen before. Shared by btf-scan.c and btf-patterns.c. */

#define TS_BTF_ALWAYS_INLINE inline __attribute__ ((always_inline))
#define TS_BTF_END 16
#define TS_BTF_CACHE_LINE 64

/* The texts between the numbers of a line: `,Core_1,' and `,T,Task_1,' and `,start\n'. */
enum
{
  TS_BTF_SOURCE,
  TS_BTF_TARGET,
  TS_BTF_EVENT,
  TS_BTF_N_TEXTS
};

/* The last bytes of a text: all of it, unless it is longer. */
typedef guint64 TsBtfEnd __attribute__ ((vector_size (TS_BTF_END)));

typedef struct
{
  TsBtfEnd source, target, event;
} TsBtfEnds;

/* Lines with the same texts, and what they do. What each line needs is in the first cache line, mostly. */
typedef struct
{
  TsBtfEnds   ends;
  TsBtfEffect effect;
  TsBtfTexts  texts;
  TsBtfEnd    before_target; /* of a long one: what is in front of its end */
  guint64     unused[2];
} TsBtfPattern;

G_STATIC_ASSERT (sizeof (TsBtfPattern) == 2 * TS_BTF_CACHE_LINE);

/* flags of the texts */
#define TS_BTF_TAKEN 1     /* this place is not free */
#define TS_BTF_HAS_NOTE 2  /* the text of the event ends with a comma */
#define TS_BTF_LONG 4      /* the target is longer than its end, but not twice as long */
#define TS_BTF_VERY_LONG 8 /* texts are longer than that */

/* Where fields end in a line, from the end of the time on. */
typedef struct
{
  gsize source, source_instance, target, instance, event;
} TsBtfMarks;

/* The same, a byte each: what is handed on in one word does not keep the others from staying in registers. */
typedef guint64 TsBtfPackedMarks;

static TS_BTF_ALWAYS_INLINE TsBtfPackedMarks
ts_btf_pack_marks (const TsBtfMarks *at)
{
  return at->source | at->source_instance << 8 | at->target << 16 | at->instance << 24 | (guint64) at->event << 32;
}

static TS_BTF_ALWAYS_INLINE TsBtfMarks
ts_btf_unpack_marks (TsBtfPackedMarks marks)
{
  return (TsBtfMarks){ marks & 0xff, marks >> 8 & 0xff, marks >> 16 & 0xff, marks >> 24 & 0xff, marks >> 32 & 0xff };
}

/* Of a pattern, what a line seldom needs. */
typedef struct
{
  guint64     hash;
  const char *text; /* of one that is very long: three lengths, a byte each, and its texts one behind the other */
} TsBtfKept;

struct _TsBtfScan
{
  char        *patterns; /* of TsBtfPattern, where they hash to */
  gsize        mask;     /* of the bytes from the first pattern to another one */
  TsBtfKept   *kept;     /* of each */
  gpointer     memory;
  guint        n;
  GStringChunk *bytes;
  gboolean     is_missing; /* the scan ended at texts that are not known */
  gint64       factor;     /* internal units a unit of the times */
  gint64       limit;      /* times beyond it are a matter of rules */
  gsize        n_time;     /* digits of the time before */
  const guint8 *time_mask; /* of its last eight */
  guint64      high_mask;  /* of its last 16 bytes, where the first digits are in the first eight */
  guint64      high_text;  /* these; what they are compared with always differs if there are too many */
  gint64       high;       /* and what they are worth */
};

/* Of a text of @length bytes that ends at @end, the last ones. */
static inline TsBtfEnd
ts_btf_end (const char *end, gsize length)
{
  TsBtfEnd bytes, mask;

  memcpy (&bytes, end - TS_BTF_END, TS_BTF_END);
  memcpy (&mask, ts_btf_mask (length, TS_BTF_END), TS_BTF_END);
  return bytes & mask;
}

/* And those in front of them. */
static inline TsBtfEnd
ts_btf_before_end (const char *end, gsize length)
{
  return ts_btf_end (end - TS_BTF_END, length > TS_BTF_END ? length - TS_BTF_END : 0);
}

static TS_BTF_ALWAYS_INLINE gboolean
ts_btf_same_end (TsBtfEnd a, TsBtfEnd b)
{
#ifdef __SSE2__
  return _mm_movemask_epi8 (_mm_cmpeq_epi8 ((__m128i) a, (__m128i) b)) == 0xffff;
#else
  return ((a[0] ^ b[0]) | (a[1] ^ b[1])) == 0;
#endif
}

/* Whether @a are @b, one by one. */
static TS_BTF_ALWAYS_INLINE gboolean
ts_btf_same_ends (const TsBtfEnds *a, const TsBtfEnds *b)
{
#ifdef __SSE2__
  __m128i source = _mm_cmpeq_epi8 ((__m128i) a->source, (__m128i) b->source);
  __m128i target = _mm_cmpeq_epi8 ((__m128i) a->target, (__m128i) b->target);
  __m128i event = _mm_cmpeq_epi8 ((__m128i) a->event, (__m128i) b->event);

  return _mm_movemask_epi8 (_mm_and_si128 (_mm_and_si128 (source, target), event)) == 0xffff;
#else
  TsBtfEnd difference = (a->source ^ b->source) | (a->target ^ b->target) | (a->event ^ b->event);

  return (difference[0] | difference[1]) == 0;
#endif
}

/* Of a line whose time ends at @p. */
static TS_BTF_ALWAYS_INLINE TsBtfEnds
ts_btf_ends (const char *p, const TsBtfMarks *at)
{
  return (TsBtfEnds){ ts_btf_end (p + at->source + 1, at->source + 1),
                      ts_btf_end (p + at->target + 1, at->target + 1 - at->source_instance),
                      ts_btf_end (p + at->event + 1, at->event + 1 - at->instance) };
}

/* What differs is mostly at the end: this goes where a factor spreads it. */
static inline guint64
ts_btf_fold (TsBtfEnd end)
{
#ifdef __SSE2__
  __m128i both = (__m128i) end;

  return (guint64) _mm_cvtsi128_si64 (_mm_add_epi64 (both, _mm_shuffle_epi32 (both, _MM_SHUFFLE (1, 0, 2, 3))));
#else
  return end[0] + (end[1] << 32 | end[1] >> 32);
#endif
}

static TS_BTF_ALWAYS_INLINE guint64
ts_btf_hash_line (const TsBtfEnds *ends, const char *p, const TsBtfMarks *at)
{
  TsBtfEnd all = ends->source ^ (ends->target >> 4) ^ ends->event;
  gsize    n_target = at->target + 1 - at->source_instance;

  /* many long names end alike */
  if (n_target > TS_BTF_END)
    all ^= ts_btf_end (p + at->target + 1 - TS_BTF_END, n_target - TS_BTF_END) >> 1;
  if (G_UNLIKELY (at->source >= TS_BTF_END))
    all ^= ts_btf_end (p + at->source + 1 - TS_BTF_END, at->source + 1 - TS_BTF_END) >> 2;
  return ts_btf_fold (all) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
}

/* Where it is looked for, in bytes. */
static inline gsize
ts_btf_place_of_hash (const TsBtfScan *scan, guint64 hash)
{
  return hash >> 33 & scan->mask;
}

static inline TsBtfPattern *
ts_btf_pattern_at (const TsBtfScan *scan, gsize place)
{
  return (TsBtfPattern *) (gpointer) (scan->patterns + place);
}

/* The ends are all there is to compare unless a text is longer: else every text begins within its end, with a comma
 * that comes nowhere else but, once, inside of a target, so that no two lengths look alike. */
static inline gboolean
ts_btf_is_long (const TsBtfPattern *pattern)
{
  return (pattern->texts.flags & (TS_BTF_LONG | TS_BTF_VERY_LONG)) != 0;
}

gboolean ts_btf_has_very_long_texts (const TsBtfScan *scan, const TsBtfPattern *pattern, const char *p,
                                     TsBtfPackedMarks marks);

/* The rest, of a long pattern that has the ends. */
static TS_BTF_ALWAYS_INLINE gboolean
ts_btf_has_beginnings (const TsBtfScan *scan, const TsBtfPattern *pattern, const char *p, const TsBtfMarks *at)
{
  if (G_UNLIKELY ((pattern->texts.flags & TS_BTF_VERY_LONG) != 0))
    return ts_btf_has_very_long_texts (scan, pattern, p, ts_btf_pack_marks (at));
  return ts_btf_same_end (pattern->before_target,
                          ts_btf_before_end (p + at->target + 1, at->target + 1 - at->source_instance));
}

/* The way of its events: long ones are marked, those that are out of date are beyond all. */
static inline guint32
ts_btf_way (const TsBtfPattern *pattern, guint32 n_changes)
{
  return pattern->effect.way - n_changes;
}

void ts_btf_set_effect (const TsBtf *btf, TsBtfPattern *pattern);

/* The pattern of a line whose time ends at @p, at @place or behind it; NULL: it is not known. */
TsBtfPattern *ts_btf_find_pattern (const TsBtfScan *scan, gsize place, const char *p, TsBtfPackedMarks marks);

G_END_DECLS
