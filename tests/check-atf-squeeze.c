/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "change-byte.h"
#include "import/atf-squeeze.h"
#include "read-plain.h"
#include "unit.h"

/* Entries whose blanks differ, which are squeezed and then read like any others. */

static gboolean
is_blank (char c)
{
  return c == ' ' || c == '\t';
}

/* The same byte by byte, up to one that says that quotation marks may be something else: what is left of @text, and in @places
 * where that was. */
static GString *
squeezed_slowly (const GString *text, GArray *places)
{
  GString *out = g_string_new (NULL);
  gboolean is_quoted = FALSE;
  char     last = '>'; /* that is no blank */

  g_array_set_size (places, 0);
  for (gsize i = 0; i < text->len; i++)
    {
      const char c = text->str[i], next = text->str[i + 1];
      gboolean   is_left = TRUE, is_return = !is_quoted && c == '\r' && next == '\n';

      if (is_return)
        is_left = FALSE;
      else if (!is_quoted && is_blank (c))
        {
          if (i > 0 && text->str[i - 1] == '<')
            return out;
          is_left = !is_blank (next) && next != '/' && next != '=' && next != '\n' && last != '>' && last != '=' && last != '\n';
        }
      else if (!is_quoted && (c == '\'' || c == '!' || c == '?'))
        return out;
      if (is_left)
        {
          g_string_append_c (out, !is_quoted && c == '\t' ? ' ' : c);
          g_array_append_val (places, i);
        }
      if (c == '"')
        is_quoted = !is_quoted;
      if (is_quoted || (!is_blank (c) && !is_return))
        last = is_quoted ? '"' : c;
    }
  return out;
}

/* Whole words only are squeezed, with one behind them: the rest is cut off. Where a processor cannot, there is nothing to see. */
START_TEST (words_are_squeezed_as_bytes_are)
{
  static const char some[] = "      \t\t\"\"//>><n\n\r\r==a1'";
  GRand         *random = g_rand_new_with_seed ((guint32) _i);
  GString       *text = g_string_new (NULL);
  GArray        *places = g_array_new (FALSE, FALSE, sizeof (gsize));
  TsAtfSqueezed *squeezed = g_new (TsAtfSqueezed, 1);

  for (guint round = 0; ts_can_squeeze () && round < 1000; round++)
    {
      const gint32     n = g_rand_int_range (random, 0, 900), rare = round % 3 == 0 ? 1 : 300;
      g_autofree char *bytes = NULL;
      GString         *expected;
      gsize            length;

      g_string_truncate (text, 0);
      for (gint32 i = 0; i < n; i++)
        {
          char c = some[g_rand_int_range (random, 0, (gint32) sizeof some - 1)];

          /* a return is mostly one of an end of line */
          if (i > 0 && text->str[i - 1] == '\r' && g_rand_int_range (random, 0, 8) > 0)
            c = '\n';
          if ((c == '\'' || c == '<') && g_rand_int_range (random, 0, rare) > 0)
            c = 'b';
          g_string_append_c (text, c);
        }
      bytes = g_memdup2 (text->str, text->len);
      expected = squeezed_slowly (text, places);
      length = ts_atf_squeeze (squeezed, (const guint8 *) bytes, text->len);
      ck_assert_uint_le (length, expected->len);
      ck_assert_mem_eq (squeezed->bytes, expected->str, length);
      /* no more than a word before what is odd, and two before the end, is left out */
      if (expected->len > length)
        ck_assert_uint_le (g_array_index (places, gsize, expected->len - 1), (squeezed->n_words + 2) * TS_MARKS_BLOCK);
      for (gsize k = 0; k <= length; k++)
        ck_assert_uint_eq (ts_atf_squeezed_origin (squeezed, k), k == 0 ? 0 : g_array_index (places, gsize, k - 1) + 1);
      g_string_free (expected, TRUE);
    }
  g_free (squeezed);
  g_array_unref (places);
  g_string_free (text, TRUE);
  g_rand_free (random);
}
END_TEST

#define HEAD \
  "<?xml version=\"1.0\"?>\n<CommonFormat Version=\"1.0\">\n<SystemConfiguration Name=\"s\">\n" \
  "<Resource ID=\"0\" Scheduler=\"os\">\n<SystemElement Name=\"A\" ID=\"1\" Type=\"task\"/>\n" \
  "<SystemElement Name=\"B\" ID=\"77777\" Type=\"task\"/></Resource>\n<EventIDMappings>\n" \
  "<EventIDMapping EventID=\"3\" EventType=\"start\"/><EventIDMapping EventID=\"4\" EventType=\"end\"/>\n" \
  "</EventIDMappings>\n<TimeBase Unit=\"us\"><Value Numerator=\"1\" Denominator=\"1\"/></TimeBase>\n" \
  "</SystemConfiguration>\n<TraceData Start=\"0\">\n"
#define TAIL "</TraceData>\n</CommonFormat>\n"

