/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/atf-bytes.h"
#include "import/atf.h"

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
#define WINDOW 64
/* Where the first value can begin: sixteen bytes in front of it are still in the entry. */
#define FIRST_MARK 16
#define MAX_SHORT_ID 8

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
#define NAME_AT(name) ((name)[-4] & 7)

static const Name names[] = {
  { .count = NEVER },
  { { "           Time=" }, 0x7ff, 5, TS_ATF_SCAN_TIME, 0x1 },
  { .count = NEVER },
  { .count = NEVER },
  { { "        EventID=" }, 0xff, 8, TS_ATF_SCAN_EVENT, 0x100 },
  { { "    ReferenceID=" }, 0xf, 12, TS_ATF_SCAN_REFERENCE, 0x10000 },
  { .count = NEVER },
  { .count = NEVER },
};

/* The values by their roles: where their marks are. */
typedef struct
{
  const guint8 *open[TS_ATF_SCAN_NUMBERS], *close[TS_ATF_SCAN_NUMBERS];
} Values;

/* What was found of an entry. */
typedef struct
{
  const guint8 *at;   /* behind the tag's name, or behind the last value */
  guint         seen; /* how often each role */
} Found;

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

static IN_LINE void
set_value (Found *found, Values *values, const Name *name, const guint8 *open, const guint8 *close)
{
  values->open[name->role] = open;
  values->close[name->role] = close;
  found->seen += name->count;
}

/* With spaces in front, and its value between two marks. FALSE: it looks otherwise. */
static IN_LINE gboolean
pass_number (Found *found, Values *values, const guint8 *open, const guint8 *close)
{
  const Name *name = &names[NAME_AT (open)];
  TsAtfBytes  bytes = ts_atf_bytes_load (open - TS_ATF_BYTES);

  if ((ts_atf_bytes_same (bytes, name->bytes) | name->others) != 0xffff
      || (gsize) (open - found->at) - name->length - 1 >= count_spaces (found->at))
    return FALSE;
  set_value (found, values, name, open, close);
  found->at = close + 1;
  return TRUE;
}

#define BUT_THE_FIRST(bits) ((bits) & ((bits) - 1))
#define THE_FIRST(window, bits) ((window) + (guint) __builtin_ctzll (bits))

