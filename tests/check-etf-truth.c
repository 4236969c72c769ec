/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "reading-etf.h"
#include "simulate.h"
#include "unit.h"

/* Traces of which the truth is known: a made one, and simulated ones. */

static char *
load (const char *name)
{
  const char      *folder = g_getenv ("TS_SRCDIR");
  g_autofree char *path = g_build_filename (folder != NULL ? folder : ".", "tests", "etf", name, NULL);
  char            *text;

  ck_assert_msg (g_file_get_contents (path, &text, NULL, NULL), "%s", path);
  return text;
}

/* The instance @number of the element @name, or NULL. */
static const TsInstance *
find_instance (const EtfReading *reading, const char *name, gint64 number)
{
  for (guint i = 0; i < reading->instances->len; i++)
    {
      const TsInstance *instance = &g_array_index (reading->instances, TsInstance, i);

      if (instance->number == number
          && strcmp (ts_system_get_element (reading->system, instance->element)->name, name) == 0)
        return instance;
    }
  return NULL;
}

static gint64
number_in (const GMatchInfo *match, const char *name)
{
  g_autofree char *text = g_match_info_fetch_named (match, name);

  return g_ascii_strtoll (text, NULL, 10);
}

/* "pre": [17, 17] */
static void
check_preemptions (const TsInstance *instance, const char *list)
{
  g_auto (GStrv) values = g_strsplit (list, ",", -1);
  gint64 sum = 0;
  guint  n = 0;

  for (guint i = 0; values[i] != NULL && *values[i] != '\0'; i++)
    {
      sum += g_ascii_strtoll (values[i], NULL, 10);
      n++;
    }
  ck_assert_uint_eq (instance->n_preemptions, n);
  ck_assert_int_eq (instance->preempted, sum);
}

