/* SPDX-License-Identifier: MIT */

/* Lines of few nodes and agents in any order, which make no sense: whatever a reader concludes from one, and learns for the next
 * reading, must hold for what comes after it. Nobody knows what is right, but each line is read the same by the quick reader
 * and without it, whole and in pieces, and reading ends. */

#include "config.h"

#include <string.h>

#include "reading-visandor.h"
#include "unit.h"

#define N_SEEDS 60
#define N_TRACES 200 /* of each seed */

typedef struct
{
  guint code;
  guint weight;
} Choice;

static const Choice and_codes[] = { { 1, 6 }, { 2, 10 }, { 3, 8 }, { 4, 5 }, { 5, 1 }, { 7, 1 }, { 8, 1 } };
static const Choice or_codes[] = { { 20, 6 }, { 21, 8 }, { 22, 4 }, { 23, 4 }, { 24, 3 }, { 25, 3 }, { 26, 2 }, { 27, 1 },
                                   { 33, 1 }, { 34, 1 }, { 7, 1 },  { 8, 1 } };

/* Without that of @never, which may be all that would end anything. */
static guint
choose (GRand *random, const Choice *choices, guint n, guint never)
{
  guint all = 0, at, i = 0;

  for (guint k = 0; k < n; k++)
    all += choices[k].weight;
  do
    {
      at = (guint) g_rand_int_range (random, 0, (gint32) all);
      for (i = 0; at >= choices[i].weight; i++)
        at -= choices[i].weight;
    }
  while (choices[i].code == never);
  return choices[i].code;
}

static GString *
write_nonsense (GRand *random)
{
  static const guint64 ids[] = { 0, 1, 2, 7, 0x5505, 0x60066, G_GUINT64_CONSTANT (0x1000000000) };
  static const gint32  lengths[] = { 12, 40, 200 }, n_agents_of[] = { 1, 2, 3, 5, 8 };
  const gboolean       is_or = g_rand_int_range (random, 0, 3) == 0;
  const gint32         n_agents = n_agents_of[g_rand_int_range (random, 0, G_N_ELEMENTS (n_agents_of))];
  const gint32         n_nodes = g_rand_int_range (random, 1, 4), first = g_rand_int_range (random, 0, G_N_ELEMENTS (ids) - 3);
  /* the one or the other, or none */
  const guint          never = (is_or ? 20 : 0) + (guint) g_rand_int_range (random, 1, 7);
  const gint32         n_lines = lengths[g_rand_int_range (random, 0, G_N_ELEMENTS (lengths))];
  GString             *text = g_string_new (is_or ? "1\n" : "0\n");
  gint64               time = 1000;

  for (gint32 i = 0; i < n_lines; i++)
    {
      const guint   code = is_or ? choose (random, or_codes, G_N_ELEMENTS (or_codes), never)
                                 : choose (random, and_codes, G_N_ELEMENTS (and_codes), never);
      const guint64 node = ids[first + g_rand_int_range (random, 0, n_nodes)];
      const gint32  agent = g_rand_int_range (random, 0, n_agents);
      const gint32  most = code == 1 || code == 4 || code == 20 ? 5 : 4;

      /* mostly forward, and now and then at once or too late */
      time += g_rand_int_range (random, 0, 20) > 0 ? g_rand_int_range (random, 0, 6) : -3;
      g_string_append_printf (text, "%8" G_GINT64_FORMAT " %u %" G_GINT64_MODIFIER "X %d %d %d \n", time, code, node,
                              g_rand_int_range (random, 0, most), agent, agent);
    }
  return text;
}

/* The dump of @text is the same whole and in pieces, by the quick reader and without it. */
static void
expect_one_reading (const char *text, gssize length)
{
  static const struct
  {
    gsize    chunk;
    gboolean no_scanner;
  } ways[] = { { 0, FALSE }, { 0, TRUE }, { 7, FALSE }, { 64, TRUE } };
  g_autofree char *expected = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      const TsOptions        options = { .no_scanner = ways[i].no_scanner };
      g_autoptr (VisReading) reading = vis_reading_new (text, length, ways[i].chunk, 0, &options);
      g_autofree char       *dump = vis_reading_dump (reading);

      ck_assert (!reading->went_back);
      if (expected == NULL)
        expected = g_steal_pointer (&dump);
      else
        ck_assert_msg (strcmp (dump, expected) == 0, "%s", text);
    }
}

START_TEST (nonsense_is_read_the_same_in_any_way)
{
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) _i);

  for (guint k = 0; k < N_TRACES; k++)
    {
      GString *text = write_nonsense (random);

      expect_one_reading (text->str, (gssize) text->len);
      g_string_free (text, TRUE);
    }
}
END_TEST

/* Branch 0 of node 96 seems to be displaced, and to fork, and is suspended in the fifth line from the end: that is an event of its
 * own, whoever reads it. */
START_TEST (an_event_of_its_own_proves_a_branch_in_any_way)
{
  static const char text[] =
    "1\n  102237 20 99 2 1 1 \n  103063 20 96 1 0 0 \n  103233 24 96 0 0 0 \n  103234 25 96 0 0 0 \n"
    "  103328 21 99 0 0 0 \n  104084 20 0 2 1 1 \n  104116 21 0 0 0 0 \n  104294 21 900 0 0 0 \n"
    "  104830 20 0 2 0 0 \n  104908 20 0 3 0 0 \n  105052 21 0 0 0 0 \n  105256 23 0 0 1 1 \n"
    "  105796 24 96 0 0 0 \n  106349 20 0 3 0 0 \n  106350 21 0 2 0 0 \n  106365 20 99 2 0 0 \n"
    "  106366 21 99 1 0 0 \n";

  expect_one_reading (text, -1);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("visandor-nonsense");
  TCase *tests = tcase_create ("visandor-nonsense");

  tcase_set_timeout (tests, 60);
  tcase_add_loop_test (tests, nonsense_is_read_the_same_in_any_way, 0, N_SEEDS);
  tcase_add_test (tests, an_event_of_its_own_proves_a_branch_in_any_way);
  suite_add_tcase (suite, tests);
  return unit_run (suite);
}
