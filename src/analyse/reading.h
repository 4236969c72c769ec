/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/timeline.h>

#include "analyse/handover.h"
#include "analyse/trace.h"
#include "import/order.h"

G_BEGIN_DECLS

/* One reading of a trace, from the importer's first call to its last: what comes out of the importer goes through the order
 * and the timeline to the measures, with a handover to another thread behind the order where there may be one. */
typedef struct
{
  TsTrace              *trace;
  const TsOptions      *options;
  const TsInstanceSink *instances; /* or NULL */
  gpointer              instances_data;
  TsImport              import;
  TsOrder              *order;
  TsHandover           *handover; /* between the order and what follows, or NULL */
  TsDiagnostics        *found;    /* by the timeline, which may be in another thread than the importer */
  TsTimeline           *timeline;
  TsMeasures           *target; /* of the open section */
  guint64               n_instances; /* of the open section */
  TsElementCounts      *counts_before; /* of each element, when the section began */
  guint                 n_counts_before;
  TsInt128             *busy_before;
  guint                 n_busy_before; /* resources may be declared while the section is read */
  TsInt128              window_before;
  GError               *error; /* found where no error can be returned */
} TsReading;

/* The importer works with its `import'. What was read before of @trace is forgotten, but for what is in @memory. @sort_all: events
 * are sorted as a whole. @instances: who takes the instances, or NULL. */
TsReading *ts_reading_new (TsTrace *trace, const TsOptions *options, TsImportMemory *memory, gboolean sort_all, guint threads,
                           const TsInstanceSink *instances, gpointer instances_data);
/* An error from within a callback. A reading that only learns may not know the time base yet. */
gboolean   ts_reading_has_failed (TsReading *reading, GError **error);
/* The importer is closed. Returns whether the trace is to be read again. */
gboolean   ts_reading_finish (TsReading *reading);
void       ts_reading_free (TsReading *reading);

G_END_DECLS
