/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/btf-digits.h"
#include "import/btf-index.h"
#include "import/marks.h"

G_BEGIN_DECLS

/* The table of lines that were seen before. Shared by btf-scan.c, btf-quick.c and btf-patterns.c. */

#define TS_BTF_END 16
/* A line that is longer, from its time up to its note, takes the long way; and one whose note is. */
#define TS_BTF_MAX_WIDTH (4 * TS_MARKS_BLOCK)
#define TS_BTF_MAX_NOTE 4096
/* After so many lines that were wide, each may be: no processor foresees which. */
#define TS_BTF_MANY_WIDE 100
/* One in so many lines may be odd before none is tried to be taken quickly any more, until they are fewer. */
#define TS_BTF_FEW_ODD 8
#define TS_BTF_SOME_ODD 100
/* One in so many lines may be empty before it is asked for that in each. */
#define TS_BTF_FEW_EMPTY 128
#define TS_BTF_SOME_EMPTY 16
#define TS_BTF_MAX_DIGITS 19 /* of a time */
#define TS_BTF_USUALS 32 /* lines that are looked at at once */
/* So many patterns are in a cache that is near. */
#define TS_BTF_FEW_PATTERNS 512

/* Texts are what is between the numbers of a line: `,Core_1,' and `,T,Task_1,' and `,start\n'. Where blanks are behind
 * each comma, always as many, they are part of the text in front of a number as well. These are the last bytes of one: all
 * of it, unless it is longer. */
typedef guint64 TsBtfEnd __attribute__ ((vector_size (TS_BTF_END)));

typedef struct
{
  TsBtfEnd source, target, event;
  TsBtfEnd before_source, before_target; /* of long ones: what is in front of their ends */
} TsBtfEnds;

/* Of texts that are longer still: what is in front of that, the last bytes of it first. */
typedef struct
{
  TsBtfEnd source[2], target[2];
} TsBtfFronts;

/* All pieces of the texts of a line; those that it does not have are nothing. Of texts that are longer than all pieces, the
 * whole is needed as well. */
typedef struct
{
  TsBtfEnds   ends;
  TsBtfFronts fronts;
  TsBtfText   source, target;
} TsBtfPieces;

/* Lines with the same texts, and what they do. */
typedef struct
{
  TsBtfEnds   ends;
  TsBtfEffect effect;
} TsBtfPattern;

G_STATIC_ASSERT (sizeof (TsBtfPattern) == 2 * TS_CACHE_LINE);

/* flags of an effect */
#define TS_BTF_HAS_NOTE (1u << 25)  /* the text of the event ends with a comma */
#define TS_BTF_HAS_LONG_EVENT (1u << 26) /* that of the event is longer than its end */
#define TS_BTF_TEXT_FLAGS (TS_BTF_HAS_NOTE | TS_BTF_HAS_LONG_EVENT)
/* and which bytes of numbers must not be odd, as in a TsBtfThree */

/* Where fields end in a line, from the end of the time on. */
typedef struct
{
  gsize source, source_instance, target, instance, event;
} TsBtfMarks;

/* The same, a byte each: what is handed on in one word does not keep the others from staying in registers. */
typedef guint64 TsBtfPackedMarks;

static TS_ALWAYS_INLINE TsBtfPackedMarks
ts_btf_pack_marks (const TsBtfMarks *at)
{
  return at->source | at->source_instance << 8 | at->target << 16 | at->instance << 24 | (guint64) at->event << 32;
}

static TS_ALWAYS_INLINE TsBtfMarks
ts_btf_unpack_marks (TsBtfPackedMarks marks)
{
  return (TsBtfMarks){ marks & 0xff, marks >> 8 & 0xff, marks >> 16 & 0xff, marks >> 24 & 0xff, marks >> 32 & 0xff };
}

/* Where in a lexicon a line's texts are; or of a pattern. */
typedef struct
{
  guint32 source, target, event;
} TsBtfSpots;

/* A line of which only its marks are known. */
typedef struct
{
  const char *time; /* the end of its time */
  const char *next; /* the line after it */
  const char *event_end;
  const char *p;    /* where its texts are, from the end of the time on */
  TsBtfMarks  at;
  TsBtfPieces pieces; /* fronts only where texts are known apart */
  TsBtfSpots  spots; /* that of the target is that of its pattern, unless its texts are known apart */
} TsBtfSight;

/* The first patterns: one is like no line, and the other is made of what is known apart. */
enum
{
  TS_BTF_LIKE_NONE,
  TS_BTF_COMPOSED,
  TS_BTF_N_OWN
};

