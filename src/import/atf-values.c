/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/atf-values.h"
#include "model/number.h"

/* Numbers of entries that are not as usual: with decimals, long, not seen before, or such that something is said about
 * them. */

#define MAX_DIGITS 19 /* 64 bits have room for all such numbers */

/* Up to 19 digits, behind any number of zeros. */
static gboolean
read_digits (const guint8 *begin, const guint8 *end, guint64 *value)
{
  TsAtfBytes low, high, excess;
  gsize      n, n_low;

  while (G_UNLIKELY (end - begin > TS_ATF_BYTES) && *begin == '0')
    begin++;
  n = (gsize) (end - begin);
  n_low = MIN (n, TS_ATF_BYTES);
  if (n - 1 >= MAX_DIGITS)
    return FALSE;
  low = ts_atf_bytes_digits (ts_atf_bytes_load (end - TS_ATF_BYTES), ts_atf_bytes_last (n_low));
  excess = ts_atf_bytes_excess (low);
  *value = ts_atf_bytes_number (low);
  if (n > n_low)
    {
      high = ts_atf_bytes_digits (ts_atf_bytes_load (end - 2 * TS_ATF_BYTES), ts_atf_bytes_last (n - n_low));
      excess = ts_atf_bytes_or (excess, ts_atf_bytes_excess (high));
      *value += ts_atf_bytes_number (high) * G_GUINT64_CONSTANT (10000000000000000);
    }
  return ts_atf_bytes_are_zero (excess);
}

/* Of an odd number, modulo 2^64. Each turn doubles the bits that are right, and of the number itself three are. */
static guint64
invert (guint64 odd)
{
  guint64 inverse = odd;

  for (guint bits = 3; bits < 64; bits *= 2)
    inverse *= 2 - odd * inverse;
  return inverse;
}

static TsAtfDecimals
decimals_of (guint64 unit, guint64 scale)
{
  const guint64 divisor = (guint64) ts_greatest_divisor (unit, scale), step = unit / divisor;
  const guint   turn = (guint) __builtin_ctzll (step);
  TsAtfDecimals decimals = { .factor = scale / divisor, .inverse = invert (step >> turn), .turn = turn };

  /* what is no multiple is more than any of these, once it is divided like one */
  decimals.most = MIN ((guint64) TS_TIME_LIMIT / decimals.factor, G_MAXUINT64 / step);
  return decimals;
}

/* By how many there are. Where nobody gets the events, they only are not to ask for more. */
static const TsAtfDecimals *
kinds_of_decimals (TsAtf *atf)
{
  TsAtfDecimals *decimals = atf->scan.decimals;
  gint64         scale = atf->import->surveying ? atf->import->memory->scale : atf->scale;

  if (atf->scan.decimals_scale == scale)
    return decimals;
  for (guint n = 0; n < TS_ATF_SCAN_DECIMALS; n++)
    decimals[n] = decimals_of (ts_atf_power_of_ten (n), (guint64) scale);
  atf->scan.decimals_scale = scale;
  return decimals;
}

/* Whether times that are not written as they should be are only counted. */
static gboolean
may_be_loose (const TsAtf *atf)
{
  return atf->import->surveying || atf->import->diagnostics->entries[TS_DIAGNOSTIC_LOOSE_NUMBER].count > 0;
}

TsAtfTimes
ts_atf_values_times (TsAtf *atf)
{
  const TsImport *import = atf->import;
  TsAtfTimes      times = { kinds_of_decimals (atf), G_MININT64, 0, FALSE };

  times.may_be_loose = may_be_loose (atf);
  if (import->surveying)
    times.range = G_MAXUINT64; /* nobody would be told */
  else if (atf->from <= atf->to)
    {
      times.from = atf->from;
      times.range = (guint64) atf->to - (guint64) atf->from;
    }
  /* no stamp is within a section that ends before it begins */
  return times;
}

