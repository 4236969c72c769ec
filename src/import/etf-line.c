/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/etf.h"

#define MAX_DIGITS 18
#define MAX_EXPONENT 1000
/* Pairs of a list that are compared with one another; longer lists go through a table. */
#define FEW_PAIRS 24

gint64
ts_etf_power_of_ten (gint exponent)
{
  static const gint64 powers[] = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000,
    1000000000000, 10000000000000, 100000000000000, 1000000000000000, 10000000000000000, 100000000000000000,
    1000000000000000000,
  };

  g_assert (exponent >= 0 && exponent < (gint) G_N_ELEMENTS (powers));
  return powers[exponent];
}

/* [+-]digits: FALSE if it is none. Beyond MAX_EXPONENT the size does not matter any more. */
static gboolean
parse_exponent (const char *p, const char *end, gint *exponent)
{
  gboolean is_negative = FALSE;
  gint     value = 0;

  if (p < end && (*p == '+' || *p == '-'))
    is_negative = *p++ == '-';
  if (p == end)
    return FALSE;
  for (; p < end; p++)
    {
      guint digit = (guint) (guchar) *p - '0';

      if (digit > 9)
        return FALSE;
      value = MIN (10 * value + (gint) digit, MAX_EXPONENT);
    }
  *exponent = is_negative ? -value : value;
  return TRUE;
}

/* Brings what was read, @decimals of it behind the point, to its shortest form. */
static TsEtfNumber
shorten (gint64 mantissa, gint decimals, TsEtfDecimal *decimal)
{
  while (decimals > 0 && mantissa % 10 == 0 && mantissa != 0)
    {
      mantissa /= 10;
      decimals--;
    }
  if (mantissa == 0)
    decimals = 0;
  for (; decimals < 0; decimals++)
    if (__builtin_mul_overflow (mantissa, (gint64) 10, &mantissa))
      return TS_ETF_LARGE;
  *decimal = (TsEtfDecimal){ mantissa, decimals };
  return decimals > MAX_DIGITS ? TS_ETF_LARGE : TS_ETF_GOOD;
}

/* What nearly all numbers are: FALSE if it is something else, or too long to be held for sure. */
static gboolean
parse_plain (TsEtfText text, TsEtfDecimal *decimal)
{
  const char *p = text.p, *end = p + text.length, *point = NULL;
  gboolean    is_negative = p < end && *p == '-';
  gint64      mantissa = 0;
  gint        decimals = 0;

  p += is_negative;
  if (end - p > MAX_DIGITS)
    return FALSE;
  for (const char *begin = p; p < end; p++)
    {
      guint digit = (guint) (guchar) *p - '0';

      if (G_LIKELY (digit <= 9))
        mantissa = 10 * mantissa + (gint64) digit;
      else if (*p == '.' && point == NULL && p > begin)
        point = p;
      else
        return FALSE;
    }
  if (end[-1] == '-' || text.length == 0)
    return FALSE;
  if (point != NULL)
    decimals = (gint) (end - point - 1);
  if (decimals > 0 && end[-1] == '0')
    for (; decimals > 0 && mantissa % 10 == 0; decimals--)
      mantissa /= 10;
  *decimal = (TsEtfDecimal){ is_negative ? -mantissa : mantissa, decimals };
  return TRUE;
}

/* [+-]digits[.digits][e[+-]digits]; at least one digit on either side of the point. NaN, hexadecimal numbers and
 * suffixes, which some readers of the format accept, are no numbers. */
TsEtfNumber
ts_etf_decimal_parse (TsEtfText text, TsEtfDecimal *decimal)
{
  const char *p = text.p, *end = p + text.length;
  gboolean    is_negative = FALSE, has_point = FALSE, is_large = FALSE;
  gint64      mantissa = 0;
  gint        decimals = 0, n_zeros = 0, exponent = 0;
  gsize       n_digits = 0;

  if (G_LIKELY (text.length > 0 && parse_plain (text, decimal)))
    return TS_ETF_GOOD;
  if (p < end && (*p == '-' || *p == '+'))
    is_negative = *p++ == '-';
  for (; p < end; p++)
    {
      guint digit = (guint) (guchar) *p - '0';

      if (digit > 9)
        {
          if (*p != '.' || has_point)
            break;
          has_point = TRUE;
          continue;
        }
      n_digits++;
      decimals += has_point;
      /* zeros at the end of the fraction say nothing; they are taken in only if more follows */
      if (digit == 0 && has_point)
        {
          n_zeros++;
          continue;
        }
      for (; n_zeros > 0 && !is_large; n_zeros--)
        is_large |= __builtin_mul_overflow (mantissa, (gint64) 10, &mantissa);
      is_large = is_large || __builtin_mul_overflow (mantissa, (gint64) 10, &mantissa)
                 || __builtin_add_overflow (mantissa, (gint64) digit, &mantissa);
    }
  if (n_digits == 0)
    return TS_ETF_BAD;
  if (p < end && ((*p != 'e' && *p != 'E') || !parse_exponent (p + 1, end, &exponent)))
    return TS_ETF_BAD;
  if (is_large)
    return TS_ETF_LARGE;
  return shorten (is_negative ? -mantissa : mantissa, decimals - n_zeros - exponent, decimal);
}

