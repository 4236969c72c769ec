/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "reading.h"
#include "unit.h"

/* The ATF importer as an XML reader: chunks, encodings, broken documents, limits, bids. */

static const char head[] = "<?xml version='1.0'?>\n"
                           "<CommonFormat Version='1.0'>\n"
                           "<SystemConfiguration Name='S'>\n"
                           "<Resource ID='1'><SystemElement Name='A' ID='1' Type='task'/></Resource>\n"
                           "<EventIDMappings><EventIDMapping EventID='1' EventType='start'/></EventIDMappings>\n"
                           "<TimeBase Unit='us'><Value Numerator='1' Denominator='1'/></TimeBase>\n"
                           "</SystemConfiguration>\n"
                           "<TraceData Start='0'>\n";
static const char entry[] = "<TraceEntry Time='1' EventID='1' ReferenceID='1'/>\n";
static const char tail[] = "</TraceData>\n</CommonFormat>\n";

/* @message is the beginning: what follows may be the words of libxml2, which change. */
static void
expect_failure (const char *text, gssize length, const char *message)
{
  g_autoptr (Reading) reading = reading_new (text, length, 0, 0);

  ck_assert_msg (reading->error != NULL, "no error instead of: %s", message);
  ck_assert_msg (g_str_has_prefix (reading->error->message, message), "`%s' instead of `%s'", reading->error->message,
                 message);
  ck_assert_msg (strchr (reading->error->message, '\n') == NULL, "two lines: %s", reading->error->message);
  ck_assert (reading->error->domain == TS_ERROR);
  ck_assert_int_eq (reading->error->code, TS_ERROR_FORMAT);
}

/* Everything at once: whatever depends on where a chunk ends shows here. */
static const char everything[]
    = "<?xml version='1.0' encoding='utf-8'?>\n"
      "<!DOCTYPE CommonFormat [<!ENTITY co 'Gliwa &amp; Co'>\n"
      "<!ENTITY e '<TraceEntry Time=\"5\" EventID=\"1\" ReferenceID=\"1\"/>'>]>\n"
      "<!-- c --><CommonFormat Version='0.3' xsi:x='1'><Cookie Tool='t'><RTD><b/></RTD></Cookie>\n"
      "<TraceData Start='0' Stop='9.5'><Comment>na\xc3\xafve &co;</Comment>\n"
      "<TracingOverhead Overhead='before taking time' Unit='ns'><Fraction Numerator='3' Denominator='7'/>"
      "</TracingOverhead>\n"
      "<TraceEntry Time='1.5' EventID='1' ReferenceID='1'/>\r\n<TraceEntry\n Time='2'\nEventID='2' ReferenceID='&#49;'/>"
      "&e;<TraceEntry Time='3' EventID='9' ReferenceID='7'/><TraceEntry Time='11' EventID='7' ReferenceID='7'/>\n"
      "<TracingOverhead Range='min' Unit='ns'><Value Numerator='400' Denominator='3'/></TracingOverhead>\n"
      "<TraceInformation><TimeStampComment At='3' Text='x'/><Comment><![CDATA[<g>]]></Comment></TraceInformation>\n"
      "<Unknown><a/></Unknown></TraceData>\n"
      "<SystemConfiguration Name='&co;'><Resource ID='3'><SystemElement ID='1' Type='task'><Annotation>"
      "<Name>CET_{max}</Name><Value>7</Value></Annotation><SystemElement Name='r' ID='70000' Type='basic_block'/>"
      "</SystemElement></Resource><EventIDMappings><EventIDMapping EventID='1' EventType='start'/>"
      "<EventIDMapping EventID='2' EventType='terminate'/><EventIDMapping EventID='9' EventType='user'><UserTable>"
      "<Info ReferenceID='7'>i</Info></UserTable></EventIDMapping></EventIDMappings>"
      "<TimeBase Unit='us'><Value Numerator='1' Denominator='3'/></TimeBase></SystemConfiguration></CommonFormat>\n";

