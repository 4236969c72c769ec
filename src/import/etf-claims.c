/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/etf-take.h"
#include "model/pages.h"

/* Claims and events whose lines are read, and how they are kept. */

/* A trace that has more than the first ones gets a large page at once: to touch one costs less than to grow up to it. */
#define FIRST_RECORDS 1024

static gsize
next_room (gsize n_allocated)
{
  return n_allocated == 0 ? FIRST_RECORDS : MAX (2 * n_allocated, TS_LARGE_PAGE / sizeof (TsEtfRecord));
}

void
ts_etf_reserve_records (TsEtf *etf, gsize n)
{
  if (n <= etf->n_allocated)
    return;
  n = MAX (n, MIN (next_room (etf->n_allocated), TS_ETF_MAX_RECORDS));
  etf->records = ts_pages_resize (etf->records, etf->n_allocated * sizeof *etf->records, n * sizeof *etf->records);
  if (etf->amounts != NULL)
    etf->amounts = ts_pages_resize (etf->amounts, etf->n_allocated * sizeof *etf->amounts, n * sizeof *etf->amounts);
  etf->n_allocated = n;
  ts_etf_grow_starts (etf);
}

/* Claims of one resource that differ in their amounts: all are kept from now on. */
static void
keep_amounts (TsEtf *etf)
{
  gint64 *amounts = ts_pages_resize (NULL, 0, etf->n_allocated * sizeof *amounts);

  for (gsize i = 0; i < etf->n_records; i++)
    amounts[i] = g_array_index (etf->resources, TsEtfResource, etf->records[i].resource).amount;
  etf->amounts = amounts;
  etf->has_extras = TRUE;
}

void
ts_etf_forget_amounts (TsEtf *etf)
{
  if (etf->amounts != NULL)
    ts_pages_release (etf->amounts, etf->n_allocated * sizeof *etf->amounts);
  etf->amounts = NULL;
}

static void
see_object (TsEtf *etf, const TsEtfAttributes *attributes, gint64 first, gint64 last)
{
  if (attributes->object.p != NULL
      && (etf->object_except == NULL || !ts_etf_text_is (attributes->object, etf->object_except)))
    ts_objects_see (etf->objects, ts_etf_ids_number (&etf->object_ids, ts_etf_text_id (etf, attributes->object)),
                    attributes->object.p, attributes->object.length, first, last);
}

void
ts_etf_add_claim_extras (TsEtf *etf, gint64 amount, const TsEtfAttributes *attributes)
{
  TsEtfRecord *record = &etf->records[etf->n_records - 1];

  if (etf->amounts != NULL)
    etf->amounts[etf->n_records - 1] = amount;
  ts_etf_set_instance (etf, attributes, &record->instance, &record->flags);
  if (etf->objects != NULL)
    see_object (etf, attributes, record->t0, record->t1);
}

void
ts_etf_add_event_extras (TsEtf *etf, gint64 time, const TsEtfAttributes *attributes)
{
  if (etf->objects != NULL)
    see_object (etf, attributes, time, time);
}

void
ts_etf_keep_event (TsEtf *etf, gint64 time, guint32 element, const TsEtfAttributes *attributes)
{
  TsEtfEvent event = {
    .time = time, .flags = TS_ETF_EVENT, .line = etf->line, .element = element, .instance = TS_NO_INSTANCE
  };

  ts_etf_set_instance (etf, attributes, &event.instance, &event.flags);
  if (etf->activation == TS_ETF_ACTIVATION_EVENT && attributes->activation.p != NULL
      && ts_etf_text_is (attributes->activation, etf->activation_value))
    event.flags |= TS_ETF_ACTIVATES;
  if (!g_array_index (etf->elements, TsEtfElement, event.element).has_claims || (event.flags & TS_ETF_ACTIVATES)
      || etf->activation == TS_ETF_ACTIVATION_DEPENDENCY)
    g_array_append_val (etf->events, event);
}

/* Lists that are recalled end some bytes before what may be looked at; others may be texts anywhere. */
static inline guint32
element_of (TsEtf *etf, const TsEtfAttributes *attributes, guint32 resource)
{
  return G_LIKELY (attributes != &etf->attributes) ? ts_etf_element_at (etf, attributes, resource)
                                                   : ts_etf_element_of_other (etf, attributes, resource);
}

/* There is room for it. */
static TS_ALWAYS_INLINE void
add_claim (TsEtf *etf, const TsEtfClaim *claim, const TsEtfAttributes *attributes)
{
  TsEtfResource *resource = &g_array_index (etf->resources, TsEtfResource, claim->resource);

  if (G_UNLIKELY (resource->used_line == 0))
    {
      resource->amount = claim->amount;
      resource->used_line = etf->line;
    }
  if (G_UNLIKELY (claim->amount != resource->amount) && etf->amounts == NULL)
    keep_amounts (etf);
  ts_etf_put_claim (etf, claim, element_of (etf, attributes, claim->resource), attributes);
}

void
ts_etf_add_claim (TsEtf *etf, const TsEtfClaim *claim, const TsEtfAttributes *attributes)
{
  ts_etf_reserve_records (etf, etf->n_records + 1);
  add_claim (etf, claim, attributes);
}

void
ts_etf_add_event (TsEtf *etf, gint64 time, const TsEtfAttributes *attributes)
{
  ts_etf_put_event (etf, time, element_of (etf, attributes, TS_ETF_NONE), attributes);
}

/* Of the quick reader */

gboolean
ts_etf_take_claim (TsEtf *etf, const char *begin, TsEtfLine *line, const TsEtfClaim *claim)
{
  if (G_UNLIKELY (claim->t0 > claim->t1 || line->end - begin > TS_ETF_MAX_LINE || !ts_etf_has_room (etf)
                  || !ts_etf_ids_add (&etf->claim_ids, line->id)))
    return FALSE;
  line->attributes = ts_etf_begin_line (etf, line);
  etf->largest_stamp = MAX (etf->largest_stamp, MAX (claim->t1, -claim->t0));
  /* where the capacity is more than what is claimed, etf->largest_amount stays as it is */
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
  etf->largest_stamp = MAX (etf->largest_stamp, ABS (time));
  ts_etf_add_event (etf, time, line->attributes);
  return TRUE;
}
