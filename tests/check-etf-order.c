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
 * behind ends. Where claims have activations, which take another way, ends follow. */
START_TEST (events_of_no_claim_are_between_claims)
{
  static const struct
  {
    TsEventKind kind;
    gint64      time;
    guint64     line;
  } all[] = { { TS_EVENT_WRITE, 1, 11 }, { TS_EVENT_START, 2, 5 }, { TS_EVENT_WRITE, 2, 6 },  { TS_EVENT_WRITE, 3, 7 },
              { TS_EVENT_START, 3, 8 },  { TS_EVENT_WRITE, 5, 9 }, { TS_EVENT_START, 5, 10 }, { TS_EVENT_END, 5, 5 },
              { TS_EVENT_END, 5, 8 },    { TS_EVENT_END, 7, 10 },  { TS_EVENT_WRITE, 9, 4 },  { TS_EVENT_WRITE, 9, 12 } };
  static const guint     order[2][G_N_ELEMENTS (all)] = { { 0, 1, 2, 3, 4, 7, 8, 5, 6, 9, 10, 11 },
                                                          { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 } };
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
  ck_assert_uint_eq (reading->events->len, G_N_ELEMENTS (all));
  events = (const TsEvent *) (gconstpointer) reading->events->data;
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      const guint n = order[_i][i];

      ck_assert_uint_eq (events[i].kind, all[n].kind);
      ck_assert_int_eq (events[i].time, all[n].time);
      ck_assert_uint_eq (events[i].line, all[n].line);
    }
}
END_TEST

/* A ends when Z, which has no extent, and B start: A is over before B starts, unless Z is written, and so ends, first. */
START_TEST (claims_without_extent_start_before_they_end)
{
  static const char *const traces[] = {
    HEAD "C 0 0 5 0 1 ; name=A\nC 1 5 5 0 1 ; name=Z\nC 2 5 7 0 1 ; name=B\n",
    HEAD "C 1 5 5 0 1 ; name=Z\nC 0 0 5 0 1 ; name=A\nC 2 5 7 0 1 ; name=B\n",
  };
  static const char *const orders[] = {
    "0 start A; 5 end A; 5 start Z; 5 start B; 5 end Z; 7 end B",
    "0 start A; 5 start Z; 5 start B; 5 end Z; 5 end A; 7 end B",
  };
  g_autoptr (EtfReading) reading = etf_reading_new (traces[_i], -1, 0, NULL);
  g_autoptr (GString)    order = g_string_new (NULL);

  ck_assert_ptr_null (reading->error);
  for (guint i = 0; i < reading->events->len; i++)
    {
      const TsEvent *event = &g_array_index (reading->events, TsEvent, i);

      g_string_append_printf (order, "%s%" G_GINT64_FORMAT " %s %s", i > 0 ? "; " : "", event->time,
                              event->kind == TS_EVENT_START ? "start" : "end",
                              ts_system_get_element (reading->system, event->element)->name);
    }
  ck_assert_str_eq (order->str, orders[_i]);
}
END_TEST

/* Jobs 0, 1 and 2 are activated at 10, by lines in this order, and start in any of the six orders; the third to start ends
 * first, so that its claim is the first one in the file. */
static const guint orders[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };

static void
append_claims (GString *text, const guint *order, const char *prefix)
{
  for (guint k = 3; k-- > 0;)
    g_string_append_printf (text, "C %u %u %u 0 1 ; name=A, id=%s%u\n", order[k], 10 + k, 20 - k, prefix, order[k]);
}

/* The lines of what is activated, parted by blanks: those of claims, or of events that activate none. */
static char *
activated_lines (const char *text, const char *instance_key, const char *activation)
{
  TsOptions              options = { .instance_key = (char *) instance_key, .activation = (char *) activation };
  g_autoptr (EtfReading) reading = etf_reading_new (text, -1, 0, &options);
  GString               *lines = g_string_new (NULL);

  ck_assert_msg (reading->error == NULL, "%s\n%s", reading->error != NULL ? reading->error->message : "", text);
  for (guint i = 0; i < reading->events->len; i++)
    {
      const TsEvent *event = &g_array_index (reading->events, TsEvent, i);

      if (event->kind == TS_EVENT_ACTIVATION)
        g_string_append_printf (lines, "%s%u", lines->len > 0 ? " " : "", (guint) event->line);
    }
  return g_string_free (lines, FALSE);
}

