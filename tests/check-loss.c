/* SPDX-License-Identifier: MIT */

/* Simulated traces that lost some of their events, against themselves whole: what is still told of an instance is what
 * it was. Nothing here knows how events are made up for; so it holds whatever is. */

#include "feed.h"
#include "unit.h"

#define SEEDS 4
#define LOST_PERMILLE 30

/* What happened to one instance, and what was lost of that. */
typedef struct
{
  guint n_kept, n_all;
  /* Lines: of the first event that is left, but for the activation; of the start; of the activation. */
  guint first, started, activated;
  gboolean lost_activation, lost_start, lost_end, lost_other;
  gboolean has_activation, has_start, has_end; /* in the whole trace */
  gint64 activation, start, end;
} Fate;

typedef struct
{
  const char *shape;
  guint64 seed;
  const SimSystem *sim;
  GHashTable *fates;  /* of this section, by element and number */
  GPtrArray **starts; /* the same of each element, in order of start ... */
  GPtrArray **activations; /* ... and of activation */
  GArray *whole, *lossy; /* of TsInstance */
  guint n_compared;
} Loss;

static void
take_instance (gpointer data, const TsInstance *instance)
{
  g_array_append_val ((GArray *)data, *instance);
}

static void
drop_interval (gpointer data G_GNUC_UNUSED, const TsInterval *interval G_GNUC_UNUSED)
{
}

static gint64
key_of (guint32 element, gint64 number)
{
  return (gint64)element << 32 | number;
}

static Fate *
fate_of (const Loss *loss, guint32 element, gint64 number)
{
  gint64 key = key_of (element, number);

  return g_hash_table_lookup (loss->fates, &key);
}

static Fate *
ensure_fate (Loss *loss, const TsEvent *event)
{
  Fate *fate = fate_of (loss, event->element, event->instance);

  if (fate == NULL)
    {
      gint64 *key = g_new (gint64, 1);

      *key = key_of (event->element, event->instance);
      fate = g_new0 (Fate, 1);
      g_hash_table_insert (loss->fates, key, fate);
    }
  return fate;
}

/* What was activated before the section began, in order of what is known of it. */
static void
insert_early (GPtrArray *order, Fate *fate)
{
  gint n = 0;

  while (n < (gint)order->len && !((const Fate *)g_ptr_array_index (order, n))->has_activation)
    n++;
  g_ptr_array_insert (order, n, fate);
}

static void
note (Loss *loss, const TsEvent *event, gboolean is_lost)
{
  Fate *fate = ensure_fate (loss, event);

  if (!is_lost && fate->first == 0 && event->kind > TS_EVENT_ACTIVATION_CHAINED)
    fate->first = (guint)event->line;
  if (fate->n_all++ == 0 && event->kind > TS_EVENT_ACTIVATION_CHAINED && event->kind != TS_EVENT_START)
    {
      /* it ran before the section began */
      g_ptr_array_insert (loss->starts[event->element], 0, fate);
      insert_early (loss->activations[event->element], fate);
    }
  fate->n_kept += !is_lost;
  if (event->kind == TS_EVENT_START)
    {
      fate->has_start = TRUE;
      fate->start = event->time;
      fate->started = (guint)event->line;
      fate->lost_start = is_lost;
      if (!fate->has_activation)
        insert_early (loss->activations[event->element], fate);
      g_ptr_array_add (loss->starts[event->element], fate);
    }
  else if (event->kind == TS_EVENT_END)
    {
      fate->has_end = TRUE;
      fate->end = event->time;
      fate->lost_end = is_lost;
    }
  else if (event->kind <= TS_EVENT_ACTIVATION_CHAINED)
    {
      fate->has_activation = TRUE;
      fate->activation = event->time;
      fate->activated = (guint)event->line;
      fate->lost_activation = is_lost;
      g_ptr_array_add (loss->activations[event->element], fate);
    }
  else
    fate->lost_other |= is_lost;
}

static gboolean
is_intact (const Fate *fate)
{
  return !fate->lost_activation && !fate->lost_start && !fate->lost_end && !fate->lost_other;
}

