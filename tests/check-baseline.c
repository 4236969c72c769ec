/* SPDX-License-Identifier: MIT */

/* Comparisons with a baseline: the trace of gate-fixture.h, and the same with a third instance of T that ends later. */

#include "config.h"

#include "gate-fixture.h"

#include <math.h>
#include <string.h>

#include "check/verdict.h"
#include "unit.h"

static TsCheck *
compare (const GateReport *now, const GateReport *before, TsLimits *limits, double significance)
{
  g_autoptr (GError) error = NULL;
  TsCheckOptions options = { .baseline_path = "old.json", .gate_significance = significance > 0,
                             .significance = significance };
  TsCheck *check = ts_check_new (now->report, limits, before->report, &options, &error);

  ck_assert_msg (check != NULL, "%s", error != NULL ? error->message : "");
  return check;
}

/* A comparison: there may be a limit on the same. */
static const TsVerdict *
find (const TsCheck *check, const char *element, const char *figure)
{
  for (guint i = 0; i < ts_check_n_verdicts (check); i++)
    {
      const TsVerdict *verdict = ts_check_get_verdict (check, i);
      TsFigure         wanted = { 0 };

      if (!verdict->is_comparison || strcmp (verdict->element, element) != 0
          || verdict->has_figure != (figure != NULL))
        continue;
      if (figure == NULL)
        return verdict;
      ck_assert (ts_figure_parse (figure, &wanted, NULL));
      if (memcmp (&wanted, &verdict->figure, sizeof wanted) == 0)
        return verdict;
    }
  return NULL;
}

/* T: CET.max 40 -> 42 is +5 %; CET.mean 30 -> 92/3; RT.max 60 -> 62 is +3.33 %. */
static const struct
{
  const char     *tolerances[3];
  const char     *figure;
  TsVerdictResult result;
} tolerances[] = {
  { { NULL }, "CET.max", TS_VERDICT_VIOLATED },
  { { NULL }, "IPT.max", TS_VERDICT_HOLDS }, /* unchanged */
  { { "5%" }, "CET.max", TS_VERDICT_HOLDS }, /* exactly at the bound */
  { { "4.999999999999999%" }, "CET.max", TS_VERDICT_VIOLATED },
  { { "5 %" }, "CET.p99", TS_VERDICT_HOLDS },
  { { "CET=2us" }, "CET.max", TS_VERDICT_HOLDS },
  { { "CET=1999ns" }, "CET.max", TS_VERDICT_VIOLATED },
  { { "CET.max=2ticks" }, "CET.max", TS_VERDICT_HOLDS },
  { { "RT=2us" }, "CET.max", TS_VERDICT_VIOLATED },
  { { "50%", "CET.max=1%" }, "CET.max", TS_VERDICT_VIOLATED }, /* the narrower one counts */
  { { "CET.max=1%", "50%" }, "CET.max", TS_VERDICT_VIOLATED },
  { { "CET.max=1%", "CET=50%" }, "CET.mean", TS_VERDICT_HOLDS },
  { { "1%", "50%" }, "CET.max", TS_VERDICT_HOLDS }, /* the later one */
  { { "3%" }, "RT.max", TS_VERDICT_VIOLATED },
  { { "3.4%" }, "RT.max", TS_VERDICT_HOLDS },
  { { "CET.mean=2.2222222222222%" }, "CET.mean", TS_VERDICT_VIOLATED }, /* 92/3 : 30 = 1 + 2/90 */
  { { "CET.mean=2.2222222222223%" }, "CET.mean", TS_VERDICT_HOLDS },
};

START_TEST (a_tolerance_allows_so_much_and_no_more)
{
  const GateTrace old = { .unit = "us" }, slow = { .unit = "us", .late = 2 };
  GateReport before = gate_read_trace (&old, NULL), now = gate_read_trace (&slow, NULL);
  g_autoptr (TsLimits) limits = ts_limits_new ();

  for (guint i = 0; tolerances[_i].tolerances[i] != NULL; i++)
    ck_assert (ts_limits_add_tolerance (limits, tolerances[_i].tolerances[i], NULL));
  {
    g_autoptr (TsCheck) check = compare (&now, &before, limits, 0);
    const TsVerdict *verdict = find (check, "T", tolerances[_i].figure);

    ck_assert_ptr_nonnull (verdict);
    ck_assert_int_eq (verdict->result, tolerances[_i].result);
  }
  gate_free (&now);
  gate_free (&before);
}
END_TEST

