/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "btf-both-ways.h"
#include "btf-layouts.h"
#include "change-byte.h"
#include "unit.h"

/* Empty lines between events, one or many, which say nothing: each event and each defect has the line that it stands in. */

/* What such lines are. */
static const char *const ends[] = { "\n", "\r\n", " \t\n", "\t\r\n" };

static const char *
some_end (GRand *random, guint variant)
{
  /* all alike, or any */
  return ends[variant < G_N_ELEMENTS (ends) ? variant : (guint) g_rand_int_range (random, 0, G_N_ELEMENTS (ends))];
}

/* How many come next: mostly few, or more than one word has bits for. */
static guint
some_number (GRand *random)
{
  const gint32 any = g_rand_int_range (random, 0, 1000);

  if (any < 2)
    return (guint) g_rand_int_range (random, 50, 200);
  return any < 500 ? 0 : (guint) (any / 10 % 4);
}

/* @text with such lines behind each of its own, from the one on that begins at @from. */
static GString *
put_empty_lines (const GString *text, gsize from, GRand *random, guint variant)
{
  GString *mixed = g_string_new_len (text->str, (gssize) from);

  for (const char *p = text->str + from, *next; *p != '\0'; p = next)
    {
      const char *newline = strchr (p, '\n');

      next = newline != NULL ? newline + 1 : p + strlen (p);
      g_string_append_len (mixed, p, (gssize) (next - p));
      for (guint n = newline != NULL ? some_number (random) : 0; n > 0; n--)
        g_string_append (mixed, some_end (random, variant));
    }
  return mixed;
}

START_TEST (layouts_with_empty_lines_read_as_the_long_way)
{
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) _i + 1);

  for (guint variant = 0; variant <= G_N_ELEMENTS (ends); variant++)
    {
      g_autoptr (GString) text = g_string_new (HEAD), mixed = NULL, start = NULL;

      btf_append_layout (text, (guint) _i, 100);
      mixed = put_empty_lines (text, strlen (HEAD), random, variant);
      start = g_string_new_len (mixed->str, (gssize) MIN (mixed->len, 3000));
      expect_the_same (mixed->str, mixed->len, 0);
      expect_the_same (mixed->str, mixed->len, 700);
      for (guint n = 0; n < 5; n++)
        {
          g_autoptr (GString) changed = change_byte (random, start->str, start->len, strlen (HEAD), ",\n\r -", 5);

          expect_the_same (changed->str, changed->len, 0);
        }
    }
}
END_TEST

/* One task and its runnable, with texts up to @longest, and as @instance says. */
static GString *
make_lines (GRand *random, gint32 longest, const char *instance)
{
  GString *text = g_string_new (HEAD);

  for (guint i = 0; i < 3000; i++)
    {
      g_autofree char *name = g_strnfill ((gsize) g_rand_int_range (random, 1, longest), (char) ('a' + i % 5));
      const char      *event = i % 2 == 0 ? "start" : "terminate", *number = i % 50 < 45 ? "7" : instance;

      /* now and then a second end, of which the line is told */
      if (g_rand_int_range (random, 0, 20) == 0)
        event = "terminate";
      if (i % 4 < 2)
        g_string_append_printf (text, "%u,Core_1,0,T,%s,%s,%s\n", 10000 + i, name, number, event);
      else
        g_string_append_printf (text, "%u,Task,%s,R,%s,%s,%s%s\n", 10000 + i, number, name, number, event,
                                i % 100 == 7 ? ",a note" : "");
    }
  return text;
}

START_TEST (lines_of_any_kind_between_empty_ones)
{
  static const char *const instances[] = { "7", "-1", "", "123456789", "12345678901" };
  static const gint32      lengths[] = { 4, 14, 24, 40, 70 };
  g_autoptr (GRand)        random = g_rand_new_with_seed ((guint32) _i + 1);
  const char              *instance = instances[(guint) _i % G_N_ELEMENTS (instances)];
  const gint32             longest = lengths[(guint) _i / G_N_ELEMENTS (instances)];

  for (guint variant = 0; variant <= G_N_ELEMENTS (ends); variant++)
    {
      g_autoptr (GString) text = make_lines (random, longest, instance);
      /* those in front are read without any */
      g_autoptr (GString) mixed = put_empty_lines (text, (gsize) (strchr (text->str + text->len / 3, '\n') - text->str),
                                                   random, variant);

      expect_the_same (mixed->str, mixed->len, 0);
      expect_the_same (mixed->str, mixed->len, 5000);
    }
}
END_TEST

/* By hand: behind the three lines of the head, each time five of which the first and the third are events. */
START_TEST (each_event_has_its_line)
{
  g_autoptr (GString) text = g_string_new (HEAD);
  g_autoptr (Reading) reading = NULL;
  const guint         n = 2000;
  guint               first;

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%u,Core_1,0,T,Task,%u,start\n%s%u,Core_1,0,T,Task,%u,terminate\n%s%s", 10000 + i, i,
                            ends[_i], 10000 + i, i, ends[_i], ends[_i]);
  reading = reading_new_of (&ts_importer_btf, text->str, (gssize) text->len, 0, 0);
  ck_assert_uint_ge (reading->events->len, 2 * n);
  first = reading->events->len - 2 * n;
  for (guint i = 0; i < n; i++)
    {
      ck_assert_uint_eq (g_array_index (reading->events, TsEvent, first + 2 * i).line, 4 + 5 * i);
      ck_assert_uint_eq (g_array_index (reading->events, TsEvent, first + 2 * i + 1).line, 6 + 5 * i);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("btf-empty");
  TCase *tests = tcase_create ("btf-empty");

  tcase_set_timeout (tests, 120);
  tcase_add_loop_test (tests, layouts_with_empty_lines_read_as_the_long_way, 0, (int) btf_n_layouts);
  tcase_add_loop_test (tests, lines_of_any_kind_between_empty_ones, 0, 25);
  tcase_add_loop_test (tests, each_event_has_its_line, 0, G_N_ELEMENTS (ends));
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
