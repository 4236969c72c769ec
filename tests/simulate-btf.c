/* SPDX-License-Identifier: MIT */

/* A simulated system as a BTF trace. */

#include "simulate-writer.h"

#define CORE_ID 200000  /* numbers of cores in the entity table: from here */

/* As the two families of the specification call it. */
static const char * const process_words[SIM_N_KINDS] = {
  "activate", "activate", "activate", "mtalimitexceeded", "start",
  "terminate", "preempt", "resume", "wait", "release"
};

static const char * const runnable_words[SIM_N_KINDS] = {
  NULL, NULL, NULL, NULL, "start", "terminate", "suspend", "resume", NULL,
  NULL
};

typedef struct
{
  SimWriter base;          /* first: it is what callbacks get */
  GString *out;            /* of that */
  SimBtfDress dress;
  const char *comma;
  guint64 *triggers;       /* by element: activations so far */
} Writer;

static const char *
type_of (const SimElement *element, SimBtfDress dress)
{
  if (element->type == SIM_TASK)
    return "T";
  if (element->type == SIM_ISR)
    return dress == SIM_BTF_21 ? "ISR" : "I";
  return "R";
}

/* The tables list cores and elements in their order, so that a reader finds
 * them in it. */
static void
write_tables_21 (GString *out, const SimSystem *system)
{
  g_string_append (out, "#typeTable\n#-0 T\n#-1 ISR\n#-2 R\n#-3 C\n"
                   "#entityTable\n");
  for (guint i = 0; i < system->n_cores; i++)
    g_string_append_printf (out, "#-%u Core_%u\n", CORE_ID + i,
                            system->core_ids[i]);
  for (guint i = 0; i < system->n_elements; i++)
    g_string_append_printf (out, "#-%u %s\n", system->elements[i].id,
                            system->elements[i].name);
  g_string_append (out, "#entityTypeTable\n");
  for (guint i = 0; i < system->n_cores; i++)
    g_string_append_printf (out, "#-C Core_%u\n", system->core_ids[i]);
  for (guint i = 0; i < system->n_elements; i++)
    g_string_append_printf (out, "#-%s %s\n",
                            type_of (&system->elements[i], SIM_BTF_21),
                            system->elements[i].name);
}

static void
write_tables_23 (GString *out, const SimSystem *system, SimBtfDress dress)
{
  gboolean numeric = dress == SIM_BTF_NUMERIC;

  g_string_append (out, "#typeMapping 10 T\n#typeMapping 11 I\n"
                   "#typeMapping 12 R\n#typeMapping 13 C\n");
  for (guint i = 0; i < system->n_cores; i++)
    g_string_append_printf (out, "#entityMapping %u Core_%u\n"
                            "#entityTypeMapping %s %u\n", CORE_ID + i,
                            system->core_ids[i], numeric ? "13" : "C",
                            CORE_ID + i);
  for (guint i = 0; i < system->n_elements; i++)
    {
      const SimElement *element = &system->elements[i];

      g_string_append_printf (out, "#entityMapping %u %s\n"
                              "#entityTypeMapping %s %s\n", element->id,
                              element->name, type_of (element, dress),
                              element->name);
    }
}

static void
write_header (Writer *writer, const SimSystem *system)
{
  GString *out = writer->out;

  if (writer->dress == SIM_BTF_21)
    {
      g_string_append (out, "#version 2.1.5\n"
                       "#creator tracestat generate\n"
                       "#creationDate 2026-01-01T00:00:00\n"
                       "#timeScale ns\n# simulated\n");
      write_tables_21 (out, system);
    }
  else
    {
      g_string_append (out, "#version 2.3.0\n#timescale ns\n"
                       "#creator tracestat generate\n"
                       "#creationdate 2026-01-01T00:00:00Z\n");
      write_tables_23 (out, system, writer->dress);
    }
}

static void
append_name (Writer *writer, const SimSystem *system, guint element)
{
  if (writer->dress == SIM_BTF_NUMERIC)
    sim_append_time (writer->out, system->elements[element].id, 0);
  else
    g_string_append (writer->out, system->elements[element].name);
}

static void
append_core (Writer *writer, const SimSystem *system, guint core)
{
  if (writer->dress != SIM_BTF_NUMERIC)
    g_string_append_len (writer->out, "Core_", 5);
  sim_append_time (writer->out, writer->dress == SIM_BTF_NUMERIC
                                  ? CORE_ID + core
                                  : system->core_ids[core], 0);
}

static void
append_comma (Writer *writer)
{
  g_string_append (writer->out, writer->comma);
}

