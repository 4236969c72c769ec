/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/visandor.h"
#include "intervals.h"
#include "reading-visandor.h"
#include "unit.h"

/* VisAndOr traces: figures of a part of the trace, at one instant, and after a cut. */

static void
expect_cell (const VisReading *reading, const char *table, guint row, const char *column, const char *expected)
{
  g_autofree char *text = vis_reading_cell (reading, table, row, column);

  ck_assert_msg (text != NULL, "%s.%s is not there", table, column);
  ck_assert_msg (g_str_equal (text, expected), "%s.%s is %s, and not %s", table, column, text, expected);
}

static VisReading *
read_window (const char *text, const char *from, const char *to)
{
  TsOptions   options = { .has_from = from != NULL, .has_to = to != NULL };
  VisReading *reading;

  ck_assert (from == NULL || ts_time_text_parse (from, &options.from, NULL));
  ck_assert (to == NULL || ts_time_text_parse (to, &options.to, NULL));
  reading = vis_reading_new (text, -1, 0, 0, &options);
  ck_assert_ptr_null (reading->error);
  return reading;
}

/* The root runs 10-20 and 36-40, task 0 22-30 on agent 0, task 1 24-34 on agent 1. */
static const char forked[] = "0\n10 5 0 0 0 0\n20 1 1 2 0 0\n22 2 1 0 0 0\n24 2 1 1 1 1\n30 3 1 0 0 0\n"
                             "34 3 1 1 1 1\n36 4 1 2 0 0\n40 6 0 0 0 0\n";

/* Work: 12-20, 22-29 and 24-29 in the first window; 23-30 and 24-34 in the second. The longest
 * path: root 8 and task 0 7; task 1 10. In the third, task 1 has begun before, and nothing starts. */
START_TEST (parallelism_is_cut_at_the_analysis_window)
{
  static const struct
  {
    const char *from, *to;
    const char *window, *work, *path, *maximum, *goals;
    const char *profile[3], *busy[2], *slices[2];
  } cases[] = {
    { "12", "29", "17", "20", "15", "2", "2", { "2", "10", "5" }, { "15", "5" }, { "2", "1" } },
    { "23", "35", "12", "17", "10", "2", "1", { "1", "5", "6" }, { "7", "10" }, { "1", "1" } },
    { "31us", "33us", "2", "2", "2", "1", "0", { "0", "2", NULL }, { "0", "2" }, { "0", "1" } },
    { NULL, "20", "10", "10", "10", "1", "0", { "0", "10", NULL }, { "10", "0" }, { "1", "0" } },
    { "36", NULL, "4", "4", "4", "1", "0", { "0", "4", NULL }, { "4", "0" }, { "1", "0" } },
    { "100", NULL, "0", "0", "0", "0", "0", { "0", NULL, NULL }, { "0", "0" }, { "0", "0" } },
  };
  g_autoptr (VisReading) reading = read_window (forked, cases[_i].from, cases[_i].to);

  expect_cell (reading, "parallelism", 0, "window", cases[_i].window);
  expect_cell (reading, "parallelism", 0, "work", cases[_i].work);
  expect_cell (reading, "parallelism", 0, "critical_path", cases[_i].path);
  expect_cell (reading, "parallelism", 0, "maximum", cases[_i].maximum);
  expect_cell (reading, "parallelism", 0, "goals", cases[_i].goals);
  for (guint i = 0; i < 3 && cases[_i].profile[i] != NULL; i++)
    expect_cell (reading, "profile", i, "time", cases[_i].profile[i]);
  for (guint i = 0; i < 2; i++)
    {
      expect_cell (reading, "agents", i, "busy", cases[_i].busy[i]);
      expect_cell (reading, "agents", i, "slices", cases[_i].slices[i]);
    }
}
END_TEST

/* Task 1 starts at the instant at which task 0 ends, in an earlier line: never two at a time. */
START_TEST (what_is_at_one_instant_is_not_parallel)
{
  g_autoptr (VisReading) reading = read_window ("0\n0 5 0 0 0 0\n5 1 1 2 0 0\n6 2 1 0 0 0\n8 2 1 1 1 1\n8 3 1 0 0 0\n"
                                                "9 3 1 1 1 1\n10 4 1 2 0 0\n12 6 0 0 0 0\n", NULL, NULL);

  expect_cell (reading, "parallelism", 0, "maximum", "1");
  expect_cell (reading, "profile", 1, "time", "10"); /* 0-5, 6-8, 8-9, 10-12 */
  ck_assert_ptr_null (vis_reading_cell (reading, "profile", 2, "time"));
}
END_TEST

/* Activations at 10 (A0), 30 (B0, B1) and 60 (C0). B0 is cut before it starts: PER is 20 and 30. */
static const char cut[] = "1\n0 5 0 0 0 0\n10 20 A 1 0 0\n20 21 A 0 0 0\n30 20 B 2 0 0\n40 26 B 0 1 1\n"
                          "50 21 B 1 0 0\n60 20 C 1 0 0\n70 21 C 0 0 0\n80 22 C 0 0 0\n90 6 0 0 0 0\n";

/* To be shown with each instance that must be known before; told late it need not. */
START_TEST (a_withdrawn_activation_is_no_part_of_per)
{
  const gboolean shows = _i % 2 == 1, is_late = _i >= 2;
  static const gint64 expected[] = { 20, 30 };
  /* without its forks out of order, and with */
  static const char   late[] = "1\n0 5 0 0 0 0\n20 21 A 0 0 0\n10 20 A 1 0 0\n30 20 B 2 0 0\n40 26 B 0 1 1\n"
                               "50 21 B 1 0 0\n60 20 C 1 0 0\n70 21 C 0 0 0\n80 22 C 0 0 0\n90 6 0 0 0 0\n";
  g_autoptr (VisReading) reading
      = vis_reading_new (is_late ? late : cut, -1, 0, shows ? VIS_READING_OF_INSTANCES : 0, NULL);
  guint n = 0;

  ck_assert_ptr_null (reading->error);
  ck_assert_uint_eq (reading->n_readings, 1 + is_late);
  g_array_sort (reading->intervals, compare_interval_times);
  for (guint i = 0; i < reading->intervals->len; i++)
    {
      const TsInterval *interval = &g_array_index (reading->intervals, TsInterval, i);

      if (interval->kind != TS_INTERVAL_PER)
        continue;
      ck_assert_uint_lt (n, G_N_ELEMENTS (expected));
      ck_assert_int_eq (interval->value, expected[n++]);
    }
  ck_assert_uint_eq (n, G_N_ELEMENTS (expected));
  ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_FAILED_ACTIVATION].count, 1);
  ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_FAILED_ACTIVATION].line, 6);
  expect_cell (reading, "parallelism", 0, "cut", "1");
  expect_cell (reading, "parallelism", 0, "branches", "3");
}
END_TEST