/* The line of the claim of @job, when the first one is in @line. */
static guint
claim_line (const guint *order, guint job, guint line)
{
  for (guint k = 0; k < 3; k++)
    if (order[k] == job)
      return line + 2 - k;
  ck_abort ();
}

/* Numbers or texts as ids, claims behind the events or before them. Without ids the jobs are activated as they start. */
START_TEST (equal_activations_stay_in_order)
{
  const guint        *order = orders[_i % 6];
  gboolean            claims_first = _i / 6 % 2 == 1;
  const char         *prefix = _i / 12 == 1 ? "x" : "";
  gboolean            has_ids = _i / 12 < 2;
  guint               line = claims_first ? 4 : 7;
  g_autoptr (GString) text = g_string_new (HEAD);
  g_autofree char    *expected = NULL, *lines = NULL;

  if (claims_first)
    append_claims (text, order, prefix);
  for (guint job = 0; job < 3; job++)
    g_string_append_printf (text, "E %u 10 ; do=go, name=A, id=%s%u\n", job, prefix, job);
  if (!claims_first)
    append_claims (text, order, prefix);
  expected = has_ids ? g_strdup_printf ("%u %u %u", claim_line (order, 0, line), claim_line (order, 1, line),
                                        claim_line (order, 2, line))
                     : g_strdup_printf ("%u %u %u", line + 2, line + 1, line);
  lines = activated_lines (text->str, has_ids ? "id" : NULL, "event:do=go");
  ck_assert_msg (strcmp (lines, expected) == 0, "%s instead of %s\n%s", lines, expected, text->str);
}
END_TEST

/* Of the four that are activated at 10, the second and the fourth never start. Their events and the claims are mixed. */
START_TEST (pending_ones_keep_their_place_among_equal_activations)
{
  g_autofree char *with_ids = activated_lines (HEAD "E 0 10 ; do=go, name=A, id=0\nC 0 12 14 0 1 ; name=A, id=2\n"
                                                    "E 1 10 ; do=go, name=A, id=1\nC 1 10 20 0 1 ; name=A, id=0\n"
                                                    "E 2 10 ; do=go, name=A, id=2\nE 3 10 ; do=go, name=A, id=3\n"
                                                    "E 4 9 ; do=go, name=A, id=4\n",
                                               "id", "event:do=go");
  /* of one job the latest event counts, and so does its place */
  g_autofree char *twice = activated_lines (HEAD "E 0 10 ; do=go, name=A, id=0\nE 1 10 ; do=go, name=A, id=1\n"
                                                 "E 2 10 ; do=go, name=A, id=0\nC 0 10 20 0 1 ; name=A, id=0\n"
                                                 "E 3 10 ; do=go, name=A, id=1\nE 4 10 ; do=go, name=A, id=2\n",
                                            "id", "event:do=go");
  /* the claims take the first two, and the third waits */
  g_autofree char *without = activated_lines (HEAD "E 0 10 ; do=go, name=A\nE 1 10 ; do=go, name=A\nE 2 10 ; do=go, name=A\n"
                                                   "C 0 12 14 0 1 ; name=A\nC 1 10 20 0 1 ; name=A\n",
                                              NULL, "event:do=go");

  ck_assert_str_eq (with_ids, "10 7 6 5 9");
  ck_assert_str_eq (twice, "7 8 9");
  ck_assert_str_eq (without, "8 7 6");
}
END_TEST

