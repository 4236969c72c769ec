/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include <tracestat/error.h>

#include "report/writers.h"

#define MAX_LINKS 40
#define MAX_ATTEMPTS 100
#define COPY_SIZE (256 * 1024)

struct _TsFile
{
  char   *path;     /* as the user gave it, for messages */
  char   *target;   /* what is replaced, past all symbolic links; NULL if it is no regular file */
  int     written;  /* the file that is being written, or -1 */
  guint64 length;   /* of it */
  char   *beside;   /* its name; NULL as long as, or once, it has none */
  int     receiver; /* what the bytes are copied to if there is no target, or -1: opened at the end */
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

/* @path with symbolic links at its end followed, up to one that names a descriptor, whether what they lead to exists
 * or not; NULL if there are too many of them. */
static char *
follow_links (const char *path)
{
  char *current = g_strdup (path);

  for (guint i = 0; i < MAX_LINKS; i++)
    {
      g_autofree char *link = named_descriptor (current) < 0 ? g_file_read_link (current, NULL) : NULL;
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

char *
ts_file_target (const char *path)
{
  g_autofree char *target = follow_links (path), *folder = NULL, *name = NULL;
  char            *resolved, *joined;

  if (target == NULL || named_descriptor (target) >= 0)
    return NULL;
  folder = g_path_get_dirname (target);
  name = g_path_get_basename (target);
  resolved = realpath (folder, NULL);
  if (resolved == NULL)
    return g_steal_pointer (&target);
  joined = g_build_filename (resolved, name, NULL);
  free (resolved);
  return joined;
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

/* Makes a file that goes away with the process, however that ends. Not all file systems can. */
static gboolean
create_nameless (TsFile *file, const char *folder, mode_t mode)
{
#ifdef O_TMPFILE
  file->written = open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
#endif
  return file->written >= 0;
}

/* Makes a new file in @folder: nobody else's, for it must not exist yet. */
static gboolean
create_named (TsFile *file, const char *folder, mode_t mode, GError **error)
{
  int failure = EEXIST;

  for (guint i = 0; failure == EEXIST && i < MAX_ATTEMPTS; i++)
    {
      g_autofree char *name = name_inside (folder);

      file->written = open (name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
      if (file->written >= 0)
        {
          file->beside = g_steal_pointer (&name);
          return TRUE;
        }
      failure = errno;
    }
  return fail (error, file->path, g_strerror (failure));
}

static gboolean
create_inside (TsFile *file, const char *folder, mode_t mode, GError **error)
{
  /* asked first, because the failure of the new file would name that one */
  if (access (folder, W_OK | X_OK) != 0)
    return fail (error, file->path, g_strerror (errno));
  return create_nameless (file, folder, mode) || create_named (file, folder, mode, error);
}

static gboolean
set_permissions (const TsFile *file, const struct stat *old, GError **error)
{
  /* the owner first, for a change of owner takes set-id bits away; only root may give a file away */
  if ((old->st_uid != geteuid () || old->st_gid != getegid ()) && fchown (file->written, old->st_uid, old->st_gid) != 0)
    errno = 0;
  if (fchmod (file->written, old->st_mode & 07777) != 0)
    return fail (error, file->path, g_strerror (errno));
  return TRUE;
}

/* A new file gets its permissions from the umask, a replaced one keeps those it had. */
static gboolean
create_beside (TsFile *file, const struct stat *old, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (file->target);

  return create_inside (file, folder, old != NULL ? 0600 : 0666, error)
         && (old == NULL || set_permissions (file, old, error));
}

/* Bytes for a pipe or a device wait in a file that has no name. */
static gboolean
create_unnamed (TsFile *file, GError **error)
{
  if (!create_inside (file, g_get_tmp_dir (), 0600, error))
    {
      g_prefix_error (error, "in the folder for temporary files, `%s': ", g_get_tmp_dir ());
      return FALSE;
    }
  if (file->beside != NULL)
    g_unlink (file->beside);
  g_clear_pointer (&file->beside, g_free);
  return TRUE;
}

static gboolean
open_file (TsFile *file, GError **error)
{
  g_autofree char *target = follow_links (file->path);
  int              number;
  struct stat      old;

  if (target == NULL)
    return fail (error, file->path, g_strerror (ELOOP));
  number = named_descriptor (target);
  if (number >= 0)
    {
      file->receiver = fcntl (number, F_DUPFD_CLOEXEC, 0);
      if (file->receiver < 0)
        return fail (error, file->path, g_strerror (errno));
      return create_unnamed (file, error);
    }
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
  file->written = file->receiver = -1;
  if (*path == '\0')
    {
      fail (error, path, g_strerror (ENOENT));
      return NULL;
    }
  return open_file (file, error) ? g_steal_pointer (&file) : NULL;
}

static gboolean
write_to_file (gpointer data, const char *bytes, gsize length, GError **error)
{
  TsFile *file = data;

  if (!ts_descriptor_write (file->written, bytes, length))
    {
      g_set_error (error, TS_ERROR, TS_ERROR_OUTPUT, "error writing to file: %s", g_strerror (errno));
      /* what is for a pipe waits elsewhere */
      if (file->target == NULL)
        g_prefix_error (error, "in the folder for temporary files, `%s': ", g_get_tmp_dir ());
      return FALSE;
    }
  file->length += length;
  return TRUE;
}

TsSink
ts_file_sink (TsFile *file)
{
  return (TsSink){ write_to_file, file };
}

guint64
ts_file_length (const TsFile *file)
{
  return file->length;
}

gboolean
ts_file_shorten (TsFile *file, guint64 length, GError **error)
{
  if (ftruncate (file->written, (off_t) length) != 0 || lseek (file->written, (off_t) length, SEEK_SET) < 0)
    {
      g_set_error (error, TS_ERROR, TS_ERROR_OUTPUT, "error truncating file: %s", g_strerror (errno));
      return FALSE;
    }
  file->length = length;
  return TRUE;
}

/* Everything of @from, which is at its first byte again, to @to. */
static gboolean
copy (const TsFile *file, int from, int to, GError **error)
{
  g_autofree char *buffer = g_malloc (COPY_SIZE);
  ssize_t          length = 0;

  if (lseek (from, 0, SEEK_SET) < 0)
    return fail (error, file->path, g_strerror (errno));
  while ((length = read (from, buffer, COPY_SIZE)) > 0)
    if (!ts_descriptor_write (to, buffer, (gsize) length))
      return fail (error, file->path, g_strerror (errno));
  return length == 0 ? TRUE : fail (error, file->path, g_strerror (errno));
}

static gboolean
copy_out (TsFile *file, GError **error)
{
  if (file->receiver < 0)
    file->receiver = open (file->path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (file->receiver < 0)
    return fail (error, file->path, g_strerror (errno));
  return copy (file, file->written, file->receiver, error);
}

static gboolean
link_nameless (TsFile *file, const char *folder)
{
  /* without a /proc there is no such path, and it is copied */
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", file->written);

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
  int         nameless = file->written;
  struct stat status;
  gboolean    is_copied = FALSE;

  if (fstat (nameless, &status) != 0)
    return fail (error, file->path, g_strerror (errno));
  if (create_named (file, folder, 0600, error))
    is_copied = set_permissions (file, &status, error) && copy (file, nameless, file->written, error);
  close (nameless);
  return is_copied;
}

/* A full disk may show only when a file is closed; it stays open here, since a nameless one would be gone. */
static gboolean
check_written (const TsFile *file, GError **error)
{
  int same = dup (file->written);

  return same >= 0 && close (same) == 0 ? TRUE : fail (error, file->path, g_strerror (errno));
}

static gboolean
give_name (TsFile *file, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (file->target);

  return link_nameless (file, folder) || (copy_nameless (file, folder, error) && check_written (file, error));
}

/* Whoever reads it from now on does not see it change. */
static void
close_written (TsFile *file)
{
  close (file->written);
  file->written = -1;
}

gboolean
ts_file_commit (TsFile *file, GError **error)
{
  if (file->target == NULL)
    {
      if (!copy_out (file, error))
        return FALSE;
      close_written (file);
      return TRUE;
    }
  if (!check_written (file, error) || (file->beside == NULL && !give_name (file, error)))
    return FALSE;
  if (g_rename (file->beside, file->target) != 0)
    return fail (error, file->path, g_strerror (errno));
  g_clear_pointer (&file->beside, g_free);
  close_written (file);
  return TRUE;
}

void
ts_file_free (TsFile *file)
{
  if (file == NULL)
    return;
  if (file->beside != NULL)
    g_unlink (file->beside);
  if (file->written >= 0)
    close (file->written);
  if (file->receiver >= 0)
    close (file->receiver);
  g_free (file->beside);
  g_free (file->target);
  g_free (file->path);
  g_free (file);
}
