/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "reading-etf.h"
#include "unit.h"

/* The order of events that are made of claims, which are written when they end. */

#define HEAD "TU MICROSECONDS\nR 0 1 false ; name=cpu\nR 1 8 true ; name=mem, unit=MB\n"

/* Claim i of n lasts from n - i to n + i, so each is around those before it: in the file they are in order of their ends,
 * and the last one starts first. Starts are at 1 .. n, ends at n .. 2n - 1, and at n the start comes first. Few of them
 * are sorted while they are read, many are not. */
START_TEST (claims_around_claims_are_put_in_order)
{
  guint                   n = ((guint[]){ 2, 60, 3000, 70000 })[_i];
  g_autoptr (GString)     text = g_string_new (HEAD);
  g_autoptr (EtfReading)  reading = NULL;
  const TsEvent          *events;

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "C %u %u %u 1 0 1 ; name=A\n", i, n - i, n + i);
  /* two more, in order */
  g_string_append_printf (text, "C %u %u %u 1 0 1 ; name=A\nC %u %u %u 1 0 1 ; name=A\n", n, 2 * n, 2 * n + 2, n + 1,
                          2 * n + 1, 2 * n + 3);
  reading = etf_reading_new (text->str, -1, 0, NULL);
  ck_assert_ptr_null (reading->error);
  ck_assert_uint_eq (reading->events->len, 2 * n + 4);
  events = (const TsEvent *) (gconstpointer) reading->events->data;
  for (guint k = 0; k < n; k++)
    {
      ck_assert_uint_eq (events[k].kind, TS_EVENT_START);
      ck_assert_int_eq (events[k].time, k + 1);
      ck_assert_uint_eq (events[k].line, 3 + n - k);
      ck_assert_int_eq (events[k].instance, (gint32) k + 1);
      ck_assert_uint_eq (events[n + k].kind, TS_EVENT_END);
      ck_assert_int_eq (events[n + k].time, n + k);
      ck_assert_uint_eq (events[n + k].line, 4 + k);
      ck_assert_int_eq (events[n + k].instance, (gint32) (n - k));
    }
  for (guint k = 0; k < 4; k++)
    {
      ck_assert_int_eq (events[2 * n + k].time, 2 * n + k);
      ck_assert_uint_eq (events[2 * n + k].line, 4 + n + k % 2);
    }
}
END_TEST

/* Claim i of n lasts from (n - i) / 2 to 2n + (n - i) / 2, so nearly each has a neighbour that starts and ends with it. Those
 * are in the order of the file, and numbered in it, however they are sorted: while they are read, or because they are many;
 * and so they are with an event of its own. */
START_TEST (claims_of_equal_stamps_stay_in_order)
{
  guint                  n = ((guint[]){ 8, 60, 3000, 70000 })[_i / 2];
  g_autoptr (GString)    text = g_string_new (HEAD);
  g_autoptr (EtfReading) reading = NULL;
  const TsEvent         *events;

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "C %u %u %u 0 1 ; name=A\n", i, (n - i) / 2, 2 * n + (n - i) / 2);
  if (_i % 2 == 1)
    g_string_append_printf (text, "E 0 %u ; name=out\n", 4 * n);
  reading = etf_reading_new (text->str, -1, 0, NULL);
  ck_assert_ptr_null (reading->error);
  ck_assert_uint_eq (reading->events->len, 2 * n + (guint) _i % 2);
  events = (const TsEvent *) (gconstpointer) reading->events->data;
  for (guint k = 0; k < 2 * n; k++)
    {
      /* the first and the last one have no neighbour, those between are pairs */
      guint place = k % n, i = place % (n - 1) == 0 ? n - 1 - place : n - place - 2 * (place % 2);

      ck_assert_uint_eq (events[k].kind, k < n ? TS_EVENT_START : TS_EVENT_END);
      ck_assert_int_eq (events[k].time, (k < n ? 0 : 2 * n) + (n - i) / 2);
      ck_assert_uint_eq (events[k].line, 4 + i);
      ck_assert_int_eq (events[k].instance, (gint32) place + 1);
    }
}
END_TEST

/* Events of no claim, in any order in the file, among claims: at equal stamps they and starts are in the order of the file,
 * and ends follow. Where claims have activations, which take another way, it is the same. */
START_TEST (events_of_no_claim_are_between_claims)
{
  static const struct
  {
    TsEventKind kind;
    gint64      time;
    guint64     line;
  } expected[] = { { TS_EVENT_WRITE, 1, 11 }, { TS_EVENT_START, 2, 5 }, { TS_EVENT_WRITE, 2, 6 },  { TS_EVENT_WRITE, 3, 7 },
                   { TS_EVENT_START, 3, 8 },  { TS_EVENT_WRITE, 5, 9 }, { TS_EVENT_START, 5, 10 }, { TS_EVENT_END, 5, 5 },
                   { TS_EVENT_END, 5, 8 },    { TS_EVENT_END, 7, 10 },  { TS_EVENT_WRITE, 9, 4 },  { TS_EVENT_WRITE, 9, 12 } };
  TsOptions              options = { .activation = _i == 0 ? NULL : (char *) "dep" };
  g_autoptr (EtfReading) reading = etf_reading_new (HEAD "E 0 9 ; name=x\n"
                                                         "C 0 2 5 0 1 ; name=A\n"
                                                         "E 1 2 ; name=y\n"
                                                         "E 2 3 ; name=x\n"
                                                         "C 1 3 5 0 1 ; name=A\n"
                                                         "E 3 5 ; name=y\n"
                                                         "C 2 5 7 0 1 ; name=B\n"
                                                         "E 4 1 ; name=x\n"
                                                         "E 5 9 ; name=y\n"
                                                         "E 6 4 ; name=A\n",
                                                    -1, 0, &options);
  const TsEvent *events;

  ck_assert_ptr_null (reading->error);
  ck_assert_uint_eq (reading->events->len, G_N_ELEMENTS (expected));
  events = (const TsEvent *) (gconstpointer) reading->events->data;
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      ck_assert_uint_eq (events[i].kind, expected[i].kind);
      ck_assert_int_eq (events[i].time, expected[i].time);
      ck_assert_uint_eq (events[i].line, expected[i].line);
    }
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("etf-order");
  TCase *tests = tcase_create ("order");

  tcase_add_loop_test (tests, claims_around_claims_are_put_in_order, 0, 4);
  tcase_add_loop_test (tests, claims_of_equal_stamps_stay_in_order, 0, 8);
  tcase_add_loop_test (tests, events_of_no_claim_are_between_claims, 0, 2);
  suite_add_tcase (suite, tests);
  return suite;
}

int
main (void)
{
  return unit_run (make_suite ());
}
