/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "unit.h"
#include "visandor-fixture.h"
#include "visandor-programs.h"

/* Lines that are lost. A task whose end is has neither CET nor GET nor RT (METRICS, rule 8), and takes nothing from any other. */

/* The first fork of A lacks its JOIN: the root is known to run again when it forks A anew. 0-5, and 31-40. */
START_TEST (a_join_may_be_lost)
{
  g_autoptr (VisReading) reading
      = read_text ("0\n0 5 0 0 0 0\n5 1 A 1 0 0\n6 2 A 0 1 1\n10 3 A 0 1 1\n20 1 A 1 0 0\n22 2 A 0 1 1\n30 3 A 0 1 1\n31 4 A 1 0 0\n"
                   "40 6 0 0 0 0\n");

  expect (reading, 0, &(Expected){ TS_TYPE_ROOT, 1, -1, 0, 40, 14, 0, 26 });
  expect (reading, 0, &(Expected){ TS_TYPE_GOAL, 1, 5, 6, 10, 4, 0, 0 });
  expect (reading, 0, &(Expected){ TS_TYPE_GOAL, 2, 20, 22, 30, 8, 0, 0 });
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_LOST_JOIN), 1);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NODE_OPEN), 0);
}
END_TEST

/* A program that has lost ends, and what is expected of it. */
typedef struct
{
  const char *text, *work, *busy[3];
  guint       n_missing, n_overlaps;
  Expected    all[4];
} Lossy;

static VisReading *
read_lossy (const Lossy *lossy, gboolean no_scanner)
{
  const TsOptions options = { .no_scanner = no_scanner };
  VisReading     *reading = vis_reading_new (lossy->text, -1, 0, 0, &options);

  for (guint i = 0; i < 4 && lossy->all[i].number > 0; i++)
    expect (reading, 0, &lossy->all[i]);
  expect_cell (reading, "parallelism", 0, "work", lossy->work);
  for (guint i = 0; i < 3 && lossy->busy[i] != NULL; i++)
    expect_cell (reading, "agents", i, "busy", lossy->busy[i]);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_MISSING_END), lossy->n_missing);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_OVERLAP), lossy->n_overlaps);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_OPEN_TASK), 0);
  return reading;
}

/* When A is joined at 30, goal 2 has run on agent 1 since 12, or goal 1 on agent 0 since 11: that has no end, and was over by
 * then, unless its end is only late. */
#define FORKED "0\n0 5 0 0 0 0\n10 1 A 2 0 0\n11 2 A 0 0 0\n12 2 A 1 1 1\n"
#define JOINED "30 4 A 2 0 0\n"
#define AGAIN "40 1 B 2 0 0\n41 2 B 0 0 0\n42 2 B 1 1 1\n50 3 B 0 0 0\n52 3 B 1 1 1\n55 4 B 2 0 0\n60 6 0 0 0 0\n"

static const Lossy goals[] = {
  { FORKED "20 3 A 0 0 0\n" JOINED AGAIN, "71", { "43", "28" }, 1, 0,
    { { TS_TYPE_GOAL, 1, 10, 11, 20, 9, 0, 0 }, { TS_TYPE_GOAL, 3, 40, 41, 50, 9, 0, 0 }, { TS_TYPE_GOAL, 4, 40, 42, 52, 10, 0, 0 } } },
  { FORKED "20 3 A 0 0 0\n" JOINED "32 3 A 1 1 1\n" AGAIN, "73", { "43", "30" }, 0, 0,
    { { TS_TYPE_GOAL, 1, 10, 11, 20, 9, 0, 0 }, { TS_TYPE_GOAL, 2, 10, 12, 32, 20, 0, 0 }, { TS_TYPE_GOAL, 4, 40, 42, 52, 10, 0, 0 } } },
  { FORKED "25 3 A 1 1 1\n" JOINED AGAIN, "76", { "53", "23" }, 1, 0,
    { { TS_TYPE_GOAL, 2, 10, 12, 25, 13, 0, 0 }, { TS_TYPE_GOAL, 3, 40, 41, 50, 9, 0, 0 }, { TS_TYPE_GOAL, 4, 40, 42, 52, 10, 0, 0 } } },
  /* agent 1 forks: what runs there is the root, from 30 on, if the JOIN is there */
  { FORKED "20 3 A 0 0 0\n30 4 A 2 1 1\n40 1 B 1 1 1\n41 2 B 0 1 1\n50 3 B 0 1 1\n55 4 B 1 1 1\n60 6 0 0 1 1\n", "61", { "19", "42" }, 1, 0,
    { { TS_TYPE_GOAL, 1, 10, 11, 20, 9, 0, 0 }, { TS_TYPE_GOAL, 3, 40, 41, 50, 9, 0, 0 } } },
  /* nothing comes behind the JOIN */
  { FORKED "20 3 A 0 0 0\n" JOINED "60 6 0 0 0 0\n", "67", { "49", "18" }, 1, 0,
    { { TS_TYPE_GOAL, 1, 10, 11, 20, 9, 0, 0 } } },
  /* goal 2 forks, is joined and ends, which is only late: 12-31 and 36-37 */
  { FORKED "20 3 A 0 0 0\n" JOINED "31 1 B 1 1 1\n32 2 B 0 2 2\n35 3 B 0 2 2\n36 4 B 1 1 1\n37 3 A 1 1 1\n60 6 0 0 0 0\n", "72",
    { "49", "20", "3" }, 0, 0, { { TS_TYPE_GOAL, 2, 10, 12, 37, 20, 0, 5 } } },
};

START_TEST (a_goal_that_lost_its_end_is_over_when_its_fork_is_joined)
{
  g_autoptr (VisReading) reading = read_lossy (&goals[_i / 2], _i % 2);

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_EARLY_JOIN), 1);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_REUSED_NODE), 0);
}
END_TEST

/* Of what can be read but once it is not known in time: goal 2 runs to the end, and beside goal 4. */
START_TEST (a_stream_does_not_tell_in_time_what_has_lost_its_end)
{
  g_autoptr (VisReading) reading = vis_reading_new (goals[0].text, -1, 0, VIS_READING_OF_STREAM, NULL);

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_MISSING_END), 1);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_KNOWN_LATE), 1);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_OVERLAP), 1);
  expect (reading, 0, &goals[0].all[2]);
}
END_TEST

/* Branch 1 runs on agent 1 from 10 on, and branch 2 from 30 to 40; what agent 2 runs is branch 3, and agent 1 helps with that from
 * 45 to 48. An agent runs one at a time, so branch 1 was over at 30, unless it has an end. */
#define SPLIT "1\n0 5 0 0 0 0\n5 20 A 3 0 0\n10 21 A 0 1 1\n12 21 A 2 2 2\n30 21 A 1 1 1\n40 22 A 1 1 1\n"

