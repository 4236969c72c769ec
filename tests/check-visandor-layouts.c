/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/visandor.h"
#include "reading-visandor.h"
#include "unit.h"
#include "visandor-programs.h"

/* Random parallel programs, whose lines are written in other ways, or wrong, or in another order. */

/* How the blanks of a line are written, or its numbers. */
typedef enum
{
  TABULATORS,
  MANY_BLANKS,
  ANY_BLANKS,
  CRLF,
  CRLF_AND_BLANKS,
  COLUMNS,
  SOME_LINES, /* one of ten with other blanks than the rest */
  ZEROS,      /* in front of numbers */
  PREFIXES,   /* of nodes, from some line on: until then they are known without */
  N_LAYOUTS
} Layout;

static void
append_blanks (GString *text, Layout layout, gsize column, GRand *random)
{
  static const char *const any[] = { " ", "\t", "  ", " \t ", "\t\t", "     " };

  if (layout == TABULATORS)
    g_string_append_c (text, '\t');
  else if (layout == MANY_BLANKS || layout == CRLF_AND_BLANKS)
    g_string_append_len (text, "      ", g_rand_int_range (random, 1, 6));
  else if (layout == ANY_BLANKS)
    g_string_append (text, any[g_rand_int_range (random, 0, G_N_ELEMENTS (any))]);
  else if (layout == COLUMNS)
    g_string_append_len (text, "          ", (gssize) (10 - column % 10));
  else
    g_string_append_c (text, ' ');
}

/* Every second line ends without blanks. */
static char *
lay_out (const char *text, Layout layout, guint32 seed)
{
  const int zeros[] = { 6, 2, 4 + (int) seed % 5, 1 + (int) seed % 5, 1, 1 + (int) seed % 2 }; /* at least so many digits */
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GRand   *random = g_rand_new_with_seed (seed);
  GString *out = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL && lines[i + 1] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (g_strstrip (lines[i]), " ", -1);
      Layout of_line = layout != SOME_LINES ? layout : g_rand_int_range (random, 0, 10) == 0 ? ANY_BLANKS : CRLF;
      gsize  begin = out->len;

      if (i % 3 == 0 && layout != CRLF)
        append_blanks (out, of_line, 0, random);
      for (guint k = 0; words[k] != NULL; k++)
        {
          if (k > 0)
            append_blanks (out, of_line, out->len - begin, random);
          if (layout == ZEROS && i > 0)
            g_string_append_len (out, "00000000", zeros[k] - (gssize) MIN (strlen (words[k]), (gsize) zeros[k]));
          if (layout == PREFIXES && k == 2 && i > 100 && i % 7 > 0)
            g_string_append (out, i % 2 == 0 ? "0x" : "0X");
          g_string_append (out, words[k]);
        }
      if (i % 2 == 0)
        append_blanks (out, of_line, out->len - begin, random);
      g_string_append (out, layout == CRLF || layout == CRLF_AND_BLANKS ? "\r\n" : "\n");
    }
  g_rand_free (random);
  return g_string_free (out, FALSE);
}

/* However it is written, whoever reads them, and wherever the pieces end. */
START_TEST (blanks_and_zeros_make_no_difference)
{
  static const gsize chunks[] = { 0, 211, 1000 };
  const TsOptions plain = { .no_scanner = TRUE };
  VisProgram      program = make_program (_i / N_LAYOUTS);
  g_autoptr (VisTruth) truth = NULL;
  g_autoptr (VisReading) expected = NULL;
  g_autofree char *expected_dump = NULL, *laid_out = NULL;
  GString         *text = g_string_new (NULL);

  program.n_agents = 1 + (guint) (_i / N_LAYOUTS) * 5 % 16;
  truth = vis_simulate (&program, text, NULL);
  expected = vis_reading_new (text->str, (gssize) text->len, 0, 0, &plain);
  expected_dump = vis_reading_dump (expected);
  laid_out = lay_out (text->str, (Layout) (_i % N_LAYOUTS), (guint32) _i);
  for (guint i = 0; i <= G_N_ELEMENTS (chunks); i++)
    {
      g_autoptr (VisReading) reading = i < G_N_ELEMENTS (chunks)
                                           ? vis_reading_new (laid_out, -1, chunks[i], 0, NULL)
                                           : vis_reading_new (laid_out, -1, 0, 0, &plain);
      g_autofree char *dump = vis_reading_dump (reading);

      ck_assert_msg (strcmp (dump, expected_dump) == 0, "layout %d", _i % N_LAYOUTS);
    }
  g_string_free (text, TRUE);
}
END_TEST

