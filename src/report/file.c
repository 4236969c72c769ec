/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gio/gfiledescriptorbased.h>
#include <glib/gstdio.h>

#include <tracestat/error.h>
#include <tracestat/writer.h>

#define MAX_LINKS 40
#define MAX_ATTEMPTS 100
#define COPY_SIZE (256 * 1024)

struct _TsFile
{
  char          *path;   /* as the user gave it, for messages */
  char          *target; /* what is replaced, past all symbolic links; NULL if it is no regular file */
  int            nameless; /* the file that is being written, if it gets its name at the end, or -1 */
  char          *beside; /* its name; NULL as long as, or once, it has none */
  int            descriptor; /* what the bytes are copied to if there is no target, or -1: opened at the end */
  GFileIOStream *stream;
};

static gboolean
fail (GError **error, const char *path, const char *reason)
{
  g_set_error (error, TS_ERROR, TS_ERROR_OUTPUT, "cannot write `%s': %s", path, reason);
  return FALSE;
}

/* The number of an open file that @path stands for, or -1. Opening such a path anew would begin at its first
 * byte, and replacing what it leads to would cut off whoever holds it open. */
static int
named_descriptor (const char *path)
{
  static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };
  guint64                  number;

  if (strcmp (path, "/dev/stdout") == 0)
    return STDOUT_FILENO;
  if (strcmp (path, "/dev/stderr") == 0)
    return STDERR_FILENO;
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    if (g_str_has_prefix (path, folders[i])
        && g_ascii_string_to_unsigned (path + strlen (folders[i]), 10, 0, G_MAXINT, &number, NULL))
      return (int) number;
  return -1;
}

/* @path with symbolic links at its end followed, whether what they lead to exists or not; NULL if there
 * are too many of them. */
static char *
follow_links (const char *path)
{
  char *current = g_strdup (path);

  for (guint i = 0; i < MAX_LINKS; i++)
    {
      g_autofree char *link = g_file_read_link (current, NULL);
      g_autofree char *folder = NULL;
      char            *next;

      if (link == NULL)
        return current;
      folder = g_path_get_dirname (current);
      next = g_path_is_absolute (link) ? g_strdup (link) : g_build_filename (folder, link, NULL);
      g_free (current);
      current = next;
    }
  g_free (current);
  return NULL;
}

static char *
name_inside (const char *folder)
{
  guint64          random;
  g_autofree char *name = NULL;

  if (getrandom (&random, sizeof (random), 0) != sizeof (random))
    random = ((guint64) g_random_int () << 32) | g_random_int ();
  name = g_strdup_printf (".tracestat-%016" G_GINT64_MODIFIER "x", random);
  return g_build_filename (folder, name, NULL);
}

/* What leads to an open file that has no name. */
static char *
nameless_path (const TsFile *file)
{
  return g_strdup_printf ("/proc/self/fd/%d", file->nameless);
}

/* Makes a file that goes away with the process, however that ends. Not all file systems can; and there must be
 * a /proc, both for a stream that can be moved and for the name at the end. */
static gboolean
create_nameless (TsFile *file, const char *folder, GFileCreateFlags flags)
{
#ifdef O_TMPFILE
  file->nameless = open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC, flags & G_FILE_CREATE_PRIVATE ? 0600 : 0666);
  if (file->nameless >= 0)
    {
      g_autofree char  *path = nameless_path (file);
      g_autoptr (GFile) place = g_file_new_for_path (path);

      file->stream = g_file_open_readwrite (place, NULL, NULL);
      if (file->stream != NULL)
        return TRUE;
      close (file->nameless);
      file->nameless = -1;
    }
#endif
  return FALSE;
}

/* Makes a new file in @folder: nobody else's, for it must not exist yet. */
static gboolean
create_named (TsFile *file, const char *folder, GFileCreateFlags flags, GError **error)
{
  g_autoptr (GError) failure = NULL;

  for (guint i = 0; i < MAX_ATTEMPTS; i++)
    {
      g_autofree char  *name = name_inside (folder);
      g_autoptr (GFile) place = g_file_new_for_path (name);

      g_clear_error (&failure);
      file->stream = g_file_create_readwrite (place, flags, NULL, &failure);
      if (file->stream != NULL)
        {
          file->beside = g_steal_pointer (&name);
          return TRUE;
        }
      if (!g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_EXISTS))
        break;
    }
  return fail (error, file->path, failure->message);
}

