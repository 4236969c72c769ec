/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "btf-fixture.h"
#include "unit.h"

/* What the BTF importer makes of lines: fields, times, headers, and diagnostics with their line. Every text here is also read in chunks of several sizes. */

/* Lines */

START_TEST (a_line_is_seven_fields_and_a_note_however_it_is_written)
{
  static const char *const lines[] = {
    "7,C1,0,T,A,3,start\n",
    "7,C1,0,T,A,3,start",
    "7,C1,0,T,A,3,start\r\n",
    "7,C1,0,T,A,3,start\r",
    "7, C1, 0, T, A, 3, start\n",
    " 7 ,\tC1 , 0 ,T\t, A , 3 , start \n",
    "7,C1,0,T,A,3,start,\n",
    "7,C1,0,T,A,3,start,0\n",
    "7,C1,0,T,A,3,start,a note, with commas,, in it\n",
    "\n\r\n   \n7,C1,0,T,A,3,start\n\n",
    "# a comment\n#\tanother\n#\n7,C1,0,T,A,3,start\n# at the end",
    "7,C1,,T,A,3,start\n",
    "7,C1,-1,T,A,3,START\n",
    "007,C1,x,T,A,03,Start\n",
  };
  g_autofree char    *text = g_strconcat (SCALE, lines[_i], NULL);
  g_autoptr (Reading) reading = read_good (text);

  expect_events (reading, "7 start A#3@C1");
  expect_elements (reading, "task A");
  expect_cores (reading, "C1");
  ck_assert_str_eq (reading->order->str, "(.)");
  ck_assert_uint_eq (n_diagnostics (reading), 1); /* no activations */
}
END_TEST

START_TEST (a_byte_order_mark_is_skipped_once)
{
  g_autoptr (Reading) header = read_good ("\xef\xbb\xbf" SCALE "7,C,0,T,A,0,start\n");
  g_autoptr (Reading) event = read_good ("\xef\xbb\xbf" "7,C,0,T,A,0,start\n");
  g_autoptr (Reading) later = read_good (SCALE "\xef\xbb\xbf" "7,C,0,T,A,0,start\n");

  expect_events (header, "7 start A#0@C");
  expect_events (event, "7 start A#0@C");
  expect_diagnostic (later, TS_DIAGNOSTIC_BAD_TIME, 1, 3, "time `\xef\xbb\xbf" "7'");
}
END_TEST

/* Lines of all lengths around the blocks that they are split in. */
START_TEST (fields_are_found_wherever_they_lie)
{
  g_autoptr (GString) text = g_string_new (SCALE), expected = g_string_new (NULL);
  g_autoptr (Reading) reading = NULL;

  for (guint i = 1; i < 200; i++)
    {
      g_autofree char *name = g_strnfill (i, 'a' + (char) (i % 26));
      guint            pad = i * 7 % 90;

      g_string_append_printf (text, "%u,%*sC1,%*s0,T,%s,%u,%*sstart,%*s,\n", i, (int) pad, "", (int) (i % 5), "", name,
                              i, (int) (i % 70), "", (int) (i % 67), "");
      g_string_append_printf (expected, "%s%u start %s#%u@C1", i > 1 ? "; " : "", i, name, i);
    }
  reading = read_good (text->str);
  expect_events (reading, expected->str);
}
END_TEST

