/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "model/words.h"

gboolean
ts_words_equal (const char *a, const char *b)
{
  static const char joiners[] = " \t\r\n\f_-";

  a += strspn (a, joiners);
  b += strspn (b, joiners);
  while (*a != '\0' && *b != '\0')
    {
      gsize gap_a = strspn (a, joiners), gap_b = strspn (b, joiners);

      if (gap_a > 0 || gap_b > 0)
        {
          a += gap_a;
          b += gap_b;
          if ((gap_a > 0) != (gap_b > 0) && *a != '\0' && *b != '\0')
            return FALSE;
          continue;
        }
      if (g_ascii_tolower (*a) != g_ascii_tolower (*b))
        return FALSE;
      a++;
      b++;
    }
  return a[strspn (a, joiners)] == '\0' && b[strspn (b, joiners)] == '\0';
}
