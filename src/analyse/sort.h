/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Sorts @values in ascending order. A report sorts the samples of each metric of each
 * element: by their digits, which takes a tenth of the time that comparing them does. */
void ts_sort_values (gint64 *values, gsize n);

/* Returns the value that would stand at @k, from 0, if @values were sorted; those before it become not greater,
 * those after it not less. Linear on average, and as ts_sort_values() at worst. */
gint64 ts_select_value (gint64 *values, gsize n, gsize k);

G_END_DECLS
