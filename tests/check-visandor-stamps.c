/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "unit.h"
#include "visandor-fixture.h"
#include "visandor-programs.h"

/* Events with one time stamp, which writers put in order of agents: those of one agent are in order, those of several may be
 * in any (METRICS, rule 14). */

/* But for that one, and that stamps are equal. */
static void
expect_no_defect_but (const VisReading *reading, TsDiagnosticId known)
{
  for (guint id = 0; id < TS_N_DIAGNOSTICS; id++)
    if (id != (guint) known && id != TS_DIAGNOSTIC_EQUAL_STAMPS && ts_diagnostic_info (id)->severity == TS_SEVERITY_DEFECT)
      ck_assert_msg (count_of (reading, id) == 0, "%s", ts_diagnostic_info (id)->name);
}

/* The goal on agent 1 starts in the line before its fork, on agent 3. */
START_TEST (a_goal_starts_before_its_fork)
{
  static const Expected all[] = {
    { TS_TYPE_ROOT, 1, -1, 0, 40, 20, 0, 20 },
    { TS_TYPE_GOAL, 1, 10, 10, 20, 10, 0, 0 },
    { TS_TYPE_GOAL, 2, 10, 12, 30, 18, 0, 0 },
  };
  g_autoptr (VisReading) reading = read_text ("0\n0 5 0 0 0 3\n10 2 B0 1 1 1\n10 1 B0 2 0 3\n12 2 B0 0 0 3\n"
                                                  "20 3 B0 1 1 1\n30 3 B0 0 0 3\n31 4 B0 2 0 3\n40 6 0 0 0 3\n");

  ck_assert_uint_eq (reading->instances->len, G_N_ELEMENTS (all));
  for (guint i = 1; i < G_N_ELEMENTS (all); i++)
    expect (reading, 0, &all[i]);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_EQUAL_STAMPS), 1);
  ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_EQUAL_STAMPS].line, 4);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_NODE), 0);
}
END_TEST

/* A branch goes on on agent 1 in the line before that in which it is suspended on agent 3: 12-20 and 20-30. */
START_TEST (a_branch_goes_on_before_it_is_suspended)
{
  static const Expected branch = { TS_TYPE_BRANCH, 1, 10, 12, 30, 18, 0, 0 };
  g_autoptr (VisReading) reading = read_text ("1\n0 5 0 0 0 3\n10 20 B0 1 0 3\n12 21 B0 0 0 3\n20 25 B0 0 1 1\n"
                                                  "20 24 B0 0 0 3\n30 22 B0 0 1 1\n40 6 0 0 0 3\n");

  expect (reading, 0, &branch);
  expect_cell (reading, "agents", 0, "busy", "18"); /* the root 10, then 8 */
  expect_cell (reading, "agents", 1, "busy", "10");
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_REDUNDANT_RESUME), 0);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_END_WHILE_PREEMPTED), 0);
}
END_TEST

