/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What the quick readers of entries know of these: atf-scan.c and those beside it. */

/* An entry that is longer, blanks included, goes to libxml2: so what goes there does not
 * depend on how the input is cut into blocks. */
#define TS_ATF_MAX_ENTRY 1024
#define TS_ATF_SCAN_TEXT 192 /* longest text between two numbers that is compared */

/* In which entries stand. */
typedef enum
{
  TS_ATF_IN_UTF_8,
  TS_ATF_IN_BYTES,  /* each is a character, but for some around 0x80 */
  TS_ATF_IN_ASCII,  /* bytes below 0x80 are, and nothing is known of the others */
  TS_ATF_IN_OTHERS, /* they cannot be read as they stand */
} TsAtfEncoding;

enum
{
  TS_ATF_SCAN_TIME,
  TS_ATF_SCAN_EVENT,
  TS_ATF_SCAN_REFERENCE,
  TS_ATF_SCAN_NUMBERS,
  TS_ATF_SCAN_IDS = TS_ATF_SCAN_NUMBERS - TS_ATF_SCAN_EVENT
};

/* A number as it stands in an entry: of an id with the spaces that are in its value, of a time without. */
typedef struct
{
  const guint8 *begin, *end;
} TsAtfNumber;

/* Whether there are spaces beside its digits. */
static inline gboolean
ts_atf_is_padded (const TsAtfNumber *number, guint8 role)
{
  return role == TS_ATF_SCAN_TIME ? number->begin[-1] == ' ' || *number->end == ' '
                                  : *number->begin == ' ' || number->end[-1] == ' ';
}

#define TS_ATF_MAX_OTHERS 28 /* attributes that mean nothing: of an entry, and names that are known */

/* How an attribute of entries begins: its name and the equals sign. */
typedef struct
{
  guint8  text[48];
  guint16 length;      /* 0: none */
  guint16 behind;      /* a bit for each of the first sixteen bytes that is none of it */
  guint16 name_length; /* so much of it is the name */
  guint16 behind_name;
  guint32 role;        /* TS_ATF_SCAN_NUMBERS: it means nothing */
  guint32 bit;         /* its own */
} TsAtfAttribute;

G_STATIC_ASSERT (sizeof (TsAtfAttribute) == 64); /* found by a shift */

#define TS_ATF_SCAN_NAME_BITS 6

/* What stands before, between or after the numbers. */
typedef struct
{
  guint  length;
  guint8 bytes[TS_ATF_SCAN_TEXT];
} TsAtfLiteral;

/* How the entries are written. */
typedef struct
{
  gboolean     is_known; /* FALSE: too long */
  guint8       mark; /* the quotation mark that a number stood in; 0: no entry yet */
  TsAtfLiteral between[TS_ATF_SCAN_NUMBERS + 1];
  guint8       roles[TS_ATF_SCAN_NUMBERS]; /* which number comes first, second, third */
  guint        n_blanks;     /* in front of the tag */
  guint        lines_before; /* up to it */
  guint        lines;
} TsAtfTemplate;

/* What an id means, by eight bytes of its text. */
typedef struct
{
  guint64 bytes;    /* 0: none */
  guint32 value;    /* TsEventKind, or element */
  guint16 resource; /* of the element; of a user event its place among those that have ids, or TS_ATF_UNMAPPED */
  guint16 length;   /* of the id */
} TsAtfMemo;

/* What no mapping has is as little of an element as a user event is. */
#define TS_ATF_UNMAPPED G_MAXUINT16

G_STATIC_ASSERT (sizeof (TsAtfMemo) == 16); /* four in a cache line, for there may be thousands */

#define TS_ATF_MEMO_SHORT 7 /* so long an id is with another character in eight bytes */
#define TS_ATF_MEMO_SHORT_END 10000000 /* and this is the first one that is not */

/* By a hash of their bytes; at most every second slot is taken. */
typedef struct
{
  TsAtfMemo *slots; /* a power of two */
  guint64   *more;  /* of each one: eight more bytes of an id that is not short */
  gsize      n_slots, n_used;
  gsize      n_moved;  /* of these, that are not in their own place but behind it */
  guint      shift;    /* of the hash */
  gboolean   has_long; /* ids that are not short */
  gboolean   is_full;  /* all elements of short ids were put into it, when the first one came */
} TsAtfMemos;

/* Which eight bytes those are that an id is known by. */
typedef enum
{
  TS_ATF_BEGINNING, /* that begin with it, whatever is behind it */
  TS_ATF_ENDING,    /* that end with it, whatever is in front of it */
  TS_ATF_DIGITS,    /* its digits, less '0', with zeros in front, and 1 more */
} TsAtfSpelling;

/* Times with so many decimals, without their point. Units may be less fine than these: then only some are whole ones, all
 * multiples of a step, as 12345000 of 12.345000 where units are of 10^-3. */
typedef struct
{
  guint64 factor;  /* internal units that one step is */
  guint64 most;    /* steps that can be kept */
  guint64 inverse; /* of the odd part of a step, modulo 2^64: by that a multiple is divided exactly */
  guint   turn;    /* the rest of it, as a power of two */
} TsAtfDecimals;

#define TS_ATF_SCAN_DECIMALS 16

G_END_DECLS
