/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include <libxml/parser.h>

#include "import/atf-scan.h"
#include "import/atf-squeeze.h"
#include "import/atf-utf16.h"
#include "import/importer.h"

G_BEGIN_DECLS

/* The ALL-TIMES Trace Format, version 1.0. Shared by the files atf*.c, by nobody else.
 *
 *   atf.c          the importer: bid, blocks, finish
 *   atf-utf16.c    UTF-16 becomes UTF-8 before it is read
 *   atf-xml.c      libxml2: its callbacks, entities, attributes; which element may stand where
 *   atf-system.c   what stands in SystemConfiguration
 *   atf-elements.c  its elements without libxml2, where all is as usual
 *   atf-trace.c    what stands in TraceData
 *   atf-scan.c     entries without libxml2, where all is as usual
 *   atf-alike.c    entries that look like the one before
 *   atf-pattern.c  how these look
 *   atf-irregular.c  entries that look otherwise each time
 *   atf-values.c   their numbers, where these are not as usual
 *   atf-memo.c     what ids mean, by their text
 *   atf-overhead.c tracing overheads in internal units
 *   atf-scale.c    how many of these make a tick
 *   atf-number.c   numbers as ATF writes them
 *   atf-ids.c      maps from the numbers of elements, events and user events */

#define TS_ATF_MAX_DEPTH 1000000          /* of XML elements, known or not */
#define TS_ATF_MAX_TEXT (1024 * 1024)     /* bytes of a comment, or of an attribute with its entities */
#define TS_ATF_MAX_ENTITIES 1000          /* declared in the document type */
#define TS_ATF_MAX_SECTIONS 1000000
#define TS_ATF_MAX_COMMENTS 1000000       /* on one section */
#define TS_ATF_MAX_OVERHEADS 1000000      /* of one section */
#define TS_ATF_MAX_MAPPINGS 1000000       /* of event ids, and of user events */
#define TS_ATF_MAX_UNKNOWN_USERS 65536    /* counted one by one; those beyond are counted together */
#define TS_ATF_MAX_SCALE G_GINT64_CONSTANT (1000000000000) /* that an overhead may ask for */
#define TS_ATF_BLOCK (32 * 1024)          /* what libxml2 gets at once, however the input comes */

/* Numbers (atf-number.c) */

/* Text in place; begin is NULL where an attribute is missing. */
typedef struct
{
  const char *begin, *end;
} TsAtfText;

/* A stamp (4.18), exact: whole + fraction / 10^decimals. */
typedef struct
{
  guint64  whole;
  guint64  fraction;
  guint    decimals; /* without zeros at the end; at most 18 are in @fraction */
  gboolean is_loose; /* blanks, a plus sign, leading zeros or a bare point */
  gboolean is_large; /* the whole part is beyond 64 bits */
  gboolean is_long;  /* more than 18 decimals: @fraction is cut */
} TsAtfDecimal;

/* An unsigned integer below 2^64 - 1, blanks around it allowed. */
gboolean ts_atf_number_parse (const char *begin, const char *end, guint64 *value);

/* FALSE: not a decimal. Exponents and negative numbers are none. */
gboolean ts_atf_decimal_parse (const char *begin, const char *end, TsAtfDecimal *decimal);

/* @decimal in units of which @scale make 1. FALSE: beyond TS_TIME_LIMIT. Rounded half-even,
 * and *exact FALSE, where it falls between two units. */
gboolean ts_atf_decimal_scale (const TsAtfDecimal *decimal, gint64 scale, gint64 *value, gboolean *exact);

/* The smallest multiple of @scale in which @decimal is whole; 0: none below 2^63. */
gint64 ts_atf_decimal_raise (const TsAtfDecimal *decimal, gint64 scale);

/* Up to 19, beyond which it does not fit. */
guint64 ts_atf_power_of_ten (guint exponent);

/* Least common multiple; 0 beyond @limit. */
gint64 ts_atf_common_multiple (gint64 a, TsUint128 b, gint64 limit);

/* @numerator / @denominator, rounded half-even. */
TsUint128 ts_atf_divide (TsUint128 numerator, TsUint128 denominator, gboolean *exact);

