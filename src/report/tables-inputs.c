/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/trace.h"
#include "report/tables.h"

/* What each trace says about itself: the `inputs' of the JSON report, and a line of the summary. Times are in the
 * report's internal units, which may be finer than those of the trace. */

static TsTable *
new_record (const char *name, const TsColumn *columns, guint n_columns)
{
  TsTable *table = ts_table_new (name, name, TS_TABLE_RECORD, TS_FOR_PROGRAMS, columns, n_columns);

  ts_table_begin_row (table, 0);
  return table;
}

static TsTable *
time_base_table (const TsTimeBase *base)
{
  static const TsColumn columns[] = { { "numerator" }, { "denominator" }, { "unit" } };
  TsTable              *table = new_record ("time_base", columns, 3);

  ts_table_add_fraction (table, base->numerator, base->denominator);
  ts_table_add_text (table, base->known ? ts_time_base_unit_name (base->exponent) : ts_unit_name (TS_UNIT_TICKS));
  return table;
}

static const TsColumn tool_columns[] = { { "vendor" }, { "tool" }, { "version" } };

static void
add_tool (TsTable *table, const TsToolInfo *tool)
{
  ts_table_add_text (table, tool->vendor);
  ts_table_add_text (table, tool->tool);
  ts_table_add_text (table, tool->version);
}

static TsTable *
tool_info_table (const TsToolInfo *tool)
{
  TsTable *table;

  if (tool->vendor == NULL && tool->tool == NULL && tool->version == NULL)
    return NULL;
  table = new_record ("tool_info", tool_columns, 3);
  add_tool (table, tool);
  return table;
}

static TsTable *
cookies_table (const TsSystem *system)
{
  TsTable *table = ts_table_new ("cookies", "Cookies", TS_TABLE_LIST, TS_FOR_PROGRAMS, tool_columns, 3);

  for (guint i = 0; i < ts_system_n_cookies (system); i++)
    {
      ts_table_begin_row (table, 0);
      add_tool (table, ts_system_get_cookie (system, i));
    }
  return table;
}

static TsTable *
overheads_table (const TsSystem *system, const GArray *notes)
{
  static const TsColumn columns[] = { { "type" },      { "range" },       { "element" },
                                      { "numerator" }, { "denominator" }, { "unit" } };
  TsTable *table;

  if (notes == NULL)
    return NULL;
  table = ts_table_new ("overheads", "Overheads", TS_TABLE_LIST, TS_FOR_PROGRAMS, columns, G_N_ELEMENTS (columns));
  for (guint i = 0; i < notes->len; i++)
    {
      const TsOverheadNote *note = &g_array_index ((GArray *) notes, TsOverheadNote, i);

      ts_table_begin_row (table, 0);
      ts_table_add_text (table, note->type);
      ts_table_add_text (table, note->range);
      ts_table_add_text (table, note->element != TS_NO_ELEMENT ? ts_system_get_element (system, note->element)->name
                                                               : NULL);
      ts_table_add_fraction (table, note->numerator, note->denominator);
      ts_table_add_text (table, ts_time_base_unit_name (note->exponent));
    }
  return table;
}

static TsTable *
comments_table (const GArray *comments, TsRational factor)
{
  static const TsColumn columns[] = { { "from" }, { "to" }, { "text" } };
  TsTable              *table;

  if (comments == NULL)
    return NULL;
  table = ts_table_new ("comments", "Comments", TS_TABLE_LIST, TS_FOR_PROGRAMS, columns, 3);
  for (guint i = 0; i < comments->len; i++)
    {
      const TsTraceComment *comment = &g_array_index ((GArray *) comments, TsTraceComment, i);

      ts_table_begin_row (table, 0);
      if (comment->has_time)
        {
          ts_table_add_time (table, ts_scaled (comment->from, factor));
          ts_table_add_time (table, ts_scaled (comment->to, factor));
        }
      else
        {
          ts_table_add_absent (table);
          ts_table_add_absent (table);
        }
      ts_table_add_text (table, comment->text);
    }
  return table;
}

static void
add_time_if (TsTable *table, gboolean is_known, gint64 units, TsRational factor)
{
  if (is_known)
    ts_table_add_time (table, ts_scaled (units, factor));
  else
    ts_table_add_absent (table);
}

static TsTable *
section_list_table (const TsTrace *trace, TsRational factor)
{
  static const TsColumn columns[] = { { "number" },      { "start" },     { "stop" },      { "comment" },
                                      { "tool_info" },   { "events" },    { "window_from" }, { "window_to" },
                                      { "overheads" },   { "comments" } };
  const TsSystem *system = ts_trace_get_system (trace);
  TsTable        *table = ts_table_new ("section_list", "Sections", TS_TABLE_LIST, TS_FOR_PROGRAMS, columns,
                                        G_N_ELEMENTS (columns));

  for (guint i = 0; i < ts_trace_n_sections (trace); i++)
    {
      const TsSection *section = ts_trace_get_section (trace, i);

      ts_table_begin_row (table, 0);
      ts_table_add_integer (table, section->number);
      add_time_if (table, section->has_start, section->start, factor);
      add_time_if (table, section->has_stop, section->stop, factor);
      ts_table_add_text (table, section->comment);
      ts_table_add_table (table, tool_info_table (&section->tool));
      ts_table_add_integer (table, (gint64) section->n_events);
      add_time_if (table, TRUE, section->window_from, factor);
      add_time_if (table, TRUE, section->window_to, factor);
      ts_table_add_table (table, overheads_table (system, section->overhead_notes));
      ts_table_add_table (table, comments_table (section->comments, factor));
    }
  return table;
}

