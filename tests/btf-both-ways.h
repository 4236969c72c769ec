/* SPDX-License-Identifier: MIT */
#pragma once

#include "reading.h"
#include "unit.h"

G_BEGIN_DECLS

/* A trace of BTF read quickly and the long way: the result is the same, to the line number of every defect. */

#define HEAD "#version 2.1.5\n#timeScale ns\n0,Core_1,0,C,Core_1,0,idle\n"

static inline void
expect_the_same_with (const char *text, gsize length, gsize chunk, ReadFlags flags)
{
  g_autoptr (Reading) quick = reading_new_of (&ts_importer_btf, text, (gssize) length, chunk, flags);
  g_autoptr (Reading) plain = reading_new_of (&ts_importer_btf, text, (gssize) length, chunk, flags | READ_PLAIN);
  g_autofree char    *quick_dump = reading_dump (quick), *plain_dump = reading_dump (plain);

  ck_assert_str_eq (quick_dump, plain_dump);
}

static inline void
expect_the_same (const char *text, gsize length, gsize chunk)
{
  expect_the_same_with (text, length, chunk, 0);
  expect_the_same_with (text, length, chunk, READ_STREAM);
  expect_the_same_with (text, length, chunk, READ_FOLD);
}

G_END_DECLS
