/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "analyse/siblings.h"
#include "timeline-fixture.h"

/* Siblings that a fork activates, whose numbers are unique: they start in any order, late, or never. #3 is the one whose
 * events have the number 3. The instances are counted as they start, and then what never did. */

/* The events of I1, in the lines from 1 on. */
static void
run_unique (const TsEvent *events, gsize n_events)
{
  g_autofree TsEvent *each = g_memdup2 (events, n_events * sizeof *events);
  const guint32       element = fixture_element ("I1");

  for (gsize i = 0; i < n_events; i++)
    {
      each[i].line = i + 1;
      each[i].element = element;
      each[i].owner = TS_NO_ELEMENT;
      each[i].flags |= TS_EVENT_UNIQUE;
    }
  run_events (each, n_events);
}

static gboolean
is_instance (gint64 number)
{
  for (guint i = 0; i < fixture.instances->len; i++)
    if (g_array_index (fixture.instances, TsInstance, i).number == number)
      return TRUE;
  return FALSE;
}

/* PER of the activations that never became an instance, as they came, with the numbers that they got: "10#2". */
static void
expect_periods (const char *text)
{
  g_autoptr (GString) shown = g_string_new (NULL);

  for (guint i = 0; i < fixture.intervals->len; i++)
    {
      const TsInterval *interval = &g_array_index (fixture.intervals, TsInterval, i);

      if (interval->kind == TS_INTERVAL_PER && !is_instance (interval->number))
        g_string_append_printf (shown, "%s%" G_GINT64_FORMAT "#%" G_GINT64_FORMAT, shown->len > 0 ? " " : "",
                                interval->value, interval->number);
    }
  ck_assert_str_eq (shown->str, text);
}

START_TEST (siblings_start_in_any_order_or_never)
{
  /* #3 is taken back: it was no activation. #1 and #4 never start. IPT 12 - 10, 14 - 10; RT 13 - 10, 15 - 10; DT 14 - 12;
     E2S 14 - 13; PER 10 to #2, 0 to #4 and #5. Two start, so #1 and #4 are 3 and 4. */
  const TsEvent events[] = {
    { .time = 0, .kind = TS_EVENT_FORK, .instance = 1 },
    { .time = 10, .kind = TS_EVENT_FORK, .instance = 2, .owner_number = 3 },
    { .time = 11, .kind = TS_EVENT_ACTIVATION_FAILED, .flags = TS_EVENT_WITHDRAWN, .instance = 3 },
    { .time = 12, .kind = TS_EVENT_START, .instance = 5 },
    { .time = 13, .kind = TS_EVENT_END, .instance = 5 },
    { .time = 14, .kind = TS_EVENT_START, .instance = 2 },
    { .time = 15, .kind = TS_EVENT_END, .instance = 2 },
  };

  run_unique (events, G_N_ELEMENTS (events));
  expect ("I1", "IPT 2 4 | CET 1 1 | GET 1 1 | RT 3 5 | DT 2 | PER 0 0 10 | ST 1 | SELF 1 1 | E2S 1 | NPR 0 0");
  expect_counts ("I1", "activations 4, failed 1, starts 2, ends 2, complete 2, pending 2");
  expect_periods ("0#4");
}
END_TEST

/* They wait in the ring, which grows for that, or elsewhere, or some here and some there. */
static const guint most_siblings[] = { 256, 512, 16384 };

