/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/atf-bytes.h"
#include "import/atf.h"

G_BEGIN_DECLS

/* How entries look that are like the one before, for the quick way. */

#define TS_ATF_LITERALS (TS_ATF_SCAN_NUMBERS + 1)
#define TS_ATF_MIN_UNEQUAL 64 /* that looked otherwise of late, before one is ready for any of them */

typedef struct
{
  gsize      length, second_at; /* the latter is where its last sixteen bytes begin */
  TsAtfBytes first, second;     /* of one that is shorter the same ones twice */
  TsAtfBytes mask;              /* those that belong to it */
} TsAtfPatternText;

typedef struct
{
  TsAtfPatternText texts[TS_ATF_LITERALS];

  gboolean   is_set;   /* the texts are */
  gboolean   is_ready; /* and the time: entries can be read */
  gboolean   has_usual_texts; /* these are as in the examples of the specification: in this order, and short */
  gboolean   is_usual; /* and so are they with `n_zeros' */
  gboolean   has_spaces; /* beside the time in its value, or `n_front', as part of the texts: so each one deserves a word */
  gboolean   has_zeros;  /* in front of the time that was seen last: likewise */
  guint      n_front;    /* of these, more than are looked at with the time: they are part of the first text */
  gboolean   is_bare;  /* and the first one is without the blanks in front, which change */
  guint8     mark;         /* that ends the time, where that comes first */
  guint8     closing;      /* what follows the quotation mark after the last number */
  guint8     bracket_at;   /* so far behind that mark is a bracket */
  guint8     closing_at;   /* and so far behind the last number is `closing' */
  gsize      texts_length; /* of all but the last one */
  gsize      shortest;     /* from the beginning to where the last number ends, but for the digits of the ids */
  gsize      reach;        /* so much is read of an entry and what follows it, at the most */
  gsize      written;      /* the length of the time */
  guint      written_decimals;
  guint      n_zeros;      /* bytes at its end that are zeros, with the point in front of them if there are no other
                            * decimals, where units are not that fine: they are taken for a part of the text behind it */
  gsize      time_length;  /* without these */
  guint      n_decimals;
  guint64    other_event;    /* the eight bytes where the id of one stands that cannot be read quickly; 0: none */
  gint64     scale;          /* what `factor' is made for */
  gint64     factor;         /* internal units that a time without its point counts in */
  guint64    least, range;   /* such times that need nothing to be said about */
  TsAtfBytes time_mask;      /* of the sixteen bytes up to the end of the time: the digits, or the decimals */
  TsAtfBytes whole_mask;     /* of those a byte before: the digits in front of the point */
  TsAtfBytes high_mask;      /* of the sixteen bytes in front of all these: more digits */
  gsize      high_at;        /* 0: there are none; how far that is from the end */
} TsAtfPattern;

/* TRUE: the pattern is another one now, and can be read by. */
gboolean ts_atf_pattern_renew (TsAtfPattern *pattern, TsAtf *atf, const TsAtfNumber *time);

G_END_DECLS
