/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <libxml/SAX2.h>

#include "import/atf-errors.h"
#include "import/input.h"
#include "import/late.h"

/* The last four are what the macros xmlStructuredError and so on call. */
#define LIBXML(F) \
  F (xmlInitParser) F (xmlCreatePushParserCtxt) F (xmlCtxtUseOptions) F (xmlParseChunk) F (xmlFreeParserCtxt) \
  F (xmlFreeDoc) F (xmlDictLookup) F (xmlGetDocEntity) F (xmlGetPredefinedEntity) F (xmlSAX2StartDocument) \
  F (xmlSAX2InternalSubset) F (xmlSAX2EntityDecl) F (xmlSAX2GetEntity) F (xmlSetStructuredErrorFunc) \
  F (xmlSetGenericErrorFunc) F (xmlBufUse) F (__xmlStructuredError) F (__xmlStructuredErrorContext) \
  F (__xmlGenericError) F (__xmlGenericErrorContext)

TS_LATE_LIBRARY (lib, LIBXML, TS_LIBXML_FILE);

const char *const ts_atf_name_texts[TS_ATF_N_NAMES] = {
#define NAME_TEXT(NAME, name) name,
  TS_ATF_NAMES (NAME_TEXT)
#undef NAME_TEXT
};

/* Where it is */

static TsAtfPlace
current_place (const TsAtf *atf)
{
  return atf->level > 0 ? atf->stack[atf->level - 1]->place : TS_ATF_IN_DOCUMENT;
}

gboolean
ts_atf_xml_is_in_trace (const TsAtf *atf)
{
  return atf->parser != NULL && atf->skipped == 0 && current_place (atf) == TS_ATF_IN_TRACE;
}

/* libxml2 writes some of its complaints to standard error by way of this. */
static void G_GNUC_PRINTF (2, 3)
on_generic_error (G_GNUC_UNUSED void *data, G_GNUC_UNUSED const char *format, ...)
{
}

/* The document */

static void
root_start (TsAtf *atf, const TsAtfTag *tag)
{
  g_autofree char *version = ts_atf_tag_dup (atf, tag, TS_ATF_VERSION);

  /* The document asks for 1.0, and all of its own examples say 0.2. */
  if (version != NULL && strcmp (version, "1.0") != 0 && strcmp (version, "0.2") != 0)
    ts_diagnostics_add (atf->import->diagnostics, TS_DIAGNOSTIC_UNKNOWN_VERSION, tag->line, "version `%s'", version);
}

static void
cookie_start (TsAtf *atf, const TsAtfTag *tag)
{
  TsToolInfo tool = ts_atf_tag_tool (atf, tag);

  /* cookies are told anew in each reading, whether or not the system is kept */
  ts_system_add_cookie (atf->import->system, tool.vendor, tool.tool, tool.version);
}

static const TsAtfRule document_rules[] = {
  { TS_ATF_IN_DOCUMENT, TS_ATF_COMMON_FORMAT, TS_ATF_IN_ROOT, FALSE, root_start, NULL },
  { TS_ATF_IN_ROOT, TS_ATF_COOKIE, TS_ATF_IN_COOKIE, FALSE, cookie_start, NULL },
  { 0 },
};

static const TsAtfRule entry_rule = { TS_ATF_IN_TRACE, TS_ATF_TRACE_ENTRY, TS_ATF_IN_LEAF, FALSE, NULL, NULL };

static const TsAtfRule *
find_rule (const TsAtf *atf, TsAtfPlace parent, const xmlChar *name)
{
  const TsAtfRule *const tables[] = { document_rules, ts_atf_system_rules, ts_atf_trace_rules };

  for (gsize i = 0; i < G_N_ELEMENTS (tables); i++)
    for (const TsAtfRule *rule = tables[i]; rule->place != 0; rule++)
      if (rule->parent == parent && atf->names[rule->name] == name)
        return rule;
  return NULL;
}

