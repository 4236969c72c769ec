/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "report/text.h"
#include "writers-fixture.h"
#include "unit.h"

/* The summary for people. */

START_TEST (text_is_a_summary)
{
  ts_diagnostics_add (writers_report.diagnostics, TS_DIAGNOSTIC_PENDING, 0, NULL);
  ts_diagnostics_add (writers_report.diagnostics, TS_DIAGNOSTIC_OVERLAP, 12, "%s", "Guru");
  ts_diagnostics_add (writers_report.diagnostics, TS_DIAGNOSTIC_OVERLAP, 99, NULL);
  writers_report.exact = FALSE;
  writers_assert ("text",
                  "a.xml\n"
                  "\n"
                  "CET core execution time, RT response time\n"
                  "                -- CET [us] --   ----- RT [ms] -----\n"
                  "  element   n   min  mean  max     min   mean    max\n"
                  "  Guru      4    96   269  778   0.286  0.554  1.088\n"
                  "    in,ner  1    22    22   22   -      -      -\n"
                  "  ISR \"1\"   0     -     -    -   -      -      -\n"
                  "\n"
                  "JIT jitter (P: configured)\n"
                  "             ----- JIT [%] -----\n"
                  "  element      min   mean    max\n"
                  "  Guru        -      -      -\n"
                  "    in,ner   33.33  33.33  33.33\n"
                  "\n"
                  "Load\n"
                  "  core  #...............................   2.76 %   1.27 of 46.08 ms\n"
                  "\n"
                  "Worst response times\n"
                  "  element  RT [ms]  at [ms]  instance\n"
                  "  Guru       1.088     4.99         2\n"
                  "\n"
                  "Diagnostics\n"
                  "  defect   2  overlap: two tasks run on one resource at the same time; both were taken as running,\n"
                  "              but for what has lost its end; --infer-preemption stacks them\n"
                  "              first at a.xml:12: Guru\n"
                  "  note     1  pending-activation: an activation was still waiting when the section ended; it counts\n"
                  "              for PER and ST\n"
                  "              at a.xml\n");
}
END_TEST

/* JIT relates to something else for the ISR. What it would relate to for Guru does not matter: there is no sample. */
START_TEST (the_p_of_jitter_is_told)
{
  TsReportElement *guru = g_ptr_array_index (writers_block.elements, 0);
  TsReportElement *inner = g_ptr_array_index (writers_block.elements, 1);
  TsReportElement *isr = g_ptr_array_index (writers_block.elements, 2);
  TsMetricResult  *jitter = (TsMetricResult *) isr->metrics[TS_METRIC_JIT];
  g_autofree char *same = NULL, *different = NULL;

  writers_options.metrics = 1u << TS_METRIC_DT | 1u << TS_METRIC_PER | 1u << TS_METRIC_ST | 1u << TS_METRIC_JIT;
  ((TsMetricResult *) guru->metrics[TS_METRIC_JIT])->reference = "activation";
  same = writers_write ("text");
  ck_assert_msg (strstr (same, "\nJIT jitter (P: configured)\n") != NULL, "%s", same);
  *jitter = (TsMetricResult){ .n = 1, .min = { -1, 4 }, .mean = { -1, 4 }, .max = { -1, 4 }, .reference = "start" };
  different = writers_write ("text");
  ck_assert_msg (strstr (different, "JIT jitter\n"
                                    "             ------ JIT [%] -------   --- P ----\n"
                                    "  element       min    mean     max   of JIT\n"
                                    "  Guru         -       -       -\n"
                                    "    in,ner    33.33   33.33   33.33   configured\n"
                                    "  ISR \"1\"    -25     -25     -25      start\n") != NULL, "%s", different);
  g_clear_pointer (&same, g_free);
  ((TsMetricResult *) inner->metrics[TS_METRIC_JIT])->reference = "start";
  same = writers_write ("text");
  ck_assert_msg (strstr (same, "\nJIT jitter (P: start)\n") != NULL, "%s", same);
}
END_TEST

