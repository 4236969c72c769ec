/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "timeline-fixture.h"

/* Many instances of one element are open, or wait to start, in any order: each event is of the one that has its number. */

#define N 200

static GArray *events; /* of TsEvent */

static void
setup (void)
{
  fixture_setup ();
  events = g_array_new (FALSE, FALSE, sizeof (TsEvent));
}

static void
teardown (void)
{
  g_array_unref (events);
  fixture_teardown ();
}

static TsEvent *
add (gint64 time, TsEventKind kind, const char *element, gint32 instance)
{
  TsEvent event = { .time = time, .line = events->len + 1, .kind = kind, .element = fixture_element (element),
                    .instance = instance, .owner = TS_NO_ELEMENT };

  g_array_append_val (events, event);
  return &g_array_index (events, TsEvent, events->len - 1);
}

static void
run (void)
{
  run_events (&g_array_index (events, TsEvent, 0), events->len);
}

/* All numbers below N, in no order. */
static gint32
scramble (gint32 i)
{
  return (77 * i + 5) % N;
}

START_TEST (those_that_wait_end_in_any_order)
{
  /* number k runs 10 k .. 10 k + 4, and 4 of the 10 ticks that begin where it is its turn; then it is told to end once
   * more, which is one too many */
  for (gint32 k = 0; k < N; k++)
    {
      add (10 * k, TS_EVENT_START, "T1", k);
      add (10 * k + 4, TS_EVENT_WAIT, "T1", k);
    }
  for (gint32 i = 0; i < N; i++)
    {
      add (10 * (N + i), TS_EVENT_RESUME, "T1", scramble (i));
      add (10 * (N + i) + 4, TS_EVENT_END, "T1", scramble (i));
      add (10 * (N + i) + 5, TS_EVENT_END, "T1", scramble (i));
    }
  run ();
  for (gint32 i = 0; i < N; i++)
    {
      const gint32      k = scramble (i);
      const TsInstance *instance = fixture_instance ("T1", k);

      ck_assert_int_eq (instance->status, TS_STATUS_COMPLETE);
      ck_assert_int_eq (instance->start, 10 * k);
      ck_assert_int_eq (instance->end, 10 * (N + i) + 4);
      ck_assert_int_eq (instance->running, 8);
      ck_assert_int_eq (instance->waiting, 10 * (N + i) - (10 * k + 4));
    }
  expect_found ("redundant-end 200");
  expect_load (0, "1600/3995");
}
END_TEST

START_TEST (those_that_start_meanwhile_are_found_as_well)
{
  /* when half of N have ended, half as many start, and then all that are left end in their order: from number k on
   * those below N that were not yet ended, then N .. */
  gboolean ended[N + N / 2] = { FALSE };
  gint64   now = 10 * N;

  for (gint32 k = 0; k < N; k++)
    {
      add (10 * k, TS_EVENT_START, "T1", k);
      add (10 * k + 4, TS_EVENT_WAIT, "T1", k);
    }
  for (gint32 i = 0; i < N / 2; i++, now += 10)
    {
      add (now, TS_EVENT_END, "T1", scramble (i));
      ended[scramble (i)] = TRUE;
    }
  for (gint32 k = N; k < N + N / 2; k++, now += 10)
    {
      add (now, TS_EVENT_START, "T1", k);
      add (now + 4, TS_EVENT_WAIT, "T1", k);
    }
  for (gint32 k = 0; k < N + N / 2; k++)
    if (!ended[k])
      {
        add (now, TS_EVENT_END, "T1", k);
        now += 10;
      }
  run ();
  now = 10 * N + 10 * N;
  for (gint32 k = 0; k < N + N / 2; k++)
    {
      const TsInstance *instance = fixture_instance ("T1", k);

      ck_assert_int_eq (instance->status, TS_STATUS_COMPLETE);
      ck_assert_int_eq (instance->start, k < N ? 10 * k : 30 * N / 2 + 10 * (k - N));
      ck_assert_int_eq (instance->running, 4);
      if (ended[k])
        continue;
      ck_assert_int_eq (instance->end, now);
      now += 10;
    }
  expect_found ("end-while-preempted 300");
}
END_TEST