/* Of A those at 5, 25 and 29 wait and have no number: theirs are 4, 5 and 6, behind 3 of the job that started last. */
START_TEST (pending_ones_are_numbered_behind_all_jobs)
{
  static const char text[] = HEAD "C 0 10 20 0 1 ; name=A, id=0\nC 1 30 40 0 1 ; name=A, id=3\nE 0 5 ; name=A, do=go\n"
    "E 1 25 ; name=A, do=go, id=x\nE 2 28 ; name=A, do=go, id=3\nE 3 29 ; name=A, do=go\n";
  static const gint64    pers[][3] = { { 28, 28 - 25, 3 }, { 25, 25 - 5, 5 }, { 29, 29 - 28, 6 } };
  TsOptions              options = { .instance_key = (char *) "id", .activation = (char *) "event:do=go" };
  g_autoptr (EtfReading) reading = etf_reading_new (text, -1, 0, &options);
  guint                  n = 0;

  for (guint i = 0; i < reading->intervals->len; i++)
    {
      const TsInterval *interval = &g_array_index (reading->intervals, TsInterval, i);

      if (interval->kind != TS_INTERVAL_PER)
        continue;
      ck_assert_int_eq (interval->at, pers[n][0]);
      ck_assert_int_eq (interval->value, pers[n][1]);
      ck_assert_int_eq (interval->number, pers[n++][2]);
    }
  ck_assert_uint_eq (n, G_N_ELEMENTS (pers));
}
END_TEST

/* Each job depends on an event of its own, and the dependencies are in the order of the starts, backwards; or all on one
 * event, when their own order counts: 2, 1, 0. */
START_TEST (what_jobs_depend_on_is_their_order)
{
  const guint        *order = orders[_i % 6];
  gboolean            is_one_event = _i / 6 == 1;
  g_autoptr (GString) text = g_string_new (HEAD "E 0 10 ; name=B\nE 1 10 ; name=B\nE 2 10 ; name=B\n");
  g_autofree char    *expected = NULL, *with_ids = NULL, *without = NULL;
  guint               first = is_one_event ? 2 : 0, last = 2 - first;

  for (guint k = 3; k-- > 0;)
    if (is_one_event)
      g_string_append_printf (text, "D %u 7 1 %u ;\n", k, k);
    else
      g_string_append_printf (text, "D %u 7 %u %u ;\n", k, order[k], order[k]);
  append_claims (text, order, "");
  /* what is earlier, or in an earlier line, makes no difference */
  g_string_append_printf (text, "E 3 9 ; name=B\nD 3 7 3 0 ;\nD 4 7 0 %u ;\n", last);
  expected = g_strdup_printf ("%u %u %u", claim_line (order, first, 10), claim_line (order, 1, 10),
                              claim_line (order, last, 10));
  with_ids = activated_lines (text->str, "id", "dep");
  ck_assert_msg (strcmp (with_ids, expected) == 0, "%s instead of %s\n%s", with_ids, expected, text->str);
  without = activated_lines (text->str, NULL, "dep");
  ck_assert_str_eq (without, expected);
}
END_TEST

/* Five claims, over and over, each time 100 later: they start at 5, 1, 3, 3 and 5, and end one after another. Among those that
 * start at once the order is that of the file, whether the one before has started already or not. */
START_TEST (equal_starts_stay_in_order_among_late_ones)
{
  static const guint     starts[] = { 5, 1, 3, 3, 5 }, order[] = { 1, 2, 3, 0, 4 };
  g_autoptr (GString)    text = g_string_new (HEAD);
  g_autoptr (EtfReading) reading = NULL;
  guint                  n = 0;

  for (guint i = 0; i < 1000; i++)
    g_string_append_printf (text, "C %u %u %u 0 1 ; name=A\n", i, 100 * (i / 5) + starts[i % 5], 100 * (i / 5) + 10 + i % 5);
  reading = etf_reading_new (text->str, -1, 0, NULL);
  ck_assert_ptr_null (reading->error);
  for (guint i = 0; i < reading->events->len; i++)
    {
      const TsEvent *event = &g_array_index (reading->events, TsEvent, i);

      if (event->kind != TS_EVENT_START)
        continue;
      /* the first claim is in line 4 */
      ck_assert_uint_eq (event->line, 4 + n / 5 * 5 + order[n % 5]);
      ck_assert_int_eq (event->time, 100 * (n / 5) + starts[order[n % 5]]);
      ck_assert_int_eq (event->instance, (gint32) n + 1);
      n++;
    }
  ck_assert_uint_eq (n, 1000);
}
END_TEST

typedef struct
{
  gint64 time;
  guint  line;
} Stamp;

static gint
compare_stamps (gconstpointer a, gconstpointer b)
{
  const Stamp *left = a, *right = b;

  if (left->time != right->time)
    return left->time < right->time ? -1 : 1;
  return left->line < right->line ? -1 : left->line > right->line;
}

