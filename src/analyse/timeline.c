/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "analyse/job.h"

/* The state machine: sections, and what each event does to the instances of its element. */

/* What an event does to an open instance of a task, ISR or stand-alone element in a state:
 * the state it goes to, or the defect that it is. */
typedef struct
{
  gint8          next; /* TsJobState, or -1 */
  TsDiagnosticId defect;
} Transition;

#define GO(state) { TS_JOB_##state, TS_DIAGNOSTIC_UNEXPECTED_STATE }
#define NO(defect) { -1, TS_DIAGNOSTIC_##defect }

static const Transition transitions[TS_N_EVENT_KINDS][TS_JOB_FROZEN + 1] = {
  [TS_EVENT_PREEMPT] = { [TS_JOB_RUNNING] = GO (READY),
                         [TS_JOB_READY] = NO (REDUNDANT_PREEMPT),
                         [TS_JOB_WAITING] = NO (REDUNDANT_PREEMPT) },
  [TS_EVENT_RESUME] = { [TS_JOB_RUNNING] = NO (REDUNDANT_RESUME),
                        [TS_JOB_READY] = GO (RUNNING),
                        [TS_JOB_WAITING] = GO (RUNNING) },
  [TS_EVENT_WAIT] = { [TS_JOB_RUNNING] = GO (WAITING),
                      [TS_JOB_READY] = NO (UNEXPECTED_STATE),
                      [TS_JOB_WAITING] = NO (UNEXPECTED_STATE) },
  [TS_EVENT_RELEASE] = { [TS_JOB_RUNNING] = NO (UNEXPECTED_STATE),
                         [TS_JOB_READY] = NO (UNEXPECTED_STATE),
                         [TS_JOB_WAITING] = GO (READY) },
  [TS_EVENT_POLL] = { [TS_JOB_RUNNING] = GO (RUNNING),
                      [TS_JOB_READY] = NO (UNEXPECTED_STATE),
                      [TS_JOB_WAITING] = NO (UNEXPECTED_STATE) },
  [TS_EVENT_RUN] = { [TS_JOB_RUNNING] = GO (RUNNING),
                     [TS_JOB_READY] = NO (UNEXPECTED_STATE),
                     [TS_JOB_WAITING] = NO (UNEXPECTED_STATE) },
  [TS_EVENT_PARK] = { [TS_JOB_RUNNING] = GO (WAITING),
                      [TS_JOB_READY] = NO (UNEXPECTED_STATE),
                      [TS_JOB_WAITING] = NO (UNEXPECTED_STATE) },
  [TS_EVENT_UNPARK] = { [TS_JOB_RUNNING] = NO (UNEXPECTED_STATE),
                        [TS_JOB_READY] = NO (UNEXPECTED_STATE),
                        [TS_JOB_WAITING] = GO (RUNNING) },
};

TsTimeline *
ts_timeline_new (const TsSystem *system, TsDiagnostics *diagnostics, const TsTimelineOptions *options,
                 const TsTimelineSink *sink, gpointer sink_data)
{
  TsTimeline *timeline = g_new0 (TsTimeline, 1);

  timeline->system = system;
  timeline->diagnostics = diagnostics;
  timeline->options = *options;
  timeline->window_from = options->has_from ? options->from : G_MININT64;
  timeline->window_to = options->has_to ? options->to : G_MAXINT64;
  timeline->sink = *sink;
  timeline->sink_data = sink_data;
  timeline->job_blocks = g_ptr_array_new_with_free_func (g_free);
  timeline->present = g_array_new (FALSE, FALSE, sizeof (guint32));
  timeline->besides = g_array_new (FALSE, FALSE, sizeof (TsBeside));
  timeline->beside_time = G_MAXINT64;
  return timeline;
}

void
ts_timeline_free (TsTimeline *timeline)
{
  if (timeline == NULL)
    return;
  g_ptr_array_unref (timeline->job_blocks);
  g_array_unref (timeline->present);
  g_array_unref (timeline->besides);
  g_free (timeline->index.slots);
  free (timeline->elements);
  g_free (timeline->cores);
  g_free (timeline);
}

