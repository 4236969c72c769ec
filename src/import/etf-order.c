/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/etf.h"
#include "model/pages.h"

/* Sorting of records by number, four bytes each. Files are nearly in order: claims come in order of their ends, and
 * so in order of their starts but for those that ran at the same time. An insertion sort gets through such a file
 * with a few steps a record, and starts are sorted so while they are read; where that takes too long, a radix sort
 * finishes in a fixed number of passes. */

#define DIGIT_BITS 11
#define DIGITS (1 << DIGIT_BITS)
/* Steps a record that the insertion sort may take. */
#define PATIENCE 32
/* And so many of them at once in the beginning. */
#define FIRST_STEPS 4096
/* Room for their numbers, if they are no more than the first ones; of others there is a large page at once. */
#define SMALL_STARTS 1024
#define LARGE_STARTS (TS_LARGE_PAGE / sizeof (guint32))

static inline guint64
key_of (const TsEtf *etf, guint32 number, TsEtfOrder order)
{
  const TsEtfRecord *record;
  guint64            kind;

  switch (order)
    {
    case TS_ETF_BY_EVENT:
      return (guint64) (g_array_index (etf->events, TsEtfEvent, number).time - etf->first);
    case TS_ETF_BY_START:
      return (guint64) (etf->records[number].t0 - etf->first);
    case TS_ETF_BY_END:
      return (guint64) (etf->records[number].t1 - etf->first);
    case TS_ETF_BY_ACTIVATION_PLACE:
      return etf->activation_places[number];
    case TS_ETF_BY_ACTIVATION:
      return (guint64) (etf->activations[number] - etf->first);
    case TS_ETF_BY_JOB:
    default:
      record = &etf->records[number];
      kind = record->flags & (TS_ETF_TEXT_INSTANCE | TS_ETF_NO_INSTANCE);
      return ((guint64) record->element << 37) | (kind << 32) | ((guint32) record->instance ^ 0x80000000u);
    }
}

/* FALSE: it was not worth it, and @index is in some order that is stable. */
static inline gboolean
insertion_sort (const TsEtf *etf, guint32 *index, gsize n, TsEtfOrder order)
{
  gsize patience = PATIENCE * n;

  for (gsize i = 1; i < n; i++)
    {
      guint32 record = index[i];
      guint64 key = key_of (etf, record, order);
      gsize   k = i;

      for (; k > 0 && key_of (etf, index[k - 1], order) > key; k--)
        index[k] = index[k - 1];
      index[k] = record;
      if (i - k > patience)
        return FALSE;
      patience -= i - k;
    }
  return TRUE;
}

static inline void
radix_sort (const TsEtf *etf, guint32 *index, gsize n, TsEtfOrder order)
{
  guint32            *spare = ts_pages_resize (NULL, 0, n * sizeof *spare);
  g_autofree gsize   *counts = g_new (gsize, DIGITS);
  guint32            *from = index, *to = spare, *swap;
  guint64             all = G_MAXUINT64, any = 0, bits;

  for (gsize i = 0; i < n; i++)
    {
      guint64 key = key_of (etf, index[i], order);

      all &= key;
      any |= key;
    }
  bits = any & ~all; /* in which keys differ at all */
  for (guint shift = 0; shift < 64 && bits >> shift != 0; shift += DIGIT_BITS)
    {
      gsize sum = 0;

      if ((bits >> shift & (DIGITS - 1)) == 0)
        continue;
      memset (counts, 0, DIGITS * sizeof *counts);
      for (gsize i = 0; i < n; i++)
        counts[key_of (etf, from[i], order) >> shift & (DIGITS - 1)]++;
      for (guint digit = 0; digit < DIGITS; digit++)
        {
          gsize count = counts[digit];

          counts[digit] = sum;
          sum += count;
        }
      for (gsize i = 0; i < n; i++)
        to[counts[key_of (etf, from[i], order) >> shift & (DIGITS - 1)]++] = from[i];
      swap = from;
      from = to;
      to = swap;
    }
  if (from != index)
    memcpy (index, from, n * sizeof *index);
  ts_pages_release (spare, n * sizeof *spare);
}