START_TEST (chunks_of_any_size_give_the_same)
{
  static const gsize  sizes[] = { 1, 2, 3, 5, 7, 64 };
  g_autoptr (Reading) whole = reading_new (everything, -1, 0, READ_SUBTRACT);
  g_autoptr (Reading) chunked = reading_new (everything, -1, sizes[_i], READ_SUBTRACT);
  g_autofree char    *expected = reading_dump (whole);
  g_autofree char    *dump = reading_dump (chunked);
  g_autofree char    *events = reading_events (whole);

  ck_assert_ptr_null (whole->error);
  ck_assert_str_eq (dump, expected);
  /* the overheads are 9/7000 and 2/5 of a tick, and there is 1.5: a scale of lcm (10, 7000, 5) */
  ck_assert_int_eq (whole->memory.scale, 7000);
  ck_assert_str_eq (events, "10500 start 1; 14000 end 1; 35000 start 1; 21000 user -; 77000 user -");
}
END_TEST

/* Blocks of libxml2 end somewhere in here, wherever the chunks of the input do. */
START_TEST (chunks_of_a_long_document_give_the_same)
{
  static const gsize  sizes[] = { 1, 7, 4096, 32767, 32768, 32769, 65536, 100000 };
  g_autoptr (GString) text = g_string_new (head);
  g_autoptr (Reading) whole = NULL, chunked = NULL;
  g_autofree char    *expected = NULL, *dump = NULL;

  for (guint i = 0; i < 3000; i++)
    g_string_append_printf (text, "<TraceEntry Time='%u' EventID='1' ReferenceID='1'/>\n", 3 * i);
  g_string_append (text, tail);
  whole = reading_new (text->str, -1, 0, 0);
  chunked = reading_new (text->str, -1, sizes[_i], 0);
  expected = reading_dump (whole);
  dump = reading_dump (chunked);

  ck_assert_ptr_null (whole->error);
  ck_assert_str_eq (dump, expected);
  ck_assert_uint_eq (whole->events->len, 3000);
  ck_assert_int_eq (g_array_index (whole->events, TsEvent, 2999).time, 8997);
  ck_assert_uint_eq (g_array_index (whole->events, TsEvent, 2999).line, 3008);
}
END_TEST

START_TEST (a_document_cut_anywhere_is_an_error)
{
  g_autofree char *text = g_strconcat (head, entry, tail, NULL);
  gsize            n_truncated = 0;

  /* up to the last '>', which is followed by a newline */
  for (gsize length = 0; length + 2 <= strlen (text); length++)
    {
      g_autoptr (Reading) reading = reading_new (text, (gssize) length, 0, 0);

      ck_assert_msg (reading->error != NULL, "no error after %zu bytes", length);
      n_truncated += strstr (reading->error->message, "truncated") != NULL;
    }
  /* all but those that end within the XML declaration, of which there are 22 */
  ck_assert_uint_ge (n_truncated, strlen (text) - 1 - 22);
}
END_TEST

