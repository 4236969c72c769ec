/* SPDX-License-Identifier: MIT */
#include "gate-fixture.h"

#include <check.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char head[] =
    "<?xml version=\"1.0\"?>\n<CommonFormat Version=\"1.0\"><SystemConfiguration Name=\"S\">\n"
    "<Resource ID=\"0\" Scheduler=\"x\">\n<SystemElement Name=\"T\" ID=\"1\" Type=\"task\">%s</SystemElement>\n"
    "<SystemElement Name=\"I\" ID=\"2\" Type=\"isr\"/>\n%s</Resource>\n"
    "<EventIDMappings><EventIDMapping EventID=\"1\" EventType=\"activation\"/>"
    "<EventIDMapping EventID=\"2\" EventType=\"start\"/><EventIDMapping EventID=\"3\" EventType=\"end\"/>"
    "<EventIDMapping EventID=\"4\" EventType=\"preempt\"/><EventIDMapping EventID=\"5\" EventType=\"resume\"/>"
    "</EventIDMappings>%s</SystemConfiguration>\n<TraceData Start=\"0\" Stop=\"1000\">\n";

char *
gate_write_text (const char *text, gssize length)
{
  g_autoptr (GError) error = NULL;
  char *path = NULL;
  int   file = g_file_open_tmp ("gate-XXXXXX", &path, &error);

  ck_assert_msg (file >= 0, "%s", error != NULL ? error->message : "");
  close (file);
  ck_assert (g_file_set_contents (path, text, length, NULL));
  return path;
}

char *
gate_write (const GateTrace *trace)
{
  static const gint64 events[][3] = { { 0, 1, 1 },   { 10, 2, 1 },  { 30, 3, 1 },  { 100, 1, 1 }, { 105, 2, 1 },
                                      { 135, 3, 1 }, { 200, 1, 1 }, { 220, 2, 1 }, { 260, 3, 1 }, { 300, 2, 2 },
                                      { 308, 3, 2 }, { 400, 2, 2 }, { 405, 3, 2 } };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *base = trace->unit != NULL
                              ? g_strdup_printf ("<TimeBase Unit=\"%s\"><Value Numerator=\"1\" Denominator=\"1\"/></TimeBase>",
                                                 trace->unit)
                              : g_strdup ("");

  g_string_append_printf (text, head, trace->annotations != NULL ? trace->annotations : "",
                          trace->without_n ? "" : "<SystemElement Name=\"N\" ID=\"3\" Type=\"task\"/>\n", base);
  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    g_string_append_printf (text,
                            "<TraceEntry Time=\"%" G_GINT64_FORMAT "\" EventID=\"%" G_GINT64_FORMAT
                            "\" ReferenceID=\"%" G_GINT64_FORMAT "\"/>\n",
                            events[i][0] + (events[i][0] == 260 ? trace->late : 0), events[i][1], events[i][2]);
  g_string_append (text, "</TraceData></CommonFormat>\n");
  return gate_write_text (text->str, (gssize) text->len);
}

void
gate_remove (char *path)
{
  g_unlink (path);
  g_free (path);
}

GateReport
gate_read (const char *path, const TsOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TsOptions) none = ts_options_new ();
  GateReport result = { g_ptr_array_new_with_free_func ((GDestroyNotify) ts_trace_free), NULL };
  TsTrace   *trace = ts_trace_read (path, options != NULL ? options : none, NULL, NULL, NULL, NULL, &error);

  ck_assert_msg (trace != NULL, "%s", error != NULL ? error->message : "");
  g_ptr_array_add (result.traces, trace);
  result.report = ts_report_new (result.traces, options != NULL ? options : none, &error);
  ck_assert_msg (result.report != NULL, "%s", error != NULL ? error->message : "");
  return result;
}

GateReport
gate_read_trace (const GateTrace *trace, const TsOptions *options)
{
  char      *path = gate_write (trace);
  GateReport result = gate_read (path, options);

  gate_remove (path);
  return result;
}

void
gate_free (GateReport *report)
{
  ts_report_free (report->report);
  g_ptr_array_unref (report->traces);
}

char *
gate_json (const TsReport *report)
{
  TsPrintOptions options = { .unit = TS_UNIT_FITTING };
  g_autoptr (GString) text = g_string_new (NULL);

  ck_assert (ts_report_write (report, ts_writer_by_name ("json"), &options, ts_sink_to_text (text), NULL));
  return g_string_free (g_steal_pointer (&text), FALSE);
}
