/* SPDX-License-Identifier: MIT */
#pragma once

#include "import/btf.h"
#include "model/inline.h"
#include "model/pages.h"

G_BEGIN_DECLS

/* Hash tables of texts and what they mean. Records stand one behind the other, in lines of the cache and in large
 * pages: those of many texts would else have no page in common. They are known by their places, in bytes from the
 * first one on. The first ones are in no chain; that at place 0 is like no text: it is where those hash to that are
 * not known. */

/* Of records that hash to the same: the first one; and another one if their tags differ, which are bits of their
 * hashes, or else the same. This has its tag in the lowest bits. */
typedef struct
{
  guint32 first, second;
} TsBtfPlaces;

#define TS_BTF_TAG (TS_CACHE_LINE - 1)

#define TS_BTF_FIRST_PLACES_BITS 11

/* Of a record, what a line seldom needs. */
typedef struct
{
  guint32     hash; /* the upper half */
  guint32     next; /* place of the next one that hashes to the same, or 0 */
  TsBtfTexts  texts;
  guint32     flags; /* of these, see btf-scan.h */
  const char *text; /* of one that is longer than all pieces that are compared, or a long event: its length, and all of it */
} TsBtfKept;

typedef struct
{
  char        *records;
  TsBtfPlaces *places; /* by the highest bits of a hash */
  guint        shift;  /* to these */
  guint        n, n_room, n_own; /* records, with those in no chain */
  guint        n_places; /* for each */
  gsize        size;   /* of a record, in bytes: whole lines of the cache, and a power of two */
  guint        size_shift; /* the same */
  TsBtfKept   *kept;   /* of each */
  gpointer     memory; /* of records */
} TsBtfIndex;

/* Of records of @size bytes, the first @n_own of which are zeroed, with @n_places for each that there is room for, so
 * that few share one. */
void ts_btf_index_init (TsBtfIndex *index, gsize size, guint n_places, guint n_own);
void ts_btf_index_clear (TsBtfIndex *index);
/* All but these are gone. */
void ts_btf_index_forget (TsBtfIndex *index);
/* Sees to it that there is room for another one, unless there are @n_most. FALSE: there is none, or so many have this
 * hash that another one would be looked for longer than the rules take. */
gboolean ts_btf_index_has_room (TsBtfIndex *index, guint64 hash, guint n_most);
/* Adds one, for which there is room. Returns it; all of it is still to be written. */
gpointer ts_btf_index_add (TsBtfIndex *index, guint64 hash, const TsBtfTexts *texts, guint32 flags);

/* The place of the one that was added last. */
static inline guint32
ts_btf_index_last (const TsBtfIndex *index)
{
  return (guint32) ((index->n - 1) * index->size);
}

static TS_ALWAYS_INLINE gpointer
ts_btf_index_at (const TsBtfIndex *index, gsize place)
{
  return index->records + place;
}

static inline TsBtfKept *
ts_btf_index_kept (const TsBtfIndex *index, gsize place)
{
  return &index->kept[place >> index->size_shift];
}

/* Where it is looked for first. */
static TS_ALWAYS_INLINE guint32
ts_btf_index_place (const TsBtfIndex *index, guint64 hash)
{
  return index->places[hash >> index->shift].first;
}

/* Whether there are as many places as at the beginning: some hundred records never needed more. */
static inline gboolean
ts_btf_index_is_small (const TsBtfIndex *index)
{
  return index->shift == 64 - TS_BTF_FIRST_PLACES_BITS;
}

/* The same of one that is. */
static TS_ALWAYS_INLINE guint32
ts_btf_index_place_if_small (const TsBtfIndex *index, guint64 hash)
{
  return index->places[hash >> (64 - TS_BTF_FIRST_PLACES_BITS)].first;
}

/* The same where there are many, and one in some would be looked for behind another; @hash is the upper half of one. */
static TS_ALWAYS_INLINE guint32
ts_btf_index_place_of_two (const TsBtfIndex *index, guint32 hash)
{
  const TsBtfPlaces *places = &index->places[hash >> (index->shift - 32)];
  const guint32      second = places->second & ~(guint32) TS_BTF_TAG;
  guint32            place = places->first;

  /* no processor foresees which of them */
  if (((places->second ^ hash) & TS_BTF_TAG) == 0)
    place = second;
  return place;
}

static TS_ALWAYS_INLINE void
ts_btf_index_fetch_place (const TsBtfIndex *index, guint64 hash)
{
  __builtin_prefetch (&index->places[hash >> index->shift]);
}

G_END_DECLS
