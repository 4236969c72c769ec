/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "model/encoding.h"

#define REPLACEMENT 0xfffd /* of what cannot be in a text */

/* A byte of 0 ends a text, but is UTF-8 all the same. */
static gboolean
is_utf8 (const char *bytes, gsize length)
{
  const char *end = bytes + length, *bad;

  while (!g_utf8_validate_len (bytes, (gsize) (end - bytes), &bad))
    {
      if (*bad != '\0')
        return FALSE;
      bytes = bad + 1;
    }
  return TRUE;
}

char *
ts_utf8_dup (const char *bytes, gsize length, gboolean *is_latin)
{
  gboolean is_valid = is_utf8 (bytes, length);
  GString *text;

  if (is_latin != NULL)
    *is_latin = !is_valid;
  if (is_valid)
    return g_utf8_make_valid (bytes, (gssize) length);
  text = g_string_sized_new (2 * length);
  for (gsize i = 0; i < length; i++)
    g_string_append_unichar (text, bytes[i] != '\0' ? (guchar) bytes[i] : REPLACEMENT);
  return g_string_free (text, FALSE);
}
