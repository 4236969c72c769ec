/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <tracestat/error.h>

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