START_TEST (broken_xml_is_an_error_with_its_line)
{
/* libxml2 takes a CDATA section in parts of 300 bytes */
#define SHORT "<TraceEntry Time='1' EventID='1' ReferenceID='1'/>\n"
#define LONG SHORT SHORT SHORT SHORT SHORT SHORT SHORT SHORT
  static const struct
  {
    const char *before, *content, *message;
  } cases[] = {
    { head, "", "x.atf:9: the file is truncated: <TraceData> is never closed" },
    { head, "</TraceData>\n", "x.atf:10: the file is truncated: <CommonFormat> is never closed" },
    { head, "<Comment>never ended\n", "x.atf:10: the file is truncated: " },
    { head, "<TraceEntry Time='1' Event", "x.atf:9: the file is truncated: " },
    { head, "<TraceEntry Time='1", "x.atf:9: the file is truncated: " },
    { head, "\n<TraceEntry Time='1'", "x.atf:10: the file is truncated: " },
    { head, "\n<TraceEntry Time='1'/", "x.atf:10: the file is truncated: " },
    { head, "\n</Trac", "x.atf:10: the file is truncated: " },
    { head, "<!-- never ended\n", "x.atf:10: the file is truncated: " },
    { head, "<?never ended\n", "x.atf:10: the file is truncated: " },
    { head, "<![CDATA[never ended\n", "x.atf:10: the file is truncated: CDATA section not terminated" },
    { head, "<![CDATA[never ended\n" LONG LONG "</TraceData></CommonFormat>\n", "x.atf:27: the file is truncated: CDATA section not terminated" },
    { head, "\n</Trace>", "x.atf:10: opening and ending tag mismatch: TraceData line 8 and Trace" },
    { "no XML\n", "", "x.atf:1: this is no XML: the root element should begin here" },
    { head, "\n<TraceEntry Time=1/>", "x.atf:10: " },
    { head, "\n<TraceEntry Time='1' Time='2'/>", "x.atf:10: attribute Time redefined" },
    { head, "\n<TraceEntry Time='a<b'/>", "x.atf:10: " },
    { head, "\n<TraceEntry Time='1'EventID='1'/>", "x.atf:10: " },
    { head, "\n\n&nothing;</TraceData>", "x.atf:11: entity 'nothing' not defined" },
    { head, "\n\n&#0;</TraceData>", "x.atf:11: " },
    { head, "\n\n& </TraceData>", "x.atf:11: " },
    { head, "\n\x01</TraceData>", "x.atf:10: " },
    { head, "\n<\x01/></TraceData>", "x.atf:10: " },
    { head, "\n]]></TraceData>", "x.atf:10: " },
    { head, "<!DOCTYPE x>\n</TraceData>", "x.atf:9: " },
    { head, "</TraceData></CommonFormat>\n\n<CommonFormat/>", "x.atf:11: extra content" },
    { head, "</TraceData></CommonFormat>\n\ntext", "x.atf:11: extra content" },
    { "", "nothing of XML", "x.atf:1: " },
    { "", "ab", "x.atf:1: this is no XML: the root element should begin here" },
    { "", "<a", "x.atf:1: the file is truncated: it has no root element" },
    { "", "<a>", "x.atf:1: not an ATF file: the root element is <a>" },
    { "", "  \n\n", "x.atf:3: the file is truncated: it has no root element" },
    { "", "<?xml version='1.0'?>\n<!-- no root -->\n", "x.atf:3: the file is truncated: it has no root element" },
    { "", "\n<html>\n<body/></html>", "x.atf:2: not an ATF file: the root element is <html>" },
    { "", "<?xml version='1.0' encoding='klingon'?>\n<CommonFormat/>", "x.atf:1: unsupported encoding" },
    { "", "<CommonFormat>\n<Cookie>\n\xe9</Cookie></CommonFormat>", "x.atf:3: " },
    { "", "<CommonFormat Version='&v;'/>", "x.atf:1: entity 'v' not defined" },
  };
  g_autofree char *text = g_strconcat (cases[_i].before, cases[_i].content, NULL);

  expect_failure (text, -1, cases[_i].message);
#undef SHORT
#undef LONG
}
END_TEST

START_TEST (an_empty_input_is_an_error)
{
  expect_failure ("", 0, "x.atf: empty input");
}
END_TEST

