/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "timeline-fixture.h"

/* Instances that overlap on a resource that several may have at a time, as claims do: in any order, beside any number of
 * others. What must come of it is worked out from their beginnings and ends alone. */

#define N 600       /* events */
#define MOST_OPEN 24 /* of an element: more than are looked through for a number */

typedef struct
{
  gint64   start, end;
  guint    element;
  guint    number; /* of its element, in the order of the starts */
  gboolean is_open;
} Claim;

static const char *const names[] = { "T1", "T2", "I1" };

typedef struct
{
  Claim    claims[N];
  guint    n, n_open;
  gint64   time; /* of the last event */
  gint64   from, to;
  gboolean is_idle; /* T2 */
} Crowd;

static void
add_event (GString *script, gint64 time, const char *kind, const Claim *claim)
{
  g_string_append_printf (script, "%s%" G_GINT64_FORMAT " %s %s#%u on 0", script->len > 0 ? "; " : "", time, kind,
                          names[claim->element], claim->number);
}

static guint
count (const Crowd *crowd, guint element, gboolean only_open)
{
  guint n = 0;

  for (guint i = 0; i < crowd->n; i++)
    n += crowd->claims[i].element == element && (crowd->claims[i].is_open || !only_open);
  return n;
}

static void
start_one (Crowd *crowd, GString *script, GRand *random)
{
  Claim *claim = &crowd->claims[crowd->n];

  claim->element = (guint) g_rand_int_range (random, 0, G_N_ELEMENTS (names));
  if (count (crowd, claim->element, TRUE) == MOST_OPEN)
    return;
  claim->number = count (crowd, claim->element, FALSE);
  claim->start = crowd->time;
  claim->is_open = TRUE;
  crowd->n++;
  crowd->n_open++;
  add_event (script, crowd->time, "start", claim);
}

static void
end_one (Crowd *crowd, GString *script, GRand *random)
{
  guint i;

  do
    i = (guint) g_rand_int_range (random, 0, (gint32) crowd->n);
  while (!crowd->claims[i].is_open);
  crowd->claims[i].end = crowd->time;
  crowd->claims[i].is_open = FALSE;
  crowd->n_open--;
  add_event (script, crowd->time, "end", &crowd->claims[i]);
}

/* About @most are open at a time. */
static char *
make_crowd (Crowd *crowd, GRand *random, guint most)
{
  GString *script = g_string_new (NULL);

  for (guint i = 0; i < N; i++)
    {
      crowd->time += g_rand_int_range (random, 1, 4);
      if (crowd->n_open > 0 && (crowd->n == N / 2 || g_rand_int_range (random, 0, (gint32) (2 * most)) < (gint32) crowd->n_open))
        end_one (crowd, script, random);
      else if (crowd->n < N / 2)
        start_one (crowd, script, random);
    }
  while (crowd->n_open > 0)
    {
      crowd->time++;
      end_one (crowd, script, random);
    }
  return g_string_free (script, FALSE);
}

static gboolean
is_within (const Crowd *crowd, gint64 time)
{
  return time >= crowd->from && time < crowd->to;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const gint64 left = *(const gint64 *) a, right = *(const gint64 *) b;

  return (left > right) - (left < right);
}

/* In ascending order, behind the name of the metric. */
static void
append_metric (GString *text, const char *metric, GArray *values)
{
  if (values->len == 0)
    return;
  g_array_sort (values, compare);
  g_string_append_printf (text, "%s%s", text->len > 0 ? " | " : "", metric);
  for (guint i = 0; i < values->len; i++)
    g_string_append_printf (text, " %" G_GINT64_FORMAT, g_array_index (values, gint64, i));
}

