/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/atf-walk.h"

/* Entries that look like the one before, but for their numbers: what stands around those
 * is learnt from one entry, and only compared from then on. */

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

/* NULL: it has to be looked up each time. *was_known tells whether it was remembered before. */
static const TsAtfMemo *
remember (TsAtf *atf, guint8 role, const TsAtfNumber *number, gboolean *was_known)
{
  TsAtfMemos      *memos = &atf->scan.memos[role - TS_ATF_SCAN_EVENT];
  gsize            length = (gsize) (number->end - number->begin);
  gboolean         is_last = atf->scan.template.roles[TS_ATF_SCAN_NUMBERS - 1] == role;
  const guint8    *p = is_last ? number->end - TS_ATF_WORD : number->begin;
  const TsAtfMemo *memo;

  *was_known = FALSE;
  if (length > TS_ATF_MAX_LONG_ID)
    return NULL;
  memo = ts_atf_recall (memos, p, is_last, TRUE);
  *was_known = memo != NULL;
  if (memo == NULL
      && ts_atf_memos_add (memos, atf, role, number, is_last ? TS_ATF_ENDING : TS_ATF_BEGINNING, ts_atf_load_word (p),
                           ts_atf_load_word (is_last ? p - TS_ATF_WORD : p + TS_ATF_WORD)))
    memo = ts_atf_recall (memos, p, is_last, TRUE);
  return memo;
}

/* FALSE: it is the first one, of which there is more to be said. */
static gboolean
is_one_more (TsAtf *atf, TsDiagnosticId id)
{
  if (atf->import->diagnostics->entries[id].count == 0)
    return FALSE;
  ts_diagnostics_add (atf->import->diagnostics, id, 0, NULL);
  return TRUE;
}

static gboolean
count_user (TsAtf *atf, guint64 event, guint64 reference)
{
  if (atf->import->diagnostics->entries[TS_DIAGNOSTIC_UNKNOWN_USER_EVENT].count == 0
      && !ts_atf_users_have (&atf->users, event, reference))
    return FALSE;
  return ts_atf_users_count (&atf->users, event, reference)->info != NULL
         || is_one_more (atf, TS_DIAGNOSTIC_UNKNOWN_USER_EVENT);
}

/* What an entry comes to that is of no element. */
typedef struct
{
  TsEventKind kind;
  guint16     resource;
} Loose;

/* As ts_atf_event() would have it. It is counted. FALSE: there is more to be said about it than that it is one more, or what it refers
 * to is still to be learnt. */
static gboolean
count_loose (TsAtf *atf, const TsAtfMemo *event, guint64 reference, Loose *loose)
{
  const TsAtfTables *tables = atf->lookup;

  *loose = (Loose){ TS_EVENT_USER, TS_NO_RESOURCE };
  if (event->value != TS_EVENT_USER)
    {
      if (ts_atf_ids_find (&tables->element_ids, reference) != TS_ATF_NO_VALUE)
        return FALSE;
      if (event->value != TS_EVENT_ERROR)
        return is_one_more (atf, TS_DIAGNOSTIC_UNKNOWN_REFERENCE);
      loose->kind = TS_EVENT_ERROR;
      return TRUE;
    }
  if (event->resource == TS_ATF_UNMAPPED)
    return is_one_more (atf, TS_DIAGNOSTIC_UNMAPPED_EVENT);
  loose->resource = ts_atf_user_resource (atf);
  return count_user (atf, tables->event_ids.ids[event->resource], reference);
}

/* The @n digits at @p, which may be many where it is a value that was recorded. FALSE: they are none, or too many. */
static gboolean
read_reference (const guint8 *p, gsize n, guint64 *value)
{
  const gsize n_low = MIN (n, TS_ATF_WORD);
  guint       high = 0, low;

  if (n - 1 >= 2 * TS_ATF_WORD || !ts_eight_read (p + n - n_low, n_low, &low)
      || (n > n_low && !ts_eight_read (p, n - n_low, &high)))
    return FALSE;
  *value = high * G_GUINT64_CONSTANT (100000000) + low;
  return TRUE;
}

