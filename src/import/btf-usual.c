/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf-widths.h"

/* Looking at lines that are like others in their widths. */

#define WORD TS_BTF_WORD_BYTES
#define HIGHEST ((guint64) 1 << 63)

static TS_ALWAYS_INLINE gboolean
has_marks (const TsBtfWidths *widths, TsBtfCommas marks, gboolean is_wide)
{
  return widths->marks.near == marks.near && (!is_wide || widths->marks.far == marks.far);
}

/* Those of @marks, if they have these. */
static TS_ALWAYS_INLINE const TsBtfWidths *
widths_at (const TsBtfWidthsTable *table, guint64 factor, TsBtfCommas marks, gboolean is_wide)
{
  return (const TsBtfWidths *) (gconstpointer) ((const char *) table
                                                + table->index[ts_btf_widths_hash (marks, factor, is_wide)]);
}

/* Those of @marks behind @widths, or others. */
static const TsBtfWidths *G_GNUC_NO_INLINE
widths_behind (const TsBtfWidthsTable *table, const TsBtfWidths *widths, TsBtfCommas marks)
{
  while (!has_marks (widths, marks, TRUE) && widths->next > 0)
    widths = &table->widths[widths->next];
  return widths;
}

static TS_ALWAYS_INLINE TsBtfEnd
take_end (const char *end, TsBtfEnd mask)
{
  TsBtfEnd bytes;

  memcpy (&bytes, end - TS_BTF_END, TS_BTF_END);
  return bytes & mask;
}

/* What lines have in common, each of which takes its time. */
typedef struct
{
  TsBtfLevel     level;
  gboolean       is_split, is_far; /* as in btf-quick.c */
  TsBtfNumbering numbering;
} Look;

/* The numbers of such a line, and its time. That anything is odd about them is only gathered, and asked for behind some
 * lines; unless numbers are odd elsewhere, as where sources have none: then that of numbers is told of each line. */

/* Which of the numbers of a line are odd, as flags of an effect tell which of them must not be. */
#define ODD_SHIFT 8

/* Some producers write -1 where there is no instance, and some in every line: what is left of it where digits are, and
 * the bytes that it has. */
#define MINUS_ONE ((guint64) ('-' ^ '0') << 48 | (guint64) ('1' ^ '0') << 56)
#define LAST_TWO ((guint64) 0xffff << 48)

#ifdef __SSE2__

/* What is the same for all lines is kept in registers: loads are what such lines mostly wait for. */
typedef struct
{
  __m128i time, time_mask; /* of the last 16 bytes of a time */
  __m128i odd_time;        /* to what is odd in them this adds up to 128 and more */
  __m128i zeros, tens, hundreds, ten_thousands;
  __m128i factor, high_factor, high; /* of times, and what their first digits are worth */
  __m128i large_factor; /* of the first digits of large instances */
} Turn;

/* The largest bytes there were. */
typedef struct
{
  __m128i time, numbers;
} Odd;

/* Likewise: to what is no digit, and to what is anything. */
#define ODD_DIGITS TS_EACH_BYTE (0x80 - 10)
#define ODD_BYTES TS_EACH_BYTE (0x80 - 1)

static __m128i
two_words (guint64 low, guint64 high)
{
  return _mm_set_epi64x ((gint64) high, (gint64) low);
}

/* A bit for each byte that is odd. */
static TS_ALWAYS_INLINE guint
odd_bytes (__m128i bytes, __m128i odd)
{
  /* the sums end at 255 */
  return (guint) _mm_movemask_epi8 (_mm_adds_epu8 (bytes, odd));
}

#define EIGHT_DIGITS ((gint64) TS_BTF_MAX_LOW + 1)
#define SIXTEEN_DIGITS (EIGHT_DIGITS * EIGHT_DIGITS)

/* Where times go up fast, the first eight digits change all the time. They are turned as well, unless a time with such,
 * behind what is worth @top, might be too late, or takes more than half a word; then they must be as they were. */
static gboolean
turns_high (const TsBtfScan *scan, gint64 top)
{
  return scan->factor <= G_MAXUINT32 / EIGHT_DIGITS && scan->limit - top >= SIXTEEN_DIGITS;
}

