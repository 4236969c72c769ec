/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "change-byte.h"
#include "import/visandor-squeeze.h"
#include "reading-visandor.h"
#include "unit.h"
#include "visandor-programs.h"

/* Lines whose blanks differ, which are squeezed and then read like any others. */

static gboolean
is_blank (const char *p)
{
  return *p == ' ' || *p == '\t' || (p[0] == '\r' && p[1] == '\n');
}

/* The same byte by byte. */
static GString *
squeezed_slowly (const GString *text)
{
  GString *out = g_string_new (NULL);

  for (const char *p = text->str; p < text->str + text->len; p++)
    {
      if (!is_blank (p))
        g_string_append_c (out, *p);
      else if (out->len > 0 && out->str[out->len - 1] != '\n' && !is_blank (p + 1) && p[1] != '\n')
        g_string_append_c (out, ' ');
    }
  return out;
}

static gsize
longest_line (const char *text, gsize length)
{
  gsize longest = 0, begin = 0;

  for (gsize i = 0; i < length; i++)
    if (text[i] == '\n')
      {
        longest = MAX (longest, i - begin);
        begin = i + 1;
      }
  return longest;
}

#define LONGEST 400

/* Whole words are, with one behind them, up to the end of a line. Where a processor cannot, there is nothing to see. */
START_TEST (words_are_squeezed_as_bytes_are)
{
  static const char some[] = "      \t\t\r\r\n\n\n0123a";
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) _i);
  g_autofree TsSqueezed *squeezed = ts_squeezed_new ();
  guint64 n_squeezed = 0;

  for (guint round = 0; ts_can_squeeze () && round < 1000; round++)
    {
      const gint32 n = g_rand_int_range (random, 0, 2000), rare = round % 3 == 0 ? 1 : round % 3 == 1 ? 30 : 400;
      g_autoptr (GString) text = g_string_new (NULL), expected = NULL;
      g_autofree guint8 *bytes = NULL;
      gsize              length, n_sure;

      for (gint32 i = 0; i < n; i++)
        {
          char c = some[g_rand_int_range (random, 0, (gint32) sizeof some - 1)];

          if (c == '\n' && g_rand_int_range (random, 0, rare) > 0)
            c = 'b';
          g_string_append_c (text, c);
        }
      /* no byte more may be read */
      bytes = g_memdup2 (text->str, text->len);
      length = ts_vis_squeeze (squeezed, bytes, text->len, LONGEST);
      ck_assert_uint_le (length, text->len);
      if (length > 0)
        ck_assert_int_eq (text->str[length - 1], '\n');
      ck_assert_uint_le (longest_line (text->str, length), LONGEST);
      /* all lines that end before the last two words, unless one is nearly too long */
      n_sure = text->len >= 2 * TS_MARKS_BLOCK ? (text->len / TS_MARKS_BLOCK - 1) * TS_MARKS_BLOCK : 0;
      if (length < n_sure && longest_line (text->str, text->len) < LONGEST - 2 * TS_MARKS_BLOCK)
        ck_assert_ptr_null (memchr (text->str + length, '\n', n_sure - length));
      g_string_truncate (text, length);
      expected = squeezed_slowly (text);
      ck_assert_uint_eq (squeezed->length, expected->len);
      ck_assert_mem_eq (squeezed->bytes, expected->str, expected->len);
      for (gsize i = 0; i < TS_SQUEEZED_MARGIN; i++)
        ck_assert_uint_eq (squeezed->bytes[expected->len + i], 0);
      n_squeezed += length;
    }
  ck_assert (n_squeezed > 0 || !ts_can_squeeze ());
}
END_TEST

/* In front of a line: most of these are wrong, or no lines. */
static const char *const asides[] = { "\n", " \t \r\n", "  1  \n", "\t0\t\n", " 1 2 3 4 5 \n", "1\f2\v3 4 5 6\n", "\r1 2  3 4 5 6\r\r\n" };

