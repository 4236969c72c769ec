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
/* From one that is sorted to one whose place in memory is asked for. */
#define AHEAD 128
/* Steps a record that the insertion sort may take. */
#define PATIENCE 8
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

/* Room for as many numbers as are sorted, where a sort needs it, for all that are sorted one after the other: fresh memory
 * costs as much as a pass. */
typedef struct
{
  guint32 *numbers;
  gsize    n;
} Spare;

static void
clear_spare (Spare *spare)
{
  ts_pages_release (spare->numbers, spare->n * sizeof *spare->numbers);
}

static guint32 *
take_spare (Spare *spare, gsize n)
{
  if (n > spare->n)
    {
      clear_spare (spare);
      *spare = (Spare){ ts_pages_resize (NULL, 0, n * sizeof *spare->numbers), n };
    }
  return spare->numbers;
}

/* To take so many steps for so many records is not worth it. */
static inline gboolean
has_no_patience (guint64 n_records, guint64 n_steps)
{
  return G_UNLIKELY (n_steps > PATIENCE * (n_records + FIRST_STEPS));
}

/* FALSE: it was not worth it, and @index is in some order that is stable. */
static inline gboolean
insertion_sort (const TsEtf *etf, guint32 *index, gsize n, TsEtfOrder order)
{
  gsize n_steps = 0;

  for (gsize i = 1; i < n; i++)
    {
      guint32 record = index[i];
      guint64 key = key_of (etf, record, order);
      gsize   k = i;

      for (; k > 0 && key_of (etf, index[k - 1], order) > key; k--)
        index[k] = index[k - 1];
      index[k] = record;
      n_steps += i - k;
      if (has_no_patience (i, n_steps))
        return FALSE;
    }
  return TRUE;
}

/* Of the keys, so many bits from the lowest one on may be others than 0. */
static inline guint
bits_of_keys (const TsEtf *etf, const guint32 *index, gsize n, TsEtfOrder order)
{
  guint64 any = 1;

  if (order == TS_ETF_BY_START || order == TS_ETF_BY_END)
    any |= (guint64) (etf->last - etf->first);
  else
    for (gsize i = 0; i < n; i++)
      any |= key_of (etf, index[i], order);
  return 64 - (guint) __builtin_clzll (any);
}

/* After the first pass, one behind the other is anywhere in memory. */
static inline void
fetch (const TsEtf *etf, guint32 number, TsEtfOrder order)
{
  if (order == TS_ETF_BY_START || order == TS_ETF_BY_END || order == TS_ETF_BY_JOB)
    __builtin_prefetch (&etf->records[number]);
}

/* Where the next one of each digit goes. */
static void
counts_to_places (guint32 *counts, guint n_digits)
{
  guint32 sum = 0;

  for (guint digit = 0; digit < n_digits; digit++)
    {
      guint32 count = counts[digit];

      counts[digit] = sum;
      sum += count;
    }
}

/* With few bits, digits have as few as they can: so what is written to are fewer places. */
static inline void
radix_sort (const TsEtf *etf, guint32 *index, gsize n, TsEtfOrder order, guint32 *spare)
{
  const guint         n_bits = bits_of_keys (etf, index, n, order);
  const guint         n_passes = (n_bits + DIGIT_BITS - 1) / DIGIT_BITS;
  const guint         digit_bits = (n_bits + n_passes - 1) / n_passes, n_digits = 1u << digit_bits;
  g_autofree guint32 *all_counts = g_new0 (guint32, n_passes * n_digits);
  guint32            *from = index, *to = spare, *swap;

  for (gsize i = 0; i < n; i++)
    {
      guint64 key = key_of (etf, index[i], order);

      for (guint pass = 0; pass < n_passes; pass++, key >>= digit_bits)
        all_counts[pass * n_digits + (key & (n_digits - 1))]++;
    }
  for (guint pass = 0; pass < n_passes; pass++)
    {
      guint32 *counts = all_counts + pass * n_digits;
      guint    shift = pass * digit_bits;

      if (counts[key_of (etf, from[0], order) >> shift & (n_digits - 1)] == n)
        continue; /* all have the same one */
      counts_to_places (counts, n_digits);
      for (gsize i = 0; i < n; i++)
        {
          fetch (etf, from[MIN (i + AHEAD, n - 1)], order);
          to[counts[key_of (etf, from[i], order) >> shift & (n_digits - 1)]++] = from[i];
        }
      swap = from;
      from = to;
      to = swap;
    }
  if (from != index)
    memcpy (index, from, n * sizeof *index);
}

