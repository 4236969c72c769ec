/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf-marks.h"
#include "import/btf-scan.h"

/* A quick reader of events. Nearly all of a BTF file is lines of the same few names, types and
 * words, with other numbers in between. What they were found to mean in a line that went the
 * long way is kept by the text as it stands, commas, blanks and all (btf-patterns.c), and with it
 * what such a line does to the timeline, as long as that is the same (btf-effect.c). What is new
 * or no plain number, too long, or too near the ends of the input is left to the long way, which
 * also says what is wrong. */

#define ALWAYS_INLINE TS_BTF_ALWAYS_INLINE
#define WORD TS_BTF_WORD_BYTES
/* A line that is longer, from its time up to its note, takes the long way. */
#define MAX_WIDTH (2 * TS_BTF_BLOCK)
#define MAX_NOTE 4096
#define MAX_DIGITS 19
#define N_MARKS TS_BTF_FIELDS
#define ROOM (MAX_DIGITS + TS_BTF_BLOCK) /* bytes of a line that are looked at in any case */
#define MAX_AHEAD 16
/* So many patterns are in a cache that is near. */
#define FEW_PATTERNS 1024

/* A line of which only its marks are known. */
typedef struct
{
  const char *next; /* the line after it */
  const char *p;    /* the end of its time */
  TsBtfMarks  at;
  TsBtfEnds   ends;
  gsize       place; /* where its pattern may be */
} Sight;

typedef enum
{
  TAKEN,
  NOT_TAKEN, /* it has to take the long way */
  ANEW,      /* its time has another length */
  FAILED,    /* with an error */
  RULES,     /* it is a matter of the rules */
} Outcome;

/* What changes with every line, or is asked for in every line: in registers, and not in @btf meanwhile. */
typedef struct
{
  TsEvent    *event, *end;
  guint64     line;
  TsBtfPlace *places;
  guint32     n_changes;
} Run;

/* Numbers */

/* What no text under a mask of 0 is. */
#define NO_TEXT 1
#define MAX_LOW 99999999

/* From here on, times have @n digits. */
static void
set_time_length (TsBtfScan *scan, gsize n)
{
  gboolean fits = scan->limit >= MAX_LOW;

  scan->n_time = n;
  scan->time_mask = ts_btf_mask (n, WORD);
  scan->high_mask = n > WORD && n <= 2 * WORD ? ts_btf_digits_mask (n - WORD) : 0;
  scan->high_text = fits && n <= 2 * WORD ? TS_EACH_BYTE ('0') & scan->high_mask : NO_TEXT;
  scan->high = 0;
}

/* The digits in front of the last eight, which are worth @low: in most files they change once in a thousand lines.
 * Their text is one to be recognized where whatever the last eight are is within the limit. FALSE: they are no digits,
 * or beyond it. */
static gboolean G_GNUC_NO_INLINE
read_high (TsBtfScan *scan, const char *p, guint64 text, guint32 low)
{
  gsize  n = scan->n_time > WORD ? scan->n_time - WORD : 0;
  gint64 high = 0;

  if (n > 0 && (ts_btf_number ((TsBtfText){ p - scan->n_time, n }, &high) != TS_BTF_GOOD || high < 0
                || high >= TS_TIME_LIMIT / (MAX_LOW + 1)))
    return FALSE;
  scan->high = high * (MAX_LOW + 1);
  scan->high_text = n <= WORD && scan->high + MAX_LOW <= scan->limit ? text : NO_TEXT;
  return scan->high + low <= scan->limit;
}

#define OTHER_INSTANCE G_MININT64

/* A number with a blank in front of it, as some write after every comma. */
static ALWAYS_INLINE gboolean
read_behind_blank (const char *begin, const char *end, gint64 *number)
{
  gsize   n = (gsize) (end - begin) - 1;
  guint64 digits;

  if (*begin != ' ' || n - 1 >= WORD)
    return FALSE;
  digits = ts_btf_last_digits (end, n);
  *number = (gint64) ts_eight_number (digits);
  return ts_btf_are_digits (digits);
}