START_TEST (documents_are_read_in_every_encoding)
{
  static const struct
  {
    const char *charset, *declaration;
  } cases[] = {
    { "UTF-8", "" },
    { "UTF-8", "<?xml version='1.0' encoding='utf-8'?>" },
    { "UTF-16", "" }, /* with a byte order mark */
    { "UTF-16LE", "<?xml version='1.0' encoding='utf-16'?>" },
    { "UTF-16BE", "<?xml version='1.0' encoding='utf-16'?>" },
    { "ISO-8859-1", "<?xml version='1.0' encoding='iso-8859-1'?>" },
  };
  static const gsize chunks[] = { 0, 1, 2, 3, 7 };
  g_autofree char   *text = g_strconcat (cases[_i].declaration,
                                         "<CommonFormat><SystemConfiguration Name='caf\xc3\xa9'/></CommonFormat>", NULL);
  gsize              length;
  g_autofree char   *bytes = g_convert (text, -1, cases[_i].charset, "UTF-8", NULL, &length, NULL);

  ck_assert_int_ge (ts_importer_atf.bid ((const guint8 *) bytes, length), 100);
  for (gsize i = 0; i < G_N_ELEMENTS (chunks); i++)
    {
      g_autoptr (Reading) reading = reading_new (bytes, (gssize) length, chunks[i], 0);

      ck_assert_msg (reading->error == NULL, "%s", reading->error != NULL ? reading->error->message : "");
      ck_assert_str_eq (ts_system_get_name (reading->system), "caf\xc3\xa9");
    }
}
END_TEST

/* An attribute has up to 100,000 references, those within entities among them. */
START_TEST (references_are_not_beyond_number)
{
  static const struct
  {
    const char *entity, *reference;
    guint       n, n_bytes;
  } cases[] = {
    { "A", "&a;", 100000, 100000 },
    { "A", "&a;", 100001, 0 },
    { "&b;", "&a;", 50000, 50000 },
    { "&b;", "&a;", 50001, 0 },
  };
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_printf (text, "<!DOCTYPE CommonFormat [<!ENTITY b 'B'><!ENTITY a '%s'>]>\n<CommonFormat>\n<SystemConfiguration Name='",
                   cases[_i].entity);
  for (guint i = 0; i < cases[_i].n; i++)
    g_string_append (text, cases[_i].reference);
  g_string_append (text, "'/></CommonFormat>");
  if (cases[_i].n_bytes == 0)
    expect_failure (text->str, -1,
                    "x.atf:3: an attribute has more than 100000 references, or they are nested deeper than 16");
  else
    {
      g_autoptr (Reading) reading = reading_new (text->str, -1, 0, 0);

      ck_assert_ptr_null (reading->error);
      ck_assert_uint_eq (strlen (ts_system_get_name (reading->system)), cases[_i].n_bytes);
    }
}
END_TEST

/* Entities of other files are not read, those that grow or recur end the reading. */
START_TEST (entities_are_harmless)
{
  static const char outside[] = "<!DOCTYPE CommonFormat SYSTEM 'file:///etc/hostname' [\n"
                                "<!ENTITY f SYSTEM 'file:///etc/hostname'><!ENTITY % p SYSTEM 'file:///etc/hostname'> %p;]>"
                                "<CommonFormat><SystemConfiguration Name='x&f;y'><Comment>x&f;y</Comment>"
                                "</SystemConfiguration></CommonFormat>";
  g_autoptr (Reading) reading = reading_new (outside, -1, 0, 0);
  g_autoptr (GString) laughs = g_string_new ("<!DOCTYPE CommonFormat [<!ENTITY l0 'ha'>\n");

  ck_assert_ptr_null (reading->error);
  ck_assert_str_eq (ts_system_get_comment (reading->system), "xy");
  expect_failure ("<!DOCTYPE CommonFormat [<!ENTITY a '&b;'><!ENTITY b '&a;'>]>\n<CommonFormat>&a;</CommonFormat>", -1,
                  "x.atf:");

  for (guint i = 1; i < 30; i++)
    g_string_append_printf (laughs, "<!ENTITY l%u '&l%u;&l%u;&l%u;&l%u;&l%u;&l%u;&l%u;&l%u;'>\n", i, i - 1, i - 1, i - 1,
                            i - 1, i - 1, i - 1, i - 1, i - 1);
  {
    g_autofree char *in_text = g_strconcat (laughs->str, "]><CommonFormat>&l29;</CommonFormat>", NULL);
    g_autofree char *in_value = g_strconcat (laughs->str, "]><CommonFormat Version='&l29;'/>", NULL);

    expect_failure (in_text, -1, "x.atf:31: ");
    expect_failure (in_value, -1, "x.atf:31: ");
  }
}
END_TEST

