/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "change-byte.h"
#include "read-plain.h"
#include "unit.h"

/* What is between the entries of a section and those of the next one, which is read without libxml2: whatever it looks
 * like, the result is that of libxml2 alone, to the line number of every defect. */

#define HEAD \
  "<?xml version=\"1.0\"?>\n%s<%sCommonFormat Version=\"1.0\">\n<SystemConfiguration Name=\"s\">\n" \
  "<Resource ID=\"0\" Scheduler=\"os\">\n<SystemElement Name=\"A\" ID=\"1\" Type=\"task\"/></Resource>\n" \
  "<EventIDMappings><EventIDMapping EventID=\"3\" EventType=\"start\"/><EventIDMapping EventID=\"4\" EventType=\"end\"/>" \
  "</EventIDMappings>\n<TimeBase Unit=\"us\"><Value Numerator=\"1\" Denominator=\"1\"/></TimeBase>\n" \
  "</SystemConfiguration>\n"
#define FIRST "<TraceData Start=\"0\" Stop=\"100\">\n"
#define ENTRIES \
  "  <TraceEntry Time=\"%u1\" EventID=\"3\" ReferenceID=\"1\"/>\n" \
  "  <TraceEntry Time=\"%u2\" EventID=\"4\" ReferenceID=\"1\"/>\n" \
  "  <TraceEntry Time=\"%u3\" EventID=\"5\" ReferenceID=\"1\"/>\n"
#define USUAL \
  "</TraceData>\n<TraceData Start=\"%u0\" Stop=\"%u9\">\n  <Comment>recording %u</Comment>\n" \
  "  <ToolInfo Vendor=\"v\" Tool=\"t\" Version=\"%u\"/>\n"
#define TAIL "</TraceData>\n</%sCommonFormat>\n"

