/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "model/words.h"

static inline gboolean
is_joiner (char c)
{
  return c == ' ' || (c >= '\t' && c <= '\r' && c != '\v') || c == '_' || c == '-';
}

/* None of a library's: a type is compared with every name that there is, and nearly always differs in the first letter. */
static inline char
to_lower (char c)
{
  return c >= 'A' && c <= 'Z' ? (char) (c | 0x20) : c;
}

static inline const char *
pass_joiners (const char *p)
{
  while (is_joiner (*p))
    p++;
  return p;
}

gboolean
ts_words_equal (const char *a, const char *b)
{
  a = pass_joiners (a);
  b = pass_joiners (b);
  while (*a != '\0' && *b != '\0')
    {
      gboolean gap_a, gap_b;

      /* most are small letters */
      if (*a == *b && *a > '_')
        {
          a++;
          b++;
          continue;
        }
      gap_a = is_joiner (*a);
      gap_b = is_joiner (*b);
      if (gap_a || gap_b)
        {
          a = pass_joiners (a);
          b = pass_joiners (b);
          if (gap_a != gap_b && *a != '\0' && *b != '\0')
            return FALSE;
          continue;
        }
      if (to_lower (*a) != to_lower (*b))
        return FALSE;
      a++;
      b++;
    }
  return *pass_joiners (a) == '\0' && *pass_joiners (b) == '\0';
}
