/* SPDX-License-Identifier: MIT */

/* The second half of the oracle: from instances to samples and statistics. */

#include "oracle-part.h"

#include <math.h>
#include <stdlib.h>

static gboolean
in_window (const OracleQuestion *question, gint64 time)
{
  return (!question->has_from || time >= question->from) && (!question->has_to || time < question->to);
}

/* Intervals belong to the later of their two events (rule 20). */
static gboolean
interval_in_window (const OracleQuestion *question, gint64 from, gint64 to)
{
  return in_window (question, MAX (from, to));
}

static void
add_sample (const Part *part, guint element, TsMetricId metric, gint64 value, gint64 at, gint64 number)
{
  OracleSample sample = { value, at, number };

  g_array_append_val (part->answer->samples[element * TS_N_METRICS + metric], sample);
}

/* Whether it runs itself at a place, or something that it called: a later frame of the
 * same task. */
static gboolean
is_innermost (const Part *part, guint index, gint place)
{
  const OracleInstance *instance = instance_at (part, index);

  for (guint i = 0; i < part->answer->instances->len; i++)
    {
      const OracleInstance *other = instance_at (part, i);

      if (!is_nested (part, other->element) || other->resource != part->resource || other->began < part->low
          || other->began <= instance->began || other->began > place || place >= other->ended)
        continue;
      if (other->owner == (gint)index || (is_nested (part, instance->element) && other->owner == instance->owner))
        return FALSE;
    }
  return TRUE;
}

/* Whether somebody else is known to run where a head would, before its first event. Of two heads that is the one whose
 * event came first. */
static gboolean
is_taken (const Part *part, const OracleInstance *head, gint place)
{
  for (guint i = 0; i < part->answer->instances->len; i++)
    {
      const OracleInstance *other = instance_at (part, i);

      if (other == head || !is_scheduled (part, other->element) || other->resource != part->resource
          || other->began < part->low || (place < other->first && head->first < other->first))
        continue;
      for (guint j = 0; j < other->segments->len; j++)
        {
          const OracleSegment *segment = &g_array_index (other->segments, OracleSegment, j);

          if (segment->state == ORACLE_RUNNING && segment->from <= place && place < segment->to)
            return TRUE;
        }
    }
  return FALSE;
}

static gint64
busy_time (const Part *part, const OracleInstance *instance, gint from, gint to)
{
  gint64 sum = 0;

  for (gint i = from; i < to; i++)
    if (i >= instance->first || !is_taken (part, instance, i))
      sum += MAX (MIN (time_at (part, i + 1), part->answer->window_to)
                      - MAX (time_at (part, i), part->answer->window_from), 0);
  return sum;
}

/* Where the first one that runs beside @instance in its segment from @from to @to began to; @to: nobody does. */
static gint
first_beside (const Part *part, const OracleInstance *instance, gint from, gint to)
{
  gint first = to;

  for (guint i = 0; i < part->answer->instances->len; i++)
    {
      const OracleInstance *other = instance_at (part, i);

      if (other == instance || !is_scheduled (part, other->element) || other->resource != part->resource)
        continue;
      for (guint j = 0; j < other->segments->len; j++)
        {
          const OracleSegment *segment = &g_array_index (other->segments, OracleSegment, j);

          /* time has to pass before and with it (rule 14) */
          if (segment->state == ORACLE_RUNNING && segment->from > from && time_at (part, segment->from) > time_at (part, from)
              && time_at (part, MIN (segment->to, part->high)) > time_at (part, segment->from))
            first = MIN (first, segment->from);
        }
    }
  return first;
}

/* From where on the ends of what @instance does are seen: its first event, or, if that says that it was in its task since the section
 * began, that of this task. */
static gint
shown_from (const Part *part, const OracleInstance *instance)
{
  const TsEventKind first = part->events[instance->first].kind;
  const OracleInstance *owner = instance->owner >= 0 ? instance_at (part, (guint)instance->owner) : NULL;

  if (instance->has_start || owner == NULL || owner->has_start || (first != TS_EVENT_END && first != TS_EVENT_PREEMPT))
    return instance->first;
  return MIN (instance->first, owner->first);
}