/* Ids (atf-ids.c) */

#define TS_ATF_NO_VALUE G_MAXUINT32

/* From the numbers of the file to 0, 1, 2, ... as they came. */
typedef struct
{
  guint64 *ids;   /* by what they became: room for half of the slots */
  guint32 *slots; /* that and 1, by a hash; 0: free */
  gsize    n_slots; /* a power of two */
  guint32  n;
} TsAtfIds;

void    ts_atf_ids_add (TsAtfIds *ids, guint64 id); /* which is not there */
guint32 ts_atf_ids_find (const TsAtfIds *ids, guint64 id); /* TS_ATF_NO_VALUE: not there */

/* A user event of (event, reference). */
typedef struct
{
  guint64  event, reference;
  guint64  count;
  char    *info; /* NULL: the user table lacks it */
} TsAtfUser;

typedef struct
{
  GArray  *users; /* of TsAtfUser, in order of appearance */
  guint32 *slots; /* index + 1 of users */
  gsize    n_slots;
  guint    n_unknown;
} TsAtfUsers;

void ts_atf_users_clear (TsAtfUsers *users);

/* The entry of (event, reference), made when new; valid until the next call. */
TsAtfUser *ts_atf_users_get (TsAtfUsers *users, guint64 event, guint64 reference);

/* The same for one seen in the trace: unknown ones beyond TS_ATF_MAX_UNKNOWN_USERS share
 * the reference G_MAXUINT64, which no file can write. */
TsAtfUser *ts_atf_users_count (TsAtfUsers *users, guint64 event, guint64 reference);

/* Whether a user table has it. */
gboolean ts_atf_users_have (const TsAtfUsers *users, guint64 event, guint64 reference);

/* What events are looked up in. It outlives a reading where the trace comes before the
 * system, in TsImportMemory.kept. */
typedef struct
{
  guint64 line; /* where it is declared */
  guint16 resource;
} TsAtfElement;

typedef struct
{
  guint64     line;
  TsEventKind kind;
} TsAtfMapping;

typedef struct
{
  TsAtfIds   element_ids; /* SystemElement/@ID -> element, index of elements */
  GArray    *elements;    /* of TsAtfElement */
  TsAtfIds   event_ids;   /* EventID -> index of mappings */
  GArray    *mappings;    /* of TsAtfMapping */
  TsAtfUsers infos;       /* from the user tables */
  guint      n_resources;
} TsAtfTables;

TsAtfTables *ts_atf_tables_new (void);
void         ts_atf_tables_free (TsAtfTables *tables);

/* The importer */

/* Every name that means something, of elements and of attributes. */
#define TS_ATF_NAMES(X) \
  X (COMMON_FORMAT, "CommonFormat") X (VERSION, "Version") \
  X (SYSTEM_CONFIGURATION, "SystemConfiguration") X (NAME, "Name") X (COMMENT, "Comment") \
  X (TOOL_INFO, "ToolInfo") X (VENDOR, "Vendor") X (TOOL, "Tool") X (COOKIE, "Cookie") \
  X (RESOURCE, "Resource") X (ID, "ID") X (SCHEDULER, "Scheduler") \
  X (SYSTEM_ELEMENT, "SystemElement") X (TIME_RANGE_ELEMENT, "TimeRangeElement") X (TYPE, "Type") \
  X (ANNOTATION, "Annotation") X (VALUE, "Value") \
  X (EVENT_ID_MAPPINGS, "EventIDMappings") X (EVENT_ID_MAPPING, "EventIDMapping") X (EVENT_TYPE, "EventType") \
  X (USER_TABLE, "UserTable") X (INFO, "Info") \
  X (TIME_BASE, "TimeBase") X (TIME_VALUE, "TimeValue") X (UNIT, "Unit") \
  X (FRACTION, "Fraction") X (NUMERATOR, "Numerator") X (DENOMINATOR, "Denominator") \
  X (TRACE_DATA, "TraceData") X (START, "Start") X (STOP, "Stop") \
  X (TRACE_ENTRY, "TraceEntry") X (TIME, "Time") X (EVENT_ID, "EventID") X (REFERENCE_ID, "ReferenceID") \
  X (TRACING_OVERHEAD, "TracingOverhead") X (OVERHEAD_TYPE, "OverheadType") X (OVERHEAD, "Overhead") \
  X (RANGE, "Range") X (TRACING_OVERHEAD_RANGE, "TracingOverheadRange") \
  X (TRACE_INFORMATION, "TraceInformation") X (TIME_STAMP_COMMENT, "TimeStampComment") X (AT, "At") \
  X (TIME_RANGE_COMMENT, "TimeRangeComment") X (FROM, "From") X (TO, "To") X (TEXT, "Text")

