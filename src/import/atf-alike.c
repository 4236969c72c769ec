/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/atf-pattern.h"
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
#define WORD 8
/* An id that is recalled is followed, or led, by a byte that is none of its digits. */
#define MAX_LONG_ID (2 * WORD - 1)
/* With fewer bytes to come the quick way does not pay. */
#define MIN_RUN 512
#define MIN_ALIKE 256 /* bytes that look like the template before one that does not */
#define MAX_STRETCH 256
/* Entries are squeezed from this stretch on, at least so many bytes at a time, until most of them were not alike after that
 * for so many times. */
#define SQUEEZED_FROM 16
#define LEAST_SQUEEZED 2048
#define MAX_VAIN 16
#define MAX_RENEWED 8 /* lengths of the time before the next one is read without a template, too */

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

/* The quick way */

/* What the times of entries have in common: no decimals, a number of these, or nothing. */
typedef enum
{
  WHOLE,
  DECIMALS,
  ANY,
} TimeKind;

/* What stands in front of their tags. */
typedef enum
{
  THE_SAME,
  ENDS_OF_LINES, /* and nothing else, as where they are squeezed */
  BLANKS,
} Gap;

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
pass_text (Walk *walk, const TsAtfPattern *pattern, const TsAtfLiteral *literal, guint i, gboolean is_usual)
{
  const TsAtfPatternText *text = &pattern->texts[i];
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
read_number (Walk *walk, const TsAtfPattern *pattern, gboolean is_short, gboolean has_point)
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
read_time (Walk *walk, const TsAtfPattern *pattern, const TsAtfTimes *times, TimeKind kind, gboolean is_usual, gint64 *time)
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

/* Where the last number ends; *n_digits is how many bytes all of those have whose length is not known. What is not found
 * soon enough is not where an entry ends. */
static TS_ALWAYS_INLINE const guint8 *
find_end (const guint8 *begin, const TsAtfPattern *pattern, TimeKind kind, gsize *n_digits)
{
  const guint8 *earliest = begin + pattern->shortest;

  if (kind != ANY)
    {
      *n_digits = (gsize) __builtin_ctz (ts_atf_bytes_find (earliest + 1, pattern->closing) | 1u << TS_ATF_BYTES);
      return earliest + *n_digits;
    }
  /* by the bracket, which is nowhere else: with the length of the time the way to the next entry would be longer */
  earliest = begin + pattern->texts_length;
  begin = earliest + pattern->bracket_at;
  *n_digits = (gsize) __builtin_ctzll (ts_atf_bytes_find (begin, '>')
                                       | (guint64) ts_atf_bytes_find (begin + TS_ATF_BYTES, '>') << TS_ATF_BYTES
                                       | G_GUINT64_CONSTANT (1) << 2 * TS_ATF_BYTES);
  return earliest + *n_digits;
}

/* Up to the mark that ends it, if that is soon enough. */
static TS_ALWAYS_INLINE gsize
find_time_length (const guint8 *begin, guint8 mark)
{
  return (gsize) __builtin_ctz (ts_atf_bytes_find (begin + 1, mark) | 1u << TS_ATF_BYTES) + 1;
}

/* FALSE: the entry at walk->at looks otherwise, or there is something to be said about it. */
static TS_ALWAYS_INLINE gboolean
walk_entry (const TsAtfTemplate *template, Walk *walk, const TsAtfPattern *pattern, const TsAtfMemos *memos,
            const TsAtfTimes *times, gint64 *time, gboolean is_usual, TimeKind kind)
{
  const TsAtfLiteral *between = template->between;
  const guint8       *roles = template->roles;
  gsize               n_digits;

  walk->last_end = find_end (walk->at, pattern, kind, &n_digits);
  walk->time_length = pattern->time_length;
  if (kind == ANY)
    {
      walk->time_length = find_time_length (walk->at + pattern->texts[0].length, pattern->mark);
      n_digits -= walk->time_length;
    }
  walk->n_id_digits = 0;
  walk->differences = ts_atf_bytes_each (0);
  pass_text (walk, pattern, &between[0], 0, is_usual);
  if (!pass_number (walk, memos, roles, 0, is_usual))
    return FALSE;
  pass_text (walk, pattern, &between[1], 1, is_usual);
  if (!pass_number (walk, memos, roles, 1, is_usual))
    return FALSE;
  pass_text (walk, pattern, &between[2], 2, is_usual);
  if (!pass_number (walk, memos, roles, 2, is_usual) || walk->n_id_digits != n_digits)
    return FALSE;
  /* that is where walk->at is as well, but the tables had to be waited for to know that */
  walk->at = walk->last_end;
  pass_text (walk, pattern, &between[3], 3, is_usual);
  return read_time (walk, pattern, times, kind, is_usual, time) && ts_atf_bytes_are_zero (walk->differences);
}

/* Where the tag is whose entry begins at @p, and how many lines end in front of it. */
static TS_ALWAYS_INLINE const guint8 *
pass_gap (const guint8 *p, Gap gap, guint *n_lines)
{
  *n_lines = 0;
  if (gap == THE_SAME)
    return p;
  if (gap == BLANKS)
    return ts_atf_bytes_pass_blanks (p, p + 2 * TS_ATF_BYTES, n_lines);
  *n_lines = (guint) __builtin_ctz (~ts_atf_bytes_find (p, '\n'));
  return p + *n_lines;
}

/* Entries from @p on, up to the first one that must be looked at or begins behind @last. */
static TS_ALWAYS_INLINE const guint8 *
take_alike (TsAtf *atf, const TsAtfPattern *given, const guint8 *p, const guint8 *last, guint64 *line, gboolean is_usual,
            TimeKind kind, Gap gap)
{
  /* copies that nothing can write to, in between */
  const TsAtfPattern   pattern = *given;
  const TsAtfMemos     memos[TS_ATF_SCAN_IDS] = { atf->scan.memos[0], atf->scan.memos[1] };
  const TsAtfTimes     times = kind == ANY ? ts_atf_values_times (atf) : (TsAtfTimes){ 0 };
  const TsAtfTemplate *template = &atf->scan.template;
  const gboolean       is_bare = gap != THE_SAME;
  const guint64        before = is_bare ? 0 : template->lines_before;
  const guint64        lines = is_bare ? template->lines - template->lines_before : template->lines;
  guint64              at_line = *line + before;
  guint                n_unequal = 0;
  TsImport            *import = atf->import;
  TsEvent             *event = ts_import_next (import), *full = import->events + TS_BATCH_EVENTS;

  while (p <= last)
    {
      guint  more;
      Walk   walk = { .at = pass_gap (p, gap, &more) };
      gint64 time;

      if (is_bare && walk.at > last)
        break;
      if (is_bare)
        n_unequal += (gsize) (walk.at - p) != template->n_blanks;
      if (!walk_entry (template, &walk, &pattern, memos, &times, &time, is_usual, kind))
        break;
      if (kind == ANY && !is_bare)
        n_unequal += walk.time_length != pattern.time_length;
      if (kind == ANY && G_UNLIKELY (walk.is_loose))
        ts_diagnostics_add (import->diagnostics, TS_DIAGNOSTIC_LOOSE_NUMBER, at_line + more, NULL);
      ts_atf_put (event, (TsEventKind) walk.event->value, time, (guint32) walk.reference->value,
                  walk.reference->resource, at_line + more);
      p = walk.at;
      at_line += lines + more;
      if (G_UNLIKELY (++event == full))
        event = ts_import_commit_up_to (import, event);
    }
  ts_import_commit_up_to (import, event);
  *(is_bare ? &atf->scan.n_unequal_blanks : &atf->scan.n_unequal_times) += n_unequal;
  *line = at_line - before;
  return p;
}

/* Functions of their own, so that what the general one needs takes no register from the other */

static G_GNUC_NO_INLINE const guint8 *
take_usual (TsAtf *atf, const TsAtfPattern *pattern, const guint8 *p, const guint8 *last, guint64 *line)
{
  return take_alike (atf, pattern, p, last, line, TRUE, WHOLE, THE_SAME);
}

static G_GNUC_NO_INLINE const guint8 *
take_decimals (TsAtf *atf, const TsAtfPattern *pattern, const guint8 *p, const guint8 *last, guint64 *line)
{
  return take_alike (atf, pattern, p, last, line, TRUE, DECIMALS, THE_SAME);
}

static G_GNUC_NO_INLINE const guint8 *
take_any_times (TsAtf *atf, const TsAtfPattern *pattern, const guint8 *p, const guint8 *last, guint64 *line)
{
  return take_alike (atf, pattern, p, last, line, TRUE, ANY, THE_SAME);
}

static G_GNUC_NO_INLINE const guint8 *
take_any_blanks (TsAtf *atf, const TsAtfPattern *pattern, const guint8 *p, const guint8 *last, guint64 *line)
{
  return take_alike (atf, pattern, p, last, line, TRUE, ANY, BLANKS);
}

static G_GNUC_NO_INLINE const guint8 *
take_any_lines (TsAtf *atf, const TsAtfPattern *pattern, const guint8 *p, const guint8 *last, guint64 *line)
{
  return take_alike (atf, pattern, p, last, line, TRUE, WHOLE, ENDS_OF_LINES);
}

static G_GNUC_NO_INLINE const guint8 *
take_unusual (TsAtf *atf, const TsAtfPattern *pattern, const guint8 *p, const guint8 *last, guint64 *line)
{
  return take_alike (atf, pattern, p, last, line, FALSE, pattern->n_decimals > 0 ? DECIMALS : WHOLE, THE_SAME);
}

/* Entries that are written like the one before */

static gboolean
may_be_quick (const TsAtf *atf)
{
  /* the first entry of a section opens it, and may be what is read again for */
  return atf->error == NULL && atf->lookup != NULL && atf->section != &atf->window;
}

static gboolean
has_long_ids (const TsAtf *atf)
{
  return atf->scan.memos[0].has_long || atf->scan.memos[1].has_long;
}

/* Whether there is a quick way for times of any length like that of @pattern. */
static gboolean
may_be_any_time (const TsAtfPattern *pattern)
{
  return pattern->time_length <= TS_ATF_LONGEST_TIME && pattern->n_zeros == 0;
}

static const guint8 *
scan_quickly (TsAtf *atf, const TsAtfPattern *pattern, const guint8 *p, const guint8 *end, guint64 *line,
              gboolean is_squeezed)
{
  gboolean has_any_times = atf->scan.n_unequal_times >= TS_ATF_MIN_UNEQUAL && may_be_any_time (pattern);
  gboolean is_short = pattern->high_at == 0 && !has_long_ids (atf);

  if (!pattern->is_ready || end - p < (gssize) MAX (pattern->reach, MIN_RUN) || !may_be_quick (atf))
    return p;
  end -= pattern->reach;
  if (pattern->is_bare && !is_short)
    return p;
  if (pattern->is_bare && is_squeezed && pattern->n_decimals == 0 && !has_any_times)
    return take_any_lines (atf, pattern, p, end, line);
  if (pattern->is_bare)
    return take_any_blanks (atf, pattern, p, end, line);
  if (!pattern->is_usual || !is_short)
    return take_unusual (atf, pattern, p, end, line);
  if (has_any_times)
    return take_any_times (atf, pattern, p, end, line);
  return (pattern->n_decimals > 0 ? take_decimals : take_usual) (atf, pattern, p, end, line);
}

/* TRUE: something is known now that the quick way did not know when it came to this entry. @n_renewed counts what it
 * has to know of the time. */
static gboolean
learn_numbers (TsAtf *atf, TsAtfPattern *pattern, const TsAtfNumber *numbers, guint *n_renewed)
{
  const guint64 event = load_word (numbers[TS_ATF_SCAN_EVENT].begin);
  gboolean      is_new = ts_atf_pattern_renew (pattern, atf, &numbers[TS_ATF_SCAN_TIME]), was_known;

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

/* Whether an id is too long to be recalled: then there is no quick way. */
static gboolean
has_longest_id (const TsAtfNumber *numbers)
{
  for (guint i = TS_ATF_SCAN_EVENT; i < TS_ATF_SCAN_NUMBERS; i++)
    if (numbers[i].end - numbers[i].begin > MAX_LONG_ID)
      return TRUE;
  return FALSE;
}

/* Other blanks are in front of an entry than there were. FALSE: nor will the quick way see past those to come. */
static gboolean
note_blanks (TsAtf *atf, TsAtfPattern *pattern)
{
  if (++atf->scan.n_unequal_blanks == TS_ATF_MIN_UNEQUAL)
    pattern->is_set = FALSE;
  return !pattern->is_set || atf->scan.n_unequal_blanks < TS_ATF_MIN_UNEQUAL
         || (pattern->is_bare && !has_long_ids (atf));
}

/* How many of those that look otherwise are read before the template is tried again: one where it was of use, and ever
 * more where it was not. */
static void
set_stretch (TsAtf *atf, gsize n_bytes_alike)
{
  atf->scan.stretch = n_bytes_alike >= MIN_ALIKE ? 1 : CLAMP (2 * atf->scan.stretch, 1, MAX_STRETCH);
}

/* The entry in [p, next), whose tag is at @tag. Returns its end. */
static const guint8 *
take_matching (TsAtf *atf, const guint8 *p, const guint8 *tag, const guint8 *next, const TsAtfNumber *numbers,
               guint64 *line)
{
  const TsAtfTemplate *template = &atf->scan.template;
  guint                lines_before = ts_atf_count_lines (p, tag);

  ts_atf_scan_entry (atf, numbers, *line + lines_before);
  *line += template->lines - template->lines_before + lines_before;
  return next;
}

/* Likewise, as long as they look like the template. */
static const guint8 *
scan_matching (TsAtf *atf, const guint8 *p, const guint8 *end, guint64 *line)
{
  const TsAtfTemplate *template = &atf->scan.template;
  TsAtfNumber          numbers[TS_ATF_SCAN_NUMBERS];
  TsAtfPattern         pattern = { 0 };
  const guint8        *tag, *next;
  guint                n_renewed = 0;

  while (atf->error == NULL && template->is_known)
    {
      p = scan_quickly (atf, &pattern, p, end, line, TRUE);
      tag = ts_atf_template_tag (p, end);
      next = ts_atf_template_match (template, tag, end, numbers);
      if (next == NULL)
        break;
      /* lines may end in other ways, or be empty */
      if (!ts_atf_template_has_blanks (template, p, tag))
        note_blanks (atf, &pattern);
      /* what is squeezed at a time may be thousands of entries: so many have shown that times have any length */
      if (n_renewed == MAX_RENEWED && may_be_any_time (&pattern))
        {
          atf->scan.n_unequal_times = MAX (atf->scan.n_unequal_times, TS_ATF_MIN_UNEQUAL);
          n_renewed = 0;
        }
      if (n_renewed >= MAX_RENEWED || end - p < MIN_RUN || !may_be_quick (atf)
          || !learn_numbers (atf, &pattern, numbers, &n_renewed))
        p = take_matching (atf, p, tag, next, numbers, line);
    }
  return p;
}

/* Whether it may be of use to squeeze entries, as those of late were no others' likes. */
static gboolean
may_squeeze (const TsAtf *atf)
{
  return atf->scan.stretch >= SQUEEZED_FROM && atf->scan.loose.n_vain < MAX_VAIN && may_be_quick (atf)
         && ts_can_squeeze ();
}

/* Entries that are alike but for their blanks, from @p on. Returns where the first one begins that is not. */
static const guint8 *
scan_squeezed (TsAtf *atf, const guint8 *p, const guint8 *end, guint64 *line)
{
  TsAtfLoose         *loose = &atf->scan.loose;
  const TsAtfTemplate template = atf->scan.template;
  const guint         n_unequal_blanks = atf->scan.n_unequal_blanks;
  const guint8       *begin, *stop;
  gsize               length, n;

  if (loose->squeezed == NULL)
    loose->squeezed = g_new0 (TsAtfSqueezed, 1);
  begin = stop = loose->squeezed->bytes;
  length = ts_atf_squeeze (loose->squeezed, p, MIN ((gsize) (end - p), MAX (loose->n_most, LEAST_SQUEEZED)));
  atf->scan.template = loose->template;
  atf->scan.n_unequal_blanks = loose->n_unequal_blanks / 2;
  if (loose->template.mark != 0 || ts_atf_scan_template (atf, begin, begin + length))
    stop = scan_matching (atf, begin, begin + length, line);
  loose->template = atf->scan.template;
  loose->n_unequal_blanks = atf->scan.n_unequal_blanks;
  atf->scan.template = template;
  atf->scan.n_unequal_blanks = n_unequal_blanks;
  /* one that none looked like is given up */
  if (stop == begin)
    loose->template.mark = 0;
  n = ts_atf_squeezed_origin (loose->squeezed, (gsize) (stop - begin));
  if (length > 0)
    loose->n_vain = (gsize) (stop - begin) < length / 2 ? loose->n_vain + 1 : 0;
  loose->n_most = 2 * n;
  return p + n;
}

const guint8 *
ts_atf_alike_scan (TsAtf *atf, const guint8 *p, const guint8 *end, guint64 *line)
{
  const TsAtfTemplate *template = &atf->scan.template;
  TsAtfNumber          numbers[TS_ATF_SCAN_NUMBERS];
  TsAtfPattern         pattern = { 0 };
  const guint8        *tag, *next, *other, *begin = p;
  guint                n_renewed = 0;
  gboolean             is_longest;

  /* what was rare of late is left to the long way */
  atf->scan.n_unequal_times /= 2;
  atf->scan.n_unequal_blanks /= 2;
  while (atf->error == NULL)
    {
      p = scan_quickly (atf, &pattern, p, end, line, FALSE);
      tag = ts_atf_template_tag (p, end);
      next = template->is_known ? ts_atf_template_match (template, tag, end, numbers) : NULL;
      if (next != NULL && !ts_atf_template_has_blanks (template, p, tag) && !note_blanks (atf, &pattern))
        next = NULL;
      is_longest = next != NULL && p == begin && has_longest_id (numbers); /* where a few are, the others are quick */
      if (next != NULL && n_renewed < MAX_RENEWED && !is_longest)
        {
          if (end - p < MIN_RUN || !may_be_quick (atf) || !learn_numbers (atf, &pattern, numbers, &n_renewed))
            p = take_matching (atf, p, tag, next, numbers, line);
          continue;
        }
      if (next == NULL && (next = ts_atf_scan_aside (atf, p, end)) != NULL)
        {
          *line += ts_atf_count_lines (p, next);
          p = next;
          continue;
        }
      set_stretch (atf, (gsize) (p - begin) / (n_renewed + 1));
      other = may_squeeze (atf) ? scan_squeezed (atf, p, end, line) : p;
      if (other == p && may_be_quick (atf))
        other = ts_atf_irregular_scan (atf, p, end, atf->scan.stretch, line);
      if (is_longest && other == p)
        other = take_matching (atf, p, tag, next, numbers, line);
      /* a template that none looked like is given up */
      if (other == p || (p == begin && !is_longest))
        return other;
      begin = p = other;
      n_renewed = 0;
    }
  return p;
}
