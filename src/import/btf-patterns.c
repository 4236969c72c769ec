/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf-scan.h"

/* A hash table of the texts of lines, with what they were found to mean. */

#define FIRST_PLACES 512
#define MAX_PLACES 65536 /* up to here only a quarter of them is taken */
#define MAX_PATTERNS (MAX_PLACES / 2) /* what would be more is not learnt */

#define SIXTEEN(byte) \
  byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte

const guint8 ts_btf_masks[32 + TS_BTF_MAX_TEXT] = {
  SIXTEEN (0),    SIXTEEN (0),    SIXTEEN (0xff), SIXTEEN (0xff), SIXTEEN (0xff), SIXTEEN (0xff),
  SIXTEEN (0xff), SIXTEEN (0xff), SIXTEEN (0xff), SIXTEEN (0xff), SIXTEEN (0xff), SIXTEEN (0xff),
};

#undef SIXTEEN

#ifdef __SSE2__
const __m128i ts_btf_tens = { TS_BTF_TENS, TS_BTF_TENS }, ts_btf_zeros = { TS_EACH_BYTE ('0'), TS_EACH_BYTE ('0') };
#endif

static gsize
index_of (gsize place)
{
  return place / sizeof (TsBtfPattern);
}

static gsize
next_place (const TsBtfScan *scan, gsize place)
{
  return (place + sizeof (TsBtfPattern)) & scan->mask;
}

/* What is in front of the end of a text. */
static gboolean
has_beginning (const char *kept, const char *text, gsize length)
{
  return length <= TS_BTF_END || ts_btf_equal (kept, text, length - TS_BTF_END);
}

gboolean
ts_btf_has_very_long_texts (const TsBtfScan *scan, const TsBtfPattern *pattern, const char *p, TsBtfPackedMarks marks)
{
  const TsBtfMarks at = ts_btf_unpack_marks (marks);
  const char      *kept = scan->kept[index_of ((gsize) ((const char *) pattern - scan->patterns))].text;
  gsize            source = at.source + 1, target = at.target + 1 - at.source_instance;
  gsize            event = at.event + 1 - at.instance;

  if ((guint8) kept[TS_BTF_SOURCE] != source || (guint8) kept[TS_BTF_TARGET] != target
      || (guint8) kept[TS_BTF_EVENT] != event)
    return FALSE;
  kept += TS_BTF_N_TEXTS;
  return has_beginning (kept, p, source) && has_beginning (kept + source, p + at.source_instance, target)
         && has_beginning (kept + source + target, p + at.instance, event);
}

TsBtfPattern *
ts_btf_find_pattern (const TsBtfScan *scan, gsize place, const char *p, TsBtfPackedMarks marks)
{
  const TsBtfMarks at = ts_btf_unpack_marks (marks);
  const TsBtfEnds  ends = ts_btf_ends (p, &at);
  TsBtfPattern    *pattern;

  for (; (pattern = ts_btf_pattern_at (scan, place))->texts.flags != 0; place = next_place (scan, place))
    if (ts_btf_same_ends (&pattern->ends, &ends)
        && (!ts_btf_is_long (pattern) || ts_btf_has_beginnings (scan, pattern, p, &at)))
      return pattern;
  return NULL;
}

static void
make_room (TsBtfScan *scan, gsize n)
{
  scan->memory = g_malloc0 (n * sizeof (TsBtfPattern) + TS_BTF_CACHE_LINE);
  scan->patterns = (char *) (((gsize) scan->memory + TS_BTF_CACHE_LINE - 1) / TS_BTF_CACHE_LINE * TS_BTF_CACHE_LINE);
  scan->kept = g_new0 (TsBtfKept, n);
  scan->mask = (n - 1) * sizeof (TsBtfPattern);
  scan->n = 0;
}

static void
put (TsBtfScan *scan, const TsBtfPattern *pattern, TsBtfKept kept)
{
  gsize place = ts_btf_place_of_hash (scan, kept.hash);

  while (ts_btf_pattern_at (scan, place)->texts.flags != 0)
    place = next_place (scan, place);
  *ts_btf_pattern_at (scan, place) = *pattern;
  scan->kept[index_of (place)] = kept;
  scan->n++;
}

static void
grow (TsBtfScan *scan)
{
  gpointer            memory = scan->memory;
  TsBtfKept          *kept = scan->kept;
  const TsBtfPattern *patterns = (const TsBtfPattern *) (gconstpointer) scan->patterns;
  gsize               n = index_of (scan->mask) + 1;

  make_room (scan, 2 * n);
  for (gsize i = 0; i < n; i++)
    if (patterns[i].texts.flags != 0)
      put (scan, &patterns[i], kept[i]);
  g_free (memory);
  g_free (kept);
}

