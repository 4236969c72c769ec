/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <tracestat/error.h>

G_DEFINE_QUARK (ts-error-quark, ts_error)

const char *
ts_version (void)
{
  return PACKAGE_VERSION;
}
