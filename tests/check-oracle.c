/* SPDX-License-Identifier: MIT */

/* The timeline against the slow oracle, on simulated traces and on damaged ones. */

#include "feed.h"
#include "intervals.h"
#include "oracle.h"
#include "unit.h"

#include <string.h>

#define SEEDS 5

/* Everything that one section is turned into, twice. */
typedef struct
{
  const char *shape;
  guint64 seed;
  const char *damage; /* or NULL */
  TsSystem *system;
  OracleQuestion question;
  GArray *instances;   /* of TsInstance */
  GArray *intervals;   /* of TsInterval */
  gboolean loose;      /* nested elements are suspended by events of their own, and those are damaged */
  gboolean loose_self; /* damage may leave open in which task a nested element ran */
  guint64 n_wrong;
  GString *wrong;
} Comparison;

/* Comparing */

static void G_GNUC_PRINTF (4, 5)
    wrong (Comparison *comparison, guint element, const char *what, const char *format, ...)
{
  va_list args;

  if (comparison->n_wrong++ >= 12)
    return;
  g_string_append_printf (comparison->wrong, "\n%s, seed %" G_GUINT64_FORMAT "%s%s: %s, %s: ", comparison->shape,
                          comparison->seed, comparison->damage != NULL ? ", " : "",
                          comparison->damage != NULL ? comparison->damage : "",
                          ts_system_get_element (comparison->system, element)->name, what);
  va_start (args, format);
  g_string_append_vprintf (comparison->wrong, format, args);
  va_end (args);
}

static void
expect (Comparison *comparison, guint element, const char *what, gint64 number, gint64 expected, gint64 got)
{
  if (expected != got)
    wrong (comparison, element, what,
           "instance %" G_GINT64_FORMAT ": expected %" G_GINT64_FORMAT ", got %" G_GINT64_FORMAT, number, expected,
           got);
}

static void
take_instance (gpointer data, const TsInstance *instance)
{
  Comparison *comparison = data;

  g_array_append_val (comparison->instances, *instance);
  append_intervals_of (comparison->intervals, instance);
}

static void
take_interval (gpointer data, const TsInterval *interval)
{
  Comparison *comparison = data;

  g_array_append_val (comparison->intervals, *interval);
}

static gint
compare_numbers (gconstpointer a, gconstpointer b)
{
  const TsInstance *one = a, *other = b;

  return (one->number > other->number) - (one->number < other->number);
}

static gint
compare_oracle_numbers (gconstpointer a, gconstpointer b)
{
  const OracleInstance *one = *(OracleInstance *const *)a, *other = *(OracleInstance *const *)b;

  return (one->number > other->number) - (one->number < other->number);
}

static gint
compare_samples (gconstpointer a, gconstpointer b)
{
  const OracleSample *one = a, *other = b;

  if (one->at != other->at)
    return one->at < other->at ? -1 : 1;
  if (one->value != other->value)
    return one->value < other->value ? -1 : 1;
  return (one->number > other->number) - (one->number < other->number);
}

static void
compare_instance (Comparison *comparison, const OracleAnswer *answer, const OracleInstance *want, const TsInstance *got)
{
  guint element = want->element;
  gint64 number = want->number;
  gboolean complete = want->status == TS_STATUS_COMPLETE;

  if (want->own_number != TS_NO_INSTANCE)
    number = want->own_number;
  expect (comparison, element, "number", number, number, got->number);
  expect (comparison, element, "status", number, want->status, got->status);
  expect (comparison, element, "has an activation", number, want->has_activation,
          (got->flags & TS_INSTANCE_HAS_ACTIVATION) != 0);
  expect (comparison, element, "has a start", number, want->has_start, (got->flags & TS_INSTANCE_HAS_START) != 0);
  expect (comparison, element, "has an end", number, want->has_end, (got->flags & TS_INSTANCE_HAS_END) != 0);
  if (want->has_activation)
    expect (comparison, element, "activation", number, want->activation, got->activation);
  if (want->has_start)
    {
      expect (comparison, element, "start", number, want->start, got->start);
      expect (comparison, element, "in window", number, want->in_window, (got->flags & TS_INSTANCE_IN_WINDOW) != 0);
    }
  if (want->has_end)
    expect (comparison, element, "end", number, want->end, got->end);
  if (want->owner >= 0)
    {
      const OracleInstance *owner = g_ptr_array_index (answer->instances, want->owner);

      if (owner->first < want->first)
        expect (comparison, element, "owner", number, owner->element, got->owner);
    }
  if (want->status != TS_STATUS_PARTIAL_HEAD)
    expect (comparison, element, "preemptions", number, want->n_preemptions, got->n_preemptions);
  if (!complete || want->doubtful)
    return;

  expect (comparison, element, "may have a CET", number, FALSE, (got->flags & TS_INSTANCE_NO_CET) != 0);
  expect (comparison, element, "running", number, want->running, got->running);
  expect (comparison, element, "preempted", number, want->preempted, got->preempted);
  expect (comparison, element, "waiting", number, want->waiting, got->waiting);
  if (!comparison->loose_self)
    expect (comparison, element, "self", number, want->self, got->self);
  expect (comparison, element, "GET = CET + PRE + WAIT", number, got->end - got->start,
          got->running + got->preempted + got->waiting);
}

