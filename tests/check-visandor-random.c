/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/visandor-unseen.h"
#include "intervals.h"
#include "reading-visandor.h"
#include "unit.h"
#include "visandor-programs.h"

/* Random parallel programs: what the engine makes of a trace is what the simulation knows. */

static void
expect_table (const VisReading *reading, const char *table, guint row, const char *column, gint64 expected)
{
  g_autofree char *text = vis_reading_cell (reading, table, row, column);
  g_autofree char *wanted = g_strdup_printf ("%" G_GINT64_FORMAT, expected);

  ck_assert_msg (text != NULL, "%s.%s of row %u is missing", table, column, row);
  ck_assert_msg (strcmp (text, wanted) == 0, "%s.%s of row %u: %s, truly %s", table, column, row, text, wanted);
}

static GHashTable *
index_instances (const VisReading *reading, TsElementType type)
{
  GHashTable *index = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < reading->instances->len; i++)
    {
      TsInstance *instance = &g_array_index (reading->instances, TsInstance, i);

      if (ts_system_get_element (reading->system, instance->element)->type == type)
        g_hash_table_insert (index, GSIZE_TO_POINTER ((gsize) instance->own_number), instance);
    }
  return index;
}

static void
compare_task (const VisTask *task, const TsInstance *x, const VisTruth *truth)
{
  gboolean is_complete = task->state == VIS_ENDED || task->state == VIS_SPLIT;

  if (!task->started && task->father != NULL)
    {
      ck_assert_msg (x == NULL, "task %u never started", task->number);
      return;
    }
  ck_assert_msg (x != NULL, "task %u is missing", task->number);
  ck_assert_int_eq (x->start, task->start);
  ck_assert_msg (x->running == task->running, "task %u ran %d, truly %d", task->number, (int) x->running,
                 (int) task->running);
  ck_assert_int_eq (x->status, is_complete ? TS_STATUS_COMPLETE : TS_STATUS_PARTIAL_TAIL);
  if (task->father != NULL)
    {
      ck_assert (x->flags & TS_INSTANCE_HAS_ACTIVATION);
      ck_assert_int_eq (x->activation, task->activation);
    }
  if (!is_complete)
    return;
  ck_assert_int_eq (x->end, task->state == VIS_SPLIT ? task->since : task->end);
  ck_assert_int_eq (x->waiting, task->waiting);
  ck_assert_int_eq (x->preempted, task->preempted);
  ck_assert_int_eq (x->end - x->start, x->running + x->preempted + x->waiting);
  ck_assert_int_le (x->end, truth->end);
}

/* Own work, and for each fork the longest of its tasks. */
static gint64
critical_path (const VisTask *task)
{
  gint64 path = 0;

  for (guint i = 0; i < task->segments->len; i++)
    path += g_array_index (task->segments, gint64, i);
  for (guint i = 0; i < task->forks->len; i++)
    {
      const GPtrArray *children = g_ptr_array_index (task->forks, i);
      gint64           longest = 0;

      for (guint k = 0; k < children->len; k++)
        {
          gint64 length = critical_path (g_ptr_array_index (children, k));

          longest = MAX (longest, length);
        }
      path += longest;
    }
  return path;
}

typedef struct
{
  gint64 time;
  int    step;
} Step;

static int
compare_steps (gconstpointer a, gconstpointer b)
{
  const Step *left = a, *right = b;

  return left->time < right->time ? -1 : left->time > right->time;
}