gboolean
ts_etf_decimal_scale (TsEtfDecimal decimal, gint k, gint64 limit, gint64 *value)
{
  return !__builtin_mul_overflow (decimal.mantissa, ts_etf_power_of_ten (k - decimal.decimals), value)
         && *value <= limit && *value >= -limit;
}

/* A plain number at @p, with blanks or the end of the fields behind it; NULL if it is something else. */
static inline const char *
scan_plain (const char *p, const char *end, TsEtfText *text, TsEtfDecimal *decimal)
{
  const char *begin, *point = NULL;
  gint64      mantissa = 0;

  while (p < end && *p == ' ')
    p++;
  for (begin = p; p < end; p++)
    {
      guint digit = (guint) (guchar) *p - '0';

      if (G_LIKELY (digit <= 9))
        mantissa = (gint64) (10 * (guint64) mantissa + digit);
      else if (*p == '.' && point == NULL && p > begin)
        point = p;
      else
        break;
    }
  /* a zero at the end of a fraction is left to the others */
  if (p == begin || p == end || p - begin > MAX_DIGITS || (*p != ' ' && *p != ';') || (point != NULL && p[-1] == '0'))
    return NULL;
  *text = (TsEtfText){ begin, (gsize) (p - begin) };
  *decimal = (TsEtfDecimal){ mantissa, point != NULL ? (gint) (p - point - 1) : 0 };
  return p;
}

gboolean
ts_etf_scan_claim (const char *p, const char *end, TsEtfText *fields, TsEtfDecimal *decimals, const char **attributes)
{
  for (guint i = 0; i < 5; i++)
    {
      p = scan_plain (p, end, &fields[i], &decimals[i]);
      if (p == NULL)
        return FALSE;
    }
  while (p < end && *p == ' ')
    p++;
  *attributes = p + 1;
  return p < end && *p == ';';
}

guint
ts_etf_split (const char *p, const char *end, TsEtfText *fields, const char **attributes)
{
  const char *separator = memchr (p, ';', (gsize) (end - p));
  const char *last = separator != NULL ? separator : end;
  guint       n = 0;

  *attributes = separator != NULL ? separator + 1 : NULL;
  for (;;)
    {
      TsEtfText field = ts_etf_next_field (&p, last);

      if (field.length == 0)
        return n;
      if (n < TS_ETF_MAX_FIELDS)
        fields[n] = field;
      n++;
    }
}

/* Attributes */

static gboolean
is_blank (char c)
{
  return c == ' ' || c == '\t';
}

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

  while (p < end && is_blank (*p))
    p++;
  while (p < end && is_blank (end[-1]) && !(has_escape && is_escaped (p, end)))
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

/* What @key is good for. */
static TsEtfRole
role_of (const TsEtf *etf, TsEtfText key)
{
  TsEtfRole role = { .element = find_key (&etf->element_keys, key),
                     .instance = find_key (&etf->instance_keys, key),
                     .fallback = -1,
                     .is_object = is_key (key, etf->object_key),
                     .is_activation = is_key (key, etf->activation_key) };

  if (etf->default_keys && ts_etf_text_is (key, "task"))
    role.fallback = 0;
  else if (etf->default_keys && ts_etf_text_is (key, "activity"))
    role.fallback = 1;
  role.is_wanted = role.element >= 0 || role.instance >= 0 || role.fallback >= 0 || role.is_object || role.is_activation;
  return role;
}

