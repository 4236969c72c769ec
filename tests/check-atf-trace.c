/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "atf-fixture.h"
#include "atf-small.h"
#include "unit.h"

/* What the ATF importer makes of TraceData: sections, events, overheads, and when it asks
 * for a second reading. */

/* clang-format off */
#define OVERHEAD(attributes, numerator, denominator) \
  "<TracingOverhead " attributes "><Value Numerator='" numerator "' Denominator='" denominator "'/></TracingOverhead>"
/* clang-format on */

static const TsOverhead *
overhead_of (const Reading *reading, guint section, guint index)
{
  const GArray *overheads = section_of (reading, section)->overheads;

  ck_assert_ptr_nonnull (overheads);
  ck_assert_uint_lt (index, overheads->len);
  return &g_array_index (overheads, TsOverhead, index);
}

START_TEST (events_that_cannot_be_used_are_counted)
{
  static const struct
  {
    const char    *entry;
    TsDiagnosticId id;
    const char    *detail;
  } cases[] = {
    { "<TraceEntry EventID='1' ReferenceID='1'/>", TS_DIAGNOSTIC_BAD_EVENT, "no Time" },
    { "<TraceEntry Time='1' ReferenceID='1'/>", TS_DIAGNOSTIC_BAD_EVENT, "no EventID" },
    { "<TraceEntry Time='1' EventID='1'/>", TS_DIAGNOSTIC_BAD_EVENT, "no ReferenceID" },
    { "<TraceEntry Time='x' EventID='1' ReferenceID='1'/>", TS_DIAGNOSTIC_BAD_EVENT, "Time `x'" },
    { "<TraceEntry Time='1' EventID='-1' ReferenceID='1'/>", TS_DIAGNOSTIC_BAD_EVENT, "EventID `-1'" },
    { "<TraceEntry Time='1' EventID='1' ReferenceID='18446744073709551616'/>", TS_DIAGNOSTIC_BAD_EVENT,
      "ReferenceID `18446744073709551616'" },
    { "<TraceEntry Time='1' EventID='7' ReferenceID='1'/>", TS_DIAGNOSTIC_UNMAPPED_EVENT, "EventID 7" },
    { "<TraceEntry Time='1' EventID='1' ReferenceID='7'/>", TS_DIAGNOSTIC_UNKNOWN_REFERENCE, "ReferenceID 7" },
    { "<TraceEntry Time='1' EventID='1' ReferenceID='99999'/>", TS_DIAGNOSTIC_UNKNOWN_REFERENCE, "ReferenceID 99999" },
  };
  g_autofree char *text = g_strdup_printf (ROOT (SYSTEM (US) TRACE ("\n\n%s" EVENT ("2", "1", "1"))), cases[_i].entry);
  g_autoptr (Reading) reading = read_good (text, 0);
  const TsDiagnostic *entry = &reading->diagnostics->entries[cases[_i].id];

  /* one that has a time still tells how long the trace goes on */
  expect_events (reading, cases[_i].id == TS_DIAGNOSTIC_BAD_EVENT ? "2 start A" : "1 user -; 2 start A");
  ck_assert_uint_eq (entry->count, 1);
  ck_assert_uint_eq (entry->line, 5);
  ck_assert_str_eq (entry->detail, cases[_i].detail);
}
END_TEST

START_TEST (an_error_event_needs_no_element)
{
  g_autoptr (Reading) reading
      = read_good (ROOT (SYSTEM (US) TRACE (EVENT ("1", "11", "2") EVENT ("2", "11", "77"))), 0);

  expect_events (reading, "1 error B; 2 error -");
  ck_assert_uint_eq (g_array_index (reading->events, TsEvent, 0).resource, 0);
  ck_assert_uint_eq (g_array_index (reading->events, TsEvent, 1).resource, TS_NO_RESOURCE);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_REFERENCE), 0);
}
END_TEST

START_TEST (the_line_of_an_event_is_where_its_tag_begins)
{
  g_autoptr (Reading) reading = read_good (
      ROOT (SYSTEM (US) TRACE ("\r\n<TraceEntry Time='1' EventID='1' ReferenceID='1'/><TraceEntry\n Time='2'\n\n"
                               "EventID='2' ReferenceID='1'\n/>\n<!--\n\n-->" EVENT ("3", "1", "1"))), 0);
  static const guint64 lines[] = { 4, 4, 11 };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    ck_assert_uint_eq (g_array_index (reading->events, TsEvent, i).line, lines[i]);
}
END_TEST

