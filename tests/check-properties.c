/* SPDX-License-Identifier: MIT */

/* What must hold of whole traces, whoever computes it: a trace is changed in a way whose
 * effect on every metric is known, and read again. */

#include "simulate.h"
#include "unit.h"

#include <tracestat/tracestat.h>

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define MANY_METRICS (~0u)
#define BIT(metric) (1u << TS_METRIC_##metric)

static const char *const shapes[] = { "two-core", "chained",   "queued",       "no-preempt-heads", "heads-and-tails",
                                      "sections", "recursion", "equal-stamps", "shared",           "mixed" };

static char *
generate (const char *shape, guint64 seed)
{
  SimConfig config;
  g_autoptr (SimSystem) system = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  ck_assert (sim_shape (shape, seed, &config));
  if (config.duration == 0)
    config.duration = 40000;
  system = sim_system_new (&config);
  ck_assert (sim_atf_write (system, NULL, text, NULL, NULL));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Time, Start, Stop, and the annotated periods: (value * factor + shift) / 10^decimals. */
static char *
change_times (const char *text, gint64 factor, gint64 shift, guint decimals)
{
  static const char *const marks[]
      = { " Time=\"", " Start=\"", " Stop=\"", "<Name>Period</Name><Value>", "<Name>PER</Name><Value>" };
  GString *out = g_string_sized_new (strlen (text) * 2);

  while (*text != '\0')
    {
      for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
        if (g_str_has_prefix (text, marks[i]))
          {
            char *end;
            gint64 value;

            g_string_append (out, marks[i]);
            value = g_ascii_strtoll (text + strlen (marks[i]), &end, 10) * factor;
            sim_append_time (out, value + (i < 3 ? shift : 0), decimals);
            text = end;
            break;
          }
      g_string_append_c (out, *text++);
    }
  return g_string_free (out, FALSE);
}

/* The trace with only one of its sections. */
static char *
take_section (const char *text, guint number)
{
  GString *out = g_string_new (NULL);
  guint seen = 0;

  for (const char *begin; (begin = strstr (text, "  <TraceData ")) != NULL;)
    {
      const char *end = strstr (begin, "</TraceData>\n") + strlen ("</TraceData>\n");

      g_string_append_len (out, text, begin - text);
      if (seen++ == number)
        g_string_append_len (out, begin, end - begin);
      text = end;
    }
  g_string_append (out, text);
  return g_string_free (out, FALSE);
}

static TsTrace *
read_text (const char *text, const TsOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  int file = g_file_open_tmp ("check-properties-XXXXXX.xml", &path, NULL);
  TsTrace *trace;

  ck_assert (file >= 0);
  close (file);
  ck_assert (g_file_set_contents (path, text, -1, NULL));
  trace = ts_trace_read (path, options, NULL, NULL, NULL, NULL, &error);
  g_unlink (path);
  ck_assert_msg (trace != NULL, "%s", error != NULL ? error->message : "");
  return trace;
}

static TsReport *
report_on (GPtrArray *texts, const TsOptions *options)
{
  g_autoptr (GPtrArray) traces = g_ptr_array_new_with_free_func ((GDestroyNotify)ts_trace_free);
  TsReport *report;

  for (guint i = 0; i < texts->len; i++)
    g_ptr_array_add (traces, read_text (g_ptr_array_index (texts, i), options));
  report = ts_report_new (traces, options, NULL);
  ck_assert_ptr_nonnull (report);
  return report;
}

static TsReport *
report_on_one (const char *text, gboolean infers)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();
  g_autoptr (TsOptions) options = ts_options_new ();

  options->exact_percentiles = TRUE;
  options->infer_preemption = infers;
  g_ptr_array_add (texts, (gpointer)text);
  return report_on (texts, options);
}

static const TsReportBlock *
block_of (const TsReport *report)
{
  return g_ptr_array_index (report->blocks, 0);
}

/* In ticks; @factor is what the times of @one are multiplied with. */
static gboolean
is_scaled (TsRational one, const TsTimeBase *one_base, TsRational factor, TsRational other,
           const TsTimeBase *other_base)
{
  one = ts_rational_multiply (ts_rational_divide (one, ts_rational (one_base->scale, 1)), factor);
  other = ts_rational_divide (other, ts_rational (other_base->scale, 1));
  return ts_rational_compare (one, other) == 0;
}

