/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "unit.h"
#include "visandor-fixture.h"
#include "visandor-programs.h"

/* Tasks whose fork is not in the trace: no activation, all else valid (METRICS, rule 5); and those whose start is not: RT, and
 * no more. */

#define TAIL "90 6 0 0 0 0\n"

/* One of agent 1 forks itself; one that splits; one that is suspended and goes on on another agent. */
START_TEST (it_does_what_others_do)
{
  static const struct
  {
    const char *text;
    Expected    all[4];
  } cases[] = {
    { AND "10 2 A 1 1 1\n20 1 B 1 1 1\n25 2 B 0 2 2\n45 3 B 0 2 2\n50 4 B 1 1 1\n60 3 A 1 1 1\n" TAIL,
      { { TS_TYPE_GOAL, 1, -1, 10, 60, 20, 0, 30 }, { TS_TYPE_GOAL, 2, 20, 25, 45, 20, 0, 0 } } },
    { OR "10 21 A 3 1 1\n20 20 B 1 1 1\n25 21 B 0 1 1\n45 22 B 0 1 1\n" TAIL,
      { { TS_TYPE_BRANCH, 1, -1, 10, 20, 10, 0, 0 }, { TS_TYPE_BRANCH, 2, 20, 25, 45, 20, 0, 0 } } },
    /* it ends long after it has split, and after all its branches are over: waits 20-60 */
    { OR "10 21 A 3 1 1\n20 20 B 1 1 1\n25 21 B 0 1 1\n45 22 B 0 1 1\n60 22 A 3 1 1\n" TAIL,
      { { TS_TYPE_BRANCH, 1, -1, 10, 60, 10, 0, 40 }, { TS_TYPE_BRANCH, 2, 20, 25, 45, 20, 0, 0 } } },
    { OR "10 21 A 3 1 1\n20 24 A 3 1 1\n25 25 A 3 2 2\n45 23 A 3 2 2\n" TAIL,
      { { TS_TYPE_BRANCH, 1, -1, 10, 45, 30, 5, 0 } } },
    /* the second fork of that id is there */
    { AND "10 2 A 1 1 1\n20 3 A 1 1 1\n30 1 A 2 1 1\n35 2 A 1 2 2\n45 3 A 1 2 2\n" TAIL,
      { { TS_TYPE_GOAL, 1, -1, 10, 20, 10, 0, 0 }, { TS_TYPE_GOAL, 3, 30, 35, 45, 10, 0, 0 } } },
    /* it stands behind the start, and another one starts with it */
    { AND "10 2 A 1 1 1\n12 1 A 2 0 0\n15 2 A 0 2 2\n20 3 A 1 1 1\n45 3 A 0 2 2\n" TAIL,
      { { TS_TYPE_GOAL, 1, -1, 10, 20, 10, 0, 0 }, { TS_TYPE_GOAL, 2, 12, 15, 45, 30, 0, 0 } } },
  };
  static const char *const groups[] = { NULL, "node", "field", "depth", "agent" };

  for (guint g = 0; g < G_N_ELEMENTS (groups); g++)
    for (guint k = 0; k < 2; k++)
      {
        const TsOptions options = { .group = (char *) groups[g], .no_scanner = k == 1 };
        g_autoptr (VisReading) reading = vis_reading_new (cases[_i].text, -1, 0, 0, &options);

        ck_assert (reading->error == NULL);
        ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NO_FORK), 1);
        for (guint i = 0; i < 4 && cases[_i].all[i].number > 0; i++)
          {
            const Expected *wanted = &cases[_i].all[i];
            guint           n_found = 0;

            for (guint j = 0; j < reading->instances->len; j++)
              {
                const TsInstance *x = &g_array_index (reading->instances, TsInstance, j);

                n_found += x->status == TS_STATUS_COMPLETE && x->start == wanted->start && x->end == wanted->end
                           && x->running == wanted->running && x->preempted == wanted->preempted
                           && x->waiting == wanted->waiting
                           && ((x->flags & TS_INSTANCE_HAS_ACTIVATION) != 0) == (wanted->activation >= 0)
                           && (wanted->activation < 0 || x->activation == wanted->activation);
              }
            ck_assert_msg (n_found == 1, "%s, instance %u: %u", groups[g], i, n_found);
          }
      }
}
END_TEST

