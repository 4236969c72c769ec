/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "atf-fixture.h"
#include "atf-small.h"
#include "unit.h"

/* Many entries of which some are of no element, or all have more than is usual: what is in between is what it is, and the result
 * that of libxml2 alone. */

#define FIVE(name) name "0='' " name "1='' " name "2='' " name "3='' " name "4='' "
#define TEN(name) FIVE (name) FIVE (name "_")
#define FIFTY "                                                  "
#define NONE TS_N_DIAGNOSTICS

#define START EVENT ("%u", "1", "1")
#define END EVENT ("%u", "2", "1")

/* A starts, and ends, and sometimes there is something else in between. */
static const struct
{
  const char    *start, *end, *other;
  TsDiagnosticId id; /* counts the others */
  TsEventKind    kind; /* or it has this kind, and no element */
} cases[] = {
  { START, END, EVENT ("%u", "11", "99"), NONE, TS_EVENT_ERROR },
  { START, END, EVENT ("%u", "11", "123456789012"), NONE, TS_EVENT_ERROR },
  { START, END, EVENT ("%u", "1", "99"), TS_DIAGNOSTIC_UNKNOWN_REFERENCE, TS_EVENT_USER },
  { START, END, EVENT ("%u", "123456789", "1"), TS_DIAGNOSTIC_UNMAPPED_EVENT, TS_EVENT_USER },
  { START, END, EVENT ("%u", "1234567890123456789", "1"), TS_DIAGNOSTIC_UNMAPPED_EVENT, TS_EVENT_USER },
  { START, END, EVENT ("%u", "5", "99"), TS_DIAGNOSTIC_UNKNOWN_USER_EVENT, TS_EVENT_USER },
  /* 30 attributes that mean nothing */
  { "<TraceEntry " TEN ("a") TEN ("b") "Time='%u' " TEN ("c") "EventID='1' ReferenceID='1'/>\n",
    "<TraceEntry " TEN ("a") TEN ("b") "Time='%u' EventID='2' " TEN ("c") "ReferenceID='1'/>\n", EVENT ("%u", "5", "99"),
    TS_DIAGNOSTIC_UNKNOWN_USER_EVENT, TS_EVENT_USER },
  { "<TraceEntry Time='%u' " FIFTY FIFTY FIFTY FIFTY "EventID='1' ReferenceID='1'/>\n",
    "<TraceEntry Time='%u' EventID='2' ReferenceID='1' " FIFTY FIFTY FIFTY FIFTY "/>\n", EVENT ("%u", "5", "99"),
    TS_DIAGNOSTIC_UNKNOWN_USER_EVENT, TS_EVENT_USER },
  { EVENT ("%u.00000000000000000", "1", "1"), EVENT ("%u.0000000000000000", "2", "1"), EVENT ("%u.000000000000000000", "5", "99"),
    TS_DIAGNOSTIC_UNKNOWN_USER_EVENT, TS_EVENT_USER },
};

#define N_ROUNDS 600

/* @entry with @time where it says so. */
static void
append_entry (GString *text, const char *entry, guint time)
{
  const char *place = strstr (entry, "%u");

  g_string_append_len (text, entry, place - entry);
  g_string_append_printf (text, "%u%s", time, place + 2);
}

/* At 10, 20 ... and 3 later, and of each fourth round 4 later. */
static char *
make_text (int i)
{
  GString *text = g_string_new ("<CommonFormat Version='1.0'>\n" SYSTEM (US) "<TraceData Start='0'>\n");

  for (guint round = 1; round <= N_ROUNDS; round++)
    {
      append_entry (text, cases[i].start, 10 * round);
      append_entry (text, cases[i].end, 10 * round + 3);
      if (round % 4 == 0)
        append_entry (text, cases[i].other, 10 * round + 4);
    }
  g_string_append (text, "</TraceData>\n</CommonFormat>\n");
  return g_string_free (text, FALSE);
}

