/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "import/marks.h"

G_BEGIN_DECLS

/* Lines with other blanks each time are copied with as few as need be: then they are regular. The copy means the same, and
 * is as many lines. What is left out is for the format to say. */

#define TS_SQUEEZED_WORDS 1024 /* of the original, at a time: they stay in a near cache */
/* Zeros behind the copy, so that its last line can be looked at like any other. */
#define TS_SQUEEZED_MARGIN (8 * TS_MARKS_BLOCK)

typedef struct
{
  guint8 before[TS_MARKS_BLOCK]; /* that are looked at in front of a line */
  guint8 bytes[TS_SQUEEZED_WORDS * TS_MARKS_BLOCK + TS_SQUEEZED_MARGIN]; /* the copy */
  gsize  length;
} TsSqueezed;

/* How many of the @n bytes at @p are of lines that are all there. */
static inline gsize
ts_length_of_lines (const char *p, gsize n)
{
  while (n > 0 && p[n - 1] != '\n')
    n--;
  return n;
}

/* Only processors with some instructions of AVX-512 (VBMI2) do that in no time. */
gboolean ts_can_squeeze (void);

TsSqueezed *ts_squeezed_new (void); /* for g_free() */

/* The first @n bytes of the copy were made of @n_original bytes of the original, from @begin on. What is no whole line is
 * forgotten. Returns how many of the original are left. */
gsize ts_squeezed_end (TsSqueezed *squeezed, gsize n, const guint8 *begin, gsize n_original);

/* When lines are read from copies: where those before were irregular, for some time; and no longer where too many of the
 * copies were in vain, since their lines are that, too. */
typedef struct
{
  gboolean reads_one; /* now */
  guint    n_to_come;
  guint64  n_made, n_in_vain; /* so far */
} TsCopies;

static inline gboolean
ts_copies_are_wanted (const TsCopies *copies)
{
  return G_UNLIKELY (copies->n_to_come > 0);
}

/* Lines were irregular, of a copy or as they are. */
void ts_copies_note_irregular (TsCopies *copies);
/* The next lines are a copy, up to its end. TRUE: those before were none, so what is known of their look means nothing. */
gboolean ts_copies_begin (TsCopies *copies);
void     ts_copies_end (TsCopies *copies);

G_END_DECLS