typedef struct _TsBtfWidthsTable TsBtfWidthsTable; /* btf-widths.h */
typedef struct _TsBtfLexicon TsBtfLexicon;           /* btf-lexicon.h */

/* The last eight digits of a time; those in front of them change seldom. */
#define TS_BTF_MAX_LOW 99999999

struct _TsBtfScan
{
  TsBtfIndex        patterns;   /* of TsBtfPattern: what lines do */
  TsBtfLexicon      *lexicon;    /* unless NULL, texts are known apart, and there are no patterns */
  gboolean          has_fronts; /* there may be something in front of what is in front of the ends of texts */
  GStringChunk     *bytes;
  gboolean          is_missing; /* the scan ended at texts that are not known */
  gboolean          has_layout; /* of the first line that was learnt */
  gboolean          squeezes;   /* blanks around fields are not always the same: lines are read without them */
  gsize             blank;      /* how many are behind each comma, if they are */
  gsize             n_at_end;   /* and behind each event */
  guint64           n_odd;      /* lines that were not taken quickly, and will not be the next time */
  guint64           n_renewed;  /* effects that were found out anew, and lines that were a matter of rules */
  gboolean          is_any;     /* these were many as long as only what is usual was taken so */
  gboolean          is_wide;    /* and still were: lines may be wider than what is seen of most */
  guint             n_wide;     /* lines whose marks are not all in one block, up to TS_BTF_MANY_WIDE */
  gboolean          has_owners; /* of runnables */
  guint             odd_mask;   /* bits of numbers of owners that are odd in some lines: then it is asked for in each */
  gint64            factor;     /* internal units a unit of the times */
  gint64            limit;      /* times beyond it are a matter of rules */
  gsize             n_time;     /* digits of the time before */
  guint8            time_mask[TS_BTF_WORD_BYTES]; /* of its last eight */
  guint64           high_mask;  /* of its last 16 bytes, where the first digits are in the first eight */
  guint64           high_text;  /* these; what they are compared with always differs if no time is plain */
  guint64           top_mask;   /* of what is in front of that, eight bytes more; or 0: there is nothing */
  guint64           top_text;
  gint64            high;       /* what all of these are worth */
  TsBtfWidthsTable *widths;     /* in its memory; NULL: not needed so far */
  gpointer          widths_memory;
  guint64           n_empty;    /* lines, one by one */
  guint64           n_nearly_empty; /* the same of those that have blanks, or end in '\r' */
  guint64           n_careful;  /* how often lines with these were looked at twice for something odd */
};

/* Whether the time that ends at @p begins as it should: asked apart, as only times since 1970 have so many digits. */
static TS_ALWAYS_INLINE gboolean
ts_btf_has_top (const TsBtfScan *scan, const char *p)
{
  return (ts_eight_load (p - 3 * TS_BTF_WORD_BYTES) & scan->top_mask) == scan->top_text;
}

/* The same of all that is in front of its last eight digits. */
static TS_ALWAYS_INLINE gboolean
ts_btf_has_high (const TsBtfScan *scan, const char *p)
{
  return (ts_eight_load (p - 2 * TS_BTF_WORD_BYTES) & scan->high_mask) == scan->high_text
         && (G_LIKELY (scan->top_mask == 0) || ts_btf_has_top (scan, p));
}

/* Of a text of @length bytes that ends at @end, TS_BTF_END of them: the @i-th so many from its end on. Without a
 * question how long it is, as texts of all lengths come in one trace. */
static TS_ALWAYS_INLINE TsBtfEnd
ts_btf_piece (const char *end, gsize length, gsize i)
{
  const gsize width = (1 + i) * TS_BTF_END;
  TsBtfEnd    bytes, mask;

  memcpy (&bytes, end - width, TS_BTF_END);
  memcpy (&mask, ts_btf_mask (length, width), TS_BTF_END);
  return bytes & mask;
}

static TS_ALWAYS_INLINE TsBtfEnd
ts_btf_end (const char *end, gsize length)
{
  return ts_btf_piece (end, length, 0);
}

/* What is in front of that. */
static TS_ALWAYS_INLINE TsBtfEnd
ts_btf_before_end (const char *end, gsize length)
{
  return ts_btf_piece (end, length, 1);
}

/* How long texts are at most, as far as it can be foreseen; each level has what those before it have. */
typedef enum
{
  TS_BTF_SHORT,       /* no text is longer than its end */
  TS_BTF_LONG_TARGET, /* that of a target may be */
  TS_BTF_NOTED,       /* that of an event may be, and there may be notes */
  TS_BTF_WIDE,        /* any text may be, lines may be wider than what one word tells, and have no instances */
  TS_BTF_LONGER,      /* that of a target may be longer than that, by as much again */
  TS_BTF_LONGEST,     /* both may be, and as long as all that is kept of them */
} TsBtfLevel;