START_TEST (of_one_number_the_youngest_ends_first)
{
  /* f1 is opened with each of the numbers 0 .. N - 1 twice, at 2 k and at 2 k + 1; of each two ends follow one another */
  add (0, TS_EVENT_START, "T1", 0);
  for (gint32 k = 0; k < 2 * N; k++)
    add (k, TS_EVENT_START, "f1", k / 2);
  for (gint32 i = 0; i < N; i++)
    for (gint32 n = 0; n < 2; n++)
      add (2 * N + 2 * i + n, TS_EVENT_END, "f1", scramble (i));
  run ();
  for (guint i = 0, n = 0; i < fixture.instances->len; i++)
    {
      const TsInstance *instance = &g_array_index (fixture.instances, TsInstance, i);

      if (instance->element != fixture_element ("f1"))
        continue;
      ck_assert_int_eq (instance->number, scramble ((gint32) n / 2));
      ck_assert_int_eq (instance->start, 2 * instance->number + (n % 2 == 0 ? 1 : 0));
      ck_assert_int_eq (instance->end, 2 * N + n);
      n++;
    }
  expect_counts ("f1", "starts 400, ends 400, complete 400");
}
END_TEST

START_TEST (of_one_number_the_one_of_the_task_ends)
{
  /* r1 is open with the numbers 0 .. N - 1 in T1 and, later, in T2 of another core; those of T1 end first */
  add (0, TS_EVENT_START, "T1", 7);
  add (0, TS_EVENT_START, "T2", 8)->resource = 1;
  for (gint32 n = 0; n < 2; n++)
    for (gint32 k = 0; k < N; k++)
      {
        TsEvent *event = add (n * N + k, TS_EVENT_START, "r1", k);

        event->owner = fixture_element (n == 0 ? "T1" : "T2");
        event->owner_number = ts_event_owner_number (n == 0 ? 7 : 8);
        event->resource = (guint16) n;
      }
  for (gint32 n = 0; n < 2; n++)
    for (gint32 i = 0; i < N; i++)
      {
        TsEvent *event = add (2 * N + n * N + i, TS_EVENT_END, "r1", scramble (i));

        event->owner = fixture_element (n == 0 ? "T1" : "T2");
        event->owner_number = ts_event_owner_number (n == 0 ? 7 : 8);
        event->resource = (guint16) n;
      }
  run ();
  for (guint i = 0, n = 0; i < fixture.instances->len; i++)
    {
      const TsInstance *instance = &g_array_index (fixture.instances, TsInstance, i);

      if (instance->element != fixture_element ("r1"))
        continue;
      ck_assert_int_eq (instance->number, scramble ((gint32) n % N));
      ck_assert_uint_eq (instance->owner, fixture_element (n < N ? "T1" : "T2"));
      ck_assert_int_eq (instance->start, (n < N ? 0 : N) + instance->number);
      ck_assert_int_eq (instance->end, 2 * N + n);
      n++;
    }
  expect_counts ("r1", "starts 400, ends 400, complete 400");
}
END_TEST

START_TEST (one_without_a_number_may_be_any)
{
  /* N are open, and one is told to end, which has them known by their numbers; then two start without a number, and more
   * with one: the next two ends are of those, whatever their numbers are */
  add (0, TS_EVENT_START, "T1", 0);
  for (gint32 k = 0; k < N; k++)
    add (k, TS_EVENT_START, "f1", k);
  add (N, TS_EVENT_END, "f1", 3);
  for (gint32 n = 1; n <= 2; n++)
    add (N + n, TS_EVENT_START, "f1", TS_NO_INSTANCE);
  for (gint32 k = 2 * N; k < 3 * N; k++)
    add (k, TS_EVENT_START, "f1", k);
  for (gint32 n = 5; n <= 7; n++)
    add (3 * N + n, TS_EVENT_END, "f1", n);
  run ();
  ck_assert_int_eq (fixture_instance ("f1", 3)->end, N);
  /* these are counted: they start behind N others */
  ck_assert_int_eq (fixture_instance ("f1", N + 2)->start, N + 2);
  ck_assert_int_eq (fixture_instance ("f1", N + 2)->end, 3 * N + 5);
  ck_assert_int_eq (fixture_instance ("f1", N + 1)->start, N + 1);
  ck_assert_int_eq (fixture_instance ("f1", N + 1)->end, 3 * N + 6);
  ck_assert_int_eq (fixture_instance ("f1", 7)->start, 7);
  ck_assert_int_eq (fixture_instance ("f1", 7)->end, 3 * N + 7);
  expect_counts ("f1", "starts 402, ends 4, complete 4, tails 398");
}
END_TEST

