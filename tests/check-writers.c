/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "report/writers.h"
#include "writers-fixture.h"
#include "unit.h"

#define CSV_HEADER \
  "input,section,resource,parent,element,id,type,metric,unit,n,min,mean,max,stddev,p50,p99.9,min_at,max_at," \
  "min_instance,max_instance,min_ticks,max_ticks,sum_ticks,reference,reference_value\n"

START_TEST (csv_has_a_row_per_element_and_metric)
{
  writers_options.metrics = 1u << TS_METRIC_CET | 1u << TS_METRIC_JIT | 1u << TS_METRIC_LOAD;
  writers_assert (
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
  g_autofree char *text = writers_write ("csv");
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
  g_autofree char *text = writers_write ("csv");
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
  writers_options.metrics = 1u << TS_METRIC_CET;
  writers_options.unit = TS_UNIT_MS;
  writers_options.elements = g_ptr_array_new ();
  g_ptr_array_add (writers_options.elements, (gpointer) "G*");
  writers_assert ("csv", CSV_HEADER "a.xml,,core,,Guru,7,task,CET,ms,4,0.096,0.269,0.778,0.293,0.1,0.778,0.2,4.99,1,2,"
                                    "48,389,538,,\n");
  writers_options.types = 1u << TS_TYPE_ISR;
  writers_assert ("csv", CSV_HEADER);
}
END_TEST

START_TEST (resources_follow_the_filters_too)
{
  static const char row[] = "a.xml,,core,,core,0,resource,LOAD,ratio,1,0.0275631565240038,0.0275631565240038,"
                            "0.0275631565240038,,,,,,,,,,635,,46076000\n";
  g_autofree char *shown = g_strconcat (CSV_HEADER, row, NULL);

  writers_options.metrics = 1u << TS_METRIC_LOAD;
  writers_assert ("csv", shown);
  writers_options.elements = g_ptr_array_new ();
  g_ptr_array_add (writers_options.elements, (gpointer) "cor?");
  writers_assert ("csv", shown);
  g_ptr_array_index (writers_options.elements, 0) = (gpointer) "x*";
  writers_assert ("csv", CSV_HEADER);
  g_ptr_array_set_size (writers_options.elements, 0);
  writers_options.types = 1u << TS_TYPE_TASK;
  writers_assert ("csv", CSV_HEADER);
}
END_TEST

START_TEST (without_a_time_base_there_are_ticks)
{
  writers_report.base = ts_time_base_ticks ();
  writers_options.metrics = 1u << TS_METRIC_RT;
  writers_options.types = 1u << TS_TYPE_TASK;
  writers_assert ("csv", CSV_HEADER "a.xml,,core,,Guru,7,task,RT,ticks,3,143,277,544,0,144,544,100,2495,1,2,"
                                    "143,544,831,,\n");
  writers_assert ("text", "a.xml\n"
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
                          "No defects, no warnings, no notes.\n");
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
  writers_options.metrics = 1u << TS_METRIC_CET | 1u << TS_METRIC_LOAD;
  writers_options.elements = g_ptr_array_new ();
  g_ptr_array_add (writers_options.elements, (gpointer) "Guru");
  g_ptr_array_add (writers_options.elements, (gpointer) "core");
  ts_diagnostics_add (writers_report.diagnostics, TS_DIAGNOSTIC_PENDING, 12, NULL);
  writers_assert ("json",
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
                  "        \"writes\": 0,\n"
                  "        \"defects\": 0\n"
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

int
main (void)
{
  Suite *suite = suite_create ("writers");
  TCase *reports = tcase_create ("reports"), *pieces = tcase_create ("pieces");

  tcase_add_checked_fixture (reports, writers_set_up, writers_tear_down);
  tcase_add_test (reports, csv_has_a_row_per_element_and_metric);
  tcase_add_test (reports, csv_has_all_metrics_of_all_elements);
  tcase_add_test (reports, csv_counts_reads_and_writes);
  tcase_add_test (reports, csv_follows_unit_and_filters);
  tcase_add_test (reports, resources_follow_the_filters_too);
  tcase_add_test (reports, without_a_time_base_there_are_ticks);
  tcase_add_test (reports, json_holds_everything);
  tcase_add_test (pieces, csv_quotes_what_needs_it);
  tcase_add_test (pieces, json_escapes_what_needs_it);
  tcase_add_test (pieces, writers_are_found_by_name_and_suffix);
  suite_add_tcase (suite, reports);
  suite_add_tcase (suite, pieces);
  return unit_run (suite);
}