/* An instance with blanks around it, or without a number. OTHER_INSTANCE: it is another one that is odd. */
static gint64 G_GNUC_NO_INLINE
read_odd_instance (const char *begin, const char *end)
{
  TsBtfText text = ts_btf_trim (begin, end);
  guint64   digits;

  if (text.length == 0 || (text.length == 2 && memcmp (text.begin, "-1", 2) == 0))
    return TS_NO_INSTANCE;
  digits = ts_btf_last_digits (text.begin + text.length, MIN (text.length, WORD));
  return text.length <= WORD && ts_btf_are_digits (digits) ? (gint64) ts_eight_number (digits) : OTHER_INSTANCE;
}

static guint16 G_GNUC_NO_INLINE
read_odd_owner_number (const char *begin)
{
  const char *end = begin;

  while (*end != ',')
    end++;
  return ts_btf_owner_number (ts_btf_trim (begin, end));
}

/* Of the instance that a runnable says it runs in: what is in front of the next comma. */
static ALWAYS_INLINE guint16
read_owner_number (const char *begin)
{
  const char *first = begin + (*begin == ' ');
  guint64     digits = ts_eight_digits (first), odd = ts_eight_odd (digits);
  guint       bits = (guint) __builtin_ctzll (odd | TS_BTF_TOP_BIT) & ~7u;

  if (G_UNLIKELY (bits == 0) || G_UNLIKELY ((digits >> bits & 0xff) != (',' ^ '0')))
    return read_odd_owner_number (begin);
  return ts_event_owner_number ((gint32) ts_eight_number (digits << (64 - bits)));
}

/* Lines by the rules */

static Run
begin_run (const TsBtf *btf)
{
  TsImport *import = btf->import;

  return (Run){ ts_import_next (import), import->events + TS_BATCH_EVENTS, btf->line, ts_btf_place (btf, 0),
                btf->n_changes };
}

static void
end_run (TsBtf *btf, Run run)
{
  btf->n_events += run.line - btf->line;
  btf->line = run.line;
  btf->import->n_events = (guint) (run.event - btf->import->events);
}

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
take_by_rules (TsBtf *btf, TsBtfPattern *pattern, const char *p, const char *next)
{
  const TsBtfEntity *entity = ts_btf_entity_info (btf, pattern->texts.entity);
  const char        *begin = p - btf->scan->n_time;
  TsBtfLine          line;
  TsBtfRecord        record = { .line = &line, .known = pattern->texts, .name = entity->name, .type = entity->type };
  gint64             time;

  ts_btf_split_whole (begin, next - 1, &line);
  if (line.commas[0] != p)
    return ANEW;
  if (!g_ascii_isdigit (*begin) || ts_btf_number (ts_btf_field (&line, 0), &time) != TS_BTF_GOOD || time > btf->limit)
    return NOT_TAKEN;
  record.time = time * btf->factor;
  btf->line++;
  ts_btf_take_record (btf, &record);
  set_limit (btf);
  if (ts_btf_way (pattern, btf->n_changes) >= TS_BTF_N_WAYS)
    ts_btf_set_effect (btf, pattern);
  return G_LIKELY (btf->error == NULL) ? TAKEN : FAILED;
}

static TsEvent *G_GNUC_NO_INLINE
pass_batch (TsBtf *btf)
{
  btf->import->n_events = TS_BATCH_EVENTS;
  ts_import_flush (btf->import);
  return ts_import_next (btf->import);
}

/* Lines by their effect */

/* An event from its element on, and an effect from its own. */
#define EVENT_REST (sizeof (TsEvent) - G_STRUCT_OFFSET (TsEvent, element))

G_STATIC_ASSERT (sizeof (TsBtfEffect) - G_STRUCT_OFFSET (TsBtfEffect, element) == EVENT_REST);
G_STATIC_ASSERT (G_STRUCT_OFFSET (TsBtfEffect, owner) - G_STRUCT_OFFSET (TsBtfEffect, element)
                 == G_STRUCT_OFFSET (TsEvent, owner) - G_STRUCT_OFFSET (TsEvent, element));
G_STATIC_ASSERT (G_STRUCT_OFFSET (TsBtfEffect, resource) - G_STRUCT_OFFSET (TsBtfEffect, element)
                 == G_STRUCT_OFFSET (TsEvent, resource) - G_STRUCT_OFFSET (TsEvent, element));