gboolean
ts_atf_xml_is_near_entries (const TsAtf *atf)
{
  /* the root, TraceData, and what is in that */
  return atf->parser != NULL && atf->level > 1 && atf->stack[1]->place == TS_ATF_IN_TRACE;
}

gboolean
ts_atf_xml_is_converted (const TsAtf *atf)
{
  const xmlParserCtxt *parser = atf->parser;

  return parser != NULL && parser->input != NULL && parser->input->buf != NULL && parser->input->buf->encoder != NULL;
}

/* Nothing is left over in libxml2's buffer. */
static gboolean
is_between_tags (const TsAtf *atf)
{
  const xmlParserCtxt *parser = atf->parser;

  return parser->instate == XML_PARSER_CONTENT && parser->inputNr == 1 && parser->input->cur == parser->input->end
         && parser->input->buf != NULL;
}

/* In most encodings of bytes those of ASCII are themselves: so entries can be read as they stand, once nothing waits for
 * its conversion. */
static TsAtfEncoding
encoding (const TsAtf *atf)
{
  const xmlParserInputBuffer *buffer = atf->parser->input->buf;

  if (!ts_atf_xml_is_converted (atf))
    return TS_ATF_IN_UTF_8;
  if (buffer->encoder->name == NULL || lib.xmlBufUse (buffer->raw) > 0)
    return TS_ATF_IN_OTHERS;
  return ts_atf_encoding (buffer->encoder->name);
}

gboolean
ts_atf_xml_is_between_entries (TsAtf *atf)
{
  if (!ts_atf_xml_is_in_trace (atf) || !is_between_tags (atf))
    return FALSE;
  atf->scan.encoding = encoding (atf);
  return atf->scan.encoding != TS_ATF_IN_OTHERS;
}

gboolean
ts_atf_xml_is_direct (const TsAtf *atf)
{
  return !atf->has_document_type && !ts_atf_xml_is_converted (atf);
}

gboolean
ts_atf_xml_is_between_elements (const TsAtf *atf)
{
  TsAtfPlace place = current_place (atf);

  return (place == TS_ATF_IN_RESOURCE || place == TS_ATF_IN_ELEMENT) && atf->skipped == 0 && is_between_tags (atf)
         && ts_atf_xml_is_direct (atf);
}

gboolean
ts_atf_xml_is_near_section (const TsAtf *atf)
{
  const xmlParserInput *input = atf->parser->input;
  gsize                 n_held = (gsize) (input->end - input->cur);

  return ts_atf_is_in_cdata (atf) || (n_held > 0 && input->cur[0] == '<' && (n_held == 1 || input->cur[1] == '!'));
}

static void
push_rule (TsAtf *atf, const TsAtfRule *rule)
{
  g_assert (atf->level < G_N_ELEMENTS (atf->stack)); /* the nesting limit is well below */
  atf->stack[atf->level++] = rule;
}

/* The line where the innermost start tag begins. libxml2 tells where it ends, and a '<'
 * cannot stand within one; inside of an entity the reference is the place to name. */
static guint64
line_of_tag (const TsAtf *atf)
{
  const xmlParserInput *input = atf->parser->input;
  guint64               line = ts_atf_line (atf);
  const guint8         *begin;

  if (atf->parser->depth > 0 || atf->parser->inputNr > 1)
    return line;
  begin = memrchr (input->base, '<', (gsize) (input->cur - input->base));
  line -= MIN (line, ts_atf_count_lines (begin != NULL ? begin : input->base, input->cur));
  return MAX (line, 1);
}

