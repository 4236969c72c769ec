/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "unit.h"
#include "visandor-fixture.h"

guint64
count_of (const VisReading *reading, TsDiagnosticId id)
{
  return reading->diagnostics->entries[id].count;
}

VisReading *
read_text (const char *text)
{
  VisReading *reading = vis_reading_new (text, -1, 0, 0, NULL);

  ck_assert_msg (reading->error == NULL, "%s", reading->error != NULL ? reading->error->message : "");
  ck_assert (!reading->went_back);
  return reading;
}

const TsInstance *
find (const VisReading *reading, TsElementType type, gint64 number)
{
  for (guint i = 0; i < reading->instances->len; i++)
    {
      const TsInstance *instance = &g_array_index (reading->instances, TsInstance, i);

      if (instance->number == number && ts_system_get_element (reading->system, instance->element)->type == type)
        return instance;
    }
  return NULL;
}

void
expect (const VisReading *reading, gint64 offset, const Expected *expected)
{
  const TsInstance *x = find (reading, expected->type, expected->number);

  ck_assert_msg (x != NULL, "no instance %d", (int) expected->number);
  ck_assert_int_eq (x->status, TS_STATUS_COMPLETE);
  ck_assert_int_eq ((x->flags & TS_INSTANCE_HAS_ACTIVATION) != 0, expected->activation >= 0);
  if (expected->activation >= 0)
    ck_assert_int_eq (x->activation, offset + expected->activation);
  ck_assert_int_eq (x->start, offset + expected->start);
  ck_assert_int_eq (x->end, offset + expected->end);
  ck_assert_int_eq (x->running, expected->running);
  ck_assert_int_eq (x->preempted, expected->preempted);
  ck_assert_int_eq (x->waiting, expected->waiting);
}

void
expect_cell (const VisReading *reading, const char *table, guint row, const char *column, const char *expected)
{
  g_autofree char *text = vis_reading_cell (reading, table, row, column);

  ck_assert_msg (text != NULL, "%s.%s is not there", table, column);
  ck_assert_str_eq (text, expected);
}
