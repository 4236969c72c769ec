/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/btf-map.h"
#include "import/btf-scan.h"

G_BEGIN_DECLS

/* Lines whose fields are as wide as those of one that was seen before, of which a trace has some dozens of kinds. The
 * commas of a line, as one word, tell where all of its fields end, which bytes belong to them, and whether there is
 * anything odd about that; none of it needs to be found out anew. */

typedef struct
{
  guint64   marks; /* the commas and the end of the line, a bit for each byte from the end of the time on; 0: none */
  guint8    source, source_number, target, number; /* where these end; of texts, with the blank behind them, if any */
  guint8    masks[2][TS_BTF_WORD_BYTES] __attribute__ ((aligned (16))); /* of this number and of that of the source */
  TsBtfEnds ends; /* the same of texts */
} __attribute__ ((aligned (TS_BTF_CACHE_LINE))) TsBtfWidths;

G_STATIC_ASSERT (sizeof (TsBtfWidths) == 2 * TS_BTF_CACHE_LINE);

#define TS_BTF_MAX_WIDTHS 256
#define TS_BTF_WIDTHS_BITS 13 /* so many that a factor can be found by which none is in the way of another */

struct _TsBtfWidthsTable
{
  TsBtfWidths widths[TS_BTF_MAX_WIDTHS];      /* the first one is of no line */
  guint16     index[1 << TS_BTF_WIDTHS_BITS]; /* where they are, in bytes, by the product of their marks */
  guint64     factor;
  guint       n;
  guint64     n_added;
  gsize       blank; /* behind each comma of the lines that they are for */
};

/* Gets the table ready for lines as they come now. FALSE: there are too many widths. */
gboolean ts_btf_widths_prepare (TsBtf *btf);
/* Adds those with @marks, which are not there. FALSE: such a line is odd, or there is no place for it. */
gboolean ts_btf_widths_add (TsBtfScan *scan, guint64 marks);

typedef struct
{
  guint32 unused[2] __attribute__ ((aligned (16)));
  guint32 instance, source_instance;
} TsBtfNumbers;

#define TS_BTF_USUALS 32 /* at once */

/* One that is like others in its widths. */
typedef struct
{
  TsBtfNumbers numbers;
  TsBtfEnds    ends;
  gsize        place; /* of its pattern */
  guint64      hash;  /* only where patterns are far */
  const char  *time;  /* its end */
  guint32      odd;   /* only where it is asked for in each line */
} TsBtfUsual;

/* Lines that are all within sight, from the one on whose time ends at @p. */
typedef struct
{
  const char *p;
  TsBtfUsual *seen, *end; /* the next one, and where there is no more room */
  TsEvent    *event;      /* of the next one */
  guint64     marks;      /* of widths that are not known yet, or 0 */
  gboolean    is_odd;     /* there is something odd in some of them */
  TsBtfUsual  lines[TS_BTF_USUALS];
} TsBtfUsuals;

/* Looks at such lines that begin up to where a time ends at @stop. */
void ts_btf_see_usual_short (const TsBtfScan *scan, const TsBtfMap *map, const char *stop, TsBtfUsuals *usuals);
void ts_btf_see_usual_far (const TsBtfScan *scan, const TsBtfMap *map, const char *stop, TsBtfUsuals *usuals);
void ts_btf_see_usual_long (const TsBtfScan *scan, const TsBtfMap *map, const char *stop, TsBtfUsuals *usuals);
void ts_btf_see_usual_odd (const TsBtfScan *scan, const TsBtfMap *map, const char *stop, TsBtfUsuals *usuals);

G_END_DECLS