START_TEST (those_that_were_activated_start_in_any_order)
{
  /* N are activated in no order, at 0 .. N - 1; each starts in the order of their numbers, ISRs as well as tasks, and when
   * half of them have, as many more are activated */
  const char *const element = _i == 0 ? "T1" : "I1";
  gint64            now = N;

  for (gint32 i = 0; i < N; i++)
    add (i, TS_EVENT_ACTIVATION, element, scramble (i));
  for (gint32 k = 0; k < 2 * N; k++, now += 2)
    {
      if (k == N / 2)
        for (gint32 i = 0; i < N; i++)
          add (now++, TS_EVENT_ACTIVATION, element, N + scramble (i));
      add (now, TS_EVENT_START, element, k);
      add (now + 1, TS_EVENT_END, element, k);
    }
  run ();
  for (gint32 i = 0; i < N; i++)
    {
      ck_assert_int_eq (fixture_instance (element, scramble (i))->activation, i);
      ck_assert_int_eq (fixture_instance (element, N + scramble (i))->activation, 2 * N + i);
    }
  expect_found ("");
}
END_TEST

START_TEST (of_one_number_the_one_that_waits_longest_starts)
{
  /* each number is activated twice, at i and N + i; of each two starts one follows the other, the numbers in another order */
  for (gint32 i = 0; i < 2 * N; i++)
    add (i, TS_EVENT_ACTIVATION, "T1", scramble (i % N));
  for (gint32 i = 0; i < 2 * N; i++)
    {
      add (2 * N + 2 * i, TS_EVENT_START, "T1", i / 2);
      add (2 * N + 2 * i + 1, TS_EVENT_END, "T1", i / 2);
    }
  run ();
  ck_assert_uint_eq (fixture.instances->len, 2 * N);
  for (guint i = 0; i < 2 * N; i++)
    {
      const TsInstance *instance = &g_array_index (fixture.instances, TsInstance, i);

      ck_assert_int_eq (instance->number, i / 2);
      ck_assert_int_eq (scramble ((gint32) (instance->activation % N)), i / 2);
      ck_assert_int_eq (instance->activation / N, i % 2);
    }
}
END_TEST

START_TEST (those_that_never_start_keep_their_numbers)
{
  guint n = 0;

  for (gint32 i = 0; i < N; i++)
    add (i, TS_EVENT_ACTIVATION, "I1", scramble (i));
  add (N, TS_EVENT_START, "I1", scramble (N - 1));
  run ();
  for (guint i = 0; i < fixture.intervals->len; i++)
    {
      const TsInterval *interval = &g_array_index (fixture.intervals, TsInterval, i);

      if (interval->kind != TS_INTERVAL_PER)
        continue;
      ck_assert_int_eq (interval->number, scramble ((gint32) interval->at));
      n++;
    }
  /* the first has none */
  ck_assert_uint_eq (n, N - 1);
}
END_TEST

START_TEST (a_start_without_a_number_is_of_the_one_that_waits_longest)
{
  /* of N that wait the last one starts, then those in front without a number */
  for (gint32 i = 0; i < N; i++)
    add (i, TS_EVENT_ACTIVATION, "I1", scramble (i));
  add (N, TS_EVENT_START, "I1", scramble (N - 1));
  add (N + 1, TS_EVENT_END, "I1", scramble (N - 1));
  for (gint32 i = 0; i < 3; i++)
    {
      add (N + 2 + 2 * i, TS_EVENT_START, "I1", TS_NO_INSTANCE);
      add (N + 3 + 2 * i, TS_EVENT_END, "I1", TS_NO_INSTANCE);
    }
  run ();
  for (guint i = 0; i < 3; i++)
    ck_assert_int_eq (g_array_index (fixture.instances, TsInstance, 1 + i).activation, i);
}
END_TEST

