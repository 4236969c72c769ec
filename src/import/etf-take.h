/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/digits.h"
#include "import/etf.h"
#include "model/inline.h"

G_BEGIN_DECLS

/* What is done for each claim and each event whose line is good. Inline in the readers of lines, which do little else:
 * calls would cost a third of it. Shared by the files etf*.c. */

/* The names that were there before. With thousands of them every look into memory counts, so what is compared stands
 * in the place itself, but for names beyond TS_ETF_SHORT_NAME bytes. */

#define TS_ETF_SHORT_NAME 16

/* From its n-th byte from the end of the first half on, n bytes that are all ones, and zeros. */
extern const guint8 ts_etf_name_masks[2 * TS_ETF_SHORT_NAME];
/* The element of attributes that are not just one short name in its place. */
guint32 ts_etf_element_of_other (TsEtf *etf, const TsEtfAttributes *attributes, guint32 resource);

/* A short name. TS_ETF_SHORT_NAME bytes may be looked at, however long it is: no branch asks for its length. */
static TS_ALWAYS_INLINE TsEtfRecent
ts_etf_recent_of (TsEtfText name)
{
  const guint8 *mask = ts_etf_name_masks + TS_ETF_SHORT_NAME - name.length;

  return (TsEtfRecent){ .head = ts_eight_load (name.p) & ts_eight_load (mask),
                        .tail = ts_eight_load (name.p + 8) & ts_eight_load (mask + 8),
                        .length = (guint32) name.length };
}

static TS_ALWAYS_INLINE guint32
ts_etf_place_of (const TsEtfRecents *recents, const TsEtfRecent *recent)
{
  const guint64 factor = G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  return (guint32) ((((recent->head * factor) ^ recent->tail) * factor) >> recents->shift);
}

/* The element of these attributes, whose values have TS_ETF_SHORT_NAME bytes that may be looked at; @resource TS_ETF_NONE
 * for events. */
static TS_ALWAYS_INLINE guint32
ts_etf_element_at (TsEtf *etf, const TsEtfAttributes *attributes, guint32 resource)
{
  const TsEtfRecents *recents = &etf->recents;
  TsEtfText           name = attributes->element[0];

  /* a name that is where it belongs, which nearly all are */
  if (G_LIKELY (name.length - 1 < TS_ETF_SHORT_NAME && recents->are_names))
    {
      TsEtfRecent        recent = ts_etf_recent_of (name);
      const TsEtfRecent *found = &recents->slots[ts_etf_place_of (recents, &recent)];

      if (G_LIKELY (found->head == recent.head && found->tail == recent.tail && found->length == recent.length))
        return found->element;
    }
  return ts_etf_element_of_other (etf, attributes, resource);
}

/* What some keep of the last claim, or of an event, beside what is always kept. */
void ts_etf_add_claim_extras (TsEtf *etf, gint64 amount, const TsEtfAttributes *attributes);
void ts_etf_add_event_extras (TsEtf *etf, gint64 time, const TsEtfAttributes *attributes);
/* One that means something once its line is read. */
void ts_etf_keep_event (TsEtf *etf, gint64 time, guint32 element, const TsEtfAttributes *attributes);

static TS_ALWAYS_INLINE void
ts_etf_note_stamps (TsEtf *etf, gint64 first, gint64 last)
{
  if (G_UNLIKELY (first < etf->first))
    etf->first = first;
  etf->last = MAX (etf->last, last);
}

/* FALSE: there are as many as there can be. */
static TS_ALWAYS_INLINE gboolean
ts_etf_has_room (TsEtf *etf)
{
  if (G_LIKELY (etf->n_records < etf->n_allocated))
    return TRUE;
  if (etf->n_records >= TS_ETF_MAX_RECORDS)
    return FALSE;
  ts_etf_reserve_records (etf, etf->n_records + 1);
  return TRUE;
}

/* In the line that is being read, as all of these are; there is room for it, and it is not the first one of its resource. */
static TS_ALWAYS_INLINE void
ts_etf_put_claim (TsEtf *etf, const TsEtfClaim *claim, guint32 element, const TsEtfAttributes *attributes)
{
  gsize        number = etf->n_records++;
  TsEtfRecord *record = &etf->records[number];

  record->t0 = claim->t0;
  record->t1 = claim->t1;
  record->line = etf->line;
  record->element = element;
  record->instance = 0;
  record->resource = (guint16) claim->resource;
  record->flags = 0;
  g_array_index (etf->elements, TsEtfElement, element).has_claims = TRUE;
  ts_etf_note_stamps (etf, claim->t0, claim->t1);
  if (G_LIKELY (number > 0) && G_UNLIKELY (record[-1].t1 > claim->t1))
    etf->ends_go_back = TRUE;
  if (etf->by_start != NULL)
    {
      guint32 *place = &etf->by_start[number];

      /* most come behind the last one or in front of it, but nobody foresees where */
      if (G_LIKELY (number > 1) && G_LIKELY (etf->records[place[-2]].t0 <= claim->t0))
        {
          place[0] = place[-1];
          place[-(etf->records[place[0]].t0 > claim->t0)] = (guint32) number;
        }
      else
        ts_etf_put_start (etf, number);
    }
  else if (!etf->starts_go_back && number > 0 && G_UNLIKELY (record[-1].t0 > claim->t0))
    ts_etf_begin_starts (etf);
  if (G_UNLIKELY (etf->has_extras))
    ts_etf_add_claim_extras (etf, claim->amount, attributes);
}

static TS_ALWAYS_INLINE void
ts_etf_put_event (TsEtf *etf, gint64 time, guint32 element, const TsEtfAttributes *attributes)
{
  /* most are marks on claims of the same name: these need no more than that they are good */
  if (!g_array_index (etf->elements, TsEtfElement, element).has_claims || !etf->starts_claims)
    ts_etf_keep_event (etf, time, element, attributes);
  ts_etf_note_stamps (etf, time, time);
  if (G_UNLIKELY (etf->has_extras))
    ts_etf_add_event_extras (etf, time, attributes);
}

G_END_DECLS
