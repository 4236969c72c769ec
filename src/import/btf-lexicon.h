/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/btf-run.h"
#include "import/btf-scan.h"

G_BEGIN_DECLS

/* A line is of a source, a target and an event. Where there are more than a few kinds of lines, or any text is long,
 * what each of these is is known by itself, and put together line by line: functions that are called from everywhere
 * have more callers than can be known, and of thousands of elements little should have to be known. */

typedef struct
{
  TsBtfEnd  end, before_end;
  guint32   way; /* as in a TsBtfEffect */
  TsBtfPart parts[TS_BTF_N_ROLES];
  TsBtfEnd  fronts[2];
} __attribute__ ((aligned (4 * TS_CACHE_LINE))) TsBtfSource;

/* In one line of the cache: of these there are many. */
typedef struct
{
  TsBtfEnd  end, before_end;
  TsBtfGoal goal;
  guint32   deed; /* where that of its class is in an event, in bytes */
} __attribute__ ((aligned (TS_CACHE_LINE))) TsBtfTarget;

/* What is in front of that, of few targets. */
typedef struct
{
  TsBtfEnd fronts[2];
} TsBtfTargetFront;

typedef struct
{
  TsBtfEnd  end;
  guint     known; /* bit 1 << TsBtfClass: it came for a target of this class, so that it has a deed */
  TsBtfDeed deeds[TS_BTF_N_CLASSES];
} __attribute__ ((aligned (TS_CACHE_LINE))) TsBtfEvent;

G_STATIC_ASSERT (sizeof (TsBtfSource) == 4 * TS_CACHE_LINE);
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

/* Pieces of texts are @texts with @flags; @text: the event, if that is long. */
void ts_btf_lexicon_learn (TsBtf *btf, const TsBtfPieces *pieces, const TsBtfTexts *texts, guint32 flags,
                           TsBtfText text);

/* Where those of a line with these pieces are, as they are now. FALSE: one of them is not known. */
gboolean ts_btf_lexicon_find (TsBtf *btf, const TsBtfPieces *pieces, TsBtfSpots *spots);
/* Finds out anew what is out of date, or counted otherwise than before. */
void ts_btf_lexicon_renew (TsBtf *btf, const TsBtfSpots *spots);
/* The pattern that is made of them. */
TsBtfPattern *ts_btf_lexicon_compose (TsBtf *btf, const TsBtfSpots *spots);

/* What is not of the level counts as nothing, which it is. */

/* Each half by a factor of its own: many names are alike but for some digits, and what these come to in the sum of both
 * halves is alike, too. */
static TS_ALWAYS_INLINE guint64
ts_btf_hash_piece (TsBtfEnd piece)
{
#ifdef __SSE2__
  const __m128i both = (__m128i) piece;

  return (guint64) _mm_cvtsi128_si64 (both) * G_GUINT64_CONSTANT (0xd6e8feb86659fd93)
         + (guint64) _mm_cvtsi128_si64 (_mm_unpackhi_epi64 (both, both)) * TS_BTF_FACTOR;
#else
  return piece[0] * G_GUINT64_CONSTANT (0xd6e8feb86659fd93) + piece[1] * TS_BTF_FACTOR;
#endif
}

/* Each half of a piece turned by @n bits: none gets lost, as that of the one digit in which names differ. */
static TS_ALWAYS_INLINE TsBtfEnd
ts_btf_turn_piece (TsBtfEnd piece, guint n)
{
  return piece >> n | piece << (64 - n);
}

static TS_ALWAYS_INLINE guint64
ts_btf_hash_source (const TsBtfEnds *ends, const TsBtfFronts *fronts, TsBtfLevel level)
{
  TsBtfEnd all = ends->source;

  if (level >= TS_BTF_WIDE)
    all ^= ends->before_source >> 2;
  if (level >= TS_BTF_LONGEST)
    all ^= ts_btf_turn_piece (fronts->source[0], 3) ^ ts_btf_turn_piece (fronts->source[1], 5);
  return ts_btf_hash_piece (all);
}

static TS_ALWAYS_INLINE guint64
ts_btf_hash_target (const TsBtfEnds *ends, const TsBtfFronts *fronts, TsBtfLevel level)
{
  TsBtfEnd all = ends->target;

  /* many long names end alike */
  if (level >= TS_BTF_LONG_TARGET)
    all ^= ends->before_target >> 1;
  if (level >= TS_BTF_LONGER)
    all ^= ts_btf_turn_piece (fronts->target[0], 3);
  if (level >= TS_BTF_LONGEST)
    all ^= ts_btf_turn_piece (fronts->target[1], 5);
  return ts_btf_hash_piece (all);
}

