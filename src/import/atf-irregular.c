/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/atf-bytes.h"
#include "import/atf-values.h"
#include "import/atf.h"
#include "import/marks.h"
#include "model/inline.h"

/* Entries that look like no other: their blanks, the order of their attributes, or how many there are, change all the
 * time. Nothing that changes in a usual way is branched on, since no processor foresees it: where values stand is told
 * by a bit for each quotation mark of 64 bytes, names are looked up by some of their bytes, and blanks are counted
 * sixteen at a time. So the next entry is found before this one is understood.
 *
 * What is not taken here is left to those who called. */

/* An entry that is longer is not taken, nor are more blanks in front of one. */
#define MAX_ENTRY 256
/* So much has to be there: blanks, the entry, and some bytes behind each, lines being counted by the block. */
#define REACH (2 * MAX_ENTRY + 2 * TS_MARKS_BLOCK)
#define WINDOW TS_MARKS_BLOCK
#define TAG "<TraceEntry"
/* Where the first value can begin, but for names of one letter. */
#define FIRST_MARK 15
#define UNUSUAL 31 /* behind one that is not as usual */
#define MAX_ATTRIBUTES (TS_ATF_SCAN_NUMBERS + TS_ATF_MAX_OTHERS + 1)
#define ALL_SEEN ((1u << TS_ATF_SCAN_NUMBERS) - 1)

/* Blanks */

/* How many spaces and tabulators are at @p, up to sixteen. */
static TS_ALWAYS_INLINE gsize
count_blanks (const guint8 *p)
{
  return (guint) __builtin_ctz (~(ts_atf_bytes_find (p, ' ') | ts_atf_bytes_find (p, '\t')));
}

static TS_ALWAYS_INLINE gboolean
starts_with (const guint8 *p, const char *text)
{
  return memcmp (p, text, strlen (text)) == 0;
}

/* Names */

/* By its first three bytes, to which a shorter one has the equals sign and the quotation mark. */
#define PLACED_BY 3

static TS_ALWAYS_INLINE gsize
place_of_name (const guint8 *begin)
{
  guint32 word;

  memcpy (&word, begin, sizeof word);
  return (GUINT32_FROM_LE (word) << 8) * 0x85ebca6bu >> (32 - TS_ATF_SCAN_NAME_BITS);
}

/* Whether these are the @length bytes at @begin, as far as sixteen tell. */
static TS_ALWAYS_INLINE gboolean
is_name (const TsAtfAttribute *name, const guint8 *begin, gsize length)
{
  guint same = ts_atf_bytes_same (ts_atf_bytes_load (begin), ts_atf_bytes_load (name->text));

  return name->length == length && (same | name->behind) == G_MAXUINT16;
}

static TS_ALWAYS_INLINE gboolean
is_all_of_name (const TsAtfAttribute *name, const guint8 *begin)
{
  return name->length <= TS_ATF_BYTES || memcmp (name->text, begin, name->length) == 0;
}

/* Where a name is, or may be; NULL: there is no place for it. No name is in two places. */
static TsAtfAttribute *
find_place (TsAtf *atf, const guint8 *begin, gsize length, gboolean is_other)
{
  TsAtfAttribute *first = &atf->scan.names[place_of_name (begin)];
  TsAtfAttribute *second = &atf->scan.names[place_of_name (begin) ^ 1];

  if (first->name_length == length && memcmp (first->text, begin, length) == 0)
    return first;
  if (second->name_length == length && memcmp (second->text, begin, length) == 0)
    return second;
  /* a number has the first one, whoever was there before */
  if (!is_other || first->length == 0)
    return first;
  return second->length == 0 ? second : NULL;
}

/* Whether the attribute in [begin, open) stands as all do that are nearly regular. */
static gboolean
is_tight (const guint8 *begin, const guint8 *open, gsize name_length)
{
  gboolean is_in_line = TRUE;

  for (const guint8 *p = begin - 1; ts_atf_is_blank (*p); p--)
    is_in_line &= *p == ' ' || *p == '\t';
  return is_in_line && (gsize) (open - begin) == name_length + 1;
}

