/* SPDX-License-Identifier: MIT */

/* A simulated system as a trace of TRACE (.etf): a claim for each slice of a
 * task or ISR, written when it ends, an event for each activation. */

#include "simulate-writer.h"

/* What is open of one element. */
typedef struct
{
  gint64 since;            /* of the slice that runs; -1: none */
  guint core;
  guint64 instance;
  gint64 activation;       /* number of its event, -1: none */
  gboolean has_slice;      /* one of this instance is written already */
} Slice;

typedef struct
{
  SimWriter base;          /* first: it is what callbacks get */
  GString *out;            /* of that */
  const SimSystem *system;
  gboolean dependencies;
  guint decimals;
  guint64 n_claims, n_events, n_dependencies;
  Slice *slices;           /* by element */
  GQueue *activations;     /* by element: numbers of events not used so far,
                              each after its instance */
} Writer;

static gboolean
find_unit (const SimConfig *config, const char **name, guint *decimals)
{
  static const struct
  {
    const char *unit;
    const char *name;
    int exponent;
  } units[] = {
    { "ns", "NANOSECONDS", -9 }, { "us", "MICROSECONDS", -6 },
    { "ms", "MILLISECONDS", -3 }, { "s", "SECONDS", 0 }
  };
  /* zero is the default, 1000 ns */
  const char *unit = config->base_unit != NULL ? config->base_unit : "ns";
  guint numerator = config->base_numerator > 0 ? config->base_numerator : 1000;
  int exponent = -1;

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_str_equal (units[i].unit, unit))
      exponent = units[i].exponent;
  if (exponent == -1 || config->base_denominator > 1)
    return FALSE;

  for (; numerator % 10 == 0; numerator /= 10)
    exponent++;
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (units[i].exponent >= exponent)
      {
        *name = units[i].name;
        *decimals = (guint) (units[i].exponent - exponent) + config->decimals;
        return numerator == 1;
      }
  return FALSE;
}

gboolean
sim_config_is_etf (const SimConfig *config)
{
  const char *name;
  guint decimals;

  return config->n_sections <= 1 && config->wait == 0 &&
         !config->no_preempt_events && find_unit (config, &name, &decimals);
}

static void
append_value (GString *out, const char *text)
{
  for (; *text != '\0'; text++)
    {
      if (strchr ("=,\\", *text) != NULL)
        g_string_append_c (out, '\\');
      g_string_append_c (out, *text);
    }
}

static void
append_number (GString *out, guint64 number)
{
  sim_append_time (out, (gint64) number, 0);
}

static void
append_who (Writer *writer, guint element, guint64 instance)
{
  g_string_append_len (writer->out, " ; name=", 8);
  append_value (writer->out, writer->system->elements[element].name);
  g_string_append_len (writer->out, ", id=", 5);
  append_number (writer->out, instance);
}

static void
write_claim (Writer *writer, const SimEvent *event, gint64 since)
{
  Slice *slice = &writer->slices[event->element];
  GString *out = writer->out;

  g_string_append_len (out, "C ", 2);
  append_number (out, writer->n_claims++);
  g_string_append_c (out, ' ');
  sim_append_time (out, since, writer->decimals);
  g_string_append_c (out, ' ');
  sim_append_time (out, event->time, writer->decimals);
  g_string_append_c (out, ' ');
  append_number (out, writer->system->core_ids[event->core]);
  g_string_append_len (out, " 1", 2);
  append_who (writer, event->element, event->instance);
  g_string_append_c (out, '\n');
  if (writer->dependencies && slice->activation >= 0 && !slice->has_slice)
    g_string_append_printf (out, "D %" G_GUINT64_FORMAT " 7 %"
                            G_GINT64_FORMAT " %" G_GUINT64_FORMAT
                            " ; type=activation\n", writer->n_dependencies++,
                            slice->activation, writer->n_claims - 1);
  slice->has_slice = TRUE;
}

static void
write_activation (Writer *writer, const SimEvent *event)
{
  GQueue *queue = &writer->activations[event->element];

  g_string_append_len (writer->out, "E ", 2);
  append_number (writer->out, writer->n_events);
  g_string_append_c (writer->out, ' ');
  sim_append_time (writer->out, event->time, writer->decimals);
  append_who (writer, event->element, event->instance);
  g_string_append (writer->out, ", event=activate\n");
  if (writer->dependencies)
    {
      g_queue_push_tail (queue, GSIZE_TO_POINTER (event->instance));
      g_queue_push_tail (queue, GSIZE_TO_POINTER (writer->n_events));
    }
  writer->n_events++;
}

static void
start_slice (Writer *writer, const SimEvent *event)
{
  Slice *slice = &writer->slices[event->element];
  GQueue *queue = &writer->activations[event->element];

  slice->since = event->time;
  slice->core = event->core;
  if (event->kind != SIM_START)
    return;
  slice->has_slice = FALSE;
  slice->activation = -1;
  if (!g_queue_is_empty (queue) &&
      GPOINTER_TO_SIZE (g_queue_peek_head (queue)) == event->instance)
    {
      g_queue_pop_head (queue);
      slice->activation = (gint64) GPOINTER_TO_SIZE (g_queue_pop_head (queue));
    }
}

static void
write_event (const SimSystem *system, const SimEvent *event,
             gpointer user_data)
{
  Writer *writer = user_data;
  Slice *slice = &writer->slices[event->element];

  if (system->elements[event->element].parent < 0)
    switch (event->kind)
      {
      case SIM_ACTIVATION:
      case SIM_ACTIVATION_OS:
      case SIM_ACTIVATION_CHAINED:
        write_activation (writer, event);
        break;
      case SIM_START:
      case SIM_RESUME:
        start_slice (writer, event);
        break;
      case SIM_END:
      case SIM_PREEMPT:
        /* what ran before the recording began is not claimed in it */
        if (slice->since >= 0)
          write_claim (writer, event, slice->since);
        slice->since = -1;
        break;
      default:
        break;
      }
}

static void
write_head (Writer *writer, const char *unit)
{
  g_string_append_printf (writer->out, "TU %s\nT name = Simulation, seed = %"
                          G_GUINT64_FORMAT "\n", unit,
                          writer->system->config.seed);
  for (guint i = 0; i < writer->system->n_cores; i++)
    g_string_append_printf (writer->out, "R %u 1 false ; name=core %u\n",
                            writer->system->core_ids[i],
                            writer->system->core_ids[i]);
}

gboolean
sim_etf_write (const SimSystem *system, FILE *file, GString *string,
               gboolean dependencies, const SimCallbacks *callbacks,
               gpointer user_data)
{
  const SimCallbacks write = { .event = write_event };
  Writer writer = { .system = system, .dependencies = dependencies };
  const char *unit = NULL;

  g_return_val_if_fail (sim_config_is_etf (&system->config), FALSE);
  if (!find_unit (&system->config, &unit, &writer.decimals))
    return FALSE;

  writer.slices = g_new (Slice, system->n_elements);
  writer.activations = g_new0 (GQueue, system->n_elements);
  for (guint i = 0; i < system->n_elements; i++)
    writer.slices[i] = (Slice) { .since = -1, .activation = -1 };
  sim_writer_begin (&writer.base, file, string, callbacks, user_data);
  writer.out = writer.base.out;
  write_head (&writer, unit);
  sim_writer_run (&writer.base, system, &write);
  for (guint i = 0; i < system->n_elements; i++)
    g_queue_clear (&writer.activations[i]);
  g_free (writer.activations);
  g_free (writer.slices);
  return sim_writer_end (&writer.base);
}
