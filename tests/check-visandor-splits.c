/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/visandor-unseen.h"
#include "unit.h"
#include "visandor-fixture.h"

/* Branches that have split, and those of them that have an end of their own. */

/* Suspended on agent 1, resumed on agent 2; split, and its end comes after its branches'. */
static const char late_ends[] = OR "10 20 A 2 0 0\n20 21 A 0 1 1\n25 21 A 1 3 3\n30 24 A 0 1 1\n34 25 A 0 2 2\n"
                                   "40 20 B 1 2 2\n41 21 B 0 2 2\n45 23 A 1 3 3\n50 22 B 0 2 2\n60 22 A 0 2 2\n90 6 0 0 0 0\n";

START_TEST (a_suspension_is_a_preemption_and_a_late_end_is_waited_for)
{
  static const Expected all[] = {
    { TS_TYPE_ROOT, 1, -1, 0, 10, 10, 0, 0 },
    { TS_TYPE_BRANCH, 1, 10, 20, 60, 16, 4, 20 }, /* 20-30, 34-40; waits 40-60 */
    { TS_TYPE_BRANCH, 2, 10, 25, 45, 20, 0, 0 },
    { TS_TYPE_BRANCH, 3, 40, 41, 50, 9, 0, 0 },
  };
  g_autoptr (VisReading) reading = read_text (late_ends);

  /* that split branches end in this trace is known only when the first one has */
  ck_assert_uint_eq (reading->n_readings, 2);
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    expect (reading, 0, &all[i]);
  ck_assert (!ts_diagnostics_are_refused (reading->diagnostics, NULL));
  expect_cell (reading, "parallelism", 0, "migrations", "1");
  expect_cell (reading, "parallelism", 0, "suspensions", "1");
  expect_cell (reading, "parallelism", 0, "succeeded", "2");
  expect_cell (reading, "parallelism", 0, "failed", "1");
  expect_cell (reading, "parallelism", 0, "critical_path", "35"); /* 10 + 16 + 9 */
}
END_TEST

#define SPLIT_AND_OVER OR "10 20 A 2 0 0\n20 21 A 0 1 1\n25 21 A 1 3 3\n40 20 B 1 1 1\n41 21 B 0 2 2\n45 23 A 1 3 3\n"
START_TEST (a_split_branch_may_end_before_its_alternatives)
{
  g_autoptr (VisReading) reading = read_text (SPLIT_AND_OVER "48 23 A 0 1 1\n50 22 B 0 2 2\n90 6 0 0 0 0\n");

  ck_assert_uint_eq (reading->n_readings, 2);
  expect (reading, 0, &(Expected){ TS_TYPE_BRANCH, 1, 10, 20, 48, 20, 0, 8 }); /* 20-40; waits 40-48 */
  ck_assert (!ts_diagnostics_are_refused (reading->diagnostics, NULL));
}
END_TEST

/* Where MAKE_PUBLIC of C is lost, or an end is there twice, the splits of the trace still have none. */
START_TEST (an_end_of_what_did_not_split_says_nothing_of_splits)
{
  static const char *const lines[] = { "55 21 C 0 3 3\n58 23 C 0 3 3\n", "58 23 A 1 3 3\n59 23 A 1 3 3\n" };
  g_autofree char *text = g_strconcat (SPLIT_AND_OVER "50 22 B 0 2 2\n", lines[_i], "90 6 0 0 0 0\n", NULL);
  g_autoptr (VisReading) reading = read_text (text);

  ck_assert_uint_eq (reading->n_readings, 1);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NO_FORK), _i == 0);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_NODE), _i == 0 ? 0 : 2);
  expect (reading, 0, &(Expected){ TS_TYPE_BRANCH, 1, 10, 20, 40, 20, 0, 0 });
}
END_TEST