static void
compare_figures (const VisReading *reading, const VisTruth *truth, const VisProgram *program)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (Step));
  g_autofree gint64 *profile = g_new0 (gint64, program->n_agents + 1);
  gint64             work = 0, previous = truth->begin, path = critical_path (truth->root);
  guint              n_running = 0, maximum = 0;

  for (guint i = 0; i < truth->slices->len; i++)
    {
      const VisSlice *slice = &g_array_index (truth->slices, VisSlice, i);
      Step            begin = { slice->start, 1 }, end = { slice->end, -1 };

      work += slice->end - slice->start;
      g_array_append_val (steps, begin);
      g_array_append_val (steps, end);
    }
  g_array_sort (steps, compare_steps);
  for (guint i = 0; i < steps->len; i++)
    {
      const Step *step = &g_array_index (steps, Step, i);

      profile[n_running] += step->time - previous;
      if (step->time > previous)
        maximum = MAX (maximum, n_running);
      previous = step->time;
      n_running += (guint) step->step;
    }
  profile[n_running] += truth->end - previous;
  for (guint i = 0; i < truth->slave_paths->len; i++)
    path = MAX (path, g_array_index (truth->slave_paths, gint64, i));

  expect_table (reading, "parallelism", 0, "window", truth->end - truth->begin);
  expect_table (reading, "parallelism", 0, "work", work);
  expect_table (reading, "parallelism", 0, "maximum", maximum);
  expect_table (reading, "parallelism", 0, "critical_path", path);
  for (guint i = 0; i <= maximum; i++)
    expect_table (reading, "profile", i, "time", profile[i]);
}

/* From 1 in order of start, whatever instances are put together by. No two lines of a simulation have the same stamp. */
static void
expect_numbers_by_start (const VisReading *reading)
{
  for (guint i = 0; i < reading->instances->len; i++)
    {
      const TsInstance *x = &g_array_index (reading->instances, TsInstance, i);
      gint64            number = 1;

      for (guint k = 0; k < reading->instances->len; k++)
        {
          const TsInstance *other = &g_array_index (reading->instances, TsInstance, k);

          number += other->element == x->element && other->start < x->start;
        }
      ck_assert_int_eq (x->number, number);
    }
}

static void
compare_all (const VisReading *reading, const VisTruth *truth, const VisProgram *program)
{
  g_autoptr (GHashTable) tasks = index_instances (reading, program->is_or ? TS_TYPE_BRANCH : TS_TYPE_GOAL);
  g_autoptr (GHashTable) roots = index_instances (reading, TS_TYPE_ROOT);
  guint n_started = 0;

  ck_assert_msg (reading->error == NULL, "%s", reading->error != NULL ? reading->error->message : "");
  ck_assert (!reading->went_back);
  compare_task (truth->root, g_hash_table_lookup (roots, GSIZE_TO_POINTER (1)), truth);
  for (guint i = 1; i < truth->tasks->len; i++)
    {
      const VisTask *task = g_ptr_array_index (truth->tasks, i);

      n_started += task->started;
      compare_task (task, g_hash_table_lookup (tasks, GSIZE_TO_POINTER (task->number)), truth);
    }
  ck_assert_uint_eq (g_hash_table_size (tasks), n_started);
  expect_numbers_by_start (reading);
  compare_figures (reading, truth, program);
  for (guint id = 0; id < TS_N_DIAGNOSTICS; id++)
    if (ts_diagnostic_info (id)->severity == TS_SEVERITY_DEFECT)
      ck_assert_msg (reading->diagnostics->entries[id].count == (truth->is_cut && id == TS_DIAGNOSTIC_NO_STOP_TIME),
                     "%s", ts_diagnostic_info (id)->name);
}

static const char *const groups[] = { NULL, "node", "agent", "field", "depth" };

/* Periods (METRICS, rules 4 and 9), the slow way. */

/* What tasks are put together by. */
static guint64
group_of (const VisTask *task, const char *group)
{
  if (group == NULL)
    return 0;
  return g_str_equal (group, "node") ? task->node : g_str_equal (group, "field") ? task->index : task->depth;
}

/* As they were activated; those of one fork as they started, and then those that never did. */
static int
compare_activations (gconstpointer a, gconstpointer b)
{
  const VisTask *left = *(VisTask *const *) a, *right = *(VisTask *const *) b;

  if (left->activation != right->activation)
    return left->activation < right->activation ? -1 : 1;
  if (left->started != right->started)
    return left->started ? -1 : 1;
  if (left->started)
    return left->place < right->place ? -1 : 1;
  return left->number < right->number ? -1 : 1;
}

/* The number of @task among @tasks of its group: in order of start, and then those that never did. */
static gint64
number_in_group (const VisTask *task, const GPtrArray *tasks, const char *group)
{
  gint64 number = 1;

  for (guint i = 0; i < tasks->len; i++)
    {
      const VisTask *other = g_ptr_array_index (tasks, i);

      if (group_of (other, group) == group_of (task, group))
        number += task->started ? other->started && other->place < task->place
                                : other->started || other->number < task->number;
    }
  return number;
}

