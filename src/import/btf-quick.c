/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf-lexicon.h"
#include "import/btf-map.h"
#include "import/btf-run.h"
#include "import/btf-widths.h"

/* Lines that have nothing odd: of known texts that do the same each time, and with numbers of up to eight digits; all
 * others are left to btf-scan.c.
 *
 * A processor has some hundred instructions in work at once, which is two lines, and what one line needs is done one
 * after the other: so it would mostly wait. Instead, commas and ends of lines are first marked in a map, for some
 * kilobytes at a time; then some lines are looked at, for which only the end of the line before is needed; and then
 * these are taken, each of them by an address that is known by then. Nothing that is odd is asked for in between but
 * whether there is any, so that what the odd ones need takes no registers here. */

#define WORD TS_BTF_WORD_BYTES
#define AT_ONCE TS_BTF_USUALS
#define FEW_AT_ONCE 2
/* One in so many lines may be odd where more than a few kinds of them can be looked at. */
#define FEW_ODD 64
/* One in so many lines may make some be looked at twice where that is not asked for in each. */
#define FEW_CAREFUL 1024
#define SOME_CAREFUL 16
/* Of a map, as long as much of what is looked at is in vain. */
#define FEW_MAP_BLOCKS 8

/* From the beginning of a line on: its time, and what is looked at behind that and behind the number of its source. */
#define MAP_MARGIN (TS_BTF_MAX_DIGITS + 2 * TS_MARKS_BLOCK + 8)
#define WIDE_MARGIN (MAP_MARGIN + TS_MARKS_BLOCK)
/* A mark that is there where there is no other. */
#define HIGHEST ((guint64) 1 << (TS_MARKS_BLOCK - 1))

/* What all lines have in common, as far as it can be foreseen: each of it takes its time. */
typedef struct
{
  gboolean is_long;   /* texts may be longer than their ends, or have a blank at their end */
  gboolean is_longer; /* and longer than what is in front of these */
  gboolean is_split;  /* texts are known apart */
  gboolean is_wide;   /* lines may be wider than what is seen at once */
  gboolean is_any;    /* they may have notes, no instances, or sources with something else than an instance */
  gboolean is_loose;  /* there may be blanks behind commas */
  gboolean has_odd;   /* some have other numbers than plain ones */
} Look;

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
} Glance;

/* Of a number that is counted with one more. */
static TS_ALWAYS_INLINE const guint8 *
digits_mask (gsize n)
{
  return ts_btf_mask (n, WORD) - 1;
}

/* What is far is asked for some lines before it is needed: first the place of a target, then the target. */
static TS_ALWAYS_INLINE void
place_line (const TsBtfScan *scan, Look look, Glance *glance)
{
  const TsBtfEnds    *ends = &glance->pieces.ends;
  const TsBtfFronts  *fronts = &glance->pieces.fronts;
  const TsBtfLevel    level = look.is_longer ? TS_BTF_LONGEST : TS_BTF_WIDE;
  const TsBtfLexicon *lexicon = scan->lexicon;
  guint64             hash;

  if (!look.is_split)
    {
      glance->spots.target = ts_btf_index_place (&scan->patterns, ts_btf_hash_ends (ends));
      return;
    }
  hash = ts_btf_hash_target (ends, fronts, level, look.is_loose);
  glance->hash = (guint32) (hash >> 32);
  ts_btf_index_fetch_place (&lexicon->targets, hash);
  glance->spots.source
      = ts_btf_index_place (&lexicon->sources, ts_btf_hash_source (ends, fronts, level, look.is_loose));
  glance->spots.event = ts_btf_index_place (&lexicon->events, ts_btf_hash_event (ends, look.is_loose));
}

static TS_ALWAYS_INLINE guint32
fetch_target (const TsBtfLexicon *lexicon, guint32 hash)
{
  const guint32 place = ts_btf_index_place_of_two (&lexicon->targets, hash);

  __builtin_prefetch (ts_btf_index_at (&lexicon->targets, place));
  return place;
}

