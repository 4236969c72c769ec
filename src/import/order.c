/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/order.h"

/* So many moves for each event are spent on those that came a little late; where that is not enough they are sorted. */
#define MOST_MOVES 16

struct _TsOrder
{
  TsImport          *import;
  const TsEventSink *sink;
  gpointer           sink_data;
  gboolean           sorts;
  gboolean           learning;
  gint64             reach; /* events this much older than the newest may still come */
  GArray            *held;  /* of TsEvent */
  gsize              n_sorted; /* of these; the others are as they came */
  GArray            *late;  /* of TsEvent: while they are put among those that are sorted */
  gboolean           begun;
  gint64             newest;   /* of the section */
  gint64             previous; /* stamp of the event before */
  guint64            n_steps; /* back in time */
  guint64            first_step; /* the line of the first */
};

static gint
compare_times (gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer data)
{
  const TsEvent *left = a, *right = b;

  return left->time < right->time ? -1 : left->time > right->time;
}

/* Puts @n events, which are sorted and stand behind those that are, among these: equal stamps stay in the order of the
 * file (rule 14). Returns how many had to be moved. */
static gsize
merge (TsOrder *order, gsize n)
{
  TsEvent *events = (TsEvent *) (gpointer) order->held->data, *next = events + order->n_sorted, *place, *last;
  gsize    n_late = 0;

  if (order->n_sorted > 0)
    while (n_late < n && next[n_late].time < next[-1].time)
      n_late++;
  order->n_sorted += n;
  if (n_late == 0)
    return 0;
  g_array_set_size (order->late, 0);
  g_array_append_vals (order->late, next, (guint) n_late);
  last = (TsEvent *) (gpointer) order->late->data + n_late - 1;
  for (place = next + n_late; n_late > 0;)
    if (next > events && next[-1].time > last->time)
      *--place = *--next;
    else
      {
        *--place = *last--;
        n_late--;
      }
  return (gsize) (events + order->n_sorted - place);
}

/* How many of @n events, of which there is one, are in order. */
static gsize
run_length (const TsEvent *events, gsize n)
{
  gsize i = 1;

  while (i < n && events[i].time >= events[i - 1].time)
    i++;
  return i;
}

static void
sort_held (TsOrder *order)
{
  gsize n_left = order->held->len - order->n_sorted, budget = MOST_MOVES * n_left, n, moves;

  for (; n_left > 0; n_left -= n)
    {
      TsEvent *next = &g_array_index (order->held, TsEvent, order->n_sorted);

      n = n_left;
      if (budget > 0)
        n = run_length (next, n_left);
      else
        g_qsort_with_data (next, (gint) n, sizeof (TsEvent), compare_times, NULL);
      moves = merge (order, n);
      budget -= MIN (moves, budget);
    }
}

/* How many of those that are held are not newer than @time. */
static gsize
count_up_to (const TsOrder *order, gint64 time)
{
  gsize begin = 0, end = order->n_sorted, middle;

  while (begin < end)
    {
      middle = begin + (end - begin) / 2;
      if (g_array_index (order->held, TsEvent, middle).time <= time)
        begin = middle + 1;
      else
        end = middle;
    }
  return begin;
}

static void
release_up_to (TsOrder *order, gint64 time)
{
  gsize n;

  sort_held (order);
  n = count_up_to (order, time);
  for (gsize i = 0; i < n; i += TS_BATCH_EVENTS)
    order->sink->events (order->sink_data, &g_array_index (order->held, TsEvent, i), MIN (n - i, TS_BATCH_EVENTS));
  if (n > 0)
    g_array_remove_range (order->held, 0, (guint) n);
  order->n_sorted -= n;
}

TsOrder *
ts_order_new (TsImport *import, gboolean sort_all, const TsEventSink *sink, gpointer sink_data)
{
  TsOrder        *order = g_new0 (TsOrder, 1);
  TsImportMemory *memory = import->memory;

  order->import = import;
  order->sink = sink;
  order->sink_data = sink_data;
  order->held = g_array_new (FALSE, FALSE, sizeof (TsEvent));
  order->late = g_array_new (FALSE, FALSE, sizeof (TsEvent));
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
  g_array_unref (order->late);
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
    {
      g_array_set_size (order->held, 0);
      order->n_sorted = 0;
    }
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

/* An event that is older than the newest one. */
static void
note_late (TsOrder *order, const TsEvent *event)
{
  note_step (order, order->newest - event->time);
  if (order->sorts && event->time < order->previous && order->n_steps++ == 0)
    order->first_step = event->line;
  order->previous = event->time;
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

  for (gsize i = 0; i < n_events; i += n)
    {
      n = sorted_length (order, events + i, n_events - i);
      if (n == 0)
        {
          note_late (order, &events[i]);
          n = 1;
        }
    }
  if (!order->sorts || !order->begun || order->learning)
    return;
  g_array_append_vals (order->held, events, (guint) n_events);
  /* where many are held, not for each batch: all of them may be looked at */
  if (order->held->len - order->n_sorted >= order->n_sorted / 2)
    release_up_to (order, order->newest - order->reach);
}

const TsEventSink *
ts_order_sink (void)
{
  static const TsEventSink sink = { begin_section, take_events, end_section };

  return &sink;
}