/* What is in front of all pieces of a text: of functions with their arguments, only that may differ. */
static inline guint64
ts_btf_hash_rest (TsBtfText text)
{
  guint64 all = 0;

  if (G_LIKELY (text.length <= TS_BTF_MAX_FRONT))
    return 0;
  for (gsize i = 0; i < text.length - TS_BTF_MAX_FRONT; i += 8)
    all = (all << 7 | all >> 57) ^ ts_eight_load (text.begin + i);
  return all * TS_BTF_FACTOR;
}

static TS_ALWAYS_INLINE guint64
ts_btf_hash_event (const TsBtfEnds *ends)
{
  return ts_btf_fold (ends->event) * TS_BTF_FACTOR;
}

typedef struct
{
  guint64 source, target, event;
} TsBtfHashes;

/* As many pieces count as @level says, and what is in front of all, if @has_rests: other texts have none of these. */
static TS_ALWAYS_INLINE TsBtfHashes
ts_btf_hashes_of (const TsBtfPieces *pieces, TsBtfLevel level, gboolean has_rests)
{
  return (TsBtfHashes){ ts_btf_hash_source (&pieces->ends, &pieces->fronts, level)
                            + (has_rests ? ts_btf_hash_rest (pieces->source) : 0),
                        ts_btf_hash_target (&pieces->ends, &pieces->fronts, level)
                            + (has_rests ? ts_btf_hash_rest (pieces->target) : 0),
                        ts_btf_hash_event (&pieces->ends) };
}

/* Where they are looked for first. */
static TS_ALWAYS_INLINE TsBtfSpots
ts_btf_spots_of (const TsBtfLexicon *lexicon, const TsBtfHashes *hashes)
{
  return (TsBtfSpots){ ts_btf_index_place (&lexicon->sources, hashes->source),
                       ts_btf_index_place (&lexicon->targets, hashes->target),
                       ts_btf_index_place (&lexicon->events, hashes->event) };
}

static TS_ALWAYS_INLINE TsBtfSame
ts_btf_same_source (const TsBtfSource *source, const TsBtfEnds *ends, const TsBtfFronts *fronts, TsBtfLevel level)
{
  TsBtfSame same = ts_btf_same_piece (source->end, ends->source);

  if (level >= TS_BTF_WIDE)
    same &= ts_btf_same_piece (source->before_end, ends->before_source);
  if (level >= TS_BTF_LONGEST)
    same &= ts_btf_same_piece (source->fronts[0], fronts->source[0])
            & ts_btf_same_piece (source->fronts[1], fronts->source[1]);
  return same;
}

static TS_ALWAYS_INLINE TsBtfSame
ts_btf_same_target (const TsBtfTarget *target, const TsBtfTargetFront *front, const TsBtfEnds *ends,
                    const TsBtfFronts *fronts, TsBtfLevel level)
{
  TsBtfSame same = ts_btf_same_piece (target->end, ends->target);

  if (level >= TS_BTF_LONG_TARGET)
    same &= ts_btf_same_piece (target->before_end, ends->before_target);
  if (level >= TS_BTF_LONGER)
    same &= ts_btf_same_piece (front->fronts[0], fronts->target[0]);
  if (level >= TS_BTF_LONGEST)
    same &= ts_btf_same_piece (front->fronts[1], fronts->target[1]);
  return same;
}

static TS_ALWAYS_INLINE TsBtfSame
ts_btf_same_event (const TsBtfEvent *event, const TsBtfEnds *ends)
{
  return ts_btf_same_piece (event->end, ends->event);
}

/* Whether all of a text is that of @place, the last pieces of which it has. */
static inline gboolean
ts_btf_has_rest (const TsBtfIndex *index, guint32 place, TsBtfText text)
{
  const char *kept;

  /* all begin with a comma: where that is one of the pieces, or in front of it is nothing, a longer one has part of a name */
  if (text.length <= TS_BTF_MAX_FRONT)
    return TRUE;
  kept = ts_btf_index_kept (index, place)->text;
  return (guint8) *kept == text.length && memcmp (kept + 1, text.begin, text.length - TS_BTF_MAX_FRONT) == 0;
}

