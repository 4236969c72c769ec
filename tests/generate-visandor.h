/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdio.h>

#include <glib.h>

G_BEGIN_DECLS

/* Writes a VisAndOr trace of at least so many events, which may be as long as one likes, to @file, and its
 * instances to @csv, unless that is NULL.  FALSE: it could not be written. */
gboolean generate_visandor (guint64 seed, gboolean is_or, guint n_agents, guint64 n_events, FILE *file, FILE *csv);

G_END_DECLS
