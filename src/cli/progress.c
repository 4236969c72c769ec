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
} progress;

void
progress_init (gboolean wanted)
{
  progress.wanted = wanted && isatty (STDERR_FILENO);
  progress.began = g_get_monotonic_time ();
  progress.next = progress.began + FIRST_AFTER;
}

void
progress_report (gpointer data, const char *path, guint64 position, guint64 size)
{
  gint64           now;
  g_autofree char *done = NULL, *rate = NULL, *share = NULL, *clean = NULL;

  if (!progress.wanted)
    return;
  now = g_get_monotonic_time ();
  if (now < progress.next)
    return;
  progress.next = now + EVERY;
  progress.shown = TRUE;
  done = g_format_size (position);
  rate = g_format_size ((guint64) ((double) position * G_USEC_PER_SEC / (double) (now - progress.began)));
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
