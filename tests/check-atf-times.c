/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "atf-fixture.h"
#include "atf-small.h"
#include "read-plain.h"
#include "unit.h"

/* Times of ATF: how they are written, and the units that they are counted in. */

/* 4.18: ((0)|([1-9]([0-9])*))([\.]([0-9]+))? */
START_TEST (stamps_are_exact_decimals)
{
  static const struct
  {
    const char *text;
    gint64      time, scale;
    guint64     n_loose, n_bad;
  } cases[] = {
    { "0", 0, 1, 0, 0 },
    { "42", 42, 1, 0, 0 },
    { "3.141592", 3141592, 1000000, 0, 0 },
    { "1.50", 15, 10, 0, 0 },
    { "7.000", 7, 1, 0, 0 },
    { "0.000000000000000001", 1, G_GINT64_CONSTANT (1000000000000000000), 0, 0 },
    { "01", 1, 1, 1, 0 },
    { "00", 0, 1, 1, 0 },
    { ".5", 5, 10, 1, 0 },
    { "5.", 5, 1, 1, 0 },
    { "+1", 1, 1, 1, 0 },
    { " 1 ", 1, 1, 1, 0 },
    { "&#49;&#x32;", 12, 1, 0, 0 },
    { "2305843009213693952", G_GINT64_CONSTANT (2305843009213693952), 1, 0, 0 }, /* 2^61 */
    { "-1", 0, 1, 0, 1 },
    { "1e3", 0, 1, 0, 1 },
    { "1.2.3", 0, 1, 0, 1 },
    { "1,5", 0, 1, 0, 1 },
    { "0x10", 0, 1, 0, 1 },
    { ".", 0, 1, 0, 1 },
    { "", 0, 1, 0, 1 },
    { "1 2", 0, 1, 0, 1 },
    { "&amp;", 0, 1, 0, 1 },
  };
  g_autofree char *text
      = g_strdup_printf (ROOT (SYSTEM (US) TRACE ("\n<TraceEntry Time='%s' EventID='1' ReferenceID='1'/>")),
                         cases[_i].text);
  g_autoptr (Reading) reading = read_good (text, 0);

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_LOOSE_NUMBER), cases[_i].n_loose);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_BAD_EVENT), cases[_i].n_bad);
  ck_assert_uint_eq (reading->events->len, 1 - cases[_i].n_bad);
  ck_assert_int_eq (reading->memory.scale, cases[_i].scale);
  ck_assert_int_eq (ts_system_time_base (reading->system)->scale, cases[_i].scale);
  ck_assert_uint_eq (reading->n_readings, 1);
  if (cases[_i].n_bad == 0)
    ck_assert_int_eq (g_array_index (reading->events, TsEvent, 0).time, cases[_i].time);
  else
    ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_BAD_EVENT].line, 4);
}
END_TEST

static char *
two_stamps (const char *first, const char *second)
{
  return g_strdup_printf (ROOT (SYSTEM (US) TRACE ("\n<TraceEntry Time='%s' EventID='1' ReferenceID='1'/>\n"
                                                   "<TraceEntry Time='%s' EventID='1' ReferenceID='1'/>")), first, second);
}

START_TEST (stamps_too_large_are_errors_with_their_line)
{
  static const struct
  {
    const char *first, *second, *message;
  } cases[] = {
    { "1", "2305843009213693953", "x.atf:5: Time 2305843009213693953 is beyond 2^61" },
    { "1", "99999999999999999999999999", "x.atf:5: Time 99999999999999999999999999 is beyond 2^61" },
    { "1.5", "2305843009213693953", "x.atf:5: Time 2305843009213693953 is beyond 2^61" },
    { "0.30000000000000004", "2305843009213693953", "x.atf:5: Time 2305843009213693953 is beyond 2^61" },
  };
  g_autofree char *text = two_stamps (cases[_i].first, cases[_i].second);

  expect_failure (text, 0, TS_ERROR_RANGE, cases[_i].message);
}
END_TEST

/* 2^61 is 2305843009213693952. Beside 1000 there can be 15 decimals, as 1e18 units, and 0.30000000000000004 is 0.3 then. Halves
 * become even. */
