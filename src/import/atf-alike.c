/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/atf-bytes.h"
#include "import/atf-values.h"
#include "import/atf.h"
#include "model/inline.h"

/* Entries that look like the one before, but for their numbers: what stands around those
 * is learnt from one entry, and only compared from then on.
 *
 * The quick way, take_alike(), expects the time to be as long as the one before and knows
 * the ids by the eight bytes where they stand, so that only the time is converted. It
 * finds the end of an entry by its own look and not from the lengths of the numbers, so
 * that it need not wait for the tables before it goes on to the next one. */

/* With constant arguments nothing is left of the choices between them. */
#define N_LITERALS (TS_ATF_SCAN_NUMBERS + 1)
#define WORD 8
/* An id that is recalled is followed, or led, by a byte that is none of its digits. */
#define MAX_LONG_ID (2 * WORD - 1)
#define MAX_TIME 19 /* digits */
/* With fewer bytes to come the quick way does not pay. */
#define MIN_RUN 512
#define MIN_ALIKE 256 /* bytes that look like the template before one that does not */
#define MAX_STRETCH 256
#define MAX_RENEWED 8 /* lengths of the time before the next one is read without a template, too */
#define MIN_UNEQUAL 4 /* times that are shorter than the one before, or have other decimals, before none is expected */

guint
ts_atf_count_lines (const guint8 *begin, const guint8 *end)
{
  guint n = 0;

  while ((begin = memchr (begin, '\n', (gsize) (end - begin))) != NULL)
    {
      n++;
      begin++;
    }
  return n;
}

static gboolean
set_literal (TsAtfLiteral *literal, const guint8 *begin, const guint8 *end)
{
  gsize length = (gsize) (end - begin);

  if (length > TS_ATF_SCAN_TEXT)
    return FALSE;
  literal->length = (guint) length;
  memcpy (literal->bytes, begin, length);
  return TRUE;
}

void
ts_atf_alike_learn (TsAtf *atf, const guint8 *begin, const guint8 *end, const TsAtfNumber *numbers,
                    const guint8 *roles)
{
  TsAtfTemplate *template = &atf->scan.template;
  const guint8  *from = begin;

  template->is_known = TRUE;
  template->mark = *numbers[roles[0]].end;
  for (guint i = 0; i < TS_ATF_SCAN_NUMBERS; i++)
    {
      template->roles[i] = roles[i];
      template->is_known &= set_literal (&template->between[i], from, numbers[roles[i]].begin);
      from = numbers[roles[i]].end;
    }
  template->is_known &= set_literal (&template->between[TS_ATF_SCAN_NUMBERS], from, end);
  template->lines_before = ts_atf_count_lines (begin, (const guint8 *) memchr (begin, '<', (gsize) (end - begin)));
  template->lines = ts_atf_count_lines (begin, end);
}

/* One entry: returns its end, or NULL if it looks otherwise or is not whole. */
static const guint8 *
match (const TsAtfTemplate *template, const guint8 *p, const guint8 *end, TsAtfNumber *numbers)
{
  for (guint i = 0; i < N_LITERALS; i++)
    {
      const TsAtfLiteral *literal = &template->between[i];

      if ((gsize) (end - p) < literal->length || memcmp (p, literal->bytes, literal->length) != 0)
        return NULL;
      p += literal->length;
      if (i < TS_ATF_SCAN_NUMBERS)
        {
          TsAtfNumber *number = &numbers[template->roles[i]];

          if (!ts_atf_scan_number (p, end, template->roles[i] == TS_ATF_SCAN_TIME, number))
            return NULL;
          p = number->end;
        }
    }
  return p;
}

/* What ids mean */

static guint64
load_word (const guint8 *p)
{
  guint64 word;

  memcpy (&word, p, sizeof word);
  return word;
}

/* @p is where eight bytes of the id stand: the last number of an entry is recalled by the bytes that end with it, the
 * others by those that begin with them. NULL: not that of an id that is known. */
static TS_ALWAYS_INLINE const TsAtfMemo *
recall (const TsAtfMemos *memos, const guint8 *p, gboolean is_last, gboolean may_be_long)
{
  const guint8 *more = is_last ? p - WORD : p + WORD;

  return ts_atf_memos_recall (memos, load_word (p), may_be_long ? more : NULL);
}