static const Lossy branches[] = {
  { SPLIT "45 33 A 2 1 1\n48 34 A 2 1 1\n55 22 A 2 2 2\n60 6 0 0 0 0\n", "81", { "5", "33", "43" }, 1, 0,
    { { TS_TYPE_BRANCH, 2, 5, 12, 55, 43, 0, 0 }, { TS_TYPE_BRANCH, 3, 5, 30, 40, 10, 0, 0 }, { TS_TYPE_SLAVE, 1, -1, 45, 48, 3, 0, 0 } } },
  /* the trace is cut off */
  { SPLIT "55 22 A 2 2 2\n", "78", { "5", "30", "43" }, 1, 0,
    { { TS_TYPE_BRANCH, 2, 5, 12, 55, 43, 0, 0 }, { TS_TYPE_BRANCH, 3, 5, 30, 40, 10, 0, 0 } } },
  /* it has an end: then it ran beside the other one */
  { SPLIT "50 22 A 0 1 1\n55 22 A 2 2 2\n60 6 0 0 0 0\n", "98", { "5", "40", "43" }, 0, 1,
    { { TS_TYPE_BRANCH, 1, 5, 10, 50, 40, 0, 0 }, { TS_TYPE_BRANCH, 3, 5, 30, 40, 10, 0, 0 } } },
  /* or is suspended, and goes on elsewhere */
  { SPLIT "50 24 A 0 1 1\n52 25 A 0 0 0\n54 22 A 0 0 0\n55 22 A 2 2 2\n60 6 0 0 0 0\n", "100", { "7", "40", "43" }, 0, 1,
    { { TS_TYPE_BRANCH, 1, 5, 10, 54, 42, 2, 0 }, { TS_TYPE_BRANCH, 3, 5, 30, 40, 10, 0, 0 } } },
  /* a slave begins where branch 1 ran */
  { "1\n0 5 0 0 0 0\n5 20 A 2 0 0\n10 21 A 0 1 1\n12 21 A 1 2 2\n45 33 A 1 1 1\n70 34 A 1 1 1\n72 22 A 1 2 2\n90 6 0 0 0 0\n", "125",
    { "5", "60", "60" }, 1, 0, { { TS_TYPE_BRANCH, 2, 5, 12, 72, 60, 0, 0 }, { TS_TYPE_SLAVE, 1, -1, 45, 70, 25, 0, 0 } } },
  /* another one ran there for no time */
  { "1\n0 5 0 0 0 0\n5 20 A 2 0 0\n10 21 A 0 1 1\n30 21 A 1 1 1\n30 22 A 1 1 1\n70 22 A 0 1 1\n90 6 0 0 0 0\n", "65", { "5", "60" }, 0, 0,
    { { TS_TYPE_BRANCH, 1, 5, 10, 70, 60, 0, 0 }, { TS_TYPE_BRANCH, 2, 5, 30, 30, 0, 0, 0 } } },
};

START_TEST (a_branch_that_lost_its_end_is_over_when_another_one_runs_there)
{
  g_autoptr (VisReading) reading = read_lossy (&branches[_i / 2], _i % 2);

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_SLAVE_ELSEWHERE), 0);
}
END_TEST

/* A is forked, and branch 1 runs on agent 1 from 10 on; branch 2 runs on agent 2 and forks B, of which branch 3 runs there and forks
 * A again at 30. So by then branch 1 is over. */
#define A_B "5 20 A 2 0 0\n10 21 A 0 1 1\n12 21 A 1 2 2\n"
#define A_AGAIN "30 20 A 1 2 2\n31 21 A 0 2 2\n40 22 A 0 2 2\n60 6 0 0 0 0\n"

static const struct
{
  Lossy lossy;
  guint n_lost_branches, n_never_started, n_repeated, n_fatherless, n_suspensions;
} nodes[] = {
  /* it was over at 20, when branch 4 began there */
  { { OR A_B "15 20 B 2 2 2\n16 21 B 0 2 2\n20 21 B 1 1 1\n25 23 B 1 1 1\n" A_AGAIN, "46", { "5", "15", "26" }, 1, 0,
      { { TS_TYPE_BRANCH, 2, 5, 12, 15, 3, 0, 0 }, { TS_TYPE_BRANCH, 3, 15, 16, 30, 14, 0, 0 }, { TS_TYPE_BRANCH, 4, 15, 20, 25, 5, 0, 0 },
        { TS_TYPE_BRANCH, 5, 30, 31, 40, 9, 0, 0 } } } },
  /* nothing else has run there: 10-30 */
  { { OR A_B "15 20 B 1 2 2\n16 21 B 0 2 2\n" A_AGAIN, "51", { "5", "20", "26" }, 1, 0,
      { { TS_TYPE_BRANCH, 2, 5, 12, 15, 3, 0, 0 }, { TS_TYPE_BRANCH, 3, 15, 16, 30, 14, 0, 0 }, { TS_TYPE_BRANCH, 4, 30, 31, 40, 9, 0, 0 } } },
    .n_lost_branches = 1 },
  /* it has not begun: its cut is lost */
  { { OR "5 20 A 2 0 0\n12 21 A 1 2 2\n15 20 B 1 2 2\n16 21 B 0 2 2\n" A_AGAIN, "31", { "5", "26" }, 0, 0,
      { { TS_TYPE_BRANCH, 2, 15, 16, 30, 14, 0, 0 }, { TS_TYPE_BRANCH, 3, 30, 31, 40, 9, 0, 0 } } },
    .n_lost_branches = 1, .n_never_started = 1 },
  /* it has ended, and A is open for nothing but B, and B for C, in which an end is lost: that of branch 5, 22-50 */
  { { OR A_B "14 23 A 0 1 1\n15 20 B 2 2 2\n16 21 B 0 2 2\n20 21 B 1 1 1\n21 20 C 2 1 1\n22 21 C 0 1 1\n30 20 A 1 2 2\n31 21 A 0 2 2\n40 22 A 0 2 2\n"
      "50 21 C 1 1 1\n55 22 C 1 1 1\n60 6 0 0 0 0\n", "69", { "5", "38", "26" }, 1, 0,
      { { TS_TYPE_BRANCH, 1, 5, 10, 14, 4, 0, 0 }, { TS_TYPE_BRANCH, 4, 15, 20, 21, 1, 0, 0 }, { TS_TYPE_BRANCH, 6, 30, 31, 40, 9, 0, 0 },
        { TS_TYPE_BRANCH, 7, 21, 50, 55, 5, 0, 0 } } } },
  /* the same line twice */
  { { OR "5 20 A 1 0 0\n5 20 A 1 0 0\n10 21 A 0 1 1\n20 22 A 0 1 1\n60 6 0 0 0 0\n", "15", { "5", "10" }, 0, 0,
      { { TS_TYPE_BRANCH, 1, 5, 10, 20, 10, 0, 0 } } },
    .n_repeated = 1 },
  /* who forks B has lost its start: it is not branch 1, which was over when branch 2 began there */
  { { OR "5 20 A 3 0 0\n10 21 A 0 1 1\n20 21 A 1 1 1\n25 22 A 1 1 1\n30 20 B 1 1 1\n31 21 B 0 1 1\n40 22 B 0 1 1\n60 6 0 0 0 0\n", "29",
      { "5", "24" }, 1, 0, { { TS_TYPE_BRANCH, 2, 5, 20, 25, 5, 0, 0 }, { TS_TYPE_BRANCH, 3, 30, 31, 40, 9, 0, 0 } } },
    .n_never_started = 1, .n_fatherless = 1 },
  /* but it may be branch 3, where branch 1 has ended beside another one, too */
  { { OR "5 20 A 4 0 0\n10 21 A 0 1 1\n20 21 A 1 1 1\n25 22 A 1 1 1\n28 22 A 0 1 1\n40 21 A 2 1 1\n45 21 A 3 1 1\n48 22 A 3 1 1\n50 20 B 1 1 1\n"
      "51 21 B 0 1 1\n55 22 B 0 1 1\n60 6 0 0 0 0\n", "45", { "5", "32" }, 0, 2,
      { { TS_TYPE_BRANCH, 1, 5, 10, 28, 18, 0, 0 }, { TS_TYPE_BRANCH, 2, 5, 20, 25, 5, 0, 0 }, { TS_TYPE_BRANCH, 3, 5, 40, 50, 10, 0, 0 },
        { TS_TYPE_BRANCH, 4, 5, 45, 48, 3, 0, 0 } } } },
  /* branch 1 is resumed on agent 2: so it was suspended when branch 2 began where it ran */
  { { OR "5 20 A 2 0 0\n10 21 A 0 1 1\n20 21 A 1 1 1\n25 22 A 1 1 1\n30 25 A 0 2 2\n40 22 A 0 2 2\n60 6 0 0 0 0\n", "30", { "5", "15", "10" },
      0, 0, { { TS_TYPE_BRANCH, 1, 5, 10, 40, 20, 10, 0 }, { TS_TYPE_BRANCH, 2, 5, 20, 25, 5, 0, 0 } } },
    .n_suspensions = 1 },
};

