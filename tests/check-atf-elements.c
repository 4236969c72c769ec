/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "change-byte.h"
#include "read-plain.h"
#include "unit.h"

/* Elements of the system that are read without libxml2: whatever they look like, the result is that of libxml2 alone,
 * to the line number of every defect. */

#define HEAD "<?xml version=\"1.0\"?>\n%s<CommonFormat Version=\"1.0\">\n<SystemConfiguration Name=\"s\">\n"
/* What stands in the first block is libxml2's. */
#define N_BLANKS 33000
#define RESOURCE "<Resource ID=\"0\" Scheduler=\"os\">\n"
#define TAIL \
  "</Resource>\n<EventIDMappings><EventIDMapping EventID=\"3\" EventType=\"start\"/></EventIDMappings>\n" \
  "<TimeBase Unit=\"us\"><Value Numerator=\"1\" Denominator=\"1\"/></TimeBase>\n</SystemConfiguration>\n" \
  "<TraceData Start=\"0\">\n<TraceEntry Time=\"1\" EventID=\"3\" ReferenceID=\"101\"/>\n" \
  "<TraceEntry Time=\"2\" EventID=\"4\" ReferenceID=\"1000006\"/>\n</TraceData>\n</CommonFormat>\n"

/* What may stand among usual elements, and in one. */
static const char *const odd[] = {
  "<SystemElement Name=\"x\" ID=\"9\" Type=\"isr\"/>",
  "<SystemElement Name=\"x\" ID=\"9\" Type=\"isr\"></SystemElement >",
  "\r\n\t <SystemElement\r\n Type = 'isr'\n\tID\n=\n'9' Name='\"'\n/>",
  "<SystemElement Name=\"x\" ID=\"9\" Type=\"isr\" / >",
  "<SystemElement Name=\"x\" ID=\"9\"Type=\"isr\"/>",
  "<SystemElement Name=\"x\" ID=\"9\" Type\"isr\"/>",
  "<SystemElement Name=\"x\" ID=\"9\" Type==\"isr\"/>",
  "<SystemElement Name=\"x\" ID=\"9\" ID=\"10\"/>",
  "<SystemElement Name=\"x\" ID=\"9\" Other=\"10\"/>",
  "<SystemElement Name=\"x\" ID=\"9\" Names=\"10\"/>",
  "<SystemElement Name=\"x\" ID=\"9\" a:ID=\"10\"/>",
  "<SystemElement Name=\"x\" ID=\"9\" xmlns=\"y\"/>",
  "<SystemElement Name=\"x\" SystemElement=\"task\" ID=\"9\"/>",
  "<SystemElement/>",
  "<SystemElement Name=\"x\" ID=\"\"/>",
  "<SystemElement Name=\"x\" ID=\" 09 \" Type=\"TASK\"/>",
  "<SystemElement Name=\"x\" ID=\"18446744073709551615\"/>",
  "<SystemElement Name=\"x\" ID=\"101\" Type=\"isr\"/>",
  "<SystemElement Name=\"x\" ID=\"9\" Type=\"what\"/>",
  "<SystemElement Name=\"\" ID=\"9\"/>",
  "<SystemElement Name=\"a>b\" ID=\"9\"/>",
  "<SystemElement Name=\"a&lt;b\" ID=\"9\"/>",
  "<SystemElement Name=\"a&nope;b\" ID=\"9\"/>",
  "<SystemElement Name=\"a<b\" ID=\"9\"/>",
  "<SystemElement Name=\"a\tb\" ID=\"9\"/>",
  "<SystemElement Name=\"a\nb\" ID=\"9\"/>",
  "<SystemElement Name=\"a\x01" "b\" ID=\"9\"/>",
  "<SystemElement Name=\"a\x7f" "b\" ID=\"9\"/>",
  "<SystemElement Name=\"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80\" ID=\"9\"/>",
  "<SystemElement Name=\"\xc3\" ID=\"9\"/>",
  "<SystemElement Name=\"\xed\xa0\x80\" ID=\"9\"/>",
  "<SystemElement Name=\"\xff\" ID=\"9\"/>",
  "<SystemElement Name=\"x\" ID=\"9\">text</SystemElement>",
  "<SystemElement Name=\"x\" ID=\"9\"> &amp; </SystemElement>",
  "<SystemElement Name=\"x\" ID=\"9\"></SystemElements>",
  "<SystemElement Name=\"x\" ID=\"9\"></Annotation>",
  "<SystemElement Name=\"x\" ID=\"9\">",
  "<SystemElements Name=\"x\" ID=\"9\"/>",
  "<systemElement Name=\"x\" ID=\"9\"/>",
  "<a:SystemElement Name=\"x\" ID=\"9\"/>",
  "<TimeRangeElement Name=\"x\" ID=\"9\" Type=\"stopwatch\"/>",
  "</SystemElement>",
  "</Resource>",
  "<Resource ID=\"9\">",
  "<Annotation><Name>a</Name><Value>b</Value></Annotation>",
  "<Annotation>\n<Name a='b'> PER_{min} </Name>\n<Value>\n5 us</Value></Annotation>",
  "<Annotation><Value>5</Value><Name>CETmax</Name><ToolInfo Tool=\"t\"/></Annotation>",
  "<Annotation><Name>CETmax</Name><Value>x</Value></Annotation>",
  "<Annotation><Name/><Value/></Annotation>",
  "<Annotation></Annotation>",
  "<Annotation/>",
  "<Annotation><Name>a&amp;b</Name><Value>\xc3\xa4</Value></Annotation>",
  "<Annotation><Name>a]]>b</Name></Annotation>",
  "<Annotation><Name>a>b</Name></Annotation>",
  "<Annotation><Name>a<!-- c -->b</Name></Annotation>",
  "<Annotation><Name><![CDATA[<SystemElement]]></Name></Annotation>",
  "<Annotation><Name>a<b/></Name></Annotation>",
  "<Annotation><Name>a\x02</Name></Annotation>",
  "<Annotation><Name>a</Value></Annotation>",
  "<Annotation><Other>a</Other></Annotation>",
  "<Annotation><SystemElement Name=\"x\" ID=\"9\"/></Annotation>",
  "<Comment>c</Comment>",
  "<!-- > <SystemElement Name=\"x\" ID=\"9\"/> -->",
  "<!-- >\n <SystemElement -- -->",
  "<![CDATA[ > <SystemElement Name=\"x\" ID=\"9\"/>]]>",
  "<![CDATA[ > <SystemElement Name=\"x\" ID=\"9\"/>",
  "<![CDATA[\n> <SystemElement\n\x01>\n <SystemElement\x02]]>",
  "<![CDATA[\n> <SystemElement\xff",
  "<?pi > <SystemElement Name=\"x\" ID=\"9\"/> ?>",
  "<Other> <SystemElement Name=\"x\" ID=\"9\"/> </Other>",
  "<Other a=\"> <SystemElement \"/>",
  "<Other a='>'> <SystemElement Name=\"x\" ID=\"9\"/>\n</Other>",
  "text > <SystemElement Name=\"x\" ID=\"9\"/>",
  "\xc3\xa4 <SystemElement Name=\"x\" ID=\"9\"/>",
  "<\xc3\xa4/> <SystemElement Name=\"x\" ID=\"9\"/>",
  "&e;",
  "&",
  "<",
};