START_TEST (a_sibling_may_wait_while_hundreds_pass)
{
  /* 100 forks of three that start and end at once come before #3 starts, as number 301; #1, #2 and #4 never do, and
     are 302 to 304 */
  GArray *events = g_array_new (FALSE, FALSE, sizeof (TsEvent));
  TsEvent event = { .kind = TS_EVENT_FORK, .instance = 1 };

  ts_most_siblings = most_siblings[_i];
  g_array_append_val (events, event);
  event = (TsEvent){ .time = 5, .kind = TS_EVENT_FORK, .instance = 2, .owner_number = 2 };
  g_array_append_val (events, event);
  for (gint32 i = 0; i < 100; i++)
    {
      event = (TsEvent){ .time = 10 * i + 10, .kind = TS_EVENT_FORK, .instance = 3 * i + 5, .owner_number = 2 };
      g_array_append_val (events, event);
      event.owner_number = 0;
      for (gint32 k = 0; k < 6; k++)
        {
          event.time++;
          event.kind = k % 2 == 0 ? TS_EVENT_START : TS_EVENT_END;
          event.instance = 3 * i + 5 + k / 2;
          g_array_append_val (events, event);
        }
    }
  event = (TsEvent){ .time = 2000, .kind = TS_EVENT_START, .instance = 3 };
  g_array_append_val (events, event);
  event = (TsEvent){ .time = 2003, .kind = TS_EVENT_END, .instance = 3 };
  g_array_append_val (events, event);
  run_unique (&g_array_index (events, TsEvent, 0), events->len);
  g_array_unref (events);
  ck_assert_int_eq (fixture_instance ("I1", 301)->activation, 5);
  ck_assert_int_eq (fixture_instance ("I1", 301)->activation_kind, TS_EVENT_ACTIVATION_CHAINED);
  ck_assert_int_eq (fixture_instance ("I1", 301)->per, 0);
  ck_assert_int_eq (fixture_instance ("I1", 301)->running, 3);
  ck_assert_int_eq (fixture_instance ("I1", 1)->per, 5);
  expect_counts ("I1", "activations 304, starts 301, ends 301, complete 301, pending 3");
  expect_periods ("5#303 0#304");
}
END_TEST

START_TEST (more_siblings_than_are_remembered_stay_in_order)
{
  /* of #2 to #301 only #2 and #300 start, as 1 and 2: IPT 1, 3; the others are given up in order. #1, without a PER, is 3,
     #3 to #299 are 4 to 300, and #301 is 301. */
  const TsEvent events[] = {
    { .time = 0, .kind = TS_EVENT_FORK, .instance = 1 },
    { .time = 4, .kind = TS_EVENT_FORK, .instance = 2, .owner_number = 299 },
    { .time = 5, .kind = TS_EVENT_START, .instance = 2 },
    { .time = 6, .kind = TS_EVENT_END, .instance = 2 },
    { .time = 7, .kind = TS_EVENT_START, .instance = 300 },
    { .time = 8, .kind = TS_EVENT_END, .instance = 300 },
  };
  g_autoptr (GString) periods = g_string_new ("0#4");

  ts_most_siblings = most_siblings[_i];
  run_unique (events, G_N_ELEMENTS (events));
  for (guint i = 5; i <= 301; i++)
    g_string_append_printf (periods, " 0#%u", i);
  expect_counts ("I1", "activations 301, starts 2, ends 2, complete 2, pending 299");
  expect_periods (periods->str);
  ck_assert_int_eq (fixture_instance ("I1", 1)->per, 4);
  ck_assert_int_eq (fixture_instance ("I1", 2)->per, 0);
  ck_assert_int_eq (fixture_instance ("I1", 2)->start - fixture_instance ("I1", 2)->activation, 3);
}
END_TEST

START_TEST (thousands_of_siblings_may_wait)
{
  /* 2,000 forks of two, each 10 after the one before: all first ones start when all are there, the last fork first; the
   * numbers of those that never start come after theirs */
  GArray *events = g_array_new (FALSE, FALSE, sizeof (TsEvent));
  TsEvent event = { .kind = TS_EVENT_FORK, .owner_number = 1 };
  g_autoptr (GString) periods = g_string_new ("0#2001");

  ts_most_siblings = most_siblings[_i];
  for (gint32 i = 0; i < 2000; i++)
    {
      event.time = 10 * i;
      event.instance = 2 * i + 1;
      g_array_append_val (events, event);
      if (i > 0)
        g_string_append_printf (periods, " 0#%d", 2001 + i);
    }
  event = (TsEvent){ .time = 30000 };
  for (gint32 i = 1999; i >= 0; i--)
    {
      event.instance = 2 * i + 1;
      for (guint k = 0; k < 2; k++)
        {
          event.kind = k == 0 ? TS_EVENT_START : TS_EVENT_END;
          event.time++;
          g_array_append_val (events, event);
        }
    }
  run_unique (&g_array_index (events, TsEvent, 0), events->len);
  g_array_unref (events);
  for (gint32 i = 0; i < 2000; i++)
    {
      const TsInstance *instance = fixture_instance ("I1", 2000 - i);

      ck_assert_int_eq (instance->activation, 10 * i);
      ck_assert_int_eq (instance->start, 30001 + 2 * (1999 - i));
      ck_assert_int_eq (instance->per, i > 0 ? 10 : 0);
    }
  expect_counts ("I1", "activations 4000, starts 2000, ends 2000, complete 2000, pending 2000");
  expect_periods (periods->str);
}
END_TEST

