/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Numbers of a file to 0, 1, 2, ... as they came: open addressing, a power of two of slots, never all of them used. A
 * slot holds what a number became and 1, or 0 if it is free, and the numbers stand in an array by what they became. */

/* Fibonacci hashing: ids of one file tend to be neighbours, or multiples of a power of two. */
static inline gsize
ts_ids_hash (guint64 id)
{
  id ^= id >> 32;
  return (gsize) ((id * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 20);
}

/* The slot of @id, or the free one where it belongs. */
static inline guint32 *
ts_ids_slot (const guint64 *ids, guint32 *slots, gsize n_slots, guint64 id)
{
  gsize mask = n_slots - 1, i = ts_ids_hash (id) & mask;

  while (slots[i] != 0 && ids[slots[i] - 1] != id)
    i = (i + 1) & mask;
  return &slots[i];
}

G_END_DECLS
