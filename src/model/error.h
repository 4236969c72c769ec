/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/error.h>

G_BEGIN_DECLS

/* Sets @error: a value that the caller gave cannot be used (TS_ERROR_USAGE). Returns FALSE, for its caller to return. */
gboolean ts_error_refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

G_END_DECLS