#define TYPE \
  "<!DOCTYPE CommonFormat [<!ENTITY e \"<SystemElement Name='x' ID='9'/>\">\n" \
  "<!ATTLIST SystemElement Type CDATA \"task\" Name NMTOKENS #IMPLIED>]>\n"

/* @n usual elements, every third with others in it; in that or behind it, as its number @at says, is @text. */
static GString *
make_document (const char *document_type, const char *text, guint n, guint at)
{
  GString *document = g_string_new (NULL);

  g_string_append_printf (document, HEAD, document_type);
  g_string_append_printf (document, "%*s", N_BLANKS, "");
  g_string_append (document, RESOURCE);
  for (guint i = 1; i <= n; i++)
    {
      g_string_append_printf (document, "  <SystemElement Name=\"Element %u\" ID=\"%u\" Type=\"task\"", i, 100 + i);
      if (i % 3 == 0)
        g_string_append_printf (document,
                                ">\n    <Annotation><Name>CETmax</Name><Value>%u</Value></Annotation>\n%s"
                                "    <SystemElement Name=\"Part %u\" ID=\"%u\" Type=\"runnable\"/>\n  </SystemElement>\n",
                                i, i == at ? text : "", i, 1000000 + i);
      else
        g_string_append_printf (document, "/>\n%s", i == at ? text : "");
    }
  g_string_append (document, TAIL);
  return document;
}

