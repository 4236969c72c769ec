/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <tracestat/api.h>
#include <tracestat/system.h>

#include "unit.h"

/* What a program asks the system for that the reports do not. */

START_TEST (the_last_annotation_of_a_name_counts)
{
  g_autoptr (TsSystem) system = ts_system_new ();
  guint32              task = ts_system_add_element (system, TS_TYPE_TASK, "T", NULL, TS_NO_ELEMENT, 0);
  guint32              other = ts_system_add_element (system, TS_TYPE_TASK, "U", NULL, TS_NO_ELEMENT, 0);

  ts_system_annotate (system, task, "Period", "10", NULL);
  ts_system_annotate (system, task, "Priority", "3", "tool");
  ts_system_annotate (system, task, "PERIOD", "20", NULL);
  ck_assert_str_eq (ts_system_get_annotation (system, task, "period"), "20");
  ck_assert_str_eq (ts_system_get_annotation (system, task, "Priority"), "3");
  ck_assert_ptr_null (ts_system_get_annotation (system, task, "Peri"));
  ck_assert_ptr_null (ts_system_get_annotation (system, other, "Period"));
}
END_TEST

START_TEST (user_events_are_counted_anew_with_each_reading)
{
  g_autoptr (TsSystem) system = ts_system_new ();

  ts_system_user_event (system, "1", "a")->count = 3;
  ts_system_user_event (system, "1", "b")->count++;
  ts_system_begin_reading (system);
  ts_system_user_event (system, "1", "b")->count++;
  ck_assert_uint_eq (ts_system_n_user_events (system), 2);
  ck_assert_uint_eq (ts_system_get_user_event (system, 0)->count, 0);
  ck_assert_uint_eq (ts_system_get_user_event (system, 1)->count, 1);
}
END_TEST

START_TEST (the_version_is_that_of_the_package)
{
  ck_assert_str_eq (ts_version (), PACKAGE_VERSION);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("system");
  TCase *tests = tcase_create ("system");

  tcase_add_test (tests, the_last_annotation_of_a_name_counts);
  tcase_add_test (tests, user_events_are_counted_anew_with_each_reading);
  tcase_add_test (tests, the_version_is_that_of_the_package);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
