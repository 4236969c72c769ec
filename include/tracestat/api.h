/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* What the shared library exports; everything else is hidden. */
#define TS_API __attribute__ ((visibility ("default")))

G_BEGIN_DECLS

/* The version of the library that is running, as "MAJOR.MINOR.PATCH". */
TS_API const char *ts_version (void);

G_END_DECLS
