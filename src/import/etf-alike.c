/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/etf-numbers.h"
#include "import/etf-take.h"
#include "import/marks.h"

/* Where a producer writes its lines regularly, those of one kind have numbers of the same lengths for a long time, and
 * what follows the stamps is one of a few texts. So a line is compared with the ones before: what differs may only be
 * digits, which then are where they were. */

#ifdef __SSE2__

/* By how much more than they may 16 bytes are others than those that are expected. */
static TS_ALWAYS_INLINE __m128i
differ (const TsEtfShape *shape, const char *p, const guint8 *most, guint i)
{
  __m128i others = _mm_xor_si128 (ts_etf_load (p + i), ts_etf_load_kept (shape->text + i));

  return _mm_subs_epu8 (others, ts_etf_load_kept (most + i));
}

static TS_ALWAYS_INLINE gboolean
has_bytes (const char *p, const guint8 *text, const guint8 *mask)
{
  __m128i bytes = _mm_and_si128 (ts_etf_load (p), ts_etf_load_kept (mask));

  return _mm_movemask_epi8 (_mm_cmpeq_epi8 (bytes, ts_etf_load_kept (text))) == 0xffff;
}

#endif

static TS_ALWAYS_INLINE gboolean
has_head (const TsEtfShape *shape, const char *p, const guint8 *most)
{
#ifdef __SSE2__
  /* by hand: not every compiler takes turns apart */
  __m128i more = _mm_or_si128 (differ (shape, p, most, 0), differ (shape, p, most, 16));

  if (shape->length > 32)
    {
      more = _mm_or_si128 (more, differ (shape, p, most, 32));
      if (shape->length > 48)
        more = _mm_or_si128 (more, differ (shape, p, most, 48));
    }
  return _mm_movemask_epi8 (_mm_cmpeq_epi8 (more, _mm_setzero_si128 ())) == 0xffff && p[shape->id_begin] != '0';
#else
  guint i = 0;

  do
    if (((guint8) p[i] ^ shape->text[i]) > most[i])
      return FALSE;
  while (++i < shape->length);
  return p[shape->id_begin] != '0';
#endif
}

static TS_ALWAYS_INLINE gboolean
has_tail (const TsEtfTail *tail, const char *p)
{
#ifdef __SSE2__
  return has_bytes (p, tail->text, tail->mask);
#else
  return memcmp (p, tail->text, tail->length) == 0;
#endif
}

static TS_ALWAYS_INLINE const TsEtfTail *
tail_at (const TsEtfAlike *alike, const char *p)
{
  return &alike->tails[ts_etf_place_of_tail (p)];
}

static TS_ALWAYS_INLINE TsEtfClaim
claim_of (const TsEtfNumbers *numbers, const TsEtfTail *tail)
{
  return (TsEtfClaim){ numbers->first, numbers->last, tail->amount, tail->resource };
}

/* Resources and amounts of which there are too many to know all texts are read by themselves. */

/* More digits behind a point would make an amount too large to be multiplied. */
#define MOST_DECIMALS 9

/* Digits and what is between them: a bit for each place where the ones or the others begin. */
typedef struct
{
  const char *p;
  guint64     edges;
  guint       at; /* read so far */
} Numbers;

/* @n digits, no more than eight, behind @before. */
static TS_ALWAYS_INLINE gboolean
next_digits (Numbers *numbers, char before, gint *n, gint64 *value)
{
  guint begin = (guint) ts_marks_first (numbers->edges), end;

  numbers->edges = ts_marks_but_first (numbers->edges);
  end = (guint) ts_marks_first (numbers->edges);
  numbers->edges = ts_marks_but_first (numbers->edges);
  *n = (gint) (end - begin);
  if (G_UNLIKELY (begin != numbers->at + 1 || numbers->p[numbers->at] != before || *n > 8))
    return FALSE;
  numbers->at = end;
  *value = (gint64) ts_eight_number (ts_eight_digits (numbers->p + begin) << (64 - 8 * *n));
  return TRUE;
}

/* A number in units of 10^-k, behind a blank. */
static TS_ALWAYS_INLINE gboolean
next_number (Numbers *numbers, gint k, gint64 *value)
{
  gint   n;
  gint64 fraction;

  if (!next_digits (numbers, ' ', &n, value))
    return FALSE;
  *value *= ts_etf_power_of_ten (k);
  if (numbers->p[numbers->at] == '.')
    {
      if (!next_digits (numbers, '.', &n, &fraction) || (n > k && fraction != 0))
        return FALSE;
      *value += fraction * ts_etf_power_of_ten (MAX (k - n, 0));
    }
  return TRUE;
}

