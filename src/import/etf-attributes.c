/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/digits.h"
#include "import/etf.h"
#include "import/marks.h"

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

typedef struct
{
  const char *base;
  guint64     left;
} Marks;

static guint64
marks_of_block (const char *base, const char *end, const char *limit)
{
  gsize   length = (gsize) (end - base), room = (gsize) (limit - base);
  char    bytes[TS_MARKS_BLOCK] = { 0 };
  guint64 marks;

  if (room < TS_MARKS_BLOCK)
    marks = ts_etf_find_marks (memcpy (bytes, base, room));
  else
    marks = ts_etf_find_marks (base);
  return length < TS_MARKS_BLOCK ? marks | (guint64) 1 << length : marks;
}

/* Those of the block behind. */
static Marks G_GNUC_NO_INLINE
more_marks (Marks marks, const char *end, const char *limit)
{
  do
    {
      marks.base += TS_MARKS_BLOCK;
      marks.left = marks_of_block (marks.base, end, limit);
    }
  while (marks.left == 0);
  return marks;
}

/* The next one; the line's end is the last. */
static inline const char *
next_mark (const TsEtf *etf, Marks *marks, const char *end)
{
  const char *p;

  if (G_UNLIKELY (marks->left == 0))
    *marks = more_marks (*marks, end, etf->limit);
  p = marks->base + (guint) __builtin_ctzll (marks->left);
  marks->left &= marks->left - 1;
  return p;
}

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
        recall->attributes.all[role->places[i]].p = NULL;
    }
  recall->keys = keys;
}

static inline void
take_known_value (TsEtfRecall *recall, const TsEtfKnownKey *key, const char *p, const char *end)
{
  if (G_UNLIKELY (ts_etf_is_blank (end[-1])))
    while (ts_etf_is_blank (end[-1]))
      end--;
  for (guint i = 0; i < key->role.n; i++)
    recall->attributes.all[key->role.places[i]] = (TsEtfText){ p, (gsize) (end - p) };
}

/* The pairs from @p on, of which none is odd: then there is nothing to be told of them. */
static inline gboolean
recall_pairs (TsEtf *etf, TsEtfRecall *recall, const char *p, const char *end, Marks marks)
{
  guint64 keys = 0;
  guint8 *which = &recall->first; /* where the number of the next key is kept */
  guint   kind = etf->kind;

  for (;; p++)
    {
      TsEtfKnownKey *key = &etf->known[*which];
      const char    *value;

      p = skip_spaces (p);
      value = next_mark (etf, &marks, end) + 1;
      if (G_LIKELY (is_key_at (key, p)))
        value = p + key->length + 1;
      else if (value > end || value[-1] != '=' || (key = search_key (etf, p, value - 1)) == NULL)
        break;
      else
        *which = (guint8) (key - etf->known);
      which = &key->behind[kind];
      if (G_UNLIKELY ((keys & key->bit) != 0))
        break;
      keys |= key->bit;
      if (G_UNLIKELY (ts_etf_is_blank (*value)))
        value = skip_blanks (value);
      p = next_mark (etf, &marks, end);
      if (G_UNLIKELY (p == value))
        break;
      if (key->role.n > 0)
        take_known_value (recall, key, value, p);
      if (*p == ',')
        continue;
      if (G_UNLIKELY (p != end))
        break;
      if (G_UNLIKELY (keys != recall->keys))
        forget_values (etf, recall, keys);
      return TRUE;
    }
  /* what was taken so far is not of the next list */
  recall->keys |= keys;
  return FALSE;
}

const TsEtfAttributes *
ts_etf_attributes_recall (TsEtf *etf, const char *p, const char *end, const char *base, guint64 marks)
{
  TsEtfRecall *recall = &etf->recalls[etf->kind];

  if (G_UNLIKELY (base == NULL))
    {
      base = p;
      marks = marks_of_block (p, end, etf->limit);
    }
  if (G_UNLIKELY (etf->n_known == 0 || skip_spaces (p) == end))
    return skip_blanks (p) == end ? &no_attributes : NULL;
  return G_LIKELY (recall_pairs (etf, recall, p, end, (Marks){ base, marks })) ? &recall->attributes : NULL;
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
      memset (etf->recalls, 0, sizeof etf->recalls);
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
  const TsEtfAttributes *known;

  if (etf->scan.is_off || etf->limit - end < TS_ETF_ROOM)
    {
      parse_in_full (etf, p, end, FALSE, NULL);
      return &etf->attributes;
    }
  known = ts_etf_attributes_recall (etf, p, end, NULL, 0);
  return known != NULL ? known : ts_etf_attributes_learn (etf, p, end);
}
