/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "import/atf-bytes.h"
#include "import/atf-utf16.h"
#include "model/inline.h"

/* libxml2 takes twenty times as long for an entry as the quick readers, which know bytes. So UTF-16 becomes UTF-8
 * before anything reads it. Nothing is judged here: half of a surrogate pair becomes the three bytes of its number,
 * which libxml2 refuses where it meets them, and half a character at the very end is nothing, as it is to libxml2. */

#define PIECE (256 * 1024)
#define MOST_OF_UNIT 3 /* bytes in UTF-8; a pair of units has four */
#define RUN 64         /* units that are looked at together */

static TS_ALWAYS_INLINE guint16
load_unit (const guint8 *p, gboolean is_big)
{
  guint16 unit;

  memcpy (&unit, p, sizeof unit);
  return is_big ? GUINT16_FROM_BE (unit) : GUINT16_FROM_LE (unit);
}

/* Usually all are ASCII. FALSE: they are not, and what is in @text is of no use. A compiler does this with whole
 * registers. */
static TS_ALWAYS_INLINE gboolean
pack_run (const guint8 *restrict p, guint8 *restrict text, gboolean is_big)
{
  guint16 all = 0;

  for (gsize i = 0; i < RUN; i++)
    {
      guint16 unit = load_unit (p + i * sizeof unit, is_big);

      all |= unit;
      text[i] = (guint8) unit;
    }
  return all < 0x80;
}

/* Moves @p over one character and @text behind it. FALSE: it may be a pair whose second half is behind @end. */
static TS_ALWAYS_INLINE gboolean
take_character (const guint8 **p, const guint8 *end, guint8 **text, gboolean is_big)
{
  gunichar c = load_unit (*p, is_big);

  if ((c & 0xfc00) == 0xd800)
    {
      guint16 second;

      if (end - *p < 4)
        return FALSE;
      second = load_unit (*p + 2, is_big);
      if ((second & 0xfc00) == 0xdc00)
        {
          c = 0x10000 + ((c & 0x3ff) << 10 | (second & 0x3ff));
          *p += 2;
        }
    }
  *p += 2;
  if (c < 0x80)
    *(*text)++ = (guint8) c;
  else
    *text += g_unichar_to_utf8 (c, (char *) *text);
  return TRUE;
}

/* Returns how many bytes were taken; the rest is less than a character. */
static TS_ALWAYS_INLINE gsize
convert_in_order (const guint8 *bytes, gsize length, guint8 *text, gsize *text_length, gboolean is_big)
{
  const guint8 *p = bytes, *end = bytes + length / 2 * 2;
  guint8       *to = text;
  gboolean      is_cut = FALSE;

  while (p < end && !is_cut)
    {
      const guint8 *run_end = p + MIN (end - p, 2 * RUN);

      if (run_end - p == 2 * RUN && G_LIKELY (pack_run (p, to, is_big)))
        {
          p = run_end;
          to += RUN;
        }
      while (p < run_end && !is_cut)
        is_cut = !take_character (&p, end, &to, is_big);
    }
  *text_length = (gsize) (to - text);
  return (gsize) (p - bytes);
}

static gsize
convert (TsAtfUnits units, const guint8 *bytes, gsize length, guint8 *text, gsize *text_length)
{
  return units == TS_ATF_BIG_ENDIAN ? convert_in_order (bytes, length, text, text_length, TRUE)
                                    : convert_in_order (bytes, length, text, text_length, FALSE);
}

/* Whether libxml2 goes on in UTF-16 after this XML declaration. What it makes of other names depends on its version: so
 * such a file is left to it. One that is not well-formed it refuses anyway. */
static gboolean
goes_on (const char *declaration, TsAtfUnits units)
{
  const char *const known[]
      = { "UTF-16", "UTF16", "UTF-8", "UTF8", units == TS_ATF_BIG_ENDIAN ? "UTF-16BE" : "UTF-16LE" };
  const char       *encoding = strstr (declaration, "encoding");
  char              name[16], mark;

  if (encoding == NULL)
    return TRUE;
  if (sscanf (encoding, "encoding = %*1[\"']%15[A-Za-z0-9-]%c", name, &mark) != 2 || (mark != '"' && mark != '\''))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_ascii_strcasecmp (name, known[i]) == 0)
      return TRUE;
  return FALSE;
}

/* Units of a file that begins with @head, behind any mark of their order. */
static TsAtfUnits
look_at_text (const guint8 *head, gsize length, TsAtfUnits units)
{
  guint8 text[TS_ATF_UTF16_HEAD / 2 * MOST_OF_UNIT + 1];
  char  *end;
  gsize  n;

  convert (units, head, length, text, &n);
  text[n] = '\0';
  if (n < strlen ("<?xml "))
    return TS_ATF_NOT_YET_KNOWN;
  if (text[0] != '<')
    return TS_ATF_AS_THEY_ARE;
  if (memcmp (text, "<?xml", strlen ("<?xml")) != 0 || !ts_atf_is_blank (text[strlen ("<?xml")]))
    return units;
  end = strstr ((const char *) text, "?>");
  if (end == NULL)
    return TS_ATF_NOT_YET_KNOWN;
  *end = '\0';
  return goes_on ((const char *) text, units) ? units : TS_ATF_AS_THEY_ARE;
}

