/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf.h"

#define FIRST_SLOTS 256

void
ts_btf_names_init (TsBtfNames *names, guint recent_bits)
{
  names->recent = g_new0 (TsBtfRecent, (gsize) 1 << recent_bits);
  names->shift = 64 - recent_bits;
  names->slots = g_new0 (TsBtfSlot, FIRST_SLOTS);
  names->mask = FIRST_SLOTS - 1;
  names->entries = g_array_new (FALSE, FALSE, sizeof (TsBtfEntry));
  names->bytes = g_string_chunk_new (4096);
}

void
ts_btf_names_clear (TsBtfNames *names)
{
  g_free (names->recent);
  g_free (names->slots);
  g_array_unref (names->entries);
  g_string_chunk_free (names->bytes);
}

static void
put (TsBtfNames *names, TsBtfSlot slot)
{
  gsize i = slot.hash & names->mask;

  while (names->slots[i].number != 0)
    i = (i + 1) & names->mask;
  names->slots[i] = slot;
}

static void
grow (TsBtfNames *names)
{
  g_autofree TsBtfSlot *old = names->slots;
  gsize                 n = names->mask + 1;

  names->slots = g_new0 (TsBtfSlot, n * 2);
  names->mask = n * 2 - 1;
  for (gsize i = 0; i < n; i++)
    if (old[i].number != 0)
      put (names, old[i]);
}

guint32
ts_btf_names_add (TsBtfNames *names, TsBtfText text, guint32 hash)
{
  TsBtfEntry entry = { g_string_chunk_insert_len (names->bytes, text.begin, (gssize) text.length), text.length };

  if (names->entries->len >= names->mask / 2)
    grow (names);
  g_array_append_val (names->entries, entry);
  put (names, (TsBtfSlot){ hash, names->entries->len });
  return names->entries->len - 1;
}

static guint32
find (const TsBtfNames *names, TsBtfText text, guint32 hash)
{
  const TsBtfSlot  *slot;
  const TsBtfEntry *entry;

  for (gsize i = hash & names->mask;; i = (i + 1) & names->mask)
    {
      slot = &names->slots[i];
      if (slot->number == 0)
        return TS_BTF_NONE;
      if (slot->hash != hash)
        continue;
      entry = &g_array_index (names->entries, TsBtfEntry, slot->number - 1);
      if (entry->length == text.length && ts_btf_equal (entry->bytes, text.begin, text.length))
        return slot->number - 1;
    }
}

guint32
ts_btf_names_find_slow (TsBtfNames *names, TsBtfText text, guint32 *hash, TsBtfRecent *recent)
{
  guint32 number;

  *hash = ts_btf_hash (text);
  number = find (names, text, *hash);
  if (number != TS_BTF_NONE)
    {
      *recent = (TsBtfRecent){ .length = text.length + 1, .number = number };
      if (text.length >= 8)
        {
          memcpy (&recent->head, text.begin, 8);
          memcpy (&recent->tail, text.begin + text.length - 8, 8);
        }
      else
        recent->head = ts_btf_load_short (text.begin, text.length);
    }
  return number;
}
