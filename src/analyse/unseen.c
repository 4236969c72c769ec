/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "analyse/life.h"
#include "analyse/unseen.h"

#define MOST_UNSEEN 65536 /* of functions that many tasks call nothing more is believed */

#define RECENT 256 /* a power of two */

/* A function in a task that was there before, or of which nothing was seen. */
typedef struct
{
  guint32  element, owner;
  guint16  resource; /* where the event names no owner, and nobody is known to run there since then */
  gint64   since;
  gboolean has_head; /* it was open in it, too */
  gint32   instance; /* the lowest one of these */
  gint64   started;  /* when it was seen to start in it; G_MININT64: it was not */
} Unseen;

struct _TsUnseen
{
  GHashTable *all; /* of Unseen, which are their own keys */
  /* By their hashes, the latest of those that share a place: where tasks have no events at all, each start of a function that
   * several of them call comes here. NULL: none, or it is to be looked up. */
  Unseen *recent[RECENT];
};

/* Whether @event happens in a task that it names, and that was there before the section began. */
static gboolean
names_head (TsTimeline *timeline, const TsEvent *event)
{
  const TsJob *owner = event->owner != TS_NO_ELEMENT ? ts_owner_of (timeline, event) : NULL;

  return owner != NULL && ts_job_was_there (owner);
}

gboolean
ts_unseen_is_in_named_head (TsTimeline *timeline, const TsElementState *state, const TsEvent *event)
{
  return state->class == TS_CLASS_NESTED && !ts_owner_numbers_are_meant (state, event->instance)
         && names_head (timeline, event);
}

/* Whether @event happens in a task of which nothing was seen yet, which it names, or which is where nobody is known to run: then
 * that was there before the section began. Where preemptions are inferred, one that goes on says nothing. */
static gboolean
is_in_unseen (TsTimeline *timeline, const TsEvent *event)
{
  const TsCore *core = ts_timeline_core (timeline, event->resource);

  if (event->owner == TS_NO_ELEMENT)
    return ts_timeline_runner (timeline, event->resource) == NULL && (timeline->infers || core->accounted == core->begin);
  /* of a name that is no element yet nothing can have been seen */
  return event->owner >= timeline->n_elements || ts_timeline_element (timeline, event->owner)->fresh;
}

/* Whether numbers tell instances of @state apart, and @event names the task that it happens in. */
static gboolean
names_both (const TsElementState *state, const TsEvent *event)
{
  return event->owner != TS_NO_ELEMENT && ts_owner_numbers_are_meant (state, event->instance);
}

/* Whether @event happens in a task in which a function may have been open when the section began. */
static gboolean
may_be_in_head (TsTimeline *timeline, const TsElementState *state, const TsEvent *event)
{
  return is_in_unseen (timeline, event) || (names_both (state, event) && names_head (timeline, event));
}

static Unseen
unseen_of (TsTimeline *timeline, const TsEvent *event)
{
  const gboolean is_named = event->owner != TS_NO_ELEMENT;

  return (Unseen){ .element = event->element,
                     .owner = event->owner,
                     .resource = is_named ? TS_NO_RESOURCE : event->resource,
                     .since = is_named ? 0 : ts_timeline_core (timeline, event->resource)->accounted,
                     .started = G_MININT64 };
}

static guint
hash_unseen (gconstpointer data)
{
  const Unseen *unseen = data;

  return ((unseen->element * 31 + unseen->owner) * 31 + unseen->resource) * 31 + (guint) unseen->since;
}

static gboolean
is_same_unseen (gconstpointer a, gconstpointer b)
{
  const Unseen *left = a, *right = b;

  return left->element == right->element && left->owner == right->owner && left->resource == right->resource
         && left->since == right->since;
}

TsUnseen *
ts_unseen_new (void)
{
  TsUnseen *unseen = g_new0 (TsUnseen, 1);

  unseen->all = g_hash_table_new_full (hash_unseen, is_same_unseen, NULL, g_free);
  return unseen;
}

void
ts_unseen_free (TsUnseen *unseen)
{
  g_hash_table_unref (unseen->all);
  g_free (unseen);
}

void
ts_unseen_begin_section (TsUnseen *unseen)
{
  if (g_hash_table_size (unseen->all) == 0)
    return;
  memset (unseen->recent, 0, sizeof unseen->recent);
  g_hash_table_remove_all (unseen->all);
}

/* What is known of the function of @event in its task; or NULL. */
static Unseen *
find_unseen (TsTimeline *timeline, const TsEvent *event)
{
  const Unseen unseen = unseen_of (timeline, event);
  Unseen     **recent = &timeline->unseen->recent[hash_unseen (&unseen) % RECENT];

  if (*recent == NULL || !is_same_unseen (*recent, &unseen))
    *recent = g_hash_table_lookup (timeline->unseen->all, &unseen);
  return *recent;
}

static gboolean
may_remember_more (const TsTimeline *timeline)
{
  return g_hash_table_size (timeline->unseen->all) < MOST_UNSEEN;
}

/* The same; where nothing is known, that is remembered. NULL: too much is. */
static Unseen *
find_or_add_unseen (TsTimeline *timeline, const TsEvent *event)
{
  Unseen *known = find_unseen (timeline, event);

  if (known != NULL || !may_remember_more (timeline))
    return known;
  known = g_new (Unseen, 1);
  *known = unseen_of (timeline, event);
  g_hash_table_add (timeline->unseen->all, known);
  return known;
}

void
ts_unseen_note_start (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  Unseen *known;

  if (event->owner == TS_NO_ELEMENT || event->instance == TS_NO_INSTANCE)
    return;
  state->started_in = event->owner;
  known = find_or_add_unseen (timeline, event);
  if (known != NULL)
    known->started = event->time;
}

/* Whether the function of @event was seen to start in that task, since the section began, or what was open was cut. */
static gboolean
has_started_in (TsTimeline *timeline, const Unseen *known, const TsEvent *event)
{
  return known != NULL && known->started >= ts_timeline_core (timeline, event->resource)->begin;
}

gboolean
ts_unseen_is_first (TsTimeline *timeline, const TsElementState *state, const TsEvent *event)
{
  const Unseen *known;
  gboolean        has_head;

  if (state->class != TS_CLASS_NESTED || !may_be_in_head (timeline, state, event))
    return FALSE;
  known = find_unseen (timeline, event);
  has_head = known != NULL && known->has_head;
  if (known == NULL && !may_remember_more (timeline))
    return FALSE;
  if (names_both (state, event))
    return has_head ? event->instance < known->instance : !has_started_in (timeline, known, event);
  return !ts_owner_numbers_are_meant (state, event->instance) && state->n_started < TS_FEW_STARTED && !has_head;
}

void
ts_unseen_remember (TsTimeline *timeline, const TsElementState *state, const TsEvent *event)
{
  Unseen *known;

  if (!may_be_in_head (timeline, state, event) || (known = find_or_add_unseen (timeline, event)) == NULL)
    return;
  known->instance = known->has_head ? MIN (known->instance, event->instance) : event->instance;
  known->has_head = TRUE;
}
