/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/atf-bytes.h"
#include "import/atf-values.h"
#include "import/atf.h"
#include "import/marks.h"

/* Entries that look like no other: their blanks, or the order of their attributes, change all the time. Nothing that
 * changes is branched on, since no processor foresees it: where values stand is told by a bit for each quotation mark
 * of 64 bytes, the name in front of one is looked up by a letter of it, and blanks are counted sixteen at a time. So
 * the next entry is found before this one is understood.
 *
 * What is not taken here is left to those who called. */

#define IN_LINE inline __attribute__ ((always_inline))
/* An entry that is longer is not taken, nor are more blanks in front of one. */
#define MAX_ENTRY 256
/* So much has to be there, since some bytes behind that are looked at. */
#define REACH (2 * MAX_ENTRY + 64)
#define WINDOW TS_MARKS_BLOCK
#define UNUSUAL 7 /* behind one that is not as usual */
/* Where the first value can begin: sixteen bytes in front of it are still in the entry. */
#define FIRST_MARK 16

/* The names of numbers, with the equals sign. */
typedef struct
{
  union
  {
    char       text[TS_ATF_BYTES];
    TsAtfBytes bytes; /* that end with them */
  };
  guint32 others; /* a bit for each of these bytes that is not theirs */
  guint32 length;
  guint32 role;
  guint32 count; /* one of this role, for Walk.seen */
} Name;

#define ALL_SEEN 0x10101
#define NEVER 0x1000000 /* what it is added to does not become ALL_SEEN */

/* By three bits of the fourth byte from behind. */
#define N_NAMES 8
#define NAME_AT(name) ((name)[-4] & (N_NAMES - 1))

static const Name names[N_NAMES] = {
  { .count = NEVER },
  { { "           Time=" }, 0x7ff, 5, TS_ATF_SCAN_TIME, 0x1 },
  { .count = NEVER },
  { .count = NEVER },
  { { "        EventID=" }, 0xff, 8, TS_ATF_SCAN_EVENT, 0x100 },
  { { "    ReferenceID=" }, 0xf, 12, TS_ATF_SCAN_REFERENCE, 0x10000 },
  { .count = NEVER },
  { .count = NEVER },
};

/* What was found of an entry. */
typedef struct
{
  const guint8 *at;   /* behind the tag's name, or behind the last value */
  guint         seen; /* how often each role */
} Found;

/* Attributes that mean nothing, by the place of their names. */
typedef struct
{
  Name        known[N_NAMES]; /* good ones that entries had before */
  gboolean    is_set;         /* @known is */
  guint       seen;           /* a bit for each of these that the entry has, or may have */
  TsAtfOthers all;            /* that the entry has */
} Others;

/* Blanks */

static guint
count_bits (guint bits)
{
  guint n = 0;

  for (; bits != 0; bits &= bits - 1)
    n++;
  return n;
}

/* Moves over any of them up to @end at the most, or some bytes behind it, and adds to @lines. */
static IN_LINE const guint8 *
pass_blanks (const guint8 *p, const guint8 *end, guint *lines)
{
  guint n = TS_ATF_BYTES;

  while (n == TS_ATF_BYTES && p < end)
    {
      guint newlines, blanks = ts_atf_bytes_blanks (ts_atf_bytes_load (p), &newlines);

      n = (guint) __builtin_ctz (~blanks);
      newlines &= blanks ^ (blanks + 1); /* those up to the first byte that is no blank */
      /* none or one, but for files with empty lines */
      *lines += newlines != 0;
      if (G_UNLIKELY ((newlines & (newlines - 1)) != 0))
        *lines += count_bits (newlines) - 1;
      p += n;
    }
  return p;
}

/* How many spaces are at @p, up to sixteen. */
static IN_LINE gsize
count_spaces (const guint8 *p)
{
  return (guint) __builtin_ctz (~ts_atf_bytes_find (p, ' '));
}

static IN_LINE gboolean
starts_with (const guint8 *p, const char *text)
{
  return memcmp (p, text, strlen (text)) == 0;
}

/* Where all is as usual */

static IN_LINE guint
set_value (TsAtfValues *values, const Name *name, const guint8 *open, const guint8 *close)
{
  values->open[name->role] = open;
  values->close[name->role] = close;
  return name->count;
}

/* Whether the name ends at @open. */
static IN_LINE gboolean
is_name (const Name *name, const guint8 *open)
{
  return (ts_atf_bytes_same (ts_atf_bytes_load (open - TS_ATF_BYTES), name->bytes) | name->others) == 0xffff;
}

