/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/btf-map.h"

#ifdef __SSE2__

static TS_ALWAYS_INLINE void
draw_piece (char *marks, __m128i bytes, char c)
{
  const guint16 found = (guint16) _mm_movemask_epi8 (_mm_cmpeq_epi8 (bytes, _mm_set1_epi8 (c)));

  memcpy (marks, &found, sizeof found);
}

/* A bit for each of 16 bytes, which are loaded once. */
static TS_ALWAYS_INLINE void
draw_pieces (TsBtfMap *map, const char *bytes, gsize at, gboolean has_blanks)
{
  const __m128i piece = _mm_load_si128 ((const __m128i *) (gconstpointer) (bytes + at * 8));

  draw_piece (map->commas + at, piece, ',');
  draw_piece (map->newlines + at, piece, '\n');
  if (has_blanks)
    draw_piece (map->blanks + at, piece, ' ');
}

/* A bit for each of TS_MARKS_BLOCK bytes. */
static TS_ALWAYS_INLINE void
draw_block (TsBtfMap *map, const char *bytes, gsize at, gboolean has_blanks)
{
  draw_pieces (map, bytes, at, has_blanks);
  draw_pieces (map, bytes, at + 2, has_blanks);
  draw_pieces (map, bytes, at + 4, has_blanks);
  draw_pieces (map, bytes, at + 6, has_blanks);
}

#else

static inline void
draw_marks (char *marks, const char *bytes, char c)
{
  guint64 found = GUINT64_TO_LE (ts_marks_find (bytes, c, c));

  memcpy (marks, &found, sizeof found);
}

static inline void
draw_block (TsBtfMap *map, const char *bytes, gsize at, gboolean has_blanks)
{
  draw_marks (map->commas + at, bytes + at * 8, ',');
  draw_marks (map->newlines + at, bytes + at * 8, '\n');
  if (has_blanks)
    draw_marks (map->blanks + at, bytes + at * 8, ' ');
}

#endif

static TS_ALWAYS_INLINE void
draw_blocks (TsBtfMap *map, const char *bytes, gsize n_blocks, gboolean has_blanks)
{
  for (gsize i = 0; i < n_blocks; i++)
    draw_block (map, bytes, i * TS_BTF_BLOCK_MARKS, has_blanks);
}

void
ts_btf_draw_map (TsBtfMap *map, const char *bytes, gsize n_blocks, gboolean has_blanks)
{
  map->bytes = bytes;
  if (has_blanks)
    draw_blocks (map, bytes, n_blocks, TRUE);
  else
    draw_blocks (map, bytes, n_blocks, FALSE);
  memset (map->newlines + n_blocks * TS_BTF_BLOCK_MARKS, 0, TS_BTF_MAP_MARGIN);
}
