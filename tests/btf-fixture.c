/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <check.h>
#include <string.h>

#include "btf-fixture.h"

Reading *
read_flags (const char *text, gsize length, ReadFlags flags)
{
  static const gsize sizes[] = { 1, 2, 3, 5, 7, 64 };
  Reading           *whole = reading_new_of (&ts_importer_btf, text, (gssize) length, 0, flags);
  g_autofree char   *expected = reading_dump (whole);

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (Reading) chunked = reading_new_of (&ts_importer_btf, text, (gssize) length, sizes[i], flags);
      g_autofree char    *dump = reading_dump (chunked);

      ck_assert_msg (strcmp (dump, expected) == 0, "chunks of %u:\n%s\nwhole:\n%s", (guint) sizes[i], dump, expected);
    }
  return whole;
}

Reading *
read_good (const char *text)
{
  Reading *reading = read_flags (text, strlen (text), 0);

  ck_assert_msg (reading->error == NULL, "%s\n%s", reading->error != NULL ? reading->error->message : "", text);
  return reading;
}

void
expect_failure (const char *text, ReadFlags flags, TsError code, const char *message)
{
  g_autoptr (Reading) reading = read_flags (text, strlen (text), flags);

  ck_assert_msg (reading->error != NULL, "no error from %s", text);
  ck_assert_str_eq (reading->error->message, message);
  ck_assert_int_eq (reading->error->code, code);
}

guint64
count_of (const Reading *reading, TsDiagnosticId id)
{
  return reading->diagnostics->entries[id].count;
}

void
expect_diagnostic (const Reading *reading, TsDiagnosticId id, guint64 count, guint64 line, const char *detail)
{
  const TsDiagnostic *entry = &reading->diagnostics->entries[id];

  ck_assert_uint_eq (entry->count, count);
  ck_assert_uint_eq (entry->line, line);
  ck_assert_pstr_eq (entry->detail, detail);
}

guint
n_diagnostics (const Reading *reading)
{
  guint n = 0;

  for (guint i = 0; i < TS_N_DIAGNOSTICS; i++)
    n += reading->diagnostics->entries[i].count > 0;
  return n;
}

static const char *
name_of (const Reading *reading, guint32 element)
{
  return ts_system_get_element (reading->system, element)->name;
}

/* "TIME KIND ELEMENT#INSTANCE@CORE<OWNER; ..." without what is not there; a user event is a dot. */
static char *
events_of (const Reading *reading)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < reading->events->len; i++)
    {
      const TsEvent *event = &g_array_index (reading->events, TsEvent, i);

      if (i > 0)
        g_string_append (text, "; ");
      if (event->kind == TS_EVENT_USER)
        {
          g_string_append_c (text, '.');
          continue;
        }
      g_string_append_printf (text, "%" G_GINT64_FORMAT " %s %s", event->time,
                              ts_event_kind_name ((TsEventKind) event->kind), name_of (reading, event->element));
      if (event->instance != TS_NO_INSTANCE)
        g_string_append_printf (text, "#%d", event->instance);
      if (event->resource != TS_NO_RESOURCE)
        g_string_append_printf (text, "@%s", ts_system_get_resource (reading->system, event->resource)->name);
      if (event->owner < ts_system_n_elements (reading->system))
        g_string_append_printf (text, "<%s", name_of (reading, event->owner));
      else if (event->owner != TS_NO_ELEMENT)
        g_string_append (text, "<?");
    }
  return g_string_free (text, FALSE);
}

void
expect_events (const Reading *reading, const char *expected)
{
  g_autofree char *events = events_of (reading);

  ck_assert_str_eq (events, expected);
}

/* "EVENT REFERENCE xCOUNT; ..." */
void
expect_users (const Reading *reading, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < ts_system_n_user_events (reading->system); i++)
    {
      const TsUserEvent *user = ts_system_get_user_event (reading->system, i);

      g_string_append_printf (text, "%s%s %s x%" G_GUINT64_FORMAT, i > 0 ? "; " : "", user->event, user->reference,
                              user->count);
    }
  ck_assert_str_eq (text->str, expected);
}

void
expect_elements (const Reading *reading, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < ts_system_n_elements (reading->system); i++)
    {
      const TsElement *element = ts_system_get_element (reading->system, i);

      g_string_append_printf (text, "%s%s %s", i > 0 ? "; " : "", ts_element_type_name (element->type), element->name);
      if (element->id != NULL)
        g_string_append_printf (text, " %s", element->id);
    }
  ck_assert_str_eq (text->str, expected);
}

void
expect_cores (const Reading *reading, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < ts_system_n_resources (reading->system); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "; " : "",
                            ts_system_get_resource (reading->system, (guint16) i)->name);
  ck_assert_str_eq (text->str, expected);
}
