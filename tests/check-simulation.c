/* SPDX-License-Identifier: MIT */

/* Traces of a simulated scheduler, read like any file, against what the simulation knows:
 * every instance, and every statistic of every element. */

#include "compare.h"
#include "feed.h"
#include "intervals.h"
#include "oracle.h"
#include "unit.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#define SEEDS 3

typedef struct
{
  const char *name;
  gboolean is_btf;
  SimBtfDress dress;
} SimFormat;

/* Statistics */

static double
as_double (TsRational value)
{
  return (double)value.numerator / (double)value.denominator;
}

static gboolean
is_near (double one, double other)
{
  return fabs (one - other) <= 1e-9 * MAX (fabs (one), fabs (other)) + 1e-12;
}

/* @got is in internal units; @scale of them are @parts of the simulation's. */
static void
expect_exact (Comparison *test, guint element, const char *metric, const char *statistic, TsInt128 sum, TsInt128 n,
              TsInt128 scale, TsInt128 parts, TsRational got)
{
  if (sum * scale * got.denominator != got.numerator * n * parts)
    wrong (test, element, metric, "%s: expected %.12g, got %.12g", statistic,
           (double)sum / (double)n * (double)scale / (double)parts, as_double (got));
}

static void
compare_percentiles (Comparison *test, guint element, const char *name, const GArray *values, TsInt128 scale,
                     TsInt128 parts, const TsMetricResult *got)
{
  static const guint percents[] = { 50, 90, 95, 99 };
  gboolean exact = ts_accumulator_is_exact (got->accumulator);

  if (!exact && values->len <= TS_EXACT_SAMPLES)
    wrong (test, element, name, "percentiles of %u samples are not exact", values->len);
  for (guint i = 0; i < G_N_ELEMENTS (percents); i++)
    {
      gint64 want = oracle_percentile ((const gint64 *)values->data, values->len, percents[i]);
      double near = (double)want * (double)scale / (double)parts;

      if (exact)
        expect_exact (test, element, name, "percentile", want, 1, scale, parts, got->percentiles[i]);
      else if (fabs (as_double (got->percentiles[i]) - near) > 0.004 * fabs (near))
        wrong (test, element, name, "p%u: expected about %.12g, got %.12g", percents[i], near,
               as_double (got->percentiles[i]));
    }
}

static void
compare_times (Comparison *test, guint element, TsMetricId metric, const TsMetricResult *got)
{
  const char *name = ts_metric_info (metric)->name;
  g_autoptr (GArray) values = truth_samples (test->truth, element, metric);
  OracleStatistics want = oracle_statistics ((const gint64 *)values->data, values->len);
  TsInt128 scale = metric == TS_METRIC_NPR ? 1 : test->scale, parts = metric == TS_METRIC_NPR ? 1 : test->parts;

  if (got->n != want.n)
    wrong (test, element, name, "n: expected %u, got %" G_GUINT64_FORMAT, want.n, got->n);
  if (got->n == 0 || want.n == 0)
    return;
  expect_exact (test, element, name, "min", want.min, 1, scale, parts, got->min);
  expect_exact (test, element, name, "max", want.max, 1, scale, parts, got->max);
  expect_exact (test, element, name, "mean", want.sum, want.n, scale, parts, got->mean);
  expect_exact (test, element, name, "sum", want.sum, 1, scale, parts, (TsRational){ got->sum, 1 });
  if (!is_near (want.stddev * (double)scale / (double)parts, ts_root_to_double (&got->stddev)))
    wrong (test, element, name, "stddev: expected %.12g, got %.12g", want.stddev * (double)scale / (double)parts,
           ts_root_to_double (&got->stddev));
  compare_percentiles (test, element, name, values, scale, parts, got);
}

