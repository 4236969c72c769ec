/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf-halves.h"

#define FIRST_ROOM 256
#define MAX_HALVES 524288 /* of each kind: what would be more is not learnt */
/* So many are looked at before another one is not learnt: texts may have been made to hash alike. */
#define MAX_BEHIND 64

#define NOTHING ((TsBtfEnd){ 0, 0 })

/* The texts of a source, or of a target and its event: those of a name, as in a pattern, and that of the event. */
typedef struct
{
  TsBtfEnd end, before_end, event;
} Texts;

/* What few traces have: what is in front of that; and the type, where it is not part of the text of a target. */
typedef struct
{
  TsBtfEnd fronts[2], type;
} More;

typedef struct
{
  Texts   texts;
  guint32 name, entity; /* as in TsBtfTexts; a source has no more than the first */
  guint32 flags;        /* of the texts */
  guint16 word;
} Half;

G_STATIC_ASSERT (sizeof (Half) == TS_CACHE_LINE);

typedef struct
{
  guint32 hash;
  guint32 half; /* 0: there is none */
} Slot;

typedef struct
{
  Half   *halves; /* the first one is none */
  More   *more;   /* of each, or NULL: none has any */
  guint32 n, n_room;
  Slot   *slots;  /* by the highest bits of a hash, or behind these; twice as many as there is room for */
  guint   shift;
} Table;

struct _TsBtfHalves
{
  Table sources, targets;
};

typedef struct
{
  Texts   texts;
  More    more;
  guint32 hash;
} Key;

static TS_ALWAYS_INLINE guint64
mix (guint64 hash, TsBtfEnd piece)
{
  hash = (hash ^ ts_btf_fold (piece)) * TS_BTF_FACTOR;
  return hash ^ hash >> 32;
}

static TS_ALWAYS_INLINE Key
make_key (Texts texts, More more)
{
  const guint64 hash = mix (mix (0, texts.end), texts.before_end ^ more.fronts[0] >> 1 ^ more.fronts[1] >> 3);

  return (Key){ texts, more, (guint32) (mix (hash, texts.event ^ more.type >> 1) >> 32) };
}

/* Where lines are squeezed, their type is where what is in front of the end of a source would be, see
 * ts_btf_loose_ends(). */

static TS_ALWAYS_INLINE Key
source_key (const TsBtfScan *scan, const TsBtfEnds *ends, const TsBtfFronts *fronts)
{
  const TsBtfEnd before = scan->has_long && !scan->squeezes ? ends->before_source : NOTHING;
  const More     more = { { fronts->source[0], fronts->source[1] }, NOTHING };

  return make_key ((Texts){ ends->source, before, NOTHING }, more);
}

static TS_ALWAYS_INLINE Key
target_key (const TsBtfScan *scan, const TsBtfEnds *ends, const TsBtfFronts *fronts)
{
  const TsBtfEnd before = scan->has_long ? ends->before_target : NOTHING;
  const More     more = { { fronts->target[0], fronts->target[1] }, scan->squeezes ? ends->before_source : NOTHING };

  return make_key ((Texts){ ends->target, before, ends->event }, more);
}

/* Without a question for each piece. */
static TS_ALWAYS_INLINE gboolean
is_of (const Table *table, guint32 i, const Key *key)
{
  const More     none = { { NOTHING, NOTHING }, NOTHING };
  const Texts   *a = &table->halves[i].texts, *b = &key->texts;
  const More    *c = table->more != NULL ? &table->more[i] : &none, *d = &key->more;
  const TsBtfEnd difference = (a->end ^ b->end) | (a->before_end ^ b->before_end) | (a->event ^ b->event)
                              | (c->fronts[0] ^ d->fronts[0]) | (c->fronts[1] ^ d->fronts[1]) | (c->type ^ d->type);

  return (difference[0] | difference[1]) == 0;
}

static guint32
slot_behind (const Table *table, guint32 slot)
{
  return (slot + 1) & (2 * table->n_room - 1);
}

/* The slot that has it, or a free one. @n: how many are in front of that. */
static Slot *
find_slot (const Table *table, const Key *key, guint *n)
{
  guint32 i = key->hash >> table->shift;

  for (*n = 0; table->slots[i].half > 0; i = slot_behind (table, i), (*n)++)
    if (table->slots[i].hash == key->hash && is_of (table, table->slots[i].half, key))
      break;
  return &table->slots[i];
}

static void
make_room (Table *table)
{
  const gsize n = MAX (2 * (gsize) table->n_room, FIRST_ROOM);
  const gsize n_slots = 2 * (gsize) table->n_room;
  Slot       *slots = table->slots;

  table->halves = ts_pages_resize (table->halves, table->n_room * sizeof (Half), n * sizeof (Half));
  if (table->more != NULL)
    table->more = g_renew (More, table->more, n);
  table->n_room = (guint32) n;
  table->n = MAX (table->n, 1);
  table->slots = g_new0 (Slot, 2 * n);
  table->shift = 32 - g_bit_storage (2 * n - 1);
  for (const Slot *slot = slots; slot < slots + n_slots; slot++)
    if (slot->half > 0)
      {
        guint32 i = slot->hash >> table->shift;

        while (table->slots[i].half > 0)
          i = slot_behind (table, i);
        table->slots[i] = *slot;
      }
  g_free (slots);
}

