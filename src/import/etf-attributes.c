/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "import/digits.h"
#include "import/etf.h"

/* Lists of attributes: any list in full, and quickly those whose keys stood in that order before. */

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
  static const TsEtfAttributes attributes;
  TsEtfRole                    role = { .n = 0 };
  gint8                        element = find_key (&etf->element_keys, key), instance = find_key (&etf->instance_keys, key);

  if (element >= 0)
    add_place (&role, &attributes, &attributes.element[element]);
  if (instance >= 0)
    add_place (&role, &attributes, &attributes.instance[instance]);
  if (etf->default_keys && ts_etf_text_is (key, "task"))
    add_place (&role, &attributes, &attributes.fallback[0]);
  else if (etf->default_keys && ts_etf_text_is (key, "activity"))
    add_place (&role, &attributes, &attributes.fallback[1]);
  if (is_key (key, etf->object_key))
    add_place (&role, &attributes, &attributes.object);
  if (is_key (key, etf->activation_key))
    add_place (&role, &attributes, &attributes.activation);
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

/* Lines */

/* Whether @pair begins at @p: eight bytes at a time, where there are as many. */
static inline gboolean
has_prefix (const char *p, const char *limit, const TsEtfLayout *layout, const TsEtfPair *pair)
{
  guint64 word;

  if (G_LIKELY (limit - p >= 8))
    {
      memcpy (&word, p, 8);
      if ((word & pair->mask) != pair->word)
        return FALSE;
      if (G_LIKELY (pair->length <= 8))
        return TRUE;
    }
  return limit - p >= (gssize) pair->length && memcmp (p, layout->text->str + pair->start, pair->length) == 0;
}

/* Behind a value, where there is something that a value cannot hold as it is, or a control character: the line's end
 * is one. */
#ifdef __SSE2__

static inline const char *
skip_value (const char *p, const char *limit)
{
  const __m128i comma = _mm_set1_epi8 (','), equals = _mm_set1_epi8 ('='), escape = _mm_set1_epi8 ('\\');
  const __m128i control = _mm_set1_epi8 (' ' - 1);

  while (G_LIKELY (limit - p >= 16))
    {
      __m128i bytes = _mm_loadu_si128 ((const __m128i *) (gconstpointer) p);
      __m128i found = _mm_or_si128 (_mm_or_si128 (_mm_cmpeq_epi8 (bytes, comma), _mm_cmpeq_epi8 (bytes, equals)),
                                    _mm_or_si128 (_mm_cmpeq_epi8 (bytes, escape),
                                                  _mm_cmpeq_epi8 (_mm_min_epu8 (bytes, control), bytes)));
      guint   marks = (guint) _mm_movemask_epi8 (found);

      if (G_LIKELY (marks != 0))
        return p + __builtin_ctz (marks);
      p += 16;
    }
  while (p < limit && (guchar) *p >= ' ' && *p != ',' && *p != '=' && *p != '\\')
    p++;
  return p;
}

#else

/* The highest bit of each byte of @word that is @byte, up to the first one: what follows it is of no use. */
static inline guint64
find_byte (guint64 word, guchar byte)
{
  word ^= TS_EACH_BYTE (byte);
  return (word - TS_EACH_BYTE (1)) & ~word & TS_EACH_BYTE (0x80);
}

static inline const char *
skip_value (const char *p, const char *limit)
{
  while (G_LIKELY (limit - p >= 8))
    {
      guint64 word = ts_eight_load (p);
      guint64 found = find_byte (word, ',') | find_byte (word, '=') | find_byte (word, '\\')
                      | ((word - TS_EACH_BYTE (' ')) & ~word & TS_EACH_BYTE (0x80));

      if (found != 0)
        return p + __builtin_ctzll (found) / 8;
      p += 8;
    }
  while (p < limit && (guchar) *p >= ' ' && *p != ',' && *p != '=' && *p != '\\')
    p++;
  return p;
}

#endif

/* Lines have the same keys in the same order over and over: what stands before the values of a line that was read
 * in full is compared with the next ones. A value that is empty, or holds anything out of the ordinary, does not fit.
 * Returns where the last value ends, which a control character or the end of what may be read does, or NULL. */
static inline __attribute__ ((always_inline)) const char *
parse_known (TsEtfLayout *layout, const char *p, const char *limit)
{
  const TsEtfPair *pair = layout->pairs, *behind = pair + layout->n;

  if (G_UNLIKELY (layout->n == 0))
    return NULL;
  for (;; p++)
    {
      const char *begin, *last;

      if (!has_prefix (p, limit, layout, pair))
        return NULL;
      p += pair->length;
      while (*p == ' ')
        p++;
      begin = p;
      p = last = skip_value (p, limit);
      if (p == begin)
        return NULL;
      if (pair->role.n > 0)
        {
          while (last[-1] == ' ')
            last--;
          for (guint k = 0; k < pair->role.n; k++)
            layout->attributes.all[pair->role.places[k]] = (TsEtfText){ begin, (gsize) (last - begin) };
        }
      if (++pair == behind)
        return p;
      if (p == limit || *p != ',')
        return NULL;
    }
}

/* Whether the line ends at @p, or there only its '\r' follows. */
static inline gboolean
is_line_end (const char *p)
{
  return *p == '\n' || (*p == '\r' && p[1] == '\n');
}