/* Who runs where it starts has forked. Goal (A,0) runs 4-6 and, after the JOIN of the fork B that is lost, 17-21, and waits
 * in between; (B,0) runs 6-16. Branch (A,0) runs 3-10, where another one starts, (B,0) 10-20. */
START_TEST (an_agent_does_one_thing_at_a_time)
{
  static const struct
  {
    const char *text;
    Expected    all[3];
    const char *work, *busy;
  } cases[] = {
    { "0\n1 5 0 0 0 0\n3 1 A 1 0 0\n4 2 A 0 1 1\n6 2 B 0 1 1\n16 3 B 0 1 1\n17 4 B 1 1 1\n21 3 A 0 1 1\n22 4 A 1 0 0\n"
      "24 6 0 0 0 0\n",
      { { TS_TYPE_ROOT, 1, -1, 1, 24, 4, 0, 19 }, { TS_TYPE_GOAL, 1, 3, 4, 21, 6, 0, 11 }, { TS_TYPE_GOAL, 2, -1, 6, 16, 10, 0, 0 } },
      "20", "16" },
    { "1\n1 5 0 0 0 0\n2 20 A 1 0 0\n3 21 A 0 1 1\n10 21 B 0 1 1\n20 22 B 0 1 1\n30 21 B 1 1 1\n40 22 B 1 1 1\n50 6 0 0 0 0\n",
      { { TS_TYPE_BRANCH, 1, 2, 3, 10, 7, 0, 0 }, { TS_TYPE_BRANCH, 2, -1, 10, 20, 10, 0, 0 },
        { TS_TYPE_BRANCH, 3, -1, 30, 40, 10, 0, 0 } },
      "28", "27" },
    /* it ends for good at 45 */
    { "1\n1 5 0 0 0 0\n2 20 A 1 0 0\n3 21 A 0 1 1\n10 21 B 0 1 1\n20 22 B 0 1 1\n45 22 A 0 1 1\n50 6 0 0 0 0\n",
      { { TS_TYPE_BRANCH, 1, 2, 3, 45, 7, 0, 35 }, { TS_TYPE_BRANCH, 2, -1, 10, 20, 10, 0, 0 } },
      "18", "17" },
  };
  g_autoptr (VisReading) reading = read_text (cases[_i].text);

  for (guint i = 0; i < 3 && cases[_i].all[i].number > 0; i++)
    expect (reading, 0, &cases[_i].all[i]);
  expect_cell (reading, "parallelism", 0, "work", cases[_i].work);
  expect_cell (reading, "agents", 1, "busy", cases[_i].busy);
  expect_cell (reading, "parallelism", 0, "maximum", "1");
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_OVERLAP), 0);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_NODE), 0);
}
END_TEST

/* Goals fork one in the other, and all these forks are lost; the second one goes on although its JOIN is lost, too. */
START_TEST (lost_forks_may_be_in_lost_forks)
{
  g_autoptr (VisReading) reading
      = read_text ("0\n0 5 0 0 0 0\n10 2 A 0 0 0\n20 2 B 0 0 0\n30 2 C 0 0 0\n40 3 C 0 0 0\n50 3 B 0 0 0\n60 4 B 1 0 0\n70 3 A 0 0 0\n"
                   "80 4 A 1 0 0\n" TAIL);

  expect (reading, 0, &(Expected){ TS_TYPE_ROOT, 1, -1, 0, 90, 20, 0, 70 });
  expect (reading, 0, &(Expected){ TS_TYPE_GOAL, 1, -1, 10, 70, 20, 0, 40 });
  expect (reading, 0, &(Expected){ TS_TYPE_GOAL, 2, -1, 20, 50, 10, 0, 20 });
  expect (reading, 0, &(Expected){ TS_TYPE_GOAL, 3, -1, 30, 40, 10, 0, 0 });
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_END_WHILE_PREEMPTED), 1);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_OVERLAP), 0);
}
END_TEST