/* ts_atf_walk_entry() once more, of a usual entry in @line of which the event may be known, but no element that it refers to is.
 * It becomes @to. Returns its end; NULL: it looks otherwise, or there is something to be said about it. A function of its own,
 * which is in nobody's way. */
static G_GNUC_NO_INLINE const guint8 *
walk_loose (TsAtf *atf, const guint8 *begin, const TsAtfPattern *pattern, const TsAtfTimes *times, TsAtfTimeKind kind, TsEvent *to,
            guint64 line)
{
  TsAtfWalk            walk = { .at = begin };
  const TsAtfTemplate *template = &atf->scan.template;
  const TsAtfMemo     *event;
  gsize                n_digits;
  guint64              reference;
  gint64               time;
  Loose                loose;

  ts_atf_walk_begin (&walk, pattern, kind, TRUE, &n_digits);
  ts_atf_walk_text (&walk, pattern, &template->between[0], 0, TRUE);
  ts_atf_walk_number (&walk, atf->scan.memos, template->roles, 0, TRUE);
  ts_atf_walk_text (&walk, pattern, &template->between[1], 1, TRUE);
  if (!ts_atf_walk_number (&walk, atf->scan.memos, template->roles, 1, TRUE))
    return NULL;
  event = walk.event;
  ts_atf_walk_text (&walk, pattern, &template->between[2], 2, TRUE);
  n_digits -= event->length;
  /* whether it is an entry at all is not known yet, nor where it would end */
  for (; walk.at < walk.last_end && *walk.at == ' '; walk.at++)
    n_digits--;
  if ((gsize) (walk.last_end - walk.at) != n_digits || !read_reference (walk.at, n_digits, &reference))
    return NULL;
  walk.at = walk.last_end;
  ts_atf_walk_text (&walk, pattern, &template->between[3], 3, TRUE);
  if (!ts_atf_walk_time (&walk, pattern, times, kind, TRUE, &time) || !ts_atf_bytes_are_zero (walk.differences)
      || !count_loose (atf, event, reference, &loose))
    return NULL;
  ts_atf_put (to, loose.kind, time, TS_NO_ELEMENT, loose.resource, line);
  if (kind == TS_ATF_TIMES_ANY && (walk.is_loose || pattern->has_spaces))
    ts_diagnostics_add (atf->import->diagnostics, TS_DIAGNOSTIC_LOOSE_NUMBER, line, NULL);
  return walk.at;
}

/* ts_atf_scan_aside(), which adds its lines to *line. A function of its own, for the same reason. */
static G_GNUC_NO_INLINE const guint8 *
pass_aside (const TsAtf *atf, const guint8 *p, const guint8 *end, guint64 *line)
{
  const guint8 *behind = ts_atf_scan_aside (atf, p, end);

  if (behind != NULL)
    *line += ts_atf_count_lines (p, behind);
  return behind;
}

