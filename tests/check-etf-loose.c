/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "quick-etf.h"

/* The same trace as a producer may write it who has other habits: other forms of numbers, blanks anywhere, attributes in any
 * order, or some of them only now and then. It is the same, read quickly or not. */

#define HEAD "TU MICROSECONDS\nR 0 4 false ; name=cpu\nR 17 64 true ; name=mem\n"
#define N_LINES 120

static const TsOptions by_instance = { .instance_key = (char *) "id", .object_key = (char *) "id" };

/* Lines near the end of a chunk are not read at once. */
static void
append_end (GString *text)
{
  for (guint i = 0; i < 20; i++)
    g_string_append (text, "# and that is all that there is of it\n");
}

static void
expect_trace (GString *loose, GString *plain, const TsOptions *options)
{
  g_autoptr (EtfReading) expected = NULL;
  g_autofree char       *expected_dump = NULL;

  append_end (loose);
  append_end (plain);
  expected = etf_reading_new (plain->str, (gssize) plain->len, 0, options);
  expected_dump = etf_reading_dump (expected);
  ck_assert_ptr_null (expected->error);
  for (gsize chunk = 0; chunk < 2000; chunk += 977)
    {
      g_autoptr (EtfReading) reading = etf_reading_new (loose->str, (gssize) loose->len, chunk, options);
      g_autofree char       *dump = etf_reading_dump (reading);

      quick_etf_expect_text (dump, expected_dump);
      quick_etf_expect_the_same (loose->str, loose->len, chunk, options);
    }
}

/* What random numbers need: the next one below @n. */
static guint
pick (guint *seed, guint n)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 10) % n;
}

/* Numbers; `#' is any digit but 0. */

static const struct
{
  const char *form, *plain;
} numbers[] = {
  { "#500", "#500" },           { "+#500", "#500" },           { "#.5e3", "#500" },
  { "#.5E+3", "#500" },         { "#5000e-1", "#500" },        { "#.5e03", "#500" },
  { "0#500", "#500" },          { "#500.0", "#500" },          { "#500.000e0", "#500" },
  { "#.5000000000e+003", "#500" }, { "#50000000000e-8", "#500" }, { "0.#5e3", "0.#5e3" },
  { "-#.5e3", "-#500" },        { "-#500.00", "-#500" },       { "-0#5.0E+02", "-#500" },
  { "#.25e1", "#2.5" },         { "#25e-1", "#2.5" },          { "+#.25E+01", "#2.5" },
  { "-#.25e+1", "-#2.5" },      { "#2.50", "#2.5" },           { "0.00#25e4", "0.00#25e4" },
  { "1#5678901234e-3", "1#5678901.234" }, { "1.#5678901234e9", "1#56789012.34" }, { "#12e10", "#120000000000" },
  { "#000000000000000000e-15", "#000" },
};

static void
append_number (GString *text, const char *form, guint digit)
{
  for (; *form != '\0'; form++)
    g_string_append_c (text, *form == '#' ? (char) ('0' + digit) : *form);
}

START_TEST (numbers_of_any_form)
{
  for (guint more = 0; more < 3; more++)
    {
      g_autoptr (GString) loose = g_string_new (HEAD), plain = g_string_new (HEAD);

      for (int i = 0; i < N_LINES; i++)
        for (guint is_plain = 0; is_plain < 2; is_plain++)
          {
            GString           *text = is_plain ? plain : loose;
            g_autoptr (GString) time = g_string_new (NULL);
            /* a few others, in between, or none */
            guint form = i % 10 == 9 && more > 0 ? (more == 1 ? 0 : (guint) i % G_N_ELEMENTS (numbers)) : (guint) _i;

            append_number (time, is_plain ? numbers[form].plain : numbers[form].form, 1 + (guint) i % 9);
            g_string_append_printf (text, "C %d %s %s 0 1 ; name=A%d, id=%d\n", i, time->str, time->str, i % 3, i);
            g_string_append_printf (text, "E %d %s ; name=B%d, id=%d\n", i, time->str, i % 3, i);
          }
      expect_trace (loose, plain, &by_instance);
    }
}
END_TEST

