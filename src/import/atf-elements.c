/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/atf-bytes.h"
#include "import/atf.h"

/* A quick reader of the elements of a system, and of what is between the entries of one section and those of the next,
 * of both of which there may be thousands. Where libxml2 stands between two elements, those are read here that are
 * complete and have nothing but what is usual, and what they say is told to the same handlers: when all of an element
 * was seen, since what was told cannot be taken back. Anything else is left for libxml2 to judge. */

#define MAX_OPEN 16  /* elements in one that is read here */
#define MAX_LEVEL 64 /* around it: far from what libxml2 lets be nested */
#define MAX_TAGS 256 /* of one that is read here; of a larger one those in it are */
#define MAX_ATTRIBUTES 3

typedef struct
{
  TsAtfPlace  parent;
  TsAtfName   name;
  const char *text;
  gsize       length;
  TsAtfPlace  place; /* TS_ATF_IN_LEAF: it has text, and no children */
} Kind;

static const Kind kinds[] = {
  { TS_ATF_IN_ROOT, TS_ATF_TRACE_DATA, "TraceData", 9, TS_ATF_IN_TRACE },
  { TS_ATF_IN_ELEMENT, TS_ATF_SYSTEM_ELEMENT, "SystemElement", 13, TS_ATF_IN_ELEMENT },
  { TS_ATF_IN_RESOURCE, TS_ATF_SYSTEM_ELEMENT, "SystemElement", 13, TS_ATF_IN_ELEMENT },
  { TS_ATF_IN_ELEMENT, TS_ATF_ANNOTATION, "Annotation", 10, TS_ATF_IN_ANNOTATION },
  { TS_ATF_IN_ANNOTATION, TS_ATF_NAME, "Name", 4, TS_ATF_IN_LEAF },
  { TS_ATF_IN_ANNOTATION, TS_ATF_VALUE, "Value", 5, TS_ATF_IN_LEAF },
  { TS_ATF_IN_TRACE, TS_ATF_COMMENT, "Comment", 7, TS_ATF_IN_LEAF },
  { TS_ATF_IN_TRACE, TS_ATF_TOOL_INFO, "ToolInfo", 8, TS_ATF_IN_LEAF },
};

/* The first one. */
static const Kind *const kind_of_section = kinds;

/* Attributes that are read here, of any of these. */
static const struct
{
  TsAtfName   name;
  const char *text;
  gsize       length;
} known_attributes[] = {
  { TS_ATF_NAME, "Name", 4 },     { TS_ATF_ID, "ID", 2 },         { TS_ATF_TYPE, "Type", 4 },
  { TS_ATF_START, "Start", 5 },   { TS_ATF_STOP, "Stop", 4 },     { TS_ATF_VENDOR, "Vendor", 6 },
  { TS_ATF_TOOL, "Tool", 4 },     { TS_ATF_VERSION, "Version", 7 },
};

#define N_ATTRIBUTES G_N_ELEMENTS (known_attributes)
#define POINTERS 5 /* of libxml2 to an attribute: name, prefix, namespace, value, end of the value */

/* A tag, or the two of an element in one, as it is told. */
typedef struct
{
  const Kind    *kind;
  guint64        line;      /* where it begins */
  guint64        last_line; /* and ends */
  gboolean       is_start, is_end;
  const guint8  *text, *text_end; /* in front of an end */
  const xmlChar *attributes[POINTERS * MAX_ATTRIBUTES];
  int            n_attributes;
} Tag;

typedef struct
{
  const TsAtf  *atf;
  const guint8 *end;
  guint64       line;
  TsAtfPlace    place; /* around it */
  const Kind   *open[MAX_OPEN];
  guint         n_open;
  Tag           tags[MAX_TAGS];
  guint         n_tags;
} Walk;

/* Up to sixteen bytes are read from where it is, so that nothing is looked for any more nearer to the end. */
static gboolean
is_near_end (const Walk *walk, const guint8 *p)
{
  return walk->end - p < TS_ATF_BYTES;
}

static const guint8 *
pass_many_blanks (Walk *walk, const guint8 *p)
{
  while (!is_near_end (walk, p))
    {
      guint ends, blanks = ts_atf_bytes_blanks (ts_atf_bytes_load (p), &ends);
      guint n = (guint) __builtin_ctz (~blanks);

      for (ends &= (1u << n) - 1; ends != 0; ends &= ends - 1)
        walk->line++;
      p += n;
      if (n < TS_ATF_BYTES)
        return p;
    }
  return walk->end;
}

/* The first byte that is none from @p on; or the end. */
static inline const guint8 *
pass_blanks (Walk *walk, const guint8 *p)
{
  if (G_LIKELY (!is_near_end (walk, p)))
    {
      p += *p == ' ';
      if (*p > ' ')
        return p;
    }
  return pass_many_blanks (walk, p);
}

