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
#define MAX_AHEAD 16
/* So many patterns are in a cache that is near. */
#define FEW_PATTERNS 1024

/* A line of which only its marks are known. */
typedef struct
{
  const char *begin, *next; /* the line after it */
  const char *p;            /* the end of its time */
  TsBtfMarks  at;
  TsBtfEnds   ends;
  gsize       place; /* where its pattern may be */
} Sight;

typedef enum
{
  NOT_TAKEN, /* it has to take the long way */
  TAKEN,
  ANEW,   /* its time has another length */
  FAILED, /* with an error */
} Outcome;

/* Numbers */

/* What no text under a mask of 0 is. */
#define NO_TEXT 1

/* From here on, times have @n digits. */
static void
set_time_length (TsBtfScan *scan, gsize n)
{
  const guint64 zeros = G_GUINT64_CONSTANT (0x3030303030303030);

  scan->n_time = n;
  scan->high_mask = n > WORD && n <= 2 * WORD ? ts_btf_load ((const char *) ts_btf_mask (n - WORD, WORD)) : 0;
  scan->high_text = n <= 2 * WORD ? zeros & scan->high_mask : NO_TEXT;
  scan->high = 0;
}

/* The digits in front of the last eight: in most files they change once in a thousand lines. */
static gboolean G_GNUC_NO_INLINE
read_high (TsBtfScan *scan, const char *begin, guint64 text)
{
  const gint64 factor = 100000000;
  gint64       high;

  if (ts_btf_number ((TsBtfText){ begin, scan->n_time - WORD }, &high) != TS_BTF_GOOD || high < 0
      || high >= TS_TIME_LIMIT / factor)
    return FALSE;
  scan->high_text = scan->high_mask != 0 ? text : NO_TEXT;
  scan->high = high * factor;
  return TRUE;
}

/* An instance with blanks around it, or without a number. FALSE: it is another one that is odd. */
static gboolean G_GNUC_NO_INLINE
read_odd_instance (const char *begin, const char *end, gint32 *instance)
{
  TsBtfText text = ts_btf_trim (begin, end);
  guint64   digits = ts_btf_last_digits (text.begin + text.length, text.length);

  if (text.length == 0 || (text.length == 2 && memcmp (text.begin, "-1", 2) == 0))
    *instance = TS_NO_INSTANCE;
  else if (text.length <= WORD && ts_btf_are_digits (digits))
    *instance = (gint32) ts_btf_digits_value (digits);
  else
    return FALSE;
  return TRUE;
}

/* Of the instance that a runnable says it runs in. */
static inline guint16
read_owner_number (const char *begin, const char *end)
{
  gsize   n = (gsize) (end - begin);
  guint64 digits;

  if (G_LIKELY (n - 1 < WORD) && G_LIKELY (ts_btf_are_digits (digits = ts_btf_last_digits (end, n))))
    return ts_event_owner_number ((gint32) ts_btf_digits_value (digits));
  return ts_btf_owner_number (ts_btf_trim (begin, end));
}

/* Lines by the rules */

/* FALSE: the long way knows what this is. */
static gboolean
read_numbers (const TsBtf *btf, const Sight *sight, TsBtfRecord *record)
{
  const char *p = sight->p;
  gint64      time;

  if (!g_ascii_isdigit (*sight->begin)
      || ts_btf_number ((TsBtfText){ sight->begin, (gsize) (p - sight->begin) }, &time) != TS_BTF_GOOD
      || time > btf->limit)
    return FALSE;
  record->time = time * btf->factor;
  record->is_plain = read_odd_instance (p + sight->at.target + 1, p + sight->at.instance, &record->instance);
  return TRUE;
}

/* Once the system has stopped, every event is one too late. */
static void
set_limit (TsBtf *btf)
{
  btf->scan->limit = btf->stop == G_MAXINT64 ? btf->limit : -1;
}

/* What has a number that is odd, or what other lines can change the meaning of. */
static Outcome G_GNUC_NO_INLINE
take_by_rules (TsBtf *btf, TsBtfPattern *pattern, const Sight *sight)
{
  const TsBtfEntity *entity = ts_btf_entity_info (btf, pattern->texts.entity);
  gboolean           has_note = (pattern->texts.flags & TS_BTF_HAS_NOTE) != 0;
  TsBtfRecord        record;
  TsBtfLine          line;

  if (memchr (sight->begin, ',', (gsize) (sight->p - sight->begin)) != NULL)
    return ANEW;
  if (!read_numbers (btf, sight, &record))
    return NOT_TAKEN;
  record.known = pattern->texts;
  record.name = entity->name;
  record.type = entity->type;
  record.source_instance = (TsBtfText){ sight->p + sight->at.source + 1,
                                        sight->at.source_instance - sight->at.source - 1 };
  record.line = &line;
  if (!record.is_plain || has_note)
    {
      record.is_plain = FALSE;
      ts_btf_split_whole (sight->begin, sight->next - 1, &line);
    }
  else
    {
      line.begin = sight->begin;
      line.end = sight->next - 1;
      line.n_commas = TS_BTF_FIELDS - 1;
    }
  btf->line++;
  ts_btf_take_record (btf, &record);
  set_limit (btf);
  if (pattern->effect.way - btf->n_changes >= TS_BTF_N_WAYS)
    pattern->effect = ts_btf_effect (btf, &pattern->texts, has_note);
  return G_LIKELY (btf->error == NULL) ? TAKEN : FAILED;
}