/* Lines of a few shapes in turn, as where several producers write one trace, or zeros behind a point are left out. Their
 * numbers become longer now and then, one shape after the other. */
static const struct
{
  const char *blank, *zeros, *more_zeros, *separator;
} shapes[] = {
  { " ", "", "", " ; " },
  { "  ", "", "", " ; " },
  { " ", "00", "000", "; " },
  { "\t", "", "0", ";" },
};

START_TEST (shapes_in_turn)
{
  for (guint step = 1; step < 2000000; step *= 11)
    {
      g_autoptr (GString) loose = g_string_new (HEAD), plain = g_string_new (HEAD);
      guint               seed = step, time = 900;

      for (guint i = 0; i < 900; i++)
        {
          guint shape = pick (&seed, (guint) _i) + (i > 600), end = time + pick (&seed, 2 * step);

          for (guint is_plain = 0; is_plain < 2; is_plain++)
            {
              GString    *text = is_plain ? plain : loose;
              guint       form = is_plain ? 0 : shape % G_N_ELEMENTS (shapes);
              const char *blank = shapes[form].blank, *separator = shapes[form].separator;

              g_string_append_printf (text, "C%s%u%s%u.%u%s%s%u.%u%s%s0%s1%sname=A%u, id=7\n", blank, 90 + i, blank,
                                      time / 10, time % 10, shapes[form].zeros, blank, end / 10, end % 10,
                                      shapes[form].more_zeros, blank, blank, separator, i % 3);
              if (i % 2 == 0)
                g_string_append_printf (text, "E%s%u%s%u.%u%s%sname=B%u, id=7\n", blank, 95 + i, blank, time / 10,
                                        time % 10, shapes[form].zeros, separator, i % 3);
            }
          time += pick (&seed, 2 * step);
        }
      expect_trace (loose, plain, &by_instance);
    }
}
END_TEST

/* Amounts and offsets, some of which are beyond the capacity: each of these is counted. */
START_TEST (amounts_of_any_form)
{
  static const char      *amounts[] = { "1", "+1", "1e0", "10e-1", "0.1e1", "1.000" };
  g_autoptr (GString)     loose = g_string_new (HEAD), plain = g_string_new (HEAD);
  g_autoptr (EtfReading)  reading = NULL;
  guint                   n_beyond = 0;

  for (guint i = 0; i < N_LINES; i++)
    {
      const char *amount = amounts[i % G_N_ELEMENTS (amounts)];
      guint       offset = i % 80;

      g_string_append_printf (loose, "C %u %u %u 17 %u.0e0 %s ; name=A\n", 2 * i, i, i + 1, offset, amount);
      g_string_append_printf (plain, "C %u %u %u 17 %u 1 ; name=A\n", 2 * i, i, i + 1, offset);
      g_string_append_printf (loose, "C %u %u %u 0 %s0.0 ; name=B\n", 2 * i + 1, i, i + 1, i % 2 == 0 ? "" : "+1");
      g_string_append_printf (plain, "C %u %u %u 0 %u ; name=B\n", 2 * i + 1, i, i + 1, i % 2 * 10);
      /* of 64, and of 4 */
      n_beyond += (offset + 1 > 64) + i % 2;
    }
  expect_trace (loose, plain, &by_instance);
  reading = etf_reading_new (loose->str, (gssize) loose->len, 0, &by_instance);
  ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_BEYOND_CAPACITY].count, n_beyond);
}
END_TEST