START_TEST (no_name_drives_the_terminal)
{
  TsReportElement *element = g_ptr_array_index (writers_block.elements, 0);
  g_autofree char *text = NULL;

  element->name = "\033[31mred\xff\n";
  text = writers_write ("text");
  ck_assert_ptr_null (strchr (text, '\033'));
  ck_assert_ptr_nonnull (strstr (text, "?[31mred\xef\xbf\xbd?"));
}
END_TEST

START_TEST (colours_change_nothing_else)
{
  g_autofree char    *plain = writers_write ("text");
  g_autofree char    *coloured = NULL;
  g_autoptr (GString) stripped = g_string_new (NULL);

  writers_options.colour = TRUE;
  coloured = writers_write ("text");
  ck_assert_ptr_nonnull (strstr (coloured, "\033[1m"));
  for (const char *p = coloured; *p != '\0'; p++)
    if (*p == '\033')
      p = strchr (p, 'm');
    else
      g_string_append_c (stripped, *p);
  ck_assert_str_eq (stripped->str, plain);
}
END_TEST

START_TEST (no_line_is_wider_than_the_terminal)
{
  TsReportElement *element = g_ptr_array_index (writers_block.elements, 1);
  g_autofree char *text = NULL;
  g_auto (GStrv)   lines = NULL;

  element->name = "a_name_that_is_much_too_long_for_a_terminal_and_still_ends_with_what_tells_it_from_others";
  writers_options.unicode = TRUE;
  writers_options.width = 70;
  text = writers_write ("text");
  ck_assert_ptr_nonnull (strstr (text, "\xe2\x80\xa6"));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    ck_assert_uint_le (ts_text_width (lines[i]), 70);
}
END_TEST

