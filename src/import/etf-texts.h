/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/digits.h"
#include "import/etf-scan.h"

G_BEGIN_DECLS

/* Texts of TRACE as dense numbers. */

/* Of at least eight bytes, all of them mixed: many texts begin and end alike. */
static inline guint64
ts_etf_mix_bytes (const char *p, gsize length)
{
  guint64 mixed = ts_eight_load (p + length - 8);

  for (gsize i = 0; i < length - 8; i += 8)
    {
      mixed = (mixed ^ ts_eight_load (p + i)) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
      mixed ^= mixed >> 29;
    }
  return mixed;
}

/* Different texts get numbers from 0. */
typedef struct
{
  GPtrArray    *texts; /* NUL-terminated; a text with a NUL byte in it is longer than it looks */
  GArray       *lengths; /* of guint32 */
  GStringChunk *chunk;
  guint64      *slots; /* number + 1, and above it the hash: another text is looked at only where that is the same */
  gsize         n_slots;
} TsEtfTexts;

guint32     ts_etf_texts_get (TsEtfTexts *texts, TsEtfText text);
const char *ts_etf_texts_name (const TsEtfTexts *texts, guint32 number);
TsEtfText   ts_etf_texts_text (const TsEtfTexts *texts, guint32 number); /* the same with its length */
void        ts_etf_texts_clear (TsEtfTexts *texts);

G_END_DECLS