/* What waits is taken as it stands once its stamp is over, and so is what stands behind it on its agent. */
START_TEST (what_waits_in_vain_is_told)
{
  static const struct
  {
    const char    *text;
    TsDiagnosticId id;
    guint64        line;
  } cases[] = {
    { AND "5 4 1 2 0 0\n5 1 2 1 0 0\n6 2 2 0 0 0\n7 3 2 0 0 0\n8 4 2 1 0 0\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_UNKNOWN_NODE, 3 },
    { AND "4 1 1 1 0 0\n5 2 1 0 1 1\n6 4 1 1 0 0\n6 7 0 0 1 1\n7 3 1 0 1 1\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_EARLY_JOIN, 5 },
    { OR "4 20 1 1 0 0\n5 21 1 0 0 0\n6 25 1 0 0 0\n6 7 0 0 1 1\n9 6 0 0 0 0\n", TS_DIAGNOSTIC_REDUNDANT_RESUME, 5 },
    /* nothing of agent 0 behind its STOP_TIME, whatever the stamp */
    { AND "9 6 0 0 0 0\n9 7 0 0 0 0\n", TS_DIAGNOSTIC_AFTER_STOP_TIME, 4 },
    { AND "9 6 0 0 0 0\n9 7 0 0 1 1\n10 7 0 0 0 0\n", TS_DIAGNOSTIC_AFTER_STOP_TIME, 5 },
  };
  g_autoptr (VisReading) reading = read_text (cases[_i].text);
  const TsDiagnostic *entry = &reading->diagnostics->entries[cases[_i].id];

  ck_assert_uint_eq (entry->count, 1);
  ck_assert_uint_eq (entry->line, cases[_i].line);
  expect_no_defect_but (reading, cases[_i].id);
}
END_TEST

/* Where the order of the file makes sense it is the order: 4-5 preempted, then 0 and from 5 to 9 on agent 1. */
START_TEST (the_order_of_the_file_goes_first)
{
  g_autoptr (VisReading) reading
      = read_text ("1\n1 5 0 0 0 0\n2 20 A 2 0 0\n3 21 A 0 1 1\n4 24 A 0 1 1\n5 26 A 1 2 2\n5 25 A 0 2 2\n5 24 A 0 2 2\n"
                   "5 25 A 0 1 1\n9 22 A 0 1 1\n10 6 0 0 0 0\n");

  expect (reading, 0, &(Expected){ TS_TYPE_BRANCH, 1, 2, 3, 9, 5, 1, 0 });
  expect_no_defect_but (reading, TS_DIAGNOSTIC_EQUAL_STAMPS);
}
END_TEST

/* That agent 1 had it for no time at all, before agent 0, is not found out; but what ran is: 3-4 and 5-9. */
START_TEST (a_branch_that_goes_on_twice_has_run_all_the_same)
{
  g_autoptr (VisReading) reading
      = read_text ("1\n1 5 0 0 0 0\n2 20 A 1 0 0\n3 21 A 0 0 0\n4 24 A 0 0 0\n5 25 A 0 0 0\n5 25 A 0 1 1\n5 24 A 0 1 1\n"
                   "9 22 A 0 0 0\n10 6 0 0 0 0\n");

  expect (reading, 0, &(Expected){ TS_TYPE_BRANCH, 1, 2, 3, 9, 5, 1, 0 });
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_REDUNDANT_RESUME), 1);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_REDUNDANT_PREEMPT), 1);
}
END_TEST

/* The JOIN of agent 1 is that of a fork that is lost, and behind it stands the fork that agent 0 waits for. */
START_TEST (what_nothing_can_come_before_does_not_wait_for_it)
{
  g_autoptr (VisReading) reading
      = read_text ("0\n1 5 0 0 1 1\n2 2 A 0 1 1\n5 2 B 0 0 0\n5 3 A 0 1 1\n5 4 A 1 1 1\n5 1 B 1 1 1\n7 3 B 0 0 0\n8 4 B 1 1 1\n"
                   "10 6 0 0 1 1\n");

  expect (reading, 0, &(Expected){ TS_TYPE_GOAL, 2, 5, 5, 7, 2, 0, 0 });
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NO_FORK), 1); /* A */
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_EARLY_JOIN), 0);
}
END_TEST

/* An agent that waits has done hundreds of other things at that stamp. */
START_TEST (an_agent_that_waits_may_have_done_much)
{
  GString *text = g_string_new ("0\n1 5 0 0 2 2\n5 2 A 1 0 0\n5 3 A 1 0 0\n");
  g_autoptr (VisReading) reading = NULL;

  for (guint i = 0; i < 300; i++)
    g_string_append (text, "5 7 0 1 0 0\n5 8 0 1 0 0\n");
  g_string_append (text, "5 1 A 2 1 1\n6 2 A 0 1 1\n7 3 A 0 1 1\n8 4 A 2 1 1\n9 6 0 0 2 2\n");
  reading = read_text (text->str);
  /* the second task of its fork, and the first one that starts */
  expect (reading, 0, &(Expected){ TS_TYPE_GOAL, 1, 5, 5, 5, 0, 0, 0 });
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NO_FORK), 0);
  g_string_free (text, TRUE);
}
END_TEST

/* Neither is what other agents did before it. */
START_TEST (a_trace_begins_after_other_events_of_its_stamp)
{
  g_autoptr (VisReading) reading = read_text ("0\n10 2 A 1 1 1\n10 7 0 1 2 2\n10 5 0 0 3 3\n10 1 A 2 3 3\n"
                                                  "20 3 A 1 1 1\n30 2 A 0 3 3\n40 3 A 0 3 3\n50 4 A 2 3 3\n60 6 0 0 3 3\n");

  expect (reading, 0, &(Expected){ TS_TYPE_ROOT, 1, -1, 10, 60, 10, 0, 40 });
  expect (reading, 0, &(Expected){ TS_TYPE_GOAL, 1, 10, 10, 20, 10, 0, 0 });
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_EQUAL_STAMPS), 3);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_SECOND_START_TIME), 0);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NO_START_TIME), 0);
}
END_TEST