START_TEST (names_are_shortened_in_the_middle)
{
  static const struct
  {
    const char *text;
    guint       width;
    gboolean    unicode;
    const char *expected;
  } cases[] = {
    { "abcdef", 6, TRUE, "abcdef" },
    { "abcdefg", 6, TRUE, "abc\xe2\x80\xa6" "fg" },
    { "abcdefg", 6, FALSE, "ab..fg" },
    { "\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2", 5, TRUE, "\xe6\xbc\xa2\xe2\x80\xa6\xe6\xbc\xa2" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = ts_text_shorten (cases[i].text, cases[i].width, cases[i].unicode);

      ck_assert_str_eq (text, cases[i].expected);
    }
}
END_TEST

static char *
text_of_grid (const TsTextStyle *style, const TsTable *table)
{
  GString *out = g_string_new (NULL);
  TsOutput output;

  ts_output_init (&output, ts_sink_to_text (out));
  ts_text_grid (&output, style, table);
  ck_assert (ts_output_finish (&output, NULL));
  return g_string_free (out, FALSE);
}

/* A table of a time and a moment, both in nanoseconds, as text. */
static char *
grid_of (const gint64 (*rows)[2], guint n_rows, double span)
{
  static const TsColumn columns[] = { { "name", "name" }, { "max", "RT" }, { "at", "at" } };
  const TsTimeBase      base = { 1, 1, -9, 1, TRUE };
  const TsTextStyle     style = { &base, TS_UNIT_FITTING, FALSE, FALSE, 100, span };
  TsTable              *table = ts_table_new ("t", NULL, TS_TABLE_LIST, TS_FOR_PEOPLE, columns, G_N_ELEMENTS (columns));
  char                 *text;

  for (guint i = 0; i < n_rows; i++)
    {
      ts_table_begin_row (table, 0);
      ts_table_add_text (table, "x");
      ts_table_add_time (table, (TsRational){ rows[i][0], 1 });
      ts_table_add_time (table, (TsRational){ rows[i][1], 1 });
    }
  text = text_of_grid (&style, table);
  ts_table_free (table);
  return text;
}

/* Each row of numbers, by @add, in a column of their unit, is what stands behind it. */
static void
expect_rows (const TsTextStyle *style, TsRational (*rows)[2], guint n_rows, void (*add) (TsTable *table, TsRational number),
             const char *expected)
{
  static const TsColumn columns[] = { { "name", "name" }, { "min", "min", "CET" }, { "max", "max", "CET" } };
  TsTable              *table = ts_table_new ("t", NULL, TS_TABLE_LIST, TS_FOR_PEOPLE, columns, G_N_ELEMENTS (columns));
  g_autofree char      *text = NULL;

  for (guint i = 0; i < n_rows; i++)
    {
      ts_table_begin_row (table, 0);
      ts_table_add_text (table, "x");
      add (table, rows[i][0]);
      add (table, rows[i][1]);
    }
  text = text_of_grid (style, table);
  ts_table_free (table);
  ck_assert_str_eq (text, expected);
}

static void
expect_times (const TsTextStyle *style, TsRational (*rows)[2], guint n_rows, const char *expected)
{
  expect_rows (style, rows, n_rows, ts_table_add_time, expected);
}

/* The smallest maximum of a row is 1.5 ms, for which three places are enough: 400 ns need one more, 4 ns three. */
START_TEST (a_little_time_is_not_nothing)
{
  static TsRational rows[][2] = { { { 400, 1 }, { 1500001, 1 } },
                                  { { -4, 1 }, { 2500000, 1 } },
                                  { { 0, 1 }, { 3000000, 1 } },
                                  { { 1000, 1 }, { 12000000, 1 } } };
  const TsTimeBase  base = { 1, 1, -9, 1, TRUE };
  const TsTextStyle style = { &base, TS_UNIT_FITTING, FALSE, FALSE, 100, 0 };

  expect_times (&style, rows, G_N_ELEMENTS (rows),
                "         --- CET [ms] ----\n"
                "  name         min     max\n"
                "  x       0.0004     1.500\n"
                "  x      -0.000004   2.500\n"
                "  x       0          3\n"
                "  x       0.001     12\n");
}
END_TEST

/* What is tied stays in one line. */
START_TEST (no_line_ends_between_a_number_and_its_unit)
{
  const TsTimeBase  base = { 1, 1, -9, 1, TRUE };
  const TsTextStyle style = { &base, TS_UNIT_FITTING, FALSE, FALSE, 20, 0 };
  g_autoptr (GString) text = g_string_new ("a: ");

  ts_text_wrap (text, &style, TS_FACE_PLAIN, "1 section over" TS_TEXT_TIE "17" TS_TEXT_TIE "s, 3" TS_TEXT_TIE "b", 3, 2);
  ck_assert_str_eq (text->str, "a: 1 section\n  over 17 s, 3 b\n");
}
END_TEST

/* 80 ms get two places, with which 600 ns were nothing, 6 us one digit, that is 0.01 ms, and -14.4 us -0.01 ms. Exactly
 * 10 us are that, and 9.6 or 9.52 are not; nor are 9.96, which are 0.010 with a place more, and 0.0100 with two. */
START_TEST (a_time_of_one_digit_is_exactly_that)
{
  static TsRational rows[][2] = { { { 600, 1 }, { 80000000, 1 } },
                                  { { 6000, 1 }, { 80100000, 1 } },
                                  { { -14400, 1 }, { 80200000, 1 } },
                                  { { 10000, 1 }, { 90000000, 1 } },
                                  { { 9600, 1 }, { 90000000, 1 } },
                                  { { 9520, 1 }, { 90000000, 1 } },
                                  { { 29880, 3 }, { 90000000, 1 } },
                                  { { 30000, 3 }, { 90000000, 1 } },
                                  { { 1444000, 1 }, { 90000000, 1 } } };
  const TsTimeBase  base = { 1, 1, -9, 1, TRUE };
  const TsTextStyle style = { &base, TS_UNIT_FITTING, FALSE, FALSE, 100, 0 };

  expect_times (&style, rows, G_N_ELEMENTS (rows),
                "         -- CET [ms] --\n"
                "  name       min    max\n"
                "  x       0.0006  80\n"
                "  x       0.006   80.10\n"
                "  x      -0.014   80.20\n"
                "  x       0.01    90\n"
                "  x       0.0096  90\n"
                "  x       0.0095  90\n"
                "  x       0.0100  90\n"
                "  x       0.01    90\n"
                "  x       1.44    90\n");
}
END_TEST

/* The same where nine digits leave no places: 1.4 ns, 2 ns, 9.6, 0.04 and 10 ns, and 10.4, which may be less than 10. */
START_TEST (a_time_of_one_digit_has_places_beside_long_ones)
{
  static TsRational rows[][2] = { { { 14, 10 }, { 1234567891, 10 } },
                                  { { 2, 1 }, { 123456789, 1 } },
                                  { { 96, 10 }, { 123456789, 1 } },
                                  { { 4, 100 }, { 123456789, 1 } },
                                  { { 10, 1 }, { 123456789, 1 } },
                                  { { 104, 10 }, { 123456789, 1 } } };
  const TsTimeBase  base = { 1, 1, -9, 1, TRUE };
  const TsTextStyle style = { &base, TS_UNIT_NS, FALSE, FALSE, 100, 0 };

  expect_times (&style, rows, G_N_ELEMENTS (rows),
                "         --- CET [ns] ---\n"
                "  name     min        max\n"
                "  x       1.4   123456789\n"
                "  x       2     123456789\n"
                "  x       9.6   123456789\n"
                "  x       0.04  123456789\n"
                "  x      10     123456789\n"
                "  x      10.4   123456789\n");
}
END_TEST

/* Three places make no more than 0 of 0.0004 and of -1/30000; 0.0016 is rounded to them. */
START_TEST (a_little_share_is_not_nothing)
{
  static TsRational rows[][2] = { { { 4, 10000 }, { 3, 4 } }, { { -1, 30000 }, { 1, 3 } }, { { 0, 1 }, { 1, 4 } }, { { 16, 10000 }, { 1, 2 } } };
  const TsTimeBase  base = { 1, 1, -9, 1, TRUE };
  const TsTextStyle style = { &base, TS_UNIT_FITTING, FALSE, FALSE, 100, 0 };

  expect_rows (&style, rows, G_N_ELEMENTS (rows), ts_table_add_number,
               "         ----- CET ------\n"
               "  name         min    max\n"
               "  x       0.0004    0.750\n"
               "  x      -0.000033  0.333\n"
               "  x       0         0.250\n"
               "  x       0.002     0.500\n");
}
END_TEST

/* Between names and numbers, of which one is absent: without letters of several bytes, of which two are as wide as four
 * others, and with them. */
START_TEST (a_column_may_have_texts_and_numbers)
{
  static const TsColumn columns[] = { { "name", "name" }, { "limit", "limit" }, { "n", "n" } };
  const TsTimeBase      base = { 1, 1, -9, 1, TRUE };
  const TsTextStyle     style = { &base, TS_UNIT_FITTING, FALSE, FALSE, 100, 0 };
  TsTable *table = ts_table_new ("t", NULL, TS_TABLE_LIST, TS_FOR_PEOPLE, columns, G_N_ELEMENTS (columns));
  g_autofree char *text = NULL;

  for (guint i = 0; i < 2; i++)
    {
      ts_table_begin_row (table, 0);
      ts_table_add_text (table, "x");
      if (i == 0)
        ts_table_add_text (table, "none");
      else
        ts_table_add_integer (table, 1234567890123456789);
      ts_table_add_integer (table, 7);
    }
  text = text_of_grid (&style, table);
  ts_table_free (table);
  ck_assert_str_eq (text, "  name  limit                n\n"
                          "  x     none                 7\n"
                          "  x     1234567890123456789  7\n");
}
END_TEST

START_TEST (texts_stand_beside_numbers)
{
  static const TsColumn columns[] = { { "name", "name" }, { "p", "of", "P" }, { "n", "n", "N" }, { "x", "x", "N" } };
  static const struct
  {
    const char *name, *of;
    gint64      n; /* 0: absent */
  } rows[] = { { "x", "wide", 7 },
               { "\xc3\xa4h", "\xe6\xbc\xa2\xe5\xad\x97", 0 },
               { "y", NULL, 123 },
               { "z", "\xc3\xa4", 45 } };
  const TsTimeBase  base = { 1, 1, -9, 1, TRUE };
  const TsTextStyle style = { &base, TS_UNIT_FITTING, FALSE, FALSE, 100, 0 };
  const char *const expected[] = { "          P -   --- N ----\n"
                                   "  name   of       n      x\n"
                                   "  x      wide     7  0.500\n"
                                   "  y             123  0.500\n",
                                   "          P -   --- N ----\n"
                                   "  name   of       n      x\n"
                                   "  x      wide     7  0.500\n"
                                   "  \xc3\xa4h     \xe6\xbc\xa2\xe5\xad\x97     -  0.500\n"
                                   "  y             123  0.500\n"
                                   "  z      \xc3\xa4       45  0.500\n" };
  TsTable          *table = ts_table_new ("t", NULL, TS_TABLE_LIST, TS_FOR_PEOPLE, columns, G_N_ELEMENTS (columns));
  g_autofree char  *text = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      if (_i == 0 && i % 2 != 0)
        continue;
      ts_table_begin_row (table, 0);
      ts_table_add_text (table, rows[i].name);
      ts_table_add_text (table, rows[i].of);
      if (rows[i].n != 0)
        ts_table_add_integer (table, rows[i].n);
      else
        ts_table_add_absent (table);
      ts_table_add_number (table, (TsRational){ 1, 2 });
    }
  text = text_of_grid (&style, table);
  ts_table_free (table);
  ck_assert_str_eq (text, expected[_i]);
}
END_TEST