/* Looks at the line whose time ends at @p. Returns where the next line begins; NULL: it is not for here. */
static TS_ALWAYS_INLINE const char *
see_line (const TsBtfScan *scan, const TsBtfMap *map, const char *p, Look look, Glance *glance)
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
  target_end = from + ts_marks_first (target | HIGHEST);
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
  /* what is empty is odd where not any line is expected */
  if ((look.is_any ? G_UNLIKELY (MAX (n, n_source) > WORD + 1) : G_UNLIKELY (((n - 2) | (n_source - 2)) >= WORD))
      /* a note, or a long word: of that only the last bytes are compared, and a note may end like an event */
      || (!look.is_any && G_UNLIKELY (end - number >= TS_BTF_END))
      || G_UNLIKELY (!ts_btf_has_high (scan, p)))
    return NULL;
  glance->time = p;
  ts_btf_three_numbers (p, scan->time_mask, p + number, digits_mask (n), p + source_number, digits_mask (n_source),
                        look.is_any, &glance->numbers);
  glance->pieces.ends.source = ts_btf_end (p + source_end + 1, source_end + 1);
  glance->pieces.ends.target = ts_btf_end (p + target_end + 1, target_end + 1 - source_number);
  glance->pieces.ends.event = ts_btf_end (p + event_end + 1, event_end + 1 - number);
  if (look.is_long)
    {
      glance->pieces.ends.before_source = ts_btf_before_end (p + source_end + 1, source_end + 1);
      glance->pieces.ends.before_target = ts_btf_before_end (p + target_end + 1, target_end + 1 - source_number);
    }
  if (look.is_longer)
    glance->pieces.fronts = ts_btf_fronts (p, &(TsBtfMarks){ source_end, source_number, target_end, number, event_end, 0 });
  place_line (scan, look, glance);
  if (look.is_any)
    {
      glance->event_end = p + event_end;
      glance->n_instance = n;
      glance->n_source_instance = n_source;
    }
  return p + end + 1;
}

/* The length of what is behind a comma that is @at and has @length bytes with its end, without the blanks in front. */
static TS_ALWAYS_INLINE gsize
without_blanks (const TsBtfMap *map, gsize at, gsize length)
{
  return length - ts_marks_first (~ts_btf_marks_at (map->blanks, at + 1));
}

/* Looks at a line likewise where there may be blanks in front of fields. Those that are behind them make it an odd one,
 * as no text that is known ends with one. */
static TS_ALWAYS_INLINE const char *
see_loose_line (const TsBtfScan *scan, const TsBtfMap *map, const char *p, Look look, Glance *glance)
{
  const gsize at = (gsize) (p - map->bytes);
  guint64     marks = look.is_wide ? ts_btf_all_marks_at (map->commas, at) : ts_btf_marks_at (map->commas, at);
  guint64     newline = look.is_wide ? ts_btf_all_marks_at (map->newlines, at) : ts_btf_marks_at (map->newlines, at);
  gsize       from, source_number, number, end, n, n_source;
  TsBtfLoose  texts;

  marks = ts_marks_but_first (marks);
  texts.source = texts.n_source = ts_marks_first (marks | HIGHEST);
  marks = ts_marks_but_first (marks);
  /* a comma is no end of a line: what is left of those that are in front of it */
  if (G_UNLIKELY (*p != ',') || G_UNLIKELY (marks == 0) || G_UNLIKELY ((newline & (marks - 1)) != 0))
    return NULL;
  from = source_number = ts_marks_first (marks);
  marks = ts_marks_but_first (ts_btf_all_marks_at (map->commas, at + from));
  newline = ts_btf_all_marks_at (map->newlines, at + from);
  texts.n_type = ts_marks_first (marks | HIGHEST);
  texts.type = from + texts.n_type;
  marks = ts_marks_but_first (marks);
  texts.target = from + ts_marks_first (marks | HIGHEST);
  texts.n_target = texts.target - texts.type;
  if (look.is_wide)
    {
      if (G_UNLIKELY (marks == 0) || G_UNLIKELY ((newline & (marks - 1)) != 0))
        return NULL;
      from = texts.target;
      marks = ts_btf_all_marks_at (map->commas, at + from);
      newline = ts_btf_all_marks_at (map->newlines, at + from);
    }
  marks = ts_marks_but_first (marks);
  if (G_UNLIKELY (newline == 0) || G_UNLIKELY ((marks & (newline - 1)) == 0))
    return NULL;
  number = from + ts_marks_first (marks);
  end = from + ts_marks_first (newline);
  texts.event = look.is_any ? from + ts_marks_first (ts_marks_but_first (marks) | newline) : end;
  texts.n_event = texts.event - number;
  n_source = without_blanks (map, at + texts.source, source_number - texts.source);
  n = without_blanks (map, at + texts.target, number - texts.target);
  if ((look.is_any ? G_UNLIKELY (MAX (n, n_source) > WORD + 1) : G_UNLIKELY (((n - 2) | (n_source - 2)) >= WORD))
      || G_UNLIKELY (!ts_btf_loose_is_whole (p, &texts, look.is_longer))
      || G_UNLIKELY (!ts_btf_has_high (scan, p)))
    return NULL;
  glance->time = p;
  ts_btf_three_numbers (p, scan->time_mask, p + number, digits_mask (n), p + source_number, digits_mask (n_source),
                        look.is_any, &glance->numbers);
  glance->pieces.ends = ts_btf_loose_ends (p, &texts, look.is_longer);
  if (look.is_longer)
    glance->pieces.fronts = ts_btf_loose_fronts (p, &texts);
  place_line (scan, look, glance);
  if (look.is_any)
    {
      glance->event_end = p + texts.event;
      glance->n_instance = n;
      glance->n_source_instance = n_source;
    }
  return p + end + 1;
}