/* A function of its own, or a compiler that knows what these are does not keep them. */
static void G_GNUC_NO_INLINE
prepare_turn (const TsBtfScan *scan, Turn *turn)
{
  const guint64  zeros = TS_EACH_BYTE ('0');
  const gint64   top = scan->high - scan->high % SIXTEEN_DIGITS;
  const gboolean is_turned = turns_high (scan, top);
  guint64        mask;

  memcpy (&mask, scan->time_mask, WORD);
  turn->time = two_words (is_turned ? zeros : scan->high_text, zeros);
  turn->time_mask = two_words (scan->high_mask, mask);
  turn->odd_time = two_words (is_turned ? ODD_DIGITS : ODD_BYTES, ODD_DIGITS);
  turn->zeros = two_words (zeros, zeros);
  turn->tens = two_words (TS_BTF_TENS, TS_BTF_TENS);
  turn->hundreds = _mm_set1_epi32 (1 * 65536 + 100);
  turn->ten_thousands = _mm_set1_epi32 (1 * 65536 + 10000);
  turn->factor = two_words ((guint64) scan->factor, 0);
  turn->high_factor = two_words (is_turned ? (guint64) (EIGHT_DIGITS * scan->factor) : 0, 0);
  turn->high = two_words ((guint64) ((is_turned ? top : scan->high) * scan->factor), 0);
  turn->large_factor = two_words (EIGHT_DIGITS, EIGHT_DIGITS);
}

/* Fours of digits. */
static TS_ALWAYS_INLINE __m128i
turn_fours (const Turn *turn, __m128i digits)
{
  return _mm_madd_epi16 (_mm_srli_epi16 (_mm_mullo_epi16 (digits, turn->tens), 8), turn->hundreds);
}

/* The last sixteen bytes in front of @end, of which @n belong to a number. */
static TS_ALWAYS_INLINE __m128i
take_sixteen (const Turn *turn, const char *end, gsize n)
{
  const __m128i bytes = _mm_loadu_si128 ((gconstpointer) (end - 2 * WORD));

  return _mm_and_si128 (_mm_xor_si128 (bytes, turn->zeros),
                        _mm_loadu_si128 ((gconstpointer) ts_btf_mask (n, 2 * WORD)));
}

/* Which of both halves of @digits are -1, with nothing in front of it: all bits of these. */
static TS_ALWAYS_INLINE __m128i
find_minus_one (__m128i digits, __m128i masks)
{
  const __m128i same = _mm_and_si128 (_mm_cmpeq_epi32 (digits, two_words (MINUS_ONE, MINUS_ONE)),
                                      _mm_cmpeq_epi32 (masks, two_words (LAST_TWO, LAST_TWO)));

  return _mm_and_si128 (same, _mm_shuffle_epi32 (same, _MM_SHUFFLE (2, 3, 0, 1)));
}

/* In place of what -1 would be, @numbers are of none. */
static TS_ALWAYS_INLINE __m128i
put_none (__m128i numbers, __m128i is_minus_one)
{
  const __m128i which = _mm_shuffle_epi32 (is_minus_one, _MM_SHUFFLE (2, 0, 2, 0));

  return _mm_or_si128 (_mm_andnot_si128 (which, numbers), _mm_and_si128 (which, _mm_set1_epi32 (TS_NO_INSTANCE)));
}

/* Both instances, of which @numbers have what the last eight of their sixteen digits are, as far as an instance has bits for
 * them; *odd_numbers is told if the first one, which is the second number of a line, has more. */
static TS_ALWAYS_INLINE __m128i
add_large (const Turn *turn, __m128i numbers, __m128i first, guint32 *odd_numbers)
{
  const __m128i fours = turn_fours (turn, first);
  __m128i       two = _mm_madd_epi16 (_mm_packs_epi32 (fours, fours), turn->ten_thousands);

  two = _mm_mul_epu32 (_mm_unpacklo_epi32 (two, two), turn->large_factor);
  two = _mm_add_epi64 (two, _mm_unpackhi_epi32 (numbers, _mm_setzero_si128 ()));
  if (_mm_cvtsi128_si64 (two) > G_MAXINT32)
    *odd_numbers |= TS_BTF_SECOND_IS_LARGE;
  return _mm_and_si128 (_mm_shuffle_epi32 (two, _MM_SHUFFLE (2, 0, 2, 0)), _mm_set1_epi32 (G_MAXINT32));
}

