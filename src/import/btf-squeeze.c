/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf-squeeze.h"
#include "import/marks.h"
#include "import/words.h"

#define BY_EIGHTS __attribute__ ((target ("ssse3,popcnt")))

#define WORD TS_MARKS_BLOCK
#define HIGHEST_BIT (WORD - 1)
/* Bytes that are read at a time from one on that is kept. */
#define PIECE 16

/* What a word of bytes has, a bit for each. */
typedef struct
{
  guint64 limits; /* commas and ends of lines */
  guint64 blanks; /* and the returns of ends of lines */
  guint64 odd;    /* other returns */
} Word;

/* What is handed from word to word. */
typedef struct
{
  guint64 behind_limit; /* whether the next byte is, or the blanks that it begins with are */
  guint64 odd;          /* not 0: there were such returns */
} State;

/* @newlines_behind tells of each byte what is behind it. */
static TS_ALWAYS_INLINE Word
make_word (guint64 newlines, guint64 commas, guint64 blanks, guint64 returns, guint64 newlines_behind)
{
  return (Word){ newlines | commas, blanks | (returns & newlines_behind), returns & ~newlines_behind };
}

/* The one at @p, behind which there are others. */
static TS_ALWAYS_INLINE Word
read_word (const char *p)
{
  return make_word (ts_marks_find (p, '\n', '\n'), ts_marks_find (p, ',', ','), ts_marks_find (p, ' ', '\t'),
                    ts_marks_find (p, '\r', '\r'), ts_marks_find (p + 1, '\n', '\n'));
}

/* Whether the first byte of @word that is no blank is a comma or the end of a line. */
static gboolean
begins_with_limit (const Word *word)
{
  const guint64 others = ~word->blanks;

  return (others & -others & word->limits) != 0;
}

/* Those of @blanks, in none of which there is one behind a limit, that are not in front of one, either. */
static TS_ALWAYS_INLINE guint64
inside_of_texts (guint64 blanks, guint64 limits, const char *next)
{
  Word next_word;

  /* mostly there are none in texts */
  if (G_LIKELY (ts_marks_are_before (blanks, limits)))
    return 0;
  next_word = read_word (next);
  return blanks & ~ts_marks_before (blanks, limits >> 1 | (guint64) begins_with_limit (&next_word) << HIGHEST_BIT);
}

/* Which bytes of @word, behind which there is the one at @next, are kept. */
static TS_ALWAYS_INLINE guint64
kept_of (State *state, Word word, const char *next)
{
  state->odd |= word.odd;
  return ~word.blanks
         | inside_of_texts (ts_marks_not_behind (word.blanks, word.limits, &state->behind_limit), word.limits, next);
}

/* Copies the bytes of a word at @p, and maybe some behind them. Returns where the next ones go. */
static TS_ALWAYS_INLINE char *
copy_kept (char *to, const char *p, guint64 kept)
{
  while (kept != 0)
    {
      const gsize   begin = ts_marks_first (kept);
      const guint64 others = ~(kept >> begin);
      const gsize   n = others != 0 ? ts_marks_first (others) : WORD;

      for (gsize i = 0; i < n; i += PIECE)
        memcpy (to + i, p + begin + i, PIECE);
      to += n;
      if (begin + n >= WORD)
        break;
      kept = kept >> (begin + n) << (begin + n);
    }
  return to;
}

/* All words of the @n bytes at @p that have another one, and a piece of that, behind them. Return how many bytes these are;
 * *to moves on. */

static gsize
squeeze_by_runs (State *state, const char *p, gsize n, char **to)
{
  gsize at = 0;

  for (; at + 2 * WORD + PIECE <= n; at += WORD)
    *to = copy_kept (*to, p + at, kept_of (state, read_word (p + at), p + at + WORD));
  return at;
}

#ifdef TS_BY_WORDS

BY_EIGHTS static TS_ALWAYS_INLINE char *
copy_eights (char *to, const char *p, guint64 kept, const guint64 *places)
{
  for (guint i = 0; i < WORD; i += 8, kept >>= 8)
    {
      const __m128i bytes = _mm_loadl_epi64 ((const __m128i *) (gconstpointer) (p + i));
      const __m128i places_kept = _mm_loadl_epi64 ((const __m128i *) (gconstpointer) &places[kept & 0xff]);

      _mm_storel_epi64 ((__m128i *) (gpointer) to, _mm_shuffle_epi8 (bytes, places_kept));
      to += __builtin_popcountll (kept & 0xff);
    }
  return to;
}

