/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/digits.h"
#include "import/etf.h"

/* A quick reader of claims and events, which are nearly all of a file: numbers without a sign, blanks between them,
 * and attributes. Nothing has changed before a line is known to be good, so that what is odd or wrong can be left to
 * the readers of any line, which also say what is wrong with it. */

#define ALWAYS_INLINE inline __attribute__ ((always_inline))
#define MAX_DIGITS 18
#define MAX_BLANKS 16
/* The numbers of a line, the blanks between them, and what is looked at behind them, are no longer than this. */
#define MAX_FIELDS 384

/* Up to 15 digits at @p, behind which it returns. NULL: there is none, or there are more. */
static ALWAYS_INLINE const char *
take_digits (const char *p, TsEtfHigh *high, guint64 *number)
{
  guint64 digits = ts_eight_digits (p), others = ts_eight_odd (digits), text;
  guint   n_bits;

  if (G_LIKELY (others != 0))
    {
      n_bits = (guint) __builtin_ctzll (others) & 56;
      if (G_UNLIKELY (n_bits == 0))
        return NULL;
      *number = ts_eight_number (digits << (64 - n_bits));
      return p + n_bits / 8;
    }
  others = ts_eight_odd (ts_eight_digits (p + 8));
  if (G_UNLIKELY (others == 0))
    return NULL;
  n_bits = (guint) __builtin_ctzll (others) & 56;
  /* those before the last eight are rarely others than in the line before */
  text = digits << 1 << (63 - n_bits);
  if (G_UNLIKELY (text != high->text))
    *high = (TsEtfHigh){ text, ts_eight_number (text) * 100000000 };
  p += n_bits / 8;
  *number = high->value + ts_eight_number (ts_eight_digits (p));
  return p + 8;
}

/* The number of which @number are the digits from @begin on, in units of 10^-k: behind them, at @p, there may be a
 * point. NULL: it needs finer units, or has more digits than are sure to do. */
static const char *G_GNUC_NO_INLINE
take_decimals (const char *begin, const char *p, gint k, guint64 number, gint64 *value)
{
  TsEtfHigh   high = { 0, 0 };
  guint64     fraction = 0, surplus;
  const char *point = p;
  gint        n = 0;

  if (p - begin + k > MAX_DIGITS)
    return NULL;
  if (*point == '.')
    {
      p = take_digits (point + 1, &high, &fraction);
      if (p == NULL)
        return NULL;
      n = (gint) (p - point - 1);
    }
  if (n > k)
    {
      surplus = (guint64) ts_etf_power_of_ten (n - k);
      if (fraction % surplus != 0)
        return NULL;
      fraction /= surplus;
      n = k;
    }
  *value = (gint64) (number * (guint64) ts_etf_power_of_ten (k) + fraction * (guint64) ts_etf_power_of_ten (k - n));
  return p;
}

static ALWAYS_INLINE const char *
take_number (const char *p, gint k, TsEtfHigh *high, gint64 *value)
{
  const char *begin = p;
  guint64     number;

  p = take_digits (p, high, &number);
  if (G_UNLIKELY (p == NULL))
    return NULL;
  if (k > 0 || *p == '.')
    return take_decimals (begin, p, k, number, value);
  *value = (gint64) number;
  return p;
}

static inline guint
digit_of (char c)
{
  return (guint) (guchar) c - '0';
}

/* The same of amounts, which are 1 more often than not. */
static ALWAYS_INLINE const char *
take_amount (const char *p, gint k, gint64 *value)
{
  TsEtfHigh high = { 0, 0 };

  if (G_LIKELY (k == 0 && p[1] == ' ' && digit_of (*p) <= 9))
    {
      *value = digit_of (*p);
      return p + 1;
    }
  return take_number (p, k, &high, value);
}

/* A number as ids are written. */
static ALWAYS_INLINE const char *
take_id (const char *p, TsEtfHigh *high, guint64 *id)
{
  if (G_UNLIKELY (*p == '0' && digit_of (p[1]) <= 9))
    return NULL;
  return take_digits (p, high, id);
}

/* Those of resources are short. */
static ALWAYS_INLINE const char *
take_resource_id (const char *p, guint64 *id)
{
  TsEtfHigh high = { 0, 0 };

  if (p[1] == ' ' && digit_of (*p) <= 9)
    {
      *id = digit_of (*p);
      return p + 1;
    }
  return take_id (p, &high, id);
}

static const char *G_GNUC_NO_INLINE
skip_blanks (const char *p)
{
  for (guint i = 0; i < MAX_BLANKS; i++)
    if (!ts_etf_is_blank (p[i]))
      return i > 0 ? p + i : NULL;
  return NULL;
}

/* What stands behind the blanks at @p, mostly one. NULL: there is none, or there are many. */
static ALWAYS_INLINE const char *
next_field (const char *p)
{
  if (G_LIKELY (*p == ' ' && (guchar) p[1] > ' '))
    return p + 1;
  return skip_blanks (p);
}

/* Behind the `;' at @p or behind blanks. */
static ALWAYS_INLINE const char *
skip_separator (const char *p)
{
  if (*p != ';' && ((p = next_field (p)) == NULL || *p != ';'))
    return NULL;
  return p + 1;
}

