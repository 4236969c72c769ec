/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "import/archive.h"
#include "import/expand.h"
#include "import/late.h"
#include "import/stop.h"

#define SOURCE_BLOCK (64 * 1024)
#define MAX_NAMED 4 /* members that a message names */
#define ZIP_END 22     /* bytes of the record that ends a zip archive, without its comment; */
#define ZIP64_END 56   /* of the further one in large archives; */
#define ZIP64_PLACE 20 /* and of that which tells where it is */
#define ZIP_TAIL (ZIP64_END + ZIP64_PLACE + ZIP_END + 65535)

#define LIBARCHIVE(F) \
  F (archive_read_new) F (archive_read_free) \
  F (archive_read_support_format_raw) F (archive_read_support_format_zip) F (archive_read_support_format_tar) \
  F (archive_read_support_format_empty) F (archive_read_set_read_callback) F (archive_read_set_seek_callback) \
  F (archive_read_set_skip_callback) F (archive_read_set_callback_data) F (archive_read_open1) \
  F (archive_read_next_header) F (archive_read_data) F (archive_read_data_block) F (archive_entry_pathname) \
  F (archive_entry_filetype) F (archive_filter_bytes) F (archive_format) \
  F (archive_set_error) F (archive_error_string)

TS_LATE_LIBRARY (lib, LIBARCHIVE, TS_LIBARCHIVE_FILE);

struct _TsArchive
{
  TsArchiveSource source;
  struct archive *reader;
  TsExpander     *expander; /* or NULL: the archive is not compressed as a whole */
  GByteArray     *tail;     /* or NULL: the last bytes of what may be a zip archive and is not sought in */
  guint8          block[SOURCE_BLOCK];
  const char     *reason; /* or NULL: what is wrong with the data, where libarchive does not say it */
  guint64         taken;  /* of the source */
  TsGiven         given;  /* of that to libarchive, in its order */
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
  n = ts_stop_read (source->fd, archive->block, SOURCE_BLOCK, source->stop_fd);
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
  gssize        n = archive->expander != NULL ? ts_expander_read (archive->expander, &raw, &reason)
                                              : read_raw (archive, &raw);

  /* libarchive forgets an error that comes while it still looks what the data are */
  if (reason != NULL)
    archive->reason = reason;
  archive->asked_beyond = n == 0;
  if (n > 0)
    ts_given_add (&archive->given, raw, (gsize) n);
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
  TsArchive             *archive = data;
  const TsArchiveSource *source = &archive->source;
  gint64                 at = seek_source (reader, data, 0, SEEK_CUR);
  gint64                 end = seek_source (reader, data, 0, SEEK_END);

