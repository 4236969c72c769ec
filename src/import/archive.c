/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "import/archive.h"
#include "import/gzip.h"
#include "import/input.h"
#include "import/late.h"

#define SOURCE_BLOCK (64 * 1024)
#define MAX_NAMED 4 /* members that a message names */
#define ZIP_END 22  /* bytes of the record that ends a zip archive, without its comment */
#define ZIP_TAIL (ZIP_END + 65535)

#define LIBARCHIVE(F) \
  F (archive_read_new) F (archive_read_free) F (archive_read_support_filter_gzip) \
  F (archive_read_support_filter_bzip2) F (archive_read_support_filter_xz) F (archive_read_support_filter_zstd) \
  F (archive_read_support_format_raw) F (archive_read_support_format_zip) F (archive_read_support_format_tar) \
  F (archive_read_support_format_empty) F (archive_read_set_read_callback) F (archive_read_set_seek_callback) \
  F (archive_read_set_skip_callback) F (archive_read_set_callback_data) F (archive_read_open1) \
  F (archive_read_next_header) F (archive_read_data) F (archive_read_data_block) F (archive_entry_pathname) \
  F (archive_entry_filetype) F (archive_filter_count) F (archive_filter_bytes) F (archive_filter_code) F (archive_format) \
  F (archive_set_error) F (archive_error_string)

TS_LATE_LIBRARY (lib, LIBARCHIVE, TS_LIBARCHIVE_FILE);

struct _TsArchive
{
  TsArchiveSource source;
  struct archive *reader;
  TsGzip         *gzip; /* or NULL: the outermost compression, if it is this one */
  GByteArray     *tail; /* or NULL: the last bytes of a zip archive */
  guint8          block[SOURCE_BLOCK];
  const char     *reason; /* or NULL: what is wrong with the data, where libarchive does not say it */
  guint64         taken;  /* of the source */
  guint64         given;  /* of that to libarchive, in its order; and up to the last byte that is not zero: */
  guint64         given_filled;
  guint64         expanded;
  gboolean        is_container; /* has members, unlike a stream that is merely compressed */
  gboolean        at_end;
  gboolean        asked_beyond; /* more was wanted where the source ended */
  guint           n_members;    /* regular files so far */
  GString        *members;      /* their names */
};

/* Recognition */

static gboolean
has (const guint8 *head, gsize length, gsize at, const char *magic, gsize n)
{
  return length >= at + n && memcmp (head + at, magic, n) == 0;
}

/* "BZh9" could be text; what follows it in a compressed file could not. */
static gboolean
is_bzip2 (const guint8 *head, gsize length)
{
  return has (head, length, 0, "BZh", 3) && length > 3 && head[3] >= '1' && head[3] <= '9'
         && (has (head, length, 4, "\x31\x41\x59\x26\x53\x59", 6) || has (head, length, 4, "\x17\x72\x45\x38\x50\x90", 6));
}

/* The checksum of a tar header is the sum of its bytes with itself taken as blanks. */
static gboolean
is_tar (const guint8 *head, gsize length)
{
  guint sum = 0, stated = 0;

  if (length < TS_ARCHIVE_HEAD || !has (head, length, 257, "ustar", 5))
    return FALSE;
  for (guint i = 0; i < TS_ARCHIVE_HEAD; i++)
    sum += i >= 148 && i < 156 ? ' ' : head[i];
  for (guint i = 148; i < 156; i++)
    if (head[i] >= '0' && head[i] <= '7')
      stated = 8 * stated + (guint) (head[i] - '0');
    else if (head[i] != ' ')
      break;
  return sum == stated;
}