void
ts_atf_irregular_learn (TsAtf *atf, const guint8 *begin, const guint8 *end, const guint8 *open, guint8 role)
{
  gsize           name_length = (gsize) (end - begin);
  gboolean        is_other = role == TS_ATF_SCAN_NUMBERS;
  TsAtfAttribute *name = find_place (atf, begin, name_length, is_other);
  gboolean        is_new = name != NULL && name->length == 0;
  const guint8    mark = atf->scan.template.mark; /* of the entry before */

  atf->scan.has_both_marks |= mark != 0 && *open != mark;
  atf->scan.is_loose |= !is_tight (begin, open, name_length);
  /* with blanks or another mark a short name would have a second place */
  if (name == NULL || (name_length < PLACED_BY && (gsize) (open - begin) > name_length + 1)
      || (name_length + 1 < PLACED_BY && *open != '"') || name_length >= sizeof name->text
      || (is_other && is_new && atf->scan.n_others == TS_ATF_MAX_OTHERS))
    return;
  memset (name->text, 0, sizeof name->text);
  memcpy (name->text, begin, name_length);
  name->text[name_length] = '=';
  name->length = (guint16) (name_length + 1);
  name->behind = (guint16) (G_MAXUINT32 << MIN (name_length + 1, TS_ATF_BYTES));
  name->name_length = (guint16) name_length;
  name->behind_name = (guint16) (G_MAXUINT32 << MIN (name_length, TS_ATF_BYTES));
  name->role = role;
  if (!is_other)
    name->bit = 1u << role;
  else if (is_new)
    name->bit = 1u << (TS_ATF_SCAN_NUMBERS + atf->scan.n_others++);
}

/* Quotation marks: a bit for each of those in 64 bytes that were not come to. */
typedef struct
{
  const guint8 *window, *limit;
  guint64       bits;
  guint8        mark; /* which one it is */
  gboolean      are_both; /* both are */
} Marks;

static TS_ALWAYS_INLINE guint64
find_marks (const guint8 *window, guint8 mark, gboolean are_both)
{
  return ts_marks_find ((const char *) window, are_both ? '"' : (char) mark, are_both ? '\'' : (char) mark);
}

/* NULL: no more of them. */
static TS_ALWAYS_INLINE const guint8 *
next_mark (Marks *marks)
{
  const guint8 *next;

  while (G_UNLIKELY (marks->bits == 0))
    {
      if (marks->window + 2 * WINDOW > marks->limit)
        return NULL;
      marks->window += WINDOW;
      marks->bits = find_marks (marks->window, marks->mark, marks->are_both);
    }
  next = marks->window + ts_marks_first (marks->bits);
  marks->bits = ts_marks_but_first (marks->bits);
  return next;
}

/* The same for one in which the byte at @p is an odd one. */
static G_GNUC_NO_INLINE gboolean
is_good (const TsAtf *atf, const guint8 *p, const guint8 *end)
{
  while (p != NULL && p < end)
    {
      guint odd = ts_atf_bytes_odd (ts_atf_bytes_load (p));
      guint n = (guint) __builtin_ctz (odd | 1u << TS_ATF_BYTES);

      p += n;
      if (n < TS_ATF_BYTES && p < end)
        p = ts_atf_pass_odd (atf->scan.encoding, p);
    }
  return p != NULL;
}

/* Whether every parser takes a value, whatever it is. */
static TS_ALWAYS_INLINE gboolean
is_plain (const TsAtf *atf, const guint8 *begin, const guint8 *end)
{
  for (const guint8 *p = begin; p < end; p += TS_ATF_BYTES)
    {
      guint odd = ts_atf_bytes_odd (ts_atf_bytes_load (p));

      if (G_UNLIKELY (odd != 0 && __builtin_ctz (odd) < end - p))
        return is_good (atf, p, end);
    }
  return TRUE;
}

