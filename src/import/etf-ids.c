/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/etf.h"
#include "import/ids.h"
#include "model/pages.h"

/* Most files number their claims one after another, which costs nothing to remember; some nearly so, which takes an
 * array. Where a counter is shared with other things, or lines were filtered, ids ascend with gaps: many of these are kept
 * in order, so that the next one has its place at the end, where the last one was. Any other numbers take a hash that holds
 * the numbers of ids only, for a hundred million of them count, and is in no cache.
 * Texts come in order of their numbers, far from all ids that are numbers. Where several counters are used in turn, as one
 * for each resource, each has an array of its own.
 * What a hash looks at is anywhere in memory. So its slots are in large pages, and above the number of an id they have bits
 * of its hash, as many as there is room for: ids are looked at where these are the same. */

enum
{
  SEQUENTIAL, /* the id is its number and the first one */
  DENSE,      /* slots by id, in ranges */
  HASHED,     /* slots by open addressing; ids by number */
  ORDERED,    /* ids in order, and slots beside them */
};

#define FIRST_SLOTS 1024
/* So many ids in front of the first one have slots too. */
#define SLOTS_IN_FRONT (FIRST_SLOTS / 2)
/* A hash of so many ids may become an order, where none comes behind more than MOST_LATE that are greater. */
#define MANY_IDS (FIRST_SLOTS / 2)
#define MOST_LATE 64
/* From one that finds its slot again to one whose slot is asked for. */
#define AHEAD 32

/* Where the slots begin: what is less is very large, as seen from there. */
static guint64
base_of (const TsEtfIds *ids)
{
  return ids->first - MIN (ids->first & ~TS_ETF_TEXT_ID, SLOTS_IN_FRONT);
}

static void
resize_ids (TsEtfIds *ids, gsize n_ids)
{
  ids->ids = ts_pages_resize (ids->ids, ids->n_ids * sizeof *ids->ids, n_ids * sizeof *ids->ids);
  ids->n_ids = n_ids;
}

/* Those that are new are free. */
static void
resize_slots (TsEtfIds *ids, gsize n_slots)
{
  ids->slots = ts_pages_resize (ids->slots, ids->n_slots * sizeof *ids->slots, n_slots * sizeof *ids->slots);
  ids->n_slots = n_slots;
}

static void
free_slots (TsEtfIds *ids)
{
  ts_pages_release (ids->slots, ids->n_slots * sizeof *ids->slots);
  ids->slots = NULL;
  ids->n_slots = 0;
}

/* Hashes */

/* Of a slot, what is the number of an id and 1; there are more slots than ids. */
static guint32
number_mask (const TsEtfIds *ids)
{
  return (guint32) (ids->n_slots - 1);
}

/* The other bits. Those that tell the place are further down. */
static guint32
mark_of (gsize hash, guint32 mask)
{
  return (guint32) (hash >> 12) & ~mask;
}

/* The slot of @id, or the free one where it belongs. */
static guint32 *
find_slot (const TsEtfIds *ids, guint64 id)
{
  const guint32 mask = number_mask (ids);
  gsize         hash = ts_ids_hash (id), i = hash & mask;
  guint32       mark = mark_of (hash, mask);

  for (; ids->slots[i] != 0; i = (i + 1) & mask)
    if ((ids->slots[i] & ~mask) == mark && ids->ids[(ids->slots[i] & mask) - 1] == id)
      break;
  return &ids->slots[i];
}

/* In a free slot, where @id belongs. */
static void
put_number (const TsEtfIds *ids, guint32 *slot, guint64 id, guint32 number)
{
  *slot = mark_of (ts_ids_hash (id), number_mask (ids)) | (number + 1);
}

static void
rehash (TsEtfIds *ids, gsize n_slots)
{
  /* the old ones go first: both together would be the most memory of all */
  free_slots (ids);
  resize_slots (ids, n_slots);
  for (guint32 i = 0; i < ids->n; i++)
    {
      const guint32 mask = number_mask (ids);
      gsize         place = ts_ids_hash (ids->ids[i]) & mask;

      __builtin_prefetch (&ids->slots[ts_ids_hash (ids->ids[MIN (i + AHEAD, ids->n - 1)]) & mask]);
      while (ids->slots[place] != 0) /* by another one: each is there once */
        place = (place + 1) & mask;
      put_number (ids, &ids->slots[place], ids->ids[i], i);
    }
}

/* Arrays */

/* Ids are what they are above the base of all. */