static gboolean
are_equal_results (TsMetricId metric, const TsMetricResult *a, const TsMetricResult *b, const TsTimeBase *base_a,
                   const TsTimeBase *base_b, TsRational factor, guint n_percentiles)
{
  TsTimeBase none = ts_time_base_ticks ();
  double stddev = ts_root_to_double (&a->stddev);

  if (a->n != b->n)
    return FALSE;
  if (a->n == 0)
    return TRUE;
  if (ts_metric_info (metric)->quantity != TS_QUANTITY_TIME)
    {
      factor = ts_rational (1, 1);
      base_a = base_b = &none;
    }
  stddev *= ts_rational_to_double (factor) * (double)base_b->scale / (double)base_a->scale;
  for (guint i = 0; i < n_percentiles && metric != TS_METRIC_LOAD; i++)
    if (!is_scaled (a->percentiles[i], base_a, factor, b->percentiles[i], base_b))
      return FALSE;
  return is_scaled (a->min, base_a, factor, b->min, base_b) && is_scaled (a->max, base_a, factor, b->max, base_b)
         && is_scaled (a->mean, base_a, factor, b->mean, base_b) && a->min_where.number == b->min_where.number
         && a->max_where.number == b->max_where.number
         && (a->stddev.n == 0 ? b->stddev.n == 0
                              : fabs (stddev - ts_root_to_double (&b->stddev)) <= 1e-9 * fabs (stddev) + 1e-12);
}

/* All metrics of all elements and loads: those of @b are those of @a, times @factor. */
static void
expect_scaled (const char *what, const TsReport *a, const TsReport *b, TsRational factor, guint metrics)
{
  ck_assert_uint_eq (block_of (a)->elements->len, block_of (b)->elements->len);
  for (guint i = 0; i < block_of (a)->elements->len; i++)
    {
      const TsReportElement *one = g_ptr_array_index (block_of (a)->elements, i);
      const TsReportElement *other = g_ptr_array_index (block_of (b)->elements, i);

      ck_assert_str_eq (one->name, other->name);
      for (guint k = 0; k < TS_METRIC_LOAD; k++)
        if ((metrics & (1u << k)) != 0)
          ck_assert_msg (are_equal_results ((TsMetricId)k, one->metrics[k], other->metrics[k], &a->base, &b->base,
                                            factor, a->n_percentiles),
                         "%s: %s of %s: n %" G_GUINT64_FORMAT
                         " min %g mean %g max %g stddev %g became n %" G_GUINT64_FORMAT
                         " min %g mean %g max %g stddev %g",
                         what, ts_metric_info ((TsMetricId)k)->name, one->name, one->metrics[k]->n,
                         ts_rational_to_double (one->metrics[k]->min), ts_rational_to_double (one->metrics[k]->mean),
                         ts_rational_to_double (one->metrics[k]->max),
                         ts_root_to_double (&one->metrics[k]->stddev), other->metrics[k]->n,
                         ts_rational_to_double (other->metrics[k]->min), ts_rational_to_double (other->metrics[k]->mean),
                         ts_rational_to_double (other->metrics[k]->max),
                         ts_root_to_double (&other->metrics[k]->stddev));
    }
  for (guint i = 0; i < block_of (a)->resources->len; i++)
    {
      const TsReportResource *one = g_ptr_array_index (block_of (a)->resources, i);
      const TsReportResource *other = g_ptr_array_index (block_of (b)->resources, i);

      ck_assert_msg (are_equal_results (TS_METRIC_LOAD, &one->load, &other->load, &a->base, &b->base, factor, 0),
                     "%s: load of %s", what, one->name);
    }
}

START_TEST (shifting_all_stamps_changes_no_duration)
{
  g_autofree char *text = generate (shapes[_i], 11);
  g_autofree char *shifted = change_times (text, 1, G_GINT64_CONSTANT (4611686018427000), 0);
  g_autoptr (TsReport) a = report_on_one (text, FALSE);
  g_autoptr (TsReport) b = report_on_one (shifted, FALSE);

  expect_scaled (shapes[_i], a, b, ts_rational (1, 1), MANY_METRICS);
}
END_TEST