/* Whether there are spaces from @begin to @end, or with @lines any blanks; at least one, and not many. */
static IN_LINE gboolean
are_blanks (const guint8 *begin, const guint8 *end, guint *lines)
{
  gsize n = (gsize) (end - begin);
  guint more = 0;

  if (lines == NULL)
    return n - 1 < count_spaces (begin);
  if (n - 1 >= MAX_ENTRY || pass_blanks (begin, end, &more) != end)
    return FALSE;
  *lines += more;
  return TRUE;
}

/* With blanks in front, as above, and its value between two marks. FALSE: it looks otherwise. */
static IN_LINE gboolean
pass_number (Found *found, TsAtfValues *values, const guint8 *open, const guint8 *close, guint *lines)
{
  const Name *name = &names[NAME_AT (open)];

  if (!is_name (name, open) || !are_blanks (found->at, open - name->length, lines))
    return FALSE;
  found->seen += set_value (values, name, open, close);
  found->at = close + 1;
  return TRUE;
}

/* Where a quotation mark is among 64 bytes: a bit for each. */
static IN_LINE guint64
find_marks (const guint8 *window, guint8 mark)
{
  return ts_marks_find ((const char *) window, (char) mark, (char) mark);
}


/* The end of an entry, from its tag on, that has three numbers in 64 bytes, and no blanks but spaces; or NULL. */
static IN_LINE const guint8 *
walk_usual (const guint8 *tag, guint8 mark, TsAtfValues *values)
{
  const guint8 *window = tag + FIRST_MARK, *end;
  guint64       first = find_marks (window, mark), second = ts_marks_but_first (first);
  guint64       third = ts_marks_but_first (second), fourth = ts_marks_but_first (third);
  guint64       fifth = ts_marks_but_first (fourth), sixth = ts_marks_but_first (fifth);
  Found         found = { tag + strlen ("<TraceEntry"), 0 };

  if (G_UNLIKELY (sixth == 0))
    return NULL;
  if (G_UNLIKELY (!pass_number (&found, values, window + ts_marks_first (first), window + ts_marks_first (second), NULL)
                  || !pass_number (&found, values, window + ts_marks_first (third), window + ts_marks_first (fourth), NULL)
                  || !pass_number (&found, values, window + ts_marks_first (fifth), window + ts_marks_first (sixth), NULL)
                  || found.seen != ALL_SEEN))
    return NULL;
  end = found.at + count_spaces (found.at);
  return G_LIKELY (starts_with (end, "/>")) ? end + strlen ("/>") : NULL;
}

/* Where it is not */

/* Quotation marks: a bit for each of those in 64 bytes that were not come to. */
typedef struct
{
  const guint8 *window, *limit;
  guint64       bits;
  guint8        mark; /* which one it is */
} Marks;

/* NULL: no more of them. */
static IN_LINE const guint8 *
next_mark (Marks *marks)
{
  const guint8 *next;

  while (marks->bits == 0)
    {
      if (marks->window + 2 * WINDOW > marks->limit)
        return NULL;
      marks->window += WINDOW;
      marks->bits = find_marks (marks->window, marks->mark);
    }
  next = marks->window + ts_marks_first (marks->bits);
  marks->bits = ts_marks_but_first (marks->bits);
  return next;
}

static gboolean
is_plain (const guint8 *begin, const guint8 *end)
{
  for (const guint8 *p = begin; p < end; p += TS_ATF_BYTES)
    {
      guint odd = ts_atf_bytes_unprintable (ts_atf_bytes_load (p)) | ts_atf_bytes_find (p, '<')
                  | ts_atf_bytes_find (p, '>') | ts_atf_bytes_find (p, '&');

      if (odd != 0 && __builtin_ctz (odd) < end - p)
        return FALSE;
    }
  return TRUE;
}

static const Name *
find_name (const guint8 *begin, const guint8 *end)
{
  gsize length = (gsize) (end - begin);

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (length + 1 == names[i].length && memcmp (begin, names[i].text + TS_ATF_BYTES - names[i].length, length) == 0)
      return &names[i];
  return NULL;
}

/* An attribute that means nothing, as one before. FALSE: it looks otherwise, or the entry has it already. */
static IN_LINE gboolean
pass_known_other (Found *found, Others *others, const guint8 *open, const guint8 *close, guint *lines)
{
  guint         at = NAME_AT (open);
  const guint8 *begin = open - others->known[at].length;

  if (others->known[at].length == 0 || !is_name (&others->known[at], open) || (others->seen & 1u << at) != 0
      || others->all.n == TS_ATF_MAX_OTHERS || !are_blanks (found->at, begin, lines) || !is_plain (open + 1, close))
    return FALSE;
  others->seen |= 1u << at;
  others->all.names[others->all.n].begin = begin;
  others->all.names[others->all.n++].length = others->known[at].length - strlen ("=");
  found->at = close + 1;
  return TRUE;
}

