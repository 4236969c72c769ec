/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "etf-fixture.h"
#include "import/etf.h"
#include "unit.h"

/* TRACE: numbers of many digits, and the units that stamps and amounts are kept in. Stamps may be up to 2^61 units, which are
 * 2.305e18, and amounts up to 2^60, which are 1.152e18. */

START_TEST (numbers_are_kept_as_far_as_they_can_be)
{
  static const struct
  {
    const char *text;
    TsEtfNumber kind;
    gint64      mantissa;
    gint        decimals;
  } cases[] = {
    { "0.30000000000000004", TS_ETF_GOOD, 30000000000000004, 17 },
    { "0.0000", TS_ETF_GOOD, 0, 0 },
    { "-12.50", TS_ETF_GOOD, -125, 1 },
    { "2.5e3", TS_ETF_GOOD, 2500, 0 },
    { "2.5E-3", TS_ETF_GOOD, 25, 4 },
    { "9223372036854775807", TS_ETF_GOOD, G_MAXINT64, 0 }, /* 2^63 - 1 */
    { "9223372036854775808", TS_ETF_LARGE, 0, 0 },
    { "0.1234567890123456784", TS_ETF_LONG, 123456789012345678, 18 },
    { "0.1234567890123456785", TS_ETF_LONG, 123456789012345679, 18 },
    { "-0.1234567890123456785", TS_ETF_LONG, -123456789012345679, 18 },
    { "1e-18", TS_ETF_GOOD, 1, 18 },
    { "5e-19", TS_ETF_LONG, 1, 18 },
    { "4e-19", TS_ETF_LONG, 0, 0 },
    { "5e-30", TS_ETF_LONG, 0, 0 },
    { "123.45678901234567890123", TS_ETF_LONG, 1234567890123456789, 16 },
    { "123.45678901234567860000", TS_ETF_GOOD, 1234567890123456786, 16 },
    { "922337203685477580.85", TS_ETF_LONG, 922337203685477581, 0 },
    { "12345678901234567890123e-5", TS_ETF_LONG, 1234567890123456789, 1 },
    { "12345678901234567895123e-5", TS_ETF_LONG, 123456789012345679, 0 }, /* 1234567890123456790 * 10^-1 */
    { "12345678901234567890123", TS_ETF_LARGE, 0, 0 },
    { "1.00000000000000000000000000000", TS_ETF_GOOD, 1, 0 },
    { "0.0000000000000000000000000001", TS_ETF_LONG, 0, 0 },
    { "1e19", TS_ETF_LARGE, 0, 0 },
    { "1.2.3", TS_ETF_BAD, 0, 0 },
    { "1e", TS_ETF_BAD, 0, 0 },
    { "-", TS_ETF_BAD, 0, 0 },
  };
  TsEtfDecimal decimal = { 0, 0 };

  ck_assert_int_eq (ts_etf_decimal_parse ((TsEtfText){ cases[_i].text, strlen (cases[_i].text) }, &decimal),
                    cases[_i].kind);
  if (cases[_i].kind != TS_ETF_GOOD && cases[_i].kind != TS_ETF_LONG)
    return;
  ck_assert_int_eq (decimal.mantissa, cases[_i].mantissa);
  ck_assert_int_eq (decimal.decimals, cases[_i].decimals);
}
END_TEST

/* A file that is read @n_readings times, whatever the size of its parts, and by the scanner or without it. */
static EtfReading *
read_file (const char *text, guint n_readings)
{
  static const TsOptions plain = { .no_scanner = TRUE };
  EtfReading      *reading = etf_reading_of_file (text, -1, 0, NULL);
  g_autofree char *expected = etf_reading_dump (reading);

  for (gsize chunk = 0; chunk < 40; chunk += 13)
    {
      g_autoptr (EtfReading) other = etf_reading_of_file (text, -1, chunk, chunk % 2 == 0 ? &plain : NULL);
      g_autofree char       *dump = etf_reading_dump (other);

      ck_assert_str_eq (dump, expected);
    }
  ck_assert_msg (reading->error == NULL, "%s", reading->error != NULL ? reading->error->message : "");
  ck_assert_uint_eq (reading->n_readings, n_readings);
  return reading;
}

