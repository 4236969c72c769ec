/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/importer.h"

G_BEGIN_DECLS

/* The stage between an importer and the timeline that sees to it that time never goes
 * backwards (METRICS, rule 15). */
typedef struct _TsOrder TsOrder;

/* @import and @sink are lent. From the first step back on, or with import->memory->sort from the first event on, some
 * thousands of events are held and put in order, or more (import->memory->n_held) after another beginning, if the first
 * events show that these are too few. What is further back is a stray (import->memory->strays): the order asks
 * for another reading, which takes it where it belongs. Where there are too many strays, it is the largest step back that
 * tells how many events are held. In a stream that cannot be read again, what comes late is dropped. @sort_all holds a
 * section back as a whole. */
TsOrder *ts_order_new (TsImport *import, gboolean sort_all, const TsEventSink *sink, gpointer sink_data);
void     ts_order_free (TsOrder *order);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsOrder, ts_order_free)

/* What the importer hands its sections and events to, together with the order itself. */
const TsEventSink *ts_order_sink (void);

/* Events are only being looked at: the input must be read again. */
gboolean ts_order_is_learning (const TsOrder *order);

/* With a step among so many events the reading begins anew; for tests to change. */
extern guint ts_order_first_events;

G_END_DECLS
