/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf-names.h"
#include "model/pages.h"

#define FIRST_SLOTS 256
#define MANY_SLOTS 16384 /* up to here tables grow by four, so that few names are put into several */

static gsize
n_slots (const TsBtfNames *names)
{
  return (gsize) 1 << (64 - names->shift);
}

static void
make_slots (TsBtfNames *names, gsize n)
{
  names->slots = ts_pages_resize (NULL, 0, n * sizeof *names->slots);
  names->shift = 64 - g_bit_storage (n - 1);
}

static void
free_slots (TsBtfNames *names)
{
  ts_pages_release (names->slots, n_slots (names) * sizeof *names->slots);
}

void
ts_btf_names_init (TsBtfNames *names)
{
  make_slots (names, FIRST_SLOTS);
  names->entries = g_array_new (FALSE, FALSE, sizeof (TsBtfEntry));
  names->bytes = g_string_chunk_new (4096);
}

void
ts_btf_names_clear (TsBtfNames *names)
{
  free_slots (names);
  g_array_unref (names->entries);
  g_string_chunk_free (names->bytes);
}

static const TsBtfSlot *
next_slot (const TsBtfNames *names, const TsBtfSlot *slot)
{
  return slot + 1 < names->slots + n_slots (names) ? slot + 1 : names->slots;
}

static void
put (TsBtfNames *names, TsBtfText text, guint32 number)
{
  TsBtfSlot        new_slot = ts_btf_slot_of (text);
  const TsBtfSlot *slot = &names->slots[ts_btf_hash_slot (&new_slot, text) >> names->shift];

  while (slot->length > 0)
    slot = next_slot (names, slot);
  new_slot.number = number;
  names->slots[slot - names->slots] = new_slot;
}

static void
grow (TsBtfNames *names)
{
  const TsBtfEntry *entries = (const TsBtfEntry *) (gconstpointer) names->entries->data;
  const gsize       n = n_slots (names);

  free_slots (names);
  make_slots (names, n <= MANY_SLOTS ? 4 * n : 2 * n);
  for (guint32 i = 0; i < names->entries->len; i++)
    put (names, (TsBtfText){ entries[i].bytes, entries[i].length }, i);
}

guint32
ts_btf_names_add (TsBtfNames *names, TsBtfText text)
{
  TsBtfEntry    entry = { g_string_chunk_insert_len (names->bytes, text.begin, (gssize) text.length), text.length };
  const guint32 number = names->entries->len;

  if (number >= n_slots (names) / 3 * 2)
    grow (names);
  g_array_append_val (names->entries, entry);
  put (names, text, number);
  return number;
}

const TsBtfSlot *
ts_btf_names_find_behind (const TsBtfNames *names, const TsBtfSlot *slot, TsBtfText text)
{
  const TsBtfSlot other = ts_btf_slot_of (text);

  while (slot->length > 0 && !ts_btf_is_in (names, slot, &other, text))
    slot = next_slot (names, slot);
  return slot;
}
