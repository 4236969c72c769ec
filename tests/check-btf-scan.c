/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "btf-both-ways.h"
#include "btf-layouts.h"
#include "change-byte.h"
#include "simulate.h"
#include "unit.h"

/* Lines that are read by what their texts meant before: whatever the layout, the result is that of the
 * long way alone, to the line number of every defect. */

static GString *
make_trace (guint layout, guint n)
{
  GString *text = g_string_new (HEAD);

  btf_append_layout (text, layout, n);
  return text;
}

START_TEST (every_layout_reads_as_the_long_way)
{
  g_autoptr (GString) text = make_trace ((guint) _i, 20);

  for (gsize chunk = 1; chunk < 150; chunk += chunk < 12 ? 1 : 9)
    expect_the_same (text->str, text->len, chunk);
  for (gsize chunk = 150; chunk < 1200; chunk += 61)
    expect_the_same (text->str, text->len, chunk);
  expect_the_same (text->str, text->len, 0);
}
END_TEST

START_TEST (long_traces_read_as_the_long_way)
{
  g_autoptr (GString) text = make_trace ((guint) _i, 2000);

  expect_the_same (text->str, text->len, 0);
  expect_the_same (text->str, text->len, 4096);
}
END_TEST

START_TEST (a_trace_cut_anywhere_reads_as_the_long_way)
{
  g_autoptr (GString) text = make_trace ((guint) _i, 12);

  for (gsize cut = strlen (HEAD); cut < text->len; cut += 3)
    expect_the_same_with (text->str, cut, 0, 0);
}
END_TEST

/* One byte changed, to a NUL too, left out or doubled. */
static void
expect_the_same_when_changed (GRand *random, const GString *text)
{
  static const char   odd[] = ",\n\r \t09-+#aT\x80\xff";
  g_autoptr (GString) changed = change_byte (random, text->str, text->len, strlen (HEAD), odd, sizeof odd);

  expect_the_same (changed->str, changed->len, (gsize) g_rand_int_range (random, 0, 700));
}

START_TEST (a_changed_byte_has_the_same_effect)
{
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) _i + 1);

  for (guint n = 0; n < 300; n++)
    {
      g_autoptr (GString) text = make_trace ((guint) g_rand_int_range (random, 0, btf_n_layouts), 12);

      expect_the_same_when_changed (random, text);
    }
}
END_TEST

static GString *
simulate (guint shape, SimBtfDress dress, guint64 n_events)
{
  SimConfig  config;
  SimSystem *system;
  GString   *text = g_string_new (NULL);

  ck_assert (sim_shape (sim_shape_name (shape), 5, &config));
  config.n_sections = 1;
  config.period_name = "";
  config.duration = sim_measure (&config, n_events);
  system = sim_system_new (&config);
  ck_assert (sim_btf_write (system, dress, NULL, text, NULL, NULL));
  sim_system_free (system);
  return text;
}

START_TEST (simulated_traces_read_as_the_long_way)
{
  static const SimBtfDress dresses[] = { SIM_BTF_21, SIM_BTF_23, SIM_BTF_NUMERIC };
  g_autoptr (GRand)        random = g_rand_new_with_seed ((guint32) _i + 1);

  for (guint i = 0; i < G_N_ELEMENTS (dresses); i++)
    {
      g_autoptr (GString) text = simulate ((guint) _i, dresses[i], 1500);
      g_autoptr (GString) start = g_string_new_len (text->str, (gssize) MIN (text->len, 8000));

      expect_the_same (text->str, text->len, 0);
      expect_the_same (text->str, text->len, 1000);
      for (guint n = 0; n < 10; n++)
        expect_the_same_when_changed (random, start);
    }
}
END_TEST

