/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "change-byte.h"
#include "import/etf-squeeze.h"
#include "quick-etf.h"

/* Lines whose blanks differ, which are squeezed and then read like any others. */

/* The same byte by byte */

static gboolean
is_blank (char c)
{
  return c == ' ' || c == '\t';
}

static void
trim (const char **begin, const char **end)
{
  while (*begin < *end && is_blank (**begin))
    (*begin)++;
  while (*begin < *end && is_blank ((*end)[-1]))
    (*end)--;
}

static void
squeeze_fields (GString *out, const char *p, const char *end)
{
  trim (&p, &end);
  for (; p < end; p++)
    if (!is_blank (*p))
      g_string_append_c (out, *p);
    else if (!is_blank (p[1]))
      g_string_append_c (out, ' ');
}

static void
squeeze_list (GString *out, const char *p, const char *end)
{
  const char *begin = p;

  while (TRUE)
    {
      const char *from = p, *to = p;

      while (to < end && *to != ',' && *to != '=')
        to++;
      p = to;
      trim (&from, &to);
      g_string_append_len (out, from, to - from);
      if (p == end)
        {
          /* that is a pair, if it is none that means anything */
          if (from == to && p > begin && is_blank (p[-1]) && out->str[out->len - 1] == ',')
            g_string_append_c (out, p[-1]);
          return;
        }
      g_string_append_c (out, *p++);
    }
}

static void
squeeze_line (GString *out, const char *line, gsize length)
{
  const char *end = line + length, *separator;
  gboolean    has_return = length > 0 && end[-1] == '\r';

  end -= has_return;
  separator = memchr (line, ';', (gsize) (end - line));
  squeeze_fields (out, line, separator != NULL ? separator : end);
  if (separator != NULL)
    {
      g_string_append_c (out, ';');
      squeeze_list (out, separator + 1, end);
    }
  g_string_append (out, has_return ? "\r\n" : "\n");
}

static GString *
squeezed_slowly (const char *text, gsize length)
{
  GString *out = g_string_new (NULL);

  for (const char *p = text, *newline; p < text + length; p = newline + 1)
    {
      newline = memchr (p, '\n', (gsize) (text + length - p));
      squeeze_line (out, p, (gsize) (newline - p));
    }
  return out;
}

/* Whether a squeezer may have given up before the end of @text. */
static gboolean
may_give_up (const GString *text)
{
  gsize n_blanks = 0;

  for (gsize i = 0; i < text->len; i++)
    {
      n_blanks = is_blank (text->str[i]) ? n_blanks + 1 : 0;
      if (text->str[i] == '\\' || n_blanks >= TS_MARKS_BLOCK - 2)
        return TRUE;
    }
  return FALSE;
}

static GString *
make_text (GRand *random, gint32 rare)
{
  static const char some[] = "      \t\t\r\n\n;;,,,===0a\\";
  const gint32      n = g_rand_int_range (random, 0, 2000);
  GString          *text = g_string_new (NULL);

  for (gint32 i = 0; i < n; i++)
    {
      char c = some[g_rand_int_range (random, 0, (gint32) sizeof some - 1)];

      if (strchr ("\n;\\", c) != NULL && g_rand_int_range (random, 0, c == '\\' ? 100 : rare) > 0)
        c = 'b';
      g_string_append_c (text, c);
      if (g_rand_int_range (random, 0, 200) == 0)
        g_string_append_printf (text, "%*s", g_rand_int_range (random, 0, 150), "");
    }
  return text;
}

