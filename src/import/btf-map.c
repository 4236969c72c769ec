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
draw_a_piece (TsBtfMap *map, const char *bytes, gsize at, gboolean is_loose, gboolean has_returns)
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
  draw_a_piece (map, bytes, at, is_loose, has_returns);
  draw_a_piece (map, bytes, at + 2, is_loose, has_returns);
  draw_a_piece (map, bytes, at + 4, is_loose, has_returns);
  draw_a_piece (map, bytes, at + 6, is_loose, has_returns);
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
draw_pieces (TsBtfMap *map, const char *bytes, gsize n_blocks, gboolean is_loose, gboolean has_returns)
{
  for (gsize i = 0; i < n_blocks; i++)
    draw_block (map, bytes, i * TS_BTF_BLOCK_MARKS, is_loose, has_returns);
}

/* The same by instructions that not each processor has. Whatever else is done with a line takes no less with them. Their
 * loops have copies for lines that are not loose, since a function of another target is none that can be put in place. */
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
draw_half (char *marks, __m256i half, char a, char b)
{
  const __m256i is_a = _mm256_cmpeq_epi8 (half, _mm256_set1_epi8 (a)), is_b = _mm256_cmpeq_epi8 (half, _mm256_set1_epi8 (b));
  const guint32 found = (guint32) _mm256_movemask_epi8 (_mm256_or_si256 (is_a, is_b));

  memcpy (marks, &found, sizeof found);
}

HALVES static TS_ALWAYS_INLINE void
draw_halves (TsBtfMap *map, const char *bytes, gsize n_blocks, gboolean is_loose, gboolean has_returns)
{
  for (gsize at = 0; at < n_blocks * TS_BTF_BLOCK_MARKS; at += TS_BTF_BLOCK_MARKS / 2)
    {
      const __m256i half = _mm256_loadu_si256 ((gconstpointer) (bytes + at * 8));

      draw_half (map->commas + at, half, ',', ',');
      draw_half (map->newlines + at, half, '\n', '\n');
      if (is_loose)
        draw_half (map->blanks + at, half, ' ', '\t');
      if (has_returns)
        draw_half (map->returns + at, half, '\r', '\r');
    }
}

HALVES static void
draw_plain_by_halves (TsBtfMap *map, const char *bytes, gsize n_blocks)
{
  draw_halves (map, bytes, n_blocks, FALSE, FALSE);
}

HALVES static void
draw_loose_by_halves (TsBtfMap *map, const char *bytes, gsize n_blocks, gboolean has_returns)
{
  draw_halves (map, bytes, n_blocks, TRUE, has_returns);
}

WHOLES static TS_ALWAYS_INLINE void
draw_whole (char *marks, __m512i block, char a, char b)
{
  const guint64 found = _mm512_cmpeq_epi8_mask (block, _mm512_set1_epi8 (a))
                        | _mm512_cmpeq_epi8_mask (block, _mm512_set1_epi8 (b));

  memcpy (marks, &found, sizeof found);
}

WHOLES static TS_ALWAYS_INLINE void
draw_wholes (TsBtfMap *map, const char *bytes, gsize n_blocks, gboolean is_loose, gboolean has_returns)
{
  for (gsize at = 0; at < n_blocks * TS_BTF_BLOCK_MARKS; at += TS_BTF_BLOCK_MARKS)
    {
      const __m512i block = _mm512_loadu_si512 (bytes + at * 8);

      draw_whole (map->commas + at, block, ',', ',');
      draw_whole (map->newlines + at, block, '\n', '\n');
      if (is_loose)
        draw_whole (map->blanks + at, block, ' ', '\t');
      if (has_returns)
        draw_whole (map->returns + at, block, '\r', '\r');
    }
}

WHOLES static void
draw_plain_by_wholes (TsBtfMap *map, const char *bytes, gsize n_blocks)
{
  draw_wholes (map, bytes, n_blocks, FALSE, FALSE);
}

WHOLES static void
draw_loose_by_wholes (TsBtfMap *map, const char *bytes, gsize n_blocks, gboolean has_returns)
{
  draw_wholes (map, bytes, n_blocks, TRUE, has_returns);
}

static void
draw_plain (TsBtfMap *map, const char *bytes, gsize n_blocks, TsBtfStep step)
{
  if (step == TS_BTF_WHOLES)
    draw_plain_by_wholes (map, bytes, n_blocks);
  else if (step == TS_BTF_HALVES)
    draw_plain_by_halves (map, bytes, n_blocks);
  else
    draw_pieces (map, bytes, n_blocks, FALSE, FALSE);
}

static TS_ALWAYS_INLINE void
draw_blanks (TsBtfMap *map, const char *bytes, gsize n_blocks, gboolean has_returns, TsBtfStep step)
{
  if (step == TS_BTF_WHOLES)
    draw_loose_by_wholes (map, bytes, n_blocks, has_returns);
  else if (step == TS_BTF_HALVES)
    draw_loose_by_halves (map, bytes, n_blocks, has_returns);
  else
    draw_pieces (map, bytes, n_blocks, TRUE, has_returns);
}

#else

gboolean
ts_btf_can_step (TsBtfStep step)
{
  return step == TS_BTF_PIECES;
}

static void
draw_plain (TsBtfMap *map, const char *bytes, gsize n_blocks, G_GNUC_UNUSED TsBtfStep step)
{
  draw_pieces (map, bytes, n_blocks, FALSE, FALSE);
}

static TS_ALWAYS_INLINE void
draw_blanks (TsBtfMap *map, const char *bytes, gsize n_blocks, gboolean has_returns, G_GNUC_UNUSED TsBtfStep step)
{
  draw_pieces (map, bytes, n_blocks, TRUE, has_returns);
}

#endif

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
draw_loose (TsBtfMap *map, const char *bytes, gsize n_blocks, gboolean has_returns, TsBtfStep step)
{
  draw_blanks (map, bytes, n_blocks, has_returns, step);
  draw_fields (map, n_blocks, has_returns);
}

void
ts_btf_draw_map_by (TsBtfMap *map, const char *bytes, gsize n_blocks, gboolean is_loose, TsBtfStep step)
{
  map->bytes = bytes;
  if (!is_loose)
    draw_plain (map, bytes, n_blocks, step);
  else if (memchr (bytes, '\r', n_blocks * TS_MARKS_BLOCK) == NULL)
    draw_loose (map, bytes, n_blocks, FALSE, step);
  else
    draw_loose (map, bytes, n_blocks, TRUE, step);
  memset (map->newlines + n_blocks * TS_BTF_BLOCK_MARKS, 0, TS_BTF_MAP_MARGIN);
}

void
ts_btf_draw_map (TsBtfMap *map, const char *bytes, gsize n_blocks, gboolean is_loose)
{
  TsBtfStep step = TS_BTF_WHOLES;

  while (!ts_btf_can_step (step))
    step--;
  ts_btf_draw_map_by (map, bytes, n_blocks, is_loose, step);
}
