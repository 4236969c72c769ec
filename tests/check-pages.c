/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdio.h>

#include "model/pages.h"
#include "unit.h"

/* It grows, and keeps what is in it. */

#define MIB ((gsize) 1 << 20)

static const gsize sizes[] = { 4096,        MIB / 2 - 8, MIB / 2,     MIB,      2 * MIB - 8, 2 * MIB,
                               2 * MIB + 8, 3 * MIB,     5 * MIB,     12 * MIB, 24 * MIB,    48 * MIB };

/* Words that are their own places, and zeros behind them. */
static void
expect_words (const guint64 *words, gsize size, gsize new_size)
{
  for (gsize i = 0; i < new_size / sizeof *words; i++)
    if (words[i] != (i < size / sizeof *words ? i + 1 : 0))
      ck_abort_msg ("of %zu and %zu bytes, word %zu is %llu", size, new_size, i, (unsigned long long) words[i]);
}

START_TEST (memory_keeps_what_is_in_it)
{
  guint64 *words = NULL;
  gsize    size = 0;

  for (gsize k = (gsize) _i; k < G_N_ELEMENTS (sizes); k++)
    {
      words = ts_pages_resize (words, size, sizes[k]);
      expect_words (words, size, sizes[k]);
      size = sizes[k];
      for (gsize i = 0; i < size / sizeof *words; i++)
        words[i] = i + 1;
    }
  ts_pages_release (words, size);
}
END_TEST

/* What is dropped may be gone, and nothing else. */
START_TEST (memory_is_dropped_from_its_front)
{
  const gsize size = sizes[_i], n_words = size / sizeof (guint64);
  guint64    *words = ts_pages_resize (NULL, 0, size);

  for (gsize n = 0; n <= size; n = n < size && n + 5 * MIB / 2 > size ? size : n + 5 * MIB / 2)
    {
      for (gsize i = 0; i < n_words; i++)
        words[i] = i + 1;
      ts_pages_drop_front (words, size, n);
      for (gsize i = 0; i < n_words; i++)
        if (words[i] != i + 1 && (words[i] != 0 || i >= n / sizeof *words))
          ck_abort_msg ("of %zu bytes without %zu, word %zu is %llu", size, n, i, (unsigned long long) words[i]);
    }
  ts_pages_release (words, size);
}
END_TEST

#ifdef __linux__

/* Whether one mapping has all of it. */
static gboolean
is_one_mapping (gconstpointer memory, gsize size)
{
  FILE         *maps = fopen ("/proc/self/maps", "r");
  char          line[512];
  gboolean      found = FALSE;
  unsigned long begin, end, first = (unsigned long) memory;

  ck_assert_ptr_nonnull (maps);
  while (!found && fgets (line, sizeof line, maps) != NULL)
    found = sscanf (line, "%lx-%lx", &begin, &end) == 2 && begin <= first && first + size <= end;
  fclose (maps);
  return found;
}

/* Before 6.17, Linux moves nothing that is in two of them. */
START_TEST (memory_is_one_mapping_however_often_it_grows)
{
  char *memory = NULL;
  gsize size = 0;

  for (gsize k = 0; k < 5; k++)
    {
      gsize larger = (2 * MIB) << k;

      memory = ts_pages_resize (memory, size, larger);
      ck_assert (is_one_mapping (memory, larger));
      for (size = larger; larger > 0; larger -= 4096)
        memory[larger - 1] = 1;
    }
  ts_pages_release (memory, size);
}
END_TEST

#endif

int
main (void)
{
  Suite *suite = suite_create ("pages");
  TCase *tcase = tcase_create ("memory");

  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, memory_keeps_what_is_in_it, 0, G_N_ELEMENTS (sizes));
  tcase_add_loop_test (tcase, memory_is_dropped_from_its_front, 0, G_N_ELEMENTS (sizes));
#ifdef __linux__
  tcase_add_test (tcase, memory_is_one_mapping_however_often_it_grows);
#endif
  return unit_run (suite);
}