static TS_ALWAYS_INLINE void
turn_numbers (const Turn *turn, const TsBtfWidths *widths, const char *p, Look look, gint64 *time,
              TsBtfNumbers *numbers, Odd *odd, guint32 *odd_numbers)
{
  const gboolean is_large = look.numbering == TS_BTF_LARGE_NUMBERS, may_lack = look.level >= TS_BTF_WIDE;
  const char    *instance = p + widths->number, *source = p + widths->source_number;
  const __m128i  masks = _mm_load_si128 ((gconstpointer) widths->masks);
  __m128i        one = _mm_loadu_si128 ((gconstpointer) (p - 2 * WORD)), two, first, all, stored, is_none;

  one = _mm_and_si128 (_mm_xor_si128 (one, turn->time), turn->time_mask);
  if (is_large)
    {
      two = take_sixteen (turn, instance, widths->number - widths->target - 1u);
      all = take_sixteen (turn, source, widths->source_number - widths->source - 1u);
      first = _mm_unpacklo_epi64 (two, all);
      two = _mm_unpackhi_epi64 (two, all);
      all = _mm_max_epu8 (first, two);
    }
  else
    all = two = _mm_and_si128 (_mm_xor_si128 (ts_btf_load_two (instance - WORD, source - WORD), turn->zeros), masks);
  odd->time = _mm_max_epu8 (odd->time, one);
  if (look.numbering != TS_BTF_PLAIN_NUMBERS)
    {
      is_none = find_minus_one (all, masks);
      *odd_numbers = odd_bytes (_mm_andnot_si128 (is_none, all), two_words (ODD_DIGITS, ODD_DIGITS)) << ODD_SHIFT;
    }
  else
    odd->numbers = _mm_max_epu8 (odd->numbers, all);
  one = _mm_madd_epi16 (_mm_packs_epi32 (turn_fours (turn, one), turn_fours (turn, two)), turn->ten_thousands);
  /* the first half of what comes of these is not looked at */
  stored = is_large ? add_large (turn, one, first, odd_numbers) : one;
  if (look.numbering != TS_BTF_PLAIN_NUMBERS)
    stored = put_none (stored, is_none);
  _mm_store_si128 ((gpointer) numbers,
                   may_lack ? _mm_or_si128 (stored, _mm_load_si128 ((gconstpointer) &widths->source)) : stored);
  one = _mm_add_epi64 (_mm_mul_epu32 (_mm_srli_epi64 (one, 32), turn->factor),
                       _mm_add_epi64 (_mm_mul_epu32 (one, turn->high_factor), turn->high));
  _mm_storel_epi64 ((gpointer) time, one);
}

static TS_ALWAYS_INLINE Odd
none_odd (void)
{
  return (Odd){ _mm_setzero_si128 (), _mm_setzero_si128 () };
}

/* Before the first line. Where no time is plain, as when the system has stopped, that is odd already. */
static TS_ALWAYS_INLINE Odd
first_odd (const TsBtfScan *scan)
{
  const gboolean is_odd = (scan->high_text & ~scan->high_mask) != 0;

  return (Odd){ _mm_set1_epi8 (is_odd ? -1 : 0), _mm_setzero_si128 () };
}

static TS_ALWAYS_INLINE gboolean
any_odd (const Turn *turn, Odd odd)
{
  return (odd_bytes (odd.time, turn->odd_time) | odd_bytes (odd.numbers, two_words (ODD_DIGITS, ODD_DIGITS))) != 0;
}

#else

typedef struct
{
  const TsBtfScan *scan;
} Turn;

typedef guint64 Odd;

static inline void
prepare_turn (const TsBtfScan *scan, Turn *turn)
{
  turn->scan = scan;
}

/* Of -1, with nothing in front of it, @one becomes none. */
static TS_ALWAYS_INLINE void
put_none (TsBtfOne *one, const char *end, const guint8 *mask)
{
  if (ts_eight_load (mask) != LAST_TWO || (ts_eight_digits (end - WORD) & LAST_TWO) != MINUS_ONE)
    return;
  one->number = (guint32) TS_NO_INSTANCE;
  one->odd = 0;
}

