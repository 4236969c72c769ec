/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/etf.h"

/* Lists of attributes, any of them in full. */

static const TsEtfAttributes no_attributes;

/* Pairs of a list that are compared with one another; longer lists go through a table. */
#define FEW_PAIRS 24

/* Whether the character before @p is escaped by an odd number of `\'. */
static gboolean
is_escaped (const char *begin, const char *p)
{
  const char *q = p - 1;

  while (q > begin && q[-1] == '\\')
    q--;
  return (p - 1 - q) % 2 == 1;
}

/* Without blanks around it and without its escapes. A blank that is escaped stays; so does a `\' at the end. */
TsEtfText
ts_etf_clean (TsEtf *etf, const char *p, const char *end)
{
  TsEtfText plain;
  char     *q;

  while (p < end && ts_etf_is_blank (*p))
    p++;
  while (p < end && ts_etf_is_blank (end[-1]) && !is_escaped (p, end))
    end--;
  plain.p = q = etf->scratch->str + etf->scratch_used;
  for (; p < end; p++)
    {
      if (*p == '\\' && p + 1 < end)
        p++;
      *q++ = *p;
    }
  plain.length = (gsize) (q - plain.p);
  etf->scratch_used += plain.length;
  return plain;
}

static TsEtfText
clean (TsEtf *etf, const char *p, const char *end)
{
  if (memchr (p, '\\', (gsize) (end - p)) != NULL)
    return ts_etf_clean (etf, p, end);
  while (p < end && ts_etf_is_blank (*p))
    p++;
  while (p < end && ts_etf_is_blank (end[-1]))
    end--;
  return (TsEtfText){ p, (gsize) (end - p) };
}

/* The place of @key in @keys, or -1. */
static gint8
find_key (const TsEtfKeys *keys, TsEtfText key)
{
  for (guint i = 0; i < keys->n; i++)
    if (key.length == keys->lengths[i] && memcmp (key.p, keys->texts[i], key.length) == 0)
      return (gint8) i;
  return -1;
}

static gboolean
is_key (TsEtfText key, const char *wanted)
{
  return wanted != NULL && ts_etf_text_is (key, wanted);
}

static void
add_place (TsEtfRole *role, const TsEtfAttributes *attributes, const TsEtfText *place)
{
  role->places[role->n++] = (guint8) (place - attributes->all);
}

/* What @key is good for. */
static TsEtfRole
role_of (const TsEtf *etf, TsEtfText key)
{
  TsEtfRole                    role = { .n = 0 };
  gint8                        element = find_key (&etf->element_keys, key), instance = find_key (&etf->instance_keys, key);

  if (element >= 0)
    add_place (&role, &no_attributes, &no_attributes.element[element]);
  if (instance >= 0)
    add_place (&role, &no_attributes, &no_attributes.instance[instance]);
  if (etf->default_keys && ts_etf_text_is (key, "task"))
    add_place (&role, &no_attributes, &no_attributes.fallback[0]);
  else if (etf->default_keys && ts_etf_text_is (key, "activity"))
    add_place (&role, &no_attributes, &no_attributes.fallback[1]);
  if (is_key (key, etf->object_key))
    add_place (&role, &no_attributes, &no_attributes.object);
  if (is_key (key, etf->activation_key))
    add_place (&role, &no_attributes, &no_attributes.activation);
  if (role.n == 0)
    role.places[0] = (guint8) (&no_attributes.other - no_attributes.all);
  return role;
}

static void
take_value (TsEtfAttributes *attributes, const TsEtfRole *role, TsEtfText value)
{
  for (guint i = 0; i < role->n; i++)
    {
      TsEtfText *place = &attributes->all[role->places[i]];

      *place = value;
      /* an empty value names nothing: it is as good as none, but for a filter that asks for it */
      if (value.length == 0 && place != &attributes->activation)
        place->p = NULL;
    }
}

typedef struct
{
  TsEtfText   few[FEW_PAIRS];
  guint       n;
  GHashTable *many; /* of GBytes, as no byte ends a key; or NULL */
} Seen;