/* Activations at 10 (A0), 30 (B0, B1), 60 (C0) and 80 (D0); what becomes of B shows at 90. Where neither of its branches starts and
 * both are cut, PER is 50 and 20; if one starts, or waits at the end, 20, 30 and 20, and 0 if both are there. They are counted
 * as they start: A0, C0, D0, and then those of B. */
START_TEST (a_fork_may_be_withdrawn_late)
{
  static const struct
  {
    const char *end, *expected;
    guint       n_failed, n_readings; /* if each is shown with its PER */
  } cases[] = {
    { "90 26 B 0 0 0\n91 26 B 1 0 0\n", "50@60#2 20@80#3", 2, 2 },
    { "90 26 B 1 0 0\n91 26 B 0 0 0\n", "50@60#2 20@80#3", 2, 2 },
    { "90 26 B 0 0 0\n91 21 B 1 0 0\n92 22 B 1 0 0\n", "20@30#4 30@60#2 20@80#3", 1, 1 },
    { "90 21 B 1 0 0\n91 26 B 0 0 0\n92 22 B 1 0 0\n", "20@30#4 30@60#2 20@80#3", 1, 1 },
    { "90 26 B 1 0 0\n", "20@30#4 30@60#2 20@80#3", 1, 1 },
    { "90 21 B 1 0 0\n91 22 B 1 0 0\n", "20@30#4 0@30#5 30@60#2 20@80#3", 0, 1 },
    { "", "20@30#4 0@30#5 30@60#2 20@80#3", 0, 1 },
  };
  g_autofree char *text = g_strconcat ("1\n0 5 0 0 0 0\n10 20 A 1 0 0\n20 21 A 0 0 0\n30 20 B 2 0 0\n60 20 C 1 1 1\n"
                                       "70 21 C 0 1 1\n75 22 C 0 1 1\n80 20 D 1 1 1\n85 21 D 0 1 1\n86 22 D 0 1 1\n",
                                       cases[_i / 2].end, "99 6 0 0 0 0\n", NULL);
  const gboolean   shows = _i % 2 == 1;
  guint64          n_lines = 0;
  g_autoptr (VisReading) reading = vis_reading_new (text, -1, 0, shows ? VIS_READING_OF_INSTANCES : 0, NULL);
  g_autoptr (GString) found = g_string_new (NULL);

  ck_assert_ptr_null (reading->error);
  ck_assert_uint_eq (reading->n_readings, shows ? cases[_i / 2].n_readings : 1);
  ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_FAILED_ACTIVATION].count, cases[_i / 2].n_failed);
  g_array_sort (reading->intervals, compare_interval_times);
  for (guint i = 0; i < reading->intervals->len; i++)
    {
      const TsInterval *interval = &g_array_index (reading->intervals, TsInterval, i);

      if (interval->kind == TS_INTERVAL_PER)
        g_string_append_printf (found, "%s%" G_GINT64_FORMAT "@%" G_GINT64_FORMAT "#%" G_GINT64_FORMAT,
                                found->len > 0 ? " " : "", interval->value, interval->at, interval->number);
    }
  ck_assert_str_eq (found->str, cases[_i / 2].expected);
  /* each line but the flag */
  for (const char *p = text; (p = strchr (p, '\n')) != NULL; p++)
    n_lines++;
  ck_assert_uint_eq (((TsSection *) g_ptr_array_index (reading->sections, 0))->n_events, n_lines - 1);
}
END_TEST

/* Another trace behind the first, which has its STOP_TIME or not, with older and with younger stamps: the
 * figures are those of the first alone. A digit by itself is a damaged line. */
START_TEST (a_second_trace_is_told_and_not_used)
{
  static const char first[] = "0\n10 5 0 0 0 0\n20 7 0 1 0 0\n30 8 0 1 0 0\n";
  static const struct
  {
    const char    *more;
    TsDiagnosticId id;
    guint64        line, n_no_stop;
  } cases[] = {
    { "40 6 0 0 0 0\n0\n5 5 0 0 0 0\n40 1 1 1 0 0\n90 6 0 0 0 0\n", TS_DIAGNOSTIC_SECOND_TRACE, 6, 0 },
    { "40 6 0 0 0 0\n1\n50 5 0 0 0 0\n40 20 1 1 0 0\n90 6 0 0 0 0", TS_DIAGNOSTIC_SECOND_TRACE, 6, 0 },
    { "40 8 0 0 1 1\n0\n5 5 0 0 0 0\n40 1 1 1 0 0\n90 6 0 0 0 0\n", TS_DIAGNOSTIC_SECOND_TRACE, 6, 1 },
    { "0\n40 6 0 0 0 0\n", TS_DIAGNOSTIC_BAD_EVENT, 5, 0 },
    { "40 6 0 0 0 0\n0\n", TS_DIAGNOSTIC_BAD_EVENT, 6, 0 },
    { "0\n0\n40 6 0 0 0 0\n", TS_DIAGNOSTIC_BAD_EVENT, 5, 0 },
  };
  g_autofree char *text = g_strconcat (first, cases[_i].more, NULL);
  static const gsize chunks[] = { 0, 1, 7 };

  for (guint i = 0; i < G_N_ELEMENTS (chunks); i++)
    {
      g_autoptr (VisReading) reading = vis_reading_new (text, -1, chunks[i], 0, NULL);

      ck_assert_ptr_null (reading->error);
      ck_assert_uint_eq (reading->diagnostics->entries[cases[_i].id].line, cases[_i].line);
      ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_NO_STOP_TIME].count, cases[_i].n_no_stop);
      ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_AFTER_STOP_TIME].count, 0);
      ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_BACKWARDS].count, 0);
      expect_cell (reading, "parallelism", 0, "window", "30");
      expect_cell (reading, "parallelism", 0, "work", "30");
    }
}
END_TEST