static gboolean
create_inside (TsFile *file, const char *folder, GFileCreateFlags flags, GError **error)
{
  /* asked first, because the failure of the new file would name that one */
  if (access (folder, W_OK | X_OK) != 0)
    return fail (error, file->path, g_strerror (errno));
  return create_nameless (file, folder, flags) || create_named (file, folder, flags, error);
}

static gboolean
set_permissions (TsFile *file, const struct stat *old, GError **error)
{
  GOutputStream *output = ts_file_stream (file);
  int            descriptor;

  if (!G_IS_FILE_DESCRIPTOR_BASED (output))
    return TRUE;
  descriptor = g_file_descriptor_based_get_fd (G_FILE_DESCRIPTOR_BASED (output));
  /* the owner first, for a change of owner takes set-id bits away; only root may give a file away */
  if ((old->st_uid != geteuid () || old->st_gid != getegid ()) && fchown (descriptor, old->st_uid, old->st_gid) != 0)
    errno = 0;
  if (fchmod (descriptor, old->st_mode & 07777) != 0)
    return fail (error, file->path, g_strerror (errno));
  return TRUE;
}

/* A new file gets its permissions from the umask, a replaced one keeps those it had. */
static gboolean
create_beside (TsFile *file, const struct stat *old, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (file->target);

  return create_inside (file, folder, old != NULL ? G_FILE_CREATE_PRIVATE : G_FILE_CREATE_NONE, error)
         && (old == NULL || set_permissions (file, old, error));
}

/* Bytes for a pipe or a device wait in a file that has no name. */
static gboolean
create_unnamed (TsFile *file, GError **error)
{
  if (!create_inside (file, g_get_tmp_dir (), G_FILE_CREATE_PRIVATE, error))
    return FALSE;
  if (file->beside != NULL)
    g_unlink (file->beside);
  g_clear_pointer (&file->beside, g_free);
  return TRUE;
}

static gboolean
open_file (TsFile *file, GError **error)
{
  int              number = named_descriptor (file->path);
  g_autofree char *target = NULL;
  struct stat      old;

  if (number >= 0)
    {
      file->descriptor = fcntl (number, F_DUPFD_CLOEXEC, 0);
      if (file->descriptor < 0)
        return fail (error, file->path, g_strerror (errno));
      return create_unnamed (file, error);
    }

  target = follow_links (file->path);
  if (target == NULL)
    return fail (error, file->path, g_strerror (ELOOP));
  if (stat (target, &old) != 0)
    {
      if (errno != ENOENT)
        return fail (error, file->path, g_strerror (errno));
      file->target = g_steal_pointer (&target);
      return create_beside (file, NULL, error);
    }
  if (S_ISDIR (old.st_mode))
    return fail (error, file->path, g_strerror (EISDIR));
  if (!S_ISREG (old.st_mode))
    return create_unnamed (file, error);
  /* renaming needs no right to write to the old file, but its owner meant something by taking it away */
  if (access (target, W_OK) != 0)
    return fail (error, file->path, g_strerror (errno));
  file->target = g_steal_pointer (&target);
  return create_beside (file, &old, error);
}

TsFile *
ts_file_create (const char *path, GError **error)
{
  g_autoptr (TsFile) file = g_new0 (TsFile, 1);

  file->path = g_strdup (path);
  file->nameless = file->descriptor = -1;
  if (*path == '\0')
    {
      fail (error, path, g_strerror (ENOENT));
      return NULL;
    }
  return open_file (file, error) ? g_steal_pointer (&file) : NULL;
}

GOutputStream *
ts_file_stream (TsFile *file)
{
  return g_io_stream_get_output_stream (G_IO_STREAM (file->stream));
}