START_TEST (what_is_activated_alone_is_behind_the_siblings_before)
{
  /* numbers may be left out: #4 to #8, and 500 of them */
  const TsEvent events[] = {
    { .time = 0, .kind = TS_EVENT_FORK, .instance = 1 },
    { .time = 4, .kind = TS_EVENT_FORK, .instance = 2, .owner_number = 1 },
    { .time = 6, .kind = TS_EVENT_ACTIVATION, .instance = 9 },
    { .time = 7, .kind = TS_EVENT_FORK, .instance = 10, .owner_number = 1 },
    { .time = 9, .kind = TS_EVENT_FORK, .instance = 13 },
    { .time = 12, .kind = TS_EVENT_FORK, .instance = 512, .owner_number = 1 },
  };

  run_unique (events, G_N_ELEMENTS (events));
  /* as they came: #2 #3 #9 #10 #11 #13 #512 #513 */
  expect_periods ("4#2 0#3 2#4 1#5 0#6 2#7 3#8 0#9");
  expect_counts ("I1", "activations 9, pending 9");
}
END_TEST

START_TEST (a_window_begins_between_a_fork_and_its_siblings)
{
  /* 20..40: #2 and #4 start there. IPT 25 - 10, 39 - 30; RT 27 - 10, 43 - 30; DT 39 - 25; E2S 39 - 27; PER 20 to #4 and 0 to
     #5, which never starts and is behind #2, #4, #3 and #1; that of #2 and #3 was before. #3 starts too late. */
  const TsEvent events[] = {
    { .time = 0, .kind = TS_EVENT_FORK, .instance = 1 },
    { .time = 10, .kind = TS_EVENT_FORK, .instance = 2, .owner_number = 1 },
    { .time = 25, .kind = TS_EVENT_START, .instance = 2 },
    { .time = 27, .kind = TS_EVENT_END, .instance = 2 },
    { .time = 30, .kind = TS_EVENT_FORK, .instance = 4, .owner_number = 1 },
    { .time = 39, .kind = TS_EVENT_START, .instance = 4 },
    { .time = 43, .kind = TS_EVENT_END, .instance = 4 },
    { .time = 45, .kind = TS_EVENT_START, .instance = 3 },
    { .time = 46, .kind = TS_EVENT_END, .instance = 3 },
  };

  fixture_window (20, 40);
  run_unique (events, G_N_ELEMENTS (events));
  expect ("I1", "IPT 9 15 | CET 2 4 | GET 2 4 | RT 13 17 | DT 14 | PER 0 20 | ST 12 | SELF 2 4 | E2S 12 | NPR 0 0");
  expect_periods ("0#5");
}
END_TEST

START_TEST (a_sibling_may_end_without_a_start_and_a_stranger_start)
{
  /* #3 ends at 6 what was activated at 4 (rule 8): RT 2; #1 does nothing. Nobody forked #9: it has neither IPT nor RT.
     #2: IPT 1, RT 3. Nobody knows whether #3 started before it, so there is nothing from either to #9. */
  const TsEvent events[] = {
    { .time = 0, .kind = TS_EVENT_FORK, .instance = 1 },
    { .time = 4, .kind = TS_EVENT_FORK, .instance = 2, .owner_number = 1 },
    { .time = 5, .kind = TS_EVENT_START, .instance = 2 },
    { .time = 6, .kind = TS_EVENT_END, .instance = 3 },
    { .time = 7, .kind = TS_EVENT_END, .instance = 2 },
    { .time = 8, .kind = TS_EVENT_START, .instance = 9 },
    { .time = 10, .kind = TS_EVENT_END, .instance = 9 },
  };

  run_unique (events, G_N_ELEMENTS (events));
  expect ("I1", "IPT 1 | CET 2 2 | GET 2 2 | RT 2 3 | PER 0 4 | SELF 2 2 | NPR 0 0");
  expect_found ("pending-activation 1, missing-start 1");
}
END_TEST

