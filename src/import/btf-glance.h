/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/btf-lexicon.h"
#include "import/btf-map.h"
#include "import/btf-widths.h"

G_BEGIN_DECLS

/* Lines that are each looked at by themselves, since they are not like others in their widths, or may have something odd.
 * Each function of btf-quick.c has a copy of this for what its lines have in common. */

/* A mark that is there where there is no other. */
#define TS_BTF_HIGHEST ((guint64) 1 << (TS_MARKS_BLOCK - 1))

/* What all lines have in common, as far as it can be foreseen: each of it takes its time. */
typedef struct
{
  gboolean is_long;   /* texts may be longer than their ends, or have a blank at their end */
  gboolean is_longer; /* and longer than what is in front of these */
  gboolean is_split;  /* texts are known apart */
  gboolean is_wide;   /* lines may be wider than what is seen at once */
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
  const TsBtfEnds    *ends = &glance->pieces.ends;
  const TsBtfFronts  *fronts = &glance->pieces.fronts;
  const TsBtfLevel    level = look.is_longer ? TS_BTF_LONGEST : TS_BTF_WIDE;
  const TsBtfLexicon *lexicon = scan->lexicon;
  guint64             hash;

  if (!look.is_split)
    {
      glance->spots.target = ts_btf_index_place (&scan->patterns, ts_btf_hash_ends (ends, TS_BTF_WIDE));
      return;
    }
  hash = ts_btf_hash_target (ends, fronts, level);
  glance->hash = (guint32) (hash >> 32);
  ts_btf_index_fetch_place (&lexicon->targets, hash);
  glance->spots.source = ts_btf_index_place (&lexicon->sources, ts_btf_hash_source (ends, fronts, level));
  glance->spots.event = ts_btf_index_place (&lexicon->events, ts_btf_hash_event (ends));
}

/* Looks at the line whose time ends at @p. Returns where the next line begins; NULL: it is not for here. */
static TS_ALWAYS_INLINE const char *
ts_btf_glance_at (const TsBtfScan *scan, const TsBtfMap *map, const char *p, TsBtfLook look, TsBtfGlance *glance)
{
  const gsize   at = (gsize) (p - map->bytes);
  const guint64 time = look.is_wide ? ts_btf_all_marks_at (map->commas, at) : ts_btf_marks_at (map->commas, at);
  const guint64 source = ts_marks_but_first (time);
  const guint64 source_instance = ts_marks_but_first (source);
  guint64       behind, newline, target, instance;
  gsize         from, source_end, target_end, event_end, end, number, source_number, n, n_source;

  newline = look.is_wide ? ts_btf_all_marks_at (map->newlines, at) : ts_btf_marks_at (map->newlines, at);
  /* a comma is no end of a line: what is left of those that are in front of it */
  if (G_UNLIKELY (source_instance == 0) || G_UNLIKELY ((newline & (source_instance - 1)) != 0))
    return NULL;
  from = ts_marks_first (source_instance);
  behind = ts_btf_all_marks_at (map->commas, at + from);
  newline = ts_btf_all_marks_at (map->newlines, at + from);
  target = ts_marks_but_first (ts_marks_but_first (behind));
  target_end = from + ts_marks_first (target | TS_BTF_HIGHEST);
  if (look.is_wide)
    {
      if (G_UNLIKELY (target == 0) || G_UNLIKELY ((newline & (target - 1)) != 0))
        return NULL;
      from = target_end;
      target = ts_btf_all_marks_at (map->commas, at + from);
      newline = ts_btf_all_marks_at (map->newlines, at + from);
    }
  instance = ts_marks_but_first (target);
  if (G_UNLIKELY ((time & 1) == 0) || G_UNLIKELY (newline == 0) || G_UNLIKELY ((instance & (newline - 1)) == 0))
    return NULL;
  source_end = ts_marks_first (source);
  source_number = ts_marks_first (source_instance);
  number = from + ts_marks_first (instance);
  end = from + ts_marks_first (newline);
  event_end = look.is_any ? from + ts_marks_first (ts_marks_but_first (instance) | newline) : end;
  if (look.is_long)
    {
      source_end += scan->blank;
      target_end += scan->blank;
    }
  n = number - target_end;
  n_source = source_number - source_end;
  if (ts_btf_have_odd_lengths (n, n_source, look.is_any)
      /* a note, or a long word: of that only the last bytes are compared, and a note may end like an event */
      || (!look.is_any && G_UNLIKELY (end - number >= TS_BTF_END))
      || G_UNLIKELY (!ts_btf_has_high (scan, p)))
    return NULL;
  glance->time = p;
  ts_btf_three_numbers (p, scan->time_mask, p + number, ts_btf_number_mask (n), p + source_number,
                        ts_btf_number_mask (n_source), look.is_any, &glance->numbers);
  glance->pieces.ends.source = ts_btf_end (p + source_end + 1, source_end + 1);
  glance->pieces.ends.target = ts_btf_end (p + target_end + 1, target_end + 1 - source_number);
  glance->pieces.ends.event = ts_btf_end (p + event_end + 1, event_end + 1 - number);
  if (look.is_long)
    {
      glance->pieces.ends.before_source = ts_btf_before_end (p + source_end + 1, source_end + 1);
      glance->pieces.ends.before_target = ts_btf_before_end (p + target_end + 1, target_end + 1 - source_number);
    }
  if (look.is_longer)
    glance->pieces.fronts
        = ts_btf_fronts (p, &(TsBtfMarks){ source_end, source_number, target_end, number, event_end });
  ts_btf_place_glance (scan, look, glance);
  if (look.is_any)
    {
      glance->event_end = p + event_end;
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
          || !ts_btf_take_known_way (btf, known.way - run->n_changes, ts_btf_is_of_runnable (act), glance->event_end,
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
                                 look.is_longer ? TS_BTF_LONGEST : TS_BTF_WIDE)))
    {
      pieces = glance->pieces;
      if (!look.is_longer)
        pieces.fronts = (TsBtfFronts){ { { 0 } } };
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
