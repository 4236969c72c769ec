/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

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

/* So many counters in turn, the last of which may say a number once more. */
static guint64
in_turn (guint i, guint n, guint64 distance)
{
  return 3 + i % n * distance + i / n - (i % n == n - 1 && i % 50 == 0);
}

static guint64
of_two (guint i, G_GNUC_UNUSED GRand *random)
{
  return in_turn (i, 2, 1000000);
}

static guint64
of_some (guint i, G_GNUC_UNUSED GRand *random)
{
  return in_turn (i, 17, G_GUINT64_CONSTANT (1) << 40);
}

static guint64
of_too_many (guint i, G_GNUC_UNUSED GRand *random)
{
  return in_turn (i, 18, 100000);
}

/* Those of one reach where the next one began. */
static guint64
of_some_that_meet (guint i, GRand *random)
{
  return i % 5 * 1500 + g_rand_int_range (random, 0, 1 + (gint32) i / 3);
}

/* The second one counts down to where the first one is, and beyond. */
static guint64
towards_one_another (guint i, G_GNUC_UNUSED GRand *random)
{
  return i % 2 == 0 ? i / 2 : 5000 - i / 2;
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
  sequential_in_the_end, of_nodes, numbers_and_texts, of_one_hash, of_two, of_some, of_too_many, of_some_that_meet,
  towards_one_another,
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

static void
check_text (TsEtf *etf, GHashTable *texts, const char *text, gboolean is_new)
{
  guint64          id = ts_etf_text_id (etf, (TsEtfText){ text, strlen (text) });
  g_autofree char *told = ts_etf_id_text (etf, id);
  const char      *other = g_hash_table_lookup (texts, &id);

  ck_assert_str_eq (told, text);
  ck_assert ((id & TS_ETF_TEXT_ID) != 0 && id != TS_ETF_NO_ID);
  if (is_new)
    ck_assert_msg (other == NULL, "%s and %s have one id", text, other);
  else
    ck_assert_str_eq (other, text);
  if (is_new)
    g_hash_table_insert (texts, g_memdup2 (&id, sizeof id), g_strdup (text));
}

/* Texts that differ in zeros in front of a number, in what is in front of these, or in how many digits there are, with more
 * heads than are known: each has an id of its own, the same one each time, and can be told from it. */
START_TEST (each_text_has_one_id)
{
  static const char *const odd[] = { "c", "c0", "c00", "c000", "c7", "c07", "c007", "c70", "7c", "c7c", "0", "00", "07", "7",
                                     "-1", "1-1", "c99999999999999", "c12345678901234", "c123456789012345",
                                     "c23456789012345", "c100000000000000", "c10000000000000", "c1234567890123456789",
                                     "d1234567890123456789", "c.5", "\303\2515", "x 5" };
  g_autoptr (GHashTable) texts = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  TsEtf *etf = g_new0 (TsEtf, 1);

  for (guint round = 0; round < 3; round++)
    {
      for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
        check_text (etf, texts, odd[i], round == 0);
      for (guint i = 0; i < 2000; i++)
        {
          g_autofree char *text = g_strdup_printf ("head_%c%u_%u", 'a' + i % 3, i / 3 % 200, i / 600);

          check_text (etf, texts, text, round == 0);
        }
    }
  ck_assert_uint_eq (g_hash_table_size (texts), G_N_ELEMENTS (odd) + 2000);
  ck_assert_uint_lt (etf->id_heads.texts->len, 300);
  ck_assert_uint_gt (etf->ids.texts->len, 1000);
  ts_etf_texts_clear (&etf->ids);
  ts_etf_texts_clear (&etf->id_heads);
  g_free (etf);
}
END_TEST

/* Those that count on behind a head are like numbers that count on: nothing is kept of them. */
START_TEST (texts_that_count_on_take_no_memory)
{
  TsEtf   *etf = g_new0 (TsEtf, 1);
  TsEtfIds ids = { .n = 0 };

  for (guint i = 0; i < 10000; i++)
    {
      g_autofree char *text = g_strdup_printf ("claim_%u", 95 + i);

      ck_assert_uint_eq (ts_etf_ids_number (&ids, ts_etf_text_id (etf, (TsEtfText){ text, strlen (text) })), i);
    }
  ck_assert_ptr_null (ids.slots);
  ck_assert_ptr_null (etf->ids.texts);
  ck_assert_uint_eq (etf->id_heads.texts->len, 1);
  ts_etf_texts_clear (&etf->id_heads);
  ts_etf_ids_clear (&ids);
  g_free (etf);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("etf-ids");
  TCase *tcase = tcase_create ("ids");

  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, each_id_has_one_number, 0, G_N_ELEMENTS (kinds));
  tcase_add_test (tcase, each_text_has_one_id);
  tcase_add_test (tcase, texts_that_count_on_take_no_memory);
  return unit_run (suite);
}
