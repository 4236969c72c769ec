/* SPDX-License-Identifier: MIT */
#pragma once

#include "reading-etf.h"

G_BEGIN_DECLS

#define HEAD "TU MICROSECONDS\nR 0 1 false ; name=cpu\nR 1 8 true ; name=mem, unit=MB\n"

/* Reads @text as TRACE, which must be a good one. */
EtfReading *read_good (const char *text, const TsOptions *options);

guint64 count_of (const EtfReading *reading, TsDiagnosticId id);
void    expect_table (const EtfReading *reading, const char *name, const char *expected); /* see etf_reading_table() */

G_END_DECLS