#define N_IDS 8

/* How much more ids and WAMs are than they were, and how many digits they have at least. */
typedef struct
{
  guint64 more[N_IDS], wams;
  int     least_digits;
} Widening;

#define ADDRESS G_GUINT64_CONSTANT (0x7f3a10000000)
#define OF_KERNEL G_GUINT64_CONSTANT (0xffff888000000000)

static const Widening widenings[] = {
  /* half of them as they are, the others of four to eight digits */
  { { 0, 0, 0, 0xa000, 0, 0x10000000, 0xb00000, 0xc0000 }, 0, 1 },
  /* addresses of 64 bits, of one piece of memory, of two, or in the kernel; some of which are in memory as texts are, and of
   * which only the first digits tell one from another */
  { { ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS }, ADDRESS, 1 },
  { { ADDRESS, 2 * ADDRESS, ADDRESS, ADDRESS, 2 * ADDRESS, ADDRESS, ADDRESS, ADDRESS }, 0, 1 },
  { { OF_KERNEL, OF_KERNEL, OF_KERNEL, OF_KERNEL, OF_KERNEL, OF_KERNEL, ADDRESS, OF_KERNEL }, OF_KERNEL, 1 },
  { { (guint64) 1 << 32, (guint64) 2 << 32, (guint64) 0xfffffff << 32, G_GUINT64_CONSTANT (0x2020202020200000), (guint64) 9 << 60,
      G_GUINT64_CONSTANT (0x3030303030300000), 0, (guint64) 1 << 48 }, (guint64) 3 << 32, 1 },
  /* zeros in front */
  { { 0 }, 0, 16 },
  { { 0, ADDRESS, 0, ADDRESS, 0, 0xa000, 0, ADDRESS }, 0x1000, 12 },
};

/* @text with other ids and WAMs. */
static char *
widen_ids (const char *text, const Widening *widening)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GString *out = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL && *lines[i] != '\0'; i++)
    {
      g_auto (GStrv) words = g_strsplit (g_strstrip (lines[i]), " ", -1);

      if (g_strv_length (words) == 6)
        {
          const guint64 id = g_ascii_strtoull (words[2], NULL, 16), wam = g_ascii_strtoull (words[4], NULL, 16);

          g_free (words[2]);
          words[2] = g_strdup_printf ("%0*" G_GINT64_MODIFIER "X", widening->least_digits, id + widening->more[id % N_IDS]);
          g_free (words[4]);
          words[4] = g_strdup_printf ("%0*" G_GINT64_MODIFIER "X", widening->least_digits, wam + widening->wams);
        }
      for (guint k = 0; words[k] != NULL; k++)
        g_string_append_printf (out, "%s%s", k > 0 ? " " : "", words[k]);
      g_string_append_c (out, '\n');
    }
  return g_string_free (out, FALSE);
}

/* Of which most are mixed line by line. Nor for what is found in the trace. */
START_TEST (lengths_of_ids_make_no_difference)
{
  static const gsize chunks[] = { 0, 5000, 211 };
  const TsOptions plain = { .no_scanner = TRUE };
  VisProgram      program = { .seed = (guint64) _i, .is_or = _i % 2 == 1, .n_agents = 4, .n_tasks = 4000, .max_width = 4,
                              .max_work = 40, .fresh_ids = _i % 4 < 2 };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (VisTruth) truth = NULL;
  g_autofree char *widened = NULL, *expected_dump = NULL;
  g_autoptr (VisReading) expected = NULL;

  /* some programs soon have nothing more to do */
  for (; truth == NULL || truth->n_lines < 5000; program.seed += 8)
    {
      g_string_truncate (text, 0);
      g_clear_pointer (&truth, vis_truth_free);
      truth = vis_simulate (&program, text, NULL);
    }
  widened = widen_ids (text->str, &widenings[_i / 4]);
  expected = vis_reading_new (text->str, -1, 0, 0, &plain);
  expected_dump = vis_reading_dump (expected);
  for (guint i = 0; i < G_N_ELEMENTS (chunks); i++)
    {
      g_autoptr (VisReading) reading = vis_reading_new (widened, -1, chunks[i], 0, NULL);
      g_autofree char *dump = vis_reading_dump (reading);

      ck_assert_str_eq (dump, expected_dump);
    }
}
END_TEST

