/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <check.h>

#include "atf-fixture.h"

Reading *
read_good (const char *text, ReadFlags flags)
{
  Reading *reading = reading_new (text, -1, 0, flags);

  ck_assert_msg (reading->error == NULL, "%s\n%s", reading->error != NULL ? reading->error->message : "", text);
  return reading;
}

void
expect_failure (const char *text, ReadFlags flags, TsError code, const char *message)
{
  g_autoptr (Reading) reading = reading_new (text, -1, 0, flags);

  ck_assert_msg (reading->error != NULL, "no error from %s", text);
  ck_assert_str_eq (reading->error->message, message);
  ck_assert_int_eq (reading->error->code, code);
}

guint64
count_of (const Reading *reading, TsDiagnosticId id)
{
  return reading->diagnostics->entries[id].count;
}

const TsSection *
section_of (const Reading *reading, guint index)
{
  ck_assert_uint_lt (index, reading->sections->len);
  return g_ptr_array_index (reading->sections, index);
}

void
expect_events (const Reading *reading, const char *expected)
{
  g_autofree char *events = reading_events (reading);

  ck_assert_str_eq (events, expected);
}
