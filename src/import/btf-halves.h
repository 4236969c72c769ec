/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/btf-run.h"
#include "import/btf-scan.h"

G_BEGIN_DECLS

/* A line is of a source and of a target with its event. Where there are more than a few pairs of these, or any text is
 * long, what each of both is is known by itself, and put together for each line: functions that are called from
 * everywhere have more pairs than can be known, and most come seldom. */

/* A target with its event: in one line of the cache where texts are short. */
typedef struct
{
  TsBtfEnd end, event;
  guint64  what; /* these as in a TsBtfEffect */
  guint32  way, place, element, counter, instance_mask;
  guint32  role; /* TsBtfRole of the source */
  TsBtfEnd before_end, fronts[2];
  TsBtfEnd type; /* only where texts are loose */
} TsBtfTarget;

typedef struct
{
  TsBtfEnd  end, before_end;
  guint32   way; /* as in a TsBtfEffect */
  TsBtfPart parts[TS_BTF_N_ROLES];
  TsBtfEnd  fronts[2];
} TsBtfSource;

G_STATIC_ASSERT (sizeof (TsBtfTarget) == 2 * TS_CACHE_LINE);
G_STATIC_ASSERT (sizeof (TsBtfSource) == 3 * TS_CACHE_LINE);

/* The first ones are like no line. */
struct _TsBtfHalves
{
  TsBtfIndex sources, targets;
};

TsBtfHalves *ts_btf_halves_new (void);
void         ts_btf_halves_free (TsBtfHalves *halves); /* or NULL */

/* Pieces of texts are @texts with @flags, none of them very long. */
void ts_btf_halves_learn (TsBtf *btf, const TsBtfPieces *pieces, const TsBtfTexts *texts, guint32 flags);

/* Both halves of a line, handed on by value, so that a compiler keeps them in registers. */
typedef struct
{
  TsBtfSource *source;
  TsBtfTarget *target;
} TsBtfPair;

/* What a line with these pieces is, as it is now; both are NULL if one of them is not known. */
TsBtfPair ts_btf_halves_find (TsBtf *btf, const TsBtfPieces *pieces);
/* Finds out anew what is out of date. */
void ts_btf_halves_renew (TsBtf *btf, TsBtfPair pair);
/* The pattern that is made of them. */
TsBtfPattern *ts_btf_halves_compose (TsBtf *btf, TsBtfPair pair);

/* What is not of the level counts as nothing, which it is. Of loose lines all pieces count, and the type is a part of the
 * target, see ts_btf_loose_ends(). */

static TS_ALWAYS_INLINE guint64
ts_btf_hash_source (const TsBtfEnds *ends, const TsBtfFronts *fronts, TsBtfLevel level, gboolean is_loose)
{
  TsBtfEnd all = ends->source;

  if (level >= TS_BTF_WIDE && !is_loose)
    all ^= ends->before_source >> 2;
  if (level >= TS_BTF_LONGEST)
    all ^= (fronts->source[0] >> 3) ^ (fronts->source[1] >> 5);
  return ts_btf_fold (all) * TS_BTF_HASH_FACTOR;
}

static TS_ALWAYS_INLINE guint64
ts_btf_hash_target (const TsBtfEnds *ends, const TsBtfFronts *fronts, TsBtfLevel level, gboolean is_loose)
{
  TsBtfEnd all = (ends->target >> 4) ^ ends->event;

  /* many long names end alike */
  if (level >= TS_BTF_LONG_TARGET)
    all ^= ends->before_target >> 1;
  if (level >= TS_BTF_LONGER)
    all ^= fronts->target[0] >> 3;
  if (level >= TS_BTF_LONGEST)
    all ^= fronts->target[1] >> 5;
  if (is_loose)
    all ^= ends->before_source >> 2;
  return ts_btf_fold (all) * TS_BTF_HASH_FACTOR;
}

#ifdef __SSE2__

/* A bit for each byte that is the same. */
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

