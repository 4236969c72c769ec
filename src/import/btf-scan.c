/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf-run.h"
#include "import/btf-scan.h"
#include "import/btf-sight.h"
#include "import/marks.h"

/* Events of regular lines, most of which get no further than btf-quick.c. Nearly all of a BTF file is lines of the
 * same few names, types and words, with other numbers in between. What they were found to mean in a line that went the
 * long way is kept by the text as it stands, commas and all (btf-patterns.c), and with it what such a line does to the
 * timeline, as long as that is the same (btf-effect.c). What is new or no plain number, too long, or too near the ends
 * of the input is left to the long way, which also says what is wrong.
 *
 * A branch that is taken now and then costs as much as half a line. So there is none that depends on
 * what a line is: neither on its event, nor on how long its texts and numbers are. Those there are
 * depend on what the whole file is like. */

#define WORD TS_BTF_WORD_BYTES
/* Bytes of a line that are looked at in any case, or copied. */
#define ROOM (TS_BTF_MAX_DIGITS + TS_MARKS_BLOCK + 2 * TS_BTF_END)

typedef TsBtfSight Sight;

typedef enum
{
  TAKEN,
  NOT_TAKEN, /* it has to take the long way */
  ANEW,      /* its time has another length */
  FAILED,    /* with an error */
  RULES,     /* it is a matter of the rules */
} Outcome;

typedef TsBtfRun Run;

/* Numbers */

/* What no text under a mask of 0 is. */
#define NO_TEXT 1
/* Where the time is the first one of two numbers. */
#define TIME_IS_ODD 0xff

/* From here on, what is in front of the last eight digits of a time is what it is in the one that ends at @p, and worth
 * @high, if @fits: or else no time is plain. */
static void
expect_high (TsBtfScan *scan, const char *p, gint64 high, gboolean fits)
{
  const gsize n = scan->n_time;

  scan->high = high;
  /* under another mask there may be any text in a file */
  scan->high_mask = fits && n > WORD ? ts_btf_digits_mask (MIN (n - WORD, WORD)) : 0;
  scan->high_text = fits ? ts_eight_load (p - 2 * WORD) & scan->high_mask : NO_TEXT;
  scan->top_mask = fits && n > 2 * WORD ? ts_btf_digits_mask (n - 2 * WORD) : 0;
  scan->top_text = ts_eight_load (p - 3 * WORD) & scan->top_mask;
}

/* From here on, times have @n digits. */
static void
set_time_length (TsBtfScan *scan, gsize n)
{
  static const char zeros[] = "000000000000000000000000";

  scan->n_time = n;
  memcpy (scan->time_mask, ts_btf_mask (n, WORD), WORD);
  expect_high (scan, zeros + 3 * WORD, 0, scan->limit >= TS_BTF_MAX_LOW);
}

/* The digits in front of the last eight, which end at @p with those worth @low: in most files they change once in a
 * thousand lines. Their text is one to be recognized where whatever the last eight are is within the limit. FALSE:
 * they are no digits, or beyond it. */
static gboolean G_GNUC_NO_INLINE
read_high (TsBtfScan *scan, const char *p, guint32 low)
{
  const char *begin = p - scan->n_time;
  gsize       n = scan->n_time > WORD ? scan->n_time - WORD : 0;
  gint64      high = 0;

  /* that -0 is 0 says nothing of what follows it */
  if (n > 0 && (ts_btf_number ((TsBtfText){ begin, n }, &high) != TS_BTF_GOOD || !g_ascii_isdigit (*begin)
                || high >= TS_TIME_LIMIT / (TS_BTF_MAX_LOW + 1)))
    return FALSE;
  high *= TS_BTF_MAX_LOW + 1;
  expect_high (scan, p, high, high + TS_BTF_MAX_LOW <= scan->limit);
  return high + low <= scan->limit;
}

#define OTHER_INSTANCE G_MININT64

/* A number that may have blanks in front of it, as where fields have one width. */
static gboolean
read_behind_blanks (const char *begin, const char *end, gint64 *number)
{
  gsize   n = (gsize) (end - begin);
  guint64 mask = ts_btf_digits_mask (MIN (n, WORD)), digits = ts_eight_digits (end - WORD) & mask;
  guint64 others = (digits ^ TS_EACH_BYTE (' ' ^ '0')) & mask;
  guint   bits;

  for (; n > WORD; n--, begin++)
    if (*begin != ' ')
      return FALSE;
  if (others == 0)
    return FALSE;
  bits = (guint) __builtin_ctzll (others) & ~7u;
  digits = digits >> bits << bits;
  *number = (gint64) ts_eight_number (digits);
  return ts_btf_are_digits (digits);
}