START_TEST (a_bad_line_is_counted_with_its_number_and_ends_nothing)
{
  static const struct
  {
    const char    *line;
    TsDiagnosticId id;
    const char    *detail;
  } cases[] = {
    { "7,C,0,T,A,0", TS_DIAGNOSTIC_SHORT_LINE, "line `7,C,0,T,A,0'" },
    { "rubbish", TS_DIAGNOSTIC_SHORT_LINE, "line `rubbish'" },
    { "7,C,0,T,,0,start", TS_DIAGNOSTIC_SHORT_LINE, "no target in `7,C,0,T,,0,start'" },
    { "7,C,0,T,A,0, ", TS_DIAGNOSTIC_SHORT_LINE, "no event in `7,C,0,T,A,0,'" },
    { "x,C,0,T,A,0,start", TS_DIAGNOSTIC_BAD_TIME, "time `x'" },
    { "1.5,C,0,T,A,0,start", TS_DIAGNOSTIC_BAD_TIME, "time `1.5'" },
    { "+7,C,0,T,A,0,start", TS_DIAGNOSTIC_BAD_TIME, "time `+7'" },
    { "-,C,0,T,A,0,start", TS_DIAGNOSTIC_BAD_TIME, "time `-'" },
    { ",C,0,T,A,0,start", TS_DIAGNOSTIC_BAD_TIME, "time `'" },
    { "7e3,C,0,T,A,0,start", TS_DIAGNOSTIC_BAD_TIME, "time `7e3'" },
  };
  g_autofree char *text = g_strconcat (SCALE "1,C,0,T,A,0,start\n", cases[_i].line, "\n\n", cases[_i].line,
                                       "\n9,C,0,T,A,0,terminate\n", NULL);
  g_autoptr (Reading) reading = read_good (text);

  expect_events (reading, "1 start A#0@C; 9 end A#0@C");
  expect_diagnostic (reading, cases[_i].id, 2, 4, cases[_i].detail);
  ck_assert_uint_eq (n_diagnostics (reading), 2);
}
END_TEST

/* The last line has no end, and lacks more than that: it is no record. */
START_TEST (a_last_line_without_an_end_may_be_cut)
{
  static const struct
  {
    const char *line;
    gboolean    is_cut;
  } cases[] = {
    { "9,C,0,T,A,0,terminate", FALSE }, { "9,C,0,T,A,0,term", TRUE },      { "9,C,0,T,A,0,", TRUE },
    { "9,C,0,T,A", TRUE },              { "9", TRUE },                     { "9,C,0,STI,S,0,TRIG", TRUE },
    { "9,C,0,STI,S,0,dance", FALSE },   { "9,C,0,T,A,0,poll", FALSE },     { "9,C,0,STI,S,0,trig,a note", FALSE },
    { "9,C,0,STI,S,0,trig\n", FALSE },
  };
  g_autofree char    *text = g_strconcat (SCALE "1,C,0,T,A,0,start\n", cases[_i].line, NULL);
  g_autofree char    *shown = g_strdup_printf ("line `%s'", cases[_i].line);
  g_autoptr (Reading) reading = read_good (text);

  if (!cases[_i].is_cut)
    {
      ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_TRUNCATED].count, 0);
      return;
    }
  expect_events (reading, "1 start A#0@C");
  expect_diagnostic (reading, TS_DIAGNOSTIC_TRUNCATED, 1, 4, shown);
  ck_assert_uint_eq (n_diagnostics (reading), 2); /* and that there are no activations */
}
END_TEST

START_TEST (what_is_not_known_is_counted_and_listed)
{
  g_autoptr (Reading) reading = read_good (SCALE "1,C,0,FOO,x,0,bar\n"
                                                 "2,C,0,foo,x,0,bar\n"
                                                 "3,C,0,FOO,x,0,bar\n"
                                                 "4,C,0,T,A,0,dance\n"
                                                 "5,C,0,R,f,0,wait\n"
                                                 "6,A,0,STI,S,0,dance\n"
                                                 "7,A,0,SIG,v,0,dance\n"
                                                 "8,C,0,T,A,one,start\n"
                                                 "9,C,0,T,A,1.5,terminate\n"
                                                 "9,C,0,,A,1,start\n");

  expect_events (reading, ".; .; .; .; .; .; .; 8 start A@C; 9 end A@C; .");
  expect_users (reading, "FOO bar x x2; foo bar x x1; T dance A x1; R wait f x1; STI dance S x1; SIG dance v x1; "
                         " start A x1");
  expect_diagnostic (reading, TS_DIAGNOSTIC_UNKNOWN_TARGET_TYPE, 4, 3, "type `FOO'");
  expect_diagnostic (reading, TS_DIAGNOSTIC_UNKNOWN_EVENT, 4, 6, "event `dance' of type `T'");
  expect_diagnostic (reading, TS_DIAGNOSTIC_BAD_INSTANCE, 2, 10, "instance `one'");
  expect_diagnostic (reading, TS_DIAGNOSTIC_NO_INSTANCE_NUMBERS, 1, 0, NULL);
}
END_TEST

