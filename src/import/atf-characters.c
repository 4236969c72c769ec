/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/atf.h"

/* Characters of a value that are not one byte of ASCII: those that every parser takes, and no others. */

#define SURROGATES 0xd800
#define BEHIND_SURROGATES 0xe000
#define NO_CHARACTER 0xfffe /* nor is the next one */
#define SUPPLEMENTARY 0x10000
#define LAST_CHARACTER 0x10ffff

/* Those of XML that are not ASCII, and those of ASCII that may be referred to. */
static gboolean
is_character (guint32 c)
{
  if (c < ' ')
    return c == '\t' || c == '\n' || c == '\r';
  return c < SURROGATES || (c >= BEHIND_SURROGATES && c < NO_CHARACTER) || (c >= SUPPLEMENTARY && c <= LAST_CHARACTER);
}

static gboolean
is_continued (guint8 c)
{
  return (c & 0xc0) == 0x80;
}

const guint8 *
ts_atf_pass_wide (const guint8 *p)
{
  guint32 c;

  if (*p < 0xe0)
    /* what is shorter than it looks begins below 0xc2 */
    return *p >= 0xc2 && is_continued (p[1]) ? p + 2 : NULL;
  if (*p < 0xf0)
    {
      if (!is_continued (p[1]) || !is_continued (p[2]))
        return NULL;
      c = (*p & 0x0fu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
      return c >= 0x800 && is_character (c) ? p + 3 : NULL;
    }
  if (*p > 0xf4 || !is_continued (p[1]) || !is_continued (p[2]) || !is_continued (p[3]))
    return NULL;
  c = (*p & 0x07u) << 18 | (p[1] & 0x3fu) << 12;
  return c >= SUPPLEMENTARY && is_character (c) ? p + 4 : NULL;
}

/* From behind the number sign to behind the semicolon; so many digits are enough for all characters. */
static const guint8 *
pass_character_reference (const guint8 *p)
{
  gboolean is_hex = *p == 'x';
  guint    base = is_hex ? 16 : 10;
  guint32  c = 0;

  p += is_hex;
  for (const guint8 *begin = p; g_ascii_isxdigit (*p); p++)
    {
      guint digit = (guint) g_ascii_xdigit_value ((char) *p);

      if (digit >= base || p - begin >= (is_hex ? 6 : 7))
        return NULL;
      c = c * base + digit;
    }
  return *p == ';' && is_character (c) ? p + 1 : NULL;
}

static const guint8 *
pass_reference (const guint8 *p)
{
  static const char *const predefined[] = { "amp;", "lt;", "gt;", "quot;", "apos;" };

  if (*p == '#')
    return pass_character_reference (p + 1);
  for (gsize i = 0; i < G_N_ELEMENTS (predefined); i++)
    {
      gsize length = strlen (predefined[i]);

      if (memcmp (p, predefined[i], length) == 0)
        return p + length;
    }
  return NULL;
}

/* The names are those of libxml2, or of the document. */
TsAtfEncoding
ts_atf_encoding (const char *name)
{
  static const char *const whole[] = { "ISO-8859-1", "LATIN1", "ISO-8859-15", "WINDOWS-1252", "CP1252" };
  static const char *const ascii[] = { "ISO-8859-", "WINDOWS-125", "CP125", "US-ASCII", "ASCII", "KOI8-" };

  for (gsize i = 0; i < G_N_ELEMENTS (whole); i++)
    if (g_ascii_strcasecmp (name, whole[i]) == 0)
      return TS_ATF_IN_BYTES;
  for (gsize i = 0; i < G_N_ELEMENTS (ascii); i++)
    if (g_ascii_strncasecmp (name, ascii[i], strlen (ascii[i])) == 0)
      return TS_ATF_IN_ASCII;
  return TS_ATF_IN_OTHERS;
}

const guint8 *
ts_atf_pass_character (TsAtfEncoding encoding, const guint8 *p)
{
  if (encoding == TS_ATF_IN_UTF_8)
    return ts_atf_pass_wide (p);
  /* below, Windows-1252 has gaps */
  return encoding == TS_ATF_IN_BYTES && *p >= 0xa0 ? p + 1 : NULL;
}

const guint8 *
ts_atf_pass_odd (TsAtfEncoding encoding, const guint8 *p)
{
  if (*p == '&')
    return pass_reference (p + 1);
  return *p >= 0x80 ? ts_atf_pass_character (encoding, p) : NULL;
}
