/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "change-byte.h"
#include "read-plain.h"
#include "unit.h"

/* Entries that are read without libxml2: whatever the layout, the result is that of
 * libxml2 alone, to the line number of every defect. */

#define HEAD \
  "<?xml version=\"1.0\"?>\n<CommonFormat Version=\"1.0\">\n<SystemConfiguration Name=\"s\">\n" \
  "<Resource ID=\"0\" Scheduler=\"os\">\n<SystemElement Name=\"A\" ID=\"1\" Type=\"task\"/>\n" \
  "<SystemElement Name=\"B\" ID=\"77777\" Type=\"task\"/>\n" \
  "<SystemElement Name=\"C\" ID=\"10012345678\" Type=\"task\"/>\n" \
  "<SystemElement Name=\"D\" ID=\"20012345678\" Type=\"task\"/>\n" \
  "<SystemElement Name=\"E\" ID=\"12345678\" Type=\"task\"/></Resource>\n<EventIDMappings>\n" \
  "<EventIDMapping EventID=\"3\" EventType=\"start\"/><EventIDMapping EventID=\"4\" EventType=\"end\"/>\n" \
  "<EventIDMapping EventID=\"10000000005\" EventType=\"start\"/><EventIDMapping EventID=\"10000000006\" EventType=\"end\"/>\n" \
  "<EventIDMapping EventID=\"9\" EventType=\"user\"><UserTable><Info ReferenceID=\"1\">one</Info></UserTable>" \
  "</EventIDMapping><EventIDMapping EventID=\"10\" EventType=\"user\"><UserTable><Info ReferenceID=\"1\">a</Info>" \
  "<Info ReferenceID=\"77777\">b</Info><Info ReferenceID=\"12345678\">c</Info><Info ReferenceID=\"123456789\">d</Info>" \
  "</UserTable></EventIDMapping>\n</EventIDMappings>\n<TimeBase Unit=\"us\"><Value Numerator=\"1\" Denominator=\"1\"/></TimeBase>\n" \
  "</SystemConfiguration>\n<TraceData Start=\"0\">\n"
#define TAIL "</TraceData>\n</CommonFormat>\n"

