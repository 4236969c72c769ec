/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Lines whose fields have blanks around them, which may be other ones each time, are copied without these: then they are
 * like all others. */

/* Bytes behind a copy that may be written as well. */
#define TS_BTF_SQUEEZE_MARGIN 64

/* So much is copied at a time. */
typedef enum
{
  TS_BTF_SQUEEZE_RUNS, /* what is between blanks */
  TS_BTF_SQUEEZE_EIGHTS,
  TS_BTF_SQUEEZE_WORDS,
  TS_BTF_SQUEEZE_N_STEPS
} TsBtfSqueezeStep;

typedef struct
{
  TsBtfSqueezeStep step;
  guint64          places[256]; /* of eight bytes, those that are kept, by the bits of these: one of each in a byte */
} TsBtfSqueezer;

/* By the best step that the processor can. */
void ts_btf_squeezer_init (TsBtfSqueezer *squeezer);
gboolean ts_btf_can_squeeze_by (TsBtfSqueezeStep step);

/* Copies whole lines, from the beginning of one at @begin to the end of one at @end, to @to, where there is room for as many
 * bytes and the margin. Blanks beside commas and at both ends of lines are left out, but for some of very many, and the
 * '\r' in front of an end of a line. So the copy means the same, and is as many lines. Returns how long it is; 0: there is
 * another '\r', so that this cannot be said. */
gsize ts_btf_squeeze (const TsBtfSqueezer *squeezer, const char *begin, const char *end, char *to);

G_END_DECLS