/* What is no number, or too large a one, is the same error for all who read it. */
START_TEST (what_is_no_number)
{
  static const char *others[] = { "1e",    "1e+",  "e5",       "1.5e3.0",  "+-5",   "--5",   "+",         "-",      ".",
                                  "1.e3",  ".5e1", "1e1e1",    "1e99",     "1e-99", "1e18",  "5e17",      "1e-18",  "0x10",
                                  "1.2.3", "1+1",  "1e+-1",    "0e99",     "0e0000", "1e0001", "NaN",     "inf",    "1f",
                                  "1_000", "1,5",  "25e-1234", "1e 3",     "e",     "E+",    "9e18",      "0.0e-5", "-0e0",
                                  "50e18" };

  for (gsize other = 0; other < G_N_ELEMENTS (others); other++)
    for (guint place = 0; place < 4; place++)
      {
        g_autoptr (GString) text = g_string_new (HEAD);

        for (guint i = 0; i < 30; i++)
          {
            const char *number = i == 20 ? others[other] : "2.5e1";

            g_string_append_printf (text, "C %u %s %s 0 %s ; name=A\n", i, place == 0 ? number : "2.5e1",
                                    place == 1 ? number : "2.5e1", place == 2 ? number : "1e0");
            g_string_append_printf (text, "E %u %s ; name=A\n", i, place == 3 ? number : "+25");
          }
        append_end (text);
        quick_etf_expect_the_same (text->str, text->len, 0, &by_instance);
      }
}
END_TEST

/* Stamps far below 0 are in no finer units than those far above. */
START_TEST (stamps_below_zero)
{
  for (guint more = 0; more < 4; more++)
    {
      g_autoptr (GString) text = g_string_new (HEAD);

      for (guint i = 0; i < 30; i++)
        {
          if (_i == 0)
            g_string_append_printf (text, "C %u -%u000000000000000 5 0 1 ; name=A\n", i, 1 + i % 9);
          else
            g_string_append_printf (text, "E %u -%u000000000000000 ; name=A\n", i, 1 + i % 9);
        }
      g_string_append_printf (text, "E 30 %s ; name=A\n", (const char *[]){ "1", "0.5", "0.0025", "25e-10" }[more]);
      append_end (text);
      quick_etf_expect_the_same (text->str, text->len, 0, &by_instance);
    }
}
END_TEST

/* Blanks */

static void
append_blanks (GString *text, guint *seed, guint least, guint most)
{
  for (guint n = least + pick (seed, most - least + 1); n > 0; n--)
    g_string_append_c (text, pick (seed, 9) == 0 ? '\t' : ' ');
}

static void
append_field (GString *text, guint *seed, guint most, const char *field)
{
  append_blanks (text, seed, 1, most);
  g_string_append (text, field);
}

/* Up to forty of them, so that the fields are in up to four blocks of what is looked at at once, or beyond that. */
START_TEST (blanks_anywhere)
{
  const guint         most[] = { 1, 2, 4, 10, 20, 40 };
  g_autoptr (GString) loose = g_string_new (HEAD), plain = g_string_new (HEAD);
  guint               seed = (guint) _i;

  for (guint i = 0; i < 20 * N_LINES; i++)
    {
      guint n = most[i / 20 % G_N_ELEMENTS (most)];
      char  id[16], first[16], last[16], name[24], instance[16];

      g_snprintf (id, sizeof id, "%u", i);
      g_snprintf (first, sizeof first, "%u", 100 * i);
      g_snprintf (last, sizeof last, "%u.5", 100 * i + i % 50);
      g_snprintf (name, sizeof name, "Task %u", i % 7);
      g_snprintf (instance, sizeof instance, "%u", i / 7);
      g_string_append_printf (plain, "C %s %s %s 17 0.25 1 ; name=%s, id=%s\n", id, first, last, name, instance);
      append_blanks (loose, &seed, 0, pick (&seed, 2) * n);
      g_string_append (loose, "C");
      append_field (loose, &seed, n, id);
      append_field (loose, &seed, n, first);
      append_field (loose, &seed, n, last);
      append_field (loose, &seed, n, "17");
      append_field (loose, &seed, n, "0.25");
      append_field (loose, &seed, n, "1");
      append_blanks (loose, &seed, 0, n);
      g_string_append_c (loose, ';');
      append_blanks (loose, &seed, 0, n);
      g_string_append (loose, "name");
      append_blanks (loose, &seed, 0, n);
      g_string_append_c (loose, '=');
      append_blanks (loose, &seed, 0, n);
      g_string_append (loose, name);
      append_blanks (loose, &seed, 0, n);
      g_string_append_c (loose, ',');
      append_field (loose, &seed, n, "id=");
      append_field (loose, &seed, n, instance);
      append_blanks (loose, &seed, 0, n);
      g_string_append (loose, pick (&seed, 3) == 0 ? "\r\n" : "\n");
    }
  expect_trace (loose, plain, &by_instance);
}
END_TEST

