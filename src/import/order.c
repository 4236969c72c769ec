/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/held.h"
#include "import/order.h"
#include "import/strays.h"

/* Of a file whose first step back is not far, at least so many events are held from there on: where no step leads
 * further back than these, it need not be read again. */
#define HELD_AT_LEAST 4096
/* Where that is not enough among the first events, so that little is lost, the reading begins anew and holds more, up to so
 * many: traces that each core wrote when its buffer was full are read once for that. */
#define HELD_AT_MOST 131072

guint ts_order_first_events = 2 * HELD_AT_MOST;

struct _TsOrder
{
  TsImport          *import;
  const TsEventSink *sink;
  gpointer           sink_data;
  TsStrays          *strays; /* of the memory */
  gint64             next_stray; /* when it comes */
  gboolean           has_strays; /* in this section */
  gboolean           sorts;
  gboolean           learning;
  gboolean           tries; /* sorts with no more than a fixed number, as long as that and strays suffice */
  guint              n_kept; /* then: how many are held when others go on */
  gint64             gone;  /* stamp of the last event that went on, but for strays */
  gint64             reach; /* where it does not try: events this much older than the newest may still come */
  TsHeld             held;  /* TsEvent */
  guint64            n_taken; /* of the section */
  guint64            n_before; /* of those before it */
  gboolean           begun;
  gint64             newest;   /* of the section */
  gint64             previous; /* stamp of the event before */
  guint64            n_steps; /* back in time */
  guint64            first_step; /* the line of the first */
};

/* All have to be held. */
static void
give_up_strays (TsOrder *order)
{
  ts_strays_give_up (order->strays);
  order->next_stray = G_MAXINT64;
  order->import->memory->sort = TRUE;
  order->learning = TRUE;
}

/* To the next stage. */
static void
hand_on (TsOrder *order, const TsEvent *events, gsize n)
{
  if (order->learning)
    return;
  for (gsize i = 0; i < n; i += TS_BATCH_EVENTS)
    order->sink->events (order->sink_data, events + i, MIN (n - i, TS_BATCH_EVENTS));
}

static gboolean
is_known (const TsSystem *system, const TsEvent *event)
{
  const guint n_elements = ts_system_n_elements (system);

  return (event->element < n_elements || event->element == TS_NO_ELEMENT)
         && (event->owner < n_elements || event->owner >= TS_MAX_ELEMENTS)
         && (event->resource < ts_system_n_resources (system) || event->resource == TS_NO_RESOURCE);
}

/* What runs in a task that it names is said to be where that was in the line before, which is not that of the time before:
 * the timeline knows better. */
static TsEvent
without_place (const TsEvent *event)
{
  TsEvent copy = *event;

  if (event->owner != TS_NO_ELEMENT && event->kind >= TS_EVENT_START && event->kind <= TS_EVENT_RESUME)
    copy.resource = TS_NO_RESOURCE;
  return copy;
}

static void
hand_on_stray (TsOrder *order)
{
  const TsEvent stray = without_place (ts_strays_take (order->strays));

  /* what the trace names only later is known when all are held */
  if (is_known (order->import->system, &stray))
    hand_on (order, &stray, 1);
  else
    give_up_strays (order);
  order->next_stray = ts_strays_next_time (order->strays);
}

/* @events are in order: with those strays in between that are due. */
static void
hand_on_in_turn (TsOrder *order, const TsEvent *events, gsize n)
{
  gsize i = 0, begin;

  if (n == 0)
    return;
  order->gone = events[n - 1].time;
  while (G_UNLIKELY (order->next_stray < order->gone))
    {
      for (begin = i; events[i].time <= order->next_stray;)
        i++;
      hand_on (order, events + begin, i - begin);
      hand_on_stray (order);
    }
  hand_on (order, events + i, n - i);
}

/* The first @n of those that are held, which are in order. */
static void
release (TsOrder *order, gsize n)
{
  hand_on_in_turn (order, (const TsEvent *) (gconstpointer) order->held.items->data, n);
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
  ts_held_sort (&order->held, sizeof (TsEvent));
  release (order, order->held.items->len - order->n_kept);
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
  ts_held_init (&order->held, sizeof (TsEvent), memory->n_held > 0 ? 2 * memory->n_held + TS_BATCH_EVENTS : 0);
  if (memory->strays == NULL)
    memory->strays = ts_strays_new (sizeof (TsEvent));
  order->strays = memory->strays;
  ts_strays_begin_reading (order->strays);
  order->next_stray = G_MAXINT64;
  order->sorts = memory->sort || sort_all;
  order->tries = memory->sort && !sort_all && !ts_strays_are_given_up (order->strays);
  order->n_kept = MAX (memory->n_held, HELD_AT_LEAST);
  order->gone = G_MININT64;
  order->reach = G_MAXINT64 / 2;
  if (order->sorts && !order->tries && !sort_all)
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
  order->n_before += order->n_taken;
  order->n_taken = 0;
  ts_strays_begin_section (order->strays, order->import->memory->scale);
  order->next_stray = ts_strays_next_time (order->strays);
  order->has_strays = order->next_stray < G_MAXINT64;
  order->sink->begin_section (order->sink_data, section);
}

