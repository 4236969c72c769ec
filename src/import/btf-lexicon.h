/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/btf-run.h"
#include "import/btf-scan.h"

G_BEGIN_DECLS

/* A line is of a source, a target and an event. Where there are more than a few of these together, or any text is long,
 * what each of them is is known by itself, and put together for each line: functions that are called from everywhere have
 * more callers than can be known, and with thousands of elements, what is known of them should be little. */

typedef struct
{
  TsBtfEnd  end, before_end;
  guint32   way; /* as in a TsBtfEffect */
  TsBtfPart parts[TS_BTF_N_ROLES];
  TsBtfEnd  fronts[2];
} TsBtfSource;

/* In one line of the cache: of these there are many. */
typedef struct
{
  TsBtfEnd  end, before_end;
  TsBtfGoal goal;
} __attribute__ ((aligned (TS_CACHE_LINE))) TsBtfTarget;

/* What few targets have. */
typedef struct
{
  TsBtfEnd fronts[2];
  TsBtfEnd type; /* only where texts are loose */
} TsBtfTargetFront;

typedef struct
{
  TsBtfEnd  end, before_end; /* the latter only where texts are loose */
  guint     known;           /* bit 1 << TsBtfClass: such an event of a target of this class came, so that it has a deed */
  TsBtfDeed deeds[TS_BTF_N_CLASSES];
} __attribute__ ((aligned (TS_CACHE_LINE))) TsBtfEvent;

G_STATIC_ASSERT (sizeof (TsBtfSource) == 3 * TS_CACHE_LINE);
G_STATIC_ASSERT (sizeof (TsBtfTarget) == TS_CACHE_LINE);
G_STATIC_ASSERT (sizeof (TsBtfEvent) == 4 * TS_CACHE_LINE);

/* The first ones are like no line. */
struct _TsBtfLexicon
{
  TsBtfIndex        sources, targets, events;
  TsBtfTargetFront *fronts; /* of each target */
  guint             n_fronts; /* that there is room for */
};

TsBtfLexicon *ts_btf_lexicon_new (void);
void          ts_btf_lexicon_free (TsBtfLexicon *lexicon); /* or NULL */

/* Pieces of texts are @texts with @flags, none of them very long. */
void ts_btf_lexicon_learn (TsBtf *btf, const TsBtfPieces *pieces, const TsBtfTexts *texts, guint32 flags);

/* Where these are that a line is of. */
typedef struct
{
  guint32 source, target, event;
} TsBtfSpots;

/* Where those of a line with these pieces are, as they are now. FALSE: one of them is not known. */
gboolean ts_btf_lexicon_find (TsBtf *btf, const TsBtfPieces *pieces, TsBtfSpots *spots);
/* Finds out anew what is out of date, or counted otherwise than before. */
void ts_btf_lexicon_renew (TsBtf *btf, const TsBtfSpots *spots);
/* The pattern that is made of them. */
TsBtfPattern *ts_btf_lexicon_compose (TsBtf *btf, const TsBtfSpots *spots);

/* What is not of the level counts as nothing, which it is. Of loose lines all pieces count; the type is a part of the
 * target, and what is in front of an end is that of the event, see ts_btf_loose_ends(). */

static TS_ALWAYS_INLINE guint64
ts_btf_hash_source (const TsBtfEnds *ends, const TsBtfFronts *fronts, TsBtfLevel level, gboolean is_loose)
{
  TsBtfEnd all = ends->source;

  if (level >= TS_BTF_WIDE && !is_loose)
    all ^= ends->before_source >> 2;
  if (level >= TS_BTF_LONGEST)
    all ^= (fronts->source[0] >> 3) ^ (fronts->source[1] >> 5);
  return ts_btf_fold (all) * TS_BTF_FACTOR;
}

