/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Tells a thread that reads an input, and may be waiting for it, that nobody wants it any more. */
typedef struct _TsStop TsStop;

TsStop *ts_stop_new (void);
void    ts_stop_free (TsStop *stop); /* when no thread has it any more */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsStop, ts_stop_free)

void     ts_stop_set (TsStop *stop); /* by any thread, any number of times */
gboolean ts_stop_is_set (TsStop *stop);

/* A descriptor that becomes readable when it is set, until ts_stop_close(); -1: there are no more descriptors. For the
 * one thread that reads, since of many traces those that wait their turn need none. */
int  ts_stop_open (TsStop *stop);
void ts_stop_close (TsStop *stop);

G_END_DECLS
