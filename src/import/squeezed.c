/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/squeezed.h"
#include "import/words.h"

gboolean
ts_can_squeeze (void)
{
#ifdef TS_BY_WORDS
  return ts_words_are_there ();
#else
  return FALSE;
#endif
}

TsSqueezed *
ts_squeezed_new (void)
{
  TsSqueezed *squeezed = g_new (TsSqueezed, 1);

  memset (squeezed->before, '\n', sizeof squeezed->before);
  squeezed->length = 0;
  return squeezed;
}

/* How many of @n bytes are of whole lines. */
static gsize
length_of_lines (const guint8 *bytes, gsize n)
{
  while (n > 0 && bytes[n - 1] != '\n')
    n--;
  return n;
}

gsize
ts_squeezed_end (TsSqueezed *squeezed, gsize n, const guint8 *begin, gsize n_original)
{
  squeezed->length = length_of_lines (squeezed->bytes, n);
  memset (squeezed->bytes + squeezed->length, 0, TS_SQUEEZED_MARGIN);
  return length_of_lines (begin, n_original);
}