/* The last before @fate in @order of those that were seen. NULL: there is none. */
static const Fate *
before (const GPtrArray *order, const Fate *fate, gboolean (*is_seen) (const Fate *one, const Fate *fate))
{
  const Fate *last = NULL;

  for (guint i = 0; i < order->len && g_ptr_array_index (order, i) != fate; i++)
    if (is_seen (g_ptr_array_index (order, i), fate))
      last = g_ptr_array_index (order, i);
  return last;
}

static gboolean
is_activated (const Fate *one, const Fate *fate G_GNUC_UNUSED)
{
  return one->has_activation && !one->lost_activation;
}

static gboolean
is_seen_at_all (const Fate *one, const Fate *fate G_GNUC_UNUSED)
{
  return one->n_kept > 0;
}

static gboolean
has_begun_before (const Fate *one, const Fate *fate)
{
  return one->first > 0 && one->first < fate->started;
}

static void
expect (const Loss *loss, const TsInstance *got, const char *what, gint64 want, gint64 value)
{
  ck_assert_msg (want == value,
                 "%s, seed %" G_GUINT64_FORMAT ", %s #%d, started at %" G_GINT64_FORMAT
                 ", %s: expected %" G_GINT64_FORMAT ", got %" G_GINT64_FORMAT,
                 loss->shape, loss->seed, loss->sim->elements[got->element].name, got->own_number, got->start, what,
                 want, value);
}

static gboolean
has (const TsInstance *instance, guint flags)
{
  return (instance->flags & flags) == flags;
}

/* Its three times are those that it had, if they are told at all; and they are, if their events are left. */
static void
compare_times (Loss *loss, const Fate *fate, const TsInstance *got)
{
  expect (loss, got, "has a start", fate->has_start && !fate->lost_start, has (got, TS_INSTANCE_HAS_START));
  expect (loss, got, "has an end", fate->has_end && !fate->lost_end, has (got, TS_INSTANCE_HAS_END));
  expect (loss, got, "has an activation", fate->has_activation && !fate->lost_activation,
          has (got, TS_INSTANCE_HAS_ACTIVATION));
  if (has (got, TS_INSTANCE_HAS_START))
    expect (loss, got, "start", fate->start, got->start);
  if (has (got, TS_INSTANCE_HAS_END))
    expect (loss, got, "end", fate->end, got->end);
  if (has (got, TS_INSTANCE_HAS_ACTIVATION))
    expect (loss, got, "activation", fate->activation, got->activation);
}

/* @want if it @is_known, otherwise nothing. */
static void
expect_if (const Loss *loss, const TsInstance *got, guint flag, const char *what, gboolean is_known, gint64 want,
           gint64 value)
{
  if (has (got, flag))
    expect (loss, got, what, is_known ? want : G_MININT64, value);
}

static void
compare_distances (Loss *loss, const Fate *fate, const TsInstance *got)
{
  const Fate *last = before (loss->activations[got->element], fate, is_activated);

  expect_if (loss, got, TS_INSTANCE_HAS_PER, "PER", last != NULL,
             last != NULL ? fate->activation - last->activation : 0, got->per);
  last = before (loss->starts[got->element], fate, has_begun_before);
  /* one that lost both may have ended before the one that was activated next, for all that is left */
  if (last != NULL && last->lost_activation && last->lost_start)
    return;
  expect_if (loss, got, TS_INSTANCE_HAS_DT, "DT", last != NULL && last->has_start && !last->lost_start,
             last != NULL ? fate->start - last->start : 0, got->dt);
  expect_if (loss, got, TS_INSTANCE_HAS_E2S, "E2S", last != NULL && last->has_end && !last->lost_end,
             last != NULL ? fate->start - last->end : 0, got->e2s);
  if (loss->sim->elements[got->element].type != SIM_TASK)
    return;
  last = before (loss->activations[got->element], fate, is_seen_at_all);
  if (last != NULL && last->lost_activation && last->first > fate->activated)
    return;
  expect_if (loss, got, TS_INSTANCE_HAS_ST, "ST", last != NULL && last->has_end && !last->lost_end,
             last != NULL ? fate->activation - last->end : 0, got->st);
}

