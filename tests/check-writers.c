/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include <check.h>

#include <tracestat/writer.h>

#include "report/text.h"
#include "report/writers.h"

/* A report made by hand. One tick is 2 us; the numbers are those of METRICS' example 6 where it has them:
 *   Guru  CET 48, 50, 51, 389 ticks: min 48, mean 538/4 = 134.5, max 389
 *   ISR   never ran
 *   "in,ner" inside Guru: CET 11 ticks; JIT 1/3 against a configured period of 10 ticks
 *   core  635 of 23038 ticks */

static TsMetricResult
times_result (guint64 n, TsInt128 sum, gint64 min, gint64 max)
{
  return (TsMetricResult){
    .n = n,
    .min = { min, 1 },
    .mean = ts_rational (sum, (TsInt128) n),
    .max = { max, 1 },
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
  return element;
}

static void
free_element (gpointer data)
{
  TsReportElement *element = data;

  for (TsMetricId metric = 0; metric < TS_N_METRICS; metric++)
    {
      g_free (element->metrics[metric].percentiles);
      ts_accumulator_free ((TsAccumulator *) element->metrics[metric].accumulator);
    }
  g_free (element);
}

static GPtrArray *
new_elements (void)
{
  GPtrArray       *elements = g_ptr_array_new_with_free_func (free_element);
  TsReportElement *guru = new_element ("Guru", "", TS_TYPE_TASK, 0);
  TsReportElement *inner = new_element ("in,ner", "Guru", TS_TYPE_RUNNABLE, 1);
  TsAccumulator   *accumulator = ts_accumulator_new (FALSE);
  static const gint64 samples[] = { 48, 389, 51, 51 - 1 };

  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    ts_accumulator_add (accumulator, samples[i], 100, 1, 1);
  guru->metrics[TS_METRIC_CET] = times_result (4, 538, 48, 389);
  guru->metrics[TS_METRIC_CET].stddev = 146.5;
  guru->metrics[TS_METRIC_CET].accumulator = accumulator;
  set_percentiles (&guru->metrics[TS_METRIC_CET], (TsRational){ 50, 1 }, (TsRational){ 389, 1 });
  guru->metrics[TS_METRIC_RT] = times_result (3, 831, 143, 544);
  set_percentiles (&guru->metrics[TS_METRIC_RT], (TsRational){ 144, 1 }, (TsRational){ 544, 1 });

  inner->metrics[TS_METRIC_CET] = times_result (1, 11, 11, 11);
  set_percentiles (&inner->metrics[TS_METRIC_CET], (TsRational){ 11, 1 }, (TsRational){ 11, 1 });
  inner->metrics[TS_METRIC_JIT] = (TsMetricResult){ .n = 1, .min = { 1, 3 }, .mean = { 1, 3 }, .max = { 1, 3 },
                                                    .min_where = { .at = 5, .number = 2, .section = 1 },
                                                    .max_where = { .at = 5, .number = 2, .section = 1 },
                                                    .reference = "configured", .reference_value = { 10, 1 } };
  set_percentiles (&inner->metrics[TS_METRIC_JIT], (TsRational){ 1, 3 }, (TsRational){ 1, 3 });

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

static TsReport        report;
static TsReportBlock   block;
static guint64         percentiles[] = { 50000000, 99900000 };
static TsPrintOptions  options;

static void
set_up (void)
{
  block = (TsReportBlock){ .elements = new_elements (), .resources = new_resources () };
  report = (TsReport){ .base = { 2000, 1, -9, 1, TRUE },
                       .input = (char *) "a.xml",
                       .percentiles = percentiles,
                       .n_percentiles = 2,
                       .exact = TRUE };
  report.traces = g_ptr_array_new ();
  report.blocks = g_ptr_array_new ();
  g_ptr_array_add (report.blocks, &block);
  report.diagnostics = ts_diagnostics_new ("a.xml");
  options = (TsPrintOptions){ .unit = TS_UNIT_FITTING };
}

static void
tear_down (void)
{
  g_ptr_array_unref (block.elements);
  g_ptr_array_unref (block.resources);
  g_ptr_array_unref (report.traces);
  g_ptr_array_unref (report.blocks);
  ts_diagnostics_free (report.diagnostics);
  if (options.elements != NULL)
    g_ptr_array_unref (options.elements);
}

static char *
write_report (const char *writer)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  GError                   *error = NULL;

  ck_assert (ts_report_write (&report, ts_writer_by_name (writer), &options, stream, &error));
  ck_assert_ptr_null (error);
  return g_strndup (g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (stream)),
                    g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (stream)));
}

