/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "analyse/life.h"
#include "analyse/past.h"
#include "analyse/unseen.h"

/* The state machine: sections, and what each event does to the instances of its element. */

/* So many open callees are looked at when the state of their task changes; where there are more, some follow it. Each that
 * joins them and leaves them again takes as long as to look at it some ten times. */
#define MOST_WALKED 16

/* Of @n elements, with the one in front of them and a line more. */
static gsize
elements_size (guint n)
{
  return ((gsize) n + 1) * sizeof (TsElementState) + TS_CACHE_LINE;
}

static void
release_elements (TsTimeline *timeline)
{
  if (timeline->elements != NULL)
    ts_pages_release (timeline->elements_memory, elements_size (timeline->size_elements));
}

/* Makes room for @size of them, zeroed. */
static void
move_elements (TsTimeline *timeline, guint size)
{
  gpointer        memory = ts_pages_resize (NULL, 0, elements_size (size));
  TsElementState *elements = ts_pages_first_line (memory);

  if (timeline->elements != NULL)
    memcpy (elements, timeline->elements, ((gsize) timeline->n_elements + 1) * sizeof *elements);
  release_elements (timeline);
  timeline->elements = elements;
  timeline->elements_memory = memory;
  timeline->defects = g_renew (guint32, timeline->defects, size + 1); /* also of none */
  memset (timeline->defects + timeline->size_elements, 0, (size - timeline->size_elements) * sizeof *timeline->defects);
  timeline->size_elements = size;
  ts_job_refer_all (timeline);
}

void
ts_timeline_diagnose (TsTimeline *timeline, TsDiagnosticId id, guint64 line, guint32 element)
{
  ts_diagnostics_add (timeline->diagnostics, id, line, "%s", ts_system_get_element (timeline->system, element)->name);
  timeline->defects[element] += ts_diagnostic_info (id)->severity == TS_SEVERITY_DEFECT;
}

static guint64
length_of_window (gint64 from, gint64 to)
{
  return to > from ? (guint64) to - (guint64) from : 0;
}

TsTimeline *
ts_timeline_new (const TsSystem *system, TsDiagnostics *diagnostics, const TsTimelineOptions *options,
                 const TsTimelineSink *sink, gpointer sink_data)
{
  TsTimeline *timeline;

  g_return_val_if_fail (system != NULL && diagnostics != NULL && options != NULL && sink != NULL, NULL);
  g_return_val_if_fail (sink->instance != NULL && sink->interval != NULL, NULL);
  timeline = g_new0 (TsTimeline, 1);
  timeline->system = system;
  timeline->diagnostics = diagnostics;
  timeline->options = *options;
  if (options->most_walked == 0)
    timeline->options.most_walked = MOST_WALKED;
  timeline->window_from = options->has_from ? options->from : G_MININT64;
  timeline->window_length = length_of_window (timeline->window_from, options->has_to ? options->to : G_MAXINT64);
  timeline->sink = *sink;
  timeline->sink_data = sink_data;
  ts_job_index_init (&timeline->index);
  ts_stand_ins_init (&timeline->stand_ins);
  ts_siblings_init (&timeline->siblings);
  timeline->job_blocks = g_ptr_array_new ();
  move_elements (timeline, 0);
  ts_job_add_free (timeline);
  timeline->unseen = ts_unseen_new ();
  timeline->past = ts_past_new ();
  timeline->counted = g_array_new (FALSE, FALSE, sizeof (guint32));
  timeline->besides = g_array_new (FALSE, FALSE, sizeof (TsBeside));
  timeline->went_on = g_ptr_array_new ();
  timeline->stray_time = G_MAXINT64;
  ts_timeline_expect (timeline, G_MAXINT64);
  return timeline;
}