/* What is known of a line, but for what it does. */
typedef struct
{
  guint32 way;
  guint32 odd_flags; /* which of its numbers must not be odd */
} Known;

/* What a line of texts that are known apart does. */
static TS_ALWAYS_INLINE TsBtfAct
compose (TsBtf *btf, const TsBtfRun *run, TsBtfBases bases, const TsBtfSpots *spots, Known *known)
{
  const TsBtfTrio trio = ts_btf_trio_at (bases, spots);

  *known = (Known){ run->n_changes, ts_btf_odd_flags_of (trio.deed) };
  if (G_UNLIKELY (ts_btf_is_odd_act (trio.deed, trio.goal, trio.source_way, run->n_changes)))
    {
      ts_btf_lexicon_renew (btf, spots);
      known->way = ts_btf_way_of (trio.deed, trio.goal);
    }
  return ts_btf_act_of (trio.deed, trio.goal, trio.part);
}

/* FALSE: it is not for here, and nothing has changed. */
static TS_ALWAYS_INLINE gboolean
take_act (TsBtf *btf, const TsBtfScan *scan, TsBtfRun *run, const Glance *glance, Look look, Known known,
          const TsBtfAct *act)
{
  const guint16 core = run->places[act->source].core;
  guint16       owner_number;
  guint32       number;

  if (G_UNLIKELY ((glance->numbers.odd & known.odd_flags) != 0) || G_UNLIKELY (core == TS_NO_RESOURCE))
    return FALSE;
  if (G_UNLIKELY (known.way != run->n_changes)
      && (!look.is_any || known.way - run->n_changes != (TS_BTF_PLAIN | TS_BTF_UNLESS_NOTE)
          || !ts_btf_take_other_way (btf, TS_BTF_UNLESS_NOTE, ts_btf_is_of_runnable (act), glance->event_end)))
    return FALSE;
  number = glance->numbers.number[1];
  owner_number = ts_btf_owner_number_of (glance->numbers.number[3], FALSE);
  if (look.is_any && glance->n_instance == 1)
    {
      btf->has_anonymous |= act->instance_mask != 0;
      number = (guint32) TS_NO_INSTANCE;
    }
  if (look.is_any && glance->n_source_instance == 1)
    owner_number = 0;
  ts_btf_write_event (run, act, core, (scan->high + glance->numbers.number[0]) * scan->factor, (gint32) number,
                      owner_number);
  return TRUE;
}

