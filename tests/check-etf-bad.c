/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "reading-etf.h"
#include "unit.h"

/* What is wrong with a trace: an error that names its line, or something that is counted. */

#define HEAD "TU SECONDS\nR 0 2 false ; name=cpu\nR 1 8 true ; name=mem\n"

/* Each text follows the three lines of HEAD. */
static const struct
{
  const char *text;
  const char *message;
  TsError     code;
} errors[] = {
  { "TU SECONDS\n", "x.etf:4: a second time unit; the first one is in line 1", TS_ERROR_FORMAT },
  { "S 0;\nF 0 0 1 0 99999999999999999999 1e\n", "x.etf:5: coefficient `1e' is no number", TS_ERROR_FORMAT },
  { "O 1\nO 1\n", "x.etf:5: a second time offset; the first one is in line 4", TS_ERROR_FORMAT },
  { "O 1.5\n", "x.etf:4: time offset `1.5' is no whole number of milliseconds", TS_ERROR_FORMAT },
  { "O\n", "x.etf:4: O and one number of milliseconds are expected", TS_ERROR_FORMAT },
  { "O 1234567890123456789\n", "x.etf:4: time offset `1234567890123456789' is too large", TS_ERROR_RANGE },
  { "\n\nX 1\n", "x.etf:6: `X' is no statement of TRACE", TS_ERROR_FORMAT },
  { "TraceVersion\tV0.1\n",
    "x.etf:4: this is the old format TRACE V0.1, which needs its configuration file; it is not supported", TS_ERROR_FORMAT },
  { "TSX 1\n", "x.etf:4: `TSX' is no statement of TRACE", TS_ERROR_FORMAT },
  { "CC 1\n", "x.etf:4: `CC' is no statement of TRACE", TS_ERROR_FORMAT },
  { "R 0 2 false;\n", "x.etf:4: resource 0 was declared in line 2", TS_ERROR_FORMAT },
  /* no cut explains these: the line is whole up to its `;', or it shows what is wrong with another one */
  { "C 0 0 1 0 1; name=a\nC 1 9 3 0 1; name=a", "x.etf:5: the claim ends at 3, before it starts at 9", TS_ERROR_FORMAT },
  { "C 0 0 1 0 1; name=a\nC 0 2 3 0 1; name=a", "x.etf:5: a second claim has the id 0", TS_ERROR_FORMAT },
  { "C 0 0 1 7 7 1; name=a\nC 1 2 3 0 1; name=a\nR 7 2 false; name=P",
    "x.etf:4: the claim has an offset, and resource 7 has none", TS_ERROR_FORMAT },
  { "R 2 2 0;\n", "x.etf:4: `0' is neither true nor false", TS_ERROR_FORMAT },
  { "R 2 2 truer;\n", "x.etf:4: `truer' is neither true nor false", TS_ERROR_FORMAT },
  { "R 2 0.0 false;\n", "x.etf:4: capacity `0.0' is not above 0", TS_ERROR_FORMAT },
  { "R 2 -1 false;\n", "x.etf:4: capacity `-1' is not above 0", TS_ERROR_FORMAT },
  { "R 2 NaN false;\n", "x.etf:4: capacity `NaN' is no number", TS_ERROR_FORMAT },
  { "R 2 1;\n", "x.etf:4: too few fields; expected: an id, a capacity, and true or false", TS_ERROR_FORMAT },
  { "C 0 1 2 0 1;\nC 0 3 4 0 1;\n", "x.etf:5: a second claim has the id 0", TS_ERROR_FORMAT },
  { "C a 1 2 0 1;\nC b 1 2 0 1;\nC a 3 4 0 1;\n", "x.etf:6: a second claim has the id a", TS_ERROR_FORMAT },
  { "C 9000 1 2 0 1;\nC 0 1 2 0 1;\nC 9000 3 4 0 1;\n", "x.etf:6: a second claim has the id 9000", TS_ERROR_FORMAT },
  { "C 3 1 2 0 1;\nC 1 1 2 0 1;\nC 3 3 4 0 1;\n", "x.etf:6: a second claim has the id 3", TS_ERROR_FORMAT },
  { "C 0 2 1 0 1;\n", "x.etf:4: the claim ends at 1, before it starts at 2", TS_ERROR_FORMAT },
  { "C 0 2 1.5 0 1;\n", "x.etf:4: the claim ends at 1.5, before it starts at 2", TS_ERROR_FORMAT },
  { "C 0 0x1 2 0 1;\n", "x.etf:4: time `0x1' is no number", TS_ERROR_FORMAT },
  { "C 0 1f 2 0 1;\n", "x.etf:4: time `1f' is no number", TS_ERROR_FORMAT },
  { "C 0 1 Infinity 0 1;\n", "x.etf:4: time `Infinity' is no number", TS_ERROR_FORMAT },
  { "C 0 1 1e 0 1;\n", "x.etf:4: time `1e' is no number", TS_ERROR_FORMAT },
  { "C 0 . 1 0 1;\n", "x.etf:4: time `.' is no number", TS_ERROR_FORMAT },
  { "C 0 - 1 0 1;\n", "x.etf:4: time `-' is no number", TS_ERROR_FORMAT },
  { "C 0 1 2 0;\n",
    "x.etf:4: too few fields; expected: an id, two times, a resource, an offset where it has one, and an amount",
    TS_ERROR_FORMAT },
  { "C 0 1 2 0 1 1 1;\n",
    "x.etf:4: too many fields; expected: an id, two times, a resource, an offset where it has one, and an amount",
    TS_ERROR_FORMAT },
  { "C 0 1 2 0 0 1;\n", "x.etf:4: the claim has an offset, and resource 0 has none", TS_ERROR_FORMAT },
  { "C 0 1 2 1 1;\n", "x.etf:4: the claim has no offset, which resource 1 asks for", TS_ERROR_FORMAT },
  { "C 0 1 2 5 1;\n\nR 5 1 true;\n", "x.etf:4: the claim has no offset, which resource 5 asks for", TS_ERROR_FORMAT },
  { "C 0 1 2 5 0 1;\n\nR 5 1 false;\n", "x.etf:4: the claim has an offset, and resource 5 has none", TS_ERROR_FORMAT },
  { "\nC 0 1 2 6 1;\nC 1 1 2 5 1;\nR 5 1 false;\n", "x.etf:5: resource 6 is not declared", TS_ERROR_FORMAT },
  { "C 0 1 2 0 many;\n", "x.etf:4: amount `many' is no number", TS_ERROR_FORMAT },
  { "C 0 0 1e18 0 1;\nC 1 0 0.1 0 1;\n",
    "x.etf:5: time `0.1' is too large, or has too many decimals, to be kept exactly with the others", TS_ERROR_RANGE },
  { "C 0 0 1e19 0 1;\n", "x.etf:4: time `1e19' has more digits than can be kept exactly", TS_ERROR_RANGE },
  { "C 0 0 9223372036854775807 0 1;\n", /* 2^63 - 1 */
    "x.etf:4: time `9223372036854775807' is too large, or has too many decimals, to be kept exactly with the others",
    TS_ERROR_RANGE },
  { "C 0 0 9223372036854775808 0 1;\n",
    "x.etf:4: time `9223372036854775808' has more digits than can be kept exactly", TS_ERROR_RANGE },
  { "E 0 -922337203685477580.8;\n",
    "x.etf:4: time `-922337203685477580.8' has more digits than can be kept exactly", TS_ERROR_RANGE },
  { "E 0 18446744073709551617;\n", /* 2^64 + 1 */
    "x.etf:4: time `18446744073709551617' has more digits than can be kept exactly", TS_ERROR_RANGE },
  { "C 0 0 0.1234567890123456789 0 1;\n",
    "x.etf:4: time `0.1234567890123456789' has more digits than can be kept exactly", TS_ERROR_RANGE },
  { "E 0;\n", "x.etf:4: too few fields; expected: an id and a time", TS_ERROR_FORMAT },
  { "E 0 1;\nE 0 2;\n", "x.etf:5: a second event has the id 0", TS_ERROR_FORMAT },
  { "E 0 now;\n", "x.etf:4: time `now' is no number", TS_ERROR_FORMAT },
  { "E 0 1;\nE 1 1;\nD 0 4 0 1;\nD 0 4 0 1;\n", "x.etf:7: a second dependency has the id 0", TS_ERROR_FORMAT },
  { "D 0 9 0 1;\n", "x.etf:4: `9' is no type of dependencies: 0 to 8 is expected", TS_ERROR_FORMAT },
  { "D 0 -1 0 1;\n", "x.etf:4: `-1' is no type of dependencies: 0 to 8 is expected", TS_ERROR_FORMAT },
  { "D 0 00 0 1;\n", "x.etf:4: `00' is no type of dependencies: 0 to 8 is expected", TS_ERROR_FORMAT },
  { "D 0 1 0;\n", "x.etf:4: too few fields; expected: an id, a type, a source and a destination",
    TS_ERROR_FORMAT },
  { "S 0;\nS 0;\n", "x.etf:5: signal 0 was declared in line 4", TS_ERROR_FORMAT },
  { "S ;\n", "x.etf:4: too few fields; expected: an id", TS_ERROR_FORMAT },
  { "S 0;\nF 0 0 1 0 0 0 ; a=b\n", "x.etf:5: a fragment of a signal has no attributes and no `;'", TS_ERROR_FORMAT },
  { "S 0;\nF 0 0 1 0 0\n", "x.etf:5: too few fields; expected: a signal, two times and three coefficients",
    TS_ERROR_FORMAT },
  { "S 0;\nF 0 0 1 0 0 x\n", "x.etf:5: coefficient `x' is no number", TS_ERROR_FORMAT },
  { "S 0;\nF 0 2 1 0 0 0\n", "x.etf:5: the fragment ends at 1, before it starts at 2", TS_ERROR_FORMAT },
  { "S 0;\nF 0 0 1.5 0 0 0\nF 0 1.51 2 0 0 0\n",
    "x.etf:6: the fragment starts at 1.51, which is not where the one before ends", TS_ERROR_FORMAT },
};

