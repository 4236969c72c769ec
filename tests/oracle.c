/* SPDX-License-Identifier: MIT */

#include "oracle-part.h"

/* Instances, one element after the other */

static gboolean
is_open (const Part *part, const OracleInstance *instance)
{
  return instance->began >= part->low && instance->ended == G_MAXINT;
}

static gboolean
same_number (const OracleInstance *instance, const TsEvent *event)
{
  return event->instance == TS_NO_INSTANCE || instance->own_number == TS_NO_INSTANCE
         || event->instance == instance->own_number;
}

/* The innermost open instance; @owner is -2 if it does not matter. */
static OracleInstance *
find_open (const Part *part, const TsEvent *event, gint owner)
{
  for (guint i = part->answer->instances->len; i-- > 0;)
    {
      OracleInstance *instance = instance_at (part, i);

      if (instance->element == event->element && is_open (part, instance) && same_number (instance, event)
          && (owner == -2 || instance->owner == owner))
        return instance;
    }
  return NULL;
}

/* Of a part: of the section, or the error event before it. */
static gint64
beginning (const Part *part)
{
  if (part->low < 0 && part->question->has_start)
    return part->question->start;
  return part->events[MAX (part->low, 0)].time;
}

static OracleInstance *
add_instance (const Part *part, gint place, gboolean is_head)
{
  const TsEvent *event = &part->events[place];
  OracleInstance *instance = g_new0 (OracleInstance, 1);

  instance->element = event->element;
  instance->resource = part->resource;
  instance->own_number = event->instance;
  instance->number = 1;
  for (guint i = 0; i < part->answer->instances->len; i++)
    instance->number += instance_at (part, i)->element == event->element;
  /* those that wait at an error event are counted there */
  if (event->instance == TS_NO_INSTANCE)
    instance->number += (gint64) part->answer->counts[event->element].pending;
  instance->first = place;
  instance->began = is_head ? part->low : place;
  instance->ended = G_MAXINT;
  instance->owner = -1;
  instance->status = is_head ? TS_STATUS_PARTIAL_HEAD : TS_STATUS_PARTIAL_TAIL;
  instance->has_start = !is_head;
  instance->start = is_head ? beginning (part) : event->time;
  instance->segments = g_array_new (FALSE, FALSE, sizeof (OracleSegment));
  g_ptr_array_add (part->answer->instances, instance);
  return instance;
}

static void
close_instance (const Part *part, OracleInstance *instance, gint place)
{
  instance->ended = place;
  instance->has_end = TRUE;
  instance->end = part->events[place].time;
  if (instance->has_start)
    instance->status = TS_STATUS_COMPLETE;
}

/* Rule 6: an element is known by its first event, activations apart. */
static gboolean
is_first_event (const Part *part, gint place)
{
  for (gint i = part->low + 1; i < place; i++)
    if (part->events[i].element == part->events[place].element && !is_activation (&part->events[i])
        && part->events[i].kind != TS_EVENT_ACTIVATION_FAILED)
      return FALSE;
  return TRUE;
}

/* What it must have done before its first event. */
static gint
state_before (guint kind)
{
  if (kind == TS_EVENT_RESUME)
    return ORACLE_PREEMPTED;
  return kind == TS_EVENT_RELEASE || kind == TS_EVENT_UNPARK ? ORACLE_WAITING : ORACLE_RUNNING;
}

/* -1: the state does not change. */
static gint
state_after (guint kind, gint state)
{
  if (kind == TS_EVENT_PREEMPT && state == ORACLE_RUNNING)
    return ORACLE_PREEMPTED;
  if (kind == TS_EVENT_RESUME && state != ORACLE_RUNNING) /* a release may be missing */
    return ORACLE_RUNNING;
  if ((kind == TS_EVENT_WAIT || kind == TS_EVENT_PARK) && state == ORACLE_RUNNING)
    return ORACLE_WAITING;
  if (kind == TS_EVENT_RELEASE && state == ORACLE_WAITING)
    return ORACLE_READY;
  if (kind == TS_EVENT_UNPARK && state == ORACLE_WAITING)
    return ORACLE_RUNNING;
  return -1;
}