static void
move_elements (TsTimeline *timeline, guint size)
{
  TsElementState *elements = NULL;

  if (posix_memalign ((void **) &elements, TS_CACHE_LINE, size * sizeof *elements) != 0)
    g_error ("no memory for %u elements", size);
  if (timeline->n_elements > 0)
    memcpy (elements, timeline->elements, timeline->n_elements * sizeof *elements);
  free (timeline->elements);
  timeline->elements = elements;
  timeline->size_elements = size;
  ts_job_refer_all (timeline);
}

/* Elements and resources may be declared while the trace is being read. */
static void
grow_elements (TsTimeline *timeline)
{
  guint n_elements = ts_system_n_elements (timeline->system);

  if (n_elements == timeline->n_elements)
    return;
  if (n_elements > timeline->size_elements)
    /* room for more only when there are more: most formats know all of them before the first event */
    move_elements (timeline, timeline->size_elements == 0 ? n_elements : 2 * n_elements);
  memset (timeline->elements + timeline->n_elements, 0,
          (n_elements - timeline->n_elements) * sizeof (TsElementState));
  for (guint32 i = timeline->n_elements; i < n_elements; i++)
    {
      const TsElement *element = ts_system_get_element (timeline->system, i);
      TsElementState  *state = &timeline->elements[i];

      state->class = (guint8) ts_element_type_class (element->type);
      state->is_task = element->type == TS_TYPE_TASK;
      state->is_idle = element->idle;
      ts_job_forget_chains (state);
      state->resource = element->resource;
    }
  timeline->n_elements = n_elements;
}

static void
grow_cores (TsTimeline *timeline)
{
  guint n_cores = ts_system_n_resources (timeline->system) + 1;

  timeline->cores = g_renew (TsCore, timeline->cores, n_cores);
  memset (timeline->cores + timeline->n_cores, 0, (n_cores - timeline->n_cores) * sizeof (TsCore));
  for (guint i = timeline->n_cores; i < n_cores; i++)
    {
      ts_core_begin (&timeline->cores[i], timeline->begin);
      timeline->cores[i].is_shared
          = i > 0 && ts_system_get_resource (timeline->system, (guint16) (i - 1))->is_shared;
    }
  timeline->n_cores = n_cores;
  ts_job_refer_all (timeline);
}

static void
clip_at (TsTimeline *timeline, gint64 stop)
{
  timeline->clip_to = timeline->options.has_to ? MIN (stop, timeline->options.to) : stop;
}

/* The time from which on the section is known: its start, or its first event. */
static void
begin_at (TsTimeline *timeline, gint64 begin)
{
  const TsTimelineOptions *options = &timeline->options;

  timeline->begun = TRUE;
  timeline->begin = begin;
  timeline->now = begin;
  timeline->clip_from = options->has_from ? MAX (begin, options->from) : begin;
  clip_at (timeline, timeline->section->has_stop ? timeline->section->stop : G_MAXINT64 / 2);
  for (guint i = 0; i < timeline->n_cores; i++)
    ts_core_begin (&timeline->cores[i], begin);
}

void
ts_timeline_begin_section (TsTimeline *timeline, TsSection *section)
{
  timeline->section = section;
  timeline->begun = FALSE;
  timeline->infers = timeline->options.infer_preemption || !ts_system_has_explicit_preemption (timeline->system);
  grow_elements (timeline);
  grow_cores (timeline);
  section->n_events = 0;
  if (section->has_start)
    begin_at (timeline, section->start);
}

/* The open instance that an event means, by its number. */
static TsJob *
find_numbered (TsTimeline *timeline, const TsElementState *state, const TsEvent *event)
{
  TsJob *job = state->open;

  if (event->flags & TS_EVENT_UNIQUE)
    {
      job = ts_job_index_find (&timeline->index, event->element, event->instance);
      return job != NULL && job->state != TS_JOB_PENDING ? job : NULL;
    }
  /* a new number: a function that recurses may be open a thousand times */
  if (event->instance > state->highest_instance && !state->has_unnumbered)
    return NULL;
  if (state->class == TS_CLASS_NESTED && event->owner != TS_NO_ELEMENT)
    return ts_owner_choose (job, event);
  while (job != NULL && job->instance != event->instance && job->instance != TS_NO_INSTANCE)
    job = job->next;
  return job;
}

