/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "report/text.h"

/* Nearly all names are. */
static gboolean
is_printable_ascii (const char *text)
{
  while (*text >= ' ' && *text < 0x7f)
    text++;
  return *text == '\0';
}

const char *
ts_text_clean_lent (const char *text, GStringChunk *others)
{
  g_autofree char *clean = NULL;

  if (is_printable_ascii (text))
    return text;
  clean = ts_text_clean (text);
  return g_string_chunk_insert (others, clean);
}

/* Whether what follows would be shown from right to left, or beside where it stands: a name could take the place of another. */
static gboolean
turns_text (gunichar c)
{
  return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f || c == 0x61c;
}

char *
ts_text_clean (const char *text)
{
  g_autofree char *valid = NULL;
  GString         *clean;

  if (is_printable_ascii (text))
    return g_strdup (text);
  valid = g_utf8_make_valid (text, -1);
  clean = g_string_sized_new (strlen (valid));
  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (g_unichar_iscntrl (c) || turns_text (c))
        g_string_append_c (clean, '?');
      else
        g_string_append_len (clean, p, g_utf8_next_char (p) - p);
    }
  return g_string_free (clean, FALSE);
}

static guint
character_width (gunichar c)
{
  return g_unichar_iszerowidth (c) ? 0 : g_unichar_iswide (c) ? 2 : 1;
}

guint
ts_text_width (const char *text)
{
  guint width = 0;

  while (*text != '\0')
    if ((guchar) *text < 0x80)
      {
        width++;
        text++;
      }
    else
      {
        width += character_width (g_utf8_get_char (text));
        text = g_utf8_next_char (text);
      }
  return width;
}

char *
ts_text_shorten (const char *text, guint width, gboolean unicode)
{
  const char *mark = unicode ? "\xe2\x80\xa6" : "..";
  guint       room = width - MIN (width, ts_text_width (mark));
  const char *head = text, *tail = text + strlen (text);
  guint       head_width = 0, tail_width = 0;

  if (ts_text_width (text) <= width)
    return g_strdup (text);
  while (head_width + character_width (g_utf8_get_char (head)) <= room - room / 2)
    {
      head_width += character_width (g_utf8_get_char (head));
      head = g_utf8_next_char (head);
    }
  while (tail_width + character_width (g_utf8_get_char (g_utf8_prev_char (tail))) <= room / 2)
    {
      tail = g_utf8_prev_char (tail);
      tail_width += character_width (g_utf8_get_char (tail));
    }
  return g_strdup_printf ("%.*s%s%s", (int) (head - text), text, mark, tail);
}

void
ts_text_paint (GString *out, const TsTextStyle *style, TsTextFace face, const char *text)
{
  static const char *const sequences[] = {
    [TS_FACE_PLAIN] = "",         [TS_FACE_BOLD] = "\033[1m",    [TS_FACE_DIM] = "\033[2m",
    [TS_FACE_RED] = "\033[1;31m", [TS_FACE_YELLOW] = "\033[33m", [TS_FACE_GREEN] = "\033[32m",
  };

  if (!style->colour || face == TS_FACE_PLAIN || *text == '\0')
    {
      g_string_append (out, text);
      return;
    }
  g_string_append (out, sequences[face]);
  g_string_append (out, text);
  g_string_append (out, "\033[0m");
}

void
ts_text_repeat (GString *out, const char *text, guint n)
{
  while (n-- > 0)
    g_string_append (out, text);
}

void
ts_text_pad (GString *out, guint n)
{
  gsize length = out->len;

  g_string_set_size (out, length + n);
  memset (out->str + length, ' ', n);
}

void
ts_text_end_line (GString *out)
{
  gsize length = out->len;

  while (length > 0 && out->str[length - 1] == ' ')
    length--;
  g_string_truncate (out, length);
  g_string_append_c (out, '\n');
}

void
ts_text_wrap (GString *out, const TsTextStyle *style, TsTextFace face, const char *text, guint column, guint indent)
{
  g_auto (GStrv)      words = g_strsplit (text, " ", -1);
  g_autoptr (GString) line = g_string_new (NULL);

  for (guint i = 0; words[i] != NULL; i++)
    {
      guint width = ts_text_width (g_strdelimit (words[i], TS_TEXT_TIE, ' '));

      if (line->len > 0 && column + 1 + width > style->width)
        {
          ts_text_paint (out, style, face, line->str);
          ts_text_end_line (out);
          ts_text_pad (out, indent);
          g_string_truncate (line, 0);
          column = indent;
        }
      if (line->len > 0)
        {
          g_string_append_c (line, ' ');
          column++;
        }
      g_string_append (line, words[i]);
      column += width;
    }
  ts_text_paint (out, style, face, line->str);
  ts_text_end_line (out);
}