START_TEST (lines_beyond_16_bits_are_right)
{
  GString *text = g_string_new ("<CommonFormat>\n" SYSTEM (US) "<TraceData Start='0'>\n");

  for (guint i = 4; i <= 200000; i++)
    g_string_append (text, EVENT ("1", "1", "1"));
  g_string_append (text, "</TraceData></CommonFormat>");
  {
    g_autoptr (Reading) reading = read_good (text->str, 0);

    ck_assert_uint_eq (reading->events->len, 199997);
    ck_assert_uint_eq (g_array_index (reading->events, TsEvent, 65532).line, 65536);
    ck_assert_uint_eq (g_array_index (reading->events, TsEvent, 199996).line, 200000);
  }
  g_string_truncate (text, text->len - strlen ("</TraceData></CommonFormat>"));
  g_string_append (text, "</Trace></CommonFormat>");
  expect_failure (text->str, 0, TS_ERROR_FORMAT,
                  "x.atf:200001: opening and ending tag mismatch: TraceData line 3 and Trace");
  g_string_free (text, TRUE);
}
END_TEST

/* 4.21: Start is required and Stop optional; where it stands it need not be the last event. */
START_TEST (sections_keep_their_window_and_texts)
{
  g_autoptr (Reading) reading = read_good (
      ROOT (SYSTEM (US) "<TraceData Start='10' Stop='20.5'>" EVENT ("9", "1", "1") EVENT ("10", "2", "1")
            EVENT ("20.5", "1", "1") EVENT ("20.6", "2", "1")
            "<ToolInfo Vendor='Gliwa GmbH' Tool='T1' Version='1'/><Comment> trace1 </Comment></TraceData>"
            "<TraceData>" EVENT ("1", "1", "1") "</TraceData><TraceData Start='x' Stop='y'/>"), 0);
  g_autoptr (Reading) bad = read_good (ROOT (SYSTEM (US) "<TraceData Start='x'/>"), 0);
  const TsSection *section = section_of (reading, 0);

  ck_assert_str_eq (bad->diagnostics->entries[TS_DIAGNOSTIC_NO_START].detail, "Start is no time");
  ck_assert_uint_eq (reading->sections->len, 3);
  ck_assert_str_eq (reading->order->str, "(....)(.)()");
  ck_assert_uint_eq (section->number, 1);
  ck_assert (section->has_start && section->has_stop);
  ck_assert_int_eq (section->start, 100);
  ck_assert_int_eq (section->stop, 205);
  ck_assert_str_eq (section->comment, "trace1");
  ck_assert_str_eq (section->tool.vendor, "Gliwa GmbH");
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_OUTSIDE_SECTION), 2);
  ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_OUTSIDE_SECTION].line, 3);
  section = section_of (reading, 1);
  ck_assert (!section->has_start && !section->has_stop);
  ck_assert_ptr_null (section->tool.tool); /* required by 4.21.3, missing in 4.2.4 */
  ck_assert_ptr_null (section->comment);
  section = section_of (reading, 2);
  ck_assert (!section->has_start && !section->has_stop);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NO_START), 2);
  ck_assert_str_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_NO_START].detail, "no Start");
  /* the Stop that is no time, and not the one that is not there */
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_BAD_STOP), 1);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_CONTENT), 0);
}
END_TEST

START_TEST (a_stop_before_the_start_is_ignored)
{
  g_autoptr (Reading) reading = read_good (
      ROOT (SYSTEM (US) "<TraceData Start='50.5' Stop='50.4'>" EVENT ("60", "1", "1") EVENT ("70", "2", "1") "</TraceData>"
            "<TraceData Start='50.5' Stop='50.5'/><TraceData Stop='-1'/>"), 0);

  ck_assert (section_of (reading, 0)->has_start && !section_of (reading, 0)->has_stop);
  ck_assert (section_of (reading, 1)->has_start && section_of (reading, 1)->has_stop);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_BAD_STOP), 2);
  ck_assert_str_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_BAD_STOP].detail, "Stop is before Start");
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_OUTSIDE_SECTION), 0);
}
END_TEST

