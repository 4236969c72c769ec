/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/atf-bytes.h"
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
#define MAX_TIME 40 /* with a point: of binary fractions some writers print all */
#define MAX_AHEAD 64 /* entries that ask for nothing new before one is sure what they need */

static gssize
most_of (gboolean point)
{
  return point ? MAX_TIME : MAX_DIGITS;
}

gboolean
ts_atf_scan_number (const guint8 *p, const guint8 *end, gboolean point, TsAtfNumber *number)
{
  const guint8 *begin = p, *decimals;

  while (p < end && g_ascii_isdigit (*p))
    p++;
  number->begin = begin;
  number->end = p;
  if (p == begin)
    return FALSE;
  if (point && p < end && *p == '.')
    {
      for (decimals = ++p; p < end && g_ascii_isdigit (*p);)
        p++;
      number->end = p;
      if (p == decimals)
        return FALSE;
    }
  return p - begin <= most_of (point);
}

/* All of the value that has @number: it ends with the marks around, which were found. */
static TsAtfText
value_of (const TsAtfNumber *number)
{
  const guint8 *begin = number->begin, *end = number->end;

  while (begin[-1] == ' ')
    begin--;
  while (*end == ' ')
    end++;
  return (TsAtfText){ (const char *) begin, (const char *) end };
}