static void
expect_first (const EtfReading *reading, TsDiagnosticId id, guint64 count, guint64 line, const char *detail)
{
  ck_assert_uint_eq (count_of (reading, id), count);
  ck_assert_uint_eq (reading->diagnostics->entries[id].line, line);
  ck_assert_str_eq (reading->diagnostics->entries[id].detail, detail);
}

/* With 100.5 there can be 16 decimals: 101 * 10^16 is 1.01e18. 0.30000000000000004 is 0.3 then, as it was meant, and
 * 0.30000000000000005 is one unit more. */
START_TEST (stamps_are_rounded_to_what_can_be_kept)
{
  g_autoptr (EtfReading) reading = read_file (HEAD "C 0 0 0.30000000000000004 0 1;name=A\n"
                                                   "C 1 0.30000000000000005 1 0 1;name=A\n"
                                                   "C 2 100.00000000000001 100.5 0 1;name=A\n", 2);
  g_autofree char *instances = etf_reading_instances (reading);

  ck_assert_str_eq (instances,
                    "A#1 - 0 3000000000000000 3000000000000000 0/0; "
                    "A#2 - 3000000000000001 10000000000000000 6999999999999999 0/0; "
                    "A#3 - 1000000000000000100 1005000000000000000 4999999999999900 0/0");
  ck_assert_int_eq (ts_system_time_base (reading->system)->scale, 10000000000000000);
  expect_first (reading, TS_DIAGNOSTIC_ROUNDED_TIME, 2, 4, "0.30000000000000004");
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_ROUNDED_AMOUNT), 0);
}
END_TEST

/* What shows it may be the last line, with an end or without. */
START_TEST (the_last_line_may_ask_for_it)
{
  g_autofree char *text = g_strconcat (HEAD "C 0 0 0.30000000000000004 0 1;name=A\nC 1 100 100.5 0 1;name=A",
                                       _i == 0 ? "\n" : NULL, NULL);
  g_autoptr (EtfReading) reading = read_file (text, 2);
  g_autofree char *instances = etf_reading_instances (reading);

  ck_assert_str_eq (instances, "A#1 - 0 3000000000000000 3000000000000000 0/0; "
                               "A#2 - 1000000000000000000 1005000000000000000 5000000000000000 0/0");
  expect_first (reading, TS_DIAGNOSTIC_ROUNDED_TIME, 1, 4, "0.30000000000000004");
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NO_LINE_END), _i);
}
END_TEST

/* One by itself can be kept with all its decimals, and needs no other reading. */
START_TEST (what_can_be_kept_is_exact)
{
  g_autoptr (EtfReading) reading = read_file (HEAD "C 0 0 0.30000000000000004 0 1;name=A\n", 1);
  g_autofree char *instances = etf_reading_instances (reading);

  ck_assert_str_eq (instances, "A#1 - 0 30000000000000004 30000000000000004 0/0");
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_ROUNDED_TIME), 0);
}
END_TEST

/* What asks for it may be the length of one number alone (19 decimals and 1 whole digit: 18 are kept), or come first: -2.5 and
 * 0.5 in units of 1 beside 2000000000000000000 are -3 and 1. */
START_TEST (whatever_has_no_place_among_the_others_asks_for_it)
{
  static const struct
  {
    const char *text, *instances;
    guint64     n_rounded;
  } cases[] = {
    { "C 0 0 0.1234567890123456789 0 1;name=A\n", "A#1 - 0 123456789012345679 123456789012345679 0/0", 1 },
    { "C 0 -2.5 0.5 0 1;name=A\nC 1 1 2000000000000000000 0 1;name=A\n",
      "A#1 - -3 1 4 0/0; A#2 - 1 2000000000000000000 1999999999999999999 0/0", 2 },
    { "C 0 1 2000000000000000000 0 1;name=A\nC 1 -2.5 0.5 0 1;name=A\n",
      "A#1 - -3 1 4 0/0; A#2 - 1 2000000000000000000 1999999999999999999 0/0", 2 },
    { "C 0 1 2 0 1;name=A\nE 1 1999999999999999999.5;name=B\n", "A#1 - 1 2 1 0/0", 1 },
  };
  g_autofree char *text = g_strconcat (HEAD, cases[_i].text, NULL);
  g_autoptr (EtfReading) reading = read_file (text, 2);
  g_autofree char *instances = etf_reading_instances (reading);

  ck_assert_msg (g_str_has_prefix (instances, cases[_i].instances), "%s", instances);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_ROUNDED_TIME), cases[_i].n_rounded);
}
END_TEST

