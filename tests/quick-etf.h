/* SPDX-License-Identifier: MIT */
#pragma once

#include "reading-etf.h"
#include "unit.h"

/* What the tests of the quick readers of TRACE compare with: what the readers of any line find. */

/* More than a little of long texts is too much for a message. */
static inline void
quick_etf_expect_text (const char *text, const char *expected)
{
  gsize same = 0, line;

  while (text[same] != '\0' && text[same] == expected[same])
    same++;
  for (line = same; line > 0 && text[line - 1] != '\n';)
    line--;
  if (text[same] != expected[same])
    ck_abort_msg ("%.300s\nis not\n%.300s", text + line, expected + line);
}

static inline void
quick_etf_expect_the_same (const char *text, gsize length, gsize chunk, const TsOptions *options)
{
  TsOptions              plain_options = *options;
  g_autoptr (EtfReading) quick = etf_reading_new (text, (gssize) length, chunk, options);
  g_autoptr (EtfReading) plain = NULL;
  g_autofree char       *quick_dump = etf_reading_dump (quick), *plain_dump = NULL;

  plain_options.no_scanner = TRUE;
  plain = etf_reading_new (text, (gssize) length, chunk, &plain_options);
  plain_dump = etf_reading_dump (plain);
  quick_etf_expect_text (quick_dump, plain_dump);
}