static OracleSegment *
last_segment (OracleInstance *instance)
{
  return &g_array_index (instance->segments, OracleSegment, instance->segments->len - 1);
}

static void
add_segment (OracleInstance *instance, gint from, gint to, gint state)
{
  OracleSegment segment = { from, to, state };

  if (instance->segments->len > 0 && last_segment (instance)->state == state && last_segment (instance)->to == from)
    last_segment (instance)->to = to;
  else
    g_array_append_val (instance->segments, segment);
}

/* An activation belongs to the first start that it can belong to (rule 3). */
static void
find_activation (const Part *part, OracleInstance *instance, gboolean *taken)
{
  for (gint i = part->low + 1; i < instance->began; i++)
    {
      const TsEvent *event = &part->events[i];

      if (event->element != instance->element || !is_activation (event) || taken[i] || !same_number (instance, event))
        continue;
      taken[i] = TRUE;
      instance->has_activation = TRUE;
      instance->activation = event->time;
      return;
    }
}

static void
change_state (OracleInstance *instance, gint place, gint state)
{
  if (state < 0)
    return;
  last_segment (instance)->to = place;
  add_segment (instance, place, G_MAXINT, state);
}

/* Tasks, ISRs, and all that runs by itself. */
static void
follow_job (const Part *part, guint element, gboolean *taken)
{
  TsElementCounts *counts = &part->answer->counts[element];

  for (gint i = part->low + 1; i < part->high; i++)
    {
      const TsEvent *event = &part->events[i];
      OracleInstance *instance;

      if (event->element != element || event->kind >= TS_EVENT_ERROR)
        continue;
      counts->activations += is_activation (event);
      counts->failed += event->kind == TS_EVENT_ACTIVATION_FAILED;
      if (is_activation (event) || event->kind == TS_EVENT_ACTIVATION_FAILED
          || (part->question->infer && (event->kind == TS_EVENT_PREEMPT || event->kind == TS_EVENT_RESUME)))
        continue;

      instance = find_open (part, event, -2);
      if (event->kind == TS_EVENT_START && instance != NULL && event->instance != TS_NO_INSTANCE
          && last_segment (instance)->state != ORACLE_RUNNING)
        {
          change_state (instance, i, ORACLE_RUNNING); /* rule 8, BTF */
          continue;
        }
      if (event->kind == TS_EVENT_START)
        {
          counts->starts++;
          if (instance != NULL) /* rule 8 */
            {
              instance->ended = i;
              last_segment (instance)->to = i;
              instance->doubtful = part->question->infer || !instance->has_start;
              if (instance->has_start)
                instance->status = TS_STATUS_MISSING_END;
            }
          instance = add_instance (part, i, FALSE);
          find_activation (part, instance, taken);
          add_segment (instance, i, G_MAXINT, ORACLE_RUNNING);
          continue;
        }

      if (instance == NULL && !is_first_event (part, i))
        {
          part->answer->redundant[element] += event->kind == TS_EVENT_END;
          continue;
        }
      if (instance == NULL)
        {
          instance = add_instance (part, i, TRUE);
          add_segment (instance, part->low, G_MAXINT, state_before (event->kind));
        }
      if (event->kind == TS_EVENT_END)
        {
          counts->ends++;
          last_segment (instance)->to = i;
          close_instance (part, instance, i);
        }
      else
        change_state (instance, i, state_after (event->kind, last_segment (instance)->state));
    }
}

/* Rule 12: whoever started last has the resource. Of heads, the one that ends first. */
static gint
urgency (const OracleInstance *instance)
{
  return instance->has_start ? instance->began : -instance->ended - 2;
}

static gboolean
is_on_top (const Part *part, const OracleInstance *instance, gint place)
{
  for (guint i = 0; i < part->answer->instances->len; i++)
    {
      const OracleInstance *other = instance_at (part, i);

      if (is_scheduled (part, other->element) && other->resource == part->resource && other->began >= part->low
          && other->began <= place && place < other->ended && urgency (other) > urgency (instance))
        return FALSE;
    }
  return TRUE;
}

