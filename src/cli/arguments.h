/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The arguments as GOption wants them, which has a blank between a short option and its value, where nobody writes one in -j4. A
 * value stays what it is, whatever it looks like. Returns a copy, to be freed by g_strfreev(). */
char **arguments_part (int argc, char **argv, const GOptionEntry *entries);

G_END_DECLS