START_TEST (a_node_that_is_forked_again_is_over)
{
  g_autoptr (VisReading) reading = read_lossy (&nodes[_i / 2].lossy, _i % 2);

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_LOST_BRANCH), nodes[_i / 2].n_lost_branches);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NEVER_STARTED), nodes[_i / 2].n_never_started);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NODE_OPEN), nodes[_i / 2].n_repeated);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NO_FATHER), nodes[_i / 2].n_fatherless);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_LOST_SUSPENSION), nodes[_i / 2].n_suspensions);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_REDUNDANT_RESUME), 0);
}
END_TEST

/* Where all can be read but once, nobody knows any more when branch 1 was suspended: it has no CET. */
START_TEST (a_stream_does_not_tell_in_time_that_a_suspension_is_lost)
{
  g_autoptr (VisReading) reading = vis_reading_new (nodes[7].lossy.text, -1, 0, VIS_READING_OF_STREAM, NULL);
  const TsInstance      *branch = find (reading, TS_TYPE_BRANCH, 1);

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_LOST_SUSPENSION), 1);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_REDUNDANT_RESUME), 0);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_KNOWN_LATE), 1);
  ck_assert_ptr_nonnull (branch);
  ck_assert_int_eq (branch->start, 10);
  ck_assert_int_eq (branch->end, 40);
  ck_assert_uint_ne (branch->flags & TS_INSTANCE_NO_CET, 0);
}
END_TEST

/* Goal 1 forks E on agent 1 at 10 or before, which is lost, and goes on at the JOIN at 30. */
#define E_STARTS "11 2 E 0 0 0\n12 2 E 1 2 2\n"
#define E_ENDS "20 3 E 0 0 0\n25 3 E 1 2 2\n30 4 E 2 1 1\n35 3 A 0 1 1\n"

static const Lossy forks[] = {
  /* it waits from 11 on, when the first goal of E starts */
  { AND "5 1 A 2 0 0\n6 2 A 0 1 1\n7 2 A 1 2 2\n9 3 A 1 2 2\n" E_STARTS
        E_ENDS "36 4 A 2 0 0\n40 6 0 0 0 0\n", "43", { "18", "10", "15" }, 0, 0,
    { { TS_TYPE_ROOT, 1, -1, 0, 40, 9, 0, 31 }, { TS_TYPE_GOAL, 1, 5, 6, 35, 10, 0, 19 }, { TS_TYPE_GOAL, 3, -1, 11, 20, 9, 0, 0 },
      { TS_TYPE_GOAL, 4, -1, 12, 25, 13, 0, 0 } } },
  /* from 10 on, when its agent does something else */
  { AND "5 1 A 3 0 0\n6 2 A 0 1 1\n7 2 A 1 2 2\n9 3 A 1 2 2\n10 2 A 2 1 1\n" E_STARTS "14 3 A 2 1 1\n"
        E_ENDS "36 4 A 3 0 0\n40 6 0 0 0 0\n", "46", { "18", "13", "15" }, 0, 0,
    { { TS_TYPE_ROOT, 1, -1, 0, 40, 9, 0, 31 }, { TS_TYPE_GOAL, 1, 5, 6, 35, 9, 0, 20 }, { TS_TYPE_GOAL, 3, 5, 10, 14, 4, 0, 0 } } },
  /* it goes on on agent 2 */
  { AND "5 1 A 2 0 0\n6 2 A 0 1 1\n7 2 A 1 2 2\n9 3 A 1 2 2\n" E_STARTS
        "20 3 E 0 0 0\n25 3 E 1 2 2\n30 4 E 2 2 2\n35 3 A 0 2 2\n36 4 A 2 0 0\n40 6 0 0 0 0\n", "43", { "18", "5", "20" }, 0, 0,
    { { TS_TYPE_ROOT, 1, -1, 0, 40, 9, 0, 31 }, { TS_TYPE_GOAL, 1, 5, 6, 35, 10, 0, 19 }, { TS_TYPE_GOAL, 3, -1, 11, 20, 9, 0, 0 } } },
  /* and forks once more there, and ends where it began: 6-11, 30-31 and 34-35 */
  { AND "5 1 A 2 0 0\n6 2 A 0 1 1\n7 2 A 1 2 2\n9 3 A 1 2 2\n" E_STARTS
        "20 3 E 0 0 0\n25 3 E 1 2 2\n30 4 E 2 2 2\n31 1 F 1 2 2\n32 2 F 0 1 1\n33 3 F 0 1 1\n34 4 F 1 1 1\n35 3 A 0 1 1\n"
        "36 4 A 2 0 0\n40 6 0 0 0 0\n", "41", { "18", "7", "16" }, 0, 0,
    { { TS_TYPE_ROOT, 1, -1, 0, 40, 9, 0, 31 }, { TS_TYPE_GOAL, 1, 5, 6, 35, 7, 0, 22 }, { TS_TYPE_GOAL, 5, 31, 32, 33, 1, 0, 0 } } },
  /* the root forked */
  { AND "6 2 A 0 1 1\n20 3 A 0 1 1\n25 4 A 1 0 0\n40 6 0 0 0 0\n", "35", { "21", "14" }, 0, 0,
    { { TS_TYPE_ROOT, 1, -1, 0, 40, 21, 0, 19 }, { TS_TYPE_GOAL, 1, -1, 6, 20, 14, 0, 0 } } },
};

