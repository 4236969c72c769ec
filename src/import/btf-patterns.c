/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf-halves.h"

/* A hash table of the texts of lines, with what they were found to mean. */

#define FIRST_ROOM 128
#define FIRST_PLACES 2048
#define MAX_PATTERNS 131072 /* beyond, halves of texts are known */
/* So many places for each pattern that there is room for: few share one. */
#define PLACES_OF_ONE 2
/* So many have the same place before another one is not learnt: texts that were made to hash alike would be looked for
 * longer than the rules take. */
#define MAX_OF_PLACE 64

#define SIXTEEN(byte) \
  byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte

const guint8 ts_btf_masks[TS_BTF_MAX_FRONT + TS_BTF_MAX_TEXT] = {
  SIXTEEN (0),    SIXTEEN (0),    SIXTEEN (0),    SIXTEEN (0),    SIXTEEN (0xff), SIXTEEN (0xff),
  SIXTEEN (0xff), SIXTEEN (0xff), SIXTEEN (0xff), SIXTEEN (0xff), SIXTEEN (0xff), SIXTEEN (0xff),
  SIXTEEN (0xff), SIXTEEN (0xff), SIXTEEN (0xff), SIXTEEN (0xff),
};

#undef SIXTEEN

#ifdef __SSE2__
const __m128i ts_btf_tens = { TS_BTF_TENS, TS_BTF_TENS }, ts_btf_zeros = { TS_EACH_BYTE ('0'), TS_EACH_BYTE ('0') };
#endif

static const TsBtfFronts no_fronts;

static TsBtfPattern *
pattern_number (const TsBtfScan *scan, gsize i)
{
  return ts_btf_pattern_at (scan, i * sizeof (TsBtfPattern));
}

static TsBtfKept *
kept_at (const TsBtfScan *scan, gsize place)
{
  return &scan->kept[place / sizeof (TsBtfPattern)];
}

gboolean
ts_btf_has_very_long_texts (const TsBtfScan *scan, const TsBtfPattern *pattern, const char *p, TsBtfMarks at)
{
  const char *kept = ts_btf_kept_of (scan, pattern)->text;
  gsize       source = at.source + 1, target = at.target + 1 - at.source_instance;
  gsize       event = at.event + 1 - at.instance;

  if ((guint8) kept[TS_BTF_SOURCE] != source || (guint8) kept[TS_BTF_TARGET] != target
      || (guint8) kept[TS_BTF_EVENT] != event)
    return FALSE;
  kept += TS_BTF_N_TEXTS;
  return memcmp (kept, p, source) == 0 && memcmp (kept + source, p + at.source_instance, target) == 0
         && memcmp (kept + source + target, p + at.instance, event) == 0;
}

/* What is in front of the last @n bytes. */
static guint64
hash_front (const char *begin, const char *end, gsize n)
{
  const gsize length = (gsize) (end - begin);

  return length > n ? ts_btf_hash ((TsBtfText){ begin, length - n }) >> 32 : 0;
}

guint64
ts_btf_hash_very_long (const char *p, TsBtfMarks at, guint64 hash)
{
  const guint64 source = hash_front (p, p + at.source, TS_BTF_LOOSE_NAME);
  const guint64 target = hash_front (p + at.source_instance, p + at.target, TS_BTF_LOOSE_NAME);
  const guint64 event = hash_front (p + at.instance, p + at.event, TS_BTF_END);

  return (hash ^ source ^ target << 21 ^ event << 42) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
}

/* Of @n patterns, in lines of the cache. */
static gsize
memory_size (gsize n)
{
  return n * sizeof (TsBtfPattern) + TS_CACHE_LINE;
}

/* Those that are there stay where they are among themselves. */
static void
make_room (TsBtfScan *scan, gsize n)
{
  const gsize begin = scan->memory != NULL ? (gsize) (scan->patterns - (char *) scan->memory) : 0;

  scan->memory = ts_pages_resize (scan->memory, scan->n_room > 0 ? memory_size (scan->n_room) : 0, memory_size (n));
  scan->patterns = ts_pages_first_line (scan->memory);
  /* memory that has moved may begin elsewhere in a line */
  memmove (scan->patterns, (char *) scan->memory + begin, scan->n * sizeof (TsBtfPattern));
  scan->kept = g_renew (TsBtfKept, scan->kept, n);
  if (scan->fronts != NULL)
    scan->fronts = g_renew (TsBtfFronts, scan->fronts, n);
  scan->n_room = (guint) n;
}

