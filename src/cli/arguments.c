/* SPDX-License-Identifier: MIT */
#include "arguments.h"

#include <string.h>

/* The option of that name, which has @length bytes, or of that letter. NULL: none. */
static const GOptionEntry *
find_entry (const GOptionEntry *entries, const char *name, gsize length, char letter)
{
  const GOptionEntry *entry = entries;

  while (entry->long_name != NULL
         && !(letter != '\0' ? entry->short_name == letter
                             : strncmp (entry->long_name, name, length) == 0 && entry->long_name[length] == '\0'))
    entry++;
  return entry->long_name != NULL ? entry : NULL;
}

/* Where a value is attached to short options; 0: none. Whether it *is_next, the next argument, then. */
static gsize
find_value (const GOptionEntry *entries, const char *argument, gboolean *is_next)
{
  const gboolean is_long = g_str_has_prefix (argument, "--");
  const gsize    length = is_long ? strcspn (argument + 2, "=") : 0;
  const GOptionEntry *entry = is_long ? find_entry (entries, argument + 2, length, '\0') : NULL;
  gsize at = 1;

  *is_next = entry != NULL && entry->arg != G_OPTION_ARG_NONE && argument[2 + length] == '\0';
  if (is_long || argument[0] != '-')
    return 0;
  while (argument[at] != '\0' && (entry = find_entry (entries, NULL, 0, argument[at++])) != NULL
         && entry->arg == G_OPTION_ARG_NONE)
    continue;
  if (entry == NULL || entry->arg == G_OPTION_ARG_NONE)
    return 0;
  *is_next = argument[at] == '\0';
  return *is_next || argument[at] == '=' ? 0 : at;
}

char **
arguments_part (int argc, char **argv, const GOptionEntry *entries)
{
  GPtrArray *parts = g_ptr_array_new ();
  gboolean   is_value = TRUE, are_over = FALSE; /* the first one is the program */

  for (int i = 0; i < argc; i++)
    {
      gsize at = 0;

      are_over |= !is_value && g_str_equal (argv[i], "--");
      if (is_value || are_over)
        is_value = FALSE;
      else
        at = find_value (entries, argv[i], &is_value);
      if (at > 0)
        g_ptr_array_add (parts, g_strndup (argv[i], at));
      g_ptr_array_add (parts, g_strdup (argv[i] + at));
    }
  g_ptr_array_add (parts, NULL);
  return (char **) g_ptr_array_free (parts, FALSE);
}