/* The quick reader and the general way find the same in @text. */
static void
compare_ways (const char *text, gsize length)
{
  const TsOptions        plain = { .no_scanner = TRUE };
  g_autoptr (VisReading) quick = vis_reading_new (text, (gssize) length, 0, 0, NULL);
  g_autoptr (VisReading) general = vis_reading_new (text, (gssize) length, 0, 0, &plain);
  g_autofree char       *found = vis_reading_dump (quick);
  g_autofree char       *expected = vis_reading_dump (general);

  ck_assert_msg (strcmp (found, expected) == 0, "%.*s", (int) length, text);
}

/* Each agent has a line before those that are looked at, and most have two like these, so that the quick reader knows
 * how lines begin and end; and it wants some bytes behind. */
#define AND_COLD "0\n       10 5 0 0 0 0\n       20 7 0 3 1F 1\n       21 7 0 3 C0FFEE 12\n       22 7 0 3 9 7\n"
#define AND_WARM                                                                                                       \
  "1234560000 8 0 3 1F 1\n1234560000 8 0 3 C0FFEE 12\n1234560000 8 0 3 9 7\n1234560000 8 0 0 0 0\n"                    \
  "1234560000 7 0 3 1F 1\n1234560000 7 0 3 C0FFEE 12\n1234560000 7 0 3 9 7\n1234560000 7 0 0 0 0\n"
#define AND_HEAD AND_COLD AND_WARM
#define AND_TAIL "1234560200 8 0 3 1F 1\n1234560201 8 0 3 C0FFEE 12\n1234560202 8 0 3 9 7\n1234560300 6 0 0 0 0\n"
#define OR_HEAD                                                                                                        \
  "1\r\n10 5 0 0 AB 0 \r\n20 7 0 3 AB 0 \r\n30 7 0 3 1B 10 \r\n31 8 0 3 1B 10 \r\n"                                    \
  "100000000 8 0 3 AB 0 \r\n100000000 7 0 3 1B 10 \r\n100000000 7 0 3 AB 0 \r\n"
#define OR_TAIL "900000000900000 27 1 0 AB 0 \r\n900000000900001 27 1 0 AB 0 \r\n900000000900002 6 0 0 AB 0 \r\n"

/* Behind some lines of the same widths, and one that is not usual, those of these widths are alike. */
#define AND_ALIKE                                                                                                      \
  AND_HEAD                                                                                                             \
  "1234560000 1 EF0FDF 2 9 7\n1234560000 8 EF0FDF 0 9 7\n1234560000 7 EF0FDF 0 9 7\n1234560000 8 EF0FDF 0 9 7\n"        \
  "1234560000 7 EF0FDF 0 9 7\n1234560000 8 EF0FDF 0 9 7\n1234560000 7 EF0FDF 0 9 7\n1234560000 10 0 0 9 7\n"
#define TAB_HEAD                                                                                                       \
  "0\n       10 5 0 0 0 0\n       20\t7\t0\t0\t1F\t2\n       21\t7\t0\t0\t2F\t3\n"                                   \
  "\t123456789\t8\t0\t0\t1F\t2\n\t123456789\t8\t0\t0\t2F\t3\n\t123456789\t7\t0\t0\t2F\t3\n"                     \
  "\t123456789\t1\t12345678\t2\t1F\t2\n\t123456789\t7\t12345678\t0\t1F\t2\n\t123456789\t8\t12345678\t0\t1F\t2\n"  \
  "\t123456789\t7\t12345678\t0\t1F\t2\n\t123456789\t8\t12345678\t0\t1F\t2\n\t123456789 10 0 0 1F 2\n"
#define WIDE_HEAD                                                                                                      \
  "0\n       10 5 0 0 0 0\n  1234567890123456789 7 0 0 1F 2\n  1234567890123456789 7 0 0 2F 3\n"                     \
  "  1234567890123456789 8 0 0 2F 3\n  1234567890123456789 1 EF0FDF 2 1F 2\n  1234567890123456789 7 EF0FDF 0 1F 2\n"  \
  "  1234567890123456789 8 EF0FDF 0 1F 2\n  1234567890123456789 7 EF0FDF 0 1F 2\n  1234567890123456789 10 0 0 1F 2\n"
/* The same with numbers that are longer than eight digits. */
#define LONG_HEAD                                                                                                      \
  "0\n       10 5 0 0 0 0\n       20 7 0 3 7F3A0000001F 1\n       22 7 0 3 7F3A00000009 7\n"                          \
  "1234560000 8 0 3 7F3A0000001F 1\n1234560000 8 0 3 7F3A00000009 7\n1234560000 7 0 3 7F3A0000001F 1\n"               \
  "1234560000 7 0 3 7F3A00000009 7\n1234560000 8 0 3 7F3A0000001F 1\n1234560000 1 7F3A00EF0FDF 2 7F3A00000009 7\n"    \
  "1234560000 8 7F3A00EF0FDF 0 7F3A00000009 7\n1234560000 7 7F3A00EF0FDF 0 7F3A00000009 7\n"                         \
  "1234560000 8 7F3A00EF0FDF 0 7F3A00000009 7\n1234560000 7 7F3A00EF0FDF 0 7F3A00000009 7\n"                         \
  "1234560000 8 7F3A00EF0FDF 0 7F3A00000009 7\n1234560000 10 0 0 7F3A00000009 7\n"
