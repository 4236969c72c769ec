/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf-glance.h"

/* Lines that have nothing odd: of known texts that do the same each time, and with numbers of as many digits as lines
 * of this trace mostly have; all others are left to btf-scan.c.
 *
 * A processor has some hundred instructions in work at once, which is two lines, and what one line needs is done one
 * after the other: so it would mostly wait. Instead, commas and ends of lines are first marked in a map, for some
 * kilobytes at a time; then some lines are looked at, for which only the end of the line before is needed; and then
 * these are taken, each of them by an address that is known by then. Nothing that is odd is asked for in between but
 * whether there is any, so that what the odd ones need takes no registers here. */

#define AT_ONCE TS_BTF_USUALS
#define FEW_AT_ONCE 2
/* One in so many lines may make some be looked at twice where that is not asked for in each. */
#define FEW_CAREFUL 1024
#define SOME_CAREFUL 16
/* Of a map, as long as much of what is looked at is in vain. */
#define FEW_MAP_BLOCKS 8

/* From the beginning of a line on: its time, and what is looked at behind that and behind the number of its source. */
#define MAP_MARGIN (TS_BTF_MAX_DIGITS + 2 * TS_MARKS_BLOCK + 8)
/* Of a wide one: up to two blocks of each name, and the marks behind those. */
#define WIDE_MARGIN (MAP_MARGIN + 3 * TS_MARKS_BLOCK)

/* What take_usual() has to know of lines. */
typedef struct
{
  TsBtfSeeUsual see;
  TsBtfLevel    level;
  gboolean      is_split, is_far, has_odd;
} Usual;

#define NOT_USUAL ((Usual){ .see = NULL })

/* The texts of a line as far as they were looked at; what is in front of that is nothing. */
static inline TsBtfPieces
pieces_of (const TsBtfUsual *usual, const TsBtfFronts *fronts, TsBtfLevel level)
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
  return pieces;
}

/* What is not where it hashes to. */

static const TsBtfPattern *G_GNUC_NO_INLINE
find_other_pattern (const TsBtfScan *scan, TsBtfUsual *usual, TsBtfLevel level)
{
  const TsBtfPieces pieces = pieces_of (usual, NULL, level);

  return ts_btf_find_ends (scan, &usual->spots.target, &pieces.ends);
}

static gboolean G_GNUC_NO_INLINE
find_further (TsBtf *btf, TsBtfUsual *usual, const TsBtfFronts *fronts, TsBtfLevel level)
{
  const TsBtfPieces pieces = pieces_of (usual, fronts, level);

  return ts_btf_lexicon_find (btf, &pieces, &usual->spots);
}

/* As ts_btf_take_glanced(). */
static TS_ALWAYS_INLINE gboolean
take_usual_act (TsBtf *btf, TsBtfRun *run, const TsBtfUsual *usual, guint32 *instances, Usual how, TsBtfKnown known,
                const TsBtfAct *act)
{
  const guint16  core = run->places[act->source].core;
  const gboolean may_lack = how.level >= TS_BTF_WIDE || how.has_odd;

  if (how.has_odd && G_UNLIKELY ((usual->odd & known.odd_flags) != 0))
    return FALSE;
  if (G_UNLIKELY (core == TS_NO_RESOURCE))
    return FALSE;
  if (how.level >= TS_BTF_NOTED && G_UNLIKELY (known.way == run->n_changes + TS_BTF_OF_NOTE))
    return ts_btf_write_interval (btf, run, act, core, usual->time + usual->event);
  if (G_UNLIKELY (known.way != run->n_changes)
      && (how.level < TS_BTF_NOTED
          || !ts_btf_take_other_way (btf, known.way - run->n_changes, ts_btf_is_of_runnable (act),
                                     usual->time + usual->event, &usual->spots)))
    return FALSE;
  if (how.has_odd && G_UNLIKELY ((usual->odd & TS_BTF_SECOND_IS_LARGE & act->instance_mask) != 0))
    ts_diagnostics_add (btf->import->diagnostics, TS_DIAGNOSTIC_LARGE_INSTANCE, run->line + 1, NULL);
  if (may_lack)
    *instances |= usual->numbers.instance & act->instance_mask;
  ts_btf_write_rest (run, act, core, usual->numbers.instance,
                     ts_btf_number_bits_of (usual->numbers.source_instance, may_lack));
  return TRUE;
}

