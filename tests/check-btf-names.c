/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "btf-both-ways.h"

/* Names, numbers and notes of any length, which are compared in pieces and known by their widths. */

START_TEST (names_and_numbers_of_any_length)
{
  static const char   letters[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz0123456789";
  static const char   alike[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
  static const char   digits[] = "12345678901234567890";
  g_autoptr (GString) text = g_string_new (HEAD);

  for (int round = 0; round < 3; round++)
    for (int n = 1; n < 60; n++)
      {
        g_string_append_printf (text, "%d,%.*s,0,T,x%.*s,%d,start\n", n, n, letters, 60 - n, letters, n);
        g_string_append_printf (text, "%d,x%.*s,0,T,%.*s,%d,start\n", n, 60 - n, letters + 3, n, letters + n % 4, n);
        g_string_append_printf (text, "%d,%.*s,0,T,Task,%d,start\n", n, n, alike, n);
        g_string_append_printf (text, "%d,Core_1,0,T,%.*s,%d,start\n", n, n, alike, n);
        g_string_append_printf (text, "%.*s,Core_1,%.*s,R,run,%.*s,start\n", n % 21, digits, n % 7, digits, n % 12, digits);
      }
  for (gsize chunk = 0; chunk < 1000; chunk += 37)
    expect_the_same (text->str, text->len, chunk);
}
END_TEST

/* More pairs of texts than are known as such, and more than that look alike where they are compared first. */
START_TEST (names_without_end)
{
  g_autoptr (GString) text = g_string_new (HEAD);

  for (guint i = 0; i < 150000; i++)
    {
      /* the last ones were there before; the two numbers have no factor in common */
      guint k = i < 134000 ? i : (i - 134000) * 8;

      g_string_append_printf (text, "%u,Core_%u,0,T,%u%s,%u,%s\n", i, k % 61, k % 2399,
                              k % 2399 % 9 == 0 ? "_with_the_same_end_as_other_names" : "", i / 2399,
                              k % 2 == 0 ? "start" : "terminate");
    }
  expect_the_same_with (text->str, text->len, 0, 0);
}
END_TEST

/* Texts that hash alike, more than may have one place: of bytes -8 and -16 of a long target the lowest four bits have
 * no say, and of byte -24 the lowest one. These have 16 * 16 * 2 names, each of which is there three times. */
START_TEST (names_that_hash_alike)
{
  g_autoptr (GString) text = g_string_new (HEAD);

  for (guint i = 0; i < 3 * 512; i++)
    {
      const char first = (char) ('0' + i % 2), second = (char) ('0' + i / 2 % 16), third = (char) ('0' + i / 32 % 16);

      g_string_append_printf (text, "%u,Core_1,0,T,x%c_______%c_______%c______,%u,start\n", 2 * i, first, second, third,
                              i / 512);
      g_string_append_printf (text, "%u,Core_1,0,T,x%c_______%c_______%c______,%u,terminate\n", 2 * i + 1, first, second,
                              third, i / 512);
    }
  expect_the_same (text->str, text->len, 0);
}
END_TEST

/* The same where there is more in front: of bytes -24, -40 and -56 the lowest two bits have no say, neither in a source
 * nor in a target. Lines are wider than one word tells, and some have a note or no number. */
START_TEST (long_names_that_hash_alike)
{
  static const char   line[] = "________________________________________________________________";
  static const char   notes[][4] = { "", "", ",a", "" };
  const int           place = _i;
  g_autoptr (GString) text = g_string_new (HEAD);

  for (int i = 0; i < 1600; i++)
    {
      g_autofree char *task = g_strdup_printf ("x%c%.*s", '0' + i % 4, place - 2, line);
      g_autofree char *run = g_strdup_printf ("y%c%.*s", '0' + i / 4 % 4, place - 2, line);
      g_autofree char *number = i % 300 == 299 ? g_strdup ("") : g_strdup_printf ("%d", i / 16);

      g_string_append_printf (text, "%d,Core_1,0,T,%s,%s,start\n", 4 * i, task, number);
      g_string_append_printf (text, "%d,%s,%s,R,%s,%d,start%s\n", 4 * i + 1, task, number, run, i / 16, notes[i % 4]);
      g_string_append_printf (text, "%d,%s,%s,R,%s,%d,terminate\n", 4 * i + 2, task, number, run, i / 16);
      g_string_append_printf (text, "%d,Core_1,0,T,%s,%s,terminate\n", 4 * i + 3, task, number);
    }
  for (gsize chunk = 0; chunk < 12000; chunk += 3999)
    expect_the_same (text->str, text->len, chunk);
}
END_TEST

/* Each name is the end of a longer one, so that it is their beginnings and their lengths alone that tell them apart. */
START_TEST (names_that_are_ends_of_one_another)
{
  static const char   ends[] = "x0123456789_abcdefghijklmnopqrstuvwxyz_0123456789_abcdefghijklmnopqrstuvwxyz_"
                               "0123456789_abcdefghijklmnopqrstuvwxyz_0123456789_abcdefghijklmnopqrstuvwxyz";
  const gint32        n_ends = sizeof ends - 1, n_lengths = 40 + 8 * _i;
  g_autoptr (GRand)   random = g_rand_new_with_seed (64);
  g_autoptr (GString) text = g_string_new (HEAD);

  for (guint i = 0; i < 6000; i++)
    {
      const gint32 task = g_rand_int_range (random, n_ends - n_lengths, n_ends);
      const gint32 run = g_rand_int_range (random, n_ends - n_lengths, n_ends);

      if (i % 4 == 0)
        g_string_append_printf (text, "%u,Core_1,0,T,T%s,%u,%s\n", i, ends + task, i / 100, i % 8 == 0 ? "start" : "terminate");
      else
        g_string_append_printf (text, "%u,T%s,%u,R,R%s,%u,%s%s\n", i, ends + task, i / 100, ends + run, i / 100,
                                i % 2 == 0 ? "start" : "terminate", i % 90 == 0 ? ",a note" : "");
    }
  for (gsize chunk = 0; chunk < 12000; chunk += 3999)
    expect_the_same (text->str, text->len, chunk);
}
END_TEST

/* Lines that are longer than any that is looked at are not learnt, not even behind lines that are nearly empty, when the next one
 * tells how lines are laid out. */
START_TEST (lines_that_are_longer_than_any_that_is_learnt)
{
  static const gsize  lengths[] = { 100, 126, 128, 190, 246, 247, 248, 249, 250, 256, 300, 3000 };
  g_autofree char    *name = g_strnfill (lengths[_i], 'N'), *core = g_strnfill (lengths[_i] / 2, 'C');
  g_autoptr (GString) text = g_string_new (HEAD);

  for (guint i = 0; i < 2000; i++)
    {
      g_string_append_printf (text, "%u,Core_1,0,T,Task_%u,%u,%s\n", 2 * i, i / 2 % 3, i / 6, i % 2 == 0 ? "start" : "terminate");
      if (i < 500)
        continue;
      g_string_append (text, " \r\n");
      if (i % 400 < 200)
        g_string_append_printf (text, "%u,%s,0,T,%s,%u,%s\n", 2 * i + 1, i % 3 == 0 ? core : "Core_2", name, i / 40,
                                i % 2 == 0 ? "start" : "terminate");
    }
  expect_the_same (text->str, text->len, 0);
  expect_the_same (text->str, text->len, 4096);
}
END_TEST

/* Fields of nine, nine and eight widths, in short lines: 648 kinds of them, again and again; more than are known at once. */
START_TEST (more_widths_than_are_kept)
{
  g_autoptr (GString) text = g_string_new (HEAD);
  guint               number = 1;

  for (guint i = 0; i < 4 * 648; i++)
    {
      if (i % 81 == 0)
        number = number < 10000000 ? number * 10 : 1;
      g_string_append_printf (text, "%u,Core_1,0,T,TTTTTTTTT%.*s,%u,start\n", 1000000 + 2 * i, (int) (i % 9),
                              "TTTTTTTTT", number);
      g_string_append_printf (text, "%u,%.*s,%u,R,%.*s,%u,terminate\n", 1000001 + 2 * i, (int) (1 + i % 9), "CCCCCCCCC",
                              number, (int) (1 + i / 9 % 9), "RRRRRRRRR", number);
    }
  for (gsize chunk = 0; chunk < 5000; chunk += 997)
    expect_the_same (text->str, text->len, chunk);
}
END_TEST

/* Notes are looked through for their ends only so far. */
START_TEST (long_notes)
{
  static const int lengths[] = { 10, 60, 200, 4000, 4080, 4096, 4100, 5000, 20000 };
  g_autoptr (GString) text = g_string_new (HEAD);

  for (guint i = 0; i < 60; i++)
    {
      g_string_append_printf (text, "%u,Core_1,0,T,Task_with_a_name_of_some_length,%u,%s,", i, i / 2,
                              i % 2 == 0 ? "start" : "terminate");
      for (int n = lengths[i / 2 % (int) G_N_ELEMENTS (lengths)]; n > 0; n--)
        g_string_append_c (text, n % 50 == 0 ? ',' : 'n');
      g_string_append_c (text, '\n');
    }
  for (gsize chunk = 0; chunk < 20000; chunk += 1999)
    expect_the_same (text->str, text->len, chunk);
  /* the end does not come at all */
  expect_the_same (text->str, text->len - 12000, 0);
}
END_TEST

/* Events of 14 bytes and more, of which the end is compared first: some end alike, and are known or not; some have notes.
 * Names are short or long, few or many, and numbers may be odd. */
START_TEST (long_events)
{
  static const char *const events[]
      = { "processpolling",     "processactivate",    "processterminate",  "requestsemaphore",  "mtalimitexceeded",
          "enforcedmigration",  "exclusivesemaphore", "xprocessterminate", "xxrequestsemaphor", "yrequestsemaphore",
          "zprocessactivate",   "rocessterminate",    "an_event_with_a_name_of_29byte", "an_event_with_a_name_of_30_byte",
          "n_event_with_a_name_of_30_byte", "an_event_with_a_name_of_31_bytes_" };
  const gboolean      has_returns = (_i & 1) != 0, is_wide = (_i & 2) != 0, has_many = (_i & 4) != 0;
  const gboolean      has_odd = (_i & 8) != 0;
  g_autoptr (GRand)   random = g_rand_new_with_seed (14);
  g_autoptr (GString) text = g_string_new (HEAD);

  for (guint i = 0; i < 6000; i++)
    {
      const guint name = (guint) g_rand_int_range (random, 0, has_many ? 3000 : 4);
      /* mostly few of them, so that these are known soon */
      const guint event = (guint) g_rand_int_range (random, 0, i % 50 == 0 ? (gint) G_N_ELEMENTS (events) : 5);

      g_string_append_printf (text, "%u,Task_%u%s,%u,%s,Target_%u,%s,%s%s%s\n", 1000 + i, name % 3,
                              is_wide ? "_with_a_longer_name" : "", i, i % 2 == 0 ? "SEM" : "SCHED", name,
                              has_odd && i % 4 == 0 ? "-1" : "0", events[event], i % 9 == 0 ? ",a note" : "",
                              has_returns ? "\r" : "");
    }
  for (gsize chunk = 0; chunk < 12000; chunk += 3999)
    expect_the_same (text->str, text->len, chunk);
}
END_TEST

/* Lines wider than two words of marks, some of which have something else at each of their bytes, or nothing, or one more.
 * Numbers of signals, and those of what writes them, may be anything. */
START_TEST (wide_lines_with_something_odd)
{
  static const char *const lines[] = {
    "1234,A_task_of_70_bytes_that_runs_what_has_a_name_that_is_at_least_as_long_,7,"
    "R,A_runnable_of_80_bytes_in_a_line_that_has_more_than_two_words_of_marks_in_each_name_,7,start\n",
    "1234,A_task_of_70_bytes_that_runs_what_has_a_name_that_is_at_least_as_long_,7,"
    "SIG,A_signal_of_80_bytes_in_a_line_that_has_more_than_two_words_of_marks_in_each_name__,7,write\n",
    "1234,A_task_of_50_bytes_that_runs_what_has_a_long_name_,7,R,A_runnable_of_50_bytes_which_is_as_many_as_a_task_,7,start\n",
    "1234,A_task_of_50_bytes_that_runs_what_has_a_long_name_,7,SIG,A_signal_of_50_bytes_which_is_as_many_as_a_task_h,7,write\n",
  };
  static const char   odd[] = ",\n 9\0";
  const char         *line = lines[_i % (int) G_N_ELEMENTS (lines)], c = odd[_i / (int) G_N_ELEMENTS (lines)];
  g_autoptr (GString) text = g_string_new (HEAD "1,Core_1,0,T,A_task_of_50_bytes_that_runs_what_has_a_long_name_,7,start\n"
                                         "1,Core_1,0,T,A_task_of_70_bytes_that_runs_what_has_a_name_that_is_at_least_as_long_,7,start\n");

  for (guint i = 0; i < 600; i++)
    g_string_append (text, line);
  for (guint i = 0; i < 6 * strlen (line); i++)
    {
      const guint n = i % 6;
      const gsize at = text->len + i / 6;

      g_string_append (text, line);
      if (n == 0)
        text->str[at] = c;
      else if (n == 2)
        g_string_insert_c (text, (gssize) at, c);
      else if (n == 4)
        g_string_erase (text, (gssize) at, 1);
    }
  expect_the_same (text->str, text->len, 0);
  expect_the_same (text->str, text->len, 5000);
}
END_TEST

/* What becomes of sources that are only sources so far, and of a trace without a process and a core; `%u' is a time. */
static const char *const changes[] = {
  "%u,Core_1,0,T,P1,0,activate\n",
  "%u,Core_1,0,T,P1,0,start\n",
  "%u,Core_1,0,I,P1,0,start\n%u,Core_1,0,I,P1,0,terminate\n",
  "%u,Core_1,0,T,Q,0,start\n",
  "%u,P1,0,T,Q,0,start\n",
  "%u,P1,0,C,P1,0,idle\n",
  "%u,Core_9,0,C,Core_9,0,idle\n",
  "%u,X,0,R,P1,0,start\n",
  "%u,P1,0,R,P1,0,start\n",
  "%u,Core_1,0,T,Q,0,start\n%u,Q,0,R,f_1,7,start\n",
  "%u,X,0,SIG,P1,0,write\n",
  "%u,X,0,STI,P1,0,trigger\n",
  "#entityTable\n#-7 P1\n",
};

static void
append_nowhere (GString *text, guint *time)
{
  /* at first, what is a runnable is a source only */
  g_string_append_printf (text, "%u,f_1,0,R,f_0,9,start\n", *time);
  for (guint i = 0; i < 40; i++)
    {
      g_string_append_printf (text, "%u,P%u,%u,R,f_%u,%u,start\n", ++*time, i % 2, i / 8, i % 3, i);
      g_string_append_printf (text, "%u,f_1,-1,R,f_1,-1,start\n%u,f_1,-1,R,f_1,-1,terminate\n", *time, *time);
      g_string_append_printf (text, "%u,7,0,SIG,s,0,%s\n%u,P1,0,SIG,s,0,read\n", *time, i % 2 == 0 ? "write" : "read", *time);
      g_string_append_printf (text, "%u,P%u,%u,R,f_%u,%u,terminate\n", *time + 1, i % 2, i / 8, i % 3, i);
    }
}

/* The same where the header knows that they are processes. */
static const char *const heads[] = { "", "#entityTypeTable\n#-T P0\n#-T P1\n" };

START_TEST (sources_that_are_nowhere_may_come_to_be_somewhere)
{
  const gsize change_at = (gsize) _i % G_N_ELEMENTS (changes), head_at = (gsize) _i / G_N_ELEMENTS (changes);

  for (gsize other = 0; other < G_N_ELEMENTS (changes); other++)
    {
      const char        *both[] = { changes[change_at], changes[other] };
      g_autoptr (GString) text = g_string_new ("#version 2.1.5\n#timeScale ns\n");
      guint               time = 1000;

      g_string_append (text, heads[head_at]);
      append_nowhere (text, &time);
      for (guint i = 0; i < G_N_ELEMENTS (both); i++)
        {
          g_auto (GStrv) parts = g_strsplit (both[i], "%u", -1);
          g_autofree char *stamp = g_strdup_printf ("%u", ++time);
          g_autofree char *change = g_strjoinv (stamp, parts);

          g_string_append (text, change);
          append_nowhere (text, &time);
        }
      expect_the_same (text->str, text->len, 0);
      expect_the_same (text->str, text->len, 997);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("btf-names");
  TCase *tcase = tcase_create ("names");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 300);
  tcase_add_test (tcase, names_and_numbers_of_any_length);
  tcase_add_test (tcase, names_without_end);
  tcase_add_test (tcase, names_that_hash_alike);
  tcase_add_loop_test (tcase, long_names_that_hash_alike, 2, 66);
  tcase_add_loop_test (tcase, names_that_are_ends_of_one_another, 0, 15);
  tcase_add_loop_test (tcase, lines_that_are_longer_than_any_that_is_learnt, 0, 12);
  tcase_add_test (tcase, more_widths_than_are_kept);
  tcase_add_test (tcase, long_notes);
  tcase_add_loop_test (tcase, long_events, 0, 16);
  tcase_add_loop_test (tcase, wide_lines_with_something_odd, 0, 20);
  tcase_add_loop_test (tcase, sources_that_are_nowhere_may_come_to_be_somewhere, 0,
                       G_N_ELEMENTS (heads) * G_N_ELEMENTS (changes));
  return unit_run (suite);
}