static void
assert_written (const char *writer, const char *expected)
{
  g_autofree char *text = write_report (writer);

  ck_assert_msg (strcmp (text, expected) == 0, "expected:\n%s\nwritten:\n%s", expected, text);
}

#define CSV_HEADER \
  "input,section,resource,parent,element,id,type,metric,unit,n,min,mean,max,stddev,p50,p99.9,min_at,max_at," \
  "min_instance,max_instance,min_ticks,max_ticks,sum_ticks,reference,reference_value\n"

START_TEST (csv_has_a_row_per_element_and_metric)
{
  options.metrics = 1u << TS_METRIC_CET | 1u << TS_METRIC_JIT | 1u << TS_METRIC_LOAD;
  assert_written (
      "csv",
      CSV_HEADER
      "a.xml,,core,,Guru,7,task,CET,ns,4,96000,269000,778000,293000,100000,778000,200000,4990000,1,2,48,389,538,,\n"
      "a.xml,,core,,Guru,7,task,JIT,ratio,0,,,,,,,,,,,,,,,\n"
      "a.xml,,core,Guru,\"in,ner\",,runnable,CET,ns,1,22000,22000,22000,0,22000,22000,200000,4990000,1,2,11,11,11,,\n"
      "a.xml,,core,Guru,\"in,ner\",,runnable,JIT,ratio,1,0.333333333333333,0.333333333333333,0.333333333333333,0,"
      "0.333333333333333,0.333333333333333,10000,10000,2,2,,,,configured,20000\n"
      "a.xml,,core,,\"ISR \"\"1\"\"\",7,isr,CET,ns,0,,,,,,,,,,,,,,,\n"
      "a.xml,,core,,\"ISR \"\"1\"\"\",7,isr,JIT,ratio,0,,,,,,,,,,,,,,,\n"
      "a.xml,,core,,core,0,resource,LOAD,ratio,1,0.0275631565240038,0.0275631565240038,0.0275631565240038,,,,,,,,,,"
      "635,,46076000\n");
}
END_TEST

START_TEST (csv_has_all_metrics_of_all_elements)
{
  g_autofree char *text = write_report ("csv");
  g_auto (GStrv)   lines = g_strsplit (text, "\n", -1);

  /* header, 3 elements of 13 metrics, 3 counts, 1 resource, and nothing behind the last end of line */
  ck_assert_uint_eq (g_strv_length (lines), 1 + 3 * 13 + 3 + 1 + 1);
  for (guint i = 0; i + 1 < g_strv_length (lines); i++)
    ck_assert_int_ne (lines[i][0], '\0');
}
END_TEST

/* Only where something was counted, behind the metrics of the element. */
START_TEST (csv_counts_reads_and_writes)
{
  g_autofree char *text = write_report ("csv");
  g_auto (GStrv)   lines = g_strsplit (text, "\n", -1);

  ck_assert_str_eq (lines[1 + 13], "a.xml,,core,,Guru,7,task,READS,count,3,,,,,,,,,,,,,,,");
  ck_assert (g_str_has_prefix (lines[2 + 13], "a.xml,,core,Guru,\"in,ner\",,runnable,IPT,"));
  ck_assert_str_eq (lines[2 + 2 * 13], "a.xml,,core,Guru,\"in,ner\",,runnable,READS,count,4,,,,,,,,,,,,,,,");
  ck_assert_str_eq (lines[3 + 2 * 13], "a.xml,,core,Guru,\"in,ner\",,runnable,WRITES,count,12,,,,,,,,,,,,,,,");
  ck_assert (g_str_has_prefix (lines[4 + 2 * 13], "a.xml,,core,,\"ISR"));
}
END_TEST

START_TEST (csv_follows_unit_and_filters)
{
  options.metrics = 1u << TS_METRIC_CET;
  options.unit = TS_UNIT_MS;
  options.elements = g_ptr_array_new ();
  g_ptr_array_add (options.elements, (gpointer) "G*");
  assert_written ("csv", CSV_HEADER "a.xml,,core,,Guru,7,task,CET,ms,4,0.096,0.269,0.778,0.293,0.1,0.778,0.2,4.99,1,2,"
                                    "48,389,538,,\n");
  options.types = 1u << TS_TYPE_ISR;
  assert_written ("csv", CSV_HEADER);
}
END_TEST

