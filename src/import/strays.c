/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/held.h"
#include "import/strays.h"

/* So many readings learn something; what is new once more would be so in each. */
#define MOST_LESSONS 3

typedef struct
{
  guint   section; /* from 1 */
  guint64 place;   /* in it */
} Place;

struct _TsStrays
{
  gsize    size;
  GArray  *learnt;   /* items, in the order of the file */
  GArray  *places;   /* of each of these, a Place */
  GArray  *due;      /* items of this section, in the order of time */
  guint    n_taken;  /* of @due */
  guint    n_passed; /* of @learnt: those in front of where the reading is */
  guint    section;
  guint    n_lessons;
  gint64   scale;  /* of the times in @learnt */
  gboolean learns; /* in this reading */
  gboolean are_given_up;
};

guint ts_most_strays = 32768;

TsStrays *
ts_strays_new (gsize size)
{
  TsStrays *strays = g_new0 (TsStrays, 1);

  strays->size = size;
  strays->learnt = g_array_new (FALSE, FALSE, (guint) size);
  strays->places = g_array_new (FALSE, FALSE, sizeof (Place));
  strays->due = g_array_new (FALSE, FALSE, (guint) size);
  return strays;
}

void
ts_strays_free (TsStrays *strays)
{
  if (strays == NULL)
    return;
  g_array_unref (strays->learnt);
  g_array_unref (strays->places);
  g_array_unref (strays->due);
  g_free (strays);
}

void
ts_strays_forget (TsStrays *strays)
{
  g_array_set_size (strays->learnt, 0);
  g_array_set_size (strays->places, 0);
  g_array_set_size (strays->due, 0);
  strays->n_taken = strays->n_passed = 0;
}

void
ts_strays_give_up (TsStrays *strays)
{
  ts_strays_forget (strays);
  strays->are_given_up = TRUE;
}

gboolean
ts_strays_are_given_up (const TsStrays *strays)
{
  return strays->are_given_up;
}

void
ts_strays_begin_reading (TsStrays *strays)
{
  strays->n_passed = strays->section = 0;
  strays->learns = FALSE;
}

/* The next one that is known and did not pass yet; NULL: there is none. */
static const Place *
next_place (const TsStrays *strays)
{
  return strays->n_passed < strays->places->len ? &g_array_index (strays->places, Place, strays->n_passed) : NULL;
}

static gconstpointer
item_at (const TsStrays *strays, const GArray *items, guint i)
{
  return items->data + i * strays->size;
}

void
ts_strays_begin_section (TsStrays *strays, gint64 scale)
{
  guint n = 0;

  if (strays->scale != scale)
    ts_strays_forget (strays);
  strays->section++;
  while (next_place (strays) != NULL && next_place (strays)->section < strays->section)
    strays->n_passed++;
  while (strays->n_passed + n < strays->places->len
         && g_array_index (strays->places, Place, strays->n_passed + n).section == strays->section)
    n++;
  g_array_set_size (strays->due, 0);
  if (n > 0)
    g_array_append_vals (strays->due, item_at (strays, strays->learnt, strays->n_passed), n);
  /* in a stable way, so that equal stamps stay in the order of the file (METRICS, rule 14) */
  g_array_sort_with_data (strays->due, ts_held_compare, NULL);
  strays->n_taken = 0;
}

gconstpointer
ts_strays_pass (TsStrays *strays, guint64 place)
{
  const Place *next = next_place (strays);

  if (next == NULL || next->section != strays->section || next->place != place)
    return NULL;
  return item_at (strays, strays->learnt, strays->n_passed++);
}

gboolean
ts_strays_have_passed (const TsStrays *strays)
{
  const Place *next = next_place (strays);

  return next == NULL || next->section > strays->section;
}

/* Those that should have come up to @place, and did not, or were others. */
static void
drop_others (TsStrays *strays, guint64 place)
{
  guint n = 0;

  if (strays->n_passed > 0)
    {
      const Place *last = &g_array_index (strays->places, Place, strays->n_passed - 1);

      if (last->section == strays->section && last->place == place)
        {
          strays->n_passed--;
          n = 1;
        }
    }
  for (; strays->n_passed + n < strays->places->len; n++)
    {
      const Place *next = &g_array_index (strays->places, Place, strays->n_passed + n);

      if (next->section != strays->section || next->place > place)
        break;
    }
  if (n == 0)
    return;
  g_array_remove_range (strays->learnt, strays->n_passed, n);
  g_array_remove_range (strays->places, strays->n_passed, n);
}

gboolean
ts_strays_learn (TsStrays *strays, gconstpointer item, guint64 place, gint64 scale)
{
  const Place where = { strays->section, place };

  strays->n_lessons += !strays->learns;
  strays->learns = TRUE;
  strays->scale = scale;
  if (strays->are_given_up || strays->n_lessons > MOST_LESSONS || strays->learnt->len >= ts_most_strays)
    {
      ts_strays_give_up (strays);
      return FALSE;
    }
  drop_others (strays, place);
  g_array_insert_vals (strays->learnt, strays->n_passed, item, 1);
  g_array_insert_val (strays->places, strays->n_passed, where);
  strays->n_passed++;
  return TRUE;
}

gint64
ts_strays_next_time (const TsStrays *strays)
{
  return strays->n_taken < strays->due->len ? ts_held_time (item_at (strays, strays->due, strays->n_taken))
                                            : G_MAXINT64;
}

gconstpointer
ts_strays_take (TsStrays *strays)
{
  return item_at (strays, strays->due, strays->n_taken++);
}
