/* SPDX-License-Identifier: MIT */
#pragma once

#include "reading.h"

G_BEGIN_DECLS

/* clang-format off */
#define TRACE(content) "<TraceData Start='0'>" content "</TraceData>\n"
#define EVENT(time, event, reference) \
  "<TraceEntry Time='" time "' EventID='" event "' ReferenceID='" reference "'/>\n"
#define ROOT(content) "<CommonFormat Version='1.0'>\n" content "</CommonFormat>\n"
/* clang-format on */

/* Reads @text as ATF, which must not fail. */
Reading *read_good (const char *text, ReadFlags flags);

void             expect_failure (const char *text, ReadFlags flags, TsError code, const char *message);
guint64          count_of (const Reading *reading, TsDiagnosticId id);
const TsSection *section_of (const Reading *reading, guint index);

/* As reading_events() writes them. */
void expect_events (const Reading *reading, const char *expected);

G_END_DECLS
