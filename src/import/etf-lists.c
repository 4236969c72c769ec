/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "import/digits.h"
#include "import/etf.h"
#include "import/marks.h"
#include "model/inline.h"

/* Lists whose keys stood in others before, quickly. Producers write some keys only now and then, or in another order each
 * time, or blanks around them. So nothing is expected of a list: what its bytes are is found for 64 of them at once, and a
 * key is found by its own. */

#define FIRST_SLOTS_BITS 6
#define MAX_KEYS 4096
/* A value may begin in the last byte that was looked at, and so many of it may be looked at, whatever its length is. */
#define LIST_ROOM (2 * TS_ETF_ROOM)

/* Keys */

/* A short key itself, or what is found by itself of a long one. The bytes behind a key, up to eight, may be looked at. */
static TS_ALWAYS_INLINE guint64
word_of (const char *p, gsize length)
{
  if (G_LIKELY (length <= 8))
    return ts_eight_load (p) << (64 - 8 * length);
  return ts_eight_load (p) * 5 + ts_eight_load (p + length - 8);
}

static TS_ALWAYS_INLINE gsize
place_of (const TsEtfKnown *known, guint64 word)
{
  return (word * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> known->shift;
}

static TS_ALWAYS_INLINE gboolean
is_key (const TsEtfKnownKey *key, guint64 word, const char *p, gsize length)
{
  return key->word == word && key->length == length && (G_LIKELY (length <= 8) || memcmp (key->text, p, length) == 0);
}

static TsEtfKnownKey * G_GNUC_NO_INLINE
find_further (const TsEtfKnown *known, guint64 word, const char *p, gsize length)
{
  const gsize mask = ((gsize) 1 << (64 - known->shift)) - 1;
  gsize       i = place_of (known, word);

  while (known->slots[i] != NULL && !is_key (known->slots[i], word, p, length))
    i = (i + 1) & mask;
  return known->slots[i];
}

/* NULL: it is not known. */
static TS_ALWAYS_INLINE TsEtfKnownKey *
find_key (const TsEtfKnown *known, const char *p, gsize length)
{
  guint64        word = word_of (p, length);
  TsEtfKnownKey *key = known->slots[place_of (known, word)];

  return G_LIKELY (key != NULL && is_key (key, word, p, length)) ? key : find_further (known, word, p, length);
}

static void
put_key (TsEtfKnown *known, TsEtfKnownKey *key)
{
  gsize mask = ((gsize) 1 << (64 - known->shift)) - 1, i = place_of (known, key->word);

  while (known->slots[i] != NULL)
    i = (i + 1) & mask;
  known->slots[i] = key;
}

/* Not more than a quarter of the slots are taken: few keys are in another's place then. */
static void
grow (TsEtfKnown *known)
{
  guint           bits = known->slots == NULL ? FIRST_SLOTS_BITS : 64 - known->shift + 1;
  gsize           n = known->slots == NULL ? 0 : (gsize) 1 << (bits - 1);
  TsEtfKnownKey **slots = known->slots;

  known->slots = g_new0 (TsEtfKnownKey *, (gsize) 1 << bits);
  known->shift = 64 - bits;
  for (gsize i = 0; i < n; i++)
    if (slots[i] != NULL)
      put_key (known, slots[i]);
  g_free (slots);
}

void
ts_etf_begin_keys (TsEtf *etf)
{
  grow (&etf->known);
}

void
ts_etf_learn_key (TsEtf *etf, TsEtfText text, TsEtfRole role)
{
  TsEtfKnown    *known = &etf->known;
  TsEtfKnownKey *key;
  char           room[8] = { 0 };

  /* nothing behind @text may be looked at */
  if (text.length < sizeof room)
    text.p = memcpy (room, text.p, text.length);
  if (text.length == 0 || known->n == MAX_KEYS || find_key (known, text.p, text.length) != NULL)
    return;
  if (4 * (known->n + 1) > 1u << (64 - known->shift))
    grow (known);
  key = g_new0 (TsEtfKnownKey, 1);
  key->word = word_of (text.p, text.length);
  key->text = g_memdup2 (text.p, text.length);
  key->length = (guint32) text.length;
  key->role = role;
  for (guint i = 0; i < role.n; i++)
    key->places |= 1u << role.places[i];
  put_key (known, key);
  known->n++;
}

void
ts_etf_forget_keys (TsEtf *etf)
{
  TsEtfKnown *known = &etf->known;

  for (gsize i = 0; i < (gsize) 1 << (64 - known->shift); i++)
    if (known->slots[i] != NULL)
      {
        g_free (known->slots[i]->text);
        g_free (known->slots[i]);
      }
  g_free (known->slots);
}

/* Values */

const char *
ts_etf_find_end (const char *p, const char *limit)
{
  for (const char *most = p + TS_ETF_MAX_SCAN; p < most && limit - p >= LIST_ROOM; p += TS_MARKS_BLOCK)
    {
      guint64 ends = ts_marks_find (p, ',', '=') | ts_marks_find (p, '\\', '\n');

      if (ends != 0)
        return p + ts_marks_first (ends);
    }
  return NULL;
}

/* The same of a value in which something is escaped, at @p. */
static const char *
find_end_behind_escape (const char *p, const char *limit)
{
  while (p != NULL && *p == '\\')
    {
      /* one at the end of the line escapes nothing */
      if (p[1] == '\n' || (p[1] == '\r' && p[2] == '\n'))
        return NULL;
      p = ts_etf_find_end (p + 2, limit);
    }
  return p;
}

/* A value from @p on, which goes beyond what was looked at, or has an escape at @end. Returns its end; NULL: it is odd. */
static const char * G_GNUC_NO_INLINE
take_long_value (TsEtf *etf, const char *p, const char *end, gboolean is_asked, TsEtfText *value)
{
  const char *blank;
  gboolean    has_escape;

  while (ts_etf_is_blank (*p))
    p++;
  if (end == NULL)
    end = ts_etf_find_end (p, etf->limit);
  if (end == NULL || *end == '=')
    return NULL;
  has_escape = *end == '\\';
  if (has_escape)
    end = find_end_behind_escape (end, etf->limit);
  if (end == NULL || *end == '=')
    return NULL;
  blank = end - (*end == '\n' && end[-1] == '\r');
  if (is_asked && has_escape)
    {
      if (etf->scratch_used + (gsize) (end - p) + TS_ETF_ROOM > etf->scratch->len)
        return NULL;
      *value = ts_etf_clean (etf, p, blank);
    }
  else
    {
      while (blank > p && ts_etf_is_blank (blank[-1]))
        blank--;
      *value = (TsEtfText){ p, (gsize) (blank - p) };
    }
  return end;
}

/* FALSE: it is as good as none in one place, and not in another. */
static gboolean G_GNUC_NO_INLINE
take_in_places (TsEtfAttributes *attributes, const TsEtfRole *role, TsEtfText value)
{
  for (guint i = 0; i < role->n; i++)
    attributes->all[role->places[i]] = value;
  return role->n == 0 || value.length > 0;
}

static TS_ALWAYS_INLINE gboolean
take_value (TsEtfAttributes *attributes, const TsEtfRole *role, TsEtfText value)
{
  if (G_UNLIKELY (role->n > 1 || value.length == 0))
    return take_in_places (attributes, role, value);
  attributes->all[role->places[0]] = value;
  return TRUE;
}

static void G_GNUC_NO_INLINE
forget_places (TsEtfAttributes *attributes, guint32 places)
{
  for (; places != 0; places &= places - 1)
    attributes->all[__builtin_ctz (places)] = (TsEtfText){ NULL, 0 };
}

/* Lists */

/* What some bytes of a list are: a bit for each of TS_MARKS_BLOCK of them, or of the first half. */
typedef struct
{
  guint64 ends;  /* what no value holds as it is, and the end of the line, where it is still to come */
  guint64 texts; /* no blanks */
  gboolean is_half;
} Marks;

#ifdef __SSE2__

typedef struct
{
  guint64 ends, blanks;
} Bytes;

static TS_ALWAYS_INLINE Bytes
find_in (const char *p)
{
  __m128i bytes = _mm_loadu_si128 ((const __m128i *) (gconstpointer) p);
  __m128i ends = _mm_or_si128 (_mm_cmpeq_epi8 (bytes, _mm_set1_epi8 (',')), _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('=')));
  __m128i others = _mm_or_si128 (_mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('\n')), _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('\\')));
  __m128i blanks = _mm_or_si128 (_mm_cmpeq_epi8 (bytes, _mm_set1_epi8 (' ')), _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('\t')));

  return (Bytes){ (guint) _mm_movemask_epi8 (_mm_or_si128 (ends, others)), (guint) _mm_movemask_epi8 (blanks) };
}

