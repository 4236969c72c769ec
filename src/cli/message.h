/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/tracestat.h>

/* Messages to standard error, and the exit status that follows from them. */

typedef enum
{
  EXIT_FINE = 0,
  EXIT_VIOLATED = 1, /* a limit or the baseline; or --strict, and the trace is defective */
  EXIT_TROUBLE = 2,  /* usage, input or output */
} ExitStatus;

void message_set_quiet (gboolean quiet);

/* "tracestat: ..." in one line, which nothing in it can end; errors are printed even with --quiet. */
void message_error (const char *format, ...) G_GNUC_PRINTF (1, 2);
void message_usage (const char *text); /* an error, and where help is found */
void message_warning (const char *format, ...) G_GNUC_PRINTF (1, 2);

/* A line for each kind of defect and warning of @diagnostics. */
void message_diagnostics (const TsDiagnostics *diagnostics);
/* A line for each kind of what @rules refuse, if nobody was told: notes, and all with --quiet. */
void message_refused (const TsDiagnostics *diagnostics, const TsDiagnosticRule *rules);