/* That goal 1 of node 0 forked what is joined in the last line is what the reading before has told; but it is started once more before
 * that, and does not wait for itself. Of five starts there are five instances. */
START_TEST (who_starts_once_more_does_not_wait_for_itself)
{
  static const char text[] = "0\n10 2 A 0 7 7\n20 1 0 3 7 7\n22 4 0 2 0 0\n30 1 0 1 3 3\n31 2 0 0 3 3\n40 4 0 3 2 2\n50 2 0 1 0 0\n"
                             "60 2 B 0 0 0\n70 4 B 2 0 0\n80 1 0 3 1 1\n82 4 0 1 4 4\n90 2 0 1 1 1\n95 4 0 3 0 0\n";
  const TsOptions       options = { .no_scanner = _i == 1 };
  g_autoptr (VisReading) reading = vis_reading_new (text, -1, 0, 0, &options);
  const gint64           starts[] = { 10, 31, 50, 60, 90 };

  ck_assert_ptr_null (reading->error);
  for (guint k = 0; k < G_N_ELEMENTS (starts); k++)
    {
      guint n = 0;

      for (guint i = 0; i < reading->instances->len; i++)
        {
          const TsInstance *instance = &g_array_index (reading->instances, TsInstance, i);

          n += ts_system_get_element (reading->system, instance->element)->type == TS_TYPE_GOAL && instance->start == starts[k];
        }
      ck_assert_uint_eq (n, 1);
    }
}
END_TEST

/* Slaves work in it, and its end tells that they are left. */
START_TEST (slaves_find_it)
{
  g_autoptr (VisReading) reading
      = read_text (OR "10 21 A 3 1 1\n20 33 A 3 2 2\n30 34 A 3 2 2\n32 33 A 3 2 2\n45 23 A 3 1 1\n48 34 A 3 2 2\n" TAIL);

  expect (reading, 0, &(Expected){ TS_TYPE_BRANCH, 1, -1, 10, 45, 35, 0, 0 });
  expect (reading, 0, &(Expected){ TS_TYPE_SLAVE, 1, -1, 20, 30, 10, 0, 0 });
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_SLAVES_LEFT), 1);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_SLAVE_ELSEWHERE), 0);
}
END_TEST

/* A slave works, whoever started its branch. */
START_TEST (a_slave_may_be_in_a_branch_that_is_lost)
{
  g_autoptr (VisReading) reading = read_text (OR "10 33 A 0 2 2\n30 34 A 0 2 2\n" TAIL);

  expect (reading, 0, &(Expected){ TS_TYPE_SLAVE, 1, -1, 10, 30, 20, 0, 0 });
  expect_cell (reading, "agents", 1, "busy", "20");
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NO_FORK), 1);
}
END_TEST

/* So it does if the start of its branch is lost: what a slave works in has started. */
START_TEST (a_slave_may_be_in_a_branch_that_lost_its_start)
{
  g_autoptr (VisReading) reading = read_text (OR "1 20 A 1 0 0\n8 33 A 0 1 1\n14 34 A 0 1 1\n20 22 A 0 0 0\n24 6 0 0 0 0\n");

  expect (reading, 0, &(Expected){ TS_TYPE_SLAVE, 1, -1, 8, 14, 6, 0, 0 });
  expect_cell (reading, "agents", 0, "busy", "1");
  expect_cell (reading, "agents", 1, "busy", "6");
  expect_cell (reading, "parallelism", 0, "work", "7");
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_MISSING_START), 1);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_NODE), 0);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_SLAVE_ELSEWHERE), 0);
}
END_TEST