/* Half of them will do for most lists. */
static TS_ALWAYS_INLINE Marks
find_marks (const char *p)
{
  Bytes a = find_in (p), b = find_in (p + 16);

  return (Marks){ a.ends | b.ends << 16, ~(a.blanks | b.blanks << 16), TRUE };
}

static void G_GNUC_NO_INLINE
find_more_marks (const char *p, Marks *marks)
{
  Bytes a = find_in (p + 32), b = find_in (p + 48);

  marks->ends |= a.ends << 32 | b.ends << 48;
  marks->texts &= ~(a.blanks << 32 | b.blanks << 48);
  marks->is_half = FALSE;
}

#else

static inline Marks
find_marks (const char *p)
{
  return (Marks){ ts_marks_find (p, ',', '=') | ts_marks_find (p, '\\', '\n'), ~ts_marks_find (p, ' ', '\t'), FALSE };
}

#define find_more_marks(p, marks) ((void) 0)

#endif

/* The text that begins at bit @at or behind it, and ends at bit @end, where there is no blank, or in front of it: blanks are
 * not foreseen, and cost no branch. */
static TS_ALWAYS_INLINE TsEtfText
text_between (const char *p, guint64 texts, gsize at, gsize end)
{
  gsize begin = at + ts_marks_first (texts >> at);
  gsize last = ts_marks_last ((texts & (((guint64) 1 << end) - 1)) | 1);

  return (TsEtfText){ p + begin, begin < end ? last + 1 - begin : 0 };
}

