/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/strays.h"

/* So many readings learn something; what is new once more would be so in each. */
#define MOST_LESSONS 3

typedef struct
{
  TsEvent event;
  guint   section; /* from 1 */
  guint64 place;   /* in it */
} Stray;

struct _TsStrays
{
  GArray  *learnt; /* of Stray, in the order of the file */
  GArray  *due;    /* of TsEvent, of this section, in the order of time */
  guint    n_taken; /* of @due */
  guint    n_passed; /* of @learnt: those in front of where the reading is */
  guint    section;
  guint    n_lessons;
  gint64   scale; /* of the times in @learnt */
  gboolean learns; /* in this reading */
  gboolean are_given_up;
};

guint ts_most_strays = 32768;

TsStrays *
ts_strays_new (void)
{
  TsStrays *strays = g_new0 (TsStrays, 1);

  strays->learnt = g_array_new (FALSE, FALSE, sizeof (Stray));
  strays->due = g_array_new (FALSE, FALSE, sizeof (TsEvent));
  return strays;
}

void
ts_strays_free (TsStrays *strays)
{
  if (strays == NULL)
    return;
  g_array_unref (strays->learnt);
  g_array_unref (strays->due);
  g_free (strays);
}

static void
forget (TsStrays *strays)
{
  g_array_set_size (strays->learnt, 0);
  g_array_set_size (strays->due, 0);
  strays->n_taken = strays->n_passed = 0;
}

void
ts_strays_give_up (TsStrays *strays)
{
  forget (strays);
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

static gint
compare_times (gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer data)
{
  const TsEvent *left = a, *right = b;

  return left->time < right->time ? -1 : left->time > right->time;
}

void
ts_strays_begin_section (TsStrays *strays, gint64 scale)
{
  if (strays->scale != scale)
    forget (strays);
  strays->section++;
  g_array_set_size (strays->due, 0);
  strays->n_taken = 0;
  while (strays->n_passed < strays->learnt->len
         && g_array_index (strays->learnt, Stray, strays->n_passed).section < strays->section)
    strays->n_passed++;
  for (guint i = strays->n_passed; i < strays->learnt->len; i++)
    {
      const Stray *stray = &g_array_index (strays->learnt, Stray, i);

      if (stray->section != strays->section)
        break;
      g_array_append_val (strays->due, stray->event);
    }
  /* in a stable way, so that equal stamps stay in the order of the file (METRICS, rule 14) */
  g_array_sort_with_data (strays->due, compare_times, NULL);
}

gboolean
ts_strays_pass (TsStrays *strays, const TsEvent *event, guint64 place)
{
  const Stray *next = &g_array_index (strays->learnt, Stray, strays->n_passed);

  if (strays->n_passed == strays->learnt->len || next->section != strays->section || next->place != place
      || memcmp (&next->event, event, sizeof *event) != 0)
    return FALSE;
  strays->n_passed++;
  return TRUE;
}

gboolean
ts_strays_have_passed (const TsStrays *strays)
{
  return strays->n_passed == strays->learnt->len
         || g_array_index (strays->learnt, Stray, strays->n_passed).section > strays->section;
}

/* Those that should have come up to @place, and did not. */
static void
drop_missing (TsStrays *strays, guint64 place)
{
  guint n = 0;

  for (guint i = strays->n_passed; i < strays->learnt->len; i++, n++)
    {
      const Stray *stray = &g_array_index (strays->learnt, Stray, i);

      if (stray->section != strays->section || stray->place > place)
        break;
    }
  if (n > 0)
    g_array_remove_range (strays->learnt, strays->n_passed, n);
}

gboolean
ts_strays_learn (TsStrays *strays, const TsEvent *event, guint64 place, gint64 scale)
{
  const Stray stray = { *event, strays->section, place };

  strays->n_lessons += !strays->learns;
  strays->learns = TRUE;
  strays->scale = scale;
  if (strays->are_given_up || strays->n_lessons > MOST_LESSONS || strays->learnt->len >= ts_most_strays)
    return FALSE;
  drop_missing (strays, place);
  g_array_insert_val (strays->learnt, strays->n_passed++, stray);
  return TRUE;
}

gint64
ts_strays_next_time (const TsStrays *strays)
{
  return strays->n_taken < strays->due->len ? g_array_index (strays->due, TsEvent, strays->n_taken).time : G_MAXINT64;
}

const TsEvent *
ts_strays_take (TsStrays *strays)
{
  return &g_array_index (strays->due, TsEvent, strays->n_taken++);
}
