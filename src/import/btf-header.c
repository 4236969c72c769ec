/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/btf.h"
#include "model/encoding.h"

/* Parameters, tables and comments: the lines that begin with '#', wherever they stand.
 * The specifications spell keywords in more than one way, so case does not matter. */

typedef enum
{
  KEYWORD_VERSION,
  KEYWORD_CREATOR,
  KEYWORD_CREATION_DATE,
  KEYWORD_TIME_SCALE,
  KEYWORD_TYPE_TABLE,
  KEYWORD_ENTITY_TABLE,
  KEYWORD_ENTITY_TYPE_TABLE,
  KEYWORD_TYPE_MAPPING,
  KEYWORD_ENTITY_MAPPING,
  KEYWORD_ENTITY_TYPE_MAPPING,
  KEYWORD_INCOMPLETE,
  KEYWORD_NO_MEANING,
} Keyword;

#define TEXT(text) { text, sizeof text - 1 }

static const struct
{
  TsBtfText text;
  Keyword   keyword;
} keywords[] = {
  { TEXT ("version"), KEYWORD_VERSION },
  { TEXT ("creator"), KEYWORD_CREATOR },
  { TEXT ("creationDate"), KEYWORD_CREATION_DATE },
  { TEXT ("createDate"), KEYWORD_CREATION_DATE },
  { TEXT ("timeScale"), KEYWORD_TIME_SCALE },
  { TEXT ("inputFile"), KEYWORD_NO_MEANING }, /* of the simulation, not of the trace */
  { TEXT ("typeTable"), KEYWORD_TYPE_TABLE },
  { TEXT ("entityType"), KEYWORD_TYPE_TABLE }, /* before 2.1.5 */
  { TEXT ("entityTable"), KEYWORD_ENTITY_TABLE },
  { TEXT ("entityTypeTable"), KEYWORD_ENTITY_TYPE_TABLE },
  { TEXT ("typeMapping"), KEYWORD_TYPE_MAPPING },
  { TEXT ("entityMapping"), KEYWORD_ENTITY_MAPPING },
  { TEXT ("entityTypeMapping"), KEYWORD_ENTITY_TYPE_MAPPING },
  /* of a FreeRTOS logger */
  { TEXT ("ringOverflow"), KEYWORD_INCOMPLETE },
  { TEXT ("taskTableOverflow"), KEYWORD_INCOMPLETE },
  { TEXT ("truncated"), KEYWORD_INCOMPLETE },
  /* seen in files, without a meaning for the analysis */
  { TEXT ("Producer"), KEYWORD_NO_MEANING },
  { TEXT ("inputRTE"), KEYWORD_NO_MEANING },
  { TEXT ("signalAccesses"), KEYWORD_NO_MEANING },
  { TEXT ("scenario"), KEYWORD_NO_MEANING },
  { TEXT ("comment"), KEYWORD_NO_MEANING },
};

#undef TEXT

TsBtfText
ts_btf_keyword (TsBtfText line)
{
  const char *begin = line.begin + 1, *end = line.begin + line.length, *p = begin;

  while (p < end && !ts_btf_is_blank (*p))
    p++;
  return (TsBtfText){ begin, begin < end ? (gsize) (p - begin) : 0 };
}

/* Whatever the case, which is mostly the same. */
static gboolean
is_same (TsBtfText a, TsBtfText b)
{
  return a.length == b.length
         && (memcmp (a.begin, b.begin, a.length) == 0 || g_ascii_strncasecmp (a.begin, b.begin, a.length) == 0);
}

static gboolean
find_keyword (TsBtfText text, Keyword *keyword)
{
  for (gsize i = 0; i < G_N_ELEMENTS (keywords); i++)
    if (is_same (text, keywords[i].text))
      {
        *keyword = keywords[i].keyword;
        return TRUE;
      }
  return FALSE;
}

gboolean
ts_btf_is_keyword (TsBtfText text)
{
  Keyword keyword;

  return find_keyword (text, &keyword) && keyword != KEYWORD_NO_MEANING;
}

/* The first word of @text, and what follows it. */
static TsBtfText
split_word (TsBtfText text, TsBtfText *rest)
{
  const char *p = text.begin, *end = text.begin + text.length;

  while (p < end && !ts_btf_is_blank (*p))
    p++;
  *rest = ts_btf_trim (p, end);
  return (TsBtfText){ text.begin, (gsize) (p - text.begin) };
}

static gboolean
is_number (TsBtfText text)
{
  gint64 value;

  return ts_btf_number (text, &value) == TS_BTF_GOOD;
}

static void
bad_header (TsBtf *btf, const char *what, TsBtfText text)
{
  g_autofree char *shown = ts_btf_excerpt (text);

  ts_diagnostics_add (btf->import->diagnostics, TS_DIAGNOSTIC_BAD_HEADER, btf->line, "%s `%s'", what, shown);
}

/* What the tables say may change what names stand for. */

static void
define_type (TsBtf *btf, TsBtfText id, TsBtfText type)
{
  ts_btf_scan_forget (btf->scan);
  if (is_number (id) && type.length > 0)
    ts_btf_type_define (&btf->words, id, type);
  else
    bad_header (btf, "type", id);
}

static void
define_entity (TsBtf *btf, TsBtfText id, TsBtfText name)
{
  ts_btf_scan_forget (btf->scan);
  if (is_number (id) && name.length > 0)
    ts_btf_name_define (btf, id, name);
  else
    bad_header (btf, "entity", id);
}