/* Tolerances of files, and one of the command line or NULL: CET.max of T rises by 5 %, the load of the resource from 10.3 to
 * 10.5 %, which is 1.94 % more. */
static const struct
{
  const char     *text, *given;
  const char     *element, *figure;
  TsVerdictResult result;
} sections[] = {
  { "[tolerance:T]\nCET.max = 5 %", NULL, "T", "CET.max", TS_VERDICT_HOLDS },
  { "[tolerance:T]\nCET.max = 4.9 %", NULL, "T", "CET.max", TS_VERDICT_VIOLATED },
  { "[tolerance:I]\nall = 50 %", NULL, "T", "CET.max", TS_VERDICT_VIOLATED },
  { "[tolerance:*]\nall = 50 %", NULL, "T", "CET.max", TS_VERDICT_HOLDS },
  { "[tolerance:task:?]\nCET = 2 us", NULL, "T", "CET.max", TS_VERDICT_HOLDS },
  { "[tolerance:isr:?]\nCET = 2 us", NULL, "T", "CET.max", TS_VERDICT_VIOLATED },
  { "[tolerance:any:T]\nCET = 2 us", NULL, "T", "CET.max", TS_VERDICT_HOLDS },
  /* what is said of some comes before what is said of all ... */
  { "[tolerance]\nCET.max = 1 %\n[tolerance:T]\nall = 50 %", NULL, "T", "CET.max", TS_VERDICT_HOLDS },
  { "[tolerance:T]\nall = 1 %\n[tolerance]\nCET.max = 50 %", NULL, "T", "CET.max", TS_VERDICT_VIOLATED },
  { "[tolerance:T]\nall = 50 %", "CET.max=1%", "T", "CET.max", TS_VERDICT_HOLDS },
  { "[tolerance:T]\nRT = 50 %\n[tolerance]\nall = 1 %", NULL, "T", "CET.max", TS_VERDICT_VIOLATED },
  { "[tolerance:T]\nRT = 1 %", "50%", "T", "CET.max", TS_VERDICT_HOLDS },
  /* ... and of these the more specific one */
  { "[tolerance:T]\nall = 50 %\n[tolerance:*]\nCET.max = 1 %", NULL, "T", "CET.max", TS_VERDICT_HOLDS },
  { "[tolerance:task:T]\nall = 1 %\n[tolerance:T]\nall = 50 %", NULL, "T", "CET.max", TS_VERDICT_VIOLATED },
  { "[tolerance:T]\nRT = 1 %\n[tolerance:*]\nCET = 50 %", NULL, "T", "CET.max", TS_VERDICT_HOLDS },
  { "[tolerance:T]\nall = 1 %\nCET = 50 %", NULL, "T", "CET.max", TS_VERDICT_HOLDS },
  { "[tolerance:resource:0]\nLOAD = 2 %", NULL, "0", "LOAD", TS_VERDICT_HOLDS },
  { "[tolerance:resource:*]\nall = 1.9 %", NULL, "0", "LOAD", TS_VERDICT_VIOLATED },
  { "[tolerance:*]\nall = 50 %", NULL, "0", "LOAD", TS_VERDICT_VIOLATED },
  /* limits are something else, of the same name */
  { "[T]\nCET.max = 1 s\n[tolerance:T]\nCET.max = 5 %", NULL, "T", "CET.max", TS_VERDICT_HOLDS },
  { "[any:tolerance:*]\nCET.max = 1 s\n[tolerance:T]\nCET.max = 5 %", NULL, "T", "CET.max", TS_VERDICT_HOLDS },
};