/* Lines by their effect */

static ALWAYS_INLINE void
put_event (TsBtf *btf, const TsBtfEffect *effect, gint64 time, gint32 instance, guint16 resource, guint16 owner_number)
{
  const TsEvent numbered = { .line = ++btf->line };
  guint64       word;
  TsEvent      *event = ts_import_next (btf->import);

  /* all that is in one word at once: to change a part of it would cost more */
  memcpy (&word, (const char *) &numbered + sizeof event->time, sizeof word);
  word |= effect->what;
  memcpy ((char *) event + sizeof event->time, &word, sizeof word);
  event->time = time;
  event->element = effect->element;
  event->instance = instance;
  event->owner = effect->owner;
  event->resource = resource;
  event->owner_number = owner_number;
  ts_import_commit (btf->import);
  btf->n_events++;
}

/* FALSE: not this time. */
static ALWAYS_INLINE gboolean
take_effect (TsBtf *btf, const TsBtfEffect *effect, const Sight *sight, gint64 time, gint32 instance)
{
  TsBtfPlace *place;
  guint16     core, number;

  switch (effect->way - btf->n_changes)
    {
    case TS_BTF_FIXED:
      ts_btf_place (btf, effect->place)->core = effect->resource;
      put_event (btf, effect, time, instance, effect->resource, effect->owner_number);
      return TRUE;
    case TS_BTF_NESTED:
      core = ts_btf_place (btf, effect->source)->core;
      if (G_UNLIKELY (core == TS_NO_RESOURCE))
        return FALSE;
      number = read_owner_number (sight->p + sight->at.source + 1, sight->p + sight->at.source_instance);
      place = ts_btf_place (btf, effect->place);
      place->owner = effect->owner;
      place->core = core;
      put_event (btf, effect, time, instance, core, number);
      return TRUE;
    case TS_BTF_FOLLOWING:
      core = ts_btf_place (btf, effect->source)->core;
      if (G_UNLIKELY (core == TS_NO_RESOURCE))
        return FALSE;
      ts_btf_place (btf, effect->place)->core = core;
      put_event (btf, effect, time, instance, core, 0);
      return TRUE;
    case TS_BTF_ACCESS:
      put_event (btf, effect, time, TS_NO_INSTANCE, TS_NO_RESOURCE, 0);
      return TRUE;
    case TS_BTF_COUNTED:
      g_array_index (btf->counters, TsBtfCounter, effect->place).count++;
      put_event (btf, effect, time, TS_NO_INSTANCE, TS_NO_RESOURCE, 0);
      return TRUE;
    default:
      return FALSE;
    }
}

/* Whether an event without a number would have had one. */
static gboolean
has_instance (const TsBtf *btf, const TsBtfEffect *effect)
{
  guint32 way = effect->way - btf->n_changes;

  return way == TS_BTF_FIXED || way == TS_BTF_FOLLOWING || way == TS_BTF_NESTED;
}

