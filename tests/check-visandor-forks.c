/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "unit.h"
#include "visandor-fixture.h"

/* Who forked what, and what it waits for, where lines are lost or wrong. */

/* Goal 2 has no end: when A is joined at 30 it was over, and has run for 18 since 12, longer than goal 1. So the longest path is
 * 10 of the root, these 18, and 30 of the root again. */
START_TEST (a_goal_that_lost_its_end_is_on_the_critical_path)
{
  g_autoptr (VisReading) reading
      = read_text (AND "10 1 A 2 0 0\n11 2 A 0 0 0\n12 2 A 1 1 1\n20 3 A 0 0 0\n30 4 A 2 0 0\n60 6 0 0 0 0\n");

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_MISSING_END), 1);
  expect_cell (reading, "parallelism", 0, "work", "67"); /* 40 of the root, 9 and 18 */
  expect_cell (reading, "parallelism", 0, "critical_path", "58");
}
END_TEST

/* The root has split at 4, and nothing runs on agent 3, which forks B: at 7 the same once more, and nothing has happened since 5. */
START_TEST (a_fork_by_nobody_may_be_repeated)
{
  g_autoptr (VisReading) reading = read_text (OR "4 20 A 1 0 0\n5 20 B 1 3 3\n7 20 B 1 3 3\n10 21 B 0 1 1\n20 22 B 0 1 1\n30 21 A 0 1 1\n"
                                             "40 22 A 0 1 1\n60 6 0 0 0 0\n");

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NO_FATHER), 1);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NODE_OPEN), 1);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_LOST_BRANCH), 0);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NEVER_STARTED), 0);
  expect (reading, 0, &(Expected){ TS_TYPE_BRANCH, 2, 4, 30, 40, 10, 0, 0 });
  expect (reading, 0, &(Expected){ TS_TYPE_BRANCH, 1, 5, 10, 20, 10, 0, 0 });
}
END_TEST

/* Goal 1 waits for B from 8 on, whose fork is lost, and until 20: nobody knows a node C, so the JOIN at 12 is none for it. */
START_TEST (who_waits_for_one_node_does_not_go_on_with_another)
{
  g_autoptr (VisReading) reading
      = read_text (AND "5 1 A 1 0 0\n6 2 A 0 1 1\n8 2 B 0 1 1\n9 3 B 0 1 1\n12 4 C 1 1 1\n20 4 B 1 1 1\n22 3 A 0 1 1\n23 4 A 1 0 0\n"
                       "40 6 0 0 0 0\n");

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_NODE), 1);
  expect (reading, 0, &(Expected){ TS_TYPE_GOAL, 1, 5, 6, 22, 4, 0, 12 });
}
END_TEST

/* Goal 2 begins at 11 and forks E, of which a goal starts at 11 as well, in the line behind: so it runs from 30 to 35 only. */
START_TEST (who_forks_may_have_begun_at_the_same_stamp)
{
  g_autoptr (VisReading) reading
      = read_text (AND "5 1 A 2 0 0\n7 2 A 1 2 2\n9 3 A 1 2 2\n11 2 A 0 1 1\n11 2 E 0 0 0\n12 2 E 1 2 2\n20 3 E 0 0 0\n25 3 E 1 2 2\n"
                       "30 4 E 2 1 1\n35 3 A 0 1 1\n36 4 A 2 0 0\n40 6 0 0 0 0\n");

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_NODE), 0);
  expect (reading, 0, &(Expected){ TS_TYPE_GOAL, 2, 5, 11, 35, 5, 0, 19 });
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("visandor-forks");
  TCase *tests = tcase_create ("forks");

  tcase_add_test (tests, a_goal_that_lost_its_end_is_on_the_critical_path);
  tcase_add_test (tests, a_fork_by_nobody_may_be_repeated);
  tcase_add_test (tests, who_waits_for_one_node_does_not_go_on_with_another);
  tcase_add_test (tests, who_forks_may_have_begun_at_the_same_stamp);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
