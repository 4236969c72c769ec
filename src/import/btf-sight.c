/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf-sight.h"

/* Lines that are not looked at in place: those that are long, and those with blanks beside their commas. */

/* Long lines */

TsBtfLongLine
ts_btf_see_long_line (const char *p, const char *end)
{
  TsBtfLongLine line = { 0, NULL };
  gsize         marks[TS_BTF_FIELDS], from = 0;
  guint64       found;
  const char   *newline;

  if (end - p < TS_BTF_MAX_WIDTH || *p != ',')
    return line;
  found = ts_marks_find (p, ',', '\n');
  for (guint i = 0; i < TS_BTF_FIELDS; i++)
    {
      while (found == 0)
        {
          from += TS_MARKS_BLOCK;
          if (from == TS_BTF_MAX_WIDTH)
            return line;
          found = ts_marks_find (p + from, ',', '\n');
        }
      marks[i] = from + ts_marks_first (found);
      found = ts_marks_but_first (found);
    }
  newline = p + marks[TS_BTF_FIELDS - 1];
  if (*newline != '\n')
    newline = memchr (newline, '\n', (gsize) MIN (end - newline, TS_BTF_MAX_NOTE));
  line.marks = ts_btf_pack_marks (&(TsBtfMarks){ marks[1], marks[2], marks[4], marks[5], marks[6], 0 });
  line.next = newline != NULL ? newline + 1 : NULL;
  return line;
}

/* Lines with blanks, which may be other ones each time. Most of them are read in place, see btf-glance.h; any other
 * one, and the first of each kind, is copied without blanks, and read from the copy. */

#define MAX_FIELD 16 /* of numbers and types, with what ends them */
#define MAX_NAME (2 * TS_BTF_END)
#define MAX_WIDE_NAME TS_MARKS_BLOCK
/* Bytes that are looked at or copied from the end of the time on, where marks are in one block, or in two. */
#define MAX_NEAR (TS_MARKS_BLOCK + MAX_NAME)
#define MAX_SEEN (2 * TS_MARKS_BLOCK + MAX_WIDE_NAME)

/* Where fields of a line begin and end in a block, with the blanks in front of their ends: the first mark of each is that
 * of the first field. */
typedef struct
{
  guint64 newlines, blanks, begins, ends;
} Marks;

static TS_ALWAYS_INLINE Marks
marks_in (const char *p)
{
  const guint64 newlines = ts_marks_find (p, '\n', '\n'), returns = ts_marks_find (p, '\r', '\r');
  /* a line may end with two bytes */
  const guint64 blanks = ts_marks_find (p, ' ', '\t') | (returns & newlines >> 1);
  const guint64 commas = ts_marks_find (p, ',', ',') & (newlines ^ (newlines - 1));
  /* what is added up behind a comma goes on through all blanks */
  const guint64 sum = (commas << 1 & blanks) + blanks;

  return (Marks){ newlines, blanks, (sum | commas << 1) & ~blanks, commas };
}

static TS_ALWAYS_INLINE void
drop_field (Marks *marks)
{
  marks->begins = ts_marks_but_first (marks->begins);
  marks->ends = ts_marks_but_first (marks->ends);
}

/* Copies the first field and what ends it to @at, always @width bytes, as no processor foresees how long it is. Returns
 * where its end is; what is longer makes @too_long at least @width, a power of two. */
static TS_ALWAYS_INLINE gsize
copy_field (char *to, gsize at, const char *p, Marks *marks, gsize width, gsize *too_long)
{
  const gsize   begin = ts_marks_first (marks->begins), mark = ts_marks_first (marks->ends);
  /* the comma in front of it is no blank */
  const guint64 others = ~marks->blanks & (((guint64) 1 << mark) - 1);
  const gsize   length = MAX (ts_marks_last (others) + 1, begin) - begin;

  memcpy (to + at, p + begin, width);
  to[at + (length & (width - 1))] = p[mark];
  *too_long |= length;
  drop_field (marks);
  return at + length;
}

/* A line all of whose marks are in the block at @p; @is_wide: or in that and another one behind the number of the
 * source. FALSE: it is not so simple. */