void
ts_atf_scan_entry (TsAtf *atf, const TsAtfNumber *numbers, guint64 line)
{
  TsAtfText texts[TS_ATF_SCAN_NUMBERS];

  for (guint i = 0; i < TS_ATF_SCAN_NUMBERS; i++)
    texts[i] = value_of (&numbers[i]);
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
  while (p < end && ts_atf_is_blank (*p))
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

static const guint8 *
skip_spaces (const guint8 *p, const guint8 *end)
{
  while (p < end && *p == ' ')
    p++;
  return p;
}

gboolean
ts_atf_scan_id (const guint8 *p, const guint8 *end, TsAtfNumber *number)
{
  if (!ts_atf_scan_number (skip_spaces (p, end), end, FALSE, number))
    return FALSE;
  number->begin = p;
  number->end = skip_spaces (number->end, end);
  return TRUE;
}

/* The digits at *p, and the mark that ends them, with any spaces in between: other blanks are for libxml2, since what ends
 * a line in a value is none that is counted. */
static Finding
find_number (const guint8 **p, const guint8 *end, guint8 mark, gboolean is_time, TsAtfNumber *number)
{
  if (is_time ? !ts_atf_scan_number (skip_spaces (*p, end), end, TRUE, number) : !ts_atf_scan_id (*p, end, number))
    return number->begin == end || (end - number->begin <= most_of (is_time) && number->end == end) ? CUT : OTHER;
  *p = skip_spaces (number->end, end);
  return expect_mark (p, end, mark);
}

/* A value that means nothing, and the mark that ends it. */
static Finding
skip_value (const TsAtf *atf, const guint8 **p, const guint8 *end, guint8 mark)
{
  while (*p < end && **p != mark)
    {
      const guint8 *next = *p + 1;

      if (**p < ' ' || **p == '<')
        return OTHER;
      if (**p == '&' || **p >= 0x80)
        {
          if (end - *p < TS_ATF_MAX_ODD)
            return CUT;
          next = ts_atf_pass_odd (atf->scan.encoding, *p);
        }
      if (next == NULL)
        return OTHER;
      *p = next;
    }
  return expect_mark (p, end, mark);
}

/* The name of an attribute. */
typedef struct
{
  const guint8 *begin;
  gsize         length;
  guint8        role; /* TS_ATF_SCAN_NUMBERS: it means nothing */
  gboolean      is_namespace;
} Name;

static gboolean
is_name (const Name *name, const char *text)
{
  return name->length == strlen (text) && memcmp (name->begin, text, name->length) == 0;
}

static guint8
find_role (const Name *name)
{
  static const char *const texts[] = { "Time", "EventID", "ReferenceID" };
  guint8                   role = 0;

  while (role < TS_ATF_SCAN_NUMBERS && !is_name (name, texts[role]))
    role++;
  return role;
}

/* The end of a name, without a prefix, at @p; @p where none begins. */
static const guint8 *
pass_name (const guint8 *p, const guint8 *end)
{
  if (p == end || !(g_ascii_isalpha (*p) || *p == '_'))
    return p;
  while (p < end && (g_ascii_isalnum (*p) || *p == '_' || *p == '-' || *p == '.'))
    p++;
  return p;
}

/* Those that begin with "xml" mean something to it. */
static gboolean
is_reserved (const guint8 *begin, const guint8 *end)
{
  return end - begin >= 3 && g_ascii_strncasecmp ((const char *) begin, "xml", 3) == 0;
}

static gboolean
begins_with (const guint8 *begin, const guint8 *end, const char *text)
{
  const gsize length = strlen (text);

  return (gsize) (end - begin) >= length && memcmp (begin, text, length) == 0;
}

/* Whether there is nothing to be said about a namespace of that name, as that of @name. Some libraries write an empty one into
 * each entry, where only the root was given one, or those of schemas into whatever they write. */
static gboolean
is_harmless_namespace (const Name *name, const guint8 *begin, const guint8 *end)
{
  gsize length = (gsize) (end - begin);

  if (length == 0)
    return is_name (name, "xmlns");
  for (const guint8 *p = begin; p < end; p++)
    if (!g_ascii_isalnum (*p) && strchr ("./-_", *p) == NULL && p != begin + strlen ("http"))
      return FALSE;
  /* those of XML itself are not to be given */
  return length > strlen ("http://") && begins_with (begin, end, "http://")
         && (begins_with (begin, end, "http://www.w3.org/2001/XMLSchema")
             || g_strstr_len ((const char *) begin, (gssize) length, "w3.org") == NULL);
}

/* Whether it gives the namespace of all that have no prefix, or of a prefix. */
static gboolean
is_namespace (const Name *name)
{
  const guint8 *end = name->begin + name->length;

  return is_name (name, "xmlns")
         || (begins_with (name->begin, end, "xmlns:") && !is_reserved (name->begin + strlen ("xmlns:"), end));
}

/* Moves over a name, with a prefix or not, and to the first character of its value. */
static Finding
find_name (const guint8 **p, const guint8 *end, Name *name, guint8 *mark)
{
  const guint8 *name_end = pass_name (*p, end);
  Finding       finding;

  if (name_end > *p && name_end < end && *name_end == ':')
    {
      const guint8 *local = name_end + 1;

      name_end = pass_name (local, end);
      if (name_end == local && local < end)
        return OTHER;
    }
  name->begin = *p;
  name->length = (gsize) (name_end - *p);
  name->role = find_role (name);
  *p = skip_blanks (name_end, end);
  if (*p == end)
    return CUT;
  name->is_namespace = is_namespace (name);
  if (name->length == 0 || (is_reserved (name->begin, name_end) && !name->is_namespace))
    return OTHER;
  finding = expect (p, end, "=");
  *p = skip_blanks (*p, end);
  return finding == FOUND ? find_mark (p, end, mark) : finding;
}

/* An entry while it is looked at. */
typedef struct
{
  TsAtfNumber numbers[TS_ATF_SCAN_NUMBERS]; /* by their roles */
  guint8      roles[TS_ATF_SCAN_NUMBERS];   /* in their order */
  guint       n_numbers;
  Name        names[TS_ATF_SCAN_NUMBERS + TS_ATF_MAX_OTHERS];
  guint       n_names;
} Entry;

/* Whether the entry can have one more attribute, and has none of this name. */
static gboolean
add_name (Entry *entry, const Name *name)
{
  for (guint i = 0; i < entry->n_names; i++)
    if (entry->names[i].length == name->length && memcmp (entry->names[i].begin, name->begin, name->length) == 0)
      return FALSE;
  if (entry->n_names - entry->n_numbers == TS_ATF_MAX_OTHERS && name->role == TS_ATF_SCAN_NUMBERS)
    return FALSE;
  entry->names[entry->n_names++] = *name;
  return TRUE;
}

static Finding
find_attribute (TsAtf *atf, const guint8 **p, const guint8 *end, Entry *entry)
{
  Name          name;
  guint8        mark;
  Finding       finding = find_name (p, end, &name, &mark);
  const guint8 *value = *p;

  if (finding != FOUND)
    return finding;
  if (!add_name (entry, &name))
    return OTHER;
  if (name.role == TS_ATF_SCAN_NUMBERS)
    finding = skip_value (atf, p, end, mark);
  else
    {
      TsAtfNumber *number = &entry->numbers[name.role];

      entry->roles[entry->n_numbers++] = name.role;
      finding = find_number (p, end, mark, name.role == TS_ATF_SCAN_TIME, number);
      atf->scan.has_padding |= finding == FOUND && ts_atf_is_padded (number, name.role);
    }
  if (finding != FOUND)
    return finding;
  /* where it is another one each time, each is to be looked at */
  if (name.is_namespace)
    return is_harmless_namespace (&name, value, *p - 1) ? FOUND : OTHER;
  ts_atf_irregular_learn (atf, name.begin, name.begin + name.length, value - 1, name.role);
  return FOUND;
}

/* All attributes, up to what ends the tag. */
static Finding
find_attributes (TsAtf *atf, const guint8 **p, const guint8 *end, Entry *entry)
{
  Finding finding = FOUND;

  entry->n_numbers = entry->n_names = 0;
  while (finding == FOUND)
    {
      const guint8 *begin = *p;

      *p = skip_blanks (begin, end);
      if (*p == end)
        return CUT;
      if (**p == '>' || **p == '/')
        return entry->n_numbers == TS_ATF_SCAN_NUMBERS ? FOUND : OTHER;
      if (*p == begin)
        return OTHER;
      finding = find_attribute (atf, p, end, entry);
    }
  return finding;
}

/* What stands in front of the name of an entry, with its colon. */
typedef struct
{
  const guint8 *begin;
  gsize         length;
} Prefix;

/* Of the start tag at @p. */
static Finding
find_prefix (const guint8 *p, const guint8 *end, Prefix *prefix)
{
  const guint8 *begin = p + 1, *name_end;

  if (p == end)
    return CUT;
  if (*p != '<')
    return OTHER;
  name_end = pass_name (begin, end);
  if (name_end == end)
    return CUT;
  *prefix = (Prefix){ begin, *name_end == ':' ? (gsize) (name_end - begin) + 1 : 0 };
  return prefix->length == 1 || is_reserved (begin, name_end) ? OTHER : FOUND;
}

/* Moves over what begins a tag, and the name of an entry with its prefix. */
static Finding
expect_tag (const guint8 **p, const guint8 *end, const char *opening, const Prefix *prefix)
{
  gsize   available;
  Finding finding = expect (p, end, opening);

  if (finding != FOUND)
    return finding;
  available = MIN (prefix->length, (gsize) (end - *p));
  if (memcmp (*p, prefix->begin, available) != 0)
    return OTHER;
  *p += available;
  return expect (p, end, "TraceEntry");
}

/* From @p, the end of the child before, to the end of an entry. */
static Finding
find_entry (TsAtf *atf, const guint8 *p, const guint8 *end, Entry *entry, const guint8 **entry_end)
{
  Prefix  prefix;
  Finding finding;

  p = skip_blanks (p, end);
  finding = find_prefix (p, end, &prefix);
  if (finding == FOUND)
    finding = expect_tag (&p, end, "<", &prefix);
  if (finding == FOUND)
    finding = find_attributes (atf, &p, end, entry);
  if (finding != FOUND)
    return finding;
  if (*p == '>')
    {
      p = skip_blanks (p + 1, end);
      finding = expect_tag (&p, end, "</", &prefix);
      if (finding == FOUND)
        finding = expect (&p, end, ">");
    }
  else
    finding = expect (&p, end, "/>");
  *entry_end = p;
  return finding;
}

/* The first byte from @p on that may be more than a character that every parser takes, or is @c. */
static const guint8 *
pass_plain (const guint8 *p, const guint8 *end, guint8 c)
{
  guint n = TS_ATF_BYTES;

  for (; n == TS_ATF_BYTES && end - p >= TS_ATF_BYTES; p += n)
    n = (guint) __builtin_ctz (ts_atf_bytes_odd (ts_atf_bytes_load (p)) | ts_atf_bytes_find (p, c) | 1u << TS_ATF_BYTES);
  return p;
}

/* Moves over characters that every parser takes, up to @last, which is two of them. */
static Finding
skip_until (const TsAtf *atf, const guint8 **p, const guint8 *end, const char *last)
{
  *p = pass_plain (*p, end, (guint8) *last);
  while (end - *p >= 2 && memcmp (*p, last, 2) != 0)
    {
      const guint8 *next = *p + 1;

      if (**p >= 0x80 && end - *p < TS_ATF_MAX_ODD)
        return CUT;
      if (**p >= 0x80)
        next = ts_atf_pass_character (atf->scan.encoding, *p);
      else if (!g_ascii_isprint (**p) && !ts_atf_is_blank (**p))
        return OTHER;
      if (next == NULL)
        return OTHER;
      *p = pass_plain (next, end, (guint8) *last);
    }
  return end - *p < 2 ? CUT : FOUND;
}

static Finding
find_comment (const TsAtf *atf, const guint8 **p, const guint8 *end)
{
  Finding finding = expect (p, end, "<!--");

  if (finding == FOUND)
    finding = skip_until (atf, p, end, "--");
  return finding == FOUND ? expect (p, end, "-->") : finding;
}

static Finding
find_instruction (const TsAtf *atf, const guint8 **p, const guint8 *end)
{
  const guint8 *name = *p + strlen ("<?"), *name_end = pass_name (name, end);
  Finding       finding = FOUND;

  *p = name_end;
  if (name_end == end)
    return CUT;
  if (name_end == name || is_reserved (name, name_end))
    return OTHER;
  if (ts_atf_is_blank (*name_end))
    finding = skip_until (atf, p, end, "?>");
  return finding == FOUND ? expect (p, end, "?>") : finding;
}

/* Likewise to the end of a comment, or of a processing instruction. */
static Finding
find_aside (const TsAtf *atf, const guint8 *p, const guint8 *end, const guint8 **aside_end)
{
  Finding finding;

  p = skip_blanks (p, end);
  finding = end - p >= 2 && p[0] == '<' && p[1] == '?' ? find_instruction (atf, &p, end) : find_comment (atf, &p, end);
  *aside_end = p;
  return finding;
}

const guint8 *
ts_atf_scan_aside (const TsAtf *atf, const guint8 *p, const guint8 *end)
{
  const guint8 *aside_end;

  return find_aside (atf, p, MIN (end, p + TS_ATF_MAX_ENTRY), &aside_end) == FOUND ? aside_end : NULL;
}

static gboolean
are_equal (const TsAtfNumber *a, const TsAtfNumber *b)
{
  const gsize length = (gsize) (a->end - a->begin);

  return (gsize) (b->end - b->begin) == length && memcmp (a->begin, b->begin, length) == 0;
}

/* The times of entries to come tell the units that are needed; those that are equal tell no more than one, as where a thousand
 * tasks are activated at 0. */
static void
look_ahead (TsAtf *atf, const guint8 *p, const guint8 *end)
{
  gint64             scale = atf->scale, before;
  Entry              entry;
  const TsAtfNumber *time = &entry.numbers[TS_ATF_SCAN_TIME];
  TsAtfNumber        last = { p, p };

  for (guint n_alike = 0; n_alike < MAX_AHEAD; last = *time)
    {
      before = scale;
      if (find_entry (atf, p, MIN (end, p + TS_ATF_MAX_ENTRY), &entry, &p) != FOUND)
        break;
      if (are_equal (time, &last))
        continue;
      if (!ts_atf_scale_refine (time, &scale))
        break;
      n_alike = scale == before ? n_alike + 1 : 0;
    }
  if (scale > atf->scale)
    ts_atf_scale_raise (atf, scale);
}

gboolean
ts_atf_scan_template (TsAtf *atf, const guint8 *p, const guint8 *end)
{
  const guint8 *next;
  Entry         entry;

  if (find_entry (atf, p, MIN (end, p + TS_ATF_MAX_ENTRY), &entry, &next) != FOUND)
    return FALSE;
  ts_atf_template_learn (&atf->scan.template, p, next, entry.numbers, entry.roles);
  return TRUE;
}

gsize
ts_atf_scan (TsAtf *atf, const guint8 *bytes, gsize length, gboolean *stopped)
{
  const guint8  *p = bytes, *end = bytes + length, *next = NULL;
  TsAtfTemplate *template = &atf->scan.template;
  guint64        line = ts_atf_line (atf);
  Entry          entry;
  Finding        finding = FOUND;

  while (finding == FOUND && atf->error == NULL)
    {
      const guint8 *limit;

      if (ts_atf_scale_is_open (atf))
        look_ahead (atf, p, end);
      if (template->mark != 0)
        p = ts_atf_alike_scan (atf, p, end, &line);
      limit = MIN (end, p + TS_ATF_MAX_ENTRY);
      finding = find_entry (atf, p, limit, &entry, &next);
      if (finding == FOUND)
        {
          ts_atf_template_learn (&atf->scan.template, p, next, entry.numbers, entry.roles);
          ts_atf_scan_entry (atf, entry.numbers, line + template->lines_before);
        }
      else if (finding == OTHER)
        finding = find_aside (atf, p, limit, &next);
      if (finding == OTHER && (next = ts_atf_elements_pass (atf, p, end, line)) != NULL)
        finding = FOUND;
      if (finding == FOUND)
        {
          line += ts_atf_count_lines (p, next);
          p = next;
        }
    }
  if (finding == CUT && end - p >= TS_ATF_MAX_ENTRY)
    finding = OTHER;
  *stopped = finding == OTHER || atf->error != NULL;
  atf->scan.misses = p > bytes ? 0 : atf->scan.misses + *stopped;
  /* libxml2 goes on counting from here */
  atf->parser->input->line = (int) MIN (line, G_MAXINT);
  return (gsize) (p - bytes);
}
