/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/system.h>

G_BEGIN_DECLS

/* How many wildcards @glob has, and characters that stand for themselves. */
guint ts_glob_count_wildcards (const char *glob, guint *n_literal);

/* Appends a glob that @name matches, alone if it is text: of what cannot stand in a line each character is a wildcard. */
void ts_glob_append_quoted (GString *glob, const char *name);

G_END_DECLS