/* Whether layout number @which fits the list at @p, which ends at *end, or where the line does if that is NULL. */
static inline __attribute__ ((always_inline)) gboolean
fits (TsEtf *etf, guint which, const char *p, const char **end)
{
  const char *last = parse_known (&etf->layouts[which], p, etf->limit);

  if (last == NULL || (*end == NULL ? !is_line_end (last) : last != *end))
    return FALSE;
  *end = last;
  return TRUE;
}

static const TsEtfAttributes *G_GNUC_NO_INLINE
find_other_layout (TsEtf *etf, const char *p, const char **end)
{
  for (guint i = 1; i < TS_ETF_LAYOUTS; i++)
    {
      guint which = (etf->layout[etf->kind] + i) % TS_ETF_LAYOUTS;

      if (!fits (etf, which, p, end))
        continue;
      etf->layout[etf->kind] = (guint8) which;
      return &etf->layouts[which].attributes;
    }
  return NULL;
}

static inline const TsEtfAttributes *
find_layout (TsEtf *etf, const char *p, const char **end)
{
  guint which = etf->layout[etf->kind];

  if (G_LIKELY (fits (etf, which, p, end)))
    return &etf->layouts[which].attributes;
  return find_other_layout (etf, p, end);
}

/* FALSE: there is no room for it. */
static gboolean
add_to_layout (TsEtfLayout *layout, const char *begin, const char *end, TsEtfRole role)
{
  TsEtfPair *pair;

  if (layout->n == TS_ETF_LAYOUT_PAIRS)
    return FALSE;
  pair = &layout->pairs[layout->n++];
  *pair = (TsEtfPair){ .start = (guint) layout->text->len, .length = (guint) (end - begin), .role = role };
  memcpy (&pair->word, begin, MIN (pair->length, 8));
  memset (&pair->mask, 0xff, MIN (pair->length, 8));
  g_string_append_len (layout->text, begin, end - begin);
  return TRUE;
}

/* The layout that was made last takes the place of the oldest one. */
static void
keep_layout (TsEtf *etf)
{
  TsEtfLayout *oldest, layout = etf->new_layout;

  etf->oldest_layout = (guint8) ((etf->oldest_layout + 1) % TS_ETF_LAYOUTS);
  oldest = &etf->layouts[etf->oldest_layout];
  etf->new_layout = *oldest;
  *oldest = layout;
  oldest->attributes = (TsEtfAttributes){ .all = { { NULL, 0 } } };
}

/* Any list. It becomes a layout if lines like it can be read by one. */
static void
parse_in_full (TsEtf *etf, const char *p, const char *end, void (*all) (TsEtf *etf, TsEtfText key, TsEtfText value))
{
  Seen         seen = { .n = 0 };
  TsEtfLayout *layout = &etf->new_layout;
  gboolean     is_plain = TRUE;

  etf->attributes = (TsEtfAttributes){ .all = { { NULL, 0 } } };
  if (etf->scratch->len < TS_ETF_MARGIN + (gsize) (end - p))
    g_string_set_size (etf->scratch, TS_ETF_MARGIN + (gsize) (end - p));
  etf->scratch_used = TS_ETF_MARGIN;
  if (layout->text == NULL)
    layout->text = g_string_new (NULL);
  g_string_truncate (layout->text, 0);
  layout->n = 0;
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
        {
          ts_etf_note (etf, BAD_ATTRIBUTE, has_second ? "a second `=' that is not escaped" : "no `='");
          is_plain = FALSE;
        }
      else
        {
          TsEtfText key = clean (etf, p, equals, has_escape);
          TsEtfText value = clean (etf, equals + 1, next, has_escape);
          TsEtfRole role = role_of (etf, key);

          if (see_key (&seen, key))
            {
              ts_etf_note (etf, DUPLICATE_ATTRIBUTE, "%.*s", (int) MIN (key.length, 100), key.p);
              is_plain = FALSE;
            }
          is_plain = is_plain && !has_escape && add_to_layout (layout, p, equals + 1, role);
          take_value (&etf->attributes, &role, value);
          if (all != NULL)
            all (etf, key, value);
        }
      if (next == end)
        break;
      p = next + 1;
    }
  if (is_plain && layout->n > 0)
    keep_layout (etf);
  if (seen.many != NULL)
    g_hash_table_unref (seen.many);
}

void
ts_etf_attributes_parse (TsEtf *etf, const char *p, const char *end,
                         void (*all) (TsEtf *etf, TsEtfText key, TsEtfText value))
{
  parse_in_full (etf, p, end, all);
}

const TsEtfAttributes *
ts_etf_attributes_recall (TsEtf *etf, const char *p, const char **end)
{
  *end = NULL;
  return find_layout (etf, p, end);
}

const TsEtfAttributes *
ts_etf_attributes_read (TsEtf *etf, const char *p, const char *end)
{
  static const TsEtfAttributes none;
  const TsEtfAttributes       *known;

  if (p == end)
    return &none;
  known = find_layout (etf, p, &end);
  if (G_LIKELY (known != NULL))
    return known;
  parse_in_full (etf, p, end, NULL);
  return &etf->attributes;
}