static char *
repeat (const char *before, guint n, const char *text, const char *after)
{
  GString *result = g_string_new (before);

  for (guint i = 0; i < n; i++)
    g_string_append (result, text);
  g_string_append (result, after);
  return g_string_free (result, FALSE);
}

/* @over: one past the limit, at @limit it is fine. */
static void
expect_limit (const char *limit, const char *over, const char *message)
{
  g_autoptr (Reading) at_limit = reading_new (limit, -1, 0, 0);
  g_autoptr (Reading) past_limit = reading_new (over, -1, 0, 0);

  ck_assert_msg (at_limit->error == NULL, "%s", at_limit->error != NULL ? at_limit->error->message : "");
  ck_assert_ptr_nonnull (past_limit->error);
  ck_assert_str_eq (past_limit->error->message, message);
}

START_TEST (elements_nest_256_deep)
{
  char *texts[2];

  for (guint i = 0; i < 2; i++)
    {
      GString *text = g_string_new ("<CommonFormat><SystemConfiguration><Resource>\n");

      for (guint k = 0; k < 256 + i; k++)
        g_string_append_printf (text, "<SystemElement ID='%u'>\n", k);
      texts[i] = repeat (text->str, 256 + i, "</SystemElement>", "</Resource></SystemConfiguration></CommonFormat>");
      g_string_free (text, TRUE);
    }
  expect_limit (texts[0], texts[1], "x.atf:258: elements are nested deeper than 256");
  g_free (texts[0]);
  g_free (texts[1]);
}
END_TEST

START_TEST (unknown_elements_nest_a_million_deep)
{
  g_autofree char *inside = repeat ("", 999998, "</a>", "</Cookie></CommonFormat>");
  g_autofree char *limit = repeat ("<CommonFormat><Cookie>", 999998, "<a>", inside);
  g_autofree char *over = repeat ("<CommonFormat><Cookie>", 999999, "<a>", "");

  expect_limit (limit, over, "x.atf:1: XML elements are nested deeper than 1000000");
}
END_TEST

START_TEST (texts_are_a_mebibyte_long)
{
  static const char before[] = "<CommonFormat><SystemConfiguration><Comment>";
  static const char after[] = "</Comment></SystemConfiguration></CommonFormat>";
  g_autofree char  *limit = repeat (before, 1048576, "x", after);
  g_autofree char  *over = repeat (before, 1048577, "x", after);

  expect_limit (limit, over, "x.atf:1: a text is longer than 1048576 bytes");
}
END_TEST

START_TEST (attributes_are_a_mebibyte_long)
{
  static const char before[] = "<CommonFormat><SystemConfiguration Name='";
  g_autofree char  *limit = repeat (before, 1048576, "x", "'/></CommonFormat>");
  g_autofree char  *over = repeat (before, 1048577, "x", "'/></CommonFormat>");

  expect_limit (limit, over, "x.atf:1: an attribute is longer than 1048576 bytes");
}
END_TEST

START_TEST (there_are_65000_resources)
{
  static const char before[] = "<CommonFormat><SystemConfiguration>";
  static const char after[] = "</SystemConfiguration></CommonFormat>";
  g_autofree char  *limit = repeat (before, 65000, "<Resource/>", after);
  g_autofree char  *over = repeat (before, 65001, "<Resource/>", after);

  expect_limit (limit, over, "x.atf:1: more than 65000 resources");
}
END_TEST

START_TEST (there_are_a_million_sections)
{
  g_autofree char *limit = repeat ("<CommonFormat>", 1000000, "<TraceData/>", "</CommonFormat>");
  g_autofree char *over = repeat ("<CommonFormat>", 1000001, "<TraceData/>", "</CommonFormat>");

  expect_limit (limit, over, "x.atf:1: more than 1000000 TraceData");
}
END_TEST