START_TEST (elements_may_have_tolerances_of_their_own)
{
  const GateTrace old = { .unit = "us" }, slow = { .unit = "us", .late = 2 };
  GateReport before = gate_read_trace (&old, NULL), now = gate_read_trace (&slow, NULL);
  g_autoptr (TsLimits) limits = ts_limits_new ();

  ck_assert (ts_limits_parse (limits, "l.ini", sections[_i].text, strlen (sections[_i].text), NULL));
  if (sections[_i].given != NULL)
    ck_assert (ts_limits_add_tolerance (limits, sections[_i].given, NULL));
  {
    g_autoptr (TsCheck) check = compare (&now, &before, limits, 0);
    const TsVerdict *verdict = find (check, sections[_i].element, sections[_i].figure);

    ck_assert_ptr_nonnull (verdict);
    ck_assert_msg (verdict->result == sections[_i].result, "%s", sections[_i].text);
  }
  gate_free (&now);
  gate_free (&before);
}
END_TEST

/* It may be a typing error. */
START_TEST (a_tolerance_of_nobody_is_no_pass)
{
  const GateTrace old = { .unit = "us" };
  GateReport before = gate_read_trace (&old, NULL), now = gate_read_trace (&old, NULL);
  g_autoptr (TsLimits) limits = ts_limits_new ();
  static const char text[] = "[tolerance:T]\nCET = 5 %\n[tolerance:isr:T]\nCET = 5 %\n[tolerance:N]\nCET = 5 %\n";

  ck_assert (ts_limits_parse (limits, "l.ini", text, strlen (text), NULL));
  {
    g_autoptr (TsCheck) check = compare (&now, &before, limits, 0);
    const TsVerdict *verdict = find (check, "", NULL);

    ck_assert (!ts_check_passed (check));
    ck_assert_ptr_nonnull (verdict);
    ck_assert_int_eq (verdict->result, TS_VERDICT_NO_MATCH);
    ck_assert (verdict->is_comparison);
    ck_assert_str_eq (verdict->section, "[tolerance:isr:T]");
    ck_assert_str_eq (verdict->source, "l.ini:3");
  }
  gate_free (&now);
  gate_free (&before);
}
END_TEST

START_TEST (less_slack_is_worse_and_less_time_is_better)
{
  const GateTrace old = { .unit = "us" }, fast = { .unit = "us", .late = -10 };
  GateReport before = gate_read_trace (&old, NULL), now = gate_read_trace (&fast, NULL);
  /* the other way round, ST.min, which no late end of the last instance changes, stays; CET.max rises by a third */
  g_autoptr (TsCheck) better = compare (&now, &before, NULL, 0);
  g_autoptr (TsCheck) worse = NULL;
  const TsVerdict *verdict;

  ck_assert (ts_check_passed (better));
  verdict = find (better, "T", "CET.max");
  ck_assert_int_eq (ts_rational_compare (verdict->relative, ts_rational (-1, 4)), 0);
  verdict = find (better, "T", "ST.min");
  ck_assert (verdict->is_lower);
  ck_assert_int_eq (ts_rational_compare (verdict->bound, ts_rational (65, 1)), 0);
  worse = compare (&before, &now, NULL, 0);
  ck_assert (!ts_check_passed (worse));
  ck_assert_int_eq (ts_rational_compare (find (worse, "T", "CET.max")->relative, ts_rational (1, 3)), 0);
  /* LOAD 93 -> 103 of 1000 */
  ck_assert_int_eq (ts_rational_compare (find (worse, "0", "LOAD")->relative, ts_rational (10, 93)), 0);
  gate_free (&now);
  gate_free (&before);
}
END_TEST

START_TEST (what_vanished_is_a_violation_and_what_is_new_is_not)
{
  const GateTrace with = { .unit = "us" }, without = { .unit = "us", .without_n = TRUE };
  GateReport a = gate_read_trace (&with, NULL), b = gate_read_trace (&without, NULL);
  g_autoptr (TsCheck) vanished = compare (&b, &a, NULL, 0);
  g_autoptr (TsCheck) new = NULL;

  ck_assert (!ts_check_passed (vanished));
  ck_assert_int_eq (find (vanished, "N", NULL)->result, TS_VERDICT_VANISHED);
  new = compare (&a, &b, NULL, 0);
  ck_assert (ts_check_passed (new));
  ck_assert_int_eq (find (new, "N", NULL)->result, TS_VERDICT_NEW);
  gate_free (&a);
  gate_free (&b);
}
END_TEST