/* How blanks are put beside commas. */
static const struct
{
  guint       in_front, behind; /* at most so many, of @blanks; */
  gboolean    always;           /* and each time as many, */
  guint       every;            /* in one of so many places */
  const char *blanks;
  gboolean    with_returns; /* lines end with two bytes */
} spacings[] = {
  { 0, 1, TRUE, 1, " " },  { 0, 1, FALSE, 1, " " }, { 0, 4, FALSE, 1, " " },  { 0, 2, TRUE, 1, " " },
  { 3, 4, FALSE, 1, " " }, { 2, 0, TRUE, 1, " " },  { 2, 3, FALSE, 1, " \t" }, { 0, 3, FALSE, 40, " " },
  { 0, 70, FALSE, 5, " " }, { 0, 9, FALSE, 1, " " }, { 0, 1, TRUE, 1, "\t" }, { 1, 1, FALSE, 30, "\t " },
  { 2, 2, FALSE, 1, " \t", TRUE }, { 0, 2, FALSE, 1, " ", TRUE }, { 5, 1, FALSE, 9, " ", TRUE },
  { 34, 0, FALSE, 3, " " }, { 70, 70, FALSE, 20, "\t ", TRUE }, { 0, 3, TRUE, 1, " " }, { 0, 4, TRUE, 1, " ", TRUE },
  { 0, 5, TRUE, 1, " " },
};

static void
append_blanks (GString *text, GRand *random, guint spacing, guint n)
{
  const char *blanks = spacings[spacing].blanks;

  if (g_rand_int_range (random, 0, (gint32) spacings[spacing].every) > 0)
    return;
  if (!spacings[spacing].always)
    n = (guint) g_rand_int_range (random, 0, (gint32) n + 1);
  for (; n > 0; n--)
    g_string_append_c (text, blanks[g_rand_int_range (random, 0, (gint32) strlen (blanks))]);
}

/* @text with blanks beside the commas between the fields of events, in front of these, and behind them. */
static GString *
space_out (const GString *text, GRand *random, guint spacing)
{
  GString *spaced = g_string_new (NULL);
  guint    n_commas = 0;
  gboolean is_event = FALSE;

  for (gsize i = 0; i < text->len; i++)
    {
      char     c = text->str[i];
      gboolean is_mark;

      if (i == 0 || text->str[i - 1] == '\n')
        {
          n_commas = 0;
          is_event = c != '#';
          if (is_event && c != '\n')
            append_blanks (spaced, random, spacing, spacings[spacing].in_front);
        }
      is_mark = c == ',' && is_event && n_commas++ < 6;
      if (is_mark)
        append_blanks (spaced, random, spacing, spacings[spacing].in_front);
      if (c == '\n' && is_event && n_commas > 0)
        append_blanks (spaced, random, spacing, spacings[spacing].in_front);
      if (c == '\n' && spacings[spacing].with_returns)
        g_string_append_c (spaced, '\r');
      g_string_append_c (spaced, c);
      if (is_mark)
        append_blanks (spaced, random, spacing, spacings[spacing].behind);
    }
  return spaced;
}

START_TEST (blanks_beside_commas_read_as_the_long_way)
{
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) _i + 1);

  for (guint i = 0; i < G_N_ELEMENTS (spacings); i++)
    {
      g_autoptr (GString) text = make_trace ((guint) _i, 60);
      g_autoptr (GString) spaced = space_out (text, random, i);
      g_autoptr (GString) start = g_string_new_len (spaced->str, (gssize) MIN (spaced->len, 2000));

      expect_the_same (spaced->str, spaced->len, 0);
      expect_the_same (spaced->str, spaced->len, 300);
      for (guint n = 0; n < 10; n++)
        expect_the_same_when_changed (random, start);
    }
}
END_TEST

/* Blanks say nothing: the events are those of the trace without them. */
START_TEST (blanks_beside_commas_change_nothing)
{
  static const SimBtfDress dresses[] = { SIM_BTF_23, SIM_BTF_NUMERIC };
  g_autoptr (GRand)        random = g_rand_new_with_seed ((guint32) _i + 1);

  for (guint i = 0; i < G_N_ELEMENTS (dresses); i++)
    {
      g_autoptr (GString) text = simulate ((guint) _i % sim_n_shapes (), dresses[i], 3000);
      g_autoptr (GString) spaced = space_out (text, random, (guint) _i % G_N_ELEMENTS (spacings));
      g_autoptr (Reading) plain = reading_new_of (&ts_importer_btf, text->str, (gssize) text->len, 0, READ_PLAIN);
      g_autoptr (Reading) quick = reading_new_of (&ts_importer_btf, spaced->str, (gssize) spaced->len, 0, 0);
      g_autofree char    *plain_dump = reading_dump (plain), *quick_dump = reading_dump (quick);

      ck_assert_str_eq (quick_dump, plain_dump);
    }
}
END_TEST