/* @item may have a number in it. */
static char *
number_items (const char *before, guint n, const char *item, const char *after)
{
  GString *result = g_string_new (before);

  for (guint i = 0; i < n; i++)
    {
      const char *number = strchr (item, '#');

      g_string_append_len (result, item, number != NULL ? number - item : (gssize) strlen (item));
      if (number != NULL)
        g_string_append_printf (result, "%u%s", i, number + 1);
    }
  g_string_append (result, after);
  return g_string_free (result, FALSE);
}

START_TEST (there_are_a_million_of_what_is_listed)
{
#define IN_SYSTEM "<CommonFormat><SystemConfiguration><EventIDMappings>"
#define SYSTEM_ENDS "</EventIDMappings></SystemConfiguration></CommonFormat>"
  static const struct
  {
    const char *before, *item, *after, *what;
  } lists[] = {
    { IN_SYSTEM, "<EventIDMapping EventID='#' EventType='start'/>", SYSTEM_ENDS, "event mappings" },
    { IN_SYSTEM "<EventIDMapping EventID='1' EventType='user'><UserTable>", "<Info ReferenceID='#'>x</Info>",
      "</UserTable></EventIDMapping>" SYSTEM_ENDS, "user events" },
    { "<CommonFormat><TraceData Start='0'><TraceInformation>", "<Comment>x</Comment>",
      "</TraceInformation></TraceData></CommonFormat>", "comments on a trace" },
    { "<CommonFormat><TraceData Start='0'>",
      "<TracingOverhead Unit='us'><Value Numerator='1' Denominator='1'/></TracingOverhead>",
      "</TraceData></CommonFormat>", "tracing overheads" },
  };
  g_autofree char *limit = number_items (lists[_i].before, 1000000, lists[_i].item, lists[_i].after);
  g_autofree char *over = number_items (lists[_i].before, 1000001, lists[_i].item, lists[_i].after);
  g_autofree char *message = g_strdup_printf ("x.atf:1: more than 1000000 %s", lists[_i].what);

  expect_limit (limit, over, message);
}
END_TEST

/* More references than are counted one by one share a counter. */
START_TEST (unknown_user_events_beyond_65536_are_counted_together)
{
  g_autoptr (GString) text = g_string_new (
      "<CommonFormat><SystemConfiguration><EventIDMappings><EventIDMapping EventID='1' EventType='user'/>"
      "</EventIDMappings></SystemConfiguration><TraceData Start='0'>");
  g_autoptr (Reading) reading = NULL;
  const TsUserEvent  *others;

  for (guint i = 0; i < 65536 + 3; i++)
    g_string_append_printf (text, "<TraceEntry Time='0' EventID='1' ReferenceID='%u'/>", i);
  g_string_append (text, "<TraceEntry Time='0' EventID='1' ReferenceID='65535'/></TraceData></CommonFormat>");
  reading = reading_new (text->str, -1, 0, 0);

  ck_assert_ptr_null (reading->error);
  ck_assert_uint_eq (ts_system_n_user_events (reading->system), 65537);
  ck_assert_uint_eq (ts_system_get_user_event (reading->system, 65535)->count, 2);
  others = ts_system_get_user_event (reading->system, 65536);
  ck_assert_str_eq (others->reference, "others");
  ck_assert_uint_eq (others->count, 3);
}
END_TEST

