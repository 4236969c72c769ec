/* SPDX-License-Identifier: MIT */
#include "progress.h"

#include <stdio.h>
#include <unistd.h>

#define FIRST_AFTER G_USEC_PER_SEC
#define EVERY (G_USEC_PER_SEC / 8)

static struct
{
  gboolean wanted;
  gboolean shown;
  gint64   began;
  gint64   next;
  /* of the trace that is being read, and bytes of all so far */
  const char *path;
  guint64     position, n_read;
} progress;

void
progress_init (gboolean wanted)
{
  progress.wanted = wanted && isatty (STDERR_FILENO);
  progress.began = g_get_monotonic_time ();
  progress.next = progress.began + FIRST_AFTER;
}

/* A trace may be read more than once, and is followed by another one: both begin at its first byte. Of several that are read side
 * by side, @position is the sum. */
static void
count_bytes (const char *path, guint64 position)
{
  const gboolean goes_on = path == progress.path && position >= progress.position;

  if (path == NULL)
    progress.n_read = position;
  else
    progress.n_read += position - (goes_on ? progress.position : 0);
  progress.path = path;
  progress.position = position;
}

void
progress_report (gpointer data, const char *path, guint64 position, guint64 size)
{
  gint64           now;
  g_autofree char *done = NULL, *rate = NULL, *share = NULL, *clean = NULL;

  if (!progress.wanted)
    return;
  count_bytes (path, position);
  now = g_get_monotonic_time ();
  if (now < progress.next)
    return;
  progress.next = now + EVERY;
  progress.shown = TRUE;
  done = g_format_size (position);
  rate = g_format_size ((guint64) ((double) progress.n_read * G_USEC_PER_SEC / (double) (now - progress.began)));
  if (size > 0)
    share = g_strdup_printf (" %3d %%", (int) (100.0 * (double) MIN (position, size) / (double) size));
  if (path == NULL)
    clean = g_strdup_printf ("%u traces", g_strv_length (data));
  else
    clean = ts_text_clean (path);
  fprintf (stderr, "\r\033[K%s:%s %s, %s/s", clean, share != NULL ? share : "", done, rate);
  fflush (stderr);
}

void
progress_clear (void)
{
  if (!progress.shown)
    return;
  progress.shown = FALSE;
  fputs ("\r\033[K", stderr);
  fflush (stderr);
}
