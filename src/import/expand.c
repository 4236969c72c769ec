/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <archive.h>
#include <archive_entry.h>
#include <string.h>

#include "import/expand.h"
#include "import/late.h"

#define XZ_HEADER 12 /* bytes that xz data, or another part of them, begin with */
#define TAIL 64

#define LIBARCHIVE(F) \
  F (archive_read_new) F (archive_read_free) F (archive_read_support_filter_bzip2) F (archive_read_support_filter_xz) \
  F (archive_read_support_filter_zstd) F (archive_read_support_format_raw) F (archive_read_support_format_empty) \
  F (archive_read_set_read_callback) F (archive_read_set_callback_data) F (archive_read_open1) \
  F (archive_read_next_header) F (archive_read_data_block) F (archive_filter_count) F (archive_filter_bytes) \
  F (archive_filter_code) F (archive_error_string)

TS_LATE_LIBRARY (lib, LIBARCHIVE, TS_LIBARCHIVE_FILE);

typedef enum
{
  BEFORE, /* nothing is read yet */
  WITHIN,
  AT_END
} State;

struct _TsExpander
{
  TsGzipSource    source;
  gpointer        data;
  TsGzip         *gzip; /* or NULL, and then: */
  struct archive *reader;
  State           state;
  gssize          last; /* that the source gave */
  TsGiven         given; /* to libarchive */
  gboolean        is_xz;
  guint8          tail[TAIL]; /* the last bytes given */
  gsize           n_tail;
};

/* libarchive's archive_read_support_filter_all() is not for us: with some filters the
 * content of a file would decide that another program is started. */
static void
set_filter (struct archive *reader, const char *kind)
{
  if (g_str_equal (kind, "bzip2"))
    lib.archive_read_support_filter_bzip2 (reader);
  else if (g_str_equal (kind, "xz"))
    lib.archive_read_support_filter_xz (reader);
  else
    lib.archive_read_support_filter_zstd (reader);
}

TsExpander *
ts_expander_new (const char *kind, TsGzipSource source, gpointer data, GError **error)
{
  g_autoptr (TsExpander) expander = g_new0 (TsExpander, 1);

  expander->is_xz = g_str_equal (kind, "xz");
  expander->source = source;
  expander->data = data;
  if (g_str_equal (kind, "gzip"))
    {
      expander->gzip = ts_gzip_new (source, data, error);
      return expander->gzip != NULL ? g_steal_pointer (&expander) : NULL;
    }
  if (!ts_late_load (&lib_late, error))
    return NULL;
  expander->reader = lib.archive_read_new ();
  if (expander->reader == NULL)
    g_error ("out of memory");
  set_filter (expander->reader, kind);
  lib.archive_read_support_format_raw (expander->reader);
  lib.archive_read_support_format_empty (expander->reader);
  return g_steal_pointer (&expander);
}

void
ts_expander_free (TsExpander *expander)
{
  if (expander == NULL)
    return;
  ts_gzip_free (expander->gzip);
  if (expander->reader != NULL)
    lib.archive_read_free (expander->reader);
  g_free (expander);
}

static void
keep_tail (TsExpander *expander, const guint8 *bytes, gsize n)
{
  gsize taken = MIN (n, TAIL), kept = MIN (expander->n_tail, TAIL - taken);

  memmove (expander->tail, expander->tail + expander->n_tail - kept, kept);
  memcpy (expander->tail + kept, bytes + n - taken, taken);
  expander->n_tail = kept + taken;
}

static la_ssize_t
read_source (G_GNUC_UNUSED struct archive *reader, void *data, const void **bytes)
{
  TsExpander   *expander = data;
  const guint8 *raw = NULL;

  expander->last = expander->source (expander->data, &raw);
  if (expander->last > 0)
    {
      ts_given_add (&expander->given, raw, (gsize) expander->last);
      keep_tail (expander, raw, (gsize) expander->last);
    }
  *bytes = raw;
  return expander->last;
}

