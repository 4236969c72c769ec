/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/btf-map.h"
#include "unit.h"

/* The map of commas and ends of lines, drawn in each way that there is. */

#define N_BYTES (TS_BTF_MAP_BLOCKS * TS_MARKS_BLOCK)

typedef struct
{
  char bytes[N_BYTES] __attribute__ ((aligned (TS_MARKS_BLOCK)));
} Bytes;

/* What is looked for, what differs from it in one bit or the sign, and whatever else. */
static void
fill (Bytes *bytes, GRand *random)
{
  static const char some[] = { ',', '\n', ' ', '\t', '\r', 'T', '0', '\0', '-', '+', '\v', (char) ('\n' | 0x80),
                               (char) (',' | 0x80), '(', '!', '\f' };

  for (gsize i = 0; i < N_BYTES; i++)
    bytes->bytes[i] = some[g_rand_int_range (random, 0, G_N_ELEMENTS (some))];
}

static gboolean
is_marked (const char *marks, gsize at)
{
  return ((guint8) marks[at / 8] >> at % 8 & 1) != 0;
}

static void
expect_map_of (const TsBtfMap *map, const Bytes *bytes, gsize n)
{
  ck_assert_ptr_eq (map->bytes, bytes->bytes);
  for (gsize i = 0; i < n; i++)
    {
      const char c = bytes->bytes[i];

      ck_assert_msg (is_marked (map->commas, i) == (c == ','), "comma at %zu", i);
      ck_assert_msg (is_marked (map->newlines, i) == (c == '\n'), "end of line at %zu", i);
    }
  for (gsize i = n; i < n + TS_BTF_MAP_MARGIN * 8; i++)
    ck_assert_msg (!is_marked (map->newlines, i), "end of line behind the map, at %zu", i);
}

/* _i: the step. */
START_TEST (each_byte_is_marked_as_what_it_is)
{
  const TsBtfStep  step = (TsBtfStep) _i;
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) _i + 1);
  Bytes             bytes;
  TsBtfMap          map;

  if (!ts_btf_can_step (step))
    return;
  for (guint round = 0; round < 80; round++)
    for (gsize n_blocks = 1; n_blocks <= TS_BTF_MAP_BLOCKS; n_blocks += 21)
      {
        fill (&bytes, random);
        memset (&map, 0x55, sizeof map);
        ts_btf_draw_map_by (&map, bytes.bytes, n_blocks, step);
        expect_map_of (&map, &bytes, n_blocks * TS_MARKS_BLOCK);
      }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("btf-map");
  TCase *tcase = tcase_create ("map");

  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, each_byte_is_marked_as_what_it_is, 0, TS_BTF_N_STEPS);
  return unit_run (suite);
}
