/* SPDX-License-Identifier: MIT */

/* What of several traces is one element, and which period it has: the same in any order of the traces. */

#include "gate-fixture.h"
#include "unit.h"

#include <string.h>

#define MAPPINGS \
  "<EventIDMappings><EventIDMapping EventID='1' EventType='start'/><EventIDMapping EventID='2' EventType='end'/>" \
  "<EventIDMapping EventID='3' EventType='preempt'/></EventIDMappings>"
#define TASK(name, id, content) "<SystemElement Name='" name "' ID='" id "' Type='task'>" content "</SystemElement>"
#define INIT(id) "<SystemElement Name='init' ID='" id "' Type='function'/>"
#define ON(core, content) "<Resource ID='" core "' Scheduler='x'>" content "</Resource>"
#define ANNOTATED(name, value) "<Annotation><Name>" name "</Name><Value>" value "</Value></Annotation>"

/* @elements, in ticks of @tick us; @runs: starts and ends of ids, "ID FROM TO" apart by commas. */
static char *
make_trace (const char *elements, guint tick, const char *runs)
{
  GString *text = g_string_new ("<?xml version='1.0'?><CommonFormat Version='1.0'><SystemConfiguration Name='S'>");
  g_auto (GStrv) parts = g_strsplit (runs, ",", -1);

  g_string_append_printf (text,
                          "%s" MAPPINGS "<TimeBase Unit='us'><Value Numerator='%u' Denominator='1'/></TimeBase>"
                          "</SystemConfiguration><TraceData Start='0' Stop='1000'>",
                          elements, tick);
  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (parts[i], " ", -1);

      ck_assert_uint_eq (g_strv_length (words), 3);
      g_string_append_printf (text,
                              "<TraceEntry Time='%s' EventID='1' ReferenceID='%s'/>"
                              "<TraceEntry Time='%s' EventID='2' ReferenceID='%s'/>",
                              words[1], words[0], words[2], words[0]);
    }
  g_string_append (text, "</TraceData></CommonFormat>");
  return g_string_free (text, FALSE);
}

/* @as_reports: each text is read and written as a JSON report before. NULL: @error says why. */
static TsReport *
pool (const char *one, const char *two, gboolean turned, gboolean as_reports, const TsOptions *options, GError **error)
{
  const char *texts[] = { turned ? two : one, turned ? one : two };
  g_autoptr (GPtrArray) traces = g_ptr_array_new_with_free_func ((GDestroyNotify) ts_trace_free);
  g_autoptr (TsOptions) none = ts_options_new ();

  for (guint i = 0; i < 2; i++)
    {
      char    *path = gate_write_text (texts[i], -1);
      TsTrace *trace;

      if (as_reports)
        {
          GateReport       report = gate_read (path, none);
          g_autofree char *json = gate_json (report.report);

          gate_free (&report);
          gate_remove (path);
          path = gate_write_text (json, -1);
        }
      trace = ts_trace_read (path, options != NULL ? options : none, NULL, NULL, NULL, NULL, NULL);
      gate_remove (path);
      ck_assert_ptr_nonnull (trace);
      g_ptr_array_add (traces, trace);
    }
  return ts_report_new (traces, options != NULL ? options : none, error);
}

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static const char *
all_cets (const TsReport *report)
{
  static GString      *text;
  const TsReportBlock *block = g_ptr_array_index (report->blocks, 0);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < block->elements->len; i++)
    {
      const TsReportElement *element = g_ptr_array_index (block->elements, i);
      const TsMetricResult  *cet = element->metrics[TS_METRIC_CET];

      if (cet->n > 0)
        g_ptr_array_add (lines, g_strdup_printf ("%s/%s on %s: %u, %d", element->parent, element->name,
                                                 element->resource, (guint) cet->n, (int) cet->sum));
    }
  g_ptr_array_sort (lines, compare_lines);
  if (text == NULL)
    text = g_string_new (NULL);
  g_string_truncate (text, 0);
  for (guint i = 0; i < lines->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "; " : "", (const char *) g_ptr_array_index (lines, i));
  return text->str;
}

