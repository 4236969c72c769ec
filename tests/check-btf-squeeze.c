/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf-squeeze.h"
#include "unit.h"

/* Lines without the blanks around their fields, copied in each way that there is. */

static gboolean
is_blank (char c)
{
  return c == ' ' || c == '\t';
}

/* The same byte by byte: a field is what is between two limits, without the blanks at both of its ends; the last one of a line
 * without a return behind it as well. NULL: there is another one. */
static GString *
squeezed (const GString *lines)
{
  GString *out = g_string_new (NULL);
  gsize    begin = 0;

  for (gsize i = 0; i < lines->len; i++)
    {
      gsize end = i;

      if (lines->str[i] != ',' && lines->str[i] != '\n')
        continue;
      end -= lines->str[i] == '\n' && end > begin && lines->str[end - 1] == '\r';
      while (end > begin && is_blank (lines->str[end - 1]))
        end--;
      while (begin < end && is_blank (lines->str[begin]))
        begin++;
      for (gsize k = begin; k < end; k++)
        if (lines->str[k] == '\r')
          {
            g_string_free (out, TRUE);
            return NULL;
          }
      g_string_append_len (out, lines->str + begin, (gssize) (end - begin));
      g_string_append_c (out, lines->str[i]);
      begin = i + 1;
    }
  return out;
}

static TsBtfSqueezer
squeezer_by (TsBtfSqueezeStep step)
{
  TsBtfSqueezer squeezer;

  ts_btf_squeezer_init (&squeezer);
  squeezer.step = step;
  return squeezer;
}

/* @lines, squeezed; from an allocation of their own, so that what is read beyond them is found. */
static void
expect_squeezed (const GString *lines, TsBtfSqueezeStep step)
{
  const TsBtfSqueezer squeezer = squeezer_by (step);
  g_autofree char    *copy = g_malloc (lines->len + TS_BTF_SQUEEZE_MARGIN);
  g_autofree char    *bytes = g_memdup2 (lines->str, lines->len);
  GString            *expected = squeezed (lines);
  const gsize         length = ts_btf_squeeze (&squeezer, bytes, bytes + lines->len, copy);

  if (expected == NULL)
    {
      ck_assert_uint_eq (length, 0);
      return;
    }
  ck_assert_uint_eq (length, expected->len);
  ck_assert_mem_eq (copy, expected->str, length);
  g_string_free (expected, TRUE);
}

START_TEST (blanks_beside_limits_are_left_out)
{
  static const struct
  {
    const char *lines, *squeezed;
  } examples[] = {
    { "1,Core_1,0,T,Task_1,1,start\n", "1,Core_1,0,T,Task_1,1,start\n" },
    { " 1 , Core 1\t,0 ,T,\tTask_1 ,1, start \n", "1,Core 1,0,T,Task_1,1,start\n" },
    { "1, ,,  , a b ,\t\n\n  \n2\r\n3 \r\n,\r\n", "1,,,,a b,\n\n\n2\n3\n,\n" },
    { "# a , b\n  # c\n", "# a,b\n# c\n" },
    { "a\rb\n", NULL },
    { "a\r \n", NULL },
    { "a\r,b\n", NULL },
    { "a\r ,b\n", NULL },
    { "a\r\r\n", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (examples); i++)
    {
      GString *lines = g_string_new (examples[i].lines), *expected = squeezed (lines);

      /* the slow way is right, too */
      ck_assert ((expected == NULL) == (examples[i].squeezed == NULL));
      if (expected != NULL)
        {
          ck_assert_str_eq (expected->str, examples[i].squeezed);
          g_string_free (expected, TRUE);
        }
      for (guint step = 0; step < TS_BTF_SQUEEZE_N_STEPS; step++)
        if (ts_btf_can_squeeze_by ((TsBtfSqueezeStep) step))
          expect_squeezed (lines, (TsBtfSqueezeStep) step);
      g_string_free (lines, TRUE);
    }
}
END_TEST

/* Of all lengths, with bytes that differ from those that count in one bit or the sign. */
START_TEST (any_lines_are_squeezed_alike)
{
  static const char some[] = ",,,, \t     a1-\0\n\n\r\v\f(!";
  const TsBtfSqueezeStep step = (TsBtfSqueezeStep) (_i % TS_BTF_SQUEEZE_N_STEPS);
  GRand   *random = g_rand_new_with_seed ((guint32) _i);
  GString *lines = g_string_new (NULL);

  for (guint round = 0; ts_btf_can_squeeze_by (step) && round < 2000; round++)
    {
      const gint32 n = g_rand_int_range (random, 0, 700), n_some = (gint32) sizeof some - 1;
      char         last = '\0';

      g_string_truncate (lines, 0);
      for (gint32 i = 0; i < n; i++)
        {
          char c = some[g_rand_int_range (random, 0, n_some)];

          if (g_rand_int_range (random, 0, 100) == 0)
            c = (char) (c | 0x80);
          /* a return is mostly one of an end of line */
          if (last == '\r' && g_rand_int_range (random, 0, 500) > 0)
            c = '\n';
          g_string_append_c (lines, last = c);
        }
      g_string_append_c (lines, '\n');
      expect_squeezed (lines, step);
    }
  g_string_free (lines, TRUE);
  g_rand_free (random);
}
END_TEST

/* Up to 31 blanks in front of a limit, and any number behind one; wherever they stand, and what is left of more of them is
 * nothing but blanks. */
START_TEST (so_many_blanks_are_left_out)
{
  const TsBtfSqueezer squeezer = squeezer_by ((TsBtfSqueezeStep) _i);

  for (guint n_front = 0; ts_btf_can_squeeze_by ((TsBtfSqueezeStep) _i) && n_front < 130; n_front++)
    for (guint n = 0; n < 200; n++)
      {
        g_autofree char *front = g_strnfill (n_front, 'x'), *blanks = g_strnfill (n, ' ');
        GString         *lines = g_string_new (NULL), *expected = g_string_new (NULL);
        char             copy[2048];
        gsize            length;

        g_string_printf (lines, "%s,%sb\n%sc", front, blanks, blanks);
        g_string_printf (expected, "%s,b\nc", front);
        for (guint i = 0; i < 200; i++)
          {
            g_string_append_c (lines, 'd');
            g_string_append_c (expected, 'd');
          }
        g_string_append_printf (lines, "%s,e\n", blanks);
        length = ts_btf_squeeze (&squeezer, lines->str, lines->str + lines->len, copy);
        if (n <= 31)
          g_string_append (expected, ",e\n");
        else
          {
            const gsize n_left = length - expected->len - strlen (",e\n");

            ck_assert_uint_le (n_left, n);
            g_string_append_len (expected, blanks, (gssize) n_left);
            g_string_append (expected, ",e\n");
          }
        ck_assert_uint_eq (length, expected->len);
        ck_assert_mem_eq (copy, expected->str, length);
        g_string_free (lines, TRUE);
        g_string_free (expected, TRUE);
      }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("btf-squeeze");
  TCase *tests = tcase_create ("btf-squeeze");

  tcase_set_timeout (tests, 120);
  tcase_add_test (tests, blanks_beside_limits_are_left_out);
  tcase_add_loop_test (tests, any_lines_are_squeezed_alike, 0, 4 * TS_BTF_SQUEEZE_N_STEPS);
  tcase_add_loop_test (tests, so_many_blanks_are_left_out, 0, TS_BTF_SQUEEZE_N_STEPS);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
