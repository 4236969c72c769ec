/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/atf-pattern.h"
#include "import/atf-values.h"

#define MAX_TIME 19 /* digits */

/* Which of sixteen bytes are the last @n, but not the last @except. */
static TsAtfBytes
last_bytes (guint n, guint except)
{
  guint8 bytes[TS_ATF_BYTES] = { 0 };

  memset (bytes + TS_ATF_BYTES - n, 0xff, n - except);
  return ts_atf_bytes_load (bytes);
}

static void
set_text (TsAtfPatternText *text, const guint8 *bytes, gsize length)
{
  guint8 mask[TS_ATF_BYTES] = { 0 };

  memset (mask, 0xff, MIN (length, TS_ATF_BYTES));
  text->mask = ts_atf_bytes_load (mask);
  text->length = length;
  text->second_at = length - MIN (length, TS_ATF_BYTES);
  text->first = ts_atf_bytes_load (bytes);
  text->second = ts_atf_bytes_load (bytes + text->second_at);
}

/* The text behind the time. */
static guint
behind_time (const TsAtfTemplate *template)
{
  guint i = 0;

  while (template->roles[i] != TS_ATF_SCAN_TIME)
    i++;
  return i + 1;
}

static gboolean
has_spaces_by_time (const TsAtfTemplate *template)
{
  const TsAtfLiteral *behind = &template->between[behind_time (template)], *before = behind - 1;

  return before->bytes[before->length - 1] == ' ' || behind->bytes[0] == ' ';
}

/* The text in front of the time, but for the first @n_blanks, and @n_front zeros of that. */
static void
set_first_text (TsAtfPattern *pattern, const TsAtfLiteral *first, guint n_blanks, guint n_front)
{
  const gsize length = first->length - n_blanks;
  guint8      bytes[3 * TS_ATF_BYTES];

  if (n_front == 0)
    {
      set_text (&pattern->texts[0], first->bytes + n_blanks, length);
      return;
    }
  memcpy (bytes, first->bytes + n_blanks, length);
  memset (bytes + length, '0', n_front);
  set_text (&pattern->texts[0], bytes, length + n_front);
}

static void
set_texts (TsAtfPattern *pattern, const TsAtfTemplate *template, gboolean may_be_bare, guint n_front)
{
  const TsAtfLiteral *between = template->between;
  guint               n_blanks = may_be_bare ? template->n_blanks : 0, longest = 0;
  const guint8       *bracket;

  for (guint i = 1; i < TS_ATF_LITERALS; i++)
    {
      set_text (&pattern->texts[i], between[i].bytes, between[i].length);
      longest = MAX (longest, between[i].length);
    }
  pattern->has_usual_texts = template->roles[0] == TS_ATF_SCAN_TIME && template->roles[1] == TS_ATF_SCAN_EVENT
                             && between[0].length - n_blanks + n_front <= 2 * TS_ATF_BYTES && longest <= TS_ATF_BYTES;
  pattern->is_bare = may_be_bare && pattern->has_usual_texts;
  if (!pattern->is_bare)
    n_blanks = 0;
  set_first_text (pattern, &between[0], n_blanks, n_front);
  pattern->mark = between[1].bytes[0];
  pattern->closing = between[TS_ATF_LITERALS - 1].bytes[1];
  pattern->closing_at = 1;
  bracket = memchr (between[TS_ATF_LITERALS - 1].bytes, '>', between[TS_ATF_LITERALS - 1].length);
  pattern->bracket_at = (guint8) (bracket - between[TS_ATF_LITERALS - 1].bytes);
  pattern->texts_length = pattern->texts[0].length + between[1].length + between[2].length;
  pattern->has_spaces = n_front > 0 || has_spaces_by_time (template);
  pattern->n_front = n_front;
  pattern->is_set = TRUE;
}

/* How many bytes at the end of a time, which has @n_decimals, are zeros that units are not fine enough for, and would be
 * part of the text behind it: if that would be too long, it has none. */