/* Puts another number for one of @words, or what is there in a line before. */
static void
disturb (char **words, GPtrArray *before, GRand *random)
{
  static const char *const codes[] = { "1", "2", "3", "4", "20", "21", "22", "23", "24", "25", "26", "33", "34" };
  char **other = g_ptr_array_index (before, (guint) g_rand_int_range (random, 0, (gint32) before->len));
  guint  k = (guint) g_rand_int_range (random, 1, 5);

  g_free (words[k]);
  if (k == 1)
    words[k] = g_strdup (codes[g_rand_int_range (random, 0, G_N_ELEMENTS (codes))]);
  else if (k == 3)
    words[k] = g_strdup_printf ("%d", g_rand_int_range (random, 0, 5));
  else
    words[k] = g_strdup (other[k]);
  if (k == 4)
    {
      /* mostly a WAM comes with its agent */
      g_free (words[5]);
      words[5] = g_strdup (other[g_rand_int_range (random, 0, 10) > 0 ? 5 : 1]);
    }
}

/* @text with some lines of @of_lines left out, written twice, at the time of the line before, or about something else; its
 * agents have numbers of one to four digits. */
static char *
spoil (const char *text, gint32 of_lines, guint32 seed)
{
  static const gint64 apart[] = { 1, 57, 331 };
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GPtrArray) before = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  GRand   *random = g_rand_new_with_seed (seed);
  GString *out = g_string_new (lines[0]);

  g_string_append_c (out, '\n');
  for (guint i = 1; lines[i] != NULL && lines[i + 1] != NULL; i++)
    {
      char **words = g_strsplit (g_strstrip (lines[i]), " ", -1);
      gint32 what = i > 2 ? g_rand_int_range (random, 0, 6 * of_lines) : 6;

      if (what == 0)
        {
          g_strfreev (words);
          continue;
        }
      if (what == 1)
        {
          char **last = g_ptr_array_index (before, before->len - 1);

          g_free (words[0]);
          words[0] = g_strdup (last[0]);
        }
      else if (what < 5)
        disturb (words, before, random);
      for (guint k = what == 5 ? 0 : 1; k < 2; k++)
        {
          gint64 agent = g_ascii_strtoll (words[5], NULL, 10) * apart[seed / 3 % G_N_ELEMENTS (apart)];

          g_string_append_printf (out, "%s %s %s %s %s %" G_GINT64_FORMAT "\n", words[0], words[1], words[2], words[3],
                                  words[4], agent);
        }
      g_ptr_array_add (before, words);
    }
  g_rand_free (random);
  return g_string_free (out, FALSE);
}

/* Events that come as they should are taken another way than those that do not: whatever comes when, both must agree
 * about what is there. */
START_TEST (what_is_wrong_is_found_the_same)
{
  static const gint32 of_lines[] = { 3, 20, 100 };
  const TsOptions     plain = { .no_scanner = TRUE };
  VisProgram          program = make_program (_i / (int) G_N_ELEMENTS (of_lines));
  g_autoptr (VisTruth) truth = NULL;
  g_autoptr (VisReading) quick = NULL, general = NULL;
  g_autofree char *text = NULL, *found = NULL, *expected = NULL;
  GString         *whole = g_string_new (NULL);

  truth = vis_simulate (&program, whole, NULL);
  text = spoil (whole->str, of_lines[_i % (int) G_N_ELEMENTS (of_lines)], (guint32) _i);
  quick = vis_reading_new (text, -1, 0, _i % 4 == 0 ? VIS_READING_OF_STREAM : 0, NULL);
  general = vis_reading_new (text, -1, 0, _i % 4 == 0 ? VIS_READING_OF_STREAM : 0, &plain);
  found = vis_reading_dump (quick);
  expected = vis_reading_dump (general);
  ck_assert_str_eq (found, expected);
  g_string_free (whole, TRUE);
}
END_TEST

/* Where the line begins that is behind @n others. */
static gsize
find_line (const GString *text, guint n)
{
  const char *line = text->str;

  while (n-- > 0)
    line = strchr (line, '\n') + 1;
  return (gsize) (line - text->str);
}

static char *
dump_of (const GString *text, const TsOptions *options)
{
  g_autoptr (VisReading) reading = vis_reading_new (text->str, (gssize) text->len, 0, 0, options);

  return vis_reading_dump (reading);
}

