/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf-lexicon.h"

#define MAX_NAMES 1048576 /* sources, and targets: what would be more is not learnt */
#define MAX_EVENTS 4096

/* As many as there is room for targets. */
static void
make_fronts (TsBtfLexicon *lexicon)
{
  const gsize size = sizeof *lexicon->fronts;

  lexicon->fronts = ts_pages_resize (lexicon->fronts, lexicon->n_fronts * size, lexicon->targets.n_room * size);
  lexicon->n_fronts = lexicon->targets.n_room;
}

TsBtfLexicon *
ts_btf_lexicon_new (void)
{
  TsBtfLexicon *lexicon = g_new0 (TsBtfLexicon, 1);

  /* those of a source are looked for in one place only: there are few, and each line asks for it */
  ts_btf_index_init (&lexicon->sources, sizeof (TsBtfSource), 16, 1);
  ts_btf_index_init (&lexicon->targets, sizeof (TsBtfTarget), 2, 1);
  ts_btf_index_init (&lexicon->events, sizeof (TsBtfEvent), 16, 1);
  make_fronts (lexicon);
  return lexicon;
}

void
ts_btf_lexicon_free (TsBtfLexicon *lexicon)
{
  if (lexicon == NULL)
    return;
  ts_btf_index_clear (&lexicon->sources);
  ts_btf_index_clear (&lexicon->targets);
  ts_btf_index_clear (&lexicon->events);
  ts_pages_release (lexicon->fronts, lexicon->n_fronts * sizeof *lexicon->fronts);
  g_free (lexicon);
}

/* What they are */

static void
set_source (TsBtf *btf, TsBtfSource *source, guint32 name)
{
  for (guint role = 0; role < TS_BTF_N_ROLES; role++)
    source->parts[role] = ts_btf_find_part (btf, name, (TsBtfRole) role);
  source->way = TS_BTF_PLAIN + btf->n_changes;
}

void
ts_btf_lexicon_renew (TsBtf *btf, const TsBtfSpots *spots)
{
  const TsBtfLexicon *lexicon = btf->scan->lexicon;
  const TsBtfTrio     trio = ts_btf_trio_at (ts_btf_bases_of (lexicon), spots);
  TsBtfSource        *source = ts_btf_index_at (&lexicon->sources, spots->source);
  TsBtfTarget        *target = ts_btf_index_at (&lexicon->targets, spots->target);

  if (source->way != btf->n_changes)
    set_source (btf, source, ts_btf_index_kept (&lexicon->sources, spots->source)->texts.source);
  if (target->goal.way - btf->n_changes >= TS_BTF_N_WAYS || !ts_btf_is_counted (trio.deed, &target->goal))
    target->goal = ts_btf_find_goal (btf, &ts_btf_index_kept (&lexicon->targets, spots->target)->texts,
                                     trio.deed->word);
}

/* Looking for them: their places, or 0. */

static guint32
find_source (const TsBtfScan *scan, guint64 hash, const TsBtfPieces *pieces)
{
  const TsBtfIndex *index = &scan->lexicon->sources;
  guint32           place = ts_btf_index_place (index, hash);

  while (place > 0
         && !(ts_btf_is_same (
                  ts_btf_same_source (ts_btf_index_at (index, place), &pieces->ends, &pieces->fronts, TS_BTF_LONGEST))
              && ts_btf_has_rest (index, place, pieces->source)))
    place = ts_btf_index_kept (index, place)->next;
  return place;
}

static guint32
find_target (const TsBtfScan *scan, guint64 hash, const TsBtfPieces *pieces)
{
  const TsBtfIndex *index = &scan->lexicon->targets;
  guint32           place = ts_btf_index_place (index, hash);

  while (place > 0
         && !(ts_btf_is_same (ts_btf_same_target (ts_btf_index_at (index, place),
                                                  &scan->lexicon->fronts[place / sizeof (TsBtfTarget)], &pieces->ends,
                                                  &pieces->fronts, TS_BTF_LONGEST))
              && ts_btf_has_rest (index, place, pieces->target)))
    place = ts_btf_index_kept (index, place)->next;
  return place;
}