/* For the entries to come, unless it has the place of one that this entry has. */
static void
remember_other (Others *others, const guint8 *begin, const guint8 *open)
{
  gsize length = (gsize) (open - begin);
  guint at = NAME_AT (open);

  if (length > TS_ATF_BYTES || (others->seen & 1u << at) != 0)
    return;
  memcpy (others->known[at].text + TS_ATF_BYTES - length, begin, length);
  others->known[at].others = (1u << (TS_ATF_BYTES - length)) - 1;
  others->known[at].length = (guint32) length;
  others->seen |= 1u << at;
}

/* Any attribute from @at on: what it adds to Found.seen; NEVER: it is not as it should be. */
static G_GNUC_NO_INLINE guint
pass_attribute (const guint8 *at, TsAtfValues *values, Others *others, const guint8 *open, const guint8 *close,
                guint *lines)
{
  const guint8 *begin = pass_blanks (at, open, lines), *end = ts_atf_scan_name (begin, open);
  const guint8 *equals = pass_blanks (end, open, lines);
  const Name   *name;

  if (begin == at || *equals != '=' || pass_blanks (equals + 1, open, lines) != open)
    return NEVER;
  name = find_name (begin, end);
  if (name != NULL)
    return set_value (values, name, open, close);
  if (!ts_atf_others_add (&others->all, begin, end) || !is_plain (open + 1, close))
    return NEVER;
  if (open == end + strlen ("="))
    remember_other (others, begin, open);
  else
    others->seen = G_MAXUINT; /* it is not where its name is looked up: all that follow are compared with it */
  return 0;
}

/* NULL: there are more attributes, or it is no end. */
static IN_LINE const guint8 *
find_end (const guint8 *p, const guint8 *limit, guint *lines)
{
  guint more = 0;

  p = pass_blanks (p, limit, &more);
  if (starts_with (p, "/>"))
    p += strlen ("/>");
  else if (starts_with (p, "></TraceEntry>"))
    p += strlen ("></TraceEntry>");
  else
    return NULL;
  *lines += more;
  return p;
}

/* FALSE: it is not as it should be. */
static IN_LINE gboolean
pass_any (Found *found, TsAtfValues *values, Others *others, const guint8 *open, const guint8 *close, guint *lines)
{
  guint count, more = 0;

  if (pass_number (found, values, open, close, lines) || pass_known_other (found, others, open, close, lines))
    return TRUE;
  count = pass_attribute (found->at, values, others, open, close, &more);
  *lines += more;
  found->seen += count;
  found->at = close + 1;
  return count != NEVER;
}

/* The end of any other one that has three numbers; NULL: there is none that is taken here. */
static G_GNUC_NO_INLINE const guint8 *
walk_unusual (const guint8 *tag, guint8 mark, TsAtfValues *values, Others *others, guint *lines)
{
  Marks marks = { tag + FIRST_MARK, tag + MAX_ENTRY, find_marks (tag + FIRST_MARK, mark), mark };
  Found found = { tag + strlen ("<TraceEntry"), 0 };
  guint n_lines = 0;

  if (!others->is_set)
    memset (others->known, 0, sizeof others->known);
  others->is_set = TRUE;
  others->seen = others->all.n = 0;
  for (;;)
    {
      const guint8 *open = next_mark (&marks), *close = open != NULL ? next_mark (&marks) : NULL, *end;

      if (close == NULL || !pass_any (&found, values, others, open, close, &n_lines))
        return NULL;
      end = found.seen == ALL_SEEN ? find_end (found.at, marks.limit, &n_lines) : NULL;
      *lines = n_lines;
      if (end != NULL)
        return end;
    }
}

/* What it says */

/* What entries mean that need nothing to be said about. */
typedef struct
{
  TsAtfMemos          *memos;
  const TsAtfDecimals *decimals;
  gint64               from;
  guint64              range; /* stamps from there on */
} Known;

static Known
what_is_known (TsAtf *atf)
{
  Known known = { &atf->scan.digit_memos, ts_atf_values_decimals (atf), G_MININT64, 0 };

  if (atf->import->surveying)
    known.range = G_MAXUINT64; /* nobody would be told */
  else if (atf->from <= atf->to)
    {
      known.from = atf->from;
      known.range = (guint64) atf->to - (guint64) atf->from;
    }
  /* no stamp is within a section that ends before it begins */
  return known;
}

/* The digits before and behind a point. */
static IN_LINE TsAtfBytes
digits_around_point (const guint8 *end, gsize length, guint n_decimals)
{
  TsAtfBytes behind = ts_atf_bytes_last (n_decimals);
  TsAtfBytes before = ts_atf_bytes_xor (ts_atf_bytes_last (length - 1), behind);

  return ts_atf_bytes_or (ts_atf_bytes_digits (ts_atf_bytes_load (end - TS_ATF_BYTES), behind),
                          ts_atf_bytes_digits (ts_atf_bytes_load (end - TS_ATF_BYTES - 1), before));
}