static TS_ALWAYS_INLINE gboolean
take_line (TsBtf *btf, const TsBtfScan *scan, TsBtfRun *run, TsBtfBases bases, Glance *glance, Look look)
{
  const TsBtfPattern *pattern;
  TsBtfPieces         pieces;
  TsBtfAct            act;
  Known               known;

  if (!look.is_split)
    {
      pattern = ts_btf_find_ends (scan, glance->spots.target, &glance->pieces.ends);
      return pattern != NULL
             && take_act (btf, scan, run, glance, look, (Known){ pattern->effect.way, pattern->effect.flags },
                          &pattern->effect.act);
    }
  if (G_UNLIKELY (!ts_btf_is_of (bases, &glance->spots, &glance->pieces.ends, &glance->pieces.fronts,
                                 look.is_longer ? TS_BTF_LONGEST : TS_BTF_WIDE, look.is_loose)))
    {
      pieces = glance->pieces;
      if (!look.is_longer)
        pieces.fronts = (TsBtfFronts){ { { 0 } } };
      if (!ts_btf_lexicon_find (btf, &pieces, &glance->spots))
        return FALSE;
    }
  act = compose (btf, run, bases, &glance->spots, &known);
  return take_act (btf, scan, run, glance, look, known, &act);
}

/* Takes up to @n_most lines that begin up to @stop, from *begin on. FALSE: the next one is not for here. */
static TS_ALWAYS_INLINE gboolean
take_some (TsBtf *btf, const TsBtfMap *map, TsBtfRun *run, const char **begin, const char *stop, gsize n_most,
           Look look)
{
  const TsBtfScan *scan = btf->scan;
  const gsize      n_time = scan->n_time, n_free = (gsize) (run->end - run->event);
  const TsBtfBases bases = look.is_split ? ts_btf_bases_of (scan->lexicon) : (TsBtfBases){ NULL };
  const char      *p = *begin + n_time, *next;
  Glance           glances[AT_ONCE], *end = glances + MIN (n_most, n_free), *seen, *taken;

  stop += n_time;
  for (seen = glances; seen < end && p <= stop; seen++)
    {
      next = look.is_loose ? see_loose_line (scan, map, p, look, seen) : see_line (scan, map, p, look, seen);
      if (G_UNLIKELY (next == NULL))
        break;
      p = next + n_time;
    }
  if (look.is_split)
    for (taken = glances; taken < seen; taken++)
      taken->spots.target = fetch_target (scan->lexicon, taken->hash);
  for (taken = glances; taken < seen; taken++)
    if (G_UNLIKELY (!take_line (btf, scan, run, bases, taken, look)))
      break;
  if (G_UNLIKELY (taken < seen))
    p = taken->time;
  *begin = p - n_time;
  if (G_UNLIKELY (run->event == run->end))
    run->event = ts_btf_pass_batch (btf);
  return taken == end || p > stop;
}

/* What take_usual() has to know of lines. */
typedef struct
{
  TsBtfSeeUsual see;
  TsBtfLevel    level;
  gboolean      is_split, has_odd;
} Usual;

#define NOT_USUAL ((Usual){ .see = NULL })

/* Finds texts that are not where they hash to; what is in front of what the level foresees is nothing. */
static gboolean G_GNUC_NO_INLINE
find_further (TsBtf *btf, TsBtfUsual *usual, const TsBtfFronts *fronts, TsBtfLevel level)
{
  TsBtfPieces pieces = { .ends = usual->ends };

  if (level < TS_BTF_WIDE)
    pieces.ends.before_source = (TsBtfEnd){ 0, 0 };
  if (level < TS_BTF_LONG_TARGET)
    pieces.ends.before_target = (TsBtfEnd){ 0, 0 };
  if (level == TS_BTF_LONGEST)
    pieces.fronts = *fronts;
  else if (level == TS_BTF_LONGER)
    pieces.fronts.target[0] = fronts->target[0];
  return ts_btf_lexicon_find (btf, &pieces, &usual->spots);
}

