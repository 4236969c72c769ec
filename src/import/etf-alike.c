/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "import/digits.h"
#include "import/etf.h"

/* Where a producer writes its lines regularly, those of one kind have numbers of the same lengths for a long time, and
 * what follows the stamps is one of a few texts. So a line is compared with the ones before: what differs may only be
 * digits, which then are where they were. */

static gboolean
has_head (const TsEtfAlike *alike, const char *p)
{
#ifdef __SSE2__
  __m128i more = _mm_setzero_si128 ();

  for (guint i = 0; i < TS_ETF_HEAD; i += 16)
    {
      __m128i bytes = _mm_loadu_si128 ((const __m128i *) (gconstpointer) (p + i));
      __m128i text = _mm_loadu_si128 ((const __m128i *) (gconstpointer) (alike->text + i));
      __m128i most = _mm_loadu_si128 ((const __m128i *) (gconstpointer) (alike->most + i));

      more = _mm_or_si128 (more, _mm_subs_epu8 (_mm_xor_si128 (bytes, text), most));
    }
  return _mm_movemask_epi8 (_mm_cmpeq_epi8 (more, _mm_setzero_si128 ())) == 0xffff && p[alike->id_begin] != '0';
#else
  for (guint i = 0; i < TS_ETF_HEAD; i++)
    if (((guint8) p[i] ^ alike->text[i]) > alike->most[i])
      return FALSE;
  return p[alike->id_begin] != '0';
#endif
}

static gboolean
has_tail (const TsEtfTail *tail, const char *p)
{
#ifdef __SSE2__
  __m128i bytes = _mm_loadu_si128 ((const __m128i *) (gconstpointer) p);
  __m128i text = _mm_loadu_si128 ((const __m128i *) (gconstpointer) tail->text);
  __m128i mask = _mm_loadu_si128 ((const __m128i *) (gconstpointer) tail->mask);

  return _mm_movemask_epi8 (_mm_cmpeq_epi8 (_mm_and_si128 (bytes, mask), text)) == 0xffff && tail->length != 0;
#else
  return tail->length != 0 && memcmp (p, tail->text, tail->length) == 0;
#endif
}

/* The place of what may stand at @p; its first eight bytes tell. */
static inline guint
place_of_tail (const char *p)
{
  return (guint) ((ts_eight_load (p) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 56);
}

G_STATIC_ASSERT (TS_ETF_TAILS == 1 << (64 - 56));

static inline gint64
number_of (const TsEtfAlike *alike, const char *p, guint i)
{
  return alike->high[i] + (gint64) ts_eight_number (ts_eight_digits (p + alike->ends[i] - 8) & alike->masks[i]);
}

static inline const char *
line_after (const TsEtfLine *line)
{
  return line->end + (*line->end == '\r' ? 2 : 1);
}

const char *
ts_etf_alike_claim (TsEtf *etf, const char *begin)
{
  const TsEtfAlike *alike = &etf->scan.alike[TS_ETF_OF_CLAIM];
  const char       *behind = begin + alike->length;
  const TsEtfTail  *tail = &alike->tails[place_of_tail (behind)];
  TsEtfLine         line;
  TsEtfClaim        claim;

  if (!has_head (alike, begin) || !has_tail (tail, behind))
    return NULL;
  line.list = behind;
  line.id = (guint64) number_of (alike, begin, 0);
  claim = (TsEtfClaim){ number_of (alike, begin, 1), number_of (alike, begin, 2), tail->amount, tail->resource };
  etf->kind = TS_ETF_OF_CLAIM;
  line.attributes = ts_etf_attributes_recall_value (etf, tail->key, behind + tail->length, &line.end);
  if (line.attributes == NULL || !ts_etf_take_claim (etf, begin, &line, &claim))
    return NULL;
  return line_after (&line);
}

const char *
ts_etf_alike_event (TsEtf *etf, const char *begin)
{
  const TsEtfAlike *alike = &etf->scan.alike[TS_ETF_OF_EVENT];
  const char       *behind = begin + alike->length;
  const TsEtfTail  *tail = &alike->tails[place_of_tail (behind)];
  TsEtfLine         line;

  if (!has_head (alike, begin) || !has_tail (tail, behind))
    return NULL;
  line.list = behind;
  line.id = (guint64) number_of (alike, begin, 0);
  etf->kind = TS_ETF_OF_EVENT;
  line.attributes = ts_etf_attributes_recall_value (etf, tail->key, behind + tail->length, &line.end);
  if (line.attributes == NULL || !ts_etf_take_event (etf, begin, &line, number_of (alike, begin, 1)))
    return NULL;
  return line_after (&line);
}

/* What is learnt from a line */

/* Number @i is the digits from @begin to @end of the line. */
static void
learn_number (TsEtfAlike *alike, guint i, guint begin, guint end)
{
  guint  low = end - begin > 8 ? end - 8 : begin;
  gint64 high = 0;

  for (guint k = begin; k < low; k++)
    high = 10 * high + (alike->text[k] - '0');
  for (guint k = low; k < end; k++)
    {
      alike->text[k] = '0';
      alike->most[k] = 9;
    }
  alike->ends[i] = (guint8) end;
  alike->masks[i] = G_MAXUINT64 << (64 - 8 * (end - low));
  alike->high[i] = high * 100000000;
}

static void
learn_head (TsEtfAlike *alike, const char *begin, const guint8 *places, guint n)
{
  guint length = places[2 * n - 1];

  memset (alike->text, 0, sizeof alike->text);
  memset (alike->most, 0xff, sizeof alike->most);
  memcpy (alike->text, begin, length);
  memset (alike->most, 0, length);
  for (guint i = 0; i < n; i++)
    learn_number (alike, i, places[2 * i], places[2 * i + 1]);
  alike->id_begin = places[1] - places[0] > 1 ? places[0] : 0;
  alike->length = (guint8) length;
}

void
ts_etf_alike_forget (TsEtf *etf)
{
  memset (etf->scan.alike, 0, sizeof etf->scan.alike);
}

void
ts_etf_alike_learn (TsEtf *etf, const char *begin, const guint8 *places, const char *list, const TsEtfClaim *claim)
{
  TsEtfAlike *alike = &etf->scan.alike[etf->kind];
  guint       n = claim != NULL ? 3 : 2;
  const char *behind = begin + places[2 * n - 1], *value;
  TsEtfTail   tail = { .length = 0 };

  value = ts_etf_attributes_first_value (etf, list, &tail.key);
  if (places[2 * n - 1] > TS_ETF_HEAD || value == NULL || value - behind > TS_ETF_TAIL)
    return;
  learn_head (alike, begin, places, n);
  tail.length = (guint8) (value - behind);
  memcpy (tail.text, behind, tail.length);
  memset (tail.mask, 0xff, tail.length);
  if (claim != NULL)
    {
      tail.amount = claim->amount;
      tail.resource = claim->resource;
    }
  alike->tails[place_of_tail (behind)] = tail;
}
