/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/writer.h>

/* A report made by hand. One tick is 2 us; the numbers are those of METRICS' example 6 where it has them:
 *   Guru  CET 48, 50, 51, 389 ticks: min 48, mean 538/4 = 134.5, max 389
 *   ISR   never ran
 *   "in,ner" inside Guru: CET 11 ticks; JIT 1/3 against a configured period of 10 ticks
 *   core  635 of 23038 ticks */
extern TsReport       writers_report;
extern TsReportBlock  writers_block; /* its only block */
extern TsPrintOptions writers_options;

/* Before and after each test. */
void writers_set_up (void);
void writers_tear_down (void);

/* What the writer of this name makes of it; to be freed. */
char *writers_write (const char *writer);
void  writers_assert (const char *writer, const char *expected);
