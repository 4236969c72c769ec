/* SPDX-License-Identifier: MIT */

/* What a program that uses the library may do with it, and does wrong now and then. */

#include "gate-fixture.h"
#include "unit.h"

#include <string.h>

static const GateTrace plain = { .unit = "us" };

/* T has three CET in each of two traces. */
START_TEST (a_trace_is_reported_once)
{
  g_autoptr (TsOptions) options = ts_options_new ();
  g_autoptr (GPtrArray) once = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_trace_free);
  g_autoptr (GPtrArray) twice = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TsReport) first = NULL;
  char *path = gate_write (&plain);

  g_ptr_array_add (once, ts_trace_read (path, options, NULL, NULL, NULL, NULL, NULL));
  ck_assert_ptr_nonnull (g_ptr_array_index (once, 0));
  g_ptr_array_add (twice, g_ptr_array_index (once, 0));
  g_ptr_array_add (twice, g_ptr_array_index (once, 0));
  /* twice in one report: that is refused, and the trace is as it was */
  ck_assert_ptr_null (ts_report_new (twice, options, &error));
  ck_assert (g_error_matches (error, TS_ERROR, TS_ERROR_USAGE));
  ck_assert (g_str_has_prefix (error->message, path));
  g_clear_error (&error);
  first = ts_report_new (once, options, &error);
  ck_assert_msg (first != NULL, "%s", error != NULL ? error->message : "");
  ck_assert_uint_eq (((const TsReportElement *) g_ptr_array_index (((const TsReportBlock *) g_ptr_array_index (first->blocks, 0))->elements, 0))
                         ->metrics[TS_METRIC_CET]->n,
                     3);
  ck_assert_ptr_null (ts_report_new (once, options, &error));
  ck_assert (g_error_matches (error, TS_ERROR, TS_ERROR_USAGE));
  gate_remove (path);
}
END_TEST

/* What cannot be understood, each by itself. */
static void
set_group (TsOptions *options)
{
  options->group = g_strdup ("colour");
}

static void
set_unit (TsOptions *options)
{
  options->time_unit = g_strdup ("fortnight");
}

static void
set_format (TsOptions *options)
{
  options->input_format = g_strdup ("nothing");
}

static void
set_activation (TsOptions *options)
{
  options->activation = g_strdup ("now");
}

static void
set_from (TsOptions *options)
{
  options->has_from = TRUE; /* and no time */
}

static void
set_to (TsOptions *options)
{
  options->has_to = TRUE;
}

static void
set_period (TsOptions *options)
{
  TsPeriodOption *period = g_new0 (TsPeriodOption, 1);

  period->name = g_strdup ("T");
  options->periods = g_ptr_array_new ();
  g_ptr_array_add (options->periods, period);
}

static void
set_percentiles (TsOptions *options, guint64 first, guint64 second)
{
  options->percentiles = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_array_append_val (options->percentiles, first);
  g_array_append_val (options->percentiles, second);
}

static void
set_no_percentile (TsOptions *options)
{
  set_percentiles (options, 50000000, 0);
}

static void
set_large_percentile (TsOptions *options)
{
  set_percentiles (options, 100000000, 100000001);
}

static void
set_equal_percentiles (TsOptions *options)
{
  set_percentiles (options, 50000000, 50000000);
}

static const struct
{
  void (*set) (TsOptions *options);
  const char *message;
} refused[] = {
  { set_group, "--group colour: kind" },
  { set_unit, "--time-unit fortnight: s" },
  { set_format, "`nothing' is not an input format" },
  { set_activation, "now" },
  { set_from, "the analysis window is no time" },
  { set_to, "the analysis window is no time" },
  { set_period, "the period of `T' is not above 0" },
  { set_no_percentile, "a percentile is above 0 and up to 100" },
  { set_large_percentile, "a percentile is above 0 and up to 100" },
  { set_equal_percentiles, "a percentile is there twice" },
};

START_TEST (options_are_understood_before_anything_is_read)
{
  g_autoptr (TsOptions) options = ts_options_new ();
  g_autoptr (GError) error = NULL;
  char *path = gate_write (&plain);

  ck_assert (ts_options_check (options, &error));
  refused[_i].set (options);
  ck_assert (!ts_options_check (options, &error));
  ck_assert (g_error_matches (error, TS_ERROR, TS_ERROR_USAGE));
  ck_assert_msg (strstr (error->message, refused[_i].message) != NULL, "%s", error->message);
  g_clear_error (&error);
  ck_assert_ptr_null (ts_trace_read (path, options, NULL, NULL, NULL, NULL, &error));
  ck_assert_msg (error != NULL && strstr (error->message, refused[_i].message) != NULL, "%s",
                 error != NULL ? error->message : "");
  gate_remove (path);
}
END_TEST

START_TEST (percentiles_at_both_ends_are_understood)
{
  g_autoptr (TsOptions) options = ts_options_new ();

  set_percentiles (options, 1, 100000000);
  ck_assert (ts_options_check (options, NULL));
}
END_TEST