/* As libxml2 tells them: by a mark of their order, or by the beginning of an XML declaration. */
static TsAtfUnits
find_units (const guint8 *head, gsize length)
{
  static const struct
  {
    guint8     bytes[4];
    guint8     n, n_mark;
    TsAtfUnits units;
  } beginnings[] = {
    { { 0xff, 0xfe }, 2, 2, TS_ATF_LITTLE_ENDIAN },
    { { 0xfe, 0xff }, 2, 2, TS_ATF_BIG_ENDIAN },
    { { '<', 0, '?', 0 }, 4, 0, TS_ATF_LITTLE_ENDIAN },
    { { 0, '<', 0, '?' }, 4, 0, TS_ATF_BIG_ENDIAN },
  };

  if (length < sizeof beginnings->bytes)
    return TS_ATF_NOT_YET_KNOWN;
  for (gsize i = 0; i < G_N_ELEMENTS (beginnings); i++)
    if (memcmp (head, beginnings[i].bytes, beginnings[i].n) == 0)
      return look_at_text (head + beginnings[i].n_mark, length - beginnings[i].n_mark, beginnings[i].units);
  return TS_ATF_AS_THEY_ARE;
}

/* Holds bytes until they tell the units, and takes the mark of these away. Usually nothing has to be held. */
static void
begin (TsAtfUtf16 *utf16, const guint8 **bytes, gsize *length)
{
  gsize n = MIN (*length, TS_ATF_UTF16_HEAD - utf16->n_held);

  if (utf16->n_held == 0 && find_units (*bytes, n) == TS_ATF_AS_THEY_ARE)
    {
      utf16->units = TS_ATF_AS_THEY_ARE;
      return;
    }
  memcpy (utf16->held + utf16->n_held, *bytes, n);
  utf16->n_held += n;
  *bytes += n;
  *length -= n;
  utf16->units = find_units (utf16->held, utf16->n_held);
  if (utf16->units == TS_ATF_NOT_YET_KNOWN && utf16->n_held == TS_ATF_UTF16_HEAD)
    utf16->units = TS_ATF_AS_THEY_ARE;
  if (utf16->units <= TS_ATF_AS_THEY_ARE)
    return;
  utf16->text = g_malloc (PIECE / 2 * MOST_OF_UNIT);
  if (utf16->held[0] >= 0xfe)
    {
      utf16->n_held -= 2;
      memmove (utf16->held, utf16->held + 2, utf16->n_held);
    }
}

/* What is held, with as many more bytes as a character needs. */
static gboolean
next_held (TsAtfUtf16 *utf16, const guint8 **bytes, gsize *length, gsize *text_length)
{
  while (utf16->n_held > 0)
    {
      gsize taken = convert (utf16->units, utf16->held, utf16->n_held, utf16->text, text_length);

      utf16->n_held -= taken;
      memmove (utf16->held, utf16->held + taken, utf16->n_held);
      if (taken > 0)
        return TRUE;
      if (*length == 0)
        return FALSE;
      utf16->held[utf16->n_held++] = *(*bytes)++;
      --*length;
    }
  return FALSE;
}

static gboolean
next_text (TsAtfUtf16 *utf16, const guint8 **bytes, gsize *length, gsize *text_length)
{
  gsize taken;

  if (next_held (utf16, bytes, length, text_length))
    return TRUE;
  if (*length == 0)
    return FALSE;
  taken = convert (utf16->units, *bytes, MIN (*length, PIECE), utf16->text, text_length);
  *bytes += taken;
  *length -= taken;
  if (taken > 0)
    return TRUE;
  /* less than a character; nothing is held where there is any */
  memcpy (utf16->held + utf16->n_held, *bytes, *length);
  utf16->n_held += *length;
  *length = 0;
  return FALSE;
}

gboolean
ts_atf_utf16_next (TsAtfUtf16 *utf16, const guint8 **bytes, gsize *length, const guint8 **text, gsize *text_length)
{
  if (G_UNLIKELY (utf16->units == TS_ATF_NOT_YET_KNOWN))
    begin (utf16, bytes, length);
  if (utf16->units == TS_ATF_NOT_YET_KNOWN)
    return FALSE;
  if (utf16->units != TS_ATF_AS_THEY_ARE)
    {
      *text = utf16->text;
      return next_text (utf16, bytes, length, text_length);
    }
  if (utf16->n_held > 0)
    {
      *text = utf16->held;
      *text_length = utf16->n_held;
      utf16->n_held = 0;
      return TRUE;
    }
  *text = *bytes;
  *text_length = *length;
  *length = 0;
  return *text_length > 0;
}

void
ts_atf_utf16_settle (TsAtfUtf16 *utf16)
{
  if (utf16->units == TS_ATF_NOT_YET_KNOWN)
    utf16->units = TS_ATF_AS_THEY_ARE;
}

void
ts_atf_utf16_clear (TsAtfUtf16 *utf16)
{
  g_free (utf16->text);
}
