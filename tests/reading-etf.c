/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <tracestat/timeline.h>

#include "intervals.h"
#include "reading-etf.h"

#define MAX_READINGS 8

typedef struct
{
  EtfReading *reading;
  TsTimeline *timeline;
} Run;

static void
take_begin (gpointer data, TsSection *section)
{
  ts_timeline_begin_section (((Run *) data)->timeline, section);
}

static void
take_events (gpointer data, const TsEvent *events, gsize n_events)
{
  Run *run = data;

  g_array_append_vals (run->reading->events, events, (guint) n_events);
  ts_timeline_events (run->timeline, events, n_events);
}

static void
take_end (gpointer data, G_GNUC_UNUSED TsSection *section)
{
  ts_timeline_end_section (((Run *) data)->timeline);
}

static void
take_instance (gpointer data, const TsInstance *instance)
{
  g_array_append_vals (((EtfReading *) data)->instances, instance, 1);
  append_intervals_of (((EtfReading *) data)->intervals, instance);
}

static void
take_interval (gpointer data, const TsInterval *interval)
{
  g_array_append_vals (((EtfReading *) data)->intervals, interval, 1);
}

/* Whether it is to be read again. */
static gboolean
read_once (EtfReading *reading, TsImportMemory *memory, const char *text, gsize length, gsize chunk, gboolean is_file,
           const TsOptions *options)
{
  static const TsEventSink    sink = { take_begin, take_events, take_end };
  static const TsTimelineSink timeline_sink = { take_instance, take_interval, NULL };
  static const TsTimelineOptions timeline_options = { .infer_preemption = FALSE };
  TsImport      *import = g_new0 (TsImport, 1);
  Run            run = { .reading = reading };
  gpointer       self;
  gboolean       ok = TRUE, again;

  run.timeline = ts_timeline_new (reading->system, reading->diagnostics, &timeline_options, &timeline_sink, reading);
  import->path = "x.etf";
  import->system = reading->system;
  import->diagnostics = reading->diagnostics;
  import->memory = memory;
  import->options = options;
  import->sections = reading->sections;
  import->tables = reading->tables;
  import->sink = &sink;
  import->sink_data = &run;
  import->can_reread = is_file;

  for (guint i = 0; options != NULL && options->idle != NULL && i < options->idle->len; i++)
    ts_system_add_idle_pattern (reading->system, g_ptr_array_index (options->idle, i));
  self = ts_importer_etf.open (import);
  for (gsize i = 0; ok && i < length; i += chunk)
    {
      /* a copy of its own size, so that a sanitizer sees what is read beyond */
      gsize            n = MIN (chunk, length - i);
      g_autofree char *bytes = g_memdup2 (text + i, n);

      ok = ts_importer_etf.feed (self, (const guint8 *) bytes, n, &reading->error);
    }
  if (ok)
    ok = ts_importer_etf.finish (self, &reading->error);
  ts_importer_etf.close (self);
  again = ok && import->surveying;
  reading->busy = import->busy;
  g_clear_pointer (&import->ran_on, g_hash_table_unref);
  ts_timeline_free (run.timeline);
  g_free (import);
  return again;
}

/* Nothing was found so far. */
static void
begin (EtfReading *reading)
{
  reading->system = ts_system_new ();
  reading->diagnostics = ts_diagnostics_new ("x.etf");
  reading->sections = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_section_free);
  reading->tables = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_table_free);
  reading->events = g_array_new (FALSE, FALSE, sizeof (TsEvent));
  reading->instances = g_array_new (FALSE, FALSE, sizeof (TsInstance));
  reading->intervals = g_array_new (FALSE, FALSE, sizeof (TsInterval));
}

static void
forget (EtfReading *reading)
{
  g_ptr_array_unref (reading->sections);
  g_ptr_array_unref (reading->tables);
  g_array_unref (reading->events);
  g_array_unref (reading->instances);
  g_array_unref (reading->intervals);
  g_clear_pointer (&reading->busy, g_array_unref);
  ts_diagnostics_free (reading->diagnostics);
  ts_system_free (reading->system);
}

static EtfReading *
read_all (const char *text, gssize length, gsize chunk, gboolean is_file, const TsOptions *options)
{
  EtfReading    *reading = g_new0 (EtfReading, 1);
  gsize          size = length < 0 ? strlen (text) : (gsize) length;
  TsImportMemory memory = { .scale = 1 };
  gboolean       again = TRUE;

  while (again && reading->n_readings++ < MAX_READINGS)
    {
      if (reading->n_readings > 1)
        forget (reading);
      begin (reading);
      again = read_once (reading, &memory, text, size, chunk > 0 ? chunk : MAX (size, 1), is_file, options);
    }
  ts_import_memory_clear (&memory);
  return reading;
}

EtfReading *
etf_reading_new (const char *text, gssize length, gsize chunk, const TsOptions *options)
{
  return read_all (text, length, chunk, FALSE, options);
}

EtfReading *
etf_reading_of_file (const char *text, gssize length, gsize chunk, const TsOptions *options)
{
  return read_all (text, length, chunk, TRUE, options);
}

