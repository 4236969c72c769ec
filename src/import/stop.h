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

/* As read(2), but not interrupted by signals, waiting even where @fd does not, and ended with ECANCELED once @stop_fd,
 * the descriptor of a TsStop, becomes readable; -1: there is none. */
gssize ts_stop_read (int fd, guint8 *bytes, gsize size, int stop_fd);

G_END_DECLS