/* 2^31, 2^32 + 5, 2^63, and 10^20 + 7, of which the last 31 bits are 1661992960 + 7; the number of the last line is not
 * read. */
START_TEST (numbers_of_instances_have_31_bits)
{
  g_autoptr (Reading) reading = read_good (SCALE "1,C,0,T,A,2147483647,start\n"
                                                 "2,C,0,T,A,2147483647,terminate\n"
                                                 "3,C,0,T,A,2147483648,start\n"
                                                 "4,C,0,T,A,4294967301,terminate\n"
                                                 "5,C,0,T,A,9223372036854775808,start\n"
                                                 "6,C,0,T,A,100000000000000000007,terminate\n"
                                                 "7,A,4294967301,SIG,v,4294967301,dance\n");

  expect_events (reading, "1 start A#2147483647@C; 2 end A#2147483647@C; 3 start A#0@C; 4 end A#5@C; 5 start A#0@C; "
                          "6 end A#1661992967@C; .");
  expect_diagnostic (reading, TS_DIAGNOSTIC_LARGE_INSTANCE, 4, 5, NULL);
}
END_TEST

START_TEST (a_line_may_have_a_mebibyte_and_no_more)
{
  const gsize limit = 1024 * 1024;

  for (gsize extra = 0; extra < 3; extra++)
    for (guint ending = 0; ending < 3; ending++)
      {
        static const char *const ends[] = { "\n9,C,0,T,A,0,terminate\n", "\r\n9,C,0,T,A,0,terminate\n", "" };
        const char *begin = "1,C,0,T,A,0,start,";
        g_autofree char *note = g_strnfill (limit + extra - strlen (begin), 'n');
        g_autofree char *text = g_strconcat (SCALE, begin, note, ends[ending], NULL);
        static const gsize sizes[] = { 0, 4096, 1024 * 1024 - 1 };

        for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
          {
            g_autoptr (Reading) reading = reading_new_of (&ts_importer_btf, text, -1, sizes[i], 0);

            ck_assert_ptr_null (reading->error);
            ck_assert_uint_eq (reading->events->len, (extra == 0) + (ending < 2));
            expect_diagnostic (reading, TS_DIAGNOSTIC_LONG_LINE, extra > 0, extra > 0 ? 3 : 0, NULL);
          }
      }
}
END_TEST

/* Time */

START_TEST (time_scales_are_known_in_every_spelling)
{
  static const struct
  {
    const char *header;
    int         exponent;
  } cases[] = {
    { "#timeScale ps", -12 }, { "#timescale ns", -9 },   { "#TIMESCALE us", -6 }, { "#timeScale  ms ", -3 },
    { "#timescale\ts", 0 },   { "#timeScale US\r", -6 }, { " #timescale ms", -3 },
  };
  g_autofree char    *text = g_strconcat (cases[_i].header, "\n7,C,0,T,A,0,start\n", NULL);
  g_autoptr (Reading) reading = read_good (text);
  const TsTimeBase   *base = ts_system_time_base (reading->system);

  ck_assert (base->known);
  ck_assert_int_eq (base->exponent, cases[_i].exponent);
  ck_assert_uint_eq (base->numerator, 1);
  ck_assert_uint_eq (base->denominator, 1);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NO_TIME_SCALE), 0);
}
END_TEST

START_TEST (without_a_time_scale_there_are_nanoseconds)
{
  g_autoptr (Reading) none = read_good ("#version 1.0\n7,C,0,T,A,0,start\n");
  g_autoptr (Reading) bad = read_good ("#timescale fortnight\n7,C,0,T,A,0,start\n");

  ck_assert_int_eq (ts_system_time_base (none->system)->exponent, -9);
  ck_assert (ts_system_time_base (none->system)->known);
  expect_diagnostic (none, TS_DIAGNOSTIC_NO_TIME_SCALE, 1, 2, NULL);
  expect_diagnostic (bad, TS_DIAGNOSTIC_BAD_HEADER, 1, 1, "time scale `fortnight'");
  expect_diagnostic (bad, TS_DIAGNOSTIC_NO_TIME_SCALE, 1, 2, NULL);
}
END_TEST