/* DT (i + 1) = GET (i) + E2S (i), where all three are there. E2S is, if the one before was the first to end. */
static void
check_chain (Comparison *comparison, const TsInstance *one, const TsInstance *next)
{
  const gboolean has_both = one->status == TS_STATUS_COMPLETE && (next->flags & TS_INSTANCE_HAS_DT);
  const gboolean has_e2s = (next->flags & (TS_INSTANCE_HAS_E2S | TS_INSTANCE_TOLD_E2S)) != 0;

  if (has_both && next->status == TS_STATUS_COMPLETE && one->end != next->end)
    expect (comparison, one->element, "has E2S", next->number, one->end < next->end, has_e2s);
  if (has_both && has_e2s)
    expect (comparison, one->element, "DT = GET + E2S", next->number, next->dt, one->end - one->start + next->e2s);
  if (one->status == TS_STATUS_COMPLETE && (one->flags & TS_INSTANCE_HAS_ACTIVATION))
    expect (comparison, one->element, "activation before start", one->number, TRUE, one->activation <= one->start);
}

static void
compare_instances (Comparison *comparison, const OracleAnswer *answer, guint element)
{
  g_autoptr (GPtrArray) want = g_ptr_array_new ();
  g_autoptr (GArray) got = g_array_new (FALSE, FALSE, sizeof (TsInstance));

  for (guint i = 0; i < answer->instances->len; i++)
    if (((OracleInstance *)g_ptr_array_index (answer->instances, i))->element == element)
      g_ptr_array_add (want, g_ptr_array_index (answer->instances, i));
  for (guint i = 0; i < comparison->instances->len; i++)
    if (g_array_index (comparison->instances, TsInstance, i).element == element)
      g_array_append_val (got, g_array_index (comparison->instances, TsInstance, i));
  g_array_sort (got, compare_numbers);
  g_ptr_array_sort (want, compare_oracle_numbers);
  if (want->len != got->len)
    wrong (comparison, element, "instances", "expected %u, got %u", want->len, got->len);
  for (guint i = 0; i < MIN (want->len, got->len); i++)
    compare_instance (comparison, answer, g_ptr_array_index (want, i), &g_array_index (got, TsInstance, i));
  for (guint i = 0; i + 1 < got->len; i++)
    check_chain (comparison, &g_array_index (got, TsInstance, i), &g_array_index (got, TsInstance, i + 1));
}

/* An `at` that is the start of a head, and the number of a period, are not known. */
static void
compare_intervals (Comparison *comparison, const OracleAnswer *answer, guint element, TsIntervalKind kind,
                   TsMetricId metric)
{
  g_autoptr (GArray) want = g_array_copy (oracle_samples (answer, element, metric));
  g_autoptr (GArray) got = g_array_new (FALSE, FALSE, sizeof (OracleSample));

  for (guint i = 0; i < comparison->intervals->len; i++)
    {
      const TsInterval *interval = &g_array_index (comparison->intervals, TsInterval, i);
      OracleSample sample = { interval->value, interval->at, 0 };

      if (interval->element == element && interval->kind == kind)
        g_array_append_val (got, sample);
    }
  for (guint i = 0; i < want->len; i++)
    g_array_index (want, OracleSample, i).number = 0;
  for (guint i = 0; i < got->len && (kind == TS_INTERVAL_PRE || kind == TS_INTERVAL_WAIT); i++)
    g_array_index (got, OracleSample, i).at = 0;
  for (guint i = 0; i < want->len && (kind == TS_INTERVAL_PRE || kind == TS_INTERVAL_WAIT); i++)
    g_array_index (want, OracleSample, i).at = 0;
  g_array_sort (got, compare_samples);
  g_array_sort (want, compare_samples);
  if (want->len != got->len)
    wrong (comparison, element, ts_metric_info (metric)->name, "expected %u samples, got %u", want->len, got->len);
  for (guint i = 0; i < MIN (want->len, got->len); i++)
    {
      const OracleSample *one = &g_array_index (want, OracleSample, i);
      const OracleSample *other = &g_array_index (got, OracleSample, i);

      if (one->value != other->value || one->at != other->at)
        {
          wrong (comparison, element, ts_metric_info (metric)->name,
                 "expected %" G_GINT64_FORMAT " at %" G_GINT64_FORMAT ", got %" G_GINT64_FORMAT " at %" G_GINT64_FORMAT,
                 one->value, one->at, other->value, other->at);
          break;
        }
    }
}