/* The first @stop from @p on; NULL: there is none, or something before it that may not be itself to XML. */
static const guint8 *
find_stop (const Walk *walk, const guint8 *p, guint8 stop)
{
  while (!is_near_end (walk, p))
    {
      guint stops = ts_atf_bytes_find (p, stop), odd = ts_atf_bytes_odd (ts_atf_bytes_load (p));
      guint first;

      /* "]]>" may not be in text */
      if (stop == '<')
        odd |= ts_atf_bytes_find (p, '>');
      first = (guint) __builtin_ctz (stops | odd | 1u << TS_ATF_BYTES);
      p += first;
      if ((stops >> first & 1) != 0)
        return p;
      if (first < TS_ATF_BYTES && (*p < 0x80 || is_near_end (walk, p) || (p = ts_atf_pass_wide (p)) == NULL))
        return NULL;
    }
  return NULL;
}

/* Behind @text, if that is all of the name at @p; or NULL. */
static inline const guint8 *
pass_name (const Walk *walk, const guint8 *p, const char *text, gsize length)
{
  if (is_near_end (walk, p) || *p != (guint8) *text || memcmp (p, text, length) != 0)
    return NULL;
  p += length;
  return ts_atf_is_blank (*p) || *p == '=' || *p == '>' || *p == '/' ? p : NULL;
}

static const guint8 *
find_kind (const Walk *walk, const guint8 *p, const Kind **kind)
{
  TsAtfPlace    place = walk->n_open > 0 ? walk->open[walk->n_open - 1]->place : walk->place;
  const guint8 *behind = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (kinds) && behind == NULL; i++)
    if (kinds[i].parent == place)
      {
        behind = pass_name (walk, p, kinds[i].text, kinds[i].length);
        *kind = &kinds[i];
      }
  return behind;
}

static gboolean
has_attribute (const Tag *tag, const xmlChar *name)
{
  for (int i = 0; i < tag->n_attributes; i++)
    if (tag->attributes[POINTERS * i] == name)
      return TRUE;
  return FALSE;
}

/* Behind the attribute whose name begins at @p; NULL: it is none that is read here. */
static const guint8 *
pass_attribute (Walk *walk, const guint8 *p, Tag *tag)
{
  const guint8   *begin = p, *value;
  const xmlChar **attribute = &tag->attributes[POINTERS * tag->n_attributes];
  gsize           i = 0;

  if (tag->n_attributes == MAX_ATTRIBUTES)
    return NULL;
  while (i < N_ATTRIBUTES
         && (p = pass_name (walk, begin, known_attributes[i].text, known_attributes[i].length)) == NULL)
    i++;
  if (i == N_ATTRIBUTES || has_attribute (tag, walk->atf->names[known_attributes[i].name]))
    return NULL;
  p = pass_blanks (walk, p);
  if (p == walk->end || *p != '=')
    return NULL;
  p = pass_blanks (walk, p + 1);
  if (p == walk->end || (*p != '"' && *p != '\''))
    return NULL;
  value = p + 1;
  p = find_stop (walk, value, *p);
  if (p == NULL)
    return NULL;
  attribute[0] = walk->atf->names[known_attributes[i].name];
  attribute[1] = attribute[2] = NULL;
  attribute[3] = value;
  attribute[4] = p;
  tag->n_attributes++;
  return p + 1;
}

/* The slash or bracket that ends the tag, from behind its name on; or NULL. */
static const guint8 *
pass_attributes (Walk *walk, const guint8 *p, Tag *tag)
{
  while (p != NULL)
    {
      const guint8 *begin = p;

      p = pass_blanks (walk, p);
      if (p == walk->end)
        return NULL;
      if (*p == '>' || *p == '/')
        return p;
      p = p > begin ? pass_attribute (walk, p, tag) : NULL;
    }
  return NULL;
}

/* Behind the start tag at @p; or NULL. */
static const guint8 *
pass_start (Walk *walk, const guint8 *p, Tag *tag)
{
  tag->is_start = TRUE;
  tag->n_attributes = 0;
  p = find_kind (walk, p + 1, &tag->kind);
  if (p != NULL)
    p = pass_attributes (walk, p, tag);
  if (p == NULL || walk->n_open == MAX_OPEN)
    return NULL;
  tag->is_end = *p == '/';
  p += tag->is_end;
  if (p == walk->end || *p != '>')
    return NULL;
  tag->text = tag->text_end = p;
  if (!tag->is_end)
    walk->open[walk->n_open++] = tag->kind;
  return p + 1;
}

/* Behind the end tag at @p of what is open; or NULL. */
static const guint8 *
pass_end (Walk *walk, const guint8 *p, const guint8 *text, Tag *tag)
{
  const Kind *kind = walk->open[--walk->n_open];

  tag->is_start = FALSE;
  tag->is_end = TRUE;
  tag->text = text;
  tag->text_end = p;
  p = pass_name (walk, p + strlen ("</"), kind->text, kind->length);
  if (p != NULL)
    p = pass_blanks (walk, p);
  return p != NULL && p < walk->end && *p == '>' ? p + 1 : NULL;
}

