/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include <tracestat/tracestat.h>

#include "unit.h"

/* The tables that traces bring themselves, on their way into every report. Two traces with different units: times
 * are brought to one base. */

static char *folder;

static void
set_up (void)
{
  static const char *const texts[] = {
    "TU MILLISECONDS\nR 0 2 false ; name=cpu\nC 0 0 3 0 1 ; name=A, id=1\nE 0 4 ; name=x, id=2\n",
    "TU MICROSECONDS\nR 0 1 false ; name=cpu\nC 0 0.5 1 0 1 ; name=A, id=1\n",
  };
  static const char *const names[] = { "a.etf", "b.etf" };

  folder = g_dir_make_tmp ("tracestat-XXXXXX", NULL);
  ck_assert_ptr_nonnull (folder);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);

      ck_assert (g_file_set_contents (path, texts[i], -1, NULL));
    }
  ck_assert_int_eq (g_chdir (folder), 0);
}

static void
tear_down (void)
{
  ck_assert_int_eq (g_chdir ("/"), 0);
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *path = g_build_filename (folder, i == 0 ? "a.etf" : "b.etf", NULL);

      g_remove (path);
    }
  g_rmdir (folder);
  g_clear_pointer (&folder, g_free);
}

/* NULL: it failed, and *error says why. */
static char *
write_report (const char *writer, guint n_traces, const TsPrintOptions *print, GError **error)
{
  static const char *const names[] = { "a.etf", "b.etf" };
  g_autoptr (TsOptions) options = ts_options_new ();
  g_autoptr (GPtrArray) traces = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_trace_free);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (TsReport) report = NULL;

  options->object_key = g_strdup ("id");
  for (guint i = 0; i < n_traces; i++)
    {
      TsTrace *trace = ts_trace_read (names[i], options, NULL, NULL, NULL, NULL, error);

      ck_assert_ptr_nonnull (trace);
      g_ptr_array_add (traces, trace);
    }
  report = ts_report_new (traces, options, error);
  ck_assert_ptr_nonnull (report);
  if (!ts_report_write (report, ts_writer_by_name (writer), print, ts_sink_to_text (text), error))
    return NULL;
  return g_string_free (g_steal_pointer (&text), FALSE);
}

START_TEST (csv_has_the_table_that_is_asked_for)
{
  TsPrintOptions   print = { .unit = TS_UNIT_NS, .table = "usage" };
  g_autofree char *usage = write_report ("csv", 2, &print, NULL);
  g_autofree char *metrics = NULL;

  /* a: 3 of 4 ms, 1 of 2 cores; b: all of 0.5 us */
  ck_assert_str_eq (usage,
                    "input,unit,resource,id,capacity,amount_unit,claims,busy,load,most_claims,amount_mean,amount_max,"
                    "share_mean,share_max,window\n"
                    "a.etf,ns,cpu,0,2,,1,3000000,0.75,1,0.75,1,0.375,0.5,4000000\n"
                    "b.etf,ns,cpu,0,1,,1,500,1,1,1,1,1,1,500\n");
  print.table = NULL;
  metrics = write_report ("csv", 2, &print, NULL);
  ck_assert (g_str_has_prefix (metrics, "input,section,resource,"));
}
END_TEST

START_TEST (an_unknown_table_is_an_error_that_lists_the_others)
{
  TsPrintOptions print = { .unit = TS_UNIT_NS, .table = "use" };
  g_autoptr (GError) error = NULL;

  ck_assert_ptr_null (write_report ("csv", 1, &print, &error));
  ck_assert_str_eq (error->message,
                    "there is no table `use'; this report has metrics, usage, concurrency, throughput, objects");
  ck_assert_int_eq (error->code, TS_ERROR_USAGE);
}
END_TEST

START_TEST (json_has_them_in_the_inputs)
{
  TsPrintOptions   print = { .unit = TS_UNIT_US };
  g_autofree char *text = write_report ("json", 2, &print, NULL);
  const char      *first = strstr (text, "\"tables\": {"), *second;

  ck_assert_ptr_nonnull (first);
  second = strstr (first + 1, "\"tables\": {");
  ck_assert_ptr_nonnull (second);
  ck_assert_ptr_null (strstr (second + 1, "\"tables\": {"));
  ck_assert_ptr_nonnull (strstr (first, "\"busy\": 3000,"));
  ck_assert_ptr_nonnull (strstr (second, "\"busy\": 0.5,"));
  ck_assert_ptr_nonnull (strstr (second, "\"latency_mean\": 0.5,"));
}
END_TEST

START_TEST (text_has_a_block_for_each)
{
  TsPrintOptions   print = { .unit = TS_UNIT_FITTING };
  g_autofree char *one = write_report ("text", 1, &print, NULL);
  g_autofree char *two = write_report ("text", 2, &print, NULL);
  g_autofree char *by_name = NULL;

  ck_assert_ptr_nonnull (strstr (one, "\nUse of resources\n"));
  ck_assert_ptr_nonnull (strstr (two, "\na.etf: Use of resources\n"));
  ck_assert_ptr_nonnull (strstr (two, "\nb.etf: Flow of objects\n"));
  /* whoever asks for a metric by name gets that */
  print.metrics = 1u << TS_METRIC_LOAD;
  by_name = write_report ("text", 1, &print, NULL);
  ck_assert_ptr_null (strstr (by_name, "Use of resources"));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("tables of traces");
  TCase *test_case = tcase_create ("tables");

  tcase_add_checked_fixture (test_case, set_up, tear_down);
  tcase_add_test (test_case, csv_has_the_table_that_is_asked_for);
  tcase_add_test (test_case, an_unknown_table_is_an_error_that_lists_the_others);
  tcase_add_test (test_case, json_has_them_in_the_inputs);
  tcase_add_test (test_case, text_has_a_block_for_each);
  suite_add_tcase (suite, test_case);
  return unit_run (suite);
}