TsBtfScan *
ts_btf_scan_new (void)
{
  TsBtfScan *scan = g_new0 (TsBtfScan, 1);

  make_room (scan, FIRST_PLACES);
  scan->bytes = g_string_chunk_new (4096);
  return scan;
}

void
ts_btf_scan_free (TsBtfScan *scan)
{
  if (scan == NULL)
    return;
  g_free (scan->memory);
  g_free (scan->kept);
  g_string_chunk_free (scan->bytes);
  g_free (scan);
}

void
ts_btf_scan_forget (TsBtfScan *scan)
{
  if (scan == NULL || scan->n == 0)
    return;
  memset (scan->patterns, 0, scan->mask + sizeof (TsBtfPattern));
  g_string_chunk_clear (scan->bytes);
  scan->n = 0;
}

/* Where the texts of a line are that took the long way, and that ends before @end. */
static TsBtfMarks
marks_of (const TsBtfLine *line, const char *end)
{
  const char *const *commas = line->commas, *p = commas[0];

  return (TsBtfMarks){ (gsize) (commas[1] - p), (gsize) (commas[2] - p), (gsize) (commas[4] - p),
                       (gsize) (commas[5] - p), (gsize) (end - p) };
}

static const char *
keep_texts (TsBtfScan *scan, const char *p, const TsBtfMarks *at)
{
  gssize             source = (gssize) at->source + 1, target = (gssize) (at->target + 1 - at->source_instance);
  gssize             event = (gssize) (at->event + 1 - at->instance);
  g_autoptr (GString) all = g_string_new (NULL);

  g_string_append_c (all, (char) source);
  g_string_append_c (all, (char) target);
  g_string_append_c (all, (char) event);
  g_string_append_len (all, p, source);
  g_string_append_len (all, p + at->source_instance, target);
  g_string_append_len (all, p + at->instance, event);
  return g_string_chunk_insert_len (scan->bytes, all->str, (gssize) all->len);
}

void
ts_btf_set_effect (const TsBtf *btf, TsBtfPattern *pattern)
{
  pattern->effect = ts_btf_effect (btf, &pattern->texts, (pattern->texts.flags & TS_BTF_HAS_NOTE) != 0);
  if (ts_btf_is_long (pattern))
    pattern->effect.way |= TS_BTF_LONG_WAY;
}

void
ts_btf_scan_learn (TsBtf *btf, const TsBtfLine *line, const char *next)
{
  TsBtfScan         *scan = btf->scan;
  const TsBtfRecord *record = &btf->last;
  gboolean           has_note = line->n_commas == TS_BTF_FIELDS;
  const char        *p = line->commas[0];
  TsBtfMarks         at;
  TsBtfPattern       pattern = { .unused = { 0 } };
  TsBtfKept          kept = { 0, NULL };
  gsize              source, target, event;

  if (scan == NULL || !scan->is_missing || record->type >= TS_BTF_N_TYPES || record->word >= TS_BTF_N_WORDS)
    return;
  if (scan->n > index_of (scan->mask) / 4 && index_of (scan->mask) < MAX_PLACES - 1)
    grow (scan);
  if (scan->n > MAX_PATTERNS)
    return;
  at = marks_of (line, has_note ? line->commas[TS_BTF_FIELDS - 1] : next - 1);
  pattern.ends = ts_btf_ends (p, &at);
  kept.hash = ts_btf_hash_line (&pattern.ends, p, &at);
  /* the scan may have taken a short time for part of a text */
  if (ts_btf_find_pattern (scan, ts_btf_place_of_hash (scan, kept.hash), p, ts_btf_pack_marks (&at)) != NULL)
    return;
  source = at.source + 1;
  target = at.target + 1 - at.source_instance;
  event = at.event + 1 - at.instance;
  pattern.before_target = ts_btf_before_end (p + at.target + 1, target);
  pattern.texts = record->known;
  pattern.texts.source_length = (guint8) source;
  pattern.texts.flags = has_note ? TS_BTF_TAKEN | TS_BTF_HAS_NOTE : TS_BTF_TAKEN;
  if (target > TS_BTF_END)
    pattern.texts.flags |= TS_BTF_LONG;
  if (source > TS_BTF_END || target > 2 * TS_BTF_END || event > TS_BTF_END)
    {
      pattern.texts.flags |= TS_BTF_VERY_LONG;
      kept.text = keep_texts (scan, p, &at);
    }
  ts_btf_set_effect (btf, &pattern);
  put (scan, &pattern, kept);
}