/* Entries from @p on, up to the first one that must be looked at or begins behind @last. */
static TS_ALWAYS_INLINE const guint8 *
take_alike (TsAtf *atf, const TsAtfPattern *given, const guint8 *p, const guint8 *last, guint64 *line, gboolean is_usual,
            TsAtfTimeKind kind, TsAtfGap gap)
{
  /* copies that nothing can write to, in between */
  const TsAtfPattern   pattern = *given;
  const TsAtfMemos     memos[TS_ATF_SCAN_IDS] = { atf->scan.memos[0], atf->scan.memos[1] };
  const TsAtfTimes     times = kind == TS_ATF_TIMES_ANY ? ts_atf_values_times (atf) : (TsAtfTimes){ 0 };
  const TsAtfTemplate *template = &atf->scan.template;
  const gboolean       is_bare = gap != TS_ATF_GAP_SAME;
  const guint64        before = is_bare ? 0 : template->lines_before;
  const guint64        lines = is_bare ? template->lines - template->lines_before : template->lines;
  guint64              at_line = *line + before;
  guint                n_unequal = 0;
  TsImport            *import = atf->import;
  TsEvent             *event = ts_import_next (import), *full = import->events + TS_BATCH_EVENTS;

  if (kind == TS_ATF_TIMES_ANY && pattern.has_spaces && !times.may_be_loose)
    return p;
  while (p <= last)
    {
      guint         more;
      TsAtfWalk     walk = { .at = ts_atf_pass_gap (p, gap, &more) };
      const guint8 *begin = walk.at, *behind;
      gint64        time;

      if (is_bare && walk.at > last)
        break;
      if (is_bare)
        n_unequal += (gsize) (walk.at - p) != template->n_blanks;
      if (G_LIKELY (ts_atf_walk_entry (template, &walk, &pattern, memos, &times, &time, is_usual, kind)))
        {
          ts_atf_put (event, (TsEventKind) walk.event->value, time, (guint32) walk.reference->value,
                      walk.reference->resource, at_line + more);
          if (kind == TS_ATF_TIMES_ANY && G_UNLIKELY (walk.is_loose || pattern.has_spaces))
            ts_diagnostics_add (import->diagnostics, TS_DIAGNOSTIC_LOOSE_NUMBER, at_line + more, NULL);
        }
      else if (is_usual && (behind = walk_loose (atf, begin, given, &times, kind, event, at_line + more)) != NULL)
        walk.at = behind;
      else if ((behind = pass_aside (atf, p, last + given->reach, &at_line)) != NULL)
        {
          p = behind;
          continue;
        }
      else
        break;
      if (kind == TS_ATF_TIMES_ANY && !is_bare)
        n_unequal += walk.time_length != pattern.time_length;
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
  return take_alike (atf, pattern, p, last, line, TRUE, TS_ATF_TIMES_WHOLE, TS_ATF_GAP_SAME);
}

static G_GNUC_NO_INLINE const guint8 *
take_decimals (TsAtf *atf, const TsAtfPattern *pattern, const guint8 *p, const guint8 *last, guint64 *line)
{
  return take_alike (atf, pattern, p, last, line, TRUE, TS_ATF_TIMES_DECIMAL, TS_ATF_GAP_SAME);
}

static G_GNUC_NO_INLINE const guint8 *
take_any_times (TsAtf *atf, const TsAtfPattern *pattern, const guint8 *p, const guint8 *last, guint64 *line)
{
  return take_alike (atf, pattern, p, last, line, TRUE, TS_ATF_TIMES_ANY, TS_ATF_GAP_SAME);
}

static G_GNUC_NO_INLINE const guint8 *
take_any_blanks (TsAtf *atf, const TsAtfPattern *pattern, const guint8 *p, const guint8 *last, guint64 *line)
{
  return take_alike (atf, pattern, p, last, line, TRUE, TS_ATF_TIMES_ANY, TS_ATF_GAP_BLANKS);
}

static G_GNUC_NO_INLINE const guint8 *
take_any_lines (TsAtf *atf, const TsAtfPattern *pattern, const guint8 *p, const guint8 *last, guint64 *line)
{
  return take_alike (atf, pattern, p, last, line, TRUE, TS_ATF_TIMES_WHOLE, TS_ATF_GAP_ENDS_OF_LINES);
}

static G_GNUC_NO_INLINE const guint8 *
take_unusual (TsAtf *atf, const TsAtfPattern *pattern, const guint8 *p, const guint8 *last, guint64 *line)
{
  return take_alike (atf, pattern, p, last, line, FALSE,
                     pattern->n_decimals > 0 ? TS_ATF_TIMES_DECIMAL : TS_ATF_TIMES_WHOLE, TS_ATF_GAP_SAME);
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

/* Whether times have no more than sixteen digits, and ids no more than eight bytes tell. */
static gboolean
is_short (const TsAtf *atf, const TsAtfPattern *pattern)
{
  return pattern->high_at == 0 && !has_long_ids (atf);
}

/* Whether there is a quick way for times of any length like that of @pattern. */
static gboolean
may_be_any_time (const TsAtfPattern *pattern)
{
  return pattern->time_length <= TS_ATF_LONGEST_TIME && pattern->n_zeros == 0;
}

/* Whether there is any for @pattern: where each of its times deserves a word it is that for usual ones of any length. */
static gboolean
has_quick_way (const TsAtf *atf, const TsAtfPattern *pattern)
{
  return !(pattern->has_spaces || pattern->has_zeros)
         || ((pattern->is_usual || pattern->is_bare) && may_be_any_time (pattern) && is_short (atf, pattern));
}

static const guint8 *
scan_quickly (TsAtf *atf, const TsAtfPattern *pattern, const guint8 *p, const guint8 *end, guint64 *line,
              gboolean is_squeezed)
{
  gboolean has_any_times = pattern->has_spaces
                           || (atf->scan.n_unequal_times >= TS_ATF_MIN_UNEQUAL && may_be_any_time (pattern));

  if (!pattern->is_ready || end - p < (gssize) MAX (pattern->reach, MIN_RUN) || !may_be_quick (atf)
      || !has_quick_way (atf, pattern))
    return p;
  end -= pattern->reach;
  if (pattern->is_bare && !is_short (atf, pattern))
    return p;
  if (pattern->is_bare && is_squeezed && pattern->n_decimals == 0 && !has_any_times)
    return take_any_lines (atf, pattern, p, end, line);
  if (pattern->is_bare)
    return take_any_blanks (atf, pattern, p, end, line);
  if (!pattern->is_usual || !is_short (atf, pattern))
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
  const guint64    event = ts_atf_load_word (numbers[TS_ATF_SCAN_EVENT].begin);
  gboolean         is_new = ts_atf_pattern_renew (pattern, atf, &numbers[TS_ATF_SCAN_TIME]), was_known;
  const TsAtfMemo *memo;

  *n_renewed += is_new;
  if (!pattern->is_ready)
    return FALSE;
  /* not mapped: then what it refers to need not be known, either */
  if (event == pattern->other_event)
    return is_new;
  memo = remember (atf, TS_ATF_SCAN_EVENT, &numbers[TS_ATF_SCAN_EVENT], &was_known);
  if (memo == NULL)
    {
      pattern->other_event = event;
      return is_new;
    }
  is_new |= !was_known;
  /* what an event of no element refers to is found by its number */
  if (memo->value == TS_EVENT_USER)
    return is_new;
  if (remember (atf, TS_ATF_SCAN_REFERENCE, &numbers[TS_ATF_SCAN_REFERENCE], &was_known) != NULL)
    is_new |= !was_known;
  return is_new;
}

/* Whether an id is too long to be recalled: then there is no quick way. */
static gboolean
has_longest_id (const TsAtfNumber *numbers)
{
  for (guint i = TS_ATF_SCAN_EVENT; i < TS_ATF_SCAN_NUMBERS; i++)
    if (numbers[i].end - numbers[i].begin > TS_ATF_MAX_LONG_ID)
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
      if (next == NULL || !has_quick_way (atf, &pattern))
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
      if (!has_quick_way (atf, &pattern))
        next = NULL;
      is_longest = next != NULL && p == begin && has_longest_id (numbers); /* where a few are, the others are quick */
      if (next != NULL && n_renewed < MAX_RENEWED && !is_longest)
        {
          if (end - p < MIN_RUN || !may_be_quick (atf) || !learn_numbers (atf, &pattern, numbers, &n_renewed))
            p = take_matching (atf, p, tag, next, numbers, line);
          continue;
        }
      if (next == NULL && (next = pass_aside (atf, p, end, line)) != NULL)
        {
          p = next;
          continue;
        }
      set_stretch (atf, (gsize) (p - begin) / (n_renewed + 1));
      other = !is_longest && may_squeeze (atf) ? scan_squeezed (atf, p, end, line) : p;
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
