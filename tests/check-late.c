/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <tracestat/error.h>

#include "import/late.h"
#include "unit.h"

#define THREE(F) F (strlen) F (strcmp) F (memchr)

TS_LATE_LIBRARY (text, THREE, "libc.so.6");

#define NONE(F) F (strlen)

TS_LATE_LIBRARY (none, NONE, "libthere-is-none.so.1");

static const char *const unknown[] = { "strlen", "there_is_no_such_function" };

START_TEST (functions_can_be_called)
{
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < 2; i++)
    {
      ck_assert (ts_late_load (&text_late, &error));
      ck_assert_ptr_null (error);
      ck_assert_uint_eq (text.strlen ("seven..."), 8);
      ck_assert_int_gt (text.strcmp ("b", "a"), 0);
      ck_assert_ptr_null (text.memchr ("b", 'a', 1));
    }
}
END_TEST

START_TEST (what_is_linked_is_not_loaded)
{
  g_autoptr (GError) error = NULL;
  TsLateLibrary library = none_late;

  library.state = TS_LATE_LOADED;
  ck_assert (ts_late_load (&library, &error));
}
END_TEST

START_TEST (a_library_that_is_not_there_is_named)
{
  TsLateLibrary library = none_late;

  library.state = TS_LATE_NOT_YET;
  for (int i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;

      ck_assert (!ts_late_load (&library, &error));
      ck_assert (g_error_matches (error, TS_ERROR, TS_ERROR_INPUT));
      ck_assert (g_str_has_prefix (error->message, "libthere-is-none.so.1 is needed for this, and cannot be loaded: "));
    }
  g_free (library.reason);
}
END_TEST

START_TEST (a_library_without_a_function_is_refused)
{
  g_autoptr (GError) error = NULL;
  gpointer      addresses[G_N_ELEMENTS (unknown)];
  TsLateLibrary library = { "libc.so.6", unknown, G_N_ELEMENTS (unknown), addresses, NULL, TS_LATE_NOT_YET };

  ck_assert (!ts_late_load (&library, &error));
  ck_assert (g_error_matches (error, TS_ERROR, TS_ERROR_INPUT));
  g_free (library.reason);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("late");
  TCase *loading = tcase_create ("loading");

  tcase_add_test (loading, functions_can_be_called);
  tcase_add_test (loading, what_is_linked_is_not_loaded);
  tcase_add_test (loading, a_library_that_is_not_there_is_named);
  tcase_add_test (loading, a_library_without_a_function_is_refused);
  suite_add_tcase (suite, loading);
  return unit_run (suite);
}
