/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/core.h"
#include "analyse/index.h"

/* What is open when a section ends, or where the trace has a hole. */

static inline TsElementState *
element_at (const TsTimeline *timeline, const GArray *elements, guint i)
{
  return ts_timeline_element (timeline, g_array_index (elements, guint32, i));
}

/* Whether what is cut on @resource, or everywhere, is of an element of which none is open. */
static gboolean
was_on (const TsElementState *state, guint16 resource)
{
  return resource == TS_NO_RESOURCE || state->resource == resource;
}

static void
abandon_open (TsTimeline *timeline, TsElementState *state, guint16 resource)
{
  gboolean is_there = state->open == NULL && was_on (state, resource);
  TsJob   *job = state->open, *next;

  for (; job != NULL; job = next)
    {
      gboolean is_frozen = job->state == TS_JOB_FROZEN;

      next = job->next;
      if (next != NULL) /* thousands are not found at once where they are indexed */
        __builtin_prefetch (ts_job_index_slot (&timeline->index, next->facts.element, next->facts.own_number));
      if (resource != TS_NO_RESOURCE && job->facts.resource != resource)
        continue;
      is_there = TRUE;
      /* its end was lost long before the event that is in the present line */
      if (is_frozen)
        ts_timeline_set_line (timeline, job->facts.line);
      ts_job_abandon (timeline, job, is_frozen ? TS_STATUS_MISSING_END : TS_STATUS_PARTIAL_TAIL);
    }
  if (!is_there)
    return;
  ts_job_drop_pending (timeline, state);
  ts_job_forget_chains (state);
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  guint32 left = *(const guint32 *) a, right = *(const guint32 *) b;

  return left < right ? -1 : left > right;
}

/* All that is open is given up at one moment, element by element: first the frames are dissolved from the innermost
 * outwards, since to take thousands of them from the middle would take long. */
static void
settle (TsTimeline *timeline, const GArray *elements)
{
  for (guint i = 0; i < elements->len; i++)
    {
      TsElementState *state = element_at (timeline, elements, i);

      if (state->class == TS_CLASS_SCHEDULED)
        for (TsJob *job = state->open; job != NULL; job = job->next)
          ts_core_settle_callees (timeline, job);
    }
  for (guint i = 0; i < timeline->n_cores; i++)
    ts_core_settle_strays (timeline, &timeline->cores[i]);
}

/* Whether there can be frames. */
static gboolean
has_nested (const TsTimeline *timeline, const GArray *elements)
{
  for (guint i = 0; i < elements->len; i++)
    if (element_at (timeline, elements, i)->class == TS_CLASS_NESTED)
      return TRUE;
  return FALSE;
}

/* Once they are sorted. */
static gboolean
has_waiting (const TsTimeline *timeline, guint32 element)
{
  const TsSibling *first;

  return ts_waiting_of (&timeline->siblings.waiting, element, &first) > 0;
}

/* Whoever is declared on a resource stays there, see TS_EVENT_ERROR: so an error event elsewhere need not look at it. */
void
ts_cut_see (TsTimeline *timeline, const TsEvent *event)
{
  const guint16 declared = ts_system_get_element (timeline->system, event->element)->resource;
  TsCore       *core = ts_timeline_core (timeline, declared == event->resource ? declared : TS_NO_RESOURCE);

  if (core->seen == NULL)
    core->seen = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (core->seen, event->element);
}

/* Adds those of @seen to @open of which anything is; the others may be on @resource. */
static void
gather_open (TsTimeline *timeline, const GArray *seen, guint16 resource, GArray *open)
{
  for (guint i = 0; i < seen->len; i++)
    {
      const guint32   element = g_array_index (seen, guint32, i);
      TsElementState *state = ts_timeline_element (timeline, element);

      if (state->open != NULL || state->pending != NULL || has_waiting (timeline, element))
        g_array_append_val (open, element);
      else if (was_on (state, resource))
        ts_job_forget_chains (state);
    }
}

/* Whether those of @core may be on @resource: [0] has whoever may be anywhere. */
static gboolean
may_be_on (const TsTimeline *timeline, const TsCore *core, guint16 resource)
{
  return core->seen != NULL
         && (resource == TS_NO_RESOURCE || core == timeline->cores || core == &timeline->cores[resource + 1]);
}

/* Cuts everything on @resource, or everywhere; callees before the tasks that they run in. Most elements have nothing that
 * is open: so only what is has to be put in order. */
static void
cut (TsTimeline *timeline, guint16 resource)
{
  static const TsElementClass order[] = { TS_CLASS_NESTED, TS_CLASS_ALONE, TS_CLASS_SCHEDULED };
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (resource == TS_NO_RESOURCE)
    ts_siblings_sort (timeline);
  else
    ts_siblings_queue (timeline);
  ts_followers_recall_everywhere (timeline);
  for (TsCore *core = timeline->cores; core < timeline->cores + timeline->n_cores; core++)
    if (may_be_on (timeline, core, resource))
      gather_open (timeline, core->seen, resource, open);
  g_array_sort (open, compare_ids);
  if (resource == TS_NO_RESOURCE && has_nested (timeline, open))
    settle (timeline, open);
  for (guint pass = 0; pass < G_N_ELEMENTS (order); pass++)
    for (guint i = 0; i < open->len; i++)
      {
        TsElementState *state = element_at (timeline, open, i);

        if (state->class == order[pass])
          abandon_open (timeline, state, resource);
      }
  ts_waiting_clear (&timeline->siblings.waiting);
  ts_unsure_clear (&timeline->unsure);
}