/* One in some lines has a field without anything, or a note, with or without a say. */
START_TEST (odd_lines_between_blanks)
{
  static const char *const events[] = { "start", "preempt", "resume", "terminate", "mtalimitexceeded" };
  static const char *const notes[] = { "", ",", ",delete", ", a, b", ",a", ",  create x" };
  g_autoptr (GString)      text = g_string_new (HEAD), spaced = NULL;
  g_autoptr (GRand)        random = g_rand_new_with_seed ((guint32) _i + 1);

  for (guint i = 0; i < 20000; i++)
    {
      const guint      width = i < 10000 ? 16 : 50;
      const gboolean   is_odd = g_rand_int_range (random, 0, i % 5000 < 2500 ? 300 : 30) == 0;
      const guint      empty = is_odd ? (guint) g_rand_int_range (random, 0, 12) : 0;
      g_autofree char *name = g_strnfill ((gsize) g_rand_int_range (random, 1, (gint32) width), 'n');
      g_autofree char *number = g_strdup_printf ("%u", i / 20);
      const gboolean   is_task = i % 3 == 0;
      const char      *event = events[g_rand_int_range (random, 0, is_task ? 5 : 4)];
      const char      *fields[] = { is_task ? "Core_1" : "Task", "0",    is_task ? "T" : "R",
                                    is_task ? "Task" : name,     number, event };

      g_string_append_printf (text, "%u", 10000000 + 10 * i);
      for (guint n = 0; n < G_N_ELEMENTS (fields); n++)
        g_string_append_printf (text, ",%s", n + 1 == empty ? "" : fields[n]);
      g_string_append_printf (text, "%s\n",
                              is_odd ? notes[g_rand_int_range (random, 0, G_N_ELEMENTS (notes))] : "");
    }
  spaced = space_out (text, random, (guint) _i);
  expect_the_same (spaced->str, spaced->len, 0);
  expect_the_same (spaced->str, spaced->len, 3000);
}
END_TEST

/* Blanks around fields are none of these, but those in a note are: by it intervals are told apart. */
START_TEST (notes_keep_their_blanks)
{
  static const char *const notes[] = { "a,b", "a, b", "a ,b", "a,\tb", "a , b", "b", "a,", "a", "a b" };
  g_autoptr (GString) text = g_string_new (HEAD), spaced = NULL;
  g_autoptr (GRand)   random = g_rand_new_with_seed ((guint32) _i + 1);
  g_autoptr (Reading) quick = NULL;
  guint               n_intervals = 0;

  for (guint i = 0; i < 6000; i++)
    if (i % 4 > 1)
      g_string_append_printf (text, "%u,Core_1,0,T,A,%u,%s\n", 1000 + i, i / 4, i % 2 == 0 ? "start" : "terminate");
    else
      g_string_append_printf (text, "%u,Core_1,0,STI,%s,0,trigger,%s\n", 1000 + i,
                              i % 4 == 0 ? "interval_start" : "interval_stop", notes[i / 4 % G_N_ELEMENTS (notes)]);
  spaced = space_out (text, random, (guint) _i);
  expect_the_same (spaced->str, spaced->len, 0);
  expect_the_same (spaced->str, spaced->len, 3000);
  quick = reading_new_of (&ts_importer_btf, spaced->str, (gssize) spaced->len, 0, 0);
  for (guint i = 0; i < ts_system_n_elements (quick->system); i++)
    n_intervals += g_str_has_suffix (ts_system_get_element (quick->system, i)->name, "b")
                   || g_str_has_suffix (ts_system_get_element (quick->system, i)->name, "a,")
                   || g_str_has_suffix (ts_system_get_element (quick->system, i)->name, "a");
  ck_assert_uint_eq (n_intervals, G_N_ELEMENTS (notes));
}
END_TEST