/* What a sink was given, and which of the pieces it refuses. */
typedef struct
{
  GString *text;
  guint    n_pieces, refused;
} Pieces;

static gboolean
take_piece (gpointer data, const char *bytes, gsize length, GError **error)
{
  Pieces *pieces = data;

  if (pieces->n_pieces++ == pieces->refused)
    {
      g_set_error_literal (error, TS_ERROR, TS_ERROR_OUTPUT, "full");
      return FALSE;
    }
  g_string_append_len (pieces->text, bytes, (gssize) length);
  return TRUE;
}

/* Lines of 15 bytes: "  x00000      0", and their ends. */
START_TEST (many_rows_are_written_in_pieces)
{
  static const TsColumn columns[] = { { "name", "name" }, { "n", "n" } };
  const guint           n_rows = 20000;
  const TsTimeBase      base = { 1, 1, -9, 1, TRUE };
  const TsTextStyle     style = { &base, TS_UNIT_FITTING, FALSE, FALSE, 100, 0 };
  TsTable              *table = ts_table_new ("t", NULL, TS_TABLE_LIST, TS_FOR_PEOPLE, columns, G_N_ELEMENTS (columns));
  g_autoptr (GString)   expected = g_string_new ("  name        n\n");
  g_autoptr (GError)    error = NULL;
  Pieces                all = { g_string_new (NULL), 0, G_MAXUINT }, some = { g_string_new (NULL), 0, 2 };
  TsOutput              output;

  for (guint i = 0; i < n_rows; i++)
    {
      g_autofree char *name = g_strdup_printf ("x%05u", i);

      ts_table_begin_row (table, 0);
      ts_table_add_text (table, name);
      ts_table_add_integer (table, i);
      g_string_append_printf (expected, "  %s  %5u\n", name, i);
    }
  ts_output_init (&output, (TsSink){ take_piece, &all });
  ts_text_grid (&output, &style, table);
  ck_assert (ts_output_finish (&output, NULL));
  ck_assert_str_eq (all.text->str, expected->str);
  ck_assert_uint_eq (all.n_pieces, (expected->len + TS_OUTPUT_PIECE - 1) / TS_OUTPUT_PIECE);

  /* nothing is written behind what failed */
  ts_output_init (&output, (TsSink){ take_piece, &some });
  ts_text_grid (&output, &style, table);
  ck_assert (!ts_output_finish (&output, &error));
  ck_assert_str_eq (error->message, "full");
  ck_assert_uint_eq (some.n_pieces, 3);
  ck_assert (g_str_has_prefix (expected->str, some.text->str));
  ck_assert_uint_ge (some.text->len, 2 * TS_OUTPUT_PIECE);
  g_string_free (all.text, TRUE);
  g_string_free (some.text, TRUE);
  ts_table_free (table);
}
END_TEST

