/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include <glib.h>

G_BEGIN_DECLS

/* How many bytes of @text, which is the begin of an input, are the byte order mark of UTF-8. */
static inline gsize
ts_mark_length (const void *text, gsize length)
{
  return length >= 3 && memcmp (text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

G_END_DECLS