START_TEST (resources_follow_the_filters_too)
{
  static const char row[] = "a.xml,,core,,core,0,resource,LOAD,ratio,1,0.0275631565240038,0.0275631565240038,"
                            "0.0275631565240038,,,,,,,,,,635,,46076000\n";
  g_autofree char *shown = g_strconcat (CSV_HEADER, row, NULL);

  options.metrics = 1u << TS_METRIC_LOAD;
  assert_written ("csv", shown);
  options.elements = g_ptr_array_new ();
  g_ptr_array_add (options.elements, (gpointer) "cor?");
  assert_written ("csv", shown);
  g_ptr_array_index (options.elements, 0) = (gpointer) "x*";
  assert_written ("csv", CSV_HEADER);
  g_ptr_array_set_size (options.elements, 0);
  options.types = 1u << TS_TYPE_TASK;
  assert_written ("csv", CSV_HEADER);
}
END_TEST

START_TEST (without_a_time_base_there_are_ticks)
{
  report.base = ts_time_base_ticks ();
  options.metrics = 1u << TS_METRIC_RT;
  options.types = 1u << TS_TYPE_TASK;
  assert_written ("csv", CSV_HEADER "a.xml,,core,,Guru,7,task,RT,ticks,3,143,277,544,0,144,544,100,2495,1,2,"
                                    "143,544,831,,\n");
  assert_written ("text", "a.xml\n"
                          "\n"
                          "RT response time\n"
                          "            ------------ RT [ticks] -------------\n"
                          "  element   n  min  mean  p50  p99.9  max  stddev\n"
                          "  Guru      3  143   277  144    544  544       0\n"
                          "\n"
                          "Worst response times\n"
                          "  element  RT [ticks]  at [ticks]  instance\n"
                          "  Guru            544        2495         2\n"
                          "\n"
                          "No defects, no warnings, no notes on this trace.\n");
}
END_TEST

START_TEST (text_is_a_summary)
{
  ts_diagnostics_add (report.diagnostics, TS_DIAGNOSTIC_PENDING, 0, NULL);
  ts_diagnostics_add (report.diagnostics, TS_DIAGNOSTIC_OVERLAP, 12, "%s", "Guru");
  ts_diagnostics_add (report.diagnostics, TS_DIAGNOSTIC_OVERLAP, 99, NULL);
  report.exact = FALSE;
  assert_written ("text",
                  "a.xml\n"
                  "\n"
                  "CET core execution time, RT response time\n"
                  "                -- CET [us] --   ----- RT [ms] -----\n"
                  "  element   n   min  mean  max     min   mean    max\n"
                  "  Guru      4    96   269  778   0.286  0.554  1.088\n"
                  "    in,ner  1    22    22   22   -      -      -\n"
                  "  ISR \"1\"   0     -     -    -   -      -      -\n"
                  "\n"
                  "JIT jitter\n"
                  "             ----- JIT [%] -----\n"
                  "  element      min   mean    max\n"
                  "  Guru        -      -      -\n"
                  "    in,ner   33.33  33.33  33.33\n"
                  "\n"
                  "Load\n"
                  "  core  #...............................   2.76 %   1.27 of 46.08 ms\n"
                  "\n"
                  "Worst response times\n"
                  "  element  RT [ms]  at [ms]  instance\n"
                  "  Guru       1.088     4.99         2\n"
                  "\n"
                  "Percentiles of more than 2048 samples come from a histogram; "
                  "their relative error is at most 0.4 %.\n"
                  "\n"
                  "Diagnostics\n"
                  "  defect   2  overlap: two tasks run on one resource at the same time; both were taken as running;\n"
                  "              --infer-preemption stacks them\n"
                  "              first at a.xml:12: Guru\n"
                  "  note     1  pending-activation: an activation was still waiting when the section ended; it counts\n"
                  "              for PER and ST\n"
                  "              at a.xml\n");
}
END_TEST

START_TEST (no_name_drives_the_terminal)
{
  TsReportElement *element = g_ptr_array_index (block.elements, 0);
  g_autofree char *text = NULL;

  element->name = "\033[31mred\xff\n";
  text = write_report ("text");
  ck_assert_ptr_null (strchr (text, '\033'));
  ck_assert_ptr_nonnull (strstr (text, "?[31mred\xef\xbf\xbd?"));
}
END_TEST

