/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf-halves.h"

#define MAX_HALVES 524288 /* of each kind: what would be more is not learnt */

TsBtfHalves *
ts_btf_halves_new (void)
{
  TsBtfHalves *halves = g_new0 (TsBtfHalves, 1);

  ts_btf_index_init (&halves->sources, sizeof (TsBtfSource), 16, 1);
  ts_btf_index_init (&halves->targets, sizeof (TsBtfTarget), 2, 1);
  return halves;
}

void
ts_btf_halves_free (TsBtfHalves *halves)
{
  if (halves == NULL)
    return;
  ts_btf_index_clear (&halves->sources);
  ts_btf_index_clear (&halves->targets);
  g_free (halves);
}

/* What they are */

/* What a target with its event does now. */
static void
set_target (TsBtf *btf, TsBtfTarget *target, const TsBtfKept *kept)
{
  TsBtfEffect effect;

  target->role = ts_btf_find_target (btf, &kept->texts, (kept->flags & TS_BTF_HAS_NOTE) != 0, &effect);
  target->what = effect.what;
  target->way = effect.way;
  target->place = effect.place;
  target->element = effect.element;
  target->counter = effect.counter;
  target->instance_mask = effect.instance_mask;
  btf->scan->has_owners |= target->role == TS_BTF_RUNS;
}

static void
set_source (TsBtf *btf, TsBtfSource *source, const TsBtfKept *kept)
{
  for (guint role = 0; role < TS_BTF_N_ROLES; role++)
    source->parts[role] = ts_btf_find_part (btf, kept->texts.source, (TsBtfRole) role);
  source->way = TS_BTF_PLAIN + btf->n_changes;
}

static const TsBtfKept *
kept_of (const TsBtfIndex *table, gconstpointer record)
{
  return ts_btf_index_kept (table, (gsize) ((const char *) record - table->records));
}

void
ts_btf_halves_renew (TsBtf *btf, TsBtfPair pair)
{
  const TsBtfHalves *halves = btf->scan->halves;

  if (pair.target->way - btf->n_changes >= TS_BTF_N_WAYS)
    set_target (btf, pair.target, kept_of (&halves->targets, pair.target));
  if (pair.source->way != btf->n_changes)
    set_source (btf, pair.source, kept_of (&halves->sources, pair.source));
}

/* Looking for them */

static TsBtfSource *
find_source (const TsBtfScan *scan, guint64 hash, const TsBtfPieces *pieces)
{
  const TsBtfIndex *table = &scan->halves->sources;

  for (gsize place = ts_btf_index_place (table, hash); place > 0; place = ts_btf_index_kept (table, place)->next)
    {
      TsBtfSource *source = ts_btf_index_at (table, place);

      if (ts_btf_is_same (
              ts_btf_same_source (source, &pieces->ends, &pieces->fronts, TS_BTF_LONGEST, scan->squeezes)))
        return source;
    }
  return NULL;
}

static TsBtfTarget *
find_target (const TsBtfScan *scan, guint64 hash, const TsBtfPieces *pieces)
{
  const TsBtfIndex *table = &scan->halves->targets;

  for (gsize place = ts_btf_index_place (table, hash); place > 0; place = ts_btf_index_kept (table, place)->next)
    {
      TsBtfTarget *target = ts_btf_index_at (table, place);

      if (ts_btf_is_same (
              ts_btf_same_target (target, &pieces->ends, &pieces->fronts, TS_BTF_LONGEST, scan->squeezes)))
        return target;
    }
  return NULL;
}

static guint64
hash_of_source (const TsBtfScan *scan, const TsBtfPieces *pieces)
{
  return ts_btf_hash_source (&pieces->ends, &pieces->fronts, TS_BTF_LONGEST, scan->squeezes);
}

static guint64
hash_of_target (const TsBtfScan *scan, const TsBtfPieces *pieces)
{
  return ts_btf_hash_target (&pieces->ends, &pieces->fronts, TS_BTF_LONGEST, scan->squeezes);
}

TsBtfPair
ts_btf_halves_find (TsBtf *btf, const TsBtfPieces *pieces)
{
  const TsBtfScan *scan = btf->scan;
  const TsBtfPair  pair = { find_source (scan, hash_of_source (scan, pieces), pieces),
                            find_target (scan, hash_of_target (scan, pieces), pieces) };

  if (pair.source == NULL || pair.target == NULL)
    return (TsBtfPair){ NULL, NULL };
  ts_btf_halves_renew (btf, pair);
  return pair;
}

TsBtfPattern *
ts_btf_halves_compose (TsBtf *btf, TsBtfPair pair)
{
  const TsBtfScan *scan = btf->scan;
  const gsize      place = TS_BTF_COMPOSED * sizeof (TsBtfPattern);
  const TsBtfKept *target = kept_of (&scan->halves->targets, pair.target);
  TsBtfKept       *kept = ts_btf_index_kept (&scan->patterns, place);
  TsBtfPattern    *pattern = ts_btf_pattern_at (scan, place);
  const TsBtfAct   act = ts_btf_act_of_pair (pair);
  TsBtfEffect     *effect = &pattern->effect;

  kept->texts = target->texts;
  kept->texts.source = kept_of (&scan->halves->sources, pair.source)->texts.source;
  *effect = (TsBtfEffect){ .what = act.what,
                           .way = pair.target->way | (act.source == TS_BTF_OTHER_SOURCE ? TS_BTF_BY_RULES : 0),
                           .place = act.place,
                           .element = act.element,
                           .source = act.source,
                           .instance_mask = act.instance_mask,
                           .no_instance = act.no_instance,
                           .counter = act.counter,
                           .flags = ts_btf_odd_flags_of_pair (pair) | target->flags };
  memcpy (&effect->owner, &act.owner, sizeof act.owner);
  return pattern;
}

/* Learning them */

void
ts_btf_halves_learn (TsBtf *btf, const TsBtfPieces *pieces, const TsBtfTexts *texts, guint32 flags)
{
  const TsBtfScan *scan = btf->scan;
  TsBtfIndex      *sources = &scan->halves->sources, *targets = &scan->halves->targets;
  const guint64    source_hash = hash_of_source (scan, pieces), target_hash = hash_of_target (scan, pieces);

  if (find_source (scan, source_hash, pieces) == NULL && ts_btf_index_has_room (sources, source_hash, MAX_HALVES))
    {
      TsBtfSource *source = ts_btf_index_add (sources, source_hash, texts, 0);

      source->end = pieces->ends.source;
      source->before_end = scan->squeezes ? (TsBtfEnd){ 0, 0 } : pieces->ends.before_source;
      memcpy (source->fronts, pieces->fronts.source, sizeof source->fronts);
      set_source (btf, source, kept_of (sources, source));
    }
  if (find_target (scan, target_hash, pieces) == NULL && ts_btf_index_has_room (targets, target_hash, MAX_HALVES))
    {
      TsBtfTarget *target = ts_btf_index_add (targets, target_hash, texts, flags);

      target->end = pieces->ends.target;
      target->before_end = pieces->ends.before_target;
      target->event = pieces->ends.event;
      memcpy (target->fronts, pieces->fronts.target, sizeof target->fronts);
      target->type = scan->squeezes ? pieces->ends.before_source : (TsBtfEnd){ 0, 0 };
      set_target (btf, target, kept_of (targets, target));
    }
}