static Marks G_GNUC_NO_INLINE
find_all_marks (const char *p)
{
  Marks marks = find_marks (p);

  find_more_marks (p, &marks);
  return marks;
}

/* Whether there is nothing but blanks from @p on to the end of the line: *end. */
static gboolean
is_end (const char *p, const char **end)
{
  while (ts_etf_is_blank (*p))
    p++;
  *end = p;
  return *p == '\n' || (*p == '\r' && p[1] == '\n');
}

/* Whether one such pair has been told of: the next ones are only counted. */
static gboolean
is_noted (const TsEtf *etf, TsDiagnosticId id)
{
  return etf->import->diagnostics->entries[id].count > 0;
}

void
ts_etf_note_odd_pairs (TsEtf *etf)
{
  for (; etf->recall.n_bad > 0; etf->recall.n_bad--)
    ts_etf_note (etf, BAD_ATTRIBUTE, NULL);
  for (; etf->recall.n_duplicates > 0; etf->recall.n_duplicates--)
    ts_etf_note (etf, DUPLICATE_ATTRIBUTE, NULL);
}

const TsEtfAttributes *
ts_etf_attributes_recall (TsEtf *etf, const char *begin, const char **end)
{
  const TsEtfKnown *known = &etf->known;
  TsEtfRecall      *recall = &etf->recall;
  const char       *p = begin, *last = etf->limit - LIST_ROOM;
  guint64           list = ++recall->n_lists;
  guint32           places = 0, n_bad = 0, n_duplicates = 0;
  gsize             at = 0; /* in the block at @p, which @marks are of */
  Marks             marks;

  if (G_UNLIKELY (p > last || p == recall->odd))
    return NULL;
  if (G_UNLIKELY (p[*p == ' '] == '\n') && is_end (p, end))
    goto finished;
  etf->scratch_used = TS_ETF_MARGIN;
  marks = find_marks (p);
  for (;;)
    {
      guint64        more = ts_marks_but_first (marks.ends);
      gsize          equals, mark;
      TsEtfText      text, long_value;
      TsEtfKnownKey *key;

      if (G_UNLIKELY (more == 0) && marks.is_half)
        {
          find_more_marks (p, &marks);
          more = ts_marks_but_first (marks.ends);
        }
      if (G_UNLIKELY (more == 0) && at > 0)
        {
          p += at;
          at = 0;
          if (p > last)
            break;
          marks = find_all_marks (p);
          more = ts_marks_but_first (marks.ends);
        }
      if (G_UNLIKELY (marks.ends == 0))
        break;
      equals = ts_marks_first (marks.ends);
      if (G_UNLIKELY (p[equals] != '='))
        {
          if (is_end (p + at, end))
            goto finished;
          if (p[equals] == '\\' || !is_noted (etf, TS_DIAGNOSTIC_BAD_ATTRIBUTE))
            break;
          n_bad++;
          if (p[equals] == '\n')
            {
              *end = ts_etf_line_end (p + equals);
              goto finished;
            }
          marks.ends = ts_marks_but_first (marks.ends);
          at = equals + 1;
          continue;
        }
      text = text_between (p, marks.texts, at, equals);
      if (G_UNLIKELY (text.length == 0))
        break;
      key = find_key (known, text.p, text.length);
      if (G_UNLIKELY (key == NULL))
        break;
      if (G_UNLIKELY (key->list == list))
        {
          if (!is_noted (etf, TS_DIAGNOSTIC_DUPLICATE_ATTRIBUTE))
            break;
          n_duplicates++;
        }
      key->list = list;
      places |= key->places;
      mark = more != 0 ? ts_marks_first (more) : equals;
      if (G_LIKELY (p[mark] == ','))
        {
          if (!take_value (&recall->attributes, &key->role, text_between (p, marks.texts, equals + 1, mark)))
            break;
          marks.ends = ts_marks_but_first (more);
          at = mark + 1;
          continue;
        }
      if (G_LIKELY (p[mark] == '\n'))
        {
          *end = ts_etf_line_end (p + mark);
          if (!take_value (&recall->attributes, &key->role, text_between (p, marks.texts, equals + 1, (gsize) (*end - p))))
            break;
          goto finished;
        }
      p = take_long_value (etf, p + equals + 1, more != 0 ? p + mark : NULL, key->role.n > 0, &long_value);
      if (p == NULL || !take_value (&recall->attributes, &key->role, long_value))
        break;
      if (*p == '\n')
        {
          *end = ts_etf_line_end (p);
          goto finished;
        }
      marks = (Marks){ 0 };
      at = 1;
    }
  /* what was taken so far is not of the next list */
  recall->places |= places;
  recall->odd = begin;
  return NULL;

finished:
  if (G_UNLIKELY ((recall->places & ~places) != 0))
    forget_places (&recall->attributes, recall->places & ~places);
  recall->places = places;
  recall->n_bad = n_bad;
  recall->n_duplicates = n_duplicates;
  return &recall->attributes;
}

TsEtfKnownKey *
ts_etf_attributes_key_at (TsEtf *etf, const char *p, const char **value)
{
  const char *equals = ts_etf_find_end (p, etf->limit), *end = equals;

  if (equals == NULL || *equals != '=')
    return NULL;
  while (ts_etf_is_blank (*p))
    p++;
  while (end > p && ts_etf_is_blank (end[-1]))
    end--;
  for (*value = equals + 1; ts_etf_is_blank (**value);)
    ++*value;
  return end > p ? find_key (&etf->known, p, (gsize) (end - p)) : NULL;
}