static guint32
find_event (const TsBtfScan *scan, guint64 hash, const TsBtfPieces *pieces)
{
  const TsBtfIndex *index = &scan->lexicon->events;
  guint32           place = ts_btf_index_place (index, hash);

  while (place > 0
         && !ts_btf_is_same (ts_btf_same_event (ts_btf_index_at (index, place), &pieces->ends)))
    place = ts_btf_index_kept (index, place)->next;
  return place;
}

static TsBtfSpots
find (const TsBtfScan *scan, const TsBtfHashes *hashes, const TsBtfPieces *pieces)
{
  return (TsBtfSpots){ find_source (scan, hashes->source, pieces), find_target (scan, hashes->target, pieces),
                       find_event (scan, hashes->event, pieces) };
}

gboolean
ts_btf_lexicon_find (TsBtf *btf, const TsBtfPieces *pieces, TsBtfSpots *spots)
{
  const TsBtfBases  bases = ts_btf_bases_of (btf->scan->lexicon);
  const TsBtfHashes hashes = ts_btf_hashes_of (pieces, TS_BTF_LONGEST, TRUE);
  TsBtfTrio         trio;

  *spots = find (btf->scan, &hashes, pieces);
  if (spots->source == 0 || spots->target == 0 || spots->event == 0
      || (ts_btf_event_at (bases, spots)->known >> ts_btf_target_at (bases, spots)->goal.class & 1) == 0)
    return FALSE;
  trio = ts_btf_trio_at (bases, spots);
  if (G_UNLIKELY (ts_btf_is_odd_act (trio.deed, trio.goal, trio.source_way, btf->n_changes)))
    ts_btf_lexicon_renew (btf, spots);
  return TRUE;
}

TsBtfPattern *
ts_btf_lexicon_compose (TsBtf *btf, const TsBtfSpots *spots)
{
  const TsBtfScan    *scan = btf->scan;
  const TsBtfLexicon *lexicon = scan->lexicon;
  const TsBtfKept    *source = ts_btf_index_kept (&lexicon->sources, spots->source);
  const TsBtfKept    *target = ts_btf_index_kept (&lexicon->targets, spots->target);
  const TsBtfKept    *event = ts_btf_index_kept (&lexicon->events, spots->event);
  const TsBtfTrio     trio = ts_btf_trio_at (ts_btf_bases_of (lexicon), spots);
  const gsize         place = TS_BTF_COMPOSED * sizeof (TsBtfPattern);
  TsBtfPattern       *pattern = ts_btf_pattern_at (scan, place);
  TsBtfEffect        *effect = &pattern->effect;

  ts_btf_index_kept (&scan->patterns, place)->texts
      = (TsBtfTexts){ source->texts.source, target->texts.target, target->texts.entity, event->texts.word };
  *effect = ts_btf_effect_of (trio.deed, trio.goal, trio.part);
  effect->flags |= event->flags;
  return pattern;
}

/* Learning them */

/* Of the one that was added last. */
static void
keep_rest (TsBtfScan *scan, TsBtfIndex *index, TsBtfText text)
{
  if (text.length > TS_BTF_MAX_FRONT)
    index->kept[index->n - 1].text = ts_btf_keep_text (scan, text);
}

static guint32
learn_source (TsBtf *btf, guint64 hash, const TsBtfPieces *pieces, const TsBtfTexts *texts)
{
  TsBtfIndex  *index = &btf->scan->lexicon->sources;
  TsBtfSource *source;

  if (!ts_btf_index_has_room (index, hash, MAX_NAMES))
    return 0;
  source = ts_btf_index_add (index, hash, texts, 0);
  keep_rest (btf->scan, index, pieces->source);
  source->end = pieces->ends.source;
  source->before_end = pieces->ends.before_source;
  memcpy (source->fronts, pieces->fronts.source, sizeof source->fronts);
  set_source (btf, source, texts->source);
  return ts_btf_index_last (index);
}

