/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "intervals.h"
#include "reading-visandor.h"

#define MAX_READINGS 12

static void
take_instance (gpointer data, const TsInstance *instance)
{
  g_array_append_vals (((VisReading *) data)->instances, instance, 1);
  append_intervals_of (((VisReading *) data)->intervals, instance);
}

static void
take_interval (gpointer data, const TsInterval *interval)
{
  g_array_append_vals (((VisReading *) data)->intervals, interval, 1);
}

static void
take_begin (gpointer data, TsSection *section)
{
  static const TsTimelineSink sink = { take_instance, take_interval, NULL };
  VisReading                 *reading = data;
  const TsTimelineOptions     options = { .infer_preemption = reading->infers };

  reading->timeline = ts_timeline_new (reading->system, reading->diagnostics, &options, &sink, reading);
  reading->last_event = G_MININT64;
  ts_timeline_begin_section (reading->timeline, section);
}

static void
take_events (gpointer data, const TsEvent *events, gsize n_events)
{
  VisReading *reading = data;

  for (gsize i = 0; i < n_events; i++)
    {
      if (events[i].time < reading->last_event)
        reading->went_back = TRUE;
      reading->last_event = events[i].time;
    }
  ts_timeline_events (reading->timeline, events, n_events);
}

static void
take_end (gpointer data, G_GNUC_UNUSED TsSection *section)
{
  ts_timeline_end_section (((VisReading *) data)->timeline);
}

static gboolean
read_once (VisReading *reading, const char *text, gsize length, gsize chunk, const TsOptions *options)
{
  static const TsEventSink sink = { take_begin, take_events, take_end };
  TsImport                *import = g_new0 (TsImport, 1);
  gpointer                 self;
  gboolean                 ok = TRUE, again;

  import->path = "x.vis";
  import->system = reading->system;
  import->diagnostics = reading->diagnostics;
  import->memory = &reading->memory;
  import->options = options;
  import->sections = reading->sections;
  import->tables = reading->tables;
  import->sink = &sink;
  import->sink_data = reading;
  import->shows_instances = (reading->flags & VIS_READING_OF_INSTANCES) != 0;
  self = ts_importer_visandor.open (import);
  import->can_reread = (reading->flags & VIS_READING_OF_STREAM) == 0;
  for (gsize i = 0; ok && i < length; i += chunk)
    {
      /* a copy of its own size, so that a sanitizer sees what is read beyond */
      gsize              n = MIN (chunk, length - i);
      g_autofree guint8 *bytes = g_memdup2 (text + i, n);

      ok = ts_importer_visandor.feed (self, bytes, n, &reading->error);
      if (import->has_learnt)
        break;
    }
  if (ok && !import->has_learnt)
    ok = ts_importer_visandor.finish (self, &reading->error);
  ts_importer_visandor.close (self);
  again = ok && import->surveying;
  g_free (import);
  return again;
}

static void
reset (VisReading *reading)
{
  g_clear_pointer (&reading->timeline, ts_timeline_free);
  g_clear_pointer (&reading->system, ts_system_free);
  reading->system = ts_system_new ();
  ts_diagnostics_clear (reading->diagnostics);
  g_ptr_array_set_size (reading->sections, 0);
  g_ptr_array_set_size (reading->tables, 0);
  g_array_set_size (reading->instances, 0);
  g_array_set_size (reading->intervals, 0);
}

VisReading *
vis_reading_new (const char *text, gssize length, gsize chunk, VisReadingFlags flags, const TsOptions *options)
{
  VisReading *reading = g_new0 (VisReading, 1);
  gsize       size = length < 0 ? strlen (text) : (gsize) length;
  gboolean    again = TRUE;

  reading->flags = flags;
  reading->infers = options != NULL && options->infer_preemption;
  reading->memory.scale = 1;
  reading->diagnostics = ts_diagnostics_new ("x.vis");
  reading->sections = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_section_free);
  reading->tables = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_table_free);
  reading->instances = g_array_new (FALSE, FALSE, sizeof (TsInstance));
  reading->intervals = g_array_new (FALSE, FALSE, sizeof (TsInterval));
  while (again && reading->n_readings++ < MAX_READINGS)
    {
      reset (reading);
      again = read_once (reading, text, size, chunk > 0 ? chunk : MAX (size, 1), options);
    }
  return reading;
}

