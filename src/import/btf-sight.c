/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf-sight.h"

/* Lines that are long. */

TsBtfLongLine
ts_btf_see_long_line (const char *p, const char *end)
{
  TsBtfLongLine line = { 0, NULL };
  gsize         marks[TS_BTF_FIELDS], from = 0;
  guint64       found;
  const char   *newline;

  if (end - p < TS_BTF_MAX_WIDTH || *p != ',')
    return line;
  found = ts_marks_find (p, ',', '\n');
  for (guint i = 0; i < TS_BTF_FIELDS; i++)
    {
      while (found == 0)
        {
          from += TS_MARKS_BLOCK;
          if (from == TS_BTF_MAX_WIDTH)
            return line;
          found = ts_marks_find (p + from, ',', '\n');
        }
      marks[i] = from + ts_marks_first (found);
      found = ts_marks_but_first (found);
    }
  newline = p + marks[TS_BTF_FIELDS - 1];
  if (*newline != '\n')
    newline = memchr (newline, '\n', (gsize) MIN (end - newline, TS_BTF_MAX_NOTE));
  line.marks = ts_btf_pack_marks (&(TsBtfMarks){ marks[1], marks[2], marks[4], marks[5], marks[6] });
  line.next = newline != NULL ? newline + 1 : NULL;
  return line;
}