static void
infer_segments (const Part *part, OracleInstance *instance)
{
  g_array_set_size (instance->segments, 0);
  for (gint i = instance->began; i < MIN (instance->ended, part->high); i++)
    add_segment (instance, i, i + 1, is_on_top (part, instance, i) ? ORACLE_RUNNING : ORACLE_PREEMPTED);
}

/* What runs inside of others */

static gint
state_in (const OracleInstance *instance, gint place, gint *since)
{
  for (guint i = 0; i < instance->segments->len; i++)
    {
      const OracleSegment *segment = &g_array_index (instance->segments, OracleSegment, i);

      if (segment->from <= place && place < segment->to)
        {
          *since = segment->from;
          return segment->state;
        }
    }
  return -1;
}

/* The task or ISR that an event of a nested element happens in. */
static gint
find_owner (const Part *part, gint place)
{
  const TsEvent *event = &part->events[place];
  gint best = -1, best_since = G_MININT, since = G_MININT;

  for (guint i = 0; i < part->answer->instances->len; i++)
    {
      const OracleInstance *instance = instance_at (part, i);

      if (instance->resource != part->resource || !is_scheduled (part, instance->element)
          || (event->owner != TS_NO_ELEMENT && event->owner != instance->element) || instance->began < part->low
          || instance->began > place || place >= instance->ended)
        continue;
      if (state_in (instance, place, &since) != ORACLE_RUNNING && event->owner == TS_NO_ELEMENT)
        continue;
      if (since >= best_since)
        {
          best = (gint)i;
          best_since = since;
        }
    }
  return best;
}

static void
share_segments (const Part *part, OracleInstance *instance)
{
  gint to = MIN (instance->ended, part->high);

  if (instance->owner < 0)
    {
      for (gint i = instance->began; i < to; i++)
        {
          gboolean alone = TRUE;

          for (guint j = 0; j < part->answer->instances->len && part->question->infer; j++)
            {
              const OracleInstance *other = instance_at (part, j);

              if (is_scheduled (part, other->element) && other->resource == part->resource
                  && other->began > instance->began && other->began <= i && i < other->ended)
                alone = FALSE;
            }
          add_segment (instance, i, i + 1, alone ? ORACLE_RUNNING : ORACLE_PREEMPTED);
        }
      return;
    }

  for (guint i = 0; i < instance_at (part, (guint)instance->owner)->segments->len; i++)
    {
      const OracleSegment *segment
          = &g_array_index (instance_at (part, (guint)instance->owner)->segments, OracleSegment, i);

      if (segment->from < to && segment->to > instance->began)
        add_segment (instance, MAX (segment->from, instance->began), MIN (segment->to, to), segment->state);
    }
}

static void
follow_nested (const Part *part)
{
  for (gint i = part->low + 1; i < part->high; i++)
    {
      const TsEvent *event = &part->events[i];
      gint owner;
      OracleInstance *instance;

      if (event->kind >= TS_EVENT_ERROR || event->element == TS_NO_ELEMENT || !is_nested (part, event->element)
          || part->question->elements[event->element].resource != part->resource)
        continue;

      part->answer->counts[event->element].activations += is_activation (event);
      if (is_activation (event))
        continue;
      owner = find_owner (part, i);
      if (event->kind == TS_EVENT_START)
        {
          part->answer->counts[event->element].starts++;
          instance = add_instance (part, i, FALSE);
          instance->owner = owner;
          continue;
        }

      instance = find_open (part, event, owner);
      if (instance == NULL && !is_first_event (part, i))
        part->answer->open_question[event->element] = TRUE;
      if (instance == NULL && (owner < 0 || instance_at (part, (guint)owner)->has_start))
        instance = find_open (part, event, -2);
      if (instance == NULL && (owner < 0 || !instance_at (part, (guint)owner)->has_start || is_first_event (part, i)))
        {
          instance = add_instance (part, i, TRUE);
          instance->owner = owner;
        }
      if (event->kind == TS_EVENT_END && instance != NULL)
        {
          part->answer->counts[event->element].ends++;
          close_instance (part, instance, i);
        }
      else if (event->kind == TS_EVENT_END)
        part->answer->redundant[event->element]++;
    }
}