START_TEST (odd_ones_read_as_with_libxml2_alone)
{
  static const guint chunks[] = { 0, 7, 100 };

  for (guint i = 0; i < 4 * G_N_ELEMENTS (chunks); i++)
    {
      g_autoptr (GString) text = make_document (i % 2 == 0 ? "" : TYPE, odd[_i], 15, 5 + i / 2 % 2);

      expect_the_same (text->str, text->len, chunks[i / 4], 0);
    }
}
END_TEST

/* So many that they are cut by blocks, wherever the first of those ends. */
START_TEST (many_read_as_with_libxml2_alone)
{
  g_autofree char *blanks = g_strnfill (32000 + 41 * (gsize) _i, _i % 2 == 0 ? ' ' : '\n');
  g_autoptr (GString) text = make_document (blanks, "", 1500, 0);

  expect_the_same (text->str, text->len, 0, 0);
}
END_TEST

/* One within the other, up to what libxml2 and the importer let be, and more in one than are read at once. */
START_TEST (nested_ones_read_as_with_libxml2_alone)
{
  static const guint depths[] = { 14, 15, 16, 17, 62, 63, 64, 65, 250, 252, 253, 254, 256, 257 };
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, HEAD "%*s", "", N_BLANKS, "");
  g_string_append (text, RESOURCE);
  for (guint i = 1; i <= depths[_i]; i++)
    g_string_append_printf (text, "<SystemElement Name=\"a\" ID=\"%u\">\n", i);
  for (guint i = 0; i < 300; i++)
    g_string_append_printf (text, "<SystemElement Name=\"b\" ID=\"%u\"/>\n", 1000 + i);
  for (guint i = 0; i < depths[_i]; i++)
    g_string_append (text, "</SystemElement>\n");
  g_string_append (text, TAIL);
  expect_the_same (text->str, text->len, 0, 0);
}
END_TEST

START_TEST (a_document_cut_anywhere_has_the_same_error)
{
  g_autoptr (GString) text = make_document ("", odd[2], 12, 6);

  for (gsize length = strlen (HEAD) + N_BLANKS; length < text->len; length++)
    expect_the_same (text->str, length, 0, 0);
}
END_TEST

START_TEST (a_changed_byte_has_the_same_effect)
{
  static const char bytes[] = "\"'<>&/=. \n\t09aNIT\x01\xff\xc3";
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) _i + 1);

  for (guint n = 0; n < 100; n++)
    {
      const char         *any = odd[g_rand_int_range (random, 0, G_N_ELEMENTS (odd))];
      g_autoptr (GString) text = make_document ("", any, n % 10 == 0 ? 700 : 12, n % 4 + 4);
      g_autoptr (GString) changed
          = change_byte (random, text->str, text->len, strlen (HEAD) + N_BLANKS, bytes, sizeof bytes - 1);

      expect_the_same (changed->str, changed->len, n % 2 == 0 ? 0 : 13, 0);
    }
}
END_TEST

/* By hand: the second element begins in line 6 and ends in line 8, and the third one, in line 9, has its ID. */
START_TEST (an_error_names_the_line_of_its_tag)
{
  static const char elements[]
      = "<SystemElement Name=\"a\" ID=\"1\"/>\n<SystemElement Name=\"b\"\n ID=\"2\">\n</SystemElement>\n"
        "<SystemElement\nName=\"c\" ID=\"2\"/>\n";
  g_autofree char *text = g_strdup_printf ("<?xml version=\"1.0\"?>\n<CommonFormat>\n<SystemConfiguration>%*s\n%s%s%s",
                                           N_BLANKS, "", RESOURCE, elements, TAIL);
  g_autoptr (Reading) reading = reading_new (text, -1, 0, 0);

  ck_assert_ptr_nonnull (reading->error);
  ck_assert_ptr_nonnull (strstr (reading->error->message, ":9: the ID 2 of `c' is that of `b' in line 6"));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("atf-elements");
  TCase *tcase = tcase_create ("elements");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 120);
  tcase_add_loop_test (tcase, odd_ones_read_as_with_libxml2_alone, 0, G_N_ELEMENTS (odd));
  tcase_add_loop_test (tcase, many_read_as_with_libxml2_alone, 0, 20);
  tcase_add_loop_test (tcase, nested_ones_read_as_with_libxml2_alone, 0, 14);
  tcase_add_test (tcase, a_document_cut_anywhere_has_the_same_error);
  tcase_add_loop_test (tcase, a_changed_byte_has_the_same_effect, 0, 10);
  tcase_add_test (tcase, an_error_names_the_line_of_its_tag);
  return unit_run (suite);
}
