/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdalign.h>

#include "import/digits.h"
#include "import/squeezed.h"
#include "model/inline.h"

G_BEGIN_DECLS

/* What the quick readers of TRACE keep from line to line. Shared by the files etf*.c. */

#define TS_ETF_MAX_KEYS 8 /* attributes in one key option */

typedef struct
{
  const char *p;
  gsize       length;
} TsEtfText;

/* In front of a value there are so many bytes that may be looked at. */
#define TS_ETF_MARGIN 8
/* And so many behind whatever is read at once. */
#define TS_ETF_ROOM 64

/* What a line's attributes say; slices of the line, or of the scratch texts. p is NULL where one is missing. */
typedef union
{
  struct
  {
    TsEtfText element[TS_ETF_MAX_KEYS], instance[TS_ETF_MAX_KEYS], fallback[2], object, activation;
    TsEtfText other; /* what nobody asks for: put somewhere, it costs no branch */
  };
  TsEtfText all[2 * TS_ETF_MAX_KEYS + 5];
} TsEtfAttributes;

/* What an attribute is good for, as places in TsEtfAttributes. */
typedef struct
{
  guint8 n;
  guint8 places[5]; /* where there are none, the first one is that of others */
} TsEtfRole;

/* Whose attributes are read. */
enum
{
  TS_ETF_OF_CLAIM,
  TS_ETF_OF_EVENT,
  TS_ETF_OF_DEPENDENCY,
  TS_ETF_KINDS
};

/* A key that stood in a list before. */
typedef struct
{
  guint64   word; /* its bytes as a number, or of a long one a hash */
  guint64   list; /* the last one in which it was */
  char     *text;
  guint32   length;
  guint32   places; /* a bit for each one of its role */
  TsEtfRole role;
} TsEtfKnownKey;

/* All of these: open addressing, a power of two. */
typedef struct
{
  TsEtfKnownKey **slots;
  guint shift; /* of the hash; 64 less the logarithm of their number */
  guint n;
} TsEtfKnown;

/* The last list that had known keys alone. */
typedef struct
{
  guint64         n_lists;
  guint32         places; /* that are not missing in it */
  guint32         n_bad, n_duplicates; /* of its pairs, to be counted once its line is good */
  const char     *odd;    /* the last one that had others, to be read in full by those who are asked next */
  TsEtfAttributes attributes;
} TsEtfRecall;

/* Of a stamp that is read quickly. With so many it may be beyond TS_TIME_LIMIT, with less it is not. */
#define TS_ETF_MAX_DIGITS 19

/* The digits in front of the last eight, and what they are worth. */
typedef struct
{
  guint64  text, value;
} TsEtfHigh;

/* Where a line's numbers are, and the bytes between them: those of the next line are alike. */
#define TS_ETF_HEAD 64
/* Of its numbers the stamps come first: what is kept of both is looked at at once, and by itself of the id. */
enum
{
  TS_ETF_FIRST_STAMP,
  TS_ETF_LAST_STAMP,
  TS_ETF_ID,
  TS_ETF_HEAD_NUMBERS = 4
};
#define TS_ETF_LEARN_EVERY 8u
#define TS_ETF_TAIL 16
#define TS_ETF_TAILS 256

/* What is looked at 16 bytes at a time stands where these can be read by what uses them. */
#define TS_ETF_ALIGNED alignas (16)

/* What makes a pair of digits, each in its byte, a number. In another file than those who multiply by it: a compiler that
 * knows it would shift and add instead, four times for each multiplication. */
extern TS_ETF_ALIGNED const guint16 ts_etf_pairs[8];

/* A value of a list, and what stands in front of it, from the end of the one before: `, id='. */
#define TS_ETF_LEAD 32
#define TS_ETF_STEPS 16
/* The fields of a line, and what is looked at behind them, are no longer than this. */
#define TS_ETF_MAX_SCAN 384

typedef struct
{
  TS_ETF_ALIGNED guint8 lead[TS_ETF_LEAD];
  TS_ETF_ALIGNED guint8 mask[TS_ETF_LEAD];
  guint8 length;   /* of the lead */
  guint8 is_asked; /* for the value, which stands in the place */
  guint8 place;
} TsEtfStep;

/* What follows the last stamp of a line, up to its first value: `5 1 ; name=', or to its end: `5 1 ;'. */
typedef struct
{
  TS_ETF_ALIGNED guint8 text[TS_ETF_TAIL];
  TS_ETF_ALIGNED guint8 mask[TS_ETF_TAIL];
  gint64  amount;
  TsEtfKnownKey *key; /* of that value; NULL: there is none */
  guint32 resource;
  guint8  length; /* 0: free */
  guint8  list;   /* where its list begins */
  guint64 unused; /* a power of two is found with a shift */
} TsEtfTail;