/* What is known of a line is known of lines like it: where one byte is another, in whatever place, that is seen. */
START_TEST (any_other_byte_is_seen)
{
  static const char others[] = { 0, ' ', '\t', '\r', '0', '9', 'A', 'f', 'x', (char) 0x80, (char) 0xff };
  const TsOptions   plain = { .no_scanner = TRUE };
  VisProgram        program = make_program (_i);
  g_autoptr (VisTruth) truth = NULL;
  GString *text = g_string_new (NULL);
  gsize    begin, end;
  guint    n_lines = 0;

  truth = vis_simulate (&program, text, NULL);
  for (gsize i = 0; i < text->len; i++)
    n_lines += text->str[i] == '\n';
  begin = find_line (text, n_lines * 3 / 4);
  end = find_line (text, n_lines * 3 / 4 + 1);
  for (gsize i = begin; i < end; i++)
    for (guint k = 0; k < G_N_ELEMENTS (others); k++)
      {
        const char       byte = text->str[i];
        g_autofree char *found = NULL, *expected = NULL;

        text->str[i] = others[k];
        found = dump_of (text, NULL);
        expected = dump_of (text, &plain);
        ck_assert_msg (strcmp (found, expected) == 0, "byte %u for that at %" G_GSIZE_FORMAT, (guint) others[k] & 0xff,
                       i - begin);
        text->str[i] = byte;
      }
  g_string_free (text, TRUE);
}
END_TEST

/* Forks of one task on agent 0, which has WAM 5, but at two starts; another has bytes that are none behind its node. So many
 * that lines like those are known. */
static GString *
make_forks (guint n, guint other_wam, guint other_node)
{
  GString *text = g_string_new ("0\n10000000 5 0 0 5 0\n");
  guint    time = 10000000;

  for (guint i = 0; i < n; i++)
    {
      const char *node = i == other_node ? "20" : "A0000020";

      g_string_append_printf (text, "%u 1 %s 1 5 0\n%u 2 %s", time + 1, node, time + 2, node);
      if (i == other_node)
        g_string_append_len (text, " \0\0\0\0\0", 6);
      g_string_append_printf (text, " 0 %u 0\n%u 3 %s 0 5 0\n%u 4 %s 1 5 0\n", i == other_wam || i == other_wam + 100 ? 6 : 5, time + 3, node,
                              time + 4, node);
      time += 4;
    }
  g_string_append_printf (text, "%u 6 0 0 5 0\n", time + 1);
  return text;
}

/* Lines with the WAM that an agent had before were known, and are not any more; and a node with zeros behind it is none. */
START_TEST (what_was_known_is_asked_again)
{
  GString *text = make_forks (8000, 7000, 7500);

  for (guint i = 0; i < 2; i++)
    {
      const TsOptions options = { .no_scanner = i == 1 };
      g_autoptr (VisReading) reading = vis_reading_new (text->str, (gssize) text->len, 0, 0, &options);

      ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_WAM_CHANGED].count, 4);
      ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_BAD_EVENT].count, 1);
    }
  g_string_free (text, TRUE);
}
END_TEST

/* @text with the number of each line for its time, so that there is one order only. */
static GPtrArray *
number_lines (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GPtrArray *numbered = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 1; lines[i] != NULL && lines[i + 1] != NULL; i++)
    g_ptr_array_add (numbered, g_strdup_printf ("%u%s", 100 + i, strchr (g_strstrip (lines[i]), ' ')));
  return numbered;
}

static void
append_line (GString *text, const GPtrArray *lines, guint i)
{
  g_string_append_printf (text, "%s\n", (const char *) g_ptr_array_index (lines, i));
}

/* Agent by agent, as they write them who collect theirs. */
static void
append_by_agent (GString *text, const GPtrArray *lines)
{
  for (gint64 agent = 0, next; agent < G_MAXINT64; agent = next)
    {
      next = G_MAXINT64;
      for (guint i = 0; i < lines->len; i++)
        {
          gint64 of_line = g_ascii_strtoll (strrchr (g_ptr_array_index (lines, i), ' '), NULL, 10);

          if (of_line == agent)
            append_line (text, lines, i);
          else if (of_line > agent)
            next = MIN (next, of_line);
        }
    }
}