/* What may be between two sections, and what only looks like it. */
static const char *const seams[] = {
  "</TraceData><TraceData Start=\"50\" Stop=\"59\">",
  "</TraceData \n>\n\n<TraceData\n Stop = '59'\r\n Start\n=\n\"50\"\n>",
  "</TraceData><TraceData>",
  "</TraceData><TraceData/>",
  "</TraceData><TraceData Start=\"50\"/><TraceData Start=\"60\">",
  "</TraceData><TraceData Start=\"40\"></TraceData><TraceData Start=\"50\">",
  "</TraceData><TraceData Start=\"50\" Stop=\"50\"></TraceData><TraceData>\n\n</TraceData>\n<TraceData Start=\"51\">",
  "</TraceData><TraceData Start=\"59\" Stop=\"50\">",
  "</TraceData><TraceData Start=\"x\" Stop=\"\">",
  "</TraceData><TraceData Start=\" 50 \" Stop=\"5&#57;\">",
  "</TraceData><TraceData Start=\"50.25\" Stop=\"59.125\">",
  "</TraceData><TraceData Start=\"99999999999999999999\">",
  "</TraceData><TraceData Start=\"50\" Start=\"51\">",
  "</TraceData><TraceData Start=\"50\" a:Start=\"51\">",
  "</TraceData><TraceData Start=\"50\"Stop=\"59\">",
  "</TraceData><TraceData Start=50>",
  "</TraceData><TraceData Start=\"50\" Other=\"1\">",
  "</TraceData><TraceData Start=\"50\" Name=\"1\" ID=\"2\" Type=\"3\">",
  "</TraceData><TraceData Start=\"50\" xmlns=\"x\">",
  "</TraceData><TraceData Start=\"50\" xmlns:p=\"x\"><TraceEntry p:Time=\"1\" Time=\"51\" EventID=\"3\" ReferenceID=\"1\"/>"
  "</TraceData><TraceData Start=\"52\"><TraceEntry p:Time=\"1\" Time=\"51\" EventID=\"4\" ReferenceID=\"1\"/>",
  "</TraceData><TraceData Start=\"50\" xmlns:p=\"x\" xmlns:q=\"x\"></TraceData><TraceData Start=\"52\">"
  "<TraceEntry p:Time=\"1\" q:Time=\"1\" Time=\"53\" EventID=\"4\" ReferenceID=\"1\"/>",
  "</TraceData><p:TraceData Start=\"50\"></p:TraceData><TraceData Start=\"51\">",
  "</TraceData><p:TraceData Start=\"50\"></TraceData><TraceData Start=\"51\">",
  "</p:TraceData><TraceData Start=\"50\">",
  "</TraceDatas><TraceData Start=\"50\">",
  "</TraceData><TraceDatas Start=\"50\">",
  "</TraceData><traceData Start=\"50\">",
  "</TraceEntry><TraceData Start=\"50\">",
  "</ TraceData><TraceData Start=\"50\">",
  "</TraceData><TraceData Start=\"50\"><TraceData Start=\"51\">",
  "</TraceData></TraceData><TraceData Start=\"50\">",
  "</TraceData>text<TraceData Start=\"50\">",
  "</TraceData>\n<!-- -->\n<TraceData Start=\"50\">",
  "</TraceData>\n<?pi <TraceData Start=\"50\">?>\n<TraceData Start=\"51\">\n<?pi ?>\n<!-- </TraceData> -->",
  "</TraceData><![CDATA[<TraceData Start=\"50\">]]><TraceData Start=\"51\">",
  "</TraceData>&lt;<TraceData Start=\"50\">",
  "</TraceData>&e;<TraceData Start=\"50\">",
  "</TraceData><Cookie><TraceData Start=\"50\"/></Cookie><TraceData Start=\"50\">",
  "</TraceData><SystemConfiguration Name=\"t\"/><TraceData Start=\"50\">",
  "</TraceData><Other/><TraceData Start=\"50\">",
  "</TraceData><TraceData Start=\"50\"><Comment> a \n b </Comment>",
  "</TraceData><TraceData Start=\"50\"><Comment/><Comment></Comment><Comment>c</Comment>",
  "</TraceData><TraceData Start=\"50\"><Comment>a&amp;b</Comment>",
  "</TraceData><TraceData Start=\"50\"><Comment>a<b/></Comment>",
  "</TraceData><TraceData Start=\"50\"><Comment>a]]>b</Comment>",
  "</TraceData><TraceData Start=\"50\"><Comment>a<!-- x -->b</Comment>",
  "</TraceData><TraceData Start=\"50\"><Comment>\xc3\xa4 \xe2\x82\xac</Comment>",
  "</TraceData><TraceData Start=\"50\"><Comment>\xff</Comment>",
  "</TraceData><TraceData Start=\"50\"><Comment>a",
  "</TraceData><TraceData Start=\"50\"><Comment><TraceEntry Time=\"51\" EventID=\"3\" ReferenceID=\"1\"/></Comment>",
  "</TraceData><TraceData Start=\"50\"><Comment a='b' Name='c'>d</Comment >",
  "</TraceData><TraceData Start=\"50\"><ToolInfo>text</ToolInfo>",
  "</TraceData><TraceData Start=\"50\"><ToolInfo Tool=\"a&#98;\" Vendor='<'/>",
  "</TraceData><TraceData Start=\"50\"><ToolInfo Tool=\"a\" Tool=\"b\"/>",
  "</TraceData><TraceData Start=\"50\"><ToolInfo Tool=\"a\" Vendor=\"b\" Version=\"c\" Name=\"d\"/>",
  "</TraceData><TraceData Start=\"50\"><ToolInfo><Comment>c</Comment></ToolInfo>",
  "</TraceData><TraceData Start=\"50\"><p:ToolInfo Tool=\"a\"/><p:Comment>c</p:Comment>",
  "</TraceData><TraceData Start=\"50\"><TracingOverhead OverheadType=\"start\" Unit=\"us\">"
  "<Value Numerator=\"1\" Denominator=\"2\"/></TracingOverhead>",
  "</TraceData><TraceData Start=\"50\"><TraceInformation><Comment>c</Comment></TraceInformation>",
  "</TraceData><TraceData Start=\"50\"><Comment>c</Comment></TraceData>\n<TraceData Start=\"52\">\n</Trace>",
  "</TraceData>\n<TraceData Start=\"50\">\n</\xff>",
  "</TraceData>\n<TraceData Start=\"50\">\n</",
  /* behind some entries */
  "<Comment>c</Comment>\n<ToolInfo Tool=\"u\"/>",
  "<SystemElement Name=\"x\" ID=\"9\"/>",
  "<Annotation><Name>a</Name><Value>b</Value></Annotation>",
};

#define TYPE \
  "<!DOCTYPE CommonFormat [<!ENTITY e \"x\">\n<!ATTLIST TraceData Stop CDATA \"70\" Start NMTOKEN #IMPLIED>]>\n"

/* @n sections, and within or behind the third one @seam. */
static GString *
make_document (const char *document_type, const char *prefix, const char *seam, guint n)
{
  GString *document = g_string_new (NULL);

  g_string_append_printf (document, HEAD, document_type, prefix);
  g_string_append (document, FIRST);
  for (guint i = 1; i <= n; i++)
    {
      g_string_append_printf (document, ENTRIES, i, i, i);
      if (i == 3)
        g_string_append (document, seam);
      else if (i < n)
        g_string_append_printf (document, USUAL, i + 1, i + 1, i + 1, i + 1);
    }
  g_string_append_printf (document, TAIL, prefix);
  return document;
}