/* From the slash or bracket that ends the tag; NULL: it is none, or no end. */
static TS_ALWAYS_INLINE const guint8 *
pass_end (const guint8 *p, const guint8 *limit, guint *lines)
{
  if (G_LIKELY (*p == '/'))
    return p[1] == '>' ? p + strlen ("/>") : NULL;
  if (*p != '>')
    return NULL;
  p = ts_atf_bytes_pass_blanks (p + 1, limit, lines);
  return starts_with (p, "</TraceEntry>") ? p + strlen ("</TraceEntry>") : NULL;
}

/* What was found of an entry. */
typedef struct
{
  const guint8 *at;     /* behind the tag's name, or behind the last value */
  const guint8 *limit;
  guint         seen;   /* a bit for each name */
  guint         lines;  /* that end in it */
  guint         others; /* not 0: a value ends with another mark than it begins with */
} Found;

/* Whether [p, open) is an equals sign and any blanks. */
static G_GNUC_NO_INLINE gboolean
is_long_sign (const guint8 *p, const guint8 *open, guint *lines)
{
  guint more = 0;

  if (p >= open)
    return FALSE;
  p = ts_atf_bytes_pass_blanks (p, open, &more);
  if (*p != '=' || ts_atf_bytes_pass_blanks (p + 1, open, &more) != open)
    return FALSE;
  *lines += more;
  return TRUE;
}

static TS_ALWAYS_INLINE gboolean
is_sign (const guint8 *p, const guint8 *open, guint *lines)
{
  gsize      length = (gsize) (open - p);
  TsAtfBytes bytes = ts_atf_bytes_load (p);
  guint      all, ends, blanks, signs;

  if (G_UNLIKELY (length - 1 >= TS_ATF_BYTES))
    return is_long_sign (p, open, lines);
  all = ~(G_MAXUINT32 << length);
  blanks = ts_atf_bytes_blanks (bytes, &ends);
  signs = ts_atf_bytes_same (bytes, ts_atf_bytes_each ('=')) & all;
  if (G_UNLIKELY (signs == 0 || (signs & (signs - 1)) != 0 || ((blanks | signs) & all) != all))
    return FALSE;
  *lines += ts_atf_count_ends (ends & all);
  return TRUE;
}

/* Whether @name is what stands in [begin, open), with any blanks beside its equals sign. */
static TS_ALWAYS_INLINE gboolean
is_loose_name (const TsAtfAttribute *name, const guint8 *begin, const guint8 *open, guint *lines)
{
  guint same = ts_atf_bytes_same (ts_atf_bytes_load (begin), ts_atf_bytes_load (name->text));

  return G_LIKELY ((same | name->behind_name) == G_MAXUINT16)
         && (name->name_length <= TS_ATF_BYTES || memcmp (name->text, begin, name->name_length) == 0)
         && is_sign (begin + name->name_length, open, lines);
}

/* What stands between found->at, which moves behind blanks, and @open; NULL: nothing that is known. */
static TS_ALWAYS_INLINE const TsAtfAttribute *
find_loose_name (const TsAtf *atf, Found *found, const guint8 *open)
{
  gboolean              has_blank = *found->at <= ' ';
  const guint8         *begin = ts_atf_bytes_pass_blanks (found->at, found->limit, &found->lines);
  gsize                 place = place_of_name (begin);
  const TsAtfAttribute *first = &atf->scan.names[place], *second = &atf->scan.names[place ^ 1];

  found->at = begin;
  if (G_LIKELY (has_blank && is_loose_name (first, begin, open, &found->lines)))
    return first;
  return has_blank && is_loose_name (second, begin, open, &found->lines) ? second : NULL;
}

static TS_ALWAYS_INLINE void
take_value (Found *found, TsAtfValues *values, const TsAtfAttribute *name, const guint8 *open, const guint8 *close)
{
  found->seen |= name->bit;
  found->others |= *open ^ *close;
  values->open[name->role] = open;
  values->close[name->role] = close;
  found->at = close + 1;
}

/* The next attribute, with blanks in front and its value between the first two of @bits. FALSE: there is none that is
 * taken here. */