/* What @half is, but for its texts. */
static void
learn (Table *table, const Key *key, Half half, gboolean has_more)
{
  Slot *slot;
  guint n;

  if (table->n == table->n_room && table->n < MAX_HALVES)
    make_room (table);
  slot = find_slot (table, key, &n);
  if (slot->half > 0 || table->n == table->n_room || n > MAX_BEHIND)
    return;
  if (has_more && table->more == NULL)
    table->more = g_new0 (More, table->n_room);
  if (table->more != NULL)
    table->more[table->n] = key->more;
  half.texts = key->texts;
  table->halves[table->n] = half;
  *slot = (Slot){ key->hash, table->n++ };
}

static void
clear (Table *table)
{
  ts_pages_release (table->halves, table->n_room * sizeof (Half));
  g_free (table->more);
  g_free (table->slots);
}

TsBtfHalves *
ts_btf_halves_new (void)
{
  TsBtfHalves *halves = g_new0 (TsBtfHalves, 1);

  make_room (&halves->sources);
  make_room (&halves->targets);
  return halves;
}

void
ts_btf_halves_free (TsBtfHalves *halves)
{
  if (halves == NULL)
    return;
  clear (&halves->sources);
  clear (&halves->targets);
  g_free (halves);
}

void
ts_btf_halves_learn (TsBtfScan *scan, const TsBtfEnds *ends, const TsBtfFronts *fronts, const TsBtfTexts *texts,
                     guint32 flags)
{
  const gboolean has_more = scan->fronts != NULL || scan->squeezes;
  const Key      source = source_key (scan, ends, fronts), target = target_key (scan, ends, fronts);

  learn (&scan->halves->sources, &source, (Half){ .name = texts->source }, has_more);
  learn (&scan->halves->targets, &target,
         (Half){ .name = texts->target, .entity = texts->entity, .flags = flags, .word = texts->word }, has_more);
}

static gboolean
find_both (const TsBtfScan *scan, const Key *source, const Key *target, TsBtfTexts *texts, guint32 *flags)
{
  const Table  *sources = &scan->halves->sources, *targets = &scan->halves->targets;
  guint         n;
  const guint32 one = find_slot (sources, source, &n)->half, other = find_slot (targets, target, &n)->half;
  const Half   *half = &targets->halves[other];

  *texts = (TsBtfTexts){ sources->halves[one].name, half->name, half->entity, half->word };
  *flags = half->flags;
  return one > 0 && other > 0;
}

gboolean
ts_btf_halves_find (const TsBtfScan *scan, const TsBtfEnds *ends, const TsBtfFronts *fronts, TsBtfTexts *texts,
                    guint32 *flags)
{
  const Key source = source_key (scan, ends, fronts), target = target_key (scan, ends, fronts);

  return find_both (scan, &source, &target, texts, flags);
}

/* All of this comes from far: each step is taken for all lines before the next one, and asks for what that needs. */

static void
fetch_slot (const Table *table, guint32 hash)
{
  __builtin_prefetch (&table->slots[hash >> table->shift]);
}

static void
fetch_half (const Table *table, guint32 hash)
{
  __builtin_prefetch (&table->halves[table->slots[hash >> table->shift].half]);
}

void
ts_btf_halves_place (TsBtf *btf, TsBtfUsual *lines, const TsBtfFronts *fronts, gsize n, TsBtfLevel level)
{
  const TsBtfScan *scan = btf->scan;
  TsBtfPattern    *patterns = ts_btf_pattern_at (scan, TS_BTF_COMPOSED * sizeof (TsBtfPattern));
  TsBtfKept       *kept = &scan->kept[TS_BTF_COMPOSED];
  Key              sources[TS_BTF_USUALS], targets[TS_BTF_USUALS];
  guint32          flags[TS_BTF_USUALS];

  for (gsize i = 0; i < n; i++)
    {
      const TsBtfTextsSeen seen = ts_btf_texts_seen (&lines[i], &fronts[i], level);

      patterns[i].ends = seen.ends;
      if (scan->fronts != NULL)
        *ts_btf_fronts_of (scan, &patterns[i]) = seen.fronts;
      sources[i] = source_key (scan, &seen.ends, &seen.fronts);
      targets[i] = target_key (scan, &seen.ends, &seen.fronts);
      fetch_slot (&scan->halves->sources, sources[i].hash);
      fetch_slot (&scan->halves->targets, targets[i].hash);
    }
  for (gsize i = 0; i < n; i++)
    {
      fetch_half (&scan->halves->sources, sources[i].hash);
      fetch_half (&scan->halves->targets, targets[i].hash);
    }
  for (gsize i = 0; i < n; i++)
    {
      lines[i].place = 0;
      if (!find_both (scan, &sources[i], &targets[i], &kept[i].texts, &flags[i]))
        continue;
      lines[i].place = (TS_BTF_COMPOSED + i) * sizeof (TsBtfPattern);
      __builtin_prefetch (ts_btf_name_info (btf, kept[i].texts.source));
      __builtin_prefetch (ts_btf_name_info (btf, kept[i].texts.target));
      __builtin_prefetch (ts_btf_entity_info (btf, kept[i].texts.entity));
    }
  for (gsize i = 0; i < n; i++)
    if (lines[i].place > 0)
      ts_btf_set_effect (btf, &patterns[i], &kept[i].texts, flags[i]);
}