/* With what is in front of the @last eight of @n digits. */
static TS_ALWAYS_INLINE guint64
turn_large (const char *end, gsize n, guint32 last, guint *odd)
{
  const TsBtfOne first = ts_btf_one_number (end - WORD, ts_btf_mask (n, 2 * WORD));

  *odd |= first.odd;
  return first.number * ((guint64) TS_BTF_MAX_LOW + 1) + last;
}

static TS_ALWAYS_INLINE void
turn_numbers (const Turn *turn, const TsBtfWidths *widths, const char *p, Look look, gint64 *time,
              TsBtfNumbers *numbers, Odd *odd, guint32 *odd_numbers)
{
  const gboolean   may_lack = look.level >= TS_BTF_WIDE;
  const TsBtfScan *scan = turn->scan;
  const char      *instance = p + widths->number, *source = p + widths->source_number;
  const TsBtfOne   low = ts_btf_one_number (p, scan->time_mask);
  TsBtfOne         one = ts_btf_one_number (instance, widths->masks[0]);
  TsBtfOne         two = ts_btf_one_number (source, widths->masks[1]);
  guint64          large = 0;

  if (look.numbering == TS_BTF_LARGE_NUMBERS)
    {
      large = turn_large (instance, widths->number - widths->target - 1u, one.number, &one.odd);
      one.number = large & G_MAXINT32;
      two.number = turn_large (source, widths->source_number - widths->source - 1u, two.number, &two.odd) & G_MAXINT32;
    }
  if (look.numbering != TS_BTF_PLAIN_NUMBERS)
    {
      put_none (&one, instance, widths->masks[0]);
      put_none (&two, source, widths->masks[1]);
    }
  *odd |= low.odd | ((ts_eight_load (p - 2 * WORD) & scan->high_mask) ^ scan->high_text);
  if (look.numbering != TS_BTF_PLAIN_NUMBERS)
    *odd_numbers = (one.odd | two.odd << TS_BTF_WORD_BYTES) << ODD_SHIFT
                   | (large > G_MAXINT32 ? TS_BTF_SECOND_IS_LARGE : 0);
  else
    *odd |= one.odd | two.odd;
  *time = (scan->high + low.number) * scan->factor;
  numbers->instance = one.number | (may_lack ? widths->none[0] : 0);
  numbers->source_instance = two.number | (may_lack ? widths->none[1] : 0);
}

static inline Odd
none_odd (void)
{
  return 0;
}

/* That no time is plain shows with each. */
static inline Odd
first_odd (G_GNUC_UNUSED const TsBtfScan *scan)
{
  return 0;
}

static inline gboolean
any_odd (G_GNUC_UNUSED const Turn *turn, Odd odd)
{
  return odd != 0;
}

#endif

/* The texts of a line whose time ends at @p, and its event at @event. */
static TS_ALWAYS_INLINE void
take_ends (const TsBtfWidths *widths, const char *p, const char *event, TsBtfLevel level, TsBtfEnds *ends)
{
  const char *source_end = p + widths->source + 1, *target_end = p + widths->target + 1;

  ends->source = take_end (source_end, widths->ends.source);
  ends->target = take_end (target_end, widths->ends.target);
  ends->event = take_end (event + 1, widths->ends.event);
  if (level >= TS_BTF_LONG_TARGET)
    ends->before_target = take_end (target_end - TS_BTF_END, widths->ends.before_target);
  if (level >= TS_BTF_WIDE)
    ends->before_source = take_end (source_end - TS_BTF_END, widths->ends.before_source);
}

/* What is longer than these. */
static TS_ALWAYS_INLINE void
take_fronts (const TsBtfWidths *widths, const char *p, TsBtfLevel level, TsBtfFronts *fronts)
{
  const char *source_end = p + widths->source + 1, *target_end = p + widths->target + 1;
  const gsize n_source = widths->source + 1u, n_target = widths->n_target;

  if (level >= TS_BTF_LONGER)
    fronts->target[0] = ts_btf_piece (target_end, n_target, 2);
  if (level < TS_BTF_LONGEST)
    return;
  fronts->target[1] = ts_btf_piece (target_end, n_target, 3);
  fronts->source[0] = ts_btf_piece (source_end, n_source, 2);
  fronts->source[1] = ts_btf_piece (source_end, n_source, 3);
}

