/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "btf-both-ways.h"
#include "btf-layouts.h"

/* Traces with more pairs of sources and targets than are known as such: what is known of each is put together, and the
 * result is that of the long way alone. */

/* More of both, multiplied, than pairs are known. */
#define N_TASKS 367
#define N_RUNNABLES 359

/* How names are written, but for their numbers, and what is in front of each field. */
static const struct
{
  const char *task, *runnable, *blank;
} kinds[] = {
  { "T", "R", "" },
  { "Task_", "Runnable_with_a_long_name_", "" },
  { "A_task_with_a_long_name_", "Runnable_with_a_name_that_goes_on_beyond_thirty_two_bytes_", "" },
  { "A_task_with_a_name_that_goes_on_and_on_beyond_", "Runnable_", "" },
  /* of these, halves are not known */
  { "A_task_with_a_name_that_goes_on_and_on_and_on_far_beyond_sixty_four_bytes_",
    "A_runnable_with_a_name_that_goes_on_and_on_and_on_far_beyond_sixty_four_bytes_", "" },
  { "T", "Runnable_with_a_name_", " " },
  { "Task ", "Runnable_with_a_name_that_goes_on_", "   " },
};

static void
append_line (GString *text, guint kind, guint time, guint task, guint runnable, const char *event)
{
  const char *blank = kinds[kind].blank;

  g_string_append_printf (text, "%u,%s%s%u,%s%u,%sR,%s%s%u,%s%u,%s%s\n", time, blank, kinds[kind].task, task, blank,
                          task % 7, blank, blank, kinds[kind].runnable, runnable, blank, runnable, blank, event);
}

/* All of the pairs, one behind the other as they come to one processor. */
static GString *
make_trace (guint kind)
{
  GString *text = g_string_new (HEAD);

  for (guint i = 0; i < N_TASKS; i++)
    g_string_append_printf (text, "%u,Core_1,0,T,%s%u,%u,start\n", i, kinds[kind].task, i, i % 7);
  for (guint i = 0; i < N_TASKS * N_RUNNABLES; i++)
    append_line (text, kind, 1000 + i, i % N_TASKS, i % N_RUNNABLES, i / N_RUNNABLES % 2 == 0 ? "start" : "terminate");
  return text;
}

/* Pairs that were known, and some that were not; with a new task now and then, and a new runnable. */
static void
append_pairs (GString *text, guint kind, guint n)
{
  static const char *const events[] = { "start", "terminate", "suspend", "resume", "start,", "terminate,x", "preempt" };

  for (guint i = 0; i < n; i++)
    append_line (text, kind, 200000 + i, i * 31 % (N_TASKS + i / 500), i * 17 % (N_RUNNABLES + i / 700),
                 events[i % G_N_ELEMENTS (events)]);
}

START_TEST (halves_read_as_the_long_way)
{
  g_autoptr (GString) text = make_trace ((guint) _i);

  append_pairs (text, (guint) _i, 5000);
  expect_the_same_with (text->str, text->len, 0, 0);
  expect_the_same_with (text->str, text->len, 4096, READ_FOLD);
}
END_TEST

/* Whatever else comes then. */
START_TEST (every_layout_behind_halves)
{
  g_autoptr (GString) text = make_trace (0);
  const gsize         length = text->len;

  for (guint layout = (guint) _i; layout < btf_n_layouts; layout += G_N_ELEMENTS (kinds))
    {
      g_string_truncate (text, length);
      btf_append_layout (text, layout, 20);
      append_pairs (text, 0, 300);
      btf_append_layout (text, layout, 20);
      expect_the_same_with (text->str, text->len, 0, 0);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("btf-halves");
  TCase *tcase = tcase_create ("halves");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 300);
  tcase_add_loop_test (tcase, halves_read_as_the_long_way, 0, G_N_ELEMENTS (kinds));
  tcase_add_loop_test (tcase, every_layout_behind_halves, 0, G_N_ELEMENTS (kinds));
  return unit_run (suite);
}
