/* SPDX-License-Identifier: MIT */
#pragma once

#include "message.h"
#include "options.h"

/* The release check of a run: what is read before the traces, and what comes of it after. */
typedef struct
{
  TsLimits *limits;   /* or NULL */
  GPtrArray *baseline_traces;
  TsReport *baseline; /* or NULL */
  TsCheck  *check;    /* NULL: none was asked for */
} Gate;

/* Reads limits and baseline, and hands idle tasks and periods to the analysis. */
gboolean gate_prepare (Gate *gate, Options *options, GError **error);
/* The verdicts become a part of what is printed. */
gboolean gate_check (Gate *gate, const TsReport *report, Options *options, GError **error);
/* Adds the files of the check to @files (of TsFile), complete and not yet committed. */
gboolean gate_write (const Gate *gate, const TsReport *report, const Options *options, GPtrArray *files,
                     GError **error);
/* The verdict to standard error, for whoever does not see it in the summary; a pass is silent if @is_quiet. */
void     gate_tell (const Gate *gate, const TsPrintOptions *print, gboolean is_quiet);
ExitStatus gate_status (const Gate *gate);
/* Whether there are defects of the baseline that --strict refuses: they are told. */
gboolean gate_refuses_baseline (const Gate *gate);
void     gate_clear (Gate *gate);