typedef enum
{
#define TS_ATF_NAME_ENUM(NAME, name) TS_ATF_##NAME,
  TS_ATF_NAMES (TS_ATF_NAME_ENUM)
#undef TS_ATF_NAME_ENUM
  TS_ATF_N_NAMES
} TsAtfName;

/* Where the reading stands: which element is the innermost open one. */
typedef enum
{
  TS_ATF_IN_DOCUMENT,
  TS_ATF_IN_ROOT,
  TS_ATF_IN_SYSTEM,
  TS_ATF_IN_RESOURCE,
  TS_ATF_IN_ELEMENT,
  TS_ATF_IN_ANNOTATION,
  TS_ATF_IN_MAPPINGS,
  TS_ATF_IN_MAPPING,
  TS_ATF_IN_USER_TABLE,
  TS_ATF_IN_TIME_BASE,
  TS_ATF_IN_TRACE,
  TS_ATF_IN_OVERHEAD,
  TS_ATF_IN_INFORMATION,
  TS_ATF_IN_LEAF, /* any element that has no children that matter */
  TS_ATF_IN_COOKIE, /* nothing in it is read, nothing in it is remarkable */
} TsAtfPlace;

typedef struct _TsAtf TsAtf;

/* A start tag. */
typedef struct
{
  const xmlChar **attributes; /* as libxml2 gives them, five pointers each */
  int             n_attributes;
  guint64         line; /* where the tag begins */
} TsAtfTag;

/* Which element may stand where, and what is done about it. */
typedef struct
{
  TsAtfPlace parent;
  TsAtfName  name;
  TsAtfPlace place;
  gboolean   has_text; /* its text is collected for end() */
  void (*start) (TsAtf *atf, const TsAtfTag *tag);
  void (*end) (TsAtf *atf, const char *text);
} TsAtfRule;

extern const TsAtfRule ts_atf_system_rules[]; /* terminated by an entry without parent */
extern const TsAtfRule ts_atf_trace_rules[];

/* An overhead as stated, with what it takes to convert it later. */
typedef struct
{
  TsOverheadNote note;
  guint64        line;
  gboolean       has_reference;
  guint64        reference;
} TsAtfOverhead;

/* Entries that are alike but for their blanks: they are squeezed. */
typedef struct
{
  TsAtfSqueezed *squeezed; /* NULL: there were none so far */
  TsAtfTemplate  template; /* what they look like then */
  guint          n_unequal_blanks; /* of late: lines between them end as they did, but some are empty */
  gsize          n_most;   /* bytes to be squeezed at a time */
  guint          n_vain;   /* of late, so many times most of them were not alike */
} TsAtfLoose;

/* The state of one reading. */
struct _TsAtf
{
  TsImport        *import;
  xmlParserCtxtPtr parser;
  const xmlChar   *names[TS_ATF_N_NAMES]; /* in the parser's dictionary: compared as pointers */
  GError          *error; /* the first one; after it nothing is read any more */
  guint8          *block;
  gsize            block_length;
  guint64          n_bytes;
  guint            n_entities;
  gboolean         has_document_type;
  gboolean         has_root;
  gboolean         has_section_prefix;  /* the name of the TraceData that libxml2 is in */
  guint64          unseen_section_line; /* where the open one begins, if libxml2 takes it for one before it; or 0 */
  gboolean         is_at_end; /* the parser is told that no more comes */

