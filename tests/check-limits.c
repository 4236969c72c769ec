/* SPDX-License-Identifier: MIT */

/* Limits, rule by rule, held against the trace of gate-fixture.h. */

#include "gate-fixture.h"
#include "unit.h"

#include <string.h>

static GateReport report;

static const GateTrace plain = { .unit = "us" };

static void
set_up (void)
{
  report = gate_read_trace (&plain, NULL);
}

static void
tear_down (void)
{
  gate_free (&report);
}

static TsLimits *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  TsLimits *limits = ts_limits_new ();

  if (!ts_limits_parse (limits, "l.ini", text, strlen (text), &error))
    ck_abort_msg ("%s: %s", text, error->message);
  return limits;
}

static TsCheck *
hold (TsLimits *limits)
{
  g_autoptr (GError) error = NULL;
  TsCheckOptions options = { 0 };
  TsCheck *check = ts_check_new (report.report, limits, NULL, &options, &error);

  ck_assert_msg (check != NULL, "%s", error != NULL ? error->message : "");
  return check;
}

/* One limit, one verdict: at the bound and beyond it. */
static const struct
{
  const char     *text;
  TsVerdictResult result;
} bounds[] = {
  { "[T]\nCET.max = 40 us", TS_VERDICT_HOLDS },
  { "[T]\nCET.max = 40us", TS_VERDICT_HOLDS },
  { "[T]\nCET.max = 0.04 ms", TS_VERDICT_HOLDS },
  { "[T]\nCET.max = 40 ticks", TS_VERDICT_HOLDS },
  { "[T]\nCET.max = 39 us", TS_VERDICT_VIOLATED },
  { "[T]\nCET.max = 39.999999999999 us", TS_VERDICT_VIOLATED },
  { "[T]\nCET.max = 39999999999999 as", TS_VERDICT_VIOLATED },
  { "[T]\nCET.max = 40000000000000 as", TS_VERDICT_HOLDS },
  { "[T]\nCETmax = 40 us", TS_VERDICT_HOLDS },
  { "[T]\nCET_max = 39 us", TS_VERDICT_VIOLATED },
  { "[T]\nCET_{max} = 39 us", TS_VERDICT_VIOLATED },
  { "[T]\ncet.MAX = 40 us", TS_VERDICT_HOLDS },
  { "[T]\nCET.min = 20 us", TS_VERDICT_HOLDS },
  { "[T]\nCET.min = 21 us", TS_VERDICT_VIOLATED },
  { "[T]\nCET.min = <= 20 us", TS_VERDICT_HOLDS },
  { "[T]\nCET.min = <=19 us", TS_VERDICT_VIOLATED },
  { "[T]\nCET.max = >= 40 us", TS_VERDICT_HOLDS },
  { "[T]\nCET.max = >= 41 us", TS_VERDICT_VIOLATED },
  { "[T]\nCET.mean = 30 us", TS_VERDICT_HOLDS },
  { "[T]\nCET.av = 29.999 us", TS_VERDICT_VIOLATED },
  { "[T]\nRT.mean = 41.6666666666666667 us", TS_VERDICT_HOLDS },   /* 125/3 */
  { "[T]\nRT.mean = 41.6666666666666666 us", TS_VERDICT_VIOLATED },
  { "[T]\nRT.max = 60 us", TS_VERDICT_HOLDS },
  { "[T]\nIPT.max = 19 us", TS_VERDICT_VIOLATED },
  { "[T]\nCET.p50 = 30 us", TS_VERDICT_HOLDS },
  { "[T]\nCET.p50 = 29 us", TS_VERDICT_VIOLATED },
  { "[T]\nCET.p99.9 = 40 us", TS_VERDICT_HOLDS },
  { "[T]\nCETp33 = 20 us", TS_VERDICT_HOLDS },    /* rank 1 of 3 */
  { "[T]\nCET.p34 = 20 us", TS_VERDICT_VIOLATED }, /* rank 2 */
  { "[T]\nCET.stddev = 8.1649658092772603 us", TS_VERDICT_VIOLATED }, /* sqrt (200/3) = ...26032 */
  { "[T]\nCET.stddev = 8.1649658092772604 us", TS_VERDICT_HOLDS },
  { "[I]\nCET.stddev = 1.5 us", TS_VERDICT_HOLDS },
  { "[I]\nCET.stddev = 1.49999999999 us", TS_VERDICT_VIOLATED },
  { "[I]\nCET.stddev = -2 us", TS_VERDICT_VIOLATED },
  { "[T]\nJIT.max = 5 %", TS_VERDICT_HOLDS },
  { "[T]\nJIT.max = 4.9 %", TS_VERDICT_VIOLATED },
  { "[T]\nJIT.min = -15 %", TS_VERDICT_HOLDS },
  { "[T]\nJIT.min = -14.99 %", TS_VERDICT_VIOLATED },
  { "[T]\nJIT.absmax = 15%", TS_VERDICT_HOLDS },
  { "[T]\nJIT.absmax = 14.9 %", TS_VERDICT_VIOLATED },
  { "[T]\nJIT.p50 = -15 %", TS_VERDICT_HOLDS }, /* rank 1 of -15, 5 */
  { "[T]\nST.min = 65 us", TS_VERDICT_HOLDS },
  { "[T]\nST.min = 65.001 us", TS_VERDICT_VIOLATED },
  { "[T]\nNPR.max = 0", TS_VERDICT_HOLDS },
  { "[T]\nCET.n = 3", TS_VERDICT_HOLDS },
  { "[T]\nCET.n = 2", TS_VERDICT_VIOLATED },
  { "[T]\nCET.n = >= 4", TS_VERDICT_VIOLATED },
  { "[N]\nCET.n = 0", TS_VERDICT_HOLDS },
  { "[N]\nCET.n = 5", TS_VERDICT_NO_SAMPLES },
  { "[N]\nCET.n = 5\noptional = true", TS_VERDICT_SKIPPED },
  { "[N]\nCET.n = >= 0", TS_VERDICT_HOLDS },
  { "[N]\nCET.n = >= 1", TS_VERDICT_VIOLATED },
  { "[N]\nCET.n = >= 1\noptional = true", TS_VERDICT_VIOLATED },
  { "[N]\nCET.max = 1 s", TS_VERDICT_NO_SAMPLES },
  { "[N]\nCET.max = 1 s\noptional = true", TS_VERDICT_SKIPPED },
  { "[N]\nCET.max = 1 s\noptional = false", TS_VERDICT_NO_SAMPLES },
  { "[I]\nRT.max = 1 s", TS_VERDICT_NO_SAMPLES },
  { "[resource:0]\nLOAD = 10.3 %", TS_VERDICT_HOLDS },
  { "[resource:*]\nLOAD.max = 10.29999 %", TS_VERDICT_VIOLATED },
  { "[resource:0]\nLOAD.min = 10.3 %", TS_VERDICT_HOLDS },
  { "[resource:0]\nLOAD.mean = 10.3 %", TS_VERDICT_HOLDS },
  { "[resource:0]\nLOAD.av = 10.29999 %", TS_VERDICT_VIOLATED },
  { "[resource:1]\nLOAD = 100 %", TS_VERDICT_NO_MATCH },
  { "[X]\nCET.max = 1 s", TS_VERDICT_NO_MATCH },
  { "[X]\nCET.max = 1 s\noptional = true", TS_VERDICT_NO_MATCH },
  { "[t]\nCET.max = 1 s", TS_VERDICT_NO_MATCH },
  { "[task:I]\nCET.max = 1 s", TS_VERDICT_NO_MATCH },
  { "[isr:*]\nCET.max = 8 us", TS_VERDICT_HOLDS },
  { "[ISR:I]\nCET.max = 7 us", TS_VERDICT_VIOLATED },
  { "[any:T]\nCET.max = 40 us", TS_VERDICT_HOLDS },
  { "\xef\xbb\xbf# comment\r\n\r\n  [T]  \r\n\tCET.max=40 us\r\n", TS_VERDICT_HOLDS },
};

