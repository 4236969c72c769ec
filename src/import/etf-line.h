/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include "import/etf-scan.h"

G_BEGIN_DECLS

/* Fields and numbers of a line of TRACE. Shared by the files etf*.c. */

#define TS_ETF_MAX_FIELDS 8           /* of a statement, before its `;' */
#define TS_ETF_MAX_DECIMALS 18

/* mantissa / 10^decimals, without zeros at the end */
typedef struct
{
  gint64 mantissa;
  gint   decimals;
} TsEtfDecimal;

typedef enum
{
  TS_ETF_GOOD,
  TS_ETF_BAD,   /* no number */
  TS_ETF_LONG,  /* too many digits, of which those that can be kept are there, rounded */
  TS_ETF_LARGE, /* too large */
} TsEtfNumber;

/* What blanks part, before the `;'. */
typedef struct
{
  TsEtfText    text;
  TsEtfDecimal number;
  gboolean     is_number; /* FALSE: it is none, or one that ts_etf_decimal_parse() must look at */
  gboolean     is_id;     /* it is a number, and written as ids are: 0, 1, 2, ... */
  gboolean     is_long;   /* as TS_ETF_LONG; set by ts_etf_number() */
} TsEtfField;

TsEtfNumber ts_etf_decimal_parse (TsEtfText text, TsEtfDecimal *decimal);
/* What the number of @field is, which is looked at as far as that was left to do. */
static inline TsEtfNumber
ts_etf_field_parse (TsEtfField *field)
{
  return G_LIKELY (field->is_number) ? TS_ETF_GOOD : ts_etf_decimal_parse (field->text, &field->number);
}

/* What is nearest to @mantissa / 10^@n; of two that away from 0. */
gint64 ts_etf_divide (gint64 mantissa, gint n);

/* What there is of numbers of one kind. */
typedef struct
{
  gint    decimals;      /* the most */
  guint64 largest_whole; /* no less than any, without its sign */
} TsEtfRange;

extern const gint64 ts_etf_powers_of_ten[19];

static inline gint64
ts_etf_power_of_ten (gint exponent)
{
  return ts_etf_powers_of_ten[exponent];
}

/* In units of 10^-k, k >= decimals. FALSE: beyond @limit on either side of 0. */
static inline gboolean
ts_etf_decimal_scale (TsEtfDecimal decimal, gint k, gint64 limit, gint64 *value)
{
  return !__builtin_mul_overflow (decimal.mantissa, ts_etf_power_of_ten (k - decimal.decimals), value)
         && *value <= limit && *value >= -limit;
}

static inline gboolean
ts_etf_is_blank (char c)
{
  return c == ' ' || c == '\t';
}

/* The end of the line that @newline ends: a '\r' before that is none of it. */
static inline const char *
ts_etf_line_end (const char *newline)
{
  return newline - (newline[-1] == '\r');
}

/* Behind the end of a line, if that is at @p; otherwise @p. */
static inline const char *
ts_etf_begin_of_next (const char *p)
{
  const char *newline = p + (*p == '\r');

  return *newline == '\n' ? newline + 1 : p;
}

/* The next field in [*p, end), empty at the end. */
static inline TsEtfText
ts_etf_next_field (const char **p, const char *end)
{
  const char *begin = *p;
  const char *q;

  while (begin < end && (*begin == ' ' || *begin == '\t'))
    begin++;
  q = begin;
  while (q < end && *q != ' ' && *q != '\t')
    q++;
  *p = q;
  return (TsEtfText){ begin, (gsize) (q - begin) };
}

static inline gboolean
ts_etf_text_is (TsEtfText text, const char *other)
{
  gsize length = strlen (other);

  return text.length == length && memcmp (text.p, other, length) == 0;
}

/* FALSE: it is neither true nor false, in letters of any case, as Python writes True. */
static inline gboolean
ts_etf_boolean_parse (TsEtfText text, gboolean *value)
{
  *value = text.length == 4 && g_ascii_strncasecmp (text.p, "true", 4) == 0;
  return *value || (text.length == 5 && g_ascii_strncasecmp (text.p, "false", 5) == 0);
}

/* Behind a line, at @end, there is a byte that ends it: '\n', '\r' or '\0'. */

/* Splits [p, end) into fields up to a `;', behind which attributes stand: NULL if there is none. More than
 * TS_ETF_MAX_FIELDS are counted, not kept. */
guint ts_etf_split (const char *p, const char *end, TsEtfField *fields, const char **attributes);

G_END_DECLS