START_TEST (joined_files_may_change_the_time_scale)
{
  g_autoptr (Reading) same = read_good ("#timescale us\n1,C,0,T,A,0,start\n#timeScale us\n2,C,0,T,A,0,terminate\n");
  g_autoptr (Reading) coarser = read_good ("#timescale ns\n1,C,0,T,A,0,start\n#timescale us\n2,C,0,T,A,0,terminate\n"
                                           "#timescale ns\n2001,C,0,T,A,1,start\n");
  g_autoptr (Reading) finer = read_good ("#timescale us\n1,C,0,T,A,0,start\n#timescale ns\n2500,C,0,T,A,0,terminate\n");

  expect_events (same, "1 start A#0@C; 2 end A#0@C");
  ck_assert_uint_eq (count_of (same, TS_DIAGNOSTIC_TIME_SCALE_CHANGES), 0);
  expect_events (coarser, "1 start A#0@C; 2000 end A#0@C; 2001 start A#1@C");
  expect_diagnostic (coarser, TS_DIAGNOSTIC_TIME_SCALE_CHANGES, 2, 3, "to us");
  expect_events (finer, "1000 start A#0@C; 2500 end A#0@C");
  ck_assert_int_eq (ts_system_time_base (finer->system)->scale, 1000);
  ck_assert_int_eq (ts_system_time_base (finer->system)->exponent, -6);
  ck_assert_uint_eq (finer->n_readings, 2);
  expect_diagnostic (finer, TS_DIAGNOSTIC_TIME_SCALE_CHANGES, 1, 3, "to ns");
  expect_failure ("#timescale us\n1,C,0,T,A,0,start\n#timescale ns\n", READ_STREAM, TS_ERROR_RANGE,
                  "x.btf:3: the time scale becomes finer, and a stream cannot be read again from its beginning");
}
END_TEST

/* 10 s in ms, 10 000 001 us in us, and half a us later in ns: a ms is 10^6 units, 50 s are 5 * 10^10 of them. */
START_TEST (of_several_finer_time_scales_the_finest_is_that_of_all)
{
  g_autoptr (Reading) reading = read_good ("#timescale ms\n10000,C,0,T,A,0,start\n"
                                           "#timescale us\n10000001,C,0,T,A,0,preempt\n"
                                           "#timescale ns\n10000001500,C,0,T,A,0,resume\n"
                                           "#timescale ms\n50000,C,0,T,A,0,terminate\n");

  expect_events (reading, "10000000000 start A#0@C; 10000001000 preempt A#0@C; 10000001500 resume A#0@C; "
                          "50000000000 end A#0@C");
  ck_assert_int_eq (ts_system_time_base (reading->system)->scale, 1000000);
  ck_assert_uint_eq (reading->n_readings, 2);
}
END_TEST

START_TEST (times_up_to_the_limit_are_exact)
{
  g_autoptr (Reading) reading = read_good (SCALE "-2305843009213693952,C,0,T,A,0,start\n"
                                                 "-1,C,0,T,A,0,preempt\n"
                                                 "2305843009213693952,C,0,T,A,0,terminate\n");

  expect_events (reading, "-2305843009213693952 start A#0@C; -1 preempt A#0@C; 2305843009213693952 end A#0@C");
  expect_diagnostic (reading, TS_DIAGNOSTIC_NEGATIVE_TIME, 2, 3, NULL);
}
END_TEST

START_TEST (times_beyond_the_limit_are_an_error_with_their_line)
{
  static const char *const times[] = { "2305843009213693953", "-2305843009213693953", "9223372036854775808",
                                       "99999999999999999999999" };
  g_autofree char *text = g_strconcat (SCALE "1,C,0,T,A,0,start\n", times[_i], ",C,0,T,A,0,terminate\n", NULL);
  g_autofree char *message = g_strconcat ("x.btf:4: the time ", times[_i], " is beyond 2^61", NULL);

  expect_failure (text, 0, TS_ERROR_RANGE, message);
}
END_TEST