static void
expect_periods (const VisReading *reading, const VisTruth *truth, const char *group)
{
  g_autoptr (GPtrArray) tasks = g_ptr_array_new ();
  g_autoptr (GArray) expected = g_array_new (FALSE, FALSE, sizeof (TsInterval));
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (TsInterval));
  guint n_with_instances = 0, n_of_started = 0;

  for (guint i = 1; i < truth->tasks->len; i++)
    if (((VisTask *) g_ptr_array_index (truth->tasks, i))->state != VIS_WITHDRAWN)
      g_ptr_array_add (tasks, g_ptr_array_index (truth->tasks, i));
  g_ptr_array_sort (tasks, compare_activations);
  for (guint i = 1; i < tasks->len; i++)
    {
      const VisTask *task = g_ptr_array_index (tasks, i);
      guint          k = i;

      while (k > 0 && group_of (g_ptr_array_index (tasks, k - 1), group) != group_of (task, group))
        k--;
      if (k > 0)
        {
          const VisTask *before = g_ptr_array_index (tasks, k - 1);
          TsInterval     interval = { 0, TS_INTERVAL_PER, task->activation - before->activation, task->activation,
                                      number_in_group (task, tasks, group) };

          g_array_append_val (expected, interval);
          n_of_started += task->started;
        }
    }
  for (guint i = 0; i < reading->intervals->len; i++)
    if (g_array_index (reading->intervals, TsInterval, i).kind == TS_INTERVAL_PER)
      g_array_append_val (found, g_array_index (reading->intervals, TsInterval, i));
  for (guint i = 0; i < reading->instances->len; i++)
    n_with_instances += (g_array_index (reading->instances, TsInstance, i).flags & TS_INSTANCE_COUNTS_PER) != 0;
  g_array_sort (expected, compare_periods);
  g_array_sort (found, compare_periods);
  ck_assert_uint_eq (found->len, expected->len);
  for (guint i = 0; i < found->len; i++)
    ck_assert_int_eq (compare_periods (&g_array_index (found, TsInterval, i), &g_array_index (expected, TsInterval, i)),
                      0);
  if (reading->flags & VIS_READING_OF_INSTANCES)
    ck_assert_uint_eq (n_with_instances, n_of_started);
}

START_TEST (the_engine_finds_the_truth_of_the_simulation)
{
  VisProgram               program = make_program (_i);
  g_autoptr (VisTruth) truth = NULL;
  GString *text = g_string_new (NULL);

  truth = vis_simulate (&program, text, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      TsOptions options = { .group = (char *) groups[i] };
      g_autoptr (VisReading) reading = vis_reading_new (text->str, (gssize) text->len, 0, 0, &options);
      g_autoptr (VisReading) shown
          = vis_reading_new (text->str, (gssize) text->len, 0, VIS_READING_OF_INSTANCES, &options);

      compare_all (reading, truth, &program);
      compare_all (shown, truth, &program);
      if (g_strcmp0 (groups[i], "agent") == 0)
        continue;
      expect_periods (reading, truth, groups[i]);
      expect_periods (shown, truth, groups[i]);
      if (!program.splits_end)
        ck_assert_uint_eq (reading->n_readings, 1);
    }
  g_string_free (text, TRUE);
}
END_TEST

/* The same where nodes are forgotten as soon as nothing but late ends can be about them: hardly any late end finds its node. */
START_TEST (what_is_forgotten_makes_no_difference)
{
  VisProgram program = make_program (_i);
  TsOptions  options = { .no_scanner = _i % 3 == 0 };
  g_autoptr (VisTruth) truth = NULL;
  GString *text = g_string_new (NULL);

  truth = vis_simulate (&program, text, NULL);
  for (guint i = 0; i < 6; i++)
    {
      static const guint most[] = { 50000, 0, 1 };
      g_autoptr (VisReading) reading = NULL;

      ts_vis_many_tasks = 2;
      ts_vis_n_awaiting = i % 2 == 0 ? 1 : 8;
      ts_vis_most_awaited = most[i / 2];
      reading = vis_reading_new (text->str, (gssize) text->len, 0, 0, &options);
      compare_all (reading, truth, &program);
      expect_periods (reading, truth, NULL);
    }
  g_string_free (text, TRUE);
}
END_TEST

