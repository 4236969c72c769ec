/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A copy of @length bytes as UTF-8, without bytes of 0; to be freed. If they are none, each is taken as a character of
 * Latin 1, so that two such texts that differ still do, and *is_latin is set; or NULL: nobody wants to know. */
char *ts_utf8_dup (const char *bytes, gsize length, gboolean *is_latin);

G_END_DECLS