START_TEST (comments_on_the_trace_are_kept)
{
  g_autoptr (Reading) reading = read_good (
      ROOT (SYSTEM (US) TRACE (
          EVENT ("1.5", "1", "1")
          "<TraceInformation><TimeStampComment At='50' Text='look at that'/><Comment> all of it </Comment>"
          "<TimeRangeComment From='7' To='42.25' Text='a &lt; b'/><TimeStampComment At='x' Text='when?'/>"
          "<TimeRangeComment From='1'/></TraceInformation>")), 0);
  static const TsTraceComment expected[] = {
    { 500, 500, TRUE, "look at that" }, { 0, 0, FALSE, "all of it" }, { 70, 422, TRUE, "a < b" },
    { 0, 0, FALSE, "when?" },           { 0, 0, FALSE, "" },
  };
  const GArray *comments = section_of (reading, 0)->comments;

  ck_assert_int_eq (reading->memory.scale, 10);
  ck_assert_uint_eq (comments->len, G_N_ELEMENTS (expected));
  for (guint i = 0; i < comments->len; i++)
    {
      const TsTraceComment *comment = &g_array_index (comments, TsTraceComment, i);

      ck_assert_int_eq (comment->from, expected[i].from);
      ck_assert_int_eq (comment->to, expected[i].to);
      ck_assert_int_eq (comment->has_time, expected[i].has_time);
      ck_assert_str_eq (comment->text, expected[i].text);
    }
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_BAD_COMMENT), 2);
}
END_TEST

/* 4.2.3 and chapter 3 give no order. */
START_TEST (the_system_may_follow_the_trace)
{
  static const char text[] = ROOT (
      TRACE (EVENT ("1", "1", "1") EVENT ("2.5", "5", "4")) "<Cookie Tool='c'/>" SYSTEM (US) TRACE (EVENT ("3", "2", "2")));
  g_autoptr (Reading) reading = read_good (text, 0);

  ck_assert_uint_eq (reading->n_readings, 2);
  expect_events (reading, "10 start A; 25 user -; 30 end B");
  ck_assert_uint_eq (ts_system_n_elements (reading->system), 2);
  ck_assert_uint_eq (ts_system_n_resources (reading->system), 1);
  ck_assert_uint_eq (ts_system_n_cookies (reading->system), 1);
  ck_assert_uint_eq (ts_system_n_user_events (reading->system), 1);
  ck_assert_uint_eq (ts_system_get_user_event (reading->system, 0)->count, 1);
  ck_assert_int_eq (ts_system_time_base (reading->system)->scale, 10);
  ck_assert (ts_system_time_base (reading->system)->known);
  ck_assert (!ts_system_has_explicit_preemption (reading->system));
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NO_TIME_BASE), 0);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNMAPPED_EVENT), 0);

  expect_failure (text, READ_STREAM, TS_ERROR_FORMAT,
                  "x.atf:2: an event comes before the end of the SystemConfiguration, and a stream cannot be read twice");
  expect_failure (ROOT (TRACE (EVENT ("1", "1", "1"))), 0, TS_ERROR_FORMAT,
                  "x.atf: the file has events and no SystemConfiguration");
}
END_TEST

START_TEST (a_system_without_a_trace_is_fine)
{
  g_autoptr (Reading) reading = read_good (ROOT (SYSTEM (US)), 0);
  g_autoptr (Reading) nothing = read_good ("<CommonFormat/>", 0);
  g_autoptr (Reading) empty = read_good (ROOT (TRACE ("") SYSTEM (US)), READ_STREAM);

  ck_assert_uint_eq (reading->sections->len, 0);
  ck_assert_uint_eq (ts_system_n_elements (reading->system), 2);
  ck_assert_uint_eq (ts_system_n_elements (nothing->system), 0);
  ck_assert_uint_eq (empty->sections->len, 1);
}
END_TEST