static const struct
{
  const char *one, *one_runs, *two, *two_runs, *cets;
} cases[] = {
  /* the second has one of both only: 5 + 7 of TaskB, 3 of TaskA */
  { ON ("0", TASK ("TaskA", "1", INIT ("11")) TASK ("TaskB", "2", INIT ("12"))), "11 10 13,12 20 25",
    ON ("0", TASK ("TaskB", "2", INIT ("12"))), "12 20 27", "TaskA/init on 0: 1, 3; TaskB/init on 0: 2, 12" },
  /* both in another order, with other ids */
  { ON ("0", TASK ("TaskA", "1", INIT ("11")) TASK ("TaskB", "2", INIT ("12"))), "11 10 13,12 20 25",
    ON ("0", TASK ("TaskB", "1", INIT ("11")) TASK ("TaskA", "2", INIT ("12"))), "11 10 17,12 20 31",
    "TaskA/init on 0: 2, 14; TaskB/init on 0: 2, 12" },
  /* two cores in another order */
  { ON ("0", TASK ("T", "1", "")) ON ("1", TASK ("T", "2", "")), "1 10 13,2 20 25",
    ON ("1", TASK ("T", "1", "")) ON ("0", TASK ("T", "2", "")), "1 10 17,2 20 31", "/T on 0: 2, 14; /T on 1: 2, 12" },
  /* nothing but ids */
  { ON ("0", TASK ("T", "1", "") TASK ("T", "2", "")), "1 10 13,2 20 25", ON ("0", TASK ("T", "2", "")), "2 10 17",
    "/T on 0: 1, 3; /T on 0: 2, 12" },
  /* no counterpart: one of its own */
  { ON ("0", TASK ("TaskA", "1", INIT ("11")) TASK ("TaskB", "2", INIT ("12"))), "11 10 13,12 20 25",
    ON ("0", TASK ("TaskC", "1", INIT ("11"))), "11 10 17",
    "TaskA/init on 0: 1, 3; TaskB/init on 0: 1, 5; TaskC/init on 0: 1, 7" },
  /* no other of that name: one element, wherever it is declared */
  { ON ("0", TASK ("TaskA", "1", INIT ("11"))), "11 10 13", ON ("0", TASK ("TaskC", "1", INIT ("12"))), "12 10 17",
    "TaskA/init on 0: 2, 10" },
};

/* Four ways: both orders, traces and reports on them. */
START_TEST (elements_go_with_their_like)
{
  gboolean turned = _i & 1, as_reports = (_i & 2) != 0;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *one = make_trace (cases[i].one, 1, cases[i].one_runs);
      g_autofree char *two = make_trace (cases[i].two, 1, cases[i].two_runs);
      g_autoptr (TsReport) report = pool (one, two, turned, as_reports, NULL, NULL);
      const char *last = i + 1 == G_N_ELEMENTS (cases) && turned ? "TaskC/init on 0: 2, 10" : cases[i].cets;

      ck_assert_ptr_nonnull (report);
      ck_assert_str_eq (all_cets (report), last);
    }
}
END_TEST

/* Preemptions are no times: of two traces with other ticks they stay what they are, but not when they were. Two of the
 * instance from 10 us on, none from 100 us on, one from 1000 ns on; the extremes are told by the start of the instance. */
START_TEST (numbers_do_not_depend_on_the_tick)
{
  static const char one[] = "#version 2.1.5\n#timeScale us\n10,C,0,T,T,0,start\n20,C,0,T,T,0,preempt\n"
                            "30,C,0,T,T,0,resume\n40,C,0,T,T,0,preempt\n50,C,0,T,T,0,resume\n"
                            "60,C,0,T,T,0,terminate\n100,C,0,T,T,1,start\n110,C,0,T,T,1,terminate\n";
  static const char two[] = "#version 2.1.5\n#timeScale ns\n1000,C,0,T,T,0,start\n2000,C,0,T,T,0,preempt\n"
                            "3000,C,0,T,T,0,resume\n4000,C,0,T,T,0,terminate\n";
  g_autoptr (TsReport) report = pool (one, two, _i & 1, (_i & 2) != 0, NULL, NULL);
  const TsReportBlock  *block;
  const TsMetricResult *npr;

  ck_assert_ptr_nonnull (report);
  block = g_ptr_array_index (report->blocks, 0);
  ck_assert_uint_eq (block->elements->len, 1);
  npr = ((const TsReportElement *) g_ptr_array_index (block->elements, 0))->metrics[TS_METRIC_NPR];
  ck_assert_uint_eq (npr->n, 3);
  ck_assert_int_eq ((gint64) npr->sum, 3);
  ck_assert (ts_rational_compare (npr->min, ts_rational (0, 1)) == 0);
  ck_assert (ts_rational_compare (npr->max, ts_rational (2, 1)) == 0);
  ck_assert_int_eq (npr->min_where.at, 100000);
  ck_assert_int_eq (npr->max_where.at, 10000);
}
END_TEST

