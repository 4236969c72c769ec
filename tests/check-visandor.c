/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "unit.h"
#include "visandor-fixture.h"

/* VisAndOr traces, from lines to instances and figures. */

static VisReading *
read_file (const char *name, const TsOptions *options)
{
  g_autofree char *path = g_build_filename (g_getenv ("TS_SRCDIR"), "tests", "traces", name, NULL);
  g_autofree char *text = NULL;

  ck_assert (g_file_get_contents (path, &text, NULL, NULL));
  return vis_reading_new (text, -1, 0, 0, options);
}

static const char *
name_of (const VisReading *reading, const TsInstance *instance)
{
  return ts_system_get_element (reading->system, instance->element)->name;
}

/* and_fib5_p3.vis, by hand: a goal runs from its START_GOAL, from each JOIN that is its, up to
 * its next FORK or its FINISH_GOAL; it waits from FORK to JOIN. Whose a FORK is: that of the
 * goal that runs on the agent. Stamps without their first 123642:
 *
 *  no  goal   FORK   runs                              waits for
 *   1  (0,0)  0552   0568-1450  5251-5529  agent 0     node 3: 3801
 *   2  (0,1)  0552   0614-0986  4906-4969  agent 2     node 1: 3920
 *   3  (1,0)  0986   0990-1324  4833-4898  agent 2     node 2: 3509
 *   4  (1,1)  0986   1095-1340             agent 1
 *   5  (2,0)  1324   1343-1752             agent 2
 *   6  (2,1)  1324   1378-2228             agent 1
 *   7  (3,0)  1450   1461-1681  4935-5234  agent 0     node 4: 3254
 *   8  (4,0)  1681   1692-2252  4742-4899  agent 0     node 5: 2490
 *   9  (4,1)  1681   1786-2178             agent 2
 *  10  (3,1)  1450   2220-2349  4744-4795  agent 2     node 6: 2395
 *  11  (5,0)  2252   2259-3236             agent 0
 *  12  (6,0)  2349   2362-3360             agent 2
 *  13  (5,1)  2252   2380-4195             agent 1
 *  14  (6,2)  2349   3273-4717             agent 0
 *  15  (6,1)  2349   3380-4466             agent 2
 *  root              0313-0552  5558-5564  agent 0     node 0: 5006
 *
 * Work of the goals 11626 and of the root 245: T1 = 11871 in a window of 5251.
 * Critical path: root 245, (0,0) 1160, (3,0) 519, (4,0) 717, (5,1) 1815: Tinf = 4456. The other
 * ways are shorter: (0,1) 435 + (1,0) 399 + (2,1) 850 = 1684 against 1160 + ... = 4211, and
 * (3,1) 180 + (6,2) 1444 = 1624 against 519 + 717 + 1815. */
START_TEST (and_parallel_sample_worked_out_by_hand)
{
  static const Expected goals[] = {
    { TS_TYPE_ROOT, 1, -1, 313, 5564, 245, 0, 5006 },    { TS_TYPE_GOAL, 1, 552, 568, 5529, 1160, 0, 3801 },
    { TS_TYPE_GOAL, 2, 552, 614, 4969, 435, 0, 3920 },   { TS_TYPE_GOAL, 3, 986, 990, 4898, 399, 0, 3509 },
    { TS_TYPE_GOAL, 4, 986, 1095, 1340, 245, 0, 0 },     { TS_TYPE_GOAL, 5, 1324, 1343, 1752, 409, 0, 0 },
    { TS_TYPE_GOAL, 6, 1324, 1378, 2228, 850, 0, 0 },    { TS_TYPE_GOAL, 7, 1450, 1461, 5234, 519, 0, 3254 },
    { TS_TYPE_GOAL, 8, 1681, 1692, 4899, 717, 0, 2490 }, { TS_TYPE_GOAL, 9, 1681, 1786, 2178, 392, 0, 0 },
    { TS_TYPE_GOAL, 10, 1450, 2220, 4795, 180, 0, 2395 }, { TS_TYPE_GOAL, 11, 2252, 2259, 3236, 977, 0, 0 },
    { TS_TYPE_GOAL, 12, 2349, 2362, 3360, 998, 0, 0 },   { TS_TYPE_GOAL, 13, 2252, 2380, 4195, 1815, 0, 0 },
    { TS_TYPE_GOAL, 14, 2349, 3273, 4717, 1444, 0, 0 },  { TS_TYPE_GOAL, 15, 2349, 3380, 4466, 1086, 0, 0 },
    /* AGENT_BUSY 0314 to AGENT_IDLE 5563 */
    { TS_TYPE_AGENT, 1, -1, 314, 5563, 5249, 0, 0 },
  };
  g_autoptr (VisReading) reading = read_file ("and_fib5_p3.vis", NULL);

  ck_assert_uint_eq (reading->instances->len, 17);
  for (guint i = 0; i < G_N_ELEMENTS (goals); i++)
    expect (reading, 1236420000, &goals[i]);
  ck_assert (!ts_diagnostics_are_refused (reading->diagnostics, NULL));
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_ASSUMED_TIME_UNIT), 1);
  expect_cell (reading, "parallelism", 0, "window", "5251");
  expect_cell (reading, "parallelism", 0, "work", "11871");
  expect_cell (reading, "parallelism", 0, "critical_path", "4456");
  expect_cell (reading, "parallelism", 0, "maximum", "3");
  expect_cell (reading, "parallelism", 0, "agents", "3");
  expect_cell (reading, "parallelism", 0, "goals", "15");
  /* agent 0: root 245, (0,0), (3,0), (4,0), (5,0), (6,2); rows in order of appearance: 0, 2, 1 */
  expect_cell (reading, "agents", 0, "busy", "5062");
  expect_cell (reading, "agents", 1, "busy", "3899");
  expect_cell (reading, "agents", 2, "busy", "2910");
  /* nobody: the gaps between FORK and the first START, and at joins, 94 in all */
  expect_cell (reading, "profile", 0, "time", "94");
  expect_cell (reading, "profile", 1, "time", "1182");
  expect_cell (reading, "profile", 2, "time", "1236");
  expect_cell (reading, "profile", 3, "time", "2739");
}
END_TEST

