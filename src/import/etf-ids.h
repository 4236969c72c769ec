/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define TS_ETF_NONE G_MAXUINT32 /* no number */

/* Ids that are near to one another, and far from all before. */
typedef struct
{
  guint64  base;
  guint32 *slots; /* number + 1, by what they are above the base; 0: it is not there */
  gsize    n_slots;
  guint32  n;
} TsEtfIdRange;

#define TS_ETF_ID_RANGES 17

/* Ids of TRACE: the n-th id that is added means n, from 0. */
typedef struct
{
  guint64 *ids;   /* by number, or in order of themselves */
  guint32 *slots; /* number + 1; open addressing, or beside the ids in order */
  gsize    n_ids, n_slots; /* there is room for */
  guint64  first; /* or 0: there is none */
  guint64  next; /* the one that is number n, or TS_ETF_NO_ID: they do not come one after another */
  guint32  n;
  guint8   mode;
  guint8   n_ranges;
  TsEtfIdRange *ranges;
} TsEtfIds;

#define TS_ETF_NO_ID G_MAXUINT64 /* no id has it */

gboolean ts_etf_ids_add_any (TsEtfIds *ids, guint64 id);
guint32  ts_etf_ids_find (const TsEtfIds *ids, guint64 id); /* TS_ETF_NONE: it is not there */
guint32  ts_etf_ids_number (TsEtfIds *ids, guint64 id); /* the last one, if it was not there */
void     ts_etf_ids_clear (TsEtfIds *ids);
void     ts_etf_ids_fetch (const TsEtfIds *ids, guint64 id); /* what will be looked at, into the cache */

/* FALSE: it is another one. */
static inline gboolean
ts_etf_ids_add_next (TsEtfIds *ids, guint64 id)
{
  if (G_UNLIKELY (id != ids->next))
    return FALSE;
  ids->next++;
  ids->n++;
  return TRUE;
}

/* FALSE: it is there already. */
static inline gboolean
ts_etf_ids_add (TsEtfIds *ids, guint64 id)
{
  return ts_etf_ids_add_next (ids, id) || ts_etf_ids_add_any (ids, id);
}

G_END_DECLS