static TS_ALWAYS_INLINE TsBtfSame
ts_btf_same_source (const TsBtfSource *source, const TsBtfEnds *ends, const TsBtfFronts *fronts, TsBtfLevel level,
                    gboolean is_loose)
{
  TsBtfSame same = ts_btf_same_piece (source->end, ends->source);

  if (level >= TS_BTF_WIDE && !is_loose)
    same &= ts_btf_same_piece (source->before_end, ends->before_source);
  if (level >= TS_BTF_LONGEST)
    same &= ts_btf_same_piece (source->fronts[0], fronts->source[0])
            & ts_btf_same_piece (source->fronts[1], fronts->source[1]);
  return same;
}

static TS_ALWAYS_INLINE TsBtfSame
ts_btf_same_target (const TsBtfTarget *target, const TsBtfEnds *ends, const TsBtfFronts *fronts, TsBtfLevel level,
                    gboolean is_loose)
{
  TsBtfSame same = ts_btf_same_piece (target->end, ends->target) & ts_btf_same_piece (target->event, ends->event);

  if (level >= TS_BTF_LONG_TARGET)
    same &= ts_btf_same_piece (target->before_end, ends->before_target);
  if (level >= TS_BTF_LONGER)
    same &= ts_btf_same_piece (target->fronts[0], fronts->target[0]);
  if (level >= TS_BTF_LONGEST)
    same &= ts_btf_same_piece (target->fronts[1], fronts->target[1]);
  if (is_loose)
    same &= ts_btf_same_piece (target->type, ends->before_source);
  return same;
}

static TS_ALWAYS_INLINE gboolean
ts_btf_same_halves (TsBtfPair pair, const TsBtfEnds *ends, const TsBtfFronts *fronts, TsBtfLevel level,
                    gboolean is_loose)
{
  return ts_btf_is_same (ts_btf_same_source (pair.source, ends, fronts, level, is_loose)
                         & ts_btf_same_target (pair.target, ends, fronts, level, is_loose));
}

/* Whether neither is out of date, and both are plain. */
static TS_ALWAYS_INLINE gboolean
ts_btf_are_plain (TsBtfPair pair, guint32 n_changes)
{
  return ((pair.source->way ^ n_changes) | (pair.target->way ^ n_changes)) == 0;
}

/* What they do together. */
static TS_ALWAYS_INLINE TsBtfAct
ts_btf_act_of_pair (TsBtfPair pair)
{
  const TsBtfTarget *target = pair.target;
  const TsBtfPart   *part = &pair.source->parts[target->role];
  TsBtfAct           act = { .what = target->what ^ part->what,
                             .place = target->place,
                             .source = part->source,
                             .element = target->element,
                             .counter = target->counter,
                             .instance_mask = target->instance_mask,
                             .no_instance = ~target->instance_mask & (guint32) TS_NO_INSTANCE };

  memcpy (&act.owner, &part->owner, sizeof act.owner);
  return act;
}

/* Which numbers of such a line must not be odd. */
static TS_ALWAYS_INLINE guint32
ts_btf_odd_flags_of_pair (TsBtfPair pair)
{
  return TS_BTF_FIRST_IS_ODD | (pair.target->instance_mask & TS_BTF_SECOND_IS_ODD)
         | (pair.target->role == TS_BTF_RUNS ? TS_BTF_THIRD_IS_ODD : 0);
}

static TS_ALWAYS_INLINE TsBtfPair
ts_btf_pair_at (const TsBtfHalves *halves, guint32 source, guint32 target)
{
  return (TsBtfPair){ ts_btf_index_at (&halves->sources, source), ts_btf_index_at (&halves->targets, target) };
}

/* Both come from far. */
static TS_ALWAYS_INLINE void
ts_btf_fetch_pair (const TsBtfHalves *halves, guint32 source, guint32 target, gboolean is_long)
{
  const char *from = ts_btf_index_at (&halves->targets, target);

  __builtin_prefetch (from);
  if (is_long)
    __builtin_prefetch (from + TS_CACHE_LINE);
  (void) source;
}

G_END_DECLS
