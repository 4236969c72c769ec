/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "import/digits.h"
#include "import/etf.h"
#include "model/inline.h"

/* Lists of attributes: any list in full, and quickly those whose keys stood in others before. */

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
static TsEtfText
clean (TsEtf *etf, const char *p, const char *end, gboolean has_escape)
{
  TsEtfText plain;
  char     *q;

  while (p < end && ts_etf_is_blank (*p))
    p++;
  while (p < end && ts_etf_is_blank (end[-1]) && !(has_escape && is_escaped (p, end)))
    end--;
  if (!has_escape || memchr (p, '\\', (gsize) (end - p)) == NULL)
    return (TsEtfText){ p, (gsize) (end - p) };

  /* there is room for all of the line, so what was put there before stays where it is */
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
  GHashTable *many; /* or NULL */
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
    seen->many = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return !g_hash_table_add (seen->many, g_strndup (key.p, key.length));
}

/* Where the pair that begins at @p ends; *equals: its first `=' that is not escaped. */
static const char *
find_pair (const char *p, const char *end, const char **equals, gboolean *has_escape, gboolean *has_second)
{
  *equals = NULL;
  *has_escape = *has_second = FALSE;
  for (; p < end && *p != ','; p++)
    if (*p == '\\' && p + 1 < end)
      {
        *has_escape = TRUE;
        p++;
      }
    else if (*p == '=')
      {
        *has_second |= *equals != NULL;
        if (*equals == NULL)
          *equals = p;
      }
  return p;
}

/* Lists whose keys are known. Their order does not matter, nor do the blanks around anything. */

/* So many bytes behind the beginning of a value may be looked at. */
#define VALUE_ROOM 16

/* Behind a value: where something is that it cannot hold as it is, or the line's end. There are VALUE_ROOM bytes. NULL: it
 * is near the end of all that may be looked at. */
#ifdef __SSE2__

static inline const char *
skip_value (const char *p, const char *limit)
{
  const __m128i comma = _mm_set1_epi8 (','), equals = _mm_set1_epi8 ('='), escape = _mm_set1_epi8 ('\\');
  const __m128i newline = _mm_set1_epi8 ('\n');

  for (;;)
    {
      __m128i bytes = _mm_loadu_si128 ((const __m128i *) (gconstpointer) p);
      __m128i found = _mm_or_si128 (_mm_or_si128 (_mm_cmpeq_epi8 (bytes, comma), _mm_cmpeq_epi8 (bytes, equals)),
                                    _mm_or_si128 (_mm_cmpeq_epi8 (bytes, escape), _mm_cmpeq_epi8 (bytes, newline)));
      guint   marks = (guint) _mm_movemask_epi8 (found);

      if (G_LIKELY (marks != 0))
        return p + (guint) __builtin_ctz (marks);
      p += VALUE_ROOM;
      if (limit - p < VALUE_ROOM)
        return NULL;
    }
}

#else

static inline const char *
skip_value (const char *p, const char *limit)
{
  for (; p < limit; p++)
    if (*p == ',' || *p == '=' || *p == '\\' || *p == '\n')
      return p;
  return NULL;
}

#endif

static const char *
skip_blanks (const char *p)
{
  while (ts_etf_is_blank (*p))
    p++;
  return p;
}

/* Up to seven spaces, without a branch. */
static inline const char *
skip_spaces (const char *p)
{
  guint64 others = (ts_eight_load (p) ^ TS_EACH_BYTE (' ')) | (guint64) 1 << 63;

  return p + (guint) __builtin_ctzll (others) / 8;
}

/* Whether @key stands at @p, and the `=' behind it. */
static inline gboolean
is_key_at (const TsEtfKnownKey *key, const char *p)
{
  if ((ts_eight_load (p) & key->mask) != key->word)
    return FALSE;
  return G_LIKELY (key->length < 8) || strncmp (p, key->text, key->length + 1) == 0;
}

/* The one of [p, end), without blanks around it. */
static TsEtfKnownKey * G_GNUC_NO_INLINE
search_key (TsEtf *etf, const char *p, const char *end)
{
  TsEtfText text;

  p = skip_blanks (p);
  while (p < end && ts_etf_is_blank (end[-1]))
    end--;
  text = (TsEtfText){ p, (gsize) (end - p) };
  for (guint i = 0; i < etf->n_known; i++)
    if (etf->known[i].length == text.length && memcmp (etf->known[i].text, text.p, text.length) == 0)
      return &etf->known[i];
  return NULL;
}