/* Header */

START_TEST (the_tables_of_2_1_declare_elements)
{
  g_autoptr (Reading) reading = read_good ("#version 2.1.3\n#timeScale ns\n#typeTable\n#-0 T\n#-3 R\n#-7 SIG\n#-8 ISR\n"
                                           "#entityTable\n#-0 Task 1\n#-4 run\n#-512 Core_0\n#-9 Irq\n#-10 v\n"
                                           "#entityTypeTable\n#-T Task 1\n#-3 run\n#-C Core_0\n#-ISR Irq\n#-SIG v\n"
                                           "7,Core_0,0,T,Task 1,0,start\n");

  expect_elements (reading, "task Task 1 0; runnable run 4; isr Irq 9; signal v 10");
  expect_cores (reading, "Core_0");
  ck_assert_str_eq (ts_system_get_resource (reading->system, 0)->id, "512");
  expect_events (reading, "7 start Task 1#0@Core_0");
}
END_TEST

START_TEST (the_mappings_of_2_3_declare_elements)
{
  g_autoptr (Reading) reading = read_good ("#version 2.3.0\n#timescale ns\n#typeMapping 1 T\n#typeMapping 2 C\n"
                                           "#entityMapping 5 A\n#entityMapping 6 Core_0\n#entityTypeMapping 1 A\n"
                                           "#entityTypeMapping C 6\n7,Core_0,0,T,A,0,start\n");

  expect_elements (reading, "task A 5");
  expect_cores (reading, "Core_0");
}
END_TEST

START_TEST (older_tools_call_the_type_table_entity_type)
{
  g_autoptr (Reading) reading = read_good ("#timescale ns\n#entityType\n#-4 T\n#entityTable\n#-0 A\n#entityTypeTable\n"
                                           "#-4 A\n7,C,0,T,B,0,start\n");

  expect_elements (reading, "task A 0; task B");
}
END_TEST

START_TEST (numbers_stand_for_names_where_a_table_says_so)
{
  g_autoptr (Reading) reading = read_good (
      "#timescale ns\n#typeMapping 10 T\n#typeMapping 12 R\n#entityMapping 5 A\n#entityMapping 6 Core_0\n"
      "#entityMapping 8 run\n"
      "1,6,0,10,5,0,start\n2,5,0,12,8,0,start\n3,A,0,R,run,0,terminate\n4,6,0,T,7,0,start\n5,Core_0,0,T,A,0,terminate\n");

  expect_events (reading, "1 start A#0@Core_0; 2 start run#0@Core_0<A; 3 end run#0@Core_0<A; 4 start 7#0@Core_0; "
                          "5 end A#0@Core_0");
  expect_elements (reading, "task A 5; runnable run 8; task 7");
}
END_TEST

START_TEST (rows_that_cannot_be_read_are_counted)
{
  g_autoptr (Reading) reading = read_good ("#-0 T\n#timescale ns\n#entityTable\n#-x A\n#-3\n#typeMapping\n"
                                           "#entityTypeMapping T\n7,C,0,T,B,0,start\n");

  expect_diagnostic (reading, TS_DIAGNOSTIC_BAD_HEADER, 5, 1, "row of no table `0 T'");
}
END_TEST

/* All of it is one line: it has one parameter, and says so. */
START_TEST (lines_that_end_with_carriage_returns_only_are_no_lines)
{
  g_autoptr (Reading) reading = read_good ("#creator x\r#timeScale ns\r0,C,0,T,A,0,start\r");

  expect_diagnostic (reading, TS_DIAGNOSTIC_BAD_HEADER, 1, 1, "carriage return in the line of `creator'");
  ck_assert_uint_eq (reading->events->len, 0);
}
END_TEST

