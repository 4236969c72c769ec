/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "import/btf-map.h"

#if defined __SSE2__ && defined __x86_64__
#include <immintrin.h>
#endif

#define HIGHEST_BIT (TS_MARKS_BLOCK - 1)

#ifdef __SSE2__

static TS_ALWAYS_INLINE void
draw_piece (char *marks, __m128i bytes, char a, char b)
{
  const __m128i is_a = _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 (a)), is_b = _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 (b));
  const guint16 found = (guint16) _mm_movemask_epi8 (_mm_or_si128 (is_a, is_b));

  memcpy (marks, &found, sizeof found);
}

/* A bit for each of 16 bytes, which are loaded once. */
static TS_ALWAYS_INLINE void
draw_pieces (TsBtfMap *map, const char *bytes, gsize at, gboolean is_loose, gboolean has_returns)
{
  const __m128i piece = _mm_load_si128 ((const __m128i *) (gconstpointer) (bytes + at * 8));

  draw_piece (map->commas + at, piece, ',', ',');
  draw_piece (map->newlines + at, piece, '\n', '\n');
  if (is_loose)
    draw_piece (map->blanks + at, piece, ' ', '\t');
  if (has_returns)
    draw_piece (map->returns + at, piece, '\r', '\r');
}

/* A bit for each of TS_MARKS_BLOCK bytes. */
static TS_ALWAYS_INLINE void
draw_block (TsBtfMap *map, const char *bytes, gsize at, gboolean is_loose, gboolean has_returns)
{
  draw_pieces (map, bytes, at, is_loose, has_returns);
  draw_pieces (map, bytes, at + 2, is_loose, has_returns);
  draw_pieces (map, bytes, at + 4, is_loose, has_returns);
  draw_pieces (map, bytes, at + 6, is_loose, has_returns);
}

#else

static inline void
draw_marks (char *marks, const char *bytes, char a, char b)
{
  guint64 found = GUINT64_TO_LE (ts_marks_find (bytes, a, b));

  memcpy (marks, &found, sizeof found);
}

static inline void
draw_block (TsBtfMap *map, const char *bytes, gsize at, gboolean is_loose, gboolean has_returns)
{
  draw_marks (map->commas + at, bytes + at * 8, ',', ',');
  draw_marks (map->newlines + at, bytes + at * 8, '\n', '\n');
  if (is_loose)
    draw_marks (map->blanks + at, bytes + at * 8, ' ', '\t');
  if (has_returns)
    draw_marks (map->returns + at, bytes + at * 8, '\r', '\r');
}

#endif

static TS_ALWAYS_INLINE void
draw_blocks_by_pieces (TsBtfMap *map, const char *bytes, gsize n_blocks, gboolean is_loose, gboolean has_returns)
{
  for (gsize i = 0; i < n_blocks; i++)
    draw_block (map, bytes, i * TS_BTF_BLOCK_MARKS, is_loose, has_returns);
}

/* The same by instructions that not each processor has. A map takes a quarter of the time with them; whatever else is
 * done with a line takes no less. */
#if defined __SSE2__ && defined __x86_64__

#define AT_ONCE __attribute__ ((target ("avx512bw")))

gboolean
ts_btf_can_draw_at_once (void)
{
  return __builtin_cpu_supports ("avx512bw") != 0;
}

AT_ONCE static inline void
draw_at_once (char *marks, __m512i block, char a, char b)
{
  const guint64 found = _mm512_cmpeq_epi8_mask (block, _mm512_set1_epi8 (a))
                        | _mm512_cmpeq_epi8_mask (block, _mm512_set1_epi8 (b));

  memcpy (marks, &found, sizeof found);
}

AT_ONCE static void
draw_blocks_at_once (TsBtfMap *map, const char *bytes, gsize n_blocks, gboolean is_loose, gboolean has_returns)
{
  for (gsize at = 0; n_blocks > 0; n_blocks--, at += TS_BTF_BLOCK_MARKS, bytes += TS_MARKS_BLOCK)
    {
      const __m512i block = _mm512_loadu_si512 (bytes);

      draw_at_once (map->commas + at, block, ',', ',');
      draw_at_once (map->newlines + at, block, '\n', '\n');
      if (is_loose)
        draw_at_once (map->blanks + at, block, ' ', '\t');
      if (has_returns)
        draw_at_once (map->returns + at, block, '\r', '\r');
    }
}

#else

gboolean
ts_btf_can_draw_at_once (void)
{
  return FALSE;
}

#define draw_blocks_at_once draw_blocks_by_pieces

#endif