/* An instance with blanks around it, with more digits, or without any. OTHER_INSTANCE: it is another one that is odd. */
static gint64 G_GNUC_NO_INLINE
read_odd_instance (const char *begin, const char *end)
{
  TsBtfText text;
  gint64    number;

  if (read_behind_blanks (begin, end, &number))
    return number;
  text = ts_btf_trim (begin, end);
  if (text.length == 0 || (text.length == 2 && memcmp (text.begin, "-1", 2) == 0))
    return TS_NO_INSTANCE;
  if (read_behind_blanks (text.begin, text.begin + text.length, &number))
    return number;
  return ts_btf_number (text, &number) == TS_BTF_GOOD && number >= 0 ? number : OTHER_INSTANCE;
}

/* Of the instance that a runnable says it runs in, if it is one. What is odd once is mostly odd in each line of a
 * runnable, which a processor does not foresee: better to get here each time. */
static guint16 G_GNUC_NO_INLINE
read_odd_owner_number (TsBtfScan *scan, const char *begin, const char *end, guint16 mask)
{
  gint64 number;

  scan->odd_mask |= mask;
  if (mask == 0)
    return 0;
  return read_behind_blanks (begin, end, &number) ? ts_event_owner_number ((gint32) number)
                                                  : ts_btf_owner_number (ts_btf_trim (begin, end));
}

/* Lines by the rules */

/* Once the system has stopped, every event is one too late. */
static void
set_limit (TsBtf *btf)
{
  TsBtfScan *scan = btf->scan;
  gint64     limit = btf->stop == G_MAXINT64 ? btf->limit : -1;

  scan->factor = btf->factor;
  if (limit == scan->limit)
    return;
  scan->limit = limit;
  set_time_length (scan, scan->n_time);
}

/* What has a number that is odd, or what other lines can change the meaning of. */
static Outcome G_GNUC_NO_INLINE
take_by_rules (TsBtf *btf, TsBtfPattern *pattern, const char *time, const char *next)
{
  const TsBtfTexts   texts = ts_btf_kept_of (btf->scan, pattern)->texts;
  const TsBtfEntity *entity = ts_btf_entity_info (btf, texts.entity);
  const char        *begin = time - btf->scan->n_time;
  TsBtfLine          line;
  TsBtfRecord        record = { .line = &line, .known = texts, .name = entity->name, .type = entity->type };
  gint64             number;

  ts_btf_split_whole (begin, next - 1, &line);
  if (line.commas[0] != time)
    return ANEW;
  if (line.n_commas == TS_BTF_FIELDS && !ts_btf_has_whole_note (btf, line.commas[TS_BTF_FIELDS - 1] + 1, line.end))
    return NOT_TAKEN;
  if (!g_ascii_isdigit (*begin) || ts_btf_number (ts_btf_field (&line, 0), &number) != TS_BTF_GOOD
      || number > btf->limit)
    return NOT_TAKEN;
  record.time = number * btf->factor;
  btf->line++;
  btf->scan->n_renewed++;
  ts_btf_take_record (btf, &record);
  set_limit (btf);
  if (ts_btf_way (pattern, btf->n_changes) >= TS_BTF_N_WAYS)
    ts_btf_renew_effect (btf, pattern);
  return G_LIKELY (btf->error == NULL) ? TAKEN : FAILED;
}

TsEvent *
ts_btf_pass_batch (TsBtf *btf)
{
  btf->import->n_events = TS_BATCH_EVENTS;
  ts_import_flush (btf->import);
  return ts_import_next (btf->import);
}

/* Lines by their effect */

/* FALSE: not this time. */
static TS_ALWAYS_INLINE gboolean
take_act (TsBtf *btf, Run *run, const TsBtfAct *act, gint64 time, gint32 instance, guint16 owner_number)
{
  const guint16 core = run->places[act->source].core;

  if (G_UNLIKELY (core == TS_NO_RESOURCE))
    return FALSE;
  ts_btf_write_event (run, act, core, time, (guint32) instance, ts_btf_number_bits (owner_number));
  if (G_UNLIKELY (run->event == run->end))
    run->event = ts_btf_pass_batch (btf);
  return TRUE;
}

/* Whether the note behind @event_end has no say, as it is empty or does not begin like one that has, which is told in
 * btf-event.c: `create', `task_create', `delete', `task_delete'. */
static gboolean
is_idle_note (const char *event_end)
{
  switch (event_end[1])
    {
    case 'c':
    case 'C':
    case 'd':
    case 'D':
    case 't':
    case 'T':
    case ' ':
    case '\t':
      return FALSE;
    default:
      return TRUE;
    }
}

/* More than the field of a number can have, or nothing at all: then bits are set. */
static inline guint
odd_length (gsize n)
{
  return (guint) ((n - 1) / WORD);
}