/* andorra_seed.vis: the root runs 4000-4983, until it makes branch (0,0) public. That one starts
 * at 6980 and runs until it splits into node 1 at 607254 (times from 1851000000, so 464000 is
 * the start); nobody starts the three new branches. Slaves: agent 2 468986-585113, agent 3
 * 470934-579464, agent 4 472687-582489, agent 3 592863-601909, agent 2 594589-598307, agent 4
 * 596377-599906. Path: root 983, then (0,0) 140274, or a slave in parallel to it: 141257. */
START_TEST (andorra_sample_worked_out_by_hand)
{
  static const Expected all[] = {
    { TS_TYPE_ROOT, 1, -1, 464000, 464983, 983, 0, 0 },
    { TS_TYPE_BRANCH, 1, 464983, 466980, 607254, 140274, 0, 0 },
    { TS_TYPE_SLAVE, 1, -1, 468986, 585113, 116127, 0, 0 },
    { TS_TYPE_SLAVE, 2, -1, 470934, 579464, 108530, 0, 0 },
    { TS_TYPE_SLAVE, 3, -1, 472687, 582489, 109802, 0, 0 },
    { TS_TYPE_SLAVE, 4, -1, 592863, 601909, 9046, 0, 0 },
    { TS_TYPE_SLAVE, 5, -1, 594589, 598307, 3718, 0, 0 },
    { TS_TYPE_SLAVE, 6, -1, 596377, 599906, 3529, 0, 0 },
  };
  g_autoptr (VisReading) reading = read_file ("andorra_seed.vis", NULL);

  ck_assert_uint_eq (reading->instances->len, 8);
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    expect (reading, 1851000000, &all[i]);
  ck_assert (!ts_diagnostics_are_refused (reading->diagnostics, NULL));
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NEVER_STARTED), 3);
  /* 983 + 140274 + 116127 + 108530 + 109802 + 9046 + 3718 + 3529 */
  expect_cell (reading, "parallelism", 0, "work", "492009");
  expect_cell (reading, "parallelism", 0, "critical_path", "141257");
  expect_cell (reading, "parallelism", 0, "maximum", "4");
}
END_TEST

/* or_seed_a.vis, from 1851720000: the root (agent 0) splits at 561, though agent 2 writes that;
 * (4,0) runs 3086-10390 on agent 2 and succeeds; (4,1) runs 6142-43787 on agent 3 and splits
 * into node 5, of which nothing starts. */
START_TEST (or_parallel_sample_worked_out_by_hand)
{
  static const Expected all[] = {
    { TS_TYPE_ROOT, 1, -1, 0, 561, 561, 0, 0 },
    { TS_TYPE_BRANCH, 1, 561, 3086, 10390, 7304, 0, 0 },
    { TS_TYPE_BRANCH, 2, 561, 6142, 43787, 37645, 0, 0 },
  };
  g_autoptr (VisReading) reading = read_file ("or_seed_a.vis", NULL);

  ck_assert_uint_eq (reading->instances->len, 3);
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    expect (reading, 1851720000, &all[i]);
  ck_assert (!ts_diagnostics_are_refused (reading->diagnostics, NULL));
  expect_cell (reading, "parallelism", 0, "succeeded", "1");
  expect_cell (reading, "parallelism", 0, "critical_path", "38206");
}
END_TEST