#define ZEROS_HEAD                                                                                                     \
  "0\n       10 5 0 0 0 0\n       20 7 0 3 1F 1\n       22 7 0 3 9 7\n1234560000 8 0 3 1F 1\n1234560000 8 0 3 9 7\n"  \
  "1234560000 7 0 3 1F 1\n1234560000 7 0 3 9 7\n1234560000 1 0000000000EF0FDF 2 9 7\n"                                \
  "1234560000 8 0000000000EF0FDF 0 9 7\n1234560000 7 0000000000EF0FDF 0 9 7\n1234560000 8 0000000000EF0FDF 0 9 7\n"   \
  "1234560000 7 0000000000EF0FDF 0 9 7\n1234560000 8 0000000000EF0FDF 0 9 7\n1234560000 10 0 0 9 7\n"
#define OR_ALIKE                                                                                                       \
  OR_HEAD                                                                                                              \
  "100000000 20 1 2 AB 0 \r\n100000000 27 1 0 AB 0 \r\n100000000 27 1 0 AB 0 \r\n100000000 27 1 0 AB 0 \r\n"            \
  "100000000 27 1 0 AB 0 \r\n100000000 27 1 0 AB 0 \r\n100000000 10 0 0 AB 0 \r\n"

static const struct
{
  const char *head, *lines, *tail;
} trace_parts[] = {
  { AND_HEAD,
    "1234560001 1 EF0FDF 12 0 0\n1234560002 2 EF0FDF 0 1F 1\n1234560003 2 EF0FDF 11 C0FFEE 12\n"
    "1234560003 3 EF0FDF 11 C0FFEE 12\n1234560005 3 EF0FDF 0 1F 1\n1234560006 4 EF0FDF 12 0 0\n"
    "1234560007 1 ef0fdf 1 0 0\n1234560008 2 EF0FDF 0 9 7\n",
    AND_TAIL },
  { OR_HEAD,
    "100000000 20 1 3 AB 0 \r\n200000000 21 1 0 AB 0 \r\n300000000 21 1 1 1B 10 \r\n300000100 24 1 1 1B 10 \r\n"
    "300000101 25 1 1 1B 10 \r\n300000102 26 1 2 AB 0 \r\n400000000 20 12345678 1 AB 0 \r\n"
    "400000001 22 1 1 1B 10 \r\n400000002 21 12345678 0 AB 0 \r\n400000003 33 12345678 0 1B 10 \r\n"
    "400000004 34 12345678 0 1B 10 \r\n400000005 23 12345678 0 AB 0 \r\n",
    OR_TAIL },
  /* the same with more blanks, and with tabulators */
  { AND_HEAD,
    "1234560001  1 EF0FDF  12   0 0 \n1234560002 \t2 EF0FDF 0 1F 1\n 1234560003\t2\tEF0FDF\t11\tC0FFEE\t12\n"
    "1234560003 3   EF0FDF 11 C0FFEE  12  \n1234560005  3 EF0FDF 0 1F 1\r\n1234560006 4 EF0FDF  12 0  0\t\n"
    "\t\t1234560007   1 ef0fdf 1 0 0\n1234560008 2  EF0FDF 0 9      7\n1234560009 2 EF0FDF 0 12345678 12  \n"
    "1234560010  1 12345678  1  1F  1\n1234560011  2  12345678  0  0  0\n",
    AND_TAIL },
  { OR_HEAD,
    "100000000 20  1 3 AB 0  \r\n200000000\t21 1 0 AB 0 \r\n300000000 21 1\t1 1B 10\r\n300000100 24 1 1 1B  10 \r\n"
    "300000101 25 1 1   1B 10 \n300000102 26 1 2 AB\t0 \r\n400000000 20 12345678  1 AB 0 \r\n"
    "400000001 22 1 1 1B 10\t\r\n400000002 21  12345678 0 AB 0 \r\n400000003  33 12345678  0 1B  10 \r\n"
    "400000004 34 12345678 0   1B 10 \r\n400000005 23 12345678\t\t0 AB 0 \r\n",
    OR_TAIL },
  { AND_ALIKE,
    "1234560001 2 EF0FDF 0 9 7\n1234560002 3 EF0FDF 0 9 7\n1234560003 2 ef0fdf 1 9 7\n1234560004 3 EF0FDF 1 9 7\n"
    "1234560005 4 EF0FDF 2 9 7\n1234560006 1 EF0FD 2 9 7\n1234560007 1 ABCDEF 2 9 7\n1234560008 2 ABCDEF 0 9 7\n",
    AND_TAIL },
  { TAB_HEAD,
    "\t123456790\t2\t12345678\t0\t1F\t2\n\t123456791\t2\t12345678\t1\t2F\t3\n\t123456792\t3\t12345678\t1\t2F\t3\n"
    "\t123456793\t3\t12345678\t0\t1F\t2\n\t123456794\t4\t12345678\t2\t1F\t2\n\t123456795\t1\t12345678\t2\t1F\t2\n"
    "\t123456796\t1\t12345679\t2\t1F\t2\n",
    "\t123456799\t7\t0\t0\t2F\t3\n\t123456799\t8\t0\t0\t2F\t3\n\t123456799\t8\t0\t0\t2F\t3\n"
    "\t123456799\t8\t0\t0\t2F\t3\n\t123456799\t6\t0\t0\t2F\t3\n" },
  { WIDE_HEAD,
    "  1234567890123456790 2 EF0FDF 0 1F 2\n  1234567890123456791 2 EF0FDF 1 2F 3\n  1234567890223456792 3 EF0FDF 1 2F 3\n"
    "1234567890223456793 3 EF0FDF 0 1F 2\n 001234567890223456794 4 EF0FDF 2 1F 2\n  1234567890223456795 1 EF0FDF 1 1F 2\n",
    "  1234567890223456799 7 0 0 2F 3\n  1234567890223456799 8 0 0 2F 3\n  1234567890223456799 8 0 0 2F 3\n"
    "  1234567890223456799 8 0 0 2F 3\n  1234567890223456799 6 0 0 2F 3\n" },
  { LONG_HEAD,
    "1234560001 2 7F3A00EF0FDF 0 7F3A00000009 7\n1234560002 3 7F3A00EF0FDF 0 7F3A00000009 7\n"
    "1234560003 2 7F3a00ef0fdf 1 7F3A00000009 7\n1234560004 3 7F3A00EF0FDF 1 7F3A00000009 7\n"
    "1234560005 4 7F3A00EF0FDF 2 7F3A00000009 7\n1234560006 1 7F3A1BABCDEF 1 7F3A00000009 7\n"
    "1234560007 2 7F3A1BABCDEF 0 7F3A00000009 7\n1234560008 3 7F3A1BABCDEF 0 7F3A00000009 7\n"
    "1234560009 4 7F3A1BABCDEF 1 7F3A00000009 7\n1234560010 1 7F3A1BABCDE  1 7F3A00000009 7\n"
    "1234560011 2 7F3A1BABCDE 0 7F3A00000009 7\n",
    "1234560200 8 0 3 7F3A0000001F 1\n1234560201 8 0 3 7F3A00000009 7\n1234560202 8 0 3 7F3A00000009 7\n"
    "1234560300 6 0 0 0 0\n" },
  { ZEROS_HEAD,
    "1234560001 2 0000000000EF0FDF 0 9 7\n1234560002 3 0000000000ef0fdf 0 9 7\n"
    "1234560004 4 0000000000EF0FDF 2 9 7\n1234560006 1 0000000000ABCDEF 1 9 7\n"
    "1234560007 2 0000000000ABCDEF 0 9 7\n",
    AND_TAIL },
  { OR_ALIKE,
    "100000001 21 1 0 AB 0 \r\n100000002 24 1 0 AB 0 \r\n100000003 25 1 0 AB 0 \r\n100000004 22 1 0 AB 0 \r\n"
    "100000005 20 2 2 AB 0 \r\n100000006 21 2 1 AB 0 \r\n100000007 23 2 1 AB 0 \r\n100000008 26 2 0 AB 0 \r\n",
    OR_TAIL },
  /* ids of more than 32 bits, one that is used again, and a short one with zeros in front */
  { AND_HEAD,
    "1234560001 1 7F3A00EF0FDF 2 0 0\n1234560002 2 7f3a00ef0fdf 0 1F 1\n1234560003 2 00007F3A00EF0FDF 1 9 7\n"
    "1234560004 3 7F3A00EF0FDF 0 1F 1\n1234560005 3 7F3A00EF0FDF 1 9 7\n1234560006 4 7F3A00EF0FDF 2 0 0\n"
    "1234560007 1 7F3A00EF0FDF 1 0 0\n1234560008 2 7F3A00EF0FDF 0 9 7\n1234560009 1 000EF0FDF 1 9 7\n"
    "1234560010 2 EF0FDF 0 0 0\n",
    AND_TAIL },
};