/* JIT = 1 - DT / P, sample by sample; the samples are ratios, so kept in doubles. */
static void
compare_jitter (Comparison *test, guint element, const TsMetricResult *got)
{
  const SimElement *sim = &test->sim->elements[element];
  g_autoptr (GArray) deltas = truth_samples (test->truth, element, TS_METRIC_DT);
  g_autoptr (GArray) measured = truth_samples (test->truth, element, TS_METRIC_PER);
  OracleStatistics delta = oracle_statistics ((const gint64 *)deltas->data, deltas->len);
  OracleStatistics period = oracle_statistics ((const gint64 *)measured->data, measured->len);
  static const guint percents[] = { 50, 90, 95, 99 };
  const char *reference = "start";
  double p = delta.mean;

  if (sim->period > 0 && *test->sim->config.period_name != '\0')
    {
      reference = "configured";
      p = (double)sim->period;
    }
  else if (period.n > 0)
    {
      reference = "activation";
      p = period.mean;
    }
  if (got->n != (p > 0 ? delta.n : 0))
    wrong (test, element, "JIT", "n: expected %u, got %" G_GUINT64_FORMAT, delta.n, got->n);
  if (got->n == 0 || delta.n == 0)
    return;

  if (g_strcmp0 (reference, got->reference) != 0)
    wrong (test, element, "JIT", "reference: expected %s, got %s", reference, got->reference);
  if (!is_near (as_double (got->reference_value) * (double)test->parts / (double)test->scale, p))
    wrong (test, element, "JIT", "period: expected %.12g, got %.12g", p, as_double (got->reference_value));
  if (!is_near (1 - (double)delta.max / p, as_double (got->min))
      || !is_near (1 - (double)delta.min / p, as_double (got->max))
      || !is_near (1 - delta.mean / p, as_double (got->mean)) || !is_near (delta.stddev / p, ts_root_to_double (&got->stddev)))
    wrong (test, element, "JIT", "expected %.12g/%.12g/%.12g (%.12g), got %.12g/%.12g/%.12g (%.12g)",
           1 - (double)delta.max / p, 1 - delta.mean / p, 1 - (double)delta.min / p, delta.stddev / p,
           as_double (got->min), as_double (got->mean), as_double (got->max), ts_root_to_double (&got->stddev));
  for (guint i = 0; i < deltas->len; i++)
    g_array_index (deltas, gint64, i) *= -1;
  for (guint i = 0; i < G_N_ELEMENTS (percents) && ts_accumulator_is_exact (got->accumulator); i++)
    {
      gint64 want = oracle_percentile ((const gint64 *)deltas->data, deltas->len, percents[i]);

      if (!is_near (1 + (double)want / p, as_double (got->percentiles[i])))
        wrong (test, element, "JIT", "p%u: expected %.12g, got %.12g", percents[i], 1 + (double)want / p,
               as_double (got->percentiles[i]));
    }
}

/* An extreme value says where it is: there, an instance has it. */
static void
check_where (Comparison *test, guint element, TsMetricId metric, const TsExtreme *where)
{
  const GArray *instances = test->truth->elements[element].instances;

  for (guint i = 0; i < instances->len; i++)
    {
      const SimInstance *one = &g_array_index (instances, SimInstance, i);
      gint64 value = metric == TS_METRIC_CET   ? one->running
                     : metric == TS_METRIC_GET ? one->end - one->start
                                               : one->end - one->activation;

      if (one->section + 1 != where->section
          || (gint64) (test->numbered ? one->instance : one->number) != where->number)
        continue;
      expect_time (test, element, ts_metric_info (metric)->name, where->number, value, where->value);
      expect_time (test, element, "at", where->number, one->start, where->at);
      return;
    }
  wrong (test, element, ts_metric_info (metric)->name, "no instance %" G_GINT64_FORMAT " in section %u", where->number,
         where->section);
}

static void
compare_element (Comparison *test, guint element, const TsReportElement *got)
{
  static const TsMetricId metrics[]
      = { TS_METRIC_IPT, TS_METRIC_CET, TS_METRIC_GET,  TS_METRIC_RT,  TS_METRIC_DT,   TS_METRIC_PER,
          TS_METRIC_ST,  TS_METRIC_PRE, TS_METRIC_SELF, TS_METRIC_E2S, TS_METRIC_WAIT, TS_METRIC_NPR };
  static const TsMetricId placed[] = { TS_METRIC_CET, TS_METRIC_GET, TS_METRIC_RT };

  if (!g_str_equal (got->name, test->sim->elements[element].name))
    wrong (test, element, "name", "got %s", got->name);
  compare_counts (test, element, &got->counts);
  for (guint i = 0; i < G_N_ELEMENTS (metrics); i++)
    compare_times (test, element, metrics[i], got->metrics[metrics[i]]);
  compare_jitter (test, element, got->metrics[TS_METRIC_JIT]);
  for (guint i = 0; i < G_N_ELEMENTS (placed); i++)
    if (got->metrics[placed[i]]->n > 0)
      {
        check_where (test, element, placed[i], &got->metrics[placed[i]]->min_where);
        check_where (test, element, placed[i], &got->metrics[placed[i]]->max_where);
      }
}

