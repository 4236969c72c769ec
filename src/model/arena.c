/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "model/arena.h"
#include "model/pages.h"

/* Each chunk is twice as large as the one before, up to the largest. */
#define FIRST_CHUNK (2 * 1024)
#define LARGEST_SMALL (TS_LARGE_PAGE / 8)
#define LARGEST_CHUNK (4 * 1024 * 1024)

/* At its beginning, in its first line. */
typedef struct _Chunk Chunk;
struct _Chunk
{
  Chunk   *before;
  gpointer memory; /* of which it is */
  gsize    size;
};

G_STATIC_ASSERT (sizeof (Chunk) <= TS_ARENA_LINE);

void
ts_arena_clear (TsArena *arena)
{
  for (Chunk *chunk = arena->chunks, *before; chunk != NULL; chunk = before)
    {
      before = chunk->before;
      ts_pages_release (chunk->memory, chunk->size);
    }
  *arena = (TsArena){ .is_small = arena->is_small };
}

/* With room for @least. */
static void
add_chunk (TsArena *arena, gsize least)
{
  Chunk   *before = arena->chunks, *chunk;
  gsize    largest = arena->is_small ? LARGEST_SMALL : LARGEST_CHUNK;
  gsize    size = before != NULL ? MIN (2 * before->size, largest) : FIRST_CHUNK;
  gpointer memory;

  while (size < least + 2 * TS_ARENA_LINE)
    size *= 2;
  /* of what takes a large page anyway, all is used */
  if (size > LARGEST_SMALL && !arena->is_small)
    size = MAX (size, TS_LARGE_PAGE);
  memory = ts_pages_resize (NULL, 0, size);
  chunk = (Chunk *) (((guintptr) memory + TS_ARENA_LINE - 1) & -(guintptr) TS_ARENA_LINE);
  *chunk = (Chunk){ before, memory, size };
  arena->chunks = chunk;
  arena->next = (guint8 *) chunk + TS_ARENA_LINE;
  arena->left = ((gsize) ((guint8 *) memory + size - arena->next)) & -(gsize) TS_ARENA_LINE;
}

gpointer
ts_arena_take (TsArena *arena, gsize size)
{
  gpointer piece;

  size = (size + TS_ARENA_LINE - 1) & -(gsize) TS_ARENA_LINE;
  if (G_UNLIKELY (arena->left < size))
    add_chunk (arena, size);
  piece = arena->next;
  arena->next += size;
  arena->left -= size;
  return piece;
}

gpointer
ts_arena_take_class (TsArena *arena, guint class)
{
  gpointer *piece = arena->unused[class];

  if (piece == NULL)
    return ts_arena_take (arena, (gsize) TS_ARENA_LINE << class);
  arena->unused[class] = *piece;
  return piece;
}

void
ts_arena_give_back (TsArena *arena, gpointer piece, guint class)
{
  *(gpointer *) piece = arena->unused[class];
  arena->unused[class] = piece;
}
