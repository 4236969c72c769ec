/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* TRUE if @a and @b are the same but for case, and for which blanks, '_' and '-' stand between their words or at their
 * ends: writers of traces differ in them. */
gboolean ts_words_equal (const char *a, const char *b);

G_END_DECLS