static void
start_entry (TsAtf *atf, const xmlChar **attributes, int n_attributes)
{
  TsAtfText time = { NULL, NULL }, event = time, reference = time;

  for (int i = 0; i < n_attributes; i++, attributes += 5)
    {
      TsAtfText value = { (const char *) attributes[3], (const char *) attributes[4] };

      if (attributes[1] != NULL)
        continue;
      if (attributes[0] == atf->names[TS_ATF_TIME])
        time = value;
      else if (attributes[0] == atf->names[TS_ATF_EVENT_ID])
        event = value;
      else if (attributes[0] == atf->names[TS_ATF_REFERENCE_ID])
        reference = value;
    }
  push_rule (atf, &entry_rule);
  ts_atf_entry (atf, &time, &event, &reference, line_of_tag (atf));
}

/* Of what is skipped an entry is an event that is missing, whoever put it there; but not of what a tool keeps for itself. */
static void
judge_skipped (TsAtf *atf, const xmlChar *name)
{
  if (name == atf->names[TS_ATF_TRACE_ENTRY] && current_place (atf) != TS_ATF_IN_COOKIE)
    ts_diagnostics_add (atf->import->diagnostics, TS_DIAGNOSTIC_BAD_EVENT, line_of_tag (atf),
                        "a <TraceEntry> that is not in <TraceData> itself");
}

static void
skip_unknown (TsAtf *atf, TsAtfPlace place, const xmlChar *name)
{
  atf->skipped = 1;
  judge_skipped (atf, name);
  /* libxml2 tells of the start of a last tag even if its end is missing */
  if (place == TS_ATF_IN_DOCUMENT && ts_atf_is_cut (atf, atf->parser->input))
    ts_atf_fail_unclosed (atf, atf->parser->input);
  else if (place == TS_ATF_IN_DOCUMENT)
    ts_atf_fail (atf, TS_ERROR_FORMAT, line_of_tag (atf), "not an ATF file: the root element is <%s>", name);
  else if (place != TS_ATF_IN_COOKIE)
    ts_diagnostics_add (atf->import->diagnostics, TS_DIAGNOSTIC_UNKNOWN_CONTENT, line_of_tag (atf), "<%s> in <%s>",
                        name, ts_atf_name_texts[atf->stack[atf->level - 1]->name]);
}

static void
start_element (TsAtf *atf, const TsAtfRule *rule, const TsAtfTag *tag)
{
  push_rule (atf, rule);
  if (rule->has_text)
    g_string_truncate (atf->text, 0);
  if (rule->start != NULL)
    rule->start (atf, tag);
}

static void
on_start_element (void *data, const xmlChar *name, const xmlChar *prefix, G_GNUC_UNUSED const xmlChar *uri,
                  G_GNUC_UNUSED int n_namespaces,
                  G_GNUC_UNUSED const xmlChar **namespaces, int n_attributes, G_GNUC_UNUSED int n_defaulted,
                  const xmlChar **attributes)
{
  TsAtf           *atf = data;
  TsAtfPlace       place;
  const TsAtfRule *rule;

  if (atf->error != NULL)
    return;
  atf->has_root = TRUE;
  if (++atf->depth > TS_ATF_MAX_DEPTH)
    ts_atf_fail (atf, TS_ERROR_FORMAT, line_of_tag (atf), "XML elements are nested deeper than %d", TS_ATF_MAX_DEPTH);
  if (atf->skipped > 0)
    {
      atf->skipped++;
      judge_skipped (atf, name);
      return;
    }

  place = current_place (atf);
  if (G_LIKELY (place == TS_ATF_IN_TRACE && name == atf->names[TS_ATF_TRACE_ENTRY]))
    {
      start_entry (atf, attributes, n_attributes);
      return;
    }
  rule = find_rule (atf, place, name);
  if (rule == NULL)
    {
      skip_unknown (atf, place, name);
      return;
    }
  if (rule->place == TS_ATF_IN_TRACE)
    {
      atf->has_section_prefix = prefix != NULL;
      atf->unseen_section_line = 0;
    }
  start_element (atf, rule, &(TsAtfTag){ attributes, n_attributes, rule->start != NULL ? line_of_tag (atf) : 0 });
}

