/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/trace.h>

#include "analyse/measures.h"

G_BEGIN_DECLS

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
};

G_END_DECLS