static ALWAYS_INLINE void
fill_event (Run *run, const TsBtfEffect *effect, gint64 time, gint32 instance)
{
  TsEvent *event = run->event;

  event->time = time;
  ts_event_place (event, ++run->line, effect->what);
  memcpy (&event->element, &effect->element, EVENT_REST);
  event->instance = instance;
}

static ALWAYS_INLINE void
next_event (TsBtf *btf, Run *run)
{
  if (G_UNLIKELY (++run->event == run->end))
    run->event = pass_batch (btf);
}

/* FALSE: not this time. */
static ALWAYS_INLINE gboolean
take_effect (TsBtf *btf, Run *run, guint32 way, const TsBtfPattern *pattern, const char *p, gint64 time,
             gint32 instance)
{
  const TsBtfEffect *effect = &pattern->effect;
  TsBtfPlace        *place = &run->places[effect->place];
  guint16            core, number = 0;

  if (G_LIKELY (way == TS_BTF_FIXED))
    {
      place->core = effect->resource;
      fill_event (run, effect, time, instance);
      next_event (btf, run);
      return TRUE;
    }
  if (way == TS_BTF_COUNTED || way == TS_BTF_ACCESS)
    {
      if (way == TS_BTF_COUNTED)
        g_array_index (btf->counters, TsBtfCounter, effect->place).count++;
      fill_event (run, effect, time, TS_NO_INSTANCE);
      next_event (btf, run);
      return TRUE;
    }
  core = run->places[effect->source].core;
  if (G_UNLIKELY (way >= TS_BTF_BY_RULES) || G_UNLIKELY (core == TS_NO_RESOURCE))
    return FALSE;
  if (way == TS_BTF_NESTED)
    {
      number = read_owner_number (p + pattern->texts.source_length);
      place->owner = effect->owner;
    }
  place->core = core;
  fill_event (run, effect, time, instance);
  run->event->resource = core;
  run->event->owner_number = number;
  next_event (btf, run);
  return TRUE;
}

/* Whether an event that came without a number is one that should have it. */
static gboolean
wants_instance (guint32 way)
{
  return way == TS_BTF_FIXED || way == TS_BTF_FOLLOWING || way == TS_BTF_NESTED;
}

/* What the rules note of a line as well: the one that was learnt need not have been such a line. */
static void G_GNUC_NO_INLINE
note_taken (TsBtf *btf, guint32 way, gboolean is_preempt, gint32 instance)
{
  btf->has_slice |= is_preempt && (way == TS_BTF_FIXED || way == TS_BTF_FOLLOWING);
  btf->has_runnable |= is_preempt && way == TS_BTF_NESTED;
  btf->has_anonymous |= instance < 0 && wants_instance (way);
}

/* An empty note: it has no say. */
static gboolean
has_no_note (const char *event_end, const char *next)
{
  return next - event_end == 2 || (next - event_end == 3 && event_end[1] == '\r');
}

/* NULL: not known. */
static ALWAYS_INLINE TsBtfPattern *
find_pattern (const TsBtfScan *scan, const Sight *sight, guint32 n_changes)
{
  TsBtfPattern *pattern = ts_btf_pattern_at (scan, sight->place);

  /* the way of a long pattern is never the first one */
  if (G_LIKELY (ts_btf_same_ends (&pattern->ends, &sight->ends))
      && (ts_btf_way (pattern, n_changes) == TS_BTF_FIXED || !ts_btf_is_long (pattern)
          || G_LIKELY (ts_btf_has_beginnings (scan, pattern, sight->p, &sight->at))))
    return pattern;
  return ts_btf_find_pattern (scan, sight->place, sight->p, ts_btf_pack_marks (&sight->at));
}