START_TEST (a_join_tells_who_forked)
{
  g_autoptr (VisReading) reading = read_lossy (&forks[_i / 2], _i % 2);

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NO_FORK), _i / 2 == 4 ? 1 : 2);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_NODE), 0);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_END_WHILE_PREEMPTED), 0);
}
END_TEST

/* Goal 1 forks B, and its JOIN is lost, too; goal 3 forks E on the same agent, and it is that which is joined: 12-14 and 18-20. */
START_TEST (a_join_is_of_those_that_wait_for_it)
{
  g_autoptr (VisReading) reading
      = read_text (AND "5 1 A 2 0 0\n6 2 A 0 1 1\n8 2 B 0 1 1\n9 3 B 0 1 1\n12 2 A 1 1 1\n14 2 E 0 2 2\n16 3 E 0 2 2\n18 4 E 1 1 1\n"
                       "20 3 A 1 1 1\n22 3 A 0 1 1\n23 4 A 2 0 0\n40 6 0 0 0 0\n");

  expect (reading, 0, &(Expected){ TS_TYPE_GOAL, 3, 5, 12, 20, 4, 0, 4 });
  expect_cell (reading, "parallelism", 0, "work", "31"); /* 22 of the root, 6-8, 8-9, 4 and 2 */
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_END_WHILE_PREEMPTED), 1);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_NODE), 0);
}
END_TEST

START_TEST (a_stream_does_not_tell_in_time_who_forked)
{
  g_autoptr (VisReading) reading = vis_reading_new (forks[0].text, -1, 0, VIS_READING_OF_STREAM, NULL);

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_NODE), 1);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_KNOWN_LATE), 1);
  expect (reading, 0, &(Expected){ TS_TYPE_GOAL, 1, 5, 6, 35, 29, 0, 0 });
}
END_TEST

/* Both the JOIN of the first A and an end in it are lost: the root goes on when it forks A again, and goal 1 was over at 9. */
START_TEST (a_join_may_be_lost_with_an_end)
{
  g_autoptr (VisReading) reading = read_text (AND "5 1 A 2 0 0\n6 2 A 0 1 1\n9 2 A 1 1 1\n12 3 A 1 1 1\n20 1 A 1 0 0\n22 2 A 0 1 1\n30 3 A 0 1 1\n"
                                                  "31 4 A 1 0 0\n40 6 0 0 0 0\n");

  expect (reading, 0, &(Expected){ TS_TYPE_ROOT, 1, -1, 0, 40, 14, 0, 26 });
  expect (reading, 0, &(Expected){ TS_TYPE_GOAL, 2, 5, 9, 12, 3, 0, 0 });
  expect (reading, 0, &(Expected){ TS_TYPE_GOAL, 3, 20, 22, 30, 8, 0, 0 });
  expect_cell (reading, "parallelism", 0, "work", "28"); /* 14, 3, 3 and 8 */
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_LOST_JOIN), 1);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_MISSING_END), 1);
}
END_TEST

