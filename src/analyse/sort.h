/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Sorts @values in ascending order. A report sorts the samples of each metric of each
 * element: by their digits, which takes a tenth of the time that comparing them does. */
void ts_sort_values (gint64 *values, gsize n);

/* The values that would stand at @ranks, from 1 to @n, if @values were sorted; these are not kept. Linear where the
 * values are not too uneven. */
void ts_select_ranks (gint64 *values, gsize n, const guint64 *ranks, guint n_ranks, gint64 *selected);

/* The least and the greatest of @values, which are at least one. */
void ts_sort_bounds (const gint64 *values, gsize n, gint64 *least, gint64 *greatest);

G_END_DECLS
