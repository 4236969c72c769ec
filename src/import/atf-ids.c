/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/atf.h"
#include "import/ids.h"

#define FIRST_SLOTS 64

static void
clear (TsAtfIds *ids)
{
  g_free (ids->ids);
  g_free (ids->slots);
  *ids = (TsAtfIds){ 0 };
}

static guint32 *
find_slot (const TsAtfIds *ids, guint64 id)
{
  return ts_ids_slot (ids->ids, ids->slots, ids->n_slots, id);
}

static void
grow (TsAtfIds *ids)
{
  ids->n_slots = MAX (FIRST_SLOTS, 2 * ids->n_slots);
  ids->ids = g_renew (guint64, ids->ids, ids->n_slots / 2);
  g_free (ids->slots);
  ids->slots = g_new0 (guint32, ids->n_slots);
  for (guint32 i = 0; i < ids->n; i++)
    *find_slot (ids, ids->ids[i]) = i + 1;
}

void
ts_atf_ids_add (TsAtfIds *ids, guint64 id)
{
  if (2 * ((gsize) ids->n + 1) > ids->n_slots)
    grow (ids);
  *find_slot (ids, id) = ids->n + 1;
  ids->ids[ids->n++] = id;
}

guint32
ts_atf_ids_find (const TsAtfIds *ids, guint64 id)
{
  return ids->n > 0 ? *find_slot (ids, id) - 1 : TS_ATF_NO_VALUE;
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
  gsize i = ts_ids_hash (event * 31 + reference) & mask;

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

gboolean
ts_atf_users_have (const TsAtfUsers *users, guint64 event, guint64 reference)
{
  const guint32 *slot = users->n_slots > 0 ? find_user (users, event, reference) : NULL;

  return slot != NULL && *slot != 0 && g_array_index (users->users, TsAtfUser, *slot - 1).info != NULL;
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
  clear (&tables->element_ids);
  clear (&tables->event_ids);
  ts_atf_users_clear (&tables->infos);
  g_array_unref (tables->elements);
  g_array_unref (tables->mappings);
  g_free (tables);
}
