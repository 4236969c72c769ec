/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/gzip.h"

G_BEGIN_DECLS

/* What was handed on, and how much of it there is without the zeros at its end. */
typedef struct
{
  guint64 n, filled;
} TsGiven;

static inline void
ts_given_add (TsGiven *given, const guint8 *bytes, gsize n)
{
  gsize filled = n;

  while (filled > 0 && bytes[filled - 1] == 0)
    filled--;
  if (filled > 0)
    given->filled = given->n + filled;
  given->n += n;
}

/* Expands compressed data: gzip by itself; bzip2, xz and zstd through libarchive. What comes out may be an archive. */
typedef struct _TsExpander TsExpander;

/* @kind is what ts_archive_recognise() says. NULL with TS_ERROR_INPUT if the library for it is not there. */
TsExpander *ts_expander_new (const char *kind, TsGzipSource source, gpointer data, GError **error);
void        ts_expander_free (TsExpander *expander);

/* As ts_gzip_read(); a reason is lent until ts_expander_free(). */
gssize ts_expander_read (TsExpander *expander, const guint8 **bytes, const char **reason);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TsExpander, ts_expander_free)

G_END_DECLS
