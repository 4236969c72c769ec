/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf-widths.h"

#define WORD TS_BTF_WORD_BYTES
/* One in so many lines may have other widths than those before, or else each line is looked at by itself. */
#define FEW_ADDED 256
#define SOME_ADDED 1024
#define MAX_FACTORS 256

static TS_ALWAYS_INLINE gsize
hash_of (guint64 marks, guint64 factor)
{
  return marks * factor >> (64 - TS_BTF_WIDTHS_BITS);
}

/* Those of @marks, if they have these. */
static TS_ALWAYS_INLINE const TsBtfWidths *
widths_at (const TsBtfWidthsTable *table, guint64 factor, guint64 marks)
{
  return (const TsBtfWidths *) (gconstpointer) ((const char *) table
                                                + table->index[hash_of (marks, factor)]);
}

static void
clear (TsBtfWidthsTable *table)
{
  memset (table->index, 0, sizeof table->index);
  table->n = 1;
}

static TsBtfWidthsTable *
make_table (TsBtfScan *scan)
{
  gsize place = (gsize) (scan->widths_memory = g_malloc0 (sizeof (TsBtfWidthsTable) + TS_BTF_CACHE_LINE));

  scan->widths = (gpointer) ((place + TS_BTF_CACHE_LINE - 1) / TS_BTF_CACHE_LINE * TS_BTF_CACHE_LINE);
  scan->widths->factor = G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  clear (scan->widths);
  return scan->widths;
}

gboolean
ts_btf_widths_prepare (TsBtf *btf)
{
  TsBtfScan        *scan = btf->scan;
  TsBtfWidthsTable *table = scan->widths != NULL ? scan->widths : make_table (scan);

  /* times that are never as they were, or whose factor has no place in half a word */
  if ((scan->high_text & ~scan->high_mask) != 0 || scan->factor > G_MAXUINT32)
    return FALSE;
  if (table->blank != scan->blank)
    clear (table);
  table->blank = scan->blank;
  return table->n_added <= btf->n_events / FEW_ADDED + SOME_ADDED;
}

static TsBtfEnd
mask_of (gsize length, gsize i)
{
  TsBtfEnd mask;

  memcpy (&mask, ts_btf_mask (length, (1 + i) * TS_BTF_END), TS_BTF_END);
  return mask;
}

/* FALSE: lines with @marks are odd. */
static gboolean
measure (TsBtfWidths *widths, guint64 marks, gsize blank)
{
  gsize at[TS_BTF_FIELDS], n, n_source, n_target;

  if ((marks & 1) == 0)
    return FALSE;
  *widths = (TsBtfWidths){ .marks = marks };
  for (guint i = 0; i < TS_BTF_FIELDS; i++, marks = ts_marks_but_first (marks))
    {
      if (marks == 0)
        return FALSE;
      at[i] = ts_marks_first (marks);
    }
  if (marks != 0)
    return FALSE;
  widths->source = (guint8) (at[1] + blank);
  widths->source_number = (guint8) at[2];
  widths->target = (guint8) (at[4] + blank);
  widths->number = (guint8) at[5];
  n_source = at[2] - widths->source - 1;
  n = at[5] - widths->target - 1;
  /* of a long word only the last bytes would be compared */
  if (n - 1 >= WORD || n_source - 1 >= WORD || at[6] - at[5] >= TS_BTF_END)
    return FALSE;
  memcpy (widths->masks[0], ts_btf_mask (n, WORD), WORD);
  memcpy (widths->masks[1], ts_btf_mask (n_source, WORD), WORD);
  n_source = widths->source + 1u;
  n_target = widths->target + 1u - widths->source_number;
  widths->ends = (TsBtfEnds){ .source = mask_of (n_source, 0),
                              .target = mask_of (n_target, 0),
                              .event = mask_of (at[6] + 1 - at[5], 0),
                              .before_source = mask_of (n_source, 1),
                              .before_target = mask_of (n_target, 1) };
  return TRUE;
}

/* FALSE: another one is in its way. */
static gboolean
put (TsBtfWidthsTable *table, guint i)
{
  guint16 *place = &table->index[hash_of (table->widths[i].marks, table->factor)];

  if (*place != 0)
    return FALSE;
  *place = (guint16) (i * sizeof (TsBtfWidths));
  return TRUE;
}

/* FALSE: two are in each other's way. */
static gboolean
put_all (TsBtfWidthsTable *table)
{
  memset (table->index, 0, sizeof table->index);
  for (guint i = 1; i < table->n; i++)
    if (!put (table, i))
      return FALSE;
  return TRUE;
}

gboolean
ts_btf_widths_add (TsBtfScan *scan, guint64 marks)
{
  TsBtfWidthsTable *table = scan->widths;
  gboolean          fits;

  if (table->n == TS_BTF_MAX_WIDTHS)
    clear (table);
  if (!measure (&table->widths[table->n], marks, table->blank))
    return FALSE;
  table->n_added++;
  fits = put (table, table->n++);
  for (guint i = 0; i < MAX_FACTORS && !fits; i++)
    {
      /* another odd one */
      table->factor = table->factor * G_GUINT64_CONSTANT (6364136223846793005) + 2;
      fits = put_all (table);
    }
  if (!fits)
    clear (table);
  return fits;
}