static inline TsJob *
find_open (TsTimeline *timeline, const TsElementState *state, const TsEvent *event)
{
  TsJob *job = state->open;

  if (job == NULL)
    return NULL;
  if (event->instance != TS_NO_INSTANCE)
    return find_numbered (timeline, state, event);
  if (state->class != TS_CLASS_NESTED || (job->next == NULL && !ts_owner_is_head (timeline, event)))
    return job;
  return ts_owner_choose_running (timeline, state, event);
}

static void
abandon_frozen (TsTimeline *timeline, TsElementState *state)
{
  TsJob *job = state->open, *next;

  /* thousands may be open, of a function that recurses or whose ends are missing */
  for (; job != NULL && state->n_frozen > 0; job = next)
    {
      next = job->next;
      if (job->state == TS_JOB_FROZEN)
        ts_job_abandon (timeline, job, TS_STATUS_MISSING_END);
    }
}

static void
note_beside (TsTimeline *timeline, const TsElementState *state, const TsEvent *event)
{
  TsBeside beside = { event->line, event->element, event->resource };

  for (const TsJob *job = state->open; job != NULL; job = job->next)
    if (job->state == TS_JOB_RUNNING && job->facts.resource == event->resource)
      {
        g_array_append_val (timeline->besides, beside);
        timeline->beside_time = event->time;
        return;
      }
}

static void
start_instance (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsJob *open = find_open (timeline, state, event);

  state->fresh = FALSE;
  if (open != NULL && event->instance != TS_NO_INSTANCE
      && (state->class == TS_CLASS_SCHEDULED ? open->state == TS_JOB_READY || open->state == TS_JOB_WAITING
                                             : open->state != TS_JOB_FROZEN && open->suspended))
    {
      ts_diagnostics_add (timeline->diagnostics, TS_DIAGNOSTIC_START_AS_RESUME, event->line, NULL);
      open->suspended = FALSE;
      if (state->class == TS_CLASS_NESTED)
        ts_core_update_nested (timeline, open);
      else
        {
          ts_core_move (timeline, open, event->resource);
          ts_core_change (timeline, open, TS_JOB_RUNNING);
        }
      return;
    }

  if (state->class == TS_CLASS_NESTED)
    {
      abandon_frozen (timeline, state);
      ts_owner_enter (timeline, ts_job_start (timeline, event), event, FALSE);
      return;
    }
  if (open != NULL)
    ts_job_abandon (timeline, open, TS_STATUS_MISSING_END);
  if (event->flags & TS_EVENT_REPLACES)
    note_beside (timeline, state, event);
  ts_core_enter (timeline, ts_job_start (timeline, event), TS_JOB_RUNNING);
}

/* Polling is running, and is also told on its own. */
static void
note_polling (TsTimeline *timeline, TsJob *job, gboolean polls)
{
  if (job->polling && (job->facts.flags & TS_INSTANCE_IN_WINDOW))
    ts_timeline_emit (timeline, TS_INTERVAL_POLL, job->facts.element, timeline->now - job->poll_since, job->facts.start,
                      job->facts.number);
  job->polling = polls;
  job->poll_since = timeline->now;
}

