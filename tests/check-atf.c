/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "atf-fixture.h"
#include "unit.h"

/* What the ATF importer makes of well-formed documents, above all of those that the format
 * document leaves open or contradicts itself on. Numbers in comments are its chapters. */

/* clang-format off */
#define RESOURCE "<Resource ID='33' Scheduler='EDF'><SystemElement Name='A' ID='1' Type='task'/>" \
                 "<SystemElement Name='B' ID='2' Type='isr'/></Resource>"
#define MAPPING(id, type) "<EventIDMapping EventID='" id "' EventType='" type "'/>"
#define MAPPINGS "<EventIDMappings>" MAPPING ("1", "start") MAPPING ("2", "end") MAPPING ("3", "activation") \
                 MAPPING ("11", "error") \
                 "<EventIDMapping EventID='5' EventType='user'><UserTable><Info ReferenceID='1'>SYNC</Info>" \
                 "</UserTable></EventIDMapping></EventIDMappings>"
#define BASE "<TimeBase Unit='us'><Value Numerator='1' Denominator='1'/></TimeBase>"
#define SYSTEM(content) "<SystemConfiguration Name='S'>" content "</SystemConfiguration>\n"
#define FULL_SYSTEM SYSTEM (RESOURCE MAPPINGS BASE)
/* clang-format on */

static const TsElement *
element_of (const Reading *reading, guint32 element)
{
  return ts_system_get_element (reading->system, element);
}

/* 4.5.2 lists stop and terminate, every example writes end; names come with blanks, '_', '-'. */
START_TEST (event_types_are_known_in_every_spelling)
{
  static const struct
  {
    const char *type;
    TsEventKind kind;
    guint64     n_unknown;
  } cases[] = {
    { "end", TS_EVENT_END, 0 },
    { "stop", TS_EVENT_END, 0 },
    { "terminate", TS_EVENT_END, 0 },
    { "START", TS_EVENT_START, 0 },
    { "activation", TS_EVENT_ACTIVATION, 0 },
    { "activation-OS", TS_EVENT_ACTIVATION_OS, 0 },
    { "Activation_os", TS_EVENT_ACTIVATION_OS, 0 },
    { " activation  chained ", TS_EVENT_ACTIVATION_CHAINED, 0 },
    { "activation-failed", TS_EVENT_ACTIVATION_FAILED, 0 },
    { "preempt", TS_EVENT_PREEMPT, 0 },
    { "resume", TS_EVENT_RESUME, 0 },
    { "error", TS_EVENT_ERROR, 0 },
    { "user", TS_EVENT_USER, 0 },
    { "activationOS", TS_EVENT_USER, 1 },
    { "begin", TS_EVENT_USER, 1 },
    { "", TS_EVENT_USER, 1 },
  };
  g_autofree char *mapping = g_strdup_printf ("<EventIDMapping EventID='1' EventType='%s'/>", cases[_i].type);
  g_autofree char *text = g_strdup_printf (
      "<CommonFormat>" SYSTEM (RESOURCE "<EventIDMappings>%s</EventIDMappings>") TRACE (EVENT ("7", "1", "1"))
      "</CommonFormat>", mapping);
  g_autoptr (Reading) reading = read_good (text, 0);

  ck_assert_uint_eq (reading->events->len, 1);
  ck_assert_uint_eq (g_array_index (reading->events, TsEvent, 0).kind, cases[_i].kind);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_EVENT_TYPE), cases[_i].n_unknown);
  ck_assert_int_eq (ts_system_has_explicit_preemption (reading->system),
                    cases[_i].kind == TS_EVENT_PREEMPT || cases[_i].kind == TS_EVENT_RESUME);
}
END_TEST

START_TEST (versions_other_than_0_2_and_1_0_are_noted)
{
  static const char *const versions[] = { "0.2", "1.0", "1.1", "" };
  g_autofree char    *text = g_strdup_printf ("<CommonFormat Version='%s'/>", versions[_i]);
  g_autoptr (Reading) reading = read_good (text, 0);

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_VERSION), _i >= 2);
}
END_TEST

