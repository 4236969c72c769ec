/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/report.h>

#include "analyse/measures.h"

G_BEGIN_DECLS

typedef struct
{
  guint    input; /* index of the trace */
  guint32  id;    /* in its system */
  gboolean has_deltas; /* it has samples of DT */
  guint32  next; /* one of the same element, or TS_POOL_NONE */
} TsPoolMember;

/* The name of a resource that an element ran on. */
typedef struct
{
  const char *name;
  guint32     before; /* another one of the same element, or TS_POOL_NONE */
} TsPoolName;

#define TS_POOL_NONE G_MAXUINT32

/* Where what belongs to an element is found: indexes, or TS_POOL_NONE. */
typedef struct
{
  guint32 parent;
  guint32 last_ran_on;
  guint32 first_member, last_member;
} TsPoolPlaces;

/* A block of a report while the measures of several traces are being pooled in it.
 * Which elements of two traces are the same: see match.h. */
typedef struct
{
  TsReportBlock *block;    /* block and measures go to the report and are not freed with the pool */
  TsMeasures    *measures; /* indexed like block->elements */
  GArray        *element_index;  /* of guint32: by the number of match.h the index + 1, or 0 */
  GHashTable    *resource_index; /* "name\nk" -> index + 1 */
  GArray        *ran_on;  /* of TsPoolName, of all elements; some are there twice */
  GArray        *members; /* of TsPoolMember: what of the traces is pooled in each element */
  GArray        *places;  /* of TsPoolPlaces: of each element */
  TsInt128      *windows; /* of each resource */
  gboolean       keeps_shares;
} TsPool;

TsPool *ts_pool_new (guint section, guint input, guint exact_metrics);
void    ts_pool_free (TsPool *pool);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsPool, ts_pool_free)

/* Adds what was measured in @trace; its samples are moved. @numbers: which of its elements is which;
 * @factor brings its times to the common base. */
gboolean ts_pool_add (TsPool *pool, const TsTrace *trace, TsMeasures *measures, const guint32 *numbers, gint64 factor,
                      guint input, GError **error);

/* Brings the elements into the order of their tree: parents first, then their children. */
void ts_pool_sort (TsPool *pool);

/* Gathers what the traces, all of which @report has by now, annotate the element @index with. */
void ts_pool_collect_annotations (const TsPool *pool, const TsReport *report, guint index);

/* The member of the element @index behind @member, or the first one behind NULL; NULL at the end. */
const TsPoolMember *ts_pool_next_member (const TsPool *pool, guint index, const TsPoolMember *member);

/* Names of the resources that the element @index is declared or ran on, joined by '+'. */
const char *ts_pool_resources_of (const TsPool *pool, guint index);

/* The resource that all traces declare the element @index on, or NULL. */
const char *ts_pool_declared_on (const TsPool *pool, const GPtrArray *traces, guint index);

void ts_report_block_free (TsReportBlock *block);

G_END_DECLS
