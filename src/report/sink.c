/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include <tracestat/error.h>

#include "report/writers.h"

/* Streams of GIO would do this as well. To load that library, with the eight that it needs, takes as long as all else
 * until a small trace is read. */

gboolean
ts_descriptor_write (int descriptor, const char *bytes, gsize length)
{
  while (length > 0)
    {
      ssize_t written = write (descriptor, bytes, length);

      if (written >= 0)
        {
          bytes += written;
          length -= (gsize) written;
        }
      else if (errno == EAGAIN)
        /* whoever shares a terminal or a pipe may have made it so that it does not wait */
        poll (&(struct pollfd){ .fd = descriptor, .events = POLLOUT }, 1, -1);
      else if (errno != EINTR)
        return FALSE;
    }
  return TRUE;
}

static gboolean
write_to_descriptor (gpointer data, const char *bytes, gsize length, GError **error)
{
  if (ts_descriptor_write (GPOINTER_TO_INT (data), bytes, length))
    return TRUE;
  g_set_error (error, TS_ERROR, TS_ERROR_OUTPUT, "error writing to file descriptor: %s", g_strerror (errno));
  return FALSE;
}

static gboolean
write_to_text (gpointer data, const char *bytes, gsize length, G_GNUC_UNUSED GError **error)
{
  g_string_append_len (data, bytes, (gssize) length);
  return TRUE;
}

TsSink
ts_sink_to_descriptor (int descriptor)
{
  return (TsSink){ write_to_descriptor, GINT_TO_POINTER (descriptor) };
}

TsSink
ts_sink_to_text (GString *text)
{
  return (TsSink){ write_to_text, text };
}