/* N never ran. With results, and with those that are left out. */
START_TEST (what_has_no_samples_can_be_printed)
{
  g_autoptr (TsOptions) options = ts_options_new ();
  GateReport           report;
  const TsReportBlock *block;

  options->no_results = _i == 1;
  report = gate_read_trace (&plain, options);
  block = g_ptr_array_index (report.report->blocks, 0);
  for (guint i = 0; i < block->elements->len; i++)
    for (guint metric = 0; metric < TS_N_METRICS; metric++)
      {
        const TsReportElement *element = g_ptr_array_index (block->elements, i);
        const TsMetricResult  *result = element->metrics[metric];
        char                   text[TS_NUMBER_SIZE];

        if (result->n > 0)
          continue;
        ts_rational_format (result->min, text);
        ck_assert_str_eq (text, "0");
        ts_rational_format (result->mean, text);
        ck_assert_str_eq (text, "0");
        ts_rational_format (result->max, text);
        ck_assert_str_eq (text, "0");
        /* of JIT it may be there without a sample */
        ts_rational_format (result->reference_value, text);
        ck_assert (result->reference != NULL || strcmp (text, "0") == 0);
      }
  gate_free (&report);
}
END_TEST

static gboolean
refuse (G_GNUC_UNUSED gpointer data, G_GNUC_UNUSED const char *bytes, G_GNUC_UNUSED gsize length,
        G_GNUC_UNUSED GError **error)
{
  return FALSE;
}

START_TEST (a_sink_that_fails_silently_has_failed)
{
  static const char *const writers[] = { "text", "csv", "json" };
  GateReport     report = gate_read_trace (&plain, NULL);
  TsPrintOptions print = { .unit = TS_UNIT_FITTING };
  g_autoptr (GError) error = NULL;

  ck_assert (!ts_report_write (report.report, ts_writer_by_name (writers[_i]), &print, (TsSink){ refuse, NULL }, &error));
  ck_assert (g_error_matches (error, TS_ERROR, TS_ERROR_OUTPUT));
  ck_assert (!ts_report_write (report.report, ts_writer_by_name (writers[_i]), &print, (TsSink){ refuse, NULL }, NULL));
  gate_free (&report);
}
END_TEST

/* T has CET and no POLL, I has no RT. */
START_TEST (whether_there_are_samples_can_be_asked)
{
  GateReport     report = gate_read_trace (&plain, NULL);
  TsPrintOptions all = { .unit = TS_UNIT_FITTING }, isrs = { .types = 1u << TS_TYPE_ISR };

  ck_assert (ts_report_has_samples (report.report, &all, TS_METRIC_CET));
  ck_assert (ts_report_has_samples (report.report, &all, TS_METRIC_RT));
  ck_assert (!ts_report_has_samples (report.report, &all, TS_METRIC_POLL));
  ck_assert (ts_report_has_samples (report.report, &isrs, TS_METRIC_CET));
  ck_assert (!ts_report_has_samples (report.report, &isrs, TS_METRIC_RT));
  gate_free (&report);
}
END_TEST

static const TsTable *
table_named (const GPtrArray *tables, const char *name)
{
  for (guint i = 0; i < tables->len; i++)
    if (g_strcmp0 (ts_table_get_name (g_ptr_array_index (tables, i)), name) == 0)
      return g_ptr_array_index (tables, i);
  return NULL;
}

/* Those of CSV and of JSON. */
START_TEST (a_program_may_have_all_tables)
{
  GateReport     report = gate_read_trace (&plain, NULL);
  g_autoptr (GPtrArray) of_t = g_ptr_array_new ();
  TsPrintOptions print = { .unit = TS_UNIT_TICKS, .metrics = 1u << TS_METRIC_CET, .elements = of_t };
  GPtrArray     *tables;
  const TsTable *metrics;
  gboolean       found = FALSE;

  g_ptr_array_add (of_t, (char *) "T");
  tables = ts_report_tables (report.report, &print);
  metrics = table_named (tables, "metrics");
  ck_assert_ptr_nonnull (metrics);
  ck_assert_ptr_nonnull (table_named (tables, "elements"));
  ck_assert_uint_eq (ts_table_n_rows (metrics), 1);
  for (guint i = 0; i < ts_table_n_columns (metrics); i++)
    if (strcmp (ts_table_get_column (metrics, i)->name, "n") == 0)
      {
        ck_assert_int_eq (ts_table_get_cell (metrics, 0, i)->integer, 3);
        found = TRUE;
      }
  ck_assert (found);
  g_ptr_array_unref (tables);
  gate_free (&report);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("library");
  TCase *tests = tcase_create ("library");

  tcase_add_test (tests, a_trace_is_reported_once);
  tcase_add_loop_test (tests, options_are_understood_before_anything_is_read, 0, (int) G_N_ELEMENTS (refused));
  tcase_add_test (tests, percentiles_at_both_ends_are_understood);
  tcase_add_loop_test (tests, what_has_no_samples_can_be_printed, 0, 2);
  tcase_add_loop_test (tests, a_sink_that_fails_silently_has_failed, 0, 3);
  tcase_add_test (tests, whether_there_are_samples_can_be_asked);
  tcase_add_test (tests, a_program_may_have_all_tables);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
