/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/etf-squeeze.h"
#include "import/words.h"

#define WORD TS_MARKS_BLOCK
#define HIGHEST_BIT (WORD - 1)

#ifdef TS_BY_WORDS

/* What a word of bytes has, a bit for each. */
typedef struct
{
  guint64 blanks, newlines, returns, separators, commas, equals, slashes;
} Word;

/* What is handed from word to word, as the next byte is concerned. */
typedef struct
{
  guint64 in_fields; /* of a line; 0: it is behind its `;' */
  guint64 behind_limit, behind_comma;
} State;

TS_BY_WORDS static TS_ALWAYS_INLINE Word
read_word (const guint8 *p)
{
  const __m512i bytes = _mm512_loadu_si512 (p);

  return (Word){ .blanks = ts_words_find (bytes, ' ') | ts_words_find (bytes, '\t'),
                 .newlines = ts_words_find (bytes, '\n'),
                 .returns = ts_words_find (bytes, '\r'),
                 .separators = ts_words_find (bytes, ';'),
                 .commas = ts_words_find (bytes, ','),
                 .equals = ts_words_find (bytes, '='),
                 .slashes = ts_words_find (bytes, '\\') };
}

/* Where lines end, be it with a '\r'. The last byte is seen as if a '\r' there did not end one. */
static TS_ALWAYS_INLINE guint64
ends_of_lines (const Word *word)
{
  return word->newlines | (word->returns & word->newlines >> 1);
}

/* Which bytes of @word are of fields, and which of attributes. Returns where the `;' between both are. */
static TS_ALWAYS_INLINE guint64
find_parts (const Word *word, guint64 *in_fields, guint64 *fields, guint64 *attributes)
{
  const guint64 texts = ~(word->separators | word->newlines), begins = word->newlines << 1 | *in_fields;
  guint64       sum;

  /* a sum goes on from the beginning of a line to what ends its fields */
  *in_fields = word->newlines >> HIGHEST_BIT;
  *in_fields |= __builtin_add_overflow (texts, begins, &sum);
  *fields = texts & ~sum;
  *attributes = texts & sum;
  return word->separators & sum;
}

/* Those of @blanks, none of which is behind a limit, that are inside of texts: not in front of one of @limits, or of the first
 * byte of the next word that is no blank, if that is @in_front_of_next one. */
static TS_ALWAYS_INLINE guint64
inside_of_texts (guint64 blanks, guint64 limits, guint64 in_front_of_next)
{
  if (G_LIKELY (ts_marks_are_before (blanks, limits)))
    return 0;
  return blanks & ~ts_marks_before (blanks, limits >> 1 | in_front_of_next << HIGHEST_BIT);
}

/* Which bytes of @word, with @next behind it, are left. FALSE: that cannot be said. */
static TS_ALWAYS_INLINE gboolean
choose (State *state, const Word *word, const Word *next, guint64 *kept, guint64 *fields)
{
  const guint64 blanks = word->blanks, ends = ends_of_lines (word) | (word->returns & next->newlines << HIGHEST_BIT);
  const guint64 next_ends = ends_of_lines (next), behind_blanks = (next->blanks + 1) & ~next->blanks;
  const guint64 in_front_of_end = ends >> 1 | next_ends << HIGHEST_BIT;
  const guint64 last = blanks & ~(blanks >> 1 | next->blanks << HIGHEST_BIT);
  guint64       attributes, separators, commas, limits, next_limits, between, others;

  separators = find_parts (word, &state->in_fields, fields, &attributes);
  commas = word->commas & attributes;
  limits = separators | commas | (word->equals & attributes);
  next_limits = next_ends | (attributes >> HIGHEST_BIT != 0 ? next->commas | next->equals : next->separators);
  between = ts_marks_not_behind (blanks, limits | word->newlines, &state->behind_limit);
  others = ts_marks_not_behind (blanks, commas, &state->behind_comma);
  /* in fields a blank stands for all of them, and in attributes each that is inside of a text */
  *kept = ~blanks | (last & between & *fields & ~(limits >> 1 | in_front_of_end | next_limits << HIGHEST_BIT))
          | inside_of_texts (between & attributes, limits | ends, (behind_blanks & next_limits) != 0)
          | (last & ~others & in_front_of_end);
  /* what is behind so many blanks is not seen; and commas, equals signs and blanks may be some of a name or a value */
  return behind_blanks << 2 != 0 && word->slashes == 0;
}

TS_BY_WORDS gsize
ts_etf_squeeze (TsSqueezed *squeezed, const guint8 *begin, gsize n)
{
  const gsize n_words = MIN (n / WORD, TS_SQUEEZED_WORDS + 1);
  State       state = { 1, 1, 0 };
  guint8     *to = squeezed->bytes;
  Word        word, next;
  gsize       i = 0;

  if (n_words > 1)
    word = read_word (begin);
  for (; i + 1 < n_words; i++, word = next)
    {
      const __m512i bytes = _mm512_loadu_si512 (begin + i * WORD);
      guint64       kept, fields;

      next = read_word (begin + (i + 1) * WORD);
      if (G_UNLIKELY (!choose (&state, &word, &next, &kept, &fields)))
        break;
      to += ts_words_pack (to, _mm512_mask_blend_epi8 (ts_words_find (bytes, '\t') & fields, bytes, _mm512_set1_epi8 (' ')),
                           kept);
    }
  return ts_squeezed_end (squeezed, (gsize) (to - squeezed->bytes), begin, i * WORD);
}

#else

gsize
ts_etf_squeeze (TsSqueezed *squeezed, G_GNUC_UNUSED const guint8 *begin, G_GNUC_UNUSED gsize n)
{
  squeezed->length = 0;
  return 0;
}

#endif