/* It starts again while it runs: the first one has lost its end, and the second one, 15-40, is whole. A JOIN is that of nobody. */
START_TEST (what_is_wrong_with_it_is_told)
{
  g_autoptr (VisReading) reading
      = read_text (AND "10 2 A 1 1 1\n15 2 A 1 2 2\n20 4 A 2 5 5\n30 2 B 0 3 3\n40 3 A 1 1 1\n45 3 A 1 1 1\n" TAIL);

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NO_FORK), 2);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_STARTED_TWICE), 0);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_MISSING_END), 1);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_NODE), 2); /* JOIN, and the second end */
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_OPEN_TASK), 1);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_OPEN_FORK), 0);
  expect (reading, 0, &(Expected){ TS_TYPE_GOAL, 2, -1, 15, 40, 25, 0, 0 });
  expect_cell (reading, "parallelism", 0, "goals", "3");
}
END_TEST

static int
compare_lengths (gconstpointer a, gconstpointer b)
{
  const gint64 left = *(const gint64 *) a, right = *(const gint64 *) b;

  return left < right ? -1 : left > right;
}

/* Lines of @text without every @every-th one of @code; in *lost the ids of their nodes. */
static char *
without_some (const char *text, const char *code, guint every, GHashTable *lost)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GString *out = g_string_new (NULL);
  guint    n = 0;

  for (guint i = 0; lines[i + 1] != NULL; i++)
    {
      g_auto (GStrv) numbers = g_strsplit (g_strchug (lines[i]), " ", -1);

      if (i > 0 && g_str_equal (numbers[1], code) && n++ % every == 0)
        g_hash_table_add (lost, g_strdup (numbers[2]));
      else
        g_string_append_printf (out, "%s\n", lines[i]);
    }
  return g_string_free (out, FALSE);
}

/* Of programs each node of which has an id of its own, without some of the forks: tasks of these have start and end as they
 * truly were, and nothing that needs an activation; all others are as they were. */
START_TEST (lost_forks_take_nothing_but_activations)
{
  VisProgram       program = make_program (_i);
  const TsOptions  options = { .no_scanner = _i % 3 == 0 };
  GString         *text = g_string_new (NULL);
  g_autofree char *without = NULL;
  g_autoptr (VisTruth) truth = NULL;
  g_autoptr (VisReading) reading = NULL;
  g_autoptr (GHashTable) lost = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n_started = 0;

  program.fresh_ids = TRUE;
  program.splits_end = FALSE;
  program.max_events = 0;
  truth = vis_simulate (&program, text, NULL);
  without = without_some (text->str, program.is_or ? "20" : "1", 1 + (guint) _i % 5, lost);
  reading = vis_reading_new (without, -1, 0, 0, &options);
  ck_assert (reading->error == NULL);
  for (guint i = 1; i < truth->tasks->len; i++)
    {
      const VisTask    *task = g_ptr_array_index (truth->tasks, i);
      g_autofree char  *node = g_strdup_printf ("%" G_GINT64_MODIFIER "X", task->node);
      const TsInstance *x = NULL;

      if (!task->started)
        continue;
      n_started++;
      for (guint k = 0; k < reading->instances->len && x == NULL; k++)
        {
          x = &g_array_index (reading->instances, TsInstance, k);
          if (x->start != task->start || ts_system_get_element (reading->system, x->element)->type == TS_TYPE_ROOT
              || ts_system_get_element (reading->system, x->element)->type == TS_TYPE_SLAVE)
            x = NULL;
        }
      ck_assert_msg (x != NULL, "task %u is missing", task->number);
      ck_assert_int_eq ((x->flags & TS_INSTANCE_HAS_ACTIVATION) != 0, !g_hash_table_contains (lost, node));
      if (x->flags & TS_INSTANCE_HAS_ACTIVATION)
        ck_assert_int_eq (x->activation, task->activation);
      if (task->state == VIS_ENDED)
        ck_assert_int_eq (x->end, task->end);
    }
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_STARTED_TWICE), 0);
  ck_assert_uint_gt (n_started, 0);
  g_string_free (text, TRUE);
}
END_TEST

