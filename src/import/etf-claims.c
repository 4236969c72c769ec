/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/etf.h"
#include "model/pages.h"

/* Claims and events whose lines are read, and how they are kept. */

#define FIRST_RECORDS 1024

static inline void
note_stamps (TsEtf *etf, gint64 first, gint64 last)
{
  if (G_UNLIKELY (first < etf->first || !etf->has_stamps))
    etf->first = first;
  if (last > etf->last || !etf->has_stamps)
    etf->last = last;
  etf->has_stamps = TRUE;
}

void
ts_etf_reserve_records (TsEtf *etf, gsize n)
{
  if (n <= etf->n_allocated)
    return;
  n = MAX (n, MAX (FIRST_RECORDS, 2 * etf->n_allocated));
  etf->records = ts_pages_resize (etf->records, etf->n_allocated * sizeof *etf->records, n * sizeof *etf->records);
  etf->n_allocated = n;
  if (etf->amounts != NULL)
    etf->amounts = g_renew (gint64, etf->amounts, n);
}

static TsEtfRecord *
next_record (TsEtf *etf)
{
  if (G_UNLIKELY (etf->n_records == etf->n_allocated))
    ts_etf_reserve_records (etf, etf->n_records + 1);
  return &etf->records[etf->n_records];
}

/* Claims of one resource that differ in their amounts: all are kept from now on. */
static void G_GNUC_NO_INLINE
keep_amounts (TsEtf *etf)
{
  gint64 *amounts = g_new (gint64, etf->n_allocated);

  for (gsize i = 0; i < etf->n_records; i++)
    amounts[i] = ts_etf_amount (etf, i);
  etf->amounts = amounts;
}

static void
see_object (TsEtf *etf, const TsEtfAttributes *attributes, gint64 first, gint64 last)
{
  if (attributes->object.p != NULL
      && (etf->object_except == NULL || !ts_etf_text_is (attributes->object, etf->object_except)))
    ts_objects_see (etf->objects, attributes->object.p, attributes->object.length, first, last);
}

static inline __attribute__ ((always_inline)) void
add_claim (TsEtf *etf, const TsEtfClaim *claim, const TsEtfAttributes *attributes)
{
  TsEtfRecord   *record = next_record (etf);
  TsEtfResource *resource = &g_array_index (etf->resources, TsEtfResource, claim->resource);

  if (G_UNLIKELY (resource->n_claims++ == 0))
    resource->amount = claim->amount;
  if (G_UNLIKELY (claim->amount != resource->amount) && etf->amounts == NULL)
    keep_amounts (etf);
  if (etf->amounts != NULL)
    etf->amounts[etf->n_records] = claim->amount;
  if (G_LIKELY (etf->n_records > 0))
    {
      if (record[-1].t0 > claim->t0)
        etf->starts_go_back = TRUE;
      if (G_UNLIKELY (record[-1].t1 > claim->t1))
        etf->ends_go_back = TRUE;
    }
  etf->n_records++;
  record->t0 = claim->t0;
  record->t1 = claim->t1;
  record->line = etf->line;
  record->element = ts_etf_element (etf, attributes, claim->resource);
  record->instance = 0;
  record->resource = (guint16) claim->resource;
  record->flags = 0;
  g_array_index (etf->elements, TsEtfElement, record->element).has_claims = TRUE;
  if (etf->instance_keys.n > 0)
    ts_etf_set_instance (etf, attributes, &record->instance, &record->flags);
  note_stamps (etf, claim->t0, claim->t1);
  if (etf->objects != NULL)
    see_object (etf, attributes, claim->t0, claim->t1);
  if (etf->starts_go_back)
    ts_etf_sort_claim (etf, etf->n_records - 1);
}

void
ts_etf_add_claim (TsEtf *etf, const TsEtfClaim *claim, const TsEtfAttributes *attributes)
{
  add_claim (etf, claim, attributes);
}

/* Whether an event is needed once its line is read: most are marks on claims of the same name. */
static inline gboolean
is_kept (const TsEtf *etf, const TsEtfEvent *event)
{
  return !g_array_index (etf->elements, TsEtfElement, event->element).has_claims || (event->flags & TS_ETF_ACTIVATES)
         || etf->activation == TS_ETF_ACTIVATION_DEPENDENCY;
}

void
ts_etf_add_event (TsEtf *etf, gint64 time, const TsEtfAttributes *attributes)
{
  TsEtfEvent event = { .time = time, .flags = TS_ETF_EVENT, .line = etf->line, .instance = TS_NO_INSTANCE };

  event.element = ts_etf_element (etf, attributes, TS_ETF_NONE);
  ts_etf_set_instance (etf, attributes, &event.instance, &event.flags);
  if (etf->activation == TS_ETF_ACTIVATION_EVENT && attributes->activation.p != NULL
      && ts_etf_text_is (attributes->activation, etf->activation_value))
    event.flags |= TS_ETF_ACTIVATES;
  if (is_kept (etf, &event))
    g_array_append_val (etf->events, event);
  note_stamps (etf, time, time);
  if (etf->objects != NULL)
    see_object (etf, attributes, time, time);
}

/* Of the quick reader */

gboolean
ts_etf_take_claim (TsEtf *etf, const char *begin, TsEtfLine *line, const TsEtfClaim *claim)
{
  TsEtfResource *resource = &g_array_index (etf->resources, TsEtfResource, claim->resource);

  if (G_UNLIKELY (claim->t0 > claim->t1 || line->end - begin > TS_ETF_MAX_LINE || etf->n_records == TS_ETF_MAX_RECORDS
                  || !ts_etf_ids_add (&etf->claim_ids, line->id)))
    return FALSE;
  line->attributes = ts_etf_begin_line (etf, line);
  etf->largest_stamp = MAX (etf->largest_stamp, claim->t1);
  /* the capacity is more than what is claimed: etf->largest_amount stays as it is */
  if (G_UNLIKELY (resource->used_line == 0))
    resource->used_line = etf->line;
  add_claim (etf, claim, line->attributes);
  return TRUE;
}

gboolean
ts_etf_take_event (TsEtf *etf, const char *begin, TsEtfLine *line, gint64 time)
{
  if (G_UNLIKELY (line->end - begin > TS_ETF_MAX_LINE || etf->event_ids.n == TS_ETF_MAX_EVENTS
                  || !ts_etf_ids_add (&etf->event_ids, line->id)))
    return FALSE;
  line->attributes = ts_etf_begin_line (etf, line);
  etf->largest_stamp = MAX (etf->largest_stamp, time);
  ts_etf_add_event (etf, time, line->attributes);
  return TRUE;
}