static void
end_section (gpointer data, TsSection *section)
{
  TsOrder *order = data;

  release_up_to (order, G_MAXINT64);
  while (order->next_stray < G_MAXINT64)
    hand_on_stray (order);
  if (!order->import->surveying && !order->import->has_learnt && !ts_strays_have_passed (order->strays))
    give_up_strays (order);
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

/* The one behind @place others comes too late for what is held: ends this reading, so that the next one holds more. FALSE: that
 * would be too late, or more than is held in any case. */
static gboolean
begin_anew (TsOrder *order, guint64 place)
{
  TsImport *import = order->import;

  if (!import->can_reread || order->n_kept >= HELD_AT_MOST || order->n_before + place >= ts_order_first_events)
    return FALSE;
  import->memory->n_held = order->n_kept;
  do
    import->memory->n_held *= 2;
  while (import->memory->n_held < MIN (2 * place, HELD_AT_MOST));
  import->memory->sort = TRUE;
  /* what is a stray depends on how many are held */
  ts_strays_forget (order->strays);
  import->has_learnt = order->learning = TRUE;
  return TRUE;
}

/* One that is no stray yet, or another one, and comes too late for what is held: once more, with what is known now. */
static void
learn_stray (TsOrder *order, const TsEvent *event, guint64 place)
{
  order->learning = TRUE;
  if (!ts_strays_learn (order->strays, event, place, order->import->memory->scale))
    give_up_strays (order);
}

/* An event that is older than the newest one, behind @place others. Returns whether it goes among those that are held. */
static gboolean
take_late (TsOrder *order, const TsEvent *event, guint64 place)
{
  TsImport     *import = order->import;
  gconstpointer stray = NULL;
  gboolean      is_too_late;

  /* this reading is over */
  if (import->has_learnt)
    return FALSE;
  if (!order->sorts && !import->can_reread)
    {
      ts_diagnostics_add (import->diagnostics, TS_DIAGNOSTIC_LATE_EVENT, event->line, NULL);
      return FALSE;
    }
  note_late (order, event);
  if (order->has_strays)
    stray = ts_strays_pass (order->strays, place);
  /* what an event is may depend on what was learnt meanwhile */
  if (stray != NULL && memcmp (stray, event, sizeof *event) == 0)
    return FALSE;
  order->tries |= !order->sorts;
  order->sorts = TRUE;
  is_too_late = order->tries && event->time < order->gone;
  if (stray == NULL && is_too_late && begin_anew (order, place))
    return FALSE;
  if (stray != NULL || is_too_late)
    {
      learn_stray (order, event, place);
      return FALSE;
    }
  import->memory->sort = TRUE;
  /* the reading before did not see all of the trace */
  order->learning |= !order->tries && order->newest - event->time > order->reach;
  return TRUE;
}

static void
release_some (TsOrder *order)
{
  /* only the steps are of interest from there on */
  if (order->learning && ts_strays_are_given_up (order->strays))
    ts_held_drop_all (&order->held);
  /* where many are held, not for each batch: all of them may be looked at */
  else if (order->tries)
    {
      if (order->held.items->len >= 2 * order->n_kept)
        release_old (order);
    }
  else if (order->held.items->len - order->held.n_sorted >= order->held.n_sorted / 2)
    release_up_to (order, order->newest - order->reach);
}

/* Goes among those that are held, behind @place others of the section. */
static void
hold (TsOrder *order, const TsEvent *events, gsize n_events, guint64 place)
{
  GArray     *items = order->held.items;
  const guint n_before = items->len;
  TsEvent    *next;

  if (n_events == 0)
    return;
  g_array_set_size (items, n_before + (guint) n_events);
  next = &g_array_index (items, TsEvent, n_before);
  for (gsize i = 0, n; i < n_events; i += n)
    {
      n = sorted_length (order, events + i, n_events - i);
      if (n > 0)
        {
          memcpy (next, events + i, n * sizeof *next);
          next += n;
          continue;
        }
      n = 1;
      if (take_late (order, &events[i], place + i))
        *next++ = without_place (&events[i]);
    }
  g_array_set_size (items, (guint) (next - &g_array_index (items, TsEvent, 0)));
}

/* Up to where sorting begins. Returns how many have been taken. */
static gsize
take_in_order (TsOrder *order, const TsEvent *events, gsize n_events)
{
  gsize   begin = 0, i = 0, n;
  TsEvent late;

  while (i < n_events)
    {
      n = sorted_length (order, events + i, n_events - i);
      i += n;
      if (n > 0)
        continue;
      if (take_late (order, &events[i], order->n_taken + i))
        {
          /* those in front of it, which are in order, wait for it */
          g_array_append_vals (order->held.items, events + begin, (guint) (i - begin));
          late = without_place (&events[i]);
          g_array_append_val (order->held.items, late);
          return i + 1;
        }
      hand_on_in_turn (order, events + begin, i - begin);
      begin = ++i;
      if (order->sorts)
        return i;
    }
  hand_on_in_turn (order, events + begin, n_events - begin);
  return n_events;
}

static void
take_events (gpointer data, const TsEvent *events, gsize n_events)
{
  TsOrder *order = data;
  gsize    n;

  /* importers go on to the end of their block */
  if (G_UNLIKELY (order->import->has_learnt))
    return;
  n = order->sorts ? 0 : take_in_order (order, events, n_events);
  if (order->sorts)
    {
      hold (order, events + n, n_events - n, order->n_taken + n);
      release_some (order);
    }
  order->n_taken += n_events;
}

const TsEventSink *
ts_order_sink (void)
{
  static const TsEventSink sink = { begin_section, take_events, end_section };

  return &sink;
}
