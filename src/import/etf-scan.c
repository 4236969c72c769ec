/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/digits.h"
#include "import/etf.h"
#include "import/marks.h"

/* A quick reader of claims, events and dependencies, which are nearly all of a file: numbers without a sign, blanks
 * between them, and attributes. What 64 bytes of a line are is found out at once, so that numbers of all lengths and any
 * number of blanks cost no branch, and the next line need not wait for this one. Nothing has changed before a line is
 * known to be good, so that what is odd or wrong can be left to the readers of any line, which also say what is wrong
 * with it. */

#define ALWAYS_INLINE inline __attribute__ ((always_inline))
#define MAX_DIGITS 18
/* The fields of a line, and what is looked at behind them, are no longer than this. */
#define MAX_FIELDS 384
#define MAX_NUMBERS 6
/* Where the `;' may be at the most: there are bits for all edges of numbers, and more behind them. */
#define MAX_SEPARATOR (TS_MARKS_BLOCK - 2 * MAX_NUMBERS - 1)

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

/* Fields */

/* The numbers between the kind of a line, at @p, and its `;': a bit for each place where one begins or ends, and all
 * bits behind. */
typedef struct
{
  const char *p;
  guint64     edges, behind;
  guint64     points; /* of decimals */
} Fields;

typedef struct
{
  guint begin, end;
} Place;

static ALWAYS_INLINE guint
next_edge (Fields *fields)
{
  guint place = (guint) __builtin_ctzll (fields->edges);

  fields->edges &= fields->edges - 1;
  return place;
}

/* The next number. Where there is none, it is somewhere behind: to be asked later by are_all(). */
static ALWAYS_INLINE Place
next_number (Fields *fields)
{
  guint begin = next_edge (fields);

  return (Place){ begin, next_edge (fields) };
}

static ALWAYS_INLINE gboolean
are_all (const Fields *fields)
{
  return fields->edges == fields->behind;
}

/* What digits are worth, up to 16 of them. */
static ALWAYS_INLINE gboolean
take_whole (const Fields *fields, Place at, TsEtfHigh *high, guint64 *number)
{
  const char *begin = fields->p + at.begin;
  guint       n_bits = 8 * (at.end - at.begin);
  guint64     text;

  if (G_LIKELY (n_bits <= 64))
    {
      *number = ts_eight_number (ts_eight_digits (begin) << (-n_bits & 63));
      return TRUE;
    }
  if (G_UNLIKELY (n_bits > 128))
    return FALSE;
  text = ts_eight_digits (begin) << (-n_bits & 63);
  /* those before the last eight are rarely others than in the line before */
  if (G_UNLIKELY (text != high->text))
    *high = (TsEtfHigh){ text, ts_eight_number (text) * 100000000 };
  *number = high->value + ts_eight_number (ts_eight_digits (fields->p + at.end - 8));
  return TRUE;
}

/* Of a number in units of 10^-k. */
static ALWAYS_INLINE gboolean
take_scaled (const Fields *fields, Place at, gint k, TsEtfHigh *high, gint64 *value)
{
  guint64 number;

  if (G_LIKELY (k == 0 && fields->points == 0))
    {
      if (G_UNLIKELY (!take_whole (fields, at, high, &number)))
        return FALSE;
      *value = (gint64) number;
      return TRUE;
    }
  return take_number (fields->p + at.begin, k, high, value) == fields->p + at.end;
}

/* A number as ids are written. */
static ALWAYS_INLINE gboolean
take_id (const Fields *fields, Place at, TsEtfHigh *high, guint64 *id)
{
  if (G_UNLIKELY (fields->p[at.begin] == '0' && at.end - at.begin > 1))
    return FALSE;
  if (G_UNLIKELY (fields->points != 0) && (fields->points >> at.begin << at.begin << (TS_MARKS_BLOCK - at.end)) != 0)
    return FALSE;
  return take_whole (fields, at, high, id);
}

/* Lines. FALSE: others have to look at it. */

typedef struct
{
  Fields      fields;
  const char *list, *end; /* attributes, and where they end, without a '\r' */
  const char *base; /* of the marks in the list; NULL: they are to be looked for */
  guint64     marks;
} Line;

/* NULL: some have to be read like any. */
static ALWAYS_INLINE const TsEtfAttributes *
recall (TsEtf *etf, const Line *line, guint8 kind)
{
  etf->kind = kind;
  return ts_etf_attributes_recall (etf, line->list, line->end, line->base, line->marks);
}

