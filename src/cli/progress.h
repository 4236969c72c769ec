/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/tracestat.h>

/* The line on standard error that tells how far the reading is: only on a terminal, and
 * only if it takes longer than a second. */

void progress_init (gboolean wanted);
/* A TsProgress; @data: the traces, if several are read at a time. */
void progress_report (gpointer data, const char *path, guint64 position, guint64 size);
void progress_clear (void);