START_TEST (a_hole_gives_the_siblings_up)
{
  /* what comes after it knows nothing of them: #3 starts without an activation. PER of all three were samples; nothing had
     started, so they are 2, 3 and 4. */
  const TsEvent events[] = {
    { .time = 0, .kind = TS_EVENT_FORK, .instance = 1 },
    { .time = 4, .kind = TS_EVENT_FORK, .instance = 2, .owner_number = 2 },
    { .time = 6, .kind = TS_EVENT_ERROR },
    { .time = 7, .kind = TS_EVENT_START, .instance = 3 },
    { .time = 8, .kind = TS_EVENT_END, .instance = 3 },
  };

  run_unique (events, G_N_ELEMENTS (events));
  expect ("I1", "CET 1 | GET 1 | PER 0 0 4 | SELF 1 | NPR 0");
  expect_periods ("4#2 0#3 0#4");
}
END_TEST

/* Forks at 0, 10 (#2, #3), 20, 30, 40, 50, 70 (#8 to #10), 80 and 90. #5 is withdrawn, which shows when #6 and #7 have begun:
   40 - 20 to #6. So are #3 and #2, after #4: 20 - 0 to that. The first of #8 to #10 that starts is #9, and the others have 0.
   #11 and #12 wait at the end. They are counted as they start: #1, #4, #6, #7, #9; and then #8, #10, #11 and #12. In the
   window there is what belongs to 50 and 70. */
START_TEST (a_fork_may_come_to_nothing)
{
  enum { UNSURE = TS_EVENT_UNSURE, DECIDES = TS_EVENT_DECIDES, WITHDRAWN = TS_EVENT_WITHDRAWN };
  const TsEvent events[] = {
    { .time = 0, .kind = TS_EVENT_FORK, .flags = UNSURE, .instance = 1 },
    { .time = 1, .kind = TS_EVENT_START, .flags = DECIDES, .instance = 1 },
    { .time = 2, .kind = TS_EVENT_END, .instance = 1 },
    { .time = 10, .kind = TS_EVENT_FORK, .flags = UNSURE, .instance = 2, .owner_number = 1 },
    { .time = 20, .kind = TS_EVENT_FORK, .flags = UNSURE, .instance = 4 },
    { .time = 25, .kind = TS_EVENT_START, .flags = DECIDES, .instance = 4 },
    { .time = 26, .kind = TS_EVENT_END, .instance = 4 },
    { .time = 30, .kind = TS_EVENT_FORK, .flags = UNSURE, .instance = 5 },
    { .time = 40, .kind = TS_EVENT_FORK, .flags = UNSURE, .instance = 6 },
    { .time = 41, .kind = TS_EVENT_START, .flags = DECIDES, .instance = 6 },
    { .time = 42, .kind = TS_EVENT_END, .instance = 6 },
    { .time = 50, .kind = TS_EVENT_FORK, .flags = UNSURE, .instance = 7 },
    { .time = 51, .kind = TS_EVENT_START, .flags = DECIDES, .instance = 7 },
    { .time = 52, .kind = TS_EVENT_END, .instance = 7 },
    { .time = 60, .kind = TS_EVENT_ACTIVATION_FAILED, .flags = WITHDRAWN | DECIDES, .instance = 5 },
    { .time = 61, .kind = TS_EVENT_ACTIVATION_FAILED, .flags = WITHDRAWN, .instance = 2, .owner_number = 1 },
    { .time = 62, .kind = TS_EVENT_ACTIVATION_FAILED, .flags = WITHDRAWN | DECIDES, .instance = 3 },
    { .time = 70, .kind = TS_EVENT_FORK, .flags = UNSURE, .instance = 8, .owner_number = 2 },
    { .time = 71, .kind = TS_EVENT_START, .flags = DECIDES, .instance = 9, .owner_number = 1 },
    { .time = 72, .kind = TS_EVENT_END, .instance = 9 },
    { .time = 80, .kind = TS_EVENT_FORK, .flags = UNSURE, .instance = 11 },
    { .time = 90, .kind = TS_EVENT_FORK, .flags = UNSURE, .instance = 12 },
  };

  if (_i == 1)
    fixture_window (45, 75);
  run_unique (events, G_N_ELEMENTS (events));
  expect_intervals ("I1", PER,
                    _i == 0 ? "20@20#2 20@40#3 10@50#4 20@70#5 0@70#6 0@70#7 10@80#8 10@90#9"
                            : "10@50#4 20@70#5 0@70#6 0@70#7");
  expect_counts ("I1", "activations 9, failed 3, starts 5, ends 5, complete 5, pending 4");
}
END_TEST

