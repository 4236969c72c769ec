/* SPDX-License-Identifier: MIT */
#pragma once

#include <tracestat/timeline.h>
#include <tracestat/trace.h>

#include "import/importer.h"

G_BEGIN_DECLS

/* The bounds that @options ask for, in @window, by the time base of the system of @import, which is asked to read
 * once more where a finer one hits them exactly. FALSE: a bound is out of range, or the window is empty. */
gboolean ts_window_resolve (const TsOptions *options, TsImport *import, TsTimelineOptions *window, GError **error);

G_END_DECLS
