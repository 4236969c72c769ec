/* SPDX-License-Identifier: MIT */

#include "truth.h"

static void
on_event (const SimSystem *system G_GNUC_UNUSED, const SimEvent *event, gpointer user_data)
{
  Truth *truth = user_data;
  TruthActivation activation = { truth->n_sections, event->time };

  if (event->kind <= SIM_ACTIVATION_CHAINED)
    g_array_append_val (truth->elements[event->element].activations, activation);
}

static void
on_instance (const SimSystem *system G_GNUC_UNUSED, const SimInstance *instance, gpointer user_data)
{
  Truth *truth = user_data;
  TruthElement *element = &truth->elements[instance->element];

  g_array_append_val (element->instances, *instance);
  element->complete += instance->status == SIM_COMPLETE;
  element->heads += (instance->status & SIM_HEAD) != 0;
  element->tails += instance->status == SIM_TAIL;
}

static void
on_interval (const SimSystem *system G_GNUC_UNUSED, const SimInterval *interval, gpointer user_data)
{
  Truth *truth = user_data;

  g_array_append_val (truth->elements[interval->element].intervals, *interval);
}

static void
on_section_end (const SimSystem *system, const SimSection *section, gpointer user_data)
{
  Truth *truth = user_data;

  for (guint i = 0; i < system->n_elements; i++)
    {
      SimCounts *counts = &truth->elements[i].counts;

      counts->activations += section->counts[i].activations;
      counts->failed += section->counts[i].failed;
      counts->pending += section->counts[i].pending;
      counts->starts += section->counts[i].starts;
      counts->ends += section->counts[i].ends;
      counts->instances += section->counts[i].instances;
    }
  for (guint i = 0; i < system->n_cores; i++)
    truth->busy[i] += section->busy[i];
  truth->window += section->stop - section->start;
  truth->n_sections++;
}

static gint
compare_instances (gconstpointer a, gconstpointer b)
{
  const SimInstance *one = a, *other = b;

  if (one->section != other->section)
    return one->section < other->section ? -1 : 1;
  return (one->number > other->number) - (one->number < other->number);
}

Truth *
truth_new (const SimSystem *system, GString *text)
{
  SimCallbacks callbacks
      = { .event = on_event, .instance = on_instance, .interval = on_interval, .section_end = on_section_end };
  Truth *truth = g_new0 (Truth, 1);

  truth->system = system;
  truth->elements = g_new0 (TruthElement, system->n_elements);
  truth->busy = g_new0 (gint64, system->n_cores);
  for (guint i = 0; i < system->n_elements; i++)
    {
      truth->elements[i].instances = g_array_new (FALSE, FALSE, sizeof (SimInstance));
      truth->elements[i].intervals = g_array_new (FALSE, FALSE, sizeof (SimInterval));
      truth->elements[i].activations = g_array_new (FALSE, FALSE, sizeof (TruthActivation));
    }
  if (text != NULL)
    sim_atf_write (system, NULL, text, &callbacks, truth);
  else
    sim_run (system, &callbacks, truth);
  for (guint i = 0; i < system->n_elements; i++)
    g_array_sort (truth->elements[i].instances, compare_instances);
  return truth;
}

void
truth_free (Truth *truth)
{
  for (guint i = 0; i < truth->system->n_elements; i++)
    {
      g_array_unref (truth->elements[i].instances);
      g_array_unref (truth->elements[i].intervals);
      g_array_unref (truth->elements[i].activations);
    }
  g_free (truth->elements);
  g_free (truth->busy);
  g_free (truth);
}

/* What instance to instance tells */

static gboolean
is_head (const SimInstance *instance)
{
  return (instance->status & SIM_HEAD) != 0;
}

/* The instance that started right after @one. Of heads, only the last to start has one. */
static const SimInstance *
next_instance (const GArray *instances, const SimInstance *one)
{
  const SimInstance *next = NULL;

  for (guint i = 0; i < instances->len; i++)
    {
      const SimInstance *other = &g_array_index (instances, SimInstance, i);

      if (other == one || other->section != one->section)
        continue;
      if (is_head (one) && is_head (other))
        {
          if (other->start > one->start || (other->start == one->start && other->instance > one->instance))
            return NULL;
          continue;
        }
      if (is_head (other) || (!is_head (one) && other->instance < one->instance))
        continue;
      if (next == NULL || other->instance < next->instance)
        next = other;
    }
  return next;
}