/* The marks up to the first end of a line. */
static TS_ALWAYS_INLINE guint64
up_to (guint64 commas, guint64 newlines)
{
  return (commas | newlines) & (newlines ^ (newlines - 1));
}

/* Those of the line whose time ends at @p, and its length behind that; @commas are where those of address 0 would be.
 * FALSE: its end is not in sight. */
static TS_ALWAYS_INLINE gboolean
see_marks (const char *commas, const char *p, gboolean is_wide, TsBtfCommas *marks, gsize *length)
{
  const gsize   at = (gsize) p;
  const char   *newlines = commas + sizeof (TsBtfMapMarks) + at / 8;
  const guint64 near_end = is_wide ? (guint64) 1 << TS_BTF_NEAR : 0, near_bits = near_end - 1;
  const guint64 near = ts_eight_load (newlines) >> at % 8 & near_bits;
  guint64       far, is_far;

  marks->near = up_to (ts_eight_load (commas + at / 8) >> at % 8 & near_bits, near);
  if (!is_wide)
    {
      marks->far = 0;
      if (G_UNLIKELY (near == 0))
        return FALSE;
      *length = ts_marks_first (near);
      return TRUE;
    }
  /* no processor foresees which of both words has it: all bits if it is not the first one, whose highest ones are 0 */
  is_far = -((near - 1) >> 63);
  far = ts_eight_load (newlines + TS_BTF_NEAR / 8) >> at % 8;
  marks->far = up_to (ts_eight_load (commas + at / 8 + TS_BTF_NEAR / 8) >> at % 8, far) & is_far;
  *length = ts_marks_first (near | near_end) + (ts_marks_first (far | HIGHEST) & is_far);
  return (near | far) != 0;
}

/* Where the first line is whose time does not begin as it should. Next to no trace has one, and few have so long times:
 * so those that are looked at do not ask. */
static TsBtfUsual *G_GNUC_NO_INLINE
find_other_top (const TsBtfScan *scan, TsBtfUsual *lines, const TsBtfUsual *end)
{
  while (lines < end && ts_btf_has_top (scan, lines->time))
    lines++;
  return lines;
}

/* The widths of the line whose time ends at @p, and its length behind that. NULL: they are not known, or its end is not in
 * sight, which @usuals are told. */
static TS_ALWAYS_INLINE const TsBtfWidths *
find_widths (const TsBtfWidthsTable *table, guint64 factor, const char *commas, const char *p, gboolean is_wide,
             TsBtfUsuals *usuals, gsize *length)
{
  TsBtfCommas        marks;
  const gboolean     is_whole = see_marks (commas, p, is_wide, &marks, length);
  const TsBtfWidths *widths = widths_at (table, factor, marks, is_wide);

  if (G_UNLIKELY (!is_whole))
    {
      usuals->is_beyond = TRUE;
      return NULL;
    }
  if (G_UNLIKELY (!has_marks (widths, marks, is_wide)))
    {
      widths = widths_behind (table, widths, marks);
      if (!has_marks (widths, marks, TRUE))
        {
          usuals->marks = marks;
          return NULL;
        }
    }
  return widths;
}

/* How many lines that are empty begin at @p, as far as one word tells. */
static TS_ALWAYS_INLINE gsize
count_empty (const char *commas, const char *p)
{
  const gsize at = (gsize) p;

  return ts_marks_first (~(ts_eight_load (commas + sizeof (TsBtfMapMarks) + at / 8) >> at % 8) | HIGHEST);
}