/* The places that a span of so many seconds needs, and as many as there are. */
START_TEST (moments_are_told_apart)
{
  static const gint64 since_1970[][2] = { { 1000, 1700000000123456789 }, { 2000, 1700000000523456789 } };
  static const gint64 near[][2] = { { 1000, 1700000000000000001 }, { 2000, 1700000000000000003 } };
  static const gint64 hours[][2] = { { 1000, 3600000000000 }, { 2000, 7200500000000 } };
  static const gint64 same[][2] = { { 1000, 1700000000123456789 }, { 2000, 1700000000123456789 } };
  const struct
  {
    const gint64 (*rows)[2];
    const char *expected[2];
  } cases[] = { { since_1970, { " 1700000000.123\n", " 1700000000.523\n" } },
                { near, { " 1700000000.000000001\n", " 1700000000.000000003\n" } },
                { hours, { " 3600\n", " 7200\n" } },
                { same, { " 1700000000\n", " 1700000000\n" } } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = grid_of (cases[i].rows, 2, 0);

      for (guint k = 0; k < 2; k++)
        ck_assert_msg (strstr (text, cases[i].expected[k]) != NULL, "%s", text);
      ck_assert_msg (strstr (text, "RT [us]") != NULL, "%s", text);
    }
}
END_TEST