/* One entry in a layout, %1$u being its time; and what stands after every seventh. */
static const struct
{
  const char *entry;
  const char *between;
} layouts[] = {
  { "  <TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\" />\n", "" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"4\" ReferenceID=\"77777\"/>", "" },
  { "<TraceEntry EventID=\"3\" ReferenceID=\"1\" Time=\"%1$u\"/>\r\n", "" },
  { "\t<TraceEntry\n\t\tTime=\"%1$u\"\n\t\tEventID=\"3\"\n\t\tReferenceID=\"1\"\n\t/>\n", "" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"></TraceEntry>\n", "" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"> </TraceEntry>\n", "" },
  { "<TraceEntry Time=\"%1$u.25\" EventID=\"3\" ReferenceID=\"1\"/>\n", "" },
  { "<TraceEntry Time=\"%1$u.5\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"9.125\" EventID=\"4\" ReferenceID=\"1\"/>" },
  { "<TraceEntry Time=\"%1$u.0\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"9.5\" EventID=\"4\" ReferenceID=\"1\"/>\n" },
  { "<TraceEntry Time=\"%1$u.50\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"9.51\" EventID=\"4\" ReferenceID=\"1\"/>\n" },
  { "<TraceEntry Time=\"%1$u.000\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"9.00\" EventID=\"4\" ReferenceID=\"1\"/>\n" },
  { "<TraceEntry Time=\"%1$u.000000000\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"9\" EventID=\"4\" ReferenceID=\"1\"/>\n" },
  { "<TraceEntry Time=\"%1$u.250000000\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"9.5\" EventID=\"4\" ReferenceID=\"1\"/>\n" },
  { "<TraceEntry Time=\"%1$u.5000\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"9.5001\" EventID=\"4\" ReferenceID=\"1\"/>\n" },
  { "<TraceEntry EventID=\"3\" Time=\"%1$u.50\" ReferenceID=\"1\"/>\n", "<TraceEntry EventID=\"4\" Time=\"9.05\" ReferenceID=\"1\"/>\n" },
  { "<TraceEntry EventID=\"3\" ReferenceID=\"1\" Time=\"%1$u.50\"/>\n", "<TraceEntry EventID=\"4\" ReferenceID=\"1\" Time=\"9.05\"/>\n" },
  { "<TraceEntry Time='%1$u' EventID='3' ReferenceID='1'/>\n", "" },
  { "<TraceEntry Time=\"0%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"03\" ReferenceID=\"01\"/>\n", "" },
  { "<TraceEntry Time=\" %1$u \" EventID=\"3\" ReferenceID=\"1\"/>\n", "" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"  3\" ReferenceID=\"    1\"/>\n", "<TraceEntry Time=\"9\" EventID=\"  4\" ReferenceID=\"77777\"/>\n" },
  { "<TraceEntry Time=\"   %1$u\" EventID=\"3 \" ReferenceID=\"1    \"/>\n", "<TraceEntry Time=\"   9\" EventID=\"8 \" ReferenceID=\"77777\"/>\n" },
  { "<TraceEntry Time=\" %1$u \" EventID=\" 9\" ReferenceID=\"  1\"/>\n", "<TraceEntry Time=\" 9 \" EventID=\"10\" ReferenceID=\"  1\"/>\n" },
  { "<TraceEntry EventID=\" 3\" ReferenceID=\"    1\" Time=\"%1$u  \"/>\n", "<TraceEntry Time=\"9\" EventID=\"4 \" ReferenceID=\"77777\"/>\n" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"        3\" ReferenceID=\"                    1\"/>\n", "" },
  { "<TraceEntry Time=\" 1000000000000%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"1000000000000999 \" EventID=\"4\" ReferenceID=\"1\"/>\n" },
  { "<TraceEntry Time=\"1000000000000%1$u  \" EventID=\"9\" ReferenceID=\" 1\"/>\n", "<TraceEntry Time=\" 9\" EventID=\"9\" ReferenceID=\"1234567890123456\"/>\n" },
  { "<TraceEntry Time=\" %1$u.250\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"9.50 \" EventID=\"4\" ReferenceID=\"1\"/>\n" },
  { "<TraceEntry Time=\"\t%1$u\" EventID=\"3\n\" ReferenceID=\"1\"/>\n", "" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"  \" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\" \" EventID=\"3\" ReferenceID=\" 1 1\"/>\n" },
  { "<TraceEntry Time=\"&#49;%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"9\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"5\" EventID=\"9\" ReferenceID=\"2\"/>\n" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\" Extra=\"x\"/>\n", "" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\"/>\n", "<TraceEntry Time=\"1\" EventID=\"3\" ReferenceID=\"1\"/>\n" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"8\" ReferenceID=\"1\"/>\n", "" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"12345678901234567890\"/>\n", "" },
  { "<TraceEntry Time=\"12345678901234%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<!-- <TraceEntry Time=\"1\" EventID=\"3\" ReferenceID=\"1\"/> > -->\n" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<!-- of\n\n\ttwo -lines-->\n<!---->" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/><?s t=%1$u?>\n", "<?a?>\n<?_b-1.c d\n\n\t? > <TraceEntry Time=\"1\" EventID=\"3\" ReferenceID=\"1\"/> ? ?>" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/><!-- %1$u -->\n", "<!-- a -- b -->" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\">\n\t</TraceEntry>\n", "<TraceEntry Time=\"8\"  EventID=\"4\" ReferenceID=\"1\">  </TraceEntry>" },
  { "<TraceEntry Time = \"%1$u\" EventID = \"3\" ReferenceID = \"1\"/>\n", "<TraceEntry Time\n=\"8\" EventID=\"4\" ReferenceID= '1'/>" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<![CDATA[ > <TraceEntry ]]>text > \n\n<?pi >?>" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceInformation>\n<TimeStampComment At=\"1\" Text=\"a>b\"/></TraceInformation>\n" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<Unknown>\n<TraceEntry Time=\"1\" EventID=\"3\" ReferenceID=\"1\"/></Unknown>" },
  /* ids of more than seven digits, of which eight are the same */
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"10012345678\"/>\n", "<TraceEntry Time=\"1\" EventID=\"3\" ReferenceID=\"20012345678\"/>\n" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"12345678\"/>\n", "<TraceEntry Time=\"1\" EventID=\"3\" ReferenceID=\"012345678\"/>\n" },
  { "<TraceEntry ReferenceID=\"10012345678\" EventID=\"10000000005\" Time=\"%1$u\"/>\n", "<TraceEntry ReferenceID=\"20012345678\" EventID=\"10000000006\" Time=\"1\"/>\n" },
  { "<TraceEntry Time=\"%1$u\" ReferenceID=\"1\" EventID=\"10000000005\"/>\n", "<TraceEntry Time=\"1\" ReferenceID=\"77777\" EventID=\"10000000006\"/>\n" },
  { "<TraceEntry EventID=\"3\" Time=\"%1$u\" ReferenceID=\"1\"/>\n", "<TraceEntry EventID=\"4\" Time=\"1\" ReferenceID=\"77777\"/>\n" },
  /* times of 16 to 20 digits, and as many as a point leaves */
  { "<TraceEntry Time=\"123456789012345%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "" },
  { "<TraceEntry Time=\"1234567890123456%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "" },
  { "<TraceEntry Time=\"23058430092136939%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "" },
  { "<TraceEntry Time=\"123456789012.%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "" },
  { "<TraceEntry Time=\"%1$u.123456789012345\" EventID=\"3\" ReferenceID=\"1\"/>\n", "" },
  { "<TraceEntry Time=\"12345678901234.0%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "" },
  { "<TraceEntry Time=\"%1$u.%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"70\" EventID=\"4\" ReferenceID=\"77777\"/>\n" },
  { "<TraceEntry Time=\"0.%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"00.5\" EventID=\"4\" ReferenceID=\"1\"/>\n" },
  { "<TraceEntry Time=\"0\" EventID=\"3\" ReferenceID=\"1\"/>\n", "" },
  /* times that have another length each, with a point or not, and with zeros in front */
  { "<TraceEntry Time=\"%1$u.5\" EventID=\"3\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"%1$u\" EventID=\"4\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"%1$u.25\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"7.\" EventID=\"4\" ReferenceID=\"77777\"/>\n" },
  { "<TraceEntry Time=\"%1$u.5\" EventID=\"3\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"%1$u\" EventID=\"4\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"%1$u.25\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\".5\" EventID=\"4\" ReferenceID=\"77777\"/>\n" },
  { "<TraceEntry Time=\"%1$u.5\" EventID=\"3\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"%1$u\" EventID=\"4\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"%1$u.25\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"\" EventID=\"4\" ReferenceID=\"77777\"/>\n" },
  { "<TraceEntry Time=\"0%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"%1$u\" EventID=\"4\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"000%1$u.50\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"0\" EventID=\"4\" ReferenceID=\"77777\"/>\n" },
  { "<TraceEntry Time=\"0%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"00000%1$u\" EventID=\"4\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"%1$u.0\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"1.2.3\" EventID=\"4\" ReferenceID=\"77777\"/>\n" },
  { "<TraceEntry Time=\"%1$u.5\" EventID=\"3\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"%1$u\" EventID=\"4\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"1%1$u.125\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"12345678901234.5\" EventID=\"4\" ReferenceID=\"77777\"/>\n" },
  { "<TraceEntry Time=\"%1$u.5\" EventID=\"3\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"%1$u\" EventID=\"4\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"1%1$u.125\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"12345678901234.25\" EventID=\"4\" ReferenceID=\"77777\"/>\n" },
  { "<TraceEntry Time=\"%1$u.5\" EventID=\"3\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"%1$u\" EventID=\"4\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"1%1$u.125\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"1.0625\" EventID=\"4\" ReferenceID=\"77777\"/>\n" },
  { "<TraceEntry Time=\"%1$u.5\" EventID=\"3\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"%1$u\" EventID=\"4\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"1%1$u.125\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"-1\" EventID=\"4\" ReferenceID=\"77777\"/>\n" },
  { "<TraceEntry Time=\"%1$u.5\" EventID=\"3\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"%1$u\" EventID=\"4\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"0.%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"12a\" EventID=\"4\" ReferenceID=\"77777\"/>\n" },
  /* times that are all padded, so that as many digits would be beyond the end of the section */
  { "<TraceEntry Time=\"00000000%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "</TraceData>\n<TraceData Start=\"1\" Stop=\"2000\">\n" },
  { "<TraceEntry Time=\"00000000%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"0000000900\" EventID=\"4\" ReferenceID=\"1\"/></TraceData>\n<TraceData Start=\"3\" Stop=\"700\">\n<TraceEntry Time=\"%1$u\" EventID=\"4\" ReferenceID=\"1\"/>" },
  { "<TraceEntry Time=\"0000%1$u.50\" EventID=\"3\" ReferenceID=\"1\"/>\n", "</TraceData>\n<TraceData Start=\"1\" Stop=\"20\">\n<TraceEntry Time=\"1000000.50\" EventID=\"4\" ReferenceID=\"1\"/>" },
  /* blanks in front of tags that change, up to many of them */
  { "\n<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>  <TraceEntry Time=\"%1$u\" EventID=\"4\" ReferenceID=\"77777\"/>\n\n\t<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"77777\"/>", " <!-- a\n -->" },
  { "\r\n<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\" /><TraceEntry Time=\"%1$u\" EventID=\"4\" ReferenceID=\"77777\" />\n    \n  \n<TraceEntry Time=\"1%1$u.5\" EventID=\"3\" ReferenceID=\"77777\" />", "<TraceEntry Time=\"9\" EventID=\"9\" ReferenceID=\"2\" />\n" },
  { "\n                 <TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>                               <TraceEntry Time=\"%1$u\" EventID=\"4\" ReferenceID=\"77777\"/>\n                                               \n<TraceEntry Time=\"0%1$u\" EventID=\"4\" ReferenceID=\"77777\"/>", "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n<TraceEntry Time=\"7\" EventID=\"3\" ReferenceID=\"1\"/>" },
  { "\n<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"></TraceEntry> <TraceEntry Time=\"%1$u\" EventID=\"4\" ReferenceID=\"77777\"></TraceEntry>\n\n<TraceEntry Time=\"%1$u.25\" EventID=\"3\" ReferenceID=\"77777\"></TraceEntry>", "\f<TraceEntry Time=\"7\" EventID=\"3\" ReferenceID=\"1\"></TraceEntry>" },
  { "\n<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/> <TraceEntry Time=\"%1$u\" EventID=\"4\" ReferenceID=\"77777\"/>\n\n<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"12345678\"/>", " <TraceEntry Time=\"7\" EventID=\"3\" ReferenceID=\"1\"/>" },
  { "\n<TraceEntry Time=\"12345678901234%1$u\" EventID=\"3\" ReferenceID=\"1\"/> <TraceEntry Time=\"%1$u\" EventID=\"4\" ReferenceID=\"77777\"/>\n\n<TraceEntry Time=\"123456789012345%1$u\" EventID=\"3\" ReferenceID=\"1\"/>", " <TraceEntry Time=\"7\" EventID=\"3\" ReferenceID=\"1\"/>" },
  { "\n<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/> <TraceEntry Time=\"%1$u\" EventID=\"4\" ReferenceID=\"77777\"/>\n\n<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>", "x<TraceEntry Time=\"7\" EventID=\"3\" ReferenceID=\"1\"/>" },
  { "\n<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/> <TraceEntry Time=\"%1$u\" EventID=\"4\" ReferenceID=\"77777\"/>\n\n<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>", " <TraceEntry Time=\"\" EventID=\"3\" ReferenceID=\"1\"/>" },
  { "\n<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/> <TraceEntry Time=\"%1$u\" EventID=\"4\" ReferenceID=\"77777\"/>\n\n<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>", "\n<TraceEntry Time=\"7\" EventID=\"3\" ReferenceID=\"1\"/ >" },
  /* user events: known and unknown, by numbers that elements have, and by odd ones */
  { "<TraceEntry Time=\"%1$u\" EventID=\"9\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"%1$u\" EventID=\"10\" ReferenceID=\"77777\"/>\n<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"5\" EventID=\"10\" ReferenceID=\"5\"/>\n" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"9\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"%1$u\" EventID=\"10\" ReferenceID=\"12345678\"/>\n<TraceEntry Time=\"%1$u\" EventID=\"10\" ReferenceID=\"123456789\"/>\n<TraceEntry Time=\"%1$u\" EventID=\"4\" ReferenceID=\"77777\"/>\n", "<TraceEntry Time=\"5\" EventID=\"9\" ReferenceID=\"01\"/>\n" },
  { "<TraceEntry Time=\"%1$u.25\" EventID=\"9\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"%1$u.50\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"9.125\" EventID=\"10\" ReferenceID=\"77777\"/>\n" },
  { "<TraceEntry Time=\"%1$u.5\" EventID=\"9\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"%1$u\" EventID=\"10\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"%1$u.25\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"7.\" EventID=\"9\" ReferenceID=\"1\"/>\n" },
  { "<TraceEntry Time=\"0%1$u.5\" EventID=\"9\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"%1$u\" EventID=\"10\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"1%1$u.25\" EventID=\"10\" ReferenceID=\"123456\"/>\n", "<TraceEntry Time=\".5\" EventID=\"9\" ReferenceID=\"\"/>\n" },
  { "\n<TraceEntry Time=\"%1$u\" EventID=\"9\" ReferenceID=\"1\"/>  <TraceEntry Time=\"%1$u\" EventID=\"10\" ReferenceID=\"77777\"/>\n\n\t<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"77777\"/>", " <!-- a\n -->" },
  { "\r\n<TraceEntry Time=\"%1$u\" EventID=\"10\" ReferenceID=\"1\"/>\n\n<TraceEntry Time=\"%1$u\" EventID=\"9\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"7\" EventID=\"9\" ReferenceID=\"1a\"/>\n" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"9\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"%1$u\" EventID=\"10\" ReferenceID=\"12345\"/>\n", "<TraceEntry Time=\"7\" EventID=\"9\" ReferenceID=\" 1\"/>\n<TraceEntry Time=\"7\" EventID=\"10\" ReferenceID=\"1 \"/>\n" },
  { "<TraceEntry EventID=\"9\" Time=\"%1$u\" ReferenceID=\"1\"/>\n<TraceEntry EventID=\"3\" Time=\"%1$u\" ReferenceID=\"1\"/>\n", "<TraceEntry EventID=\"10\" Time=\"1\" ReferenceID=\"77777\"/>\n" },
  { "<TraceEntry ReferenceID=\"1\" Time=\"%1$u\" EventID=\"10\"/>\n<TraceEntry ReferenceID=\"1\" Time=\"%1$u\" EventID=\"3\"/>\n", "<TraceEntry ReferenceID=\"2\" Time=\"1\" EventID=\"10\"/>\n" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"9\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"%1$u\" EventID=\"9\" ReferenceID=\"10012345678\"/>\n<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"10012345678\"/>\n", "<TraceEntry Time=\"5\" EventID=\"10\" ReferenceID=\"20012345678\"/>\n" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"9\" ReferenceID=\"1\"/>\n<TraceEntry Time=\"%1$u\" EventID=\"10\" ReferenceID=\"77777\"/>\n", "</TraceData>\n<TraceData Start=\"1\" Stop=\"2000\">\n" },
  /* beyond the limit in the units that the first times ask for, and something worse behind that */
  { "<TraceEntry Time=\"%1$u.5\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"2305843009213693951\" EventID=\"4\" ReferenceID=\"1\"/>\n" },
  { "<TraceEntry Time=\"%1$u.5\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"2305843009213693951\" EventID=\"4\" ReferenceID=\"1\"/>\n<" },
  /* long texts between the numbers */
  { "                              <TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "" },
  { "<TraceEntry\n                    Time=\"%1$u\"\n                    EventID=\"3\"\n                                      ReferenceID=\"1\"\n                    />\n", "" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"7\"  EventID=\"3\"   ReferenceID=\"1\" />" },
  /* attributes that mean nothing, and those that are not well-formed */
  { "<TraceEntry Core=\"c 0\" Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Core=\"c 1\" Time=\"7\" EventID=\"4\" ReferenceID=\"1\"/>\n" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" Instance=\"%1$u\" ReferenceID=\"1\" _a-b.c=\"\"></TraceEntry>\n", "" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\" a=\"&lt;\" b=\"a>b\" c=\"\xc3\xa4\"/>\n", "" },
  { "<TraceEntry Time=\"%1$u\" Note=\"\xc3\xa4 &amp; \xe2\x82\xac\" EventID=\"3\" ReferenceID=\"1\" a=\"&#228;%1$u\"/>\n", "<!-- \xc3\xa4\n -->" },
  { "<TraceEntry a:b=\"1\" xml:lang=\"de\" Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "" },
  { "<TraceEntry a:b=\"%1$u\" b:b='1' Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry a:b=\"1\" Time=\"7\" EventID=\"4\" ReferenceID=\"1\" a:b=\"2\"/>\n" },
  { "<TraceEntry xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\" Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n",
    "<TraceEntry xmlns:xsi=\"http://a.b/\" xmlns:xsi=\"http://a.b/\" Time=\"7\" EventID=\"4\" ReferenceID=\"1\"/>\n" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\" xmlns:x='http://a.b'/>\n", "<TraceEntry Time=\"7\" EventID=\"4\" ReferenceID=\"1\" xmlns:xml=\"http://a.b\"/>\n" },
  { "<TraceEntry Time=\"%1$u\" xmlns:x='http://a.b' x:y='1' EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry xmlns:x=\"\" Time=\"7\" EventID=\"4\" ReferenceID=\"1\"/>\n" },
  { "<TraceEntry xmlns:a=\"other\" Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "" },
  { "<TraceEntry xmlns=\"other\" Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "" },
  { "<TraceEntry xmlns=\"\" Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry xmlns=\"http://www.w3.org/2000/xmlns/\" Time=\"7\" EventID=\"4\" ReferenceID=\"1\"/>\n" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\" xmlns='http://a.b/c-1_d'/>\n", "<TraceEntry xmlns=\"\" Time=\"7\" xmlns=\"\" EventID=\"4\" ReferenceID=\"1\"/>\n" },
  { "<TraceEntry xmlns=\"\" EventID=\"3\" ReferenceID=\"1\"  Time=\"%1$u\"/>\n<TraceEntry EventID=\"4\" xmlns=\"http://a\" ReferenceID=\"1\" Time=\"%1$u\"/>\n", "<TraceEntry xmlns=\"http://%%\" Time=\"7\" EventID=\"4\" ReferenceID=\"1\"/>\n" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\" a=\"1\" b=\"2\"/>\n", "<TraceEntry Time=\"7\" EventID=\"3\" ReferenceID=\"1\" a=\"1\" a=\"2\"/>\n" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\" a=\"1\"b=\"2\"/>\n", "" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\" a=\"<\"/>\n", "" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\" 1a=\"2\"/>\n", "" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" a=\"\" b=\"\" c=\"\" d=\"\" e=\"\" f=\"\" g=\"\" h=\"\" i=\"\" ReferenceID=\"1\"/>\n", "" },
  /* blanks beside the equals sign, more than are compared at once, and something else behind these */
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID     =          \"1\"/>\n<TraceEntry EventID=\"4\" Time=\"%1$u\"  ReferenceID     =          \"1\"/>\n",
    "<TraceEntry  ReferenceID     ='77777'  Core=\"1\" EventID=\"3\" Time=\"9\"/>\n" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID     =          \"1\"/>\n<TraceEntry EventID=\"4\" Time=\"%1$u\"  ReferenceID     =          \"1\"/>\n",
    "<TraceEntry  EventID=\"3\" ReferenceID     x=         \"1\" Time=\"9\"/>\n" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID     =          \"1\"/>\n<TraceEntry EventID=\"4\" Time=\"%1$u\"  ReferenceID     =          \"1\"/>\n",
    "<TraceEntry  EventID=\"3\" ReferenceID      \n=         \"1\" Time=\"9\"/>\n" },
  /* names with a prefix */
  { "<a:TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<TraceEntry Time=\"7\" EventID=\"4\" ReferenceID=\"1\"/>\n" },
  { "<n-s1.2:TraceEntry EventID=\"3\" ReferenceID=\"1\" Time=\"%1$u\" >\n</n-s1.2:TraceEntry>\n", "<b:TraceEntry Time=\"7\" EventID=\"4\" ReferenceID=\"1\"></b:TraceEntry>\n" },
  { "<a:TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"></a:TraceEntry>\n", "<a:TraceEntry Time=\"7\" EventID=\"4\" ReferenceID=\"1\"></b:TraceEntry>\n" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"></TraceEntry>\n", "<TraceEntry Time=\"7\" EventID=\"4\" ReferenceID=\"1\"></a:TraceEntry>\n" },
  { "<a:TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<a:TraceEntry Time=\"7\" EventID=\"4\" ReferenceID=\"1\"></TraceEntry>\n" },
  { "<a:TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "<a:TraceEntries Time=\"7\" EventID=\"4\" ReferenceID=\"1\"/>\n" },
  { "<:TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "" },
  { "<1:TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "" },
  { "<a:b:TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "" },
  { "<xml:TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "" },
  { "<xmlns:TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "" },
  { "<a:TraceEntry xmlns:a=\"other\" Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "</TraceData>\n<TraceData Start=\"1\" Stop=\"50\">" },
  { "<TraceEntry Time=\"%1$u\" EventID=\"3\" ReferenceID=\"1\"/>\n", "</TraceData>\n<TraceData Start=\"50\" Stop=\"1\"> <TraceEntry Time=\"9\"  EventID=\"3\"   ReferenceID=\"1\"/>" },
};

static char *
make_document (guint layout, guint n)
{
  GString *text = g_string_new (HEAD);

  for (guint i = 1; i <= n; i++)
    {
      g_autofree char *time = g_strdup_printf ("%u", i);
      g_auto (GStrv) parts = g_strsplit (layouts[layout].entry, "%1$u", -1);
      g_autofree char *entry = g_strjoinv (time, parts);

      g_string_append (text, entry);
      if (i % 7 == 0)
        g_string_append (text, layouts[layout].between);
    }
  g_string_append (text, TAIL);
  return g_string_free (text, FALSE);
}

START_TEST (every_layout_reads_as_with_libxml2_alone)
{
  static const gsize chunks[] = { 0, 1, 2, 3, 5, 7, 64, 1000 };
  g_autofree char   *text = make_document ((guint) _i, 60);

  for (guint i = 0; i < G_N_ELEMENTS (chunks); i++)
    {
      expect_the_same (text, strlen (text), chunks[i], 0);
      expect_the_same (text, strlen (text), chunks[i], READ_STREAM);
    }
}
END_TEST

/* More than one block of libxml2, and of the input. */
START_TEST (long_documents_read_as_with_libxml2_alone)
{
  g_autofree char *text = make_document ((guint) _i, 3000);

  expect_the_same (text, strlen (text), 0, 0);
  expect_the_same (text, strlen (text), 4096, 0);
  expect_the_same (text, strlen (text), 32 * 1024 + 1, 0);
}
END_TEST

/* No matter how many there are, and where a block of the input ends. */
START_TEST (spaces_in_a_value_are_passed)
{
  g_autofree char *spaces = g_strnfill (300000, ' ');
  g_autoptr (GString) text = g_string_new (HEAD);

  for (guint i = 0; i < 200; i++)
    g_string_append_printf (text, "<TraceEntry Time=\"%u\" EventID=\"9\" ReferenceID=\"1\"/>\n", i);
  g_string_append_printf (text, "<TraceEntry Time=\"300\" EventID=\"9\" ReferenceID=\"%s1\"/>\n%s", spaces, TAIL);
  expect_the_same (text->str, text->len, 0, 0);
  expect_the_same (text->str, text->len, 256 * 1024 - 7, 0);
  expect_the_same (text->str, text->len, 0, READ_STREAM);
}
END_TEST

START_TEST (a_document_cut_anywhere_has_the_same_error)
{
  g_autofree char *text = make_document (0, 30);
  gsize            length = strlen (text);

  for (gsize cut = strlen (HEAD) - 40; cut < length - 1; cut++)
    expect_the_same (text, cut, cut % 3 == 0 ? 11 : 0, 0);
}
END_TEST

/* One byte changed, left out or doubled: some of these documents are well-formed, most are not. */
START_TEST (a_changed_byte_has_the_same_effect)
{
  static const char odd[] = "\"'<>&/=. \n\t09aTE\x01\xff";
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) _i + 1);

  for (guint n = 0; n < 60; n++)
    {
      g_autofree char *text = make_document ((guint) g_rand_int_range (random, 0, G_N_ELEMENTS (layouts)), 20);
      gsize            from = strlen (HEAD) - 30, length = strlen (text);
      g_autoptr (GString) changed = change_byte (random, text, length, from, odd, sizeof odd - 1);

      expect_the_same (changed->str, changed->len, n % 2 == 0 ? 0 : 13, 0);
    }
}
END_TEST

/* Entries that look otherwise each time. What stands in a place: those behind NULL are what XML refuses, or what goes
 * to libxml2. */

#define MAX_TEXTS 80

enum
{
  BEFORE,
  GAP,
  EQUALS,
  TIME,
  EVENT,
  REFERENCE,
  OTHER,
  END,
  N_PLACES
};

static const char *const places[N_PLACES][MAX_TEXTS] = {
  [BEFORE] = { "\n", "", "\n  ", "\r\n\t", "\n\t\t", "        ", "\n\n \n", "\r", "\n                                 ",
               "<!-- \xc3\xa4 &x; -->", "<?a \xc3\xa4\n?>", NULL, "x", "\x0b", "<?a?>", "<?xml version=\"1.0\"?>", "<?Xmla b?>", "<?x:y z?>", "<? a?>", "<?" "?>", "<?1a?>", "<?a?b?>", "<?a<b?>", "<?a \x01?>", "<?a \xff?>", "<?a ?>?>", "<?a? >", "<!-- a -->", "\xc2\xa0", "<!-- a --->", "<!-->", "<!--->-->", "<!-- -- -->", "<!-- \xc3 -->", "<!-- &\x80 -->", "<!-- &\xed\xa0\x80 -->",
               "<!-- \x01 -->", "<! -- -->", "<!-\n\n-->", "\n<!--\n\n<TraceEntry/>&-->\n", "<!-- -->x", "</TraceData><TraceData Start=\"0\">",
               "</TraceData><TraceData Start=\"5\" Stop=\"15\">", "</TraceData><TraceData Start=\"15\" Stop=\"5\">" },
  [GAP] = { " ", " ", "  ", "     ", "\t", "\n    ", "\r\n", "                    ", "\n\n\n\t ",
            NULL, "", "\x01", "\xc2\xa0", "/", "\"", " \x0c " },
  [EQUALS] = { "=", "=", "=", "=", " = ", "=\n", "\t=", NULL, "", "==", "= x", "=\x01" },
  [TIME] = { "%u", "%u", "%u", "1000%u", "%u.5", "%u.25", "%u.125000", "1234567890123%u", "0", "0%u", "00",
             NULL, " %u", "%u\n", "", "%u.", ".5", "+%u", "-%u", "%ue3", "%u&#48;", "599999999999999%u",
             "999999999999999%u",
             "9999999999999999%u", "99999999999999999%u", "%u<", "%u>", "%u\xff", "\xb2%u", "%u 1" },
  [EVENT] = { "3", "4", "3", "4", "10000000005", "10000000006", "03", "9",
              NULL, "8", "", " 3", "3 ", "3.0", "&#51;", "\x01" "3", "x", "\xcf\xcf\xcf\xcf\xcf\xcf\xcf\xcf" },
  [REFERENCE] = { "1", "1", "77777", "12345678", "10012345678", "20012345678", "0077777",
                  NULL, "2", "", "123456789", "12345678901234567890", "1'", "1&amp;", "00000001\x7f", "1.0",
                  "\xcf\xcf\xcf\xcf\xcf\xcf\xcf\xcf" },
  [OTHER] = { "Comment=\"n%u\"", "Core='0'", "a=\"it's\"", "b='a \"word\"'", "_c-d.e=\"\"",
              "Comment=\"a long one: 0123456789 0123456789 0123456789 0123456789 0123456789\"",
              "Times=\"1\"", "time=\"5\"", "i=\"1\"", "xTime=\"5\"", "t=\"5\"", "x:Time=\"5\"", "Reference=\"6\"",
              "NameOf15Letters=\"\"", "ANameOf16Letters=\"%u\"", "Timestamp=\"%u\"", "Timer=''", "Timeout=\"\"",
              "AttributeOf47LettersThatIsLongerThanMostOfThem_=\"%u\"",
              "AttributeOf48LettersThatIsLongerThanMostOfThem__=\"%u\"",
              "c=\"\xc3\xa4\"", "c=\"&lt;\"", "Comment=\"&amp;&quot;%u&apos;&gt;&#228;&#xE4;&#x20aC;\"",
              "c=\"&#9;&#10;&#xD;%u\"", "c=\"&#x1F600;&#xe000;&#65533;&#x10000;&#1114111;&#x10ffff;\"",
              "Comment= '\xc2\x80\xe2\x82\xac\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbd\xf0\x90\x80\x80\xf4\x8f\xbf\xbf'",
              "Core =\"a longer one: \xc3\xa4%u\xc3\xb6 \xc3\xbc\"", "Core  =  \"%u\"",
              NULL, "Time=\"%u\"", "EventID='3'", "a=\"1\" a=\"2\"", "c=\"<\"", "c=\">\"",
              "c=\"\xc3\"", "c=\"\x80\"", "c=\"\xc1\x81\"", "c=\"\xe0\x9f\xbf\"", "c=\"\xe2\x82\"", "c=\"\xed\xa0\x80\"", "c=\"\xef\xbf\xbe\"",
              "c=\"\xf0\x8f\xbf\xbf\"", "c=\"\xf4\x90\x80\x80\"", "c=\"\xf0\x9f\x98\"", "c=\"&\"", "c=\"&lt\"", "c=\"& lt;\"", "c=\"&#0;\"", "c=\"&#31;\"",
              "c=\"&#8;\"", "c=\"&#xb;\"", "c=\"&#;\"", "c=\"&#x;\"", "c=\"&#xD800;\"", "c=\"&#xdfff;\"", "c=\"&#65534;\"", "c=\"&#xFFFF;\"", "c=\"&#x110000;\"", "c=\"&#1114112;\"", "c=\"&#6a;\"", "c=\"&#X41;\"",
              "c=\"\t\"", "x:=\"5\"", ":x=\"5\"", "x:1=\"5\"", "x:y:z=\"5\"", "x:y=\"1\" x:y=\"2\"", "xmlns:x=\"urn:x\"", "xmlns:x=\"http://x\"", "xmlns:xmlx=\"http://x\"", "xmlns:1=\"http://x\"", "xml:lang=\"de\"", "xmlns=\"urn:x\"", "c=\"&x;\"", "c=1", "c",
              "1c=\"1\"", "a=\"\" b=\"\" c=\"\" d=\"\" e=\"\" f=\"\" g=\"\" h=\"\" i=\"\"", "c='\x7f'" },
  [END] = { "/>", "/>", " />", "></TraceEntry>", "\n/>", "\t  \n />", "> </TraceEntry>",
            NULL, "/ >", ">", "></TraceEntry >", "></Traceentry>", "/", "\x02/>", "><x/></TraceEntry>", "\\>" },
};

static guint
count_texts (const char *const *texts)
{
  guint n = 0;

  while (texts[n] != NULL)
    n++;
  return n;
}

/* What is to be odd: one in so many texts of a place (0: none), or one of them once. */
typedef struct
{
  GRand      *random;
  gboolean    is_single; /* quotation marks */
  guint       n_marks;   /* of so many of these one is of the other kind; 0: none is */
  guint       one_in;
  guint       place;
  const char *once; /* NULL: taken already */
} Chooser;

static const char *
choose (Chooser *chooser, guint place)
{
  const char *const *texts = places[place];
  guint              n = count_texts (texts);

  if (chooser->once != NULL && chooser->place == place)
    return g_steal_pointer (&chooser->once);
  if (chooser->one_in > 0 && g_rand_int_range (chooser->random, 0, (gint32) chooser->one_in) == 0)
    {
      texts += n + 1;
      n = count_texts (texts);
    }
  return texts[g_rand_int_range (chooser->random, 0, (gint32) n)];
}

static void
add_attribute (GString *text, Chooser *chooser, const char *name, guint place, guint number)
{
  gboolean         is_other
      = chooser->n_marks > 0 && g_rand_int_range (chooser->random, 0, (gint32) chooser->n_marks) == 0;
  gboolean         is_single = chooser->is_single != is_other;
  const char      *mark = is_single ? "'" : "\"";
  g_auto (GStrv)   parts = g_strsplit (choose (chooser, place), "%u", -1);
  g_autofree char *digits = g_strdup_printf ("%u", number), *written = g_strjoinv (digits, parts);

  g_string_append (text, choose (chooser, GAP));
  if (name == NULL)
    g_string_append (text, written);
  else
    g_string_append_printf (text, "%s%s%s%s%s", name, choose (chooser, EQUALS), mark, written, mark);
}

static void
add_entry (GString *text, Chooser *chooser, guint number)
{
  static const char *const names[] = { "Time", "EventID", "ReferenceID" };
  guint                    first = (guint) g_rand_int_range (chooser->random, 0, 3);
  guint                    step = (guint) g_rand_int_range (chooser->random, 1, 3);

  g_string_append_printf (text, "%s<TraceEntry", choose (chooser, BEFORE));
  for (guint i = 0; i <= G_N_ELEMENTS (names); i++)
    {
      guint role = (first + i * step) % G_N_ELEMENTS (names);

      if ((chooser->once != NULL && chooser->place == OTHER) || g_rand_int_range (chooser->random, 0, 8) == 0)
        add_attribute (text, chooser, NULL, OTHER, number);
      if (i < G_N_ELEMENTS (names))
        add_attribute (text, chooser, names[role], TIME + role, number);
    }
  g_string_append (text, choose (chooser, END));
}

static void
add_entries (GString *text, Chooser *chooser, guint n)
{
  for (guint i = 1; i <= n; i++)
    add_entry (text, chooser, i);
}

/* How often another quotation mark comes. */
static const guint n_marks[] = { 0, 64, 2 };

static char *
make_irregular_document (GRand *random, guint n, guint one_in)
{
  GString *text = g_string_new (HEAD);

  add_entries (text, &(Chooser){ .random = random, .is_single = n % 40 == 0, .n_marks = n_marks[n / 20 % 3], .one_in = one_in },
               n);
  g_string_append (text, "\n" TAIL);
  return g_string_free (text, FALSE);
}

/* Most of these documents are read to their ends. */
START_TEST (irregular_entries_read_as_with_libxml2_alone)
{
  static const gsize chunks[] = { 0, 1, 7, 600, 1025 };
  g_autoptr (GRand)  random = g_rand_new_with_seed ((guint32) _i + 1);

  for (guint n = 0; n < 20; n++)
    {
      g_autofree char *text = make_irregular_document (random, 20 + 20 * n, _i % 2 == 0 ? 0 : 500);

      expect_the_same (text, strlen (text), chunks[n % G_N_ELEMENTS (chunks)], n % 3 == 0 ? READ_STREAM : 0);
    }
}
END_TEST

START_TEST (one_odd_text_among_irregular_entries_has_the_same_effect)
{
  const char *const *texts = places[_i] + count_texts (places[_i]) + 1;

  for (guint n = 0; texts[n] != NULL; n++)
    for (guint seed = 1; seed <= 12; seed++)
      {
        g_autoptr (GRand)   random = g_rand_new_with_seed (seed);
        g_autoptr (GString) text = g_string_new (HEAD);
        Chooser             chooser;

        chooser = (Chooser){ .random = random, .is_single = seed == 5, .n_marks = n_marks[seed % 3] };
        add_entries (text, &chooser, 40);
        chooser.place = (guint) _i;
        chooser.once = texts[n];
        add_entries (text, &chooser, 20);
        g_string_append (text, "\n" TAIL);
        expect_the_same (text->str, text->len, seed == 1 ? 100 : 0, 0);
      }
}
END_TEST

START_TEST (numbers_that_are_there_twice_are_refused)
{
  static const char *const names[] = { "Time", "EventID", "ReferenceID" };
  g_autoptr (GRand)        random = g_rand_new_with_seed (1);

  for (guint i = 0; i < 27; i++)
    {
      g_autoptr (GString) text = g_string_new (HEAD);

      add_entries (text, &(Chooser){ .random = random }, 40);
      g_string_append_printf (text, "\n<TraceEntry  %s=\"3\" %s=\"3\" %s=\"3\" />", names[i / 9], names[i / 3 % 3],
                              names[i % 3]);
      add_entries (text, &(Chooser){ .random = random }, 40);
      g_string_append (text, "\n" TAIL);
      expect_the_same (text->str, text->len, 0, 0);
    }
}
END_TEST

START_TEST (other_attributes_that_are_there_twice_are_refused)
{
  static const char *const texts[] = { "Core=\"1\"", "Core =\"2\"", "Core= \"3\"", "Note=\"4\"", "Note\n=\"5\"",
                                       "\tCore='6'", "Corner=\"7\"", "InstanceOfTheTask1=\"8\"", "InstanceOfTheTask2=\"9\"",
                                       "bb=\"10\"", "bb =\"11\"", "c=\"12\"", "c\t= \"13\"", "bb='14'", "c='15'" };
  const guint              n = G_N_ELEMENTS (texts);
  g_autoptr (GRand)        random = g_rand_new_with_seed (1);

  for (guint i = 0; i < n * n * n; i++)
    {
      g_autoptr (GString) text = g_string_new (HEAD);

      add_entries (text, &(Chooser){ .random = random, .n_marks = n_marks[i % 3] }, 20);
      /* names that were there before are known where they are written without blanks */
      for (guint k = 1; k < 30; k++)
        g_string_append_printf (text, "\n%*s<TraceEntry Time=\"%u\"  %s EventID=\"3\" ReferenceID=\"1\"/>", k % 5, "", k,
                                texts[k % n]);
      g_string_append_printf (text, "\n<TraceEntry  %s Time=\"30\" %s EventID=\"3\" %s ReferenceID=\"1\" />", texts[i / n / n],
                              texts[i / n % n], texts[i % n]);
      add_entries (text, &(Chooser){ .random = random }, 40);
      g_string_append (text, "\n" TAIL);
      expect_the_same (text->str, text->len, 0, 0);
    }
}
END_TEST

START_TEST (a_changed_byte_of_irregular_entries_has_the_same_effect)
{
  static const char odd[] = "\"'<>&/=. \n\t09aTE\x01\xff";
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) _i + 1);

  for (guint n = 0; n < 60; n++)
    {
      g_autofree char *text = make_irregular_document (random, 40, 0);
      gsize            length = strlen (text);
      g_autoptr (GString) changed = change_byte (random, text, length, strlen (HEAD), odd, sizeof odd - 1);

      expect_the_same (changed->str, changed->len, n % 2 == 0 ? 0 : 13, 0);
    }
}
END_TEST

/* Ids are remembered by what they are written with, together with what stands beside them: more than there is room for
 * at first, and at all; and addresses, which have their first digits in common, or multiples, their last ones. */
START_TEST (many_ids_read_as_with_libxml2_alone)
{
  static const guint numbers[] = { 600, 3000, 70000 };
  static const struct
  {
    guint64 first, step;
  } ids[] = { { 1, 3 }, { 1, 10007 }, { 140737353971536, 64 }, { 1000000000, 1000000000 },
              { 1234567890123450, 977 }, { 9223372036850000000, 64 }, { 18446744073700000000u, 64 } };
  const guint         n = numbers[_i % 3];
  const guint64       first = ids[_i / 3].first, step = ids[_i / 3].step;
  g_autoptr (GString) text = g_string_new ("<CommonFormat>\n<SystemConfiguration>\n<Resource ID=\"0\">\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "<SystemElement ID=\"%" G_GUINT64_FORMAT "\" Type=\"task\"/>\n", first + i * step);
  g_string_append (text, strstr (HEAD, "</Resource>"));
  for (guint i = 0; i < 4 * n; i++)
    {
      guint64 id = first + i * 7 % n * step;

      if (i / n == 1)
        g_string_append_printf (text, "<TraceEntry ReferenceID=\"%" G_GUINT64_FORMAT "\" Time=\"%u\" EventID=\"4\"/>\n",
                                id, i);
      else /* at last blanks change */
        g_string_append_printf (text, "<TraceEntry Time=\"%u\"%*s EventID=\"3\" ReferenceID=\"%" G_GUINT64_FORMAT "\"/>\n",
                                i, i / n == 3 ? (int) (i % 3) : 0, "", id);
    }
  g_string_append (text, TAIL);
  expect_the_same (text->str, text->len, 0, 0);
}
END_TEST

START_TEST (other_encodings_are_left_to_libxml2)
{
  static const char *const encodings[] = { "UTF-7", "IBM437" };
  g_autofree char *text = make_document (0, 40);

  for (guint i = 0; i < G_N_ELEMENTS (encodings); i++)
    {
      g_autofree char *other
          = g_strdup_printf ("<?xml version=\"1.0\" encoding=\"%s\"?>%s", encodings[i], strchr (text, '\n'));

      expect_the_same (other, strlen (other), 0, 0);
    }
}
END_TEST

/* There, the bytes of UTF-8 are characters, and so is what is no text in UTF-8. */
static void
expect_the_same_in (const char *encoding, const char *text)
{
  static const gsize chunks[] = { 0, 1, 5, 64, 1000 };
  g_autofree char   *bytes
      = g_strdup_printf ("<?xml version=\"1.0\" encoding=\"%s\"?>%s", encoding, strchr (text, '\n'));
  gsize              length;
  g_autofree char   *characters = g_convert_with_fallback (bytes, -1, encoding, "UTF-8", "?", NULL, &length, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (chunks); i++)
    expect_the_same (bytes, strlen (bytes), chunks[i], 0);
  ck_assert_ptr_nonnull (characters);
  expect_the_same (characters, length, 0, 0);
}

START_TEST (entries_of_other_encodings_read_as_with_libxml2_alone)
{
  static const char *const encodings[]
      = { "ISO-8859-1", "latin1",   "ISO-8859-15", "windows-1252", "Windows-1250",
          "ISO-8859-7", "US-ASCII", "KOI8-R",      "UTF-16LE",     "UTF-16BE" };
  g_autofree char         *text = make_document ((guint) _i, 60);

  for (guint i = 0; i < G_N_ELEMENTS (encodings); i++)
    expect_the_same_in (encodings[i], text);
}
END_TEST

/* Windows-1252 has gaps between 0x80 and 0x9f, and ISO-8859-7 some behind these. */
START_TEST (every_byte_of_an_encoding_is_what_it_is_to_libxml2)
{
  static const char *const encodings[]
      = { "ISO-8859-1", "Latin1", "ISO-8859-15", "windows-1252", "ISO-8859-7", "US-ASCII" };
  static const char *const around[3][2]
      = { { "<TraceEntry Note='", "' Time='7' EventID='4' ReferenceID='1'/>" }, { "<!-- ", " -->" }, { "<?", "?>" } };

  for (guint i = 0; i < G_N_ELEMENTS (encodings) * 3; i++)
    {
      g_autofree char *document = make_document (0, 40), *text = NULL;
      const char      *body = strchr (document, '\n'), *middle = strstr (body, "  <TraceEntry Time=\"30\"");

      text = g_strdup_printf ("<?xml version=\"1.0\" encoding=\"%s\"?>%.*s%s%c%s%s",
                              encodings[i / 3], (int) (middle - body), body, around[i % 3][0],
                              0x80 + _i, around[i % 3][1], middle);
      expect_the_same (text, strlen (text), 0, 0);
    }
}
END_TEST

/* By hand: HEAD has 17 lines, so that the entry of the time N is in line 17 + N, and the one before, which is the last
 * that libxml2 has, in the line before. */
START_TEST (what_is_not_in_its_encoding_is_told_with_the_line_before)
{
  static const guint  times[] = { 5, 700, 2000 };
  guint               time = times[_i / 2];
  g_autofree char    *body = make_document (0, 2100), *line = g_strdup_printf (":%u: ", 17 + time - 1);
  g_autofree char    *entry = g_strdup_printf ("Time=\"%u\"", time);
  g_autoptr (GString) text
      = g_string_new ("<?xml version=\"1.0\" encoding=\"windows-1252\"?>"); /* it has no character 0x81 */
  g_autoptr (Reading) reading = NULL;

  g_string_append (text, strchr (body, '\n'));
  g_string_insert (text, strstr (text->str, entry) - text->str, "a=\"\x81\" ");
  reading = reading_new (text->str, (gssize) text->len, 0, _i % 2 == 0 ? 0 : READ_PLAIN);
  ck_assert_ptr_nonnull (reading->error);
  ck_assert_msg (strstr (reading->error->message, line) != NULL, "not in %s but %s", line, reading->error->message);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("atf-scan");
  TCase *tcase = tcase_create ("entries");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 120);
  tcase_add_loop_test (tcase, every_layout_reads_as_with_libxml2_alone, 0, G_N_ELEMENTS (layouts));
  tcase_add_loop_test (tcase, long_documents_read_as_with_libxml2_alone, 0, G_N_ELEMENTS (layouts));
  tcase_add_test (tcase, a_document_cut_anywhere_has_the_same_error);
  tcase_add_loop_test (tcase, a_changed_byte_has_the_same_effect, 0, 20);
  tcase_add_loop_test (tcase, irregular_entries_read_as_with_libxml2_alone, 0, 20);
  tcase_add_loop_test (tcase, one_odd_text_among_irregular_entries_has_the_same_effect, 0, N_PLACES);
  tcase_add_test (tcase, numbers_that_are_there_twice_are_refused);
  tcase_add_test (tcase, other_attributes_that_are_there_twice_are_refused);
  tcase_add_loop_test (tcase, a_changed_byte_of_irregular_entries_has_the_same_effect, 0, 20);
  tcase_add_loop_test (tcase, many_ids_read_as_with_libxml2_alone, 0, 21);
  tcase_add_test (tcase, other_encodings_are_left_to_libxml2);
  tcase_add_test (tcase, spaces_in_a_value_are_passed);
  tcase_add_loop_test (tcase, entries_of_other_encodings_read_as_with_libxml2_alone, 0, G_N_ELEMENTS (layouts));
  tcase_add_loop_test (tcase, every_byte_of_an_encoding_is_what_it_is_to_libxml2, 0, 0x80);
  tcase_add_loop_test (tcase, what_is_not_in_its_encoding_is_told_with_the_line_before, 0, 6);
  return unit_run (suite);
}
