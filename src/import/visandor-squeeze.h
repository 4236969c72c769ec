/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/squeezed.h"

G_BEGIN_DECLS

/* Where ts_can_squeeze(): copies lines from the beginning of one at @begin on, as many as are whole within the next @n bytes:
 * but for the last of these, and up to TS_SQUEEZED_WORDS words, or to a line of nearly @longest bytes. Of blanks and
 * tabulators between two numbers one blank is left, and none at both ends of a line; nor is the '\r' of an end of a line.
 * Returns how many bytes of the original that is, or 0. */
gsize ts_vis_squeeze (TsSqueezed *squeezed, const guint8 *begin, gsize n, gsize longest);

G_END_DECLS