/* Ends of branches that have split are awaited of all, of none, or of all until that are too many. */
START_TEST (ends_are_found_whoever_awaits_them)
{
  static const guint most[] = { 0, 1, 5 };
  VisProgram program = make_program (4 * _i + 3);
  g_autoptr (VisTruth) truth = NULL;
  GString *text = g_string_new (NULL);

  truth = vis_simulate (&program, text, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (most); i++)
    {
      g_autoptr (VisReading) reading = NULL;

      ts_vis_most_awaited = most[i];
      reading = vis_reading_new (text->str, (gssize) text->len, 1000, 0, NULL);
      compare_all (reading, truth, &program);
      expect_periods (reading, truth, NULL);
    }
  g_string_free (text, TRUE);
}
END_TEST

START_TEST (chunks_make_no_difference)
{
  static const gsize chunks[] = { 1, 2, 3, 5, 7, 64 };
  VisProgram program = make_program (_i);
  g_autoptr (VisTruth) truth = NULL;
  GString *text = g_string_new (NULL);
  g_autofree char *expected = NULL;

  truth = vis_simulate (&program, text, NULL);
  for (guint i = 0; i <= G_N_ELEMENTS (chunks); i++)
    {
      gsize chunk = i < G_N_ELEMENTS (chunks) ? chunks[i] : 0;
      const VisReadingFlags flags = _i % 2 != 0 ? VIS_READING_OF_STREAM : 0;
      g_autoptr (VisReading) reading = vis_reading_new (text->str, (gssize) text->len, chunk, flags, NULL);
      g_autofree char *dump = vis_reading_dump (reading);

      if (expected == NULL)
        expected = g_steal_pointer (&dump);
      else
        ck_assert_str_eq (dump, expected);
    }
  g_string_free (text, TRUE);
}
END_TEST

START_TEST (the_profile_covers_the_window_and_agents_cover_the_work)
{
  VisProgram program = make_program (_i);
  g_autoptr (VisTruth) truth = NULL;
  g_autoptr (VisReading) reading = NULL;
  GString *text = g_string_new (NULL);
  gint64   window = 0, busy = 0, work;

  truth = vis_simulate (&program, text, NULL);
  reading = vis_reading_new (text->str, (gssize) text->len, 0, 0, NULL);
  for (guint row = 0;; row++)
    {
      g_autofree char *time = vis_reading_cell (reading, "profile", row, "time");

      if (time == NULL)
        break;
      window += g_ascii_strtoll (time, NULL, 10);
    }
  for (guint row = 0;; row++)
    {
      g_autofree char *time = vis_reading_cell (reading, "agents", row, "busy");

      if (time == NULL)
        break;
      busy += g_ascii_strtoll (time, NULL, 10);
      ck_assert_int_eq ((gint64) ts_timeline_busy (reading->timeline, (guint16) row), g_ascii_strtoll (time, NULL, 10));
    }
  {
    g_autofree char *cell = vis_reading_cell (reading, "parallelism", 0, "work");

    work = g_ascii_strtoll (cell, NULL, 10);
  }
  ck_assert_int_eq (window, truth->end - truth->begin);
  ck_assert_int_eq (busy, work);
  g_string_free (text, TRUE);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("visandor-random");
  TCase *tests = tcase_create ("visandor-random");

  tcase_set_timeout (tests, 120);
  tcase_add_loop_test (tests, the_engine_finds_the_truth_of_the_simulation, 0, N_SEEDS);
  tcase_add_loop_test (tests, what_is_forgotten_makes_no_difference, 0, N_SEEDS);
  tcase_add_loop_test (tests, ends_are_found_whoever_awaits_them, 0, N_SEEDS / 4);
  tcase_add_loop_test (tests, chunks_make_no_difference, 0, 8);
  tcase_add_loop_test (tests, the_profile_covers_the_window_and_agents_cover_the_work, 0, 8);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
