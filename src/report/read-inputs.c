/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/importer.h"
#include "report/read.h"
#include "report/tables.h"

/* What a report says of the traces that it is on: `inputs'. */

gint64
ts_report_whole (TsReportReader *reader, TsRational value, TsRational factor, const char *name)
{
  TsRational product = ts_rational_multiply (value, factor);
  TsInt128   whole = product.numerator / product.denominator;
  TsInt128   rest = product.numerator % product.denominator;

  /* halves away from 0; they do not occur where the report was written by this program */
  if (rest >= product.denominator - rest)
    whole++;
  else if (-rest >= product.denominator + rest)
    whole--;
  /* where time bases were pooled, a time may have nearly as many units as there can be */
  if (whole > G_MAXINT64 || whole < -G_MAXINT64)
    {
      ts_json_fail (&reader->json, "`%s' is too large", name);
      return 0;
    }
  return (gint64) whole;
}

static gint64
read_time (TsReportReader *reader, JsonObject *object, const char *name, gboolean *is_there)
{
  TsRational value;
  gboolean   found = ts_json_number (&reader->json, object, name, &value);

  if (is_there != NULL)
    *is_there = found;
  return found ? ts_report_whole (reader, value, ts_rational_divide (ts_rational (1, 1), reader->unit), name) : 0;
}

static const char *
intern (const TsTrace *trace, const char *text)
{
  return ts_system_intern (trace->system, text);
}

static void
read_tool (TsReportReader *reader, const TsTrace *trace, JsonObject *object, TsToolInfo *tool)
{
  tool->vendor = intern (trace, ts_json_text (&reader->json, object, "vendor", FALSE));
  tool->tool = intern (trace, ts_json_text (&reader->json, object, "tool", FALSE));
  tool->version = intern (trace, ts_json_text (&reader->json, object, "version", FALSE));
}

static void
read_comments (TsReportReader *reader, const TsTrace *trace, JsonArray *comments, TsSection *section)
{
  if (comments == NULL)
    return;
  section->comments = g_array_new (FALSE, FALSE, sizeof (TsTraceComment));
  for (guint i = 0; i < ts_json_length (comments) && reader->json.error == NULL; i++)
    {
      JsonObject    *object = ts_json_object_at (&reader->json, comments, i);
      TsTraceComment comment = { 0 };

      comment.from = read_time (reader, object, "from", &comment.has_time);
      comment.to = read_time (reader, object, "to", NULL);
      comment.text = intern (trace, ts_json_text (&reader->json, object, "text", FALSE));
      g_array_append_val (section->comments, comment);
    }
}

static void
read_sections (TsReportReader *reader, TsTrace *trace, JsonArray *sections)
{
  for (guint i = 0; i < ts_json_length (sections) && reader->json.error == NULL; i++)
    {
      JsonObject *object = ts_json_object_at (&reader->json, sections, i);
      TsSection  *section = g_new0 (TsSection, 1);

      g_ptr_array_add (trace->sections, section);
      section->number = (guint) ts_json_integer (&reader->json, object, "number", 1, G_MAXUINT32);
      section->start = read_time (reader, object, "start", &section->has_start);
      section->stop = read_time (reader, object, "stop", &section->has_stop);
      section->comment = intern (trace, ts_json_text (&reader->json, object, "comment", FALSE));
      read_tool (reader, trace, ts_json_object (&reader->json, object, "tool_info", FALSE), &section->tool);
      section->n_events = (guint64) ts_json_integer (&reader->json, object, "events", 0, G_MAXINT64);
      section->window_from = read_time (reader, object, "window_from", NULL);
      section->window_to = read_time (reader, object, "window_to", NULL);
      read_comments (reader, trace, ts_json_array (&reader->json, object, "comments", FALSE), section);
    }
}

static void
read_user_events (TsReportReader *reader, TsTrace *trace, JsonArray *events)
{
  for (guint i = 0; events != NULL && i < ts_json_length (events) && reader->json.error == NULL; i++)
    {
      JsonObject  *object = ts_json_object_at (&reader->json, events, i);
      const char  *event = ts_json_text (&reader->json, object, "event", TRUE);
      const char  *reference = ts_json_text (&reader->json, object, "reference", TRUE);
      TsUserEvent *user_event;

      if (event == NULL || reference == NULL)
        return;
      user_event = ts_system_user_event (trace->system, event, reference);
      user_event->info = intern (trace, ts_json_text (&reader->json, object, "info", FALSE));
      user_event->count = (guint64) ts_json_integer (&reader->json, object, "count", 0, G_MAXINT64);
    }
}