static TS_ALWAYS_INLINE gboolean
squeeze_blocks (const char *p, char *to, TsBtfSight *sight, gboolean is_wide)
{
  const gsize name = is_wide ? MAX_WIDE_NAME : MAX_NAME;
  gsize       long_name = 0, long_field = 0, at;
  Marks       marks = marks_in (p);

  marks.ends = ts_marks_but_first (marks.ends);
  if (ts_marks_but_first (marks.ends) == 0)
    return FALSE;
  sight->at.source = copy_field (to, 1, p, &marks, name, &long_name);
  at = ts_marks_first (marks.ends);
  sight->at.source_instance = copy_field (to, sight->at.source + 1, p, &marks, MAX_FIELD, &long_field);
  if (is_wide)
    {
      p += at;
      marks = marks_in (p);
      marks.ends = ts_marks_but_first (marks.ends);
    }
  if (marks.newlines == 0 || ts_marks_but_first (ts_marks_but_first (marks.ends)) == 0)
    return FALSE;
  marks.ends |= marks.newlines;
  sight->at.type = copy_field (to, sight->at.source_instance + 1, p, &marks, MAX_FIELD, &long_field);
  sight->at.target = copy_field (to, sight->at.type + 1, p, &marks, name, &long_name);
  sight->at.instance = copy_field (to, sight->at.target + 1, p, &marks, MAX_FIELD, &long_field);
  sight->event_end = p + ts_marks_first (marks.ends);
  sight->at.event = copy_field (to, sight->at.instance + 1, p, &marks, name, &long_name);
  sight->next = p + ts_marks_first (marks.newlines) + 1;
  return long_name < name && long_field < MAX_FIELD;
}

/* Where there is room for @text and what ends it. FALSE: there is none. */
static gboolean
append (char *to, gsize *at, const char *text, gsize length, char end)
{
  if (length >= TS_BTF_MAX_WIDTH - *at)
    return FALSE;
  memcpy (to + *at, text, length);
  to[*at + length] = end;
  *at += length + 1;
  return TRUE;
}

gboolean
ts_btf_squeeze_line (const TsBtfLine *line, char *room, TsBtfSight *sight)
{
  gsize     ends[TS_BTF_FIELDS], n = 1;
  TsBtfText text;
  char     *to = room + TS_BTF_SQUEEZED_BEGIN;

  if (line->n_commas < TS_BTF_FIELDS - 1)
    return FALSE;
  memset (room, 0, TS_BTF_SQUEEZED_BEGIN);
  to[0] = ',';
  for (guint i = 1; i < TS_BTF_FIELDS; i++)
    {
      gboolean is_last = i == TS_BTF_FIELDS - 1 && line->n_commas == i;

      text = ts_btf_field (line, i);
      if (!append (to, &n, text.begin, text.length, is_last ? '\n' : ','))
        return FALSE;
      ends[i] = n - 1;
    }
  sight->p = to;
  sight->at = (TsBtfMarks){ ends[1], ends[2], ends[4], ends[5], ends[6], ends[3] };
  return TRUE;
}

/* @comma is behind the time. */
static gboolean G_GNUC_NO_INLINE
squeeze_any (const char *begin, const char *comma, const char *end, char *room, TsBtfSight *sight)
{
  TsBtfLine   line;
  const char *next = ts_btf_split (begin, begin + MIN (end - begin, TS_BTF_MAX_NOTE), &line);

  if (next == NULL || line.n_commas < TS_BTF_FIELDS - 1 || line.commas[0] != comma)
    return FALSE;
  sight->next = next;
  sight->event_end = line.n_commas == TS_BTF_FIELDS ? line.commas[TS_BTF_FIELDS - 1] : next - 1;
  return ts_btf_squeeze_line (&line, room, sight);
}

gboolean
ts_btf_squeeze (TsBtfScan *scan, const char *begin, const char *end, char *room, TsBtfSight *sight)
{
  const char *p = ts_btf_skip_blanks (begin, end);
  char       *to = room + TS_BTF_SQUEEZED_BEGIN;

  if (end - p < TS_BTF_MAX_DIGITS)
    return FALSE;
  sight->time = p + scan->n_time;
  sight->p = to;
  p = ts_btf_skip_blanks (sight->time, end);
  if (end - p < MAX_NEAR || *p != ',')
    return FALSE;
  to[0] = ',';
  if (scan->n_wide < TS_BTF_MANY_WIDE && squeeze_blocks (p, to, sight, FALSE))
    return TRUE;
  if (end - p >= MAX_SEEN && squeeze_blocks (p, to, sight, TRUE))
    {
      scan->n_wide += scan->n_wide < TS_BTF_MANY_WIDE;
      return TRUE;
    }
  return squeeze_any (begin, p, end, room, sight);
}