const char *
ts_archive_recognise (const guint8 *head, gsize length)
{
  static const struct
  {
    const char *magic;
    gsize       length;
    const char *kind;
  } magics[] = {
    { "\x1f\x8b", 2, "gzip" },
    { "\xfd" "7zXZ\0", 6, "xz" },
    { "\x28\xb5\x2f\xfd", 4, "zstd" },
    { "PK\x03\x04", 4, "zip" },
    { "PK\x05\x06", 4, "zip" }, /* without members */
    { "PK\x07\x08PK\x03\x04", 8, "zip" }, /* the first part of one that was to be split */
  };

  for (gsize i = 0; i < G_N_ELEMENTS (magics); i++)
    if (has (head, length, 0, magics[i].magic, magics[i].length))
      return magics[i].kind;
  /* zstd's skippable frames, which parallel compressors put first */
  if (length >= 4 && (head[0] & 0xf0) == 0x50 && has (head, length, 1, "\x2a\x4d\x18", 3))
    return "zstd";
  if (is_bzip2 (head, length))
    return "bzip2";
  return is_tar (head, length) ? "tar" : NULL;
}

/* What libarchive calls */

static gssize
read_raw (gpointer data, const guint8 **bytes)
{
  TsArchive       *archive = data;
  TsArchiveSource *source = &archive->source;
  gssize           n;

  if (source->n_head > 0)
    {
      *bytes = source->head;
      n = (gssize) source->n_head;
      source->n_head = 0;
      archive->taken += (guint64) n;
      return n;
    }
  n = ts_input_read_descriptor (source->fd, archive->block, SOURCE_BLOCK, source->stop_fd);
  if (n < 0)
    lib.archive_set_error (archive->reader, errno, "%s", g_strerror (errno));
  else
    archive->taken += (guint64) n;
  *bytes = archive->block;
  return n;
}

static la_ssize_t
read_source (G_GNUC_UNUSED struct archive *reader, void *data, const void **bytes)
{
  TsArchive    *archive = data;
  const guint8 *raw = NULL;
  const char   *reason = NULL;
  gssize        n = archive->gzip != NULL ? ts_gzip_read (archive->gzip, &raw, &reason) : read_raw (archive, &raw);

  /* libarchive forgets an error that comes while it still looks what the data are */
  if (reason != NULL)
    archive->reason = reason;
  archive->asked_beyond = n == 0;
  for (gssize i = n; i > 0; i--)
    if (raw[i - 1] != 0)
      {
        archive->given_filled = archive->given + (guint64) i;
        break;
      }
  archive->given += (guint64) MAX (n, 0);
  if (archive->tail != NULL && n > 0)
    {
      g_byte_array_append (archive->tail, raw, (guint) n);
      if (archive->tail->len > ZIP_TAIL)
        g_byte_array_remove_range (archive->tail, 0, archive->tail->len - ZIP_TAIL);
    }
  *bytes = raw;
  return n;
}

static la_int64_t
seek_source (G_GNUC_UNUSED struct archive *reader, void *data, la_int64_t offset, int whence)
{
  const TsArchiveSource *source = &((TsArchive *) data)->source;
  gint64                 at = lseek (source->fd, whence == SEEK_SET ? source->start + offset : offset, whence);

  return at < 0 ? ARCHIVE_FATAL : at - source->start;
}

static la_int64_t
skip_source (struct archive *reader, void *data, la_int64_t request)
{
  const TsArchiveSource *source = &((TsArchive *) data)->source;
  gint64                 at = seek_source (reader, data, 0, SEEK_CUR);
  gint64                 end = seek_source (reader, data, 0, SEEK_END);

  /* nothing can be skipped beyond the end, or a cut off file would not be noticed */
  if (at < 0 || end < 0)
    return 0;
  request = MIN (request, MAX (end - at, 0));
  return lseek (source->fd, source->start + at + request, SEEK_SET) < 0 ? 0 : request;
}

/* Opening */

static gboolean
fail (const TsArchive *archive, GError **error)
{
  const char *reason = archive->reason != NULL   ? archive->reason
                       : archive->reader != NULL ? lib.archive_error_string (archive->reader)
                                                 : NULL;
  g_autofree char *lower = g_ascii_strdown (reason != NULL ? reason : "damaged", -1);
  gboolean is_cut = archive->asked_beyond || strstr (lower, "truncat") != NULL;

  if (is_cut)
    g_set_error (error, TS_ERROR, TS_ERROR_INPUT, "%s: truncated: the %s data ends too early", archive->source.title,
                 archive->source.kind);
  else
    g_set_error (error, TS_ERROR, TS_ERROR_INPUT, "%s: the %s data cannot be expanded: %s", archive->source.title,
                 archive->source.kind, reason != NULL ? reason : "it is damaged");
  return FALSE;
}

