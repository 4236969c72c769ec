/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* The @length bytes of @text, of which one from @from on is replaced by one of the @n_odd bytes @odd, left out or
 * doubled; to be freed. */
static inline GString *
change_byte (GRand *random, const char *text, gsize length, gsize from, const char *odd, gsize n_odd)
{
  gsize    at = (gsize) g_rand_int_range (random, (gint32) from, (gint32) length);
  GString *changed = g_string_new_len (text, (gssize) length);

  switch (g_rand_int_range (random, 0, 4))
    {
    case 0:
    case 1:
      changed->str[at] = odd[g_rand_int_range (random, 0, (gint32) n_odd)];
      break;
    case 2:
      g_string_erase (changed, (gssize) at, 1);
      break;
    default:
      g_string_insert_c (changed, (gssize) at, text[at]);
      break;
    }
  return changed;
}
