/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/visandor.h"
#include "reading-visandor.h"
#include "unit.h"
#include "visandor-programs.h"

/* Agents that go from WAM to WAM. */

#define N_WAMS 3

/* The ways to write 0x1F00, 0x1F01 and 0x1F02. */
static const char *const texts[][N_WAMS] = { { "1F00", "1F01", "1F02" },
                                             { "1f00", "1f01", "1f02" },
                                             { "0x1F00", "0X1f01", "0x1f02" },
                                             { "001F00", "000001F01", "01F02" },
                                             { "0x0000001F00", "0x00000001f01", "0x0001F02" } };

/* Three of 64 bits: the first two have their first bits in common, and the last ones of the third are the second's. */
static const char *const long_texts[][N_WAMS] = { { "7F3A00001F00", "7F3A00001F01", "FFFF888000001F01" },
                                                  { "7f3a00001f00", "0x7F3a00001F01", "0xffff888000001f01" },
                                                  { "00007F3A00001F00", "0007F3A00001F01", "FFFF888000001F01" } };

/* @text, where agents change their WAM in each @of_lines lines; how often is in @n_changes. Some lines mean nothing, which do
 * not count; some have more blanks than others. */
static char *
move_agents (const char *text, gint32 of_lines, guint32 seed, gboolean are_long, guint *n_changes)
{
  const char *const (*all)[N_WAMS] = are_long ? long_texts : texts;
  const gint32 n_ways = are_long ? G_N_ELEMENTS (long_texts) : G_N_ELEMENTS (texts);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GRand   *random = g_rand_new_with_seed (seed);
  GString *out = g_string_new (NULL);
  gint32   told[16], now[16] = { 0 }; /* the WAM of each agent, as far as lines say it that mean something */

  memset (told, -1, sizeof told);
  *n_changes = 0;
  for (guint i = 0; lines[i] != NULL && lines[i + 1] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (g_strstrip (lines[i]), " ", -1);
      const gboolean is_long = seed % 3 == 0 || (seed % 3 == 1 && g_rand_int_range (random, 0, 10) == 0);
      const char    *blank = is_long ? "  " : " ";
      gint32         way = seed % 2 == 0 ? 0 : g_rand_int_range (random, 0, n_ways), odd;
      guint          agent;

      if (i == 0)
        {
          g_string_append_printf (out, "%s\n", lines[0]);
          continue;
        }
      agent = (guint) g_ascii_strtoull (words[5], NULL, 10);
      g_assert (agent < G_N_ELEMENTS (told));
      if (g_rand_int_range (random, 0, of_lines) == 0)
        now[agent] = g_rand_int_range (random, 0, N_WAMS);
      odd = i > 1 && seed % 4 == 3 ? g_rand_int_range (random, 0, 20) : 0;
      g_string_append_printf (out, "%s%s%s%s%s%s%s%s%s%s%s\n", words[0], blank, odd == 18 ? "11" : words[1], blank,
                              odd == 19 ? "1G" : words[2], blank, words[3], blank, all[way][now[agent]], blank, words[5]);
      if (odd >= 18)
        continue;
      *n_changes += told[agent] >= 0 && told[agent] != now[agent];
      told[agent] = now[agent];
    }
  g_rand_free (random);
  return g_string_free (out, FALSE);
}

static char *
make_moving (int i, guint *n_changes)
{
  VisProgram program = make_program (i);
  GString   *text = g_string_new (NULL);
  char      *moving;

  vis_truth_free (vis_simulate (&program, text, NULL));
  moving = move_agents (text->str, (const gint32[]){ 2, 5, 100 }[i % 3], (guint32) i, i % 5 > 2, n_changes);
  g_string_free (text, TRUE);
  return moving;
}

/* Wherever the pieces end, and whoever reads them. */
START_TEST (each_change_is_counted_once)
{
  static const gsize chunks[] = { 0, 211, 1000 };
  const TsOptions    plain = { .no_scanner = TRUE };
  guint              n_changes;
  g_autofree char   *text = make_moving (_i, &n_changes), *expected = NULL;

  for (guint i = 0; i <= G_N_ELEMENTS (chunks); i++)
    {
      const gboolean is_quick = i < G_N_ELEMENTS (chunks);
      g_autoptr (VisReading) reading = vis_reading_new (text, -1, is_quick ? chunks[i] : 0, 0, is_quick ? NULL : &plain);
      g_autofree char *dump = vis_reading_dump (reading);

      ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_WAM_CHANGED].count, n_changes);
      if (expected == NULL)
        expected = g_steal_pointer (&dump);
      else
        ck_assert_str_eq (dump, expected);
    }
}
END_TEST

