/* SPDX-License-Identifier: MIT */
#pragma once

#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

#include "import/atf.h"

G_BEGIN_DECLS

/* Between atf-xml.c, which has the parser, and atf-errors.c. */

#if LIBXML_VERSION >= 21200
typedef const xmlError *TsXmlError;
#else
typedef xmlErrorPtr TsXmlError;
#endif

/* For libxml2: sets atf->error. Only what makes the document not well-formed ends the reading. An undeclared prefix is an
 * error for libxml2, but not a fatal one. */
void ts_atf_on_error (void *data, TsXmlError error);

/* Whether an error comes because nothing more does: the parser stands at the end of the input, or in the middle of markup
 * whose '>' is missing. */
gboolean ts_atf_is_cut (const TsAtf *atf, const xmlParserInput *input);

/* Between two tags, and in a CDATA section, libxml2 calls a cut "extra content", and has not yet counted the lines that it
 * holds back: sets atf->error to what is missing. */
void ts_atf_fail_unclosed (TsAtf *atf, const xmlParserInput *input);

gboolean ts_atf_is_in_cdata (const TsAtf *atf);

/* In TraceData, and in no element that is skipped. */
gboolean ts_atf_xml_is_in_trace (const TsAtf *atf);

extern const char *const ts_atf_name_texts[TS_ATF_N_NAMES];

G_END_DECLS