/* The largest of many stamps, or amounts, somewhere behind the one that asks for it, in any line that may have it. With 4321
 * there can be 14 decimals of stamps, since 4322 * 10^14 is 4.3e17, and ten times that is above 2^61; otherwise 17. */
START_TEST (any_line_may_have_the_largest)
{
  static const struct
  {
    const char *line;
    gint        decimals;
  } cases[] = {
    { "C 999 4321 4321 0 1;name=A", 14 },
    { "C 999 1 4321.25 0 1;name=A", 14 },
    { "C  999\t4321.000   4321.5  0 1 ; name=A\r", 14 },
    { "C 999 1 2 1 4321 0.25;name=A", 17 },
    { "C 999 1 2 1 0 4321;name=A", 17 },
    { "C 999 1 2 0 4321.5;name=A", 17 },
    { "E 999 4321;name=A", 14 },
    { "E 999 4321.5;", 14 },
    { "E 999 4321.123456789012345678;name=A", 14 },
    { "C 999 +1 4321e0 0 1;name=A", 14 },
    { "C 4321 1 2 0 1;name=4321,id=4321", 17 },
    { "# 4321", 17 },
    { "C 999 1 4320.99999999999999999 0 1;name=A", 14 },
    { "C 999 1 4321 0 1", 14 },
    { "C 999 .5 4321 0 1;name=A", 14 },
    { "D 999 0 4321 4321;", 17 },
    { "C 999 1 43210000000000000 0 1;name=A", 1 }, /* of 2.305e18 */
  };

  for (guint place = 1; place < 60; place += 19)
    {
      g_autoptr (GString)    text = g_string_new (HEAD "C 1000 0 0.1234567890123456789 1 0.1234567890123456789 0;name=A\n");
      g_autoptr (EtfReading) reading = NULL;

      for (guint i = 0; i < 60; i++)
        {
          g_string_append_printf (text, "C %u 1.5 2.%u 1 0.5 0.25;name=A,id=%u\n", i, i % 9, i);
          if (i == place)
            g_string_append_printf (text, "%s\n", cases[_i].line);
        }
      reading = read_file (text->str, 2);
      ck_assert_int_eq (ts_system_time_base (reading->system)->scale, ts_etf_power_of_ten (cases[_i].decimals));
    }
}
END_TEST

/* One claim has nearly all there can be, so there is no room for a decimal beside it, and half of one is rounded to 0: the others
 * have 1 each, and all 200 together 4 * 10^17, each for one of 200 s. */
START_TEST (amounts_beyond_the_capacity_need_room_as_well)
{
  g_autoptr (GString)    text = g_string_new (HEAD);
  g_autoptr (EtfReading) reading = NULL;

  for (guint i = 0; i < 199; i++)
    g_string_append_printf (text, "C %u %u %u 0 %s;name=A\n", i, i, i + 1, i == 150 ? "399999999999999802" : "1");
  g_string_append (text, "C 199 199 200 0 0.5;name=A\n");
  reading = read_file (text->str, 2);
  expect_first (reading, TS_DIAGNOSTIC_ROUNDED_AMOUNT, 1, 203, "0.5");
  expect_table (reading, "usage", "cpu,0,1,,200,200,1,1,2000000000000000,399999999999999802,2000000000000000,399999999999999802,200;"
                                  "mem,1,8,MB,0,0,0,0,0,0,0,0,200");
}
END_TEST

/* 1000001 and 12 decimals are 1.000001e18 units. The claim has 0.123456789012 of mem from 0.000000000001 on, after it was
 * rounded; stamps are as they are. */
START_TEST (amounts_are_rounded_to_what_can_be_kept)
{
  g_autoptr (EtfReading) reading = read_file (HEAD "R 2 1000000 true;name=disk\n"
                                                   "C 0 0 0.25 2 0.0000000000005 0.1234567890123;name=A\n", 2);

  expect_first (reading, TS_DIAGNOSTIC_ROUNDED_AMOUNT, 2, 5, "0.0000000000005");
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_ROUNDED_TIME), 0);
  ck_assert_int_eq (ts_system_time_base (reading->system)->scale, 100);
  expect_table (reading, "usage",
                "cpu,0,1,,0,0,0,0,0,0,0,0,25;mem,1,8,MB,0,0,0,0,0,0,0,0,25;"
                "disk,2,1000000,,1,25,1,1,0.123456789012,0.123456789012,0.000000123456789012,0.000000123456789012,25");
}
END_TEST