/* 1,000 forks, 10 after each other, that start when all are there, the last one first: 10 to each but the first, and told when
   the one before it starts */
START_TEST (hundreds_of_forks_may_be_unsure)
{
  GArray *events = g_array_new (FALSE, FALSE, sizeof (TsEvent));
  TsEvent event = { .kind = TS_EVENT_FORK, .flags = TS_EVENT_UNSURE };
  g_autoptr (GString) periods = g_string_new (NULL);

  for (gint32 i = 1; i <= 1000; i++)
    {
      event.time = 10 * i;
      event.instance = i;
      g_array_append_val (events, event);
    }
  event = (TsEvent){ .time = 20000 };
  for (gint32 i = 1000; i > 0; i--)
    {
      event.instance = i;
      for (guint k = 0; k < 2; k++)
        {
          event.kind = k == 0 ? TS_EVENT_START : TS_EVENT_END;
          event.flags = k == 0 ? TS_EVENT_DECIDES : 0;
          event.time++;
          g_array_append_val (events, event);
        }
      if (i > 1)
        {
          g_autofree char *period = g_strdup_printf (" 10@%d#%d", 10 * i, 1001 - i);

          g_string_prepend (periods, period);
        }
    }
  run_unique (&g_array_index (events, TsEvent, 0), events->len);
  g_array_unref (events);
  expect_intervals ("I1", PER, periods->str + 1);
}
END_TEST

/* The same of what is sure. #1 and #2 at 0: the first activation of all has none, so #1 has 0. #3 to #5 at 10: 10 to #5. A
   fork that is known to come to nothing is no activation. #8 to #10 at 30: #8 is withdrawn, so 20 waits at #9, and goes to #10
   which starts. */
START_TEST (the_first_sibling_that_starts_has_the_period)
{
  const TsEvent events[] = {
    { .time = 0, .kind = TS_EVENT_FORK, .instance = 1, .owner_number = 1 },
    { .time = 10, .kind = TS_EVENT_FORK, .instance = 3, .owner_number = 2 },
    { .time = 11, .kind = TS_EVENT_START, .flags = TS_EVENT_DECIDES, .instance = 2, .owner_number = 1 },
    { .time = 12, .kind = TS_EVENT_END, .instance = 2 },
    { .time = 13, .kind = TS_EVENT_START, .flags = TS_EVENT_DECIDES, .instance = 5, .owner_number = 2 },
    { .time = 14, .kind = TS_EVENT_END, .instance = 5 },
    { .time = 20, .kind = TS_EVENT_FORK, .flags = TS_EVENT_WITHDRAWN, .instance = 6, .owner_number = 1 },
    { .time = 30, .kind = TS_EVENT_FORK, .instance = 8, .owner_number = 2 },
    { .time = 31, .kind = TS_EVENT_ACTIVATION_FAILED, .flags = TS_EVENT_WITHDRAWN, .instance = 8, .owner_number = 1 },
    { .time = 32, .kind = TS_EVENT_START, .flags = TS_EVENT_DECIDES, .instance = 10, .owner_number = 1 },
    { .time = 33, .kind = TS_EVENT_END, .instance = 10 },
  };

  if (_i == 1)
    fixture.options.infer_preemption = TRUE;
  run_unique (events, G_N_ELEMENTS (events));
  /* as they are counted: #2, #5, #10, and then #1, #3, #4 and #9 */
  expect_intervals ("I1", PER, "0@0#4 10@10#2 0@10#5 0@10#6 20@30#3 0@30#7");
  expect_counts ("I1", "activations 7, failed 1, starts 3, ends 3, complete 3, pending 4");
}
END_TEST

