/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/btf-lexicon.h"
#include "import/btf-map.h"
#include "import/btf-widths.h"

G_BEGIN_DECLS

/* Lines that are each looked at by themselves, since they are not like others in their widths, or may have something odd.
 * Each function of btf-quick.c has a copy of this for what its lines have in common. */

/* What all lines have in common, as far as it can be foreseen: each of it takes its time. */
typedef struct
{
  gboolean is_long;   /* texts may be longer than their ends, or have a blank at their end */
  gboolean is_longer; /* and longer than what is in front of these */
  gboolean is_split;  /* texts are known apart */
  gboolean is_wide;   /* lines may be wider than what is seen at once, and names longer than all pieces that are compared */
  gboolean is_any;    /* they may have notes, no instances, or sources with something else than an instance */
} TsBtfLook;

/* A line that was looked at. */
typedef struct
{
  const char *time;      /* its end */
  const char *event_end; /* this and the lengths, with one more, only where there is any line */
  gsize       n_instance, n_source_instance;
  guint32     hash;  /* of the target, the upper half; only where texts are known apart */
  TsBtfSpots  spots; /* that of the target is that of its pattern, if it has one */
  TsBtfThree  numbers; /* its time, as far as that changes, instance, and instance of the source */
  TsBtfPieces pieces;
} TsBtfGlance;

/* Of a number that is counted with one more. */
static TS_ALWAYS_INLINE const guint8 *
ts_btf_number_mask (gsize n)
{
  return ts_btf_mask (n, TS_BTF_WORD_BYTES) - 1;
}

/* Whether one of two of these is of no plain number: what is empty is odd where not any line is expected. */
static TS_ALWAYS_INLINE gboolean
ts_btf_have_odd_lengths (gsize n, gsize n_source, gboolean is_any)
{
  if (is_any)
    return G_UNLIKELY (MAX (n, n_source) > TS_BTF_WORD_BYTES + 1);
  return G_UNLIKELY (((n - 2) | (n_source - 2)) >= TS_BTF_WORD_BYTES);
}

static TS_ALWAYS_INLINE void
ts_btf_place_glance (const TsBtfScan *scan, TsBtfLook look, TsBtfGlance *glance)
{
  const TsBtfLexicon *lexicon = scan->lexicon;
  TsBtfHashes         hashes;

  if (!look.is_split)
    {
      glance->spots.target = ts_btf_index_place (&scan->patterns, ts_btf_hash_ends (&glance->pieces.ends, TS_BTF_WIDE));
      return;
    }
  hashes = ts_btf_hashes_of (&glance->pieces, look.is_longer ? TS_BTF_LONGEST : TS_BTF_WIDE, look.is_wide);
  glance->hash = (guint32) (hashes.target >> 32);
  ts_btf_index_fetch_place (&lexicon->targets, hashes.target);
  glance->spots.source = ts_btf_index_place (&lexicon->sources, hashes.source);
  glance->spots.event = ts_btf_index_place (&lexicon->events, hashes.event);
}

/* The marks of a map that are in sight from one byte on. */
typedef struct
{
  guint64 near, far; /* in the first block, and in the one behind it */
} TsBtfInSight;

static TS_ALWAYS_INLINE TsBtfInSight
ts_btf_in_sight (const char *marks, gsize at)
{
  return (TsBtfInSight){ ts_btf_all_marks_at (marks, at), ts_btf_all_marks_at (marks, at + TS_MARKS_BLOCK) };
}

/* Where the first one is; if there is none, where the last byte is. Which block has it is foreseen by nobody. */
static TS_ALWAYS_INLINE gsize
ts_btf_first_in_sight (guint64 near, guint64 far)
{
  const guint64 marks = near != 0 ? near : far | (guint64) 1 << (TS_MARKS_BLOCK - 1);

  return (near != 0 ? 0 : TS_MARKS_BLOCK) + ts_marks_first (marks);
}

/* Where the fields end of a line whose names may be longer than a block; @at is where its time does. Returns where the line
 * does; 0: it is not for here. */
