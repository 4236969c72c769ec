/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/atf-squeeze.h"
#include "import/words.h"

#define WORD TS_MARKS_BLOCK
#define HIGHEST_BIT (WORD - 1)

gsize
ts_atf_squeezed_origin (const TsAtfSqueezed *squeezed, gsize n)
{
  gsize   low = 0, high = squeezed->n_words;
  guint64 kept;

  if (n == 0)
    return 0;
  /* the word that has the last of these bytes */
  while (high - low > 1)
    {
      const gsize middle = low + (high - low) / 2;

      if (squeezed->at[middle] < n)
        low = middle;
      else
        high = middle;
    }
  kept = squeezed->kept[low];
  for (gsize i = squeezed->at[low] + 1; i < n; i++)
    kept = ts_marks_but_first (kept);
  return low * WORD + ts_marks_first (kept) + 1;
}

#ifdef TS_BY_WORDS

/* What a word of bytes has, a bit for each. */
typedef struct
{
  guint64 blanks, limits, quotes, slashes, opening, others;
} Word;

/* What is handed from word to word, as the next byte is concerned. */
typedef struct
{
  guint64 is_quoted; /* all bits: it is in a value, or ends one */
  guint64 behind_limit;
  guint64 behind_opening;
} State;

TS_BY_WORDS static TS_ALWAYS_INLINE Word
read_word (const guint8 *p)
{
  const __m512i bytes = _mm512_loadu_si512 (p);

  return (Word){ .blanks = ts_words_find (bytes, ' ') | ts_words_find (bytes, '\t'),
                 .limits = ts_words_find (bytes, '>') | ts_words_find (bytes, '\n'),
                 .quotes = ts_words_find (bytes, '"'),
                 .slashes = ts_words_find (bytes, '/'),
                 .opening = ts_words_find (bytes, '<'),
                 /* where there is one of these, quotation marks may be something else */
                 .others = ts_words_find (bytes, '\'') | ts_words_find (bytes, '!') | ts_words_find (bytes, '?') };
}

/* All bits from each of @marks on to the next one, which is not one of them. */
static TS_ALWAYS_INLINE guint64
between_pairs (guint64 marks)
{
  marks ^= marks << 1;
  marks ^= marks << 2;
  marks ^= marks << 4;
  marks ^= marks << 8;
  marks ^= marks << 16;
  return marks ^ marks << 32;
}

/* Which bytes of @word, with @next behind it, are left. FALSE: it is not what it looks like. */
static TS_ALWAYS_INLINE gboolean
choose (State *state, const Word *word, const Word *next, guint64 *kept, guint64 *quoted)
{
  const guint64 is_quoted = between_pairs (word->quotes) ^ state->is_quoted;
  const guint64 blanks = word->blanks & ~is_quoted, limits = word->limits & ~is_quoted;
  const guint64 last = blanks & ~(blanks >> 1 | next->blanks << HIGHEST_BIT);
  guint64       rest;

  *quoted = is_quoted;
  /* no name, and no slash, has blanks in front of it there */
  if ((((word->opening & ~is_quoted) << 1 | state->behind_opening) & word->blanks) != 0 || (word->others & ~is_quoted) != 0)
    return FALSE;
  state->behind_opening = (word->opening & ~is_quoted) >> HIGHEST_BIT;
  state->is_quoted = (guint64) ((gint64) is_quoted >> HIGHEST_BIT);
  rest = ts_marks_not_behind (blanks, limits, &state->behind_limit);
  *kept = ~blanks | (last & rest & ~(word->slashes >> 1 | next->slashes << HIGHEST_BIT));
  return TRUE;
}

TS_BY_WORDS gsize
ts_atf_squeeze (TsAtfSqueezed *squeezed, const guint8 *begin, gsize n)
{
  const gsize n_words = MIN (n / WORD, TS_ATF_SQUEEZE_WORDS);
  State       state = { 0, 1, 0 };
  guint8     *to = squeezed->bytes;
  Word        word, next;
  gsize       i = 0;

  if (n_words > 1)
    word = read_word (begin);
  for (; i + 1 < n_words; i++, word = next)
    {
      const guint8 *p = begin + i * WORD;
      const __m512i bytes = _mm512_loadu_si512 (p);
      guint64       kept, quoted, tabs;

      next = read_word (p + WORD);
      if (G_UNLIKELY (!choose (&state, &word, &next, &kept, &quoted)))
        break;
      tabs = ts_words_find (bytes, '\t') & ~quoted;
      squeezed->at[i] = (guint32) (to - squeezed->bytes);
      squeezed->kept[i] = kept;
      to += ts_words_pack (to, _mm512_mask_blend_epi8 (tabs, bytes, _mm512_set1_epi8 (' ')), kept);
    }
  squeezed->n_words = i;
  return (gsize) (to - squeezed->bytes);
}

#else

gsize
ts_atf_squeeze (TsAtfSqueezed *squeezed, G_GNUC_UNUSED const guint8 *begin, G_GNUC_UNUSED gsize n)
{
  squeezed->n_words = 0;
  return 0;
}

#endif