START_TEST (prefixes_need_no_declaration_and_prefixed_attributes_mean_nothing)
{
  g_autoptr (Reading) reading = read_good (
      "<atf:CommonFormat xsi:noNamespaceSchemaLocation='a.xsd' Version='1.0' z:Version='9'>" FULL_SYSTEM
      "<q:TraceData Start='0' q:Stop='1'><TraceEntry Time='5' q:Time='x' EventID='1' ReferenceID='1' q:EventID='2'/>"
      "</q:TraceData></atf:CommonFormat>", 0);

  expect_events (reading, "5 start A");
  ck_assert (!section_of (reading, 0)->has_stop);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_VERSION), 0);
}
END_TEST

/* 4.19.3 asks for Fraction, every example has Value; 4.19.4 names the element TimeValue;
 * fs is missing in 4.14. */
START_TEST (a_time_base_is_a_value_or_a_fraction_of_any_unit)
{
  static const struct
  {
    const char *text;
    guint64     numerator, denominator;
    int         exponent;
  } cases[] = {
    { "<TimeBase Unit='ms'><Value Numerator='1' Denominator='3'/></TimeBase>", 1, 3, -3 },
    { "<TimeBase Unit='ns'><Fraction Numerator='500000000' Denominator='1'/></TimeBase>", 500000000, 1, -9 },
    { "<TimeValue Unit='s'><Value Numerator='2' Denominator='7'/></TimeValue>", 2, 7, 0 },
    { "<TimeBase Unit='us'><Value Denominator='5' Numerator='1'/></TimeBase>", 1, 5, -6 },
    { "<TimeBase Unit='ps'><Value Numerator='1' Denominator='1'/></TimeBase>", 1, 1, -12 },
    { "<TimeBase Unit='fs'><Value Numerator='1' Denominator='1'/></TimeBase>", 1, 1, -15 },
    { "<TimeBase Unit='as'><Value Numerator='1' Denominator='1'/></TimeBase>", 1, 1, -18 },
    { "<TimeBase Unit='s'><Value Numerator='9223372036854775808' Denominator='9223372036854775808'/></TimeBase>",
      G_GUINT64_CONSTANT (9223372036854775808), G_GUINT64_CONSTANT (9223372036854775808), 0 },
  };
  g_autofree char    *text = g_strdup_printf (ROOT (SYSTEM ("%s")), cases[_i].text);
  g_autoptr (Reading) reading = read_good (text, 0);
  const TsTimeBase   *base = ts_system_time_base (reading->system);

  ck_assert (base->known);
  ck_assert_uint_eq (base->numerator, cases[_i].numerator);
  ck_assert_uint_eq (base->denominator, cases[_i].denominator);
  ck_assert_int_eq (base->exponent, cases[_i].exponent);
  ck_assert_int_eq (base->scale, 1);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NO_TIME_BASE), 0);
}
END_TEST