static void
compare_load (Comparison *test, const TsReportBlock *block)
{
  for (guint i = 0; i < test->sim->n_cores; i++)
    {
      const TsReportResource *resource = g_ptr_array_index (block->resources, i);
      const TsMetricResult *load = &resource->load;

      ck_assert_int_eq (atoi (test->numbered ? resource->name + strlen ("Core_") : resource->id),
                        (int) test->sim->core_ids[i]);
      expect_exact (test, 0, resource->name, "load", test->truth->busy[i], test->truth->window, 1, 1, load->mean);
      expect_exact (test, 0, resource->name, "busy", test->truth->busy[i], 1, test->scale, test->parts,
                    (TsRational){ load->sum, 1 });
      expect_exact (test, 0, resource->name, "window", test->truth->window, 1, test->scale, test->parts,
                    load->reference_value);
    }
}

/* Two ways in */

static void
forget (gpointer data, TsTrace *trace G_GNUC_UNUSED)
{
  g_array_set_size (((Comparison *)data)->instances, 0);
}

/* Whatever the order in which the importer numbers the elements. */
static guint
find_element (const Comparison *test, const char *id)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (test->ids, id));
}

static void
take_read_instance (gpointer data, TsTrace *trace, const TsInstance *instance)
{
  Comparison *test = data;
  TsInstance copy = *instance;
  const TsSystem *system = ts_trace_get_system (trace);

  copy.element = find_element (test, ts_system_get_element (system, instance->element)->id);
  if (instance->owner != TS_NO_ELEMENT)
    copy.owner = find_element (test, ts_system_get_element (system, instance->owner)->id);
  g_array_append_val (test->instances, copy);
}

static TsTrace *
read_text (Comparison *test, const GString *text, const TsOptions *options)
{
  static const TsInstanceSink sink = { forget, take_read_instance };
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  int file = g_file_open_tmp ("check-simulation-XXXXXX.xml", &path, &error);
  TsTrace *trace;

  ck_assert_msg (file >= 0, "%s", error != NULL ? error->message : "");
  close (file);
  ck_assert (g_file_set_contents (path, text->str, (gssize)text->len, NULL));
  trace = ts_trace_read (path, options, &sink, test, NULL, NULL, &error);
  g_unlink (path);
  ck_assert_msg (trace != NULL, "%s, seed %" G_GUINT64_FORMAT ": %s", test->shape, test->seed,
                 error != NULL ? error->message : "");
  return trace;
}

static void
check_diagnostics (Comparison *test, const TsDiagnostics *diagnostics)
{
  for (guint i = 0; i < test->sim->n_elements; i++)
    if (!is_knowable (test, i))
      return;
  for (guint i = 0; i < TS_N_DIAGNOSTICS; i++)
    if (diagnostics->entries[i].count > 0 && ts_diagnostic_info ((TsDiagnosticId)i)->severity == TS_SEVERITY_DEFECT)
      wrong (test, 0, "diagnostics", "%s, %" G_GUINT64_FORMAT " times, first in line %" G_GUINT64_FORMAT,
             ts_diagnostic_info ((TsDiagnosticId)i)->name, diagnostics->entries[i].count, diagnostics->entries[i].line);
}

/* BTF numbers instances itself, and has one kind of activation only. */
static void
translate_instances (Comparison *test)
{
  for (guint i = 0; i < test->instances->len; i++)
    {
      TsInstance *got = &g_array_index (test->instances, TsInstance, i);
      const GArray *want = test->truth->elements[got->element].instances;
      gint64 number = got->number;

      got->number = 0;
      for (guint k = 0; k < want->len && got->number == 0; k++)
        {
          const SimInstance *one = &g_array_index (want, SimInstance, k);

          if ((gint64) one->instance != number)
            continue;
          got->number = (gint64) one->number;
          if (got->activation_kind == TS_EVENT_ACTIVATION)
            got->activation_kind = (guint8) (TS_EVENT_ACTIVATION + (one->activation_kind - SIM_ACTIVATION));
        }
    }
}

static TsTrace *
read_simulated (Comparison *test, const SimFormat *format, const TsOptions *options)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (format->is_btf)
    sim_btf_write (test->sim, format->dress, NULL, text, NULL, NULL);
  else
    sim_atf_write (test->sim, NULL, text, NULL, NULL);
  return read_text (test, text, options);
}