BY_EIGHTS static gsize
squeeze_by_eights (State *state, const char *p, gsize n, char **to, const guint64 *places)
{
  gsize at = 0;

  for (; at + 2 * WORD + PIECE <= n; at += WORD)
    *to = copy_eights (*to, p + at, kept_of (state, read_word (p + at), p + at + WORD), places);
  return at;
}

TS_BY_WORDS static TS_ALWAYS_INLINE Word
read_whole_word (const char *p)
{
  const __m512i bytes = _mm512_loadu_si512 (p);

  return make_word (ts_words_find (bytes, '\n'), ts_words_find (bytes, ','),
                    ts_words_find (bytes, ' ') | ts_words_find (bytes, '\t'), ts_words_find (bytes, '\r'),
                    ts_words_find (_mm512_loadu_si512 (p + 1), '\n'));
}

TS_BY_WORDS static gsize
squeeze_by_words (State *state, const char *p, gsize n, char **to)
{
  State now = *state; /* what is in memory has to be waited for */
  char *next = *to;
  gsize at = 0;

  for (; at + 2 * WORD + PIECE <= n; at += WORD)
    next += ts_words_pack (next, _mm512_loadu_si512 (p + at), kept_of (&now, read_whole_word (p + at), p + at + WORD));
  *state = now;
  *to = next;
  return at;
}

gboolean
ts_btf_can_squeeze_by (TsBtfSqueezeStep step)
{
  if (step == TS_BTF_SQUEEZE_WORDS)
    return ts_words_are_there ();
  return step == TS_BTF_SQUEEZE_RUNS
         || (__builtin_cpu_supports ("ssse3") != 0 && __builtin_cpu_supports ("popcnt") != 0);
}

static gsize
squeeze_words (const TsBtfSqueezer *squeezer, State *state, const char *p, gsize n, char **to)
{
  if (squeezer->step == TS_BTF_SQUEEZE_WORDS)
    return squeeze_by_words (state, p, n, to);
  return squeezer->step == TS_BTF_SQUEEZE_EIGHTS ? squeeze_by_eights (state, p, n, to, squeezer->places)
                                                 : squeeze_by_runs (state, p, n, to);
}

#else

gboolean
ts_btf_can_squeeze_by (TsBtfSqueezeStep step)
{
  return step == TS_BTF_SQUEEZE_RUNS;
}

static gsize
squeeze_words (G_GNUC_UNUSED const TsBtfSqueezer *squeezer, State *state, const char *p, gsize n, char **to)
{
  return squeeze_by_runs (state, p, n, to);
}

#endif

/* The last bytes, fewer than those of three words. */
static char *
squeeze_rest (State *state, const char *p, gsize n, char *to)
{
  char rest[4 * WORD + 1];

  memset (rest, 0, sizeof rest);
  memcpy (rest, p, n);
  for (gsize at = 0; at < n; at += WORD)
    {
      guint64 kept = kept_of (state, read_word (rest + at), rest + at + WORD);

      if (n - at < WORD)
        kept &= ((guint64) 1 << (n - at)) - 1;
      to = copy_kept (to, rest + at, kept);
    }
  return to;
}

void
ts_btf_squeezer_init (TsBtfSqueezer *squeezer)
{
  squeezer->step = TS_BTF_SQUEEZE_WORDS;
  while (!ts_btf_can_squeeze_by (squeezer->step))
    squeezer->step--;
  for (guint kept = 0; kept < G_N_ELEMENTS (squeezer->places); kept++)
    {
      guint8 places[8] = { 0 };

      for (guint i = 0, n = 0; i < 8; i++)
        if ((kept >> i & 1) != 0)
          places[n++] = (guint8) i;
      memcpy (&squeezer->places[kept], places, sizeof places);
    }
}

gsize
ts_btf_squeeze (const TsBtfSqueezer *squeezer, const char *begin, const char *end, char *to)
{
  State state = { .behind_limit = 1 };
  gsize n = (gsize) (end - begin), at = 0;
  char *next = to;

  if (n >= 2 * WORD + PIECE)
    at = squeeze_words (squeezer, &state, begin, n, &next);
  next = squeeze_rest (&state, begin + at, n - at, next);
  return state.odd == 0 ? (gsize) (next - to) : 0;
}