void
oracle_measure (const Part *part, guint index)
{
  const OracleQuestion *question = part->question;
  OracleInstance *instance = instance_at (part, index);
  gint64 sums[ORACLE_N_STATES] = { 0 };
  gboolean counts_here;

  instance->in_window = in_window (question, instance->start);
  counts_here = instance->in_window;
  for (guint i = 0; i < instance->segments->len; i++)
    {
      const OracleSegment *segment = &g_array_index (instance->segments, OracleSegment, i);
      gint to = MIN (segment->to, part->high);
      gint64 from_time = time_at (part, segment->from), to_time = time_at (part, to);
      gboolean closed = to < MIN (instance->ended, part->high);

      sums[segment->state] += to_time - from_time;
      for (gint j = segment->from; j < to && segment->state == ORACLE_RUNNING; j++)
        if (is_innermost (part, index, j))
          instance->self += time_at (part, j + 1) - time_at (part, j);
      if (segment->state == ORACLE_RUNNING && is_scheduled (part, instance->element)
          && !question->elements[instance->element].idle)
        /* what lost its end was over when another one ran */
        part->answer->busy[instance->resource]
            += busy_time (part, instance, segment->from,
                          instance->status == TS_STATUS_MISSING_END && to == instance->ended
                              ? first_beside (part, instance, segment->from, to)
                              : to);
      if (segment->state == ORACLE_RUNNING || !closed || segment->from < shown_from (part, instance)
          || (segment->state == ORACLE_READY && to_time == from_time))
        continue;

      /* Between release and resume others have the resource: that is preemption as well, for
         GET = CET + sum (PRE) + sum (WAIT) holds. */
      instance->n_preemptions += segment->state != ORACLE_WAITING;
      if (counts_here)
        add_sample (part, instance->element, segment->state != ORACLE_WAITING ? TS_METRIC_PRE : TS_METRIC_WAIT,
                    to_time - from_time, instance->start, instance->number);
    }

  instance->running = sums[ORACLE_RUNNING];
  instance->preempted = sums[ORACLE_PREEMPTED] + sums[ORACLE_READY];
  instance->waiting = sums[ORACLE_WAITING];
  if (instance->doubtful)
    part->answer->busy_doubtful[instance->resource] = TRUE;
}

static void
add_samples (const Part *part, const OracleInstance *i)
{
  TsElementCounts *counts = &part->answer->counts[i->element];

  counts->complete += i->status == TS_STATUS_COMPLETE;
  counts->partial_head += i->status == TS_STATUS_PARTIAL_HEAD;
  counts->partial_tail += i->status == TS_STATUS_PARTIAL_TAIL;
  counts->missing_end += i->status == TS_STATUS_MISSING_END;
  if (!i->in_window)
    return;

  if (i->has_start && i->has_activation)
    add_sample (part, i->element, TS_METRIC_IPT, i->start - i->activation, i->start, i->number);
  if (i->status != TS_STATUS_COMPLETE)
    return;

  add_sample (part, i->element, TS_METRIC_CET, i->running, i->start, i->number);
  add_sample (part, i->element, TS_METRIC_SELF, i->self, i->start, i->number);
  add_sample (part, i->element, TS_METRIC_GET, i->end - i->start, i->start, i->number);
  add_sample (part, i->element, TS_METRIC_NPR, i->n_preemptions, i->start, i->number);
  if (i->has_activation)
    add_sample (part, i->element, TS_METRIC_RT, i->end - i->activation, i->start, i->number);
}

/* The start that follows that of @index; of heads only the one that ended first, which was
 * the last one to start, has one. */
static OracleInstance *
next_start (const Part *part, guint index)
{
  const OracleInstance *instance = instance_at (part, index);
  OracleInstance *next = NULL;

  for (guint i = 0; i < part->answer->instances->len; i++)
    {
      OracleInstance *other = instance_at (part, i);

      if (other->element != instance->element || other->began < part->low || other->resource != part->resource)
        continue;
      if (!other->has_start && !instance->has_start && other->ended < instance->ended)
        return NULL;
      if (other->has_start && other->began > instance->began && (next == NULL || other->began < next->began))
        next = other;
    }
  return next;
}

/* Whether nobody knows that the activation at @place follows that of @instance, which is unknown, and was before it: there
 * are other activations before both, and numbers between them. */
static gboolean
is_between_unknown (const Part *part, const OracleInstance *instance, gint place)
{
  const TsEvent *event = &part->events[place];

  if (instance->has_activation || instance->own_number == TS_NO_INSTANCE || place > instance->began
      || event->instance <= instance->own_number + 1)
    return FALSE;
  for (gint i = part->low + 1; i < place; i++)
    if (part->events[i].element == instance->element && is_activation (&part->events[i])
        && part->events[i].instance < instance->own_number)
      return TRUE;
  return FALSE;
}

/* Of the activations, those up to and including its own are gone; what an instance between
 * them took, which has no activation, was not recorded. */
