/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "btf-trace.h"
#include "unit.h"

/* A summary keeps no samples, and takes other ways to the same numbers: so each trace is read for a report and for a
 * summary. All numbers are worked out by hand, in the comment above the trace. */

/* A summary has neither SELF nor NPR. */
static void
expect_both (const char *text, const char *name, const char *report, const char *summary)
{
  g_autoptr (TsOptions) options = ts_options_new ();
  g_autoptr (TsTrace)   reported = read_with (text, options), summed_up = NULL;

  options->no_samples = options->no_details = TRUE;
  summed_up = read_with (text, options);
  expect_metrics (reported, name, report);
  expect_metrics (summed_up, name, summary);
}

/* R calls itself at 1, 2, ... 40, and ends at 61, 62, ... 100, who began last first: who began at i has GET 101 - 2 i, from 99 to
 * 21, 2400 in all. All 40 are open when A is preempted at 45-48 and 50-55, and waits 56-60: so each has PRE 3 and 5 and WAIT 4,
 * and CET is GET - 12. Who is called has 2 less, so SELF is 2, and 9 of the last one. E2S is i + 1 - (101 - i): -98, -96, ... -22. */
START_TEST (what_many_callees_have_in_common_counts_for_each)
{
  g_autoptr (GString) text = g_string_new (SCALE "0,C,0,T,A,0,start\n");

  for (guint i = 1; i <= 40; i++)
    g_string_append_printf (text, "%u,A,0,R,R,0,start\n", i);
  g_string_append (text, "45,C,0,T,A,0,preempt\n48,C,0,T,A,0,resume\n50,C,0,T,A,0,preempt\n55,C,0,T,A,0,resume\n"
                         "56,C,0,T,A,0,wait\n60,C,0,T,A,0,release\n60,C,0,T,A,0,resume\n");
  for (guint i = 1; i <= 40; i++)
    g_string_append_printf (text, "%u,A,0,R,R,0,terminate\n", 60 + i);
  g_string_append (text, "101,C,0,T,A,0,terminate\n");
  expect_both (text->str, "R",
               "CET 40 9 87 1920; GET 40 21 99 2400; DT 39 1 1 39; PRE 80 3 5 320; SELF 40 2 9 87; E2S 39 -98 -22 -2340; "
               "WAIT 40 4 4 160; NPR 40 2 2 80",
               "CET 40 9 87 1920; GET 40 21 99 2400; DT 39 1 1 39; PRE 80 3 5 320; E2S 39 -98 -22 -2340; WAIT 40 4 4 160");
}
END_TEST

/* In seconds of 10^9 ns: A runs 0-1, polls from then on up to 4, is preempted to 6, runs to 7, waits to 300007, and runs to
 * 300008: PRE 2 s and WAIT 300000 s, which is more than 2^48 ns. Then it has PRE of 5 ns. */
START_TEST (intervals_may_be_short_long_and_longer)
{
#define S "000000000"
  expect_both (SCALE "0,C,0,T,A,0,start\n1" S ",C,0,T,A,0,poll\n4" S ",C,0,T,A,0,preempt\n6" S ",C,0,T,A,0,resume\n"
                     "7" S ",C,0,T,A,0,wait\n300007" S ",C,0,T,A,0,release\n300007" S ",C,0,T,A,0,resume\n"
                     "300008" S ",C,0,T,A,0,preempt\n300008000000005,C,0,T,A,0,resume\n300009000000005,C,0,T,A,0,terminate\n",
               "A",
               "CET 1 7" S " 7" S " 7" S "; GET 1 300009000000005 300009000000005 300009000000005; PRE 2 5 2" S " 2000000005; "
               "WAIT 1 300000" S " 300000" S " 300000" S "; NPR 1 2 2 2; POLL 1 3" S " 3" S " 3" S,
               "CET 1 7" S " 7" S " 7" S "; GET 1 300009000000005 300009000000005 300009000000005; PRE 2 5 2" S " 2000000005; "
               "WAIT 1 300000" S " 300000" S " 300000" S "; POLL 1 3" S " 3" S " 3" S);
}
END_TEST

/* 5000 tasks one after the other, each activated at 10 i, started 3 later, and ended 4 after that, and all that again 50000 later:
 * ST 50000 - 7, E2S 50003 - 7. */
START_TEST (elements_may_be_more_than_are_near)
{
  g_autoptr (GString) text = g_string_new (SCALE);
  static const char *const names[] = { "T0", "T63", "T4095", "T4096", "T4999" };

  for (guint i = 0; i < 10000; i++)
    g_string_append_printf (text, "%u,S,0,T,T%u,%u,activate\n%u,C,0,T,T%u,%u,start\n%u,C,0,T,T%u,%u,terminate\n", 10 * i, i % 5000,
                            i / 5000, 10 * i + 3, i % 5000, i / 5000, 10 * i + 7, i % 5000, i / 5000);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    expect_both (text->str, names[i],
                 "IPT 2 3 3 6; CET 2 4 4 8; GET 2 4 4 8; RT 2 7 7 14; DT 1 50000 50000 50000; PER 1 50000 50000 50000; "
                 "ST 1 49993 49993 49993; E2S 1 49996 49996 49996",
                 "IPT 2 3 3 6; CET 2 4 4 8; GET 2 4 4 8; RT 2 7 7 14; DT 1 50000 50000 50000; PER 1 50000 50000 50000; "
                 "ST 1 49993 49993 49993; E2S 1 49996 49996 49996");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("BTF summary");
  TCase *tests = tcase_create ("summary");

  tcase_add_test (tests, what_many_callees_have_in_common_counts_for_each);
  tcase_add_test (tests, intervals_may_be_short_long_and_longer);
  tcase_add_test (tests, elements_may_be_more_than_are_near);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