START_TEST (scaling_all_stamps_scales_all_durations)
{
  g_autofree char *text = generate (shapes[_i], 12);
  g_autofree char *longer = change_times (text, 7, 0, 0);
  g_autofree char *shorter = change_times (text, 25, 0, 3); /* a fortieth, with decimals */
  g_autoptr (TsReport) a = report_on_one (text, FALSE);
  g_autoptr (TsReport) b = report_on_one (longer, FALSE);
  g_autoptr (TsReport) c = report_on_one (shorter, FALSE);

  expect_scaled (shapes[_i], a, b, ts_rational (7, 1), MANY_METRICS);
  expect_scaled (shapes[_i], a, c, ts_rational (1, 40), MANY_METRICS);
}
END_TEST

/* Rule 16. A whole reads all sections of one file; the parts are files of one section. */
START_TEST (sections_are_pooled_like_traces)
{
  static const char *const sectioned[] = { "sections", "no-preempt-heads", "mixed" };
  g_autofree char *text = generate (sectioned[_i], 13);
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (TsOptions) options = ts_options_new ();
  g_autoptr (TsReport) whole = report_on_one (text, FALSE);
  g_autoptr (TsReport) pooled = NULL;
  guint n = ts_trace_n_sections (g_ptr_array_index (whole->traces, 0));

  ck_assert_uint_gt (n, 1);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (parts, take_section (text, i));
  options->exact_percentiles = TRUE;
  pooled = report_on (parts, options);
  ck_assert_uint_eq (pooled->traces->len, n);
  expect_scaled (sectioned[_i], whole, pooled, ts_rational (1, 1), MANY_METRICS);
}
END_TEST

/* Two traces of one system in different time bases: every sample of both is there. */
START_TEST (pooling_two_traces_adds_up)
{
  g_autofree char *text = generate (shapes[_i], 14);
  g_autofree char *other = generate (shapes[_i], 14);
  g_autofree char *longer = change_times (other, 3, 0, 0);
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();
  g_autoptr (TsOptions) options = ts_options_new ();
  g_autoptr (TsReport) a = report_on_one (text, FALSE);
  g_autoptr (TsReport) b = report_on_one (longer, FALSE);
  g_autoptr (TsReport) both = NULL;

  g_ptr_array_add (texts, text);
  g_ptr_array_add (texts, longer);
  both = report_on (texts, options);
  for (guint i = 0; i < block_of (a)->elements->len; i++)
    for (guint k = 0; k < TS_METRIC_LOAD; k++)
      {
        const TsMetricResult *one = ((TsReportElement *)g_ptr_array_index (block_of (a)->elements, i))->metrics[k];
        const TsMetricResult *two = ((TsReportElement *)g_ptr_array_index (block_of (b)->elements, i))->metrics[k];
        const TsMetricResult *sum = ((TsReportElement *)g_ptr_array_index (block_of (both)->elements, i))->metrics[k];

        ck_assert_uint_eq (sum->n, one->n + two->n);
        if (sum->n == 0 || k == TS_METRIC_JIT)
          continue;
        ck_assert_msg (sum->sum == one->sum + two->sum, "%s: %s", shapes[_i], ts_metric_info ((TsMetricId)k)->name);
        ck_assert_int_eq (
            ts_rational_compare (sum->min, ts_rational_compare (one->min, two->min) < 0 ? one->min : two->min), 0);
        ck_assert_int_eq (
            ts_rational_compare (sum->max, ts_rational_compare (one->max, two->max) > 0 ? one->max : two->max), 0);
      }
}
END_TEST

/* A trace whose preempt and resume events are all there nests as rule 12 infers it, but where
 * one ends as the next starts: so the numbers of preemptions differ, and no time does. */
START_TEST (inferring_preemptions_changes_no_time)
{
  static const char *const whole[] = { "one-core", "two-core", "chained", "queued", "failed", "isr-storm" };
  g_autofree char *text = generate (whole[_i], 15);
  g_autoptr (TsReport) a = report_on_one (text, FALSE);
  g_autoptr (TsReport) b = report_on_one (text, TRUE);

  expect_scaled (whole[_i], a, b, ts_rational (1, 1), ~(BIT (PRE) | BIT (NPR)));
}
END_TEST

