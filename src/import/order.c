/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/order.h"

/* An event that is held back; @rank keeps equal stamps in the order of the file (rule 14). */
typedef struct
{
  TsEvent event;
  guint64 rank;
} Held;

struct _TsOrder
{
  TsImport          *import;
  const TsEventSink *sink;
  gpointer           sink_data;
  gboolean           sorts;
  gboolean           learning;
  gint64             reach; /* events this much older than the newest may still come */
  GArray            *held;  /* of Held: a heap, the oldest first */
  guint64            rank;
  TsEvent            out[TS_BATCH_EVENTS];
  guint              n_out;
  gboolean           begun;
  gint64             newest;   /* of the section */
  gint64             previous; /* stamp of the event before */
  guint64            n_steps; /* back in time */
  guint64            first_step; /* the line of the first */
};

static gboolean
is_before (const Held *a, const Held *b)
{
  return a->event.time != b->event.time ? a->event.time < b->event.time : a->rank < b->rank;
}

static void
hold (TsOrder *order, const TsEvent *event)
{
  Held  held = { *event, order->rank++ };
  Held *heap;
  guint i = order->held->len;

  g_array_append_val (order->held, held);
  heap = (Held *) (gpointer) order->held->data;
  while (i > 0 && is_before (&held, &heap[(i - 1) / 2]))
    {
      heap[i] = heap[(i - 1) / 2];
      i = (i - 1) / 2;
    }
  heap[i] = held;
}

static void
flush_out (TsOrder *order)
{
  order->sink->events (order->sink_data, order->out, order->n_out);
  order->n_out = 0;
}

static void
release_oldest (TsOrder *order)
{
  Held *heap = (Held *) (gpointer) order->held->data;
  guint n = order->held->len - 1, i = 0, child;
  Held  last = heap[n];

  order->out[order->n_out++] = heap[0].event;
  g_array_set_size (order->held, n);
  while ((child = 2 * i + 1) < n)
    {
      if (child + 1 < n && is_before (&heap[child + 1], &heap[child]))
        child++;
      if (!is_before (&heap[child], &last))
        break;
      heap[i] = heap[child];
      i = child;
    }
  if (n > 0)
    heap[i] = last;
  if (order->n_out == TS_BATCH_EVENTS)
    flush_out (order);
}

static void
release_up_to (TsOrder *order, gint64 time)
{
  while (order->held->len > 0 && g_array_index (order->held, Held, 0).event.time <= time)
    release_oldest (order);
  if (order->n_out > 0)
    flush_out (order);
}

TsOrder *
ts_order_new (TsImport *import, gboolean sort_all, const TsEventSink *sink, gpointer sink_data)
{
  TsOrder        *order = g_new0 (TsOrder, 1);
  TsImportMemory *memory = import->memory;

  order->import = import;
  order->sink = sink;
  order->sink_data = sink_data;
  order->held = g_array_new (FALSE, FALSE, sizeof (Held));
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
                        "the largest step back is %s ticks", text);
}

void
ts_order_free (TsOrder *order)
{
  if (order == NULL)
    return;
  tell_steps (order);
  g_array_unref (order->held);
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
  order->sink->begin_section (order->sink_data, section);
}

static void
end_section (gpointer data, TsSection *section)
{
  TsOrder *order = data;

  if (order->learning)
    g_array_set_size (order->held, 0);
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
  /* the reading before did not see all of the trace: once more, with what is known now */
  if (order->sorts && step > order->reach)
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

static void
take_unsorted (TsOrder *order, const TsEvent *event)
{
  if (!order->begun)
    order->newest = order->previous = event->time;
  order->begun = TRUE;
  if (event->time < order->newest)
    note_step (order, order->newest - event->time);
  if (order->sorts && event->time < order->previous && order->n_steps++ == 0)
    order->first_step = event->line;
  order->previous = event->time;
  order->newest = MAX (order->newest, event->time);
  if (order->sorts && !order->learning)
    hold (order, event);
}

static void
take_events (gpointer data, const TsEvent *events, gsize n_events)
{
  TsOrder  *order = data;
  TsImport *import = order->import;
  gsize     n;

  while (!order->sorts && !order->learning && n_events > 0)
    {
      n = sorted_length (order, events, n_events);
      if (n > 0)
        order->sink->events (order->sink_data, events, n);
      events += n;
      n_events -= n;
      if (n_events == 0)
        return;
      if (import->can_reread)
        order->learning = import->memory->sort = TRUE;
      else
        {
          ts_diagnostics_add (import->diagnostics, TS_DIAGNOSTIC_LATE_EVENT, events->line, NULL);
          events++;
          n_events--;
        }
    }

  for (gsize i = 0; i < n_events; i++)
    take_unsorted (order, &events[i]);
  if (order->sorts && order->begun && !order->learning)
    release_up_to (order, order->newest - order->reach);
}

const TsEventSink *
ts_order_sink (void)
{
  static const TsEventSink sink = { begin_section, take_events, end_section };

  return &sink;
}
