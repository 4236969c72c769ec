/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/held.h"
#include "import/order.h"

/* Of a file whose first step back is not far, at least so many events are held from there on: where no step leads
 * further back than these, it need not be read again. */
#define HELD_AT_LEAST 4096

struct _TsOrder
{
  TsImport          *import;
  const TsEventSink *sink;
  gpointer           sink_data;
  gboolean           sorts;
  gboolean           learning;
  gboolean           tries; /* sorts in the first reading, as long as that goes well */
  gint64             gone;  /* then: stamp of the last event that went on */
  gint64             reach; /* or else: events this much older than the newest may still come */
  TsHeld             held;  /* TsEvent */
  gboolean           begun;
  gint64             newest;   /* of the section */
  gint64             previous; /* stamp of the event before */
  guint64            n_steps; /* back in time */
  guint64            first_step; /* the line of the first */
};

/* The first @n of those that are held, which are in order. */
static void
release (TsOrder *order, gsize n)
{
  for (gsize i = 0; i < n; i += TS_BATCH_EVENTS)
    order->sink->events (order->sink_data, &g_array_index (order->held.items, TsEvent, i),
                         MIN (n - i, TS_BATCH_EVENTS));
  ts_held_drop (&order->held, n);
}

static void
release_up_to (TsOrder *order, gint64 time)
{
  release (order, ts_held_ready (&order->held, time, sizeof (TsEvent)));
}

/* All but the newest. */
static void
release_old (TsOrder *order)
{
  const gsize n = order->held.items->len - HELD_AT_LEAST;

  ts_held_sort (&order->held, sizeof (TsEvent));
  order->gone = g_array_index (order->held.items, TsEvent, n - 1).time;
  release (order, n);
}

G_STATIC_ASSERT (G_STRUCT_OFFSET (TsEvent, time) == 0);

TsOrder *
ts_order_new (TsImport *import, gboolean sort_all, const TsEventSink *sink, gpointer sink_data)
{
  TsOrder        *order = g_new0 (TsOrder, 1);
  TsImportMemory *memory = import->memory;

  order->import = import;
  order->sink = sink;
  order->sink_data = sink_data;
  ts_held_init (&order->held, sizeof (TsEvent));
  order->sorts = memory->sort || sort_all;
  order->reach = G_MAXINT64 / 2;
  if (memory->sort && !sort_all)
    {
      /* the reading that measured the step may have had a coarser scale; one more covers its rounding */
      TsInt128 reach = ((TsInt128) memory->largest_step + 1) * memory->scale / MAX (memory->largest_step_scale, 1);

      order->reach = (gint64) MIN (reach, (TsInt128) G_MAXINT64 / 2);
    }
  return order;
}

/* The steps back, told when the largest of them is known. */
static void
tell_steps (const TsOrder *order)
{
  const TsImportMemory *memory = order->import->memory;
  char text[TS_NUMBER_SIZE];

  if (order->n_steps == 0)
    return;
  ts_rational_format (ts_rational (memory->largest_step, MAX (memory->largest_step_scale, 1)), text);
  for (guint64 i = 0; i < order->n_steps; i++)
    ts_diagnostics_add (order->import->diagnostics, TS_DIAGNOSTIC_BACKWARDS, order->first_step,
                        "largest step back: %s ticks behind the latest event before", text);
}

void
ts_order_free (TsOrder *order)
{
  if (order == NULL)
    return;
  tell_steps (order);
  ts_held_clear (&order->held);
  g_free (order);
}

gboolean
ts_order_is_learning (const TsOrder *order)
{
  return order->learning;
}

static void
begin_section (gpointer data, TsSection *section)
{
  TsOrder *order = data;

  order->begun = FALSE;
  order->gone = G_MININT64;
  order->sink->begin_section (order->sink_data, section);
}

static void
end_section (gpointer data, TsSection *section)
{
  TsOrder *order = data;

  if (order->learning)
    ts_held_drop_all (&order->held);
  release_up_to (order, G_MAXINT64);
  order->sink->end_section (order->sink_data, section);
}

static void
note_step (TsOrder *order, gint64 step)
{
  TsImportMemory *memory = order->import->memory;

  /* the reading before may have had a coarser scale */
  if (memory->largest_step > 0 && memory->largest_step_scale != memory->scale)
    memory->largest_step
        = (gint64) MIN ((TsInt128) memory->largest_step * memory->scale / memory->largest_step_scale,
                        (TsInt128) G_MAXINT64 / 2);
  memory->largest_step = MAX (memory->largest_step, step);
  memory->largest_step_scale = memory->scale;
  /* the reading before did not see all of the trace, or there was none: once more, with what is known now */
  if (order->tries ? order->newest - step < order->gone : step > order->reach)
    order->learning = TRUE;
}

/* Returns how many of @events can go on as they are. */
static gsize
sorted_length (TsOrder *order, const TsEvent *events, gsize n_events)
{
  gint64 newest = order->begun ? order->newest : G_MININT64;
  gsize  i = 0;

  /* four at a time, compared with their neighbours: no time is moved from one turn to the next but the last */
  while (i + 4 <= n_events && events[i].time >= newest && events[i + 1].time >= events[i].time
         && events[i + 2].time >= events[i + 1].time && events[i + 3].time >= events[i + 2].time)
    {
      newest = events[i + 3].time;
      i += 4;
    }
  while (i < n_events && events[i].time >= newest)
    newest = events[i++].time;
  if (i > 0)
    {
      order->begun = TRUE;
      order->newest = order->previous = newest;
    }
  return i;
}

/* An event that is older than the newest one. */
static void
note_late (TsOrder *order, const TsEvent *event)
{
  note_step (order, order->newest - event->time);
  if (event->time < order->previous && order->n_steps++ == 0)
    order->first_step = event->line;
  order->previous = event->time;
}

static void
take_events (gpointer data, const TsEvent *events, gsize n_events)
{
  TsOrder  *order = data;
  TsImport *import = order->import;
  gint64    gone;
  gsize     n;

  while (!order->sorts && n_events > 0)
    {
      gone = order->begun ? order->newest : G_MININT64;
      n = sorted_length (order, events, n_events);
      if (n < n_events && import->can_reread)
        {
          order->sorts = order->tries = import->memory->sort = TRUE;
          order->gone = gone;
          g_array_append_vals (order->held.items, events, (guint) n);
        }
      else if (n > 0)
        order->sink->events (order->sink_data, events, n);
      events += n;
      n_events -= n;
      if (n_events == 0)
        return;
      if (!order->sorts)
        {
          ts_diagnostics_add (import->diagnostics, TS_DIAGNOSTIC_LATE_EVENT, events->line, NULL);
          events++;
          n_events--;
        }
    }

  for (gsize i = 0; i < n_events; i += n)
    {
      n = sorted_length (order, events + i, n_events - i);
      if (n == 0)
        {
          note_late (order, &events[i]);
          n = 1;
        }
    }
  if (!order->begun || order->learning)
    return;
  g_array_append_vals (order->held.items, events, (guint) n_events);
  /* where many are held, not for each batch: all of them may be looked at */
  if (order->tries)
    {
      if (order->held.items->len >= 2 * HELD_AT_LEAST)
        release_old (order);
    }
  else if (order->held.items->len - order->held.n_sorted >= order->held.n_sorted / 2)
    release_up_to (order, order->newest - order->reach);
}

const TsEventSink *
ts_order_sink (void)
{
  static const TsEventSink sink = { begin_section, take_events, end_section };

  return &sink;
}
