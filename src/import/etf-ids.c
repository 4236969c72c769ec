/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/etf.h"
#include "import/ids.h"

/* Most files number their claims one after another, which costs nothing to remember; some nearly so, which takes an
 * array; any other numbers take a hash that holds the numbers of ids only, for a hundred million of them count.
 * Texts come in order of their numbers, far from all ids that are numbers. */

enum
{
  SEQUENTIAL, /* the id is its number and the first one */
  DENSE,      /* slots by id */
  HASHED,     /* slots by open addressing; ids by number */
};

#define FIRST_SLOTS 1024
/* So many ids in front of the first one have slots too. */
#define SLOTS_IN_FRONT (FIRST_SLOTS / 2)

/* Where the slots begin: what is less is very large, as seen from there. */
static guint64
base_of (const TsEtfIds *ids)
{
  return ids->first - MIN (ids->first & ~TS_ETF_TEXT_ID, SLOTS_IN_FRONT);
}

/* Ids below this, less the base, are looked up in an array. */
static guint64
dense_limit (const TsEtfIds *ids)
{
  return 2 * (guint64) ids->n + FIRST_SLOTS;
}

static guint32 *
find_slot (const TsEtfIds *ids, guint64 id)
{
  return ts_ids_slot (ids->ids, ids->slots, ids->n_slots, id);
}

static void
rehash (TsEtfIds *ids, gsize n_slots)
{
  /* the old ones go first: both together would be the most memory of all */
  g_free (ids->slots);
  ids->slots = g_new0 (guint32, n_slots);
  ids->n_slots = n_slots;
  for (guint32 i = 0; i < ids->n; i++)
    *find_slot (ids, ids->ids[i]) = i + 1;
}

static void
reserve_dense (TsEtfIds *ids, gsize n_slots)
{
  ids->slots = g_renew (guint32, ids->slots, n_slots);
  memset (ids->slots + ids->n_slots, 0, (n_slots - ids->n_slots) * sizeof (guint32));
  ids->n_slots = n_slots;
}

static void
become_dense (TsEtfIds *ids)
{
  reserve_dense (ids, (gsize) dense_limit (ids));
  for (guint32 i = 0; i < ids->n; i++)
    ids->slots[ids->first - base_of (ids) + i] = i + 1;
  ids->mode = DENSE;
  ids->next = TS_ETF_NO_ID;
}

static gboolean
is_power_of_two (guint32 n)
{
  return (n & (n - 1)) == 0;
}

/* Room for number n in the array of ids, which is always a power of two in length. */
static void
reserve_id (TsEtfIds *ids)
{
  if (ids->n < FIRST_SLOTS ? ids->n == 0 || ids->ids == NULL : is_power_of_two (ids->n))
    ids->ids = g_renew (guint64, ids->ids, MAX (FIRST_SLOTS, 2 * (gsize) ids->n));
}

static void
become_hashed (TsEtfIds *ids)
{
  gsize n_ids = FIRST_SLOTS, n_slots = FIRST_SLOTS;

  while (n_ids <= ids->n)
    n_ids *= 2;
  while (3 * n_slots < 4 * ((gsize) ids->n + 1))
    n_slots *= 2;
  ids->ids = g_new (guint64, n_ids);
  if (ids->mode == SEQUENTIAL)
    for (guint32 i = 0; i < ids->n; i++)
      ids->ids[i] = ids->first - base_of (ids) + i;
  else
    for (gsize id = 0; id < ids->n_slots; id++)
      if (ids->slots[id] != 0)
        ids->ids[ids->slots[id] - 1] = id;
  ids->mode = HASHED;
  ids->next = TS_ETF_NO_ID;
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
  if (ids->mode == SEQUENTIAL && id < dense_limit (ids))
    become_dense (ids);
  if (ids->mode != HASHED && id >= dense_limit (ids))
    become_hashed (ids);

  if (ids->mode == DENSE)
    {
      if (id >= ids->n_slots)
        reserve_dense (ids, (gsize) dense_limit (ids));
      slot = &ids->slots[id];
    }
  else
    {
      reserve_id (ids);
      if (3 * ids->n_slots < 4 * ((gsize) ids->n + 1))
        rehash (ids, 2 * ids->n_slots);
      slot = find_slot (ids, id);
    }
  if (*slot != 0)
    return FALSE;
  if (ids->mode == HASHED)
    ids->ids[ids->n] = id;
  *slot = ++ids->n;
  return TRUE;
}

guint32
ts_etf_ids_find (const TsEtfIds *ids, guint64 id)
{
  if (ids->mode == SEQUENTIAL)
    return id - ids->first < ids->n ? (guint32) (id - ids->first) : TS_ETF_NONE;
  id -= base_of (ids);
  if (ids->mode == HASHED)
    return *find_slot (ids, id) - 1;
  return id < ids->n_slots ? ids->slots[id] - 1 : TS_ETF_NONE;
}

void
ts_etf_ids_clear (TsEtfIds *ids)
{
  g_free (ids->ids);
  g_free (ids->slots);
  *ids = (TsEtfIds){ .n = 0 };
}