START_TEST (odd_entries_take_nothing_else)
{
  static const struct
  {
    gsize     chunk;
    ReadFlags flags;
  } ways[] = { { 0, READ_PLAIN }, { 0, 0 }, { 997, 0 } };
  g_autofree char *text = make_text (_i), *expected = NULL;

  for (guint way = 0; way < G_N_ELEMENTS (ways); way++)
    {
      g_autoptr (Reading) reading = reading_new (text, -1, ways[way].chunk, ways[way].flags);
      g_autofree char    *dump = reading_dump (reading);
      guint               n = 0, n_others = 0;

      ck_assert_msg (reading->error == NULL, "%s", reading->error != NULL ? reading->error->message : "");
      for (guint i = 0; i < reading->events->len; i++)
        {
          const TsEvent *event = &g_array_index (reading->events, TsEvent, i);

          if (event->element == TS_NO_ELEMENT)
            {
              n_others += event->kind == cases[_i].kind;
              continue;
            }
          ck_assert_int_eq (event->kind, n % 2 == 0 ? TS_EVENT_START : TS_EVENT_END);
          ck_assert_int_eq (event->time, 10 * (n / 2 + 1) + 3 * (n % 2));
          n++;
        }
      ck_assert_uint_eq (n, 2 * N_ROUNDS);
      if (cases[_i].id != NONE)
        ck_assert_uint_eq (count_of (reading, cases[_i].id), N_ROUNDS / 4);
      else
        ck_assert_uint_eq (n_others, N_ROUNDS / 4);
      if (way == 0)
        expected = g_steal_pointer (&dump);
      else
        ck_assert_str_eq (dump, expected);
    }
}
END_TEST

/* Of 30 attributes that mean nothing the 29th comes again in the last entry, or the 30th. */
START_TEST (no_attribute_of_many_comes_twice)
{
  static const char *const again[] = { "c_3", "c_4" };
  g_autoptr (GString) text = g_string_new ("<CommonFormat Version='1.0'>\n" SYSTEM (US) "<TraceData Start='0'>\n");

  for (guint i = 0; i < 40; i++)
    g_string_append_printf (text, "<TraceEntry Time='%u' EventID='1' ReferenceID='1' " TEN ("a") TEN ("b") TEN ("c") "%s/>\n", i,
                            i < 39 ? "" : again[_i % 2]);
  g_string_insert (text, (gssize) text->len - 3, "=''");
  g_string_append (text, "</TraceData>\n</CommonFormat>\n");
  expect_failure (text->str, _i < 2 ? 0 : READ_PLAIN, TS_ERROR_FORMAT,
                  _i % 2 == 0 ? "x.atf:43: attribute c_3 redefined" : "x.atf:43: attribute c_4 redefined");
}
END_TEST

/* A table of events that are no user events, and an Info that names nothing: neither names anything. */
START_TEST (what_names_no_user_event_is_told)
{
  g_autoptr (Reading) reading = read_good (
      ROOT ("<SystemConfiguration>" US "<Resource ID='33'><SystemElement Name='A' ID='1' Type='task'/></Resource>"
            "<EventIDMappings>\n"
            "<EventIDMapping EventID='1' EventType='start'><UserTable><Info ReferenceID='1'>x</Info></UserTable></EventIDMapping>\n"
            "<EventIDMapping EventID='5' EventType='user'><UserTable>\n<Info ReferenceID='-1'>y</Info>\n<Info>z</Info>"
            "<Info ReferenceID='7'>w</Info></UserTable></EventIDMapping></EventIDMappings></SystemConfiguration>\n"
            TRACE (EVENT ("1", "1", "1") EVENT ("2", "5", "1") EVENT ("3", "5", "7"))), 0);

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_CONTENT), 3);
  ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_UNKNOWN_CONTENT].line, 3);
  ck_assert_str_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_UNKNOWN_CONTENT].detail,
                    "a user table of events that are no user events");
  /* the event of 1 has no name, and that of 7 has one */
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_USER_EVENT), 1);
  expect_events (reading, "1 start A; 2 user -; 3 user -");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("atf-odd");
  TCase *tests = tcase_create ("odd");

  tcase_add_loop_test (tests, odd_entries_take_nothing_else, 0, G_N_ELEMENTS (cases));
  tcase_add_loop_test (tests, no_attribute_of_many_comes_twice, 0, 4);
  tcase_add_test (tests, what_names_no_user_event_is_told);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