/* Bytes that are the same: some pieces are compared before it is asked whether all of them are. */
#ifdef __SSE2__

typedef __m128i TsBtfSame;

static TS_ALWAYS_INLINE TsBtfSame
ts_btf_same_piece (TsBtfEnd a, TsBtfEnd b)
{
  return _mm_cmpeq_epi8 ((__m128i) a, (__m128i) b);
}

static TS_ALWAYS_INLINE gboolean
ts_btf_is_same (TsBtfSame same)
{
  return _mm_movemask_epi8 (same) == 0xffff;
}

#else

typedef TsBtfEnd TsBtfSame;

static TS_ALWAYS_INLINE TsBtfSame
ts_btf_same_piece (TsBtfEnd a, TsBtfEnd b)
{
  return ~(a ^ b);
}

static TS_ALWAYS_INLINE gboolean
ts_btf_is_same (TsBtfSame same)
{
  return (same[0] & same[1]) == ~G_GUINT64_CONSTANT (0);
}

#endif

/* Whether @a are @b, and what is in front of them, as far as the level has it. */
static TS_ALWAYS_INLINE gboolean
ts_btf_same_ends (const TsBtfEnds *a, const TsBtfEnds *b, TsBtfLevel level)
{
  TsBtfSame same = ts_btf_same_piece (a->source, b->source) & ts_btf_same_piece (a->target, b->target)
                   & ts_btf_same_piece (a->event, b->event);

  if (level >= TS_BTF_LONG_TARGET)
    same &= ts_btf_same_piece (a->before_target, b->before_target);
  if (level >= TS_BTF_WIDE)
    same &= ts_btf_same_piece (a->before_source, b->before_source);
  return ts_btf_is_same (same);
}

/* Of a line whose time ends at @p. */
static TS_ALWAYS_INLINE TsBtfEnds
ts_btf_ends (const char *p, const TsBtfMarks *at, gboolean is_long)
{
  const char *source_end = p + at->source + 1, *target_end = p + at->target + 1, *event_end = p + at->event + 1;
  gsize       n_source = at->source + 1, n_target = at->target + 1 - at->source_instance;
  TsBtfEnds   ends = { .source = ts_btf_end (source_end, n_source),
                       .target = ts_btf_end (target_end, n_target),
                       .event = ts_btf_end (event_end, at->event + 1 - at->instance) };

  if (is_long)
    {
      ends.before_source = ts_btf_before_end (source_end, n_source);
      ends.before_target = ts_btf_before_end (target_end, n_target);
    }
  return ends;
}

