/* SPDX-License-Identifier: MIT */

/* How many samples are beyond a limit: of the trace of gate-fixture.h, and of one that is too long for samples to be
 * kept. */

#include "gate-fixture.h"
#include "unit.h"

#include <string.h>

static TsCheck *
hold (const GateReport *report, TsLimits *limits, const char *text)
{
  g_autoptr (GError) error = NULL;
  TsCheckOptions options = { 0 };
  TsCheck       *check;

  ck_assert_msg (ts_limits_parse (limits, "l.ini", text, strlen (text), &error), "%s", error != NULL ? error->message : "");
  check = ts_check_new (report->report, limits, NULL, &options, &error);
  ck_assert_msg (check != NULL, "%s", error != NULL ? error->message : "");
  ck_assert_uint_eq (ts_check_n_verdicts (check), 1);
  return check;
}

#define NOT_COUNTED -1

/* CET 20 30 40 us, RT 30 35 60, JIT 5 and -15 %, ST 70 65. */
static const struct
{
  const char *text;
  int         n_outside;
} limits_of_few[] = {
  { "[T]\nCET.max = 40 us", 0 },          { "[T]\nCET.max = 39 us", 1 },
  { "[T]\nCET.max = 30 us", 1 },          { "[T]\nCET.max = 29.999 us", 2 },
  { "[T]\nCET.max = 19 us", 3 },          { "[T]\nCET.max = -1 us", 3 },
  { "[T]\nCET.min = 20 us", 0 },          { "[T]\nCET.min = 20.001 us", 1 },
  { "[T]\nCET.min = 31 us", 2 },          { "[T]\nCET.min = 1 s", 3 },
  { "[T]\nCET.absmax = 25 us", 2 },       { "[T]\nCET.absmax = -1 us", 3 },
  { "[T]\nCET.p50 = 29 us", 2 },          { "[T]\nCET.p50 = 30 us", 1 },
  { "[T]\nCET.p33 = >= 30 us", 1 },       { "[T]\nCET.p33 = >= 20 us", 0 },
  { "[T]\nRT.max = 34 us", 2 },           { "[T]\nST.min = 70 us", 1 },
  { "[T]\nNPR.max = 0", 0 },              { "[T]\nNPR.min = 1", 3 },
  { "[T]\nJIT.max = 5 %", 0 },            { "[T]\nJIT.max = 4.9 %", 1 },
  { "[T]\nJIT.max = -15.1 %", 2 },        { "[T]\nJIT.min = -15 %", 0 },
  { "[T]\nJIT.min = -14.99 %", 1 },       { "[T]\nJIT.min = 5.1 %", 2 },
  { "[T]\nJIT.absmax = 15 %", 0 },        { "[T]\nJIT.absmax = 5 %", 1 },
  { "[T]\nJIT.absmax = 4.9 %", 2 },       { "[T]\nJIT.p50 = -15 %", 1 },
  { "[T]\nperiod = 95 us\nJIT.max = 0 %", 0 }, /* 0 and -4/19 */
  { "[T]\nperiod = 95 us\nJIT.min = 0 %", 1 },
  /* of all samples, or a bound that many may be beyond where the figure is within */
  { "[T]\nCET.max = >= 41 us", NOT_COUNTED }, { "[T]\nCET.min = <= 19 us", NOT_COUNTED },
  { "[T]\nCET.absmax = >= 1 us", NOT_COUNTED }, { "[T]\nCET.mean = 1 us", NOT_COUNTED },
  { "[T]\nCET.stddev = 1 us", NOT_COUNTED },  { "[T]\nCET.n = 1", NOT_COUNTED },
  { "[N]\nCET.max = 1 us", NOT_COUNTED },     { "[resource:0]\nLOAD = 1 %", NOT_COUNTED },
};