static void
check_stamps (const EtfReading *reading, TsEventKind kind, GArray *expected)
{
  guint n = 0;

  g_array_sort (expected, compare_stamps);
  for (guint i = 0; i < reading->events->len; i++)
    {
      const TsEvent *event = &g_array_index (reading->events, TsEvent, i);

      if (event->kind != kind)
        continue;
      ck_assert_uint_lt (n, expected->len);
      ck_assert_int_eq (event->time, g_array_index (expected, Stamp, n).time);
      ck_assert_uint_eq (event->line, g_array_index (expected, Stamp, n).line);
      n++;
    }
  ck_assert_uint_eq (n, expected->len);
}

/* Several streams, each in order and at a pace of its own, so that they are farther and farther apart, in turns of one claim
 * or of many. Many claims of other streams start or end at once: these are in the order of the file. Stamps have few bits, or
 * nearly all that they can have; some begin below 0, and one comes last of all. Whether a claim is a job, or may have an
 * activation, or has an id. */
START_TEST (streams_that_drift_apart_are_put_in_order)
{
  const guint            n_streams = ((guint[]){ 2, 7, 100 })[_i % 3], n_claims = 21000 / n_streams;
  const guint            turn = _i / 3 % 2 == 0 ? 1 : 250, way = (guint) _i / 18;
  const gint64           unit = ((gint64[]){ 1, 999, G_GINT64_CONSTANT (12345678901234) })[_i / 6 % 3];
  const gint64           first = _i / 6 % 3 == 1 ? -5000 : 0;
  TsOptions              options = { .activation = way == 1 ? (char *) "dep" : NULL,
                                     .instance_key = way == 2 ? (char *) "id" : NULL };
  g_autoptr (GString)    text = g_string_new (HEAD);
  g_autoptr (GArray)     starts = g_array_new (FALSE, FALSE, sizeof (Stamp));
  g_autoptr (GArray)     ends = g_array_new (FALSE, FALSE, sizeof (Stamp));
  g_autoptr (EtfReading) reading = NULL;
  guint                  line = 3, n = 0;

  for (guint begin = 0; begin < n_claims; begin += turn)
    for (guint stream = 0; stream < n_streams; stream++)
      for (guint i = begin; i < MIN (begin + turn, n_claims); i++)
        {
          gint64 start = first + unit * (i * (20 + stream % 5) / 4), end = start + unit * (1 + stream % 3);

          if (first < 0 && n == 1)
            start = end = TS_TIME_LIMIT;
          g_array_append_vals (starts, (Stamp[]){ { start, ++line } }, 1);
          g_array_append_vals (ends, (Stamp[]){ { end, line } }, 1);
          g_string_append_printf (text, "C %u %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " 0 1 ; name=A, id=%u\n", n,
                                  start, end, n);
          n++;
        }
  reading = etf_reading_new (text->str, -1, 0, &options);
  ck_assert_ptr_null (reading->error);
  check_stamps (reading, TS_EVENT_START, starts);
  check_stamps (reading, TS_EVENT_END, ends);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("etf-order");
  TCase *tests = tcase_create ("order");

  tcase_add_loop_test (tests, claims_around_claims_are_put_in_order, 0, 4);
  tcase_add_loop_test (tests, claims_of_equal_stamps_stay_in_order, 0, 8);
  tcase_add_loop_test (tests, streams_that_drift_apart_are_put_in_order, 0, 54);
  tcase_add_test (tests, equal_starts_stay_in_order_among_late_ones);
  tcase_add_loop_test (tests, events_of_no_claim_are_between_claims, 0, 2);
  tcase_add_loop_test (tests, claims_without_extent_start_before_they_end, 0, 2);
  tcase_add_loop_test (tests, equal_activations_stay_in_order, 0, 36);
  tcase_add_test (tests, pending_ones_keep_their_place_among_equal_activations);
  tcase_add_test (tests, pending_ones_are_numbered_behind_all_jobs);
  tcase_add_loop_test (tests, what_jobs_depend_on_is_their_order, 0, 12);
  suite_add_tcase (suite, tests);
  return suite;
}

int
main (void)
{
  return unit_run (make_suite ());
}