/* Some lines are a little late. */
static void
append_late (GString *text, const GPtrArray *lines, guint n)
{
  for (guint i = 0; i < lines->len; i += n)
    for (guint k = MIN (i + n, lines->len); k-- > i;)
      append_line (text, lines, k);
}

static int
compare_instances (gconstpointer a, gconstpointer b)
{
  const TsInstance *left = a, *right = b;

  if (left->element != right->element)
    return left->element < right->element ? -1 : 1;
  return left->number < right->number ? -1 : left->number > right->number;
}

/* Whether both have the same instances, but for their lines, and have counted the same but for what @mixed is. Those that
 * are open at the end come in the order of lines. */
static void
compare_mixed (const VisReading *in_order, const VisReading *mixed)
{
  g_array_sort (in_order->instances, compare_instances);
  g_array_sort (mixed->instances, compare_instances);
  ck_assert_uint_eq (mixed->instances->len, in_order->instances->len);
  for (guint i = 0; i < mixed->instances->len; i++)
    {
      TsInstance expected = g_array_index (in_order->instances, TsInstance, i);
      TsInstance found = g_array_index (mixed->instances, TsInstance, i);

      expected.line = found.line = 0;
      ck_assert (memcmp (&expected, &found, sizeof found) == 0);
    }
  for (guint id = 0; id < TS_N_DIAGNOSTICS; id++)
    if (id != TS_DIAGNOSTIC_BACKWARDS)
      ck_assert_msg (mixed->diagnostics->entries[id].count == in_order->diagnostics->entries[id].count, "%s",
                     ts_diagnostic_info (id)->name);
}

/* Lines are read before those that come before them in time: what they say of agents is apart from what was said of them
 * until then, and a WAM that changes does so in its place. */
START_TEST (the_order_of_lines_makes_no_difference)
{
  const TsOptions plain = { .no_scanner = TRUE }, sorting = { .sort = TRUE };
  VisProgram      program = make_program (_i);
  g_autoptr (VisTruth) truth = NULL;
  g_autoptr (GPtrArray) lines = NULL;
  g_autoptr (VisReading) expected = NULL, general = NULL;
  g_autofree char *text = NULL, *general_dump = NULL, *dump = NULL;
  GString         *whole = g_string_new (NULL), *in_order = g_string_new (NULL), *mixed = g_string_new (NULL);

  truth = vis_simulate (&program, whole, NULL);
  text = spoil (whole->str, _i % 2 == 0 ? 3 : 20, (guint32) _i);
  lines = number_lines (text);
  g_string_printf (in_order, "%c\n", whole->str[0]);
  append_late (in_order, lines, 1);
  expected = vis_reading_new (in_order->str, -1, 0, 0, &plain);
  g_string_printf (mixed, "%c\n", whole->str[0]);
  if (_i % 3 == 0)
    append_by_agent (mixed, lines);
  else
    append_late (mixed, lines, 2 + (guint) _i % 7);
  general = vis_reading_new (mixed->str, -1, 0, 0, &plain);
  general_dump = vis_reading_dump (general);
  compare_mixed (expected, general);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (VisReading) quick = vis_reading_new (mixed->str, -1, i * 5000, 0, NULL);

      g_clear_pointer (&dump, g_free);
      dump = vis_reading_dump (quick);
      ck_assert_str_eq (dump, general_dump);
    }
  {
    g_autoptr (VisReading) stream = vis_reading_new (mixed->str, -1, 0, VIS_READING_OF_STREAM, &sorting);

    /* what shows late is known of a file only */
    if (stream->diagnostics->entries[TS_DIAGNOSTIC_KNOWN_LATE].count == 0)
      compare_mixed (expected, stream);
  }
  g_string_free (whole, TRUE);
  g_string_free (in_order, TRUE);
  g_string_free (mixed, TRUE);
}
END_TEST

/* Some lines in @n come some lines later. */
static char *
delay_lines (const char *text, gint32 n, guint32 seed)
{
  GRand *random = g_rand_new_with_seed (seed);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GPtrArray) delayed = g_ptr_array_new ();
  GString *out = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL && lines[i + 1] != NULL; i++)
    {
      if (i > 1 && g_rand_int_range (random, 0, n) == 0)
        {
          g_ptr_array_add (delayed, lines[i]);
          continue;
        }
      g_string_append_printf (out, "%s\n", lines[i]);
      while (delayed->len > 0 && i > 1 && g_rand_int_range (random, 0, 3) == 0)
        g_string_append_printf (out, "%s\n", (char *) g_ptr_array_steal_index (delayed, 0));
    }
  for (guint i = 0; i < delayed->len; i++)
    g_string_append_printf (out, "%s\n", (char *) g_ptr_array_index (delayed, i));
  g_rand_free (random);
  return g_string_free (out, FALSE);
}

