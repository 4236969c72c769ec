/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/error.h>

G_BEGIN_DECLS

/* Compressed input and archives, through libarchive: gzip, bzip2, xz, zstd, zip, tar and a
 * compressed tar. An archive must hold exactly one regular file, which is the trace. */
typedef struct _TsArchive TsArchive;

/* So many bytes at the beginning tell whether it is one. */
#define TS_ARCHIVE_HEAD 512

/* Without a limit of the user's, no more than this is expanded: a file of a few kilobytes
 * can be made to expand without end. */
#define TS_ARCHIVE_MAX_EXPANDED (G_GUINT64_CONSTANT (64) << 30)

/* What @head (TS_ARCHIVE_HEAD bytes, or the whole of a shorter input) is the beginning of,
 * for messages: "gzip", "zip", ...; NULL: plain data. No trace in text form begins like that. */
const char *ts_archive_recognise (const guint8 *head, gsize length);

typedef struct
{
  const char   *title; /* for messages; lent until ts_archive_free() */
  const char   *kind;  /* from ts_archive_recognise() */
  int           fd;
  int           stop_fd; /* see ts_stop_read() */
  gboolean      is_file; /* it can be sought in */
  gint64        start;   /* of a file: where its first byte is */
  const guint8 *head;    /* of a stream: what has been read of it; lent as well */
  gsize         n_head;
  guint64       max_expanded; /* bytes */
} TsArchiveSource;

/* Opens the one member. NULL with TS_ERROR_INPUT if the input is damaged, or if there is no
 * or more than one regular file; of a stream the latter is known at its end only. */
TsArchive *ts_archive_new (const TsArchiveSource *source, GError **error);
void       ts_archive_free (TsArchive *archive);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsArchive, ts_archive_free)

/* The next bytes of the member; *length 0 at its end. FALSE with TS_ERROR_INPUT if it is
 * cut off or damaged, or expands to more than the limit. */
gboolean ts_archive_read (TsArchive *archive, guint8 *bytes, gsize size, gsize *length, GError **error);

guint64 ts_archive_position (const TsArchive *archive); /* compressed bytes used up */

G_END_DECLS