/* What claims a resource, behind @p. It has a claim already, as each one has of which a text is known. */
static gboolean
read_tail (TsEtf *etf, const TsEtfTail *suffix, const char *p, TsEtfTail *tail)
{
  guint64              digits = ts_marks_find_digits (p) & (G_MAXUINT64 >> 2);
  Numbers              numbers = { p, (digits ^ digits << 1) | (guint64) 3 << 62, 0 };
  gint64               id, offset = 0;
  gint                 n;
  const TsEtfResource *resource;

  if (!next_digits (&numbers, ' ', &n, &id) || (p[1] == '0' && n > 1))
    return FALSE;
  tail->resource = ts_etf_ids_find (&etf->resource_ids, (guint64) id);
  if (tail->resource == TS_ETF_NONE)
    return FALSE;
  resource = &g_array_index (etf->resources, TsEtfResource, tail->resource);
  if ((resource->uses_offset && !next_number (&numbers, etf->amount_decimals, &offset))
      || !next_number (&numbers, etf->amount_decimals, &tail->amount) || !has_tail (suffix, p + numbers.at)
      || resource->line == 0 || resource->used_line == 0 || offset + tail->amount > resource->capacity
      || (tail->amount != resource->amount && etf->amounts == NULL))
    return FALSE;
  tail->key = suffix->key;
  tail->length = (guint8) (numbers.at + suffix->length);
  tail->list = (guint8) (numbers.at + suffix->list);
  return TRUE;
}

/* What follows the stamps of a claim, at @p, where that is not known. NULL: it is something else. */
static const TsEtfTail * G_GNUC_NO_INLINE
take_tail_apart (TsEtf *etf, const char *p)
{
  TsEtfAlike      *alike = &etf->scan.alike[TS_ETF_OF_CLAIM];
  const TsEtfTail *tail = tail_at (alike, p);

  if (G_LIKELY (alike->suffix.length > 0 && etf->amount_decimals <= MOST_DECIMALS)
      && G_LIKELY (read_tail (etf, &alike->suffix, p, &alike->apart)))
    {
      if (G_UNLIKELY (!alike->is_apart))
        ts_etf_alike_learn_tail (etf, p, &alike->apart);
      return &alike->apart;
    }
  return alike->is_apart && has_tail (tail, p) ? tail : NULL;
}

/* Lists */

/* Where something is that no value holds as it is, and where a line ends: a bit for each of TS_MARKS_BLOCK bytes. */
typedef struct
{
  guint64 ends, newlines;
} Marks;

#ifdef __SSE2__

static TS_ALWAYS_INLINE Marks
find_marks_in (const char *p)
{
  __m128i bytes = ts_etf_load (p);
  __m128i newlines = _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('\n'));
  __m128i ends = _mm_or_si128 (_mm_cmpeq_epi8 (bytes, _mm_set1_epi8 (',')), _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('=')));

  ends = _mm_or_si128 (_mm_or_si128 (ends, newlines), _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('\\')));
  return (Marks){ (guint) _mm_movemask_epi8 (ends), (guint) _mm_movemask_epi8 (newlines) };
}

/* Of half as many bytes. */
static TS_ALWAYS_INLINE Marks
find_half_marks (const char *p)
{
  Marks a = find_marks_in (p), b = find_marks_in (p + 16);

  return (Marks){ a.ends | b.ends << 16, a.newlines | b.newlines << 16 };
}

static TS_ALWAYS_INLINE void
add_half_marks (Marks *marks, const char *p)
{
  Marks more = find_half_marks (p + 32);

  marks->ends |= more.ends << 32;
  marks->newlines |= more.newlines << 32;
}

static TS_ALWAYS_INLINE Marks
find_marks (const char *p)
{
  Marks marks = find_half_marks (p);

  add_half_marks (&marks, p);
  return marks;
}

static TS_ALWAYS_INLINE gboolean
has_lead (const TsEtfStep *step, const char *p, gboolean is_plain)
{
  return has_bytes (p, step->lead, step->mask)
         && (is_plain || G_LIKELY (step->length <= 16) || has_bytes (p + 16, step->lead + 16, step->mask + 16));
}

#else

static inline Marks
find_marks (const char *p)
{
  return (Marks){ ts_marks_find (p, ',', '\n') | ts_marks_find (p, '=', '\\'), ts_marks_find (p, '\n', '\n') };
}

#define find_half_marks find_marks
#define add_half_marks(marks, p) ((void) 0)

