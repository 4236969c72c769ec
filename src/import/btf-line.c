/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "import/btf.h"

/* One line in its fields. */

#define BLOCK 64

/* Where the commas and the ends of lines are among the BLOCK bytes at @p: a bit for each. */
#ifdef __SSE2__

static inline void
find_marks (const char *p, guint64 *commas, guint64 *ends)
{
  const __m128i comma = _mm_set1_epi8 (','), end = _mm_set1_epi8 ('\n');

  *commas = *ends = 0;
  for (guint i = 0; i < BLOCK; i += 16)
    {
      __m128i bytes = _mm_loadu_si128 ((const __m128i *) (gconstpointer) (p + i));

      *commas |= (guint64) (guint) _mm_movemask_epi8 (_mm_cmpeq_epi8 (bytes, comma)) << i;
      *ends |= (guint64) (guint) _mm_movemask_epi8 (_mm_cmpeq_epi8 (bytes, end)) << i;
    }
}

#else

/* A bit for each of eight bytes that is @c; exact, for no carry leaves its byte. */
static inline guint64
find_byte (guint64 bytes, char c)
{
  const guint64 low = G_GUINT64_CONSTANT (0x7f7f7f7f7f7f7f7f);
  guint64       x = bytes ^ (G_GUINT64_CONSTANT (0x0101010101010101) * (guint8) c);

  x = ~(((x & low) + low) | x | low);
  return ((x >> 7) * G_GUINT64_CONSTANT (0x0102040810204080)) >> 56;
}

static inline void
find_marks (const char *p, guint64 *commas, guint64 *ends)
{
  *commas = *ends = 0;
  for (guint i = 0; i < BLOCK; i += 8)
    {
      guint64 bytes;

      memcpy (&bytes, p + i, 8);
      bytes = GUINT64_FROM_LE (bytes);
      *commas |= find_byte (bytes, ',') << i;
      *ends |= find_byte (bytes, '\n') << i;
    }
}

#endif

static const char *
end_line (TsBtfLine *line, const char *end, guint n_commas)
{
  line->n_commas = n_commas;
  line->end = end > line->begin && end[-1] == '\r' ? end - 1 : end;
  return end + 1;
}

const char *
ts_btf_split (const char *begin, const char *end, TsBtfLine *line)
{
  const char *p = begin;
  guint       n = 0;

  line->begin = begin;
  for (; end - p >= BLOCK && n < TS_BTF_FIELDS; p += BLOCK)
    {
      guint64 commas, ends;

      find_marks (p, &commas, &ends);
      /* commas of the next line are none of this one */
      if (ends != 0)
        commas &= (ends & -ends) - 1;
      for (; commas != 0 && n < TS_BTF_FIELDS; commas &= commas - 1)
        line->commas[n++] = p + __builtin_ctzll (commas);
      if (ends != 0)
        return end_line (line, p + __builtin_ctzll (ends), n);
    }
  for (; p < end && n < TS_BTF_FIELDS; p++)
    {
      if (*p == ',')
        line->commas[n++] = p;
      else if (*p == '\n')
        return end_line (line, p, n);
    }
  p = p < end ? memchr (p, '\n', (gsize) (end - p)) : NULL;
  return p != NULL ? end_line (line, p, n) : NULL;
}

void
ts_btf_split_whole (const char *begin, const char *end, TsBtfLine *line)
{
  const char *p = begin;
  guint       n = 0;

  line->begin = begin;
  while (n < TS_BTF_FIELDS && p < end && (p = memchr (p, ',', (gsize) (end - p))) != NULL)
    line->commas[n++] = p++;
  end_line (line, end, n);
}

TsBtfFound
ts_btf_number_slow (TsBtfText text, gint64 *value)
{
  const char *p = text.begin, *end = text.begin + text.length;
  gboolean    negative = p < end && *p == '-', fits = TRUE;
  guint64     number = 0;

  p += negative;
  if (p == end)
    return TS_BTF_NO_NUMBER;
  for (; p < end; p++)
    {
      if (!g_ascii_isdigit (*p))
        return TS_BTF_NO_NUMBER;
      fits = fits && g_uint64_checked_mul (&number, number, 10)
             && g_uint64_checked_add (&number, number, (guint64) (*p - '0'));
    }
  if (!fits || number > G_MAXINT64)
    return TS_BTF_TOO_LARGE;
  *value = negative ? -(gint64) number : (gint64) number;
  return TS_BTF_GOOD;
}

gboolean
ts_btf_same (TsBtfText text, const char *word)
{
  return text.length == strlen (word) && g_ascii_strncasecmp (text.begin, word, text.length) == 0;
}