START_TEST (a_stream_takes_a_late_end_as_a_defect)
{
  g_autoptr (VisReading) reading = vis_reading_new (late_ends, -1, 0, VIS_READING_OF_STREAM, NULL);

  ck_assert_uint_eq (reading->n_readings, 1);
  expect (reading, 0, &(Expected){ TS_TYPE_BRANCH, 1, 10, 20, 40, 16, 4, 0 });
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_NODE), 1);
}
END_TEST

/* Text of a trace, with the stamp of its last line. */
typedef struct
{
  GString *text;
  guint    time, next_node;
} Writer;

static guint
put (Writer *writer, guint code, guint node, guint field)
{
  writer->time += 10;
  g_string_append_printf (writer->text, "%u %u %X %u 1 1\n", writer->time, code, node, field);
  return writer->time;
}

/* (@node, 0) splits into a node of one branch, which ends. Returns when it split. */
static guint
put_split (Writer *writer, guint node)
{
  guint inner = writer->next_node++, time;

  put (writer, 20, node, 1);
  put (writer, 21, node, 0);
  time = put (writer, 20, inner, 1);
  put (writer, 21, inner, 0);
  put (writer, 22, inner, 0);
  return time;
}

/* The branch that runs splits, and so does one of the two that it split into, @n times: all these are over at once. */
static void
put_splits (Writer *writer, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      guint node = writer->next_node++;

      put (writer, 20, node, 2);
      put (writer, 21, node, 1);
      put (writer, 22, node, 1);
      put (writer, 21, node, 0);
    }
  put (writer, 22, writer->next_node - 1, 0);
}

#define NODE_R 0xf000000u
#define NODE_A 0xa000000u

/* R has four branches. The first one forks A, of which a branch splits; below the second @n branches split. */
static Writer
begin (guint n, guint *split)
{
  Writer writer = { g_string_new (OR), 0, 1 };

  g_string_append_printf (writer.text, "10 20 %X 4 0 0\n", NODE_R);
  writer.time = 10;
  put (&writer, 21, NODE_R, 0);
  *split = put_split (&writer, NODE_A);
  put (&writer, 21, NODE_R, 1);
  put_splits (&writer, n);
  return writer;
}

static VisReading *
stop (Writer *writer, gboolean is_stream)
{
  g_autofree char *text = NULL;

  put (writer, 6, 0, 0);
  text = g_string_free (writer->text, FALSE);
  return vis_reading_new (text, -1, 0, is_stream ? VIS_READING_OF_STREAM : 0, NULL);
}

static VisReading *
end (Writer *writer, gboolean is_stream)
{
  put (writer, 26, NODE_R, 2);
  put (writer, 26, NODE_R, 3);
  return stop (writer, is_stream);
}

static const guint distances[] = { 1, 3, 900, 1100, 20000, 70000 };

/* However many others have split since. */
START_TEST (a_late_end_may_come_much_later)
{
  guint  split, late;
  Writer writer = begin (distances[_i], &split);
  g_autoptr (VisReading) reading = NULL;

  late = put (&writer, 23, NODE_A, 0);
  reading = end (&writer, FALSE);
  ck_assert (!ts_diagnostics_are_refused (reading->diagnostics, NULL));
  /* all wait for an end; or if that are too many, it is read twice to know which ones do */
  ck_assert_uint_eq (reading->n_readings, distances[_i] < 50000 ? 2 : 4);
  /* activated 20 before it splits, and it waits from there on */
  expect (reading, 0, &(Expected){ TS_TYPE_BRANCH, 2, split - 20, split - 10, late, 10, 0, late - split });
  /* its father split when it forked A */
  expect (reading, 0, &(Expected){ TS_TYPE_BRANCH, 1, 10, split - 30, split - 20, 10, 0, 0 });
}
END_TEST

