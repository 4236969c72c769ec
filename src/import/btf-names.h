/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include <glib.h>

G_BEGIN_DECLS

/* Texts of BTF, which stand for names, types and words, as dense numbers. */

#define TS_BTF_NONE G_MAXUINT32

/* In place, not terminated. */
typedef struct
{
  const char *begin;
  gsize       length;
} TsBtfText;

typedef struct
{
  const char *bytes;
  gsize       length;
} TsBtfEntry;

/* Where a text is: its first and its last 8 bytes, which may overlap; of a shorter one, what ts_btf_load_short() makes of
 * it. Few have bytes that are not among these. */
typedef struct
{
  guint64 head, tail;
  guint32 length; /* and one more; 0: free */
  guint32 number;
} TsBtfSlot;

/* Distinct texts, numbered from 0 in order of appearance. */
typedef struct
{
  TsBtfSlot    *slots; /* a power of two, at most two thirds of it taken */
  guint         shift; /* of a hash, to these */
  GArray       *entries; /* of TsBtfEntry */
  GStringChunk *bytes;
} TsBtfNames;

void    ts_btf_names_init (TsBtfNames *names);
void    ts_btf_names_clear (TsBtfNames *names);
guint32 ts_btf_names_add (TsBtfNames *names, TsBtfText text); /* a text that is not there */

/* The two first and last bytes of up to 7: each text has another number, whatever the order of bytes. */
static inline guint64
ts_btf_load_short (const char *p, gsize n)
{
  guint32 low, high;

  if (n >= 4)
    {
      memcpy (&low, p, 4);
      memcpy (&high, p + n - 4, 4);
      return low | (guint64) high << 32;
    }
  return n == 0 ? 0 : (guint8) p[0] | (guint64) (guint8) p[n >> 1] << 8 | (guint64) (guint8) p[n - 1] << 16;
}

#define TS_BTF_FACTOR G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)

static inline TsBtfSlot
ts_btf_slot_of (TsBtfText text)
{
  TsBtfSlot slot = { 0, 0, (guint32) text.length + 1, 0 };

  if (text.length >= 8)
    {
      memcpy (&slot.head, text.begin, 8);
      memcpy (&slot.tail, text.begin + text.length - 8, 8);
    }
  else
    slot.head = ts_btf_load_short (text.begin, text.length);
  return slot;
}

/* The highest bits are the best ones. */
static inline guint64
ts_btf_hash_slot (const TsBtfSlot *slot, TsBtfText text)
{
  guint64 hash = slot->head ^ slot->tail * TS_BTF_FACTOR ^ slot->length, other = 0, word;
  gsize   i = 8;

  /* two at a time, as each product waits for the one before */
  for (; i + 16 < text.length; i += 16)
    {
      memcpy (&word, text.begin + i, 8);
      hash = (hash ^ word) * TS_BTF_FACTOR;
      hash ^= hash >> 32;
      memcpy (&word, text.begin + i + 8, 8);
      other = (other ^ word) * TS_BTF_FACTOR;
      other ^= other >> 32;
    }
  if (i + 8 < text.length)
    {
      memcpy (&word, text.begin + i, 8);
      hash = (hash ^ word) * TS_BTF_FACTOR;
      hash ^= hash >> 32;
    }
  return (hash ^ other * TS_BTF_FACTOR) * TS_BTF_FACTOR;
}

static inline gboolean
ts_btf_equal (const char *a, const char *b, gsize n)
{
  guint64 x, y;

  for (; n >= 8; a += 8, b += 8, n -= 8)
    {
      memcpy (&x, a, 8);
      memcpy (&y, b, 8);
      if (x != y)
        return FALSE;
    }
  return ts_btf_load_short (a, n) == ts_btf_load_short (b, n);
}

static inline gboolean
ts_btf_is_in (const TsBtfNames *names, const TsBtfSlot *slot, const TsBtfSlot *other, TsBtfText text)
{
  return slot->head == other->head && slot->tail == other->tail && slot->length == other->length
         && (text.length <= 16
             || ts_btf_equal (((const TsBtfEntry *) (gconstpointer) names->entries->data)[slot->number].bytes + 8,
                              text.begin + 8, text.length - 16));
}

/* The slot behind @slot that has @text, or a free one. */
const TsBtfSlot *ts_btf_names_find_behind (const TsBtfNames *names, const TsBtfSlot *slot, TsBtfText text);

/* TS_BTF_NONE: it is not there. */
static inline guint32
ts_btf_names_find (const TsBtfNames *names, TsBtfText text)
{
  const TsBtfSlot  other = ts_btf_slot_of (text);
  const TsBtfSlot *slot = &names->slots[ts_btf_hash_slot (&other, text) >> names->shift];

  if (G_UNLIKELY (!ts_btf_is_in (names, slot, &other, text)))
    {
      slot = ts_btf_names_find_behind (names, slot, text);
      if (slot->length == 0)
        return TS_BTF_NONE;
    }
  return slot->number;
}

G_END_DECLS
