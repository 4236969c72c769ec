/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdlib.h>

#include "analyse/siblings.h"
#include "model/pages.h"

/* Siblings that wait for long. */

#define FIRST_BITS 8
/* Up to so many a quarter of them is used: which siblings have places next to each other is foreseen by nobody. */
#define SPARSE_PLACES 16384

static inline gsize
n_places (const TsWaiting *waiting)
{
  return waiting->places != NULL ? (gsize) 1 << (32 - waiting->shift) : 0;
}

/* How many may be used. */
static inline gsize
n_usable (const TsWaiting *waiting)
{
  const gsize n = n_places (waiting);

  return n <= SPARSE_PLACES ? n / 4 : n / 4 * 3;
}

static inline gboolean
is_free (const TsSibling *place)
{
  return place->element == TS_NO_ELEMENT;
}

/* Where it is, or else a free place. */
static TsSibling *
find (const TsWaiting *waiting, guint32 element, gint32 instance)
{
  const gsize mask = n_places (waiting) - 1;
  gsize       i = ts_instance_place (element, instance, waiting->shift);

  while (!is_free (&waiting->places[i])
         && (waiting->places[i].instance != instance || waiting->places[i].element != element))
    i = (i + 1) & mask;
  return &waiting->places[i];
}

static void
make_places (TsWaiting *waiting, guint bits)
{
  const gsize n = (gsize) 1 << bits;

  waiting->shift = 32 - bits;
  waiting->places = ts_pages_resize (NULL, 0, n * sizeof (TsSibling));
  for (gsize i = 0; i < n; i++)
    waiting->places[i].element = TS_NO_ELEMENT;
}

static void
grow (TsWaiting *waiting)
{
  const TsWaiting old = *waiting;
  const gsize     n_old = n_places (&old);

  make_places (waiting, n_old > 0 ? 32 - old.shift + 1 : FIRST_BITS);
  for (gsize i = 0; i < n_old; i++)
    if (!is_free (&old.places[i]))
      *find (waiting, old.places[i].element, old.places[i].instance) = old.places[i];
  ts_pages_release (old.places, n_old * sizeof (TsSibling));
}

void
ts_waiting_put (TsWaiting *waiting, const TsSibling *sibling)
{
  if (waiting->n >= n_usable (waiting))
    grow (waiting);
  *find (waiting, sibling->element, sibling->instance) = *sibling;
  waiting->n++;
}

TsSibling *
ts_waiting_find (const TsWaiting *waiting, guint32 element, gint32 instance)
{
  TsSibling *place;

  if (waiting->n == 0)
    return NULL;
  place = find (waiting, element, instance);
  return is_free (place) ? NULL : place;
}

/* What stands behind moves up, where it is closer to its own place. */
static void
remove_at (TsWaiting *waiting, gsize hole)
{
  TsSibling  *places = waiting->places;
  const gsize mask = n_places (waiting) - 1;

  for (gsize i = (hole + 1) & mask; !is_free (&places[i]); i = (i + 1) & mask)
    if (((i - ts_instance_place (places[i].element, places[i].instance, waiting->shift)) & mask) >= ((i - hole) & mask))
      {
        places[hole] = places[i];
        hole = i;
      }
  places[hole].element = TS_NO_ELEMENT;
  waiting->n--;
}

gboolean
ts_waiting_take (TsWaiting *waiting, guint32 element, gint32 instance, TsSibling *sibling)
{
  TsSibling *place = ts_waiting_find (waiting, element, instance);

  if (place == NULL)
    return FALSE;
  *sibling = *place;
  remove_at (waiting, (gsize) (place - waiting->places));
  return TRUE;
}

/* In order */

static int
compare (gconstpointer a, gconstpointer b)
{
  const TsSibling *left = a, *right = b;

  if (left->element != right->element)
    return left->element < right->element ? -1 : 1;
  return left->instance < right->instance ? -1 : left->instance > right->instance;
}

void
ts_waiting_sort (TsWaiting *waiting)
{
  const gsize n = n_places (waiting);
  TsSibling  *to = waiting->places;

  for (gsize i = 0; i < n; i++)
    if (!is_free (&waiting->places[i]))
      *to++ = waiting->places[i];
  if (waiting->n > 0)
    qsort (waiting->places, waiting->n, sizeof (TsSibling), compare);
}

/* The place of the first one of @element, or of one behind it. */
static guint
find_first (const TsWaiting *waiting, guint32 element)
{
  guint begin = 0, end = waiting->n;

  while (begin < end)
    {
      guint middle = begin + (end - begin) / 2;

      if (waiting->places[middle].element < element)
        begin = middle + 1;
      else
        end = middle;
    }
  return begin;
}

guint
ts_waiting_of (const TsWaiting *waiting, guint32 element, const TsSibling **first)
{
  guint begin;

  if (waiting->n == 0)
    return 0;
  begin = find_first (waiting, element);
  *first = &waiting->places[begin];
  return find_first (waiting, element + 1) - begin;
}

void
ts_waiting_clear (TsWaiting *waiting)
{
  if (waiting->places != NULL)
    ts_pages_release (waiting->places, n_places (waiting) * sizeof (TsSibling));
  *waiting = (TsWaiting){ 0 };
}