/* The line is good. */
static ALWAYS_INLINE const TsEtfAttributes *
begin_line (TsEtf *etf, const Line *line, const TsEtfAttributes *attributes)
{
  etf->line++;
  etf->has_content = TRUE;
  return G_LIKELY (attributes != NULL) ? attributes : ts_etf_attributes_learn (etf, line->list, line->end);
}

static ALWAYS_INLINE gboolean
scan_claim (TsEtf *etf, Line *line)
{
  Fields                *fields = &line->fields;
  Place                  id_place = next_number (fields), t0 = next_number (fields), t1 = next_number (fields);
  Place                  resource_place = next_number (fields), amount = next_number (fields);
  const TsEtfAttributes *attributes;
  TsEtfResource         *resource;
  TsEtfClaim             claim;
  TsEtfHigh              high = { 0, 0 };
  guint64                id, resource_id;
  gint64                 offset = 0;

  if (G_UNLIKELY (!take_id (fields, id_place, &etf->scan.id, &id)
                  || !take_scaled (fields, t0, etf->decimals, &etf->scan.time, &claim.t0)
                  || !take_scaled (fields, t1, etf->decimals, &etf->scan.time, &claim.t1)
                  || !take_id (fields, resource_place, &high, &resource_id)))
    return FALSE;
  claim.resource = ts_etf_ids_find (&etf->resource_ids, resource_id);
  if (G_UNLIKELY (claim.resource == TS_ETF_NONE))
    return FALSE;
  resource = &g_array_index (etf->resources, TsEtfResource, claim.resource);
  if (resource->uses_offset)
    {
      if (!take_scaled (fields, amount, etf->amount_decimals, &high, &offset))
        return FALSE;
      amount = next_number (fields);
    }
  if (G_UNLIKELY (!are_all (fields) || !take_scaled (fields, amount, etf->amount_decimals, &high, &claim.amount)
                  || claim.t0 > claim.t1 || resource->line == 0 || offset + claim.amount > resource->capacity
                  || etf->n_records == TS_ETF_MAX_RECORDS))
    return FALSE;
  attributes = recall (etf, line, TS_ETF_OF_CLAIM);
  if (G_UNLIKELY (!ts_etf_ids_add (&etf->claim_ids, id)))
    return FALSE;

  attributes = begin_line (etf, line, attributes);
  etf->largest_stamp = MAX (etf->largest_stamp, claim.t1);
  /* the capacity is more than what is claimed: etf->largest_amount stays as it is */
  if (G_UNLIKELY (resource->used_line == 0))
    resource->used_line = etf->line;
  ts_etf_add_claim (etf, &claim, attributes);
  return TRUE;
}

static ALWAYS_INLINE gboolean
scan_event (TsEtf *etf, Line *line)
{
  Place                  id_place = next_number (&line->fields), time_place = next_number (&line->fields);
  const TsEtfAttributes *attributes;
  guint64                id;
  gint64                 time;

  if (G_UNLIKELY (!are_all (&line->fields) || !take_id (&line->fields, id_place, &etf->scan.id, &id)
                  || !take_scaled (&line->fields, time_place, etf->decimals, &etf->scan.time, &time)
                  || etf->event_ids.n == TS_ETF_MAX_EVENTS))
    return FALSE;
  attributes = recall (etf, line, TS_ETF_OF_EVENT);
  if (G_UNLIKELY (!ts_etf_ids_add (&etf->event_ids, id)))
    return FALSE;

  attributes = begin_line (etf, line, attributes);
  etf->largest_stamp = MAX (etf->largest_stamp, time);
  ts_etf_add_event (etf, time, attributes);
  return TRUE;
}

static gboolean G_GNUC_NO_INLINE
scan_dependency (TsEtf *etf, Line *line)
{
  Fields                *fields = &line->fields;
  Place                  id_place = next_number (fields), type = next_number (fields), source = next_number (fields);
  Place                  destination = next_number (fields);
  const TsEtfAttributes *attributes;
  TsEtfDependency        dependency;
  TsEtfHigh              high = { 0, 0 };
  guint64                id;

  if (!are_all (fields) || !take_id (fields, id_place, &etf->scan.id, &id) || type.end - type.begin != 1
      || digit_of (fields->p[type.begin]) > TS_ETF_LAST_DEPENDENCY
      || !take_id (fields, source, &high, &dependency.source)
      || !take_id (fields, destination, &high, &dependency.destination)
      || etf->dependency_ids.n == TS_ETF_MAX_RECORDS)
    return FALSE;
  dependency.type = (guint8) digit_of (fields->p[type.begin]);
  attributes = recall (etf, line, TS_ETF_OF_DEPENDENCY);
  if (!ts_etf_ids_add (&etf->dependency_ids, id))
    return FALSE;

  attributes = begin_line (etf, line, attributes);
  dependency.line = etf->line;
  ts_etf_add_dependency (etf, &dependency, attributes);
  return TRUE;
}

