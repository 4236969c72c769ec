/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/digits.h"
#include "import/marks.h"
#include "model/inline.h"

G_BEGIN_DECLS

/* Of what there is a map at a time: it stays in the nearest cache. */
#define TS_BTF_MAP_BLOCKS 64
#define TS_BTF_BLOCK_MARKS (TS_MARKS_BLOCK / 8)

/* Behind it, where a time may end or what is in sight from there, there are no ends of lines. */
#define TS_BTF_MAP_MARGIN 32

/* Where commas and ends of lines are, a bit for each byte; as bytes, since lines begin at any of them. */
typedef char TsBtfMapMarks[TS_BTF_MAP_BLOCKS * TS_BTF_BLOCK_MARKS + TS_BTF_MAP_MARGIN];

typedef struct
{
  const char   *bytes;
  TsBtfMapMarks commas, newlines;
} TsBtfMap;

/* So much of a block is looked at at a time. */
typedef enum
{
  TS_BTF_PIECES, /* 16 bytes, or 8 */
  TS_BTF_HALVES,
  TS_BTF_WHOLES,
  TS_BTF_N_STEPS
} TsBtfStep;

/* From @at on, in a whole block. */
static TS_ALWAYS_INLINE guint64
ts_btf_all_marks_at (const char *marks, gsize at)
{
  return ts_eight_load (marks + at / 8) >> at % 8 | (guint64) (guint8) marks[at / 8 + 8] << 1 << (63 - at % 8);
}

/* So many bits are seen from any byte on. */
#define TS_BTF_MAP_SIGHT (TS_MARKS_BLOCK - 7)

/* From @at on; those that are within TS_BTF_MAP_SIGHT. */
static TS_ALWAYS_INLINE guint64
ts_btf_marks_at (const char *marks, gsize at)
{
  return ts_eight_load (marks + at / 8) >> at % 8;
}

/* Draws the map of @n_blocks blocks of TS_MARKS_BLOCK from @bytes on, an address that 16 divides. */
void ts_btf_draw_map (TsBtfMap *map, const char *bytes, gsize n_blocks);
/* The same by so much of a block at a time, if the processor can. */
void     ts_btf_draw_map_by (TsBtfMap *map, const char *bytes, gsize n_blocks, TsBtfStep step);
gboolean ts_btf_can_step (TsBtfStep step);

G_END_DECLS
