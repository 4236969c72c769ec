/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/squeezed.h"

G_BEGIN_DECLS

/* Where ts_can_squeeze(): copies lines of TRACE from the beginning of one at @begin on, as many as are whole within the next
 * @n bytes: but for the last of these, up to TS_SQUEEZED_WORDS words, and up to the first one that has a `\'. Of blanks and
 * tabulators between two fields one blank is left, and none at both ends of a line, around the `;' behind the fields, and
 * around the commas and equals signs behind that: but one between a comma and the end of a line, where it is a pair. In
 * names and values all are left as they are. So claims, events and dependencies mean the same; of other statements some do
 * not. Returns how many bytes of the original that is, or 0. */
gsize ts_etf_squeeze (TsSqueezed *squeezed, const guint8 *begin, gsize n);

G_END_DECLS