START_TEST (odd_ones_read_as_with_libxml2_alone)
{
  static const guint chunks[] = { 0, 1, 30, 200 };

  for (guint i = 0; i < 4 * G_N_ELEMENTS (chunks); i++)
    {
      g_autoptr (GString) text = make_document (i % 2 == 0 ? "" : TYPE, i % 4 < 2 ? "" : "p:", seams[_i], 6);

      expect_the_same (text->str, text->len, chunks[i / 4], 0);
    }
}
END_TEST

/* So many that they are cut by what is read at once. */
START_TEST (many_read_as_with_libxml2_alone)
{
  static const gsize chunks[] = { 0, 100, 1000, 1024, 4096, 32768, 262144 };
  g_autoptr (GString) text = make_document ("", "", "", 3000);

  for (guint i = 0; i < G_N_ELEMENTS (chunks); i++)
    expect_the_same (text->str, text->len, chunks[i], 0);
}
END_TEST

/* Longer than what libxml2 gets before entries are looked for. */
START_TEST (a_prefix_has_to_be_at_both_ends)
{
  static const char *const ends[] = { "</TraceData>", "</p:TraceData>" };
  g_autoptr (GString) text = make_document ("", "", "", 6);
  const char              *end = strstr (text->str, ends[0]);
  const gssize             at = end - text->str;

  ck_assert_ptr_nonnull (end);
  for (guint i = 0; i < 1000; i++)
    g_string_insert (text, at, "<TraceEntry Time=\"15\" EventID=\"3\" ReferenceID=\"1\"/>\n");
  ck_assert_uint_eq (g_string_replace (text, FIRST, "<p:TraceData>\n", 0), 1);
  ck_assert_uint_gt (g_string_replace (text, ends[0], ends[_i], 1), 0);
  expect_the_same (text->str, text->len, 0, 0);
}
END_TEST

START_TEST (a_document_cut_anywhere_has_the_same_error)
{
  g_autoptr (GString) text = make_document ("", "", seams[1], 6);

  for (gsize length = strlen (HEAD); length < text->len; length++)
    expect_the_same (text->str, length, 0, 0);
}
END_TEST

START_TEST (a_changed_byte_has_the_same_effect)
{
  static const char bytes[] = "\"'<>&/=. \n\t09aTDCS\x01\xff\xc3";
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) _i + 1);

  for (guint n = 0; n < 200; n++)
    {
      const char         *any = seams[g_rand_int_range (random, 0, G_N_ELEMENTS (seams))];
      g_autoptr (GString) text = make_document ("", "", n % 2 == 0 ? any : seams[0], 6);
      g_autoptr (GString) changed
          = change_byte (random, text->str, text->len, strlen (HEAD), bytes, sizeof bytes - 1);

      expect_the_same (changed->str, changed->len, n % 4 == 0 ? 0 : n, 0);
    }
}
END_TEST

/* By hand: the second section begins in line 12. */
START_TEST (an_error_names_the_line_of_its_section)
{
  static const char text[]
      = "<?xml version=\"1.0\"?>\n<CommonFormat>\n<SystemConfiguration Name=\"s\">\n"
        "<Resource ID=\"0\" Scheduler=\"os\"><SystemElement Name=\"A\" ID=\"1\" Type=\"task\"/></Resource>\n"
        "<EventIDMappings><EventIDMapping EventID=\"3\" EventType=\"start\"/></EventIDMappings>\n"
        "<TimeBase Unit=\"us\"><Value Numerator=\"1\" Denominator=\"1\"/></TimeBase>\n</SystemConfiguration>\n"
        "<TraceData Start=\"0\">\n<TraceEntry Time=\"1\" EventID=\"3\" ReferenceID=\"1\"/>\n</TraceData>\n\n"
        "<TraceData\nStart=\"5\">\n<TraceEntry Time=\"6\" EventID=\"3\" ReferenceID=\"1\"/>\n</Trace>\n";
  g_autoptr (Reading) reading = reading_new (text, -1, 0, 0);

  ck_assert_ptr_nonnull (reading->error);
  ck_assert_ptr_nonnull (strstr (reading->error->message, ":15: opening and ending tag mismatch: TraceData line 12 and Trace"));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("atf-seams");
  TCase *tcase = tcase_create ("seams");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 120);
  tcase_add_loop_test (tcase, odd_ones_read_as_with_libxml2_alone, 0, G_N_ELEMENTS (seams));
  tcase_add_test (tcase, many_read_as_with_libxml2_alone);
  tcase_add_loop_test (tcase, a_prefix_has_to_be_at_both_ends, 0, 2);
  tcase_add_test (tcase, a_document_cut_anywhere_has_the_same_error);
  tcase_add_loop_test (tcase, a_changed_byte_has_the_same_effect, 0, 10);
  tcase_add_test (tcase, an_error_names_the_line_of_its_section);
  return unit_run (suite);
}
