/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf-lexicon.h"
#include "import/btf-sight.h"

/* What lines of the same texts were found to mean, as long as these are few and not too long; then each text is
 * known apart (btf-lexicon.c). */

#define MAX_PATTERNS 16384
/* So many for each target are too many, if there are more than some, or if of all lines so far only one in so many was like one
 * before: any target may have any source then. Fewer than the least do not tell: in the beginning each line is a new one. */
#define MANY_OF_TARGET 4
#define LEAST_PATTERNS 1024
/* Of so many targets there will be too many, as each has two at least: to learn them only to forget them takes a good
 * part of a short trace. */
#define MANY_TARGETS (MAX_PATTERNS / 2)
#define SOME_PATTERNS 4096
#define SELDOM 3

#define SIXTEEN(byte) \
  byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte

const guint8 ts_btf_masks[TS_BTF_MAX_FRONT + TS_BTF_MAX_TEXT] = {
  SIXTEEN (0),    SIXTEEN (0),    SIXTEEN (0),    SIXTEEN (0),    SIXTEEN (0xff), SIXTEEN (0xff),
  SIXTEEN (0xff), SIXTEEN (0xff), SIXTEEN (0xff), SIXTEEN (0xff), SIXTEEN (0xff), SIXTEEN (0xff),
  SIXTEEN (0xff), SIXTEEN (0xff), SIXTEEN (0xff), SIXTEEN (0xff), SIXTEEN (0xff), SIXTEEN (0xff),
  SIXTEEN (0xff), SIXTEEN (0xff),
};

#undef SIXTEEN

#ifdef __SSE2__
const __m128i ts_btf_tens = { TS_BTF_TENS, TS_BTF_TENS }, ts_btf_zeros = { TS_EACH_BYTE ('0'), TS_EACH_BYTE ('0') };
#endif

static TsBtfText
event_of (const TsBtfSight *sight)
{
  const TsBtfMarks *at = &sight->at;

  return (TsBtfText){ sight->p + at->instance, at->event + 1 - at->instance };
}

const char *
ts_btf_keep_text (TsBtfScan *scan, TsBtfText text)
{
  g_autoptr (GString) all = g_string_new (NULL);

  g_string_append_c (all, (char) text.length);
  g_string_append_len (all, text.begin, (gssize) text.length);
  return g_string_chunk_insert_len (scan->bytes, all->str, (gssize) all->len);
}

gboolean
ts_btf_is_kept_event (const TsBtfScan *scan, const TsBtfSpots *spots, const char *event_end)
{
  const TsBtfKept *kept = scan->lexicon != NULL ? ts_btf_index_kept (&scan->lexicon->events, spots->event)
                                                : ts_btf_index_kept (&scan->patterns, spots->target);
  const gsize      length = (guint8) *kept->text;

  return memcmp (event_end + 1 - length, kept->text + 1, length) == 0;
}

TsBtfScan *
ts_btf_scan_new (void)
{
  TsBtfScan *scan = g_new0 (TsBtfScan, 1);

  ts_btf_index_init (&scan->patterns, sizeof (TsBtfPattern), 4, TS_BTF_N_OWN);
  scan->bytes = g_string_chunk_new (4096);
  return scan;
}

void
ts_btf_scan_free (TsBtfScan *scan)
{
  if (scan == NULL)
    return;
  ts_btf_index_clear (&scan->patterns);
  g_free (scan->widths_memory);
  ts_btf_lexicon_free (scan->lexicon);
  g_string_chunk_free (scan->bytes);
  g_free (scan);
}

void
ts_btf_scan_forget (TsBtfScan *scan)
{
  if (scan == NULL)
    return;
  ts_btf_index_forget (&scan->patterns);
  g_string_chunk_clear (scan->bytes);
  g_clear_pointer (&scan->lexicon, ts_btf_lexicon_free);
}

/* Finds out what it does, with @flags of its texts. */
static void
set_effect (TsBtf *btf, TsBtfPattern *pattern, const TsBtfTexts *texts, guint32 flags)
{
  TsBtfEffect *effect = &pattern->effect;

  *effect = ts_btf_find_effect (btf, texts, (flags & TS_BTF_HAS_NOTE) != 0);
  effect->flags |= flags;
  if ((flags & TS_BTF_HAS_LONG_EVENT) != 0)
    effect->way |= TS_BTF_LONG_EVENT;
  btf->scan->has_owners |= ts_btf_is_of_runnable (&effect->act);
}