  struct
  {
    gboolean      is_off;    /* the user wants libxml2 alone */
    TsAtfEncoding encoding;
    guint         misses;    /* in a row: it took over, and there was nothing for it */
    guint         misses_of_elements; /* the same of ts_atf_elements_scan() */
    gboolean      is_active; /* libxml2 stands between two children of TraceData, and so does the input */
    guint         n_unequal_times;  /* of late: shorter than the one before, or with other decimals */
    guint         n_unequal_blanks; /* of late: in front of tags that are else as they were */
    guint         stretch;   /* so many entries are read without the template before it is tried again */
    TsAtfLoose    loose;
    TsAtfTemplate template;
    /* of events and of elements, by their roles less one */
    TsAtfMemos    memos[TS_ATF_SCAN_IDS];       /* by the bytes where an id stands, whatever is behind it */
    TsAtfMemos    digit_memos[TS_ATF_SCAN_IDS]; /* by eight digits */
    TsAtfAttribute names[1 << TS_ATF_SCAN_NAME_BITS]; /* that entries had before, by their first bytes */
    guint          n_others;                          /* of these that mean nothing */
    gboolean       has_both_marks; /* values are not always between the same quotation marks */
    gboolean       is_loose;       /* there are blanks beside equals signs, or lines that end in entries */
    gboolean       has_padding;    /* there are spaces beside numbers */
    gint64        decimals_scale; /* that the following are for; 0: not yet */
    TsAtfDecimals decimals[TS_ATF_SCAN_DECIMALS];
  } scan;

  const TsAtfRule *stack[TS_MAX_DEPTH + 16]; /* the open elements that are known */
  guint            level;
  guint            depth;   /* of all open elements */
  guint            skipped; /* of open elements in a subtree that is skipped */
  GString         *text;

  gboolean     replay; /* the system is known from the reading before: nothing is declared */
  TsAtfTables *tables; /* filled by SystemConfiguration */
  TsAtfTables *lookup; /* what events are looked up in; NULL while that is not complete */
  TsAtfTables *kept;   /* from the reading before, or NULL */

  struct
  {
    guint64   line; /* of the first SystemConfiguration, 0: none yet */
    gboolean  is_complete; /* and read to its end */
    guint16   resource;
    guint32   open[TS_MAX_DEPTH]; /* elements around */
    guint     n_open;
    char     *annotation_name, *annotation_value, *annotation_tool;
    guint64   annotation_line;
    gboolean  is_user; /* the open mapping is one of user events */
    guint64   event;
    gboolean  has_info;
    guint64   info_reference;
    guint64   info_line;
    guint64   time_base_line;
    gboolean  has_fraction;
    TsTimeBase time_base;
  } system;

  gboolean   is_late;         /* a section came before the system */
  gboolean   warned_no_base;
  guint      n_sections;
  gint64     scale;           /* of this reading */
  gint64     whole_limit;     /* TS_TIME_LIMIT / scale */
  TsSection *section;         /* the open one: import->section or &window */
  TsSection  window;          /* before its first event is known */
  gint64     from, to;        /* of the open section, for OUTSIDE_SECTION */
  guint64    n_outside, outside_line; /* its events outside of these, and the first */
  TsAtfUsers users;           /* user events counted in this reading */

  TsAtfOverhead overhead; /* the one being read */
  gboolean      overhead_is_good;
  gboolean      has_overhead;     /* any at all */
  gboolean      overheads_known;  /* memory has those of all sections, in this scale */
  gboolean      overheads_late;   /* the open section states some after its first event */
  GPtrArray    *overheads;        /* a GArray of TsAtfOverhead for each section, or NULL entries */

  TsAtfUtf16 utf16;
};

/* XML (atf-xml.c) */

/* Reads @length bytes, or with @terminate the end of the input. FALSE: atf->error is set. */
gboolean ts_atf_xml_parse (TsAtf *atf, const guint8 *bytes, gsize length, gboolean terminate);
void     ts_atf_xml_close (TsAtf *atf);

/* Where the reading is now. */
guint64 ts_atf_line (const TsAtf *atf);

/* Sets atf->error, if it is the first. */
void ts_atf_fail (TsAtf *atf, TsError code, guint64 line, const char *format, ...) G_GNUC_PRINTF (4, 5);

/* What stands for &name; or NULL. *is_predefined: in XML itself, so that it holds no references. */
const char *ts_atf_xml_entity (const TsAtf *atf, const char *name, gboolean *is_predefined);

