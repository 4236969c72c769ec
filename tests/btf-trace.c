/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <unistd.h>

#include "btf-trace.h"
#include "unit.h"

TsTrace *
read_with (const char *text, const TsOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autofree char   *path = NULL;
  int                file = g_file_open_tmp ("check-btf-XXXXXX.btf", &path, &error);
  TsTrace           *trace;

  ck_assert_msg (file >= 0, "%s", error != NULL ? error->message : "");
  close (file);
  ck_assert (g_file_set_contents (path, text, -1, NULL));
  trace = ts_trace_read (path, options, NULL, NULL, NULL, NULL, &error);
  g_unlink (path);
  ck_assert_msg (trace != NULL, "%s", error != NULL ? error->message : "");
  ck_assert_str_eq (ts_trace_get_format (trace), "btf");
  return trace;
}

TsTrace *
read_text (const char *text)
{
  g_autoptr (TsOptions) options = ts_options_new ();

  return read_with (text, options);
}

guint32
element_of (TsTrace *trace, const char *name)
{
  for (guint32 i = 0; i < ts_system_n_elements (trace->system); i++)
    if (g_str_equal (ts_system_get_element (trace->system, i)->name, name))
      return i;
  ck_abort_msg ("no element %s", name);
  return 0;
}

void
expect_metrics (TsTrace *trace, const char *name, const char *expected)
{
  g_autoptr (GString)  text = g_string_new (NULL);
  guint32              element = element_of (trace, name);
  TsElementType        type = ts_system_get_element (trace->system, element)->type;
  const TsAccumulator *cet = ts_metrics_samples (trace->measures, element, type, TS_METRIC_CET);

  for (TsMetricId metric = 0; metric < TS_METRIC_LOAD; metric++)
    {
      const TsAccumulator *samples = ts_metrics_samples (trace->measures, element, type, metric);

      if (samples == NULL || samples->n == 0 || metric == TS_METRIC_JIT
          || (metric == TS_METRIC_SELF && cet != NULL && samples->sum == cet->sum)
          || (metric == TS_METRIC_NPR && samples->max.value == 0)
          || (metric == TS_METRIC_ST && type != TS_TYPE_TASK))
        continue;
      g_string_append_printf (text, "%s%s %" G_GUINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT
                              " %" G_GINT64_FORMAT, text->len > 0 ? "; " : "", ts_metric_info (metric)->name,
                              samples->n, samples->min.value, samples->max.value, (gint64) samples->sum);
    }
  ck_assert_str_eq (text->str, expected);
}

void
expect_load (TsTrace *trace, const char *core, gint64 busy, gint64 window)
{
  for (guint i = 0; i < ts_system_n_resources (trace->system); i++)
    if (g_str_equal (ts_system_get_resource (trace->system, (guint16) i)->name, core))
      {
        ck_assert_int_eq ((gint64) trace->measures->busy[i], busy);
        ck_assert_int_eq ((gint64) trace->measures->window, window);
        return;
      }
  ck_abort_msg ("no core %s", core);
}

void
expect_count (TsTrace *trace, TsDiagnosticId id, guint64 count, guint64 line)
{
  ck_assert_uint_eq (trace->diagnostics->entries[id].count, count);
  ck_assert_uint_eq (trace->diagnostics->entries[id].line, line);
}

void
expect_no_defect (TsTrace *trace)
{
  for (guint i = 0; i < TS_N_DIAGNOSTICS; i++)
    if (ts_diagnostic_info (i)->severity == TS_SEVERITY_DEFECT)
      ck_assert_msg (trace->diagnostics->entries[i].count == 0, "%s", ts_diagnostic_info (i)->name);
}
