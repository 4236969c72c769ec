/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "model/error.h"

/* Not G_DEFINE_QUARK(): its static variable is written without a lock, and errors may come from several threads. */
GQuark
ts_error_quark (void)
{
  return g_quark_from_static_string ("ts-error-quark");
}

const char *
ts_version (void)
{
  return PACKAGE_VERSION;
}

gboolean
ts_error_refuse (GError **error, const char *format, ...)
{
  va_list          arguments;
  g_autofree char *text = NULL;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error_literal (error, TS_ERROR, TS_ERROR_USAGE, text);
  return FALSE;
}
