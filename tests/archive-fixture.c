/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "archive-fixture.h"
#include "unit.h"

static char *folder;

void
make_folder (void)
{
  folder = g_dir_make_tmp ("check-archive-XXXXXX", NULL);
  ck_assert_ptr_nonnull (folder);
}

void
remove_folder (void)
{
  GDir       *dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
  g_dir_close (dir);
  g_rmdir (folder);
  g_clear_pointer (&folder, g_free);
}

GString *
make_text (gsize length)
{
  GString *text = g_string_sized_new (length + 32);
  guint64  state = 1;

  while (text->len < length)
    {
      state = state * G_GUINT64_CONSTANT (6364136223846793005) + 1442695040888963407;
      g_string_append_printf (text, "%u line\n", (guint) (state >> 40));
    }
  g_string_truncate (text, length);
  return text;
}

const ArchiveKind kinds[N_KINDS] = {
  { "gzip", ARCHIVE_FILTER_GZIP, ARCHIVE_FORMAT_RAW },   { "xz", ARCHIVE_FILTER_XZ, ARCHIVE_FORMAT_RAW },
  { "zstd", ARCHIVE_FILTER_ZSTD, ARCHIVE_FORMAT_RAW },   { "bzip2", ARCHIVE_FILTER_BZIP2, ARCHIVE_FORMAT_RAW },
  { "zip", ARCHIVE_FILTER_NONE, ARCHIVE_FORMAT_ZIP },    { "tar", ARCHIVE_FILTER_NONE, ARCHIVE_FORMAT_TAR_USTAR },
  { "gzip", ARCHIVE_FILTER_GZIP, ARCHIVE_FORMAT_TAR_PAX_RESTRICTED },
  { "xz", ARCHIVE_FILTER_XZ, ARCHIVE_FORMAT_TAR_GNUTAR },
};

void
add_member (struct archive *writer, const char *name, int type, const char *bytes, gsize length)
{
  struct archive_entry *entry = archive_entry_new ();

  archive_entry_set_pathname (entry, name);
  archive_entry_set_filetype (entry, (unsigned) type);
  archive_entry_set_perm (entry, 0644);
  archive_entry_set_size (entry, (la_int64_t) length);
  ck_assert_int_eq (archive_write_header (writer, entry), ARCHIVE_OK);
  if (length > 0)
    ck_assert_int_eq (archive_write_data (writer, bytes, length), (la_ssize_t) length);
  archive_entry_free (entry);
}

struct archive *
begin_archive (const char *path, guint kind)
{
  struct archive *writer = archive_write_new ();

  ck_assert_int_eq (archive_write_set_format (writer, kinds[kind].format), ARCHIVE_OK);
  ck_assert_int_eq (archive_write_add_filter (writer, kinds[kind].filter), ARCHIVE_OK);
  ck_assert_int_eq (archive_write_open_filename (writer, path), ARCHIVE_OK);
  return writer;
}

void
end_archive (struct archive *writer)
{
  ck_assert_int_eq (archive_write_close (writer), ARCHIVE_OK);
  archive_write_free (writer);
}

char *
path_of (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

char *
make_archive (guint kind, const GString *text)
{
  char           *path = path_of ("archive");
  struct archive *writer = begin_archive (path, kind);

  if (kind >= FIRST_CONTAINER)
    add_member (writer, "traces/", AE_IFDIR, NULL, 0);
  add_member (writer, "traces/one.vis", AE_IFREG, text->str, text->len);
  end_archive (writer);
  return path;
}

void
pack_file (const char *path, guint kind, const char *name)
{
  g_autofree char *bytes = NULL;
  gsize            length;
  struct archive  *writer;

  ck_assert (g_file_get_contents (path, &bytes, &length, NULL));
  writer = begin_archive (path, kind);
  add_member (writer, name, AE_IFREG, bytes, length);
  end_archive (writer);
}

GString *
read_all (TsInput *input, GError **error)
{
  GString *text = g_string_new (NULL);

  for (;;)
    {
      const guint8 *bytes;
      gsize         length;

      if (!ts_input_read (input, &bytes, &length, error))
        {
          g_string_free (text, TRUE);
          return NULL;
        }
      if (length == 0)
        return text;
      g_string_append_len (text, (const char *) bytes, (gssize) length);
    }
}

GString *
read_file (const char *path, guint64 limit, GError **error)
{
  g_autoptr (TsInput) input = ts_input_open (path, error);

  if (input == NULL)
    return NULL;
  ts_input_limit_expansion (input, limit);
  return read_all (input, error);
}

GString *
read_piped (const char *path, guint64 limit, GError **error)
{
  g_autoptr (TsInput) input = NULL;
  g_autofree char *command = g_strdup_printf (
      "{ dd bs=1 count=5 status=none; sleep 0.05; dd bs=1 count=300 status=none; cat; } < %s", path);
  FILE    *pipe;
  GString *text;
  int      saved = dup (STDIN_FILENO);

  pipe = popen (command, "r");
  ck_assert_ptr_nonnull (pipe);
  dup2 (fileno (pipe), STDIN_FILENO);
  input = ts_input_open ("-", error);
  ts_input_limit_expansion (input, limit);
  text = read_all (input, error);
  dup2 (saved, STDIN_FILENO);
  close (saved);
  pclose (pipe);
  return text;
}

void
expect_text (GString *got, const GString *expected, GError **error)
{
  ck_assert_msg (*error == NULL, "%s", *error != NULL ? (*error)->message : "");
  ck_assert_uint_eq (got->len, expected->len);
  ck_assert (memcmp (got->str, expected->str, expected->len) == 0);
  g_string_free (got, TRUE);
}

void
expect_failure (GString *got, GError **error, const char *path, const char *part)
{
  ck_assert_ptr_null (got);
  ck_assert_ptr_nonnull (*error);
  ck_assert_msg (g_error_matches (*error, TS_ERROR, TS_ERROR_INPUT), "%s", (*error)->message);
  ck_assert_msg (g_str_has_prefix ((*error)->message, path), "%s", (*error)->message);
  ck_assert_msg (strstr ((*error)->message, part) != NULL, "%s", (*error)->message);
  g_clear_error (error);
}

void
append_bytes (const char *path, const char *more, gsize length)
{
  FILE *file = g_fopen (path, "ab");

  ck_assert_ptr_nonnull (file);
  ck_assert_uint_eq (fwrite (more, 1, length, file), length);
  fclose (file);
}