static TsReport *
report_on_window (const char *text, const char *from, const char *to)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();
  g_autoptr (TsOptions) options = ts_options_new ();

  options->has_from = from != NULL;
  options->has_to = to != NULL;
  ck_assert (from == NULL || ts_time_text_parse (from, &options->from, NULL));
  ck_assert (to == NULL || ts_time_text_parse (to, &options->to, NULL));
  g_ptr_array_add (texts, (gpointer)text);
  return report_on (texts, options);
}

/* Rule 20: every sample is in exactly one of two windows that touch. The shapes start at 0:
 * without heads, whose start no window contains. */
START_TEST (windows_that_touch_share_no_sample_and_lose_none)
{
  static const char *const whole[]
      = { "one-core", "two-core", "chained", "queued", "isr-storm", "equal-stamps", "no-preempt-events" };
  const char *middle = g_str_equal (whole[_i], "equal-stamps") ? "3010" : "17003";
  g_autofree char *text = generate (whole[_i], 16);
  g_autoptr (TsReport) all = report_on_window (text, NULL, NULL);
  g_autoptr (TsReport) early = report_on_window (text, NULL, middle);
  g_autoptr (TsReport) late = report_on_window (text, middle, NULL);

  for (guint i = 0; i < block_of (all)->elements->len; i++)
    for (guint k = 0; k < TS_METRIC_LOAD; k++)
      {
        const TsReportElement *element = g_ptr_array_index (block_of (all)->elements, i);
        const TsMetricResult *sum = element->metrics[k];
        const TsMetricResult *one = ((TsReportElement *)g_ptr_array_index (block_of (early)->elements, i))->metrics[k];
        const TsMetricResult *two = ((TsReportElement *)g_ptr_array_index (block_of (late)->elements, i))->metrics[k];

        if (k == TS_METRIC_JIT)
          continue;
        ck_assert_msg (sum->n == one->n + two->n
                           && (sum->n == 0 || sum->sum == (one->n > 0 ? one->sum : 0) + (two->n > 0 ? two->sum : 0)),
                       "%s: %s of %s: n %" G_GUINT64_FORMAT " is not %" G_GUINT64_FORMAT " + %" G_GUINT64_FORMAT,
                       whole[_i], ts_metric_info ((TsMetricId)k)->name, element->name, sum->n, one->n, two->n);
      }
  for (guint i = 0; i < block_of (all)->resources->len; i++)
    {
      const TsMetricResult *sum = &((TsReportResource *)g_ptr_array_index (block_of (all)->resources, i))->load;
      const TsMetricResult *one = &((TsReportResource *)g_ptr_array_index (block_of (early)->resources, i))->load;
      const TsMetricResult *two = &((TsReportResource *)g_ptr_array_index (block_of (late)->resources, i))->load;

      ck_assert_msg (sum->sum == one->sum + two->sum, "%s: load", whole[_i]);
      ck_assert_int_le (ts_rational_compare (sum->max, ts_rational (1, 1)), 0);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("properties");
  TCase *times = tcase_create ("times"), *parts = tcase_create ("parts");

  tcase_set_timeout (times, 60);
  tcase_set_timeout (parts, 60);
  tcase_add_loop_test (times, shifting_all_stamps_changes_no_duration, 0, G_N_ELEMENTS (shapes));
  tcase_add_loop_test (times, scaling_all_stamps_scales_all_durations, 0, G_N_ELEMENTS (shapes));
  tcase_add_loop_test (times, inferring_preemptions_changes_no_time, 0, 6);
  tcase_add_loop_test (parts, sections_are_pooled_like_traces, 0, 3);
  tcase_add_loop_test (parts, pooling_two_traces_adds_up, 0, G_N_ELEMENTS (shapes));
  tcase_add_loop_test (parts, windows_that_touch_share_no_sample_and_lose_none, 0, 7);
  suite_add_tcase (suite, times);
  suite_add_tcase (suite, parts);
  return unit_run (suite);
}
