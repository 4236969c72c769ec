/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "read-plain.h"
#include "unit.h"

/* ATF in UTF-16: what it says is what the same document says in UTF-8, and what libxml2, which has its own conversion,
 * says of it alone. */

#define DECLARATION "<?xml version='1.0' encoding='utf-16'?>\n"
#define SYSTEM \
  "<CommonFormat Version='1.0'>\n<SystemConfiguration Name='\xf0\x9f\x98\x80 caf\xc3\xa9'>\n" \
  "<Comment>\xe2\x82\xac\xf0\x90\x80\x80\n\xf4\x8f\xbf\xbd\xc2\x80\xe4\xbb\xbb\xe5\x8a\xa1\xef\xbf\xbd</Comment>\n" \
  "<Resource ID='1'><SystemElement Name='\xc3\x84' ID='1' Type='task'/>" \
  "<SystemElement Name='B\xf0\x9f\x98\x80' ID='2' Type='task'/></Resource>\n" \
  "<EventIDMappings><EventIDMapping EventID='1' EventType='start'/><EventIDMapping EventID='2' EventType='end'/>" \
  "</EventIDMappings>\n<TimeBase Unit='us'><Value Numerator='1' Denominator='1'/></TimeBase>\n</SystemConfiguration>\n"
#define DATA \
  "<TraceData Start='0'>\n<TraceEntry Time='1' EventID='1' ReferenceID='1'/>\n" \
  "<TraceEntry Time='2' EventID='2' ReferenceID='1'/>\n" \
  "<TraceEntry Time='3' EventID='1' ReferenceID='2' Note='\xe2\x82\xac\xf0\x9f\x98\x80'/>\n" \
  "<!-- \xc3\xa4 \xf0\x9f\x98\x80\n -->" \
  "<TraceEntry Time='9' EventID='2' ReferenceID='2'/>\n</TraceData>\n"
#define END "</CommonFormat>\n"

/* @text, of UTF-8, in units of @charset; *length is in bytes. */
static char *
to_units (const char *charset, gboolean has_mark, const char *text, gsize *length)
{
  g_autofree char *whole = g_strconcat (has_mark ? "\xef\xbb\xbf" : "", text, NULL);
  char            *bytes = g_convert (whole, -1, charset, "UTF-8", NULL, length, NULL);

  ck_assert_ptr_nonnull (bytes);
  return bytes;
}

static const struct
{
  const char *charset;
  gboolean    has_mark;
} kinds[] = { { "UTF-16LE", TRUE }, { "UTF-16BE", TRUE }, { "UTF-16LE", FALSE }, { "UTF-16BE", FALSE } };

START_TEST (chunks_of_any_size_say_what_utf_8_says)
{
  static const char   text[] = SYSTEM DATA END;
  gsize               length;
  g_autofree char    *bytes = to_units (kinds[_i].charset, kinds[_i].has_mark, DECLARATION SYSTEM DATA END, &length);
  g_autofree char    *in_utf8 = g_strconcat ("<?xml version='1.0'?>\n", text, NULL);
  g_autoptr (Reading) expected = reading_new (in_utf8, -1, 0, 0);
  g_autofree char    *expected_dump = reading_dump (expected), *events = reading_events (expected);

  ck_assert_ptr_null (expected->error);
  ck_assert_str_eq (events, "1 start \xc3\x84; 2 end \xc3\x84; 3 start B\xf0\x9f\x98\x80; 9 end B\xf0\x9f\x98\x80");
  ck_assert_str_eq (ts_system_get_name (expected->system), "\xf0\x9f\x98\x80 caf\xc3\xa9");
  /* so the first cut is everywhere once */
  for (gsize chunk = 1; chunk <= length; chunk++)
    {
      g_autoptr (Reading) reading = reading_new (bytes, (gssize) length, chunk, 0);
      g_autofree char    *dump = reading_dump (reading);

      ck_assert_msg (reading->error == NULL, "%s", reading->error != NULL ? reading->error->message : "");
      ck_assert_str_eq (dump, expected_dump);
    }
  expect_the_same (bytes, length, 0, 0);
}
END_TEST

