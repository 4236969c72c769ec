/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tracestat/tracestat.h>

#include "unit.h"

/* What is wrong before anything of a trace is read, or with the first of it. */

/* ATF, where nobody says how long a tick is. */
#define TICKS \
  "<CommonFormat Version='1.0'><SystemConfiguration/>" \
  "<TraceData Start='0'><TraceEntry Time='5' EventID='1' ReferenceID='1'/></TraceData></CommonFormat>"

static void
expect_refusal (const char *path, const TsOptions *options, TsError code, const char *message)
{
  g_autoptr (GError)  error = NULL;
  g_autoptr (TsTrace) trace = ts_trace_read (path, options, NULL, NULL, NULL, NULL, &error);

  ck_assert_ptr_null (trace);
  ck_assert_msg (g_error_matches (error, TS_ERROR, (int) code), "%s", error->message);
  ck_assert_msg (strstr (error->message, message) != NULL, "%s", error->message);
}

static void
expect_refusal_of_text (const char *text, const TsOptions *options, TsError code, const char *message)
{
  g_autofree char *path = NULL;
  int              file = g_file_open_tmp ("check-read-XXXXXX.atf", &path, NULL);

  ck_assert_int_ge (file, 0);
  close (file);
  ck_assert (g_file_set_contents (path, text, -1, NULL));
  expect_refusal (path, options, code, message);
  g_unlink (path);
}

START_TEST (a_format_that_is_none_is_refused)
{
  g_autoptr (TsOptions) options = ts_options_new ();

  options->input_format = g_strdup ("nonsense");
  expect_refusal_of_text (TICKS, options, TS_ERROR_USAGE, "`nonsense' is not an input format");
}
END_TEST

START_TEST (a_window_in_seconds_needs_a_time_base)
{
  g_autoptr (TsOptions) options = ts_options_new ();

  options->has_from = _i == 0;
  options->has_to = _i == 1;
  ck_assert (ts_time_text_parse ("1 ms", &options->from, NULL));
  options->to = options->from;
  expect_refusal_of_text (TICKS, options, TS_ERROR_USAGE, "the trace does not say how long a tick is");
}
END_TEST

/* A pipe cannot be read again: so its head is looked at before all else, unless that is all. */
START_TEST (a_stream_of_no_format_is_refused)
{
  const guint           n_lines = _i == 0 ? 1 : 1000000;
  g_autoptr (TsOptions) options = ts_options_new ();
  g_autofree char      *path = NULL;
  int                   ends[2];
  pid_t                 writer;

  ck_assert_int_eq (pipe (ends), 0);
  writer = fork ();
  ck_assert_int_ge (writer, 0);
  if (writer == 0)
    {
      close (ends[0]);
      for (guint i = 0; i < n_lines && write (ends[1], "nonsense\n", 9) == 9; i++)
        ;
      _exit (0);
    }
  close (ends[1]);
  path = g_strdup_printf ("/dev/fd/%d", ends[0]);
  expect_refusal (path, options, TS_ERROR_FORMAT, "not a trace of a known format");
  close (ends[0]);
  waitpid (writer, NULL, 0);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("read");
  TCase *tests = tcase_create ("read");

  tcase_add_test (tests, a_format_that_is_none_is_refused);
  tcase_add_loop_test (tests, a_window_in_seconds_needs_a_time_base, 0, 2);
  tcase_add_loop_test (tests, a_stream_of_no_format_is_refused, 0, 2);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
