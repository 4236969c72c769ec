/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib.h>

#include "analyse/handover.h"
#include "unit.h"

/* The next stage gets everything in its order, whichever side is the slower one, and sees the system as it was when
 * its events were handed over. An event tells its number in `time' and the number of elements then in `element'. */

#define N_EVENTS 200000 /* far more than the queue has room for */

typedef struct
{
  TsSystem *system;
  GThread  *caller;
  gint64    next;
  guint     n_sections;
  guint     n_other; /* batches taken in another thread */
  guint     n_wrong; /* nothing is asserted there */
  gboolean  in_section;
  gulong    delay; /* microseconds a batch */
} Taker;

static void
begin_section (gpointer data, TsSection *section)
{
  Taker *taker = data;

  ck_assert (g_thread_self () == taker->caller);
  ck_assert (!taker->in_section);
  ck_assert_int_eq (taker->next, section->first);
  taker->in_section = TRUE;
  taker->n_sections++;
}

static void
take_events (gpointer data, const TsEvent *events, gsize n_events)
{
  Taker *taker = data;

  taker->n_wrong += !taker->in_section;
  taker->n_other += g_thread_self () != taker->caller;
  if (taker->delay > 0)
    g_usleep (taker->delay);
  for (gsize i = 0; i < n_events; i++)
    taker->n_wrong
        += events[i].time != taker->next++ || events[i].element != ts_system_n_elements (taker->system);
}

static void
end_section (gpointer data, TsSection *section)
{
  Taker *taker = data;

  ck_assert (g_thread_self () == taker->caller);
  ck_assert_int_eq (taker->next, section->last);
  taker->in_section = FALSE;
}

static const TsEventSink sink = { begin_section, take_events, end_section };

typedef struct
{
  guint  batch;         /* events */
  guint  element_every; /* batches; 0: never */
  guint  section_every;
  gulong delay; /* microseconds a batch */
} Giver;

static void
hand_over (Taker *taker, const Giver *giver)
{
  g_autoptr (TsSystem) system = ts_system_new ();
  g_autofree TsEvent *events = g_new0 (TsEvent, giver->batch);
  TsHandover         *handover = ts_handover_new (system, &sink, taker);
  const TsEventSink  *stage = ts_handover_sink ();
  TsSection           section = { 0 };
  gint64              n = 0;

  taker->system = system;
  taker->caller = g_thread_self ();
  stage->begin_section (handover, &section);
  for (guint k = 1; n < N_EVENTS; k++)
    {
      for (guint i = 0; i < giver->batch; i++)
        {
          events[i].time = n++;
          events[i].element = ts_system_n_elements (system);
        }
      stage->events (handover, events, giver->batch);
      if (giver->delay > 0)
        g_usleep (giver->delay);
      if (giver->element_every > 0 && k % giver->element_every == 0)
        ts_system_add_element (system, TS_TYPE_TASK, "task", NULL, TS_NO_ELEMENT, TS_NO_RESOURCE);
      if (giver->section_every > 0 && k % giver->section_every == 0)
        {
          section.last = n;
          stage->end_section (handover, &section);
          section.first = n;
          stage->begin_section (handover, &section);
        }
    }
  section.last = n;
  stage->end_section (handover, &section);
  ck_assert_int_eq (taker->next, n);
  ck_assert_uint_eq (taker->n_wrong, 0);
  ts_handover_free (handover);
}

START_TEST (all_events_come_in_their_order)
{
  static const guint batches[] = { 1, 7, 1000, 1024, 2048, 5000, 100000 };

  for (gsize i = 0; i < G_N_ELEMENTS (batches); i++)
    {
      Taker       taker = { 0 };
      const Giver giver = { .batch = batches[i] };

      hand_over (&taker, &giver);
      ck_assert_uint_gt (taker.n_other, 0);
    }
}
END_TEST

START_TEST (either_side_may_be_slow)
{
  Taker slow = { .delay = 200 }, quick = { 0 };

  hand_over (&slow, &(Giver){ .batch = 1024 });
  hand_over (&quick, &(Giver){ .batch = 1024, .delay = 200 });
}
END_TEST

START_TEST (the_system_changes_between_events)
{
  static const guint every[] = { 1, 3, 17, 60 };

  for (gsize i = 0; i < G_N_ELEMENTS (every); i++)
    {
      Taker taker = { .delay = i % 2 * 20 };

      hand_over (&taker, &(Giver){ .batch = 1000, .element_every = every[i] });
      ck_assert (taker.n_other > 0 || every[i] < 17);
    }
}
END_TEST

START_TEST (sections_are_not_mixed)
{
  static const guint every[] = { 1, 5, 40, 70 };

  for (gsize i = 0; i < G_N_ELEMENTS (every); i++)
    {
      Taker taker = { .delay = 20 };

      hand_over (&taker, &(Giver){ .batch = 1000, .section_every = every[i], .element_every = 23 });
      ck_assert_uint_eq (taker.n_sections, N_EVENTS / 1000 / every[i] + 1);
    }
}
END_TEST

/* What is over soon, and what waits too often, has no thread. */
START_TEST (short_sections_stay_in_one_thread)
{
  Taker taker = { 0 };

  hand_over (&taker, &(Giver){ .batch = 1000, .section_every = 10 });
  ck_assert_uint_eq (taker.n_other, 0);
}
END_TEST

/* As one does that fails: what was handed over is taken all the same. */
START_TEST (a_reading_may_end_within_a_section)
{
  g_autoptr (TsSystem) system = ts_system_new ();
  Taker       taker = { .system = system, .caller = g_thread_self (), .delay = 100 };
  TsHandover *handover = ts_handover_new (system, &sink, &taker);
  TsSection   section = { 0 };
  TsEvent     events[1000] = { { 0 } };

  ts_handover_sink ()->begin_section (handover, &section);
  for (guint i = 0; i < 120000; i++)
    {
      events[i % 1000].time = i;
      if (i % 1000 == 999)
        ts_handover_sink ()->events (handover, events, 1000);
    }
  ts_handover_free (handover);
  ck_assert_int_eq (taker.next, 120000);
  ck_assert_uint_eq (taker.n_wrong, 0);
  ck_assert_uint_gt (taker.n_other, 0);
  ck_assert_uint_eq (ts_system_add_element (system, TS_TYPE_TASK, "task", NULL, TS_NO_ELEMENT, TS_NO_RESOURCE), 0);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("handover");
  TCase *tests = tcase_create ("handover");

  suite_add_tcase (suite, tests);
  tcase_set_timeout (tests, 120);
  tcase_add_test (tests, all_events_come_in_their_order);
  tcase_add_test (tests, either_side_may_be_slow);
  tcase_add_test (tests, the_system_changes_between_events);
  tcase_add_test (tests, sections_are_not_mixed);
  tcase_add_test (tests, short_sections_stay_in_one_thread);
  tcase_add_test (tests, a_reading_may_end_within_a_section);
  return unit_run (suite);
}
