/* SPDX-License-Identifier: MIT */
#pragma once

#include "options.h"

/* What of the command line turns out to mean nothing, or hardly what was meant, once the traces are read: warnings. */
void notice_selection (const TsReport *report, const Options *options); /* names and types of which there is nothing */
/* By what nobody has, or where neither the summary nor CSV with metrics is written. */
void notice_rank (const TsReport *report, const Options *options, gboolean is_written);
void notice_window (const TsReport *report, const Options *options);    /* that leaves out nothing */
void notice_formats (const GPtrArray *traces, const Options *options);  /* options of formats that no trace has */
void notice_repeated (const Options *options);                          /* a trace that counts twice */
void notice_rules (const Options *options);                             /* --allow without an effect */
/* @writes_csv: percentiles of @metrics, or of all, went into a file that cannot say how exact they are. */
void notice_precision (const TsReport *report, guint metrics, gboolean writes_csv);