START_TEST (a_bound_passes_and_beyond_it_nothing)
{
  g_autoptr (TsLimits) limits = parse (bounds[_i].text);
  g_autoptr (TsCheck) check = hold (limits);
  const TsVerdict *verdict = ts_check_get_verdict (check, 0);

  ck_assert_uint_eq (ts_check_n_verdicts (check), 1);
  ck_assert_msg (verdict->result == bounds[_i].result, "%s: %s", bounds[_i].text,
                 ts_verdict_result_name (verdict->result));
  ck_assert_int_eq (ts_check_passed (check), bounds[_i].result < TS_VERDICT_VIOLATED);
}
END_TEST

START_TEST (a_violation_says_where_and_by_how_much)
{
  g_autoptr (TsLimits) limits = parse ("\n[T]\n\nRT.max = 48 us\n");
  g_autoptr (TsCheck) check = hold (limits);
  const TsVerdict *verdict = ts_check_get_verdict (check, 0);

  ck_assert_str_eq (verdict->element, "T");
  ck_assert_str_eq (verdict->source, "l.ini:4");
  ck_assert_str_eq (verdict->section, "[T]");
  ck_assert (verdict->has_margin && verdict->has_place);
  /* (48 - 60) / 48 = -1/4; the third instance started at 220 */
  ck_assert_int_eq (ts_rational_compare (verdict->margin, ts_rational (-1, 4)), 0);
  ck_assert_int_eq (verdict->place.at, 220);
  ck_assert_int_eq (verdict->place.number, 3);
}
END_TEST