START_TEST (each_sample_is_held_against_the_bound)
{
  static const GateTrace plain = { .unit = "us" };
  g_autoptr (TsLimits)   limits = ts_limits_new ();
  g_autoptr (TsOptions)  options = ts_options_new ();
  g_autoptr (TsCheck)    check = NULL;
  const TsVerdict       *verdict;
  GateReport             report;

  /* a period is for the analysis */
  ck_assert (ts_limits_parse (limits, "l.ini", limits_of_few[_i].text, strlen (limits_of_few[_i].text), NULL));
  ts_limits_apply (limits, options);
  report = gate_read_trace (&plain, options);
  ts_limits_free (g_steal_pointer (&limits));
  limits = ts_limits_new ();
  check = hold (&report, limits, limits_of_few[_i].text);
  verdict = ts_check_get_verdict (check, 0);
  ck_assert_msg (verdict->has_outside == (limits_of_few[_i].n_outside != NOT_COUNTED), "%s", limits_of_few[_i].text);
  if (verdict->has_outside)
    {
      ck_assert_msg (verdict->n_outside == (guint) limits_of_few[_i].n_outside, "%s: %" G_GUINT64_FORMAT,
                     limits_of_few[_i].text, verdict->n_outside);
      ck_assert_uint_eq (verdict->n_outside_max, verdict->n_outside);
    }
  gate_free (&report);
}
END_TEST

/* A report on a task that runs for 1, 2 ... MANY us, and starts every 5 ms. */
#define MANY 3000

static char *
write_many (void)
{
  g_autoptr (GString) text = g_string_new ("#version 2.2.0\n#timeScale us\n");

  for (guint i = 1; i <= MANY; i++)
    g_string_append_printf (text, "%u,C,0,T,A,%u,start\n%u,C,0,T,A,%u,terminate\n", i * 5000, i, i * 5000 + i, i);
  return gate_write_text (text->str, (gssize) text->len);
}

/* Where samples are kept in buckets, those near to the bound may be on either side: the middle of a bucket is within 0.4 % of
 * each sample in it, so no sample that is further away than 0.8 % is in doubt. */
static const struct
{
  const char *text;
  guint       n_outside, doubt;
} limits_of_many[] = {
  { "[A]\nCET.max = 3000 us", 0, 0 },  { "[A]\nCET.max = 2999 us", 1, 24 }, { "[A]\nCET.max = 1000 us", 2000, 16 },
  { "[A]\nCET.max = 1 us", 2999, 0 },  { "[A]\nCET.min = 1 us", 0, 0 },     { "[A]\nCET.min = 100 us", 99, 1 },
  { "[A]\nCET.min = 2500 us", 2499, 40 }, { "[A]\nCET.min = 1 s", 3000, 0 },
  /* DT is 5000 for 2999 times: that is one bucket, and both ends of it are known */
  { "[A]\nDT.max = 4999 us", 2999, 0 },
};

static void
hold_many (const GateReport *report, int which, gboolean is_exact)
{
  g_autoptr (TsLimits) limits = ts_limits_new ();
  g_autoptr (TsCheck)  check = hold (report, limits, limits_of_many[which].text);
  const TsVerdict     *verdict = ts_check_get_verdict (check, 0);
  const guint          n_outside = limits_of_many[which].n_outside, doubt = is_exact ? 0 : limits_of_many[which].doubt;

  ck_assert (verdict->has_outside);
  ck_assert_msg (verdict->n_outside <= n_outside && verdict->n_outside_max >= n_outside
                     && verdict->n_outside_max - verdict->n_outside <= doubt,
                 "%s: %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, limits_of_many[which].text, verdict->n_outside,
                 verdict->n_outside_max);
  /* the worst is one of them for certain */
  ck_assert_int_eq (verdict->n_outside > 0, verdict->result == TS_VERDICT_VIOLATED);
}

START_TEST (of_a_histogram_it_is_at_least_and_at_most)
{
  g_autoptr (TsOptions) options = ts_options_new ();
  char                 *path = write_many ();
  g_autofree char      *json = NULL;
  GateReport            report = gate_read (path, options);

  hold_many (&report, _i, FALSE);
  json = gate_json (report.report);
  gate_free (&report);
  options->exact_percentiles = TRUE;
  report = gate_read (path, options);
  hold_many (&report, _i, TRUE);
  gate_free (&report);
  gate_remove (path);
  /* the same of a report that was read */
  path = gate_write_text (json, -1);
  report = gate_read (path, NULL);
  hold_many (&report, _i, FALSE);
  gate_free (&report);
  gate_remove (path);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("outside");
  TCase *tests = tcase_create ("outside");

  tcase_add_loop_test (tests, each_sample_is_held_against_the_bound, 0, (int) G_N_ELEMENTS (limits_of_few));
  tcase_add_loop_test (tests, of_a_histogram_it_is_at_least_and_at_most, 0, (int) G_N_ELEMENTS (limits_of_many));
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