/* As take_act(). */
static TS_ALWAYS_INLINE gboolean
take_usual_act (TsBtf *btf, TsBtfRun *run, const TsBtfUsual *usual, guint32 *instances, Usual how, Known known,
                const TsBtfAct *act)
{
  const guint16 core = run->places[act->source].core;

  if (how.has_odd && G_UNLIKELY ((usual->odd & known.odd_flags) != 0))
    return FALSE;
  if (G_UNLIKELY (core == TS_NO_RESOURCE))
    return FALSE;
  if (G_UNLIKELY (known.way != run->n_changes)
      && (how.level < TS_BTF_WIDE || known.way - run->n_changes != (TS_BTF_PLAIN | TS_BTF_UNLESS_NOTE)
          || !ts_btf_take_other_way (btf, TS_BTF_UNLESS_NOTE, ts_btf_is_of_runnable (act), usual->time + usual->event)))
    return FALSE;
  if (how.level >= TS_BTF_WIDE)
    *instances |= usual->numbers.instance & act->instance_mask;
  ts_btf_write_rest (run, act, core, (gint32) usual->numbers.instance,
                     ts_btf_owner_number_of (usual->numbers.source_instance, how.level >= TS_BTF_WIDE));
  return TRUE;
}

/* Of a level, every text begins within what is compared here: a long one takes another way. */
static TS_ALWAYS_INLINE gboolean
take_usual_line (TsBtf *btf, const TsBtfScan *scan, TsBtfRun *run, TsBtfBases bases, TsBtfUsual *usual,
                 const TsBtfFronts *fronts, guint32 *instances, Usual how)
{
  const TsBtfPattern *pattern = ts_btf_pattern_at (scan, usual->spots.target);
  TsBtfAct            act;
  Known               known;

  if (!how.is_split)
    {
      if (G_UNLIKELY (!ts_btf_same_ends (&pattern->ends, &usual->ends)))
        {
          pattern = ts_btf_find_ends (scan, usual->spots.target, &usual->ends);
          if (pattern == NULL)
            return FALSE;
        }
      return take_usual_act (btf, run, usual, instances, how, (Known){ pattern->effect.way, pattern->effect.flags },
                             &pattern->effect.act);
    }
  if (G_UNLIKELY (!ts_btf_is_of (bases, &usual->spots, &usual->ends, fronts, how.level, FALSE))
      && !find_further (btf, usual, fronts, how.level))
    return FALSE;
  act = compose (btf, run, bases, &usual->spots, &known);
  return take_usual_act (btf, run, usual, instances, how, known, &act);
}

/* Where there is anything odd in some lines. */
#define TAKE_CAREFULLY(NAME, ...) \
  static gboolean G_GNUC_NO_INLINE take_##NAME##_carefully (TsBtf *btf, const TsBtfMap *map, TsBtfRun *run, \
                                                            const char **begin, const char *stop, gsize n_most) \
  { \
    return take_some (btf, map, run, begin, stop, n_most, (Look){ __VA_ARGS__ }); \
  }
TAKE_CAREFULLY (few, .is_split = FALSE)
TAKE_CAREFULLY (many, .is_split = TRUE, .is_long = TRUE)
TAKE_CAREFULLY (wide, .is_split = TRUE, .is_long = TRUE, .is_longer = btf->scan->has_fronts, .is_any = TRUE)

