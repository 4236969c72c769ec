/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/btf-lexicon.h"
#include "import/btf-map.h"

G_BEGIN_DECLS

/* Lines whose fields are as wide as those of one that was seen before, of which a trace has some dozens of kinds, or with names
 * of any length some thousand. The commas of a line, as one word or two, tell where all of its fields end, which bytes belong to
 * them, and whether there is anything odd about that; none of it needs to be found out anew. */

/* The commas and the end of a line, a bit for each byte from the end of the time on. Where lines are wide, two words
 * have them, and the first one those of so many bytes. */
typedef struct
{
  guint64 near, far;
} TsBtfCommas;

#define TS_BTF_NEAR (TS_MARKS_BLOCK - 8)

typedef struct
{
  TsBtfCommas marks; /* 0: none */
  /* where these end; of texts, with the blank behind them, if any */
  guint8      source, source_number, target, number, event;
  guint8      n_target; /* the length of the target's text */
  guint16     next;     /* the number of another one that is found at the same place, or 0 */
  guint32     none[2];  /* what makes of 0 the instance of a line without one, and that of its source */
  guint8      masks[2][TS_BTF_WORD_BYTES]; /* of the bytes of these numbers */
  TsBtfEnds   ends; /* the same of texts */
} __attribute__ ((aligned (TS_CACHE_LINE))) TsBtfWidths;

G_STATIC_ASSERT (sizeof (TsBtfWidths) == 2 * TS_CACHE_LINE);

#define TS_BTF_MAX_WIDTHS 2048
#define TS_BTF_WIDTHS_BITS 15 /* so many that a factor can be found by which few are in the way of another */

struct _TsBtfWidthsTable
{
  TsBtfWidths widths[TS_BTF_MAX_WIDTHS];      /* the first one is of no line */
  guint32     index[1 << TS_BTF_WIDTHS_BITS]; /* where they are, in bytes, by the product of their marks */
  guint64     factor;
  guint       n;
  guint64     n_added;
  gsize       blank; /* behind each comma of the lines that they are for */
  TsBtfLevel  level; /* of these */
  guint64     n_unfit; /* that were beyond it */
  gboolean    has_large; /* instances may have up to TS_BTF_LARGE_DIGITS digits */
  guint64     n_large;   /* that had more than expected */
};

/* Where they are numbered over all tasks, or from a large number on. */
#define TS_BTF_LARGE_DIGITS (2 * TS_BTF_WORD_BYTES)

#define TS_BTF_FAR_FACTOR G_GUINT64_CONSTANT (0xd6e8feb86659fd93)

/* Where widths with @marks are in the index. */
static TS_ALWAYS_INLINE gsize
ts_btf_widths_hash (TsBtfCommas marks, guint64 factor, gboolean is_wide)
{
  guint64 product = marks.near * factor;

  if (is_wide)
    product += marks.far * TS_BTF_FAR_FACTOR;
  return product >> (64 - TS_BTF_WIDTHS_BITS);
}

/* Gets the table ready for lines as they come now. FALSE: there are too many widths. */
gboolean ts_btf_widths_prepare (TsBtf *btf);
/* Adds those with @marks, which are not there. FALSE: such a line is odd, or beyond the level. */
gboolean ts_btf_widths_add (TsBtfScan *scan, TsBtfCommas marks);
/* A line was beyond what is in sight. */
void ts_btf_widths_count_unfit (TsBtfScan *scan);
/* So many lines are beyond the level that it has to become another one. */
gboolean ts_btf_widths_unfit (const TsBtf *btf);

typedef struct
{
  guint32 unused[2] __attribute__ ((aligned (16)));
  guint32 instance, source_instance;
} TsBtfNumbers;

/* One that is like others in its widths. */
typedef struct
{
  TsBtfNumbers numbers;
  TsBtfEnds    ends;
  TsBtfSpots   spots;  /* that of the target is that of its pattern, if it has one */
  guint32      hash;   /* of the target, or of the line, the upper half; only where these are far */
  const char  *time;   /* its end */
  guint32      odd;   /* only where it is asked for in each line */
  guint16      n_empty; /* lines in front of it, likewise */
  guint16      event; /* where that ends, only where lines may have notes */
} TsBtfUsual;

/* Looking at such lines (btf-usual.c) */

