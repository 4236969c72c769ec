/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Expands gzip data, of one member or of several. Unlike libarchive it compares the length and
 * the checksum that end each member: without them a damaged trace would be read as another one. */
typedef struct _TsGzip TsGzip;

/* The next compressed bytes, lent until the next call: how many, 0 at the end, below 0 for an error. */
typedef gssize (*TsGzipSource) (gpointer data, const guint8 **bytes);

/* NULL with TS_ERROR_INPUT if the library for it is not there. */
TsGzip *ts_gzip_new (TsGzipSource source, gpointer data, GError **error);
void    ts_gzip_free (TsGzip *gzip);

/* The next expanded bytes, lent until the next call; 0 at the end. Below 0: *reason tells what is wrong, with
 * the word "truncated" if the data end too early, or is NULL if it is the source that failed. */
gssize ts_gzip_read (TsGzip *gzip, const guint8 **bytes, const char **reason);

G_END_DECLS