static TS_ALWAYS_INLINE gsize
ts_btf_see_wide (const TsBtfMap *map, gsize at, gboolean is_any, TsBtfMarks *marks)
{
  const TsBtfInSight time = ts_btf_in_sight (map->commas, at);
  const gsize        source = ts_btf_first_in_sight (ts_marks_but_first (time.near), time.far);
  const TsBtfInSight behind = ts_btf_in_sight (map->commas, at + source), ends = ts_btf_in_sight (map->newlines, at + source);
  const guint64      source_instance = ts_marks_but_first (behind.near), type = ts_marks_but_first (source_instance);
  const gsize        target = source + ts_btf_first_in_sight (ts_marks_but_first (type), behind.far);
  const guint64      last = ts_btf_all_marks_at (map->commas, at + target), instance = ts_marks_but_first (last);
  const guint64      newline = ts_btf_all_marks_at (map->newlines, at + target);

  /* there may be an end of a line in front of the number of a source, which not each line asks for; texts that have one are
   * like none, as are those that are not all in sight, but to find that out later takes longer */
  if (G_UNLIKELY ((time.near & behind.near & last & 1) == 0) || G_UNLIKELY (type == 0) || G_UNLIKELY (newline == 0)
      || G_UNLIKELY ((instance & (newline - 1)) == 0)
      || G_UNLIKELY (source + ts_btf_first_in_sight (ends.near, ends.far) < target))
    return 0;
  *marks = (TsBtfMarks){ source, source + ts_marks_first (source_instance), target, target + ts_marks_first (instance),
                         target + ts_marks_first (is_any ? ts_marks_but_first (instance) | newline : newline) };
  return target + ts_marks_first (newline);
}

/* The same of a line whose marks up to the number of its source are in sight from one byte on, and all others from there. */
static TS_ALWAYS_INLINE gsize
ts_btf_see_near (const TsBtfMap *map, gsize at, gboolean is_any, TsBtfMarks *marks)
{
  const guint64 time = ts_btf_marks_at (map->commas, at), source = ts_marks_but_first (time);
  const guint64 source_instance = ts_marks_but_first (source);
  guint64       newline = ts_btf_marks_at (map->newlines, at), target, instance;
  gsize         from;

  /* a comma is no end of a line: what is left of those that are in front of it */
  if (G_UNLIKELY (source_instance == 0) || G_UNLIKELY ((newline & (source_instance - 1)) != 0))
    return 0;
  from = ts_marks_first (source_instance);
  target = ts_marks_but_first (ts_marks_but_first (ts_btf_all_marks_at (map->commas, at + from)));
  newline = ts_btf_all_marks_at (map->newlines, at + from);
  instance = ts_marks_but_first (target);
  if (G_UNLIKELY ((time & 1) == 0) || G_UNLIKELY (newline == 0) || G_UNLIKELY ((instance & (newline - 1)) == 0))
    return 0;
  *marks = (TsBtfMarks){ ts_marks_first (source), from, from + ts_marks_first (target), from + ts_marks_first (instance),
                         from + ts_marks_first (is_any ? ts_marks_but_first (instance) | newline : newline) };
  return from + ts_marks_first (newline);
}

/* Looks at the line whose time ends at @p. Returns where the next line begins; NULL: it is not for here. */
static TS_ALWAYS_INLINE const char *
ts_btf_glance_at (const TsBtfScan *scan, const TsBtfMap *map, const char *p, TsBtfLook look, TsBtfGlance *glance)
{
  const gsize  map_at = (gsize) (p - map->bytes);
  TsBtfMarks   at;
  TsBtfPieces *pieces = &glance->pieces;
  const gsize  end = look.is_wide ? ts_btf_see_wide (map, map_at, look.is_any, &at)
                                  : ts_btf_see_near (map, map_at, look.is_any, &at);
  gsize        n, n_source;

  if (G_UNLIKELY (end == 0))
    return NULL;
  if (look.is_long)
    {
      at.source += scan->blank;
      at.target += scan->blank;
    }
  n = at.instance - at.target;
  n_source = at.source_instance - at.source;
  if (ts_btf_have_odd_lengths (n, n_source, look.is_any)
      /* a note, or a long word: of that only the last bytes are compared, and a note may end like an event */
      || (!look.is_any && G_UNLIKELY (end - at.instance >= TS_BTF_END))
      || G_UNLIKELY (!ts_btf_has_high (scan, p)))
    return NULL;
  glance->time = p;
  ts_btf_three_numbers (p, scan->time_mask, p + at.instance, ts_btf_number_mask (n), p + at.source_instance,
                        ts_btf_number_mask (n_source), look.is_any, &glance->numbers);
  pieces->ends = ts_btf_ends (p, &at, look.is_long);
  if (look.is_longer)
    pieces->fronts = ts_btf_fronts (p, &at);
  if (look.is_wide)
    {
      pieces->source = ts_btf_source_text (p, &at);
      pieces->target = ts_btf_target_text (p, &at);
    }
  ts_btf_place_glance (scan, look, glance);
  if (look.is_any)
    {
      glance->event_end = p + at.event;
      glance->n_instance = n;
      glance->n_source_instance = n_source;
    }
  return p + end + 1;
}