/* 4.25: one time; two; each with min and max. Attribute names and units in every spelling. */
START_TEST (overheads_are_kept_as_stated)
{
  g_autoptr (Reading) reading = read_good (
      ROOT (SYSTEM (US) TRACE (
          OVERHEAD ("OverheadType='total overhead' Range='max' Unit='ms'", "1", "1000")
          OVERHEAD ("Overhead='before_taking time' TracingOverheadRange='MIN' Unit='ns'", "7", "3")
          "<TracingOverhead OverheadType='after taking time' Unit='s' ReferenceID='2'>"
          "<Fraction Numerator='0' Denominator='1'/></TracingOverhead>" OVERHEAD ("Unit='us'", "4", "1"))), 0);
  static const TsOverheadNote expected[] = {
    { "total overhead", "max", TS_NO_ELEMENT, 1, 1000, -3 },
    { "before taking time", "min", TS_NO_ELEMENT, 7, 3, -9 },
    { "after taking time", NULL, 1, 0, 1, 0 },
    { "total overhead", NULL, TS_NO_ELEMENT, 4, 1, -6 },
  };
  const GArray *notes = section_of (reading, 0)->overhead_notes;

  ck_assert_uint_eq (notes->len, G_N_ELEMENTS (expected));
  for (guint i = 0; i < notes->len; i++)
    {
      const TsOverheadNote *note = &g_array_index (notes, TsOverheadNote, i);

      ck_assert_str_eq (note->type, expected[i].type);
      ck_assert_pstr_eq (note->range, expected[i].range);
      ck_assert_uint_eq (note->element, expected[i].element);
      ck_assert_uint_eq (note->numerator, expected[i].numerator);
      ck_assert_uint_eq (note->denominator, expected[i].denominator);
      ck_assert_int_eq (note->exponent, expected[i].exponent);
    }
  ck_assert_ptr_null (section_of (reading, 0)->overheads); /* not asked for */
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_BAD_OVERHEAD), 0);
}
END_TEST

START_TEST (overheads_that_cannot_be_read_are_not_used)
{
  static const char *const overheads[] = {
    OVERHEAD ("Overhead='whole' Unit='us'", "1", "1"),
    OVERHEAD ("Range='av' Unit='us'", "1", "1"),
    OVERHEAD ("Unit='h'", "1", "1"),
    OVERHEAD ("", "1", "1"),
    OVERHEAD ("Unit='us'", "1", "0"),
    OVERHEAD ("Unit='us'", "x", "1"),
    OVERHEAD ("Unit='us' ReferenceID='77'", "1", "1"),
    OVERHEAD ("Unit='us' ReferenceID='x'", "1", "1"),
    "<TracingOverhead Unit='us'/>",
    ("<TracingOverhead Unit='us'><Value Numerator='1' Denominator='1'/><Value Numerator='2' Denominator='1'/>"
     "</TracingOverhead>"),
  };
  g_autofree char *text = g_strdup_printf (ROOT (SYSTEM (US) TRACE ("%s" EVENT ("1", "1", "1"))), overheads[_i]);
  g_autoptr (Reading) reading = read_good (text, READ_SUBTRACT);

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_BAD_OVERHEAD), 1);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NO_OVERHEAD), 1);
  ck_assert_ptr_null (section_of (reading, 0)->overhead_notes);
  ck_assert_ptr_null (section_of (reading, 0)->overheads);
}
END_TEST

/* Of 2 us ticks, 400 ns are 1/5: a scale of 5. Of 1 us ticks, 700/3 ns are 7/30. */
START_TEST (overheads_are_converted_exactly)
{
  static const char two_us[] = ROOT (
      SYSTEM ("<TimeBase Unit='ns'><Value Numerator='2000' Denominator='1'/></TimeBase>")
      TRACE (OVERHEAD ("OverheadType='total overhead' Unit='ns'", "400", "1") EVENT ("3", "1", "1")));
  static const char parts[] = ROOT (
      SYSTEM (US) TRACE (OVERHEAD ("Overhead='before taking time' Range='max' Unit='ns'", "9", "1")
                         OVERHEAD ("Overhead='before taking time' Range='min' Unit='ns'", "700", "3")
                         OVERHEAD ("Overhead='after taking time' Unit='ns'", "500", "1")
                         OVERHEAD ("Overhead='after taking time' Range='min' Unit='ns'", "1", "1")
                         OVERHEAD ("Overhead='total overhead' Range='max' Unit='us' ReferenceID='2'", "2", "1")
                         OVERHEAD ("Overhead='before taking time' Unit='ns' ReferenceID='2'", "500", "1")
                         OVERHEAD ("Overhead='after taking time' Unit='ns' ReferenceID='1'", "300", "1")
                         OVERHEAD ("Unit='ns' ReferenceID='1'", "200", "1") OVERHEAD ("Unit='us'", "9", "1")
                         EVENT ("3", "1", "1")) TRACE (EVENT ("4", "1", "1")));
  g_autoptr (Reading) reading = read_good (two_us, READ_SUBTRACT);
  g_autoptr (Reading) reading_parts = read_good (parts, READ_SUBTRACT);

  ck_assert_int_eq (reading->memory.scale, 5);
  ck_assert_uint_eq (overhead_of (reading, 0, 0)->element, TS_NO_ELEMENT);
  ck_assert_int_eq (overhead_of (reading, 0, 0)->before, 0);
  ck_assert_int_eq (overhead_of (reading, 0, 0)->after, 1);
  expect_events (reading, "15 start A");

  /* 9 ns is 9/1000, 700/3 ns 7/30, 500 ns 1/2, 1 ns 1/1000: all of them are whole in 1/3000 */
  ck_assert_int_eq (reading_parts->memory.scale, 3000);
  ck_assert_uint_eq (section_of (reading_parts, 0)->overheads->len, 3);
  ck_assert_int_eq (overhead_of (reading_parts, 0, 0)->before, 700);  /* min before max */
  ck_assert_int_eq (overhead_of (reading_parts, 0, 0)->after, 1500);  /* a plain one before both, both before a total */
  ck_assert_uint_eq (overhead_of (reading_parts, 0, 1)->element, 1);
  ck_assert_int_eq (overhead_of (reading_parts, 0, 1)->before, 1500);
  ck_assert_int_eq (overhead_of (reading_parts, 0, 1)->after, 4500);  /* the rest of the total */
  ck_assert_uint_eq (overhead_of (reading_parts, 0, 2)->element, 0);
  ck_assert_int_eq (overhead_of (reading_parts, 0, 2)->before, 0);    /* the total is less than the part */
  ck_assert_int_eq (overhead_of (reading_parts, 0, 2)->after, 900);
  ck_assert_ptr_null (section_of (reading_parts, 1)->overheads);
}
END_TEST