/* The attributes of a line that begins at @begin, and where it ends, without its '\r'. NULL: they are not known by
 * their layout. FALSE: the line is too long. */
static ALWAYS_INLINE gboolean
find_attributes (TsEtf *etf, const char *begin, const char *list, const char *end, const TsEtfAttributes **attributes,
                 const char **line_end)
{
  *attributes = ts_etf_attributes_recall (etf, list, line_end);
  if (G_UNLIKELY (*attributes == NULL))
    {
      *line_end = memchr (list, '\n', (gsize) (end - list));
      if ((*line_end)[-1] == '\r')
        --*line_end;
    }
  return *line_end - begin <= TS_ETF_MAX_LINE;
}

/* The line is good. */
static ALWAYS_INLINE const TsEtfAttributes *
begin_line (TsEtf *etf, const TsEtfAttributes *attributes, const char *list, const char *line_end)
{
  etf->line++;
  return G_LIKELY (attributes != NULL) ? attributes : ts_etf_attributes_read (etf, list, line_end);
}

static ALWAYS_INLINE const char *
line_after (const char *line_end)
{
  return line_end + (*line_end == '\r' ? 2 : 1);
}

/* The line at @begin; returns the next one. NULL: others have to look at it. */
static const char *
scan_claim (TsEtf *etf, const char *begin, const char *end)
{
  const TsEtfAttributes *attributes;
  TsEtfResource         *resource;
  TsEtfClaim             claim;
  const char            *p, *list, *line_end;
  guint64                id, resource_id;
  gint64                 offset = 0;

  if ((p = next_field (begin + 1)) == NULL || (p = take_id (p, &etf->scan.id, &id)) == NULL
      || (p = next_field (p)) == NULL || (p = take_number (p, etf->decimals, &etf->scan.time, &claim.t0)) == NULL
      || (p = next_field (p)) == NULL || (p = take_number (p, etf->decimals, &etf->scan.time, &claim.t1)) == NULL
      || (p = next_field (p)) == NULL || (p = take_resource_id (p, &resource_id)) == NULL || (p = next_field (p)) == NULL)
    return NULL;
  claim.resource = ts_etf_ids_find (&etf->resource_ids, resource_id);
  if (G_UNLIKELY (claim.resource == TS_ETF_NONE))
    return NULL;
  resource = &g_array_index (etf->resources, TsEtfResource, claim.resource);
  if (resource->uses_offset
      && ((p = take_amount (p, etf->amount_decimals, &offset)) == NULL || (p = next_field (p)) == NULL))
    return NULL;
  if ((p = take_amount (p, etf->amount_decimals, &claim.amount)) == NULL || (list = skip_separator (p)) == NULL)
    return NULL;
  if (G_UNLIKELY (claim.t0 > claim.t1 || resource->line == 0 || offset + claim.amount > resource->capacity
                  || etf->n_records == TS_ETF_MAX_RECORDS))
    return NULL;
  etf->kind = 0;
  if (!find_attributes (etf, begin, list, end, &attributes, &line_end) || !ts_etf_ids_add (&etf->claim_ids, id))
    return NULL;

  attributes = begin_line (etf, attributes, list, line_end);
  etf->largest_stamp = MAX (etf->largest_stamp, claim.t1);
  /* the capacity is more than what is claimed: etf->largest_amount stays as it is */
  if (G_UNLIKELY (resource->used_line == 0))
    resource->used_line = etf->line;
  ts_etf_add_claim (etf, &claim, attributes);
  return line_after (line_end);
}

static const char *
scan_event (TsEtf *etf, const char *begin, const char *end)
{
  const TsEtfAttributes *attributes;
  const char            *p, *list, *line_end;
  guint64                id;
  gint64                 time;

  if ((p = next_field (begin + 1)) == NULL || (p = take_id (p, &etf->scan.id, &id)) == NULL
      || (p = next_field (p)) == NULL || (p = take_number (p, etf->decimals, &etf->scan.time, &time)) == NULL
      || (list = skip_separator (p)) == NULL)
    return NULL;
  etf->kind = 1;
  if (etf->events->len == TS_ETF_MAX_EVENTS || !find_attributes (etf, begin, list, end, &attributes, &line_end)
      || !ts_etf_ids_add (&etf->event_ids, id))
    return NULL;

  attributes = begin_line (etf, attributes, list, line_end);
  etf->largest_stamp = MAX (etf->largest_stamp, time);
  ts_etf_add_event (etf, time, attributes);
  return line_after (line_end);
}

const char *
ts_etf_scan (TsEtf *etf, const char *begin, const char *end)
{
  /* the first line may have a byte order mark */
  if (etf->scan.is_off || etf->line == 0)
    return begin;
  while (end - begin >= MAX_FIELDS && etf->line < G_MAXUINT32)
    {
      const char *next = *begin == 'C' ? scan_claim (etf, begin, end) : *begin == 'E' ? scan_event (etf, begin, end) : NULL;

      if (next == NULL)
        break;
      etf->has_content = TRUE;
      begin = next;
    }
  return begin;
}