  /* nothing can be skipped beyond the end, or a cut off file would not be noticed */
  if (at < 0 || end < 0)
    return 0;
  request = MIN (request, MAX (end - at, 0));
  if (lseek (source->fd, source->start + at + request, SEEK_SET) < 0)
    return 0;
  archive->given.n += (guint64) request;
  return request;
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

static gboolean
is_format (const TsArchive *archive, int format)
{
  return archive->is_container && (lib.archive_format (archive->reader) & ARCHIVE_FORMAT_BASE_MASK) == format;
}

/* A zip file has a directory at its end, and is sought in. */
static gboolean
is_sought_in (const TsArchive *archive)
{
  return archive->source.is_file && g_str_equal (archive->source.kind, "zip");
}

static gboolean
open_reader (TsArchive *archive, GError **error)
{
  struct archive *reader = lib.archive_read_new ();

  archive->reader = reader;
  if (reader == NULL)
    g_error ("out of memory");
  archive->taken = 0;
  archive->given = (TsGiven){ 0 };
  archive->reason = NULL;
  g_clear_pointer (&archive->expander, ts_expander_free);
  g_clear_pointer (&archive->tail, g_byte_array_unref);
  if (!is_sought_in (archive))
    archive->tail = g_byte_array_new ();
  if (!g_str_equal (archive->source.kind, "zip") && !g_str_equal (archive->source.kind, "tar"))
    {
      archive->expander = ts_expander_new (archive->source.kind, read_raw, archive, error);
      if (archive->expander == NULL)
        {
          g_prefix_error (error, "%s: ", archive->source.title);
          return FALSE;
        }
    }
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
  if (is_sought_in (archive))
    lib.archive_read_set_seek_callback (reader, seek_source);
  if (archive->source.is_file && archive->expander == NULL)
    lib.archive_read_set_skip_callback (reader, skip_source);
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
      if (!is_format (archive, ARCHIVE_FORMAT_ZIP))
        g_clear_pointer (&archive->tail, g_byte_array_unref);
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

  if (archive->expander == NULL)
    return TRUE;
  while ((status = lib.archive_read_data_block (archive->reader, &bytes, &length, &offset)) == ARCHIVE_OK
         || status == ARCHIVE_RETRY)
    if (!check_limit (archive, (guint64) lib.archive_filter_bytes (archive->reader, 0), error))
      return FALSE;
  return status == ARCHIVE_EOF || fail (archive, error);
}

/* The end of an archive */

static gboolean
fail_beside (const TsArchive *archive, GError **error)
{
  g_set_error (error, TS_ERROR, TS_ERROR_INPUT, "%s: something else stands before or behind the archive, perhaps another one",
               archive->source.title);
  return FALSE;
}

static guint64
zip_number (const guint8 *bytes, guint n)
{
  return n == 0 ? 0 : bytes[0] + 256 * zip_number (bytes + 1, n - 1);
}

/* Whether the directory of the archive ends where the records behind it begin, of which the last is at @end: this is so
 * only if the archive begins with the first byte, since its places are counted from there. */
static gboolean
has_its_directory (const GByteArray *tail, guint64 tail_at, gsize end)
{
  const guint8 *record = tail->data + end;
  guint64       size = zip_number (record + 12, 4), start = zip_number (record + 16, 4), place = tail_at + end;

  if (end >= ZIP64_PLACE && memcmp (record - ZIP64_PLACE, "PK\x06\x07", 4) == 0)
    {
      place = zip_number (record - ZIP64_PLACE + 8, 8);
      if (end < ZIP64_END + ZIP64_PLACE || place != tail_at + end - ZIP64_END - ZIP64_PLACE)
        return FALSE;
      record -= ZIP64_END + ZIP64_PLACE;
      size = zip_number (record + 40, 8);
      start = zip_number (record + 48, 8);
    }
  return size <= place && start == place - size;
}

/* A zip archive without its end has members, but nobody knows whether these are all. libarchive looks for a last
 * directory if it can, and else for a first one: these have to be the same. */
static gboolean
check_zip_end (TsArchive *archive, const GByteArray *tail, guint64 tail_at, GError **error)
{
  gboolean has_end = FALSE;

  for (gsize i = 0; i + ZIP_END <= tail->len; i++)
    if (memcmp (tail->data + i, "PK\x05\x06", 4) == 0)
      {
        gsize end = i + ZIP_END + zip_number (tail->data + i + 20, 2);

        if (end == tail->len && has_its_directory (tail, tail_at, i))
          return TRUE;
        has_end |= end <= tail->len;
      }
  if (has_end)
    return fail_beside (archive, error);
  archive->asked_beyond = TRUE;
  return fail (archive, error);
}

static gboolean
check_zip_file (TsArchive *archive, GError **error)
{
  g_autoptr (GByteArray) tail = g_byte_array_new ();
  gint64 end = lseek (archive->source.fd, 0, SEEK_END);
  gint64 at = MAX (end - ZIP_TAIL, archive->source.start);
  gssize n;

  if (lseek (archive->source.fd, at, SEEK_SET) < 0)
    return TRUE;
  while ((n = read (archive->source.fd, archive->block, SOURCE_BLOCK)) > 0)
    g_byte_array_append (tail, archive->block, (guint) n);
  return check_zip_end (archive, tail, (guint64) (at - archive->source.start), error);
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

/* What begins like an archive and is none is a damaged one: libarchive takes it for raw data. */
static gboolean
check_kind (TsArchive *archive, GError **error)
{
  if (archive->is_container || archive->expander != NULL)
    return TRUE;
  g_set_error (error, TS_ERROR, TS_ERROR_INPUT, "%s: truncated or damaged %s data", archive->source.title,
               archive->source.kind);
  return FALSE;
}

/* Whatever stands behind the member: checksums, the end of an archive, and what should not be there. */
static gboolean
read_to_end (TsArchive *archive, GError **error)
{
  const void *bytes;
  la_ssize_t  n;

  if (is_sought_in (archive))
    return TRUE;
  while ((n = read_source (archive->reader, archive, &bytes)) > 0)
    if (archive->expander != NULL && !check_limit (archive, archive->given.n, error))
      return FALSE;
  if (n < 0)
    return fail (archive, error);
  if (archive->tail != NULL)
    return check_zip_end (archive, archive->tail, archive->given.n - archive->tail->len, error);
  /* libarchive ends at a block of zeros, of which any number may follow */
  if (is_format (archive, ARCHIVE_FORMAT_TAR)
      && archive->given.filled > (guint64) lib.archive_filter_bytes (archive->reader, -1))
    return fail_beside (archive, error);
  return TRUE;
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
  if (is_sought_in (archive) && !check_zip_file (archive, error))
    return NULL;
  if (!open_reader (archive, error) || !next_member (archive, &found, error))
    return NULL;
  if (!found && lib.archive_format (archive->reader) == ARCHIVE_FORMAT_EMPTY)
    {
      archive->at_end = TRUE;
      g_clear_pointer (&archive->tail, g_byte_array_unref);
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
  ts_expander_free (archive->expander);
  g_clear_pointer (&archive->tail, g_byte_array_unref);
  g_string_free (archive->members, TRUE);
  g_free (archive);
}

static gboolean
check_nesting (const TsArchive *archive, const guint8 *bytes, gsize length, GError **error)
{
  const char *kind = ts_archive_recognise (bytes, length);

  if (kind == NULL)
    return TRUE;
  if (!archive->is_container)
    g_set_error (error, TS_ERROR, TS_ERROR_INPUT, "%s: what comes out of the %s data is %s data once more; extract it first",
                 archive->source.title, archive->source.kind, kind);
  else
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
  return archive->expander != NULL ? archive->taken : (guint64) MAX (lib.archive_filter_bytes (archive->reader, -1), 0);
}
