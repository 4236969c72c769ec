/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "writers-fixture.h"

#include <check.h>
#include <string.h>

static TsMetricResult
times_result (guint64 n, TsInt128 sum, gint64 min, gint64 max)
{
  return (TsMetricResult){
    .n = n,
    .min = { min, 1 },
    .mean = ts_rational (sum, (TsInt128) n),
    .max = { max, 1 },
    .stddev = { .n = n, .scale = { 1, 1 } },
    .sum = sum,
    .min_where = { .value = min, .at = 100, .number = 1, .section = 1 },
    .max_where = { .value = max, .at = 2495, .number = 2, .section = 1 },
  };
}

static void
set_percentiles (TsMetricResult *result, TsRational p50, TsRational p999)
{
  result->percentiles = g_new (TsRational, 2);
  result->percentiles[0] = p50;
  result->percentiles[1] = p999;
}

static TsReportElement *
new_element (const char *name, const char *parent, TsElementType type, guint depth)
{
  TsReportElement *element = g_new0 (TsReportElement, 1);

  element->name = name;
  element->parent = parent;
  element->resource = "core";
  element->id = depth == 0 ? "7" : "";
  element->type = type;
  element->depth = depth;
  for (TsMetricId metric = 0; metric < TS_N_METRICS; metric++)
    element->metrics[metric] = g_new0 (TsMetricResult, 1);
  return element;
}

static void
free_element (gpointer data)
{
  TsReportElement *element = data;

  for (TsMetricId metric = 0; metric < TS_N_METRICS; metric++)
    {
      g_free (element->metrics[metric]->percentiles);
      ts_accumulator_free ((TsAccumulator *) element->metrics[metric]->accumulator);
      g_free ((TsMetricResult *) element->metrics[metric]);
    }
  g_free (element);
}

static GPtrArray *
new_elements (void)
{
  GPtrArray       *elements = g_ptr_array_new_with_free_func (free_element);
  TsReportElement *guru = new_element ("Guru", "", TS_TYPE_TASK, 0);
  TsReportElement *inner = new_element ("in,ner", "Guru", TS_TYPE_RUNNABLE, 1);
  TsMetricResult  *guru_cet = (TsMetricResult *) guru->metrics[TS_METRIC_CET];
  TsMetricResult  *guru_rt = (TsMetricResult *) guru->metrics[TS_METRIC_RT];
  TsMetricResult  *inner_cet = (TsMetricResult *) inner->metrics[TS_METRIC_CET];
  TsMetricResult  *inner_jitter = (TsMetricResult *) inner->metrics[TS_METRIC_JIT];
  TsAccumulator   *accumulator = ts_accumulator_new (FALSE);
  static const gint64 samples[] = { 48, 389, 51, 51 - 1 };

  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    ts_accumulator_add (accumulator, samples[i], 100, 1, 1);
  *guru_cet = times_result (4, 538, 48, 389);
  guru_cet->stddev = (TsRoot){ 293 * 293, 0, 2, { 1, 1 } }; /* 146.5 */
  guru_cet->accumulator = accumulator;
  set_percentiles (guru_cet, (TsRational){ 50, 1 }, (TsRational){ 389, 1 });
  *guru_rt = times_result (3, 831, 143, 544);
  set_percentiles (guru_rt, (TsRational){ 144, 1 }, (TsRational){ 544, 1 });

  *inner_cet = times_result (1, 11, 11, 11);
  set_percentiles (inner_cet, (TsRational){ 11, 1 }, (TsRational){ 11, 1 });
  *inner_jitter = (TsMetricResult){ .n = 1, .min = { 1, 3 }, .mean = { 1, 3 }, .max = { 1, 3 },
                                    .min_where = { .at = 5, .number = 2, .section = 1 },
                                    .max_where = { .at = 5, .number = 2, .section = 1 },
                                    .stddev = { .n = 1, .scale = { 1, 1 } }, .reference = "configured", .reference_value = { 10, 1 } };
  set_percentiles (inner_jitter, (TsRational){ 1, 3 }, (TsRational){ 1, 3 });

  guru->counts.reads = 3;
  inner->counts.reads = 4;
  inner->counts.writes = 12;
  g_ptr_array_add (elements, guru);
  g_ptr_array_add (elements, inner);
  g_ptr_array_add (elements, new_element ("ISR \"1\"", "", TS_TYPE_ISR, 0));
  return elements;
}

static GPtrArray *
new_resources (void)
{
  GPtrArray        *resources = g_ptr_array_new_with_free_func (g_free);
  TsReportResource *core = g_new0 (TsReportResource, 1);

  core->name = "core";
  core->id = "0";
  core->load = (TsMetricResult){ .n = 1, .min = { 635, 23038 }, .mean = { 635, 23038 }, .max = { 635, 23038 },
                                 .sum = 635, .reference_value = { 23038, 1 } };
  g_ptr_array_add (resources, core);
  return resources;
}

TsReport       writers_report;
TsReportBlock  writers_block;
TsPrintOptions writers_options;
static guint64 percentiles[] = { 50000000, 99900000 };

void
writers_set_up (void)
{
  writers_block = (TsReportBlock){ .elements = new_elements (), .resources = new_resources () };
  writers_report = (TsReport){ .base = { 2000, 1, -9, 1, TRUE },
                               .input = (char *) "a.xml",
                               .percentiles = percentiles,
                               .n_percentiles = 2,
                               .exact = TRUE };
  writers_report.traces = g_ptr_array_new ();
  writers_report.blocks = g_ptr_array_new ();
  g_ptr_array_add (writers_report.blocks, &writers_block);
  writers_report.diagnostics = ts_diagnostics_new ("a.xml");
  writers_options = (TsPrintOptions){ .unit = TS_UNIT_FITTING };
}

void
writers_tear_down (void)
{
  g_ptr_array_unref (writers_block.elements);
  g_ptr_array_unref (writers_block.resources);
  g_ptr_array_unref (writers_report.traces);
  g_ptr_array_unref (writers_report.blocks);
  ts_diagnostics_free (writers_report.diagnostics);
  if (writers_options.elements != NULL)
    g_ptr_array_unref (writers_options.elements);
}

char *
writers_write (const char *writer)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GError                   *error = NULL;

  ck_assert (ts_report_write (&writers_report, ts_writer_by_name (writer), &writers_options, ts_sink_to_text (text), &error));
  ck_assert_ptr_null (error);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

void
writers_assert (const char *writer, const char *expected)
{
  g_autofree char *text = writers_write (writer);

  ck_assert_msg (strcmp (text, expected) == 0, "expected:\n%s\nwritten:\n%s", expected, text);
}