START_TEST (time_bases_may_differ_but_not_be_unknown_once)
{
  const GateTrace us = { .unit = "us" }, ns = { .unit = "ns" }, none = { .unit = NULL };
  GateReport a = gate_read_trace (&us, NULL), b = gate_read_trace (&ns, NULL), c = gate_read_trace (&none, NULL);
  g_autoptr (TsCheck) check = compare (&b, &a, NULL, 0);
  g_autoptr (GError) error = NULL;
  TsCheckOptions options = { 0 };
  const TsVerdict *verdict = find (check, "T", "CET.max");

  /* 40 us -> 40 ns */
  ck_assert_int_eq (ts_rational_compare (verdict->relative, ts_rational (-999, 1000)), 0);
  ck_assert_int_eq (ts_rational_compare (verdict->old, ts_rational (40000, 1)), 0);
  ck_assert (verdict->has_p);
  ck_assert_ptr_null (ts_check_new (c.report, NULL, a.report, &options, &error));
  ck_assert_ptr_nonnull (strstr (error->message, "does not say how long a tick is"));
  gate_free (&a);
  gate_free (&b);
  gate_free (&c);
}
END_TEST

START_TEST (significance_is_asked_only_where_it_was_demanded)
{
  const GateTrace old = { .unit = "us" }, slow = { .unit = "us", .late = 2 };
  GateReport before = gate_read_trace (&old, NULL), now = gate_read_trace (&slow, NULL);
  g_autoptr (TsCheck) plain = compare (&now, &before, NULL, 0);
  g_autoptr (TsCheck) strict = NULL;
  const TsVerdict *verdict = find (plain, "T", "CET.max");

  /* one of three samples differs */
  ck_assert_int_eq (verdict->result, TS_VERDICT_VIOLATED);
  ck_assert (verdict->has_p && !verdict->is_significant);
  strict = compare (&now, &before, NULL, 0.05);
  ck_assert_int_eq (find (strict, "T", "CET.max")->result, TS_VERDICT_NOISE);
  /* LOAD has no distribution: 103 -> 105 */
  ck_assert_int_eq (find (strict, "0", "LOAD")->result, TS_VERDICT_VIOLATED);
  gate_free (&now);
  gate_free (&before);
}
END_TEST

static TsAccumulator *
samples_of (gint64 first, gint64 step, guint n)
{
  TsAccumulator *accumulator = ts_accumulator_new (FALSE);

  for (guint i = 0; i < n; i++)
    ts_accumulator_add (accumulator, first + step * (gint64) i, i, i + 1, 1);
  return accumulator;
}

START_TEST (the_test_of_distributions_knows_its_tables)
{
  g_autoptr (TsAccumulator) a = samples_of (1, 1, 5), b = samples_of (3, 1, 5), c = samples_of (1001, 1, 100);
  g_autoptr (TsAccumulator) d = samples_of (1, 1, 100), e = samples_of (10, 10, 5);
  double p;

  /* 1 2 3 4 5 and 3 4 5 6 7: distance 2/5. Of the 252 orders of five and five those are never so far apart in which
     each two in turn are one of both: 2^5 */
  ck_assert (ts_compare_distributions (a, 1, b, 1, &p));
  ck_assert (fabs (p - 220.0 / 252) < 1e-12);
  ck_assert (ts_compare_distributions (a, 1, a, 1, &p));
  ck_assert (p > 0.999);
  ck_assert (ts_compare_distributions (c, 1, d, 1, &p));
  ck_assert (p < 1e-20);
  /* ten times the unit */
  ck_assert (ts_compare_distributions (a, 10, e, 1, &p));
  ck_assert (p > 0.999);
  ck_assert (!ts_compare_distributions (NULL, 1, e, 1, &p));
}
END_TEST