START_TEST (a_time_base_that_is_none_is_an_error_with_its_line)
{
  static const struct
  {
    const char *text, *message;
  } cases[] = {
    { "<TimeBase Unit='s'>\n<Value Numerator='1' Denominator='0'/></TimeBase>",
      "x.atf:4: the time base has the Denominator 0" },
    { "<TimeBase Unit='s'>\n<Value Numerator='0' Denominator='1'/></TimeBase>",
      "x.atf:4: the time base has the Numerator 0" },
    { "<TimeBase Unit='s'>\n<Value Numerator='9223372036854775809' Denominator='1'/></TimeBase>",
      "x.atf:4: the time base has a Numerator or a Denominator that is not an integer up to 2^63" },
    { "<TimeBase Unit='s'>\n<Value Numerator='1' Denominator='99999999999999999999'/></TimeBase>",
      "x.atf:4: the time base has a Numerator or a Denominator that is not an integer up to 2^63" },
    { "<TimeBase Unit='s'>\n<Value Numerator='1.0' Denominator='1'/></TimeBase>",
      "x.atf:4: the time base has a Numerator or a Denominator that is not an integer up to 2^63" },
    { "<TimeBase Unit='s'>\n<Value Numerator='-1' Denominator='1'/></TimeBase>",
      "x.atf:4: the time base has a Numerator or a Denominator that is not an integer up to 2^63" },
    { "<TimeBase Unit='s'>\n<Value Numerator='1'/></TimeBase>",
      "x.atf:4: the time base lacks a Numerator or a Denominator" },
    { "<TimeBase Unit='s'>\n</TimeBase>", "x.atf:3: the time base has no value" },
    { "<TimeBase>\n<Value Numerator='1' Denominator='1'/></TimeBase>", "x.atf:3: the time base has no Unit" },
    { "<TimeBase Unit='h'>\n<Value Numerator='1' Denominator='1'/></TimeBase>",
      "x.atf:3: the time base has the unknown Unit `h' (s, ms, us, ns, ps, fs, as)" },
    { "<TimeBase Unit='us'><Value Numerator='1' Denominator='1'/>\n<Fraction Numerator='1' Denominator='1'/></TimeBase>",
      "x.atf:4: the time base has a second value" },
    { BASE "\n" BASE, "x.atf:4: a second time base; the first is in line 3" },
  };
  g_autofree char *text = g_strdup_printf (ROOT (SYSTEM ("\n%s")), cases[_i].text);

  expect_failure (text, 0, TS_ERROR_FORMAT, cases[_i].message);
}
END_TEST

START_TEST (without_a_time_base_times_are_in_ticks)
{
  g_autoptr (Reading) reading
      = read_good (ROOT (SYSTEM (RESOURCE MAPPINGS) TRACE (EVENT ("5", "1", "1")) TRACE (EVENT ("6", "1", "1"))), 0);
  g_autoptr (Reading) system_only = read_good (ROOT (SYSTEM (RESOURCE)), 0);

  ck_assert (!ts_system_time_base (reading->system)->known);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_NO_TIME_BASE), 1);
  ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_NO_TIME_BASE].line, 3);
  ck_assert_uint_eq (count_of (system_only, TS_DIAGNOSTIC_NO_TIME_BASE), 1);
}
END_TEST

/* The example of 4.4.4 has a Time and no EventType. */
START_TEST (a_mapping_without_a_type_is_not_used)
{
  g_autoptr (Reading) reading = read_good (
      ROOT (SYSTEM (RESOURCE "<EventIDMappings><EventIDMapping Time='1' EventID='1'/>" MAPPING ("2", "end")
                             "</EventIDMappings>" BASE) TRACE (EVENT ("5", "1", "1") EVENT ("6", "2", "1"))), 0);

  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_MAPPING_WITHOUT_TYPE), 1);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNMAPPED_EVENT), 1);
  expect_events (reading, "5 user -; 6 end A");
}
END_TEST