/* Whether it lost nothing, and nor did the one before it. */
static gboolean
is_in_order (const GPtrArray *order, const Fate *fate)
{
  guint i = 0;

  while (i < order->len && g_ptr_array_index (order, i) != fate)
    i++;
  return is_intact (fate) && (i == 0 || is_intact (g_ptr_array_index (order, i - 1)));
}

static void
compare_slices (Loss *loss, const TsInstance *was, const TsInstance *got)
{
  expect (loss, got, "running", was->running, got->running);
  expect (loss, got, "preempted", was->preempted_closed, got->preempted_closed);
  expect (loss, got, "waiting", was->waiting, got->waiting);
  expect (loss, got, "preemptions", was->n_preemptions, got->n_preemptions);
  expect (loss, got, "status", was->status, got->status);
  loss->n_compared++;
}

/* What lost nothing is as it was. */
static void
compare_durations (Loss *loss, const Fate *fate, const TsInstance *was, const TsInstance *got)
{
  if (is_in_order (loss->starts[got->element], fate) && is_in_order (loss->activations[got->element], fate))
    expect (loss, got, "what there is", was->flags, got->flags);
  if (!is_intact (fate) || loss->sim->elements[got->element].type >= SIM_RUNNABLE)
    return;
  compare_slices (loss, was, got);
}

static void
run (Loss *loss, const FeedSection *fed, const GArray *events, GArray *instances)
{
  g_autoptr (TsSystem) system = feed_system (loss->sim);
  g_autoptr (TsDiagnostics) diagnostics = ts_diagnostics_new ("simulated");
  TsTimelineSink sink = { take_instance, drop_interval, NULL };
  TsTimelineOptions options = { 0 };
  g_autoptr (TsTimeline) timeline = ts_timeline_new (system, diagnostics, &options, &sink, instances);
  TsSection section = { .number = 1, .start = fed->start, .stop = fed->stop, .has_start = TRUE, .has_stop = TRUE };

  ts_timeline_begin_section (timeline, &section);
  ts_timeline_events (timeline, (const TsEvent *)events->data, events->len);
  ts_timeline_end_section (timeline);
}

static void
compare_numbered (Loss *loss)
{
  g_autoptr (GHashTable) was = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  for (guint i = 0; i < loss->whole->len; i++)
    {
      const TsInstance *one = &g_array_index (loss->whole, TsInstance, i);
      gint64 *key = g_new (gint64, 1);

      *key = key_of (one->element, one->own_number);
      g_hash_table_insert (was, key, (gpointer)one);
    }
  for (guint i = 0; i < loss->lossy->len; i++)
    {
      const TsInstance *got = &g_array_index (loss->lossy, TsInstance, i);
      const Fate *fate = fate_of (loss, got->element, got->own_number);
      gint64 key = key_of (got->element, got->own_number);

      ck_assert_ptr_nonnull (fate);
      compare_times (loss, fate, got);
      compare_distances (loss, fate, got);
      compare_durations (loss, fate, g_hash_table_lookup (was, &key), got);
    }
}

static const TsInstance *
find_start (const GArray *instances, guint32 element, gint64 start)
{
  const TsInstance *found = NULL;

  for (guint i = 0; i < instances->len; i++)
    {
      const TsInstance *one = &g_array_index (instances, TsInstance, i);

      if (one->element != element || one->start != start || !has (one, TS_INSTANCE_HAS_START))
        continue;
      if (found != NULL)
        return NULL;
      found = one;
    }
  return found;
}

/* Without numbers, what began when another did is that one, if only one did; @lost are the events that are. */
static void
compare_plain (Loss *loss, const GArray *lost)
{
  for (guint i = 0; i < loss->whole->len; i++)
    {
      const TsInstance *was = &g_array_index (loss->whole, TsInstance, i), *got;
      gboolean          is_whole = has (was, TS_INSTANCE_HAS_START | TS_INSTANCE_HAS_END);

      for (guint k = 0; k < lost->len && is_whole; k++)
        {
          const TsEvent *one = &g_array_index (lost, TsEvent, k);

          is_whole = one->element != was->element || one->time < was->start || one->time > was->end;
        }
      if (!is_whole || loss->sim->elements[was->element].type >= SIM_RUNNABLE
          || find_start (loss->whole, was->element, was->start) != was)
        continue;
      got = find_start (loss->lossy, was->element, was->start);
      ck_assert_ptr_nonnull (got);
      expect (loss, got, "end", was->end, got->end);
      compare_slices (loss, was, got);
    }
}