/* Whether @key stood in the list before. */
static gboolean
see_key (Seen *seen, TsEtfText key)
{
  for (guint i = 0; i < MIN (seen->n, FEW_PAIRS); i++)
    if (seen->few[i].length == key.length && memcmp (seen->few[i].p, key.p, key.length) == 0)
      return TRUE;
  if (seen->n < FEW_PAIRS)
    {
      seen->few[seen->n++] = key;
      return FALSE;
    }
  if (seen->many == NULL)
    seen->many = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  return !g_hash_table_add (seen->many, g_bytes_new (key.p, key.length));
}

/* Where the pair that begins at @p ends; *equals: its first `=' that is not escaped. */
static const char *
find_pair (const char *p, const char *end, const char **equals, gboolean *has_second)
{
  *equals = NULL;
  *has_second = FALSE;
  for (; p < end && *p != ','; p++)
    if (*p == '\\' && p + 1 < end)
      p++;
    else if (*p == '=')
      {
        *has_second |= *equals != NULL;
        if (*equals == NULL)
          *equals = p;
      }
  return p;
}

static gboolean
is_blank (const char *p, const char *end)
{
  while (p < end && ts_etf_is_blank (*p))
    p++;
  return p == end;
}

static void
parse_in_full (TsEtf *etf, const char *p, const char *end, gboolean learn,
               void (*all) (TsEtf *etf, TsEtfText key, TsEtfText value))
{
  Seen seen = { .n = 0 };

  etf->attributes = no_attributes;
  /* there is room for all of the line, so what was put there before stays where it is */
  if (etf->scratch->len < TS_ETF_MARGIN + (gsize) (end - p) + TS_ETF_ROOM)
    g_string_set_size (etf->scratch, TS_ETF_MARGIN + (gsize) (end - p) + TS_ETF_ROOM);
  etf->scratch_used = TS_ETF_MARGIN;
  /* blanks alone are an empty list, and behind a comma they are no pair */
  while (!is_blank (p, end))
    {
      const char *equals;
      gboolean    has_second;
      const char *next = find_pair (p, end, &equals, &has_second);

      TsEtfText   key = equals != NULL ? clean (etf, p, equals) : (TsEtfText){ NULL, 0 };

      if (key.length == 0 || has_second)
        ts_etf_note (etf, BAD_ATTRIBUTE, "%s",
                     equals == NULL ? "no `='" : has_second ? "a second `=' that is not escaped" : "no key");
      else
        {
          TsEtfText value = clean (etf, equals + 1, next);
          TsEtfRole role = role_of (etf, key);

          if (see_key (&seen, key))
            ts_etf_note (etf, DUPLICATE_ATTRIBUTE, "%.*s", (int) MIN (key.length, 100), key.p);
          if (learn && memchr (p, '\\', (gsize) (equals - p)) == NULL)
            ts_etf_learn_key (etf, key, role);
          take_value (&etf->attributes, &role, value);
          if (all != NULL)
            all (etf, key, value);
        }
      if (next == end)
        break;
      p = next + 1;
    }
  if (seen.many != NULL)
    g_hash_table_unref (seen.many);
}

void
ts_etf_attributes_parse (TsEtf *etf, const char *p, const char *end,
                         void (*all) (TsEtf *etf, TsEtfText key, TsEtfText value))
{
  parse_in_full (etf, p, end, FALSE, all);
}

const TsEtfAttributes *
ts_etf_attributes_learn (TsEtf *etf, const char *p, const char *end)
{
  parse_in_full (etf, p, end, TRUE, NULL);
  return &etf->attributes;
}

const TsEtfAttributes *
ts_etf_attributes_read (TsEtf *etf, const char *p, const char *end)
{
  const TsEtfAttributes *known = NULL;
  const char            *line_end;
  gboolean               may_recall = !etf->scan.is_off && etf->limit - end >= TS_ETF_ROOM;

  /* it ends where the line does */
  if (may_recall && p < end && (*end == '\n' || end[1] == '\n'))
    known = ts_etf_attributes_recall (etf, p, &line_end);
  if (known != NULL)
    {
      ts_etf_note_odd_pairs (etf);
      return known;
    }
  parse_in_full (etf, p, end, may_recall, NULL);
  return &etf->attributes;
}