/* CET of T is 20, 30 and 40 us, of the instances that start at 10, 105 and 220. */
static const struct
{
  const char *text;
  gint64      at, number;
} places[] = {
  { "[T]\nCET.max = 1 us", 220, 3 },      { "[T]\nCET.max = >= 100 us", 220, 3 },
  { "[T]\nCET.min = <= 1 us", 10, 1 },       { "[T]\nCET.min = >= 100 us", 10, 1 },
  { "[T]\nCET.mean = 1 us", 220, 3 },     { "[T]\nCET.mean = >= 100 us", 10, 1 },
  { "[T]\nCET.p50 = 1 us", 220, 3 },      { "[T]\nCET.p50 = >= 100 us", 10, 1 },
  { "[T]\nCET.stddev = 1 us", 220, 3 },   { "[T]\nCET.stddev = >= 100 us", 10, 1 },
  { "[T]\nCET.absmax = 1 us", 220, 3 },   { "[T]\nCET.absmax = >= 100 us", 220, 3 },
};

START_TEST (the_place_is_that_of_the_value_or_of_the_worst_in_it)
{
  g_autoptr (TsLimits) limits = parse (places[_i].text);
  g_autoptr (TsCheck) check = hold (limits);
  const TsVerdict *verdict = ts_check_get_verdict (check, 0);

  ck_assert_int_eq (verdict->result, TS_VERDICT_VIOLATED);
  ck_assert (verdict->has_place);
  ck_assert_int_eq (verdict->place.at, places[_i].at);
  ck_assert_int_eq (verdict->place.number, places[_i].number);
}
END_TEST

START_TEST (deviations_are_as_exact_as_in_the_report)
{
  g_autoptr (TsLimits) limits = parse ("[T]\nCET.stddev = 9 us");
  g_autoptr (TsCheck) check = hold (limits);
  const TsVerdict *verdict = ts_check_get_verdict (check, 0);
  char             text[TS_NUMBER_SIZE];

  /* by Python's decimal with 60 digits: sqrt (200/3) = 8.164965809277260327..., and 1 - sqrt (200/3) / 9 =
   * 0.092781576746971074741... */
  ts_rational_format (ts_rational_multiply (verdict->value, ts_time_base_factor (&report.report->base, TS_UNIT_US)), text);
  ck_assert_str_eq (text, "8.16496580927726");
  ts_rational_format_fixed (verdict->margin, 20, text);
  ck_assert_str_eq (text, "0.09278157674697107474");
}
END_TEST

/* Which section speaks for T: the one that the verdict on CET.max names. */
static const struct
{
  const char *text, *section;
} rivals[] = {
  { "[*]\nCET.max = 1 s\n[T]\nCET.max = 1 s", "[T]" },
  { "[T]\nCET.max = 1 s\n[*]\nCET.max = 1 s", "[T]" },
  { "[T]\nCET.max = 1 s\n[task:T]\nCET.max = 1 s", "[task:T]" },
  { "[task:*]\nCET.max = 1 s\n[T]\nCET.max = 1 s", "[T]" },
  { "[task:*]\nCET.max = 1 s\n[*]\nCET.max = 1 s", "[task:*]" },
  { "[task:*]\nCET.max = 1 s\n[T*]\nCET.max = 1 s", "[T*]" },
  { "[T*]\nCET.max = 1 s\n[*T*]\nCET.max = 1 s", "[T*]" },
  { "[T*]\nCET.max = 1 s\n[*T]\nCET.max = 1 s", "[*T]" },
  { "[*T]\nCET.max = 1 s\n[T*]\nCET.max = 1 s", "[T*]" },
  { "[T]\nRT.max = 1 s\n[*]\nCET.max = 1 s", "[*]" },
  { "[T]\nCETmax = 1 s\n[task:*]\nCET.max = 1 s", "[T]" },
};

