/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "reading.h"

/* More than any document can ask for. */
#define MAX_READINGS 32

static void
take_begin (gpointer data, G_GNUC_UNUSED TsSection *section)
{
  g_string_append_c (((Reading *) data)->order, '(');
}

static void
take_events (gpointer data, const TsEvent *events, gsize n_events)
{
  Reading *reading = data;

  g_array_append_vals (reading->events, events, (guint) n_events);
  for (gsize i = 0; i < n_events; i++)
    g_string_append_c (reading->order, '.');
}

static void
take_end (gpointer data, G_GNUC_UNUSED TsSection *section)
{
  g_string_append_c (((Reading *) data)->order, ')');
}

/* TRUE: it must be read again. */
static gboolean
read_once (Reading *reading, const TsImporter *importer, const char *text, gsize length, gsize chunk, ReadFlags flags)
{
  static const TsEventSink sink = { take_begin, take_events, take_end };
  TsImport                *import = g_new0 (TsImport, 1);
  const TsOptions          options = { .no_scanner = (flags & READ_PLAIN) != 0,
                                          .fold_names = (flags & READ_FOLD) != 0 };
  gpointer                 self;
  gboolean                 ok = TRUE, again;

  import->path = reading->diagnostics->file;
  import->options = &options;
  import->system = reading->system;
  import->diagnostics = reading->diagnostics;
  import->memory = &reading->memory;
  import->sections = reading->sections;
  import->subtract_overhead = (flags & READ_SUBTRACT) != 0;
  import->can_reread = (flags & READ_STREAM) == 0;
  import->sink = &sink;
  import->sink_data = reading;

  self = importer->open (import);
  for (gsize i = 0; ok && i < length; i += chunk)
    {
      /* a copy of its own size, so that a sanitizer sees what is read beyond */
      gsize            n = MIN (chunk, length - i);
      g_autofree char *bytes = g_memdup2 (text + i, n);

      ok = importer->feed (self, (const guint8 *) bytes, n, &reading->error);
    }
  if (ok)
    ok = importer->finish (self, &reading->error);
  importer->close (self);
  again = ok && import->surveying;
  g_free (import);
  return again;
}

Reading *
reading_new (const char *text, gssize length, gsize chunk, ReadFlags flags)
{
  return reading_new_of (&ts_importer_atf, text, length, chunk, flags);
}

Reading *
reading_new_of (const TsImporter *importer, const char *text, gssize length, gsize chunk, ReadFlags flags)
{
  g_autofree char *file = g_strconcat ("x.", importer->name, NULL);
  Reading *reading = g_new0 (Reading, 1);
  gsize    size = length < 0 ? strlen (text) : (gsize) length;
  gboolean again = TRUE;

  reading->memory.scale = 1;
  reading->diagnostics = ts_diagnostics_new (file);
  reading->sections = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_section_free);
  reading->events = g_array_new (FALSE, FALSE, sizeof (TsEvent));
  reading->order = g_string_new (NULL);
  while (again && reading->n_readings < MAX_READINGS)
    {
      if (!reading->memory.has_system)
        {
          ts_system_free (reading->system);
          reading->system = ts_system_new ();
        }
      ts_system_begin_reading (reading->system);
      ts_diagnostics_clear (reading->diagnostics);
      g_ptr_array_set_size (reading->sections, 0);
      g_array_set_size (reading->events, 0);
      g_string_truncate (reading->order, 0);
      reading->n_readings++;
      again = read_once (reading, importer, text, size, chunk > 0 ? chunk : MAX (size, 1), flags);
    }
  return reading;
}

void
reading_free (Reading *reading)
{
  g_ptr_array_unref (reading->sections);
  g_array_unref (reading->events);
  g_string_free (reading->order, TRUE);
  ts_import_memory_clear (&reading->memory);
  ts_diagnostics_free (reading->diagnostics);
  ts_system_free (reading->system);
  g_clear_error (&reading->error);
  g_free (reading);
}

static const char *
element_name (const Reading *reading, guint32 element)
{
  return element == TS_NO_ELEMENT ? "-" : ts_system_get_element (reading->system, element)->name;
}

char *
reading_events (const Reading *reading)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < reading->events->len; i++)
    {
      const TsEvent *event = &g_array_index (reading->events, TsEvent, i);

      g_string_append_printf (text, "%s%" G_GINT64_FORMAT " %s %s", i > 0 ? "; " : "", event->time,
                              ts_event_kind_name ((TsEventKind) event->kind), element_name (reading, event->element));
    }
  return g_string_free (text, FALSE);
}

