/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "import/ahead.h"
#include "import/archive.h"
#include "import/input.h"
#include "import/stop.h"
#include "model/pages.h"

struct _TsInput
{
  char    *title; /* for messages */
  int      fd;
  gboolean owns_fd;
  gboolean is_file;    /* lseek() works */
  gint64   start;      /* where a file was when it was handed over as standard input */
  guint64  size;       /* 0: not known */
  guint64  position;   /* bytes delivered */
  guint64  max_expanded;
  gpointer memory;     /* of which the block is */
  guint8  *block;      /* the one recycled buffer: whole lines of the cache, which a system copies to more quickly */

  /* Streams only: the bytes read ahead, from the first one on. */
  GByteArray *kept;
  gboolean    has_kept;  /* the reading ahead is done */
  gboolean    is_whole;  /* the stream ended within the kept bytes */

  /* The first bytes from outside, looked at before anything is delivered. */
  gboolean   has_head;
  guint8     head[TS_ARCHIVE_HEAD];
  gsize      n_head, head_used;
  TsArchive *archive; /* NULL: the input is plain */

  TsStop       *stop;     /* NULL: nothing is read ahead */
  int           stop_fd;  /* of a stream; or -1 */
  TsAhead      *ahead;    /* has the descriptor and the archive as long as it is there; or NULL */
  guint64       used_up;  /* compressed bytes, up to the end of the block that is delivered */
};

const char *
ts_input_title (const char *path)
{
  return strcmp (path, "-") == 0 ? "standard input" : path;
}

/* The reason in the words of the system, but in lower case like all messages. */
static gboolean
fail (const char *title, int code, GError **error)
{
  g_autofree char *reason = g_strdup (g_strerror (code));

  /* not an abbreviation such as "RPC ..." */
  if (g_ascii_islower (reason[0] == '\0' ? '\0' : reason[1]))
    reason[0] = g_ascii_tolower (reason[0]);
  g_set_error (error, TS_ERROR, TS_ERROR_INPUT, "%s: %s", title, reason);
  return FALSE;
}

static gboolean
read_plain (TsInput *input, guint8 *bytes, gsize size, gsize *length, GError **error)
{
  gssize n = ts_stop_read (input->fd, bytes, size, input->stop_fd);

  if (n < 0)
    return fail (input->title, errno, error);
  *length = (gsize) n;
  return TRUE;
}

/* Finds out whether the input is compressed. */
static gboolean
take_head (TsInput *input, GError **error)
{
  const char *kind;
  gsize       length = 1;

  input->n_head = input->head_used = 0;
  /* a pipe may give a few bytes at a time */
  while (length > 0 && input->n_head < TS_ARCHIVE_HEAD)
    {
      if (!read_plain (input, input->head + input->n_head, TS_ARCHIVE_HEAD - input->n_head, &length, error))
        return FALSE;
      input->n_head += length;
    }
  input->has_head = TRUE;
  kind = ts_archive_recognise (input->head, input->n_head);
  if (kind != NULL)
    {
      const TsArchiveSource source = { .title = input->title,
                                       .kind = kind,
                                       .fd = input->fd,
                                       .stop_fd = input->stop_fd,
                                       .is_file = input->is_file,
                                       .start = input->start,
                                       .head = input->head,
                                       .n_head = input->is_file ? 0 : input->n_head,
                                       .max_expanded = input->max_expanded };

      input->archive = ts_archive_new (&source, error);
      return input->archive != NULL;
    }
  return TRUE;
}

/* The bytes of the trace, expanded if need be. */
static gboolean
source_read (TsInput *input, guint8 *bytes, gsize size, gsize *length, GError **error)
{
  gsize n;

  if (!input->has_head && !take_head (input, error))
    return FALSE;
  if (input->archive != NULL)
    return ts_archive_read (input->archive, bytes, size, length, error);

  n = MIN (size, input->n_head - input->head_used);
  if (n == 0)
    return read_plain (input, bytes, size, length, error);
  memcpy (bytes, input->head + input->head_used, n);
  input->head_used += n;
  *length = 0;
  /* less than the head may hold is the whole input */
  if (n < size && input->n_head == TS_ARCHIVE_HEAD && !read_plain (input, bytes + n, size - n, length, error))
    return FALSE;
  *length += n;
  return TRUE;
}