START_TEST (the_most_specific_section_speaks)
{
  g_autoptr (TsLimits) limits = parse (rivals[_i].text);
  g_autoptr (TsCheck) check = hold (limits);
  guint n = 0;

  for (guint i = 0; i < ts_check_n_verdicts (check); i++)
    {
      const TsVerdict *verdict = ts_check_get_verdict (check, i);

      if (strcmp (verdict->element, "T") != 0 || verdict->figure.metric != TS_METRIC_CET)
        continue;
      ck_assert_str_eq (verdict->section, rivals[_i].section);
      n++;
    }
  ck_assert_uint_eq (n, 1);
}
END_TEST

/* The verdict on N, which has no samples. */
static const struct
{
  const char     *text;
  TsVerdictResult result;
} optionals[] = {
  { "[task:*]\nCET.max = 1 s\n[N]\noptional = true", TS_VERDICT_SKIPPED },
  { "[task:*]\noptional = true\nRT.max = 1 s\n[N]\nCET.max = 1 s", TS_VERDICT_NO_SAMPLES },
  { "[task:*]\noptional = true\nCET.max = 1 s\n[N]\noptional = false", TS_VERDICT_NO_SAMPLES },
};

START_TEST (optional_reaches_its_section_and_more_general_ones)
{
  g_autoptr (TsLimits) limits = parse (optionals[_i].text);
  g_autoptr (TsCheck) check = hold (limits);
  guint n = 0;

  for (guint i = 0; i < ts_check_n_verdicts (check); i++)
    {
      const TsVerdict *verdict = ts_check_get_verdict (check, i);

      if (strcmp (verdict->element, "N") != 0 || verdict->figure.metric != TS_METRIC_CET)
        continue;
      ck_assert_int_eq (verdict->result, optionals[_i].result);
      n++;
    }
  ck_assert_uint_eq (n, 1);
}
END_TEST