#define PERIODIC(annotation) ON ("0", TASK ("T", "1", annotation))

/* Starts 0, 80: DT 80; ticks of 1 us. */
static const struct
{
  const char *one, *two;
  guint       two_tick;
  const char *two_runs;
  gint64      period; /* us; 0: none is configured */
  guint       n_different;
} periods[] = {
  { ANNOTATED ("Period", "100"), ANNOTATED ("Period", "100"), 1, "1 0 5,1 80 85", 100, 0 },
  { ANNOTATED ("Period", "100"), ANNOTATED ("Period", "200"), 1, "1 0 5,1 80 85", 200, 1 },
  { ANNOTATED ("Period", "100"), ANNOTATED ("Period", "50"), 2, "1 0 5,1 80 85", 100, 0 },
  { ANNOTATED ("Period", "100"), "", 1, "1 0 5,1 80 85", 100, 1 },
  { ANNOTATED ("Period", "100"), "", 1, "1 0 5", 100, 0 }, /* no DT, no JIT */
  { ANNOTATED ("Period", "100"), ANNOTATED ("Period", "0.1 ms"), 1, "1 0 5,1 80 85", 100, 0 },
  { ANNOTATED ("Period", "100"), ANNOTATED ("Period", "-5"), 1, "1 0 5", 100, 0 },
  { ANNOTATED ("Period", "0"), "", 1, "1 0 5,1 80 85", 0, 0 },
};

START_TEST (the_period_does_not_depend_on_the_order)
{
  gboolean turned = _i & 1, as_reports = (_i & 2) != 0;

  for (guint i = 0; i < G_N_ELEMENTS (periods); i++)
    {
      g_autofree char *elements = g_strdup_printf (PERIODIC ("%s"), periods[i].one);
      g_autofree char *others = g_strdup_printf (PERIODIC ("%s"), periods[i].two);
      g_autofree char *one = make_trace (elements, 1, "1 0 5,1 80 85");
      g_autofree char *two = make_trace (others, periods[i].two_tick, periods[i].two_runs);
      g_autoptr (TsReport) report = pool (one, two, turned, as_reports, NULL, NULL);
      const TsDiagnostic    *found;
      const TsReportElement *element;
      const TsMetricResult  *jitter;

      ck_assert_ptr_nonnull (report);
      element = g_ptr_array_index (((TsReportBlock *) g_ptr_array_index (report->blocks, 0))->elements, 0);
      jitter = element->metrics[TS_METRIC_JIT];
      found = &report->diagnostics->entries[TS_DIAGNOSTIC_DIFFERENT_PERIODS];
      ck_assert_str_eq (jitter->reference, periods[i].period > 0 ? "configured" : "start");
      if (periods[i].period > 0)
        ck_assert_int_eq (ts_rational_compare (ts_rational_multiply (jitter->reference_value,
                                                                     ts_time_base_factor (&report->base, TS_UNIT_US)),
                                               ts_rational (periods[i].period, 1)),
                          0);
      ck_assert_msg (found->count == periods[i].n_different, "case %u", i);
      ck_assert (found->count == 0 || strcmp (found->detail, "T") == 0);
    }
}
END_TEST

START_TEST (a_period_in_ticks_needs_one_tick)
{
  static const struct
  {
    const char *period;
    guint       tick;
    gboolean    is_good;
  } given[] = { { "10", 1, TRUE }, { "10", 2, FALSE }, { "10us", 2, TRUE } };

  for (guint i = 0; i < G_N_ELEMENTS (given); i++)
    {
      g_autofree char *one = make_trace (PERIODIC (""), 1, "1 0 5,1 80 85");
      g_autofree char *two = make_trace (PERIODIC (""), given[i].tick, "1 0 5,1 80 85");
      g_autoptr (TsOptions) options = ts_options_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (TsReport) report = NULL;
      TsPeriodOption *period = g_new0 (TsPeriodOption, 1);

      period->name = g_strdup ("T");
      ck_assert (ts_time_text_parse (given[i].period, &period->period, NULL));
      options->periods = g_ptr_array_new ();
      g_ptr_array_add (options->periods, period);
      report = pool (one, two, FALSE, FALSE, options, &error);
      ck_assert ((report != NULL) == given[i].is_good);
      if (!given[i].is_good)
        {
          ck_assert (g_error_matches (error, TS_ERROR, TS_ERROR_USAGE));
          ck_assert_str_eq (error->message, "--period: period of `T': the traces have different ticks: "
                                            "give it with a unit of time, as ms");
        }
    }
}
END_TEST