/* Usual lines but for the blanks in front of lists, which begin in each place of what is looked at at once, or behind it;
 * some lists are empty. */
START_TEST (blanks_in_front_of_lists)
{
  g_autoptr (GString) loose = g_string_new (HEAD), plain = g_string_new (HEAD);

  for (guint i = 0; i < 50 * 80; i++)
    {
      g_autofree char *list = i % 11 > 0 ? g_strdup_printf ("name=Task %u, id=%u", i % 7, i / 7) : g_strdup ("");

      g_string_append_printf (plain, "C %u %u %u 0 1 ;%s\n", i, 100 * i, 100 * i + i % 50, list);
      g_string_append_printf (loose, "C %u %u %u 0 1%*s;%*s%s%s", i, 100 * i, 100 * i + i % 50, (int) (i / 80), "",
                              (int) (i % 80), "", list, i % 3 == 0 ? "\r\n" : "\n");
    }
  expect_trace (loose, plain, &by_instance);
}
END_TEST

/* Attributes */

/* Puts @n pairs in another order each time. */
static void
append_list (GString *text, guint *seed, char **pairs, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      guint other = i + pick (seed, n - i);
      char *pair = pairs[other];

      pairs[other] = pairs[i];
      pairs[i] = pair;
      g_string_append_printf (text, "%s%s%s", i > 0 ? "," : "", pick (seed, 3) == 0 ? "" : " ", pair);
    }
}

/* Two that are asked for and none to six that are not: of a few, or of more than there is room for at first; values that
 * are long, or empty, or have escapes, which also stand in those that are asked for. */
START_TEST (attributes_in_any_order)
{
  const TsOptions     options = { .element_key = (char *) "name,key_of_the_sixth_element", .instance_key = (char *) "id" };
  const guint         n_others[] = { 3, 40, 300 };
  g_autoptr (GString) loose = g_string_new (HEAD), plain = g_string_new (HEAD);
  guint               seed = 7;

  for (guint i = 0; i < 20 * N_LINES; i++)
    {
      char *pairs[9];
      guint n = 0;

      for (guint k = pick (&seed, 7); k > 0; k--)
        {
          guint other = (k + 7 * pick (&seed, n_others[_i])) % (7 * n_others[_i]);

          /* no two of a line are the same: they differ in k */
          switch (pick (&seed, 5))
            {
            case 0:
              pairs[n++] = g_strdup_printf ("other%u_%u=a\\=b\\,c\\\\", k, other);
              break;
            case 1:
              pairs[n++] = g_strdup_printf ("key_of_the_%u_element%u=%*d", k, other, (int) pick (&seed, 150), 5);
              break;
            case 2:
              pairs[n++] = g_strdup_printf ("o%u_%u=", k, other);
              break;
            default:
              pairs[n++] = g_strdup_printf ("o%u_%u = a b;c", k, other);
            }
        }
      pairs[n++] = g_strdup_printf (i % 3 == 0 ? "na%sme=T\\ask %u" : "na%sme = Task %u", "", i % 7);
      if (i % 5 > 0)
        pairs[n++] = g_strdup_printf ("id=%s%u", i % 4 == 0 ? "\\" : "", i / 7);
      g_string_append_printf (plain, "C %u %u %u 0 1 ; name=Task %u", i, 100 * i, 100 * i + 50, i % 7);
      g_string_append (plain, i % 5 > 0 ? ", id=" : "");
      if (i % 5 > 0)
        g_string_append_printf (plain, "%u", i / 7);
      g_string_append_c (plain, '\n');
      g_string_append_printf (loose, "C %u %u %u 0 1 ;", i, 100 * i, 100 * i + 50);
      append_list (loose, &seed, pairs, n);
      g_string_append (loose, i % 11 == 0 ? ",\n" : "\n");
      for (guint k = 0; k < n; k++)
        g_free (pairs[k]);
    }
  expect_trace (loose, plain, &options);
}
END_TEST

