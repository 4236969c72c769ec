/* SPDX-License-Identifier: MIT */
#pragma once

#include "analyse/trace.h"

G_BEGIN_DECLS

/* A trace of BTF, from the file to its numbers. */

#define SCALE "#version 2.1.5\n#timeScale ns\n"

TsTrace *read_with (const char *text, const TsOptions *options);
TsTrace *read_text (const char *text);
guint32  element_of (TsTrace *trace, const char *name);

/* "METRIC n min max sum; ..." of all metrics with samples, in the order of reports; JIT, which is calculated
 * later, SELF where it is CET, and NPR where it is 0 are left out. */
void expect_metrics (TsTrace *trace, const char *name, const char *expected);
void expect_load (TsTrace *trace, const char *core, gint64 busy, gint64 window);
void expect_count (TsTrace *trace, TsDiagnosticId id, guint64 count, guint64 line);
void expect_no_defect (TsTrace *trace);

G_END_DECLS
