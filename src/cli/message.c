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
    if (diagnostics->entries[i].count > 0 && ts_diagnostic_info ((TsDiagnosticId) i)->severity >= TS_SEVERITY_WARNING)
      {
        g_autofree char *text = ts_diagnostics_text (diagnostics, (TsDiagnosticId) i);

        message_warning ("%s", text);
      }
}

void
message_refused (const TsDiagnostics *diagnostics, const TsDiagnosticRule *rules)
{
  for (guint i = 0; i < TS_N_DIAGNOSTICS; i++)
    if (ts_diagnostics_refuse (diagnostics, (TsDiagnosticId) i, rules)
        && (is_quiet || ts_diagnostic_info ((TsDiagnosticId) i)->severity == TS_SEVERITY_NOTE))
      {
        g_autofree char *text = ts_diagnostics_text (diagnostics, (TsDiagnosticId) i);

        message_error ("%s", text);
      }
}