/* 2^63 - 1 s are more than can be kept: that one is told, and those that are good are used as if it was not there. */
START_TEST (an_overhead_that_is_too_large_takes_no_other)
{
#define LARGE "9223372036854775807"
  static const struct
  {
    const char *text;
    gint64      before, after;
  } cases[] = {
    { ROOT (SYSTEM (US) TRACE (OVERHEAD ("Overhead='before taking time' Unit='s'", LARGE, "1")
                               OVERHEAD ("Overhead='after taking time' Unit='us'", "1", "1") EVENT ("3", "1", "1"))), 0, 1 },
    { ROOT (SYSTEM (US) TRACE (OVERHEAD ("Overhead='after taking time' Unit='s'", LARGE, "1")
                               OVERHEAD ("Overhead='before taking time' Unit='us'", "2", "1")
                               OVERHEAD ("Unit='us'", "5", "1") EVENT ("3", "1", "1"))), 2, 3 },
    { ROOT (SYSTEM (US) TRACE (OVERHEAD ("Unit='s'", LARGE, "1")
                               OVERHEAD ("Overhead='before taking time' Unit='us'", "2", "1") EVENT ("3", "1", "1"))), 2, 0 },
    { ROOT (SYSTEM (US) TRACE (OVERHEAD ("Overhead='before taking time' Unit='s'", LARGE, "1")
                               OVERHEAD ("Unit='us'", "5", "1") EVENT ("3", "1", "1"))), 0, 5 },
    /* nor the place of one of the same part, whether it is later or has a range that would count more */
    { ROOT (SYSTEM (US) TRACE (OVERHEAD ("Overhead='after taking time' Unit='us'", "2", "1")
                               OVERHEAD ("Overhead='after taking time' Unit='s'", LARGE, "1") EVENT ("3", "1", "1"))), 0, 2 },
    { ROOT (SYSTEM (US) TRACE (OVERHEAD ("Overhead='after taking time' Unit='s'", LARGE, "1")
                               OVERHEAD ("Overhead='after taking time' Unit='us'", "2", "1") EVENT ("3", "1", "1"))), 0, 2 },
    { ROOT (SYSTEM (US) TRACE (OVERHEAD ("Overhead='after taking time' Unit='s' Range='min'", LARGE, "1")
                               OVERHEAD ("Overhead='after taking time' Unit='us' Range='max'", "2", "1")
                               EVENT ("3", "1", "1"))), 0, 2 },
  };
  g_autoptr (Reading) reading = read_good (cases[_i].text, READ_SUBTRACT);

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_BAD_OVERHEAD), 1);
  ck_assert_int_eq (overhead_of (reading, 0, 0)->before, cases[_i].before);
  ck_assert_int_eq (overhead_of (reading, 0, 0)->after, cases[_i].after);
  ck_assert_uint_eq (section_of (reading, 0)->overheads->len, 1);
}
END_TEST