/* 4.13.2 names the attribute SystemElement, the examples Type; values have blanks. */
START_TEST (element_types_are_known_in_every_spelling)
{
  static const struct
  {
    const char   *text;
    TsElementType type;
    guint64       n_unknown;
  } cases[] = {
    { "<SystemElement ID='7' Type='task'/>", TS_TYPE_TASK, 0 },
    { "<SystemElement ID='7' SystemElement='isr'/>", TS_TYPE_ISR, 0 },
    { "<SystemElement ID='7' SystemElement='isr' Type='message'/>", TS_TYPE_MESSAGE, 0 },
    { "<SystemElement ID='7'/>", TS_TYPE_UNKNOWN, 0 },
    { "<SystemElement ID='7' Type='unknown'/>", TS_TYPE_UNKNOWN, 0 },
    { "<SystemElement ID='7' Type='basic block'/>", TS_TYPE_BASIC_BLOCK, 0 },
    { "<SystemElement ID='7' Type='Basic_Block'/>", TS_TYPE_BASIC_BLOCK, 0 },
    { "<SystemElement ID='7' Type='process'/>", TS_TYPE_PROCESS, 0 },
    { "<SystemElement ID='7' Type='function'/>", TS_TYPE_FUNCTION, 0 },
    { "<SystemElement ID='7' Type='runnable'/>", TS_TYPE_RUNNABLE, 0 },
    { "<SystemElement ID='7' Type='thread'/>", TS_TYPE_UNKNOWN, 1 },
    { "<TimeRangeElement ID='7' Type='stopwatch'/>", TS_TYPE_STOPWATCH, 0 },
    { "<TimeRangeElement ID='7' Type='worst-case response time'/>", TS_TYPE_WORST_CASE_RESPONSE_TIME, 0 },
    { "<TimeRangeElement ID='7' Type='data path'/>", TS_TYPE_DATA_PATH, 0 },
    { "<TimeRangeElement ID='7' Type='task'/>", TS_TYPE_UNKNOWN, 1 },
    { "<TimeRangeElement ID='7'/>", TS_TYPE_UNKNOWN, 0 },
  };
  g_autofree char *text = g_strdup_printf (ROOT (SYSTEM ("<Resource ID='0'>%s</Resource>")), cases[_i].text);
  g_autoptr (Reading) reading = read_good (text, 0);

  ck_assert_uint_eq (ts_system_n_elements (reading->system), 1);
  ck_assert_uint_eq (element_of (reading, 0)->type, cases[_i].type);
  ck_assert_str_eq (element_of (reading, 0)->name, "7"); /* an element without a name is shown by its id */
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_ELEMENT_TYPE), cases[_i].n_unknown);
}
END_TEST

/* The figure with the valid nestings is lost; a task in a message is read like any other. */
START_TEST (the_nesting_of_elements_is_not_judged)
{
  g_autoptr (Reading) reading = read_good (ROOT (SYSTEM (
      "<Resource ID='0' Scheduler='My OS'><SystemElement Name='m' ID='1' Type='message'>"
      "<SystemElement Name='t' ID='2' Type='task'><SystemElement Name='p' ID='3' Type='process'/></SystemElement>"
      "<Comment> of m </Comment></SystemElement><SystemElement ID='4' Name='n'/></Resource><Resource/>")), 0);

  ck_assert_uint_eq (element_of (reading, 1)->parent, 0);
  ck_assert_uint_eq (element_of (reading, 2)->parent, 1);
  ck_assert_uint_eq (element_of (reading, 3)->parent, TS_NO_ELEMENT);
  ck_assert_str_eq (element_of (reading, 0)->comment, "of m");
  ck_assert_ptr_null (element_of (reading, 1)->comment);
  ck_assert_uint_eq (element_of (reading, 3)->resource, 0);
  ck_assert_uint_eq (ts_system_n_resources (reading->system), 2);
  ck_assert_str_eq (ts_system_get_resource (reading->system, 0)->name, "0");
  ck_assert_str_eq (ts_system_get_resource (reading->system, 0)->scheduler, "My OS");
  ck_assert_str_eq (ts_system_get_resource (reading->system, 1)->name, "resource 1");
}
END_TEST

/* 4.3: "any child elements no it can't" */
START_TEST (cookies_are_skipped_to_any_depth_and_their_tool_is_kept)
{
  g_autoptr (Reading) reading = read_good (ROOT (
      "<Cookie Vendor='Rapita' Tool='RapiTime' Version='2.2'><RTD file='ex12.rtd'/>text<TraceData Start='0'>"
      EVENT ("1", "1", "1") "</TraceData><SystemConfiguration><x><y><z/></y></x></SystemConfiguration></Cookie>"
      FULL_SYSTEM "<Cookie Tool='T1'/>" TRACE (EVENT ("2", "1", "1"))
      "<Cookie/>"), 0);

  expect_events (reading, "2 start A");
  ck_assert_uint_eq (reading->sections->len, 1);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_CONTENT), 0);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_BAD_EVENT), 0);
  ck_assert_uint_eq (ts_system_n_cookies (reading->system), 3);
  ck_assert_str_eq (ts_system_get_cookie (reading->system, 0)->vendor, "Rapita");
  ck_assert_str_eq (ts_system_get_cookie (reading->system, 0)->tool, "RapiTime");
  ck_assert_str_eq (ts_system_get_cookie (reading->system, 0)->version, "2.2");
  ck_assert_str_eq (ts_system_get_cookie (reading->system, 1)->tool, "T1");
  ck_assert_ptr_null (ts_system_get_cookie (reading->system, 1)->vendor);
}
END_TEST