static guint
count_zeros (const TsAtfTemplate *template, const TsAtfNumber *time, guint n_decimals, gint64 scale)
{
  const guint i = behind_time (template);
  guint       n = 0;

  if (n_decimals >= TS_ATF_BYTES)
    return 0;
  while (n < n_decimals && (guint64) scale % ts_atf_power_of_ten (n_decimals - n) != 0 && time->end[-1 - (gssize) n] == '0')
    n++;
  n += n > 0 && n == n_decimals;
  return n + template->between[i].length <= 2 * TS_ATF_BYTES ? n : 0;
}

static void
set_zeros (TsAtfPattern *pattern, const TsAtfTemplate *template, const guint8 *end, guint n)
{
  const guint         i = behind_time (template);
  const TsAtfLiteral *literal = &template->between[i];
  guint8              bytes[TS_ATF_SCAN_TEXT + TS_ATF_BYTES];

  if (n != pattern->n_zeros)
    {
      memcpy (bytes, end - n, n);
      memcpy (bytes + n, literal->bytes, sizeof literal->bytes);
      set_text (&pattern->texts[i], bytes, n + literal->length);
      if (i < TS_ATF_LITERALS - 1)
        pattern->texts_length += n - pattern->n_zeros;
      else
        pattern->closing_at = (guint8) (1 + n);
    }
  pattern->n_zeros = n;
  pattern->is_usual = pattern->has_usual_texts && n + literal->length <= TS_ATF_BYTES;
}

static void
set_time_masks (TsAtfPattern *pattern, guint n_digits, guint n_decimals)
{
  guint n_low = MIN (n_digits, TS_ATF_BYTES);

  pattern->time_mask = last_bytes (n_decimals > 0 ? n_decimals : n_low, 0);
  pattern->whole_mask = last_bytes (n_decimals > 0 ? n_low : 0, n_decimals > 0 ? n_decimals : 0);
  pattern->high_mask = last_bytes (n_digits - n_low, 0);
  pattern->high_at = n_digits > n_low ? 2 * TS_ATF_BYTES + (n_decimals > 0) : 0;
}

/* The largest time, without its point, that needs nothing to be said about; -1: none. */
static gint64
last_time (const TsAtf *atf, const TsAtfPattern *pattern, guint64 unit)
{
  if (!atf->import->surveying)
    return atf->to >= 0 ? MIN (atf->to, TS_TIME_LIMIT) / pattern->factor : -1;
  /* nobody gets the event, nor what is said of it: it is only not to be an error */
  return (gint64) MIN ((TsUint128) MAX (atf->whole_limit - 1, 0) * unit, (TsUint128) TS_TIME_LIMIT);
}

/* Times with so many digits, with zeros in front if they are @padded. FALSE: each of those has to be looked at. */
static gboolean
set_time (TsAtfPattern *pattern, const TsAtf *atf, guint n_digits, guint n_decimals, gboolean padded)
{
  guint64 unit = ts_atf_power_of_ten (n_decimals);
  gint64  most;

  if (n_digits > MAX_TIME || n_decimals >= TS_ATF_BYTES || (guint64) pattern->scale % unit != 0)
    return FALSE;
  set_time_masks (pattern, n_digits, n_decimals);
  pattern->factor = atf->import->surveying ? 1 : (gint64) ((guint64) pattern->scale / unit);
  /* a zero in front deserves a word, and so does what is not within the section */
  pattern->least = n_digits - n_decimals > 1 ? ts_atf_power_of_ten (n_digits - 1) : 0;
  if (!atf->import->surveying && atf->from > 0)
    pattern->least = MAX (pattern->least, (guint64) ((atf->from - 1) / pattern->factor + 1));
  most = last_time (atf, pattern, unit);
  pattern->range = (guint64) most - pattern->least;
  if (most >= 0 && pattern->least <= (guint64) most)
    return TRUE;
  /* none is like that; but where there are zeros in front, others see past them */
  pattern->least = G_MAXUINT64;
  pattern->range = 0;
  return most >= 0 && padded;
}

