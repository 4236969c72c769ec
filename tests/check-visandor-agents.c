/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "unit.h"
#include "visandor-fixture.h"

/* Agents that say themselves when they are busy. */

/* Two agents that are idle in between, over and over: agent 0 forks two goals in cycle i, which begins at 100 + 10 i, and runs
 * the second one; it says that it is busy from 0 to 9 of the cycle, and agent 1 from 2 to 5, which is when the first one
 * runs there. */
START_TEST (agents_are_busy_and_idle_in_turn)
{
  enum { N_CYCLES = 300 };
  const TsOptions     plain = { .no_scanner = _i > 0 };
  g_autoptr (GString) text = g_string_new ("0\n90 5 0 0 0 0\n");
  g_autoptr (VisReading) reading = NULL;
  guint               n_goals = 0, n_busy = 0;

  for (guint i = 0; i < N_CYCLES; i++)
    {
      const guint time = 100 + 10 * i, node = i % 200 + 1;

      g_string_append_printf (text, "%u 7 0 2 0 0\n%u 1 %X 2 0 0\n", time, time + 1, node);
      g_string_append_printf (text, "%u 7 0 2 0 1\n%u 2 %X 0 0 1\n%u 2 %X 1 0 0\n", time + 2, time + 3, node, time + 3, node);
      g_string_append_printf (text, "%u 3 %X 0 0 1\n%u 8 0 2 0 1\n", time + 5, node, time + 5);
      g_string_append_printf (text, "%u 3 %X 1 0 0\n%u 4 %X 2 0 0\n%u 8 0 2 0 0\n", time + 7, node, time + 8, node, time + 9);
    }
  /* one of them has lost when it was idle, as it says again that it is busy; and is idle when it says that again */
  g_string_append (text, "4000 7 0 2 0 1\n4001 7 0 2 0 1\n4005 8 0 2 0 1\n4006 8 0 2 0 1\n4010 6 0 0 0 0\n");
  reading = vis_reading_new (text->str, -1, 0, 0, &plain);
  ck_assert_ptr_null (reading->error);
  for (guint i = 0; i < reading->instances->len; i++)
    {
      const TsInstance *instance = &g_array_index (reading->instances, TsInstance, i);
      const TsElement  *element = ts_system_get_element (reading->system, instance->element);
      const gint64      cycle = (instance->start - 100) / 10, at = (instance->start - 100) % 10;

      if (element->type == TS_TYPE_GOAL)
        {
          n_goals++;
          ck_assert_int_eq (at, 3);
          ck_assert (instance->running == 2 || instance->running == 4);
        }
      if (element->type != TS_TYPE_AGENT)
        continue;
      n_busy++;
      if (cycle < N_CYCLES)
        {
          ck_assert (at == 0 || at == 2);
          ck_assert_int_eq (instance->number, 2 * cycle + (at == 0 ? 1 : 2));
          ck_assert_int_eq (instance->end - instance->start, at == 0 ? 9 : 3);
          ck_assert_int_eq (instance->running, at == 0 ? 9 : 3);
        }
      else if (instance->start == 4000)
        ck_assert_int_eq (instance->status, TS_STATUS_MISSING_END);
      else
        {
          ck_assert_int_eq (instance->number, 2 * N_CYCLES + 2);
          ck_assert_int_eq (instance->start, 4001);
          ck_assert_int_eq (instance->running, 4);
        }
    }
  ck_assert_uint_eq (n_goals, 2 * N_CYCLES);
  ck_assert_uint_eq (n_busy, 2 * N_CYCLES + 2);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNEXPECTED_STATE), 0);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_MISSING_END), 1);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_REDUNDANT_END), 1);
}
END_TEST

/* Agent 2 helps with branch 1 from 4 on, with branch 2 from 6 to 8, and with branch 1 again from 12 to 14. An agent is in one
 * branch at a time, so what it began at 4 was over by 6. It is the same where it begins with the same branch again. */