/* No time is 0 in any units, whatever it is 0 of; and what is of no element is of none, whether the system comes before it or
 * behind it. */
START_TEST (overheads_of_nothing_ask_for_no_units)
{
#define OVERHEADS \
  TRACE (OVERHEAD ("Overhead='after taking time' Unit='s'", "0", "7") \
         OVERHEAD ("Overhead='before taking time' Unit='us'", "3", "1") \
         OVERHEAD ("Overhead='before taking time' Unit='us' ReferenceID='99'", "5", "1") EVENT ("3", "1", "1"))
  static const char *const texts[] = { ROOT (SYSTEM (US) OVERHEADS), ROOT (OVERHEADS SYSTEM (US)) };
  g_autoptr (Reading) reading = read_good (texts[_i], READ_SUBTRACT);

  ck_assert_int_eq (reading->memory.scale, 1);
  ck_assert_uint_eq (section_of (reading, 0)->overheads->len, 1);
  ck_assert_uint_eq (overhead_of (reading, 0, 0)->element, TS_NO_ELEMENT);
  ck_assert_int_eq (overhead_of (reading, 0, 0)->before, 3);
  ck_assert_int_eq (overhead_of (reading, 0, 0)->after, 0);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_BAD_OVERHEAD), 1);
}
END_TEST

/* Of 2 us 500 ns are behind the stamp, so the other 1500 ns are in front of it; in the second section it is all of them, and
 * more. A unit is 500 ns. */
START_TEST (what_a_total_has_beside_its_part_behind_the_stamp_is_in_front_of_it)
{
  g_autoptr (Reading) reading = read_good (
      ROOT (SYSTEM (US) TRACE (OVERHEAD ("Overhead='total overhead' Unit='us'", "2", "1")
                               OVERHEAD ("Overhead='after taking time' Unit='ns'", "500", "1") EVENT ("3", "1", "1"))
            TRACE (OVERHEAD ("Overhead='total overhead' Unit='us'", "2", "1")
                   OVERHEAD ("Overhead='after taking time' Unit='us'", "3", "1") EVENT ("4", "1", "1"))), READ_SUBTRACT);

  ck_assert_int_eq (reading->memory.scale, 2);
  ck_assert_int_eq (overhead_of (reading, 0, 0)->before, 3);
  ck_assert_int_eq (overhead_of (reading, 0, 0)->after, 1);
  ck_assert_int_eq (overhead_of (reading, 1, 0)->before, 0);
  ck_assert_int_eq (overhead_of (reading, 1, 0)->after, 6);
}
END_TEST

START_TEST (overheads_after_the_events_ask_for_one_more_reading)
{
  static const char text[] = ROOT (
      SYSTEM (US) TRACE (OVERHEAD ("Overhead='before taking time' Unit='us'", "2", "1") EVENT ("3.5", "1", "1")
                         OVERHEAD ("Overhead='after taking time' Unit='us'", "1", "4"))
      TRACE (OVERHEAD ("Unit='us'", "7", "1") EVENT ("4", "1", "1")));
  g_autoptr (Reading) reading = read_good (text, READ_SUBTRACT);
  g_autoptr (Reading) stream = read_good (text, READ_SUBTRACT | READ_STREAM);

  ck_assert_uint_eq (reading->n_readings, 2);
  ck_assert_int_eq (reading->memory.scale, 20); /* 1/10 and 1/4 */
  ck_assert_int_eq (overhead_of (reading, 0, 0)->before, 40);
  ck_assert_int_eq (overhead_of (reading, 0, 0)->after, 5);
  ck_assert_int_eq (overhead_of (reading, 1, 0)->after, 140);
  ck_assert_uint_eq (section_of (reading, 0)->overhead_notes->len, 2);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_BAD_OVERHEAD), 0);

  ck_assert_int_eq (overhead_of (stream, 0, 0)->before, 2);
  ck_assert_int_eq (overhead_of (stream, 0, 0)->after, 0);
  ck_assert_int_eq (overhead_of (stream, 1, 0)->after, 7);
  ck_assert_uint_eq (count_of (stream, TS_DIAGNOSTIC_BAD_OVERHEAD), 1);
}
END_TEST