START_TEST (what_cannot_be_meant_is_an_error_with_its_line)
{
  g_autofree char *text = g_strconcat (HEAD, errors[_i].text, NULL);
  g_autoptr (EtfReading) reading = etf_reading_new (text, -1, 0, NULL);

  ck_assert_msg (reading->error != NULL, "no error from %s", errors[_i].text);
  ck_assert_str_eq (reading->error->message, errors[_i].message);
  ck_assert_int_eq (reading->error->code, errors[_i].code);
}
END_TEST

static const struct
{
  const char    *text;
  TsDiagnosticId id;
  guint64        count, line;
} counted[] = {
  { "C 0 0 1 0 1\n", TS_DIAGNOSTIC_NO_SEPARATOR, 1, 4 },
  { "E 0 0 ; a=b\nE 1 1\n", TS_DIAGNOSTIC_NO_SEPARATOR, 1, 5 },
  { "C 0 0 1 0 1; name=a=b\nC 1 1 2 0 1;name\n", TS_DIAGNOSTIC_BAD_ATTRIBUTE, 2, 4 },
  { "C 0 0 1 0 1; name=a,=x\nC 1 1 2 0 1; =y,name=a, =z,foo\n", TS_DIAGNOSTIC_BAD_ATTRIBUTE, 4, 4 },
  { "C 0 0 1 0 1; name=a,=x, =x\n", TS_DIAGNOSTIC_DUPLICATE_ATTRIBUTE, 0, 0 },
  { "C 0 0 1 0 1; name=a,\nC 1 1 2 0 1; name=a, \nC 2 2 3 0 1; name=a,\t \r\nC 3 3 4 0 1; name=a,,\n", TS_DIAGNOSTIC_BAD_ATTRIBUTE,
    1, 7 },
  { "C 0 0 1 0 1; name=a, name=b\n", TS_DIAGNOSTIC_DUPLICATE_ATTRIBUTE, 1, 4 },
  { "C 0 0 1 0 3; name=a\n", TS_DIAGNOSTIC_BEYOND_CAPACITY, 1, 4 },
  { "C 0 0 1 1 5 4; name=a\n", TS_DIAGNOSTIC_BEYOND_CAPACITY, 1, 4 },
  { "C 0 0 1 1 7 1.5; name=a\nC 1 1 2 1 6 1.75; name=a\n", TS_DIAGNOSTIC_BEYOND_CAPACITY, 1, 4 },
  { "C 0 0 1 0 -1; name=a\n", TS_DIAGNOSTIC_BEYOND_CAPACITY, 1, 4 },
  { "C 0 0 1 9 5; name=a\nR 9 4 false;\n", TS_DIAGNOSTIC_BEYOND_CAPACITY, 1, 4 },
  { "C 0 0 1 9 4; name=a\nC 1 0 1 9 5; name=a\nC 2 1 2 9 6.5; name=a\nC 3 2 3 9 -1; name=a\nR 9 4 false;\n",
    TS_DIAGNOSTIC_BEYOND_CAPACITY, 3, 5 },
  { "C 0 0 2 0 2; name=a\nC 1 1 2 0 1;name=b\n", TS_DIAGNOSTIC_OVERSUBSCRIBED, 1, 2 },
  { "TS 0 ; a=b\nTSS 0 0 ;\nTSP 0 0 1 2\nTSR 0 0 1 2\n", TS_DIAGNOSTIC_TIME_SERIES, 4, 4 },
  { "S 0;\nF 0 0 152.643 1 2 3\nF 0 152.643 152.643 0 0 0\nF 0 152.6430 152.643 -1 0.0 1e-300\n",
    TS_DIAGNOSTIC_EMPTY_DOMAIN, 2, 6 },
  /* of stamps eighteen decimals are compared; nobody looks at how large a coefficient is */
  { "S 0;\nF 0 0 0.1234567890123456781 99999999999999999999 0 1e99\nF 0 0.1234567890123456784 1 0 -99999999999999999999 0\n",
    TS_DIAGNOSTIC_ROUNDED_TIME, 2, 5 },
  { "S 0;\nS 1;\nF 1 0 1 0 0 0\n", TS_DIAGNOSTIC_EMPTY_SIGNAL, 1, 4 },
  { "F 1 0 1 0 0 0\nF 2 9 9.5 0 0 0\nF 1 1 2 0 0 0\nS 1;\nS 2;\nF 2 9.50 10 0 0 0\n", TS_DIAGNOSTIC_EMPTY_SIGNAL, 0, 0 },
  { "C 0 0 1 0 1; name=a", TS_DIAGNOSTIC_NO_LINE_END, 1, 4 },
  { "C 0 0 1 0 1; name=a\nC 1 0 1", TS_DIAGNOSTIC_TRUNCATED, 1, 5 },
  { "C 0 0 1 0 1; name=a\nE 0 12", TS_DIAGNOSTIC_TRUNCATED, 1, 5 },
  { "C 0 0 1 0 1; name=a\nC 1 1 2 0 1\nE 0 12", TS_DIAGNOSTIC_TRUNCATED, 0, 0 },
  { "C 0 0 1 0 1; name=a\nC 1 1 2 0 1\nE 0 12", TS_DIAGNOSTIC_NO_LINE_END, 1, 6 },
  { "C 0 0 1 0 1; name=a\nD 0 0 0 1;\nC 1 0 1", TS_DIAGNOSTIC_UNKNOWN_REFERENCE, 1, 5 },
  { "C 0 0 1 0 1; name=a\nD 0 0 0 1;\nE 0 1; x=a", TS_DIAGNOSTIC_UNKNOWN_REFERENCE, 1, 5 },
  { "\nD 0 0 7 8;\nC 7 0 1 0 1;\nE 8 1;\n", TS_DIAGNOSTIC_UNKNOWN_REFERENCE, 1, 5 },
  { "D 0 4 7 7;\nC 7 0 1 0 1;\n", TS_DIAGNOSTIC_UNKNOWN_REFERENCE, 1, 4 },
  { "D 0 5 c 7;\nC c 0 1 0 1;\nD 1 5 c 8;\n", TS_DIAGNOSTIC_UNKNOWN_REFERENCE, 2, 4 },
  { "D 0 8 e 7;\nE e 0;\n", TS_DIAGNOSTIC_UNKNOWN_REFERENCE, 1, 4 },
  { "F 0 0 1 0 0 0\nF 0 1 2 0 0 0\n", TS_DIAGNOSTIC_UNKNOWN_REFERENCE, 1, 4 },
  { "C 0 0 1 0 1; x=a\n", TS_DIAGNOSTIC_NO_ELEMENT_KEY, 1, 4 },
  { "C 0 0 1 0 1; name= \n", TS_DIAGNOSTIC_NO_ELEMENT_KEY, 1, 4 },
};