static inline gboolean
has_lead (const TsEtfStep *step, const char *p, G_GNUC_UNUSED gboolean is_plain)
{
  return memcmp (p, step->lead, step->length) == 0;
}

#endif

/* FALSE: it may have blanks around it, or be empty. */
static TS_ALWAYS_INLINE gboolean
take_value (TsEtfAttributes *attributes, guint place, const char *p, const char *end)
{
  attributes->all[place] = (TsEtfText){ p, (gsize) (end - p) };
  return p < end && (guchar) *p > ' ' && (guchar) end[-1] > ' ';
}

/* The list from its first value on, at @p, where the ones before had the same keys in front of theirs: its values are put
 * in alike->attributes. @ends are those of TS_MARKS_BLOCK bytes from there on, or of fewer, but where the list is short all
 * of its own. FALSE: it is another list, or too long. */
static TS_ALWAYS_INLINE gboolean
take_list (TsEtfAlike *alike, const char *p, guint64 ends, gboolean is_short, gboolean is_plain, const char *limit)
{
  const TsEtfStep *step = alike->steps, *last = alike->last;

  for (gboolean is_first = TRUE;; is_first = FALSE, step++)
    {
      const char *value = p;
      gboolean    is_asked = is_plain ? is_first : step->is_asked;
      guint       n, place = is_plain ? 0 : step->place;

      if (!is_short && ends == 0)
        {
          p = ts_etf_find_end (p, limit);
          if (p == NULL)
            return FALSE;
          ends = find_marks (p).ends;
        }
      n = ts_marks_first (ends);
      p += n;
      ends >>= n;
      if (step == last)
        return *p == '\n' && (!is_asked || take_value (&alike->attributes, place, value, ts_etf_line_end (p)));
      if (G_UNLIKELY ((is_asked && !take_value (&alike->attributes, place, value, p)) || !has_lead (step + 1, p, is_plain)))
        return FALSE;
      p += step[1].length;
      ends >>= step[1].length;
    }
}

static const char * G_GNUC_NO_INLINE
take_long_line (TsEtfAlike *alike, guint lead, const char *p, const char *limit)
{
  guint64 ends = find_marks (p).ends;

  if (!take_list (alike, p + lead, ends >> lead, FALSE, FALSE, limit))
    return NULL;
  return memchr (p, '\n', (gsize) (limit - p));
}

/* The rest of a line from @p on, which has @lead bytes up to the first value: returns its end. That is found by itself, so
 * that the next line can be begun before anything is known of this list. NULL: it is another list. */
static TS_ALWAYS_INLINE const char *
take_line (TsEtfAlike *alike, guint lead, const char *p, const char *limit)
{
  const char *value = p + lead, *end;
  Marks       marks;
  gboolean    is_taken;

  /* few lines need more than half of them, or nearly all do */
  marks = find_half_marks (p);
  if (marks.newlines == 0)
    add_half_marks (&marks, p);
  if (G_UNLIKELY (marks.newlines == 0))
    return take_long_line (alike, lead, p, limit);
  end = p + ts_marks_first (marks.newlines);
  marks.ends >>= lead;
  if (G_LIKELY (alike->is_plain))
    is_taken = take_list (alike, value, marks.ends, TRUE, TRUE, limit);
  else
    is_taken = take_list (alike, value, marks.ends, TRUE, FALSE, limit);
  return G_LIKELY (is_taken) ? end : NULL;
}

const TsEtfAttributes *
ts_etf_alike_list (TsEtf *etf, const char *p, const char **end)
{
  TsEtfAlike *alike = &etf->scan.alike[etf->kind];
  const char *newline;

  if (etf->limit - p < 2 * TS_ETF_ROOM || !has_lead (alike->steps, p, FALSE))
    return NULL;
  newline = take_line (alike, alike->steps->length, p, etf->limit);
  if (newline == NULL)
    return NULL;
  *end = ts_etf_line_end (newline);
  return &alike->attributes;
}

/* Lines. NULL: it is not like the ones before. */

