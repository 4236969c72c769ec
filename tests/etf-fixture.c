/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "etf-fixture.h"
#include "unit.h"

EtfReading *
read_good (const char *text, const TsOptions *options)
{
  EtfReading *reading = etf_reading_new (text, -1, 0, options);

  ck_assert_msg (reading->error == NULL, "%s\n%s", reading->error != NULL ? reading->error->message : "", text);
  return reading;
}

guint64
count_of (const EtfReading *reading, TsDiagnosticId id)
{
  return reading->diagnostics->entries[id].count;
}

void
expect_table (const EtfReading *reading, const char *name, const char *expected)
{
  g_autofree char *table = etf_reading_table (reading, name, TS_FOR_SHEETS);

  ck_assert_ptr_nonnull (table);
  ck_assert_str_eq (table, expected);
}