static void
compare_element (Comparison *comparison, const OracleAnswer *answer, guint element, TsElementCounts got)
{
  const TsElementCounts *want = &answer->counts[element];

  expect (comparison, element, "activations", 0, (gint64)want->activations, (gint64)got.activations);
  expect (comparison, element, "failed", 0, (gint64)want->failed, (gint64)got.failed);
  expect (comparison, element, "starts", 0, (gint64)want->starts, (gint64)got.starts);
  expect (comparison, element, "pending", 0, (gint64)want->pending, (gint64)got.pending);
  expect (comparison, element, "starts add up", 0, (gint64)got.starts,
          (gint64)(got.complete + got.partial_tail + got.missing_end));
  compare_intervals (comparison, answer, element, TS_INTERVAL_DT, TS_METRIC_DT);
  compare_intervals (comparison, answer, element, TS_INTERVAL_PER, TS_METRIC_PER);
  if (answer->open_question[element]
      || (comparison->loose && comparison->question.elements[element].type >= TS_TYPE_RUNNABLE))
    return;

  expect (comparison, element, "ends", 0, (gint64)want->ends, (gint64)got.ends);
  expect (comparison, element, "complete", 0, (gint64)want->complete, (gint64)got.complete);
  expect (comparison, element, "heads", 0, (gint64)want->partial_head, (gint64)got.partial_head);
  expect (comparison, element, "tails", 0, (gint64)want->partial_tail, (gint64)got.partial_tail);
  expect (comparison, element, "missing ends", 0, (gint64)want->missing_end, (gint64)got.missing_end);
  compare_instances (comparison, answer, element);
  if (comparison->question.elements[element].type == TS_TYPE_TASK)
    compare_intervals (comparison, answer, element, TS_INTERVAL_ST, TS_METRIC_ST);
  compare_intervals (comparison, answer, element, TS_INTERVAL_E2S, TS_METRIC_E2S);
  compare_intervals (comparison, answer, element, TS_INTERVAL_PRE, TS_METRIC_PRE);
  compare_intervals (comparison, answer, element, TS_INTERVAL_WAIT, TS_METRIC_WAIT);
}

/* Runs both on one section; TRUE if they agree. */
static void
compare (Comparison *comparison, gboolean forced)
{
  const OracleQuestion *question = &comparison->question;
  g_autoptr (TsDiagnostics) diagnostics = ts_diagnostics_new ("simulated");
  TsTimelineSink sink = { take_instance, take_interval, NULL };
  TsTimelineOptions options = { .infer_preemption = forced,
                                .has_from = question->has_from,
                                .has_to = question->has_to,
                                .from = question->from,
                                .to = question->to,
                                .gives_e2s = TRUE,
                                .most_walked = (guint)(comparison->seed % 3) };
  TsSection section = { .number = 1,
                        .start = question->start,
                        .stop = question->stop,
                        .has_start = question->has_start,
                        .has_stop = question->has_stop };
  g_autoptr (TsTimeline) timeline = NULL;
  g_autoptr (OracleAnswer) answer = oracle_ask (question);

  comparison->instances = g_array_new (FALSE, FALSE, sizeof (TsInstance));
  comparison->intervals = g_array_new (FALSE, FALSE, sizeof (TsInterval));
  timeline = ts_timeline_new (comparison->system, diagnostics, &options, &sink, comparison);
  ts_timeline_begin_section (timeline, &section);
  for (guint i = 0; i < question->n_events; i += 7)
    ts_timeline_events (timeline, question->events + i, MIN (7u, question->n_events - i));
  ts_timeline_end_section (timeline);

  for (guint i = 0; i < question->n_elements; i++)
    compare_element (comparison, answer, i, ts_timeline_counts (timeline, i));
  for (guint16 i = 0; i < question->n_resources; i++)
    {
      gint64 busy = (gint64)ts_timeline_busy (timeline, i);

      if (!answer->busy_doubtful[i])
        expect (comparison, 0, "busy time of resource", i, answer->busy[i], busy);
      if (comparison->damage == NULL)
        expect (comparison, 0, "load is at most 1 on resource", i, TRUE,
                busy >= 0 && busy <= answer->window_to - answer->window_from);
    }
  expect (comparison, 0, "window", 0, answer->window_to - answer->window_from, (gint64)ts_timeline_window (timeline));
  g_array_unref (comparison->instances);
  g_array_unref (comparison->intervals);
}

