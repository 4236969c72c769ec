/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "model/glob.h"
#include "unit.h"

static const struct
{
  const char *glob, *name;
  gboolean    matches;
} globs[] = {
  { "", "", TRUE },           { "", "a", FALSE },        { "a", "", FALSE },          { "*", "", TRUE },
  { "?", "", FALSE },         { "a", "a", TRUE },        { "a", "ab", FALSE },        { "ab", "a", FALSE },
  { "a*", "abc", TRUE },      { "*c", "abc", TRUE },     { "*b", "abc", FALSE },      { "a?c", "abc", TRUE },
  { "a?c", "a\303\244c", TRUE }, { "a??c", "a\303\244c", FALSE }, { "*b*b*", "abcb", TRUE }, { "*b*b*b", "abcb", FALSE },
  { "a**", "a", TRUE },       { "*aab", "aaab", TRUE },  { "?*", "", FALSE },         { "*?", "x", TRUE },
  /* a byte that is no text is a character of its own */
  { "a?c", "a\344c", TRUE },
  /* quoted */
  { "a\\*b", "a*b", TRUE },   { "a\\*b", "axb", FALSE }, { "a\\*b", "a\\*b", FALSE }, { "a\\?", "a?", TRUE },
  { "a\\?", "ab", FALSE },    { "*\\*", "xyz*", TRUE },  { "*\\*", "xyz", FALSE },    { "\\*", "**", FALSE },
  /* the second backslash belongs to the asterisk, so the first is one itself */
  { "a\\\\*", "a\\*", TRUE }, { "a\\\\*", "a\\b", FALSE },
  /* nothing to quote */
  { "a\\b", "a\\b", TRUE },   { "a\\b", "ab", FALSE },   { "\\", "\\", TRUE },        { "a\\\\b", "a\\\\b", TRUE },
};

START_TEST (a_glob_means_these_names)
{
  ck_assert_msg (ts_glob_matches (globs[_i].glob, globs[_i].name) == globs[_i].matches, "%s %s", globs[_i].glob,
                 globs[_i].name);
}
END_TEST

START_TEST (wildcards_are_counted)
{
  guint n_literal;

  ck_assert_uint_eq (ts_glob_count_wildcards ("a*?b", &n_literal), 2);
  ck_assert_uint_eq (n_literal, 2);
  /* a * ? \ b */
  ck_assert_uint_eq (ts_glob_count_wildcards ("a\\*\\?\\b", &n_literal), 0);
  ck_assert_uint_eq (n_literal, 5);
}
END_TEST

/* Without backslashes they mean what those of GLib mean; quoted, a name means itself and no other one. */
START_TEST (any_glob_and_any_name)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  static const char *const characters[] = { "a", "b", "*", "?", "\303\244", "\\" };

  for (guint i = 0; i < 200000; i++)
    {
      g_autoptr (GString) glob = g_string_new (NULL), name = g_string_new (NULL), quoted = g_string_new (NULL);

      for (gint k = g_rand_int_range (random, 0, 7); k > 0; k--)
        g_string_append (glob, characters[g_rand_int_range (random, 0, 5)]);
      for (gint k = g_rand_int_range (random, 0, 7); k > 0; k--)
        g_string_append (name, characters[g_rand_int_range (random, 0, 6)]);
      ck_assert_msg (ts_glob_matches (glob->str, name->str) == g_pattern_match_simple (glob->str, name->str), "%s %s",
                     glob->str, name->str);
      ts_glob_append_quoted (quoted, name->str);
      ck_assert_msg (ts_glob_matches (quoted->str, name->str), "%s %s", quoted->str, name->str);
      ck_assert_msg (ts_glob_matches (quoted->str, glob->str) == g_str_equal (name->str, glob->str), "%s %s",
                     quoted->str, glob->str);
    }
}
END_TEST

START_TEST (what_cannot_stand_in_a_line_is_a_wildcard)
{
  g_autoptr (GString) glob = g_string_new (NULL);

  ts_glob_append_quoted (glob, "a\nb\344c\303\244*");
  ck_assert_str_eq (glob->str, "a?b?c\303\244\\*");
  ck_assert (ts_glob_matches (glob->str, "a\nb\344c\303\244*"));

  /* a backslash in front of it would make it stand for itself */
  g_string_truncate (glob, 0);
  ts_glob_append_quoted (glob, "a\\b\\\\\nc\\\344\\*");
  ck_assert_str_eq (glob->str, "a\\b???c??\\\\*");
  ck_assert (ts_glob_matches (glob->str, "a\\b\\\\\nc\\\344\\*"));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("glob");
  TCase *tests = tcase_create ("globs");

  tcase_add_loop_test (tests, a_glob_means_these_names, 0, G_N_ELEMENTS (globs));
  tcase_add_test (tests, wildcards_are_counted);
  tcase_add_test (tests, any_glob_and_any_name);
  tcase_add_test (tests, what_cannot_stand_in_a_line_is_a_wildcard);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