static void
add_slack (const Part *part, const OracleInstance *instance, const OracleInstance *next)
{
  guint gone = 0;
  gint64 number = next != NULL ? next->number : 0;

  if (next != NULL && !next->has_activation)
    return;
  for (guint i = 0; i < part->answer->instances->len; i++)
    {
      const OracleInstance *other = instance_at (part, i);

      gone += other->element == instance->element && other->began >= part->low && other->began <= instance->began
              && other->has_activation;
    }
  for (gint i = part->low + 1; i < part->high; i++)
    {
      const TsEvent *event = &part->events[i];

      if (event->element != instance->element || !is_activation (event) || gone-- > 0)
        continue;
      if (interval_in_window (part->question, instance->end, event->time) && !is_between_unknown (part, instance, i))
        add_sample (part, instance->element, TS_METRIC_ST, event->time - instance->end, event->time, number);
      return;
    }
}

/* Whether numbers say that others came between @head, which was there before, and @next, the first that was seen to start. */
static gboolean
are_apart (const OracleInstance *head, const OracleInstance *next)
{
  return head->own_number != TS_NO_INSTANCE && next->own_number != TS_NO_INSTANCE && next->own_number != head->own_number
         && next->own_number != head->own_number + 1;
}

static void
add_intervals (const Part *part, guint index)
{
  const OracleInstance *instance = instance_at (part, index);
  const OracleInstance *next = next_start (part, index);
  gboolean seen = next != NULL && instance->has_end && interval_in_window (part->question, instance->end, next->start);
  TsElementType type = part->question->elements[instance->element].type;

  seen = seen && (instance->has_start || !are_apart (instance, next));
  if (next != NULL && instance->has_start && in_window (part->question, next->start))
    add_sample (part, instance->element, TS_METRIC_DT, next->start - instance->start, next->start, next->number);
  if (seen)
    add_sample (part, instance->element, TS_METRIC_E2S, next->start - instance->end, next->start, next->number);
  if (seen && type != TS_TYPE_TASK)
    add_sample (part, instance->element, TS_METRIC_ST, next->start - instance->end, next->start, next->number);
  if (type == TS_TYPE_TASK && instance->has_end)
    add_slack (part, instance, next);
}

static void
add_periods (const Part *part, guint element, const gboolean *taken)
{
  gint before = -1;

  for (gint i = part->low + 1; i < part->high; i++)
    {
      const TsEvent *event = &part->events[i];

      if (event->element != element || !is_activation (event))
        continue;
      part->answer->counts[element].pending += !taken[i];
      if (before >= 0 && in_window (part->question, event->time))
        add_sample (part, element, TS_METRIC_PER, event->time - part->events[before].time, event->time, 0);
      before = i;
    }
}

void
oracle_sample (const Part *part, guint first, const gboolean *taken)
{
  for (guint i = first; i < part->answer->instances->len; i++)
    {
      add_samples (part, instance_at (part, i));
      add_intervals (part, i);
    }
  for (guint i = 0; i < part->question->n_elements; i++)
    if (part->question->elements[i].resource == part->resource)
      add_periods (part, i, taken);
}

GArray *
oracle_samples (const OracleAnswer *answer, guint element, TsMetricId metric)
{
  return answer->samples[element * TS_N_METRICS + (metric == TS_METRIC_JIT ? TS_METRIC_DT : metric)];
}

OracleStatistics
oracle_statistics (const gint64 *values, guint n)
{
  OracleStatistics result = { .n = n };
  long double squares = 0, mean;

  if (n == 0)
    return result;
  result.min = result.max = values[0];
  for (guint i = 0; i < n; i++)
    {
      result.min = MIN (result.min, values[i]);
      result.max = MAX (result.max, values[i]);
      result.sum += values[i];
    }
  mean = (long double)result.sum / n;
  for (guint i = 0; i < n; i++)
    squares += ((long double)values[i] - mean) * ((long double)values[i] - mean);
  result.mean = (double)mean;
  result.stddev = (double)sqrtl (squares / n);
  return result;
}

static int
compare_values (const void *a, const void *b)
{
  gint64 one = *(const gint64 *)a, other = *(const gint64 *)b;

  return (one > other) - (one < other);
}

gint64
oracle_percentile (const gint64 *values, guint n, guint percent)
{
  g_autofree gint64 *sorted = g_memdup2 (values, n * sizeof *values);
  guint i = 0;

  qsort (sorted, n, sizeof *sorted, compare_values);
  while ((guint64)(i + 1) * 100 < (guint64)n * percent)
    i++;
  return sorted[i];
}