/* Looking at lines */

static TS_ALWAYS_INLINE TsBtfEnd
take_end (const char *end, TsBtfEnd mask)
{
  TsBtfEnd bytes;

  memcpy (&bytes, end - TS_BTF_END, TS_BTF_END);
  return bytes & mask;
}

/* The texts of a line whose time ends at @p, and which itself does at @end. */
static TS_ALWAYS_INLINE void
take_ends (const TsBtfWidths *widths, const char *p, const char *end, gboolean is_long, TsBtfEnds *ends)
{
  const char *source_end = p + widths->source + 1, *target_end = p + widths->target + 1;

  ends->source = take_end (source_end, widths->ends.source);
  ends->target = take_end (target_end, widths->ends.target);
  ends->event = take_end (end + 1, widths->ends.event);
  if (is_long)
    {
      ends->before_source = take_end (source_end - TS_BTF_END, widths->ends.before_source);
      ends->before_target = take_end (target_end - TS_BTF_END, widths->ends.before_target);
    }
}

/* The numbers of such a line, and its time. That anything is odd about them is only gathered, and asked for behind some
 * lines; unless @apart, as where sources have no numbers: then that of numbers is told of each line. */

/* Which of the numbers of a line are odd, as flags of an effect tell which of them must not be. */
#define ODD_SHIFT 8

#ifdef __SSE2__

/* What is the same for all lines is kept in registers: loads are what such lines mostly wait for. */
typedef struct
{
  __m128i time, time_mask, time_odd; /* of the last 16 bytes of a time; the first eight must be as they were */
  __m128i zeros, odd, tens, hundreds, ten_thousands;
  __m128i factor, high; /* of times, and what their first digits are worth */
} Turn;

typedef __m128i Odd;

/* To what is odd this adds up to 128 and more: to what is no digit, to what is anything, to all. */
#define ODD_DIGITS TS_EACH_BYTE (0x80 - 10)
#define ODD_BYTES TS_EACH_BYTE (0x80 - 1)
#define ODD_ALL TS_EACH_BYTE (0x80)

static __m128i
two_words (guint64 low, guint64 high)
{
  return _mm_set_epi64x ((gint64) high, (gint64) low);
}

/* A function of its own, or a compiler that knows what these are does not keep them. */
static void G_GNUC_NO_INLINE
prepare_turn (const TsBtfScan *scan, Turn *turn)
{
  const guint64 zeros = TS_EACH_BYTE ('0');
  guint64       mask;

  memcpy (&mask, scan->time_mask, WORD);
  turn->time = two_words (scan->high_text, zeros);
  turn->time_mask = two_words (scan->high_mask, mask);
  turn->time_odd = two_words ((scan->high_text & ~scan->high_mask) == 0 ? ODD_BYTES : ODD_ALL, ODD_DIGITS);
  turn->zeros = two_words (zeros, zeros);
  turn->odd = two_words (ODD_DIGITS, ODD_DIGITS);
  turn->tens = two_words (TS_BTF_TENS, TS_BTF_TENS);
  turn->hundreds = _mm_set1_epi32 (1 * 65536 + 100);
  turn->ten_thousands = _mm_set1_epi32 (1 * 65536 + 10000);
  turn->factor = two_words ((guint64) scan->factor, 0);
  turn->high = two_words ((guint64) (scan->high * scan->factor), 0);
}

static TS_ALWAYS_INLINE void
turn_numbers (const Turn *turn, const TsBtfWidths *widths, const char *p, gint64 *time, TsBtfNumbers *numbers,
              Odd *odd, gboolean apart, guint32 *odd_numbers)
{
  const char *instance = p + widths->number - WORD, *source = p + widths->source_number - WORD;
  __m128i     one = _mm_loadu_si128 ((gconstpointer) (p - 2 * WORD)), two = ts_btf_load_two (instance, source), sums;

  one = _mm_and_si128 (_mm_xor_si128 (one, turn->time), turn->time_mask);
  two = _mm_and_si128 (_mm_xor_si128 (two, turn->zeros), _mm_load_si128 ((gconstpointer) widths->masks));
  /* the sums end at 255 */
  *odd = _mm_or_si128 (*odd, _mm_adds_epu8 (one, turn->time_odd));
  sums = _mm_adds_epu8 (two, turn->odd);
  if (apart)
    *odd_numbers = (guint32) _mm_movemask_epi8 (sums) << ODD_SHIFT;
  else
    *odd = _mm_or_si128 (*odd, sums);
  one = _mm_madd_epi16 (_mm_srli_epi16 (_mm_mullo_epi16 (one, turn->tens), 8), turn->hundreds);
  two = _mm_madd_epi16 (_mm_srli_epi16 (_mm_mullo_epi16 (two, turn->tens), 8), turn->hundreds);
  one = _mm_madd_epi16 (_mm_packs_epi32 (one, two), turn->ten_thousands);
  _mm_store_si128 ((gpointer) numbers, one);
  one = _mm_add_epi64 (_mm_mul_epu32 (_mm_srli_epi64 (one, 32), turn->factor), turn->high);
  _mm_storel_epi64 ((gpointer) time, one);
}

