/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/atf.h"
#include "import/digits.h"

/* What ids mean, found by the bytes that they are written with. Those that have to be looked at each time, as they are
 * unknown, or of no event of an element where the number that those refer to is not read, are not among them. */

#define MIN_BITS 6
#define MAX_BITS 18
/* Two ids in one place are a branch that nobody foresees: up to this size a table grows until there are none. */
#define SPREAD_BITS 12
/* Long ids that have eight bytes in common are told apart one by one: further ones are looked up each time. */
#define MAX_IN_COMMON 16

static void
set_size (TsAtfMemos *memos, guint bits)
{
  memos->n_used = memos->n_moved = 0;
  memos->has_long = FALSE;
  memos->is_full = FALSE;
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

  memos->n_moved += memos->slots[i].bytes != 0;
  while (memos->slots[i].bytes != 0)
    i = (i + 1) & mask;
  memos->slots[i] = *memo;
  /* of short ids there may be thousands, and nobody asks */
  if (memo->length > TS_ATF_MEMO_SHORT)
    memos->more[i] = more;
  memos->n_used++;
  memos->has_long |= memo->length > TS_ATF_MEMO_SHORT;
}

/* Beyond a limit they are all forgotten, as one id can be written in many ways. */
static void
resize (TsAtfMemos *memos, guint bits)
{
  TsAtfMemos old = *memos;

  set_size (memos, MIN (bits, MAX_BITS));
  for (gsize i = 0; bits <= MAX_BITS && i < old.n_slots; i++)
    if (old.slots[i].bytes != 0)
      insert (memos, &old.slots[i], old.slots[i].length > TS_ATF_MEMO_SHORT ? old.more[i] : 0);
  memos->is_full = old.is_full && bits <= MAX_BITS;
  clear (&old);
}

static void
make_room (TsAtfMemos *memos, gsize n_more)
{
  guint now = 64 - memos->shift, bits = now;

  while (2 * (memos->n_used + n_more) > (gsize) 1 << bits)
    bits++;
  if (bits > now)
    resize (memos, bits);
}

static void
spread (TsAtfMemos *memos)
{
  while (memos->n_moved > 0 && 64 - memos->shift < SPREAD_BITS)
    resize (memos, 64 - memos->shift + 1);
}

static gboolean
look_up (const TsAtf *atf, guint8 role, const TsAtfNumber *number, TsAtfSpelling spelling, TsAtfMemo *memo)
{
  const TsAtfTables *tables = atf->lookup;
  guint64            id;
  guint32            found;

  if (!ts_atf_number_parse ((const char *) number->begin, (const char *) number->end, &id))
    return FALSE;
  found = ts_atf_ids_find (role == TS_ATF_SCAN_EVENT ? &tables->event_ids : &tables->element_ids, id);
  if (found == TS_ATF_NO_VALUE && role == TS_ATF_SCAN_EVENT && spelling != TS_ATF_DIGITS)
    {
      memo->value = TS_EVENT_USER;
      memo->resource = TS_ATF_UNMAPPED;
      return TRUE;
    }
  if (found == TS_ATF_NO_VALUE)
    return FALSE;
  if (role == TS_ATF_SCAN_EVENT)
    {
      memo->value = g_array_index (tables->mappings, TsAtfMapping, found).kind;
      memo->resource = (guint16) found;
    }
  else
    {
      memo->value = found;
      memo->resource = g_array_index (tables->elements, TsAtfElement, found).resource;
    }
  return role != TS_ATF_SCAN_EVENT || memo->value != TS_EVENT_USER
         || (spelling != TS_ATF_DIGITS && found < TS_ATF_UNMAPPED);
}

/* Elements by the thousand: none of them is to be found missing first. */

/* Beyond, most of the table would be of them, and forgotten for one more. */
#define MAX_FILLED (1u << (MAX_BITS - 2))

/* The bytes that @id, which is short, is known by; @beside are eight that it stands behind, or in front of. */
static guint64
spell (guint64 id, TsAtfSpelling spelling, guint64 beside, guint16 *length)
{
  guint64 digits = 0, bytes;
  guint   n_bits = 0;

  do
    {
      digits = digits << 8 | ('0' + id % 10);
      n_bits += 8;
    }
  while ((id /= 10) > 0);
  *length = (guint16) (n_bits / 8);
  if (spelling == TS_ATF_BEGINNING)
    return GUINT64_TO_LE (digits | beside << n_bits);
  bytes = beside >> n_bits | digits << (64 - n_bits);
  return spelling == TS_ATF_ENDING ? GUINT64_TO_LE (bytes) : (bytes ^ TS_EACH_BYTE ('0')) + 1;
}

static guint64
bytes_beside (const TsAtfNumber *number, TsAtfSpelling spelling)
{
  if (spelling == TS_ATF_DIGITS)
    return TS_EACH_BYTE ('0');
  return ts_eight_load (spelling == TS_ATF_BEGINNING ? number->end : number->begin - sizeof (guint64));
}

/* With all elements of short ids, written as @number is. */
static void
fill (TsAtfMemos *memos, const TsAtfTables *tables, TsAtfSpelling spelling, const TsAtfNumber *number)
{
  guint64 beside = bytes_beside (number, spelling);

  make_room (memos, tables->elements->len);
  memos->is_full = TRUE;
  for (guint i = 0; i < tables->elements->len; i++)
    {
      TsAtfMemo memo = { .value = i, .resource = g_array_index (tables->elements, TsAtfElement, i).resource };

      if (tables->element_ids.ids[i] >= TS_ATF_MEMO_SHORT_END)
        continue;
      memo.bytes = spell (tables->element_ids.ids[i], spelling, beside, &memo.length);
      if (ts_atf_memos_recall (memos, memo.bytes, NULL) == NULL)
        insert (memos, &memo, 0);
    }
  spread (memos);
}

static gboolean
is_crowded (const TsAtfMemos *memos, guint64 bytes)
{
  gsize i = ts_atf_memos_place (memos, bytes);
  guint n = 0;

  for (; memos->slots[i].bytes != 0 && n < MAX_IN_COMMON; i = (i + 1) & (memos->n_slots - 1))
    n += memos->slots[i].bytes == bytes;
  return n == MAX_IN_COMMON;
}

gboolean
ts_atf_memos_add (TsAtfMemos *memos, const TsAtf *atf, guint8 role, const TsAtfNumber *number,
                  TsAtfSpelling spelling, guint64 bytes, guint64 more)
{
  TsAtfMemo memo = { .bytes = bytes, .length = (guint16) (number->end - number->begin) };

  if ((memo.length > TS_ATF_MEMO_SHORT && is_crowded (memos, bytes)) || !look_up (atf, role, number, spelling, &memo))
    return FALSE;
  if (role == TS_ATF_SCAN_REFERENCE && !memos->is_full && memo.length <= TS_ATF_MEMO_SHORT
      && atf->lookup->elements->len <= MAX_FILLED)
    {
      fill (memos, atf->lookup, spelling, number);
      if (ts_atf_memos_recall (memos, bytes, (const guint8 *) &more) != NULL)
        return TRUE;
    }
  make_room (memos, 1);
  insert (memos, &memo, more);
  spread (memos);
  return TRUE;
}