/* The time without its point. */
static IN_LINE TsAtfBytes
time_digits (const guint8 *end, gsize length, guint *n_decimals)
{
  guint points = ts_atf_bytes_find (end - TS_ATF_BYTES, '.') >> (TS_ATF_BYTES - length);

  *n_decimals = 0;
  if (points == 0)
    return ts_atf_bytes_digits (ts_atf_bytes_load (end - TS_ATF_BYTES), ts_atf_bytes_last (length));
  *n_decimals = (guint) length - 1 - (guint) __builtin_ctz (points);
  return digits_around_point (end, length, *n_decimals);
}

/* A zero in front deserves a word, and without digits before and behind its point it is no number that is read here. */
static IN_LINE gboolean
is_odd_time (const guint8 *begin, const guint8 *end)
{
  return (*begin == '0' && end - begin > 1 && begin[1] != '.') || *begin == '.' || end[-1] == '.';
}

/* FALSE: it has to be looked at in another way. */
static IN_LINE gboolean
understand (const Known *known, const TsAtfValues *values, guint64 line, TsEvent *event)
{
  const guint8        *begin = values->open[TS_ATF_SCAN_TIME] + 1, *end = values->close[TS_ATF_SCAN_TIME];
  gsize                length = ts_atf_values_length (values, TS_ATF_SCAN_TIME);
  const TsAtfMemo     *kind, *reference;
  const TsAtfDecimals *decimals;
  TsAtfBytes           digits;
  TsAtfShortIds        ids;
  guint                n_decimals;
  guint64              number;
  gint64               time;

  if (G_UNLIKELY (length - 1 >= TS_ATF_BYTES || !ts_atf_values_have_short_ids (values)))
    return FALSE;
  ids = ts_atf_values_short_ids (values);
  kind = ts_atf_memos_recall (known->memos, TS_ATF_SCAN_EVENT, ids.event);
  reference = ts_atf_memos_recall (known->memos, TS_ATF_SCAN_REFERENCE, ids.reference);
  digits = time_digits (end, length, &n_decimals);
  number = ts_atf_bytes_number (digits);
  decimals = &known->decimals[n_decimals];
  time = (gint64) (number * decimals->factor);
  if (G_UNLIKELY (!ts_atf_bytes_are_zero (ts_atf_bytes_or (ids.excess, ts_atf_bytes_excess (digits))) || kind == NULL
                  || reference == NULL || number > decimals->most || is_odd_time (begin, end)
                  || (guint64) time - (guint64) known->from > known->range))
    return FALSE;
  ts_atf_put (event, (TsEventKind) kind->value, time, (guint32) reference->value, reference->resource, line);
  return TRUE;
}

/* The end of the entry whose tag is at @tag; NULL: there is none that is taken here. The next @n_unusual of them are
 * taken for unusual ones without a try. */
static IN_LINE const guint8 *
walk_entry (const guint8 *tag, guint8 mark, guint *n_unusual, TsAtfValues *values, Others *others, guint *lines)
{
  const guint8 *end = NULL;
  guint         more = 0;

  if (G_UNLIKELY (!starts_with (tag, "<TraceEntry")))
    return NULL;
  if (G_LIKELY (*n_unusual == 0))
    end = walk_usual (tag, mark, values);
  if (G_UNLIKELY (end == NULL))
    {
      *n_unusual = *n_unusual > 0 ? *n_unusual - 1 : UNUSUAL;
      end = walk_unusual (tag, mark, values, others, &more);
      *lines = more;
    }
  return end;
}

const guint8 *
ts_atf_irregular_scan (TsAtf *atf, const guint8 *p, const guint8 *end, guint n_most, guint64 *line)
{
  Known        known = what_is_known (atf);
  const guint8 mark = atf->scan.template.mark;
  TsEvent     *event = ts_import_next (atf->import), *full = atf->import->events + TS_BATCH_EVENTS;
  guint64      at_line = *line;
  guint        n_unusual = 0;
  Others       others;
  TsAtfValues       values;

  others.is_set = FALSE;
  for (; n_most > 0 && end - p >= REACH; n_most--)
    {
      guint         lines_before = 0, lines = 0;
      const guint8 *tag = pass_blanks (p, p + MAX_ENTRY, &lines_before);
      const guint8 *next = walk_entry (tag, mark, &n_unusual, &values, &others, &lines);

      if (G_UNLIKELY (next == NULL))
        break;
      if (G_LIKELY (understand (&known, &values, at_line + lines_before, event)))
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