/* A line that has another list. */
static const char * G_GNUC_NO_INLINE
take_other_line (TsEtf *etf, const char *begin, guint8 kind, const TsEtfTail *tail)
{
  TsEtfShape  *shape = ts_etf_shape_of (&etf->scan.alike[kind]);
  const char  *list = begin + shape->length + tail->list;
  TsEtfNumbers numbers;
  TsEtfLine    line = { 0 };
  gboolean     is_taken;

  if (tail->length == 0)
    return NULL; /* a place that no text has yet */
  numbers = ts_etf_numbers_of (shape, begin, TRUE);
  line.id = (guint64) numbers.id;
  etf->kind = kind;
  line.attributes = ts_etf_attributes_recall (etf, list, &line.end);
  if (line.attributes == NULL)
    return NULL;
  if (kind == TS_ETF_OF_CLAIM)
    is_taken = ts_etf_take_claim (etf, begin, &line, (TsEtfClaim[]){ claim_of (&numbers, tail) });
  else
    is_taken = ts_etf_take_event (etf, begin, &line, numbers.first);
  if (!is_taken)
    return NULL;
  ts_etf_alike_miss_list (etf, list);
  ts_etf_note_single (etf, TRUE);
  return ts_etf_begin_of_next (line.end);
}

/* Ids in any order are looked up anywhere in memory: the place of the one in the line at @next is fetched meanwhile. */
static gboolean G_GNUC_NO_INLINE
add_any_id (TsEtf *etf, guint64 id, const char *next)
{
  if (etf->limit - next >= TS_ETF_HEAD)
    ts_etf_ids_fetch (&etf->claim_ids,
                      (guint64) ts_etf_number_of (ts_etf_shape_of (&etf->scan.alike[TS_ETF_OF_CLAIM]), next, TS_ETF_ID));
  return ts_etf_ids_add_any (&etf->claim_ids, id);
}

static TS_ALWAYS_INLINE gboolean
add_id (TsEtf *etf, guint64 id, const char *next)
{
  return G_LIKELY (ts_etf_ids_add_next (&etf->claim_ids, id)) || add_any_id (etf, id, next);
}

/* The claim of the line at @begin, which is all there but for its numbers. Returns @next, where the next one begins. */
static TS_ALWAYS_INLINE const char *
put_claim (TsEtf *etf, const TsEtfShape *shape, const char *begin, const TsEtfTail *tail, const TsEtfAttributes *attributes,
           const char *next, gboolean has_points)
{
  const TsEtfNumbers numbers = ts_etf_numbers_of (shape, begin, has_points);
  TsEtfClaim         claim;

  if (G_UNLIKELY (numbers.first > numbers.last || !ts_etf_has_room (etf) || !add_id (etf, (guint64) numbers.id, next)))
    return NULL;
  etf->line++;
  claim = claim_of (&numbers, tail);
  ts_etf_put_claim (etf, &claim, ts_etf_element_at (etf, attributes, claim.resource), attributes);
  return next;
}

/* One without attributes: of these @tail has nothing but the end of the line. */
static const char * G_GNUC_NO_INLINE
take_bare_claim (TsEtf *etf, const TsEtfShape *shape, const char *begin, const TsEtfTail *tail)
{
  static const TsEtfAttributes none;

  if (tail->length == 0)
    return NULL; /* a place that no text has yet */
  return put_claim (etf, shape, begin, tail, &none, begin + shape->length + tail->length, TRUE);
}

static TS_ALWAYS_INLINE const char *
take_claim (TsEtf *etf, const TsEtfShape *shape, const char *begin, gboolean has_points)
{
  TsEtfAlike      *alike = &etf->scan.alike[TS_ETF_OF_CLAIM];
  const char      *behind = begin + shape->length, *end;
  const TsEtfTail *tail = tail_at (alike, behind);

  if (G_UNLIKELY (!has_head (shape, begin, shape->most)))
    return NULL;
  if (G_UNLIKELY (alike->is_apart || tail->length == 0 || !has_tail (tail, behind)))
    {
      tail = take_tail_apart (etf, behind);
      if (tail == NULL)
        return NULL;
    }
  end = G_LIKELY (tail->key == alike->first) ? take_line (alike, tail->length, behind, etf->limit) : NULL;
  if (G_LIKELY (end != NULL))
    return put_claim (etf, shape, begin, tail, &alike->attributes, end + 1, has_points);
  return tail->key == NULL ? take_bare_claim (etf, shape, begin, tail)
                           : take_other_line (etf, begin, TS_ETF_OF_CLAIM, tail);
}