#define SLICES 8 /* of each trace: a test has but a few seconds */

START_TEST (the_quick_way_reads_the_same)
{
  static const char bytes[] = "\0\001\t\n\r !/09:@AFGafg-\260\377";
  const char       *head = trace_parts[_i / SLICES].head, *lines = trace_parts[_i / SLICES].lines;
  g_autofree char  *text = g_strconcat (head, lines, trace_parts[_i / SLICES].tail, NULL);
  gsize             begin = strlen (head), end = begin + strlen (lines), length = strlen (text);

  compare_ways (text, length);
  for (gsize at = begin + (gsize) _i % SLICES; at < end; at += SLICES)
    {
      g_autofree char *without = g_strdup (text);
      g_autofree char *twice = g_strdup_printf ("%.*s%s", (int) at + 1, text, text + at);
      const char       before[] = { text[at], text[at + 1] };

      memmove (without + at, text + at + 1, length - at);
      compare_ways (without, length - 1);
      compare_ways (twice, length + 1);
      for (gsize i = 0; i + 1 < sizeof bytes; i++)
        {
          text[at] = bytes[i];
          compare_ways (text, length);
          text[at + 1] = bytes[i];
          compare_ways (text, length);
          memcpy (text + at, before, sizeof before);
        }
    }
}
END_TEST