/* A line that only looks like an event does not end a stamp, whoever reads it. */
START_TEST (what_is_no_event_ends_no_stamp)
{
  const TsOptions options = { .no_scanner = _i == 1 };
  g_autoptr (VisReading) reading
      = vis_reading_new ("1\n   0 5 0 0 A 3 \n  10 20 B0 1 D 4 \n  12 21 B0 0 E 5 \n  20 25 B0 0 B 1 \n  20 7\n"
                         "  25 22 Bp 0 B 1 \n  20 24 B0 0 E 5 \n  30 22 B0 0 B 1 \n  32 7 0 0 A 3 \n  34 8 0 0 A 3 \n"
                         "  36 7 0 0 A 3 \n  38 8 0 0 A 3 \n  40 6 0 0 A 3 \n",
                         -1, 0, 0, &options);

  expect (reading, 0, &(Expected){ TS_TYPE_BRANCH, 1, 10, 12, 30, 18, 0, 0 });
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_BAD_EVENT), 2);
}
END_TEST

/* Of 21 an event waits, when such a line comes, and then one that is 18 behind it. */
START_TEST (what_waits_is_the_latest_event)
{
  const TsOptions options = { .no_scanner = _i == 1 };
  g_autoptr (VisReading) reading
      = vis_reading_new ("1\n   0 5 0 0 A 3 \n  10 20 B0 1 D 4 \n  12 21 B0 0 E 5 \n  20 7 0 0 B 1 \n  20 7\n  21 25 B0 0 B 1 \n"
                         "  25 22 Bp 0 B 1 \n   3 8 0 0 A 3 \n  30 22 B0 0 E 5 \n  32 7 0 0 A 3 \n  34 8 0 0 A 3 \n"
                         "  36 7 0 0 A 3 \n  38 8 0 0 A 3 \n  40 6 0 0 A 3 \n",
                         -1, 0, 0, &options);
  const TsDiagnostic *entry = &reading->diagnostics->entries[TS_DIAGNOSTIC_BACKWARDS];

  ck_assert_uint_eq (entry->count, 1);
  ck_assert_msg (strstr (entry->detail, "back: 18 ") != NULL, "%s", entry->detail);
}
END_TEST

/* All of them start without a fork, but for one; of thousands on as many agents some start before it. */
START_TEST (many_may_wait)
{
  const guint n = _i == 0 ? 200 : 3000;
  GString    *text = g_string_new ("0\n0 5 0 0 0 0\n");
  g_autoptr (VisReading) reading = NULL;

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "10 2 %X 0 0 %u\n", 0x100 + i, i + 1);
  g_string_append (text, "10 1 1C7 1 0 0\n20 3 1C7 0 0 200\n20 4 1C7 1 0 0\n30 6 0 0 0 0\n");
  reading = read_text (text->str);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NO_FORK), n - 1);
  if (_i == 0)
    ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_NO_FORK].line, 3);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_OPEN_TASK), n - 1);
  for (guint i = 0; i < reading->instances->len; i++)
    if (g_array_index (reading->instances, TsInstance, i).end == 20)
      ck_assert (g_array_index (reading->instances, TsInstance, i).flags & TS_INSTANCE_HAS_ACTIVATION);
  g_string_free (text, TRUE);
}
END_TEST

/* Of node 2B all branches are over or have split when it is forked again, though an alternative of one of them still runs: so
 * that fork waits for nothing, and what is cut behind it is of the new one. */
START_TEST (a_fork_of_an_exhausted_node_does_not_wait)
{
  g_autoptr (VisReading) reading = read_text ("1\n0 5 0 0 0 0\n5 20 2B 2 0 0\n5 21 2B 0 2 2\n5 21 2B 1 1 1\n6 23 2B 1 1 1\n7 20 2C 2 2 2\n"
                                                  "8 21 2C 1 3 3\n9 20 2B 2 3 3\n9 26 2B 1 2 2\n12 21 2B 0 1 1\n15 22 2B 0 1 1\n"
                                                  "20 6 0 0 0 0\n");

  expect (reading, 0, &(Expected){ TS_TYPE_BRANCH, 4, 9, 12, 15, 3, 0, 0 });
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_FAILED_ACTIVATION), 1);
  ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_FAILED_ACTIVATION].line, 10);
  /* of 2B, 2C and 2B again no more than one has never started: the other alternative of 2C */
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NEVER_STARTED), 1);
}
END_TEST