START_TEST (headers_may_come_again_in_the_middle)
{
  g_autoptr (Reading) reading = read_good ("#version 2.2.0\n#creator one\n#creationDate 2014-02-19T11:39:20Z\n"
                                           "#timeScale ns\n#version 2.1.0\n#creator  two (1.0) \n#timeScale ns\n"
                                           "1,C,0,T,A,0,start\n#version 2.1.0\n#creator three\n#creationdate x\n"
                                           "#timeScale ns\n# comment\n2,C,0,T,A,0,terminate\n");

  expect_events (reading, "1 start A#0@C; 2 end A#0@C");
  ck_assert_str_eq (reading->order->str, "(..)");
  ck_assert_str_eq (ts_system_get_tool (reading->system)->tool, "three");
  ck_assert_str_eq (ts_system_get_comment (reading->system), "created x");
  ck_assert_uint_eq (n_diagnostics (reading), 1); /* no activations */
}
END_TEST

START_TEST (strange_parameters_do_no_harm)
{
  g_autoptr (Reading) reading = read_good ("#version\n#creator \n#inputFile \n#creationdate\n#timescale ns\n"
                                           "#Producer x\n#signalAccesses false\n#scenario s\n#whatever 7\n#nospace,x\n"
                                           "#ringOverflow false\n1,C,0,T,A,0,start\n");

  expect_diagnostic (reading, TS_DIAGNOSTIC_UNKNOWN_CONTENT, 2, 9, "#whatever");
  expect_diagnostic (reading, TS_DIAGNOSTIC_UNKNOWN_VERSION, 1, 1, "version `'");
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_INCOMPLETE), 0);
  ck_assert_ptr_null (ts_system_get_tool (reading->system)->tool);
}
END_TEST

START_TEST (a_trace_that_calls_itself_incomplete_is_reported)
{
  static const char *const keywords[] = { "ringOverflow", "taskTableOverflow", "truncated" };
  g_autofree char    *text = g_strconcat (SCALE "#", keywords[_i], " true\n1,C,0,T,A,0,start\n", NULL);
  g_autofree char    *detail = g_strconcat ("#", keywords[_i], NULL);
  g_autoptr (Reading) reading = read_good (text);

  expect_diagnostic (reading, TS_DIAGNOSTIC_INCOMPLETE, 1, 3, detail);
}
END_TEST

START_TEST (versions_1_and_2_are_known)
{
  static const struct
  {
    const char *version;
    gboolean    known;
  } cases[] = { { "1.0", TRUE },   { "2.1.5", TRUE }, { "2.2.0", TRUE }, { "2.3.0", TRUE }, { "2", TRUE },
                { "3.0", FALSE }, { "20.1", FALSE }, { "beta", FALSE } };
  g_autofree char    *text = g_strconcat ("#timescale ns\n#version ", cases[_i].version, "\n", NULL);
  g_autoptr (Reading) reading = read_good (text);

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_VERSION), !cases[_i].known);
}
END_TEST

START_TEST (a_header_alone_is_a_trace_without_events)
{
  g_autoptr (Reading) reading = read_good (SCALE "#entityTypeMapping T A\n");

  ck_assert_str_eq (reading->order->str, "");
  expect_elements (reading, "task A");
}
END_TEST

START_TEST (what_is_not_btf_is_an_error)
{
  expect_failure ("one\ntwo\n", 0, TS_ERROR_FORMAT, "x.btf: no line of the file is an event or a parameter of BTF");
  expect_failure ("\x01\x02\xff\n,,,,,,,,\n", 0, TS_ERROR_FORMAT,
                  "x.btf: no line of the file is an event or a parameter of BTF");
  expect_failure ("# only a comment\n", 0, TS_ERROR_FORMAT,
                  "x.btf: no line of the file is an event or a parameter of BTF");
  expect_failure ("", 0, TS_ERROR_FORMAT, "x.btf: empty input");
}
END_TEST

/* Bidding */

static int
bid (const char *text)
{
  return ts_importer_btf.bid ((const guint8 *) text, strlen (text));
}

