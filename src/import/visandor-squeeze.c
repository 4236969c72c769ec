/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/visandor-squeeze.h"
#include "import/words.h"

#define WORD TS_MARKS_BLOCK
#define HIGHEST_BIT (WORD - 1)

#ifdef TS_BY_WORDS

/* What a word of bytes has, a bit for each. */
typedef struct
{
  guint64 blanks, newlines, returns;
} Word;

TS_BY_WORDS static TS_ALWAYS_INLINE Word
read_word (const guint8 *p)
{
  const __m512i bytes = _mm512_loadu_si512 (p);

  return (Word){ .blanks = ts_words_find (bytes, ' ') | ts_words_find (bytes, '\t'),
                 .newlines = ts_words_find (bytes, '\n'),
                 .returns = ts_words_find (bytes, '\r') };
}

/* Which bytes of @word, with @next behind it, are kept. *behind_newline tells whether the next byte is at the beginning of a
 * line, or the blanks that it begins with are. */
static TS_ALWAYS_INLINE guint64
choose (const Word *word, const Word *next, guint64 *behind_newline)
{
  const guint64 in_front_of_newline = word->newlines >> 1 | next->newlines << HIGHEST_BIT;
  const guint64 blanks = word->blanks | (word->returns & in_front_of_newline);
  const guint64 next_blanks = next->blanks | (next->returns & next->newlines >> 1);
  const guint64 last = blanks & ~(blanks >> 1 | next_blanks << HIGHEST_BIT);

  return ~blanks | (last & ts_marks_not_behind (blanks, word->newlines, behind_newline) & ~in_front_of_newline);
}

TS_BY_WORDS gsize
ts_vis_squeeze (TsSqueezed *squeezed, const guint8 *begin, gsize n, gsize longest)
{
  const gsize   n_words = MIN (n / WORD, TS_SQUEEZED_WORDS + 1);
  guint64       behind_newline = 1;
  guint8       *to = squeezed->bytes;
  Word          word, next;
  gsize         i = 0, n_of_line = 0; /* words without the end of a line */

  if (n_words > 1)
    word = read_word (begin);
  for (; i + 1 < n_words && (n_of_line + 2) * WORD <= longest; i++, word = next)
    {
      const __m512i bytes = _mm512_loadu_si512 (begin + i * WORD);
      const guint64 tabs = ts_words_find (bytes, '\t');

      next = read_word (begin + (i + 1) * WORD);
      n_of_line = word.newlines != 0 ? 0 : n_of_line + 1;
      to += ts_words_pack (to, _mm512_mask_blend_epi8 (tabs, bytes, _mm512_set1_epi8 (' ')),
                           choose (&word, &next, &behind_newline));
    }
  return ts_squeezed_end (squeezed, (gsize) (to - squeezed->bytes), begin, i * WORD);
}

#else

gsize
ts_vis_squeeze (TsSqueezed *squeezed, G_GNUC_UNUSED const guint8 *begin, G_GNUC_UNUSED gsize n,
                G_GNUC_UNUSED gsize longest)
{
  squeezed->length = 0;
  return 0;
}

#endif
