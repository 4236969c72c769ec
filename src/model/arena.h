/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Memory of accumulators and samples, of which a trace with thousands of elements has tens of thousands. It is handed
 * out piece by piece from large pages, since to find small ones is a good part of what a sample costs, and given back as
 * a whole. */

#define TS_ARENA_LINE 64 /* all pieces are as many lines of the cache, and begin with one */
#define TS_ARENA_CLASSES 5 /* that may be given back alone: 1, 2, 4, 8, 16 lines */

typedef struct
{
  guint8  *next; /* in the last chunk */
  gsize    left;
  gpointer chunks; /* the last one, which knows the one before */
  gboolean is_small; /* one of many: no large pages, of which most may stay empty */
  gpointer unused[TS_ARENA_CLASSES]; /* that were given back: the first knows the next */
} TsArena;

void ts_arena_clear (TsArena *arena);
/* Of @size, zeroed. */
gpointer ts_arena_take (TsArena *arena, gsize size);
/* 1 << @class lines, not zeroed, and back again. */
gpointer ts_arena_take_class (TsArena *arena, guint class);
void     ts_arena_give_back (TsArena *arena, gpointer piece, guint class);

G_END_DECLS