/* What was learnt of lines in their order in the file does not hold for them in order of time. */
START_TEST (a_late_end_is_found_again_where_lines_are_late)
{
  guint  split, late;
  Writer writer = begin (distances[_i], &split);
  g_autoptr (VisReading) reading = NULL;

  late = put (&writer, 23, NODE_A, 0);
  writer.time += 10;
  put (&writer, 26, NODE_R, 3);
  writer.time -= 20;
  put (&writer, 26, NODE_R, 2);
  writer.time += 10;
  reading = stop (&writer, FALSE);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_BACKWARDS), 1);
  ck_assert_uint_eq (reading->n_readings, distances[_i] < 50000 ? 3 : 5);
  expect (reading, 0, &(Expected){ TS_TYPE_BRANCH, 2, split - 20, split - 10, late, 10, 0, late - split });
  expect (reading, 0, &(Expected){ TS_TYPE_BRANCH, 1, 10, split - 30, split - 20, 10, 0, 0 });
}
END_TEST

START_TEST (a_stream_says_that_it_may_be_too_late)
{
  guint  split;
  Writer writer = begin (distances[_i], &split);
  g_autoptr (VisReading) reading = NULL;

  put (&writer, 23, NODE_A, 0);
  reading = end (&writer, TRUE);
  ck_assert_uint_eq (reading->n_readings, 1);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_NODE), 1);
  ck_assert_uint_ge (count_of (reading, TS_DIAGNOSTIC_KNOWN_LATE), 1);
  expect (reading, 0, &(Expected){ TS_TYPE_BRANCH, 2, split - 20, split - 10, split, 10, 0, 0 });
}
END_TEST

/* A is used again, and the end is that of its last branch; of the first of that name none comes. */
START_TEST (a_late_end_is_of_the_last_branch_of_its_name)
{
  const guint n = distances[_i];
  guint  first, second, late;
  Writer writer = begin (n, &first);
  g_autoptr (VisReading) reading = NULL;

  put (&writer, 21, NODE_R, 2);
  second = put_split (&writer, NODE_A);
  put (&writer, 21, NODE_R, 3);
  put_splits (&writer, n);
  late = put (&writer, 23, NODE_A, 0);
  reading = end (&writer, FALSE);
  expect (reading, 0, &(Expected){ TS_TYPE_BRANCH, 2, first - 20, first - 10, first, 10, 0, 0 });
  /* before it come (R,0), A, what is in it, (R,1), two for each split, and (R,2) */
  expect (reading, 0, &(Expected){ TS_TYPE_BRANCH, 6 + 2 * n, second - 20, second - 10, late, 10, 0, late - second });
}
END_TEST

/* A is used again, and its branch ends without having split; a second end of that is none of the first A. */
START_TEST (an_end_is_not_that_of_an_older_branch)
{
  guint  first, last;
  Writer writer = begin (distances[_i], &first);
  g_autoptr (VisReading) reading = NULL;

  put (&writer, 21, NODE_R, 2);
  put (&writer, 20, NODE_A, 1);
  put (&writer, 21, NODE_A, 0);
  last = put (&writer, 22, NODE_A, 0);
  put (&writer, 21, NODE_R, 3);
  put_splits (&writer, distances[_i]);
  put (&writer, 22, NODE_A, 0);
  reading = end (&writer, FALSE);
  /* and the cuts at the end, unless so many nodes were open that some were forgotten: these may be about one of them */
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_NODE), distances[_i] < 10000 ? 3 : 1);
  expect (reading, 0, &(Expected){ TS_TYPE_BRANCH, 2, first - 20, first - 10, first, 10, 0, 0 });
  expect (reading, 0, &(Expected){ TS_TYPE_BRANCH, 6 + 2 * distances[_i], last - 20, last - 10, last, 10, 0, 0 });
}
END_TEST

/* Of 40 branches, of which the 36th splits, a second end comes: it is of a node that is not open, whatever its number. */
START_TEST (a_second_end_is_told_the_same_for_each_branch)
{
  static const guint second[] = { 0, 2, 29, 30, 31, 34, 36, 39 };
  Writer writer = { g_string_new (OR), 0, 1 };
  g_autoptr (VisReading) reading = NULL;
  g_autofree char *text = NULL;

  g_string_append_printf (writer.text, "10 20 %X 40 0 0\n", NODE_A);
  writer.time = 10;
  for (guint i = 0; i < 40; i++)
    {
      put (&writer, 21, NODE_A, i);
      if (i == 35)
        put_splits (&writer, 1);
      else
        put (&writer, 22, NODE_A, i);
    }
  put (&writer, 22, NODE_A, second[_i]);
  put (&writer, 6, 0, 0);
  text = g_string_free (writer.text, FALSE);
  reading = read_text (text);
  ck_assert_uint_eq (reading->n_readings, 1);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_NODE), 1);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_REDUNDANT_END), 0);
}
END_TEST

