/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/atf.h"

/* What ids mean, found by the bytes that they are written with. Those that have to be looked at each time, of user
 * events or unknown, are not among them. */

#define MIN_BITS 10
#define MAX_BITS 18

static void
set_size (TsAtfMemos *memos, guint bits)
{
  memos->n_used = 0;
  memos->has_long = FALSE;
  memos->n_slots = (gsize) 1 << bits;
  memos->shift = 64 - bits;
  memos->slots = g_new0 (TsAtfMemo, memos->n_slots);
  memos->more = g_new (guint64, memos->n_slots);
}

static void
clear (TsAtfMemos *memos)
{
  g_free (memos->slots);
  g_free (memos->more);
}

void
ts_atf_memos_free (TsAtf *atf)
{
  for (guint i = 0; i < TS_ATF_SCAN_IDS; i++)
    {
      clear (&atf->scan.memos[i]);
      clear (&atf->scan.digit_memos[i]);
    }
}

void
ts_atf_memos_begin (TsAtf *atf)
{
  ts_atf_memos_free (atf);
  for (guint i = 0; i < TS_ATF_SCAN_IDS; i++)
    {
      set_size (&atf->scan.memos[i], MIN_BITS);
      set_size (&atf->scan.digit_memos[i], MIN_BITS);
    }
}

/* There is room for it. */
static void
insert (TsAtfMemos *memos, const TsAtfMemo *memo, guint64 more)
{
  gsize mask = memos->n_slots - 1, i = ts_atf_memos_place (memos, memo->bytes);

  while (memos->slots[i].bytes != 0)
    i = (i + 1) & mask;
  memos->slots[i] = *memo;
  memos->more[i] = more;
  memos->n_used++;
  memos->has_long |= memo->length > TS_ATF_MEMO_SHORT;
}

/* Beyond a limit they are all forgotten, as one id can be written in many ways. */
static void
grow (TsAtfMemos *memos)
{
  TsAtfMemos old = *memos;
  guint      bits = 64 - old.shift;

  set_size (memos, MIN (bits + 1, MAX_BITS));
  for (gsize i = 0; bits < MAX_BITS && i < old.n_slots; i++)
    if (old.slots[i].bytes != 0)
      insert (memos, &old.slots[i], old.more[i]);
  clear (&old);
}

static gboolean
look_up (const TsAtf *atf, guint8 role, const TsAtfNumber *number, TsAtfMemo *memo)
{
  const TsAtfTables *tables = atf->lookup;
  guint64            id;
  guint32            found;

  if (!ts_atf_number_parse ((const char *) number->begin, (const char *) number->end, &id))
    return FALSE;
  found = ts_atf_ids_find (role == TS_ATF_SCAN_EVENT ? &tables->event_ids : &tables->element_ids, id);
  if (found == TS_ATF_NO_VALUE)
    return FALSE;
  if (role == TS_ATF_SCAN_EVENT)
    memo->value = g_array_index (tables->mappings, TsAtfMapping, found).kind;
  else
    {
      memo->value = found;
      memo->resource = g_array_index (tables->elements, TsAtfElement, found).resource;
    }
  return role != TS_ATF_SCAN_EVENT || memo->value != TS_EVENT_USER;
}

gboolean
ts_atf_memos_add (TsAtfMemos *memos, const TsAtf *atf, guint8 role, const TsAtfNumber *number, guint64 bytes,
                  guint64 more)
{
  TsAtfMemo memo = { .bytes = bytes, .length = (guint16) (number->end - number->begin) };

  if (!look_up (atf, role, number, &memo))
    return FALSE;
  if (2 * (memos->n_used + 1) > memos->n_slots)
    grow (memos);
  insert (memos, &memo, more);
  return TRUE;
}