/* There is one quick way for all of these, and it is for those that are usual otherwise. */
static gboolean
may_be_bare (const TsAtf *atf, gsize time_length)
{
  return atf->scan.n_unequal_blanks >= TS_ATF_MIN_UNEQUAL && time_length <= TS_ATF_LONGEST_TIME
         && !atf->scan.memos[0].has_long && !atf->scan.memos[1].has_long;
}

/* How many bytes in front of @time, which is padded, are more than what is looked at at once: 0, if not all of those are zeros
 * with a digit behind them, or if they would make the text too long that they are part of. */
static guint
count_front (const TsAtfTemplate *template, const TsAtfNumber *time, const guint8 *point)
{
  const gsize length = (gsize) (time->end - time->begin), most = TS_ATF_BYTES + (point != NULL);
  guint       n = 0;

  if (length <= most || template->roles[0] != TS_ATF_SCAN_TIME
      || template->between[0].length + (length - most) > 2 * TS_ATF_BYTES)
    return 0;
  while (n < length - most && time->begin[n] == '0')
    n++;
  return n == length - most && g_ascii_isdigit (time->begin[n]) ? n : 0;
}

gboolean
ts_atf_pattern_renew (TsAtfPattern *pattern, TsAtf *atf, const TsAtfNumber *time)
{
  const TsAtfTemplate *template = &atf->scan.template;
  gsize                length = (gsize) (time->end - time->begin);
  const guint8        *point = memchr (time->begin, '.', length);
  guint                n_decimals = point != NULL ? (guint) (time->end - point) - 1 : 0, n_zeros, n_front;
  gint64               scale = atf->import->surveying ? atf->import->memory->scale : atf->scale;
  gboolean             padded = *time->begin == '0' && g_ascii_isdigit (time->begin[1]);

  pattern->has_zeros = padded;
  if (padded)
    atf->scan.n_unequal_times = MAX (atf->scan.n_unequal_times, TS_ATF_MIN_UNEQUAL);
  else if (pattern->is_set && (length < pattern->written || n_decimals != pattern->written_decimals))
    atf->scan.n_unequal_times++;
  n_front = padded ? count_front (template, time, point) : 0;
  if (n_front != pattern->n_front)
    pattern->is_set = FALSE;
  n_zeros = pattern->is_bare || n_front > 0 ? 0 : count_zeros (template, time, n_decimals, scale);
  if (pattern->is_set && pattern->written == length && pattern->written_decimals == n_decimals && pattern->scale == scale
      && pattern->n_zeros == n_zeros)
    return FALSE;
  if (!pattern->is_set)
    {
      set_texts (pattern, template, may_be_bare (atf, length - n_front), n_front);
      pattern->n_zeros = 0;
      n_zeros = pattern->is_bare ? 0 : n_zeros;
    }
  set_zeros (pattern, template, time->end, n_zeros);
  pattern->written = length;
  pattern->written_decimals = n_decimals;
  pattern->time_length = length - n_front - n_zeros;
  pattern->n_decimals = n_decimals - MIN (n_zeros, n_decimals);
  pattern->scale = scale;
  pattern->is_ready = set_time (pattern, atf, (guint) pattern->time_length - (pattern->n_decimals > 0), pattern->n_decimals,
                                padded)
                      /* which of these are whole units is asked of each one */
                      || ((pattern->is_bare || n_front > 0) && pattern->n_decimals > 0);
  pattern->shortest = pattern->texts_length + pattern->time_length;
  /* the end is looked for in sixteen bytes, or in 32 if that is behind a time of any length; so the last text begins at
   * most that far behind, and sixteen may be read where it ends */
  pattern->reach = pattern->texts_length + MAX (pattern->time_length + TS_ATF_BYTES, 2 * TS_ATF_BYTES)
                   + pattern->texts[TS_ATF_LITERALS - 1].length + TS_ATF_BYTES;
  return pattern->is_ready;
}