/* `,0,' between two other fields */
static void
append_instance (Writer *writer, guint64 instance)
{
  append_comma (writer);
  sim_append_time (writer->out, (gint64) instance, 0);
  append_comma (writer);
}

/* What began and ended the recording. */
static void
write_mark (Writer *writer, const SimSystem *system, gint64 time,
            gboolean starts)
{
  sim_append_time (writer->out, time, 0);
  append_comma (writer);
  if (writer->dress == SIM_BTF_21)
    {
      g_string_append (writer->out, starts ? "SIM, -1, SYS, SYSTEM, 0, start\n"
                                           : "SIM, -1, SYS, SYSTEM, 0, stop\n");
      return;
    }
  append_core (writer, system, 0);
  append_instance (writer, 0);
  g_string_append (writer->out, "C");
  append_comma (writer);
  append_core (writer, system, 0);
  append_instance (writer, 0);
  g_string_append (writer->out, starts ? "set_frequency,1000000000\n"
                                       : "idle\n");
}

static void
write_trigger (Writer *writer, const SimSystem *system, const SimEvent *event)
{
  guint64 count = writer->triggers[event->element]++;

  sim_append_time (writer->out, event->time, 0);
  append_comma (writer);
  if (event->owner >= 0)
    {
      append_name (writer, system, (guint) event->owner);
      append_instance (writer, event->owner_instance);
    }
  else if (writer->dress == SIM_BTF_21)
    g_string_append (writer->out, "SIM, -1, ");
  else
    {
      g_string_append_printf (writer->out, "STI_%u", event->element);
      append_instance (writer, count);
    }
  g_string_append (writer->out, "STI");
  append_comma (writer);
  g_string_append_printf (writer->out, "STI_%u", event->element);
  append_instance (writer, count);
  g_string_append (writer->out, "trigger\n");
}

static void
write_event (const SimSystem *system, const SimEvent *event,
             gpointer user_data)
{
  Writer *writer = user_data;
  const SimElement *element = &system->elements[event->element];
  gboolean runs_in = element->type >= SIM_RUNNABLE;

  if (event->kind <= SIM_ACTIVATION_FAILED)
    write_trigger (writer, system, event);
  sim_append_time (writer->out, event->time, 0);
  append_comma (writer);
  if (runs_in)
    {
      append_name (writer, system, (guint) event->owner);
      append_instance (writer, event->owner_instance);
    }
  else if (event->kind <= SIM_ACTIVATION_FAILED)
    {
      g_string_append_printf (writer->out, "STI_%u", event->element);
      append_instance (writer, writer->triggers[event->element] - 1);
    }
  else
    {
      append_core (writer, system, event->core);
      append_instance (writer, 0);
    }
  if (writer->dress == SIM_BTF_NUMERIC)
    g_string_append (writer->out, runs_in ? "12" : element->type == SIM_TASK
                                                     ? "10" : "11");
  else
    g_string_append (writer->out, type_of (element, writer->dress));
  append_comma (writer);
  append_name (writer, system, event->element);
  append_instance (writer, event->instance);
  g_string_append (writer->out, runs_in ? runnable_words[event->kind]
                                        : process_words[event->kind]);
  g_string_append_c (writer->out, '\n');
}

static void
write_section_begin (const SimSystem *system, const SimSection *section,
                     gpointer user_data)
{
  Writer *writer = user_data;

  write_mark (writer, system, section->start, TRUE);
}

static void
write_section_end (const SimSystem *system, const SimSection *section,
                   gpointer user_data)
{
  Writer *writer = user_data;

  write_mark (writer, system, section->stop, FALSE);
}

gboolean
sim_config_is_btf (const SimConfig *config)
{
  return config->n_sections <= 1;
}

gboolean
sim_btf_write (const SimSystem *system, SimBtfDress dress, FILE *file,
               GString *string, const SimCallbacks *callbacks,
               gpointer user_data)
{
  const SimCallbacks write = { .section_begin = write_section_begin,
                               .event = write_event,
                               .section_end = write_section_end };
  g_autofree guint64 *triggers = g_new0 (guint64, system->n_elements);
  Writer writer = { .dress = dress, .comma = dress == SIM_BTF_21 ? ", " : ",",
                    .triggers = triggers };

  g_return_val_if_fail (sim_config_is_btf (&system->config), FALSE);
  sim_writer_begin (&writer.base, file, string, callbacks, user_data);
  writer.out = writer.base.out;
  write_header (&writer, system);
  sim_writer_run (&writer.base, system, &write);
  return sim_writer_end (&writer.base);
}