/* One line is wrong, or several are, and each is taken for what the others say. */
static const Lossy wrong[] = {
  /* a fork stands twice, at one stamp with the first start or behind it */
  { AND "10 1 A 2 0 0\n10 1 A 2 0 0\n10 2 A 0 1 1\n20 2 A 1 2 2\n30 3 A 0 1 1\n31 3 A 1 2 2\n40 4 A 2 0 0\n50 6 0 0 0 0\n", "51", { "20", "20", "11" },
    0, 0, { { TS_TYPE_GOAL, 1, 10, 10, 30, 20, 0, 0 }, { TS_TYPE_GOAL, 2, 10, 20, 31, 11, 0, 0 } } },
  { AND "10 1 A 2 0 0\n10 2 A 0 1 1\n10 1 A 2 0 0\n20 2 A 1 2 2\n30 3 A 0 1 1\n31 3 A 1 2 2\n40 4 A 2 0 0\n50 6 0 0 0 0\n", "51", { "20", "20", "11" },
    0, 0, { { TS_TYPE_GOAL, 1, 10, 10, 30, 20, 0, 0 }, { TS_TYPE_GOAL, 2, 10, 20, 31, 11, 0, 0 } } },
  { OR "10 20 A 2 0 0\n10 20 A 2 0 0\n10 21 A 0 1 1\n20 21 A 1 2 2\n30 22 A 0 1 1\n31 22 A 1 2 2\n50 6 0 0 0 0\n", "41", { "10", "20", "11" }, 0, 0,
    { { TS_TYPE_BRANCH, 1, 10, 10, 30, 20, 0, 0 }, { TS_TYPE_BRANCH, 2, 10, 20, 31, 11, 0, 0 } } },
  /* goal 2 forks B at 15, where the line says A: so it waits from 16 on, when B starts on its agent */
  { AND "10 1 A 2 0 0\n11 2 A 0 0 0\n12 2 A 1 1 1\n15 1 A 2 1 1\n16 2 B 0 1 1\n17 2 B 1 2 2\n20 3 A 0 0 0\n30 3 B 0 1 1\n31 3 B 1 2 2\n"
        "32 4 B 2 1 1\n40 3 A 1 1 1\n45 4 A 2 0 0\n50 6 0 0 0 0\n", "64", { "24", "26", "14" }, 0, 0,
    { { TS_TYPE_GOAL, 1, 10, 11, 20, 9, 0, 0 }, { TS_TYPE_GOAL, 2, 10, 12, 40, 12, 0, 16 } } },
  /* branch 1 forks A once more, whatever it truly is called: its brother is not over */
  { OR "10 20 A 2 0 0\n11 21 A 0 1 1\n12 21 A 1 2 2\n15 20 A 2 1 1\n20 22 A 0 1 1\n30 22 A 1 2 2\n50 6 0 0 0 0\n", "37", { "10", "9", "18" }, 0, 0,
    { { TS_TYPE_BRANCH, 1, 10, 11, 20, 9, 0, 0 }, { TS_TYPE_BRANCH, 2, 10, 12, 30, 18, 0, 0 } } },
  /* branch 2 runs on agent 2, as its end says: so branch 1 forks B */
  { OR "5 20 A 2 0 0\n10 21 A 0 1 1\n12 21 A 1 1 1\n25 22 A 1 2 2\n30 20 B 1 1 1\n31 21 B 0 1 1\n40 22 B 0 1 1\n60 6 0 0 0 0\n", "47", { "5", "29" },
    0, 1, { { TS_TYPE_BRANCH, 1, 5, 10, 30, 20, 0, 0 }, { TS_TYPE_BRANCH, 3, 30, 31, 40, 9, 0, 0 } } },
  /* a slave of agent 3 begins on agent 1, for all that is written */
  { OR "5 20 A 2 0 0\n10 21 A 0 1 1\n12 21 A 1 2 2\n20 33 A 1 1 1\n25 34 A 1 3 3\n30 20 B 1 1 1\n31 21 B 0 1 1\n40 22 B 0 1 1\n45 22 A 1 2 2\n"
       "60 6 0 0 0 0\n", "67", { "5", "29", "33" }, 0, 0, { { TS_TYPE_BRANCH, 1, 5, 10, 30, 20, 0, 0 }, { TS_TYPE_BRANCH, 2, 5, 12, 45, 33, 0, 0 } } },
  /* what lost its end was over when A was joined, also if A is forked again before another one begins there */
  { FORKED "20 3 A 0 0 0\n" JOINED "40 1 A 2 0 0\n41 2 A 0 0 0\n42 2 A 1 1 1\n50 3 A 0 0 0\n52 3 A 1 1 1\n55 4 A 2 0 0\n60 6 0 0 0 0\n", "71",
    { "43", "28" }, 1, 0,
    { { TS_TYPE_GOAL, 1, 10, 11, 20, 9, 0, 0 }, { TS_TYPE_GOAL, 3, 40, 41, 50, 9, 0, 0 }, { TS_TYPE_GOAL, 4, 40, 42, 52, 10, 0, 0 } } },
  /* a suspension is lost at 20, the line of 50 is late, and what began at 100 has no end: it was over at 120 */
  { OR "5 20 A 9 0 0\n10 21 A 0 1 1\n20 21 A 1 1 1\n25 22 A 1 1 1\n30 25 A 0 2 2\n40 22 A 0 2 2\n60 21 A 2 3 3\n50 21 A 3 5 5\n70 22 A 3 5 5\n"
       "100 21 A 4 4 4\n120 21 A 5 4 4\n130 22 A 5 4 4\n150 22 A 2 3 3\n155 21 A 6 6 6\n156 22 A 6 6 6\n157 21 A 7 6 6\n158 22 A 7 6 6\n159 26 A 8 6 6\n"
       "200 6 0 0 0 0\n", "172", { "5", "15", "10" }, 1, 0,
    { { TS_TYPE_BRANCH, 1, 5, 10, 40, 20, 10, 0 }, { TS_TYPE_BRANCH, 3, 5, 50, 70, 20, 0, 0 }, { TS_TYPE_BRANCH, 6, 5, 120, 130, 10, 0, 0 } } },
  /* a suspension is lost at 11, and branch 3, which splits at 50 behind another one, has an end of its own at 80 */
  { OR "5 20 A 5 0 0\n10 21 A 3 3 3\n11 21 A 4 3 3\n12 22 A 4 3 3\n13 25 A 3 3 3\n14 22 A 3 3 3\n20 21 A 0 1 1\n30 21 A 1 1 1\n40 22 A 1 1 1\n"
       "50 20 B 1 1 1\n60 21 B 0 1 1\n70 22 B 0 1 1\n80 22 A 0 1 1\n90 21 A 2 2 2\n95 22 A 2 2 2\n100 6 0 0 0 0\n", "63", { "5", "3", "40" }, 0, 1,
    { { TS_TYPE_BRANCH, 1, 5, 10, 14, 2, 2, 0 }, { TS_TYPE_BRANCH, 3, 5, 20, 80, 30, 0, 30 }, { TS_TYPE_BRANCH, 5, 50, 60, 70, 10, 0, 0 } } },
};

START_TEST (what_is_wrong_takes_nothing_else)
{
  g_autoptr (VisReading) reading = read_lossy (&wrong[_i / 2], _i % 2);

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NODE_OPEN), _i / 2 < 5);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_LOST_BRANCH), 0);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_LOST_JOIN), 0);
}
END_TEST

/* How instances are grouped changes nothing of what is found. */
START_TEST (groups_find_the_same)
{
  static const TsDiagnosticId ids[] = { TS_DIAGNOSTIC_NODE_OPEN, TS_DIAGNOSTIC_LOST_BRANCH, TS_DIAGNOSTIC_LOST_JOIN, TS_DIAGNOSTIC_LOST_SUSPENSION,
                                        TS_DIAGNOSTIC_MISSING_END, TS_DIAGNOSTIC_OVERLAP, TS_DIAGNOSTIC_NO_FORK, TS_DIAGNOSTIC_NO_FATHER };
  static const char *const groups[] = { "node", "field", "agent", "depth" };
  const char *text = _i < (int) G_N_ELEMENTS (wrong) ? wrong[_i].text : nodes[_i - (int) G_N_ELEMENTS (wrong)].lossy.text;
  g_autoptr (VisReading) by_kind = read_text (text);
  g_autofree char *work = vis_reading_cell (by_kind, "parallelism", 0, "work");

  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      const TsOptions options = { .group = (char *) groups[i] };
      g_autoptr (VisReading) reading = vis_reading_new (text, -1, 0, 0, &options);

      for (guint k = 0; k < G_N_ELEMENTS (ids); k++)
        ck_assert_msg (count_of (reading, ids[k]) == count_of (by_kind, ids[k]), "%s by %s", ts_diagnostic_info (ids[k])->name, groups[i]);
      expect_cell (reading, "parallelism", 0, "work", work);
    }
}
END_TEST

