/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf-index.h"

#define FIRST_ROOM 128
#define FIRST_PLACES ((gsize) 1 << TS_BTF_FIRST_PLACES_BITS)
/* So many have the same place before another one is not learnt: texts may have been made to hash alike. */
#define MAX_OF_PLACE 64

/* Of @n records, in lines of the cache. */
static gsize
memory_size (const TsBtfIndex *index, gsize n)
{
  return n > 0 ? n * index->size + TS_CACHE_LINE : 0;
}

/* Those that are there stay where they are among themselves. */
static void
make_room (TsBtfIndex *index, gsize n)
{
  const gsize begin = index->memory != NULL ? (gsize) (index->records - (char *) index->memory) : 0;

  index->memory = ts_pages_resize (index->memory, memory_size (index, index->n_room), memory_size (index, n));
  index->records = ts_pages_first_line (index->memory);
  /* memory that has moved may begin elsewhere in a line */
  memmove (index->records, (char *) index->memory + begin, index->n * index->size);
  index->kept = ts_pages_resize (index->kept, index->n_room * sizeof *index->kept, n * sizeof *index->kept);
  index->n_room = (guint) n;
}

static gsize
places_size (const TsBtfIndex *index)
{
  return sizeof *index->places << (64 - index->shift);
}

/* Behind those that are found in the same places already: what comes early mostly comes often. */
static void
hang_in (TsBtfIndex *index, gsize i)
{
  const guint32 hash = index->kept[i].hash, place = (guint32) (i * index->size);
  TsBtfPlaces  *places = &index->places[hash >> (index->shift - 32)];
  TsBtfKept    *last;

  index->kept[i].next = 0;
  if (places->first == 0)
    {
      *places = (TsBtfPlaces){ place, place | (hash & TS_BTF_TAG) };
      return;
    }
  for (last = ts_btf_index_kept (index, places->first); last->next > 0;)
    last = ts_btf_index_kept (index, last->next);
  last->next = place;
  /* all in front of it have the tag of the first one */
  if ((places->second & ~(guint32) TS_BTF_TAG) == places->first
      && (places->second & TS_BTF_TAG) != (hash & TS_BTF_TAG))
    places->second = place | (hash & TS_BTF_TAG);
}

static void
make_places (TsBtfIndex *index)
{
  const gsize n = MAX ((gsize) index->n_room * index->n_places, FIRST_PLACES);

  if (index->places != NULL)
    ts_pages_release (index->places, places_size (index));
  index->shift = 64 - g_bit_storage (n - 1);
  index->places = ts_pages_resize (NULL, 0, places_size (index));
  for (gsize i = index->n_own; i < index->n; i++)
    hang_in (index, i);
}

void
ts_btf_index_init (TsBtfIndex *index, gsize size, guint n_places, guint n_own)
{
  *index = (TsBtfIndex){ .size = size, .size_shift = g_bit_storage (size) - 1, .n_places = n_places, .n_own = n_own };
  make_room (index, FIRST_ROOM);
  index->n = n_own;
  make_places (index);
}

void
ts_btf_index_clear (TsBtfIndex *index)
{
  ts_pages_release (index->memory, memory_size (index, index->n_room));
  ts_pages_release (index->places, places_size (index));
  ts_pages_release (index->kept, index->n_room * sizeof *index->kept);
}

void
ts_btf_index_forget (TsBtfIndex *index)
{
  if (index->n == index->n_own)
    return;
  memset (index->places, 0, places_size (index));
  index->n = index->n_own;
}

static gboolean
is_crowded (const TsBtfIndex *index, guint64 hash)
{
  gsize place = ts_btf_index_place (index, hash);
  guint n = 0;

  for (; place > 0 && n < MAX_OF_PLACE; place = ts_btf_index_kept (index, place)->next)
    n++;
  return n == MAX_OF_PLACE;
}

gboolean
ts_btf_index_has_room (TsBtfIndex *index, guint64 hash, guint n_most)
{
  if (index->n >= n_most || is_crowded (index, hash))
    return FALSE;
  if (index->n == index->n_room)
    {
      make_room (index, 2 * (gsize) index->n_room);
      make_places (index);
    }
  return TRUE;
}

gpointer
ts_btf_index_add (TsBtfIndex *index, guint64 hash, const TsBtfTexts *texts, guint32 flags)
{
  const gsize i = index->n++;

  index->kept[i] = (TsBtfKept){ .hash = (guint32) (hash >> 32), .texts = *texts, .flags = flags };
  hang_in (index, i);
  return ts_btf_index_at (index, i * index->size);
}
