/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/trace.h>

#include "analyse/measures.h"
#include "import/stop.h"

G_BEGIN_DECLS

/* A configured period that a report states. */
typedef struct
{
  TsRational  period; /* internal units */
  const char *source; /* NULL: there is none */
} TsStatedPeriod;

/* options.c: those that change what the numbers of a trace of that format mean; and below, its window. To be freed. */
char *ts_options_text (const TsOptions *options, const char *format);
/* Whether the numbers of both mean the same: one may have options that the other's format does not. */
gboolean ts_traces_share_options (const TsTrace *a, const TsTrace *b);

/* A bit for each TsMetricId of which every sample is kept. */
guint ts_options_exact_metrics (const TsOptions *options);
char *ts_options_window_text (const TsOptions *options);

struct _TsTrace
{
  char          *path;
  char          *title; /* what messages call it: the path, and of which report it was read, if it was */
  const char    *format; /* of the importer's table */
  TsSystem      *system;
  TsDiagnostics *diagnostics;
  GPtrArray     *sections; /* of TsSection */
  GPtrArray     *tables;   /* of TsTable: what the importer calculated beside the metrics */
  TsMeasures    *measures; /* all sections */
  GPtrArray     *section_measures; /* of TsMeasures, or NULL */
  guint64        n_events;
  guint64        n_instances;
  gboolean       is_reported; /* its samples are in a report */

  /* of a report that was read, which may be on several traces: this one has all samples, elements and resources */
  gboolean        is_report;
  GPtrArray      *others;  /* of TsTrace: its further inputs, or NULL */
  TsStatedPeriod *periods; /* of each element */
  guint           n_resources, n_elements; /* of this input alone */
  /* of what options it is the result, as on a command line, "" for none */
  char           *options; /* that change what metrics mean; idle tasks and periods, which elements have, apart */
  char           *window;
  TsRational      stated_tick; /* what a tick of this input is in internal units */
};

/* As ts_trace_read(); above 1 of @threads, whatever @options say of jobs, events are analysed in a second one;
 * @stop, if it is not NULL, as ts_input_open_ahead() has it. */
TsTrace *ts_trace_read_until (const char *path, const TsOptions *options, guint threads, const TsInstanceSink *sink,
                              gpointer sink_data, TsProgress progress, gpointer progress_data, TsStop *stop,
                              GError **error);

G_END_DECLS