static inline void
sort (const TsEtf *etf, guint32 *index, gsize n, TsEtfOrder order)
{
  if (!insertion_sort (etf, index, n, order))
    radix_sort (etf, index, n, order);
}

static void
sort_by (const TsEtf *etf, guint32 *index, gsize n, TsEtfOrder order)
{
  /* one copy of the loops for each key */
  switch (order)
    {
    case TS_ETF_BY_START:
      if (etf->has_lost_patience)
        radix_sort (etf, index, n, TS_ETF_BY_START);
      else
        sort (etf, index, n, TS_ETF_BY_START);
      break;
    case TS_ETF_BY_END:
      sort (etf, index, n, TS_ETF_BY_END);
      break;
    case TS_ETF_BY_ACTIVATION_PLACE:
      sort (etf, index, n, TS_ETF_BY_ACTIVATION_PLACE);
      break;
    case TS_ETF_BY_ACTIVATION:
      sort (etf, index, n, TS_ETF_BY_ACTIVATION);
      break;
    case TS_ETF_BY_EVENT:
      sort (etf, index, n, TS_ETF_BY_EVENT);
      break;
    case TS_ETF_BY_JOB:
    default:
      radix_sort (etf, index, n, TS_ETF_BY_JOB);
      break;
    }
}

/* Where activations are equal. */
static gboolean
places_go_back (const TsEtf *etf, const guint32 *index, gsize n)
{
  for (gsize i = 1; i < n; i++)
    if (etf->activations[index[i]] == etf->activations[index[i - 1]]
        && etf->activation_places[index[i]] < etf->activation_places[index[i - 1]])
      return TRUE;
  return FALSE;
}

static void
sort_activations (const TsEtf *etf, guint32 *index, gsize n)
{
  sort_by (etf, index, n, TS_ETF_BY_ACTIVATION);
  if (!places_go_back (etf, index, n))
    return;
  sort_by (etf, index, n, TS_ETF_BY_ACTIVATION_PLACE);
  sort_by (etf, index, n, TS_ETF_BY_ACTIVATION);
}

/* Events stand behind all claims; among each other both are in the order of the file. */
static void
in_file_order (const TsEtf *etf, guint32 *index)
{
  gsize claim = 0, event = etf->n_claims;

  while (claim < etf->n_claims || event < etf->n_records)
    {
      gsize next;

      if (event == etf->n_records
          || (claim < etf->n_claims && etf->records[claim].line < etf->records[event].line))
        next = claim++;
      else
        next = event++;
      *index++ = (guint32) next;
    }
}

/* What has an activation. By events: in the order of these, which is that of their lines where stamps are equal, and so
 * sorted. By dependencies: in the order of the starts. */
static void
in_start_order (const TsEtf *etf, guint32 *index)
{
  for (gsize i = 0; i < etf->n_records; i++)
    {
      gsize              number = ts_etf_nth_start (etf, i);
      const TsEtfRecord *record = &etf->records[number];

      if (record->flags & TS_ETF_TAKEN)
        *index++ = (guint32) record->instance;
      else if ((record->flags & TS_ETF_HAS_ACTIVATION)
               && (etf->activation == TS_ETF_ACTIVATION_DEPENDENCY || (record->flags & TS_ETF_EVENT)))
        *index++ = (guint32) number;
    }
}

static gsize
count (const TsEtf *etf, TsEtfOrder order)
{
  gsize n = 0;

  if (order == TS_ETF_BY_EVENT)
    return etf->events->len;
  if (order != TS_ETF_BY_ACTIVATION)
    return etf->n_records;
  for (gsize i = 0; i < etf->n_records; i++)
    n += (etf->records[i].flags & TS_ETF_HAS_ACTIVATION) != 0;
  return n;
}