/* How many that are over in @truth, and had nothing to do with its lost line, @reading does not know as they were. */
static guint
n_wrong (const VisReading *reading, const VisTruth *truth)
{
  g_autoptr (GHashTable) starts = g_hash_table_new (NULL, NULL);
  guint n = 0;

  for (guint i = 0; i < reading->instances->len; i++)
    {
      TsInstance   *x = &g_array_index (reading->instances, TsInstance, i);
      TsElementType type = ts_system_get_element (reading->system, x->element)->type;

      if (type == TS_TYPE_GOAL || type == TS_TYPE_BRANCH)
        g_hash_table_insert (starts, GSIZE_TO_POINTER ((gsize) x->start), x);
    }
  for (guint i = 1; i < truth->tasks->len; i++)
    {
      const VisTask    *task = g_ptr_array_index (truth->tasks, i);
      const TsInstance *x = g_hash_table_lookup (starts, GSIZE_TO_POINTER ((gsize) task->start));

      if (task->started && (task->state == VIS_ENDED || task->state == VIS_SPLIT))
        n += x == NULL || x->status != TS_STATUS_COMPLETE || x->running != task->running
             || x->end != (task->state == VIS_SPLIT ? task->since : task->end);
    }
  return n;
}

/* Of programs that use few ids over and over, any one line is lost: it takes the task that it is of, and the one that forked that. */
START_TEST (a_lost_line_takes_little_else)
{
  VisProgram program = make_program (_i);
  GString   *text = g_string_new (NULL);
  g_auto (GStrv) lines = NULL;
  g_autoptr (VisTruth) truth = NULL;

  program.fresh_ids = FALSE;
  program.splits_end = FALSE;
  program.max_events = 0;
  program.n_tasks = 120;
  program.n_agents = 2 + (guint) _i % 6;
  truth = vis_simulate (&program, text, NULL);
  lines = g_strsplit (text->str, "\n", -1);
  for (guint i = 2; lines[i + 2] != NULL; i++)
    {
      g_autoptr (VisReading) reading = NULL;

      g_string_truncate (text, 0);
      for (guint k = 0; lines[k] != NULL; k++)
        if (k != i)
          g_string_append_printf (text, "%s\n", lines[k]);
      reading = vis_reading_new (text->str, -1, 0, 0, NULL);
      ck_assert (reading->error == NULL);
      ck_assert_msg (n_wrong (reading, truth) <= 2, "%u are wrong without line %u: %s", n_wrong (reading, truth), i + 1, lines[i]);
    }
  g_string_free (text, TRUE);
}
END_TEST

/* A branch is activated at 2, has lost its START_BRANCH, and is suspended on agent 1 at 10; goes on on agent 2 from 20 to 30, and
 * on agent 3 from 34 to 50. So what it ran before 10 is not known, and its PRE are 10 and 4, its RT is 48; the fork of it was
 * one, so PER of the second branch, activated at 52, is 50. Where another branch runs on agent 1, it is rather that one that is
 * suspended there, and the first that is known of this one is that it is suspended at 30. */
START_TEST (a_branch_that_is_suspended_has_started)
{
  const char *other = _i % 2 == 0 ? "" : "9 21 2 0 1 1\n";
  g_autofree char *text = g_strdup_printf ("1\n1 5 0 0 0 0\n2 20 1 1 0 0\n%s%s10 24 1 0 1 1\n20 25 1 0 2 2\n30 24 1 0 2 2\n"
                                           "34 25 1 0 3 3\n50 22 1 0 3 3\n52 20 3 1 4 4\n53 21 3 0 4 4\n54 22 3 0 4 4\n"
                                           "60 6 0 0 0 0\n", _i % 2 == 0 ? "" : "2 20 2 1 4 4\n", other);
  const TsOptions        plain = { .no_scanner = _i >= 2 };
  g_autoptr (VisReading) reading = vis_reading_new (text, -1, 0, 0, &plain);
  const TsInstance      *branch;

  ck_assert_ptr_null (reading->error);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_MISSING_START), 1);
  if (_i % 2 > 0)
    {
      ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_REDUNDANT_PREEMPT), 1);
      ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_REDUNDANT_RESUME), 1);
      /* agent 4 was seen before agent 1 */
      expect_cell (reading, "agents", 3, "busy", "0");
      expect_cell (reading, "agents", 4, "busy", "16");
      return;
    }
  branch = find (reading, TS_TYPE_BRANCH, 1);
  ck_assert_ptr_nonnull (branch);
  ck_assert_int_eq (branch->activation, 2);
  ck_assert_int_eq (branch->end, 50);
  ck_assert_int_eq (branch->preempted, 14);
  ck_assert_uint_eq (branch->n_preemptions, 2);
  ck_assert_uint_eq (branch->flags & TS_INSTANCE_HAS_START, 0);
  expect (reading, 0, &(Expected){ TS_TYPE_BRANCH, 2, 52, 53, 54, 1, 0, 0 });
  ck_assert_int_eq (find (reading, TS_TYPE_BRANCH, 2)->per, 50);
  expect_cell (reading, "agents", 1, "busy", "0");
  expect_cell (reading, "agents", 2, "busy", "10");
  expect_cell (reading, "agents", 3, "busy", "16");
  expect_cell (reading, "parallelism", 0, "suspensions", "2");
}
END_TEST

/* However instances are put together, and where preemptions are inferred, too, it runs where it does. */
START_TEST (a_branch_that_lost_its_start_is_the_same_in_any_group)
{
  static const char *const groups[] = { "kind", "node", "field", "agent", "depth" };
  const TsOptions          options = { .group = (char *) groups[_i / 2], .infer_preemption = _i % 2 };
  g_autoptr (VisReading)   reading
      = vis_reading_new ("1\n1 5 0 0 0 0\n2 20 1 2 0 0\n10 24 1 0 1 1\n20 25 1 0 2 2\n30 24 1 0 2 2\n34 25 1 0 3 3\n40 21 1 1 1 1\n"
                         "45 22 1 1 1 1\n50 22 1 0 3 3\n60 6 0 0 0 0\n", -1, 0, 0, &options);

  ck_assert_ptr_null (reading->error);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_MISSING_START), 1);
  expect_cell (reading, "agents", 1, "busy", "5");
  expect_cell (reading, "agents", 2, "busy", "10");
  expect_cell (reading, "agents", 3, "busy", "16");
  expect_cell (reading, "parallelism", 0, "suspensions", "2");
  for (guint i = 0; i < reading->instances->len; i++)
    {
      const TsInstance *instance = &g_array_index (reading->instances, TsInstance, i);

      if (instance->end == 50)
        ck_assert_uint_eq (instance->n_preemptions, 2);
      ck_assert (instance->end != 50 || instance->activation == 2);
    }
}
END_TEST

/* By task numbers, PER of task 0 of fork 2 is 6, from the activation at 2, which is known to have been one only at 12, when it
 * starts. It is that of the first instance of these tasks, whose start is lost, as it was suspended at 10. */