/* Activations are served in order: that of the next instance follows all that were served. */
static const TruthActivation *
next_activation (const TruthElement *element, const SimInstance *one)
{
  guint gone = 0;

  for (guint i = 0; i < element->instances->len; i++)
    {
      const SimInstance *other = &g_array_index (element->instances, SimInstance, i);

      gone += other->section == one->section && other->has_activation && other->number <= one->number;
    }
  for (guint i = 0; i < element->activations->len; i++)
    {
      const TruthActivation *activation = &g_array_index (element->activations, TruthActivation, i);

      if (activation->section == one->section && gone-- == 0)
        return activation;
    }
  return NULL;
}

static void
add (GArray *samples, gint64 value)
{
  g_array_append_val (samples, value);
}

static void
add_after (const Truth *truth, guint index, const SimInstance *one, TsMetricId metric, GArray *samples)
{
  const TruthElement *element = &truth->elements[index];
  const SimInstance *next = next_instance (element->instances, one);
  const TruthActivation *activation;

  if (metric == TS_METRIC_DT)
    {
      if (next != NULL && !is_head (one))
        add (samples, next->start - one->start);
      return;
    }
  if ((one->status & SIM_TAIL) != 0)
    return;
  if (metric == TS_METRIC_E2S || truth->system->elements[index].type != SIM_TASK)
    {
      /* numbers tell that others were there in between, before the section began */
      if (next != NULL && !(truth->has_numbers && is_head (one) && next->instance != one->instance + 1))
        add (samples, next->start - one->end);
      return;
    }
  activation = next_activation (element, one);
  if (activation != NULL && (next == NULL || next->has_activation))
    add (samples, activation->time - one->end);
}

gint64
truth_preemptions (const Truth *truth, const SimInstance *instance)
{
  const GArray *intervals = truth->elements[instance->element].intervals;
  gint64 n = (gint64) instance->n_off[SIM_PREEMPTED];

  for (guint i = 0; i < intervals->len; i++)
    {
      const SimInterval *one = &g_array_index (intervals, SimInterval, i);

      n += one->kind == SIM_RELEASED && one->section == instance->section && one->number == instance->number &&
           one->end > one->begin;
    }
  return n;
}

GArray *
truth_samples (const Truth *truth, guint index, TsMetricId metric)
{
  const TruthElement *element = &truth->elements[index];
  GArray *samples = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < element->instances->len; i++)
    {
      const SimInstance *one = &g_array_index (element->instances, SimInstance, i);
      gboolean complete = one->status == SIM_COMPLETE;

      if (metric == TS_METRIC_IPT && !is_head (one) && one->has_activation)
        add (samples, one->start - one->activation);
      else if (metric == TS_METRIC_CET && complete)
        add (samples, one->running);
      else if (metric == TS_METRIC_SELF && complete)
        add (samples, one->self);
      else if (metric == TS_METRIC_GET && complete)
        add (samples, one->end - one->start);
      else if (metric == TS_METRIC_RT && complete && one->has_activation)
        add (samples, one->end - one->activation);
      else if (metric == TS_METRIC_NPR && complete)
        add (samples, truth_preemptions (truth, one));
      else if (metric == TS_METRIC_DT || metric == TS_METRIC_JIT)
        add_after (truth, index, one, TS_METRIC_DT, samples);
      else if (metric == TS_METRIC_ST || metric == TS_METRIC_E2S)
        add_after (truth, index, one, metric, samples);
    }
  for (guint i = 1; i < element->activations->len && metric == TS_METRIC_PER; i++)
    {
      const TruthActivation *one = &g_array_index (element->activations, TruthActivation, i - 1);

      if (one[0].section == one[1].section)
        add (samples, one[1].time - one[0].time);
    }
  for (guint i = 0; i < element->intervals->len; i++)
    {
      const SimInterval *one = &g_array_index (element->intervals, SimInterval, i);

      if ((metric == TS_METRIC_WAIT && one->kind == SIM_WAITING)
          || (metric == TS_METRIC_PRE && one->kind == SIM_PREEMPTED)
          || (metric == TS_METRIC_PRE && one->kind == SIM_RELEASED && one->end > one->begin))
        add (samples, one->end - one->begin);
    }
  return samples;
}