START_TEST (an_activation_without_a_number_may_be_of_any)
{
  /* behind N, of which one starts, there is one without a number, and more with one: the next start of those takes it */
  for (gint32 i = 0; i < N; i++)
    add (i, TS_EVENT_ACTIVATION, "T1", scramble (i));
  add (N, TS_EVENT_START, "T1", scramble (N - 1));
  add (N + 1, TS_EVENT_END, "T1", scramble (N - 1));
  add (N + 2, TS_EVENT_ACTIVATION, "T1", TS_NO_INSTANCE);
  for (gint32 i = 0; i < N; i++)
    add (N + 3 + i, TS_EVENT_ACTIVATION, "T1", N + scramble (i));
  for (gint32 n = 0; n < 2; n++)
    {
      add (2 * N + 4 + 2 * n, TS_EVENT_START, "T1", N + scramble (7 + n));
      add (2 * N + 5 + 2 * n, TS_EVENT_END, "T1", N + scramble (7 + n));
    }
  run ();
  ck_assert_int_eq (fixture_instance ("T1", scramble (N - 1))->activation, N - 1);
  ck_assert_int_eq (fixture_instance ("T1", N + scramble (7))->activation, N + 2);
  ck_assert_int_eq (fixture_instance ("T1", N + scramble (8))->activation, N + 3 + 8);
}
END_TEST

START_TEST (those_whose_numbers_are_unique_are_beside_them)
{
  TsEvent *event;

  /* behind N that wait, #1000 waits to start and #1001 runs on another core, both with numbers that are unique; all of
   * those end, and #1000 is told to, though it did not start */
  for (gint32 k = 0; k < N; k++)
    {
      add (10 * k, TS_EVENT_START, "I1", k);
      add (10 * k + 4, TS_EVENT_WAIT, "I1", k);
    }
  add (10 * N, TS_EVENT_ACTIVATION, "I1", 1000)->flags = TS_EVENT_UNIQUE;
  event = add (10 * N, TS_EVENT_START, "I1", 1001);
  event->flags = TS_EVENT_UNIQUE;
  event->resource = 1;
  for (gint32 i = 0; i < N; i++)
    {
      add (10 * (N + i), TS_EVENT_END, "I1", scramble (i));
      if (i == N / 4)
        add (10 * (N + i), TS_EVENT_END, "I1", 1000);
    }
  add (20 * N, TS_EVENT_END, "I1", 1001)->flags = TS_EVENT_UNIQUE;
  run ();
  for (gint32 i = 0; i < N; i++)
    {
      const TsInstance *instance = fixture_instance ("I1", scramble (i));

      ck_assert_int_eq (instance->start, 10 * scramble (i));
      ck_assert_int_eq (instance->end, 10 * (N + i));
      ck_assert_int_eq (instance->running, 4);
    }
  ck_assert_int_eq (fixture_instance ("I1", 1000)->end, 10 * (N + N / 4));
  ck_assert_int_eq (fixture_instance ("I1", 1000)->activation, 10 * N);
  expect_found ("end-while-preempted 200, missing-start 1");
  expect_counts ("I1", "activations 1, starts 201, ends 202, complete 202");
}
END_TEST

START_TEST (a_runnable_is_in_the_instance_that_runs)
{
  /* N wait; each goes on, in no order, and runs r1 for 3 ticks of 5 */
  for (gint32 k = 0; k < N; k++)
    {
      add (10 * k, TS_EVENT_START, "T1", k);
      add (10 * k + 4, TS_EVENT_WAIT, "T1", k);
    }
  for (gint32 i = 0; i < N; i++)
    {
      const gint32 k = scramble (i);

      add (10 * (N + i), TS_EVENT_RESUME, "T1", k);
      for (gint32 n = 0; n < 2; n++)
        {
          TsEvent *event = add (10 * (N + i) + 1 + 3 * n, n == 0 ? TS_EVENT_START : TS_EVENT_END, "r1", i);

          event->owner = fixture_element ("T1");
          event->owner_number = ts_event_owner_number (k);
        }
      add (10 * (N + i) + 5, TS_EVENT_END, "T1", k);
    }
  run ();
  for (gint32 k = 0; k < N; k++)
    {
      const TsInstance *instance = fixture_instance ("T1", k);

      ck_assert_int_eq (instance->running, 9);
      ck_assert_int_eq (instance->self, 6);
      ck_assert_int_eq (fixture_instance ("r1", k)->running, 3);
    }
  expect_found ("");
}
END_TEST