/* Comments and lines without anything come between events, and what looks like them but is none; with blanks and without. */
START_TEST (lines_without_a_word)
{
  static const char *const idle[] = { "", "  ", "\t", "\r", " \r", "# a, b,c,1,d,2,start", "#\tx", "  # 7,Core_1,0,T,A,1,start",
                                      "#", "#foo", "\r\r", " \rx", "#-5 A", "#timeScale us", " 7", "# \r# x" };
  g_autoptr (GRand)        random = g_rand_new_with_seed ((guint32) _i + 1);
  g_autoptr (GString)      text = g_string_new (HEAD), spaced = NULL, mixed = g_string_new (NULL);
  const gint32             n_idle = _i % 2 == 0 ? 8 : G_N_ELEMENTS (idle);

  for (guint i = 0; i < 3000; i++)
    g_string_append_printf (text, "%u,Core_1,0,T,A_%u,%u,%s\n", 1000 + i, i % 7, i / 14,
                            i / 7 % 2 == 0 ? "start" : "terminate");
  spaced = _i < 2 ? g_string_new (text->str) : space_out (text, random, 4);
  for (const char *p = spaced->str, *next; *p != '\0'; p = next)
    {
      next = strchr (p, '\n') + 1;
      g_string_append_len (mixed, p, (gssize) (next - p));
      for (gint32 n = g_rand_int_range (random, 0, 30) - 27; n > 0; n--)
        g_string_append_printf (mixed, "%s\n", idle[g_rand_int_range (random, 0, n_idle)]);
    }
  expect_the_same (mixed->str, mixed->len, 0);
  expect_the_same (mixed->str, mixed->len, 3000);
}
END_TEST

/* Where blanks are left out, a byte of 0 in their place is not, nor is one among tabs. */
START_TEST (a_byte_of_0_is_no_blank)
{
  static const char *const blanks[] = { "7, Core_1,0, T, Task 1, 1, start\n7, Core_1, 0,T, Task 1,1, terminate\n",
                                        "7, Core_1,0, T, Task 1,\t1, start\n7,\tCore_1,0,T,\tTask 1,1,\tterminate\n" };
  const char              *blank = blanks[_i];
  const gsize              n = strlen (blank);
  g_autoptr (GString)      text = g_string_new (HEAD);

  for (guint i = 0; i < 2000; i++)
    {
      g_string_append_len (text, blank, (gssize) n);
      /* one of the blanks in front of names or in them */
      if (i % 100 == 99)
        text->str[text->len - n + (gsize[]){ 2, 12, 15, 20 }[i / 100 % 4]] = '\0';
    }
  expect_the_same (text->str, text->len, 0);
  expect_the_same (text->str, text->len, 5000);
}
END_TEST

/* Lines of any width, with marks on either side of where blocks of 64 bytes end, and one behind the other. */
START_TEST (lines_of_any_width)
{
  static const char name[] = "a_name_of_some_length_that_is_cut_anywhere_to_have_all_lengths_up_to_some_more_than_a_block";
  g_autoptr (GString) text = g_string_new (HEAD);
  g_autoptr (GRand)   random = g_rand_new_with_seed (7);

  for (guint i = 0; i < 4000; i++)
    {
      int task = g_rand_int_range (random, 1, i % 7 == 0 ? 90 : 40), run = g_rand_int_range (random, 1, 60);

      g_string_append_printf (text, "%u,Core_%d,0,T,%.*s,%u,start\n", 1000 + 4 * i, task % 4, task, name, i / 9);
      g_string_append_printf (text, "%u,%.*s,%u,R,r%.*s,%u,start%s\n", 1001 + 4 * i, task, name, i / 9, run, name + 5,
                              i / 7, i % 50 == 0 ? ",with a note" : "");
      g_string_append_printf (text, "%u,%.*s,%u,R,r%.*s,%u,terminate\n", 1002 + 4 * i, task, name, i / 9, run, name + 5,
                              i / 7);
      g_string_append_printf (text, "%u,Core_%d,0,T,%.*s,%u,terminate\n", 1003 + 4 * i, task % 4, task, name, i / 9);
    }
  expect_the_same (text->str, text->len, 0);
  expect_the_same (text->str, text->len, 5000);
  for (guint i = 0; i < G_N_ELEMENTS (spacings); i++)
    {
      g_autoptr (GString) spaced = space_out (text, random, i);

      expect_the_same_with (spaced->str, spaced->len, 0, 0);
    }
}
END_TEST

