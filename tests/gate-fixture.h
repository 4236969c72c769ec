/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/tracestat.h>

/* Small traces whose numbers can be worked out by hand. One tick is 1 us; the section is 0..1000.
 *
 *   T, a task, activation-start-end: 0-10-30, 100-105-135, 200-220-(260 + late)
 *     CET 20 30 40: mean 30, stddev sqrt (200/3); RT 30 35 60; IPT 10 5 20; PER 100 100
 *     DT 95 115, so JIT 1 - 95/100 = 5 %, 1 - 115/100 = -15 %; ST 100-30 = 70, 200-135 = 65
 *   I, an ISR, start-end: 300-308, 400-405
 *     CET 8 5: mean 6.5, stddev 1.5; no RT
 *   N, a task that never runs
 *   resource "0": busy 20 + 30 + 40 + 8 + 5 = 103 of 1000, which is 10.3 % */
typedef struct
{
  gint64      late;    /* the third instance of T ends so much later */
  const char *unit;    /* of a tick; NULL: no time base */
  gboolean    without_n;
  const char *annotations; /* of T, as XML, or NULL */
} GateTrace;

/* The path of a new file; to be freed, and removed. */
char *gate_write (const GateTrace *trace);
char *gate_write_text (const char *text, gssize length);
void  gate_remove (char *path);

/* A report on one file, whatever it is; it owns its traces. */
typedef struct
{
  GPtrArray *traces;
  TsReport  *report;
} GateReport;

GateReport gate_read (const char *path, const TsOptions *options);
GateReport gate_read_trace (const GateTrace *trace, const TsOptions *options);
void       gate_free (GateReport *report);

/* What goes into a JSON file. */
char *gate_json (const TsReport *report);