START_TEST (a_slave_that_begins_again_has_lost_its_end)
{
  g_autofree char *text = g_strdup_printf ("1\n1 5 0 0 0 0\n2 20 1 2 0 0\n3 21 1 0 0 0\n3 21 1 1 1 1\n4 33 1 0 2 2\n6 33 1 %d 2 2\n"
                                           "8 34 1 %d 2 2\n12 33 1 0 2 2\n14 34 1 0 2 2\n15 23 1 0 0 0\n20 23 1 1 1 1\n"
                                           "30 6 0 0 0 0\n", _i, _i);
  g_autoptr (VisReading) reading = read_text (text);

  expect (reading, 0, &(Expected){ TS_TYPE_SLAVE, 2, -1, 6, 8, 2, 0, 0 });
  expect (reading, 0, &(Expected){ TS_TYPE_SLAVE, 3, -1, 12, 14, 2, 0, 0 });
  expect_cell (reading, "agents", 2, "busy", "6");
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_MISSING_END), 1);
  ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_MISSING_END].line, 7);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_SLAVE_ELSEWHERE), 0);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_SLAVES_LEFT), 0);
}
END_TEST

/* Agent 2 has lost its STOP_BUSY in a branch of a node that was forked again when it begins elsewhere at 12: so in the new branch of
 * that name, which is over at 13, is still agent 3. Both branches end with a slave in them. */
START_TEST (a_slave_that_was_in_an_older_branch_leaves_no_other_one)
{
  g_autoptr (VisReading) reading
      = read_text ("1\n1 5 0 0 0 0\n2 20 1 2 0 0\n3 21 1 0 0 0\n4 21 1 1 1 1\n5 33 1 0 2 2\n6 23 1 0 0 0\n7 23 1 1 1 1\n8 20 1 2 1 1\n"
                   "9 21 1 0 0 0\n10 33 1 0 3 3\n11 21 1 1 1 1\n12 33 1 1 2 2\n13 23 1 0 0 0\n14 34 1 0 3 3\n15 34 1 1 2 2\n"
                   "16 23 1 1 1 1\n20 6 0 0 0 0\n");

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_SLAVES_LEFT), 2);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_MISSING_END), 1);
}
END_TEST

/* A line that is there twice says nothing new, but that of another branch does. */
START_TEST (who_begins_twice_at_once_begins_once)
{
  g_autoptr (VisReading) busy = read_text ("0\n1 5 0 0 0 0\n4 7 0 1 1 1\n4 7 0 1 1 1\n9 8 0 1 1 1\n20 6 0 0 0 0\n");
  g_autoptr (VisReading) other = read_text ("1\n1 5 0 0 0 0\n2 20 1 2 0 0\n3 21 1 0 0 0\n3 21 1 1 1 1\n4 33 1 0 2 2\n4 33 1 1 2 2\n"
                                            "9 34 1 1 2 2\n15 23 1 0 0 0\n16 23 1 1 1 1\n20 6 0 0 0 0\n");
  g_autoptr (VisReading) slave = read_text ("1\n1 5 0 0 0 0\n2 20 1 1 0 0\n3 21 1 0 0 0\n4 33 1 0 2 2\n4 33 1 0 2 2\n"
                                            "9 34 1 0 2 2\n15 23 1 0 0 0\n20 6 0 0 0 0\n");

  expect (busy, 0, &(Expected){ TS_TYPE_AGENT, 1, -1, 4, 9, 5, 0, 0 });
  ck_assert_uint_eq (count_of (busy, TS_DIAGNOSTIC_UNEXPECTED_STATE), 1);
  ck_assert_uint_eq (count_of (busy, TS_DIAGNOSTIC_MISSING_END), 0);
  expect (slave, 0, &(Expected){ TS_TYPE_SLAVE, 1, -1, 4, 9, 5, 0, 0 });
  ck_assert_uint_eq (count_of (slave, TS_DIAGNOSTIC_SLAVE_ELSEWHERE), 1);
  ck_assert_uint_eq (count_of (slave, TS_DIAGNOSTIC_MISSING_END), 0);
  expect (other, 0, &(Expected){ TS_TYPE_SLAVE, 2, -1, 4, 9, 5, 0, 0 });
  ck_assert_uint_eq (count_of (other, TS_DIAGNOSTIC_SLAVE_ELSEWHERE), 0);
  ck_assert_uint_eq (count_of (other, TS_DIAGNOSTIC_MISSING_END), 1);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("visandor-agents");
  TCase *tests = tcase_create ("agents");

  tcase_add_loop_test (tests, agents_are_busy_and_idle_in_turn, 0, 2);
  tcase_add_loop_test (tests, a_slave_that_begins_again_has_lost_its_end, 0, 2);
  tcase_add_test (tests, a_slave_that_was_in_an_older_branch_leaves_no_other_one);
  tcase_add_test (tests, who_begins_twice_at_once_begins_once);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