/* How many waited in stamps that are over is no matter, be it more than may wait in one. */
START_TEST (some_may_wait_in_any_number_of_stamps)
{
  const guint n_stamps = 25000;
  g_autoptr (GString)    text = g_string_new ("0\n0 5 0 0 5 5\n");
  g_autoptr (VisReading) reading = NULL;

  for (guint i = 1; i <= n_stamps; i++)
    {
      for (guint k = 0; k < 3; k++)
        g_string_append_printf (text, "%u 2 A %u %u %u\n", 10 * i, k, k, k);
      g_string_append_printf (text, "%u 1 A 3 5 5\n", 10 * i);
      for (guint k = 0; k < 3; k++)
        g_string_append_printf (text, "%u 3 A %u %u %u\n", 10 * i + 1 + k, k, k, k);
      g_string_append_printf (text, "%u 4 A 3 5 5\n", 10 * i + 4);
    }
  g_string_append_printf (text, "%u 6 0 0 5 5\n", 10 * n_stamps + 10);
  reading = read_text (text->str);
  expect_no_defect_but (reading, TS_DIAGNOSTIC_EQUAL_STAMPS);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_EQUAL_STAMPS), 3 * n_stamps);
  ck_assert_uint_eq (reading->instances->len, 3 * n_stamps + 1);
}
END_TEST

/* A trace the clock of which is coarse, as it was, and in order of agents. */

typedef struct
{
  gint64      time;
  guint       agent, place;
  const char *rest; /* of its line */
} Line;

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  const Line *left = a, *right = b;

  if (left->time != right->time)
    return left->time < right->time ? -1 : 1;
  if (left->agent != right->agent)
    return left->agent < right->agent ? -1 : 1;
  return left->place < right->place ? -1 : 1;
}

static void
coarsen (char *text, gint64 tick, GString *as_it_was, GString *by_agent)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GArray) sorted = g_array_new (FALSE, FALSE, sizeof (Line));

  g_string_append_printf (as_it_was, "%s\n", lines[0]);
  g_string_append_printf (by_agent, "%s\n", lines[0]);
  for (guint i = 1; lines[i] != NULL && *lines[i] != '\0'; i++)
    {
      Line  line = { .place = i };
      char *rest;

      line.time = g_ascii_strtoll (lines[i], &rest, 10) / tick;
      line.rest = rest;
      line.agent = (guint) g_ascii_strtoull (strrchr (g_strchomp (rest), ' '), NULL, 10);
      g_string_append_printf (as_it_was, "%" G_GINT64_FORMAT "%s\n", line.time, rest);
      g_array_append_val (sorted, line);
    }
  g_array_sort (sorted, compare_lines);
  for (guint i = 0; i < sorted->len; i++)
    {
      const Line *line = &g_array_index (sorted, Line, i);

      g_string_append_printf (by_agent, "%" G_GINT64_FORMAT "%s\n", line->time, line->rest);
    }
}

/* Whether a branch goes on twice at one stamp, or a slave works from a stamp to the same: nobody can know in which order. */
static gboolean
is_ambiguous (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 1; lines[i] != NULL && *lines[i] != '\0'; i++)
    {
      g_auto (GStrv) numbers = g_strsplit (lines[i], " ", -1);
      const char *code = numbers[1];
      char       *key;

      if (!g_str_equal (code, "25") && !g_str_equal (code, "33") && !g_str_equal (code, "34"))
        continue;
      key = g_strdup_printf ("%s %s %s %s %s", numbers[0], g_str_equal (code, "25") ? "goes on" : "slave", numbers[2],
                             numbers[3], g_str_equal (code, "25") ? "" : numbers[5]);
      if (!g_hash_table_add (seen, key))
        return TRUE;
    }
  return FALSE;
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* All that does not depend on which of several came first at one stamp, as DT of one instance and its number do. */
static char *
dump (const VisReading *reading)
{
  static const char *const cells[] = { "window", "work", "maximum", "critical_path", "goals", "branches", "succeeded",
                                       "failed", "cut", "suspensions" };
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < reading->instances->len; i++)
    {
      const TsInstance *x = &g_array_index (reading->instances, TsInstance, i);

      g_ptr_array_add (texts, g_strdup_printf ("%d %d: %ld %ld %ld, %ld %ld %ld",
                                               (int) ts_system_get_element (reading->system, x->element)->type,
                                               (int) x->status,
                                               x->flags & TS_INSTANCE_HAS_ACTIVATION ? (long) x->activation : -1L,
                                               (long) x->start, x->status == TS_STATUS_COMPLETE ? (long) x->end : -1L,
                                               (long) x->running, (long) x->preempted, (long) x->waiting));
    }
  for (guint i = 0; i < reading->intervals->len; i++)
    {
      const TsInterval *interval = &g_array_index (reading->intervals, TsInterval, i);

      if (interval->kind == TS_INTERVAL_WAIT || interval->kind == TS_INTERVAL_PRE || interval->kind == TS_INTERVAL_PER
          || interval->kind == TS_INTERVAL_DT)
        g_ptr_array_add (texts, g_strdup_printf ("interval %d: %ld", (int) interval->kind, (long) interval->value));
    }
  for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
    {
      g_autofree char *cell = vis_reading_cell (reading, "parallelism", 0, cells[i]);

      g_ptr_array_add (texts, g_strdup_printf ("%s %s", cells[i], cell != NULL ? cell : "none"));
    }
  for (guint id = 0; id < TS_N_DIAGNOSTICS; id++)
    if (count_of (reading, id) > 0)
      g_ptr_array_add (texts, g_strdup_printf ("%s %lu", ts_diagnostic_info (id)->name, (gulong) count_of (reading, id)));
  g_ptr_array_sort (texts, compare_texts);
  g_ptr_array_add (texts, NULL);
  return g_strjoinv ("\n", (char **) texts->pdata);
}

