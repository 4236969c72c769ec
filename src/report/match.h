/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Which elements of @traces (of TsTrace) are the same one: for each trace an array that has a number for each
 * element. No two of one trace have the same number; equal ones of several traces are pooled. */
GPtrArray *ts_match_elements (const GPtrArray *traces);

G_END_DECLS