/* Lines that are all within sight, from the one on whose time ends at @p. */
typedef struct
{
  const char *p;
  TsBtfUsual *seen, *end; /* the next one, and where there is no more room */
  TsEvent    *event;      /* of the next one */
  TsBtfCommas marks;      /* of widths that are not known yet, or 0 */
  gboolean    is_beyond;  /* the end of the next one is not in sight */
  gboolean    is_odd;     /* there is something odd in some of them */
  TsBtfUsual  lines[TS_BTF_USUALS + 1]; /* and one that is never taken */
  TsBtfFronts fronts[TS_BTF_USUALS]; /* only where texts are longer */
} TsBtfUsuals;

/* Looks at such lines that end within the map. */
typedef void (*TsBtfSeeUsual) (const TsBtfScan *scan, const TsBtfMap *map, TsBtfUsuals *usuals);

/* Whether instances have more than eight digits, or are odd, in more than a few lines; where they are, more than a few may be
 * empty as well. */
typedef enum
{
  TS_BTF_PLAIN_NUMBERS,
  TS_BTF_ODD_NUMBERS,
  TS_BTF_LARGE_NUMBERS, /* odd ones as well */
} TsBtfNumbering;

/* Each of what lines have takes its time, so there is a function for each kind of them: X (NAME, level, is_split,
 * is_far, numbering), where texts are known apart, and where what is known is in no cache that is near. */
#define TS_BTF_USUAL_KINDS(X) \
  X (few, TS_BTF_SHORT, FALSE, FALSE, TS_BTF_PLAIN_NUMBERS) \
  X (few_long, TS_BTF_LONG_TARGET, FALSE, FALSE, TS_BTF_PLAIN_NUMBERS) \
  X (few_odd, TS_BTF_SHORT, FALSE, FALSE, TS_BTF_ODD_NUMBERS) \
  X (far, TS_BTF_SHORT, FALSE, TRUE, TS_BTF_PLAIN_NUMBERS) \
  X (far_long, TS_BTF_LONG_TARGET, FALSE, TRUE, TS_BTF_PLAIN_NUMBERS) \
  X (far_noted, TS_BTF_NOTED, FALSE, TRUE, TS_BTF_PLAIN_NUMBERS) \
  X (far_odd, TS_BTF_NOTED, FALSE, TRUE, TS_BTF_ODD_NUMBERS) \
  X (far_wide, TS_BTF_WIDE, FALSE, TRUE, TS_BTF_PLAIN_NUMBERS) \
  X (far_any, TS_BTF_WIDE, FALSE, TRUE, TS_BTF_ODD_NUMBERS) \
  X (far_large, TS_BTF_WIDE, FALSE, TRUE, TS_BTF_LARGE_NUMBERS) \
  X (short, TS_BTF_SHORT, TRUE, TRUE, TS_BTF_PLAIN_NUMBERS) \
  X (long, TS_BTF_LONG_TARGET, TRUE, TRUE, TS_BTF_PLAIN_NUMBERS) \
  X (noted, TS_BTF_NOTED, TRUE, TRUE, TS_BTF_PLAIN_NUMBERS) \
  X (odd, TS_BTF_NOTED, TRUE, TRUE, TS_BTF_ODD_NUMBERS) \
  X (wide, TS_BTF_WIDE, TRUE, TRUE, TS_BTF_PLAIN_NUMBERS) \
  X (longer, TS_BTF_LONGER, TRUE, TRUE, TS_BTF_PLAIN_NUMBERS) \
  X (longer_odd, TS_BTF_LONGER, TRUE, TRUE, TS_BTF_ODD_NUMBERS) \
  X (longest, TS_BTF_LONGEST, TRUE, TRUE, TS_BTF_PLAIN_NUMBERS) \
  X (any, TS_BTF_LONGEST, TRUE, TRUE, TS_BTF_ODD_NUMBERS) \
  X (large, TS_BTF_LONGEST, TRUE, TRUE, TS_BTF_LARGE_NUMBERS)

#define TS_BTF_SEE_USUAL(NAME, level, is_split, is_far, numbering) \
  void ts_btf_see_usual_##NAME (const TsBtfScan *scan, const TsBtfMap *map, TsBtfUsuals *usuals);
TS_BTF_USUAL_KINDS (TS_BTF_SEE_USUAL)
#undef TS_BTF_SEE_USUAL

G_END_DECLS
