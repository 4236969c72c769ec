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

gsize
ts_squeezed_end (TsSqueezed *squeezed, gsize n, const guint8 *begin, gsize n_original)
{
  squeezed->length = ts_length_of_lines ((const char *) squeezed->bytes, n);
  memset (squeezed->bytes + squeezed->length, 0, TS_SQUEEZED_MARGIN);
  return ts_length_of_lines ((const char *) begin, n_original);
}

/* So many copies are made before lines are looked at as they are: they may be regular again. */
#define COPIES_TO_COME 256
/* One in so many copies may be in vain. */
#define FEW_IN_VAIN 16
#define SOME_IN_VAIN 4

void
ts_copies_note_irregular (TsCopies *copies)
{
  copies->n_in_vain += copies->reads_one ? 1 : 0;
  if (!ts_can_squeeze () || copies->n_in_vain > copies->n_made / FEW_IN_VAIN + SOME_IN_VAIN)
    copies->n_to_come = 0;
  else if (!copies->reads_one)
    copies->n_to_come = COPIES_TO_COME;
}

gboolean
ts_copies_begin (TsCopies *copies)
{
  copies->n_made++;
  copies->reads_one = TRUE;
  return copies->n_to_come-- == COPIES_TO_COME;
}

void
ts_copies_end (TsCopies *copies)
{
  copies->reads_one = FALSE;
}
