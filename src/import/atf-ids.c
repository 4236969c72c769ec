/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/atf.h"

#define FIRST_SLOTS 64

/* Fibonacci hashing: ids of one file tend to be neighbours, or multiples of a power of two. */
static gsize
hash_id (guint64 id)
{
  id ^= id >> 32;
  return (gsize) ((id * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 20);
}

void
ts_atf_ids_clear (TsAtfIds *ids)
{
  g_free (ids->dense);
  g_free (ids->slots);
  *ids = (TsAtfIds){ 0 };
}

static void
insert_dense (TsAtfIds *ids, guint64 id, guint32 value)
{
  /* all at once: no more of it is touched than there are ids, and the system clears it */
  if (ids->dense == NULL)
    {
      ids->dense = g_new0 (guint32, TS_ATF_DENSE_IDS);
      ids->n_dense = TS_ATF_DENSE_IDS;
    }
  ids->dense[id] = value - TS_ATF_NO_VALUE;
}

/* The slot of @id, or the free one where it belongs. */
static TsAtfIdSlot *
find_slot (const TsAtfIds *ids, guint64 id)
{
  gsize mask = ids->n_slots - 1;
  gsize i = hash_id (id) & mask;

  while (ids->slots[i].value != TS_ATF_NO_VALUE && ids->slots[i].id != id)
    i = (i + 1) & mask;
  return &ids->slots[i];
}

static void
grow (TsAtfIds *ids)
{
  TsAtfIds larger = { .n_slots = MAX (FIRST_SLOTS, 2 * ids->n_slots) };

  larger.slots = g_new (TsAtfIdSlot, larger.n_slots);
  for (gsize i = 0; i < larger.n_slots; i++)
    larger.slots[i] = (TsAtfIdSlot){ 0, TS_ATF_NO_VALUE };
  for (gsize i = 0; i < ids->n_slots; i++)
    if (ids->slots[i].value != TS_ATF_NO_VALUE)
      *find_slot (&larger, ids->slots[i].id) = ids->slots[i];
  g_free (ids->slots);
  ids->slots = larger.slots;
  ids->n_slots = larger.n_slots;
}

void
ts_atf_ids_insert (TsAtfIds *ids, guint64 id, guint32 value)
{
  TsAtfIdSlot *slot;

  if (id < TS_ATF_DENSE_IDS)
    {
      insert_dense (ids, id, value);
      return;
    }
  if (2 * (ids->n_used + 1) > ids->n_slots)
    grow (ids);
  slot = find_slot (ids, id);
  if (slot->value == TS_ATF_NO_VALUE)
    ids->n_used++;
  *slot = (TsAtfIdSlot){ id, value };
}

guint32
ts_atf_ids_find_sparse (const TsAtfIds *ids, guint64 id)
{
  return ids->n_slots == 0 ? TS_ATF_NO_VALUE : find_slot (ids, id)->value;
}

static void
user_clear (gpointer data)
{
  g_free (((TsAtfUser *) data)->info);
}

void
ts_atf_users_clear (TsAtfUsers *users)
{
  g_clear_pointer (&users->users, g_array_unref);
  g_free (users->slots);
  *users = (TsAtfUsers){ 0 };
}

static guint32 *
find_user (const TsAtfUsers *users, guint64 event, guint64 reference)
{
  gsize mask = users->n_slots - 1;
  gsize i = hash_id (event * 31 + reference) & mask;

  for (; users->slots[i] != 0; i = (i + 1) & mask)
    {
      const TsAtfUser *user = &g_array_index (users->users, TsAtfUser, users->slots[i] - 1);

      if (user->reference == reference && user->event == event)
        break;
    }
  return &users->slots[i];
}

static void
grow_users (TsAtfUsers *users)
{
  if (users->users == NULL)
    {
      users->users = g_array_new (FALSE, FALSE, sizeof (TsAtfUser));
      g_array_set_clear_func (users->users, user_clear);
    }
  users->n_slots = MAX (FIRST_SLOTS, 2 * users->n_slots);
  g_free (users->slots);
  users->slots = g_new0 (guint32, users->n_slots);
  for (guint i = 0; i < users->users->len; i++)
    {
      const TsAtfUser *user = &g_array_index (users->users, TsAtfUser, i);

      *find_user (users, user->event, user->reference) = i + 1;
    }
}

TsAtfUser *
ts_atf_users_get (TsAtfUsers *users, guint64 event, guint64 reference)
{
  guint32 *slot;

  if (users->users == NULL || 2 * (gsize) (users->users->len + 1) > users->n_slots)
    grow_users (users);
  slot = find_user (users, event, reference);
  if (*slot == 0)
    {
      TsAtfUser user = { event, reference, 0, NULL };

      g_array_append_val (users->users, user);
      *slot = users->users->len;
    }
  return &g_array_index (users->users, TsAtfUser, *slot - 1);
}

TsAtfUser *
ts_atf_users_count (TsAtfUsers *users, guint64 event, guint64 reference)
{
  guint32   *slot = users->n_slots > 0 ? find_user (users, event, reference) : NULL;
  TsAtfUser *user;

  if (slot == NULL || *slot == 0)
    {
      if (users->n_unknown >= TS_ATF_MAX_UNKNOWN_USERS)
        reference = G_MAXUINT64;
      else
        users->n_unknown++;
      user = ts_atf_users_get (users, event, reference);
    }
  else
    user = &g_array_index (users->users, TsAtfUser, *slot - 1);
  user->count++;
  return user;
}

TsAtfTables *
ts_atf_tables_new (void)
{
  TsAtfTables *tables = g_new0 (TsAtfTables, 1);

  tables->elements = g_array_new (FALSE, FALSE, sizeof (TsAtfElement));
  tables->mappings = g_array_new (FALSE, FALSE, sizeof (TsAtfMapping));
  return tables;
}

void
ts_atf_tables_free (TsAtfTables *tables)
{
  if (tables == NULL)
    return;
  ts_atf_ids_clear (&tables->element_ids);
  ts_atf_ids_clear (&tables->event_ids);
  ts_atf_users_clear (&tables->infos);
  g_array_unref (tables->elements);
  g_array_unref (tables->mappings);
  g_free (tables);
}