/* A time with or without decimals. FALSE: something may have to be said about it, or done, other than to count it. */
static gboolean
read_time (TsAtf *atf, const TsAtfValues *values, gint64 *time, gboolean *is_loose)
{
  const guint8        *begin = values->open[TS_ATF_SCAN_TIME] + 1, *end = values->close[TS_ATF_SCAN_TIME];
  const TsAtfDecimals *decimals = kinds_of_decimals (atf);
  guint                points = ts_atf_bytes_find (end - TS_ATF_BYTES, '.');
  guint                n = points != 0 ? TS_ATF_BYTES - 1 - (guint) __builtin_ctz (points) : 0;
  const guint8        *whole_end = end - n - (points != 0);
  guint64              whole, behind = 0;
  gint64               fraction;

  if (whole_end <= begin || !read_digits (begin, whole_end, &whole)
      || (points != 0 && !read_digits (end - n, end, &behind)) || whole >= decimals[0].most
      || !ts_atf_values_scale (&decimals[n], behind, &fraction))
    return FALSE;
  *time = (gint64) (whole * decimals[0].factor) + fraction;
  *is_loose = (*begin == '0' && whole_end - begin > 1) || ts_atf_values_is_padded (values, TS_ATF_SCAN_TIME);
  if (*is_loose && !may_be_loose (atf))
    return FALSE;
  return atf->import->surveying || (*time >= atf->from && *time <= atf->to);
}

/* FALSE: other characters, or an id of something else than an event of an element. */
static gboolean
look_up (const TsAtfTables *tables, const TsAtfValues *values, TsEventKind *kind, guint32 *element)
{
  guint64 event, reference;
  guint32 mapping;

  if (!read_digits (values->open[TS_ATF_SCAN_EVENT] + 1, values->close[TS_ATF_SCAN_EVENT], &event)
      || !read_digits (values->open[TS_ATF_SCAN_REFERENCE] + 1, values->close[TS_ATF_SCAN_REFERENCE], &reference))
    return FALSE;
  mapping = ts_atf_ids_find (&tables->event_ids, event);
  *element = ts_atf_ids_find (&tables->element_ids, reference);
  if (mapping == TS_ATF_NO_VALUE || *element == TS_ATF_NO_VALUE)
    return FALSE;
  *kind = g_array_index (tables->mappings, TsAtfMapping, mapping).kind;
  return *kind != TS_EVENT_USER;
}

/* FALSE: something may have to be said about it. */
static gboolean
understand (TsAtf *atf, const TsAtfValues *values, guint64 line, TsEvent *event)
{
  const TsAtfTables *tables = atf->lookup;
  TsEventKind        kind;
  guint32            element;
  gint64             time;
  gboolean           is_loose;

  if (!look_up (tables, values, &kind, &element)
      || !read_time (atf, values, &time, &is_loose))
    return FALSE;
  if (is_loose)
    ts_diagnostics_add (atf->import->diagnostics, TS_DIAGNOSTIC_LOOSE_NUMBER, line, NULL);
  ts_atf_put (event, kind, time, element, g_array_index (tables->elements, TsAtfElement, element).resource, line);
  return TRUE;
}

/* For those that come. */
static void
remember (TsAtf *atf, guint8 role, const TsAtfValues *values, guint64 id)
{
  TsAtfMemos       *memos = &atf->scan.digit_memos[role - TS_ATF_SCAN_EVENT];
  const TsAtfNumber number = { values->open[role] + 1, values->close[role] };

  if (ts_atf_memos_recall (memos, id, NULL) == NULL)
    ts_atf_memos_add (memos, atf, role, &number, TS_ATF_DIGITS, id, 0);
}

TsEvent *
ts_atf_values_take (TsAtf *atf, const TsAtfValues *values, TsEvent *event, guint64 line)
{
  TsAtfNumber numbers[TS_ATF_SCAN_NUMBERS];

  if (understand (atf, values, line, event))
    {
      TsAtfShortIds ids;

      if (!ts_atf_values_have_short_ids (values))
        return event + 1;
      ids = ts_atf_values_short_ids (values);
      remember (atf, TS_ATF_SCAN_EVENT, values, ids.event);
      remember (atf, TS_ATF_SCAN_REFERENCE, values, ids.reference);
      return event + 1;
    }
  for (guint8 i = 0; i < TS_ATF_SCAN_NUMBERS; i++)
    if (!ts_atf_scan_number (values->open[i] + 1, values->close[i], i == TS_ATF_SCAN_TIME, &numbers[i])
        || numbers[i].end != values->close[i])
      return NULL;
  ts_import_commit_up_to (atf->import, event);
  ts_atf_scan_entry (atf, numbers, line);
  return ts_import_next (atf->import);
}
