/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf.h"
#include "import/marks.h"

/* One line in its fields. */

static const char *
end_line (TsBtfLine *line, const char *end, guint n_commas)
{
  line->n_commas = n_commas;
  line->end = end > line->begin && end[-1] == '\r' ? end - 1 : end;
  return end + 1;
}

const char *
ts_btf_split (const char *begin, const char *end, TsBtfLine *line)
{
  const char *p = begin;
  guint       n = 0;

  line->begin = begin;
  for (; end - p >= TS_MARKS_BLOCK && n < TS_BTF_FIELDS; p += TS_MARKS_BLOCK)
    {
      guint64 commas = ts_marks_find (p, ',', ','), ends = ts_marks_find (p, '\n', '\n');

      /* commas of the next line are none of this one */
      if (ends != 0)
        commas &= (ends & -ends) - 1;
      for (; commas != 0 && n < TS_BTF_FIELDS; commas &= commas - 1)
        line->commas[n++] = p + __builtin_ctzll (commas);
      if (ends != 0)
        return end_line (line, p + __builtin_ctzll (ends), n);
    }
  for (; p < end && n < TS_BTF_FIELDS; p++)
    {
      if (*p == ',')
        line->commas[n++] = p;
      else if (*p == '\n')
        return end_line (line, p, n);
    }
  p = p < end ? memchr (p, '\n', (gsize) (end - p)) : NULL;
  return p != NULL ? end_line (line, p, n) : NULL;
}

void
ts_btf_split_whole (const char *begin, const char *end, TsBtfLine *line)
{
  const char *p = begin;
  guint       n = 0;

  line->begin = begin;
  while (n < TS_BTF_FIELDS && p < end && (p = memchr (p, ',', (gsize) (end - p))) != NULL)
    line->commas[n++] = p++;
  end_line (line, end, n);
}

TsBtfFound
ts_btf_number_slow (TsBtfText text, gint64 *value)
{
  const char *p = text.begin, *end = text.begin + text.length;
  gboolean    negative = p < end && *p == '-', fits = TRUE;
  guint64     number = 0;

  p += negative;
  if (p == end)
    return TS_BTF_NO_NUMBER;
  for (; p < end; p++)
    {
      if (!g_ascii_isdigit (*p))
        return TS_BTF_NO_NUMBER;
      fits = fits && g_uint64_checked_mul (&number, number, 10)
             && g_uint64_checked_add (&number, number, (guint64) (*p - '0'));
    }
  if (!fits || number > G_MAXINT64)
    return TS_BTF_TOO_LARGE;
  *value = negative ? -(gint64) number : (gint64) number;
  return TS_BTF_GOOD;
}

gboolean
ts_btf_same (TsBtfText text, const char *word)
{
  return text.length == strlen (word) && g_ascii_strncasecmp (text.begin, word, text.length) == 0;
}