/* The digits in front of the last eight change with every line, or after some, while lines are looked at in advance. */
START_TEST (times_of_any_length)
{
  static const guint64 steps[] = { 1, 999, 1234567, 12345678, 33333333, 100000000, 99999999, 7777777777 };
  g_autoptr (GString)  text = g_string_new (HEAD);
  guint64              time = 0;

  for (guint i = 0; i < 60 * G_N_ELEMENTS (steps); i++)
    {
      time += steps[i / 60];
      g_string_append_printf (text, "%" G_GUINT64_FORMAT ",Core_1,0,T,Task,%u,start\n", time, i);
      g_string_append_printf (text, "%" G_GUINT64_FORMAT ",Core_1,0,T,Task,%u,terminate\n", time + steps[i / 60] / 2, i);
    }
  expect_the_same (text->str, text->len, 0);
  expect_the_same (text->str, text->len, 777);
}
END_TEST

/* Times that have more digits than are compared at once, and those around them: what is in front of these changes with
 * the next line or with one in some, with and without what is behind it, up to times that are too large. */
START_TEST (times_since_1970)
{
  static const guint64 limit = G_GUINT64_CONSTANT (1) << 61, sixteen = G_GUINT64_CONSTANT (10000000000000000);
  static const struct
  {
    guint64 first, step, every; /* one in some is so much later */
  } times[] = {
    { sixteen - 200, 1, sixteen },
    { 10 * sixteen - 200, 1, 0 },
    { 100 * sixteen - 200, 1, sixteen },
    { 13 * sixteen - 200, 1, 0 },
    { 170 * sixteen - 200, 1, 10 * sixteen },
    { 171 * sixteen, 50000000, 3 * sixteen },
    { 171 * sixteen, sixteen / 100, 1 },
    { limit - 300, 1, 0 },
    { limit - 5, 0, 5 },
    { limit - 5, 0, 6 },
    { G_MAXUINT64 - 1000, 1, 0 },
  };
  /* between the time and the number of the instance, and behind that */
  static const char *const lines[][4] = {
    { ",Core_1,0,T,Task,", ",start\n", ",Core_1,0,T,Task,", ",terminate\n" },
    { ",Core_1,0,T,A_task_of_23_bytes_which,", ",start\n", ",Core_1,0,T,A_task_of_23_bytes_which,", ",terminate\n" },
    { ",Core_1,0,T,Task,", ",start,a note\n", ",A_task_of_23_bytes_which,,T,A_task_of_23_bytes_which,", ",preempt\n" },
    { ",  Core_1,0,T, Task,", ",start\n", ", Core_1,0,  T,Task,  ", ",terminate\n" },
    { ",Core_1\t,0,T, Task,", ",start\n", ", Core_1,0,  T,Task,  ", ",terminate\n" },
  };
  static const char *const zeros[] = { "", "00" };

  for (guint i = 0; i < G_N_ELEMENTS (times) * G_N_ELEMENTS (zeros); i++)
    {
      g_autoptr (GString) text = g_string_new (HEAD);
      guint64             time = times[i / 2].first;

      for (guint n = 0; n < 400; n++, time += times[i / 2].step)
        {
          g_autofree char *now = g_strdup_printf ("%s%" G_GUINT64_FORMAT, zeros[i % 2], time);
          g_autofree char *later = g_strdup_printf ("%s%" G_GUINT64_FORMAT, zeros[i % 2], time + times[i / 2].every);

          g_string_append_printf (text, "%s%s%u%s", now, lines[_i][0], n, lines[_i][1]);
          g_string_append_printf (text, "%s%s%u%s", n % 50 == 49 ? later : now, lines[_i][2], n, lines[_i][3]);
        }
      expect_the_same (text->str, text->len, 0);
      expect_the_same (text->str, text->len, 777);
    }
}
END_TEST