static TS_ALWAYS_INLINE gboolean
pass_usual (const TsAtf *atf, Found *found, TsAtfValues *values, const guint8 *window, guint64 bits)
{
  const guint8         *begin = found->at + count_blanks (found->at);
  const guint8         *open = window + ts_marks_first (bits);
  const TsAtfAttribute *name = &atf->scan.names[place_of_name (begin)];

  /* where there are no blanks there is no name, either */
  if (G_UNLIKELY (*found->at > ' ' || !is_name (name, begin, (gsize) (open - begin))))
    return FALSE;
  take_value (found, values, name, open, window + ts_marks_first (ts_marks_but_first (bits)));
  return TRUE;
}

/* The same with any blanks. */
static TS_ALWAYS_INLINE gboolean
pass_loose (const TsAtf *atf, Found *found, TsAtfValues *values, const guint8 *window, guint64 bits)
{
  const guint8         *open = window + ts_marks_first (bits);
  const TsAtfAttribute *name = find_loose_name (atf, found, open);

  if (G_UNLIKELY (name == NULL))
    return FALSE;
  take_value (found, values, name, open, window + ts_marks_first (ts_marks_but_first (bits)));
  return TRUE;
}

/* The same with any value. *expected is what the entry before had in this place. */
static TS_ALWAYS_INLINE gboolean
pass_unusual (const TsAtf *atf, Found *found, TsAtfValues *values, const guint8 *open, const guint8 *close,
              const TsAtfAttribute **expected)
{
  const guint8         *begin = found->at + 1;
  const TsAtfAttribute *name = *expected;

  if (*found->at != ' ' || !is_name (name, begin, (gsize) (open - begin)) || !is_all_of_name (name, begin))
    {
      name = find_loose_name (atf, found, open);
      if (G_UNLIKELY (name == NULL))
        return FALSE;
      *expected = name;
    }
  if ((found->seen & name->bit) != 0 || (name->role == TS_ATF_SCAN_NUMBERS && !is_plain (atf, open + 1, close)))
    return FALSE;
  take_value (found, values, name, open, close);
  return TRUE;
}

/* The end of an entry, from its tag on, that has three numbers in 64 bytes, and in which no line ends; or NULL. */
static TS_ALWAYS_INLINE const guint8 *
walk_usual (const TsAtf *atf, const guint8 *tag, TsAtfValues *values, gboolean are_both)
{
  const guint8 *window = tag + FIRST_MARK, *end;
  guint64       first = find_marks (window, atf->scan.template.mark, are_both);
  guint64       third = ts_marks_but_first (ts_marks_but_first (first));
  guint64       fifth = ts_marks_but_first (ts_marks_but_first (third));
  Found         found = { tag + strlen (TAG), NULL, 0, 0, 0 };

  if (G_UNLIKELY (ts_marks_but_first (fifth) == 0))
    return NULL;
  if (G_UNLIKELY (!pass_usual (atf, &found, values, window, first) || !pass_usual (atf, &found, values, window, third)
                  || !pass_usual (atf, &found, values, window, fifth) || found.seen != ALL_SEEN
                  || (are_both && found.others != 0)))
    return NULL;
  end = found.at + count_blanks (found.at);
  return G_LIKELY (starts_with (end, "/>")) ? end + strlen ("/>") : NULL;
}

/* The same with any blanks and quotation marks: one number in 64 bytes, and two in the next ones. */
static TS_ALWAYS_INLINE const guint8 *
walk_loose (const TsAtf *atf, const guint8 *tag, TsAtfValues *values, guint *lines)
{
  const guint8 *limit = tag + MAX_ENTRY, *window = tag + FIRST_MARK, *end;
  guint64       first = find_marks (window, '"', TRUE), second, third;
  Found         found = { tag + strlen (TAG), limit, 0, 0, 0 };

  if (G_UNLIKELY (ts_marks_but_first (first) == 0 || !pass_loose (atf, &found, values, window, first)))
    return NULL;
  window = found.at;
  second = find_marks (window, '"', TRUE);
  third = ts_marks_but_first (ts_marks_but_first (second));
  if (G_UNLIKELY (ts_marks_but_first (third) == 0))
    return NULL;
  if (G_UNLIKELY (!pass_loose (atf, &found, values, window, second) || !pass_loose (atf, &found, values, window, third)
                  || found.seen != ALL_SEEN || found.others != 0))
    return NULL;
  end = pass_end (ts_atf_bytes_pass_blanks (found.at, limit, &found.lines), limit, &found.lines);
  *lines = found.lines;
  return end;
}

