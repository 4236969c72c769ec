/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/atf.h"

/* What ids mean, found by the bytes that they are written with. Those that have to be looked at each time, of user
 * events or unknown, are not among them. */

static void
clear (TsAtfMemos *memos)
{
  if (!memos->has_any)
    return;
  memset (memos->kinds, 0, sizeof memos->kinds);
  memset (memos->elements, 0, sizeof memos->elements);
  memos->has_any = FALSE;
}

void
ts_atf_memos_forget (TsAtf *atf)
{
  clear (&atf->scan.memos);
  clear (&atf->scan.digit_memos);
  atf->scan.has_long_ids = FALSE;
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
  TsAtfMemo new = { .bytes = bytes, .more = more, .length = (guint32) (number->end - number->begin) }, *memo;

  if (!look_up (atf, role, number, &new))
    return FALSE;
  memo = ts_atf_memos_place (memos, role, bytes);
  *ts_atf_memos_beside (memos, role, memo) = *memo;
  *memo = new;
  memos->has_any = TRUE;
  return TRUE;
}