/* Lines that the quick reader must leave alone, or take as they are meant, each behind others that it takes. */
START_TEST (odd_lines_are_read_the_same)
{
  static const char *const odd[] = {
    "1234560001 7 0 3 1F 1 \n",         "1234560001 7 0 3 1F 1\r\n",        "1234560001 7 0 3 1F 1 \r\n",
    "1234560001 7 0 3 2F 1\n",          "1234560001 99 0 3 2F 1\n1234560002 7 0 3 2F 1\n",
    "1234560001 7 0 3 1F 1 1 1\n",      "1234560001 7 0 3 4 1F 1\n",         "1234560001 7 0 3 1F 112\n",
    "1234560001 7 0 3 F 1\n",           "1234560001  7 0 3 1F 1\n",          "1234560001 7 0 3  1F 1\n",
    "1234560001 07 0 3 1F 1\n",         "1234560001 7 0 03 1F 1\n",          "1234560001 7 0 3 01F 1\n",
    "0001234560001 7 0 3 1F 1\n",       "0000000001234560001 7 0 3 1F 1\n",  "12345600010000000000 7 0 3 1F 1\n",
    "9999999999999999 7 0 3 1F 1\n",    "20000 7 0 3 1F 1\n",                "1234560001 1 123456789 2 1F 1\n",
    "1234560001 1 00EF 2 1F 1\n1234560002 2 EF 1 1F 1\n1234560003 2 0EF 0 9 7\n1234560004 2 ef 0 9 7\n",
    "1234560001 1 0x0EF 2 1F 1\n1234560002 2 EF 1 1F 1\n1234560003 2 eF 0 9 7\n",
    "1234560001 1 100000031 2 1F 1\n1234560002 1 1 1 1F 1\n1234560003 2 1 0 9 7\n1234560004 2 100000031 1 0 0\n",
    "1234560001 20 5 2 1F 1\n1234560002 2 5 1 1F 1\n1234560003 21 5 1 9 7\n1234560004 22 5 1 9 7\n1234560005 4 5 2 9 7\n",
    ("1234560001 1 5 2 1F 1\n1234560002 2 5 0 1F 1\n1234560003 4 5 2 9 7\n1234560003 1 5 1 9 7\n1234560004 3 5 0 9 7\n"
     "1234560005 2 5 0 9 7\n1234560006 3 5 0 9 7\n1234560007 4 5 1 9 7\n1234560008 1 5 1 9 7\n"),
    /* one number too much, which could be taken for the end of another line */
    "1234560001 7 0 3 5 5\n1234560002 8 0 3 1F 1 \r\n1234560003 8 0 3 4 5 5\n",
    "1234560001 1 5 2 1F 1\n1234560002 2 5 0 1F 1\n1234560003 4 5 2 0 0\n1234560004 4 5 2 0 0\n1234560005 3 5 0 1F 1\n",
    "1234560001 1 0 2 1F 1\n1234560002 2 0 0 1F 1\n1234560003 4 0 2 9 7\n1234560003 1 0 1 9 7\n1234560004 3 0 0 9 7\n",
    /* a branch in a trace of goals, which is no fork of no goals */
    ("1234560001 1 5 1 1F 1\n1234560002 2 5 0 1F 1\n1234560003 3 5 0 1F 1\n1234560004 4 5 1 1F 1\n1234560005 20 5 2 1F 1\n"
     "1234560006 4 5 0 9 7\n1234560007 4 5 0 9 7\n"),
    "1234560001 123456789012345678 0 0 1F 1\n",
    /* nearly regular ones */
    "1234560001 1  2 1F 1\n",           "1234560001 1  5 2 1F 1\n",         "1234560001 1 5  2 1F 1\n",
    "1234560001 1 5  1F 1\n",           "1234560001 1 5 2  1F 1\n",         "1234560001 1  1F 1\n1234560001 2 5 2 1F 1\n",
    "1234560001 1 5 1F 1\n",            "1234560001 1 12 1F 1\n",           "1234560001 5 2 1F 1\n",
    " 234560001 7 0 3 1F 1\n",          "1 34560001 7 0 3 1F 1\n",          "12345 0001 7 0 3 1F 1\n",
    "123456000  7 0 3 1F 1\n",          "12345600017 0 3 1F 1\n",           "1234560001\t7 0 3 1F 1\n",
    "1234560001 1 12\n45 2 1F 1\n",     "1234560001 1 EF 2\n1F 1\n",        "1234560001 1\nEF 2 1F 1\n",
    "1234570001 7 0 3 1F 1\n",          "1334560001 7 0 3 1F 1\n1234560001 8 0 3 9 7\n",
    "1234567890123456 7 0 3 1F 1\n1234567890123457 7 0 3 1F 1\n1234567990123457 8 0 3 1F 1\n",
    "         1234560001 7 0 3 1F 1\n         1234560001 8 0 3 1F 1\n         1234560002 7 0 3 1F 1\n",
    "      1234560001 7 0 3 1F 1\n      1234560001 8 0 3 1F 1\n      1234560002 7 0 3 1F 1\n",
    "              1234560001 7 0 3 1F 1\n              1234560001 8 0 3 1F 1\n              1234560002 7 0 3 1F 1\n",
    ("               1234560001 7 0 3 1F 1\n               1234560001 8 0 3 1F 1\n"
     "               1234560002 7 0 3 1F 1\n1              1234560002 8 0 3 1F 1\n"),
    /* with blanks that are irregular: numbers that are too long, leading zeros, and one number too few or too many */
    "  1234560001  7  0  3  1F  1  \n",  "1234560001 7\v0 3  1F 1\n",         "1234560001 7 0\f3  1F 1\n",
    "1234560001  7 0 3 1F\r1\n",        "1234560001  7 0 3 1F 1\r\r\n",      "1234560001  7 0 3 1F 1 \r \r\n",
    "1234560001  7 0 3 01f 01\n",        "1234560001  7 0 3 1f 1\n",          "1234560001  7 0 3 1F 001\n",
    "1234560001  7 0 3 00000001F 1\n",   "1234560001  7 0 3 10000001F 1\n",   "1234560001  7 0 3 0000001F 1\n",
    "1234560001  07 0 3 1F 1\n",         "1234560001  007 0 3 1F 1\n",        "1234560001  7 0 -3 1F 1\n",
    "1234560001  7 000000000 3 1F 1\n",  "1234560001  7 0 3 1F\n1  1\n",      "1234560001  7 0 3\n1F  1  1\n",
    "1234560001  7  0 3 1F 1 1\n",       "\n  \n\t\n",                        "1234560001  7 0 3 1F 1x\n",
    "0001234560001  7 0 3 1F 1\n",       "0000001234560001  7 0 3 1F 1\n",    "00000001234560001  7 0 3 1F 1\n",
    "12345x0001  7 0 3 1F 1\n",          "x234560001  7 0 3 1F 1\n",          "  -1234560001  7 0 3 1F 1\n",
    /* 63, 64 and 65 bytes */
    "1234560001  7                    0                     3 1F   1\n",
    "1234560001  7                    0                     3 1F    1\n",
    "1234560001  7                    0                     3 1F     1\n",
    /* 0x in front */
    "1234560001 1 0xEF 2 0x1F 1\n1234560002 2 0XEF 0 0X1f 1\n1234560003 2 EF 1 9 7\n1234560004 3 0xef 0 0x1F 1\n",
    "1234560001 1 0x 2 1F 1\n1234560002 1 0x12345678 2 0x1F 1\n1234560003 2 12345678 1 0x 1\n1234560004 2 x1 1 1F 1\n",
    "1234560001 1 0x0x1 2 1F 1\n1234560002 1 0x123456789 2 0x0x1F 1\n1234560003 2 0x123456789 1 0x00000001F 1\n",
    /* ids and WAMs of eight digits, and in other letters */
    "1234560001  1 EF0FDF01  2 1F 1\n1234560002 2  ef0fdf01 1 1F 1\n1234560003  2 0EF0FDF01 0 9 7\n",
    "1234560001  7 0 3 ABCDEF01 5\n1234560002  7 0 3 abcdef01 5\n1234560003  8 0 3 ABCDEF01 5\n1234560004 8  0 3 ABCDEF0 5\n",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (odd); i++)
    {
      g_autofree char *text = g_strconcat (AND_HEAD, odd[i], AND_TAIL, NULL);
      g_autofree char *later = g_strconcat (AND_HEAD, "1234560000 1 EF0FDF 12 0 0\n", odd[i], odd[i], AND_TAIL, NULL);
      g_autofree char *cold = g_strconcat (AND_COLD, odd[i], AND_TAIL, NULL);

      compare_ways (text, strlen (text));
      compare_ways (later, strlen (later));
      compare_ways (cold, strlen (cold));
    }
}
END_TEST

