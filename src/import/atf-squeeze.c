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

/* What is looked for. */
typedef struct
{
  TsWordsSet limits; /* behind which no blanks need be */
  TsWordsSet others; /* where one of these is, quotation marks may be something else */
  TsWordsSet ends;   /* in front of which no blanks need be, or no other ones */
} Sets;

/* What a word of bytes has, a bit for each. */
typedef struct
{
  guint64 spaces, tabs, returns; /* and none but those of ends of lines */
  guint64 limits, quotes, opening, others;
  guint64 ends; /* behind each byte */
} Word;

/* What is handed from word to word, as the next byte is concerned. */
typedef struct
{
  guint64 is_quoted; /* all bits: it is in a value, or ends one */
  guint64 behind_limit;
  guint64 behind_opening;
} State;

TS_BY_WORDS static TS_ALWAYS_INLINE Word
read_word (const guint8 *p, const Sets *sets)
{
  const __m512i bytes = _mm512_loadu_si512 (p), behind = _mm512_loadu_si512 (p + 1);

  return (Word){ .spaces = ts_words_find (bytes, ' '),
                 .tabs = ts_words_find (bytes, '\t'),
                 .returns = ts_words_find (bytes, '\r') & ts_words_find (behind, '\n'),
                 .limits = ts_words_find_any (bytes, sets->limits),
                 .quotes = ts_words_find (bytes, '"'),
                 .opening = ts_words_find (bytes, '<'),
                 .others = ts_words_find_any (bytes, sets->others),
                 .ends = ts_words_find_any (behind, sets->ends) };
}

/* Which bytes of @word are left, and which of them become spaces. FALSE: it is not what it looks like. */
TS_BY_WORDS static TS_ALWAYS_INLINE gboolean
choose (State *state, const Word *word, guint64 *kept, guint64 *spaced)
{
  const guint64 is_quoted = ts_words_between_pairs (word->quotes) ^ state->is_quoted;
  const guint64 spaces = (word->spaces | word->tabs) & ~is_quoted, blanks = spaces | (word->returns & ~is_quoted);
  const guint64 opening = word->opening & ~is_quoted;
  guint64       rest;

  /* no name has blanks in front of it there */
  if ((((opening << 1) | state->behind_opening) & spaces) != 0 || (word->others & ~is_quoted) != 0)
    return FALSE;
  state->behind_opening = opening >> HIGHEST_BIT;
  state->is_quoted = (guint64) ((gint64) is_quoted >> HIGHEST_BIT);
  rest = ts_marks_not_behind (blanks, word->limits & ~is_quoted, &state->behind_limit);
  *kept = ~blanks | (spaces & rest & ~word->ends);
  *spaced = word->tabs & ~is_quoted;
  return TRUE;
}

TS_BY_WORDS gsize
ts_atf_squeeze (TsAtfSqueezed *squeezed, const guint8 *begin, gsize n)
{
  const gsize n_words = MIN (n / WORD, TS_ATF_SQUEEZE_WORDS);
  const Sets  sets = { ts_words_set ("=>\n"), ts_words_set ("'!?"), ts_words_set (" \t\n/=") };
  State       state = { 0, 1, 0 };
  guint8     *to = squeezed->bytes;
  gsize       i = 0;

  for (; i + 1 < n_words; i++)
    {
      const guint8 *p = begin + i * WORD;
      const Word    word = read_word (p, &sets);
      guint64       kept, spaced;

      if (G_UNLIKELY (!choose (&state, &word, &kept, &spaced)))
        break;
      squeezed->at[i] = (guint32) (to - squeezed->bytes);
      squeezed->kept[i] = kept;
      to += ts_words_pack (to, _mm512_mask_blend_epi8 (spaced, _mm512_loadu_si512 (p), _mm512_set1_epi8 (' ')), kept);
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
