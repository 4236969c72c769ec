/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/tracestat.h>

/* Prints what --list WHAT asks for; FALSE if there is no such list. */
gboolean list_print (const char *what);