void
ts_timeline_free (TsTimeline *timeline)
{
  if (timeline == NULL)
    return;
  g_ptr_array_unref (timeline->job_blocks);
  ts_arena_clear (&timeline->job_memory);
  g_array_unref (timeline->counted);
  ts_unseen_free (timeline->unseen);
  ts_past_free (timeline->past);
  g_array_unref (timeline->besides);
  g_ptr_array_unref (timeline->went_on);
  g_free (timeline->index.slots);
  ts_siblings_clear (&timeline->siblings);
  ts_unsure_clear (&timeline->unsure);
  g_clear_pointer (&timeline->followers, g_hash_table_unref);
  ts_stand_ins_clear (&timeline->stand_ins);
  release_elements (timeline);
  g_free (timeline->defects);
  for (guint i = 0; i < timeline->n_cores; i++)
    g_clear_pointer (&timeline->cores[i].seen, g_array_unref);
  g_free (timeline->cores);
  g_free (timeline);
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
  for (guint32 i = timeline->n_elements; i < n_elements; i++)
    {
      const TsElement *element = ts_system_get_element (timeline->system, i);
      TsElementState  *state = ts_timeline_element (timeline, i);

      state->class = (guint8) ts_element_type_class (element->type);
      state->is_task = element->type == TS_TYPE_TASK;
      state->no_cet = element->idle ? TS_INSTANCE_NO_CET : 0;
      state->row = TS_ROW_ABSENT;
      ts_job_forget_chains (state);
      state->resource = element->resource;
    }
  timeline->n_elements = n_elements;
}

static void
grow_cores (TsTimeline *timeline)
{
  guint n_cores = ts_system_n_resources (timeline->system) + 1;

  if (n_cores == timeline->n_cores)
    return;
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
  timeline->stop = G_MAXINT64;
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
  timeline->credited = NULL;
  timeline->clip_from = options->has_from ? MAX (begin, options->from) : begin;
  clip_at (timeline, timeline->section->has_stop ? timeline->section->stop : G_MAXINT64 / 2);
  for (guint i = 0; i < timeline->n_cores; i++)
    ts_core_begin (&timeline->cores[i], begin);
}

/* Without a start the section begins with its first event, and a stop before that is none. */
static G_GNUC_NO_INLINE void
begin_with (TsTimeline *timeline, const TsEvent *first)
{
  TsSection *section = timeline->section;

  if (section->has_stop && section->stop < first->time)
    {
      section->has_stop = FALSE;
      ts_diagnostics_add (timeline->diagnostics, TS_DIAGNOSTIC_BAD_STOP, first->line, "Stop is before the first event");
    }
  begin_at (timeline, first->time);
}

void
ts_timeline_begin_section (TsTimeline *timeline, TsSection *section)
{
  g_return_if_fail (section != NULL && timeline->section == NULL);
  timeline->section = section;
  timeline->begun = FALSE;
  ts_unseen_begin_section (timeline->unseen);
  ts_past_clear (timeline->past);
  timeline->infers = timeline->options.infer_preemption || !ts_system_has_explicit_preemption (timeline->system);
  /* cores first: when elements move, all jobs are told where both are, and there are jobs from the beginning */
  grow_cores (timeline);
  grow_elements (timeline);
  section->n_events = 0;
  if (section->has_start)
    begin_at (timeline, section->start);
}

/* A stop of the system is the end of LOAD's window unless the system goes on, or stops later: so what runs behind it is
 * counted by itself until that is known. */
static void
stop_or_go_on (TsTimeline *timeline, const TsEvent *event)
{
  for (guint i = 0; i < timeline->n_cores; i++)
    ts_core_go_on (timeline, &timeline->cores[i]);
  clip_at (timeline, event->flags & TS_EVENT_STOPS ? event->time : G_MAXINT64 / 2);
  if (event->flags & TS_EVENT_STOPS)
    timeline->stop = event->time;
}

/* What is no event of an element, whether it names one or not. */
static void
handle_other (TsTimeline *timeline, G_GNUC_UNUSED TsElementState *state, const TsEvent *event)
{
  if (event->kind == TS_EVENT_ERROR)
    ts_cut_at_error (timeline, event);
  else if (event->kind == TS_EVENT_USER && (event->flags & (TS_EVENT_STOPS | TS_EVENT_GOES_ON)))
    stop_or_go_on (timeline, event);
}

static void
fail_activation (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  ts_timeline_diagnose (timeline, TS_DIAGNOSTIC_FAILED_ACTIVATION, event->line, event->element);
  state->counts.failed++;
  ts_past_note_failed (timeline->past, event->element, event->instance);
  ts_job_withdraw (timeline, event);
}

/* What becomes of the events of an element. */
typedef void (*Handler) (TsTimeline *timeline, TsElementState *state, const TsEvent *event);

