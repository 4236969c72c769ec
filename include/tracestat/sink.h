/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include <tracestat/api.h>

G_BEGIN_DECLS

/* Where bytes go: FALSE if they cannot, with an error that has the reason only. */
typedef struct
{
  gboolean (*write) (gpointer data, const char *bytes, gsize length, GError **error);
  gpointer data;
} TsSink;

TS_API TsSink ts_sink_to_descriptor (int descriptor); /* which stays open */
TS_API TsSink ts_sink_to_text (GString *text); /* at its end */

G_END_DECLS