START_TEST (what_can_be_read_all_the_same_is_counted)
{
  g_autofree char *text = g_strconcat (HEAD, counted[_i].text, NULL);
  g_autoptr (EtfReading) reading = etf_reading_new (text, -1, 0, NULL);
  const TsDiagnostic *entry = &reading->diagnostics->entries[counted[_i].id];

  ck_assert_msg (reading->error == NULL, "%s", reading->error != NULL ? reading->error->message : "");
  ck_assert_uint_eq (entry->count, counted[_i].count);
  ck_assert_uint_eq (entry->line, counted[_i].line);
}
END_TEST

/* Lists of 32 pairs, which are too many to be compared with one another. Of each, three keys come again: one of the first, one of
 * the last, and the name, the last of which counts. Two that differ behind a zero byte are not the same. */
START_TEST (keys_that_come_again_in_long_lists_are_counted)
{
  g_autoptr (GString) text = g_string_new (HEAD);

  for (guint i = 0; i < 40; i++)
    {
      g_string_append_printf (text, "C %u %u %u 0 1 ;name=b", i, 2 * i, 2 * i + 1);
      for (guint key = 0; key < 26; key++)
        g_string_append_printf (text, ",k%u=%u", key, i);
      g_string_append_len (text, ",x\0a=1,x\0b=2", 12);
      g_string_append_printf (text, ",k3=1,k25=2,name=a%s\n", i % 2 == 0 ? "" : "\r");
    }
  for (guint i = 0; i < 4; i++)
    {
      const TsOptions        options = { .no_scanner = i % 2 == 0 };
      g_autoptr (EtfReading) reading = etf_reading_new (text->str, (gssize) text->len, i < 2 ? 0 : 977, &options);
      g_autofree char       *instances = etf_reading_instances (reading);

      ck_assert_msg (g_str_has_prefix (instances, "a#1 - 0 1 1 0/0; a#2 - 2 3 1 0/0; "), "%.60s", instances);
      ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_DUPLICATE_ATTRIBUTE].count, 3 * 40);
      ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_DUPLICATE_ATTRIBUTE].line, 4);
      ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_BAD_ATTRIBUTE].count, 0);
    }
}
END_TEST

