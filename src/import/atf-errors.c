/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "import/atf-errors.h"

/* What is wrong with a document, and where: as libxml2 has it, but in words for people. */

void
ts_atf_fail (TsAtf *atf, TsError code, guint64 line, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  ts_import_fail_valist (atf->import, &atf->error, code, line, format, arguments);
  va_end (arguments);
}

guint64
ts_atf_line (const TsAtf *atf)
{
  const xmlParserInput *input = atf->parser != NULL ? atf->parser->input : NULL;

  return input != NULL && input->line > 0 ? (guint64) input->line : 1;
}

/* libxml2 ends its messages in a newline and may add a dump of bytes; in lower case like
 * every message, but not where a word is an abbreviation. */
static char *
tidy_message (const char *message)
{
  char *text = g_strndup (message, strcspn (message, "\n"));

  g_strchomp (text);
  if (text[0] != '\0' && !g_ascii_isupper (text[1]))
    text[0] = g_ascii_tolower (text[0]);
  if (!g_utf8_validate (text, -1, NULL))
    {
      char *valid = g_utf8_make_valid (text, -1);

      g_free (text);
      text = valid;
    }
  return text;
}

gboolean
ts_atf_is_cut (const TsAtf *atf, const xmlParserInput *input)
{
  if (!atf->is_at_end || input == NULL)
    return FALSE;
  if (input->cur >= input->end)
    return TRUE;
  return (atf->has_root ? atf->depth > 0 : *input->base == '<')
         && memchr (input->cur, '>', (gsize) (input->end - input->cur)) == NULL;
}

gboolean
ts_atf_is_in_cdata (const TsAtf *atf)
{
  return atf->parser->instate == XML_PARSER_CDATA_SECTION;
}

void
ts_atf_fail_unclosed (TsAtf *atf, const xmlParserInput *input)
{
  const guint64 line = ts_atf_line (atf) + ts_atf_count_lines (input->cur, input->end);

  if (ts_atf_is_in_cdata (atf))
    ts_atf_fail (atf, TS_ERROR_FORMAT, line, "the file is truncated: CDATA section not terminated");
  else if (atf->level > 0)
    ts_atf_fail (atf, TS_ERROR_FORMAT, line, "the file is truncated: <%s> is never closed",
                 ts_atf_name_texts[atf->stack[atf->level - 1]->name]);
  else
    ts_atf_fail (atf, TS_ERROR_FORMAT, line, "the file is truncated: it has no root element");
}

static char *
tell_error (const TsAtf *atf, TsXmlError error)
{
  g_autofree char *message = NULL;

  if (error->code == XML_ERR_TAG_NAME_MISMATCH && ts_atf_xml_is_in_trace (atf) && atf->unseen_section_line > 0)
    message = g_strdup_printf ("Opening and ending tag mismatch: %s line %" G_GUINT64_FORMAT " and %s", error->str1,
                               atf->unseen_section_line, error->str2);
  /* so it is called where anything else stands */
  else if (error->code == XML_ERR_DOCUMENT_EMPTY)
    message = g_strdup ("this is no XML: the root element should begin here");
  else
    message = g_strdup (error->message != NULL ? error->message : "not well-formed");
  return tidy_message (message);
}

void
ts_atf_on_error (void *data, TsXmlError error)
{
  TsAtf                *atf = data;
  const xmlParserInput *input = atf->parser != NULL ? atf->parser->input : NULL;
  g_autofree char      *message = NULL;

  if (error->level != XML_ERR_FATAL || atf->error != NULL)
    return;
  if (error->code == XML_ERR_DOCUMENT_END && input != NULL
      && (ts_atf_is_in_cdata (atf) || (ts_atf_is_cut (atf, input) && (atf->level > 0 || !atf->has_root))))
    {
      ts_atf_fail_unclosed (atf, input);
      return;
    }
  message = tell_error (atf, error);
  ts_atf_fail (atf, TS_ERROR_FORMAT, ts_atf_line (atf), "%s%s", ts_atf_is_cut (atf, input) ? "the file is truncated: " : "",
               message);
}