START_TEST (stamps_are_as_fine_as_all_of_them_can_be)
{
  static const struct
  {
    const char *first, *second;
    gint64      scale;
    const char *events;
    guint64     n_rounded;
  } cases[] = {
    { "1", "230584300921369395.2", 10, "10 start A; 2305843009213693952 start A", 0 },
    { "1", "230584300921369395.3", 1, "1 start A; 230584300921369395 start A", 1 },
    { "1", "230584300921369395.21", 10, "10 start A; 2305843009213693952 start A", 1 },
    { "230584300921369396", "1.5", 1, "230584300921369396 start A; 2 start A", 1 },
    { "2.5", "230584300921369396", 1, "2 start A; 230584300921369396 start A", 1 },
    { "1", "1.0000000000000000001", 1000000000000000000,
      "1000000000000000000 start A; 1000000000000000000 start A", 1 },
    { "0.30000000000000004", "1000", 1000000000000000, "300000000000000 start A; 1000000000000000000 start A", 1 },
    { "1000", "0.30000000000000004", 1000000000000000, "1000000000000000000 start A; 300000000000000 start A", 1 },
    { "0.00010598012345678901", "2.5", 100000000000000000, "10598012345679 start A; 250000000000000000 start A", 1 },
    { "0.00010598012345678901", "2.25", 1000000000000000000, "105980123456789 start A; 2250000000000000000 start A", 1 },
    { "0.3000000000000005", "1000.0000000000000005", 1000000000000000,
      "300000000000000 start A; 1000000000000000000 start A", 2 },
  };
  g_autofree char *text = two_stamps (cases[_i / 2].first, cases[_i / 2].second);
  g_autoptr (Reading) reading = read_good (text, _i % 2 == 0 ? 0 : READ_PLAIN);

  expect_events (reading, cases[_i / 2].events);
  ck_assert_int_eq (reading->memory.scale, cases[_i / 2].scale);
  ck_assert_int_eq (ts_system_time_base (reading->system)->scale, cases[_i / 2].scale);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_ROUNDED_TIME), cases[_i / 2].n_rounded);
  ck_assert_uint_le (reading->n_readings, 3);
}
END_TEST

/* The first entries usually tell all. Start and Stop are in the same units. */
START_TEST (decimals_in_sight_ask_for_no_more_readings)
{
  g_autoptr (Reading) reading = read_good (
      ROOT (SYSTEM (US) "<TraceData Start='0.5' Stop='2.25'>" EVENT ("1", "1", "1") EVENT ("1.5", "2", "1")
            EVENT ("2.125", "1", "2") EVENT ("2.375", "2", "2") "</TraceData>"), 0);

  ck_assert_uint_eq (reading->n_readings, 1);
  ck_assert_int_eq (reading->memory.scale, 1000);
  ck_assert_int_eq (ts_system_time_base (reading->system)->scale, 1000);
  ck_assert_int_eq (section_of (reading, 0)->start, 500);
  ck_assert_int_eq (section_of (reading, 0)->stop, 2250);
  expect_events (reading, "1000 start A; 1500 end A; 2125 start B; 2375 end B");
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_OUTSIDE_SECTION), 1);
}
END_TEST

/* However many of them have one and the same stamp. */
START_TEST (equal_stamps_do_not_tell_all)
{
  g_autoptr (GString) entries = g_string_new (NULL);
  g_autofree char    *text = NULL;
  g_autoptr (Reading) reading = NULL;

  for (guint i = 0; i < 300; i++)
    g_string_append (entries, EVENT ("0", "1", "1"));
  g_string_append (entries, EVENT ("1.5", "2", "1") EVENT ("2.125", "1", "2"));
  text = g_strdup_printf (ROOT (SYSTEM (US) TRACE ("%s")), entries->str);
  reading = read_good (text, 0);
  ck_assert_uint_eq (reading->n_readings, 1);
  ck_assert_int_eq (reading->memory.scale, 1000);
}
END_TEST

/* Where they do not, a file is read once more in the finest units; the survey goes to the end. */
START_TEST (decimals_ask_for_one_more_reading_of_a_file)
{
  g_autoptr (Reading) reading = read_good (
      ROOT (SYSTEM (US) TRACE (EVENT ("1", "1", "1") EVENT ("1.5", "2", "1")) TRACE (EVENT ("2.25", "1", "2"))
            TRACE (EVENT ("3.125", "2", "2"))), 0);

  ck_assert_uint_eq (reading->n_readings, 2);
  ck_assert_int_eq (reading->memory.scale, 1000);
  expect_events (reading, "1000 start A; 1500 end A; 2250 start B; 3125 end B");
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_ROUNDED_TIME), 0);
  ck_assert_str_eq (reading->order->str, "(..)(.)(.)");
}
END_TEST

