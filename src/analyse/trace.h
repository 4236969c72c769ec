/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/trace.h>

#include "analyse/measures.h"

G_BEGIN_DECLS

/* A configured period that a report states. */
typedef struct
{
  TsRational  period; /* internal units */
  const char *source; /* NULL: there is none */
} TsStatedPeriod;

struct _TsTrace
{
  char          *path;
  const char    *format; /* of the importer's table */
  TsSystem      *system;
  TsDiagnostics *diagnostics;
  GPtrArray     *sections; /* of TsSection */
  GPtrArray     *tables;   /* of TsTable: what the importer calculated beside the metrics */
  TsMeasures    *measures; /* all sections */
  GPtrArray     *section_measures; /* of TsMeasures, or NULL */
  guint64        n_events;
  guint64        n_instances;

  /* of a report that was read, which may be on several traces: this one has all samples, elements and resources */
  gboolean        is_report;
  GPtrArray      *others;  /* of TsTrace: its further inputs, or NULL */
  TsStatedPeriod *periods; /* of each element */
  guint           n_resources, n_elements; /* of this input alone */
  TsRational      stated_tick; /* what a tick of this input is in internal units */
};

G_END_DECLS