static void
read_and_compare (const char *shape, guint64 seed, const SimFormat *format)
{
  SimConfig config;
  g_autoptr (SimSystem) sim = NULL;
  g_autoptr (Truth) truth = NULL;
  g_autoptr (GString) complaints = g_string_new (NULL);
  g_autoptr (GArray) instances = g_array_new (FALSE, FALSE, sizeof (TsInstance));
  g_autoptr (TsOptions) options = ts_options_new ();
  g_autoptr (GPtrArray) traces = g_ptr_array_new_with_free_func ((GDestroyNotify)ts_trace_free);
  g_autoptr (TsReport) report = NULL;
  Comparison test = { .shape = shape, .seed = seed, .parts = 1, .instances = instances, .wrong = complaints };
  const TsReportBlock *block;

  ck_assert (sim_shape (shape, seed, &config));
  if (format->is_btf)
    {
      config.n_sections = 1;
      config.period_name = "";
    }
  else if (!sim_config_is_atf (&config))
    return;
  /* BTF does not say on which core a task is that was not seen: nobody can tell who suspends what runs in it */
  if (format->is_btf && config.no_preempt_events && config.start > 0)
    return;
  test.numbered = format->is_btf;
  test.sim = sim = sim_system_new (&config);
  test.truth = truth = truth_new (sim, NULL);
  truth->has_numbers = format->is_btf;
  options->infer_preemption = format->is_btf && sim->config.no_preempt_events;
  options->exact_percentiles = seed % 2 == 0;
  options->idle = g_ptr_array_new ();
  for (guint i = 0; i < sim->n_elements; i++)
    if (sim->elements[i].idle)
      g_ptr_array_add (options->idle, g_strdup (sim->elements[i].name));
  for (guint i = 0; i < sim->config.decimals && !format->is_btf; i++)
    test.parts *= 10;
  test.ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < sim->n_elements; i++)
    g_hash_table_insert (test.ids, g_strdup_printf ("%u", sim->elements[i].id), GUINT_TO_POINTER (i));

  g_ptr_array_add (traces, read_simulated (&test, format, options));
  if (format->is_btf)
    translate_instances (&test);
  check_diagnostics (&test, ts_trace_get_diagnostics (g_ptr_array_index (traces, 0)));
  ck_assert_uint_eq (ts_trace_n_sections (g_ptr_array_index (traces, 0)), truth->n_sections);
  report = ts_report_new (traces, options, NULL);
  ck_assert_ptr_nonnull (report);
  test.scale = report->base.scale;
  block = g_ptr_array_index (report->blocks, 0);
  ck_assert_uint_eq (block->elements->len, sim->n_elements);
  for (guint i = 0; i < sim->n_elements; i++)
    {
      if (is_knowable (&test, i))
        compare_instances (&test, i);
    }
  for (guint i = 0; i < block->elements->len; i++)
    {
      const TsReportElement *element = g_ptr_array_index (block->elements, i);
      guint index = find_element (&test, element->id);

      if (is_knowable (&test, index))
        compare_element (&test, index, element);
    }
  compare_load (&test, block);
  g_hash_table_unref (test.ids);
  ck_assert_msg (complaints->len == 0, "%s (%" G_GUINT64_FORMAT " in all)", complaints->str, test.n_wrong);
}

START_TEST (every_instance_and_statistic_is_as_simulated)
{
  static const SimFormat atf = { "atf", FALSE, 0 };

  for (guint i = 0; i < SEEDS; i++)
    read_and_compare (sim_shape_name ((guint) _i), i + 1, &atf);
}
END_TEST

START_TEST (so_it_is_in_btf)
{
  static const SimFormat dresses[] = { { "btf-2.1", TRUE, SIM_BTF_21 },
                                       { "btf-2.3", TRUE, SIM_BTF_23 },
                                       { "btf-numeric", TRUE, SIM_BTF_NUMERIC } };

  for (guint i = 0; i < SEEDS * G_N_ELEMENTS (dresses); i++)
    read_and_compare (sim_shape_name ((guint) _i), i + 1, &dresses[i % G_N_ELEMENTS (dresses)]);
}
END_TEST

static void
take_instance (gpointer data, const TsInstance *instance)
{
  g_array_append_val (((Comparison *)data)->instances, *instance);
  append_intervals_of (((Comparison *)data)->intervals, instance);
}

static void
take_interval (gpointer data, const TsInterval *interval)
{
  g_array_append_val (((Comparison *)data)->intervals, *interval);
}

static gint
compare_values (gconstpointer a, gconstpointer b)
{
  gint64 one = *(const gint64 *)a, other = *(const gint64 *)b;

  return (one > other) - (one < other);
}