/* Samples that are all above the others: of the orders of n and m two are so, all of one before all of the others. */
START_TEST (p_of_few_samples_is_counted)
{
  static const struct
  {
    guint  n, m;
    double p;
  } cases[] = { { 1, 1, 1 }, { 1, 2, 2.0 / 3 }, { 2, 3, 2.0 / 10 }, { 3, 3, 2.0 / 20 }, { 5, 5, 2.0 / 252 },
                /* 60 over 30 is 118264581564861424 */
                { 30, 30, 2.0 / 118264581564861424.0 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TsAccumulator) a = samples_of (1, 1, cases[i].n), b = samples_of (1001, 1, cases[i].m);
      double p;

      ck_assert (ts_compare_distributions (a, 1, b, 1, &p));
      ck_assert_msg (fabs (p / cases[i].p - 1) < 1e-12, "%u %u: %g", cases[i].n, cases[i].m, p);
      ck_assert (ts_compare_distributions (b, 1, a, 1, &p));
      ck_assert_msg (fabs (p / cases[i].p - 1) < 1e-12, "%u %u: %g", cases[i].m, cases[i].n, p);
    }
}
END_TEST

/* 100 and 100 samples are counted, 101 and 101 come from the limit: 19 of them apart, both say nearly the same. By the
 * limit 19 / 101 is (7.1063 + 0.12 + 0.0155) 0.18812 = 1.3623, and Q = 2 e^-3.7117 = 0.0489. */
START_TEST (what_is_counted_goes_over_into_the_limit)
{
  g_autoptr (TsAccumulator) a = samples_of (2, 2, 100), b = samples_of (39, 2, 100);
  g_autoptr (TsAccumulator) c = samples_of (2, 2, 101), d = samples_of (39, 2, 101);
  double counted, limit;

  ck_assert (ts_compare_distributions (a, 1, b, 1, &counted));
  ck_assert (ts_compare_distributions (c, 1, d, 1, &limit));
  ck_assert_msg (fabs (limit - 0.0489) < 0.0002 && fabs (limit / counted - 1) < 0.15, "%g %g", counted, limit);
}
END_TEST

START_TEST (exact_samples_are_the_same_as_their_histogram)
{
  /* 2048 samples are kept, 4096 are not: the same values in both */
  g_autoptr (TsAccumulator) exact = samples_of (100000, 7, 2048), many = samples_of (100000, 7, 2048);
  double p;

  for (guint i = 0; i < 2048; i++)
    ts_accumulator_add (many, 100000 + 7 * (gint64) i, i, i + 1, 1);
  ck_assert (ts_accumulator_is_exact (exact) && !ts_accumulator_is_exact (many));
  ck_assert (ts_compare_distributions (exact, 1, many, 1, &p));
  ck_assert (p > 0.999);
  ck_assert (!ts_compare_distributions (exact, 3, many, 1, &p));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("baseline");
  TCase *tests = tcase_create ("baseline");

  tcase_add_loop_test (tests, a_tolerance_allows_so_much_and_no_more, 0, G_N_ELEMENTS (tolerances));
  tcase_add_loop_test (tests, elements_may_have_tolerances_of_their_own, 0, (int) G_N_ELEMENTS (sections));
  tcase_add_test (tests, a_tolerance_of_nobody_is_no_pass);
  tcase_add_test (tests, less_slack_is_worse_and_less_time_is_better);
  tcase_add_test (tests, what_vanished_is_a_violation_and_what_is_new_is_not);
  tcase_add_test (tests, time_bases_may_differ_but_not_be_unknown_once);
  tcase_add_test (tests, significance_is_asked_only_where_it_was_demanded);
  tcase_add_test (tests, the_test_of_distributions_knows_its_tables);
  tcase_add_test (tests, p_of_few_samples_is_counted);
  tcase_add_test (tests, what_is_counted_goes_over_into_the_limit);
  tcase_add_test (tests, exact_samples_are_the_same_as_their_histogram);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