static ALWAYS_INLINE gboolean
scan_statement (TsEtf *etf, Line *line)
{
  switch (*line->fields.p)
    {
    case 'C':
      return scan_claim (etf, line);
    case 'E':
      return scan_event (etf, line);
    case 'D':
      return scan_dependency (etf, line);
    default:
      return FALSE;
    }
}

/* The fields of a line at @p whose `;' is @separator bytes behind, from what its bytes are. */
static ALWAYS_INLINE Fields
fields_of (const char *p, guint64 numbers, guint64 points, guint separator)
{
  guint64 behind = G_MAXUINT64 << 1 << separator;

  return (Fields){ p, (numbers ^ numbers << 1) | behind, behind, points };
}

/* The fields at @p, up to the `;', with one blank in front of each, in @plain, which has MAX_SEPARATOR bytes and one more.
 * Returns the `;'. NULL: there is none, or they are too long. */
static const char *
copy_fields (const char *p, const char *end, char *plain)
{
  char *q = plain;

  for (;; p++)
    if (p == end)
      return NULL;
    else if (*p == ';')
      break;
    else if (!ts_etf_is_blank (*p))
      {
        gboolean is_last = p[1] == ';' || ts_etf_is_blank (p[1]);

        if (q - plain >= MAX_SEPARATOR - 1)
          return NULL;
        *q++ = *p;
        if (is_last)
          *q++ = ' ';
      }
  *q = ';';
  return p;
}

/* The fields at @text, which begin with the kind of the line. The list is behind their `;' if it is not known. FALSE: they
 * are too long, or something is odd. */
static ALWAYS_INLINE gboolean
scan_fields (const char *text, Line *line)
{
  guint64 numbers = ts_marks_find_digits (text), points = 0;
  guint64 others = ~(numbers | ts_marks_find (text, ' ', '\t') | 1) | (guint64) 1 << 63;
  guint   separator = (guint) __builtin_ctzll (others);

  if (G_UNLIKELY (text[separator] == '.'))
    {
      points = ts_marks_find (text, '.', '.');
      numbers |= points;
      separator = (guint) __builtin_ctzll ((others & ~points) | (guint64) 1 << 63);
    }
  if (G_UNLIKELY (separator > MAX_SEPARATOR || text[separator] != ';' || !ts_etf_is_blank (text[1])))
    return FALSE;
  line->fields = fields_of (text, numbers, points, separator);
  if (line->list == NULL)
    line->list = text + separator + 1;
  return TRUE;
}

/* A line with more blanks than usual, or with some in front of it. */
static gboolean G_GNUC_NO_INLINE
scan_wide_line (TsEtf *etf, const char *begin, const char *end)
{
  char        plain[TS_MARKS_BLOCK + MAX_DIGITS] = { 0 };
  const char *separator = copy_fields (begin, end, plain);
  Line        line;

  if (separator == NULL || end - begin > TS_ETF_MAX_LINE)
    return FALSE;
  line = (Line){ .list = separator + 1, .end = end };
  return scan_fields (plain, &line) && scan_statement (etf, &line);
}

static ALWAYS_INLINE gboolean
scan_line (TsEtf *etf, const char *p, const char *newline)
{
  Line line = { .end = newline - (newline > p && newline[-1] == '\r') };

  if (G_UNLIKELY (!scan_fields (p, &line)))
    return scan_wide_line (etf, p, line.end);
  if (G_LIKELY (newline - p < TS_MARKS_BLOCK))
    {
      line.base = p;
      line.marks = (ts_etf_find_marks (p) | (guint64) 1 << (line.end - p)) & line.fields.behind;
    }
  else if (line.end - p > TS_ETF_MAX_LINE)
    return FALSE;
  return scan_statement (etf, &line);
}

const char *
ts_etf_scan (TsEtf *etf, const char *begin, const char *end)
{
  /* the first line may have a byte order mark */
  if (etf->scan.is_off || etf->line == 0)
    return begin;
  while (end - begin >= MAX_FIELDS && etf->line < G_MAXUINT32)
    {
      guint64     newlines = ts_marks_find (begin, '\n', '\n');
      const char *newline = begin + __builtin_ctzll (newlines | (guint64) 1 << 63);

      if (G_UNLIKELY (newlines == 0))
        newline = memchr (newline, '\n', (gsize) (end - newline));
      if (end - newline < TS_ETF_ROOM || !scan_line (etf, begin, newline))
        break;
      begin = newline + 1;
    }
  return begin;
}