static TS_ALWAYS_INLINE Odd
none_odd (void)
{
  return _mm_setzero_si128 ();
}

static TS_ALWAYS_INLINE gboolean
any_odd (Odd odd)
{
  return _mm_movemask_epi8 (odd) != 0;
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

static TS_ALWAYS_INLINE void
turn_numbers (const Turn *turn, const TsBtfWidths *widths, const char *p, gint64 *time, TsBtfNumbers *numbers,
              Odd *odd, gboolean apart, guint32 *odd_numbers)
{
  const TsBtfScan *scan = turn->scan;
  const TsBtfOne   low = ts_btf_one_number (p, scan->time_mask);
  const TsBtfTwo   two = ts_btf_two_numbers (p + widths->number, widths->masks[0], p + widths->source_number,
                                             widths->masks[1]);

  *odd |= low.odd | ((ts_eight_load (p - 2 * WORD) & scan->high_mask) ^ scan->high_text);
  if (apart)
    *odd_numbers = two.odd << ODD_SHIFT;
  else
    *odd |= two.odd;
  *time = (scan->high + low.number) * scan->factor;
  numbers->instance = two.first;
  numbers->source_instance = two.second;
}

static inline Odd
none_odd (void)
{
  return 0;
}

static inline gboolean
any_odd (Odd odd)
{
  return odd != 0;
}

#endif

/* What lines have in common, each of which takes its time. */
typedef struct
{
  gboolean is_long, is_far, has_odd; /* as in btf-quick.c */
} Look;

/* In functions of their own, so that all this needs is in registers. */
static TS_ALWAYS_INLINE void
see_usual (const TsBtfScan *scan, const TsBtfMap *map, const char *stop, TsBtfUsuals *usuals, Look look)
{
  const TsBtfWidthsTable *table = scan->widths;
  const guint64           factor = table->factor;
  const gsize             skip = scan->n_time + 1;
  const char             *commas = (const char *) ((gsize) map->commas - (gsize) map->bytes / 8), *p = usuals->p;
  Turn                    prepared, turn;
  Odd                     odd = none_odd ();
  TsBtfUsual             *seen = usuals->seen, *end = usuals->end;
  TsEvent                *event = usuals->event;

  prepare_turn (scan, &prepared);
  turn = prepared;
  usuals->marks = 0;
  for (; seen < end && p <= stop; seen++, event++)
    {
      const gsize        at = (gsize) p % 8;
      const guint64      newline = ts_eight_load (commas + sizeof (TsBtfMapMarks) + (gsize) p / 8) >> at;
      const guint64      marks = (ts_eight_load (commas + (gsize) p / 8) >> at | newline) & (newline ^ (newline - 1));
      const TsBtfWidths *widths = widths_at (table, factor, marks);
      gsize              length;
      guint64            hash;

      if (G_UNLIKELY (newline == 0))
        break;
      length = ts_marks_first (newline);
      if (G_UNLIKELY (widths->marks != marks))
        {
          usuals->marks = marks;
          break;
        }
      seen->time = p;
      turn_numbers (&turn, widths, p, &event->time, &seen->numbers, &odd, look.has_odd, &seen->odd);
      /* where that is not rare, the lines behind it need not be looked at once more */
      if (look.has_odd && G_UNLIKELY (any_odd (odd)))
        {
          odd = none_odd ();
          break;
        }
      take_ends (widths, p, p + length, look.is_long, &seen->ends);
      hash = ts_btf_hash_ends (&seen->ends, look.is_long, NULL);
      if (look.is_far)
        {
          seen->hash = hash;
          ts_btf_fetch_place (scan, hash);
        }
      else
        seen->place = ts_btf_place_of_hash (scan, hash, FALSE);
      p = p + skip + length;
    }
  usuals->p = p;
  usuals->seen = seen;
  usuals->is_odd = any_odd (odd);
}

void
ts_btf_see_usual_short (const TsBtfScan *scan, const TsBtfMap *map, const char *stop, TsBtfUsuals *usuals)
{
  see_usual (scan, map, stop, usuals, (Look){ .is_far = FALSE });
}

void
ts_btf_see_usual_far (const TsBtfScan *scan, const TsBtfMap *map, const char *stop, TsBtfUsuals *usuals)
{
  see_usual (scan, map, stop, usuals, (Look){ .is_far = TRUE });
}

void
ts_btf_see_usual_long (const TsBtfScan *scan, const TsBtfMap *map, const char *stop, TsBtfUsuals *usuals)
{
  see_usual (scan, map, stop, usuals, (Look){ .is_far = TRUE, .is_long = TRUE });
}

void
ts_btf_see_usual_odd (const TsBtfScan *scan, const TsBtfMap *map, const char *stop, TsBtfUsuals *usuals)
{
  see_usual (scan, map, stop, usuals, (Look){ .is_far = TRUE, .is_long = TRUE, .has_odd = TRUE });
}