/* As take_some(). */
static TS_ALWAYS_INLINE gboolean
take_usual (TsBtf *btf, const TsBtfMap *map, TsBtfRun *run, const char **begin, const char *stop, gsize n_most,
            Usual how)
{
  TsBtfScan   *scan = btf->scan;
  const gsize  n_time = scan->n_time;
  TsBtfBases   bases = { NULL };
  guint32      instances = 0;
  TsBtfUsual  *taken, *seen;
  TsBtfUsuals  usuals;

  usuals.p = *begin + n_time;
  usuals.seen = usuals.lines;
  usuals.end = usuals.lines + MIN (n_most, (gsize) (run->end - run->event));
  usuals.event = run->event;
  how.see (scan, map, &usuals);
  if (G_UNLIKELY (usuals.is_odd))
    {
      TsBtfRun copy = *run;
      gboolean result = how.level >= TS_BTF_WIDE ? take_wide_carefully (btf, map, &copy, begin, stop, n_most)
                        : how.is_split           ? take_many_carefully (btf, map, &copy, begin, stop, n_most)
                                                 : take_few_carefully (btf, map, &copy, begin, stop, n_most);

      scan->n_careful++;
      *run = copy;
      return result;
    }
  seen = usuals.seen;
  if (how.is_split)
    {
      bases = ts_btf_bases_of (scan->lexicon);
      for (taken = usuals.lines; taken < seen; taken++)
        taken->spots.target = fetch_target (scan->lexicon, taken->hash);
    }
  for (taken = usuals.lines; taken < seen; taken++)
    if (G_UNLIKELY (!take_usual_line (btf, scan, run, bases, taken, &usuals.fronts[taken - usuals.lines],
                                         &instances, how)))
      {
        *begin = taken->time - n_time;
        break;
      }
  /* one that is none has this bit */
  btf->has_anonymous |= (gint32) instances < 0;
  if (G_UNLIKELY (run->event == run->end))
    run->event = ts_btf_pass_batch (btf);
  if (G_UNLIKELY (taken < seen))
    return FALSE;
  *begin = usuals.p - n_time;
  if (G_LIKELY (seen == usuals.end) || *begin > stop)
    return TRUE;
  if (G_UNLIKELY (usuals.is_beyond))
    ts_btf_widths_count_unfit (scan);
  return usuals.marks.near != 0 && ts_btf_widths_add (scan, usuals.marks);
}

static TS_ALWAYS_INLINE const char *
take_lines (TsBtf *btf, const char *begin, const char *last, const char *end, Look look, Usual how)
{
  const gsize margin = look.is_loose || look.is_wide ? WIDE_MARGIN : MAP_MARGIN;
  TsBtfMap    map;
  TsBtfRun    run = ts_btf_begin_run (btf);
  /* as long as texts are new, and where there are no lines of events at all, not much is looked at in vain */
  gsize       n_most = FEW_AT_ONCE, n_drawn = FEW_MAP_BLOCKS;

  for (; begin <= last; n_drawn = MIN (2 * n_drawn, TS_BTF_MAP_BLOCKS))
    {
      const char *bytes = (const char *) ((gsize) begin / 16 * 16), *stop = NULL;
      const gsize n_blocks = MIN (n_drawn, (gsize) (end - bytes) / TS_MARKS_BLOCK);

      ts_btf_draw_map (&map, bytes, n_blocks, look.is_loose);
      /* a byte of 0 is told from a blank by those who look at it alone */
      if (n_blocks * TS_MARKS_BLOCK >= margin
          && (!look.is_loose || memchr (bytes, '\0', n_blocks * TS_MARKS_BLOCK) == NULL))
        stop = MIN (last, bytes + n_blocks * TS_MARKS_BLOCK - margin);
      do
        {
          const char *next;
          guint64     n_renewed;

          if (begin <= stop
              && (how.see != NULL ? take_usual (btf, &map, &run, &begin, stop, n_most, how)
                                  : take_some (btf, &map, &run, &begin, stop, n_most, look)))
            {
              n_most = MIN (2 * n_most, AT_ONCE);
              continue;
            }
          ts_btf_end_run (btf, &run);
          /* those like others are taken as far as the map goes, one that is odd only where enough is behind it */
          if (G_UNLIKELY (begin > last))
            return begin;
          n_renewed = btf->scan->n_renewed;
          next = ts_btf_take_one (btf, begin, end);
          if (next == begin || btf->error != NULL)
            return next;
          begin = next;
          run = ts_btf_begin_run (btf);
          /* at the end of the input no line is looked at */
          btf->scan->n_odd += stop != NULL && btf->scan->n_renewed == n_renewed;
          /* there is another way for these */
          if (look.is_loose && ts_btf_has_many_odd (btf, look.is_any ? TS_BTF_FEW_ODD : FEW_ODD))
            return begin;
          if (how.see != NULL && ts_btf_widths_unfit (btf))
            return begin;
          /* where one is odd, others are: what was looked at behind it is lost */
          n_most = FEW_AT_ONCE;
        }
      while (begin <= stop);
    }
  ts_btf_end_run (btf, &run);
  return begin;
}