static inline void
sort (const TsEtf *etf, guint32 *index, gsize n, TsEtfOrder order, Spare *spare)
{
  gboolean is_hopeless = order == TS_ETF_BY_JOB || (order == TS_ETF_BY_START && etf->has_lost_patience);

  if (n > 0 && (is_hopeless || !insertion_sort (etf, index, n, order)))
    radix_sort (etf, index, n, order, take_spare (spare, n));
}

static void
sort_by (const TsEtf *etf, guint32 *index, gsize n, TsEtfOrder order, Spare *spare)
{
  /* one copy of the loops for each key */
  switch (order)
    {
    case TS_ETF_BY_START:
      sort (etf, index, n, TS_ETF_BY_START, spare);
      break;
    case TS_ETF_BY_END:
      sort (etf, index, n, TS_ETF_BY_END, spare);
      break;
    case TS_ETF_BY_ACTIVATION_PLACE:
      sort (etf, index, n, TS_ETF_BY_ACTIVATION_PLACE, spare);
      break;
    case TS_ETF_BY_ACTIVATION:
      sort (etf, index, n, TS_ETF_BY_ACTIVATION, spare);
      break;
    case TS_ETF_BY_EVENT:
      sort (etf, index, n, TS_ETF_BY_EVENT, spare);
      break;
    case TS_ETF_BY_JOB:
    default:
      sort (etf, index, n, TS_ETF_BY_JOB, spare);
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
sort_activations (const TsEtf *etf, guint32 *index, gsize n, Spare *spare)
{
  sort_by (etf, index, n, TS_ETF_BY_ACTIVATION, spare);
  if (!places_go_back (etf, index, n))
    return;
  sort_by (etf, index, n, TS_ETF_BY_ACTIVATION_PLACE, spare);
  sort_by (etf, index, n, TS_ETF_BY_ACTIVATION, spare);
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

static guint32 *
order_by (const TsEtf *etf, TsEtfOrder order, gsize *n, Spare *spare)
{
  guint32 *index;

  *n = count (etf, order);
  index = ts_pages_resize (NULL, 0, *n * sizeof *index);
  if (order == TS_ETF_BY_ACTIVATION)
    {
      in_start_order (etf, index);
      if (etf->activation == TS_ETF_ACTIVATION_DEPENDENCY)
        sort_activations (etf, index, *n, spare);
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
  sort_by (etf, index, *n, order, spare);
  return index;
}

guint32 *
ts_etf_order (const TsEtf *etf, TsEtfOrder order, gsize *n)
{
  Spare    spare = { NULL, 0 };
  guint32 *index = order_by (etf, order, n, &spare);

  clear_spare (&spare);
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
  if (has_no_patience (number, etf->n_steps))
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
  Spare    spare = { NULL, 0 };
  gsize    n;

  if (has_events)
    forget_starts (etf);
  if (etf->by_start == NULL && (etf->starts_go_back || has_events))
    {
      etf->by_start = order_by (etf, TS_ETF_BY_START, &n, &spare);
      etf->n_by_start = n;
    }
  if (etf->ends_go_back || has_events)
    etf->by_end = order_by (etf, TS_ETF_BY_END, &n, &spare);
  if (events_go_back (etf))
    etf->by_event = order_by (etf, TS_ETF_BY_EVENT, &n, &spare);
  clear_spare (&spare);
}