START_TEST (unknown_and_misplaced_content_is_skipped_as_a_whole)
{
  static const struct
  {
    const char *before, *in_trace;
    guint64     n, n_events; /* lost with it */
  } cases[] = {
    { "<Extra><a><b/></a></Extra>", "", 1 },
    { "", "<Extra><a><TraceEntry Time='1' EventID='1' ReferenceID='1'/></a><TraceEntry/></Extra>", 1, 2 },
    { "<TraceEntry Time='1' EventID='1' ReferenceID='1'/>", "", 1, 1 },
    { "", "<SystemElement ID='1' Type='task'/>", 1 },
    { "", "<TraceData Start='0'><TraceEntry Time='1' EventID='1' ReferenceID='1'/></TraceData>", 1, 1 },
    { "<EventIDMapping EventID='1' EventType='end'/><TimeBase Unit='h'/>", "", 2 },
    { "", "<TraceEntry Time='x' EventID='2' ReferenceID='7'><Comment>c</Comment></TraceEntry>", 1, 1 },
    { "", "free text <![CDATA[ <and> more ]]><!-- comment --><?pi?>", 0 },
    { "", "<TraceInformation><TimeStampComment At='1' Text='x'><deep/></TimeStampComment></TraceInformation>", 1 },
  };
  g_autofree char *text = g_strdup_printf (
      ROOT ("%s" FULL_SYSTEM "<TraceData Start='0'>%s" EVENT ("2", "1", "1") "</TraceData>"), cases[_i].before,
      cases[_i].in_trace);
  g_autoptr (Reading) reading = read_good (text, 0);

  expect_events (reading, "2 start A");
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_CONTENT), cases[_i].n);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_BAD_EVENT), cases[_i].n_events);
}
END_TEST

/* 4.7: the ReferenceID of an Info belongs to the EventID of its mapping; examples 2 to 5
 * use some that no table has. */
START_TEST (user_events_are_counted_by_event_and_reference)
{
  static const char text[] = ROOT (
      SYSTEM (RESOURCE "<EventIDMappings>" MAPPING ("1", "start")
              "<EventIDMapping EventID='2' EventType='user'><UserTable><Info ReferenceID='1'>SYNC</Info>"
              "<Info ReferenceID='2'> Info &amp; 1 </Info></UserTable></EventIDMapping>"
              "<EventIDMapping EventID='195' EventType='user'><UserTable/></EventIDMapping></EventIDMappings>" BASE)
      TRACE (EVENT ("1", "2", "1") EVENT ("2", "195", "1") EVENT ("3", "2", "3") EVENT ("4", "2", "1")
             EVENT ("5", "1", "1") EVENT ("6", "2", "3")));
  static const TsUserEvent expected[] = {
    { "2", "1", "SYNC", 2 }, { "2", "2", "Info & 1", 0 }, { "195", "1", NULL, 1 }, { "2", "3", NULL, 2 },
  };
  g_autoptr (Reading) reading = read_good (text, 0);

  ck_assert_uint_eq (ts_system_n_user_events (reading->system), G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      const TsUserEvent *user = ts_system_get_user_event (reading->system, i);

      ck_assert_str_eq (user->event, expected[i].event);
      ck_assert_str_eq (user->reference, expected[i].reference);
      ck_assert_pstr_eq (user->info, expected[i].info);
      ck_assert_uint_eq (user->count, expected[i].count);
    }
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNKNOWN_USER_EVENT), 3);
  ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_UNKNOWN_USER_EVENT].line, 4);
  /* the type decides first: ReferenceID 1 is an element only for EventID 1 */
  expect_events (reading, "1 user -; 2 user -; 3 user -; 4 user -; 5 start A; 6 user -");
  ck_assert_uint_eq (g_array_index (reading->events, TsEvent, 0).resource, 0);
}
END_TEST