static gboolean
write_to (int descriptor, const char *bytes, gsize length)
{
  while (length > 0)
    {
      ssize_t written = write (descriptor, bytes, length);

      if (written < 0 && errno == EINTR)
        continue;
      if (written < 0)
        return FALSE;
      bytes += written;
      length -= (gsize) written;
    }
  return TRUE;
}

static gboolean
copy_out (TsFile *file, GError **error)
{
  g_autofree char    *buffer = g_malloc (COPY_SIZE);
  g_autoptr (GError)  failure = NULL;
  GInputStream       *input = g_io_stream_get_input_stream (G_IO_STREAM (file->stream));
  gssize              length = 0;

  if (file->descriptor < 0)
    file->descriptor = open (file->path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (file->descriptor < 0)
    return fail (error, file->path, g_strerror (errno));
  if (!g_seekable_seek (G_SEEKABLE (file->stream), 0, G_SEEK_SET, NULL, &failure))
    return fail (error, file->path, failure->message);
  while ((length = g_input_stream_read (input, buffer, COPY_SIZE, NULL, &failure)) > 0)
    if (!write_to (file->descriptor, buffer, (gsize) length))
      return fail (error, file->path, g_strerror (errno));
  return length == 0 ? TRUE : fail (error, file->path, failure->message);
}

static gboolean
link_nameless (TsFile *file, const char *folder)
{
  g_autofree char *path = nameless_path (file);

  for (guint i = 0; i < MAX_ATTEMPTS; i++)
    {
      g_autofree char *name = name_inside (folder);

      if (linkat (AT_FDCWD, path, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0)
        {
          file->beside = g_steal_pointer (&name);
          return TRUE;
        }
      if (errno != EEXIST)
        break;
    }
  return FALSE;
}

/* A nameless file that gets no name is copied to one that has a name from the start. */
static gboolean
copy_nameless (TsFile *file, const char *folder, GError **error)
{
  g_autofree char   *buffer = g_malloc (COPY_SIZE);
  g_autoptr (GError) failure = NULL;
  struct stat        status;
  ssize_t            length;

  if (fstat (file->nameless, &status) != 0)
    return fail (error, file->path, g_strerror (errno));
  g_clear_object (&file->stream);
  if (!create_named (file, folder, G_FILE_CREATE_PRIVATE, error) || !set_permissions (file, &status, error))
    return FALSE;
  /* the stream had an offset of its own, so this begins at the first byte */
  while ((length = read (file->nameless, buffer, COPY_SIZE)) > 0)
    if (!g_output_stream_write_all (ts_file_stream (file), buffer, (gsize) length, NULL, NULL, &failure))
      return fail (error, file->path, failure->message);
  if (length < 0)
    return fail (error, file->path, g_strerror (errno));
  return g_io_stream_close (G_IO_STREAM (file->stream), NULL, &failure) ? TRUE
                                                                        : fail (error, file->path, failure->message);
}

static gboolean
give_name (TsFile *file, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (file->target);

  return link_nameless (file, folder) || copy_nameless (file, folder, error);
}

gboolean
ts_file_commit (TsFile *file, GError **error)
{
  g_autoptr (GError) failure = NULL;

  if (file->target == NULL)
    return copy_out (file, error);
  /* a full disk may show only now */
  if (!g_io_stream_close (G_IO_STREAM (file->stream), NULL, &failure))
    return fail (error, file->path, failure->message);
  if (file->nameless >= 0 && !give_name (file, error))
    return FALSE;
  if (g_rename (file->beside, file->target) != 0)
    return fail (error, file->path, g_strerror (errno));
  g_clear_pointer (&file->beside, g_free);
  return TRUE;
}

void
ts_file_free (TsFile *file)
{
  if (file == NULL)
    return;
  g_clear_object (&file->stream);
  if (file->beside != NULL)
    g_unlink (file->beside);
  if (file->nameless >= 0)
    close (file->nameless);
  if (file->descriptor >= 0)
    close (file->descriptor);
  g_free (file->beside);
  g_free (file->target);
  g_free (file->path);
  g_free (file);
}