/* Whole words are, with one behind them, up to the end of a line. Where a processor cannot, there is nothing to see. */
START_TEST (words_are_squeezed_as_bytes_are)
{
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) _i);
  g_autofree TsSqueezed *squeezed = ts_squeezed_new ();
  guint64 n_squeezed = 0, n_whole = 0;

  for (guint round = 0; ts_can_squeeze () && round < 2000; round++)
    {
      g_autoptr (GString) text = make_text (random, (const gint32[]){ 1, 3, 20, 300 }[round % 4]);
      g_autoptr (GString) expected = NULL;
      g_autofree guint8 *bytes = g_memdup2 (text->str, text->len); /* no byte more may be read */
      gsize              length = ts_etf_squeeze (squeezed, bytes, text->len);
      gsize              n_sure = text->len >= 2 * TS_MARKS_BLOCK ? (text->len / TS_MARKS_BLOCK - 1) * TS_MARKS_BLOCK : 0;

      ck_assert_uint_le (length, text->len);
      if (length > 0)
        ck_assert_int_eq (text->str[length - 1], '\n');
      /* all lines that end before the last two words */
      if (length < n_sure && !may_give_up (text))
        {
          ck_assert_ptr_null (memchr (text->str + length, '\n', n_sure - length));
          n_whole++;
        }
      expected = squeezed_slowly (text->str, length);
      ck_assert_uint_eq (squeezed->length, expected->len);
      ck_assert_mem_eq (squeezed->bytes, expected->str, expected->len);
      for (gsize i = 0; i < TS_SQUEEZED_MARGIN; i++)
        ck_assert_uint_eq (squeezed->bytes[expected->len + i], 0);
      n_squeezed += length;
    }
  ck_assert ((n_squeezed > 0 && n_whole > 0) || !ts_can_squeeze ());
}
END_TEST

/* A '\\' is in no copy, nor is what is behind it. */
START_TEST (what_is_escaped_is_left_alone)
{
  g_autofree TsSqueezed *squeezed = ts_squeezed_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  const char *first;
  gsize       length;

  for (guint i = 0; i < 40; i++)
    g_string_append_printf (text, "C  %u 1  2 0  1 ; name = A%s, id= 1\n", i, i % 20 == 19 ? "\\, B" : "");
  length = ts_etf_squeeze (squeezed, (const guint8 *) text->str, text->len);
  first = strchr (text->str, '\\');
  ck_assert_uint_lt (length, (gsize) (first - text->str));
  ck_assert (length > 0 || !ts_can_squeeze ());
}
END_TEST

/* Traces */

#define HEAD "TU MICROSECONDS\nR 0 4 false ; name=cpu\nR 17 64 true ; name=mem\n"

static const TsOptions by_instance = { .instance_key = (char *) "id", .object_key = (char *) "id" };
static const TsOptions by_name;

/* Blanks, of which there may be none. */
static void
append_blanks (GString *text, GRand *random, gint32 least)
{
  for (gint32 n = g_rand_int_range (random, least, 4); n > 0; n--)
    g_string_append_c (text, g_rand_int_range (random, 0, 9) == 0 ? '\t' : ' ');
}

static void
append_field (GString *text, GRand *random, guint number)
{
  append_blanks (text, random, 1);
  g_string_append_printf (text, "%u", number);
}

static void
append_limit (GString *text, GRand *random, char limit)
{
  append_blanks (text, random, 0);
  g_string_append_c (text, limit);
  append_blanks (text, random, 0);
}

static void
append_pair (GString *text, GRand *random, const char *key, const char *value)
{
  g_string_append (text, key);
  append_limit (text, random, '=');
  g_string_append (text, value);
}

/* Beside the usual ones: names and values with blanks, odd pairs, none, escapes, and the ends of lists. */
static void
append_list (GString *text, GRand *random, guint i, gint32 one_in)
{
  static const char *const names[] = { "T1", "Task  2", "a;b ; c", "\td\te", "" };
  static const char *const odd[] = { ",", ", ", ",\t", " , ,", ",flag", ", a = b = c", ",e\\,f= \\ g \\ ", ";", " ; x = y" };
  const gboolean    is_odd = one_in > 0 && g_rand_int_range (random, 0, one_in) == 0;
  g_autofree char  *id = g_strdup_printf ("%u", i);

  append_limit (text, random, ';');
  append_pair (text, random, "name", names[is_odd ? g_rand_int_range (random, 0, G_N_ELEMENTS (names)) : 0]);
  append_limit (text, random, ',');
  append_pair (text, random, "id", id);
  if (is_odd)
    g_string_append (text, odd[g_rand_int_range (random, 0, G_N_ELEMENTS (odd))]);
  append_blanks (text, random, 0);
  g_string_append (text, g_rand_int_range (random, 0, 3) == 0 ? "\r\n" : "\n");
}