static TS_ALWAYS_INLINE void
see_usual (const TsBtfScan *scan, const TsBtfMap *map, TsBtfUsuals *usuals, Look look)
{
  const TsBtfWidthsTable *table = scan->widths;
  const guint64           factor = table->factor;
  const TsBtfIndex        sources = look.is_split ? scan->lexicon->sources : scan->patterns;
  const TsBtfIndex        events = look.is_split ? scan->lexicon->events : scan->patterns;
  const TsBtfIndex        targets = look.is_split ? scan->lexicon->targets : scan->patterns;
  const gsize             skip = scan->n_time + 1;
  const gboolean          has_notes = look.level >= TS_BTF_NOTED, is_wide = look.level >= TS_BTF_WIDE;
  const gboolean          counts_empty = look.numbering != TS_BTF_PLAIN_NUMBERS, any_empty = scan->n_empty > 0;
  const char             *commas = (const char *) ((gsize) map->commas - (gsize) map->bytes / 8), *p = usuals->p;
  const TsBtfWidths      *widths;
  gsize                   length = 0;
  Turn                    prepared, turn;
  Odd                     odd = first_odd (scan);
  TsBtfUsual             *seen = usuals->seen, *end = usuals->end;
  TsBtfFronts            *fronts = usuals->fronts;
  TsEvent                *event = usuals->event;

  prepare_turn (scan, &prepared);
  turn = prepared;
  usuals->marks = (TsBtfCommas){ 0, 0 };
  usuals->is_beyond = FALSE;
  widths = find_widths (table, factor, commas, p, is_wide, usuals, &length);
  if (G_UNLIKELY (widths == NULL))
    end = seen;
  seen->n_empty = 0;
  for (; seen < end; seen++, event++, fronts++)
    {
      /* a line ahead, so that what this one needs of its widths is there */
      const gsize        n_empty = counts_empty && any_empty ? count_empty (commas, p + length + 1) : 0;
      const char        *next = p + skip + length + n_empty;
      gsize              next_length = 0;
      const TsBtfWidths *next_widths = find_widths (table, factor, commas, next, is_wide, usuals, &next_length);
      guint64            hash;

      if (counts_empty)
        seen[1].n_empty = (guint16) n_empty;
      if (G_UNLIKELY (next_widths == NULL))
        end = seen + 1;
      seen->time = p;
      turn_numbers (&turn, widths, p, look, &event->time, &seen->numbers, &odd, &seen->odd);
      /* where that is not rare, the lines behind it need not be looked at once more */
      if (look.numbering != TS_BTF_PLAIN_NUMBERS && G_UNLIKELY (any_odd (&turn, odd)))
        {
          odd = none_odd ();
          /* the line ahead is not looked at */
          usuals->marks = (TsBtfCommas){ 0, 0 };
          usuals->is_beyond = FALSE;
          break;
        }
      take_ends (widths, p, p + (has_notes ? widths->event : length), look.level, &seen->ends);
      if (has_notes)
        seen->event = widths->event;
      take_fronts (widths, p, look.level, fronts);
      hash = look.is_split ? ts_btf_hash_target (&seen->ends, fronts, look.level)
                           : ts_btf_hash_ends (&seen->ends, look.level);
      if (look.is_far)
        {
          seen->hash = (guint32) (hash >> 32);
          ts_btf_index_fetch_place (&targets, hash);
        }
      else
        seen->spots.target = ts_btf_index_place_if_small (&targets, hash);
      if (look.is_split)
        {
          seen->spots.source
              = ts_btf_index_place (&sources, ts_btf_hash_source (&seen->ends, fronts, look.level));
          seen->spots.event = ts_btf_index_place (&events, ts_btf_hash_event (&seen->ends));
        }
      p = next;
      widths = next_widths;
      length = next_length;
    }
  if (G_UNLIKELY (scan->top_mask != 0) && (end = find_other_top (scan, usuals->lines, seen)) < seen)
    {
      seen = end;
      p = end->time;
      usuals->marks = (TsBtfCommas){ 0, 0 };
      usuals->is_beyond = FALSE;
    }
  usuals->p = p;
  usuals->seen = seen;
  usuals->is_odd = any_odd (&turn, odd);
}

/* In functions of their own, so that all this needs is in registers. */
#define SEE_USUAL(NAME, level, is_split, is_far, numbering) \
  void ts_btf_see_usual_##NAME (const TsBtfScan *scan, const TsBtfMap *map, TsBtfUsuals *usuals) \
  { \
    see_usual (scan, map, usuals, (Look){ level, is_split, is_far, numbering }); \
  }
TS_BTF_USUAL_KINDS (SEE_USUAL)