static gboolean
check_limit (const TsArchive *archive, guint64 expanded, GError **error)
{
  if (expanded <= archive->source.max_expanded)
    return TRUE;
  g_set_error (error, TS_ERROR, TS_ERROR_INPUT,
               "%s: the %s data expands to more than %" G_GUINT64_FORMAT " bytes; --max-expanded sets this limit",
               archive->source.title, archive->source.kind, archive->source.max_expanded);
  return FALSE;
}

/* libarchive's archive_read_support_filter_all() is not for us: with some filters the
 * content of a file would decide that another program is started. */
static gboolean
open_reader (TsArchive *archive, GError **error)
{
  struct archive *reader = lib.archive_read_new ();

  archive->reader = reader;
  if (reader == NULL)
    g_error ("out of memory");
  archive->taken = archive->given = archive->given_filled = 0;
  g_clear_pointer (&archive->gzip, ts_gzip_free);
  if (g_str_equal (archive->source.kind, "gzip"))
    {
      archive->gzip = ts_gzip_new (read_raw, archive, error);
      if (archive->gzip == NULL)
        {
          g_prefix_error (error, "%s: ", archive->source.title);
          return FALSE;
        }
    }
  lib.archive_read_support_filter_gzip (reader);
  lib.archive_read_support_filter_bzip2 (reader);
  lib.archive_read_support_filter_xz (reader);
  lib.archive_read_support_filter_zstd (reader);
  lib.archive_read_support_format_raw (reader);
  lib.archive_read_support_format_zip (reader);
  lib.archive_read_support_format_tar (reader);
  lib.archive_read_support_format_empty (reader);
  lib.archive_read_set_read_callback (reader, read_source);
  if (archive->source.is_file && lseek (archive->source.fd, archive->source.start, SEEK_SET) < 0)
    {
      g_set_error (error, TS_ERROR, TS_ERROR_INPUT, "%s: %s", archive->source.title, g_strerror (errno));
      return FALSE;
    }
  if (archive->source.is_file && archive->gzip == NULL)
    {
      lib.archive_read_set_seek_callback (reader, seek_source);
      lib.archive_read_set_skip_callback (reader, skip_source);
    }
  lib.archive_read_set_callback_data (reader, archive);
  return lib.archive_read_open1 (reader) == ARCHIVE_OK || fail (archive, error);
}

/* Moves to the next regular file and counts it; *found FALSE: there is none. */
static gboolean
next_member (TsArchive *archive, gboolean *found, GError **error)
{
  struct archive_entry *entry;
  int                   status;

  *found = FALSE;
  while ((status = lib.archive_read_next_header (archive->reader, &entry)) == ARCHIVE_OK
         || status == ARCHIVE_WARN || status == ARCHIVE_RETRY)
    {
      const char *name = lib.archive_entry_pathname (entry);

      archive->is_container = lib.archive_format (archive->reader) != ARCHIVE_FORMAT_RAW;
      if (status == ARCHIVE_RETRY)
        continue;
      /* macOS adds a file of attributes for each file */
      if (archive->is_container
          && (lib.archive_entry_filetype (entry) != AE_IFREG || (name != NULL && g_str_has_prefix (name, "__MACOSX/"))))
        continue;
      if (archive->n_members++ < MAX_NAMED)
        g_string_append_printf (archive->members, "%s%s", archive->n_members > 1 ? ", " : "",
                                name != NULL ? name : "a file without a name");
      *found = TRUE;
      return TRUE;
    }
  return status == ARCHIVE_EOF || fail (archive, error);
}