START_TEST (several_event_ids_may_mean_the_same_and_0_is_one)
{
  g_autoptr (Reading) reading = read_good (
      ROOT (SYSTEM (RESOURCE "<EventIDMappings>" MAPPING ("0", "start") MAPPING ("3", "end") MAPPING ("4", "end")
                             MAPPING ("4", "stop") MAPPING ("65535", "start") MAPPING ("65536", "end")
                             MAPPING ("18446744073709551614", "start") "</EventIDMappings>" BASE)
            TRACE (EVENT ("1", "0", "1") EVENT ("2", "3", "1") EVENT ("3", "4", "1") EVENT ("4", "65535", "2")
                   EVENT ("5", "65536", "2") EVENT ("6", "18446744073709551614", "2") EVENT ("7", "65537", "2"))), 0);

  expect_events (reading, "1 start A; 2 end A; 3 end A; 4 start B; 5 end B; 6 start B; 7 user -");
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_UNMAPPED_EVENT), 1);
}
END_TEST

START_TEST (what_is_declared_twice_is_an_error_that_names_both)
{
  static const struct
  {
    const char *text, *message;
  } cases[] = {
    { "<EventIDMappings>" MAPPING ("1", "start") "\n" MAPPING ("1", "end") "</EventIDMappings>",
      "x.atf:4: the EventID 1 is mapped to `end', and in line 3 to another type (start)" },
    { "<Resource><SystemElement Name='A' ID='4'/></Resource>\n<Resource><SystemElement Name='B' ID='4'/></Resource>",
      "x.atf:4: the ID 4 of `B' is that of `A' in line 3" },
    { "<Resource><SystemElement Name='A' ID='70000'>\n\n<TimeRangeElement ID='70000'/></SystemElement></Resource>",
      "x.atf:5: the ID 70000 of `70000' is that of `A' in line 3" },
    { "</SystemConfiguration>\n<SystemConfiguration>", "x.atf:4: a second SystemConfiguration; the first is in line 2" },
    { "<Resource><SystemElement Name='A' ID='x'/></Resource>",
      "x.atf:3: the element `A' has no ID that is an unsigned integer" },
    { "<Resource><SystemElement Name='A'/></Resource>",
      "x.atf:3: the element `A' has no ID that is an unsigned integer" },
    { "<EventIDMappings><EventIDMapping EventType='start'/></EventIDMappings>",
      "x.atf:3: an event mapping has no EventID that is an unsigned integer" },
  };
  g_autofree char *text = g_strdup_printf (ROOT (SYSTEM ("\n%s")), cases[_i].text);

  expect_failure (text, 0, TS_ERROR_FORMAT, cases[_i].message);
}
END_TEST