static TS_ALWAYS_INLINE void
draw_blocks (TsBtfMap *map, const char *bytes, gsize n_blocks, gboolean is_loose, gboolean has_returns,
             gboolean at_once)
{
  if (at_once)
    draw_blocks_at_once (map, bytes, n_blocks, is_loose, has_returns);
  else
    draw_blocks_by_pieces (map, bytes, n_blocks, is_loose, has_returns);
}

/* What a block has of commas and ends of lines, and of blanks. */
typedef struct
{
  guint64 newlines, limits, blanks, returns;
} Block;

static inline Block
block_at (const TsBtfMap *map, gsize at, gboolean has_returns)
{
  Block block = { .newlines = ts_eight_load (map->newlines + at),
                  .blanks = ts_eight_load (map->blanks + at),
                  .returns = has_returns ? ts_eight_load (map->returns + at) : 0 };

  block.limits = ts_eight_load (map->commas + at) | block.newlines;
  /* a line may end with two bytes */
  block.blanks |= block.returns & block.newlines >> 1;
  return block;
}

/* Whether the first byte of @block that is no blank is a limit. */
static inline gboolean
begins_with_limit (const Block *block)
{
  return (~block->blanks & (block->blanks + 1) & block->limits) != 0;
}

/* @limits, and up to 31 blanks in front of each: mostly there are none in any block, or some in nearly all. */
static inline guint64
with_blanks_before (guint64 limits, guint64 blanks)
{
  if ((blanks & limits >> 1) == 0)
    return limits;
  limits |= blanks & limits >> 1;
  blanks &= blanks >> 1;
  limits |= blanks & limits >> 2;
  blanks &= blanks >> 2;
  limits |= blanks & limits >> 4;
  blanks &= blanks >> 4;
  limits |= blanks & limits >> 8;
  blanks &= blanks >> 8;
  return limits | (blanks & limits >> 16);
}

static void
store_marks (char *marks, guint64 word)
{
  word = GUINT64_TO_LE (word);
  memcpy (marks, &word, sizeof word);
}

/* A sum goes on through all blanks behind a limit; in front of one there is none that does, as these go up only. */
static TS_ALWAYS_INLINE void
draw_fields (TsBtfMap *map, gsize n_blocks, gboolean has_returns)
{
  const gsize n = n_blocks * TS_BTF_BLOCK_MARKS;
  Block       block = block_at (map, 0, has_returns), next;
  guint64     behind_limit = 1, behind_blank = 0; /* the last byte of the block before */

  for (gsize at = 0; at < n; at += TS_BTF_BLOCK_MARKS, block = next)
    {
      guint64 starts, sum, limits;

      next = at + TS_BTF_BLOCK_MARKS < n ? block_at (map, at + TS_BTF_BLOCK_MARKS, has_returns) : (Block){ 0 };
      block.blanks |= block.returns & next.newlines << HIGHEST_BIT;
      starts = block.limits << 1 | behind_limit;
      behind_limit = block.limits >> HIGHEST_BIT;
      behind_limit |= __builtin_add_overflow (starts & block.blanks, block.blanks, &sum);
      store_marks (map->begins + at, (sum | starts) & ~block.blanks);
      limits = block.limits | (block.blanks & (guint64) begins_with_limit (&next) << HIGHEST_BIT);
      limits = with_blanks_before (limits, block.blanks);
      store_marks (map->ends + at, limits & ~((limits & block.blanks) << 1 | behind_blank));
      behind_blank = (limits & block.blanks) >> HIGHEST_BIT;
    }
}

static TS_ALWAYS_INLINE void
draw_loose (TsBtfMap *map, const char *bytes, gsize n_blocks, gboolean has_returns, gboolean at_once)
{
  draw_blocks (map, bytes, n_blocks, TRUE, has_returns, at_once);
  draw_fields (map, n_blocks, has_returns);
}

void
ts_btf_draw_map_as (TsBtfMap *map, const char *bytes, gsize n_blocks, gboolean is_loose, gboolean at_once)
{
  map->bytes = bytes;
  if (!is_loose)
    draw_blocks (map, bytes, n_blocks, FALSE, FALSE, at_once);
  else if (memchr (bytes, '\r', n_blocks * TS_MARKS_BLOCK) == NULL)
    draw_loose (map, bytes, n_blocks, FALSE, at_once);
  else
    draw_loose (map, bytes, n_blocks, TRUE, at_once);
  memset (map->newlines + n_blocks * TS_BTF_BLOCK_MARKS, 0, TS_BTF_MAP_MARGIN);
}

void
ts_btf_draw_map (TsBtfMap *map, const char *bytes, gsize n_blocks, gboolean is_loose)
{
  ts_btf_draw_map_as (map, bytes, n_blocks, is_loose, ts_btf_can_draw_at_once ());
}
