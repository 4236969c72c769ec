/* SPDX-License-Identifier: MIT */

#pragma once

#include <tracestat/tracestat.h>

#include "truth.h"

G_BEGIN_DECLS

/* What came of one simulated trace, against the truth about it. Complaints name the shape,
 * the seed, the element, and what was expected. */
typedef struct
{
  const char *shape;
  guint64 seed;
  const SimSystem *sim;
  const Truth *truth;
  TsInt128 scale, parts; /* parts of the simulation's time make as long as scale internal units */
  GArray *instances;     /* of TsInstance; compare_instances() sorts them */
  guint place;           /* in them */
  GArray *intervals;     /* of TsInterval */
  GHashTable *ids;       /* of elements, to their numbers */
  gboolean numbered;     /* the format has numbers of its own for instances: all can be told apart */
  guint64 n_wrong;
  GString *wrong;
} Comparison;

void wrong (Comparison *test, guint element, const char *what, const char *format, ...) G_GNUC_PRINTF (4, 5);
void expect (Comparison *test, guint element, const char *what, gint64 number, gint64 expected, gint64 got);
/* Scales: @expected in parts, @got in internal units. */
void expect_time (Comparison *test, guint element, const char *what, gint64 number, gint64 expected, gint64 got);

/* For one element after the other, in ascending order. */
void compare_instances (Comparison *test, guint element);
void compare_counts (Comparison *test, guint element, const TsElementCounts *got);

/* Whether a reader can know all instances of an element. */
gboolean is_knowable (const Comparison *test, guint element);

G_END_DECLS