/* The end of any other one; NULL: there is none that is taken here. No name is there twice, so that @order has room. */
static TS_ALWAYS_INLINE const guint8 *
walk_unusual (const TsAtf *atf, const guint8 *tag, const TsAtfAttribute **order, TsAtfValues *values, guint *lines,
              gboolean are_both)
{
  const guint8 *limit = tag + MAX_ENTRY;
  const guint8  mark = atf->scan.template.mark;
  Marks         marks = { tag + FIRST_MARK, limit, find_marks (tag + FIRST_MARK, mark, are_both), mark, are_both };
  Found         found = { tag + strlen (TAG), limit, 0, 0, 0 };
  const guint8 *close, *end;

  do
    {
      const guint8 *open = next_mark (&marks);

      close = open != NULL ? next_mark (&marks) : NULL;
      while (are_both && close != NULL && G_UNLIKELY (*close != *open))
        close = next_mark (&marks);
      if (close == NULL || !pass_unusual (atf, &found, values, open, close, order++))
        break;
    }
  while (*found.at <= ' ');
  end = (found.seen & ALL_SEEN) == ALL_SEEN ? pass_end (found.at, limit, &found.lines) : NULL;
  *lines = found.lines;
  return end;
}

/* The end of the entry whose tag is at @tag; NULL: there is none that is taken here. The next @n_unusual of them are
 * taken for unusual ones without a try. */
static TS_ALWAYS_INLINE const guint8 *
walk_entry (const TsAtf *atf, const guint8 *tag, guint *n_unusual, const TsAtfAttribute **order, TsAtfValues *values,
            guint *lines, gboolean are_both, gboolean is_loose)
{
  const guint8 *end = NULL;
  guint         more = 0;

  if (G_UNLIKELY (!starts_with (tag, TAG)))
    return NULL;
  if (G_LIKELY (*n_unusual == 0))
    end = is_loose ? walk_loose (atf, tag, values, lines) : walk_usual (atf, tag, values, are_both);
  if (G_UNLIKELY (end == NULL))
    {
      *n_unusual = *n_unusual > 0 ? *n_unusual - 1 : UNUSUAL;
      end = walk_unusual (atf, tag, order, values, &more, are_both);
      *lines = more;
    }
  return end;
}

/* What it says */

/* What entries mean that need nothing to be said about. */
typedef struct
{
  TsAtfMemos kinds, elements;
  TsAtfTimes times;
} Known;

static Known
what_is_known (TsAtf *atf)
{
  return (Known){ atf->scan.digit_memos[0], atf->scan.digit_memos[1], ts_atf_values_times (atf) };
}

/* FALSE: it has to be looked at in another way. */
static TS_ALWAYS_INLINE gboolean
understand (TsAtf *atf, const Known *known, TsAtfValues *values, guint64 line, TsEvent *event, gboolean is_padded)
{
  const TsAtfMemo *kind, *reference;
  TsAtfShortIds    ids;
  gint64           time;
  gboolean         is_loose;

  if (is_padded)
    for (guint8 i = 0; i < TS_ATF_SCAN_NUMBERS; i++)
      ts_atf_values_trim (values, i);
  if (G_UNLIKELY (!ts_atf_values_have_short_ids (values)))
    return FALSE;
  ids = ts_atf_values_short_ids (values);
  kind = ts_atf_memos_recall (&known->kinds, ids.event, NULL);
  reference = ts_atf_memos_recall (&known->elements, ids.reference, NULL);
  if (G_UNLIKELY (!ts_atf_values_time (&known->times, values->close[TS_ATF_SCAN_TIME],
                                       ts_atf_values_length (values, TS_ATF_SCAN_TIME), &time, &is_loose)
                  || !ts_atf_bytes_are_zero (ids.excess) || kind == NULL || reference == NULL))
    return FALSE;
  if (is_padded && ts_atf_values_is_padded (values, TS_ATF_SCAN_TIME))
    {
      if (G_UNLIKELY (!known->times.may_be_loose))
        return FALSE;
      is_loose = TRUE;
    }
  if (G_UNLIKELY (is_loose))
    ts_diagnostics_add (atf->import->diagnostics, TS_DIAGNOSTIC_LOOSE_NUMBER, line, NULL);
  ts_atf_put (event, (TsEventKind) kind->value, time, (guint32) reference->value, reference->resource, line);
  return TRUE;
}