/* What stands in a list beside `name=Task N, id=N', in front of these or behind; how many pairs are counted of it as such
 * that mean nothing, and how many as such whose key was there before. */
static const struct
{
  const char *front, *behind;
  guint       n_bad, n_duplicates;
} odd_lists[] = {
  { "", "", 0, 0 },
  { "flag,", "", 1, 0 },
  { "", ",flag", 1, 0 },
  { "", ", a flag ", 1, 0 },
  { "", ",", 0, 0 },
  { "", ", ", 0, 0 },
  { ",", "", 1, 0 },
  { " ,\t,", ",,", 3, 0 },
  { "name=No,", "", 0, 1 },
  { "id=1,id = 2,", "", 0, 2 },
  { "", ",o=1,o=2", 0, 1 },
  { "o=,o=,o=,", "", 0, 2 },
  { "name=No,flag,id=7,", ",flag,o=1,flag", 3, 2 },
  { "o=1=2,", "", 1, 0 },
  { "o=1=2,", ",o=3", 1, 0 },
  { "", ",name=No=1", 1, 0 },
  { "=1,", ",=2", 2, 0 },
  { "fl\\=ag,", "", 1, 0 },
  { "", ",fl\\,ag", 1, 0 },
  { "o=a\\,b,", ",o=\\=", 0, 1 },
  { "name=,", ",o=1", 0, 1 },
  { "flag with more bytes than are looked at at once, be it 32 or 64 or some more of them,", "", 2, 0 },
};

/* Of many lines, all but the first of each kind are counted while they are read quickly. @_i: one kind of list, or any. */
START_TEST (odd_pairs_are_counted)
{
  g_autoptr (GString) loose = g_string_new (HEAD), plain = g_string_new (HEAD);
  guint               n_bad = 0, n_duplicates = 0, seed = 1;

  for (guint i = 0; i < 5 * N_LINES; i++)
    {
      guint kind = _i < (gint) G_N_ELEMENTS (odd_lists) ? i % 2 * (guint) _i : pick (&seed, G_N_ELEMENTS (odd_lists));

      g_string_append_printf (plain, "C %u %u %u 0 1 ;name=Task %u, id=%u\n", i, 100 * i, 100 * i + 50, i % 7, i / 7);
      g_string_append_printf (loose, "C %u %u %u 0 1 ;%sname=Task %u, id=%u%s%s", i, 100 * i, 100 * i + 50,
                              odd_lists[kind].front, i % 7, i / 7, odd_lists[kind].behind, i % 3 == 0 ? "\r\n" : "\n");
      n_bad += odd_lists[kind].n_bad;
      n_duplicates += odd_lists[kind].n_duplicates;
    }
  append_end (loose);
  append_end (plain);
  for (gsize chunk = 0; chunk < 2000; chunk += 977)
    {
      g_autoptr (EtfReading) reading = etf_reading_new (loose->str, (gssize) loose->len, chunk, &by_instance);
      g_autoptr (EtfReading) expected = etf_reading_new (plain->str, (gssize) plain->len, chunk, &by_instance);
      g_autofree char       *instances = etf_reading_instances (reading);
      g_autofree char       *expected_instances = etf_reading_instances (expected);

      quick_etf_expect_text (instances, expected_instances);
      ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_BAD_ATTRIBUTE].count, n_bad);
      ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_DUPLICATE_ATTRIBUTE].count, n_duplicates);
      quick_etf_expect_the_same (loose->str, loose->len, chunk, &by_instance);
    }
}
END_TEST

/* Bytes are looked at together from behind the first comma on where none of the next ends a pair: so the second comma is the
 * first of them. Each line has two pairs that mean nothing, an empty one and one of another length. */