START_TEST (overheads_before_the_system_are_converted_once_it_is_known)
{
  g_autoptr (Reading) reading = read_good (
      ROOT (TRACE (OVERHEAD ("Unit='ns' ReferenceID='2'", "250", "1") EVENT ("3", "1", "1")) SYSTEM (US)),
      READ_SUBTRACT);

  ck_assert_uint_eq (reading->n_readings, 2);
  ck_assert_int_eq (reading->memory.scale, 4);
  ck_assert_uint_eq (overhead_of (reading, 0, 0)->element, 1);
  ck_assert_int_eq (overhead_of (reading, 0, 0)->after, 1);
  ck_assert_uint_eq (g_array_index (section_of (reading, 0)->overhead_notes, TsOverheadNote, 0).element, 1);
}
END_TEST

/* Beside 2 * 10^9 there can be 9 decimals, as 2e18 units. What is stated of overheads does not ask for others then, as 3 * 10^9
   of them would be a us: 1/3 us is a third of 10^9, and rounded. */
START_TEST (overheads_are_rounded_where_stamps_are)
{
  g_autoptr (Reading) reading = read_good (
      ROOT (SYSTEM (US) TRACE (OVERHEAD ("Unit='us'", "1", "3") EVENT ("0.30000000000000004", "1", "1")
                               EVENT ("2000000000", "1", "1"))), READ_SUBTRACT);

  ck_assert_int_eq (reading->memory.scale, 1000000000);
  ck_assert_int_eq (overhead_of (reading, 0, 0)->after, 333333333);
  expect_events (reading, "300000000 start A; 2000000000000000000 start A");
}
END_TEST

/* 1/(10^12 + 1) us would need too fine a scale; 5/2 units are rounded to 2, 7/2 to 4. */
START_TEST (overheads_that_no_scale_holds_are_rounded)
{
  g_autoptr (Reading) fine = read_good (
      ROOT (SYSTEM (US) TRACE (OVERHEAD ("Unit='us'", "3000000000000", "1000000000001") EVENT ("3", "1", "1"))),
      READ_SUBTRACT);
  g_autoptr (Reading) at_limit = read_good (
      ROOT (SYSTEM (US) TRACE (OVERHEAD ("Unit='us'", "1", "1000000000000") EVENT ("3", "1", "1"))), READ_SUBTRACT);
  g_autoptr (Reading) stream = read_good (
      ROOT (SYSTEM (US) TRACE (OVERHEAD ("Overhead='before taking time' Unit='us'", "5", "2")
                               OVERHEAD ("Overhead='after taking time' Unit='us'", "7", "2") EVENT ("3", "1", "1"))),
      READ_SUBTRACT | READ_STREAM);

  ck_assert_int_eq (fine->memory.scale, 1);
  ck_assert_int_eq (overhead_of (fine, 0, 0)->after, 3);
  ck_assert_uint_eq (count_of (fine, TS_DIAGNOSTIC_ROUNDED_OVERHEAD), 1);
  ck_assert_int_eq (at_limit->memory.scale, G_GINT64_CONSTANT (1000000000000));
  ck_assert_int_eq (overhead_of (at_limit, 0, 0)->after, 1);
  ck_assert_uint_eq (count_of (at_limit, TS_DIAGNOSTIC_ROUNDED_OVERHEAD), 0);
  ck_assert_int_eq (overhead_of (stream, 0, 0)->before, 2);
  ck_assert_int_eq (overhead_of (stream, 0, 0)->after, 4);
  ck_assert_uint_eq (count_of (stream, TS_DIAGNOSTIC_ROUNDED_OVERHEAD), 2);
}
END_TEST

/* 2^63 - 1 is the largest number that is read, and 2^63 - 25 is a prime: a quotient of their products, and of 10^18, has more
 * than 128 bits. 2^63 - 1 us are that many ticks of 1 us, and no time is beyond 2^61. */
