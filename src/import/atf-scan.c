/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/atf.h"

/* A quick reader of trace entries. Nearly all of an ATF file is TraceEntry elements that
 * one program wrote in one way. Where libxml2 has read everything up to a point between
 * two children of TraceData, entries of plain digits are read here, and the rest of the
 * document goes on to libxml2. What is read here is well-formed by construction; anything
 * else, down to a duplicate attribute, is left for libxml2 to judge.
 *
 * One entry is looked at attribute by attribute, and those that look like it are left to
 * atf-alike.c. */

#define MAX_DIGITS 24

gboolean
ts_atf_scan_number (const guint8 *p, const guint8 *end, gboolean point, TsAtfNumber *number)
{
  const guint8 *begin = p, *decimals;

  while (p < end && g_ascii_isdigit (*p))
    p++;
  if (p == begin)
    return FALSE;
  number->begin = begin;
  number->end = p;
  if (point && p < end && *p == '.')
    {
      for (decimals = ++p; p < end && g_ascii_isdigit (*p);)
        p++;
      number->end = p;
      if (p == decimals)
        return FALSE;
    }
  return p - begin <= MAX_DIGITS;
}

void
ts_atf_scan_entry (TsAtf *atf, const TsAtfNumber *numbers, guint64 line)
{
  TsAtfText texts[TS_ATF_SCAN_NUMBERS];

  for (guint i = 0; i < TS_ATF_SCAN_NUMBERS; i++)
    texts[i] = (TsAtfText){ (const char *) numbers[i].begin, (const char *) numbers[i].end };
  ts_atf_entry (atf, &texts[TS_ATF_SCAN_TIME], &texts[TS_ATF_SCAN_EVENT], &texts[TS_ATF_SCAN_REFERENCE], line);
}

typedef enum
{
  FOUND,
  CUT,   /* the bytes end within what may be an entry */
  OTHER, /* not an entry, or none that is read here */
} Finding;

static const guint8 *
skip_blanks (const guint8 *p, const guint8 *end)
{
  while (p < end && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r'))
    p++;
  return p;
}

/* Moves over @text if it stands at *p. */
static Finding
expect (const guint8 **p, const guint8 *end, const char *text)
{
  gsize length = strlen (text), available = MIN (length, (gsize) (end - *p));

  if (memcmp (*p, text, available) != 0)
    return OTHER;
  *p += available;
  return available == length ? FOUND : CUT;
}

static Finding
find_attribute (const guint8 **p, const guint8 *end, TsAtfNumber *numbers, guint8 *role)
{
  static const char *const names[TS_ATF_SCAN_NUMBERS] = { "Time=\"", "EventID=\"", "ReferenceID=\"" };
  Finding                  finding = OTHER;

  for (*role = 0; *role < TS_ATF_SCAN_NUMBERS; ++*role)
    {
      const guint8 *start = *p;

      finding = expect (&start, end, names[*role]);
      if (finding == OTHER)
        continue;
      *p = start;
      break;
    }
  if (finding != FOUND)
    return finding;
  if (!ts_atf_scan_number (*p, end, *role == TS_ATF_SCAN_TIME, &numbers[*role]))
    return *p == end || (end - *p <= MAX_DIGITS && numbers[*role].end == end) ? CUT : OTHER;
  *p = numbers[*role].end;
  return expect (p, end, "\"");
}

/* From @p, the end of the child before, to the end of an entry. */
static Finding
find_entry (const guint8 *p, const guint8 *end, TsAtfNumber *numbers, guint8 *roles, const guint8 **entry_end)
{
  guint   seen = 0;
  Finding finding;

  memset (numbers, 0, TS_ATF_SCAN_NUMBERS * sizeof *numbers);
  p = skip_blanks (p, end);
  finding = expect (&p, end, "<TraceEntry");
  for (guint i = 0; i < TS_ATF_SCAN_NUMBERS && finding == FOUND; i++)
    {
      const guint8 *name = skip_blanks (p, end);

      if (name == end)
        return CUT;
      if (name == p)
        return OTHER;
      p = name;
      finding = find_attribute (&p, end, numbers, &roles[i]);
      if (finding == FOUND && (seen & (1u << roles[i])) != 0)
        return OTHER;
      seen |= 1u << roles[i];
    }
  if (finding != FOUND)
    return finding;
  p = skip_blanks (p, end);
  if (p < end && *p == '>')
    finding = expect (&p, end, "></TraceEntry>");
  else
    finding = expect (&p, end, "/>");
  *entry_end = p;
  return finding;
}

gsize
ts_atf_scan (TsAtf *atf, const guint8 *bytes, gsize length, gboolean *stopped)
{
  const guint8  *p = bytes, *end = bytes + length, *entry_end = NULL;
  TsAtfTemplate *template = &atf->scan.template;
  guint64        line = ts_atf_line (atf);
  TsAtfNumber    numbers[TS_ATF_SCAN_NUMBERS];
  guint8         roles[TS_ATF_SCAN_NUMBERS];
  Finding        finding = FOUND;

  while (finding == FOUND && atf->error == NULL)
    {
      if (template->is_known)
        p = ts_atf_alike_scan (atf, p, end, &line);
      finding = find_entry (p, MIN (end, p + TS_ATF_MAX_ENTRY), numbers, roles, &entry_end);
      if (finding == CUT && end - p >= TS_ATF_MAX_ENTRY)
        finding = OTHER;
      if (finding != FOUND)
        break;
      ts_atf_alike_learn (atf, p, entry_end, numbers, roles);
      ts_atf_scan_entry (atf, numbers, line + template->lines_before);
      line += template->lines;
      p = entry_end;
    }
  *stopped = finding == OTHER || atf->error != NULL;
  atf->scan.misses = p > bytes ? 0 : atf->scan.misses + *stopped;
  /* libxml2 goes on counting from here */
  atf->parser->input->line = (int) MIN (line, G_MAXINT);
  return (gsize) (p - bytes);
}
