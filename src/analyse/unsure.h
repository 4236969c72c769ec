/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Forks that may come to nothing. Where the siblings of one can be withdrawn, it was an activation only if one of them
 * starts, or still waits at the end (METRICS, rules 4 and 9); until that is known, so is no period that begins or ends with
 * it. All activations of such an element come like this. Mostly the first sibling starts at once, before anybody else forks:
 * so the latest fork of all is kept apart, and becomes one of many only when there is another one. */

/* One of those, and what is known of the sure activations between it and the next unsure one of its element. */
typedef struct
{
  gint64  time;
  gint64  next_time, next_number; /* the first of them: its time, and the instance that its period belongs to */
  gint64  last_time; /* the last of them */
  guint32 element;
  gint32  instance; /* the first sibling that waits */
  guint32 before, behind; /* the next unsure forks of the element, or 0 */
  guint32 next_indexed; /* in its chain, or among those that are free */
  guint32 has_next; /* there are such activations */
} TsUnsureFork;

typedef struct
{
  TsUnsureFork *forks;  /* [0] is none; as many as there are slots */
  guint32      *slots;  /* chains by element and instance: 2^(32 - shift) of them */
  guint         shift;
  guint32       n_made; /* those that were used so far */
  guint32       free;   /* the first one that is not any more; 0: none */
  guint         n;      /* that are unsure, with the latest one */

  /* That one, behind which there is nothing yet. */
  gboolean has_latest; /* otherwise it is one of the others, or settled */
  guint32  latest_element;
  gint32   latest_instance; /* the first sibling that waits */
  gint64   latest_time;
} TsUnsure;

void ts_unsure_clear (TsUnsure *unsure);

G_END_DECLS