/* The list has @keys, and the last one had others. */
static void G_GNUC_NO_INLINE
forget_values (const TsEtf *etf, TsEtfRecall *recall, guint64 keys)
{
  for (guint64 missing = recall->keys & ~keys; missing != 0; missing &= missing - 1)
    {
      const TsEtfRole *role = &etf->known[__builtin_ctzll (missing)].role;

      for (guint i = 0; i < role->n; i++)
        recall->attributes.all[role->places[i]] = (TsEtfText){ NULL, 0 };
    }
  recall->keys = keys;
}

static void G_GNUC_NO_INLINE
take_in_places (TsEtfRecall *recall, const TsEtfRole *role, TsEtfText value)
{
  for (guint i = 0; i < role->n; i++)
    recall->attributes.all[role->places[i]] = value;
}

static TS_ALWAYS_INLINE void
take_known_value (TsEtfRecall *recall, const TsEtfKnownKey *key, const char *p, const char *end)
{
  if (G_UNLIKELY ((guchar) end[-1] <= ' '))
    while (ts_etf_is_blank (end[-1]))
      end--;
  if (G_LIKELY (key->role.n == 1))
    recall->attributes.all[key->role.places[0]] = (TsEtfText){ p, (gsize) (end - p) };
  else
    take_in_places (recall, &key->role, (TsEtfText){ p, (gsize) (end - p) });
}

/* The same of any key that is known. */
static TsEtfKnownKey * G_GNUC_NO_INLINE
recall_any_key (TsEtf *etf, TsEtfKnownKey **which, const char *p, const char **value)
{
  const char    *equals = skip_value (p, etf->limit);
  TsEtfKnownKey *key = equals != NULL && *equals == '=' ? search_key (etf, p, equals) : NULL;

  if (key == NULL || etf->limit - equals < TS_ETF_ROOM)
    return NULL;
  *value = equals + 1;
  return *which = key;
}

/* The key at @p, behind some spaces, and where its value begins: *value. It is mostly *which, and will be it. How many
 * spaces there are is not foreseen, and costs no branch. */
static TS_ALWAYS_INLINE TsEtfKnownKey *
recall_key (TsEtf *etf, TsEtfKnownKey **which, const char *p, const char **value)
{
  TsEtfKnownKey *key = *which;

  p = skip_spaces (p);
  if (G_UNLIKELY (key == NULL || !is_key_at (key, p)))
    return recall_any_key (etf, which, p, value);
  *value = p + key->length + 1;
  return G_LIKELY (etf->limit - *value >= VALUE_ROOM) ? key : NULL;
}

const TsEtfAttributes *
ts_etf_attributes_recall_value (TsEtf *etf, TsEtfKnownKey *key, const char *p, const char **end)
{
  guint        kind = etf->kind;
  TsEtfRecall *recall = &etf->recalls[kind];
  const char  *last = etf->limit - TS_ETF_ROOM;
  guint64      keys = 0;

  /* until something is odd: then there may be something to be told of it */
  while (G_LIKELY (key != NULL && (keys & key->bit) == 0))
    {
      const char *value = p;

      keys |= key->bit;
      if (G_UNLIKELY ((guchar) *value <= ' '))
        {
          value = skip_blanks (value);
          if (etf->limit - value < VALUE_ROOM)
            break;
        }
      p = skip_value (value, etf->limit);
      if (G_UNLIKELY (p == NULL || p == value))
        break;
      if (*p == ',')
        {
          if (key->role.n > 0)
            take_known_value (recall, key, value, p);
          key = G_LIKELY (p <= last) ? recall_key (etf, &key->behind[kind], p + 1, &p) : NULL;
          continue;
        }
      *end = p - (p[-1] == '\r');
      if (G_UNLIKELY (*p != '\n' || *end == value))
        break;
      if (key->role.n > 0)
        take_known_value (recall, key, value, *end);
      if (G_UNLIKELY (keys != recall->keys))
        forget_values (etf, recall, keys);
      return &recall->attributes;
    }
  /* what was taken so far is not of the next list */
  recall->keys |= keys;
  return NULL;
}

