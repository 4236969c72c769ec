/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/marks.h"
#include "import/btf-lexicon.h"

G_BEGIN_DECLS

/* What a line looks like: where its fields end, and where its pattern may be. */

/* A line whose marks are not all in one block: where these are, a byte each, and the next line, or NULL. */
typedef struct
{
  TsBtfPackedMarks marks;
  const char      *next;
} TsBtfLongLine;

/* Whatever is so long, block by block. */
TsBtfLongLine ts_btf_see_long_line (const char *p, const char *end);

/* Finds out what its texts are, and where they may be known. */
static TS_ALWAYS_INLINE void
ts_btf_place_line (const TsBtfScan *scan, TsBtfSight *sight)
{
  const TsBtfLexicon *lexicon = scan->lexicon;
  TsBtfPieces        *pieces = &sight->pieces;
  TsBtfHashes         hashes;

  pieces->ends = ts_btf_ends (sight->p, &sight->at, TRUE);
  if (lexicon == NULL)
    sight->spots.target = ts_btf_has_fronts (&sight->at)
                              ? TS_BTF_LIKE_NONE
                              : ts_btf_index_place (&scan->patterns, ts_btf_hash_ends (&pieces->ends, TS_BTF_WIDE));
  else
    {
      pieces->fronts = ts_btf_fronts (sight->p, &sight->at);
      pieces->source = ts_btf_source_text (sight->p, &sight->at);
      pieces->target = ts_btf_target_text (sight->p, &sight->at);
      hashes = ts_btf_hashes_of (pieces, TS_BTF_LONGEST, TRUE);
      sight->spots = ts_btf_spots_of (lexicon, &hashes);
    }
}

/* The last marks of a line: those of the block at @p that begin with @instance, which are @from the end of the time.
 * FALSE: not all of them are here. */
static TS_ALWAYS_INLINE gboolean
ts_btf_see_end (const char *p, gsize from, guint64 instance, TsBtfSight *sight)
{
  const guint64 event = ts_marks_but_first (instance), behind = ts_marks_but_first (event);

  sight->at.instance = from + ts_marks_first (instance);
  sight->at.event = from + ts_marks_first (event);
  sight->next = p + ts_marks_first (event) + 1;
  if (G_LIKELY (sight->next[-1] == '\n'))
    return TRUE;
  if (behind == 0)
    return FALSE;
  /* a short note, or a line that ends with two bytes */
  sight->next = p + ts_marks_first (behind) + 1;
  sight->next += sight->next[-1] == '\r';
  return sight->next[-1] == '\n' && (p[ts_marks_first (event)] == ',' || sight->next == p + ts_marks_first (event) + 2);
}

/* A line whose marks are in one block. */
static TS_ALWAYS_INLINE gboolean
ts_btf_see_short_line (const char *p, TsBtfSight *sight)
{
  const guint64 time = ts_marks_find (p, ',', '\n'), source = ts_marks_but_first (time);
  const guint64 source_instance = ts_marks_but_first (source), type = ts_marks_but_first (source_instance);
  const guint64 target = ts_marks_but_first (type), instance = ts_marks_but_first (target);

  if (G_UNLIKELY ((time & 1) == 0) || G_UNLIKELY (ts_marks_but_first (instance) == 0))
    return FALSE;
  sight->at.source = ts_marks_first (source);
  sight->at.source_instance = ts_marks_first (source_instance);
  sight->at.target = ts_marks_first (target);
  return ts_btf_see_end (p, 0, instance, sight);
}

/* A line that ends in one of two blocks, and whose marks are in two as well: the second one begins with the end of the
 * number of the source. Its end is found by itself, so that the next line need not wait for marks. FALSE: it is not
 * such a line. */
static TS_ALWAYS_INLINE gboolean
ts_btf_see_wide_line (const char *p, const char *end, TsBtfSight *sight)
{
  guint64 newline, more, source, source_instance, target, instance, event;
  gsize   from;

  if (G_UNLIKELY (end - p < 2 * TS_MARKS_BLOCK))
    return FALSE;
  newline = ts_marks_find (p, '\n', '\n');
  more = ts_marks_find (p + TS_MARKS_BLOCK, '\n', '\n');
  source = ts_marks_but_first (ts_marks_find (p, ',', '\n'));
  source_instance = ts_marks_but_first (source);
  if (G_UNLIKELY (*p != ',') || G_UNLIKELY ((newline | more) == 0) || G_UNLIKELY (source_instance == 0))
    return FALSE;
  sight->next = p + (newline != 0 ? ts_marks_first (newline) : TS_MARKS_BLOCK + ts_marks_first (more)) + 1;
  from = ts_marks_first (source_instance);
  target = ts_marks_but_first (ts_marks_but_first (ts_marks_find (p + from, ',', '\n')));
  instance = ts_marks_but_first (target);
  event = ts_marks_but_first (instance);
  if (G_UNLIKELY (event == 0))
    return FALSE;
  sight->at = (TsBtfMarks){ ts_marks_first (source), from, from + ts_marks_first (target),
                            from + ts_marks_first (instance), from + ts_marks_first (event) };
  return TRUE;
}

/* Finds the marks of a line, which begins where its time is as long as the one before. Whether it really is one of
 * events turns out when its texts are compared. */
static TS_ALWAYS_INLINE gboolean
ts_btf_see_line (TsBtfScan *scan, const char *begin, const char *end, TsBtfSight *sight)
{
  const char *p = begin + scan->n_time;

  sight->time = sight->p = p;
  if (!(scan->n_wide < TS_BTF_MANY_WIDE ? ts_btf_see_short_line (p, sight) : ts_btf_see_wide_line (p, end, sight)))
    {
      TsBtfLongLine line = ts_btf_see_long_line (p, end);

      if (line.next == NULL)
        return FALSE;
      scan->n_wide += scan->n_wide < TS_BTF_MANY_WIDE;
      sight->at = ts_btf_unpack_marks (line.marks);
      sight->next = line.next;
    }
  sight->event_end = p + sight->at.event;
  sight->at.source += scan->blank;
  sight->at.target += scan->blank;
  ts_btf_place_line (scan, sight);
  return TRUE;
}

G_END_DECLS
