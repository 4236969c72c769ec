/* SPDX-License-Identifier: MIT */
#pragma once

#include "analyse/trace.h"
#include "import/input.h"
#include "report/read-json.h"

G_BEGIN_DECLS

/* A JSON report is an input like a trace: what was measured is taken as it stands, so several merge, and two can be
 * compared without their traces. */

/* Whole numbers of a report are within +-2^62, so that two of them can be added. */
#define TS_REPORT_LIMIT (G_GINT64_CONSTANT (1) << 62)

/* Whether an input that begins with @head is a report rather than a trace: a JSON object. */
gboolean ts_report_detect (const guint8 *head, gsize length);

/* Reads all of @input, the first block of which is @bytes. Options that change an analysis are refused: it is done. */
TsTrace *ts_report_read (const char *path, TsInput *input, const guint8 *bytes, gsize length, const TsOptions *options,
                         GError **error);

typedef struct
{
  TsJsonReader     json;
  TsTrace         *trace;
  const TsOptions *options;
  TsTimeBase       base; /* of the report: what its whole numbers are in */
  gboolean         has_tables; /* that are not read */
  TsRational       unit; /* how many of the unit of its times one internal unit is */
  guint64          n_kept; /* samples that nobody asked for, of which it has all */
} TsReportReader;

/* read-inputs.c: the traces that the report is on; the first is that of @reader. Sets the time base of it. */
void   ts_report_read_inputs (TsReportReader *reader, JsonObject *report);
/* Fields of inputs that name elements, which are known only later. */
void   ts_report_read_overheads (TsReportReader *reader, JsonObject *report);
/* A number times @factor, rounded to a whole one; within +-2^62. */
gint64 ts_report_whole (TsReportReader *reader, TsRational value, TsRational factor, const char *name);

/* read-stated.c: how many samples @metric has; it must say so, and must not say that there are none where there are. */
guint64 ts_report_read_n (TsReportReader *reader, JsonObject *metric);

/* Each fails where what is stated is not what follows from the samples. @scale: of what @expected was calculated from;
 * @deltas: DT, or NULL; @buckets: all samples, of which @facts has the sums. */
void ts_report_check_stated (TsReportReader *reader, JsonObject *object, const char *name, double expected, double scale);
void ts_report_check_statistics (TsReportReader *reader, JsonObject *metric, const TsAccumulator *samples,
                                 TsQuantity quantity);
void ts_report_check_jitter (TsReportReader *reader, JsonObject *metric, const TsAccumulator *deltas);
void ts_report_check_squares (TsReportReader *reader, const TsAccumulator *facts, const GArray *buckets);

G_END_DECLS