static const struct
{
  const char *text, *message;
} errors[] = {
  { "[T]\nCET.mux = 1 us", "l.ini:2: `mux' is not a statistic" },
  { "[T]\nCTE.max = 1 us", "l.ini:2: `CTE' is not a metric" },
  { "[T]\nCTEmax = 1 us", "l.ini:2: key `CTEmax' is not known" },
  { "[T]\n\nperoid = 1 us", "l.ini:3: key `peroid' is not known" },
  { "[T]\nCET = 1 us", "l.ini:2: key `CET' does not say which statistic" },
  { "[T]\nCET.max = 1 uz", "l.ini:2: `uz' is not a unit of time" },
  { "[T]\nCET.max = 1 us # why", "l.ini:2: `us # why' is not a unit" },
  { "[T]\nCET.max = 5 %", "l.ini:2: CET.max is a time: `5 %' is a percentage" },
  { "[T]\nCET.max = 5", "l.ini:2: CET.max is a time: `5' has no unit" },
  { "[T]\nCET.max = us", "does not begin with a number" },
  { "[T]\nCET.max = 1e3 us", "`e3 us' is not a unit" },
  { "[T]\nCET.max = 1234567890123456789 us", "at most 18 digits" },
  { "[T]\nCET.max =", "l.ini:2: `CET.max' has no value" },
  { "[T]\nJIT.absmax = 5 us", "l.ini:2: JIT.absmax is a ratio" },
  { "[T]\nJIT.absmax = 0.05", "l.ini:2: JIT.absmax is a ratio" },
  { "[T]\nNPR.max = 5 us", "l.ini:2: NPR.max is a count" },
  { "[T]\nCET.n = 5 us", "l.ini:2: CET.n is a count" },
  { "[T]\nCET.p0 = 5 us", "`p0' is not a statistic" },
  { "[T]\nCET.p100.1 = 5 us", "is not a statistic" },
  { "[T]\nCET.p99.1234567 = 5 us", "is not a statistic" },
  { "[T]\nLOAD = 5 %", "l.ini:2: only a resource has LOAD: the section should be [resource:T]" },
  { "[resource:0]\nCET.max = 5 us", "l.ini:2: a resource has LOAD, and no CET" },
  { "[resource:0]\nLOAD.p99 = 5 %", "LOAD is one number and has no p99" },
  { "[resource:0]\nLOAD.absmax = 5 %", "LOAD is one number and has no absmax" },
  { "[resource:0]\nLOAD.stddev = 5 %", "LOAD is one number and has no stddev" },
  { "[resource:0]\nLOAD.n = 5", "LOAD is one number and has no n" },
  { "[resource:0]\nLOAD = 70", "l.ini:2: LOAD.max is a ratio" },
  { "[resource:0]\nidle = true", "l.ini:2: idle goes by name only" },
  { "[resource:0]\nperiod = 1 ms", "l.ini:2: a resource has no period" },
  { "[task:T]\nidle = true", "l.ini:2: idle goes by name only" },
  { "[T]\nidle = yes", "l.ini:2: idle is true or false, not `yes'" },
  { "[T]\nidle = false", "l.ini:2: idle can only be true" },
  { "[T]\noptional = 1", "l.ini:2: optional is true or false" },
  { "[T]\nperiod = 10", "l.ini:2: period: `10' has no unit" },
  { "[T]\nperiod = 10 m", "l.ini:2: period: `10 m' is not a time" },
  { "[T]\nperiod = 0 ms", "l.ini:2: the period is not above 0" },
  { "[T]\nCET.max = 1 us\nRT.max = 1 us\nCETmax = 2 us", "l.ini:4: `CETmax' is there already, in line 2" },
  { "[T]\n[I]\n[T]", "l.ini:3: section [T] is there already, in line 1" },
  { "[task:T]\n[Task:T]", "l.ini:2: section [Task:T] is there already, in line 1" },
  { "[tolerance]\n[tolerance]", "l.ini:2: section [tolerance] is there already, in line 1" },
  { "CET.max = 1 us", "l.ini:1: `CET.max' stands before the first section" },
  { "[T\nCET.max = 1 us", "l.ini:1: a section is [NAME]" },
  { "[T] x", "l.ini:1: a section is [NAME]" },
  { "[]", "l.ini:1: section [] names no element" },
  { "[T]\nCET.max 1 us", "l.ini:2: neither a section, nor KEY = VALUE" },
  { "[T]\nCET.max <= 1 us", "l.ini:2: KEY = VALUE is expected; a relation belongs to the value" },
  { "[T]\n# caf\xe9\n", "l.ini:2: the line is no UTF-8 text" },
  { "[tolerance]\nall = 5 us", "l.ini:2: all is a ratio" },
  { "[tolerance]\nCET = 5", "l.ini:2: CET is a time: `5' has no unit" },
  { "[tolerance]\nJIT = 5 us", "l.ini:2: JIT is a ratio" },
  { "[tolerance]\nCET.max = -5 %", "l.ini:2: `-5 %': a tolerance is not below 0" },
  { "[tolerance]\nFOO = 5 %", "l.ini:2: `FOO' is not known" },
  { "[tolerance:T]\nFOO = 5 %", "l.ini:2: `FOO' is not known" },
  { "[tolerance:T]\nCET = 5", "l.ini:2: CET is a time: `5' has no unit" },
  { "[tolerance:T]\noptional = true", "l.ini:2: `optional' is not known" },
  { "[tolerance:T]\nCET.max = 5 %\nCETmax = 6 %", "l.ini:3: `CETmax' is there already, in line 2" },
  { "[T]\n[tolerance:T]\n[tolerance:T]", "l.ini:3: section [tolerance:T] is there already, in line 2" },
  { "[tolerance:]", "l.ini:1: section [tolerance:] names no element" },
  { "[tolerance:task:]", "l.ini:1: section [tolerance:task:] names no element" },
  { "[tolerance:T]\nLOAD = 5 %", "l.ini:2: only a resource has LOAD: the section should be [tolerance:resource:T]" },
  { "[tolerance:resource:0]\nCET = 5 %", "l.ini:2: a resource has LOAD, and no CET" },
};

START_TEST (what_is_not_understood_is_an_error_with_its_line)
{
  g_autoptr (TsLimits) limits = ts_limits_new ();
  g_autoptr (GError) error = NULL;

  ck_assert (!ts_limits_parse (limits, "l.ini", errors[_i].text, strlen (errors[_i].text), &error));
  ck_assert_msg (strstr (error->message, errors[_i].message) != NULL, "%s: %s", errors[_i].text, error->message);
  ck_assert (g_error_matches (error, TS_ERROR, TS_ERROR_USAGE));
}
END_TEST