/* Behind those that are found in the same places already: what comes early mostly comes often. */
static void
hang_in (TsBtfScan *scan, gsize i)
{
  const guint32 hash = scan->kept[i].hash, place = (guint32) (i * sizeof (TsBtfPattern));
  TsBtfPlaces  *places = &scan->places[hash >> (scan->shift - 32)];
  TsBtfKept    *last;

  scan->kept[i].next = 0;
  if (places->first == 0)
    {
      *places = (TsBtfPlaces){ place, place | (hash & TS_BTF_TAG) };
      return;
    }
  for (last = kept_at (scan, places->first); last->next > 0;)
    last = kept_at (scan, last->next);
  last->next = place;
  /* all in front of it have the tag of the first one */
  if ((places->second & ~TS_BTF_TAG) == places->first && (places->second & TS_BTF_TAG) != (hash & TS_BTF_TAG))
    places->second = place | (hash & TS_BTF_TAG);
}

/* @place is that of the first one. */
static gboolean
is_crowded (const TsBtfScan *scan, gsize place)
{
  guint n = 0;

  for (; place > 0 && n < MAX_OF_PLACE; place = kept_at (scan, place)->next)
    n++;
  return n == MAX_OF_PLACE;
}

static void
make_places (TsBtfScan *scan)
{
  const gsize n = MAX ((gsize) scan->n_room * PLACES_OF_ONE, FIRST_PLACES);

  g_free (scan->places);
  scan->places = g_new0 (TsBtfPlaces, n);
  scan->shift = 64 - g_bit_storage (n - 1);
  for (gsize i = TS_BTF_N_OWN; i < scan->n; i++)
    hang_in (scan, i);
}

/* FALSE: there are as many as may be. */
static gboolean
make_more_room (TsBtfScan *scan)
{
  if (scan->n_room == MAX_PATTERNS)
    return FALSE;
  make_room (scan, 2 * (gsize) scan->n_room);
  make_places (scan);
  return TRUE;
}

static void
put (TsBtfScan *scan, const TsBtfPattern *pattern, TsBtfKept kept, const TsBtfFronts *fronts)
{
  *pattern_number (scan, scan->n) = *pattern;
  scan->kept[scan->n] = kept;
  if (scan->fronts != NULL)
    scan->fronts[scan->n] = *fronts;
  hang_in (scan, scan->n++);
}

static void
make_table (TsBtfScan *scan)
{
  make_room (scan, FIRST_ROOM);
  memset (scan->kept, 0, TS_BTF_N_OWN * sizeof *scan->kept);
  scan->n = TS_BTF_N_OWN;
  make_places (scan);
}

TsBtfScan *
ts_btf_scan_new (void)
{
  TsBtfScan *scan = g_new0 (TsBtfScan, 1);

  make_table (scan);
  scan->bytes = g_string_chunk_new (4096);
  return scan;
}

void
ts_btf_scan_free (TsBtfScan *scan)
{
  if (scan == NULL)
    return;
  ts_pages_release (scan->memory, memory_size (scan->n_room));
  g_free (scan->places);
  g_free (scan->kept);
  g_free (scan->fronts);
  g_free (scan->widths_memory);
  ts_btf_halves_free (scan->halves);
  g_string_chunk_free (scan->bytes);
  g_free (scan);
}