/* One time among others as long as it is; with a sign and zeros, it is not what it is without the sign. */
START_TEST (negative_times_as_long_as_others)
{
  const int           n = _i;
  g_autoptr (GString) text = g_string_new (HEAD);
  g_autoptr (Reading) reading = NULL;

  for (int i = 0; i < 200; i++)
    g_string_append_printf (text, "%0*d,Core_1,0,T,Task,%d,%s\n", n, i == 100 ? -7 : i, i / 2,
                            i % 2 == 0 ? "start" : "terminate");
  reading = reading_new_of (&ts_importer_btf, text->str, (gssize) text->len, 0, READ_STREAM);
  ck_assert_int_eq (g_array_index (reading->events, TsEvent, 1 + 100).time, -7);
  expect_the_same (text->str, text->len, 0);
}
END_TEST

/* The number of the instance that a runnable says it runs in: 32768 and what it is modulo 32768, or 0 for none. */
START_TEST (numbers_of_owners)
{
  static const struct
  {
    const char *text;
    guint16     number;
  } owners[] = {
    { "0", 32768 },     { "7", 32775 },         { "32767", 65535 },     { "32768", 32768 }, { "65535", 65535 },
    { "65536", 32768 }, { "131070", 65534 },    { "99999999", 57599 },  { "100000000", 57600 },
    { "-1", 0 },        { "", 0 },              { "x", 0 },             { "0000000012", 32780 }, { "12x", 0 },
  };
  g_autoptr (GString) text = g_string_new (HEAD "1,Core_1,0,T,Task,0,start\n2,Task,0,R,Run,0,start\n3,Task,0,R,Run,0,terminate\n");
  g_autoptr (Reading) reading = NULL;
  guint               n = 0;

  for (guint round = 0; round < 3; round++)
    for (guint i = 0; i < G_N_ELEMENTS (owners); i++)
      {
        g_string_append_printf (text, "%u,Task,%s,R,Run,0,start\n", 10 + 2 * n, owners[i].text);
        g_string_append_printf (text, "%u,Core_1,%s,T,Task,%u,preempt\n", 11 + 2 * n++, owners[i].text, i);
      }
  /* the end of a chunk takes the long way */
  for (guint i = 0; i < 20; i++)
    g_string_append_printf (text, "%u,Core_1,0,T,Task,0,resume\n", 1000 + i);
  reading = reading_new_of (&ts_importer_btf, text->str, (gssize) text->len, 0, 0);
  n = 0;
  for (guint round = 0; round < 3; round++)
    for (guint i = 0; i < G_N_ELEMENTS (owners); i++, n++)
      {
        const TsEvent *run = &g_array_index (reading->events, TsEvent, 4 + 2 * n), *task = &g_array_index (reading->events, TsEvent, 5 + 2 * n);

        ck_assert_int_eq (run->time, 10 + 2 * n);
        ck_assert_uint_eq (run->owner_number, owners[i].number);
        ck_assert_uint_eq (task->owner_number, 0);
        ck_assert_int_eq (task->instance, i);
      }
  expect_the_same (text->str, text->len, 0);
}
END_TEST

typedef struct
{
  const char *text;
  gint32      instance;
  guint16     owner;
} NumberCase;