/* Where that of a line is looked for first; none where texts are known apart. */
static TS_ALWAYS_INLINE const TsBtfPattern *
first_pattern (const TsBtfScan *scan, const TsBtfUsual *usual, Usual how)
{
  return how.is_split ? NULL : ts_btf_pattern_at (scan, usual->spots.target);
}

/* @pattern is the first one. Of a level, every text begins within what is
 * compared here: a long one takes another way. */
static TS_ALWAYS_INLINE gboolean
take_usual_line (TsBtf *btf, const TsBtfScan *scan, TsBtfRun *run, TsBtfBases bases, TsBtfUsual *usual,
                 const TsBtfPattern *pattern, const TsBtfFronts *fronts, guint32 *instances, Usual how)
{
  TsBtfAct   act;
  TsBtfKnown known;

  if (!how.is_split)
    {
      if (G_UNLIKELY (!ts_btf_same_ends (&pattern->ends, &usual->ends, how.level)))
        {
          pattern = find_other_pattern (scan, usual, how.level);
          if (pattern == NULL)
            return FALSE;
        }
      return take_usual_act (btf, run, usual, instances, how,
                             (TsBtfKnown){ pattern->effect.way, pattern->effect.flags }, &pattern->effect.act);
    }
  if (G_UNLIKELY (!ts_btf_is_of (bases, &usual->spots, &usual->ends, fronts, how.level))
      && !find_further (btf, usual, fronts, how.level))
    return FALSE;
  act = ts_btf_compose (btf, run, bases, &usual->spots, &known);
  return take_usual_act (btf, run, usual, instances, how, known, &act);
}

/* Where there is anything odd in some lines. */
#define TAKE_CAREFULLY(NAME, ...) \
  static gboolean G_GNUC_NO_INLINE take_##NAME##_carefully (TsBtf *btf, const TsBtfMap *map, TsBtfRun *run, \
                                                            const char **begin, const char *stop, gsize n_most) \
  { \
    return ts_btf_take_some (btf, map, run, begin, stop, n_most, (TsBtfLook){ __VA_ARGS__ }); \
  }
TAKE_CAREFULLY (few, .is_long = TRUE)
TAKE_CAREFULLY (few_any, .is_long = TRUE, .is_any = TRUE)
TAKE_CAREFULLY (many, .is_split = TRUE, .is_long = TRUE)
TAKE_CAREFULLY (any, .is_split = TRUE, .is_long = TRUE, .is_longer = btf->scan->has_fronts, .is_any = TRUE)

static gboolean
take_carefully (TsBtf *btf, const TsBtfMap *map, TsBtfRun *run, const char **begin, const char *stop, gsize n_most,
                Usual how)
{
  if (how.level >= TS_BTF_WIDE)
    return how.is_split ? take_any_carefully (btf, map, run, begin, stop, n_most)
                        : take_few_any_carefully (btf, map, run, begin, stop, n_most);
  return how.is_split ? take_many_carefully (btf, map, run, begin, stop, n_most)
                      : take_few_carefully (btf, map, run, begin, stop, n_most);
}

/* Then each line has to ask for it, as it has to where many are empty. */
static gboolean
has_many_careful (const TsBtf *btf)
{
  return ts_btf_are_many (btf, btf->scan->n_careful, FEW_CAREFUL, SOME_CAREFUL)
         || ts_btf_are_many_empty (btf, btf->scan->n_empty);
}

