/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <string.h>

#include <tracestat/event.h>

G_BEGIN_DECLS

/* One that was activated by a fork and has not started: all that its job will be made of, when it starts. */
typedef struct
{
  gint64  time;
  guint64 line;
  guint32 element; /* as in an event; TS_NO_ELEMENT: there is none at this place */
  gint32  instance;
  gint64  per; /* since the activation before, which is known */
} TsSibling;

G_STATIC_ASSERT (offsetof (TsEvent, instance) == offsetof (TsEvent, element) + sizeof (guint32));
G_STATIC_ASSERT (offsetof (TsSibling, instance) == offsetof (TsSibling, element) + sizeof (guint32));

/* The latest of them, by number: most start soon, and then their jobs, which are made only then, are fresh in the cache. Whose
 * place another number would take gets more room, up to so many places; then it waits elsewhere. Powers of two. */
#define TS_FIRST_SIBLINGS 256
extern guint ts_most_siblings; /* 16,384; tests ask for fewer */

/* Those that wait for long, or never start, by element and number: open addressing. In an or-parallel trace these may be
 * half of all, since alternatives are pruned without a word; a job takes ten times as much. */
typedef struct
{
  TsSibling *places; /* 2^(32 - shift) of them, some free; NULL: there never was one */
  guint      shift;
  guint      n;
} TsWaiting;

typedef struct
{
  TsSibling *places;
  guint32    mask; /* their number less one */
  guint32    begin, end; /* numbers that have been here: as many of the last ones as there are places may be here still */
  gpointer   memory;     /* which they are in */
  TsWaiting  waiting;
} TsSiblings;

/* Where an instance belongs among 2^(32 - @shift) places. Instances are numbered one after the other, and so are elements, of
 * which any number may have one of the same number: this spreads both evenly. */
static inline gsize
ts_instance_place (guint32 element, gint32 instance, guint shift)
{
  return ((guint32) instance * 0x9e3779b9U + element * 0x85ebca77U) >> shift;
}

/* fork.c */
void     ts_siblings_init (TsSiblings *siblings);
void     ts_siblings_clear (TsSiblings *siblings);

/* waiting.c */
void     ts_waiting_put (TsWaiting *waiting, const TsSibling *sibling);
/* The one that has the number, or NULL. */
TsSibling *ts_waiting_find (const TsWaiting *waiting, guint32 element, gint32 instance);
/* Takes it out. FALSE: there is none. */
gboolean ts_waiting_take (TsWaiting *waiting, guint32 element, gint32 instance, TsSibling *sibling);
/* Puts all of them in order, by element and number: they stand in front then, and are found no more. */
void     ts_waiting_sort (TsWaiting *waiting);
/* Once sorted, how many an element has; and the first of them. */
guint    ts_waiting_of (const TsWaiting *waiting, guint32 element, const TsSibling **first);
void     ts_waiting_clear (TsWaiting *waiting);

static inline TsSibling *
ts_sibling_place (const TsSiblings *siblings, guint32 number)
{
  return &siblings->places[number & siblings->mask];
}

/* Whether @place is that of the instance that @event is about. */
static inline gboolean
ts_sibling_is (const TsSibling *place, const TsEvent *event)
{
  return memcmp (&place->element, &event->element, sizeof event->element + sizeof event->instance) == 0;
}

G_END_DECLS