/* FALSE: it has to be looked up each time. *was_known tells whether it was remembered before. */
static gboolean
remember (TsAtf *atf, guint8 role, const TsAtfNumber *number, gboolean *was_known)
{
  TsAtfMemos   *memos = &atf->scan.memos[role - TS_ATF_SCAN_EVENT];
  gsize         length = (gsize) (number->end - number->begin);
  gboolean      is_last = atf->scan.template.roles[TS_ATF_SCAN_NUMBERS - 1] == role;
  const guint8 *p = is_last ? number->end - WORD : number->begin;

  *was_known = length <= MAX_LONG_ID && recall (memos, p, is_last, TRUE) != NULL;
  return *was_known
         || (length <= MAX_LONG_ID
             && ts_atf_memos_add (memos, atf, role, number, is_last ? TS_ATF_ENDING : TS_ATF_BEGINNING, load_word (p),
                                  load_word (is_last ? p - WORD : p + WORD)));
}

/* How the entries look, for the quick way */

typedef struct
{
  gsize      length, second_at; /* the latter is where its last sixteen bytes begin */
  TsAtfBytes first, second;     /* of one that is shorter the same ones twice */
  TsAtfBytes mask;              /* those that belong to it */
} Text;

typedef struct
{
  gboolean   is_set;   /* the texts are */
  gboolean   is_ready; /* and the time: entries can be read */
  gboolean   is_usual; /* the texts are as in the examples of the specification: in this order, and short */
  Text       texts[N_LITERALS];
  guint8     mark;         /* that ends the time, where that comes first */
  guint8     closing;      /* what follows the quotation mark after the last number */
  gsize      texts_length; /* of all but the last one */
  gsize      shortest;     /* from the beginning to where the last number ends, but for the digits of the ids */
  gsize      reach;        /* so much is read of an entry and what follows it, at the most */
  gsize      time_length;
  guint      n_decimals;
  guint64    other_event;    /* the eight bytes where the id of one stands that cannot be read quickly; 0: none */
  gint64     scale;          /* what `factor' is made for */
  gint64     factor;         /* internal units that a time without its point counts in */
  guint64    least, range;   /* such times that need nothing to be said about */
  TsAtfBytes time_mask;      /* of the sixteen bytes up to the end of the time: the digits, or the decimals */
  TsAtfBytes whole_mask;     /* of those a byte before: the digits in front of the point */
  TsAtfBytes high_mask;      /* of the sixteen bytes in front of all these: more digits */
  gsize      high_at;        /* 0: there are none; how far that is from the end */
} Pattern;

/* Which of sixteen bytes are the last @n, but not the last @except. */
static TsAtfBytes
last_bytes (guint n, guint except)
{
  guint8 bytes[TS_ATF_BYTES] = { 0 };

  memset (bytes + TS_ATF_BYTES - n, 0xff, n - except);
  return ts_atf_bytes_load (bytes);
}

static void
set_text (Text *text, const TsAtfLiteral *literal)
{
  guint8 mask[TS_ATF_BYTES] = { 0 };

  memset (mask, 0xff, MIN (literal->length, TS_ATF_BYTES));
  text->mask = ts_atf_bytes_load (mask);
  text->length = literal->length;
  text->second_at = literal->length - MIN (literal->length, TS_ATF_BYTES);
  text->first = ts_atf_bytes_load (literal->bytes);
  text->second = ts_atf_bytes_load (literal->bytes + text->second_at);
}

static void
set_texts (Pattern *pattern, const TsAtfTemplate *template)
{
  const TsAtfLiteral *between = template->between;
  guint               longest = 0;

  for (guint i = 0; i < N_LITERALS; i++)
    {
      set_text (&pattern->texts[i], &between[i]);
      longest = MAX (longest, i > 0 ? between[i].length : 0);
    }
  pattern->mark = between[1].bytes[0];
  pattern->closing = between[N_LITERALS - 1].bytes[1];
  pattern->texts_length = between[0].length + between[1].length + between[2].length;
  pattern->is_usual = template->roles[0] == TS_ATF_SCAN_TIME && template->roles[1] == TS_ATF_SCAN_EVENT
                      && between[0].length <= 2 * TS_ATF_BYTES && longest <= TS_ATF_BYTES;
  pattern->is_set = TRUE;
}