START_TEST (odd_pairs_may_end_anywhere)
{
  g_autoptr (GString)    text = g_string_new (HEAD);
  g_autoptr (EtfReading) reading = NULL;
  g_autofree char       *flag = g_strnfill (2 * N_LINES, 'x');

  for (guint i = 0; i < 5 * N_LINES; i++)
    g_string_append_printf (text, "C %u %u %u 0 1 ;name=Task %u,,%.*s%s", i, 100 * i, 100 * i + 50, i % 7,
                            (int) (1 + i % (2 * N_LINES)), flag, _i == 0 ? "\n" : "\r\n");
  append_end (text);
  reading = etf_reading_new (text->str, (gssize) text->len, 0, &by_instance);
  ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_BAD_ATTRIBUTE].count, 2 * 5 * N_LINES);
  quick_etf_expect_the_same (text->str, text->len, 0, &by_instance);
}
END_TEST

/* Keys that differ in one byte, in any place; one of them is asked for, and is not always there. */
START_TEST (keys_that_are_nearly_the_same)
{
  const TsOptions     options = { .element_key = (char *) "a_key_of_some_more_bytes" };
  const char         *key = options.element_key;
  g_autoptr (GString) loose = g_string_new (HEAD), plain = g_string_new (HEAD);
  guint               seed = 1;

  for (guint i = 0; i < 5 * N_LINES; i++)
    {
      char *pairs[] = { g_strdup_printf ("%s=A%u", key, i % 5), g_strdup_printf ("%s=B%u", key, i),
                        g_strdup_printf ("%s%c=C", key, 'a' + i % 20), g_strdup_printf ("%.*s=D", 1 + (int) (i % 22), key) };

      pairs[1][i % strlen (key)] = 'X';
      if (pick (&seed, 3) == 0)
        pairs[0][pick (&seed, (guint) strlen (key))] = 'Y';
      g_string_append_printf (plain, "E %u %u ; %s\n", i, i, strchr (pairs[0], 'Y') == NULL ? pairs[0] : "");
      g_string_append_printf (loose, "E %u %u ;", i, i);
      append_list (loose, &seed, pairs, G_N_ELEMENTS (pairs));
      g_string_append_c (loose, '\n');
      for (guint k = 0; k < G_N_ELEMENTS (pairs); k++)
        g_free (pairs[k]);
    }
  expect_trace (loose, plain, &options);
}
END_TEST

/* More resources and amounts than there are texts that are known: what is odd among them, in place of resource and amount. */
static const char *const odd_claims[] = {
  "1 2",          "01 2",         "1  2",         " 1 2",         "1\t2",         "1 02",
  "1 2.0",        "1 2.00000000", "1 2.25",       "1 2.125",      "1 2.000000001","1 2.",
  "1 .5",         "1 2.5.5",      "1 2e1",        "1 +2",         "1 -2",         "1.0 2",
  "1 100",        "1 101",        "1 99999999",   "1 999999999",  "1 00000000000002",
  "41 5 2",       "41 50 50",     "41 50.5 49.5", "41 50.5 49.75","41 51 50",     "41 2",
  "1 5 2",        "41 5  2",      "41 -5 2",      "1x2",          "1.2",          "41-5 2",
  "41 5x2",       "41 5.0 2.00000000 ","99 2",         "123456789 2",  "7a 2",
  "1 2 ",         "1 2 x",        "1",            "50 2",
};