/* 4.1, appendix A: RT_{max} is RTmax in the type setting of the document. */
START_TEST (standard_annotations_have_one_name)
{
  static const struct
  {
    const char *name, *value, *standard;
    guint64     n_bad;
  } cases[] = {
    { "Priority", "7", "Priority", 0 },
    { "RTmax", "720", "RTmax", 0 },
    { "RT_max", "720", "RTmax", 0 },
    { "RT_{max}", "720", "RTmax", 0 },
    { "STmin", "-3", "STmin", 0 },
    { "JITav", "-0.25", "JITav", 0 },
    { "PER", "10000", "PER", 0 },
    { "Period", "10000", "Period", 0 },
    { "CETmax", "fast", "CETmax", 1 },
    { "Period", "10 ms", "Period", 0 },
    { "PER_av", "0.5ms", "PERav", 0 },
    { "Period", "0", "Period", 1 },
    { "PER", "-10 ms", "PER", 1 },
    { "Period", "often", "Period", 1 },
    { "CETmax", "10 ms", "CETmax", 1 },
    { "Colour", "red", "Colour", 0 },
  };
  g_autofree char *text = g_strdup_printf (
      ROOT (SYSTEM ("<Resource><SystemElement ID='1'><Annotation><ToolInfo Vendor='X' Tool='Y' Version='1.2'/>"
                    "<Name> %s </Name><Value>%s</Value></Annotation><Annotation><Name>N</Name></Annotation>"
                    "</SystemElement></Resource>")),
      cases[_i].name, cases[_i].value);
  g_autoptr (Reading)  reading = read_good (text, 0);
  const GArray        *annotations = element_of (reading, 0)->annotations;
  const TsAnnotation  *annotation = &g_array_index (annotations, TsAnnotation, 0);

  ck_assert_uint_eq (annotations->len, 2);
  ck_assert_str_eq (annotation->name, cases[_i].standard);
  ck_assert_str_eq (annotation->value, cases[_i].value);
  ck_assert_str_eq (annotation->tool, "X Y 1.2");
  ck_assert_ptr_null (g_array_index (annotations, TsAnnotation, 1).tool);
  ck_assert_uint_eq (count_of (reading, TS_DIAGNOSTIC_BAD_ANNOTATION), cases[_i].n_bad);
}
END_TEST

START_TEST (what_the_system_says_of_itself_is_kept)
{
  g_autoptr (Reading) reading = read_good (
      "<!DOCTYPE CommonFormat [<!ENTITY co 'Gliwa &amp; Co'>]>\n"
      "<CommonFormat><SystemConfiguration Name='A &lt; &#66; &co;'><Comment>no\n<![CDATA[<comment>]]> &co;</Comment>"
      "<ToolInfo Vendor='&co;' Tool='T1' Version='1.5'/></SystemConfiguration></CommonFormat>", 0);

  ck_assert_str_eq (ts_system_get_name (reading->system), "A < B Gliwa & Co");
  ck_assert_str_eq (ts_system_get_comment (reading->system), "no\n<comment> Gliwa & Co");
  ck_assert_str_eq (ts_system_get_tool (reading->system)->vendor, "Gliwa & Co");
  ck_assert_str_eq (ts_system_get_tool (reading->system)->tool, "T1");
  ck_assert_str_eq (ts_system_get_tool (reading->system)->version, "1.5");
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("ATF");
  TCase *test_case = tcase_create ("system");

  tcase_add_loop_test (test_case, event_types_are_known_in_every_spelling, 0, 16);
  tcase_add_loop_test (test_case, versions_other_than_0_2_and_1_0_are_noted, 0, 4);
  tcase_add_test (test_case, prefixes_need_no_declaration_and_prefixed_attributes_mean_nothing);
  tcase_add_loop_test (test_case, a_time_base_is_a_value_or_a_fraction_of_any_unit, 0, 8);
  tcase_add_loop_test (test_case, a_time_base_that_is_none_is_an_error_with_its_line, 0, 12);
  tcase_add_test (test_case, without_a_time_base_times_are_in_ticks);
  tcase_add_test (test_case, a_mapping_without_a_type_is_not_used);
  tcase_add_loop_test (test_case, element_types_are_known_in_every_spelling, 0, 16);
  tcase_add_test (test_case, the_nesting_of_elements_is_not_judged);
  tcase_add_test (test_case, cookies_are_skipped_to_any_depth_and_their_tool_is_kept);
  tcase_add_loop_test (test_case, unknown_and_misplaced_content_is_skipped_as_a_whole, 0, 9);
  tcase_add_test (test_case, user_events_are_counted_by_event_and_reference);
  tcase_add_test (test_case, several_event_ids_may_mean_the_same_and_0_is_one);
  tcase_add_loop_test (test_case, what_is_declared_twice_is_an_error_that_names_both, 0, 7);
  tcase_add_loop_test (test_case, standard_annotations_have_one_name, 0, 16);
  tcase_add_test (test_case, what_the_system_says_of_itself_is_kept);
  suite_add_tcase (suite, test_case);
  return suite;
}

int
main (void)
{
  return unit_run (make_suite ());
}