/* @object: numerator, denominator and unit; the scale is that of whole units, 1 where it is not said. */
static TsTimeBase
read_time_base (TsReportReader *reader, JsonObject *object)
{
  TsTimeBase  base = ts_time_base_ticks ();
  const char *unit = ts_json_text (&reader->json, object, "unit", TRUE);

  base.numerator = (guint64) ts_json_whole (&reader->json, object, "numerator", 1, TS_MOST_OF_FRACTION);
  base.denominator = (guint64) ts_json_whole (&reader->json, object, "denominator", 1, TS_MOST_OF_FRACTION);
  base.scale = ts_json_integer (&reader->json, object, "scale", 1, TS_REPORT_LIMIT);
  base.known = unit != NULL && strcmp (unit, ts_unit_name (TS_UNIT_TICKS)) != 0;
  if (base.known && !ts_time_base_exponent (unit, &base.exponent))
    ts_json_fail (&reader->json, "`%s' is no unit of time", unit);
  return base;
}

/* Times of all inputs are read in the units of the report; where such a unit is no part of the input's own tick
 * the input takes the time base of the report. */
static void
set_time_base (TsReportReader *reader, TsTrace *trace, TsTimeBase own)
{
  TsRational ratio;

  own.scale = 1;
  trace->stated_tick = ratio = ts_rational_divide (ts_time_base_factor (&own, own.known ? TS_UNIT_S : TS_UNIT_TICKS),
                              ts_time_base_factor (&reader->base, own.known ? TS_UNIT_S : TS_UNIT_TICKS));
  if (own.known != reader->base.known || ratio.denominator != 1 || ratio.numerator > TS_REPORT_LIMIT)
    own = reader->base;
  else
    own.scale = (gint64) ratio.numerator;
  *ts_system_time_base (trace->system) = own;
}

static TsTrace *
new_trace (void)
{
  TsTrace *trace = g_new0 (TsTrace, 1);

  trace->is_report = TRUE;
  trace->format = "report";
  trace->system = ts_system_new ();
  trace->diagnostics = ts_diagnostics_new (NULL);
  trace->sections = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_section_free);
  trace->tables = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_table_free);
  trace->measures = ts_measures_new (0, 0);
  return trace;
}

static char *
stated_options (TsJsonReader *json, JsonObject *input, const char *name)
{
  const char *text = ts_json_text (json, input, name, FALSE);

  return g_strdup (text != NULL ? text : "");
}

static void
read_input (TsReportReader *reader, TsTrace *trace, JsonObject *input)
{
  TsJsonReader *json = &reader->json;
  const char   *format = ts_json_text (json, input, "format", FALSE);
  JsonObject   *base = ts_json_object (json, input, "time_base", TRUE);
  JsonArray    *sections = ts_json_array (json, input, "section_list", TRUE);
  JsonArray    *cookies = ts_json_array (json, input, "cookies", FALSE);
  TsToolInfo    tool = { 0 };

  if (json->error != NULL)
    return;
  trace->path = g_strdup (ts_json_text (json, input, "path", TRUE));
  trace->title = g_strdup_printf ("%s (in %s)", trace->path, json->path);
  if (format != NULL)
    trace->format = g_intern_string (format);
  trace->n_events = (guint64) ts_json_integer (json, input, "events", 0, G_MAXINT64);
  trace->n_instances = (guint64) ts_json_integer (json, input, "instances", 0, G_MAXINT64);
  trace->n_resources = (guint) ts_json_integer (json, input, "resources", 0, TS_MAX_RESOURCES);
  trace->n_elements = (guint) ts_json_integer (json, input, "elements", 0, TS_MAX_ELEMENTS);
  set_time_base (reader, trace, read_time_base (reader, base));
  ts_system_set_name (trace->system, ts_json_text (json, input, "system", FALSE));
  ts_system_set_comment (trace->system, ts_json_text (json, input, "system_comment", FALSE));
  read_tool (reader, trace, ts_json_object (json, input, "tool_info", FALSE), &tool);
  ts_system_set_tool (trace->system, tool.vendor, tool.tool, tool.version);
  for (guint i = 0; cookies != NULL && i < ts_json_length (cookies) && json->error == NULL; i++)
    {
      read_tool (reader, trace, ts_json_object_at (json, cookies, i), &tool);
      ts_system_add_cookie (trace->system, tool.vendor, tool.tool, tool.version);
    }
  trace->options = stated_options (json, input, "options");
  trace->window = stated_options (json, input, "window");
  reader->has_tables |= ts_json_has (input, "tables");
  read_sections (reader, trace, sections);
  read_user_events (reader, trace, ts_json_array (json, input, "user_events", FALSE));
}