static gboolean
judge_members (const TsArchive *archive, GError **error)
{
  if (archive->n_members == 1)
    return TRUE;
  if (archive->n_members == 0)
    g_set_error (error, TS_ERROR, TS_ERROR_INPUT, "%s: there is no file in the archive", archive->source.title);
  else
    g_set_error (error, TS_ERROR, TS_ERROR_INPUT,
                 "%s: one file is expected in the archive, and there are %u: %s%s; extract the one that is meant",
                 archive->source.title, archive->n_members, archive->members->str,
                 archive->n_members > MAX_NAMED ? ", ..." : "");
  return FALSE;
}

/* Passes over the data of a member in small steps: a compressed tar is expanded for that. */
static gboolean
pass_over (TsArchive *archive, GError **error)
{
  const void *bytes;
  size_t      length;
  la_int64_t  offset;
  int         status = ARCHIVE_OK;

  if (lib.archive_filter_count (archive->reader) <= 1 && archive->gzip == NULL)
    return TRUE;
  while ((status = lib.archive_read_data_block (archive->reader, &bytes, &length, &offset)) == ARCHIVE_OK
         || status == ARCHIVE_RETRY)
    if (!check_limit (archive, (guint64) lib.archive_filter_bytes (archive->reader, 0), error))
      return FALSE;
  return status == ARCHIVE_EOF || fail (archive, error);
}

/* A zip archive without its end has members, but nobody knows whether these are all. */
static gboolean
has_zip_end (const GByteArray *tail)
{
  for (gsize i = 0; i + ZIP_END <= tail->len; i++)
    if (memcmp (tail->data + i, "PK\x05\x06", 4) == 0
        && i + ZIP_END + tail->data[i + 20] + 256U * tail->data[i + 21] <= tail->len)
      return TRUE;
  return FALSE;
}

static gboolean
check_zip_file (TsArchive *archive, GError **error)
{
  g_autoptr (GByteArray) tail = g_byte_array_new ();
  gint64 end = lseek (archive->source.fd, 0, SEEK_END);
  gssize n;

  if (lseek (archive->source.fd, MAX (end - ZIP_TAIL, archive->source.start), SEEK_SET) < 0)
    return TRUE;
  while ((n = read (archive->source.fd, archive->block, SOURCE_BLOCK)) > 0)
    g_byte_array_append (tail, archive->block, (guint) n);
  archive->asked_beyond = !has_zip_end (tail);
  return !archive->asked_beyond || fail (archive, error);
}

/* Counts the members from the present one on. */
static gboolean
survey (TsArchive *archive, gboolean found, GError **error)
{
  while (found)
    if (!pass_over (archive, error) || !next_member (archive, &found, error))
      return FALSE;
  return judge_members (archive, error);
}

static gboolean
reopen (TsArchive *archive, gboolean *found, GError **error)
{
  lib.archive_read_free (archive->reader);
  archive->reader = NULL;
  archive->n_members = 0;
  g_string_truncate (archive->members, 0);
  return open_reader (archive, error) && next_member (archive, found, error);
}

/* Data that begins like a compressed file and is none is a damaged one: libarchive takes it for raw data. */
static gboolean
check_kind (TsArchive *archive, GError **error)
{
  if (archive->is_container || archive->gzip != NULL || lib.archive_filter_count (archive->reader) > 1)
    return TRUE;
  g_set_error (error, TS_ERROR, TS_ERROR_INPUT, "%s: truncated or damaged %s data", archive->source.title,
               archive->source.kind);
  return FALSE;
}

/* libarchive takes for the end of bzip2 data whatever does not begin like another part of them, which
 * parallel compressors write: so also a part that is damaged there, or cut off. Zeros may follow, as on tapes. */
static gboolean
ends_in_bzip2 (const TsArchive *archive)
{
  int n = lib.archive_filter_count (archive->reader);

  return !archive->is_container && n > 1
         && lib.archive_filter_code (archive->reader, n - 2) == ARCHIVE_FILTER_BZIP2;
}