static guint64
source_position (const TsInput *input)
{
  return input->archive != NULL ? ts_archive_position (input->archive) : 0;
}

static gboolean
read_in_thread (gpointer source, guint8 *bytes, gsize size, gsize *length, guint64 *position, GError **error)
{
  TsInput *input = source;

  if (!source_read (input, bytes, size, length, error))
    return FALSE;
  *position = source_position (input);
  return TRUE;
}

/* From now on, if it is wanted and can be had. */
static void
read_ahead (TsInput *input)
{
  if (input->stop != NULL && input->ahead == NULL)
    input->ahead = ts_ahead_new (read_in_thread, input);
}

static gboolean
next_block (TsInput *input, const guint8 **bytes, gsize *length, GError **error)
{
  /* not for the first block: it tells what to do, and after that a file is rewound. One that fits into a block
   * needs no thread, nor does a file that is not compressed: to read it costs a copy. */
  if (input->is_file && input->archive != NULL && input->position >= TS_INPUT_BLOCK)
    read_ahead (input);
  if (input->ahead != NULL)
    return ts_ahead_next (input->ahead, bytes, length, &input->used_up, error);

  if (!source_read (input, input->block, TS_INPUT_BLOCK, length, error))
    return FALSE;
  input->used_up = source_position (input);
  *bytes = input->block;
  return TRUE;
}

static gboolean
source_rewind (TsInput *input, GError **error)
{
  g_clear_pointer (&input->ahead, ts_ahead_free);
  input->used_up = 0;
  g_clear_pointer (&input->archive, ts_archive_free);
  input->has_head = FALSE;
  if (lseek (input->fd, input->start, SEEK_SET) < 0)
    return fail (input->title, errno, error);
  return TRUE;
}

static gboolean
find_kind (TsInput *input, GError **error)
{
  struct stat status;

  if (fstat (input->fd, &status) < 0)
    return fail (input->title, errno, error);
  if (S_ISDIR (status.st_mode))
    return fail (input->title, EISDIR, error);

  input->is_file = S_ISREG (status.st_mode);
  if (input->is_file)
    {
      input->start = lseek (input->fd, 0, SEEK_CUR);
      if (input->start < 0)
        return fail (input->title, errno, error);
      if (status.st_size > input->start)
        input->size = (guint64) (status.st_size - input->start);
    }
  return TRUE;
}

/* A named pipe that nobody writes to yet holds up who opens it. Where that must not be, the first read waits. */
static int
open_path (const char *path, gboolean may_wait)
{
  int fd, flags;

  if (may_wait)
    return open (path, O_RDONLY | O_CLOEXEC);
  fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  flags = fd >= 0 ? fcntl (fd, F_GETFL) : -1;
  if (flags >= 0)
    fcntl (fd, F_SETFL, flags & ~O_NONBLOCK);
  return fd;
}

TsInput *
ts_input_open (const char *path, GError **error)
{
  return ts_input_open_ahead (path, NULL, error);
}

TsInput *
ts_input_open_ahead (const char *path, TsStop *stop, GError **error)
{
  g_autoptr (TsInput) input = g_new0 (TsInput, 1);

  input->title = g_strdup (ts_input_title (path));
  input->stop_fd = -1;
  input->owns_fd = strcmp (path, "-") != 0;
  input->fd = input->owns_fd ? open_path (path, stop == NULL) : STDIN_FILENO;
  if (input->fd < 0)
    {
      fail (input->title, errno, error);
      return NULL;
    }
  if (!find_kind (input, error))
    return NULL;
  if (stop != NULL)
    {
      input->stop = stop;
      input->stop_fd = input->is_file ? -1 : ts_stop_open (stop);
    }
  input->memory = g_malloc (TS_INPUT_BLOCK + TS_CACHE_LINE);
  input->block = ts_pages_first_line (input->memory);
  input->max_expanded = TS_ARCHIVE_MAX_EXPANDED;
  return g_steal_pointer (&input);
}

