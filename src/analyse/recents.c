/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "analyse/measures.h"
#include "model/pages.h"

/* What was added last, of all elements in one row, until it is counted. */

#define FIRST_ROOM 64
#define LEAST_ROOM 1024
#define MUCH_ROOM (256 * 1024) /* 8 MiB */
/* So much for an element, that what is done once for all that came of it is little for each; beyond MUCH_ROOM as much
 * as there must be. */
#define SLOTS_AN_ELEMENT 64
#define FEW_ELEMENTS 64 /* each of the first has twice as much */
#define LEAST_SLOTS_AN_ELEMENT 8
#define MOST_SLOTS 4 /* of an instance, the last of which only fills a line of the cache */

static void
resize (TsRecents *recents, guint n_room)
{
  gsize before = recents->n_room;

  recents->words = ts_pages_resize (recents->words, before * sizeof (TsRecentSlot), n_room * sizeof (TsRecentSlot));
  recents->places = ts_pages_resize (recents->places, before * sizeof (TsRecentPlace), n_room * sizeof (TsRecentPlace));
  recents->n_room = n_room;
}

void
ts_recents_drop_room (TsRecents *recents)
{
  ts_pages_release (recents->words, recents->n_room * sizeof (TsRecentSlot));
  ts_pages_release (recents->places, recents->n_room * sizeof (TsRecentPlace));
  g_clear_pointer (&recents->sorted, g_free);
  recents->words = NULL;
  recents->places = NULL;
  recents->n_room = recents->full = 0;
}

void
ts_recents_free (TsRecents *recents)
{
  ts_recents_drop_room (recents);
  g_clear_pointer (&recents->counts, g_free);
  g_clear_pointer (&recents->sections, g_array_unref);
}

void
ts_recents_add_elements (TsRecents *recents, guint n_before, guint n_elements)
{
  recents->counts = g_renew (guint32, recents->counts, n_elements);
  memset (recents->counts + n_before, 0, (n_elements - n_before) * sizeof *recents->counts);
}

void
ts_recents_begin_section (TsRecents *recents, guint32 section)
{
  const TsSampleSection begun = { recents->n_words, section };

  if (recents->sections == NULL)
    recents->sections = g_array_new (FALSE, FALSE, sizeof (TsSampleSection));
  /* nothing is here of the one before */
  if (recents->sections->len > 0
      && g_array_index (recents->sections, TsSampleSection, recents->sections->len - 1).from == begun.from)
    g_array_set_size (recents->sections, recents->sections->len - 1);
  g_array_append_val (recents->sections, begun);
}

TsSamplePlaces
ts_recents_places (const TsRecents *recents, const gint64 *numbers, const gint64 *times, const guint32 *order,
                   gint64 time)
{
  const GArray *sections = recents->sections;

  /* one section may begin before another one in time */
  return (TsSamplePlaces){ numbers, times, order, sections->len > 1 ? G_MININT64 : time,
                           (const TsSampleSection *) (gpointer) sections->data, sections->len };
}

gboolean
ts_recents_grow (TsRecents *recents, guint n_elements)
{
  guint most = CLAMP ((MIN (n_elements, MUCH_ROOM) + MIN (n_elements, FEW_ELEMENTS)) * SLOTS_AN_ELEMENT, LEAST_ROOM,
                      MAX (MUCH_ROOM, n_elements * LEAST_SLOTS_AN_ELEMENT));

  if (recents->n_room >= most)
    return FALSE;
  resize (recents, MIN (MAX (2 * recents->n_room, FIRST_ROOM), most));
  recents->full = (recents->n_room - MOST_SLOTS) * (guint) TS_RECENT_WORDS + 1;
  g_free (recents->sorted);
  recents->sorted = g_new (guint32, recents->n_room + TS_RECENTS_AHEAD);
  return TRUE;
}

void
ts_recents_sort (TsRecents *recents, guint n_elements)
{
  const TsRecentPlace *place = recents->places, *end = place + recents->n_places;
  guint32             *next = recents->counts, *sorted = recents->sorted, before = 0;

  /* a third slot is read of every instance, whether it has one or not: of the last one, too */
  if (recents->n_words + TS_RECENT_WORDS <= recents->n_room * TS_RECENT_WORDS)
    memset (ts_recents_slots (recents, recents->n_words), 0, sizeof (TsRecentSlot));
  for (guint i = 0; i < n_elements; i++)
    {
      guint32 count = next[i];

      next[i] = before;
      before += count;
    }
  for (; place < end; place++)
    sorted[next[place->element]++] = place->words;
  for (guint i = 0; i < TS_RECENTS_AHEAD; i++)
    sorted[recents->n_places + i] = 0;
}

void
ts_recents_empty (TsRecents *recents, guint n_elements)
{
  memset (recents->counts, 0, n_elements * sizeof *recents->counts);
  recents->n_words = recents->n_places = 0;
  if (recents->sections->len > 1)
    g_array_remove_range (recents->sections, 0, recents->sections->len - 1);
  g_array_index (recents->sections, TsSampleSection, 0).from = 0;
}