static void
compare_intervals (Comparison *test, guint element, TsIntervalKind kind, TsMetricId metric)
{
  g_autoptr (GArray) want = truth_samples (test->truth, element, metric);
  g_autoptr (GArray) got = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < test->intervals->len; i++)
    if (g_array_index (test->intervals, TsInterval, i).element == element
        && g_array_index (test->intervals, TsInterval, i).kind == (guint32)kind)
      g_array_append_val (got, g_array_index (test->intervals, TsInterval, i).value);
  g_array_sort (want, compare_values);
  g_array_sort (got, compare_values);
  if (want->len != got->len)
    wrong (test, element, ts_metric_info (metric)->name, "expected %u samples, got %u", want->len, got->len);
  for (guint i = 0; i < MIN (want->len, got->len); i++)
    expect (test, element, ts_metric_info (metric)->name, i, g_array_index (want, gint64, i),
            g_array_index (got, gint64, i));
}

static void
feed_and_compare (const char *shape, guint64 seed)
{
  SimConfig config;
  g_autoptr (SimSystem) sim = NULL;
  g_autoptr (Truth) truth = NULL;
  g_autoptr (GString) complaints = g_string_new (NULL);
  g_autoptr (GArray) instances = g_array_new (FALSE, FALSE, sizeof (TsInstance));
  g_autoptr (GArray) intervals = g_array_new (FALSE, FALSE, sizeof (TsInterval));
  g_autoptr (GPtrArray) sections = NULL;
  g_autoptr (TsSystem) system = NULL;
  g_autoptr (TsDiagnostics) diagnostics = ts_diagnostics_new ("simulated");
  g_autoptr (TsTimeline) timeline = NULL;
  TsTimelineSink sink = { take_instance, take_interval, NULL };
  TsTimelineOptions options = { .most_walked = (guint)(seed % 3) };
  Comparison test = { .shape = shape,
                      .seed = seed,
                      .scale = 1,
                      .parts = 1,
                      .instances = instances,
                      .intervals = intervals,
                      .wrong = complaints };

  ck_assert (sim_shape (shape, seed, &config));
  test.sim = sim = sim_system_new (&config);
  test.truth = truth = truth_new (sim, NULL);
  sections = feed_record (sim, FEED_PLAIN);
  system = feed_system (sim);
  timeline = ts_timeline_new (system, diagnostics, &options, &sink, &test);
  for (guint i = 0; i < sections->len; i++)
    {
      const FeedSection *fed = g_ptr_array_index (sections, i);
      TsSection section
          = { .number = i + 1, .start = fed->start, .stop = fed->stop, .has_start = TRUE, .has_stop = TRUE };

      ts_timeline_begin_section (timeline, &section);
      ts_timeline_events (timeline, (const TsEvent *)fed->events->data, fed->events->len);
      ts_timeline_end_section (timeline);
    }
  for (guint i = 0; i < sim->n_elements; i++)
    {
      TsElementCounts counts = ts_timeline_counts (timeline, i);

      compare_counts (&test, i, &counts);
      compare_instances (&test, i);
      compare_intervals (&test, i, TS_INTERVAL_PRE, TS_METRIC_PRE);
      compare_intervals (&test, i, TS_INTERVAL_WAIT, TS_METRIC_WAIT);
      compare_intervals (&test, i, TS_INTERVAL_DT, TS_METRIC_DT);
      compare_intervals (&test, i, TS_INTERVAL_PER, TS_METRIC_PER);
      compare_intervals (&test, i, TS_INTERVAL_E2S, TS_METRIC_E2S);
      if (sim->elements[i].type == SIM_TASK)
        compare_intervals (&test, i, TS_INTERVAL_ST, TS_METRIC_ST);
    }
  for (guint16 i = 0; i < sim->n_cores; i++)
    expect (&test, 0, "busy", i, truth->busy[i], (gint64)ts_timeline_busy (timeline, i));
  ck_assert_msg (complaints->len == 0, "%s (%" G_GUINT64_FORMAT " in all)", complaints->str, test.n_wrong);
}

START_TEST (waiting_is_as_simulated)
{
  feed_and_compare ("waits", (guint64)_i);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("simulation");
  TCase *files = tcase_create ("files"), *events = tcase_create ("events");

  tcase_set_timeout (files, 120);
  tcase_add_loop_test (files, every_instance_and_statistic_is_as_simulated, 0, (int) sim_n_shapes ());
  tcase_add_loop_test (files, so_it_is_in_btf, 0, (int) sim_n_shapes ());
  tcase_add_loop_test (events, waiting_is_as_simulated, 1, 9);
  suite_add_tcase (suite, files);
  suite_add_tcase (suite, events);
  return unit_run (suite);
}
