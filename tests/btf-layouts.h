/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Lines of BTF as they are laid out, and as nobody would: each layout has something that others have not. */

extern const guint btf_n_layouts;

/* Appends the lines of @layout @n times, each time with later stamps. */
void btf_append_layout (GString *text, guint layout, guint n);

G_END_DECLS