/* Whoever is in this table is reported, whether it has events or not. */
static void
define_entity_type (TsBtf *btf, TsBtfText type, TsBtfText name)
{
  ts_btf_scan_forget (btf->scan);
  if (type.length > 0 && name.length > 0)
    ts_btf_entity (btf, ts_btf_type_slow (&btf->words, type),
                   ts_btf_name_info (btf, ts_btf_name (btf, name))->alias);
  else
    bad_header (btf, "entity of type", type);
}

/* `#-0 T', `#-0 Task_1ms', `#-T Task_1ms': of the table that was opened last. */
static void
table_row (TsBtf *btf, TsBtfText row)
{
  TsBtfText right, left = split_word (row, &right);

  switch (btf->table)
    {
    case TS_BTF_TYPE_TABLE:
      define_type (btf, left, right);
      break;
    case TS_BTF_ENTITY_TABLE:
      define_entity (btf, left, right);
      break;
    case TS_BTF_ENTITY_TYPE_TABLE:
      define_entity_type (btf, left, right);
      break;
    case TS_BTF_NO_TABLE:
    default:
      bad_header (btf, "row of no table", row);
    }
}

static void
time_scale (TsBtf *btf, TsBtfText value)
{
  static const char *const units[] = { "ps", "ns", "us", "ms", "s" };
  int                      exponent;

  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (ts_btf_same (value, units[i]) && ts_time_base_exponent (units[i], &exponent))
      {
        ts_btf_set_scale (btf, exponent);
        return;
      }
  bad_header (btf, "time scale", value);
}

static void
version (TsBtf *btf, TsBtfText value)
{
  if (value.length > 1 && (value.begin[0] == '1' || value.begin[0] == '2') && value.begin[1] == '.')
    return;
  if (value.length != 1 || (value.begin[0] != '1' && value.begin[0] != '2'))
    {
      g_autofree char *shown = ts_btf_excerpt (value);

      ts_diagnostics_add (btf->import->diagnostics, TS_DIAGNOSTIC_UNKNOWN_VERSION, btf->line, "version `%s'", shown);
    }
}

static void
creator (TsBtf *btf, TsBtfText value)
{
  g_autofree char *text = ts_utf8_dup (value.begin, value.length, NULL);

  if (value.length > 0)
    ts_system_set_tool (btf->import->system, NULL, text, NULL);
}

static void
creation_date (TsBtf *btf, TsBtfText value)
{
  g_autofree char *text = ts_utf8_dup (value.begin, value.length, NULL);
  g_autofree char *comment = g_strconcat ("created ", text, NULL);

  if (value.length > 0)
    ts_system_set_comment (btf->import->system, comment);
}

static void
parameter (TsBtf *btf, Keyword keyword, TsBtfText word, TsBtfText value)
{
  TsBtfText right, left = split_word (value, &right);

  switch (keyword)
    {
    case KEYWORD_VERSION:
      version (btf, value);
      break;
    case KEYWORD_CREATOR:
      creator (btf, value);
      break;
    case KEYWORD_CREATION_DATE:
      creation_date (btf, value);
      break;
    case KEYWORD_TIME_SCALE:
      time_scale (btf, value);
      break;
    case KEYWORD_TYPE_TABLE:
      btf->table = TS_BTF_TYPE_TABLE;
      break;
    case KEYWORD_ENTITY_TABLE:
      btf->table = TS_BTF_ENTITY_TABLE;
      break;
    case KEYWORD_ENTITY_TYPE_TABLE:
      btf->table = TS_BTF_ENTITY_TYPE_TABLE;
      break;
    case KEYWORD_TYPE_MAPPING:
      define_type (btf, left, right);
      break;
    case KEYWORD_ENTITY_MAPPING:
      define_entity (btf, left, right);
      break;
    case KEYWORD_ENTITY_TYPE_MAPPING:
      define_entity_type (btf, left, right);
      break;
    case KEYWORD_INCOMPLETE:
      if (value.length > 0 && !ts_btf_same (value, "false") && !ts_btf_same (value, "0"))
        ts_diagnostics_add (btf->import->diagnostics, TS_DIAGNOSTIC_INCOMPLETE, btf->line, "#%.*s",
                            (int) word.length, word.begin);
      break;
    case KEYWORD_NO_MEANING:
    default:
      break;
    }
}

void
ts_btf_header_line (TsBtf *btf, TsBtfText line)
{
  TsBtfText word = ts_btf_keyword (line);
  Keyword   keyword;

  if (word.length == 0)
    return;
  /* lines may end with it alone: then all of the file is in this one */
  if (memchr (line.begin, '\r', line.length) != NULL)
    bad_header (btf, "carriage return in the line of", word);
  if (*word.begin == '-')
    {
      btf->n_headers++;
      table_row (btf, ts_btf_trim (line.begin + 2, line.begin + line.length));
    }
  else if (find_keyword (word, &keyword))
    {
      btf->n_headers += keyword != KEYWORD_NO_MEANING;
      parameter (btf, keyword, word, ts_btf_trim (word.begin + word.length, line.begin + line.length));
    }
  else
    {
      g_autofree char *shown = ts_btf_excerpt (word);

      ts_diagnostics_add (btf->import->diagnostics, TS_DIAGNOSTIC_UNKNOWN_CONTENT, btf->line, "#%s", shown);
    }
}