static void
set_time_masks (Pattern *pattern, guint n_digits, guint n_decimals)
{
  guint n_low = MIN (n_digits, TS_ATF_BYTES);

  pattern->time_mask = last_bytes (n_decimals > 0 ? n_decimals : n_low, 0);
  pattern->whole_mask = last_bytes (n_decimals > 0 ? n_low : 0, n_decimals > 0 ? n_decimals : 0);
  pattern->high_mask = last_bytes (n_digits - n_low, 0);
  pattern->high_at = n_digits > n_low ? 2 * TS_ATF_BYTES + (n_decimals > 0) : 0;
}

/* The largest time, without its point, that needs nothing to be said about; -1: none. */
static gint64
last_time (const TsAtf *atf, const Pattern *pattern, guint64 unit)
{
  if (!atf->import->surveying)
    return atf->to >= 0 ? MIN (atf->to, TS_TIME_LIMIT) / pattern->factor : -1;
  /* nobody gets the event, nor what is said of it: it is only not to be an error */
  return (gint64) MIN ((TsUint128) MAX (atf->whole_limit - 1, 0) * unit, (TsUint128) TS_TIME_LIMIT);
}

/* Times with so many digits. FALSE: each of those has to be looked at. */
static gboolean
set_time (Pattern *pattern, const TsAtf *atf, guint n_digits, guint n_decimals)
{
  guint64 unit = ts_atf_power_of_ten (n_decimals);
  gint64  most;

  if (n_digits > MAX_TIME || n_decimals >= TS_ATF_BYTES || (guint64) pattern->scale % unit != 0)
    return FALSE;
  set_time_masks (pattern, n_digits, n_decimals);
  pattern->factor = atf->import->surveying ? 1 : (gint64) ((guint64) pattern->scale / unit);
  /* a zero in front deserves a word, and so does what is not within the section */
  pattern->least = n_digits - n_decimals > 1 ? ts_atf_power_of_ten (n_digits - 1) : 0;
  if (!atf->import->surveying && atf->from > 0)
    pattern->least = MAX (pattern->least, (guint64) ((atf->from - 1) / pattern->factor + 1));
  most = last_time (atf, pattern, unit);
  pattern->range = (guint64) most - pattern->least;
  return most >= 0 && pattern->least <= (guint64) most;
}

/* TRUE: the pattern is another one now, and can be read by. */
static gboolean
renew_pattern (Pattern *pattern, TsAtf *atf, const TsAtfNumber *time)
{
  gsize         length = (gsize) (time->end - time->begin);
  const guint8 *point = memchr (time->begin, '.', length);
  guint         n_decimals = point != NULL ? (guint) (time->end - point) - 1 : 0;
  gint64        scale = atf->import->surveying ? atf->import->memory->scale : atf->scale;

  if (*time->begin == '0' && g_ascii_isdigit (time->begin[1]))
    atf->scan.n_unequal_times = MIN_UNEQUAL;
  else if (pattern->is_set && (length < pattern->time_length || n_decimals != pattern->n_decimals))
    atf->scan.n_unequal_times++;
  if (!pattern->is_set)
    set_texts (pattern, &atf->scan.template);
  if (pattern->time_length == length && pattern->n_decimals == n_decimals && pattern->scale == scale)
    return FALSE;
  pattern->time_length = length;
  pattern->n_decimals = n_decimals;
  pattern->scale = scale;
  pattern->is_ready = set_time (pattern, atf, (guint) length - (n_decimals > 0), n_decimals);
  pattern->shortest = pattern->texts_length + length;
  /* the end is looked for in sixteen bytes, so that the last text begins at most that far behind; and sixteen may be
   * read where it ends */
  pattern->reach = pattern->texts_length + MAX (length, TS_ATF_BYTES) + TS_ATF_BYTES
                   + pattern->texts[N_LITERALS - 1].length + TS_ATF_BYTES;
  return pattern->is_ready;
}

/* The quick way */

/* What the times of entries have in common: no decimals, a number of these, or nothing. */
typedef enum
{
  WHOLE,
  DECIMALS,
  ANY,
} TimeKind;

/* What is known of an entry while it is gone through. */
typedef struct
{
  const guint8    *at;
  gsize            time_length;
  const guint8    *time_end, *last_end; /* of the last number */
  gsize            n_id_digits;
  gboolean         is_loose;
  const TsAtfMemo *event, *reference;
  TsAtfBytes       differences;
} Walk;

static TS_ALWAYS_INLINE TsAtfBytes
differ (const guint8 *p, TsAtfBytes expected)
{
  return ts_atf_bytes_xor (ts_atf_bytes_load (p), expected);
}