/* A branch of A splits into B, that of B into B2, and so on: so A, of which the other one has ended, may be forgotten. What is cut
 * there is cut all the same, while C never was a node, and there is no field -1. */
START_TEST (what_refers_to_what_is_over_or_never_was)
{
  static const struct
  {
    const char *line;
    guint       n_cut, n_unknown;
  } cases[] = {
    { "70 26 A 0 2 2\n", 1, 0 },
    { "70 26 A 1 2 2\n", 1, 0 },
    { "70 23 C 0 2 2\n", 0, 1 },
    { "70 22 C -1 2 2\n", 0, 1 },
  };
  const guint      way = (guint) _i % 4, i = (guint) _i / 4;
  g_autofree char *text = g_strconcat (SPLIT_AND_OVER "50 20 B2 2 2 2\n51 21 B2 0 2 2\n52 21 B2 1 1 1\n53 22 B2 1 1 1\n"
                                       "54 20 B3 1 2 2\n55 21 B3 0 2 2\n", cases[i].line, "80 22 B3 0 2 2\n90 6 0 0 0 0\n", NULL);
  g_autoptr (VisReading) reading = NULL;

  if (way % 2 == 1)
    {
      ts_vis_many_tasks = 0;
      ts_vis_n_awaiting = 1;
    }
  if (way >= 2)
    ts_vis_most_awaited = 0;
  reading = read_text (text);
  ck_assert_uint_eq (reading->n_readings, 1);
  expect_cell (reading, "parallelism", 0, "cut", cases[i].n_cut > 0 ? "1" : "0");
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_NODE), cases[i].n_unknown);
  expect (reading, 0, &(Expected){ TS_TYPE_BRANCH, 1, 10, 20, 40, 20, 0, 0 });
  expect (reading, 0, &(Expected){ TS_TYPE_BRANCH, 2, 10, 25, 45, 20, 0, 0 });
  expect (reading, 0, &(Expected){ TS_TYPE_BRANCH, 3, 40, 41, 50, 9, 0, 0 });
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("visandor-splits");
  TCase *tests = tcase_create ("visandor-splits");

  tcase_add_test (tests, a_suspension_is_a_preemption_and_a_late_end_is_waited_for);
  tcase_add_test (tests, a_split_branch_may_end_before_its_alternatives);
  tcase_add_loop_test (tests, an_end_of_what_did_not_split_says_nothing_of_splits, 0, 2);
  tcase_add_test (tests, a_stream_takes_a_late_end_as_a_defect);
  tcase_add_loop_test (tests, a_late_end_may_come_much_later, 0, (int) G_N_ELEMENTS (distances));
  tcase_add_loop_test (tests, a_late_end_is_found_again_where_lines_are_late, 0, (int) G_N_ELEMENTS (distances));
  tcase_add_loop_test (tests, a_stream_says_that_it_may_be_too_late, 0, (int) G_N_ELEMENTS (distances));
  tcase_add_loop_test (tests, a_late_end_is_of_the_last_branch_of_its_name, 0, (int) G_N_ELEMENTS (distances) - 1);
  tcase_add_loop_test (tests, an_end_is_not_that_of_an_older_branch, 0, (int) G_N_ELEMENTS (distances) - 1);
  tcase_add_loop_test (tests, a_second_end_is_told_the_same_for_each_branch, 0, 8);
  tcase_add_loop_test (tests, what_refers_to_what_is_over_or_never_was, 0, 4 * 4);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