static void
free_ranges (TsEtfIds *ids)
{
  for (guint i = 0; i < ids->n_ranges; i++)
    ts_pages_release (ids->ranges[i].slots, ids->ranges[i].n_slots * sizeof *ids->ranges[i].slots);
  g_clear_pointer (&ids->ranges, g_free);
  ids->n_ranges = 0;
}

/* Ids below this, less the base, are looked up in an array that has @n of them. */
static guint64
limit_of (guint32 n)
{
  return 2 * (guint64) n + FIRST_SLOTS;
}

static void
resize_range (TsEtfIdRange *range)
{
  const gsize n_slots = (gsize) limit_of (range->n);

  range->slots = ts_pages_resize (range->slots, range->n_slots * sizeof *range->slots, n_slots * sizeof *range->slots);
  range->n_slots = n_slots;
}

/* The number of @id, and 1; 0: it is in none of them. An array may have grown to where another one begins. */
static guint32
find_in_ranges (const TsEtfIds *ids, guint64 id)
{
  for (guint i = 0; i < ids->n_ranges; i++)
    {
      const TsEtfIdRange *range = &ids->ranges[i];

      if (id - range->base < range->n_slots && range->slots[id - range->base] != 0)
        return range->slots[id - range->base];
    }
  return 0;
}

/* The one that @id belongs to, which may be new. NULL: there are too many. */
static TsEtfIdRange *
range_of (TsEtfIds *ids, guint64 id)
{
  for (guint i = 0; i < ids->n_ranges; i++)
    if (id - ids->ranges[i].base < limit_of (ids->ranges[i].n))
      return &ids->ranges[i];
  if (ids->n_ranges == TS_ETF_ID_RANGES)
    return NULL;
  if (ids->ranges == NULL)
    ids->ranges = g_new (TsEtfIdRange, TS_ETF_ID_RANGES);
  ids->ranges[ids->n_ranges] = (TsEtfIdRange){ .base = id };
  return &ids->ranges[ids->n_ranges++];
}

/* Where @id belongs among them, or NULL: there are too many. */
static guint32 *
slot_in_ranges (TsEtfIds *ids, guint64 id)
{
  TsEtfIdRange *range = range_of (ids, id);

  if (range == NULL)
    return NULL;
  if (id - range->base >= range->n_slots)
    resize_range (range);
  range->n++;
  return &range->slots[id - range->base];
}

/* All so far are the first range. */
static void
become_dense (TsEtfIds *ids)
{
  const guint64 first = ids->first - base_of (ids);
  TsEtfIdRange *range = range_of (ids, 0);

  range->n = ids->n;
  resize_range (range);
  for (guint32 i = 0; i < ids->n; i++)
    range->slots[first + i] = i + 1;
  ids->mode = DENSE;
  ids->next = TS_ETF_NO_ID;
}

/* How long an array of so many ids is. */
static gsize
room_for (guint32 n)
{
  gsize n_ids = FIRST_SLOTS;

  while (n_ids <= n)
    n_ids *= 2;
  return n_ids;
}

/* The first place of an id that is not less, which mostly is near the end. */
static guint32
place_in_order (const TsEtfIds *ids, guint64 id)
{
  guint32 begin, end = ids->n, step = 1;

  for (; step < end && ids->ids[end - step] >= id; step *= 2)
    end -= step;
  for (begin = step < end ? end - step : 0; begin < end;)
    {
      guint32 middle = begin + (end - begin) / 2;

      if (ids->ids[middle] < id)
        begin = middle + 1;
      else
        end = middle;
    }
  return begin;
}

static void
put_at (TsEtfIds *ids, guint32 place, guint64 id)
{
  if (place < ids->n)
    {
      memmove (ids->ids + place + 1, ids->ids + place, (ids->n - place) * sizeof *ids->ids);
      memmove (ids->slots + place + 1, ids->slots + place, (ids->n - place) * sizeof *ids->slots);
    }
  ids->ids[place] = id;
  ids->slots[place] = ++ids->n;
}

/* Those of a hash. FALSE: it stays one, as they are few, or some come too late. */
static gboolean
become_ordered (TsEtfIds *ids)
{
  const gsize n_ids = room_for (ids->n);
  TsEtfIds    ordered = { .first = ids->first, .next = TS_ETF_NO_ID, .mode = ORDERED };

  if (ids->n < MANY_IDS)
    return FALSE;
  resize_ids (&ordered, n_ids);
  resize_slots (&ordered, n_ids);
  while (ordered.n < ids->n)
    {
      guint64 id = ids->ids[ordered.n];
      guint32 place = place_in_order (&ordered, id);

      if (ordered.n - place > MOST_LATE)
        {
          ts_etf_ids_clear (&ordered);
          return FALSE;
        }
      put_at (&ordered, place, id);
    }
  ts_etf_ids_clear (ids);
  *ids = ordered;
  return TRUE;
}