gboolean
ts_btf_meets_conditions (TsBtf *btf, guint32 way, gboolean is_of_runnable, const char *event_end,
                         const TsBtfSpots *spots)
{
  if ((way & TS_BTF_LONG_EVENT) != 0 && !ts_btf_is_kept_event (btf->scan, spots, event_end))
    return FALSE;
  if ((way & TS_BTF_UNLESS_NOTE) == 0)
    return TRUE;
  if (!is_idle_note (event_end))
    return FALSE;
  /* what the rules note as well: the line that was learnt need not have been such a one */
  if (is_of_runnable)
    btf->has_runnable = TRUE;
  else
    btf->has_slice = TRUE;
  return TRUE;
}

/* The number of the instance that runs the target, if that is a runnable; or else 0. */
static TS_ALWAYS_INLINE guint16
read_owner_number (TsBtfScan *scan, const Sight *sight, const TsBtfAct *act)
{
  const guint16  mask = ts_btf_is_of_runnable (act) ? G_MAXUINT16 : 0;
  /* of other lines nothing is read */
  const gsize    n = (sight->at.source_instance - sight->at.source - 1) & (mask | scan->odd_mask);
  const char    *end = sight->p + sight->at.source_instance;
  const TsBtfOne one = ts_btf_one_number (end, ts_btf_mask (n, WORD));

  if (G_UNLIKELY ((one.odd | (guint) (n / WORD)) != 0))
    return read_odd_owner_number (scan, end - n, end, mask);
  return n > 0 ? ts_event_owner_number ((gint32) one.number) & mask : 0;
}

/* What a line does, as @known. FALSE: its texts are not known. */
static TS_ALWAYS_INLINE gboolean
know_line (TsBtf *btf, const TsBtfScan *scan, const Run *run, Sight *sight, TsBtfKnown *known, TsBtfAct *act)
{
  const TsBtfPieces  *pieces = &sight->pieces;
  const TsBtfPattern *pattern;
  TsBtfBases          bases;

  if (scan->lexicon != NULL)
    {
      bases = ts_btf_bases_of (scan->lexicon);
      if ((G_UNLIKELY (!ts_btf_is_of (bases, &sight->spots, &pieces->ends, &pieces->fronts, TS_BTF_LONGEST))
           || !ts_btf_have_rests (scan->lexicon, &sight->spots, pieces))
          && !ts_btf_lexicon_find (btf, pieces, &sight->spots))
        return FALSE;
      *act = ts_btf_compose (btf, run, bases, &sight->spots, known);
      return TRUE;
    }
  pattern = ts_btf_pattern_at (scan, sight->spots.target);
  if (G_UNLIKELY (!ts_btf_same_ends (&pattern->ends, &pieces->ends, TS_BTF_WIDE)))
    {
      pattern = ts_btf_find_pattern (btf, sight);
      if (pattern == NULL)
        return FALSE;
    }
  *known = (TsBtfKnown){ pattern->effect.way, pattern->effect.flags };
  *act = pattern->effect.act;
  return TRUE;
}

static TS_ALWAYS_INLINE Outcome
take_quickly (TsBtf *btf, TsBtfScan *scan, Run *run, Sight *sight)
{
  const char  *end = sight->p + sight->at.instance;
  const gsize  n = sight->at.instance - sight->at.target - 1;
  guint32      way;
  gint32       instance;
  gboolean     is_large = FALSE;
  TsBtfTwo     two;
  TsBtfKnown   known;
  TsBtfAct     act;

  if (G_UNLIKELY (!know_line (btf, scan, run, sight, &known, &act)))
    {
      scan->is_missing = TRUE;
      return NOT_TAKEN;
    }
  way = known.way - run->n_changes;
  two = ts_btf_two_numbers (sight->time, scan->time_mask, end, ts_btf_mask (n, WORD));
  if (G_UNLIKELY (!ts_btf_has_high (scan, sight->time))
      && ((two.odd & TIME_IS_ODD) != 0 || !read_high (scan, sight->time, two.first)))
    return RULES;
  if (G_UNLIKELY (way == TS_BTF_OF_NOTE))
    {
      if ((two.odd & TIME_IS_ODD) != 0 || !ts_btf_find_interval (btf, sight->event_end, &act))
        return RULES;
    }
  else if (G_UNLIKELY (way != TS_BTF_PLAIN)
      && ((two.odd & TIME_IS_ODD) != 0
          || !ts_btf_take_other_way (btf, way, ts_btf_is_of_runnable (&act), sight->event_end, &sight->spots)))
    return RULES;
  instance = (gint32) two.second;
  if (G_UNLIKELY ((two.odd | odd_length (n)) != 0))
    {
      gint64 odd = (two.odd & TIME_IS_ODD) == 0 ? read_odd_instance (end - n, end) : OTHER_INSTANCE;

      if (odd == OTHER_INSTANCE)
        return RULES;
      is_large = odd > G_MAXINT32 && act.instance_mask != 0;
      instance = (gint32) (odd < 0 ? odd : odd & G_MAXINT32);
      btf->has_anonymous |= odd < 0 && act.instance_mask != 0;
    }
  if (G_UNLIKELY (!take_act (btf, run, &act, (scan->high + two.first) * scan->factor, instance,
                             scan->has_owners ? read_owner_number (scan, sight, &act) : 0)))
    return RULES;
  if (G_UNLIKELY (is_large))
    ts_diagnostics_add (btf->import->diagnostics, TS_DIAGNOSTIC_LARGE_INSTANCE, run->line, NULL);
  return TAKEN;
}