/* A blank in front of five numbers is no time, where none was learned: those before have too many blanks. */
START_TEST (five_numbers_are_no_six)
{
  static const char text[] = "0\n                        0 5 0 0 0 0\n                        0 7 0 3 0 0\n"
                             "                        0 8 0 3 0 0\n                        0 7 0 3 0 0\n"
                             " 8 0 3 0 0\n 7 0 3 0 0\n                        0 8 0 3 0 0\n"
                             "                        1 6 0 0 0 0\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
                             "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n";
  g_autoptr (VisReading) reading = vis_reading_new (text, -1, 0, 0, NULL);

  ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_BAD_EVENT].count, 2);
  compare_ways (text, strlen (text));
}
END_TEST

/* Nor are they an id, however often they come. */
START_TEST (zero_bytes_are_no_id)
{
  g_autofree char *text
      = g_strdup (AND_COLD "1234560001 1 12345678 2 1F 1\n1234560002  1 ######## 2 1F 1\n1234560003 1 ######## 2 1F 1\n"
                           "1234560004 1 9 2 1F 1\n" AND_TAIL);
  gsize length = strlen (text);

  for (gsize i = 0; i < length; i++)
    if (text[i] == '#')
      text[i] = '\0';
  compare_ways (text, length);
}
END_TEST

/* Nor do they make a long id one of fewer digits, which has a blank behind it: where an id of eight digits is expected, `A '
 * and six of them look like that of node A. With each blank between the numbers, and both within. */
START_TEST (zero_bytes_are_no_short_id)
{
  g_autoptr (GString) text = g_string_new ("0\n1234560000 5 0 0 1F 1\n1234560000 1 A 2 1F 1\n");
  guint time = 1234560000;

  for (guint i = 0; i < 600; i++, time++)
    g_string_append_printf (text, "%u 1 1234567%u 1 1F 1\n%u 2 1234567%u 0 1F 1\n", time, i % 8, time, i % 8);
  for (guint i = 0; i < 2; i++, time++)
    g_string_append_printf (text, "%u %u A%c###### 0 1F 1\n", time, 2 + i, _i & 1 ? '\t' : ' ');
  for (guint i = 0; i < 20; i++, time++)
    g_string_append_printf (text, "%u 1 1234567%u 1 1F 1\n", time, i % 8);
  for (gsize i = 0; i < text->len; i++)
    if (text->str[i] == '#')
      text->str[i] = '\0';
    else if (text->str[i] == ' ' && (_i & 2) && text->str[i + 1] != '#')
      text->str[i] = '\t';
  compare_ways (text->str, text->len);
}
END_TEST

/* Zero bytes are no digits, where the digits in front of the last eight are those of no time before. */
START_TEST (zero_bytes_are_no_digits)
{
  g_autofree char *text = g_strdup (AND_COLD "##34560001 7 0 3 1F 1\n" AND_TAIL);
  gsize            length = strlen (text);

  memset (strstr (text, "##"), 0, 2);
  compare_ways (text, length);
}
END_TEST

/* Nor those of a WAM that was not read before. */
START_TEST (zero_bytes_are_no_wam)
{
  g_autofree char *text = g_strdup ("0\n1234560000 5 0 0 1F 1\n1234560001  7 0 3 ######## 1\n" AND_TAIL);
  gsize            length = strlen (text);

  memset (strstr (text, "####"), 0, 8);
  compare_ways (text, length);
}
END_TEST

/* Goals that follow one upon the other, with a line at each tick from @first on. */
static char *
goals_from (gint64 first, guint n_goals, const char *before, const char *behind)
{
  static const char *const events[] = { "1 A 1", "2 A 0", "3 A 0", "4 A 1" };
  GString *text = g_string_new ("0\n");
  gint64   time = first;

  g_string_append_printf (text, "%s%" G_GINT64_FORMAT " 5 0 0 1F 1%s\n", before, time, behind);
  for (guint i = 0; i < n_goals * G_N_ELEMENTS (events); i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT " %s 1F 1%s\n", before, ++time, events[i % 4], behind);
  g_string_append_printf (text, "%s%" G_GINT64_FORMAT " 6 0 0 1F 1%s\n", before, ++time, behind);
  return g_string_free (text, FALSE);
}

#define TIME_LIMIT (G_GINT64_CONSTANT (1) << 61)

/* Times of all widths, which grow by a digit or are carried to the ninth one from behind, up to the last one that can
 * be held: with as many blanks or zeros in front as the quick reader takes, and one more. */
