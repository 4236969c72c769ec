/* SPDX-License-Identifier: MIT */
#pragma once

#include <archive.h>
#include <archive_entry.h>

#include "import/input.h"

G_BEGIN_DECLS

/* Input is made here, with libarchive's writer, and read back. */

typedef struct
{
  const char *kind;
  int         filter, format;
} ArchiveKind;

#define N_KINDS 8
#define FIRST_CONTAINER 4

extern const ArchiveKind kinds[N_KINDS];

void  make_folder (void);
void  remove_folder (void);
char *path_of (const char *name); /* in that folder */

GString *make_text (gsize length); /* which no compressor brings to nothing */

struct archive *begin_archive (const char *path, guint kind);
void add_member (struct archive *writer, const char *name, int type, const char *bytes, gsize length);
void end_archive (struct archive *writer);
/* The path of an archive of the kind that holds @text, beside a folder where it can. */
char *make_archive (guint kind, const GString *text);
void  pack_file (const char *path, guint kind, const char *name); /* as it is, whatever it holds */
void  append_bytes (const char *path, const char *more, gsize length);

GString *read_all (TsInput *input, GError **error);
GString *read_file (const char *path, guint64 limit, GError **error);
/* The same through a pipe as standard input, which a child fills a few bytes at a time. */
GString *read_piped (const char *path, guint64 limit, GError **error);

void expect_text (GString *got, const GString *expected, GError **error);
void expect_failure (GString *got, GError **error, const char *path, const char *part);

G_END_DECLS