static void
look_at (Part *part)
{
  g_autofree gboolean *taken = g_new0 (gboolean, part->n_events + 1);
  guint first = part->answer->instances->len;
  GPtrArray *instances = part->answer->instances;

  for (guint i = 0; i < part->question->n_elements; i++)
    if (part->question->elements[i].resource == part->resource && !is_nested (part, i))
      follow_job (part, i, taken);
  for (guint i = first; i < instances->len && part->question->infer; i++)
    if (is_scheduled (part, instance_at (part, i)->element))
      infer_segments (part, instance_at (part, i));
  follow_nested (part);

  for (guint i = first; i < instances->len; i++)
    {
      OracleInstance *instance = instance_at (part, i);
      gboolean nested = is_nested (part, instance->element);

      if (instance->ended == G_MAXINT)
        instance->ended = part->high;
      if (nested)
        share_segments (part, instance);
      if (nested && instance->owner >= 0 && instance_at (part, (guint)instance->owner)->ended < instance->ended)
        instance->doubtful = part->answer->open_question[instance->element] = TRUE;
    }
  for (guint i = first; i < instances->len; i++)
    oracle_measure (part, i);
  oracle_sample (part, first, taken);
}

static TsEvent *
sort_stably (const TsEvent *events, guint n)
{
  TsEvent *sorted = g_new (TsEvent, n + 1);

  for (guint i = 0; i < n; i++)
    {
      guint j = i;

      for (; j > 0 && sorted[j - 1].time > events[i].time; j--)
        sorted[j] = sorted[j - 1];
      sorted[j] = events[i];
    }
  return sorted;
}

static void
instance_free (gpointer data)
{
  OracleInstance *instance = data;

  g_array_unref (instance->segments);
  g_free (instance);
}

OracleAnswer *
oracle_ask (const OracleQuestion *question)
{
  OracleAnswer *answer = g_new0 (OracleAnswer, 1);
  guint n = question->n_events;
  g_autofree TsEvent *events = sort_stably (question->events, n);

  answer->instances = g_ptr_array_new_with_free_func (instance_free);
  answer->samples = g_new0 (GArray *, question->n_elements * TS_N_METRICS + 1);
  for (guint i = 0; i < question->n_elements * TS_N_METRICS; i++)
    answer->samples[i] = g_array_new (FALSE, FALSE, sizeof (OracleSample));
  answer->counts = g_new0 (TsElementCounts, question->n_elements);
  answer->redundant = g_new0 (guint, question->n_elements);
  answer->open_question = g_new0 (gboolean, question->n_elements);
  answer->busy = g_new0 (gint64, question->n_resources);
  answer->busy_doubtful = g_new0 (gboolean, question->n_resources);
  answer->window_from = question->has_start ? question->start : n > 0 ? events[0].time : question->stop;
  answer->window_to = question->has_stop ? question->stop : n > 0 ? events[n - 1].time : question->start;
  if (question->has_from)
    answer->window_from = MAX (answer->window_from, question->from);
  if (question->has_to)
    answer->window_to = MIN (answer->window_to, question->to);

  for (guint16 resource = 0; resource < question->n_resources; resource++)
    {
      Part part = { question, answer, events, (gint)n, resource, -1, 0 };

      for (gint i = 0; i <= (gint)n; i++)
        if (i == (gint)n || (events[i].kind == TS_EVENT_ERROR && events[i].resource == resource))
          {
            part.high = i;
            look_at (&part);
            part.low = i;
          }
    }
  return answer;
}

void
oracle_answer_free (OracleAnswer *answer)
{
  g_ptr_array_unref (answer->instances);
  for (guint i = 0; answer->samples[i] != NULL; i++)
    g_array_unref (answer->samples[i]);
  g_free (answer->samples);
  g_free (answer->counts);
  g_free (answer->redundant);
  g_free (answer->open_question);
  g_free (answer->busy);
  g_free (answer->busy_doubtful);
  g_free (answer);
}