static TS_ALWAYS_INLINE void
pass_text (Walk *walk, const Pattern *pattern, const TsAtfLiteral *literal, guint i, gboolean is_usual)
{
  const Text *text = &pattern->texts[i];
  TsAtfBytes  differences = differ (walk->at, text->first);

  /* the first text always has more than sixteen bytes, and usually no other one has */
  if (i == 0 || !is_usual)
    differences = ts_atf_bytes_or (differ (walk->at + text->second_at, text->second), differences);
  if (i > 0)
    differences = ts_atf_bytes_and (differences, text->mask);
  for (gsize at = TS_ATF_BYTES; !is_usual && at < text->second_at; at += TS_ATF_BYTES)
    differences = ts_atf_bytes_or (differences, differ (walk->at + at, ts_atf_bytes_load (literal->bytes + at)));
  walk->differences = ts_atf_bytes_or (walk->differences, differences);
  walk->at += text->length;
}

/* FALSE: an id that is not known. */
static TS_ALWAYS_INLINE gboolean
pass_number (Walk *walk, const TsAtfMemos *memos, const guint8 *roles, guint i, gboolean is_usual)
{
  guint8           role = is_usual ? (guint8) i : roles[i];
  gboolean         is_last = i == TS_ATF_SCAN_NUMBERS - 1;
  const TsAtfMemo *memo;

  if (role == TS_ATF_SCAN_TIME)
    {
      walk->at = walk->time_end = is_last ? walk->last_end : walk->at + walk->time_length;
      return TRUE;
    }
  memo = recall (&memos[role - TS_ATF_SCAN_EVENT], is_last ? walk->last_end - WORD : walk->at, is_last,
                 !is_usual);
  if (G_UNLIKELY (memo == NULL))
    return FALSE;
  if (role == TS_ATF_SCAN_EVENT)
    walk->event = memo;
  else
    walk->reference = memo;
  walk->at += memo->length;
  walk->n_id_digits += memo->length;
  return TRUE;
}

static TS_ALWAYS_INLINE guint64
read_digits (Walk *walk, TsAtfBytes digits)
{
  walk->differences = ts_atf_bytes_or (walk->differences, ts_atf_bytes_excess (digits));
  return ts_atf_bytes_number (digits);
}

static TS_ALWAYS_INLINE TsAtfBytes
digits_of (const guint8 *p, TsAtfBytes mask)
{
  return ts_atf_bytes_and (differ (p, ts_atf_bytes_each ('0')), mask);
}

/* The time without its point. What is read in front of it is still in the entry: the first text of one, which ends
 * with the name of an attribute, has at least eighteen bytes. */
static TS_ALWAYS_INLINE guint64
read_number (Walk *walk, const Pattern *pattern, gboolean is_short, gboolean has_point)
{
  const guint8 *begin = walk->time_end - TS_ATF_BYTES;
  TsAtfBytes    digits = digits_of (begin, pattern->time_mask);
  guint64       time;

  if (has_point)
    digits = ts_atf_bytes_or (digits, digits_of (begin - 1, pattern->whole_mask));
  time = read_digits (walk, digits);
  if (!is_short && pattern->high_at > 0)
    time += read_digits (walk, digits_of (walk->time_end - pattern->high_at, pattern->high_mask))
            * G_GUINT64_CONSTANT (10000000000000000);
  return time;
}

/* FALSE: there is something to be said about it. */
static TS_ALWAYS_INLINE gboolean
read_time (Walk *walk, const Pattern *pattern, const TsAtfTimes *times, TimeKind kind, gboolean is_usual, gint64 *time)
{
  guint64 number;

  if (kind == ANY)
    return ts_atf_values_time (times, walk->time_end, walk->time_length, time, &walk->is_loose);
  number = read_number (walk, pattern, is_usual, kind == DECIMALS);
  *time = (gint64) number * pattern->factor;
  if (kind == DECIMALS && walk->time_end[-(int) pattern->n_decimals - 1] != '.')
    return FALSE;
  return number - pattern->least <= pattern->range;
}

/* Up to the mark that ends it, if that is among sixteen bytes. */
static TS_ALWAYS_INLINE gsize
find_time_length (const guint8 *begin, guint8 mark)
{
  return (gsize) __builtin_ctz (ts_atf_bytes_find (begin, mark) | 1u << TS_ATF_BYTES);
}