/* Of the nine types 4 to 6 end in events, and 4, 7 and 8 begin in them. */
START_TEST (what_a_dependency_refers_to_in_vain_is_named)
{
  static const struct
  {
    const char *dependency, *detail;
  } cases[] = { { "D 0 2 7 1;\n", "claim 7" }, { "D 0 2 1 8;\n", "claim 8" }, { "D 0 7 7 1;\n", "event 7" },
                { "D 0 8 e 8;\n", "claim 8" }, { "D 0 6 1 8;\n", "event 8" }, { "D 0 4 7 8;\n", "event 7" } };
  g_autofree char *text = g_strconcat (HEAD "C 1 0 1 0 1; name=a\nE e 0; what=e\n", cases[_i].dependency, NULL);
  g_autoptr (EtfReading) reading = etf_reading_new (text, -1, 0, NULL);

  ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_UNKNOWN_REFERENCE].count, 1);
  ck_assert_str_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_UNKNOWN_REFERENCE].detail, cases[_i].detail);
}
END_TEST

/* The claim 1..2 may have been one of 1..25, and the event of 1 one of 12: the section ends at 4. */
START_TEST (a_last_line_without_an_end_and_a_separator_is_not_used)
{
  static const char *const last[] = { "C 1 1 2 0 1", " \tE 0 1", "E 0 9", "D 0 2 0 1" };
  g_autofree char *text = g_strconcat (HEAD "C 0 0 4 0 1; name=a\n", last[_i], NULL);
  g_autoptr (EtfReading) reading = etf_reading_new (text, -1, _i % 2 == 0 ? 0 : 7, NULL);
  g_autofree char *instances = etf_reading_instances (reading);

  ck_assert_str_eq (instances, "a#1 - 0 4 4 0/0");
  ck_assert_uint_eq (ts_system_n_elements (reading->system), 1);
  ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_TRUNCATED].line, 5);
  ck_assert_str_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_TRUNCATED].detail, "there is no `;'");
}
END_TEST