void
ts_btf_renew_effect (TsBtf *btf, TsBtfPattern *pattern)
{
  btf->scan->n_renewed++;
  set_effect (btf, pattern, &ts_btf_kept_of (btf->scan, pattern)->texts, pattern->effect.flags & TS_BTF_TEXT_FLAGS);
}

const TsBtfPattern *
ts_btf_find_ends (const TsBtfScan *scan, guint32 *place, const TsBtfEnds *ends)
{
  for (; *place > 0; *place = ts_btf_index_kept (&scan->patterns, *place)->next)
    if (ts_btf_same_ends (&ts_btf_pattern_at (scan, *place)->ends, ends, TS_BTF_WIDE))
      return ts_btf_pattern_at (scan, *place);
  return NULL;
}

TsBtfPattern *
ts_btf_find_pattern (TsBtf *btf, TsBtfSight *sight)
{
  const TsBtfScan *scan = btf->scan;
  TsBtfPattern    *pattern;

  if (scan->lexicon == NULL)
    pattern = (TsBtfPattern *) ts_btf_find_ends (scan, &sight->spots.target, &sight->pieces.ends);
  else
    pattern = ts_btf_lexicon_find (btf, &sight->pieces, &sight->spots) ? ts_btf_lexicon_compose (btf, &sight->spots)
                                                                       : NULL;
  if (pattern != NULL && (pattern->effect.flags & TS_BTF_HAS_LONG_EVENT) != 0
      && !ts_btf_is_kept_event (scan, &sight->spots, sight->event_end))
    return NULL;
  return pattern;
}

/* So many blanks behind each comma are part of its text; more make it too long. */
#define MOST_BLANKS 4

static gsize
n_blanks_behind (const char *comma)
{
  gsize n = 0;

  while (n < MOST_BLANKS && comma[1 + n] == ' ')
    n++;
  return n;
}

/* How many blanks are behind the event of a line, or before the note behind it. */
static gsize
n_blanks_at_end (const TsBtfLine *line)
{
  const char *end = line->n_commas == TS_BTF_FIELDS ? line->commas[TS_BTF_FIELDS - 1] : line->end;
  gsize       n = 0;

  while (ts_btf_is_blank (end[-1 - (gssize) n]))
    n++;
  return n;
}

/* Whether @n blanks are behind each comma, none in front of it or of the line, and @n_at_end behind the event. */
static gboolean
has_blanks (const TsBtfLine *line, gsize n, gsize n_at_end)
{
  if (ts_btf_is_blank (*line->begin) || n_blanks_at_end (line) != n_at_end)
    return FALSE;
  for (guint i = 0; i < TS_BTF_FIELDS - 1; i++)
    {
      const char *comma = line->commas[i];

      if (ts_btf_is_blank (comma[-1]) || n_blanks_behind (comma) != n || ts_btf_is_blank (comma[1 + n]))
        return FALSE;
    }
  return TRUE;
}

/* Lines are mostly laid out like the first one, or else no two of them are. */
static void
learn_layout (const TsBtf *btf, const TsBtfLine *line)
{
  TsBtfScan *scan = btf->scan;

  if (!scan->has_layout)
    {
      scan->blank = n_blanks_behind (line->commas[0]);
      scan->n_at_end = n_blanks_at_end (line);
    }
  scan->has_layout = TRUE;
  if (scan->squeezes
      || (has_blanks (line, scan->blank, scan->n_at_end) && !ts_btf_are_many_empty (btf, scan->n_nearly_empty)))
    return;
  scan->squeezes = TRUE;
  scan->blank = 0;
  ts_btf_scan_forget (scan);
}

/* Where the texts of a line are that took the long way. */
static void
see_again (const TsBtfScan *scan, const TsBtfLine *line, const char *next, TsBtfSight *sight)
{
  const char *const *commas = line->commas, *p = commas[0];
  const char        *end = line->n_commas == TS_BTF_FIELDS ? commas[TS_BTF_FIELDS - 1] : next - 1;

  sight->p = p;
  sight->at = (TsBtfMarks){ (gsize) (commas[1] - p) + scan->blank, (gsize) (commas[2] - p),
                            (gsize) (commas[4] - p) + scan->blank, (gsize) (commas[5] - p), (gsize) (end - p) };
  sight->event_end = end;
}