/* #1 runs 2-7, #2 3-8, #3 5-10, #4 12-14 and #5 13-15: E2S 3 - 7, 5 - 8, 12 - 10 and 13 - 14. Of these, #4 has its own,
   so that of #5 is not told with it. In the window up to 8, what belongs to 8 and later is not there. */
START_TEST (e2s_of_the_next_one_counts_once_whoever_tells_it)
{
  static const gint64 times[][2] = { { 2, 7 }, { 3, 8 }, { 5, 10 }, { 12, 14 }, { 13, 15 } };
  static const char *const expected[] = { "-4@3#2 -3@5#3 2@12#4 -1@13#5", "-4@2#1 -3@3#2 2@12#4 -1@13#5",
                                          "-4@3#2", "-4@2#1" };
  TsEvent events[11] = { { .kind = TS_EVENT_FORK, .instance = 1, .owner_number = 4 } };
  guint   n_events = 1;

  for (gint64 time = 0; time < 16; time++)
    for (gint32 i = 0; i < (gint32) G_N_ELEMENTS (times); i++)
      for (guint end = 0; end < 2; end++)
        if (times[i][end] == time)
          events[n_events++]
              = (TsEvent){ .time = time, .kind = end ? TS_EVENT_END : TS_EVENT_START, .instance = i + 1 };
  fixture.options.joins_e2s = _i % 2 == 1;
  if (_i >= 2)
    fixture_window (0, 8);
  run_unique (events, n_events);
  expect_intervals ("I1", E2S, expected[_i]);
}
END_TEST

/* The hole at 12 gives #2 and #3 up, which were activated 10 after #1: so #3, which starts, has no activation, and whatever it
 * says of the first sibling, nobody is there. */
START_TEST (a_sibling_starts_behind_the_hole_that_gave_it_up)
{
  run_trace ("0 fork I1#1 unique; 1 start I1#1 unique; 2 end I1#1 unique; 10 fork I1#2 unique beside 1; 12 error;"
             "13 start I1#3 unique decides beside 1; 15 end I1#3 unique");
  expect ("I1", "IPT 1 | CET 1 2 | GET 1 2 | RT 2 | PER 0 10 | SELF 1 2 | NPR 0 0");
}
END_TEST

/* #3 takes the place of whoever runs there, which is nobody: IPT 12 - 10, RT 14 - 10. */
START_TEST (a_sibling_that_replaces_others_has_its_activation)
{
  run_trace ("0 fork I1#1 unique; 10 fork I1#2 unique beside 1; 12 start I1#3 unique replaces; 14 end I1#3 unique");
  expect ("I1", "IPT 2 | CET 2 | GET 2 | RT 4 | PER 0 10 | SELF 2 | NPR 0");
  expect_counts ("I1", "activations 3, starts 1, ends 1, complete 1, pending 2");
}
END_TEST

/* That of #2 and #3 is no activation: PER 20 - 0 to #4. */
START_TEST (an_unsure_fork_is_known_to_come_to_nothing)
{
  run_trace ("0 fork I1#1 unique unsure; 1 start I1#1 unique decides; 2 end I1#1 unique;"
             "10 fork I1#2 unique unsure withdrawn beside 1; 20 fork I1#4 unique unsure; 21 start I1#4 unique decides;"
             "22 end I1#4 unique");
  expect ("I1", "IPT 1 1 | CET 1 1 | GET 1 1 | RT 2 2 | DT 20 | PER 20 | ST 19 | SELF 1 1 | E2S 19 | NPR 0 0");
  expect_counts ("I1", "activations 2, starts 2, ends 2, complete 2");
}
END_TEST