/* FALSE: the entry at walk->at looks otherwise, or there is something to be said about it. */
static TS_ALWAYS_INLINE gboolean
walk_entry (const TsAtfTemplate *template, Walk *walk, const Pattern *pattern, const TsAtfMemos *memos,
            const TsAtfTimes *times, gint64 *time, gboolean is_usual, TimeKind kind)
{
  const TsAtfLiteral  *between = template->between;
  const guint8        *roles = template->roles, *earliest_end = walk->at;
  guint                found;
  gsize                n_more;

  if (kind == ANY)
    {
      walk->time_length = find_time_length (walk->at + pattern->texts[0].length, pattern->mark);
      earliest_end += pattern->texts_length + walk->time_length;
    }
  else
    {
      walk->time_length = pattern->time_length;
      earliest_end += pattern->shortest;
    }
  /* one that is not found in sixteen bytes is not where an entry ends */
  found = ts_atf_bytes_find (earliest_end + 1, pattern->closing) | 1u << TS_ATF_BYTES;
  n_more = (gsize) __builtin_ctz (found);
  walk->last_end = earliest_end + n_more;
  walk->n_id_digits = 0;
  walk->differences = ts_atf_bytes_each (0);
  pass_text (walk, pattern, &between[0], 0, is_usual);
  if (!pass_number (walk, memos, roles, 0, is_usual))
    return FALSE;
  pass_text (walk, pattern, &between[1], 1, is_usual);
  if (!pass_number (walk, memos, roles, 1, is_usual))
    return FALSE;
  pass_text (walk, pattern, &between[2], 2, is_usual);
  if (!pass_number (walk, memos, roles, 2, is_usual) || walk->n_id_digits != n_more)
    return FALSE;
  /* that is where walk->at is as well, but the tables had to be waited for to know that */
  walk->at = walk->last_end;
  pass_text (walk, pattern, &between[3], 3, is_usual);
  return read_time (walk, pattern, times, kind, is_usual, time) && ts_atf_bytes_are_zero (walk->differences);
}

/* Entries from @p on, up to the first one that must be looked at or begins behind @last. */
static TS_ALWAYS_INLINE const guint8 *
take_alike (TsAtf *atf, const Pattern *given, const guint8 *p, const guint8 *last, guint64 *line, gboolean is_usual,
            TimeKind kind)
{
  /* copies that nothing can write to, in between */
  const Pattern        pattern = *given;
  const TsAtfMemos     memos[TS_ATF_SCAN_IDS] = { atf->scan.memos[0], atf->scan.memos[1] };
  const TsAtfTimes     times = kind == ANY ? ts_atf_values_times (atf) : (TsAtfTimes){ 0 };
  const TsAtfTemplate *template = &atf->scan.template;
  const guint64        lines = template->lines;
  guint64              at_line = *line + template->lines_before;
  TsImport            *import = atf->import;
  TsEvent             *event = ts_import_next (import), *full = import->events + TS_BATCH_EVENTS;

  while (p <= last)
    {
      Walk   walk = { .at = p };
      gint64 time;

      if (!walk_entry (template, &walk, &pattern, memos, &times, &time, is_usual, kind))
        break;
      if (kind == ANY && G_UNLIKELY (walk.is_loose))
        ts_diagnostics_add (import->diagnostics, TS_DIAGNOSTIC_LOOSE_NUMBER, at_line, NULL);
      ts_atf_put (event, (TsEventKind) walk.event->value, time, (guint32) walk.reference->value,
                  walk.reference->resource, at_line);
      p = walk.at;
      at_line += lines;
      if (G_UNLIKELY (++event == full))
        event = ts_import_commit_up_to (import, event);
    }
  ts_import_commit_up_to (import, event);
  *line = at_line - template->lines_before;
  return p;
}

/* Functions of their own, so that what the general one needs takes no register from the other */

static G_GNUC_NO_INLINE const guint8 *
take_usual (TsAtf *atf, const Pattern *pattern, const guint8 *p, const guint8 *last, guint64 *line)
{
  return take_alike (atf, pattern, p, last, line, TRUE, WHOLE);
}

static G_GNUC_NO_INLINE const guint8 *
take_decimals (TsAtf *atf, const Pattern *pattern, const guint8 *p, const guint8 *last, guint64 *line)
{
  return take_alike (atf, pattern, p, last, line, TRUE, DECIMALS);
}

static G_GNUC_NO_INLINE const guint8 *
take_any_times (TsAtf *atf, const Pattern *pattern, const guint8 *p, const guint8 *last, guint64 *line)
{
  return take_alike (atf, pattern, p, last, line, TRUE, ANY);
}