static void
end_instance (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsJob *job = find_open (timeline, state, event);

  if (job == NULL)
    {
      if (event->instance != TS_NO_INSTANCE && ts_job_close_pending (timeline, event))
        ts_diagnostics_add (timeline->diagnostics, TS_DIAGNOSTIC_END_WHILE_PREEMPTED, event->line, NULL);
      else if (ts_head_is_possible (timeline, state, event))
        ts_head_begin (timeline, state, event);
      else
        ts_diagnostics_add (timeline->diagnostics, TS_DIAGNOSTIC_REDUNDANT_END, event->line, NULL);
      return;
    }
  if (event->flags & TS_EVENT_ENDED_EARLIER)
    {
      ts_job_close_earlier (timeline, job);
      return;
    }
  if (job->state == TS_JOB_FROZEN)
    {
      if (job->since < event->time)
        ts_diagnostics_add (timeline->diagnostics, TS_DIAGNOSTIC_LATE_NESTED_END, event->line, NULL);
    }
  else if (job->state != TS_JOB_RUNNING
           && (job->since < event->time || job->suspended
               || (state->class == TS_CLASS_SCHEDULED && !job->inferred_ready)))
    ts_diagnostics_add (timeline->diagnostics, TS_DIAGNOSTIC_END_WHILE_PREEMPTED, event->line, NULL);
  ts_job_close (timeline, job);
}

static void
change_nested (TsTimeline *timeline, TsJob *job, const TsEvent *event)
{
  gboolean       suspends = event->kind == TS_EVENT_PREEMPT;
  TsDiagnosticId defect = suspends ? TS_DIAGNOSTIC_REDUNDANT_PREEMPT : TS_DIAGNOSTIC_REDUNDANT_RESUME;

  if ((!suspends && event->kind != TS_EVENT_RESUME) || job->state == TS_JOB_FROZEN)
    defect = TS_DIAGNOSTIC_UNEXPECTED_STATE;
  else if (job->suspended != suspends)
    {
      job->suspended = suspends;
      ts_core_update_nested (timeline, job);
      return;
    }
  if (!timeline->infers)
    ts_diagnostics_add (timeline->diagnostics, defect, event->line, NULL);
}

/* preempt, resume, wait and the like */
static void
change_instance (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  TsJob      *job = find_open (timeline, state, event);
  Transition  transition = NO (UNEXPECTED_STATE);

  if (job == NULL)
    {
      if (ts_head_is_possible (timeline, state, event))
        {
          ts_head_begin (timeline, state, event);
          return;
        }
      if (event->kind == TS_EVENT_PREEMPT)
        transition.defect = TS_DIAGNOSTIC_REDUNDANT_PREEMPT;
      else if (event->kind == TS_EVENT_RESUME)
        transition.defect = TS_DIAGNOSTIC_REDUNDANT_RESUME;
    }
  else if (state->class == TS_CLASS_NESTED)
    {
      change_nested (timeline, job, event);
      return;
    }
  else
    transition = transitions[event->kind][job->state];

  if (transition.next < 0)
    {
      /* where preemptions are inferred, the trace's own add nothing */
      if (!timeline->infers)
        ts_diagnostics_add (timeline->diagnostics, transition.defect, event->line, NULL);
      return;
    }
  if (G_UNLIKELY (job->polling || ts_event_starts_polling (event)))
    note_polling (timeline, job, ts_event_starts_polling (event));
  if (transition.next == job->state)
    return;
  job->inferred_ready = FALSE;
  if (transition.next == TS_JOB_RUNNING)
    ts_core_move (timeline, job, event->resource);
  ts_core_change (timeline, job, (TsJobState) transition.next);
}

static void
note_presence (TsTimeline *timeline, TsElementState *state, guint32 element)
{
  state->is_present = TRUE;
  g_array_append_val (timeline->present, element);
}

/* What is no event of an element. */
static void
handle_other (TsTimeline *timeline, const TsEvent *event)
{
  if (event->kind == TS_EVENT_ERROR)
    ts_cut_at_error (timeline, event);
  else if (event->kind == TS_EVENT_USER && (event->flags & (TS_EVENT_STOPS | TS_EVENT_GOES_ON)))
    clip_at (timeline, event->flags & TS_EVENT_STOPS ? event->time : G_MAXINT64 / 2);
}

