/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <glib-unix.h>

#include "import/stop.h"

struct _TsStop
{
  pthread_mutex_t mutex;
  gboolean        is_set;
  int             pipe[2]; /* or -1 */
};

TsStop *
ts_stop_new (void)
{
  TsStop *stop = g_new0 (TsStop, 1);

  pthread_mutex_init (&stop->mutex, NULL);
  stop->pipe[0] = stop->pipe[1] = -1;
  return stop;
}

void
ts_stop_free (TsStop *stop)
{
  if (stop == NULL)
    return;
  ts_stop_close (stop);
  pthread_mutex_destroy (&stop->mutex);
  g_free (stop);
}

/* The end that nobody writes to any more is readable for good. */
static void
close_end (TsStop *stop, guint end)
{
  if (stop->pipe[end] >= 0)
    close (stop->pipe[end]);
  stop->pipe[end] = -1;
}

void
ts_stop_set (TsStop *stop)
{
  pthread_mutex_lock (&stop->mutex);
  stop->is_set = TRUE;
  close_end (stop, 1);
  pthread_mutex_unlock (&stop->mutex);
}

gboolean
ts_stop_is_set (TsStop *stop)
{
  gboolean is_set;

  pthread_mutex_lock (&stop->mutex);
  is_set = stop->is_set;
  pthread_mutex_unlock (&stop->mutex);
  return is_set;
}

int
ts_stop_open (TsStop *stop)
{
  int descriptor;

  pthread_mutex_lock (&stop->mutex);
  if (stop->pipe[0] < 0 && !g_unix_open_pipe (stop->pipe, FD_CLOEXEC, NULL))
    stop->pipe[0] = stop->pipe[1] = -1;
  if (stop->is_set)
    close_end (stop, 1);
  descriptor = stop->pipe[0];
  pthread_mutex_unlock (&stop->mutex);
  return descriptor;
}

void
ts_stop_close (TsStop *stop)
{
  pthread_mutex_lock (&stop->mutex);
  close_end (stop, 0);
  close_end (stop, 1);
  pthread_mutex_unlock (&stop->mutex);
}

gssize
ts_stop_read (int fd, guint8 *bytes, gsize size, int stop_fd)
{
  struct pollfd waits[] = { { .fd = fd, .events = POLLIN }, { .fd = stop_fd, .events = POLLIN } };
  gboolean      must_wait = stop_fd >= 0;
  gssize        n;

  for (;;)
    {
      if (must_wait)
        while (poll (waits, G_N_ELEMENTS (waits), -1) < 0 && errno == EINTR)
          continue;
      if (waits[1].revents != 0)
        {
          errno = ECANCELED;
          return -1;
        }
      n = read (fd, bytes, size);
      if (n >= 0 || (errno != EINTR && errno != EAGAIN))
        return n;
      /* whoever shares a terminal or a pipe may have made it so that it does not wait */
      must_wait |= errno == EAGAIN;
    }
}