/* FALSE: it is not for here, and nothing has changed. */
static TS_ALWAYS_INLINE gboolean
ts_btf_take_glanced (TsBtf *btf, const TsBtfScan *scan, TsBtfRun *run, const TsBtfGlance *glance, TsBtfLook look,
                     TsBtfKnown known, const TsBtfAct *act)
{
  const guint16 core = run->places[act->source].core;
  guint64       number_bits;
  guint32       number;

  if (G_UNLIKELY ((glance->numbers.odd & known.odd_flags) != 0) || G_UNLIKELY (core == TS_NO_RESOURCE))
    return FALSE;
  if (look.is_any && G_UNLIKELY (known.way == run->n_changes + TS_BTF_OF_NOTE))
    {
      run->event->time = (scan->high + glance->numbers.number[0]) * scan->factor;
      return ts_btf_write_interval (btf, run, act, core, glance->event_end);
    }
  if (G_UNLIKELY (known.way != run->n_changes)
      && (!look.is_any
          || !ts_btf_take_other_way (btf, known.way - run->n_changes, ts_btf_is_of_runnable (act), glance->event_end,
                                     &glance->spots)))
    return FALSE;
  number = glance->numbers.number[1];
  number_bits = ts_btf_number_bits_of (glance->numbers.number[3], FALSE);
  if (look.is_any && glance->n_instance == 1)
    {
      btf->has_anonymous |= act->instance_mask != 0;
      number = (guint32) TS_NO_INSTANCE;
    }
  if (look.is_any && glance->n_source_instance == 1)
    number_bits = TS_BTF_BUT_NUMBER;
  ts_btf_write_event (run, act, core, (scan->high + glance->numbers.number[0]) * scan->factor, number, number_bits);
  return TRUE;
}

static TS_ALWAYS_INLINE gboolean
ts_btf_take_glance (TsBtf *btf, const TsBtfScan *scan, TsBtfRun *run, TsBtfBases bases, TsBtfGlance *glance,
                    TsBtfLook look)
{
  const TsBtfPattern *pattern;
  TsBtfPieces         pieces;
  TsBtfAct            act;
  TsBtfKnown          known;

  if (!look.is_split)
    {
      pattern = ts_btf_find_ends (scan, &glance->spots.target, &glance->pieces.ends);
      return pattern != NULL
             && ts_btf_take_glanced (btf, scan, run, glance, look,
                                     (TsBtfKnown){ pattern->effect.way, pattern->effect.flags }, &pattern->effect.act);
    }
  if (G_UNLIKELY (!ts_btf_is_of (bases, &glance->spots, &glance->pieces.ends, &glance->pieces.fronts,
                                 look.is_longer ? TS_BTF_LONGEST : TS_BTF_WIDE))
      || (look.is_wide && G_UNLIKELY (!ts_btf_have_rests (scan->lexicon, &glance->spots, &glance->pieces))))
    {
      pieces = glance->pieces;
      if (!look.is_longer)
        pieces.fronts = (TsBtfFronts){ { { 0 } } };
      if (!look.is_wide)
        pieces.source = pieces.target = (TsBtfText){ NULL, 0 };
      if (!ts_btf_lexicon_find (btf, &pieces, &glance->spots))
        return FALSE;
    }
  act = ts_btf_compose (btf, run, bases, &glance->spots, &known);
  return ts_btf_take_glanced (btf, scan, run, glance, look, known, &act);
}

/* Takes up to @n_most lines that begin up to @stop, from *begin on. FALSE: the next one is not for here. */
static TS_ALWAYS_INLINE gboolean
ts_btf_take_some (TsBtf *btf, const TsBtfMap *map, TsBtfRun *run, const char **begin, const char *stop, gsize n_most,
                  TsBtfLook look)
{
  const TsBtfScan *scan = btf->scan;
  const gsize      n_time = scan->n_time, n_free = (gsize) (run->end - run->event);
  const TsBtfBases bases = look.is_split ? ts_btf_bases_of (scan->lexicon) : (TsBtfBases){ NULL };
  const char      *p = *begin + n_time, *next;
  TsBtfGlance      glances[TS_BTF_USUALS], *end = glances + MIN (n_most, n_free), *seen, *taken;

  stop += n_time;
  for (seen = glances; seen < end && p <= stop; seen++)
    {
      next = ts_btf_glance_at (scan, map, p, look, seen);
      if (G_UNLIKELY (next == NULL))
        break;
      p = next + n_time;
    }
  if (look.is_split)
    for (taken = glances; taken < seen; taken++)
      taken->spots.target = ts_btf_fetch_target (scan->lexicon, taken->hash, taken->spots.source);
  for (taken = glances; taken < seen; taken++)
    if (G_UNLIKELY (!ts_btf_take_glance (btf, scan, run, bases, taken, look)))
      break;
  if (G_UNLIKELY (taken < seen))
    p = taken->time;
  *begin = p - n_time;
  if (G_UNLIKELY (run->event == run->end))
    run->event = ts_btf_pass_batch (btf);
  return taken == end || p > stop;
}

G_END_DECLS