static guint32
learn_target (TsBtf *btf, guint64 hash, const TsBtfPieces *pieces, const TsBtfTexts *texts)
{
  TsBtfLexicon *lexicon = btf->scan->lexicon;
  TsBtfIndex   *index = &lexicon->targets;
  TsBtfTarget  *target;

  if (!ts_btf_index_has_room (index, hash, MAX_NAMES))
    return 0;
  if (lexicon->n_fronts < index->n_room)
    make_fronts (lexicon);
  memcpy (lexicon->fronts[index->n].fronts, pieces->fronts.target, sizeof lexicon->fronts->fronts);
  target = ts_btf_index_add (index, hash, texts, 0);
  keep_rest (btf->scan, index, pieces->target);
  target->end = pieces->ends.target;
  target->before_end = pieces->ends.before_target;
  target->goal = ts_btf_find_goal (btf, texts, texts->word);
  target->deed = (guint32) (G_STRUCT_OFFSET (TsBtfEvent, deeds) + target->goal.class * sizeof (TsBtfDeed));
  return ts_btf_index_last (index);
}

static guint32
learn_event (TsBtf *btf, guint64 hash, const TsBtfPieces *pieces, const TsBtfTexts *texts, guint32 flags,
             TsBtfText text)
{
  TsBtfIndex *index = &btf->scan->lexicon->events;
  TsBtfEvent *event;

  if (!ts_btf_index_has_room (index, hash, MAX_EVENTS))
    return 0;
  event = ts_btf_index_add (index, hash, texts, flags);
  if ((flags & TS_BTF_HAS_LONG_EVENT) != 0)
    index->kept[index->n - 1].text = ts_btf_keep_text (btf->scan, text);
  event->end = pieces->ends.event;
  event->known = 0;
  for (guint i = 0; i < TS_BTF_N_CLASSES; i++)
    event->deeds[i] = (TsBtfDeed){ .way = TS_BTF_BY_RULES };
  return ts_btf_index_last (index);
}

void
ts_btf_lexicon_learn (TsBtf *btf, const TsBtfPieces *pieces, const TsBtfTexts *texts, guint32 flags, TsBtfText text)
{
  const TsBtfHashes hashes = ts_btf_hashes_of (pieces, TS_BTF_LONGEST, TRUE);
  TsBtfSpots        spots = find (btf->scan, &hashes, pieces);
  TsBtfEvent       *event;
  guint             class;

  if (spots.source == 0)
    spots.source = learn_source (btf, hashes.source, pieces, texts);
  if (spots.target == 0)
    spots.target = learn_target (btf, hashes.target, pieces, texts);
  if (spots.event == 0)
    spots.event = learn_event (btf, hashes.event, pieces, texts, flags, text);
  if (spots.target == 0 || spots.event == 0)
    return;
  /* of two long ones that end alike, one is known */
  if ((flags & TS_BTF_HAS_LONG_EVENT) != 0
      && !ts_btf_is_kept_event (btf->scan, &spots, text.begin + text.length - 1))
    return;
  class = ((TsBtfTarget *) ts_btf_index_at (&btf->scan->lexicon->targets, spots.target))->goal.class;
  event = ts_btf_index_at (&btf->scan->lexicon->events, spots.event);
  event->known |= 1u << class;
  event->deeds[class] = ts_btf_find_deed ((TsBtfClass) class, texts->word, (flags & TS_BTF_HAS_NOTE) != 0);
  if ((flags & TS_BTF_HAS_LONG_EVENT) != 0)
    event->deeds[class].way |= TS_BTF_LONG_EVENT;
  btf->scan->has_owners |= event->deeds[class].role == TS_BTF_RUNS && event->deeds[class].way != TS_BTF_BY_RULES;
}