void
vis_reading_free (VisReading *reading)
{
  g_clear_pointer (&reading->timeline, ts_timeline_free);
  ts_import_memory_clear (&reading->memory);
  ts_system_free (reading->system);
  ts_diagnostics_free (reading->diagnostics);
  g_ptr_array_unref (reading->sections);
  g_ptr_array_unref (reading->tables);
  g_array_unref (reading->instances);
  g_array_unref (reading->intervals);
  g_clear_error (&reading->error);
  g_free (reading);
}

static void
append_cell (GString *text, const TsCell *cell)
{
  char buffer[TS_NUMBER_SIZE];

  ts_cell_format (cell, ts_rational (1, 1), buffer);
  g_string_append (text, cell->type == TS_CELL_TEXT ? cell->text : buffer);
}

char *
vis_reading_cell (const VisReading *reading, const char *name, guint row, const char *column)
{
  for (guint i = 0; i < reading->tables->len; i++)
    {
      const TsTable *table = g_ptr_array_index (reading->tables, i);

      if (!g_str_equal (ts_table_get_name (table), name) || row >= ts_table_n_rows (table))
        continue;
      for (guint k = 0; k < ts_table_n_columns (table); k++)
        if (g_str_equal (ts_table_get_column (table, k)->name, column))
          {
            GString *text = g_string_new (NULL);

            append_cell (text, ts_table_get_cell (table, row, k));
            return g_string_free (text, FALSE);
          }
    }
  return NULL;
}

static void
dump_tables (const VisReading *reading, GString *text)
{
  for (guint i = 0; i < reading->tables->len; i++)
    {
      const TsTable *table = g_ptr_array_index (reading->tables, i);

      for (guint row = 0; row < ts_table_n_rows (table); row++)
        {
          g_string_append (text, ts_table_get_name (table));
          for (guint k = 0; k < ts_table_n_columns (table); k++)
            {
              g_string_append_c (text, ' ');
              append_cell (text, ts_table_get_cell (table, row, k));
            }
          g_string_append_c (text, '\n');
        }
    }
}

char *
vis_reading_dump (const VisReading *reading)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "readings %u error %s\n", reading->n_readings,
                          reading->error != NULL ? reading->error->message : "none");
  /* nothing is reported then, and how much was passed on is left to the importer */
  if (reading->error != NULL)
    return g_string_free (text, FALSE);
  for (guint i = 0; i < reading->sections->len; i++)
    g_string_append_printf (text, "events %" G_GUINT64_FORMAT "\n",
                            ((const TsSection *) g_ptr_array_index (reading->sections, i))->n_events);
  for (guint i = 0; i < ts_system_n_resources (reading->system); i++)
    g_string_append_printf (text, "resource %s\n", ts_system_get_resource (reading->system, (guint16) i)->name);
  for (guint i = 0; i < ts_system_n_elements (reading->system); i++)
    {
      const TsElement *element = ts_system_get_element (reading->system, i);

      g_string_append_printf (text, "element %s %s\n", ts_element_type_name (element->type), element->name);
    }
  for (guint i = 0; i < reading->instances->len; i++)
    {
      const TsInstance *x = &g_array_index (reading->instances, TsInstance, i);

      g_string_append_printf (text, "e%u #%ld r%u %x %s A %ld S %ld E %ld run %ld pre %ld wait %ld n %u line %lu\n",
                              x->element, (glong) x->number, x->resource, x->flags,
                              ts_instance_status_name ((TsInstanceStatus) x->status), (glong) x->activation,
                              (glong) x->start, (glong) x->end, (glong) x->running, (glong) x->preempted,
                              (glong) x->waiting, x->n_preemptions, (gulong) x->line);
    }
  for (guint i = 0; i < reading->intervals->len; i++)
    {
      const TsInterval *x = &g_array_index (reading->intervals, TsInterval, i);

      g_string_append_printf (text, "interval %u of e%u #%ld: %ld at %ld\n", x->kind, x->element, (glong) x->number,
                              (glong) x->value, (glong) x->at);
    }
  dump_tables (reading, text);
  for (guint i = 0; i < TS_N_DIAGNOSTICS; i++)
    {
      const TsDiagnostic *entry = &reading->diagnostics->entries[i];

      if (entry->count > 0)
        g_string_append_printf (text, "%s %lu in line %lu: %s\n", ts_diagnostic_info (i)->name, (gulong) entry->count,
                                (gulong) entry->line, entry->detail);
    }
  return g_string_free (text, FALSE);
}