/* The same, where a capacity comes behind the amount that asks for it. In units of 10^-18, which that has, it would have no
 * place at all. */
START_TEST (a_capacity_may_be_the_largest)
{
  g_autoptr (EtfReading) reading = read_file (HEAD "C 0 0 0.25 1 0 0.1234567890123456789;name=A\n"
                                                   "R 2 1000000 true;name=disk\n"
                                                   "C 1 0 0.25 2 0.0000000000005 0.1234567890123;name=A\n", 2);

  expect_first (reading, TS_DIAGNOSTIC_ROUNDED_AMOUNT, 3, 4, "0.1234567890123456789");
  expect_table (reading, "usage",
                "cpu,0,1,,0,0,0,0,0,0,0,0,25;mem,1,8,MB,1,25,1,1,0.123456789012,0.123456789012,0.0154320986265,0.0154320986265,25;"
                "disk,2,1000000,,1,25,1,1,0.123456789012,0.123456789012,0.000000123456789012,0.000000123456789012,25");
}
END_TEST

/* That is an error as before, and so is what is no number, or wrong otherwise, in whatever reading it shows. */
START_TEST (what_is_too_large_is_no_matter_of_decimals)
{
  static const struct
  {
    const char *text, *message;
  } cases[] = {
    { "C 0 0 9223372036854775807 0 1;name=A\n",
      "x.etf:4: time `9223372036854775807' is too large, or has too many decimals, to be kept exactly with the others" },
    { "C 0 0 1e19 0 1;name=A\n", "x.etf:4: time `1e19' has more digits than can be kept exactly" },
    { "C 0 0 0.1234567890123456789 0 1;name=A\nC 1 0 9223372036854775807 0 1;name=A\n",
      "x.etf:5: time `9223372036854775807' is too large, or has too many decimals, to be kept exactly with the others" },
    /* 2^61 is 2.3e18 */
    { "C 0 0 0.1234567890123456789 0 1;name=A\nC 1 0 3000000000000000000.5 0 1;name=A\n",
      "x.etf:5: time `3000000000000000000.5' is too large, or has too many decimals, to be kept exactly with the others" },
    { "C 0 0 0.1234567890123456789 0 1;name=A\nE 0 1 1;name=A\n", "x.etf:5: too many fields; expected: an id and a time" },
    { "C 0 0 0.1234567890123456789 0 1;name=A\nC 0 0 1 0 1;name=A\n", "x.etf:5: a second claim has the id 0" },
    { "C 0 0 0.1234567890123456789 0 1;name=A\nTU SECONDS\n", "x.etf:5: a second time unit; the first one is in line 1" },
    { "C 0 0.1234567890123456789 0.1234567890123456 0 1;name=A\n",
      "x.etf:4: the claim ends at 0.1234567890123456, before it starts at 0.1234567890123456789" },
  };
  g_autofree char *text = g_strconcat (HEAD, cases[_i].text, NULL);
  g_autoptr (EtfReading) reading = etf_reading_of_file (text, -1, 0, NULL);

  ck_assert_ptr_nonnull (reading->error);
  ck_assert_str_eq (reading->error->message, cases[_i].message);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("etf-units");
  TCase *tests = tcase_create ("etf-units");

  tcase_add_loop_test (tests, numbers_are_kept_as_far_as_they_can_be, 0, 26);
  tcase_add_test (tests, stamps_are_rounded_to_what_can_be_kept);
  tcase_add_loop_test (tests, the_last_line_may_ask_for_it, 0, 2);
  tcase_add_test (tests, what_can_be_kept_is_exact);
  tcase_add_loop_test (tests, whatever_has_no_place_among_the_others_asks_for_it, 0, 4);
  tcase_add_loop_test (tests, any_line_may_have_the_largest, 0, 17);
  tcase_add_test (tests, amounts_beyond_the_capacity_need_room_as_well);
  tcase_add_test (tests, amounts_are_rounded_to_what_can_be_kept);
  tcase_add_test (tests, a_capacity_may_be_the_largest);
  tcase_add_loop_test (tests, what_is_too_large_is_no_matter_of_decimals, 0, 8);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