START_TEST (colours_change_nothing_else)
{
  g_autofree char    *plain = write_report ("text");
  g_autofree char    *coloured = NULL;
  g_autoptr (GString) stripped = g_string_new (NULL);

  options.colour = TRUE;
  coloured = write_report ("text");
  ck_assert_ptr_nonnull (strstr (coloured, "\033[1m"));
  for (const char *p = coloured; *p != '\0'; p++)
    if (*p == '\033')
      p = strchr (p, 'm');
    else
      g_string_append_c (stripped, *p);
  ck_assert_str_eq (stripped->str, plain);
}
END_TEST

START_TEST (no_line_is_wider_than_the_terminal)
{
  TsReportElement *element = g_ptr_array_index (block.elements, 1);
  g_autofree char *text = NULL;
  g_auto (GStrv)   lines = NULL;

  element->name = "a_name_that_is_much_too_long_for_a_terminal_and_still_ends_with_what_tells_it_from_others";
  options.unicode = TRUE;
  options.width = 70;
  text = write_report ("text");
  ck_assert_ptr_nonnull (strstr (text, "\xe2\x80\xa6"));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    ck_assert_uint_le (ts_text_width (lines[i]), 70);
}
END_TEST

START_TEST (names_are_shortened_in_the_middle)
{
  static const struct
  {
    const char *text;
    guint       width;
    gboolean    unicode;
    const char *expected;
  } cases[] = {
    { "abcdef", 6, TRUE, "abcdef" },
    { "abcdefg", 6, TRUE, "abc\xe2\x80\xa6" "fg" },
    { "abcdefg", 6, FALSE, "ab..fg" },
    { "\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2", 5, TRUE, "\xe6\xbc\xa2\xe2\x80\xa6\xe6\xbc\xa2" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = ts_text_shorten (cases[i].text, cases[i].width, cases[i].unicode);

      ck_assert_str_eq (text, cases[i].expected);
    }
}
END_TEST

START_TEST (csv_quotes_what_needs_it)
{
  static const char *const cases[][2] = { { "", "" },           { "a b", "a b" },         { " a", "\" a\"" },
                                          { "a ", "\"a \"" },   { "a,b", "\"a,b\"" },     { "\"", "\"\"\"\"" },
                                          { "a\nb", "\"a\nb\"" }, { "a\"b\"c", "\"a\"\"b\"\"c\"" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) out = g_string_new (NULL);

      ts_csv_append_text (out, cases[i][0]);
      ck_assert_str_eq (out->str, cases[i][1]);
    }
}
END_TEST

START_TEST (json_escapes_what_needs_it)
{
  static const char *const cases[][2] = {
    { "", "\"\"" },
    { "a\"b\\c/d", "\"a\\\"b\\\\c/d\"" },
    { "\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\"" },
    { "\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\"" },
    { "\xc3\xa4\xe2\x82\xac", "\"\xc3\xa4\xe2\x82\xac\"" },
    { "a\xff" "b\xc3", "\"a\xef\xbf\xbd" "b\xef\xbf\xbd\"" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) out = g_string_new (NULL);

      ts_json_append_text (out, cases[i][0]);
      ck_assert_str_eq (out->str, cases[i][1]);
    }
}
END_TEST

START_TEST (json_holds_everything)
{
  options.metrics = 1u << TS_METRIC_CET | 1u << TS_METRIC_LOAD;
  options.elements = g_ptr_array_new ();
  g_ptr_array_add (options.elements, (gpointer) "Guru");
  g_ptr_array_add (options.elements, (gpointer) "core");
  ts_diagnostics_add (report.diagnostics, TS_DIAGNOSTIC_PENDING, 12, NULL);
  assert_written ("json",
                  "{\n"
                  "  \"schema\": 1,\n"
                  "  \"tool\": {\n"
                  "    \"name\": \"" PACKAGE_NAME "\",\n"
                  "    \"version\": \"" PACKAGE_VERSION "\"\n"
                  "  },\n"
                  "  \"unit\": \"ns\",\n"
                  "  \"time_base\": {\n"
                  "    \"numerator\": 2000,\n"
                  "    \"denominator\": 1,\n"
                  "    \"unit\": \"ns\",\n"
                  "    \"scale\": 1\n"
                  "  },\n"
                  "  \"filtered\": true,\n"
                  "  \"inputs\": [],\n"
                  "  \"elements\": [\n"
                  "    {\n"
                  "      \"resource\": \"core\",\n"
                  "      \"parent\": \"\",\n"
                  "      \"element\": \"Guru\",\n"
                  "      \"id\": \"7\",\n"
                  "      \"type\": \"task\",\n"
                  "      \"idle\": false,\n"
                  "      \"annotations\": [],\n"
                  "      \"counts\": {\n"
                  "        \"activations\": 0,\n"
                  "        \"failed\": 0,\n"
                  "        \"starts\": 0,\n"
                  "        \"ends\": 0,\n"
                  "        \"complete\": 0,\n"
                  "        \"partial_head\": 0,\n"
                  "        \"partial_tail\": 0,\n"
                  "        \"missing_end\": 0,\n"
                  "        \"pending\": 0,\n"
                  "        \"reads\": 3,\n"
                  "        \"writes\": 0\n"
                  "      },\n"
                  "      \"depth\": 0,\n"
                  "      \"metrics\": {\n"
                  "        \"CET\": {\n"
                  "          \"unit\": \"ns\",\n"
                  "          \"n\": 4,\n"
                  "          \"min\": 96000,\n"
                  "          \"mean\": 269000,\n"
                  "          \"max\": 778000,\n"
                  "          \"stddev\": 293000,\n"
                  "          \"p50\": 100000,\n"
                  "          \"p99.9\": 778000,\n"
                  "          \"min_at\": 200000,\n"
                  "          \"max_at\": 4990000,\n"
                  "          \"min_instance\": 1,\n"
                  "          \"max_instance\": 2,\n"
                  "          \"min_ticks\": 48,\n"
                  "          \"max_ticks\": 389,\n"
                  "          \"sum_ticks\": 538,\n"
                  "          \"exact\": true,\n"
                  "          \"merge\": {\n"
                  "            \"min\": 48,\n"
                  "            \"max\": 389,\n"
                  "            \"min_at\": 100,\n"
                  "            \"max_at\": 100,\n"
                  "            \"sum\": \"538\",\n"
                  "            \"squares\": \"158726\"\n"
                  "          },\n"
                  "          \"histogram\": [[48, 1], [50, 1], [51, 1], [389, 1]]\n"
                  "        }\n"
                  "      }\n"
                  "    }\n"
                  "  ],\n"
                  "  \"resources\": [\n"
                  "    {\n"
                  "      \"resource\": \"core\",\n"
                  "      \"id\": \"0\",\n"
                  "      \"metrics\": {\n"
                  "        \"LOAD\": {\n"
                  "          \"unit\": \"ratio\",\n"
                  "          \"n\": 1,\n"
                  "          \"min\": 0.0275631565240038,\n"
                  "          \"mean\": 0.0275631565240038,\n"
                  "          \"max\": 0.0275631565240038,\n"
                  "          \"sum_ticks\": 635,\n"
                  "          \"reference_value\": 46076000,\n"
                  "          \"merge\": {\n"
                  "            \"sum\": \"635\",\n"
                  "            \"window\": \"23038\"\n"
                  "          }\n"
                  "        }\n"
                  "      }\n"
                  "    }\n"
                  "  ],\n"
                  "  \"diagnostics\": [\n"
                  "    {\n"
                  "      \"name\": \"pending-activation\",\n"
                  "      \"severity\": \"note\",\n"
                  "      \"count\": 1,\n"
                  "      \"found\": \"an activation was still waiting when the section ended\",\n"
                  "      \"done\": \"it counts for PER and ST\",\n"
                  "      \"first\": {\n"
                  "        \"file\": \"a.xml\",\n"
                  "        \"line\": 12\n"
                  "      }\n"
                  "    }\n"
                  "  ]\n"
                  "}\n");
}
END_TEST

START_TEST (writers_are_found_by_name_and_suffix)
{
  ck_assert_str_eq (ts_writer_by_suffix ("a/b.report.CSV")->name, "csv");
  ck_assert_str_eq (ts_writer_by_suffix ("x.json")->name, "json");
  ck_assert_str_eq (ts_writer_by_suffix (".txt")->name, "text");
  ck_assert_ptr_null (ts_writer_by_suffix ("csv"));
  ck_assert_ptr_null (ts_writer_by_suffix ("a.csv.gz"));
  ck_assert_ptr_null (ts_writer_by_name ("CSV"));
  for (guint i = 0; ts_writer_get (i) != NULL; i++)
    ck_assert_ptr_eq (ts_writer_by_name (ts_writer_get (i)->name), ts_writer_get (i));
}
END_TEST

START_TEST (tables_keep_what_they_are_given)
{
  static const TsColumn columns[] = { { "a", "A" }, { "b", "B" }, { "c", "C" } };
  g_autoptr (TsTable)   table = ts_table_new ("t", "T", TS_TABLE_LIST, TS_FOR_PEOPLE, columns, 3);
  char                  text[8], number[TS_NUMBER_SIZE];

  ck_assert_uint_eq (ts_table_n_rows (table), 0);
  for (gint64 i = 0; i < 2000; i++)
    {
      g_snprintf (text, sizeof (text), "%d", (int) i / 3);
      ts_table_begin_row (table, (guint) i % 5);
      ts_table_add_text (table, text);
      if (i % 2 == 0)
        ts_table_add_integer (table, i);
      if (i % 4 == 0)
        ts_table_add_table (table, ts_table_new ("inner", NULL, TS_TABLE_VALUES, 0, columns, 1));
    }
  ck_assert_uint_eq (ts_table_n_rows (table), 2000);
  for (guint i = 0; i < 2000; i++)
    {
      g_snprintf (text, sizeof (text), "%u", i / 3);
      ck_assert_str_eq (ts_table_get_cell (table, i, 0)->text, text);
      ck_assert_uint_eq (ts_table_get_depth (table, i), i % 5);
      ck_assert_int_eq (ts_table_get_cell (table, i, 1)->type, i % 2 == 0 ? TS_CELL_INTEGER : TS_CELL_ABSENT);
      ck_assert_int_eq (ts_table_get_cell (table, i, 2)->type, i % 4 == 0 ? TS_CELL_TABLE : TS_CELL_ABSENT);
    }
  ck_assert_uint_eq (ts_cell_format (ts_table_get_cell (table, 1998, 1), (TsRational){ 1, 1 }, number), 4);
  ck_assert_str_eq (number, "1998");
}
END_TEST

START_TEST (cells_are_formatted_by_their_type)
{
  TsRational factor = { 2, 3 };
  char       text[TS_NUMBER_SIZE];

  ts_cell_format (&(TsCell){ .type = TS_CELL_TIME, .number = { 6, 1 } }, factor, text);
  ck_assert_str_eq (text, "4");
  ts_cell_format (&(TsCell){ .type = TS_CELL_NUMBER, .number = { 6, 1 } }, factor, text);
  ck_assert_str_eq (text, "6");
  ts_cell_format (&(TsCell){ .type = TS_CELL_REAL_TIME, .real = 3.75 }, factor, text);
  ck_assert_str_eq (text, "2.5");
  ts_cell_format (&(TsCell){ .type = TS_CELL_FLAG, .integer = 1 }, factor, text);
  ck_assert_str_eq (text, "true");
  ck_assert_uint_eq (ts_cell_format (&(TsCell){ .type = TS_CELL_TEXT, .text = "x" }, factor, text), 0);
  ck_assert_uint_eq (ts_cell_format (&(TsCell){ .type = TS_CELL_ABSENT }, factor, text), 0);
}
END_TEST

int
main (void)
{
  Suite   *suite = suite_create ("writers");
  TCase   *reports = tcase_create ("reports"), *pieces = tcase_create ("pieces");
  SRunner *runner = srunner_create (suite);
  int      n_failed;

  tcase_add_checked_fixture (reports, set_up, tear_down);
  tcase_add_test (reports, csv_has_a_row_per_element_and_metric);
  tcase_add_test (reports, csv_has_all_metrics_of_all_elements);
  tcase_add_test (reports, csv_counts_reads_and_writes);
  tcase_add_test (reports, csv_follows_unit_and_filters);
  tcase_add_test (reports, resources_follow_the_filters_too);
  tcase_add_test (reports, without_a_time_base_there_are_ticks);
  tcase_add_test (reports, text_is_a_summary);
  tcase_add_test (reports, no_name_drives_the_terminal);
  tcase_add_test (reports, colours_change_nothing_else);
  tcase_add_test (reports, no_line_is_wider_than_the_terminal);
  tcase_add_test (reports, json_holds_everything);
  tcase_add_test (pieces, names_are_shortened_in_the_middle);
  tcase_add_test (pieces, csv_quotes_what_needs_it);
  tcase_add_test (pieces, json_escapes_what_needs_it);
  tcase_add_test (pieces, writers_are_found_by_name_and_suffix);
  tcase_add_test (pieces, tables_keep_what_they_are_given);
  tcase_add_test (pieces, cells_are_formatted_by_their_type);
  suite_add_tcase (suite, reports);
  suite_add_tcase (suite, pieces);
  srunner_run_all (runner, CK_ENV);
  n_failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