/* Times of comments are rounded in the units that are known when they come: those in front of the entries, too, get
 * the final ones. */
START_TEST (comments_before_decimals_are_in_the_same_units)
{
  g_autoptr (Reading) reading = read_good (
      ROOT (SYSTEM (US) TRACE ("<TraceInformation><TimeStampComment At='0.5' Text='x'/></TraceInformation>"
                               EVENT ("1.5", "1", "1"))), 0);
  const TsTraceComment *comment = &g_array_index (section_of (reading, 0)->comments, TsTraceComment, 0);

  ck_assert_int_eq (reading->memory.scale, 10);
  ck_assert_int_eq (comment->from, 5);
  expect_events (reading, "15 start A");
}
END_TEST

START_TEST (decimals_of_a_stream_are_rounded_to_even_and_counted)
{
  g_autoptr (Reading) reading = read_good (
      ROOT (SYSTEM (US) TRACE (EVENT ("0.5", "1", "1") EVENT ("1.5", "2", "1") EVENT ("2.5", "1", "1")
                               EVENT ("3.51", "2", "1") EVENT ("4.49", "1", "1") EVENT ("5.0", "2", "1")
                               EVENT ("6.5000000000000000000001", "1", "1"))), READ_STREAM);

  ck_assert_uint_eq (reading->n_readings, 1);
  expect_events (reading, "0 start A; 2 end A; 2 start A; 4 end A; 4 start A; 5 end A; 7 start A");
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_ROUNDED_TIME), 6);
  ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_ROUNDED_TIME].line, 3);
}
END_TEST

/* What stands in front of a time, and behind it: it is the first number or the last one, with the same blanks in front of
 * entries or others each time, or beside an attribute that counts. */
static const struct
{
  const char *front, *behind;
} zero_layouts[] = {
  { "\n  <TraceEntry Time=\"", "\" EventID=\"1\" ReferenceID=\"1\"/>" },
  { "<TraceEntry Time=\"", "\" EventID=\"1\" ReferenceID=\"1\" />" },
  { "\n<TraceEntry EventID=\"1\" ReferenceID=\"1\" Time=\"", "\"/>" },
  { "\n<TraceEntry EventID=\"1\" ReferenceID=\"1\" Time=\"", "\">\n</TraceEntry>" },
  { "\n<TraceEntry EventID=\"1\" Time=\"", "\" ReferenceID=\"1\"/>" },
  { "%\n<TraceEntry Time=\"", "\" EventID=\"1\" ReferenceID=\"1\"/>" },
  { "%\n<TraceEntry EventID=\"1\" ReferenceID=\"1\" Time=\"", "\"/>" },
  { "\n<TraceEntry Seq=\"%\" Time=\"", "\" EventID=\"1\" ReferenceID=\"1\"/>" },
};

/* In place of % there is something else each time. */
static void
append_front (GString *text, const char *front, guint i)
{
  for (; *front != '\0'; front++)
    if (*front != '%')
      g_string_append_c (text, *front);
    else if (front[1] == '\n')
      g_string_append_printf (text, "%*s", (int) (i * 7 % 5), "");
    else
      g_string_append_printf (text, "%u", i * 37 % 1000);
}

/* Stamps have more decimals than units need, all of them zeros, but for one late stamp, or none of them. */
START_TEST (zeros_behind_what_units_need)
{
  for (guint worth = 0; worth < 4; worth++)
    for (guint zeros = 1; zeros < 10; zeros += 2)
      for (guint odd = 0; odd < 2; odd++)
        {
          g_autoptr (GString)    entries = g_string_new (NULL);
          g_autofree char       *text = NULL;
          g_autoptr (Reading)    reading = NULL;
          gint64                 scale = 1;

          for (guint i = 0; i < 150; i++)
            {
              append_front (entries, zero_layouts[_i].front, i);
              g_string_append_printf (entries, "%u.%.*s%0*d%s", 100 + i, (int) worth, "1357", (int) zeros,
                                      odd > 0 && i == 100 ? 3 : 0, zero_layouts[_i].behind);
            }
          text = g_strdup_printf (ROOT (SYSTEM (US) TRACE ("%s")), entries->str);
          expect_the_same (text, strlen (text), 0, 0);
          expect_the_same (text, strlen (text), 1000, 0);
          expect_the_same (text, strlen (text), 0, READ_STREAM);
          for (guint k = 0; k < worth + (odd > 0 ? zeros : 0); k++)
            scale *= 10;
          reading = read_good (text, 0);
          ck_assert_int_eq (ts_system_time_base (reading->system)->scale, scale);
          ck_assert_uint_eq (reading->events->len, 150);
          ck_assert_int_eq (g_array_index (reading->events, TsEvent, 149).time / scale, 249);
        }
}
END_TEST