/* The tick of the first is 1 us. None at all are the same moment for any tick. */
START_TEST (a_window_in_ticks_needs_one_tick)
{
  static const struct
  {
    const char *from, *to;
    guint       tick;
    const char *message; /* NULL: there is a report */
  } given[] = { { "10", "90", 1, NULL },
                { "0", NULL, 2, NULL },
                { "10us", "90us", 2, NULL },
                { "10", NULL, 2, "--from: a tick of " },
                { NULL, "90ticks", 3, "--to: a tick of " },
                { "10us", "90", 2, "--to: a tick of " } };

  for (guint i = 0; i < G_N_ELEMENTS (given); i++)
    {
      g_autofree char *one = make_trace (PERIODIC (""), 1, "1 0 5,1 80 85");
      g_autofree char *two = make_trace (PERIODIC (""), given[i].tick, "1 0 5,1 80 85");
      g_autofree char *tick = g_strdup_printf (" is %u us: give the time with a unit", given[i].tick);
      g_autoptr (TsOptions) options = ts_options_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (TsReport) report = NULL;

      options->has_from = given[i].from != NULL;
      options->has_to = given[i].to != NULL;
      ck_assert (!options->has_from || ts_time_text_parse (given[i].from, &options->from, NULL));
      ck_assert (!options->has_to || ts_time_text_parse (given[i].to, &options->to, NULL));
      report = pool (one, two, FALSE, FALSE, options, &error);
      ck_assert ((report != NULL) == (given[i].message == NULL));
      if (report != NULL)
        continue;
      ck_assert (g_error_matches (error, TS_ERROR, TS_ERROR_USAGE));
      ck_assert_msg (g_str_has_prefix (error->message, given[i].message), "%s", error->message);
      ck_assert_msg (strstr (error->message, " is 1 us, and one of ") != NULL, "%s", error->message);
      ck_assert_msg (strstr (error->message, tick) != NULL, "%s", error->message);
    }
}
END_TEST

START_TEST (of_no_trace_there_is_no_report)
{
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  g_autoptr (TsOptions) options = ts_options_new ();
  g_autoptr (GError) error = NULL;

  ck_assert_ptr_null (ts_report_new (none, options, &error));
  ck_assert (g_error_matches (error, TS_ERROR, TS_ERROR_USAGE));
}
END_TEST

