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

/* The quotation mark that begins a value, and moves over it. */
static Finding
find_mark (const guint8 **p, const guint8 *end, guint8 *mark)
{
  if (*p == end)
    return CUT;
  *mark = **p;
  if (*mark != '"' && *mark != '\'')
    return OTHER;
  ++*p;
  return FOUND;
}

static Finding
expect_mark (const guint8 **p, const guint8 *end, guint8 mark)
{
  if (*p == end)
    return CUT;
  return *(*p)++ == mark ? FOUND : OTHER;
}

/* The digits at *p, in quotation marks. */
static Finding
find_number (const guint8 **p, const guint8 *end, gboolean point, TsAtfNumber *number)
{
  guint8  mark;
  Finding finding = find_mark (p, end, &mark);

  if (finding != FOUND)
    return finding;
  if (!ts_atf_scan_number (*p, end, point, number))
    return *p == end || (end - *p <= MAX_DIGITS && number->end == end) ? CUT : OTHER;
  *p = number->end;
  return expect_mark (p, end, mark);
}

#define STARTS_WITH(p, end, text) ((gsize) ((end) - (p)) >= strlen (text) && memcmp (p, text, strlen (text)) == 0)

/* Moves over the name of a number and the equals sign. TS_ATF_SCAN_NUMBERS: it is another name, or not whole. */
static inline guint8
find_role (const guint8 **p, const guint8 *end)
{
  if (STARTS_WITH (*p, end, "Time="))
    {
      *p += strlen ("Time=");
      return TS_ATF_SCAN_TIME;
    }
  if (STARTS_WITH (*p, end, "EventID="))
    {
      *p += strlen ("EventID=");
      return TS_ATF_SCAN_EVENT;
    }
  if (STARTS_WITH (*p, end, "ReferenceID="))
    {
      *p += strlen ("ReferenceID=");
      return TS_ATF_SCAN_REFERENCE;
    }
  return TS_ATF_SCAN_NUMBERS;
}

const guint8 *
ts_atf_scan_name (const guint8 *p, const guint8 *end)
{
  while (p < end && (g_ascii_isalnum (*p) || *p == '_' || *p == '-' || *p == '.'))
    p++;
  return p;
}

gboolean
ts_atf_others_add (TsAtfOthers *others, const guint8 *begin, const guint8 *end)
{
  static const char *const known[] = { "Time", "EventID", "ReferenceID" };
  gsize                    length = (gsize) (end - begin);

  if (others->n == TS_ATF_MAX_OTHERS || length == 0 || !(g_ascii_isalpha (*begin) || *begin == '_')
      || (length >= 3 && g_ascii_strncasecmp ((const char *) begin, "xml", 3) == 0))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (length == strlen (known[i]) && memcmp (begin, known[i], length) == 0)
      return FALSE;
  for (guint i = 0; i < others->n; i++)
    if (length == others->names[i].length && memcmp (begin, others->names[i].begin, length) == 0)
      return FALSE;
  others->names[others->n].begin = begin;
  others->names[others->n++].length = length;
  return TRUE;
}

/* Moves over an attribute that means nothing. */
static Finding
skip_other (const guint8 **p, const guint8 *end, TsAtfOthers *others)
{
  const guint8 *begin = *p;
  guint8        mark;
  Finding       finding;

  *p = ts_atf_scan_name (begin, end);
  if (*p == end)
    return CUT;
  /* with the equals sign a number would have been known by its name */
  if (**p != '=' || !ts_atf_others_add (others, begin, *p))
    return OTHER;
  ++*p;
  finding = find_mark (p, end, &mark);
  if (finding != FOUND)
    return finding;
  while (*p < end && g_ascii_isprint (**p) && **p != mark && strchr ("<>&", **p) == NULL)
    ++*p;
  return expect_mark (p, end, mark);
}

/* All attributes, up to what ends the tag; the numbers by their roles, and @roles in their order. */
static Finding
find_attributes (const guint8 **p, const guint8 *end, TsAtfNumber *numbers, guint8 *roles)
{
  TsAtfOthers others = { .n = 0 };
  guint       n_found = 0, seen = 0;
  Finding     finding = FOUND;

  while (finding == FOUND)
    {
      const guint8 *begin = *p;
      guint8        role;

      *p = skip_blanks (begin, end);
      if (*p == end)
        return CUT;
      if (**p == '>' || **p == '/')
        return n_found == TS_ATF_SCAN_NUMBERS ? FOUND : OTHER;
      if (*p == begin)
        return OTHER;
      role = find_role (p, end);
      if (role == TS_ATF_SCAN_NUMBERS)
        {
          finding = skip_other (p, end, &others);
          continue;
        }
      if ((seen & 1u << role) != 0)
        return OTHER;
      seen |= 1u << role;
      roles[n_found++] = role;
      finding = find_number (p, end, role == TS_ATF_SCAN_TIME, &numbers[role]);
    }
  return finding;
}

/* From @p, the end of the child before, to the end of an entry. */
static Finding
find_entry (const guint8 *p, const guint8 *end, TsAtfNumber *numbers, guint8 *roles, const guint8 **entry_end)
{
  Finding finding;

  memset (numbers, 0, TS_ATF_SCAN_NUMBERS * sizeof *numbers);
  p = skip_blanks (p, end);
  finding = expect (&p, end, "<TraceEntry");
  if (finding == FOUND)
    finding = find_attributes (&p, end, numbers, roles);
  if (finding != FOUND)
    return finding;
  if (*p == '>')
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
      if (template->mark != 0)
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
