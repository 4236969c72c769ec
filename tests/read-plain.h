/* SPDX-License-Identifier: MIT */
#pragma once

#include <check.h>

#include "reading.h"

/* With the quick readers, by chunks, and by libxml2 alone. */
static inline void
expect_the_same (const char *text, gsize length, gsize chunk, ReadFlags flags)
{
  g_autoptr (Reading) quick = reading_new (text, (gssize) length, chunk, flags);
  g_autoptr (Reading) plain = reading_new (text, (gssize) length, 0, flags | READ_PLAIN);
  g_autofree char *quick_dump = NULL, *plain_dump = NULL;

  if (plain->error != NULL || quick->error != NULL)
    {
      ck_assert_msg (quick->error != NULL, "only libxml2 alone says: %s", plain->error->message);
      ck_assert_msg (plain->error != NULL, "only the quick reader says: %s", quick->error->message);
      ck_assert_str_eq (quick->error->message, plain->error->message);
      return;
    }
  quick_dump = reading_dump (quick);
  plain_dump = reading_dump (plain);
  ck_assert_str_eq (quick_dump, plain_dump);
}