static char *
write_as (const char *writer, const TsReport *report)
{
  const TsPrintOptions print = { .unit = TS_UNIT_FITTING };
  g_autoptr (GString)  text = g_string_new (NULL);

  ck_assert (ts_report_write (report, ts_writer_by_name (writer), &print, ts_sink_to_text (text), NULL));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static const TsMetricResult *
cet_of_first (const TsReport *report)
{
  const TsReportBlock   *all = g_ptr_array_index (report->blocks, 0);
  const TsReportElement *first = g_ptr_array_index (all->elements, 0);

  return first->metrics[TS_METRIC_CET];
}

#define RUN_BTF(unit, to) "#version 2.2.0\n#timeScale " unit "\n0,C0,0,T,A,0,start\n" to ",C0,0,T,A,0,terminate\n"

#define TIME_BASE(unit, denominator) \
  "<TimeBase Unit='" unit "'><Value Numerator='1' Denominator='" denominator "'/></TimeBase>"
#define SYSTEM(content) "<SystemConfiguration Name='S'>" content "</SystemConfiguration>"
#define RUN_ATF(base, to) \
  "<CommonFormat>" SYSTEM (ON ("C0", TASK ("A", "1", "")) MAPPINGS base) \
  "<TraceData Start='0'><TraceEntry Time='0' EventID='1' ReferenceID='1'/><TraceEntry Time='" to \
  "' EventID='2' ReferenceID='1'/></TraceData></CommonFormat>"

/* 10^12 and 10^18 to 1: 5 s and 5 of the others, and their loads. */
START_TEST (ticks_may_be_far_apart)
{
  static const struct
  {
    const char *text;
    gint64      in_a_second;
  } others[] = { { RUN_BTF ("ps", "5"), G_GINT64_CONSTANT (1000000000000) },
                 { RUN_ATF (TIME_BASE ("as", "1"), "5"), G_GINT64_CONSTANT (1000000000000000000) } };
  const TsRational five = { 5, 1 }, small = ts_rational (5, others[_i / 4].in_a_second);
  g_autoptr (TsReport) report = pool (RUN_BTF ("s", "5"), others[_i / 4].text, _i % 2 != 0, _i % 4 / 2 != 0, NULL, NULL);
  const TsReportBlock   *block;
  const TsReportElement *element;
  const TsReportResource *core;
  TsRational             second;

  ck_assert_ptr_nonnull (report);
  block = g_ptr_array_index (report->blocks, 0);
  element = g_ptr_array_index (block->elements, 0);
  core = g_ptr_array_index (block->resources, 0);
  second = ts_time_base_factor (&report->base, TS_UNIT_S);
  ck_assert_uint_eq (element->metrics[TS_METRIC_CET]->n, 2);
  ck_assert_int_eq (ts_rational_compare (ts_rational_multiply (element->metrics[TS_METRIC_CET]->max, second), five), 0);
  ck_assert_int_eq (ts_rational_compare (ts_rational_multiply (element->metrics[TS_METRIC_CET]->min, second), small), 0);
  ck_assert_int_eq (ts_rational_compare (core->load.mean, (TsRational){ 1, 1 }), 0);
}
END_TEST

/* 10 s are 10^19 as, which is more than 64 bits hold; 1/3 as is in no second of 2^61 of such units. Nobody knows how
 * many seconds a tick of the last is. */
START_TEST (what_cannot_be_pooled_is_told)
{
  static const struct
  {
    const char *text, *message[2]; /* as the second trace, as the first */
  } others[] = {
    { RUN_ATF (TIME_BASE ("as", "1"), "5"), { "times are too large", "times are too large" } },
    { RUN_ATF (TIME_BASE ("as", "3"), "5"),
      { "divides its tick", "divides its tick" } },
    { RUN_ATF ("", "5"), { "does not say how long a tick is", "are in seconds" } },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (TsReport) report = pool (RUN_BTF ("s", "10"), others[_i / 2].text, _i % 2 != 0, FALSE, NULL, &error);

  ck_assert_ptr_null (report);
  ck_assert_msg (strstr (error->message, others[_i / 2].message[_i % 2]) != NULL, "%s", error->message);
  ck_assert (g_str_has_suffix (error->message, ": report them one by one"));
}
END_TEST

START_TEST (results_that_are_left_out_are_written_all_the_same)
{
  static const char *const writers[] = { "text", "csv", "json" };
  const GateTrace      trace = { .unit = "us", .annotations = _i == 1 ? ANNOTATED ("PER", "150") : NULL };
  char                *path = gate_write (&trace);
  g_autoptr (TsOptions) options = ts_options_new ();
  GateReport           kept = gate_read (path, options), left_out;

  options->no_results = TRUE;
  left_out = gate_read (path, options);
  ck_assert_uint_eq (cet_of_first (kept.report)->n, 3);
  ck_assert_uint_eq (cet_of_first (left_out.report)->n, 0);
  for (guint i = 0; i < G_N_ELEMENTS (writers); i++)
    {
      g_autofree char *one = write_as (writers[i], kept.report);
      g_autofree char *other = write_as (writers[i], left_out.report);

      ck_assert_str_eq (one, other);
      /* CET: 20 to 40 us in three instances */
      if (i == 1)
        ck_assert_ptr_nonnull (strstr (other, ",T,1,task,CET,ns,3,20000,30000,40000,"));
    }
  gate_free (&kept);
  gate_free (&left_out);
  gate_remove (path);
}
END_TEST

/* T is activated at 0, 100, 200, starts at 10, 105, 220 and ends at 30, 135, 260 us: IPT 10, 5, 20, RT 30, 35, 60. Of
 * neither a deviation is known, and a place of the greatest RT only. */
START_TEST (what_was_not_measured_is_not_written)
{
  static const char *const rows[] = { ",T,1,task,IPT,ns,3,5000,11666.6666666667,20000,,,,,,5,20,35,,\n",
                                      ",T,1,task,RT,ns,3,30000,41666.6666666667,60000,,,220000,,3,30,60,125,,\n" };
  static const char *const members[] = { "\"stddev\"", "\"min_instance\"", "\"squares\"" };
  const GateTrace trace = { .unit = "us" };
  g_autoptr (TsOptions) options = ts_options_new ();
  TsPrintOptions  print = { .unit = TS_UNIT_FITTING, .metrics = 1u << TS_METRIC_IPT };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *csv = NULL, *json = NULL;
  GateReport      report;

  options->no_samples = options->no_details = TRUE;
  report = gate_read_trace (&trace, options);
  csv = write_as ("csv", report.report);
  json = write_as ("json", report.report);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    ck_assert_msg (strstr (csv, rows[i]) != NULL, "%s", csv);
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    ck_assert_msg (strstr (json, members[i]) == NULL, "%s", members[i]);
  /* one metric has a column for the deviation */
  ck_assert (ts_report_write (report.report, ts_writer_by_name ("text"), &print, ts_sink_to_text (text), NULL));
  ck_assert_msg (strstr (text->str, "   20       -\n") != NULL, "%s", text->str);
  gate_free (&report);
}
END_TEST

/* One task on few resources or many, r000, r001, ..., in some order, twice. */
START_TEST (what_ran_on_many_resources_names_each_once)
{
  static const guint numbers[] = { 1, 2, 8, 9, 16, 17, 64, 65, 250 };
  const guint        n = numbers[_i % G_N_ELEMENTS (numbers)];
  g_autoptr (GString)   text = g_string_new ("TU MICROSECONDS\n"), names = g_string_new (NULL);
  g_autoptr (TsOptions) options = ts_options_new ();
  g_autoptr (TsReport)  report = NULL;
  const TsReportBlock  *block;

  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (text, "R %u 1 false ; name=r%03u\n", i, i);
      g_string_append_printf (names, "%sr%03u", i > 0 ? "+" : "", i);
    }
  /* 37 has no divisor in common with any of them */
  for (guint i = 0; i < 2 * n; i++)
    g_string_append_printf (text, "C %u %u %u %u 1 ; name=T\n", i, i, i + 1, 37 * i % n);
  report = pool (text->str, text->str, FALSE, (guint) _i >= G_N_ELEMENTS (numbers), options, NULL);
  ck_assert_ptr_nonnull (report);
  block = g_ptr_array_index (report->blocks, 0);
  ck_assert_str_eq (((TsReportElement *) g_ptr_array_index (block->elements, 0))->resource, names->str);
}
END_TEST

/* Under which resource it is declared is said where all traces say the same. */
START_TEST (where_an_element_is_declared_is_said_where_all_agree)
{
  static const struct
  {
    const char *elements, *declared_on;
  } others[] = { { ON ("A", TASK ("T", "1", "")) ON ("B", ""), "A" }, { ON ("A", "") ON ("B", TASK ("T", "1", "")), NULL } };
  g_autofree char     *one = make_trace (others[0].elements, 1, "1 0 5");
  g_autofree char     *two = make_trace (others[_i / 4].elements, 1, "1 0 5");
  g_autoptr (TsReport) report = pool (one, two, _i % 4 / 2, _i % 2, NULL, NULL);
  const TsReportBlock *block;

  ck_assert_ptr_nonnull (report);
  block = g_ptr_array_index (report->blocks, 0);
  ck_assert_uint_eq (block->elements->len, 1);
  ck_assert_pstr_eq (((TsReportElement *) g_ptr_array_index (block->elements, 0))->declared_on, others[_i / 4].declared_on);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("pool");
  TCase *tests = tcase_create ("pool");

  tcase_add_loop_test (tests, elements_go_with_their_like, 0, 4);
  tcase_add_loop_test (tests, numbers_do_not_depend_on_the_tick, 0, 4);
  tcase_add_loop_test (tests, the_period_does_not_depend_on_the_order, 0, 4);
  tcase_add_test (tests, a_period_in_ticks_needs_one_tick);
  tcase_add_test (tests, a_window_in_ticks_needs_one_tick);
  tcase_add_test (tests, of_no_trace_there_is_no_report);
  tcase_add_loop_test (tests, ticks_may_be_far_apart, 0, 8);
  tcase_add_loop_test (tests, what_cannot_be_pooled_is_told, 0, 6);
  tcase_add_loop_test (tests, results_that_are_left_out_are_written_all_the_same, 0, 2);
  tcase_add_test (tests, what_was_not_measured_is_not_written);
  tcase_add_loop_test (tests, what_ran_on_many_resources_names_each_once, 0, 18);
  tcase_add_loop_test (tests, where_an_element_is_declared_is_said_where_all_agree, 0, 8);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
