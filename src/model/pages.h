/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Memory of what there is a lot of, for each claim or each accumulator. It is written once from its beginning to its
 * end, and a good part of what that costs is that the system clears a page and maps it for every few of them. So what is
 * large is made of large pages, if the system has them to give, and is moved without being copied when there must be more
 * of it. */

#define TS_LARGE_PAGE ((gsize) 2 << 20)
#define TS_CACHE_LINE 64

/* Memory of @size bytes in place of @old_size, which are fewer, or none at NULL; what is new is zeroed. Whoever frees it
 * has to know how large it is. Never NULL: without memory the program ends, as with g_malloc(). */
gpointer ts_pages_resize (gpointer memory, gsize old_size, gsize size);
void     ts_pages_release (gpointer memory, gsize size);
/* What is in the first @n bytes of such memory is not needed any longer, and lost: large pages go back to the system. */
void     ts_pages_drop_front (gpointer memory, gsize size, gsize n);

/* The first whole line of the cache in @memory, which has room for one more than is needed. */
static inline gpointer
ts_pages_first_line (gpointer memory)
{
  return (gpointer) (((guintptr) memory + TS_CACHE_LINE - 1) & -(guintptr) TS_CACHE_LINE);
}

G_END_DECLS