/* Not even libxml2's own complaints, of which undeclared prefixes and encodings cause some. */
START_TEST (nothing_is_printed)
{
  g_autofree char *sound = g_strconcat (head, "<q:TraceEntry z:Time='1'/>", entry, tail, NULL);
  FILE            *file = tmpfile ();
  int              standard_error = dup (STDERR_FILENO);
  long             size;

  dup2 (fileno (file), STDERR_FILENO);
  for (guint i = 0; i < 4; i++)
    {
      static const char half_pair[] = "\xff\xfe<\0a\0>\0\0\xd8\0\xd8\0\xd8<\0/\0a\0>";
      const char *const texts[] = { sound, "<a xmlns=':'><b:c/></d>", "<?xml version='1.0' encoding='no'?><a/>", half_pair };
      g_autoptr (Reading) reading
          = reading_new (texts[i], texts[i] == half_pair ? (gssize) sizeof half_pair : -1, 0, 0);

      ck_assert_int_eq (reading->error == NULL, i == 0);
    }
  dup2 (standard_error, STDERR_FILENO);
  close (standard_error);
  fseek (file, 0, SEEK_END);
  size = ftell (file);
  fclose (file);
  ck_assert_int_eq (size, 0);
}
END_TEST

START_TEST (bids_follow_the_root_element)
{
  static const struct
  {
    const char *text;
    int         bid;
  } cases[] = {
    { "<CommonFormat>", 100 },
    { "<CommonFormat/>", 100 },
    { "\xef\xbb\xbf<CommonFormat Version='1'>", 100 },
    { " \r\n<?xml version='1.0'?>\n<!-- <a> --><CommonFormat\n>", 100 },
    { "<!DOCTYPE CommonFormat SYSTEM 'a>b' [<!ENTITY x '>]'><!ELEMENT y ANY>]><x:CommonFormat>", 100 },
    { "<CommonFormats>", 40 },
    { "<CommonFormat", 40 }, /* the head may end in the middle of a name */
    { "<?xml version='1.0'?><svg>", 40 },
    { "<?xml version='1.0'", 40 },
    { "<!-- never ended", 40 },
    { "<!DOCTYPE CommonFormat [<!ENTITY x '>]'>", 40 },
    { "<?xml version='1.0'?>\n ", 40 },
    { " \n", 0 },
    { "", 0 },
    { "<", 0 },
    { "< a", 0 },
    { "#version 2.1.3", 0 },
    { "CommonFormat", 0 },
  };

  ck_assert_int_eq (ts_importer_atf.bid ((const guint8 *) cases[_i].text, strlen (cases[_i].text)), cases[_i].bid);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("ATF as XML");
  TCase *test_case = tcase_create ("documents");

  tcase_add_loop_test (test_case, chunks_of_any_size_give_the_same, 0, 6);
  tcase_add_loop_test (test_case, chunks_of_a_long_document_give_the_same, 0, 8);
  tcase_add_loop_test (test_case, documents_are_read_in_every_encoding, 0, 6);
  tcase_add_loop_test (test_case, bids_follow_the_root_element, 0, 18);
  tcase_add_test (test_case, nothing_is_printed);
  suite_add_tcase (suite, test_case);

  test_case = tcase_create ("errors");
  tcase_add_test (test_case, a_document_cut_anywhere_is_an_error);
  tcase_add_loop_test (test_case, broken_xml_is_an_error_with_its_line, 0, 36);
  tcase_add_test (test_case, an_empty_input_is_an_error);
  tcase_add_test (test_case, entities_are_harmless);
  tcase_add_loop_test (test_case, references_are_not_beyond_number, 0, 4);
  suite_add_tcase (suite, test_case);

  test_case = tcase_create ("limits");
  tcase_set_timeout (test_case, 120);
  tcase_add_test (test_case, elements_nest_256_deep);
  tcase_add_test (test_case, unknown_elements_nest_a_million_deep);
  tcase_add_test (test_case, texts_are_a_mebibyte_long);
  tcase_add_test (test_case, attributes_are_a_mebibyte_long);
  tcase_add_test (test_case, there_are_65000_resources);
  tcase_add_test (test_case, there_are_a_million_sections);
  tcase_add_loop_test (test_case, there_are_a_million_of_what_is_listed, 0, 4);
  tcase_add_test (test_case, unknown_user_events_beyond_65536_are_counted_together);
  suite_add_tcase (suite, test_case);
  return suite;
}

int
main (void)
{
  return unit_run (make_suite ());
}