/* Units are looked at together where all are ASCII: each other one at each place among them. */
START_TEST (characters_of_any_length_stand_anywhere)
{
  static const gunichar characters[]
      = { 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xfffd, 0x10000, 0x103ff, 0x10400, 0x10ffff };

  for (gsize at = 0; at < 140; at++)
    {
      g_autoptr (GString) name = g_string_new (NULL);
      g_autofree char    *text = NULL, *bytes = NULL;
      gsize               length;
      g_autoptr (Reading) reading = NULL;

      g_string_append_printf (name, "%.*s", (int) at, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789abcdefghijklmnopqrstuvwxyz");
      g_string_append_unichar (name, characters[_i]);
      g_string_append (name, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
      text = g_strdup_printf (DECLARATION "<CommonFormat><SystemConfiguration Name='%s'/></CommonFormat>", name->str);
      bytes = to_units (kinds[at % 4].charset, kinds[at % 4].has_mark, text, &length);
      reading = reading_new (bytes, (gssize) length, 0, 0);

      ck_assert_msg (reading->error == NULL, "%s", reading->error != NULL ? reading->error->message : "");
      ck_assert_str_eq (ts_system_get_name (reading->system), name->str);
    }
}
END_TEST

/* A MiB, which is converted piece by piece. */
START_TEST (long_documents_say_what_utf_8_says)
{
  static const gsize  chunks[] = { 0, 4096, 262143, 262145 };
  g_autoptr (GString) text = g_string_new (SYSTEM "<TraceData Start='0'>\n");
  g_autofree char    *bytes = NULL, *in_utf8 = NULL;
  gsize               length;
  g_autoptr (Reading) expected = NULL, reading = NULL;
  g_autofree char    *expected_dump = NULL, *dump = NULL;

  for (guint i = 0; i < 10000; i++)
    g_string_append_printf (text, "<TraceEntry Time='%u' EventID='%u' ReferenceID='1'/>%s\n", 3 * i, i % 2 + 1,
                            i % 7 == 0 ? "<!-- \xc3\xa4\xf0\x9f\x98\x80 -->" : "");
  g_string_append (text, "</TraceData>\n" END);
  in_utf8 = g_strconcat ("<?xml version='1.0'?>\n", text->str, NULL);
  g_string_prepend (text, DECLARATION);
  bytes = to_units (kinds[_i % 4].charset, kinds[_i % 4].has_mark, text->str, &length);
  expected = reading_new (in_utf8, -1, 0, READ_PLAIN);
  reading = reading_new (bytes, (gssize) length, chunks[_i / 4], 0);
  ck_assert_ptr_null (expected->error);
  ck_assert_ptr_null (reading->error);
  expected_dump = reading_dump (expected);
  dump = reading_dump (reading);
  ck_assert_str_eq (dump, expected_dump);
  ck_assert_uint_eq (reading->events->len, 10000);
  /* by hand: one line has the declaration, eight the system, and one the beginning of the data */
  ck_assert_uint_eq (g_array_index (reading->events, TsEvent, 9999).line, 11 + 9999);
}
END_TEST

/* Whatever the declaration says, libxml2 alone decides what that means for it. */
START_TEST (declarations_mean_what_they_mean_to_libxml2)
{
  static const struct
  {
    const char *declaration;
    gboolean    is_good; /* to all versions of libxml2 */
  } cases[] = {
    { "", TRUE },
    { "<?xml version='1.0'?>", TRUE },
    { "<?xml version='1.0' encoding='utf-16'?>", TRUE },
    { "<?xml version=\"1.0\"\tencoding = \"UTF16\" standalone='yes' ?>\n", TRUE },
    { "<?xml version='1.0' encoding='utf-8'?>", TRUE },
    { "<?xml version='1.0'                                                                              "
      "                                                                                                 "
      "                                                                          encoding='utf-16'?>\n",
      TRUE }, /* longer than what is looked at */
    { "<!-- encoding='ISO-8859-1' ?> -->", TRUE },
    { "<?xml-stylesheet encoding='klingon'?>", TRUE },
    { "\n", TRUE },
    { "<?xml version='1.0' encoding='UTF-16LE'?>", FALSE },
    { "<?xml version='1.0' encoding='UTF-16BE'?>", FALSE },
    { "<?xml version='1.0' encoding='ISO-8859-1'?>", FALSE },
    { "<?xml version='1.0' encoding='klingon'?>", FALSE },
    { "<?xml version='1.0' encoding='utf-16?>", FALSE },
    { "<?xml version='1.0' encoding=''?>", FALSE },
    { "<?xml version='1.0' encoding='utf-16 '?>", FALSE },
    { "<?xml encoding='utf-16'?>", FALSE },
    { "<?xml?>", FALSE },
    { "\xef\xbb\xbf<?xml version='1.0' encoding='utf-16'?>", FALSE },
    { " <?xml version='1.0' encoding='utf-16'?>", FALSE },
  };
  g_autofree char *text = g_strconcat (cases[_i].declaration, SYSTEM DATA END, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      gsize               length;
      g_autofree char    *bytes = to_units (kinds[i].charset, kinds[i].has_mark, text, &length);
      g_autoptr (Reading) reading = reading_new (bytes, (gssize) length, 0, 0);

      expect_the_same (bytes, length, 0, 0);
      expect_the_same (bytes, length, 1, 0);
      if (cases[_i].is_good && kinds[i].has_mark)
        ck_assert_msg (reading->error == NULL, "%s", reading->error != NULL ? reading->error->message : "");
    }
}
END_TEST

/* By hand: the declaration has a line, so that the comment on the system is in the lines 4 and 5, the entry with the
 * time 3 in line 13, and the comment behind it in 14 and 15. */
START_TEST (what_is_no_text_is_told_with_its_line)
{
  static const struct
  {
    guint16 units[3];
  } defects[] = {
    { { 0xd800 } }, { { 0xdbff, 'x' } }, { { 0xdc00 } }, { { 0xdfff } }, { { 0xdc00, 0xd800 } },
    { { 0xd800, 0xd800, 0xdc00 } }, { { 0xd800, 0xdbff } }, { { 0xd801, 0xe000 } },
    { { 0xfffe } }, { { 0xffff } }, { { 1 } },
  };
  static const struct
  {
    const char *before, *message;
  } places[] = {
    { "\xf4\x8f\xbf\xbd", "x.atf:5: " },
    { "Time='3'", "x.atf:13: " },
    { "\n -->", "x.atf:14: " },
    { "\n</TraceData>", "x.atf:15: " },
  };
  static const char text[] = DECLARATION SYSTEM DATA END;

  for (gsize i = 0; i < G_N_ELEMENTS (places); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (kinds); k++)
      {
        const char         *place = strstr (text, places[i].before);
        g_autofree char    *before = g_strndup (text, (gsize) (place - text));
        gsize               n_before, n_behind;
        g_autofree char    *begin = to_units (kinds[k].charset, kinds[k].has_mark, before, &n_before);
        g_autofree char    *behind = to_units (kinds[k].charset, FALSE, place, &n_behind);
        g_autoptr (GString) bytes = g_string_new_len (begin, (gssize) n_before);

        for (gsize n = 0; n < 3 && defects[_i].units[n] != 0; n++)
          {
            guint16 unit = defects[_i].units[n];

            unit = k % 2 == 0 ? GUINT16_TO_LE (unit) : GUINT16_TO_BE (unit);
            g_string_append_len (bytes, (const char *) &unit, 2);
          }
        g_string_append_len (bytes, behind, (gssize) n_behind);
        for (gsize chunk = 0; chunk < 4; chunk++)
          {
            g_autoptr (Reading) reading = reading_new (bytes->str, (gssize) bytes->len, chunk, 0);
            g_autoptr (Reading) plain = reading_new (bytes->str, (gssize) bytes->len, 0, READ_PLAIN);

            ck_assert_ptr_nonnull (plain->error);
            ck_assert_ptr_nonnull (reading->error);
            ck_assert_msg (g_str_has_prefix (reading->error->message, places[i].message), "`%s' instead of `%s'",
                           reading->error->message, places[i].message);
          }
      }
}
END_TEST

/* Half a unit, or half of a pair, behind the document is nothing to libxml2. */
START_TEST (a_cut_document_has_the_error_of_its_last_character)
{
  static const char text[] = DECLARATION SYSTEM DATA END;
  gsize             length;
  g_autofree char  *bytes = to_units (kinds[_i].charset, kinds[_i].has_mark, text, &length);
  const char       *character = text;
  gsize             n_marks = kinds[_i].has_mark ? 2 : 0, n = n_marks;

  for (gsize cut = n_marks; cut <= length; cut++)
    {
      g_autofree char    *in_utf8 = NULL;
      g_autoptr (Reading) reading = NULL, expected = NULL;

      /* the next character, once all of it is there */
      while (*character != '\0' && n + (g_utf8_get_char (character) > 0xffff ? 4 : 2) <= cut)
        {
          n += g_utf8_get_char (character) > 0xffff ? 4 : 2;
          character = g_utf8_next_char (character);
        }
      if (character - text < (gssize) strlen (DECLARATION))
        continue;
      in_utf8 = g_strdup_printf ("<?xml version='1.0' encoding='utf-8'?>\n%.*s",
                                 (int) (character - text - (gssize) strlen (DECLARATION)), text + strlen (DECLARATION));
      expected = reading_new (in_utf8, -1, 0, 0);
      reading = reading_new (bytes, (gssize) cut, 0, 0);
      ck_assert_int_eq (reading->error != NULL, expected->error != NULL);
      ck_assert_int_eq (reading->error != NULL, character - text < (gssize) strlen (text) - 1);
      if (reading->error != NULL)
        ck_assert_str_eq (reading->error->message, expected->error->message);
    }
}
END_TEST

START_TEST (short_inputs_are_errors)
{
  gsize            length;
  g_autofree char *bytes = to_units (kinds[_i].charset, kinds[_i].has_mark, DECLARATION, &length);

  for (gsize cut = 1; cut <= length; cut++)
    for (gsize chunk = 0; chunk < 3; chunk++)
      {
        g_autoptr (Reading) reading = reading_new (bytes, (gssize) cut, chunk, 0);

        ck_assert_ptr_nonnull (reading->error);
        ck_assert_int_eq (reading->error->code, TS_ERROR_FORMAT);
      }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("ATF in UTF-16");
  TCase *test_case = tcase_create ("documents");

  tcase_add_loop_test (test_case, chunks_of_any_size_say_what_utf_8_says, 0, 4);
  tcase_add_loop_test (test_case, characters_of_any_length_stand_anywhere, 0, 10);
  tcase_add_loop_test (test_case, long_documents_say_what_utf_8_says, 0, 16);
  tcase_add_loop_test (test_case, declarations_mean_what_they_mean_to_libxml2, 0, 20);
  suite_add_tcase (suite, test_case);

  test_case = tcase_create ("errors");
  tcase_add_loop_test (test_case, what_is_no_text_is_told_with_its_line, 0, 11);
  tcase_add_loop_test (test_case, a_cut_document_has_the_error_of_its_last_character, 0, 4);
  tcase_add_loop_test (test_case, short_inputs_are_errors, 0, 4);
  suite_add_tcase (suite, test_case);
  return unit_run (suite);
}