/* Room for number n in the arrays by number or in order. */
static void
reserve_id (TsEtfIds *ids)
{
  gsize n_ids = room_for (ids->n);

  if (ids->n < FIRST_SLOTS || (ids->n & (ids->n - 1)) != 0)
    return;
  resize_ids (ids, n_ids);
  if (ids->mode == ORDERED)
    resize_slots (ids, n_ids);
}

/* Those in ranges, or in order: what is sequential is dense before. */
static void
become_hashed (TsEtfIds *ids)
{
  TsEtfIds hashed = { .first = ids->first, .next = TS_ETF_NO_ID, .n = ids->n, .mode = HASHED };
  gsize    n_slots = FIRST_SLOTS;

  while (3 * n_slots < 4 * ((gsize) ids->n + 1))
    n_slots *= 2;
  resize_ids (&hashed, room_for (ids->n));
  if (ids->mode == ORDERED)
    for (guint32 i = 0; i < ids->n; i++)
      hashed.ids[ids->slots[i] - 1] = ids->ids[i];
  for (guint k = 0; k < ids->n_ranges; k++)
    for (gsize i = 0; i < ids->ranges[k].n_slots; i++)
      if (ids->ranges[k].slots[i] != 0)
        hashed.ids[ids->ranges[k].slots[i] - 1] = ids->ranges[k].base + i;
  ts_etf_ids_clear (ids);
  *ids = hashed;
  rehash (ids, n_slots);
}

gboolean
ts_etf_ids_add_any (TsEtfIds *ids, guint64 id)
{
  guint32 *slot;

  if (ids->n == 0)
    {
      ids->first = id;
      ids->next = id + 1;
      ids->n = 1;
      return TRUE;
    }
  id -= base_of (ids);
  if (ids->mode == SEQUENTIAL)
    become_dense (ids);
  if (ids->mode == DENSE)
    {
      if (find_in_ranges (ids, id) != 0)
        return FALSE;
      slot = slot_in_ranges (ids, id);
      if (slot != NULL)
        {
          *slot = ++ids->n;
          return TRUE;
        }
      become_hashed (ids);
      become_ordered (ids);
    }
  else if (ids->mode == HASHED && 3 * ids->n_slots < 4 * ((gsize) ids->n + 1) && !become_ordered (ids))
    rehash (ids, 2 * ids->n_slots);

  if (ids->mode == ORDERED)
    {
      guint32 place = place_in_order (ids, id);

      if (place < ids->n && ids->ids[place] == id)
        return FALSE;
      if (ids->n - place <= MOST_LATE)
        {
          reserve_id (ids);
          put_at (ids, place, id);
          return TRUE;
        }
      become_hashed (ids);
    }
  reserve_id (ids);
  slot = find_slot (ids, id);
  if (*slot != 0)
    return FALSE;
  ids->ids[ids->n] = id;
  put_number (ids, slot, id, ids->n++);
  return TRUE;
}

guint32
ts_etf_ids_find (const TsEtfIds *ids, guint64 id)
{
  if (ids->mode == SEQUENTIAL)
    return id - ids->first < ids->n ? (guint32) (id - ids->first) : TS_ETF_NONE;
  id -= base_of (ids);
  if (ids->mode == HASHED)
    return (*find_slot (ids, id) & number_mask (ids)) - 1;
  if (ids->mode == ORDERED)
    {
      guint32 place = place_in_order (ids, id);

      return place < ids->n && ids->ids[place] == id ? ids->slots[place] - 1 : TS_ETF_NONE;
    }
  return find_in_ranges (ids, id) - 1;
}

guint32
ts_etf_ids_number (TsEtfIds *ids, guint64 id)
{
  return ts_etf_ids_add (ids, id) ? ids->n - 1 : ts_etf_ids_find (ids, id);
}

void
ts_etf_ids_fetch (const TsEtfIds *ids, guint64 id)
{
  if (ids->mode == HASHED)
    __builtin_prefetch (&ids->slots[ts_ids_hash (id - base_of (ids)) & number_mask (ids)]);
}

void
ts_etf_ids_clear (TsEtfIds *ids)
{
  ts_pages_release (ids->ids, ids->n_ids * sizeof *ids->ids);
  free_slots (ids);
  free_ranges (ids);
  *ids = (TsEtfIds){ .n = 0 };
}