/* Stamps have a fixed width, filled with zeros, but for one late stamp, which has one less, or none of them: each is told of.
 * More than 16 bytes are not looked at at once, 32 no longer as one text, and 19 digits are what a number may have. */
START_TEST (zeros_in_front_of_a_fixed_width)
{
  for (guint width = 8; width < 34; width++)
    for (guint n_decimals = 0; n_decimals < 10; n_decimals += 3)
      for (guint odd = 0; odd < 2; odd++)
        {
          /* so that it has one digit more soon: as many as are looked at, or much less */
          const gint64        first = width < 18 ? 9950 : G_GINT64_CONSTANT (999999999999950);
          g_autoptr (GString) entries = g_string_new (NULL);
          g_autofree char    *text = NULL;
          g_autoptr (Reading) reading = NULL;

          for (guint i = 0; i < 80; i++)
            {
              append_front (entries, zero_layouts[_i].front, i);
              g_string_append_printf (entries, "%0*" G_GINT64_FORMAT "%.*s%s", (int) (width - (odd > 0 && i == 60)), first + i,
                                      (int) (n_decimals > 0 ? n_decimals + 1 : 0), ".000000000", zero_layouts[_i].behind);
            }
          text = g_strdup_printf (ROOT (SYSTEM (US) TRACE ("%s")), entries->str);
          expect_the_same (text, strlen (text), 0, 0);
          expect_the_same (text, strlen (text), 1000, 0);
          reading = read_good (text, 0);
          ck_assert_uint_eq (reading->events->len, 80);
          ck_assert_int_eq (g_array_index (reading->events, TsEvent, 79).time, first + 79);
          ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_LOOSE_NUMBER), 80);
        }
}
END_TEST

/* The same of ids, of which nothing is told. */
START_TEST (zeros_in_front_of_ids)
{
  for (int width = 1; width < 30; width++)
    {
      g_autoptr (GString) entries = g_string_new (NULL);
      g_autofree char    *text = NULL;
      g_autoptr (Reading) reading = NULL;

      for (guint i = 0; i < 80; i++)
        g_string_append_printf (entries, "\n<TraceEntry Time=\"%u\" EventID=\"%0*d\" ReferenceID=\"%0*d\"/>", i,
                                _i > 0 ? width : 1, 1, _i != 1 ? width : 1, 1);
      text = g_strdup_printf (ROOT (SYSTEM (US) TRACE ("%s")), entries->str);
      expect_the_same (text, strlen (text), 0, 0);
      reading = read_good (text, 0);
      ck_assert_uint_eq (reading->events->len, 80);
      ck_assert_uint_eq (g_array_index (reading->events, TsEvent, 79).element, 0);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("ATF times");
  TCase *test_case = tcase_create ("times");

  tcase_add_loop_test (test_case, stamps_are_exact_decimals, 0, 23);
  tcase_add_loop_test (test_case, stamps_too_large_are_errors_with_their_line, 0, 4);
  tcase_add_loop_test (test_case, stamps_are_as_fine_as_all_of_them_can_be, 0, 22);
  tcase_add_test (test_case, decimals_in_sight_ask_for_no_more_readings);
  tcase_add_test (test_case, equal_stamps_do_not_tell_all);
  tcase_add_test (test_case, decimals_ask_for_one_more_reading_of_a_file);
  tcase_add_test (test_case, comments_before_decimals_are_in_the_same_units);
  tcase_add_test (test_case, decimals_of_a_stream_are_rounded_to_even_and_counted);
  tcase_add_loop_test (test_case, zeros_behind_what_units_need, 0, G_N_ELEMENTS (zero_layouts));
  tcase_add_loop_test (test_case, zeros_in_front_of_a_fixed_width, 0, G_N_ELEMENTS (zero_layouts));
  tcase_add_loop_test (test_case, zeros_in_front_of_ids, 0, 3);
  suite_add_tcase (suite, test_case);
  return unit_run (suite);
}
