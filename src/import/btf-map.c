/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/btf-map.h"

#if defined __SSE2__ && defined __x86_64__
#include <immintrin.h>
#endif

#ifdef __SSE2__

static TS_ALWAYS_INLINE void
draw_piece (char *marks, __m128i bytes, char c)
{
  const guint16 found = (guint16) _mm_movemask_epi8 (_mm_cmpeq_epi8 (bytes, _mm_set1_epi8 (c)));

  memcpy (marks, &found, sizeof found);
}

/* A bit for each of 16 bytes, which are loaded once. */
static TS_ALWAYS_INLINE void
draw_a_piece (TsBtfMap *map, const char *bytes, gsize at)
{
  const __m128i piece = _mm_load_si128 ((const __m128i *) (gconstpointer) (bytes + at * 8));

  draw_piece (map->commas + at, piece, ',');
  draw_piece (map->newlines + at, piece, '\n');
}

/* A bit for each of TS_MARKS_BLOCK bytes. */
static TS_ALWAYS_INLINE void
draw_block (TsBtfMap *map, const char *bytes, gsize at)
{
  draw_a_piece (map, bytes, at);
  draw_a_piece (map, bytes, at + 2);
  draw_a_piece (map, bytes, at + 4);
  draw_a_piece (map, bytes, at + 6);
}

#else

static inline void
draw_marks (char *marks, const char *bytes, char c)
{
  guint64 found = GUINT64_TO_LE (ts_marks_find (bytes, c, c));

  memcpy (marks, &found, sizeof found);
}

static inline void
draw_block (TsBtfMap *map, const char *bytes, gsize at)
{
  draw_marks (map->commas + at, bytes + at * 8, ',');
  draw_marks (map->newlines + at, bytes + at * 8, '\n');
}

#endif

static TS_ALWAYS_INLINE void
draw_by_pieces (TsBtfMap *map, const char *bytes, gsize n_blocks)
{
  for (gsize i = 0; i < n_blocks; i++)
    draw_block (map, bytes, i * TS_BTF_BLOCK_MARKS);
}

/* The same by instructions that not each processor has. Whatever else is done with a line takes no less with them. */
#if defined __SSE2__ && defined __x86_64__

#define HALVES __attribute__ ((target ("avx2")))
#define WHOLES __attribute__ ((target ("avx512bw")))

gboolean
ts_btf_can_step (TsBtfStep step)
{
  if (step == TS_BTF_HALVES)
    return __builtin_cpu_supports ("avx2") != 0;
  return step == TS_BTF_PIECES || __builtin_cpu_supports ("avx512bw") != 0;
}

HALVES static TS_ALWAYS_INLINE void
draw_half (char *marks, __m256i half, char c)
{
  const guint32 found = (guint32) _mm256_movemask_epi8 (_mm256_cmpeq_epi8 (half, _mm256_set1_epi8 (c)));

  memcpy (marks, &found, sizeof found);
}

HALVES static void
draw_by_halves (TsBtfMap *map, const char *bytes, gsize n_blocks)
{
  for (gsize at = 0; at < n_blocks * TS_BTF_BLOCK_MARKS; at += TS_BTF_BLOCK_MARKS / 2)
    {
      const __m256i half = _mm256_loadu_si256 ((gconstpointer) (bytes + at * 8));

      draw_half (map->commas + at, half, ',');
      draw_half (map->newlines + at, half, '\n');
    }
}

WHOLES static TS_ALWAYS_INLINE void
draw_whole (char *marks, __m512i block, char c)
{
  const guint64 found = _mm512_cmpeq_epi8_mask (block, _mm512_set1_epi8 (c));

  memcpy (marks, &found, sizeof found);
}

WHOLES static void
draw_by_wholes (TsBtfMap *map, const char *bytes, gsize n_blocks)
{
  for (gsize at = 0; at < n_blocks * TS_BTF_BLOCK_MARKS; at += TS_BTF_BLOCK_MARKS)
    {
      const __m512i block = _mm512_loadu_si512 (bytes + at * 8);

      draw_whole (map->commas + at, block, ',');
      draw_whole (map->newlines + at, block, '\n');
    }
}

static void
draw (TsBtfMap *map, const char *bytes, gsize n_blocks, TsBtfStep step)
{
  if (step == TS_BTF_WHOLES)
    draw_by_wholes (map, bytes, n_blocks);
  else if (step == TS_BTF_HALVES)
    draw_by_halves (map, bytes, n_blocks);
  else
    draw_by_pieces (map, bytes, n_blocks);
}

#else

gboolean
ts_btf_can_step (TsBtfStep step)
{
  return step == TS_BTF_PIECES;
}

static void
draw (TsBtfMap *map, const char *bytes, gsize n_blocks, G_GNUC_UNUSED TsBtfStep step)
{
  draw_by_pieces (map, bytes, n_blocks);
}

#endif

void
ts_btf_draw_map_by (TsBtfMap *map, const char *bytes, gsize n_blocks, TsBtfStep step)
{
  map->bytes = bytes;
  draw (map, bytes, n_blocks, step);
  memset (map->newlines + n_blocks * TS_BTF_BLOCK_MARKS, 0, TS_BTF_MAP_MARGIN);
  /* of no effect, and so that whoever has every byte watched is not told of it */
  memset (map->commas + n_blocks * TS_BTF_BLOCK_MARKS, 0, TS_BTF_MAP_MARGIN);
}

void
ts_btf_draw_map (TsBtfMap *map, const char *bytes, gsize n_blocks)
{
  TsBtfStep step = TS_BTF_WHOLES;

  while (!ts_btf_can_step (step))
    step--;
  ts_btf_draw_map_by (map, bytes, n_blocks, step);
}