START_TEST (a_runnable_is_not_in_another_instance_that_runs)
{
  /* #1 of T1 runs on core 0, then #32769 on core 1, which events of runnables do not tell from #1: of those that are open,
   * the one that started last is meant. r1 is in it 12..15, whatever runs where the event is said to be. #2 comes last, so
   * that the one that is meant is not the obvious one. */
  TsEvent *event;

  add (0, TS_EVENT_START, "T1", 1);
  add (5, TS_EVENT_START, "T1", 32769)->resource = 1;
  add (8, TS_EVENT_START, "T1", 2)->resource = TS_NO_RESOURCE;
  add (9, TS_EVENT_WAIT, "T1", 2)->resource = TS_NO_RESOURCE;
  for (gint32 n = 0; n < 2; n++)
    {
      event = add (12 + 3 * n, n == 0 ? TS_EVENT_START : TS_EVENT_END, "r1", 1);
      event->owner = fixture_element ("T1");
      event->owner_number = ts_event_owner_number (32769);
    }
  add (40, TS_EVENT_END, "T1", 1);
  add (50, TS_EVENT_END, "T1", 32769)->resource = 1;
  run ();
  ck_assert_int_eq (fixture_instance ("T1", 1)->self, 40);
  ck_assert_int_eq (fixture_instance ("T1", 32769)->self, 45 - 3);
  ck_assert_uint_eq (fixture_instance ("r1", 1)->resource, 1);
}
END_TEST

START_TEST (what_an_event_without_a_number_leaves_is_nothing)
{
  /* as of those that wait, behind one that started and ended without a number */
  add (0, TS_EVENT_START, "T1", TS_NO_INSTANCE);
  add (1, TS_EVENT_END, "T1", TS_NO_INSTANCE);
  for (gint32 k = 0; k < N; k++)
    {
      add (10 * (k + 1), TS_EVENT_START, "T1", k);
      add (10 * (k + 1) + 4, TS_EVENT_WAIT, "T1", k);
    }
  for (gint32 i = 0; i < N; i++)
    add (10 * (N + 1 + i), TS_EVENT_END, "T1", scramble (i));
  run ();
  for (gint32 i = 0; i < N; i++)
    if (scramble (i) != 1) /* which is the number of the first one as well */
      ck_assert_int_eq (fixture_instance ("T1", scramble (i))->end, 10 * (N + 1 + i));
  expect_counts ("T1", "starts 201, ends 201, complete 201");
}
END_TEST

void
add_many_tests (Suite *suite)
{
  TCase *tests = tcase_create ("many");

  tcase_add_checked_fixture (tests, setup, teardown);
  tcase_add_test (tests, those_that_wait_end_in_any_order);
  tcase_add_test (tests, those_that_start_meanwhile_are_found_as_well);
  tcase_add_test (tests, of_one_number_the_youngest_ends_first);
  tcase_add_test (tests, of_one_number_the_one_of_the_task_ends);
  tcase_add_test (tests, one_without_a_number_may_be_any);
  tcase_add_loop_test (tests, those_that_were_activated_start_in_any_order, 0, 2);
  tcase_add_test (tests, of_one_number_the_one_that_waits_longest_starts);
  tcase_add_test (tests, those_that_never_start_keep_their_numbers);
  tcase_add_test (tests, a_start_without_a_number_is_of_the_one_that_waits_longest);
  tcase_add_test (tests, an_activation_without_a_number_may_be_of_any);
  tcase_add_test (tests, those_whose_numbers_are_unique_are_beside_them);
  tcase_add_test (tests, a_runnable_is_in_the_instance_that_runs);
  tcase_add_test (tests, a_runnable_is_not_in_another_instance_that_runs);
  tcase_add_test (tests, what_an_event_without_a_number_leaves_is_nothing);
  suite_add_tcase (suite, tests);
}