/* What is late is put in its place where it is little, and everything is sorted where it is much: also among equal stamps,
 * and where some lines make no sense. */
START_TEST (few_late_lines_are_taken_as_many_are)
{
  static const guint most[] = { 0, 0, 10, 32768 }, held[] = { 65536, 4, 65536, 40 };
  const TsOptions    plain = { .no_scanner = TRUE };
  VisProgram         program = make_program (_i);
  GString           *whole = g_string_new (NULL);
  g_autofree char   *spoilt = NULL, *text = NULL, *expected = NULL;

  vis_truth_free (vis_simulate (&program, whole, NULL));
  spoilt = spoil (whole->str, _i % 2 == 0 ? 3 : 200, (guint32) _i);
  text = delay_lines (spoilt, (const gint32[]){ 3, 20, 300 }[_i % 3], (guint32) _i);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (most); i++)
    {
      g_autoptr (VisReading) reading = NULL;
      g_autofree char *dump = NULL;

      ts_most_strays = most[i / 2];
      ts_vis_most_held = held[i / 2];
      reading = vis_reading_new (text, -1, i % 2 == 0 ? 0 : 5000, 0, i < 2 ? &plain : NULL);
      ck_assert (!reading->went_back);
      /* one reading more where not enough were held */
      reading->n_readings = 0;
      dump = vis_reading_dump (reading);
      if (expected == NULL)
        expected = g_steal_pointer (&dump);
      else
        ck_assert_str_eq (dump, expected);
    }
  ck_assert (_i % 3 == 2 || strstr (expected, "time-backwards") != NULL);
  g_string_free (whole, TRUE);
}
END_TEST

/* A line that cannot be read says nothing of the time of others. */
START_TEST (lines_are_not_late_behind_one_that_makes_no_sense)
{
  const TsOptions plain = { .no_scanner = TRUE };
  VisProgram      program = make_program (_i);
  GString        *whole = g_string_new (NULL), *text = g_string_new (NULL);
  g_autoptr (GPtrArray) lines = NULL;
  g_autofree char *quick = NULL, *general = NULL;
  guint            late, bad;

  vis_truth_free (vis_simulate (&program, whole, NULL));
  lines = number_lines (whole->str);
  late = lines->len / 4;
  bad = lines->len * 3 / 4;
  g_string_printf (text, "%c\n", whole->str[0]);
  for (guint i = 0; i < lines->len; i++)
    {
      if (i == bad)
        g_string_append_printf (text, "%u 2 1G 0 1 1\n", 100 + lines->len); /* no hexadecimal number, later than all */
      append_line (text, lines, i == late ? late + 1 : i == late + 1 ? late : i);
    }
  quick = dump_of (text, NULL);
  general = dump_of (text, &plain);
  ck_assert_str_eq (quick, general);
  ck_assert_ptr_nonnull (strstr (general, "time-backwards 1 "));
  g_string_free (whole, TRUE);
  g_string_free (text, TRUE);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("visandor-layouts");
  TCase *tests = tcase_create ("visandor-layouts");

  tcase_set_timeout (tests, 120);
  tcase_add_loop_test (tests, blanks_and_zeros_make_no_difference, 0, 12 * N_LAYOUTS);
  tcase_add_loop_test (tests, lengths_of_ids_make_no_difference, 0, 4 * (int) G_N_ELEMENTS (widenings));
  tcase_add_loop_test (tests, what_is_wrong_is_found_the_same, 0, 3 * N_SEEDS);
  tcase_add_loop_test (tests, any_other_byte_is_seen, 0, 6);
  tcase_add_test (tests, what_was_known_is_asked_again);
  tcase_add_loop_test (tests, the_order_of_lines_makes_no_difference, 0, N_SEEDS);
  tcase_add_loop_test (tests, few_late_lines_are_taken_as_many_are, 0, 2 * N_SEEDS);
  tcase_add_loop_test (tests, lines_are_not_late_behind_one_that_makes_no_sense, 0, 6);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