const TsEtfAttributes *
ts_etf_attributes_recall (TsEtf *etf, const char *p, const char **end)
{
  TsEtfKnownKey *key = NULL;

  p = skip_blanks (etf->limit - p >= TS_ETF_ROOM ? skip_spaces (p) : p);
  if (G_UNLIKELY (*p == '\n' || (*p == '\r' && p[1] == '\n')))
    {
      *end = p;
      return &no_attributes;
    }
  if (etf->limit - p >= TS_ETF_ROOM)
    key = recall_key (etf, &etf->recalls[etf->kind].first, p, &p);
  return ts_etf_attributes_recall_value (etf, key, p, end);
}

const char *
ts_etf_attributes_first_value (TsEtf *etf, const char *p, TsEtfKnownKey **key)
{
  *key = etf->limit - p >= TS_ETF_ROOM ? recall_key (etf, &etf->recalls[etf->kind].first, p, &p) : NULL;
  return *key != NULL ? skip_blanks (p) : NULL;
}

const TsEtfKnownKey *
ts_etf_attributes_key_at (TsEtf *etf, const char *p, const char **value)
{
  const char *equals = etf->limit - p >= TS_ETF_ROOM ? skip_value (p, etf->limit - TS_ETF_ROOM) : NULL;

  if (equals == NULL || *equals != '=')
    return NULL;
  *value = skip_blanks (equals + 1);
  return search_key (etf, p, equals);
}

/* @text, which has no escapes, will be known from now on. The oldest key makes room for it. */
static void
learn_key (TsEtf *etf, TsEtfText text, TsEtfRole role)
{
  guint number = etf->n_known;
  char  word[8] = { 0 };

  if (text.length == 0 || memchr (text.p, '\0', text.length) != NULL
      || search_key (etf, text.p, text.p + text.length) != NULL)
    return;
  if (number < TS_ETF_KNOWN_KEYS)
    etf->n_known++;
  else
    {
      number = etf->oldest_known;
      etf->oldest_known = (number + 1) % TS_ETF_KNOWN_KEYS;
      g_free (etf->known[number].text);
      for (guint i = 0; i < TS_ETF_KNOWN_KEYS; i++)
        memset (etf->known[i].behind, 0, sizeof etf->known[i].behind);
      memset (etf->recalls, 0, sizeof etf->recalls);
      ts_etf_alike_forget (etf);
    }
  memcpy (word, text.p, MIN (text.length, 8));
  if (text.length < 8)
    word[text.length] = '=';
  etf->known[number] = (TsEtfKnownKey){ .word = ts_eight_load (word),
                                        .mask = text.length < 7 ? ((guint64) 1 << (8 * text.length + 8)) - 1 : G_MAXUINT64,
                                        .bit = (guint64) 1 << number,
                                        .text = g_strdup_printf ("%.*s=", (int) text.length, text.p),
                                        .length = (guint32) text.length,
                                        .role = role };
}

void
ts_etf_forget_keys (TsEtf *etf)
{
  for (guint i = 0; i < etf->n_known; i++)
    g_free (etf->known[i].text);
  etf->n_known = 0;
}

/* Any list */

static void
parse_in_full (TsEtf *etf, const char *p, const char *end, gboolean learn,
               void (*all) (TsEtf *etf, TsEtfText key, TsEtfText value))
{
  Seen seen = { .n = 0 };

  etf->attributes = no_attributes;
  if (etf->scratch->len < TS_ETF_MARGIN + (gsize) (end - p))
    g_string_set_size (etf->scratch, TS_ETF_MARGIN + (gsize) (end - p));
  etf->scratch_used = TS_ETF_MARGIN;
  /* blanks alone are an empty list */
  for (const char *q = p; q < end && ts_etf_is_blank (*q); q++)
    if (q + 1 == end)
      p = end;
  while (p < end)
    {
      const char *equals;
      gboolean    has_escape, has_second;
      const char *next = find_pair (p, end, &equals, &has_escape, &has_second);

      if (equals == NULL || has_second)
        ts_etf_note (etf, BAD_ATTRIBUTE, has_second ? "a second `=' that is not escaped" : "no `='");
      else
        {
          TsEtfText key = clean (etf, p, equals, has_escape);
          TsEtfText value = clean (etf, equals + 1, next, has_escape);
          TsEtfRole role = role_of (etf, key);

          if (see_key (&seen, key))
            ts_etf_note (etf, DUPLICATE_ATTRIBUTE, "%.*s", (int) MIN (key.length, 100), key.p);
          if (learn && !has_escape)
            learn_key (etf, key, role);
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
    return known;
  parse_in_full (etf, p, end, may_recall, NULL);
  return &etf->attributes;
}