/* The end of an entry, from its tag on, that has three numbers in 64 bytes, and no blanks but spaces; or NULL. */
static IN_LINE const guint8 *
walk_usual (const guint8 *tag, guint8 mark, Values *values)
{
  const guint8 *window = tag + FIRST_MARK, *end;
  guint64       first = ts_atf_bytes_find_in_64 (window, mark), second = BUT_THE_FIRST (first);
  guint64       third = BUT_THE_FIRST (second), fourth = BUT_THE_FIRST (third);
  guint64       fifth = BUT_THE_FIRST (fourth), sixth = BUT_THE_FIRST (fifth);
  Found         found = { tag + strlen ("<TraceEntry"), 0 };

  if (G_UNLIKELY (sixth == 0))
    return NULL;
  if (G_UNLIKELY (!pass_number (&found, values, THE_FIRST (window, first), THE_FIRST (window, second))
                  || !pass_number (&found, values, THE_FIRST (window, third), THE_FIRST (window, fourth))
                  || !pass_number (&found, values, THE_FIRST (window, fifth), THE_FIRST (window, sixth))
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
static const guint8 *
next_mark (Marks *marks)
{
  const guint8 *next;

  while (marks->bits == 0)
    {
      if (marks->window + 2 * WINDOW > marks->limit)
        return NULL;
      marks->window += WINDOW;
      marks->bits = ts_atf_bytes_find_in_64 (marks->window, marks->mark);
    }
  next = THE_FIRST (marks->window, marks->bits);
  marks->bits = BUT_THE_FIRST (marks->bits);
  return next;
}

static gboolean
is_plain (const guint8 *begin, const guint8 *end)
{
  for (const guint8 *p = begin; p < end; p += TS_ATF_BYTES)
    {
      guint odd = ts_atf_bytes_unprintable (ts_atf_bytes_load (p)) | ts_atf_bytes_find (p, '<') | ts_atf_bytes_find (p, '>')
                  | ts_atf_bytes_find (p, '&');

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

/* FALSE: it is not as it should be. */
static gboolean
pass_attribute (Found *found, Values *values, TsAtfOthers *others, const guint8 *open, const guint8 *close, guint *lines)
{
  const guint8 *begin = pass_blanks (found->at, open, lines), *end = ts_atf_scan_name (begin, open);
  const guint8 *equals = pass_blanks (end, open, lines);
  const Name   *name;

  if (begin == found->at || *equals != '=' || pass_blanks (equals + 1, open, lines) != open)
    return FALSE;
  name = find_name (begin, end);
  if (name != NULL)
    set_value (found, values, name, open, close);
  else if (!ts_atf_others_add (others, begin, end) || !is_plain (open + 1, close))
    return FALSE;
  found->at = close + 1;
  return TRUE;
}

/* NULL: there are more attributes, or it is no end. */
static const guint8 *
find_end (const guint8 *p, const guint8 *limit, guint *lines)
{
  p = pass_blanks (p, limit, lines);
  if (starts_with (p, "/>"))
    return p + strlen ("/>");
  return starts_with (p, "></TraceEntry>") ? p + strlen ("></TraceEntry>") : NULL;
}

/* The end of any other one that has three numbers; NULL: there is none that is taken here. */
static G_GNUC_NO_INLINE const guint8 *
walk_unusual (const guint8 *tag, guint8 mark, Values *values, guint *lines)
{
  Marks       marks = { tag + FIRST_MARK, tag + MAX_ENTRY, 0, mark };
  Found       found = { tag + strlen ("<TraceEntry"), 0 };
  TsAtfOthers others = { .n = 0 };

  marks.bits = ts_atf_bytes_find_in_64 (marks.window, mark);
  for (;;)
    {
      const guint8 *open = next_mark (&marks), *close = open != NULL ? next_mark (&marks) : NULL, *end;
      guint         more = 0;

      if (close == NULL
          || (!pass_number (&found, values, open, close)
              && !pass_attribute (&found, values, &others, open, close, lines)))
        return NULL;
      end = found.seen == ALL_SEEN ? find_end (found.at, marks.limit, &more) : NULL;
      if (end != NULL)
        {
          *lines += more;
          return end;
        }
    }
}

/* What it says */

/* What does not change while entries are taken. */
typedef struct
{
  TsAtfMemos *memos;
  gint64      scale;
  guint64     whole_limit;
  gint64      from;
  guint64     range; /* stamps from there on that need nothing to be said about */
} Known;

static Known
what_is_known (TsAtf *atf)
{
  return (Known){ .memos = &atf->scan.digit_memos,
                  .scale = atf->scale,
                  .whole_limit = (guint64) atf->whole_limit,
                  .from = atf->from,
                  .range = (guint64) atf->to - (guint64) atf->from };
}

/* What is written. */
typedef struct
{
  guint64 ticks;
  guint64 ids[TS_ATF_SCAN_NUMBERS]; /* as eight digits, by the roles; 0: not read */
} Numbers;

/* From the values of digits: one of 0 is known by something else than 0. */
static IN_LINE guint64
id_of (guint64 digits)
{
  return digits + 1;
}

/* FALSE: they are not digits alone, or too many. */
static IN_LINE gboolean
read_numbers (const Values *values, Numbers *numbers)
{
  const guint8 *const *open = values->open, *const *close = values->close;
  gsize                n_time = (gsize) (close[TS_ATF_SCAN_TIME] - open[TS_ATF_SCAN_TIME]) - 1;
  gsize                n_event = (gsize) (close[TS_ATF_SCAN_EVENT] - open[TS_ATF_SCAN_EVENT]) - 1;
  gsize                n_reference = (gsize) (close[TS_ATF_SCAN_REFERENCE] - open[TS_ATF_SCAN_REFERENCE]) - 1;
  TsAtfBytes           zeros = ts_atf_bytes_each ('0'), time, ids;

  /* an empty one becomes a large number here */
  if (G_UNLIKELY (((n_time - 1) | 2 * ((n_event - 1) | (n_reference - 1))) >= TS_ATF_BYTES))
    return FALSE;
  time = ts_atf_bytes_and (ts_atf_bytes_xor (ts_atf_bytes_load (close[TS_ATF_SCAN_TIME] - TS_ATF_BYTES), zeros),
                           ts_atf_bytes_last (n_time));
  ids = ts_atf_bytes_and (ts_atf_bytes_xor (ts_atf_bytes_pair (close[TS_ATF_SCAN_EVENT] - MAX_SHORT_ID,
                                                               close[TS_ATF_SCAN_REFERENCE] - MAX_SHORT_ID),
                                            zeros),
                          ts_atf_bytes_last_of_pair (n_event, n_reference));
  numbers->ticks = ts_atf_bytes_number (time);
  numbers->ids[TS_ATF_SCAN_EVENT] = id_of (ts_atf_bytes_low (ids));
  numbers->ids[TS_ATF_SCAN_REFERENCE] = id_of (ts_atf_bytes_high (ids));
  return ts_atf_bytes_are_zero (ts_atf_bytes_or (ts_atf_bytes_excess (time), ts_atf_bytes_excess (ids)));
}

/* NULL: it is not known. */
static IN_LINE const TsAtfMemo *
recall (TsAtfMemos *memos, guint8 role, guint64 digits)
{
  TsAtfMemo *memo = ts_atf_memos_place (memos, role, digits);

  if (G_LIKELY (memo->bytes == digits))
    return memo;
  memo = ts_atf_memos_beside (memos, role, memo);
  return memo->bytes == digits ? memo : NULL;
}

/* FALSE: it has to be looked at in another way. */
static IN_LINE gboolean
understand (const Known *known, const Values *values, guint64 line, TsEvent *event)
{
  const guint8    *open = values->open[TS_ATF_SCAN_TIME], *close = values->close[TS_ATF_SCAN_TIME];
  const TsAtfMemo *kind, *reference;
  Numbers          numbers;
  gint64           time;

  if (G_UNLIKELY (!read_numbers (values, &numbers)))
    return FALSE;
  kind = recall (known->memos, TS_ATF_SCAN_EVENT, numbers.ids[TS_ATF_SCAN_EVENT]);
  reference = recall (known->memos, TS_ATF_SCAN_REFERENCE, numbers.ids[TS_ATF_SCAN_REFERENCE]);
  time = (gint64) (numbers.ticks * (guint64) known->scale);
  /* a zero in front deserves a word */
  if (G_UNLIKELY (kind == NULL || reference == NULL || numbers.ticks > known->whole_limit
                  || (open[1] == '0' && close - open > 2) || (guint64) time - (guint64) known->from > known->range))
    return FALSE;
  ts_atf_put (event, (TsEventKind) kind->value, time, (guint32) reference->value, reference->resource, line);
  return TRUE;
}

/* For those that come. */
static void
remember (TsAtf *atf, guint8 role, const TsAtfNumber *number, guint64 id)
{
  if (recall (&atf->scan.digit_memos, role, id) == NULL)
    ts_atf_memos_add (&atf->scan.digit_memos, atf, role, number, id, 0);
}

/* What was not understood. Returns the place for the next event; NULL: there are no such numbers. */
static G_GNUC_NO_INLINE TsEvent *
take_otherwise (TsAtf *atf, const Values *values, const TsEvent *event, guint64 line)
{
  TsAtfNumber all[TS_ATF_SCAN_NUMBERS];
  Numbers     numbers;

  for (guint8 i = 0; i < TS_ATF_SCAN_NUMBERS; i++)
    if (!ts_atf_scan_number (values->open[i] + 1, values->close[i], i == TS_ATF_SCAN_TIME, &all[i])
        || all[i].end != values->close[i])
      return NULL;
  if (read_numbers (values, &numbers))
    {
      remember (atf, TS_ATF_SCAN_EVENT, &all[TS_ATF_SCAN_EVENT], numbers.ids[TS_ATF_SCAN_EVENT]);
      remember (atf, TS_ATF_SCAN_REFERENCE, &all[TS_ATF_SCAN_REFERENCE], numbers.ids[TS_ATF_SCAN_REFERENCE]);
    }
  ts_import_commit_up_to (atf->import, event);
  ts_atf_scan_entry (atf, all, line);
  return ts_import_next (atf->import);
}

/* The end of the entry whose tag is at @tag; NULL: there is none that is taken here. */
static IN_LINE const guint8 *
walk_entry (const guint8 *tag, guint8 mark, Values *values, guint *lines)
{
  const guint8 *end;
  guint         more = 0;

  if (G_UNLIKELY (!starts_with (tag, "<TraceEntry")))
    return NULL;
  end = walk_usual (tag, mark, values);
  if (G_UNLIKELY (end == NULL))
    {
      end = walk_unusual (tag, mark, values, &more);
      *lines = more;
    }
  return end;
}

const guint8 *
ts_atf_irregular_scan (TsAtf *atf, const guint8 *p, const guint8 *end, guint n_most, guint64 *line)
{
  const Known  known = what_is_known (atf);
  const guint8 mark = atf->scan.template.mark;
  TsEvent     *event = ts_import_next (atf->import), *full = atf->import->events + TS_BATCH_EVENTS;
  guint64      at_line = *line;
  Values       values;

  for (; n_most > 0 && end - p >= REACH; n_most--)
    {
      guint         lines_before = 0, lines = 0;
      const guint8 *tag = pass_blanks (p, p + MAX_ENTRY, &lines_before), *next = walk_entry (tag, mark, &values, &lines);

      if (G_UNLIKELY (next == NULL))
        break;
      at_line += lines_before;
      if (G_LIKELY (understand (&known, &values, at_line, event)))
        event++;
      else
        {
          TsEvent *other = take_otherwise (atf, &values, event, at_line);

          if (other == NULL)
            {
              at_line -= lines_before;
              break;
            }
          event = other;
          if (atf->error != NULL)
            n_most = 1;
        }
      if (G_UNLIKELY (event == full))
        event = ts_import_commit_up_to (atf->import, event);
      at_line += lines;
      p = next;
    }
  ts_import_commit_up_to (atf->import, event);
  *line = at_line;
  return p;
}