/* One row says nothing of what tells it from others. A trace of 4 s shows three places, as it would if it began at 0
 * (2.123); one of 4 ms shows its first four digits behind the two zeros, one of them less for these (0.00346); none is
 * shown that there is not. */
START_TEST (a_single_moment_is_told_from_those_beside_it)
{
  static const gint64 one[][2] = { { 1000, 1700000000123456789 } }, round[][2] = { { 1000, 1700000000120000000 } };
  static const gint64 early[][2] = { { 1000, 123456789 } };
  const struct
  {
    const gint64 (*row)[2];
    double      span;
    const char *expected;
  } cases[] = { { one, 4e9, " 1700000000.123\n" },      { one, 4e6, " 1700000000.12346\n" },
                { one, 4, " 1700000000.123456789\n" }, { one, 4e12, " 1700000000\n" },
                { round, 4e6, " 1700000000.12\n" },    { early, 4e9, " 123.5\n" } };
  /* 400 us apart, which takes one place more than 4 ms do */
  static const gint64 near[][2] = { { 1000, 1700000000123400000 }, { 2000, 1700000000123812345 } };
  g_autofree char    *both = grid_of (near, 2, 4e6);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = grid_of (cases[i].row, 1, cases[i].span);

      ck_assert_msg (strstr (text, cases[i].expected) != NULL, "%s", text);
    }
  ck_assert_msg (strstr (both, " 1700000000.123400\n") != NULL && strstr (both, " 1700000000.123812\n") != NULL, "%s", both);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("text");
  TCase *reports = tcase_create ("reports"), *pieces = tcase_create ("pieces");

  tcase_add_checked_fixture (reports, writers_set_up, writers_tear_down);
  tcase_add_test (reports, text_is_a_summary);
  tcase_add_test (reports, the_p_of_jitter_is_told);
  tcase_add_test (reports, no_name_drives_the_terminal);
  tcase_add_test (reports, colours_change_nothing_else);
  tcase_add_test (reports, no_line_is_wider_than_the_terminal);
  tcase_add_test (pieces, names_are_shortened_in_the_middle);
  tcase_add_test (pieces, no_line_ends_between_a_number_and_its_unit);
  tcase_add_test (pieces, a_little_time_is_not_nothing);
  tcase_add_test (pieces, a_little_share_is_not_nothing);
  tcase_add_test (pieces, a_time_of_one_digit_is_exactly_that);
  tcase_add_test (pieces, a_time_of_one_digit_has_places_beside_long_ones);
  tcase_add_test (pieces, a_column_may_have_texts_and_numbers);
  tcase_add_loop_test (pieces, texts_stand_beside_numbers, 0, 2);
  tcase_add_test (pieces, many_rows_are_written_in_pieces);
  tcase_add_test (pieces, moments_are_told_apart);
  tcase_add_test (pieces, a_single_moment_is_told_from_those_beside_it);
  suite_add_tcase (suite, reports);
  suite_add_tcase (suite, pieces);
  return unit_run (suite);
}