START_TEST (bids_are_on_content)
{
  ck_assert_int_ge (bid (SCALE "1,C,0,T,A,0,start\n"), 95);
  ck_assert_int_ge (bid ("#timescale us\n"), 80);
  ck_assert_int_ge (bid ("1,C,0,T,A,0,start\n"), 70);
  ck_assert_int_ge (bid ("\xef\xbb\xbf" "1, C, 0, ISR, A, , start, 1\r\n"), 70);
  ck_assert_int_ge (bid ("#version 1.0\n# INVALID;0 x\n1,C,0,T,A,0,activate"), 95);
  ck_assert_int_ge (bid ("time,source,si,type,target,ti,event\n1,C,0,T,A,0,activate"), 40);
  ck_assert_int_ge (bid ("\r\n \n#version 1.0\n\n1,C,0,T,A,0,activate\n"), 95);
  ck_assert_int_eq (bid ("\n \n"), 0);
  ck_assert_int_eq (bid (""), 0);
  ck_assert_int_eq (bid ("<?xml version='1.0'?>\n<CommonFormat/>"), 0);
  ck_assert_int_eq (bid ("0\n1236420313 5 0 0 0 0\n1236420314 7 0 3 0 0\n"), 0);
  ck_assert_int_eq (bid ("# a comment\nTU SECONDS\nO 0\nC 0 0.2 13.2 0 100.0 ; task=A\n"), 0);
  ck_assert_int_eq (bid ("1,2,3\n4,5,6\n"), 0);
  ck_assert_int_eq (bid ("1,2,3,4,5,6,7,8\n"), 0);
  ck_assert_int_eq (bid ("#!/bin/sh\necho 1\n"), 0);
}
END_TEST

START_TEST (traces_are_detected)
{
  g_autoptr (GError) error = NULL;
  const char        *text = SCALE "1,C,0,T,A,0,start\n";

  ck_assert_ptr_eq (ts_importer_detect ("x", (const guint8 *) text, strlen (text), &error), &ts_importer_btf);
}
END_TEST

#define ADD_LOOP(function, n) tcase_add_loop_test (tests, function, 0, n)

int
main (void)
{
  Suite *suite = suite_create ("btf");
  TCase *tests = tcase_create ("lines");

  tcase_set_timeout (tests, 60);
  ADD_LOOP (a_line_is_seven_fields_and_a_note_however_it_is_written, 14);
  tcase_add_test (tests, a_byte_order_mark_is_skipped_once);
  tcase_add_test (tests, fields_are_found_wherever_they_lie);
  ADD_LOOP (a_bad_line_is_counted_with_its_number_and_ends_nothing, 10);
  ADD_LOOP (a_last_line_without_an_end_may_be_cut, 10);
  tcase_add_test (tests, what_is_not_known_is_counted_and_listed);
  tcase_add_test (tests, numbers_of_instances_have_31_bits);
  tcase_add_test (tests, a_line_may_have_a_mebibyte_and_no_more);
  ADD_LOOP (time_scales_are_known_in_every_spelling, 7);
  tcase_add_test (tests, without_a_time_scale_there_are_nanoseconds);
  tcase_add_test (tests, joined_files_may_change_the_time_scale);
  tcase_add_test (tests, of_several_finer_time_scales_the_finest_is_that_of_all);
  tcase_add_test (tests, times_up_to_the_limit_are_exact);
  ADD_LOOP (times_beyond_the_limit_are_an_error_with_their_line, 4);
  tcase_add_test (tests, the_tables_of_2_1_declare_elements);
  tcase_add_test (tests, the_mappings_of_2_3_declare_elements);
  tcase_add_test (tests, older_tools_call_the_type_table_entity_type);
  tcase_add_test (tests, numbers_stand_for_names_where_a_table_says_so);
  tcase_add_test (tests, rows_that_cannot_be_read_are_counted);
  tcase_add_test (tests, lines_that_end_with_carriage_returns_only_are_no_lines);
  tcase_add_test (tests, headers_may_come_again_in_the_middle);
  tcase_add_test (tests, strange_parameters_do_no_harm);
  ADD_LOOP (a_trace_that_calls_itself_incomplete_is_reported, 3);
  ADD_LOOP (versions_1_and_2_are_known, 8);
  tcase_add_test (tests, a_header_alone_is_a_trace_without_events);
  tcase_add_test (tests, what_is_not_btf_is_an_error);
  tcase_add_test (tests, bids_are_on_content);
  tcase_add_test (tests, traces_are_detected);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