static void
dump_system (const Reading *reading, GString *text)
{
  TsSystem         *system = reading->system;
  const TsTimeBase *base = ts_system_time_base (system);
  const TsToolInfo *tool = ts_system_get_tool (system);

  g_string_append_printf (text, "system %s comment %s tool %s/%s/%s base %lu/%lu e%d scale %ld known %d explicit %d\n",
                          ts_system_get_name (system), ts_system_get_comment (system), tool->vendor, tool->tool,
                          tool->version, (gulong) base->numerator, (gulong) base->denominator, base->exponent,
                          (glong) base->scale, base->known, ts_system_has_explicit_preemption (system));
  for (guint i = 0; i < ts_system_n_cookies (system); i++)
    g_string_append_printf (text, "cookie %s\n", ts_system_get_cookie (system, i)->tool);
  for (guint i = 0; i < ts_system_n_resources (system); i++)
    {
      const TsResource *resource = ts_system_get_resource (system, (guint16) i);

      g_string_append_printf (text, "resource %s %s %s\n", resource->name, resource->id, resource->scheduler);
    }
  for (guint i = 0; i < ts_system_n_elements (system); i++)
    {
      const TsElement *element = ts_system_get_element (system, i);

      g_string_append_printf (text, "element %s %s %s type %d parent %u on %u", element->name, element->id,
                              element->comment, element->type, element->parent, element->resource);
      for (guint k = 0; element->annotations != NULL && k < element->annotations->len; k++)
        {
          const TsAnnotation *annotation = &g_array_index (element->annotations, TsAnnotation, k);

          g_string_append_printf (text, " %s=%s(%s)", annotation->name, annotation->value, annotation->tool);
        }
      g_string_append_c (text, '\n');
    }
  for (guint i = 0; i < ts_system_n_user_events (system); i++)
    {
      const TsUserEvent *user = ts_system_get_user_event (system, i);

      g_string_append_printf (text, "user %s %s %s %lu\n", user->event, user->reference, user->info,
                              (gulong) user->count);
    }
}

static void
dump_section (const TsSection *section, GString *text)
{
  g_string_append_printf (text, "section %u %d:%ld %d:%ld %s %s\n", section->number, section->has_start,
                          (glong) section->start, section->has_stop, (glong) section->stop, section->comment,
                          section->tool.tool);
  for (guint i = 0; section->overheads != NULL && i < section->overheads->len; i++)
    {
      const TsOverhead *overhead = &g_array_index (section->overheads, TsOverhead, i);

      g_string_append_printf (text, "overhead %u %ld %ld\n", overhead->element, (glong) overhead->before,
                              (glong) overhead->after);
    }
  for (guint i = 0; section->overhead_notes != NULL && i < section->overhead_notes->len; i++)
    {
      const TsOverheadNote *note = &g_array_index (section->overhead_notes, TsOverheadNote, i);

      g_string_append_printf (text, "note %s %s %u %lu/%lu e%d\n", note->type, note->range, note->element,
                              (gulong) note->numerator, (gulong) note->denominator, note->exponent);
    }
  for (guint i = 0; section->comments != NULL && i < section->comments->len; i++)
    {
      const TsTraceComment *comment = &g_array_index (section->comments, TsTraceComment, i);

      g_string_append_printf (text, "comment %d %ld %ld %s\n", comment->has_time, (glong) comment->from,
                              (glong) comment->to, comment->text);
    }
}

char *
reading_dump (const Reading *reading)
{
  GString *text = g_string_new (NULL);

  /* how often it was read may depend on how much was in sight at a time */
  g_string_append_printf (text, "error %s order %s\n", reading->error != NULL ? reading->error->message : "none",
                          reading->order->str);
  dump_system (reading, text);
  for (guint i = 0; i < reading->sections->len; i++)
    dump_section (g_ptr_array_index (reading->sections, i), text);
  for (guint i = 0; i < reading->events->len; i++)
    {
      const TsEvent *event = &g_array_index (reading->events, TsEvent, i);

      g_string_append_printf (text, "%ld %u e%u r%u line %lu i%d o%u/%u f%u\n", (glong) event->time, (guint) event->kind,
                              event->element, event->resource, (gulong) event->line, event->instance, event->owner,
                              event->owner_number, (guint) event->flags);
    }
  for (guint i = 0; i < TS_N_DIAGNOSTICS; i++)
    {
      const TsDiagnostic *entry = &reading->diagnostics->entries[i];

      /* of a trace that is refused nobody is told how many there were, and not all have been added up */
      if (entry->count > 0)
        g_string_append_printf (text, "%s %lu in line %lu: %s\n", ts_diagnostic_info (i)->name,
                                (gulong) (reading->error != NULL ? 1 : entry->count), (gulong) entry->line, entry->detail);
    }
  return g_string_free (text, FALSE);
}