/* A pipeline of seven tasks; stamps in the truth are tenths of a millisecond, which is what the file has. */
START_TEST (the_pipeline_is_as_it_was_made)
{
  g_autofree char *text = load ("odse12.etf"), *truth = load ("odse12.truth.json");
  TsOptions options = { .instance_key = (char *) "id", .activation = (char *) "dep",
                        .exec_resources = (char *) "CPU,GPU,FPGA*" };
  g_autoptr (EtfReading) reading = etf_reading_new (text, -1, 0, &options);
  g_autoptr (GRegex) regex = g_regex_new ("\"(?<task>[A-G])\": \\[|\\{\"id\": (?<id>\\d+), \"act\": (?<act>\\d+), "
                                          "\"start\": (?<start>\\d+), \"end\": (?<end>\\d+), \"cet\": (?<cet>\\d+), "
                                          "\"pre\": \\[(?<pre>[^]]*)\\]", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *task = NULL;
  guint n = 0;

  ck_assert (reading->error == NULL);
  for (g_regex_match (regex, truth, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL))
    {
      g_autofree char  *name = g_match_info_fetch_named (match, "task");
      g_autofree char  *preemptions = NULL;
      const TsInstance *instance;

      if (name != NULL && *name != '\0')
        {
          g_free (task);
          task = g_steal_pointer (&name);
          continue;
        }
      instance = find_instance (reading, task, number_in (match, "id"));
      ck_assert_ptr_nonnull (instance);
      ck_assert_int_eq (instance->activation, number_in (match, "act"));
      ck_assert_int_eq (instance->start, number_in (match, "start"));
      ck_assert_int_eq (instance->end, number_in (match, "end"));
      ck_assert_int_eq (instance->running, number_in (match, "cet"));
      preemptions = g_match_info_fetch_named (match, "pre");
      check_preemptions (instance, preemptions);
      n++;
    }
  ck_assert_uint_eq (n, reading->instances->len);
  ck_assert_uint_gt (n, 70);
}
END_TEST

START_TEST (the_pipeline_is_the_same_in_chunks)
{
  static const gsize chunks[] = { 1, 2, 3, 5, 7, 64 };
  g_autofree char *text = load ("odse12.etf");
  TsOptions options = { .instance_key = (char *) "id", .activation = (char *) "event:event=activate",
                        .object_key = (char *) "id" };
  g_autoptr (EtfReading) whole = etf_reading_new (text, -1, 0, &options);
  g_autoptr (EtfReading) reading = etf_reading_new (text, -1, chunks[_i], &options);
  g_autofree char *expected = etf_reading_dump (whole), *dump = etf_reading_dump (reading);

  ck_assert_str_eq (dump, expected);
}
END_TEST

/* Simulations */

/* What TRACE can say of a job: where claims touch, nothing was preempted. */
typedef struct
{
  GArray *instances; /* of SimInstance */
  GArray *gaps;      /* of SimInterval with extent */
} Truth;

static void
keep_instance (const SimSystem *system, const SimInstance *instance, gpointer data)
{
  if (system->elements[instance->element].parent < 0 && instance->status == SIM_COMPLETE)
    g_array_append_vals (((Truth *) data)->instances, instance, 1);
}

static void
keep_interval (G_GNUC_UNUSED const SimSystem *system, const SimInterval *interval, gpointer data)
{
  if (interval->end > interval->begin)
    g_array_append_vals (((Truth *) data)->gaps, interval, 1);
}

static guint
count_gaps (const Truth *truth, const SimInstance *instance)
{
  guint n = 0;

  for (guint i = 0; i < truth->gaps->len; i++)
    {
      const SimInterval *gap = &g_array_index (truth->gaps, SimInterval, i);

      n += gap->element == instance->element && gap->number == instance->number;
    }
  return n;
}

static const char *const shapes[] = { "one-core", "two-core", "many-cores", "isr-storm", "chained", "queued",
                                      "failed", "alternative-order", "idle-task", "decimals", "equal-stamps",
                                      "equal-alternative" };

static void
compare_shape (const char *shape, gboolean dependencies)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (SimSystem) system = NULL;
  SimCallbacks callbacks = { .instance = keep_instance, .interval = keep_interval };
  Truth        truth = { g_array_new (FALSE, FALSE, sizeof (SimInstance)), g_array_new (FALSE, FALSE, sizeof (SimInterval)) };
  TsOptions    options = { .instance_key = (char *) "id",
                           .activation = (char *) (dependencies ? "dep" : "event:event=activate") };
  SimConfig    config;
  g_autoptr (EtfReading) reading = NULL;

  ck_assert (sim_shape (shape, 7, &config));
  sim_config_complete (&config);
  config.start = 0;
  config.duration = sim_measure (&config, 2500);
  ck_assert (sim_config_is_etf (&config));
  system = sim_system_new (&config);
  ck_assert (sim_etf_write (system, NULL, text, dependencies, &callbacks, &truth));
  reading = etf_reading_new (text->str, (gssize) text->len, 0, &options);
  ck_assert_msg (reading->error == NULL, "%s", reading->error != NULL ? reading->error->message : "");
  ck_assert_uint_gt (truth.instances->len, 100);
  for (guint i = 0; i < truth.instances->len; i++)
    {
      const SimInstance *job = &g_array_index (truth.instances, SimInstance, i);
      const TsInstance  *instance
          = find_instance (reading, system->elements[job->element].name, (gint64) job->instance);

      ck_assert_msg (instance != NULL, "%s: %s %lu is missing", shape, system->elements[job->element].name,
                     (gulong) job->instance);
      ck_assert_int_eq (instance->end - instance->start, job->end - job->start);
      ck_assert_int_eq (instance->start, job->start);
      ck_assert_int_eq (instance->running, job->running);
      ck_assert_int_eq (instance->preempted, job->off[SIM_PREEMPTED]);
      ck_assert_uint_eq (instance->n_preemptions, count_gaps (&truth, job));
      ck_assert_int_eq ((instance->flags & TS_INSTANCE_HAS_ACTIVATION) != 0, job->has_activation);
      if (job->has_activation)
        ck_assert_int_eq (instance->activation, job->activation);
    }
  g_array_unref (truth.instances);
  g_array_unref (truth.gaps);
}

START_TEST (what_is_simulated_is_found_with_events)
{
  compare_shape (shapes[_i], FALSE);
}
END_TEST

START_TEST (what_is_simulated_is_found_with_dependencies)
{
  compare_shape (shapes[_i], TRUE);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("ETF, truth");
  TCase *made = tcase_create ("made"), *simulated = tcase_create ("simulated");

  tcase_add_test (made, the_pipeline_is_as_it_was_made);
  tcase_add_loop_test (made, the_pipeline_is_the_same_in_chunks, 0, 6);
  suite_add_tcase (suite, made);
  tcase_set_timeout (simulated, 60);
  tcase_add_loop_test (simulated, what_is_simulated_is_found_with_events, 0, G_N_ELEMENTS (shapes));
  tcase_add_loop_test (simulated, what_is_simulated_is_found_with_dependencies, 0, G_N_ELEMENTS (shapes));
  suite_add_tcase (suite, simulated);
  return unit_run (suite);
}
