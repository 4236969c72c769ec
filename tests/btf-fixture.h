/* SPDX-License-Identifier: MIT */
#pragma once

#include "reading.h"

G_BEGIN_DECLS

#define SCALE "#version 2.1.5\n#timeScale ns\n"

/* Reads @text as BTF, also in chunks of several sizes, which must give the same. */
Reading *read_flags (const char *text, gsize length, ReadFlags flags);
Reading *read_good (const char *text);

void    expect_failure (const char *text, ReadFlags flags, TsError code, const char *message);
guint64 count_of (const Reading *reading, TsDiagnosticId id);
guint   n_diagnostics (const Reading *reading); /* kinds */
void    expect_diagnostic (const Reading *reading, TsDiagnosticId id, guint64 count, guint64 line, const char *detail);

/* "TIME KIND ELEMENT#INSTANCE@CORE<OWNER; ..." without what is not there; a user event is a dot. */
void expect_events (const Reading *reading, const char *expected);
void expect_users (const Reading *reading, const char *expected); /* "EVENT REFERENCE xCOUNT; ..." */
void expect_elements (const Reading *reading, const char *expected); /* "TYPE NAME ID; ..." */
void expect_cores (const Reading *reading, const char *expected);

G_END_DECLS