#define TAKE_USUAL(NAME, level, is_split, has_odd) \
  static const char *G_GNUC_NO_INLINE take_usual_##NAME (TsBtf *btf, const char *begin, const char *last, \
                                                         const char *end) \
  { \
    return take_lines (btf, begin, last, end, (Look){ .is_loose = FALSE }, \
                       (Usual){ ts_btf_see_usual_##NAME, level, is_split, has_odd }); \
  }
TS_BTF_USUAL_KINDS (TAKE_USUAL)

#define TAKE_SOME(NAME, ...) \
  static const char *G_GNUC_NO_INLINE take_##NAME (TsBtf *btf, const char *begin, const char *last, const char *end) \
  { \
    return take_lines (btf, begin, last, end, (Look){ .is_split = TRUE, .is_long = TRUE, __VA_ARGS__ }, NOT_USUAL); \
  }
TAKE_SOME (unlike, .is_longer = btf->scan->has_fronts)
TAKE_SOME (any, .is_longer = btf->scan->has_fronts, .is_any = TRUE)
TAKE_SOME (any_wide, .is_longer = TRUE, .is_wide = TRUE, .is_any = TRUE)
TAKE_SOME (loose, .is_loose = TRUE)
TAKE_SOME (longer_loose, .is_loose = TRUE, .is_longer = TRUE)
TAKE_SOME (any_loose, .is_loose = TRUE, .is_longer = TRUE, .is_wide = TRUE, .is_any = TRUE)

/* Where some lines are odd, fields may be longer than what is looked at; where some still are, lines may be wider, or
 * have whatever a few have elsewhere. */
static const char *
take_with_blanks (TsBtf *btf, const char *begin, const char *last, const char *end)
{
  TsBtfScan     *scan = btf->scan;
  const gboolean has_odd = !scan->is_any && ts_btf_has_many_odd (btf, FEW_ODD);

  if (has_odd)
    {
      scan->is_any = scan->has_fronts;
      scan->n_odd = 0;
    }
  /* any may have been expected since before there were blanks */
  if (has_odd || scan->is_any)
    scan->has_fronts = TRUE;
  if (scan->is_any)
    return take_any_loose (btf, begin, last, end);
  return scan->has_fronts ? take_longer_loose (btf, begin, last, end) : take_loose (btf, begin, last, end);
}

/* Lines that are like others in their widths. */
static const char *
take_of_level (TsBtf *btf, const char *begin, const char *last, const char *end)
{
  TsBtfScan     *scan = btf->scan;
  const gboolean has_odd = scan->n_careful > btf->n_events / FEW_CAREFUL + SOME_CAREFUL;
  TsBtfLevel     level = scan->widths->level;

  if (has_odd)
    level = level < TS_BTF_WIDE ? TS_BTF_LONG_TARGET : TS_BTF_LONGEST;
  if (level >= TS_BTF_LONGER)
    scan->has_fronts = TRUE;
  if (level == TS_BTF_SHORT && scan->lexicon == NULL)
    return take_usual_few (btf, begin, last, end);
  ts_btf_scan_split (btf);
  switch (level)
    {
    case TS_BTF_SHORT:
      return take_usual_short (btf, begin, last, end);
    case TS_BTF_LONG_TARGET:
      return has_odd ? take_usual_odd (btf, begin, last, end) : take_usual_long (btf, begin, last, end);
    case TS_BTF_WIDE:
      return take_usual_wide (btf, begin, last, end);
    case TS_BTF_LONGER:
      return take_usual_longer (btf, begin, last, end);
    default:
      return has_odd ? take_usual_any (btf, begin, last, end) : take_usual_longest (btf, begin, last, end);
    }
}

const char *
ts_btf_take_quickly (TsBtf *btf, const char *begin, const char *last, const char *end)
{
  TsBtfScan *scan = btf->scan;

  if (!scan->squeezes && !scan->is_wide && !scan->is_any && ts_btf_widths_prepare (btf))
    return take_of_level (btf, begin, last, end);
  ts_btf_scan_split (btf);
  if (scan->squeezes)
    return take_with_blanks (btf, begin, last, end);
  if (scan->is_wide)
    {
      scan->has_fronts = TRUE;
      return take_any_wide (btf, begin, last, end);
    }
  return scan->is_any ? take_any (btf, begin, last, end) : take_unlike (btf, begin, last, end);
}