G_STATIC_ASSERT (sizeof (gpointer) != 8 || sizeof (TsEtfTail) == 64);

/* The place of what may stand at @p; its first eight bytes tell. */
static TS_ALWAYS_INLINE guint
ts_etf_place_of_tail (const char *p)
{
  return (guint) ((ts_eight_load (p) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 56);
}

G_STATIC_ASSERT (TS_ETF_TAILS == 1 << (64 - 56));

/* A line up to its last stamp. */
typedef struct
{
  TS_ETF_ALIGNED guint8 text[TS_ETF_HEAD]; /* '0' in place of digits that may be others */
  TS_ETF_ALIGNED guint8 most[TS_ETF_HEAD]; /* by which a byte may differ from that: not at all, as digits do, or in any way */
  TS_ETF_ALIGNED guint8 most_loose[TS_ETF_HEAD]; /* where the first digits of long numbers may be anything */
  guint8    length;   /* of all of them; 0: there was no line so far */
  guint8    id_begin; /* where a 0 means that it is no number, or 0 */
  gint64    id_head;  /* of an id that is a text: what its number is without the digits that it ends with; or 0 */
  guint8    ends[TS_ETF_HEAD_NUMBERS];
  guint8    begins[TS_ETF_HEAD_NUMBERS], front_ends[TS_ETF_HEAD_NUMBERS]; /* of what is in front of the last eight bytes */
  TS_ETF_ALIGNED guint64 masks[TS_ETF_HEAD_NUMBERS]; /* of the values of its last eight digits, in the bytes before its end */
  guint64   integers[TS_ETF_HEAD_NUMBERS]; /* the same in front of its point, where there is one; not in masks */
  TS_ETF_ALIGNED gint64 high[TS_ETF_HEAD_NUMBERS]; /* what the digits before these are worth */
  gint64    units[TS_ETF_HEAD_NUMBERS]; /* the last of them */
  gint64    most_fronts[TS_ETF_HEAD_NUMBERS]; /* as many of these as no digits behind make too large */
  gint64    factors[TS_ETF_HEAD_NUMBERS]; /* all of it is to be multiplied by */
} TsEtfShape;

typedef struct
{
  TsEtfShape shapes[2];
  guint     present;   /* the one that the last line had */
  guint     n_switches; /* from one to the other, since something was learnt */
  guint     n_alike, n_others; /* lines that were alike, and were not, since something was learnt */
  guint     patience;
  TsEtfStep steps[TS_ETF_STEPS]; /* the values of its list */
  const TsEtfStep *last;
  const TsEtfKnownKey *first; /* the key of the first one */
  gboolean  has_list;
  gboolean  has_usual_list; /* more lines had it lately than had others */
  gboolean  is_plain; /* the first one is the name, no other is asked for, and no lead is longer than 16 bytes */
  TsEtfAttributes attributes;
  guint     n_missed, most_missed; /* lines with other lists, and so many until something is done about it */
  guint     n_useless; /* lists that were learnt and hardly seen again */
  guint32   list_line; /* where it was learnt, among those of its kind */
  TsEtfTail tails[TS_ETF_TAILS]; /* by a hash */
  TsEtfTail suffix;   /* what follows the amount of a claim; no length: nothing was learnt */
  TsEtfTail apart;    /* of the last line whose resource and amount were read by themselves */
  gboolean  is_apart; /* there are so many texts that this is done first */
  guint     n_apart;  /* lines with another text than was known */
  guint32   apart_line; /* since that one of its kind */
} TsEtfAlike;

static TS_ALWAYS_INLINE TsEtfShape *
ts_etf_shape_of (TsEtfAlike *alike)
{
  return &alike->shapes[alike->present];
}

/* Lines that are copied before they are read, so that they are alike: where most of them are not, which may be for their
 * blanks alone. */
typedef struct
{
  TsSqueezed *squeezed; /* NULL: none so far */
  TsCopies    all;
  guint       n_single; /* lines that were not like those before, or whose lists were not, since line number `line' */
  guint       n_loose;  /* of these, where that may be for their blanks */
  guint       n_blanks[TS_ETF_KINDS]; /* around the fields of the last one of each kind */
  guint32     line;
} TsEtfCopies;

typedef struct
{
  TsEtfHigh  id, time;
  gboolean   is_off;
  guint      n_unlike; /* lines in succession that were not, or were not looked at */
  TsEtfAlike alike[TS_ETF_KINDS]; /* of dependencies, only their lists are */
} TsEtfScan;

G_END_DECLS