static TsTable *
user_events_table (const TsSystem *system)
{
  static const TsColumn columns[] = { { "event" }, { "reference" }, { "info" }, { "count" } };
  TsTable *table = ts_table_new ("user_events", "User events", TS_TABLE_LIST, TS_FOR_PROGRAMS, columns, 4);

  for (guint i = 0; i < ts_system_n_user_events (system); i++)
    {
      const TsUserEvent *user_event = ts_system_get_user_event (system, i);

      ts_table_begin_row (table, 0);
      ts_table_add_text (table, user_event->event);
      ts_table_add_text (table, user_event->reference);
      ts_table_add_text (table, user_event->info);
      ts_table_add_integer (table, (gint64) user_event->count);
    }
  return table;
}

TsTable *
ts_inputs_table (const TsReport *report)
{
  static const TsColumn columns[] = { { "path" },      { "format" },         { "sections" },  { "events" },
                                      { "instances" }, { "span" },           { "time_base" }, { "system" },
                                      { "tool_info" }, { "system_comment" }, { "cookies" },   { "section_list" },
                                      { "user_events" }, { "tables" },       { "resources" },
                                      { "elements" },  { "options" },        { "window" } };
  TsTable *table = ts_table_new ("inputs", "Inputs", TS_TABLE_LIST, TS_FOR_PROGRAMS, columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < report->traces->len; i++)
    {
      const TsTrace *trace = g_ptr_array_index (report->traces, i);
      TsSystem      *system = ts_trace_get_system (trace);
      TsRational     factor = ts_input_factor (report, trace);

      ts_table_begin_row (table, 0);
      ts_table_add_text (table, ts_trace_get_path (trace));
      ts_table_add_text (table, ts_trace_get_format (trace));
      ts_table_add_integer (table, ts_trace_n_sections (trace));
      ts_table_add_integer (table, (gint64) ts_trace_n_events (trace));
      ts_table_add_integer (table, (gint64) ts_trace_n_instances (trace));
      ts_table_add_time (table, ts_rational_multiply ((TsRational){ ts_trace_span (trace), 1 }, factor));
      ts_table_add_table (table, time_base_table (ts_system_time_base (system)));
      ts_table_add_text (table, ts_system_get_name (system));
      ts_table_add_table (table, tool_info_table (ts_system_get_tool (system)));
      ts_table_add_text (table, ts_system_get_comment (system));
      ts_table_add_table (table, cookies_table (system));
      ts_table_add_table (table, section_list_table (trace, factor));
      ts_table_add_table (table, user_events_table (system));
      ts_table_add_table (table, ts_trace_tables_record (report, trace));
      ts_table_add_integer (table, ts_trace_n_resources (trace));
      ts_table_add_integer (table, ts_trace_n_elements (trace));
      ts_table_add_text (table, trace->options);
      ts_table_add_text (table, trace->window);
    }
  return table;
}

/* What people call the resources of a trace: in this order they have a column of its line. */
typedef enum
{
  CORES,
  RESOURCES,
  AGENTS,
} ResourceKind;

static ResourceKind
kind_of_resources (const TsTrace *trace)
{
  const char *format = ts_trace_get_format (trace);

  if (g_strcmp0 (format, "etf") == 0)
    return RESOURCES;
  return g_strcmp0 (format, "visandor") == 0 ? AGENTS : CORES;
}

TsTable *
ts_trace_lines_table (const TsReport *report)
{
  static const TsColumn columns[] = { { "path", NULL },           { "format", NULL },         { "system", NULL },
                                      { "cores", "cores" },       { "resources", "resources" }, { "agents", "agents" },
                                      { "elements", "elements" }, { "events", "events" },       { "sections", "sections" },
                                      { "span", "over" } };
  TsTable *table = ts_table_new ("trace", NULL, TS_TABLE_LIST, TS_FOR_PEOPLE, columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < report->traces->len; i++)
    {
      const TsTrace  *trace = g_ptr_array_index (report->traces, i);
      const TsSystem *system = ts_trace_get_system (trace);
      const ResourceKind own_kind = kind_of_resources (trace);

      ts_table_begin_row (table, 0);
      ts_table_add_text (table, ts_trace_get_path (trace));
      ts_table_add_text (table, ts_trace_get_format (trace));
      ts_table_add_text (table, ts_system_get_name (system));
      for (ResourceKind kind = CORES; kind <= AGENTS; kind++)
        if (kind == own_kind)
          ts_table_add_integer (table, ts_trace_n_resources (trace));
        else
          ts_table_add_absent (table);
      ts_table_add_integer (table, ts_trace_n_elements (trace));
      ts_table_add_integer (table, (gint64) ts_trace_n_events (trace));
      ts_table_add_integer (table, ts_trace_n_sections (trace));
      ts_table_add_time (table, ts_rational_multiply ((TsRational){ ts_trace_span (trace), 1 },
                                                      ts_input_factor (report, trace)));
    }
  if (report->traces->len == 0)
    {
      ts_table_begin_row (table, 0);
      ts_table_add_text (table, report->input);
    }
  return table;
}