/* A shape, cut to a length that the oracle can chew. */
static SimSystem *
small_system (const char *shape, guint64 seed, gint64 n_events)
{
  SimConfig config;
  gint64 length;

  ck_assert (sim_shape (shape, seed, &config));
  sim_config_complete (&config);
  length = sim_measure (&config, (guint64)n_events);
  config.duration = MIN (config.duration, length);
  return sim_system_new (&config);
}

typedef enum
{
  UNDAMAGED,
  DROPPED, /* events are missing */
  DOUBLED, /* written twice */
  SWAPPED, /* neighbours of equal time stamps change places */
  HOLED,   /* the trace tells of holes (rule 17) */
  UNACTIVATED, /* activations are missing, many of them */
  N_DAMAGES
} Damage;

static const char *const damages[] = { NULL, "dropped", "doubled", "swapped", "holed", "unactivated" };

static GArray *
damage_events (const GArray *events, Damage damage, guint64 *random)
{
  GArray *damaged = g_array_new (FALSE, FALSE, sizeof (TsEvent));

  for (guint i = 0; i < events->len; i++)
    {
      TsEvent event = g_array_index (events, TsEvent, i);
      gboolean hit = damage != UNDAMAGED
                     && sim_random_chance (random, damage == SWAPPED ? 400
                                                   : damage == HOLED ? 4
                                                   : damage == UNACTIVATED ? 1000
                                                                     : 15);

      if (hit && damage == HOLED)
        {
          TsEvent hole = event;

          hole.kind = TS_EVENT_ERROR;
          hole.element = TS_NO_ELEMENT;
          g_array_append_val (damaged, hole);
        }
      if (damage == UNACTIVATED && (event.kind > TS_EVENT_ACTIVATION_CHAINED || !sim_random_chance (random, 250)))
        hit = FALSE;
      if (!hit || (damage != DROPPED && damage != UNACTIVATED))
        g_array_append_val (damaged, event);
      if (hit && damage == DOUBLED)
        g_array_append_val (damaged, event);
      if (hit && damage == SWAPPED && i + 1 < events->len && g_array_index (events, TsEvent, i + 1).time == event.time)
        g_array_insert_val (damaged, damaged->len - 1, g_array_index (events, TsEvent, ++i));
    }
  return damaged;
}

typedef struct
{
  FeedStyle style;
  Damage damage;
  gboolean windowed;
} Way;