/* An empty value names nothing: it is as good as none, but for a filter that asks for it. */
static void
take_value (TsEtfAttributes *attributes, const TsEtfRole *role, TsEtfText value)
{
  if (role->is_activation)
    attributes->activation = value;
  if (value.length == 0)
    value.p = NULL;
  if (role->element >= 0)
    attributes->element[role->element] = value;
  if (role->instance >= 0)
    attributes->instance[role->instance] = value;
  if (role->fallback >= 0)
    attributes->fallback[role->fallback] = value;
  if (role->is_object)
    attributes->object = value;
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

/* Lines have the same keys in the same order over and over: what stands before the values of a line that was read
 * in full is compared with the next ones. A value that ends in a way of its own, or holds a `=' or a `\', does not
 * fit. */
static gboolean
parse_known (const TsEtfLayout *layout, const char *p, const char *end, TsEtfAttributes *attributes)
{
  for (guint i = 0; i < layout->n; i++)
    {
      const TsEtfPair *pair = &layout->pairs[i];
      const char      *begin;

      if ((gsize) (end - p) < pair->length || memcmp (p, layout->text->str + pair->start, pair->length) != 0)
        return FALSE;
      p += pair->length;
      while (p < end && is_blank (*p))
        p++;
      for (begin = p; p < end && *p != ','; p++)
        if (*p == '=' || *p == '\\')
          return FALSE;
      if ((p == end) != (i + 1 == layout->n))
        return FALSE;
      if (pair->role.is_wanted)
        {
          const char *last = p;

          while (last > begin && is_blank (last[-1]))
            last--;
          take_value (attributes, &pair->role, (TsEtfText){ begin, (gsize) (last - begin) });
        }
      p++;
    }
  return layout->n > 0;
}

static gboolean
parse_quickly (TsEtf *etf, const char *p, const char *end, TsEtfAttributes *attributes)
{
  for (guint i = 0; i < TS_ETF_LAYOUTS; i++)
    {
      guint which = (etf->layout[etf->kind] + i) % TS_ETF_LAYOUTS;

      if (parse_known (&etf->layouts[which], p, end, attributes))
        {
          etf->layout[etf->kind] = which;
          return TRUE;
        }
      if (etf->layouts[which].n > 0)
        ts_etf_attributes_init (etf, attributes);
    }
  return FALSE;
}

void
ts_etf_attributes_init (const TsEtf *etf, TsEtfAttributes *attributes)
{
  static const TsEtfText missing = { NULL, 0 };

  for (guint i = 0; i < etf->element_keys.n; i++)
    attributes->element[i] = missing;
  for (guint i = 0; i < etf->instance_keys.n; i++)
    attributes->instance[i] = missing;
  attributes->fallback[0] = attributes->fallback[1] = missing;
  attributes->object = attributes->activation = missing;
}

/* Starts a layout in the place of the oldest one. */
static TsEtfLayout *
begin_layout (TsEtf *etf)
{
  TsEtfLayout *layout;

  etf->oldest_layout = (etf->oldest_layout + 1) % TS_ETF_LAYOUTS;
  layout = &etf->layouts[etf->oldest_layout];
  if (layout->text == NULL)
    layout->text = g_string_new (NULL);
  g_string_truncate (layout->text, 0);
  layout->n = 0;
  return layout;
}

/* FALSE: there is no room for it. */
static gboolean
add_to_layout (TsEtfLayout *layout, const char *begin, const char *end, TsEtfRole role)
{
  if (layout->n == TS_ETF_LAYOUT_PAIRS)
    return FALSE;
  layout->pairs[layout->n++] = (TsEtfPair){ (guint) layout->text->len, (guint) (end - begin), role };
  g_string_append_len (layout->text, begin, end - begin);
  return TRUE;
}

void
ts_etf_attributes_parse (TsEtf *etf, const char *p, const char *end, TsEtfAttributes *attributes,
                         void (*all) (TsEtf *etf, TsEtfText key, TsEtfText value))
{
  Seen         seen = { .n = 0 };
  TsEtfLayout *layout;
  gboolean     is_plain = attributes != NULL;

  if (attributes != NULL && parse_quickly (etf, p, end, attributes))
    return;
  if (etf->scratch->len < (gsize) (end - p))
    g_string_set_size (etf->scratch, (gsize) (end - p));
  etf->scratch_used = 0;
  layout = begin_layout (etf);
  /* blanks alone are an empty list */
  for (const char *q = p; q < end && is_blank (*q); q++)
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
          if (attributes != NULL && role.is_wanted)
            take_value (attributes, &role, value);
          if (all != NULL)
            all (etf, key, value);
        }
      if (next == end)
        break;
      p = next + 1;
    }
  if (!is_plain)
    layout->n = 0;
  if (seen.many != NULL)
    g_hash_table_unref (seen.many);
}