static void
append_blanks (GString *text, GRand *random, gint32 least)
{
  for (gint32 n = g_rand_int_range (random, least, 4); n > 0; n--)
    g_string_append_c (text, g_rand_boolean (random) ? ' ' : '\t');
}

/* @text with any blanks, and something in front of one in @one_in lines. */
static GString *
lay_out (const GString *text, GRand *random, gint32 one_in)
{
  g_auto (GStrv) lines = g_strsplit (text->str, "\n", -1);
  GString *out = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL && lines[i + 1] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (g_strstrip (lines[i]), " ", -1);

      if (i > 1 && one_in > 0 && g_rand_int_range (random, 0, one_in) == 0)
        {
          if (g_rand_int_range (random, 0, 8) == 0)
            g_string_append_printf (out, "%*s", g_rand_int_range (random, 4000, 4080), "");
          else
            g_string_append (out, asides[g_rand_int_range (random, 0, G_N_ELEMENTS (asides))]);
        }
      append_blanks (out, random, 0);
      for (guint k = 0; words[k] != NULL; k++)
        {
          g_string_append (out, words[k]);
          append_blanks (out, random, words[k + 1] != NULL ? 1 : 0);
        }
      g_string_append (out, i % 16 == 0 ? "\r\n" : "\n");
    }
  return out;
}

static GString *
simulate (int i, guint n_tasks)
{
  GString             *text = g_string_new (NULL);
  VisProgram           program = make_program (i);
  g_autoptr (VisTruth) truth = NULL;

  program.n_tasks = n_tasks;
  truth = vis_simulate (&program, text, NULL);
  return text;
}

static char *
dump_of (const GString *text, gsize chunk, const TsOptions *options)
{
  g_autoptr (VisReading) reading = vis_reading_new (text->str, (gssize) text->len, chunk, 0, options);

  return vis_reading_dump (reading);
}

START_TEST (squeezed_lines_read_as_they_are)
{
  static const gsize chunks[] = { 0, 300, 5000, 100000 };
  const TsOptions    plain = { .no_scanner = TRUE };
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) _i);
  g_autoptr (GString) text = simulate (_i, 4000);

  for (gint32 one_in = 0; one_in <= 1000; one_in = one_in == 0 ? 10 : 10 * one_in)
    {
      g_autoptr (GString) laid_out = lay_out (text, random, one_in);
      g_autofree char *expected = dump_of (laid_out, 0, &plain);

      for (guint i = 0; i < G_N_ELEMENTS (chunks); i++)
        {
          g_autofree char *found = dump_of (laid_out, chunks[i], NULL);

          ck_assert (strcmp (found, expected) == 0);
        }
    }
}
END_TEST

/* Behind those by which it turned out that they had better be squeezed. */
START_TEST (a_changed_byte_of_squeezed_lines_has_the_same_effect)
{
  static const char odd[] = " \t\r\n\f0aFx-9\x01\xff";
  const TsOptions   plain = { .no_scanner = TRUE };
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) _i);
  g_autoptr (GString) text = simulate (_i, 150);

  for (guint n = 0; n < 50; n++)
    {
      g_autoptr (GString) laid_out = lay_out (text, random, 0);
      g_autoptr (GString) changed = change_byte (random, laid_out->str, laid_out->len, laid_out->len / 2, odd, sizeof odd - 1);
      g_autofree char *expected = dump_of (changed, 0, &plain), *found = dump_of (changed, 1000, NULL);

      ck_assert (strcmp (found, expected) == 0);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("visandor-squeeze");
  TCase *tests = tcase_create ("squeeze");

  tcase_set_timeout (tests, 300);
  tcase_add_loop_test (tests, words_are_squeezed_as_bytes_are, 0, 8);
  tcase_add_loop_test (tests, squeezed_lines_read_as_they_are, 0, 8);
  tcase_add_loop_test (tests, a_changed_byte_of_squeezed_lines_has_the_same_effect, 0, 8);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