static TS_ALWAYS_INLINE TsBtfFronts
ts_btf_fronts (const char *p, const TsBtfMarks *at)
{
  const char *source_end = p + at->source + 1, *target_end = p + at->target + 1;
  const gsize n_source = at->source + 1, n_target = at->target + 1 - at->source_instance;

  return (TsBtfFronts){
    { ts_btf_piece (source_end, n_source, 2), ts_btf_piece (source_end, n_source, 3) },
    { ts_btf_piece (target_end, n_target, 2), ts_btf_piece (target_end, n_target, 3) }
  };
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

/* What is not of the level counts as nothing, which it is. */
static TS_ALWAYS_INLINE guint64
ts_btf_hash_ends (const TsBtfEnds *ends, TsBtfLevel level)
{
  TsBtfEnd all = ends->source ^ (ends->target >> 4) ^ ends->event;

  /* many long names end alike */
  if (level >= TS_BTF_LONG_TARGET)
    all ^= ends->before_target >> 1;
  if (level >= TS_BTF_WIDE)
    all ^= ends->before_source >> 2;
  return ts_btf_fold (all) * TS_BTF_FACTOR;
}

static inline TsBtfPattern *
ts_btf_pattern_at (const TsBtfScan *scan, gsize place)
{
  return ts_btf_index_at (&scan->patterns, place);
}

static TS_ALWAYS_INLINE TsBtfText
ts_btf_source_text (const char *p, const TsBtfMarks *at)
{
  return (TsBtfText){ p, at->source + 1 };
}

static TS_ALWAYS_INLINE TsBtfText
ts_btf_target_text (const char *p, const TsBtfMarks *at)
{
  return (TsBtfText){ p + at->source_instance, at->target + 1 - at->source_instance };
}

/* Its end is what is compared first, and then all of it. */
static inline gboolean
ts_btf_has_long_event (const TsBtfSight *sight)
{
  return sight->at.event + 1 - sight->at.instance > TS_BTF_END;
}

/* Whether there is something in front of what patterns have of texts. */
static inline gboolean
ts_btf_has_fronts (const TsBtfMarks *at)
{
  return MAX (at->source + 1, at->target + 1 - at->source_instance) > 2 * TS_BTF_END;
}

/* What is far is asked for some lines before it is needed: first the place of a pattern, then the pattern; @hash is the
 * upper half of one. */
static TS_ALWAYS_INLINE guint32
ts_btf_fetch_pattern (const TsBtfScan *scan, guint32 hash)
{
  const guint32 place = ts_btf_index_place_of_two (&scan->patterns, hash);
  const char   *pattern = ts_btf_index_at (&scan->patterns, place);

  __builtin_prefetch (pattern);
  __builtin_prefetch (pattern + TS_CACHE_LINE);
  return place;
}

static inline const TsBtfKept *
ts_btf_kept_of (const TsBtfScan *scan, const TsBtfPattern *pattern)
{
  return ts_btf_index_kept (&scan->patterns, (gsize) ((const char *) pattern - scan->patterns.records));
}

/* The way of its events: long ones are marked, those that are out of date are beyond all. */
static inline guint32
ts_btf_way (const TsBtfPattern *pattern, guint32 n_changes)
{
  return pattern->effect.way - n_changes;
}

/* Finds out anew what it does. */
void ts_btf_renew_effect (TsBtf *btf, TsBtfPattern *pattern);

/* The pattern of a line, at its place or behind it, or made of what is known of its texts; NULL: it is not known. */
TsBtfPattern *ts_btf_find_pattern (TsBtf *btf, TsBtfSight *sight);
/* The one that has these ends, and what is in front of them, at *place or behind it, which becomes its own. */
const TsBtfPattern *ts_btf_find_ends (const TsBtfScan *scan, guint32 *place, const TsBtfEnds *ends);
/* What is kept of a long text, with its length in front. */
const char *ts_btf_keep_text (TsBtfScan *scan, TsBtfText text);
/* Whether the long event that is known at @spots is the one that ends at @event_end. */
gboolean ts_btf_is_kept_event (const TsBtfScan *scan, const TsBtfSpots *spots, const char *event_end);
/* From here on, texts are known apart, if they were not. */
void ts_btf_scan_split (TsBtf *btf);

/* Lines (btf-scan.c, btf-quick.c) */

/* Whether @n lines are more than @some, and than one in @few of all. */
static inline gboolean
ts_btf_are_many (const TsBtf *btf, guint64 n, guint few, guint some)
{
  return n > btf->n_events / few + some;
}

static inline gboolean
ts_btf_has_many_odd (const TsBtf *btf)
{
  return ts_btf_are_many (btf, btf->scan->n_odd, TS_BTF_FEW_ODD, TS_BTF_SOME_ODD);
}

/* Whether @n empty lines are. */
static inline gboolean
ts_btf_are_many_empty (const TsBtf *btf, guint64 n)
{
  return ts_btf_are_many (btf, n, TS_BTF_FEW_EMPTY, TS_BTF_SOME_EMPTY);
}

/* What is plain only under the conditions that are all of @way: see ts_btf_take_other_way(). */
gboolean ts_btf_meets_conditions (TsBtf *btf, guint32 way, gboolean is_of_runnable, const char *event_end,
                                  const TsBtfSpots *spots);

/* What is not plain, with the end of its event and what is behind it; its texts are known at @spots. FALSE: this is a
 * matter of rules. */
static TS_ALWAYS_INLINE gboolean
ts_btf_take_other_way (TsBtf *btf, guint32 way, gboolean is_of_runnable, const char *event_end, const TsBtfSpots *spots)
{
  return (way & ~(guint32) (TS_BTF_UNLESS_NOTE | TS_BTF_LONG_EVENT)) == TS_BTF_PLAIN
         && ts_btf_meets_conditions (btf, way, is_of_runnable, event_end, spots);
}

/* Lines without anything odd (btf-quick.c), from @begin on up to one that begins behind @last, with times of the same
 * length. Returns where the first one begins that has to take the long way. */
const char *ts_btf_take_quickly (TsBtf *btf, const char *begin, const char *last, const char *end);
/* One line, which may be odd. Returns @begin if it has to take the long way. */
const char *ts_btf_take_one (TsBtf *btf, const char *begin, const char *end);

G_END_DECLS