static void note_presence (TsTimeline *timeline, TsElementState *state, const TsEvent *event);

#define ALL_ROWS(absent, nested, task, isr, alone, inferred, crowded, unique) \
  { \
    [TS_ROW_ABSENT] = absent, [TS_ROW_NESTED] = nested, \
    [TS_ROW_TASK] = task, [TS_ROW_ISR] = isr, [TS_ROW_ALONE] = alone, \
    [TS_ROW_INFERRED] = inferred, [TS_ROW_CROWDED] = crowded, \
    [TS_ROW_UNIQUE] = unique \
  }
#define ROWS(...) ALL_ROWS (note_presence, __VA_ARGS__)
#define BY_CLASS(what) \
  ROWS (ts_nested_##what, ts_task_##what, ts_isr_##what, ts_alone_##what, ts_scheduled_##what##_further, \
        ts_crowded_##what, ts_unique_##what)
#define CHANGE(usual, any, alone, unique) \
  ROWS (ts_nested_change, ts_scheduled_##usual, ts_scheduled_##usual, ts_alone_##alone, ts_scheduled_##any, \
        ts_scheduled_##usual, ts_##unique)
#define ALL(handler) ROWS (handler, handler, handler, handler, handler, handler, handler)
#define EVEN_ABSENT(handler) ALL_ROWS (handler, handler, handler, handler, handler, handler, handler, handler)
#define BUT_UNIQUE(what) \
  ROWS (ts_job_##what, ts_job_##what, ts_job_##what, ts_job_##what, ts_job_##what, ts_job_##what, ts_unique_##what)

static const Handler handlers[TS_N_EVENT_KINDS][TS_N_ROWS] = {
  [TS_EVENT_ACTIVATION] = BUT_UNIQUE (activate),
  [TS_EVENT_ACTIVATION_OS] = BUT_UNIQUE (activate),
  [TS_EVENT_ACTIVATION_CHAINED] = BUT_UNIQUE (activate),
  [TS_EVENT_ACTIVATION_FAILED] = ALL (fail_activation),
  [TS_EVENT_START] = BY_CLASS (start),
  [TS_EVENT_END] = BY_CLASS (end),
  [TS_EVENT_PREEMPT] = CHANGE (preempt, suspend, suspend, scheduled_preempt),
  [TS_EVENT_RESUME] = CHANGE (resume, go_on, resume, unique_resume),
  [TS_EVENT_WAIT] = CHANGE (wait, give_up, wait, scheduled_wait),
  [TS_EVENT_RELEASE] = CHANGE (suspend, suspend, suspend, scheduled_suspend),
  [TS_EVENT_POLL] = CHANGE (go_on, go_on, resume, scheduled_go_on),
  [TS_EVENT_RUN] = CHANGE (go_on, go_on, resume, scheduled_go_on),
  [TS_EVENT_PARK] = CHANGE (wait, give_up, wait, scheduled_wait),
  [TS_EVENT_UNPARK] = CHANGE (go_on, go_on, resume, scheduled_go_on),
  [TS_EVENT_FORK] = BUT_UNIQUE (fork),
  [TS_EVENT_READ] = ALL (ts_signal_access),
  [TS_EVENT_WRITE] = ALL (ts_signal_access),
  [TS_EVENT_ERROR] = EVEN_ABSENT (handle_other),
  [TS_EVENT_USER] = EVEN_ABSENT (handle_other),
};

/* Whoever has its first event since the last cut. */
static void
note_element (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  static const guint8 rows[] = { [TS_CLASS_SCHEDULED] = TS_ROW_ISR, [TS_CLASS_NESTED] = TS_ROW_NESTED,
                                 [TS_CLASS_ALONE] = TS_ROW_ALONE };

  /* what should have an element, and has none, changes nothing; and rows are looked up before they are set */
  if (state == timeline->elements || state->row != TS_ROW_ABSENT)
    return;
  ts_cut_see (timeline, event);
  state->row = state->is_task ? TS_ROW_TASK : rows[state->class];
  if (timeline->infers && state->class == TS_CLASS_SCHEDULED)
    state->row = TS_ROW_INFERRED;
  else if (state->row == TS_ROW_ISR && (event->flags & TS_EVENT_UNIQUE))
    state->row = TS_ROW_UNIQUE;
}

static G_GNUC_NO_INLINE void
note_presence (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  note_element (timeline, state, event);
  if (state != timeline->elements)
    handlers[event->kind][state->row](timeline, state, event);
}

/* Whoever is awaited had all the time there was. */
static void
expect_no_owner (TsTimeline *timeline)
{
  ts_stand_ins_expect_nobody (&timeline->stand_ins);
  ts_timeline_expect_owner (timeline, G_MAXINT64);
}

/* What is to be done before an event, see TsTimeline.pause. */
static G_GNUC_NO_INLINE void
prepare (TsTimeline *timeline, TsElementState *state, const TsEvent *event)
{
  if (timeline->was_cut)
    {
      /* its handler was looked up before that */
      note_element (timeline, state, event);
      timeline->was_cut = FALSE;
      ts_timeline_set_pause (timeline);
    }
  if (event->time >= timeline->stray_time)
    ts_core_find_owners (timeline);
  if (event->time > timeline->stray_time)
    expect_no_owner (timeline);
  if (event->time > timeline->beside_time)
    ts_cut_replaced (timeline);
  if (timeline->options.subtract_overhead)
    ts_core_charge_overhead (timeline, event);
}

/* Whom an event is for, and who handles it: looked up one event ahead, since a processor that has foreseen the wrong
 * handler then finds that out at once. */
typedef struct
{
  TsElementState *state;
  Handler         handler;
} Target;

static TS_ALWAYS_INLINE Target
look_up (const TsTimeline *timeline, const TsEvent *event)
{
  /* none at all is the first one */
  TsElementState *state = &timeline->elements[(guint32) (event->element + 1)];

  return (Target){ state, handlers[event->kind][state->row] };
}

static TS_ALWAYS_INLINE void
handle (TsTimeline *timeline, const TsEvent *event, Target target)
{
  if (G_UNLIKELY (event->time >= timeline->pause))
    prepare (timeline, target.state, event);
  timeline->now = event->time;
  timeline->what = ts_event_word (event);
  target.state->resource = event->resource;
  target.handler (timeline, target.state, event);
}

/* With thousands of elements what is known of one is in no cache when its event comes, and of thousands of jobs that are
 * known by their numbers most are not, either: fetched so many events before, it is, which gains 6 % there, and 20 %. */
#define EVENTS_AHEAD 8
#define FEW_ELEMENTS 64 /* are in a cache without that */
#define FEW_SLOTS 4096  /* of the index of jobs: so are these, and half as many jobs */

typedef enum
{
  FETCH_NOTHING,
  FETCH_ELEMENTS,
  FETCH_JOBS,
} Fetch;

/* Always inline: a compiler leaves calls of what does nothing but fetch out. */
static TS_ALWAYS_INLINE void
fetch_element (const TsTimeline *timeline, const TsEvent *event)
{
  const TsElementState *state = &timeline->elements[(guint32) (event->element + 1)];

  __builtin_prefetch (state);
  __builtin_prefetch ((const guint8 *) state + TS_CACHE_LINE);
}

static TS_ALWAYS_INLINE TsJob *const *
slot_of (const TsTimeline *timeline, const TsEvent *event)
{
  return ts_job_index_slot (&timeline->index, event->element, event->instance);
}

static TS_ALWAYS_INLINE void
fetch_job (const TsTimeline *timeline, const TsEvent *event)
{
  const guint8 *job = (const guint8 *) *slot_of (timeline, event);

  if (job != NULL)
    for (gsize at = 0; at < sizeof (TsJob); at += TS_CACHE_LINE)
      __builtin_prefetch (job + at);
}

static TS_ALWAYS_INLINE void
fetch (const TsTimeline *timeline, const TsEvent *event, Fetch what)
{
  if (what == FETCH_ELEMENTS)
    fetch_element (timeline, event + EVENTS_AHEAD);
  else if (what == FETCH_JOBS)
    {
      /* where a job is must have arrived before */
      fetch_job (timeline, event + EVENTS_AHEAD);
      __builtin_prefetch (slot_of (timeline, event + 2 * EVENTS_AHEAD));
    }
}

/* All up to @last, which is not handled, but looked up. Two at a time, since then nothing that was looked up has to be
 * moved to where it is used. */
static TS_ALWAYS_INLINE Target
handle_until (TsTimeline *timeline, const TsEvent *event, const TsEvent *last, Target target, Fetch what)
{
  Target next;

  for (; last - event > 1; event += 2)
    {
      fetch (timeline, event, what);
      fetch (timeline, event + 1, what);
      next = look_up (timeline, event + 1);
      handle (timeline, event, target);
      target = look_up (timeline, event + 2);
      handle (timeline, event + 1, next);
    }
  if (event < last)
    {
      next = look_up (timeline, event + 1);
      handle (timeline, event, target);
      target = next;
    }
  return target;
}

/* A function of its own, which is in nobody's way. */
static G_GNUC_NO_INLINE Target
handle_many_jobs (TsTimeline *timeline, const TsEvent *event, const TsEvent *last, Target target)
{
  return handle_until (timeline, event, last, target, FETCH_JOBS);
}

void
ts_timeline_events (TsTimeline *timeline, const TsEvent *events, gsize n_events)
{
  TsSection     *section = timeline->section;
  const TsEvent *last, *ahead;
  Target         target;

  if (n_events == 0)
    return;
  if (timeline->n_elements < ts_system_n_elements (timeline->system))
    grow_elements (timeline);
  if (timeline->n_cores < ts_system_n_resources (timeline->system) + 1)
    grow_cores (timeline);
  if (!timeline->begun)
    begin_with (timeline, events);
  if (section->n_events == 0)
    section->first = events[0].time;
  last = events + n_events - 1;
  section->n_events += n_events;
  section->last = last->time;

  target = look_up (timeline, events);
  if (timeline->n_elements > FEW_ELEMENTS && n_events > EVENTS_AHEAD)
    {
      ahead = last - EVENTS_AHEAD;
      target = handle_until (timeline, events, ahead, target, FETCH_ELEMENTS);
      events = ahead;
    }
  else if (ts_job_index_n_slots (&timeline->index) > FEW_SLOTS && n_events > 2 * EVENTS_AHEAD)
    {
      ahead = last - 2 * EVENTS_AHEAD;
      target = handle_many_jobs (timeline, events, ahead, target);
      events = ahead;
    }
  target = handle_until (timeline, events, last, target, FETCH_NOTHING);
  handle (timeline, last, target);
}

void
ts_timeline_end_section (TsTimeline *timeline)
{
  TsSection *section = timeline->section;
  gint64     to;

  g_return_if_fail (section != NULL);
  if (timeline->stray_time < G_MAXINT64)
    ts_core_find_owners (timeline);
  expect_no_owner (timeline);
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
      for (guint i = 0; i < timeline->n_cores; i++)
        timeline->cores[i].busy_beyond = 0;
      if (ts_timeline_core (timeline, TS_NO_RESOURCE)->busy > 0
          && timeline->diagnostics->entries[TS_DIAGNOSTIC_UNPLACED].count == 0)
        ts_diagnostics_add (timeline->diagnostics, TS_DIAGNOSTIC_UNPLACED, 0, NULL);
      if (section->has_stop)
        timeline->now = MAX (timeline->now, section->stop);
    }
  ts_cut_all (timeline);
  if (section->n_written > 0)
    section->n_events = section->n_written;
  timeline->section = NULL;
}

TsElementCounts
ts_timeline_counts (const TsTimeline *timeline, guint32 element)
{
  TsElementCounts counts = { 0 };
  TsElementState  state;

  if (element >= timeline->n_elements)
    return counts;
  state = *ts_timeline_element (timeline, element);
  ts_job_settle_counts (&state);
#define COPY(count) counts.count = state.counts.count;
  TS_EVENT_COUNTS (COPY)
#undef COPY
  counts.defects = timeline->defects[element];
  return counts;
}

TsInt128
ts_timeline_busy (const TsTimeline *timeline, guint16 resource)
{
  TsCore core;

  if ((guint) resource + 1 >= timeline->n_cores)
    return 0;
  core = timeline->cores[resource + 1];
  ts_core_settle_alone (&core);
  return core.busy;
}

TsInt128
ts_timeline_window (const TsTimeline *timeline)
{
  return timeline->window;
}