void
etf_reading_free (EtfReading *reading)
{
  forget (reading);
  g_clear_error (&reading->error);
  g_free (reading);
}

static void
append_if (GString *text, gboolean is_known, gint64 value)
{
  if (is_known)
    g_string_append_printf (text, " %" G_GINT64_FORMAT, value);
  else
    g_string_append (text, " -");
}

char *
etf_reading_instances (const EtfReading *reading)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < reading->instances->len; i++)
    {
      const TsInstance *instance = &g_array_index (reading->instances, TsInstance, i);

      g_string_append_printf (text, "%s%s#%" G_GINT64_FORMAT, i > 0 ? "; " : "",
                              ts_system_get_element (reading->system, instance->element)->name, instance->number);
      append_if (text, (instance->flags & TS_INSTANCE_HAS_ACTIVATION) != 0, instance->activation);
      append_if (text, (instance->flags & TS_INSTANCE_HAS_START) != 0, instance->start);
      append_if (text, (instance->flags & TS_INSTANCE_HAS_END) != 0, instance->end);
      g_string_append_printf (text, " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "/%u", instance->running,
                              instance->preempted, instance->n_preemptions);
    }
  return g_string_free (text, FALSE);
}

static void
append_table (GString *text, const TsTable *table)
{
  char number[TS_NUMBER_SIZE];

  for (guint row = 0; row < ts_table_n_rows (table); row++)
    for (guint column = 0; column < ts_table_n_columns (table); column++)
      {
        const TsCell *cell = ts_table_get_cell (table, row, column);

        g_string_append (text, column > 0 ? "," : row > 0 ? ";" : "");
        if (cell->type == TS_CELL_TEXT)
          g_string_append (text, cell->text);
        else if (ts_cell_format (cell, (TsRational){ 1, 1 }, number) > 0)
          g_string_append (text, number);
      }
}

char *
etf_reading_table (const EtfReading *reading, const char *name, guint audience)
{
  for (guint i = 0; i < reading->tables->len; i++)
    {
      const TsTable *table = g_ptr_array_index (reading->tables, i);
      GString       *text;

      if (strcmp (ts_table_get_name (table), name) != 0 || (ts_table_get_audience (table) & audience) == 0)
        continue;
      text = g_string_new (NULL);
      append_table (text, table);
      return g_string_free (text, FALSE);
    }
  return NULL;
}

static void
dump_system (const EtfReading *reading, GString *text)
{
  const TsTimeBase *base = ts_system_time_base (reading->system);

  g_string_append_printf (text, "system %s comment %s base %lu/%lu e%d scale %ld known %d\n",
                          ts_system_get_name (reading->system), ts_system_get_comment (reading->system),
                          (gulong) base->numerator, (gulong) base->denominator, base->exponent, (glong) base->scale,
                          base->known);
  for (guint i = 0; i < ts_system_n_resources (reading->system); i++)
    {
      const TsResource *resource = ts_system_get_resource (reading->system, (guint16) i);

      g_string_append_printf (text, "resource %s %s %d\n", resource->name, resource->id, resource->is_shared);
    }
  for (guint i = 0; i < ts_system_n_elements (reading->system); i++)
    {
      const TsElement *element = ts_system_get_element (reading->system, i);

      g_string_append_printf (text, "element %s type %d\n", element->name, element->type);
    }
}

char *
etf_reading_dump (const EtfReading *reading)
{
  GString         *text = g_string_new (NULL);
  g_autofree char *instances = etf_reading_instances (reading);

  g_string_append_printf (text, "error %s\ninstances %s\n", reading->error != NULL ? reading->error->message : "none",
                          instances);
  dump_system (reading, text);
  for (guint i = 0; i < reading->sections->len; i++)
    {
      const TsSection *section = g_ptr_array_index (reading->sections, i);

      g_string_append_printf (text, "section %u %ld %ld\n", section->number, (glong) section->start,
                              (glong) section->stop);
    }
  for (guint i = 0; i < reading->events->len; i++)
    {
      const TsEvent *event = &g_array_index (reading->events, TsEvent, i);

      g_string_append_printf (text, "%ld %s e%u r%u line %lu i%d\n", (glong) event->time,
                              ts_event_kind_name ((TsEventKind) event->kind), event->element, event->resource,
                              (gulong) event->line, event->instance);
    }
  for (guint i = 0; i < reading->tables->len; i++)
    {
      g_string_append_printf (text, "table %s: ", ts_table_get_name (g_ptr_array_index (reading->tables, i)));
      append_table (text, g_ptr_array_index (reading->tables, i));
      g_string_append_c (text, '\n');
    }
  for (guint i = 0; i < TS_N_DIAGNOSTICS; i++)
    {
      const TsDiagnostic *entry = &reading->diagnostics->entries[i];

      if (entry->count > 0)
        g_string_append_printf (text, "%s %lu in line %lu: %s\n", ts_diagnostic_info (i)->name, (gulong) entry->count,
                                (gulong) entry->line, entry->detail);
    }
  return g_string_free (text, FALSE);
}
