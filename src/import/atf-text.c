/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/atf.h"

/* Values of attributes as libxml2 hands them out: in place, and with their references to entities still in them. */

#define MAX_ENTITY_NESTING 16
#define MAX_REFERENCES 100000 /* in one attribute, those within entities included */

/* References */

typedef struct
{
  TsAtf   *atf;
  GString *text;
  guint    n_references;
} Resolver;

static void resolve (Resolver *resolver, const char *begin, const char *end, guint nesting);

static gboolean
resolve_character (Resolver *resolver, const char *begin, const char *end)
{
  gboolean is_hex = end - begin > 1 && *begin == 'x';
  guint    base = is_hex ? 16 : 10;
  gunichar c = 0;

  for (begin += is_hex; begin < end; begin++)
    {
      int digit = g_ascii_xdigit_value (*begin);

      if (digit < 0 || (guint) digit >= base || c > 0x10ffff)
        return FALSE;
      c = c * base + (gunichar) digit;
    }
  if (c == 0 || !g_unichar_validate (c))
    return FALSE;
  g_string_append_unichar (resolver->text, c);
  return TRUE;
}

static gboolean
resolve_name (Resolver *resolver, const char *begin, const char *end, guint nesting)
{
  g_autofree char *name = g_strndup (begin, (gsize) (end - begin));
  gboolean         is_predefined;
  const char      *content = ts_atf_xml_entity (resolver->atf, name, &is_predefined);

  if (content == NULL)
    return FALSE;
  if (is_predefined)
    {
      g_string_append (resolver->text, content);
      return TRUE;
    }
  resolver->n_references++;
  resolve (resolver, content, content + strlen (content), nesting + 1);
  return TRUE;
}

/* Attribute values arrive with their references to entities unresolved, since libxml2 is
 * not asked to expand them. Depth and length have limits. */
static void
resolve (Resolver *resolver, const char *begin, const char *end, guint nesting)
{
  if (nesting > MAX_ENTITY_NESTING || resolver->n_references > MAX_REFERENCES)
    ts_atf_fail (resolver->atf, TS_ERROR_FORMAT, ts_atf_line (resolver->atf),
                 "an attribute has more than %d references, or they are nested deeper than %d", MAX_REFERENCES,
                 MAX_ENTITY_NESTING);
  while (begin < end && resolver->atf->error == NULL)
    {
      const char *semicolon = *begin == '&' ? memchr (begin, ';', (gsize) (end - begin)) : NULL;
      const char *next = memchr (begin + 1, '&', (gsize) (end - begin - 1));

      if (semicolon != NULL
          && (begin[1] == '#' ? resolve_character (resolver, begin + 2, semicolon)
                              : resolve_name (resolver, begin + 1, semicolon, nesting)))
        begin = semicolon + 1;
      else
        {
          if (next == NULL)
            next = end;
          g_string_append_len (resolver->text, begin, next - begin);
          begin = next;
        }
      if (resolver->text->len > TS_ATF_MAX_TEXT)
        ts_atf_fail (resolver->atf, TS_ERROR_FORMAT, ts_atf_line (resolver->atf),
                     "an attribute is longer than %d bytes", TS_ATF_MAX_TEXT);
    }
}

char *
ts_atf_text_dup (TsAtf *atf, const TsAtfText *value)
{
  gsize    length = (gsize) (value->end - value->begin);
  Resolver resolver = { .atf = atf };

  if (length <= TS_ATF_MAX_TEXT && memchr (value->begin, '&', length) == NULL)
    return g_strndup (value->begin, length);
  resolver.text = g_string_new (NULL);
  resolve (&resolver, value->begin, value->end, 0);
  return g_string_free (resolver.text, FALSE);
}

/* Attributes */

/* In place; FALSE if the tag does not have it. It may still hold references. */
static gboolean
get (const TsAtf *atf, const TsAtfTag *tag, TsAtfName name, TsAtfText *value)
{
  const xmlChar **attribute = tag->attributes;

  for (int i = 0; i < tag->n_attributes; i++, attribute += 5)
    if (attribute[0] == atf->names[name] && attribute[1] == NULL)
      {
        *value = (TsAtfText){ (const char *) attribute[3], (const char *) attribute[4] };
        return TRUE;
      }
  return FALSE;
}

char *
ts_atf_tag_dup (TsAtf *atf, const TsAtfTag *tag, TsAtfName name)
{
  TsAtfText value;

  return get (atf, tag, name, &value) ? ts_atf_text_dup (atf, &value) : NULL;
}

TsAtfFound
ts_atf_tag_number (TsAtf *atf, const TsAtfTag *tag, TsAtfName name, guint64 *value)
{
  TsAtfText        text;
  g_autofree char *copy = NULL;

  if (!get (atf, tag, name, &text))
    return TS_ATF_MISSING;
  if (ts_atf_number_parse (text.begin, text.end, value))
    return TS_ATF_GOOD;
  copy = ts_atf_text_dup (atf, &text);
  return ts_atf_number_parse (copy, copy + strlen (copy), value) ? TS_ATF_GOOD : TS_ATF_BAD;
}

static const char *
intern_attribute (TsAtf *atf, const TsAtfTag *tag, TsAtfName name)
{
  g_autofree char *text = ts_atf_tag_dup (atf, tag, name);

  return ts_system_intern (atf->import->system, text);
}

TsToolInfo
ts_atf_tag_tool (TsAtf *atf, const TsAtfTag *tag)
{
  return (TsToolInfo){ intern_attribute (atf, tag, TS_ATF_VENDOR), intern_attribute (atf, tag, TS_ATF_TOOL),
                       intern_attribute (atf, tag, TS_ATF_VERSION) };
}