/* Runnables with a name that is short or long, and with such numbers in any order: first only the @n_first ones. */
static void
check_numbers (const NumberCase *cases, gint32 n_cases, gint32 n_first, gboolean is_long)
{
  const char         *name = is_long ? "A_runnable_with_a_name_of_more_bytes_than_two_times_sixteen" : "Run";
  g_autoptr (GString) text = g_string_new (HEAD "1,Core_1,0,T,Task,0,start\n");
  g_autoptr (GRand)   random = g_rand_new_with_seed (31);
  g_autoptr (Reading) reading = NULL;
  guint               first[3000], second[3000];

  for (guint i = 0; i < G_N_ELEMENTS (first); i++)
    {
      first[i] = (guint) g_rand_int_range (random, 0, i < 400 ? n_first : n_cases);
      second[i] = (guint) g_rand_int_range (random, 0, i < 400 ? n_first : n_cases);
      g_string_append_printf (text, "%u,Task,%s,R,%s,%s,start\n", 10 + i, cases[second[i]].text, name,
                              cases[first[i]].text);
    }
  /* the end of a chunk takes the long way */
  for (guint i = 0; i < 20; i++)
    g_string_append_printf (text, "%u,Core_1,0,T,Task,0,resume\n", 4000 + i);
  reading = reading_new_of (&ts_importer_btf, text->str, (gssize) text->len, 0, 0);
  for (guint i = 0; i < G_N_ELEMENTS (first); i++)
    {
      const TsEvent *event = &g_array_index (reading->events, TsEvent, 2 + i);

      ck_assert_int_eq (event->time, 10 + i);
      ck_assert_int_eq (event->instance, cases[first[i]].instance);
      ck_assert_uint_eq (event->owner_number, cases[second[i]].owner);
    }
  expect_the_same (text->str, text->len, 0);
}

/* Of an instance the last 31 bits, of an owner's the last 15 behind a first one, however many digits they have; and
 * none where they are no numbers. */
START_TEST (instances_of_any_length)
{
  static const NumberCase cases[] = {
    { "7", 7, 32775 },
    { "999999999", 999999999, 51711 },
    { "2147483647", G_MAXINT32, 65535 },
    { "2147483648", 0, 32768 },
    { "4294967295", G_MAXINT32, 65535 },
    { "0000000012345678", 12345678, 57678 },
    { "1234567890123456", 1015724736, 47808 },
    { "9999999999999999", 1874919423, 65535 },
    { "99999999x", TS_NO_INSTANCE, 0 },
    { "x9999999999999999", TS_NO_INSTANCE, 0 },
    { "1 345678901", TS_NO_INSTANCE, 0 },
    { "-1", TS_NO_INSTANCE, 0 },
    { "", TS_NO_INSTANCE, 0 },
    { "00000000000000000009", 9, 32777 },
    { "12345678901234567", 1567312775, 52103 },
    { "9223372036854775807", G_MAXINT32, 65535 },
    { "9223372036854775808", 0, 0 },
  };

  check_numbers (cases, G_N_ELEMENTS (cases), 8, _i);
}
END_TEST

/* -1 is that there is none, and nothing else is that ends likewise: where each line has it, few have, and beside numbers
 * of many digits. */
START_TEST (instances_of_minus_one)
{
  static const NumberCase cases[] = {
    { "-1", TS_NO_INSTANCE, 0 },
    { "11", 11, 32779 },
    { "1", 1, 32769 },
    { "101", 101, 32869 },
    { "0-1", TS_NO_INSTANCE, 0 },
    { "--1", TS_NO_INSTANCE, 0 },
    { "\xcf-1", TS_NO_INSTANCE, 0 },
    { "1-1", TS_NO_INSTANCE, 0 },
    { "-1-1", TS_NO_INSTANCE, 0 },
    { "00000000-1", TS_NO_INSTANCE, 0 },
    { "1-", TS_NO_INSTANCE, 0 },
    { "-x", TS_NO_INSTANCE, 0 },
    { "-", TS_NO_INSTANCE, 0 },
    { "", TS_NO_INSTANCE, 0 },
    { "2147483649", 1, 32769 },
  };

  for (gint32 n = 1; n <= (gint32) G_N_ELEMENTS (cases); n++)
    check_numbers (cases, n, MIN (n, 4), _i);
}
END_TEST

START_TEST (a_zero_byte_is_no_digit)
{
  g_autoptr (GString) text = make_trace (3, 6);

  g_string_append_c (text, '\0');
  g_string_append (text, "0050679,Core_1,0,T,Task_1,3,start\r\n");
  expect_the_same (text->str, text->len, 0);
}
END_TEST

/* Nor is what stands where the first eight digits of a time are, where each time has to be looked at: those behind the
 * stop. */