static void
on_end_element (void *data, G_GNUC_UNUSED const xmlChar *name, G_GNUC_UNUSED const xmlChar *prefix,
                G_GNUC_UNUSED const xmlChar *uri)
{
  TsAtf           *atf = data;
  const TsAtfRule *rule;

  if (atf->error != NULL)
    return;
  atf->depth--;
  if (atf->skipped > 0)
    {
      atf->skipped--;
      return;
    }
  rule = atf->stack[--atf->level];
  if (rule->end != NULL)
    rule->end (atf, rule->has_text ? g_strstrip (atf->text->str) : NULL);
}

static void
on_characters (void *data, const xmlChar *text, int length)
{
  TsAtf *atf = data;

  if (atf->skipped > 0 || atf->level == 0 || !atf->stack[atf->level - 1]->has_text || atf->error != NULL)
    return;
  if (atf->text->len + (gsize) length > TS_ATF_MAX_TEXT)
    {
      ts_atf_fail (atf, TS_ERROR_FORMAT, ts_atf_line (atf), "a text is longer than %d bytes", TS_ATF_MAX_TEXT);
      return;
    }
  g_string_append_len (atf->text, (const char *) text, length);
}

void
ts_atf_xml_start (TsAtf *atf, TsAtfName name, const TsAtfTag *tag)
{
  if (name == TS_ATF_TRACE_DATA)
    atf->unseen_section_line = tag->line;
  atf->depth++;
  start_element (atf, find_rule (atf, current_place (atf), atf->names[name]), tag);
}

void
ts_atf_xml_end (TsAtf *atf, const guint8 *text, const guint8 *text_end)
{
  on_characters (atf, text, (int) (text_end - text));
  on_end_element (atf, NULL, NULL, NULL);
}

/* Entities that the document type declares are known, so that a harmless one works; those
 * of other files are not, and libxml2 refuses the ones that grow without end. The document
 * that libxml2 makes for them stays empty otherwise. */

static void
on_start_document (void *data)
{
  lib.xmlSAX2StartDocument (((TsAtf *) data)->parser);
}

static void
on_internal_subset (void *data, const xmlChar *name, const xmlChar *external_id, const xmlChar *system_id)
{
  TsAtf *atf = data;

  atf->has_document_type = TRUE;
  lib.xmlSAX2InternalSubset (atf->parser, name, external_id, system_id);
}

static void
on_entity_declaration (void *data, const xmlChar *name, int type, const xmlChar *public_id, const xmlChar *system_id,
                       xmlChar *content)
{
  TsAtf *atf = data;

  if (type == XML_INTERNAL_GENERAL_ENTITY && atf->n_entities++ < TS_ATF_MAX_ENTITIES)
    lib.xmlSAX2EntityDecl (atf->parser, name, type, public_id, system_id, content);
}

static xmlEntityPtr
on_get_entity (void *data, const xmlChar *name)
{
  return lib.xmlSAX2GetEntity (((TsAtf *) data)->parser, name);
}

const char *
ts_atf_xml_entity (const TsAtf *atf, const char *name, gboolean *is_predefined)
{
  xmlEntityPtr entity = lib.xmlGetPredefinedEntity ((const xmlChar *) name);

  *is_predefined = entity != NULL;
  if (entity == NULL)
    entity = lib.xmlGetDocEntity (atf->parser->myDoc, (const xmlChar *) name);
  return entity != NULL ? (const char *) entity->content : NULL;
}