/* Attributes (atf-text.c) */

/* A copy with all references resolved, to be freed; NULL if the tag does not have it. */
char *ts_atf_tag_dup (TsAtf *atf, const TsAtfTag *tag, TsAtfName name);
char *ts_atf_text_dup (TsAtf *atf, const TsAtfText *value);

typedef enum
{
  TS_ATF_MISSING,
  TS_ATF_BAD,
  TS_ATF_GOOD,
} TsAtfFound;

TsAtfFound ts_atf_tag_number (TsAtf *atf, const TsAtfTag *tag, TsAtfName name, guint64 *value);

/* ToolInfo (4.20) and Cookie (4.3); texts are interned. */
TsToolInfo ts_atf_tag_tool (TsAtf *atf, const TsAtfTag *tag);

/* Handlers that more than one part needs */

/* One event from its three attributes, as they stand in the file: whoever has found them,
 * libxml2 or not (atf-trace.c). */
void ts_atf_entry (TsAtf *atf, const TsAtfText *time, const TsAtfText *event, const TsAtfText *reference,
                   guint64 line);

/* The same with its numbers; @stamp is in internal units (atf-trace.c). */
void ts_atf_event (TsAtf *atf, gint64 stamp, guint64 event_id, guint64 reference_id, guint64 line);

/* Reads entries from the start of @bytes and returns how many bytes they take. What is
 * left is cut within an entry, or with *stopped for libxml2 (atf-scan.c). */
gsize ts_atf_scan (TsAtf *atf, const guint8 *bytes, gsize length, gboolean *stopped);

/* What ids mean has changed, and is to be asked for now (atf-memo.c). */
void ts_atf_memos_begin (TsAtf *atf);
void ts_atf_memos_free (TsAtf *atf);

/* What @number means, which is not known by @bytes yet; eight bytes beside it can be read. FALSE: an event of the id has
 * to be looked at each time. */
gboolean ts_atf_memos_add (TsAtfMemos *memos, const TsAtf *atf, guint8 role, const TsAtfNumber *number,
                           TsAtfSpelling spelling, guint64 bytes, guint64 more);

static inline gsize
ts_atf_memos_place (const TsAtfMemos *memos, guint64 bytes)
{
  return (gsize) (bytes * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> memos->shift);
}

/* @more is where eight more bytes of an id stand that may be long; NULL: there are none. Returns NULL if it is not
 * known. */
static inline const TsAtfMemo *
ts_atf_memos_recall (const TsAtfMemos *memos, guint64 bytes, const guint8 *more)
{
  gsize i = ts_atf_memos_place (memos, bytes);

  while (G_UNLIKELY (memos->slots[i].bytes != bytes
                     || (more != NULL && memos->has_long && memos->slots[i].length > TS_ATF_MEMO_SHORT
                         && memcmp (&memos->more[i], more, sizeof memos->more[i]) != 0)))
    {
      if (memos->slots[i].bytes == 0)
        return NULL;
      i = (i + 1) & (memos->n_slots - 1);
    }
  return &memos->slots[i];
}

/* The entry at @p, for those to come. FALSE: there is none (atf-scan.c). */
gboolean ts_atf_scan_template (TsAtf *atf, const guint8 *p, const guint8 *end);

/* The template of the entry in [begin, end) (atf-template.c). */
void ts_atf_template_learn (TsAtfTemplate *template, const guint8 *begin, const guint8 *end, const TsAtfNumber *numbers,
                            const guint8 *roles);
/* The tag behind as many blanks as a template can have; else @end. */
const guint8 *ts_atf_template_tag (const guint8 *p, const guint8 *end);
/* One entry, behind any blanks: returns its end, or NULL if it looks otherwise or is not whole. */
const guint8 *ts_atf_template_match (const TsAtfTemplate *template, const guint8 *tag, const guint8 *end,
                                     TsAtfNumber *numbers);
/* Whether what is between @p and @tag is as in front of the entry that was learnt. */
gboolean ts_atf_template_has_blanks (const TsAtfTemplate *template, const guint8 *p, const guint8 *tag);

