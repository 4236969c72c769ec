/* SPDX-License-Identifier: MIT */

#include "feed.h"

typedef struct
{
  FeedStyle style;
  GPtrArray *sections;
} Recorder;

static void
recording_free (gpointer data)
{
  FeedSection *recording = data;

  g_array_unref (recording->events);
  g_free (recording);
}

static void
on_begin (const SimSystem *system G_GNUC_UNUSED, const SimSection *section, gpointer user_data)
{
  Recorder *recorder = user_data;
  FeedSection *recording = g_new0 (FeedSection, 1);

  recording->start = section->start;
  recording->stop = section->stop;
  recording->events = g_array_new (FALSE, TRUE, sizeof (TsEvent));
  g_ptr_array_add (recorder->sections, recording);
}

static void
on_event (const SimSystem *system, const SimEvent *event, gpointer user_data)
{
  static const TsEventKind kinds[] = {
    [SIM_ACTIVATION] = TS_EVENT_ACTIVATION,
    [SIM_ACTIVATION_OS] = TS_EVENT_ACTIVATION_OS,
    [SIM_ACTIVATION_CHAINED] = TS_EVENT_ACTIVATION_CHAINED,
    [SIM_ACTIVATION_FAILED] = TS_EVENT_ACTIVATION_FAILED,
    [SIM_START] = TS_EVENT_START,
    [SIM_END] = TS_EVENT_END,
    [SIM_PREEMPT] = TS_EVENT_PREEMPT,
    [SIM_RESUME] = TS_EVENT_RESUME,
    [SIM_WAIT] = TS_EVENT_WAIT,
    [SIM_RELEASE] = TS_EVENT_RELEASE,
  };
  Recorder *recorder = user_data;
  FeedSection *recording = g_ptr_array_index (recorder->sections, recorder->sections->len - 1);
  TsEvent out = { .time = event->time,
                  .line = recording->events->len + 1,
                  .kind = kinds[event->kind],
                  .element = event->element,
                  .instance = TS_NO_INSTANCE,
                  .owner = TS_NO_ELEMENT,
                  .resource = (guint16)event->core };

  if (recorder->style != FEED_PLAIN)
    {
      out.instance = (gint32)event->instance + 1;
      if (event->owner >= 0 && system->elements[event->element].type >= SIM_RUNNABLE)
        {
          out.owner = (guint32)event->owner;
          if (recorder->style == FEED_OWNED)
            out.owner_number = ts_event_owner_number ((gint32)event->owner_instance + 1);
        }
    }
  g_array_append_val (recording->events, out);
}

TsSystem *
feed_system (const SimSystem *sim)
{
  static const TsElementType types[] = { TS_TYPE_TASK, TS_TYPE_ISR, TS_TYPE_RUNNABLE, TS_TYPE_FUNCTION };
  TsSystem *system = ts_system_new ();

  for (guint i = 0; i < sim->n_cores; i++)
    {
      g_autofree char *name = g_strdup_printf ("Core %u", i);

      ts_system_add_resource (system, name, name, NULL);
    }
  for (guint i = 0; i < sim->n_elements; i++)
    {
      const SimElement *element = &sim->elements[i];

      if (element->idle)
        ts_system_add_idle_pattern (system, element->name);
      ts_system_add_element (system, types[element->type], element->name, NULL,
                             element->parent >= 0 ? (guint32)element->parent : TS_NO_ELEMENT, (guint16)element->core);
    }
  ts_system_set_explicit_preemption (system, !sim->config.no_preempt_events);
  return system;
}

GPtrArray *
feed_record (const SimSystem *sim, FeedStyle style)
{
  SimCallbacks callbacks = { .section_begin = on_begin, .event = on_event };
  Recorder recorder = { style, g_ptr_array_new_with_free_func (recording_free) };

  sim_run (sim, &callbacks, &recorder);
  return recorder.sections;
}