/* The second claim waits for the first one, which has ended at 1, and for one that is not in the file: nobody knows since when
 * it could have started. The third one waits for the second. Whether a dependency comes before what it refers to or
 * behind it makes no difference. */
START_TEST (what_waits_for_something_unknown_has_no_activation)
{
  static const char *const claims = "C 0 0 1 0 1; name=a\nC 1 2 3 0 1; name=a\nC 2 5 6 0 1; name=a\n";
  static const char *const dependencies[] = { "D 0 2 0 1;\nD 1 2 9 1;\nD 2 2 1 2;\n", "D 1 2 9 1;\nD 0 2 0 1;\nD 2 2 1 2;\n" };
  const gboolean           is_before = _i % 2 == 0;
  g_autofree char         *text = g_strconcat (HEAD, is_before ? dependencies[_i / 2] : "", claims,
                                               is_before ? "" : dependencies[_i / 2], NULL);
  TsOptions                options = { .activation = (char *) "dep" };
  g_autoptr (EtfReading)   reading = etf_reading_new (text, -1, 0, &options);
  g_autofree char         *instances = etf_reading_instances (reading);

  ck_assert_str_eq (instances, "a#1 - 0 1 1 0/0; a#2 - 2 3 1 0/0; a#3 3 5 6 1 0/0");
  ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_UNKNOWN_REFERENCE].count, 1);
}
END_TEST