static ALWAYS_INLINE Outcome
take_quickly (TsBtf *btf, TsBtfScan *scan, Run *run, const Sight *sight, TsBtfPattern **found)
{
  TsBtfPattern *pattern = find_pattern (scan, sight, run->n_changes);
  const char   *p = sight->p, *number = p + sight->at.target + 1, *number_end = p + sight->at.instance;
  guint64       text;
  guint32       low, high, way;
  gint32        instance;
  gboolean      is_preempt = FALSE;
  guint         odd;

  *found = pattern;
  if (G_UNLIKELY (pattern == NULL))
    {
      scan->is_missing = TRUE;
      return NOT_TAKEN;
    }
  odd = ts_btf_two_numbers (p, scan->time_mask, number_end, ts_btf_mask ((gsize) (number_end - number), WORD), &low,
                            &high);
  instance = (gint32) high;
  way = ts_btf_way (pattern, run->n_changes);
  if (way != TS_BTF_FIXED)
    {
      is_preempt = (way & TS_BTF_UNLESS_NOTE) != 0;
      if (is_preempt && !has_no_note (p + sight->at.event, sight->next))
        return RULES;
      way &= ~(guint32) (TS_BTF_LONG_WAY | TS_BTF_UNLESS_NOTE);
    }
  if (G_UNLIKELY (odd != 0) || G_UNLIKELY ((gsize) (number_end - number) - 1 >= WORD))
    {
      gint64 other;

      if ((odd & 0xff) != 0)
        return RULES;
      if (!read_behind_blank (number, number_end, &other)
          && (other = read_odd_instance (number, number_end)) == OTHER_INSTANCE)
        return RULES;
      instance = (gint32) other;
    }
  text = ts_eight_load (p - 2 * WORD) & scan->high_mask;
  if (G_UNLIKELY (text != scan->high_text) && !read_high (scan, p, text, low))
    return RULES;
  if (G_UNLIKELY (!take_effect (btf, run, way, pattern, p, (scan->high + low) * scan->factor, instance)))
    return RULES;
  if (G_UNLIKELY (is_preempt) || G_UNLIKELY (instance < 0))
    note_taken (btf, way, is_preempt, instance);
  return TAKEN;
}

static ALWAYS_INLINE Outcome
take_line (TsBtf *btf, TsBtfScan *scan, Run *run, const Sight *sight)
{
  TsBtfPattern *pattern;
  Outcome       outcome = take_quickly (btf, scan, run, sight, &pattern);

  if (G_UNLIKELY (outcome == RULES))
    {
      end_run (btf, *run);
      outcome = take_by_rules (btf, pattern, sight->p, sight->next);
      *run = begin_run (btf);
    }
  return outcome;
}

/* What a line looks like */

/* A time as long as this one has so many digits. FALSE: it is no plain time. */
static gboolean
measure_time (TsBtfScan *scan, const char *begin)
{
  gsize n = 0;

  while (n < MAX_DIGITS && g_ascii_isdigit (begin[n]))
    n++;
  if (n == 0 || begin[n] != ',')
    return FALSE;
  set_time_length (scan, n);
  return TRUE;
}

/* A line with a note, or one whose marks are not all in one block: where these are, a byte each, and the next line,
 * or NULL. */
typedef struct
{
  TsBtfPackedMarks marks;
  const char      *next;
} LongLine;

static LongLine G_GNUC_NO_INLINE
see_long_line (const char *p, const char *end)
{
  LongLine    line = { 0, NULL };
  gsize       marks[N_MARKS], from = 0;
  guint64     found, more;
  const char *newline;

  if (end - p < MAX_WIDTH)
    return line;
  found = ts_btf_find (p, ',', '\n');
  more = ts_btf_find (p + TS_BTF_BLOCK, ',', '\n');
#pragma GCC unroll 7
  for (guint i = 0; i < N_MARKS; i++)
    {
      if (found == 0)
        {
          found = more;
          from += TS_BTF_BLOCK;
          more = 0;
          if (found == 0)
            return line;
        }
      marks[i] = from + (guint) __builtin_ctzll (found);
      found &= found - 1;
    }
  newline = p + marks[N_MARKS - 1];
  if (*newline != '\n')
    newline = memchr (newline, '\n', (gsize) MIN (end - newline, MAX_NOTE));
  line.marks = ts_btf_pack_marks (&(TsBtfMarks){ marks[1], marks[2], marks[4], marks[5], marks[6] });
  line.next = newline != NULL ? newline + 1 : NULL;
  return line;
}

static inline gsize
first (guint64 marks)
{
  return (guint) __builtin_ctzll (marks);
}