START_TEST (nul_bytes_are_no_text)
{
  g_autoptr (TsLimits) limits = ts_limits_new ();

  ck_assert (!ts_limits_parse (limits, "l.ini", "[T]\nCET.max = 1 us\0 x", 20, NULL));
}
END_TEST

START_TEST (a_period_of_the_limits_comes_before_the_annotation_and_after_the_option)
{
  static const GateTrace annotated = { .unit = "us",
                                       .annotations = "<Annotation><Name>Period</Name><Value>95</Value></Annotation>" };
  static const char text[] = "[task:*]\nperiod = 110 us\n[T]\nperiod = 115 us\n[isr:T]\nperiod = 1 us\nCET.n = 0";
  g_autoptr (TsLimits) limits = parse (text);

  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (TsOptions) options = ts_options_new ();
      /* JIT = 1 - DT/P of DT 95, 115: the larger one of both is 0 if P is 95, else 1 - 95/P */
      const TsRational expected[] = { { 0, 1 }, { 20, 115 }, { 105, 200 } };
      const char      *sources[] = { "annotation", "l.ini:4", "--period" };
      GateReport       one;
      const TsReportElement *element;

      if (i == 2)
        {
          TsPeriodOption *period = g_new0 (TsPeriodOption, 1);

          period->name = g_strdup ("T");
          ck_assert (ts_time_text_parse ("200us", &period->period, NULL));
          options->periods = g_ptr_array_new ();
          g_ptr_array_add (options->periods, period);
        }
      if (i > 0)
        ts_limits_apply (limits, options);
      one = gate_read_trace (&annotated, options);
      element = g_ptr_array_index (((TsReportBlock *) g_ptr_array_index (one.report->blocks, 0))->elements, 0);
      ck_assert_str_eq (element->metrics[TS_METRIC_JIT]->reference, "configured");
      ck_assert_str_eq (element->period_source, sources[i]);
      ck_assert_int_eq (ts_rational_compare (element->metrics[TS_METRIC_JIT]->max, expected[i]), 0);
      gate_free (&one);
    }
}
END_TEST

START_TEST (idle_acts_before_the_analysis)
{
  g_autoptr (TsLimits) limits = parse ("[T]\nidle = true\n[resource:0]\nLOAD = 1.3 %");
  g_autoptr (TsOptions) options = ts_options_new ();

  ts_limits_apply (limits, options);
  gate_free (&report);
  report = gate_read_trace (&plain, options);
  {
    g_autoptr (TsCheck) check = hold (limits);

    /* what is left are 8 + 5 of 1000 */
    ck_assert_uint_eq (ts_check_n_verdicts (check), 1);
    ck_assert (ts_check_passed (check));
  }
}
END_TEST

START_TEST (annotations_are_limits)
{
  static const GateTrace annotated = {
    .unit = "us",
    .annotations = "<Annotation><Name>CETmax</Name><Value>40</Value></Annotation>"
                   "<Annotation><Name>RT_max</Name><Value>59</Value></Annotation>"
                   "<Annotation><Name>CET_{min}</Name><Value>20</Value></Annotation>"
                   "<Annotation><Name>JITmax</Name><Value>0.05</Value></Annotation>"
                   "<Annotation><Name>PERmax</Name><Value>99.5</Value></Annotation>"
                   "<Annotation><Name>Priority</Name><Value>7</Value></Annotation>"
  };
  static const TsVerdictResult expected[] = { TS_VERDICT_HOLDS, TS_VERDICT_VIOLATED, TS_VERDICT_HOLDS,
                                              TS_VERDICT_HOLDS, TS_VERDICT_VIOLATED };
  g_autoptr (TsLimits) limits = ts_limits_new ();

  gate_free (&report);
  report = gate_read_trace (&annotated, NULL);
  ts_limits_use_annotations (limits);
  {
    g_autoptr (TsCheck) check = hold (limits);

    ck_assert_uint_eq (ts_check_n_verdicts (check), G_N_ELEMENTS (expected));
    for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
      ck_assert_int_eq (ts_check_get_verdict (check, i)->result, expected[i]);
    ck_assert_str_eq (ts_check_get_verdict (check, 1)->section, "annotation RTmax");
  }
}
END_TEST