/* Lines of @text, of which some come some lines later. */
static char *
delay (const char *text, guint32 seed)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  const guint n = g_strv_length (lines) - 1;
  GRand      *random = g_rand_new_with_seed (seed);
  GString    *out = g_string_new (NULL);

  for (guint i = 2; i + 8 < n; i++)
    if (g_rand_int_range (random, 0, seed % 2 == 0 ? 8 : 100) == 0)
      {
        const guint to = i + (guint) g_rand_int_range (random, 1, 7);
        char       *late = lines[i];

        memmove (&lines[i], &lines[i + 1], (to - i) * sizeof *lines);
        lines[to] = late;
      }
  for (guint i = 0; i < n; i++)
    g_string_append_printf (out, "%s\n", lines[i]);
  g_rand_free (random);
  return g_string_free (out, FALSE);
}

/* Of a file they are put in order, of a stream they are lost, unless that is sorted. */
START_TEST (late_lines_say_the_same_of_wams)
{
  static const guint most[] = { 0, 10, 32768 };
  guint              n_changes;
  g_autofree char   *in_order = make_moving (_i, &n_changes), *text = delay (in_order, (guint32) _i);

  for (guint i = 0; i < 3 * G_N_ELEMENTS (most); i++)
    {
      const VisReadingFlags flags = i % 3 == 0 ? 0 : VIS_READING_OF_STREAM;
      const TsOptions options = { .sort = i % 3 == 2 }, plain = { .sort = i % 3 == 2, .no_scanner = TRUE };
      g_autoptr (VisReading) quick = NULL, general = NULL;
      g_autofree char *found = NULL, *expected = NULL;

      ts_most_strays = most[i / 3];
      quick = vis_reading_new (text, -1, i % 2 == 0 ? 0 : 5000, flags, &options);
      general = vis_reading_new (text, -1, 0, flags, &plain);
      found = vis_reading_dump (quick);
      expected = vis_reading_dump (general);
      ck_assert_str_eq (found, expected);
    }
}
END_TEST

/* Agent 1 is on WAM A to line 60. Line 61 is of no kind that is known, and so no event; line 62 is late, and of a stream it
 * is lost: so it is line 64 with which the agent goes to WAM B. Line 63 is no usual one, and so those behind it are read
 * anew. */
START_TEST (what_is_lost_changes_no_wam)
{
  GString *text = g_string_new ("0\n100000 5 0 0 0 0\n");

  for (guint i = 3; i <= 60; i++)
    g_string_append_printf (text, "%u %d 0 1 A 1\n", 100000 + i, i % 2 == 1 ? 7 : 8);
  g_string_append (text, "100061 11 0 1 A 1\n100001 7 0 1 B 1\n100063 9 0 1 0 0\n");
  for (guint i = 64; i <= 80; i++)
    g_string_append_printf (text, "%u %d 0 1 B 1\n", 100000 + i, i % 2 == 0 ? 7 : 8);
  g_string_append (text, "100081 6 0 0 0 0\n");
  for (guint i = 0; i < 2; i++)
    {
      const TsOptions options = { .no_scanner = i == 1 };
      g_autoptr (VisReading) reading = vis_reading_new (text->str, -1, 0, VIS_READING_OF_STREAM, &options);

      ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_LATE_EVENT].count, 1);
      ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_WAM_CHANGED].count, 1);
      ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_WAM_CHANGED].line, 64);
    }
  g_string_free (text, TRUE);
}
END_TEST

/* An agent whose number is written like its WAM counts them in decimal, maybe. */
START_TEST (a_wam_like_the_agent_in_decimal_is_told)
{
  static const struct
  {
    const char *line;
    guint       count;
  } lines[] = {
    { "20 7 0 0 A 10", 0 },  { "20 7 0 0 10 10", 1 },   { "20 7 0 0 9 9", 0 },       { "20 7 0 0 1A 20", 0 },
    { "20 7 0 0 100 10", 0 }, { "20 7 0 0 0x12 12", 1 }, { "20 7 0 0 65535 65535", 1 }, { "20 7 0 0 000123 123", 1 },
    { "20 7 0 0 1 10", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autofree char *text = g_strdup_printf ("0\n10 5 0 0 0 0\n%s\n30 6 0 0 0 0\n", lines[i].line);
      g_autoptr (VisReading) reading = vis_reading_new (text, -1, 0, 0, NULL);

      ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_WAM_IN_DECIMAL].count, lines[i].count);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("visandor-wams");
  TCase *tests = tcase_create ("visandor-wams");

  tcase_set_timeout (tests, 120);
  tcase_add_loop_test (tests, each_change_is_counted_once, 0, 2 * N_SEEDS);
  tcase_add_loop_test (tests, late_lines_say_the_same_of_wams, 0, 2 * N_SEEDS);
  tcase_add_test (tests, what_is_lost_changes_no_wam);
  tcase_add_test (tests, a_wam_like_the_agent_in_decimal_is_told);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