static void
begin (Loss *loss)
{
  loss->fates = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  loss->starts = g_new (GPtrArray *, loss->sim->n_elements);
  loss->activations = g_new (GPtrArray *, loss->sim->n_elements);
  for (guint i = 0; i < loss->sim->n_elements; i++)
    {
      loss->starts[i] = g_ptr_array_new ();
      loss->activations[i] = g_ptr_array_new ();
    }
  loss->whole = g_array_new (FALSE, FALSE, sizeof (TsInstance));
  loss->lossy = g_array_new (FALSE, FALSE, sizeof (TsInstance));
}

static void
end (Loss *loss)
{
  g_hash_table_unref (loss->fates);
  for (guint i = 0; i < loss->sim->n_elements; i++)
    {
      g_ptr_array_unref (loss->starts[i]);
      g_ptr_array_unref (loss->activations[i]);
    }
  g_free (loss->starts);
  g_free (loss->activations);
  g_array_unref (loss->whole);
  g_array_unref (loss->lossy);
}

static void
lose_some (Loss *loss, const FeedSection *fed, FeedStyle style, guint64 *random)
{
  g_autoptr (GArray) left = g_array_new (FALSE, FALSE, sizeof (TsEvent));
  g_autoptr (GArray) lost = g_array_new (FALSE, FALSE, sizeof (TsEvent));

  begin (loss);
  for (guint i = 0; i < fed->events->len; i++)
    {
      const TsEvent *event = &g_array_index (fed->events, TsEvent, i);
      gboolean is_lost = sim_random_chance (random, LOST_PERMILLE);

      if (style == FEED_OWNED && event->kind != TS_EVENT_ACTIVATION_FAILED)
        note (loss, event, is_lost);
      g_array_append_val (is_lost ? lost : left, *event);
    }
  run (loss, fed, fed->events, loss->whole);
  run (loss, fed, left, loss->lossy);
  if (style == FEED_OWNED)
    compare_numbered (loss);
  else
    compare_plain (loss, lost);
  end (loss);
}

static void
lose_and_compare (const char *shape, FeedStyle style)
{
  SimConfig config;

  for (guint64 seed = 1; seed <= SEEDS; seed++)
    {
      g_autoptr (SimSystem) sim = NULL;
      g_autoptr (GPtrArray) sections = NULL;
      guint64 random = seed;
      Loss loss = { .shape = shape, .seed = seed };

      ck_assert (sim_shape (shape, seed, &config));
      /* who runs is then told by who starts and ends, so that a loss changes what others did */
      if (config.no_preempt_events)
        return;
      loss.sim = sim = sim_system_new (&config);
      sections = feed_record (sim, style);
      for (guint i = 0; i < sections->len; i++)
        lose_some (&loss, g_ptr_array_index (sections, i), style, &random);
      ck_assert_uint_gt (loss.n_compared, 0);
    }
}

START_TEST (what_is_told_of_a_numbered_instance_is_what_it_was)
{
  lose_and_compare (sim_shape_name ((guint)_i), FEED_OWNED);
}
END_TEST

START_TEST (without_numbers_so_it_is_of_what_lost_nothing)
{
  lose_and_compare (sim_shape_name ((guint)_i), FEED_PLAIN);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("loss");
  TCase *loss = tcase_create ("loss");

  tcase_set_timeout (loss, 120);
  tcase_add_loop_test (loss, what_is_told_of_a_numbered_instance_is_what_it_was, 0, (int)sim_n_shapes ());
  tcase_add_loop_test (loss, without_numbers_so_it_is_of_what_lost_nothing, 0, (int)sim_n_shapes ());
  suite_add_tcase (suite, loss);
  return unit_run (suite);
}