static ALWAYS_INLINE Outcome
take_line (TsBtf *btf, const Sight *sight)
{
  TsBtfScan    *scan = btf->scan;
  TsBtfPattern *pattern = (TsBtfPattern *) (gpointer) (scan->patterns + sight->place);
  const char   *p = sight->p, *number = p + sight->at.target + 1, *number_end = p + sight->at.instance;
  guint64       text;
  guint32       low, high;
  gint32        instance;
  guint         odd;
  gint64        time;

  if (G_UNLIKELY (!ts_btf_has_ends (pattern, &sight->ends))
      || G_UNLIKELY (!ts_btf_has_beginnings (scan, pattern, p, &sight->at)))
    {
      pattern = ts_btf_find_pattern (scan, sight->place, p, &sight->at);
      if (pattern == NULL)
        {
          scan->is_missing = TRUE;
          return NOT_TAKEN;
        }
    }
  odd = ts_btf_two_numbers (p, scan->n_time, number_end, (gsize) (number_end - number), &low, &high);
  instance = (gint32) high;
  if (G_UNLIKELY (odd != 0) || G_UNLIKELY ((gsize) (number_end - number) - 1 >= WORD))
    {
      if ((odd & 0xff) != 0 || !read_odd_instance (number, number_end, &instance))
        return take_by_rules (btf, pattern, sight);
      btf->has_anonymous |= instance < 0 && has_instance (btf, &pattern->effect);
    }
  text = ts_btf_load (p - 2 * WORD) & scan->high_mask;
  if (G_UNLIKELY (text != scan->high_text) && !read_high (scan, sight->begin, text))
    return take_by_rules (btf, pattern, sight);
  time = scan->high + low;
  if (G_UNLIKELY (time > scan->limit)
      || G_UNLIKELY (!take_effect (btf, &pattern->effect, sight, time * btf->factor, instance)))
    return take_by_rules (btf, pattern, sight);
  return TAKEN;
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

/* A line with a note, or one whose marks are not all in one block. */
static gboolean G_GNUC_NO_INLINE
see_long_line (const char *p, const char *end, Sight *sight)
{
  gsize   marks[N_MARKS], from = 0;
  guint64 found, more;

  if (end - p < MAX_WIDTH)
    return FALSE;
  found = ts_btf_find (p, ',', '\n');
  more = ts_btf_find (p + TS_BTF_BLOCK, ',', '\n');
  for (guint i = 0; i < N_MARKS; i++)
    {
      if (found == 0)
        {
          found = more;
          from += TS_BTF_BLOCK;
          more = 0;
          if (found == 0)
            return FALSE;
        }
      marks[i] = from + (guint) __builtin_ctzll (found);
      found &= found - 1;
    }
  sight->at = (TsBtfMarks){ marks[1], marks[2], marks[4], marks[5], marks[6] };
  p += marks[6];
  if (*p != '\n')
    p = memchr (p, '\n', (gsize) MIN (end - p, MAX_NOTE));
  if (p == NULL)
    return FALSE;
  sight->next = p + 1;
  return TRUE;
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
  guint64     instance = target & (target - 1), event = instance & (instance - 1);

  if (G_UNLIKELY ((time & 1) == 0))
    return FALSE;
  sight->begin = begin;
  sight->p = p;
  if (G_LIKELY (event != 0) && G_LIKELY (p[first (event)] == '\n'))
    {
      sight->at = (TsBtfMarks){ first (source), first (source_instance), first (target), first (instance),
                                first (event) };
      sight->next = p + first (event) + 1;
    }
  else if (!see_long_line (p, end, sight))
    return FALSE;
  sight->ends = ts_btf_ends (p, &sight->at);
  sight->place = ts_btf_place_of_hash (scan, ts_btf_hash_line (&sight->ends, p, &sight->at));
  return TRUE;
}

static inline gboolean
has_room (const char *begin, const char *end)
{
  return end - begin >= TS_BTF_BLOCK + MAX_DIGITS;
}

/* Line by line, as long as no other line's outcome is asked for. */
static const char *
take_near (TsBtf *btf, const char *begin, const char *end)
{
  Outcome outcome = TAKEN;
  Sight   sight;

  while (has_room (begin, end) && G_LIKELY (see_line (btf->scan, begin, end, &sight)))
    {
      outcome = take_line (btf, &sight);
      if (G_UNLIKELY (outcome != TAKEN))
        return outcome == FAILED ? sight.next : begin;
      begin = sight.next;
    }
  return begin;
}

/* With many patterns they come from far: those of a few lines are asked for at once. */
static const char *
take_far (TsBtf *btf, const char *begin, const char *end)
{
  Sight sights[MAX_AHEAD];
  guint n, n_most = 1;

  do
    {
      const char *next = begin;

      for (n = 0; n < n_most && has_room (next, end) && see_line (btf->scan, next, end, &sights[n]); n++)
        {
          const char *pattern = btf->scan->patterns + sights[n].place;

          __builtin_prefetch (pattern);
          __builtin_prefetch (pattern + TS_BTF_CACHE_LINE);
          next = sights[n].next;
        }
      for (guint i = 0; i < n; i++)
        {
          Outcome outcome = take_line (btf, &sights[i]);

          if (G_UNLIKELY (outcome != TAKEN))
            return outcome == FAILED ? sights[i].next : begin;
          begin = sights[i].next;
        }
      n_most = MIN (2 * n_most, MAX_AHEAD);
    }
  while (n > 0);
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
  while (has_room (begin, end) && btf->error == NULL && measure_time (scan, begin))
    {
      stop = scan->n < FEW_PATTERNS ? take_near (btf, begin, end) : take_far (btf, begin, end);
      if (stop == begin)
        break;
      begin = stop;
    }
  return begin;
}