static G_GNUC_NO_INLINE const guint8 *
take_unusual (TsAtf *atf, const Pattern *pattern, const guint8 *p, const guint8 *last, guint64 *line)
{
  return take_alike (atf, pattern, p, last, line, FALSE, pattern->n_decimals > 0 ? DECIMALS : WHOLE);
}

/* Entries that are written like the one before */

static gboolean
may_be_quick (const TsAtf *atf)
{
  /* the first entry of a section opens it, and may be what is read again for */
  return atf->error == NULL && atf->lookup != NULL && atf->section != &atf->window;
}

static const guint8 *
scan_quickly (TsAtf *atf, const Pattern *pattern, const guint8 *p, const guint8 *end, guint64 *line)
{
  if (!pattern->is_ready || end - p < (gssize) MAX (pattern->reach, MIN_RUN) || !may_be_quick (atf))
    return p;
  if (pattern->is_usual && pattern->high_at == 0 && !atf->scan.memos[0].has_long && !atf->scan.memos[1].has_long)
    return (atf->scan.n_unequal_times >= MIN_UNEQUAL ? take_any_times
            : pattern->n_decimals > 0                ? take_decimals
                                                     : take_usual) (atf, pattern, p, end - pattern->reach, line);
  return take_unusual (atf, pattern, p, end - pattern->reach, line);
}

/* TRUE: something is known now that the quick way did not know when it came to this entry. @n_renewed counts what it
 * has to know of the time. */
static gboolean
learn_numbers (TsAtf *atf, Pattern *pattern, const TsAtfNumber *numbers, guint *n_renewed)
{
  const guint64 event = load_word (numbers[TS_ATF_SCAN_EVENT].begin);
  gboolean      is_new = renew_pattern (pattern, atf, &numbers[TS_ATF_SCAN_TIME]), was_known;

  *n_renewed += is_new;
  if (!pattern->is_ready)
    return FALSE;
  /* of users, or not mapped: then what it refers to need not be known, either */
  if (event == pattern->other_event)
    return is_new;
  if (!remember (atf, TS_ATF_SCAN_EVENT, &numbers[TS_ATF_SCAN_EVENT], &was_known))
    {
      pattern->other_event = event;
      return is_new;
    }
  is_new |= !was_known;
  if (remember (atf, TS_ATF_SCAN_REFERENCE, &numbers[TS_ATF_SCAN_REFERENCE], &was_known))
    is_new |= !was_known;
  return is_new;
}

/* How many of those that look otherwise are read before the template is tried again: one where it was of use, and ever
 * more where it was not. */
static void
set_stretch (TsAtf *atf, gsize n_bytes_alike)
{
  atf->scan.stretch = n_bytes_alike >= MIN_ALIKE ? 1 : CLAMP (2 * atf->scan.stretch, 1, MAX_STRETCH);
}

const guint8 *
ts_atf_alike_scan (TsAtf *atf, const guint8 *p, const guint8 *end, guint64 *line)
{
  const TsAtfTemplate *template = &atf->scan.template;
  TsAtfNumber          numbers[TS_ATF_SCAN_NUMBERS];
  Pattern              pattern = { 0 };
  const guint8        *next, *begin = p;
  guint                n_renewed = 0;

  while (atf->error == NULL)
    {
      p = scan_quickly (atf, &pattern, p, end, line);
      next = template->is_known ? match (template, p, end, numbers) : NULL;
      if (next != NULL && n_renewed < MAX_RENEWED)
        {
          if (end - p >= MIN_RUN && may_be_quick (atf) && learn_numbers (atf, &pattern, numbers, &n_renewed))
            continue;
          ts_atf_scan_entry (atf, numbers, *line + template->lines_before);
          *line += template->lines;
          p = next;
          continue;
        }
      if (next == NULL && (next = ts_atf_scan_comment (atf, p, end)) != NULL)
        {
          *line += ts_atf_count_lines (p, next);
          p = next;
          continue;
        }
      set_stretch (atf, (gsize) (p - begin) / (n_renewed + 1));
      next = may_be_quick (atf) ? ts_atf_irregular_scan (atf, p, end, atf->scan.stretch, line) : p;
      /* a template that none looked like is given up */
      if (next == p || p == begin)
        return next;
      begin = p = next;
      n_renewed = 0;
    }
  return p;
}