guint32 *
ts_etf_order (const TsEtf *etf, TsEtfOrder order, gsize *n)
{
  guint32 *index;

  *n = count (etf, order);
  index = ts_pages_resize (NULL, 0, *n * sizeof *index);
  if (order == TS_ETF_BY_ACTIVATION)
    {
      in_start_order (etf, index);
      if (etf->activation == TS_ETF_ACTIVATION_DEPENDENCY)
        sort_activations (etf, index, *n);
      return index;
    }
  if (order == TS_ETF_BY_JOB)
    for (gsize i = 0; i < *n; i++)
      index[i] = (guint32) ts_etf_nth_start (etf, i);
  else if (order == TS_ETF_BY_EVENT)
    for (gsize i = 0; i < *n; i++)
      index[i] = (guint32) i;
  else
    in_file_order (etf, index);
  sort_by (etf, index, *n, order);
  return index;
}

static void
forget_starts (TsEtf *etf)
{
  ts_pages_release (etf->by_start, etf->n_by_start * sizeof *etf->by_start);
  etf->by_start = NULL;
  etf->n_by_start = 0;
}

void
ts_etf_grow_starts (TsEtf *etf)
{
  gsize n = etf->n_allocated > SMALL_STARTS ? MAX (etf->n_allocated, LARGE_STARTS) : SMALL_STARTS;

  if (etf->by_start == NULL || n <= etf->n_by_start)
    return;
  etf->by_start = ts_pages_resize (etf->by_start, etf->n_by_start * sizeof *etf->by_start, n * sizeof *etf->by_start);
  etf->n_by_start = n;
}

void
ts_etf_begin_starts (TsEtf *etf)
{
  gsize number = etf->n_records - 1;

  etf->starts_go_back = TRUE;
  etf->n_by_start = SMALL_STARTS;
  etf->by_start = ts_pages_resize (NULL, 0, SMALL_STARTS * sizeof *etf->by_start);
  ts_etf_grow_starts (etf);
  for (gsize i = 0; i < number; i++)
    etf->by_start[i] = (guint32) i;
  ts_etf_put_start (etf, number);
}

/* While the claims around it are still in the cache of the processor. */
void
ts_etf_put_start (TsEtf *etf, gsize number)
{
  gint64   time = etf->records[number].t0;
  guint32 *index = etf->by_start;
  gsize    k = number;

  for (; k > 0 && etf->records[index[k - 1]].t0 > time; k--)
    index[k] = index[k - 1];
  index[k] = (guint32) number;
  etf->n_steps += number - k;
  if (G_UNLIKELY (etf->n_steps > PATIENCE * (guint64) (number + FIRST_STEPS)))
    {
      etf->has_lost_patience = TRUE;
      forget_starts (etf);
    }
}

static gboolean
events_go_back (const TsEtf *etf)
{
  const TsEtfEvent *events = (const TsEtfEvent *) (gconstpointer) etf->events->data;

  for (guint i = 1; i < etf->events->len; i++)
    if (events[i].time < events[i - 1].time)
      return TRUE;
  return FALSE;
}

void
ts_etf_sort (TsEtf *etf)
{
  /* events that are records stand behind the claims, wherever they were in the file */
  gboolean has_events = etf->n_records > etf->n_claims;
  gsize    n;

  if (has_events)
    forget_starts (etf);
  if (etf->by_start == NULL && (etf->starts_go_back || has_events))
    {
      etf->by_start = ts_etf_order (etf, TS_ETF_BY_START, &n);
      etf->n_by_start = n;
    }
  if (etf->ends_go_back || has_events)
    etf->by_end = ts_etf_order (etf, TS_ETF_BY_END, &n);
  if (events_go_back (etf))
    etf->by_event = ts_etf_order (etf, TS_ETF_BY_EVENT, &n);
}