static char *
expected_metrics (const Crowd *crowd, guint element)
{
  GString     *text = g_string_new (NULL);
  GArray      *lengths = g_array_new (FALSE, FALSE, sizeof (gint64)), *deltas = g_array_new (FALSE, FALSE, sizeof (gint64));
  GArray      *gaps = g_array_new (FALSE, FALSE, sizeof (gint64)), *none = g_array_new (FALSE, TRUE, sizeof (gint64));
  const Claim *before = NULL;

  for (guint i = 0; i < crowd->n; i++)
    {
      const Claim *claim = &crowd->claims[i];
      const gint64 length = claim->end - claim->start;
      gint64       gap, delta;

      if (claim->element != element)
        continue;
      if (is_within (crowd, claim->start))
        g_array_append_val (lengths, length);
      if (before != NULL)
        {
          delta = claim->start - before->start;
          gap = claim->start - before->end;
          if (is_within (crowd, claim->start))
            g_array_append_val (deltas, delta);
          if (is_within (crowd, MAX (claim->start, before->end)))
            g_array_append_val (gaps, gap);
        }
      before = claim;
    }
  g_array_set_size (none, lengths->len);
  append_metric (text, "CET", lengths);
  append_metric (text, "GET", lengths);
  append_metric (text, "DT", deltas);
  /* of what is never activated, ST begins where E2S does; a task may just have lost its activations */
  if (names[element][0] == 'I')
    append_metric (text, "ST", gaps);
  append_metric (text, "SELF", lengths);
  append_metric (text, "E2S", gaps);
  append_metric (text, "NPR", none);
  g_array_unref (lengths);
  g_array_unref (deltas);
  g_array_unref (gaps);
  g_array_unref (none);
  return g_string_free (text, FALSE);
}

/* In how many ticks of the window anybody has it who does not idle. */
static gint64
expected_load (const Crowd *crowd)
{
  gint64 load = 0;

  for (gint64 time = MAX (crowd->from, 0); time < MIN (crowd->to, crowd->time); time++)
    {
      gboolean is_had = FALSE;

      for (guint i = 0; i < crowd->n && !is_had; i++)
        is_had = crowd->claims[i].start <= time && time < crowd->claims[i].end
                 && !(crowd->is_idle && crowd->claims[i].element == 1);
      load += is_had;
    }
  return load;
}

/* Of those that idle only the load is looked at. */
static void
check_crowd (GRand *random, guint most, gboolean has_window, gboolean is_idle)
{
  Crowd            crowd = { .from = G_MININT64, .to = G_MAXINT64, .is_idle = is_idle };
  g_autofree char *script = make_crowd (&crowd, random, most);

  fixture_setup ();
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    fixture_element (names[i]);
  ts_system_share_resource (fixture.system, 0);
  if (is_idle)
    ts_system_set_idle (fixture.system, fixture_element ("T2"), TRUE);
  if (has_window)
    {
      crowd.from = g_rand_int_range (random, 0, (gint32) crowd.time);
      crowd.to = g_rand_int_range (random, (gint32) crowd.from, (gint32) crowd.time + 20);
      fixture_window (crowd.from, crowd.to);
    }
  run_trace (script);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (!(is_idle && i == 1))
      {
        g_autofree char *expected = expected_metrics (&crowd, i);

        expect (names[i], expected);
      }
  ck_assert_int_eq ((gint64) ts_timeline_busy (fixture.timeline, 0), expected_load (&crowd));
  expect_found ("");
  fixture_teardown ();
}

/* Of any size. */
static void
check_crowds (int seed, gboolean has_window, gboolean is_idle)
{
  GRand *random = g_rand_new_with_seed ((guint32) seed);

  for (guint most = 1; most < 50; most += most)
    check_crowd (random, most, has_window, is_idle);
  g_rand_free (random);
}

START_TEST (claims_are_told_apart_in_a_crowd)
{
  check_crowds (17 + _i, FALSE, FALSE);
}
END_TEST

START_TEST (a_window_has_of_a_crowd_what_is_in_it)
{
  check_crowds (170 + _i, TRUE, FALSE);
}
END_TEST

START_TEST (who_idles_in_a_crowd_is_no_load)
{
  check_crowds (1700 + _i, _i % 2 == 0, TRUE);
}
END_TEST

void
add_crowd_tests (Suite *suite)
{
  TCase *tests = tcase_create ("crowds");

  tcase_add_loop_test (tests, claims_are_told_apart_in_a_crowd, 0, 4);
  tcase_add_loop_test (tests, a_window_has_of_a_crowd_what_is_in_it, 0, 4);
  tcase_add_loop_test (tests, who_idles_in_a_crowd_is_no_load, 0, 4);
  suite_add_tcase (suite, tests);
}