/* Texts that cannot be held against a trace: as NULL the one of the fixture, else one without a time base. */
static const struct
{
  const char *text, *message;
  gboolean    has_base, use_annotations;
} refused[] = {
  { "[T]\nCET.max = 1 us", "l.ini:2: the trace does not say how long a tick is", FALSE, FALSE },
  { "", "there is no limit to check", TRUE, FALSE },
  { "[T]\n", "there is no limit to check", TRUE, FALSE },
  { "", "no element has an annotation that is a limit", TRUE, TRUE },
};

START_TEST (a_check_that_cannot_be_made_is_an_error)
{
  g_autoptr (TsLimits) limits = parse (refused[_i].text);
  g_autoptr (GError) error = NULL;
  const GateTrace without = { .unit = NULL };
  TsCheckOptions options = { 0 };

  if (!refused[_i].has_base)
    {
      gate_free (&report);
      report = gate_read_trace (&without, NULL);
    }
  if (refused[_i].use_annotations)
    ts_limits_use_annotations (limits);
  ck_assert_ptr_null (ts_check_new (report.report, limits, NULL, &options, &error));
  ck_assert_msg (strstr (error->message, refused[_i].message) != NULL, "%s", error->message);
}
END_TEST

/* Percentiles and deviations would be wrong, or there is no result to look at. */
START_TEST (what_was_left_out_is_not_checked)
{
  g_autoptr (TsLimits) limits = parse ("[T]\nCET.p99 = 40 us");
  g_autoptr (TsOptions) analysis = ts_options_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  TsCheckOptions options = { 0 };
  TsPrintOptions print = { 0 };
  GateReport     part;

  analysis->no_samples = _i == 0;
  analysis->no_results = _i == 1;
  part = gate_read_trace (&plain, analysis);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (GError) error = NULL;

      if (i < 2)
        ck_assert_ptr_null (ts_check_new (i == 0 ? part.report : report.report, limits,
                                          i == 0 ? report.report : part.report, &options, &error));
      else
        ck_assert (!ts_limits_write (part.report, &print, (TsRational){ 0, 1 }, ts_sink_to_text (text), &error));
      ck_assert (g_error_matches (error, TS_ERROR, TS_ERROR_USAGE));
      ck_assert_msg (strstr (error->message, "were left out") != NULL, "%s", error->message);
    }
  ck_assert_uint_eq (text->len, 0);
  gate_free (&part);
}
END_TEST

START_TEST (ticks_go_without_a_time_base)
{
  g_autoptr (TsLimits) limits = parse ("[T]\nCET.max = 40 ticks\nJIT.absmax = 15 %\nperiod = 100 ticks");
  const GateTrace without = { .unit = NULL };

  gate_free (&report);
  report = gate_read_trace (&without, NULL);
  {
    g_autoptr (TsCheck) check = hold (limits);

    ck_assert (ts_check_passed (check));
  }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("limits");
  TCase *tests = tcase_create ("limits");

  tcase_add_checked_fixture (tests, set_up, tear_down);
  tcase_add_loop_test (tests, a_bound_passes_and_beyond_it_nothing, 0, G_N_ELEMENTS (bounds));
  tcase_add_test (tests, a_violation_says_where_and_by_how_much);
  tcase_add_loop_test (tests, the_place_is_that_of_the_value_or_of_the_worst_in_it, 0, (int) G_N_ELEMENTS (places));
  tcase_add_test (tests, deviations_are_as_exact_as_in_the_report);
  tcase_add_loop_test (tests, the_most_specific_section_speaks, 0, G_N_ELEMENTS (rivals));
  tcase_add_loop_test (tests, optional_reaches_its_section_and_more_general_ones, 0, G_N_ELEMENTS (optionals));
  tcase_add_loop_test (tests, what_is_not_understood_is_an_error_with_its_line, 0, G_N_ELEMENTS (errors));
  tcase_add_test (tests, nul_bytes_are_no_text);
  tcase_add_test (tests, a_period_of_the_limits_comes_before_the_annotation_and_after_the_option);
  tcase_add_test (tests, idle_acts_before_the_analysis);
  tcase_add_test (tests, annotations_are_limits);
  tcase_add_loop_test (tests, a_check_that_cannot_be_made_is_an_error, 0, G_N_ELEMENTS (refused));
  tcase_add_loop_test (tests, what_was_left_out_is_not_checked, 0, 2);
  tcase_add_test (tests, ticks_go_without_a_time_base);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
