/* SPDX-License-Identifier: MIT */
#pragma once

#include "reading-visandor.h"

G_BEGIN_DECLS

/* What tests of VisAndOr traces expect. */

#define AND "0\n0 5 0 0 0 0\n"
#define OR "1\n0 5 0 0 0 0\n"

/* An instance as numbers; A -1: no activation. */
typedef struct
{
  TsElementType type;
  gint64        number, activation, start, end, running, preempted, waiting;
} Expected;

/* Reads @text, which is no error. */
VisReading       *read_text (const char *text);
guint64           count_of (const VisReading *reading, TsDiagnosticId id);
const TsInstance *find (const VisReading *reading, TsElementType type, gint64 number); /* NULL: there is none */
void              expect (const VisReading *reading, gint64 offset, const Expected *expected);
void expect_cell (const VisReading *reading, const char *table, guint row, const char *column, const char *expected);

G_END_DECLS
