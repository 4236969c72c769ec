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

/* What a byte is worth as a hexadecimal digit, or what else it is. */
enum
{
  OTHER = 16,
  BLANK,
};

static inline guint
class_of (guint8 c)
{
#define NONE 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16
#define LETTERS 16, 10, 11, 12, 13, 14, 15, 16, 16, 16, 16, 16, 16, 16, 16, 16
  static const guint8 classes[256] = {
    16, 16, 16, 16, 16, 16, 16, 16, 16, BLANK, 16, BLANK, BLANK, BLANK, 16, 16, /* up to \r */
    NONE, BLANK, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16,
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 16, 16, 16, 16, 16, LETTERS, NONE, LETTERS, NONE,
    NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
  };
#undef LETTERS
#undef NONE
  return classes[c];
}

static inline gboolean
is_blank (guint8 c)
{
  return class_of (c) == BLANK;
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

static inline gboolean
read_hex (Cursor *cursor, guint64 *value)
{
  const guint8 *begin;
  guint64       number = 0;
  guint         digit;

  if (cursor->p[0] == '0' && (cursor->p[1] | 0x20) == 'x')
    cursor->p += 2;
  begin = cursor->p;
  while ((digit = class_of (*cursor->p)) < OTHER)
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
  Cursor   cursor = { begin, FALSE };
  guint64  time;
  gboolean is_beyond;

  skip_blanks (&cursor);
  if (cursor.p == end)
    return TS_VIS_BLANK;
  *reason = "the time is not a number of decimal digits";
  if (!read_unsigned (&cursor, &time))
    return TS_VIS_BAD;
  is_beyond = cursor.overflows || time > (guint64) TS_TIME_LIMIT;
  cursor.overflows = FALSE;
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
  record->key = ts_vis_key (record->node);
  *reason = "there is something after the sixth number";
  if (cursor.p != end)
    return TS_VIS_BAD;
  return is_beyond ? TS_VIS_RANGE : TS_VIS_GOOD;
}