static void
agree_on (const char *shape, guint64 seed, Way way)
{
  g_autoptr (SimSystem) sim = small_system (shape, seed, 900);
  g_autofree OracleElement *elements = g_new0 (OracleElement, sim->n_elements);
  g_autoptr (GPtrArray) recordings = feed_record (sim, way.style);
  g_autoptr (TsSystem) system = feed_system (sim);
  g_autoptr (GString) text = g_string_new (NULL);
  Comparison comparison
      = { .shape = shape, .seed = seed, .damage = damages[way.damage], .system = system, .wrong = text };
  guint64 random = seed * 977;

  comparison.loose = way.damage != UNDAMAGED && sim->config.runnable_preempts;
  comparison.loose_self = comparison.loose || (way.damage != UNDAMAGED && sim->config.shared);
  for (guint i = 0; i < sim->n_elements; i++)
    elements[i] = (OracleElement){ ts_system_get_element (system, i)->type, sim->elements[i].idle,
                                   (guint16)sim->elements[i].core, sim->elements[i].period };
  for (guint i = 0; i < recordings->len; i++)
    {
      const FeedSection *recording = g_ptr_array_index (recordings, i);
      g_autoptr (GArray) events = damage_events (recording->events, way.damage, &random);
      gint64 length = recording->stop - recording->start;

      comparison.question = (OracleQuestion){ .elements = elements,
                                              .n_elements = sim->n_elements,
                                              .n_resources = sim->n_cores,
                                              .events = (const TsEvent *)events->data,
                                              .n_events = events->len,
                                              .infer = sim->config.no_preempt_events,
                                              .has_start = TRUE,
                                              .has_stop = TRUE,
                                              .start = recording->start,
                                              .stop = recording->stop,
                                              .has_from = way.windowed,
                                              .has_to = way.windowed,
                                              .from = recording->start + length / 3,
                                              .to = recording->start + length * 3 / 4 };
      compare (&comparison, FALSE);
    }
  ck_assert_msg (text->len == 0, "%s (%" G_GUINT64_FORMAT " in all)", text->str, comparison.n_wrong);
}

/* Several seeds of one shape. */
static void
agree_on_some (int index, guint64 seed, Way way)
{
  for (guint i = 0; i < SEEDS; i++)
    agree_on (sim_shape_name ((guint)index), seed + i, way);
}

START_TEST (oracle_and_timeline_agree_on_every_shape)
{
  agree_on_some (_i, 100, (Way){ FEED_PLAIN, UNDAMAGED, FALSE });
}
END_TEST

START_TEST (they_agree_where_instances_are_numbered)
{
  agree_on_some (_i, 200, (Way){ FEED_NUMBERED, UNDAMAGED, FALSE });
}
END_TEST

START_TEST (they_agree_within_an_analysis_window)
{
  agree_on_some (_i, 300, (Way){ FEED_PLAIN, UNDAMAGED, TRUE });
}
END_TEST

START_TEST (they_agree_where_events_are_missing)
{
  agree_on_some (_i, 400, (Way){ FEED_PLAIN, DROPPED, FALSE });
  agree_on_some (_i, 500, (Way){ FEED_PLAIN, DROPPED, TRUE });
}
END_TEST

START_TEST (they_agree_where_numbered_instances_lack_activations)
{
  agree_on_some (_i, 1000, (Way){ FEED_NUMBERED, UNACTIVATED, FALSE });
}
END_TEST

START_TEST (they_agree_where_events_are_written_twice)
{
  agree_on_some (_i, 600, (Way){ FEED_PLAIN, DOUBLED, FALSE });
}
END_TEST

START_TEST (they_agree_where_equal_stamps_change_places)
{
  agree_on_some (_i, 700, (Way){ FEED_PLAIN, SWAPPED, FALSE });
}
END_TEST

START_TEST (they_agree_where_the_trace_has_holes)
{
  agree_on_some (_i, 800, (Way){ FEED_PLAIN, HOLED, FALSE });
  agree_on_some (_i, 900, (Way){ FEED_PLAIN, HOLED, TRUE });
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("oracle");
  TCase *simulated = tcase_create ("simulated"), *damaged = tcase_create ("damaged");

  tcase_set_timeout (simulated, 60);
  tcase_set_timeout (damaged, 60);
  tcase_add_loop_test (simulated, oracle_and_timeline_agree_on_every_shape, 0, (int)sim_n_shapes ());
  tcase_add_loop_test (simulated, they_agree_where_instances_are_numbered, 0, (int)sim_n_shapes ());
  tcase_add_loop_test (simulated, they_agree_within_an_analysis_window, 0, (int)sim_n_shapes ());
  tcase_add_loop_test (damaged, they_agree_where_events_are_missing, 0, (int)sim_n_shapes ());
  tcase_add_loop_test (damaged, they_agree_where_numbered_instances_lack_activations, 0, (int)sim_n_shapes ());
  tcase_add_loop_test (damaged, they_agree_where_events_are_written_twice, 0, (int)sim_n_shapes ());
  tcase_add_loop_test (damaged, they_agree_where_equal_stamps_change_places, 0, (int)sim_n_shapes ());
  tcase_add_loop_test (damaged, they_agree_where_the_trace_has_holes, 0, (int)sim_n_shapes ());
  suite_add_tcase (suite, simulated);
  suite_add_tcase (suite, damaged);
  return unit_run (suite);
}
