/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A thread that reads blocks before they are asked for: what expands or delivers the input
 * works beside what parses it. At most TS_AHEAD_BLOCKS blocks wait. */
typedef struct _TsAhead TsAhead;

#define TS_AHEAD_BLOCKS 4

/* The next bytes of a source, at most @size of them; *length 0 at the end. *position, which
 * is 0 before, may tell how much of the source is used up by then. Called in the thread. */
typedef gboolean (*TsAheadRead) (gpointer source, guint8 *bytes, gsize size, gsize *length, guint64 *position,
                                 GError **error);

/* Nobody else may touch @source until ts_ahead_free(). NULL: there can be no further thread. */
TsAhead *ts_ahead_new (TsAheadRead read, gpointer source);

/* Waits for the end of a call of @read under way. */
void ts_ahead_free (TsAhead *ahead);

/* Like @read: blocks, the end and the error come in their order. The bytes are lent until the next call. */
gboolean ts_ahead_next (TsAhead *ahead, const guint8 **bytes, gsize *length, guint64 *position, GError **error);

G_END_DECLS