static TS_ALWAYS_INLINE const char *
take_event (TsEtf *etf, const TsEtfShape *shape, const char *begin, gboolean has_points)
{
  TsEtfAlike      *alike = &etf->scan.alike[TS_ETF_OF_EVENT];
  const char      *behind = begin + shape->length, *end;
  const TsEtfTail *tail = tail_at (alike, behind);
  TsEtfNumbers     numbers;

  if (G_UNLIKELY (!has_head (shape, begin, shape->most) || !has_tail (tail, behind)))
    return NULL;
  end = G_LIKELY (tail->key == alike->first) ? take_line (alike, tail->length, behind, etf->limit) : NULL;
  if (G_UNLIKELY (end == NULL))
    return take_other_line (etf, begin, TS_ETF_OF_EVENT, tail);
  numbers = ts_etf_numbers_of (shape, begin, has_points);
  if (G_UNLIKELY (etf->event_ids.n == TS_ETF_MAX_EVENTS || !ts_etf_ids_add (&etf->event_ids, (guint64) numbers.id)))
    return NULL;
  etf->line++;
  ts_etf_put_event (etf, numbers.first, ts_etf_element_at (etf, &alike->attributes, TS_ETF_NONE), &alike->attributes);
  return end + 1;
}

/* Whether the line at @begin has @shape; its last stamp must not be longer. */
static inline gboolean
has_shape (const TsEtfShape *shape, const char *begin, const guint8 *most)
{
  return has_head (shape, begin, most) && (ts_etf_is_blank (begin[shape->length]) || begin[shape->length] == ';');
}

/* The first digits of its numbers may be all that a line has of its own: then these are learnt, and it has @shape. */
static gboolean
gets_shape (TsEtfShape *shape, const char *begin)
{
  return has_shape (shape, begin, shape->most_loose) && ts_etf_alike_learn_fronts (shape, begin);
}

/* Where a line is not like the ones before, it may have their shape nevertheless, or that of some before these. FALSE: it has
 * neither, or that is not the reason. */
static gboolean G_GNUC_NO_INLINE
gets_other_shape (TsEtf *etf, const char *begin)
{
  TsEtfAlike *alike = &etf->scan.alike[*begin == 'C' ? TS_ETF_OF_CLAIM : TS_ETF_OF_EVENT];
  TsEtfShape *shape = ts_etf_shape_of (alike), *other = &alike->shapes[!alike->present];

  if (has_shape (shape, begin, shape->most))
    return FALSE;
  if (!has_shape (other, begin, other->most))
    {
      if (gets_shape (shape, begin))
        return TRUE;
      if (!gets_shape (other, begin))
        return FALSE;
    }
  alike->present = !alike->present;
  alike->n_switches++;
  return TRUE;
}

gboolean
ts_etf_alike_has_shape (const TsEtfAlike *alike, const char *begin)
{
  return has_shape (&alike->shapes[0], begin, alike->shapes[0].most_loose)
         || has_shape (&alike->shapes[1], begin, alike->shapes[1].most_loose);
}

static TS_ALWAYS_INLINE const char *
take_lines (TsEtf *etf, const char *begin, const char *end, gboolean has_points)
{
  TsEtfAlike       *alike = etf->scan.alike;
  const TsEtfShape *claim = ts_etf_shape_of (&alike[TS_ETF_OF_CLAIM]), *event = ts_etf_shape_of (&alike[TS_ETF_OF_EVENT]);

  for (const char *last = end - TS_ETF_MAX_SCAN; begin <= last;)
    {
      const char *next = *begin == 'C'   ? take_claim (etf, claim, begin, has_points)
                         : *begin == 'E' ? take_event (etf, event, begin, has_points)
                                         : NULL;

      if (G_LIKELY (next != NULL))
        begin = next;
      else if (ts_etf_begin_of_next (begin) > begin)
        {
          begin = ts_etf_begin_of_next (begin);
          etf->line++;
        }
      else if ((*begin != 'C' && *begin != 'E') || !gets_other_shape (etf, begin))
        break;
      else if (*begin == 'C')
        claim = ts_etf_shape_of (&alike[TS_ETF_OF_CLAIM]);
      else
        event = ts_etf_shape_of (&alike[TS_ETF_OF_EVENT]);
    }
  return begin;
}

const char *
ts_etf_alike_lines (TsEtf *etf, const char *begin, const char *end)
{
  guint32 n_claims = etf->claim_ids.n, n_events = etf->event_ids.n;

  /* lines are counted where they come one by one */
  if (etf->line >= G_MAXUINT32 - MIN (end - begin, G_MAXUINT32))
    return begin;
  begin = etf->decimals > 0 ? take_lines (etf, begin, end, TRUE) : take_lines (etf, begin, end, FALSE);
  /* none of them is negative */
  etf->largest_stamp = MAX (etf->largest_stamp, etf->last);
  etf->scan.alike[TS_ETF_OF_CLAIM].n_alike += etf->claim_ids.n - n_claims;
  etf->scan.alike[TS_ETF_OF_EVENT].n_alike += etf->event_ids.n - n_events;
  return begin;
}