/* From blanks, or from the tag before, to the end of an element; NULL: it is not complete, or not for here. */
static const guint8 *
pass_element (Walk *walk, const guint8 *p)
{
  walk->n_tags = 0;
  do
    {
      Tag          *tag = &walk->tags[walk->n_tags];
      const guint8 *text = p;
      gboolean      is_leaf = walk->n_open > 0 && walk->open[walk->n_open - 1]->place == TS_ATF_IN_LEAF, is_end;

      p = is_leaf ? find_stop (walk, p, '<') : pass_blanks (walk, p);
      if (p == NULL || walk->n_tags++ == MAX_TAGS || is_near_end (walk, p) || *p != '<')
        return NULL;
      is_end = p[1] == '/';
      if (is_leaf ? !is_end : is_end && walk->n_open == 0)
        return NULL;
      tag->line = walk->line;
      p = is_end ? pass_end (walk, p, text, tag) : pass_start (walk, p, tag);
      tag->last_line = walk->line;
    }
  while (p != NULL && walk->n_open > 0);
  return p;
}

/* From the end of a section to the beginning of the next one: to libxml2 both are the TraceData that it is in. NULL: it is
 * not complete, or not for here. */
static const guint8 *
pass_seam (Walk *walk, const guint8 *p)
{
  Tag *tag = walk->tags;

  walk->place = TS_ATF_IN_ROOT;
  p = pass_blanks (walk, p);
  if (is_near_end (walk, p) || p[0] != '<' || p[1] != '/')
    return NULL;
  walk->open[walk->n_open++] = kind_of_section;
  tag->line = walk->line;
  p = pass_end (walk, p, p, tag);
  tag->last_line = walk->line;
  if (p == NULL)
    return NULL;
  tag++;
  p = pass_blanks (walk, p);
  if (is_near_end (walk, p) || *p != '<')
    return NULL;
  tag->line = walk->line;
  p = pass_start (walk, p, tag);
  tag->last_line = walk->line;
  walk->n_tags = 2;
  return p != NULL && !tag->is_end ? p : NULL;
}

/* The handlers find libxml2 where it would stand, and that goes on counting from there. */
static void
tell (TsAtf *atf, const Walk *walk)
{
  for (const Tag *tag = walk->tags; tag < walk->tags + walk->n_tags && atf->error == NULL; tag++)
    {
      TsAtfTag start = { (const xmlChar **) tag->attributes, tag->n_attributes, tag->line };

      atf->parser->input->line = (int) MIN (tag->last_line, G_MAXINT);
      if (tag->is_start)
        ts_atf_xml_start (atf, tag->kind->name, &start);
      if (tag->is_end)
        ts_atf_xml_end (atf, tag->text, tag->text_end);
    }
}

gsize
ts_atf_elements_scan (TsAtf *atf, const guint8 *bytes, gsize length)
{
  const guint8 *p = bytes, *next;
  Walk          walk;

  walk.atf = atf;
  walk.end = bytes + length;
  while (atf->error == NULL && atf->level < MAX_LEVEL && ts_atf_xml_is_between_elements (atf))
    {
      walk.line = ts_atf_line (atf);
      walk.place = atf->stack[atf->level - 1]->place;
      walk.n_open = 0;
      next = pass_element (&walk, p);
      if (next == NULL)
        break;
      tell (atf, &walk);
      p = next;
    }
  atf->scan.misses_of_elements = p > bytes ? 0 : atf->scan.misses_of_elements + 1;
  return (gsize) (p - bytes);
}

const guint8 *
ts_atf_elements_pass (TsAtf *atf, const guint8 *bytes, const guint8 *end, guint64 line)
{
  const guint8 *p;
  Walk          walk;

  if (!ts_atf_xml_is_direct (atf))
    return NULL;
  walk.atf = atf;
  walk.end = end;
  walk.line = line;
  walk.place = TS_ATF_IN_TRACE;
  walk.n_open = 0;
  p = pass_element (&walk, bytes);
  if (p == NULL && !atf->has_section_prefix)
    {
      walk.line = line;
      walk.n_open = 0;
      p = pass_seam (&walk, bytes);
    }
  if (p != NULL)
    tell (atf, &walk);
  return p;
}

/* libxml2 takes one part more of a CDATA section each time that it gets something: so what it has come to, when it finds
 * that something is wrong, depends on how often that was, and there is no cut in one. */
gsize
ts_atf_elements_find (const TsAtf *atf, const guint8 *bytes, gsize length)
{
  static const char tag[] = "<SystemElement", section[] = "<![";
  const guint8     *end = bytes + length, *p = bytes, *seen = bytes;

  if (ts_atf_xml_is_near_section (atf))
    return length;
  while (p < end && ts_atf_is_blank (*p))
    p++;
  while (p < end && (p = memmem (p + 1, (gsize) (end - p) - 1, tag, strlen (tag))) != NULL)
    {
      const guint8 *before = p;

      while (before > bytes && ts_atf_is_blank (before[-1]))
        before--;
      if (memmem (seen, (gsize) (before - seen), section, strlen (section)) != NULL)
        break;
      /* blanks that libxml2 would hold back are left over, and so is what it could take for a character that is cut */
      if (before > bytes && before[-1] == '>' && !ts_atf_has_wide_end (bytes, (gsize) (before - bytes)))
        return (gsize) (before - bytes);
      seen = before;
    }
  return length;
}