/* As ts_btf_take_some(). */
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
  const TsBtfPattern *next;

  usuals.p = *begin + n_time;
  usuals.seen = usuals.lines;
  usuals.end = usuals.lines + MIN (n_most, (gsize) (run->end - run->event));
  usuals.event = run->event;
  how.see (scan, map, &usuals);
  if (G_UNLIKELY (usuals.is_odd))
    {
      TsBtfRun copy = *run;
      gboolean result = take_carefully (btf, map, &copy, begin, stop, n_most, how);

      scan->n_careful++;
      *run = copy;
      return result;
    }
  seen = usuals.seen;
  if (how.is_split)
    bases = ts_btf_bases_of (scan->lexicon);
  if (how.is_far)
    for (taken = usuals.lines; taken < seen; taken++)
      taken->spots.target = how.is_split ? ts_btf_fetch_target (scan->lexicon, taken->hash, taken->spots.source)
                                         : ts_btf_fetch_pattern (scan, taken->hash);
  seen->spots.target = TS_BTF_LIKE_NONE;
  next = first_pattern (scan, usuals.lines, how);
  for (taken = usuals.lines; taken < seen; taken++)
    {
      /* a line ahead, so that what this one needs of it is there */
      const TsBtfPattern *pattern = next;

      next = first_pattern (scan, taken + 1, how);
      if (how.has_odd)
        run->line += taken->n_empty;
      if (G_UNLIKELY (!take_usual_line (btf, scan, run, bases, taken, pattern, &usuals.fronts[taken - usuals.lines],
                                        &instances, how)))
        {
          *begin = taken->time - n_time;
          break;
        }
    }
  /* one that is none has this bit */
  btf->has_anonymous |= (gint32) instances < 0;
  if (G_UNLIKELY (run->event == run->end))
    run->event = ts_btf_pass_batch (btf);
  if (G_UNLIKELY (taken < seen))
    return FALSE;
  *begin = usuals.p - n_time;
  if (how.has_odd)
    run->line += seen->n_empty;
  if (G_LIKELY (seen == usuals.end) || *begin > stop)
    return TRUE;
  if (G_UNLIKELY (usuals.is_beyond))
    ts_btf_widths_count_unfit (scan);
  return usuals.marks.near != 0 && ts_btf_widths_add (scan, usuals.marks);
}

/* Behind a line without a word, which is none of an event but no reason to draw the map anew: one that is empty, or a
 * comment. Returns @begin if it is none. */
static const char *G_GNUC_NO_INLINE
skip_idle_line (const char *begin, const char *end)
{
  const char *p = ts_btf_skip_blanks (begin, end), *newline;

  if (end - p < 2 || (*p == '#' ? !ts_btf_is_blank (p[1]) : *p != '\n' && *p != '\r'))
    return begin;
  newline = memchr (p, '\n', (gsize) MIN (end - p, TS_BTF_MAX_NOTE));
  return newline != NULL && (*p == '#' || newline == p || newline == p + 1) ? newline + 1 : begin;
}

/* Takes account of such a line. FALSE: from now on lines have to be squeezed. */
static gboolean
pass_idle_line (TsBtf *btf, const char *begin)
{
  TsBtfScan *scan = btf->scan;

  btf->line++;
  if (*begin == '\n')
    scan->n_empty++;
  else if (*begin != '#')
    scan->n_nearly_empty++;
  /* that is found out by the next one that is learnt */
  scan->is_missing = !scan->squeezes && ts_btf_are_many_empty (btf, scan->n_nearly_empty);
  return !scan->is_missing;
}