static inline void
handle (TsTimeline *timeline, const TsEvent *event)
{
  TsElementState *state;

  if (G_UNLIKELY (event->time > timeline->beside_time))
    ts_cut_replaced (timeline);
  timeline->now = event->time;
  timeline->line = event->line;
  if (G_UNLIKELY (timeline->options.subtract_overhead))
    ts_core_charge_overhead (timeline, event);
  if (event->kind >= TS_EVENT_ERROR || event->element >= timeline->n_elements)
    {
      handle_other (timeline, event);
      return;
    }

  state = ts_timeline_element (timeline, event->element);
  if (G_UNLIKELY (!state->is_present))
    note_presence (timeline, state, event->element);
  state->resource = event->resource;
  switch ((TsEventKind) event->kind)
    {
    case TS_EVENT_ACTIVATION:
    case TS_EVENT_ACTIVATION_OS:
    case TS_EVENT_ACTIVATION_CHAINED:
      ts_job_activate (timeline, event);
      break;
    case TS_EVENT_ACTIVATION_FAILED:
      ts_diagnostics_add (timeline->diagnostics, TS_DIAGNOSTIC_FAILED_ACTIVATION, event->line, NULL);
      state->counts.failed++;
      ts_job_withdraw (timeline, event);
      break;
    case TS_EVENT_START:
      start_instance (timeline, state, event);
      break;
    case TS_EVENT_END:
      end_instance (timeline, state, event);
      break;
    case TS_EVENT_READ:
    case TS_EVENT_WRITE:
      ts_signal_access (timeline, state, event);
      break;
    default:
      change_instance (timeline, state, event);
      break;
    }
}

/* With thousands of elements what is known of one is in no cache when its event comes: fetched so many events before,
 * it is, which gains 6 % there and costs nothing where there are few. */
#define EVENTS_AHEAD 8

static inline void
prefetch (const TsTimeline *timeline, const TsEvent *event)
{
  const TsElementState *state = &timeline->elements[event->element];

  __builtin_prefetch (state);
  __builtin_prefetch ((const guint8 *) state + TS_CACHE_LINE);
}

void
ts_timeline_events (TsTimeline *timeline, const TsEvent *events, gsize n_events)
{
  TsSection *section = timeline->section;

  if (n_events == 0)
    return;
  if (timeline->n_elements < ts_system_n_elements (timeline->system))
    grow_elements (timeline);
  if (timeline->n_cores < ts_system_n_resources (timeline->system) + 1)
    grow_cores (timeline);
  if (!timeline->begun)
    begin_at (timeline, events[0].time);
  if (section->n_events == 0)
    section->first = events[0].time;
  section->n_events += n_events;
  section->last = events[n_events - 1].time;

  for (gsize i = 0; i < n_events; i++)
    {
      if (i + EVENTS_AHEAD < n_events)
        prefetch (timeline, &events[i + EVENTS_AHEAD]);
      handle (timeline, &events[i]);
    }
}

void
ts_timeline_end_section (TsTimeline *timeline)
{
  TsSection *section = timeline->section;
  gint64     to;

  ts_cut_replaced (timeline);
  if (timeline->begun)
    {
      to = section->has_stop ? section->stop : timeline->now;
      to = MIN (to, timeline->clip_to);
      section->window_from = timeline->clip_from;
      section->window_to = MAX (to, timeline->clip_from);
      timeline->window += section->window_to - section->window_from;
      for (guint i = 0; i < timeline->n_cores; i++)
        ts_core_end (timeline, &timeline->cores[i], MAX (timeline->now, section->window_to));
      if (section->has_stop)
        timeline->now = MAX (timeline->now, section->stop);
    }
  ts_cut_all (timeline);
  timeline->section = NULL;
}

TsElementCounts
ts_timeline_counts (const TsTimeline *timeline, guint32 element)
{
  return element < timeline->n_elements ? timeline->elements[element].counts : (TsElementCounts){ 0 };
}

TsInt128
ts_timeline_busy (const TsTimeline *timeline, guint16 resource)
{
  return (guint) resource + 1 < timeline->n_cores ? timeline->cores[resource + 1].busy : 0;
}

TsInt128
ts_timeline_window (const TsTimeline *timeline)
{
  return timeline->window;
}