/* All of @elements were cut, and the section ends. */
static void
settle_counts (TsTimeline *timeline, GArray *elements)
{
  for (guint i = 0; i < elements->len; i++)
    {
      TsElementState *state = element_at (timeline, elements, i);

      state->row = TS_ROW_ABSENT;
      state->is_counted = FALSE;
      ts_job_settle_counts (state);
    }
  g_array_set_size (elements, 0);
}

static void
tell_awaited (TsTimeline *timeline, guint32 element, TsIntervalKind kind, gint64 since)
{
  const TsInterval interval = { element, kind, timeline->now - since, since, 0 };

  timeline->sink.awaited (timeline->sink_data, &interval);
}

/* Of what was there twice or more: otherwise nothing says that it was to come again. Alternatives are activated at any time, or
 * never. */
static void
tell_what_is_awaited (TsTimeline *timeline, guint32 element)
{
  const TsElement      *declared = ts_system_get_element (timeline->system, element);
  const TsElementState *state = ts_timeline_element (timeline, element);

  if (state->has_last_write && state->counts.writes > 1)
    tell_awaited (timeline, element, TS_INTERVAL_DT, state->last_write);
  if (declared->is_queue || state->n_started < 2)
    return;
  if ((state->known & TS_KNOWN_START) != 0)
    tell_awaited (timeline, element, TS_INTERVAL_DT, state->last_start);
  if ((state->known & TS_KNOWN_ACTIVATION) != 0 && declared->type != TS_TYPE_GOAL && declared->type != TS_TYPE_BRANCH)
    tell_awaited (timeline, element, TS_INTERVAL_PER, state->last_activation);
}

/* What would have come next belongs to the window if that goes on here. */
static void
tell_all_that_is_awaited (TsTimeline *timeline)
{
  if (timeline->sink.awaited == NULL || !ts_timeline_in_window (timeline, timeline->now))
    return;
  for (guint i = 0; i < timeline->n_cores; i++)
    {
      const GArray *seen = timeline->cores[i].seen;

      for (guint k = 0; seen != NULL && k < seen->len; k++)
        tell_what_is_awaited (timeline, g_array_index (seen, guint32, k));
    }
}

void
ts_cut_all (TsTimeline *timeline)
{
  tell_all_that_is_awaited (timeline);
  cut (timeline, TS_NO_RESOURCE);
  for (guint i = 0; i < timeline->n_cores; i++)
    if (timeline->cores[i].seen != NULL)
      settle_counts (timeline, timeline->cores[i].seen);
  settle_counts (timeline, timeline->counted);
}

/* Whether @job, which runs, was there when another one started beside it, without a break since then. */
static gboolean
is_older (const TsTimeline *timeline, const TsJob *job, const TsBeside *beside)
{
  return job->since < timeline->beside_time
         || (job->facts.number == beside->older && job->facts.n_preemptions == beside->n_preemptions);
}

static void
abandon_replaced (TsTimeline *timeline, const TsBeside *beside)
{
  TsJob   *job = ts_timeline_element (timeline, beside->element)->open, *next;
  gboolean has_younger = FALSE;

  ts_timeline_set_line (timeline, beside->line);
  for (; job != NULL; job = next)
    {
      next = job->next;
      if (job->state != TS_JOB_RUNNING || job->facts.resource != beside->resource)
        continue;
      /* whatever became of the younger one since */
      if (has_younger || is_older (timeline, job, beside))
        ts_job_abandon (timeline, job, TS_STATUS_MISSING_END);
      has_younger = TRUE;
    }
}

void
ts_cut_replaced (TsTimeline *timeline)
{
  for (guint i = 0; i < timeline->besides->len; i++)
    abandon_replaced (timeline, &g_array_index (timeline->besides, TsBeside, i));
  g_array_set_size (timeline->besides, 0);
  ts_timeline_expect (timeline, G_MAXINT64);
}

/* Those of @seen that were cut altogether have no event since then; their counts are settled later. */
static void
leave (TsTimeline *timeline, GArray *seen)
{
  guint n_left = 0;

  for (guint i = 0; i < seen->len; i++)
    {
      const guint32   element = g_array_index (seen, guint32, i);
      TsElementState *state = ts_timeline_element (timeline, element);

      if (state->open != NULL || state->pending != NULL)
        {
          g_array_index (seen, guint32, n_left++) = element;
          continue;
        }
      state->row = TS_ROW_ABSENT;
      if (!state->is_counted)
        g_array_append_val (timeline->counted, element);
      state->is_counted = TRUE;
    }
  g_array_set_size (seen, n_left);
}

/* Whether @core is that of @event; 0 is that of no resource. */
static gboolean
is_own (const TsEvent *event, guint core)
{
  return core == (guint16) (event->resource + 1);
}

static gboolean
is_cut (const TsEvent *event, guint core)
{
  return event->resource == TS_NO_RESOURCE || is_own (event, core);
}

void
ts_cut_at_error (TsTimeline *timeline, const TsEvent *event)
{
  ts_diagnostics_add (timeline->diagnostics, TS_DIAGNOSTIC_ERROR_EVENT, event->line, NULL);
  for (guint i = 0; i < timeline->n_cores; i++)
    if (is_cut (event, i))
      ts_core_end (timeline, &timeline->cores[i], event->time);
  cut (timeline, event->resource);
  timeline->was_cut = TRUE;
  ts_timeline_set_pause (timeline);
  for (guint i = 0; i < timeline->n_cores; i++)
    if (is_cut (event, i))
      {
        const gint64 after = timeline->cores[i].last_after;

        ts_core_begin (&timeline->cores[i], event->time);
        /* the error is an event of its resource like any other, and costs what they do */
        if (is_own (event, i))
          timeline->cores[i].last_after = after;
        if (timeline->cores[i].seen != NULL)
          leave (timeline, timeline->cores[i].seen);
      }
}