START_TEST (bytes_that_are_no_digits_are_no_time)
{
  static const char        odd[] = "\1\0\0\0\0\0\0\0" "00000001,Core_1,0,T,Task_1,9,start\n";
  static const char *const stops[] = { "1000000000000000,SIM,-1,SYS,S,0,stop\n", "" };

  for (guint n = 0; n < G_N_ELEMENTS (stops); n++)
    {
      g_autoptr (GString) text = g_string_new (HEAD);

      for (guint i = 0; i < 40; i++)
        {
          if (i == 10)
            g_string_append (text, stops[n]);
          if (i > 20 && i < 30)
            g_string_append_len (text, odd, sizeof odd - 1);
          g_string_append_printf (text, "10000000000000%02u,Core_1,0,T,Task_1,%u,%s\n", i, i / 2,
                                  i % 2 == 0 ? "start" : "terminate");
        }
      expect_the_same (text->str, text->len, 0);
    }
}
END_TEST

/* When the system has stopped, each event is one too late, whatever its line is like. */
START_TEST (events_behind_a_stop)
{
  static const char   names[][48] = { "Task", "A_task_with_a_long_name", "A_task_with_a_name_that_is_longer_than_that" };
  const char         *name = names[_i];
  g_autoptr (GString) text = g_string_new (HEAD);

  for (int i = 0; i < 2000; i++)
    {
      g_string_append_printf (text, "%d,Core_1,0,T,%s,%d,start\n", 10 * i, name, i);
      g_string_append_printf (text, "%d,%s,%d,R,%s_1,%d,start\n", 10 * i + 1, name, i, name, i);
      g_string_append_printf (text, "%d,%s,%d,R,%s_1,%d,terminate\n", 10 * i + 2, name, i, name, i);
      g_string_append_printf (text, "%d,Core_1,0,T,%s,%d,terminate\n", 10 * i + 3, name, i);
      if (i % 100 >= 98)
        g_string_append_printf (text, "%d,SIM,-1,SYS,S,0,%s\n", 10 * i + 4, i % 100 == 98 ? "stop" : "start");
    }
  for (gsize chunk = 0; chunk < 12000; chunk += 3999)
    expect_the_same (text->str, text->len, chunk);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("btf-scan");
  TCase *tcase = tcase_create ("lines");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 300);
  tcase_add_loop_test (tcase, every_layout_reads_as_the_long_way, 0, btf_n_layouts);
  tcase_add_loop_test (tcase, long_traces_read_as_the_long_way, 0, btf_n_layouts);
  tcase_add_loop_test (tcase, a_trace_cut_anywhere_reads_as_the_long_way, 0, btf_n_layouts);
  tcase_add_loop_test (tcase, a_changed_byte_has_the_same_effect, 0, 10);
  tcase_add_loop_test (tcase, simulated_traces_read_as_the_long_way, 0, (int) sim_n_shapes ());
  tcase_add_loop_test (tcase, blanks_beside_commas_read_as_the_long_way, 0, btf_n_layouts);
  tcase_add_loop_test (tcase, blanks_beside_commas_change_nothing, 0, 3 * (int) sim_n_shapes ());
  tcase_add_loop_test (tcase, odd_lines_between_blanks, 0, G_N_ELEMENTS (spacings));
  tcase_add_loop_test (tcase, notes_keep_their_blanks, 0, G_N_ELEMENTS (spacings));
  tcase_add_loop_test (tcase, lines_without_a_word, 0, 4);
  tcase_add_loop_test (tcase, a_byte_of_0_is_no_blank, 0, 2);
  tcase_add_test (tcase, lines_of_any_width);
  tcase_add_test (tcase, times_of_any_length);
  tcase_add_loop_test (tcase, times_since_1970, 0, 5);
  tcase_add_loop_test (tcase, negative_times_as_long_as_others, 4, 20);
  tcase_add_test (tcase, numbers_of_owners);
  tcase_add_loop_test (tcase, instances_of_any_length, 0, 2);
  tcase_add_loop_test (tcase, instances_of_minus_one, 0, 2);
  tcase_add_test (tcase, a_zero_byte_is_no_digit);
  tcase_add_test (tcase, bytes_that_are_no_digits_are_no_time);
  tcase_add_loop_test (tcase, events_behind_a_stop, 0, 3);
  return unit_run (suite);
}