void
ts_input_limit_expansion (TsInput *input, guint64 max_expanded)
{
  input->max_expanded = max_expanded > 0 ? max_expanded : TS_ARCHIVE_MAX_EXPANDED;
}

void
ts_input_free (TsInput *input)
{
  if (input == NULL)
    return;
  if (input->stop != NULL)
    {
      /* the thread may be waiting for a stream */
      ts_stop_set (input->stop);
      g_clear_pointer (&input->ahead, ts_ahead_free);
      ts_stop_close (input->stop);
    }
  ts_archive_free (input->archive);
  if (input->owns_fd && input->fd >= 0)
    close (input->fd);
  if (input->kept != NULL)
    g_byte_array_unref (input->kept);
  g_free (input->memory);
  g_free (input->title);
  g_free (input);
}

/* Reads a stream until it ends or the kept bytes are full: only then is it known whether
 * it can be read twice, and an importer has to know that before it gives events away. */
static gboolean
keep_head (TsInput *input, GError **error)
{
  if (input->kept == NULL)
    input->kept = g_byte_array_new ();
  while (input->kept->len < TS_INPUT_KEPT)
    {
      gsize length = MIN (TS_INPUT_BLOCK, TS_INPUT_KEPT - input->kept->len);

      if (!source_read (input, input->block, length, &length, error))
        return FALSE;
      if (length == 0)
        break;
      g_byte_array_append (input->kept, input->block, (guint) length);
    }
  if (input->kept->len == TS_INPUT_KEPT)
    {
      /* exactly as many bytes as are kept, or more? */
      gsize  length;
      guint8 next;

      if (!source_read (input, &next, 1, &length, error))
        return FALSE;
      input->is_whole = length == 0;
      if (length > 0)
        g_byte_array_append (input->kept, &next, 1);
    }
  else
    input->is_whole = TRUE;
  if (input->is_whole)
    input->size = input->kept->len;
  else
    read_ahead (input);
  input->has_kept = TRUE;
  return TRUE;
}

/* Delivers from the kept bytes; FALSE: they are used up. */
static gboolean
read_kept (TsInput *input, const guint8 **bytes, gsize *length)
{
  if (input->kept == NULL)
    return FALSE;
  if (input->position >= input->kept->len)
    {
      if (input->is_whole)
        {
          *bytes = input->block;
          *length = 0;
          return TRUE;
        }
      g_clear_pointer (&input->kept, g_byte_array_unref);
      return FALSE;
    }
  *bytes = input->kept->data + input->position;
  *length = MIN (TS_INPUT_BLOCK, input->kept->len - input->position);
  return TRUE;
}

gboolean
ts_input_read (TsInput *input, const guint8 **bytes, gsize *length, GError **error)
{
  if (input->stop != NULL && ts_stop_is_set (input->stop))
    return fail (input->title, ECANCELED, error);
  if (!input->is_file && !input->has_kept && !keep_head (input, error))
    return FALSE;
  if (!read_kept (input, bytes, length) && !next_block (input, bytes, length, error))
    return FALSE;
  input->position += *length;
  return TRUE;
}

gboolean
ts_input_can_rewind (const TsInput *input)
{
  return input->is_file || input->is_whole || input->position == 0;
}

gsize
ts_input_n_kept (const TsInput *input)
{
  return input->has_kept && !input->is_whole && input->kept != NULL ? input->kept->len : 0;
}

gboolean
ts_input_rewind (TsInput *input, GError **error)
{
  if (input->is_file)
    {
      if (!source_rewind (input, error))
        return FALSE;
    }
  else if (input->has_kept && input->kept == NULL)
    {
      g_set_error (error, TS_ERROR, TS_ERROR_INPUT, "%s: a stream of more than %d bytes cannot be read twice",
                   input->title, TS_INPUT_KEPT);
      return FALSE;
    }
  input->position = 0;
  return TRUE;
}

guint64
ts_input_position (const TsInput *input)
{
  return input->archive != NULL && input->is_file ? input->used_up : input->position;
}

guint64
ts_input_size (const TsInput *input)
{
  return input->size;
}
