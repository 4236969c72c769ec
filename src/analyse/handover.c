/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <pthread.h>
#include <string.h>

#include "analyse/handover.h"
#include "model/guard.h"

/* 1 MiB of events in all: more than a second-level cache would only have them fetched from farther away. */
#define SLOT_EVENTS 2048
#define N_SLOTS 16
/* A side that waits is woken when so many slots are there for it: with each single one, waking would cost more than
 * what it is for. */
#define N_WAKE (N_SLOTS / 2)

/* A trace that has fewer events is over before a thread is worth its start. */
#define ALONE_EVENTS 65536
/* So many events of each section, and after every wait, go straight to the next stage: where there is something to
 * wait for all the time, nothing is lost. */
#define STRAIGHT_EVENTS 16384

typedef struct
{
  TsEvent events[SLOT_EVENTS];
  gsize   n_events;
} Slot;

/* The mutexes of POSIX: the thread sanitizer does not see what GLib's do. */
struct _TsHandover
{
  TsSystem          *system;
  const TsEventSink *sink;
  gpointer           sink_data;

  /* of the stage before alone */
  GThread *thread;
  gboolean is_alone;   /* there can be no thread */
  gboolean is_ahead;   /* events were put into the queue since the last wait */
  gsize    n_straight; /* events since then that were not */
  gsize    n_alone;    /* all events before there was a thread */

  pthread_mutex_t mutex; /* for all that follows, but for the contents of slots */
  pthread_cond_t  has_room, has_events, has_rest;
  Slot           *slots;
  guint64         n_put, n_taken; /* slots; what lies between is the thread's, the others belong to the stage before */
  gboolean        at_end; /* no slot comes any more */
};

/* The next slot for the thread; NULL: none comes any more. */
static const Slot *
take_slot (TsHandover *handover)
{
  const Slot *slot = NULL;

  pthread_mutex_lock (&handover->mutex);
  while (handover->n_put == handover->n_taken && !handover->at_end)
    pthread_cond_wait (&handover->has_events, &handover->mutex);
  if (handover->n_put > handover->n_taken)
    slot = &handover->slots[handover->n_taken % N_SLOTS];
  pthread_mutex_unlock (&handover->mutex);
  return slot;
}

static void
give_back_slot (TsHandover *handover)
{
  pthread_mutex_lock (&handover->mutex);
  handover->n_taken++;
  if (handover->n_put - handover->n_taken <= N_SLOTS - N_WAKE)
    pthread_cond_signal (&handover->has_room);
  if (handover->n_put == handover->n_taken)
    pthread_cond_signal (&handover->has_rest);
  pthread_mutex_unlock (&handover->mutex);
}

static gpointer
run (gpointer data)
{
  TsHandover *handover = data;
  const Slot *slot;

  while ((slot = take_slot (handover)) != NULL)
    {
      handover->sink->events (handover->sink_data, slot->events, slot->n_events);
      give_back_slot (handover);
    }
  return NULL;
}

static gboolean
has_thread (TsHandover *handover)
{
  if (handover->thread != NULL)
    return TRUE;
  if (handover->is_alone || handover->n_alone < ALONE_EVENTS)
    return FALSE;
  handover->slots = g_new (Slot, N_SLOTS);
  handover->slots[0].n_events = 0;
  handover->thread = g_thread_try_new ("analyse", run, handover, NULL);
  handover->is_alone = handover->thread == NULL;
  return !handover->is_alone;
}

/* The one that is being filled. */
static Slot *
open_slot (TsHandover *handover)
{
  return &handover->slots[handover->n_put % N_SLOTS];
}

/* Gives the open slot to the thread; another one is open then, as soon as there is room. */
static void
put_slot (TsHandover *handover)
{
  pthread_mutex_lock (&handover->mutex);
  if (++handover->n_put - handover->n_taken >= N_WAKE)
    pthread_cond_signal (&handover->has_events);
  while (handover->n_put - handover->n_taken == N_SLOTS)
    pthread_cond_wait (&handover->has_room, &handover->mutex);
  pthread_mutex_unlock (&handover->mutex);
  open_slot (handover)->n_events = 0;
}

static void
put_events (TsHandover *handover, const TsEvent *events, gsize n_events)
{
  handover->is_ahead = TRUE;
  while (n_events > 0)
    {
      Slot *slot = open_slot (handover);
      gsize n = MIN (n_events, SLOT_EVENTS - slot->n_events);

      memcpy (slot->events + slot->n_events, events, n * sizeof *events);
      slot->n_events += n;
      events += n;
      n_events -= n;
      if (slot->n_events == SLOT_EVENTS)
        put_slot (handover);
    }
}

/* Returns when the next stage has taken all events: it rests until more are put. */
static void
wait_for_rest (gpointer data)
{
  TsHandover *handover = data;

  if (!handover->is_ahead)
    return;
  if (open_slot (handover)->n_events > 0)
    put_slot (handover);
  pthread_mutex_lock (&handover->mutex);
  pthread_cond_signal (&handover->has_events);
  while (handover->n_put != handover->n_taken)
    pthread_cond_wait (&handover->has_rest, &handover->mutex);
  pthread_mutex_unlock (&handover->mutex);
  handover->is_ahead = FALSE;
  handover->n_straight = 0;
}

TsHandover *
ts_handover_new (TsSystem *system, const TsEventSink *sink, gpointer sink_data)
{
  TsHandover *handover = g_new0 (TsHandover, 1);

  handover->system = system;
  handover->sink = sink;
  handover->sink_data = sink_data;
  pthread_mutex_init (&handover->mutex, NULL);
  pthread_cond_init (&handover->has_room, NULL);
  pthread_cond_init (&handover->has_events, NULL);
  pthread_cond_init (&handover->has_rest, NULL);
  ts_system_set_guard (system, wait_for_rest, handover);
  return handover;
}

void
ts_handover_free (TsHandover *handover)
{
  if (handover == NULL)
    return;
  ts_system_set_guard (handover->system, NULL, NULL);
  wait_for_rest (handover);
  if (handover->thread != NULL)
    {
      pthread_mutex_lock (&handover->mutex);
      handover->at_end = TRUE;
      pthread_cond_signal (&handover->has_events);
      pthread_mutex_unlock (&handover->mutex);
      g_thread_join (handover->thread);
    }
  pthread_cond_destroy (&handover->has_rest);
  pthread_cond_destroy (&handover->has_events);
  pthread_cond_destroy (&handover->has_room);
  pthread_mutex_destroy (&handover->mutex);
  g_free (handover->slots);
  g_free (handover);
}

static void
begin_section (gpointer data, TsSection *section)
{
  TsHandover *handover = data;

  wait_for_rest (handover);
  handover->n_straight = 0;
  handover->sink->begin_section (handover->sink_data, section);
}

static void
take_events (gpointer data, const TsEvent *events, gsize n_events)
{
  TsHandover *handover = data;

  if (handover->n_straight < STRAIGHT_EVENTS || !has_thread (handover))
    {
      handover->n_straight += n_events;
      handover->n_alone += n_events;
      handover->sink->events (handover->sink_data, events, n_events);
    }
  else
    put_events (handover, events, n_events);
}

static void
end_section (gpointer data, TsSection *section)
{
  TsHandover *handover = data;

  wait_for_rest (handover);
  handover->sink->end_section (handover->sink_data, section);
}

const TsEventSink *
ts_handover_sink (void)
{
  static const TsEventSink sink = { begin_section, take_events, end_section };

  return &sink;
}