/* The same of a job that two claims start, of which either waits for claim 9. */
START_TEST (a_job_that_waits_for_something_unknown_has_no_activation)
{
  static const char *const dependencies[] = { "D 0 7 e 0;\nD 1 2 9 1;\n", "D 0 7 e 1;\nD 1 2 9 0;\n", "D 1 2 9 1;\nD 0 7 e 0;\n",
                                              "D 0 7 e 0;\nD 1 7 e 1;\n" };
  g_autofree char *text = g_strconcat (HEAD "C 0 5 6 0 1; name=a, id=1\nC 1 5 7 0 1; name=a, id=1\nE e 1; what=e\n",
                                       dependencies[_i], NULL);
  TsOptions options = { .activation = (char *) "dep", .instance_key = (char *) "id" };
  g_autoptr (EtfReading) reading = etf_reading_new (text, -1, 0, &options);
  g_autofree char *instances = etf_reading_instances (reading);

  ck_assert_str_eq (instances, _i < 3 ? "a#1 - 5 7 2 0/0" : "a#1 1 5 7 2 0/0");
  ck_assert_uint_eq (reading->diagnostics->entries[TS_DIAGNOSTIC_UNKNOWN_REFERENCE].count, _i < 3);
}
END_TEST

/* The second claim may start when the first has ended, at 1. The third has hundredths, and so have all from then on; it may start
 * when the second has started, at 2. */
START_TEST (an_activation_is_the_same_in_finer_units)
{
  const TsOptions options = { .activation = (char *) "dep" };
  g_autoptr (EtfReading) reading = etf_reading_new (HEAD "C 0 0 1 0 1; name=a\nC 1 2 3 0 1; name=a\nD 0 2 0 1;\n"
                                                    "C 2 5.25 6 0 1; name=a\nD 1 0 1 2;\n", -1, 0, &options);
  g_autofree char *instances = etf_reading_instances (reading);

  ck_assert_str_eq (instances, "a#1 - 0 100 100 0/0; a#2 100 200 300 100 0/0; a#3 200 525 600 75 0/0");
}
END_TEST

/* Units are halves of a second then. */
START_TEST (an_unknown_activation_stays_one_in_finer_units)
{
  const TsOptions options = { .activation = (char *) "dep", .has_from = TRUE,
                              .from = { .value = { 1, 2 }, .in_ticks = TRUE } };
  g_autoptr (EtfReading) reading = etf_reading_new (HEAD "C 0 0 1 0 1; name=a\nC 1 2 3 0 1; name=a\nD 0 2 0 1;\nD 1 2 9 1;\n",
                                                    -1, 0, &options);
  g_autofree char *instances = etf_reading_instances (reading);

  ck_assert_str_eq (instances, "a#1 - 0 2 2 0/0; a#2 - 4 6 2 0/0");
}
END_TEST

START_TEST (no_byte_ends_a_name)
{
  const char text[] = HEAD "C 0 0 1 0 1; name=a\0b\nC 1 2 3 0 1; name=a\0c\n";
  g_autoptr (EtfReading) reading = etf_reading_new (text, sizeof text - 1, 0, NULL);

  ck_assert_uint_eq (ts_system_n_elements (reading->system), 2);
  ck_assert_str_eq (ts_system_get_element (reading->system, 0)->name, "a\xef\xbf\xbd" "b");
  ck_assert_str_eq (ts_system_get_element (reading->system, 1)->name, "a\xef\xbf\xbd" "c");
}
END_TEST

START_TEST (the_old_format_is_refused_by_name)
{
  g_autoptr (EtfReading) reading = etf_reading_new ("TraceVersion\tV0.1\nConfigurationID\t1\n", -1, 0, NULL);

  ck_assert_ptr_nonnull (reading->error);
  ck_assert_str_eq (reading->error->message, "x.etf:1: this is the old format TRACE V0.1, which needs its configuration file; "
                                             "it is not supported");
}
END_TEST

START_TEST (an_empty_input_is_an_error)
{
  g_autoptr (EtfReading) reading = etf_reading_new ("", 0, 0, NULL);

  ck_assert_str_eq (reading->error->message, "x.etf: empty input");
}
END_TEST

