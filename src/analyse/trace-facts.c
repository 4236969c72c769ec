/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/trace.h"

/* What is known of a trace that was read. */

void
ts_trace_free (TsTrace *trace)
{
  if (trace == NULL)
    return;
  g_free (trace->path);
  g_free (trace->title);
  ts_system_free (trace->system);
  ts_diagnostics_free (trace->diagnostics);
  g_clear_pointer (&trace->sections, g_ptr_array_unref);
  g_clear_pointer (&trace->tables, g_ptr_array_unref);
  ts_measures_free (trace->measures);
  g_clear_pointer (&trace->section_measures, g_ptr_array_unref);
  g_clear_pointer (&trace->others, g_ptr_array_unref);
  g_free (trace->periods);
  g_free (trace->options);
  g_free (trace->window);
  g_free (trace);
}

const char *
ts_trace_get_path (const TsTrace *trace)
{
  return trace->path;
}

const char *
ts_trace_get_format (const TsTrace *trace)
{
  return trace->format;
}

TsSystem *
ts_trace_get_system (const TsTrace *trace)
{
  return trace->system;
}

const TsDiagnostics *
ts_trace_get_diagnostics (const TsTrace *trace)
{
  return trace->diagnostics;
}

guint
ts_trace_n_sections (const TsTrace *trace)
{
  return trace->sections->len;
}

const TsSection *
ts_trace_get_section (const TsTrace *trace, guint index)
{
  g_return_val_if_fail (index < trace->sections->len, NULL);
  return g_ptr_array_index (trace->sections, index);
}

guint
ts_trace_n_tables (const TsTrace *trace)
{
  return trace->tables->len;
}

const TsTable *
ts_trace_get_table (const TsTrace *trace, guint index)
{
  g_return_val_if_fail (index < trace->tables->len, NULL);
  return g_ptr_array_index (trace->tables, index);
}

guint
ts_trace_n_resources (const TsTrace *trace)
{
  return trace->is_report ? trace->n_resources : ts_system_n_resources (trace->system);
}

guint
ts_trace_n_elements (const TsTrace *trace)
{
  return trace->is_report ? trace->n_elements : ts_system_n_elements (trace->system);
}

guint64
ts_trace_n_events (const TsTrace *trace)
{
  return trace->n_events;
}

guint64
ts_trace_n_instances (const TsTrace *trace)
{
  return trace->n_instances;
}
