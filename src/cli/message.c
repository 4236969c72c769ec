/* SPDX-License-Identifier: MIT */
#include "message.h"

#include <stdio.h>

#include "progress.h"

static gboolean is_quiet;

void
message_set_quiet (gboolean quiet)
{
  is_quiet = quiet;
}

static void G_GNUC_PRINTF (2, 0)
print (const char *kind, const char *format, va_list arguments)
{
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  g_autofree char *clean = ts_text_clean (text);

  progress_clear ();
  fprintf (stderr, "tracestat: %s%s\n", kind, clean);
}

void
message_error (const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  print ("", format, arguments);
  va_end (arguments);
}

void
message_usage (const char *text)
{
  message_error ("%s", text);
  fputs ("Try `tracestat --help'.\n", stderr);
}

void
message_warning (const char *format, ...)
{
  va_list arguments;

  if (is_quiet)
    return;
  va_start (arguments, format);
  print ("warning: ", format, arguments);
  va_end (arguments);
}

void
message_diagnostics (const TsDiagnostics *diagnostics)
{
  for (guint i = 0; i < TS_N_DIAGNOSTICS; i++)
    {
      const TsDiagnosticInfo *info = ts_diagnostic_info ((TsDiagnosticId) i);
      const TsDiagnostic     *entry = &diagnostics->entries[i];
      g_autofree char        *place = NULL;

      if (entry->count == 0 || info->severity < TS_SEVERITY_WARNING)
        continue;
      if (entry->file != NULL && entry->line > 0)
        place = g_strdup_printf ("%s:%" G_GUINT64_FORMAT ": ", entry->file, entry->line);
      else if (entry->file != NULL)
        place = g_strdup_printf ("%s: ", entry->file);
      message_warning ("%s%s%s%s%s (%" G_GUINT64_FORMAT "x, %s); %s", place != NULL ? place : "", info->found,
                       entry->detail != NULL ? " (" : "", entry->detail != NULL ? entry->detail : "",
                       entry->detail != NULL ? ")" : "", entry->count, info->name, info->done);
    }
}