/* Blanks in a tag, at its end, and behind it, in sets: the next sets have what others do not squeeze. */
static const struct
{
  const char *within, *at_end, *behind, *sign, *end;
} blanks[] = {
  { " \t", " ", " \t", "", "/>" },   { " ", "", " ", "", "></TraceEntry>" }, { " \t\n", " \n", " \n", "", "/>" },
  { " ", " ", " \r", "", "/>" },     { "  \t", "\t", "\t", " ", "/>" },      { " ", " ", "\n", "", "> </TraceEntry>" },
};

/* One to four of @set, or none at all. */
static void
add_blanks (GString *text, GRand *random, const char *set, gint32 least)
{
  for (gint32 n = g_rand_int_range (random, least, 5); n > 0 && *set != '\0'; n--)
    g_string_append_c (text, set[g_rand_int_range (random, 0, (gint32) strlen (set))]);
}

/* What comes between entries, or in one, of which some are no entries. */
static const char *const asides[] = { "<!-- a \"b  c -->", "<!-- it's -->", "<?pi \"x  ?>", "<TraceEntry  Time='%u'  EventID=\"3\" ReferenceID=\"1\"/>",
                                      "<TraceEntry Time=\"%u\"   Note=\"a  'b'  &gt;/ >\"  EventID=\"3\" ReferenceID=\"1\" />",
                                      "<TraceEntry  EventID=\"4\"\tTime=\"%u\" ReferenceID=\"77777\"/>",
                                      "<TraceEntry  Time=\"  %u\" EventID=\" 3\"  ReferenceID=\"1  \"/>", "\n\n  \n" };

/* @n entries, one in @one_in of which has something before it, with times of any length if they have @decimals. */
static GString *
make_document (GRand *random, guint layout, guint n, gint32 one_in, gboolean decimals)
{
  static const char *const parts_of_one[] = { "", ".5", ".25", ".125", "" };
  GString                 *text = g_string_new (HEAD);

  for (guint i = 1; i <= n; i++)
    {
      g_autofree char *digits = g_strdup_printf ("%u%s", 10 * i, decimals ? parts_of_one[g_rand_int_range (random, 0, 5)] : "");
      const char      *names[] = { "Time", "EventID", "ReferenceID" };
      const char      *values[] = { digits, i / 2 % 2 == 0 ? "3" : "4", i % 2 == 0 ? "1" : "77777" };

      if (one_in > 0 && g_rand_int_range (random, 0, one_in) == 0)
        {
          g_auto (GStrv)   parts = g_strsplit (asides[g_rand_int_range (random, 0, G_N_ELEMENTS (asides))], "%u", -1);
          g_autofree char *aside = g_strjoinv (digits, parts);

          g_string_append (text, aside);
        }
      add_blanks (text, random, blanks[layout].behind, 0);
      g_string_append (text, "<TraceEntry");
      for (guint k = 0; k < G_N_ELEMENTS (names); k++)
        {
          add_blanks (text, random, blanks[layout].within, 1);
          g_string_append (text, names[k]);
          add_blanks (text, random, blanks[layout].sign, 0);
          g_string_append_printf (text, "=\"%s\"", values[k]);
        }
      add_blanks (text, random, blanks[layout].at_end, 0);
      g_string_append_printf (text, "%s%s", blanks[layout].end, i % 10 == 0 ? "" : "\n");
    }
  g_string_append (text, "\n" TAIL);
  return text;
}

START_TEST (squeezed_entries_read_as_with_libxml2_alone)
{
  static const gsize chunks[] = { 0, 700, 5000 };
  g_autoptr (GRand)  random = g_rand_new_with_seed ((guint32) _i + 1);

  for (guint i = 0; i < G_N_ELEMENTS (chunks); i++)
    for (gint32 one_in = 0; one_in <= 400; one_in = one_in == 0 ? 5 : 4 * one_in)
      {
        g_autoptr (GString) text
            = make_document (random, (guint) _i % G_N_ELEMENTS (blanks), 1200, one_in, (guint) _i >= G_N_ELEMENTS (blanks));

        expect_the_same (text->str, text->len, chunks[i], i == 2 ? READ_STREAM : 0);
      }
}
END_TEST

/* Behind those by which it turned out that they had better be squeezed. */
START_TEST (a_changed_byte_of_squeezed_entries_has_the_same_effect)
{
  static const char odd[] = "\"'<>&/=!?. \n\t09aTE-\x01\xff\r";
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) _i + 1);

  for (guint n = 0; n < 60; n++)
    {
      g_autoptr (GString) text = make_document (random, n % G_N_ELEMENTS (blanks), 150, n % 4 == 0 ? 50 : 0, n % 8 > 4);
      g_autoptr (GString) changed = change_byte (random, text->str, text->len, strlen (HEAD) + 3000, odd, sizeof odd - 1);

      expect_the_same (changed->str, changed->len, 0, 0);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("atf-squeeze");
  TCase *tests = tcase_create ("atf-squeeze");

  tcase_set_timeout (tests, 120);
  tcase_add_loop_test (tests, words_are_squeezed_as_bytes_are, 0, 8);
  tcase_add_loop_test (tests, squeezed_entries_read_as_with_libxml2_alone, 0, 2 * G_N_ELEMENTS (blanks));
  tcase_add_loop_test (tests, a_changed_byte_of_squeezed_entries_has_the_same_effect, 0, 40);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