static TS_ALWAYS_INLINE const char *
take_lines (TsBtf *btf, const char *begin, const char *last, const char *end, TsBtfLook look, Usual how)
{
  const gsize margin = look.is_wide ? WIDE_MARGIN : MAP_MARGIN;
  TsBtfMap    map;
  TsBtfRun    run = ts_btf_begin_run (btf);
  /* as long as texts are new, and where there are no lines of events at all, not much is looked at in vain */
  gsize       n_most = FEW_AT_ONCE, n_drawn = FEW_MAP_BLOCKS;

  for (; begin <= last; n_drawn = MIN (2 * n_drawn, TS_BTF_MAP_BLOCKS))
    {
      const char *bytes = (const char *) ((gsize) begin / 16 * 16), *stop = NULL;
      const gsize n_blocks = MIN (n_drawn, (gsize) (end - bytes) / TS_MARKS_BLOCK);

      ts_btf_draw_map (&map, bytes, n_blocks);
      if (n_blocks * TS_MARKS_BLOCK >= margin)
        stop = MIN (last, bytes + n_blocks * TS_MARKS_BLOCK - margin);
      do
        {
          const char *next;
          guint64     n_renewed;

          if (begin <= stop
              && (how.see != NULL ? take_usual (btf, &map, &run, &begin, stop, n_most, how)
                                  : ts_btf_take_some (btf, &map, &run, &begin, stop, n_most, look)))
            {
              n_most = MIN (2 * n_most, AT_ONCE);
              continue;
            }
          ts_btf_end_run (btf, &run);
          /* those like others are taken as far as the map goes, one that is odd only where enough is behind it */
          if (G_UNLIKELY (begin > last))
            return begin;
          next = skip_idle_line (begin, end);
          if (next > begin)
            {
              if (!pass_idle_line (btf, begin) || (how.see != NULL && !how.has_odd && has_many_careful (btf)))
                return next;
              begin = next;
              run = ts_btf_begin_run (btf);
              continue;
            }
          n_renewed = btf->scan->n_renewed;
          next = ts_btf_take_one (btf, begin, end);
          if (next == begin || btf->error != NULL)
            return next;
          begin = next;
          run = ts_btf_begin_run (btf);
          /* at the end of the input no line is looked at */
          btf->scan->n_odd += stop != NULL && btf->scan->n_renewed == n_renewed;
          if (how.see != NULL && (ts_btf_widths_unfit (btf) || (!how.has_odd && has_many_careful (btf))))
            return begin;
          /* where one is odd, others are: what was looked at behind it is lost */
          n_most = FEW_AT_ONCE;
        }
      while (begin <= stop);
    }
  ts_btf_end_run (btf, &run);
  return begin;
}

#define TAKE_USUAL(NAME, level, is_split, is_far, numbering) \
  static const char *G_GNUC_NO_INLINE take_usual_##NAME (TsBtf *btf, const char *begin, const char *last, \
                                                         const char *end) \
  { \
    return take_lines (btf, begin, last, end, (TsBtfLook){ .is_long = FALSE }, \
                       (Usual){ ts_btf_see_usual_##NAME, level, is_split, is_far, \
                                numbering != TS_BTF_PLAIN_NUMBERS }); \
  }
TS_BTF_USUAL_KINDS (TAKE_USUAL)

#define TAKE_SOME(NAME, ...) \
  static const char *G_GNUC_NO_INLINE take_##NAME (TsBtf *btf, const char *begin, const char *last, const char *end) \
  { \
    return take_lines (btf, begin, last, end, (TsBtfLook){ .is_long = TRUE, __VA_ARGS__ }, NOT_USUAL); \
  }
TAKE_SOME (few_unlike, .is_split = FALSE)
TAKE_SOME (few_any, .is_any = TRUE)
TAKE_SOME (unlike, .is_split = TRUE, .is_longer = btf->scan->has_fronts)
TAKE_SOME (any, .is_split = TRUE, .is_longer = btf->scan->has_fronts, .is_any = TRUE)
TAKE_SOME (any_wide, .is_split = TRUE, .is_longer = TRUE, .is_wide = TRUE, .is_any = TRUE)