static TS_ALWAYS_INLINE const guint8 *
scan (TsAtf *atf, const guint8 *p, const guint8 *end, guint n_most, guint64 *line, gboolean are_both,
      gboolean is_loose, gboolean is_padded)
{
  Known       known = what_is_known (atf);
  TsEvent    *event = ts_import_next (atf->import), *full = atf->import->events + TS_BATCH_EVENTS;
  guint64     at_line = *line;
  guint       n_unusual = 0;
  TsAtfValues values;

  /* the attributes of an entry in their order, for the next one; at first any */
  const TsAtfAttribute *order[MAX_ATTRIBUTES];

  for (guint i = 0; i < MAX_ATTRIBUTES; i++)
    order[i] = atf->scan.names;
  for (; n_most > 0 && end - p >= REACH; n_most--)
    {
      guint         lines_before = 0, lines = 0;
      const guint8 *tag = ts_atf_bytes_pass_blanks (p, p + MAX_ENTRY, &lines_before);
      const guint8 *next = walk_entry (atf, tag, &n_unusual, order, &values, &lines, are_both, is_loose);

      if (G_UNLIKELY (next == NULL))
        break;
      if (G_LIKELY (understand (atf, &known, &values, at_line + lines_before, event, is_padded)))
        event++;
      else
        {
          TsEvent *other = ts_atf_values_take (atf, &values, event, at_line + lines_before);

          if (other == NULL)
            break;
          event = other;
          known = what_is_known (atf);
          if (atf->error != NULL)
            n_most = 1;
        }
      if (G_UNLIKELY (event == full))
        event = ts_import_commit_up_to (atf->import, event);
      at_line += lines_before + lines;
      p = next;
    }
  ts_import_commit_up_to (atf->import, event);
  *line = at_line;
  return p;
}

/* Each in a copy of its own: nearly all traces have one kind of quotation marks, and no blanks where none need be. */

static G_GNUC_NO_INLINE const guint8 *
scan_both_marks (TsAtf *atf, const guint8 *p, const guint8 *end, guint n_most, guint64 *line)
{
  return scan (atf, p, end, n_most, line, TRUE, FALSE, FALSE);
}

static G_GNUC_NO_INLINE const guint8 *
scan_loose (TsAtf *atf, const guint8 *p, const guint8 *end, guint n_most, guint64 *line)
{
  return scan (atf, p, end, n_most, line, TRUE, TRUE, FALSE);
}

static G_GNUC_NO_INLINE const guint8 *
scan_padded (TsAtf *atf, const guint8 *p, const guint8 *end, guint n_most, guint64 *line)
{
  return scan (atf, p, end, n_most, line, TRUE, TRUE, TRUE);
}

const guint8 *
ts_atf_irregular_scan (TsAtf *atf, const guint8 *p, const guint8 *end, guint n_most, guint64 *line)
{
  if (G_UNLIKELY (atf->scan.has_padding))
    return scan_padded (atf, p, end, n_most, line);
  if (G_UNLIKELY (atf->scan.is_loose))
    return scan_loose (atf, p, end, n_most, line);
  if (G_UNLIKELY (atf->scan.has_both_marks))
    return scan_both_marks (atf, p, end, n_most, line);
  return scan (atf, p, end, n_most, line, FALSE, FALSE, FALSE);
}