/* Finds the marks of a line, which begins where its time is as long as the one before. Whether it really is one of
 * events turns out when its texts are compared. */
static ALWAYS_INLINE gboolean
see_line (const TsBtfScan *scan, const char *begin, const char *end, Sight *sight)
{
  const char *p = begin + scan->n_time;
  guint64     time = ts_btf_find (p, ',', '\n'), source = time & (time - 1), source_instance = source & (source - 1);
  guint64     type = source_instance & (source_instance - 1), target = type & (type - 1);
  guint64     instance = target & (target - 1), event = instance & (instance - 1), behind = event & (event - 1);

  if (G_UNLIKELY ((time & 1) == 0))
    return FALSE;
  sight->p = p;
  if (G_LIKELY (event != 0) && G_LIKELY (p[first (event)] == '\n'))
    {
      sight->at = (TsBtfMarks){ first (source), first (source_instance), first (target), first (instance),
                                first (event) };
      sight->next = p + first (event) + 1;
    }
  else if (behind != 0 && p[first (behind)] == '\n')
    {
      /* a short note */
      sight->at = (TsBtfMarks){ first (source), first (source_instance), first (target), first (instance),
                                first (event) };
      sight->next = p + first (behind) + 1;
    }
  else
    {
      LongLine line = see_long_line (p, end);

      if (line.next == NULL)
        return FALSE;
      sight->at = ts_btf_unpack_marks (line.marks);
      sight->next = line.next;
    }
  sight->ends = ts_btf_ends (p, &sight->at);
  sight->place = ts_btf_place_of_hash (scan, ts_btf_hash_line (&sight->ends, p, &sight->at));
  return TRUE;
}

/* Line by line, up to one that begins behind @last. */
static const char *
take_near (TsBtf *btf, const char *begin, const char *last, const char *end)
{
  TsBtfScan *scan = btf->scan;
  Run        run = begin_run (btf);
  Sight      sight;

  while (begin <= last && G_LIKELY (see_line (scan, begin, end, &sight)))
    {
      Outcome outcome = take_line (btf, scan, &run, &sight);

      if (G_LIKELY (outcome == TAKEN) || outcome == FAILED)
        begin = sight.next;
      if (G_UNLIKELY (outcome != TAKEN))
        break;
    }
  end_run (btf, run);
  return begin;
}

/* With many patterns they come from far: those of a few lines are asked for at once. */
static const char *
take_far (TsBtf *btf, const char *begin, const char *last, const char *end)
{
  TsBtfScan *scan = btf->scan;
  Run        run = begin_run (btf);
  Sight      sights[MAX_AHEAD];
  guint      n, n_most = 1;
  Outcome    outcome = TAKEN;

  do
    {
      const char *next = begin;

      for (n = 0; n < n_most && next <= last && see_line (scan, next, end, &sights[n]); n++)
        {
          const char *pattern = scan->patterns + sights[n].place;

          __builtin_prefetch (pattern);
          __builtin_prefetch (pattern + TS_BTF_CACHE_LINE);
          next = sights[n].next;
        }
      for (guint i = 0; i < n && outcome == TAKEN; i++)
        {
          outcome = take_line (btf, scan, &run, &sights[i]);
          if (G_LIKELY (outcome == TAKEN) || outcome == FAILED)
            begin = sights[i].next;
        }
      n_most = MIN (2 * n_most, MAX_AHEAD);
    }
  while (n > 0 && outcome == TAKEN);
  end_run (btf, run);
  return begin;
}

const char *
ts_btf_scan (TsBtf *btf, const char *bytes, const char *begin, const char *end)
{
  TsBtfScan  *scan = btf->scan;
  const char *stop;

  if (scan == NULL)
    return begin;
  scan->is_missing = FALSE;
  if (!btf->begun || begin - bytes < 2 * TS_BTF_END)
    return begin;
  set_limit (btf);
  /* a time of another length may come anywhere */
  while (end - begin >= ROOM && btf->error == NULL && measure_time (scan, begin))
    {
      stop = scan->n < FEW_PATTERNS ? take_near (btf, begin, end - ROOM, end) : take_far (btf, begin, end - ROOM, end);
      if (stop == begin)
        break;
      begin = stop;
    }
  return begin;
}
