/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/visandor.h"

/* `timestamp code node field wam agent', read as `u d x d x d'. Every number ends at the
 * newline at the latest, so no other bound has to be looked at. */

typedef struct
{
  const guint8 *p;
  gboolean      overflows;
} Cursor;

static inline gboolean
is_blank (guint8 c)
{
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static inline void
skip_blanks (Cursor *cursor)
{
  while (is_blank (*cursor->p))
    cursor->p++;
}

/* A number ends at a blank or at the end of the line. */
static inline gboolean
is_over (const Cursor *cursor)
{
  return *cursor->p == '\n' || is_blank (*cursor->p);
}

static inline gboolean
read_unsigned (Cursor *cursor, guint64 *value)
{
  const guint8 *begin = cursor->p;
  guint64       number = 0;
  guint         digit;

  while ((digit = (guint) *cursor->p - '0') <= 9)
    {
      number = number * 10 + digit;
      cursor->p++;
    }
  if (cursor->p == begin || !is_over (cursor))
    return FALSE;
  if (G_UNLIKELY (cursor->p - begin > 19))
    {
      /* leading zeros are no overflow */
      number = 0;
      for (const guint8 *p = begin; p < cursor->p; p++)
        if (__builtin_mul_overflow (number, 10, &number) || __builtin_add_overflow (number, (guint64) (*p - '0'), &number))
          cursor->overflows = TRUE;
    }
  *value = number;
  return TRUE;
}

static inline gboolean
read_signed (Cursor *cursor, gint32 *value)
{
  gboolean negative = *cursor->p == '-';
  guint64  number;

  cursor->p += negative;
  if (!read_unsigned (cursor, &number) || cursor->overflows || number > G_MAXINT32)
    return FALSE;
  *value = negative ? -(gint32) number : (gint32) number;
  return TRUE;
}

/* 16: none. */
static inline guint
hex_digit (guint8 c)
{
#define NONE 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16
#define LETTERS 16, 10, 11, 12, 13, 14, 15, 16, 16, 16, 16, 16, 16, 16, 16, 16
  static const guint8 values[256] = {
    NONE, NONE, NONE, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 16, 16, 16, 16, 16, LETTERS, NONE, LETTERS, NONE,
    NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
  };
#undef LETTERS
#undef NONE
  return values[c];
}

static inline gboolean
read_hex (Cursor *cursor, guint64 *value)
{
  const guint8 *begin;
  guint64       number = 0;
  guint         digit;

  if (cursor->p[0] == '0' && (cursor->p[1] | 0x20) == 'x')
    cursor->p += 2;
  begin = cursor->p;
  while ((digit = hex_digit (*cursor->p)) < 16)
    {
      if (number >> 60 != 0)
        return FALSE;
      number = number << 4 | digit;
      cursor->p++;
    }
  *value = number;
  return cursor->p > begin && is_over (cursor);
}

TsVisLine
ts_vis_line_parse (const guint8 *begin, const guint8 *end, TsVisRecord *record, const char **reason)
{
  Cursor  cursor = { begin, FALSE };
  guint64 time;

  skip_blanks (&cursor);
  if (cursor.p == end)
    return TS_VIS_BLANK;
  *reason = "the time is not a number of decimal digits";
  if (!read_unsigned (&cursor, &time))
    return TS_VIS_BAD;
  if (cursor.overflows || time > (guint64) TS_TIME_LIMIT)
    return TS_VIS_RANGE;
  record->time = (gint64) time;
  skip_blanks (&cursor);
  *reason = "the code of the event is missing or not a number";
  if (!read_signed (&cursor, &record->code))
    return TS_VIS_BAD;
  skip_blanks (&cursor);
  *reason = "the node is missing or not a hexadecimal number";
  if (!read_hex (&cursor, &record->node))
    return TS_VIS_BAD;
  skip_blanks (&cursor);
  *reason = "the fourth field is missing or not a number";
  if (!read_signed (&cursor, &record->field))
    return TS_VIS_BAD;
  skip_blanks (&cursor);
  *reason = "the WAM is missing or not a hexadecimal number";
  if (!read_hex (&cursor, &record->wam))
    return TS_VIS_BAD;
  skip_blanks (&cursor);
  *reason = "the agent is missing or not a number";
  if (!read_signed (&cursor, &record->agent))
    return TS_VIS_BAD;
  *reason = "the agent is negative";
  if (record->agent < 0)
    return TS_VIS_BAD;
  skip_blanks (&cursor);
  *reason = "there is something after the sixth number";
  return cursor.p == end ? TS_VIS_GOOD : TS_VIS_BAD;
}

/* The usual line: one blank between two numbers, none of them long. Some 100 instructions, where the general way
 * above takes 500; whatever is unusual is left to that. */

#define DIGITS(byte) (G_GUINT64_CONSTANT (0x0101010101010101) * (byte))

/* The number of the first of eight bytes that is no decimal digit, or 8; *digits has their values. */
static inline guint
take_digits (const guint8 *p, guint64 *digits)
{
  guint64 chunk, others;

  memcpy (&chunk, p, sizeof chunk);
  chunk = GUINT64_FROM_LE (chunk) ^ DIGITS ('0');
  *digits = chunk;
  /* above 9 the top bit is set; a carry only reaches bytes behind the first of these */
  others = ((chunk + DIGITS (0x76)) | chunk) & DIGITS (0x80);
  return others != 0 ? (guint) __builtin_ctzll (others) / 8 : 8;
}

/* The first @n, from 1 to 8, of eight digits as a number. */
static inline guint64
number_of (guint64 digits, guint n)
{
  digits <<= 8 * (8 - n);
  digits = (digits * 10 + (digits >> 8)) & G_GUINT64_CONSTANT (0x00ff00ff00ff00ff);
  digits = (digits * 100 + (digits >> 16)) & G_GUINT64_CONSTANT (0x0000ffff0000ffff);
  return (digits * 10000 + (digits >> 32)) & 0xffffffff;
}

/* Up to 15 digits. NULL: something else. */
static inline const guint8 *
quick_time (const guint8 *p, gint64 *time)
{
  static const guint32 powers[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000 };
  guint64 digits;
  guint   n = take_digits (p, &digits);

  if (n == 0)
    return NULL;
  *time = (gint64) number_of (digits, n);
  if (n < 8)
    return p + n;
  n = take_digits (p + 8, &digits);
  if (n == 8)
    return NULL;
  if (n > 0)
    *time = *time * powers[n] + (gint64) number_of (digits, n);
  return p + 8 + n;
}

/* Up to 7 digits. */
static inline const guint8 *
quick_decimal (const guint8 *p, gint32 *value)
{
  guint64 digits = (guint64) *p - '0', units = (guint64) p[1] - '0';
  guint   n;

  if (digits <= 9 && p[1] <= ' ')
    {
      *value = (gint32) digits;
      return p + 1;
    }
  if (G_LIKELY (digits <= 9 && units <= 9 && p[2] <= ' '))
    {
      *value = (gint32) (10 * digits + units);
      return p + 2;
    }
  n = take_digits (p, &digits);
  if (n == 0 || n == 8)
    return NULL;
  *value = (gint32) number_of (digits, n);
  return p + n;
}

/* Up to 8 digits; more end it in the middle. */
static inline const guint8 *
quick_hex (const guint8 *p, guint64 *value)
{
  guint64 chunk, decimal, letter, others, digits = hex_digit (*p);
  guint   n;

  if (G_LIKELY (digits < 16 && p[1] == ' '))
    {
      *value = digits;
      return p + 1;
    }
  memcpy (&chunk, p, sizeof chunk);
  chunk = GUINT64_FROM_LE (chunk);
  decimal = chunk ^ DIGITS ('0');
  letter = (chunk | DIGITS (0x20)) ^ DIGITS (0x60); /* 1 to 6 */
  others = ((decimal + DIGITS (0x76)) | decimal) & (~(letter + DIGITS (0x7f)) | (letter + DIGITS (0x79)) | letter)
           & DIGITS (0x80);
  n = others != 0 ? (guint) __builtin_ctzll (others) / 8 : 8;
  if (n == 0)
    return NULL;
  digits = (chunk & DIGITS (0x0f)) + 9 * ((chunk >> 6) & DIGITS (1));
  digits <<= 8 * (8 - n);
  digits = (digits << 4 | digits >> 8) & G_GUINT64_CONSTANT (0x00ff00ff00ff00ff);
  digits = (digits << 8 | digits >> 16) & G_GUINT64_CONSTANT (0x0000ffff0000ffff);
  *value = (digits << 16 | digits >> 32) & 0xffffffff;
  return p + n;
}

const guint8 *
ts_vis_line_quick (const guint8 *p, TsVisRecord *record)
{
  const guint8 *begin = p;

  while (*p == ' ' && p - begin < 16)
    p++;
  if ((p = quick_time (p, &record->time)) == NULL || *p != ' ' || (p = quick_decimal (p + 1, &record->code)) == NULL
      || *p != ' ' || (p = quick_hex (p + 1, &record->node)) == NULL || *p != ' '
      || (p = quick_decimal (p + 1, &record->field)) == NULL || *p != ' '
      || (p = quick_hex (p + 1, &record->wam)) == NULL || *p != ' '
      || (p = quick_decimal (p + 1, &record->agent)) == NULL)
    return NULL;
  p += *p == ' ';
  p += *p == '\r';
  return *p == '\n' ? p + 1 : NULL;
}
