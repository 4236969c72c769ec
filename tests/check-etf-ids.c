/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/etf.h"
#include "unit.h"

/* Ids of any kind become 0, 1, 2, ... as they come, each once: as a hash of GLib says it. */

#define N_IDS 6000

static guint64
dense (guint i, G_GNUC_UNUSED GRand *random)
{
  return 700 + (i ^ 0x15);
}

static guint64
with_gaps (guint i, G_GNUC_UNUSED GRand *random)
{
  return 5000000 + 11 * (guint64) i + i % 7;
}

/* The first one of each hundred comes behind the @n that follow it. */
static guint64
late_by (guint i, guint n)
{
  guint place = i % 100;

  if (place == n)
    i -= n;
  else if (place < n)
    i++;
  return 1000 + 11 * (guint64) i;
}

static guint64
a_little_late (guint i, G_GNUC_UNUSED GRand *random)
{
  return late_by (i, 1 + i / 100 * 3 / 2);
}

static guint64
in_some_order (G_GNUC_UNUSED guint i, GRand *random)
{
  return g_rand_int (random);
}

static guint64
small_or_large (guint i, GRand *random)
{
  return g_rand_int_range (random, 0, 40) > 0 ? 20 * (guint64) i : (guint64) g_rand_int (random) << 30;
}

static guint64
down (guint i, G_GNUC_UNUSED GRand *random)
{
  return 1000000 - 3 * (guint64) i;
}

/* Some of them come again. */
static guint64
again (guint i, GRand *random)
{
  return 10 * (guint64) (g_rand_int_range (random, 0, 10) > 0 ? (gint32) i : g_rand_int_range (random, 0, (gint32) i + 1));
}

static guint64
sequential_at_first (guint i, G_GNUC_UNUSED GRand *random)
{
  return i < N_IDS / 2 ? i : 17 * (guint64) i;
}

static guint64
dense_at_first (guint i, G_GNUC_UNUSED GRand *random)
{
  return i < N_IDS / 2 ? (guint64) i ^ 1 : 17 * (guint64) i;
}

static guint64
sequential_in_the_end (guint i, G_GNUC_UNUSED GRand *random)
{
  return i < N_IDS / 2 ? 17 * (guint64) i : 17 * (N_IDS / 2) + i;
}

/* Of some counters, in turn. */
static guint64
of_nodes (guint i, G_GNUC_UNUSED GRand *random)
{
  return 1000000 * (guint64) (i % 5) + i / 5;
}

static guint64
numbers_and_texts (guint i, G_GNUC_UNUSED GRand *random)
{
  return i % 10 == 0 ? TS_ETF_TEXT_ID | i / 10 : 9 * (guint64) i;
}

/* Whose products with the factor of the hash are 0, 1, 2, ..., so that they want one place and nothing but themselves tells
 * them apart. */
static guint64
of_one_hash (guint i, G_GNUC_UNUSED GRand *random)
{
  const guint64 factor = G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  guint64       inverse = factor, id; /* of the last three bits; each step has twice as many */

  for (guint bits = 3; bits < 64; bits *= 2)
    inverse *= 2 - factor * inverse;
  id = i * inverse;
  return id ^ id >> 32;
}

static guint64 (*const kinds[]) (guint i, GRand *random) = {
  dense, with_gaps, a_little_late, in_some_order, small_or_large, down, again, sequential_at_first, dense_at_first,
  sequential_in_the_end, of_nodes, numbers_and_texts, of_one_hash,
};

static void
expect_number (const TsEtfIds *ids, GHashTable *expected, guint64 id)
{
  gpointer number;

  if (g_hash_table_lookup_extended (expected, &id, NULL, &number))
    ck_assert_uint_eq (ts_etf_ids_find (ids, id), GPOINTER_TO_UINT (number));
  else
    ck_assert_uint_eq (ts_etf_ids_find (ids, id), TS_ETF_NONE);
}

START_TEST (each_id_has_one_number)
{
  g_autoptr (GHashTable) expected = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (GRand)      random = g_rand_new_with_seed (1);
  g_autofree guint64    *all = g_new (guint64, N_IDS);
  TsEtfIds               ids = { .n = 0 };

  for (guint i = 0; i < N_IDS; i++)
    {
      guint64  id = all[i] = kinds[_i] (i, random), other = all[g_rand_int_range (random, 0, (gint32) i + 1)];
      gboolean is_new = !g_hash_table_contains (expected, &id);

      ck_assert_int_eq (ts_etf_ids_add (&ids, id), is_new);
      if (is_new)
        g_hash_table_insert (expected, g_memdup2 (&id, sizeof id), GUINT_TO_POINTER (g_hash_table_size (expected)));
      ck_assert_uint_eq (ids.n, g_hash_table_size (expected));
      ck_assert (!ts_etf_ids_add (&ids, other));
      for (guint64 near = id - 2; near != id + 3; near++)
        expect_number (&ids, expected, near);
      expect_number (&ids, expected, other);
      expect_number (&ids, expected, other + 1);
      expect_number (&ids, expected, other - 1);
    }
  for (guint i = 0; i < N_IDS; i++)
    expect_number (&ids, expected, all[i]);
  ts_etf_ids_clear (&ids);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("etf-ids");
  TCase *tcase = tcase_create ("ids");

  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, each_id_has_one_number, 0, G_N_ELEMENTS (kinds));
  return unit_run (suite);
}