void
ts_report_read_inputs (TsReportReader *reader, JsonObject *report)
{
  TsJsonReader *json = &reader->json;
  JsonArray    *inputs = ts_json_array (json, report, "inputs", TRUE);
  JsonObject   *base = ts_json_object (json, report, "time_base", TRUE);
  const char   *unit_name = ts_json_text (json, report, "unit", TRUE);
  TsUnit        unit = TS_UNIT_NS;

  if (json->error != NULL)
    return;
  reader->base = read_time_base (reader, base);
  if (!ts_unit_parse (unit_name, &unit) || (unit != TS_UNIT_TICKS && !reader->base.known))
    ts_json_fail (json, "`%s' is no unit for the times of this report", unit_name);
  if (ts_json_length (inputs) == 0)
    ts_json_fail (json, "`inputs' is empty");
  if (json->error != NULL)
    return;
  reader->unit = ts_time_base_factor (&reader->base, unit);
  for (guint i = 0; i < ts_json_length (inputs) && json->error == NULL; i++)
    {
      TsTrace *trace = new_trace ();

      if (i == 0)
        reader->trace = trace;
      else
        {
          if (reader->trace->others == NULL)
            reader->trace->others = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_trace_free);
          g_ptr_array_add (reader->trace->others, trace);
        }
      read_input (reader, trace, ts_json_object_at (json, inputs, i));
    }
  /* whole numbers of the report are in its own units, and the first trace is the one that has them */
  if (json->error == NULL)
    *ts_system_time_base (reader->trace->system) = reader->base;
}

static guint32
find_element (const TsSystem *system, const char *name)
{
  for (guint32 i = 0; name != NULL && i < ts_system_n_elements (system); i++)
    if (strcmp (ts_system_get_element (system, i)->name, name) == 0)
      return i;
  return TS_NO_ELEMENT;
}

static void
read_overheads (TsReportReader *reader, TsTrace *trace, JsonArray *sections)
{
  TsJsonReader *json = &reader->json;

  for (guint i = 0; i < trace->sections->len && json->error == NULL; i++)
    {
      TsSection *section = g_ptr_array_index (trace->sections, i);
      JsonArray *overheads = ts_json_array (json, ts_json_object_at (json, sections, i), "overheads", FALSE);

      if (overheads == NULL)
        continue;
      section->overhead_notes = g_array_new (FALSE, FALSE, sizeof (TsOverheadNote));
      for (guint k = 0; k < ts_json_length (overheads) && json->error == NULL; k++)
        {
          JsonObject    *object = ts_json_object_at (json, overheads, k);
          const char    *unit = ts_json_text (json, object, "unit", TRUE);
          TsOverheadNote note = { 0 };

          note.type = intern (trace, ts_json_text (json, object, "type", FALSE));
          note.range = intern (trace, ts_json_text (json, object, "range", FALSE));
          note.element = find_element (reader->trace->system, ts_json_text (json, object, "element", FALSE));
          note.numerator = (guint64) ts_json_whole (json, object, "numerator", 0, TS_MOST_OF_FRACTION);
          note.denominator = (guint64) ts_json_whole (json, object, "denominator", 1, TS_MOST_OF_FRACTION);
          if (unit != NULL && !ts_time_base_exponent (unit, &note.exponent))
            ts_json_fail (json, "`%s' is no unit of time", unit);
          /* the system of a further input has no elements */
          if (trace != reader->trace)
            note.element = TS_NO_ELEMENT;
          g_array_append_val (section->overhead_notes, note);
        }
    }
}

void
ts_report_read_overheads (TsReportReader *reader, JsonObject *report)
{
  JsonArray *inputs = ts_json_array (&reader->json, report, "inputs", TRUE);

  for (guint i = 0; reader->json.error == NULL && i < ts_json_length (inputs); i++)
    {
      JsonObject *input = ts_json_object_at (&reader->json, inputs, i);

      read_overheads (reader, i == 0 ? reader->trace : g_ptr_array_index (reader->trace->others, i - 1),
                      ts_json_array (&reader->json, input, "section_list", TRUE));
    }
}