static TS_ALWAYS_INLINE guint64
ts_btf_hash_target (const TsBtfEnds *ends, const TsBtfFronts *fronts, TsBtfLevel level, gboolean is_loose)
{
  TsBtfEnd all = ends->target;

  /* many long names end alike */
  if (level >= TS_BTF_LONG_TARGET && !is_loose)
    all ^= ends->before_target >> 1;
  if (level >= TS_BTF_LONGER)
    all ^= fronts->target[0] >> 3;
  if (level >= TS_BTF_LONGEST)
    all ^= fronts->target[1] >> 5;
  if (is_loose)
    all ^= ends->before_source >> 2;
  return ts_btf_fold (all) * TS_BTF_FACTOR;
}

static TS_ALWAYS_INLINE guint64
ts_btf_hash_event (const TsBtfEnds *ends, gboolean is_loose)
{
  TsBtfEnd all = ends->event;

  if (is_loose)
    all ^= ends->before_target >> 1;
  return ts_btf_fold (all) * TS_BTF_FACTOR;
}

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
ts_btf_same_target (const TsBtfLexicon *lexicon, gsize place, const TsBtfEnds *ends, const TsBtfFronts *fronts,
                    TsBtfLevel level, gboolean is_loose)
{
  const TsBtfTarget      *target = ts_btf_index_at (&lexicon->targets, place);
  const TsBtfTargetFront *front = &lexicon->fronts[level >= TS_BTF_LONGER || is_loose ? place / sizeof *target : 0];
  TsBtfSame               same = ts_btf_same_piece (target->end, ends->target);

  if (level >= TS_BTF_LONG_TARGET && !is_loose)
    same &= ts_btf_same_piece (target->before_end, ends->before_target);
  if (level >= TS_BTF_LONGER)
    same &= ts_btf_same_piece (front->fronts[0], fronts->target[0]);
  if (level >= TS_BTF_LONGEST)
    same &= ts_btf_same_piece (front->fronts[1], fronts->target[1]);
  if (is_loose)
    same &= ts_btf_same_piece (front->type, ends->before_source);
  return same;
}

static TS_ALWAYS_INLINE TsBtfSame
ts_btf_same_event (const TsBtfEvent *event, const TsBtfEnds *ends, gboolean is_loose)
{
  TsBtfSame same = ts_btf_same_piece (event->end, ends->event);

  if (is_loose)
    same &= ts_btf_same_piece (event->before_end, ends->before_target);
  return same;
}

/* What a line is of. */
typedef struct
{
  const TsBtfSource *source;
  const TsBtfTarget *target;
  const TsBtfEvent  *event;
} TsBtfTrio;

static TS_ALWAYS_INLINE TsBtfTrio
ts_btf_trio_at (const TsBtfLexicon *lexicon, const TsBtfSpots *spots)
{
  return (TsBtfTrio){ ts_btf_index_at (&lexicon->sources, spots->source),
                      ts_btf_index_at (&lexicon->targets, spots->target),
                      ts_btf_index_at (&lexicon->events, spots->event) };
}

static TS_ALWAYS_INLINE gboolean
ts_btf_is_of (const TsBtfLexicon *lexicon, const TsBtfSpots *spots, const TsBtfEnds *ends, const TsBtfFronts *fronts,
              TsBtfLevel level, gboolean is_loose)
{
  const TsBtfTrio trio = ts_btf_trio_at (lexicon, spots);

  return ts_btf_is_same (ts_btf_same_source (trio.source, ends, fronts, level, is_loose)
                         & ts_btf_same_target (lexicon, spots->target, ends, fronts, level, is_loose)
                         & ts_btf_same_event (trio.event, ends, is_loose));
}

static TS_ALWAYS_INLINE const TsBtfDeed *
ts_btf_deed_of (TsBtfTrio trio)
{
  return &trio.event->deeds[trio.target->goal.class];
}

/* Which numbers of such a line must not be odd. */
static TS_ALWAYS_INLINE guint32
ts_btf_odd_flags_of (const TsBtfDeed *deed)
{
  return TS_BTF_FIRST_IS_ODD | (deed->instance_mask & TS_BTF_SECOND_IS_ODD)
         | (deed->role == TS_BTF_RUNS ? TS_BTF_THIRD_IS_ODD : 0);
}

G_END_DECLS