/* Who starts without a number is who was activated first (rule 3): #2 at 10, #3 at 10, and then what was activated at 15. */
START_TEST (siblings_start_in_order_where_no_number_says_who_it_is)
{
  run_trace ("0 fork I1#1 unique; 1 start I1#1 unique; 2 end I1#1 unique; 10 fork I1#2 unique beside 1; 13 start I1; 14 end I1;"
             "15 act I1; 17 start I1; 18 end I1; 19 start I1; 20 end I1");
  expect ("I1", "IPT 1 3 4 7 | CET 1 1 1 1 | GET 1 1 1 1 | RT 2 4 5 8 | DT 2 4 12 | PER 0 5 10 | ST 1 3 11 | SELF 1 1 1 1 |"
                " E2S 1 3 11 | NPR 0 0 0 0");
}
END_TEST

/* It is #2 that starts: IPT 17 - 10. PER 0 and 15 - 10 are those of #3 and of what waits behind it. */
START_TEST (what_is_activated_without_a_number_is_behind_the_siblings)
{
  run_trace ("0 fork I1#1 unique; 1 start I1#1 unique; 2 end I1#1 unique; 10 fork I1#2 unique beside 1; 15 act I1; 17 start I1;"
             "18 end I1");
  expect ("I1", "IPT 1 7 | CET 1 1 | GET 1 1 | RT 2 8 | DT 16 | PER 0 5 10 | ST 15 | SELF 1 1 | E2S 15 | NPR 0 0");
}
END_TEST

START_TEST (who_was_not_activated_does_not_start_unseen)
{
  run_trace ("0 fork I1#1 unique; 3 start I1#9 unique unseen; 5 start I1#1 unique; 6 end I1#1 unique");
  expect ("I1", "IPT 5 | CET 1 | GET 1 | RT 6 | SELF 1 | NPR 0");
  expect_counts ("I1", "activations 1, starts 1, ends 1, complete 1");
}
END_TEST

/* Nobody waits under I1 with the number: the instance is there, but without an activation (rule 5). */
START_TEST (who_waits_nowhere_starts_without_an_activation)
{
  run_trace ("0 fork I1#1 unique; 3 start I2#7 in I1 unique from-owner; 5 end I2#7 unique");
  expect ("I2", "CET 2 | GET 2 | SELF 2 | NPR 0");
  expect_counts ("I1", "activations 1, pending 1");
}
END_TEST

void
add_fork_tests (Suite *suite)
{
  TCase *tests = tcase_create ("forks");

  tcase_add_checked_fixture (tests, fixture_setup, fixture_teardown);
  tcase_add_test (tests, siblings_start_in_any_order_or_never);
  tcase_add_loop_test (tests, a_sibling_may_wait_while_hundreds_pass, 0, G_N_ELEMENTS (most_siblings));
  tcase_add_loop_test (tests, more_siblings_than_are_remembered_stay_in_order, 0, G_N_ELEMENTS (most_siblings));
  tcase_add_loop_test (tests, thousands_of_siblings_may_wait, 0, G_N_ELEMENTS (most_siblings));
  tcase_add_test (tests, what_is_activated_alone_is_behind_the_siblings_before);
  tcase_add_test (tests, a_window_begins_between_a_fork_and_its_siblings);
  tcase_add_test (tests, a_sibling_may_end_without_a_start_and_a_stranger_start);
  tcase_add_test (tests, a_hole_gives_the_siblings_up);
  tcase_add_loop_test (tests, a_fork_may_come_to_nothing, 0, 2);
  tcase_add_test (tests, hundreds_of_forks_may_be_unsure);
  tcase_add_loop_test (tests, the_first_sibling_that_starts_has_the_period, 0, 2);
  tcase_add_loop_test (tests, e2s_of_the_next_one_counts_once_whoever_tells_it, 0, 4);
  tcase_add_test (tests, a_sibling_starts_behind_the_hole_that_gave_it_up);
  tcase_add_test (tests, a_sibling_that_replaces_others_has_its_activation);
  tcase_add_test (tests, an_unsure_fork_is_known_to_come_to_nothing);
  tcase_add_test (tests, siblings_start_in_order_where_no_number_says_who_it_is);
  tcase_add_test (tests, what_is_activated_without_a_number_is_behind_the_siblings);
  tcase_add_test (tests, who_was_not_activated_does_not_start_unseen);
  tcase_add_test (tests, who_waits_nowhere_starts_without_an_activation);
  suite_add_tcase (suite, tests);
}