void
ts_btf_scan_forget (TsBtfScan *scan)
{
  if (scan == NULL || (scan->n == TS_BTF_N_OWN && scan->halves == NULL))
    return;
  memset (scan->places, 0, sizeof *scan->places << (64 - scan->shift));
  g_string_chunk_clear (scan->bytes);
  scan->n = TS_BTF_N_OWN;
  g_clear_pointer (&scan->halves, ts_btf_halves_free);
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
ts_btf_set_effect (TsBtf *btf, TsBtfPattern *pattern, const TsBtfTexts *texts, guint32 flags)
{
  TsBtfEffect *effect = &pattern->effect;

  ts_btf_find_effect (btf, texts, (flags & TS_BTF_HAS_NOTE) != 0, effect);
  effect->flags = flags | TS_BTF_FIRST_IS_ODD | (effect->instance_mask != 0 ? TS_BTF_SECOND_IS_ODD : 0)
                  | (effect->owner_number_mask != 0 ? TS_BTF_THIRD_IS_ODD : 0);
  if ((flags & TS_BTF_VERY_LONG) != 0)
    effect->way |= TS_BTF_LONG_WAY;
  btf->scan->has_owners |= effect->owner_number_mask != 0;
}

void
ts_btf_renew_effect (TsBtf *btf, TsBtfPattern *pattern)
{
  btf->scan->n_renewed++;
  ts_btf_set_effect (btf, pattern, &ts_btf_kept_of (btf->scan, pattern)->texts,
                     pattern->effect.flags & TS_BTF_TEXT_FLAGS);
}

/* At @place or behind it; @sight is that of a line that may have very long texts. NULL: it is not there. */
static TsBtfPattern *
search (const TsBtfScan *scan, gsize place, const TsBtfEnds *ends, const TsBtfFronts *fronts, const TsBtfSight *sight)
{
  for (; place > 0; place = kept_at (scan, place)->next)
    {
      TsBtfPattern *pattern = ts_btf_pattern_at (scan, place);

      if (ts_btf_same_ends (&pattern->ends, ends, scan->has_long)
          && (fronts == NULL || ts_btf_same_fronts (ts_btf_fronts_of (scan, pattern), fronts))
          && (sight == NULL
              || ((pattern->effect.flags & TS_BTF_VERY_LONG) == 0
                    ? ts_btf_is_whole (scan, sight)
                    : ts_btf_has_very_long_texts (scan, pattern, sight->p, sight->at))))
        return pattern;
    }
  return NULL;
}

/* Of two halves. NULL: they are not known. */
static TsBtfPattern *
compose (TsBtf *btf, const TsBtfEnds *ends, const TsBtfFronts *fronts)
{
  TsBtfPattern *pattern = pattern_number (btf->scan, TS_BTF_COMPOSED);
  TsBtfTexts   *texts = &btf->scan->kept[TS_BTF_COMPOSED].texts;
  guint32       flags;

  if (btf->scan->halves == NULL
      || !ts_btf_halves_find (btf->scan, ends, fronts != NULL ? fronts : &no_fronts, texts, &flags))
    return NULL;
  ts_btf_set_effect (btf, pattern, texts, flags);
  return pattern;
}

TsBtfPattern *
ts_btf_find_pattern (TsBtf *btf, const TsBtfSight *sight)
{
  const TsBtfScan   *scan = btf->scan;
  const TsBtfFronts *fronts = scan->fronts != NULL ? &sight->fronts : NULL;
  TsBtfPattern      *pattern = search (scan, sight->place, &sight->ends, fronts, sight);

  return pattern != NULL || ts_btf_is_very_long (scan, sight) ? pattern : compose (btf, &sight->ends, fronts);
}

const TsBtfPattern *
ts_btf_find_ends (TsBtf *btf, gsize place, const TsBtfEnds *ends, const TsBtfFronts *fronts)
{
  const TsBtfPattern *pattern = search (btf->scan, place, ends, fronts, NULL);

  return pattern != NULL ? pattern : compose (btf, ends, fronts);
}

/* Whether @n blanks, 0 or 1, are behind each comma, and none in front of it or of the line. */
static gboolean
has_blanks (const TsBtfLine *line, gsize n)
{
  if (ts_btf_is_blank (*line->begin))
    return FALSE;
  for (guint i = 0; i < TS_BTF_FIELDS - 1; i++)
    {
      const char *comma = line->commas[i];

      if (ts_btf_is_blank (comma[-1]) || ts_btf_is_blank (comma[1 + n]) || (n > 0 && comma[1] != ' '))
        return FALSE;
    }
  return TRUE;
}

/* Lines are mostly laid out like the first one, or else no two of them are. */
static void
learn_layout (TsBtfScan *scan, const TsBtfLine *line)
{
  if (!scan->has_layout)
    scan->blank = has_blanks (line, 1) ? 1 : 0;
  scan->has_layout = TRUE;
  /* what may be behind a text counts as part of it */
  scan->has_long |= scan->blank > 0;
  if (scan->squeezes || has_blanks (line, scan->blank))
    return;
  scan->squeezes = TRUE;
  scan->has_long = TRUE;
  scan->blank = 0;
  ts_btf_scan_forget (scan);
}

/* Where the texts of a line are that took the long way. FALSE: that cannot be said in few words. */
static gboolean
see_again (const TsBtfScan *scan, const TsBtfLine *line, const char *next, char *room, TsBtfSight *sight)
{
  const char *const *commas = line->commas, *p = commas[0];
  const char        *end = line->n_commas == TS_BTF_FIELDS ? commas[TS_BTF_FIELDS - 1] : next - 1;

  /* a byte of 0 looks like a blank that was left out */
  if (scan->squeezes)
    return memchr (line->begin, '\0', (gsize) (next - line->begin)) == NULL
           && ts_btf_squeeze_line (line, next, room, sight);
  sight->p = p;
  sight->at = (TsBtfMarks){ (gsize) (commas[1] - p) + scan->blank, (gsize) (commas[2] - p),
                            (gsize) (commas[4] - p) + scan->blank, (gsize) (commas[5] - p), (gsize) (end - p), 0 };
  return TRUE;
}

/* What is longer than @n bytes. */
static gboolean
has_longer (const TsBtfMarks *at, gsize n)
{
  return at->source + 1 > n || at->target + 1 - at->source_instance > n;
}

/* From here on, halves of texts are known. */
static void
split (TsBtfScan *scan)
{
  scan->halves = ts_btf_halves_new ();
  for (gsize i = TS_BTF_N_OWN; i < scan->n; i++)
    {
      const TsBtfPattern *pattern = pattern_number (scan, i);
      const guint32       flags = pattern->effect.flags & TS_BTF_TEXT_FLAGS;

      if ((flags & TS_BTF_VERY_LONG) == 0)
        ts_btf_halves_learn (scan, &pattern->ends, scan->fronts != NULL ? &scan->fronts[i] : &no_fronts,
                             &scan->kept[i].texts, flags);
    }
  ts_pages_release (scan->memory, memory_size (scan->n_room));
  g_string_chunk_clear (scan->bytes);
  scan->memory = NULL;
  scan->n = scan->n_room = 0;
  make_table (scan);
}

/* Texts with something in front of what is kept with their ends. */
static gboolean
has_fronts (const TsBtfScan *scan, const TsBtfSight *sight)
{
  return scan->squeezes ? !ts_btf_is_loose_whole (sight, FALSE) : has_longer (&sight->at, 2 * TS_BTF_END);
}

void
ts_btf_scan_add_fronts (TsBtfScan *scan)
{
  if (scan->fronts == NULL)
    scan->fronts = g_new0 (TsBtfFronts, scan->n_room);
}

void
ts_btf_scan_learn (TsBtf *btf, const TsBtfLine *line, const char *next)
{
  TsBtfScan         *scan = btf->scan;
  const TsBtfRecord *record = &btf->last;
  char               room[TS_BTF_SQUEEZED];
  TsBtfSight         sight = { .p = NULL };
  TsBtfPattern       pattern;
  TsBtfKept          kept = { .texts = record->known };
  guint64            hash;
  guint32            flags = line->n_commas == TS_BTF_FIELDS ? TS_BTF_HAS_NOTE : 0;

  if (scan == NULL || !scan->is_missing || record->type >= TS_BTF_N_TYPES || record->word >= TS_BTF_N_WORDS)
    return;
  learn_layout (scan, line);
  if (!see_again (scan, line, next, room, &sight))
    return;
  if (has_longer (&sight.at, TS_BTF_END) && !scan->has_long)
    {
      scan->has_long = TRUE;
      ts_btf_scan_forget (scan);
    }
  /* of those that are known until then, there is nothing in front of what is kept */
  if (has_fronts (scan, &sight))
    ts_btf_scan_add_fronts (scan);
  sight.ends = ts_btf_ends_of (scan, sight.p, &sight.at);
  sight.fronts = ts_btf_fronts_in (scan, sight.p, &sight.at);
  if (ts_btf_is_very_long (scan, &sight))
    flags |= TS_BTF_VERY_LONG;
  if (scan->n == scan->n_room && !make_more_room (scan) && scan->halves == NULL)
    split (scan);
  if (scan->halves != NULL && (flags & TS_BTF_VERY_LONG) == 0)
    {
      ts_btf_halves_learn (scan, &sight.ends, &sight.fronts, &kept.texts, flags);
      return;
    }
  hash = ts_btf_hash_sight (scan, &sight, &sight.fronts);
  kept.hash = (guint32) (hash >> 32);
  sight.place = ts_btf_place_of_hash (scan, hash, FALSE);
  /* the scan may have taken a short time for part of a text */
  if (scan->n == scan->n_room || is_crowded (scan, sight.place)
      || search (scan, sight.place, &sight.ends, scan->fronts != NULL ? &sight.fronts : NULL, &sight) != NULL)
    return;
  if ((flags & TS_BTF_VERY_LONG) != 0)
    kept.text = keep_texts (scan, sight.p, &sight.at);
  pattern.ends = sight.ends;
  ts_btf_set_effect (btf, &pattern, &kept.texts, flags);
  put (scan, &pattern, kept, &sight.fronts);
}