static xmlParserCtxtPtr
new_parser (TsAtf *atf, const guint8 *bytes, gsize length)
{
  xmlParserCtxtPtr parser;
  int              options = XML_PARSE_NONET;
  xmlSAXHandler    handler = {
       .initialized = XML_SAX2_MAGIC,
       .startDocument = on_start_document,
       .internalSubset = on_internal_subset,
       .entityDecl = on_entity_declaration,
       .getEntity = on_get_entity,
       .startElementNs = on_start_element,
       .endElementNs = on_end_element,
       .characters = on_characters,
       .ignorableWhitespace = on_characters,
       .cdataBlock = on_characters,
       .serror = ts_atf_on_error,
  };

  /* the first four bytes are enough to tell the encoding by */
  parser = lib.xmlCreatePushParserCtxt (&handler, atf, (const char *) bytes, (int) MIN (length, 4), NULL);
  if (parser == NULL)
    return NULL;
  /* it gets UTF-8, whatever the XML declaration says */
  if (atf->utf16.units != TS_ATF_AS_THEY_ARE)
    options |= XML_PARSE_IGNORE_ENC;
  lib.xmlCtxtUseOptions (parser, options);
  for (gsize i = 0; i < TS_ATF_N_NAMES; i++)
    atf->names[i] = lib.xmlDictLookup (parser->dict, (const xmlChar *) ts_atf_name_texts[i], -1);
  return parser;
}

static void
parse (TsAtf *atf, const guint8 *bytes, gsize length, gboolean terminate)
{
  if (atf->parser == NULL)
    {
      gsize head = MIN (length, 4);

      atf->parser = new_parser (atf, bytes, head);
      if (atf->parser == NULL)
        {
          ts_atf_fail (atf, TS_ERROR_INPUT, 0, "no memory for the XML parser");
          return;
        }
      bytes += head;
      length -= head;
    }
  atf->is_at_end = terminate;
  lib.xmlParseChunk (atf->parser, (const char *) bytes, (int) length, terminate);
  /* a conversion that failed can stop libxml2 without an error of its own */
  if (atf->error == NULL && (!atf->parser->wellFormed || atf->parser->disableSAX))
    ts_atf_fail (atf, TS_ERROR_FORMAT, ts_atf_line (atf), "not well-formed, or not in the encoding that it states");
}

static void
parse_with_handlers (TsAtf *atf, const guint8 *bytes, gsize length, gboolean terminate)
{
  /* These are the thread's, not the parser's: a few errors, of encodings above all, know
   * of no parser. The caller's own are put back. */
  xmlStructuredErrorFunc structured = *lib.__xmlStructuredError ();
  void                  *structured_data = *lib.__xmlStructuredErrorContext ();
  xmlGenericErrorFunc    generic = *lib.__xmlGenericError ();
  void                  *generic_data = *lib.__xmlGenericErrorContext ();

  lib.xmlSetStructuredErrorFunc (atf, (xmlStructuredErrorFunc) ts_atf_on_error);
  lib.xmlSetGenericErrorFunc (NULL, on_generic_error);
  parse (atf, bytes, length, terminate);
  lib.xmlSetStructuredErrorFunc (structured_data, structured);
  lib.xmlSetGenericErrorFunc (generic_data, generic);
}

/* Before anything else is asked of it: of what it does for each thread, only this is not safe among threads. */
static gboolean
load_libxml (GError **error)
{
  static gsize is_initialized;

  if (!ts_late_load (&lib_late, error))
    return FALSE;
  if (g_once_init_enter (&is_initialized))
    {
      lib.xmlInitParser ();
      g_once_init_leave (&is_initialized, 1);
    }
  return TRUE;
}

gboolean
ts_atf_xml_parse (TsAtf *atf, const guint8 *bytes, gsize length, gboolean terminate)
{
  g_autoptr (GError) missing = NULL;

  if (load_libxml (&missing))
    parse_with_handlers (atf, bytes, length, terminate);
  else
    ts_atf_fail (atf, TS_ERROR_INPUT, 0, "%s", missing->message);
  return atf->error == NULL;
}

void
ts_atf_xml_close (TsAtf *atf)
{
  if (atf->parser == NULL)
    return;
  if (atf->parser->myDoc != NULL)
    lib.xmlFreeDoc (atf->parser->myDoc);
  lib.xmlFreeParserCtxt (atf->parser);
  atf->parser = NULL;
}
