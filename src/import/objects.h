/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/number.h>
#include <tracestat/table.h>
#include <tracestat/time.h>

G_BEGIN_DECLS

/* The flow of objects (products, frames, messages) through a system. An object is there from its earliest to
 * its latest stamp, which is its latency. With n objects in a span T, all latencies adding up to S:
 *
 *   throughput n / T, mean latency S / n, work in progress S / T = throughput * mean latency (Little's law) */
typedef struct _TsObjects TsObjects;

TsObjects *ts_objects_new (void);
void       ts_objects_free (TsObjects *objects);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsObjects, ts_objects_free)

/* Object @number, which is called @name, was seen from @first to @last: once more, or for the first time if there are
 * so many others. */
void ts_objects_see (TsObjects *objects, guint number, const char *name, gsize length, gint64 first, gint64 last);
/* All stamps times @factor: times are told in finer units from here on. */
void  ts_objects_rescale (TsObjects *objects, gint64 factor);
guint ts_objects_count (const TsObjects *objects);

/* `throughput': one row. */
TsTable *ts_objects_throughput_table (const TsObjects *objects, const char *key, const TsTimeBase *base);
/* `objects': a row for each, in order of their first appearance in the file; made when it is looked at, so @objects is
 * taken. */
TsTable *ts_objects_table (TsObjects *objects);

G_END_DECLS