static TS_ALWAYS_INLINE gboolean
ts_btf_have_rests (const TsBtfLexicon *lexicon, const TsBtfSpots *spots, const TsBtfPieces *pieces)
{
  /* mostly neither is so long */
  if (MAX (pieces->source.length, pieces->target.length) <= TS_BTF_MAX_FRONT)
    return TRUE;
  return ts_btf_has_rest (&lexicon->sources, spots->source, pieces->source)
         && ts_btf_has_rest (&lexicon->targets, spots->target, pieces->target);
}

/* Where the first records are: they do not move while lines are taken. */
typedef struct
{
  const char             *sources, *targets, *events;
  const TsBtfTargetFront *fronts;
} TsBtfBases;

static TS_ALWAYS_INLINE TsBtfBases
ts_btf_bases_of (const TsBtfLexicon *lexicon)
{
  return (TsBtfBases){ lexicon->sources.records, lexicon->targets.records, lexicon->events.records, lexicon->fronts };
}

static TS_ALWAYS_INLINE const TsBtfSource *
ts_btf_source_at (TsBtfBases bases, const TsBtfSpots *spots)
{
  return (const TsBtfSource *) (gconstpointer) (bases.sources + spots->source);
}

static TS_ALWAYS_INLINE const TsBtfTarget *
ts_btf_target_at (TsBtfBases bases, const TsBtfSpots *spots)
{
  return (const TsBtfTarget *) (gconstpointer) (bases.targets + spots->target);
}

static TS_ALWAYS_INLINE const TsBtfEvent *
ts_btf_event_at (TsBtfBases bases, const TsBtfSpots *spots)
{
  return (const TsBtfEvent *) (gconstpointer) (bases.events + spots->event);
}

static TS_ALWAYS_INLINE gboolean
ts_btf_is_of (TsBtfBases bases, const TsBtfSpots *spots, const TsBtfEnds *ends, const TsBtfFronts *fronts,
              TsBtfLevel level)
{
  const TsBtfTarget *target = ts_btf_target_at (bases, spots);

  return ts_btf_is_same (
      ts_btf_same_source (ts_btf_source_at (bases, spots), ends, fronts, level)
      & ts_btf_same_target (target, &bases.fronts[spots->target / sizeof *target], ends, fronts, level)
      & ts_btf_same_event (ts_btf_event_at (bases, spots), ends));
}

/* What a line is about. */
typedef struct
{
  const TsBtfDeed *deed;
  const TsBtfGoal *goal;
  const TsBtfPart *part;
  guint32          source_way;
} TsBtfTrio;

static TS_ALWAYS_INLINE TsBtfTrio
ts_btf_trio_at (TsBtfBases bases, const TsBtfSpots *spots)
{
  const TsBtfSource *source = ts_btf_source_at (bases, spots);
  const TsBtfTarget *target = ts_btf_target_at (bases, spots);
  const TsBtfDeed   *deed = (gconstpointer) (bases.events + spots->event + target->deed);

  return (TsBtfTrio){ deed, &target->goal, (gconstpointer) ((const char *) source->parts + deed->part), source->way };
}

/* What is known of a line, but for what it does. */
typedef struct
{
  guint32 way;
  guint32 odd_flags; /* which of its numbers must not be odd */
} TsBtfKnown;

/* What a line of texts that are known apart does. */
static TS_ALWAYS_INLINE TsBtfAct
ts_btf_compose (TsBtf *btf, const TsBtfRun *run, TsBtfBases bases, const TsBtfSpots *spots, TsBtfKnown *known)
{
  const TsBtfTrio trio = ts_btf_trio_at (bases, spots);

  *known = (TsBtfKnown){ run->n_changes, ts_btf_odd_flags_of (trio.deed) };
  if (G_UNLIKELY (ts_btf_is_odd_act (trio.deed, trio.goal, trio.source_way, run->n_changes)))
    {
      ts_btf_lexicon_renew (btf, spots);
      known->way = ts_btf_way_of (trio.deed, trio.goal);
    }
  return ts_btf_act_of (trio.deed, trio.goal, trio.part);
}

/* What is far is asked for some lines before it is needed: first the place of a target, then that and the source. */
static TS_ALWAYS_INLINE guint32
ts_btf_fetch_target (const TsBtfLexicon *lexicon, guint32 hash, guint32 source)
{
  const guint32 place = ts_btf_index_place_of_two (&lexicon->targets, hash);

  __builtin_prefetch (ts_btf_index_at (&lexicon->targets, place));
  __builtin_prefetch (ts_btf_index_at (&lexicon->sources, source));
  return place;
}

G_END_DECLS