START_TEST (options_that_make_no_sense_are_errors)
{
  static const struct
  {
    TsOptions   options;
    const char *message;
  } cases[] = {
    { { .activation = (char *) "sometimes" },
      "--activation sometimes: none, dep, dep:KEY=VALUE or event:KEY=VALUE is expected" },
    { { .activation = (char *) "event" }, "--activation event: none, dep, dep:KEY=VALUE or event:KEY=VALUE is expected" },
    { { .activation = (char *) "dep:x" }, "--activation dep:x: none, dep, dep:KEY=VALUE or event:KEY=VALUE is expected" },
    { { .element_key = (char *) "a,,b" }, "--element-key a,,b: names of attributes are expected, with commas between them" },
    { { .instance_key = (char *) "a,b,c,d,e,f,g,h,i" }, "--instance-key a,b,c,d,e,f,g,h,i: more than 8 attributes" },
    { { .instance_key = (char *) "" }, "--instance-key : names of attributes are expected, with commas between them" },
    { { .exec_resources = (char *) "" }, "--exec-resources : names of resources are expected, with commas between them" },
    { { .exec_resources = (char *) "a, " }, "--exec-resources a, : names of resources are expected, with commas between them" },
    { { .object_key = (char *) "!=1" }, "--object-key !=1: KEY or KEY!=VALUE is expected" },
  };
  g_autoptr (EtfReading) reading = etf_reading_new (HEAD, -1, 0, &cases[_i].options);

  ck_assert_ptr_nonnull (reading->error);
  ck_assert_str_eq (reading->error->message, cases[_i].message);
  ck_assert_int_eq (reading->error->code, TS_ERROR_USAGE);
  /* so it is before anything is read */
  g_clear_error (&reading->error);
  ck_assert (!ts_options_check (&cases[_i].options, &reading->error));
  ck_assert_str_eq (reading->error->message, cases[_i].message);
}
END_TEST

/* At the limit and one byte beyond. */
START_TEST (lines_have_a_limit)
{
  static const gsize chunks[] = { 0, 4096 };
  g_autofree char *value = g_strnfill (1024 * 1024 - 19, 'x');
  g_autofree char *at = g_strdup_printf (HEAD "C 0 0 1 0 1 ; name=%s\r\nE 0 0;\n", value);
  g_autofree char *beyond = g_strdup_printf (HEAD "C 0 0 1 0 1 ; name=%sx\r\nE 0 0;\n", value);

  for (guint i = 0; i < G_N_ELEMENTS (chunks); i++)
    {
      g_autoptr (EtfReading) good = etf_reading_new (at, -1, chunks[i], NULL);
      g_autoptr (EtfReading) bad = etf_reading_new (beyond, -1, chunks[i], NULL);

      ck_assert_msg (good->error == NULL, "%s", good->error != NULL ? good->error->message : "");
      ck_assert_ptr_nonnull (bad->error);
      ck_assert_str_eq (bad->error->message, "x.etf:4: a line of more than 1048576 bytes");
    }
}
END_TEST

/* Ids of every kind that maps treat differently: one after another, nearly so, far apart, texts; from 0 on or from another
 * one, with some that are less than the first, by no more than there is room for in front of it, or by more. */
#define MANY_IDS 3000

static char *
nth_id (int kind, guint i)
{
  switch (kind)
    {
    case 0:
      return g_strdup_printf ("%u", i);
    case 1:
      return g_strdup_printf ("%u", i ^ 5);
    case 2:
      return g_strdup_printf ("%u000000", i);
    case 3:
      return g_strdup_printf ("x%u", i);
    case 4:
      return g_strdup_printf ("%u", i + 1);
    case 5:
      return g_strdup_printf ("9%014u", i);
    case 6:
      return g_strdup_printf ("9%014u", i ^ 511);
    case 7:
      return g_strdup_printf ("%u", (i + 700) % MANY_IDS);
    case 8:
      return g_strdup_printf (i < MANY_IDS / 2 ? "%u" : "%u00000", i + 1);
    case 9:
      return g_strdup_printf ("%u", i > 0 ? i + 8 : 7);
    case 10: /* from eighteen digits to nineteen */
      return g_strdup_printf ("%" G_GUINT64_FORMAT, G_GUINT64_CONSTANT (999999999999999000) + i);
    case 11: /* up to 2^63 - 1, and from there on */
      return g_strdup_printf ("%" G_GUINT64_FORMAT, (guint64) G_MAXINT64 - 1000 + i);
    default:
      return g_strdup_printf (i < MANY_IDS / 2 ? "%u" : "x%u", i + 1);
    }
}

START_TEST (ids_are_found_whatever_they_are)
{
  g_autoptr (GString) text = g_string_new (HEAD);
  TsOptions options = { .activation = (char *) "dep" };

  for (guint i = 0; i < MANY_IDS; i++)
    {
      g_autofree char *id = nth_id (_i, i);

      g_string_append_printf (text, "C %s %u %u 0 1;name=A\n", id, 2 * i, 2 * i + 1);
    }
  /* each is activated by the end of the claim before it */
  for (guint i = 1; i < MANY_IDS; i++)
    {
      g_autofree char *from = nth_id (_i, i - 1), *to = nth_id (_i, i);

      g_string_append_printf (text, "D %u 2 %s %s;\n", i, from, to);
    }
  {
    g_autoptr (EtfReading) reading = etf_reading_new (text->str, (gssize) text->len, 0, &options);

    ck_assert_msg (reading->error == NULL, "%s", reading->error != NULL ? reading->error->message : "");
    ck_assert_uint_eq (reading->instances->len, MANY_IDS);
    for (guint i = 1; i < MANY_IDS; i++)
      {
        const TsInstance *instance = &g_array_index (reading->instances, TsInstance, i);

        ck_assert (instance->flags & TS_INSTANCE_HAS_ACTIVATION);
        ck_assert_int_eq (instance->activation, 2 * (gint64) i - 1);
      }
  }
}
END_TEST