/* liblzma waits for what another part begins with, or for a fourth zero. Where the data end before that, there is "YZ",
 * which ends a part, perhaps zeros, and something that is no part that was cut off. */
static gboolean
ends_behind_xz (const TsExpander *expander)
{
  static const guint8 magic[] = { 0xfd, '7', 'z', 'X', 'Z', 0 };
  const gsize         length = expander->n_tail;
  gsize               end = length, n;

  while (end >= 2 && memcmp (expander->tail + end - 2, "YZ", 2) != 0)
    end--;
  if (!expander->is_xz || end < 2)
    return FALSE;
  while (end < length && expander->tail[end] == 0)
    end++;
  n = length - end;
  return n < XZ_HEADER && (n == 0 || memcmp (expander->tail + end, magic, MIN (n, sizeof magic)) != 0);
}

static gssize
fail (const TsExpander *expander, const char **reason)
{
  if (expander->last < 0)
    return -1;
  if (expander->last > 0)
    *reason = lib.archive_error_string (expander->reader);
  else
    *reason = ends_behind_xz (expander) ? "there is something else after the compressed data" : "truncated";
  if (*reason == NULL)
    *reason = "it is damaged";
  return -1;
}

static gboolean
begin (TsExpander *expander)
{
  struct archive_entry *entry;
  int                   status;

  lib.archive_read_set_read_callback (expander->reader, read_source);
  lib.archive_read_set_callback_data (expander->reader, expander);
  if (lib.archive_read_open1 (expander->reader) != ARCHIVE_OK)
    return FALSE;
  status = lib.archive_read_next_header (expander->reader, &entry);
  expander->state = status == ARCHIVE_EOF ? AT_END : WITHIN;
  return status == ARCHIVE_EOF || status == ARCHIVE_OK || status == ARCHIVE_WARN;
}

/* libarchive takes for the end of bzip2 data whatever does not begin like another part of them, which
 * parallel compressors write: so also a part that is damaged there, or cut off. Zeros may follow, as on tapes. */
static gssize
finish (TsExpander *expander, const char **reason)
{
  int         n = lib.archive_filter_count (expander->reader);
  const void *bytes;

  expander->state = AT_END;
  if (expander->last < 0)
    return -1;
  if (n < 2 || lib.archive_filter_code (expander->reader, n - 2) != ARCHIVE_FILTER_BZIP2)
    return 0;
  while (read_source (expander->reader, expander, &bytes) > 0)
    continue;
  if (expander->last == 0 && expander->given.filled > (guint64) lib.archive_filter_bytes (expander->reader, -1))
    *reason = "what follows a whole part of it is something else, or damaged or cut off";
  return *reason != NULL ? -1 : expander->last;
}

gssize
ts_expander_read (TsExpander *expander, const guint8 **bytes, const char **reason)
{
  const void *block;
  size_t      length = 0;
  la_int64_t  offset;
  int         status;

  if (expander->gzip != NULL)
    return ts_gzip_read (expander->gzip, bytes, reason);
  *reason = NULL;
  if (expander->state == AT_END)
    return 0;
  if (expander->state == BEFORE)
    {
      if (!begin (expander))
        return fail (expander, reason);
      /* what begins like compressed data and is none is damaged: libarchive takes it for raw data; and more than one
       * filter would each end somewhere, which is known of the first only */
      if (lib.archive_filter_count (expander->reader) != 2)
        {
          *reason = lib.archive_filter_count (expander->reader) < 2 ? "truncated or damaged"
                                                                    : "it is compressed more than once; extract it";
          return -1;
        }
      if (expander->state == AT_END)
        return finish (expander, reason);
    }
  do
    status = lib.archive_read_data_block (expander->reader, &block, &length, &offset);
  while (status == ARCHIVE_RETRY || (status == ARCHIVE_OK && length == 0));
  if (status == ARCHIVE_EOF)
    return finish (expander, reason);
  if (status != ARCHIVE_OK)
    return fail (expander, reason);
  *bytes = block;
  return (gssize) length;
}
