/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/atf-bytes.h"
#include "import/atf-pattern.h"
#include "import/atf.h"

/* What an entry looks like but for its numbers, so that others are known by that. */

guint
ts_atf_count_lines (const guint8 *begin, const guint8 *end)
{
  guint n = 0;

  while ((begin = memchr (begin, '\n', (gsize) (end - begin))) != NULL)
    {
      n++;
      begin++;
    }
  return n;
}

static gboolean
set_literal (TsAtfLiteral *literal, const guint8 *begin, const guint8 *end)
{
  gsize length = (gsize) (end - begin);

  if (length > TS_ATF_SCAN_TEXT)
    return FALSE;
  literal->length = (guint) length;
  memcpy (literal->bytes, begin, length);
  return TRUE;
}

/* The one that ends the value, which was found. */
static guint8
mark_behind (const TsAtfNumber *number)
{
  const guint8 *p = number->end;

  while (*p == ' ')
    p++;
  return *p;
}

/* Of those that are filled up with spaces any number begin, or end, alike. */
static gboolean
is_long_padded_id (const TsAtfNumber *number, guint8 role)
{
  return role != TS_ATF_SCAN_TIME && number->end - number->begin > TS_ATF_MEMO_SHORT && ts_atf_is_padded (number, role);
}

void
ts_atf_template_learn (TsAtfTemplate *template, const guint8 *begin, const guint8 *end, const TsAtfNumber *numbers,
                       const guint8 *roles)
{
  const guint8 *from = begin;

  template->is_known = TRUE;
  template->mark = mark_behind (&numbers[roles[0]]);
  for (guint i = 0; i < TS_ATF_SCAN_NUMBERS; i++)
    {
      template->roles[i] = roles[i];
      template->is_known &= !is_long_padded_id (&numbers[roles[i]], roles[i]);
      template->is_known &= set_literal (&template->between[i], from, numbers[roles[i]].begin);
      from = numbers[roles[i]].end;
    }
  template->is_known &= set_literal (&template->between[TS_ATF_SCAN_NUMBERS], from, end);
  from = memchr (begin, '<', (gsize) (end - begin));
  template->n_blanks = (guint) (from - begin);
  template->lines_before = ts_atf_count_lines (begin, from);
  template->lines = ts_atf_count_lines (begin, end);
}

const guint8 *
ts_atf_template_tag (const guint8 *p, const guint8 *end)
{
  const guint8 *last = p + MIN (end - p, TS_ATF_SCAN_TEXT);

  while (p < last && ts_atf_is_blank (*p))
    p++;
  return p < last ? p : end;
}

const guint8 *
ts_atf_template_match (const TsAtfTemplate *template, const guint8 *tag, const guint8 *end, TsAtfNumber *numbers)
{
  const guint8 *p = tag;

  for (guint i = 0; i < TS_ATF_LITERALS; i++)
    {
      const TsAtfLiteral *literal = &template->between[i];
      gsize               from = i == 0 ? template->n_blanks : 0, length = literal->length - from;

      if ((gsize) (end - p) < length || memcmp (p, literal->bytes + from, length) != 0)
        return NULL;
      p += length;
      if (i < TS_ATF_SCAN_NUMBERS)
        {
          TsAtfNumber *number = &numbers[template->roles[i]];

          if (template->roles[i] == TS_ATF_SCAN_TIME ? !ts_atf_scan_number (p, end, TRUE, number)
                                                     : !ts_atf_scan_id (p, end, number))
            return NULL;
          p = number->end;
        }
    }
  return p;
}

gboolean
ts_atf_template_has_blanks (const TsAtfTemplate *template, const guint8 *p, const guint8 *tag)
{
  return (gsize) (tag - p) == template->n_blanks && memcmp (p, template->between[0].bytes, template->n_blanks) == 0;
}