START_TEST (a_period_told_late_is_that_of_the_instance)
{
  const TsOptions        options = { .group = (char *) "field" };
  g_autoptr (VisReading) reading
      = vis_reading_new ("1\n1 5 0 0 0 0\n2 20 1 2 0 0\n4 21 1 1 4 4\n8 20 2 2 4 4\n10 24 2 0 3 3\n12 21 1 0 1 1\n14 25 2 0 3 3\n"
                         "16 22 2 0 3 3\n18 22 1 0 1 1\n20 6 0 0 0 0\n", -1, 0, 0, &options);
  guint                  n = 0;

  for (guint i = 0; i < reading->intervals->len; i++)
    {
      const TsInterval *interval = &g_array_index (reading->intervals, TsInterval, i);

      if (interval->kind != TS_INTERVAL_PER || interval->at != 8 || interval->number != 1)
        continue;
      n++;
      ck_assert_int_eq (interval->value, 6);
    }
  ck_assert_uint_eq (n, 1);
}
END_TEST

/* Four siblings, of which that at 25 has lost its start: so nobody knows which one started before that at 50, and there is no DT of
 * it, and no E2S. Where all others are over before it was activated, it was the last one. */
START_TEST (siblings_start_in_any_order)
{
  g_autoptr (VisReading) reading
      = read_text ("1\n1 5 0 0 0 0\n2 20 1 4 0 0\n10 21 1 0 0 0\n20 21 1 3 1 1\n22 22 1 0 0 0\n24 22 1 3 1 1\n30 24 1 1 2 2\n"
                   "33 25 1 1 2 2\n40 22 1 1 2 2\n50 21 1 2 1 1\n55 22 1 2 1 1\n60 6 0 0 0 0\n");
  g_autoptr (VisReading) later
      = read_text ("1\n1 5 0 0 0 0\n2 20 1 2 0 0\n10 21 1 0 0 0\n12 22 1 0 0 0\n20 20 3 2 4 4\n30 24 3 0 2 2\n33 25 3 0 2 2\n"
                   "40 22 3 0 2 2\n50 21 3 1 1 1\n55 22 3 1 1 1\n60 6 0 0 0 0\n");

  for (guint i = 0; i < reading->instances->len; i++)
    {
      const TsInstance *instance = &g_array_index (reading->instances, TsInstance, i);

      if (instance->start == 50)
        ck_assert_uint_eq (instance->flags & (TS_INSTANCE_HAS_DT | TS_INSTANCE_HAS_E2S), 0);
    }
  for (guint i = 0; i < later->instances->len; i++)
    {
      const TsInstance *instance = &g_array_index (later->instances, TsInstance, i);

      if (instance->start != 50)
        continue;
      ck_assert_uint_eq (instance->flags & (TS_INSTANCE_HAS_DT | TS_INSTANCE_HAS_E2S), TS_INSTANCE_HAS_E2S);
      ck_assert_int_eq (instance->e2s, 10);
    }
}
END_TEST

/* Branch 0 of C has lost its start. It was forked at 34, when all that run had started, so it started last before 60, and ends 9
 * before. Whether an end of nobody may be that of the branch that has split, as their names tell, is the same to it. */
START_TEST (others_that_run_had_started_before_a_fork)
{
  static const char *const names[][2] = { { "C", "B" }, { "ABC", "7" }, { "C", "C" } };
  g_autofree char *text
      = g_strdup_printf ("1\n33 21 %1$s 1 1 0\n34 20 %1$s 1 1 0\n44 22 %2$s 2 1 0\n51 22 %1$s 0 2 1\n60 21 %1$s 0 2 1\n",
                         names[_i][0], names[_i][1]);
  g_autoptr (VisReading) reading = read_text (text);
  guint n = 0;

  for (guint i = 0; i < reading->instances->len; i++)
    {
      const TsInstance *instance = &g_array_index (reading->instances, TsInstance, i);

      if (instance->start != 60)
        continue;
      n++;
      ck_assert_uint_eq (instance->flags & (TS_INSTANCE_HAS_DT | TS_INSTANCE_HAS_E2S), TS_INSTANCE_HAS_E2S);
      ck_assert_int_eq (instance->e2s, 9);
    }
  ck_assert_uint_eq (n, 1);
}
END_TEST

/* A branch runs on agent 1 from 4 on, and goes on on agent 2 at 20, until 30. When it was suspended nobody knows, so it has no CET;
 * of load that is no more than what agent 1 ran. Where another one runs on agent 2, or it has just begun to run, it is rather
 * another one that goes on, and this one runs on. */
START_TEST (a_branch_that_goes_on_elsewhere_was_suspended)
{
  static const struct
  {
    const char *line, *busy;
    guint       n_lost;
  } cases[] = {
    { "20 25 1 0 2 2\n", "10", 1 },
    { "20 25 1 0 1 1\n", NULL, 0 }, /* there it runs */
    { "4 25 1 0 2 2\n", NULL, 0 },
    { "18 21 1 1 2 2\n20 25 1 0 2 2\n22 22 1 1 2 2\n", "4", 0 },
  };
  const TsOptions        plain = { .no_scanner = _i % 2 };
  g_autofree char       *text = g_strdup_printf ("1\n1 5 0 0 0 0\n2 20 1 2 0 0\n4 21 1 0 1 1\n%s30 22 1 0 %d %d\n40 6 0 0 0 0\n",
                                                 cases[_i / 2].line, cases[_i / 2].n_lost > 0 ? 2 : 1, cases[_i / 2].n_lost > 0 ? 2 : 1);
  g_autoptr (VisReading) reading = vis_reading_new (text, -1, 0, 0, &plain);
  const TsInstance      *branch;

  ck_assert_ptr_null (reading->error);
  branch = find (reading, TS_TYPE_BRANCH, 1);
  ck_assert_ptr_nonnull (branch);
  ck_assert_int_eq (branch->start, 4);
  ck_assert_int_eq (branch->end, 30);
  ck_assert_uint_eq ((branch->flags & TS_INSTANCE_NO_CET) != 0, cases[_i / 2].n_lost);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_LOST_SUSPENSION), cases[_i / 2].n_lost);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_REDUNDANT_RESUME), !cases[_i / 2].n_lost);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_WRONG_AGENT), 0);
  expect_cell (reading, "agents", 1, "busy", cases[_i / 2].n_lost > 0 ? "16" : "26");
  if (cases[_i / 2].busy != NULL)
    expect_cell (reading, "agents", 2, "busy", cases[_i / 2].busy);
}
END_TEST

/* A branch is suspended on agent 1 at 10, and on agent 2 at 20, where nobody knows since when it ran; it goes on on agent 3 from 30
 * to 50. So there is a PRE of 10, and no CET. The same line twice says nothing. */
