/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/api.h>

G_BEGIN_DECLS

/* The formats of traces that can be read, for --list formats. */
typedef struct
{
  const char        *name; /* of --input-format */
  const char        *title;
  const char *const *suffixes; /* NULL-terminated */
} TsFormat;

/* FALSE past the last one. */
TS_API gboolean ts_format_get (guint index, TsFormat *format);

G_END_DECLS