START_TEST (times_may_have_any_width)
{
  static const gint64 firsts[] = {
    0,
    G_GINT64_CONSTANT (99999900),
    G_GINT64_CONSTANT (9999999999999900),
    G_GINT64_CONSTANT (99999999999999900),
    G_GINT64_CONSTANT (999999999999999900),
    G_GINT64_CONSTANT (1700000000099999900),
    TIME_LIMIT - 401,
  };
  static const char *const before[] = { "", "  ", "\t", "     ", "      ", "00000", "000000", "  000" };
  static const char *const behind[] = { "", " ", "\r", "  \r" };
  const TsOptions          plain = { .no_scanner = TRUE };

  for (guint i = 0; i < G_N_ELEMENTS (before) * G_N_ELEMENTS (behind); i++)
    {
      g_autofree char       *text = goals_from (firsts[_i], 100, before[i / 4], behind[i % 4]);
      g_autoptr (VisReading) quick = vis_reading_new (text, -1, 0, 0, NULL);
      g_autoptr (VisReading) general = vis_reading_new (text, -1, 0, 0, &plain);
      g_autofree char       *found = vis_reading_dump (quick);
      g_autofree char       *expected = vis_reading_dump (general);

      ck_assert_ptr_null (quick->error);
      ck_assert_str_eq (found, expected);
      ck_assert_int_eq (quick->last_event, firsts[_i] + 401);
      /* nothing runs between FORK and START_GOAL, nor between FINISH_GOAL and JOIN: for 2 * 100 of the ticks */
      expect_cell (quick, "parallelism", 0, "goals", "100");
      expect_cell (quick, "parallelism", 0, "window", "401");
      expect_cell (quick, "parallelism", 0, "work", "201");
    }
}
END_TEST

/* Such lines behind those at the limit; an overflow of 64 bits would make a time from these numbers, which are the limit
 * and 2^64, or 2^64 * 50000, and so would the loss of the first of 25 digits. */
START_TEST (times_beyond_the_limit_are_an_error)
{
  static const char *const times[] = { "2305843009213693953",       "2306000000000000000",      "9223372036854775808",
                                       "20752587082923245568",      "0020752587082923245568",   "922339509528486794493952",
                                       "1000002305843009213693952", "0000002305843009213693953" };
  static const char *const behind[] = { " 7 0 0 1F 1\n", "  7  0 0 1F 1\n" };
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < 2 * G_N_ELEMENTS (times); i++)
    {
      g_autoptr (VisReading) reading = NULL;

      g_string_assign (text, AND_HEAD);
      for (guint k = 0; k < 5; k++)
        g_string_append_printf (text, "%" G_GINT64_FORMAT " 8 0 0 1F 1\n", TIME_LIMIT);
      for (guint k = 0; k < 5; k++)
        g_string_append_printf (text, "%s%s", times[i / 2], behind[i % 2]);
      reading = vis_reading_new (text->str, -1, 0, 0, NULL);
      ck_assert_ptr_nonnull (reading->error);
      ck_assert_str_eq (reading->error->message, "x.vis:19: the time is beyond 2^61");
    }
}
END_TEST

/* Ids of more than 32 bits are no others' shorter ones, nor what those look like in memory: `1 ' is 0x2031 there. */
START_TEST (long_ids_are_ids_of_their_own)
{
  static const char *const ids[] = { "100000031", "1", "31", "2031", "100002031", "FFFFFFFFFFFFFFFF", "FFFFFFFF", "0" };
  g_autoptr (GString) text = g_string_new ("0\n10 5 0 0 0 0\n");
  const TsDiagnostic *entries;
  guint               time = 10;

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    g_string_append_printf (text, "%u 1 %s 1 0 0\n%u 2 %s 0 0 0\n", time + 1, ids[i], time + 2, ids[i]), time += 2;
  for (guint i = G_N_ELEMENTS (ids); i-- > 0; time += 2)
    g_string_append_printf (text, "%u 3 %s 0 0 0\n%u 4 %s 1 0 0\n", time + 1, ids[i], time + 2, ids[i]);
  g_string_append_printf (text, "%u 6 0 0 0 0\n", time + 1);
  for (gsize chunk = 0; chunk < 2; chunk++)
    {
      g_autoptr (VisReading) reading = vis_reading_new (text->str, -1, chunk, 0, NULL);

      entries = reading->diagnostics->entries;
      ck_assert_ptr_null (reading->error);
      ck_assert_uint_eq (entries[TS_DIAGNOSTIC_NODE_OPEN].count, 0);
      ck_assert_uint_eq (entries[TS_DIAGNOSTIC_UNKNOWN_NODE].count, 0);
      ck_assert_uint_eq (entries[TS_DIAGNOSTIC_REUSED_NODE].count, 0);
      /* nothing runs between FORK and START_GOAL, nor between FINISH_GOAL and JOIN: for 2 * 8 of the ticks */
      expect_cell (reading, "parallelism", 0, "goals", "8");
      expect_cell (reading, "parallelism", 0, "window", "33");
      expect_cell (reading, "parallelism", 0, "work", "17");
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("visandor-figures");
  TCase *tests = tcase_create ("figures");

  tcase_add_loop_test (tests, parallelism_is_cut_at_the_analysis_window, 0, 6);
  tcase_add_test (tests, what_is_at_one_instant_is_not_parallel);
  tcase_add_loop_test (tests, a_fork_may_be_withdrawn_late, 0, 14);
  tcase_add_loop_test (tests, a_withdrawn_activation_is_no_part_of_per, 0, 4);
  tcase_add_loop_test (tests, a_second_trace_is_told_and_not_used, 0, 6);
  tcase_add_loop_test (tests, the_quick_way_reads_the_same, 0, SLICES * (int) G_N_ELEMENTS (trace_parts));
  tcase_add_test (tests, odd_lines_are_read_the_same);
  tcase_add_test (tests, five_numbers_are_no_six);
  tcase_add_test (tests, zero_bytes_are_no_digits);
  tcase_add_test (tests, zero_bytes_are_no_id);
  tcase_add_loop_test (tests, zero_bytes_are_no_short_id, 0, 4);
  tcase_add_test (tests, zero_bytes_are_no_wam);
  tcase_add_loop_test (tests, times_may_have_any_width, 0, 7);
  tcase_add_test (tests, times_beyond_the_limit_are_an_error);
  tcase_add_test (tests, long_ids_are_ids_of_their_own);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