/* Each with amounts that are whole, with decimals, and with a point and zeros. */
START_TEST (resources_and_amounts_apart)
{
  static const TsOptions by_name = { .element_key = NULL };
  static const char     *fractions[] = { "", ".25", ".0" };

  for (guint form = 0; form < G_N_ELEMENTS (fractions); form++)
    for (guint space = 0; space < 2; space++)
      {
        g_autoptr (GString) text = g_string_new ("TU MICROSECONDS\n");
        guint               seed = form + 1;

        for (guint i = 0; i < 60; i++)
          g_string_append_printf (text, "R %u 100 %s ; name=r%u\n", i, i > 40 ? "true" : "false", i);
        for (guint i = 0; i < 1500; i++)
          {
            guint resource = pick (&seed, 49), amount = pick (&seed, 30);

            g_string_append_printf (text, "C %u %u %u ", 10000 + i, 10000 + 10 * i, 10020 + 10 * i);
            if (i % 300 == 299)
              g_string_append (text, odd_claims[_i]);
            else
              g_string_append_printf (text, resource > 40 ? "%u %u%s %u%s" : "%u %.0u%.0s%u%s", resource,
                                      resource > 40 ? 3 * amount : 0, fractions[form], amount, fractions[form]);
            g_string_append_printf (text, "%s%s=T%u\n", space == 0 ? ";" : " ; ", i % 40 == 0 ? "pid" : "name", resource % 7);
          }
        append_end (text);
        quick_etf_expect_the_same (text->str, text->len, 0, &by_name);
        quick_etf_expect_the_same (text->str, text->len, 777, &by_name);
      }
}
END_TEST

/* Claim i takes i % 30 * 13 + 1 of resource i % 50 for 10 us, one after the other. Those of a resource, 60 of them, take in
 * turn what d, d + 10 and d + 20 make of that, d being its last digit: at most 13 (d + 20) + 1, and together
 * 20 * 10 us * (13 * (3 d + 30) + 3), which is 2.62 + 0.26 d at any time of the 30,000 us. */
START_TEST (amounts_of_many_resources)
{
  static const TsOptions by_name = { .element_key = NULL };
  g_autoptr (GString)    text = g_string_new ("TU MICROSECONDS\n");
  g_autoptr (EtfReading) reading = NULL;
  g_autoptr (GString)    rows = g_string_new (NULL);
  g_autofree char       *table = NULL;

  for (guint i = 0; i < 50; i++)
    g_string_append_printf (text, "R %u 1000 false ; name=r%u\n", i, i);
  for (guint i = 0; i < 3000; i++)
    g_string_append_printf (text, "C %u %u %u %u %u ; name=T\n", i, 10 * i, 10 * i + 10, i % 50, i % 30 * 13 + 1);
  append_end (text);
  reading = etf_reading_new (text->str, (gssize) text->len, 0, &by_name);
  table = etf_reading_table (reading, "usage", TS_FOR_SHEETS);
  for (guint i = 0; i < 50; i++)
    {
      guint hundredths = 262 + 26 * (i % 10), most = 13 * (i % 10 + 20) + 1;

      g_string_append_printf (rows, "%sr%u,%u,1000,,60,600,0.02,1,%g,%u,%g,%g,30000", i > 0 ? ";" : "", i, i,
                              hundredths / 100.0, most, hundredths / 1e5, most / 1e3);
    }
  ck_assert_str_eq (table, rows->str);
}
END_TEST

/* Claims without any attribute: all of them, or some now and then among those that have some; as lines end. */
START_TEST (claims_without_attributes)
{
  static const char *const ends[] = { ";\n", " ;\n", "; \n", ";\r\n", "\n", ";  \t\n" };
  static const TsOptions   by_name = { .element_key = NULL };
  const char              *usual = ends[(guint) _i % G_N_ELEMENTS (ends)];
  const guint              often = (const guint[]){ 1, 2, 30 }[(guint) _i / G_N_ELEMENTS (ends)];

  for (guint n_amounts = 1; n_amounts < 100; n_amounts += 49)
    {
      g_autoptr (GString) text = g_string_new ("TU MICROSECONDS\n");
      guint               seed = (guint) _i + n_amounts;
      /* one that ends the reading, if any: an id that was there before, a resource that is unknown, or a stamp that goes back */
      const guint         last = n_amounts > 1 ? 1000 + pick (&seed, 1500) : G_MAXUINT, defect = pick (&seed, 3);

      for (guint i = 0; i < 20; i++)
        g_string_append_printf (text, "R %u 100 false ; name=r%u\n", i, i);
      for (guint i = 0; i < 2500; i++)
        {
          const gboolean is_bare = i == last || pick (&seed, often) == 0;
          const guint    odd = pick (&seed, 100);

          g_string_append_printf (text, "C %u %u %u %u %u", i == last && defect == 0 ? 10500 : 10000 + i, 10000 + 10 * i,
                                  i == last && defect == 1 ? 7 : 10020 + 10 * i,
                                  i == last && defect == 2 ? 77 : pick (&seed, i < 500 ? 3 : 19), 1 + pick (&seed, n_amounts));
          if (!is_bare)
            g_string_append_printf (text, ";name=T%u\n", i % 3);
          else
            g_string_append (text, odd > 95 ? ends[pick (&seed, G_N_ELEMENTS (ends))] : usual);
          if (odd == 50)
            g_string_append_printf (text, "E %u %u;name=T1\n", i, 10000 + 10 * i);
        }
      append_end (text);
      quick_etf_expect_the_same (text->str, text->len, 0, &by_name);
      quick_etf_expect_the_same (text->str, text->len, 777, &by_name);
      quick_etf_expect_the_same (text->str, text->len, 0, &by_instance);
    }
}
END_TEST