/* One thing is wrong in each, in the line given; nothing else is a defect. */
static const struct
{
  const char    *text;
  TsDiagnosticId id;
  guint64        line;
  const char    *reason; /* NULL: not looked at */
} wrong[] = {
  { AND "5 6 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_BAD_EVENT, 3, "the agent is missing or not a number" },
  { AND "-5 7 0 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_BAD_EVENT, 3, "the time is not a number of decimal digits" },
  { AND "5.5 7 0 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_BAD_EVENT, 3, "the time is not a number of decimal digits" },
  { AND "5 7. 0 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_BAD_EVENT, 3, "the code of the event is missing or not a number" },
  { AND "5 7 0 0 G 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_BAD_EVENT, 3, "the WAM is missing or not a hexadecimal number" },
  { AND "5 7 0G 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_BAD_EVENT, 3, "the node is missing or not a hexadecimal number" },
  { AND "5 7 0 A 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_BAD_EVENT, 3, "the fourth field is missing or not a number" },
  { AND "5 7 0 0 0 A\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_BAD_EVENT, 3, "the agent is missing or not a number" },
  { AND "5 7 0 0 0 -1\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_BAD_EVENT, 3, "the agent is negative" },
  { AND "5 7 0 0 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_BAD_EVENT, 3, "there is something after the sixth number" },
  { AND "5 7 0 0 0 0 > a comment\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_BAD_EVENT, 3, "there is something after the sixth number" },
  { AND "5 7 11112222333344445 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_BAD_EVENT, 3, "the node is missing or not a hexadecimal number" },
  { AND "5 7 0 99999999999 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_BAD_EVENT, 3, "the fourth field is missing or not a number" },
  { AND "5 7 0x 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_BAD_EVENT, 3, "the node is missing or not a hexadecimal number" },
  { AND "\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_UNKNOWN_CONTENT, 3 },
  { AND "5 11 0 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_UNKNOWN_CODE, 3 },
  { AND "5 -1 0 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_UNKNOWN_CODE, 3 },
  { AND "5 20 1 1 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_WRONG_PARALLELISM, 3 },
  { OR "5 1 1 1 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_WRONG_PARALLELISM, 3 },
  { "0\n1 7 0 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_NO_START_TIME, 2 },
  { AND "5 5 0 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_SECOND_START_TIME, 3 },
  { AND "5 7 0 0 0 0\n", TS_DIAGNOSTIC_NO_STOP_TIME, 3 },
  { AND "5 6 0 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_AFTER_STOP_TIME, 4 },
  { AND "0 7 0 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_EQUAL_STAMPS, 3 },
  { AND "5 7 0 0 0 0\n3 9 0 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_BACKWARDS, 4 },
  { AND "5 1 1 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_BAD_FORK, 3 },
  { AND "5 1 1 -2 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_BAD_FORK, 3 },
  { AND "5 1 1 1 0 0\n6 1 1 1 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_NODE_OPEN, 4 },
  { OR "5 20 1 2 0 0\n6 21 1 0 0 0\n7 22 1 0 0 0\n8 20 1 1 1 1\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_LOST_BRANCH, 6 },
  { AND "5 1 1 1 0 0\n6 2 1 0 1 1\n7 3 1 0 1 1\n8 1 1 1 0 0\n9 2 1 0 1 1\n10 3 1 0 1 1\n11 4 1 1 0 0\n12 6 0 0 0 0\n", TS_DIAGNOSTIC_LOST_JOIN, 6 },
  { AND "5 1 1 1 0 0\n6 1 2 1 1 1\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_NO_FATHER, 4 },
  { AND "5 2 1 0 1 1\n8 3 1 0 1 1\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_NO_FORK, 3 },
  { AND "5 2 1 -1 1 1\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_UNKNOWN_NODE, 3 },
  { AND "5 2 1 65536 1 1\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_UNKNOWN_NODE, 3 },
  { AND "5 3 1 0 1 1\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_UNKNOWN_NODE, 3 },
  { AND "5 4 1 2 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_UNKNOWN_NODE, 3 },
  { AND "5 1 1 1 0 0\n6 2 1 1 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_BAD_TASK, 4 },
  { AND "5 1 1 1 0 0\n6 2 1 -1 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_BAD_TASK, 4 },
  { AND "5 1 1 1 0 0\n6 2 1 0 0 0\n7 2 1 0 1 1\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_STARTED_TWICE, 5 },
  { AND "5 1 1 1 0 0\n7 3 1 0 1 1\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_MISSING_START, 4 },
  { AND "5 1 1 1 0 0\n6 2 1 0 0 0\n7 3 1 0 0 0\n8 3 1 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_REDUNDANT_END, 6 },
  { AND "4 1 1 1 0 0\n5 2 1 0 0 0\n6 1 2 1 0 0\n7 3 1 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_END_WHILE_PREEMPTED, 6 },
  { AND "4 1 1 1 0 0\n5 2 1 0 1 1\n6 4 1 1 0 0\n7 3 1 0 1 1\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_EARLY_JOIN, 5 },
  { AND "4 1 1 1 0 0\n5 2 1 0 1 1\n6 3 1 0 1 1\n7 4 1 7 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_JOIN_FIELD, 6 },
  { OR "4 20 1 1 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_NEVER_STARTED, 3 },
  { AND "4 1 1 1 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_OPEN_FORK, 3 },
  { AND "4 1 1 1 0 0\n5 2 1 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_OPEN_TASK, 4 },
  { AND "4 1 1 2 0 0\n5 2 1 0 0 0\n6 2 1 1 0 0\n7 3 1 0 0 0\n8 3 1 1 0 0\n9 4 1 2 0 0\n12 6 0 0 0 0\n", TS_DIAGNOSTIC_OVERLAP, 5 },
  { AND "4 1 1 2 0 0\n5 2 1 0 0 0\n6 2 1 1 0 0\n7 3 1 1 0 0\n8 3 1 0 0 0\n9 4 1 2 0 0\n12 6 0 0 0 0\n", TS_DIAGNOSTIC_OVERLAP, 5 },
  { AND "5 8 0 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_REDUNDANT_END, 3 },
  { AND "4 7 0 0 0 0\n5 7 0 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_MISSING_END, 4 },
  { AND "4 7 0 0 1 0\n9 6 0 0 1 0\n", TS_DIAGNOSTIC_WAM_CHANGED, 3 },
  { AND "4 7 0 0 10 10\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_WAM_IN_DECIMAL, 3 },
  { AND "4 1 1 1 0 0\n5 2 1 0 1 1\n6 3 1 0 1 1\n7 4 1 1 0 0\n8 1 1 1 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_REUSED_NODE, 7 },
  { OR "4 20 1 1 0 0\n5 21 1 0 0 0\n6 22 1 0 1 1\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_WRONG_AGENT, 5 },
  { OR "4 20 1 1 0 0\n5 21 1 0 0 0\n6 24 1 0 1 1\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_WRONG_AGENT, 5 },
  { OR "4 20 1 2 0 0\n5 21 1 1 0 0\n6 24 1 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_REDUNDANT_PREEMPT, 5 },
  { OR "4 20 1 1 0 0\n6 24 1 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_MISSING_START, 4 },
  { OR "4 20 1 1 0 0\n5 21 1 0 0 0\n6 25 1 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_REDUNDANT_RESUME, 5 },
  { OR "4 20 1 1 0 0\n5 21 1 0 0 0\n6 24 1 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_NOT_RESUMED, 5 },
  { OR "4 20 1 1 0 0\n5 26 1 0 0 0\n6 21 1 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_NO_FORK, 5 },
  { OR "4 20 1 2 0 0\n5 26 1 0 0 0\n6 21 1 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_STARTED_TWICE, 5 },
  { OR "4 20 1 1 0 0\n5 21 1 0 0 0\n6 33 1 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_SLAVE_ELSEWHERE, 5 },
  { OR "4 20 1 1 0 0\n5 21 1 0 0 0\n6 33 1 0 1 1\n7 33 1 0 1 1\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_MISSING_END, 6 },
  { OR "4 20 1 1 0 0\n5 21 1 0 0 0\n6 34 1 0 1 1\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_SLAVE_ELSEWHERE, 5 },
  { OR "4 20 1 1 0 0\n5 21 1 0 0 0\n6 33 1 0 1 1\n7 22 1 0 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_SLAVES_LEFT, 6 },
  { OR "4 20 1 1 0 0\n5 21 1 0 0 0\n6 33 1 0 1 1\n7 20 2 1 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_SLAVES_LEFT, 6 },
  { OR "4 33 1 0 1 1\n6 34 1 0 1 1\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_NO_FORK, 3 },
  { OR "3 20 1 2 0 0\n4 21 1 0 0 0\n5 22 1 0 0 0\n6 33 1 0 1 1\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_UNKNOWN_NODE, 6 },
  { AND "9 6 0 0 0 0\n12 7 0 0", TS_DIAGNOSTIC_TRUNCATED, 4 },
  { "0\n1 5 0 0 0 0 \n9 6 0 0 0 0 \n12 7 0 0 0 1", TS_DIAGNOSTIC_TRUNCATED, 4 },
  { "0\r\n1 5 0 0 0 0 \r\n9 6 0 0 0 0 \r\n12 7 0 0 0 1", TS_DIAGNOSTIC_TRUNCATED, 4 },
};

START_TEST (whatever_is_wrong_is_counted_with_its_line)
{
  g_autoptr (VisReading) reading = read_text (wrong[_i].text);
  const TsDiagnostic *entry = &reading->diagnostics->entries[wrong[_i].id];

  ck_assert_msg (entry->count == 1, "%s in %s: %lu", ts_diagnostic_info (wrong[_i].id)->name, wrong[_i].text,
                 (gulong) entry->count);
  ck_assert_uint_eq (entry->line, wrong[_i].line);
  if (wrong[_i].reason != NULL)
    ck_assert_str_eq (entry->detail, wrong[_i].reason);
  for (guint id = 0; id < TS_N_DIAGNOSTICS; id++)
    if (id != (guint) wrong[_i].id && ts_diagnostic_info (id)->severity == TS_SEVERITY_DEFECT)
      ck_assert_msg (count_of (reading, id) == 0, "%s in %s", ts_diagnostic_info (id)->name, wrong[_i].text);
}
END_TEST

/* The agent of the last line may have been 12. */
START_TEST (a_last_line_without_an_end_may_be_cut)
{
  static const struct
  {
    const char *text;
    guint64     count;
  } cases[] = { { AND "4 1 1 1 0 0\n5 2 1 0 1 1", 1 },       { AND "4 1 1 1 0 0\n5 2 1 0 1 1\n", 0 },
                { AND "4 1 1 1 0 0\n5 2 1 0 1 1\r", 1 },     { AND "4 1 1 1 0 0\n9 6 0 0 0 0", 0 },
                { AND "4 1 1 1 0 0\n9 6 0 0 0 0\n \t", 0 },   { "0\n1 5 0 0 0 0 \n4 1 1 1 0 0 ", 1 },
                { "0\n1 5 0 0 0 0 \n9 6 0 0 0 0", 0 },          { "0\n1 5 0 0 0 0\n4 1 1 1 0 0 \n5 2 1 0 1 1", 1 },
                { "0\r\n1 5 0 0 0 0\r\n4 1 1 1 0 0", 1 },     { "0\r\n1 5 0 0 0 0 \r\n4 1 1 1 0 0 \r", 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (VisReading) reading = read_text (cases[i].text);

      ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NO_LINE_END), cases[i].count);
    }
}
END_TEST

/* Of three goals the first one to be forked lost its start, and ends second: each has a number of its own. */
START_TEST (a_goal_that_lost_its_start_has_a_number_like_others)
{
  g_autoptr (VisReading) reading = read_text (AND "4 1 1 3 0 0\n5 2 1 1 1 1\n6 2 1 2 2 2\n7 3 1 1 1 1\n8 3 1 0 0 0\n"
                                                  "9 3 1 2 2 2\n10 4 1 3 0 0\n12 6 0 0 0 0\n");
  const gint64 numbers[] = { 1, 3, 2 };

  ck_assert_uint_eq (reading->instances->len, 4); /* and the root */
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    ck_assert_int_eq (g_array_index (reading->instances, TsInstance, i).number, numbers[i]);
}
END_TEST

START_TEST (what_makes_no_sense_at_all_is_an_error)
{
  static const struct
  {
    const char *text;
    int         code;
    const char *message;
  } cases[] = {
    { "", TS_ERROR_FORMAT, "x.vis:1: the input is empty" },
    { "2\n0 5 0 0 0 0\n", TS_ERROR_FORMAT, "x.vis:1: the first line is neither 0" },
    { "00\n0 5 0 0 0 0\n", TS_ERROR_FORMAT, "x.vis:1: the first line is neither 0" },
    { " 3\n0 5 0 0 0 0\n", TS_ERROR_FORMAT, "x.vis:1: the first line is neither 0" },
    { "0 5 0 0 0 0\n", TS_ERROR_FORMAT, "x.vis:1: the first line is neither 0" },
    { AND "2305843009213693953 7 0 0 0 0\n", TS_ERROR_RANGE, "x.vis:3: the time is beyond 2^61" },
    { AND "99999999999999999999999 7 0 0 0 0\n", TS_ERROR_RANGE, "x.vis:3: the time is beyond 2^61" },
    { AND "5 1 1 65537 0 0\n", TS_ERROR_RANGE, "x.vis:3: a fork of more than 65536 tasks" },
  };
  g_autoptr (VisReading) reading = vis_reading_new (cases[_i].text, -1, 0, 0, NULL);

  ck_assert_ptr_nonnull (reading->error);
  ck_assert_msg (g_error_matches (reading->error, TS_ERROR, cases[_i].code), "%s", reading->error->message);
  ck_assert_msg (g_str_has_prefix (reading->error->message, cases[_i].message), "%s", reading->error->message);
}
END_TEST

START_TEST (every_way_to_write_a_line_is_the_same)
{
  static const char *const texts[] = {
    "0\n1 5 0 0 0 0\n2 1 1F 1 A 10\n3 2 1F 0 A 10\n9 6 0 0 0 0\n",
    "0\r\n1 5 0 0 0 0\r\n2 1 1f 1 a 10\r\n3 2 0x1F 0 0xA 10\r\n9 6 0 0 0 0\r\n",
    "0 \n         1 5 0 0 0 0 \n         2 1 1F 1 A 10 \n   3\t2  00001f 0 a 10 \n9 6 0 0 0 0 ",
    "0\n0001 05 0 -0 0 0\n00000000000000000000000000002 1 1F 1 A 10\n3 2 0X1f 0 A 10\n9 6 0 0 0 0",
    "\357\273\2770\n1 5 0 0 0 0\n2 1 1F 1 A 10\n3 2 1F 0 A 10\n9 6 0 0 0 0\n",
  };
  g_autoptr (VisReading) first = read_text (texts[0]);
  g_autoptr (VisReading) other = read_text (texts[_i]);
  g_autofree char *first_text = vis_reading_dump (first);
  g_autofree char *other_text = vis_reading_dump (other);

  ck_assert_str_eq (other_text, first_text);
}
END_TEST

START_TEST (limits_hold_at_the_limit_and_not_one_beyond)
{
  g_autofree char *blanks = g_strnfill (4096 - 10 + 1, ' ');
  g_autofree char *at = g_strdup_printf (AND "5%s7 0 0 0 0\n9 6 0 0 0 0\n", blanks + 1);
  g_autofree char *beyond = g_strdup_printf (AND "5%s7 0 0 0 0\n9 6 0 0 0 0\n", blanks);

  for (gsize chunk = 0; chunk < 8; chunk += 7)
    {
      g_autoptr (VisReading) good = vis_reading_new (at, -1, chunk, 0, NULL);
      g_autoptr (VisReading) bad = vis_reading_new (beyond, -1, chunk, 0, NULL);

      ck_assert_ptr_null (good->error);
      ck_assert_ptr_nonnull (bad->error);
      ck_assert_str_eq (bad->error->message, "x.vis:3: a line of more than 4096 bytes");
    }
}
END_TEST

START_TEST (a_branch_that_is_cut_before_its_start_has_failed)
{
  g_autoptr (VisReading) reading = read_text (OR "10 20 A 2 0 0\n20 26 A 1 1 1\n21 27 A 1 1 1\n30 21 A 0 1 1\n"
                                                 "40 26 A 0 2 2\n50 22 A 0 1 1\n60 6 0 0 0 0\n");
  TsElementCounts counts = { 0 };

  for (guint i = 0; i < ts_system_n_elements (reading->system); i++)
    if (ts_system_get_element (reading->system, i)->type == TS_TYPE_BRANCH)
      counts = ts_timeline_counts (reading->timeline, i);
  ck_assert_uint_eq (counts.activations, 1);
  ck_assert_uint_eq (counts.failed, 1);
  ck_assert_uint_eq (counts.pending, 0);
  /* the cut of the running one does not end it */
  expect (reading, 0, &(Expected){ TS_TYPE_BRANCH, 1, 10, 30, 50, 20, 0, 0 });
  expect_cell (reading, "parallelism", 0, "cut", "2");
  expect_cell (reading, "parallelism", 0, "leaf_cuts", "1");
}
END_TEST

/* Each of 65,538 nodes is forked, done and joined. The ids of the first 65,536 of them are remembered: the first and the
 * last one of these are noticed when they are used again, as often as they are. */
START_TEST (so_many_ids_of_nodes_are_remembered)
{
  static const guint again[] = { 1, 65536, 65537, 1, 65537 };
  const TsOptions    plain = { .no_scanner = _i % 2 == 1 };
  const guint64      first_id = _i >= 2 ? G_GUINT64_CONSTANT (0x7f0000000000) : 0;
  g_autoptr (GString) text = g_string_new ("0\n0 5 0 0 0 0\n");
  g_autoptr (VisReading) reading = NULL;
  guint64 time = 1;

  for (guint i = 1; i <= 65538 + G_N_ELEMENTS (again); i++)
    {
      guint64 id = first_id + (i <= 65538 ? i : again[i - 65539]);

      for (guint code = 1; code <= 4; code++)
        g_string_append_printf (text, "%" G_GUINT64_FORMAT " %u %" G_GINT64_MODIFIER "X %u 0 0\n", time++, code, id,
                                (guint) (code % 3 == 1));
    }
  g_string_append_printf (text, "%" G_GUINT64_FORMAT " 6 0 0 0 0\n", time);
  reading = vis_reading_new (text->str, (gssize) text->len, 0, 0, &plain);
  /* 1, 65536 and 1 */
  ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_REUSED_NODE].count, 3);
  ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_REUSED_NODE].line, 3 + 4 * 65538);
}
END_TEST

/* By 1 and then by 2: of a stream the largest step is not known before the end. */
START_TEST (the_largest_step_back_is_told_wherever_it_is)
{
  static const char mixed[] = AND "4 1 1 2 0 0\n6 2 1 0 0 0\n5 2 1 1 1 1\n9 3 1 0 0 0\n7 3 1 1 1 1\n10 4 1 2 0 0\n12 6 0 0 0 0\n";
  TsOptions           sorting = { .sort = TRUE };
  const VisReadingFlags flags[] = { 0, VIS_READING_OF_STREAM };
  g_autoptr (VisReading) reading = vis_reading_new (mixed, -1, 0, flags[_i], &sorting);
  const TsDiagnostic *steps = &reading->diagnostics->entries[TS_DIAGNOSTIC_BACKWARDS];

  ck_assert_uint_eq (steps->count, 2);
  ck_assert_uint_eq (steps->line, 5);
  ck_assert_str_eq (steps->detail, "largest step back: 2 ticks behind the latest event before");
}
END_TEST

START_TEST (time_that_goes_back_is_sorted_before_it_is_understood)
{
  static const char sorted[] = AND "4 1 1 2 0 0\n5 2 1 0 0 0\n6 2 1 1 1 1\n7 3 1 1 1 1\n8 3 1 0 0 0\n9 4 1 2 0 0\n12 6 0 0 0 0\n";
  static const char mixed[] = AND "5 2 1 0 0 0\n8 3 1 0 0 0\n9 4 1 2 0 0\n4 1 1 2 0 0\n6 2 1 1 1 1\n7 3 1 1 1 1\n12 6 0 0 0 0\n";
  TsOptions sorting = { .sort = TRUE };
  g_autoptr (VisReading) good = read_text (sorted);
  g_autoptr (VisReading) file = read_text (mixed);
  g_autoptr (VisReading) stream = vis_reading_new (mixed, -1, 0, VIS_READING_OF_STREAM, NULL);
  g_autoptr (VisReading) held = vis_reading_new (mixed, -1, 0, VIS_READING_OF_STREAM, &sorting);

  ck_assert_uint_eq (file->n_readings, 2);
  ck_assert_uint_eq (count_of (file, TS_DIAGNOSTIC_BACKWARDS), 1);
  ck_assert_str_eq (file->diagnostics->entries[TS_DIAGNOSTIC_BACKWARDS].detail, "largest step back: 5 ticks behind the latest event before");
  ck_assert_uint_eq (count_of (held, TS_DIAGNOSTIC_BACKWARDS), 1);
  for (guint i = 0; i < good->instances->len; i++)
    {
      TsInstance a = g_array_index (good->instances, TsInstance, i);

      a.line = 0;
      for (guint k = 0; k < 2; k++)
        {
          TsInstance b = g_array_index (k == 0 ? file->instances : held->instances, TsInstance, i);

          b.line = 0;
          ck_assert (memcmp (&a, &b, sizeof a) == 0);
        }
    }
  ck_assert_uint_eq (count_of (stream, TS_DIAGNOSTIC_LATE_EVENT), 3);
}
END_TEST

/* The goal that starts at @start is instance @number of @name. */
static void
expect_group (const VisReading *reading, gint64 start, const char *name, gint64 number)
{
  for (guint i = 0; i < reading->instances->len; i++)
    {
      const TsInstance *x = &g_array_index (reading->instances, TsInstance, i);

      if (x->start != 1236420000 + start)
        continue;
      ck_assert_str_eq (name_of (reading, x), name);
      ck_assert_int_eq (x->number, number);
      /* whatever the group: no activation is lost on the way */
      ck_assert (x->flags & TS_INSTANCE_HAS_ACTIVATION);
      return;
    }
  ck_abort ();
}

START_TEST (instances_are_grouped_as_the_user_wants)
{
  static const struct
  {
    const char *group, *goal_1, *goal_6, *root, *agent;
    gint64      number_6; /* of those before it (0,1) and (1,1) are of task 1, (1,1) of agent 1, (2,0) of node 2 and depth 3 */
  } cases[] = {
    { NULL, "goal", "goal", "root", "agent", 6 },
    { "kind", "goal", "goal", "root", "agent", 6 },
    { "node", "node 0", "node 2", "root", "agent", 2 },
    { "field", "task 0", "task 1", "root", "agent", 3 },
    { "agent", "agent 0", "agent 1", "root", "agent 0", 2 },
    { "depth", "depth 1", "depth 3", "root", "agent", 2 },
  };
  TsOptions options = { .group = (char *) cases[_i].group, .time_unit = (char *) "ns" };
  g_autoptr (VisReading) reading = read_file ("and_fib5_p3.vis", &options);

  ck_assert_ptr_null (reading->error);
  expect_group (reading, 568, cases[_i].goal_1, 1);
  expect_group (reading, 1378, cases[_i].goal_6, cases[_i].number_6);
  ck_assert_str_eq (name_of (reading, find (reading, TS_TYPE_ROOT, 1)), cases[_i].root);
  ck_assert_str_eq (name_of (reading, find (reading, TS_TYPE_AGENT, 1)), cases[_i].agent);
  ck_assert_int_eq (ts_system_time_base (reading->system)->exponent, -9);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_ASSUMED_TIME_UNIT), 0);
  ck_assert (!ts_diagnostics_are_refused (reading->diagnostics, NULL));
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_PENDING), 0);
}
END_TEST

/* Of three goals that were forked, one starts: nobody knows which agent would have taken the others, so by agent there is no
 * PER; in one group they were activated at one instant, the third 5 later. */
START_TEST (what_no_agent_took_has_no_period_by_agent)
{
  TsOptions options = { .group = (char *) (_i == 0 ? "agent" : "kind") };
  g_autoptr (VisReading) reading
      = vis_reading_new ("0\n14 5 0 0 0 0\n15 1 A 2 0 0\n16 2 A 1 0 0\n20 1 B 1 0 0\n30 6 0 0 0 0\n", -1, 0, 0, &options);
  guint  n = 0;
  gint64 sum = 0;

  ck_assert_ptr_null (reading->error);
  for (guint i = 0; i < reading->intervals->len; i++)
    {
      const TsInterval *interval = &g_array_index (reading->intervals, TsInterval, i);

      n += interval->kind == TS_INTERVAL_PER;
      sum += interval->kind == TS_INTERVAL_PER ? interval->value : 0;
    }
  ck_assert_uint_eq (n, _i == 0 ? 0 : 2);
  ck_assert_int_eq (sum, _i == 0 ? 0 : 5);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_PENDING), 2);
}
END_TEST

START_TEST (only_a_flag_and_six_numbers_are_bid_for)
{
  static const struct
  {
    const char *head;
    int         bid;
  } cases[] = {
    { "0\n1 5 0 0 0 0\n", 100 }, { "1\r\n  1236 5 F 0 a 0 \r\n", 100 }, { "1\n1 5 0 0 0 0", 100 },
    { "0\n", 0 },                { "0", 0 },                            { "0\n1 5 0 0 0\n", 0 },
    { "0\n1,5,0,0,0,0\n", 0 },   { "", 0 },                             { "0\n1 5 0 0 0 0 0\n", 0 },
    { " 0 \n1 7 0 0 0 0\n", 100 },
    /* one line is damaged, or several */
    { "0\n\n1 5 0 0 0 0\n", 60 }, { "0\nx\n1 5 0 0 0\n2 7 0 0 0 0\n", 60 }, { "0\n\n\n\n\n\n\n\n\n1 5 0 0 0 0\n", 0 },
    /* the first line is missing, or is not what it should be */
    { "1 5 0 0 0 0\n2 7 0 0 0 0\n", 30 }, { "2\n1 5 0 0 0 0\n", 30 }, { "2\n1 7 0 0 0 0\n", 0 },
    { "1 7 0 0 0 0\n2 7 0 0 0 0\n", 0 },  { "00\n1 5 0 0 0 0\n", 0 },
    { "\357\273\2771\r\n1 5 0 0 0 0\r\n", 100 },
    /* times that are too large to be read */
    { "0\n5000000000000000000 5 0 0 0 0\n", 100 }, { "0\n99999999999999999999 5 0 0 0 0\n", 100 },
  };
  gsize              length = strlen (cases[_i].head);
  g_autofree guint8 *copy = g_memdup2 (cases[_i].head, MAX (length, 1));

  ck_assert_int_eq (ts_importer_visandor.bid (copy, length), cases[_i].bid);
}
END_TEST

START_TEST (chunks_make_no_difference)
{
  static const char *const files[] = { "and_fib5_p3.vis", "andorra_seed.vis", "or_seed_a.vis" };
  static const gsize       chunks[] = { 1, 2, 3, 5, 7, 64 };
  g_autofree char *path = g_build_filename (g_getenv ("TS_SRCDIR"), "tests", "traces", files[_i], NULL);
  g_autofree char *text = NULL;

  ck_assert (g_file_get_contents (path, &text, NULL, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (chunks); i++)
    {
      g_autoptr (VisReading) whole = vis_reading_new (text, -1, 0, 0, NULL);
      g_autoptr (VisReading) parts = vis_reading_new (text, -1, chunks[i], 0, NULL);
      g_autofree char *a = vis_reading_dump (whole);
      g_autofree char *b = vis_reading_dump (parts);

      ck_assert_str_eq (a, b);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("visandor");
  TCase *tests = tcase_create ("visandor");

  tcase_add_test (tests, and_parallel_sample_worked_out_by_hand);
  tcase_add_test (tests, andorra_sample_worked_out_by_hand);
  tcase_add_test (tests, or_parallel_sample_worked_out_by_hand);
  tcase_add_loop_test (tests, whatever_is_wrong_is_counted_with_its_line, 0, (int) G_N_ELEMENTS (wrong));
  tcase_add_test (tests, a_last_line_without_an_end_may_be_cut);
  tcase_add_test (tests, a_goal_that_lost_its_start_has_a_number_like_others);
  tcase_add_loop_test (tests, what_makes_no_sense_at_all_is_an_error, 0, 8);
  tcase_add_loop_test (tests, every_way_to_write_a_line_is_the_same, 0, 5);
  tcase_add_test (tests, limits_hold_at_the_limit_and_not_one_beyond);
  tcase_add_test (tests, a_branch_that_is_cut_before_its_start_has_failed);
  tcase_add_loop_test (tests, so_many_ids_of_nodes_are_remembered, 0, 4);
  tcase_add_loop_test (tests, the_largest_step_back_is_told_wherever_it_is, 0, 2);
  tcase_add_test (tests, time_that_goes_back_is_sorted_before_it_is_understood);
  tcase_add_loop_test (tests, instances_are_grouped_as_the_user_wants, 0, 6);
  tcase_add_loop_test (tests, what_no_agent_took_has_no_period_by_agent, 0, 2);
  tcase_add_loop_test (tests, only_a_flag_and_six_numbers_are_bid_for, 0, 21);
  tcase_add_loop_test (tests, chunks_make_no_difference, 0, 3);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
