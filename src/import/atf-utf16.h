/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* UTF-16 in front of all readers, which get UTF-8 (atf-utf16.c). */

#define TS_ATF_UTF16_HEAD 512 /* bytes: an XML declaration takes less than a hundred characters */

/* What the units of a file are. */
typedef enum
{
  TS_ATF_NOT_YET_KNOWN,
  TS_ATF_AS_THEY_ARE, /* bytes of any encoding, and UTF-16 that is left to libxml2 */
  TS_ATF_LITTLE_ENDIAN,
  TS_ATF_BIG_ENDIAN,
} TsAtfUnits;

typedef struct
{
  TsAtfUnits units;
  guint8     held[TS_ATF_UTF16_HEAD]; /* the first bytes, until the units are known; then a character that is cut */
  gsize      n_held;
  guint8    *text; /* NULL: the bytes are as they are */
} TsAtfUtf16;

/* Takes some of *bytes, and sets *text to what these are in UTF-8, or as they are; it stays until the next call. FALSE:
 * there is nothing more, all bytes are taken. */
gboolean ts_atf_utf16_next (TsAtfUtf16 *utf16, const guint8 **bytes, gsize *length, const guint8 **text,
                            gsize *text_length);

/* Bytes that are not known yet are as they are: no more come, or none are to be changed. */
void ts_atf_utf16_settle (TsAtfUtf16 *utf16);

void ts_atf_utf16_clear (TsAtfUtf16 *utf16);

G_END_DECLS