static TS_ALWAYS_INLINE Outcome
take_line (TsBtf *btf, TsBtfScan *scan, Run *run, Sight *sight)
{
  Outcome       outcome = take_quickly (btf, scan, run, sight);
  TsBtfPattern *pattern;

  if (G_LIKELY (outcome != RULES))
    return outcome;
  pattern = ts_btf_find_pattern (btf, sight);
  if (G_UNLIKELY (pattern == NULL))
    {
      /* an event that is known, but not for such a target */
      scan->is_missing = TRUE;
      return NOT_TAKEN;
    }
  ts_btf_end_run (btf, run);
  outcome = take_by_rules (btf, pattern, sight->time, sight->next);
  *run = ts_btf_begin_run (btf);
  return outcome;
}

/* What a line looks like */

/* A time as long as this one has so many digits. FALSE: it is no plain time. */
static gboolean
measure_time (TsBtfScan *scan, const char *begin, const char *end)
{
  const char *comma;
  gsize       n = 0;

  while (n < TS_BTF_MAX_DIGITS && begin + n < end && g_ascii_isdigit (begin[n]))
    n++;
  comma = begin + n;
  if (n == 0 || comma == end || *comma != ',')
    {
      /* what only lines that are squeezed may have is learnt from this one */
      scan->is_missing = comma < end && ts_btf_is_blank (*comma);
      return FALSE;
    }
  /* behind a line that was learnt, what is known of the one before it still holds */
  if (n != scan->n_time)
    set_time_length (scan, n);
  return TRUE;
}

/* Line by line, up to one that begins behind @last. */
static const char *
take_near (TsBtf *btf, const char *begin, const char *last, const char *end)
{
  TsBtfScan *scan = btf->scan;
  Run        run = ts_btf_begin_run (btf);
  Sight      sight;
  Outcome    outcome = TAKEN;

  while (begin <= last && G_LIKELY (ts_btf_see_line (scan, begin, end, &sight)))
    {
      begin = sight.next;
      outcome = take_line (btf, scan, &run, &sight);
      if (G_UNLIKELY (outcome != TAKEN))
        break;
    }
  ts_btf_end_run (btf, &run);
  return outcome == TAKEN || outcome == FAILED ? begin : sight.time - scan->n_time;
}

const char *
ts_btf_take_one (TsBtf *btf, const char *begin, const char *end)
{
  return take_near (btf, begin, begin, end);
}

static const char *
take_lines (TsBtf *btf, const char *begin, const char *last, const char *end)
{
  TsBtfScan *scan = btf->scan;

  if (ts_btf_has_many_odd (btf))
    {
      if (!scan->is_any || !scan->is_wide)
        scan->n_odd = 0;
      scan->is_wide |= scan->is_any;
      scan->is_any = TRUE;
    }
  if (ts_btf_has_many_odd (btf))
    return take_near (btf, begin, last, end);
  return ts_btf_take_quickly (btf, begin, last, end);
}

const char *
ts_btf_scan (TsBtf *btf, const char *bytes, const char *begin, const char *end, gsize n_behind)
{
  TsBtfScan  *scan = btf->scan;
  const char *last, *stop;

  if (scan == NULL)
    return begin;
  scan->is_missing = FALSE;
  if (!btf->begun || begin - bytes < TS_BTF_MAX_FRONT)
    return begin;
  set_limit (btf);
  last = n_behind >= ROOM ? end - 1 : end - (ROOM - n_behind);
  /* a time of another length may come anywhere */
  while (begin <= last && btf->error == NULL && measure_time (scan, begin, end))
    {
      stop = take_lines (btf, begin, last, end + n_behind);
      if (stop == begin || scan->is_missing)
        return stop;
      begin = stop;
    }
  return begin;
}

gboolean
ts_btf_squeezes (const TsBtf *btf)
{
  return btf->scan != NULL && btf->scan->squeezes;
}

gboolean
ts_btf_has_whole_note (const TsBtf *btf, const char *begin, const char *end)
{
  return !btf->scan->squeezes || memchr (begin, ',', (gsize) (end - begin)) == NULL;
}