/* By hand: 300 claims of 10 us, one of r0 and two of r1 in turn, each of them an instance of its resource, as there is no name
 * for it. */
START_TEST (what_has_no_name_is_of_its_resource)
{
  static const TsOptions by_name = { .element_key = NULL };
  g_autoptr (GString)    text = g_string_new ("TU MICROSECONDS\nR 0 1 false ; name=r0\nR 1 1 false ; name=r1\n");
  g_autoptr (EtfReading) reading = NULL;
  guint                  n[2] = { 0, 0 };

  for (guint i = 0; i < 300; i++)
    g_string_append_printf (text, "C %u %u %u %u 1;\n", i, 10 * i, 10 * i + 10, i % 3 > 0);
  append_end (text);
  reading = etf_reading_new (text->str, (gssize) text->len, 0, &by_name);
  ck_assert_ptr_null (reading->error);
  for (guint i = 0; i < reading->events->len; i++)
    {
      const TsEvent *event = &g_array_index (reading->events, TsEvent, i);
      const guint    claim = (guint) event->line - 4;

      ck_assert_str_eq (ts_system_get_element (reading->system, event->element)->name, claim % 3 > 0 ? "r1" : "r0");
      ck_assert_int_eq (event->time, 10 * claim + (event->kind == TS_EVENT_END ? 10 : 0));
      n[claim % 3 > 0]++;
    }
  ck_assert_uint_eq (n[0], 200);
  ck_assert_uint_eq (n[1], 400);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("etf-loose");
  TCase *tcase = tcase_create ("lines");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 300);
  tcase_add_loop_test (tcase, numbers_of_any_form, 0, G_N_ELEMENTS (numbers));
  tcase_add_loop_test (tcase, shapes_in_turn, 2, 5);
  tcase_add_test (tcase, amounts_of_any_form);
  tcase_add_test (tcase, what_is_no_number);
  tcase_add_loop_test (tcase, stamps_below_zero, 0, 2);
  tcase_add_loop_test (tcase, blanks_anywhere, 0, 8);
  tcase_add_test (tcase, blanks_in_front_of_lists);
  tcase_add_loop_test (tcase, attributes_in_any_order, 0, 3);
  tcase_add_loop_test (tcase, odd_pairs_are_counted, 0, G_N_ELEMENTS (odd_lists) + 1);
  tcase_add_loop_test (tcase, odd_pairs_may_end_anywhere, 0, 2);
  tcase_add_test (tcase, keys_that_are_nearly_the_same);
  tcase_add_loop_test (tcase, resources_and_amounts_apart, 0, G_N_ELEMENTS (odd_claims));
  tcase_add_test (tcase, amounts_of_many_resources);
  tcase_add_loop_test (tcase, claims_without_attributes, 0, 18);
  tcase_add_test (tcase, what_has_no_name_is_of_its_resource);
  return unit_run (suite);
}