/* Whatever stands behind the member: checksums, the end of a zip archive, and what should not be there. */
static gboolean
read_to_end (TsArchive *archive, GError **error)
{
  gboolean    is_bzip2 = ends_in_bzip2 (archive);
  const void *bytes;
  la_ssize_t  n;

  if (archive->gzip == NULL && archive->tail == NULL && !is_bzip2)
    return TRUE;
  while ((n = read_source (archive->reader, archive, &bytes)) > 0)
    continue;
  if (n == 0 && is_bzip2 && archive->given_filled > (guint64) lib.archive_filter_bytes (archive->reader, -1))
    {
      archive->reason = "what follows a whole part of it is something else, or damaged or cut off";
      n = -1;
    }
  archive->asked_beyond = archive->tail != NULL && !has_zip_end (archive->tail);
  return (n == 0 && !archive->asked_beyond) || fail (archive, error);
}

TsArchive *
ts_archive_new (const TsArchiveSource *source, GError **error)
{
  g_autoptr (TsArchive) archive = NULL;
  gboolean found;

  if (!ts_late_load (&lib_late, error))
    {
      g_prefix_error (error, "%s: ", source->title);
      return NULL;
    }
  archive = g_new0 (TsArchive, 1);
  archive->source = *source;
  archive->members = g_string_new (NULL);
  if (g_str_equal (source->kind, "zip") && !source->is_file)
    archive->tail = g_byte_array_new ();
  if (g_str_equal (source->kind, "zip") && source->is_file && !check_zip_file (archive, error))
    return NULL;
  if (!open_reader (archive, error) || !next_member (archive, &found, error))
    return NULL;
  if (!found && lib.archive_format (archive->reader) == ARCHIVE_FORMAT_EMPTY)
    {
      archive->at_end = TRUE;
      return read_to_end (archive, error) ? g_steal_pointer (&archive) : NULL;
    }
  if (!found)
    {
      judge_members (archive, error);
      return NULL;
    }
  if (!check_kind (archive, error))
    return NULL;
  if (archive->is_container && source->is_file
      && (!survey (archive, found, error) || !reopen (archive, &found, error)))
    return NULL;
  return g_steal_pointer (&archive);
}

void
ts_archive_free (TsArchive *archive)
{
  if (archive == NULL)
    return;
  if (archive->reader != NULL)
    lib.archive_read_free (archive->reader);
  ts_gzip_free (archive->gzip);
  g_clear_pointer (&archive->tail, g_byte_array_unref);
  g_string_free (archive->members, TRUE);
  g_free (archive);
}

static gboolean
check_nesting (const TsArchive *archive, const guint8 *bytes, gsize length, GError **error)
{
  const char *kind = archive->is_container ? ts_archive_recognise (bytes, length) : NULL;

  if (kind == NULL)
    return TRUE;
  g_set_error (error, TS_ERROR, TS_ERROR_INPUT, "%s: what is in the archive, %s, is %s data once more; extract it first",
               archive->source.title, archive->members->str, kind);
  return FALSE;
}

gboolean
ts_archive_read (TsArchive *archive, guint8 *bytes, gsize size, gsize *length, GError **error)
{
  gboolean   found;
  la_ssize_t n;

  *length = 0;
  if (archive->at_end)
    return TRUE;
  do
    n = lib.archive_read_data (archive->reader, bytes, size);
  while (n == ARCHIVE_RETRY);
  /* a warning here is a checksum that does not match */
  if (n < 0)
    return fail (archive, error);
  if (archive->expanded == 0 && !check_nesting (archive, bytes, (gsize) n, error))
    return FALSE;
  archive->expanded += (guint64) n;
  *length = (gsize) n;
  if (n > 0)
    return check_limit (archive, archive->expanded, error);

  archive->at_end = TRUE;
  if (!archive->is_container)
    return read_to_end (archive, error);
  return next_member (archive, &found, error) && survey (archive, found, error) && read_to_end (archive, error);
}

guint64
ts_archive_position (const TsArchive *archive)
{
  /* a file that is sought in is not used up in its order: libarchive knows better */
  return archive->gzip != NULL ? archive->taken : (guint64) MAX (lib.archive_filter_bytes (archive->reader, -1), 0);
}
