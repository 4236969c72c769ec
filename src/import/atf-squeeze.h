/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/squeezed.h"

G_BEGIN_DECLS

/* Entries with other blanks each time are copied with as few as need be: then they are like one another. The copy means the
 * same, and each line end of it is one of theirs. */

#define TS_ATF_SQUEEZE_WORDS 1024

typedef struct
{
  guint8  before[TS_MARKS_BLOCK]; /* that are looked at in front of an entry */
  guint8  bytes[(TS_ATF_SQUEEZE_WORDS + 1) * TS_MARKS_BLOCK]; /* the copy */
  guint32 at[TS_ATF_SQUEEZE_WORDS + 1]; /* where that of each word of the original begins */
  guint64 kept[TS_ATF_SQUEEZE_WORDS];   /* which bytes of it are there, a bit for each */
  gsize   n_words;
} TsAtfSqueezed;

/* Where ts_can_squeeze(): copies what of the @n bytes at @begin, which are between two children of an element or behind one, is
 * nothing but tags, their attributes and blanks, up to TS_ATF_SQUEEZE_WORDS words: at least, as far as somebody finds nothing
 * else in the copy. Of several blanks in a tag one is left, which is a space, and none beside an equals sign or in front of a
 * slash; none are left behind a tag and at either end of a line, nor is the '\r' of that. Returns how many bytes these are in
 * the copy. */
gsize ts_atf_squeeze (TsAtfSqueezed *squeezed, const guint8 *begin, gsize n);

/* Where in the original it is that the first @n bytes of the copy end. */
gsize ts_atf_squeezed_origin (const TsAtfSqueezed *squeezed, gsize n);

G_END_DECLS
