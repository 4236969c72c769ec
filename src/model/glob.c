/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "model/glob.h"

/* Globs on names. Those of GLib cannot say that an asterisk is meant, which is part of many names in C and C++. */

static gboolean
is_wildcard (char c)
{
  return c == '*' || c == '?';
}

static gboolean
is_quoted (const char *glob)
{
  return glob[0] == '\\' && is_wildcard (glob[1]);
}

/* Whether @c is a further byte of a character that has several. */
static gboolean
is_continuation (char c)
{
  return ((guchar) c & 0xc0) == 0x80;
}

static const char *
next_character (const char *text)
{
  do
    text++;
  while (is_continuation (*text));
  return text;
}

gboolean
ts_glob_matches (const char *glob, const char *name)
{
  /* behind the last `*', and where what it stands for ends */
  const char *behind = NULL, *retry = NULL;

  for (;;)
    if (*glob == '*')
      {
        behind = ++glob;
        retry = name;
      }
    else if (*glob == '?' && *name != '\0')
      {
        glob++;
        name = next_character (name);
      }
    else if (*glob != '?' && glob[is_quoted (glob) ? 1 : 0] == *name)
      {
        if (*name == '\0')
          return TRUE;
        glob += is_quoted (glob) ? 2 : 1;
        name++;
      }
    else if (behind != NULL && *retry != '\0')
      {
        glob = behind;
        name = retry = next_character (retry);
      }
    else
      return FALSE;
}

guint
ts_glob_count_wildcards (const char *glob, guint *n_literal)
{
  guint n_wild = 0;

  *n_literal = 0;
  for (; *glob != '\0'; glob += is_quoted (glob) ? 2 : 1)
    if (is_wildcard (*glob))
      n_wild++;
    else
      *n_literal += !is_continuation (*glob);
  return n_wild;
}

/* Any character. Backslashes in front of it, from @from on, would make it stand for itself: so they are any characters, too. */
static void
append_any (GString *glob, gsize from)
{
  for (gsize i = glob->len; i > from && glob->str[i - 1] == '\\'; i--)
    glob->str[i - 1] = '?';
  g_string_append_c (glob, '?');
}

void
ts_glob_append_quoted (GString *glob, const char *name)
{
  const gsize from = glob->len;

  while (*name != '\0')
    {
      const char *next = next_character (name);

      if ((guchar) *name < 0x20 || !g_utf8_validate (name, next - name, NULL))
        append_any (glob, from);
      else
        {
          if (is_wildcard (*name))
            g_string_append_c (glob, '\\');
          g_string_append_len (glob, name, next - name);
        }
      name = next;
    }
}