/* Told by the first line that is another one: texts are long. */
static void
expect_same (const char *found, const char *expected)
{
  g_auto (GStrv) left = g_strsplit (found, "\n", -1), right = g_strsplit (expected, "\n", -1);
  guint i = 0;

  while (left[i] != NULL && g_strcmp0 (left[i], right[i]) == 0)
    i++;
  ck_assert_msg (g_strcmp0 (left[i], right[i]) == 0, "line %u: %s, and not %s", i + 1, left[i], right[i]);
}

static const gint64 ticks[] = { 2, 7, 40, 1000 };

START_TEST (any_order_of_agents_is_the_same)
{
  VisProgram program = make_program (_i);
  g_autoptr (VisTruth) truth = NULL;
  GString *text = g_string_new (NULL);

  program.fresh_ids = TRUE; /* an agent uses its own ids again only, and not those that another one has just closed */
  truth = vis_simulate (&program, text, NULL);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (ticks); i++)
    {
      GString   *as_it_was = g_string_new (NULL), *by_agent = g_string_new (NULL);
      TsOptions  options = { .no_scanner = i % 2 == 0 };
      g_autoptr (VisReading) expected = NULL, found = NULL;
      g_autofree char *expected_text = NULL, *found_text = NULL;

      coarsen (text->str, ticks[i / 2], as_it_was, by_agent);
      expected = vis_reading_new (as_it_was->str, -1, 0, 0, &options);
      found = vis_reading_new (by_agent->str, -1, 0, 0, &options);
      expected_text = dump (expected);
      found_text = dump (found);
      if (!is_ambiguous (as_it_was->str))
        expect_same (found_text, expected_text);
      g_string_free (as_it_was, TRUE);
      g_string_free (by_agent, TRUE);
    }
  g_string_free (text, TRUE);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("visandor-stamps");
  TCase *tests = tcase_create ("stamps");

  tcase_set_timeout (tests, 120);
  tcase_add_test (tests, a_goal_starts_before_its_fork);
  tcase_add_test (tests, a_branch_goes_on_before_it_is_suspended);
  tcase_add_loop_test (tests, what_waits_in_vain_is_told, 0, 5);
  tcase_add_test (tests, the_order_of_the_file_goes_first);
  tcase_add_test (tests, a_branch_that_goes_on_twice_has_run_all_the_same);
  tcase_add_test (tests, what_nothing_can_come_before_does_not_wait_for_it);
  tcase_add_test (tests, an_agent_that_waits_may_have_done_much);
  tcase_add_test (tests, a_trace_begins_after_other_events_of_its_stamp);
  tcase_add_loop_test (tests, what_is_no_event_ends_no_stamp, 0, 2);
  tcase_add_loop_test (tests, what_waits_is_the_latest_event, 0, 2);
  tcase_add_loop_test (tests, many_may_wait, 0, 2);
  tcase_add_test (tests, a_fork_of_an_exhausted_node_does_not_wait);
  tcase_add_test (tests, some_may_wait_in_any_number_of_stamps);
  tcase_add_loop_test (tests, any_order_of_agents_is_the_same, 0, 2 * N_SEEDS);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