START_TEST (overheads_that_are_no_time_are_not_used)
{
#define LARGEST "9223372036854775807"
#define PRIME "9223372036854775783"
  static const struct
  {
    const char *text, *detail;
  } cases[] = {
    { ROOT (SYSTEM ("<TimeBase Unit='as'><Value Numerator='1' Denominator='" PRIME "'/></TimeBase>")
            TRACE (OVERHEAD ("Unit='s'", LARGEST, "1") EVENT ("3", "1", "1"))), "it cannot be converted to ticks" },
    { ROOT (SYSTEM ("<TimeBase Unit='s'><Value Numerator='" LARGEST "' Denominator='1'/></TimeBase>")
            TRACE (OVERHEAD ("Unit='as'", "1", PRIME) EVENT ("3", "1", "1"))), "it cannot be converted to ticks" },
    { ROOT (SYSTEM ("") TRACE (OVERHEAD ("Unit='us'", "1", "1") EVENT ("3", "1", "1"))), "it cannot be converted to ticks" },
    { ROOT (SYSTEM (US) TRACE (OVERHEAD ("Unit='us'", LARGEST, "1") EVENT ("3", "1", "1"))), "it is too large" },
  };
  g_autoptr (Reading) reading = read_good (cases[_i].text, READ_SUBTRACT);
  const GArray       *overheads = section_of (reading, 0)->overheads;

  ck_assert (overheads == NULL || overheads->len == 0);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_BAD_OVERHEAD), 1);
  ck_assert_str_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_BAD_OVERHEAD].detail, cases[_i].detail);
  ck_assert_int_eq (reading->memory.scale, 1);
}
END_TEST

/* A defect of an overhead is told by the last reading too, whatever that was for. */
START_TEST (overheads_are_judged_in_each_reading)
{
  g_autoptr (Reading) reading = read_good (
      ROOT (SYSTEM (US) TRACE (OVERHEAD ("Unit='us'", "3000000000000", "1000000000001") EVENT ("3.5", "1", "1"))),
      READ_SUBTRACT);

  ck_assert_uint_eq (reading->n_readings, 2);
  ck_assert_int_eq (overhead_of (reading, 0, 0)->after, 30);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_ROUNDED_OVERHEAD), 1);
}
END_TEST

START_TEST (overheads_that_are_nowhere_stated_are_missed)
{
  g_autoptr (Reading) asked = read_good (ROOT (SYSTEM (US) TRACE (EVENT ("3", "1", "1"))), READ_SUBTRACT);
  g_autoptr (Reading) not_asked = read_good (ROOT (SYSTEM (US) TRACE (EVENT ("3", "1", "1"))), 0);

  ck_assert_uint_eq (count_of (asked, TS_DIAGNOSTIC_NO_OVERHEAD), 1);
  ck_assert_uint_eq (count_of (not_asked, TS_DIAGNOSTIC_NO_OVERHEAD), 0);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("ATF trace");
  TCase *test_case = tcase_create ("events");

  tcase_add_loop_test (test_case, events_that_cannot_be_used_are_counted, 0, 9);
  tcase_add_test (test_case, an_error_event_needs_no_element);
  tcase_add_test (test_case, the_line_of_an_event_is_where_its_tag_begins);
  tcase_add_test (test_case, lines_beyond_16_bits_are_right);
  suite_add_tcase (suite, test_case);

  test_case = tcase_create ("sections");
  tcase_add_test (test_case, sections_keep_their_window_and_texts);
  tcase_add_test (test_case, a_stop_before_the_start_is_ignored);
  tcase_add_test (test_case, comments_on_the_trace_are_kept);
  tcase_add_test (test_case, the_system_may_follow_the_trace);
  tcase_add_test (test_case, a_system_without_a_trace_is_fine);
  suite_add_tcase (suite, test_case);

  test_case = tcase_create ("overheads");
  tcase_add_test (test_case, overheads_are_kept_as_stated);
  tcase_add_loop_test (test_case, overheads_that_cannot_be_read_are_not_used, 0, 10);
  tcase_add_test (test_case, overheads_are_converted_exactly);
  tcase_add_loop_test (test_case, an_overhead_that_is_too_large_takes_no_other, 0, 7);
  tcase_add_loop_test (test_case, overheads_of_nothing_ask_for_no_units, 0, 2);
  tcase_add_test (test_case, overheads_after_the_events_ask_for_one_more_reading);
  tcase_add_test (test_case, overheads_before_the_system_are_converted_once_it_is_known);
  tcase_add_test (test_case, overheads_are_rounded_where_stamps_are);
  tcase_add_test (test_case, overheads_that_no_scale_holds_are_rounded);
  tcase_add_test (test_case, what_a_total_has_beside_its_part_behind_the_stamp_is_in_front_of_it);
  tcase_add_loop_test (test_case, overheads_that_are_no_time_are_not_used, 0, 4);
  tcase_add_test (test_case, overheads_are_judged_in_each_reading);
  tcase_add_test (test_case, overheads_that_are_nowhere_stated_are_missed);
  suite_add_tcase (suite, test_case);
  return suite;
}

int
main (void)
{
  return unit_run (make_suite ());
}