/* From here on, there may be something in front of what is in front of the ends of texts, which only those that are known
 * apart have. */
static void
expect_fronts (TsBtf *btf)
{
  btf->scan->has_fronts = TRUE;
  ts_btf_scan_split (btf);
}

/* Where texts are not known apart: few have copies for few patterns. */
static const char *
take_patterns (TsBtf *btf, const char *begin, const char *last, const char *end, TsBtfLevel level, gboolean has_odd)
{
  const gboolean is_few = ts_btf_index_is_small (&btf->scan->patterns);

  if (btf->scan->widths->has_large)
    return take_usual_far_large (btf, begin, last, end);
  if (level >= TS_BTF_WIDE)
    return has_odd ? take_usual_far_any (btf, begin, last, end) : take_usual_far_wide (btf, begin, last, end);
  if (has_odd)
    return is_few && level == TS_BTF_SHORT ? take_usual_few_odd (btf, begin, last, end)
                                           : take_usual_far_odd (btf, begin, last, end);
  if (level == TS_BTF_NOTED)
    return take_usual_far_noted (btf, begin, last, end);
  if (level == TS_BTF_LONG_TARGET)
    return is_few ? take_usual_few_long (btf, begin, last, end) : take_usual_far_long (btf, begin, last, end);
  return is_few ? take_usual_few (btf, begin, last, end) : take_usual_far (btf, begin, last, end);
}

/* Lines that are like others in their widths. */
static const char *
take_of_level (TsBtf *btf, const char *begin, const char *last, const char *end)
{
  TsBtfScan     *scan = btf->scan;
  const gboolean has_odd = has_many_careful (btf);
  TsBtfLevel     level = scan->widths->level;

  /* there is no copy for the others */
  if (scan->lexicon != NULL && has_odd)
    level = level < TS_BTF_WIDE ? TS_BTF_NOTED : MAX (level, TS_BTF_LONGER);
  if (level >= TS_BTF_LONGER || (scan->lexicon != NULL && scan->widths->has_large))
    scan->has_fronts = TRUE;
  if (scan->has_fronts)
    ts_btf_scan_split (btf);
  if (scan->lexicon == NULL)
    return take_patterns (btf, begin, last, end, level, has_odd);
  if (scan->widths->has_large)
    return take_usual_large (btf, begin, last, end);
  switch (level)
    {
    case TS_BTF_SHORT:
      return take_usual_short (btf, begin, last, end);
    case TS_BTF_LONG_TARGET:
      return take_usual_long (btf, begin, last, end);
    case TS_BTF_NOTED:
      return has_odd ? take_usual_odd (btf, begin, last, end) : take_usual_noted (btf, begin, last, end);
    case TS_BTF_WIDE:
      return take_usual_wide (btf, begin, last, end);
    case TS_BTF_LONGER:
      return has_odd ? take_usual_longer_odd (btf, begin, last, end) : take_usual_longer (btf, begin, last, end);
    default:
      return has_odd ? take_usual_any (btf, begin, last, end) : take_usual_longest (btf, begin, last, end);
    }
}

const char *
ts_btf_take_quickly (TsBtf *btf, const char *begin, const char *last, const char *end)
{
  TsBtfScan *scan = btf->scan;

  if (!scan->is_wide && !scan->is_any && ts_btf_widths_prepare (btf))
    return take_of_level (btf, begin, last, end);
  if (scan->has_fronts || scan->patterns.n > TS_BTF_FEW_PATTERNS)
    ts_btf_scan_split (btf);
  if (scan->is_wide)
    {
      expect_fronts (btf);
      return take_any_wide (btf, begin, last, end);
    }
  if (scan->is_any)
    return scan->lexicon == NULL ? take_few_any (btf, begin, last, end) : take_any (btf, begin, last, end);
  return scan->lexicon == NULL ? take_few_unlike (btf, begin, last, end) : take_unlike (btf, begin, last, end);
}