static void
append_claim (GString *text, GRand *random, guint i, guint time)
{
  const gboolean has_offset = i % 3 == 0;

  append_blanks (text, random, 0);
  g_string_append_c (text, 'C');
  append_field (text, random, i);
  append_field (text, random, time - (guint) g_rand_int_range (random, 0, 50));
  append_field (text, random, time);
  append_field (text, random, has_offset ? 17 : 0);
  if (has_offset)
    append_field (text, random, i % 60);
  append_field (text, random, 1);
}

static void
append_other (GString *text, GRand *random, guint i, guint time)
{
  static const char *const asides[] = { "\n", " \t \r\n", "  # a = b ,  \\ c\n", "\r\n", "T ; a = b , c=d  e\n", "TSP  1 ;  x\n", "# ; , =\r\r\n" };

  switch (g_rand_int_range (random, 0, 4))
    {
    case 0:
      g_string_append (text, asides[g_rand_int_range (random, 0, G_N_ELEMENTS (asides))]);
      break;
    case 1:
      g_string_append_c (text, 'E');
      append_field (text, random, i);
      append_field (text, random, time);
      append_list (text, random, i, 0);
      break;
    case 2:
      g_string_append_c (text, 'D');
      append_field (text, random, i);
      append_field (text, random, 0);
      append_field (text, random, i);
      append_field (text, random, i / 2);
      append_list (text, random, i, 0);
      break;
    default:
      g_string_append_printf (text, "%*s\n", g_rand_int_range (random, 0, 70000), "");
    }
}

static GString *
make_trace (GRand *random, guint n_claims, gint32 one_in)
{
  GString *text = g_string_new (HEAD);
  guint    time = 1000;

  for (guint i = 0; i < n_claims; i++)
    {
      time += (guint) g_rand_int_range (random, 0, 100);
      append_claim (text, random, i, time);
      append_list (text, random, i, one_in);
      if (one_in > 0 && g_rand_int_range (random, 0, one_in) == 0)
        append_other (text, random, i, time);
    }
  return text;
}

START_TEST (squeezed_lines_read_as_they_are)
{
  static const gsize chunks[] = { 0, 300, 5000, 100000 };
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) _i);

  for (gint32 one_in = 0; one_in <= 1000; one_in = one_in == 0 ? 3 : 7 * one_in)
    {
      g_autoptr (GString) text = make_trace (random, 4000, one_in);

      for (guint i = 0; i < G_N_ELEMENTS (chunks); i++)
        quick_etf_expect_the_same (text->str, text->len, chunks[i], i % 2 == 0 ? &by_instance : &by_name);
    }
}
END_TEST

/* Behind those by which it turned out that they had better be squeezed. */
START_TEST (a_changed_byte_of_squeezed_lines_has_the_same_effect)
{
  static const char odd[] = " \t\r\n;,=\\0aCD-.\x01\xff\0";
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) _i);
  g_autoptr (GString) text = make_trace (random, 200, 0);

  for (guint n = 0; n < 100; n++)
    {
      g_autoptr (GString) changed = change_byte (random, text->str, text->len, text->len / 2, odd, sizeof odd);

      quick_etf_expect_the_same (changed->str, changed->len, n % 2 == 0 ? 0 : 3000, &by_name);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("etf-squeeze");
  TCase *tests = tcase_create ("squeeze");

  tcase_set_timeout (tests, 300);
  tcase_add_loop_test (tests, words_are_squeezed_as_bytes_are, 0, 8);
  tcase_add_test (tests, what_is_escaped_is_left_alone);
  tcase_add_loop_test (tests, squeezed_lines_read_as_they_are, 0, 8);
  tcase_add_loop_test (tests, a_changed_byte_of_squeezed_lines_has_the_same_effect, 0, 8);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