/* Of A both branches end, and the second one has lost its start; so have the only one of B and, as the first one is cut, that of C.
 * All three forks are activations, whoever tells it: 2, 2, 34 and 37. */
START_TEST (a_branch_that_lost_its_start_was_activated)
{
  const TsOptions       options = { .no_scanner = _i % 2 == 1 };
  const VisReadingFlags flags = _i / 2 == 1 ? VIS_READING_OF_INSTANCES : 0;
  static const gint64   periods[] = { 0, 3, 32 }, responses[] = { 18, 2, 2 };
  g_autoptr (VisReading) reading
      = vis_reading_new ("1\n1 5 0 0 0 0\n2 20 A 2 0 0\n10 21 A 0 0 0\n20 22 A 1 1 1\n30 22 A 0 0 0\n34 20 B 1 0 0\n36 22 B 0 1 1\n"
                         "37 20 C 2 0 0\n38 26 C 0 0 0\n39 22 C 1 1 1\n50 6 0 0 0 0\n",
                         -1, 0, flags, &options);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (gint64));
  guint n_lost = 0;

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_MISSING_START), 3);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_REDUNDANT_END), 0);
  for (guint i = 0; i < reading->instances->len; i++)
    {
      const TsInstance *x = &g_array_index (reading->instances, TsInstance, i);

      if (x->flags & TS_INSTANCE_HAS_START)
        continue;
      ck_assert_int_eq (x->end - x->activation, responses[n_lost]);
      n_lost++;
    }
  ck_assert_uint_eq (n_lost, 3);
  for (guint i = 0; i < reading->intervals->len; i++)
    if (g_array_index (reading->intervals, TsInterval, i).kind == TS_INTERVAL_PER)
      g_array_append_val (found, g_array_index (reading->intervals, TsInterval, i).value);
  g_array_sort (found, compare_lengths);
  ck_assert_uint_eq (found->len, G_N_ELEMENTS (periods));
  for (guint i = 0; i < found->len; i++)
    ck_assert_int_eq (g_array_index (found, gint64, i), periods[i]);
  expect_cell (reading, "parallelism", 0, "succeeded", "4");
}
END_TEST

/* Memory is that of those that run, and not of all that there were. */
START_TEST (many_come_and_go)
{
  GString *text = g_string_new (AND);
  g_autoptr (VisReading) reading = NULL;

  for (guint i = 0; i < 20000; i++)
    g_string_append_printf (text, "%u 2 %X %u 1 1\n%u 3 %X %u 1 1\n", 10 + 2 * i, i % 3, i % 7, 11 + 2 * i, i % 3, i % 7);
  g_string_append (text, "90000 6 0 0 0 0\n");
  reading = read_text (text->str);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NO_FORK), 20000);
  ck_assert_uint_eq (reading->instances->len, 20001);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_OPEN_TASK), 0);
  g_string_free (text, TRUE);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("visandor-strangers");
  TCase *tests = tcase_create ("strangers");

  tcase_set_timeout (tests, 120);
  tcase_add_loop_test (tests, it_does_what_others_do, 0, 6);
  tcase_add_loop_test (tests, an_agent_does_one_thing_at_a_time, 0, 3);
  tcase_add_test (tests, lost_forks_may_be_in_lost_forks);
  tcase_add_loop_test (tests, who_starts_once_more_does_not_wait_for_itself, 0, 2);
  tcase_add_test (tests, slaves_find_it);
  tcase_add_test (tests, a_slave_may_be_in_a_branch_that_is_lost);
  tcase_add_test (tests, a_slave_may_be_in_a_branch_that_lost_its_start);
  tcase_add_test (tests, what_is_wrong_with_it_is_told);
  tcase_add_loop_test (tests, lost_forks_take_nothing_but_activations, 0, N_SEEDS);
  tcase_add_loop_test (tests, a_branch_that_lost_its_start_was_activated, 0, 4);
  tcase_add_test (tests, many_come_and_go);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