static TsBtfText
kept_event (const TsBtfKept *kept)
{
  if ((kept->flags & TS_BTF_HAS_LONG_EVENT) == 0)
    return (TsBtfText){ NULL, 0 };
  return (TsBtfText){ kept->text + 1, (guint8) *kept->text };
}

void
ts_btf_scan_split (TsBtf *btf)
{
  TsBtfScan *scan = btf->scan;

  if (scan->lexicon != NULL)
    return;
  scan->lexicon = ts_btf_lexicon_new ();
  for (guint i = scan->patterns.n_own; i < scan->patterns.n; i++)
    {
      const TsBtfPieces pieces = { .ends = ts_btf_pattern_at (scan, i * sizeof (TsBtfPattern))->ends };
      const TsBtfKept  *kept = &scan->patterns.kept[i];

      ts_btf_lexicon_learn (btf, &pieces, &kept->texts, kept->flags, kept_event (kept));
    }
  ts_btf_index_forget (&scan->patterns);
}

static gboolean
has_too_many (const TsBtf *btf)
{
  const guint n = btf->scan->patterns.n;

  if (n > TS_BTF_FEW_PATTERNS && btf->entities->len > MANY_TARGETS)
    return TRUE;
  if (n <= LEAST_PATTERNS || n <= MANY_OF_TARGET * btf->entities->len)
    return n >= MAX_PATTERNS;
  return n > SOME_PATTERNS || n > btf->n_events - btf->n_events / SELDOM;
}

static void
learn_pattern (TsBtf *btf, const TsBtfSight *sight, const TsBtfTexts *texts, guint32 flags)
{
  TsBtfIndex   *index = &btf->scan->patterns;
  const guint64 hash = ts_btf_hash_ends (&sight->pieces.ends, TS_BTF_WIDE);
  TsBtfPattern *pattern;

  if (!ts_btf_index_has_room (index, hash, MAX_PATTERNS))
    return;
  pattern = ts_btf_index_add (index, hash, texts, flags);
  if ((flags & TS_BTF_HAS_LONG_EVENT) != 0)
    index->kept[index->n - 1].text = ts_btf_keep_text (btf->scan, event_of (sight));
  pattern->ends = sight->pieces.ends;
  set_effect (btf, pattern, texts, flags);
}

void
ts_btf_scan_learn (TsBtf *btf, const TsBtfLine *line, const char *next)
{
  TsBtfScan         *scan = btf->scan;
  const TsBtfRecord *record = &btf->last;
  TsBtfSight         sight = { .p = NULL };
  guint32            flags = line->n_commas == TS_BTF_FIELDS ? TS_BTF_HAS_NOTE : 0;

  /* what shares a number with others is told apart by nobody, and a target that was deleted may come again as what it is */
  if (scan == NULL || !scan->is_missing || record->type == TS_BTF_OTHER || record->word == TS_BTF_OTHER
      || record->type == TS_BTF_TYPE_DELETED)
    return;
  learn_layout (btf, line);
  /* as it will be from now on; what had very many has some left */
  if (scan->squeezes && !has_blanks (line, 0, 0))
    return;
  see_again (scan, line, next, &sight);
  /* such a line takes the long way each time */
  if (sight.at.event >= TS_BTF_MAX_WIDTH)
    return;
  scan->has_fronts |= ts_btf_has_fronts (&sight.at);
  if (scan->has_fronts || has_too_many (btf))
    ts_btf_scan_split (btf);
  ts_btf_place_line (scan, &sight);
  if (ts_btf_has_long_event (&sight))
    flags |= TS_BTF_HAS_LONG_EVENT;
  /* the scan may have taken a short time for part of a text */
  if (ts_btf_find_pattern (btf, &sight) != NULL)
    return;
  if (scan->lexicon != NULL)
    ts_btf_lexicon_learn (btf, &sight.pieces, &record->known, flags, event_of (&sight));
  else
    learn_pattern (btf, &sight, &record->known, flags);
}