/* Reads entries that look like the one that was learnt, until one does not. Returns where that begins. */
const guint8 *ts_atf_alike_scan (TsAtf *atf, const guint8 *p, const guint8 *end, guint64 *line);

guint ts_atf_count_lines (const guint8 *begin, const guint8 *end);

/* The long way: @numbers by their roles. */
void ts_atf_scan_entry (TsAtf *atf, const TsAtfNumber *numbers, guint64 line);

/* Digits, and with @point decimals. Not read past @end. FALSE: none, or more than are quick. */
gboolean ts_atf_scan_number (const guint8 *p, const guint8 *end, gboolean point, TsAtfNumber *number);
/* Digits, and any spaces beside them. */
gboolean ts_atf_scan_id (const guint8 *p, const guint8 *end, TsAtfNumber *number);

/* Behind the comment or the processing instruction at @p, which may have blanks in front; NULL: there is none that is
 * whole and short (atf-scan.c). */
const guint8 *ts_atf_scan_aside (const TsAtf *atf, const guint8 *p, const guint8 *end);

/* Behind the character of UTF-8 at @p, which is none of ASCII; NULL: it is none, or one that XML forbids. */
const guint8 *ts_atf_pass_wide (const guint8 *p);

/* What an encoding is to entries that are read as they stand (atf-characters.c). */
TsAtfEncoding ts_atf_encoding (const char *name);

/* The same of any encoding in which entries can be read. */
const guint8 *ts_atf_pass_character (TsAtfEncoding encoding, const guint8 *p);

/* Behind such a character or a reference, to a character or an entity that XML defines, at @p in the value of an
 * attribute; NULL: libxml2 has to look at it. Reads up to TS_ATF_MAX_ODD bytes from @p on (atf-characters.c). */
const guint8 *ts_atf_pass_odd (TsAtfEncoding encoding, const guint8 *p);

#define TS_ATF_MAX_ODD 10

/* Entries to come may have an attribute of the name in [begin, end), which is good; its value begins at @open.
 * TS_ATF_SCAN_NUMBERS as its @role: it means nothing (atf-irregular.c). */
void ts_atf_irregular_learn (TsAtf *atf, const guint8 *begin, const guint8 *end, const guint8 *open, guint8 role);

/* Reads up to @n_most entries with blanks and attributes as they come, up to one that has to be looked at. Returns
 * where that begins. Events are looked up, and their section is open (atf-irregular.c). */
const guint8 *ts_atf_irregular_scan (TsAtf *atf, const guint8 *p, const guint8 *end, guint n_most, guint64 *line);

/* Where a user event is: they name no resource. */
static inline guint16
ts_atf_user_resource (const TsAtf *atf)
{
  return atf->lookup->n_resources == 1 ? 0 : TS_NO_RESOURCE;
}

/* An event as the file has it. */
static inline void
ts_atf_put (TsEvent *event, TsEventKind kind, gint64 time, guint32 element, guint16 resource, guint64 line)
{
  const guint16 last[] = { resource, 0 }; /* with the number of an owner: one write */

  event->time = time;
  ts_event_place (event, line, ts_event_what (kind, 0));
  event->element = element;
  event->instance = TS_NO_INSTANCE;
  event->owner = TS_NO_ELEMENT;
  memcpy (&event->resource, last, sizeof last);
}

/* Whether one of the last four bytes is none of ASCII: libxml2 then takes what is no UTF-8 for a character that is cut,
 * and says something else about it (atf.c). */
gboolean ts_atf_has_wide_end (const guint8 *bytes, gsize length);

/* Reads elements of the system, each with all that is in it, from the start of @bytes and returns how many bytes they
 * take. What is left is for libxml2 (atf-elements.c). */
gsize ts_atf_elements_scan (TsAtf *atf, const guint8 *bytes, gsize length);

/* Behind the end of a section and the beginning of the next one, or behind an element in a section that is no entry, at
 * @bytes in @line: its handlers are called. NULL: it is not complete, or for libxml2 (atf-elements.c). */
const guint8 *ts_atf_elements_pass (TsAtf *atf, const guint8 *bytes, const guint8 *end, guint64 line);

