/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "import/marks.h"

G_BEGIN_DECLS

/* Lines with other blanks each time are copied with as few as need be: then they are regular. The copy means the same, and
 * is as many lines. */

#define TS_VIS_SQUEEZE_WORDS 1024 /* of the original, at a time: they stay in a near cache */
/* Zeros behind the copy, so that its last line can be looked at like any other. */
#define TS_VIS_SQUEEZE_MARGIN (2 * TS_MARKS_BLOCK)

typedef struct
{
  guint8 before[TS_MARKS_BLOCK]; /* that are looked at in front of a line */
  guint8 bytes[TS_VIS_SQUEEZE_WORDS * TS_MARKS_BLOCK + TS_VIS_SQUEEZE_MARGIN]; /* the copy */
  gsize  length;
} TsVisSqueezed;

TsVisSqueezed *ts_vis_squeezed_new (void); /* for g_free() */

/* Only processors with some instructions of AVX-512 (VBMI2) do that in no time. */
gboolean ts_vis_can_squeeze (void);

/* Copies lines from the beginning of one at @begin on, as many as are whole within the next @n bytes: but for the last of these,
 * and up to TS_VIS_SQUEEZE_WORDS words, or to a line of nearly @longest bytes. Of blanks and tabulators between two numbers one
 * blank is left, and none at both ends of a line; nor is the '\r' of an end of a line. Returns how many bytes of the
 * original that is, or 0. */
gsize ts_vis_squeeze (TsVisSqueezed *squeezed, const guint8 *begin, gsize n, gsize longest);

G_END_DECLS