START_TEST (a_branch_that_is_suspended_twice_went_on)
{
  const TsOptions        plain = { .no_scanner = _i % 2 };
  g_autofree char       *text = g_strdup_printf ("1\n1 5 0 0 0 0\n2 20 1 1 0 0\n4 21 1 0 1 1\n10 24 1 0 1 1\n%s30 25 1 0 3 3\n"
                                                 "50 22 1 0 3 3\n60 6 0 0 0 0\n", _i < 2 ? "20 24 1 0 2 2\n" : "10 24 1 0 1 1\n");
  g_autoptr (VisReading) reading = vis_reading_new (text, -1, 0, 0, &plain);
  const TsInstance      *branch;

  ck_assert_ptr_null (reading->error);
  branch = find (reading, TS_TYPE_BRANCH, 1);
  ck_assert_ptr_nonnull (branch);
  ck_assert_int_eq (branch->end - branch->start, 46);
  ck_assert_int_eq (branch->preempted, _i < 2 ? 10 : 20);
  ck_assert_uint_eq ((branch->flags & TS_INSTANCE_NO_CET) != 0, _i < 2);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_LOST_RESUMPTION), _i < 2);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_REDUNDANT_PREEMPT), _i >= 2);
  expect_cell (reading, "agents", 1, "busy", "6");
  expect_cell (reading, "agents", _i < 2 ? 3 : 2, "busy", "20");
}
END_TEST

/* Fork 1 of the root is lost: its goal 1 starts at 7, or 11, on agent 1, and goal 0 at 25, or 17, on agent 0, where the root was. That
 * waits since the first of them started: 7-38, or 11-24. Goal 2.0 runs there 18-20, and the first goal waits for it, 13-30. */
START_TEST (who_starts_where_it_runs_waits_since_the_first_did)
{
  static const Lossy lost_forks[] = {
    { "0\n0 5 0 0 0 0\n7 2 1 1 1 1\n13 1 2 1 1 1\n18 2 2 0 0 0\n20 3 2 0 0 0\n25 2 1 0 0 0\n30 4 2 1 1 1\n32 3 1 0 0 0\n"
      "35 3 1 1 1 1\n38 4 1 2 0 0\n41 6 0 0 0 0\n", "30", { "19", "11" }, 0, 0,
      { { TS_TYPE_ROOT, 1, -1, 0, 41, 10, 0, 31 }, { TS_TYPE_GOAL, 1, -1, 7, 35, 11, 0, 17 } } },
    { "0\n0 5 0 0 0 0\n11 2 1 0 1 1\n14 3 1 0 1 1\n17 2 1 1 0 0\n22 3 1 1 0 0\n24 4 1 2 0 0\n25 6 0 0 0 0\n", "20", { "17", "3" }, 0, 0,
      { { TS_TYPE_ROOT, 1, -1, 0, 25, 12, 0, 13 } } },
  };
  g_autoptr (VisReading) reading = read_lossy (&lost_forks[_i / 2], _i % 2);

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NO_FORK), 2);
}
END_TEST

/* The fork of branch 2.0, or of goal 6.0, is lost, and so is its end: that comes to light when the node is forked anew. But it was over
 * when something else began where it ran, at 15, so that agent 0 works 2, 5 and 6, or 7 and 6. */
START_TEST (what_a_fork_shows_to_be_over_was_over_before)
{
  static const Lossy nodes_anew[] = {
    { "1\n0 5 0 0 0 0\n2 20 1 2 0 0\n10 21 2 0 0 0\n15 21 1 1 0 0\n21 23 1 1 0 0\n26 20 2 2 0 0\n41 6 0 0 0 0\n", "13", { "13" }, 1, 0,
      { { TS_TYPE_BRANCH, 2, 2, 15, 21, 6, 0, 0 } } },
    { "0\n5 5 0 0 0 0\n5 1 1 1 0 0\n8 2 6 0 0 0\n15 4 1 1 0 0\n21 1 2 2 0 0\n62 1 6 2 0 0\n", "13", { "13" }, 1, 0, { { 0 } } },
  };
  g_autoptr (VisReading) reading = read_lossy (&nodes_anew[_i / 2], _i % 2);

  ck_assert_uint_ge (count_of (reading, TS_DIAGNOSTIC_NO_FORK), 1);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("visandor-lost");
  TCase *tests = tcase_create ("lost");

  tcase_set_timeout (tests, 120);
  tcase_add_loop_test (tests, others_that_run_had_started_before_a_fork, 0, 3);
  tcase_add_test (tests, a_join_may_be_lost);
  tcase_add_test (tests, a_join_may_be_lost_with_an_end);
  tcase_add_loop_test (tests, a_goal_that_lost_its_end_is_over_when_its_fork_is_joined, 0, 2 * G_N_ELEMENTS (goals));
  tcase_add_loop_test (tests, a_branch_that_lost_its_end_is_over_when_another_one_runs_there, 0, 2 * G_N_ELEMENTS (branches));
  tcase_add_test (tests, a_stream_does_not_tell_in_time_what_has_lost_its_end);
  tcase_add_loop_test (tests, a_node_that_is_forked_again_is_over, 0, 2 * G_N_ELEMENTS (nodes));
  tcase_add_test (tests, a_stream_does_not_tell_in_time_that_a_suspension_is_lost);
  tcase_add_loop_test (tests, who_starts_where_it_runs_waits_since_the_first_did, 0, 4);
  tcase_add_loop_test (tests, what_a_fork_shows_to_be_over_was_over_before, 0, 4);
  tcase_add_loop_test (tests, a_join_tells_who_forked, 0, 2 * G_N_ELEMENTS (forks));
  tcase_add_test (tests, a_join_is_of_those_that_wait_for_it);
  tcase_add_test (tests, a_stream_does_not_tell_in_time_who_forked);
  tcase_add_loop_test (tests, what_is_wrong_takes_nothing_else, 0, 2 * G_N_ELEMENTS (wrong));
  tcase_add_loop_test (tests, groups_find_the_same, 0, G_N_ELEMENTS (wrong) + G_N_ELEMENTS (nodes));
  tcase_add_loop_test (tests, a_branch_that_is_suspended_has_started, 0, 4);
  tcase_add_loop_test (tests, a_branch_that_lost_its_start_is_the_same_in_any_group, 0, 10);
  tcase_add_test (tests, a_period_told_late_is_that_of_the_instance);
  tcase_add_test (tests, siblings_start_in_any_order);
  tcase_add_loop_test (tests, a_branch_that_goes_on_elsewhere_was_suspended, 0, 8);
  tcase_add_loop_test (tests, a_branch_that_is_suspended_twice_went_on, 0, 4);
  tcase_add_loop_test (tests, a_lost_line_takes_little_else, 0, N_SEEDS);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