/* The first one, one of the middle and the last one come again; the claims are in lines 4 to n + 3. */
START_TEST (no_id_comes_twice)
{
  static const guint again[] = { 0, MANY_IDS / 2, MANY_IDS - 1 };

  for (guint k = 0; k < G_N_ELEMENTS (again); k++)
    {
      g_autoptr (GString) text = g_string_new (HEAD);
      g_autofree char *last = nth_id (_i, again[k]);
      g_autofree char *message = g_strdup_printf ("x.etf:%u: a second claim has the id %s", MANY_IDS + 4, last);

      for (guint i = 0; i < MANY_IDS; i++)
        {
          g_autofree char *id = nth_id (_i, i);

          g_string_append_printf (text, "C %s %u %u 0 1;name=A\n", id, 2 * i, 2 * i + 1);
        }
      g_string_append_printf (text, "C %s 9999 9999 0 1;name=A\n", last);
      {
        g_autoptr (EtfReading) reading = etf_reading_new (text->str, (gssize) text->len, 0, NULL);

        ck_assert_ptr_nonnull (reading->error);
        ck_assert_str_eq (reading->error->message, message);
      }
    }
}
END_TEST

/* Every kind of error and of diagnostic, in chunks of every size. */
START_TEST (chunks_change_nothing)
{
  static const gsize chunks[] = { 1, 2, 3, 5, 7, 64 };
  gboolean         is_error = (gsize) _i < G_N_ELEMENTS (errors);
  g_autofree char *text = g_strconcat (HEAD, is_error ? errors[_i].text : counted[_i - (int) G_N_ELEMENTS (errors)].text, NULL);
  g_autoptr (EtfReading) whole = etf_reading_new (text, -1, 0, NULL);
  g_autofree char *expected = etf_reading_dump (whole);

  for (guint i = 0; i < G_N_ELEMENTS (chunks); i++)
    {
      g_autoptr (EtfReading) reading = etf_reading_new (text, -1, chunks[i], NULL);
      g_autofree char *dump = etf_reading_dump (reading);

      ck_assert_str_eq (dump, expected);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("ETF, bad");
  TCase *test_case = tcase_create ("bad");

  tcase_add_loop_test (test_case, what_cannot_be_meant_is_an_error_with_its_line, 0, G_N_ELEMENTS (errors));
  tcase_add_loop_test (test_case, what_can_be_read_all_the_same_is_counted, 0, G_N_ELEMENTS (counted));
  tcase_add_test (test_case, keys_that_come_again_in_long_lists_are_counted);
  tcase_add_loop_test (test_case, what_a_dependency_refers_to_in_vain_is_named, 0, 6);
  tcase_add_loop_test (test_case, a_last_line_without_an_end_and_a_separator_is_not_used, 0, 4);
  tcase_add_loop_test (test_case, what_waits_for_something_unknown_has_no_activation, 0, 4);
  tcase_add_test (test_case, an_activation_is_the_same_in_finer_units);
  tcase_add_test (test_case, an_unknown_activation_stays_one_in_finer_units);
  tcase_add_test (test_case, no_byte_ends_a_name);
  tcase_add_loop_test (test_case, a_job_that_waits_for_something_unknown_has_no_activation, 0, 4);
  tcase_add_test (test_case, the_old_format_is_refused_by_name);
  tcase_add_test (test_case, an_empty_input_is_an_error);
  tcase_add_loop_test (test_case, options_that_make_no_sense_are_errors, 0, 9);
  tcase_add_test (test_case, lines_have_a_limit);
  tcase_add_loop_test (test_case, ids_are_found_whatever_they_are, 0, 13);
  tcase_add_loop_test (test_case, no_id_comes_twice, 0, 13);
  tcase_add_loop_test (test_case, chunks_change_nothing, 0, G_N_ELEMENTS (errors) + G_N_ELEMENTS (counted));
  suite_add_tcase (suite, test_case);
  return unit_run (suite);
}
