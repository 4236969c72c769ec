/* SPDX-License-Identifier: MIT */

/* A simulated system as an ATF 1.0 trace. */

#include "simulate-writer.h"

#define TOOL_INFO \
  "<ToolInfo Vendor=\"tracestat\" Tool=\"generate\" Version=\"1.0\"/>"

/* ATF has no wait and no release. */
static const struct
{
  const char *name;
  guint id;
} kinds[SIM_N_KINDS] = {
  { "activation", 1 }, { "activation-OS", 17 }, { "activation-chained", 18 },
  { "activation-failed", 2 }, { "start", 3 }, { "end", 4 }, { "preempt", 6 },
  { "resume", 5 }, { "wait", 0 }, { "release", 0 }
};

const char *
sim_kind_name (SimKind kind)
{
  return kinds[kind].name;
}

const char *
sim_type_name (SimType type)
{
  static const char * const names[] = { "task", "isr", "runnable", "function" };

  return names[type];
}

void
sim_append_time (GString *string, gint64 time, guint decimals)
{
  char digits[24], *p = digits + sizeof digits;
  guint64 rest = (guint64) time;
  gboolean significant = FALSE;

  for (guint i = 0; i < decimals; i++, rest /= 10)
    if ((significant |= rest % 10 != 0))
      *--p = (char) ('0' + rest % 10);
  if (significant)
    *--p = '.';
  do
    *--p = (char) ('0' + rest % 10);
  while ((rest /= 10) > 0);
  g_string_append_len (string, p, digits + sizeof digits - p);
}

static void
write_annotation (GString *out, const char *indent, const char *name,
                  gint64 value, guint decimals)
{
  g_string_append_printf (out, "%s  <Annotation><Name>%s</Name><Value>",
                          indent, name);
  sim_append_time (out, value, decimals);
  g_string_append (out, "</Value></Annotation>\n");
}

static void
write_element (GString *out, const SimSystem *system, guint index, guint depth)
{
  const SimElement *element = &system->elements[index];
  gboolean leaf = element->parent >= 0 && element->children->len == 0;
  g_autofree char *indent = g_strnfill (2 * depth, ' ');
  g_autofree char *name = g_markup_escape_text (element->name, -1);

  g_string_append_printf (out, "%s<SystemElement Name=\"%s\" ID=\"%u\" "
                          "Type=\"%s\"%s>\n", indent, name, element->id,
                          sim_type_name (element->type), leaf ? "/" : "");
  if (leaf)
    return;

  if (element->comment != NULL)
    g_string_append_printf (out, "%s  <Comment>%s</Comment>\n", indent,
                            element->comment);
  if (element->parent < 0)
    write_annotation (out, indent, "Priority", element->priority, 0);
  if (element->period > 0 && *system->config.period_name != '\0')
    write_annotation (out, indent, system->config.period_name,
                      element->period, system->config.decimals);
  if (element->cet_max > 0 && !element->idle)
    write_annotation (out, indent, "CETmax", element->cet_max,
                      system->config.decimals);
  for (guint i = index + 1; i < system->n_elements; i++)
    if (system->elements[i].parent == (gint) index)
      write_element (out, system, i, depth + 1);
  g_string_append_printf (out, "%s</SystemElement>\n", indent);
}

static void
write_system (GString *out, const SimSystem *system)
{
  const SimConfig *config = &system->config;

  g_string_append_printf (out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
                          "<CommonFormat Version=\"1.0\">\n"
                          "  <SystemConfiguration Name=\"%s\">\n"
                          "    <Comment>simulated, seed %" G_GUINT64_FORMAT
                          "</Comment>\n    " TOOL_INFO "\n",
                          config->engine ? "Engine" : "Simulation",
                          config->seed);
  for (guint core = 0; core < system->n_cores; core++)
    {
      g_string_append_printf (out, "    <Resource ID=\"%u\" "
                              "Scheduler=\"AUTOSAR OS\">\n",
                              system->core_ids[core]);
      for (guint i = 0; i < system->n_jobs; i++)
        if (system->elements[i].core == core)
          write_element (out, system, i, 3);
      g_string_append (out, "    </Resource>\n");
    }

  g_string_append (out, "    <EventIDMappings>\n");
  for (guint kind = 0; kind < SIM_WAIT; kind++)
    if (!config->no_preempt_events || kind < SIM_PREEMPT)
      g_string_append_printf (out, "      <EventIDMapping EventID=\"%u\" "
                              "EventType=\"%s\"/>\n", kinds[kind].id,
                              kind == SIM_END ? config->end_name
                                              : kinds[kind].name);
  g_string_append_printf (out, "    </EventIDMappings>\n"
                          "    <TimeBase Unit=\"%s\"><Value Numerator=\"%u\" "
                          "Denominator=\"%u\"/></TimeBase>\n"
                          "  </SystemConfiguration>\n", config->base_unit,
                          config->base_numerator, config->base_denominator);
}

static void
write_section_begin (const SimSystem *system, const SimSection *section,
                     gpointer user_data)
{
  SimWriter *writer = user_data;

  g_string_append (writer->out, "  <TraceData Start=\"");
  sim_append_time (writer->out, section->start, system->config.decimals);
  g_string_append (writer->out, "\" Stop=\"");
  sim_append_time (writer->out, section->stop, system->config.decimals);
  g_string_append_printf (writer->out, "\">\n    <Comment>recording %u"
                          "</Comment>\n    " TOOL_INFO "\n",
                          section->index + 1);
}

static void
write_event (const SimSystem *system, const SimEvent *event,
             gpointer user_data)
{
  SimWriter *writer = user_data;
  GString *out = writer->out;

  g_string_append_len (out, "    <TraceEntry Time=\"", 22);
  sim_append_time (out, event->time, system->config.decimals);
  g_string_append_len (out, "\" EventID=\"", 11);
  sim_append_time (out, kinds[event->kind].id, 0);
  g_string_append_len (out, "\" ReferenceID=\"", 15);
  sim_append_time (out, system->elements[event->element].id, 0);
  g_string_append_len (out, "\"/>\n", 4);
}

static void
write_section_end (G_GNUC_UNUSED const SimSystem *system,
                   G_GNUC_UNUSED const SimSection *section,
                   gpointer user_data)
{
  SimWriter *writer = user_data;

  g_string_append (writer->out, "  </TraceData>\n");
}

gboolean
sim_atf_write (const SimSystem *system, FILE *file, GString *string,
               const SimCallbacks *callbacks, gpointer user_data)
{
  const SimCallbacks write = { .section_begin = write_section_begin,
                               .event = write_event,
                               .section_end = write_section_end };
  SimWriter writer;

  g_return_val_if_fail (sim_config_is_atf (&system->config), FALSE);
  sim_writer_begin (&writer, file, string, callbacks, user_data);
  write_system (writer.out, system);
  sim_writer_run (&writer, system, &write);
  g_string_append (writer.out, "</CommonFormat>\n");
  return sim_writer_end (&writer);
}