/* How many of @bytes, more than none, libxml2 gets before ts_atf_elements_scan() may take over again; they begin with
 * what that did not take (atf-elements.c). */
gsize ts_atf_elements_find (const TsAtf *atf, const guint8 *bytes, gsize length);

/* The beginning of an element that may stand here, and the end of the innermost one (atf-xml.c). */
void ts_atf_xml_start (TsAtf *atf, TsAtfName name, const TsAtfTag *tag);
void ts_atf_xml_end (TsAtf *atf, const guint8 *text, const guint8 *text_end);

/* The encoding is another one than UTF-8 (atf-xml.c). */
gboolean ts_atf_xml_is_converted (const TsAtf *atf);

/* Whether elements are what they look like: nothing is converted, and there is no document type, since what that says may
 * hold for all of them (atf-xml.c). */
gboolean ts_atf_xml_is_direct (const TsAtf *atf);

/* Whether ts_atf_elements_scan() may take over here (atf-xml.c). */
gboolean ts_atf_xml_is_between_elements (const TsAtf *atf);

/* Whether libxml2 stands in a CDATA section, or in front of what may be one (atf-xml.c). */
gboolean ts_atf_xml_is_near_section (const TsAtf *atf);

/* Whether ts_atf_scan() may take over here, which sets the encoding, or behind one of the next tags (atf-xml.c). */
gboolean ts_atf_xml_is_between_entries (TsAtf *atf);
gboolean ts_atf_xml_is_near_entries (const TsAtf *atf);

/* The system is complete: events can be looked up in @tables (atf-trace.c). */
void ts_atf_use_tables (TsAtf *atf, TsAtfTables *tables);

/* Counters into the system (atf-trace.c). */
void ts_atf_publish_users (TsAtf *atf);

/* A fraction (4.6) from its tag: FALSE with *reason if it is none (atf-system.c). */
gboolean ts_atf_fraction (TsAtf *atf, const TsAtfTag *tag, guint64 *numerator, guint64 *denominator,
                          const char **reason);

/* The scale (atf-scale.c) */

/* Before the first section, when nothing was scaled yet. */
void ts_atf_scale_begin (TsAtf *atf);
/* Takes units of which @scale, a multiple of the one before, make a tick. FALSE: it is too late for that, and nothing
 * was changed. */
gboolean ts_atf_scale_raise (TsAtf *atf, gint64 scale);

/* At the end of the head of a stream: units so fine that what comes behind would soon be too large are not taken. */
void ts_atf_scale_leave_room (TsAtf *atf);
/* The scale that decides what is too large: as far as it is for decimals, it may be another one in the next reading. */
gint64 ts_atf_scale_least (const TsAtf *atf);
/* @decimal cannot be kept exactly with the others: from here on, and in the readings to come, stamps are rounded to the
 * finest units that can hold this and all others. FALSE: none can hold it, or there will be no other reading. */
gboolean ts_atf_scale_round (TsAtf *atf, const TsAtfDecimal *decimal);

/* Whether the entries to come are the first ones, and their units may still change. */
gboolean ts_atf_scale_is_open (const TsAtf *atf);

/* Raises *scale to what @time needs. FALSE: none will do, or it is no time. */
gboolean ts_atf_scale_refine (const TsAtfNumber *time, gint64 *scale);

/* Sets what is outside of the section. */
void ts_atf_scale_window (TsAtf *atf);

/* Overheads (atf-overhead.c) */
void ts_atf_overhead_start (TsAtf *atf, const TsAtfTag *tag);
void ts_atf_overhead_fraction (TsAtf *atf, const TsAtfTag *tag);
void ts_atf_overhead_end (TsAtf *atf, const char *text);

/* Before the first event of the open section: what is stated until then goes to memory. */
void ts_atf_overheads_begin (TsAtf *atf);
/* At its end: what came too late asks for another reading. */
void ts_atf_overheads_end (TsAtf *atf);
/* At the end of a survey: all that was stated so far asks for a scale in which it is whole. */
void ts_atf_overheads_survey (TsAtf *atf);
/* At the end of the input. */
void ts_atf_overheads_finish (TsAtf *atf);

G_END_DECLS
